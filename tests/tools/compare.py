"""This tree against another checkout, run by turns so that both see the same noise.

    python -m tests.tools.compare OTHER [--rounds 5] [--title toi]

Random playouts of the slowest scenario of each title and whole games between its strongest
players: CPU time per entry, the ratio of medians (above 1 this tree is faster), whether equal
seeds still play equal games. The other checkout needs its own `.venv`.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from engine.drive import RandomPlayer, drive, player_of, sides_of
from engine.game import Game, SeededChance, digest
from engine.titles import TITLES

ROOT = Path(__file__).parents[2]
SLOWEST = {"toi": "toi-s2-4", "ddob": "d-day", "aslsk": "R4", "warfare": "s5-4"}
QUICKEST = {"toi": "toi-s1", "ddob": "easy-fox", "aslsk": "R2", "warfare": "s1"}
"""Where the strongest players play: their games are long."""


def playouts(slug: str, seconds: float = 1.5) -> dict[str, Any]:
    """Random games for about that long: CPU seconds per decision."""
    title, count, used, seed = TITLES[slug], 0, 0.0, 0
    while used < seconds:
        seed += 1
        game = Game(title, SLOWEST[slug], SeededChance(seed))
        begun = time.process_time()
        drive(game, dict.fromkeys(sides_of(game), RandomPlayer()), random.Random(seed))
        used += time.process_time() - begun
        count += len(game.entries)
    return {"cost": used / count}


def strongest(slug: str, seed: int = 1) -> dict[str, Any]:
    """One game between the strongest players: CPU seconds per entry, and where it ended."""
    title = TITLES[slug]
    game = Game(title, QUICKEST[slug], SeededChance(seed))
    players = {side: player_of(title, title.levels[-1]) for side in sides_of(game)}
    begun = time.process_time()
    drive(game, players, random.Random(seed))
    used = time.process_time() - begun
    rolled = [entry for entry in game.entries if not hasattr(entry, "option")]
    return {"cost": used / len(game.entries), "game": f"{len(game.entries)} {digest(rolled)}"}


MEASURES = {"playouts": playouts, "strongest": strongest}


def measured(tree: Path, name: str, slug: str) -> dict[str, Any]:
    """One measure in one tree, by this file whatever the tree has."""
    code = f"import runpy; runpy.run_path({str(Path(__file__))!r}, run_name='one')"
    command = [str(tree / ".venv/bin/python"), "-c", code, name, slug]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main(given: list[str]) -> None:
    """Compare, and print a line for each title and measure."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("other", type=Path)
    asked.add_argument("--rounds", type=int, default=5)
    asked.add_argument("--title", choices=TITLES, action="append")
    wanted = asked.parse_args(given)
    for slug in wanted.title or TITLES:
        for name in MEASURES:
            runs: dict[Path, list[dict[str, Any]]] = {ROOT: [], wanted.other: []}
            for _ in range(wanted.rounds):
                for tree, found in runs.items():
                    found.append(measured(tree, name, slug))
            ours, theirs = (statistics.median(r["cost"] for r in found) for found in runs.values())
            games = {run["game"] for found in runs.values() for run in found if "game" in run}
            equal = "" if not games else ", equal games" if len(games) == 1 else f", {games}"
            sys.stdout.write(
                f"{slug} {name}: {theirs / ours:.2f} x ({ours * 1e6:.0f} µs an entry){equal}\n"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
elif __name__ == "one":
    sys.stdout.write(json.dumps(MEASURES[sys.argv[1]](sys.argv[2])))
