"""Engineers, command posts, tanks and variants (10, 18, 19, 21, 22, 23), and set-up (3)."""

from __future__ import annotations

import msgspec
import pytest

from engine.ddob import TITLE
from engine.ddob.rules.armor import armor_zone, enemy_ways, is_road_to_exit, next_hex, orders
from engine.ddob.rules.engineers import in_range
from engine.ddob.rules.leaders import command_range, commands
from engine.ddob.state.fields import field_of
from engine.ddob.state.tables import CARDS
from engine.game import Game, ScriptedChance
from tests.ddob.table import Table, state_of

LATE = {"scenario": "d-day", "turno": 20}


@pytest.mark.rule("ddob:3", "ddob:3.wn", "ddob:3.rinforzi", "ddob:3.us", "ddob:3.artiglieria")
def test_the_first_wave_starts_with_18_hidden_wns_and_eight_tanks():
    found = TITLE.start("first-wave", {})
    assert len(found.germans) == 18
    assert sum(bool(g.depth) for g in found.germans.values()) == 9
    assert not any(g.shown for g in found.germans.values())
    assert sum(u.at not in ("track", "out") for u in found.units.values()) == 8
    assert found.boxes == {
        "wn depth": 9, "mobile": 20, "building": 8, "T": 9, "D": 11, "M": 8, "meyer": 4,
    }  # fmt: skip
    assert all(u.due <= 15 for u in found.units.values())


@pytest.mark.rule("ddob:ef", "ddob:ef.preparazione", "ddob:ef.area")
def test_easy_fox_has_seven_wns_and_28_units_of_the_first_division():
    found = TITLE.start("easy-fox", {})
    assert len(found.germans) == 7
    assert found.boxes["wn depth"] == 4
    inside = [u for u in found.units.values() if u.at != "out"]
    assert len(inside) == 28
    assert {u.data.division for u in inside} == {"1"}


@pytest.mark.rule("ddob:21", "ddob:21.1", "ddob:casa.36")
def test_beyond_the_beach_asks_where_vehicles_start():
    game = Table.around(Game(TITLE, "beyond-the-beach", ScriptedChance(())))
    found = game.state
    assert len(found.germans) == 25
    assert [len(found.losses[d]) for d in ("1", "29")] == [4, 5]
    assert found.units["E/2/116"].command == "1"
    assert "h:0714" in game.options
    assert "casa.36" in game.why_not("h:0613")
    assert "21.1" in game.why_not("h:0620")
    assert found.units["62AFA"].due == 26


@pytest.mark.rule("ddob:21.1", "ddob:9.21")
def test_markers_of_reinforcements_ashore_have_left_their_boxes():
    found = TITLE.start("beyond-the-beach", {})
    assert found.boxes == {
        "wn depth": 1, "mobile": 16, "building": 5, "T": 0, "D": 5, "M": 8, "meyer": 4,
    }  # fmt: skip
    kinds = [g.depth_kind for g in found.germans.values() if g.depth]
    assert {kind: kinds.count(kind) for kind in ("wn depth", "mobile", "building")} == {
        "wn depth": 8, "mobile": 4, "building": 3,
    }  # fmt: skip
    meyer = TITLE.start("beyond-the-beach", {"22.4": "si"})
    assert (meyer.boxes["mobile"], meyer.boxes["D"]) == (20, 13)


@pytest.mark.rule("ddob:21.1")
def test_units_not_listed_are_out_and_later_ones_wait_for_their_turn():
    units = TITLE.start("beyond-the-beach", {}).units.values()
    assert {u.id for u in units if u.at == "out"} == {
        "2/B/741", "1/C/741", "2/C/741", "1/C/743", "2/A/743", "3•4/397", "C•D/197", "A•B/467",
        "111FA", "Can/16", "Can/116", "A•C/81C", "B•D/81C", "AT/16", "AT/116",
    }  # fmt: skip
    track = sorted((u.due, u.data.turn) for u in units if u.at == "track")
    assert track == sorted([(n, n) for n in (19, 20, 22) for _ in range(5)] + [(23, 23), (26, 7)])
    waiting = [u for u in units if u.at == "waterline"]
    assert sum(u.data.turn == 16 for u in waiting) == 12
    assert sum(u.data.turn < 16 for u in waiting) == 13
    ashore = [(u.data.type, u.data.division, u.strength) for u in units if u.is_on_map]
    assert sum(n for kind, division, n in ashore if division == "1") == 46
    assert sum(n for kind, _division, n in ashore if kind == "ranger") == 20
    assert sum(n for _kind, _division, n in ashore) == 113
    late = [u for u in waiting if u.data.turn < 16]
    assert [sum(u.strength for u in late if u.command == d) for d in ("1", "29")] == [13, 21]


@pytest.mark.rule("ddob:21.1", "ddob:5.34")
def test_the_62nd_artillery_is_delayed_and_lands_in_any_box():
    start = TITLE.start("beyond-the-beach", {})
    late = msgspec.structs.replace(start, turn=26, phase="arrivals")
    game = Table.around(Game(TITLE, "beyond-the-beach", ScriptedChance(()), start=late))
    assert {"h:FG1", "h:ER4", "h:DG4"} <= game.options


