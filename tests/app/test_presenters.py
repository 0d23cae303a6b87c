"""Every title's looks: names and letters for all that its scenarios lay on the table."""

from __future__ import annotations

import random
import unicodedata
from fractions import Fraction
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from app.presenters.base import GenericPresenter
from app.shell import i18n
from engine.core.text import Msg
from engine.core.title import Title
from engine.core.view import CounterView, Mark, View
from engine.game import Game, SeededChance

SLUGS = ("toi", "warfare", "ddob", "aslsk")
ANSWERS = 120
EVERY = 15


def title_of(slug: str) -> Title[Any]:
    found: Title[Any] = import_module(f"engine.{slug}").TITLE
    return found


def presenter_of(slug: str) -> GenericPresenter:
    """As the registry finds it, but for titles that are not listed yet too."""
    module = f"app.presenters.{slug}"
    kind = GenericPresenter
    if find_spec(module) is not None:
        kind = import_module(module).PRESENTER
    sides = [side for info in title_of(slug).scenarios() for side in info.sides]
    return kind(tuple(dict.fromkeys(sides)))


@cache
def views(slug: str) -> tuple[View, ...]:
    """Tables of every scenario, from each chair, as random answers lead on."""
    title = title_of(slug)
    found = []
    for info in title.scenarios():
        game = Game(title, info.id, SeededChance(1), {})
        rng = random.Random(info.id)
        for n in range(ANSWERS):
            if n % EVERY == 0:
                found += [title.view(game.position.draft, side) for side in info.sides]
            decision = game.position.decision
            if decision is None:
                break
            game.answer(decision.options[rng.randrange(len(decision.options))].id)
    return tuple(found)


def is_plain(text: str) -> bool:
    """One cell for each character, whatever the terminal; box drawing and blocks apart."""
    return all(
        0x2500 <= ord(c) <= 0x259F
        or (unicodedata.east_asian_width(c) in ("N", "Na") and c.isprintable() and ord(c) < 0x1F000)
        for c in text
    )


@pytest.fixture(params=["it", "en"])
def _language(request, monkeypatch):
    monkeypatch.setattr(i18n, "_current", i18n.load(request.param))


@pytest.fixture(params=SLUGS)
def slug(request, _language):
    title_of(request.param)
    return request.param


def test_everything_on_the_table_has_a_name_and_a_look(slug):
    presenter = presenter_of(slug)
    described: set[int] = set()
    for view in views(slug):
        presenter.use(view)
        assert all(presenter.headline(view))
        for counter in view.counters:
            look = presenter.counter(counter)
            assert look.name
            assert look.name == presenter.name("unit", counter.id)
            assert look.type or look.strength
            assert "{" not in presenter.detail(counter)
        for marks in view.marks.values():
            assert all(presenter.mark(mark).glyph and presenter.mark(mark).letter for mark in marks)
        held = tuple({counter.hex for counter in view.counters if counter.hex is not None})
        hexes = view.board.hexes()
        if id(view.board) in described:
            hexes = tuple(hex for hex in held if hex in view.board)
        described.add(id(view.board))
        for hex in hexes:
            assert presenter.describe(view, hex).startswith(view.board.label(hex))
        for panel in presenter.panels(view):
            assert panel.heading
            assert panel.lines


def test_briefings_speak_of_every_scenario(slug):
    presenter = presenter_of(slug)
    for info in title_of(slug).scenarios():
        assert "{" not in "".join(presenter.briefing(info.id))


def test_counters_of_a_table_have_names_of_their_own(slug):
    presenter = presenter_of(slug)
    for view in views(slug):
        presenter.use(view)
        known = [c for c in view.counters if "?" not in c.id]
        names = [presenter.name("unit", counter.id) for counter in known]
        assert len(set(names)) == len(names)


def test_a_step_lights_every_unit_that_it_names_its_own_first(slug):
    presenter = presenter_of(slug)
    view = views(slug)[-1]
    placed = {c.hex: c for c in view.counters if c.hex is not None and "?" not in c.id}
    one, two, three = list(placed.values())[:3]
    msg = Msg("x", {"hit": (one.id, two.id), "n": 3, "unit": three.id})
    assert list(presenter.lit(msg, view)) == [three.hex, one.hex, two.hex]


def test_terrains_of_a_title_have_letters_of_their_own(slug):
    presenter = presenter_of(slug)
    names = {terrain for view in views(slug) for terrain in view.board.terrains.values()}
    letters = [presenter.terrain(name).letter for name in sorted(names)]
    assert len(set(letters)) == len(letters), dict(zip(sorted(names), letters, strict=True))


def test_what_is_drawn_is_one_cell_wide(slug):
    presenter = presenter_of(slug)
    for board in {id(view.board): view.board for view in views(slug)}.values():
        for name in set(board.terrains.values()):
            look = presenter.terrain(name)
            assert len(look.letter) == 1
            assert is_plain("".join([look.letter, look.texture, *look.art, *look.large]))
        for name in {name for names in board.sides.values() for name in names}:
            assert is_plain(presenter.hexside(name).letter)
        for name in board.lines:
            assert is_plain(presenter.line(name).letter)
    for view in views(slug):
        presenter.use(view)
        for counter in view.counters:
            drawn = presenter.counter(counter)
            assert is_plain(drawn.army + drawn.type + drawn.strength + drawn.states), drawn
        for mark in {mark for marks in view.marks.values() for mark in marks}:
            shown = presenter.mark(mark)
            assert is_plain(shown.glyph + shown.letter + shown.text), shown


