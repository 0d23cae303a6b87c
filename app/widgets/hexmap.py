"""The map: one widget that draws hexes line by line, and a small map of the whole.

Three layers, each ignorant of the next. `Geometry` says which cells a hex covers and what lies on
its sides; `Painter` turns a hex into segments (a tile) from a `Table` of plain data; `HexMap`
scrolls, listens, and joins tiles into strips. Tiles and strips are cached, and a change throws
away only the tiles of the hexes it touches: the cost of a move does not grow with the map.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Final, Literal, NamedTuple, TypeAlias, TypeVar
from zlib import crc32

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.css.query import NoMatches
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import var
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Tooltip

from app.i18n import _
from app.presenters.base import GenericPresenter, Presenter, is_light, mix
from engine.core.board import Board
from engine.core.hexes import DIRECTIONS, BadLabel, Hex, neighbours
from engine.core.rules import Side
from engine.core.title import Sight
from engine.core.view import CounterView, Mark, View

K = TypeVar("K")

# --- geometry ---------------------------------------------------------------------------------

OVERVIEW, NORMAL, LARGE = 0, 1, 2
_MEASURES: Final = {  # cells to the next column, rows to the next row, extent of the slant
    ("pointy", OVERVIEW): (2, 1, 0),
    ("pointy", NORMAL): (8, 3, 1),
    ("pointy", LARGE): (14, 6, 2),
    ("flat", OVERVIEW): (2, 1, 0),
    ("flat", NORMAL): (8, 4, 2),
    ("flat", LARGE): (12, 6, 3),
}
_SLOTS: Final = {  # where things go in a tile: x, y, width, height
    ("pointy", OVERVIEW): {"counter": (0, 0, 2, 1)},
    ("pointy", NORMAL): {
        "label": (2, 1, 4, 1),
        "top": (2, 0, 4, 1),
        "counter": (1, 1, 6, 2),
        "art": (1, 2, 6, 1),
        "letter": (0, 2, 1, 1),
        "height": (7, 2, 1, 1),
        "left": (0, 1, 1, 1),
        "right": (7, 1, 1, 1),
        "badge": (2, 3, 4, 1),
    },
    ("pointy", LARGE): {
        "label": (4, 1, 6, 1),
        "top": (4, 1, 6, 1),
        "counter": (2, 2, 10, 4),
        "art": (2, 2, 10, 4),
        "letter": (1, 5, 1, 1),
        "height": (12, 5, 1, 1),
        "left": (1, 4, 1, 1),
        "right": (12, 4, 1, 1),
        "badge": (4, 6, 6, 1),
    },
    ("flat", OVERVIEW): {"counter": (0, 0, 2, 1)},
    ("flat", NORMAL): {
        "label": (3, 0, 4, 1),
        "top": (3, 0, 4, 1),
        "counter": (2, 1, 6, 2),
        "art": (2, 1, 6, 2),
        "letter": (1, 2, 1, 1),
        "height": (8, 2, 1, 1),
        "left": (1, 1, 1, 1),
        "right": (8, 1, 1, 1),
        "badge": (3, 3, 4, 1),
    },
    ("flat", LARGE): {
        "label": (4, 0, 6, 1),
        "top": (4, 0, 6, 1),
        "counter": (3, 1, 9, 4),
        "art": (3, 1, 9, 4),
        "letter": (2, 3, 1, 1),
        "height": (12, 3, 1, 1),
        "left": (2, 2, 1, 1),
        "right": (12, 2, 1, 1),
        "badge": (4, 5, 6, 1),
    },
}
_NUDGE: Final = (0.003, 0.005)  # no sample ever falls on a side
_EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
_QUARTERS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"


class Spot(NamedTuple):
    """A cell on a side: how two hexes share it, and the glyphs of a line or a feature there."""

    cell: int
    edge: int
    fill: str  # the part of one of the two; blank where the cell is all ours
    is_ours: bool  # whether the fill is our part
    line: str
    thick: str
    dots: str
    is_low: bool  # whether those glyphs leave free the hex above
    is_middle: bool
    plain: str


class Geometry:
    """The cells of a hex at one zoom. A tile is the cells of which a hex holds the greater part."""

    def __init__(self, orientation: Literal["pointy", "flat"], zoom: int) -> None:
        self.is_pointy = orientation == "pointy"
        self.across, self.down, self.slant = _MEASURES[orientation, zoom]
        self.slots: Mapping[str, tuple[int, int, int, int]] = _SLOTS[orientation, zoom]
        self.is_split = not self.is_pointy and zoom == OVERVIEW
        if self.is_pointy:
            self.size = Size(self.across, self.down + self.slant)
        else:
            self.size = Size(self.across + self.slant, self.down)
        width, height = self.size
        grid = [(x, y) for y in range(height) for x in range(width)]
        self.cells = tuple([(x, y) for x, y in grid if self._is_ours(x, y)])
        self.index = {cell: n for n, cell in enumerate(self.cells)}
        self.rows = tuple([self._row(y) for y in range(height)])
        self.spots = tuple(self._spots())
        shared = {spot.cell for spot in self.spots if spot.fill != " "}
        self.inside = [n for n in range(len(self.cells)) if n not in shared]
        self.ring = tuple(self._ring())
        self.centre = (width / 2, height // 2 + 0.5)
        self.spokes = tuple([self._spoke(d) for d in range(6)])

    def position(self, h: Hex) -> tuple[int, int]:
        """The top left cell of a hex's box, from that of hex (0, 0)."""
        if self.is_pointy:
            return self.across * h.q + self.across // 2 * h.r, self.down * h.r
        return self.across * h.q, (2 * self.down * h.r + self.down * h.q) // 2

    def tiles(self, y: int, left: int, right: int) -> list[tuple[int, Hex, int]]:
        """What a line crosses between two columns: first cell, hex, row of its tile. In order."""
        across = self.across
        if not self.is_pointy:
            first = left // across - 1
            steps = [
                divmod(y - self.down * q // 2, self.down) for q in range(first, right // across + 1)
            ]
            return [
                (across * q + self.rows[row][0], Hex(q, r), row)
                for q, (r, row) in enumerate(steps, first)
            ]
        found = []
        low, dy = divmod(y, self.down)
        for r, row in ((low, dy), (low - 1, dy + self.down)):
            if row < self.size.height:
                start = across // 2 * r + self.rows[row][0]
                last = start + self.rows[row][1] - 1
                found += [
                    (across * q + start, Hex(q, r), row)
                    for q in range(
                        (left - last - 1) // across + 1, (right - start - 1) // across + 1
                    )
                ]
        return sorted(found) if dy < self.slant else found

    def hex_at(self, x: int, y: int) -> Hex:
        """The hex whose tile holds a cell."""
        return next(h for start, h, row in self.tiles(y, x, x + 1) if x < start + self.rows[row][1])

    def _owner(self, x: float, y: float) -> int:
        """Which hex holds a point: -1 ours, or the neighbour in that direction."""
        x, y = x + _NUDGE[0], y + _NUDGE[1]
        width, height = self.size
        for d, (q, r) in enumerate((Hex(0, 0), *DIRECTIONS), -1):
            left, top = self.position(Hex(q, r))
            dx, dy = abs(x - left - width / 2), abs(y - top - height / 2)
            if self.is_pointy:
                is_in = dx < width / 2 and dy < height / 2 - self.slant * dx / (width / 2)
            else:
                is_in = dy < height / 2 and dx < width / 2 - self.slant * dy / (height / 2)
            if is_in:
                return d
        return 9  # a farther hex

    def _shares(self, x: int, y: int) -> list[int]:
        """The owners of the parts of a cell: eight from the top if pointy, else four quarters."""
        if self.is_pointy:
            return [self._owner(x + 0.5, y + (n + 0.5) / 8) for n in range(8)]
        return [self._owner(x + a, y + b) for b in (0.25, 0.75) for a in (0.25, 0.75)]

    def _is_ours(self, x: int, y: int) -> bool:
        if not self.slant:
            return True
        shares = self._shares(x, y)
        count = shares.count(-1)
        return 2 * count > len(shares) or (2 * count == len(shares) and shares[-1] == -1)

    def _row(self, y: int) -> tuple[int, int]:
        columns = [x for x, row in self.cells if row == y]
        return columns[0], len(columns)

    def _spots(self) -> Iterator[Spot]:
        if self.is_split:  # every second column is half a row lower
            yield from [Spot(x, 0, "▄", True, " ", " ", " ", True, False, " ") for x in (0, 1)]
        if not self.slant:
            return
        found = []
        for n, (x, y) in enumerate(self.cells):
            shares = self._shares(x, y)
            others = [d for d in shares if d != -1]
            if others:
                found.append((n, others[0], shares))
            elif self.is_pointy and x == 0:
                found.append((n, 5, []))
            elif not self.is_pointy and y == 0:
                found.append((n, 0, []))
        for n, edge, shares in found:
            along = [m for m, other, _shares in found if other == edge]
            is_middle = n == along[len(along) // 2]
            fill, is_ours = self._fill(shares)
            line, thick, dots, is_low = self._glyphs(edge, shares)
            plain = self._plain(edge, shares)
            yield Spot(n, edge, fill, is_ours, line, thick, dots, is_low, is_middle, plain)

    def _fill(self, shares: list[int]) -> tuple[str, bool]:
        if not shares:
            return " ", True
        if not self.is_pointy:
            return _QUARTERS[sum(1 << n for n, d in enumerate(shares) if d == -1)], True
        high, low = shares[0], shares[-1]
        count = shares.count(low)
        return ("▔", high == -1) if count == 7 else (_EIGHTHS[count], low == -1)

    def _glyphs(self, edge: int, shares: list[int]) -> tuple[str, str, str, bool]:
        """Line, thick line and dots along a side, and whether they lie low in the cell."""
        if not shares:
            return ("▏", "▌", "▘", False) if self.is_pointy else ("▔", "▀", "▘", False)
        if not self.is_pointy:
            return ("╱", "▞", "▝", False) if edge in (2, 5) else ("╲", "▚", "▘", False)
        low = shares.count(shares[-1])
        return "▁▁───▔▔"[low - 1], "▃▃▄▄▀▀▔"[low - 1], "▖▖▖▖▘▘▘"[low - 1], low < 5

    def _plain(self, edge: int, shares: list[int]) -> str:
        if not shares:
            return "|" if self.is_pointy else "-"
        if self.is_pointy:
            return "__..--''"[shares.count(shares[-1])]
        return "/" if edge in (2, 5) else "\\"

    def _ring(self) -> Iterator[tuple[int, str]]:
        """Cells and glyphs of the inner outline, slants apart."""
        if not self.slant:
            return
        width, height = self.size
        for n, (x, y) in enumerate(self.cells):
            if self.is_pointy and self.slant <= y < self.down:
                if x in (0, width - 1):
                    yield n, "▌" if x == 0 else "▐"
            elif not self.is_pointy and y in (0, height - 1) and self.slant <= x < self.across:
                yield n, "▀" if y == 0 else "▄"

    def _spoke(self, d: int) -> tuple[tuple[int, int], ...]:
        """The cells of a line from the centre towards a neighbour, and which quarters of each."""
        x, y = self.centre
        dx, dy = self.position(DIRECTIONS[d])
        found: dict[int, int] = {}
        for side in (-0.25, 0.25) if dy else (0.0,):
            for cell, quarter in quarters_between(x + side, y, x + dx + side, y + dy):
                n = self.index.get(cell)
                if n is not None:
                    found[n] = found.get(n, 0) | quarter
        return tuple(found.items())


def quarters_between(
    x: float, y: float, to_x: float, to_y: float
) -> Iterator[tuple[tuple[int, int], int]]:
    """The quarters of cells that a straight line meets, in order: the cell, and the quarter."""
    count = max(1, round(4 * max(abs(to_x - x), abs(to_y - y))))
    for n in range(count + 1):
        u, v = x + (to_x - x) * n / count, y + (to_y - y) * n / count
        a, b = int(2 * u // 1), int(2 * v // 1)
        yield (a // 2, b // 2), 1 << (a % 2 + b % 2 * 2)


geometry_of = lru_cache(maxsize=None)(Geometry)


# --- what is on the table ---------------------------------------------------------------------


@dataclass
class Table:
    """All that a tile may show, as plain data."""

    board: Board
    counters: dict[Hex, tuple[CounterView, ...]] = field(default_factory=dict)
    view: View | None = None
    roads: dict[Hex, dict[int, tuple[str, ...]]] = field(default_factory=dict)
    cursor: Hex | None = None
    hover: Hex | None = None
    options: Collection[Hex] = ()
    refused: Collection[Hex] = ()
    reachable: Mapping[Hex, str] = field(default_factory=dict)
    in_range: Collection[Hex] = ()
    targets: Mapping[Hex, str] = field(default_factory=dict)
    threats: Mapping[Hex, str] = field(default_factory=dict)
    control: Mapping[Hex, Side] = field(default_factory=dict)
    sight: Mapping[Hex, Mapping[int, bool]] = field(default_factory=dict)
    blocked_by: Hex | None = None
    turned: dict[Hex, int] = field(default_factory=dict)  # which counter of a stack is on top


# --- tiles ------------------------------------------------------------------------------------

CURSOR, OPTION, TARGET, THREAT = "#101010", "#fff06a", "#b3202c", "#5b2a86"
REACH, RANGE, SIGHT, BLOCK = "#fffbe0", "#5b2a86", "#101010", "#b3202c"
WHITE, BLACK = "#ffffff", "#000000"

GLYPHS: Final = {
    "option": "▸",
    "option end": "◂",
    "refused": "✕",
    "reach": "»",
    "target": "╋",
    "threat": "!",
    "sight": "∙",
    "beyond": "◦",
    "block": "✕",
    "more": "+",
}
"""What says without colour what an overlay says with it."""


class _Plain(dict[int, str]):
    """Characters to ASCII: known ones by hand, lines and blocks by kind."""

    def __missing__(self, code: int) -> str:
        if code < 128:
            return chr(code)
        return "#" if 0x2580 <= code < 0x25A0 else "?"


_KNOWN: Final = ("∙▸◂✕»╋▴↟∆◦▾≋░✶⚑⌂∗⊗⊠═àèéìòùÀÈÉÌÒÙ", "*><x>+^^^ov~:*FB*XX=aeeiouAEEIOU")
PLAIN: Final = _Plain({ord(char): plain for char, plain in zip(*_KNOWN, strict=True)})


@lru_cache(maxsize=1 << 14)
def style_of(ink: str, ground: str, bold: bool) -> Style:
    """A style, made once."""
    return Style(color=ink, bgcolor=ground, bold=bold)


@lru_cache(maxsize=1 << 14)
def differ(a: str, b: str, grey: bool = False) -> bool:
    """Whether two colours, or their greys, are far enough apart to show a border by themselves."""
    steps = [int(a[n : n + 2], 16) - int(b[n : n + 2], 16) for n in (1, 3, 5)]
    if grey:
        return abs(3 * steps[0] + 6 * steps[1] + steps[2]) > 40
    return sum([abs(step) for step in steps]) > 12


class Tile:
    """The cells of one hex while they are painted."""

    def __init__(self, geometry: Geometry, ground: str) -> None:
        count = len(geometry.cells)
        self.index = geometry.index
        self.ground = ground
        self.text = [" "] * count
        self.ink = [ground] * count
        self.back = [ground] * count
        self.bold = [False] * count

    def set(self, n: int, char: str, ink: str, back: str, bold: bool = False) -> None:
        """One cell."""
        self.text[n], self.ink[n], self.back[n], self.bold[n] = char, ink, back, bold

    def put(self, x: int, y: int, text: str, ink: str, back: str = "", bold: bool = False) -> None:
        """A word, as far as the tile goes."""
        for k, char in enumerate(text):
            n = self.index.get((x + k, y))
            if n is not None:
                self.set(n, char, ink, back or self.ground, bold)

    def rows(self, geometry: Geometry, plain: bool) -> tuple[tuple[Segment, ...], ...]:
        """The finished tile: segments by row, neighbouring cells of one style together."""
        rows = []
        stop = 0
        for _first, length in geometry.rows:
            start, stop = stop, stop + length
            rows.append(tuple(self._segments(start, stop, plain)))
        return tuple(rows)

    def _segments(self, start: int, stop: int, plain: bool) -> Iterator[Segment]:
        text, ink, back, bold = "", "", "", False
        for n in range(start, stop):
            char = self.text[n]
            if self.back[n] == back and (char == " " or not text.strip()):
                if char != " ":
                    ink, bold = self.ink[n], self.bold[n]
            elif text and (self.ink[n], self.back[n], self.bold[n]) != (ink, back, bold):
                yield Segment(text.translate(PLAIN) if plain else text, style_of(ink, back, bold))
                text = ""
            if not text:
                ink, back, bold = self.ink[n], self.back[n], self.bold[n]
            text += char
        yield Segment(text.translate(PLAIN) if plain else text, style_of(ink, back, bold))


class Painter:
    """Paints the hexes of a table at one zoom."""

    def __init__(
        self,
        table: Table,
        geometry: Geometry,
        presenter: Presenter,
        backdrop: str = "#171a17",
        mono: bool = False,
        plain: bool = False,
        shade: float = 0.04,
    ) -> None:
        self.table = table
        self.geometry = geometry
        self.presenter = presenter
        self.backdrop = backdrop
        self.mono = mono or plain
        self.plain = plain
        self.shade = shade
        self._tiles: dict[Hex, tuple[tuple[Segment, ...], ...]] = {}
        self._grounds: dict[Hex, str] = {}

    def tile(self, h: Hex) -> tuple[tuple[Segment, ...], ...]:
        """The segments of a hex, row by row."""
        found = self._tiles.get(h)
        if found is None:
            found = self._tiles[h] = self._paint(h).rows(self.geometry, self.plain)
        return found

    def forget(self, hexes: Iterable[Hex]) -> None:
        """Paint these hexes again, and the sides that their neighbours draw for them."""
        for h in hexes:
            self._grounds.pop(h, None)
            self._tiles.pop(h, None)
            for other in neighbours(h):
                self._tiles.pop(other, None)

    def ground(self, h: Hex) -> str:
        """The background of a hex with what tints it."""
        found = self._grounds.get(h)
        if found is None:
            found = self._grounds[h] = self._ground(h)
        return found

    def _ground(self, h: Hex) -> str:
        table = self.table
        if h not in table.board:
            return self.backdrop
        colour = self.presenter.ground(table.board.terrain(h), table.board.elevation(h))
        if h in table.options:
            colour = mix(colour, OPTION, 0.4)
        elif h in table.reachable:
            colour = mix(colour, WHITE, 0.45)
        elif h in table.refused:
            colour = mix(colour, "#3c3c3c", 0.4)
        if h == table.hover:
            colour = mix(colour, WHITE, 0.3)
        return mix(colour, BLACK, (h.q - h.r) % 3 * self.shade)  # unlike all six neighbours

    def _rim(self, h: Hex) -> str:
        """The colour of a hex along its sides."""
        table = self.table
        if h == table.cursor:
            return CURSOR
        if h in table.targets or h == table.blocked_by:
            return TARGET
        return OPTION if h in table.options else self.ground(h)

    def _paint(self, h: Hex) -> Tile:
        tile = Tile(self.geometry, self.ground(h))
        is_on = h in self.table.board
        if is_on:
            self._terrain(tile, h)
        self._sides(tile, h)
        if is_on:
            self._roads(tile, h)
            self._ring(tile, h)
            self._print(tile, h)
            self._marks(tile, h)
            self._counters(tile, h)
            self._sight(tile, h)
            self._badges(tile, h)
        return tile

    def _terrain(self, tile: Tile, h: Hex) -> None:
        look = self.presenter.terrain(self.table.board.terrain(h))
        ink = mix(look.ink, tile.ground, 0.25)
        texture = look.texture
        if any(m.kind for m in self._marks_at(h) if self.presenter.mark(m).glyph == "░"):
            texture, ink = "░ ░░ ", "#777777"
        if texture:
            for n in self.geometry.inside:
                char = texture[crc32(bytes((h.q & 255, h.r & 255, n))) % len(texture)]
                if char != " ":
                    tile.set(n, char, ink, tile.ground)
        x, y, width, height = self.geometry.slots.get("art", (0, 0, 0, 0))
        art = look.large if height > 2 and look.large else look.art[len(look.art) - height :]
        if height and art:
            left = x + (width - max(map(len, art))) // 2
            top = y + (height - len(art) + 1) // 2
            for k, line in enumerate(art):
                for m, char in enumerate(line):
                    if char != " ":
                        tile.put(left + m, top + k, char, look.ink)

    def _sides(self, tile: Tile, h: Hex) -> None:
        table, geometry = self.table, self.geometry
        if geometry.is_split and h.q % 2 == 0:
            return
        ours, our_rim = tile.ground, self._rim(h)
        around = neighbours(h)
        for spot in geometry.spots:
            other = around[spot.edge]
            if h not in table.board and other not in table.board:
                continue
            theirs = self.ground(other)
            glyph = self._feature(h, other, spot)
            if glyph is not None:
                char, ink = glyph
                upper = spot.edge in (0, 1, 5)
                is_their_back = spot.fill != " " and (spot.is_low == upper) and geometry.is_pointy
                tile.set(spot.cell, char, ink, theirs if is_their_back else ours)
                continue
            their_rim = self._rim(other)
            if spot.fill != " " and not self.plain and differ(our_rim, their_rim, self.mono):
                pair = (our_rim, their_rim) if spot.is_ours else (their_rim, our_rim)
                tile.set(spot.cell, spot.fill, *pair)
            elif self.plain or not differ(ours, theirs, self.mono):
                char = spot.plain if self.plain else spot.line
                tile.set(spot.cell, char, mix(ours, BLACK, 0.5 if self.mono else 0.3), ours)

    def _feature(self, h: Hex, other: Hex, spot: Spot) -> tuple[str, str] | None:
        """The glyph and colour of what runs along a side."""
        table = self.table
        pattern, colour, letter = "", "", ""
        if (h in table.in_range) != (other in table.in_range):
            pattern, colour, letter = "dots", RANGE, ":"
        names = table.board.side(h, other)
        if names:
            look = self.presenter.hexside(names[0])
            pattern, colour, letter = look.pattern, look.colour, look.letter
        if not pattern or self.geometry.is_split:
            return None
        if self.mono and spot.is_middle:
            return letter, colour
        is_odd = sum(self.geometry.cells[spot.cell]) % 2
        if pattern == "solid" or (pattern == "broken" and is_odd):
            return spot.thick, colour
        if pattern == "dots":
            return spot.dots, colour
        return ("▾" if pattern == "teeth" and (is_odd or spot.fill == " ") else " "), colour

    def _roads(self, tile: Tile, h: Hex) -> None:
        drawn: dict[tuple[int, str], int] = {}
        for d, kinds in self.table.roads.get(h, {}).items():
            look = self.presenter.line(kinds[0])
            for n, part in self.geometry.spokes[d]:
                if look.dashed and sum(self.geometry.cells[n]) % 2:
                    continue
                if not look.thick:
                    part &= -part  # one quarter is enough
                drawn[n, kinds[0]] = part = part | drawn.get((n, kinds[0]), 0)
                char = look.letter if self.plain else _QUARTERS[part]
                tile.set(n, char, look.colour, tile.ground)

    def _ring(self, tile: Tile, h: Hex) -> None:
        rim = self._rim(h)
        if rim != tile.ground:
            for n, char in self.geometry.ring:
                tile.set(n, char, rim, tile.ground)

    def _print(self, tile: Tile, h: Hex) -> None:
        """What is printed on the map: label, elevation, and a letter where there is no colour."""
        slots, board = self.geometry.slots, self.table.board
        if "label" not in slots:
            return
        rim = self._rim(h)
        x, y, width, _height = slots["top" if self.table.counters.get(h) else "label"]
        label = board.label(h)
        if h == self.table.cursor:
            tile.put(x, y, f"{label:^{width}}", WHITE, rim, True)
        elif h not in self.table.threats or (x, y) != slots["top"][:2]:
            left = x + (width - len(label)) // 2
            tile.put(left, y, label, mix(tile.ground, BLACK, 0.4))
        height = board.elevation(h)
        if height:
            x, y, *_rest = slots["height"]
            tile.put(x, y, str(height)[-1], mix(tile.ground, BLACK, 0.7), bold=True)
        if self.mono:
            x, y, *_rest = slots["letter"]
            letter = self.presenter.terrain(board.terrain(h)).letter
            tile.put(x, y, letter, mix(tile.ground, BLACK, 0.7))

    def _marks_at(self, h: Hex) -> tuple[Mark, ...]:
        view = self.table.view
        return view.marks.get(self.table.board.label(h), ()) if view is not None else ()

    def _marks(self, tile: Tile, h: Hex) -> None:
        """Objectives and the like: in the middle of an empty hex, at the right of a held one."""
        looks = [self.presenter.printed(name) for name in self.table.board.markers_at(h)]
        looks += [self.presenter.mark(mark) for mark in self._marks_at(h)]
        looks = [look for look in looks if look.glyph != "░"]
        slots = self.geometry.slots
        if "right" in slots and self.table.control.get(h):
            army = self.presenter.army(self.table.control[h])
            x, y, *_rest = slots["right"]
            tile.put(x, y, army.letter, army.ink, army.colour, True)
        if not looks:
            return
        x, y, width, height = slots["counter"]
        if not self.table.counters.get(h):
            words = " ".join([look.glyph + look.text for look in looks])[: width - 2]
            back = looks[0].colour
            ink = BLACK if is_light(back) else WHITE
            left = x + (width - len(words)) // 2 - (height > 1)
            words = f" {words} " if height > 1 else words
            tile.put(left, y + height // 2, words, ink, back, True)
        elif "right" in slots:
            x, y, *_rest = slots["right"]
            tile.put(x, y, looks[0].glyph, looks[0].colour, bold=True)

    def _counters(self, tile: Tile, h: Hex) -> None:
        stack = self.table.counters.get(h, ())
        if not stack:
            return
        turn = self.table.turned.get(h, 0) % len(stack)
        top, *rest = stack[turn:] + stack[:turn]
        look = self.presenter.counter(top)
        x, y, width, height = self.geometry.slots["counter"]
        side = look.army if self.mono else ""
        if height == 1:
            text = (side or look.type[:1]) + (look.strength[:1] or look.type[1:2])
            tile.put(x, y, f"{text:<2}"[:2], look.ink, look.colour, True)
            return
        more = f"{GLYPHS['more']}{len(rest)}" if rest else ""
        first, states = look.type, side + look.states
        room = width - len(look.strength)
        if len(first) > room:  # a long strength has the first line for itself
            first, states = "", f"{side}{look.type} {look.states}"
        lines = [f"{first:<{room}}{look.strength}"]
        lines += [look.name, look.words] if height > 2 else []
        lines += [f"{states:<{width}}"[: width - len(more)]]
        for k, line in enumerate(lines):
            back = mix(look.colour, BLACK, 0.18) if k else look.colour
            tile.put(x, y + k, f"{line[:width]:<{width}}", look.ink, back, not k)
        if rest:
            under = self.presenter.counter(rest[0])
            left = x + width - len(more)
            tile.put(left, y + height - 1, more, under.ink, under.colour, True)

    def _sight(self, tile: Tile, h: Hex) -> None:
        covered = self.table.counters.get(h)
        x, y, width, height = self.geometry.slots["counter"]
        for n, is_beyond in self.table.sight.get(h, {}).items():
            a, b = self.geometry.cells[n]
            if not (covered and x <= a < x + width and y <= b < y + height):
                tile.set(n, GLYPHS["beyond" if is_beyond else "sight"], SIGHT, tile.back[n], True)

    def _badges(self, tile: Tile, h: Hex) -> None:
        table, slots = self.table, self.geometry.slots
        if "badge" not in slots:
            return self._small_badges(tile, h)
        if h in table.options:
            for slot, glyph in (("left", "option"), ("right", "option end")):
                x, y, *_rest = slots[slot]
                tile.put(x, y, GLYPHS[glyph], BLACK, bold=True)
        elif h in table.refused:
            x, y, *_rest = slots["left"]
            tile.put(x, y, GLYPHS["refused"], mix(tile.ground, BLACK, 0.7), bold=True)
        if h in table.targets:
            self._badge(tile, "badge", GLYPHS["target"], table.targets[h], WHITE, TARGET)
        elif table.reachable.get(h):
            self._badge(tile, "badge", GLYPHS["reach"], table.reachable[h], BLACK, REACH)
        if h in table.threats:
            self._badge(tile, "top", GLYPHS["threat"], table.threats[h], WHITE, THREAT)
        if h == table.blocked_by:
            x, y, width, height = slots["counter"]
            cross = f" {GLYPHS['block']} "
            tile.put(x + (width - 3) // 2, y + height // 2, cross, WHITE, BLOCK, True)
        return None

    def _badge(self, tile: Tile, slot: str, glyph: str, text: str, ink: str, back: str) -> None:
        x, y, width, _height = self.geometry.slots[slot]
        words = glyph + text if len(text) < width else text[:width]
        tile.put(x + (width - len(words)) // 2, y, words, ink, back, True)

    def _small_badges(self, tile: Tile, h: Hex) -> None:
        """Overlays on the overview: two cells are all there is."""
        table = self.table
        if h == table.cursor:
            text = "".join(tile.text) if table.counters.get(h) else "[]"
            tile.put(0, 0, text, WHITE, CURSOR, True)
        elif h in table.targets:
            tile.put(0, 0, GLYPHS["target"], WHITE, TARGET, True)
        elif h == table.blocked_by:
            tile.put(0, 0, GLYPHS["block"], WHITE, BLOCK, True)
        elif table.counters.get(h):
            if h in table.options:
                tile.put(1, 0, GLYPHS["option"], BLACK, OPTION, True)
        elif h in table.reachable:
            tile.put(0, 0, f"{table.reachable[h]:<2}"[:2], BLACK, bold=True)
        elif h in table.options:
            tile.put(0, 0, GLYPHS["option"] + GLYPHS["option end"], BLACK, bold=True)
        elif h in table.refused:
            tile.put(0, 0, GLYPHS["refused"], BLACK)
        elif h in table.threats:
            tile.put(0, 0, GLYPHS["threat"], WHITE, THREAT, True)


# --- the widget -------------------------------------------------------------------------------

MARGIN: Final = 1
_KEYS: Final = {
    "up": "up",
    "down": "down",
    "left": "left",
    "right": "right",
    "home": "upper_left",
    "pageup": "upper_right",
    "end": "lower_left",
    "pagedown": "lower_right",
}
_STEPS: Final = {  # the directions that a key may mean, for pointy and for flat hexes
    "up": ((0, 1), (0,)),
    "down": ((4, 3), (3,)),
    "left": ((5,), (5, 4)),
    "right": ((2,), (1, 2)),
    "upper_left": ((0,), (5,)),
    "upper_right": ((1,), (1,)),
    "lower_left": ((4,), (4,)),
    "lower_right": ((3,), (2,)),
}


class HexMap(ScrollView):
    """The map of a View. Overlays are attributes; what people do arrives as messages."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    HexMap {
        background: $background;
        scrollbar-size: 1 1;
        scrollbar-color: $primary 50%;
        scrollbar-background: $surface;
        scrollbar-corner-color: $surface;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *[Binding(key, f"step('{to}')", show=False) for key, to in _KEYS.items()],
        *[Binding(f"shift+{key}", f"pan('{key}')", show=False) for key in list(_KEYS)[:4]],
        *[Binding(f"ctrl+{key}", f"pan('{key}', 6)", show=False) for key in list(_KEYS)[:4]],
        Binding("enter", "select", _("Choose"), show=False),
        Binding("full_stop", "next_counter(1)", _("Next unit"), show=False),
        Binding("comma", "next_counter(-1)", _("Previous unit"), show=False),
        Binding("plus,equals_sign", "zoom(1)", _("Zoom in"), show=False),
        Binding("minus", "zoom(-1)", _("Zoom out"), show=False),
        Binding("question_mark", "tip", _("What is here"), show=False),
    ]

    class HexMessage(Message):
        """Something about a hex of the map."""

        def __init__(self, map: HexMap, hex: Hex) -> None:
            super().__init__()
            self.map = map
            self.hex = hex

        @property
        def control(self) -> HexMap:
            """The map."""
            return self.map

    class HexSelected(HexMessage):
        """A hex was chosen, with Enter or a click."""

    class CursorMoved(HexMessage):
        """The cursor is on another hex."""

    class HexHovered(HexMessage):
        """The mouse is over another hex."""

    class CounterSelected(HexMessage):
        """A hex with counters was chosen: the one on top. Choosing again turns the stack."""

        def __init__(self, map: HexMap, hex: Hex, id: str) -> None:
            super().__init__(map, hex)
            self.id = id

    view: var[View | None] = var(None, init=False)
    zoom: var[int] = var(NORMAL, init=False)
    plain: var[bool] = var(False, init=False)
    cursor: var[Hex | None] = var(None, init=False)
    hover: var[Hex | None] = var(None, init=False)
    options: var[Collection[Hex]] = var(frozenset, init=False)
    refused: var[Collection[Hex]] = var(frozenset, init=False)
    reachable: var[Mapping[Hex, str]] = var(dict, init=False)
    in_range: var[Collection[Hex]] = var(frozenset, init=False)
    targets: var[Mapping[Hex, str]] = var(dict, init=False)
    threats: var[Mapping[Hex, str]] = var(dict, init=False)
    control: var[Mapping[Hex, Side]] = var(dict, init=False)
    sight: var[Sight | None] = var(None, init=False)

    def __init__(
        self,
        presenter: Presenter | None = None,
        view: View | None = None,
        *,
        zoom: int = NORMAL,
        plain: bool = False,
        describe: Callable[[Hex], str] | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.presenter: Presenter = presenter or GenericPresenter()
        self.describe = describe
        self._strips: dict[tuple[int, int, int], Strip] = {}
        self._origin = self._spare = (0, 0)
        self._aim = (0, 0)
        self._grip: tuple[Offset, Offset] | None = None
        self._is_dragging = False
        self.painter: Painter | None = None
        self.set_reactive(HexMap.zoom, zoom)
        self.set_reactive(HexMap.plain, plain)
        self.set_reactive(HexMap.view, view)
        for name in (
            "options",
            "refused",
            "reachable",
            "in_range",
            "targets",
            "threats",
            "control",
        ):
            self.watch(self, name, self._watcher(name), init=False)
        self._lay_out()

    # what is drawn

    def on_mount(self) -> None:
        """Take the colours of the theme, and follow it."""
        self.app.theme_changed_signal.subscribe(self, lambda _theme: self._lay_out())
        self._lay_out()

    def on_resize(self) -> None:
        """Keep a small map in the middle."""
        self._place()

    def _lay_out(self) -> None:
        """Start afresh: another board, zoom, theme or alphabet."""
        self._strips.clear()
        self.painter = None
        if self.view is not None:
            self.presenter.use(self.view)
            board = self.view.board
            shown = self.is_attached
            self.painter = Painter(
                Table(board),
                geometry_of(board.grid.orientation, self.zoom),
                self.presenter,
                self.background_colors[1].hex6 if shown else "#171a17",
                shown and self.app.no_color,
                self.plain,
                self._shade(),
            )
            self._fill_table(self.painter.table, self.view)
        self._place()

    def _shade(self) -> float:
        """How much neighbours of one terrain differ: not at all where colours are few."""
        if self.is_attached and self.app.console.color_system in ("standard", "256", "windows"):
            return 0
        return 0.04 if self.zoom else 0.015

    def _fill_table(self, table: Table, view: View) -> None:
        table.view = view
        table.counters = by_hex(view)
        for (a, b), kinds in view.board.roads.items():
            for h, other in ((a, b), (b, a)):
                table.roads.setdefault(h, {})[neighbours(h).index(other)] = kinds
        table.cursor, table.hover = self.cursor, self.hover
        table.options, table.refused = set(self.options), set(self.refused)
        table.in_range = set(self.in_range)
        table.reachable, table.targets = self.reachable, self.targets
        table.threats, table.control = self.threats, self.control
        self._trace(self.sight)

    def _place(self) -> None:
        """Where the map lies on the widget's own plane, and how large that is."""
        if self.painter is None:
            self.virtual_size = Size(0, 0)
            self.refresh()
            return
        geometry, board = self.painter.geometry, self.painter.table.board
        corners = [geometry.position(h) for h in board.hexes()]
        left, top = min([x for x, _y in corners]), min([y for _x, y in corners])
        width = max([x for x, _y in corners]) - left + geometry.size.width + 2 * MARGIN
        height = max([y for _x, y in corners]) - top + geometry.size.height + geometry.is_split
        spare_x, spare_y = self.size.width - width, self.size.height - height
        self._spare = (max(0, spare_x // 2), max(0, spare_y // 2))
        self._origin = (MARGIN + self._spare[0] - left, self._spare[1] - top)
        self._strips.clear()
        self.virtual_size = Size(width, height)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of the window on the map."""
        left, top = self.scroll_offset
        return self._strip(y + top, left, self.size.width)

    def _strip(self, y: int, left: int, width: int) -> Strip:
        """One line of the map, between two columns; kept until something on it changes."""
        found = self._strips.get((y, left, width))
        if found is None:
            if len(self._strips) > 2048:
                self._strips.clear()
            found = self._strips[y, left, width] = self._join(y, left, width)
        return found

    def _join(self, y: int, left: int, width: int) -> Strip:
        painter = self.painter
        if painter is None:
            return Strip.blank(width, self.rich_style)
        x = left - self._origin[0]
        tiles = painter.geometry.tiles(y - self._origin[1], x, x + width)
        segments: list[Segment] = []
        for _start, h, row in tiles:
            parts = painter.tile(h)[row]
            if segments and parts[0].style is segments[-1].style:
                text, style, _control = segments.pop()
                segments.append(Segment(text + parts[0].text, style))
                parts = parts[1:]
            segments += parts
        return Strip(trimmed(segments, x - tiles[0][0], width), width)

    def dump(self) -> str:
        """The whole map as text."""
        width, height = self.virtual_size
        left, top = self._spare
        lines = [self._join(y + top, left, width).text.rstrip() for y in range(height)]
        return "\n".join(lines)

    # what changes it

    def _watcher(self, name: str) -> Callable[[Overlaid, Overlaid], None]:
        def changed(old: Overlaid, new: Overlaid) -> None:
            if self.painter is not None:
                setattr(self.painter.table, name, new if isinstance(new, Mapping) else set(new))
                self._touch(difference(old, new))

        return changed

    def watch_view(self, old: View | None, new: View | None) -> None:
        """Draw again the hexes whose counters or marks are not the same."""
        if self.painter is None or old is None or new is None or old.board is not new.board:
            self._lay_out()
            return
        self.presenter.use(new)
        table = self.painter.table
        before, table.counters, table.view = table.counters, by_hex(new), new
        touched = difference(before, table.counters)
        for label in difference(old.marks, new.marks):
            with suppress(BadLabel):  # something beside the map
                touched.add(new.board.hex_at(label))
        self._touch(touched)

    def watch_zoom(self) -> None:
        """Draw at the new size, around the same hex."""
        middle = self.cursor or self.hex_at(self.size.width // 2, self.size.height // 2)
        self._lay_out()
        if middle is not None:
            self.centre_on(middle)

    def watch_plain(self) -> None:
        """Draw with the other alphabet."""
        self._lay_out()

    def watch_cursor(self, old: Hex | None, new: Hex | None) -> None:
        """Move the ring, keep it in sight, and tell."""
        if self.painter is None:
            return
        self.painter.table.cursor = new
        self._touch([h for h in (old, new) if h is not None])
        if new is not None:
            self.show(new)
            self.post_message(self.CursorMoved(self, new))
        self._hide_tip()

    def watch_hover(self, old: Hex | None, new: Hex | None) -> None:
        """Brighten the hex under the mouse; its tooltip is what `describe` says."""
        if self.painter is None:
            return
        self.painter.table.hover = new
        self._touch([h for h in (old, new) if h is not None])
        self.tooltip = Content(self.describe(new)) if new is not None and self.describe else None
        if new is not None:
            self.post_message(self.HexHovered(self, new))

    def watch_sight(self, old: Sight | None, new: Sight | None) -> None:
        """Draw another line of sight."""
        if self.painter is not None:
            before = set(self.painter.table.sight)
            self._trace(new)
            blocks = {s.blocked_by for s in (old, new) if s is not None and s.blocked_by}
            self._touch(before | set(self.painter.table.sight) | blocks)

    def _trace(self, sight: Sight | None) -> None:
        """Lay a line of sight on the tiles it crosses; past the blocking hex it is broken."""
        assert self.painter is not None
        table, geometry = self.painter.table, self.painter.geometry
        table.sight, table.blocked_by = {}, sight.blocked_by if sight else None
        if sight is None:
            return
        (ax, ay), (bx, by) = geometry.position(sight.a), geometry.position(sight.b)
        x, y = geometry.centre
        found: dict[Hex, dict[int, bool]] = {}
        is_beyond = sight.clear is None
        for (cx, cy), _quarter in quarters_between(ax + x, ay + y, bx + x, by + y):
            h = geometry.hex_at(cx, cy)
            is_beyond = is_beyond or h == sight.blocked_by
            px, py = geometry.position(h)
            found.setdefault(h, {})[geometry.index[cx - px, cy - py]] = is_beyond
        table.sight = found

    def clear_overlays(self) -> None:
        """Take away every overlay; the cursor stays."""
        self.options = self.refused = self.in_range = frozenset()
        self.reachable, self.targets, self.threats, self.control = {}, {}, {}, {}
        self.sight = None

    def _touch(self, hexes: Collection[Hex]) -> None:
        """Draw some hexes again, and nothing else."""
        if not hexes or self.painter is None:
            return
        self.painter.forget(hexes)
        regions = [self.region_of(h) for h in hexes]
        lines = {y for region in regions for y in range(region.y, region.bottom)}
        for key in [key for key in self._strips if key[0] in lines]:
            del self._strips[key]
        if len(regions) > 8:
            regions = [Region.from_union(regions)]
        window = Region(0, 0, *self.size)
        seen = [region.translate(-self.scroll_offset).intersection(window) for region in regions]
        seen = [region for region in seen if region]
        if seen:
            self.refresh(*seen)

    # where things are

    def region_of(self, h: Hex) -> Region:
        """The box of a hex on the plane that scrolls."""
        if self.painter is None:
            return Region()
        x, y = self.painter.geometry.position(h)
        size = self.painter.geometry.size
        height = size.height + (self.painter.geometry.is_split and h.q % 2)
        return Region(x + self._origin[0], y + self._origin[1], size.width, height)

    def hex_at(self, x: int, y: int) -> Hex | None:
        """The hex under a cell of the window."""
        if self.painter is None:
            return None
        left, top = self.scroll_offset
        h = self.painter.geometry.hex_at(x + left - self._origin[0], y + top - self._origin[1])
        return h if h in self.painter.table.board else None

    def counters_at(self, h: Hex) -> tuple[CounterView, ...]:
        """The counters on a hex, the one on top first."""
        if self.painter is None or h not in self.painter.table.counters:
            return ()
        stack = self.painter.table.counters[h]
        turn = self.painter.table.turned.get(h, 0) % len(stack)
        return stack[turn:] + stack[:turn]

    def show(self, h: Hex) -> None:
        """Scroll as little as is needed to see a hex and something around it; a far one, to it."""
        region = self.region_of(h)
        width, height = self.scrollable_content_region.size
        left, top = self.scroll_offset
        x = nearest(left, region.x, region.right, width, region.width)
        y = nearest(top, region.y, region.bottom, height, region.height)
        if abs(x - left) > 2 * region.width or abs(y - top) > 2 * region.height:
            self.centre_on(h)
        elif (x, y) != (left, top):
            self.scroll_to(x, y, animate=False, force=True)

    def centre_on(self, what: Hex | str, animate: bool = False) -> None:
        """Scroll a hex, or the counter with that id, to the middle."""
        h = self._hex_of(what) if isinstance(what, str) else what
        if h is None:
            return
        if not self.size:
            self.call_after_refresh(self.centre_on, h)
            return
        region = self.region_of(h)
        width, height = self.scrollable_content_region.size
        x, y = region.x + (region.width - width) / 2, region.y + (region.height - height) / 2
        self.scroll_to(round(x), round(y), animate=animate, duration=0.2, force=True)

    def _hex_of(self, id: str) -> Hex | None:
        counters = self.view.counters if self.view is not None else ()
        return next((counter.hex for counter in counters if counter.id == id), None)

    # what people do

    def action_step(self, way: str) -> None:
        """Move the cursor one hex; going straight zigzags, and keeps its line."""
        if self.painter is None:
            return
        geometry, board = self.painter.geometry, self.painter.table.board
        here = self.cursor
        if here is None:
            width, height = self.size
            self.cursor = self.hex_at(width // 2, height // 2) or board.hexes()[0]
            return
        around = neighbours(here)
        steps = _STEPS[way][0 if geometry.is_pointy else 1]
        goals = [around[d] for d in steps if around[d] in board]
        if len(steps) == 1:
            self._aim = geometry.position(goals[0] if goals else here)
        axis = 0 if geometry.is_pointy else 1
        goals.sort(key=lambda h: abs(geometry.position(h)[axis] - self._aim[axis]))
        if goals:
            self.cursor = goals[0]

    def action_pan(self, way: str, hexes: int = 1) -> None:
        """Scroll the map and leave the cursor where it is."""
        if self.painter is None:
            return
        geometry = self.painter.geometry
        x, y = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}[way]
        self.scroll_relative(
            x * hexes * geometry.across, y * hexes * geometry.down, animate=False, force=True
        )

    def action_zoom(self, step: int) -> None:
        """Come closer or go away."""
        self.zoom = min(LARGE, max(OVERVIEW, self.zoom + step))

    def action_select(self) -> None:
        """Choose the hex under the cursor."""
        if self.cursor is not None:
            self.select(self.cursor)

    def select(self, h: Hex) -> None:
        """Choose a hex, and the counter on top; choosing it again turns its stack."""
        if self.painter is None:
            return
        table = self.painter.table
        again = self.cursor == h and h in table.turned
        if len(table.counters.get(h, ())) > 1:
            table.turned = {h: table.turned[h] + 1 if again else 0}
            self._touch([h])
        self.cursor = h
        self._aim = self.painter.geometry.position(h)
        self.post_message(self.HexSelected(self, h))
        for counter in self.counters_at(h)[:1]:
            self.post_message(self.CounterSelected(self, h, counter.id))

    def action_next_counter(self, step: int) -> None:
        """Go to the next hex with counters: a lit one if any is, else one of our own."""
        if self.view is None:
            return
        lit = [c.hex for c in self.view.counters if c.hex in self.options]
        own = [c.hex for c in self.view.counters if c.side == self.view.side]
        hexes = list(dict.fromkeys([h for h in lit or own if h is not None]))
        if hexes:
            now = hexes.index(self.cursor) if self.cursor in hexes else -1 if step > 0 else 0
            self.cursor = hexes[(now + step) % len(hexes)]
            self._aim = self.painter.geometry.position(self.cursor) if self.painter else (0, 0)

    def action_tip(self) -> None:
        """Show the tooltip of the hex under the cursor, where it is."""
        if self.cursor is None or self.describe is None:
            return
        try:
            tooltip = self.screen.get_child_by_type(Tooltip)
        except NoMatches:
            return
        region = self.region_of(self.cursor).translate(self.content_region.offset)
        region = region.translate(-self.scroll_offset)
        tooltip.absolute_offset = Offset(region.x + region.width // 2, region.bottom - 1)
        tooltip.update(Content(self.describe(self.cursor)))
        tooltip.display = True

    def _hide_tip(self) -> None:
        if self.is_attached:
            for tooltip in self.screen.query_children(Tooltip):
                tooltip.display = False

    def _hex_under(self, event: events.MouseEvent) -> Hex | None:
        at = event.get_content_offset(self)
        return self.hex_at(*at) if at is not None else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the map."""
        self._grip = (event.screen_offset, self.scroll_offset)
        self._is_dragging = False
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag the map if it is held; else the hex under the mouse is hovered."""
        if self._grip is None:
            self.hover = self._hex_under(event)
            return
        start, scroll = self._grip
        moved = event.screen_offset - start
        self._is_dragging = self._is_dragging or abs(moved.x) > 1 or abs(moved.y) > 0
        if self._is_dragging:
            self.hover = None
            self.scroll_to(*(scroll - moved), animate=False, force=True)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go; without a drag it was a click, which chooses."""
        was_held, self._grip = self._grip is not None, None
        self.release_mouse()
        h = self._hex_under(event)
        if was_held and not self._is_dragging and h is not None:
            self.select(h)

    def on_leave(self) -> None:
        """Nothing is hovered outside."""
        self.hover = None

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Map"), _(
            "Arrows, Home, End and the Page keys move the cursor from hex to hex; Shift and an "
            "arrow scroll. Enter chooses the hex, and again the next counter of its stack. "
            "Comma and full stop go to the units, plus and minus change the size, ? says what "
            "is here. With the mouse: click, drag and wheel."
        )


Overlaid: TypeAlias = Collection[Hex] | Mapping[Hex, str]


def by_hex(view: View) -> dict[Hex, tuple[CounterView, ...]]:
    """The counters that lie on the map."""
    found: dict[Hex, tuple[CounterView, ...]] = {}
    for counter in view.counters:
        if counter.hex is not None:
            found[counter.hex] = (*found.get(counter.hex, ()), counter)
    return found


def difference(old: Collection[K], new: Collection[K]) -> set[K]:
    """The keys that came, went, or have another value."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return {key for key in {*old, *new} if old.get(key) != new.get(key)}
    return set(old) ^ set(new)


def trimmed(segments: list[Segment], skip: int, width: int) -> list[Segment]:
    """Segments without the first cells, and no longer than a width; every cell is a character."""
    while skip >= len(segments[0].text):
        skip -= len(segments.pop(0).text)
    spare = sum([len(segment.text) for segment in segments]) - skip - width
    while spare >= len(segments[-1].text):
        spare -= len(segments.pop().text)
    if spare:
        text, style, _control = segments[-1]
        segments[-1] = Segment(text[:-spare], style)
    if skip:
        text, style, _control = segments[0]
        segments[0] = Segment(text[skip:], style)
    return segments


def nearest(start: int, low: int, high: int, window: int, spare: int) -> int:
    """The scroll position nearest to `start` that shows a stretch with room on both sides."""
    spare = max(0, min(spare, (window - (high - low)) // 2))
    return max(0, min(max(start, high + spare - window), low - spare))


class Minimap(Widget):
    """The whole map in little, with a frame around what the large one shows; a click goes there."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    Minimap { height: auto; }
    """

    def __init__(self, map: HexMap, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.map = map

    def on_mount(self) -> None:
        """Follow the map."""
        for name in ("scroll_x", "scroll_y", "virtual_size", "view"):
            self.watch(self.map, name, self._follow, init=False)

    def _follow(self) -> None:
        self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Two rows of hexes for each line."""
        view = self.map.view
        return view.board.grid.rows // self._step(width) // 2 + 1 if view is not None else 1

    def _step(self, width: int) -> int:
        """How many columns of hexes share a cell."""
        view = self.map.view
        return -(-view.board.grid.columns // max(1, width)) if view is not None else 1

    def _frame(self) -> Region:
        """The cells that the large map shows."""
        view, step = self.map.view, self._step(self.size.width)
        if view is None:
            return Region()
        rows, columns = view.board.grid.rows, view.board.grid.columns
        plane, window = self.map.virtual_size, self.map.size
        left, top = self.map.scroll_offset
        x, y = left * columns // max(1, plane.width), top * rows // max(1, plane.height)
        width = -(-window.width * columns // max(1, plane.width))
        height = -(-window.height * rows // max(1, plane.height))
        right, bottom = min(columns, x + width), min(rows, y + height)
        x, y = x // step, y // step // 2
        return Region(x, y, -(-right // step) - x, -(-bottom // step // 2) - y)

    def render_line(self, y: int) -> Strip:
        """Each cell shows two hexes, one above the other, or the letter of who is there."""
        painter, step = self.map.painter, self._step(self.size.width)
        rows = painter.table.board.grid.rows if painter is not None else 0
        if painter is None or 2 * y * step >= rows:
            return Strip.blank(self.size.width, self.rich_style)
        grid, frame = painter.table.board.grid, self._frame()
        segments = []
        for x in range(-(-grid.columns // step)):
            upper, lower = (grid.from_offset(x * step, (2 * y + n) * step) for n in (0, 1))
            is_last = lower not in painter.table.board
            is_seen = frame.contains(x, y)
            char, ink, back = "▀", painter.ground(upper), painter.ground(lower)
            held = painter.table.counters.get(upper) or painter.table.counters.get(lower)
            if held:
                army = self.map.presenter.army(held[0].side)
                char, ink, back = army.letter, army.ink, army.colour
            elif not is_seen:
                ink, back = mix(ink, BLACK, 0.3), back if is_last else mix(back, BLACK, 0.3)
            corner = frame_corner(frame, x, y)
            if corner:
                char, ink = corner, BLACK
            if painter.plain:
                char = " " if char == "▀" else "+" if corner else char
            segments.append(Segment(char, style_of(ink, back, bool(held))))
        return Strip(segments).adjust_cell_length(self.size.width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """Show that place on the large map."""
        view, step = self.map.view, self._step(self.size.width)
        if view is not None:
            h = view.board.grid.from_offset(event.x * step, 2 * event.y * step)
            self.map.centre_on(h)


def frame_corner(frame: Region, x: int, y: int) -> str:
    """The glyph of a corner of the frame, if this is one."""
    rows = {frame.y: "┌┐", frame.bottom - 1: "└┘"}
    columns = {frame.x: 0, frame.right - 1: 1}
    return rows[y][columns[x]] if y in rows and x in columns else ""
