"""Small numbers that whole games hardly reach (1.3, 3.3.4, 7.9), and what failing says."""

from __future__ import annotations

import pytest

from engine.aslsk.rules.setup import zone_hexes
from engine.aslsk.rules.to_kill import NO_EFFECT, Shell, basic_tk
from engine.aslsk.state.ground import ground
from tests.aslsk.table import Table

FIRE = "mappa: ex-carri\ndata: 1943-06\nlati: [german, russian]\nfase: PFPh\n"


@pytest.mark.rule("aslsk:1.3")
@pytest.mark.parametrize(
    ("zone", "inside", "outside"),
    [
        ("F-M", ("F1", "M3"), ("E1", "N1")),
        ("Z-AA", ("Z1", "AA1"), ("Y1", "BB1")),
        ("AA-AA", ("AA1",), ("Z1", "A1")),
    ],
)
def test_a_zone_goes_from_hexrow_to_hexrow_with_both(zone, inside, outside):
    field = ground("ex-carri", 7)
    found = zone_hexes(field, zone)
    assert all(hex in found for hex in inside if hex in field.terrain)
    assert not any(hex in found for hex in outside)
    assert len(found) == len(set(found)) > 0


@pytest.mark.rule("aslsk:3.3.4")
@pytest.mark.parametrize(
    ("marks", "marker"),
    [("", "First Fire"), ("first", "Final Fire"), ("used=m", "Final Fire")],
)
def test_cc_reaction_marks_first_fire_then_final_fire(marks, marker):
    run = Table(
        "lati: [russian, german]\nfase: MPh\ndata: 1943-07\n"
        f"unità: {{d: ge-467 G6 {marks}, z: ru-447 A1}}\narmi: {{m: ge-lmg d}}\n"
        "veicoli: {t: ru-t34m43 G7 vca=5}",
        *("u:t", "b:avvia", "b:passa", "h:G6"),
        dice=[(1, 1), (6, 5)],
    )
    run.play("b:corpo-d")
    assert run.state.units["d"].fire == marker


@pytest.mark.rule("aslsk:3.1.c", "aslsk:1.2.4")
@pytest.mark.parametrize(
    ("dr", "said"),
    [(6, "{unit} is lost: a 6 in repairing it"), (3, "{weapon} stays malfunctioned")],
)
def test_a_repair_that_fails_says_how(dr, said):
    run = Table(
        "lati: [russian, german]\nfase: RPh\npasso: c\n"
        "unità: {a: ru-447 F5, x: ge-467 M9}\narmi: {m: ru-lmg a malfunctioned}",
        "u:m",
        dice=[(dr,)],
    )
    assert said in [s.ruling.msg.id for s in run.steps if "aslsk:3.1.c" in s.ruling.refs]


@pytest.mark.rule("aslsk:3.1.b", "aslsk:3.3.1.double_time")
@pytest.mark.parametrize(("mark", "taken"), [("CX", False), ("", True)])
def test_an_exhausted_unit_takes_weapons_worse_and_says_so(mark, taken):
    run = Table(
        "lati: [russian, german]\nfase: RPh\npasso: b\n"
        f"unità: {{a: ru-447 F5 {mark}, x: ge-467 M9}}\narmi: {{m: ru-lmg @F5}}",
        "b:a+m",
        dice=[(5,)],
    )
    assert (run.state.weapons["m"].owner == "a") is taken
    assert bool(run.told("3.3.1.double_time", "unit", of="recovery drm")) is not taken
    assert bool(run.told("3.1.b", "unit", "weapon")) is not taken


@pytest.mark.rule("aslsk:3.1.g", "aslsk:7.10.shock")
@pytest.mark.parametrize(("state", "number"), [("shock", 2), ("shock=UK", 3)])
def test_a_shocked_crew_says_what_it_needs(state, number):
    run = Table(
        "lati: [german, russian]\nfase: RPh\npasso: g\n"
        f"unità: {{z: ru-447 M9, y: ge-467 A1}}\nveicoli: {{k: ge-ivh G6 vca=1 {state}}}",
        dice=[(number,)],
    )
    assert run.told("3.1.g", "vehicle", "marker", "number", of="roll")[0]["number"] == number
    assert run.state.vehicles["k"].crew.shock == ""


GUN = Shell("AP", 75, "75L", "german")


@pytest.mark.rule("aslsk:7.9", "aslsk:4.1.vs_afv", "aslsk:4.4.4")
@pytest.mark.parametrize(
    ("shell", "away", "number"),
    [
        (Shell("MG", 8, "8", ""), 1, 6),
        (Shell("MG", 8, "8", ""), 4, 5),
        (Shell("MG", 8, "8", ""), 12, 4),
        (Shell("AP", 15, "15", "german", "ATR"), 1, 7),
        (Shell("AP", 15, "15", "russian", "ATR-russian"), 1, 8),
        (Shell("H", 60, "60", "german", "psk"), 3, 26),
        (GUN, 1, 18),
        (GUN, 30, 16),
        (Shell("APCR", 50, "50L", "german"), 2, 19),
        (Shell("HE", 75, "75L", "german"), 5, 7),
        (Shell("H", 75, "75", "german"), 5, 13),
        (Shell("H", 60, "60", "german"), 5, 11),
        (Shell("AP", 20, "20L", "german"), 49, NO_EFFECT),
        (Shell("AP", 99, "99", "german"), 5, NO_EFFECT),
    ],
)
def test_the_tk_number_of_each_ammunition(shell, away, number):
    assert basic_tk(shell, away) == number


@pytest.mark.rule("aslsk:3.3.4", "aslsk:3.2.3.pinned")
def test_a_pinned_squad_makes_no_cc_reaction():
    run = Table(
        "lati: [russian, german]\nfase: MPh\ndata: 1943-07\n"
        "unità: {d: ge-467 G6 pinned, e: ge-467 G6, z: ru-447 A1}\n"
        "veicoli: {t: ru-t34m43 G7 vca=5}",
        *("u:t", "b:avvia", "h:G6"),
    )
    assert run.why_not("b:corpo-d") == {"3.2.3.pinned"}


@pytest.mark.rule("aslsk:6.10")
def test_a_gun_that_nobody_mans_loses_its_target():
    run = Table(
        "mappa: ex-bosco\ndata: 1943-07\nlati: [american, german]\nfase: MPh\n"
        "unità: {x: us-747 D6, y: us-666 D5, c: ge-228 E8}\n"
        "armi: {g: ge-75l @E8 ca=5 acquired=2 target=x target_hex=D6}",
        *("u:x", "b:normale", "h:C6"),
    )
    lost = [s.ruling for s in run.steps if s.ruling.msg.id.startswith("nobody mans")]
    assert [one.refs for one in lost] == [("aslsk:6.10",)]
    assert run.state.weapons["g"].hold.acquired == 0


@pytest.mark.rule("aslsk:4.1", "aslsk:4.1.vs_afv")
def test_two_leaders_with_a_machine_gun_are_asked_who_helps():
    run = Table(
        FIRE + "unità: {k: ge-8-1 J3, l: ge-9-1 J3, z: ru-447 AA9}\narmi: {m: ge-lmg k}\n"
        "veicoli: {t: ru-ba6 J2 vca=2 tca=2}",
        *("u:m", "h:J2"),
    )
    if "b:VTT-t-AP" in run.options:
        run.play("b:VTT-t-AP")
    assert run.asked.id == "fire.gunner"
    assert run.asked_by == {"4.1"}
