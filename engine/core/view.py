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


class Place(msgspec.Struct, frozen=True):
    """Somewhere beside the map where counters wait: drawn at a hex that the board does not have,
    next to the hexes of the map by which they enter."""

    id: str
    hex: Hex
    near: tuple[Hex, ...]


class View(msgspec.Struct, frozen=True):
    """The table from one side's chair. Titles may subclass it with facts of their own.

    What lies on the table lies on a hex of the board or at a declared place: screens ask the view
    and not the board where either may come.
    """

    side: Side
    phase: Msg
    board: Board
    counters: tuple[CounterView, ...] = ()
    marks: dict[str, tuple[Mark, ...]] = {}
    tracks: tuple[Track, ...] = ()
    hands: tuple[Hand, ...] = ()
    places: tuple[Place, ...] = ()

    def __contains__(self, hex: Hex) -> bool:
        """Whether the hex is on the map or that of a place beside it."""
        return hex in self.board or self.place(hex) is not None

    def place(self, hex: Hex) -> Place | None:
        """The place beside the map that is drawn there."""
        return next((place for place in self.places if place.hex == hex), None)

    @property
    def extent(self) -> tuple[range, range]:
        """The columns and the rows of the drawing, places beside the map included."""
        grid = self.board.grid
        found = [grid.offset(place.hex) for place in self.places]
        columns, rows = [column for column, _row in found], [row for _column, row in found]
        return (
            range(min([0, *columns]), max([grid.columns - 1, *columns]) + 1),
            range(min([0, *rows]), max([grid.rows - 1, *rows]) + 1),
        )

    def label(self, hex: Hex) -> str:
        """The printed name of a hex, or the id of a place beside the map."""
        place = self.place(hex)
        return place.id if place is not None else self.board.label(hex)

    def hex_at(self, label: str) -> Hex:
        """The hex with that printed name, or that of the place with that id; raises BadLabel."""
        found = next((place.hex for place in self.places if place.id == label), None)
        return found if found is not None else self.board.hex_at(label)

    def at(self, hex: Hex) -> tuple[CounterView, ...]:
        """The counters on a hex."""
        return tuple(counter for counter in self.counters if counter.hex == hex)
