"""Fire attacks and their effects (3.2.2, 3.2.3, 5)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from engine.aslsk.state.units import allowance
from tests.aslsk.table import Table

FIRE = "lati: [american, german]\nfase: PFPh\n"


@pytest.mark.rule("aslsk:3.2.3.kia", "aslsk:4.0.kia_destroy", "aslsk:3.2.3.broken")
def test_kia_takes_a_random_unit_and_breaks_the_others():
    run = Table(
        FIRE + "unità: {a: us-747 E7, x: ge-467 E6, y: ge-467 E6}\narmi: {m: ge-lmg x}",
        "u:a",
        "h:E6",
        dice=[(1, 1), "x", (1,)],
    )
    assert run.state.units["x"].place == "eliminated"
    assert run.state.units["y"].broken
    assert run.state.weapons["m"].place == "eliminated"
    assert {"3.2.3.kia", "4.0.kia_destroy"} <= run.cited


@pytest.mark.rule("aslsk:3.2.3.k", "aslsk:2.0.casualty_reduction")
def test_k_reduces_one_and_everybody_checks():
    run = Table(FIRE + "unità: {a: us-666 E7, x: ge-467 E6}", "u:a", "h:E6", dice=[(1, 2), (1, 1)])
    assert run.state.units["x"].type == "ge-247"
    assert not run.state.units["x"].broken
    assert "3.2.3.k" in run.cited


@pytest.mark.rule("aslsk:3.2.3.wound", "aslsk:1.2.1")
def test_a_wounded_leader_is_worse_by_one():
    run = Table(FIRE + "unità: {l: us-8-0 E7 wounded, x: ge-467 M1}")
    leader = run.state.units["l"]
    assert (leader.morale, leader.leadership) == (7, 1)
    assert allowance(run.state, leader, None, False) == 6


@pytest.mark.rule("aslsk:3.2.3.llmc")
def test_losing_a_leader_shakes_those_below_him():
    run = Table(
        FIRE + "unità: {a: us-747 E7, l: ge-9-2 E6, x: ge-467 E6}",
        "u:a",
        "h:E6",
        dice=[(1, 1), "l", (1, 2)],
    )
    assert run.state.units["l"].place == "eliminated"
    assert run.state.units["x"].broken
    assert "3.2.3.llmc" in run.cited


@pytest.mark.rule("aslsk:3.2.3.lltc")
def test_a_broken_leader_means_a_task_check():
    run = Table(
        FIRE + "unità: {a: us-666 E7, l: ge-8-0 E5, x: ge-467 E5}",
        "u:a",
        "h:E5",
        dice=[(1, 3), (4, 5), (1, 2), (5, 6)],
    )
    assert run.state.units["l"].broken
    assert run.state.units["x"].pinned
    assert "3.2.3.lltc" in run.cited


@pytest.mark.rule("aslsk:3.2.3.dm")
def test_a_broken_unit_under_fire_is_dm_again():
    run = Table(FIRE + "unità: {a: us-666 E7, x: ge-467 E6 broken}", "u:a", "h:E6", dice=[(6, 5)])
    assert run.state.units["x"].dm
    assert "3.2.3.dm" in run.cited


@pytest.mark.rule("aslsk:3.2.2.mandatory_fg", "aslsk:3.2")
def test_infantry_of_a_hex_fires_once_at_a_target():
    run = Table(
        FIRE + "unità: {a: us-666 E7, b: us-666 E7, c: us-666 G7, x: ge-467 E5}",
        "u:a",
        "h:E5",
        "b:fuoco",
        dice=[(5, 6)],
    )
    assert "3.2.2.mandatory_fg" in run.why_not("u:b")
    assert "3.2" in run.why_not("u:a")
    assert "u:c" in run.options


@pytest.mark.rule("aslsk:3.2.3.pinned")
def test_a_pinned_unit_fires_at_half_and_does_not_move():
    run = Table(FIRE + "unità: {a: us-666 E7 pinned, x: ge-467 E5}", "u:a", "h:E5", dice=[(6, 5)])
    assert [s.tally.total for s in run.game.steps if s.tally and s.tally.name == "FP"] == [6, 3]
    assert "3.2.3.pinned" in run.cited
    moving = Table(
        "lati: [american, german]\nfase: MPh\nunità: {a: us-666 E7 pinned, b: us-666 E9, x: ge-467 M1}"
    )
    assert "3.2.3.pinned" in moving.why_not("u:a")


@pytest.mark.rule("aslsk:3.2.2.1", "aslsk:7.12")
def test_a_buttoned_up_tank_is_immune_to_small_arms():
    text = "lati: [german, russian]\nfase: PFPh\nunità: {{a: ge-467 E7}}\nveicoli: {{t: ru-t34m43 E6 {0}}}"
    assert Table(text.format("CE")).state.phase == "PFPh"
    assert Table(text.format("")).state.phase == "MPh"  # there is nothing to fire at


@pytest.mark.rule("aslsk:5.4", "aslsk:2.0.inexperienced")
def test_green_troops_are_steadied_by_a_leader_and_conscripts_are_not():
    text = "lati: [american, german]\nunità: {{a: {0} E7, {1}}}"
    lone = Table(text.format("us-536", "x: ge-467 M1"))
    led = Table(text.format("us-536", "l: us-8-0 E7"))
    assert allowance(lone.state, lone.state.units["a"], None, False) == 6
    assert allowance(led.state, led.state.units["a"], led.state.units["l"], False) == 12
    raw = Table("lati: [russian, german]\nunità: {a: ru-426 E7, l: ru-8-0 E7}")
    assert allowance(raw.state, raw.state.units["a"], raw.state.units["l"], False) == 10


@pytest.mark.rule("aslsk:3.4", "aslsk:3.4.cleanup")
def test_a_unit_marked_first_fire_only_fires_next_to_it_in_the_dfph():
    text = "lati: [american, german]\nfase: DFPh\nunità: {{d: ge-467 E7 first, x: us-666 {0}}}"
    near = Table(text.format("E6"), "u:d", "h:E6", dice=[(6, 5)])
    assert [s.tally.total for s in near.game.steps if s.tally and s.tally.name == "FP"] == [4, 8, 4]
    assert "3.4" in near.cited
    far = Table(text.format("E4"))
    assert "u:d" not in far.options


@pytest.mark.rule("aslsk:3.5", "aslsk:3.5.assault_fire")
def test_assault_fire_adds_one_after_halving():
    run = Table(
        "lati: [american, german]\nfase: AFPh\nunità: {a: us-747 E7, x: ge-467 E5}",
        "u:a",
        "h:E5",
        dice=[(6, 5)],
    )
    totals = [s.tally.total for s in run.game.steps if s.tally and s.tally.name == "FP"]
    assert totals[-1] == 5
    assert "3.5.assault_fire" in run.cited


@pytest.mark.rule("aslsk:3.4.leader", "aslsk:3.2.2.leader")
def test_a_leader_directs_the_same_attackers_again_and_nobody_else():
    from engine.aslsk.rules.elements import find
    from engine.aslsk.rules.fire_groups import may_direct

    run = Table(
        "lati: [american, german]\nunità: {l: us-9-1 E7 directed=a, a: us-666 E7, b: us-666 E7, x: ge-467 M1}"
    )
    state = run.state
    assert may_direct(state, state.units["l"], [find(state, "american", "a")])
    assert not may_direct(state, state.units["l"], [find(state, "american", "b")])
