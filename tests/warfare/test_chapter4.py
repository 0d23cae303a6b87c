"""Helicopters, snipers, martyrdom."""

from __future__ import annotations

import pytest

from engine.warfare import TITLE
from tests.warfare.board import against, asked, cited, go, now, offered, rolled, say, table, u

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


# Snipers


def snipe(units, *, dice, supports=None, target="v1"):
    game = table(units, supporti=supports or {"usmc_sniper": {"lato": "blu"}}, dice=dice)
    say(game, "c:usmc_sniper", "b:mira", f"u:{target}")
    return game


@pytest.mark.rule(
    "warfare:tiratore.uso", "warfare:tiratore.modificatori", "warfare:tiratore.ritorno"
)
def test_a_sniper_needs_no_line_and_takes_no_modifier():
    game = snipe({"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "I3")}, dice=(3,))
    assert rolled(game) == ["1green"]
    assert now(game).units["v1"].morale == 1
    assert now(game).supports["usmc_sniper"].place == "on the track"
    assert {"tiratore.uso", "tiratore.modificatori", "tiratore.ritorno"} <= cited(game)


@pytest.mark.rule("warfare:tiratore.modificatori")
def test_the_snipers_own_damage_counts():
    game = snipe(
        {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "I3")},
        dice=(3,),
        supports={"usmc_sniper": {"lato": "blu", "danno": 1}},
    )
    assert rolled(game) == ["1grey"]
    assert now(game).cubes["blu"].position == 13


@pytest.mark.rule("warfare:tiratore.limiti")
def test_a_sniper_spares_vehicles_smoke_and_shields():
    units = {
        "b1": u("usmc_squad", "A1"),
        "v1": u("ins_tecnica", "C5"),
        "v2": u("ins_cellula", "E5"),
        "v3": u("ins_cellula", "G5"),
        "v4": u("ins_cellula", "K5"),
    }
    game = table(
        units,
        supporti={"usmc_sniper": {"lato": "blu"}},
        fumo=["E5"],
        popolazione={"p1": {"esagono": "G5"}},
    )
    say(game, "c:usmc_sniper", "b:mira")
    assert against(game, "u:v1") == {"tiratore.limiti"}
    assert against(game, "u:v2") == {"tiratore.limiti", "arbitrato.tiratore_fumo"}
    assert "ostaggi.scudo" in against(game, "u:v3")
    assert offered(game) == ["u:v4"]
    game = table(
        {"b1": u("ita_mangusta", "C5"), "v1": u("ins_cellula", "E5")},
        supporti={"ins_sniper": {"lato": "verde"}},
        caselle=GREEN,
    )
    say(game, "c:ins_sniper")
    assert against(game, "b:mira") == {"tiratore.limiti", "tiratore.uso"}


@pytest.mark.rule(
    "warfare:tiratore.duello", "warfare:tiratore.prosegue", "warfare:arbitrato.danno_durante"
)
def test_a_sniper_only_wounded_in_the_duel_fires_with_a_worse_die():
    game = snipe(
        {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "I3")},
        dice=(5, 4),
        supports={
            "usmc_sniper": {"lato": "blu"},
            "ins_sniper": {"lato": "verde", "overwatch": "si"},
        },
    )
    assert asked(game) == "verde"
    say(game, "c:ins_sniper")
    assert rolled(game) == ["1grey", "1grey"]
    assert now(game).supports["usmc_sniper"].damage == 1
    assert "arbitrato.danno_durante" in cited(game)


@pytest.mark.rule("warfare:tiratore.duello")
def test_the_duel_may_be_declined():
    game = snipe(
        {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "I3")},
        dice=(3,),
        supports={
            "usmc_sniper": {"lato": "blu"},
            "ins_sniper": {"lato": "verde", "overwatch": "si"},
        },
    )
    state = say(game, "b:rinuncia")
    assert state.supports["ins_sniper"].overwatch
    assert state.units["v1"].morale == 1


@pytest.mark.rule("warfare:arbitrato.tiratore_overwatch", "warfare:overwatch.azione")
def test_a_sniper_in_overwatch_fires_at_infantry_that_moves_anywhere():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "I5")}
    game = table(
        units,
        supporti={"usmc_sniper": {"lato": "blu"}},
        dice=(3,),
        caselle={"blu": 30, "verde": 30},
    )
    say(game, "c:usmc_sniper", "b:overwatch")
    go(game, "v1", "I4")
    assert asked(game) == "blu"
    state = say(game, "c:usmc_sniper")
    assert state.units["v1"].morale == 1
    assert state.supports["usmc_sniper"].place == "on the track"
    assert "arbitrato.tiratore_overwatch" in cited(game)


