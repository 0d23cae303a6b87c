"""Chapter 1: crowds and civilians, and turning one into the other.

Refs: warfare:popolazione.conversione, popolazione.conversione_irregolari, popolazione.test,
arbitrato.conversione_stesso_esagono, arbitrato.sm_come_s, arbitrato.folla_su_regolari.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.core.ctx import Ctx
from engine.core.decisions import unit
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.kit.modifiers import add_all
from engine.warfare.rules.morale import (
    damage_of,
    hit_morale,
    lose_overwatch,
    show_use,
    why_not_suppressed,
)
from engine.warfare.rules.track import cite_discount, discounted, pay_action
from engine.warfare.state.ascs import (
    CRITICAL,
    CRITICAL_FAILURE,
    FAILURE,
    MARGINAL,
    Steps,
    base_die,
    final_die,
    test_roll,
)
from engine.warfare.state.book import rule, why_none
from engine.warfare.state.events import MoraleSet, PeopleFlipped
from engine.warfare.state.setting import field_of
from engine.warfare.state.state import (
    CIVILIANS,
    MORALE_NAMES,
    OTHER_FACE,
    Population,
    State,
    Unit,
    is_regular,
)


def why_not_convert(state: State, one: Unit) -> Iterator[Ruling]:
    """Not suppressed, with population to turn beside (popolazione.conversione)."""
    yield from why_not_suppressed(one)
    yield from why_none(
        partial(why_not_convert_marker, state, one),
        people_near(state, one),
        "popolazione.conversione#adiacente",
        N_("no population beside {unit} that it can turn"),
        unit=one.id,
    )


def people_near(state: State, one: Unit) -> list[Population]:
    """Population beside a unit or with it."""
    around = field_of(state).around[one.hex]
    return [p for p in state.population.values() if p.hex == one.hex or p.hex in around]


def why_not_convert_marker(state: State, one: Unit, people: Population) -> Iterator[Ruling]:
    """Adjacent, and civilians only by Irregulars (popolazione.conversione_irregolari)."""
    if people.hex == one.hex:
        yield rule(
            ("popolazione.conversione#adiacente", "arbitrato.conversione_stesso_esagono"),
            N_("{marker} is in the same hex: it takes an adjacent one"),
            marker=people.id,
        )
    if people.face == CIVILIANS and is_regular(state, one.side):
        yield rule(
            "popolazione.conversione_irregolari#solo",
            N_("{marker} are civilians: only Irregulars stir them up"),
            marker=people.id,
        )


def convert(ctx: Ctx[State], name: str) -> None:
    """Light cost, light die, table (popolazione.conversione)."""
    state, one = ctx.state, ctx.state.units[name]
    field = field_of(state)
    people = ctx.choose(
        "population.turn",
        one.side,
        [unit(p.id, p, hex=field.hex[p.hex]) for p in people_near(state, one)],
        "popolazione.conversione#adiacente",
        N_("Which population does {unit} try to turn?"),
        why_not=lambda p: why_not_convert_marker(state, one, p),
        unit=name,
    )
    show_use(ctx, name)
    light = one.values.light
    cite_discount(ctx, name, light.ap, one.damage)
    refs = (
        Steps(*["popolazione.conversione_irregolari#stessa"] * 3)
        if people.face == CIVILIANS
        else Steps(
            "popolazione.conversione#paga",
            "popolazione.conversione#dado",
            "popolazione.conversione#tira",
        )
    )
    pay_action(ctx, one.side, discounted(light.ap, one.damage), refs.price)
    lose_overwatch(ctx, name)
    ladder = base_die(ctx, light.die, refs.die, N_("light weapons of {unit}: {colour}"), unit=name)
    add_all(ladder, damage_of(one))
    result = test_roll(
        ctx, final_die(ladder), refs.roll, N_("{unit} faces {marker}"), unit=name, marker=people.id
    )
    apply_conversion(ctx, name, people, result)


def apply_conversion(ctx: Ctx[State], name: str, people: Population, result: str) -> None:
    """What the test does (popolazione.test)."""
    if result in (CRITICAL_FAILURE, FAILURE):
        row = "popolazione.test#esiti/Fallimento"
        if result == CRITICAL_FAILURE:
            row = "popolazione.test#esiti/Fallimento Critico"
        ctx.cite(row, N_("{marker} does not change"), marker=people.id)
        if result == CRITICAL_FAILURE:
            hit_morale(ctx, name, row)
        return
    face = OTHER_FACE[people.face]
    ctx.do(
        PeopleFlipped(marker=people.id, hex=people.hex, face=face),
        ("popolazione.test#esiti/Successo Marginale", "arbitrato.sm_come_s")
        if result == MARGINAL
        else "popolazione.test#esiti/Successo Critico"
        if result == CRITICAL
        else "popolazione.test#esiti/Successo",
    )
    one = ctx.state.units[name]
    if result == CRITICAL and one.morale:
        level = one.morale - 1
        event = MoraleSet(unit=name, morale=MORALE_NAMES[level], level=level)
        ctx.do(event, "popolazione.test#esiti/Successo Critico")
    elif result == CRITICAL:
        ctx.cite(
            "popolazione.test#esiti/Successo Critico",
            N_("{unit} has no morale damage to lose"),
            unit=name,
        )
