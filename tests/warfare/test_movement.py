"""Movement, stacking, entering hexes."""

from __future__ import annotations

import pytest

from engine.warfare import TITLE
from engine.warfare.rules.movement import can_enter, why_not_enter
from engine.warfare.state.setting import field_of
from engine.warfare.state.state import on_map
from tests.titles.oracles import positions
from tests.warfare.table import FAR, Table, u


def cost(game) -> int:
    return game.state.cubes["blu"].position - 10


@pytest.mark.rule("warfare:movimento.fanteria", "warfare:movimento.azione")
def test_infantry_pays_one_ap_for_open_and_for_cover():
    game = Table(unita={"b1": u("usmc_squad", "C4"), "v1": FAR})
    state = game.go("b1", "D4", "E4").state
    assert state.units["b1"].hex == "E4"
    assert cost(game) == 2
    assert {"movimento.fanteria", "movimento.azione", "movimento.pagare"} <= game.cited


@pytest.mark.rule("warfare:movimento.costo", "warfare:terreno.tabella")
def test_high_ground_costs_infantry_two_and_vehicles_three():
    game = Table(unita={"b1": u("usmc_squad", "I5"), "b2": u("us_jltv", "K5"), "v1": FAR})
    game.go("b1", "I6")
    assert cost(game) == 2
    game.go("b2", "J5")
    assert cost(game) == 5
    assert {"movimento.costo", "veicoli.movimento"} <= game.cited


@pytest.mark.rule("warfare:movimento.veicolo_scoperto")
def test_a_vehicle_crosses_two_open_hexes_for_one_ap():
    game = Table(unita={"b1": u("us_jltv", "A5"), "v1": FAR})
    game.go("b1", "B5", "C5", "D5")
    assert cost(game) == 2
    assert "movimento.veicolo_scoperto" in game.cited


@pytest.mark.rule("warfare:veicoli.movimento", "warfare:movimento.veicolo_scoperto")
def test_the_unused_half_is_lost_in_another_terrain():
    game = Table(unita={"b1": u("us_jltv", "C4"), "v1": FAR})
    game.go("b1", "D4", "E4", "F4")
    assert cost(game) == 1 + 2 + 1
    assert "veicoli.movimento" in game.cited


@pytest.mark.rule("warfare:movimento.costo")
def test_a_helicopter_crosses_three_hexes_of_any_terrain_for_one_ap():
    game = Table(unita={"b1": u("ita_mangusta", "C4"), "v1": FAR})
    game.go("b1", "D4", "E4", "F4")
    assert cost(game) == 1


@pytest.mark.rule("warfare:movimento.limite_ap")
def test_movement_may_end_at_most_one_box_past_the_opponent():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, caselle={"blu": 30, "verde": 29})
    game.play("u:b1", "b:muovi", "h:D5", "h:E5")
    assert game.why_not("h:F5") == {"movimento.limite_ap"}


@pytest.mark.rule(
    "warfare:movimento.pagare", "warfare:danno.uno", "warfare:arbitrato.sconto_movimento"
)
def test_damage_is_taken_once_from_the_whole_movement_with_a_minimum_of_one():
    game = Table(unita={"b1": u("usmc_squad", "C5", danno=2), "v1": FAR})
    game.go("b1", "D5")
    assert cost(game) == 1
    game = Table(unita={"b1": u("usmc_squad", "C5", danno=1), "v1": FAR})
    game.go("b1", "D5", "E5", "F5")
    assert cost(game) == 2
    assert {"danno.uno", "arbitrato.sconto_movimento"} <= game.cited


@pytest.mark.rule("warfare:movimento.pagare")
def test_a_unit_stopped_on_its_way_gets_nothing_back():
    game = Table(
        unita={
            "b1": u("usmc_squad", "A5", morale=1),
            "v1": u("ins_mg", "E5", overwatch="si"),
        },
        dice=(4,),
    )
    game.go("b1", "B5", "C5")
    state = game.play("u:v1").state
    assert state.units["b1"].morale == 2
    assert state.units["b1"].hex == "B5"
    assert cost(game) == 2
    assert "arbitrato.stop_movimento" in game.cited


@pytest.mark.rule("warfare:stacking.limite", "warfare:stacking.attraversare")
def test_friends_are_crossed_but_no_movement_ends_on_them():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "b2": u("us_rifle", "D5"), "v1": FAR})
    game.play("u:b1", "b:muovi", "h:D5")
    assert game.why_not("b:vai") == {"stacking.limite"}
    state = game.play("h:E5", "b:vai").state
    assert state.units["b1"].hex == "E5"
    assert "stacking.attraversare" in game.cited


