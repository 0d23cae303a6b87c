"""US actions (7) and longer moves (17)."""

from __future__ import annotations

import pytest

from tests.ddob.table import act, against, cited, now, offered, table


def division(*draws, **given):
    return table(*draws, fase="division", **{"turno": 8, "divisione": "1", **given})


@pytest.mark.rule("ddob:7", "ddob:4.v", "ddob:7.2")
def test_a_division_has_two_actions_and_the_player_chooses_the_order():
    game = table(fase="actions", turno=8, us={"A/1/16": "0714"}, tedeschi={})
    assert offered(game) == {"b:1", "b:29"}
    act(game, "b:1")
    assert now(game).actions == 2
    act(game, "b:fine")
    assert now(game).division == "29"


@pytest.mark.rule("ddob:ev.iniziativa", "ddob:ev.intenso", "ddob:casa.50")
@pytest.mark.parametrize(
    ("notes", "turn", "actions"),
    [({"initiative": "si"}, 8, 3), ({"intense": "si"}, 8, 1), ({"initiative": "si"}, 18, 4)],
)
def test_events_change_the_actions_of_a_turn(notes, turn, actions):
    game = table(
        fase="actions", turno=turn, scenario="d-day", us={"A/1/16": "0714"}, tedeschi={}, note=notes
    )
    act(game, "b:29")
    assert now(game).actions == actions


@pytest.mark.rule("ddob:7.1", "ddob:7.2")
def test_a_unit_acts_once_a_turn():
    game = division(us={"A/1/16": "0714"}, tedeschi={})
    act(game, "u:A/1/16", "h:0814")
    assert now(game).actions == 1
    assert against(game, "u:A/1/16") == {"7.2"}


@pytest.mark.rule("ddob:7")
def test_without_actions_only_free_units_act():
    us = {"A/1/16": "0814", "C/2R": "0815 comando=1", "B/1/16": "0816 eroe=Pinder"}
    game = division(us=us, tedeschi={}, azioni=0)
    assert against(game, "u:A/1/16") == {"7"}
    assert {"u:C/2R", "u:B/1/16"} <= offered(game)


@pytest.mark.rule("ddob:7.1.ranger", "ddob:7.1.eroe", "ddob:11.12")
def test_rangers_and_heroes_move_free():
    us = {"C/2R": "0815 comando=1", "B/1/16": "0816 eroe=Pinder"}
    game = division(us=us, tedeschi={})
    act(game, "u:C/2R", "h:0814", "u:B/1/16", "h:0815")
    assert now(game).actions == 2
    assert {"7.1.ranger", "7.1.eroe", "11.12"} <= cited(game)


@pytest.mark.rule("ddob:7.1.comando", "ddob:11.2", "ddob:11.3")
def test_units_next_to_a_leader_act_free():
    us = {"A/1/16": "0814", "HQ16": "0815", "B/1/16": "0818"}
    game = division(us=us, tedeschi={})
    act(game, "u:A/1/16", "h:0813")
    assert now(game).actions == 2
    act(game, "u:B/1/16", "h:0819")
    assert now(game).actions == 1


@pytest.mark.rule("ddob:7.33", "ddob:7.1.leader")
def test_a_leader_that_moved_gives_no_more_free_actions():
    game = division(us={"A/1/16": "0814", "HQ16": "0815"}, tedeschi={}, azioni=0)
    assert "u:A/1/16" in offered(game)
    act(game, "u:HQ16", "h:0816")
    assert against(game, "u:A/1/16") == {"7"}
    assert {"7.33", "7.1.leader"} <= cited(game)


@pytest.mark.rule("ddob:7.1.auto-conservazione", "ddob:casa.18")
def test_infantry_runs_for_shelter_free():
    game = division(us={"A/1/16": "0613"}, tedeschi={}, azioni=0)
    act(game, "u:A/1/16")
    assert {"h:0713", "h:0714"} <= offered(game)
    assert "7.1.auto-conservazione" in against(game, "h:0612")
    act(game, "h:0714")
    assert "7.1.auto-conservazione" in cited(game)


