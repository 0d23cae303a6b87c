"""German actions of the extended game (16)."""

from __future__ import annotations

import pytest

from engine.ddob.rules.german_actions import mortar_field, route
from tests.ddob.table import Table

EMPTY = {"T": 0, "D": 0}


def sector(*draws, **given):
    given = {"turno": 18, "scenario": "d-day", "us": {}, "tedeschi": {}, "riquadri": EMPTY, **given}
    return Table(dice=draws, fase="fire:east", **given)


def shown(unit="8/2/916", **more):
    return {"specie": "T", "unita": unit, "rivelata": "si", **more}


@pytest.mark.rule("ddob:16", "ddob:16.nessuna", "ddob:16.simboli")
def test_far_empty_or_disrupted_positions_do_nothing():
    given = {"1008": {"specie": "T", "confusione": "si"}}
    game = sector("05", us={"A/1/16": "1009"}, tedeschi=given)
    assert game.state.units["A/1/16"].steps == 3
    assert not game.state.germans["1008"].disrupted


@pytest.mark.rule("ddob:14.2", "ddob:6.1.lettera")
def test_actions_may_start_on_turn_12():
    given = {"us": {"C/1/16": "0709"}, "tedeschi": {"0807": "wn75"}, "turno": 12}
    assert "16" not in sector("21", **given).cited
    assert "16" in sector("21", opzioni={"14.2": "si"}, **given).cited


@pytest.mark.rule("ddob:16.1", "ddob:16.11", "ddob:tab.azioni.r")
def test_an_empty_wn_is_reoccupied_by_eliminated_units():
    game = sector("02", "1 BG", wn_eliminati={"1 BG": 1}, us={"A/1/16": "0714"})
    german = game.state.germans["0807"]
    assert (german.unit, german.shown, german.silent) == ("1 BG", True, True)
    assert game.state.dead_wn == {}
    game = sector("02", wn_eliminati={"1 BG": 1}, us={"A/1/16": "0807"})
    assert "0807" not in game.state.germans
    assert game.state.phase == "fire:west"


@pytest.mark.rule("ddob:16.11")
def test_a_us_unit_in_one_hex_protects_a_double_wn():
    given = {"wn_eliminati": {"1 BG": 2}}
    game = sector("05", "1 BG", "1 BG", us={"A/1/16": "0716"}, **given)
    assert {"0817", "0918"} <= set(game.state.germans)
    game = sector("05", us={"A/1/16": "0918"}, **given)
    assert "0817" not in game.state.germans
    assert game.state.phase == "fire:west"


@pytest.mark.rule("ddob:16.12")
def test_too_few_eliminated_units_go_where_the_enemy_is_near():
    game = sector("05", "1 BG", us={"A/1/16": "0717"}, wn_eliminati={"1 BG": 1})
    assert list(game.state.germans) == ["0817"]
    assert "16.12" in game.cited
    game = sector("05", "1 BG", us={"A/1/16": "1018"}, wn_eliminati={"1 BG": 1})
    assert list(game.state.germans) == ["0918"]


@pytest.mark.rule("ddob:16.12", "ddob:casa.92")
def test_equal_wns_are_reoccupied_by_higher_number_and_equal_hexes_as_the_player_likes():
    given = {"turno": 18, "scenario": "d-day", "tedeschi": {}, "wn_eliminati": {"1 BG": 1}}
    given["riquadri"] = EMPTY
    game = Table(dice=["08", "1 BG"], fase="fire:west", us={"A/1/116": "0822"}, **given)
    assert game.options == {"h:0821", "h:0922"}
    game.play("h:0922")
    assert list(game.state.germans) == ["0922"]
    game = Table(dice=["08", "1 BG"], fase="fire:west", us={"A/1/116": "1023 1"}, **given)
    assert list(game.state.germans) == ["1222"]
    assert "casa.92" in game.cited


