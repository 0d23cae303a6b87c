"""The board and what rules ask of it: neighbours, levels, sides, roads, sectors.

Definitions: 2.1, 2.1.punti-fuoco, 2.1.riquadri-sbarco, 2.1.uscite.
"""

from __future__ import annotations

from functools import cache

from engine.core import hexes
from engine.core.board import Board, load_board
from engine.core.data import data_path
from engine.core.hexes import Hex
from engine.core.text import N_
from engine.ddob.state.book import EAST, WEST
from engine.ddob.state.tables import BOXES, DOTS, DOUBTS, MID, POSITIONS, TIDES
from engine.ddob.state.tables import HIGH as HIGH_TIDE
from engine.ddob.state.tables import LOW as LOW_TIDE

TERRAINS = (
    N_("beach"),
    N_("pavilion"),
    N_("pavilion with buildings"),
    N_("valley"),
    N_("valley with woods"),
    N_("valley with buildings"),
    N_("high ground"),
    N_("bocage"),
    N_("buildings"),
    N_("woods"),
    N_("rough"),
    N_("landing box"),
    N_("sea"),
)
SIDES = (
    N_("shingle"),
    N_("seawall"),
    N_("anti-tank ditch"),
    N_("anti-tank wall"),
    N_("sheer cliff"),
    N_("scaleable cliff"),
    N_("bluff"),
    N_("slope"),
    N_("hedge"),
)
ROADS = (
    N_("primary road"),
    N_("secondary road"),
    N_("trail"),
    N_("mined road"),
    N_("mined trail"),
)
EXITS = tuple(f"exit {letter}" for letter in "ABCDEFG")
MARKERS = (*TIDES, N_("obstacle"), *EXITS)
PROTECTIVE = ("shingle", "seawall", "slope", "bluff", "scaleable cliff")
PAVED = ("primary road", "secondary road")
MINED = ("mined road", "mined trail")
COVER = {
    "pavilion with buildings": "buildings",
    "valley with buildings": "buildings",
    "valley with woods": "woods",
    "buildings": "buildings",
    "bocage": "bocage",
    "woods": "woods",
    "rough": "rough",
}
PLAYABLE = TERRAINS[:11]

BOARD: Board = load_board(data_path("ddob", "map.yaml"), TERRAINS, (*SIDES, *ROADS, *MARKERS))
HEX: dict[str, Hex] = {BOARD.label(h): h for h in BOARD.hexes()}
TERRAIN_AT: dict[str, str] = {label: BOARD.terrain(h) for label, h in HEX.items()}
LAND: tuple[str, ...] = tuple(label for label, t in TERRAIN_AT.items() if t in PLAYABLE)
NEIGHBOURS: dict[str, tuple[str, ...]] = {
    label: tuple(
        BOARD.label(n)
        for n in hexes.neighbours(HEX[label])
        if n in BOARD and BOARD.terrain(n) in PLAYABLE
    )
    for label in LAND
}
TIDE_AT: dict[str, str] = {
    BOARD.label(h): next(m for m in marks if m in TIDES)
    for h, marks in BOARD.markers.items()
    if any(m in TIDES for m in marks)
}
OBSTACLES: tuple[str, ...] = tuple(
    label for label in LAND if "obstacle" in BOARD.markers_at(HEX[label])
)
EXIT_AT: dict[str, str] = {
    BOARD.label(h): next(m for m in marks if m in EXITS)[-1]
    for h, marks in BOARD.markers.items()
    if any(m in EXITS for m in marks)
}


def level_of(terrain: str) -> str:
    """Low ground is beach, pavilion and draw (2.1)."""
    return "low" if terrain.partition(" ")[0] in ("beach", "pavilion", "valley") else "high"