@pytest.mark.rule("ddob:7.1.auto-conservazione")
def test_leaving_the_beach_is_no_self_preservation():
    game = division(us={"A/1/16": "0714"}, tedeschi={}, azioni=0)
    assert against(game, "u:A/1/16") == {"7"}


@pytest.mark.rule("ddob:7.21")
def test_two_stacked_units_move_for_one_action():
    us = {"A/1/16": "0814", "B/1/16": "0814"}
    game = division(us=us, tedeschi={})
    act(game, "u:A/1/16", "h:0815")
    assert offered(game) == {"u:B/1/16", "b:solo"}
    act(game, "u:B/1/16")
    assert now(game).actions == 1
    assert now(game).units["B/1/16"].at == "0815"


@pytest.mark.rule("ddob:7.22")
def test_a_unit_at_the_line_may_use_an_action_of_the_other_division():
    game = division(us={"I/3/116": "0819"}, tedeschi={})
    act(game, "u:I/3/116")
    assert "h:0818" in offered(game)
    assert "7.22" in against(game, "h:0820")
    act(game, "h:0818")
    assert now(game).units["I/3/116"].command == "29"
    assert "7.22" in cited(game)


@pytest.mark.rule("ddob:7.22", "ddob:7.21")
def test_two_stacked_units_cross_the_line_for_one_action_of_the_other_division():
    us = {"I/3/116": "0819", "K/3/116": "0819"}
    game = division(us=us, tedeschi={}, azioni=1)
    act(game, "u:I/3/116", "h:0818", "u:K/3/116")
    assert [now(game).units[name].at for name in us] == ["0818", "0818"]
    assert now(game).actions == 0
    game = division(us=us, tedeschi={}, divisione="29", azioni=1)
    act(game, "u:I/3/116", "h:0818")
    assert "u:K/3/116" in offered(game)


@pytest.mark.rule("ddob:7.21", "ddob:7.2", "ddob:7.4", "ddob:7.7")
@pytest.mark.parametrize("marker", ["climb", "cliff=0916", "confusione", "agito", "eroe=Pinder"])
def test_a_stack_moves_together_only_with_units_that_could_pay_for_the_same(marker):
    game = division(us={"A/1/16": "0814", "B/1/16": "0814"}, tedeschi={})
    act(game, "u:A/1/16", "h:0815")
    assert "u:B/1/16" in offered(game)
    game = division(us={"A/1/16": "0814", "B/1/16": f"0814 {marker}"}, tedeschi={})
    act(game, "u:A/1/16", "h:0815")
    assert now(game).units["A/1/16"].acted
    assert now(game).units["B/1/16"].at == "0814"


@pytest.mark.rule("ddob:7.21", "ddob:7.22")
def test_a_unit_of_the_other_division_joins_no_move_inside_the_sector():
    game = division(us={"A/1/16": "0819", "I/3/116": "0819"}, tedeschi={})
    act(game, "u:A/1/16", "h:0820")
    assert now(game).units["A/1/16"].acted
    assert not now(game).units["I/3/116"].acted


@pytest.mark.rule("ddob:7.22.due", "ddob:1.due-giocatori")
def test_with_two_players_a_unit_far_over_the_line_changes_player():
    given = {"tedeschi": {}, "opzioni": {"giocatori": "due"}}
    game = division(us={"I/3/116": "0817"}, divisione="29", **given)
    act(game, "u:I/3/116", "h:0816")
    assert now(game).units["I/3/116"].command == "1"
    game = division(us={"I/3/116": "0819"}, divisione="29", **given)
    act(game, "u:I/3/116", "h:0818")
    assert now(game).units["I/3/116"].command == "29"


@pytest.mark.rule("ddob:7.3", "ddob:tec.ciottoli", "ddob:casa.43")
def test_vehicles_do_not_cross_shingle():
    game = division(us={"1/B/741": "0714"}, tedeschi={})
    act(game, "u:1/B/741")
    assert "tec.ciottoli" in against(game, "h:0814")
    assert "h:0715" in offered(game)


