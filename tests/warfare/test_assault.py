"""Assault, retreat, advance, population."""

from __future__ import annotations

import pytest

from engine.warfare import TITLE
from tests.warfare.table import Table, u


def assault(target, *, dice, attacker=None, **given):
    game = Table(
        unita={"b1": attacker or u("us_engineers", "E5"), "v1": target}, dice=dice, **given
    )
    game.play("u:b1", "b:assalta", "u:v1")
    return game


@pytest.mark.rule("warfare:assalto.test", "warfare:assalto.fallito")
def test_a_critical_failure_wounds_the_assaulter():
    game = assault(u("ins_cellula", "F5"), dice=(1,))
    assert game.state.units["b1"].damage == 1
    assert game.state.units["b1"].hex == "E5"
    assert {"assalto.test", "assalto.fallito"} <= game.cited


@pytest.mark.rule("warfare:assalto.test", "warfare:assalto.fallito")
def test_a_failure_costs_two_more_ap():
    game = assault(u("ins_cellula", "F5"), dice=(2,))
    assert game.paid == [("blu", 4), ("blu", 2)]
    assert game.state.units["v1"].hex == "F5"
    assert game.state.units["b1"].hex == "E5"


@pytest.mark.rule("warfare:assalto.test", "warfare:arbitrato.assalto_test")
def test_a_marginal_success_shakes_without_a_wound():
    game = assault(u("ins_cellula", "F5"), dice=(3,))
    unit = game.state.units["v1"]
    assert (unit.morale, unit.damage, unit.hex) == (1, 0, "G5")
    assert "arbitrato.assalto_test" in game.cited


@pytest.mark.rule("warfare:assalto.test", "warfare:trasporto.perdite")
def test_a_critical_success_eliminates_and_the_cargo_with_it():
    game = Table(
        unita={
            "b1": u("us_engineers", "E5"),
            "v1": u("ins_tecnica", "F5"),
            "v2": u("ins_cellula", a_bordo="v1"),
        },
        dice=(6,),
    )
    state = game.play("u:b1", "b:assalta", "u:v1").state
    assert [state.units[n].place for n in ("v1", "v2")] == ["out of the game"] * 2
    assert state.units["b1"].hex == "F5"


@pytest.mark.rule("warfare:overwatch.fine", "warfare:unita.nebbia")
def test_an_assault_ends_the_overwatch_of_both_and_shows_both():
    game = assault(
        u("ins_cellula", "F5", overwatch="si"),
        attacker=u("us_engineers", "E5", overwatch="si"),
        dice=(3,),
    )
    for side, name in (("blu", "v1"), ("verde", "b1")):
        assert not game.state.units[name].overwatch
        seen = {c.id: c for c in TITLE.view(game.state, side).counters}[name]
        assert "type" in seen.facts


@pytest.mark.rule("warfare:assalto.azione")
def test_only_an_adjacent_enemy_is_assaulted():
    game = Table(unita={"b1": u("us_engineers", "E5"), "v1": u("ins_cellula", "G5")})
    game.play("u:b1")
    assert game.why_not("b:assalta") == {"assalto.azione"}


@pytest.mark.rule("warfare:assalto.test", "warfare:assalto.ritirata", "warfare:assalto.avanzata")
def test_a_success_hurts_shakes_and_drives_the_defender_back():
    game = assault(u("ins_cellula", "F5"), dice=(5,))
    state = game.state
    assert (state.units["v1"].hex, state.units["v1"].morale, state.units["v1"].damage) == (
        "G5",
        1,
        1,
    )
    assert state.units["b1"].hex == "F5"
    assert {"assalto.ritirata", "assalto.avanzata", "assalto.no_overwatch"} <= game.cited


@pytest.mark.rule("warfare:assalto.ritirata", "warfare:morale.soppresso")
def test_a_suppressed_defender_surrenders_instead_of_retreating():
    game = assault(u("ins_cellula", "F5", morale=2), dice=(3,))
    assert game.state.units["v1"].place == "out of the game"
    assert game.state.units["b1"].hex == "F5"


@pytest.mark.rule("warfare:assalto.ritirata_impossibile", "warfare:arbitrato.ritirata_legale")
@pytest.mark.parametrize(
    "obstacle", [{"blocchi": ["G5"]}, {"macerie": ["G5"]}, {"third": "v9"}, {"third": "b9"}]
)
def test_a_defender_without_a_way_back_is_eliminated(obstacle):
    units = {"b1": u("us_engineers", "E5"), "v1": u("ins_cellula", "F5")}
    third = obstacle.get("third")
    units |= {third: u("us_rifle" if third[0] == "b" else "ins_cellula", "G5")} if third else {}
    given = {} if third else obstacle
    game = Table(unita=units, dice=(3,), **given)
    game.play("u:b1", "b:assalta", "u:v1")
    assert game.state.units["v1"].place == "out of the game"
    assert game.state.units["b1"].hex == "F5"
    assert "assalto.ritirata_impossibile" in game.cited


