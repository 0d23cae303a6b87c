"""What the counters of Tide of Iron say."""

from __future__ import annotations

import re

import pytest

from app.presenters.registry import presenter_for
from app.presenters.toi import KINDS, STATES
from app.shell import i18n
from app.widgets.hex_painter import whole_states
from engine.core.text import Msg
from engine.core.view import CounterView
from engine.titles import TITLES
from engine.toi.state import tables
from engine.toi.state.state import in_points


@pytest.fixture(autouse=True)
def _italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


def counter(kind="squad", states=(), id="us-1"):
    facts = {"figures": ("us_reg",) * 4} if kind == "squad" else {}
    return CounterView(id, "us", kind, Msg("{unit}", {"unit": id}), states=states, facts=facts)


@pytest.mark.parametrize("state", STATES)
def test_a_state_on_a_counter_is_two_letters_that_the_panel_explains(state):
    look = presenter_for("toi").counter(counter(states=(state,)))
    assert re.fullmatch(r"[A-Za-z][a-z\d]", look.states)
    assert any(line.startswith(f"{look.states} ") for line in legend())


def test_two_states_fit_beside_the_mark_of_a_stack():
    look = presenter_for("toi").counter(counter(states=("fatigued", "op fire")))
    assert look.states == "Af Op"
    assert whole_states(look.states, 4) == "AfOp"


@pytest.mark.parametrize("id", ["us-gmc-2", "us-m3-2", "us-m4-2"])
def test_a_vehicle_shows_its_number_and_two_letters(id):
    kind = tables.UNITS[f"us_{id.split('-')[1]}"].kind
    assert kind in KINDS
    look = presenter_for("toi").counter(counter(kind, id=id))
    assert look.type.startswith("2 ")
    assert any(line.startswith(f"{look.type[2:]} ") for line in legend())


def test_letters_on_counters_are_unlike_each_other():
    letters = [line.split()[0] for line in legend()]
    assert len(set(letters)) == len(letters)


def test_vehicles_have_names():
    assert presenter_for("toi").name("unit", "de-pz4-1") == "1º Panzer IV"


def legend():
    title = TITLES["toi"]
    view = title.view(title.start("toi-s1", {}), "us")
    panels = presenter_for("toi").panels(view)
    return next(panel.lines for panel in panels if panel.id == "letters")


@pytest.mark.parametrize(("thirds", "words"), [(6, "2"), (7, "2⅓"), (2, "⅔"), (1, "⅓"), (0, "0")])
def test_movement_points_are_said_in_points_and_not_in_thirds(thirds, words):
    msg = Msg("{unit} has {left} movement points left", {"unit": "us-1", "left": in_points(thirds)})
    assert presenter_for("toi").say(msg) == f"1ª squadra USA: punti movimento rimasti {words}"
