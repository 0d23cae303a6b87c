"""Positions of Tide of Iron."""

from __future__ import annotations

from typing import Any

from engine.toi import TITLE
from engine.toi.state.state import State, Unit
from tests import positions


class Table(positions.Table[State]):
    """A truck in a corner waits for each side, so that the round does not end by itself.

    `idle=False` leaves them out.
    """

    title = TITLE
    scenario = "toi-s1"

    @classmethod
    def complete(cls, given: dict[str, Any]) -> dict[str, Any]:
        """With the two trucks."""
        if given.pop("idle", True):
            given["us"] = {**given.get("us", {}), "us-gmc-9": "A12 gmc"}
            given["de"] = {**given.get("de", {}), "de-opel-9": "P12 opel"}
        return given

    def unit(self, name: str) -> Unit:
        """A unit as it is now."""
        return self.state.units[name]

    def is_gone(self, name: str) -> bool:
        """Whether a unit has left the game."""
        return name not in self.state.units