@pytest.mark.rule("ddob:7.31", "ddob:tec.accidentato", "ddob:5.21", "ddob:tec.marea-spiaggia")
def test_nobody_enters_germans_rough_ground_or_water():
    game = division(us={"A/1/16": "0613"}, tedeschi={})
    act(game, "u:A/1/16")
    assert "5.21" in against(game, "h:0513")
    game = division(us={"A/1/16": "0710"}, tedeschi={"0809": "wn"})
    act(game, "u:A/1/16")
    assert "7.31" in against(game, "h:0809")
    game = division(us={"A/1/16": "0806"}, tedeschi={})
    act(game, "u:A/1/16")
    assert "tec.accidentato" in against(game, "h:0706")


@pytest.mark.rule("ddob:tec.bosco", "ddob:tec.bocage", "ddob:tec.strada", "ddob:tec.edifici")
def test_vehicles_need_a_road_into_woods_and_bocage_but_not_buildings():
    game = division(us={"1/B/741": "1410"}, tedeschi={})
    act(game, "u:1/B/741")
    assert {"h:1409", "h:1511", "h:1310"} <= offered(game)
    game = division(us={"1/B/741": "1012"}, tedeschi={})
    act(game, "u:1/B/741")
    assert "tec.bocage" in against(game, "h:1013")
    assert "h:1113" in offered(game)


@pytest.mark.rule("ddob:tec.siepe-argine", "ddob:tec.pendio", "ddob:19.34")
def test_seawalls_and_slopes_stop_vehicles_off_the_road():
    game = division(us={"1/B/743": "0624 comando=1"}, tedeschi={})
    act(game, "u:1/B/743")
    assert "19.34" in against(game, "h:0724")
    game = division(us={"1/B/741": "0812"}, tedeschi={})
    act(game, "u:1/B/741")
    assert "tec.pendio" in against(game, "h:0912")


@pytest.mark.rule("ddob:tec.strada-minata", "ddob:17.22")
def test_mined_roads_stop_vehicles():
    game = division(us={"1/B/741": "0911"}, tedeschi={})
    act(game, "u:1/B/741")
    assert "tec.strada-minata" in against(game, "h:1011")


@pytest.mark.rule("ddob:7.4", "ddob:7.1.segnalini", "ddob:tec.duna")
def test_a_bluff_takes_two_turns():
    game = division(us={"A/1/16": "0816"}, tedeschi={})
    act(game, "u:A/1/16", "h:0916")
    unit = now(game).units["A/1/16"]
    assert (unit.at, unit.climb) == ("0916", "climb")
    game = division(us={"A/1/16": "0916 climb"}, tedeschi={}, azioni=0)
    act(game, "u:A/1/16")
    assert now(game).units["A/1/16"].climb == ""
    assert now(game).units["A/1/16"].acted


@pytest.mark.rule("ddob:7.4", "ddob:7.7")
def test_disruption_comes_off_before_a_climb_marker():
    game = division(us={"A/1/16": "0916 climb confusione"}, tedeschi={}, azioni=0)
    act(game, "u:A/1/16")
    unit = now(game).units["A/1/16"]
    assert (unit.climb, unit.disrupted, unit.acted) == ("climb", False, True)
    assert "7.7" in cited(game)


@pytest.mark.rule("ddob:7.41")
def test_leaders_climb_bluffs_without_a_marker():
    game = division(us={"HQ16": "0816"}, tedeschi={})
    act(game, "u:HQ16", "h:0916")
    assert now(game).units["HQ16"].climb == ""
    assert "7.41" in cited(game)


@pytest.mark.rule("ddob:7.5", "ddob:7.51", "ddob:tec.scogliera-scalabile")
def test_a_cliff_takes_three_turns_and_may_be_given_up():
    game = division(us={"A/1/16": "0607"}, tedeschi={})
    act(game, "u:A/1/16", "h:0707")
    unit = now(game).units["A/1/16"]
    assert (unit.at, unit.climb, unit.cliff) == ("0607", "climb cliff", "0707")
    game = division(us={"A/1/16": "0607 cliff=0707"}, tedeschi={}, azioni=0)
    act(game, "u:A/1/16", "b:sali")
    unit = now(game).units["A/1/16"]
    assert (unit.at, unit.climb) == ("0707", "climb")
    game = division(us={"A/1/16": "0607 cliff=0707"}, tedeschi={}, azioni=0)
    act(game, "u:A/1/16", "b:rinuncia")
    assert (now(game).units["A/1/16"].at, now(game).units["A/1/16"].climb) == ("0607", "")


