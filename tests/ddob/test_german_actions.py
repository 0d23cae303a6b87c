"""German actions of the extended game (16)."""

from __future__ import annotations

import pytest

from engine.ddob.german_actions import mortar_field, route
from tests.ddob.table import act, cited, now, offered, table

EMPTY = {"T": 0, "D": 0}


def sector(*draws, **given):
    given = {"turno": 18, "scenario": "d-day", "us": {}, "tedeschi": {}, "riquadri": EMPTY, **given}
    return table(*draws, fase="fire:east", **given)


def shown(unit="8/2/916", **more):
    return {"specie": "T", "unita": unit, "rivelata": "si", **more}


@pytest.mark.rule("ddob:16", "ddob:16.nessuna", "ddob:16.simboli")
def test_far_empty_or_disrupted_positions_do_nothing():
    given = {"1008": {"specie": "T", "confusione": "si"}}
    game = sector("05", us={"A/1/16": "1009"}, tedeschi=given)
    assert now(game).units["A/1/16"].steps == 3
    assert not now(game).germans["1008"].disrupted


@pytest.mark.rule("ddob:14.2", "ddob:6.1.lettera")
def test_actions_may_start_on_turn_12():
    given = {"us": {"C/1/16": "0709"}, "tedeschi": {"0807": "wn75"}, "turno": 12}
    assert "16" not in cited(sector("21", **given))
    assert "16" in cited(sector("21", opzioni={"14.2": "si"}, **given))


@pytest.mark.rule("ddob:16.1", "ddob:16.11", "ddob:tab.azioni.r")
def test_an_empty_wn_is_reoccupied_by_eliminated_units():
    game = sector("02", "1 BG", wn_eliminati={"1 BG": 1}, us={"A/1/16": "0714"})
    german = now(game).germans["0807"]
    assert (german.unit, german.shown, german.silent) == ("1 BG", True, True)
    assert now(game).dead_wn == {}
    game = sector("02", wn_eliminati={"1 BG": 1}, us={"A/1/16": "0807"})
    assert "0807" not in now(game).germans


@pytest.mark.rule("ddob:16.11")
def test_a_us_unit_in_one_hex_protects_a_double_wn():
    given = {"wn_eliminati": {"1 BG": 2}}
    game = sector("05", "1 BG", "1 BG", us={"A/1/16": "0716"}, **given)
    assert {"0817", "0918"} <= set(now(game).germans)
    game = sector("05", us={"A/1/16": "0918"}, **given)
    assert "0817" not in now(game).germans


@pytest.mark.rule("ddob:16.12")
def test_too_few_eliminated_units_go_where_the_enemy_is_near():
    game = sector("05", "1 BG", us={"A/1/16": "0717"}, wn_eliminati={"1 BG": 1})
    assert list(now(game).germans) == ["0817"]
    assert "16.12" in cited(game)


@pytest.mark.rule("ddob:16.2", "ddob:16.21")
def test_a_lone_unit_resupplies_even_on_a_double_square_and_fires():
    game = sector("03", us={"A/1/16": "1009"}, tedeschi={"1008": shown()})
    german = now(game).germans["1008"]
    assert german.depth == ""
    game = sector("30", us={"A/1/16": "1009"}, tedeschi={"1008": shown()})
    assert now(game).germans["1008"].depth == "?"
    assert now(game).units["A/1/16"].steps == 2
    assert {"16.2", "16.21"} <= cited(game)


@pytest.mark.rule("ddob:16.3", "ddob:16.32", "ddob:16.34")
def test_a_unit_with_nobody_in_its_field_redeploys():
    us = {"A/1/16": "1009"}
    game = sector("05", us=us, tedeschi={"1808": shown(incognita="?")})
    assert "1808" not in now(game).germans
    german = now(game).germans["1008"]
    assert german.silent
    assert german.depth_kind == "mobile"
    assert {"16.3", "16.32", "16.34"} <= cited(game)


@pytest.mark.rule("ddob:16.31")
def test_a_unit_on_a_vp_position_redeploys_only_to_another():
    game = sector("05", us={"A/1/16": "1009"}, tedeschi={"1814": shown()})
    assert "1814" in now(game).germans
    assert "16.31" in cited(game)


@pytest.mark.rule("ddob:16.4", "ddob:casa.68")
def test_a_position_without_vp_is_reinforced_only_under_strong_fire():
    game = sector("05", us={"A/1/16": "1010"}, riquadri={"T": 1, "D": 0})
    assert "1008" not in now(game).germans
    game = sector("05", us={"A/1/16": "1009"}, riquadri={"T": 1, "D": 0})
    assert now(game).germans["1008"].depth == "?"


@pytest.mark.rule("ddob:16.5", "ddob:16.51", "ddob:casa.62")
def test_mortars_reach_three_hexes_and_a_wn_the_beach_up_to_five():
    field = mortar_field("A1", ("1008",))
    assert "1011" in field
    assert "1012" not in field
    field = mortar_field("WN64", ("0916",))
    assert {"0714", "0613", "0816"} <= set(field)
    assert "0920" not in field
    game = sector("06", us={"B/1/16": "1011"}, tedeschi={"1008": shown()})
    assert now(game).units["B/1/16"].steps == 2
    game = sector("06", us={"A/1/16": "1011"}, tedeschi={"1008": shown()})
    assert now(game).units["A/1/16"].steps == 3
    assert "16.51" in cited(game)


