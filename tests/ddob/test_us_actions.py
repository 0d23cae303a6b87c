"""US actions (7) and longer moves (17)."""

from __future__ import annotations

import pytest

from tests.ddob.table import Table


def division(*draws, **given):
    return Table(dice=draws, fase="division", **{"turno": 8, "divisione": "1", **given})


@pytest.mark.rule("ddob:7", "ddob:4.v", "ddob:7.2")
def test_a_division_has_two_actions_and_the_player_chooses_the_order():
    game = Table(fase="actions", turno=8, us={"A/1/16": "0714"}, tedeschi={})
    assert game.options == {"b:1", "b:29"}
    game.play("b:1")
    assert game.state.actions == 2
    game.play("b:fine")
    assert game.state.division == "29"


@pytest.mark.rule("ddob:ev.iniziativa", "ddob:ev.intenso", "ddob:casa.50")
@pytest.mark.parametrize(
    ("notes", "turn", "actions"),
    [({"initiative": "si"}, 8, 3), ({"intense": "si"}, 8, 1), ({"initiative": "si"}, 18, 4)],
)
def test_events_change_the_actions_of_a_turn(notes, turn, actions):
    game = Table(
        fase="actions", turno=turn, scenario="d-day", us={"A/1/16": "0714"}, tedeschi={}, note=notes
    )
    game.play("b:29")
    assert game.state.actions == actions


@pytest.mark.rule("ddob:7.1", "ddob:7.2")
def test_a_unit_acts_once_a_turn():
    game = division(us={"A/1/16": "0714"}, tedeschi={})
    game.play("u:A/1/16", "h:0814")
    assert game.state.actions == 1
    assert game.why_not("u:A/1/16") == {"7.2"}


@pytest.mark.rule("ddob:7")
def test_without_actions_only_free_units_act():
    us = {"A/1/16": "0814", "C/2R": "0815 comando=1", "B/1/16": "0816 eroe=Pinder"}
    game = division(us=us, tedeschi={}, azioni=0)
    assert game.why_not("u:A/1/16") == {"7"}
    assert {"u:C/2R", "u:B/1/16"} <= game.options


@pytest.mark.rule("ddob:7.1.ranger", "ddob:7.1.eroe", "ddob:11.12")
def test_rangers_and_heroes_move_free():
    us = {"C/2R": "0815 comando=1", "B/1/16": "0816 eroe=Pinder"}
    game = division(us=us, tedeschi={})
    game.play("u:C/2R", "h:0814", "u:B/1/16", "h:0815")
    assert game.state.actions == 2
    assert {"7.1.ranger", "7.1.eroe", "11.12"} <= game.cited


@pytest.mark.rule("ddob:7.1.comando", "ddob:11.2", "ddob:11.3")
def test_units_next_to_a_leader_act_free():
    us = {"A/1/16": "0814", "HQ16": "0815", "B/1/16": "0818"}
    game = division(us=us, tedeschi={})
    game.play("u:A/1/16", "h:0813")
    assert game.state.actions == 2
    game.play("u:B/1/16", "h:0819")
    assert game.state.actions == 1


@pytest.mark.rule("ddob:7.33", "ddob:7.1.leader")
def test_a_leader_that_moved_gives_no_more_free_actions():
    game = division(us={"A/1/16": "0814", "HQ16": "0815"}, tedeschi={}, azioni=0)
    assert "u:A/1/16" in game.options
    game.play("u:HQ16", "h:0816")
    assert game.why_not("u:A/1/16") == {"7"}
    assert {"7.33", "7.1.leader"} <= game.cited


@pytest.mark.rule("ddob:7.1.auto-conservazione", "ddob:casa.18")
def test_infantry_runs_for_shelter_free():
    game = division(us={"A/1/16": "0613"}, tedeschi={}, azioni=0)
    game.play("u:A/1/16")
    assert {"h:0713", "h:0714"} <= game.options
    assert "7.1.auto-conservazione" in game.why_not("h:0612")
    game.play("h:0714")
    assert "7.1.auto-conservazione" in game.cited


@pytest.mark.rule("ddob:7.1.auto-conservazione")
def test_leaving_the_beach_is_no_self_preservation():
    game = division(us={"A/1/16": "0714"}, tedeschi={}, azioni=0)
    assert game.why_not("u:A/1/16") == {"7"}


