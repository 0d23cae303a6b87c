"""How long a target stays acquired, and where its counter lies (6.10, 6.11)."""

from __future__ import annotations

import msgspec

from engine.aslsk.events import Acquired
from engine.aslsk.sight import sees
from engine.aslsk.state import (
    MAP,
    NOTHING,
    OWN_FP,
    Hold,
    State,
    Unit,
    Vehicle,
    Weapon,
    weapons_of,
    where,
)
from engine.aslsk.vehicle_events import TargetAcquired
from engine.core.ctx import Ctx
from engine.core.decisions import unit
from engine.core.text import N_

replace = msgspec.structs.replace


def update_acquisitions(ctx: Ctx[State]) -> None:
    """After every change: crews that lose their target, targets that move (6.10)."""
    for w in list(ctx.state.weapons.values()):
        if w.acquired and w.place == MAP:
            owner = ctx.state.units.get(w.owner)
            kept = owner is not None and owner.good_order and OWN_FP not in owner.used
            carried = w.moved and not w.data.is_gun
            _update(ctx, w, kept and not carried)
    for v in list(ctx.state.vehicles.values()):
        if v.acquired and v.place == MAP:
            _update(ctx, v, v.good_order)


def forget_targets(ctx: Ctx[State], name: str) -> None:
    """Who mans a weapon and interdicts loses what it has acquired (6.10)."""
    for weapon in weapons_of(ctx.state, name):
        if weapon.acquired:
            ctx.do(Acquired(weapon=weapon.id, hold=NOTHING), ("6.10", "3.6.interdiction"))


def _update(ctx: Ctx[State], holder: Weapon | Vehicle, kept: bool) -> None:
    hold = _follow(ctx, holder) if kept else NOTHING
    if hold is None:
        return
    if isinstance(holder, Weapon):
        ctx.do(Acquired(weapon=holder.id, hold=hold), "6.10")
    else:
        ctx.do(TargetAcquired(vehicle=holder.id, hold=hold), "6.10")


def _follow(ctx: Ctx[State], holder: Weapon | Vehicle) -> Hold | None:
    """The counter goes with its target while it is seen, else it stays in the hex (6.10)."""
    if not holder.target:
        return None
    state = ctx.state
    left = [one for name in holder.target.split() if (one := _target(state, name)) is not None]
    if not left:
        return replace(holder.hold, target="")
    if len({one.hex for one in left}) > 1:
        left = [_choose(ctx, holder, left)]
    hex = left[0].hex
    names = " ".join(one.id for one in left)
    at = holder.hex if isinstance(holder, Vehicle) else where(state, holder)
    if hex != holder.target_hex and not sees(state, at, hex):
        return replace(holder.hold, target="")
    if (names, hex) == (holder.target, holder.target_hex):
        return None
    return replace(holder.hold, target=names, target_hex=hex)


def _target(state: State, name: str) -> Unit | Vehicle | None:
    one = state.units.get(name) or state.vehicles.get(name)
    return one if one is not None and one.place == MAP else None


def _choose(
    ctx: Ctx[State], holder: Weapon | Vehicle, left: list[Unit | Vehicle]
) -> Unit | Vehicle:
    """A stack has divided: the firer keeps the counter on one of its units (6.10)."""
    return ctx.choose(
        holder.side if isinstance(holder, Vehicle) else ctx.state.units[holder.owner].side,
        [unit(one.id, one, hex=ctx.state.ground.hex[one.hex]) for one in left],
        "6.10",
        N_("which target does {weapon} keep acquired?"),
        weapon=holder.id,
    )
