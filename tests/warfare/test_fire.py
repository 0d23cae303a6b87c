"""Fire, results, rubble; fog of war."""

from __future__ import annotations

import pytest

from engine.warfare import TITLE
from engine.warfare.state.state import WEAPON_IDS
from tests.warfare.table import FAR, Table, u


def shot(firer, target, weapon="light", *, dice=(1,), **given):
    game = Table(unita={"b1": firer, "v1": target}, dice=dice, **given)
    game.play("u:b1", "b:fuoco", f"b:{WEAPON_IDS[weapon]}", "u:v1")
    return game


@pytest.mark.rule("warfare:combattimento.morale", "warfare:morale.scosso")
def test_shaken_and_suppressed_units_do_not_fight():
    game = Table(unita={"b1": u("usmc_squad", "C5", morale=1), "v1": u("ins_cellula", "D5")})
    game.play("u:b1")
    for verb in ("b:fuoco", "b:assalta", "b:overwatch"):
        assert {"combattimento.morale", "morale.scosso"} <= game.why_not(verb)


@pytest.mark.rule(
    "warfare:fuoco.passi", "warfare:fuoco.passo1", "warfare:fuoco.passo4", "warfare:fuoco.passo5"
)
def test_a_shot_follows_the_five_steps():
    game = shot(u("usmc_squad", "C5"), u("ins_cellula", "E5"))
    assert game.state.cubes["blu"].position == 13
    order = [r for s in game.steps for r in s.ruling.refs if r.startswith("warfare:fuoco.passo")]
    assert list(dict.fromkeys(order)) == ["warfare:fuoco.passo4", "warfare:fuoco.passo5"]
    assert "sam.attacco" not in game.cited
    assert game.rolled == ["1green"]


@pytest.mark.rule("warfare:fuoco.passo1", "warfare:unita.valori")
def test_a_unit_without_heavy_weapons_fires_none():
    game = Table(unita={"b1": u("us_mg", "C5"), "v1": u("ins_cellula", "E5")})
    game.play("u:b1", "b:fuoco")
    assert game.why_not("b:pesante") == {"fuoco.passo1"}
    assert list(game.options) == ["b:leggero"]


@pytest.mark.rule("warfare:fuoco.leggere", "warfare:fuoco.pesanti", "warfare:veicoli.bersaglio")
def test_vehicles_take_heavy_weapons_only():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": u("ins_tecnica", "E5")}, dice=(1,))
    game.play("u:b1", "b:fuoco")
    assert "veicoli.bersaglio" in game.why_not("b:leggero")
    game.play("b:pesante", "u:v1")
    assert game.rolled == ["1grey"]


@pytest.mark.rule("warfare:fuoco.pesanti")
def test_heavy_weapons_may_fire_at_infantry():
    game = shot(u("usmc_squad", "C5"), u("ins_cellula", "E5"), "heavy")
    assert game.state.cubes["blu"].position == 15
    assert game.rolled == ["1grey"]


@pytest.mark.rule("warfare:fuoco.rombo", "warfare:sam.arma")
def test_sam_fire_at_the_air_only():
    game = Table(
        unita={"b1": u("usmc_squad", "E5"), "v1": u("ins_sam", "C5")},
        caselle={"blu": 20, "verde": 30},
    )
    game.play("u:v1", "b:fuoco")
    assert "fuoco.passo2" in game.why_not("b:pesante")
    assert {"fuoco.rombo", "sam.arma"} <= game.why_not("b:pesante")


@pytest.mark.rule("warfare:fuoco.passo2", "warfare:fuoco.passo3")
def test_targets_out_of_sight_or_range_are_refused_with_the_reason():
    units = {
        "b1": u("usmc_squad", "D4"),
        "v1": u("ins_cellula", "F4"),
        "v2": u("ins_cellula", "L4"),
        "v3": u("ins_cellula", "B4"),
    }
    game = Table(unita=units)
    game.play("u:b1", "b:fuoco", "b:leggero")
    assert "los.regola2" in game.why_not("u:v1")
    assert "fuoco.passo3" in game.why_not("u:v2")
    assert list(game.options) == ["u:v3"]