@pytest.mark.rule("ddob:7.21")
def test_two_stacked_units_move_for_one_action():
    us = {"A/1/16": "0814", "B/1/16": "0814"}
    game = division(us=us, tedeschi={})
    game.play("u:A/1/16", "h:0815")
    assert game.options == {"u:B/1/16", "b:solo"}
    game.play("u:B/1/16")
    assert game.state.actions == 1
    assert game.state.units["B/1/16"].at == "0815"


@pytest.mark.rule("ddob:7.22")
def test_a_unit_at_the_line_may_use_an_action_of_the_other_division():
    game = division(us={"I/3/116": "0819"}, tedeschi={})
    game.play("u:I/3/116")
    assert "h:0818" in game.options
    assert "7.22" in game.why_not("h:0820")
    game.play("h:0818")
    assert game.state.units["I/3/116"].command == "29"
    assert "7.22" in game.cited


@pytest.mark.rule("ddob:7.22", "ddob:7.21")
def test_two_stacked_units_cross_the_line_for_one_action_of_the_other_division():
    us = {"I/3/116": "0819", "K/3/116": "0819"}
    game = division(us=us, tedeschi={}, azioni=1)
    game.play("u:I/3/116", "h:0818", "u:K/3/116")
    assert [game.state.units[name].at for name in us] == ["0818", "0818"]
    assert game.state.actions == 0
    game = division(us=us, tedeschi={}, divisione="29", azioni=1)
    game.play("u:I/3/116", "h:0818")
    assert "u:K/3/116" in game.options


@pytest.mark.rule("ddob:7.21", "ddob:7.2", "ddob:7.4", "ddob:7.7")
@pytest.mark.parametrize("marker", ["climb", "cliff=0916", "confusione", "agito", "eroe=Pinder"])
def test_a_stack_moves_together_only_with_units_that_could_pay_for_the_same(marker):
    game = division(us={"A/1/16": "0814", "B/1/16": "0814"}, tedeschi={})
    game.play("u:A/1/16", "h:0815")
    assert "u:B/1/16" in game.options
    game = division(us={"A/1/16": "0814", "B/1/16": f"0814 {marker}"}, tedeschi={})
    game.play("u:A/1/16", "h:0815")
    assert game.state.units["A/1/16"].acted
    assert game.state.units["B/1/16"].at == "0814"


@pytest.mark.rule("ddob:7.21", "ddob:7.22")
def test_a_unit_of_the_other_division_joins_no_move_inside_the_sector():
    game = division(us={"A/1/16": "0819", "I/3/116": "0819"}, tedeschi={})
    game.play("u:A/1/16", "h:0820")
    assert game.state.units["A/1/16"].acted
    assert not game.state.units["I/3/116"].acted


@pytest.mark.rule("ddob:7.22.due", "ddob:1.due-giocatori")
def test_with_two_players_a_unit_far_over_the_line_changes_player():
    given = {"tedeschi": {}, "opzioni": {"giocatori": "due"}}
    game = division(us={"I/3/116": "0817"}, divisione="29", **given)
    game.play("u:I/3/116", "h:0816")
    assert game.state.units["I/3/116"].command == "1"
    game = division(us={"I/3/116": "0819"}, divisione="29", **given)
    game.play("u:I/3/116", "h:0818")
    assert game.state.units["I/3/116"].command == "29"


@pytest.mark.rule("ddob:7.3", "ddob:tec.ciottoli", "ddob:casa.43")
def test_vehicles_do_not_cross_shingle():
    game = division(us={"1/B/741": "0714"}, tedeschi={})
    game.play("u:1/B/741")
    assert "tec.ciottoli" in game.why_not("h:0814")
    assert "h:0715" in game.options


@pytest.mark.rule("ddob:7.31", "ddob:tec.accidentato", "ddob:5.21", "ddob:tec.marea-spiaggia")
def test_nobody_enters_germans_rough_ground_or_water():
    game = division(us={"A/1/16": "0613"}, tedeschi={})
    game.play("u:A/1/16")
    assert "5.21" in game.why_not("h:0513")
    game = division(us={"A/1/16": "0710"}, tedeschi={"0809": "wn"})
    game.play("u:A/1/16")
    assert "7.31" in game.why_not("h:0809")
    game = division(us={"A/1/16": "0806"}, tedeschi={})
    game.play("u:A/1/16")
    assert "tec.accidentato" in game.why_not("h:0706")


