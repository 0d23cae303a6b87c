"""Helicopters, low and high, and hunting them."""

from __future__ import annotations

import pytest

from engine.warfare import TITLE
from tests.warfare.table import Table, u

GREEN = {"blu": 20, "verde": 30}


@pytest.mark.rule("warfare:elicotteri.bassa", "warfare:elicotteri.bassa_bersaglio")
def test_a_low_helicopter_takes_light_weapons_and_hides_behind_houses():
    game = Table(
        unita={"b1": u("ita_mangusta", "C5"), "v1": u("ins_cellula", "E5")},
        caselle=GREEN,
        dice=(6,),
    )
    state = game.play("u:v1", "b:fuoco", "b:leggero", "u:b1").state
    assert game.rolled == ["1white"], "grey, two less for the defence"
    assert state.units["b1"].morale == 1
    game = Table(unita={"b1": u("ita_mangusta", "D4"), "v1": u("ins_cellula", "F4")}, caselle=GREEN)
    game.play("u:v1")
    assert "los.regola2" in game.why_not("b:fuoco")


@pytest.mark.rule(
    "warfare:elicotteri.bassa_bersaglio",
    "warfare:caccia_elicottero.abilita",
    "warfare:fuoco.pesanti",
)
def test_heavy_weapons_need_helicopter_hunting():
    game = Table(unita={"b1": u("ita_mangusta", "C5"), "v1": u("ins_tecnica", "E5")}, caselle=GREEN)
    game.play("u:v1", "b:fuoco")
    assert {"caccia_elicottero.abilita", "fuoco.pesanti"} <= game.why_not("b:pesante")


@pytest.mark.rule("warfare:caccia_elicottero.costo", "warfare:arbitrato.caccia_sei")
def test_hunting_costs_one_ap_more_that_damage_does_not_reduce():
    game = Table(
        unita={"b1": u("ita_mangusta", "C5"), "v1": u("ins_at", "E5", danno=2)},
        caselle=GREEN,
        dice=(6,),
    )
    state = game.play("u:v1", "b:fuoco", "b:pesante", "u:b1").state
    assert state.cubes["verde"].position == 10 + 3 + 1
    assert {"caccia_elicottero.costo", "arbitrato.caccia_sei"} <= game.cited


@pytest.mark.rule("warfare:elicotteri.alta", "warfare:elicotteri.alta_bersaglio")
def test_a_high_helicopter_is_seen_by_all_and_hit_by_sam_only():
    units = {"b1": u("ita_mangusta", "I3"), "v1": u("ins_at", "I5"), "v2": u("ins_sam", "A1")}
    game = Table(unita=units, caselle=GREEN, dice=(6,))
    game.play("u:v1")
    assert "elicotteri.alta_bersaglio" in game.why_not("b:fuoco")
    game = Table(unita={"b1": units["b1"], "v2": units["v2"]}, caselle=GREEN, dice=(6,))
    state = game.play("u:v2", "b:fuoco", "b:pesante", "u:b1").state
    assert game.rolled == ["1green"], "red, two less for the defence, nothing for cover"
    assert state.units["b1"].damage == 2
    assert {"elicotteri.alta", "sam.attacco"} <= game.cited


@pytest.mark.rule("warfare:elicotteri.alta", "warfare:arbitrato.alta_fumo")
def test_a_high_helicopter_sees_over_everything_but_smoke():
    game = Table(unita={"b1": u("ita_mangusta", "I3"), "v1": u("ins_cellula", "I5")})
    game.play("u:b1")
    assert "b:fuoco" in game.options
    game = Table(
        unita={"b1": u("ita_mangusta", "I3"), "v1": u("ins_cellula", "I5")}, fumo=["I4", "H4"]
    )
    game.play("u:b1")
    assert "arbitrato.alta_fumo" in game.why_not("b:fuoco")


