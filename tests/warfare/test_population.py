"""Crowds, civilians, roadblocks."""

from __future__ import annotations

import pytest

from tests.warfare.table import FAR, Table, u

CROWD = {"p1": {"esagono": "D5", "folla": "si"}}


@pytest.mark.rule("warfare:popolazione.conversione", "warfare:popolazione.test")
@pytest.mark.parametrize(
    ("face", "turned", "morale"),
    [(1, False, 2), (2, False, 1), (3, True, 1), (5, True, 1), (6, True, 0)],
)
def test_each_result_of_a_conversion(face, turned, morale):
    game = Table(
        unita={"b1": u("usmc_squad", "C5", morale=1), "v1": FAR}, popolazione=CROWD, dice=(face,)
    )
    state = game.play("u:b1", "b:converti", "u:p1").state
    assert (state.population["p1"].face == "civilians") == turned
    assert state.units["b1"].morale == morale
    assert state.cubes["blu"].position == 13
    assert {"popolazione.conversione", "popolazione.test"} <= game.cited


@pytest.mark.rule("warfare:popolazione.conversione", "warfare:danno.uno")
def test_damage_makes_a_conversion_cheaper_and_worse():
    game = Table(
        unita={"b1": u("usmc_squad", "C5", danno=1), "v1": FAR}, popolazione=CROWD, dice=(3,)
    )
    state = game.play("u:b1", "b:converti", "u:p1").state
    assert game.rolled == ["1grey"]
    assert state.cubes["blu"].position == 12
    assert "danno.uno" in game.cited


@pytest.mark.rule("warfare:popolazione.conversione_irregolari")
def test_only_irregulars_stir_civilians_up():
    people = {"p1": {"esagono": "D5"}}
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, popolazione=people)
    game.play("u:b1")
    assert game.why_not("b:converti") == {
        "popolazione.conversione",
        "popolazione.conversione_irregolari",
    }
    game = Table(
        unita={"b1": u("usmc_squad", "D5"), "v1": u("ins_cellula", "E5")},
        popolazione=people,
        caselle={"blu": 20, "verde": 30},
        dice=(4,),
    )
    state = game.play("u:v1", "b:converti", "u:p1").state
    assert state.population["p1"].face == "hostile crowd"
    assert "popolazione.conversione_irregolari" in game.cited


@pytest.mark.rule("warfare:popolazione.conversione", "warfare:arbitrato.conversione_stesso_esagono")
def test_population_in_the_same_hex_is_not_converted():
    people = {"p1": {"esagono": "C5", "folla": "si"}, "p2": {"esagono": "D5", "folla": "si"}}
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, popolazione=people)
    game.play("u:b1", "b:converti")
    assert "arbitrato.conversione_stesso_esagono" in game.why_not("u:p1")
    assert list(game.options) == ["u:p2"]


@pytest.mark.rule("warfare:blocchi.rimozione", "warfare:blocchi.test")
@pytest.mark.parametrize(
    ("face", "left", "morale"), [(1, True, 1), (2, True, 0), (3, False, 0), (5, False, 0)]
)
def test_each_result_of_removing_a_roadblock(face, left, morale):
    game = Table(unita={"b1": u("us_engineers", "C5"), "v1": FAR}, blocchi=["D5"], dice=(face,))
    state = game.play("u:b1", "b:sgombra", "h:D5").state
    assert bool(state.roadblocks) == left
    assert state.units["b1"].morale == morale
    assert state.cubes["blu"].position == 14
    assert {"blocchi.rimozione", "blocchi.test"} <= game.cited


@pytest.mark.rule("warfare:blocchi.test", "warfare:arbitrato.mossa_gratuita")
def test_a_critical_success_gives_a_free_hex():
    game = Table(unita={"b1": u("us_engineers", "C5"), "v1": FAR}, blocchi=["D5"], dice=(6,))
    game.play("u:b1", "b:sgombra", "h:D5")
    state = game.play("h:D5").state
    assert state.units["b1"].hex == "D5"
    assert state.cubes["blu"].position == 14
    assert "arbitrato.mossa_gratuita" in game.cited


@pytest.mark.rule("warfare:arbitrato.mossa_gratuita", "warfare:overwatch.fuoco")
def test_the_free_hex_may_be_left_or_draw_overwatch():
    units = {"b1": u("us_engineers", "C5"), "v1": u("ins_mg", "F5", overwatch="si")}
    game = Table(unita=units, blocchi=["D5"], dice=(6,))
    game.play("u:b1", "b:sgombra", "h:D5")
    assert game.play("b:resta").state.units["b1"].hex == "C5"
    game = Table(unita=units, blocchi=["D5"], dice=(6,))
    game.play("u:b1", "b:sgombra", "h:D5", "h:D5")
    assert game.asked.side == "verde"
    assert game.play("b:mai").state.units["b1"].hex == "D5"
    assert game.paid == [("blu", 4)]


