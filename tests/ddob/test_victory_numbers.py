"""What the catastrophe is worth (13.1)."""

from __future__ import annotations

import pytest

from engine.ddob.state.tables import UNITS
from tests.ddob.table import now, table

REGULARS = [u for u, data in UNITS.items() if data.type == "infantry" and data.division == "1"]


@pytest.mark.rule("ddob:13.1")
def test_a_catastrophe_is_worth_no_points():
    game = table(
        "03", fase="fire:east", turno=8, scenario="d-day", us={"A/1/16": "0615 2"},
        tedeschi={"0916": "wn"}, perdite={"1": REGULARS[1:8]}, riquadri={"T": 0, "D": 0},
    )  # fmt: skip
    assert (now(game).degree, now(game).points, now(game).why) == ("decisive defeat", 0, "13.1")