@pytest.mark.rule("ddob:7.5", "ddob:tec.scogliera-picco")
def test_leaders_never_climb_cliffs_and_nobody_sheer_ones():
    game = division(us={"HQ16": "0607", "A/1/16": "0605"}, tedeschi={})
    act(game, "u:HQ16")
    assert "7.5" in against(game, "h:0707")
    act(game, "b:resta", "u:A/1/16")
    assert "tec.scogliera-picco" in against(game, "h:0706")


@pytest.mark.rule("ddob:7.32.leader")
def test_leaders_infiltrate_only_with_a_unit():
    us = {"HQ16": "0709", "A/1/16": "0709"}
    game = division("02", us=us, tedeschi={"0809": "wn88"})
    act(game, "u:HQ16")
    assert "7.32.leader" in against(game, "h:0710")
    act(game, "b:resta")
    game = division("02", us=us, tedeschi={"0809": "wn88"})
    act(game, "u:A/1/16", "h:0710")
    assert "u:HQ16" in offered(game)
    act(game, "u:HQ16")
    assert now(game).units["HQ16"].at == "0710"
    assert now(game).moved_leaders == ("HQ16",)


@pytest.mark.rule("ddob:7.32.leader", "ddob:7.33")
@pytest.mark.parametrize(
    ("steps", "answers", "at"),
    [(3, ["b:avanti"], "0710"), (3, ["b:resta"], "0709"), (1, [], "0709")],
)
def test_a_leader_stays_when_the_unit_that_infiltrates_stays_or_dies(steps, answers, at):
    us = {"HQ16": "0709", "A/1/16": f"0709 {steps}"}
    game = division("16", us=us, tedeschi={"0809": "wn88"})
    act(game, "u:A/1/16", "h:0710", "u:HQ16", *answers)
    hq = now(game).units["HQ16"]
    assert (hq.at, hq.acted) == (at, True)
    assert bool(now(game).moved_leaders) is (at == "0710")
    assert ("7.32.leader" in cited(game)) is (at == "0709")


@pytest.mark.rule("ddob:7.32.leader")
def test_several_leaders_may_infiltrate_with_a_unit():
    us = {"HQ16": "0709", "Wyman": "0709", "A/1/16": "0709"}
    game = division("02", us=us, tedeschi={"0809": "wn88"})
    act(game, "u:A/1/16", "h:0710", "u:HQ16", "u:Wyman")
    assert {u.at for u in now(game).units.values() if u.id in us} == {"0710"}


@pytest.mark.rule("ddob:7.32", "ddob:6.21", "ddob:6.41")
@pytest.mark.parametrize(("start", "end"), [("0813", "0913"), ("0913", "0813")])
def test_half_a_position_in_confusion_still_fires_at_infiltrators(start, end):
    north = {"specie": "wn", "confusione": "si"}
    us = {"A/1/16": start, "HQ16": start}
    game = division("40", us=us, tedeschi={"0812": north, "0912": "wn75"})
    act(game, "u:A/1/16", f"h:{end}", "b:solo")
    assert offered(game) == {"b:avanti", "b:resta"}
    silent = {"0812": north, "0912": {"specie": "wn75", "confusione": "si"}}
    game = division(us=us, tedeschi=silent)
    act(game, "u:A/1/16", f"h:{end}")
    assert now(game).units["A/1/16"].at == end


@pytest.mark.rule("ddob:7.32", "ddob:7.51")
def test_climbing_past_a_position_is_infiltration_too():
    us = {"C/1/116": "0432 cliff=0433"}
    given = {"us": us, "tedeschi": {"0533": "wn75"}, "divisione": "29"}
    game = division("16", **given)
    act(game, "u:C/1/116", "b:sali")
    assert offered(game) == {"b:avanti", "b:resta"}
    act(game, "b:resta")
    unit = now(game).units["C/1/116"]
    assert (unit.at, unit.climb, unit.steps) == ("0432", "climb cliff", 2)
    game = division("01", **given)
    act(game, "u:C/1/116", "b:sali")
    assert (now(game).units["C/1/116"].at, now(game).units["C/1/116"].steps) == ("0433", 3)


