"""How many units a hex holds (the chapter on stacking).

Refs: accentramento.limite, accentramento.attraversare, accentramento.trasporto.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.rules import Ruling
from engine.core.text import N_
from engine.toi.state.book import rule
from engine.toi.state.state import State, Unit
from engine.toi.state.units import at, is_vehicle

UNITS_IN_A_HEX = 3
VEHICLES_IN_A_HEX = 2


def why_not_stay(state: State, unit: Unit, label: str) -> Iterator[Ruling]:
    """Why a unit may not end in a hex, friends considered (accentramento.limite)."""
    found = at(state, label)
    if not found:
        return
    here = [one for one in found if one.side == unit.side and one.id != unit.id]
    if len(here) >= UNITS_IN_A_HEX:
        yield rule(
            "accentramento.limite#tre",
            N_("{hex} already holds {n} units: the limit is {limit}"),
            hex=label,
            n=len(here),
            limit=UNITS_IN_A_HEX,
        )
    if is_vehicle(unit) and sum(map(is_vehicle, here)) >= VEHICLES_IN_A_HEX:
        yield rule(
            "accentramento.limite#tre",
            N_("{hex} already holds {limit} vehicles"),
            hex=label,
            limit=VEHICLES_IN_A_HEX,
        )


def is_full(state: State, unit: Unit, label: str) -> bool:
    """Whether the stacking limit keeps a unit from ending in a hex."""
    return next(why_not_stay(state, unit, label), None) is not None


def excess(units: list[Unit]) -> tuple[int, int]:
    """How many units, and how many vehicles, a hex holds beyond its limits."""
    vehicles = sum(map(is_vehicle, units))
    return max(0, len(units) - UNITS_IN_A_HEX), max(0, vehicles - VEHICLES_IN_A_HEX)
