"""The guide of a first game: its rules exist, and it follows what the player does."""

from __future__ import annotations

import pytest

from app.play.session import Session
from app.play.tutorial import Guide, Lesson, Tutorial, guide_of, is_guided, tutorial_for
from engine.core.decisions import Decision, Option, Refusals
from engine.core.rules import Ruling, Step
from engine.core.text import Msg
from engine.titles import TITLES
from rules_it.corpus import Corpus
from tests.tools.questions import asked as asked_by


@pytest.mark.parametrize("slug", TITLES)
def test_lessons_name_rules_and_questions_that_exist(slug):
    corpus = Corpus.read()
    tutorial = tutorial_for(slug)
    assert tutorial.scenario in [info.id for info in TITLES[slug].scenarios()]
    assert [n for n in tutorial.lessons[1:-1] if n.asks_nothing] == []
    for lesson in tutorial.lessons:
        assert corpus.entry(lesson.ref) is not None, lesson.ref
        for ref in (*lesson.cited, *lesson.done):
            assert corpus.entry(ref) is not None, ref
        assert set(lesson.until) <= asked_by(slug).keys()


def test_a_title_without_a_guide_has_none():
    assert tutorial_for("nessuno") is None
    assert tutorial_for("../toi") is None
    assert tutorial_for("toi", "toi-s2") is None


@pytest.mark.parametrize("slug", TITLES)
def test_the_guide_follows_the_game_to_its_end_without_leaving_a_lesson_out(slug, tmp_path):
    title = TITLES[slug]
    tutorial = tutorial_for(slug)
    sides = next(i for i in title.scenarios() if i.id == tutorial.scenario).sides
    seats = dict.fromkeys(sides, "umano")
    session = Session.new(
        title, tutorial.scenario, seats=seats, seed=tutorial.seed, path=tmp_path / "x.prontuario"
    )
    guide = Guide(tutorial)
    guide.follow(session.decision, session.game.steps)
    shown = [0]
    while session.decision is not None and guide.at < guide.last:
        session.delegate(at_most=1)
        if guide.follow(session.decision, session.game.steps, is_own=True):
            shown.append(guide.at)
    assert shown == list(range(len(tutorial.lessons)))


def lesson(text, **more):
    return Lesson(text, "", "toi:fumo", **more)


def guide_to(*lessons):
    return Guide(Tutorial("toi", "toi-s1", 7, (*lessons, lesson("the end"))))


def asked(msgid):
    return Decision(
        msgid, "us", Ruling(("toi:fumo",), Msg("?")), (Option("b:si", Msg("yes")),), Refusals()
    )


def cited(*refs):
    return tuple(Step(n, 0, Ruling((ref,), Msg("it happens"))) for n, ref in enumerate(refs))


def test_lessons_that_ask_for_nothing_pass_one_by_one_with_the_answers():
    guide = guide_to(lesson("one"), lesson("two"), lesson("three", until=("go?",)))
    guide.follow(asked("who?"), ())
    for at in (1, 2, 2):
        guide.follow(asked("who?"), (), is_own=True)
        assert guide.at == at
    guide.follow(asked("go?"), (), is_own=True)
    assert guide.at == 3


def test_what_is_already_done_does_not_hold_the_guide_up():
    guide = guide_to(lesson("one", until=("go?",)), lesson("two", done=("toi:fumo",)))
    guide.follow(asked("who?"), ())
    guide.follow(asked("who?"), cited("toi:fumo"), is_own=True)
    assert guide.at == 0
    guide.follow(asked("go?"), cited("toi:fumo"), is_own=True)
    assert (guide.at, guide.is_done) == (1, True)  # shown all the same
    guide.follow(asked("who?"), cited("toi:fumo"), is_own=True)
    assert guide.at == 2


def test_what_the_enemy_does_is_not_done_by_the_reader():
    guide = guide_to(lesson("one", done=("toi:fumo",)))
    guide.follow(asked("who?"), ())
    guide.follow(asked("who?"), cited("toi:fumo"))
    assert guide.at == 0


def test_reading_ahead_is_told_and_the_next_answer_comes_back():
    guide = guide_to(lesson("one", until=("go?",)), lesson("two", until=("where?",)))
    guide.follow(asked("who?"), ())
    guide.go_on()
    assert (guide.at, guide.is_ahead) == (1, True)
    guide.follow(asked("who?"), (), is_own=True)
    assert (guide.at, guide.is_ahead) == (0, False)


def test_lessons_can_be_read_again_and_the_guide_closed():
    guide = guide_to(lesson("one"))
    assert not guide.go_back()
    guide.go_on()
    assert (guide.at, guide.due) == (1, 1)
    assert guide.go_back()
    assert guide.is_done
    guide.go_on()
    guide.go_on()
    assert guide.lesson is None
    guide.is_open = True
    assert guide.lesson.text == "the end"


@pytest.mark.parametrize("note", ["guida 3 5", "guida 3 5 chiusa"])
def test_a_note_brings_the_guide_back_where_it_was(note):
    guide = Guide(tutorial_for("toi"), note)
    assert (guide.at, guide.front, guide.due) == (2, 2, 4)
    assert guide.note == note
    assert is_guided(note)


@pytest.mark.parametrize("note", ["", "altro", "guida x", "guidata"])
def test_another_note_is_none_of_a_guide(note):
    assert guide_of("toi", "toi-s1", note) is None


def test_a_note_beyond_the_last_lesson_opens_at_the_last():
    guide = guide_of("toi", "toi-s1", "guida 99 99")
    assert guide.at == guide.last
    assert guide_of("toi", "toi-s2", "guida") is None
