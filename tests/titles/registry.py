"""The titles that the contract covers: all that are registered, and the reference title."""

from __future__ import annotations

from typing import Any

from engine.core.title import Title
from engine.titles import TITLES
from tests.reference import Reference

ALL: dict[str, Title[Any]] = {**TITLES, "prova": Reference()}
GAMES: list[tuple[str, str]] = [
    (slug, info.id) for slug, title in ALL.items() for info in title.scenarios()
]
