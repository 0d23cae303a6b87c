"""The book that rule code cites."""

from __future__ import annotations

from engine.core.rules import Book
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
BOMBARDMENT, REACTION, TANKS, REDEPLOYMENT = "22.1", "22.4", "23", "16.3"
"""Switches that bear the number of their rule."""
