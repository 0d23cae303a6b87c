"""Worked examples and random games cite what somebody has looked at (`tests/citations.py`)."""

from __future__ import annotations

import random

import pytest

from engine.examples import Playing, packaged, read
from engine.game import Game, SeededChance
from engine.titles import TITLES
from tests import citations
from tests.titles.registry import GAMES

DECISIONS = 260
SEEDS = (1, 2, 3)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("slug", "scenario"), [one for one in GAMES if one[0] in TITLES])
def test_a_random_game_cites_what_is_known(slug, scenario, seed):
    rng, game = random.Random(seed), Game(TITLES[slug], scenario, SeededChance(seed))
    for _ in range(DECISIONS):
        decision = game.position.decision
        if decision is None:
            break
        citations.expect(slug, citations.of_decision(decision))
        game.answer(rng.choice(decision.options).id)
    citations.check(game)


@pytest.mark.parametrize("slug", TITLES)
def test_the_worked_examples_cite_what_is_known(slug):
    for path in packaged(slug):
        playing = Playing(TITLES[slug], read(path))
        citations.check(playing.game)
        for _step, faults in playing.run():
            assert not faults, path
            citations.check(playing.game)