@pytest.mark.rule("warfare:fuoco.modificatori", "warfare:danno.uno", "warfare:danno.due")
@pytest.mark.parametrize(
    ("damage", "hex", "die", "ap"),
    [(0, "D5", "1green", 3), (1, "D5", "1grey", 2), (2, "D5", "1pink", 1), (1, "E4", "1pink", 2)],
)
def test_defence_terrain_and_damage_shift_the_die(damage, hex, die, ap):
    game = shot(u("usmc_squad", "C4", danno=damage), u("ins_cellula", hex))
    assert game.rolled == [die]
    assert game.state.cubes["blu"].position == 10 + ap
    lines = game.facts("danno.uno") + game.facts("danno.due")
    discounts = [(f["printed"], f["cost"]) for f in lines if "printed" in f]
    assert discounts == ([(3, ap)] if damage else [])
    assert "arbitrato.costo_minimo" not in game.cited, "no cost falls below its least"


@pytest.mark.rule("warfare:terreno.elevato", "warfare:arbitrato.elevato_mod")
def test_high_ground_protects_like_cover():
    game = shot(u("usmc_squad", "L6"), u("ins_cellula", "J6"))
    assert game.rolled == ["1grey"]
    assert "terreno.elevato" in game.cited


@pytest.mark.rule("warfare:fuoco.passo3")
def test_the_last_hex_of_the_range_is_in_range():
    game = Table(
        unita={
            "b1": u("usmc_squad", "A1"),
            "v1": u("ins_cellula", "F1"),
            "v2": u("ins_cellula", "B6"),
            "v3": u("ins_cellula", "D6"),
        }
    )
    game.play("u:b1", "b:fuoco", "b:leggero")
    assert list(game.options) == ["u:v1", "u:v2"], "five hexes away, and five"
    assert game.why_not("u:v3") == {"fuoco.passo3"}, "six hexes away"


@pytest.mark.rule("warfare:fuoco.modificatori")
def test_the_defence_of_the_target_counts():
    game = Table(
        unita={"b1": u("usmc_squad", "E5"), "v1": u("ins_cellula", "C5")},
        caselle={"blu": 20, "verde": 30},
        dice=(1,),
    )
    game.play("u:v1", "b:fuoco", "b:leggero", "u:b1")
    assert game.rolled == ["1pink"]
    assert "fuoco.modificatori" in game.cited


@pytest.mark.rule("warfare:fuoco.risultati")
@pytest.mark.parametrize(
    ("face", "morale", "damage", "place"),
    [
        (1, 0, 0, "map"),
        (2, 1, 0, "map"),
        (4, 0, 1, "map"),
        (5, 0, 2, "map"),
        (6, 0, 0, "out of the game"),
    ],
)
def test_each_result_of_a_combat_roll(face, morale, damage, place):
    game = shot(u("usmc_lav", "C5"), u("ins_cellula", "E5"), dice=(face,))
    unit = game.state.units["v1"]
    assert (unit.morale, unit.damage, unit.place) == (morale, damage, place)
    assert "fuoco.risultati" in game.cited


@pytest.mark.rule("warfare:morale.resa")
def test_a_third_level_of_morale_is_surrender():
    game = shot(u("usmc_lav", "C5"), u("ins_cellula", "E5", morale=2), dice=(2,))
    assert game.state.units["v1"].place == "out of the game"
    assert "morale.resa" in game.cited


@pytest.mark.rule("warfare:danno.eliminazione")
def test_a_third_point_of_damage_eliminates():
    game = shot(u("usmc_lav", "C5"), u("ins_cellula", "E5", danno=1), dice=(5,))
    assert game.state.units["v1"].place == "out of the game"
    assert "danno.eliminazione" in game.cited
    assert game.state.rubble == ()


