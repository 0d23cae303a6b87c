"""Drones: attack, ramming, jamming, recon."""

from __future__ import annotations

import pytest

from tests.warfare.board import (
    A10,
    FAR,
    against,
    asked,
    attack,
    cited,
    go,
    now,
    offered,
    question,
    rolled,
    say,
    table,
    u,
)

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
    state = now(game)
    assert rolled(game) == ["1grey"]
    assert state.supports["us_drone_fpv"].damage == 0
    assert state.supports["us_drone_fpv"].place == "on the track"
    assert {"droni.come_cas", "droni.dopo"} <= cited(game)


@pytest.mark.rule("warfare:droni.sam", "warfare:arbitrato.droni_bersagli")
def test_sam_fire_at_drones_with_the_symbol_only():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5"), "v2": SAM}
    game = attack(units, dice=(4,), verb="drone", supports=LARGE)
    assert asked(game) == "verde"
    state = say(game, "u:v2")
    assert state.supports["us_drone_mq"].place == "on the track"
    assert state.supports["us_drone_mq"].morale == 0, "markers go"
    assert state.units["v1"].morale == 0
    assert {"droni.sam", "arbitrato.drone_abortito"} <= cited(game)
    game = attack(units, dice=(1,), verb="drone", supports=FPV)
    assert question(game) == "action.who"


RAMMER = {**FPV, "ins_drone_fpv": {"lato": "verde", "overwatch": "si"}}


@pytest.mark.rule("warfare:droni.speronamento", "warfare:arbitrato.speronamento_uso")
def test_a_drone_in_overwatch_rams_and_both_are_hurt():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5")}
    game = attack(units, dice=(5, 6), verb="drone", supports=RAMMER)
    assert asked(game) == "verde"
    state = say(game, "c:ins_drone_fpv")
    assert rolled(game) == ["1green", "1grey"], "the rammed drone attacks with a worse die"
    assert state.cubes["verde"].position == 23
    assert state.supports["ins_drone_fpv"].place == "on the track"
    assert {"droni.speronamento", "arbitrato.speronamento_uso"} <= cited(game)


@pytest.mark.rule("warfare:droni.speronamento_morale", "warfare:arbitrato.drone_abortito")
def test_morale_damage_from_ramming_stops_the_attack():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5")}
    game = attack(units, dice=(3,), verb="drone", supports=RAMMER)
    state = say(game, "c:ins_drone_fpv")
    assert state.units["v1"].morale == 0
    assert state.supports["us_drone_fpv"].place == "on the track"
    assert "droni.speronamento_morale" in cited(game)


@pytest.mark.rule("warfare:droni.speronamento", "warfare:arbitrato.droni_bersagli")
def test_large_drones_are_not_rammed():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5")}
    supports = {**LARGE, "ins_drone_fpv": {"lato": "verde", "overwatch": "si"}}
    game = attack(units, dice=(1,), verb="drone", supports=supports)
    assert question(game) == "action.who"


@pytest.mark.rule("warfare:droni.overwatch", "warfare:arbitrato.drone_overwatch")
def test_a_drone_goes_in_overwatch_and_does_not_fire_at_movement():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5")}
    game = table(units, supporti=FPV, caselle={"blu": 30, "verde": 30})
    state = say(game, "c:us_drone_fpv", "b:overwatch")
    assert state.supports["us_drone_fpv"].overwatch
    assert state.cubes["blu"].position == 11
    assert "droni.overwatch" in cited(game)
    go(game, "v1", "E6")
    assert asked(game) == "verde"
    assert question(game) == "action.who"
    assert now(game).supports["us_drone_fpv"].overwatch


@pytest.mark.rule("warfare:overwatch.azione", "warfare:droni.overwatch")
def test_aircraft_do_not_wait_in_overwatch():
    game = table({"b1": u("usmc_squad", "A1"), "v1": FAR}, supporti=A10)
    say(game, "c:us_a10")
    assert "droni.overwatch" in against(game, "b:overwatch")


