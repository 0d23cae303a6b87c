"""The ground as a player of the Americans reads it: ways, fire over them, what brings points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from engine.ddob.rules.communication import GENTLE
from engine.ddob.rules.terrain import why_not_across
from engine.ddob.state.fields import field_of
from engine.ddob.state.ground import (
    BARRIERS,
    BASE,
    COVER_AT,
    IS_LOW,
    LAND,
    NEIGHBOURS,
    SECTOR,
    SIDE,
    TERRAIN_AT,
    roads,
)
from engine.ddob.state.tables import DOTS, DRAWS, INTENSE, POSITION_AT, POSITIONS, SPORADIC, TERRAIN

FAR = 99.0
NOWHERE = float("inf")
FADE = 0.834
"""How much of a goal's value is left one step farther away."""
HEAT = 3.8
"""How many steps of detour a hex under certain fire is worth."""
CLIFF_TOLL, BLUFF_TOLL = 3.5, 2.0
"""What a climb costs: one action of the division, but turns that pass (7.4, 7.5)."""
FADED = 0.1
"""Below this share of its value a goal is out of sight."""
DRAW_WORTH, OPEN_DRAW_WORTH = 5.0, 4.0


def toll(a: str, b: str) -> float:
    """What infantry pays to go from a hex to a neighbour, in actions."""
    sides = SIDE.get((a, b), ())
    if TERRAIN_AT[b] == "rough" or "sheer cliff" in sides:
        return FAR
    if "scaleable cliff" in sides:
        return CLIFF_TOLL
    return BLUFF_TOLL if "bluff" in sides and IS_LOW[a] else 1.0


NUMBER = {label: number for number, label in enumerate(LAND)}
"""Searches over the map know hexes by their number."""
Steps = tuple[tuple[int, float], ...]
"""The hexes from which one steps into a hex, each with its price."""


@cache
def entries() -> tuple[Steps, ...]:
    """From where infantry enters each hex, with what the step leaves of a goal's value."""
    return tuple(
        tuple(
            (NUMBER[near], FADE**price)
            for near in NEIGHBOURS[label]
            if (price := toll(near, label)) < FAR
        )
        for label in LAND
    )


@cache
def fronts(target: str) -> tuple[str, ...]:
    """The hexes from which infantry may attack a hex (8.15)."""
    found = (n for n in NEIGHBOURS[target] if TERRAIN_AT[n] != "rough")
    return tuple(n for n in found if not any(True for _ in why_not_across(n, target)))


Stand = tuple[str, bool, bool]
"""A German unit for this purpose: its hex, whether it has a depth marker, whether it is armor."""


def field_at(label: str, armor: bool) -> dict[str, str]:
    """The field of fire of a German unit in a hex."""
    return field_of(label) if armor else DOTS[POSITION_AT[label].id]


def fades(target: str, is_attack: bool, stands: tuple[Stand, ...]) -> dict[str, float]:
    """How much of a target's value is left in every hex: less with every step under fire."""
    near = [stand for stand in stands if matters(target, is_attack, stand[0], stand[2])]
    return _fades(target, is_attack, tuple(near))


@cache
def matters(target: str, is_attack: bool, label: str, armor: bool) -> bool:
    """Whether a German unit can be in the way to a target, or fire at it."""
    basin = _fades(target, is_attack, ())
    return label in basin or not basin.keys().isdisjoint(field_at(label, armor))


@lru_cache(maxsize=2048)
def _fades(target: str, is_attack: bool, stands: tuple[Stand, ...]) -> dict[str, float]:
    cool, into = cooling(stands), entries()
    best = [-FADED] * len(LAND)
    for stand in stands:
        best[NUMBER[stand[0]]] = -FAR
    waiting = []
    for label in fronts(target) if is_attack else (target,):
        if best[NUMBER[label]] > -1.0:
            best[NUMBER[label]] = -1.0
            waiting.append((-1.0, NUMBER[label]))
    found = {}
    while waiting:
        share, here = heappop(waiting)
        if share > best[here]:
            continue
        found[LAND[here]] = -share
        share *= cool[here]
        for near, left in into[here]:
            passed = share * left
            if passed < best[near]:
                best[near] = passed
                heappush(waiting, (passed, near))
    return found


@lru_cache(maxsize=16)
def cooling(stands: tuple[Stand, ...]) -> list[float]:
    """What a turn in each hex leaves of a goal's value."""
    hot = heat(stands)
    return [FADE ** (HEAT * hot[label]) if label in hot else 1.0 for label in LAND]


@lru_cache(maxsize=16)
def heat(stands: tuple[Stand, ...]) -> dict[str, float]:
    """How probably any company loses a step in a hex each turn."""
    safe: dict[str, float] = {}
    seen: dict[str, None] = {}
    for label, depth, armor in stands:
        name = label if armor else POSITION_AT[label].id
        if name in seen:
            continue
        seen[name] = None
        chance = 0.5 if depth else 0.3
        for near, level in field_at(label, armor).items():
            share = 1.0 if level == INTENSE else 0.1 if level == SPORADIC else 0.33
            safe[near] = safe.get(near, 1.0) * (1.0 - chance * share)
    return {label: 1.0 - share for label, share in safe.items()}


