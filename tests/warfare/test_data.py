"""Counters, dice, terrain and supports against the numbers that the book prints."""

from __future__ import annotations

import pytest

from engine.warfare import TITLE
from engine.warfare.state import ascs
from engine.warfare.state.tables import (
    COLOURS,
    DICE,
    HIDDEN,
    ROSTER,
    SCENARIO_IDS,
    SUPPORTS,
    TERRAIN,
)
from engine.warfare.state.tables import packaged_scenario as scenario
from tests.warfare.table import FAR, Table, u


@pytest.mark.rule("warfare:dadi.set", "warfare:dadi.ordine", "warfare:recupero.costo")
def test_nine_dice_from_white_to_black():
    assert COLOURS == (
        "white",
        "pink",
        "grey",
        "green",
        "yellow",
        "red",
        "blue",
        "purple",
        "black",
    )
    assert tuple(die.colour for die in DICE.dice) == COLOURS
    assert all(len(die.combat) == len(die.test) == 6 for die in DICE.dice)


@pytest.mark.rule("warfare:dadi.combattimento", "warfare:dadi.test")
@pytest.mark.parametrize(
    ("colour", "combat", "test"),
    [
        ("white", {"morale"}, set()),
        ("grey", {"missed", "morale", "damage 2"}, {"marginal success", "critical success"}),
        ("green", {"morale"}, {"critical failure", "marginal success", "success"}),
        ("purple", {"eliminated"}, set()),
    ],
)
def test_every_face_that_an_example_shows_is_on_its_die(colour, combat, test):
    place = ascs.index(colour)
    assert combat <= set(ascs.COMBAT_FACES[place])
    assert test <= set(ascs.TEST_FACES[place])


@pytest.mark.rule("warfare:unita.valori", "warfare:azioni.speciali", "warfare:arbitrato.mg_sette")
def test_the_counters_of_the_examples_have_the_values_of_the_book():
    def light(name):
        return ROSTER[name].light.ap, ROSTER[name].light.die

    def heavy(name):
        return ROSTER[name].heavy.ap, ROSTER[name].heavy.die

    assert (light("usmc_squad"), ROSTER["usmc_squad"].defence) == ((3, "green"), 1)
    assert (light("usmc_lav"), ROSTER["usmc_lav"].defence) == ((6, "red"), 2)
    assert "transport" in ROSTER["usmc_lav"].abilities
    assert light("us_engineers") == (4, "green")
    assert ROSTER["us_engineers"].icons == {"engineers": "green"}
    assert (ROSTER["us_mg"].light.ap, ROSTER["us_mg"].icons) == (7, {"suppression": "green"})
    assert (light("ins_at"), heavy("ins_at")) == ((2, "pink"), (5, "yellow"))
    assert ROSTER["ins_at"].abilities == ("helicopter_hunter",)
    assert (ROSTER["ins_sam"].light.ap, heavy("ins_sam")) == (2, (6, "red"))
    assert ROSTER["ins_sam"].sam
    assert (ROSTER["ins_tecnica"].kind, ROSTER["ins_tecnica"].defence) == ("vehicle", 0)
    assert (ROSTER["ita_mangusta"].kind, ROSTER["ita_mangusta"].defence) == ("helicopter", 2)


@pytest.mark.rule("warfare:supporti.lista", "warfare:tiratore.segnalino", "warfare:cas.cannone")
def test_the_supports_of_the_examples_have_the_values_of_the_book():
    a10 = SUPPORTS["us_a10"]
    assert (a10.light.ap, a10.light.die, a10.defence) == (8, "purple", 3)
    assert (SUPPORTS["usmc_sniper"].light.ap, SUPPORTS["usmc_sniper"].light.die) == (4, "green")
    assert SUPPORTS["ins_sniper"].light.ap == 2
    snipers = [s for s in SUPPORTS.values() if s.kind == "sniper"]
    assert all(s.heavy is None for s in snipers), "one value, one colour"
    assert {s.kind for s in SUPPORTS.values()} == {"cas", "artillery", "mortar", "sniper", "drone"}


@pytest.mark.rule("warfare:ied.segnalini", "warfare:dummy.segnalino", "warfare:ied.attacco")
def test_only_ied_and_mines_have_a_die():
    kinds = {h.kind: h.die is not None for h in HIDDEN.values()}
    assert kinds == {"ied": True, "mine": True, "roadblock": False, "dummy": False, "sniper": False}


