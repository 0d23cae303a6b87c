"""Martyrdom."""

from __future__ import annotations

import pytest

from tests.warfare.board import against, cited, now, offered, rolled, say, table, u

GREEN = {"blu": 20, "verde": 30}


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
