"""A game at the table, without a screen."""

from __future__ import annotations

import pytest

from app.play.discretion import HUMAN, REMOTE
from app.play.reckoning import reckon
from app.play.session import Session, default_seats, frames_of, new_path
from app.play.table import Table
from engine.core.rules import Command
from engine.drive import RANDOM
from engine.game import UndoRefused
from engine.titles import TITLES
from tests.app.tables import ACTION, DEPLOY, MOVE, TOI, session_at, session_of


def test_frames_are_those_of_the_game_and_grow_with_it(tmp_path):
    session = session_at(tmp_path, DEPLOY)
    for _ in range(4):
        known = Table(session, "us").frames
        assert [f.step for f in known] == [f.step for f in frames_of(session.game)]
        assert [f.state for f in known] == [f.state for f in frames_of(session.game)]
        session.answer(session.decision.options[0].id)
    session.undo()
    assert [f.step for f in Table(session, "us").frames] == [
        f.step for f in frames_of(session.game)
    ]


def test_the_only_answer_gives_itself_and_the_journal_tells(tmp_path):
    session = session_at(tmp_path)
    assert len(session.decision.options) == 1
    session.is_auto = True
    session.settle()
    assert len(session.decision.options) > 1
    extra = len(Table(session, "us").frames) - len(list(frames_of(session.game)))
    assert extra == 2
    assert all(frame.step.ruling.refs for frame in Table(session, "us").frames)


def test_an_answer_that_gave_itself_is_not_told_to_the_other_side(tmp_path):
    session = session_at(tmp_path)
    session.is_auto = True
    session.settle()
    assert len(Table(session, "de").frames) == len(list(frames_of(session.game)))


def test_undo_goes_back_past_answers_that_give_themselves(tmp_path):
    session = session_at(tmp_path, ACTION)
    session.is_auto = True
    before = session.decision.id
    unit = next(o.id for o in session.decision.options if o.kind == "unit")
    session.answer(unit)
    session.undo()
    assert session.decision.id == before
    assert session.decision.option(unit) is not None


def test_the_program_answers_one_question_for_a_person(tmp_path):
    session = session_at(tmp_path, DEPLOY)
    given = session.delegate()
    assert given == len([u for u in session.position.draft.units.values() if u.side == "us"])
    assert session.decision.side == "de"


def test_the_journal_tells_why_the_solo_opponent_acts_once_for_each_reason(tmp_path):
    seats, options = {"blu": RANDOM, "verde": "solitario"}, {"solitario": "si"}
    session = Session.new(
        TITLES["warfare"],
        "s2",
        seats=seats,
        options=options,
        seed=4,
        path=tmp_path / "x.prontuario",
    )
    given = []
    while session.decision is not None and len(given) < 300:
        option, reason = session.bot_choice()
        given.append(reason)
        session.answer(option, reason)
    reasons = [
        reason
        for before, reason in zip([None, *given], given, strict=False)
        if reason is not None and reason != before
    ]
    told = [f.step for f in Table(session, "blu").frames if f.step.ruling.msg in reasons]
    assert [step.ruling.msg for step in told] == reasons
    assert len(reasons) > 5
    assert all(step.ruling.refs for step in told)


def test_a_person_elsewhere_is_neither_here_nor_a_program(tmp_path):
    session = session_at(tmp_path, MOVE, us=REMOTE)
    assert session.is_away
    assert not session.is_bot_turn
    assert session.seat() == "de"


def test_newcomers_play_the_first_side_against_the_program():
    seats = default_seats(TOI, ("us", "de"))
    assert seats["us"] == HUMAN
    assert seats["de"] in (*TOI.levels, RANDOM)


def test_a_game_left_at_any_moment_is_taken_up_where_it_was(tmp_path):
    session = session_at(tmp_path, DEPLOY)
    for _ in range(3):
        session.answer(session.decision.options[0].id)
        again = Session.open(session.path, TITLES)
        assert again.game.entries == session.game.entries