@pytest.mark.rule("ddob:10.12", "ddob:4.iv")
@pytest.mark.parametrize(("turn", "hexes"), [(3, 2), (8, 1), (16, 0)])
def test_the_tide_limits_clearing(turn, hexes):
    from engine.ddob.rules.engineers import clearing_limit

    assert clearing_limit(state_of(turno=turn)) == hexes


@pytest.mark.rule("ddob:19.4", "ddob:casa.33")
def test_all_obstacles_are_gone_on_turn_23():
    game = Table(fase="landing:east", turno=23, scenario="d-day", us={}, tedeschi={})
    assert len(game.state.cleared) == 29
    assert "19.4" in game.cited


@pytest.mark.rule("ddob:19", "ddob:19.1", "ddob:19.21", "ddob:casa.34")
def test_a_base_needs_a_beach_outside_potential_fire():
    game = Table(fase="engineers", us={}, tedeschi={"0812": "wn"}, **LATE)
    assert "19.1" in game.why_not("h:0712")
    assert "18.1" not in game.why_not("h:0712")
    assert "casa.34" in game.why_not("h:0616")
    us = {"A/1/16": "0817", "B/1/16": "0916", "C/1/16": "0918", "E/2/16": "0812", "F/2/16": "0912"}
    game = Table(
        fase="engineers", us={**us, "G/2/16": "0821", "H/2/16": "0922"}, tedeschi={}, **LATE
    )
    game.play("h:0717")
    assert [b.hex for b in game.state.bases.values()] == ["0717"]
    assert game.state.base_done == ("1",)


@pytest.mark.rule("ddob:19.2", "ddob:19.33")
def test_a_base_grows_unless_artillery_fires():
    us = {"A/1/16": "0809", "B/1/16": "0812", "C/1/16": "0912", "E/2/16": "0807"}
    given = {"us": us, "tedeschi": {}, "basi": {"1•37": "0711 2"}, **LATE}
    game = Table(fase="engineers", **given)
    game.play("u:1•37")
    assert game.state.bases["1•37"].space == 3
    game = Table(fase="engineers", note={"artillery east": "si"}, **given)
    assert "19.33" in game.why_not("u:1•37")


@pytest.mark.rule("ddob:19.31", "ddob:19.32")
def test_the_range_stops_at_german_fire():
    found = state_of(us={}, tedeschi={}, basi={"1•37": "0711 2"}, **LATE)
    assert {"0710", "0711", "0712", "0810", "0811"} <= in_range(found)
    assert "0812" not in in_range(found)
    found = state_of(us={}, tedeschi={"0912": "wn75"}, basi={"1•37": "0711 2"}, **LATE)
    assert "0811" not in in_range(found)
    silent = {"0912": {"specie": "wn75", "confusione": "si"}}
    assert "0811" in in_range(state_of(us={}, tedeschi=silent, basi={"1•37": "0711 2"}, **LATE))


@pytest.mark.rule("ddob:19.3.guarnigione")
def test_garrisons_hold_empty_positions_in_range():
    us = {"A/1/16": "0807", "B/1/16": "0912"}
    given = {"us": us, "tedeschi": {}, "basi": {"1•37": "0711 5"}, **LATE}
    game = Table(fase="engineers", **given)
    game.play("b:basta", "b:basta")
    assert "b:tutte" in game.options
    game.play("h:0809")
    assert game.state.garrisons == ("0809",)


@pytest.mark.rule("ddob:19.3.guarnigione")
def test_a_garrison_keeps_reinforcements_away():
    given = {"us": {}, "tedeschi": {}, "guarnigioni": ["1008"], "turno": 8}
    game = Table(dice=["53"], fase="event", **given)
    assert "1008" not in game.state.germans


@pytest.mark.rule("ddob:19.3.traffico", "ddob:19.33", "ddob:15.vi")
def test_traffic_moves_are_free_in_range():
    given = {"tedeschi": {}, "basi": {"1•37": "0711 2"}, "divisione": "1", "azioni": 0, **LATE}
    game = Table(fase="division", us={"1/B/741": "0711", "2/B/741": "0717"}, **given)
    assert "7" in game.why_not("u:2/B/741")
    game.play("u:1/B/741", "h:0811")
    assert "19.3.traffico" in game.cited
    game = Table(fase="division", us={"1/B/741": "0711"}, note={"artillery east": "si"}, **given)
    assert "7" in game.why_not("u:1/B/741")


@pytest.mark.rule("ddob:19.3.strade", "ddob:19.3.ciottoli")
def test_engineers_open_ditches_and_mined_roads():
    us = {"A/1/16": "0809", "B/1/16": "0812", "C/1/16": "0912", "E/2/16": "0807", "1/B/741": "0811"}
    given = {"us": us, "tedeschi": {}, "basi": {"1•37": "0711 2"}, **LATE}
    game = Table(fase="division", divisione="1", azioni=3, **given)
    game.play("u:1/B/741")
    assert "h:0911" in game.options
    game = Table(fase="engineers", **given)
    game.play("b:basta", "b:basta")
    assert "0811" in game.state.opened


@pytest.mark.rule("ddob:18", "ddob:18.1")
def test_an_hq_becomes_a_post_outside_potential_fire():
    us = {"HQ16": "0714", "A/1/16": "0812", "B/1/16": "0912", "C/1/16": "0916"}
    game = Table(fase="engineers", us=us, tedeschi={}, **LATE)
    game.play("b:basta", "b:basta")
    game.play("u:HQ16")
    assert game.state.units["HQ16"].space == 1
    assert "18.1" in game.cited


