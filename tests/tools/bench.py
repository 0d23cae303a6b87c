"""`make bench`: figures as JSON, as ratios against references measured in the same run.

Nothing here is a test: machines differ, ratios travel. Results are written to bench/.
"""

from __future__ import annotations

import compileall
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from engine.core.hexes import Grid, _template, line
from engine.core.rules import Command
from engine.core.title import Title
from engine.drive import RANDOM, RandomPlayer, drive, player_of, sides_of
from engine.game import Game, SeededChance
from engine.odds import Odds, OverBudget, odds
from engine.saves.lines import FORMAT, Header
from engine.saves.writing import SaveFile
from tests.titles.oracles import positions
from tests.titles.registry import ALL
from tests.tools import bench_map, bench_search, bench_table
from tests.tools.pty_run import seconds_to

ROOT = Path(__file__).parents[2]
OUT = ROOT / "bench"
QUESTIONS = 300
ANSWERS = 3_000
CHESS = {"toi": 0.39, "ddob": 0.33, "aslsk": 0.33, "warfare": 0.42}
"""How fast random playouts should be, as a share of random chess."""
PLIES = {"toi": 14.9, "ddob": 41.0, "aslsk": 14.3, "warfare": 11.6}
"""What an entry of such a game cost before the second storey, in plies of random chess."""
GAMES = range(2, 8)
T = TypeVar("T")


def median(measure: Callable[[], float], times: int = 5) -> float:
    """The median of some runs."""
    return statistics.median(measure() for _ in range(times))


