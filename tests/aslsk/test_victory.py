"""Victory conditions of the scenarios (1.3)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import msgspec
import pytest

from engine.aslsk import TITLE
from engine.aslsk.rules.victory import is_reached
from engine.aslsk.state.tables import scenarios
from engine.game import Game, ScriptedChance
from tests.aslsk.table import Table, state_of


@pytest.mark.rule("aslsk:1.3", "aslsk:2.0.mobile")
@pytest.mark.parametrize(
    ("tank", "won"),
    [
        ("L5", True),
        ("M5", False),
        ("L5 ma=broken", False),
        ("L5 immobilized", False),
        ("L5 bogged", False),
        ("L5 stun", False),
    ],
)
def test_the_crossroads_needs_a_mobile_tank_with_a_gun(tank, won):
    state = state_of(
        f"scenario: R3\nmappa: mC\nlati: [german, russian]\nveicoli: {{t: ge-ivh {tank}}}\ncontrollo: {{J4: german, J6: german}}"
    )
    assert is_reached(state, scenarios()["R3"].victory) is won


@pytest.mark.rule("aslsk:1.3", "aslsk:3.9")
@pytest.mark.parametrize(("lost", "winner"), [(14, ""), (15, "german")])
def test_r1_is_lost_with_fifteen_casualty_points(lost, winner):

    state = state_of(
        "scenario: R1\nmappa: mA\nlati: [american, german]\nfase: MPh\nunità: {a: us-666 A1, b: us-666 A3, x: ge-467 F4}"
    )
    state = msgspec.structs.replace(state, lost={"american": lost})
    run = Table("unità: {a: us-666 A1}\nlati: [american, german]")
    run.game = Game(TITLE, "R1", ScriptedChance([]), start=state)
    run.play("u:a", "b:normale")
    assert run.state.winner == winner


@pytest.mark.rule("aslsk:1.3", "aslsk:5.5")
@pytest.mark.parametrize(
    ("gun", "winner"),
    [("g: ge-75l x ca=0", ""), ("g: ge-75l a ca=0", "russian"), ("g: ge-75l @J4 ca=0", "")],
)
def test_the_battery_of_r2_falls_when_its_guns_are_taken(gun, winner):
    held = "{J4: russian, J5: russian, K4: russian, K5: russian, K6: russian}"
    run = Table(
        f"scenario: R2\nmappa: mB\nlati: [russian, german]\nfase: MPh\nunità: {{a: ru-447 B2, b: ru-447 B9, x: ge-228 O9, y: ge-467 O1}}\narmi: {{{gun}}}\ncontrollo: {held}",
        "u:b", "b:normale",
    )  # fmt: skip
    assert run.state.winner == winner
