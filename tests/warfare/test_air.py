"""SAM and close air support."""

from __future__ import annotations

import pytest

from tests.warfare.table import Table, attack, u

SAM = u("ins_sam", "G5", overwatch="si")


@pytest.mark.rule("warfare:cas.uso", "warfare:cas.los", "warfare:cas.attacco")
def test_an_aircraft_attacks_anything_unseen_with_any_value():
    game = attack({"b1": u("usmc_squad", "A1"), "v1": u("ins_tecnica", "I3")}, dice=(3,))
    assert game.rolled == ["1blue"], "purple, one less for cover"
    assert game.state.units["v1"].damage == 1
    assert {"cas.uso", "cas.attacco", "cas.ritorno"} <= game.cited
    assert "b:freccia-E" not in game.options


@pytest.mark.rule("warfare:cas.sam_overwatch", "warfare:arbitrato.sam_prima")
def test_every_sam_in_overwatch_may_fire_first_and_pays():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5"), "v2": SAM}
    game = attack(units, dice=(5, 1))
    assert game.asked.side == "verde"
    state = game.play("u:v2").state
    assert state.cubes["verde"].position == 26
    assert state.supports["us_a10"].damage == 1
    assert game.rolled == ["1grey", "1blue"], "the wound makes the attack worse"
    assert "cas.sam_overwatch" in game.cited


@pytest.mark.rule("warfare:cas.annullato")
def test_morale_damage_calls_the_mission_off():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5"), "v2": SAM}
    game = attack(units, dice=(4,))
    state = game.play("u:v2").state
    assert state.units["v1"].morale == 0
    assert state.supports["us_a10"].morale == 1
    assert state.supports["us_a10"].place == "on the track"
    assert state.supports["us_a10"].position == 18
    assert game.asked.side == "blu"
    assert game.asked.id == "action.who", "no attack, no window as it leaves"
    assert "cas.annullato" in game.cited
    assert "cas.ritorno" not in game.cited, "that is for who has attacked"


@pytest.mark.rule("warfare:cas.sam_uscita", "warfare:cas.doppio", "warfare:arbitrato.sam_dopo")
def test_the_same_sam_may_fire_again_as_the_aircraft_leaves():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5"), "v2": SAM}
    game = attack(units, dice=(1, 1, 1))
    game.play("u:v2")
    assert game.asked.side == "verde"
    assert "warfare:cas.doppio" in game.position.decision.ruling.refs
    state = game.play("u:v2").state
    assert state.cubes["verde"].position == 32
    assert "cas.sam_uscita" in game.cited


@pytest.mark.rule("warfare:cas.sam_overwatch")
def test_out_of_range_a_sam_waits_for_the_aircraft_to_leave():
    units = {
        "b1": u("usmc_squad", "A1"),
        "v1": u("ins_cellula", "A10"),
        "v2": u("ins_sam", "L1", overwatch="si"),
    }
    game = attack(units, dice=(1, 1))
    assert "warfare:cas.sam_uscita" in game.position.decision.ruling.refs
    assert game.play("b:rinuncia").state.supports["us_a10"].place == "on the track"


@pytest.mark.rule("warfare:cas.sam_uscita", "warfare:combattimento.morale")
def test_a_shaken_sam_does_not_fire():
    units = {
        "b1": u("usmc_squad", "A1"),
        "v1": u("ins_cellula", "E5"),
        "v2": u("ins_sam", "G5", morale=1),
    }
    game = attack(units, dice=(1,))
    assert game.asked.side == "blu"
    assert game.asked.id == "action.who"


@pytest.mark.rule("warfare:cas.elicotteri", "warfare:elicotteri.alta_bersaglio")
def test_aircraft_attack_high_helicopters_with_the_heavy_value():
    units = {
        "r1": u("ru_fucilieri", "A1"),
        "b1": u("ita_mangusta", "C5"),
        "b2": u("us_apache", "I3"),
        "b3": u("us_rifle", "E9"),
    }
    game = Table(
        unita=units,
        lati=["rosso", "blu"],
        posizioni={"rosso": 10, "blu": 30},
        supporti={"ru_su25": {"lato": "rosso"}},
    )
    game.play("c:ru_su25", "b:cas", "b:leggero")
    assert "cas.elicotteri" in game.why_not("u:b1")
    assert "cas.elicotteri" in game.why_not("u:b2")
    game = Table(
        unita=units,
        lati=["rosso", "blu"],
        posizioni={"rosso": 10, "blu": 30},
        supporti={"ru_su25": {"lato": "rosso"}},
        dice=(5,),
    )
    state = game.play("c:ru_su25", "b:cas", "b:pesante", "u:b2").state
    assert game.rolled == ["1yellow"], "purple, three less for the defence, nothing for cover"
    assert state.units["b2"].damage == 1


@pytest.mark.rule("warfare:cas.ritorno")
def test_an_aircraft_keeps_its_wounds_on_the_track():
    game = attack(
        {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5")},
        dice=(1,),
        supports={"us_a10": {"lato": "blu", "danno": 1}},
    )
    assert game.state.supports["us_a10"].damage == 1
    assert game.state.cubes["blu"].position == 17
    assert game.state.supports["us_a10"].position == 17
    assert game.rolled == ["1blue"], "purple, one less for its own damage"


@pytest.mark.rule("warfare:cas.attacco", "warfare:arbitrato.fortificazione_supporti")
def test_fortifications_do_not_protect_from_above():
    game = attack({"b1": u("usmc_squad", "A7"), "v1": u("ins_cellula", "D7")}, dice=(3,))
    assert game.rolled == ["1purple"]
    assert "arbitrato.fortificazione_supporti" in game.cited
