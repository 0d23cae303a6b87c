"""The computer players: legal everywhere, better than chance, with reasons, repeatable."""

from __future__ import annotations

import random

import pytest

from engine.core.title import Player
from engine.drive import RANDOM, drive, player_of
from engine.game import Game, SeededChance
from engine.toi import TITLE
from tests.toi.table import Table

SIDES = {info.id: info.sides for info in TITLE.scenarios()}
DUELS = ("toi-s1", "toi-s2", "toi-s3")


def players(scenario: str, us: str, de: str) -> dict[str, Player]:
    seats = {"us": player_of(TITLE, us), "de": player_of(TITLE, de)}
    return {side: seats[side[:2]] for side in SIDES[scenario]}


def play(scenario: str, us: str, de: str, seed: int) -> Game:
    game = Game(TITLE, scenario, SeededChance(seed))
    drive(game, players(scenario, us, de), random.Random(seed), at_most=5_000)
    return game


def answer(table: Table, level: str) -> tuple[str, object]:
    """What a level answers to the open question, and why."""
    player, asked = TITLE.player(level), table.asked
    chosen = player.choose(lambda: TITLE.view(table.state, asked.side), asked, random.Random(1))
    return chosen, player.reason()


def test_the_levels_are_offered():
    assert TITLE.levels == ("medio", "difficile")
    for level in TITLE.levels:
        assert TITLE.player(level).reason() is None


@pytest.mark.parametrize("scenario", sorted(SIDES))
def test_a_whole_game_is_answered_legally(scenario):
    game = play(scenario, "difficile", "medio", seed=4)
    assert game.position.outcome is not None
    assert not list(TITLE.invariants(game.position.draft))


@pytest.mark.slow
@pytest.mark.parametrize("scenario", sorted(SIDES))
@pytest.mark.parametrize(("us", "de"), [("medio", "difficile"), ("difficile", "difficile")])
def test_more_whole_games_are_answered_legally(scenario, us, de):
    for seed in range(3):
        assert play(scenario, us, de, seed).position.outcome is not None


@pytest.mark.parametrize("scenario", DUELS)
def test_medio_beats_chance_from_both_chairs(scenario):
    wins = [
        play(scenario, "medio", RANDOM, seed=11).position.outcome.winner == "us",
        play(scenario, RANDOM, "medio", seed=12).position.outcome.winner == "de",
    ]
    assert all(wins)


def test_the_same_seed_plays_the_same_game():
    first, second = (play("toi-s1", "difficile", "medio", seed=2) for _ in range(2))
    assert first.entries == second.entries


def test_a_player_has_no_memory_that_a_reload_would_lose():
    game = Game(TITLE, "toi-s1", SeededChance(5))
    seated = players("toi-s1", "difficile", "difficile")
    for _ in range(150):
        position = game.position
        decision = position.decision
        assert decision is not None
        side = decision.side

        def look(draft=position.draft, side=side):
            return TITLE.view(draft, side)

        chosen = seated[side].choose(look, decision, random.Random(0))
        fresh = TITLE.player("difficile").choose(look, decision, random.Random(0))
        assert chosen == fresh, decision.id
        game.answer(chosen)


def test_only_difficile_says_why():
    table = Table(us={"us-1": "E5 4reg"}, de={"de-1": "G5 4reg"})
    _chosen, why = answer(table, "difficile")
    assert why is not None
    assert answer(table, "medio")[1] is None


def test_a_disrupted_squad_in_reach_is_finished_off_by_suppression():
    table = Table(us={"us-1": "E5 4eli"}, de={"de-1": "G5 4reg disrupted"})
    table.play("u:us-1", "b:concentrato", "u:de-1")
    assert answer(table, "difficile")[0] == "b:soppressivo"


def test_the_cheapest_figure_is_lost_first():
    table = Table(
        dice=[[6, 6, 1, 1]], us={"us-1": "E5 4reg"}, de={"de-1": "G5 1reg 1eli 1mg"}, turno="us"
    )
    table.play("u:us-1", "b:concentrato", "u:de-1", "b:normale")
    assert table.asked.id == "losses.figure"
    assert answer(table, "difficile")[0] == "b:de_reg"


def test_a_hopeless_shot_is_held():
    """A single rifle in op fire does not give itself away at a tank."""
    table = Table(us={"us-m4-1": "B5 m4"}, de={"de-1": "D5 1reg op"})
    table.play("u:us-m4-1", "b:avanzata", "h:C5")
    assert answer(table, "difficile")[0] == "b:no"


def test_an_empty_objective_next_door_is_entered():
    table = Table(
        idle=False,
        us={"us-1": "E5 4reg"},
        de={"de-1": "N5 4reg"},
        obiettivi={"F5": "victory 1"},
    )
    chosen, why = answer(table, "difficile")
    assert chosen == "u:us-1"
    assert why is not None
    table.play("u:us-1")
    assert answer(table, "difficile")[0] in ("b:avanzata", "b:fuoco-e-movimento")


def test_a_figure_that_is_given_away_is_the_cheapest_and_goes_to_the_best_squad():
    table = Table(
        fase="status",
        passo="transfers",
        us={"us-1": "E5 2reg 1eli", "us-2": "E5 1reg", "us-3": "E5 1eli"},
    )
    table.play("u:us-1")
    assert table.asked.id == "transfer.figure"
    assert answer(table, "difficile")[0] == "b:us_reg"
    table.play("b:us_reg")
    assert table.asked.id == "transfer.taker"
    assert answer(table, "difficile")[0] == "u:us-3"
