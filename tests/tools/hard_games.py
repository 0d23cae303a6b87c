"""Whole games between the strongest players of each title, with the invariants at every question.

    python -m tests.tools.hard_games [--games 250] [--title toi] [--first 1]

Scenarios take turns. Prints every fault with its seed, and how many games had none.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator

from engine.drive import player_of, sides_of
from engine.game import Game, SeededChance
from engine.titles import TITLES

MENDING = {"assault.excess"}
"""Questions that put the table in order: until they are answered it is not."""


def faults(slug: str, scenario: str, seed: int) -> Iterator[str]:
    """What is wrong on the table at any question of one game between the strongest players."""
    title, rng = TITLES[slug], random.Random(seed)
    game = Game(title, scenario, SeededChance(seed))
    players = {side: player_of(title, title.levels[-1]) for side in sides_of(game)}
    while (decision := game.position.decision) is not None:
        table = game.position.rest if decision.id in MENDING else game.position.draft
        for fault in title.invariants(table):
            yield f"{slug} {scenario}, seed {seed}, entry {len(game.entries)}: {fault}"
        draft, side = game.position.draft, decision.side

        def look(draft=draft, side=side):  # type: ignore[no-untyped-def]
            return title.view(draft, side)

        game.answer(players[side].choose(look, decision, rng))
    yield from (
        f"{slug} {scenario}, seed {seed}: {f}" for f in title.invariants(game.position.rest)
    )


def main(given: list[str]) -> int:
    """Play, and tell what was found."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--games", type=int, default=250)
    asked.add_argument("--first", type=int, default=1)
    asked.add_argument("--title", choices=TITLES, action="append")
    wanted = asked.parse_args(given)
    broken = 0
    for slug in wanted.title or TITLES:
        scenarios = [info.id for info in TITLES[slug].scenarios()]
        bad = 0
        for number in range(wanted.games):
            scenario = scenarios[number % len(scenarios)]
            found = list(faults(slug, scenario, wanted.first + number))
            sys.stdout.writelines(f"{fault}\n" for fault in found[:5])
            sys.stdout.flush()
            bad += bool(found)
        sys.stdout.write(f"{slug}: {wanted.games - bad} of {wanted.games} games without a fault\n")
        broken += bad
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