def test_two_windows_that_begin_in_the_same_second_have_two_files():
    assert len({new_path("toi", "toi-s1") for _window in range(5)}) == 5


def test_undo_takes_back_all_that_programs_answered_or_nothing(tmp_path):
    session = session_at(tmp_path, ACTION, de=RANDOM)
    refused = 0
    while not refused:
        if session.is_bot_turn:
            session.answer(session.bot_choice()[0])
            continue
        last = [entry for entry in session.game.entries if isinstance(entry, Command)][-1]
        before = session.game.entries
        try:
            session.undo()
        except UndoRefused:
            refused += last.side == "de" and isinstance(before[-1], Command)
            assert session.game.entries == before
        else:
            assert session.decision.side == "us"
            session.redo()
            while session.is_bot_turn:
                session.redo()
        assert not session.game.studio
        session.answer(session.decision.options[-1].id)


def test_undo_is_refused_where_only_programs_have_answered(tmp_path):
    session = session_at(tmp_path, us=RANDOM)
    while session.is_bot_turn:
        session.answer(session.bot_choice()[0])
    before = session.game.entries
    for studio in (False, True):
        with pytest.raises(UndoRefused):
            session.undo(studio)
        assert session.game.entries == before
        assert not session.game.studio


CROWD = "population.turn"


def test_an_answer_without_alternative_does_not_roll_before_its_odds_are_seen(tmp_path):
    session = session_of(tmp_path, "warfare", "s1", CROWD)
    session.is_auto = True
    entries = session.game.entries
    session.settle()
    assert session.game.entries == entries
    assert session._only_option() is None
    assert session.questions()


@pytest.mark.parametrize(
    ("slug", "scenario", "asked"),
    [
        ("warfare", "s2", "fire.weapon"),
        ("toi", "toi-s1", "fire.figures"),
    ],
)
def test_odds_are_there_where_weapons_or_figures_are_chosen(tmp_path, slug, scenario, asked):
    session = session_of(tmp_path, slug, scenario, asked)
    found = list(reckon(session.title, session.position))
    assert {one.option for one in found} == {o.id for o in session.decision.options}
    for one in found:
        assert sum(share for _msg, share in one.odds.spread) == 1


def test_a_game_in_which_nobody_answered_leaves_no_file():
    session = Session.new(TOI, "toi-s1", seed=1)
    assert session.path.is_file()
    assert not session.is_kept
    session.close()
    assert not session.path.exists()
    assert not list(session.path.parent.iterdir())


def test_one_answer_is_enough_for_a_game_to_be_kept():
    session = Session.new(TOI, "toi-s1", seed=1)
    session.answer(session.decision.options[0].id)
    session.close()
    again = Session.open(session.path, TITLES)
    assert len(again.game.entries) == len(session.game.entries)
    again.undo(studio=True)
    again.close()
    assert again.path.is_file()  # it was opened from a save


def test_an_answer_taken_back_was_still_given():
    session = Session.new(TOI, "toi-s1", seed=1)
    session.answer(session.decision.options[0].id)
    session.undo(studio=True)
    session.close()
    assert session.path.is_file()


def test_a_file_that_was_asked_for_or_sent_is_kept(tmp_path):
    named = Session.new(TOI, "toi-s1", seed=1, path=tmp_path / "mia.prontuario")
    named.close()
    assert named.path.is_file()
    sent = Session.new(TOI, "toi-s1", seed=1)
    sent.save()
    sent.close()
    assert sent.path.is_file()


def test_a_file_that_another_program_filled_is_not_taken_away():
    session = Session.new(TOI, "toi-s1", seed=1)
    other = Session.new(TOI, "toi-s1", seed=1)
    other.answer(other.decision.options[0].id)
    session.path.write_bytes(other.path.read_bytes())
    first = session.path
    session.close()
    assert first.is_file()
