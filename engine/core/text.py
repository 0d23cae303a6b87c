"""Messages: an id and facts. The engine never writes a sentence; the app does, in Italian."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

import msgspec

Fact: TypeAlias = int | str | bool | Fraction | tuple[int | str, ...]
"""A number, an id, an enum's value, or a tuple of them. Never prose."""


class Msg(msgspec.Struct, frozen=True, gc=False):
    """A message for a person, still without words: the id of the sentence and its facts."""

    id: str
    facts: dict[str, Fact] = {}


class PlainMsg(msgspec.Struct, frozen=True):
    """A message for a file or a pipe: a fraction keeps its kind as an object of two numbers."""

    id: str
    facts: dict[str, Any] = {}

    @classmethod
    def of(cls, msg: Msg) -> PlainMsg:
        """A message made plain."""
        facts = {
            key: {"of": [fact.numerator, fact.denominator]} if isinstance(fact, Fraction) else fact
            for key, fact in msg.facts.items()
        }
        return cls(msg.id, facts)

    def msg(self) -> Msg:
        """The message; ValueError where a fact is none."""
        return Msg(self.id, {key: _fact(value) for key, value in self.facts.items()})


def _fact(value: Any) -> Fact:
    match value:
        case int() | str():
            return value
        case list() if all(isinstance(part, int | str) for part in value):
            return tuple(value)
        case {"of": [int(numerator), int(denominator)]} if denominator:
            return Fraction(numerator, denominator)
    raise ValueError(value)


def N_(msgid: str) -> str:  # noqa: N802  gettext's customary name
    """Mark a message id for the catalogs and return it unchanged."""
    return msgid


def NP_(singular: str, plural: str) -> str:  # noqa: N802
    """Mark an id that has plural forms; the fact `n` chooses between them."""
    return singular


def msg(msgid: str, /, **facts: Fact) -> Msg:
    """A Msg from an id and keyword facts."""
    return Msg(msgid, facts)
