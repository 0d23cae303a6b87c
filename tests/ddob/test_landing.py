"""Amphibious operations (5)."""

from __future__ import annotations

import pytest

from engine.ddob.rules.landing import landing_row, meets_mines
from tests.ddob.table import Table, state_of


def land(*draws, **given):
    return Table(dice=draws, fase="landing:east", **given)


@pytest.mark.rule("ddob:5.1")
@pytest.mark.parametrize(
    ("unit", "turn", "letter", "effect"),
    [
        ("1/B/741", 1, "A", ("delay 1",)),
        ("1/B/741", 1, "B", ("eliminated",)),
        ("1/B/741", 1, "D", ("lose 1", "east 2")),
        ("1/B/741", 3, "B", ("east 1",)),
        ("1/B/741", 9, "D", ("east 3",)),
        ("E/2/16", 3, "C", ("east 9",)),
        ("E/2/16", 9, "C", ("east 4",)),
        ("7FA", 9, "C", ("lose 2",)),
        ("62AFA", 9, "A", ("delay 3",)),
        ("62AFA", 16, "B", ("removed",)),
    ],
)
def test_the_landing_table_depends_on_type_and_turn(unit, turn, letter, effect):
    found = state_of(turno=turn, us={unit: "FG2"})
    row = landing_row(found, found.units[unit])
    assert getattr(row, letter) == effect


@pytest.mark.rule("ddob:5.1", "ddob:11.14")
def test_two_steps_lost_at_sea_sink_a_reduced_unit_and_no_hero_helps():
    game = land("07", turno=8, us={"111FA": "ER1 1 eroe=Pinder"})
    assert game.state.units["111FA"].at == "lost"
    game = land("07", turno=8, us={"111FA": "ER1 3"}, bonificati=["0613"])
    assert (game.state.units["111FA"].at, game.state.units["111FA"].steps) == ("0613", 1)


@pytest.mark.rule("ddob:5.1")
def test_infantry_in_the_western_boxes_uses_its_own_row():
    found = state_of(turno=2, us={"A/1/116": "DG4", "B/1/116": "DW1"})
    assert landing_row(found, found.units["A/1/116"]).A == ()
    assert landing_row(found, found.units["B/1/116"]).A == ("east 4",)


@pytest.mark.rule("ddob:5.11", "ddob:casa.06")
def test_a_unit_drifting_off_the_row_is_delayed_two_turns():
    game = land("05", turno=2, us={"F/2/16": "u2"})
    assert game.state.units["F/2/16"].due == 4
    assert "5.11" in game.cited


@pytest.mark.rule("ddob:5.11", "ddob:casa.07")
def test_at_high_tide_a_box_without_a_high_hex_delays():
    game = land("03", turno=17, scenario="d-day", us={"A•C/81C": "FG1"}, bonificati=["0608"])
    assert game.state.units["A•C/81C"].at == "track"
    game = Table(dice=["17"], fase="landing:west", turno=16, us={"AB/5R": "CH2"})
    assert game.state.units["AB/5R"].due == 18


@pytest.mark.rule("ddob:5.12")
def test_a_leader_may_follow_a_unit_that_drifts():
    game = land("14", turno=8, us={"A/1/16": "FG3", "HQ16": "FG3"})
    assert game.options == {"b:segui", "b:resta"}
    game.play("b:segui")
    assert game.state.units["HQ16"].at == game.state.units["A/1/16"].at == "0609"


@pytest.mark.rule("ddob:5.12")
def test_a_leader_may_stay_behind():
    game = land("14", turno=8, us={"A/1/16": "FG3", "HQ16": "FG3"})
    game.play("b:resta")
    assert game.state.units["HQ16"].at == "0610"
    assert game.state.units["A/1/16"].at == "0609"


@pytest.mark.rule("ddob:5.13")
def test_rangers_do_not_choose_before_turn_four():
    game = Table(dice=["02"], fase="landing:west", turno=3, us={"AB/5R": "DG1"})
    assert game.state.units["AB/5R"].at == "0227"
    assert "5.13" not in game.cited