@pytest.mark.rule("warfare:stacking.attraversare")
def test_enemies_are_not_crossed():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "D5")})
    game.play("u:b1", "b:muovi")
    assert game.why_not("h:D5") == {"stacking.attraversare"}


@pytest.mark.rule("warfare:stacking.limite", "warfare:stacking.elicotteri")
def test_a_helicopter_does_not_stop_above_a_unit():
    game = Table(unita={"b1": u("ita_mangusta", "C5"), "b2": u("us_rifle", "D5"), "v1": FAR})
    game.play("u:b1", "b:muovi", "h:D5")
    assert "stacking.limite" in game.why_not("b:vai")


@pytest.mark.rule("warfare:stacking.segnalini")
def test_any_number_of_markers_lies_in_a_hex():
    game = Table(
        unita={"b1": u("usmc_squad", "C5"), "v1": FAR},
        popolazione={"p1": {"esagono": "D5"}, "p2": {"esagono": "D5"}, "p3": {"esagono": "D5"}},
    )
    state = game.go("b1", "D5").state
    from engine.warfare import TITLE
    from engine.warfare.state.setting import field_of

    rulings = TITLE.inspect(state, field_of(state).hex["D5"])
    found = [r for r in rulings if "warfare:stacking.segnalini" in r.refs]
    assert found[0].msg.facts["n"] == 3


@pytest.mark.rule("warfare:movimento.azione", "warfare:morale.soppresso")
def test_a_suppressed_unit_does_not_move():
    game = Table(unita={"b1": u("usmc_squad", "C5", morale=2), "v1": FAR})
    game.play("u:b1")
    assert game.why_not("b:muovi") == {"morale.soppresso"}
    assert list(game.options) == ["b:recupera"]


@pytest.mark.rule("warfare:movimento.azione", "warfare:morale.scosso")
def test_a_shaken_unit_moves():
    game = Table(unita={"b1": u("usmc_squad", "C5", morale=1), "v1": FAR})
    assert game.go("b1", "D5").state.units["b1"].hex == "D5"


@pytest.mark.rule("warfare:blocchi.ostacolo", "warfare:macerie.segnalino")
def test_roadblocks_and_rubble_stop_everybody_but_helicopters():
    game = Table(
        unita={"b1": u("usmc_squad", "C5"), "b2": u("ita_mangusta", "C9"), "v1": FAR},
        blocchi=["D5", "D9"],
        macerie=["B5"],
    )
    game.play("u:b1", "b:muovi")
    assert game.why_not("h:D5") == {"blocchi.ostacolo"}
    assert game.why_not("h:B5") == {"macerie.segnalino"}
    game = Table(unita={"b2": u("ita_mangusta", "C9"), "v1": FAR}, blocchi=["D9"], macerie=["E9"])
    assert game.go("b2", "D9", "E9").state.units["b2"].hex == "E9"


@pytest.mark.rule("warfare:fortificazioni.lati")
def test_triangles_are_not_crossed_in_either_direction():
    game = Table(unita={"b1": u("usmc_squad", "C7"), "b2": u("us_rifle", "D7"), "v1": FAR})
    game.play("u:b1", "b:muovi")
    assert "fortificazioni.lati" in game.why_not("h:D7")
    game = Table(unita={"b2": u("us_rifle", "D7"), "v1": FAR})
    game.play("u:b2", "b:muovi")
    assert game.why_not("h:C7") == {"fortificazioni.lati"}
    assert "h:E7" in game.options


@pytest.mark.rule("warfare:fortificazioni.lati")
def test_helicopters_cross_triangles():
    game = Table(unita={"b1": u("ita_mangusta", "C7"), "v1": FAR})
    assert game.go("b1", "D7").state.units["b1"].hex == "D7"


@pytest.mark.rule("warfare:popolazione.attraversare")
def test_regulars_cross_civilians_and_not_crowds():
    people = {"p1": {"esagono": "D5"}, "p2": {"esagono": "B5", "folla": "si"}}
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, popolazione=people)
    game.play("u:b1", "b:muovi")
    assert "popolazione.attraversare" in game.why_not("h:B5")
    assert "h:D5" in game.options