@pytest.mark.rule("ddob:16.1", "ddob:11.31")
def test_a_general_alone_in_a_reoccupied_wn_is_captured():
    us = {"Wyman": "0807", "A/1/16": "0714"}
    game = sector("02", "1 BG", us=us, wn_eliminati={"1 BG": 1})
    assert game.state.units["Wyman"].at == "out"
    assert "0807" in game.state.germans


@pytest.mark.rule("ddob:16.2", "ddob:16.21")
def test_a_lone_unit_resupplies_even_on_a_double_square_and_fires():
    game = sector("03", us={"A/1/16": "1009"}, tedeschi={"1008": shown()})
    german = game.state.germans["1008"]
    assert german.depth == ""
    game = sector("30", us={"A/1/16": "1009"}, tedeschi={"1008": shown()})
    assert game.state.germans["1008"].depth == "?"
    assert game.state.units["A/1/16"].steps == 2
    assert {"16.2", "16.21"} <= game.cited


@pytest.mark.rule("ddob:16.3", "ddob:16.32", "ddob:16.34")
def test_a_unit_with_nobody_in_its_field_redeploys():
    us = {"A/1/16": "1009"}
    game = sector("05", us=us, tedeschi={"1808": shown(incognita="?")})
    assert "1808" not in game.state.germans
    german = game.state.germans["1008"]
    assert german.silent
    assert german.depth_kind == "mobile"
    assert game.state.units["A/1/16"].steps == 3
    assert {"16.3", "16.32", "16.34"} <= game.cited


@pytest.mark.rule("ddob:16.31")
def test_a_unit_on_a_vp_position_redeploys_only_to_another():
    game = sector("05", us={"A/1/16": "1009"}, tedeschi={"1814": shown()})
    assert "1814" in game.state.germans
    assert "16.31" in game.cited


@pytest.mark.rule("ddob:16.4", "ddob:casa.68")
def test_a_position_without_vp_is_reinforced_only_under_strong_fire():
    game = sector("05", us={"A/1/16": "1010"}, riquadri={"T": 1, "D": 0})
    assert "1008" not in game.state.germans
    game = sector("05", us={"A/1/16": "1009"}, riquadri={"T": 1, "D": 0})
    assert game.state.germans["1008"].depth == "?"


@pytest.mark.rule("ddob:16.5", "ddob:16.51", "ddob:casa.62")
def test_mortars_reach_three_hexes_and_a_wn_the_beach_up_to_five():
    field = mortar_field("A1", ("1008",))
    assert "1011" in field
    assert "1012" not in field
    field = mortar_field("WN64", ("0916",))
    assert {"0714", "0613", "0816"} <= set(field)
    assert "0920" not in field
    assert {"0513", "0811"} <= set(field)
    assert not {"0512", "0810"} & set(field)
    assert {"1115", "1117", "0918"} <= set(field)
    assert not {"1214", "1216", "0913"} & set(field)
    game = sector("06", us={"B/1/16": "1011"}, tedeschi={"1008": shown()})
    assert game.state.units["B/1/16"].steps == 2
    game = sector("06", us={"A/1/16": "1011"}, tedeschi={"1008": shown()})
    assert game.state.units["A/1/16"].steps == 3
    assert "16.51" in game.cited


@pytest.mark.rule("ddob:16.6", "ddob:16.61", "ddob:11.42")
def test_a_patrol_disrupts_all_under_strong_fire_or_the_nearest_unit():
    us = {"A/1/16": "1009", "B/1/16": "1006", "HQ16": "1007", "C/1/16": "1010"}
    game = sector("49", us=us, tedeschi={"1008": shown()})
    assert [u for u in us if game.state.units[u].disrupted] == ["A/1/16", "B/1/16"]
    assert "16.61" in game.cited
    us = {"A/1/16": "1010", "B/1/16": "1011"}
    game = sector("49", us=us, tedeschi={"1008": shown()})
    assert [u for u in us if game.state.units[u].disrupted] == ["A/1/16"]