@pytest.mark.rule("warfare:elicotteri.alta_overwatch")
def test_overwatch_takes_a_helicopter_high_and_firing_brings_it_down():
    units = {"b1": u("ita_mangusta", "C5"), "v1": u("ins_cellula", "E5")}
    game = Table(unita=units, caselle={"blu": 30, "verde": 30}, dice=(1,))
    game.play("u:b1", "b:overwatch")
    assert "elicotteri.alta_overwatch" in game.cited
    assert "high" in _states(game, "b1")
    game.play("u:v1")
    assert {"elicotteri.alta_overwatch", "elicotteri.alta_bersaglio"} <= game.why_not("b:fuoco")
    game.play("b:muovi", "h:E6", "b:vai", "u:b1", "b:leggero")
    assert game.state.units["b1"].overwatch is False
    assert "low" in _states(game, "b1")
    game.play("u:v1")
    assert "b:fuoco" in game.options


def _states(game, name):
    return {c.id: c for c in TITLE.view(game.state, "blu").counters}[name].states


@pytest.mark.rule("warfare:elicotteri.bassa_bersaglio", "warfare:sam.attacco", "warfare:sam.arma")
def test_sam_hit_low_helicopters_too_in_range_and_sight():
    units = {"b1": u("ita_mangusta", "C5"), "v1": u("ins_sam", "E5")}
    game = Table(unita=units, caselle=GREEN, dice=(6,))
    game.play("u:v1", "b:fuoco", "b:pesante", "u:b1")
    assert game.rolled == ["1green"]
    assert game.state.cubes["verde"].position == 16, "no hunting is paid"
    assert "sam.attacco" in game.cited
    game = Table(
        unita={**units, "b1": u("ita_mangusta", "D4"), "v1": u("ins_sam", "F4")}, caselle=GREEN
    )
    game.play("u:v1")
    assert "los.regola2" in game.why_not("b:fuoco"), "a low helicopter hides"


@pytest.mark.rule("warfare:elicotteri.armi_opzionale")
def test_separate_weapons_of_helicopters_only_when_chosen():
    units = {"b1": u("ita_mangusta", "C5"), "v1": u("ins_cellula", "E5")}
    game = Table(unita=units)
    game.play("u:b1", "b:fuoco")
    assert "b:pesante" in game.options
    game = Table(unita=units, opzioni={"armi_elicotteri": "si"})
    game.play("u:b1", "b:fuoco")
    assert "elicotteri.armi_opzionale" in game.why_not("b:pesante")
    assert list(game.options) == ["b:leggero"]
    game = Table(unita={**units, "v1": u("ins_tecnica", "E5")}, opzioni={"armi_elicotteri": "si"})
    game.play("u:b1", "b:fuoco")
    assert "elicotteri.armi_opzionale" in game.why_not("b:leggero")
    assert list(game.options) == ["b:pesante"]


@pytest.mark.rule("warfare:elicotteri.armi_opzionale")
def test_the_option_says_nothing_of_helicopters_against_each_other():
    game = Table(
        unita={"b1": u("ita_mangusta", "C5"), "r1": u("ru_mi24", "E5")},
        lati=["blu", "rosso"],
        posizioni={"blu": 10, "rosso": 20},
        opzioni={"armi_elicotteri": "si"},
    )
    game.play("u:b1", "b:fuoco", "b:leggero")
    assert list(game.options) == ["u:r1"]


@pytest.mark.rule("warfare:arbitrato.macerie_elicotteri", "warfare:macerie.creazione")
@pytest.mark.parametrize(("hex", "rubble"), [("I3", ("I3",)), ("H8", ())])
def test_a_helicopter_shot_down_leaves_rubble_but_not_in_the_water(hex, rubble):
    game = Table(
        unita={"r1": u("ru_fucilieri", "A1"), "b1": u("ita_mangusta", hex, overwatch="si")},
        lati=["rosso", "blu"],
        posizioni={"rosso": 10, "blu": 30},
        supporti={"ru_su25": {"lato": "rosso"}},
        dice=(6,),
    )
    state = game.play("c:ru_su25", "b:cas", "b:pesante", "u:b1").state
    assert game.rolled == ["1red"]
    assert state.units["b1"].place == "out of the game"
    assert state.rubble == rubble
    assert "arbitrato.macerie_elicotteri" in game.cited
