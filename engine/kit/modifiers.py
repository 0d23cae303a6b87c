"""Modifiers that carry their rule."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from engine.core.ctx import Tally
from engine.core.rules import Ruling


class Modifier(msgspec.Struct, frozen=True, gc=False):
    """A number and the rule that gives it; rules that ask what it is look at its kind."""

    value: int
    ruling: Ruling
    kind: str = ""


def add_all(tally: Tally, modifiers: Iterable[Modifier]) -> int:
    """Every modifier as a cited line of a running total; what they come to together."""
    change = 0
    for modifier in modifiers:
        tally.add(modifier.value, modifier.ruling)
        change += modifier.value
    return change
