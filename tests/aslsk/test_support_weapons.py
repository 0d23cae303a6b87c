"""Support weapons: who carries, uses, recovers and destroys them (4)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from engine.aslsk.rules.elements import pf_range
from tests.aslsk.table import Table, state_of

MOVE = "lati: [russian, german]\nfase: MPh\n"


@pytest.mark.rule("aslsk:4.0", "aslsk:3.3.1.recover")
def test_a_weapon_just_recovered_is_carried_on_unless_it_has_moved_already():
    fresh = Table(
        MOVE + "unità: {a: ru-447 E9, x: ge-467 M1}\narmi: {m: ru-lmg @E9}",
        "u:a", "b:normale", "b:recupera", "b:a+m", "h:E10", "h:D9", dice=[(2,)],
    )  # fmt: skip
    assert fresh.state.units["a"].hex == "D9"
    moved = Table(
        MOVE + "unità: {a: ru-447 E9, b: ru-447 D9, x: ge-467 M1}\narmi: {m: ru-lmg a}",
        "u:a", "b:normale", "h:D9", "b:lascia", "u:m", "b:fine",
        "u:b", "b:normale", "b:recupera", "b:b+m", dice=[(2,)],
    )  # fmt: skip
    assert moved.state.weapons["m"].owner == "b"
    assert "4.0" in moved.why_not("h:C9")


@pytest.mark.rule("aslsk:4.2")
def test_nobody_uses_two_flamethrowers():
    run = Table(
        "lati: [german, russian]\nfase: PFPh\nunità: {a: ge-468 G7, x: ru-447 G8, y: ru-447 H7}\narmi: {f: ge-ft a, g: ge-ft a}",
        "u:f", "h:G8", dice=[(3, 4), (1, 1), (1, 1)],
    )  # fmt: skip
    assert "4.2" in run.why_not("u:g")
    assert "u:a" in run.options


@pytest.mark.rule("aslsk:4.4.2", "aslsk:3.2.2.leader")
def test_directing_a_panzerfaust_is_all_the_directing_of_a_leader():
    run = Table(
        "data: 1944-10\nlati: [german, russian]\nfase: PFPh\npf: {german: 3}\nunità: {a: ge-467 G7, b: ge-467 G7, l: ge-9-1 G7, x: ru-447 F5}",
        "u:a:pf", "h:F5", "u:l", dice=[(1,), (6, 5)],
    )  # fmt: skip
    assert run.state.units["l"].directed == ("a:pf",)
    assert run.state.units["l"].fire == "Prep Fire"
    run.play("u:b", "h:F5", "b:fuoco")
    assert "u:l" not in run.options


@pytest.mark.rule("aslsk:4.3", "aslsk:3.3.1.double_time")
@pytest.mark.parametrize(("mode", "tired"), [("b:corsa", True), ("b:normale", False)])
def test_a_charge_remembers_that_its_planter_was_exhausted(mode, tired):
    run = Table(
        "lati: [german, russian]\nfase: MPh\nunità: {a: ge-468 G7, b: ge-467 A1, x: ru-447 G8}\narmi: {c: ge-dc a}",
        "u:a", mode, "b:carica", "b:c-G8", "b:passa", "b:fine", "b:passa", "u:x", "h:G7", dice=[(3, 4), (5, 6), (3, 3), (1, 1), (1, 1), (1, 1)],
    )  # fmt: skip
    assert not run.state.units["a"].cx
    assert run.state.units["a"].broken
    while run.state.phase in ("MPh", "DFPh"):
        run.play("b:passa")
    assert (run.state.weapons["c"].place == "eliminated") or run.state.phase == "AFPh"
    assert bool(run.told("4.3", "unit", of="DRM")) is tired


@pytest.mark.rule("aslsk:4.0.destroy", "aslsk:4.0.usage")
@pytest.mark.parametrize(("unit", "able"), [("ru-447", True), ("ru-237", False)])
def test_destroying_a_weapon_is_a_use_of_it(unit, able):
    run = Table(
        f"lati: [russian, german]\nfase: PFPh\nunità: {{a: {unit} G7, b: ru-447 G5, x: ge-467 K9}}\narmi: {{m: ru-lmg a}}",
        "u:a", "h:K9", *(["b:fuoco"] if able else []), dice=[(6, 5)],
    )  # fmt: skip
    assert run.state.phase == "PFPh"
    assert ("b:distruggi" in run.options) is able


@pytest.mark.rule("aslsk:4.0", "aslsk:4.0.portage", "aslsk:3.1.d", "aslsk:3.7")
def test_a_leader_may_possess_what_he_cannot_carry():
    people = "unità: {a: ru-447 E7, l: ru-8-0 E7, c: ru-447 E7 broken, x: ge-467 M1}\n"
    given = Table(
        "lati: [russian, german]\nfase: RPh\npasso: d\n" + people + "armi: {m: ru-mmg a}", "b:m>l"
    )
    assert given.state.weapons["m"].owner == "l"
    for weapon, able in (("ru-mmg", False), ("ru-lmg", True)):
        run = Table(
            "lati: [russian, german]\nfase: APh\n" + people + f"armi: {{m: {weapon} l}}",
            "b:passa",
            "u:l",
        )
        if able:
            assert "h:E6" in run.options
        else:
            assert "4.0.portage" in run.why_not("h:E6")


@pytest.mark.rule("aslsk:4.4.2")
@pytest.mark.parametrize(
    ("date", "reach"), [("1944-05", 1), ("1944-06", 2), ("1944-12", 2), ("1945-01", 3)]
)
def test_the_range_of_a_panzerfaust_by_date(date, reach):
    assert pf_range(state_of(f"data: {date}\nlati: [german, russian]")) == reach