@pytest.mark.rule("ddob:7.32.concentrato")
def test_infiltrators_are_never_a_concentrated_target():
    us = {"B/1/16": "0709", "A/1/16": "0710"}
    game = division("05", us=us, tedeschi={"0809": "wn88"})
    act(game, "u:B/1/16", "h:0710")
    assert now(game).units["B/1/16"].steps == 3
    assert "7.32.concentrato" in cited(game)


@pytest.mark.rule("ddob:7.32.due")
def test_two_positions_draw_one_card():
    given = {"0821": "wn", "0723": "wn"}
    game = table(
        "24", fase="division", turno=8, divisione="29", us={"F/2/116": "0722"},
        tedeschi={**given, "0823": "wn75"},
    )  # fmt: skip
    act(game, "u:F/2/116", "h:0822")
    assert {"7.32", "7.32.due"} <= cited(game)
    assert len(now(game).track) == 1


@pytest.mark.rule("ddob:7.61", "ddob:7.6")
def test_leaders_do_not_count_for_the_stacking_limit():
    us = {"A/1/16": "0814 eroe=Pinder", "B/1/16": "0814", "HQ16": "0814", "Wyman": "0814"}
    game = table(fase="stacking", turno=8, us=us, tedeschi={})
    assert now(game).turn == 9, "nobody is asked whom to eliminate"
    assert [now(game).units[name].at for name in us] == ["0814"] * 4


@pytest.mark.rule("ddob:7.6", "ddob:7.61", "ddob:7.63")
def test_a_third_unit_is_eliminated_at_the_end_of_the_phase():
    us = {"A/1/16": "0814", "B/1/16": "0814", "C/1/16": "0814", "HQ16": "0814"}
    game = table(fase="stacking", turno=8, us=us, tedeschi={})
    assert offered(game) == {"u:A/1/16", "u:B/1/16", "u:C/1/16"}
    act(game, "u:C/1/16")
    assert now(game).units["C/1/16"].at == "lost"


@pytest.mark.rule("ddob:17.1", "ddob:casa.32")
def test_infantry_moves_two_hexes_from_turn_17():
    given = {"turno": 18, "scenario": "d-day", "azioni": 3}
    game = division(us={"A/1/16": "0814"}, tedeschi={}, **given)
    act(game, "u:A/1/16", "h:0815")
    assert "b:ferma" in offered(game)
    assert "17.1" in against(game, "h:0915")
    act(game, "h:0816")
    assert now(game).units["A/1/16"].at == "0816"
    assert now(game).actions == 2


@pytest.mark.rule("ddob:17.1")
def test_strong_fire_and_bocage_stop_infantry_after_one_hex():
    given = {"turno": 18, "scenario": "d-day", "azioni": 3}
    game = division(us={"A/1/16": "0714"}, tedeschi={"0916": "wn"}, **given)
    act(game, "u:A/1/16", "h:0814")
    assert now(game).units["A/1/16"].acted
    assert "b:ferma" not in offered(game)
    game = division(us={"A/1/16": "1314"}, tedeschi={}, **given)
    act(game, "u:A/1/16", "h:1315")
    assert now(game).units["A/1/16"].at == "1315"
    assert "b:ferma" not in offered(game)


@pytest.mark.rule("ddob:17.1")
def test_bocage_slows_infantry_unless_it_enters_by_road_or_trail():
    given = {"tedeschi": {}, "turno": 18, "scenario": "d-day", "azioni": 3}
    game = division(us={"A/1/16": "1012"}, **given)
    act(game, "u:A/1/16", "h:1013")
    assert "b:ferma" not in offered(game)
    game = division(us={"A/1/16": "1113"}, **given)
    act(game, "u:A/1/16", "h:1013")
    assert "b:ferma" in offered(game)
    act(game, "h:0913")
    assert now(game).units["A/1/16"].at == "0913"


