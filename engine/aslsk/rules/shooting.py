"""Who fires at what: the common course of PFPh, DFF, DFPh, AFPh and Bounding First Fire (3.2).

Refs: 2.0.pfph, 2.0.afph, 3.2, 3.2.1, 3.2.4, 3.2.5, 3.4, 3.5, 4.0.destroy, 6.11, 7.6.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from engine.aslsk.rules.aiming import aims, can_aim_anything, fires_at_area, why_not_aim
from engine.aslsk.rules.elements import (
    OWN,
    Element,
    elements,
    find,
    is_ordnance,
    reach,
    target_hexes,
    why_not_at,
    why_not_fire,
    why_not_use,
    why_so_far,
)
from engine.aslsk.rules.fire import declare
from engine.aslsk.rules.fire_groups import targets_in, why_not_far, why_not_volley
from engine.aslsk.rules.firers import bogs_turning
from engine.aslsk.rules.ordnance import ATT, HE, Aim, is_defensive
from engine.aslsk.rules.shots import fire_ordnance
from engine.aslsk.rules.sight import is_los_free, why_not_see
from engine.aslsk.rules.verdicts import Verdicts, tell_nobody
from engine.aslsk.rules.weapons import fire_flame, fire_pf, flame_vehicle, pf_aims, why_not_pf
from engine.aslsk.state.book import rule
from engine.aslsk.state.events import Eliminated, Used
from engine.aslsk.state.ground import Ground
from engine.aslsk.state.state import AFPH, MAP, State
from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, unit
from engine.core.rules import Ruling, Side
from engine.core.text import N_

IFT = "ift"
ON_IFT = (OWN, "mg", "bmg", "cmg", "rmg", "aamg", "ife")
"""What fires on the IFT before anything else."""
DESTROY = "destroy"


def ways(state: State, e: Element, hex: str) -> list[Aim]:
    """How an element could attack a hex: on the IFT, or with a To Hit DR (3.2.4)."""
    if e.part == "pf":
        return pf_aims(state, e, hex)
    found: list[Aim] = []
    if not is_ordnance(state, e):
        found.append(Aim(IFT, hex))
    found += aims(state, e, hex)
    return found


def why_not_way(state: State, e: Element, aim: Aim) -> Iterator[Ruling]:
    """Why an element may not attack a hex in a given way."""
    if aim.kind == IFT:
        if (found := why_not_ift(state, e, aim.hex)) is not None:
            yield found
    elif e.part == "pf":
        yield from why_not_pf(state, e, aim)
    else:
        yield from why_not_aim(state, e, aim)


def why_not_ift(state: State, e: Element, hex: str) -> Ruling | None:
    """The IFT hurts infantry and CE crews; a hidden crew shows no target (7.12, 3.2.2.1, 6.4)."""
    names, crews = targets_in(state, hex, e.side, is_defensive(state, e))
    if crews or any(not state.units[name].hidden for name in names):
        return None
    return rule(
        ("7.12#equipaggio", "3.2.2.1#immune"), N_("nobody in {hex} can be hurt on the IFT"), hex=hex
    )


def why_not_shoot_at(state: State, e: Element, hex: str) -> Ruling | None:
    """No way of attacking the hex at all; the likeliest one is tried first."""
    on_ift = e.part in ON_IFT
    if on_ift and why_not_ift(state, e, hex) is None:
        return None
    area = not on_ift and fires_at_area(state, e)
    if area and next(why_not_aim(state, e, Aim(ATT, hex, "", HE)), None) is None:
        return None
    first: Ruling | None = None
    for aim in ways(state, e, hex):
        found = next(why_not_way(state, e, aim), None)
        if found is None:
            return None
        first = first or found
    return first or rule("3.2#colpisce", N_("{unit} cannot attack {hex}"), unit=e.id, hex=hex)


def possible(state: State, e: Element, candidates: Sequence[Aim]) -> list[Aim]:
    """The ways that nothing forbids."""
    return [aim for aim in candidates if next(why_not_way(state, e, aim), None) is None]


def choose_way(ctx: Ctx[State], side: Side, e: Element, hex: str) -> Aim:
    """How an element attacks a hex: it is asked if there are several ways (3.2.4)."""
    state = ctx.state
    candidates = ways(state, e, hex)
    able = possible(state, e, candidates)
    if len(able) == 1:
        return able[0]
    choices = [button(a.id, a, N_("{how} {unit}"), how=a.kind, unit=a.target) for a in candidates]
    return ctx.choose(
        "fire.kind",
        side,
        choices,
        "3.2.4#tipo",
        N_("how does {unit} attack {hex}?"),
        why_not=lambda a: why_not_way(state, e, a),
        unit=e.id,
        hex=hex,
    )


def shoot_at(ctx: Ctx[State], side: Side, e: Element, hex: str) -> None:
    """An element attacks a hex, after a Bog Check if its hull turns there (3.2, 7.6)."""
    aim = ctx.once(choose_way, ctx, side, e, hex)
    if bogs_turning(ctx, (e,), hex):
        return
    if e.part == "pf":
        fire_pf(ctx, e, aim)
    elif aim.kind == "FT":
        flame_vehicle(ctx, e, aim)
    elif aim.kind != IFT:
        fire_ordnance(ctx, e, aim)
    elif e.part == "ft":
        fire_flame(ctx, e, hex)
    else:
        declare(ctx, side, e, elements(ctx.state, side), hex)


def why_not_start(state: State, e: Element, hexes: Sequence[str]) -> Iterator[Ruling]:
    """Why an element has nothing to fire at."""
    yield from why_not_fire(state, e)
    if can_aim_anything(state, e):
        return
    away = state.ground.away[e.hex]
    limit = reach(state, e)
    first: Ruling | None = None
    for hex in hexes:
        if away[hex] > limit:
            continue
        found = next(why_not_target(state, e, hex), None)
        if found is None:
            return
        first = first or found
    yield first or rule(why_so_far(state, e), N_("no enemy is within reach of {unit}"), unit=e.id)


def start_verdicts(state: State, hexes: Sequence[str]) -> Verdicts[Element]:
    """What keeps each element from firing, asked more than once."""
    return Verdicts(state, "start", lambda e: why_not_start(state, e, hexes))


def why_not_target(state: State, e: Element, hex: str) -> Iterator[Ruling]:
    """Why an element may not attack a hex; LOS counts only if it may be checked freely."""
    yield from why_not_at(state, e, hex)
    if (found := why_not_shoot_at(state, e, hex)) is not None:
        yield found
    if (found := why_not_volley(state, e, hex)) is not None:
        yield found
    if e.part == "mg" and (found := why_not_far(state, e, hex)) is not None:
        yield found
    if is_los_free(state) and (found := why_not_see(state, e.id, e.hex, hex)) is not None:
        yield found


def fire_step(ctx: Ctx[State], ref: str) -> bool:
    """One attack of a fire phase; False when the side has ended (3.2.5, 3.4, 3.5)."""
    state = ctx.state
    side = state.who
    if f"fire {side}" in state.settled:
        return False
    e = ctx.once(_choose_firer, ctx, side, ref)
    if e is None:
        return False
    if e.part == DESTROY:
        destroy_weapon(ctx, side)
        return True
    hex = ctx.once(choose_hex, ctx, e, target_hexes(state, side))
    shoot_at(ctx, side, e, hex)
    return True


def _choose_firer(ctx: Ctx[State], side: Side, ref: str) -> Element | None:
    """Who fires next; None when nobody can or wants to (3.2)."""
    state = ctx.state
    hexes, mine = target_hexes(state, side), elements(state, side)
    starts = start_verdicts(state, hexes)
    if not can_any_fire(state, mine, hexes):
        if mine and (found := starts.barred(mine[0].id, mine[0])) is not None:
            tell_nobody(ctx, (ref, "3.2#puoi"), side, mine[0].id, found)
        return None
    return ctx.choose(
        "fire.who",
        side,
        _fire_choices(state, mine),
        (ref, "3.2#puoi"),
        N_("who fires?"),
        why_not=lambda one: (
            None if one is None or one.part == DESTROY else starts.against(one.id, one)
        ),
    )


def can_any_fire(state: State, mine: Sequence[Element], hexes: Sequence[str]) -> bool:
    """Whether an element has something to fire at (3.2)."""
    starts = start_verdicts(state, hexes)
    return any(starts.barred(e.id, e) is None for e in mine)


def expendable(state: State, side: Side) -> list[str]:
    """Weapons whose owner could destroy them (4.0.destroy)."""
    return [
        w.id
        for w in state.weapons.values()
        if w.place == MAP
        and w.owner
        and state.units[w.owner].side == side
        and state.units[w.owner].good_order
        and not w.fire
        and not w.shots
        and why_not_use(state, find(state, side, w.id)) is None
    ]


def destroy_weapon(ctx: Ctx[State], side: Side) -> None:
    """The owner destroys a weapon; it counts as using it (4.0.destroy)."""
    names = expendable(ctx.state, side)
    name = ctx.choose(
        "weapon.destroy",
        side,
        [unit(n, n) for n in names],
        "4.0.destroy",
        N_("which weapon is destroyed?"),
    )
    owner = ctx.state.weapons[name].owner
    ctx.do(Used(unit=owner, used=name), "4.0.destroy")
    ctx.do(Eliminated(unit=name), "4.0.destroy")


@lru_cache(maxsize=4096)
def fire_offer(e: Element, field: Ground) -> Choice[Any]:
    """An element as a candidate: it fires."""
    return unit(e.id, e, N_("{unit} fires"), hex=field.hex[e.hex])


def _fire_choices(state: State, mine: Sequence[Element]) -> Iterator[Choice[Element | None]]:
    field = state.ground
    for e in mine:
        yield fire_offer(e, field)
    if state.phase != AFPH and expendable(state, state.who):
        ruin = Element(DESTROY, "", state.who, part=DESTROY)
        yield button("distruggi", ruin, N_("destroy a weapon"))
    yield button("passa", None, N_("no more fire"))


def choose_hex(ctx: Ctx[State], e: Element, hexes: Sequence[str]) -> str:
    """The target hex is declared before its LOS is checked (3.2.1.declare)."""
    state = ctx.state
    field = state.ground
    spots = list(hexes)
    if can_aim_anything(state, e):
        known = set(spots)
        spots += [h for h in field.labels if h not in known]
    limit = reach(state, e)
    away = field.away[e.hex]
    spots = [h for h in spots if away[h] <= limit]
    return ctx.choose(
        "fire.target",
        e.side,
        (field.offer[h] for h in spots),
        ("3.2.1.declare#prima", "3.2.2#non-divide"),
        N_("at which hex does {unit} fire?"),
        why_not=lambda h: why_not_target(state, e, h),
        unit=e.id,
    )
