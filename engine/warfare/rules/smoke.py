"""Chapter 2: smoke.

Refs: warfare:fumogeni.*.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.core.ctx import Ctx
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.warfare.rules.morale import lose_overwatch, why_not_suppressed
from engine.warfare.rules.track import pay_one
from engine.warfare.state.book import rule, why_none
from engine.warfare.state.events import SmokePlaced
from engine.warfare.state.setting import field_of, spots_around
from engine.warfare.state.state import State, Unit
from engine.warfare.state.tables import WATER


def why_not_smoke(state: State, unit: Unit) -> Iterator[Ruling]:
    """Infantry that is not suppressed (fumogeni.lancio)."""
    if not unit.is_infantry:
        yield rule("fumogeni.lancio#fanteria", N_("only infantry throws smoke"), unit=unit.id)
    yield from why_not_suppressed(unit)
    yield from why_none(
        partial(why_not_smoke_in, state),
        field_of(state).around[unit.hex],
        "fumogeni.acqua",
        N_("no hex around {unit} can take smoke"),
        unit=unit.id,
    )


def why_not_smoke_in(state: State, hex: str) -> Iterator[Ruling]:
    """Not in the water, nor twice in the same hex (fumogeni.acqua)."""
    if field_of(state).terrain[hex] == WATER:
        yield rule("fumogeni.acqua", N_("{hex} is water"), hex=hex)
    if hex in state.smoke:
        yield rule("fumogeni.durata", N_("{hex} has smoke until the end of the turn"), hex=hex)


def throw_smoke(ctx: Ctx[State], name: str) -> None:
    """1 AP, a marker in an adjacent hex (fumogeni.lancio)."""
    state, unit = ctx.state, ctx.state.units[name]
    hex = ctx.choose(
        "smoke.hex",
        unit.side,
        spots_around(state, unit.hex),
        "fumogeni.lancio#paga",
        N_("Where does {unit} throw smoke?"),
        why_not=lambda label: why_not_smoke_in(state, label),
        unit=name,
    )
    pay_one(ctx, name, unit.side, "fumogeni.lancio#paga")
    lose_overwatch(ctx, name)
    ctx.do(SmokePlaced(hex=hex), ("fumogeni.lancio#paga", "fumogeni.effetto#vieta"))
