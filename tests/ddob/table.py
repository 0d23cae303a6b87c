"""Positions of D-Day at Omaha Beach."""

from __future__ import annotations

from typing import Any

from engine.ddob import TITLE
from engine.ddob.state.state import State
from tests import positions


class Table(positions.Table[State]):
    """The dice are the cards and markers drawn."""

    title = TITLE
    scenario = "first-wave"

    @classmethod
    def setting(cls, given: dict[str, Any]) -> tuple[str, dict[str, str]]:
        """The scenario and the options that the position names."""
        return given.get("scenario", cls.scenario), given.get("opzioni", {})


state_of = Table.state_of
