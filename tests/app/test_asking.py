"""«Posso…?» at the table: what the engine answers is what it would allow, and no more than that."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest

from app.play.asking import ask, ask_of, is_question
from app.play.discretion import HUMAN
from app.play.session import Session
from app.play.table import Table
from app.presenters.base import name_of
from app.shell import i18n
from engine.game import Game
from engine.saves.lines import FORMAT, Header
from engine.saves.replaying import chance_of
from engine.titles import TITLES
from rules_it.build import ensure
from rules_it.search import Index
from tests.app.tables import ACTION, session_at

SCENARIOS = [("toi", "toi-s1"), ("ddob", "first-wave"), ("aslsk", "R1"), ("warfare", "s2")]
POSITIONS = 100


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


@pytest.fixture(scope="session")
def index(tmp_path_factory) -> Index:
    return Index.open(ensure(Path(tmp_path_factory.getbasetemp().parent / "indice")))


def nothing(_words):
    """No word means anything: only names count."""
    return ()


def table_of(folder, slug, scenario, options=None):
    title = TITLES[slug]
    sides = next(info.sides for info in title.scenarios() if info.id == scenario)
    players = dict.fromkeys(sides, HUMAN)
    header = Header(FORMAT, slug, title.info.revision, scenario, 4, options or {}, players)
    game = Game(title, scenario, chance_of(header), header.options)
    return Table(Session(game, header, folder / "prova.prontuario"))


def look(table):
    table.refresh()
    table.change_seat()
    table.presenter.use(table.view)
    return table.decision


def said(table, option):
    known = table.decision.option(option)
    if known is not None:
        return table.presenter.answer(option, known.msg)
    return name_of(table.presenter, table.decision, option)


@pytest.mark.parametrize(("slug", "scenario"), SCENARIOS)
def test_the_answer_is_that_of_the_engine_in_a_hundred_positions(tmp_path, slug, scenario):
    table, rng, asked = table_of(tmp_path, slug, scenario), random.Random(1), 0
    while asked < POSITIONS:
        decision = look(table)
        if decision is None:
            table = table_of(tmp_path / str(asked), slug, scenario)
            continue
        names = {}
        for option in (*(o.id for o in decision.options), *decision.refused):
            names.setdefault(said(table, option).casefold(), []).append(option)
        option = rng.choice([ids[0] for ids in names.values() if len(ids) == 1] or [""])
        if option and rng.random() < 0.3:
            asked += 1
            reply = ask(table, f"posso {said(table, option)}?", nothing)
            against = decision.refused.get(option, ())
            assert reply is not None
            assert reply.is_allowed is not bool(against), (decision.id, option, reply.words)
            assert reply.is_allowed or reply.rulings == against
        table.session.answer(rng.choice(decision.options).id)


def test_words_lead_from_the_unit_over_the_verb_to_the_target(tmp_path, index):
    table = Table(session_at(tmp_path, ACTION))
    look(table)
    meanings = partial(index.meanings, title="toi")
    fire = ask(table, "posso sparare con la 1ª squadra USA?", meanings)
    assert (fire.is_allowed, fire.way) == (True, ("1ª squadra USA", "Fuoco concentrato"))
    sight = ask(table, "perché la 1ª squadra USA non può sparare alla 1ª squadra ted.?", meanings)
    assert sight.is_allowed is False
    assert any(ref.startswith("toi:visuale") for ruling in sight.rulings for ref in ruling.refs)


def test_a_far_hex_is_told_by_the_reach_of_the_move(tmp_path, index):
    table = Table(session_at(tmp_path, ACTION))
    look(table)
    reply = ask(
        table, "posso muovere la 1ª squadra USA in J2?", partial(index.meanings, title="toi")
    )
    assert reply.is_allowed is False
    assert "J2 è fuori portata" in reply.words


def test_trying_changes_nothing_at_the_table(tmp_path, index):
    table = Table(session_at(tmp_path, ACTION))
    before = look(table), table.session.position, len(table.session.game.entries)
    ask(table, "posso sparare con la 1ª squadra USA?", partial(index.meanings, title="toi"))
    assert (table.decision, table.session.position, len(table.session.game.entries)) == before


def test_the_hex_that_is_pointed_at_is_here(tmp_path):
    table = Table(session_at(tmp_path, ACTION))
    decision = look(table)
    hex = next(table.hex_of(o.id) for o in decision.options if o.id.startswith("u:"))
    assert ask_of(table, hex) == ask(table, "posso qui?", nothing, hex)


def at_a_target(folder, options=None):
    """ASL Starter Kit, at the choice of a target."""
    table, rng = table_of(folder, "aslsk", "R1", options), random.Random(2)
    while (decision := look(table)).id != "fire.target" or not decision.options:
        fires = [o.id for o in decision.options if decision.id == "fire.who" and o.id[0] == "u"]
        table.session.answer(rng.choice(fires or [o.id for o in decision.options]))
    return table


def test_before_declaring_the_los_of_asl_is_not_told(tmp_path):
    table = at_a_target(tmp_path)
    for option in table.decision.options:
        if option.id.startswith("h:"):
            reply = ask(table, f"perché non posso sparare in {option.id[2:]}?", nothing)
            assert reply.words.startswith("Puoi dichiararlo")
            assert "aslsk:3.2.1.declare" in reply.rulings[0].refs


@pytest.mark.parametrize(
    ("words", "asks"),
    [
        ("posso sparare dal fumo?", True),
        ("perché non posso muovere qui", True),
        ("si può assaltare un carro?", True),
        ("fuoco di opportunità", False),
        ("quanto costa il bosco", False),
    ],
)
def test_what_asks_for_leave_is_known(words, asks):
    assert is_question(words) is asks