@pytest.mark.rule("ddob:16.7", "ddob:casa.31", "ddob:19.33")
def test_a_wn_gun_shells_either_sector():
    game = sector(
        "27", us={"B/1/116": "0428", "C/1/116": "1126"}, tedeschi={"0812": "wn", "0912": "wn75+"}
    )
    assert game.state.units["B/1/116"].steps == 3
    game = sector("27", us={"F/2/116": "0428"}, tedeschi={"0812": "wn", "0912": "wn75+"})
    assert game.state.units["F/2/116"].steps == 2
    assert "artillery west" in game.state.notes


@pytest.mark.rule("ddob:16.8", "ddob:16.81", "ddob:casa.70")
def test_a_known_unit_of_the_716th_fires_instead_of_advancing():
    us = {"I/3/16": "1314"}
    given = {"1313": shown("3/1/726", incognita="?")}
    game = sector("21", us=us, tedeschi=given)
    assert "1313" in game.state.germans
    assert game.state.units["I/3/16"].steps == 2
    assert "16.81" in game.cited


@pytest.mark.rule("ddob:16.82")
def test_seven_strength_repulse_an_advance():
    us = {"F/2/16": "1212", "A/1/16": "1213 1"}
    given = {"1313": shown("5/2/916", incognita="?")}
    game = sector("21", us=us, tedeschi=given)
    assert "1313" in game.state.germans
    assert game.state.units["F/2/16"].steps == 3


@pytest.mark.rule("ddob:16.82", "ddob:16.84")
def test_a_hero_adds_one_to_the_defence_of_the_route():
    given = {"1313": shown("5/2/916", incognita="?")}
    us = {"F/2/16": "1212 eroe=Pinder"}
    game = sector("21", us=us, tedeschi=given)
    assert "1313" in game.state.germans
    assert "16.84" in game.cited


@pytest.mark.rule("ddob:16.85")
def test_an_advance_waits_for_the_losses_of_the_other_actions():
    us = {"F/2/16": "1212", "K/3/16": "1212 2"}
    unit = {"1313": shown("5/2/916", incognita="?")}
    game = sector("21", us=us, tedeschi=unit)
    assert "1313" in game.state.germans
    game = sector("21", us=us, tedeschi={**unit, "1110": shown(incognita="?")})
    game.play("u:F/2/16")
    assert "1113" in game.state.germans
    assert [game.state.units[u].steps for u in us] == [1, 1]


@pytest.mark.rule("ddob:16.85", "ddob:16.8")
def test_a_position_that_fires_instead_of_advancing_does_not_wait():
    units = {"1008": shown(incognita="?"), "1403": shown("5/2/916", incognita="?")}
    game = sector("21", us={"A/1/16": "1009"}, tedeschi=units)
    assert game.state.units["A/1/16"].steps == 2
    assert "1204" in game.state.germans
    events = [type(step.event).__name__ for step in game.steps if step.event is not None]
    assert events.index("LostStep") < events.index("GermanMoved")


@pytest.mark.rule("ddob:16.82", "ddob:11.14")
def test_no_hero_takes_the_step_lost_to_an_advance():
    given = {"1313": shown("5/2/916", incognita="?")}
    game = sector("21", us={"F/2/16": "1212 1 eroe=Strojny"}, tedeschi=given)
    assert game.state.units["F/2/16"].at == "lost"
    assert "1113" in game.state.germans


@pytest.mark.rule("ddob:16.82")
def test_units_in_the_destination_retreat_off_the_route():
    given = {"1313": shown("5/2/916", incognita="?")}
    game = sector("21", us={"L/3/16": "1113 2"}, tedeschi=given)
    assert game.state.units["L/3/16"].disrupted
    spots = game.options
    assert "h:1112" not in spots
    assert "h:1012" in spots
    game.play("h:1012")
    assert game.state.germans["1113"].unit == "5/2/916"
    assert game.state.units["L/3/16"].at == "1012"


