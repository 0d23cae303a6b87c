"""Snipers and their duels."""

from __future__ import annotations

import pytest

from tests.warfare.table import Table, u

GREEN = {"blu": 20, "verde": 30}


def snipe(units, *, dice, supports=None, target="v1"):
    game = Table(unita=units, supporti=supports or {"usmc_sniper": {"lato": "blu"}}, dice=dice)
    game.play("c:usmc_sniper", "b:mira", f"u:{target}")
    return game


@pytest.mark.rule(
    "warfare:tiratore.uso", "warfare:tiratore.modificatori", "warfare:tiratore.ritorno"
)
def test_a_sniper_needs_no_line_and_takes_no_modifier():
    game = snipe({"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "I3")}, dice=(3,))
    assert game.rolled == ["1green"]
    assert game.state.units["v1"].morale == 1
    assert game.state.supports["usmc_sniper"].place == "on the track"
    assert {"tiratore.uso", "tiratore.modificatori", "tiratore.ritorno"} <= game.cited


@pytest.mark.rule("warfare:tiratore.modificatori")
def test_the_snipers_own_damage_counts():
    game = snipe(
        {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "I3")},
        dice=(3,),
        supports={"usmc_sniper": {"lato": "blu", "danno": 1}},
    )
    assert game.rolled == ["1grey"]
    assert game.state.cubes["blu"].position == 13


@pytest.mark.rule("warfare:tiratore.limiti")
def test_a_sniper_spares_vehicles_smoke_and_shields():
    units = {
        "b1": u("usmc_squad", "A1"),
        "v1": u("ins_tecnica", "C5"),
        "v2": u("ins_cellula", "E5"),
        "v3": u("ins_cellula", "G5"),
        "v4": u("ins_cellula", "K5"),
    }
    game = Table(
        unita=units,
        supporti={"usmc_sniper": {"lato": "blu"}},
        fumo=["E5"],
        popolazione={"p1": {"esagono": "G5"}},
    )
    game.play("c:usmc_sniper", "b:mira")
    assert game.why_not("u:v1") == {"tiratore.limiti"}
    assert game.why_not("u:v2") == {"tiratore.limiti", "arbitrato.tiratore_fumo"}
    assert "ostaggi.scudo" in game.why_not("u:v3")
    assert list(game.options) == ["u:v4"]
    game = Table(
        unita={"b1": u("ita_mangusta", "C5"), "v1": u("ins_cellula", "E5")},
        supporti={"ins_sniper": {"lato": "verde"}},
        caselle=GREEN,
    )
    game.play("c:ins_sniper")
    assert game.why_not("b:mira") == {"tiratore.limiti", "tiratore.uso"}


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
    assert game.asked.side == "verde"
    game.play("c:ins_sniper")
    assert game.rolled == ["1grey", "1grey"]
    assert game.state.supports["usmc_sniper"].damage == 1
    assert "arbitrato.danno_durante" in game.cited


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
    state = game.play("b:rinuncia").state
    assert state.supports["ins_sniper"].overwatch
    assert state.units["v1"].morale == 1


@pytest.mark.rule("warfare:arbitrato.tiratore_overwatch", "warfare:overwatch.azione")
def test_a_sniper_in_overwatch_fires_at_infantry_that_moves_anywhere():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "I5")}
    game = Table(
        unita=units,
        supporti={"usmc_sniper": {"lato": "blu"}},
        dice=(3,),
        caselle={"blu": 30, "verde": 30},
    )
    game.play("c:usmc_sniper", "b:overwatch")
    game.go("v1", "I4")
    assert game.asked.side == "blu"
    state = game.play("c:usmc_sniper").state
    assert state.units["v1"].morale == 1
    assert state.supports["usmc_sniper"].place == "on the track"
    assert "arbitrato.tiratore_overwatch" in game.cited
