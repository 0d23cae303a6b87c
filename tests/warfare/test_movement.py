"""Movement, stacking, entering hexes."""

from __future__ import annotations

import pytest

from tests.warfare.board import FAR, against, asked, cited, go, now, offered, say, table, u


def cost(game) -> int:
    return now(game).cubes["blu"].position - 10


@pytest.mark.rule("warfare:movimento.fanteria", "warfare:movimento.azione")
def test_infantry_pays_one_ap_for_open_and_for_cover():
    game = table({"b1": u("usmc_squad", "C4"), "v1": FAR})
    state = go(game, "b1", "D4", "E4")
    assert state.units["b1"].hex == "E4"
    assert cost(game) == 2
    assert {"movimento.fanteria", "movimento.azione", "movimento.pagare"} <= cited(game)


@pytest.mark.rule("warfare:movimento.costo", "warfare:terreno.tabella")
def test_high_ground_costs_infantry_two_and_vehicles_three():
    game = table({"b1": u("usmc_squad", "I5"), "b2": u("us_jltv", "K5"), "v1": FAR})
    go(game, "b1", "I6")
    assert cost(game) == 2
    go(game, "b2", "J5")
    assert cost(game) == 5
    assert {"movimento.costo", "veicoli.movimento"} <= cited(game)


@pytest.mark.rule("warfare:movimento.veicolo_scoperto")
def test_a_vehicle_crosses_two_open_hexes_for_one_ap():
    game = table({"b1": u("us_jltv", "A5"), "v1": FAR})
    go(game, "b1", "B5", "C5", "D5")
    assert cost(game) == 2
    assert "movimento.veicolo_scoperto" in cited(game)


@pytest.mark.rule("warfare:veicoli.movimento", "warfare:movimento.veicolo_scoperto")
def test_the_unused_half_is_lost_in_another_terrain():
    game = table({"b1": u("us_jltv", "C4"), "v1": FAR})
    go(game, "b1", "D4", "E4", "F4")
    assert cost(game) == 1 + 2 + 1
    assert "veicoli.movimento" in cited(game)


@pytest.mark.rule("warfare:movimento.costo")
def test_a_helicopter_crosses_three_hexes_of_any_terrain_for_one_ap():
    game = table({"b1": u("ita_mangusta", "C4"), "v1": FAR})
    go(game, "b1", "D4", "E4", "F4")
    assert cost(game) == 1


@pytest.mark.rule("warfare:movimento.limite_ap")
def test_movement_may_end_at_most_one_box_past_the_opponent():
    game = table({"b1": u("usmc_squad", "C5"), "v1": FAR}, caselle={"blu": 30, "verde": 29})
    say(game, "u:b1", "b:move", "h:D5", "h:E5")
    assert against(game, "h:F5") == {"movimento.limite_ap"}


@pytest.mark.rule("warfare:movimento.pagare", "warfare:danno.uno")
def test_damage_is_taken_once_from_the_whole_movement_with_a_minimum_of_one():
    game = table({"b1": u("usmc_squad", "C5", danno=2), "v1": FAR})
    go(game, "b1", "D5")
    assert cost(game) == 1
    game = table({"b1": u("usmc_squad", "C5", danno=1), "v1": FAR})
    go(game, "b1", "D5", "E5", "F5")
    assert cost(game) == 2
    assert {"danno.uno", "arbitrato.sconto_movimento"} <= cited(game)


@pytest.mark.rule("warfare:movimento.pagare")
def test_a_unit_stopped_on_its_way_gets_nothing_back():
    game = table(
        {
            "b1": u("usmc_squad", "A5", morale=1),
            "v1": u("ins_mg", "E5", overwatch="si"),
        },
        dice=(4,),
    )
    go(game, "b1", "B5", "C5")
    state = say(game, "u:v1")
    assert state.units["b1"].morale == 2
    assert state.units["b1"].hex == "B5"
    assert cost(game) == 2
    assert "arbitrato.stop_movimento" in cited(game)


@pytest.mark.rule("warfare:stacking.limite", "warfare:stacking.attraversare")
def test_friends_are_crossed_but_no_movement_ends_on_them():
    game = table({"b1": u("usmc_squad", "C5"), "b2": u("us_rifle", "D5"), "v1": FAR})
    say(game, "u:b1", "b:move", "h:D5")
    assert against(game, "b:go") == {"stacking.limite"}
    state = say(game, "h:E5", "b:go")
    assert state.units["b1"].hex == "E5"
    assert "stacking.attraversare" in cited(game)