@pytest.mark.rule("ddob:16.82", "ddob:casa.58")
def test_routes_are_adjacent_straight_or_bent():
    assert set(route("0832", "0732")) == {"0832", "0732", "0733", "0831"}
    assert set(route("1313", "1113")) == {"1313", "1212", "1213", "1113", "1112", "1114"}
    assert len(route("1808", "1607")) == 7


@pytest.mark.rule("ddob:16.86")
def test_b1_prefers_a7():
    game = sector("07", us={"A/1/16": "1508"}, tedeschi={"1407": shown("5/2/916", incognita="?")})
    assert "16.86" not in game.cited
    game = sector("16", us={}, tedeschi={"1407": shown("5/2/916", incognita="?")})
    assert game.state.germans["1207"].unit == "5/2/916"
    assert "16.86" in game.cited


@pytest.mark.rule("ddob:16.83")
def test_an_advance_changes_the_marker_with_the_terrain():
    game = sector("16", us={}, tedeschi={"1407": shown("5/2/916", incognita="?")})
    assert game.state.germans["1207"].depth_kind == "building"


@pytest.mark.rule("ddob:16.9", "ddob:16.92")
def test_an_ambush_hits_one_unit_and_disrupts_under_weak_fire():
    us = {"L/3/16": "1212", "C/1/16": "1314 2"}
    game = sector("21", us=us)
    assert game.state.units["L/3/16"].steps == 2
    assert game.state.units["C/1/16"].steps == 2
    game = sector("21", us={"L/3/16": "1213"})
    assert game.state.units["L/3/16"].disrupted
    assert {"16.9", "16.92"} <= game.cited


@pytest.mark.rule("ddob:16.9", "ddob:6.34", "ddob:14.2")
def test_an_early_ambush_respects_the_one_step_of_a_phase():
    given = {"turno": 12, "opzioni": {"14.2": "si"}}
    game = sector("21", us={"L/3/16": "1212"}, **given)
    assert game.state.units["L/3/16"].steps == 2
    assert game.state.units["L/3/16"].hit
    game = sector("21", us={"L/3/16": "1212 colpita"}, **given)
    assert game.state.units["L/3/16"].steps == 3


@pytest.mark.rule("ddob:14.12")
def test_several_positions_may_take_several_steps_of_a_unit():
    given = {"0916": "wn", "0817": "wn", "0918": "wn75+"}
    game = sector("03", us={"B/1/16": "0716"}, tedeschi=given)
    assert game.state.units["B/1/16"].steps == 1
    assert "14.12" in game.cited


@pytest.mark.rule("ddob:16", "ddob:16.nessuna", "ddob:16.4")
def test_a_vp_position_is_reinforced_within_two_hexes_even_with_nobody_in_its_field():
    one = {"T": 1, "D": 0}
    german = sector("05", us={"A/1/16": "1405"}, riquadri=one).state.germans["1403"]
    assert (german.depth, german.silent) == ("?", True)
    assert "1403" not in sector("05", us={"A/1/16": "1406"}, riquadri=one).state.germans
    game = sector("05", us={"A/1/16": "1405"}, riquadri=one, guarnigioni=["1403"])
    assert "1403" not in game.state.germans
    assert "19.3.guarnigione" in game.cited


@pytest.mark.rule("ddob:16.1", "ddob:19.3.guarnigione")
def test_a_garrison_keeps_a_wn_from_being_reoccupied():
    given = {"wn_eliminati": {"1 BG": 1}, "us": {"A/1/16": "0714"}}
    game = sector("02", guarnigioni=["0807"], **given)
    assert "0807" not in game.state.germans
    assert game.state.phase == "fire:west"


@pytest.mark.rule("ddob:16.2")
def test_without_communication_a_unit_fires_but_takes_no_marker():
    us = {"A/1/16": "1116", "B/1/16": "1214"}
    game = sector("14", us=us, tedeschi={"1215": shown()})
    assert game.state.germans["1215"].depth == "?"
    us |= {"C/1/16": "1316", "E/2/16": "1315", "L/3/16": "1115"}
    game = sector("14", us=us, tedeschi={"1215": shown()})
    assert game.state.germans["1215"].depth == ""
    assert game.state.units["A/1/16"].steps == 2


