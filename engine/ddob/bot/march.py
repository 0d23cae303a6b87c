"""The ways to the exits as a player of the Americans reads them (17.1, 20.3.uscita)."""

from __future__ import annotations

from functools import cache, lru_cache

from engine.ddob.bot.ground import FAR, NUMBER, Stand, Steps, field_at, heat, toll, ways_by
from engine.ddob.rules.communication import GENTLE
from engine.ddob.state.ground import BASE, COVER_AT, EXIT_AT, LAND, NEIGHBOURS, SIDE, roads
from engine.ddob.state.tables import DOTS, POSITIONS

MARCH_HEAT = 8.0
"""How many half turns of detour a hex under certain fire is worth."""
STORM = 6.0
"""How many half turns a German unit in the way costs."""
NEAR = 10.0
"""How many half turns a near exit is from a beach at most."""


def march_toll(a: str, b: str, step: float) -> float:
    """Half turns that infantry takes for a step without fire (17.1, 17.11, 17.12)."""
    if step > 1.0:
        return 4.0 if "scaleable cliff" in SIDE.get((a, b), ()) else 2.0
    return 2.0 if COVER_AT.get(b) == "bocage" and not roads(a, b) else 1.0


@lru_cache(maxsize=64)
def marches(exit_hex: str, stands: tuple[Stand, ...]) -> dict[str, float]:
    """How many half turns every hex is from an exit on foot, fire avoided."""
    return ways_by([exit_hex], march_steps(stands))


@lru_cache(maxsize=16)
def march_steps(stands: tuple[Stand, ...]) -> list[Steps]:
    """From where infantry marches into each hex, with the half turns that it takes under fire."""
    found = list(paces())
    hot = heat(stands)
    taken = [stand[0] for stand in stands]
    for label in {**hot, **dict.fromkeys(taken)}:
        fire = hot.get(label, 0.0)
        storm = STORM if label in taken else 0.0
        least = 2.0 if fire >= 0.09 else 0.0
        danger = MARCH_HEAT * fire
        number = NUMBER[label]
        found[number] = tuple(
            (near, max(step + storm, least) + danger) for near, step in found[number]
        )
    return found


@cache
def paces() -> tuple[Steps, ...]:
    """From where infantry marches into each hex, with the half turns without fire."""
    return tuple(
        tuple(
            (NUMBER[near], march_toll(near, label, step))
            for near in NEIGHBOURS[label]
            if (step := toll(near, label)) < FAR
        )
        for label in LAND
    )


@cache
def corridor(exit_hex: str) -> frozenset[str]:
    """The hexes of the shortest way from a beach to an exit."""
    far = marches(exit_hex, ())
    here = min((h for h in far if BASE[h] == "beach"), key=lambda h: (far[h], h))
    found = [here]
    while here != exit_hex:
        steps = [
            (march_toll(here, near, step) + far[near], near)
            for near in NEIGHBOURS[here]
            if near in far and (step := toll(here, near)) < FAR
        ]
        here = min(steps)[1]
        found.append(here)
    return frozenset(found)


def way_to_beach(exit_hex: str, dark: set[str]) -> list[str]:
    """A way free of fire from an exit to a beach; empty if there is none (12.3)."""
    if exit_hex in dark:
        return []
    came = {exit_hex: ""}
    for here in (waiting := [exit_hex]):
        if BASE[here] == "beach":
            found = [here]
            while came[found[-1]]:
                found.append(came[found[-1]])
            return found
        for near in GENTLE[here]:
            if near in came or near in dark:
                continue
            came[near] = here
            waiting.append(near)
    return []


@lru_cache(maxsize=64)
def cutters(exit_hex: str, stands: tuple[Stand, ...]) -> tuple[str, ...]:
    """The empty positions from which a German would cut an exit off."""
    dark: set[str] = set()
    held = {label for label, _depth, _armor in stands}
    for label, _depth, armor in stands:
        dark.update((label,), field_at(label, armor))
    way = way_to_beach(exit_hex, dark)
    found: list[str] = []
    for position in POSITIONS.values():
        if not held.isdisjoint(position.hexes):
            continue
        field = {*position.hexes, *DOTS[position.id]}
        if not field.isdisjoint(way) and not way_to_beach(exit_hex, dark | field):
            found += position.hexes
    return tuple(found)


@cache
def near_exits() -> tuple[str, ...]:
    """The exits that a company which lands can reach in time."""
    return tuple(
        label
        for label in EXIT_AT
        if min(far for h, far in marches(label, ()).items() if BASE[h] == "beach") <= NEAR
    )