@pytest.mark.rule("ddob:7.1.auto-conservazione", "ddob:17.1")
def test_self_preservation_is_one_hex_and_more_costs_an_action():
    given = {"us": {"A/1/16": "0613"}, "tedeschi": {}, "turno": 28, "scenario": "d-day"}
    game = division(azioni=0, **given)
    act(game, "u:A/1/16", "h:0714")
    assert "b:ferma" not in offered(game)
    game = division(azioni=3, **given)
    act(game, "u:A/1/16", "h:0714")
    assert now(game).actions == 3
    act(game, "h:0814")
    assert (now(game).units["A/1/16"].at, now(game).actions) == ("0814", 2)


@pytest.mark.rule("ddob:7.1.auto-conservazione", "ddob:17.1")
def test_units_that_act_free_go_on_free():
    us = {"A/1/16": "0613 eroe=Pinder"}
    game = division(us=us, tedeschi={}, turno=28, scenario="d-day", azioni=0)
    act(game, "u:A/1/16", "h:0714", "h:0814")
    assert (now(game).units["A/1/16"].at, now(game).actions) == ("0814", 0)


@pytest.mark.rule("ddob:17.11")
def test_a_bluff_needs_no_marker_from_turn_17_but_the_whole_move():
    game = division(us={"A/1/16": "0816"}, tedeschi={}, turno=18, scenario="d-day")
    act(game, "u:A/1/16", "h:0916")
    unit = now(game).units["A/1/16"]
    assert (unit.climb, unit.acted) == ("", True)
    assert "17.11" in cited(game)


@pytest.mark.rule("ddob:17.12")
def test_a_cliff_takes_two_turns_from_turn_17():
    game = division(us={"A/1/16": "0607"}, tedeschi={}, turno=24, scenario="d-day")
    act(game, "u:A/1/16", "h:0707")
    unit = now(game).units["A/1/16"]
    assert (unit.at, unit.climb) == ("0707", "climb")


@pytest.mark.rule("ddob:17.2", "ddob:17.21")
def test_tanks_drive_four_hexes_along_a_primary_road():
    given = {"turno": 18, "scenario": "d-day", "tedeschi": {}}
    game = division(us={"1/B/741": "1514"}, **given)
    act(game, "u:1/B/741", "h:1515", "h:1516")
    assert "17.21" in against(game, "h:1416")
    act(game, "h:1517", "h:1417")
    assert now(game).units["1/B/741"].at == "1417"
    assert "17.2" in cited(game)


@pytest.mark.rule("ddob:17.2")
def test_tanks_drive_two_hexes_from_a_secondary_road():
    game = division(us={"1/B/741": "1814"}, tedeschi={}, turno=18, scenario="d-day")
    act(game, "u:1/B/741", "h:1714", "h:1713")
    assert now(game).units["1/B/741"].at == "1713"
    assert now(game).units["1/B/741"].acted
    assert "b:ferma" not in offered(game)


@pytest.mark.rule("ddob:17.2", "ddob:17.22", "ddob:19.3.strade", "ddob:casa.75")
def test_a_cleared_mined_road_is_a_secondary_one_to_start_from():
    given = {"us": {"1/B/741": "0911"}, "tedeschi": {}, "turno": 18, "scenario": "d-day"}
    game = division(basi={"1•37": "0711 9"}, **given)
    act(game, "u:1/B/741", "h:1011", "h:1112")
    assert now(game).units["1/B/741"].at == "1112"
    assert "casa.75" in cited(game)
    assert "b:ferma" not in offered(game)
    given["us"] = {"1/B/743": "0830"}
    game = division(divisione="29", **given)
    act(game, "u:1/B/743", "h:0829")
    assert "17.21" in against(game, "h:0828")


@pytest.mark.rule("ddob:17.23")
def test_other_vehicles_move_one_hex():
    game = division(us={"62AFA": "1514"}, tedeschi={}, turno=18, scenario="d-day")
    act(game, "u:62AFA", "h:1515")
    assert now(game).units["62AFA"].at == "1515"
    assert "17.23" in cited(game)