@pytest.mark.rule("warfare:assalto.ritirata_impossibile")
def test_the_edge_of_the_map_is_no_way_back():
    game = assault(u("ins_cellula", "L5"), dice=(3,), attacker=u("us_engineers", "K5"))
    assert game.state.units["v1"].place == "out of the game"


@pytest.mark.rule(
    "warfare:assalto.costo", "warfare:assalto.dado", "warfare:arbitrato.assalto_difesa"
)
def test_light_weapons_terrain_and_damage_make_the_die_and_defence_does_not():
    game = Table(
        unita={"b1": u("usmc_squad", "E4"), "v1": u("ins_cellula", "E5", danno=1)},
        caselle={"blu": 20, "verde": 30},
        dice=(3,),
    )
    game.play("u:v1", "b:assalta", "u:b1")
    assert game.rolled == ["1white"]
    assert game.state.cubes["verde"].position == 10 + 1 + 2
    assert {"assalto.dado", "arbitrato.assalto_difesa"} <= game.cited


@pytest.mark.rule("warfare:assalto.veicoli", "warfare:arbitrato.assalto_scudo_veicolo")
def test_vehicles_are_assaulted_with_heavy_weapons():
    game = assault(u("ins_tecnica", "F5"), dice=(4,))
    assert game.rolled == ["1grey"]
    assert game.state.cubes["blu"].position == 16
    assert "assalto.veicoli" in game.cited
    game = Table(unita={"b1": u("us_mg", "E5"), "v1": u("ins_tecnica", "F5")})
    game.play("u:b1")
    assert {"assalto.veicoli", "arbitrato.assalto_scudo_veicolo"} <= game.why_not("b:assalta")
    game = Table(
        unita={"b1": u("us_jltv", "F5"), "v1": u("ins_sam", "E5")}, caselle={"blu": 20, "verde": 30}
    )
    game.play("u:v1")
    assert "assalto.veicoli" in game.why_not("b:assalta"), "SAM are no help"


@pytest.mark.rule("warfare:assalto.chi", "warfare:elicotteri.no_assalto")
def test_vehicles_and_helicopters_do_not_assault():
    game = Table(
        unita={
            "b1": u("usmc_lav", "E5"),
            "b2": u("ita_mangusta", "F4"),
            "v1": u("ins_cellula", "F5"),
        }
    )
    game.play("u:b1")
    assert "assalto.chi" in game.why_not("b:assalta")
    game = Table(unita={"b2": u("ita_mangusta", "F4"), "v1": u("ins_cellula", "F5")})
    game.play("u:b2")
    assert "elicotteri.no_assalto" in game.why_not("b:assalta")


@pytest.mark.rule("warfare:assalto.bersagli_vietati", "warfare:elicotteri.no_assalto")
def test_helicopters_are_not_assaulted():
    game = Table(
        unita={
            "b1": u("ita_mangusta", "E5"),
            "b2": u("usmc_squad", "F4"),
            "v1": u("ins_cellula", "F5"),
        },
        caselle={"blu": 20, "verde": 30},
    )
    game.play("u:v1", "b:assalta")
    assert {"assalto.bersagli_vietati", "elicotteri.no_assalto"} <= game.why_not("u:b1")
    assert list(game.options) == ["u:b2"]


@pytest.mark.rule("warfare:assalto.azione", "warfare:arbitrato.assalto_fortificazione")
def test_nobody_assaults_across_triangles():
    game = Table(
        unita={
            "b1": u("us_engineers", "C7"),
            "b2": u("us_rifle", "E7"),
            "v1": u("ins_cellula", "D7"),
        }
    )
    game.play("u:b1")
    assert {"fortificazioni.lati", "arbitrato.assalto_fortificazione"} <= game.why_not("b:assalta")
    game = Table(unita={"b2": u("us_rifle", "E7"), "v1": u("ins_cellula", "D7")}, dice=(2,))
    game.play("u:b2", "b:assalta", "u:v1")
    assert game.rolled == ["1green"], "from inside the fortification does not shift the die"


@pytest.mark.rule("warfare:assalto.no_overwatch")
def test_advance_and_retreat_draw_no_overwatch():
    game = Table(
        unita={
            "b1": u("us_engineers", "E5"),
            "v1": u("ins_cellula", "F5"),
            "v2": u("ins_mg", "F7", overwatch="si"),
        },
        dice=(3,),
    )
    game.play("u:b1", "b:assalta", "u:v1")
    assert game.asked.side == "blu"
    assert game.state.units["v2"].overwatch