IS_LOW: dict[str, bool] = {label: level_of(TERRAIN_AT[label]) == "low" for label in LAND}
AROUND: dict[str, tuple[str, ...]] = {
    label: tuple(n for n in NEIGHBOURS[label] if not IS_LOW[label] or IS_LOW[n]) for label in LAND
}
"""What a unit can control from a hex: nothing uphill (12.11)."""
BASE: dict[str, str] = {label: TERRAIN_AT[label].partition(" with")[0] for label in LAND}
"""Beach, pavilion or draw without its cover; other terrain as it is."""
COVER_AT: dict[str, str] = {
    label: COVER[TERRAIN_AT[label]] for label in LAND if TERRAIN_AT[label] in COVER
}
SEASIDE: frozenset[str] = frozenset(
    label
    for label in LAND
    if BASE[label] == "pavilion" and any(BASE[n] == "beach" for n in NEIGHBOURS[label])
)
"""Pavilion hexes next to a beach (12.2, 16.5)."""
SIDE: dict[tuple[str, str], tuple[str, ...]] = {}
ROAD: dict[tuple[str, str], tuple[str, ...]] = {}
for _a in LAND:
    for _b in NEIGHBOURS[_a]:
        if _sides := BOARD.side(HEX[_a], HEX[_b]):
            SIDE[_a, _b] = _sides
        _edge = hexes.edge(HEX[_a], HEX[_b])
        if _roads := BOARD.roads.get(_edge, ()):
            ROAD[_a, _b] = _roads
ON_ROAD: dict[str, tuple[str, ...]] = {}
for (_a, _b), _kinds in ROAD.items():
    ON_ROAD[_a] = tuple(dict.fromkeys((*ON_ROAD.get(_a, ()), *_kinds)))
SHELTERED: frozenset[str] = frozenset(
    label
    for label in LAND
    if any(s in PROTECTIVE for n in NEIGHBOURS[label] for s in SIDE.get((label, n), ()))
)
"""Hexes with a protective hexside (7.1.auto-conservazione)."""
BEACH_DOTTED: frozenset[str] = frozenset(
    p.id for p in POSITIONS.values() if any(BASE.get(h) == "beach" for h in DOTS[p.id])
)
"""Positions with a printed dot on a beach hex (8.12)."""
BARRIERS = ("anti-tank ditch", "anti-tank wall")


@cache
def distance(a: str, b: str) -> int:
    """The hexes between two labels, counting the second."""
    return hexes.distance(HEX[a], HEX[b])


@cache
def distances(label: str) -> dict[str, int]:
    """How far every hex on land is from one."""
    here = HEX[label]
    return {other: hexes.distance(here, HEX[other]) for other in LAND}


def sector(label: str) -> str:
    """East or west of the dashed line (2.1)."""
    row, column = int(label[:2]), int(label[2:])
    return EAST if column <= (19 if row % 2 else 18) else WEST


SECTOR: dict[str, str] = {label: sector(label) for label in LAND}
AT_THE_LINE: frozenset[str] = frozenset(
    label for label in LAND if any(SECTOR[n] != SECTOR[label] for n in NEIGHBOURS[label])
)
"""Hexes next to the line between the sectors (7.22)."""


def _shelter_distances() -> dict[str, int]:
    """Beach hexes to the nearest sheltered beach hex, through beach hexes (casa.18)."""
    found = {h: 0 for h in LAND if BASE[h] == "beach" and h in SHELTERED}
    waiting = list(found)
    for here in waiting:
        for there in NEIGHBOURS[here]:
            if BASE[there] == "beach" and there not in found:
                found[there] = found[here] + 1
                waiting.append(there)
    return found


SHELTER: dict[str, int] = _shelter_distances()


def is_submerged(label: str, tide: str) -> bool:
    """Whether a hex lies under water at a tide (5.21)."""
    own = TIDE_AT.get(label)
    return (own == LOW_TIDE and tide != LOW_TIDE) or (own == MID and tide == HIGH_TIDE)


def box_hex(box: str) -> str:
    """Where a landing box is printed."""
    return BOXES[box].hex


def roads(a: str, b: str) -> tuple[str, ...]:
    """The roads across a hexside."""
    return ROAD.get((a, b), ())


def is_doubtful(kind: str, a: str, b: str) -> bool:
    """Whether the map does not show for certain that a side or a trail joins two hexes."""
    doubt = DOUBTS.get(kind)
    return doubt is not None and (not doubt.sides or (a, b) in doubt.sides or (b, a) in doubt.sides)


def is_barred(a: str, b: str) -> bool:
    """Whether engineers must open the side between two hexes: a mined road or a barrier (19.3)."""
    return any(kind in MINED for kind in roads(a, b)) or any(
        side in BARRIERS for side in SIDE.get((a, b), ())
    )
