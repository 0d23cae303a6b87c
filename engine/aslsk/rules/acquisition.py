"""Acquired targets: what they give, how they are won, how long they stay (6.10, 6.11).

Refs: 2.0.acquired_target, 3.6.interdiction, 6.10, 6.11, casa.61.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.aslsk.rules.elements import BOUNDING_FIRST, mode, usage
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
from engine.core.rules import Locators
from engine.core.text import N_, Fact
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
    holder = holder_of(ctx.state, e)
    if isinstance(holder, Weapon) and (holder.place != MAP or holder.broken):
        return
    if isinstance(holder, Vehicle) and holder.arms.ma:
        hold = NOTHING
    refs = (*_why_held(shot, hold), "" if seen else "casa.61")
    text = _won(holder.hold, hold)
    if text == LOST:
        _change(ctx, holder, hold, refs, text)
    else:
        _change(ctx, holder, hold, refs, text, hex=hold.target_hex, n=-hold.acquired)


GAINED = N_("{weapon} acquires its target in {hex}: {n} To Hit")
RAISED = N_("{weapon} has its target in {hex} better acquired: {n} To Hit")
KEPT = N_("{weapon} keeps its target in {hex} acquired: {n} To Hit")
LOST = N_("{weapon} loses its acquired target")
FOLLOWS = N_("the acquired target of {weapon} is now in {hex}")
UNSEEN = N_("the target of {weapon} is out of LOS: its counter stays in {hex}")
NOT_GOOD = N_("{unit} is not in Good Order: {weapon} loses its target")
GONE = N_("the target of {weapon} is gone: its counter stays in {hex}")


def _won(old: Hold, hold: Hold) -> str:
    """What a shot made of a counter (6.10)."""
    if not hold.acquired:
        return LOST
    if old.acquired and hold.acquired > old.acquired:
        return RAISED
    return KEPT if hold == old else GAINED


def _change(
    ctx: Ctx[State], holder: Weapon | Vehicle, hold: Hold, refs: Locators, text: str, **facts: Fact
) -> None:
    """The counter of a weapon is put, moved or taken away (6.10)."""
    event: Acquired | TargetAcquired = (
        TargetAcquired(vehicle=holder.id, hold=hold)
        if isinstance(holder, Vehicle)
        else Acquired(weapon=holder.id, hold=hold)
    )
    ctx.do(event, refs, text, weapon=holder.id, **facts)


def _why_held(shot: Shot, hold: Hold) -> tuple[str, ...]:
    """What puts the counter there, or takes it away (6.10, 6.11)."""
    if shot.aim.kind == ATT:
        is_smoke = shot.aim.ammo in (SMOKE, WP)
        spoilt = ("6.11#fumo",) if is_smoke else ("6.10#si-perde", "6.11#resto")
        return ("6.11#esagono",) if hold.acquired else spoilt
    return ("6.10#pedina",) if hold.acquired else ("6.10#si-perde",)


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
            why, refs = _why_lost(ctx.state, w)
            if why:
                _change(ctx, w, NOTHING, refs, why, unit=w.owner)
            else:
                _follow(ctx, w)
    for v in list(ctx.state.vehicles.values()):
        if v.hold.acquired and v.place == MAP:
            if v.good_order:
                _follow(ctx, v)
            else:
                _change(
                    ctx,
                    v,
                    NOTHING,
                    ("6.10#si-perde", "2.0.good_order#veicolo"),
                    NOT_GOOD,
                    unit=v.id,
                )


def _why_lost(state: State, w: Weapon) -> tuple[str, tuple[str, ...]]:
    """What makes a SW or Gun lose its target: crew, its own FP, a move (6.10)."""
    owner = state.units.get(w.owner)
    if owner is None:
        return N_("nobody mans {weapon}: it loses its target"), ("6.10#si-perde",)
    if not owner.good_order:
        return NOT_GOOD, ("6.10#si-perde", "2.0.good_order#fanteria")
    if OWN_FP in owner.used:
        text = N_("{unit} has used its own FP: {weapon} loses its target")
        return text, ("6.10#si-perde", usage(owner))
    if w.moved and not w.data.is_gun:
        return N_("{weapon} has moved: it loses its target"), ("6.10#si-perde",)
    return "", ()


def forget_targets(ctx: Ctx[State], name: str) -> None:
    """Who mans a weapon and interdicts loses what it has acquired (6.10)."""
    for weapon in weapons_of(ctx.state, name):
        if weapon.hold.acquired:
            text = N_("{unit} interdicts: {weapon} loses its target")
            _change(
                ctx, weapon, NOTHING, ("6.10#si-perde", "3.6.interdiction#quando"), text, unit=name
            )


def _follow(ctx: Ctx[State], holder: Weapon | Vehicle) -> None:
    """The counter goes with its target while it is seen, else it stays in the hex (6.10)."""
    hold = holder.hold
    if not hold.target:
        return
    state = ctx.state
    left = [one for name in hold.target.split() if (one := _target(state, name)) is not None]
    if not left:
        left_there = replace(hold, target="")
        at = hold.target_hex
        _change(ctx, holder, left_there, ("casa.64", "6.10#fuori-los"), GONE, hex=at)
        return
    if len({one.hex for one in left}) > 1:
        left = [_choose(ctx, holder, left)]
    hex = left[0].hex
    names = " ".join(one.id for one in left)
    at = holder.hex if isinstance(holder, Vehicle) else where(state, holder)
    if hex != hold.target_hex and not sees(state, at, hex):
        _change(
            ctx, holder, replace(hold, target=""), "6.10#fuori-los", UNSEEN, hex=hold.target_hex
        )
    elif (names, hex) != (hold.target, hold.target_hex):
        moved = replace(hold, target=names, target_hex=hex)
        _change(ctx, holder, moved, "6.10#segue", FOLLOWS, hex=hex)


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