@pytest.mark.rule("warfare:stacking.attraversare")
def test_enemies_are_not_crossed():
    game = table({"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "D5")})
    say(game, "u:b1", "b:move")
    assert against(game, "h:D5") == {"stacking.attraversare"}


@pytest.mark.rule("warfare:stacking.limite", "warfare:stacking.elicotteri")
def test_a_helicopter_does_not_stop_above_a_unit():
    game = table({"b1": u("ita_mangusta", "C5"), "b2": u("us_rifle", "D5"), "v1": FAR})
    say(game, "u:b1", "b:move", "h:D5")
    assert "stacking.limite" in against(game, "b:go")


@pytest.mark.rule("warfare:stacking.segnalini")
def test_any_number_of_markers_lies_in_a_hex():
    game = table(
        {"b1": u("usmc_squad", "C5"), "v1": FAR},
        popolazione={"p1": {"esagono": "D5"}, "p2": {"esagono": "D5"}, "p3": {"esagono": "D5"}},
    )
    state = go(game, "b1", "D5")
    from engine.warfare import TITLE
    from engine.warfare.setting import field_of

    rulings = TITLE.inspect(state, field_of(state).hex["D5"])
    found = [r for r in rulings if "warfare:stacking.segnalini" in r.refs]
    assert found[0].msg.facts["n"] == 3


@pytest.mark.rule("warfare:movimento.azione", "warfare:morale.soppresso")
def test_a_suppressed_unit_does_not_move():
    game = table({"b1": u("usmc_squad", "C5", morale=2), "v1": FAR})
    say(game, "u:b1")
    assert against(game, "b:move") == {"morale.soppresso"}
    assert offered(game) == ["b:recover"]


@pytest.mark.rule("warfare:movimento.azione", "warfare:morale.scosso")
def test_a_shaken_unit_moves():
    game = table({"b1": u("usmc_squad", "C5", morale=1), "v1": FAR})
    assert go(game, "b1", "D5").units["b1"].hex == "D5"


@pytest.mark.rule("warfare:blocchi.ostacolo", "warfare:macerie.segnalino")
def test_roadblocks_and_rubble_stop_everybody_but_helicopters():
    game = table(
        {"b1": u("usmc_squad", "C5"), "b2": u("ita_mangusta", "C9"), "v1": FAR},
        blocchi=["D5", "D9"],
        macerie=["B5"],
    )
    say(game, "u:b1", "b:move")
    assert against(game, "h:D5") == {"blocchi.ostacolo"}
    assert against(game, "h:B5") == {"macerie.segnalino"}
    game = table({"b2": u("ita_mangusta", "C9"), "v1": FAR}, blocchi=["D9"], macerie=["E9"])
    assert go(game, "b2", "D9", "E9").units["b2"].hex == "E9"


@pytest.mark.rule("warfare:fortificazioni.lati")
def test_triangles_are_not_crossed_in_either_direction():
    game = table({"b1": u("usmc_squad", "C7"), "b2": u("us_rifle", "D7"), "v1": FAR})
    say(game, "u:b1", "b:move")
    assert "fortificazioni.lati" in against(game, "h:D7")
    game = table({"b2": u("us_rifle", "D7"), "v1": FAR})
    say(game, "u:b2", "b:move")
    assert against(game, "h:C7") == {"fortificazioni.lati"}
    assert "h:E7" in offered(game)


@pytest.mark.rule("warfare:fortificazioni.lati")
def test_helicopters_cross_triangles():
    game = table({"b1": u("ita_mangusta", "C7"), "v1": FAR})
    assert go(game, "b1", "D7").units["b1"].hex == "D7"


@pytest.mark.rule("warfare:popolazione.attraversare")
def test_regulars_cross_civilians_and_not_crowds():
    people = {"p1": {"esagono": "D5"}, "p2": {"esagono": "B5", "folla": "si"}}
    game = table({"b1": u("usmc_squad", "C5"), "v1": FAR}, popolazione=people)
    say(game, "u:b1", "b:move")
    assert "popolazione.attraversare" in against(game, "h:B5")
    assert "h:D5" in offered(game)


@pytest.mark.rule("warfare:popolazione.attraversare")
def test_irregulars_cross_crowds():
    game = table(
        {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "C5")},
        popolazione={"p2": {"esagono": "B5", "folla": "si"}},
        caselle={"blu": 20, "verde": 30},
    )
    assert go(game, "v1", "B5").units["v1"].hex == "B5"


@pytest.mark.rule("warfare:popolazione.muovere", "warfare:popolazione.muovere_costo")
def test_civilians_follow_for_one_ap_a_hex_and_are_left_for_nothing():
    game = table({"b1": u("usmc_squad", "C5"), "v1": FAR}, popolazione={"p1": {"esagono": "C5"}})
    state = say(game, "u:b1", "b:move", "u:p1", "h:D5", "b:drop", "h:E5", "b:go")
    assert state.population["p1"].hex == "D5"
    assert state.units["b1"].hex == "E5"
    assert cost(game) == 3
    assert {"popolazione.muovere", "popolazione.muovere_costo"} <= cited(game)


@pytest.mark.rule("warfare:popolazione.muovere_costo", "warfare:arbitrato.civili_limiti")
def test_a_vehicle_with_civilians_keeps_two_hexes_for_one_ap():
    game = table({"b1": u("us_jltv", "C5"), "v1": FAR}, popolazione={"p1": {"esagono": "C5"}})
    say(game, "u:b1", "b:move", "u:p1", "h:D5", "h:E5", "b:go")
    assert cost(game) == 3


@pytest.mark.rule("warfare:popolazione.muovere", "warfare:arbitrato.civili_limiti")
def test_only_one_marker_follows_in_a_movement_and_none_a_helicopter():
    people = {"p1": {"esagono": "C5"}, "p2": {"esagono": "D5"}}
    game = table({"b1": u("usmc_squad", "C5"), "v1": FAR}, popolazione=people)
    say(game, "u:b1", "b:move", "u:p1", "h:D5", "b:drop")
    assert against(game, "u:p2") == {"arbitrato.civili_limiti"}
    game = table({"b1": u("ita_mangusta", "C5"), "v1": FAR}, popolazione=people)
    say(game, "u:b1", "b:move")
    assert against(game, "u:p1") == {"arbitrato.civili_limiti"}


@pytest.mark.rule("warfare:popolazione.muovere_folla", "warfare:arbitrato.folla_su_regolari")
def test_a_crowd_follows_irregulars_only():
    crowd = {"p1": {"esagono": "C5", "folla": "si"}}
    game = table({"b1": u("usmc_squad", "C5"), "v1": FAR}, popolazione=crowd)
    say(game, "u:b1", "b:move")
    assert "popolazione.muovere_folla" in against(game, "u:p1")
    game = table(
        {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "C5")},
        popolazione=crowd,
        caselle={"blu": 20, "verde": 30},
    )
    state = say(game, "u:v1", "b:move", "u:p1", "h:D5", "b:go")
    assert state.population["p1"].hex == "D5"
    assert state.cubes["verde"].position == 12
    assert "popolazione.muovere_folla" in cited(game)


