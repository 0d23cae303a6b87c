"""Mechanized troops: boarding and dismounting (the chapter on transport).

Refs: trasporto.capacita, trasporto.salire, trasporto.segnalini, trasporto.affatica,
trasporto.scendere, trasporto.scendere-op, trasporto.accentramento, accentramento.trasporto,
trasporto.nessun-bonus, squadre-gioco.trasporti, miniature.camion.trasporto,
miniature.semicingolato, limiti.componenti, casa.02, casa.43, casa.58.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.toi.rules.stacking import why_not_stay
from engine.toi.state import tables
from engine.toi.state.book import because, rule
from engine.toi.state.events import Boarded, Dismounted, PointsSpent
from engine.toi.state.state import POINT, US, Active, State, Unit
from engine.toi.state.units import friends_at, is_team, obstacles_at, passengers, seat_of, type_of

BOARD, DISMOUNT = 2, 2


def why_no_room(state: State, unit: Unit, vehicle: Unit) -> Iterator[Ruling]:
    """Why a squad finds no place aboard (trasporto.capacita)."""
    if not unit.is_squad:
        yield rule("trasporto.capacita#abilita", N_("{unit} is not a squad"), unit=unit.id)
    room = type_of(vehicle).transport
    riders = len(passengers(state, vehicle.id))
    if riders >= room:
        yield rule(
            (
                "trasporto.capacita#trasporto/Camion (GMC, Opel Blitz)" if room > 1 else "",
                "trasporto.capacita#trasporto/Semicingolato (M3A1, SdKfz 251)" if room == 1 else "",
                "trasporto.capacita#trasporto/Carri armati" if not room else "",
                "miniature.camion.trasporto" if room > 1 else "",
                *(("casa.02", "miniature.semicingolato#trasporta") if room == 1 else ()),
            ),
            N_("{vehicle} carries {n} squads at most"),
            vehicle=vehicle.id,
            n=room,
        )
    if not riders:
        limit = tables.COMPONENTS.transports["us" if unit.side == US else "de"]
        carrying = {
            one.aboard for one in state.units.values() if one.aboard and one.side == unit.side
        }
        if len(carrying) >= limit:
            yield rule(
                ("limiti.componenti#resto", "trasporto.segnalini#numeri"),
                N_("All {n} transport markers are in use"),
                n=limit,
            )


def transports_at(state: State, unit: Unit) -> list[Unit]:
    """The friendly vehicles in a squad's hex."""
    if not unit.is_squad or unit.aboard:
        return []
    return [one for one in friends_at(state, unit.hex, unit.side) if not one.is_squad]


def why_not_board(state: State, unit: Unit, vehicle: Unit, active: Active) -> Iterator[Ruling]:
    """Why the active squad may not board a vehicle (trasporto.salire)."""
    yield from why_no_room(state, unit, vehicle)
    if active.mp < BOARD * POINT:
        yield rule("trasporto.salire#due-pm", N_("Boarding costs {n} points"), n=BOARD)


def board(ctx: Ctx[State], unit: Unit, vehicle: str) -> None:
    """Two points; no op fire (trasporto.salire)."""
    active = ctx.state.active
    assert active is not None
    ctx.do(PointsSpent(unit=unit.id, left=active.mp - BOARD * POINT), "trasporto.salire#due-pm")
    mate = is_team(ctx.state, unit.side) and seat_of(
        ctx.state, ctx.state.units[vehicle]
    ) != seat_of(ctx.state, unit)
    ctx.do(
        Boarded(unit=unit.id, vehicle=vehicle),
        (
            "trasporto.salire#due-pm",
            "fuoco-op.no-innesco#salire",
            "trasporto.segnalini#metti",
            "casa.43" if active.action != "advance" else "",
            "squadre-gioco.trasporti" if mate else "",
        ),
    )


def why_not_dismount(state: State, unit: Unit, active: Active) -> Iterator[Ruling]:
    """Why the active passenger may not get off (trasporto.scendere)."""
    if active.mp < DISMOUNT * POINT and active.card != "motor_column":
        yield rule("trasporto.scendere#due-pm", N_("Dismounting costs {n} points"), n=DISMOUNT)
    yield from why_no_place(state, unit)


def why_no_place(state: State, unit: Unit) -> Iterator[Ruling]:
    """Dismounting may not break the stacking limit (trasporto.accentramento)."""
    label = state.units[unit.aboard].hex
    for found in why_not_stay(state, unit, label):
        yield because(
            ("trasporto.accentramento#non-scende", "accentramento.trasporto"),
            (found,),
            N_("{unit} cannot dismount in {hex}: no room"),
            unit=unit.id,
            hex=label,
        )


def dismount(ctx: Ctx[State], unit: Unit) -> None:
    """Two points whatever the terrain; it counts as entering the hex (trasporto.scendere-op)."""
    active = ctx.state.active
    assert active is not None
    label = ctx.state.units[unit.aboard].hex
    ctx.do(
        PointsSpent(unit=unit.id, left=active.mp - DISMOUNT * POINT), "trasporto.scendere#due-pm"
    )
    ctx.do(
        Dismounted(unit=unit.id, hex=label),
        (
            "trasporto.scendere#piazzi",
            "trasporto.scendere-op",
            "casa.58" if obstacles_at(ctx.state, label) else "",
        ),
    )
