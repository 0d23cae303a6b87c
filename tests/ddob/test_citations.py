"""Citations of random games, with every variant: none but those of the golden file."""

from __future__ import annotations

import random

import pytest

from engine.ddob import TITLE
from engine.ddob.state.ground import BOARD
from engine.game import Game, SeededChance
from tests import citations

BOMBARDED = {"22.1": "si", "22.2": "si", "22.3": "si"}
GAMES = [
    ("easy-fox", {}),
    ("first-wave", {"giocatori": "due"}),
    ("first-wave", BOMBARDED),
    ("d-day", {"14.2": "si"}),
    ("d-day", {"22.4": "si", "23": "si"}),
    ("beyond-the-beach", {}),
    ("beyond-the-beach", {"22.4": "si"}),
    ("beyond-the-beach", {"23": "si", "giocatori": "due", "8.16": "posizione"}),
]
DECISIONS = 260


@pytest.mark.rule("ddob:2.4")
@pytest.mark.parametrize(("scenario", "options"), GAMES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_random_game_cites_what_is_known(scenario, options, seed):
    rng, game = random.Random(seed), Game(TITLE, scenario, SeededChance(seed), options)
    for _ in range(DECISIONS):
        decision = game.position.decision
        if decision is None:
            break
        citations.expect("ddob", citations.of_decision(decision))
        game.answer(rng.choice(decision.options).id)
    citations.check(game)


@pytest.mark.rule("ddob:2.4")
@pytest.mark.parametrize(("scenario", "options"), [GAMES[1], GAMES[4], GAMES[7]])
def test_every_hex_of_a_game_under_way_explains_itself_by_what_is_known(scenario, options):
    rng, game = random.Random(9), Game(TITLE, scenario, SeededChance(9), options)
    for _ in range(120):
        if game.position.decision is None:
            break
        game.answer(rng.choice(game.position.decision.options).id)
    found = [r for hex in BOARD.hexes() for r in TITLE.inspect(game.position.draft, hex)]
    citations.expect("ddob", [citations.signature("hex", ruling) for ruling in found])


@pytest.mark.rule("ddob:22", "ddob:23")
def test_every_switch_of_a_scenario_cites_what_is_known():
    for info in TITLE.scenarios():
        found = [(f"switch {info.id} {switch.id}", switch.ruling) for switch in info.switches]
        citations.expect("ddob", [citations.signature(*one) for one in found])


@pytest.mark.rule("ddob:22", "ddob:22.3", "ddob:22.4", "ddob:23.1", "ddob:14.2")
@pytest.mark.parametrize(("options", "refs"), [
    ({}, []),
    ({"22.2": "si"}, ["22"]),
    ({"22.3": "si"}, ["22", "22.3"]),
    ({"22.4": "si"}, ["22", "22.4"]),
    ({"23": "si"}, ["23,23.1"]),
    ({"14.2": "si"}, ["14.2"]),
    ({"giocatori": "due"}, ["1.due-giocatori"]),
])  # fmt: skip
def test_the_set_up_names_the_variants_in_play(options, refs):
    game = Game(TITLE, "d-day", SeededChance(1), options)
    cited = [",".join(ref.partition(":")[2] for ref in step.ruling.refs) for step in game.steps]
    variants = [ref for ref in cited if ref.startswith(("22", "23", "14.2", "1."))]
    assert variants == refs
