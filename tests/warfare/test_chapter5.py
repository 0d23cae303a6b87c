"""SAM, CAS, drones, abilities."""

from __future__ import annotations

import pytest

from engine.warfare.state.state import WEAPON_IDS
from tests.warfare.board import (
    FAR,
    against,
    asked,
    cited,
    go,
    now,
    offered,
    question,
    rolled,
    say,
    table,
    u,
    why,
)

A10 = {"us_a10": {"lato": "blu"}}
SAM = u("ins_sam", "G5", overwatch="si")


def attack(units, *, dice, value="light", supports=None, target="v1", verb="cas", **given):
    game = table(units, supporti=supports or A10, dice=dice, **given)
    name = next(iter(supports or A10))
    say(game, f"c:{name}", f"b:{verb}", f"b:{WEAPON_IDS[value]}", f"u:{target}")
    return game


@pytest.mark.rule("warfare:cas.uso", "warfare:cas.los", "warfare:cas.attacco")
def test_an_aircraft_attacks_anything_unseen_with_any_value():
    game = attack({"b1": u("usmc_squad", "A1"), "v1": u("ins_tecnica", "I3")}, dice=(3,))
    assert rolled(game) == ["1blue"], "purple, one less for cover"
    assert now(game).units["v1"].damage == 1
    assert {"cas.uso", "cas.attacco", "cas.ritorno"} <= cited(game)
    assert "b:freccia-E" not in offered(game)


@pytest.mark.rule("warfare:cas.sam_overwatch", "warfare:arbitrato.sam_prima")
def test_every_sam_in_overwatch_may_fire_first_and_pays():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5"), "v2": SAM}
    game = attack(units, dice=(5, 1))
    assert asked(game) == "verde"
    state = say(game, "u:v2")
    assert state.cubes["verde"].position == 26
    assert state.supports["us_a10"].damage == 1
    assert rolled(game) == ["1grey", "1blue"], "the wound makes the attack worse"
    assert "cas.sam_overwatch" in cited(game)


@pytest.mark.rule("warfare:cas.annullato")
def test_morale_damage_calls_the_mission_off():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5"), "v2": SAM}
    game = attack(units, dice=(4,))
    state = say(game, "u:v2")
    assert state.units["v1"].morale == 0
    assert state.supports["us_a10"].morale == 1
    assert state.supports["us_a10"].place == "on the track"
    assert state.supports["us_a10"].position == 18
    assert asked(game) == "blu"
    assert question(game) == "action.who", "no attack, no window as it leaves"
    assert "cas.annullato" in cited(game)


@pytest.mark.rule("warfare:cas.sam_uscita", "warfare:cas.doppio", "warfare:arbitrato.sam_dopo")
def test_the_same_sam_may_fire_again_as_the_aircraft_leaves():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5"), "v2": SAM}
    game = attack(units, dice=(1, 1, 1))
    say(game, "u:v2")
    assert asked(game) == "verde"
    assert "warfare:cas.doppio" in game.position.decision.ruling.refs
    state = say(game, "u:v2")
    assert state.cubes["verde"].position == 32
    assert "cas.sam_uscita" in cited(game)


@pytest.mark.rule("warfare:cas.sam_overwatch")
def test_out_of_range_a_sam_waits_for_the_aircraft_to_leave():
    units = {
        "b1": u("usmc_squad", "A1"),
        "v1": u("ins_cellula", "A10"),
        "v2": u("ins_sam", "L1", overwatch="si"),
    }
    game = attack(units, dice=(1, 1))
    assert "warfare:cas.sam_uscita" in game.position.decision.ruling.refs
    assert say(game, "b:rinuncia").supports["us_a10"].place == "on the track"


@pytest.mark.rule("warfare:cas.sam_uscita", "warfare:combattimento.morale")
def test_a_shaken_sam_does_not_fire():
    units = {
        "b1": u("usmc_squad", "A1"),
        "v1": u("ins_cellula", "E5"),
        "v2": u("ins_sam", "G5", morale=1),
    }
    game = attack(units, dice=(1,))
    assert asked(game) == "blu"
    assert question(game) == "action.who"


