"""Off-board artillery, where its rules meet the others (DaE2)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import msgspec
import pytest

from engine.aslsk import TITLE
from engine.aslsk.rules import oba
from engine.aslsk.rules.oba import accuracy_number, barrage_drm, enemy_near, within
from engine.game import Game, ScriptedChance
from tests.aslsk.table import ON_UNIT, Table, state_of
from tests.citations import ROLL

OBA = "scenario: R4\nmappa: mD\nlati: [american, german]\npasso: oba\ndata: 1944-06\nunità: {{l: us-10-2 A7, z: us-666 A1, {0}}}\narmi: {{r: us-radio l{1}}}\noba: {{lato: american, radio: r, {2}}}\n"
IN = "contatto: si, accesso: si, "


# The observer


@pytest.mark.rule("aslsk:dae2.11", "aslsk:dae2.1")
def test_contact_is_kept_only_if_the_player_wishes():
    run = Table(OBA.format("x: ge-467 E4", "", IN + "sr: E4"), "b:passa")
    assert not run.state.oba.contact
    assert (run.state.oba.sr, run.state.oba.access) == ("E4", True)
    assert run.state.units["l"].fire == ""


@pytest.mark.rule("aslsk:dae2.1")
def test_an_observer_who_breaks_is_out_of_contact_at_once():
    text = "scenario: R4\nmappa: mD\nlati: [german, american]\nattaccante: german\nfase: PFPh\nunità: {l: us-8-0 C7, x: ge-467 C6, y: ge-467 K9}\narmi: {r: us-radio l}\noba: {lato: american, radio: r, contatto: si, accesso: si, sr: E4}"
    run = Table(text, "u:x", "h:C7", dice=[(3, 3), (6, 5)])
    assert run.state.units["l"].broken
    assert not run.state.oba.contact
    assert run.state.oba.sr == "E4"
    kept = Table(text, "u:x", "h:C7", dice=[(3, 3), (1, 1)])
    assert kept.state.oba.contact


@pytest.mark.rule("aslsk:dae2", "aslsk:5.5")
def test_an_enemy_leader_with_the_radio_is_no_observer():
    from engine.aslsk.rules.oba import observer

    run = Table(OBA.format("x: ge-9-1 E4", "", "sr: E4").replace("us-radio l", "us-radio x"))
    assert observer(run.state) is None


@pytest.mark.rule("aslsk:dae2.11", "aslsk:dae2.32")
@pytest.mark.parametrize(("eye", "stage", "struck"), [("A7", "C", 1), ("G4", "", 0)])
def test_who_neither_reaches_nor_sees_the_blast_loses_the_mission_at_once(eye, stage, struck):
    text = OBA.format("x: ge-467 G7", "", IN + "ffe: G7, stadio: 2").replace(
        "l: us-10-2 A7", f"l: us-10-2 {eye}"
    )
    run = Table(text, "b:chiama", dice=[(5, 6), (6, 6), (1, 1)])
    assert len(run.told("dae2.5", "hex")) == struck
    assert run.state.oba.stage == stage
    assert run.state.oba.access is bool(stage)


# Access and requests


@pytest.mark.rule("aslsk:dae2.34", "aslsk:dae2.9", "aslsk:dae2.2")
@pytest.mark.parametrize(("black", "ffe"), [("0", ""), ("1", "G7")])
def test_an_ffe_c_without_another_chit_is_removed(black, ffe):
    text = OBA.format(
        "x: ge-467 N9", "", f"contatto: si, ffe: G7, stadio: C, neri: {black}, rossi: 0"
    )
    run = Table(text, "b:chiama", dice=[(1, 1), "black"] if ffe else [(1, 1)])
    assert run.state.oba.ffe == ffe


@pytest.mark.rule("aslsk:dae2.3")
def test_an_artillery_request_may_wait():
    run = Table(OBA.format("x: ge-467 E4", "", "accesso: si"), "b:chiama", "b:passa", dice=[(3, 4)])
    assert (run.state.oba.sr, run.state.oba.access) == ("", True)


@pytest.mark.rule("aslsk:dae2.33", "aslsk:dae2.35", "aslsk:dae2.3")
def test_a_cancelled_sr_makes_room_for_a_new_one():
    text = OBA.format("x: ge-467 E4", "", IN + "sr: G7")
    run = Table(text, "b:chiama", "b:cancella", "h:B7", dice=[(3, 4), (1,)])
    assert run.state.oba.sr == "B7"
    none = Table(text, "b:chiama", "b:cancella", "b:passa", dice=[(3, 4)])
    assert (none.state.oba.sr, none.state.oba.access) == ("", True)


@pytest.mark.rule("aslsk:dae2.9", "aslsk:dae2.3")
@pytest.mark.parametrize(("hex", "stage"), [("A5", "2"), ("G8", "")])
def test_rockets_too_are_asked_for_where_the_observer_sees(hex, stage):
    text = OBA.format("x: ge-467 N9", "", "osservatore: G6, razzi: si").replace(
        "G6", "A7" if stage else "G4"
    )
    run = Table(text, f"h:{hex}", dice=["black", (6, 6)] if stage else ["black"])
    assert run.state.oba.stage == stage


# What becomes of SR and FFE


@pytest.mark.rule("aslsk:dae2.33", "aslsk:2.0.keu")
@pytest.mark.parametrize(
    ("vehicle", "near"), [("ge-stug B6", True), ("ge-stug B6 wreck", False), ("us-m4 B6", False)]
)
def test_an_enemy_vehicle_is_an_enemy_unit(vehicle, near):
    run = Table(
        OBA.format("x: ge-467 N9", "", IN + "sr: B7") + f"veicoli: {{t: {vehicle}}}\n",
        "b:chiama",
        dice=[(3, 4)],
    )
    assert enemy_near(run.state, "B7") is near
    assert ("b:converti" in run.options) is near


@pytest.mark.rule("aslsk:dae2.33", "aslsk:dae2.7")
def test_smoke_is_corrected_and_converted_without_an_enemy():
    run = Table(
        OBA.format("x: ge-467 N9", "", IN + "sr: B7"),
        "b:chiama", "b:correggi-fumo", "h:A5", dice=[(3, 4), (1,)],
    )  # fmt: skip
    oba = run.state.oba
    assert (oba.sr, oba.ffe, oba.stage, oba.kind) == ("", "A5", "2", "smoke")
    assert run.state.smoke["A5"].value == 3


@pytest.mark.rule("aslsk:dae2.34", "aslsk:dae2.7")
@pytest.mark.parametrize(("answer", "kind"), [("b:ffe1", "HE"), ("b:fumo", "smoke")])
def test_a_renewed_mission_may_change_its_ammunition(answer, kind):
    old = "smoke" if kind == "HE" else "HE"
    text = OBA.format("x: ge-467 B6", "", f"contatto: si, ffe: B7, stadio: C, tipo: {old}")
    run = Table(text, "b:chiama", answer, dice=[(1, 1), "black", *[(6, 6)] * 8])
    assert (run.state.oba.kind, run.state.oba.stage) == (kind, "2")


@pytest.mark.rule("aslsk:dae2.4", "aslsk:dae2.33")
@pytest.mark.parametrize(("enemy", "may"), [("B4", True), ("N9", False)])
def test_an_he_ffe_goes_only_to_a_known_enemy(enemy, may):
    run = Table(
        OBA.format(f"x: ge-467 {enemy}", "", IN + "ffe: B7, stadio: 2"), "b:chiama", dice=[(3, 4)]
    )
    if not may:
        assert "dae2.4" in run.why_not("b:correggi")
        return
    run.play("b:correggi")
    assert "h:B5" in run.options
    assert "h:C9" not in run.options


# The barrage


@pytest.mark.rule("aslsk:dae2.5", "aslsk:3.2.3.kia", "aslsk:3.2.3.k")
def test_a_barrage_kills_as_many_as_its_result_says():
    text = OBA.format("x: ge-467 B6, y: ge-467 B6, w: ge-467 B6", "", IN + "ffe: B6, stadio: 2")
    run = Table(text, "b:chiama", "b:lascia", dice=[(3, 4), (1, 2), "x"])
    places = [run.state.units[n].place for n in ("x", "y", "w")]
    assert places == ["eliminated", "map", "map"]
    assert all(run.state.units[n].broken for n in ("y", "w"))
    reduced = Table(text, "b:chiama", "b:lascia", dice=[(3, 4), (1, 3), "y", *[(1, 1)] * 3])
    types = [reduced.state.units[n].type for n in ("x", "y", "w")]
    assert types == ["ge-467", "ge-247", "ge-467"]


@pytest.mark.rule("aslsk:dae2.52", "aslsk:6.5", "aslsk:4.2")
@pytest.mark.parametrize(
    ("unit", "weapon", "moving", "drms"),
    [
        ("ge-467 A3", "", True, [-1, -1]),
        ("ge-467 A3 pinned", "", True, []),
        ("ge-467 A3 hazardous", "", True, [-2]),
        ("ge-467 A3 hazardous", "", False, [-2]),
        ("ge-467 A3", ", f: ge-ft x", False, [-1]),
    ],
)
def test_what_a_barrage_counts_against_a_unit(unit, weapon, moving, drms):
    run = Table(OBA.format(f"x: {unit}", weapon, "sr: E4"))
    found = barrage_drm(run.state, run.state.units["x"], False, moving)
    assert [one.value for one in found] == drms


@pytest.mark.rule("aslsk:dae2.33", "aslsk:dae2.3")
@pytest.mark.parametrize(("hex", "number"), [("H7", 2), ("H8", 1)])
def test_a_mission_moved_by_seven_hexes_is_less_accurate(hex, number):
    text = OBA.format("x: ge-467 N9", "", "osservatore: H1, " + IN + "sr: H1")
    run = Table(text, "b:correggi-fumo", f"h:{hex}", dice=[(1,)])
    assert run.told("dae2.3", "number", of=ROLL) == [{"number": number}]


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