@pytest.mark.rule("ddob:5.14")
def test_the_player_chooses_who_meets_the_mine():
    game = land("01", turno=8, us={"A/1/16": "ER2", "B/1/16": "ER3"})
    assert game.options == {"u:A/1/16", "u:B/1/16"}
    game.play("u:B/1/16")
    assert game.state.units["B/1/16"].steps == 2
    assert game.state.units["A/1/16"].steps == 3


@pytest.mark.rule("ddob:5.14")
def test_there_are_no_mines_at_low_tide():
    game = land("01", turno=5, us={"A/1/16": "ER2"})
    assert game.state.units["A/1/16"].steps == 3


@pytest.mark.rule("ddob:5.14")
def test_mines_threaten_those_who_pass_the_obstacles_at_high_tide():
    found = state_of(turno=16, us={"A/1/16": "ER2", "B/1/16": "ER1"}, bonificati=["0613"])
    assert meets_mines(found, found.units["A/1/16"])
    assert not meets_mines(found, found.units["B/1/16"])


@pytest.mark.rule("ddob:5.14.leader")
def test_a_mine_only_delays_an_hq_and_ignores_a_general():
    game = land("01", turno=8, us={"HQ16": "ER2"})
    assert game.state.units["HQ16"].due == 10
    assert "5.14.leader" in game.cited
    game = land(turno=8, us={"Wyman": "ER2"})
    assert game.state.units["Wyman"].at == "0614"


@pytest.mark.rule("ddob:5.15")
def test_infantry_is_not_checked_after_turn_14_but_may_meet_mines():
    game = land("02", turno=15, us={"A/1/16": "ER2"})
    assert "5.15" in game.cited
    assert game.state.units["A/1/16"].at == "0614"


@pytest.mark.rule("ddob:5.15")
def test_no_card_is_drawn_where_nobody_needs_a_check():
    game = land(turno=24, scenario="d-day", us={"A/1/18": "ER2"})
    assert game.state.units["A/1/18"].at == "0614"
    assert not game.state.track


@pytest.mark.rule("ddob:5.22", "ddob:casa.55")
def test_landing_beyond_the_line_changes_command():
    game = Table(dice=["05"], fase="landing:west", turno=2, us={"A/1/116": "EG1"})
    unit = game.state.units["A/1/116"]
    assert (unit.at, unit.command) == ("0516", "1")
    assert "5.22" in game.cited


@pytest.mark.rule("ddob:5.1", "ddob:casa.11")
def test_a_unit_is_checked_once_even_if_it_drifts_into_the_other_sector():
    game = land("09", turno=5, us={"B/1/16": "u4"})
    assert game.state.units["B/1/16"].at == "0419"
    assert game.state.units["B/1/16"].command == "29"


@pytest.mark.rule("ddob:5.3", "ddob:5.32", "ddob:5.33")
def test_an_arriving_unit_goes_where_its_counter_says():
    game = Table(fase="arrivals", turno=6, us={"A/1/16": "track arriva=6"})
    assert {"h:ER1", "h:ER6"} <= game.options
    assert game.why_not("h:FG1") == {"5.3"}
    assert "5.32" in game.why_not("h:u4")
    assert "5.33" in game.why_not("h:CH1")
    assert "5.34" in game.why_not("n:7")
    game.play("h:ER4")
    assert game.state.units["A/1/16"].at == "ER4"


@pytest.mark.rule("ddob:5.31")
def test_a_box_takes_two_units_but_leaders_are_free():
    us = {"A/1/16": "ER1", "B/1/16": "ER1", "C/1/16": "track arriva=6"}
    game = Table(fase="arrivals", turno=6, us=us)
    assert "5.31" in game.why_not("h:ER1")
    us = {"A/1/16": "FG1", "B/1/16": "FG1", "HQ16": "track arriva=7"}
    game = Table(fase="arrivals", turno=7, us=us)
    assert "h:FG1" in game.options


