"""What is wrong with a state, if anything."""

from __future__ import annotations

from collections.abc import Iterator

from engine.aslsk.state.state import APH, CCPH, MAP, POOL, RTPH, State, stacks
from engine.aslsk.state.tables import PEOPLE, VEHICLES, WEAPONS
from engine.aslsk.state.units import half_squads


def invariants(state: State) -> Iterator[str]:
    """Faults that no legal game can show."""
    yield from _people(state)
    yield from _weapons(state)
    yield from _vehicles(state)
    for hex, group in stacks(state).items():
        for side in state.sides:
            if sum(half_squads(state, u) for u in group if u.side == side) > 7:
                yield f"{hex} holds too many of {side}"
    for hex, fp in state.residual.items():
        if fp not in (1, 2, 4, 6, 8, 12):
            yield f"Residual FP {fp} in {hex}"


def _people(state: State) -> Iterator[str]:
    for u in state.units.values():
        if u.type not in PEOPLE:
            yield f"{u.id} is no counter: {u.type}"
        if u.place == MAP and u.hex not in state.ground.hex and u.hex != "?":
            yield f"{u.id} stands in {u.hex}"
        if u.dm and not u.broken and u.place == MAP:
            yield f"{u.id} is DM and not broken"
        if u.pinned and u.broken and state.phase not in (RTPH, APH, CCPH):
            yield f"{u.id} is pinned and broken"


def _weapons(state: State) -> Iterator[str]:
    for w in state.weapons.values():
        if w.type not in WEAPONS:
            yield f"{w.id} is no weapon"
        owner = state.units.get(w.owner)
        if w.owner and (owner is None or owner.place not in (MAP, POOL)):
            yield f"{w.id} belongs to {w.owner}"
        if w.place == MAP and not w.owner and w.hex not in state.ground.hex:
            yield f"{w.id} lies in {w.hex}"


def _vehicles(state: State) -> Iterator[str]:
    for v in state.vehicles.values():
        if v.type not in VEHICLES:
            yield f"{v.id} is no vehicle"
        if v.place == MAP and v.hex not in state.ground.hex:
            yield f"{v.id} stands in {v.hex}"
        if v.is_live and (v.crew.shock or v.crew.stun) and v.crew.ce:
            yield f"{v.id} is CE in Shock"
