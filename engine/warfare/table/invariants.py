"""What must hold in every state, whatever was played."""

from __future__ import annotations

from collections.abc import Iterator

from engine.warfare.state.setting import field_of
from engine.warfare.state.state import ABOARD, MAP, OVERWATCH_CUBES, SUPPRESSED, State, standing


def faults_of(state: State) -> Iterator[str]:
    """What is wrong with a state, if anything."""
    field = field_of(state)
    hexes: dict[str, list[str]] = {}
    for unit in state.units.values():
        if (unit.place == MAP) != bool(unit.hex):
            yield f"{unit.id} is {unit.place} but stands in {unit.hex!r}"
        if unit.hex and unit.hex not in field.hex:
            yield f"{unit.id} stands off the map in {unit.hex}"
        if unit.hex:
            hexes.setdefault(unit.hex, []).append(unit.id)
        if (unit.place == ABOARD) != bool(unit.carrier):
            yield f"{unit.id} is {unit.place} with carrier {unit.carrier!r}"
        if unit.carrier and not state.units[unit.carrier].hex:
            yield f"{unit.id} is aboard {unit.carrier}, which is not on the map"
        if not 0 <= unit.damage <= 2 or not 0 <= unit.morale <= SUPPRESSED:
            yield f"{unit.id} has damage {unit.damage} and morale {unit.morale}"
        if unit.overwatch and (unit.morale or not unit.hex):
            yield f"{unit.id} cannot be in overwatch"
    examined = state.examination
    if examined is not None and examined.marker not in state.hidden:
        yield f"{examined.marker} is examined and not there"
    moving = state.march.unit if state.march is not None else ""
    for hex, names in hexes.items():
        if len(names) > 1 and moving not in names:
            yield f"{names} share {hex}"
        # Rubble may fall on a friend whose hex a unit was crossing when it was eliminated.
        if hex in state.roadblocks:
            ground = [n for n in names if not state.units[n].is_helicopter]
            if ground:
                yield f"{ground} stand on the obstacle in {hex}"
    if state.at != standing(state.units):
        yield "the index of hexes is out of date"
    for support in state.supports.values():
        if not 0 <= support.damage <= 2 or not 0 <= support.morale <= SUPPRESSED:
            yield f"{support.id} has damage {support.damage} and morale {support.morale}"
        if support.overwatch and support.morale:
            yield f"{support.id} cannot be in overwatch"
    cubes = sum(u.overwatch for u in state.units.values())
    cubes += sum(s.overwatch for s in state.supports.values())
    if cubes > OVERWATCH_CUBES:
        yield f"{cubes} overwatch cubes"
    for people in state.population.values():
        if people.hex and people.carrier:
            yield f"{people.id} is in two places"
        if people.hex and people.hex not in field.hex:
            yield f"{people.id} is off the map"
        if people.carrier and not state.units[people.carrier].hex:
            yield f"{people.id} is aboard {people.carrier}, which is not on the map"
    if min(state.stock.values(), default=0) < 0:
        yield "fewer roadblocks than none"
