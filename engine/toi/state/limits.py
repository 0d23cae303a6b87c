"""What the box holds (the chapter on component limits).

Refs: limiti.componenti, faq.miniature-esaurite, componenti.elenco, componenti.basette.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.rules import Ruling, Side
from engine.core.text import N_
from engine.toi.state import tables
from engine.toi.state.book import rule
from engine.toi.state.state import US, State


def in_play(state: State, kind: str) -> int:
    """How many pieces of a type are on bases, on the map or waiting to be built."""
    found = sum(unit.figures.count(kind) + (unit.type == kind) for unit in state.units.values())
    for forces in state.reserve.values():
        for force in forces:
            found += force.figures.get(kind, 0) + force.vehicles.get(kind, 0)
    return found


def why_no_piece(state: State, kind: str, wanted: int = 1) -> Iterator[Ruling]:
    """Why the box has no piece left of a type (limiti.componenti)."""
    limit = tables.UNITS[kind].limit
    used = in_play(state, kind)
    if used + wanted > limit:
        yield rule(
            ("limiti.componenti#elenco", "componenti.elenco#componenti"),
            N_("{piece}: {n} of {limit} are in use"),
            piece=kind,
            n=used,
            limit=limit,
        )


def why_no_base(state: State, side: Side, division: int) -> Iterator[Ruling]:
    """Each division has twelve bases (componenti.basette)."""
    limit = tables.COMPONENTS.bases["us" if side == US else "de"][division]
    used = sum(
        unit.is_squad and unit.side == side and unit.division == division
        for unit in state.units.values()
    )
    if used >= limit:
        yield rule(
            ("limiti.componenti#elenco", "componenti.basette#dodici"),
            N_("All {n} bases of the division are in use"),
            n=limit,
        )


def why_no_token(state: State, token: str) -> Iterator[Ruling]:
    """There are six tokens of each specialization (limiti.componenti)."""
    limit = {str(name): n for name, n in tables.COMPONENTS.tokens.items()}[token]
    used = sum(unit.token == token for unit in state.units.values())
    if used >= limit:
        yield rule(
            ("limiti.componenti#elenco", "componenti.specializzazione"),
            N_("All {n} tokens are in use: {token}"),
            n=limit,
            token=token,
        )