# Martyrdom


def martyrdom(face, target=None, **given):
    game = table(
        {"b1": target or u("us_jltv", "D5"), "v1": u("ins_martiri", "C5", morale=1)},
        caselle=GREEN,
        dice=(face,),
        **given,
    )
    say(game, "u:v1", "b:martirio", "u:b1")
    return game


@pytest.mark.rule("warfare:martirio.azione", "warfare:martirio.test", "warfare:martirio.costo")
@pytest.mark.parametrize(
    ("face", "morale", "damage", "place"),
    [(1, 1, 0, "map"), (3, 0, 1, "map"), (4, 0, 2, "map"), (6, 0, 0, "out of the game")],
)
def test_each_result_of_martyrdom(face, morale, damage, place):
    game = martyrdom(face)
    unit = now(game).units["b1"]
    assert (unit.morale, unit.damage, unit.place) == (morale, damage, place)
    assert now(game).units["v1"].place == "out of the game"
    assert rolled(game) == ["1red"]
    assert now(game).cubes["verde"].position == 12
    assert {"martirio.azione", "martirio.test", "martirio.costo"} <= cited(game)


@pytest.mark.rule("warfare:martirio.test")
def test_a_critical_failure_costs_only_the_martyr():
    game = table(
        {"b1": u("us_jltv", "D5"), "v1": u("ins_martiri", "C5", danno=1)}, caselle=GREEN, dice=(1,)
    )
    state = say(game, "u:v1", "b:martirio", "u:b1")
    assert rolled(game) == ["1yellow"]
    assert (state.units["b1"].morale, state.units["b1"].damage) == (0, 0)
    assert state.units["v1"].place == "out of the game"


@pytest.mark.rule("warfare:martirio.azione", "warfare:arbitrato.martirio_modificatori")
def test_a_suppressed_unit_gives_no_life_and_triangles_do_not_stop_a_martyr():
    game = table({"b1": u("us_rifle", "D7"), "v1": u("ins_martiri", "C7", morale=2)}, caselle=GREEN)
    say(game, "u:v1")
    assert "morale.soppresso" in against(game, "b:martirio")
    game = table(
        {"b1": u("us_rifle", "D7"), "v1": u("ins_martiri", "C7")}, caselle=GREEN, dice=(6,)
    )
    state = say(game, "u:v1", "b:martirio", "u:b1")
    assert state.units["b1"].place == "out of the game"
    assert rolled(game) == ["1red"], "neither defence nor the fortification counts"


@pytest.mark.rule("warfare:martirio.bersaglio", "warfare:martirio.azione")
def test_martyrdom_takes_one_adjacent_ground_unit():
    game = table(
        {
            "b1": u("us_jltv", "D5"),
            "b2": u("ita_mangusta", "B5"),
            "b3": u("us_rifle", "F5"),
            "v1": u("ins_martiri", "C5"),
        },
        caselle=GREEN,
        dice=(6,),
    )
    say(game, "u:v1", "b:martirio")
    assert "martirio.azione" in against(game, "u:b2")
    assert offered(game) == ["u:b1"]
    state = say(game, "u:b1")
    assert state.units["b2"].damage == 0


@pytest.mark.rule("warfare:martirio.civili")
def test_population_is_never_hurt():
    game = martyrdom(
        6, popolazione={"p1": {"esagono": "D5"}, "p2": {"esagono": "C5", "folla": "si"}}
    )
    assert [p.hex for p in now(game).population.values()] == ["D5", "C5"]
    assert "martirio.civili" in cited(game)


@pytest.mark.rule("warfare:martirio.scenario")
def test_a_scenario_may_exclude_martyrdom():
    game = table(
        {"b1": u("us_jltv", "D5"), "r1": u("ins_martiri", "C5")},
        scenario="s5",
        lati=["blu", "rosso"],
        posizioni={"blu": 20, "rosso": 10},
    )
    say(game, "u:r1")
    assert "martirio.scenario" in against(game, "b:martirio")


@pytest.mark.rule("warfare:martirio.nota")
def test_players_may_leave_martyrdom_out():
    game = table(
        {"b1": u("us_jltv", "D5"), "v1": u("ins_martiri", "C5")},
        caselle=GREEN,
        opzioni={"senza_martirio": "si"},
    )
    say(game, "u:v1")
    assert "martirio.nota" in against(game, "b:martirio")
