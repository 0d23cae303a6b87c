"""Combined fire: one unit leads, others support (the chapter on combined fire).

Refs: fuoco-combinato.quando, fuoco-combinato.no-fm, fuoco-combinato.capofila,
fuoco-combinato.requisiti, fuoco-combinato.meta, fuoco-combinato.affatica,
fuoco-combinato.raggio, azione.supporta, squadre-gioco.combinato, squadre-gioco.insieme,
casa.06, casa.48.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial

import msgspec

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button
from engine.core.decisions import unit as unit_choice
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.toi.rules.fire import choose_group
from engine.toi.rules.ground import ground, sees
from engine.toi.rules.targets import Aim, Stance, can_fire, can_reach, stance, why_not_fire
from engine.toi.state.book import passed_over, rule
from engine.toi.state.events import CommandSpent
from engine.toi.state.state import CONCENTRATED, OP_FIRE, READY, State, Unit
from engine.toi.state.units import is_shaken, officer_at, on_map, seat_of

OTHER_DIVISION_COST = 1


def marker_for(mode: str) -> str:
    """The marker of those who may support (fuoco-combinato.requisiti)."""
    return READY if mode == CONCENTRATED else OP_FIRE


def why_not_join(state: State, lead: Unit, unit: Unit, mode: str) -> Iterator[Ruling]:
    """Why a unit may not support at all: its marker, its condition, the other division's price."""
    wanted = marker_for(mode)
    if unit.activation != wanted:
        yield _other_marker(unit.id, unit.activation, wanted)
    if is_shaken(unit):
        yield rule(
            "fuoco-combinato.requisiti#esclusi",
            N_("{unit} is {condition}: no support"),
            unit=unit.id,
            condition=unit.condition,
        )
    if is_other_division(state, lead, unit) and not officer_at(state, unit.hex, unit.side):
        command = state.armies[unit.side].command
        if command < OTHER_DIVISION_COST:
            yield rule(
                ("squadre-gioco.combinato", "casa.48"),
                N_("Support by the other division costs {n} command"),
                n=OTHER_DIVISION_COST,
            )


@lru_cache(maxsize=1024)
def _other_marker(unit: str, activation: str, wanted: str) -> Ruling:
    return rule(
        "fuoco-combinato.requisiti#pronte"
        if wanted == READY
        else "fuoco-combinato.requisiti#in-op",
        N_("{unit}: {activation}; only units that are {wanted} support here"),
        unit=unit,
        activation=activation,
        wanted=wanted,
    )


def is_other_division(state: State, lead: Unit, unit: Unit) -> bool:
    """Whether a team-mate owns the unit."""
    return seat_of(state, lead) != seat_of(state, unit)


class Support(msgspec.Struct, frozen=True):
    """What a supporter would join: who leads, the target, and how the next one fires.

    `whole` if the next supporter is not halved; `barred` may not fire at this target again.
    """

    lead: Unit
    target: Unit
    mode: str
    whole: bool
    barred: tuple[str, ...]


def why_not_support(state: State, declared: Support, unit: Unit) -> Iterator[Ruling]:
    """Why a unit may not support an attack: it must be able to attack alone."""
    yield from why_not_join(state, declared.lead, unit, declared.mode)
    yield from why_not_fire(state, stance_of(state, declared, unit), declared.target)


def can_support(state: State, declared: Support, unit: Unit) -> bool:
    """Whether `why_not_support` finds nothing."""
    if not can_reach(state, unit, declared.mode, declared.target):
        return False
    if next(why_not_join(state, declared.lead, unit, declared.mode), None) is not None:
        return False
    return can_fire(state, stance_of(state, declared, unit), declared.target)


def stance_of(state: State, declared: Support, unit: Unit) -> Stance:
    """How a unit would support."""
    return stance(state, unit, declared.mode, supports=not declared.whole)


