"""How long a target stays acquired (6.10, 6.11)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from tests.aslsk.table import Table

MOVE = "mappa: ex-bosco\ndata: 1943-07\nlati: [american, german]\nfase: MPh\n"
FIRE = "mappa: ex-bosco\ndata: 1943-07\nlati: [german, american]\nfase: PFPh\n"


def counter(run: Table, weapon: str = "g") -> tuple[int, str, str]:
    """The acquisition of a weapon: number, units, hex."""
    found = run.state.weapons[weapon]
    return found.hold.acquired, found.hold.target, found.hold.target_hex


@pytest.mark.rule("aslsk:6.10")
def test_the_counter_follows_a_target_in_sight_and_stays_where_it_was_lost():
    run = Table(
        MOVE + "unità: {x: us-747 D6, y: us-666 D5, c: ge-228 E8}\narmi: {g: ge-75l c ca=5 acquired=2 target=x target_hex=D6}",
        "u:x", "b:normale", "h:C6", "b:passa",
    )  # fmt: skip
    assert counter(run) == (2, "x", "C6")
    run.play("h:B6")
    assert counter(run) == (2, "", "C6")
    assert "6.10" in run.cited


@pytest.mark.rule("aslsk:6.10")
def test_who_enters_the_hex_of_a_lost_target_is_acquired():
    run = Table(
        MOVE + "unità: {y: us-666 D6, c: ge-228 E8}\narmi: {g: ge-75l c ca=5 acquired=2 target_hex=C6}",
        "u:y", "b:normale", "h:C6", "u:g", "b:ITT-HE",
        dice=[(6, 5)],
    )  # fmt: skip
    assert "2.0.acquired_target" in run.cited
    assert counter(run) == (2, "y", "C6")


@pytest.mark.rule("aslsk:6.11")
def test_an_acquired_hex_does_not_follow_who_leaves_it():
    run = Table(
        MOVE + "unità: {x: us-747 D5, c: ge-228 E9}\narmi: {g: ge-81mtr c ca=5 acquired=1 target_hex=D5 by_area=1}",
        "u:x", "b:normale", "h:D6",
    )  # fmt: skip
    assert counter(run) == (1, "", "D5")


@pytest.mark.rule("aslsk:6.10")
def test_a_stack_is_acquired_as_a_whole():
    run = Table(
        FIRE + "unità: {c: ge-228 E8, x: us-666 D6, y: us-666 D6}\narmi: {g: ge-75l c ca=5}",
        "u:g", "h:D6", "b:ITT-HE",
        dice=[(1, 5), (1, 1), "x"],
    )  # fmt: skip
    assert run.state.units["x"].place == "eliminated"
    assert run.state.units["y"].broken
    assert counter(run) == (1, "y", "D6")
    run.play("u:g", "h:D6", "b:ITT-HE")
    assert "2.0.acquired_target" in run.cited


@pytest.mark.rule("aslsk:6.10")
@pytest.mark.parametrize(("chosen", "hex"), [("x", "C6"), ("y", "D6")])
def test_when_a_stack_divides_the_firer_keeps_one_of_its_units(chosen, hex):
    run = Table(
        MOVE + 'unità: {x: us-747 D6, y: us-666 D6, c: ge-228 E8}\narmi: {g: "ge-75l c ca=5 acquired=1 target_hex=D6"}',
        "u:x", "b:normale", "b:via",
    )  # fmt: skip
    gun = run.state.weapons["g"]
    assert gun.hold.target == ""
    stack = Table(
        FIRE + "unità: {c: ge-228 E8, x: us-747 D6, y: us-666 D6}\narmi: {g: ge-75l c ca=5}",
        "u:g", "h:D6", "b:ITT-HE", "b:passa",
        dice=[(6, 5)],
    )  # fmt: skip
    assert counter(stack) == (1, "x y", "D6")
    while stack.state.attacker != "american" or stack.state.phase != "MPh":
        stack.play("b:passa")
    stack.play("u:x", "b:normale", "b:via", "h:C6")
    assert (stack.asked.side, stack.options) == ("german", {"u:x", "u:y"})
    stack.play(f"u:{chosen}")
    assert counter(stack) == (1, chosen, hex)


@pytest.mark.rule("aslsk:6.10")
def test_a_crew_that_breaks_or_fires_its_own_fp_loses_the_target():
    broken = Table(
        "mappa: ex-bosco\ndata: 1943-07\nlati: [american, german]\nfase: PFPh\nunità: {x: us-747 D7, c: ge-228 E8}\narmi: {g: ge-88l c ca=2 acquired=2 target=x target_hex=D7}",
        "u:x", "h:E8",
        dice=[(3, 4), (6, 5)],
    )  # fmt: skip
    assert broken.state.units["c"].broken
    assert counter(broken) == (0, "", "")
    own = Table(
        FIRE + "unità: {c: ge-228 E8, x: us-747 D7}\narmi: {g: ge-75l c ca=5 acquired=2 target=x target_hex=D7}",
        "u:c", "h:D7",
        dice=[(6, 5)],
    )  # fmt: skip
    assert counter(own) == (0, "", "")


@pytest.mark.rule("aslsk:6.10", "aslsk:4.5")
def test_a_light_mortar_that_is_carried_away_loses_its_hex():
    run = Table(
        "mappa: ex-bosco\ndata: 1943-07\nlati: [german, american]\nfase: MPh\nunità: {s: ge-467 D8, x: us-747 C7 broken}\narmi: {m: ge-50mtr s acquired=1 target_hex=C7 by_area=1}",
        "u:s", "b:normale", "h:D9",
    )  # fmt: skip
    assert counter(run, "m") == (0, "", "")
