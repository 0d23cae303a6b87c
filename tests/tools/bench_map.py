"""How fast the map is: key press to repaint, in a real pty, against a naive redraw.

    python -m tests.tools.bench_map

Both programs show the same 60×40 map at 120×40. The naive one puts the whole map into a Rich Text
and a Static at every key; it is given our painter and its cached tiles, so that what is compared
is the way of drawing. A latency ends with the last byte that the key caused.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from contextlib import contextmanager
from typing import IO, Any

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.containers import ScrollableContainer
from textual.widgets import Static

from app.widgets.hexmap import HexMap
from engine.core.hexes import DIRECTIONS, add
from tests.tools.map_demo import generated
from tests.tools.pty_run import Terminal

COLUMNS, ROWS = 120, 40
KEYS = {"right": "\x1b[C", "left": "\x1b[D"}
STEPS = {"up": 0, "down": 3, "right": 2, "left": 5}
BUSY = "while True: sum(range(100_000))"


# --- the two programs -------------------------------------------------------------------------


class Ours(App[None]):
    """The map as it is."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__()
        self.map = HexMap(view=generated("pointy", columns, rows))

    def compose(self) -> ComposeResult:
        yield self.map

    def on_mount(self) -> None:
        assert self.map.view is not None
        grid = self.map.view.board.grid
        self.map.cursor = grid.from_offset(8, 6)
        self.map.focus()


class Naive(App[None]):
    """The whole map as one Rich Text, made again at every key."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__()
        self.source = HexMap(view=generated("pointy", columns, rows))
        self.text = Static()

    def compose(self) -> ComposeResult:
        with ScrollableContainer(can_focus=False):
            yield self.text

    def on_mount(self) -> None:
        painter = self.source.painter
        assert painter is not None
        self.text.styles.width, self.text.styles.height = self.source.virtual_size
        painter.table.cursor = painter.table.board.grid.from_offset(8, 6)
        self.draw()

    def on_key(self, event: events.Key) -> None:
        painter = self.source.painter
        assert painter is not None
        here = painter.table.cursor
        assert here is not None
        if event.key in STEPS:
            goal = add(here, DIRECTIONS[STEPS[event.key]])
            painter.table.cursor = goal
            painter.forget((here, goal))
            self.draw()
            region = self.source.region_of(goal).grow((3, 8, 3, 8))
            self.query_one(ScrollableContainer).scroll_to_region(region, animate=False)

    def draw(self) -> None:
        painter = self.source.painter
        assert painter is not None
        width, height = self.source.virtual_size
        left, top = self.source._origin
        text = Text(no_wrap=True)
        for y in range(height):
            for _start, h, row in painter.geometry.tiles(y - top, -left, width - left):
                for part in painter.tile(h)[row]:
                    text.append(part.text, part.style)
            text.append("\n")
        self.text.update(text)


# --- measuring --------------------------------------------------------------------------------


def opened(*args: str) -> Terminal:
    """One of the two programs, painted."""
    terminal = Terminal([sys.executable, "-m", "tests.tools.bench_map", *args], (COLUMNS, ROWS))
    terminal.read(20, 1.0)
    return terminal


@contextmanager
def busy() -> Any:
    """Another process at work meanwhile, as the bots and the index are."""
    work = subprocess.Popen([sys.executable, "-c", BUSY])
    try:
        yield
    finally:
        work.kill()
        work.wait()


def local(terminal: Terminal, count: int) -> list[tuple[float, int]]:
    """Steps to and fro inside the window."""
    return [terminal.press(KEYS[("left", "right")[n % 2]]) for n in range(count)]


def scrolling(terminal: Terminal, count: int) -> list[tuple[float, int]]:
    """Steps along the edge of the window: each scrolls."""
    return [terminal.press(KEYS["right"]) for _n in range(count)]


def median(found: list[tuple[float, int]]) -> float:
    """The middle latency."""
    return statistics.median([ms for ms, _count in found])


def p95(found: list[tuple[float, int]]) -> float:
    """The latency that one step in twenty exceeds."""
    return statistics.quantiles([ms for ms, _count in found], n=20)[-1]


def measure(rounds: int = 3) -> dict[str, float]:
    """Latencies in milliseconds and their ratios, both programs taking turns."""
    ours, naive = opened("--ours"), opened("--naive")
    small = opened("--ours", "--size", "24x20")
    try:
        walk: dict[str, list[tuple[float, int]]] = {"o": [], "n": [], "s": []}
        roll: dict[str, list[tuple[float, int]]] = {"o": [], "n": []}
        for terminal in (ours, naive):
            scrolling(terminal, 5)  # to the edge of the window
        for _n in range(rounds):
            walk["o"] += local(ours, 12)
            walk["s"] += local(small, 12)
            walk["n"] += local(naive, 4)
            roll["o"] += scrolling(ours, 10)
            roll["n"] += scrolling(naive, 3)
        idle: list[tuple[float, int]] = []
        under_work: list[tuple[float, int]] = []
        for _n in range(2 * rounds):
            idle += local(ours, 24)
            with busy():
                under_work += local(ours, 24)
    finally:
        for terminal in (ours, naive, small):
            terminal.close()
    return {
        "local_ms": median(walk["o"]),
        "local_naive_ms": median(walk["n"]),
        "local_ratio": median(walk["n"]) / median(walk["o"]),
        "local_bytes": statistics.median([count for _ms, count in walk["o"]]),
        "scroll_ms": median(roll["o"]),
        "scroll_naive_ms": median(roll["n"]),
        "scroll_ratio": median(roll["n"]) / median(roll["o"]),
        "scroll_bytes": statistics.median([count for _ms, count in roll["o"]]),
        "size_ratio": median(walk["o"]) / median(walk["s"]),
        "idle_p95_ms": p95(idle),
        "work_p95_ms": p95(under_work),
        "work_ratio": p95(under_work) / p95(idle),
    }


def main() -> None:
    """Print the measurements, or be one of the programs measured."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--ours", action="store_true")
    parser.add_argument("--naive", action="store_true")
    parser.add_argument("--size", default="60x40")
    args = parser.parse_args()
    columns, rows = map(int, args.size.split("x"))
    if args.ours or args.naive:
        (Ours if args.ours else Naive)(columns, rows).run()
        return
    out: IO[str] = sys.stdout
    out.write(json.dumps({k: round(v, 2) for k, v in measure().items()}, indent=2) + "\n")


if __name__ == "__main__":
    main()
