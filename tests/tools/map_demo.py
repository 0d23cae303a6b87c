"""A map to look at: `python -m tests.tools.map_demo [pointy|flat|toi-s1|…] [zoom]`.

A generated 60×40 board with every terrain, or one of the maps of Tide of Iron. Keys: those of
the map, and o to walk through the overlays.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import ClassVar, Literal

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, Static

from app.presenters.base import GenericPresenter
from app.screens.themes import THEMES
from app.widgets.hexmap import HexMap
from app.widgets.minimap import Minimap
from engine.core.board import Board, load_board
from engine.core.hexes import Grid, Hex, disk, distance, edge, line, neighbours
from engine.core.text import Msg
from engine.core.title import Sight
from engine.core.view import CounterView, Mark, View

MAPS = Path(__file__).parents[2] / "engine" / "toi" / "data" / "maps"
PATCHES = {  # terrain: how many patches, how large
    "woods": (40, 14),
    "rough": (18, 8),
    "grain": (14, 7),
    "orchard": (10, 4),
    "brush": (12, 6),
    "marsh": (7, 7),
    "bocage": (10, 6),
    "beach": (3, 9),
    "draw": (4, 5),
    "fortification": (4, 1),
    "wall": (4, 2),
    "building": (22, 4),
}
KINDS = ("squad", "machine gun", "tank", "mortar", "officer", "gun")


def generated(
    orientation: Literal["pointy", "flat"] = "pointy", columns: int = 60, rows: int = 40
) -> View:
    """A board with every terrain, some of each feature, and two armies."""
    rng = Random(7919)
    grid = Grid(columns, rows, orientation, "CCRR" if columns > 26 else "A1")
    hexes = grid.hexes()
    on = set(hexes)
    scale = len(hexes) / 2400
    terrains = dict.fromkeys(hexes, "open")
    elevations = dict.fromkeys(hexes, 0)

    def patch(size: int) -> set[Hex]:
        found = {rng.choice(hexes)}
        while len(found) < size:
            found.add(rng.choice(neighbours(rng.choice(sorted(found)))))
        return found & on

    for _n in range(max(2, round(14 * scale))):
        for h in patch(30):
            elevations[h] += 1
    for terrain, (count, size) in PATCHES.items():
        for _n in range(max(1, round(count * scale))):
            for h in patch(size):
                terrains[h] = terrain
    river = walk(grid, rng, columns // 4, 0, columns // 3, rows - 1)
    for n, h in enumerate(river):
        terrains[h] = "deep river" if n % 17 > 9 else "ford" if n % 13 == 5 else "flooded river"
        elevations[h] = 0
    for h in disk(grid.from_offset(columns * 3 // 4, rows // 3), 3):
        if h in on:
            terrains[h], elevations[h] = "lake", 0
    roads = {
        "road": (
            walk(grid, rng, 0, rows // 2, columns - 1, rows // 3),
            walk(grid, rng, columns // 2, 0, columns * 2 // 5, rows - 1),
        ),
        "trail": (walk(grid, rng, columns // 8, rows - 1, columns - 2, rows * 3 // 4),),
        "railway": (walk(grid, rng, columns - 4, 0, columns // 2, rows - 1),),
    }
    crossings: dict[tuple[Hex, Hex], tuple[str, ...]] = {}
    for kind, lines in roads.items():
        for walked in lines:
            for a, b in pairwise(walked):
                crossings[edge(a, b)] = (*crossings.get(edge(a, b), ()), kind)
            for h in walked:
                if "river" in terrains[h] or terrains[h] == "ford":
                    terrains[h] = "bridge"
    sides: dict[tuple[Hex, Hex], tuple[str, ...]] = {}
    for name in ("hedge", "wall", "cliff", "stream", "ditch", "shingle"):
        for _n in range(max(1, round(7 * scale))):
            here = rng.choice(hexes)
            ring = [h for h in neighbours(here) if h in on]
            for h in ring[: rng.randint(2, 4)]:
                sides[edge(here, h)] = (name,)
    board = Board(
        name="Demo",
        provenance="ricostruito",
        ref="toi:componenti.mappe",
        grid=grid,
        terrains=terrains,
        elevations=elevations,
        sides=sides,
        lines=roads,
        roads=crossings,
        markers={rng.choice(hexes): ("bunker",), rng.choice(hexes): ("trench",)},
        labels={h: grid.label(h) for h in hexes},
    )
    return populated(board, rng, max(12, round(120 * scale)))


def walk(grid: Grid, rng: Random, *ends: int) -> tuple[Hex, ...]:
    """A winding way between two drawing positions."""
    here, goal = grid.from_offset(*ends[:2]), grid.from_offset(*ends[2:])
    way = [here]
    while here != goal:
        near = [h for h in neighbours(here) if h in grid and h not in way]
        near.sort(key=lambda h: distance(h, goal) + rng.choice((0, 0, 0, 1, 2)))
        if not near:
            break
        here = near[0]
        way.append(here)
    return tuple(way)


def populated(board: Board, rng: Random, count: int) -> View:
    """Counters of two sides, stacks, states, objectives, smoke."""
    hexes = [h for h in board.hexes() if board.terrain(h) not in ("lake", "deep river")]
    counters = []
    spots = rng.sample(hexes, min(count, len(hexes) // 3))
    for n, h in enumerate(spots):
        side = "us" if board.grid.offset(h)[0] < board.grid.columns / 2 else "de"
        for k in range(rng.choice((1, 1, 1, 2, 3))):
            kind = rng.choice(KINDS)
            states = rng.choice(((), (), ("fatigued",), ("pinned",), ("pinned", "op fire")))
            name = Msg("{n}. " + kind, {"n": n + 1})
            strength = str(rng.randint(1, 12))
            counters.append(
                CounterView(f"{side}{n}.{k}", side, kind, name, h, "", strength, states)
            )
    marks: dict[str, tuple[Mark, ...]] = {}
    for n, h in enumerate(rng.sample(hexes, max(4, len(hexes) // 60))):
        mark = (Mark("smoke"), Mark("objective", None, "2"), Mark("objective", "de", "3"))[n % 3]
        marks[board.label(h)] = (mark,)
    return View("us", Msg("action phase"), board, tuple(counters), marks)


def toi(name: str) -> View:
    """A map of Tide of Iron with some counters."""
    board = load_board(MAPS / f"{name}.yaml", AnyName(), AnyName())
    return populated(board, Random(7919), 22)


class AnyName(tuple[str, ...]):
    """A collection that knows every name: here maps are looked at, not checked."""

    def __contains__(self, name: object) -> bool:
        return True


class MapDemo(App[None]):
    """The map, the small map, and what the cursor is on."""

    CSS = """
    #side { width: 34; border-left: solid $primary 40%; padding: 0 1; }
    #side.narrow { display: none; }
    Minimap { height: 22; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "overlay", "Overlay"),
        Binding("h", "side", "Side"),
        Binding("t", "tone", "Theme"),
        Binding("a", "ascii", "ASCII"),
        Binding("q", "quit", "Quit"),
    ]

    def __init__(self, view: View, zoom: int = 1, plain: bool = False) -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name
        self.view = view
        presenter = GenericPresenter(("us", "de"))
        self.map = HexMap(presenter, view, zoom=zoom, plain=plain)
        self.map.describe = lambda h: presenter.describe(view, h)
        self.step = 0

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield self.map
            with Vertical(id="side"):
                yield Minimap(self.map)
                yield Static("", id="text", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        grid = self.view.board.grid
        self.map.cursor = grid.from_offset(grid.columns // 3, grid.rows // 3)
        self.map.centre_on(self.map.cursor)
        self.map.focus()

    def on_resize(self) -> None:
        self.query_one("#side").set_class(self.size.width < 100, "narrow")

    def on_hex_map_cursor_moved(self, message: HexMap.CursorMoved) -> None:
        describe = self.map.describe
        if describe is not None:
            self.query_one("#text", Static).update(describe(message.hex))

    def action_side(self) -> None:
        self.query_one("#side").toggle_class("narrow")

    def action_tone(self) -> None:
        names = [theme.name for theme in THEMES]
        self.theme = names[(names.index(self.theme) + 1) % len(names)]

    def action_ascii(self) -> None:
        self.map.plain = not self.map.plain

    def action_overlay(self) -> None:
        """Show the overlays, one kind after another."""
        at, board, here = self.map, self.view.board, self.map.cursor or Hex(0, 0)
        at.clear_overlays()
        self.step += 1
        near = [h for h in disk(here, 3) if h in board and h != here]
        held = {c.hex for c in self.view.counters if c.side == "de"}
        match self.step % 6:
            case 1:
                at.reachable = {h: str(distance(h, here)) for h in near}
                at.refused = {h for h in near if board.terrain(h) in ("building", "lake")}
            case 2:
                at.options = {h for h in near if h.q % 2}
                at.refused = {h for h in near if not h.q % 2}
            case 3:
                at.in_range = {h for h in disk(here, 4) if h in board}
                at.targets = {h: f"{20 + 7 * n % 80}%" for n, h in enumerate(near) if h in held}
            case 4:
                goal = next(h for h in disk(here, 5) if h in board and distance(h, here) == 5)
                met = tuple(h for hexes in line(here, goal).stretches for h in hexes)
                at.sight = Sight(here, goal, met, False, (), met[len(met) // 2])
            case 5:
                at.sheet = {h: str(n % 4 + 1) for n, h in enumerate(near)}
                at.control = {h: "us" if h.q % 2 else "de" for h in near}
            case _:
                pass


def main(args: list[str]) -> None:
    """Show a map."""
    which = args[0] if args else "pointy"
    zoom = int(args[1]) if len(args) > 1 else 1
    view = generated(which) if which in ("pointy", "flat") else toi(which)  # type: ignore[arg-type]
    MapDemo(view, zoom, "ascii" in args).run()


if __name__ == "__main__":
    main(sys.argv[1:])