@pytest.mark.rule("ddob:18.2", "ddob:18.22", "ddob:18.32")
@pytest.mark.parametrize(("space", "reach"), [(1, 1), (3, 2), (5, 3), (7, 3), (8, 4)])
def test_the_range_track_repeats_its_values(space, reach):
    found = state_of(us={"HQ16": f"0814 cp={space}"}, tedeschi={}, **LATE)
    assert command_range(found, found.units["HQ16"]) == reach
    found = state_of(us={"HQ16": f"0814 cp={space}"}, tedeschi={"0916": "wn"}, **LATE)
    assert command_range(found, found.units["HQ16"]) == -1
    silent = {"0916": {"specie": "wn", "confusione": "si"}}
    found = state_of(us={"HQ16": f"0814 cp={space}"}, tedeschi=silent, **LATE)
    assert command_range(found, found.units["HQ16"]) == reach


@pytest.mark.rule("ddob:18.31")
def test_command_goes_around_german_units():
    us = {"HQ16": "1403 cp=3", "A/1/16": "1405"}
    assert "A/1/16" in commands(state_of(us=us, tedeschi={}, **LATE))
    us = {"HQ16": "1505 cp=3", "A/1/16": "1507"}
    assert "A/1/16" in commands(state_of(us=us, tedeschi={"1407": "T"}, **LATE))


@pytest.mark.rule("ddob:18.11", "ddob:18.33")
def test_a_post_that_moves_or_is_hit_is_an_hq_again():
    game = Table(fase="division", divisione="1", us={"HQ16": "0814 cp=5"}, tedeschi={}, **LATE)
    game.play("u:HQ16", "h:0815")
    assert game.state.units["HQ16"].space == 0
    game = Table(
        dice=["05"], fase="fire:east", us={"HQ16": "0710 cp=3"}, tedeschi={"0809": "wn88"},
        riquadri={"T": 0, "D": 0}, **LATE,
    )  # fmt: skip
    unit = game.state.units["HQ16"]
    assert (unit.space, unit.at) == (0, "0710")
    assert "18.33" in game.cited


@pytest.mark.rule("ddob:22.1", "ddob:casa.37", "ddob:casa.38", "ddob:22")
def test_an_effective_bombardment_starts_on_turn_four():
    game = Table.around(Game(TITLE, "first-wave", ScriptedChance(["01", "02"]), {"22.1": "si"}))
    assert game.state.turn == 4
    assert game.state.units["AB/2R"].due == 8
    game.play("b:comincia")
    germans = game.state.germans
    assert "0807" not in germans
    assert "0809" not in germans
    assert not germans["0916"].disrupted
    assert game.state.discards == ("01", "02")


@pytest.mark.rule("ddob:22.1", "ddob:casa.37")
def test_a_colour_on_one_card_disrupts_and_on_both_removes():
    game = Table.around(Game(TITLE, "d-day", ScriptedChance(["01", "10"]), {"22.1": "si"}))
    due = {name: game.state.units[name].due for name in ("Wyman", "A/1/115", "I/3/115")}
    assert due == {"Wyman": 13, "A/1/115": 17, "I/3/115": 20}
    game.play("b:comincia")
    germans = game.state.germans
    assert not {"0807", "0809", "0723", "0823", "0531", "0631"} & set(germans)
    assert {h for h, g in germans.items() if g.disrupted} == {
        "0817", "0918", "1220", "0728", "0916", "0533",
    }  # fmt: skip
    assert not germans["0817"].depth
    assert germans["0812"].depth


@pytest.mark.rule("ddob:22.1", "ddob:casa.38")
@pytest.mark.parametrize(("turn", "recovers", "cleared", "guns"), [(4, 0, 0, 0), (5, 1, 2, 1)])
def test_after_the_bombardment_germans_guns_and_engineers_start_on_turn_five(
    turn, recovers, cleared, guns
):
    from engine.ddob.rules.engineers import clearing_limit

    given = {"turno": turn, "opzioni": {"22.1": "si"}, "us": {"A/1/16": "0613"}}
    germans = {"0728": "wn75", "0916": {"specie": "wn", "confusione": "si"}}
    game = Table(dice=["14"], fase="fire:east", tedeschi=germans, **given)
    assert game.state.germans["0916"].disrupted is not bool(recovers)
    assert ("artillery east" in game.state.notes) is bool(guns)
    assert clearing_limit(state_of(**given)) == cleared


@pytest.mark.rule("ddob:22.2")
def test_safe_tanks_use_the_table_of_turn_two():
    game = Table(
        dice=["04"], fase="landing:east", turno=1, us={"1/B/741": "FG2"}, opzioni={"22.2": "si"}
    )
    assert game.state.units["1/B/741"].at == "0509"
    game = Table(dice=["04"], fase="landing:east", turno=1, us={"1/B/741": "FG2"})
    assert game.state.units["1/B/741"].due == 2


@pytest.mark.rule("ddob:22.3")
def test_rangers_at_pointe_du_hoc_leave_only_c_2r():
    found = TITLE.start("first-wave", {"22.3": "si"})
    rangers = [u.id for u in found.units.values() if u.data.type == "ranger" and u.at != "out"]
    assert rangers == ["C/2R"]