@pytest.mark.rule("warfare:movimento.limite_ap", "warfare:anfibio.transizione")
def test_shores_count_towards_the_limit():
    game = Table(unita={"b1": u("ita_lagunari", "G8"), "v1": FAR}, caselle={"blu": 30, "verde": 27})
    game.play("u:b1", "b:muovi", "h:H8", "h:I8")
    assert game.why_not("h:J8") == {"movimento.limite_ap"}, "three hexes and two shores, 4 AP"
    game = Table(unita={"b1": u("ita_lagunari", "G8"), "v1": FAR}, caselle={"blu": 30, "verde": 26})
    assert game.go("b1", "H8", "I8", "J8").state.units["b1"].hex == "J8"
    assert cost(game) == 5


@pytest.mark.rule("warfare:movimento.limite_ap", "warfare:stealth.abilita")
def test_stealth_counts_towards_the_limit():
    units = {"b1": u("us_recon", "A5"), "v1": FAR}
    game = Table(unita=units, caselle={"blu": 30, "verde": 29})
    game.play("u:b1", "b:muovi", "b:stealth", "h:B5")
    assert game.why_not("h:C5") == {"movimento.limite_ap"}
    game = Table(unita=units, caselle={"blu": 30, "verde": 30})
    game.play("u:b1", "b:muovi")
    assert {"movimento.limite_ap", "stealth.abilita"} <= game.why_not("b:stealth")


@pytest.mark.rule("warfare:movimento.limite_ap", "warfare:popolazione.muovere_costo")
def test_who_follows_counts_towards_the_limit():
    people = {"p1": {"esagono": "C5"}}
    units = {"b1": u("usmc_squad", "C5"), "v1": FAR}
    game = Table(unita=units, popolazione=people, caselle={"blu": 30, "verde": 28})
    game.play("u:b1", "b:muovi", "u:p1")
    assert game.why_not("u:p1") == {"popolazione.muovere"}, "it follows already"
    game.play("h:D5")
    assert game.why_not("h:E5") == {"movimento.limite_ap"}, "two hexes would cost 4 of 3 AP"
    game.play("b:lascia", "h:C5")
    assert game.why_not("u:p1") == {"popolazione.muovere"}, "it was left in D5"
    game = Table(unita=units, popolazione=people, caselle={"blu": 30, "verde": 30})
    game.play("u:b1", "b:muovi")
    assert {"popolazione.muovere_costo", "movimento.limite_ap"} <= game.why_not("u:p1")


@pytest.mark.rule("warfare:movimento.azione", "warfare:movimento.limite_ap")
def test_a_unit_walled_in_does_not_move():
    walls = ["B5", "D5", "C4", "B4", "B6", "C6"]
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, macerie=walls)
    game.play("u:b1")
    assert game.why_not("b:muovi") == {"movimento.azione", "movimento.limite_ap"}


@pytest.mark.rule("warfare:scenari.s1", "warfare:popolazione.muovere")
def test_before_chapter_two_population_follows_nobody():
    game = Table(
        unita={"b1": u("usmc_squad", "C8"), "v1": u("ins_cellula", "A1")},
        scenario="s1",
        caselle={"blu": 30, "verde": 20},
        popolazione={"p1": {"esagono": "C8"}},
    )
    game.play("u:b1", "b:muovi")
    assert game.why_not("u:p1") == {"scenari.s1"}


@pytest.mark.rule("warfare:stacking.attraversare")
def test_a_row_of_friends_is_crossed():
    units = {"b1": u("usmc_squad", "A5"), "b2": u("us_rifle", "B5"), "b3": u("us_at", "C5")}
    game = Table(unita={**units, "v1": FAR}, macerie=["A4", "A6", "B4", "B6", "C4", "C6"])
    assert game.go("b1", "B5", "C5", "D5").state.units["b1"].hex == "D5"


@pytest.mark.rule("warfare:stacking.limite", "warfare:arbitrato.mossa_gratuita")
def test_the_free_hex_must_be_empty():
    game = Table(
        unita={"b1": u("us_engineers", "C5"), "b2": u("us_rifle", "B5"), "v1": FAR},
        blocchi=["D5"],
        macerie=["C6"],
        dice=(6,),
    )
    game.play("u:b1", "b:sgombra", "h:D5")
    assert game.why_not("h:B5") == {"stacking.limite"}
    assert game.why_not("h:C6") == {"macerie.segnalino"}


