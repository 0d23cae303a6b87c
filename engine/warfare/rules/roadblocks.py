"""Chapter 1: roadblocks.

Refs: warfare:blocchi.*, azioni.speciali, arbitrato.blocco_piazzamento, arbitrato.sm_come_s.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.core.ctx import Ctx
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.kit.modifiers import add_all
from engine.warfare.rules.morale import (
    damage_of,
    hit_morale,
    lose_overwatch,
    show_use,
    why_not_fight,
    why_not_suppressed,
)
from engine.warfare.rules.movement import free_move
from engine.warfare.rules.track import cite_discount, discounted, pay_action
from engine.warfare.state.ascs import (
    CRITICAL,
    CRITICAL_FAILURE,
    FAILURE,
    MARGINAL,
    base_die,
    final_die,
    test_roll,
)
from engine.warfare.state.book import rule, why_none
from engine.warfare.state.events import RoadblockPlaced, RoadblockRemoved, StockSet
from engine.warfare.state.setting import field_of, spots_around
from engine.warfare.state.state import State, Unit, is_regular
from engine.warfare.state.tables import ENGINEERS, FORTIFICATION, WATER


def why_not_clear(state: State, one: Unit) -> Iterator[Ruling]:
    """Regular engineers by test, Irregular infantry without (blocchi.rimozione)."""
    if is_regular(state, one.side):
        if ENGINEERS not in one.values.icons:
            yield rule(
                ("blocchi.rimozione#chi", "azioni.speciali#riservata"),
                N_("{unit} has no engineers"),
                unit=one.id,
            )
        yield from why_not_fight(one)
    else:
        yield from why_not_irregular(one)
    if not any(hex in state.roadblocks for hex in field_of(state).around[one.hex]):
        yield rule(_beside(state, one), N_("no roadblock beside {unit}"), unit=one.id)


def _beside(state: State, one: Unit) -> str:
    """What asks for a roadblock in an adjacent hex, to remove it."""
    if is_regular(state, one.side):
        return "blocchi.rimozione#chi"
    return "blocchi.irregolari#adiacente"


def why_not_irregular(one: Unit) -> Iterator[Ruling]:
    """Irregular infantry that is not suppressed (blocchi.irregolari)."""
    if not one.is_infantry:
        yield rule("blocchi.irregolari#fanteria", N_("{unit} is not infantry"), unit=one.id)
    yield from why_not_suppressed(one)


def why_not_block(state: State, one: Unit) -> Iterator[Ruling]:
    """Only Irregulars place roadblocks, from their stock (blocchi.irregolari)."""
    if is_regular(state, one.side):
        yield rule(
            ("blocchi.rimozione#solo", "blocchi.irregolari#fanteria"),
            N_("Regulars place no roadblocks"),
        )
    yield from why_not_irregular(one)
    if not state.stock.get(one.side, 0):
        yield rule(
            ("blocchi.irregolari#terra", "arbitrato.blocco_piazzamento"),
            N_("{side} has no roadblock to place"),
            side=one.side,
        )
    yield from why_none(
        partial(why_not_block_in, state),
        field_of(state).around[one.hex],
        "arbitrato.blocco_piazzamento",
        N_("no hex beside {unit} takes a roadblock"),
        unit=one.id,
    )


def why_not_block_in(state: State, hex: str) -> Iterator[Ruling]:
    """A land hex without units, obstacles or fortifications (arbitrato.blocco_piazzamento)."""
    ref = "arbitrato.blocco_piazzamento"
    terrain = field_of(state).terrain[hex]
    if terrain in (WATER, FORTIFICATION):
        yield rule(ref, N_("{hex}: {terrain}"), hex=hex, terrain=terrain)
    if hex in state.at:
        yield rule(ref, N_("{other} stands in {hex}"), other=state.at[hex], hex=hex)
    if hex in state.roadblocks or hex in state.rubble:
        yield rule(ref, N_("{hex} is blocked"), hex=hex)


def why_not_roadblock_there(state: State, one: Unit, hex: str) -> Iterator[Ruling]:
    """There must be one to remove."""
    if hex not in state.roadblocks:
        yield rule(_beside(state, one), N_("no roadblock in {hex}"), hex=hex)


def clear(ctx: Ctx[State], name: str) -> None:
    """Remove an adjacent roadblock (blocchi.rimozione, blocchi.irregolari)."""
    state, one = ctx.state, ctx.state.units[name]
    regular = is_regular(state, one.side)
    hex = ctx.choose(
        "roadblock.remove",
        one.side,
        spots_around(state, one.hex),
        _beside(state, one),
        N_("Which roadblock does {unit} remove?"),
        why_not=lambda label: why_not_roadblock_there(state, one, label),
        unit=name,
    )
    show_use(ctx, name)
    light = one.values.light
    cite_discount(ctx, name, light.ap, one.damage)
    cost = discounted(light.ap, one.damage)
    pay_action(
        ctx,
        one.side,
        cost,
        ("blocchi.rimozione#paga", "azioni.speciali#costa")
        if regular
        else "blocchi.irregolari#fanteria",
    )
    lose_overwatch(ctx, name)
    if regular:
        clear_by_test(ctx, name, hex)
        return
    ctx.do(RoadblockRemoved(hex=hex), "blocchi.irregolari#fanteria")
    left = ctx.state.stock.get(one.side, 0) + 1
    ctx.do(StockSet(side=one.side, n=left), "arbitrato.blocco_piazzamento")


def clear_by_test(ctx: Ctx[State], name: str, hex: str) -> None:
    """The engineers' die (blocchi.test)."""
    one = ctx.state.units[name]
    ladder = base_die(
        ctx,
        one.values.icons[ENGINEERS],
        ("blocchi.rimozione#dado", "azioni.speciali#dado"),
        N_("engineers of {unit}: {colour}"),
        unit=name,
    )
    add_all(ladder, damage_of(one))
    result = test_roll(
        ctx,
        final_die(ladder),
        "blocchi.rimozione#tira",
        N_("{unit} works on the roadblock in {hex}"),
        unit=name,
        hex=hex,
    )
    if result in (CRITICAL_FAILURE, FAILURE):
        ctx.cite(
            "blocchi.test#esiti/Fallimento"
            if result == FAILURE
            else "blocchi.test#esiti/Fallimento Critico",
            N_("the roadblock in {hex} stays"),
            hex=hex,
        )
        if result == CRITICAL_FAILURE:
            hit_morale(ctx, name, "blocchi.test#esiti/Fallimento Critico")
        return
    ctx.do(
        RoadblockRemoved(hex=hex),
        ("blocchi.test#esiti/Successo Marginale", "arbitrato.sm_come_s")
        if result == MARGINAL
        else "blocchi.test#esiti/Successo Critico"
        if result == CRITICAL
        else "blocchi.test#esiti/Successo",
    )
    if result == CRITICAL:
        free_move(ctx, name, "blocchi.test#esiti/Successo Critico")


def block(ctx: Ctx[State], name: str) -> None:
    """Irregular infantry puts a roadblock beside it, without a test (blocchi.irregolari)."""
    state, one = ctx.state, ctx.state.units[name]
    hex = ctx.choose(
        "roadblock.place",
        one.side,
        spots_around(state, one.hex),
        ("blocchi.irregolari#adiacente", "arbitrato.blocco_piazzamento"),
        N_("Where does {unit} put a roadblock?"),
        why_not=lambda label: why_not_block_in(state, label),
        unit=name,
    )
    show_use(ctx, name)
    light = one.values.light
    cite_discount(ctx, name, light.ap, one.damage)
    pay_action(ctx, one.side, discounted(light.ap, one.damage), "blocchi.irregolari#fanteria")
    lose_overwatch(ctx, name)
    ctx.do(StockSet(side=one.side, n=state.stock[one.side] - 1), "arbitrato.blocco_piazzamento")
    ctx.do(RoadblockPlaced(hex=hex), "blocchi.irregolari#fanteria")
