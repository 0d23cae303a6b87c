"""Control, communication (12) and victory (13, 20)."""

from __future__ import annotations

import pytest

from engine.ddob.rules import victory
from engine.ddob.rules.communication import is_linked, us_reach
from engine.ddob.state.state import index
from tests.ddob.table import Table, state_of


@pytest.mark.rule("ddob:12.1", "ddob:casa.29")
def test_strong_infantry_and_armor_control_adjacent_hexes():
    us = {"A/1/16": "1115", "B/1/16": "1206 1", "62AFA": "1404", "HQ16": "1505", "Wyman": "1608"}
    found = index(state_of(us=us, tedeschi={}))
    assert "1015" in found.controlled
    assert "1305" in found.controlled
    assert "1206" in found.controlled
    assert "1207" not in found.controlled
    assert "1506" not in found.controlled
    assert "1608" not in found.occupied


@pytest.mark.rule("ddob:12.11")
def test_low_ground_does_not_control_high_ground():
    found = index(state_of(us={"A/1/16": "0814"}, tedeschi={}))
    assert "0815" in found.controlled
    assert "0914" not in found.controlled
    found = index(state_of(us={"A/1/16": "0914"}, tedeschi={}))
    assert "0814" in found.controlled


@pytest.mark.rule("ddob:12.2")
def test_communication_is_cut_by_control():
    found = state_of(us={}, tedeschi={"0916": "wn"})
    assert is_linked(found, "0916")
    us = {"A/1/16": "1015", "B/1/16": "1017", "C/1/16": "0914"}
    found = state_of(us=us, tedeschi={"0916": "wn"})
    assert not is_linked(found, "0916")


@pytest.mark.rule("ddob:12.21", "ddob:12.22")
def test_a_german_unit_cancels_control_of_its_hex_and_an_empty_one_ignores_it():
    found = state_of(us={"A/1/16": "1009"}, tedeschi={})
    assert "1008" in index(found).controlled
    assert is_linked(found, "1008")
    found = state_of(us={"A/1/16": "1008"}, tedeschi={})
    assert not is_linked(found, "1008")


@pytest.mark.rule("ddob:12.23")
def test_the_bocage_helps_occupied_reinforcements_only():
    us = {"A/1/16": "1116", "B/1/16": "1315"}
    assert is_linked(state_of(us=us, tedeschi={"1215": "T"}), "1215")
    assert not is_linked(state_of(us=us, tedeschi={}), "1215")
    us["C/1/16"] = "1416"
    us["E/2/16"] = "1014"
    us["F/2/16"] = "1114"
    assert not is_linked(state_of(us=us, tedeschi={"1215": "T"}), "1215")


@pytest.mark.rule("ddob:12.24")
def test_communication_is_fixed_when_the_fire_phase_begins():
    game = Table(fase="fire", turno=8, us={}, tedeschi={"0916": "wn"})
    assert "0916" in game.state.linked
    assert "12.24" in game.cited


@pytest.mark.rule("ddob:12.3", "ddob:12.31")
def test_us_communication_avoids_fields_of_fire_and_bluffs():
    found = state_of(us={}, tedeschi={})
    reach = us_reach(found)
    assert {"0714", "0814", "0914", "1014"} <= reach
    found = state_of(us={}, tedeschi={"0916": {"specie": "wn", "confusione": "si"}})
    assert "0814" not in us_reach(found)


@pytest.mark.rule("ddob:13.22")
def test_a_hex_under_fire_or_cut_off_does_not_count():
    found = state_of(us={"A/1/16": "0809"}, tedeschi={})
    assert victory.is_held(victory.holding(found), "0809")
    found = state_of(us={"A/1/16": "0809"}, tedeschi={"0807": "wn75"})
    refs = {
        r for ruling in victory.why_not_held(victory.holding(found), "0809") for r in ruling.refs
    }
    assert "ddob:12.31" in refs


@pytest.mark.rule("ddob:13.2", "ddob:13")
def test_double_wns_count_two_only_when_both_hexes_are_held():
    lines = victory.count_first(state_of(us={"A/1/16": "0812"}, tedeschi={"0912": "wn75"}))
    assert not [line for line in lines if line.what == "WN62"]
    lines = victory.count_first(state_of(us={"A/1/16": "0912"}, tedeschi={}))
    assert [line.points for line in lines if line.what == "WN62"] == [2]


