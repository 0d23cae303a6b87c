"""The US action phase (7): 4.v, 7, 7.2, 7.22, 7.6-7.63, 15.vi, 17."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, Objections, button, unit
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.ddob.rules import attacks, barrage
from engine.ddob.rules.choosing import hex_choice, spot, unit_choice
from engine.ddob.rules.free_actions import is_free, may_escape, no_action_left, pay, why_not_pay
from engine.ddob.rules.leaders import command_range, commands
from engine.ddob.rules.losses import eliminate
from engine.ddob.rules.movement import climb_on, leave_map, move, why_not_exit, why_not_move
from engine.ddob.state.book import DIVISIONS, SECTOR_OF, US, rule
from engine.ddob.state.events import (
    Acted,
    ActionsBegan,
    Climbing,
    DivisionBegan,
    DivisionDone,
    MarkersRemoved,
    Rallied,
)
from engine.ddob.state.ground import AT_THE_LINE, EXIT_AT, NEIGHBOURS
from engine.ddob.state.state import CLIFF, CLIMB, State, Unit, index, is_extended, on_map, units_at
from engine.ddob.state.tables import GUNS, SETUPS, UNITS

ACTIONS, EXTENDED_ACTIONS = 2, 3
STACK = 2
NAVAL: Choice[str] = button("navale", "naval", N_("Naval barrage"))
FINISHED: Choice[str] = button("fine", "", N_("The division has finished"))
ATTACK: Choice[str] = button("attacca", "attack", N_("attack"))
BARRAGE: Choice[str] = button("sbarramento", "barrage", N_("barrage"))
EXIT: Choice[str] = button("esci", "exit", N_("leave the map"))
STAY: Choice[str] = button("resta", "stay", N_("do nothing"))


# 4.v, 15.vi The phase


def begin(ctx: Ctx[State]) -> None:
    """Command is fixed for the whole phase (7.1.comando)."""
    found = commands(ctx.state)
    for leader in on_map(ctx.state):
        if leader.space:
            tell_range(ctx, leader)
        mine = tuple([name for name, leaders in found.items() if leader.id in leaders])
        if mine:
            ctx.cite(
                "18.3#comanda"
                if leader.space
                else "11.2#comandano"
                if UNITS[leader.id].type == "HQ"
                else "11.3#comanda",
                N_("{leader} commands {units}."),
                leader=leader.id,
                units=mine,
            )
    began = ActionsBegan(n=len(found), commanded=found)
    refs = ("7.1.comando#fissa", "11.2#comandano", "11.3#comanda")
    if found:
        ctx.do(began, refs)
    else:
        ctx.do(began, refs, N_("No unit is under command."))


def tell_range(ctx: Ctx[State], post: Unit) -> None:
    """How far a command post commands, by its space on the track (18.22, 18.32, ev.cecchini)."""
    reach = command_range(ctx.state, post)
    if reach < 0:
        ctx.cite("18.32", N_("{unit} is under fire and commands nobody."), unit=post.id)
    elif ctx.state.notes.get("snipers") == post.id:
        said = N_("{unit} commands within {n} hexes because of snipers.")
        ctx.cite(("18.3#comanda", "ev.cecchini#raggio"), said, unit=post.id, n=reach)
    else:
        ctx.cite(
            ("18.3#comanda", "18.31", "18.22#raggio-hq/Raggio/{space}"),
            N_("{unit}, on space {space} of the track, commands within {n} hexes."),
            unit=post.id,
            space=post.space,
            n=reach,
        )


def allowance(ctx: Ctx[State]) -> int:
    """Actions of a division this turn (7, 15.vi, 17, ev.iniziativa, ev.intenso)."""
    state = ctx.state
    actions = EXTENDED_ACTIONS if is_extended(state) else ACTIONS
    if "intense" in state.notes:
        ctx.cite("ev.intenso#una-azione", N_("German fire: one action only."))
        actions = 1
    if "initiative" in state.notes:
        ctx.cite("ev.iniziativa", N_("Initiative: one more action."))
        actions += 1
    return actions


def choose_division(ctx: Ctx[State]) -> bool:
    """One division after the other, in the player's order (7.2); whether one began."""
    state = ctx.state
    left = [
        d
        for d in DIVISIONS
        if d not in state.done and SECTOR_OF[d] in SETUPS[state.scenario].sectors
    ]
    if not left:
        return False
    division = left[0]
    if len(left) > 1:
        buttons = [button(d, d, N_("Division {division}"), division=d) for d in left]
        division = ctx.choose(
            "actions.division", US, buttons, "7.2#cominciare", N_("Which division acts first?")
        )
    ctx.do(
        DivisionBegan(division=division, actions=allowance(ctx)),
        ("15.vi#tre", "17") if is_extended(state) else ("7#due-azioni", "4.v#due"),
    )
    return True


def act(ctx: Ctx[State]) -> None:
    """One action of the division, or its end; units at the line may cross with it (7.2, 7.22)."""
    state = ctx.state

    def candidates() -> Iterator[Choice[str]]:
        for found in on_map(state):
            if found.command == state.division or found.at in AT_THE_LINE:
                yield unit_choice(found, offer(state, found))
        if state.naval:
            yield NAVAL
        yield FINISHED

    def why_not(name: str) -> Objections:
        if name == "naval":
            return barrage.why_no_naval(state)
        return why_not_act(state, state.units[name]) if name else None

    by_two = state.options.get("giocatori") == "due"
    if state.actions > 0 and by_two:
        question = N_("Player of division {division}: who acts? {n} actions left.")
    elif state.actions > 0:
        question = N_("Division {division}: who acts? {n} actions left.")
    elif by_two:
        question = N_("Player of division {division}: who acts free? No action is left.")
    else:
        question = N_("Division {division}: who acts free? No action is left.")
    name = ctx.choose(
        "actions.who",
        US,
        candidates(),
        "7.2#ordine",
        question,
        why_not=why_not,
        division=state.division,
        n=state.actions,
    )
    if not name:
        ctx.do(DivisionDone(division=state.division), "7.2#finisci")
    elif name == "naval":
        barrage.naval_barrage(ctx)
    else:
        act_with(ctx, name)


