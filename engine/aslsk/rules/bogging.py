"""Bog Checks: entering or turning where the ground gives way (7.6).

Refs: 2.0.bog, 2.0.ground_pressure, 7.6, casa.48.
"""

from __future__ import annotations

from engine.aslsk.state.book import DR, drm
from engine.aslsk.state.ground import BUILDINGS, WOODS, Ground
from engine.aslsk.state.state import State, Vehicle
from engine.aslsk.state.tables import other
from engine.aslsk.state.vehicle_events import Bogged
from engine.core.ctx import Ctx
from engine.core.text import N_
from engine.kit.modifiers import add_all


def is_rough(field: Ground, hex: str) -> bool:
    """Off-road in woods, or in a building."""
    terrain = field.terrain[hex]
    return terrain in BUILDINGS or (terrain == WOODS and hex not in field.road_hexes)


def bogs(ctx: Ctx[State], v: Vehicle, hex: str, how: str) -> bool:
    """Final DR of 12 or more (7.6)."""
    file = other()
    lines = [drm(file.bog_pressure[v.data.pressure], "2.0.ground_pressure", N_("ground pressure"))]
    terrain = ctx.state.ground.terrain[hex]
    if how != "turn" and how != "hedge":
        if terrain in BUILDINGS:
            lines.append(drm(file.bog_building, "7.6#bog/edificio", N_("building")))
        elif how == "half":
            lines.append(
                drm(
                    file.bog_half_woods,
                    "7.6#bog/bosco con metà degli MP",
                    N_("woods with half its MP"),
                )
            )
        elif v.data.is_ac:
            lines.append(
                drm(
                    file.bog_ac_woods,
                    "7.6#bog/bosco con tutti gli MP",
                    N_("armoured car in woods"),
                    table="bog",
                )
            )
    change = add_all(ctx.tally(N_("Bog DRM")), lines)

    def read(faces: tuple[int, ...]) -> bool:
        return faces[0] + faces[1] + change >= 12

    why = N_("Bog Check of {unit}: under {number}")
    rebuilt = how in ("turn", "hedge") or v.data.is_ac
    refs = ("7.6#fallisce", "2.0.bog#fallisce", "casa.48" if rebuilt else "")
    return ctx.roll(DR, read, refs, why, unit=v.id, number=12 - change)


def bog(ctx: Ctx[State], name: str) -> None:
    """Bogged: it stops and its MPh ends (7.6)."""
    ctx.do(Bogged(vehicle=name), ("7.6#fallisce", "2.0.bog#effetti"))
