"""The book that rule code cites, and modifiers that carry their rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from engine.core.ctx import Ctx, Tally
from engine.core.dice import Die
from engine.core.rules import Book, Ruling
from engine.core.text import N_

rule = Book("toi")

BLACK = Die(N_("black"), 6)
RED = Die(N_("red"), 6)
DIE = Die("d6", 6)


class Modifier(msgspec.Struct, frozen=True):
    """A number and the rule that gives it."""

    value: int
    ruling: Ruling


def locators(ruling: Ruling) -> tuple[str, ...]:
    """The locators of a ruling of this book, as `cite` and `do` take them."""
    return tuple([ref[4:] for ref in ruling.refs])


def say(ctx: Ctx[Any], ruling: Ruling, *more: str) -> None:
    """Cite a ruling as a step, with further locators if any."""
    facts: dict[str, Any] = ruling.msg.facts
    ctx.cite((*locators(ruling), *more), ruling.msg.id, **facts)


def add_all(tally: Tally, modifiers: Iterable[Modifier]) -> None:
    """Every modifier as a cited line of a running total."""
    for modifier in modifiers:
        ruling = modifier.ruling
        facts: dict[str, Any] = ruling.msg.facts
        tally.add(modifier.value, locators(ruling), ruling.msg.id, **facts)
