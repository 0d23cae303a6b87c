"""The verbs of D-Day at Omaha Beach in the order of their keys, the same for every unit."""

from __future__ import annotations

_HEXES = ("",) * 6

VERBS: dict[str, tuple[str, ...]] = {
    "actions.what": (*_HEXES, "attacca", "sbarramento", "esci"),
}
"""By question; an empty place belongs to the hexes around the unit."""