@pytest.mark.rule("ddob:5.31")
def test_a_general_may_not_be_alone_if_he_can_share_a_box():
    us = {"M/3/116": "DW1", "Cota": "track arriva=7"}
    game = Table(fase="arrivals", turno=7, us=us)
    assert "h:DW1" in game.options
    assert "5.31" in game.why_not("h:DW2")


@pytest.mark.rule("ddob:5.31", "ddob:casa.83")
def test_an_hq_is_company_enough_for_a_general():
    us = {"HQ116": "DW1", "Cota": "track arriva=5"}
    game = Table(fase="arrivals", turno=5, us=us)
    assert game.state.units["Cota"].at == "DW1", "the only box where he is not alone"
    us = {"B•D/81C": "DW2", **us}
    game = Table(fase="arrivals", turno=5, us=us)
    assert game.options == {"h:DW1", "h:DW2"}
    assert "casa.83" in game.why_not("h:DW3")


@pytest.mark.rule("ddob:5.31", "ddob:5.34")
def test_a_delayed_general_shares_a_box_of_either_sector():
    us = {"A/1/16": "FG1", "Cota": "track arriva=11 ritardata"}
    game = Table(fase="arrivals", turno=11, us=us)
    assert "h:FG1" in game.options
    assert "5.31" in game.why_not("h:DW1")
    us = {"AB/2R": "CH1", "Cota": "track arriva=11 ritardata"}
    game = Table(fase="arrivals", turno=11, us=us)
    assert "h:DW1" in game.options, "nobody but rangers is placed in CH1"
    assert game.why_not("h:CH1") == {"5.33"}


@pytest.mark.rule("ddob:5.34")
def test_delay_is_voluntary_from_turn_seven():
    game = Table(fase="arrivals", turno=7, us={"D/1/16": "track arriva=7"})
    game.play("n:9")
    unit = game.state.units["D/1/16"]
    assert (unit.at, unit.due, unit.delayed) == ("track", 9, True)


@pytest.mark.rule("ddob:5.34")
def test_a_delayed_unit_goes_anywhere_after_turn_ten():
    game = Table(fase="arrivals", turno=12, us={"D/1/16": "track arriva=12 ritardata"})
    assert {"h:FG1", "h:EG2", "h:DW3"} <= game.options
    game = Table(fase="arrivals", turno=9, us={"D/1/16": "track arriva=9 ritardata"})
    assert game.why_not("h:EG2") == {"5.3", "5.34"}


@pytest.mark.rule("ddob:5.3", "ddob:5")
def test_a_printed_box_is_filled_without_asking_before_turn_seven():
    game = Table(fase="arrivals", turno=3, us={"G/2/16": "track arriva=3"})
    assert game.state.units["G/2/16"].at == "ER2"


@pytest.mark.rule("ddob:13.1", "ddob:13.11", "ddob:5.21", "ddob:casa.55")
@pytest.mark.parametrize(
    ("unit", "before", "after"),
    [
        ("A/1/16 3", (), ("A/1/16",)),
        ("A/1/16 2", (), ("A/1/16",)),
        ("A/1/16 1", ("A/1/16",), ("A/1/16",)),
        ("1/B/741 2", (), ()),
    ],
)
def test_a_company_drowned_whole_is_one_loss(unit, before, after):
    name, steps = unit.split()
    game = Table(fase="end", turno=7, us={name: f"0513 {steps}"}, perdite={"1": before})
    assert game.state.units[name].at == "lost"
    assert game.state.losses["1"] == after


@pytest.mark.rule("ddob:5.21", "ddob:casa.10")
def test_the_tide_drowns_units_under_water_unless_they_climb():
    us = {"A/1/16": "0513", "I/3/16": "0607", "F/2/16": "0613"}
    game = Table(fase="end", turno=7, us=us)
    assert game.state.units["A/1/16"].at == "lost"
    assert game.state.units["F/2/16"].at == "0613"
    assert "A/1/16" in game.state.losses["1"]
    game = Table(fase="end", turno=16, scenario="d-day", us={"L/3/16": "0607 cliff=0707"})
    assert "casa.10" in game.cited
    assert game.state.units["L/3/16"].at == "0607"


