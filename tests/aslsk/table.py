"""Positions of ASL Starter Kit."""

from __future__ import annotations

from typing import Any, Self

from engine.aslsk import TITLE
from engine.aslsk.state.state import State
from tests import positions
from tests.titles.numbers import unexplained
from tests.titles.origins.aslsk import ORIGINS

ON_IFT = ("3.2.3", "7.12")
"""The final DR of an attack on the IFT: at a hex, at an exposed crew."""
ON_UNIT = ("3.2.3", "7.11", "dae2.5", "dae2.53")
"""The final DR against one unit: of a hit, against a vehicle, of a barrage."""


class Table(positions.Table[State]):
    """Without a map of its own, on the map of the examples."""

    title = TITLE
    scenario = "R1"

    @classmethod
    def complete(cls, given: dict[str, Any]) -> dict[str, Any]:
        """With the map of the examples."""
        return {"mappa": "ex", **given}

    def play(self, *answers: str) -> Self:
        """The same; every number that was told on the way has an origin."""
        super().play(*answers)
        assert list(unexplained(self.game, ORIGINS)) == []
        return self

    def told(
        self, locator: str | tuple[str, ...], *keys: str, of: str = positions.CITE
    ) -> list[dict[str, Any]]:
        """The same; the column where a result was read is told only to whoever asks for it."""
        wanted = {locator} if isinstance(locator, str) else set(locator)
        shapes = [set(keys), {*keys, "column"}] if "dr" in keys else [set(keys)]
        return [
            {key: step.ruling.msg.facts[key] for key in keys}
            for step in self.steps
            if positions.kind_of(step) == of
            and set(step.ruling.msg.facts) in shapes
            and not wanted.isdisjoint(positions.locators([step.ruling]))
        ]


state_of = Table.state_of