@pytest.mark.rule("warfare:droni.facce", "warfare:arbitrato.droni_bersagli")
def test_the_large_face_of_a_drone_has_the_symbol_and_the_small_one_has_not():
    drones = [s for s in SUPPORTS.values() if s.kind == "drone"]
    assert {s.id: s.symbol for s in drones} == {
        "us_drone_mq": True,
        "us_drone_fpv": False,
        "ru_drone_orion": True,
        "ru_drone_fpv": False,
        "ins_drone_fpv": False,
    }
    for drone in drones:
        if drone.other_face:
            assert SUPPORTS[drone.other_face].other_face == drone.id


@pytest.mark.rule(
    "warfare:terreno.tabella",
    "warfare:los.livelli",
    "warfare:terreno.acqua",
    "warfare:terreno.elevato",
)
def test_the_terrain_table():
    table = {
        t.id: (
            t.level,
            t.modifier,
            t.blocks,
            tuple(t.cost[k] for k in ("infantry", "vehicle", "helicopter")),
        )
        for t in TERRAIN.values()
    }
    assert table == {
        "open": (0, 0, False, ("1", "1/2", "1/3")),
        "cover": (1, -1, True, ("1", "2", "1/3")),
        "fortification": (1, -2, True, ("1", "2", "1/3")),
        "high ground": (2, -1, False, ("2", "3", "1/3")),
        "water": (0, 0, False, ("1", "1", "1/3")),
        "bridge": (0, 0, False, ("1", "1/2", "1/3")),
    }


@pytest.mark.rule("warfare:track.cubetti", "warfare:unita.fazioni", "warfare:unita.regolari")
def test_cubes_have_the_colour_of_their_block_and_irregulars_are_green():
    blocks = {"USA": "west", "ITA": "west", "RU": "east", "INS": "irregular"}
    cubes = {
        "west": {"blu", "grigio"},
        "east": {"rosso", "arancione"},
        "irregular": {"verde", "giallo"},
    }
    for name in SCENARIO_IDS:
        start = TITLE.start(name, {})
        for side, force in scenario(name).forces.items():
            (block,) = {blocks[faction] for faction in force.factions}
            assert force.cube in cubes[block], (name, side)
            assert start.cubes[side].regular == (block != "irregular")
            units = [unit for unit in start.units.values() if unit.side == side]
            assert all(unit.values.faction in force.factions for unit in units), (name, side)


@pytest.mark.rule("warfare:scenari.s1", "warfare:scenari.s5", "warfare:setup.supporti")
def test_no_scenario_uses_a_support_before_the_chapter_that_teaches_it():
    taught = {"artillery": 3, "mortar": 3, "sniper": 4, "cas": 5, "drone": 5}
    for name in SCENARIO_IDS:
        for force in scenario(name).forces.values():
            kinds = [SUPPORTS[s].kind for s in force.supports]
            assert all(taught[kind] <= scenario(name).chapter for kind in kinds), name


# What a screen tints


@pytest.mark.rule("warfare:fuoco.passo3", "warfare:movimento.limite_ap")
def test_reach_and_range_are_overlays_that_every_screen_knows():
    game = Table(unita={"b1": u("usmc_squad", "C4"), "v1": u("ins_cellula", "E5")})
    game.play("u:b1")
    found = overlays(game)
    assert set(found) == {"reach", "range"}
    assert found["reach"]["E4"] == "2"
    assert found["range"]["E5"] == "2"
    assert "F4" not in found["range"], "behind the house in E4"
    assert max(int(n) for n in found["range"].values()) == 5
    game.play("b:fuoco", "b:pesante")
    assert max(int(n) for n in overlays(game)["range"].values()) == 3


@pytest.mark.rule("warfare:fuoco.rombo")
def test_the_range_of_sam_is_shown_only_once_they_are_chosen():
    units = {"b1": u("ita_mangusta", "C5"), "v1": u("ins_sam", "E5")}
    game = Table(unita=units, caselle={"blu": 20, "verde": 30})
    game.play("u:v1")
    assert max(int(n) for n in overlays(game)["range"].values()) == 3
    game.play("b:fuoco", "b:pesante")
    assert max(int(n) for n in overlays(game)["range"].values()) > 3
    assert list(game.options) == ["u:b1"]


@pytest.mark.rule("warfare:overwatch.fuoco")
def test_who_does_not_act_has_no_reach_or_range():
    game = Table(unita={"b1": u("usmc_squad", "C4"), "v1": FAR})
    assert set(overlays(game)) == {"options"}


def overlays(game):
    """The overlays of the open decision, with hexes by their labels."""
    decision = game.position.decision
    belief = TITLE.belief(game.state, decision.side)
    board = TITLE.view(game.state, decision.side).board
    return {
        o.id: {board.label(hex): text for hex, text in o.hexes.items()}
        for o in TITLE.overlays(belief, decision)
    }