@pytest.mark.rule("ddob:13.21")
def test_a_draw_is_worth_five_when_every_hex_is_held():
    us = {"A/1/116": "0630", "B/1/116": "0731", "C/1/116": "0830"}
    lines = victory.count_first(state_of(us=us, tedeschi={}))
    assert [line.points for line in lines if line.what == "D-1"] == [5]
    lines = victory.count_first(state_of(us={}, tedeschi={"0830": "T"}))
    assert not [line for line in lines if line.what == "D-1"]


@pytest.mark.rule("ddob:13.2", "ddob:ef.vittoria")
@pytest.mark.parametrize(
    ("scenario", "points", "degree"),
    [
        ("first wave", 19, "US victory"),
        ("first wave", 18, "US defeat"),
        ("easy fox", 9, "US victory"),
        ("easy fox", 8, "US defeat"),
        ("first check", 25, "decisive victory"),
        ("first check", 11, "play on"),
        ("first check", 10, "decisive defeat"),
        ("second check", 60, "decisive victory"),
        ("second check", 40, "tactical victory"),
        ("second check", 39, "tactical defeat"),
        ("second check", 19, "decisive defeat"),
        ("beyond the beach", 45, "tactical victory"),
        ("beyond the beach", 24, "decisive defeat"),
    ],
)
def test_degrees_of_victory(scenario, points, degree):
    from engine.ddob.state.tables import victory_degree

    assert victory_degree(scenario, points) == degree


@pytest.mark.rule("ddob:13.2", "ddob:20.2", "ddob:20")
def test_the_check_of_turn_16_ends_or_goes_on():
    game = Table(fase="end", turno=16, us={}, tedeschi={})
    assert game.position.outcome is not None
    assert game.position.outcome.degree == "US defeat"
    assert "13.2" in game.cited
    game = Table(fase="end", turno=16, us={}, tedeschi={"0916": "wn"}, scenario="d-day")
    assert "20.2" in game.cited


@pytest.mark.rule("ddob:20.3", "ddob:20.3.uscita", "ddob:casa.35")
def test_the_last_count_adds_and_takes():
    us = {"62AFA": "1012", "A/1/16": "0714"}
    found = state_of(scenario="d-day", turno=32, us=us, tedeschi={"0916": "wn"})
    lines = {line.what: line.points for line in victory.count_second(found)}
    assert lines["62AFA"] == 1
    assert lines["WN64"] == -1
    assert lines["Kampfgruppe Meyer"] == -8
    assert "E-1" not in lines


@pytest.mark.rule("ddob:21.2")
def test_beyond_the_beach_has_its_own_degrees():
    game = Table(fase="end", turno=32, scenario="beyond-the-beach", us={}, tedeschi={})
    assert game.position.outcome is not None
    assert "21.2" in game.cited


@pytest.mark.rule("ddob:4.vi", "ddob:15.vii", "ddob:casa.48")
def test_the_deck_is_shuffled_on_the_turns_of_the_track():
    given = {"us": {}, "tedeschi": {}, "mazzo": ["01", "02"], "carte": {"fire east": "03"}}
    game = Table(fase="end", turno=6, **given)
    assert game.state.deck.total == 54
    game = Table(fase="end", turno=5, **given)
    assert game.state.deck.total == 2
    game = Table(dice=["03"], fase="event", turno=5, us={}, tedeschi={}, mazzo=["03"])
    game = Table(dice=["03", "04"], fase="event", turno=5, us={}, tedeschi={}, mazzo=["03"])
    assert "casa.48" in game.cited


@pytest.mark.rule("ddob:13.2", "ddob:20.3")
def test_the_score_of_the_moment_follows_the_next_check():
    found = state_of(us={"A/1/16": "0809"}, tedeschi={})
    assert victory.score(found) == sum(line.points for line in victory.count_first(found))
    late = state_of(scenario="d-day", turno=20, us={"A/1/16": "0809"}, tedeschi={})
    assert victory.score(late) == sum(line.points for line in victory.count_second(late))


@pytest.mark.rule("ddob:12.3", "ddob:tec.duna", "ddob:tec.scogliera-scalabile")
def test_us_communication_climbs_neither_bluffs_nor_cliffs():
    reach = us_reach(state_of(us={}, tedeschi={"1119": "T"}))
    assert "0820" in reach
    assert not {"0921", "0922"} & reach
    reach = us_reach(state_of(us={}, tedeschi={"0809": "wn88"}))
    assert "0606" in reach
    assert "0707" not in reach


