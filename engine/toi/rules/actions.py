"""What a ready unit may be activated for (Action Phase, the eight actions).

Refs: azione.otto, azione.solo-pronte, azione.affaticamento, azione.avanzata, azione.concentrato,
azione.prepara-op, azione.fm, azione.fm-armi-pesanti, azione.assalto, azione.affatica,
definizioni.pronta, definizioni.affaticata, danni.op-possibile.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, place
from engine.core.decisions import unit as unit_choice
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.toi.rules import fire, mortars
from engine.toi.rules.assault import why_not_order
from engine.toi.rules.combined import gather
from engine.toi.rules.ground import ground
from engine.toi.rules.movement import why_not_move
from engine.toi.rules.opportunity import why_not_wait
from engine.toi.rules.specialists import why_not_special
from engine.toi.rules.targets import stance, why_not_attack, why_not_fire
from engine.toi.state.book import rule
from engine.toi.state.events import Fatigued, OpFireSet
from engine.toi.state.state import (
    ADVANCE,
    ASSAULT,
    CONCENTRATED,
    FATIGUE,
    FATIGUED,
    FIRE_MOVE,
    OP_FIRE,
    PREPARE,
    READY,
    State,
    Unit,
)
from engine.toi.state.units import has_heavy_weapon, make, place_of, seat_of


def why_not_ready(unit: Unit) -> Iterator[Ruling]:
    """Only ready units are activated (azione.solo-pronte)."""
    if unit.activation != READY:
        yield _not_ready(unit.id, unit.activation)


@lru_cache(maxsize=1024)
def _not_ready(unit: str, activation: str) -> Ruling:
    return rule(
        (
            "azione.solo-pronte",
            "definizioni.pronta#in-op"
            if activation == OP_FIRE
            else "definizioni.pronta#senza-segnalino",
            "definizioni.affaticata#non-attivabile" if activation == FATIGUED else "",
        ),
        N_("{unit} is not ready: {activation}"),
        unit=unit,
        activation=activation,
    )


def why_not_do(state: State, unit: Unit, verb: str) -> Iterator[Ruling]:
    """Why a ready unit may not be activated for a verb."""
    match verb:
        case "advance":
            return why_not_advance(state, unit)
        case "concentrated fire":
            return why_not_concentrate(state, unit)
        case "prepare op fire":
            return why_not_wait(unit)
        case "fire and movement":
            return why_not_fire_and_move(state, unit)
        case "assault":
            return why_not_order(state, unit)
        case "fatigue unit":
            return why_not_ready(unit)
        case _:
            return why_not_special(state, unit, verb)


def why_not_advance(state: State, unit: Unit) -> Iterator[Ruling]:
    """Move, and nothing else (azione.avanzata)."""
    yield from why_not_ready(unit)
    yield from why_not_move(state, unit)


def why_not_concentrate(state: State, unit: Unit) -> Iterator[Ruling]:
    """One attack from where it stands (azione.concentrato)."""
    yield from why_not_ready(unit)
    against = tuple(why_not_attack(state, unit, CONCENTRATED))
    yield from against
    if against:
        return
    no_target = fire.why_no_target(state, unit, CONCENTRATED, "visuale.necessaria#serve")
    first = next(no_target, None)
    if first is not None and not mortars.has_shell_target(state, unit):
        yield first
        yield from no_target


def why_not_fire_and_move(state: State, unit: Unit) -> Iterator[Ruling]:
    """Not for heavy weapons, nor for whoever cannot move (azione.fm-armi-pesanti)."""
    yield from why_not_ready(unit)
    if has_heavy_weapon(unit):
        yield rule(
            (
                "azione.fm-armi-pesanti#vietato",
                "definizioni.armi-pesanti#fuoco-e-movimento",
                "miniature.mitragliatrice.azioni" if make(unit.figures).guns else "",
                "miniature.mortaio.azioni" if make(unit.figures).mortars else "",
            ),
            N_("{unit} has heavy weapons"),
            unit=unit.id,
        )
    yield from why_not_move(state, unit)


def concentrate(ctx: Ctx[State], name: str, whole: int = 0) -> None:
    """Attack at full firepower, with supporters; then all are fatigued (azione.concentrato)."""
    state = ctx.state
    unit = state.units[name]
    with ctx.under(
        ("azione.concentrato#attacca", "azione.unita-attiva#attiva"),
        N_("{unit}: {action}"),
        unit=name,
        action=CONCENTRATED,
    ):
        target, label = choose_mark(ctx, unit)
        if label:
            mortars.shell(ctx, name, label, whole)
            supporters: tuple[str, ...] = ()
        else:
            lead = fire.choose_group(ctx, stance(state, unit, CONCENTRATED), target)
            supports = gather(ctx, lead, target, CONCENTRATED, whole=whole)
            fire.resolve(ctx, fire.Attack(target, lead, supports))
            supporters = tuple(one.unit for one in supports)
        for one in supporters:
            if one in ctx.state.units:
                ctx.do(
                    Fatigued(unit=one),
                    ("fuoco-combinato.affatica#tutte", "azione.supporta#senza-azione"),
                )
        if name in ctx.state.units:
            ctx.do(
                Fatigued(unit=name),
                ("azione.affaticamento#affaticata", "azione.concentrato#affaticata"),
            )


Mark = tuple[str, str]


def choose_mark(ctx: Ctx[State], unit: Unit) -> Mark:
    """A unit for direct fire, or a hex for mortars."""
    state = ctx.state
    hexes = ground(state).hex
    choices: list[Choice[Mark]] = [
        unit_choice(one.id, (one.id, ""), hex=hexes[place_of(state, one)])
        for one in fire.targets(state, unit)
    ]
    shelled = mortars.shell_targets(state, unit)
    choices += [
        place(label, ("", label), N_("Mortars on {hex}"), hex=hexes[label]) for label in shelled
    ]

    how = stance(state, unit, CONCENTRATED)

    def why_not(mark: Mark) -> Iterator[Ruling]:
        target, label = mark
        if target:
            return why_not_fire(state, how, state.units[target])
        return mortars.why_not_shell(state, unit, label)

    return ctx.choose(
        "fire.target",
        seat_of(state, unit),
        choices,
        ("combattimento.bersaglio#bersaglio", "casa.55" if shelled else ""),
        N_("{unit}: fire at whom?"),
        why_not=why_not,
        unit=unit.id,
    )


def prepare(ctx: Ctx[State], name: str) -> None:
    """Op fire instead of fatigue (azione.prepara-op)."""
    damaged = ctx.state.units[name].damage != "intact"
    ctx.do(
        OpFireSet(unit=name),
        ("azione.prepara-op#segnalino", "danni.op-possibile#possibile" if damaged else ""),
    )


def fatigue(ctx: Ctx[State], name: str) -> None:
    """Spend an action and do nothing (azione.affatica)."""
    ctx.do(Fatigued(unit=name), "azione.affatica#spendi")


VERBS: tuple[Choice[str], ...] = (
    button("avanzata", ADVANCE, N_("Advance")),
    button("concentrato", CONCENTRATED, N_("Concentrated fire")),
    button("prepara-op", PREPARE, N_("Prepare op fire")),
    button("fuoco-e-movimento", FIRE_MOVE, N_("Fire and movement")),
    button("assalto", ASSAULT, N_("Assault")),
    button("affatica", FATIGUE, N_("Fatigue the unit")),
)
"""The actions that every unit might take (azione.otto)."""
