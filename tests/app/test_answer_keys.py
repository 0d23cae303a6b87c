"""Which key gives which answer: a verb keeps its key, and a whole attack takes few of them."""

from __future__ import annotations

import random

import pytest

from app.play.keys import END, PER_PAGE, end_of, forbidden_end, key_at, key_of, seated
from app.play.session import Session
from engine.core.decisions import Decision, Option, Refusals
from engine.core.rules import Command, Roll, RuleRef, Ruling
from engine.core.text import Msg
from engine.core.title import TitleInfo
from engine.game import Game
from engine.saves.replaying import chance_of
from engine.titles import TITLES
from tests.app.tables import head_of, played, session_of
from tests.app.test_play import WIDE, italian, settled, table, text_of  # noqa: F401
from tests.app.test_play_titles import rows

VERBS = {
    "toi": "action.verb",
    "ddob": "actions.what",
    "aslsk": "move.mode",
    "warfare": "action.what",
}
SCENARIOS = {"toi": "toi-s1", "ddob": "easy-fox", "aslsk": "R1", "warfare": "s1"}


def questions(slug, id, count=12, at_most=600):
    """The first questions of a kind in a game at random."""
    title = TITLES[slug]
    game, rng = (
        Game(title, SCENARIOS[slug], chance_of(head_of(slug, SCENARIOS[slug]))),
        random.Random(3),
    )
    for _ in range(at_most):
        decision = game.position.decision
        if decision is None or not count:
            return
        if decision.id == id:
            count -= 1
            yield decision
        game.answer(decision.options[rng.randrange(len(decision.options))].id)


@pytest.mark.parametrize("slug", VERBS)
def test_a_verb_has_the_same_key_for_every_unit(slug):
    info = TITLES[slug].info
    keys = {}
    asked = list(questions(slug, VERBS[slug]))
    assert len(asked) > 1
    for decision in asked:
        for seat in seated(decision, info):
            if seat.option.startswith("b:"):
                assert keys.setdefault(seat.option, seat.place) == seat.place
    assert len(keys) > 1


@pytest.mark.parametrize("slug", VERBS)
def test_every_answer_has_a_place_of_its_own_and_forbidden_verbs_keep_theirs(slug):
    info = TITLES[slug].info
    for decision in questions(slug, VERBS[slug]):
        seats = seated(decision, info)
        assert sorted(seat.option for seat in seats if seat.is_allowed) == sorted(
            option.id for option in decision.options
        )
        places = [seat.place for seat in seats if seat.place != END]
        assert places == sorted(set(places))
        barred = [one for one in decision.refused if one[2:] in info.verbs[decision.id]]
        assert {seat.option for seat in seats if not seat.is_allowed} == set(barred)


@pytest.mark.parametrize("slug", TITLES)
def test_verbs_that_have_a_key_are_asked_for_somewhere(slug):
    title = TITLES[slug]
    for verbs in title.info.verbs.values():
        named = [verb for verb in verbs if verb]
        assert len(set(named)) == len(named)


def test_hexes_take_the_places_that_verbs_leave(tmp_path):
    session = session_of(tmp_path, "ddob", "easy-fox", "actions.what")
    decision, info = session.decision, session.title.info
    hexes = [option.id for option in decision.options if option.id.startswith("h:")]
    assert [key_of(decision, one, info) for one in hexes] == [str(n + 1) for n in range(len(hexes))]
    assert end_of(decision, info) == "b:resta"
    assert key_of(decision, "b:resta", info) == "0"


def question(options, refused=()):
    """A question with these answers, and these forbidden."""
    ruling = Ruling((RuleRef("toi:x"),), Msg("x"))
    barred = Refusals()
    for one in refused:
        barred.add(Option(one, Msg("x")), ruling)
    return Decision("x", "us", ruling, tuple(Option(one, Msg("x")) for one in options), barred)


def test_an_end_that_is_forbidden_is_still_what_zero_asks_for():
    info = TitleInfo("x", "x", "x", 1, ends=("fine",))
    asked = question(["u:a", "u:b"], ["b:fine"])
    assert end_of(asked, info) is None
    assert forbidden_end(asked, info) == "b:fine"
    assert forbidden_end(question(["u:a"]), info) is None


def test_a_verb_with_a_key_of_its_own_is_not_given_by_zero():
    info = TitleInfo("x", "x", "x", 1, ends=("fine", "ferma"), verbs={"x": ("", "", "ferma")})
    asked = question(["h:A1", "b:ferma"], ["b:fine"])
    assert end_of(asked, info) is None
    assert [(seat.option, seat.place) for seat in seated(asked, info)] == [
        ("h:A1", 0),
        ("b:ferma", 2),
    ]


def test_zero_declines_what_is_offered_among_verbs_too():
    info = TitleInfo("x", "x", "x", 1, ends=("fine", "passa"))
    asked = question(["b:mg>a", "b:mg>b", "b:passa"])
    assert end_of(asked, info) == "b:passa"
    assert [seat.place for seat in seated(asked, info)] == [0, 1, END]


