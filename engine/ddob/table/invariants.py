"""What must always be true of a state."""

from __future__ import annotations

from collections.abc import Iterator

from engine.ddob.state.ground import HEX
from engine.ddob.state.state import German, State, Unit
from engine.ddob.state.tables import BASES, BOXES, CARDS, POSITION_AT, UNITS


def invariants(state: State) -> Iterator[str]:
    """What is wrong with a state, if anything."""
    cards = state.deck.total + len(state.discards) + len(state.track)
    if cards != len(CARDS):
        yield f"{cards} cards"
    for name, n in state.boxes.items():
        if n < 0:
            yield f"{n} in the {name} box"
    if not state.believed and sum(state.tickets.values()) != state.boxes.get("D", 0):
        yield f"{state.tickets} in a Divisional box of {state.boxes.get('D', 0)}"
    for unit in state.units.values():
        yield from unit_faults(state, unit)
    for label, german in state.germans.items():
        yield from german_faults(label, german)
    for division, lost in state.losses.items():
        if len(set(lost)) != len(lost) or any(UNITS[n].division != division for n in lost):
            yield f"losses of the {division}: {lost}"
    if len(state.bases) > len(BASES) or state.naval not in range(3):
        yield f"{len(state.bases)} bases, {state.naval} naval markers"


def unit_faults(state: State, unit: Unit) -> Iterator[str]:
    """What is wrong with a US unit."""
    data = UNITS[unit.id]
    if unit.at not in HEX and unit.at not in BOXES:
        if unit.at.partition(" ")[0] not in ("track", "lost", "out", "exit", "waterline"):
            yield f"{unit.id} is at {unit.at}"
    elif not data.is_leader and not 1 <= unit.steps <= data.full:
        yield f"{unit.id} has {unit.steps} steps at {unit.at}"
    if unit.at in state.germans:
        yield f"{unit.id} stands on a German unit in {unit.at}"
    if unit.disrupted and data.is_leader:
        yield f"{unit.id} is a disrupted leader"


def german_faults(label: str, german: German) -> Iterator[str]:
    """What is wrong with a German unit."""
    if german.hex != label:
        yield f"{german.hex} is filed under {label}"
    if not german.is_armor and label not in POSITION_AT:
        yield f"a German unit in {label}"
    if german.is_wn and label in POSITION_AT and not POSITION_AT[label].is_wn:
        yield f"a WN unit in {label}"
    if german.shown and not german.unit:
        yield f"{label} is shown without a face"
    if bool(german.depth) != bool(german.depth_kind):
        yield f"{label} has a depth marker without a kind"
