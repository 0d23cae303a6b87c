"""Set-up in one go, in every title: by the program, as in an earlier game, in stacks."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from app.play.discretion import HUMAN
from app.play.placing import key_of
from app.play.session import SUFFIX, Session
from app.play.table import Table
from app.shell import i18n
from engine.core.rules import Command
from engine.drive import RANDOM
from engine.titles import TITLES

SET_UPS = [("toi", "toi-s1"), ("toi", "toi-s3"), ("ddob", "beyond-the-beach"), ("aslsk", "R1"),
           ("aslsk", "R4"), ("warfare", "casuale")]  # fmt: skip
BY_HAND = [one for one in SET_UPS if one[0] != "warfare"]
"""Set-ups in which units are placed: those of Warfare stand where the scenario puts them."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setattr(i18n, "_current", None)
    monkeypatch.setattr("app.play.placing.saves_folder", lambda: tmp_path)
    return tmp_path


def begun(folder: Path, slug: str, scenario: str, name: str = "ora", side: str = "") -> Session:
    """A game whose set-up is asked of one person; programs sit elsewhere."""
    title = TITLES[slug]
    sides = next(info.sides for info in title.scenarios() if info.id == scenario)
    seats = {one: HUMAN if one == (side or first_asked(slug, scenario)) else RANDOM
             for one in sides}  # fmt: skip
    path = folder / f"{name}{SUFFIX}"
    session = Session.new(title, scenario, seats=seats, seed=3, path=path)
    session.rng = random.Random(8)
    return session


def first_asked(slug: str, scenario: str) -> str:
    title = TITLES[slug]
    from engine.game import Game, SeededChance

    decision = Game(title, scenario, SeededChance(3)).position.decision
    assert decision is not None
    return decision.side


def let_others(session: Session) -> None:
    """The programs answer as long as they are asked."""
    while session.is_bot_turn:
        session.answer(session.bot_choice()[0])


def place_all(table: Table) -> int:
    """The set-up of the person by the program, as a screen or the dialogue runs it."""
    table.placing.begin()
    session = table.session
    for _ in range(2000):
        let_others(session)
        if not table.placing.is_by_program:
            return table.placing.given
        table.placing.take(session.bot_choice(session.deputy)[0])
    raise AssertionError("the set-up does not end")


def own(session: Session) -> list[str]:
    side = session.humans[0]
    return [e.option for e in session.game.entries if isinstance(e, Command) and e.side == side]


@pytest.mark.parametrize(("slug", "scenario"), SET_UPS)
def test_the_program_places_all_of_a_side_and_nothing_else(folder, slug, scenario):
    table = Table(begun(folder, slug, scenario))
    let_others(table.session)
    given = place_all(table)
    assert given == len(own(table.session))
    assert table.placing.is_over
    assert str(given) in table.placing.ended()
    assert table.session.decision.id not in ("setup.place", "setup.hex", "setup.figures")
    assert not table.placing.goes_on


@pytest.mark.parametrize(("slug", "scenario"), BY_HAND)
def test_what_was_placed_is_taken_back_answer_by_answer(folder, slug, scenario):
    table = Table(begun(folder, slug, scenario))
    let_others(table.session)
    place_all(table)
    table.placing.stop()
    before = own(table.session)
    table.take_back(studio=True)
    assert own(table.session) == before[: len(own(table.session))]
    assert len(own(table.session)) < len(before)
    assert table.placing.is_set_up(table.decision)


@pytest.mark.parametrize(("slug", "scenario"), BY_HAND)
def test_a_set_up_is_repeated_from_the_last_game(folder, slug, scenario):
    first = Table(begun(folder, slug, scenario, "prima"))
    let_others(first.session)
    place_all(first)
    placed = own(first.session)
    first.session.close()
    table = Table(begun(folder, slug, scenario))
    let_others(table.session)
    assert table.placing.has_earlier
    assert table.placing.begin_as_before() == ""
    stop = None
    for _ in range(200):
        let_others(table.session)
        stop = table.placing.give_planned()
        if stop is not None:
            break
    assert stop is not None
    assert own(table.session) == placed
    assert "Partita del" in stop.said


def test_without_an_earlier_game_that_is_said(folder):
    table = Table(begun(folder, "aslsk", "R1"))
    assert not table.placing.has_earlier
    assert "Non c'è una partita" in table.placing.begin_as_before()
    assert not table.placing.goes_on


def test_the_set_up_of_another_side_or_scenario_is_not_taken(folder):
    other = begun(folder, "aslsk", "R4", "altro")
    other.answer(other.decision.options[0].id)
    other.close()
    enemy = begun(folder, "aslsk", "R1", "nemico", side="american")
    let_others(enemy)
    enemy.answer(enemy.decision.options[0].id)
    enemy.close()
    assert not Table(begun(folder, "aslsk", "R1")).placing.has_earlier


def test_it_stops_where_an_earlier_answer_is_not_legal_and_says_the_rule(folder):
    first = begun(folder, "aslsk", "R1", "prima")
    hexes = [option.id for option in first.decision.options]
    for hex in (hexes[0], hexes[0], hexes[0], hexes[1]):
        first.answer(hex)
    first.close()
    table = Table(begun(folder, "aslsk", "R1"))
    table.session.answer(hexes[1])
    for _ in range(2):
        table.session.answer(hexes[1])
    table.placing.begin_as_before()
    stop = table.placing.give_planned()
    assert stop is not None
    assert stop.given == 0
    assert stop.option == hexes[1]
    assert stop.rulings == table.decision.why_not(hexes[1])
    assert "Si ferma a" in stop.said
    assert not table.placing.goes_on


def test_after_a_change_the_rest_goes_as_before_it_was_taken_back(folder):
    table = Table(begun(folder, "aslsk", "R1"))
    place_all(table)
    table.placing.stop()
    placed = own(table.session)
    while len(own(table.session)) > 2:
        table.take_back(studio=False)
    changed = next(o.id for o in table.decision.options if o.id != placed[2])
    table.session.answer(changed)
    assert table.placing.has_earlier
    table.placing.begin_as_before()
    let_others(table.session)
    table.placing.give_planned()
    assert own(table.session)[:2] == placed[:2]
    assert own(table.session)[2] == changed
    assert own(table.session)[3:] == placed[3 : len(own(table.session))]


def test_a_stack_is_placed_on_one_hex_until_a_rule_forbids_it(folder):
    table = Table(begun(folder, "aslsk", "R1"))
    hex = table.decision.options[0].id
    stop = table.placing.fill(hex)
    assert stop.given == 3
    assert own(table.session) == [hex] * 3
    assert "aslsk:2.0.stacking" in stop.rulings[0].refs
    assert table.presenter.say(stop.rulings[0].msg) in stop.said


def test_questions_about_different_units_have_different_keys(folder):
    session = begun(folder, "aslsk", "R1")
    first = key_of(session.decision)
    session.answer(session.decision.options[0].id)
    assert key_of(session.decision) != first
