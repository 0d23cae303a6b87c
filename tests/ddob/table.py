"""Positions of D-Day at Omaha Beach."""

from __future__ import annotations

from typing import Any, Self

from engine.ddob import TITLE
from engine.ddob.state.state import State
from tests import positions
from tests.ddob import citations


class Table(positions.Table[State]):
    """The dice are the cards and markers drawn."""

    title = TITLE
    scenario = "first-wave"

    @classmethod
    def setting(cls, given: dict[str, Any]) -> tuple[str, dict[str, str]]:
        """The scenario and the options that the position names."""
        return given.get("scenario", cls.scenario), given.get("opzioni", {})

    def play(self, *answers: str) -> Self:
        """Give answers; what is cited on the way is in the golden file."""
        citations.check(self.game)
        for answer in answers:
            super().play(answer)
            citations.check(self.game)
        return self


state_of = Table.state_of
