"""Transport."""

from __future__ import annotations

import pytest

from tests.warfare.table import FAR, Table, u


def carrying(**more):
    return {"b1": u("usmc_lav", "C5", **more), "b2": u("usmc_squad", a_bordo="b1"), "v1": FAR}


@pytest.mark.rule("warfare:trasporto.carico", "warfare:trasporto.abilita", "warfare:azioni.abilita")
def test_an_adjacent_infantry_unit_goes_aboard_for_one_ap_and_loses_its_overwatch():
    units = {"b1": u("usmc_lav", "C5"), "b2": u("usmc_squad", "D5", overwatch="si"), "v1": FAR}
    game = Table(unita=units)
    state = game.play("u:b1", "b:carica", "u:b2").state
    assert state.units["b2"].carrier == "b1"
    assert not state.units["b2"].overwatch
    assert state.cubes["blu"].position == 11
    assert {
        "trasporto.carico",
        "trasporto.abilita",
        "azioni.abilita",
        "stacking.trasporto",
    } <= game.cited


@pytest.mark.rule("warfare:trasporto.carico")
def test_vehicles_and_crowds_are_not_carried_and_one_cargo_is_enough():
    units = {
        "b1": u("usmc_lav", "C5"),
        "b2": u("us_jltv", "D5"),
        "b3": u("us_rifle", "B5"),
        "v1": FAR,
    }
    game = Table(unita=units, popolazione={"p1": {"esagono": "D4", "folla": "si"}})
    game.play("u:b1", "b:carica")
    assert game.why_not("u:b2") == {"trasporto.carico"}
    assert "u:p1" not in game.options
    game = Table(unita=carrying())
    game.play("u:b1")
    assert "trasporto.carico" in game.why_not("b:carica")


@pytest.mark.rule("warfare:trasporto.abilita")
def test_a_vehicle_without_the_icon_carries_nobody():
    game = Table(unita={"b1": u("us_abrams", "C5"), "b2": u("usmc_squad", "D5"), "v1": FAR})
    game.play("u:b1")
    assert "trasporto.abilita" in game.why_not("b:carica")


@pytest.mark.rule("warfare:trasporto.carico")
def test_civilians_in_the_same_hex_go_aboard():
    game = Table(
        unita={"b1": u("usmc_lav", "C5"), "v1": FAR}, popolazione={"p1": {"esagono": "C5"}}
    )
    state = game.play("u:b1", "b:carica", "u:p1").state
    assert state.population["p1"].carrier == "b1"


@pytest.mark.rule("warfare:trasporto.movimento")
def test_the_cargo_goes_with_the_vehicle_for_nothing():
    game = Table(unita=carrying())
    state = game.go("b1", "D5", "E5").state
    assert state.cubes["blu"].position == 11
    state = game.play("u:b1", "b:scarica", "h:F5").state
    assert state.units["b2"].hex == "F5"


@pytest.mark.rule("warfare:stacking.trasporto", "warfare:arbitrato.carico")
def test_who_is_aboard_does_not_act_and_shares_the_hex():
    game = Table(unita=carrying())
    assert "arbitrato.carico" in game.why_not("u:b2")


@pytest.mark.rule("warfare:trasporto.perdite")
def test_the_cargo_dies_with_the_vehicle_and_only_then():
    """Yellow less the defence is green: a point of damage on 5, two and the end on 6."""
    units = {"b1": u("us_jltv", "C5", danno=1), "b2": u("usmc_squad", a_bordo="b1")}
    for face, place in ((4, "aboard"), (5, "aboard"), (6, "out of the game")):
        game = Table(
            unita={**units, "v1": u("ins_at", "E5")},
            caselle={"blu": 20, "verde": 30},
            dice=(face,),
        )
        state = game.play("u:v1", "b:fuoco", "b:pesante", "u:b1").state
        cargo = state.units["b2"]
        assert (cargo.place, cargo.morale, cargo.damage) == (place, 0, 0)
        assert ({"carrier": "b1", "cargo": "b2"} in game.facts("trasporto.perdite")) == (face < 6)
        assert ({"unit": "b2", "carrier": "b1"} in game.facts("trasporto.perdite")) == (face == 6)


@pytest.mark.rule("warfare:trasporto.perdite")
def test_civilians_die_with_the_vehicle_that_carries_them():
    game = Table(
        unita={"b1": u("us_jltv", "C5", danno=2), "v1": u("ins_at", "E5")},
        popolazione={"p1": {"a_bordo": "b1"}},
        caselle={"blu": 20, "verde": 30},
        dice=(6,),
    )
    state = game.play("u:v1", "b:fuoco", "b:pesante", "u:b1").state
    assert state.population["p1"].place == "out of the game"
    assert "trasporto.perdite" in game.cited


@pytest.mark.rule("warfare:trasporto.carico", "warfare:arbitrato.carico_soppresso")
def test_cargo_is_adjacent_not_suppressed_and_not_behind_triangles():
    units = {
        "b1": u("usmc_lav", "C7"),
        "b2": u("usmc_squad", "B7", morale=2),
        "b3": u("us_rifle", "D7"),
        "b4": u("us_at", "C9"),
        "v1": FAR,
    }
    game = Table(unita=units)
    game.play("u:b1")
    assert {
        "trasporto.carico",
        "arbitrato.carico_soppresso",
        "fortificazioni.lati",
    } <= game.why_not("b:carica")
    game = Table(unita={**units, "b2": u("usmc_squad", "B7", morale=1)})
    game.play("u:b1", "b:carica")
    assert list(game.options) == ["u:b2"], "shaken infantry gets on"
    assert "u:b4" not in game.position.decision.refused, "two hexes away"


