"""What is worth no points, and who is cut off (12.3, 13.1, 23.5)."""

from __future__ import annotations

import pytest

from engine.ddob.rules.communication import us_path_ruling
from engine.ddob.state.tables import UNITS
from tests.ddob.table import Table
from tests.ddob.test_extended import LATE

REGULARS = [u for u, data in UNITS.items() if data.type == "infantry" and data.division == "1"]


@pytest.mark.rule("ddob:13.1")
def test_a_catastrophe_is_worth_no_points():
    game = Table(
        dice=["03"], fase="fire:east", turno=8, scenario="d-day", us={"A/1/16": "0615 2"},
        tedeschi={"0916": "wn"}, perdite={"1": REGULARS[1:8]}, riquadri={"T": 0, "D": 0},
    )  # fmt: skip
    assert (game.state.degree, game.state.points, game.state.why) == ("decisive defeat", 0, "13.1")


@pytest.mark.rule("ddob:12.3", "ddob:12.31")
@pytest.mark.parametrize(("has_path", "refs"), [(True, {"12.3"}), (False, {"12.3", "12.31"})])
def test_only_a_hex_without_a_path_obeys_the_rule_of_the_cut_off(has_path, refs):
    assert {ref[5:] for ref in us_path_ruling("0915", has_path).refs} == refs


@pytest.mark.rule("ddob:23.5.fine", "ddob:casa.67")
def test_tanks_at_the_end_of_the_road_leave_no_points():
    given = {"0812": {"specie": "armor", "unita": "1/2/352PzJ"}}
    game = Table(fase="end", us={}, tedeschi=given, **LATE)
    assert (game.state.points, game.state.why) == (0, "23.5.fine")