@cache
def drive_toll(a: str, b: str) -> float:
    """What a vehicle or gun pays to go to a neighbour: what engineers must open is dear."""
    kinds = roads(a, b)
    if any("mined" not in kind for kind in kinds):
        return 1.0
    terrain = TERRAIN[COVER_AT.get(b, "open")]
    if TERRAIN_AT[b] == "rough" or terrain.others != "yes":
        return 4.0 if kinds and TERRAIN_AT[b] != "rough" else FAR
    sides = SIDE.get((a, b), ())
    if any(side in (*BARRIERS, "shingle") for side in sides) or kinds:
        return 4.0
    return FAR if any(TERRAIN[side].others != "yes" for side in sides) else 1.0


def ways(goals: Iterable[str], price: Callable[[str, str], float]) -> dict[str, float]:
    """How far every hex is from the nearest goal, where a step to a neighbour has a price."""

    steps = [
        tuple(
            (NUMBER[near], step) for near in NEIGHBOURS[here] if (step := price(near, here)) < FAR
        )
        for here in LAND
    ]
    return ways_by(goals, steps)


def ways_by(goals: Iterable[str], steps: Sequence[Steps]) -> dict[str, float]:
    """How far every hex is from the nearest goal, by the steps into each hex."""
    best = [NOWHERE] * len(LAND)
    waiting = [(0.0, NUMBER[label]) for label in goals]
    for _far, here in waiting:
        best[here] = 0.0
    heapify(waiting)
    while waiting:
        far, here = heappop(waiting)
        if far > best[here]:
            continue
        for near, step in steps[here]:
            further = far + step
            if further < best[near]:
                best[near] = further
                heappush(waiting, (further, near))
    return {label: far for label, far in zip(LAND, best, strict=True) if far < NOWHERE}


@cache
def climbs() -> dict[str, float]:
    """How far a vehicle is from high ground in every hex."""
    return ways((h for h in LAND if not IS_LOW[h]), drive_toll)


@cache
def reach(is_wide: bool, label: str) -> tuple[str, ...]:
    """The hexes that a unit controls from a hex (12.1)."""
    if not is_wide:
        return (label,)
    near = [n for n in NEIGHBOURS[label] if not IS_LOW[label] or IS_LOW[n]]
    return (label, *near)


# What stands between the Americans and the points


class Item(NamedTuple):
    """Hexes that bring points together, and the Germans that deny them."""

    name: str
    hexes: tuple[str, ...]
    points: float
    blockers: tuple[str, ...]


def effort(depth: bool) -> float:
    """How many attacks a German unit may take."""
    return 1.8 if depth else 1.0


@lru_cache(maxsize=64)
def blocked_paths(stands: tuple[Stand, ...], sectors: tuple[str, ...]) -> dict[str, frozenset[str]]:
    """For every hex, the Germans on the cheapest way to a beach, its own hex included (12.3)."""
    over: dict[str, list[str]] = {}
    price = {}
    for label, depth, armor in stands:
        price[label] = effort(depth)
        field = field_at(label, armor)
        for near in field:
            over.setdefault(near, []).append(label)
        if label not in field:
            over.setdefault(label, []).append(label)
    found: dict[str, frozenset[str]] = {}
    waiting: list[tuple[float, str, frozenset[str]]] = []
    for label in LAND:
        if BASE[label] == "beach" and SECTOR[label] in sectors:
            mine = frozenset(over.get(label, ()))
            heappush(waiting, (sum(price[g] for g in sorted(mine)), label, mine))
    while waiting:
        far, here, mine = heappop(waiting)
        if here in found:
            continue
        found[here] = mine
        for near in GENTLE[here]:
            if near in found or SECTOR[near] not in sectors:
                continue
            new = [g for g in over.get(near, ()) if g not in mine]
            cost = far + 0.001 + sum(price[g] for g in new)
            heappush(waiting, (cost, near, mine.union(new) if new else mine))
    return found


@lru_cache(maxsize=64)
def items(stands: tuple[Stand, ...], sectors: tuple[str, ...], is_late: bool) -> tuple[Item, ...]:
    """Everything that brings points at the next count (13.2, 13.21, 20.3)."""
    paths = blocked_paths(stands, sectors)
    found = []
    for position in POSITIONS.values():
        if position.sector not in sectors:
            continue
        points = float(len(position.hexes)) if position.is_wn else 1.0
        if is_late and not position.is_wn and not position.is_vp:
            continue
        found.append((position.id, position.hexes, points))
    for name, hexes in DRAWS.items():
        if SECTOR[hexes[0]] in sectors:
            found.append((name, hexes, OPEN_DRAW_WORTH if is_late else DRAW_WORTH))
    result = []
    for name, hexes, points in found:
        blockers: dict[str, None] = {}
        for label in hexes:
            blockers.update(dict.fromkeys(sorted(paths.get(label, ()))))
            if label not in paths:
                blockers["nowhere"] = None
        if "nowhere" not in blockers:
            result.append(Item(name, hexes, points, tuple(blockers)))
    return tuple(result)
