"""Rout: where to, and who interdicts (3.6)."""

from __future__ import annotations

import pytest

from engine.aslsk.rules.rout import interdictor
from tests.aslsk.table import Table

ROUT = "lati: [american, german]\nfase: RtPh\n"


def interdictions(run: Table) -> int:
    """How many times somebody was interdicted."""
    return len(run.told("3.6.interdiction", "foe", "unit"))


@pytest.mark.rule("aslsk:3.6.destination")
def test_from_a_shelter_any_adjacent_shelter_may_be_entered():
    run = Table(
        "mappa: ex-vista\n" + ROUT + "unità: {a: us-666 I2 broken DM, x: ge-467 A1}", "u:a", "h:H2"
    )
    assert {"h:G3", "h:G2", "h:H1", "h:H3", "b:fermo"} <= run.options
    assert "3.6.destination" in run.why_not("h:I2")


@pytest.mark.rule("aslsk:3.6.destination")
@pytest.mark.parametrize(("enemy", "free"), [("H4", True), ("M1", False)])
def test_who_may_ignore_every_shelter_goes_where_it_likes(enemy, free):
    run = Table(
        "mappa: ex-rotta\n" + ROUT + f"unità: {{a: us-666 M2 broken DM, x: ge-467 {enemy}}}", "u:a"
    )
    assert "h:M3" in run.options
    if free:
        assert {"h:N2", "h:M1"} <= run.options
    else:
        assert "3.6.destination" in run.why_not("h:L2")


@pytest.mark.rule("aslsk:1.1.1.woods_road", "aslsk:3.6.interdiction")
@pytest.mark.parametrize(
    ("enemy", "way", "struck", "spent"),
    [("B9", "h:E8", 1, 2), ("B9", "b:copertura-E8", 0, 4), ("D9", "h:E8", 0, 2)],
)
def test_who_routs_along_a_road_through_woods_may_be_interdicted(enemy, way, struck, spent):
    run = Table(
        ROUT + f"unità: {{a: us-666 D8 broken DM, b: us-666 A1 broken DM, x: ge-467 {enemy}}}",
        "u:a", way, dice=[(1, 1)],
    )  # fmt: skip
    assert run.state.units["a"].hex == "E8"
    assert interdictions(run) == struck
    assert run.state.router is None or run.state.router.spent == spent


@pytest.mark.rule("aslsk:1.1.1.hills.height_advantage", "aslsk:3.6.interdiction")
def test_who_routs_over_a_crest_in_sight_has_no_height_advantage_there():
    run = Table(
        ROUT + "unità: {a: us-666 I4 broken DM, b: us-666 A9 broken DM, x: ge-467 G4}",
        "u:a", "h:J4", "h:K4", dice=[(1, 1), (1, 1)],
    )  # fmt: skip
    assert run.state.units["a"].hex == "K4"
    assert interdictions(run) == 2


@pytest.mark.rule("aslsk:3.6.interdiction", "aslsk:3.2.2.1")
@pytest.mark.parametrize(
    ("vehicle", "able"),
    [("", True), ("t: us-m4a1 D9 vca=0", False), ("t: us-m4a1 D9 vca=0 wreck", True)],
)
def test_nobody_interdicts_out_of_a_hex_that_holds_an_enemy(vehicle, able):
    state = Table(
        "mappa: ex-bosco\n"
        + ROUT
        + f"unità: {{a: us-666 D4 broken DM, c: ge-467 D9}}\nveicoli: {{{vehicle}}}"
    ).state
    assert bool(interdictor(state, state.units["a"])) is able