@pytest.mark.rule("warfare:danno.masini", "warfare:arbitrato.masini_livelli")
def test_the_masini_rule_shakes_with_two_points_of_damage_only_when_chosen():
    game = shot(u("usmc_lav", "C5"), u("ins_cellula", "E5"), dice=(5,), opzioni={"masini": "si"})
    assert (game.state.units["v1"].damage, game.state.units["v1"].morale) == (2, 1)
    assert "danno.masini" in game.cited
    game = shot(u("usmc_lav", "C5"), u("ins_cellula", "E5"), dice=(5,))
    assert game.state.units["v1"].morale == 0
    game = shot(
        u("usmc_lav", "C5"), u("ins_cellula", "E5", morale=1), dice=(5,), opzioni={"masini": "si"}
    )
    assert game.state.units["v1"].morale == 2, "one level more"
    game = shot(u("usmc_lav", "C5"), u("ins_cellula", "E5"), dice=(4,), opzioni={"masini": "si"})
    assert game.state.units["v1"].morale == 0, "one point is not enough"


@pytest.mark.rule("warfare:fortificazioni.modificatore", "warfare:arbitrato.vertice_fortificazione")
@pytest.mark.parametrize(
    ("hex", "die"), [("A7", "1pink"), ("G7", "1green"), ("E5", "1green"), ("D5", "1pink")]
)
def test_a_fortification_protects_across_its_triangles_only(hex, die):
    game = shot(u("usmc_squad", hex), u("ins_cellula", "D7"))
    assert game.rolled == [die]
    assert "fortificazioni.modificatore" in game.cited


@pytest.mark.rule("warfare:macerie.creazione", "warfare:arbitrato.macerie_icona")
def test_a_heavy_weapon_that_eliminates_leaves_rubble_and_a_light_one_does_not():
    game = shot(u("us_abrams", "A5"), u("ins_tecnica", "D5"), "heavy", dice=(6,))
    assert game.state.rubble == ("D5",)
    assert "macerie.creazione" in game.cited
    game = shot(u("usmc_lav", "C5"), u("ins_cellula", "E5"), dice=(6,))
    assert game.state.rubble == ()


@pytest.mark.rule("warfare:macerie.creazione", "warfare:arbitrato.macerie_effetto")
def test_rubble_pushes_population_and_removes_markers():
    game = Table(
        unita={"b1": u("us_jltv", "F5"), "r1": u("ru_t72", "C5"), "v1": u("ins_cellula", "L1")},
        lati=["blu", "rosso", "verde"],
        posizioni={"blu": 20, "rosso": 10, "verde": 20},
        popolazione={"p1": {"esagono": "F5", "folla": "si"}},
        nascosti={"i1": {"tipo": "dummy", "esagono": "F5", "di": "verde"}},
        blocchi=["F4"],
        dice=(6,),
    )
    game.play("u:r1", "b:fuoco", "b:pesante", "u:b1")
    assert game.asked.side == "verde", "the Irregular player moves the population"
    assert game.why_not("h:F4") == {"arbitrato.macerie_effetto"}
    state = game.play("h:G5").state
    assert state.rubble == ("F5",)
    assert state.hidden == {}
    assert state.population["p1"].hex == "G5"
    assert "arbitrato.macerie_effetto" in game.cited


@pytest.mark.rule("warfare:arbitrato.macerie_effetto", "warfare:macerie.creazione")
def test_a_shell_that_drifts_into_smoke_leaves_rubble_and_no_smoke():
    game = Table(
        unita={"b1": u("usmc_squad", "D4"), "v1": u("ins_cellula", "F4")},
        supporti={"us_art155": {"lato": "blu"}},
        fumo=["G4", "A1"],
        dice=(1, 6),
    )
    state = game.play("c:us_art155", "b:colpisci", "b:pesante", "u:v1", "b:freccia-E").state
    assert (state.rubble, state.smoke) == (("G4",), ("A1",))


@pytest.mark.rule("warfare:macerie.scenario", "warfare:macerie.segnalino")
def test_rubble_may_lie_there_from_the_start():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, macerie=["D5"])
    game.play("u:b1", "b:muovi")
    assert "macerie.segnalino" in game.why_not("h:D5")


@pytest.mark.rule("warfare:anfibio.fuoco")
def test_infantry_in_the_water_does_not_fire_and_vehicles_do():
    target = u("ins_cellula", "G8")
    game = Table(unita={"b1": u("ita_lagunari", "H8"), "v1": target})
    game.play("u:b1")
    assert "anfibio.fuoco" in game.why_not("b:fuoco")
    game = shot(u("usmc_lav", "H8"), target)
    assert "fuoco.passo5" in game.cited


