"""Specialized squads and the special actions of operation cards (the chapter on specialists).

Refs: specializzazioni.normale, specializzazioni.scenario, specializzazioni.ingegnere.trincea,
specializzazioni.ingegnere.limiti, specializzazioni.medico.cura, specializzazioni.condizione,
azione.speciale, condizioni.no-speciali, trasporto.a-bordo.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, place
from engine.core.decisions import unit as unit_choice
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.toi.rules.concealed import look
from engine.toi.rules.ground import ground
from engine.toi.rules.works import dig, place_smoke, why_not_dig, why_not_smoke, why_not_wire
from engine.toi.state import tables
from engine.toi.state.book import DIE, rule
from engine.toi.state.dice import successes
from engine.toi.state.events import (
    Fatigued,
    FigureGained,
    FortEntered,
    ObstaclePlaced,
    ObstacleRemoved,
)
from engine.toi.state.limits import why_no_piece
from engine.toi.state.state import ENGINEER, MEDIC, MINES, NORMAL, WIRE, State, Unit
from engine.toi.state.units import friends_at, is_reduced, obstacles_at, operation, seat_of

HEAL = 4


DIG, CURE = "dig", "cure"
MAKE_SMOKE, CLEAR_MINES, LAY_WIRE = "make_smoke", "clear_mines", "lay_wire"


def special_actions(state: State, unit: Unit) -> Iterator[Choice[str]]:
    """The special actions that a unit's token and the operation cards offer."""
    if unit.token == ENGINEER:
        yield button("scava", DIG, N_("Dig a trench"))
        if operation(state, unit.side, MAKE_SMOKE):
            yield button("fumo", MAKE_SMOKE, N_("Make smoke"))
        if operation(state, unit.side, CLEAR_MINES):
            yield button("bonifica", CLEAR_MINES, N_("Clear a minefield"))
        if operation(state, unit.side, LAY_WIRE):
            yield button("reticolati", LAY_WIRE, N_("Lay razor wire"))
    if unit.token == MEDIC:
        yield button("cura", CURE, N_("Heal"))


def why_not_special(state: State, unit: Unit, verb: str) -> Iterator[Ruling]:
    """Why a squad may not take a special action now."""
    if unit.aboard:
        yield rule("trasporto.a-bordo#dentro", N_("{unit} must dismount first"), unit=unit.id)
        return
    if unit.condition != NORMAL:
        yield rule(
            ("condizioni.no-speciali", "specializzazioni.condizione#non-usa"),
            N_("{unit} is {condition}"),
            unit=unit.id,
            condition=unit.condition,
        )
    match verb:
        case "dig":
            yield from why_not_dig(state, unit.hex)
        case "cure":
            if not patients(state, unit):
                yield rule(
                    ("specializzazioni.medico.cura#curare", "definizioni.forza"),
                    N_("No reduced squad in {hex}"),
                    hex=unit.hex,
                )
            yield from why_no_piece(state, f"{unit.side}_reg")
        case "make_smoke":
            around = (unit.hex, *ground(state).near[unit.hex])
            if all(next(why_not_smoke(state, label), None) for label in around):
                yield from why_not_smoke(state, unit.hex)
        case "clear_mines":
            if not mines_near(state, unit):
                yield rule(
                    "specializzazioni.scenario#aggiunge",
                    N_("No minefield near {unit}"),
                    unit=unit.id,
                )
        case _:
            yield from why_not_wire(state, unit.hex)


def patients(state: State, unit: Unit) -> list[Unit]:
    """The reduced squads of the medics' hex, themselves included."""
    return [one for one in friends_at(state, unit.hex, unit.side) if is_reduced(one)]


def mines_near(state: State, unit: Unit) -> list[str]:
    """Minefields in or next to a hex."""
    around = (unit.hex, *ground(state).near[unit.hex])
    return [label for label in around if MINES in obstacles_at(state, label)]


def act(ctx: Ctx[State], name: str, verb: str) -> None:
    """Take a special action: the squad is fatigued (azione.speciale)."""
    {
        DIG: dig_trench,
        CURE: heal,
        MAKE_SMOKE: make_smoke,
        CLEAR_MINES: clear_mines,
        LAY_WIRE: lay_wire,
    }[verb](ctx, ctx.state.units[name])
    look(ctx)


def dig_trench(ctx: Ctx[State], unit: Unit) -> None:
    """Engineers place a trench and may enter it at once (specializzazioni.ingegnere.trincea)."""
    ctx.do(Fatigued(unit=unit.id), ("specializzazioni.ingegnere.trincea", "azione.speciale#comuni"))
    fort = dig(ctx, unit.hex, "specializzazioni.ingegnere.trincea")
    if unit.fort:
        return
    choices: list[Choice[bool]] = [
        button("entra", True, N_("Enter {fort}"), fort=fort),
        button("fuori", False, N_("Stay outside")),
    ]
    if ctx.choose(
        "special.trench",
        seat_of(ctx.state, unit),
        choices,
        "specializzazioni.ingegnere.trincea",
        N_("{unit}: enter the trench?"),
        unit=unit.id,
    ):
        ctx.do(FortEntered(unit=unit.id, fort=fort), "specializzazioni.ingegnere.trincea")