@pytest.mark.rule("warfare:popolazione.attraversare", "warfare:arbitrato.elicotteri_folla")
def test_helicopters_of_regulars_keep_away_from_crowds_too():
    game = Table(
        unita={"b1": u("ita_mangusta", "C5"), "v1": FAR},
        popolazione={"p1": {"esagono": "D5", "folla": "si"}},
    )
    game.play("u:b1", "b:muovi")
    assert "arbitrato.elicotteri_folla" in game.why_not("h:D5")


@pytest.mark.rule("warfare:movimento.limite_ap", "warfare:stacking.attraversare")
def test_a_path_through_friends_needs_the_ap_to_come_out():
    units = {"b1": u("usmc_squad", "C5"), "b2": u("us_rifle", "D5"), "v1": FAR}
    game = Table(unita=units, caselle={"blu": 30, "verde": 30})
    game.play("u:b1", "b:muovi")
    assert game.why_not("h:D5") == {"stacking.limite", "stacking.attraversare"}
    game = Table(unita=units, caselle={"blu": 30, "verde": 29})
    game.play("u:b1", "b:muovi")
    assert "h:D5" in game.options


@pytest.mark.rule("warfare:movimento.costo", "warfare:terreno.fortificazione")
@pytest.mark.parametrize(("kind", "ap"), [("usmc_squad", 1), ("us_jltv", 2)])
def test_a_fortification_costs_what_cover_costs(kind, ap):
    game = Table(unita={"b1": u(kind, "E7"), "v1": FAR})
    game.go("b1", "D7")
    assert cost(game) == ap


@pytest.mark.rule("warfare:movimento.veicolo_scoperto", "warfare:terreno.scoperto")
@pytest.mark.parametrize(
    ("path", "ap"), [(("B5",), 1), (("B5", "C5"), 1), (("B5", "C5", "D5", "E5"), 2)]
)
def test_a_vehicle_pays_for_pairs_of_open_hexes(path, ap):
    game = Table(unita={"b1": u("us_jltv", "A5"), "v1": FAR})
    game.go("b1", *path)
    assert cost(game) == ap


@pytest.mark.rule("warfare:popolazione.attraversare")
def test_irregulars_cross_crowds():
    game = Table(
        unita={"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "C5")},
        popolazione={"p2": {"esagono": "B5", "folla": "si"}},
        caselle={"blu": 20, "verde": 30},
    )
    assert game.go("v1", "B5").state.units["v1"].hex == "B5"


@pytest.mark.rule("warfare:popolazione.muovere", "warfare:popolazione.muovere_costo")
def test_civilians_follow_for_one_ap_a_hex_and_are_left_for_nothing():
    game = Table(
        unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, popolazione={"p1": {"esagono": "C5"}}
    )
    state = game.play("u:b1", "b:muovi", "u:p1", "h:D5", "b:lascia", "h:E5", "b:vai").state
    assert state.population["p1"].hex == "D5"
    assert state.units["b1"].hex == "E5"
    assert cost(game) == 3
    assert {"popolazione.muovere", "popolazione.muovere_costo"} <= game.cited


@pytest.mark.rule("warfare:popolazione.muovere_costo", "warfare:arbitrato.civili_limiti")
def test_a_vehicle_with_civilians_keeps_two_hexes_for_one_ap():
    game = Table(unita={"b1": u("us_jltv", "C5"), "v1": FAR}, popolazione={"p1": {"esagono": "C5"}})
    game.play("u:b1", "b:muovi", "u:p1", "h:D5", "h:E5", "b:vai")
    assert cost(game) == 3


@pytest.mark.rule("warfare:popolazione.muovere", "warfare:arbitrato.civili_limiti")
def test_only_one_marker_follows_in_a_movement_and_none_a_helicopter():
    people = {"p1": {"esagono": "C5"}, "p2": {"esagono": "D5"}}
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, popolazione=people)
    game.play("u:b1", "b:muovi", "u:p1", "h:D5", "b:lascia")
    assert game.why_not("u:p2") == {"arbitrato.civili_limiti"}
    game = Table(unita={"b1": u("ita_mangusta", "C5"), "v1": FAR}, popolazione=people)
    game.play("u:b1", "b:muovi")
    assert game.why_not("u:p1") == {"arbitrato.civili_limiti"}


