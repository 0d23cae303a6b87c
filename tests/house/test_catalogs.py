"""The catalogs: complete in Italian, faithful to their facts, usable without a compile step."""

from __future__ import annotations

import ast
import random
import re
from datetime import datetime
from fractions import Fraction

import pytest

from app.play.text_looking import step_text
from app.presenters.registry import presenter_for
from app.shell import i18n
from app.shell.i18n import _n
from engine.core.rules import Book, RuleBug
from engine.core.text import msg
from engine.drive import RandomPlayer, drive, sides_of
from engine.game import Game, SeededChance
from tests.titles.registry import ALL
from tests.tools import catalogs


def test_every_message_has_an_italian_translation():
    assert catalogs.missing("it") == []


def test_no_message_stands_inside_an_f_string():
    """Before Python 3.12 the extractor does not look there, and the message stays English."""
    for package in catalogs.PACKAGES:
        for path in (catalogs.ROOT / package).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            strings = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
            for call in [node for string in strings for node in ast.walk(string)]:
                if isinstance(call, ast.Call) and getattr(call.func, "id", "") in catalogs.KEYWORDS:
                    spelled = isinstance(call.args[0], ast.Constant)
                    assert not spelled, f"{path}:{call.lineno}: {ast.unparse(call)}"


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_translations_name_only_facts_that_exist(language):
    assert catalogs.wrong_placeholders(language) == []


def test_nothing_obsolete_is_left_in_the_catalogs():
    known = {m.id for m in catalogs.template() if m.id}
    for language in i18n.LANGUAGES:
        left = [m.id for m in catalogs.read(language) if m.id and m.id not in known]
        assert left == [], "run make i18n"


def test_a_missing_translation_is_found(monkeypatch):
    catalog = catalogs.template()
    catalog.add("a sentence that nobody translated")
    monkeypatch.setattr(catalogs, "template", lambda: catalog)
    assert "a sentence that nobody translated" in catalogs.missing("it")


def test_italian_is_the_default_whatever_the_system_says(monkeypatch):
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.setattr(i18n, "_current", None)
    assert i18n.catalog().language == "it"
    assert i18n._("Quit") == "Esci"


def test_english_is_one_option_away():
    assert i18n.load("en").text("Quit") == "Quit"


def test_the_number_chooses_the_plural(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)
    one = _n("{n} game of {title}, {scenario}", "", n=1, title="t", scenario="s")
    many = _n("{n} game of {title}, {scenario}", "", n=3, title="t", scenario="s")
    assert (one, many) == ("1 partita di t, s", "3 partite di t, s")


def test_facts_become_words():
    italian = i18n.load("it")
    assert italian.say(msg("{file}: no errors.", file="a.yaml")) == "a.yaml: nessun errore."
    assert italian.say(msg("{a} {b} {c}", a=True, b=Fraction(7, 2), c=(1, "x"))) == "sì 3 1/2 1, x"
    named = italian.say(msg("{unit}!", unit="u1"), lambda key, name: f"{key}={name}")
    assert named == "unit=u1!"


def test_a_fact_that_is_missing_does_not_break_the_screen():
    assert i18n.load("it").text("{file} is not text.", other=1) == "{file} non è un file di testo."


def test_numbers_and_dates_are_italian():
    italian = i18n.load("it")
    assert italian.number(1234.5) == "1.234,5"
    assert italian.percent(Fraction(1, 3)) == "33,3%"
    assert italian.date(datetime(2026, 6, 2, 21, 5)) == "2 giu 2026 21:05"


def test_a_damaged_cache_folder_only_costs_time(monkeypatch, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setattr(i18n, "cache_folder", lambda: blocked / "x")
    assert i18n.load("it").text("Quit") == "Esci"


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_nothing_said_is_nothing_and_not_the_header_of_the_catalog(language):
    catalog = i18n.load(language)
    assert catalog.text("") == ""
    assert catalog.text("", n=2) == ""
    assert catalog.say(msg("", n=1)) == ""
    assert not catalog.has("")


def test_the_engine_cites_no_empty_message():
    with pytest.raises(RuleBug, match="without words"):
        Book("prova")("1", "")


@pytest.mark.parametrize("slug", ALL)
def test_no_step_of_a_game_has_a_blank_where_a_word_belongs(slug):
    title = ALL[slug]
    words = presenter_for(slug)
    for info in title.scenarios()[:2]:
        game = Game(title, info.id, SeededChance(1))
        drive(game, dict.fromkeys(sides_of(game), RandomPlayer()), random.Random(1))
        for step in game.steps:
            assert not re.search(
                r":\s*(\[|\(|$)|Project-Id", step_text(step, words.say(step.ruling.msg))
            ), step


PLURALS = (
    "azioni basette carte col. colpi comandi cubetti dadi decisioni disponibili esagoni esempi "
    "figure fortificazioni giocatori miniature obiettivi ostacoli pezzi posizioni punti regolari "
    "riquadri righe risposte segnalini spesi squadre successi terzi turni veicoli voci volte zone"
)
"""Words that are wrong after one."""

ALWAYS_SEVERAL = {
    "{given} players are too many. Sides: {sides}.",
    "{rate} decisions per second",
    "… all {n} answers (Esc)",
    "Cowering: {n} columns to the left",  # col. is short for both
    "All {n} concealed markers are in use",
    "All {n} bases of the division are in use",
    "All {n} tokens are in use: {token}",
    "All {n} transport markers are in use",
    "All {n} markers are on the map",
    "all {n} red cubes are in use",
    "{rounds} rounds, {players} players, difficulty {level}",
    "{unit} would be halved {n} times",
    "{number} entries",
}
"""Messages whose number is never one, or whose word has one form."""


def test_no_message_says_one_hits():
    wrong = re.compile(r"\{\w+\} (?:" + "|".join(map(re.escape, PLURALS.split())) + r")(?!\w)")
    for message in catalogs.read("it"):
        if isinstance(message.id, str) and message.id not in ALWAYS_SEVERAL:
            assert not wrong.search(message.string), message.string
        elif isinstance(message.id, tuple):
            assert not wrong.search(message.string[0]), message.string[0]
