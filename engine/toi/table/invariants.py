"""What must always be true of a state."""

from __future__ import annotations

from collections.abc import Iterator

from engine.toi.rules.stacking import excess
from engine.toi.state import tables
from engine.toi.state.limits import in_play
from engine.toi.state.state import (
    INTACT,
    MINES,
    NORMAL,
    OP_FIRE,
    SMOKE,
    TRAP,
    WIRE,
    State,
    Unit,
)
from engine.toi.state.units import HOLES, by_hex, make, passengers, type_of


def invariants(state: State) -> Iterator[str]:
    """What is wrong with a state, if anything."""
    for unit in state.units.values():
        yield from _condition(unit)
        yield from _place(state, unit)
    yield from _stacks(state)
    yield from _box(state)
    for side, army in state.armies.items():
        if army.command < 0 or army.initiative < 0:
            yield f"{side} has negative command"


def _condition(unit: Unit) -> Iterator[str]:
    """Squads hold figures and are shaken; vehicles are damaged."""
    if unit.is_squad:
        holes = make(unit.figures).holes
        if not 1 <= holes <= HOLES:
            yield f"{unit.id} fills {holes} holes"
        if unit.damage != INTACT:
            yield f"{unit.id} is a damaged squad"
    elif unit.condition != NORMAL or unit.concealed or unit.fort:
        yield f"{unit.id} is a vehicle in a squad's condition"
    if unit.condition != NORMAL and unit.activation == OP_FIRE:
        yield f"{unit.id} is {unit.condition} and in op fire"


def _place(state: State, unit: Unit) -> Iterator[str]:
    """On the map or aboard, and inside what is there."""
    if unit.hex and unit.aboard:
        yield f"{unit.id} is on the map and aboard"
    if unit.aboard and unit.aboard not in state.units:
        yield f"{unit.id} rides in nothing"
    if unit.fort and state.forts[unit.fort].hex != unit.hex:
        yield f"{unit.id} is in a fortification of another hex"
    if not unit.is_squad and len(passengers(state, unit.id)) > type_of(unit).transport:
        yield f"{unit.id} carries too many squads"


def _stacks(state: State) -> Iterator[str]:
    """One side to a hex, within its limits, and one squad to a fortification."""
    active = state.active.unit if state.active is not None else ""
    for label, here in by_hex(state.units).items():
        still = [unit for unit in here if unit.id != active]
        if len({unit.side for unit in still if not unit.concealed}) > 1:
            yield f"{label} holds both sides"
        for side in state.seats:
            if any(excess([unit for unit in still if unit.side == side])):
                yield f"{label} holds too many units of {side}"
    shelters = [unit.fort for unit in state.units.values() if unit.fort]
    if len(shelters) != len(set(shelters)):
        yield "two squads in one fortification"


def _box(state: State) -> Iterator[str]:
    """Nothing beyond the contents of the box."""
    stocks = tables.COMPONENTS.stocks
    if len(state.forts) > stocks["fortification"]:
        yield "too many fortifications"
    if len(state.smoke) > stocks[SMOKE]:
        yield "too much smoke"
    kinds = [kind for found in state.obstacles.values() for kind in found]
    if kinds.count(WIRE) + kinds.count(TRAP) > stocks["obstacle"]:
        yield "too many obstacles"
    if kinds.count(MINES) > stocks[MINES]:
        yield "too many minefields"
    for kind, line in tables.UNITS.items():
        if in_play(state, kind) > line.limit:
            yield f"too many pieces: {kind}"
    for side in state.seats:
        hidden = sum(u.concealed for u in state.units.values() if u.side == side)
        if hidden > tables.COMPONENTS.concealed["us" if side == "us" else "de"]:
            yield f"too many concealed squads of {side}"
