"""Crowds, civilians, roadblocks."""

from __future__ import annotations

import pytest

from tests.warfare.board import FAR, against, asked, cited, offered, paid, rolled, say, table, u

CROWD = {"p1": {"esagono": "D5", "folla": "si"}}


@pytest.mark.rule("warfare:popolazione.conversione", "warfare:popolazione.test")
@pytest.mark.parametrize(
    ("face", "turned", "morale"),
    [(1, False, 2), (2, False, 1), (3, True, 1), (5, True, 1), (6, True, 0)],
)
def test_each_result_of_a_conversion(face, turned, morale):
    game = table(
        {"b1": u("usmc_squad", "C5", morale=1), "v1": FAR}, popolazione=CROWD, dice=(face,)
    )
    state = say(game, "u:b1", "b:converti", "u:p1")
    assert (state.population["p1"].face == "civilians") == turned
    assert state.units["b1"].morale == morale
    assert state.cubes["blu"].position == 13
    assert {"popolazione.conversione", "popolazione.test"} <= cited(game)


@pytest.mark.rule("warfare:popolazione.conversione", "warfare:danno.uno")
def test_damage_makes_a_conversion_cheaper_and_worse():
    game = table({"b1": u("usmc_squad", "C5", danno=1), "v1": FAR}, popolazione=CROWD, dice=(3,))
    state = say(game, "u:b1", "b:converti", "u:p1")
    assert rolled(game) == ["1grey"]
    assert state.cubes["blu"].position == 12
    assert "danno.uno" in cited(game)


@pytest.mark.rule("warfare:popolazione.conversione_irregolari")
def test_only_irregulars_stir_civilians_up():
    people = {"p1": {"esagono": "D5"}}
    game = table({"b1": u("usmc_squad", "C5"), "v1": FAR}, popolazione=people)
    say(game, "u:b1")
    assert against(game, "b:converti") == {
        "popolazione.conversione",
        "popolazione.conversione_irregolari",
    }
    game = table(
        {"b1": u("usmc_squad", "D5"), "v1": u("ins_cellula", "E5")},
        popolazione=people,
        caselle={"blu": 20, "verde": 30},
        dice=(4,),
    )
    state = say(game, "u:v1", "b:converti", "u:p1")
    assert state.population["p1"].face == "hostile crowd"
    assert "popolazione.conversione_irregolari" in cited(game)


@pytest.mark.rule("warfare:popolazione.conversione", "warfare:arbitrato.conversione_stesso_esagono")
def test_population_in_the_same_hex_is_not_converted():
    people = {"p1": {"esagono": "C5", "folla": "si"}, "p2": {"esagono": "D5", "folla": "si"}}
    game = table({"b1": u("usmc_squad", "C5"), "v1": FAR}, popolazione=people)
    say(game, "u:b1", "b:converti")
    assert "arbitrato.conversione_stesso_esagono" in against(game, "u:p1")
    assert offered(game) == ["u:p2"]


@pytest.mark.rule("warfare:blocchi.rimozione", "warfare:blocchi.test")
@pytest.mark.parametrize(
    ("face", "left", "morale"), [(1, True, 1), (2, True, 0), (3, False, 0), (5, False, 0)]
)
def test_each_result_of_removing_a_roadblock(face, left, morale):
    game = table({"b1": u("us_engineers", "C5"), "v1": FAR}, blocchi=["D5"], dice=(face,))
    state = say(game, "u:b1", "b:sgombra", "h:D5")
    assert bool(state.roadblocks) == left
    assert state.units["b1"].morale == morale
    assert state.cubes["blu"].position == 14
    assert {"blocchi.rimozione", "blocchi.test"} <= cited(game)


@pytest.mark.rule("warfare:blocchi.test", "warfare:arbitrato.mossa_gratuita")
def test_a_critical_success_gives_a_free_hex():
    game = table({"b1": u("us_engineers", "C5"), "v1": FAR}, blocchi=["D5"], dice=(6,))
    say(game, "u:b1", "b:sgombra", "h:D5")
    state = say(game, "h:D5")
    assert state.units["b1"].hex == "D5"
    assert state.cubes["blu"].position == 14
    assert "arbitrato.mossa_gratuita" in cited(game)


