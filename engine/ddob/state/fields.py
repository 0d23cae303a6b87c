"""The field of fire that German tanks carry with them (23.3)."""

from __future__ import annotations

from functools import cache

from engine.ddob.state.ground import COVER_AT, NEIGHBOURS, SIDE, TERRAIN_AT
from engine.ddob.state.tables import INTENSE, STEADY


@cache
def field_of(label: str) -> dict[str, str]:
    """Hex -> level around German tanks (23.3, casa.42)."""
    found: dict[str, str] = {}
    for near in NEIGHBOURS[label]:
        if TERRAIN_AT[near] != "rough":
            found[near] = STEADY if COVER_AT.get(near) in ("bocage", "buildings") else INTENSE
    beyond: dict[str, str] = {}
    for near, level in found.items():
        if level != INTENSE:
            continue
        for far in NEIGHBOURS[near]:
            if far == label or far in found or TERRAIN_AT[far] == "rough":
                continue
            is_thick = COVER_AT.get(far) in ("bocage", "buildings")
            is_hedged = "hedge" in SIDE.get((near, far), ())
            if is_thick or is_hedged:
                beyond.setdefault(far, STEADY)
            else:
                beyond[far] = INTENSE
    return {**found, **beyond}
