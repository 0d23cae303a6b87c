"""Games: answers, undo and redo, real dice."""

from __future__ import annotations

import random

import pytest

from engine.core.rules import Command, Refused, RuleBug
from engine.drive import RandomPlayer, TooLong, drive
from engine.game import Game, RealDice, ScriptedChance, SeededChance, UndoRefused, digest
from tests.reference import BLUE, RED, Reference

TITLE = Reference()


def started(chance=None):
    return Game(TITLE, "cortile", chance or SeededChance(1))


def beside(*script):
    """Red r1 stands beside blue b1; red is to move."""
    start = TITLE.position({"unità": {"r1": "D2", "b1": "D3", "r2": "A1", "b2": "E4", "b3": "E1"}})
    return Game(TITLE, "cortile", ScriptedChance(script), start=start)


def test_an_illegal_answer_is_refused_and_changes_nothing():
    game = beside()
    game.answer("u:r1")
    game.answer("b:muovi")
    before = game.position
    with pytest.raises(Refused) as refused:
        game.answer("h:C2")
    assert [ref for r in refused.value.rulings for ref in r.refs] == ["prova:3.3"]
    assert game.position is before


def test_an_attack_asks_the_owner_of_the_losses():
    game = beside((5, 1))
    for answer in ("u:r1", "b:spara", "h:D3"):
        game.answer(answer)
    assert game.position.decision.side == BLUE
    assert game.position.decision.ruling.refs == ("prova:4.4",)
    game.answer("u:b1")
    assert game.position.draft.units["b1"].steps == 1
    assert game.position.decision.side == BLUE


def test_losses_show_while_the_procedure_is_open():
    game = beside((5, 6))
    for answer in ("u:r1", "b:spara", "h:D3", "u:b1"):
        game.answer(answer)
    assert game.position.draft.units["b1"].steps == 1
    assert game.position.rest.units["b1"].steps == 2


def test_undo_is_free_until_dice_fall():
    game = beside((5, 6))
    game.answer("u:r1")
    game.answer("b:spara")
    assert game.why_not_undo() is None
    game.undo()
    assert game.position.decision.id == "yard.what"
    game.redo()
    game.answer("h:D3")
    assert "Dice or cards" in game.why_not_undo().id
    with pytest.raises(UndoRefused):
        game.undo()
    assert not game.studio


def test_studio_mode_takes_back_dice_and_says_so():
    game = beside((5, 6))
    for answer in ("u:r1", "b:spara", "h:D3"):
        game.answer(answer)
    before = digest(game.position.draft)
    game.undo(studio=True)
    assert game.studio
    assert game.position.decision.id == "yard.where-fire"
    game.redo()
    assert digest(game.position.draft) == before


def test_undo_is_not_free_once_something_hidden_was_shown():
    start = TITLE.position({"unità": {"r1": "A2", "r2": "B4", "b1": "E1", "b2": "D1"}})
    units = {**start.units}
    hidden = TITLE.start("cortile", {}).units["b3"]
    units["b3"] = type(hidden)("b3", BLUE, TITLE.at("C3"), hidden=True)
    start = type(start)(start.phase, RED, 1, units, start.deck, start.hands)
    game = Game(TITLE, "cortile", SeededChance(1), start=start)
    for answer in ("u:r2", "b:muovi", "h:B3"):
        game.answer(answer)
    assert "hidden" in game.why_not_undo().id


def test_another_answer_forgets_what_could_be_repeated():
    game = beside()
    game.answer("u:r1")
    game.undo()
    game.answer("b:passa")
    with pytest.raises(UndoRefused):
        game.redo()


def test_nothing_to_take_back_says_so():
    with pytest.raises(UndoRefused, match="nothing"):
        started().undo()


def test_the_same_seed_plays_the_same_game():
    games = []
    for _ in range(2):
        game = started(SeededChance(9))
        drive(game, {RED: RandomPlayer(), BLUE: RandomPlayer()}, random.Random(9))
        games.append(game.entries)
    assert games[0] == games[1]


def test_real_dice_wait_for_a_person():
    start = TITLE.position({"unità": {"r1": "D2", "b1": "D3"}})
    game = Game(TITLE, "cortile", RealDice(1), start=start)
    for answer in ("u:r1", "b:spara", "h:D3"):
        game.answer(answer)
    assert game.position.decision is None
    assert game.position.request.dice.name == "2d6"
    with pytest.raises(ValueError, match="7"):
        game.enter((7, 1))
    game.enter((6, 1))
    assert game.position.decision.ruling.refs == ("prova:4.4",)


def test_entries_lead_to_the_same_game():
    game = started(SeededChance(4))
    rng = random.Random(4)
    drive(game, {RED: RandomPlayer(), BLUE: RandomPlayer()}, rng)
    again = Game(TITLE, "cortile", None)
    again.resume(game.entries)
    assert again.position.outcome == game.position.outcome
    assert [digest(s) for _n, s in again.rests()] == [digest(s) for _n, s in game.rests()]


def test_answers_after_the_end_are_our_bug():
    game = started(SeededChance(4))
    drive(game, {RED: RandomPlayer(), BLUE: RandomPlayer()}, random.Random(4))
    with pytest.raises(RuleBug):
        game.resume([Command(RED, "b:passa")])


def test_a_game_that_does_not_end_is_stopped():
    with pytest.raises(TooLong):
        drive(started(), {RED: RandomPlayer(), BLUE: RandomPlayer()}, random.Random(1), at_most=3)