def test_a_place_has_a_key_on_its_page_only():
    assert [key_at(END), key_at(0), key_at(8), key_at(9)] == ["0", "1", "9", " "]
    assert [key_at(0, 1), key_at(9, 1), key_at(17, 1)] == [" ", "1", "9"]


# --- at the table -----------------------------------------------------------------------------


async def test_a_forbidden_verb_stands_dimmed_in_its_place_and_says_why(tmp_path):
    session = session_of(tmp_path, "warfare", "s1", "action.what")
    decision, info = session.decision, session.title.info
    barred = next(seat for seat in seated(decision, info) if not seat.is_allowed)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        marked = app.screen._bar.marked
        assert decision.option(marked) is not None, "the first that is allowed is marked"
        line = next(row for row in rows(app) if row.startswith(f"{barred.place + 1}×"))
        assert ":" in line
        entries = len(session.game.entries)
        await pilot.press(str(barred.place + 1))
        await settled(pilot)
        assert len(session.game.entries) == entries
        assert text_of(app.screen, "#verdict")


async def test_an_unknown_number_says_so_with_those_that_are_known(tmp_path):
    session = session_of(tmp_path, "aslsk", "R2", "move.who")
    info = session.title.info
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        taken = {seat.place for seat in seated(session.decision, info)}
        free = next(n for n in range(PER_PAGE) if n not in taken)
        await pilot.press(str(free + 1))
        await settled(pilot)
        assert f"Nessuna risposta qui ha il tasto {free + 1}" in text_of(app.screen, "#verdict")


async def test_plus_gives_the_numbers_to_the_next_nine(tmp_path):
    session = session_of(tmp_path, "aslsk", "R1")  # where a squad is set up: a hundred hexes
    wanted = seated(session.decision, session.title.info)[PER_PAGE + 2].option
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert "+: altri numeri (1-9 di" in app.screen._bar.border_subtitle
        await pilot.press("plus")
        await settled(pilot)
        assert "10-18 di" in app.screen._bar.border_subtitle
        entries = len(session.game.entries)
        await pilot.press("3")
        await settled(pilot, lambda: len(session.game.entries) > entries)
        assert session.game.entries[entries].option == wanted


async def test_the_verb_last_chosen_is_marked_at_the_next_question(tmp_path):
    session = session_of(tmp_path, "toi", "toi-s1", "action.verb")
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        screen = app.screen
        last = session.decision.options[-1].id
        screen.table._verbs[session.decision.side, "action.verb"] = last
        screen._asked = None
        screen.update_table()
        await settled(pilot)
        assert screen._bar.marked == last


# --- one whole attack -------------------------------------------------------------------------

ATTACKS = {
    "toi": ("toi-s1", "action.next", "fire.target", 5),
    "ddob": ("easy-fox", "actions.who", "attack.units", 3),
    "aslsk": ("R1", "fire.who", "fire.target", 4),
    "warfare": ("s4", "action.who", "fire.target", 4),
}
SIMPLE = ("b:tutti", "b:fuoco", "b:nessuno", "b:via", "b:normale")
"""What is answered between the target and the roll."""


def before_an_attack(slug, folder):
    """A session at the first question of an attack, and the answers that lead to its target."""
    scenario, first, target, _most = ATTACKS[slug]
    title, head = TITLES[slug], head_of(slug, scenario)
    entries = played(slug, scenario, target, "", "medio")
    game = Game(title, scenario, chance_of(head))
    at, index = 0, len(game.entries)
    while index < len(entries):
        if game.position.decision.id == first:
            at = index
        game.resume(entries[index : index + 1])
        index = len(game.entries)
    game = Game(title, scenario, chance_of(head))
    game.resume(entries[len(game.entries) : at])
    way = [entry.option for entry in entries[at:] if isinstance(entry, Command)]
    return Session(game, head, folder / "prova.prontuario"), way


@pytest.mark.parametrize("slug", ATTACKS)
async def test_a_whole_attack_takes_few_keys(tmp_path, slug):
    session, way = before_an_attack(slug, tmp_path)
    most, info = ATTACKS[slug][3], session.title.info
    assert session.decision.id == ATTACKS[slug][1]
    before, pressed = len(session.game.steps), 0
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        while not is_resolved(session, before):
            decision = session.decision
            ids = [option.id for option in decision.options]
            simple = [one for one in SIMPLE if one in ids]
            option = way.pop(0) if way else (simple or ids)[0]
            place = next(s.place for s in seated(decision, info) if s.option == option)
            page = place // PER_PAGE if place != END else 0
            await pilot.press(*["plus"] * page, key_at(place, page))
            pressed += page + 1
            await settled(pilot, lambda asked=decision: session.decision is not asked)
    assert pressed <= most


def is_resolved(session, before):
    """Whether dice have fallen, or an attack without dice is over."""
    steps = session.game.steps[before:]
    if session.title.info.slug == "ddob":
        return any(
            "ddob:8.3" in step.ruling.refs and "ratio" in step.ruling.msg.facts for step in steps
        )
    return any(isinstance(step.chance, Roll) for step in steps)
