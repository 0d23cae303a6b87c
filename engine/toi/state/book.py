"""The book that rule code cites, and its dice."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.dice import Die
from engine.core.rules import Book, Locators, Ruling
from engine.core.text import N_, Fact, Msg

rule = Book("toi")

BLACK = Die(N_("black"), 6)
RED = Die(N_("red"), 6)
DIE = Die("d6", 6)


def because(locators: Locators, causes: Iterable[Ruling], msgid: str, /, **facts: Fact) -> Ruling:
    """A ruling that follows from others: its own rules first, then theirs."""
    refs = (*rule.refs(locators), *(ref for cause in causes for ref in cause.refs))
    return Ruling(tuple(dict.fromkeys(refs)), Msg(msgid, facts))