@pytest.mark.rule("ddob:tec.bosco", "ddob:tec.bocage", "ddob:tec.strada", "ddob:tec.edifici")
def test_vehicles_need_a_road_into_woods_and_bocage_but_not_buildings():
    game = division(us={"1/B/741": "1410"}, tedeschi={})
    game.play("u:1/B/741")
    assert {"h:1409", "h:1511", "h:1310"} <= game.options
    game = division(us={"1/B/741": "1012"}, tedeschi={})
    game.play("u:1/B/741")
    assert "tec.bocage" in game.why_not("h:1013")
    assert "h:1113" in game.options


@pytest.mark.rule("ddob:tec.siepe-argine", "ddob:tec.pendio", "ddob:19.34")
def test_seawalls_and_slopes_stop_vehicles_off_the_road():
    game = division(us={"1/B/743": "0624 comando=1"}, tedeschi={})
    game.play("u:1/B/743")
    assert "19.34" in game.why_not("h:0724")
    game = division(us={"1/B/741": "0812"}, tedeschi={})
    game.play("u:1/B/741")
    assert "tec.pendio" in game.why_not("h:0912")


@pytest.mark.rule("ddob:tec.strada-minata", "ddob:17.22")
def test_mined_roads_stop_vehicles():
    game = division(us={"1/B/741": "0911"}, tedeschi={})
    game.play("u:1/B/741")
    assert "tec.strada-minata" in game.why_not("h:1011")


@pytest.mark.rule("ddob:7.4", "ddob:7.1.segnalini", "ddob:tec.duna")
def test_a_bluff_takes_two_turns():
    game = division(us={"A/1/16": "0816"}, tedeschi={})
    game.play("u:A/1/16", "h:0916")
    unit = game.state.units["A/1/16"]
    assert (unit.at, unit.climb) == ("0916", "climb")
    game = division(us={"A/1/16": "0916 climb"}, tedeschi={}, azioni=0)
    game.play("u:A/1/16")
    assert game.state.units["A/1/16"].climb == ""
    assert game.state.units["A/1/16"].acted


@pytest.mark.rule("ddob:7.4", "ddob:7.7")
def test_disruption_comes_off_before_a_climb_marker():
    game = division(us={"A/1/16": "0916 climb confusione"}, tedeschi={}, azioni=0)
    game.play("u:A/1/16")
    unit = game.state.units["A/1/16"]
    assert (unit.climb, unit.disrupted, unit.acted) == ("climb", False, True)
    assert "7.7" in game.cited


@pytest.mark.rule("ddob:7.41")
def test_leaders_climb_bluffs_without_a_marker():
    game = division(us={"HQ16": "0816"}, tedeschi={})
    game.play("u:HQ16", "h:0916")
    assert game.state.units["HQ16"].climb == ""
    assert "7.41" in game.cited


@pytest.mark.rule("ddob:7.5", "ddob:7.51", "ddob:tec.scogliera-scalabile")
def test_a_cliff_takes_three_turns_and_may_be_given_up():
    game = division(us={"A/1/16": "0607"}, tedeschi={})
    game.play("u:A/1/16", "h:0707")
    unit = game.state.units["A/1/16"]
    assert (unit.at, unit.climb, unit.cliff) == ("0607", "climb cliff", "0707")
    game = division(us={"A/1/16": "0607 cliff=0707"}, tedeschi={}, azioni=0)
    game.play("u:A/1/16", "b:sali")
    unit = game.state.units["A/1/16"]
    assert (unit.at, unit.climb) == ("0707", "climb")
    game = division(us={"A/1/16": "0607 cliff=0707"}, tedeschi={}, azioni=0)
    game.play("u:A/1/16", "b:rinuncia")
    assert (game.state.units["A/1/16"].at, game.state.units["A/1/16"].climb) == ("0607", "")


