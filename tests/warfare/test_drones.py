"""Drones: attack, ramming, jamming, recon."""

from __future__ import annotations

import pytest

from tests.warfare.table import A10, FAR, Table, attack, u

SAM = u("ins_sam", "G5", overwatch="si")


FPV = {"us_drone_fpv": {"lato": "blu"}}
LARGE = {"us_drone_mq": {"lato": "blu"}}


@pytest.mark.rule("warfare:droni.come_cas", "warfare:droni.dopo")
def test_a_drone_attacks_like_an_aircraft_and_loses_its_markers():
    game = attack(
        {"b1": u("usmc_squad", "A1"), "v1": u("ins_tecnica", "I4")},
        dice=(3,),
        verb="drone",
        supports={"us_drone_fpv": {"lato": "blu", "danno": 1}},
    )
    state = game.state
    assert game.rolled == ["1grey"]
    assert state.supports["us_drone_fpv"].damage == 0
    assert state.supports["us_drone_fpv"].place == "on the track"
    assert {"droni.come_cas", "droni.dopo"} <= game.cited


@pytest.mark.rule("warfare:droni.sam", "warfare:arbitrato.droni_bersagli")
def test_sam_fire_at_drones_with_the_symbol_only():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5"), "v2": SAM}
    game = attack(units, dice=(4,), verb="drone", supports=LARGE)
    assert game.asked.side == "verde"
    state = game.play("u:v2").state
    assert state.supports["us_drone_mq"].place == "on the track"
    assert state.supports["us_drone_mq"].morale == 0, "markers go"
    assert state.units["v1"].morale == 0
    assert {"droni.sam", "arbitrato.drone_abortito"} <= game.cited
    game = attack(units, dice=(1,), verb="drone", supports=FPV)
    assert game.asked.id == "action.who"


RAMMER = {**FPV, "ins_drone_fpv": {"lato": "verde", "overwatch": "si"}}


@pytest.mark.rule("warfare:droni.speronamento", "warfare:arbitrato.speronamento_uso")
def test_a_drone_in_overwatch_rams_and_both_are_hurt():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5")}
    game = attack(units, dice=(5, 6), verb="drone", supports=RAMMER)
    assert game.asked.side == "verde"
    state = game.play("c:ins_drone_fpv").state
    assert game.rolled == ["1green", "1grey"], "the rammed drone attacks with a worse die"
    assert state.cubes["verde"].position == 23
    assert state.supports["ins_drone_fpv"].place == "on the track"
    assert {"droni.speronamento", "arbitrato.speronamento_uso"} <= game.cited


@pytest.mark.rule("warfare:droni.speronamento_morale", "warfare:arbitrato.drone_abortito")
def test_morale_damage_from_ramming_stops_the_attack():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5")}
    game = attack(units, dice=(3,), verb="drone", supports=RAMMER)
    state = game.play("c:ins_drone_fpv").state
    assert state.units["v1"].morale == 0
    assert state.supports["us_drone_fpv"].place == "on the track"
    assert "droni.speronamento_morale" in game.cited


@pytest.mark.rule("warfare:droni.speronamento", "warfare:arbitrato.droni_bersagli")
def test_large_drones_are_not_rammed():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5")}
    supports = {**LARGE, "ins_drone_fpv": {"lato": "verde", "overwatch": "si"}}
    game = attack(units, dice=(1,), verb="drone", supports=supports)
    assert game.asked.id == "action.who"


@pytest.mark.rule("warfare:droni.overwatch", "warfare:arbitrato.drone_overwatch")
def test_a_drone_goes_in_overwatch_and_does_not_fire_at_movement():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5")}
    game = Table(unita=units, supporti=FPV, caselle={"blu": 30, "verde": 30})
    state = game.play("c:us_drone_fpv", "b:overwatch").state
    assert state.supports["us_drone_fpv"].overwatch
    assert state.cubes["blu"].position == 11
    assert "droni.overwatch" in game.cited
    game.go("v1", "E6")
    assert game.asked.side == "verde"
    assert game.asked.id == "action.who"
    assert game.state.supports["us_drone_fpv"].overwatch


@pytest.mark.rule("warfare:overwatch.azione", "warfare:droni.overwatch")
def test_aircraft_do_not_wait_in_overwatch():
    game = Table(unita={"b1": u("usmc_squad", "A1"), "v1": FAR}, supporti=A10)
    game.play("c:us_a10")
    assert "droni.overwatch" in game.why_not("b:overwatch")


