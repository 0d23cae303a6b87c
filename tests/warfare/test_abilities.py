"""Squad drones, amphibious and airborne units."""

from __future__ import annotations

import pytest

from tests.warfare.table import FAR, Table, u


@pytest.mark.rule("warfare:droni_squadra.abilita", "warfare:azioni.abilita")
def test_squad_drones_clear_overwatch_within_two_hexes():
    units = {
        "b1": u("us_recon", "C5"),
        "v1": u("ins_cellula", "E5", overwatch="si"),
        "v2": u("ins_mg", "F5", overwatch="si"),
        "b2": u("us_rifle", "D5", overwatch="si"),
    }
    game = Table(unita=units)
    state = game.play("u:b1", "b:droni").state
    assert [state.units[n].overwatch for n in ("v1", "v2", "b2")] == [False, True, True]
    assert state.cubes["blu"].position == 11
    assert {"droni_squadra.abilita", "azioni.abilita"} <= game.cited
    game.play("u:b1")
    assert "droni_squadra.abilita" in game.why_not("b:droni")


@pytest.mark.rule("warfare:anfibio.abilita", "warfare:anfibio.transizione")
def test_amphibious_units_pay_one_ap_for_water_and_one_for_each_shore():
    game = Table(unita={"b1": u("ita_lagunari", "G8"), "v1": FAR})
    state = game.go("b1", "H8", "I8", "J8").state
    assert state.cubes["blu"].position == 10 + 3 + 2
    assert {"anfibio.abilita", "anfibio.transizione"} <= game.cited


@pytest.mark.rule("warfare:anfibio.abilita")
def test_other_ground_units_stay_out_of_the_water():
    game = Table(unita={"b1": u("usmc_squad", "G8"), "v1": FAR})
    game.play("u:b1", "b:muovi")
    assert {"anfibio.abilita", "terreno.acqua"} <= game.why_not("h:H8")
    game = Table(unita={"b1": u("usmc_squad", "G9"), "v1": FAR})
    assert game.go("b1", "H9", "I9").state.units["b1"].hex == "I9", "a bridge is open ground"


@pytest.mark.rule("warfare:anfibio.transizione")
def test_damage_does_not_reduce_the_shore():
    game = Table(unita={"b1": u("ita_lagunari", "G8", danno=2), "v1": FAR})
    assert game.go("b1", "H8").state.cubes["blu"].position == 10 + 1 + 1


@pytest.mark.rule("warfare:aviotrasporto.abilita", "warfare:arbitrato.ingressi")
def test_an_airborne_unit_lands_anywhere_for_one_ap_and_may_be_fired_at():
    units = {
        "b1": u("usmc_squad", "A1"),
        "b2": u("ita_folgore", riserva="si"),
        "v1": u("ins_cellula", "E5", overwatch="si"),
    }
    game = Table(
        unita=units,
        blocchi=["C5"],
        macerie=["C6"],
        popolazione={"p1": {"esagono": "D9", "folla": "si"}, "p2": {"esagono": "D10"}},
    )
    game.play("u:b2")
    for hex in ("A1", "E5", "H8", "C5", "C6"):
        assert game.why_not(f"h:{hex}") == {"aviotrasporto.abilita"}
    assert game.why_not("h:D9") == {"aviotrasporto.abilita", "popolazione.attraversare"}
    assert "h:D10" in game.options, "civilians are no obstacle"
    assert "arbitrato.lancio_attivo" in game.asked_by
    game.play("h:F5")
    assert game.asked.side == "verde"
    state = game.play("b:mai").state
    assert state.units["b2"].hex == "F5"
    assert state.cubes["blu"].position == 11
    assert {"aviotrasporto.abilita", "azioni.abilita"} <= game.cited


@pytest.mark.rule("warfare:aviotrasporto.una_volta")
def test_a_unit_on_the_map_is_not_dropped_again():
    game = Table(unita={"b1": u("ita_folgore", riserva="si"), "v1": FAR})
    game.play("u:b1", "h:C5")
    assert game.facts("aviotrasporto.una_volta") == [{"unit": "b1"}]
    game.play("u:b1")
    assert not any(option.startswith("h:") for option in game.options), "it walks from now on"


@pytest.mark.rule(
    "warfare:aviotrasporto.abilita", "warfare:ignoti.blocco", "warfare:arbitrato.lancio_su_blocco"
)
def test_dropped_on_a_hidden_roadblock_a_unit_lands_beside_it():
    units = {"b1": u("usmc_squad", "A1"), "b2": u("ita_folgore", riserva="si"), "v1": FAR}
    game = Table(
        unita=units, nascosti={"i1": {"tipo": "ignoto_blocco", "esagono": "E5", "di": "verde"}}
    )
    game.play("u:b2", "h:E5")
    assert game.asked.side == "blu"
    assert list(game.title.invariants(game.state)) == [], "still in the air"
    assert set(game.options) == {"h:D5", "h:F5", "h:D6", "h:E6", "h:D4", "h:E4"}
    state = game.play("h:F5").state
    assert state.units["b2"].hex == "F5"
    assert state.roadblocks == ("E5",)
    assert "arbitrato.rimbalzo" not in game.cited, "it does not go back, and pays nothing"
    assert state.cubes["blu"].position == 11, "nothing more is paid"
    assert "arbitrato.lancio_su_blocco" in game.cited
    walls = ["D5", "F5", "D6", "E6", "D4", "E4"]
    markers = {"i1": {"tipo": "ignoto_blocco", "esagono": "E5", "di": "verde"}}
    game = Table(unita=units, nascosti=markers, macerie=walls)
    state = game.play("u:b2", "h:E5").state
    assert state.units["b2"].place == "out of the game", "nowhere to land"
