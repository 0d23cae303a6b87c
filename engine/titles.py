"""The titles, by slug: the only module that imports every one of them."""

from __future__ import annotations

from typing import Any

from engine.core.title import Title

TITLES: dict[str, Title[Any]] = {}