@pytest.mark.rule("ddob:ef.area")
def test_easy_fox_has_no_beach_west_of_the_line():
    game = land("09", turno=8, scenario="easy-fox", us={"B/1/16": "ER6"}, bonificati=["0618"])
    assert game.state.units["B/1/16"].due == 10
    assert "ef.area" in game.cited


@pytest.mark.rule("ddob:5.1", "ddob:5.11")
@pytest.mark.parametrize(
    ("unit", "box", "turn", "card", "at", "steps", "due"),
    [
        ("1/B/741", "FG2", 1, "01", "track", 2, 2),  # A: delayed one turn
        ("1/B/741", "FG2", 1, "05", "lost", 0, 0),  # B: eliminated
        ("1/B/741", "FG2", 1, "03", "0509", 1, 0),  # C: a step
        ("1/B/741", "FG4", 1, "11", "0509", 1, 0),  # D: a step and two boxes east
        ("A•C/81C", "FG4", 6, "05", "track", 2, 9),  # A: delayed three turns
        ("62AFA", "FG4", 15, "02", "out", 4, 0),  # B: diverted for the day
        ("7FA", "ER1", 9, "01", "lost", 0, 0),
        ("C/1/16", "ER1", 5, "09", "0513", 3, 0),  # A: no effect
        ("C/1/16", "ER1", 5, "13", "0514", 3, 0),  # D: one box west
    ],
)
def test_what_the_letters_do(unit, box, turn, card, at, steps, due):
    game = land(card, turno=turn, scenario="d-day", us={unit: box}, bonificati=["0611", "0613"])
    found = game.state.units[unit]
    assert (found.at, found.steps, found.due) == (at, steps, due)


@pytest.mark.rule("ddob:5.14", "ddob:5.14.leader")
def test_a_mine_takes_a_unit_before_an_hq():
    game = land("01", turno=8, us={"A/1/16": "ER2", "HQ16": "ER2"})
    assert game.state.units["A/1/16"].steps == 2
    assert game.state.units["HQ16"].at == "0614"


@pytest.mark.rule("ddob:5.14", "ddob:casa.33")
@pytest.mark.parametrize(("turn", "steps"), [(6, 3), (7, 2), (22, 2), (23, 3)])
def test_mines_are_a_danger_on_turns_7_to_22(turn, steps):
    game = land("01", turno=turn, scenario="d-day", us={"A/1/16": "ER2"})
    assert game.state.units["A/1/16"].steps == steps


@pytest.mark.rule("ddob:5.3", "ddob:casa.78")
def test_without_a_free_box_a_unit_waits_a_turn():
    us = {"A/1/16": "ER2", "B/1/16": "ER2", "G/2/16": "track arriva=3"}
    game = Table(fase="arrivals", turno=3, us=us)
    assert (game.state.units["G/2/16"].due, game.state.units["G/2/16"].delayed) == (4, True)


@pytest.mark.rule("ddob:5.34")
def test_a_unit_may_be_delayed_to_any_later_turn_of_the_game():
    game = Table(fase="arrivals", turno=9, us={"D/1/16": "track arriva=9"})
    delays = {o for o in game.options if o.startswith("n:")}
    assert delays == {f"n:{turn}" for turn in range(10, 17)}


@pytest.mark.rule("ddob:5.3", "ddob:5.33")
def test_rangers_choose_among_dog_green_and_charlie():
    game = Table(fase="arrivals", turno=5, us={"AB/2R": "track arriva=5"})
    boxes = {"h:DG1", "h:DG2", "h:DG3", "h:DG4", "h:CH1", "h:CH2", "h:CH3"}
    assert game.options == boxes
    game = Table(fase="arrivals", turno=10, us={"Wyman": "track arriva=10"})
    assert {o[2:4] for o in game.options if o.startswith("h:")} == {"FG", "ER"}


