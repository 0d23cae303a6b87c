"""The sequence of play: 4, 4.i-4.vi, 15, 15.i-15.vii, 5.21."""

from __future__ import annotations

from types import MappingProxyType

from engine.core.ctx import Ctx
from engine.core.text import N_
from engine.ddob.rules import (
    card_events,
    engineers,
    german_actions,
    german_fire,
    landing,
    leaders,
    us_actions,
    victory,
)
from engine.ddob.rules.armor import lost_to_armor
from engine.ddob.rules.communication import fix_communication
from engine.ddob.rules.losses import GameOver, eliminate
from engine.ddob.rules.setup import set_up
from engine.ddob.state.book import EAST, WEST
from engine.ddob.state.events import (
    Died,
    Discarded,
    Ended,
    FirePhaseBegan,
    PhaseBegan,
    Shuffled,
    TurnBegan,
)
from engine.ddob.state.ground import is_submerged
from engine.ddob.state.state import State, do_letters_count, in_boxes, is_extended, on_map
from engine.ddob.state.tables import BOXES, CARDS, CHARTS, SETUPS, UNITS, tide

PHASES = (
    N_("setup"),
    N_("landing:east"),
    N_("landing:west"),
    N_("landing"),
    N_("arrivals"),
    N_("event"),
    N_("fire"),
    N_("fire:east"),
    N_("act:east"),
    N_("guns:east"),
    N_("fire:west"),
    N_("act:west"),
    N_("guns:west"),
    N_("event 2"),
    N_("engineers"),
    N_("actions"),
    N_("division"),
    N_("stacking"),
    N_("end"),
)


ROAD_END = "23.5.fine"
SEQUENCE = MappingProxyType(
    {
        "landing": ("4#anfibie", "15#anfibie"),
        "arrivals": ("4#anfibie", "15#anfibie"),
        "event": ("4#evento", "15#primo-evento"),
        "fire": ("4#fuoco", "15#fuoco"),
        "act": ("4#fuoco", "15#fuoco"),
        "guns": ("4#fuoco", "15#fuoco"),
        "event 2": ("4#evento", "15#secondo-evento"),
        "engineers": ("4#genio", "15#genio"),
        "actions": ("4#azioni", "15#azioni"),
        "division": ("4#azioni", "15#azioni"),
        "stacking": ("4#azioni", "15#azioni"),
        "end": ("4#fine", "15#fine"),
    }
)
"""Phase -> its item in the basic and in the extended sequence (4, 15)."""


def play(ctx: Ctx[State]) -> None:
    """One procedure, from a resting state to the next full stop."""
    try:
        name, _, sector = ctx.state.phase.partition(":")
        PROCEDURES[name](ctx, sector)
    except GameOver:
        return


NEXT = {
    "landing:east": "landing:west",
    "landing:west": "landing",
    "landing": "arrivals",
    "arrivals": "event",
    "guns:east": "fire:west",
}
"""What follows parts that are passed over when there is nothing to do in them (4.i, 4.iii)."""


def go(ctx: Ctx[State], phase: str) -> None:
    """The next phase, in the order of the basic or the extended sequence (4, 15)."""
    while phase in NEXT and not is_needed(ctx.state, phase):
        phase = NEXT[phase]
    if phase == "guns:west" and not is_needed(ctx.state, phase):
        phase = after_west(ctx.state)
    basic, extended = SEQUENCE[phase.partition(":")[0]]
    ctx.do(PhaseBegan(phase=phase), extended if is_extended(ctx.state) else basic)


def is_needed(state: State, phase: str) -> bool:
    """Whether there is anything to do in a part of the turn (4.i, 4.iii, 5.15, 6.4, 6.5, 19.4)."""
    if phase == "arrivals":
        return bool(landing.arriving(state))
    if phase == "landing":
        return bool(in_boxes(state))
    if phase == "landing:east" and state.turn == engineers.ALL_CLEAR_TURN:
        return True
    part, _, sector = phase.partition(":")
    if part == "guns":
        card = CARDS[state.cards[f"fire {sector}"]]
        return card.artillery is not None or bool(german_fire.recovering(state, sector))
    return any(BOXES[unit.at].sector == sector and not unit.checked for unit in in_boxes(state))