@pytest.mark.rule("ddob:7.5", "ddob:tec.scogliera-picco")
def test_leaders_never_climb_cliffs_and_nobody_sheer_ones():
    game = division(us={"HQ16": "0607", "A/1/16": "0605"}, tedeschi={})
    game.play("u:HQ16")
    assert "7.5" in game.why_not("h:0707")
    game.play("b:resta", "u:A/1/16")
    assert "tec.scogliera-picco" in game.why_not("h:0706")


@pytest.mark.rule("ddob:7.32.leader")
def test_leaders_infiltrate_only_with_a_unit():
    us = {"HQ16": "0709", "A/1/16": "0709"}
    game = division("02", us=us, tedeschi={"0809": "wn88"})
    game.play("u:HQ16")
    assert "7.32.leader" in game.why_not("h:0710")
    game.play("b:resta")
    game = division("02", us=us, tedeschi={"0809": "wn88"})
    game.play("u:A/1/16", "h:0710")
    assert "u:HQ16" in game.options
    game.play("u:HQ16")
    assert game.state.units["HQ16"].at == "0710"
    assert game.state.moved_leaders == ("HQ16",)


@pytest.mark.rule("ddob:7.32.leader", "ddob:7.33")
@pytest.mark.parametrize(
    ("steps", "answers", "at"),
    [(3, ["b:avanti"], "0710"), (3, ["b:resta"], "0709"), (1, [], "0709")],
)
def test_a_leader_stays_when_the_unit_that_infiltrates_stays_or_dies(steps, answers, at):
    us = {"HQ16": "0709", "A/1/16": f"0709 {steps}"}
    game = division("16", us=us, tedeschi={"0809": "wn88"})
    game.play("u:A/1/16", "h:0710", "u:HQ16", *answers)
    hq = game.state.units["HQ16"]
    assert (hq.at, hq.acted) == (at, True)
    assert bool(game.state.moved_leaders) is (at == "0710")
    went = {"unit": "HQ16", "escort": "A/1/16"}
    assert game.told("7.32.leader", "unit", "escort") == ([went] if at == "0710" else [])
    assert game.told("7.32.leader", "unit") == ([{"unit": "HQ16"}] if at == "0709" else [])


@pytest.mark.rule("ddob:7.32.leader")
def test_several_leaders_may_infiltrate_with_a_unit():
    us = {"HQ16": "0709", "Wyman": "0709", "A/1/16": "0709"}
    game = division("02", us=us, tedeschi={"0809": "wn88"})
    game.play("u:A/1/16", "h:0710", "u:HQ16", "u:Wyman")
    assert {u.at for u in game.state.units.values() if u.id in us} == {"0710"}


@pytest.mark.rule("ddob:7.32", "ddob:6.21", "ddob:6.41")
@pytest.mark.parametrize(("start", "end"), [("0813", "0913"), ("0913", "0813")])
def test_half_a_position_in_confusion_still_fires_at_infiltrators(start, end):
    north = {"specie": "wn", "confusione": "si"}
    us = {"A/1/16": start, "HQ16": start}
    game = division("40", us=us, tedeschi={"0812": north, "0912": "wn75"})
    game.play("u:A/1/16", f"h:{end}", "b:solo")
    assert game.options == {"b:avanti", "b:resta"}
    silent = {"0812": north, "0912": {"specie": "wn75", "confusione": "si"}}
    game = division(us=us, tedeschi=silent)
    game.play("u:A/1/16", f"h:{end}")
    assert game.state.units["A/1/16"].at == end


@pytest.mark.rule("ddob:7.32", "ddob:7.51")
def test_climbing_past_a_position_is_infiltration_too():
    us = {"C/1/116": "0432 cliff=0433"}
    given = {"us": us, "tedeschi": {"0533": "wn75"}, "divisione": "29"}
    game = division("16", **given)
    game.play("u:C/1/116", "b:sali")
    assert game.options == {"b:avanti", "b:resta"}
    game.play("b:resta")
    unit = game.state.units["C/1/116"]
    assert (unit.at, unit.climb, unit.steps) == ("0432", "climb cliff", 2)
    game = division("01", **given)
    game.play("u:C/1/116", "b:sali")
    assert (game.state.units["C/1/116"].at, game.state.units["C/1/116"].steps) == ("0433", 3)


