"""Opportunity fire: the reaction to a unit that enters a hex (the chapter on op fire).

Refs: fuoco-op.innesco, fuoco-op.no-innesco, fuoco-op.uno-per-esagono,
fuoco-op.una-per-attivazione, fuoco-op.effetto, fuoco-op.pesanti, fuoco-op.affatica,
azione.esegui-op, azione.senza-attivazione, movimento.op, movimento.op-ripetuto,
miniature.mitragliatrice.op-rapido, miniature.mitragliatrice.bersagli, miniature.mortaio.no-op,
casa.28, casa.45, casa.61.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button
from engine.core.decisions import unit as unit_choice
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.toi.rules.combined import gather
from engine.toi.rules.fire import Attack, choose_group, resolve
from engine.toi.rules.ground import ground
from engine.toi.rules.targets import can_fire, can_reach, groups, only_guns, stance, why_not_fire
from engine.toi.state.book import passed_over, rule
from engine.toi.state.events import Fatigued, ShotAt
from engine.toi.state.state import OP_FIRE, State, Unit, enemy
from engine.toi.state.units import make, seat_of, type_of


def why_not_react(state: State, unit: Unit, mover: Unit) -> Iterator[Ruling]:
    """Why a unit in op fire may not fire at the active unit (fuoco-op.innesco)."""
    active = state.active
    if active is not None and unit.id in active.shot_by:
        yield rule(
            ("fuoco-op.una-per-attivazione#una", "miniature.mitragliatrice.bersagli"),
            N_("{unit} has already fired at this unit"),
            unit=unit.id,
        )
    if unit.is_squad and not groups(unit):
        yield rule("miniature.mortaio.no-op#mai", N_("{unit}: mortars never op fire"), unit=unit.id)
        return
    yield from why_not_fire(state, stance(state, unit, OP_FIRE), mover)


def can_react(state: State, unit: Unit, mover: Unit) -> bool:
    """Whether `why_not_react` finds nothing."""
    active = state.active
    if active is not None and unit.id in active.shot_by:
        return False
    return can_reach(state, unit, OP_FIRE, mover) and can_fire(
        state, stance(state, unit, OP_FIRE), mover
    )


def react(ctx: Ctx[State], name: str) -> bool:
    """The enemy may answer once to the hex just entered (movimento.op). Whether it fired."""
    state = ctx.state
    mover = state.units[name]
    if mover.concealed:
        return False
    waiting = [
        unit
        for unit in state.units.values()
        if unit.activation == OP_FIRE and unit.hex and unit.side != mover.side
    ]
    if not waiting:
        return False
    hexes = ground(state).hex
    asked = False
    for seat in state.seats[enemy(mover.side)]:
        mine = [unit for unit in waiting if seat_of(state, unit) == seat]
        if not any(can_react(state, unit, mover) for unit in mine):
            continue
        asked = True
        choices: list[Choice[str]] = [
            unit_choice(unit.id, unit.id, hex=hexes[unit.hex]) for unit in mine
        ]
        choices.append(button("no", "", N_("Hold fire")))
        lead = ctx.choose(
            "opfire.react",
            seat,
            choices,
            ("movimento.op#dichiara", "fuoco-op.innesco#attacca"),
            N_("{unit} enters {hex}: opportunity fire?"),
            why_not=lambda one: why_not_react(state, state.units[one], mover) if one else None,
            unit=name,
            hex=mover.hex,
        )
        if lead:
            fire(ctx, lead, name)
            return True
    if not asked:
        say_nobody(ctx, waiting, mover)
    return False


def say_nobody(ctx: Ctx[State], waiting: list[Unit], mover: Unit) -> None:
    """Why nobody in op fire is asked: who has fired already, or at first the nearest of all."""
    state = ctx.state
    active = state.active
    spent = active.shot_by if active is not None else ()
    silent = [unit for unit in waiting if unit.id in spent]
    if not silent and (active is None or len(active.path) <= FIRST_STEP):
        far = ground(state).distances(mover.hex)
        silent = [min(waiting, key=lambda unit: far[unit.hex])]
    if silent:
        against = {unit.id: next(why_not_react(state, unit, mover)) for unit in silent}
        words = N_("{unit} in {hex} draws no op fire: {units}")
        ctx.cite(
            passed_over("fuoco-op.innesco#attacca", against, words, unit=mover.id, hex=mover.hex)
        )


FIRST_STEP = 2
"""The hexes of a path that begins: where it started, and the first that was entered."""


def fire(ctx: Ctx[State], lead: str, name: str) -> None:
    """One attack for the hex entered; several shooters must combine (fuoco-op.uno-per-esagono)."""
    with ctx.under(
        (
            "azione.esegui-op#spara",
            "fuoco-op.innesco#attacca",
            "movimento.op#dichiara",
            "fuoco-op.uno-per-esagono#uno",
            "movimento.op-ripetuto",
            "fuoco-combinato.capofila#in-op",
        ),
        N_("{unit}: opportunity fire at {target}"),
        unit=lead,
        target=name,
    ):
        if ground(ctx.state).distance(ctx.state.units[lead].hex, ctx.state.units[name].hex) == 0:
            ctx.cite(
                ("miniature.carro.blitz-op#ravvicinato", "casa.45"),
                N_("{unit} fires within its own hex: close range"),
                unit=lead,
            )
        first = choose_group(ctx, stance(ctx.state, ctx.state.units[lead], OP_FIRE), name)
        active = ctx.state.active
        barred = active.shot_by if active is not None else ()
        supports = gather(ctx, first, name, OP_FIRE, barred=barred)
        attack = Attack(name, first, supports)
        resolve(ctx, attack)
        for one in attack.aims:
            ctx.do(ShotAt(unit=one.unit), "fuoco-op.una-per-attivazione#una")
            shooter = ctx.state.units.get(one.unit)
            if shooter is None:
                continue
            if shooter.is_squad and only_guns(shooter, one.group):
                ctx.cite(
                    "miniature.mitragliatrice.op-rapido#resta",
                    N_("{unit} stays in op fire"),
                    unit=one.unit,
                )
            else:
                ctx.do(
                    Fatigued(unit=one.unit),
                    (
                        "fuoco-op.affatica#affaticate",
                        "fuoco-combinato.affatica#in-op" if supports else "",
                    ),
                )


def why_not_wait(unit: Unit) -> Iterator[Ruling]:
    """Why a unit may not be put in op fire (azione.prepara-op, stato.op)."""
    if unit.aboard:
        yield rule(
            ("casa.61", "trasporto.a-bordo#dentro"),
            N_("{unit} rides in {vehicle}: never in op fire"),
            unit=unit.id,
            vehicle=unit.aboard,
        )
    if unit.condition != "normal":
        yield rule(
            "condizioni.op#mai",
            N_("{unit} is {condition}: never in op fire"),
            unit=unit.id,
            condition=unit.condition,
        )
    if unit.is_squad:
        made = make(unit.figures)
        if not made.rifles and not made.guns:
            yield rule(
                ("miniature.mortaio.no-op#soli-mortai", "casa.38"),
                N_("{unit} has only mortars: no op fire"),
                unit=unit.id,
            )
    elif not _is_armed(unit):
        yield rule(
            ("casa.37", "miniature.camion.trasporto"),
            N_("{unit} has no weapons: no op fire"),
            unit=unit.id,
        )


def _is_armed(unit: Unit) -> bool:
    return type_of(unit).infantry is not None
