"""Which rules games cite most, and which of them cannot be tried («Provala») yet.

    python -m tests.tools.trials [--games 50] [--first 1] [--title toi] [--most 50]

Scenarios take turns; every other game is played by chance, the others by the quickest of the
title's players. A citation is a line of the chronicle that names the rule.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter

from app.rules import linker
from app.rules.library import LIBRARY
from engine.drive import RANDOM, drive, player_of, sides_of
from engine.game import Game, SeededChance
from engine.titles import TITLES


def cited(slug: str, seed: int) -> Counter[str]:
    """How often each rule is cited in one whole game."""
    title = TITLES[slug]
    scenarios = [info.id for info in title.scenarios()]
    game = Game(title, scenarios[seed % len(scenarios)], SeededChance(seed))
    level = RANDOM if seed // len(scenarios) % 2 else title.levels[0]
    players = {side: player_of(title, level) for side in sides_of(game)}
    drive(game, players, random.Random(seed))
    return Counter(str(ref) for step in game.steps for ref in step.ruling.refs)


def tried(slug: str) -> frozenset[str]:
    """The rules whose page leads to a trial."""
    found = linker.links(LIBRARY.open_corpus(alone=True), slug)
    return frozenset(found.examples.keys() | found.trials.keys())


def main() -> None:
    """Count, and list what is cited most and cannot be tried."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--title", choices=sorted(TITLES))
    parser.add_argument("--most", type=int, default=50)
    args = parser.parse_args()
    found: Counter[str] = Counter()
    known: set[str] = set()
    for slug in [args.title] if args.title else TITLES:
        known |= tried(slug)
        for seed in range(args.first, args.first + args.games):
            found += cited(slug, seed)
    missing = [(ref, n) for ref, n in found.most_common() if ref not in known]
    lines = [f"{len(found)} rules cited, {len(missing)} of them without a trial"]
    lines += [f"{n:8} {ref}" for ref, n in missing[: args.most]]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