@pytest.mark.rule("ddob:5.31")
def test_a_general_may_be_alone_when_nobody_else_arrives():
    game = Table(fase="arrivals", turno=7, us={"Cota": "track arriva=7"})
    assert {"h:DW1", "h:DW2", "h:DW3"} <= game.options
    us = {"A/1/16": "FG1", "Cota": "track arriva=7"}
    assert {"h:DW1", "h:DW2", "h:DW3"} <= Table(fase="arrivals", turno=7, us=us).options


@pytest.mark.rule("ddob:5.22")
def test_leaders_and_units_that_land_at_home_keep_their_command():
    us = {"A/1/116": "EG1", "HQ116": "EG1"}
    game = Table(dice=["02"], fase="landing:west", turno=5, us=us)
    assert [game.state.units[u].command for u in us] == ["29", "29"]


@pytest.mark.rule("ddob:7.1.comando", "ddob:8.16")
def test_the_action_phase_fixes_command_and_forgets_old_attacks():
    us = {"A/1/16": "0814", "HQ16": "0815", "B/1/16": "0818"}
    game = Table(fase="actions", turno=8, us=us, tedeschi={}, attaccati=["0916"])
    game.play("b:1")
    assert game.state.commanded == {"A/1/16": ("HQ16",)}
    assert game.state.attacked == ()


@pytest.mark.rule("ddob:22.1", "ddob:22.2", "ddob:5.1")
@pytest.mark.parametrize(
    ("options", "unit", "turn", "letter", "effect"),
    [
        ({"22.1": "si"}, "E/2/16", 4, "C", ("east 9",)),
        ({"22.1": "si"}, "E/2/16", 5, "A", ("east 4",)),
        ({"22.1": "si"}, "E/2/16", 6, "C", ("east 4",)),
        ({"22.2": "si"}, "E/2/16", 4, "C", ("east 4",)),
        ({"22.2": "si"}, "1/B/741", 1, "B", ("east 1",)),
        ({}, "1/B/741", 1, "B", ("eliminated",)),
    ],
)
def test_variants_move_the_landing_table(options, unit, turn, letter, effect):
    found = state_of(turno=turn, opzioni=options, us={unit: "ER6"})
    assert getattr(landing_row(found, found.units[unit]), letter) == effect


@pytest.mark.rule("ddob:22.1", "ddob:22.2")
def test_a_moved_landing_table_says_why():
    both = {"22.1": "si", "22.2": "si"}
    for turn, options, refs in (
        (1, {"22.2": "si"}, {"22.2"}),
        (4, both, {"22.1"}),
        (4, {"22.2": "si"}, set()),
        (6, both, set()),
        (1, {}, set()),
    ):
        game = land("02", turno=turn, opzioni=options, us={"1/B/741": "FG2"})
        assert game.cited & {"22.1", "22.2"} == refs, turn


@pytest.mark.rule("ddob:5.11", "ddob:casa.06")
def test_the_boxes_at_the_ends_of_the_row_can_be_reached_and_no_further():
    game = land("02", turno=5, us={"C/1/16": "u2"})  # B: one box east
    assert game.state.units["C/1/16"].at == "0505"
    game = land("02", turno=5, us={"C/1/16": "u1"})
    assert game.state.units["C/1/16"].due == 7
    game = Table(dice=["13"], fase="landing:west", turno=5, us={"C/1/16": "CH2"})  # D: one box west
    assert game.state.units["C/1/16"].at == "0233"
    game = Table(dice=["13"], fase="landing:west", turno=5, us={"C/1/16": "CH3"})
    assert game.state.units["C/1/16"].due == 7


@pytest.mark.rule("ddob:5.12")
def test_only_leaders_of_the_box_are_asked_to_follow():
    us = {"A/1/16": "ER1", "C/1/16": "ER1", "HQ16": "ER2"}
    game = land("02", turno=5, us=us)
    assert [game.state.units[u].at for u in us] == ["0513", "0512", "0514"]


