"""How much room a table has, and how map, panels and question share it: one column, two or three;
low or high; as wide as the map needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.geometry import Size
from textual.screen import Screen

WIDE = 100
VERY_WIDE = 180
TALL = 32
"""Rows from which the dice of an outcome are drawn large."""
LEAST_SIDE, MOST_SIDE = 84, 120
"""Columns of chronicle and rule side by side."""
UNDER_MAP = 23
"""Rows that head, foot, borders, legend, outcome and question take where they are under the map."""


def fitting(parts: Sequence[str], width: int) -> str:
    """As many parts as fit on a line, the first ones first; a long one may be left out."""
    line = ""
    for part in parts:
        longer = f"{line} · {part}" if line else part
        if not line or len(longer) <= width - 2:
            line = longer
    return line


def fit(screen: Screen[Any]) -> None:
    """Say by classes how much room a table has."""
    width, height = screen.app.size
    screen.set_class(width < WIDE, "-narrow")
    screen.set_class(width >= VERY_WIDE, "-wide")
    screen.set_class(height < TALL, "-short")


def share(screen: Screen[Any], extent: Size) -> None:
    """In a very wide terminal, give the map the columns that it fills and the panels the others;
    where it is too tall for the question under it, that goes under the panels."""
    width, height = screen.app.size
    is_wide = screen.has_class("-wide")
    side = max(LEAST_SIDE, min(MOST_SIDE, width - extent.width - 1))
    screen.set_class(is_wide and extent.height > height - UNDER_MAP, "-beside")
    screen.query_one("#side").styles.width = side if is_wide else None
    screen.query_one("#board").styles.width = width - side if is_wide else None