@pytest.mark.rule("warfare:unita.nebbia")
def test_values_are_hidden_until_a_unit_fights():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": u("ins_mg", "E5")}, dice=(1,))
    before = {c.id: c for c in TITLE.view(game.state, "blu").counters}["v1"]
    assert "light" not in before.facts
    assert before.name.id == "unknown {kind}"
    game.play("u:b1", "b:fuoco", "b:leggero", "u:v1")
    after = {c.id: c for c in TITLE.view(game.state, "blu").counters}["v1"]
    assert after.facts["type"] == "ins_mg"
    assert "unita.nebbia" in game.cited
    firer = {c.id: c for c in TITLE.view(game.state, "verde").counters}["b1"]
    assert firer.facts["type"] == "usmc_squad", "who fires shows its values too"


@pytest.mark.rule("warfare:unita.nebbia")
def test_odds_take_a_typical_defence_for_unseen_units():
    game = Table(unita={"b1": u("usmc_lav", "C5"), "v1": u("ins_cellula", "E5")})
    game.play("u:b1", "b:fuoco", "b:leggero")
    decision = game.position.decision
    belief = TITLE.belief(game.state, "blu")
    assert TITLE.questions(belief, decision)[0].msg.facts["defence"] == 1


@pytest.mark.rule(
    "warfare:ostaggi.scudo", "warfare:ostaggi.solo_assalto", "warfare:arbitrato.scudo_supporti"
)
def test_regulars_do_not_attack_irregulars_among_the_population_but_assault_them():
    for crowd in ("si", "no"):
        game = Table(
            unita={"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "D5")},
            popolazione={"p1": {"esagono": "D5", "folla": crowd}},
            supporti={"us_a10": {"lato": "blu"}},
        )
        assert {"ostaggi.scudo", "arbitrato.scudo_supporti"} <= game.why_not("c:us_a10")
        game.play("u:b1")
        assert {"ostaggi.scudo", "ostaggi.solo_assalto"} <= game.why_not("b:fuoco")
        assert "b:assalta" in game.options


@pytest.mark.rule("warfare:ostaggi.irregolari_sparano")
def test_only_irregulars_fire_where_civilians_are():
    people = {"p1": {"esagono": "D5"}}
    game = Table(
        unita={"b1": u("usmc_squad", "C5"), "r1": u("ru_fucilieri", "D5")},
        lati=["blu", "rosso"],
        posizioni={"blu": 10, "rosso": 20},
        popolazione=people,
    )
    game.play("u:b1")
    assert "ostaggi.irregolari_sparano" in game.why_not("b:fuoco")
    game = Table(
        unita={"b1": u("usmc_squad", "D5"), "v1": u("ins_cellula", "C5")},
        popolazione=people,
        caselle={"blu": 20, "verde": 30},
    )
    game.play("u:v1")
    assert "b:fuoco" in game.options


@pytest.mark.rule("warfare:ostaggi.scudo")
def test_irregulars_are_not_stopped_by_population():
    game = Table(
        unita={"b1": u("usmc_squad", "D5"), "v1": u("ins_cellula", "C5")},
        popolazione={"p1": {"esagono": "C5"}},
        caselle={"blu": 20, "verde": 30},
    )
    game.play("u:v1")
    assert "b:fuoco" in game.options


@pytest.mark.rule("warfare:macerie.creazione", "warfare:stacking.attraversare")
def test_rubble_may_fall_on_a_friend_that_was_being_crossed_and_it_can_still_leave():
    game = Table(
        unita={
            "b1": u("us_jltv", "A5", danno=2),
            "b2": u("us_rifle", "B5"),
            "r1": u("ru_t72", "B8", overwatch="si"),
        },
        lati=["blu", "rosso"],
        posizioni={"blu": 10, "rosso": 30},
        dice=(6,),
    )
    game.go("b1", "B5", "C5")
    state = game.play("u:r1").state
    assert (state.rubble, state.units["b2"].hex) == (("B5",), "B5")
    assert list(TITLE.invariants(state)) == []
    assert game.go("b2", "C5").state.units["b2"].hex == "C5"
    game.play("u:b2", "b:muovi")
    assert game.why_not("h:B5") == {"macerie.segnalino"}