def gather(
    ctx: Ctx[State],
    lead: Aim,
    target: str,
    mode: str,
    *,
    barred: tuple[str, ...] = (),
    whole: int = 0,
) -> tuple[Aim, ...]:
    """Declare the supporters, any number, before the roll (fuoco-combinato.quando).

    `barred` may not fire at this target again; the first `whole` supporters are not halved.
    """
    found: list[Aim] = []
    state = ctx.state
    leader = state.units[lead.unit]
    pool = [unit for unit in on_map(state, leader.side) if unit.id != leader.id]
    while True:
        taken = {one.unit for one in found}
        declared = Support(leader, state.units[target], mode, len(found) < whole, barred)
        name = choose_supporter(ctx, declared, [unit for unit in pool if unit.id not in taken])
        if name is None and not found:
            say_nobody(ctx, declared, pool)
        if not name:
            break
        how = stance_of(state, declared, state.units[name])
        found.append(choose_group(ctx, how, target))
        ctx.cite(
            (
                "fuoco-combinato.requisiti#da-sola",
                "azione.supporta#concentrato" if mode == CONCENTRATED else "azione.supporta#in-op",
                "fuoco-combinato.capofila#sostegno",
            ),
            N_("{unit} supports {lead}"),
            unit=name,
            lead=leader.id,
        )
    pay_other_division(ctx, leader, [state.units[one.unit] for one in found])
    return tuple(found)


def why_not_back(state: State, declared: Support, name: str) -> Iterator[Ruling]:
    """Why a unit may not be declared as a supporter; no name declares nobody."""
    if not name:
        return
    if name in declared.barred:
        yield rule(
            ("fuoco-op.una-per-attivazione#una", "miniature.mitragliatrice.bersagli"),
            N_("{unit} has already fired at this unit"),
            unit=name,
        )
    yield from why_not_support(state, declared, state.units[name])


def choose_supporter(ctx: Ctx[State], declared: Support, pool: list[Unit]) -> str | None:
    """One more supporter; empty when none is wanted, None when there is none."""
    state, wanted = ctx.state, marker_for(declared.mode)
    if not any(
        unit.activation == wanted
        and unit.id not in declared.barred
        and can_support(state, declared, unit)
        for unit in pool
    ):
        return None
    hexes = ground(state).hex
    choices: list[Choice[str]] = [
        unit_choice(unit.id, unit.id, hex=hexes[unit.hex]) for unit in pool
    ]
    choices.append(button("fuoco", "", N_("No more support: fire")))
    return ctx.choose(
        "fire.support",
        seat_of(state, declared.lead),
        choices,
        ("fuoco-combinato.quando#dichiari", "casa.06"),
        N_("{unit} attacks {target}: who supports?"),
        why_not=partial(why_not_back, state, declared),
        unit=declared.lead.id,
        target=declared.target.id,
    )


def say_nobody(ctx: Ctx[State], declared: Support, pool: list[Unit]) -> None:
    """Who sees the target and reaches it but may not support, and why."""
    state, target = ctx.state, declared.target
    against = {
        unit.id: next(why_not_back(state, declared, unit.id))
        for unit in pool
        if can_reach(state, unit, declared.mode, target) and sees(state, unit.hex, target.hex)
    }
    if against:
        words = N_("Nobody can support: {units}")
        ctx.cite(passed_over("fuoco-combinato.requisiti#esclusi", against, words))


def pay_other_division(ctx: Ctx[State], lead: Unit, supports: list[Unit]) -> None:
    """Once per attack, unless officers are with them (squadre-gioco.combinato)."""
    others = [unit for unit in supports if is_other_division(ctx.state, lead, unit)]
    if not others:
        return
    ctx.cite("squadre-gioco.insieme", N_("The two divisions make one roll"))
    if all(officer_at(ctx.state, unit.hex, unit.side) for unit in others):
        ctx.cite(("squadre-gioco.combinato", "casa.48"), N_("Officers: the support is free"))
    else:
        ctx.do(
            CommandSpent(side=lead.side, n=OTHER_DIVISION_COST),
            ("squadre-gioco.combinato", "casa.48"),
        )
