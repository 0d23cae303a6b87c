"""The guide of a first game: its rules exist, and it follows what the player does."""

from __future__ import annotations

from textwrap import wrap

import pytest

from app.play.session import Session
from app.play.table import Table
from app.play.tutorial import Guide, Lesson, Tutorial, guide_of, is_guided, tutorial_for
from engine.core.decisions import Decision, Option, Refusals
from engine.core.rules import Ruling, Step
from engine.core.text import Msg
from engine.game import UndoRefused
from engine.titles import TITLES
from engine.warfare.state.events import PeopleSaved
from rules_it.corpus import Corpus
from tests.tools.questions import asked as asked_by


@pytest.mark.parametrize("slug", TITLES)
def test_lessons_name_rules_and_questions_that_exist(slug):
    corpus = Corpus.read()
    tutorial = tutorial_for(slug)
    assert tutorial.scenario in [info.id for info in TITLES[slug].scenarios()]
    assert [n for n in tutorial.lessons[:-1] if n.asks_nothing] == []
    for lesson in tutorial.lessons:
        assert corpus.entry(lesson.ref) is not None, lesson.ref
        for ref in (*lesson.cited, *lesson.done):
            assert corpus.entry(ref) is not None, ref
        assert set(lesson.until) <= asked_by(slug).keys()


def test_a_title_without_a_guide_has_none():
    assert tutorial_for("nessuno") is None
    assert tutorial_for("../toi") is None
    assert tutorial_for("toi", "toi-s2") is None


def first_guided(slug, folder):
    """The table of a guided game, as its reader finds it."""
    session = Session.guided(TITLES[slug], tutorial_for(slug), folder / "x.prontuario")
    session.is_auto = True
    session.settle()
    table = Table(session)
    table.follow_guide()
    return table


def follow(table):
    """Do what the guide proposes until it proposes nothing more; the lessons that were shown."""
    shown = [table.guide.at]
    while table.guide.at < table.guide.last:
        if table.session.is_bot_turn:
            table.take_program_answer(*table.session.bot_choice())
            table.follow_guide()
        else:
            proposed = table.proposed
            assert proposed is not None, (table.guide.place, table.decision)
            assert table.give((proposed,)).taken == 1
        if table.guide.at != shown[-1]:
            shown.append(table.guide.at)
    return shown


def stands(table, unit, label):
    view = table.view
    return any(c.id == unit and view.label(c.hex) == label for c in view.counters if c.hex)


def events(table):
    return [step.event for step in table.session.game.steps]


VICTORIES = {
    "toi": lambda table: stands(table, "us-8", "G5"),
    "ddob": lambda table: "0809" not in table.session.position.draft.germans,
    "aslsk": lambda table: stands(table, "us-346-3", "E6") and not stands(table, "ge-467-3", "F6"),
    "warfare": lambda table: PeopleSaved(marker="p1") in events(table),
}
"""What the reader has achieved when a guide is over, by doing what it says."""


@pytest.mark.parametrize("slug", TITLES)
def test_who_does_what_the_guide_proposes_sees_every_lesson_and_wins_something(slug, tmp_path):
    table = first_guided(slug, tmp_path)
    assert not VICTORIES[slug](table)
    assert follow(table) == list(range(len(table.guide.tutorial.lessons)))
    assert VICTORIES[slug](table)


@pytest.mark.parametrize("slug", TITLES)
@pytest.mark.parametrize("seed", range(3))
def test_the_victory_does_not_hang_on_how_the_program_breaks_ties(slug, seed, tmp_path):
    table = first_guided(slug, tmp_path)
    table.session.rng.seed(seed)
    follow(table)
    assert VICTORIES[slug](table)


@pytest.mark.parametrize("slug", TITLES)
def test_a_guide_is_short_says_that_its_dice_are_fixed_and_hands_the_game_over(slug):
    lessons = tutorial_for(slug).lessons
    assert 10 <= len(lessons) <= 14
    assert "fissat" in lessons[0].text
    assert lessons[-1].todo.startswith("Adesso tocca a te")


@pytest.mark.parametrize("slug", TITLES)
def test_a_lesson_fits_in_four_lines_of_a_narrow_terminal(slug):
    for lesson in tutorial_for(slug).lessons:
        lines = [*wrap(f"▸ {lesson.todo}", 75), *wrap(lesson.text, 75)]
        assert len(lines) <= 4, lesson.todo


def test_what_was_played_before_the_reader_sat_down_is_not_taken_back(tmp_path):
    table = first_guided("toi", tmp_path)
    with pytest.raises(UndoRefused):
        table.take_back(studio=False)
    before = len(table.session.game.entries)
    table.give((table.proposed,))
    table.take_back(studio=False)
    assert len(table.session.game.entries) == before


def test_a_guided_game_that_nobody_answered_is_not_kept():
    session = Session.guided(TITLES["toi"], tutorial_for("toi"))
    path = session.path
    session.close()
    assert not path.exists()


def test_how_far_a_lesson_is_done_is_told(tmp_path):
    table = first_guided("toi", tmp_path)
    for _ in range(4):
        table.give((table.proposed,))
    assert (table.guide.at, table.guide.progress) == (2, (2, 4))
    table.guide.go_back()
    assert table.guide.progress == (1, 1)


def test_a_game_that_is_opened_again_remembers_how_far_its_lesson_is_done(tmp_path):
    table = first_guided("toi", tmp_path)
    for _ in range(4):
        table.give((table.proposed,))
    proposed, path = table.proposed, table.session.path
    table.session.close()
    again = Table(Session.open(path, TITLES))
    again.follow_guide()
    assert (again.guide.at, again.guide.progress) == (2, (2, 4))
    assert again.proposed == proposed


def test_a_reader_who_goes_his_own_way_is_proposed_nothing_that_is_not_offered(tmp_path):
    table = first_guided("toi", tmp_path)
    assert not table.is_astray
    table.give(("u:us-3",))
    assert table.proposed is None
    assert table.is_astray
    assert table.guide.at == 0
    table.take_back(studio=False)
    table.follow_guide()
    assert not table.is_astray


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


@pytest.mark.parametrize("note", ["guida 3 5", "guida 3 5 chiusa", "guida 3 5 12"])
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
