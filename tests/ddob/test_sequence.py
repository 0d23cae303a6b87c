"""The sequence of play (4, 15) and what runs through it."""

from __future__ import annotations

import pytest

from engine.ddob.rules.german_actions import action_of
from engine.ddob.state.events import PhaseBegan
from engine.ddob.state.tables import CARDS, POSITIONS, Square
from tests.ddob.table import Table, state_of


def phases(game):
    return [s.event.phase for s in game.steps if isinstance(s.event, PhaseBegan)]


@pytest.mark.rule("ddob:4", "ddob:4.i", "ddob:4.iii", "ddob:4.iv", "ddob:4.vi")
def test_a_basic_turn_has_six_phases():
    game = Table(dice=["10", "04", "06"], fase="landing:east", turno=8, us={}, tedeschi={})
    game.play("b:basta", "b:basta", "b:29", "b:fine", "b:fine")
    assert phases(game) == [
        "event", "fire", "fire:east", "guns:east", "fire:west", "guns:west",
        "engineers", "actions", "division", "stacking", "end", "event",
    ]  # fmt: skip
    assert game.state.turn == 9
    assert {"4.iii", "4.iv", "4.vi"} <= game.cited


@pytest.mark.rule("ddob:4.i", "ddob:5", "ddob:5.15")
def test_only_parts_of_a_landing_with_somebody_are_gone_through():
    def landing(**us):
        game = Table(dice=["02", "05"], fase="end", turno=4, us=us, tedeschi={})
        found = phases(game)
        return found[: found.index("event")], "5" in game.cited

    east, west = {"A/1/16": "ER1"}, {"A/1/116": "DG1"}
    assert landing() == ([], False)
    assert landing(**east) == (["landing:east", "landing"], False)
    assert landing(**west) == (["landing:west", "landing"], False)
    due = {"1/A/741": "track arriva=5"}
    everything = ["landing:east", "landing:west", "landing", "arrivals"]
    assert landing(**east, **west, **due) == (everything, True)


@pytest.mark.rule("ddob:4.iii", "ddob:6.4", "ddob:6.5")
@pytest.mark.parametrize(("card", "germans", "is_played"), [
    ("05", {}, False),
    ("04", {}, True),
    ("03", {"0916": {"specie": "wn", "confusione": "si"}}, True),
    ("05", {"0916": {"specie": "wn", "confusione": "si"}}, False),
    ("03", {"0533": {"specie": "wn75", "confusione": "si"}}, False),
])  # fmt: skip
def test_guns_and_recovery_are_gone_through_when_the_card_calls_for_them(card, germans, is_played):
    game = Table(dice=[card], fase="fire:east", turno=8, us={}, tedeschi=germans)
    assert ("guns:east" in phases(game)) is is_played
    game = Table(
        dice=["05", "03"], fase="fire:east", turno=18, scenario="d-day", us={}, tedeschi={}
    )
    assert phases(game)[-1] == "event 2"


@pytest.mark.rule("ddob:4.i", "ddob:5.1")
def test_the_east_is_checked_before_the_west():
    us = {"A/1/16": "ER1", "A/1/116": "DG1"}
    game = Table(dice=["02", "05"], fase="landing:east", turno=5, us=us, tedeschi={})
    assert game.state.cards["landing east"] == "02"
    assert game.state.cards["landing west"] == "05"
    assert "4.i" in game.cited


@pytest.mark.rule("ddob:15", "ddob:15.i", "ddob:15.ii", "ddob:15.iii", "ddob:15.iv", "ddob:15.v")
def test_an_extended_turn_has_two_events_and_an_engineer_phase():
    game = Table(
        dice=["10", "04", "06", "14"], fase="landing:east", turno=24, scenario="d-day", us={},
        tedeschi={}, riquadri={"T": 0, "D": 0},
    )  # fmt: skip
    game.play("b:basta", "b:basta", "b:1", "b:fine", "b:fine")
    assert phases(game)[:11] == [
        "event", "fire", "fire:east", "act:east", "guns:east",
        "fire:west", "act:west", "guns:west", "event 2", "engineers", "actions",
    ]  # fmt: skip
    assert {"15.iii", "15.iv", "15.v"} <= game.cited


@pytest.mark.rule("ddob:15.i")
def test_who_arrives_in_an_extended_turn_lands_in_the_next():
    us = {"1/B/741": "track arriva=18 ritardata"}
    game = Table(fase="arrivals", turno=18, scenario="d-day", us=us, tedeschi={})
    assert "15.i" in game.play("h:FG2").cited