@pytest.mark.rule("warfare:blocchi.irregolari", "warfare:arbitrato.blocco_piazzamento")
@pytest.mark.parametrize(("kind", "able"), [("ins_cellula", True), ("ins_tecnica", False)])
def test_irregular_infantry_lifts_a_roadblock_without_a_test_into_its_stock(kind, able):
    game = Table(
        unita={"b1": u("usmc_squad", "A1"), "v1": u(kind, "D5")},
        caselle={"blu": 20, "verde": 30},
        blocchi=["E5"],
    )
    game.play("u:v1")
    if not able:
        assert "blocchi.irregolari" in game.why_not("b:sgombra")
        return
    state = game.play("b:sgombra", "h:E5").state
    assert (state.roadblocks, state.stock["verde"]) == ((), 1)
    assert game.paid == [("verde", 2)]
    assert game.rolled == []


@pytest.mark.rule("warfare:blocchi.irregolari", "warfare:blocchi.rimozione")
def test_each_kind_of_unit_is_told_by_its_own_rule_that_no_roadblock_is_near():
    caselle = {"blu": 20, "verde": 30}
    units = {"b1": u("us_engineers", "A1"), "v1": u("ins_cellula", "D5")}
    game = Table(unita=units, caselle=caselle).play("u:v1")
    assert game.why_not("b:sgombra") == {"blocchi.irregolari"}
    game = Table(unita=units, caselle=caselle, blocchi=["E5"]).play("u:v1", "b:sgombra")
    assert game.why_not("h:C5") == {"blocchi.irregolari"}
    game = Table(unita=units).play("u:b1")
    assert game.why_not("b:sgombra") == {"blocchi.rimozione"}


@pytest.mark.rule("warfare:arbitrato.blocco_piazzamento")
def test_no_roadblock_in_water_fortifications_or_on_obstacles():
    for hex, spot in (("G8", "H8"), ("E7", "D7"), ("D5", "E5")):
        game = Table(
            unita={"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", hex)},
            caselle={"blu": 20, "verde": 30},
            riserva_blocchi={"verde": 1},
            macerie=["E5"],
        )
        game.play("u:v1", "b:sbarra")
        assert game.why_not(f"h:{spot}") == {"arbitrato.blocco_piazzamento"}


@pytest.mark.rule("warfare:blocchi.rimozione", "warfare:arbitrato.scosso_divieti")
def test_regulars_need_engineers_with_steady_morale():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, blocchi=["D5"])
    game.play("u:b1")
    assert {"blocchi.rimozione", "azioni.speciali"} <= game.why_not("b:sgombra")
    game = Table(unita={"b1": u("us_engineers", "C5", morale=1), "v1": FAR}, blocchi=["D5"])
    game.play("u:b1")
    assert "arbitrato.scosso_divieti" in game.why_not("b:sgombra")


@pytest.mark.rule("warfare:blocchi.rimozione", "warfare:blocchi.irregolari")
def test_regulars_never_place_roadblocks():
    game = Table(unita={"b1": u("us_engineers", "C5"), "v1": FAR}, riserva_blocchi={"blu": 1})
    game.play("u:b1")
    assert {"blocchi.rimozione", "blocchi.irregolari"} <= game.why_not("b:sbarra")


@pytest.mark.rule("warfare:blocchi.irregolari", "warfare:arbitrato.blocco_piazzamento")
def test_irregular_infantry_places_roadblocks_without_a_test():
    game = Table(
        unita={
            "b1": u("usmc_squad", "D6"),
            "v1": u("ins_cellula", "D5"),
            "v2": u("ins_tecnica", "G5"),
        },
        caselle={"blu": 20, "verde": 30},
        riserva_blocchi={"verde": 1},
    )
    game.play("u:v1", "b:sbarra")
    assert "arbitrato.blocco_piazzamento" in game.why_not("h:D6")
    state = game.play("h:E5").state
    assert state.roadblocks == ("E5",)
    assert state.cubes["verde"].position == 12
    assert game.rolled == []
    game.play("u:v1")
    assert "blocchi.irregolari" in game.why_not("b:sbarra"), "the stock is empty"
    game = Table(
        unita={"b1": u("usmc_squad", "A1"), "v2": u("ins_tecnica", "G5")},
        caselle={"blu": 20, "verde": 30},
        riserva_blocchi={"verde": 1},
    )
    game.play("u:v2")
    assert "blocchi.irregolari" in game.why_not("b:sbarra"), "not infantry"
