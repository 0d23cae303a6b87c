"""Acquired targets: what they give, how they are won, how long they stay (6.10, 6.11).

Refs: 2.0.acquired_target, 3.6.interdiction, 6.10, 6.11, casa.61.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.aslsk.rules.elements import BOUNDING_FIRST, mode
from engine.aslsk.rules.ordnance import ATT, SMOKE, WP, Shot, holder_of
from engine.aslsk.rules.sight import sees
from engine.aslsk.state.book import drm
from engine.aslsk.state.events import Acquired
from engine.aslsk.state.state import (
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
from engine.aslsk.state.vehicle_events import TargetAcquired
from engine.core.ctx import Ctx
from engine.core.decisions import unit
from engine.core.text import N_
from engine.kit.modifiers import Modifier

replace = msgspec.structs.replace


# A shot


def acquisition(state: State, shot: Shot, names: Sequence[str]) -> Modifier | None:
    """A target fired at before is easier (6.10, 6.11)."""
    holder = holder_of(state, shot.e)
    if not holder.hold.acquired:
        return None
    aim = shot.aim
    here = holder.hold.target_hex == aim.hex
    if aim.kind == ATT:
        if not here:
            return None
        text = N_("Case 20: acquired hex")
        return drm(-holder.hold.acquired, ("6.11#esagono", "2.0.acquired_target#drm"), text)
    wanted = [aim.target] if aim.target else names
    same = any(name in wanted for name in holder.hold.target.split())
    if not same and not (here and not holder.hold.target):
        return None
    text = N_("Case 20: acquired target")
    return drm(-holder.hold.acquired, ("6.10#drm", "2.0.acquired_target#drm"), text)


def acquire(ctx: Ctx[State], shot: Shot, names: Sequence[str], seen: bool) -> None:
    """After the shot the counter goes to -1, then -2; another target starts again (6.10)."""
    hold = _next_hold(ctx.state, shot, names, seen)
    if hold is None:
        return
    e = shot.e
    refs = (_why_held(shot, hold), "" if seen else "casa.61")
    if e.vehicle:
        lost = bool(ctx.state.vehicles[e.vehicle].arms.ma)
        ctx.do(TargetAcquired(vehicle=e.vehicle, hold=NOTHING if lost else hold), refs)
        return
    w = ctx.state.weapons[e.weapon]
    if w.place == MAP and not w.broken:
        ctx.do(Acquired(weapon=w.id, hold=hold), refs)


def _why_held(shot: Shot, hold: Hold) -> str:
    """What puts the counter there, or takes it away (6.10, 6.11)."""
    if shot.aim.kind == ATT:
        spoilt = "6.11#fumo" if shot.aim.ammo in (SMOKE, WP) else "6.11#resto"
        return "6.11#esagono" if hold.acquired else spoilt
    return "6.10#pedina" if hold.acquired else "6.10#si-perde"


def _next_hold(state: State, shot: Shot, names: Sequence[str], seen: bool) -> Hold | None:
    """What a shot acquires; None if the counter stays as it is (6.10, 6.11)."""
    if shot.gun.kind in ("latw", "mg", "atr"):
        return None
    e, aim = shot.e, shot.aim
    old = acquisition(state, shot, names)
    bounding = bool(e.vehicle) and (
        mode(state, e) == BOUNDING_FIRST or state.vehicles[e.vehicle].is_non_stopped
    )
    if bounding and old is not None:
        return None
    by_area = aim.kind == ATT
    if aim.ammo in (SMOKE, WP) or bounding or not seen:
        return Hold(by_area=by_area) if holder_of(state, e).hold.acquired else None
    target = aim.target or ("" if by_area else " ".join(names))
    return Hold(2 if old is not None else 1, target, aim.hex, by_area)


# Afterwards


def update_acquisitions(ctx: Ctx[State]) -> None:
    """After every change: crews that lose their target, targets that move (6.10)."""
    for w in list(ctx.state.weapons.values()):
        if w.hold.acquired and w.place == MAP:
            owner = ctx.state.units.get(w.owner)
            kept = owner is not None and owner.good_order and OWN_FP not in owner.used
            carried = w.moved and not w.data.is_gun
            _update(ctx, w, kept and not carried)
    for v in list(ctx.state.vehicles.values()):
        if v.hold.acquired and v.place == MAP:
            _update(ctx, v, v.good_order)


def forget_targets(ctx: Ctx[State], name: str) -> None:
    """Who mans a weapon and interdicts loses what it has acquired (6.10)."""
    for weapon in weapons_of(ctx.state, name):
        if weapon.hold.acquired:
            ctx.do(
                Acquired(weapon=weapon.id, hold=NOTHING),
                ("6.10#si-perde", "3.6.interdiction#quando"),
            )


def _update(ctx: Ctx[State], holder: Weapon | Vehicle, kept: bool) -> None:
    hold = _follow(ctx, holder) if kept else NOTHING
    if hold is None:
        return
    stays = "6.10#segue" if hold.target else "6.10#fuori-los"
    ref = stays if kept else "6.10#si-perde"
    if isinstance(holder, Weapon):
        ctx.do(Acquired(weapon=holder.id, hold=hold), ref)
    else:
        ctx.do(TargetAcquired(vehicle=holder.id, hold=hold), ref)


def _follow(ctx: Ctx[State], holder: Weapon | Vehicle) -> Hold | None:
    """The counter goes with its target while it is seen, else it stays in the hex (6.10)."""
    if not holder.hold.target:
        return None
    state = ctx.state
    left = [one for name in holder.hold.target.split() if (one := _target(state, name)) is not None]
    if not left:
        return replace(holder.hold, target="")
    if len({one.hex for one in left}) > 1:
        left = [_choose(ctx, holder, left)]
    hex = left[0].hex
    names = " ".join(one.id for one in left)
    at = holder.hex if isinstance(holder, Vehicle) else where(state, holder)
    if hex != holder.hold.target_hex and not sees(state, at, hex):
        return replace(holder.hold, target="")
    if (names, hex) == (holder.hold.target, holder.hold.target_hex):
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
        "acquisition.keep",
        holder.side if isinstance(holder, Vehicle) else ctx.state.units[holder.owner].side,
        [unit(one.id, one, hex=ctx.state.ground.hex[one.hex]) for one in left],
        "6.10#si-divide",
        N_("which target does {weapon} keep acquired?"),
        weapon=holder.id,
    )