def heal(ctx: Ctx[State], unit: Unit) -> None:
    """Medics roll for a reduced squad of their hex (specializzazioni.medico.cura)."""
    ctx.do(
        Fatigued(unit=unit.id), ("specializzazioni.medico.cura#curare", "azione.speciale#comuni")
    )
    sick = patients(ctx.state, unit)
    patient = sick[0].id
    if len(sick) > 1:
        hexes = ground(ctx.state).hex
        patient = ctx.choose(
            "special.patient",
            seat_of(ctx.state, unit),
            [unit_choice(one.id, one.id, hex=hexes[one.hex]) for one in sick],
            "specializzazioni.medico.cura#dado",
            N_("{unit}: which squad is healed?"),
            unit=unit.id,
        )
    healed = ctx.roll(
        DIE * 1,
        successes(HEAL),
        "specializzazioni.medico.cura#dado",
        N_("{unit} heals {patient}: {need} or more"),
        unit=unit.id,
        patient=patient,
        need=HEAL,
    )
    if healed:
        ctx.do(
            FigureGained(unit=patient, figure=f"{unit.side}_reg"),
            ("specializzazioni.medico.cura#esito/4-6", "miniature.regolare#cure"),
        )
    else:
        ctx.cite(
            "specializzazioni.medico.cura#esito/1-3", N_("No effect on {target}"), target=patient
        )


def tell_card(ctx: Ctx[State], unit: Unit, effect: str) -> None:
    """By which operation card a squad does something special (specializzazioni.scenario)."""
    card = operation(ctx.state, unit.side, effect)
    if card is not None:
        found = rule(
            ("specializzazioni.scenario#aggiunge", "operazioni.generale#regola"),
            N_("{unit}: {card}"),
            unit=unit.id,
            card=card.id,
            **tables.doubt(card.provenance),
        )
        ctx.cite(found)


def make_smoke(ctx: Ctx[State], unit: Unit) -> None:
    """Engineers put smoke in their hex or an adjacent one (operation card)."""
    tell_card(ctx, unit, MAKE_SMOKE)
    ctx.do(
        Fatigued(unit=unit.id),
        (
            "azione.affaticamento#affaticata",
            "specializzazioni.scenario#aggiunge",
            "azione.speciale#altre",
        ),
    )
    field = ground(ctx.state)
    around = (unit.hex, *field.near[unit.hex])
    label = ctx.choose(
        "special.smoke",
        seat_of(ctx.state, unit),
        [place(one, one, hex=field.hex[one]) for one in around],
        ("specializzazioni.scenario#fumo", "fumo.piazzamento#uno"),
        N_("{unit}: smoke where?"),
        why_not=lambda one: why_not_smoke(ctx.state, one),
        unit=unit.id,
    )
    place_smoke(ctx, label, "specializzazioni.scenario#fumo")


def clear_mines(ctx: Ctx[State], unit: Unit) -> None:
    """Engineers remove a minefield (operation card)."""
    tell_card(ctx, unit, CLEAR_MINES)
    ctx.do(
        Fatigued(unit=unit.id),
        (
            "azione.affaticamento#affaticata",
            "specializzazioni.scenario#aggiunge",
            "azione.speciale#altre",
        ),
    )
    found = mines_near(ctx.state, unit)
    label = found[0]
    if len(found) > 1:
        hexes = ground(ctx.state).hex
        label = ctx.choose(
            "special.mines",
            seat_of(ctx.state, unit),
            [place(one, one, hex=hexes[one]) for one in found],
            "specializzazioni.scenario#aggiunge",
            N_("{unit}: which minefield is cleared?"),
            unit=unit.id,
        )
    ctx.do(ObstacleRemoved(hex=label, kind=MINES), "specializzazioni.scenario#aggiunge")


def lay_wire(ctx: Ctx[State], unit: Unit) -> None:
    """Engineers put wire in their hex (operation card)."""
    tell_card(ctx, unit, LAY_WIRE)
    ctx.do(
        Fatigued(unit=unit.id),
        (
            "azione.affaticamento#affaticata",
            "specializzazioni.scenario#aggiunge",
            "azione.speciale#altre",
        ),
    )
    ctx.do(
        ObstaclePlaced(hex=unit.hex, kind=WIRE),
        ("specializzazioni.scenario#aggiunge", "ostacoli.filo-massimo"),
    )