def after_west(state: State) -> str:
    """What follows the fire of the last sector (4, 15)."""
    return "event 2" if is_extended(state) else "engineers"


def has_sector(state: State, sector: str) -> bool:
    """Whether a sector is in play (ef.area)."""
    return sector in SETUPS[state.scenario].sectors


# I Amphibious operations


def landing_phase(ctx: Ctx[State], sector: str) -> None:
    """Landing checks east, then west, then landing (4.i, 15.i)."""
    if not sector:
        landing.land(ctx)
        go(ctx, "arrivals")
        return
    if sector == EAST and ctx.state.turn == engineers.ALL_CLEAR_TURN:
        engineers.demolish(ctx)
    if has_sector(ctx.state, sector):
        landing.landing_checks(ctx, sector)
    go(ctx, "landing:west" if sector == EAST else "landing")


def arrivals(ctx: Ctx[State], _sector: str) -> None:
    """Units of this turn go into landing boxes, one by one (4.i, 5, 5.3)."""
    if waiting := landing.arriving(ctx.state):
        landing.arrive_one(ctx, waiting[0])
        return
    if in_boxes(ctx.state):
        ctx.cite("15.i" if is_extended(ctx.state) else "5#prossimo", N_("They land next turn."))
    go(ctx, "event")


# II, IV Events


def event(ctx: Ctx[State], _sector: str) -> None:
    """The event of the turn, or the first of two (4.ii, 15.ii)."""
    turn = ctx.state.turn
    if turn == 1 or turn == 32:
        ctx.cite(
            "4.ii#primo-turno" if turn == 1 else "15.ii", N_("No event on turn {turn}."), turn=turn
        )
    else:
        card_events.event(ctx, second=False)
    go(ctx, "fire")


def second_event(ctx: Ctx[State], _sector: str) -> None:
    """The second event of an extended turn (15.iv)."""
    if ctx.state.turn == 32:
        ctx.cite("15.iv#turno-32", N_("No event on turn {turn}."), turn=32)
    else:
        card_events.event(ctx, second=True)
    go(ctx, "engineers")


# III German fire


def fire(ctx: Ctx[State], sector: str) -> None:
    """A card for each sector, east first (4.iii, 15.iii, 6)."""
    if not sector:
        ctx.do(FirePhaseBegan(), ("15.iii#carte",) if is_extended(ctx.state) else ("4.iii#pesca",))
        fix_communication(ctx)
        german_fire.turn_batteries(ctx)
        go(ctx, "fire:east")
        return
    if not has_sector(ctx.state, sector):
        ctx.cite("ef.area#carte", N_("No card for the {sector} sector."), sector=sector)
        after_fire(ctx, sector)
        return
    if f"fire {sector}" not in ctx.state.cards:
        german_fire.draw_fire_card(ctx, sector)
        return
    if do_letters_count(ctx.state):
        ref = (
            ("6.1.lettera#sceglie", "15.iii#lettere")
            if is_extended(ctx.state)
            else ("6.1.lettera#sceglie", "14.2")
        )
        ctx.cite(ref, N_("Letters count: German actions."))
        card = CARDS[ctx.state.cards[f"fire {sector}"]]
        german_actions.queue(ctx, sector, card)
        go(ctx, f"act:{sector}")
        return
    ctx.cite("6.1.lettera#ignora", N_("Letters are ignored before turn 17."))
    german_fire.fire_phase(ctx, sector)
    go(ctx, f"guns:{sector}")


def german_action(ctx: Ctx[State], sector: str) -> None:
    """The positions of the queue act one by one (16)."""
    if ctx.state.queue:
        german_actions.act_next(ctx, sector)
    else:
        go(ctx, f"guns:{sector}")


def guns(ctx: Ctx[State], sector: str) -> None:
    """Artillery, then recovery, of a sector (4.iii, 6.5, 6.4)."""
    german_fire.artillery(ctx, sector)
    german_fire.recover(ctx, sector)
    after_fire(ctx, sector)