@pytest.mark.rule("warfare:cas.elicotteri", "warfare:elicotteri.alta_bersaglio")
def test_aircraft_attack_high_helicopters_with_the_heavy_value():
    units = {
        "r1": u("ru_fucilieri", "A1"),
        "b1": u("ita_mangusta", "C5"),
        "b2": u("us_apache", "I3"),
        "b3": u("us_rifle", "E9"),
    }
    game = table(
        units,
        lati=["rosso", "blu"],
        posizioni={"rosso": 10, "blu": 30},
        supporti={"ru_su25": {"lato": "rosso"}},
    )
    say(game, "c:ru_su25", "b:cas", "b:leggero")
    assert "cas.elicotteri" in against(game, "u:b1")
    assert "cas.elicotteri" in against(game, "u:b2")
    game = table(
        units,
        lati=["rosso", "blu"],
        posizioni={"rosso": 10, "blu": 30},
        supporti={"ru_su25": {"lato": "rosso"}},
        dice=(5,),
    )
    state = say(game, "c:ru_su25", "b:cas", "b:pesante", "u:b2")
    assert rolled(game) == ["1yellow"], "purple, three less for the defence, nothing for cover"
    assert state.units["b2"].damage == 1


@pytest.mark.rule("warfare:cas.ritorno")
def test_an_aircraft_keeps_its_wounds_on_the_track():
    game = attack(
        {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "E5")},
        dice=(1,),
        supports={"us_a10": {"lato": "blu", "danno": 1}},
    )
    assert now(game).supports["us_a10"].damage == 1
    assert now(game).cubes["blu"].position == 17
    assert now(game).supports["us_a10"].position == 17
    assert rolled(game) == ["1blue"], "purple, one less for its own damage"


@pytest.mark.rule("warfare:cas.attacco", "warfare:arbitrato.fortificazione_supporti")
def test_fortifications_do_not_protect_from_above():
    game = attack({"b1": u("usmc_squad", "A7"), "v1": u("ins_cellula", "D7")}, dice=(3,))
    assert rolled(game) == ["1purple"]
    assert "arbitrato.fortificazione_supporti" in cited(game)


# Drones

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


# Abilities


@pytest.mark.rule("warfare:droni_squadra.abilita", "warfare:azioni.abilita")
def test_squad_drones_clear_overwatch_within_two_hexes():
    units = {
        "b1": u("us_recon", "C5"),
        "v1": u("ins_cellula", "E5", overwatch="si"),
        "v2": u("ins_mg", "F5", overwatch="si"),
        "b2": u("us_rifle", "D5", overwatch="si"),
    }
    game = table(units)
    state = say(game, "u:b1", "b:droni")
    assert [state.units[n].overwatch for n in ("v1", "v2", "b2")] == [False, True, True]
    assert state.cubes["blu"].position == 11
    assert {"droni_squadra.abilita", "azioni.abilita"} <= cited(game)
    say(game, "u:b1")
    assert "droni_squadra.abilita" in against(game, "b:droni")


@pytest.mark.rule("warfare:anfibio.abilita", "warfare:anfibio.transizione")
def test_amphibious_units_pay_one_ap_for_water_and_one_for_each_shore():
    game = table({"b1": u("ita_lagunari", "G8"), "v1": FAR})
    state = go(game, "b1", "H8", "I8", "J8")
    assert state.cubes["blu"].position == 10 + 3 + 2
    assert {"anfibio.abilita", "anfibio.transizione"} <= cited(game)


