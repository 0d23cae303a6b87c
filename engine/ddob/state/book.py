"""The book that rule code cites."""

from __future__ import annotations

from typing import Any

from engine.core.ctx import Ctx
from engine.core.rules import Book, Ruling
from engine.core.text import N_

rule = Book("ddob")

US = "us"
EAST, WEST = N_("east"), N_("west")
SECTORS = (EAST, WEST)
DIVISIONS = ("1", "29")
SECTOR_OF = {"1": EAST, "29": WEST}
DIVISION_OF = {EAST: "1", WEST: "29"}
OTHER = {"1": "29", "29": "1", EAST: WEST, WEST: EAST}
FIRST_EXTENDED_TURN = 17


def tell(ctx: Ctx[Any], ruling: Ruling, *more: str) -> None:
    """A ruling as a step of the resolution."""
    facts: dict[str, Any] = ruling.msg.facts
    ctx.cite((*[ref[5:] for ref in ruling.refs], *more), ruling.msg.id, **facts)