@pytest.mark.rule("ddob:16.3", "ddob:casa.61")
def test_redeployment_prefers_vp_then_low_numbers_then_many_steps():
    unit = {"1808": shown()}
    us = {"A/1/16": "1105", "B/1/16": "1009"}
    assert "1004" in sector("05", us=us, tedeschi=unit).state.germans
    us = {"A/1/16": "1105 1", "B/1/16": "1513"}
    assert "1514" in sector("05", us=us, tedeschi=unit).state.germans
    us = {"A/1/16": "1105", "B/1/16": "1513 1"}
    assert "1004" in sector("05", us=us, tedeschi=unit).state.germans
    us = {"A/1/16": "1105", "B/1/16": "1513"}
    assert sector("05", us=us, tedeschi=unit).options == {"h:1004", "h:1514"}
    us = {"D/1/16": "1105", "B/1/16": "1513"}
    assert sector("05", us=us, tedeschi=unit).options == {"h:1004", "h:1514"}
    by_strength = {"16.3": "forza"}
    assert "1004" in sector("05", us=us, tedeschi=unit, opzioni=by_strength).state.germans


@pytest.mark.rule("ddob:16.3", "ddob:19.3.guarnigione")
def test_redeployment_needs_an_empty_ungarrisoned_position_of_the_sector():
    unit = {"1808": shown()}
    game = sector("05", us={"A/1/16": "1009"}, tedeschi=unit, guarnigioni=["1008", "1110"])
    assert "1808" in game.state.germans
    game = sector("05", us={"A/1/116": "0929"}, tedeschi=unit)
    assert "1808" in game.state.germans
    game = sector("05", us={"A/1/16": "1008 1", "B/1/16": "1110 1"}, tedeschi=unit)
    assert "1808" not in game.state.germans
    assert "1008" not in game.state.germans


@pytest.mark.rule("ddob:16.34", "ddob:16.83")
def test_a_marker_stays_when_the_other_kind_has_run_out():
    empty = {**EMPTY, "mobile": 0}
    given = {"us": {"A/1/16": "1009"}, "tedeschi": {"1808": shown(incognita="?")}}
    game = sector("05", **given, riquadri=empty)
    assert game.state.germans["1008"].depth_kind == "building"
    game = sector("05", **given)
    assert game.state.boxes["building"] == 9


@pytest.mark.rule("ddob:16.5")
def test_mortars_hit_one_unit_or_two_with_a_marker_and_the_strongest_first():
    us = {"B/1/16": "1011 2", "F/2/16": "1206", "HQ16": "1011", "K/3/16": "1111 1"}
    game = sector("06", us=us, tedeschi={"1008": shown()})
    assert [game.state.units[u].steps for u in ("B/1/16", "F/2/16")] == [2, 2]
    game = sector("06", us=us, tedeschi={"1008": shown(incognita="?")})
    assert [game.state.units[u].steps for u in ("B/1/16", "F/2/16", "K/3/16")] == [1, 2, 1]
    assert not any(game.state.units[u].disrupted for u in us)
    game = sector("06", us={"2/B/741": "1011"}, tedeschi={"1008": shown()})
    assert game.state.units["2/B/741"].steps == 1


@pytest.mark.rule("ddob:16.5", "ddob:6.34", "ddob:14.2")
def test_early_mortars_respect_the_one_step_of_a_phase():
    given = {"turno": 12, "opzioni": {"14.2": "si"}, "tedeschi": {"1008": shown()}}
    game = sector("06", us={"B/1/16": "1011"}, **given)
    assert (game.state.units["B/1/16"].steps, game.state.units["B/1/16"].hit) == (2, True)
    game = sector("06", us={"B/1/16": "1011 colpita"}, **given)
    assert game.state.units["B/1/16"].steps == 3
    game = sector("06", us={"B/1/16": "1011"}, tedeschi={"1008": shown()})
    assert not game.state.units["B/1/16"].hit


