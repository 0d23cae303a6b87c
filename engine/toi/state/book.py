"""The book that rule code cites, and its dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.core.dice import Die
from engine.core.rules import Book, Locators, Ruling
from engine.core.text import N_, Fact

rule = Book("toi")

BLACK = Die(N_("black"), 6)
RED = Die(N_("red"), 6)
DIE = Die("d6", 6)


def because(locators: Locators, causes: Iterable[Ruling], msgid: str, /, **facts: Fact) -> Ruling:
    """A ruling that follows from others: its own rules first, then theirs."""
    return follows(rule(locators, msgid, **facts), *causes)


def passed_over(
    locators: Locators, against: Mapping[str, Ruling], msgid: str, /, **facts: Fact
) -> Ruling:
    """Why nobody of some units is asked: who, and what forbids it to each, in one line."""
    return because(locators, against.values(), msgid, units=tuple(against), **facts)


def follows(found: Ruling, *causes: Ruling) -> Ruling:
    """A ruling in its own words, with the rules of what it follows from."""
    refs = (*found.refs, *(ref for cause in causes for ref in cause.refs))
    anchors = (*found.anchors, *(anchor for cause in causes for anchor in cause.anchors))
    return Ruling(tuple(dict.fromkeys(refs)), found.msg, tuple(dict.fromkeys(anchors)))