@pytest.mark.rule("warfare:scenari.s2", "warfare:trasporto.carico")
@pytest.mark.parametrize(("hex", "place"), [("C9", "left the map"), ("D8", "map")])
def test_civilians_taken_aboard_in_the_safe_row_are_saved(hex, place):
    game = Table(
        unita={"b1": u("usmc_lav", hex), "v1": u("ins_cellula", "A1")},
        scenario="s2",
        caselle={"blu": 30, "verde": 20},
        popolazione={"p1": {"esagono": "C8"}},
    )
    state = game.play("u:b1", "b:carica", "u:p1").state
    assert state.population["p1"].place == place
    assert ("scenari.s2" in game.cited) == (place == "left the map")


@pytest.mark.rule("warfare:trasporto.scarico", "warfare:trasporto.subito")
def test_getting_off_is_entering_a_hex_and_the_unit_may_act_at_once():
    game = Table(
        unita={
            "b1": u("usmc_lav", "C5"),
            "b2": u("usmc_squad", a_bordo="b1"),
            "v1": u("ins_cellula", "F5", overwatch="si"),
        },
        dice=(1,),
    )
    game.play("u:b1", "b:scarica", "h:D5")
    assert game.asked.side == "verde"
    game.play("u:v1")
    assert {"trasporto.scarico", "trasporto.subito", "overwatch.fuoco"} <= game.cited
    assert "u:b2" in game.options


@pytest.mark.rule("warfare:trasporto.scarico")
def test_cargo_gets_off_in_legal_hexes_only():
    game = Table(unita=carrying() | {"b3": u("us_rifle", "D5")}, blocchi=["B5"])
    game.play("u:b1", "b:scarica")
    assert game.why_not("h:D5") == {"stacking.limite"}
    assert game.why_not("h:B5") == {"blocchi.ostacolo"}


@pytest.mark.rule("warfare:trasporto.scarico")
def test_walled_in_nobody_gets_off_and_the_walls_say_why():
    walls = {"blocchi": ["B5", "D5", "C4"], "macerie": ["B4", "B6", "C6"]}
    game = Table(unita=carrying(), **walls)
    game.play("u:b1")
    assert {"trasporto.scarico", "blocchi.ostacolo", "macerie.segnalino"} <= game.why_not(
        "b:scarica"
    )
    game = Table(
        unita={"b1": u("usmc_lav", "C5"), "v1": FAR}, popolazione={"p1": {"a_bordo": "b1"}}, **walls
    )
    game.play("u:b1")
    assert game.why_not("b:scarica") == {"trasporto.scarico"}


@pytest.mark.rule("warfare:trasporto.scarico")
def test_civilians_get_off_on_land_that_is_not_blocked():
    game = Table(
        unita={"b1": u("usmc_lav", "G8"), "v1": FAR},
        popolazione={"p1": {"a_bordo": "b1"}},
        macerie=["F8"],
    )
    game.play("u:b1", "b:scarica")
    assert game.why_not("h:H8") == {"trasporto.scarico"}, "water"
    assert game.why_not("h:F8") == {"trasporto.scarico"}, "rubble"
    state = game.play("h:G7").state
    assert (state.population["p1"].hex, state.population["p1"].carrier) == ("G7", "")
    assert state.units["b1"].shown, "who uses an ability shows it"


@pytest.mark.rule("warfare:trasporto.abilita", "warfare:arbitrato.carico")
def test_a_suppressed_vehicle_does_not_unload():
    game = Table(unita=carrying(morale=2))
    game.play("u:b1")
    assert "morale.soppresso" in game.why_not("b:scarica")


@pytest.mark.rule("warfare:ignoti.blocco", "warfare:arbitrato.rimbalzo_scarico")
def test_cargo_thrown_back_by_a_hidden_roadblock_stays_aboard():
    game = Table(
        unita=carrying(), nascosti={"i1": {"tipo": "ignoto_blocco", "esagono": "D5", "di": "verde"}}
    )
    state = game.play("u:b1", "b:scarica", "h:D5").state
    assert state.units["b2"].carrier == "b1"
    assert state.roadblocks == ("D5",)
    assert state.cubes["blu"].position == 11, "only the ability is paid"
    assert "arbitrato.rimbalzo_scarico" in game.cited
    assert "arbitrato.rimbalzo" not in game.cited, "nothing is paid and nobody goes back"


@pytest.mark.rule("warfare:arbitrato.ostaggi_carico", "warfare:ostaggi.liberazione")
def test_hostages_go_aboard_only_once_their_captor_is_gone():
    people = {"p1": {"esagono": "D5"}}
    units = {"b1": u("usmc_lav", "C5"), "v1": u("ins_cellula", "D5"), "v2": FAR}
    game = Table(unita=units, popolazione=people)
    game.play("u:b1")
    assert {"ostaggi.liberazione", "arbitrato.ostaggi_carico"} <= game.why_not("b:carica")
    game = Table(unita={**units, "b2": u("us_rifle", "B5")}, popolazione=people)
    game.play("u:b1", "b:carica")
    assert list(game.options) == ["u:b2"]
    assert game.why_not("u:p1") == {"ostaggi.liberazione", "arbitrato.ostaggi_carico"}
    free = {"b1": u("usmc_lav", "C5"), "b2": u("us_rifle", "D5"), "v2": FAR}
    game = Table(unita=free, popolazione=people)
    assert game.play("u:b1", "b:carica", "u:p1").state.population["p1"].carrier == "b1"
