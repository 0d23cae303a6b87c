"""Hexes: axial coordinates, exact straight lines, and printed labels at the edge.

Inside, a hex is axial and `r` always grows down the drawn map. Nothing here uses floats: a line
is measured on the triangular lattice whose points are the hex centres and the hex vertices.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from math import prod
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec


class Hex(NamedTuple):
    """A hex in axial coordinates."""

    q: int
    r: int


Edge: TypeAlias = tuple[Hex, Hex]
"""A hexside: its two hexes, sorted."""

DIRECTIONS: Final = (Hex(0, -1), Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0))
"""The six steps, clockwise on the drawn map: from NW when hexes are pointy, from N when flat."""

ORIGIN: Final = Hex(0, 0)


def add(a: Hex, b: Hex) -> Hex:
    """The hex reached from `a` by the displacement `b`."""
    return Hex(a.q + b.q, a.r + b.r)


def neighbours(h: Hex) -> tuple[Hex, ...]:
    """The six hexes around `h`, in the order of DIRECTIONS."""
    q, r = h
    return tuple([Hex(q + dq, r + dr) for dq, dr in DIRECTIONS])


def distance(a: Hex, b: Hex) -> int:
    """The steps between two hexes."""
    dq, dr = b.q - a.q, b.r - a.r
    return max(abs(dq), abs(dr), abs(dq + dr))


def direction(a: Hex, b: Hex) -> int | None:
    """The direction from `a` to `b`, or None when no hex row joins them."""
    steps = distance(a, b)
    for number, step in enumerate(DIRECTIONS):
        if steps and (b.q - a.q, b.r - a.r) == (step.q * steps, step.r * steps):
            return number
    return None


def ring(h: Hex, n: int) -> tuple[Hex, ...]:
    """The hexes at distance `n`, clockwise."""
    if n == 0:
        return (h,)
    found, here = [], Hex(h.q, h.r - n)
    for step in DIRECTIONS[2:] + DIRECTIONS[:2]:
        for _ in range(n):
            found.append(here)
            here = add(here, step)
    return tuple(found)


def disk(h: Hex, n: int) -> tuple[Hex, ...]:
    """The hexes within distance `n`, nearest first."""
    return tuple([found for radius in range(n + 1) for found in ring(h, radius)])


def edge(a: Hex, b: Hex) -> Edge:
    """The hexside between two neighbours."""
    if distance(a, b) != 1:
        raise ValueError(f"{a} and {b} share no hexside")
    return (a, b) if a < b else (b, a)


# --- straight lines ---------------------------------------------------------------------------


class Vertex(NamedTuple):
    """A point where three hexes meet, and those of the three that a line touches only there."""

    hexes: tuple[Hex, ...]
    touched: tuple[Hex, ...]


class Line(msgspec.Struct, frozen=True):
    """The segment between two hex centres; what it meets is listed from `a` to `b`.

    Left and right are those of somebody walking from `a` to `b` on the drawn map.
    """

    a: Hex
    b: Hex

    @property
    def stretches(self) -> tuple[tuple[Hex, ...], ...]:
        """One hex where the line crosses it, (left, right) where it runs between two. No ends."""
        (q, r), met = self.a, self._template
        if met.along:
            return tuple([_shift(hexes, q, r) for hexes in met.stretches])
        return tuple([(_new(Hex, (q + x, r + y)),) for ((x, y),) in met.stretches])

    @property
    def crossed(self) -> tuple[Edge, ...]:
        """The hexsides whose interior the line crosses, first and last included."""
        return self._edges(self._template.crossed)

    @property
    def along(self) -> tuple[Edge, ...]:
        """The hexsides the line runs along."""
        return self._edges(self._template.along)

    @property
    def vertices(self) -> tuple[Vertex, ...]:
        """The hex vertices the line passes through."""
        (q, r), met = self.a, self._template
        return tuple([Vertex(_shift(v[0], q, r), _shift(v[1], q, r)) for v in met.vertices])

    @property
    def parallels(self) -> tuple[tuple[Hex, ...], tuple[Hex, ...]]:
        """The hexes met by the line moved a hair to the left, and to the right. No ends."""
        (q, r), met = self.a, self._template
        left = _shift(met.left, q, r)
        return left, _shift(met.right, q, r) if met.vertices else left

    @property
    def _template(self) -> _Template:
        return _template(self.b.q - self.a.q, self.b.r - self.a.r)

    def _edges(self, found: tuple[Edge, ...]) -> tuple[Edge, ...]:
        q, r = self.a
        return tuple([(Hex(q + x, r + y), Hex(q + v, r + w)) for (x, y), (v, w) in found])


def line(a: Hex, b: Hex) -> Line:
    """The straight line from the centre of `a` to the centre of `b`."""
    return Line(a, b)


class _Template(NamedTuple):
    """All that a line from ORIGIN meets: the same for every line with its displacement."""

    stretches: tuple[tuple[Hex, ...], ...]
    crossed: tuple[Edge, ...]
    along: tuple[Edge, ...]
    vertices: tuple[Vertex, ...]
    left: tuple[Hex, ...]
    right: tuple[Hex, ...]


_new = tuple.__new__  # a third faster than Hex(...), and lines make most of the hexes


def _shift(hexes: tuple[Hex, ...], q: int, r: int) -> tuple[Hex, ...]:
    return tuple([_new(Hex, (q + x, r + y)) for x, y in hexes])


@lru_cache(maxsize=1 << 14)
def _template(q: int, r: int) -> _Template:
    """What the line from ORIGIN to (q, r) meets."""
    times = _contacts(q, r)
    side = {h: q * h.r - r * h.q for h in times}  # negative on the left
    order = sorted(times, key=lambda h: (*times[h], side[h]))
    stretches: list[tuple[Hex, ...]] = []
    crossed: list[Edge] = []
    along: list[Edge] = []
    vertices: list[Vertex] = []
    left: list[Hex] = []
    right: list[Hex] = []
    touched: tuple[Hex, ...] = ()  # only at the vertex just passed
    for (start, stop), group in groupby(order, times.__getitem__):
        hexes = tuple(group)
        if start == stop:
            touched = hexes
            (left if side[hexes[0]] < 0 else right).extend(hexes)
            continue
        if stretches:
            meeting = stretches[-1] + touched + hexes
            if len(meeting) == 2:
                crossed.append(edge(*meeting))
            else:
                vertices.append(Vertex(tuple(sorted(meeting)), touched))
        if len(hexes) == 2:
            along.append(edge(*hexes))
        stretches.append(hexes)
        left.append(hexes[0])
        right.append(hexes[-1])
        touched = ()
    return _Template(
        tuple(stretches[1:-1]),
        tuple(crossed),
        tuple(along),
        tuple(vertices),
        tuple(left[1:-1]),
        tuple(right[1:-1]),
    )


def _contacts(q: int, r: int) -> dict[Hex, tuple[int, int]]:
    """Every hex touched by the line from ORIGIN to (q, r), with the times of entry and exit.

    A hex holds the points whose 2q+r, q+2r and q-r differ from its centre's by at most 1: three
    bands, that the line enters and leaves at times which `unit` turns into integers.
    """
    speeds = (2 * q + r, q + 2 * r, q - r)
    width = max(abs(speed) for speed in speeds)
    unit = prod(abs(speed) for speed in speeds if speed)
    bands = [
        (x * unit // speed, y * unit // speed, abs(unit // speed))
        for (x, y), speed in zip(((2, 1), (1, 2), (1, -1)), speeds, strict=True)
        if speed
    ]
    ahead = [step for step in DIRECTIONS if step.q * speeds[0] + step.r * speeds[1] > 0]
    found: dict[Hex, tuple[int, int]] = {}
    waiting = [ORIGIN]
    for h in waiting:
        if h in found or 3 * abs(q * h.r - r * h.q) > width:
            continue
        start = max([x * h.q + y * h.r - half for x, y, half in bands], default=0)
        stop = min([x * h.q + y * h.r + half for x, y, half in bands], default=1)
        if start < unit:
            found[h] = (start, stop)
            waiting += [Hex(h.q + step.q, h.r + step.r) for step in ahead]
    return found


# --- printed labels ---------------------------------------------------------------------------

_POINTY: Final = ("NW", "NE", "E", "SE", "SW", "W")
_FLAT: Final = ("N", "NE", "SE", "S", "SW", "NW")


class BadLabel(ValueError):
    """No hex of the grid carries this label."""


class Grid(msgspec.Struct, frozen=True):
    """The shape of a printed map and the names of its hexes.

    Lines are the rows of a pointy grid and the columns of a flat one; every second line, counted
    by its printed number, is shifted half a hex (right or down) and may be one hex `short`.
    """

    columns: int
    rows: int
    orientation: Literal["pointy", "flat"] = "pointy"
    scheme: Literal["A1", "RRCC", "CCRR"] = "A1"
    shifted: Literal["even", "odd"] = "even"
    short: bool = False
    first_row: Literal["top", "bottom"] = "top"
    north: Literal["top", "bottom"] = "top"
    off: frozenset[Hex] = frozenset()

    def offset(self, h: Hex) -> tuple[int, int]:
        """The drawing position of a hex: column and row, from 0 at the top left."""
        if self.orientation == "pointy":
            return h.q + self._slant(h.r), h.r
        return h.q, h.r + self._slant(h.q)

    def from_offset(self, column: int, row: int) -> Hex:
        """The hex drawn in that position, on the map or not."""
        if self.orientation == "pointy":
            return Hex(column - self._slant(row), row)
        return Hex(column, row - self._slant(column))

    def __contains__(self, h: Hex) -> bool:
        """Whether the hex is on the map."""
        column, row = self.offset(h)
        return (
            0 <= column < self._width(row) and 0 <= row < self._height(column) and h not in self.off
        )

    def hexes(self) -> tuple[Hex, ...]:
        """Every hex of the map, in reading order."""
        drawn = [self.from_offset(c, r) for r in range(self.rows) for c in range(self.columns)]
        return tuple([h for h in drawn if h in self])

    def label(self, h: Hex) -> str:
        """The printed name of a hex of the map."""
        if h not in self:
            raise BadLabel(f"{h} is not on the map")
        column, row = self.offset(h)
        number = row + 1 if self.first_row == "top" else self._height(column) - row
        if self.scheme == "RRCC":
            return f"{number:02}{column + 1:02}"
        if self.scheme == "CCRR":
            return f"{column + 1:02}{number:02}"
        return chr(ord("A") + column % 26) * (1 + column // 26) + str(number)

    def hex_at(self, label: str) -> Hex:
        """The hex with that printed name."""
        try:
            return _index(self)[label]
        except KeyError:
            raise BadLabel(f"no hex is called {label!r}") from None

    def direction_name(self, d: int) -> str:
        """The compass name of a direction."""
        names = _POINTY if self.orientation == "pointy" else _FLAT
        return names[d if self.north == "top" else (d + 3) % 6]

    def direction_named(self, name: str) -> int:
        """The direction with that compass name."""
        names = [self.direction_name(d) for d in range(6)]
        if name not in names:
            raise ValueError(f"no direction {name!r} among {', '.join(names)}")
        return names.index(name)

    def _is_shifted(self, line: int) -> bool:
        from_bottom = self.orientation == "pointy" and self.first_row == "bottom"
        number = self.rows - line if from_bottom else line + 1
        return (number % 2 == 0) == (self.shifted == "even")

    def _slant(self, line: int) -> int:
        """How far the axial coordinates have drifted from the drawn ones, at that line."""
        return line // 2 if not self._is_shifted(0) else (line + 1) // 2

    def _width(self, row: int) -> int:
        is_short = self.short and self.orientation == "pointy" and self._is_shifted(row)
        return self.columns - is_short

    def _height(self, column: int) -> int:
        is_short = self.short and self.orientation == "flat" and self._is_shifted(column)
        return self.rows - is_short


@lru_cache(maxsize=64)
def _index(grid: Grid) -> dict[str, Hex]:
    return {grid.label(h): h for h in grid.hexes()}