@pytest.mark.rule("ddob:5.11", "ddob:5.12", "ddob:casa.07")
def test_nobody_follows_a_unit_that_the_high_tide_delays():
    us = {"1/B/741": "FG1", "HQ16": "FG1"}
    game = land("05", turno=16, us=us, bonificati=["0608"])
    assert game.state.units["1/B/741"].due == 18
    assert game.state.units["HQ16"].at == "0709"


@pytest.mark.rule("ddob:5.13")
def test_from_turn_four_rangers_that_land_as_planned_may_go_east():
    game = Table(dice=["02"], fase="landing:west", turno=4, us={"AB/5R": "DG1"})
    assert game.options == {f"n:{boxes}" for boxes in range(5)}
    game.play("n:3")
    assert game.state.units["AB/5R"].at == "0425"
    game = Table(dice=["02"], fase="landing:west", turno=4, us={"C/2R": "CH1"})
    assert game.state.units["C/2R"].at == "0231"
    game = Table(dice=["02"], fase="landing:west", turno=4, us={"M/3/116": "DG1"})
    assert game.state.units["M/3/116"].at == "0227"


@pytest.mark.rule("ddob:5.14")
@pytest.mark.parametrize(
    ("box", "turn", "meets"),
    [
        ("CH2", 8, True),
        ("CH2", 16, False),  # nobody lands there at high tide
        ("CH3", 8, False),  # no obstacles in 0334
        ("u1", 8, False),
        ("ER2", 15, True),
        ("ER2", 22, True),
        ("ER2", 23, False),
    ],
)
def test_who_meets_mines(box, turn, meets):
    found = state_of(turno=turn, scenario="d-day", us={"A/1/16": box})
    assert meets_mines(found, found.units["A/1/16"]) is meets


@pytest.mark.rule("ddob:5.14", "ddob:11.14")
def test_no_hero_takes_the_step_lost_to_a_mine():
    game = land("01", turno=8, us={"A/1/16": "ER2 1 eroe=Pinder"})
    assert game.state.units["A/1/16"].at == "lost"


@pytest.mark.rule("ddob:5.31")
def test_a_general_is_placed_after_the_units_of_his_turn():
    us = {"Cota": "track arriva=7", "M/3/116": "track arriva=7"}
    game = Table(fase="arrivals", turno=7, us=us)
    assert game.position.decision.ruling.msg.facts["unit"] == "M/3/116"
    game.play("h:DR2")
    assert "5.31" not in game.cited
    assert game.position.decision.ruling.msg.facts["unit"] == "Cota"


@pytest.mark.rule("ddob:5.31")
def test_a_box_with_one_unit_takes_another():
    us = {"A/1/16": "ER1", "C/1/16": "track arriva=6"}
    game = Table(fase="arrivals", turno=6, us=us)
    game.play("h:ER1")
    assert [game.state.units[u].at for u in us] == ["ER1", "ER1"]


@pytest.mark.rule("ddob:5.34", "ddob:ef.area")
def test_a_delayed_unit_is_free_from_turn_eleven_but_never_beyond_the_map_in_play():
    us = {"D/1/16": "track arriva=10 ritardata"}
    game = Table(fase="arrivals", turno=10, us=us)
    assert game.why_not("h:FG1") == {"5.3", "5.34"}
    us = {"D/1/16": "track arriva=11 ritardata"}
    game = Table(fase="arrivals", turno=11, us=us)
    assert "h:EG2" in game.options
    game.play("h:FG1")
    assert "5.34" in game.cited
    game = Table(fase="arrivals", turno=11, scenario="easy-fox", us=us)
    assert game.why_not("h:EG2") == {"ef.area"}
    game = Table(fase="arrivals", turno=11, us={"D/1/16": "track arriva=11"})
    game.play("h:ER1")
    assert "5.34" not in game.cited


@pytest.mark.rule("ddob:5.34")
def test_on_the_last_turn_a_unit_may_still_stay_at_sea():
    game = Table(fase="arrivals", turno=16, us={"D/1/16": "track arriva=16"})
    assert {o for o in game.options if o.startswith("n:")} == {"n:17"}
