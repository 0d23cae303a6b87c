"""To Kill and what it does: aspect, armour, crews (3.2.4, 6.1, 7.9-7.11)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import msgspec
import pytest

from engine.aslsk.rules.to_kill import aspect_of
from engine.aslsk.state.tables import VEHICLES
from tests.aslsk.table import ON_UNIT, Table
from tests.citations import ROLL


@pytest.mark.rule("aslsk:3.2.4.aspect", "aslsk:2.0.aspect")
def test_two_hexsides_in_front_one_at_each_side_two_behind():
    assert [aspect_of(0, side) for side in range(6)] == [
        "front",
        "front",
        "side",
        "rear",
        "rear",
        "side",
    ]


@pytest.mark.rule("aslsk:3.2.4.aspect")
@pytest.mark.parametrize(
    ("coloured", "where"), [(1, "rear"), (2, "rear"), (3, "side"), (4, "side"), (5, "front")]
)
def test_the_coloured_die_says_the_side_in_the_own_hex(coloured, where):
    run = Table(
        "lati: [russian, german]\nunità: {a: ru-447 C9}\narmi: {r: ru-atr a}\nveicoli: {t: ge-psw222 C9 vca=3}",
        "u:r", "h:C9", dice=[(coloured, 1), (6, 6)],
    )  # fmt: skip
    assert run.told("3.2.4.location", "aspect", "location") == [
        {"location": "hull", "aspect": where}
    ]


@pytest.mark.rule("aslsk:7.9", "aslsk:4.1.vs_afv")
@pytest.mark.parametrize(("vca", "number"), [(0, 6), (3, 4)])
def test_a_machine_gun_too_profits_from_the_rear(vca, number):
    run = Table(
        f"lati: [german, russian]\nunità: {{a: ge-467 C9}}\narmi: {{m: ge-hmg a}}\nveicoli: {{t: ru-ba6 C7 vca={vca} tca={vca}}}",
        "u:m", "h:C7", dice=[(5, 2), (6, 6)],
    )  # fmt: skip
    assert run.told("7.9", "number", "unit", of=ROLL)[0]["number"] == number


@pytest.mark.rule("aslsk:7.11")
@pytest.mark.parametrize(
    ("tank", "dr"), [("ru-ba6", 7), ("ru-t3485", 8), ("ru-t70", 8), ("ru-kv1e", 9)]
)
def test_thin_and_thick_armour_in_att(tank, dr):
    run = Table(
        f"lati: [german, russian]\nunità: {{c: ge-228 C9}}\narmi: {{g: ge-75l c ca=0}}\nveicoli: {{t: {tank} C5 vca=3}}",
        "u:g", "h:C5", "b:ATT-HE", dice=[(3, 1), (4, 4)],
    )  # fmt: skip
    assert run.told(ON_UNIT, "dr", "result", "unit")[0]["dr"] == dr


@pytest.mark.rule("aslsk:7.11")
@pytest.mark.parametrize(("af", "dr"), [((4, 4), 7), ((6, 4), 8), ((11, 8), 9), ((8, 6), 8)])
def test_the_limits_of_thin_and_thick_armour(monkeypatch, af, dr):
    kind = msgspec.structs.replace(VEHICLES["ru-ba6"], af=af, turret_af=(0, 0))
    monkeypatch.setitem(VEHICLES, "ru-ba6", kind)
    run = Table(
        "lati: [german, russian]\nunità: {c: ge-228 C9}\narmi: {g: ge-75l c ca=0}\nveicoli: {t: ru-ba6 C5 vca=3}",
        "u:g", "h:C5", "b:ATT-HE", dice=[(3, 1), (4, 4)],
    )  # fmt: skip
    assert run.told(ON_UNIT, "dr", "result", "unit")[0]["dr"] == dr


@pytest.mark.rule("aslsk:6.1", "aslsk:7.11")
@pytest.mark.parametrize(("dice", "dr"), [((1, 1), 11), ((2, 1), 12)])
def test_woods_do_not_help_a_tank_against_a_critical_hit_in_att(dice, dr):
    run = Table(
        "lati: [german, russian]\nunità: {c: ge-228 D8}\narmi: {g: ge-75l c ca=5}\nveicoli: {t: ru-t3485 D6 vca=3}",
        "u:g", "h:D6", "b:ATT-HE", dice=[dice, (5, 6), (1, 1)],
    )  # fmt: skip
    assert run.told(ON_UNIT, "dr", "result", "unit")[0]["dr"] == dr


@pytest.mark.rule("aslsk:7.10", "aslsk:7.10.stun", "aslsk:7.10.shock")
@pytest.mark.parametrize(
    ("state", "dice", "shock"),
    [("", (4, 4), ""), ("plus=1", (4, 4), "Shock"), ("shock=UK", (5, 4), "Shock")],
)
def test_a_crew_once_stunned_is_shocked_sooner_and_uk_turns_back(state, dice, shock):
    run = Table(
        f"lati: [german, russian]\nunità: {{c: ge-228 C9, b: ge-467 G9, x: ru-447 G7}}\narmi: {{g: ge-75l c ca=0}}\nveicoli: {{t: ru-t3485 C6 vca=3 tca=3 {state}}}",
        "u:g", "h:C6", "b:VTT-t-AP", dice=[(3, 2), (3, 4), dice],
    )  # fmt: skip
    assert run.told("7.10", "unit", of=ROLL) == [{"unit": "t"}]
    assert run.state.vehicles["t"].crew.shock == shock