@pytest.mark.rule("ddob:12.3", "ddob:ef.area")
def test_no_us_path_leads_through_rough_ground_germans_or_the_other_half():
    reach = us_reach(state_of(us={}, tedeschi={}))
    assert "0703" in reach
    assert not {"0704", "0705", "0706"} & reach
    assert "0809" in reach
    assert "0809" not in us_reach(state_of(us={}, tedeschi={"0809": "wn88"}))
    assert "0626" in reach
    assert "0626" not in us_reach(state_of(scenario="easy-fox", us={}, tedeschi={}))


@pytest.mark.rule("ddob:12.2")
def test_a_path_must_end_in_an_exit_that_is_not_occupied():
    exits = ["1001", "1902", "2015", "2022", "2025", "1435", "0635"]
    units = ["AT/16", "A/1/16", "B/1/16", "C/1/16", "E/2/16", "F/2/16", "G/2/16"]
    us = {unit: f"{label} 1" for unit, label in zip(units, exits, strict=True)}
    assert not is_linked(state_of(us=us, tedeschi={"1008": "T"}), "1008")
    assert is_linked(state_of(us=us, tedeschi={"1001": "T"}), "1001")
    del us["C/1/16"]
    assert is_linked(state_of(us=us, tedeschi={"1008": "T"}), "1008")


@pytest.mark.rule("ddob:12.2", "ddob:casa.54")
def test_easy_fox_has_three_exits():
    us = {"A/1/16": "1001 1", "B/1/16": "1902 1", "C/1/16": "2015 1"}
    assert is_linked(state_of(us=us, tedeschi={"1008": "T"}), "1008")
    assert not is_linked(state_of(us=us, tedeschi={"1008": "T"}, scenario="easy-fox"), "1008")


@pytest.mark.rule("ddob:12.2", "ddob:casa.30")
def test_paths_run_up_the_draws_but_not_along_the_pavilion():
    us = {"A/1/16": "0909 1", "B/1/16": "0910 1"}
    assert not is_linked(state_of(us=us, tedeschi={"0809": "wn88"}), "0809")
    assert is_linked(state_of(us={"A/1/16": "0909 1"}, tedeschi={"0809": "wn88"}), "0809")


@pytest.mark.rule("ddob:12.23")
def test_bocage_gives_no_way_out_to_wns_or_through_occupied_hexes():
    us = {"A/1/16": "1116", "B/1/16": "1315"}
    assert is_linked(state_of(us=us, tedeschi={"1215": "T"}), "1215")
    assert not is_linked(state_of(us=us, tedeschi={"1215": "wn"}), "1215")
    us = {**us, "C/1/16": "1316 1", "E/2/16": "1214 1", "F/2/16": "1115 1"}
    assert not is_linked(state_of(us=us, tedeschi={"1215": "T"}), "1215")


@pytest.mark.rule("ddob:12.21")
def test_paths_of_others_lead_through_a_german_unit_under_us_control():
    us = {"A/1/16": "0135", "B/1/16": "0533", "C/1/16": "0735", "E/2/16": "0433"}
    assert not is_linked(state_of(us=us, tedeschi={}), "0434")
    assert is_linked(state_of(us=us, tedeschi={"0635": "T"}), "0434")


@pytest.mark.rule("ddob:12.23", "ddob:2.1.uscite")
def test_the_bocage_hex_of_the_path_may_be_an_exit_but_tanks_do_not_use_it():
    us = {"A/1/16": "1915", "B/1/16": "1917 1", "C/1/16": "1815 1", "E/2/16": "1816 1"}
    us["F/2/16"] = "2016 1"
    assert is_linked(state_of(us=us, tedeschi={"1916": "T"}), "1916")
    tanks = {"1916": {"specie": "armor", "unita": "1/2/352PzJ"}}
    assert not is_linked(state_of(us=us, tedeschi=tanks), "1916")
    us["G/2/16"] = "2015 1"
    assert not is_linked(state_of(us=us, tedeschi={"1916": "T"}), "1916")


@pytest.mark.rule("ddob:12.21", "ddob:12.1")
@pytest.mark.parametrize(
    ("steps", "south", "linked"), [(3, False, False), (3, True, True), (1, False, True)]
)
def test_a_german_unit_opens_its_own_hex_to_the_paths_of_others(steps, south, linked):
    germans = {"0812": "wn", "0912": "wn75"} if south else {"0812": "wn"}
    found = state_of(us={"A/1/16": f"1012 {steps}"}, tedeschi=germans)
    assert is_linked(found, "0812") is linked
