"""Overwatch and smoke."""

from __future__ import annotations

import pytest

from tests.warfare.table import FAR, Table, u

WATCHER = u("ins_mg", "E5", overwatch="si")


@pytest.mark.rule("warfare:overwatch.azione")
def test_any_steady_unit_goes_in_overwatch_for_one_ap():
    game = Table(unita={"b1": u("us_jltv", "C5"), "v1": FAR})
    state = game.play("u:b1", "b:overwatch").state
    assert state.units["b1"].overwatch
    assert state.cubes["blu"].position == 11
    game.play("u:b1")
    assert "overwatch.una_volta" in game.why_not("b:overwatch")


@pytest.mark.rule(
    "warfare:overwatch.fuoco", "warfare:overwatch.costo", "warfare:overwatch.una_volta"
)
def test_an_enemy_that_enters_a_hex_may_be_fired_at_once_and_the_shot_is_paid():
    game = Table(unita={"b1": u("usmc_squad", "A5"), "v1": WATCHER}, dice=(1,))
    game.go("b1", "B5", "C5")
    assert game.asked.side == "verde"
    state = game.play("u:v1").state
    assert state.cubes["verde"].position == 24
    assert not state.units["v1"].overwatch
    assert state.units["b1"].hex == "C5"
    assert game.asked.side == "blu"
    assert {
        "overwatch.fuoco",
        "overwatch.costo",
        "overwatch.una_volta",
        "overwatch.fine",
    } <= game.cited


@pytest.mark.rule("warfare:overwatch.esagono")
def test_the_watcher_chooses_the_hex():
    game = Table(unita={"b1": u("usmc_squad", "A5"), "v1": WATCHER}, dice=(1,))
    game.go("b1", "B5", "C5", "D5")
    assert "warfare:overwatch.esagono" in game.position.decision.ruling.refs
    game.play("b:attendi", "b:attendi")
    assert game.state.units["b1"].hex == "D5"
    game.play("u:v1")
    assert game.state.units["b1"].hex == "D5"
    assert "overwatch.fuoco" in game.cited


@pytest.mark.rule("warfare:overwatch.fuoco")
def test_a_watcher_that_lets_a_unit_go_is_not_asked_again():
    game = Table(unita={"b1": u("usmc_squad", "A5"), "v1": WATCHER})
    game.go("b1", "B5", "C5", "D5")
    state = game.play("b:mai").state
    assert game.asked.side == "blu"
    assert state.units["b1"].hex == "D5"
    assert state.units["v1"].overwatch


@pytest.mark.rule("warfare:overwatch.fuoco")
def test_out_of_sight_or_range_nobody_is_asked():
    game = Table(unita={"b1": u("usmc_squad", "D4"), "v1": u("ins_mg", "G4", overwatch="si")})
    game.go("b1", "C4")
    assert game.asked.side == "blu"
    game = Table(unita={"b1": u("usmc_squad", "A9"), "v1": u("ins_mg", "G9", overwatch="si")})
    game.go("b1", "A10")
    assert game.asked.side == "blu"


@pytest.mark.rule("warfare:overwatch.fine")
def test_morale_damage_ends_an_overwatch_and_physical_damage_does_not():
    for face, kept in ((2, False), (4, True)):
        game = Table(
            unita={"b1": u("usmc_lav", "C5"), "v1": u("ins_cellula", "E5", overwatch="si")},
            dice=(face,),
        )
        state = game.play("u:b1", "b:fuoco", "b:leggero", "u:v1").state
        assert state.units["v1"].overwatch == kept


@pytest.mark.rule("warfare:stealth.abilita", "warfare:arbitrato.stealth_durata")
def test_stealth_keeps_a_movement_from_overwatch_for_one_ap():
    game = Table(unita={"b1": u("us_recon", "A5"), "v1": WATCHER})
    state = game.play("u:b1", "b:muovi", "b:stealth", "h:B5", "h:C5", "b:vai").state
    assert game.asked.side == "blu"
    assert state.cubes["blu"].position == 13
    assert {"stealth.abilita", "arbitrato.stealth_durata", "azioni.abilita"} <= game.cited
    game.go("b1", "B5")
    assert game.asked.side == "verde", "the next movement is not covered"


@pytest.mark.rule("warfare:stealth.abilita")
def test_units_without_the_ability_are_not_offered_stealth():
    game = Table(unita={"b1": u("usmc_squad", "A5"), "v1": WATCHER})
    game.play("u:b1", "b:muovi")
    assert "b:stealth" not in game.options


@pytest.mark.rule("warfare:arbitrato.overwatch_turni", "warfare:overwatch.azione")
def test_thirty_cubes_are_all_there_are():
    from engine.warfare.rules.overwatch import why_not_cube

    units = {
        f"b{n}": u("usmc_squad", f"{'ABCDEFGHIJ'[n % 10]}{1 + 2 * (n // 10)}", overwatch="si")
        for n in range(30)
    }
    game = Table(unita={**units, "b99": u("us_rifle", "A7"), "v1": u("ins_cellula", "L10")})
    found = list(why_not_cube(game.state, game.state.units["b99"]))
    assert any("warfare:arbitrato.overwatch_turni" in r.refs for r in found)


@pytest.mark.rule("warfare:fumogeni.lancio", "warfare:fumogeni.effetto")
def test_infantry_throws_smoke_into_an_adjacent_hex():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "b2": u("us_jltv", "C9"), "v1": FAR})
    state = game.play("u:b1", "b:fumo", "h:D5").state
    assert state.smoke == ("D5",)
    assert state.cubes["blu"].position == 11
    assert "fumogeni.lancio" in game.cited
    game.play("u:b2")
    assert "fumogeni.lancio" in game.why_not("b:fumo")


@pytest.mark.rule("warfare:fumogeni.acqua")
def test_no_smoke_on_water_but_on_a_bridge():
    game = Table(unita={"b1": u("usmc_squad", "G9"), "v1": FAR})
    game.play("u:b1", "b:fumo")
    assert "h:H9" in game.options
    game = Table(unita={"b1": u("usmc_squad", "G8"), "v1": FAR})
    game.play("u:b1", "b:fumo")
    assert "fumogeni.acqua" in game.why_not("h:H8")


@pytest.mark.rule("warfare:fumogeni.durata")
def test_smoke_stays_for_the_turn():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, fumo=["D5"])
    game.play("u:b1", "b:fumo")
    assert "fumogeni.durata" in game.why_not("h:D5")