@pytest.mark.rule("ddob:20.3.uscita", "ddob:casa.71")
def test_units_leave_the_map_from_an_exit_hex():
    game = division(us={"A/1/16": "1001", "HQ16": "1001"}, tedeschi={}, turno=18, scenario="d-day")
    act(game, "u:HQ16")
    assert "20.3.uscita" in against(game, "b:esci")
    act(game, "b:resta", "u:A/1/16", "b:esci")
    assert now(game).exited == (("A/1/16", 3, "A"),)
    assert now(game).losses["1"] == ()


@pytest.mark.rule("ddob:7.21")
def test_who_may_share_a_move():
    us = {
        "A/1/16": "0814", "B/1/16": "0814 confusione", "C/1/16": "0814 agito",
        "E/2/16": "0814 eroe=Pinder", "I/3/116": "0814", "HQ16": "0816", "1/B/741": "0814",
        "F/2/16": "0814 climb",
    }  # fmt: skip
    game = division(us=us, tedeschi={})
    act(game, "u:A/1/16", "h:0813")
    assert offered(game) == {"u:1/B/741", "b:solo"}
    act(game, "b:solo")
    assert now(game).units["1/B/741"].at == "0814"
    game = division(us=us, tedeschi={})
    act(game, "u:A/1/16", "h:0914")
    assert now(game).units["A/1/16"].at == "0914"
    assert "b:solo" not in offered(game)


@pytest.mark.rule("ddob:7.22")
def test_who_may_cross_the_line_with_the_other_division():
    given = {"tedeschi": {}}
    assert against(division(us={"I/3/116": "0819 confusione"}, **given), "u:I/3/116") == {"7.22"}
    assert against(division(us={"I/3/116": "0819 climb"}, **given), "u:I/3/116") == {"7.22"}
    assert against(division(us={"I/3/116": "0819"}, azioni=0, **given), "u:I/3/116") == {"7.22"}
    assert "u:AB/5R" in offered(division(us={"AB/5R": "0819"}, azioni=0, **given))
    game = division(us={"I/3/116": "0822"}, **given)
    assert "u:I/3/116" not in {*offered(game), *game.position.decision.refused}


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
    act(game, "u:A/1/16", f"h:{to}")
    assert len(now(game).track) == cards
    assert now(game).units["A/1/16"].at == to


@pytest.mark.rule("ddob:7.32", "ddob:ev.fumo")
def test_smoke_does_not_hide_infiltrators():
    given = {"us": {"A/1/16": "0709"}, "tedeschi": {"0809": "wn88"}, "note": {"smoke": "WN61"}}
    game = division("05", **given)
    act(game, "u:A/1/16", "h:0710", "b:avanti")
    assert now(game).units["A/1/16"].steps == 2


@pytest.mark.rule("ddob:7.32", "ddob:6.21")
def test_the_marker_of_either_hex_counts_against_infiltrators_unless_disrupted():
    given = {"us": {"A/1/16": "0811"}}
    game = division("05", tedeschi={"0812": "wn", "0912": "wn75+"}, **given)
    act(game, "u:A/1/16", "h:0712")
    assert offered(game) == {"b:avanti", "b:resta"}
    silent = {"specie": "wn75", "incognita": "?", "confusione": "si"}
    game = division("05", tedeschi={"0812": "wn", "0912": silent}, **given)
    act(game, "u:A/1/16", "h:0712")
    assert (now(game).units["A/1/16"].at, now(game).units["A/1/16"].steps) == ("0712", 3)


@pytest.mark.rule("ddob:7.32.esito")
def test_an_infiltrator_may_die():
    game = division("05", us={"A/1/16": "0709 1"}, tedeschi={"0809": "wn88"})
    act(game, "u:A/1/16", "h:0710")
    assert now(game).units["A/1/16"].at == "lost"


@pytest.mark.rule("ddob:17.2")
def test_a_tank_stops_under_intense_fire_and_only_there():
    given = {"turno": 18, "scenario": "d-day", "divisione": "29", "azioni": 3}
    us = {"1/B/743": "1526"}
    game = division(us=us, tedeschi={}, **given)
    act(game, "u:1/B/743", "h:1426", "h:1327")
    assert "h:1328" in offered(game)
    game = division(us=us, tedeschi={"1328": "T"}, **given)
    act(game, "u:1/B/743", "h:1426")
    assert "h:1327" in offered(game)
    act(game, "h:1327")
    assert "b:ferma" not in offered(game)


