"""Guns, vehicles and off-board artillery where the book's examples look closely (6, 7, DaE2)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from engine.aslsk.rules.weapons import pf_shots
from tests.aslsk.table import Table
from tests.citations import ROLL

GUN = "mappa: ex-cannone\ndata: 1944-06\nlati: [american, german]\nfase: MPh\n"
TANKS = "mappa: ex-carri\ndata: 1943-06\n"
OBA = "mappa: ex-osservatore\ndata: 1944-09\nlati: [german, british]\nfase: PFPh\npasso: oba\narmi: {r: ge-radio l}\n"


# 6.5


@pytest.mark.rule("aslsk:6.5", "aslsk:2.0.m_num")
@pytest.mark.parametrize(
    ("group", "with_", "under"),
    [
        ("c: us-227 D6", [], 5),
        ("c: us-227 D6, l: us-8-1 D6", ["u:l"], 6),
        ("c: us-227 D6, l: us-6+1 D6", ["u:l"], 5),
        ("c: us-666 D6, l: us-8-1 D6", ["u:l"], 7),
        ("c: us-666 D6, l: us-8-1 D6, h: us-666 D6", ["u:l", "u:h"], 9),
        ("c: us-666 D6, l: us-8-1 D6, h: us-346 D6", ["u:l", "u:h"], 8),
    ],
)
def test_who_pushes_a_gun_and_how_well(group, with_, under):
    text = GUN + f"unità: {{{group}, z: ge-467 I1}}\narmi: {{g: us-57l c ca=5}}"
    run = Table(text, "u:c", "b:spingi", dice=[(6, 6)])
    for name in with_:
        run.play(name)
    if "b:via" in run.options:
        run.play("b:via")
    run.play("h:D5")
    assert [f["number"] for f in run.told("6.5", "number", "weapon", of=ROLL)] == [under]
    assert {"6.5", "2.0.hazardous"} <= run.cited


@pytest.mark.rule("aslsk:6.6", "aslsk:6.7", "aslsk:2.0.near_miss")
@pytest.mark.parametrize(("ca", "result"), [(2, "NMC"), (5, "1MC")])
def test_the_gunshield_helps_only_inside_the_arc(ca, result):
    text = (
        "mappa: ex-cannone\ndata: 1944-06\nlati: [german, american]\nfase: PFPh\n"
        f"unità: {{a: ge-228 D8, p: us-227 D6}}\narmi: {{h: ge-75ig a ca=0, g: us-57l p ca={ca} emplaced}}"
    )
    run = Table(text, "u:h", "h:D6", "b:ITT-HE", dice=[(3, 3), (3, 4), (1, 2)])
    found = [s.ruling.msg.facts.get("result") for s in run.game.steps]
    assert result in found
    assert ("6.6" in run.cited) is (ca == 2)


@pytest.mark.rule("aslsk:6.4")
@pytest.mark.parametrize(("to", "hidden"), [("C4", True), ("E5", False)])
def test_a_hidden_gun_in_the_open_is_found_by_whoever_sees_it(to, hidden):
    text = (
        "mappa: ex-cannone\ndata: 1944-06\nlati: [german, american]\nfase: MPh\n"
        "unità: {x: ge-467 D4, c: us-227 D6 HIP}\narmi: {g: us-57l c ca=5 emplaced HIP}"
    )
    run = Table(text, "u:x", "b:normale", f"h:{to}")
    assert run.state.weapons["g"].hidden is hidden
    assert run.state.units["c"].hidden is hidden


# 4.4.2


@pytest.mark.rule("aslsk:4.4.2")
@pytest.mark.parametrize(
    ("date", "shots"),
    [("1943-09", 0), ("1943-10", 5), ("1943-12", 5), ("1944-01", 7), ("1944-12", 7), ("1945-01", 10)],
)  # fmt: skip
def test_five_squads_have_so_many_panzerfaust(date, shots):
    assert pf_shots(5, date) == shots


PF = "mappa: ex-carri\ndata: 1944-10\nlati: [russian, german]\nfase: MPh\nunità: {d: %s Z1, z: ru-447 A5}\nveicoli: {t: ru-t3485 Y2 vca=0 CE}\npf: {german: 5}"


@pytest.mark.rule("aslsk:4.4.2", "aslsk:4.0.usage", "aslsk:3.3.3")
@pytest.mark.parametrize(("unit", "marker"), [("ge-467", ""), ("ge-247", "First Fire"), ("ge-8-1", "First Fire")])  # fmt: skip
def test_whoever_has_used_all_it_may_is_marked_first_fire(unit, marker):
    run = Table(PF % unit, "u:t", "b:avvia", "u:d:pf", dice=[(5,)])
    assert run.state.units["d"].fire == marker
    assert "4.0.usage" in run.cited


@pytest.mark.rule("aslsk:4.0.usage", "aslsk:3.3.3.sff")
def test_two_weapons_spent_leave_the_squad_its_subsequent_first_fire():
    text = (
        "lati: [russian, german]\nfase: MPh\nunità: {d: ge-467 E7, a: ru-447 E9, b: ru-447 C9}\n"
        "armi: {m: ge-lmg d, n: ge-lmg d}"
    )
    run = Table(text, "u:a", "b:normale", "h:F8", "u:m", "u:n", dice=[(6, 5), (6, 4)])
    assert run.state.units["d"].fire == "First Fire"
    run.play("u:d")
    assert run.state.units["d"].fire == "Final Fire"
    assert "3.3.3.sff" in run.cited


# 3.3.3.repeat


@pytest.mark.rule("aslsk:3.3.3.repeat", "aslsk:casa.21")
@pytest.mark.parametrize(("to", "again"), [("h:E8", False), ("h:D6", True)])
def test_two_mf_in_one_expenditure_allow_a_second_attack(to, again):
    start = "F8" if to == "h:E8" else "C6"
    text = f"lati: [russian, german]\nfase: MPh\nunità: {{d: ge-467 E6, a: ru-447 {start}, z: ru-447 M1}}"
    to = "h:F7" if start == "F8" else to
    run = Table(text, "u:a", "b:normale", to, "u:d", dice=[(6, 5), (6, 5)])
    if again:
        assert "u:d" in run.options
    else:
        assert run.asked.side == "russian"


@pytest.mark.rule("aslsk:3.3.3.repeat", "aslsk:3.3.4")
def test_attacks_not_made_for_earlier_mp_are_lost():
    text = (
        "mappa: ex-carri\ndata: 1944-10\nlati: [russian, german]\nfase: MPh\n"
        "unità: {d: ge-467 Z1 first, z: ru-447 A5}\nveicoli: {t: ru-t3485 Z1 vca=0 running moving moved}\n"
        "mossa: {unità: [t], speso: 20, da: Y2, finestra: si, scia: [[Y2, 0], [Z1, 16]]}"
    )
    run = Table(text, "b:passa", "b:ferma", "b:corpo-d", dice=[(2, 2), (5, 5)])
    assert run.asked.side == "russian"
    twice = Table(text, "b:corpo-d", dice=[(2, 2), (5, 5)])
    assert "b:corpo-d" in twice.options


# 3.3.2.tca


@pytest.mark.rule("aslsk:3.3.2.tca")
def test_the_turret_turns_before_the_defender_fires():
    text = (
        TANKS
        + "lati: [german, russian]\nfase: MPh\nunità: {z: ge-467 A5, x: ru-447 J9}\nveicoli: {t: ge-ivh J5 vca=0}"
    )
    run = Table(text, "u:t", "b:torretta-3", "b:avvia")
    assert run.state.vehicles["t"].tca == 3
    assert run.state.mover.spent["t"] == 2
    assert "3.3.2.tca" in run.cited


@pytest.mark.rule("aslsk:3.3.2.tca", "aslsk:3.3.2.vca")
def test_a_turned_turret_still_turns_with_the_hull():
    text = (
        TANKS
        + "lati: [german, russian]\nfase: MPh\nunità: {z: ge-467 A5, x: ru-447 AA9}\nveicoli: {t: ge-ivh J5 vca=0 Motion}"
    )
    run = Table(text, "u:t", "b:torretta-3", "b:destra")
    assert (run.state.vehicles["t"].vca, run.state.vehicles["t"].tca) == (1, 4)


@pytest.mark.rule("aslsk:3.3.2.tca")
def test_without_mp_the_turret_stays():
    text = TANKS + (
        "lati: [german, russian]\nfase: MPh\nunità: {z: ge-467 A5, x: ru-447 AA9}\nveicoli: {t: ge-ivh J5 vca=0 moving moved}\n"
        "mossa: {unità: [t], speso: 26, da: J6, scia: [[J6, 0], [J5, 26]]}"
    )
    assert "3.3.2.tca" in Table(text).why_not("b:torretta-3")


# 7.3, 7.8, 7.11


ATT = (
    TANKS
    + "lati: [german, russian]\nfase: PFPh\nveicoli: {t: ge-iiin J5 vca=0 tca=0 CE, k: %s J2 vca=3}"
)


@pytest.mark.rule("aslsk:7.3", "aslsk:3.2.4.att", "aslsk:3.3.2.motion_effects")
@pytest.mark.parametrize(
    ("vehicle", "dice", "hit"),
    [
        ("ru-kv1e", (4, 4), True),
        ("ru-t34m43", (4, 4), False),
        ("ru-t34m43", (4, 3), True),
        ("ru-t70", (4, 3), False),
        ("ru-t70", (3, 3), True),
    ],
)
def test_the_size_of_a_vehicle_counts_in_att(vehicle, dice, hit):
    run = Table(ATT % vehicle, "u:t:ma", "h:J2", "b:ATT-HE", dice=[dice, (5, 6)])
    assert ("7.11" in run.cited) is hit
    assert ("7.3" in run.cited) is (vehicle != "ru-t34m43")


@pytest.mark.rule("aslsk:3.3.2.motion_effects", "aslsk:3.2.4.att")
def test_a_moving_vehicle_is_harder_to_hit_in_att():
    text = (ATT % "ru-t34m43").replace("vca=3}", "vca=3 Motion}")
    run = Table(text, "u:t:ma", "h:J2", "b:ATT-HE", dice=[(3, 3)])
    assert "7.11" not in run.cited
    assert "3.3.2.motion_effects" in run.cited


@pytest.mark.rule("aslsk:6.10", "aslsk:7.8")
@pytest.mark.parametrize(("target", "kept"), [("h:J2", 1), ("h:K3", 0)])
def test_a_cmg_fired_elsewhere_loses_the_acquired_target(target, kept):
    text = (
        TANKS
        + "lati: [german, russian]\nfase: PFPh\nunità: {x: ru-447 J2, y: ru-447 K3}\nveicoli: {t: ge-ivh J5 vca=0 tca=0 acquired=1 target=x target_hex=J2}"
    )
    run = Table(text, "u:t:cmg", target, dice=[(6, 5)])
    if "b:fuoco" in run.options:
        run.play("b:fuoco")
    assert run.state.vehicles["t"].hold.acquired == kept
    assert ("6.10" in run.cited) is (kept == 0)


@pytest.mark.rule("aslsk:7.6", "aslsk:2.0.immobilized")
@pytest.mark.parametrize("marker", ["bogged", "immobilized"])
def test_a_fixed_hull_fires_its_bow_mg_only_forward(marker):
    text = (
        TANKS
        + f"lati: [german, russian]\nfase: PFPh\nunità: {{x: ru-447 J2, y: ru-447 J8}}\nveicoli: {{t: ge-ivh J5 vca=0 tca=0 {marker}, u: ge-ivh M5 vca=0 tca=0}}"
    )
    run = Table(text, "u:t:bmg")
    assert "h:J2" in run.options
    assert "2.0.immobilized" in run.why_not("h:J8")
    free = Table(text, "u:u:bmg")
    assert "h:J8" in free.options


@pytest.mark.rule("aslsk:7.6")
@pytest.mark.parametrize(("start", "spine", "reaches"), [("J4", 2, True), ("J6", 0, False)])
def test_a_bogged_tank_fires_its_bow_mg_only_at_who_enters_through_its_front(start, spine, reaches):
    text = TANKS + (
        f"lati: [russian, german]\nfase: MPh\nunità: {{z: ru-447 A5}}\n"
        f"veicoli: {{t: ge-ivh J5 vca=0 tca=0 bogged, k: ru-t34m43 {start} vca={spine} CE Motion}}"
    )
    run = Table(text, "u:k", "h:J5")
    assert run.asked.side == "german"
    if reaches:
        assert "u:t:bmg" in run.options
    else:
        assert "7.6" in run.why_not("u:t:bmg")
    assert "u:t:cmg" in run.options


@pytest.mark.rule("aslsk:3.4", "aslsk:3.2.4.intensive_fire")
@pytest.mark.parametrize(("hex", "fires"), [("J4", True), ("J2", False)])
def test_intensive_fire_in_the_dfph_is_for_neighbours(hex, fires):
    text = (
        TANKS
        + f"lati: [german, russian]\nfase: DFPh\nunità: {{z: ru-447 A5, y: ge-467 A4}}\nveicoli: {{t: ge-ivh {hex} vca=3, k: ru-kv1e J5 vca=0 first fired=ma fire_phase=DFPh}}"
    )
    run = Table(text)
    if fires:
        assert "u:k:ma" in run.options
    else:
        assert "3.2.4.intensive_fire" in run.why_not("u:k:ma")


@pytest.mark.rule("aslsk:3.2.4.aspect", "aslsk:7.1")
@pytest.mark.parametrize(
    ("dice", "tca", "where", "af"),
    [((4, 3), 1, "hull", 6), ((3, 4), 1, "turret", 6), ((3, 4), 5, "turret", 6), ((3, 4), 2, "turret", 4)],
)  # fmt: skip
def test_on_a_dividing_hexspine_the_firer_gets_the_worse_side(dice, tca, where, af):
    text = (
        "mappa: ex-carri\ndata: 1943-12\nlati: [russian, german]\nfase: PFPh\nunità: {z: ge-467 AA9}\n"
        f"veicoli: {{k: ru-kv1e E3 vca=3 tca=3, t: ge-iiin C6 vca=0 tca={tca}}}"
    )
    run = Table(text, "u:k:ma", "h:C6", "b:VTT-t-AP", dice=[dice, (6, 6)])
    assert [f["number"] for f in run.told("7.9", "number", "unit", of=ROLL)] == [12 - af]
    assert any(s.ruling.msg.facts.get("location") == where for s in run.game.steps)


# 7.10.recall


RECALL = (
    TANKS
    + "lati: [german, russian]\nfase: MPh\nunità: {z: ge-467 AA9, x: ru-447 AA1}\nveicoli: {t: ge-ivh %s}"
)


@pytest.mark.rule("aslsk:7.10.recall", "aslsk:casa.51")
def test_a_recalled_vehicle_goes_and_takes_the_shortest_way():
    run = Table(RECALL % "C9 vca=4 recall")
    assert "7.10.recall" in run.why_not("b:passa")
    run.play("u:t")
    assert "7.10.recall" in run.why_not("b:attendi")
    run.play("b:avvia")
    assert {"h:B8", "h:B9"} & run.options
    for other in ("b:ferma", "b:destra", "b:sinistra", "b:lento-B8", "b:fine"):
        assert "7.10.recall" in run.why_not(other)
    while run.state.vehicles["t"].place == "map":
        run.play(next(option for option in sorted(run.options) if option.startswith("h:")))
    assert run.state.vehicles["t"].place == "left the map"


@pytest.mark.rule("aslsk:7.10.recall")
def test_a_recalled_vehicle_turns_toward_its_edge_first():
    run = Table(RECALL % "C9 vca=1 recall", "u:t", "b:avvia")
    assert {"b:destra", "b:sinistra"} & run.options
    assert "7.10.recall" in run.why_not("h:D8")
    assert "7.10.recall" in run.why_not("b:ferma")


@pytest.mark.rule("aslsk:7.10.recall")
@pytest.mark.parametrize("marker", ["immobilized", "bogged"])
def test_a_recalled_vehicle_that_cannot_move_stays(marker):
    run = Table(RECALL % f"C9 vca=4 recall {marker}")
    assert "b:passa" in run.options


@pytest.mark.rule("aslsk:7.10.recall", "aslsk:3.3.2.motion")
def test_a_recalled_vehicle_short_of_mp_ends_in_motion():
    text = TANKS + (
        "lati: [german, russian]\nfase: MPh\nunità: {z: ge-467 AA9, x: ru-447 AA1}\nveicoli: {t: ge-ivh U7 vca=4 recall running moving moved}\n"
        "fumo: {%s}\nmossa: {unità: [t], speso: 24, da: V8, scia: [[V8, 0], [U7, 24]]}"
    )
    stuck = Table(text % "T6: 2, T7: 2, U6: 2, U8: 2", "b:fine")
    assert stuck.state.vehicles["t"].drive.motion
    assert "7.10.recall" in Table(text % "").why_not("b:fine")


@pytest.mark.rule("aslsk:3.3.2.motion")
@pytest.mark.parametrize(("hex", "may"), [("T8", True), ("J8", False)])
def test_a_vehicle_ends_in_motion_with_mp_left_only_before_a_hex_it_cannot_afford(hex, may):
    text = TANKS + (
        f"lati: [german, russian]\nfase: MPh\nunità: {{z: ge-467 AA9, x: ru-447 AA1}}\nveicoli: {{t: ge-ivh {hex} vca=0 running moving moved}}\n"
        f"mossa: {{unità: [t], speso: 20, da: A9, scia: [[A9, 0], [{hex}, 20]]}}"
    )
    run = Table(text)
    if may:
        assert run.play("b:fine").state.vehicles["t"].drive.motion
    else:
        assert "3.3.2.motion" in run.why_not("b:fine")


# 6.2.smoke


@pytest.mark.rule("aslsk:6.2.smoke", "aslsk:3.2.2.1")
@pytest.mark.parametrize(("enemy", "may"), [("J5", False), ("J6", True)])
def test_a_tank_with_an_enemy_in_its_hex_fires_no_smoke(enemy, may):
    text = (
        TANKS
        + f"lati: [german, russian]\nfase: PFPh\npasso: smoke\nunità: {{x: ru-447 {enemy}}}\nveicoli: {{t: ge-ivh J5 vca=0, u: ge-ivh T9 vca=0}}"
    )
    run = Table(text)
    if may:
        assert "u:t:ma-S" in run.options
    else:
        assert "3.2.2.1" in run.why_not("u:t:ma-S")
    assert "u:u:ma-S" in run.options


# DaE2


@pytest.mark.rule("aslsk:dae2.33", "aslsk:dae2.32")
@pytest.mark.parametrize(("enemy", "may"), [("JJ10", False), ("JJ12", True)])
def test_an_sr_becomes_ffe_where_the_observer_sees_an_enemy(enemy, may):
    text = (
        OBA
        + f"unità: {{l: ge-8-1 NN8, x: br-457 {enemy}}}\noba: {{lato: german, calibro: 100, radio: r, contatto: si, accesso: si, sr: JJ11}}"
    )
    run = Table(text, "b:chiama", dice=[(3, 3)])
    if may:
        assert "b:converti" in run.options
    else:
        assert "dae2.33" in run.why_not("b:converti")
        assert "dae2.33" in run.why_not("b:correggi-converti")


@pytest.mark.rule("aslsk:dae2.3", "aslsk:dae2.4")
@pytest.mark.parametrize(
    ("smoke", "dice", "sr"),
    [("", [(2,)], "LL15"), ("fumo: {LL15: 1}\n", [(1,)], "LL15"), ("fumo: {LL15: 1}\n", [(2,), (3, 1)], "MM16")],
)  # fmt: skip
def test_smoke_makes_a_correction_less_accurate(smoke, dice, sr):
    text = (
        OBA
        + smoke
        + "unità: {l: ge-8-1 NN8, x: br-457 MM17}\noba: {lato: german, calibro: 100, radio: r, contatto: si, accesso: si, sr: JJ12}"
    )
    run = Table(text, "b:chiama", "b:correggi", "h:LL15", dice=[(3, 3), *dice])
    assert run.state.oba.sr == sr
    assert "dae2.3" in run.cited


@pytest.mark.rule("aslsk:dae2.4", "aslsk:dae2.3")
def test_a_correction_out_of_los_leaves_the_sr_where_it_was():
    text = (
        OBA
        + "unità: {l: ge-8-1 NN8, x: br-457 MM17}\noba: {lato: german, calibro: 100, radio: r, contatto: si, accesso: si, sr: JJ12}"
    )
    run = Table(text, "b:chiama", "b:correggi", "h:JJ10", dice=[(3, 3)])
    assert run.state.oba.sr == "JJ12"
    assert "dae2.3" in run.cited


@pytest.mark.rule("aslsk:dae2.1", "aslsk:dae2.11")
@pytest.mark.parametrize(("dice", "marker"), [((4, 5), "Prep Fire"), ((5, 5), "")])
def test_the_observer_in_contact_does_nothing_else(dice, marker):
    text = (
        OBA
        + "unità: {l: ge-8-1 NN8, x: br-457 MM17}\noba: {lato: german, calibro: 100, radio: r, contatto: si, accesso: si, sr: JJ12}"
    )
    run = Table(text, "b:chiama", dice=[dice])
    assert run.state.units["l"].fire == marker
    assert run.state.oba.contact is bool(marker)


@pytest.mark.rule("aslsk:dae2.31", "aslsk:dae2.32", "aslsk:dae2.4")
def test_a_round_off_the_map_is_out_of_sight_and_must_be_corrected_blindly():
    text = (
        OBA
        + "unità: {l: ge-8-1 NN8, x: br-457 MM17, y: ge-467 NN10}\noba: {lato: german, calibro: 100, radio: r, contatto: si, accesso: si%s}"
    )
    run = Table(text % ", sr: NN9", "b:chiama", "b:correggi", "h:NN15", dice=[(3, 3), (5,), (2, 6)])
    assert run.state.oba.sr not in run.state.ground.hex
    assert "dae2.32" in run.cited
    lost = Table(text % f", sr: '{run.state.oba.sr}'", "b:chiama", dice=[(3, 3)])
    for order in ("b:lascia", "b:converti", "b:fumo", "b:correggi-converti", "b:correggi-fumo"):
        assert {"dae2.33", "dae2.32"} <= lost.why_not(order)
    blind = Table(
        text % f", sr: '{run.state.oba.sr}'",
        "b:chiama",
        "b:correggi",
        "h:NN15",
        dice=[(3, 3), (1, 4)],
    )
    assert blind.state.oba.sr == "NN11"
    assert "dae2.4" in blind.cited


@pytest.mark.rule("aslsk:dae2.32", "aslsk:dae2.5")
def test_only_the_part_of_a_blast_area_on_the_map_is_struck():
    text = (
        OBA
        + "unità: {l: ge-8-1 NN8, x: br-457 NN15, z: br-457 MM15}\noba: {lato: german, calibro: 100, radio: r, contatto: si, accesso: si, sr: NN14}"
    )
    run = Table(
        text,
        "b:chiama",
        "b:correggi-converti",
        "h:NN15",
        dice=[(3, 3), (5,), (2, 1), (6, 6), (1, 1)],
    )
    assert [f["hex"] for f in run.told("dae2.5", "hex")] == ["NN15"]
    assert run.state.oba.stage == "2"
    assert run.state.oba.ffe not in run.state.ground.hex
