"""Helicopters, low and high, and hunting them."""

from __future__ import annotations

import pytest

from engine.warfare import TITLE
from tests.warfare.board import against, cited, now, offered, rolled, say, table, u

GREEN = {"blu": 20, "verde": 30}


@pytest.mark.rule("warfare:elicotteri.bassa", "warfare:elicotteri.bassa_bersaglio")
def test_a_low_helicopter_takes_light_weapons_and_hides_behind_houses():
    game = table(
        {"b1": u("ita_mangusta", "C5"), "v1": u("ins_cellula", "E5")}, caselle=GREEN, dice=(6,)
    )
    state = say(game, "u:v1", "b:fuoco", "b:leggero", "u:b1")
    assert rolled(game) == ["1white"], "grey, two less for the defence"
    assert state.units["b1"].morale == 1
    game = table({"b1": u("ita_mangusta", "D4"), "v1": u("ins_cellula", "F4")}, caselle=GREEN)
    say(game, "u:v1")
    assert "los.regola2" in against(game, "b:fuoco")


@pytest.mark.rule(
    "warfare:elicotteri.bassa_bersaglio",
    "warfare:caccia_elicottero.abilita",
    "warfare:fuoco.pesanti",
)
def test_heavy_weapons_need_helicopter_hunting():
    game = table({"b1": u("ita_mangusta", "C5"), "v1": u("ins_tecnica", "E5")}, caselle=GREEN)
    say(game, "u:v1", "b:fuoco")
    assert {"caccia_elicottero.abilita", "fuoco.pesanti"} <= against(game, "b:pesante")


@pytest.mark.rule("warfare:caccia_elicottero.costo", "warfare:arbitrato.caccia_sei")
def test_hunting_costs_one_ap_more_that_damage_does_not_reduce():
    game = table(
        {"b1": u("ita_mangusta", "C5"), "v1": u("ins_at", "E5", danno=2)}, caselle=GREEN, dice=(6,)
    )
    state = say(game, "u:v1", "b:fuoco", "b:pesante", "u:b1")
    assert state.cubes["verde"].position == 10 + 3 + 1
    assert {"caccia_elicottero.costo", "arbitrato.caccia_sei"} <= cited(game)


@pytest.mark.rule("warfare:elicotteri.alta", "warfare:elicotteri.alta_bersaglio")
def test_a_high_helicopter_is_seen_by_all_and_hit_by_sam_only():
    units = {"b1": u("ita_mangusta", "I3"), "v1": u("ins_at", "I5"), "v2": u("ins_sam", "A1")}
    game = table(units, caselle=GREEN, dice=(6,))
    say(game, "u:v1")
    assert "elicotteri.alta_bersaglio" in against(game, "b:fuoco")
    game = table({"b1": units["b1"], "v2": units["v2"]}, caselle=GREEN, dice=(6,))
    state = say(game, "u:v2", "b:fuoco", "b:pesante", "u:b1")
    assert rolled(game) == ["1green"], "red, two less for the defence, nothing for cover"
    assert state.units["b1"].damage == 2
    assert {"elicotteri.alta", "sam.attacco"} <= cited(game)


@pytest.mark.rule("warfare:elicotteri.alta", "warfare:arbitrato.alta_fumo")
def test_a_high_helicopter_sees_over_everything_but_smoke():
    game = table({"b1": u("ita_mangusta", "I3"), "v1": u("ins_cellula", "I5")})
    say(game, "u:b1")
    assert "b:fuoco" in offered(game)
    game = table({"b1": u("ita_mangusta", "I3"), "v1": u("ins_cellula", "I5")}, fumo=["I4", "H4"])
    say(game, "u:b1")
    assert "arbitrato.alta_fumo" in against(game, "b:fuoco")