@pytest.mark.rule("ddob:16.5", "ddob:6.35", "ddob:casa.72")
def test_mortars_find_a_concentrated_target():
    us = {"A/1/16": "1011", "C/1/16": "1011 2"}
    game = sector("06", us=us, tedeschi={"1008": shown()})
    assert [game.state.units[u].steps for u in us] == [2, 2]
    assert "casa.72" in game.cited


@pytest.mark.rule("ddob:16.6")
def test_a_lone_patrol_looks_for_the_symbol_then_for_strength():
    us = {"A/1/16": "1010", "C/1/16": "1010 1"}
    game = sector("49", us=us, tedeschi={"1008": shown()})
    assert [game.state.units[u].disrupted for u in us] == [False, True]
    us = {"L/3/16": "1010", "C/1/16": "1010 1"}
    game = sector("49", us=us, tedeschi={"1008": shown()})
    assert [game.state.units[u].disrupted for u in us] == [True, False]
    game = sector("49", us={"A/1/16": "1011"}, tedeschi={"1008": shown()})
    assert game.state.units["A/1/16"].disrupted
    game = sector("49", us={"A/1/16": "1012"}, tedeschi={"1008": shown()})
    assert not game.state.units["A/1/16"].disrupted


@pytest.mark.rule("ddob:16.7")
def test_wn_guns_prefer_their_own_sector_then_the_strongest():
    gun = {"0812": "wn", "0912": "wn75+"}
    us = {"B/1/16": "0718 2", "F/2/116": "0428"}
    game = sector("27", us=us, tedeschi=gun)
    assert [game.state.units[u].steps for u in us] == [1, 3]
    us = {"B/1/16": "0718 2", "F/2/16": "0719"}
    game = sector("27", us=us, tedeschi=gun)
    assert [game.state.units[u].steps for u in us] == [2, 2]
    game = sector("27", us={"B/1/16": "0718"}, tedeschi={"0812": "wn+"})
    assert game.state.units["B/1/16"].steps == 3


@pytest.mark.rule("ddob:16.8", "ddob:16.81")
def test_a_blocked_arrow_means_fire_or_nothing():
    unit = {"1313": shown("5/2/916", incognita="?"), "1113": "T"}
    game = sector("21", us={"I/3/16": "1314"}, tedeschi=unit)
    assert game.state.units["I/3/16"].steps == 2
    assert "1313" in game.state.germans
    game = sector("21", us={"I/3/16": "1717"}, tedeschi=unit)
    assert game.state.units["I/3/16"].steps == 3


@pytest.mark.rule("ddob:16.81", "ddob:casa.70")
def test_a_hidden_unit_with_a_marker_advances_past_us_units():
    game = sector("21", us={"I/3/16": "1314"}, tedeschi={"1313": "T+"})
    assert "1113" in game.state.germans
    assert game.state.units["I/3/16"].steps == 3


@pytest.mark.rule("ddob:16.82")
@pytest.mark.parametrize(
    ("us", "repulsed"),
    [
        ({"F/2/16": "1212"}, False),  # six in the open
        ({"F/2/16": "1212", "Can/16": "1112"}, False),  # guns are disrupted
        ({"A/1/16": "1213 2"}, True),  # four, doubled by the bocage
        ({"A/1/16": "1213 1"}, False),
        ({"AB/5R": "1213 1"}, False),  # three doubled is six
        ({"AB/5R": "1212 eroe=Thompson"}, False),  # five and a hero are six
        ({"A/1/16": "1113 2"}, True),  # four, doubled by the buildings
        ({"1/B/741": "1212", "A/1/16": "1112 2"}, True),  # a tank and a company
        ({"1/C/741": "1212", "A/1/16": "1112 2"}, False),  # the tank has the symbol
        ({"F/2/16": "1212 confusione", "A/1/16": "1112 2"}, False),
        ({"F/2/16": "1212 eroe=Strojny"}, True),  # six and a hero are seven
        ({"F/2/16": "1212 eroe=Strojny ispirata"}, False),  # but not once he has fallen
    ],
)
def test_what_holds_against_an_advance(us, repulsed):
    game = sector("21", us=us, tedeschi={"1313": shown("5/2/916", incognita="?")})
    while game.position.decision is not None and "1313" in game.state.germans:
        options = sorted(o for o in game.options if o[:2] in ("u:", "h:"))
        if game.state.phase != "act:east" or not options:
            break
        game.play(options[0])
    assert ("1313" in game.state.germans) is repulsed


