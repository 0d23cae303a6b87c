"""Supports, artillery and mortars."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.odds import odds
from engine.warfare import TITLE
from engine.warfare.state.state import WEAPON_IDS
from tests.warfare.table import FAR, Table, u

MORTAR = {"us_mort81": {"lato": "blu"}}


def strike(units, *, dice, value="light", target="v1", supports=None, **given):
    game = Table(unita=units, supporti=supports or MORTAR, dice=dice, **given)
    name = next(iter(supports or MORTAR))
    game.play(f"c:{name}", "b:colpisci", f"b:{WEAPON_IDS[value]}", f"u:{target}")
    return game


@pytest.mark.rule(
    "warfare:supporti.procedura", "warfare:artiglieria.chiamata", "warfare:artiglieria.in_los"
)
def test_an_observed_shot_is_fire_with_defence_and_terrain():
    game = strike({"b1": u("usmc_squad", "C4"), "v1": u("ins_cellula", "E4")}, dice=(2,))
    state = game.state
    assert game.rolled == ["1yellow"], "red, one less for cover"
    assert state.units["v1"].morale == 1
    assert state.cubes["blu"].position == 15
    assert state.supports["us_mort81"].place == "on the track"
    assert state.supports["us_mort81"].position == 15
    assert {
        "artiglieria.in_los",
        "artiglieria.chiamata",
        "artiglieria.ritorno",
        "supporti.procedura",
    } <= game.cited


@pytest.mark.rule(
    "warfare:artiglieria.ritorno", "warfare:supporti.ritorno", "warfare:arbitrato.supporto_giro"
)
def test_a_used_support_comes_back_after_a_lap_in_a_later_turn():
    units = {"b1": u("usmc_squad", "C4"), "v1": FAR}
    used = {"us_mort81": {"lato": "blu", "posizione": 15, "turno": 1}}
    game = Table(unita=units, supporti=used, posizioni={"blu": 54, "verde": 56}, turno=2)
    assert {"supporti.ritorno", "arbitrato.supporto_giro"} <= game.why_not("c:us_mort81")
    state = game.play("b:passa").state
    assert state.supports["us_mort81"].place == "available"
    assert "supporti.ritorno" in game.cited


@pytest.mark.rule("warfare:supporti.ritorno", "warfare:arbitrato.supporto_giro")
@pytest.mark.parametrize(("other", "place"), [(53, "on the track"), (54, "available")])
def test_a_lap_is_forty_boxes_and_not_one_less(other, place):
    used = {"us_mort81": {"lato": "blu", "posizione": 15, "turno": 1}}
    game = Table(
        unita={"b1": u("usmc_squad", "C4"), "v1": FAR},
        supporti=used,
        posizioni={"blu": 50, "verde": other},
        turno=2,
    )
    state = game.play("b:passa").state
    assert state.cubes["blu"].position == other + 1
    assert state.supports["us_mort81"].place == place


@pytest.mark.rule("warfare:supporti.ritorno")
def test_a_support_does_not_come_back_in_the_turn_of_its_use():
    units = {"b1": u("usmc_squad", "C4"), "v1": FAR}
    used = {"us_mort81": {"lato": "blu", "posizione": 15, "turno": 2}}
    game = Table(unita=units, supporti=used, posizioni={"blu": 54, "verde": 56}, turno=2)
    assert game.play("b:passa").state.supports["us_mort81"].place == "on the track"


@pytest.mark.rule("warfare:setup.supporti", "warfare:turno.nuovo")
def test_a_support_due_later_waits_for_its_turn():
    units = {"b1": u("usmc_squad", "C4"), "v1": FAR}
    game = Table(
        unita=units,
        supporti={"us_mort81": {"lato": "blu", "turno": 2}},
        posizioni={"blu": 38, "verde": 41},
    )
    assert game.why_not("c:us_mort81") == {"setup.supporti"}
    assert game.play("b:passa").state.supports["us_mort81"].place == "available"
    assert "turno.nuovo" in game.cited
    game = Table(
        unita=units,
        supporti={"us_mort81": {"lato": "blu", "turno": 3}},
        posizioni={"blu": 38, "verde": 41},
    )
    state = game.play("b:passa").state
    assert (state.turn, state.supports["us_mort81"].place) == (2, "waiting")


@pytest.mark.rule("warfare:artiglieria.valore")
def test_vehicles_take_the_heavy_value():
    units = {
        "b1": u("usmc_squad", "C4"),
        "v1": u("ins_tecnica", "E5"),
        "v2": u("ins_cellula", "G5"),
    }
    game = Table(unita=units, supporti=MORTAR)
    game.play("c:us_mort81", "b:colpisci", "b:leggero")
    assert game.why_not("u:v1") == {"artiglieria.valore"}
    assert list(game.options) == ["u:v2"]
    for kind in ("ins_tecnica", "ins_cellula"):
        units = {"b1": u("usmc_squad", "C4"), "v1": u(kind, "E5")}
        game = strike(units, dice=(1,), value="heavy")
        assert game.rolled == ["1yellow"], "the heavy value also at infantry"
        assert game.state.cubes["blu"].position == 16


@pytest.mark.rule("warfare:supporti.elicotteri", "warfare:arbitrato.bersaglio_vuoto")
def test_artillery_never_aims_at_helicopters():
    game = Table(
        unita={"b1": u("ita_mangusta", "C5"), "v1": u("ins_cellula", "E5")},
        supporti={"ins_mort82": {"lato": "verde"}},
        caselle={"blu": 20, "verde": 30},
    )
    assert {"supporti.elicotteri", "arbitrato.bersaglio_vuoto"} <= game.why_not("c:ins_mort82")


UNSEEN = {"b1": u("usmc_squad", "D4"), "v1": u("ins_cellula", "F4")}


@pytest.mark.rule("warfare:artiglieria.dispersione", "warfare:arbitrato.bussola_dispersione")
@pytest.mark.parametrize(
    ("arrow", "face", "hex"),
    [
        ("E", 1, "G4"),
        ("E", 2, "G5"),
        ("E", 3, "F5"),
        ("E", 4, "E4"),
        ("E", 5, "F3"),
        ("E", 6, "G3"),
        ("E", 7, "F4"),
        ("E", 8, "F4"),
        ("NE", 1, "G3"),
        ("NE", 2, "G4"),
        ("W", 6, "F5"),
    ],
)
def test_without_observation_the_shot_drifts_clockwise_from_the_arrow(arrow, face, hex):
    game = strike(UNSEEN, dice=(face, 1), value="heavy")
    game.play(f"b:freccia-{arrow}")
    assert [f["hex"] for f in game.facts("arbitrato.bussola_dispersione")] == [hex]
    assert {"artiglieria.dispersione", "arbitrato.bussola_dispersione"} <= game.cited


@pytest.mark.rule("warfare:artiglieria.dispersione")
@pytest.mark.parametrize(("face", "hit"), [(1, "v2"), (7, "v1")])
def test_a_shot_that_drifts_hits_who_is_where_it_falls(face, hit):
    game = strike({**UNSEEN, "v2": u("ins_cellula", "G4")}, dice=(face, 2))
    state = game.play("b:freccia-E").state
    assert [n for n, unit in state.units.items() if unit.morale] == [hit]
    assert game.paid == [("blu", 5)]
    assert state.supports["us_mort81"].position == 15
    assert "artiglieria.in_los" not in game.cited, "nobody saw where it fell"


@pytest.mark.rule("warfare:arbitrato.fuoco_amico", "warfare:artiglieria.valore")
def test_a_light_shot_that_drifts_does_nothing_to_vehicles_helicopters_or_off_the_map():
    for other in (u("us_jltv", "G4"), u("ita_mangusta", "G4"), u("ins_tecnica", "G4")):
        name = "v2" if other["tipo"].startswith("ins") else "b2"
        game = strike({**UNSEEN, name: other}, dice=(1,), fumo=["F4"])
        state = game.play("b:freccia-E").state
        assert (state.units[name].damage, state.units[name].morale) == (0, 0)
        assert game.rolled == ["1d8"]
        assert "arbitrato.fuoco_amico" in game.cited
    corner = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "L10")}
    game = strike(corner, dice=(1,), fumo=["L10"])
    state = game.play("b:freccia-E").state
    assert "arbitrato.fuoco_amico" in game.cited
    assert state.supports["us_mort81"].place == "on the track"


@pytest.mark.rule("warfare:artiglieria.in_los", "warfare:arbitrato.osservatore_morale")
def test_a_suppressed_unit_still_observes_and_an_enemy_does_not():
    game = strike({"b1": u("usmc_squad", "C4", morale=2), "v1": u("ins_cellula", "E4")}, dice=(1,))
    assert game.rolled == ["1yellow"]
    assert {"artiglieria.in_los", "arbitrato.osservatore_morale"} <= game.cited
    game = strike({**UNSEEN, "v2": u("ins_mg", "G4")}, dice=())
    assert "b:freccia-E" in game.options, "a friend of the target is no observer"


@pytest.mark.rule("warfare:supporti.procedura", "warfare:arbitrato.supporto_senza_chiamata")
def test_a_support_is_called_with_every_unit_suppressed():
    game = strike({"b1": u("usmc_squad", "C5", morale=2), "v1": u("ins_cellula", "E5")}, dice=(2,))
    assert game.state.units["v1"].morale == 1
    assert "supporti.procedura" in game.cited


@pytest.mark.rule("warfare:artiglieria.dispersione", "warfare:arbitrato.fuoco_amico")
def test_a_drifted_shot_hits_friends_too():
    game = strike({**UNSEEN, "b2": u("us_rifle", "G4")}, dice=(1, 4), fumo=["F4"])
    game.play("b:freccia-E")
    assert game.state.units["b2"].damage == 1
    assert game.rolled == ["1d8", "1yellow"]
    assert "artiglieria.dispersione" in game.cited


@pytest.mark.rule("warfare:artiglieria.vuoto")
def test_a_heavy_shot_on_an_empty_hex_may_leave_rubble_and_a_light_one_is_lost():
    supports = {"us_art155": {"lato": "blu"}}
    game = strike(UNSEEN, dice=(1, 6), value="heavy", supports=supports)
    game.play("b:freccia-E")
    assert game.state.rubble == ("G4",)
    assert {"artiglieria.vuoto", "macerie.creazione"} <= game.cited
    game = strike(UNSEEN, dice=(1,))
    game.play("b:freccia-E")
    assert "artiglieria.vuoto" in game.cited
    assert game.state.rubble == ()


@pytest.mark.rule("warfare:macerie.creazione", "warfare:artiglieria.valore")
@pytest.mark.parametrize(("value", "rubble"), [("light", ()), ("heavy", ("E5",))])
def test_a_shell_that_eliminates_leaves_rubble_only_with_the_heavy_value(value, rubble):
    units = {"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "E5")}
    game = strike(units, dice=(6,), value=value, supports={"us_art155": {"lato": "blu"}})
    assert game.state.units["v1"].place == "out of the game"
    assert game.state.rubble == rubble


@pytest.mark.rule("warfare:arbitrato.scudo_supporti", "warfare:artiglieria.dispersione")
def test_a_drifted_shot_spares_units_behind_the_population():
    game = strike(
        {**UNSEEN, "v2": u("ins_cellula", "G4")},
        dice=(1,),
        popolazione={"p1": {"esagono": "G4"}},
    )
    game.play("b:freccia-E")
    assert game.state.units["v2"].morale == 0
    assert "arbitrato.scudo_supporti" in game.cited


@pytest.mark.rule("warfare:arbitrato.sconto_supporti", "warfare:arbitrato.supporto_morale")
def test_a_damaged_support_is_cheaper_and_worse_and_a_shaken_one_unusable():
    units = {"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "E5")}
    game = strike(units, dice=(1,), supports={"us_mort81": {"lato": "blu", "danno": 1}})
    assert game.rolled == ["1yellow"]
    assert game.state.cubes["blu"].position == 14
    game = Table(unita=units, supporti={"us_mort81": {"lato": "blu", "morale": 1}})
    assert "arbitrato.supporto_morale" in game.why_not("c:us_mort81")


@pytest.mark.rule("warfare:droni.ricognizione", "warfare:arbitrato.ricognizione_drone")
def test_drones_observe_for_artillery_once_and_not_for_mortars():
    units = {**UNSEEN, "b2": u("us_recon", "A9")}
    supports = {
        "us_art155": {"lato": "blu"},
        "us_mort81": {"lato": "blu"},
        "us_drone_mq": {"lato": "blu"},
    }
    game = Table(unita=units, supporti=supports, dice=(1,), caselle={"blu": 30, "verde": 10})
    state = game.play("u:b2", "b:ricognizione-droni", "c:us_drone_mq").state
    assert state.spotter == "blu"
    assert state.supports["us_drone_mq"].place == "on the track"
    game.play("c:us_art155", "b:colpisci", "b:leggero", "u:v1")
    assert game.state.spotter == ""
    assert game.asked.side == "blu"
    assert "droni.ricognizione" in game.cited
    game.play("c:us_mort81", "b:colpisci", "b:leggero", "u:v1")
    assert "b:freccia-E" in game.options


@pytest.mark.rule(
    "warfare:artiglieria.dispersione",
    "warfare:dadi.dispersione",
    "warfare:arbitrato.dado_dispersione",
)
def test_the_odds_of_a_shot_that_drifts_count_the_eight_faces_first():
    game = strike(UNSEEN, dice=())
    position = game.position
    asked_about = TITLE.questions(TITLE.belief(game.state, "blu"), position.decision)
    assert len(asked_about) == 6, "one for each way of the arrow"
    found = odds(TITLE, TITLE.belief(position.rest, "blu"), position.open, asked_about[0])
    missed = sum(share for what, share in found.spread if what.facts["result"] == "no effect")
    assert missed == 1 - Fraction(2, 8) * Fraction(5, 6), "yellow against a defence taken as 1"


@pytest.mark.rule("warfare:scenari.s2", "warfare:scenari.s3", "warfare:scenari.s4")
@pytest.mark.parametrize(
    ("support", "chapter"),
    [
        ("us_mort81", 3),
        ("us_art155", 3),
        ("usmc_sniper", 4),
        ("us_a10", 5),
        ("us_drone_mq", 5),
    ],
)
def test_each_support_is_used_from_the_chapter_that_teaches_it(support, chapter):
    units = {"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "E5")}
    for number in (2, 3, 4):
        game = Table(
            unita=units,
            scenario=f"s{number}",
            supporti={support: {"lato": "blu"}},
            caselle={"blu": 30, "verde": 20},
        )
        if number < chapter:
            assert f"scenari.s{number}" in game.why_not(f"c:{support}")
        else:
            assert f"c:{support}" in game.options
