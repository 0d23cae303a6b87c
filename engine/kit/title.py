"""What a title is before it says anything of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

from engine.core.data import DataErrors, Document, Fault
from engine.core.decisions import Decision
from engine.core.hexes import Hex
from engine.core.rules import Ruling, Side
from engine.core.title import Layer, Overlay, Pick, Question, Sight

S = TypeVar("S")


class BaseTitle(Generic[S]):
    """A title without secrets, odds and hints; a title of its own writes what it has."""

    left_to_chance: Mapping[str, str] = {}

    def belief(self, state: S, side: Side) -> S:
        """The state as far as a side knows it."""
        return state

    def redeal(self, state: S, side: Side, pick: Pick) -> S:
        """Another state that the side cannot tell from this one."""
        return state

    def is_set_up(self, state: S, decision: Decision) -> bool:
        """Whether a question belongs to the set-up: its id says so."""
        return decision.id.startswith("setup.")

    def questions(self, state: S, decision: Decision) -> tuple[Question, ...]:
        """What odds are worth asking at a decision."""
        return ()

    def sight(self, state: S, a: Hex, b: Hex) -> Sight | None:
        """The line of sight between two hexes explained."""
        return None

    def overlays(self, state: S, decision: Decision) -> tuple[Overlay, ...]:
        """What to tint on the map at a decision."""
        return ()

    def layers(self, state: S, side: Side) -> tuple[Layer, ...]:
        """What a side can lay over the map."""
        return ()

    def inspect(self, state: S, hex: Hex) -> tuple[Ruling, ...]:
        """What rules say of a hex."""
        return ()

    def invariants(self, state: S) -> Iterator[str]:
        """What is wrong with a state, if anything."""
        return iter(())

    def validate(self, path: Path) -> tuple[Fault, ...]:
        """Every fault of a data file of this title."""
        try:
            self.check(path, Document(path).value)
        except DataErrors as errors:
            return errors.faults
        return ()

    def check(self, path: Path, value: Any) -> None:
        """Read a data file as what it holds; raises DataErrors."""