@pytest.mark.rule("ddob:7.32.concentrato")
def test_infiltrators_are_never_a_concentrated_target():
    us = {"B/1/16": "0709", "A/1/16": "0710"}
    game = division("05", us=us, tedeschi={"0809": "wn88"})
    game.play("u:B/1/16", "h:0710")
    assert game.state.units["B/1/16"].steps == 3
    assert "7.32.concentrato" in game.cited


@pytest.mark.rule("ddob:7.32.due")
def test_two_positions_draw_one_card():
    given = {"0821": "wn", "0723": "wn"}
    game = Table(
        dice=["24"], fase="division", turno=8, divisione="29", us={"F/2/116": "0722"},
        tedeschi={**given, "0823": "wn75"},
    )  # fmt: skip
    game.play("u:F/2/116", "h:0822")
    assert {"7.32", "7.32.due"} <= game.cited
    assert len(game.state.track) == 1


@pytest.mark.rule("ddob:7.61", "ddob:7.6")
def test_leaders_do_not_count_for_the_stacking_limit():
    us = {"A/1/16": "0814 eroe=Pinder", "B/1/16": "0814", "HQ16": "0814", "Wyman": "0814"}
    game = Table(fase="stacking", turno=8, us=us, tedeschi={})
    assert game.state.turn == 9, "nobody is asked whom to eliminate"
    assert [game.state.units[name].at for name in us] == ["0814"] * 4


@pytest.mark.rule("ddob:7.6", "ddob:7.61", "ddob:7.63")
def test_a_third_unit_is_eliminated_at_the_end_of_the_phase():
    us = {"A/1/16": "0814", "B/1/16": "0814", "C/1/16": "0814", "HQ16": "0814"}
    game = Table(fase="stacking", turno=8, us=us, tedeschi={})
    assert game.options == {"u:A/1/16", "u:B/1/16", "u:C/1/16"}
    game.play("u:C/1/16")
    assert game.state.units["C/1/16"].at == "lost"


@pytest.mark.rule("ddob:17.1", "ddob:casa.32")
def test_infantry_moves_two_hexes_from_turn_17():
    given = {"turno": 18, "scenario": "d-day", "azioni": 3}
    game = division(us={"A/1/16": "0814"}, tedeschi={}, **given)
    game.play("u:A/1/16", "h:0815")
    assert "b:ferma" in game.options
    assert "17.1" in game.why_not("h:0915")
    game.play("h:0816")
    assert game.state.units["A/1/16"].at == "0816"
    assert game.state.actions == 2


@pytest.mark.rule("ddob:17.1")
def test_strong_fire_and_bocage_stop_infantry_after_one_hex():
    given = {"turno": 18, "scenario": "d-day", "azioni": 3}
    game = division(us={"A/1/16": "0714"}, tedeschi={"0916": "wn"}, **given)
    game.play("u:A/1/16", "h:0814")
    assert game.state.units["A/1/16"].acted
    assert "b:ferma" not in game.options
    game = division(us={"A/1/16": "1314"}, tedeschi={}, **given)
    game.play("u:A/1/16", "h:1315")
    assert game.state.units["A/1/16"].at == "1315"
    assert "b:ferma" not in game.options


@pytest.mark.rule("ddob:17.1")
def test_bocage_slows_infantry_unless_it_enters_by_road_or_trail():
    given = {"tedeschi": {}, "turno": 18, "scenario": "d-day", "azioni": 3}
    game = division(us={"A/1/16": "1012"}, **given)
    game.play("u:A/1/16", "h:1013")
    assert "b:ferma" not in game.options
    game = division(us={"A/1/16": "1113"}, **given)
    game.play("u:A/1/16", "h:1013")
    assert "b:ferma" in game.options
    game.play("h:0913")
    assert game.state.units["A/1/16"].at == "0913"


@pytest.mark.rule("ddob:7.1.auto-conservazione", "ddob:17.1")
def test_self_preservation_is_one_hex_and_more_costs_an_action():
    given = {"us": {"A/1/16": "0613"}, "tedeschi": {}, "turno": 28, "scenario": "d-day"}
    game = division(azioni=0, **given)
    game.play("u:A/1/16", "h:0714")
    assert "b:ferma" not in game.options
    game = division(azioni=3, **given)
    game.play("u:A/1/16", "h:0714")
    assert game.state.actions == 3
    game.play("h:0814")
    assert (game.state.units["A/1/16"].at, game.state.actions) == ("0814", 2)


