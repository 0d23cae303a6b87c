"""What hits do: losses, damage, conditions (combat, the chapter on results).

Refs: danni.tipi, danni.squadra, danni.due-personaggi, danni.stato-irrilevante,
danni.veicolo-integro, danni.veicolo-lieve, danni.veicolo-grave, danni.permane, danni.lieve,
danni.grave, condizioni.da-normale, condizioni.da-bloccata, condizioni.da-disgregata,
condizioni.durata, condizioni.op, trasporto.distruzione, miniature.camion.fragile, casa.47.
"""

from __future__ import annotations

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button
from engine.core.rules import Locators
from engine.core.text import N_
from engine.toi.state.events import Damaged, Disrupted, Fatigued, FigureLost, Pinned, UnitLost
from engine.toi.state.state import DISRUPTED, HEAVY, INTACT, LIGHT, NORMAL, PINNED, READY, State
from engine.toi.state.tables import UNITS
from engine.toi.state.units import has_trait, in_op_fire, passengers, seat_of

NORMAL_ATTACK, SUPPRESSIVE = N_("normal attack"), N_("suppressive attack")

LIGHT_UP_TO, HEAVY_AT = 2, 3
BY_CHOICE = N_("{unit} loses {figure}, by choice of its owner")


def suffer(ctx: Ctx[State], name: str, hits: int, kind: str) -> None:
    """Assign the hits of an attack by its type and the target's (attacco.6-assegna)."""
    unit = ctx.state.units[name]
    if not unit.is_squad:
        damage_vehicle(ctx, name, hits)
    elif kind == SUPPRESSIVE:
        suppress(ctx, name, hits)
    else:
        waste(ctx, name, lose_figures(ctx, name, hits, "attacco.6-assegna#squadra"))


def waste(ctx: Ctx[State], name: str, hits: int) -> None:
    """Hits beyond the last figure are lost (danni.squadra)."""
    if hits:
        words = N_("{unit}: {n} hits beyond its figures are lost")
        ctx.cite("danni.squadra#eccesso", words, unit=name, n=hits)


def lose_figures(ctx: Ctx[State], name: str, hits: int, cause: str) -> int:
    """The owner removes one figure per hit, of his choice (danni.squadra). Hits left over."""
    unit = ctx.state.units[name]
    if unit.condition != NORMAL:
        ctx.cite(
            "danni.stato-irrilevante",
            N_("{unit}: though {condition}, it loses figures like any other"),
            unit=name,
            condition=unit.condition,
        )
    for _ in range(hits):
        unit = ctx.state.units[name]
        kinds = tuple(dict.fromkeys(unit.figures))
        chosen = len(kinds) > 1 and hits < len(unit.figures)
        figure = _choose_figure(ctx, name, kinds) if chosen else kinds[0]
        last = len(unit.figures) == 1
        is_crew = UNITS[figure].is_heavy_weapon
        ctx.do(
            FigureLost(unit=name, figure=figure),
            ("danni.squadra#una", "danni.due-personaggi" if is_crew else ""),
            BY_CHOICE if chosen else FigureLost.says,
            unit=name,
            figure=figure,
        )
        hits -= 1
        if last:
            ctx.cite(("danni.squadra#ultima", cause), N_("{unit} has no figures left"), unit=name)
            break
    return hits


def _choose_figure(ctx: Ctx[State], name: str, kinds: tuple[str, ...]) -> str:
    choices: list[Choice[str]] = [
        button(kind, kind, N_("Remove {figure}"), figure=kind) for kind in kinds
    ]
    owner = seat_of(ctx.state, ctx.state.units[name])
    return ctx.choose(
        "losses.figure",
        owner,
        choices,
        "danni.squadra#sceglie",
        N_("{unit}: which figure is lost?"),
        unit=name,
    )


def condition_after(condition: str, hits: int) -> str:
    """The condition of a squad after a suppressive attack; empty when it is routed."""
    if condition == NORMAL:
        return PINNED if hits <= LIGHT_UP_TO else DISRUPTED if hits == HEAVY_AT else ""
    if condition == PINNED:
        return DISRUPTED if hits <= LIGHT_UP_TO else ""
    return ""


