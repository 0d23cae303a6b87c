"""A map prepared for the rules: labels, neighbours, distances and costs, computed once per board.

Refs: raggio.distanza, movimento.mezzi-esagoni, componenti.mappe.
"""

from __future__ import annotations

from functools import lru_cache

from engine.core.board import Board
from engine.core.hexes import DIRECTIONS, Hex, add
from engine.core.index import indexed
from engine.core.rules import Side
from engine.toi.rules import sight
from engine.toi.state import tables
from engine.toi.state.state import Army, State
from engine.toi.state.tables import TerrainType


class Ground:
    """What rules ask of a map, by printed label. It never changes."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.hex: dict[str, Hex] = {board.label(h): h for h in board.hexes()}
        self.labels = tuple(self.hex)
        self.name: dict[Hex, str] = {h: label for label, h in self.hex.items()}
        self.toward: dict[str, tuple[str, ...]] = {
            label: tuple(self.name.get(add(h, step), "") for step in DIRECTIONS)
            for label, h in self.hex.items()
        }
        self.near: dict[str, tuple[str, ...]] = {
            label: tuple(n for n in there if n) for label, there in self.toward.items()
        }
        self.terrain: dict[str, TerrainType] = {
            label: tables.TERRAINS[board.terrain(h)] for label, h in self.hex.items()
        }
        self.level: dict[str, int] = {label: board.elevation(h) for label, h in self.hex.items()}
        self.costs: dict[tuple[str, str, str], int | None] = {}
        self._far: dict[str, dict[str, int]] = {}

    def distance(self, a: str, b: str) -> int:
        """Hexes from `a` to `b`, the target's included (raggio.distanza)."""
        return self.distances(a)[b]

    def distances(self, a: str) -> dict[str, int]:
        """Hexes from `a` to every other."""
        row = self._far.get(a)
        if row is None:
            q, r = self.hex[a]
            row = self._far[a] = {
                label: (abs(x - q) + abs(y - r) + abs(x + y - q - r)) // 2
                for label, (x, y) in self.hex.items()
            }
        return row

    def has_road(self, a: str, b: str) -> bool:
        """Whether one road joins two neighbours."""
        return self.board.has_road(self.hex[a], self.hex[b])


def ground(state: State) -> Ground:
    """The prepared map of a state."""
    return _ground(state.map, state.overlays, state.roads)


@lru_cache(maxsize=64)
def _ground(
    map_id: str, overlays: tuple[tuple[str, str], ...], roads: tuple[tuple[str, ...], ...]
) -> Ground:
    return Ground(tables.board(map_id, overlays, roads))


def fog(state: State) -> int:
    """How far one sees under an operation card that binds both sides; 0 without limit."""
    return _fog(state.armies)


@indexed(keep=4)
def _fog(armies: dict[Side, Army]) -> int:
    cards = [tables.OPERATIONS[name] for army in armies.values() for name in army.operations]
    return min((card.n for card in cards if card.effect == "fog"), default=0)


def sees(state: State, a: str, b: str) -> bool:
    """Whether there is a line of sight between two hexes."""
    smoke = tuple(sorted(state.smoke)) if state.smoke else ()
    return sight.sees(ground(state).board, a, b, smoke, _fog(state.armies))