@pytest.mark.rule("ddob:15.vi", "ddob:17")
def test_a_division_has_three_actions_from_turn_17():
    game = Table(fase="actions", turno=18, scenario="d-day", us={}, tedeschi={})
    game.play("b:1")
    assert game.state.actions == 3
    assert {"15.vi", "17"} <= game.cited


@pytest.mark.rule("ddob:8", "ddob:8.14", "ddob:8.21")
def test_a_failed_attack_spares_the_leaders_and_reduced_units_bring_little():
    us = {"A/1/16": "0915 1", "HQ16": "0915"}
    given = {"0916": {"specie": "wn", "unita": "2 BZ BR"}}
    game = Table(fase="division", turno=8, divisione="1", us=us, tedeschi=given)
    game.play("u:A/1/16", "b:attacca", "b:via")
    assert game.state.units["A/1/16"].disrupted
    assert not game.state.units["HQ16"].disrupted
    assert {"8", "8.14", "8.21"} <= game.cited


@pytest.mark.rule("ddob:16.33")
def test_of_two_units_for_one_position_the_higher_number_goes():
    german = {"specie": "T", "rivelata": "si"}
    given = {
        "1808": {**german, "unita": "8/2/916"},
        "1403": {**german, "unita": "6/2/916"},
    }
    game = Table(
        dice=["05"], fase="fire:east", turno=18, scenario="d-day", us={"A/1/16": "1009"},
        tedeschi=given, riquadri={"T": 0, "D": 0},
    )  # fmt: skip
    assert game.state.germans["1008"].unit == "8/2/916"
    assert "1403" in game.state.germans
    assert "16.33" in game.cited


@pytest.mark.rule(
    "ddob:tab.azioni", "ddob:tab.azioni.f", "ddob:tab.azioni.carri", "ddob:tab.azioni.stella"
)
@pytest.mark.parametrize(
    ("letter", "found"),
    [
        ("F", ["fire", "-", "-", "fire", "-", "-"]),
        ("tank", ["fire", "-", "-", "fire", "-", "-"]),
        ("star", ["fire", "-", "-", "fire", "-", "-"]),
        ("R", ["fire", "-", "reoccupy", "resupply", "redeploy", "reinforce"]),
        ("M", ["fire", "mortar", "-", "fire", "mortar", "-"]),
        ("P", ["fire", "-", "-", "patrol", "patrol", "-"]),
        ("A", ["fire", "artillery", "-", "advance", "advance", "ambush"]),
    ],
)
@pytest.mark.rule(
    "ddob:tab.azioni.r", "ddob:tab.azioni.m", "ddob:tab.azioni.p", "ddob:tab.azioni.a"
)
def test_the_summary_crosses_letter_and_situation(letter, found):
    square = Square("red", 1, letter)
    us = {"A/1/16": "0714", "B/1/16": "1009"}
    actions = []
    for name, germans in (("WN64", {"0916": "wn"}), ("A1", {"1008": "T"})):
        position = POSITIONS[name]
        actions += [
            action_of(state_of(us=us, tedeschi=germans), position, square),
            action_of(state_of(us={}, tedeschi=germans), position, square),
            action_of(state_of(us=us, tedeschi={}), position, square),
        ]
    assert actions == found


@pytest.mark.rule("ddob:tec")
def test_the_terrain_chart_has_three_columns():
    from engine.ddob.state.tables import TERRAIN

    assert TERRAIN["shingle"].others == "no"
    assert TERRAIN["bluff"].infantry == "climb"
    assert TERRAIN["scaleable cliff"].leaders == "no"
    assert (TERRAIN["woods"].unit, TERRAIN["woods"].depth) == (2, 1)
    assert (TERRAIN["bocage"].unit, TERRAIN["bocage"].depth) == (2, 2)


@pytest.mark.rule("ddob:7.2")
def test_the_other_division_waits_for_its_turn():
    us = {"A/1/16": "0714", "A/1/116": "0527"}
    game = Table(fase="division", turno=8, divisione="1", us=us, tedeschi={})
    assert "u:A/1/116" not in game.options


@pytest.mark.rule("ddob:2.3")
def test_a_card_shows_events_by_band():
    assert CARDS["05"].event(2) == (("rockets",),)
    assert CARDS["05"].event(11) == (("recovery",),)
    assert CARDS["05"].event(21) == (("step", "29"),)
