"""Winning (the chapter on victory).

Refs: vittoria.condizioni, vittoria.pareggio-pv, round.numero, faq.controllo-fortificazione.
"""

from __future__ import annotations

from engine.core.ctx import Ctx
from engine.core.rules import Ruling, Side
from engine.core.text import N_
from engine.core.title import Outcome
from engine.toi.state import tables
from engine.toi.state.book import rule
from engine.toi.state.events import GameEnded
from engine.toi.state.state import State, enemy
from engine.toi.state.tables import ControlVictory

AT_ONCE, AT_THE_END, ON_POINTS = N_("at once"), N_("at the end"), N_("on points")
HELD, TIE = N_("by holding out"), N_("by the initiative")


def controlled(ctx: Ctx[State], side: Side) -> int:
    """Victory objectives controlled; the hex is enough (faq.controllo-fortificazione)."""
    objectives, control = ctx.state.objectives.items(), ctx.state.control
    hexes = [label for label, found in objectives if found.victory and control.get(label) == side]
    if hexes:
        said = N_("Victory objectives of {side}: {hexes}")
        ctx.cite("faq.controllo-fortificazione", said, side=side, hexes=tuple(hexes))
    return len(hexes)


def check_at_once(ctx: Ctx[State]) -> bool:
    """A scenario may be won in the first step of the Command Phase (vittoria.condizioni)."""
    found = tables.scenarios().get(ctx.state.scenario)
    if found is None or not isinstance(found.victory, ControlVictory):
        return False
    goal = found.victory
    held = controlled(ctx, goal.side)
    ctx.cite(
        ("vittoria.condizioni#subito", "faq.controllo-fortificazione"),
        N_("{side} controls {n} victory objectives: {wanted} win at once"),
        side=goal.side,
        n=held,
        wanted=goal.instant,
    )
    if held >= goal.instant:
        ctx.do(GameEnded(side=goal.side, ending=AT_ONCE), "vittoria.condizioni#subito")
        return True
    return False


def end_of_game(ctx: Ctx[State]) -> None:
    """After the last round the winner is determined (vittoria.condizioni)."""
    state = ctx.state
    found = tables.scenarios().get(state.scenario)
    if found is not None and isinstance(found.victory, ControlVictory):
        goal = found.victory
        held = controlled(ctx, goal.side)
        ctx.cite(
            ("vittoria.condizioni#condizione", "faq.controllo-fortificazione"),
            N_("{side} controls {n} victory objectives: {wanted} are needed"),
            side=goal.side,
            n=held,
            wanted=goal.final,
        )
        if held >= goal.final:
            ctx.do(GameEnded(side=goal.side, ending=AT_THE_END), "vittoria.condizioni#condizione")
        else:
            ctx.do(GameEnded(side=goal.other, ending=HELD), "vittoria.condizioni#condizione")
        return
    first, second = state.initiative, enemy(state.initiative)
    mine, theirs = state.armies[first].points, state.armies[second].points
    ctx.cite(
        "vittoria.condizioni#punti",
        N_("Victory points: {a} for {first}, {b} for {second}"),
        a=mine,
        first=first,
        b=theirs,
        second=second,
    )
    if mine == theirs:
        ctx.do(GameEnded(side=first, ending=TIE), "vittoria.pareggio-pv")
    else:
        winner = first if mine > theirs else second
        ctx.do(GameEnded(side=winner, ending=ON_POINTS), "vittoria.condizioni#punti")


def outcome(state: State) -> Outcome | None:
    """The end of the game, once reached."""
    if not state.winner:
        return None
    return Outcome(state.winner, state.ending, _why(state))


def _why(state: State) -> Ruling:
    if state.ending == TIE:
        return rule(
            "vittoria.pareggio-pv",
            N_("{side} wins: {ending}"),
            side=state.winner,
            ending=state.ending,
        )
    return rule(
        (
            "vittoria.condizioni#subito" if state.ending == AT_ONCE else "",
            "vittoria.condizioni#punti" if state.ending == ON_POINTS else "",
            "vittoria.condizioni#condizione" if state.ending in (AT_THE_END, HELD) else "",
        ),
        N_("{side} wins: {ending}"),
        side=state.winner,
        ending=state.ending,
    )
