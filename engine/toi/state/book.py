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
    own = rule.ruling(locators, Msg(msgid, facts))
    found = (own, *causes)
    refs = dict.fromkeys(ref for one in found for ref in one.refs)
    anchors = dict.fromkeys(anchor for one in found for anchor in one.anchors)
    return Ruling(tuple(refs), own.msg, tuple(anchors))
