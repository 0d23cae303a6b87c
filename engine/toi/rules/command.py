"""The Command Phase, in four steps (the chapter on the Command Phase).

Refs: comando.passi, comando.controllo, comando.controllo-permane, comando.tipi-obiettivo,
comando.entrate, comando.pubblico, comando.obiettivo-nemico, comando.usi, comando.punti-vittoria,
comando.spesa, comando.conserva, comando.carte, comando.iniziativa-spesa, comando.iniziativa,
comando.iniziativa-pari, comando.iniziativa-arbitro, conflitti.iniziativa,
squadre-gioco.risorse, casa.13, casa.51.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, amount, button
from engine.core.decisions import card as card_choice
from engine.core.rules import Ruling, Side
from engine.core.text import N_
from engine.toi.rules import victory
from engine.toi.rules.activation import COMMAND
from engine.toi.rules.cards import play_card, playable, why_not_play
from engine.toi.rules.setup import seats_in_order
from engine.toi.state.book import rule
from engine.toi.state.events import (
    CommandGained,
    CommandSpent,
    ControlTaken,
    InitiativeRaised,
    InitiativeTaken,
    PointsGained,
    SideFinished,
    StepBegan,
)
from engine.toi.state.state import NEUTRAL, State, enemy
from engine.toi.state.units import at, in_order, is_team, nation_of, passengers

SPENDING = N_("spending")
STATUS = N_("status")


def play(ctx: Ctx[State]) -> None:
    """One procedure of the Command Phase."""
    state = ctx.state
    if not state.step:
        take_control(ctx)
        if victory.check_at_once(ctx):
            return
        receive(ctx)
        queue = seats_in_order(ctx.state)
        ctx.do(
            StepBegan(phase=COMMAND, step=SPENDING, queue=queue),
            (
                "comando.spesa#ordine",
                "comando.passi#passi",
                "conflitti.iniziativa",
                "comando.iniziativa-arbitro",
            ),
        )
    elif state.queue:
        spend(ctx, state.queue[0])
    else:
        determine_initiative(ctx)
        ctx.do(
            StepBegan(phase=STATUS, step=""),
            ("round.fasi#stato", "stato.passi#passi"),
            N_("Status Phase of round {n}"),
            n=state.round,
        )


def take_control(ctx: Ctx[State]) -> None:
    """Step 1: whoever has a unit on an objective controls it (comando.controllo)."""
    for label in ctx.state.objectives:
        here = at(ctx.state, label)
        if not here:
            if label in ctx.state.control:
                ctx.cite(
                    "comando.controllo-permane",
                    N_("{side} keeps {hex} without a garrison"),
                    side=ctx.state.control[label],
                    hex=label,
                )
            continue
        side = here[0].side
        if ctx.state.control.get(label) != side:
            owner = ctx.state.objectives[label].owner
            loaded = any(passengers(ctx.state, unit.id) for unit in here)
            ctx.do(
                ControlTaken(side=side, hex=label),
                (
                    "comando.controllo#prendi",
                    "comando.tipi-obiettivo#chiunque" if owner else "",
                    "casa.13" if owner == enemy(side) else "",
                    "casa.20" if loaded else "",
                ),
            )


def income(state: State, side: Side) -> Iterator[tuple[str, int]]:
    """What a side receives from each objective that it controls."""
    for label, objective in state.objectives.items():
        if state.control.get(label) == side and objective.command:
            yields = objective.owner in (side, NEUTRAL)
            yield label, objective.command if yields else 0


def receive(ctx: Ctx[State]) -> None:
    """Step 2: command and victory points (comando.entrate, comando.punti-vittoria)."""
    for side in in_order(ctx.state):
        total = 0
        for label, value in income(ctx.state, side):
            if value:
                ctx.cite(
                    "comando.entrate",
                    N_("{hex}: {n} command for {side}"),
                    hex=label,
                    n=value,
                    side=side,
                )
            else:
                ctx.cite(
                    ("comando.obiettivo-nemico", "casa.13"),
                    N_("{hex} is the enemy's objective: nothing for {side}"),
                    hex=label,
                    side=side,
                )
            total += value
        if total:
            team = is_team(ctx.state, side)
            ctx.do(
                CommandGained(side=side, n=total),
                (
                    "comando.entrate",
                    "comando.pubblico",
                    "comando.conserva#restano",
                    "squadre-gioco.risorse#per-team" if team else "",
                ),
            )
        points = 0
        for label, objective in ctx.state.objectives.items():
            if not objective.victory or ctx.state.control.get(label) != side:
                continue
            if objective.points:
                ctx.cite(
                    "comando.punti-vittoria#ricevi",
                    N_("{hex}: {n} victory points for {side}"),
                    hex=label,
                    n=objective.points,
                    side=side,
                )
            points += objective.points
        if points:
            over = ctx.state.armies[side].points + points > 20
            ctx.do(
                PointsGained(side=side, n=points),
                ("comando.punti-vittoria#ricevi", "componenti.colonna", "casa.51" if over else ""),
            )


Spend = tuple[str, str, int]


def spend(ctx: Ctx[State], seat: Side) -> None:
    """Step 3: cards and initiative, as much as one likes, one side after the other."""
    state = ctx.state
    side = nation_of(state, seat)
    cards = playable(state, seat, COMMAND)
    if not state.armies[side].command and not any(
        next(why_not_play(state, seat, name, COMMAND), None) is None for name in cards
    ):
        ctx.do(
            SideFinished(side=seat),
            ("comando.spesa#ordine", "strategia.generale#non-puoi" if cards else ""),
            N_("{side} has no command to spend and no card to play"),
            side=seat,
        )
        return
    choices: list[Choice[Spend]] = [card_choice(name, ("card", name, 0)) for name in cards]
    choices += [
        amount(n, ("initiative", "", n), N_("{n} command on the initiative card"))
        for n in range(1, state.armies[side].command + 1)
    ]
    choices.append(button("fine", ("end", "", 0), N_("Spend nothing else")))
    kind, name, n = ctx.choose(
        "command.spend",
        seat,
        choices,
        ("comando.spesa#puoi", "comando.usi#usi"),
        N_("{side} has {n} command: how is it spent?"),
        why_not=lambda one: why_not_spend(state, seat, one),
        side=side,
        n=state.armies[side].command,
    )
    if kind == "end":
        ctx.do(SideFinished(side=seat), ("comando.spesa#ordine", "comando.conserva#obbligato"))
        return
    if not partner_agrees(ctx, seat, side, name, n):
        return
    if kind == "card":
        play_card(ctx, seat, name)
    else:
        ctx.do(CommandSpent(side=side, n=n), "comando.iniziativa-spesa#sposti")
        ctx.do(InitiativeRaised(side=side, n=n), "comando.iniziativa-spesa#sposti")


def why_not_spend(state: State, seat: Side, what: Spend) -> Iterator[Ruling]:
    """Why command may not be spent like this."""
    kind, name, n = what
    if kind == "card":
        yield from why_not_play(state, seat, name, COMMAND)
    elif n > state.armies[nation_of(state, seat)].command:
        yield rule(
            "comando.iniziativa-spesa#sposti",
            N_("Only {n} command are available"),
            n=state.armies[nation_of(state, seat)].command,
        )


def partner_agrees(ctx: Ctx[State], seat: Side, side: Side, card: str, n: int) -> bool:
    """Command Phase decisions need both members of a team (squadre-gioco.risorse)."""
    mates = [one for one in ctx.state.seats[side] if one != seat]
    if not mates:
        return True
    choices: list[Choice[bool]] = [
        button("si", True, N_("Agreed")),
        button("no", False, N_("Not agreed")),
    ]
    if card:
        agreed = ctx.choose(
            "command.agree-card",
            mates[0],
            choices,
            "squadre-gioco.risorse#accordo",
            N_("{seat} wants to play {card}"),
            seat=seat,
            card=card,
        )
    else:
        agreed = ctx.choose(
            "command.agree-initiative",
            mates[0],
            choices,
            "squadre-gioco.risorse#accordo",
            N_("{seat} wants {n} on the initiative"),
            seat=seat,
            n=n,
        )
    if not agreed:
        ctx.cite("squadre-gioco.risorse#disaccordo", N_("No agreement: it is not done"))
        ctx.do(SideFinished(side=seat), "squadre-gioco.risorse#disaccordo")
    return agreed


def determine_initiative(ctx: Ctx[State]) -> None:
    """Step 4: the higher card, or on a tie who did not hold it (comando.iniziativa)."""
    state = ctx.state
    holder, other = state.initiative, enemy(state.initiative)
    mine, theirs = state.armies[holder].initiative, state.armies[other].initiative
    ctx.cite(
        "comando.iniziativa",
        N_("Initiative cards: {a} for {first}, {b} for {second}"),
        a=mine,
        first=holder,
        b=theirs,
        second=other,
    )
    if mine == theirs:
        ctx.do(InitiativeTaken(side=other), "comando.iniziativa-pari")
    else:
        ctx.do(InitiativeTaken(side=holder if mine > theirs else other), "comando.iniziativa")