@pytest.mark.rule("ddob:7.1.auto-conservazione", "ddob:17.1")
def test_units_that_act_free_go_on_free():
    us = {"A/1/16": "0613 eroe=Pinder"}
    game = division(us=us, tedeschi={}, turno=28, scenario="d-day", azioni=0)
    game.play("u:A/1/16", "h:0714", "h:0814")
    assert (game.state.units["A/1/16"].at, game.state.actions) == ("0814", 0)


@pytest.mark.rule("ddob:17.11")
def test_a_bluff_needs_no_marker_from_turn_17_but_the_whole_move():
    game = division(us={"A/1/16": "0816"}, tedeschi={}, turno=18, scenario="d-day")
    game.play("u:A/1/16", "h:0916")
    unit = game.state.units["A/1/16"]
    assert (unit.climb, unit.acted) == ("", True)
    assert "17.11" in game.cited


@pytest.mark.rule("ddob:17.12")
def test_a_cliff_takes_two_turns_from_turn_17():
    game = division(us={"A/1/16": "0607"}, tedeschi={}, turno=24, scenario="d-day")
    game.play("u:A/1/16", "h:0707")
    unit = game.state.units["A/1/16"]
    assert (unit.at, unit.climb) == ("0707", "climb")


@pytest.mark.rule("ddob:17.2", "ddob:17.21")
def test_tanks_drive_four_hexes_along_a_primary_road():
    given = {"turno": 18, "scenario": "d-day", "tedeschi": {}}
    game = division(us={"1/B/741": "1514"}, **given)
    game.play("u:1/B/741", "h:1515", "h:1516")
    assert "17.21" in game.why_not("h:1416")
    game.play("h:1517", "h:1417")
    assert game.state.units["1/B/741"].at == "1417"
    assert "17.2" in game.cited


@pytest.mark.rule("ddob:17.2")
def test_tanks_drive_two_hexes_from_a_secondary_road():
    game = division(us={"1/B/741": "1814"}, tedeschi={}, turno=18, scenario="d-day")
    game.play("u:1/B/741", "h:1714")
    assert game.asked_by == {"17.2"}
    game.play("h:1713")
    assert game.state.units["1/B/741"].at == "1713"
    assert game.state.units["1/B/741"].acted
    assert "b:ferma" not in game.options


@pytest.mark.rule("ddob:17.2", "ddob:17.22", "ddob:19.3.strade", "ddob:casa.75")
def test_a_cleared_mined_road_is_a_secondary_one_to_start_from():
    given = {"us": {"1/B/741": "0911"}, "tedeschi": {}, "turno": 18, "scenario": "d-day"}
    game = division(basi={"1•37": "0711 9"}, **given)
    game.play("u:1/B/741", "h:1011", "h:1112")
    assert game.state.units["1/B/741"].at == "1112"
    assert "casa.75" in game.cited
    assert "b:ferma" not in game.options
    given["us"] = {"1/B/743": "0830"}
    game = division(divisione="29", **given)
    game.play("u:1/B/743", "h:0829")
    assert "17.21" in game.why_not("h:0828")


@pytest.mark.rule("ddob:17.23")
def test_other_vehicles_move_one_hex():
    game = division(us={"62AFA": "1514"}, tedeschi={}, turno=18, scenario="d-day")
    game.play("u:62AFA", "h:1515")
    assert game.state.units["62AFA"].at == "1515"
    assert "17.23" in game.cited


@pytest.mark.rule("ddob:20.3.uscita", "ddob:casa.71")
def test_units_leave_the_map_from_an_exit_hex():
    game = division(us={"A/1/16": "1001", "HQ16": "1001"}, tedeschi={}, turno=18, scenario="d-day")
    game.play("u:HQ16")
    assert "20.3.uscita" in game.why_not("b:esci")
    game.play("b:resta", "u:A/1/16", "b:esci")
    assert game.state.exited == (("A/1/16", 3, "A"),)
    assert game.state.losses["1"] == ()


