"""Positions of Warfare.

The map `esempi` is open ground but for: cover C2, I2, J2, I3, E4; high ground J5, I6, J6; a
fortification D7 with triangles towards C6, C7 and C8; water H8, I8, H10, I10; a bridge H9, I9.
"""

from __future__ import annotations

from typing import Any, Self

from engine.warfare import TITLE
from engine.warfare.state.events import Spent
from engine.warfare.state.state import LIGHT, WEAPON_IDS, State
from tests import positions

A10 = {"us_a10": {"lato": "blu"}}
FAR = {"tipo": "ins_cellula", "esagono": "L1"}
"""An enemy that takes no part."""


class Table(positions.Table[State]):
    """Blue is active with ten AP ahead, unless told otherwise."""

    title = TITLE
    scenario = "s1"

    @classmethod
    def complete(cls, given: dict[str, Any]) -> dict[str, Any]:
        """With both sides on the track."""
        if "posizioni" not in given and given.get("scenario") is None:
            given.setdefault("caselle", {"blu": 30, "verde": 20})
        return given

    def go(self, unit: str, *hexes: str) -> Self:
        """Move a unit along a path."""
        return self.play(f"u:{unit}", "b:muovi", *(f"h:{hex}" for hex in hexes), "b:vai")

    @property
    def paid(self) -> list[tuple[str, int]]:
        """Who paid how many AP so far, in order."""
        return [(s.event.side, s.event.n) for s in self.steps if isinstance(s.event, Spent)]


def u(kind: str, hex: str = "", **more: Any) -> dict[str, Any]:
    """A unit of a position."""
    return {"tipo": kind, **({"esagono": hex} if hex else {}), **more}


def attack(
    unita: dict[str, Any],
    *,
    dice: tuple[int, ...],
    value: str = LIGHT,
    supports: dict[str, Any] | None = None,
    target: str = "v1",
    verb: str = "cas",
    **given: Any,
) -> Table:
    """A game in which the first of the supports, an A-10 unless told otherwise, attacks."""
    table = Table(unita=unita, supporti=supports or A10, dice=dice, **given)
    name = next(iter(supports or A10))
    return table.play(f"c:{name}", f"b:{verb}", f"b:{WEAPON_IDS[value]}", f"u:{target}")