@pytest.mark.rule("ddob:22.4")
def test_an_improved_reaction_gives_markers_to_tactical_units():
    found = TITLE.start("d-day", {"22.4": "si"})
    assert found.boxes["D"] == 19
    assert found.tickets == {"D": 11, "M1": 8}
    game = Table(dice=["53"], fase="event", turno=8, us={}, tedeschi={}, opzioni={"22.4": "si"})
    assert game.state.germans["1008"].depth == "?"


@pytest.mark.rule("ddob:23", "ddob:23.1", "ddob:23.3", "ddob:casa.42")
def test_tanks_fire_two_hexes_over_open_ground():
    field = field_of("1321")
    assert field["1420"] == "intense"
    assert field["1322"] == "moderate"
    assert "1321" not in field
    assert "sporadic" not in field.values()


@pytest.mark.rule("ddob:23.2", "ddob:casa.39")
def test_tanks_need_a_free_road_to_an_exit():
    assert is_road_to_exit(state_of(us={}, tedeschi={}, **LATE), "1612")
    assert not is_road_to_exit(state_of(us={"A/1/16": "1915"}, tedeschi={}, **LATE), "1916")
    assert not is_road_to_exit(state_of(us={}, tedeschi={}, **LATE), "1030")


@pytest.mark.rule("ddob:23.2")
@pytest.mark.parametrize(("label", "block"), [("1002", "1103"), ("0834", "0833"), ("1435", "1533")])
def test_a_road_to_exit_a_f_or_g_brings_no_tanks(label, block):
    assert is_road_to_exit(state_of(us={}, tedeschi={}, **LATE), label)
    assert not is_road_to_exit(state_of(us={"AT/16": block}, tedeschi={}, **LATE), label)


@pytest.mark.rule("ddob:23.2", "ddob:9.34")
def test_tanks_enter_even_if_the_divisional_box_is_empty():
    names = ("1113", "1215", "1313", "1511", "1514", "0635", "0832", "0830", "0834")
    game = Table(
        dice=["19", "1/1/352PzJ"], fase="event 2", opzioni={"23": "si"}, us={},
        tedeschi=dict.fromkeys(names, "T"), scenario="d-day", turno=23,
        riquadri={"T": 0, "D": 0, "armor": 4, "armor depth": 4},
    )  # fmt: skip
    assert game.state.germans["1612"].kind == "armor"
    assert len(game.state.germans) == 10


def tanks(card, **given):
    german = {"1321": {"specie": "armor", "unita": "1/2/352PzJ", "incognita": "?"}}
    given = {"us": {}, "tedeschi": german, "riquadri": {"T": 0, "D": 0}, **LATE, **given}
    return Table(dice=[card], fase="fire:west", opzioni={"23": "si"}, **given)


@pytest.mark.rule("ddob:23.4", "ddob:23.4.f", "ddob:23.41")
def test_tanks_fire_at_armor_too():
    game = tanks("02", us={"1/B/743": "1420"})
    assert game.state.units["1/B/743"].steps == 1
    assert {"23.4.f", "23.41"} <= game.cited


@pytest.mark.rule("ddob:23.4.r", "ddob:23.53")
def test_an_overrun_crosses_one_hex_of_soft_units():
    game = tanks("05", us={"A/1/116": "1320"})
    assert game.state.units["A/1/116"].disrupted
    assert "1321" not in game.state.germans
    game = tanks("05", us={"1/B/743": "1320"})
    assert "1321" in game.state.germans


@pytest.mark.rule("ddob:23.4.a", "ddob:23.4.p", "ddob:23.4.m")
def test_aimed_fire_position_and_move():
    game = tanks("21", us={"A/1/116": "1420"})
    assert "23.4.a" in game.cited
    assert game.state.units["A/1/116"].steps == 2
    game = tanks("49")
    assert "23.4.p" in game.cited
    assert "1223" in game.state.germans
    assert "23.4.m" in tanks("20").cited


@pytest.mark.rule("ddob:23.42")
def test_tanks_on_low_ground_do_not_fire_up():
    from engine.ddob.rules.german_fire import can_see
    from engine.ddob.state.state import German

    low = [German("0812", "armor", "1/2/352PzJ")]
    assert can_see(low, "0813", True)
    assert not can_see(low, "0912", True)
    inland = [German("1321", "armor", "1/2/352PzJ")]
    assert not can_see(inland, "1121", True)


@pytest.mark.rule("ddob:23.43")
def test_a_position_under_tanks_does_not_act():
    from engine.ddob.rules.german_actions import why_not_check
    from engine.ddob.state.tables import POSITIONS

    found = tanks("32").state
    assert "1321" in found.germans
    ruling = why_not_check(found, POSITIONS["D4"])
    assert ruling is not None
    assert ruling.refs == ("ddob:23.43",)


@pytest.mark.rule("ddob:23.5", "ddob:casa.66", "ddob:23.52", "ddob:casa.40")
def test_tanks_go_toward_us_units_in_one_direction():
    found = tanks("29", us={"A/1/116": "1323"}).state
    assert list(enemy_ways(found, "1321")) == ["1322"]
    found = tanks("29", us={"A/1/116": "1323", "B/1/116": "1319"}).state
    assert len(enemy_ways(found, "1321")) == 2