def after_fire(ctx: Ctx[State], sector: str) -> None:
    """West after east, then on to the next phase."""
    if sector == EAST:
        go(ctx, f"fire:{WEST}")
    else:
        go(ctx, after_west(ctx.state))


# IV, V Engineers


def engineer_phase(ctx: Ctx[State], _sector: str) -> None:
    """Obstacles until turn 16; then bases, garrisons and command posts (4.iv, 15.v)."""
    if is_extended(ctx.state):
        if not engineers.settle_bases(ctx):
            return
        if not engineers.garrison(ctx):
            return
        if not leaders.settle_posts(ctx):
            return
        ctx.cite("15.v#fase", N_("Engineers and HQs are settled."))
        engineers.open_roads(ctx)
    elif ctx.state.turn == 1:
        ctx.cite("4.iv", N_("No clearing on turn 1."))
    elif not engineers.clear_obstacles(ctx):
        return
    else:
        engineers.tell_finished(ctx)
    go(ctx, "actions")


# V, VI US actions


def actions(ctx: Ctx[State], _sector: str) -> None:
    """Command is fixed and the divisions begin (4.v, 15.vi)."""
    us_actions.begin(ctx)
    go(ctx, "division")


def division(ctx: Ctx[State], _sector: str) -> None:
    """One action, or the choice of the next division (7.2)."""
    if ctx.state.division:
        us_actions.act(ctx)
    elif not us_actions.choose_division(ctx):
        go(ctx, "stacking")


def stacking(ctx: Ctx[State], _sector: str) -> None:
    """At most two units per hex when the phase ends (7.6)."""
    label = us_actions.overfull(ctx.state)
    if label:
        us_actions.trim(ctx, label)
        return
    us_actions.finish(ctx)
    go(ctx, "end")


# VI, VII The end of the turn


def end(ctx: Ctx[State], _sector: str) -> None:
    """The tide, the cards, the victory check and the clock (4.vi, 15.vii)."""
    drown(ctx)
    lost = lost_to_armor(ctx.state)
    if lost:
        ctx.do(
            Ended(degree="decisive defeat", points=0, why=ROAD_END),
            ("23.5.fine#perdi", "casa.67"),
            N_("German tanks hold {hex}. Decisive defeat."),
            hex=lost,
        )
        return
    victory.check(ctx)
    if ctx.state.degree:
        return
    ctx.do(Discarded(), "15.vii" if is_extended(ctx.state) else "4.vi#togli")
    if ctx.state.turn in CHARTS.shuffles.turns:
        ctx.do(Shuffled(), "4.vi#rimescola")
    ctx.do(TurnBegan(turn=ctx.state.turn + 1), "15.vii" if is_extended(ctx.state) else "4.vi#turno")
    if ctx.state.turn == 17:
        ctx.cite("14#aggiungono", N_("The extended game begins."))
    go(ctx, "landing:east")


def drown(ctx: Ctx[State]) -> None:
    """Units under water are eliminated, unless they climb (5.21, casa.10)."""
    water = tide(ctx.state.turn)
    for unit in list(on_map(ctx.state)):
        if not is_submerged(unit.at, water):
            continue
        if unit.climb:
            ctx.cite(
                ("5.21#salva", "casa.10"),
                N_("{unit} is climbing: the tide spares it."),
                unit=unit.id,
            )
        elif UNITS[unit.id].is_leader:
            ctx.do(Died(unit=unit.id), "5.21#eliminato")
        else:
            eliminate(ctx, unit.id, ("5.21#eliminato", "casa.55"))


PROCEDURES = {
    "setup": lambda ctx, _sector: set_up(ctx),
    "landing": landing_phase,
    "arrivals": arrivals,
    "event": event,
    "fire": fire,
    "act": german_action,
    "guns": guns,
    "event 2": second_event,
    "engineers": engineer_phase,
    "actions": actions,
    "division": division,
    "stacking": stacking,
    "end": end,
}