def suppress(ctx: Ctx[State], name: str, hits: int) -> None:
    """Worsen a squad's condition (condizioni.da-normale and following)."""
    condition = ctx.state.units[name].condition
    after = condition_after(condition, hits)
    if after == PINNED:
        ctx.do(Pinned(unit=name), ("condizioni.da-normale#colpi/1-2", "condizioni.durata"))
    elif after == DISRUPTED:
        fresh = condition == NORMAL
        ctx.do(
            Disrupted(unit=name),
            (
                "condizioni.da-normale#colpi/3" if fresh else "condizioni.da-bloccata#colpi/1-2",
                "condizioni.durata",
            ),
        )
    else:
        ctx.do(
            UnitLost(unit=name),
            (
                "condizioni.da-normale#colpi/4 o più" if condition == NORMAL else "",
                "condizioni.da-bloccata#colpi/3 o più" if condition == PINNED else "",
                "condizioni.da-disgregata" if condition == DISRUPTED else "",
            ),
            N_("{unit} is routed"),
            unit=name,
        )
        return
    shaken_in_op_fire(ctx, name)


def shaken_in_op_fire(ctx: Ctx[State], name: str) -> None:
    """A squad in op fire that becomes pinned or disrupted is fatigued (condizioni.op)."""
    unit = ctx.state.units[name]
    if in_op_fire(unit):
        ctx.do(Fatigued(unit=name), "condizioni.op#in-op")
    elif ctx.state.active is None or ctx.state.active.unit != name:
        ctx.cite(
            ("casa.47", "condizioni.op#pronta" if unit.activation == READY else ""),
            N_("{unit} keeps its activation: {activation}"),
            unit=name,
            activation=unit.activation,
        )


def damage_after(damage: str, hits: int) -> str:
    """The damage of a vehicle after one attack; empty when it is destroyed."""
    if damage == INTACT:
        return LIGHT if hits <= LIGHT_UP_TO else HEAVY if hits == HEAVY_AT else ""
    if damage == LIGHT:
        return HEAVY if hits <= LIGHT_UP_TO else ""
    return ""


def damage_vehicle(ctx: Ctx[State], name: str, hits: int) -> None:
    """Light damage, heavy damage or destruction (danni.veicolo-integro and following)."""
    unit = ctx.state.units[name]
    ctx.cite(
        (
            "danni.veicolo-integro#colpi/{n}" if unit.damage == INTACT else "",
            "danni.veicolo-lieve#colpi/{n}" if unit.damage == LIGHT else "",
            "danni.veicolo-grave" if unit.damage == HEAVY else "",
        ),
        N_("{unit}, {damage}: {n} hits"),
        unit=name,
        damage=unit.damage,
        n=hits,
    )
    after = damage_after(unit.damage, hits)
    spared = "trasporto.distruzione#illese" if passengers(ctx.state, name) else ""
    if after == HEAVY and has_trait(unit, "fragile"):
        destroy(ctx, name, ("miniature.camion.fragile", "danni.grave#grave"))
    elif after == LIGHT:
        ctx.do(
            Damaged(unit=name, damage=LIGHT), ("danni.lieve#lieve", "danni.permane#permane", spared)
        )
    elif after == HEAVY:
        ctx.do(
            Damaged(unit=name, damage=HEAVY), ("danni.grave#grave", "danni.permane#permane", spared)
        )
    else:
        destroy(ctx, name, DAMAGE_LINE[unit.damage])


DAMAGE_LINE = {
    INTACT: "danni.veicolo-integro#colpi/4 o più",
    LIGHT: "danni.veicolo-lieve#colpi/3 o più",
    HEAVY: "danni.veicolo-grave",
}
"""The line of the table that counts, by the damage a vehicle had."""


def destroy(ctx: Ctx[State], name: str, where: Locators) -> None:
    """A unit is destroyed, with whoever rides in it (trasporto.distruzione)."""
    for rider in passengers(ctx.state, name):
        ctx.do(UnitLost(unit=rider.id), "trasporto.distruzione#distrutte")
    ctx.do(UnitLost(unit=name), where, N_("{unit} is destroyed"), unit=name)


def hits_to_destroy(state: State, name: str) -> int:
    """How many hits of one attack destroy a vehicle (assalto.7-veicoli)."""
    unit = state.units[name]
    hits = 1
    while (after := damage_after(unit.damage, hits)) != "":
        if after == HEAVY and has_trait(unit, "fragile"):
            break
        hits += 1
    return hits
