"""Messages in files and pipes: they come back whole, and nonsense does not pass for facts."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from engine.core.text import Msg, PlainMsg


def test_a_message_keeps_the_kinds_of_its_facts():
    said = Msg(
        "why", {"unit": "A", "n": 3, "sure": True, "chance": Fraction(1, 3), "all": ("x", 2)}
    )
    text = msgspec.json.encode(PlainMsg.of(said))
    assert msgspec.json.decode(text, type=PlainMsg).msg() == said


@pytest.mark.parametrize("nonsense", [None, 1.5, {"of": [1, 0]}, {"of": [1]}, {}, [[1]]])
def test_what_is_no_fact_is_refused(nonsense):
    with pytest.raises(ValueError, match=r"^[\[{N1]"):
        PlainMsg("why", {"x": nonsense}).msg()
