"""IFE that fires again, cover of vehicles, Motion attempts, ambushes, reliability (3.3, 3.8, 6.8)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from engine.aslsk.rules.sight import sees
from engine.aslsk.rules.terrain import MORTAR, vehicle_cover
from engine.aslsk.state.tables import VEHICLES
from tests.aslsk.table import Table
from tests.citations import ROLL

DFF = "lati: [russian, german]\nfase: MPh\n"
FLAK = DFF + "unità: {c: ge-228 C9 %s, x: ru-447 C5, z: ru-447 M1%s}\narmi: {g: ge-20l c ca=0 %s}"
TANK = DFF + 'unità: {x: ru-447 %s, z: ru-447 M1%s}\nveicoli: {t: "ge-iif C9 vca=0 tca=0 %s"}'
HEDGES = "mappa: ex-siepi\ndata: 1944-07\n"


def columns(run: Table) -> list[tuple[str, int]]:
    """The FP of each attack on the IFT and its column."""
    found = run.told("3.2.3", "column", "fp")
    return [(str(one["fp"]), int(str(one["column"]))) for one in found]


# IFE in SFF, FPF and Final Fire (6.8)


@pytest.mark.rule("aslsk:6.8", "aslsk:3.3.3.sff", "aslsk:casa.15")
@pytest.mark.parametrize(
    ("dice", "place", "broken"),
    [((4, 5), "map", False), ((4, 6), "map", True), ((6, 6), "eliminated", False)],
)
def test_the_ife_of_a_gun_fires_again_at_half_with_a_lower_b(dice, place, broken):
    run = Table(
        FLAK % ("used=g first", "", "first"), "u:x", "b:normale", "h:C6", "u:g:ife",
        dice=[dice, (1, 1)],
    )  # fmt: skip
    gun = run.state.weapons["g"]
    assert columns(run)[0] == ("3", 2)
    assert (gun.place, gun.broken) == (place, broken)
    assert run.state.units["c"].fire == "Final Fire"
    assert ("casa.15" in run.cited) is (place == "eliminated")


@pytest.mark.rule("aslsk:6.8", "aslsk:3.3.3.fpf", "aslsk:4.0.usage")
def test_a_crew_in_fpf_fires_its_ife_and_itself_and_takes_the_check():
    run = Table(
        FLAK.replace("x: ru-447 C5", "x: ru-447 C7") % ("used=g final", "", "final"),
        "u:x", "b:normale", "h:C8", "u:g:ife",
        dice=[(5, 4), (1, 1), (1, 1)],
    )  # fmt: skip
    assert run.told("3.3.3.fpf", "unit") == [{"unit": "c"}, {"unit": "g:ife"}]
    assert "1.2.4.1" in run.cited
    assert columns(run)[0] == ("8", 8)
    assert run.told("3.3.3.fpf", "dr", "unit") == [{"dr": 9, "unit": "c"}]
    assert run.state.units["c"].broken


@pytest.mark.rule("aslsk:6.8", "aslsk:3.2.2.mandatory_fg")
def test_the_ife_of_a_gun_joins_nobody_else_and_is_bound_to_no_fire_group():
    run = Table(
        FLAK % ("", ", s: ge-467 C9", ""), "u:x", "b:normale", "h:C6", "u:s", dice=[(5, 4), (1, 1)]
    )
    assert "6.8" in run.why_not("u:g:ife")
    run.play("b:fuoco")
    assert "u:g:ife" in run.options
    assert "3.2.2.mandatory_fg" in run.why_not("u:c")


@pytest.mark.rule("aslsk:6.8", "aslsk:3.2.4.non_qualified")
def test_a_half_squad_jams_the_ife_of_a_gun_sooner():
    text = "lati: [german, russian]\nfase: PFPh\nunità: {c: %s C9, x: ru-447 C6, z: ru-447 M1}\narmi: {g: ge-20l c ca=0}"
    for who, broken in (("ge-228", False), ("ge-247", True)):
        run = Table(text % who, "u:g:ife", "h:C6", dice=[(5, 5), (1, 1)])
        assert run.state.weapons["g"].broken is broken


@pytest.mark.rule("aslsk:6.8", "aslsk:7.8", "aslsk:casa.54")
def test_the_ife_of_a_tank_fires_again_at_half_then_only_next_to_it():
    run = Table(
        TANK % ("C5", ", s: ge-467 D9", "fire_phase=DFPh fired=ife,cmg first"),
        "u:x", "b:normale", "h:C6", "u:t:ife",
        dice=[(4, 4), (1, 1)],
    )  # fmt: skip
    assert columns(run)[0] == ("2", 2)
    assert run.state.vehicles["t"].marks.fire == "Final Fire"
    run.play("b:passa", "h:C7")
    assert "3.3.3.fpf" in run.why_not("u:t:ife")
    assert "3.4" in run.why_not("u:t:ma")
    run.play("b:passa", "h:C8")
    assert "u:t:ife" in run.options


@pytest.mark.rule("aslsk:6.8", "aslsk:casa.15", "aslsk:7.10.recall")
@pytest.mark.parametrize(
    ("dice", "ma", "recall"), [((4, 4), "", False), ((4, 5), "broken", False), ((5, 6), "disabled", True)]
)  # fmt: skip
def test_the_ma_that_fires_again_as_ife_may_be_lost(dice, ma, recall):
    run = Table(
        TANK % ("C5", "", "fire_phase=DFPh fired=ife,cmg first"), "u:x", "b:normale", "h:C6", "u:t:ife",
        dice=[dice, (1, 1)],
    )  # fmt: skip
    tank = run.state.vehicles["t"]
    assert (tank.arms.ma, tank.recall) == (ma, recall)


@pytest.mark.rule("aslsk:6.8", "aslsk:casa.54", "aslsk:3.3.3.fpf")
@pytest.mark.parametrize(("hatch", "stun"), [("CE", "Stun"), ("", "")])
def test_the_check_of_fpf_touches_only_an_exposed_crew(hatch, stun):
    run = Table(
        TANK % ("C7", "", f"fire_phase=DFPh fired=ife,cmg final {hatch}"),
        "u:x", "b:normale", "h:C8", "u:t:ife",
        dice=[(5, 5), (1, 1)],
    )  # fmt: skip
    assert run.state.vehicles["t"].crew.stun == stun
    assert "casa.54" in run.cited


@pytest.mark.rule("aslsk:6.8", "aslsk:7.8")
def test_the_ife_of_a_tank_fires_once_in_the_prep_fire_phase():
    run = Table(
        "lati: [german, russian]\nfase: PFPh\nunità: {x: ru-447 C6, z: ru-447 M1}\nveicoli: {t: ge-iif C9 vca=0 tca=0 fire_phase=PFPh fired=ma prep}"
    )
    assert "7.8" in run.why_not("u:t:ife")
    assert "u:t:ma" in run.options


@pytest.mark.rule("aslsk:3.4", "aslsk:6.8")
@pytest.mark.parametrize(("hex", "able"), [("C8", True), ("C7", False)])
def test_a_marked_ife_fires_in_the_dfph_only_next_to_it(hex, able):
    run = Table(
        f"lati: [russian, german]\nfase: DFPh\npasso: fire\nunità: {{x: ru-447 {hex}, z: ru-447 M1, k: ge-467 L1}}\nveicoli: {{t: ge-iif C9 vca=0 tca=0 fire_phase=DFPh fired=ife first}}"
    )
    if able:
        assert "u:t:ife" in run.options
    else:
        assert "3.4" in run.why_not("u:t:ife")


@pytest.mark.rule("aslsk:3.3.3.repeat", "aslsk:6.8")
def test_a_gun_and_its_ife_are_one_weapon_for_a_mover():
    run = Table(
        FLAK % ("", ", s: ge-467 C9", ""), "u:x", "b:normale", "h:C6", "u:g", "b:ITT-HE",
        dice=[(6, 5), (1, 1)],
    )  # fmt: skip
    assert run.state.weapons["g"].fire == "First Fire"
    assert "3.3.3.repeat" in run.why_not("u:g:ife")


# SFF and the nearest enemy (3.3.3.sff)


@pytest.mark.rule("aslsk:3.3.3.sff", "aslsk:casa.19")
@pytest.mark.parametrize(
    ("tank", "able"), [("", True), ("\nveicoli: {k: ru-kv1e D8 vca=3}", False)]
)
def test_an_enemy_vehicle_that_is_nearer_stops_sff(tank, able):
    run = Table(
        DFF + "unità: {a: ge-467 C9 used=fp first, b: ge-467 E9, x: ru-447 C5, z: ru-447 M1}" + tank,
        "u:x", "b:normale", "h:C6",
    )  # fmt: skip
    assert "u:b" in run.options
    if able:
        assert "u:a" in run.options
    else:
        assert "casa.19" in run.why_not("u:a")


# Several weapons of a vehicle in the AFPh (3.5, 7.8)


@pytest.mark.rule("aslsk:3.5.vehicles", "aslsk:7.8", "aslsk:3.5")
def test_the_other_weapons_of_a_vehicle_fire_in_the_same_afph():
    text = "lati: [german, russian]\nfase: AFPh\nunità: {x: ru-447 C6, y: ru-447 D6, z: ru-447 M1}\nveicoli: {t: ge-ivh C9 vca=0 tca=0 %s}"
    run = Table(text % "", "u:t:ma", "h:C6", "b:ITT-HE", dice=[(6, 5)])
    assert "u:t:cmg" in run.options
    assert "3.2.4.intensive_fire" in run.why_not("u:t:ma")
    moved = Table(text % "moving moved fire_phase=MPh fired=cmg fire_hex=C9, u: ge-ivh M9")
    assert "3.5.vehicles" in moved.why_not("u:t:ma")


# Vehicles behind hedges and on hills (1.1.1)


@pytest.mark.rule("aslsk:1.1.1.hedges.tem", "aslsk:1.1.1.hedges.advantage")
@pytest.mark.parametrize(("owner", "tem"), [("german", 1), ("american", 0)])
def test_a_hedge_covers_a_vehicle_for_the_side_that_has_its_advantage(owner, tem):
    state = Table(
        HEDGES
        + f"lati: [american, german]\nfase: PFPh\nunità: {{f: us-666 D6, g: us-666 D7}}\nveicoli: {{t: ge-ivh C6}}\nsiepi: {{C6-D6: {owner}}}"
    ).state
    tank = state.vehicles["t"]
    found = vehicle_cover(state, tank, "D6")
    assert (found.value if found is not None else 0) == tem
    across = vehicle_cover(state, tank, "D7")
    assert across is not None
    assert across.ruling.refs == ("aslsk:1.1.1.hedges.tem",)
    assert vehicle_cover(state, tank, "D7", MORTAR) is None


@pytest.mark.rule("aslsk:1.1.1.hedges.tem", "aslsk:3.2.4.vtt")
def test_the_hedge_counts_in_the_to_hit_roll_against_a_vehicle():
    text = (
        HEDGES
        + "lati: [american, german]\nfase: PFPh\nunità: {z: ge-467 A1}\nveicoli: {m: us-m4 D7 vca=4 tca=4, t: ge-ivh %s}"
    )
    for hex, cited in (("C6", True), ("E8", False)):
        run = Table(text % hex, "u:m:ma", f"h:{hex}", "b:VTT-t-AP", dice=[(6, 5), (6, 6)])
        assert ("1.1.1.hedges.tem" in run.cited) is cited


@pytest.mark.rule("aslsk:1.1.1.hedges.advantage", "aslsk:2.0.good_order")
@pytest.mark.parametrize(("state", "owner"), [("", "american"), ("stun", "german")])
def test_a_vehicle_in_good_order_keeps_the_hedge_for_its_side(state, owner):
    run = Table(
        HEDGES
        + f"lati: [german, american]\nfase: MPh\nunità: {{e: ge-467 B5}}\nveicoli: {{m: us-m4 D6 {state}}}\nsiepi: {{C6-D6: american}}",
        "u:e", "b:normale", "h:C6",
    )  # fmt: skip
    if run.asked.side == "american":
        run.play("b:passa")
    assert run.state.hedge["C6-D6"] == owner


@pytest.mark.rule("aslsk:1.1.1.hills.height_advantage")
@pytest.mark.parametrize(("came", "cited"), [("J4", False), ("K3", True)])
def test_a_vehicle_seen_climbing_the_crest_has_no_height_advantage(came, cited):
    run = Table(
        DFF
        + f"unità: {{c: ge-228 H4, z: ru-447 M1}}\narmi: {{g: ge-75l c ca=1}}\nveicoli: {{t: ru-t34m43 {came} vca={1 if came == 'J4' else 2} Motion}}",
        "u:t", "h:K4", "u:g", "b:VTT-t-AP",
        dice=[(6, 5), (6, 6)],
    )  # fmt: skip
    assert ("1.1.1.hills.height_advantage" in run.cited) is cited


# Who may be ambushed in CC


AMBUSH = "lati: [german, russian]\nfase: APh\nunità: {%s, z: ru-447 M1}%s"


@pytest.mark.rule("aslsk:3.8.ambush", "aslsk:3.7.cc_counter")
def test_infantry_that_advances_into_a_building_may_be_ambushed():
    run = Table(
        AMBUSH % ("a: ge-467 E2, b: ge-467 A1, x: ru-447 D2", ""), "u:a", "h:D2", "b:passa",
        dice=[(6,), (1,), (3, 4)],
    )  # fmt: skip
    assert run.state.phase == "CCPh"
    assert run.state.cc is not None
    assert run.state.cc.ambusher == "russian"
    assert run.state.units["a"].cc


@pytest.mark.rule("aslsk:3.8.ambush", "aslsk:3.2.2.1")
def test_staying_beside_an_enemy_vehicle_in_motion_is_no_ambush():
    run = Table(
        AMBUSH % ("a: ge-467 D6, b: ge-467 A1", "\nveicoli: {t: ru-t34m43 D6 Motion}"),
        "u:a", "b:resta", "b:passa",
    )  # fmt: skip
    assert run.state.phase == "CCPh"
    assert run.told("3.8.ambush", "side", of=ROLL) == []
    assert run.asked.side == "german"


@pytest.mark.rule("aslsk:3.8.ambush", "aslsk:3.8.melee")
def test_reinforcing_a_melee_is_no_ambush():
    run = Table(
        AMBUSH % ("a: ge-467 E2, b: ge-467 D2 Melee, x: ru-447 D2 Melee", ""),
        "u:a", "h:D2", "b:passa",
    )  # fmt: skip
    assert run.state.phase == "CCPh"
    assert run.state.units["a"].cc
    assert run.told("3.8.ambush", "side", of=ROLL) == []


# Motion attempts and reliability (3.3.2.1, 3.3.2.reliability)


MOTION = DFF + 'unità: {a: ru-447 E9}\nveicoli: {t: "%s E6 vca=0 tca=1 %s"}'


@pytest.mark.rule("aslsk:3.3.2.1")
def test_a_turret_is_pointed_apart_from_the_hull_and_loses_its_target_if_it_turns():
    held = "acquired=1 target_hex=E1"
    for spines, kept in ((("n:0", "n:1"), 1), (("n:0", "n:3"), 0), (("n:4", "n:1"), 0)):
        run = Table(MOTION % ("ge-ivh", held), "u:a", "b:normale", "h:D8", "b:moto-t", dice=[(1,)])
        tank = run.play(*spines).state.vehicles["t"]
        assert (f"n:{tank.vca}", f"n:{tank.tca}") == spines
        assert (tank.drive.motion, tank.hold.acquired) == (True, kept)


@pytest.mark.rule("aslsk:3.3.2.1")
def test_a_vehicle_without_a_turret_points_only_its_hull():
    run = Table(
        MOTION % ("ge-stug", ""), "u:a", "b:normale", "h:D8", "b:moto-t", "n:2", dice=[(1,)]
    )
    tank = run.state.vehicles["t"]
    assert (tank.drive.motion, tank.vca, tank.tca) == (True, 2, 2)


@pytest.mark.rule("aslsk:3.3.2.1", "aslsk:1.2.4.1")
@pytest.mark.parametrize(
    ("fired", "able"), [("fired=ma kept=1", True), ("fired=ma first", False), ("fired=cmg", False)]
)
def test_only_a_fire_counter_forbids_the_motion_attempt(fired, able):
    run = Table(
        MOTION.replace("a: ru-447 E9", "a: ru-447 E9, s: ge-467 E5") % ("ge-ivh", f"fire_phase=DFPh {fired}"),
        "u:a", "b:normale", "h:D8",
    )  # fmt: skip
    if able:
        assert "b:moto-t" in run.options
    else:
        assert "3.3.2.1" in run.why_not("b:moto-t")


FREE = "opzioni: {los: libera}\n"
BLIND = DFF + "unità: {a: ru-447 %s, s: ge-467 %s}\nveicoli: {t: ge-iiin %s vca=0}"
"""The squad sees the mover; whether the tank does is what its LOS tells."""


@pytest.mark.rule("aslsk:3.3.2.1", "aslsk:7.5", "aslsk:3.2.1.declare", "aslsk:casa.62")
@pytest.mark.parametrize("verb", ["moto", "fumogeno"])
def test_an_attempt_without_los_is_declared_and_lost(verb):
    text = BLIND % ("G9", "G6", "C5")
    run = Table(text, "u:a", "b:normale", "h:G8")
    assert not sees(run.state, "C5", "G8")
    assert f"b:{verb}-t" in run.options
    run.play(f"b:{verb}-t")
    tank = run.state.vehicles["t"]
    assert (tank.drive.motion, tank.marks.tried, tank.marks.smoked) == (
        False,
        verb == "moto",
        verb == "fumogeno",
    )
    assert "casa.62" in run.cited
    if "b:passa" in run.options:
        assert run.why_not(f"b:{verb}-t") <= {"3.3.2.1", "7.5"}
    free = Table(FREE + text, "u:a", "b:normale", "h:G8")
    assert "casa.62" in free.why_not(f"b:{verb}-t")


@pytest.mark.rule("aslsk:3.3.2.1", "aslsk:casa.62")
def test_motion_against_somebody_seen_before_is_lost():
    run = Table(BLIND % ("E9", "G7", "G6"), "u:a", "b:normale", "h:E8")
    assert sees(run.state, "G6", "E9")
    run.play("b:moto-t")
    assert run.told("casa.62", "unit") == [{"unit": "t"}]
    assert run.state.vehicles["t"].marks.tried
    assert not run.state.vehicles["t"].drive.motion


@pytest.mark.rule("aslsk:3.3.3", "aslsk:casa.62")
def test_nobody_is_asked_when_no_attempt_could_succeed():
    text = (BLIND % ("G9", "A1", "C5")).replace(", s: ge-467 A1", "")
    run = Table(text, "u:a", "b:normale", "h:G8")
    assert not sees(run.state, "C5", "G8")
    assert run.asked.side == "russian"


@pytest.mark.rule("aslsk:3.3.2.reliability", "aslsk:casa.55")
@pytest.mark.parametrize(
    ("tank", "dice", "stuck"),
    [
        ("ru-kv1e", (5, 6), True),
        ("ru-kv1e", (4, 6), False),
        ("ru-t34m41", (5, 6), True),
        ("ge-vie", (5, 6), False),
        ("ge-vie", (6, 6), True),
    ],
)
def test_some_russian_tanks_break_down_with_eleven(tank, dice, stuck):
    sides = "russian, german" if tank.startswith("ru") else "german, russian"
    run = Table(
        f"lati: [{sides}]\nfase: MPh\nveicoli: {{t: {tank} C5 vca=0}}",
        "u:t",
        "b:avvia",
        dice=[dice],
    )
    assert run.state.vehicles["t"].drive.immobilized is stuck
    assert ("casa.55" in run.cited) is tank.startswith("ru")


@pytest.mark.rule("aslsk:casa.55", "aslsk:3.3.2.reliability")
def test_which_vehicles_break_down_with_eleven_in_the_scenarios_too():
    red = {name: data.fails_at for name, data in VEHICLES.items() if data.red}
    early = [name for name, number in red.items() if number != 12]
    assert sorted(early) == ["ru-kv1e", "ru-t34m41"]
    assert {red[name] for name in early} == {11}
    text = "scenario: R3\nmappa: mC\nlati: [russian, german]\nfase: MPh\n"
    run = Table(text + "veicoli: {t: ru-kv1e C5 vca=0}", "u:t", "b:avvia", dice=[(5, 6)])
    assert run.told("3.3.2.reliability", "number", "unit", of=ROLL)[0]["number"] == 11
    assert run.state.vehicles["t"].drive.immobilized


@pytest.mark.rule("aslsk:6.10", "aslsk:3.3.2.vca", "aslsk:3.3.2.tca")
@pytest.mark.parametrize("turn", ["b:destra", "b:torretta-3"])
def test_a_vehicle_that_turns_without_firing_loses_its_target(turn):
    run = Table(
        DFF + "veicoli: {t: ru-t34m43 C5 vca=0 tca=0 Motion acquired=2 target_hex=C1}", "u:t", turn
    )
    assert run.state.vehicles["t"].hold.acquired == 0
    assert "6.10" in run.cited