def offer(state: State, found: Unit) -> str:
    """A unit that may act, with what its marker leaves it, or that it is free (7.1)."""
    if found.disrupted:
        return N_("{unit}: only removes its disruption")
    if found.climb:
        return N_("{unit}: only goes on climbing")
    if state.actions > 0:
        return "{unit}"
    return N_("{unit}: free") if is_free(state, found) else N_("{unit}: only a free move")


def why_not_act(state: State, found: Unit) -> Ruling | None:
    """Why a unit can do nothing now (7.1, 7.2, 7.22)."""
    if found.acted:
        return has_acted(found.id)
    if found.command != state.division and (found.disrupted or found.climb):
        return rule("7.22", N_("{unit} does not cross the line."), unit=found.id)
    if state.actions > 0 or is_free(state, found):
        return None
    if found.command != state.division:
        return rule("7.22", N_("{unit} would need an action of the division."), unit=found.id)
    return None if may_escape(state, found) else no_action_left(found.id, is_extended(state))


@cache
def has_acted(name: str) -> Ruling:
    """A unit acts once in a turn (7.2)."""
    return rule("7.2#una-volta", N_("{unit} has acted this turn."), unit=name)


# What one unit does


def act_with(ctx: Ctx[State], name: str) -> None:
    """A marker comes off; else ask what the unit does and do it (7.1.segnalini)."""
    found = ctx.state.units[name]
    if found.disrupted:
        ctx.do(Rallied(unit=name), ("7.7#solo-togliere", "7.1.segnalini#disrupted"))
        ctx.do(Acted(unit=name), "7.1#una-sola")
    elif found.climb == CLIMB:
        ctx.do(Climbing(unit=name), ("7.4#seguente", "7.1.segnalini#climb"))
        ctx.do(Acted(unit=name), "7.1#una-sola")
    elif found.climb == CLIFF:
        climb_on(ctx, name)
    else:
        do_verb(ctx, name, choose_verb(ctx, name))


def choose_verb(ctx: Ctx[State], name: str) -> str:
    """Ask what a unit does: the hex it moves to, or a verb (7)."""
    state = ctx.state
    found = state.units[name]
    data = UNITS[name]

    def candidates() -> Iterator[Choice[str]]:
        for to in NEIGHBOURS[found.at]:
            yield hex_choice(to, N_("move to {hex}"))
        if data.is_infantry:
            yield ATTACK
        if data.type == "tank" or (is_extended(state) and data.type in GUNS):
            yield BARRAGE
        if found.at in EXIT_AT and is_extended(state):
            yield EXIT
        yield STAY

    def why_not(verb: str) -> Iterator[Ruling] | None:
        if verb == "stay":
            return None
        against = WHY_NOT.get(verb)
        return against(state, found) if against else why_not_move(state, found, verb)

    return ctx.choose(
        "actions.what",
        US,
        candidates(),
        "7#scegli",
        N_("What does {unit} do?"),
        why_not=why_not,
        unit=name,
    )


def do_verb(ctx: Ctx[State], name: str, verb: str) -> None:
    """The unit does what was chosen."""
    if verb == "stay":
        ctx.do(Acted(unit=name), "7.1#una-sola")
    elif verb == "attack":
        attacks.attack(ctx, name)
    elif verb == "barrage":
        pay(ctx, name)
        ctx.do(Acted(unit=name), "7.1#una-sola")
        barrage.barrage(ctx, name)
    elif verb == "exit":
        leave_map(ctx, name)
    else:
        move(ctx, name, verb)


def why_not_attack(state: State, found: Unit) -> Iterator[Ruling]:
    """Why a unit cannot lead an attack."""
    yield from why_not_pay(state, found)
    yield from attacks.why_not_lead(state, found)


def why_not_barrage(state: State, found: Unit) -> Iterator[Ruling]:
    """Why a unit cannot barrage anything."""
    yield from why_not_pay(state, found)
    yield from barrage.why_no_barrage(state, found)


WHY_NOT = {"attack": why_not_attack, "barrage": why_not_barrage, "exit": why_not_exit}
"""What forbids each verb that is not a move."""


# 7.6 The end of the phase


def overfull(state: State) -> str:
    """A hex with more than two units, if there is one (7.6, 7.61)."""
    for label, units in index(state).by_hex.items():
        if sum(not UNITS[u.id].is_leader for u in units) > STACK:
            return label
    return ""


def trim(ctx: Ctx[State], label: str) -> None:
    """The player eliminates a unit too many (7.63)."""
    units = [u for u in units_at(ctx.state, label) if not UNITS[u.id].is_leader]
    name = ctx.choose(
        "stacking.eliminated",
        US,
        [unit(u.id, u.id, hex=spot(u.at)) for u in units],
        ("7.6", "7.61", "7.62", "7.63"),
        N_("{hex} holds {n} units: which one is eliminated?"),
        hex=label,
        n=len(units),
    )
    said = N_("{hex}: {n} units, at most {most}; you give up {unit}.")
    ctx.cite(("7.6", "7.63"), said, hex=label, n=len(units), most=STACK, unit=name)
    eliminate(ctx, name, ("7.63", "casa.57"))


def finish(ctx: Ctx[State]) -> None:
    """Action markers come off (7.2)."""
    ctx.do(MarkersRemoved(), "7.2#segnalini")