@pytest.mark.rule("ddob:7.21")
def test_who_may_share_a_move():
    us = {
        "A/1/16": "0814", "B/1/16": "0814 confusione", "C/1/16": "0814 agito",
        "E/2/16": "0814 eroe=Pinder", "I/3/116": "0814", "HQ16": "0816", "1/B/741": "0814",
        "F/2/16": "0814 climb",
    }  # fmt: skip
    game = division(us=us, tedeschi={})
    game.play("u:A/1/16", "h:0813")
    assert game.options == {"u:1/B/741", "b:solo"}
    game.play("b:solo")
    assert game.state.units["1/B/741"].at == "0814"
    game = division(us=us, tedeschi={})
    game.play("u:A/1/16", "h:0914")
    assert game.state.units["A/1/16"].at == "0914"
    assert "b:solo" not in game.options


@pytest.mark.rule("ddob:7.22")
def test_who_may_cross_the_line_with_the_other_division():
    given = {"tedeschi": {}}
    assert division(us={"I/3/116": "0819 confusione"}, **given).why_not("u:I/3/116") == {"7.22"}
    assert division(us={"I/3/116": "0819 climb"}, **given).why_not("u:I/3/116") == {"7.22"}
    assert division(us={"I/3/116": "0819"}, azioni=0, **given).why_not("u:I/3/116") == {"7.22"}
    assert "u:AB/5R" in division(us={"AB/5R": "0819"}, azioni=0, **given).options
    game = division(us={"I/3/116": "0822"}, **given)
    assert "u:I/3/116" not in {*game.options, *game.position.decision.refused}


@pytest.mark.rule("ddob:7.32")
@pytest.mark.parametrize(
    ("german", "to", "cards"),
    [
        ("wn88", "0710", 1),
        ("wn88", "0708", 0),  # no longer adjacent
        ({"specie": "wn88", "confusione": "si"}, "0710", 0),
    ],
)
def test_what_is_infiltration_and_what_is_not(german, to, cards):
    game = division("02", us={"A/1/16": "0709"}, tedeschi={"0809": german})
    game.play("u:A/1/16", f"h:{to}")
    assert len(game.state.track) == cards
    assert game.state.units["A/1/16"].at == to


@pytest.mark.rule("ddob:7.32", "ddob:ev.fumo")
def test_smoke_does_not_hide_infiltrators():
    given = {"us": {"A/1/16": "0709"}, "tedeschi": {"0809": "wn88"}, "note": {"smoke": "WN61"}}
    game = division("05", **given)
    game.play("u:A/1/16", "h:0710", "b:avanti")
    assert game.state.units["A/1/16"].steps == 2


@pytest.mark.rule("ddob:7.32", "ddob:6.21")
def test_the_marker_of_either_hex_counts_against_infiltrators_unless_disrupted():
    given = {"us": {"A/1/16": "0811"}}
    game = division("05", tedeschi={"0812": "wn", "0912": "wn75+"}, **given)
    game.play("u:A/1/16", "h:0712")
    assert game.options == {"b:avanti", "b:resta"}
    silent = {"specie": "wn75", "incognita": "?", "confusione": "si"}
    game = division("05", tedeschi={"0812": "wn", "0912": silent}, **given)
    game.play("u:A/1/16", "h:0712")
    assert (game.state.units["A/1/16"].at, game.state.units["A/1/16"].steps) == ("0712", 3)


@pytest.mark.rule("ddob:7.32.esito")
def test_an_infiltrator_may_die():
    game = division("05", us={"A/1/16": "0709 1"}, tedeschi={"0809": "wn88"})
    game.play("u:A/1/16", "h:0710")
    assert game.state.units["A/1/16"].at == "lost"


@pytest.mark.rule("ddob:17.2")
def test_a_tank_stops_under_intense_fire_and_only_there():
    given = {"turno": 18, "scenario": "d-day", "divisione": "29", "azioni": 3}
    us = {"1/B/743": "1526"}
    game = division(us=us, tedeschi={}, **given)
    game.play("u:1/B/743", "h:1426", "h:1327")
    assert "h:1328" in game.options
    game = division(us=us, tedeschi={"1328": "T"}, **given)
    game.play("u:1/B/743", "h:1426")
    assert "h:1327" in game.options
    game.play("h:1327")
    assert "b:ferma" not in game.options


