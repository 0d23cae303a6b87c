"""Martyrdom."""

from __future__ import annotations

import pytest

from tests.warfare.table import Table, u

GREEN = {"blu": 20, "verde": 30}


def martyrdom(face, target=None, **given):
    game = Table(
        unita={"b1": target or u("us_jltv", "D5"), "v1": u("ins_martiri", "C5", morale=1)},
        caselle=GREEN,
        dice=(face,),
        **given,
    )
    game.play("u:v1", "b:martirio", "u:b1")
    return game


@pytest.mark.rule("warfare:martirio.azione", "warfare:martirio.test", "warfare:martirio.costo")
@pytest.mark.parametrize(
    ("face", "morale", "damage", "place"),
    [(1, 1, 0, "map"), (3, 0, 1, "map"), (4, 0, 2, "map"), (6, 0, 0, "out of the game")],
)
def test_each_result_of_martyrdom(face, morale, damage, place):
    game = martyrdom(face)
    unit = game.state.units["b1"]
    assert (unit.morale, unit.damage, unit.place) == (morale, damage, place)
    assert game.state.units["v1"].place == "out of the game"
    assert game.rolled == ["1red"]
    assert game.state.cubes["verde"].position == 12
    assert {"martirio.azione", "martirio.test", "martirio.costo"} <= game.cited


@pytest.mark.rule("warfare:martirio.test")
def test_a_critical_failure_costs_only_the_martyr():
    game = Table(
        unita={"b1": u("us_jltv", "D5"), "v1": u("ins_martiri", "C5", danno=1)},
        caselle=GREEN,
        dice=(1,),
    )
    state = game.play("u:v1", "b:martirio", "u:b1").state
    assert game.rolled == ["1yellow"]
    assert (state.units["b1"].morale, state.units["b1"].damage) == (0, 0)
    assert state.units["v1"].place == "out of the game"


@pytest.mark.rule("warfare:martirio.azione", "warfare:arbitrato.martirio_modificatori")
def test_a_suppressed_unit_gives_no_life_and_triangles_do_not_stop_a_martyr():
    game = Table(
        unita={"b1": u("us_rifle", "D7"), "v1": u("ins_martiri", "C7", morale=2)}, caselle=GREEN
    )
    game.play("u:v1")
    assert "morale.soppresso" in game.why_not("b:martirio")
    game = Table(
        unita={"b1": u("us_rifle", "D7"), "v1": u("ins_martiri", "C7")}, caselle=GREEN, dice=(6,)
    )
    state = game.play("u:v1", "b:martirio", "u:b1").state
    assert state.units["b1"].place == "out of the game"
    assert game.rolled == ["1red"], "neither defence nor the fortification counts"


@pytest.mark.rule("warfare:martirio.bersaglio", "warfare:martirio.azione")
def test_martyrdom_takes_one_adjacent_ground_unit():
    game = Table(
        unita={
            "b1": u("us_jltv", "D5"),
            "b2": u("ita_mangusta", "B5"),
            "b3": u("us_rifle", "F5"),
            "v1": u("ins_martiri", "C5"),
        },
        caselle=GREEN,
        dice=(6,),
    )
    game.play("u:v1", "b:martirio")
    assert "martirio.azione" in game.why_not("u:b2")
    assert list(game.options) == ["u:b1"]
    state = game.play("u:b1").state
    assert state.units["b2"].damage == 0


@pytest.mark.rule("warfare:martirio.civili")
def test_population_is_never_hurt():
    game = martyrdom(
        6, popolazione={"p1": {"esagono": "D5"}, "p2": {"esagono": "C5", "folla": "si"}}
    )
    assert [p.hex for p in game.state.population.values()] == ["D5", "C5"]
    assert "martirio.civili" in game.cited


@pytest.mark.rule("warfare:martirio.scenario")
def test_a_scenario_may_exclude_martyrdom():
    game = Table(
        unita={"b1": u("us_jltv", "D5"), "r1": u("ins_martiri", "C5")},
        scenario="s5",
        lati=["blu", "rosso"],
        posizioni={"blu": 20, "rosso": 10},
    )
    game.play("u:r1")
    assert "martirio.scenario" in game.why_not("b:martirio")


@pytest.mark.rule("warfare:martirio.nota")
def test_players_may_leave_martyrdom_out():
    game = Table(
        unita={"b1": u("us_jltv", "D5"), "v1": u("ins_martiri", "C5")},
        caselle=GREEN,
        opzioni={"senza_martirio": "si"},
    )
    game.play("u:v1")
    assert "martirio.nota" in game.why_not("b:martirio")
