"""Vehicles, Guns that turn or are pushed, and control, where rules meet (3.3.2, 6.5, 7.5-7.12)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from engine.aslsk.rules.vehicles import could_kill
from engine.aslsk.rules.victory import held
from tests.aslsk.table import Table, state_of

GE = "lati: [german, russian]\nfase: PFPh\n"
MOVE = "lati: [german, russian]\nfase: MPh\n"


# Collateral attacks


@pytest.mark.rule("aslsk:7.12", "aslsk:7.10.immobilized", "aslsk:7.10.shock")
@pytest.mark.parametrize(("dice", "shocked", "collateral"), [((4, 2), False, 1), ((2, 4), True, 0)])
def test_the_crew_of_a_tank_that_is_only_immobilized_suffers_too(dice, shocked, collateral):
    run = Table(
        GE
        + "unità: {c: ge-228 C9}\narmi: {g: ge-75l c ca=0}\nveicoli: {t: ru-t3485 C6 vca=3 tca=3 CE}",
        "u:g", "h:C6", "b:VTT-t-AP", dice=[dice, (2, 4), (6, 6), (1, 1)],
    )  # fmt: skip
    tank = run.state.vehicles["t"]
    assert (bool(tank.crew.shock), tank.drive.immobilized) == (shocked, not shocked)
    assert len(run.told("7.12", "unit")) == collateral


@pytest.mark.rule("aslsk:7.12", "aslsk:7.11")
def test_the_crew_of_a_tank_immobilized_by_a_shell_in_att_suffers_too():
    run = Table(
        GE
        + "unità: {c: ge-228 C9}\narmi: {g: ge-75l c ca=0}\nveicoli: {t: ru-t3485 C6 vca=3 tca=3 CE}",
        "u:g", "h:C6", "b:ATT-HE", dice=[(3, 2), (1, 2), (1, 1)],
    )  # fmt: skip
    assert run.state.vehicles["t"].drive.immobilized
    assert len(run.told("7.12", "unit")) == 1


# Bounding First Fire


@pytest.mark.rule("aslsk:7.8", "aslsk:3.3.2.2", "aslsk:casa.42")
def test_the_machine_guns_fire_before_or_after_the_gun():
    text = MOVE + "unità: {x: ru-447 C6}\nveicoli: {t: ge-ivh C9 vca=0}"
    run = Table(text, "u:t", "b:avvia", dice=[(6, 5), (6, 5)])
    run.play("b:fuoco", "u:t:ma", "h:C6", "b:ITT-HE")
    assert run.state.vehicles["t"].marks.fire == "Bounding Fire"
    run.play("b:fuoco")
    assert "3.3.2.2" in run.why_not("u:t:ma")
    run.play("u:t:cmg", "h:C6", "u:t:bmg")
    assert set(run.state.vehicles["t"].marks.fired) == {"ma", "cmg", "bmg"}
    assert "3.3.2.2" in run.why_not("b:fuoco")


@pytest.mark.rule("aslsk:3.3.2.2", "aslsk:7.8")
def test_a_gun_with_rof_waits_for_another_mp_and_its_machine_guns_do_not():
    text = MOVE + "unità: {x: ru-447 C6}\nveicoli: {t: ge-iiil C9 vca=0}"
    run = Table(text, "u:t", "b:avvia", dice=[(1, 6), (6, 5)])
    run.play("b:fuoco", "u:t:ma", "h:C6", "b:ITT-HE", "b:fuoco")
    assert run.state.vehicles["t"].marks.kept
    assert "3.3.2.2" in run.why_not("u:t:ma")
    run.play("u:t:cmg", "h:C6", "b:fuoco", "b:ferma")
    run.game.chance.add((6, 5))
    run.play("b:fuoco", "u:t:ma")
    assert "h:C6" in run.options


@pytest.mark.rule("aslsk:casa.42", "aslsk:7.8")
def test_the_machine_guns_do_not_fire_from_another_hex_than_the_gun():
    text = MOVE + "unità: {x: ru-447 C5}\nveicoli: {t: ge-ivh C9 vca=0}"
    run = Table(text, "u:t", "b:avvia", dice=[(6, 5)])
    run.play("b:fuoco", "u:t:ma", "h:C5", "b:ITT-HE", "h:C8")
    assert "b:fuoco" not in run.options


# MP


@pytest.mark.rule("aslsk:casa.41", "aslsk:3.3.2.delay", "aslsk:3.3.2")
def test_a_vehicle_may_enter_with_as_many_mp_more_as_it_has():
    text = MOVE + "unità: {x: ru-447 G5}\nveicoli: {t: ge-ivh C9 vca=0 Motion}"
    run = Table(text, "u:t", "b:lento-C8")
    assert run.options == {f"n:{n}" for n in range(1, 13)}
    run.play("n:4")
    assert run.state.mover.spent == {"t": 12 - 2}
    assert run.state.mover.latest == 10
    assert "casa.41" in run.cited


@pytest.mark.rule("aslsk:7.6.removal", "aslsk:3.3.3")
@pytest.mark.parametrize(
    ("dice", "spent"), [((5, 2), 20), ((6, 2), 24), ((4, 6), 32), ((2, 3), 12)]
)
def test_mp_spent_to_get_free_may_be_fired_at(dice, spent):
    text = "lati: [russian, german]\nfase: MPh\nunità: {x: ge-467 D7}\narmi: {m: ge-psk x}\ndata: 1944-06\nveicoli: {t: ru-t3485 D6 vca=0 bogged CE}"
    run = Table(text, "u:t", "b:libera", dice=[dice])
    assert run.asked.side == "german"
    assert run.state.mover.spent == {"t": spent}
    assert run.state.mover.ending is (spent == 32)


@pytest.mark.rule("aslsk:3.3.2.motion_enemy_hex", "aslsk:casa.37")
@pytest.mark.parametrize(("gun", "able"), [("", True), ("ma=broken", False)])
def test_a_broken_gun_could_kill_nobody(gun, able):
    run = Table(MOVE + f"veicoli: {{t: ge-ivh C8 vca=0 {gun}, u: ru-t34m43 C8 vca=0}}")
    tanks = run.state.vehicles
    assert could_kill(run.state, tanks["t"], tanks["u"], "C9") is able


# Turning without firing


@pytest.mark.rule("aslsk:3.2.4.ca_free")
@pytest.mark.parametrize(("dice", "may"), [((1, 6), True), ((6, 6), False), ((5, 6), False)])
def test_a_gun_that_kept_its_rof_may_still_turn(dice, may):
    run = Table(
        GE + "unità: {c: ge-228 C9, b: ge-228 G9, x: ru-447 C6}\narmi: {g: ge-75l c ca=0, h: ge-75l b ca=0}",
        "u:g", "h:C6", "b:ITT-HE", "b:passa", dice=[dice, (6, 6)] if dice == (1, 6) else [dice],
    )  # fmt: skip
    assert run.state.step == "turn"
    assert ("u:g" in run.options) is may
    assert "u:h" in run.options


@pytest.mark.rule("aslsk:3.3.2.vca", "aslsk:3.2.4.ca_free", "aslsk:6.10")
def test_a_tank_whose_machine_guns_can_fire_may_turn_hull_and_turret():
    run = Table(
        GE + "unità: {x: ru-447 C6}\nveicoli: {t: ge-ivh C9 vca=0 acquired=1 target=x target_hex=C6}",
        "u:t:ma", "h:C6", "b:ATT-HE", "b:passa", dice=[(6, 5)],
    )  # fmt: skip
    assert run.state.vehicles["t"].hold.acquired == 2
    run.play("u:t", "n:1", "n:4")
    tank = run.state.vehicles["t"]
    assert (tank.vca, tank.tca, tank.hold.acquired) == (1, 4, 0)


@pytest.mark.rule("aslsk:3.3.2.vca", "aslsk:2.0.immobilized", "aslsk:7.6", "aslsk:casa.60")
@pytest.mark.parametrize("state", ["immobilized", "bogged"])
def test_a_tank_that_cannot_turn_its_hull_turns_its_turret(state):
    text = (
        GE
        + f"passo: turn\nunità: {{x: ru-447 C6}}\nveicoli: {{t: ge-ivh C9 vca=0 {state}, s: ge-stug G9 {state}}}"
    )
    run = Table(text)
    run.game.resume(())
    assert "u:s" not in run.options
    run.play("u:t", "n:3")
    tank = run.state.vehicles["t"]
    assert (tank.vca, tank.tca) == (0, 3)


@pytest.mark.rule("aslsk:7.6", "aslsk:3.3.2.vca")
@pytest.mark.parametrize(("dice", "vca", "bogged"), [((5, 5), 1, False), ((5, 6), 0, True)])
def test_turning_in_woods_without_firing_may_bog(dice, vca, bogged):
    text = GE + "passo: turn\nunità: {x: ru-447 C6}\nveicoli: {t: ge-ivh D6 vca=0}"
    run = Table(text, "u:t", "n:1", *([] if bogged else ["n:1"]), dice=[dice])
    tank = run.state.vehicles["t"]
    assert (tank.vca, tank.drive.bogged) == (vca, bogged)


@pytest.mark.rule("aslsk:7.6", "aslsk:3.2.4.vca_tca")
@pytest.mark.parametrize(("dice", "bogged"), [([(5, 5), (6, 5)], False), ([(5, 6)], True)])
def test_a_hull_that_turns_in_woods_to_fire_may_bog_first(dice, bogged):
    text = GE + "unità: {x: ru-447 D8}\nveicoli: {t: ge-stug D6 vca=0}"
    run = Table(text, "u:t:ma", "h:D8", "b:ITT-HE", dice=dice)
    tank = run.state.vehicles["t"]
    assert tank.drive.bogged is bogged
    assert (tank.vca == 0) is bogged
    assert bool(tank.marks.fired) is not bogged


@pytest.mark.rule("aslsk:7.6", "aslsk:2.0.fg")
@pytest.mark.parametrize(
    ("dice", "fired"), [([(5, 5), (6, 5)], ["bmg", "cmg"]), ([(5, 6), (6, 5)], ["cmg"])]
)
def test_a_bow_gun_that_joins_with_the_hull_turning_in_woods_checks_too(dice, fired):
    text = GE + "unità: {x: ru-447 D8}\nveicoli: {t: ge-ivh D6 vca=0 tca=3}"
    run = Table(text, "u:t:cmg", "h:D8", "u:t:bmg", dice=dice)
    if "b:fuoco" in run.options:
        run.play("b:fuoco")
    tank = run.state.vehicles["t"]
    assert sorted(tank.marks.fired) == fired
    assert tank.drive.bogged is (fired == ["cmg"])
    assert (tank.vca == 0) is tank.drive.bogged


@pytest.mark.rule("aslsk:7.6")
def test_one_bog_check_is_enough_for_a_bow_gun_that_others_join():
    text = GE + "unità: {x: ru-447 D8}\nveicoli: {t: ge-ivh D6 vca=0 tca=3}"
    run = Table(text, "u:t:bmg", "h:D8", "u:t:cmg", dice=[(5, 5), (6, 5)])
    if "b:fuoco" in run.options:
        run.play("b:fuoco")
    assert sorted(run.state.vehicles["t"].marks.fired) == ["bmg", "cmg"]


@pytest.mark.rule("aslsk:3.2.4.ca_free")
@pytest.mark.parametrize(("used", "may"), [("", True), ("used=fp prep", False)])
def test_a_squad_that_fired_itself_does_not_turn_its_gun(used, may):
    text = (
        GE
        + f"passo: turn\nunità: {{a: ge-467 C9 {used}, c: ge-228 G9, x: ru-447 C6}}\narmi: {{g: ge-75l a ca=0, h: ge-75l c ca=0}}"
    )
    run = Table(text)
    run.game.resume(())
    assert ("u:g" in run.options) is may
    assert "u:h" in run.options


# Pushing


PUSH = "lati: [german, russian]\nfase: MPh\nunità: {0}\narmi: {{g: ge-75l c ca=0 emplaced acquired=1 target_hex=C5 by_area=1{1}}}\n"


@pytest.mark.rule("aslsk:6.5", "aslsk:6.3", "aslsk:6.10")
@pytest.mark.parametrize(("dice", "emplaced"), [((6, 6), True), ((1, 1), False)])
def test_a_gun_that_would_not_move_is_still_emplaced(dice, emplaced):
    text = PUSH.format("{c: ge-228 C9, b: ge-467 A9, x: ru-447 M9}", "")
    run = Table(text, "u:c", "b:spingi", "h:C8", *([] if emplaced else ["n:0"]), dice=[dice])
    gun = run.state.weapons["g"]
    assert (gun.emplaced, bool(gun.hold.acquired)) == (emplaced, emplaced)
    assert gun.moved
    assert run.state.units["c"].hazard


@pytest.mark.rule("aslsk:6.5", "aslsk:6.4")
def test_a_gun_is_not_pushed_into_a_hidden_one():
    text = PUSH.format(
        "{c: ge-228 C3, b: ge-467 A9, h: ru-228 C2 HIP, x: ru-447 M9}", ", k: ru-45ll h ca=0 HIP"
    )
    run = Table(text, "u:c", "b:spingi", "h:C2", dice=[(1, 1)])
    assert run.state.units["c"].hex == "C3"
    assert not run.state.units["h"].hidden
    assert not run.state.weapons["k"].hidden
    assert run.state.weapons["g"].emplaced
    assert run.state.units["c"].hazard
    assert "6.4" in run.cited


# Control


@pytest.mark.rule("aslsk:2.0.control")
@pytest.mark.parametrize(
    ("vehicles", "holder"),
    [
        ("t: ge-ivh J4", "german"),
        ("t: ge-ivh J4, u: ru-t34m43 J4", "russian"),
        ("u: ru-t34m43 J4, t: ge-ivh J4", "russian"),
        ("t: ge-ivh J4, u: ru-t34m43 J4 shock", "german"),
        ("t: ge-ivh J4 stun", "russian"),
    ],
)
def test_a_tank_holds_a_hex_only_without_an_enemy_in_good_order(vehicles, holder):
    text = f"scenario: R3\nmappa: mC\nlati: [german, russian]\nveicoli: {{{vehicles}}}\ncontrollo: {{J4: russian}}"
    state = state_of(text)
    assert held(state, holder, ("J4",)) == 1


# Hatches


@pytest.mark.rule("aslsk:7.7", "aslsk:3.3.3")
def test_opening_the_hatch_lets_the_defender_fire_for_the_last_mp():
    text = (
        "lati: [german, russian]\nfase: MPh\nunità: {x: ru-447 C6}\nveicoli: {t: ge-ivh C9 vca=0}"
    )
    run = Table(text, "u:t", "b:avvia")
    assert run.asked.side == "german", "nobody can hurt a closed tank"
    run.play("b:portello")
    assert run.asked.side == "russian"
    assert "u:x" in run.options
    run.game.chance.add((6, 5))
    run.play("u:x")
    assert run.asked.side == "german", "one attack for one MP"
    early = Table(text, "u:t", "b:portello")
    assert early.asked.side == "german"


# Acquisition


@pytest.mark.rule("aslsk:6.10", "aslsk:2.0.good_order")
@pytest.mark.parametrize(("state", "kept"), [("", 2), ("shock", 0), ("stun", 0)])
def test_a_tank_out_of_good_order_loses_its_target(state, kept):
    run = Table(
        GE
        + f"unità: {{b: ge-467 G9, c: ge-467 A9, x: ru-447 C6, y: ru-447 G7}}\nveicoli: {{t: ge-ivh C9 vca=0 acquired=2 target=x target_hex=C6 {state}}}",
        "u:b", "h:G7", dice=[(6, 5)],
    )  # fmt: skip
    assert run.state.vehicles["t"].hold.acquired == kept


@pytest.mark.rule("aslsk:2.0.control")
@pytest.mark.parametrize(("foe", "owner"), [("J4 broken", "russian"), ("Q1", "german")])
def test_control_is_not_taken_beside_an_enemy_even_a_broken_one(foe, owner):
    text = f"scenario: R3\nmappa: mC\nlati: [german, russian]\nfase: MPh\nunità: {{a: ge-467 J4, b: ge-467 A1, x: ru-447 {foe}}}\ncontrollo: {{J4: russian}}"
    run = Table(text, "u:b", "b:normale")
    assert run.state.control["J4"] == owner
