"""The verbs of Tide of Iron in the order of their keys, the same for every unit."""

from __future__ import annotations

_HEXES = ("",) * 6

VERBS: dict[str, tuple[str, ...]] = {
    "action.verb": (
        *("avanzata", "concentrato", "prepara-op", "fuoco-e-movimento", "assalto", "affatica"),
        *("scava", "fumo", "cura", "bonifica", "reticolati"),
    ),
    "move.next": (*_HEXES, "attacca", "assalta", "scendi", "esci", "taglia"),
    "fire.figures": ("tutti", "fucilieri", "mitragliatrici"),
    "fire.kind": ("normale", "soppressivo"),
}
"""By question; an empty place belongs to the hexes around the unit."""