@pytest.mark.rule("warfare:arbitrato.stop_movimento", "warfare:stacking.attraversare")
def test_a_unit_suppressed_on_a_friend_goes_back_to_the_last_empty_hex():
    game = table(
        {
            "b1": u("usmc_squad", "A5", morale=1),
            "b2": u("us_rifle", "C5"),
            "v1": u("ins_mg", "C3", overwatch="si"),
        },
        dice=(4,),
    )
    go(game, "b1", "B5", "C5", "D5")
    assert asked(game) == "verde"
    say(game, "b:wait")
    state = say(game, "u:v1")
    assert state.units["b1"].hex == "B5"
    assert state.units["b2"].hex == "C5"
    assert "arbitrato.stop_movimento" in cited(game)


@pytest.mark.rule("warfare:scenari.s2", "warfare:popolazione.muovere")
def test_civilians_saved_on_the_way_do_not_come_back():
    game = table(
        {"b1": u("usmc_squad", "C8"), "v1": u("ins_cellula", "A1")},
        scenario="s2",
        caselle={"blu": 30, "verde": 20},
        popolazione={"p1": {"esagono": "C8"}},
    )
    state = say(game, "u:b1", "b:move", "u:p1", "h:C9", "h:C8", "b:go")
    assert state.population["p1"].place == "left the map"
    assert state.population["p1"].hex == ""
    assert state.units["b1"].hex == "C8"