@pytest.mark.rule("warfare:arbitrato.folla_ritirata", "warfare:assalto.avanzata")
def test_a_crowd_with_nowhere_to_go_stays_and_the_assaulter_advances_all_the_same():
    game = assault(
        u("ins_cellula", "F5"),
        dice=(6,),
        popolazione={"p1": {"esagono": "F5", "folla": "si"}},
        blocchi=["E4", "F4", "G5", "F6"],
        macerie=["E6"],
    )
    assert game.asked.side == "blu"
    assert game.state.population["p1"].hex == "F5"
    assert game.state.units["b1"].hex == "F5"
    assert "arbitrato.folla_ritirata" in game.cited


@pytest.mark.rule("warfare:arbitrato.ingressi", "warfare:ied.ingresso")
def test_a_defender_retreats_over_a_mine_and_its_crowd_is_moved_if_it_dies():
    game = assault(
        u("ins_cellula", "F5", danno=2),
        dice=(3, 6),
        popolazione={"p1": {"esagono": "F5", "folla": "si"}},
        nascosti={"i1": {"tipo": "mina", "esagono": "G5", "di": "verde"}},
    )
    assert game.state.units["v1"].place == "out of the game"
    assert game.rolled == ["1green", "1yellow"]
    assert game.asked.side == "verde", "the crowd goes where its player says"


@pytest.mark.rule("warfare:assalto.folla_segue", "warfare:arbitrato.folla_ritirata")
def test_a_crowd_goes_with_a_defender_that_retreats():
    game = assault(
        u("ins_cellula", "F5"), dice=(3,), popolazione={"p1": {"esagono": "F5", "folla": "si"}}
    )
    assert game.state.population["p1"].hex == "G5"
    assert "assalto.folla_segue" in game.cited


@pytest.mark.rule(
    "warfare:assalto.civili_restano", "warfare:ostaggi.liberazione", "warfare:popolazione.difensore"
)
def test_civilians_stay_and_are_freed():
    game = assault(u("ins_cellula", "F5"), dice=(6,), popolazione={"p1": {"esagono": "F5"}})
    assert game.state.population["p1"].hex == "F5"
    assert {"assalto.civili_restano", "ostaggi.liberazione", "popolazione.difensore"} <= game.cited


@pytest.mark.rule("warfare:ostaggi.liberazione", "warfare:unita.regolari")
def test_irregulars_that_advance_free_nobody():
    game = Table(
        unita={"b1": u("usmc_squad", "F5"), "v1": u("ins_cellula", "E5")},
        caselle={"blu": 20, "verde": 30},
        popolazione={"p1": {"esagono": "F5"}},
        dice=(6,),
    )
    game.play("u:v1", "b:assalta", "u:b1")
    assert game.state.units["v1"].hex == "F5"
    assert "ostaggi.liberazione" not in game.cited


@pytest.mark.rule("warfare:assalto.folla_critico", "warfare:popolazione.difensore")
def test_the_irregular_player_moves_the_crowd_of_an_eliminated_defender():
    game = assault(
        u("ins_cellula", "F5"),
        dice=(6,),
        popolazione={"p1": {"esagono": "F5", "folla": "si"}},
        blocchi=["G5"],
    )
    assert game.asked.side == "verde"
    assert {"assalto.folla_critico", "arbitrato.folla_ritirata"} <= game.why_not("h:G5")
    assert "assalto.folla_critico" in game.why_not("h:E5"), "the assaulter stands there"
    state = game.play("h:F4").state
    assert state.population["p1"].hex == "F4"
    assert state.units["b1"].hex == "F5"


@pytest.mark.rule("warfare:popolazione.assaltatore")
def test_the_assaulter_leaves_its_population_behind():
    game = assault(u("ins_cellula", "F5"), dice=(6,), popolazione={"p1": {"esagono": "E5"}})
    assert game.state.population["p1"].hex == "E5"
    assert "popolazione.assaltatore" in game.cited


@pytest.mark.rule("warfare:assalto.avanzata", "warfare:ignoti.blocco")
def test_who_advances_into_a_hidden_roadblock_goes_back_for_nothing():
    game = assault(
        u("ins_cellula", "F5"),
        dice=(6,),
        nascosti={"i1": {"tipo": "ignoto_blocco", "esagono": "F5", "di": "verde"}},
    )
    assert game.state.units["b1"].hex == "E5"
    assert game.state.roadblocks == ("F5",)
    assert game.paid == [("blu", 4)]


@pytest.mark.rule("warfare:assalto.avanzata", "warfare:ignoti.rivelare")
def test_hidden_markers_act_on_who_advances():
    game = assault(
        u("ins_cellula", "F5"),
        dice=(6, 1),
        nascosti={"i1": {"tipo": "ied_rosso", "esagono": "F5", "di": "verde"}},
    )
    assert game.state.hidden == {}
    assert "ied.ingresso" in game.cited
