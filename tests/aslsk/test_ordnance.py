"""Ordnance, hidden Guns, HEAT and Prep Fire where rules meet (3.2.4, 4.4, 6.1-6.12)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from engine.aslsk import TITLE
from engine.aslsk.rules.elements import find
from engine.aslsk.rules.fire_groups import Attack
from engine.aslsk.rules.firepower import against_hidden
from engine.game import Game, ScriptedChance
from tests.aslsk.table import ON_UNIT, Table
from tests.citations import ROLL

GE = "lati: [german, russian]\nfase: PFPh\n"


def words(run: Table) -> list[tuple[str, dict[str, object]]]:
    """Every step that was told, with its facts."""
    return [(s.ruling.msg.id, dict(s.ruling.msg.facts)) for s in run.game.steps]


# Acquisition


@pytest.mark.rule("aslsk:6.11", "aslsk:6.10", "aslsk:2.0.acquired_target")
@pytest.mark.parametrize(
    ("counter", "number"),
    [
        ("acquired=1 target_hex=C6 by_area=1", 11),
        ("acquired=2 target_hex=C6", 12),
        ("acquired=1 target=t target_hex=C6", 11),
        ("acquired=2 target=u target_hex=C6", 10),
        ("acquired=1 target_hex=C5 by_area=1", 10),
    ],
)
def test_an_acquired_hex_serves_against_the_vehicle_in_it(counter, number):
    run = Table(
        GE
        + f"unità: {{c: ge-228 C9}}\narmi: {{g: ge-75l c ca=0 {counter}}}\nveicoli: {{t: ru-t34m43 C6 vca=0, u: ru-t34m43 G9}}",
        "u:g", "h:C6", "b:VTT-t-AP", dice=[(6, 5)],
    )  # fmt: skip
    assert run.told("3.2.4.procedure", "number", "unit", of=ROLL)[0]["number"] == number
    gun = run.state.weapons["g"]
    assert (gun.hold.acquired, gun.hold.target, gun.hold.by_area) == (
        2 if number > 10 else 1,
        "t",
        False,
    )


@pytest.mark.rule("aslsk:6.10", "aslsk:3.2.1.declare", "aslsk:casa.61")
@pytest.mark.parametrize(("hex", "acquired"), [("D2", 0), ("C6", 1)])
def test_a_shot_without_los_acquires_nothing_and_loses_the_old_target(hex, acquired):
    run = Table(
        GE
        + f"unità: {{c: ge-228 C9, k: ge-228 C9, x: ru-447 {hex}, y: ru-447 G9}}\narmi: {{g: ge-75l c ca=0 acquired=2 target=y target_hex=G9, h: ge-75l k ca=0}}",
        "u:g", f"h:{hex}", "b:ITT-HE", dice=[(6, 5)],
    )  # fmt: skip
    gun = run.state.weapons["g"]
    assert gun.hold.acquired == acquired
    assert gun.hold.target == ("x" if acquired else "")


@pytest.mark.rule("aslsk:6.10", "aslsk:3.3.2.2")
@pytest.mark.parametrize(("target", "where", "kept"), [("x", "C6", 1), ("y", "C5", 0)])
def test_bounding_first_fire_gains_no_target_and_another_one_loses_it(target, where, kept):
    run = Table(
        f"lati: [german, russian]\nfase: MPh\nunità: {{x: ru-447 C6, y: ru-447 C5}}\nveicoli: {{t: ge-ivh C9 vca=0 acquired=1 target={target} target_hex={where}}}",
        "u:t", "b:avvia", dice=[(6, 5)],
    )  # fmt: skip
    run.play("b:fuoco", "u:t:ma", "h:C6", "b:ITT-HE")
    assert run.state.vehicles["t"].hold.acquired == kept


# HEAT


@pytest.mark.rule("aslsk:4.4", "aslsk:6.2.heat")
@pytest.mark.parametrize(("hex", "struck"), [("C8", {"c"}), ("D3", {"c", "s"})])
def test_heat_in_the_open_strikes_only_who_mans_a_gun(hex, struck):
    firer = "C9" if hex == "C8" else "C3"
    run = Table(
        f"lati: [american, german]\ndata: 1944-06\nfase: PFPh\nunità: {{a: us-666 {firer}, s: ge-467 {hex}, c: ge-228 {hex}}}\narmi: {{z: us-baz44 a, g: ge-75l c ca=0}}",
        "u:z", f"h:{hex}", dice=[(3, 2), (6, 6), (1, 1), (1, 1)],
    )  # fmt: skip
    assert {f["unit"] for f in run.told("2.0.hit", "dr", "result", "unit")} == struck


@pytest.mark.rule("aslsk:4.4.2", "aslsk:6.2.heat")
def test_a_panzerfaust_in_the_open_cannot_pick_the_squad_beside_a_gun():
    run = Table(
        "lati: [german, american]\ndata: 1944-06\nfase: PFPh\npf: {german: 5}\nunità: {a: ge-467 C9, s: us-666 C8, c: us-227 C8}\narmi: {g: us-57l c ca=0, m: us-mmg s}",
        "u:a:pf", "h:C8", dice=[(1,), (2, 3), (6, 5)],
    )  # fmt: skip
    assert run.told("6.7", "unit", of="TH DRM") == [{"unit": "g"}]
    assert run.told("4.4.2", "unit", of=ROLL)[1:] == [{"unit": "c"}]


@pytest.mark.rule("aslsk:4.4.2", "aslsk:3.2.2.leader")
def test_a_leader_who_directs_a_panzerfaust_directs_nothing_else():
    run = Table(
        "lati: [german, american]\ndata: 1944-06\nfase: PFPh\npf: {german: 5}\nunità: {a: ge-467 C9, b: ge-467 C9, l: ge-9-1 C9, x: us-666 C7}\nveicoli: {t: us-m4 C8 vca=0}",
        "u:a:pf", "h:C8", dice=[(1,), (6, 5)],
    )  # fmt: skip
    run.play("u:l")
    assert run.state.units["l"].fire == "Prep Fire"
    assert run.state.units["l"].directed == ("a:pf",)
    run.game.chance.add((6, 5))
    run.play("u:b", "h:C7", "b:fuoco")
    assert run.told("3.2.2.leader", "marker", "unit", of="Directed") == [
        {"unit": "l", "marker": "Prep Fire"}
    ]


# Special ammunition


@pytest.mark.rule("aslsk:6.2", "aslsk:6.12", "aslsk:3.2.4.intensive_fire")
@pytest.mark.parametrize(
    ("dice", "broken", "marker", "place"),
    [
        ((4, 5), False, "Prep Fire", "map"),
        ((5, 5), True, "Intensive Fire", "map"),
        ((6, 6), False, "Prep Fire", "eliminated"),
    ],
)
def test_missing_special_ammunition_still_breaks_an_intensive_gun(dice, broken, marker, place):
    run = Table(
        GE
        + "data: 1943-07\nunità: {c: ge-228 C9}\narmi: {g: ge-75l c ca=0 prep}\nveicoli: {t: ru-t34m43 C6 vca=0}",
        "u:g", "h:C6", "b:VTT-t-APCR", dice=[dice],
    )  # fmt: skip
    gun = run.state.weapons["g"]
    assert (gun.broken, gun.fire, gun.place) == (broken, marker, place)
    assert gun.out_of == ("APCR",)


# Hidden Guns and empty hexes


HUNT = "scenario: R3\nmappa: mC\nlati: [german, russian]\nfase: PFPh\ndata: 1943-07\nunità: {{z: ru-447 Q1, h: ru-228 {0} HIP}}\narmi: {{k: ru-45ll h ca=0 HIP emplaced}}\nveicoli: {{t: ge-ivh L6 vca=3}}\n"


@pytest.mark.rule("aslsk:6.11", "aslsk:3.2.4.att")
def test_a_main_armament_may_shell_an_empty_hex():
    run = Table(HUNT.format("K8"), "u:t:ma", "h:M6", dice=[(6, 5)])
    assert run.told("3.2.4.procedure", of="TH DRM") == [{}]
    tank = run.state.vehicles["t"]
    assert (tank.hold.acquired, tank.hold.target_hex, tank.hold.by_area) == (1, "M6", True)
    assert tank.marks.fire == "Intensive Fire"


@pytest.mark.rule("aslsk:3.2.4.att", "aslsk:6.11")
@pytest.mark.parametrize("state", ["Motion", "ma=broken"])
def test_a_moving_or_spent_tank_shells_no_empty_hex(state):
    run = Table(
        HUNT.format("K8").replace("t: ge-ivh L6 vca=3", f"t: ge-ivh L6 vca=3 {state}, u: ge-ivh L8")
    )
    run.game.resume(())
    assert "u:t:ma" not in run.options
    assert "u:u:ma" in run.options


@pytest.mark.rule("aslsk:6.11", "aslsk:2.0.immobilized")
def test_a_fixed_hull_shells_only_what_lies_before_it():
    text = HUNT.format("K8").replace("ge-ivh L6 vca=3", "ge-stug {0} vca={1} immobilized")
    run = Table(text.replace("{0}", "L6").replace("{1}", "1"), "u:t:ma")
    assert "2.0.immobilized" in run.why_not("h:K6")
    assert "h:M7" in run.options
    outward = Table(text.replace("{0}", "Q6").replace("{1}", "1") + "turno: 1")
    outward.game.resume(())
    assert "u:t:ma" not in outward.options


@pytest.mark.rule("aslsk:6.4", "aslsk:3.2.4.procedure")
@pytest.mark.parametrize("dice", [[(6, 5)], [(1, 4), (6, 6)]])
def test_a_shell_in_a_hex_that_looks_empty_does_not_tell_who_hides_there(dice):
    told = []
    for hidden in ("K8", "L8"):
        run = Table(HUNT.format(hidden))
        crew = msgspec.structs.replace(run.state.units["h"], entry="zone H-Q")
        start = msgspec.structs.replace(run.state, units={**run.state.units, "h": crew})
        run.game = Game(TITLE, "R1", ScriptedChance(list(dice)), start=start)
        run.play("u:t:ma", "h:K8")
        assert run.state.units["h"].hidden
        told.append(words(run))
    assert told[0] == told[1]


@pytest.mark.rule("aslsk:6.4", "aslsk:6.7")
def test_a_hidden_gun_that_suffers_is_shown():
    text = HUNT.format("K8").replace("vca=3", "vca=3 CE")
    run = Table(text, "u:t:ma", "h:K8", dice=[(1, 2), (1, 2), (1, 1)])
    assert run.told(ON_UNIT, "dr", "result", "unit") == [{"unit": "h", "dr": 5, "result": "1MC"}]
    assert not run.state.units["h"].hidden
    assert "6.4" in run.cited


SHARED = "scenario: R3\nmappa: mC\nlati: [german, russian]\nfase: PFPh\nunità: {{a: ge-467 K7, b: ge-467 A1, x: {1} K8, h: ru-228 {0} HIP}}\narmi: {{k: ru-45ll h ca=0 HIP emplaced}}\n"


@pytest.mark.rule("aslsk:6.4", "aslsk:3.2.3")
@pytest.mark.parametrize("dice", [[(6, 5)], [(3, 5), (1, 1)]])
def test_fire_at_a_known_unit_does_not_tell_who_hides_with_it(dice):
    told = []
    for hidden in ("K8", "L8"):
        run = Table(SHARED.format(hidden, "ru-447"), "u:a", "h:K8", dice=list(dice))
        assert run.state.units["h"].hidden
        told.append(words(run))
    assert told[0] == told[1]


@pytest.mark.rule("aslsk:6.4", "aslsk:2.0.area_fire")
def test_fire_that_harms_a_hidden_unit_shows_it_and_its_halved_column():
    run = Table(SHARED.format("K8", "ru-447"), "u:a", "h:K8", dice=[(1, 4), (1, 1), (1, 1)])
    assert run.told("2.0.area_fire", "column") == [{"column": 4}]
    assert not run.state.units["h"].hidden
    assert not run.state.weapons["k"].hidden


@pytest.mark.rule("aslsk:6.4", "aslsk:4.1")
@pytest.mark.parametrize(
    ("target", "known", "fp"), [("R1", False, 8), ("R1", True, 16), ("C1", False, 16)]
)
def test_a_far_machine_gun_counts_a_hidden_crew_as_infantry_in_good_order(target, known, fp):
    state = Table(
        "mappa: ex-carri\nlati: [german, russian]\nunità: {a: ge-467 A1, x: ru-447 C9}\narmi: {m: ge-hmg a}"
    ).state
    attack = Attack("german", (find(state, "german", "m"),), target)
    assert against_hidden(state, attack, {"m": Fraction(32)}, known) == fp


@pytest.mark.rule("aslsk:6.4", "aslsk:3.2.3.llmc")
def test_a_hidden_crew_that_must_check_for_its_leader_is_shown():
    text = SHARED.format("K8", "ru-9-1")
    run = Table(text, "u:a", "h:K8", dice=[(3, 4), (6, 6), (6,), (1, 1)])
    assert not run.told("2.0.area_fire", "column")
    assert "3.2.3.llmc" in run.cited
    assert not run.state.units["h"].hidden


@pytest.mark.rule("aslsk:6.9", "aslsk:3.2.2.1", "aslsk:3.2.4.att")
def test_a_mortar_with_an_enemy_tank_in_its_hex_does_not_fire():
    run = Table(
        GE
        + "unità: {c: ge-228 C9, b: ge-467 G7, x: ru-447 G5}\narmi: {g: ge-81mtr c ca=0}\nveicoli: {t: ru-t34m43 C9}"
    )
    run.game.resume(())
    assert {"3.2.4.att"} <= run.why_not("u:g") or {"3.2.2.1"} <= run.why_not("u:g")


# Guns as targets


@pytest.mark.rule("aslsk:6.6", "aslsk:6.3", "aslsk:6.7")
@pytest.mark.parametrize(("gun", "dr"), [("ca=2", 10), ("ca=5", 9), ("ca=2 emplaced", 10)])
def test_the_better_of_woods_and_gunshield_counts_in_att(gun, dr):
    run = Table(
        f"lati: [russian, german]\nunità: {{c: ru-228 D8, x: ge-228 D6}}\narmi: {{g: ru-76l c ca=5, k: ge-50l x {gun}}}",
        "u:g", "h:D6", "b:ATT-HE", dice=[(1, 4), (4, 4), (1, 1)],
    )  # fmt: skip
    assert run.told(ON_UNIT, "dr", "result", "unit")[0]["dr"] == dr


# Prep Fire


@pytest.mark.rule("aslsk:3.2.5", "aslsk:3.5", "aslsk:1.2.4.1")
def test_what_kept_its_rof_in_the_pfph_has_still_made_prep_fire():
    run = Table(
        GE + "unità: {a: ge-467 C9, b: ge-467 M9, x: ru-447 C6}\narmi: {m: ge-hmg a}",
        "u:m", "h:C6", "b:fuoco", dice=[(1, 5), (1, 1)],
    )  # fmt: skip
    assert run.state.weapons["m"].fire == ""
    while run.state.phase != "AFPh":
        run.play("b:passa")
    assert run.state.weapons["m"].fire == "Prep Fire"
    assert "3.5" in run.why_not("u:m")
    assert "3.5" in run.why_not("u:a")
    assert "u:b" in run.options


@pytest.mark.rule("aslsk:3.2.5", "aslsk:3.5", "aslsk:4.4.2")
def test_who_looked_for_a_panzerfaust_in_the_pfph_does_not_fire_in_the_afph():
    run = Table(
        "lati: [german, american]\ndata: 1944-06\nfase: PFPh\npf: {german: 5}\nunità: {a: ge-467 C9, b: ge-467 M9, x: us-666 C7}\nveicoli: {t: us-m4 C8 vca=0}",
        "u:a:pf", "h:C8", dice=[(5,)],
    )  # fmt: skip
    while run.state.phase != "AFPh":
        run.play("b:passa")
    assert "3.5" in run.why_not("u:a")


@pytest.mark.rule("aslsk:3.2.5", "aslsk:3.5.vehicles", "aslsk:7.8")
def test_a_tank_that_kept_its_rof_in_the_pfph_is_silent_in_the_afph():
    run = Table(
        GE + "unità: {b: ge-467 M9, x: ru-447 C6}\nveicoli: {t: ge-iiil C9 vca=0}",
        "u:t:ma", "h:C6", "b:ITT-HE", dice=[(1, 6), (6, 6)],
    )  # fmt: skip
    assert run.state.vehicles["t"].marks.kept
    while run.state.phase != "AFPh":
        run.play("b:passa")
    assert run.state.vehicles["t"].marks.fire == "Prep Fire"
    assert "7.8" in run.why_not("u:t:ma")
    assert "7.8" in run.why_not("u:t:cmg")


# Light weapons


@pytest.mark.rule("aslsk:4.4.4", "aslsk:3.3.3.sff", "aslsk:3.4")
def test_an_atr_that_has_fired_does_not_fire_again():
    run = Table(
        "lati: [german, russian]\nattaccante: german\nfase: DFPh\nunità: {a: ru-447 C9 first, b: ru-447 G9, x: ge-467 C8}\narmi: {r: ru-atr a first}\nveicoli: {t: ge-psw222 C8 vca=3}"
    )
    run.game.resume(())
    assert run.why_not("u:r") == {"3.4"}
    assert "u:a" in run.options


@pytest.mark.rule("aslsk:4.1", "aslsk:4.1.vs_afv")
def test_two_leaders_fire_a_machine_gun_at_armour_and_one_does_not():
    text = (
        GE
        + "unità: {{l: ge-9-1 C9, {0} b: ge-467 G9, x: ru-447 G7}}\narmi: {{m: ge-lmg l}}\nveicoli: {{t: ru-ba6 C7 vca=0 tca=0}}"
    )
    run = Table(text.format("k: ge-8-0 C9,"), "u:m", "h:C7", "u:k", dice=[(6, 5)])
    assert run.state.units["k"].used == ("m",)
    assert run.told("2.0.th", "how", "number", "range", "table", of="TH#")[0]["number"] == 11
    alone = Table(text.format(""), "u:m")
    assert "h:C7" not in alone.options
    assert "h:G7" in alone.options


@pytest.mark.rule("aslsk:6.2", "aslsk:2.0.depletion")
@pytest.mark.parametrize(("date", "he"), [("1944-05", False), ("1944-06", True), ("1945-01", True)])
def test_ammunition_with_a_month_waits_for_it(date, he):
    run = Table(
        f"lati: [american, german]\nfase: PFPh\ndata: {date}\nunità: {{c: us-227 C9, x: ge-467 C6}}\narmi: {{g: us-57l c ca=0}}",
        "u:g", "h:C6",
    )  # fmt: skip
    if he:
        assert {"b:ITT-HE", "b:ITT-APDS"} <= run.options
    else:
        assert "b:ITT-APDS" not in run.options
        assert "b:ITT-HE" not in run.options


@pytest.mark.rule("aslsk:3.2.4.range_limits", "aslsk:6.2.heat")
@pytest.mark.parametrize(("hex", "may"), [("C8", True), ("M8", False)])
def test_a_stick_bomb_reaches_nine_hexes(hex, may):
    run = Table(
        GE + f"unità: {{c: ge-228 B8}}\narmi: {{g: ge-37l c ca=1}}\nveicoli: {{t: ru-t34m43 {hex} vca=0}}",
        "u:g", f"h:{hex}",
    )  # fmt: skip
    if may:
        assert "b:VTT-t-H" in run.options
    else:
        assert "3.2.4.range_limits" in run.why_not("b:VTT-t-H")


@pytest.mark.rule("aslsk:3.2.4.range_limits", "aslsk:6.2.smoke")
def test_a_mortar_may_have_another_range_for_smoke():
    run = Table(
        "lati: [british, german]\npasso: smoke\nunità: {c: br-228 C9, x: ge-467 C6}\narmi: {g: br-76mtr c ca=0}",
        "u:g-S",
    )  # fmt: skip
    assert "3.2.4.range_limits" in run.why_not("h:C5")
    assert "h:C3" in run.options


@pytest.mark.rule("aslsk:6.2.apcr_apds", "aslsk:2.0.itt")
def test_special_ap_may_be_fired_at_infantry_with_one_fp():
    run = Table(
        GE + "data: 1943-07\nunità: {c: ge-228 C9, x: ru-447 C6}\narmi: {g: ge-75l c ca=0}",
        "u:g", "h:C6", "b:ITT-APCR", dice=[(1, 2), (6, 6)],
    )  # fmt: skip
    assert int(run.told("3.2.4.effect_infantry", "fp", "column")[0]["fp"]) == 1


@pytest.mark.rule("aslsk:4.0.destroy")
@pytest.mark.parametrize(("phase", "may"), [("PFPh", True), ("AFPh", False)])
def test_a_weapon_is_destroyed_only_in_a_fire_phase_of_its_side(phase, may):
    run = Table(
        f"lati: [german, russian]\nfase: {phase}\nunità: {{a: ge-467 C9, x: ru-447 C6}}\narmi: {{m: ge-lmg a}}"
    )
    run.game.resume(())
    assert ("b:distruggi" in run.options) is may


@pytest.mark.rule("aslsk:4.0.destroy", "aslsk:4.0.usage")
def test_a_weapon_that_has_fired_is_not_destroyed_in_the_same_phase():
    run = Table(
        GE + "unità: {a: ge-467 C9, b: ge-467 G9, x: ru-447 C6}\narmi: {m: ge-hmg a, k: ge-lmg b}",
        "u:m", "h:C6", "b:fuoco", dice=[(1, 5), (1, 1)],
    )  # fmt: skip
    assert run.state.weapons["m"].fire == ""
    run.play("b:distruggi")
    assert run.options == {"u:k"}


@pytest.mark.rule("aslsk:6.4", "aslsk:7.12", "aslsk:3.2.2.1")
@pytest.mark.parametrize("hidden", ["K8", "L8"])
def test_who_hides_beside_a_closed_tank_makes_it_no_target_of_small_arms(hidden):
    text = HUNT.format(hidden).replace("{z:", "{g: ge-467 K7, z:")
    text = text.replace("{t: ge-ivh L6 vca=3}", "{t: ge-ivh L6 vca=3, r: ru-t34m43 K8 vca=3 tca=3}")
    run = Table(text, "u:g")
    assert run.why_not("h:K8") == {"7.12", "3.2.2.1"}