@pytest.mark.rule("ddob:17.2", "ddob:17.21")
def test_four_hexes_of_primary_road_are_the_longest_drive():
    game = division(us={"1/B/741": "1514"}, tedeschi={}, turno=18, scenario="d-day")
    act(game, "u:1/B/741", "h:1515", "h:1516", "h:1517", "h:1417")
    assert "b:ferma" not in offered(game)
    game = division(us={"1/B/741": "0714"}, tedeschi={}, turno=18, scenario="d-day")
    act(game, "u:1/B/741", "h:0715")
    assert "b:ferma" not in offered(game)


@pytest.mark.rule("ddob:17.1", "ddob:7.32.leader")
def test_leaders_move_two_hexes_through_fire_but_not_past_germans():
    given = {"turno": 18, "scenario": "d-day", "azioni": 0}
    game = division(us={"HQ16": "0714"}, tedeschi={"0916": "wn"}, **given)
    act(game, "u:HQ16", "h:0814", "h:0815")
    assert now(game).units["HQ16"].at == "0815"
    assert "b:ferma" not in offered(game)
    game = division(us={"HQ16": "0608"}, tedeschi={"0809": "wn88"}, **given)
    act(game, "u:HQ16", "h:0709")
    assert "7.32.leader" in against(game, "h:0710")


@pytest.mark.rule("ddob:20.3.uscita")
def test_leaving_the_map_costs_an_action():
    given = {"us": {"A/1/16": "1001"}, "tedeschi": {}, "turno": 18, "scenario": "d-day"}
    game = division(azioni=1, **given)
    act(game, "u:A/1/16", "b:esci")
    assert now(game).actions == 0
    assert against(division(azioni=0, **given), "u:A/1/16") == {"7"}
    game = division(us={"A/1/16": "1001"}, tedeschi={})
    act(game, "u:A/1/16")
    assert "b:esci" not in {*offered(game), *game.position.decision.refused}


@pytest.mark.rule("ddob:22.1", "ddob:7.1.auto-conservazione")
def test_after_a_bombardment_infantry_runs_wherever_nobody_fires():
    given = {"us": {"A/1/16": "0714"}, "azioni": 0, "opzioni": {"22.1": "si"}}
    game = division(tedeschi={}, **given)
    act(game, "u:A/1/16")
    assert {"h:0814", "h:0713"} <= offered(game)
    silent = {"0812": {"specie": "wn", "confusione": "si"}}
    assert against(division(tedeschi=silent, **given), "u:A/1/16") == {"7"}


@pytest.mark.rule("ddob:7.1.auto-conservazione")
def test_only_infantry_on_the_beach_flees_to_shelter():
    assert against(division(us={"1/B/741": "0613"}, tedeschi={}, azioni=0), "u:1/B/741") == {"7"}
    assert against(division(us={"A/1/16": "0814"}, tedeschi={}, azioni=0), "u:A/1/16") == {"7"}


@pytest.mark.rule("ddob:7.1", "ddob:7.2")
def test_doing_nothing_uses_up_the_turn_of_a_unit_but_no_action():
    game = division(us={"A/1/16": "0714"}, tedeschi={})
    act(game, "u:A/1/16", "b:resta")
    assert against(game, "u:A/1/16") == {"7.2"}
    assert now(game).actions == 2


@pytest.mark.rule("ddob:23.6", "ddob:casa.47")
def test_nobody_slips_from_tanks_into_another_part_of_their_field():
    given = {"1321": {"specie": "armor", "unita": "1/2/352PzJ"}}
    late = {"turno": 20, "scenario": "d-day", "divisione": "29", "azioni": 0}
    assert against(division(us={"A/1/116": "1420"}, tedeschi=given, **late), "u:A/1/116") == {"7"}
    assert "u:A/1/116" in offered(division(us={"A/1/116": "1221"}, tedeschi=given, **late))
    given["1321"]["confusione"] = "si"
    assert against(division(us={"A/1/116": "1221"}, tedeschi=given, **late), "u:A/1/116") == {"7"}
