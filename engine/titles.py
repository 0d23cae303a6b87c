"""The titles, by slug: the only module that imports every one of them."""

from __future__ import annotations

from typing import Any

from engine.aslsk import TITLE as ASLSK
from engine.core.title import Title
from engine.ddob import TITLE as DDOB
from engine.toi import TITLE as TOI
from engine.warfare import TITLE as WARFARE

TITLES: dict[str, Title[Any]] = {title.info.slug: title for title in (TOI, DDOB, ASLSK, WARFARE)}
