"""The door between a rule and the world."""

from __future__ import annotations

import gc
from fractions import Fraction

import pytest

from engine.core.ctx import Branch, Ctx, Suspend
from engine.core.decisions import button, unit
from engine.core.dice import D6
from engine.core.pools import Pool
from engine.core.rules import Command, Draw, Refused, Roll, RuleBug
from engine.game import Game, SeededChance
from tests.reference import LostStep, Reference, Used, rule

TITLE = Reference()
START = TITLE.start("cortile", {})


def fresh(*answers):
    return Ctx(TITLE, START, list(answers))


def why_not_odd(number):
    if number % 2:
        yield rule("1.1", "odd")
        yield rule("1.2", "very odd")


def numbers():
    return [button(str(n), n, "{n}", n=n) for n in (1, 2, 3)]


def test_a_change_without_a_rule_is_our_bug():
    with pytest.raises(RuleBug, match="without a rule"):
        fresh().do(Used("r1"), "")


def test_a_change_goes_through_reduce_and_leaves_a_step():
    ctx = fresh()
    ctx.do(LostStep("r1"), "4.4")
    assert ctx.state.units["r1"].steps == 1
    assert ctx.steps[0].event == LostStep("r1")
    assert ctx.steps[0].ruling.refs == ("prova:4.4",)
    assert ctx.steps[0].ruling.msg.facts == {"unit": "r1"}


def test_a_question_without_an_answer_suspends_with_options_and_refusals():
    with pytest.raises(Suspend) as asked:
        fresh().choose("number", "rosso", numbers(), "2.1", "which?", why_not=why_not_odd)
    decision = asked.value.question
    assert [option.id for option in decision.options] == ["b:2"]
    assert set(decision.refused) == {"b:1", "b:3"}
    assert [r.refs[0] for r in decision.why_not("b:1")] == ["prova:1.1", "prova:1.2"]
    assert decision.why_not("b:99") == (decision.ruling,)


def test_an_answer_gives_the_value_of_its_candidate():
    ctx = fresh(Command("rosso", "b:2"))
    assert ctx.choose("number", "rosso", numbers(), "2.1", "which?", why_not=why_not_odd) == 2


def test_a_known_answer_tests_only_its_own_candidate():
    tested = []

    def why_not(number):
        tested.append(number)
        return None

    fresh(Command("rosso", "b:3")).choose(
        "number", "rosso", numbers(), "2.1", "which?", why_not=why_not
    )
    assert tested == [3]


def test_an_illegal_answer_is_refused_with_every_ruling():
    ctx = fresh(Command("rosso", "b:1"))
    with pytest.raises(Refused) as refused:
        ctx.choose("number", "rosso", numbers(), "2.1", "which?", why_not=why_not_odd)
    assert [r.refs[0] for r in refused.value.rulings] == ["prova:1.1", "prova:1.2"]


def test_an_answer_that_is_no_candidate_is_refused_by_the_question():
    with pytest.raises(Refused) as refused:
        fresh(Command("rosso", "b:9")).choose("number", "rosso", numbers(), "2.1", "which?")
    assert refused.value.rulings[0].refs == ("prova:2.1",)


@pytest.mark.parametrize("wrong", [Command("blu", "b:2"), Roll("1d6", (3,)), Draw("mazzo", "fumo")])
def test_an_answer_to_another_question_is_our_bug(wrong):
    with pytest.raises(RuleBug):
        fresh(wrong).choose("number", "rosso", numbers(), "2.1", "which?")


def test_a_decision_without_options_is_our_bug():
    with pytest.raises(RuleBug, match="nothing can be answered"):
        fresh().choose("number", "rosso", [button("1", 1, "1")], "2.1", "?", why_not=why_not_odd)


def test_a_candidate_offered_twice_is_our_bug():
    with pytest.raises(RuleBug, match="twice"):
        fresh().choose("number", "rosso", [unit("r1", 1), unit("r1", 2)], "2.1", "?")


