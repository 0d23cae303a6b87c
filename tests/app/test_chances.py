"""The chance of the marked answer, its why as rows, and where odds will be if there are none."""

from __future__ import annotations

from fractions import Fraction

import pytest

from app.play.chances import Chances
from app.play.reckoning import PlainAhead, PlainReckoned, Reckoned, foresee, reckon
from app.play.table import Table
from app.play.text_looking import row_text
from app.play.why import Glance, Kind, Row, glance, of_one
from app.presenters.base import GenericPresenter
from app.widgets.chance_line import ChanceLine, glance_text
from app.widgets.odds_panel import OddsPanel, rows_text
from engine.core.rules import RuleRef, Ruling
from engine.core.text import Msg
from engine.foresight import Ahead
from engine.odds import Odds
from tests.app.tables import ACTION, TARGET, session_at, session_of
from tests.app.test_play import NARROW, WIDE, italian, settled, table, text_of  # noqa: F401

LAST = {
    "toi": ("toi-s1", "fire.kind"),
    "aslsk": ("R1", "fire.target"),
    "warfare": ("s4", "fire.target"),
}


def known(session):
    """The table when all odds of its question are there."""
    sitting = Table(session)
    at = sitting.begin_reckoning()
    for one in reckon(sitting.title, at):
        assert sitting.hear(at, one)
    assert sitting.chances.end(at.decision)
    return sitting


@pytest.mark.parametrize("slug", LAST)
def test_figures_beside_the_answers_of_one_question_have_one_word(tmp_path, slug):
    sitting = known(session_of(tmp_path, slug, *LAST[slug]))
    assert sitting.chances.best
    words = {sitting.glance(option).of for option in sitting.chances.best}
    assert words == {sitting.chances.word}
    assert sitting.chances.word


class Words(GenericPresenter):
    """The id of the first result is what is promised."""

    def chance(self, odds):
        return odds[0][1]

    def chance_of(self, odds):
        return odds[0][0].id


def test_a_figure_that_would_mean_something_else_is_left_out(tmp_path):
    decision = session_at(tmp_path, TARGET).decision
    chances = Chances()
    chances.begin(decision, 3)
    for option, word, share in (("b:a", "x", 0), ("b:b", "hits", 1), ("b:c", "flees", 1)):
        odds = Odds(Msg("?"), ((Msg(word), Fraction(share)),), (), 1)
        assert chances.hear(decision, Reckoned(Msg("?"), option, odds), Words())
    assert chances.word == "hits"
    assert chances.best == {"b:a": 0, "b:b": 1}


def test_an_answer_that_leads_straight_to_the_roll_shows_its_chance_and_its_results(tmp_path):
    sitting = known(session_of(tmp_path, "toi", "toi-s1", "fire.kind"))
    found = sitting.glance("b:normale")
    assert not found.then
    assert found.share is not None
    assert found.results
    said = str(glance_text(found))
    assert "ha effetto" in said
    assert said.count("%") >= 2


def test_an_answer_before_another_choice_says_what_is_asked_next(tmp_path):
    sitting = known(session_at(tmp_path, TARGET))
    found = [sitting.glance(one.id) for one in sitting.question.options]
    assert any(one.then for one in found)
    said = str(glance_text(next(one for one in found if one.then)))
    assert "Poi: " in said
    assert "Così com'è:" in said


@pytest.mark.parametrize("slug", LAST)
def test_the_results_of_a_question_exclude_each_other_and_ladders_say_that_they_overlap(
    tmp_path, slug
):
    sitting = known(session_of(tmp_path, slug, *LAST[slug]))
    for one in sitting.chances.found:
        results = sitting.presenter.results(one.odds.spread)
        assert sum(share for _said, share in results) == 1
        rows = sitting.why(one.option)
        notes = [row.said for row in rows if row.kind is Kind.NOTE]
        if len(results) > 2 and sitting.presenter.at_least(one.odds.spread):
            assert "Fin dove arriva (righe che si sovrappongono):" in notes


@pytest.mark.parametrize("slug", LAST)
def test_the_why_has_a_rule_on_every_line_and_its_numbers_before_the_results(tmp_path, slug):
    sitting = known(session_of(tmp_path, slug, *LAST[slug]))
    option = next(iter(sitting.chances.best))
    rows = sitting.why(option, quote=lambda _ruling: ("parole",))
    lines = [n for n, row in enumerate(rows) if row.kind in (Kind.LINE, Kind.ROLL)]
    shares = [n for n, row in enumerate(rows) if row.kind is Kind.SHARE]
    assert all(rows[n].ruling is not None for n in lines)
    assert any(rows[n].number for n in lines)
    (roll, *_more) = [n for n in lines if rows[n].kind is Kind.ROLL]
    assert shares[0] < lines[0] <= roll < shares[1], "the chance, its why, the spread"
    assert any(row.kind is Kind.QUOTE for row in rows)


