"""Fortifications, obstacles and smoke (the chapter on fortifications).

Refs: fortificazioni.*, ostacoli.*, fumo.piazzamento, fumo.durata, limiti.componenti, casa.10,
casa.24, casa.39.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.toi.rules.ground import ground
from engine.toi.rules.suppression import damage_vehicle, lose_figures, waste
from engine.toi.state import tables
from engine.toi.state.book import BLACK, rule
from engine.toi.state.dice import successes
from engine.toi.state.events import Entangled, Fatigued, FortBuilt, Halted, SmokePlaced
from engine.toi.state.state import (
    BUNKER,
    ENGINEER,
    FATIGUED,
    MINES,
    SMOKE,
    TRAP,
    TRENCH,
    WIRE,
    State,
    Unit,
)
from engine.toi.state.units import is_light, is_vehicle, new_id, obstacles_at, seat_of, skill

FORTS_IN_A_HEX = 3
MINE_DICE, MINE_NEED = 4, 4


# --- placing ----------------------------------------------------------------------------------


def why_not_dig(state: State, label: str) -> Iterator[Ruling]:
    """Why no trench may be dug in a hex (specializzazioni.ingegnere.limiti)."""
    terrain = ground(state).terrain[label]
    if not terrain.can_dig:
        yield rule(
            ("specializzazioni.ingegnere.limiti#ponte", "casa.39")
            if terrain.id == "bridge"
            else "specializzazioni.ingegnere.limiti#terreno",
            N_("No trenches in {hex}: {terrain}"),
            hex=label,
            terrain=terrain.id,
        )
    here = sum(fort.hex == label for fort in state.forts.values())
    if here >= FORTS_IN_A_HEX:
        yield rule(
            ("fortificazioni.massimo", "specializzazioni.ingegnere.limiti#tre"),
            N_("{hex} already has {n} fortifications"),
            hex=label,
            n=here,
        )
    stock = tables.COMPONENTS.stocks["fortification"]
    if len(state.forts) >= stock:
        yield rule(
            ("limiti.componenti#elenco", "fortificazioni.massimo"),
            N_("All {n} markers are on the map"),
            n=stock,
        )


def dig(ctx: Ctx[State], label: str, ref: str) -> str:
    """Place a trench. Its id."""
    name = new_id(ctx.state, "trincea")
    ctx.do(FortBuilt(fort=name, hex=label, kind=TRENCH), ref)
    return name


def why_not_wire(state: State, label: str) -> Iterator[Ruling]:
    """Why no wire may be laid in a hex (ostacoli.filo-massimo)."""
    if WIRE in obstacles_at(state, label):
        yield rule("ostacoli.filo-massimo", N_("{hex} already has razor wire"), hex=label)
    stock = tables.COMPONENTS.stocks["obstacle"]
    used = sum((WIRE in kinds) + (TRAP in kinds) for kinds in state.obstacles.values())
    if used >= stock:
        yield rule("limiti.componenti#elenco", N_("All {n} markers are on the map"), n=stock)


def why_not_smoke(state: State, label: str) -> Iterator[Ruling]:
    """Why no smoke may be placed in a hex (fumo.piazzamento)."""
    if not ground(state).terrain[label].can_smoke:
        yield rule("fumo.piazzamento#edificio", N_("No smoke in buildings: {hex}"), hex=label)
    if label in state.smoke:
        yield rule("fumo.piazzamento#uno", N_("{hex} already has smoke"), hex=label)
    stock = tables.COMPONENTS.stocks[SMOKE]
    if len(state.smoke) >= stock:
        yield rule(
            ("limiti.componenti#elenco", "fumo.piazzamento#sei"),
            N_("All {n} markers are on the map"),
            n=stock,
        )


def place_smoke(ctx: Ctx[State], label: str, ref: str) -> None:
    """Smoke lasts until the next Status Phase (fumo.durata); a switch lengthens it (casa.10)."""
    longer = ctx.state.options.get("fumo") == "round-intero"
    until = ctx.state.round + (1 if longer else 0)
    ctx.do(SmokePlaced(hex=label, until=until), (ref, "fumo.durata", "casa.10" if longer else ""))


# --- fortifications ---------------------------------------------------------------------------


def why_not_shelter(state: State, unit: Unit, fort: str) -> Iterator[Ruling]:
    """Why a squad may not be inside a trench or bunker (fortificazioni.trincea)."""
    if not unit.is_squad:
        yield rule(
            (
                "fortificazioni.bunker#uno"
                if state.forts[fort].kind == BUNKER
                else "fortificazioni.trincea#una"
            ),
            N_("{unit} is a vehicle: only squads shelter"),
            unit=unit.id,
        )
    if any(one.fort == fort for one in state.units.values()):
        yield rule(
            (
                "fortificazioni.bunker#uno"
                if state.forts[fort].kind == BUNKER
                else "fortificazioni.trincea#una"
            ),
            N_("{fort} already holds a squad"),
            fort=fort,
        )


def forts_at(state: State, label: str) -> list[str]:
    """The trenches and bunkers of a hex."""
    return [fort.id for fort in state.forts.values() if fort.hex == label]


# --- obstacles --------------------------------------------------------------------------------


def why_not_trap(state: State, unit: Unit, label: str, start: str) -> Iterator[Ruling]:
    """Tank traps admit vehicles that began next to them (ostacoli.frisia)."""
    trapped = TRAP in obstacles_at(state, label) and is_vehicle(unit)
    if trapped and ground(state).distance(start, label) > 1:
        yield rule(
            "ostacoli.frisia#respingono",
            N_("{unit} did not begin its movement adjacent to the traps in {hex}"),
            unit=unit.id,
            hex=label,
        )


def effective(state: State, unit: Unit, label: str) -> list[str]:
    """The obstacles of a hex that do something to a unit entering it."""
    found = []
    for kind in obstacles_at(state, label):
        if kind == WIRE and (unit.is_squad or is_light(unit)):
            found.append(kind)
        if kind == TRAP and is_vehicle(unit):
            found.append(kind)
        if kind == MINES:
            found.append(kind)
    return found


def meet_obstacles(ctx: Ctx[State], name: str) -> None:
    """Step 5: obstacles work; the active player orders several (conflitti.sequenza)."""
    unit = ctx.state.units[name]
    left = effective(ctx.state, unit, unit.hex)
    while left and name in ctx.state.units:
        kind = left[0]
        if len(left) > 1:
            choices: list[Choice[str]] = [
                button(one.replace(" ", "-"), one, N_("First: {obstacle}"), obstacle=one)
                for one in left
            ]
            kind = ctx.choose(
                "move.obstacle",
                seat_of(ctx.state, unit),
                choices,
                "conflitti.sequenza#ostacoli",
                N_("{unit} meets several obstacles: which first?"),
                unit=name,
            )
        left.remove(kind)
        if kind == WIRE:
            meet_wire(ctx, name)
        elif kind == TRAP:
            ctx.do(Halted(unit=name), "ostacoli.frisia#fermarsi")
        else:
            meet_mines(ctx, name)


def meet_wire(ctx: Ctx[State], name: str) -> None:
    """Wire stops squads that are not engineers, and light vehicles (ostacoli.filo-arresto)."""
    unit = ctx.state.units[name]
    if unit.is_squad:
        ctx.do(Entangled(unit=name), ("assalto.no-mine-filo#entrata", "casa.50"))
    if skill(unit) == ENGINEER:
        ctx.cite(
            "ostacoli.filo-arresto#ingegneri", N_("{unit}: engineers pass the wire"), unit=name
        )
    else:
        ctx.do(Halted(unit=name), "ostacoli.filo-arresto#ferma")


def meet_mines(ctx: Ctx[State], name: str) -> None:
    """The active unit stops, is hit and fatigued (ostacoli.mine)."""
    ctx.do(Halted(unit=name), "ostacoli.mine#ferma")
    strike_mines(ctx, name)


def strike_mines(ctx: Ctx[State], name: str) -> None:
    """Four dice without defence, then fatigue; engineers are spared the dice (ostacoli.mine)."""
    unit = ctx.state.units[name]
    if skill(unit) == ENGINEER:
        ctx.cite(
            "ostacoli.mine-ingegneri#niente-lancio",
            N_("{unit}: engineers are not hit by mines"),
            unit=name,
        )
    else:
        hits = ctx.roll(
            BLACK * MINE_DICE,
            successes(MINE_NEED),
            "ostacoli.mine#dadi",
            N_("{unit} enters a minefield"),
            unit=name,
        )
        if hits:
            ctx.cite("ostacoli.mine#dadi", N_("{unit}: {n} hits"), unit=name, n=hits)
            if unit.is_squad:
                waste(ctx, name, lose_figures(ctx, name, hits, "ostacoli.mine#perdite"))
            else:
                damage_vehicle(ctx, name, hits)
    if name in ctx.state.units and ctx.state.units[name].activation != FATIGUED:
        ctx.do(Fatigued(unit=name), "ostacoli.mine#affaticata")