@pytest.mark.rule("ddob:23.51")
def test_tanks_do_not_end_on_other_germans():
    german = {
        "1321": {"specie": "armor", "unita": "1/2/352PzJ", "incognita": "?"},
        "1021": {"specie": "armor", "unita": "2/2/352PzJ"},
    }
    game = tanks("20", tedeschi=german)
    assert "1022" in game.state.germans


@pytest.mark.rule("ddob:23.5.fine", "ddob:casa.67")
def test_tanks_at_the_end_of_the_road_win_for_the_germans():
    given = {"0812": {"specie": "armor", "unita": "1/2/352PzJ"}}
    game = Table(fase="end", us={}, tedeschi=given, **LATE)
    assert game.position.outcome is not None
    assert game.position.outcome.degree == "decisive defeat"
    given["0812"]["confusione"] = "si"
    game = Table(fase="end", us={}, tedeschi=given, **LATE)
    assert game.position.outcome is None


@pytest.mark.rule("ddob:23.6", "ddob:casa.47")
def test_infantry_slips_away_from_tanks_and_terrain_does_not_help_them():
    given = {"1321": {"specie": "armor", "unita": "1/2/352PzJ"}}
    game = Table(
        fase="division", divisione="29", azioni=0, us={"A/1/116": "1221"}, tedeschi=given, **LATE
    )
    game.play("u:A/1/116")
    assert game.options == {"b:resta", "h:1121", "h:1122", "h:1222"}
    game = Table(
        fase="division", divisione="29", azioni=3, us={"A/1/116": "1221", "B/1/116": "1420"},
        tedeschi=given, **LATE,
    )  # fmt: skip
    game.play("u:A/1/116", "b:attacca", "u:B/1/116", "b:via")
    assert "23.6" in game.cited


@pytest.mark.rule("ddob:23.7", "ddob:22")
def test_variants_change_the_count():
    from engine.ddob.rules.victory import variants

    found = state_of(
        us={}, tedeschi={"1321": {"specie": "armor", "unita": "1/2/352PzJ"}},
        opzioni={"22.1": "si", "22.2": "si", "22.3": "si", "22.4": "si"}, **LATE,
    )  # fmt: skip
    assert sum(line.points for line in variants(found)) == -10 - 5 + 5 + 5 + 1


HELD = {"A/1/16": "0809", "B/1/16": "0812", "C/1/16": "0912", "E/2/16": "0807", "F/2/16": "0916"}
"""Enough units to keep the beach around 0711 out of German reach."""


@pytest.mark.rule("ddob:19.1", "ddob:19.21")
def test_each_division_places_one_base_a_turn_in_its_own_sector():
    game = Table(fase="engineers", us=HELD, tedeschi={}, **LATE)
    decision = game.position.decision
    assert "h:0620" not in {*game.options, *decision.refused}
    game.play("h:0711")
    assert game.state.base_done == ("1",)
    assert "u:1•37" not in game.options
    game = Table(
        fase="engineers", us=HELD, tedeschi={}, basi={"1•37": "0711 2", "336•348": "0712 1"}, **LATE
    )
    assert {o for o in game.options if o.startswith("h:")} == set()
    assert {"u:1•37", "u:336•348"} <= game.options


@pytest.mark.rule("ddob:19.2", "ddob:ev.artiglieria-genio")
def test_a_base_does_not_grow_beyond_its_track_or_under_the_event():
    given = {"us": HELD, "tedeschi": {}, **LATE}
    game = Table(fase="engineers", basi={"1•37": "0711 9"}, **given)
    assert game.why_not("u:1•37") == {"19.2"}
    game = Table(
        fase="engineers", basi={"1•37": "0711 2"}, note={"engineers limited": "si"}, **given
    )
    assert game.why_not("u:1•37") == {"ev.artiglieria-genio"}
    assert "ev.artiglieria-genio" in game.why_not("h:0712")


@pytest.mark.rule("ddob:19.2", "ddob:casa.34")
def test_a_base_under_potential_fire_does_not_grow():
    given = {"tedeschi": {}, "basi": {"1•37": "0711 2"}, **LATE}
    game = Table(fase="engineers", us={"A/1/16": "0809"}, **given)
    assert "casa.34" in game.why_not("u:1•37")
    silent = {"0809": {"specie": "wn88", "confusione": "si"}}
    game = Table(fase="engineers", us=HELD | {"A/1/16": "0710"}, **{**given, "tedeschi": silent})
    assert game.why_not("u:1•37") >= {"19.2"}
    assert not game.why_not("u:1•37") & {"19.1", "18.1"}


@pytest.mark.rule("ddob:19.3.guarnigione")
def test_a_double_wn_is_garrisoned_whole_and_never_over_germans_or_under_fire():
    given = {"basi": {"1•37": "0711 5"}, **LATE}
    game = Table(fase="engineers", us=HELD, tedeschi={}, **given)
    game.play("b:basta", "b:basta", "b:tutte")
    assert set(game.state.garrisons) == {"0809", "0812", "0912"}
    game = Table(fase="engineers", us=HELD, tedeschi={}, basi={"1•37": "0711 2"}, **LATE)
    game.play("b:basta", "b:basta")
    assert "b:tutte" not in game.options
    us = {u: h for u, h in HELD.items() if h not in ("0812", "0912")}
    game = Table(fase="engineers", us=us, tedeschi={"0912": "wn75"}, **given)
    game.play("b:basta", "b:basta")
    assert "b:tutte" not in game.options


