"""The victory checks of turns 16 and 32, line by line (13.2, 20.1, 20.2, 20.3, 21.2)."""

from __future__ import annotations

import msgspec
import pytest

from engine.ddob.rules import victory
from engine.ddob.state.events import Ended
from engine.ddob.state.ground import LAND, distance
from engine.ddob.state.tables import DRAWS, UNITS, victory_degree
from tests.ddob.table import Table, state_of

LATE = {"scenario": "d-day", "turno": 32}
ABOVE_WN61 = {"A/1/16": "1009"}
"""Three steps on the heights behind WN61: they cut it off without touching it."""


def first(**given):
    return {line.what: line.points for line in victory.count_first(state_of(**given))}


def second(**given):
    return {line.what: line.points for line in victory.count_second(state_of(**LATE, **given))}


def exits(*left, tedeschi=None):
    """The points of units that left the map: name, steps, exit."""
    found = state_of(us={}, tedeschi=tedeschi or {}, **LATE)
    found = msgspec.structs.replace(found, exited=left)
    return [
        line.points for line in victory.count_second(found) if line.what in {n for n, _, _ in left}
    ]


def refs(label, **given):
    holding = victory.holding(state_of(**given))
    return {ref for ruling in victory.why_not_held(holding, label) for ref in ruling.refs}


@pytest.mark.rule("ddob:13.22", "ddob:12.3")
def test_control_without_a_path_to_the_beach_is_worth_nothing():
    assert refs("2003", us={"A/1/16": "2003"}) == {"ddob:13.22", "ddob:12.3"}
    assert refs("2003", us={"A/1/16": "2003"}, tedeschi={}) == set()


@pytest.mark.rule("ddob:13.22", "ddob:12.31")
def test_even_a_disrupted_unit_denies_the_hexes_of_its_field():
    silent = {"0807": {"specie": "wn75", "confusione": "si"}}
    assert refs("0809", us={"A/1/16": "0809"}, tedeschi=silent) >= {"ddob:12.31"}
    assert refs("0809", us={"A/1/16": "0809"}, tedeschi={}) == set()


@pytest.mark.rule("ddob:13.22")
def test_a_position_behind_the_lines_counts_though_nobody_stands_there():
    assert refs("0809", us=ABOVE_WN61, tedeschi={}) == set()
    assert refs("0809", us={"A/1/16": "1009 1"}, tedeschi={}) == {"ddob:13.22"}
    assert refs("0809", us={}, tedeschi={}) == {"ddob:13.22"}


@pytest.mark.rule("ddob:13.22")
def test_plain_hexes_behind_the_lines_count_as_well():
    us = {"A/1/16": "1009", "B/1/16": "1111", "C/1/16": "1212"}
    assert refs("1011", us=us, tedeschi={}) == set()
    assert refs("1317", us=us, tedeschi={}) == {"ddob:13.22"}


@pytest.mark.rule("ddob:13.2")
def test_positions_without_the_vp_mark_count_on_turn_16_only():
    us = {"A/1/16": "1008", "B/1/16": "1310"}
    assert first(us=us, tedeschi={}) == {"A1": 1, "A4": 1, "A6": 1}
    late = second(us=us, tedeschi={})
    assert {k: n for k, n in late.items() if n > 0} == {"A4": 1, "A6": 1}


@pytest.mark.rule("ddob:13.2")
def test_one_hex_wns_and_reinforcement_positions_are_worth_one():
    assert first(us=ABOVE_WN61, tedeschi={}) == {"WN61": 1, "A1": 1, "A2": 1}
    assert first(us={}, tedeschi={}) == {}


@pytest.mark.rule("ddob:13.21", "ddob:ef.area")
def test_a_draw_outside_the_scenario_is_worth_nothing():
    us = {"A/1/16": "0630", "B/1/16": "0731", "C/1/16": "0830"}
    assert first(us=us, tedeschi={})["D-1"] == 5
    assert "D-1" not in first(us=us, tedeschi={}, scenario="easy-fox")
    assert "G3" not in first(us=us, tedeschi={}, scenario="easy-fox")


@pytest.mark.rule("ddob:20.3")
def test_every_wn_hex_out_of_control_costs_a_point():
    found = second(us={}, tedeschi={})
    lost = [n for k, n in found.items() if k.startswith("WN")]
    assert sum(lost) == -18
    assert found["WN62"] == -2
    found = second(us={"A/1/16": "0812 1"}, tedeschi={})
    assert found["WN62"] == -1
    assert "WN62" not in second(us={"A/1/16": "0812 1", "B/1/16": "0912 1"}, tedeschi={})


