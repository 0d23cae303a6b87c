"""The Status Phase, in six steps (the chapter on the Status Phase).

Refs: stato.passi, stato.pesca, stato.pesca-piu, stato.pesca-vuoto, stato.attivazione,
stato.bloccate, stato.disgregate, stato.scaduti, stato.op, stato.trasferimenti,
stato.trasf-specializzate, stato.trasf-condizione, stato.trasf-fortificate, stato.rinforzi,
stato.avanza, fumo.durata, miniature.ufficiale.recupero-veloce, specializzazioni.no-scambi,
squadre-gioco.carte, squadre-gioco.trasferimenti, squadre-gioco.risorse, casa.10.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button
from engine.core.decisions import unit as unit_choice
from engine.core.rules import Ruling, Side
from engine.core.text import N_
from engine.toi.rules import victory
from engine.toi.rules.cards import draw_one
from engine.toi.rules.command import STATUS
from engine.toi.rules.concealed import found_by_neighbours, look
from engine.toi.rules.ground import ground
from engine.toi.rules.reinforcements import bring_in, receive_force
from engine.toi.rules.setup import seats_in_order, wait_in_ambush
from engine.toi.state import tables
from engine.toi.state.book import passed_over, rule
from engine.toi.state.events import (
    AllReady,
    CardSpent,
    FigureGained,
    FigureLost,
    Pinned,
    Rallied,
    RoundBegan,
    SideFinished,
    SmokeLifted,
    StepBegan,
)
from engine.toi.state.state import DISRUPTED, NORMAL, PINNED, State, Unit
from engine.toi.state.units import (
    HOLES,
    aboard_at,
    at,
    friends_at,
    has_officer,
    in_order,
    is_team,
    make,
    nation_of,
    officer_at,
    seat_of,
    units_of,
)

DRAW, OP, TRANSFERS, ARRIVALS = N_("draw"), N_("op fire step"), N_("transfers"), N_("arrivals")


def play(ctx: Ctx[State]) -> None:
    """One procedure of the Status Phase."""
    state = ctx.state
    if state.queue:
        seat = state.queue[0]
        {DRAW: draw, OP: ambush, TRANSFERS: transfer, ARRIVALS: arrive}[state.step](ctx, seat)
        return
    every = seats_in_order(state)
    match state.step:
        case "":
            first = tuple(state.seats[side][0] for side in in_order(state))
            ctx.do(
                StepBegan(phase=STATUS, step=DRAW, queue=first),
                ("stato.pesca#una", "stato.passi#passi"),
            )
        case "draw":
            remove_markers(ctx)
            ctx.do(StepBegan(phase=STATUS, step=OP, queue=every), "stato.op#metti")
        case "op fire step":
            ctx.do(
                StepBegan(phase=STATUS, step=TRANSFERS, queue=every), "stato.trasferimenti#sposti"
            )
        case "transfers":
            first = tuple(state.seats[side][0] for side in in_order(state))
            ctx.do(StepBegan(phase=STATUS, step=ARRIVALS, queue=first), "stato.rinforzi#ricevi")
        case _:
            advance_marker(ctx)


def draw(ctx: Ctx[State], seat: Side) -> None:
    """Step 1: one card from an own deck; a plus may give one more (stato.pesca)."""
    side = nation_of(ctx.state, seat)
    if not any(pool.items for pool in ctx.state.armies[side].decks.values()):
        ctx.do(
            SideFinished(side=seat), "stato.pesca-vuoto", N_("{side} has no cards left"), side=side
        )
        return
    team = "squadre-gioco.carte#una" if is_team(ctx.state, side) else ""
    ctx.cite(("stato.pesca#una", team), N_("{side} draws a card"), side=side)
    card = draw_one(ctx, seat, side, "stato.pesca#una")
    left = any(pool.items for pool in ctx.state.armies[side].decks.values())
    if tables.CARDS[card].plus and left:
        choices: list[Choice[bool]] = [
            button("pesca", True, N_("Draw another card")),
            button("no", False, N_("Draw no more")),
        ]
        if ctx.choose(
            "cards.plus",
            seat,
            choices,
            "stato.pesca-piu#seconda",
            N_("{card} shows a plus: another card?"),
            card=card,
        ):
            draw_one(ctx, seat, side, "stato.pesca-piu#seconda")
    ctx.do(SideFinished(side=seat), "stato.pesca#una")


def remove_markers(ctx: Ctx[State]) -> None:
    """Step 2: activation, then pinned, then disrupted, then what has expired."""
    ctx.do(AllReady(), "stato.attivazione#togli")
    pinned = [unit.id for unit in ctx.state.units.values() if unit.condition == PINNED]
    for name in pinned:
        ctx.do(Rallied(unit=name), ("stato.bloccate", "condizioni.durata"))
    for unit in [one for one in ctx.state.units.values() if one.condition == DISRUPTED]:
        if unit.hex and officer_at(ctx.state, unit.hex, unit.side):
            ctx.do(
                Rallied(unit=unit.id),
                (
                    "stato.disgregate#ufficiale",
                    "miniature.ufficiale.recupero-veloce#torna",
                    "casa.32" if has_officer(unit) else "",
                ),
            )
        else:
            rides = any(map(has_officer, aboard_at(ctx.state, unit.hex, unit.side)))
            ctx.do(
                Pinned(unit=unit.id),
                ("stato.disgregate#bloccata", "condizioni.durata", "casa.20" if rides else ""),
            )
    for label, until in list(ctx.state.smoke.items()):
        if until <= ctx.state.round:
            ctx.do(SmokeLifted(hex=label), ("stato.scaduti", "fumo.durata"))
        else:
            ctx.cite(("fumo.durata", "casa.10"), N_("The smoke in {hex} stays"), hex=label)
    look(ctx)


def ambush(ctx: Ctx[State], seat: Side) -> None:
    """Step 3: any number of units in op fire for the next round (stato.op)."""
    if not wait_in_ambush(ctx, seat, "stato.op#metti"):
        ctx.do(SideFinished(side=seat), "stato.op#metti")


# --- step 4: transfers ------------------------------------------------------------------------


def why_not_share(unit: Unit) -> Iterator[Ruling]:
    """Why a squad may neither give nor receive figures."""
    if unit.token:
        yield rule(
            ("stato.trasf-specializzate", "specializzazioni.no-scambi#non-partecipa"),
            N_("{unit} is specialized: {token}"),
            unit=unit.id,
            token=unit.token,
        )
    if unit.condition != NORMAL:
        yield rule(
            "stato.trasf-condizione",
            N_("{unit} is {condition}"),
            unit=unit.id,
            condition=unit.condition,
        )
    if unit.aboard:
        yield rule(
            "stato.trasf-condizione",
            N_("{unit} rides in {vehicle}"),
            unit=unit.id,
            vehicle=unit.aboard,
        )
    if unit.fort:
        yield rule(
            "stato.trasf-fortificate", N_("{unit} is in {fort}"), unit=unit.id, fort=unit.fort
        )


def why_not_receive(unit: Unit, figure: str) -> Iterator[Ruling]:
    """A base has four holes (stato.trasferimenti)."""
    yield from why_not_share(unit)
    holes = make(unit.figures).holes + tables.UNITS[figure].holes
    if holes > HOLES:
        yield rule(
            "stato.trasferimenti#fori",
            N_("{unit} has no room for {figure}"),
            unit=unit.id,
            figure=figure,
        )


def mates(state: State, unit: Unit, figure: str) -> list[Unit]:
    """The squads of the hex that may receive a figure of this one."""
    return [
        one
        for one in at(state, unit.hex)
        if one.side == unit.side
        and one.id != unit.id
        and one.is_squad
        and next(why_not_receive(one, figure), None) is None
    ]


def can_give(state: State, unit: Unit) -> bool:
    """Whether a squad has a figure that a neighbour on its hex can take."""
    if not unit.hex or next(why_not_share(unit), None) is not None:
        return False
    return any(mates(state, unit, figure) for figure in dict.fromkeys(unit.figures))


def why_not_give(state: State, unit: Unit) -> Iterator[Ruling]:
    """Why a squad may not give figures now."""
    yield from why_not_share(unit)
    if unit.hex and not can_give(state, unit):
        yield rule(
            "stato.trasferimenti#sposti", N_("No squad in {hex} can receive figures"), hex=unit.hex
        )


def transfer(ctx: Ctx[State], seat: Side) -> None:
    """Step 4: figures move between own squads of a hex (stato.trasferimenti)."""
    state = ctx.state
    giver = choose_giver(ctx, seat)
    if not giver:
        ctx.do(SideFinished(side=seat), "stato.trasferimenti#sposti")
        return
    unit = state.units[giver]
    figure = choose_figure(ctx, seat, unit)
    taker = choose_taker(ctx, seat, unit, figure)
    if not mate_agrees(ctx, seat, taker):
        return
    ctx.do(
        FigureLost(unit=giver, figure=figure),
        "stato.trasferimenti#sposti",
        N_("{unit} gives {figure}"),
        unit=giver,
        figure=figure,
    )
    ctx.do(FigureGained(unit=taker, figure=figure), "stato.trasferimenti#sposti")
    if len(unit.figures) == 1:
        ctx.cite(
            "stato.trasferimenti#vuota", N_("The empty base of {unit} leaves the game"), unit=giver
        )


def choose_giver(ctx: Ctx[State], seat: Side) -> str:
    """The squad that gives a figure; empty when none can or none shall."""
    state = ctx.state
    squads = [unit for unit in units_of(state, seat) if unit.is_squad]
    if not any(can_give(state, unit) for unit in squads):
        shared = Counter(unit.hex for unit in squads if unit.hex)
        against = {u.id: next(why_not_give(state, u)) for u in squads if shared[u.hex] > 1}
        if against:
            said = N_("Nobody can transfer figures: {units}")
            ctx.cite(passed_over("stato.trasferimenti#sposti", against, said))
        return ""
    hexes = ground(state).hex
    choices: list[Choice[str]] = [button("fine", "", N_("No more transfers"))]
    choices += [unit_choice(unit.id, unit.id, hex=hexes.get(unit.hex)) for unit in squads]
    return ctx.choose(
        "transfer.giver",
        seat,
        choices,
        "stato.trasferimenti#sposti",
        N_("Which squad gives a figure?"),
        why_not=lambda one: why_not_give(state, state.units[one]) if one else None,
    )


def choose_figure(ctx: Ctx[State], seat: Side, unit: Unit) -> str:
    """The figure that is given, among those that somebody can take."""
    kinds = [kind for kind in dict.fromkeys(unit.figures) if mates(ctx.state, unit, kind)]
    if len(kinds) == 1:
        return kinds[0]
    return ctx.choose(
        "transfer.figure",
        seat,
        [button(kind, kind, N_("Give {figure}"), figure=kind) for kind in kinds],
        "stato.trasferimenti#sposti",
        N_("{unit}: which figure?"),
        unit=unit.id,
    )


def choose_taker(ctx: Ctx[State], seat: Side, unit: Unit, figure: str) -> str:
    """The squad of the same hex that receives the figure."""
    state = ctx.state
    hexes = ground(state).hex
    near = [one for one in friends_at(state, unit.hex, unit.side) if one.id != unit.id]
    return ctx.choose(
        "transfer.taker",
        seat,
        [unit_choice(one.id, one.id, hex=hexes[one.hex]) for one in near if one.is_squad],
        "stato.trasferimenti#sposti",
        N_("{unit}: to whom goes {figure}?"),
        why_not=lambda one: why_not_receive(state.units[one], figure),
        unit=unit.id,
        figure=figure,
    )


def mate_agrees(ctx: Ctx[State], seat: Side, taker: str) -> bool:
    """Between divisions both members agree (squadre-gioco.trasferimenti)."""
    owner = seat_of(ctx.state, ctx.state.units[taker])
    if owner == seat:
        return True
    choices: list[Choice[bool]] = [
        button("si", True, N_("Agreed")),
        button("no", False, N_("Not agreed")),
    ]
    agreed = ctx.choose(
        "transfer.agree",
        owner,
        choices,
        "squadre-gioco.trasferimenti",
        N_("{unit} would receive a figure of the other division"),
        unit=taker,
    )
    if not agreed:
        ctx.do(SideFinished(side=seat), "squadre-gioco.trasferimenti")
    return agreed


# --- steps 5 and 6 ----------------------------------------------------------------------------


def arrive(ctx: Ctx[State], seat: Side) -> None:
    """Step 5: the reinforcements of this round (stato.rinforzi)."""
    state = ctx.state
    side = nation_of(state, seat)
    due = [one for one in state.arrivals if (one.round, one.side) == (state.round, side)]
    if not due:
        said = N_("{side} has no reinforcements in this round")
        ctx.do(SideFinished(side=seat), "stato.rinforzi#ricevi", said, side=side)
        return
    for arrival in due:
        seats = state.seats[side]
        owner = seats[arrival.force.division - 1] if len(seats) > 1 else seats[0]
        bring_in(ctx, owner, receive_force(ctx, owner, side, arrival.force))
    ctx.do(SideFinished(side=seat), "stato.rinforzi#ricevi")


def advance_marker(ctx: Ctx[State]) -> None:
    """Step 6: the marker moves; concealed squads next to enemy squads are found (stato.avanza)."""
    state = ctx.state
    for side, army in state.armies.items():
        for played in army.area:
            if played.until and played.until <= state.round:
                ctx.do(
                    CardSpent(side=side, card=played.card),
                    ("strategia.area-di-gioco#scarta", "stato.scaduti"),
                )
    found_by_neighbours(ctx)
    ctx.do(
        RoundBegan(round=state.round + 1),
        ("stato.avanza#sposta", "round.numero#scritto", "componenti.colonna"),
        N_("The round marker moves to {round}"),
        round=state.round + 1,
    )
    if state.round >= state.rounds:
        ctx.cite(
            ("stato.avanza#ultimo", "round.numero#finisce"),
            N_("Round {n} was the last"),
            n=state.round,
        )
        victory.end_of_game(ctx)
    else:
        ctx.do(
            StepBegan(phase="action", step=""),
            ("round.fasi#nuovo-round", "stato.avanza#nuova"),
            N_("Action Phase of round {n}"),
            n=state.round + 1,
        )