@pytest.mark.rule("warfare:supporti.elicotteri", "warfare:arbitrato.drone_elicotteri")
def test_drones_never_attack_helicopters():
    game = table(
        {"b1": u("ita_mangusta", "I3"), "b2": u("us_rifle", "A9"), "v1": FAR},
        supporti={"ins_drone_fpv": {"lato": "verde"}},
        caselle={"blu": 20, "verde": 30},
    )
    say(game, "c:ins_drone_fpv", "b:drone", "b:pesante")
    assert "arbitrato.drone_elicotteri" in against(game, "u:b1")


def jammed(face, *more):
    units = {
        "b1": u("usmc_squad", "A1"),
        "b2": u("us_rifle", "C9"),
        "v1": u("ins_cellula", "E5"),
        "v2": u("ins_vedette", "L9"),
    }
    game = attack(units, dice=(face, *more), verb="drone", supports=FPV)
    assert asked(game) == "verde"
    say(game, "u:v2")
    return game


@pytest.mark.rule(
    "warfare:disturbo.azione", "warfare:disturbo.test", "warfare:arbitrato.disturbo_dado"
)
@pytest.mark.parametrize("face", [1, 2])
def test_a_failed_jam_lets_the_drone_attack(face):
    game = jammed(face, 3)
    assert now(game).units["v1"].morale == 1
    assert now(game).cubes["verde"].position == 22
    assert rolled(game) == ["1green", "1green"]
    assert {"disturbo.azione", "disturbo.test"} <= cited(game)


@pytest.mark.rule("warfare:disturbo.test")
@pytest.mark.parametrize("face", [3, 5])
def test_a_jam_stops_the_drone(face):
    game = jammed(face)
    assert now(game).units["v1"].morale == 0
    assert now(game).supports["us_drone_fpv"].place == "on the track"
    assert "arbitrato.drone_abortito" in cited(game)


@pytest.mark.rule("warfare:disturbo.test")
def test_a_critical_jam_turns_the_drone_on_its_owner():
    game = jammed(6, 3)
    assert asked(game) == "verde"
    assert offered(game) == ["u:b1", "u:b2"]
    say(game, "u:b2")
    assert rolled(game) == ["1green", "1grey"], "the defence of the rifles counts"


@pytest.mark.rule("warfare:droni.ricognizione")
def test_recon_with_drones_clears_every_overwatch_on_the_map_and_none_off_it():
    units = {
        "b1": u("us_recon", "A1"),
        "v1": u("ins_cellula", "L9", overwatch="si"),
        "v2": u("ins_mg", "E5", overwatch="si"),
    }
    supports = {**FPV, "ins_sniper": {"lato": "verde", "overwatch": "si"}}
    game = table(units, supporti=supports)
    state = say(game, "u:b1", "b:ricognizione-droni", "c:us_drone_fpv")
    assert not any(unit.overwatch for unit in state.units.values())
    assert state.supports["ins_sniper"].overwatch
    assert state.cubes["blu"].position == 14
    assert "droni.ricognizione" in cited(game)


@pytest.mark.rule("warfare:droni.ricognizione")
def test_recon_with_drones_needs_recon_and_a_drone():
    game = table({"b1": u("us_recon", "A1"), "b2": u("us_rifle", "C1"), "v1": FAR})
    say(game, "u:b1")
    assert "arbitrato.ricognizione_drone" in against(game, "b:ricognizione-droni")
    game = table({"b2": u("us_rifle", "C1"), "v1": FAR}, supporti=FPV)
    say(game, "u:b2")
    assert "droni.ricognizione" in against(game, "b:ricognizione-droni")
    game = table({"b1": u("us_recon", "A1", morale=2), "v1": FAR}, supporti=FPV)
    say(game, "u:b1")
    assert against(game, "b:ricognizione-droni") == {"morale.soppresso"}
    game = table({"b1": u("us_recon", "A1", morale=1, danno=1), "v1": FAR}, supporti=FPV)
    state = say(game, "u:b1", "b:ricognizione-droni", "c:us_drone_fpv")
    assert state.cubes["blu"].position == 13, "shaken it may, and damage makes it cheaper"