@pytest.mark.rule("warfare:popolazione.muovere_folla", "warfare:arbitrato.folla_su_regolari")
def test_a_crowd_follows_irregulars_only():
    crowd = {"p1": {"esagono": "C5", "folla": "si"}}
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, popolazione=crowd)
    game.play("u:b1", "b:muovi")
    assert "popolazione.muovere_folla" in game.why_not("u:p1")
    game = Table(
        unita={"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "C5")},
        popolazione=crowd,
        caselle={"blu": 20, "verde": 30},
    )
    state = game.play("u:v1", "b:muovi", "u:p1", "h:D5", "b:vai").state
    assert state.population["p1"].hex == "D5"
    assert state.cubes["verde"].position == 12
    assert "popolazione.muovere_folla" in game.cited


@pytest.mark.rule("warfare:arbitrato.stop_movimento", "warfare:stacking.attraversare")
def test_a_unit_suppressed_on_a_friend_goes_back_to_the_last_empty_hex():
    game = Table(
        unita={
            "b1": u("usmc_squad", "A5", morale=1),
            "b2": u("us_rifle", "C5"),
            "v1": u("ins_mg", "C3", overwatch="si"),
        },
        dice=(4,),
    )
    game.go("b1", "B5", "C5", "D5")
    assert game.asked.side == "verde"
    game.play("b:attendi")
    state = game.play("u:v1").state
    assert state.units["b1"].hex == "B5"
    assert state.units["b2"].hex == "C5"
    assert "arbitrato.stop_movimento" in game.cited


@pytest.mark.rule("warfare:arbitrato.stop_movimento", "warfare:popolazione.muovere")
def test_population_goes_back_with_the_unit_that_it_follows():
    game = Table(
        unita={
            "b1": u("usmc_squad", "A5", morale=1),
            "b2": u("us_rifle", "C5"),
            "v1": u("ins_mg", "C3", overwatch="si"),
        },
        popolazione={"p1": {"esagono": "A5", "folla": "no"}},
        dice=(4,),
    )
    game.play("u:b1", "b:muovi", "u:p1", "h:B5", "h:C5", "h:D5", "b:vai", "b:attendi")
    state = game.play("u:v1").state
    assert (state.units["b1"].hex, state.population["p1"].hex) == ("B5", "B5")


@pytest.mark.rule("warfare:scenari.s2", "warfare:trasporto.movimento")
def test_civilians_carried_to_the_last_row_are_saved():
    game = Table(
        unita={"b1": u("usmc_lav", "C8"), "v1": u("ins_cellula", "A1")},
        scenario="s2",
        caselle={"blu": 30, "verde": 20},
        popolazione={"p1": {"a_bordo": "b1"}},
    )
    state = game.go("b1", "C9").state
    assert (state.population["p1"].place, state.population["p1"].carrier) == ("left the map", "")


@pytest.mark.rule("warfare:scenari.s2", "warfare:unita.regolari")
def test_irregulars_save_nobody():
    game = Table(
        unita={"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "C8")},
        scenario="s2",
        caselle={"blu": 20, "verde": 30},
        popolazione={"p1": {"esagono": "C8"}},
    )
    state = game.play("u:v1", "b:muovi", "u:p1", "h:C9", "b:vai").state
    assert (state.population["p1"].place, state.population["p1"].hex) == ("map", "C9")


@pytest.mark.rule("warfare:scenari.s2", "warfare:popolazione.muovere")
def test_civilians_saved_on_the_way_do_not_come_back():
    game = Table(
        unita={"b1": u("usmc_squad", "C8"), "v1": u("ins_cellula", "A1")},
        scenario="s2",
        caselle={"blu": 30, "verde": 20},
        popolazione={"p1": {"esagono": "C8"}},
    )
    state = game.play("u:b1", "b:muovi", "u:p1", "h:C9", "h:C8", "b:vai").state
    assert state.population["p1"].place == "left the map"
    assert state.population["p1"].hex == ""
    assert state.units["b1"].hex == "C8"


@pytest.mark.rule("warfare:stacking.attraversare", "warfare:terreno.acqua")
@pytest.mark.parametrize("scenario", ["s2", "s3", "s5", "casuale"])
def test_on_plain_ground_nothing_is_asked_and_nothing_would_be_found(scenario):
    """Whoever may enter a hex according to the index may enter it according to the rules."""
    checked = 0
    for number, (game, _decision) in enumerate(positions(TITLE, scenario, 3, 160)):
        state = game.position.draft
        if number % 20 or not state.units:
            continue
        field = field_of(state)
        for mover in on_map(state):
            for to in field.around[mover.hex]:
                found = list(why_not_enter(state, field, mover, mover.hex, to))
                assert can_enter(state, field, mover, mover.hex, to) == (not found), (mover, to)
                checked += 1
    assert checked > 100
