"""Where a number of chapters 5 to 7 and of DaE2 begins and ends to count."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import msgspec
import pytest

from engine.aslsk import TITLE
from engine.aslsk.rules import oba
from engine.aslsk.rules.elements import Element, find, pf_range
from engine.aslsk.rules.guns import is_spotted
from engine.aslsk.rules.oba import accuracy_number, within
from engine.aslsk.rules.ordnance import Aim, Shot, gunner, shot_of
from engine.aslsk.rules.sight import sees
from engine.aslsk.rules.to_hit import firer_cases, is_red, to_hit_number, vehicle_cases
from engine.aslsk.rules.to_kill import aspect_of
from engine.aslsk.rules.vehicles import entry_cost, why_not_dispense
from engine.aslsk.rules.victory import is_reached
from engine.aslsk.state.state import State
from engine.aslsk.state.tables import VEHICLES, scenarios
from engine.game import Game, ScriptedChance
from tests.aslsk.table import ON_UNIT, Table, state_of
from tests.positions import ROLL

# To Hit


def shot_from(state: State, e: Element, aim: Aim, away: int) -> Shot:
    """A shot as if its target were so far away."""
    return msgspec.structs.replace(shot_of(state, e, aim), away=away)


@pytest.mark.rule("aslsk:3.2.4.procedure", "aslsk:3.2.4.red_black")
@pytest.mark.parametrize(
    ("weapon", "crew", "date", "away", "number"),
    [
        ("us-57l", "us-227", "1944-06", 12, 9),
        ("us-57l", "us-227", "1944-06", 13, 8),
        ("us-57l", "us-227", "1943-06", 13, 7),
        ("ge-75l", "ge-228", "1943-06", 13, 9),
        ("ge-50l", "ge-228", "1943-06", 25, 5),
        ("br-40l", "br-228", "1943-06", 13, 7),
        ("ge-37l", "ge-228", "1943-06", 13, 7),
        ("ru-76ig", "ru-228", "1943-06", 13, 6),
        ("ru-45ll", "ru-228", "1943-06", 25, 5),
    ],
)
def test_calibre_and_barrel_change_the_number_from_thirteen_hexes(weapon, crew, date, away, number):
    state = state_of(
        f"data: {date}\nlati: [german, russian]\nunità: {{c: {crew} C9}}\narmi: {{g: {weapon} c ca=0}}\nveicoli: {{t: ru-t34m43 C5}}"
    )
    e = find(state, state.units["c"].side, "g")
    assert to_hit_number(state, shot_from(state, e, Aim("VTT", "C5", "t", "AP"), away))[0] == number


@pytest.mark.rule("aslsk:3.2.4.red_black")
@pytest.mark.parametrize(
    ("weapon", "owner", "date", "red"),
    [
        ("us-mmg", "us-666", "1943-06", False),
        ("us-57l", "us-227", "1943-12", True),
        ("us-57l", "us-227", "1944-01", False),
        ("us-57l", "us-346", "1944-01", True),
        ("ge-75l", "ge-228", "1943-06", False),
        ("ge-lmg", "ge-436", "1943-06", True),
        ("ru-mmg", "ru-447", "1943-06", True),
    ],
)
def test_who_uses_red_numbers(weapon, owner, date, red):

    state = state_of(
        f"data: {date}\nlati: [german, russian]\nunità: {{c: {owner} C9}}\narmi: {{g: {weapon} c ca=0}}"
    )
    e = find(state, state.units["c"].side, "g")
    assert is_red(state, e, gunner(state, e)) is red


@pytest.mark.rule("aslsk:3.3.2.2")
@pytest.mark.parametrize(("halves", "value"), [(2, 6), (4, 6), (5, 5), (6, 5), (7, 4)])
def test_bounding_first_fire_improves_with_mp_in_sight(halves, value):
    state = state_of(
        f"lati: [german, russian]\nfase: MPh\nunità: {{x: ru-447 C6}}\nveicoli: {{t: ge-ivh C9 vca=0 CE}}\nmossa: {{unità: [t], scia: [[C9, 0], [C9, {halves}]]}}"
    )
    e = find(state, "german", "t:ma")
    found = firer_cases(state, shot_of(state, e, Aim("ITT", "C6", "", "HE")))
    assert [one.value for one in found] == [value]


@pytest.mark.rule("aslsk:3.3.2.motion_effects", "aslsk:2.0.moving_target")
@pytest.mark.parametrize(("halves", "value"), [(1, 4), (2, 4), (3, 3), (6, 3), (7, 2)])
def test_a_vehicle_seen_longer_is_easier_to_hit(halves, value):
    state = state_of(
        f"lati: [german, russian]\nfase: MPh\nunità: {{c: ru-228 C9}}\narmi: {{g: ru-45ll c ca=0}}\nveicoli: {{t: ge-ivh C6 vca=0 moving running}}\nmossa: {{unità: [t], da: C5, scia: [[C5, 0], [C6, {halves}]]}}"
    )
    e = find(state, "russian", "g")
    found = vehicle_cases(
        state, state.vehicles["t"], shot_of(state, e, Aim("VTT", "C6", "t", "AP"))
    )
    assert [one.value for one in found] == [value]


@pytest.mark.rule("aslsk:6.2.smoke")
@pytest.mark.parametrize(("away", "drms"), [(12, [-2]), (13, [])])
def test_smoke_is_easier_to_lay_under_thirteen_hexes(away, drms):
    state = state_of("lati: [german, russian]\nunità: {c: ge-228 C9}\narmi: {g: ge-81mtr c ca=0}")
    e = find(state, "german", "g")
    found = firer_cases(state, shot_from(state, e, Aim("ATT", "C6", "", "S"), away))
    assert [one.value for one in found] == drms


@pytest.mark.rule("aslsk:6.4", "aslsk:4.4")
@pytest.mark.parametrize(
    ("weapon", "kind", "drms"), [("us-baz44", "LATW", []), ("us-mmg", "VTT", [2])]
)
def test_a_weapon_with_a_table_of_its_own_pays_nothing_in_its_own_hex(weapon, kind, drms):
    state = state_of(
        f"data: 1944-06\nlati: [american, german]\nunità: {{a: us-666 C9}}\narmi: {{z: {weapon} a}}\nveicoli: {{t: ge-ivh C9}}"
    )
    e = find(state, "american", "z")
    found = firer_cases(state, shot_of(state, e, Aim(kind, "C9", "t", "H")))
    assert [one.value for one in found] == drms


@pytest.mark.rule("aslsk:2.0.motion_fire")
@pytest.mark.parametrize(("dice", "n"), [((2, 5), 9), ((5, 2), 9), ((3, 3), 9)])
def test_the_lower_die_of_a_moving_firer_counts_twice(dice, n):
    text = (
        "lati: [german, russian]\nfase: MPh\nunità: {x: ru-447 C6}\nveicoli: {t: ge-ivh C9 vca=0}"
    )
    run = Table(text, "u:t", "b:avvia", dice=[dice])
    run.play("b:fuoco", "u:t:ma", "h:C6", "b:ITT-HE")
    assert run.told("2.0.motion_fire", "n") == [{"n": n}]


@pytest.mark.rule("aslsk:3.5", "aslsk:1.2.4.1", "aslsk:4.5")
@pytest.mark.parametrize(
    ("phase", "owner", "kept"),
    [("PFPh", "ge-467", True), ("AFPh", "ge-467", False), ("PFPh", "ge-8-0", False)],
)
def test_no_rof_in_the_afph_and_none_for_a_lone_leader(phase, owner, kept):
    run = Table(
        f"lati: [german, russian]\nfase: {phase}\nunità: {{a: {owner} C9, b: ge-467 G9, x: ru-447 C6, y: ru-447 G7}}\narmi: {{m: ge-50mtr a}}",
        "u:m", "h:C6", dice=[(1, 6), (6, 6)],
    )  # fmt: skip
    assert (run.state.weapons["m"].fire == "") is kept


@pytest.mark.rule("aslsk:6.7", "aslsk:7.3")
@pytest.mark.parametrize(("gun", "drms"), [("ge-75l", [1]), ("ge-88l", [-1]), ("ru-76l", [])])
def test_a_small_gun_is_harder_to_hit(gun, drms):
    run = Table(
        f"lati: [russian, german]\nunità: {{c: ru-228 C9, x: {gun[:2]}-228 C6 lato=german}}\narmi: {{g: ru-45ll c ca=0, k: {gun} x ca=0}}",
        "u:g", "h:C6", "b:ITT-HE", dice=[(6, 5)],
    )  # fmt: skip
    assert [
        int(s.tally.value) for s in run.game.steps if s.tally and "aslsk:6.7" in s.ruling.refs
    ] == drms


@pytest.mark.rule("aslsk:6.2.wp", "aslsk:6.1")
@pytest.mark.parametrize(("dice", "need"), [((1, 2), 10), ((1, 1), 4)])
def test_a_house_helps_against_phosphorus_but_not_against_a_critical_hit(dice, need):
    run = Table(
        "lati: [american, german]\npasso: smoke\nunità: {c: us-227 C5, x: ge-467 D2}\narmi: {g: us-81mtr c ca=0}",
        "u:g-WP", "h:D2", dice=[dice, (1, 1)],
    )  # fmt: skip
    assert run.told("3.2.3.mc", "morale", "unit", of=ROLL)[0]["morale"] == need


@pytest.mark.rule("aslsk:7.2.1", "aslsk:3.2.4.intensive_fire")
@pytest.mark.parametrize(
    ("state", "dice", "ma"),
    [
        ("low=1", (4, 5), ""),
        ("low=1", (4, 6), "broken"),
        ("low=1", (5, 6), "disabled"),
        ("low=1 prep", (3, 4), ""),
        ("low=1 prep", (4, 4), "broken"),
        ("prep", (4, 5), ""),
    ],
)
def test_low_ammunition_lowers_the_number_and_intensive_fire_more(monkeypatch, state, dice, ma):
    kind = msgspec.structs.replace(VEHICLES["ge-ivh"], low_ammo=11)
    monkeypatch.setitem(VEHICLES, "ge-ivh", kind)
    run = Table(
        f"lati: [german, russian]\nunità: {{b: ge-467 G9, z: ru-447 G7}}\nveicoli: {{t: ge-ivh C9 vca=0 {state}, k: ru-t34m43 C5 vca=3}}",
        "u:t:ma", "h:C5", "b:VTT-k-AP", dice=[dice, (6, 6)],
    )  # fmt: skip
    assert run.state.vehicles["t"].arms.ma == ma


@pytest.mark.rule("aslsk:6.2.wp", "aslsk:3.3.3.ffmo", "aslsk:3.3.3.ffnam")
@pytest.mark.parametrize(("dice", "smoke", "checks"), [((3, 4), True, 1), ((3, 5), False, 0)])
def test_phosphorus_hits_a_runner_in_the_open_more_easily(dice, smoke, checks):
    run = Table(
        "lati: [german, american]\nfase: MPh\nunità: {c: us-227 C9, a: ge-467 C6, b: ge-467 M1}\narmi: {g: us-81mtr c ca=3}",
        "u:a", "b:normale", "h:C5", "u:g", "b:ATT-WP", dice=[dice, (1, 1)],
    )  # fmt: skip
    assert ("C5" in run.state.smoke) is smoke
    assert len(run.told("3.2.3.mc", "morale", "unit", of=ROLL)) == checks


# To Kill


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


# Guns, vehicles, dispensers


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


@pytest.mark.rule("aslsk:4.4.2")
@pytest.mark.parametrize(
    ("date", "reach"), [("1944-05", 1), ("1944-06", 2), ("1944-12", 2), ("1945-01", 3)]
)
def test_the_range_of_a_panzerfaust_by_date(date, reach):
    assert pf_range(state_of(f"data: {date}\nlati: [german, russian]")) == reach


# Off-board artillery


@pytest.mark.rule("aslsk:dae2.4")
def test_how_far_fire_is_corrected():
    state = state_of("mappa: ex-carri\nlati: [german, russian]")
    near = within(state, "A1", 18)
    assert max(state.ground.range("A1", hex) for hex in near) == 18
    assert "A1" not in near

    assert (oba.SR_LIMIT, oba.FFE_LIMIT) == (18, 3)


@pytest.mark.rule("aslsk:dae2.33", "aslsk:dae2.3")
@pytest.mark.parametrize(("extra", "number"), [(0, 2), (1, 1), (2, 0)])
def test_a_longer_correction_is_less_accurate(extra, number):
    state = state_of(
        "scenario: R4\nmappa: mD\nlati: [american, german]\noba: {lato: american, osservatore: A7}"
    )
    assert accuracy_number(state, "A5", extra) == number


@pytest.mark.rule("aslsk:dae2.11")
@pytest.mark.parametrize(("battalion", "contact"), [("no", False), ("si", True)])
def test_a_battalion_mortar_battery_keeps_contact_more_easily(battalion, contact):
    run = Table(
        f"scenario: R4\nmappa: mD\nlati: [american, german]\npasso: oba\nunità: {{l: us-10-2 A7, z: ge-467 E4}}\narmi: {{r: us-radio l}}\noba: {{lato: american, radio: r, contatto: si, accesso: si, sr: E4, battaglione: {battalion}}}",
        "b:chiama", dice=[(5, 5)],
    )  # fmt: skip
    assert run.state.oba.contact is contact


@pytest.mark.rule("aslsk:dae2.2")
def test_the_second_red_chit_ends_the_battery():
    text = "scenario: R4\nmappa: mD\nlati: [american, german]\npasso: oba\nunità: {l: us-10-2 A7, b: us-666 A1, z: ge-467 E4}\narmi: {r: us-radio l}\noba: {lato: american, radio: r, neri: 0, rossi: 3}"
    run = Table(text, "b:chiama", dice=[(3, 4), "red"])
    assert not run.state.oba.closed

    again = msgspec.structs.replace(
        run.state,
        phase="DFPh",
        step="oba",
        who="american",
        attacker="german",
        oba=msgspec.structs.replace(run.state.oba, drew=0, done_in=""),
    )
    run.game = Game(TITLE, "R4", ScriptedChance([(3, 3), "red"]), start=again)
    run.play("b:chiama")
    assert run.state.oba.closed


@pytest.mark.rule("aslsk:dae2.5", "aslsk:6.1")
def test_a_critical_hit_of_a_barrage_turns_the_house_against_its_people():
    run = Table(
        "scenario: R4\nmappa: mD\nlati: [american, german]\npasso: oba\nunità: {l: us-10-2 A7, z: ge-467 G5, y: ge-467 G5}\narmi: {r: us-radio l}\noba: {lato: american, osservatore: A7, contatto: si, accesso: si, ffe: G5, stadio: 2}",
        "b:lascia", dice=[(1, 1)],
    )  # fmt: skip
    found = run.told(ON_UNIT, "dr", "result", "unit")
    assert {(f["unit"], f["dr"], f["result"]) for f in found} == {
        ("z", -1, "7KIA"),
        ("y", -1, "7KIA"),
    }


# Victory


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
