"""Messages: an id and facts. The engine never writes a sentence; the app does, in Italian."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import msgspec

Fact: TypeAlias = int | str | bool | Fraction | tuple[int | str, ...]
"""A number, an id, an enum's value, or a tuple of them. Never prose."""


class Msg(msgspec.Struct, frozen=True):
    """A message for a person, still without words: the id of the sentence and its facts."""

    id: str
    facts: dict[str, Fact] = {}


def N_(msgid: str) -> str:  # noqa: N802  gettext's customary name
    """Mark a message id for the catalogs and return it unchanged."""
    return msgid


def NP_(singular: str, plural: str) -> str:  # noqa: N802
    """Mark an id that has plural forms; the fact `n` chooses between them."""
    return singular


def msg(msgid: str, /, **facts: Fact) -> Msg:
    """A Msg from an id and keyword facts."""
    return Msg(msgid, facts)