@pytest.mark.rule("ddob:20.3")
def test_vehicles_and_guns_on_the_heights_count_but_not_infantry_or_leaders():
    us = {
        "62AFA": "1012", "AT/16": "1012", "1/B/741": "1113", "7FA": "0814", "A/1/16": "1114",
        "HQ16": "1114", "Wyman": "1114",
    }  # fmt: skip
    found = second(us=us, tedeschi={})
    assert {k: n for k, n in found.items() if k in us} == {"62AFA": 1, "AT/16": 1, "1/B/741": 1}


@pytest.mark.rule("ddob:20.3")
def test_the_units_of_meyer_still_waiting_cost_a_point_each():
    assert second(us={}, tedeschi={})["Kampfgruppe Meyer"] == -8
    assert second(us={}, tedeschi={}, riquadri={"M": 4})["Kampfgruppe Meyer"] == -4
    assert "Kampfgruppe Meyer" not in second(us={}, tedeschi={}, riquadri={"M": 0})


@pytest.mark.rule("ddob:20.3.uscita", "ddob:20.3")
def test_infantry_and_armor_count_their_steps_if_the_exit_is_in_us_communication():
    assert exits(("A/1/16", 3, "B")) == [3]
    assert exits(("62AFA", 4, "B")) == [1, 4]
    assert exits(("1/B/741", 2, "B")) == [1, 2]
    assert exits(("AT/16", 1, "B")) == []
    held = {"1703": "T"}
    assert exits(("A/1/16", 3, "B"), tedeschi=held) == []
    assert exits(("1/B/741", 2, "B"), tedeschi=held) == [1]


@pytest.mark.rule("ddob:20.3.uscita", "ddob:20.3")
@pytest.mark.parametrize(("exit", "points"), [("F", [2]), ("G", [2]), ("A", []), ("E", [])])
def test_rangers_count_by_exits_f_and_g_with_or_without_a_path(exit, points):
    assert exits(("AB/5R", 2, exit)) == points
    held = {"1435": "T", "0635": "T"}
    assert exits(("AB/5R", 2, exit), tedeschi=held) == points


@pytest.mark.rule("ddob:20.3", "ddob:casa.35")
def test_a_draw_is_worth_four_once_engineers_have_cleared_it():
    us = {"A/1/116": "0630", "B/1/116": "0731", "C/1/116": "0830"}
    found = state_of(us=us, tedeschi={}, **LATE)
    assert "D-1" not in {line.what for line in victory.count_second(found)}
    opened = msgspec.structs.replace(found, opened=DRAWS["D-1"])
    assert {line.what: line.points for line in victory.count_second(opened)}["D-1"] == 4
    half = msgspec.structs.replace(found, opened=DRAWS["D-1"][:1])
    assert "D-1" not in {line.what for line in victory.count_second(half)}
    lost = msgspec.structs.replace(
        state_of(us={}, tedeschi={"0830": "T"}, **LATE), opened=DRAWS["D-1"]
    )
    assert "D-1" not in {line.what for line in victory.count_second(lost)}


@pytest.mark.rule("ddob:19.31", "ddob:casa.35")
@pytest.mark.parametrize(("reach", "expected"), [(5, True), (4, False)])
def test_the_range_of_a_base_opens_the_sides_of_its_hexes(reach, expected):
    hexes = tuple(h for h in LAND if distance("0709", h) <= reach)
    found = msgspec.structs.replace(state_of(us={}, tedeschi={}, **LATE), opened=hexes)
    assert "1311" not in hexes
    assert victory.is_open(found, DRAWS["E-3"]) is expected


@pytest.mark.rule("ddob:19.3.guarnigione", "ddob:13.22")
def test_a_garrison_holds_its_position_for_the_count():
    assert "WN61" in second(us={}, tedeschi={})
    assert "WN61" not in second(us={}, tedeschi={}, guarnigioni=["0809"])


@pytest.mark.rule("ddob:19.3.guarnigione", "ddob:casa.90", "ddob:20.3")
def test_a_garrison_holds_its_position_under_fire_and_without_a_path():
    wn = {"us": {"A/1/16": "0911"}, "tedeschi": {"0812": "wn"}}
    assert second(**wn)["WN61"] == -1
    assert "WN61" not in second(guarnigioni=["0809"], **wn)
    fired_at = {"us": {"A/1/116": "0929"}, "tedeschi": {"0830": "T"}}
    assert "0732" not in second(**fired_at)
    game = Table(fase="end", guarnigioni=["0732"], **LATE, **fired_at)
    assert second(guarnigioni=["0732"], **fired_at)["0732"] == 1
    assert {"19.3.guarnigione", "casa.90"} <= game.cited


@pytest.mark.rule("ddob:20.3", "ddob:casa.35")
def test_what_engineers_reach_on_the_last_turn_counts_as_cleared():
    found = state_of(us={}, tedeschi={}, basi={"20•121": "0430 5"}, **LATE)
    assert victory.is_open(found, DRAWS["D-1"])
    watched = state_of(us={}, tedeschi={"0830": "T"}, basi={"20•121": "0430 5"}, **LATE)
    assert not victory.is_open(watched, DRAWS["D-1"])