@pytest.mark.rule("ddob:19.3.traffico", "ddob:19.31")
def test_traffic_starts_on_low_ground_in_range():
    from engine.ddob.rules.engineers import why_no_traffic

    def why(label, **given):
        found = state_of(us={}, tedeschi={}, basi={"1•37": "0711 5"}, **LATE, **given)
        return {ref for ruling in why_no_traffic(found, label) for ref in ruling.refs}

    assert why("0811") == why("0911") == why("0611") == set()
    assert why("0912") == {"ddob:19.3.traffico"}
    assert why("0716") == {"ddob:19.31"}
    assert why("0811", note={"artillery east": "si"}) == {"ddob:19.33"}
    assert why("0811", note={"artillery west": "si"}) == set()
    both = {"1•37": "0718 5", "20•121": "0621 5"}
    found = state_of(us={}, tedeschi={}, basi=both, note={"artillery east": "si"}, **LATE)
    assert not list(why_no_traffic(found, "0720"))


@pytest.mark.rule("ddob:18.1", "ddob:casa.34")
def test_an_hq_under_potential_fire_stays_an_hq():
    us = {"HQ16": "0714", "HQ18": "0718", "A/1/16": "0916", "B/1/16": "0812", "C/1/16": "0912"}
    game = Table(fase="engineers", us=us, tedeschi={}, **LATE)
    game.play("b:basta", "b:basta")
    assert "casa.34" in game.why_not("u:HQ18")
    assert "u:HQ16" in game.options


@pytest.mark.rule("ddob:18.2", "ddob:18.21", "ddob:18.22", "ddob:18.32")
def test_every_post_grows_once_a_turn_and_not_under_fire_or_beyond_its_track():
    us = {"HQ16": "0714 cp=1", "HQ18": "1005 cp=8", "HQ116": "0626 cp=2"}
    game = Table(fase="engineers", us=us, tedeschi={"0728": "wn75"}, **LATE)
    game.play("b:basta", "b:basta")
    assert game.why_not("u:HQ18") == {"18.22"}
    assert game.why_not("u:HQ116") == {"18.2", "18.32"}
    game.play("u:HQ16")
    assert game.state.units["HQ16"].space == 2
    assert game.state.phase == "division"


@pytest.mark.rule("ddob:18.31")
def test_command_does_not_reach_through_german_units():
    us = {"HQ16": "1406 cp=3", "A/1/16": "1408", "B/1/16": "1404"}
    assert set(commands(state_of(us=us, tedeschi={}, **LATE))) == {"A/1/16", "B/1/16"}
    between = {"1407": {"specie": "T", "confusione": "si"}}
    assert set(commands(state_of(us=us, tedeschi=between, **LATE))) == {"B/1/16"}


def stand(game):
    """Where the only German tanks are."""
    return next(g.hex for g in game.state.germans.values() if g.is_armor)


@pytest.mark.rule("ddob:23.4.m", "ddob:23.4.f", "ddob:23.5.ordini")
def test_tanks_with_nobody_to_fire_at_drive_four_hexes_by_their_orders():
    assert stand(tanks("45")) == "1224"
    assert stand(tanks("02")) == "1224"
    assert stand(tanks("21")) == "1224"
    assert stand(tanks("31")) == "1224"
    assert stand(tanks("49")) == "1223"


@pytest.mark.rule("ddob:23.4")
def test_tanks_without_a_marker_ignore_double_squares():
    lone = {"1321": {"specie": "armor", "unita": "1/2/352PzJ"}}
    us = {"A/1/116": "1420"}
    game = tanks("04", us=us, tedeschi=lone)
    assert (stand(game), game.state.units["A/1/116"].steps) == ("1321", 3)
    assert tanks("04", us=us).state.units["A/1/116"].steps == 2


@pytest.mark.rule("ddob:23.4.f", "ddob:23.4.m", "ddob:23.4.a")
def test_tanks_fire_from_where_they_stand_or_move_first():
    us = {"F/2/116": "1420"}
    for card, spot, steps in (("02", "1321", 2), ("45", "1224", 3), ("21", "1321", 2)):
        game = tanks(card, us=us)
        assert (stand(game), game.state.units["F/2/116"].steps) == (spot, steps), card


@pytest.mark.rule("ddob:23.53", "ddob:casa.41", "ddob:23.5")
def test_tanks_stop_before_us_units_and_fire_when_they_cannot_move():
    game = tanks("45", us={"A/1/116": "1224"})
    assert (stand(game), game.state.units["A/1/116"].steps) == ("1223", 3)
    game = tanks("45", us={"A/1/116": "1322"})
    assert (stand(game), game.state.units["A/1/116"].steps) == ("1321", 2)
    assert "casa.41" in game.cited


@pytest.mark.rule("ddob:23.53", "ddob:23.4.r", "ddob:23.51")
def test_what_stops_tanks_is_told_by_its_rule():
    for card, us, ref in (
        ("45", {"A/1/116": "1224"}, "23.53"),
        ("45", {"A/1/116": "1322"}, "23.53"),
        ("31", {"A/1/116": "1322", "B/1/116": "1223"}, "23.4.r"),
    ):
        game = tanks(card, us=us)
        last = [step for step in game.steps if "tanks" in step.ruling.msg.id][-1]
        assert ref in {cited.partition(":")[2] for cited in last.ruling.refs}, us
    german = {"1321": {"specie": "armor", "unita": "1/2/352PzJ", "incognita": "?"}}
    german |= dict.fromkeys(("1322", "1323", "1223", "1224", "1125"), "T")
    game = tanks("45", tedeschi=german)
    assert stand(game) == "1321"
    last = [step for step in game.steps if "cannot move" in step.ruling.msg.id][-1]
    assert last.ruling.refs[0] == "ddob:23.51"


