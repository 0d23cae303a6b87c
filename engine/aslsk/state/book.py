"""The book that rule code cites, its two dice, and modifiers that carry their rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from engine.core.ctx import Tally
from engine.core.dice import Dice, Die
from engine.core.late import Late
from engine.core.rules import Book, Locators, Ruling
from engine.core.text import N_

rule = Book("aslsk")

COLOURED = Die(N_("coloured"), 6)
WHITE = Die(N_("white"), 6)
DR: Final = Dice((COLOURED, WHITE))
"""Two dice, the coloured one first (1.4)."""
ONE: Final = Dice((COLOURED,))
"""A dr: one die (1.4)."""


class Modifier(msgspec.Struct, frozen=True):
    """A number and the rule that gives it; `outside` ones reduce Residual FP (3.3.5.shift)."""

    value: int
    ruling: Ruling
    outside: bool = False


def drm(
    value: int, ref: Locators, msgid: str, /, *, outside: bool = False, **facts: str
) -> Modifier:
    """A modifier from its rule."""
    return Modifier(value, rule(ref, msgid, **facts), outside)


def add_all(tally: Tally, modifiers: Iterable[Modifier]) -> int:
    """Every modifier as a cited line of a running total; returns the total."""
    for modifier in modifiers:
        if modifier.value:
            ruling = modifier.ruling
            refs = tuple([ref[6:] for ref in ruling.refs])
            tally.add(modifier.value, refs, ruling.msg.id, **ruling.msg.facts)
    return int(tally.total)


def total(faces: tuple[int, ...]) -> int:
    """The sum of the dice."""
    return sum(faces)


def single(faces: tuple[int, ...]) -> int:
    """The one die."""
    return faces[0]


def both(faces: tuple[int, ...]) -> tuple[int, int]:
    """Coloured and white die."""
    return faces[0], faces[1]


LATE_TOTAL: Final = Late(total)
LATE_BOTH: Final = Late(both)
"""The same for a DR of attack, which many numbers are compared with."""
