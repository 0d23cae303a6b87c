"""Where German reinforcements appear: 9.3, 9.32, 9.33, 11.31, 19.3.guarnigione."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.ddob.rules.communication import is_in_play, is_linked
from engine.ddob.state.book import rule
from engine.ddob.state.events import Removed
from engine.ddob.state.ground import distances
from engine.ddob.state.state import State, index, units_at
from engine.ddob.state.tables import POSITIONS, UNITS, Position

FAR = 99


def nearest_us(state: State, label: str) -> int:
    """Hexes to the nearest US unit."""
    return min(map(distances(label).__getitem__, index(state).occupied), default=FAR)


def why_not_reinforce(state: State, position: Position) -> Iterator[Ruling]:
    """Why a position takes no reinforcement called by an event (9.32, 9.33)."""
    label = position.hexes[0]
    if not is_in_play(state, label):
        yield rule(
            "ef.eventi-modificati#zona-d", N_("{position}: not in play."), position=position.id
        )
    if label in state.germans:
        yield rule("9.32#altra-unita", N_("{position}: German already."), position=position.id)
    if label in state.garrisons:
        yield rule(
            "19.3.guarnigione#impedisce",
            N_("{position}: a garrison holds it."),
            position=position.id,
        )
    if not is_linked(state, label):
        yield rule("9.33#linea", N_("{position}: no communication."), position=position.id)


def zone_choice(state: State, zone: str) -> tuple[int, int, Position] | None:
    """The position of a zone that a reinforcement takes: near US units, lowest number (9.3).

    WNs and positions without a number belong to no zone (9.32).
    """
    found: list[tuple[int, int, Position]] = []
    for position in POSITIONS.values():
        if position.zone != zone or any(True for _ in why_not_reinforce(state, position)):
            continue
        near = nearest_us(state, position.hexes[0])
        band = 1 if near <= 1 else 2 if near == 2 else 3
        found.append((band, position.number, position))
    return min(found, key=lambda f: f[:2], default=None)


def capture_general(ctx: Ctx[State], label: str) -> None:
    """A general alone where a German unit appears is captured (11.31)."""
    for unit in units_at(ctx.state, label):
        if UNITS[unit.id].type == "general":
            ctx.do(Removed(unit=unit.id), "11.31#catturato")