@pytest.mark.rule("ddob:16.6", "ddob:16.61", "ddob:11.42")
def test_a_patrol_disrupts_all_under_strong_fire_or_the_nearest_unit():
    us = {"A/1/16": "1009", "B/1/16": "1006", "HQ16": "1007", "C/1/16": "1010"}
    game = sector("49", us=us, tedeschi={"1008": shown()})
    assert [u for u in us if now(game).units[u].disrupted] == ["A/1/16", "B/1/16"]
    assert "16.61" in cited(game)
    us = {"A/1/16": "1010", "B/1/16": "1011"}
    game = sector("49", us=us, tedeschi={"1008": shown()})
    assert [u for u in us if now(game).units[u].disrupted] == ["A/1/16"]


@pytest.mark.rule("ddob:16.7", "ddob:casa.31", "ddob:19.33")
def test_a_wn_gun_shells_either_sector():
    game = sector(
        "27", us={"B/1/116": "0428", "C/1/116": "1126"}, tedeschi={"0812": "wn", "0912": "wn75+"}
    )
    assert now(game).units["B/1/116"].steps == 3
    game = sector("27", us={"F/2/116": "0428"}, tedeschi={"0812": "wn", "0912": "wn75+"})
    assert now(game).units["F/2/116"].steps == 2
    assert "artillery west" in now(game).notes


@pytest.mark.rule("ddob:16.8", "ddob:16.81", "ddob:casa.70")
def test_a_known_unit_of_the_716th_fires_instead_of_advancing():
    us = {"I/3/16": "1314"}
    given = {"1313": shown("3/1/726", incognita="?")}
    game = sector("21", us=us, tedeschi=given)
    assert "1313" in now(game).germans
    assert now(game).units["I/3/16"].steps == 2
    assert "16.81" in cited(game)


@pytest.mark.rule("ddob:16.82")
def test_seven_strength_repulse_an_advance():
    us = {"F/2/16": "1212", "A/1/16": "1213 1"}
    given = {"1313": shown("5/2/916", incognita="?")}
    game = sector("21", us=us, tedeschi=given)
    assert "1313" in now(game).germans
    assert now(game).units["F/2/16"].steps == 3


@pytest.mark.rule("ddob:16.82", "ddob:16.84")
def test_a_hero_adds_one_to_the_defence_of_the_route():
    given = {"1313": shown("5/2/916", incognita="?")}
    us = {"F/2/16": "1212 eroe=Pinder"}
    game = sector("21", us=us, tedeschi=given)
    assert "1313" in now(game).germans
    assert "16.84" in cited(game)


@pytest.mark.rule("ddob:16.82")
def test_units_in_the_destination_retreat_off_the_route():
    given = {"1313": shown("5/2/916", incognita="?")}
    game = sector("21", us={"L/3/16": "1113 2"}, tedeschi=given)
    assert now(game).units["L/3/16"].disrupted
    spots = offered(game)
    assert "h:1112" not in spots
    assert "h:1012" in spots
    act(game, "h:1012")
    assert now(game).germans["1113"].unit == "5/2/916"
    assert now(game).units["L/3/16"].at == "1012"


@pytest.mark.rule("ddob:16.82", "ddob:casa.58")
def test_routes_are_adjacent_straight_or_bent():
    assert set(route("0832", "0732")) == {"0832", "0732", "0733", "0831"}
    assert set(route("1313", "1113")) == {"1313", "1212", "1213", "1113", "1112", "1114"}
    assert len(route("1808", "1607")) == 7


@pytest.mark.rule("ddob:16.86")
def test_b1_prefers_a7():
    game = sector("07", us={"A/1/16": "1508"}, tedeschi={"1407": shown("5/2/916", incognita="?")})
    assert "16.86" not in cited(game)
    game = sector("16", us={}, tedeschi={"1407": shown("5/2/916", incognita="?")})
    assert now(game).germans["1207"].unit == "5/2/916"
    assert "16.86" in cited(game)


@pytest.mark.rule("ddob:16.83")
def test_an_advance_changes_the_marker_with_the_terrain():
    game = sector("16", us={}, tedeschi={"1407": shown("5/2/916", incognita="?")})
    assert now(game).germans["1207"].depth_kind == "building"


@pytest.mark.rule("ddob:16.9", "ddob:16.92")
def test_an_ambush_hits_one_unit_and_disrupts_under_weak_fire():
    us = {"L/3/16": "1212", "C/1/16": "1314 2"}
    game = sector("21", us=us)
    assert now(game).units["L/3/16"].steps == 2
    assert now(game).units["C/1/16"].steps == 2
    game = sector("21", us={"L/3/16": "1213"})
    assert now(game).units["L/3/16"].disrupted
    assert {"16.9", "16.92"} <= cited(game)


@pytest.mark.rule("ddob:14.12")
def test_several_positions_may_take_several_steps_of_a_unit():
    given = {"0916": "wn", "0817": "wn", "0918": "wn75+"}
    game = sector("03", us={"B/1/16": "0716"}, tedeschi=given)
    assert now(game).units["B/1/16"].steps == 1
    assert "14.12" in cited(game)