@pytest.mark.rule("warfare:supporti.elicotteri", "warfare:arbitrato.drone_elicotteri")
def test_drones_never_attack_helicopters():
    game = Table(
        unita={"b1": u("ita_mangusta", "I3"), "b2": u("us_rifle", "A9"), "v1": FAR},
        supporti={"ins_drone_fpv": {"lato": "verde"}},
        caselle={"blu": 20, "verde": 30},
    )
    game.play("c:ins_drone_fpv", "b:drone", "b:pesante")
    assert "arbitrato.drone_elicotteri" in game.why_not("u:b1")


def jammed(face, *more):
    units = {
        "b1": u("usmc_squad", "A1"),
        "b2": u("us_rifle", "C9"),
        "v1": u("ins_cellula", "E5"),
        "v2": u("ins_vedette", "L9"),
    }
    game = attack(units, dice=(face, *more), verb="drone", supports=FPV)
    assert game.asked.side == "verde"
    game.play("u:v2")
    return game


@pytest.mark.rule(
    "warfare:disturbo.azione", "warfare:disturbo.test", "warfare:arbitrato.disturbo_dado"
)
@pytest.mark.parametrize("face", [1, 2])
def test_a_failed_jam_lets_the_drone_attack(face):
    game = jammed(face, 3)
    assert game.state.units["v1"].morale == 1
    assert game.state.cubes["verde"].position == 22
    assert game.rolled == ["1green", "1green"]
    assert {"disturbo.azione", "disturbo.test"} <= game.cited


@pytest.mark.rule("warfare:disturbo.test")
@pytest.mark.parametrize("face", [3, 5])
def test_a_jam_stops_the_drone(face):
    game = jammed(face)
    assert game.state.units["v1"].morale == 0
    assert game.state.supports["us_drone_fpv"].place == "on the track"
    assert "arbitrato.drone_abortito" in game.cited


@pytest.mark.rule("warfare:disturbo.test")
def test_a_critical_jam_turns_the_drone_on_its_owner():
    game = jammed(6, 3)
    assert game.asked.side == "verde"
    assert list(game.options) == ["u:b1", "u:b2"]
    game.play("u:b2")
    assert game.rolled == ["1green", "1grey"], "the defence of the rifles counts"


@pytest.mark.rule("warfare:droni.ricognizione")
def test_recon_with_drones_clears_every_overwatch_on_the_map_and_none_off_it():
    units = {
        "b1": u("us_recon", "A1"),
        "v1": u("ins_cellula", "L9", overwatch="si"),
        "v2": u("ins_mg", "E5", overwatch="si"),
    }
    supports = {**FPV, "ins_sniper": {"lato": "verde", "overwatch": "si"}}
    game = Table(unita=units, supporti=supports)
    state = game.play("u:b1", "b:ricognizione-droni", "c:us_drone_fpv").state
    assert not any(unit.overwatch for unit in state.units.values())
    assert state.supports["ins_sniper"].overwatch
    assert state.cubes["blu"].position == 14
    assert {"units": ("ins_sniper",)} in game.facts("droni.ricognizione")


@pytest.mark.rule("warfare:droni.ricognizione")
def test_recon_with_drones_that_finds_no_overwatch_says_so():
    game = Table(unita={"b1": u("us_recon", "A1"), "v1": FAR}, supporti=FPV)
    game.play("u:b1", "b:ricognizione-droni", "c:us_drone_fpv")
    assert {} in game.facts("droni.ricognizione"), "no enemy on the map is in overwatch"


@pytest.mark.rule("warfare:droni.ricognizione")
def test_recon_with_drones_needs_recon_and_a_drone():
    game = Table(unita={"b1": u("us_recon", "A1"), "b2": u("us_rifle", "C1"), "v1": FAR})
    game.play("u:b1")
    assert "arbitrato.ricognizione_drone" in game.why_not("b:ricognizione-droni")
    game = Table(unita={"b2": u("us_rifle", "C1"), "v1": FAR}, supporti=FPV)
    game.play("u:b2")
    assert "droni.ricognizione" in game.why_not("b:ricognizione-droni")
    game = Table(unita={"b1": u("us_recon", "A1", morale=2), "v1": FAR}, supporti=FPV)
    game.play("u:b1")
    assert game.why_not("b:ricognizione-droni") == {"morale.soppresso"}
    game = Table(unita={"b1": u("us_recon", "A1", morale=1, danno=1), "v1": FAR}, supporti=FPV)
    state = game.play("u:b1", "b:ricognizione-droni", "c:us_drone_fpv").state
    assert state.cubes["blu"].position == 13, "shaken it may, and damage makes it cheaper"
