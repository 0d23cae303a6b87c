"""What a player waits for at the table: an answer, a rule beside the map. In a real pty.

python -m tests.tools.bench_table
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import tempfile
from pathlib import Path

from engine.core.rules import Command
from engine.drive import player_of
from engine.game import Game
from engine.saves.lines import FORMAT, Header
from engine.saves.replaying import chance_of
from engine.saves.writing import SaveFile
from engine.titles import TITLES
from tests.tools.pty_run import Terminal

ENTER, TAB, UP, DOWN = "\r", "\t", "\x1b[A", "\x1b[B"
ANSWERS = 120
RING = "255;240;106"
"""The colour of the rings around answers, as a terminal is told it."""


def saved_game(path: Path) -> None:
    """A game of the first scenario, some way in, for two people."""
    title = TITLES["toi"]
    seats = {"us": "umano", "de": "umano"}
    header = Header(FORMAT, "toi", title.info.revision, "toi-s1", 3, {}, seats)
    game, rng = Game(title, "toi-s1", chance_of(header)), random.Random(1)
    bot = player_of(title, "medio")
    while (decision := game.position.decision) is not None:
        given = sum(isinstance(entry, Command) for entry in game.entries)
        if given >= ANSWERS and decision.side == "us" and len(decision.options) > 3:
            SaveFile.create(path, header, game)
            return
        state, side = game.position.draft, decision.side
        game.answer(bot.choose(lambda s=state, w=side: title.view(s, w), decision, rng))  # type: ignore[misc]
    raise AssertionError("the game ended too soon")


def worst_of_twenty(values: list[float]) -> float:
    """The value below which 95 of 100 lie."""
    return statistics.quantiles(values, n=20)[-1]


def measure(times: int = 40) -> dict[str, float]:
    """Milliseconds, medians and the worst of twenty.

    Marking an answer paints question and map at once, with the rings of the answers; what follows
    (rule and chance) is measured apart, as the last paint. `rule` is the last paint after a key
    that walks a line of the chronicle: its moment on the map, then its rule. `cpu` is what a busy
    machine leaves alone: processor time of the program for one key.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "prova.prontuario"
        saved_game(path)
        terminal = Terminal([sys.executable, "-m", "app", "gioca", str(path)])
        try:
            terminal.read(30, 3.0)
            before = terminal.cpu
            marks = [terminal.press_for((DOWN, UP)[n % 2], RING) for n in range(times)]
            mark_cpu = (terminal.cpu - before) / times
            terminal.press("e", silence=0.5)
            terminal.press(UP, silence=0.5)
            before = terminal.cpu
            rules = [terminal.press((UP, DOWN)[n % 2])[0] for n in range(times)]
            rule_cpu = (terminal.cpu - before) / times
        finally:
            terminal.close()
    firsts, lasts = [first for first, _last in marks], [last for _first, last in marks]
    return {
        "mark_map_ms": statistics.median(firsts),
        "mark_map_p95_ms": worst_of_twenty(firsts),
        "mark_map_goal_ms": 16,
        "mark_last_ms": statistics.median(lasts),
        "mark_last_p95_ms": worst_of_twenty(lasts),
        "mark_last_goal_ms": 50,
        "mark_cpu_ms": mark_cpu,
        "rule_ms": statistics.median(rules),
        "rule_p95_ms": worst_of_twenty(rules),
        "rule_goal_ms": 50,
        "rule_cpu_ms": rule_cpu,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(), indent=2) + "\n")