def test_a_roll_gives_what_the_rule_reads():
    ctx = fresh(Roll("2d6", (3, 6)))
    assert ctx.roll(D6 * 2, max, "4.3", "roll") == 6
    assert ctx.steps[0].chance == Roll("2d6", (3, 6))


@pytest.mark.parametrize("faces", [(3,), (3, 7), (0, 1), (1, 2, 3)])
def test_faces_that_the_dice_do_not_have_are_our_bug(faces):
    with pytest.raises(RuleBug):
        fresh(Roll("2d6", faces)).roll(D6 * 2, max, "4.3", "roll")


def test_a_branch_answers_a_roll_while_odds_are_computed():
    assert fresh(Branch(6)).roll(D6 * 2, max, "4.3", "roll") == 6


def test_a_draw_must_be_in_the_pool():
    pool = Pool.of("mazzo", ["fumo"])
    assert fresh(Draw("mazzo", "fumo")).draw(pool, "1.2", "draw") == "fumo"
    with pytest.raises(RuleBug):
        fresh(Draw("mazzo", "asso")).draw(pool, "1.2", "draw")


def test_drawing_from_nothing_is_our_bug():
    with pytest.raises(RuleBug, match="nothing left"):
        fresh().draw(Pool("mazzo"), "1.2", "draw")


def test_a_tally_keeps_fractions_and_cites_each_line():
    ctx = fresh()
    total = ctx.tally("FP")
    total.add(3, "4.2", "three")
    total.add(0, "4.2", "nothing")
    total.times(Fraction(1, 2), "4.3", "half")
    assert total.total == Fraction(3, 2)
    total.times(2, "4.3", "double")
    assert total.total == 3
    assert isinstance(total.total, int)
    total.set(2, "4.4", "at most two")
    lines = [(s.tally.operation, s.tally.total) for s in ctx.steps]
    assert lines == [("+", 3), ("×", Fraction(3, 2)), ("×", 3), ("=", 2)]


def test_steps_under_a_heading_are_nested():
    ctx = fresh()
    with ctx.under("3.2", "reaction"):
        ctx.cite("4.3", "inside")
    ctx.cite("4.4", "after")
    assert [step.depth for step in ctx.steps] == [0, 1, 0]


def test_require_stops_what_should_not_have_started():
    ctx = fresh()
    ctx.require(None)
    ctx.require(why_not_odd(2))
    with pytest.raises(Refused):
        ctx.require(why_not_odd(1))


def test_a_step_says_whom_it_is_hidden_from():
    ctx = fresh()
    ctx.cite("1.1", "secret", hidden_from=("rosso",))
    ctx.cite("1.1", "open")
    assert [s.hidden_from for s in ctx.steps] == [("rosso",), ()]


def test_a_citation_keeps_its_anchor_apart_from_its_ref():
    ctx = fresh()
    ctx.cite(("4.4#dimezza", "1.1"), "halved")
    ctx.do(Used("r1"), "2.1#tavola/{n}/3")
    first, second = (step.ruling for step in ctx.steps)
    assert (first.refs, first.anchors) == (("prova:4.4", "prova:1.1"), ("prova:4.4#dimezza",))
    assert (second.refs, second.anchors) == (("prova:2.1",), ("prova:2.1#tavola/{n}/3",))
    more = rule.also(first, "1.2#fine")
    assert more.refs == ("prova:4.4", "prova:1.1", "prova:1.2")
    assert more.anchors == ("prova:4.4#dimezza", "prova:1.2#fine")
    assert rule.refs("4.4#dimezza") == ("prova:4.4",)
    assert rule("1.1", "plain").anchors == ()


def test_the_collector_does_not_follow_the_trace_of_a_game():
    game = Game(TITLE, "cortile", SeededChance(1))
    while game.position.decision is not None and len(game.passages) < 20:
        game.answer(game.position.decision.options[0].id)
    parts = [part for step in game.steps for part in (step, step.ruling, step.ruling.msg)]
    parts += [part for step in game.steps for part in (step.event, step.chance, step.tally) if part]
    assert len(parts) > 60
    assert not any(gc.is_tracked(part) for part in parts)
