"""The scenario and the map of a state, whether printed or built by the generator."""

from __future__ import annotations

from functools import cache

from engine.core.decisions import Choice, place
from engine.core.index import indexed
from engine.warfare.state import generator
from engine.warfare.state.state import State
from engine.warfare.state.tables import (
    WATER,
    Field,
    Scenario,
    packaged_field,
    packaged_scenario,
)


@cache
def scenario_named(name: str) -> Scenario:
    """A scenario by its id."""
    if name.startswith(generator.PREFIX):
        return generator.scenario(name)
    return packaged_scenario(name)


@cache
def field_named(name: str) -> Field:
    """A map by its id."""
    if name.startswith(generator.PREFIX):
        return generator.field(name)
    return packaged_field(name)


def scenario_of(state: State) -> Scenario:
    """The scenario that is played."""
    return scenario_named(state.scenario)


def field_of(state: State) -> Field:
    """The map that is played on."""
    return field_named(state.map)


@cache
def spots(field: Field) -> dict[str, Choice[str]]:
    """Every hex of a map as a candidate."""
    return {label: place(label, label, hex=field.hex[label]) for label in field.labels}


def spots_around(state: State, hex: str) -> list[Choice[str]]:
    """The hexes around one as candidates."""
    field = field_of(state)
    found = spots(field)
    return [found[label] for label in field.around[hex]]


@cache
def _wet(field: Field) -> frozenset[str]:
    return frozenset(label for label, terrain in field.terrain.items() if terrain == WATER)


@indexed(keep=4)
def littered(state: State) -> frozenset[str]:
    """The hexes of water, and those where anything lies or stands: all others are plain ground."""
    return _wet(field_of(state)).union(
        state.at,
        state.roadblocks,
        state.rubble,
        [marker.hex for marker in state.hidden.values()],
        [people.hex for people in state.population.values()],
    )