@pytest.mark.rule("ddob:20.3", "ddob:21.2", "ddob:20.2")
@pytest.mark.parametrize(
    ("check", "levels"),
    [
        ("second check", (20, 30, 40, 50, 60)),
        ("beyond the beach", (25, 35, 45, 55, 65)),
    ],
)
def test_every_level_of_the_last_check_begins_where_the_book_says(check, levels):
    names = (
        "decisive defeat", "operational defeat", "tactical defeat", "tactical victory",
        "operational victory", "decisive victory",
    )  # fmt: skip
    for least, below, above in zip(levels, names, names[1:], strict=False):
        assert victory_degree(check, least - 1) == below
        assert victory_degree(check, least) == above
    assert [victory_degree("first check", n) for n in (10, 11, 24, 25)] == [
        "decisive defeat", "play on", "play on", "decisive victory",
    ]  # fmt: skip


def end(**given):
    game = Table(fase="end", **given)
    return game, [s.event for s in game.steps if isinstance(s.event, Ended)]


@pytest.mark.rule("ddob:20.2")
def test_ten_points_or_fewer_on_turn_16_end_the_long_game():
    _game, ended = end(turno=16, scenario="d-day", us=ABOVE_WN61, tedeschi={})
    assert [(e.points, e.degree, e.why) for e in ended] == [(3, "decisive defeat", "20.2")]


@pytest.mark.rule("ddob:20.2", "ddob:14")
def test_eleven_points_on_turn_16_lead_into_the_extended_game():
    us = {
        "A/1/16": "1009", "B/1/16": "1014", "C/1/16": "1217", "E/2/16": "1310", "F/2/16": "1511",
        "A/1/116": "1020", "B/1/116": "1024", "C/1/116": "0830", "E/2/116": "1125",
    }  # fmt: skip
    assert 11 <= sum(first(us=us, tedeschi={}, scenario="d-day").values()) <= 24
    game, ended = end(turno=16, scenario="d-day", us=us, tedeschi={})
    assert ended == []
    assert game.state.turn == 17


@pytest.mark.rule("ddob:13.2", "ddob:20.3", "ddob:21.2", "ddob:ef.vittoria")
@pytest.mark.parametrize(
    ("scenario", "turn", "why"),
    [
        ("first-wave", 16, "13.2"),
        ("easy-fox", 16, "ef.vittoria"),
        ("d-day", 32, "20.3"),
        ("beyond-the-beach", 32, "21.2"),
    ],
)
def test_every_scenario_ends_with_its_own_count(scenario, turn, why):
    given = {"us": ABOVE_WN61, "tedeschi": {}, "scenario": scenario, "turno": turn}
    _game, ended = end(**given)
    found = state_of(**given)
    count = victory.count_first if turn == 16 else victory.count_second
    assert [(e.points, e.why) for e in ended] == [(sum(x.points for x in count(found)), why)]


@pytest.mark.rule("ddob:22", "ddob:casa.77")
def test_variants_count_at_the_end_and_not_at_the_check_of_turn_16():
    given = {"us": ABOVE_WN61, "tedeschi": {}, "opzioni": {"22.3": "si"}, "turno": 16}
    assert [e.points for e in end(scenario="first-wave", **given)[1]] == [8]
    assert [e.points for e in end(scenario="d-day", **given)[1]] == [3]
    assert victory.score(state_of(scenario="first-wave", **given)) == 8
    assert victory.score(state_of(scenario="d-day", **given)) == 3
    late = {**given, "turno": 20, "scenario": "d-day"}
    assert (
        victory.score(state_of(**late))
        == sum(line.points for line in victory.count_second(state_of(**late))) + 5
    )


LOST = [u for u, data in UNITS.items() if data.type == "infantry" and data.division == "1"][1:]


@pytest.mark.rule("ddob:13.1", "ddob:20.1")
@pytest.mark.parametrize(
    ("turn", "before", "over"),
    [(8, 6, ""), (8, 7, "decisive defeat"), (18, 12, ""), (18, 13, "decisive defeat")],
)
def test_the_eighth_loss_ends_the_game_and_from_turn_17_the_fourteenth(turn, before, over):
    game = Table(
        dice=["03"], fase="fire:east", turno=turn, scenario="d-day", us={"A/1/16": "0615 2"},
        tedeschi={"0916": "wn"}, perdite={"1": LOST[:before]}, riquadri={"T": 0, "D": 0},
    )  # fmt: skip
    assert game.state.units["A/1/16"].steps == 1
    assert game.state.degree == over