@pytest.mark.rule("ddob:23.4.r")
def test_an_overrun_crosses_one_hex_and_never_ends_on_us_units():
    game = tanks("31", us={"A/1/116": "1322"})
    assert (stand(game), game.state.units["A/1/116"].disrupted) == ("1224", True)
    game = tanks("31", us={"A/1/116": "1322", "B/1/116": "1223"})
    assert stand(game) == "1323"
    assert [game.state.units[u].disrupted for u in ("A/1/116", "B/1/116")] == [True, False]
    game = tanks("31", us={"A/1/116": "1224"})
    assert (stand(game), game.state.units["A/1/116"].disrupted) == ("1223", False)
    game = tanks("31", us={"1/B/743": "1322"})
    assert (stand(game), game.state.units["1/B/743"].disrupted) == ("1321", False)


@pytest.mark.rule("ddob:23.4.p")
def test_tanks_take_position_and_fire_only_next_to_us_units():
    game = tanks("49", us={"A/1/116": "1124"})
    assert (stand(game), game.state.units["A/1/116"].steps) == ("1223", 2)
    game = tanks("49", us={"A/1/116": "1022"})
    assert (stand(game), game.state.units["A/1/116"].steps) == ("1223", 3)


FULL_C = ("1113", "1215", "1313", "1511", "1514")
"""C1 to C5: the next position of the zone is C6, on a road."""


@pytest.mark.rule("ddob:23.2", "ddob:23.21", "ddob:23.1")
@pytest.mark.parametrize(
    ("turn", "options", "boxes", "notes", "zone"),
    [
        (17, {"23": "si"}, {"T": 0, "armor": 1}, {}, "C"),
        (16, {"23": "si"}, {"T": 0, "armor": 1}, {}, ""),
        (17, {}, {"T": 0, "armor": 1}, {}, ""),
        (17, {"23": "si"}, {"T": 1, "armor": 1}, {}, ""),
        (17, {"23": "si"}, {"T": 0, "armor": 0}, {}, ""),
        (17, {"23": "si"}, {"T": 0, "armor": 1}, {"armor": "si"}, ""),
    ],
)
def test_when_tanks_may_enter(turn, options, boxes, notes, zone):
    found = state_of(
        scenario="d-day", turno=turn, opzioni=options, riquadri=boxes, note=notes, us={},
        tedeschi=dict.fromkeys(FULL_C, "T"),
    )  # fmt: skip
    assert armor_zone(found, ["C"]) == zone


@pytest.mark.rule("ddob:23.21")
def test_of_several_zones_the_lowest_number_takes_the_tanks():
    given = {"opzioni": {"23": "si"}, "riquadri": {"T": 0, "armor": 4}, "us": {}, **LATE}
    low = dict.fromkeys((*FULL_C, "1122", "1217"), "T")  # D3 against C6
    assert armor_zone(state_of(tedeschi=low, **given), ["C", "D"]) == "D"
    more = ("1319", "1321", "1416", "1521", "1519", "1617")
    high = {**low, **dict.fromkeys(more, "T")}  # C6 against D9
    assert armor_zone(state_of(tedeschi=high, **given), ["C", "D"]) == "C"


@pytest.mark.rule("ddob:23.2", "ddob:11.31")
@pytest.mark.parametrize(("left", "kind"), [(1, "armor depth"), (0, "")])
def test_tanks_enter_face_up_with_a_marker_and_capture_a_general(left, kind):
    names = (*FULL_C, "0635", "0832", "0830", "0834")
    game = Table(
        dice=["19", "1/1/352PzJ"], fase="event 2", opzioni={"23": "si"}, us={"Wyman": "1612"},
        tedeschi=dict.fromkeys(names, "T"), scenario="d-day", turno=23,
        riquadri={"T": 0, "D": 0, "armor": 4, "armor depth": left},
    )  # fmt: skip
    german = game.state.germans["1612"]
    assert (german.unit, german.shown, german.depth_kind) == ("1/1/352PzJ", True, kind)
    assert game.state.units["Wyman"].at == "out"


@pytest.mark.rule("ddob:23.4.r")
def test_tanks_that_armor_stops_fire_instead():
    game = tanks("31", us={"1/B/743": "1322", "A/1/116": "1322 2"})
    assert stand(game) == "1321"
    assert [game.state.units[u].steps for u in ("1/B/743", "A/1/116")] == [2, 1]


@pytest.mark.rule("ddob:23.41", "ddob:casa.42")
def test_armor_under_moderate_fire_of_tanks_is_hit_by_its_symbol():
    game = tanks("27", us={"1/B/743": "1320"})
    assert game.state.units["1/B/743"].steps == 1
    game = tanks("21", us={"1/B/743": "1320"})
    assert game.state.units["1/B/743"].steps == 2