@pytest.mark.rule("ddob:17.2", "ddob:17.21")
def test_four_hexes_of_primary_road_are_the_longest_drive():
    game = division(us={"1/B/741": "1514"}, tedeschi={}, turno=18, scenario="d-day")
    game.play("u:1/B/741", "h:1515", "h:1516", "h:1517", "h:1417")
    assert "b:ferma" not in game.options
    game = division(us={"1/B/741": "0714"}, tedeschi={}, turno=18, scenario="d-day")
    game.play("u:1/B/741", "h:0715")
    assert "b:ferma" not in game.options


@pytest.mark.rule("ddob:17.1", "ddob:7.32.leader")
def test_leaders_move_two_hexes_through_fire_but_not_past_germans():
    given = {"turno": 18, "scenario": "d-day", "azioni": 0}
    game = division(us={"HQ16": "0714"}, tedeschi={"0916": "wn"}, **given)
    game.play("u:HQ16", "h:0814", "h:0815")
    assert game.state.units["HQ16"].at == "0815"
    assert "b:ferma" not in game.options
    game = division(us={"HQ16": "0608"}, tedeschi={"0809": "wn88"}, **given)
    game.play("u:HQ16", "h:0709")
    assert "7.32.leader" in game.why_not("h:0710")


@pytest.mark.rule("ddob:20.3.uscita")
def test_leaving_the_map_costs_an_action():
    given = {"us": {"A/1/16": "1001"}, "tedeschi": {}, "turno": 18, "scenario": "d-day"}
    game = division(azioni=1, **given)
    game.play("u:A/1/16", "b:esci")
    assert game.state.actions == 0
    assert division(azioni=0, **given).why_not("u:A/1/16") == {"7"}
    game = division(us={"A/1/16": "1001"}, tedeschi={})
    game.play("u:A/1/16")
    assert "b:esci" not in {*game.options, *game.position.decision.refused}


@pytest.mark.rule("ddob:22.1", "ddob:7.1.auto-conservazione")
def test_after_a_bombardment_infantry_runs_wherever_nobody_fires():
    given = {"us": {"A/1/16": "0714"}, "azioni": 0, "opzioni": {"22.1": "si"}}
    game = division(tedeschi={}, **given)
    game.play("u:A/1/16")
    assert {"h:0814", "h:0713"} <= game.options
    silent = {"0812": {"specie": "wn", "confusione": "si"}}
    assert division(tedeschi=silent, **given).why_not("u:A/1/16") == {"7"}


@pytest.mark.rule("ddob:7.1.auto-conservazione")
def test_only_infantry_on_the_beach_flees_to_shelter():
    assert division(us={"1/B/741": "0613"}, tedeschi={}, azioni=0).why_not("u:1/B/741") == {"7"}
    assert division(us={"A/1/16": "0814"}, tedeschi={}, azioni=0).why_not("u:A/1/16") == {"7"}


@pytest.mark.rule("ddob:7.1", "ddob:7.2")
def test_doing_nothing_uses_up_the_turn_of_a_unit_but_no_action():
    game = division(us={"A/1/16": "0714"}, tedeschi={})
    game.play("u:A/1/16", "b:resta")
    assert game.why_not("u:A/1/16") == {"7.2"}
    assert game.state.actions == 2


@pytest.mark.rule("ddob:23.6", "ddob:casa.47")
def test_nobody_slips_from_tanks_into_another_part_of_their_field():
    given = {"1321": {"specie": "armor", "unita": "1/2/352PzJ"}}
    late = {"turno": 20, "scenario": "d-day", "divisione": "29", "azioni": 0}
    assert division(us={"A/1/116": "1420"}, tedeschi=given, **late).why_not("u:A/1/116") == {"7"}
    assert "u:A/1/116" in division(us={"A/1/116": "1221"}, tedeschi=given, **late).options
    given["1321"]["confusione"] = "si"
    assert division(us={"A/1/116": "1221"}, tedeschi=given, **late).why_not("u:A/1/116") == {"7"}