def test_sides_of_a_table_differ_by_letter_and_colour(slug):
    for info in title_of(slug).scenarios():
        presenter = presenter_of(slug)
        armies = [presenter.army(side) for side in info.sides]
        assert len({army.letter for army in armies}) == len(armies)
        assert all(one.colour != two.colour for one, two in pairwise(armies))


# --- ASL Starter Kit ---------------------------------------------------------------------------


@pytest.fixture
def _english(monkeypatch):
    monkeypatch.setattr(i18n, "_current", i18n.load("en"))


def sk_counter(id: str, kind: str = "squad", **more: Any) -> CounterView:
    return CounterView(id, "german", kind, Msg(id), None, **more)


@pytest.mark.usefixtures("_english")
@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("ge-467-2", "4-6-7 B"),
        ("ge-9-1", "9-1 Ger."),
        ("ge-9-1-2", "9-1 Ger. 2"),
        ("us-mmg-1", "MMG US 1"),
        ("ge-75l", "75L PaK 40"),
        ("ge-75l-S", "75L PaK 40 Smoke"),
        ("ge-ivh-1", "PzKpfw IVH 1"),
        ("ge-ivh-1:cmg", "PzKpfw IVH 1 CMG"),
        ("ge-467-2:pf", "4-6-7 B PF"),
        ("u:ge-467-2", "4-6-7 B"),
        ("advance german", "advance German"),
    ],
)
def test_starter_kit_names(id, name):
    assert presenter_of("aslsk").name("unit", id) == name


def test_starter_kit_hexes_beside_the_map_are_in_the_order_of_the_map():
    in_order = import_module("app.presenters.aslsk").in_order
    assert in_order(["A10", "B1", "A9", "A1"]) == ["A1", "A9", "A10", "B1"]


@pytest.mark.usefixtures("_english")
def test_starter_kit_letters_are_unlike_each_other():
    states = import_module("app.presenters.aslsk").STATES
    letters = [letter for state, (letter, _words) in states.items() if state != "MA malfunctioned"]
    assert len(set(letters)) == len(letters)
    assert all(is_plain(letter) for letter in letters)


@pytest.mark.usefixtures("_english")
def test_starter_kit_vehicles_show_where_they_point():
    presenter = presenter_of("aslsk")
    tank = CounterView("ge-ivh-1", "german", "vehicle", Msg("PzKpfw IVH"), None, "", "75L", ("BU",),
                       {"vca": 1, "tca": 2})  # fmt: skip
    look = presenter.counter(tank)
    assert (look.type, look.strength, look.states) == ("4H", "75L", "v3t5BU")
    assert "TCA at 5 o'clock" in presenter.detail(tank)
    wreck = msgspec.structs.replace(tank, states=("wreck",))
    assert presenter.counter(wreck).states == "#"


@pytest.mark.usefixtures("_english")
def test_starter_kit_marks_the_phase_of_now():
    presenter = presenter_of("aslsk")
    for view in views("aslsk"):
        presenter.use(view)
        sequence = presenter.panels(view)[0].lines
        assert len([line for line in sequence if line.startswith("▸")]) == 1


@pytest.mark.usefixtures("_english")
def test_starter_kit_odds_are_ladders():
    facts = dict.fromkeys(("dead", "reduced", "broken", "pinned", "rallied", "tanks", "jammed"), 0)
    odds = [
        (Msg("x", {**facts, "broken": 2}), Fraction(1, 4)),
        (Msg("x", {**facts, "broken": 1}), Fraction(1, 4)),
        (Msg("x", {**facts, "jammed": 1}), Fraction(1, 4)),
        (Msg("x", dict(facts)), Fraction(1, 4)),
    ]
    presenter = presenter_of("aslsk")
    assert presenter.chance(odds) == Fraction(1, 2)
    assert presenter.at_least(odds) == (
        ("enemies broken: at least 1", Fraction(1, 2)),
        ("enemies broken: at least 2", Fraction(1, 4)),
        ("weapons malfunctioned: at least 1", Fraction(1, 4)),
    )
    assert presenter.results(odds) == (
        ("enemies broken: 2", Fraction(1, 4)),
        ("enemies broken: 1", Fraction(1, 4)),
        ("weapons malfunctioned: 1", Fraction(1, 4)),
        ("no effect", Fraction(1, 4)),
    )


@pytest.mark.usefixtures("_english")
def test_starter_kit_odds_tell_own_losses_apart():
    odds = [
        (Msg("x", {"dead": 0, "tanks": 1}), Fraction(1, 4)),
        (Msg("x", {"dead": 0, "stuck": 1, "own_reduced": 1}), Fraction(1, 4)),
        (Msg("x", {"dead": 0, "own_reduced": 1}), Fraction(1, 2)),
    ]
    presenter = presenter_of("aslsk")
    assert presenter.chance(odds) == Fraction(1, 2)
    assert presenter.results(odds) == (
        ("your units reduced: 1", Fraction(1, 2)),
        ("enemy vehicles eliminated: 1", Fraction(1, 4)),
        ("enemy vehicles Immobilized: 1, your units reduced: 1", Fraction(1, 4)),
    )
    assert presenter.at_least(odds) == (
        ("enemy vehicles eliminated: at least 1", Fraction(1, 4)),
        ("enemy vehicles Immobilized: at least 1", Fraction(1, 4)),
        ("your units reduced: at least 1", Fraction(3, 4)),
    )


@pytest.mark.usefixtures("_english")
def test_starter_kit_marks_have_looks_of_their_own():
    presenter = presenter_of("aslsk")
    kinds = ("smoke", "Residual FP", "control", "objective", "FFE", "SR")
    looks = [presenter.mark(Mark(kind)) for kind in kinds]
    assert len({look.glyph for look in looks}) == len({look.letter for look in looks}) == len(kinds)