@pytest.mark.rule("ddob:23.4.f", "ddob:6.1.stella", "ddob:11.4")
def test_only_a_star_lets_tanks_hit_an_hq():
    game = tanks("02", us={"HQ116": "1420"})
    assert (game.state.units["HQ116"].at, game.state.units["HQ116"].due) == ("track", 22)
    game = tanks("04", us={"HQ116": "1420"})
    assert game.state.units["HQ116"].at == "1420"


@pytest.mark.rule("ddob:23.5", "ddob:casa.66")
def test_tanks_see_three_road_hexes_and_follow_orders_between_two_enemies():
    def ways(at):
        return enemy_ways(state_of(us={"A/1/116": at}, tedeschi={}, **LATE), "1321")

    assert ways("1223") == {"1322": ("1322", "1323", "1223")}
    assert ways("1224") == {}
    between = {"A/1/116": "1323", "B/1/116": "1319"}
    assert stand(tanks("45", us=between)) == "1322"  # the orders of the circle
    assert stand(tanks("06", us=between)) == "1021"  # those of the triangle, past 1320


@pytest.mark.rule("ddob:23.5", "ddob:23.52")
def test_tanks_off_their_map_of_orders_come_back_to_it():
    lone = {"1017": {"specie": "armor", "unita": "1/2/352PzJ", "incognita": "?"}}
    game = Table(dice=["21"], fase="fire:east", opzioni={"23": "si"}, us={}, tedeschi=lone, **LATE)
    assert stand(game) == "1220"


@pytest.mark.rule("ddob:23.5", "ddob:23.5.ordini")
def test_every_hex_of_the_orders_sends_every_symbol_on_and_others_lead_back_or_nowhere():
    for here, by_symbol in orders().items():
        for card in ("01", "02", "03"):
            assert next_hex(here, CARDS[card], (), 0) == by_symbol[CARDS[card].target]
    assert next_hex("1017", CARDS["01"], (), 0) == "1118"
    assert next_hex("0725", CARDS["01"], (), 0) == ""
    assert next_hex("1017", CARDS["01"], ("1016", "0917"), 1) == "0917"
    assert next_hex("1017", CARDS["01"], ("1016",), 1) == "1118"


@pytest.mark.rule("ddob:23.53", "ddob:casa.80")
def test_leaders_alone_stop_tanks_too():
    for us, said in (
        ({"HQ116": "1323"}, True),
        ({"Cota": "1323"}, True),
        ({"A/1/116": "1323"}, False),
        ({"A/1/116": "1323", "HQ116": "1323"}, False),
    ):
        game = tanks("45", us=us)
        assert stand(game) == "1322", us
        assert ("casa.80" in game.cited) is said, us
    assert "casa.80" not in tanks("45", us={"HQ116": "1125"}).cited


@pytest.mark.rule("ddob:23.5.fine")
def test_tanks_stay_where_their_road_ends():
    lone = {"0911": {"specie": "armor", "unita": "1/2/352PzJ", "incognita": "?"}}
    given = {"opzioni": {"23": "si"}, "us": {}, **LATE}
    game = Table(dice=["21"], fase="fire:east", tedeschi=lone, **given)
    assert game.state.germans["0812"].end
    assert "23.5.fine" in game.cited
    assert not tanks("45").state.germans["1224"].end
    start = state_of(fase="fire:west", tedeschi={"1321": lone["0911"]}, **given)
    still = msgspec.structs.replace(start.germans["1321"], end=True)
    start = msgspec.structs.replace(start, germans={"1321": still})
    game = Table.around(Game(TITLE, "d-day", ScriptedChance(["45"]), {"23": "si"}, start=start))
    assert stand(game) == "1321"


@pytest.mark.rule("ddob:23.51")
@pytest.mark.parametrize(
    ("others", "card", "spot"),
    [
        ({"1223": "T"}, "49", "1224"),  # three hexes and one more
        ({"1322": "T", "1223": "T"}, "45", "1224"),  # through other units
        ({"1224": "armor"}, "45", "1125"),  # four hexes and one more
        ({"1224": "armor", "1125": "T"}, "45", "1223"),  # or one less
    ],
)
def test_tanks_end_a_hex_further_or_a_hex_short_of_other_units(others, card, spot):
    second = {"specie": "armor", "unita": "2/2/352PzJ", "confusione": "si"}
    german = {"1321": {"specie": "armor", "unita": "1/2/352PzJ", "incognita": "?"}}
    german |= {h: second if kind == "armor" else kind for h, kind in others.items()}
    game = tanks(card, tedeschi=german)
    assert game.state.germans[spot].unit == "1/2/352PzJ"


@pytest.mark.rule("ddob:18", "ddob:18.1", "ddob:18.21")
def test_the_player_settles_hqs_one_by_one_or_leaves_them():
    us = {"HQ16": "0714", "HQ18": "0715", "A/1/16": "0916", "B/1/16": "0812", "C/1/16": "0912"}
    us |= {"E/2/16": "0817", "F/2/16": "0918"}
    game = Table(fase="engineers", us=us, tedeschi={}, **LATE)
    game.play("b:basta", "b:basta", "u:HQ16")
    assert game.options == {"u:HQ18", "b:basta"}
    game.play("b:basta")
    assert [game.state.units[u].space for u in ("HQ16", "HQ18")] == [1, 0]
    assert game.state.phase == "division"
