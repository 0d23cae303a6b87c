"""The book that rule code cites, its two dice, and what every chapter says with them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Final

from engine.core.ctx import Number, exact
from engine.core.decisions import Choice, Option
from engine.core.dice import Dice, Die
from engine.core.late import Late
from engine.core.rules import Book, Locators
from engine.core.text import N_, msg
from engine.kit.modifiers import Modifier

rule = Book("aslsk")

COLOURED = Die(N_("coloured"), 6)
WHITE = Die(N_("white"), 6)
DR: Final = Dice((COLOURED, WHITE))
"""Two dice, the coloured one first (1.4)."""
ONE: Final = Dice((COLOURED,))
"""A dr: one die (1.4)."""


OUTSIDE: Final = "outside"
"""The kind of a modifier that reduces Residual FP: its cause is not in the hex (3.3.5.shift)."""


def drm(value: int, ref: Locators, msgid: str, /, *, kind: str = "", **facts: str) -> Modifier:
    """A modifier from its rule."""
    return Modifier(value, rule(ref, msgid, **facts), kind)


@cache
def halved(halves: int) -> Number:
    """MF and MP are counted in halves (3.3.1.mf_table); players are told whole ones."""
    return exact(Fraction(halves, 2))


@cache
def hexspines() -> tuple[Choice[int], ...]:
    """The six hexspines, to point at one (3.2.4.ca)."""
    text = N_("hexspine {spine}")
    return tuple([Choice(Option(f"n:{k}", msg(text, spine=str(k))), k) for k in range(6)])


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