@pytest.mark.rule("warfare:arbitrato.mossa_gratuita", "warfare:overwatch.fuoco")
def test_the_free_hex_may_be_left_or_draw_overwatch():
    units = {"b1": u("us_engineers", "C5"), "v1": u("ins_mg", "F5", overwatch="si")}
    game = table(units, blocchi=["D5"], dice=(6,))
    say(game, "u:b1", "b:sgombra", "h:D5")
    assert say(game, "b:resta").units["b1"].hex == "C5"
    game = table(units, blocchi=["D5"], dice=(6,))
    say(game, "u:b1", "b:sgombra", "h:D5", "h:D5")
    assert asked(game) == "verde"
    assert say(game, "b:mai").units["b1"].hex == "D5"
    assert paid(game) == [("blu", 4)]


@pytest.mark.rule("warfare:blocchi.irregolari", "warfare:arbitrato.blocco_piazzamento")
@pytest.mark.parametrize(("kind", "able"), [("ins_cellula", True), ("ins_tecnica", False)])
def test_irregular_infantry_lifts_a_roadblock_without_a_test_into_its_stock(kind, able):
    game = table(
        {"b1": u("usmc_squad", "A1"), "v1": u(kind, "D5")},
        caselle={"blu": 20, "verde": 30},
        blocchi=["E5"],
    )
    say(game, "u:v1")
    if not able:
        assert "blocchi.irregolari" in against(game, "b:sgombra")
        return
    state = say(game, "b:sgombra", "h:E5")
    assert (state.roadblocks, state.stock["verde"]) == ((), 1)
    assert paid(game) == [("verde", 2)]
    assert rolled(game) == []


@pytest.mark.rule("warfare:arbitrato.blocco_piazzamento")
def test_no_roadblock_in_water_fortifications_or_on_obstacles():
    for hex, spot in (("G8", "H8"), ("E7", "D7"), ("D5", "E5")):
        game = table(
            {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", hex)},
            caselle={"blu": 20, "verde": 30},
            riserva_blocchi={"verde": 1},
            macerie=["E5"],
        )
        say(game, "u:v1", "b:sbarra")
        assert against(game, f"h:{spot}") == {"arbitrato.blocco_piazzamento"}


@pytest.mark.rule("warfare:blocchi.rimozione", "warfare:arbitrato.scosso_divieti")
def test_regulars_need_engineers_with_steady_morale():
    game = table({"b1": u("usmc_squad", "C5"), "v1": FAR}, blocchi=["D5"])
    say(game, "u:b1")
    assert {"blocchi.rimozione", "azioni.speciali"} <= against(game, "b:sgombra")
    game = table({"b1": u("us_engineers", "C5", morale=1), "v1": FAR}, blocchi=["D5"])
    say(game, "u:b1")
    assert "arbitrato.scosso_divieti" in against(game, "b:sgombra")


@pytest.mark.rule("warfare:blocchi.rimozione", "warfare:blocchi.irregolari")
def test_regulars_never_place_roadblocks():
    game = table({"b1": u("us_engineers", "C5"), "v1": FAR}, riserva_blocchi={"blu": 1})
    say(game, "u:b1")
    assert {"blocchi.rimozione", "blocchi.irregolari"} <= against(game, "b:sbarra")


@pytest.mark.rule("warfare:blocchi.irregolari", "warfare:arbitrato.blocco_piazzamento")
def test_irregular_infantry_places_roadblocks_without_a_test():
    game = table(
        {"b1": u("usmc_squad", "D6"), "v1": u("ins_cellula", "D5"), "v2": u("ins_tecnica", "G5")},
        caselle={"blu": 20, "verde": 30},
        riserva_blocchi={"verde": 1},
    )
    say(game, "u:v1", "b:sbarra")
    assert "arbitrato.blocco_piazzamento" in against(game, "h:D6")
    state = say(game, "h:E5")
    assert state.roadblocks == ("E5",)
    assert state.cubes["verde"].position == 12
    assert rolled(game) == []
    say(game, "u:v1")
    assert "blocchi.irregolari" in against(game, "b:sbarra"), "the stock is empty"
    game = table(
        {"b1": u("usmc_squad", "A1"), "v2": u("ins_tecnica", "G5")},
        caselle={"blu": 20, "verde": 30},
        riserva_blocchi={"verde": 1},
    )
    say(game, "u:v2")
    assert "blocchi.irregolari" in against(game, "b:sbarra"), "not infantry"