def test_the_answers_are_compared_by_the_same_word_the_best_first(tmp_path):
    sitting = known(session_of(tmp_path, "toi", "toi-s1", "fire.kind"))
    rows = [row for row in sitting.why("b:normale") if row.kind in (Kind.RIVAL, Kind.MARKED)]
    assert [row.kind for row in rows].count(Kind.MARKED) == 1
    assert [row.share for row in rows] == sorted([row.share for row in rows], reverse=True)


def test_where_there_is_no_roll_it_is_said_after_which_answer_there_are_odds(tmp_path):
    sitting = Table(session_at(tmp_path, ACTION))
    at = sitting.begin_foreseeing()
    found = list(foresee(sitting.title, at))
    for one in found:
        sitting.hear_ahead(at, one)
    leads = next(one for one in found if one.by is not None)
    said = "\n".join(row.said for row in sitting.why(leads.option))
    assert "Qui a nessuna risposta segue subito un tiro." in said
    assert "Dopo questa risposta ti si chiede:" in said
    assert "«Fuoco concentrato»" in said
    end = next(one for one in found if one.option == "b:fine")
    assert end.at is None
    assert "arrivi alle probabilità" in sitting.why("b:fine")[-1].said


def test_what_comes_late_of_the_way_to_odds_is_dropped(tmp_path):
    sitting = Table(session_at(tmp_path, ACTION))
    at = sitting.begin_foreseeing()
    sitting.give([sitting.decision.options[0].id])
    assert not sitting.hear_ahead(at, Ahead("u:x"))


@pytest.mark.parametrize("slug", LAST)
def test_odds_with_their_why_cross_to_another_process_unchanged(tmp_path, slug):
    session = session_of(tmp_path, slug, *LAST[slug])
    for one in reckon(session.title, session.position):
        assert PlainReckoned.of(one).reckoned() == one
    for one in foresee(session.title, session.position):
        assert PlainAhead.of(one).ahead().asked == one.asked


def test_the_dialogue_prints_the_same_rows(tmp_path):
    rows = Table(session_at(tmp_path, TARGET)).why_here()
    said = [row_text(row) for row in rows]
    assert any("= " in line and line.endswith("]") for line in said), "a number and its rule"
    assert any("%: " in line for line in said)
    assert "  Supponendo che:" in said


def test_a_roll_is_told_whole_or_not_at_all(tmp_path):
    sitting = known(session_at(tmp_path, TARGET))
    first, *_rest = sitting.chances.found
    numbers = [reason for reason in first.because.reasons if reason.tally]
    told = set()
    rows = list(of_one(first, sitting.presenter, told=told))
    assert len([row for row in rows if row.number]) == len(numbers) > 0
    assert not [row for row in of_one(first, sitting.presenter, told=told) if row.number]
    told.discard(next(key for key in told if key[2] is not None))
    again = [row for row in of_one(first, sitting.presenter, told=told) if row.number]
    assert len(again) == len(numbers)


def test_rows_are_broken_to_the_width_of_the_panel():
    ruling = Ruling((RuleRef("toi:x"),), Msg("x"))
    rows = [
        Row(Kind.LINE, "una riga piuttosto lunga che non sta in quaranta colonne", "+4 = 4",
            ruling=ruling),
        Row(Kind.QUOTE, "parole " * 40),
        Row(Kind.SHARE, "perde una miniatura e poi anche un'altra", share=Fraction(1, 3)),
    ]  # fmt: skip
    lines = str(rows_text(rows, width=40, quoted=2)).splitlines()
    assert all(len(line) <= 40 for line in lines)
    assert len([line for line in lines if "parole" in line]) == 2


def test_nothing_is_said_of_an_answer_without_odds(tmp_path):
    sitting = known(session_at(tmp_path, TARGET))
    assert glance(sitting.chances, "b:nessuna", sitting.presenter) == Glance()


async def test_the_why_follows_the_marked_answer(tmp_path):
    app = table(session_at(tmp_path, TARGET))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("o")
        panel = app.screen.query_one(OddsPanel)
        await settled(pilot, lambda: "%" in text_of(panel, "#odds-text"))
        chances = app.screen.table.chances
        await settled(pilot, lambda: not app.screen.table.is_reckoning)
        first = text_of(panel, "#odds-text").partition("A confronto")[0]
        await pilot.press("down")
        await settled(pilot, lambda: first != text_of(panel, "#odds-text").partition("A con")[0])
        question = app.screen.presenter.say(chances.of(app.screen._bar.marked)[0].question)
        assert question[1:20] in " ".join(text_of(panel, "#odds-text").split())


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_chance_of_the_marked_answer_stands_under_the_answers(tmp_path, size):
    app = table(session_of(tmp_path, "toi", "toi-s1", "fire.kind"))
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        line = app.screen.query_one(ChanceLine)
        await settled(pilot, lambda: "ha effetto" in text_of(app.screen, "#chance"))
        first = text_of(app.screen, "#chance")
        assert line.display
        await pilot.press("down")
        await settled(pilot, lambda: text_of(app.screen, "#chance") != first)


async def test_where_nothing_is_rolled_the_panel_says_where_odds_are(tmp_path):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("o")
        await settled(pilot, lambda: "ti si chiede" in text_of(app.screen, "#odds-text"))
        assert not app.screen.query_one(ChanceLine).display
