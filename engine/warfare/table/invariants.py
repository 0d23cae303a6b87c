"""What must hold in every state, whatever was played."""

from __future__ import annotations

from collections.abc import Iterator

from engine.warfare.state.setting import field_of, scenario_of
from engine.warfare.state.state import (
    ABOARD,
    BOXES,
    MAP,
    OVERWATCH_CUBES,
    SUPPRESSED,
    Population,
    State,
    Support,
    Unit,
    standing,
)


def faults_of(state: State) -> Iterator[str]:
    """What is wrong with a state, if anything."""
    for unit in state.units.values():
        yield from _of_place(state, unit)
        yield from _of_marks(unit)
    for support in state.supports.values():
        yield from _of_marks(support)
    for people in state.population.values():
        yield from _of_people(state, people)
    yield from _of_stacking(state)
    yield from _of_the_table(state)
    yield from _of_the_first_player(state)


def _of_place(state: State, unit: Unit) -> Iterator[str]:
    """On the map a unit has a hex, aboard a carrier that is on the map."""
    if (unit.place == MAP) != bool(unit.hex):
        yield f"{unit.id} is {unit.place} but stands in {unit.hex!r}"
    if unit.hex and unit.hex not in field_of(state).hex:
        yield f"{unit.id} stands off the map in {unit.hex}"
    if (unit.place == ABOARD) != bool(unit.carrier):
        yield f"{unit.id} is {unit.place} with carrier {unit.carrier!r}"
    if unit.carrier and not state.units[unit.carrier].hex:
        yield f"{unit.id} is aboard {unit.carrier}, which is not on the map"
    if unit.overwatch and not unit.hex:
        yield f"{unit.id} cannot be in overwatch"


def _of_marks(one: Unit | Support) -> Iterator[str]:
    """Damage and morale have three levels each, and only the steady watch."""
    if not 0 <= one.damage <= 2 or not 0 <= one.morale <= SUPPRESSED:
        yield f"{one.id} has damage {one.damage} and morale {one.morale}"
    if one.overwatch and one.morale:
        yield f"{one.id} cannot be in overwatch"


def _of_people(state: State, people: Population) -> Iterator[str]:
    """Population is in one place, on the map or carried there."""
    if people.hex and people.carrier:
        yield f"{people.id} is in two places"
    if people.hex and people.hex not in field_of(state).hex:
        yield f"{people.id} is off the map"
    if people.carrier and not state.units[people.carrier].hex:
        yield f"{people.id} is aboard {people.carrier}, which is not on the map"


def _of_stacking(state: State) -> Iterator[str]:
    """One unit in a hex, but for a unit on its way; none on the ground where a roadblock is."""
    hexes: dict[str, list[str]] = {}
    for unit in state.units.values():
        if unit.hex:
            hexes.setdefault(unit.hex, []).append(unit.id)
    moving = state.march.unit if state.march is not None else ""
    falling = moving if state.march is not None and len(state.march.done) == 1 else ""
    for hex, names in hexes.items():
        if len(names) > 1 and moving not in names:
            yield f"{names} share {hex}"
        # Rubble may fall on a friend whose hex a unit was crossing when it was eliminated.
        if hex in state.roadblocks:
            # Who was dropped on a hidden roadblock is asked where it lands beside it.
            ground = [n for n in names if not state.units[n].is_helicopter and n != falling]
            if ground:
                yield f"{ground} stand on the obstacle in {hex}"
    if state.at != standing(state.units):
        yield "the index of hexes is out of date"


def _of_the_table(state: State) -> Iterator[str]:
    """Cubes, roadblocks and the marker that is being examined."""
    cubes = sum(unit.overwatch for unit in state.units.values())
    cubes += sum(support.overwatch for support in state.supports.values())
    if cubes > OVERWATCH_CUBES:
        yield f"{cubes} overwatch cubes"
    if min(state.stock.values(), default=0) < 0:
        yield "fewer roadblocks than none"
    examined = state.examination
    if examined is not None and examined.marker not in state.hidden:
        yield f"{examined.marker} is examined and not there"


def _of_the_first_player(state: State) -> Iterator[str]:
    """Until somebody pays, no cube of another player has a higher box than the active one's."""
    forces, cubes = scenario_of(state).forces, state.cubes
    if any(s not in forces or c.position != BOXES - forces[s].box for s, c in cubes.items()):
        return
    if cubes[state.active].position > min(cube.position for cube in cubes.values()):
        yield f"{state.active} begins without the highest box"
