"""What a parked AFV does to a LOS, and what it does not (7.4.1)."""

from __future__ import annotations

import pytest

from engine.aslsk.rules.sight import los
from tests.aslsk.table import state_of


@pytest.mark.rule("aslsk:7.4.1", "aslsk:casa.24")
@pytest.mark.parametrize(
    ("a", "b", "wreck", "drm"),
    [
        ("A5", "A8", "A6", 1),  # seen from both ends
        ("A1", "E5", "B1", 0),  # touched by the line, out of sight of the far end
        ("A1", "E5", "D4", 0),  # out of sight of the near end
    ],
)
def test_a_wreck_hinders_where_both_ends_see_it(a, b, wreck, drm):
    state = state_of(f"unità: {{x: ge-467 {a}}}\nveicoli: {{t: ru-t34m43 {wreck} wreck}}")
    bare = state_of(f"unità: {{x: ge-467 {a}}}")
    assert los(state, a, b).drm - los(bare, a, b).drm == drm
