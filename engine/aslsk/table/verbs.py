"""The verbs of ASL Starter Kit in the order of their keys, the same for every unit."""

from __future__ import annotations

VERBS: dict[str, tuple[str, ...]] = {
    "move.mode": ("normale", "assalto", "corsa", "spingi", "spingi-corsa"),
    "move.next": (
        *("", "", "avvia", "ferma", "sinistra", "destra"),
        *("fumo", "lascia", "recupera", "carica", "portello", "fuoco", "fumogeno", "attendi"),
    ),
    "fire.rof": ("tieni", "rinuncia"),
}
"""By question; an empty place belongs to the hexes around the unit, as do those of verbs that are
not for it: a squad turns no turret."""
