"""Fire, To Hit and To Kill, where an example of the book does not go (3.2-3.5, 4, 6, 7)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from engine.aslsk.rules.terrain import DIRECT, MORTAR, crew_cover
from tests.aslsk.table import ON_IFT, ON_UNIT, Table
from tests.citations import ROLL

DFF = "lati: [russian, german]\nfase: MPh\n"
GE = "lati: [german, russian]\nfase: PFPh\n"


# Residual FP


@pytest.mark.rule("aslsk:3.3.5.shift", "aslsk:2.0.air_burst")
@pytest.mark.parametrize(("start", "to", "left"), [("B8", "B7", 6), ("D6", "D7", 4)])
def test_an_air_burst_leaves_one_column_more_of_residual_fp(start, to, left):
    run = Table(
        f"mappa: ex-bosco\nlati: [american, german]\nfase: MPh\nunità: {{x: us-666 {start}, z: us-666 A1, d: ge-228 E9}}\narmi: {{h: ge-81mtr d ca=5}}",
        "u:x", "b:normale", f"h:{to}", "u:h",
        dice=[(4, 3), (6, 6)],
    )  # fmt: skip
    assert run.state.residual[to] == left
    assert ("3.3.5.shift" in run.cited) is (to == "B7")


TANK = (
    DFF + "unità: {c: ge-228 C9, z: ru-447 M1}\narmi: {%s}\nveicoli: {t: ru-kv1e C5 vca=3 Motion}"
)


@pytest.mark.rule("aslsk:3.3.5", "aslsk:3.3.5.shift", "aslsk:6.2.ap")
@pytest.mark.parametrize(
    ("weapon", "ammo", "dice", "left"),
    [
        ("g: ge-75l c ca=0", "b:VTT-t-HE", [(3, 1), (6, 6)], 6),
        ("g: ge-75l c ca=0", "b:VTT-t-HE", [(1, 3), (6, 6)], None),
        ("g: ge-75l c ca=0", "b:VTT-t-AP", [(3, 1), (6, 6)], None),
        ("g: ge-75l c ca=1", "b:VTT-t-HE", [(2, 1), (6, 6)], 1),
        ("g: ge-hmg c", "", [(4, 1), (6, 6)], 2),
    ],
)
def test_a_to_kill_roll_leaves_residual_fp_unless_it_is_ap(weapon, ammo, dice, left):
    run = Table(TANK % weapon, "u:t", "h:C6", "u:g", dice=dice)
    if ammo:
        run.play(ammo)
    assert not run.state.vehicles["t"].wreck
    assert run.state.residual.get("C6") == left


FLAME = DFF + "unità: {a: ru-447 E9, z: ru-447 A1, d: %s C9}\narmi: {f: ge-ft d}"


@pytest.mark.rule("aslsk:3.3.5", "aslsk:4.2")
@pytest.mark.parametrize(("unit", "left"), [("ge-468", 12), ("ge-467", None)])
def test_a_flamethrower_leaves_residual_fp_unless_it_is_lost(unit, left):
    run = Table(FLAME % unit, "u:a", "b:normale", "h:D8", "u:f", dice=[(4, 5), (1, 1)])
    assert run.state.residual.get("D8") == left
    assert (run.state.weapons["f"].place == "map") is (left == 12)


@pytest.mark.rule("aslsk:3.2.2.cowering", "aslsk:4.2", "aslsk:5.4")
@pytest.mark.parametrize(("unit", "shift", "left"), [("ge-468", 1, 8), ("ge-436", 2, 8)])
def test_who_burns_with_a_double_cowers_and_is_marked_final_fire(unit, shift, left):
    run = Table(FLAME % unit, "u:a", "b:normale", "h:D8", "u:f", dice=[(3, 3), (1, 1), (1, 1)])
    assert run.told("3.2.2.cowering", "n") == [{"n": shift}]
    assert run.state.units["d"].fire == "Final Fire"
    assert run.state.residual["D8"] == left


@pytest.mark.rule("aslsk:3.2.2.cowering", "aslsk:3.3.3")
@pytest.mark.parametrize(("dice", "marker"), [((5, 5), "Final Fire"), ((6, 4), "")])
def test_a_squad_whose_machine_gun_cowers_is_marked_itself(dice, marker):
    run = Table(
        DFF + "unità: {a: ru-447 E9, z: ru-447 A1, d: ge-467 C9}\narmi: {m: ge-lmg d}",
        "u:a", "b:normale", "h:D8", "u:m", "b:fuoco",
        dice=[dice],
    )  # fmt: skip
    assert run.state.units["d"].fire == marker


# Critical Hits


@pytest.mark.rule("aslsk:6.1", "aslsk:3.3.3.ffmo", "aslsk:3.3.3.ffnam")
@pytest.mark.parametrize(("mode", "final"), [("b:normale", 10), ("b:assalto", 11)])
def test_a_critical_hit_on_a_mover_keeps_ffmo_and_ffnam_on_the_ift(mode, final):
    run = Table(
        "mappa: ex-bosco\nlati: [american, german]\nfase: MPh\nunità: {x: us-747 D5, z: us-666 A1, c: ge-228 E8}\narmi: {g: ge-75l c ca=5}",
        "u:x", mode, "h:D6", "u:g", "b:ITT-HE",
        dice=[(2, 1), (6, 6), (1, 1)],
    )  # fmt: skip
    assert "2.0.ch" in run.cited
    assert [f["dr"] for f in run.told(ON_UNIT, "dr", "result", "unit")] == [final]


PF = "data: 1944-06\nlati: [german, russian]\nfase: PFPh\nunità: {a: ge-467 C9, c: ru-228 C8}\narmi: {g: %s c ca=0}\npf: {german: 3}"


@pytest.mark.rule("aslsk:6.1", "aslsk:6.7", "aslsk:4.4.2")
def test_a_panzerfaust_critical_destroys_the_gun_and_who_mans_it():
    run = Table(PF % "ru-45l", "u:a:pf", "h:C8", dice=[(1,), (1, 1)])
    assert run.state.weapons["g"].place == "eliminated"
    assert run.state.units["c"].place == "eliminated"
    assert {"6.1", "6.7"} <= run.cited


@pytest.mark.rule("aslsk:6.7", "aslsk:2.0.direct_hit", "aslsk:2.0.near_miss", "aslsk:4.4.2")
@pytest.mark.parametrize(
    ("dice", "gun", "crew"),
    [((1, 2), "lost", "lost"), ((1, 3), "broken", "lost"), ((5, 5), "works", "checks")],
)
def test_a_panzerfaust_hit_on_a_gun_is_direct_or_near(dice, gun, crew):
    run = Table(PF % "ru-45l", "u:a:pf", "h:C8", dice=[(1,), (3, 1), dice, (1, 1)])
    weapon = run.state.weapons["g"]
    assert gun == ("lost" if weapon.place != "map" else "broken" if weapon.broken else "works")
    assert crew == ("lost" if run.state.units["c"].place != "map" else "checks")


@pytest.mark.rule("aslsk:6.7", "aslsk:4.4.2")
@pytest.mark.parametrize(("gun", "size"), [("ru-45l", 1), ("ru-76l", 0), ("ge-88l", -1)])
def test_the_size_of_a_gun_counts_for_a_panzerfaust_too(gun, size):
    run = Table(PF % gun, "u:a:pf", "h:C8", dice=[(1,), (6, 5)])
    assert sum(run.totals("TH DRM")[-1:]) == size
    assert ("6.7" in run.cited) is bool(size)


# Crews


@pytest.mark.rule("aslsk:7.7", "aslsk:1.1.1.buildings", "aslsk:1.1.1.woods")
@pytest.mark.parametrize(
    ("hex", "how", "value"),
    [
        ("C7", DIRECT, 2),
        ("D3", DIRECT, 3),
        ("F5", DIRECT, 2),
        ("D5", DIRECT, 2),
        ("D5", MORTAR, 1),
        ("E8", MORTAR, 2),
    ],
)
def test_an_exposed_crew_takes_the_better_of_its_hatch_and_its_hex(hex, how, value):
    state = Table(GE + f"unità: {{a: ge-838 M1}}\nveicoli: {{t: ru-t3485 {hex} CE}}").state
    assert sum(one.value for one in crew_cover(state, state.vehicles["t"], how)) == value


@pytest.mark.rule("aslsk:7.7", "aslsk:1.1.1.buildings")
@pytest.mark.parametrize(("hex", "firer", "drm"), [("D3", "D4", 3), ("C7", "C8", 2)])
def test_small_arms_at_an_exposed_crew(hex, firer, drm):
    run = Table(
        GE + f"unità: {{a: ge-838 {firer}}}\nveicoli: {{t: ru-t3485 {hex} CE}}",
        "u:a", f"h:{hex}",
        dice=[(5, 6)],
    )  # fmt: skip
    assert run.totals("DRM") == [drm]
    assert [f["dr"] for f in run.told(ON_IFT, "dr", "result")] == [11 + drm]


@pytest.mark.rule("aslsk:7.12", "aslsk:7.7")
@pytest.mark.parametrize(("hex", "firer", "final"), [("D3", "B4", 10), ("C6", "C9", 9)])
def test_a_collateral_attack_uses_the_better_cover_of_the_crew(hex, firer, final):
    run = Table(
        GE + f"unità: {{c: ge-228 {firer}, z: ru-447 M1}}\narmi: {{g: ge-75l c ca=5}}\nveicoli: {{t: ru-kv1e {hex} vca=3 tca=3 CE}}",
        "u:g", f"h:{hex}", "b:VTT-t-HE",
        dice=[(2, 1), (3, 4), (1, 1)],
    )  # fmt: skip
    assert [f["dr"] for f in run.told(ON_IFT, "dr", "result")] == [final]


@pytest.mark.rule("aslsk:7.11", "aslsk:1.1.1.woods_road")
@pytest.mark.parametrize(("hex", "drm"), [("E8", []), ("D6", [1])])
def test_a_vehicle_on_a_road_through_woods_has_no_tem(hex, drm):
    run = Table(
        GE + f"unità: {{c: ge-228 C10, z: ru-447 M1}}\narmi: {{h: ge-81mtr c ca=0}}\nveicoli: {{t: ru-t34m43 {hex}}}",
        "u:h", f"h:{hex}",
        dice=[(2, 1), (6, 6)],
    )  # fmt: skip
    assert "7.11" in run.cited
    assert run.totals("DRM") == drm


# Turrets


def volley(run: Table, weapon: str, hex: str) -> Table:
    """A weapon of a vehicle fires alone on the IFT."""
    run.play(f"u:{weapon}", f"h:{hex}")
    return run.play("b:fuoco") if "b:fuoco" in run.options else run


@pytest.mark.rule("aslsk:7.8", "aslsk:3.2.4.ca")
def test_the_other_weapons_of_a_turret_pay_for_its_turn_once_each():
    run = Table(
        GE + "unità: {x: ru-447 E7, z: ru-447 M1}\nveicoli: {t: ge-ivh C9 vca=5 tca=5}",
        dice=[(5, 4), (1, 6), (6, 5)],
    )
    volley(run, "t:cmg", "E7")
    assert run.totals("DRM") == [1]
    tank = run.state.vehicles["t"]
    assert (tank.marks.swing, tank.marks.swung) == (1, ("cmg",))
    for _shot in range(2):
        run.play("u:t:ma", "h:E7", "b:ITT-HE")
        assert len(run.told("3.2.4.ca", "unit", of="TH DRM")) == 1
    assert "7.8" in run.cited


@pytest.mark.rule("aslsk:7.8", "aslsk:3.2.4.ca")
def test_a_turret_that_did_not_turn_costs_nothing():
    run = Table(
        GE + "unità: {x: ru-447 C6, z: ru-447 M1}\nveicoli: {t: ge-ivh C9 vca=0 tca=0}",
        dice=[(5, 4), (6, 5)],
    )
    volley(run, "t:cmg", "C6").play("u:t:ma", "h:C6", "b:ITT-HE")
    assert run.told("3.2.4.ca", of="DRM") == run.told("3.2.4.ca", "unit", of="TH DRM") == []


@pytest.mark.rule("aslsk:7.8", "aslsk:3.2.4.procedure")
@pytest.mark.parametrize(("hex", "target", "drm"), [("C9", "E7", 2), ("D6", "F4", 4)])
def test_turning_counts_double_in_woods_for_machine_guns_too(hex, target, drm):
    run = Table(
        GE
        + f"unità: {{x: ru-447 {target}, z: ru-447 M1}}\nveicoli: {{t: ge-vie {hex} vca=5 tca=5}}",
        dice=[(6, 5)],
    )
    assert volley(run, "t:cmg", target).totals("DRM") == [drm]


@pytest.mark.rule("aslsk:6.8", "aslsk:1.2.4.1", "aslsk:7.8")
@pytest.mark.parametrize(("dice", "again"), [((1, 6), True), ((2, 6), False)])
def test_the_ife_of_a_tank_keeps_one_less_of_its_rate_of_fire(dice, again):
    run = Table(
        GE + "unità: {x: ru-447 C6, z: ru-447 M1}\nveicoli: {t: ge-iif C9 vca=0 tca=0 BU}",
        dice=[dice, (1, 1)],
    )
    volley(run, "t:ife", "C6")
    if again:
        assert "u:t:ife" in run.options
    else:
        assert "7.8" in run.why_not("u:t:ife")
    assert run.state.vehicles["t"].marks.fire == ("" if again else "Prep Fire")


# The mandatory fire group


@pytest.mark.rule("aslsk:3.2.2.mandatory_fg", "aslsk:2.0.mandatory_fg", "aslsk:4.4")
def test_ordnance_is_no_part_of_the_mandatory_fire_group():
    run = Table(
        "mappa: ex-bazooka\ndata: 1943-07\nlati: [american, italian]\nfase: PFPh\nunità: {a: us-747 DD9, b: us-747 DD9, x: it-346 DD7}\narmi: {z: us-baz43 a}",
        "u:a", "h:DD7", "b:fuoco",
        dice=[(6, 5), (6, 5)],
    )  # fmt: skip
    assert "3.2.2.mandatory_fg" in run.why_not("u:b")
    run.play("u:z", "h:DD7")
    assert "4.4" in run.cited


@pytest.mark.rule("aslsk:2.0.mandatory_fg", "aslsk:7.8")
def test_the_machine_guns_of_a_tank_fire_together_and_its_gun_apart():
    run = Table(
        GE + "unità: {x: ru-447 C6, z: ru-447 M1}\nveicoli: {t: ge-ivh C9 vca=0 tca=0}",
        dice=[(5, 4), (6, 5)],
    )
    volley(run, "t:cmg", "C6")
    assert "u:t:ma" in run.options
    assert "2.0.mandatory_fg" in run.play("u:t:bmg").why_not("h:C6")


AFPH = "lati: [german, russian]\nfase: AFPh\nunità: {x: ru-447 C6, y: ru-447 F8, z: ru-447 M1}\nveicoli: {t: ge-ivh C9 vca=0 tca=0 CE moved %s}"


@pytest.mark.rule("aslsk:3.5.vehicles", "aslsk:3.5")
@pytest.mark.parametrize(("marker", "drm"), [("moving", 4), ("", 2)])
def test_bounding_fire_is_for_vehicles_that_entered_a_hex(marker, drm):
    run = Table(AFPH % marker, "u:t:ma", "h:C6", "b:ITT-HE", dice=[(6, 5)])
    assert run.totals("TH DRM")[0] == drm
    assert ("3.5.vehicles" in run.cited) is (marker == "moving")


@pytest.mark.rule("aslsk:7.8", "aslsk:3.5.vehicles")
@pytest.mark.parametrize("weapon", ["u:t:ma", "u:t:cmg", "u:t:bmg"])
def test_bounding_fire_stays_inside_the_arc(weapon):
    moved = Table(AFPH % "moving", weapon)
    assert "h:C6" in moved.options
    assert "7.8" in moved.why_not("h:F8")
    assert "h:F8" in Table(AFPH % "", weapon).options


# Weapons


@pytest.mark.rule("aslsk:4.3", "aslsk:casa.14", "aslsk:4.0.captured", "aslsk:5.4")
@pytest.mark.parametrize(
    ("unit", "charge", "dud"),
    [
        ("ru-458", "ru-dc", 12),
        ("ru-447", "ru-dc", 10),
        ("ru-426", "ru-dc", 9),
        ("ru-458", "ge-dc lato=german", 10),
        ("ru-447", "ge-dc lato=german", 8),
    ],
)
def test_the_number_of_a_charge_falls_with_who_places_it(unit, charge, dud):
    kind, _, side = charge.partition(" ")
    run = Table(
        DFF + f"unità: {{a: {unit} C3, b: ru-447 A1, x: ge-467 D3 broken}}\narmi: {{d: {kind} a {side}}}",
        "u:a", "b:normale", "b:carica", "b:d-D3",
    )  # fmt: skip
    assert run.state.weapons["d"].dud_at == dud


@pytest.mark.rule("aslsk:2.0.x_num", "aslsk:3.1.c")
def test_a_weapon_with_an_x_number_is_never_repaired():
    run = Table(
        "lati: [american, german]\nfase: RPh\npasso: c\nunità: {a: us-666 E7, b: us-666 E7, x: ge-467 M1}\narmi: {z: us-baz44 a malfunctioned, m: us-mmg b malfunctioned}"
    )
    assert "2.0.x_num" in run.why_not("u:z")
    assert "u:m" in run.options


@pytest.mark.rule("aslsk:6.10", "aslsk:3.1.d")
def test_a_gun_that_changes_hands_loses_its_target():
    run = Table(
        "lati: [german, russian]\nfase: RPh\npasso: d\nunità: {a: ge-228 C9, b: ge-467 C9, x: ru-447 C6}\narmi: {g: ge-75l a ca=0 acquired=2 target=x target_hex=C6}",
        "b:g>b",
    )
    gun = run.state.weapons["g"]
    assert (gun.owner, gun.hold.acquired, gun.hold.target, gun.hold.target_hex) == ("b", 0, "", "")


@pytest.mark.rule("aslsk:6.5", "aslsk:3.3.1.double_time")
def test_a_gun_may_be_pushed_at_double_time():
    base = "mappa: ex-cannone\ndata: 1944-06\nlati: [american, german]\nfase: MPh\nunità: {c: us-227 D6%s, z: ge-467 I1}\narmi: {g: us-57l c ca=5}"
    plain = Table(base % "", "u:c", "b:spingi", "h:D5", "n:5", dice=[(1, 1)])
    assert plain.state.mover is None or plain.state.mover.spent["c"] == 8
    run = Table(base % "", "u:c", "b:spingi-corsa", "h:D5", "n:5", dice=[(1, 1), (1, 1)])
    assert run.state.units["c"].cx
    assert "h:D4" in run.options
    run.play("h:D4", "n:5")
    assert run.state.units["c"].hex == "D4"
    assert "3.3.1.double_time" in Table(base % " CX", "u:c").why_not("b:spingi-corsa")


# Acquisition and morale


@pytest.mark.rule("aslsk:6.10", "aslsk:7.2")
@pytest.mark.parametrize(("dice", "kept"), [((6, 5), 2), ((6, 6), 0)])
def test_a_main_armament_that_breaks_loses_its_target(dice, kept):
    run = Table(
        GE
        + "unità: {x: ru-447 C6, z: ru-447 M1}\nveicoli: {t: ge-ivh C9 vca=0 tca=0 CE acquired=1 target=x target_hex=C6}",
        "u:t:ma", "h:C6", "b:ITT-HE",
        dice=[dice],
    )  # fmt: skip
    tank = run.state.vehicles["t"]
    assert (tank.hold.acquired, tank.arms.ma) == (kept, "" if kept else "broken")
    assert tank.hold.target == ("x" if kept else "")


@pytest.mark.rule("aslsk:6.8", "aslsk:6.10")
@pytest.mark.parametrize(("shot", "kept"), [("u:g:ife", 0), ("u:g", 2)])
def test_a_gun_that_uses_its_ife_loses_its_target(shot, kept):
    run = Table(
        GE
        + "unità: {c: ge-228 C9, x: ru-447 C6, z: ru-447 M1}\narmi: {g: ge-20l c ca=0 acquired=1 target=x target_hex=C6}",
        shot, "h:C6",
        dice=[(5, 6)],
    )  # fmt: skip
    if "b:ITT-HE" in run.options:
        run.play("b:ITT-HE")
    assert run.state.weapons["g"].hold.acquired == kept


@pytest.mark.rule("aslsk:3.2.3.mc", "aslsk:casa.29", "aslsk:1.2.1")
@pytest.mark.parametrize(("second", "need"), [("ge-9-1", 8), ("ge-8-1", 9)])
def test_a_leader_is_helped_only_by_one_of_better_morale(second, need):
    run = Table(
        f"lati: [american, german]\nfase: PFPh\nunità: {{a: us-747 E7, l: ge-9-2 E6, k: {second} E6}}",
        "u:a", "h:E6",
        dice=[(3, 4), (1, 1), (1, 1)],
    )  # fmt: skip
    asked = {f["unit"]: f["morale"] for f in run.told("3.2.3.mc", "morale", "unit", of=ROLL)}
    assert asked == {"l": 8, "k": need}
