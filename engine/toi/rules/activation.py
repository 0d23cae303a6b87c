"""The Action Phase: turns, actions, its end (the chapter on the Action Phase).

Refs: azione.turni, azione.iniziativa, azione.otto, azione.solo-pronte, azione.carta,
azione.speciale, azione.fine, azione.prosegue-avversario, squadre-gioco.turni,
squadre-gioco.azioni, squadre-gioco.fine, squadre-gioco.risorse, squadre-gioco.tre, casa.12,
casa.29.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button
from engine.core.decisions import card as card_choice
from engine.core.decisions import unit as unit_choice
from engine.core.hexes import Hex
from engine.core.rules import Ruling, Side
from engine.core.text import N_
from engine.toi.rules import actions, movement, specialists
from engine.toi.rules.cards import play_card, playable, why_not_play
from engine.toi.rules.ground import ground
from engine.toi.state.events import ActionUsed, SeatChosen, SeatDone, StepBegan, TurnBegan
from engine.toi.state.state import State, enemy
from engine.toi.state.units import is_ready, is_team, place_of, units_of

ACTION, COMMAND = N_("action"), N_("command")
TURNS = N_("turns")


Pick = tuple[str, str]


def play(ctx: Ctx[State]) -> None:
    """One procedure of the Action Phase."""
    state = ctx.state
    if state.active is not None:
        movement.go_on(ctx)
    elif not state.step:
        ctx.do(
            StepBegan(phase=ACTION, step=TURNS),
            "azione.iniziativa",
            N_("{side} begins: it has the initiative"),
            side=state.initiative,
        )
        begin_turn(ctx, state.initiative, "azione.turni#di-fila")
    else:
        seat = acting(state)
        if seat:
            take_action(ctx, seat)
        else:
            next_turn(ctx)


def open_seats(state: State, side: Side) -> list[Side]:
    """The players of a side who have not finished their Action Phase."""
    return [seat for seat in state.seats[side] if seat not in state.done]


def waiting(state: State) -> list[Side]:
    """The players of the turn who have actions left."""
    return [seat for seat in open_seats(state, state.turn) if state.left.get(seat, 0) > 0]


def acting(state: State) -> Side:
    """Who acts now; empty when the turn is over."""
    seats = waiting(state)
    if state.queue and state.queue[0] in seats:
        return state.queue[0]
    return seats[0] if seats else ""


def begin_turn(ctx: Ctx[State], side: Side, ref: str) -> None:
    """The side has the actions of the scenario; team members half each (squadre-gioco.azioni)."""
    state = ctx.state
    team = is_team(state, side)
    count = -(-state.actions[side] // 2) if team else state.actions[side]
    left = dict.fromkeys(open_seats(state, side), count)
    ctx.do(
        TurnBegan(side=side, left=left),
        (
            ref,
            "azione.turni#di-fila" if ref != "azione.turni#alternano" else "",
            "casa.29#per-turno",
            "squadre-gioco.azioni" if team else "",
            "squadre-gioco.turni#alternano" if team else "",
        ),
    )


def next_turn(ctx: Ctx[State]) -> None:
    """Turns alternate until nobody can act (azione.turni, azione.prosegue-avversario)."""
    state = ctx.state
    foe = enemy(state.turn)
    if open_seats(state, foe):
        begin_turn(ctx, foe, "azione.turni#alternano")
    elif open_seats(state, state.turn):
        begin_turn(ctx, state.turn, "azione.prosegue-avversario")
    else:
        teams = any(is_team(state, side) for side in state.seats)
        ctx.do(
            StepBegan(phase=COMMAND, step=""),
            ("round.fasi#comando", "comando.passi#passi", "casa.12" if teams else ""),
            N_("Command Phase of round {n}"),
            n=state.round,
        )


def take_action(ctx: Ctx[State], seat: Side) -> None:
    """One action of a player: a unit, a card, or the end of his phase (azione.otto)."""
    state = ctx.state
    team = is_team(state, state.turn)
    mates = waiting(state) if team and not state.queue else [seat]
    idle = next((one for one in mates if not can_act(state, one)), None)
    if idle is not None:
        ctx.do(
            SeatDone(seat=idle),
            ("azione.fine#finisce", "casa.29#possibili", "squadre-gioco.fine" if team else ""),
            N_("{seat} can take no more actions"),
            seat=idle,
        )
        return
    if team and not state.queue:
        seat = choose_member(ctx, mates)
        state = ctx.state
    kind, what = ctx.choose(
        "action.next",
        seat,
        candidates(state, seat),
        ("azione.otto#una-sola", "azione.turni#di-fila"),
        N_("Which action? {n} left"),
        why_not=partial(why_not_pick, state, seat),
        n=state.left[seat],
    )
    if kind == "end":
        ctx.do(
            SeatDone(seat=seat),
            (
                "azione.fine#finisce",
                "casa.28",
                "squadre-gioco.fine" if team else "",
            ),
        )
    elif kind == "card":
        ctx.do(ActionUsed(seat=seat), ("azione.carta#costa", "azione.turni#di-fila"))
        play_card(ctx, seat, what)
    else:
        act(ctx, seat, what)


def choose_member(ctx: Ctx[State], mates: list[Side]) -> Side:
    """The team says who goes first, each time (squadre-gioco.turni)."""
    state = ctx.state
    first = mates[0]
    if len(mates) > 1:
        choices: list[Choice[Side]] = [
            button(one, one, N_("{seat} first"), seat=one) for one in mates
        ]
        first = ctx.choose(
            "action.member",
            state.seats[state.turn][0],
            choices,
            "squadre-gioco.turni#entrambi",
            N_("Who of the team acts first?"),
        )
    ctx.do(
        SeatChosen(seat=first),
        ("squadre-gioco.turni#entrambi", "squadre-gioco.risorse#senza-permesso"),
    )
    return first


def can_act(state: State, seat: Side) -> bool:
    """Whether any action is left: a ready unit can at least be fatigued (azione.affatica)."""
    if any(is_ready(unit) and (unit.hex or unit.aboard) for unit in units_of(state, seat)):
        return True
    return any(
        next(why_not_play(state, seat, name, ACTION), None) is None
        for name in playable(state, seat, ACTION)
    )


@lru_cache(maxsize=1 << 14)
def _unit_pick(name: str, hex: Hex) -> Choice[Pick]:
    return unit_choice(name, ("unit", name), hex=hex)


@lru_cache(maxsize=1024)
def _card_pick(name: str) -> Choice[Pick]:
    return card_choice(name, ("card", name))


END: Choice[Pick] = button("fine", ("end", ""), N_("End the Action Phase"))


def candidates(state: State, seat: Side) -> Iterator[Choice[Pick]]:
    """Every unit and card of a player, and the end of his phase."""
    hexes = ground(state).hex
    for unit in units_of(state, seat):
        if unit.hex or unit.aboard:
            yield _unit_pick(unit.id, hexes[place_of(state, unit)])
    for name in playable(state, seat, ACTION):
        yield _card_pick(name)
    yield END


def why_not_pick(state: State, seat: Side, pick: Pick) -> Iterator[Ruling] | None:
    """Why a unit or a card may not be chosen for an action."""
    kind, what = pick
    if kind == "card":
        return why_not_play(state, seat, what, ACTION)
    if kind == "end" or is_ready(state.units[what]):
        return None
    return actions.why_not_ready(state.units[what])


def act(ctx: Ctx[State], seat: Side, name: str) -> None:
    """Activate a unit with one of the actions open to it."""
    state = ctx.state
    unit = state.units[name]
    verb = ctx.choose(
        "action.verb",
        seat,
        (*actions.VERBS, *specialists.special_actions(state, unit)),
        "azione.otto#una-sola",
        N_("{unit}: which action?"),
        why_not=lambda one: actions.why_not_do(state, unit, one),
        unit=name,
    )
    ctx.do(ActionUsed(seat=seat), "azione.turni#di-fila")
    match verb:
        case "advance" | "fire and movement" | "assault":
            movement.activate(ctx, name, verb)
        case "concentrated fire":
            actions.concentrate(ctx, name)
        case "prepare op fire":
            actions.prepare(ctx, name)
        case "fatigue unit":
            actions.fatigue(ctx, name)
        case _:
            specialists.act(ctx, name, verb)