@pytest.mark.rule("warfare:elicotteri.alta_overwatch")
def test_overwatch_takes_a_helicopter_high_and_firing_brings_it_down():
    units = {"b1": u("ita_mangusta", "C5"), "v1": u("ins_cellula", "E5")}
    game = table(units, caselle={"blu": 30, "verde": 30}, dice=(1,))
    say(game, "u:b1", "b:overwatch")
    assert "elicotteri.alta_overwatch" in cited(game)
    assert "high" in _states(game, "b1")
    say(game, "u:v1")
    assert {"elicotteri.alta_overwatch", "elicotteri.alta_bersaglio"} <= against(game, "b:fuoco")
    say(game, "b:muovi", "h:E6", "b:vai", "u:b1", "b:leggero")
    assert now(game).units["b1"].overwatch is False
    assert "low" in _states(game, "b1")
    say(game, "u:v1")
    assert "b:fuoco" in offered(game)


def _states(game, name):
    return {c.id: c for c in TITLE.view(now(game), "blu").counters}[name].states


@pytest.mark.rule("warfare:elicotteri.bassa_bersaglio", "warfare:sam.attacco", "warfare:sam.arma")
def test_sam_hit_low_helicopters_too_in_range_and_sight():
    units = {"b1": u("ita_mangusta", "C5"), "v1": u("ins_sam", "E5")}
    game = table(units, caselle=GREEN, dice=(6,))
    say(game, "u:v1", "b:fuoco", "b:pesante", "u:b1")
    assert rolled(game) == ["1green"]
    assert now(game).cubes["verde"].position == 16, "no hunting is paid"
    assert "sam.attacco" in cited(game)
    game = table({**units, "b1": u("ita_mangusta", "D4"), "v1": u("ins_sam", "F4")}, caselle=GREEN)
    say(game, "u:v1")
    assert "los.regola2" in against(game, "b:fuoco"), "a low helicopter hides"


@pytest.mark.rule("warfare:elicotteri.armi_opzionale")
def test_separate_weapons_of_helicopters_only_when_chosen():
    units = {"b1": u("ita_mangusta", "C5"), "v1": u("ins_cellula", "E5")}
    game = table(units)
    say(game, "u:b1", "b:fuoco")
    assert "b:pesante" in offered(game)
    game = table(units, opzioni={"armi_elicotteri": "si"})
    say(game, "u:b1", "b:fuoco")
    assert "elicotteri.armi_opzionale" in against(game, "b:pesante")
    assert offered(game) == ["b:leggero"]
    game = table({**units, "v1": u("ins_tecnica", "E5")}, opzioni={"armi_elicotteri": "si"})
    say(game, "u:b1", "b:fuoco")
    assert "elicotteri.armi_opzionale" in against(game, "b:leggero")
    assert offered(game) == ["b:pesante"]


@pytest.mark.rule("warfare:elicotteri.armi_opzionale")
def test_the_option_says_nothing_of_helicopters_against_each_other():
    game = table(
        {"b1": u("ita_mangusta", "C5"), "r1": u("ru_mi24", "E5")},
        lati=["blu", "rosso"],
        posizioni={"blu": 10, "rosso": 20},
        opzioni={"armi_elicotteri": "si"},
    )
    say(game, "u:b1", "b:fuoco", "b:leggero")
    assert offered(game) == ["u:r1"]


@pytest.mark.rule("warfare:arbitrato.macerie_elicotteri", "warfare:macerie.creazione")
@pytest.mark.parametrize(("hex", "rubble"), [("I3", ("I3",)), ("H8", ())])
def test_a_helicopter_shot_down_leaves_rubble_but_not_in_the_water(hex, rubble):
    game = table(
        {"r1": u("ru_fucilieri", "A1"), "b1": u("ita_mangusta", hex, overwatch="si")},
        lati=["rosso", "blu"],
        posizioni={"rosso": 10, "blu": 30},
        supporti={"ru_su25": {"lato": "rosso"}},
        dice=(6,),
    )
    state = say(game, "c:ru_su25", "b:cas", "b:pesante", "u:b1")
    assert rolled(game) == ["1red"]
    assert state.units["b1"].place == "out of the game"
    assert state.rubble == rubble
    assert "arbitrato.macerie_elicotteri" in cited(game)
