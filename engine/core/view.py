"""What one side may see. Screens and bots get this, never the State."""

from __future__ import annotations

import msgspec

from engine.core.board import Board
from engine.core.hexes import Hex
from engine.core.rules import Side
from engine.core.text import Fact, Msg


class CounterView(msgspec.Struct, frozen=True):
    """A counter as it lies on the table; what the side may not know is absent."""

    id: str
    side: Side
    kind: str
    name: Msg
    hex: Hex | None = None
    place: str = ""
    strength: str = ""
    states: tuple[str, ...] = ()
    facts: dict[str, Fact] = {}


class Mark(msgspec.Struct, frozen=True):
    """Something on a hex that is not a counter: an objective, smoke, control."""

    kind: str
    side: Side | None = None
    text: str = ""


class Track(msgspec.Struct, frozen=True):
    """A number that the table shows: round, points, actions left."""

    id: str
    name: Msg
    value: int
    last: int | None = None
    side: Side | None = None


class Hand(msgspec.Struct, frozen=True):
    """Cards of a side: those that may be seen, and how many there are."""

    side: Side
    name: Msg
    size: int
    cards: tuple[str, ...] = ()


class View(msgspec.Struct, frozen=True):
    """The table from one side's chair. Titles may subclass it with facts of their own."""

    side: Side
    phase: Msg
    board: Board
    counters: tuple[CounterView, ...] = ()
    marks: dict[str, tuple[Mark, ...]] = {}
    tracks: tuple[Track, ...] = ()
    hands: tuple[Hand, ...] = ()

    def at(self, hex: Hex) -> tuple[CounterView, ...]:
        """The counters on a hex."""
        return tuple(counter for counter in self.counters if counter.hex == hex)
