"""A map as rules ask about it: neighbours, arcs, terrain drawn finer than the hex, fixed LOS.

Refs: 1.1, 1.1.1, 3.2.1, 3.2.4.ca, 3.2.4.aspect. Depictions are convex pieces on an integer
lattice: a hex is 240 wide and its centre, corners and hexsides have whole coordinates, so that
no LOS is ever decided by rounding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from engine.core.board import Board, load_board
from engine.core.data import data_path
from engine.core.decisions import Choice, place
from engine.core.hexes import DIRECTIONS, Hex, Line, distance, line
from engine.core.text import N_
from engine.core.view import Place

OPEN, WOODS, STONE, WOODEN = N_("open"), N_("woods"), N_("stone building"), N_("wooden building")
ORCHARD, GRAIN, BRUSH = N_("orchard"), N_("grain"), N_("brush")
TERRAINS = (OPEN, WOODS, STONE, WOODEN, ORCHARD, GRAIN, BRUSH)
DIRT, PAVED, SAME, HEDGE = (
    N_("dirt road"),
    N_("paved road"),
    N_("same building"),
    N_("hedge"),
)
FEATURES = (DIRT, PAVED, SAME, HEDGE)
BUILDINGS = (STONE, WOODEN)

Point: TypeAlias = tuple[int, int]
Piece: TypeAlias = tuple[Point, ...]

UNIT = 60
CORNERS: tuple[Point, ...] = ((1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1))
"""Corner k lies between hexsides k and k+1: it is hexspine k."""
SCALE = {WOODS: 90, STONE: 60, WOODEN: 60, GRAIN: 95, BRUSH: 95}
ROAD_HALF_WIDTH = 15
BEYOND = "@"
"""The first letter of a place off the map, where a round may fall (dae2.32)."""


class Obstacle(NamedTuple):
    """What stops a LOS: its rule, the message, the hex; whether by its drawing (casa.45)."""

    ref: str
    why: str
    hex: str
    is_drawn: bool = False


class FixedLos(msgspec.Struct, frozen=True):
    """What terrain alone does to a LOS; smoke and vehicles come later (3.2.1)."""

    hexes: tuple[str, ...]
    touched: tuple[tuple[str, ...], ...]
    blocked: Obstacle | None
    hindrance: tuple[tuple[str, str], ...]
    entry: tuple[str, ...]
    leaving: tuple[str, ...]


def edge_name(a: str, b: str) -> str:
    """A hexside as the state names it."""
    return f"{min(a, b)}-{max(a, b)}"


class _Away(dict[str, int]):
    """The ranges from a place of the map; each is worked out the first time it is asked for."""

    def __init__(self, places: dict[str, Hex], here: str) -> None:
        super().__init__()
        self._places, self._here = places, places[here]

    def __missing__(self, there: str) -> int:
        found = self[there] = distance(self._here, self._places[there])
        return found


class Ground:
    """A map in a month. It never changes; what is asked often is kept."""

    def __init__(self, board: Board, month: int) -> None:
        self.board = board
        self.month = month
        self.grain_is_high = 6 <= month <= 9
        self.orchards_have_leaves = 4 <= month <= 10
        self._lay_hexes(board)
        self._lay_neighbours()
        self._lay_terrain(board)
        self._lay_roads(board)
        self._lay_buildings()
        self._pieces: dict[str, tuple[Piece, ...]] = {
            label: tuple(self._draw(label)) for label in self.labels
        }
        self._los: dict[tuple[str, str], FixedLos] = {}
        self.offer: dict[str, Choice[str]] = {
            label: place(label, label, hex=at) for label, at in self.hex.items()
        }
        """Every place as a candidate of a question."""
        self.away = {label: _Away(self.hex, label) for label in self.hex}
        """How many hexes lie between two places: `away[a][b]`."""
        self.costs: dict[tuple[str, str, str], int] = {}

    def _lay_hexes(self, board: Board) -> None:
        """The hexes of the map and, beside it, those where units wait (3.1.a)."""
        grid = board.grid
        self.hex: dict[str, Hex] = {board.label(h): h for h in board.hexes()}
        self.labels: tuple[str, ...] = tuple(self.hex)
        self.off: dict[str, tuple[str, ...]] = {}
        for edge, column in (("west", -1), ("east", grid.columns)):
            names = []
            for row in range(grid.rows):
                name = f"{edge[0]}{row + 1}"
                self.hex[name] = grid.from_offset(column, row)
                names.append(name)
            self.off[edge] = tuple(names)
        self.is_off = frozenset(name for names in self.off.values() for name in names)
        self.at = {h: label for label, h in self.hex.items()}
        self._drawn = {h: label for h, label in self.at.items() if label not in self.is_off}
        self.column = {label: grid.offset(h)[0] for label, h in self.hex.items()}

    def _lay_neighbours(self) -> None:
        """What lies on each side of a hex, and in front of each hexspine (3.3.2.vca)."""
        self.near: dict[str, tuple[str, ...]] = {}
        self.side: dict[str, tuple[str, ...]] = {}
        self.ahead: dict[str, tuple[tuple[str, ...], ...]] = {}
        for label, (q, r) in self.hex.items():
            around = [self.at.get(Hex(q + dq, r + dr), "") for dq, dr in DIRECTIONS]
            self.side[label] = tuple(around)
            self.near[label] = tuple(one for one in around if one)
            pairs = [(around[spine], around[(spine + 1) % 6]) for spine in range(6)]
            self.ahead[label] = tuple([tuple([h for h in pair if h]) for pair in pairs])
        self.rims: dict[str, tuple[Place, ...]] = {
            edge: tuple([Place(name, self.hex[name], self._onto(name)) for name in names])
            for edge, names in self.off.items()
        }
        """The off-board hexes of each edge as a table shows them (3.1.a)."""

    def _lay_terrain(self, board: Board) -> None:
        """Terrain, levels and hedges (1.1.1)."""
        at = self.at
        self.terrain = {label: board.terrain(self.hex[label]) for label in self.labels}
        self.level = {label: board.elevation(self.hex[label]) for label in self.labels}
        for label in self.is_off:
            self.terrain[label], self.level[label] = OPEN, 0
        self.hedges: frozenset[tuple[str, str]] = frozenset(
            pair
            for (a, b), names in board.sides.items()
            if HEDGE in names
            for pair in ((at[a], at[b]), (at[b], at[a]))
        )
        self.hedge_sides = tuple([(a, b, edge_name(a, b)) for a, b in sorted(self.hedges) if a < b])
        self.hedge_hexes = frozenset([hex for pair in self.hedges for hex in pair])

    def _lay_roads(self, board: Board) -> None:
        """Roads from hex to hex, and the best one in each (1.1.1.roads)."""
        self.roads: dict[tuple[str, str], str] = {}
        for (a, b), kinds in board.roads.items():
            one, two = self.at[a], self.at[b]
            self.roads[one, two] = self.roads[two, one] = kinds[0]
        self._extend_roads()
        self.road_hexes: dict[str, str] = {}
        for (one, _), kind in self.roads.items():
            if self.road_hexes.get(one) != PAVED:
                self.road_hexes[one] = kind

    def _lay_buildings(self) -> None:
        """Buildings, and the area that each hex belongs to (1.1.1.buildings)."""
        self.building: dict[str, str] = {}
        self._name_buildings()
        self.buildings: dict[str, tuple[str, ...]] = {}
        for label, name in self.building.items():
            self.buildings[name] = (*self.buildings.get(name, ()), label)
        self.area: dict[str, tuple[str, ...]] = {
            label: self.buildings[self.building[label]] if label in self.building else (label,)
            for label in self.labels
        }

    def _onto(self, off: str) -> tuple[Hex, ...]:
        """The hexes of the map that an off-board hex borders."""
        return tuple([self.hex[near] for near in self.near[off] if near not in self.is_off])

    def _extend_roads(self) -> None:
        """A road that ends at the edge goes on beyond it (3.3.entry)."""
        for edge, names in self.off.items():
            for name in names:
                for label in self.near[name]:
                    if label in self.is_off:
                        continue
                    ends = [b for (a, b) in self.roads if a == label and b not in self.is_off]
                    back = [self.opposite(label, b) for b in ends]
                    already = any((label, off) in self.roads for off in self.off[edge])
                    if name in back and len(ends) == 1 and not already:
                        kind = self.roads[label, ends[0]]
                        self.roads[label, name] = self.roads[name, label] = kind

    def opposite(self, label: str, other: str) -> str:
        """The hex on the other side of `label` from its neighbour `other`."""
        return self.side[label][(self.side[label].index(other) + 3) % 6]

    def _name_buildings(self) -> None:
        for label in self.labels:
            if self.terrain[label] in BUILDINGS:
                name = label
                for other in self.near[label]:
                    if self.is_same_building(label, other) and other in self.building:
                        name = self.building[other]
                self.building[label] = name

    def is_same_building(self, a: str, b: str) -> bool:
        """Whether two neighbours are drawn as one building."""
        if a in self.is_off or b in self.is_off:
            return False
        return SAME in self.board.side(self.hex[a], self.hex[b])

    # Distances and arcs

    def range(self, a: str, b: str) -> int:
        """The hexes between two places."""
        return self.away[a][b]

    def spot(self, name: str) -> Hex:
        """The hex behind a label, or behind the name of a place off the map (dae2.32)."""
        if not name.startswith(BEYOND):
            return self.hex[name]
        q, _, r = name[1:].partition(",")
        return Hex(int(q), int(r))

    def name(self, place: Hex) -> str:
        """The label of a hex, or a name for it if it lies off the map (dae2.32)."""
        label = self.at.get(place, "")
        return label if label and label not in self.is_off else f"{BEYOND}{place.q},{place.r}"

    def is_adjacent(self, a: str, b: str) -> bool:
        """Whether two places share a hexside."""
        return b in self.near[a]

    def arcs(self, a: str, b: str) -> tuple[int, ...]:
        """The hexspines of `a` whose 60° wedge holds `b` (3.2.4.ca)."""
        (q, r), (x, y) = self.hex[a], self.hex[b]
        return _arcs(x - q, y - r)

    def turns(self, a: str, spine: int, b: str) -> int:
        """How many hexspines an arc must turn to hold `b`."""
        return min((turned(spine, k) for k in self.arcs(a, b)), default=0)

    def facing_to(self, a: str, spine: int, b: str) -> int:
        """The hexspine nearest to the present one whose arc holds `b`."""
        return min(self.arcs(a, b), key=lambda k: (turned(spine, k), k), default=spine)

    def sides_hit(self, target: str, firer: str) -> tuple[int, ...]:
        """The hexside of the target through which a shot comes; two when it runs on a spine."""
        (q, r), (x, y) = self.hex[target], self.hex[firer]
        return _sides(x - q, y - r)

    # Roads

    def has_road(self, a: str, b: str) -> bool:
        """Whether a road crosses the hexside."""
        return (a, b) in self.roads

    def is_paved(self, label: str) -> bool:
        """Whether a paved road runs in the hex."""
        return self.road_hexes.get(label) == PAVED

    # Depictions

    def kind(self, label: str) -> str:
        """The terrain, grain out of season being Open Ground (1.1.1.grain)."""
        found = self.terrain[label]
        return OPEN if found == GRAIN and not self.grain_is_high else found

    def is_joined(self, a: str, b: str) -> bool:
        """Whether the drawings of two neighbours run into each other."""
        if not b or b in self.is_off or self.terrain[a] != self.terrain[b]:
            return False
        if self.terrain[a] == WOODS:
            return True
        return self.terrain[a] in BUILDINGS and self.is_same_building(a, b)

    def centre(self, label: str) -> Point:
        """The centre dot on the lattice."""
        q, r = self.hex[label]
        return 3 * q * UNIT, (2 * r + q) * UNIT

    def _draw(self, label: str) -> Iterator[Piece]:
        scale = SCALE.get(self.terrain[label])
        if scale is None:
            return
        x, y = self.centre(label)
        inner = [(cx * UNIT * scale // 100, cy * UNIT * scale // 100) for cx, cy in CORNERS]
        yield tuple([(x + dx, y + dy) for dx, dy in inner])
        for k in range(6):
            if not self.is_joined(label, self.side[label][k]):
                continue
            (ax, ay), (bx, by) = CORNERS[k - 1], CORNERS[k]
            near = 100 + scale, 100 - scale
            p = _mix(ax, bx, near), _mix(ay, by, near)
            q = _mix(bx, ax, near), _mix(by, ay, near)
            quad = [inner[k - 1], p, q, inner[k]]
            yield tuple([(x + dx, y + dy) for dx, dy in quad])
            if self.is_joined(label, self.side[label][(k + 1) % 6]):
                (nx, ny) = CORNERS[(k + 1) % 6]
                after = _mix(bx, nx, near), _mix(by, ny, near)
                corner = [inner[k], q, (bx * UNIT, by * UNIT), after]
                yield tuple([(x + dx, y + dy) for dx, dy in corner])

    def _road_strips(self, label: str) -> Iterator[Piece]:
        """The road of a woods-road or orchard-road hex: a strip from the centre to each hexside."""
        x, y = self.centre(label)
        for k in range(6):
            other = self.side[label][k]
            if not other or (label, other) not in self.roads:
                continue
            (ax, ay), (bx, by) = CORNERS[k - 1], CORNERS[k]
            mx, my = (ax + bx) * UNIT // 2, (ay + by) * UNIT // 2
            wx, wy = (
                (bx - ax) * ROAD_HALF_WIDTH * UNIT // 100,
                (by - ay) * ROAD_HALF_WIDTH * 60 // 100,
            )
            dots = [(-wx, -wy), (wx, wy), (mx + wx, my + wy), (mx - wx, my - wy)]
            yield tuple([(x + dx, y + dy) for dx, dy in dots])

    def crosses_drawing(self, label: str, a: Point, b: Point) -> bool:
        """Whether the thread crosses the drawing of the hex, off its road, for some length."""
        hit = [piece for piece in self._pieces[label] if _splits(piece, a, b)]
        if not hit or label not in self.road_hexes:
            return bool(hit)
        return self._off_road(label, a, b, hit)

    def _off_road(self, label: str, a: Point, b: Point, pieces: list[Piece]) -> bool:
        road = sorted(
            span for strip in self._road_strips(label) if (span := _clip(strip, a, b)) is not None
        )
        for piece in pieces:
            span = _clip(piece, a, b)
            if span is None:
                continue
            here, end = span
            for start, stop in road:
                if start <= here < stop:
                    here = stop
            if here < end:
                return True
        return False

    def leaves_road(self, label: str, a: Point, b: Point) -> bool:
        """Whether the thread leaves the road drawing inside an orchard-road hex."""
        if label not in self.road_hexes:
            return True
        x, y = self.centre(label)
        whole = tuple([(x + cx * UNIT, y + cy * UNIT) for cx, cy in CORNERS])
        return self._off_road(label, a, b, [whole])

    # Line of sight

    def los(self, a: str, b: str) -> FixedLos:
        """What terrain does to the LOS between two hexes of the map."""
        key = (a, b)
        found = self._los.get(key)
        if found is None:
            found = self._los[key] = self._trace(a, b)
        return found

    def _trace(self, a: str, b: str) -> FixedLos:
        met = line(self.hex[a], self.hex[b])
        stretches = [labels for hexes in met.stretches if (labels := self._on_map(hexes))]
        sole: list[tuple[str, ...]] = [
            (label,)
            for vertex in met.vertices
            for label in self._on_map(vertex.touched)
            if label not in (a, b)
        ]
        path = tuple([label for hexes in stretches for label in hexes])
        touched = (*stretches, *sole)
        blocked = self._blocked(a, b, stretches)
        hindrance: list[tuple[str, str]] = []
        if blocked is None:
            found = self._hindrances(a, b, stretches, sole)
            blocked = next((Obstacle(ref, why, at) for ref, why, at in found if why), None)
            hindrance = [(at, ref) for ref, why, at in found if not why]
        if blocked is None:
            blocked = self._hedge_in_the_way(a, b, met, [*path, *[label for (label,) in sole]])
        sides_b = [self.side[b][k] for k in self.sides_hit(b, a)] if a != b else []
        sides_a = [self.side[a][k] for k in self.sides_hit(a, b)] if a != b else []
        return FixedLos(path, touched, blocked, tuple(hindrance), tuple(sides_b), tuple(sides_a))

    def _on_map(self, hexes: Iterable[Hex]) -> tuple[str, ...]:
        """The labels of those hexes that belong to the map."""
        drawn = self._drawn
        return tuple([drawn[h] for h in hexes if h in drawn])

    def _blocked(self, a: str, b: str, stretches: list[tuple[str, ...]]) -> Obstacle | None:
        """The obstacle that stops the thread: locator, message, hex."""
        la, lb = self.level[a], self.level[b]
        pa, pb = self.centre(a), self.centre(b)
        if la != lb:
            high = stretches if la > lb else stretches[::-1]
            for hexes in high:
                top = min(self.level[label] for label in hexes)
                if top > min(la, lb):
                    return Obstacle(
                        "3.2.1.levels", N_("the crest line of {hex} stops the LOS"), hexes[0]
                    )
        elif la == 0:
            for hexes in stretches:
                if min(self.level[label] for label in hexes) > 0:
                    return Obstacle("1.1.1.hills", N_("the hill of {hex} stops the LOS"), hexes[0])
        for hexes in stretches:
            for label in hexes:
                if la == lb and self.level[label] < la:
                    continue
                terrain = self.terrain[label]
                if terrain != WOODS and terrain not in BUILDINGS:
                    continue
                if len(hexes) == 1:
                    crossed = self.crosses_drawing(label, pa, pb)
                else:
                    crossed = self.is_joined(hexes[0], hexes[1])
                if crossed and terrain == WOODS:
                    why = N_("the woods of {hex} stop the LOS")
                    return Obstacle("1.1.1.woods", why, label, is_drawn=True)
                if crossed:
                    why = N_("the building of {hex} stops the LOS")
                    return Obstacle("1.1.1.buildings", why, label, is_drawn=True)
        return None

    def _hindrances(
        self, a: str, b: str, stretches: list[tuple[str, ...]], sole: list[tuple[str, ...]]
    ) -> list[tuple[str, str, str]]:
        """Every hindrance hex: locator, reason if it blocks, hex (3.2.1.hindrance)."""
        la, lb = self.level[a], self.level[b]
        pa, pb = self.centre(a), self.centre(b)
        found: list[tuple[str, str, str]] = []
        for hexes in (*stretches, *sole):
            for label in hexes:
                terrain = self.kind(label)
                if la == lb and self.level[label] < la:
                    continue
                if terrain == ORCHARD and self.leaves_road(label, pa, pb):
                    if la != lb and self.orchards_have_leaves:
                        why = N_("the orchard of {hex} in leaf stops the LOS")
                        found.append(("1.1.1.orchard.season", why, label))
                    elif la != lb:
                        found.append(("1.1.1.orchard.season", "", label))
                    else:
                        found.append(("1.1.1.orchard", "", label))
                    break  # one of the pair that shares a hexside
                if la != lb or len(hexes) > 1 or hexes in sole:
                    continue
                if terrain in (GRAIN, BRUSH) and self.crosses_drawing(label, pa, pb):
                    found.append(("1.1.1.grain" if terrain == GRAIN else "1.1.1.brush", "", label))
        return found

    def _hedge_in_the_way(self, a: str, b: str, met: Line, labels: list[str]) -> Obstacle | None:
        """A hedge that is of neither end stops a LOS at its level (1.1.1.hedges.los)."""
        if self.level[a] != self.level[b] or self.hedge_hexes.isdisjoint(labels):
            return None
        ends = (self.hex[a], self.hex[b])
        why = N_("the hedge of {hex} stops the LOS")

        def is_hedge(x: Hex, y: Hex) -> bool:
            return (self.at.get(x, ""), self.at.get(y, "")) in self.hedges

        for x, y in met.crossed:
            if is_hedge(x, y) and x not in ends and y not in ends:
                return Obstacle("1.1.1.hedges.los", why, self.at[x])
        for x, y in met.along:
            touches = any(distance(e, x) == 1 and distance(e, y) == 1 for e in ends)
            if is_hedge(x, y) and not touches:
                return Obstacle("1.1.1.hedges.los", why, self.at[x])
        for vertex in met.vertices:
            if any(end in vertex.hexes for end in ends):
                continue
            one, two, three = vertex.hexes
            hedged = [pair for pair in ((one, two), (two, three), (one, three)) if is_hedge(*pair)]
            across = [pair for pair in hedged if pair not in met.along]
            if len(across) >= 2:
                return Obstacle("1.1.1.hedges.los", why, self.at[across[0][0]])
        return None


def turned(a: int, b: int) -> int:
    """Hexspines between two facings."""
    gap = (a - b) % 6
    return min(gap, 6 - gap)


@lru_cache(maxsize=1 << 14)
def _arcs(q: int, r: int) -> tuple[int, ...]:
    found = []
    for k in range(6):
        (aq, ar), (bq, br) = DIRECTIONS[k], DIRECTIONS[(k + 1) % 6]
        det = aq * br - ar * bq
        x, y = (q * br - r * bq) * det, (aq * r - ar * q) * det
        if x >= 0 and y >= 0 and (x or y):
            found.append(k)
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def _sides(q: int, r: int) -> tuple[int, ...]:
    """Hexside k lies between corners k-1 and k."""
    found = []
    for k in range(6):
        d, e, f = DIRECTIONS[k - 1], DIRECTIONS[k], DIRECTIONS[(k + 1) % 6]
        before = d.q + e.q, d.r + e.r
        after = e.q + f.q, e.r + f.r
        det = before[0] * after[1] - before[1] * after[0]
        x = (q * after[1] - r * after[0]) * det
        y = (before[0] * r - before[1] * q) * det
        if x >= 0 and y >= 0 and (x or y):
            found.append(k)
    return tuple(found)


def _mix(near: int, far: int, weights: tuple[int, int]) -> int:
    """A coordinate on a hexside, near one corner."""
    return (near * weights[0] + far * weights[1]) * UNIT // 200


def _splits(piece: Piece, a: Point, b: Point) -> bool:
    """Whether the line has part of the piece on both sides."""
    (ax, ay), (bx, by) = a, b
    dx, dy = bx - ax, by - ay
    low = high = 0
    for x, y in piece:
        cross = dx * (y - ay) - dy * (x - ax)
        low, high = min(low, cross), max(high, cross)
    return low < 0 < high


def _clip(piece: Piece, a: Point, b: Point) -> tuple[Fraction, Fraction] | None:
    """The part of the segment inside a convex piece, boundary included, as times from 0 to 1."""
    (ax, ay), (bx, by) = a, b
    dx, dy = bx - ax, by - ay
    area = sum(
        x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(piece, (*piece[1:], piece[0]), strict=True)
    )
    sign = 1 if area > 0 else -1
    low, high = Fraction(0), Fraction(1)
    for (x1, y1), (x2, y2) in zip(piece, (*piece[1:], piece[0]), strict=True):
        ex, ey = x2 - x1, y2 - y1
        start = sign * (ex * (ay - y1) - ey * (ax - x1))
        slope = sign * (ex * dy - ey * dx)
        if slope == 0:
            if start < 0:
                return None
            continue
        time = Fraction(-start, slope)
        if slope > 0:
            low = max(low, time)
        else:
            high = min(high, time)
    return (low, high) if low < high else None


def map_path(name: str) -> Path:
    """The file of a map."""
    return data_path("aslsk", "maps", f"{name}.yaml")


@lru_cache(maxsize=16)
def ground(name: str, month: int) -> Ground:
    """A map by its name, in a month."""
    return Ground(load_board(map_path(name), TERRAINS, FEATURES), month)
