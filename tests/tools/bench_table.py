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

from app.shell.paths import cache_folder
from engine.core.rules import Command
from engine.drive import player_of
from engine.game import Game
from engine.saves.lines import FORMAT, Header
from engine.saves.replaying import chance_of
from engine.saves.writing import SaveFile
from engine.titles import TITLES
from rules_it.build import ensure
from rules_it.corpus import Corpus
from tests.tools.pty_run import Terminal

ENTER, TAB, UP, DOWN = "\r", "\t", "\x1b[A", "\x1b[B"
ANSWERS = 120


def saved_game(path: Path) -> str:
    """A game of the first scenario, some way in, for two people; the rule of its question."""
    title = TITLES["toi"]
    seats = {"us": "umano", "de": "umano"}
    header = Header(FORMAT, "toi", title.info.revision, "toi-s1", 3, {}, seats)
    game, rng = Game(title, "toi-s1", chance_of(header)), random.Random(1)
    bot = player_of(title, "medio")
    while (decision := game.position.decision) is not None:
        given = sum(isinstance(entry, Command) for entry in game.entries)
        if given >= ANSWERS and decision.side == "us" and len(decision.options) > 3:
            SaveFile.create(path, header, game)
            return decision.ruling.refs[0]
        state, side = game.position.draft, decision.side
        game.answer(bot.choose(lambda s=state, w=side: title.view(s, w), decision, rng))  # type: ignore[misc]
    raise AssertionError("the game ended too soon")


def measure(times: int = 15) -> dict[str, float]:
    """Milliseconds, medians and the worst of twenty."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "prova.prontuario"
        entry = Corpus.load(ensure(cache_folder())).entries[saved_game(path)]
        terminal = Terminal([sys.executable, "-m", "app", "gioca", str(path)])
        try:
            terminal.read(30, 3.0)
            marks = [terminal.press((DOWN, UP)[n % 2])[0] for n in range(times)]
            rules = []
            for _n in range(times):
                terminal.press("e", silence=0.5)
                terminal.type("r")
                rules.append(terminal.wait_for(entry.title) * 1000)
        finally:
            terminal.close()
    return {
        "mark_ms": statistics.median(marks),
        "rule_ms": statistics.median(rules),
        "rule_p95_ms": statistics.quantiles(rules, n=20)[-1],
        "rule_goal_ms": 100,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(), indent=2) + "\n")