@pytest.mark.rule("warfare:anfibio.abilita")
def test_other_ground_units_stay_out_of_the_water():
    game = table({"b1": u("usmc_squad", "G8"), "v1": FAR})
    say(game, "u:b1", "b:muovi")
    assert {"anfibio.abilita", "terreno.acqua"} <= against(game, "h:H8")
    game = table({"b1": u("usmc_squad", "G9"), "v1": FAR})
    assert go(game, "b1", "H9", "I9").units["b1"].hex == "I9", "a bridge is open ground"


@pytest.mark.rule("warfare:anfibio.transizione")
def test_damage_does_not_reduce_the_shore():
    game = table({"b1": u("ita_lagunari", "G8", danno=2), "v1": FAR})
    assert go(game, "b1", "H8").cubes["blu"].position == 10 + 1 + 1


@pytest.mark.rule("warfare:aviotrasporto.abilita", "warfare:arbitrato.ingressi")
def test_an_airborne_unit_lands_anywhere_for_one_ap_and_may_be_fired_at():
    units = {
        "b1": u("usmc_squad", "A1"),
        "b2": u("ita_folgore", riserva="si"),
        "v1": u("ins_cellula", "E5", overwatch="si"),
    }
    game = table(
        units,
        blocchi=["C5"],
        macerie=["C6"],
        popolazione={"p1": {"esagono": "D9", "folla": "si"}, "p2": {"esagono": "D10"}},
    )
    say(game, "u:b2")
    for hex in ("A1", "E5", "H8", "C5", "C6"):
        assert against(game, f"h:{hex}") == {"aviotrasporto.abilita"}
    assert against(game, "h:D9") == {"aviotrasporto.abilita", "popolazione.attraversare"}
    assert "h:D10" in offered(game), "civilians are no obstacle"
    assert "arbitrato.lancio_attivo" in why(game)
    say(game, "h:F5")
    assert asked(game) == "verde"
    state = say(game, "b:mai")
    assert state.units["b2"].hex == "F5"
    assert state.cubes["blu"].position == 11
    assert {"aviotrasporto.abilita", "azioni.abilita"} <= cited(game)


@pytest.mark.rule("warfare:aviotrasporto.una_volta")
def test_a_unit_on_the_map_is_not_dropped_again():
    from engine.warfare.rules.abilities import why_not_drop

    game = table({"b1": u("ita_folgore", riserva="si"), "v1": FAR})
    state = say(game, "u:b1", "h:C5")
    found = list(why_not_drop(state, state.units["b1"]))
    assert [r.refs[0] for r in found] == ["warfare:aviotrasporto.una_volta"]
    say(game, "u:b1")
    assert not any(option.startswith("h:") for option in offered(game)), "it walks from now on"


@pytest.mark.rule(
    "warfare:aviotrasporto.abilita", "warfare:ignoti.blocco", "warfare:arbitrato.lancio_su_blocco"
)
def test_dropped_on_a_hidden_roadblock_a_unit_lands_beside_it():
    units = {"b1": u("usmc_squad", "A1"), "b2": u("ita_folgore", riserva="si"), "v1": FAR}
    game = table(units, nascosti={"i1": {"tipo": "ignoto_blocco", "esagono": "E5", "di": "verde"}})
    say(game, "u:b2", "h:E5")
    assert asked(game) == "blu"
    assert set(offered(game)) == {"h:D5", "h:F5", "h:D6", "h:E6", "h:D4", "h:E4"}
    state = say(game, "h:F5")
    assert state.units["b2"].hex == "F5"
    assert state.roadblocks == ("E5",)
    assert state.cubes["blu"].position == 11, "nothing more is paid"
    assert {"arbitrato.rimbalzo", "arbitrato.lancio_su_blocco"} <= cited(game)
    walls = ["D5", "F5", "D6", "E6", "D4", "E4"]
    markers = {"i1": {"tipo": "ignoto_blocco", "esagono": "E5", "di": "verde"}}
    game = table(units, nascosti=markers, macerie=walls)
    state = say(game, "u:b2", "h:E5")
    assert state.units["b2"].place == "out of the game", "nowhere to land"
