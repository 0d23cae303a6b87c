"""Which cells a hex covers at each zoom and in both orientations, and what lies on its sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from textual.geometry import Size

from engine.core.hexes import DIRECTIONS, Hex

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
        "letter": (3, 3, 1, 1),
        "height": (7, 2, 1, 1),
        "left": (0, 1, 1, 1),
        "right": (7, 1, 1, 1),
        "tab": (2, 0, 4, 1),
    },
    ("pointy", LARGE): {
        "label": (4, 1, 6, 1),
        "top": (4, 1, 6, 1),
        "counter": (2, 2, 10, 4),
        "art": (2, 2, 10, 4),
        "letter": (6, 7, 1, 1),
        "height": (12, 5, 1, 1),
        "left": (1, 4, 1, 1),
        "right": (12, 4, 1, 1),
        "tab": (4, 6, 6, 1),
    },
    ("flat", OVERVIEW): {"counter": (0, 0, 2, 1)},
    ("flat", NORMAL): {
        "label": (3, 0, 4, 1),
        "top": (3, 0, 4, 1),
        "counter": (2, 1, 6, 2),
        "art": (2, 1, 6, 2),
        "letter": (1, 0, 1, 1),
        "height": (8, 2, 1, 1),
        "left": (1, 1, 1, 1),
        "right": (8, 1, 1, 1),
        "tab": (3, 3, 4, 1),
    },
    ("flat", LARGE): {
        "label": (4, 0, 6, 1),
        "top": (4, 0, 6, 1),
        "counter": (3, 1, 9, 4),
        "art": (3, 1, 9, 4),
        "letter": (1, 3, 1, 1),
        "height": (12, 3, 1, 1),
        "left": (2, 2, 1, 1),
        "right": (12, 2, 1, 1),
        "tab": (4, 5, 6, 1),
    },
}
_NUDGE: Final = (0.003, 0.005)  # no sample ever falls on a side
_EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
QUARTERS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"


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
            return QUARTERS[sum(1 << n for n, d in enumerate(shares) if d == -1)], True
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