@pytest.mark.rule("ddob:16.82", "ddob:11.31", "ddob:19.3.guarnigione")
def test_an_advance_takes_generals_and_garrisons_but_an_hq_gets_away():
    unit = {"1313": shown("5/2/916", incognita="?")}
    game = sector("21", us={"Wyman": "1113"}, tedeschi=unit, guarnigioni=["1113"])
    assert game.state.units["Wyman"].at == "out"
    assert game.state.garrisons == ()
    game = sector("21", us={"HQ16": "1113"}, tedeschi=unit)
    assert "h:1012" in game.options
    game.play("h:1012")
    assert game.state.units["HQ16"].at == "1012"
    assert "1113" in game.state.germans


@pytest.mark.rule("ddob:16.82")
def test_units_in_the_destination_retreat_together():
    unit = {"1313": shown("5/2/916", incognita="?")}
    us = {"F/2/16": "1113 1", "E/2/16": "1113 1 confusione", "Wyman": "1113"}
    game = sector("21", us=us, tedeschi=unit)
    game.play("u:F/2/16", "h:1012")
    assert game.state.units["F/2/16"].at == "lost"
    assert [game.state.units[u].at for u in ("E/2/16", "Wyman")] == ["1012", "1012"]
    assert "1113" in game.state.germans


@pytest.mark.rule("ddob:16.9", "ddob:6.35", "ddob:casa.72")
def test_an_ambush_finds_a_concentrated_target_and_nobody_without_the_symbol():
    game = sector("21", us={"A/1/16": "1212", "B/1/16": "1212 2"})
    assert [game.state.units[u].steps for u in ("A/1/16", "B/1/16")] == [2, 2]
    game = sector("21", us={"A/1/16": "1212"})
    assert game.state.units["A/1/16"].steps == 3
    assert not game.state.units["A/1/16"].disrupted


@pytest.mark.rule("ddob:16.92")
def test_an_ambush_takes_the_nearest_unit_and_then_the_strongest():
    game = sector("21", us={"C/1/16": "1213 1", "L/3/16": "1113"})
    assert [game.state.units[u].disrupted for u in ("C/1/16", "L/3/16")] == [True, False]
    game = sector("21", us={"C/1/16": "1213 1", "L/3/16": "1213 2"})
    assert [game.state.units[u].disrupted for u in ("C/1/16", "L/3/16")] == [False, True]


@pytest.mark.rule("ddob:16.82", "ddob:casa.81")
def test_a_vehicle_that_no_terrain_lets_retreat_is_lost():
    unit = {"1215": shown("5/2/916", incognita="?")}
    game = sector("19", us={"1/B/741": "1014", "HQ16": "1014"}, tedeschi=unit)
    assert game.state.units["1/B/741"].at == "lost"
    assert "casa.81" in game.cited
    assert game.options == {"h:0914", "h:0915", "h:1013"}
    game.play("h:0915")
    assert game.state.units["HQ16"].at == "0915"
    assert game.state.germans["1014"].unit == "5/2/916"


@pytest.mark.rule("ddob:16.4", "ddob:9.31", "ddob:16.32")
def test_a_divisional_unit_that_reinforces_does_not_act_at_once():
    us = {"A/1/16": "1009"}
    game = sector("05", "D", us=us, riquadri={"T": 0, "D": 1})
    german = game.state.germans["1008"]
    assert (german.kind, german.depth, german.silent) == ("D", "?", True)
    assert game.state.units["A/1/16"].steps == 3
