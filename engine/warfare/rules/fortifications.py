"""Chapter 1: fortifications, with protected sides.

Refs: warfare:fortificazioni.*, arbitrato.vertice_fortificazione,
arbitrato.fortificazione_supporti.
"""

from __future__ import annotations

from engine.core.ctx import Tally
from engine.core.text import N_
from engine.warfare.state.tables import FORTIFICATION, TERRAIN, Field


def add_terrain(ladder: Tally, field: Field, hex: str, origin: str, also: str = "") -> None:
    """The terrain of the target; `origin` is where the fire comes from, empty when from above.

    `also` is one more rule that speaks of fortifications.
    """
    terrain = field.terrain[hex]
    if terrain != FORTIFICATION:
        modifier = TERRAIN[terrain].modifier
        if modifier:
            ladder.add(
                modifier,
                "terreno.copertura#protetto"
                if terrain == "cover"
                else ("terreno.elevato#protetto", "arbitrato.elevato_mod"),
                N_("{hex}: {terrain}"),
                hex=hex,
                terrain=terrain,
            )
        return
    if not origin or origin == hex:
        ladder.set(
            ladder.total,
            (
                "fortificazioni.modificatore#interno"
                if origin
                else "fortificazioni.modificatore#alto",
                "arbitrato.fortificazione_supporti",
            ),
            N_("{hex}: no triangles are crossed, no protection"),
            hex=hex,
        )
    elif field.enters_through_triangles(origin, hex):
        ladder.add(
            TERRAIN[FORTIFICATION].modifier,
            ("fortificazioni.modificatore#triangoli", "arbitrato.vertice_fortificazione"),
            N_("{hex}: the fire crosses triangles"),
            hex=hex,
        )
    else:
        ladder.set(
            ladder.total,
            (
                "fortificazioni.modificatore#assalto"
                if also
                else "fortificazioni.modificatore#interno",
                also,
            ),
            N_("{hex}: no triangles are crossed, no protection"),
            hex=hex,
        )


def terrain_shift(field: Field, hex: str, origin: str) -> int:
    """The same as a number, for who plans."""
    terrain = field.terrain[hex]
    if terrain != FORTIFICATION:
        return TERRAIN[terrain].modifier
    crossed = bool(origin) and origin != hex and field.enters_through_triangles(origin, hex)
    return TERRAIN[FORTIFICATION].modifier if crossed else 0
