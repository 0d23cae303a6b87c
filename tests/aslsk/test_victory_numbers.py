"""Who takes a hex, and who only stands in it (2.0.control)."""

from __future__ import annotations

import pytest

from engine.aslsk import TITLE
from engine.aslsk.rules.victory import update_control
from engine.core.ctx import Ctx
from tests.aslsk.table import state_of


@pytest.mark.rule("aslsk:2.0.control")
@pytest.mark.parametrize(
    ("units", "vehicles", "owner"),
    [
        ("a: us-666 C6", "", "american"),
        ("a: us-666 C6 broken", "", "german"),
        ("a: us-9-1 C6", "", "german"),
        ("a: us-666 C6, x: ge-467 C6", "", "german"),
        ("a: us-666 C6", "t: ge-ivh C6 vca=0", "german"),
        ("a: us-666 C6", "t: ge-ivh C6 vca=0 wreck", "american"),
        ("z: us-666 A1", "t: us-m4 C6 vca=0", "german"),
    ],
)
def test_a_squad_takes_the_hex_where_it_stands_alone(units, vehicles, owner):
    state = state_of(
        "lati: [american, german]\nfase: MPh\ncontrollo: {C6: german}\n"
        f"unità: {{{units}}}\nveicoli: {{{vehicles}}}"
    )
    ctx = Ctx(TITLE, state, [])
    update_control(ctx)
    assert ctx.state.control["C6"] == owner
