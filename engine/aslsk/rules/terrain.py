"""Terrain: what it costs to enter and what it protects from (1.1.1).

Refs: 1.1.1, 1.1.1.open_ground, 1.1.1.buildings, 1.1.1.roads, 1.1.1.woods, 1.1.1.woods_road,
1.1.1.orchard, 1.1.1.orchard_road, 1.1.1.grain, 1.1.1.brush, 1.1.1.hills, 1.1.1.hills.crest,
1.1.1.hills.height_advantage, 1.1.1.hedges.tem, 1.1.1.hedges.advantage, 1.1.1.hedges.move, 2.0.cot,
2.0.tem, 3.3.2, 6.3, 7.4, 7.7, casa.40.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec

from engine.aslsk.rules.verdicts import joined
from engine.aslsk.state.book import drm, halved, rule
from engine.aslsk.state.ground import (
    BRUSH,
    BUILDINGS,
    GRAIN,
    OPEN,
    ORCHARD,
    STONE,
    WOODEN,
    WOODS,
    Ground,
    edge_name,
)
from engine.aslsk.state.state import MPH, RTPH, State, Unit, Vehicle, vehicles_at, weapons_of
from engine.core.ctx import Ctx, Tally
from engine.core.text import N_
from engine.kit.modifiers import Modifier

LOCATOR = {
    OPEN: "1.1.1.open_ground",
    WOODS: "1.1.1.woods",
    STONE: "1.1.1.buildings",
    WOODEN: "1.1.1.buildings",
    ORCHARD: "1.1.1.orchard",
    GRAIN: "1.1.1.grain",
    BRUSH: "1.1.1.brush",
}
COST = {
    OPEN: "1.1.1.open_ground#costo",
    WOODS: "1.1.1.woods#fanteria",
    STONE: "1.1.1.buildings#fanteria",
    WOODEN: "1.1.1.buildings#fanteria",
    ORCHARD: "1.1.1.orchard#costo",
    GRAIN: "1.1.1.grain#costo",
    BRUSH: "1.1.1.brush#costo",
}
"""What tells the MF of Infantry."""
COVER = {
    WOODS: "1.1.1.woods#tem",
    STONE: "1.1.1.buildings#tem",
    WOODEN: "1.1.1.buildings#tem",
}
TEM_ROW = {
    WOODS: "1.1.1#terreni/bosco/TEM",
    STONE: "1.1.1#terreni/edificio in pietra/TEM",
    WOODEN: "1.1.1#terreni/edificio in legno/TEM",
}
MF = {OPEN: 2, WOODS: 4, STONE: 4, WOODEN: 4, ORCHARD: 2, GRAIN: 3, BRUSH: 4}
TEM = {WOODS: 1, STONE: 3, WOODEN: 2}
MP_TRACKED = {OPEN: 2, ORCHARD: 2, GRAIN: 2, BRUSH: 4}
MP_AC = {OPEN: 6, ORCHARD: 6, GRAIN: 8, BRUSH: 8}
SMOKE_COST = 2
HEDGE_COST = 2

DIRECT, MORTAR, CHARGE, FLAME = N_("direct"), N_("mortar"), N_("charge"), N_("flame")


def is_shelter(field: Ground, hex: str) -> bool:
    """Woods or building: where units rally better and rout to."""
    return field.terrain[hex] == WOODS or field.terrain[hex] in BUILDINGS


def by_road(field: Ground, a: str, b: str) -> bool:
    """Whether the hexside is crossed on a road (1.1.1.roads)."""
    return field.has_road(a, b)


class CostPart(msgspec.Struct, frozen=True):
    """A part of what a hex costs Infantry: how often the rest counts, then halves of a MF."""

    halves: int
    times: int
    refs: tuple[str, ...]
    text: str


@cache
def cost_parts(field: Ground, a: str, b: str, road: bool) -> tuple[CostPart, ...]:
    """What the map asks of Infantry to enter `b` from `a`, part by part (3.3.1)."""
    crossed, terrain = by_road(field, a, b), field.kind(b)
    on_road = road and crossed
    cot = CostPart(
        MF[OPEN] if on_road else MF[terrain],
        1,
        (
            "1.1.1.roads#open-ground" if on_road else COST[terrain],
            "1.1.1.woods_road#costo" if crossed and terrain == WOODS else "",
            "1.1.1.orchard_road#strada" if crossed and terrain == ORCHARD else "",
        ),
        N_("{hex} by road") if on_road else N_("{hex}: {terrain}"),
    )
    parts = [cot]
    if field.level[b] > field.level[a]:
        parts.append(CostPart(0, 2, ("1.1.1.hills.crest#fanteria",), N_("uphill")))
    if (a, b) in field.hedges:
        refs = ("1.1.1.hedges.move#supplementi/fanteria",)
        parts.append(CostPart(HEDGE_COST, 1, refs, N_("hedge")))
    return tuple(parts)


def infantry_cost(field: Ground, a: str, b: str, road: bool) -> int:
    """Halves of a MF to enter `b` from `a`; `road` uses the road if there is one (3.3.1)."""
    key = ("road" if road else "land", a, b)
    found = field.costs.get(key)
    if found is None:
        found = 0
        for part in cost_parts(field, a, b, road):
            found = found * part.times + part.halves
        field.costs[key] = found
    return found


@cache
def cost_refs(field: Ground, a: str, b: str, road: bool) -> tuple[str, ...]:
    """The rules behind a cost."""
    return tuple([ref for part in cost_parts(field, a, b, road) for ref in part.refs if ref])


def tell_cost(ctx: Ctx[State], a: str, b: str, road: bool) -> Tally:
    """The MF that a hex costs, smoke too, as lines of a total (3.3.1, 2.0.cot, 1.2.5)."""
    cost = tell_terrain(ctx, a, b, road)
    if b in ctx.state.smoke:
        cost.add(halved(SMOKE_COST), "1.2.5#movimento", N_("Smoke"))
    return cost


def tell_terrain(ctx: Ctx[State], a: str, b: str, road: bool) -> Tally:
    """The same without smoke, which an advance does not count (3.7.cx)."""
    field = ctx.state.ground
    cost = ctx.tally(N_("MF cost"))
    for part in cost_parts(field, a, b, road):
        if part.times > 1:
            cost.times(part.times, part.refs, part.text)
        else:
            cost.add(halved(part.halves), part.refs, part.text, hex=b, terrain=field.kind(b))
    return cost


def covering_vehicle(state: State, unit: Unit) -> bool:
    """A friendly AFV or a wreck that did not move this turn shields Infantry (7.4, casa.24)."""
    return any(
        (v.wreck and not v.marks.fresh_wreck)
        or (not v.wreck and v.side == unit.side and not v.marks.moving and not v.drive.motion)
        for v in vehicles_at(state, unit.hex)
    )


def air_burst(field: Ground, unit_hex: str, how: str) -> Modifier | None:
    """A mortar round in the trees (2.0.air_burst)."""
    if how == MORTAR and field.terrain[unit_hex] == WOODS:
        return drm(-1, "2.0.air_burst", N_("Air Burst in the woods of {hex}"), hex=unit_hex)
    return None


def _the_best(found: Sequence[Modifier]) -> Modifier | None:
    """The best TEM; where others give way to it, the ruling that says so (casa.40)."""
    best = max(found, key=lambda one: one.value, default=None)
    if best is None or len(found) == 1:
        return best
    alone = rule.ruling("casa.40#migliore", best.ruling.msg)
    return msgspec.structs.replace(best, ruling=joined(best.ruling, alone))


def cover(state: State, unit: Unit, firer: str, how: str = DIRECT) -> Modifier | None:
    """The one positive TEM that counts: the best (2.0.tem, casa.40). Air Burst comes apart."""
    if how == FLAME:
        return None
    found = [
        one
        for one in (
            _hex_cover(state, unit, firer, how),
            _hedge_cover(state, unit, firer, how),
            _height_cover(state, unit, firer, how),
            _emplacement(state, unit),
            _vehicle_cover(state, unit),
        )
        if one is not None
    ]
    return _the_best(found)


def _hex_cover(state: State, unit: Unit, firer: str, how: str) -> Modifier | None:
    field = state.ground
    terrain = field.terrain[unit.hex]
    value = TEM.get(terrain, 0)
    if not value or (terrain == WOODS and how == MORTAR):
        return None
    if terrain == WOODS and on_the_road(state, unit, firer):
        return None
    return drm(value, COVER[terrain], N_("{terrain} in {hex}"), terrain=terrain, hex=unit.hex)


def last_step(state: State, unit: Unit | Vehicle) -> tuple[str, bool]:
    """Where a mover or router came from, and whether it paid for cover (3.3.3.ffmo, 3.6)."""
    mover, router = state.mover, state.router
    if mover is not None and unit.id in mover.units:
        return mover.came_from, mover.cover
    if router is not None and unit.id in (router.unit, router.leader):
        return router.came_from, router.cover
    return "", False


def on_the_road(state: State, unit: Unit, firer: str) -> bool:
    """Moving at road cost in woods or orchard, and seen along the road (1.1.1.woods_road)."""
    field = state.ground
    origin, covered = last_step(state, unit)
    if not origin or covered or not firer or not by_road(field, origin, unit.hex):
        return False
    a, b = field.centre(firer), field.centre(unit.hex)
    if field.terrain[unit.hex] == WOODS:
        return not field.crosses_drawing(unit.hex, a, b)
    return not field.leaves_road(unit.hex, a, b)


def _height_cover(state: State, unit: Unit | Vehicle, firer: str, how: str) -> Modifier | None:
    field = state.ground
    if not firer or how == MORTAR or field.level[firer] >= field.level[unit.hex]:
        return None
    if state.phase in (MPH, RTPH) and climbed_in_sight(state, unit, firer):
        return None
    return drm(1, "1.1.1.hills.height_advantage#tem", N_("height advantage of {hex}"), hex=unit.hex)


def climbed_in_sight(state: State, unit: Unit | Vehicle, firer: str) -> bool:
    """Whether it crossed into its hex the very crest that the LOS crosses."""
    field = state.ground
    origin, _covered = last_step(state, unit)
    if not origin or not field.is_adjacent(origin, unit.hex):
        return False
    if field.level[origin] >= field.level[unit.hex]:
        return False
    around = field.side[unit.hex]
    crest = [bool(n) and field.level[n] < field.level[unit.hex] for n in around]
    start = around.index(origin)
    group = {start}
    for step in (1, -1):
        k = (start + step) % 6
        while crest[k] and k not in group:
            group.add(k)
            k = (k + step) % 6
    return any(k in group for k in field.sides_hit(unit.hex, firer))


def behind_hedge(state: State, hex: str, firer: str) -> str:
    """The neighbour across the hedge, or beside the hexspine, that the shot meets last."""
    field = state.ground
    if not field.hedges or not firer or firer == hex:
        return ""
    entry = field.los(firer, hex).entry
    for other in entry:
        if other and (hex, other) in field.hedges:
            return other
    return entry[0] if (entry[0], entry[-1]) in field.hedges else ""


def _hedge_cover(state: State, unit: Unit | Vehicle, firer: str, how: str) -> Modifier | None:
    if how in (MORTAR, CHARGE):
        return None
    other = behind_hedge(state, unit.hex, firer)
    if not other:
        return None
    owner = state.hedge.get(edge_name(unit.hex, other), "")
    if firer == other and owner and owner != unit.side:
        return None  # 1.1.1.hedges.advantage: the enemy across has it
    if firer == other and owner == unit.side:
        return drm(1, "1.1.1.hedges.advantage#spetta", N_("hedge advantage of {hex}"), hex=unit.hex)
    return drm(1, "1.1.1.hedges.tem#tem", N_("hedge of {hex}"), hex=unit.hex)


def _emplacement(state: State, unit: Unit) -> Modifier | None:
    """An emplaced Gun protects its crew (6.3)."""
    if unit.data.kind != "crew" or unit.hazard:
        return None
    if any(w.emplaced and w.data.is_gun for w in weapons_of(state, unit.id)):
        return drm(2, "6.3#tem", N_("{unit} is emplaced"), unit=unit.id)
    return None


def _vehicle_cover(state: State, unit: Unit) -> Modifier | None:
    if covering_vehicle(state, unit):
        return drm(1, "7.4#tem", N_("{unit} shelters behind an AFV or wreck"), unit=unit.id)
    return None


def vehicle_cover(state: State, v: Vehicle, firer: str = "", how: str = DIRECT) -> Modifier | None:
    """The one positive TEM of a vehicle: its hex, the hedge or height (1.1.1, casa.40)."""
    found = [
        one
        for one in (
            _parked_cover(state.ground, v.hex),
            _hedge_cover(state, v, firer, how),
            _height_cover(state, v, firer, how),
        )
        if one is not None
    ]
    return _the_best(found)


def _parked_cover(field: Ground, hex: str) -> Modifier | None:
    """The TEM of the hex of a vehicle; in a woods-road hex it is on the road (1.1.1.woods_road)."""
    terrain = field.terrain[hex]
    value = TEM.get(terrain, 0)
    if not value or (terrain == WOODS and hex in field.road_hexes):
        return None
    text = N_("{terrain} in {hex}")
    return drm(value, (COVER[terrain], TEM_ROW[terrain]), text, terrain=terrain, hex=hex)


def crew_cover(state: State, v: Vehicle, how: str = DIRECT) -> list[Modifier]:
    """A CE crew: +2, or the TEM of its hex if better, and Air Burst in woods (7.7, 1.1.1.woods)."""
    found = [drm(2, "7.7#equipaggio", N_("CE crew of {unit}"), unit=v.id)]
    tem = _parked_cover(state.ground, v.hex)
    if tem is not None and tem.value > found[0].value and how != FLAME:
        found = [tem]
    burst = air_burst(state.ground, v.hex, how)
    if burst is not None and v.hex not in state.ground.road_hexes:
        found.append(burst)
    return found


def is_exposed(state: State, unit: Unit, firer: str, how: str = DIRECT) -> bool:
    """Open Ground without any TEM, hedge or height: where FFMO applies (3.3.3.ffmo)."""
    field = state.ground
    kind = field.kind(unit.hex)
    if kind not in (OPEN, WOODS, ORCHARD):
        return False
    if kind != OPEN and not on_the_road(state, unit, firer):
        return False
    if how == MORTAR and behind_hedge(state, unit.hex, firer):
        return False
    return cover(state, unit, firer, how) is None
