"""Odds share what runs have in common, and follow every branch to its end in one run."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from engine.core.decisions import button
from engine.core.dice import D6, Dice
from engine.core.late import Late
from engine.core.rules import Book, Command, Event, Roll
from engine.core.text import Msg
from engine.core.title import Question
from engine.odds import OverBudget, odds

ONE = Dice((D6,))


class Added(Event, frozen=True, kw_only=True):
    """So much more."""

    says = "{n} more"
    n: int

    def on(self, state):
        return Sum(state.n + self.n)


class Sum(msgspec.Struct, frozen=True):
    """A number."""

    n: int = 0


class Tiny:
    """A title of one procedure."""

    book = Book("prova")

    def __init__(self, procedure):
        self.play = procedure

    def outcome(self, state):
        return None


def spread_of(procedure, *commands, open_answers=(), budget=2_000):
    question = Question(
        Msg("?"),
        tuple(Command("a", option) for option in commands),
        lambda before, after: Msg("{n}", {"n": after.n}),
    )
    found = odds(Tiny(procedure), Sum(), open_answers, question, budget)
    return found, {result.facts["n"]: share for result, share in found.spread}


def face(faces):
    return faces[0]


def test_a_late_roll_branches_where_the_rule_looks():
    def procedure(ctx):
        rolled = ctx.roll(ONE, Late(face), "1", "?")
        ctx.do(Added(n=10 if rolled >= 5 else 0), "1")
        if rolled == 6:
            ctx.do(Added(n=1), "1")

    found, spread = spread_of(procedure)
    assert spread == {0: Fraction(4, 6), 10: Fraction(1, 6), 11: Fraction(1, 6)}
    assert (found.runs, found.rolls) == (3, None)


def test_a_part_before_the_first_roll_is_played_once():
    played = []

    def part(ctx):
        played.append(
            ctx.choose("letter", "a", [button("x", 5, "x"), button("y", 7, "y")], "1", "?")
        )
        ctx.do(Added(n=played[-1]), "1")
        return 2

    def procedure(ctx):
        more = ctx.once(part, ctx)
        ctx.do(Added(n=more * ctx.roll(ONE, face, "1", "?")), "1")

    _found, spread = spread_of(procedure, "b:y")
    assert played == [7]
    assert spread == {7 + 2 * n: Fraction(1, 6) for n in range(1, 7)}


def test_a_part_after_a_roll_is_shared_by_those_who_rolled_alike():
    played = []

    def part(state):
        played.append(state.n)
        return state.n

    def procedure(ctx):
        ctx.do(Added(n=10 * (ctx.roll(ONE, Late(face), "1", "?") > 3)), "1")
        ctx.do(Added(n=ctx.once(part, ctx.state) + ctx.roll(ONE, face, "1", "?")), "1")

    _found, spread = spread_of(procedure)
    assert played == [0, 10]
    assert spread == {n: Fraction(1, 12) for n in (1, 2, 3, 4, 5, 6, 21, 22, 23, 24, 25, 26)}


@pytest.mark.parametrize("read", [face, Late(face)])
def test_a_part_that_rolls_is_not_shared(read):
    def procedure(ctx):
        rolled = ctx.once(ctx.roll, ONE, read, "1", "?")
        ctx.do(Added(n=1 if rolled == 6 else 0), "1")

    _found, spread = spread_of(procedure)
    assert spread == {0: Fraction(5, 6), 1: Fraction(1, 6)}


def test_dice_that_fell_before_the_question_are_not_rolled_again():
    def procedure(ctx):
        rolled = ctx.roll(ONE, Late(face), "1", "?")
        ctx.do(
            Added(n=ctx.choose("letter", "a", [button("x", rolled, "x")], "1", "?")),
            "1",
        )

    found, spread = spread_of(procedure, "b:x", open_answers=(Roll("1d6", (4,)),))
    assert spread == {4: 1}
    assert found.rolls is None


def test_too_many_branches_stop_after_the_last_roll_that_all_reached():
    def procedure(ctx):
        for place in (1, 10, 100):
            ctx.do(Added(n=place * ctx.roll(ONE, Late(face), "1", "?").look(lambda n: n > 2)), "1")

    found, spread = spread_of(procedure, budget=6)
    assert found.rolls == 2
    assert spread == {0: Fraction(1, 9), 1: Fraction(2, 9), 10: Fraction(2, 9), 11: Fraction(4, 9)}
    with pytest.raises(OverBudget):
        spread_of(procedure, budget=1)


def test_a_question_goes_on_past_rests_until_its_end():
    def procedure(ctx):
        if ctx.state.n % 10 == 0:
            ctx.do(
                Added(
                    n=ctx.choose(
                        "letter",
                        "a",
                        [button("x", 1, "x"), button("y", 2, "y")],
                        "1",
                        "?",
                    )
                ),
                "1",
            )
        else:
            ctx.do(Added(n=10 * ctx.roll(ONE, face, "1", "?")), "1")
            ctx.do(Added(n=-(ctx.state.n % 10)), "1")

    question = Question(
        Msg("?"),
        (Command("a", "b:x"),),
        lambda before, after: Msg("{n}", {"n": after.n}),
        lambda decision: ("b:y", Book("prova")("1", "y")),
        lambda state: state.n >= 20 and state.n % 10 == 0,
        lambda state: Sum(0),
    )
    found = odds(Tiny(procedure), Sum(70), (), question)
    spread = {result.facts["n"]: share for result, share in found.spread}
    # A first 1 is not enough: it is rolled again.
    more = Fraction(1, 36)
    assert spread == {10 * n: Fraction(1, 6) * (n < 7) + more * (n > 1) for n in range(2, 8)}
    assert [ruling.msg.id for ruling in found.given] == ["y"]


def test_a_question_without_end_is_given_up():
    def procedure(ctx):
        ctx.do(Added(n=ctx.choose("letter", "a", [button("x", 1, "x")], "1", "?")), "1")

    question = Question(
        Msg("?"),
        (Command("a", "b:x"),),
        lambda before, after: Msg("?"),
        lambda decision: ("b:x", Book("prova")("1", "x")),
        lambda state: False,
    )
    with pytest.raises(OverBudget):
        odds(Tiny(procedure), Sum(), (), question, 50)
