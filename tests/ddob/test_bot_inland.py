"""The player of the Americans from turn 17 on: landing, command, engineers, exits."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from engine.core.decisions import Decision, Refusals, button, place
from engine.ddob.bot.fire import MINDS
from engine.ddob.bot.inland import EXIT, FOCUS, Inland, drives, works
from engine.ddob.bot.plans import Planner
from engine.ddob.bot.player import Commander
from engine.ddob.state.book import rule
from engine.ddob.state.ground import IS_LOW
from engine.ddob.state.state import State
from tests.ddob.table import state_of


def inland(**given: Any) -> Inland:
    """The table from turn 17 on as the hard level weighs it."""
    return weighed(Inland, **given)


def weighed(kind: type[Any], exited: tuple[tuple[str, int, str], ...] = (), **given: Any) -> Any:
    """A table of a kind over a position."""
    found: State = state_of(**{"scenario": "d-day", "turno": 18, "tedeschi": {}, **given})
    found = msgspec.structs.replace(found, exited=exited)
    return kind(found, MINDS["difficile"], random.Random(0))


@pytest.mark.rule("ddob:20.3.uscita")
def test_a_company_at_an_exit_leaves_the_map_from_the_first_extended_turn():
    given: dict[str, Any] = {
        "us": {"A/1/16": "2015", "B/1/16": "0916"}, "fase": "division", "divisione": "1",
        "azioni": 3,
    }  # fmt: skip
    found = inland(**given)
    best = max(found.ideas(found.state.units["A/1/16"]), key=lambda idea: idea.value)
    assert best.answers == ("u:A/1/16", "b:esci")
    old = weighed(Planner, **given)
    assert not any("b:esci" in idea.answers for idea in old.ideas(old.state.units["A/1/16"]))


@pytest.mark.rule("ddob:20.3.uscita")
def test_a_company_that_has_just_time_enough_marches_to_an_exit():
    given: dict[str, Any] = {"us": {"A/1/16": "1813"}}
    in_time, too_late = inland(turno=28, **given), inland(turno=32, **given)
    company = in_time.state.units["A/1/16"]
    assert in_time.exit_hope(company, "1914") > in_time.exit_hope(company, "1813")
    assert too_late.exit_hope(company, "1813") < in_time.exit_hope(company, "1813")


@pytest.mark.rule("ddob:20.3.uscita")
def test_only_two_exits_count_for_rangers():
    found = inland(us={"AB/5R": "1125"})
    rangers = found.state.units["AB/5R"]
    assert [found.trust(rangers, label) for label in ("2025", "1435")] == [0.0, 1.0]


@pytest.mark.rule("ddob:5.34")
def test_a_unit_lands_where_there_is_room_or_waits():
    found = inland(us={"A/1/16": "0709", "B/1/16": "0709", "AT/16": "track"})
    gun = found.state.units["AT/16"]
    assert found.berth(gun, ["h:FG1", "h:FG2"]) == "h:FG2"
    assert found.berth(gun, ["h:FG1", "n:19", "n:20"]) == "n:19"


@pytest.mark.rule("ddob:5.3")
def test_a_unit_lands_out_of_the_field_of_fire():
    found = inland(us={"A/1/18": "track"}, tedeschi={"0812": "wn", "0912": "wn75"})
    assert found.berth(found.state.units["A/1/18"], ["h:FG3", "h:FG1"]) == "h:FG1"


@pytest.mark.rule("ddob:18.1")
def test_an_hq_settles_only_among_its_companies():
    near = {"A/1/16": "1013", "B/1/16": "1013", "C/1/16": "1015", "D/1/16": "1015"}
    among = inland(us={"HQ16": "1014", **near})
    alone = inland(us={"HQ16": "0709", **near})
    assert among.post(["u:HQ16", "b:basta"]) == "u:HQ16"
    assert alone.post(["u:HQ16", "b:basta"]) == "b:basta"


@pytest.mark.rule("ddob:19.21")
def test_the_last_base_of_a_division_waits_for_a_draw():
    found = inland(us={"A/1/16": "0811"}, basi={"1•37": "0709 2"})
    assert found.engineer(["h:0505", "u:1•37", "b:basta"]) != "h:0505"
    assert found.engineer(["h:0717", "h:0505", "u:1•37", "b:basta"]) == "h:0717"


@pytest.mark.rule("ddob:19.2")
def test_the_longest_draw_takes_a_base_near_it_and_the_whole_track():
    assert (works("E-3", "0709"), works("E-3", "0717")) == (9, 0)
    assert works("E-1", "0717") == 3


@pytest.mark.rule("ddob:19.3.strade")
def test_a_vehicle_looks_for_the_draw_that_is_open():
    closed, opened = drives(frozenset(), frozenset()), drives(frozenset({"0917"}), frozenset())
    assert opened["0717"] < closed["0717"]
    assert closed["1017"] == 0
    assert not IS_LOW["1017"]


@pytest.mark.rule("ddob:16.1")
def test_an_empty_strongpoint_is_worth_standing_on():
    given: dict[str, Any] = {"us": {"A/1/16": "0916"}}
    assert inland(**given).keys["0916"] > 0
    assert "0916" not in weighed(Planner, **given).keys


@pytest.mark.rule("ddob:8.3")
def test_a_goal_is_filled_wholly_and_the_rest_march():
    found = inland(
        turno=20, tedeschi={"0812": "wn"},
        us={"A/1/16": "0713", "B/1/16": "0713", "C/1/16": "0712", "A/1/18": "2014"},
    )  # fmt: skip
    number = next(n for n, goal in enumerate(found.goals) if goal.hex == "0812")
    team = [name for name, aim in found.aims.items() if aim == number]
    assert sum(found.state.units[name].strength for name in team) >= found.need("0812")
    assert found.aims["A/1/18"] == EXIT


@pytest.mark.rule("ddob:6.3")
def test_a_company_alone_does_not_wait_under_the_guns_of_its_target():
    found = inland(tedeschi={"1215": "T+"}, us={"E/2/16": "1114 1", "A/1/16": "0713"})
    assert not found.is_ripe("1215")
    company = found.state.units["E/2/16"]
    number = next(n for n, goal in enumerate(found.goals) if goal.hex == "1215")
    found.aims[company.id] = number
    assert found.is_waiting(company, "1115")
    assert found.pull(company, "1115") < Planner.pull(found, company, "1115")


# Exits

GONE = (("B/1/115", 3, "G"), ("C/1/115", 3, "G"))
"""Two companies that left by one exit."""


@pytest.mark.rule("ddob:20.3.uscita")
def test_a_german_in_the_way_to_a_near_exit_is_dearer_and_draws_more_companies():
    found = inland(tedeschi={"0635": "T", "1122": "T"}, us={"A/1/115": "0532", "B/1/115": "1021"})
    way, other = (found.state.germans[label] for label in ("0635", "1122"))
    assert found.is_in_the_way(way)
    assert not found.is_in_the_way(other)
    plain = Planner._prizes(found)
    assert found.prize["0635"] == pytest.approx(FOCUS * plain["0635"])
    assert found.prize["1122"] == pytest.approx(plain["1122"])
    assert found.need("0635") > found.need("1122")


@pytest.mark.rule("ddob:20.3.uscita")
def test_exits_far_inland_matter_only_to_who_is_close_by():
    found = inland(us={"A/1/16": "1813", "A/1/115": "0430"})
    close, far = found.state.units["A/1/16"], found.state.units["A/1/115"]
    by_exit = dict(found.ways_out(close, close.at))
    assert by_exit["2015"] > 0
    assert by_exit["2022"] == 0
    assert [label for label, hope in found.ways_out(far, far.at) if hope] == ["0635"]


@pytest.mark.rule("ddob:16.4")
def test_positions_that_could_cut_off_an_exit_are_held_once_companies_left_by_it():
    given: dict[str, Any] = {"us": {"A/1/115": "0634 1"}, "turno": 28}
    assert inland(**given).guarded == {}
    table = inland(exited=GONE, **given)
    assert set(table.guarded) == {"0434", "0635", "0834"}
    held = {goal.hex for goal in table.goals if not goal.is_attack}
    assert {"0434", "0635", "0834"} <= held
    assert table.keys["0434"] >= 6


@pytest.mark.rule("ddob:20.3.uscita")
def test_the_last_company_keeps_the_exit_until_another_can_step_in():
    def leaving(turn: int, other: str = "out") -> float:
        table = inland(
            exited=GONE, turno=turn, us={"A/1/115": "0635", "D/1/115": other},
            fase="division", divisione="29", azioni=3,
        )  # fmt: skip
        return table.leaving(table.state.units["A/1/115"])

    assert leaving(28) == 0
    assert leaving(28, "0429") == 0
    assert leaving(28, "0634") > 0
    assert leaving(28, "0635") > 0
    assert leaving(32) > 0


# Stacking


@pytest.mark.rule("ddob:7.63")
def test_two_companies_that_walk_together_need_room_for_two():
    table = inland(us={"A/1/115": "0634", "B/1/115": "0634", "C/1/115": "0635"})
    player = Commander("difficile")
    options = (place("0635", "0635").option, button("ferma", "", "stop here").option)
    asked = rule("17.1", "Does {unit} move on?", unit="A/1/115")
    decision = Decision("move.next", "us", asked, options, Refusals())
    assert player._walk(table, decision) == ("h:0635", None)
    player._walkers = 2
    assert player._walk(table, decision) == ("b:ferma", None)


@pytest.mark.rule("ddob:7.63")
def test_somebody_leaves_a_hex_that_holds_one_unit_too_many():
    def best(*names: str) -> float:
        found = inland(us=dict.fromkeys(names, "0915"), fase="division", divisione="1", azioni=3)
        return max(idea.value for idea in found.moves(found.state.units["A/1/16"]))

    assert best("A/1/16", "B/1/16", "C/1/16") > best("A/1/16", "B/1/16") + 1
