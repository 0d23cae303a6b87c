"""Exact odds, from the code that resolves."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from engine.game import Game, SeededChance
from engine.odds import OverBudget, odds
from tests.reference import RED, Reference

TITLE = Reference()


def asked(cards=()):
    start = TITLE.position({"unità": {"r1": "D2", "b1": "D3", "b2": "E3"}})
    start = msgspec.structs.replace(start, hands={**start.hands, RED: tuple(cards)})
    game = Game(TITLE, "cortile", SeededChance(1), start=start)
    game.answer("u:r1")
    game.answer("b:spara")
    position = game.position
    questions = TITLE.questions(TITLE.belief(position.draft, RED), position.decision)
    belief = TITLE.belief(position.rest, RED)
    return belief, position.open, {str(q.msg.facts["hex"]): q for q in questions}


def spread_of(found):
    return {result.facts["n"]: share for result, share in found.spread}


def test_two_dice_hitting_at_five_are_exact():
    belief, entries, questions = asked()
    found = odds(TITLE, belief, entries, questions["D3"])
    assert spread_of(found) == {0: Fraction(4, 9), 1: Fraction(4, 9), 2: Fraction(1, 9)}
    assert found.rolls is None


def test_assumptions_about_others_are_listed():
    belief, entries, questions = asked()
    found = odds(TITLE, belief, entries, questions["D3"])
    assert [ruling.refs for ruling in found.given] == [("prova:4.4",)]


def test_own_choices_on_the_way_are_assumed_and_said():
    belief, entries, questions = asked(["mira"])
    found = odds(TITLE, belief, entries, questions["D3"])
    assert {ruling.refs for ruling in found.given} == {("prova:4.4",), ("prova:4.5",)}
    assert sum(share for _result, share in found.spread) == 1


def test_over_budget_says_how_far_it_went():
    belief, entries, questions = asked()
    with pytest.raises(OverBudget):
        odds(TITLE, belief, entries, questions["D3"], budget=2)
