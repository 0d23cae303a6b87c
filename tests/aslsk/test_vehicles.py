"""Vehicles and hidden Guns: what ground costs, dispensers, who spots (6.4, 7.4-7.6)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from engine.aslsk.rules.guns import is_spotted
from engine.aslsk.rules.sight import sees
from engine.aslsk.rules.vehicles import entry_cost, why_not_dispense
from tests.aslsk.table import Table, state_of
from tests.citations import ROLL


@pytest.mark.rule("aslsk:6.4")
@pytest.mark.parametrize(("column", "seen"), [("Q", True), ("R", False)])
def test_a_hidden_gun_is_spotted_within_sixteen_hexes(column, seen):
    state = state_of(
        f"mappa: ex-carri\nlati: [german, russian]\nunità: {{c: ge-228 A1 HIP, x: ru-447 {column}1}}\narmi: {{g: ge-75l c ca=0 HIP}}"
    )
    field = state.ground
    assert field.range("A1", f"{column}1") == (16 if seen else 17)
    if field.kind("A1") == "open" and field.los("A1", f"{column}1").blocked is None:
        assert is_spotted(state, "A1", "german") is seen


@pytest.mark.rule("aslsk:1.1.1.hills.crest", "aslsk:7.4", "aslsk:3.3.2.obstacles", "aslsk:1.2.5")
@pytest.mark.parametrize(
    ("tank", "to", "more", "cost"),
    [
        ("J4 vca=1", "K4", "", 6),
        ("J3 vca=1", "K3", "", 10),
        ("C6 vca=1", "D5", "", 13),
        ("C6 vca=1", "D5", ", w: ru-t34m43 D5 wreck", 17),
        ("C9 vca=0", "C8", ", w: ru-t34m43 C8 wreck", 4),
        ("B8 vca=1", "C8", ", w: ru-t34m43 C8 wreck", 6),
    ],
)
def test_what_a_hill_or_a_wreck_costs_a_tank(tank, to, more, cost):
    state = state_of(f"lati: [german, russian]\nfase: MPh\nveicoli: {{t: ge-ivh {tank}{more}}}")
    assert entry_cost(state, state.vehicles["t"], to) == cost


@pytest.mark.rule("aslsk:7.6.removal", "aslsk:2.0.ac")
@pytest.mark.parametrize(("tank", "spent"), [("ru-t3485", 12), ("ru-ba6", 24)])
def test_an_armoured_car_pays_double_to_get_free(tank, spent):
    run = Table(
        f"lati: [russian, german]\nfase: MPh\nunità: {{x: ge-467 G1}}\nveicoli: {{t: {tank} D6 vca=0 bogged}}",
        "u:t",
        "b:libera",
        dice=[(2, 3)],
    )
    assert run.state.mover.spent == {"t": spent}


@pytest.mark.rule("aslsk:7.5", "aslsk:7.5.sd")
@pytest.mark.parametrize(
    ("hatch", "dice", "smoke"), [("CE", (3, 4), True), ("", (3, 4), False), ("", (3, 3), True)]
)
def test_a_closed_tank_makes_smoke_less_easily(hatch, dice, smoke):
    run = Table(
        f"lati: [german, russian]\nfase: MPh\nunità: {{x: ru-447 M1}}\nveicoli: {{t: ge-iiin C9 vca=0 {hatch}}}",
        "u:t",
        "b:fumogeno",
        dice=[dice],
    )
    assert ("C9" in run.state.smoke) is smoke


@pytest.mark.rule("aslsk:7.5.sd")
@pytest.mark.parametrize(
    ("kind", "hatch", "may"),
    [("sP", "", False), ("sN", "", False), ("sN", "CE", True), ("sM", "", True), ("sD", "", True)],
)
def test_some_dispensers_need_an_open_hatch(monkeypatch, kind, hatch, may):
    state = state_of(
        f"lati: [german, russian]\nfase: MPh\nveicoli: {{t: ge-iiin C9 vca=0 {hatch}}}"
    )
    monkeypatch.setitem(state.vehicles["t"].data.smoke, kind, 7)
    if kind != "sD":
        monkeypatch.delitem(state.vehicles["t"].data.smoke, "sD")
    assert (next(why_not_dispense(state, state.vehicles["t"]), None) is None) is may


@pytest.mark.rule("aslsk:7.5.sd", "aslsk:2.0.non_stopped")
@pytest.mark.parametrize(("state", "number"), [("", 6), ("running", 4)])
def test_a_smoke_mortar_on_the_move_is_less_sure(monkeypatch, state, number):
    run = Table(
        f"lati: [german, russian]\nfase: MPh\nunità: {{x: ru-447 M1}}\nveicoli: {{t: ge-iiin C9 vca=0 {state}}}\nmossa: {{unità: [t]}}"
    )
    data = run.state.vehicles["t"].data.smoke
    monkeypatch.setitem(data, "sM", 7)
    monkeypatch.delitem(data, "sD")
    run.game.chance.add((6, 6))
    run.play("b:fumogeno", "h:C7")
    assert run.told("7.5.sd", "number", "unit", of=ROLL)[0]["number"] == number


@pytest.mark.rule("aslsk:7.5.sd", "aslsk:casa.62", "aslsk:3.2.1.declare")
def test_a_smoke_mortar_that_turns_out_blind_has_tried(monkeypatch):
    text = "lati: [german, russian]\nfase: MPh\nunità: {x: ru-447 M1}\nveicoli: {t: ge-iiin D8 vca=0}\nmossa: {unità: [t]}\n"
    run, free = Table(text), Table("opzioni: {los: libera}\n" + text)
    assert not sees(run.state, "D8", "D5")
    data = run.state.vehicles["t"].data.smoke
    monkeypatch.setitem(data, "sM", 7)
    monkeypatch.delitem(data, "sD")
    run.play("b:fumogeno", "h:D5")
    assert run.state.vehicles["t"].marks.smoked
    assert not run.state.smoke
    assert "casa.62" in run.cited
    assert "3.2.1" in free.play("b:fumogeno").why_not("h:D5")
