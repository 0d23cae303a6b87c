"""The scenario and the map of a state, whether printed or built by the generator."""

from __future__ import annotations

from functools import cache

from engine.warfare.state import generator
from engine.warfare.state.state import State
from engine.warfare.state.tables import Field, Scenario, packaged_field, packaged_scenario


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