def percentile(values: list[float], share: float) -> float:
    """The value below which a share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def start() -> dict[str, Any]:
    """Start to first paint, against an empty Textual program; both with bytecode."""
    for folder in ("app", "engine", "rules_it", "tests/tools"):
        compileall.compile_dir(str(ROOT / folder), quiet=2)
    ours, minimal = [], []
    for _ in range(7):  # interleaved, so that both see the same noise
        ours.append(seconds_to([str(ROOT / ".venv/bin/prontuario")], "Comincia da qui"))
        minimal.append(seconds_to([sys.executable, "-m", "tests.tools.minimal_app"], "pronto"))
    mine, theirs = statistics.median(ours), statistics.median(minimal)
    return {"seconds": mine, "minimal_seconds": theirs, "ratio": mine / theirs, "goal": "<= 1.5"}


def per_second(playout: Callable[[int], int]) -> float:
    """Decisions of random games, numbered from 1, for about a second."""
    count, seed, begun = 0, 0, time.perf_counter()
    while time.perf_counter() - begun < 1.0:
        seed += 1
        count += playout(seed)
    return count / (time.perf_counter() - begun)


def chess_plies(seed: int) -> int:
    """A random game of chess with python-chess: how many plies it has."""
    import chess

    rng, board = random.Random(seed), chess.Board()
    while not board.is_game_over():
        board.push(rng.choice(list(board.legal_moves)))
    return board.ply()


def decisions(slug: str) -> dict[str, Any]:
    """Random playouts with citations on, beside random games of chess."""
    title = ALL[slug]

    def answers(scenario: str, seed: int) -> int:
        game = Game(title, scenario, SeededChance(seed))
        drive(game, dict.fromkeys(sides_of(game), RandomPlayer()), random.Random(seed))
        return sum(isinstance(entry, Command) for entry in game.entries)

    plies = median(lambda: per_second(chess_plies))
    rates = {
        info.id: round(median(lambda id=info.id: per_second(partial(answers, id))))  # type: ignore[misc]
        for info in title.scenarios()
    }
    slowest = min(rates.values())
    return {"per_second": rates, "slowest": slowest, "goal": ">= 2000",
            "chess_plies_per_second": round(plies), "ratio": slowest / plies,
            "ratio_goal": f">= {CHESS.get(slug, 0.25)}"}  # fmt: skip


def ply_seconds() -> float:
    """CPU time of a ply of random chess."""
    plies, seed, begun = 0, 0, time.process_time()
    while time.process_time() - begun < 0.5:
        seed += 1
        plies += chess_plies(seed)
    return (time.process_time() - begun) / plies


def players(slug: str) -> dict[str, Any]:
    """A whole game between the strongest players: CPU time per entry, in plies of random chess
    measured in the same run, and beside the same game by chance."""
    title = ALL[slug]
    if not title.levels:
        return {}
    scenario = title.scenarios()[0].id
    costs, plies = {}, [ply_seconds()]
    for level in (title.levels[-1], RANDOM):
        game = Game(title, scenario, SeededChance(1))
        seated = {side: player_of(title, level) for side in sides_of(game)}
        begun = time.process_time()
        drive(game, seated, random.Random(1))
        costs[level] = 1000 * (time.process_time() - begun) / len(game.entries)
        plies.append(ply_seconds())
    best, chance = costs.values()
    found = {"ms_per_entry": best, "by_chance_ms": chance, "ratio": best / chance,
             "plies_per_entry": best / 1000 / statistics.median(plies)}  # fmt: skip
    if slug in PLIES:
        found["goal"] = f"plies per entry <= {PLIES[slug] / 1.5:.1f}, 1.5 x faster than before"
    return found


def evenly(items: Sequence[T], most: int) -> list[T]:
    """At most so many of the items, at equal distances."""
    number = min(most, len(items))
    return [items[place * len(items) // number] for place in range(number)]


def questions_of_games(title: Title[Any], scenario: str, least: int) -> list[Callable[[], Odds]]:
    """Every question about odds of some whole random games, to be asked later."""
    found: list[Callable[[], Odds]] = []
    for seed in GAMES:
        if len(found) >= least:
            break
        for game, decision in positions(title, scenario, seed, ANSWERS):
            belief = title.belief(game.position.rest, decision.side)
            draft = title.belief(game.position.draft, decision.side)
            for question in title.questions(draft, decision):
                found.append(partial(odds, title, belief, game.position.open, question))
    return found


def odds_time(slug: str) -> dict[str, Any]:
    """How long exact odds take, over questions of all scenarios, from first turn to last."""
    title = ALL[slug]
    times = []
    most = QUESTIONS // len(title.scenarios())
    for info in title.scenarios():
        for ask in evenly(questions_of_games(title, info.id, most), most):
            begun = time.perf_counter()
            with suppress(OverBudget):
                ask()
            times.append(time.perf_counter() - begun)
    if not times:
        return {"questions": 0}
    p95 = percentile(times, 0.95) * 1000
    return {"questions": len(times), "p50_ms": percentile(times, 0.5) * 1000, "p95_ms": p95,
            "goal": "p95 <= 10"}  # fmt: skip


def lines_of_sight() -> dict[str, Any]:
    """Obstacles on lines of a 40×30 map, against the same exact walk without templates."""
    hexes = Grid(40, 30).hexes()
    rng = random.Random(1)
    pairs = [(rng.choice(hexes), rng.choice(hexes)) for _ in range(20_000)]
    obstacles = frozenset(rng.sample(hexes, 60))
    sample = pairs[:500]

    def ours() -> float:
        begun = time.perf_counter()
        for a, b in pairs:
            any(h in obstacles for hexes in line(a, b).stretches for h in hexes)
        return (time.perf_counter() - begun) / len(pairs)

    def walked() -> float:
        begun = time.perf_counter()
        for a, b in sample:
            met = _template.__wrapped__(b.q - a.q, b.r - a.r)
            any((a.q + q, a.r + r) in obstacles for hexes in met.stretches for q, r in hexes)
        return (time.perf_counter() - begun) / len(sample)

    mine, theirs = median(ours), median(walked)
    return {"pairs_per_second": round(1 / mine), "ratio": theirs / mine, "goal": ">= 3"}


def durability() -> dict[str, Any]:
    """What an answer costs when it is safely on the disk, against one that is only handed to the
    system, and against the answer itself; a game of each title, played by chance."""
    found: dict[str, Any] = {"goal": "an answer of a person <= 10 ms in all"}
    for slug, title in ALL.items():
        costs: dict[str, list[float]] = {"answer": [], "written": [], "settled": []}
        with tempfile.TemporaryDirectory(dir=ROOT) as folder:
            game = Game(title, title.scenarios()[0].id, SeededChance(3))
            header = Header(FORMAT, slug, title.info.revision, game.scenario, 3)
            save = SaveFile.create(Path(folder) / "prova.prontuario", header, game)
            rng = random.Random(3)
            for n in range(200):
                if game.position.decision is None:
                    break
                begun = time.perf_counter()
                game.answer(rng.choice(game.position.decision.options).id)
                answered = time.perf_counter()
                save.sync(game, settle=bool(n % 2))
                costs["answer"].append(answered - begun)
                costs["settled" if n % 2 else "written"].append(time.perf_counter() - answered)
        found[slug] = {
            f"{name}_{what}_ms": 1000 * value
            for name, values in costs.items()
            for what, value in (
                ("p50", statistics.median(values)),
                ("p95", percentile(values, 0.95)),
            )
        }
    return found


def sections() -> dict[str, Callable[[], dict[str, Any]]]:
    """Everything that is measured, by name."""
    found: dict[str, Callable[[], dict[str, Any]]] = {"avvio": start, "linee": lines_of_sight}
    found["ricerca.calda"] = bench_search.warm
    found["ricerca.fredda"] = bench_search.cold
    found["ricerca.regola"] = bench_search.rule
    found["ricerca.qualita"] = bench_search.found
    found["mappa"] = bench_map.measure
    found["tavolo"] = bench_table.measure
    found["durata"] = durability
    for slug in ALL:
        found[f"decisioni.{slug}"] = lambda slug=slug: decisions(slug)
        found[f"giocatori.{slug}"] = lambda slug=slug: players(slug)
        found[f"probabilita.{slug}"] = lambda slug=slug: odds_time(slug)
    return found


def main(names: list[str]) -> int:
    """Measure the sections named, or all; print and keep the figures."""
    results: dict[str, Any] = {}
    for name, measure in sections().items():
        if not names or any(name.startswith(wanted) for wanted in names):
            results[name] = measure()
            sys.stderr.write(f"{name}: {results[name]}\n")
    text = json.dumps(results, indent=2, ensure_ascii=False)
    OUT.mkdir(exist_ok=True)
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    (OUT / f"{stamp}.json").write_text(text + "\n", encoding="utf-8")
    sys.stdout.write(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
