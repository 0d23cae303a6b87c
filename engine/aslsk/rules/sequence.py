"""The sequence of play: eight phases, their steps, and what happens between them (3.0, 3.9).

Refs: 1.2.5, 2.0.attacker, 2.0.defender, 2.0.player_turn, 3.0, 3.2.5, 3.3.1.double_time,
3.3.5.replace, 3.4.cleanup, 3.5, 3.8.cleanup, 3.9.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from engine.aslsk.rules import defensive, movement, oba, rally, setup, vehicles
from engine.aslsk.rules.acquisition import update_acquisitions
from engine.aslsk.rules.advance import advance, late_arrivals
from engine.aslsk.rules.advancing import explode_charges
from engine.aslsk.rules.close_combat import close_combat, loosen
from engine.aslsk.rules.guns import free_turn, push_step, reveal_guns
from engine.aslsk.rules.hedges import update_hedges
from engine.aslsk.rules.movement import GRENADE, PUSHING
from engine.aslsk.rules.ordnance import SMOKE, WP
from engine.aslsk.rules.rout import mark_adjacent, rout_phase, rout_step
from engine.aslsk.rules.shooting import fire_step
from engine.aslsk.rules.smoke_fire import smoke_step
from engine.aslsk.rules.verdicts import tell_nobody
from engine.aslsk.rules.victory import check_at_once, check_end, update_control
from engine.aslsk.state.events import (
    BreathCaught,
    Cleared,
    Flipped,
    MarkersRemoved,
    PhaseEnded,
    PlayerTurnEnded,
    ResidualRemoved,
    SmokePlaced,
    SmokeRemoved,
    StepBegan,
    TurnOf,
    Winded,
)
from engine.aslsk.state.state import (
    AFPH,
    APH,
    BOUNDING,
    CCPH,
    CX,
    DFPH,
    FINAL,
    FIRST,
    INTENSIVE,
    MAP,
    MPH,
    PFPH,
    PIN,
    POOL,
    PREP,
    RPH,
    RTPH,
    SETUP,
    State,
)
from engine.aslsk.state.vehicle_events import RofForgone, StunPassed
from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, unit
from engine.core.rules import Ruling, Side
from engine.core.text import N_

ATT, DEF = "attacker", "defender"
STEPS: tuple[tuple[str, str, str], ...] = (
    (RPH, "a", ATT),
    (RPH, "b", ATT),
    (RPH, "b", DEF),
    (RPH, "c", ATT),
    (RPH, "c", DEF),
    (RPH, "d", ATT),
    (RPH, "d", DEF),
    (RPH, "e", ATT),
    (RPH, "e", DEF),
    (RPH, "f", ATT),
    (RPH, "f", DEF),
    (RPH, "g", ATT),
    (RPH, "h", ATT),
    (PFPH, "smoke", ATT),
    (PFPH, "oba", ATT),
    (PFPH, "fire", ATT),
    (PFPH, "turn", ATT),
    (MPH, "move", ATT),
    (DFPH, "smoke", DEF),
    (DFPH, "oba", DEF),
    (DFPH, "fire", DEF),
    (DFPH, "turn", DEF),
    (AFPH, "dc", ATT),
    (AFPH, "fire", ATT),
    (AFPH, "turn", ATT),
    (RTPH, "rout", ATT),
    (RTPH, "rout", DEF),
    (APH, "advance", ATT),
    (CCPH, "cc", ATT),
)
"""Every step of a Player Turn: phase, step, who acts (3.0)."""

_PLACE = {(phase, step, who): n for n, (phase, step, who) in enumerate(STEPS)}


def play(ctx: Ctx[State]) -> None:
    """One procedure: a step goes on, or the next one begins."""
    state = ctx.state
    if state.phase == SETUP:
        _set_up(ctx)
    elif state.mover is not None:
        _move_on(ctx)
    elif state.router is not None:
        rout_step(ctx)
    elif not _act(ctx):
        _next(ctx)
    ctx.settled()
    if ctx.state.units is not state.units or ctx.state.vehicles is not state.vehicles:
        after(ctx)


def after(ctx: Ctx[State]) -> None:
    """What follows a change: HIP, DM, control, hedges, acquisitions, Melee, sudden victory."""
    if ctx.state.phase == SETUP:
        return
    reveal_guns(ctx)
    mark_adjacent(ctx)
    if ctx.state.control:
        update_control(ctx)
    update_hedges(ctx)
    update_acquisitions(ctx)
    oba.lose_contact(ctx)
    if ctx.state.cc is None:
        loosen(ctx)
    check_at_once(ctx)


def _set_up(ctx: Ctx[State]) -> None:
    if setup.set_up(ctx):
        return
    state = ctx.state
    order = [s for s in state.sides if s != state.who]
    if state.step != "second" and order:
        ctx.do(StepBegan(phase=SETUP, step="second", side=order[0]), "1.3#schierano")
        return
    ctx.do(TurnOf(side=state.sides[0], turn=1), ("3.0#attaccante", "2.0.attacker#chi"))
    _start_phase(ctx, 0)


def _move_on(ctx: Ctx[State]) -> None:
    mover = ctx.state.mover
    assert mover is not None
    if mover.window:
        defensive.window(ctx)
    elif mover.units[0] in ctx.state.vehicles:
        vehicles.step(ctx)
    elif mover.mode in PUSHING:
        push_step(ctx)
    else:
        movement.step(ctx)


def _act(ctx: Ctx[State]) -> bool:
    """One act of the current step; False when it is over."""
    state = ctx.state
    match state.phase, state.step:
        case ("RPh", _):
            return _rally_act(ctx)
        case (_, "smoke"):
            return smoke_step(ctx)
        case (_, "oba"):
            return oba.oba_step(ctx)
        case ("PFPh", "fire"):
            return fire_step(ctx, "3.2.5#spara")
        case ("DFPh", "fire"):
            return fire_step(ctx, "3.4#spara")
        case ("AFPh", "dc"):
            return explode_charges(ctx)
        case ("AFPh", "fire"):
            return fire_step(ctx, "3.5#dimezzato")
        case (_, "turn"):
            return free_turn(ctx)
        case ("MPh", _):
            return _choose_mover(ctx)
        case ("RtPh", _):
            return rout_phase(ctx)
        case ("APh", _):
            return advance(ctx)
        case ("CCPh", _):
            return close_combat(ctx)
    return False


def _rally_act(ctx: Ctx[State]) -> bool:
    """One act of a step of the Rally Phase (3.1.a-3.1.h)."""
    match ctx.state.step:
        case "a":
            return setup.arm_arrivals(ctx) or rally.reinforcements(ctx)
        case "b":
            return rally.recover(ctx)
        case "c":
            return rally.repair(ctx)
        case "d":
            return rally.transfer(ctx, "3.1.d#scambiarsi")
        case "e":
            return rally.self_rally(ctx)
        case "f":
            return rally.rally(ctx)
        case "g":
            rally.recover_shock(ctx)
        case "h":
            return rally.remove_dm(ctx)
    return False


def _choose_mover(ctx: Ctx[State]) -> bool:
    """The ATTACKER picks who moves next (3.3)."""
    state = ctx.state
    side = state.attacker
    if f"move {side}" in state.settled:
        return False
    mine = [u.id for u in state.units.values() if u.side == side and u.place == MAP]
    mine += [v.id for v in state.vehicles.values() if v.side == side and v.is_live]
    if not any(next(_why_not_move(state, n), None) is None for n in mine):
        if mine and (found := next(_why_not_move(state, mine[0]), None)) is not None:
            tell_nobody(ctx, "3.3#non-muove", side, mine[0], found)
        return False
    name = ctx.choose(
        "move.who",
        side,
        _mover_choices(state, mine),
        ("3.3#muove", "2.0.mf#mph"),
        N_("who moves?"),
        why_not=lambda n: _why_not_pass(state) if not n else _why_not_move(state, n),
    )
    if not name:
        return False
    if name in state.vehicles:
        vehicles.start_move(ctx, name)
    else:
        movement.start_move(ctx, name)
    return True


def _mover_choices(state: State, mine: list[str]) -> Iterator[Choice[str]]:
    field = state.ground
    for n in mine:
        yield unit(n, n, hex=field.hex[(state.units.get(n) or state.vehicles[n]).hex])
    yield button("passa", "", N_("no more movement"))


def _why_not_move(state: State, name: str) -> Iterator[Ruling]:
    if name in state.units:
        return movement.why_not_move(state, name)
    return vehicles.why_not_move(state, name)


def _why_not_pass(state: State) -> Ruling | None:
    return vehicles.must_still_move(state)


# Between steps


def _next(ctx: Ctx[State]) -> None:
    """The next step, phase or Player Turn (3.0)."""
    state = ctx.state
    who = ATT if state.who == state.attacker else DEF
    place = _skip_idle(state, _PLACE[state.phase, state.step, who] + 1, state.phase)
    ended = place == len(STEPS) or STEPS[place][0] != state.phase
    if ended:
        _end_phase(ctx, state.phase)
    if place == len(STEPS):
        _end_turn(ctx)
    elif ended:
        _start_phase(ctx, place)
    else:
        _begin(ctx, place)


def _skip_idle(state: State, place: int, phase: str) -> int:
    """The next step of a phase that concerns somebody, or the place after its last one."""
    while place < len(STEPS) and STEPS[place][0] == phase and _is_idle(state, *STEPS[place]):
        place += 1
    return place


def _is_idle(state: State, phase: str, step: str, who: str) -> bool:
    """Whether nobody on the table could be concerned by a step."""
    side = state.attacker if who == ATT else state.defender
    counters = (state.units, state.weapons, state.vehicles)
    pieces = [w for w in state.weapons.values() if w.place == MAP]
    tanks = [v for v in state.vehicles.values() if v.side == side and v.is_live]
    match step:
        case "a":
            return all(one.place != POOL for group in counters for one in group.values())
        case "b":
            return all(w.owner for w in pieces)
        case "c":
            return not any(w.broken for w in pieces) and not any(
                v.arms.ma or v.arms.broken for v in tanks
            )
        case "d":
            return not any(w.owner and state.units[w.owner].side == side for w in pieces)
        case "e" | "f" | "rout":
            return not any(u.broken and u.side == side for u in state.units.values())
        case "g":
            return not any(v.crew.shock for v in state.vehicles.values())
        case "h":
            return not any(u.dm for u in state.units.values())
        case "smoke":
            rounds = [w.data.ammo for w in pieces] + [v.data.ammo for v in tanks]
            return not any(SMOKE in ammo or WP in ammo for ammo in rounds)
        case "oba":
            return state.oba is None or state.oba.side != side
        case "dc":
            return not any(w.planted for w in pieces)
        case "turn":
            return not tanks and not any(w.data.is_gun for w in pieces)
    return False


def _begin(ctx: Ctx[State], place: int) -> None:
    phase, step, who = STEPS[place]
    side = ctx.state.attacker if who == ATT else ctx.state.defender
    ctx.do(StepBegan(phase=phase, step=step, side=side), REF.get((phase, step)) or REF[phase, ""])


REF = {
    (RPH, "a"): ("3.1#rinforzi", "2.0.rph#rph"),
    (RPH, "b"): ("3.1#raccolta", "2.0.rph#rph"),
    (RPH, "c"): ("3.1#riparazione", "2.0.rph#rph"),
    (RPH, "d"): ("3.1#passaggio", "2.0.rph#rph"),
    (RPH, "e"): ("3.1#self-rally", "2.0.rph#rph"),
    (RPH, "f"): ("3.1#rally", "2.0.rph#rph"),
    (RPH, "g"): ("3.1#veicoli", "2.0.rph#rph"),
    (RPH, "h"): ("3.1#dm", "2.0.rph#rph"),
    (PFPH, "smoke"): ("3.2.5#ordine", "2.0.pfph#ordine"),
    (PFPH, "oba"): ("3.2.5#ordine", "2.0.pfph#ordine"),
    (PFPH, "turn"): ("3.2.4.ca_free#fine-fase", "2.0.pfph#fase"),
    (PFPH, ""): ("3.2.5#spara", "2.0.pfph#spara"),
    (MPH, ""): ("3.3#muove", "2.0.mf#mph"),
    (DFPH, "smoke"): ("3.4#inizio", "2.0.dfph#fase"),
    (DFPH, "oba"): ("3.4#inizio", "2.0.dfph#fase"),
    (DFPH, "turn"): ("3.2.4.ca_free#fine-fase", "3.4.cleanup", "2.0.dfph#fase"),
    (DFPH, ""): ("3.4#spara", "2.0.dfph#spara"),
    (AFPH, "dc"): ("3.5#dc", "2.0.afph#dc"),
    (AFPH, "turn"): ("3.2.4.ca_free#fine-fase", "2.0.afph#fase"),
    (AFPH, ""): ("3.5#dimezzato", "2.0.afph#spara"),
    (RTPH, ""): ("3.6#scappano", "2.0.rph#rtph"),
    (APH, ""): ("3.7#avanza", "2.0.aph#sposta"),
    (CCPH, ""): ("3.8#stesso-esagono", "2.0.cc#ccph"),
}
"""What each step applies; without a name, all others of the phase."""


def _start_phase(ctx: Ctx[State], place: int) -> None:
    phase = STEPS[place][0]
    busy = _skip_idle(ctx.state, place, phase)
    is_over = busy == len(STEPS) or STEPS[busy][0] != phase
    _begin(ctx, busy - 1 if is_over else busy)
    if phase == PFPH:
        _thin_smoke(ctx)
    elif phase == MPH:
        _catch_breath(ctx)


def _thin_smoke(ctx: Ctx[State]) -> None:
    """Dispersed smoke of the ATTACKER goes, full smoke is flipped (1.2.5)."""
    for hex, one in list(ctx.state.smoke.items()):
        if one.side != ctx.state.attacker:
            continue
        ctx.do(SmokeRemoved(hex=hex), "1.2.5#durata")
        if one.kind in ("full", "full WP"):
            value = 2 if one.kind == "full" else 1
            kind = "dispersed" if one.kind == "full" else "dispersed WP"
            ctx.do(SmokePlaced(hex=hex, value=value, kind=kind, side=one.side), "1.2.5#durata")


def _catch_breath(ctx: Ctx[State]) -> None:
    """CX goes at the start of the unit's MPh; no Double Time in it (3.3.1.double_time)."""
    for one in list(ctx.state.units.values()):
        if one.cx and one.side == ctx.state.attacker and one.place == MAP:
            ctx.do(Cleared(unit=one.id, marker=CX), "3.3.1.double_time#si-toglie")
            ctx.do(Winded(unit=one.id), "3.3.1.double_time#si-toglie")


def _end_phase(ctx: Ctx[State], phase: str) -> None:
    """What comes off the map when a phase ends, or goes on it."""
    if phase == PFPH:
        _mark_prep_fire(ctx)
    elif phase == MPH:
        vehicles.end_of_movement(ctx)
        for hex, one in list(ctx.state.smoke.items()):
            if one.kind == GRENADE:
                ctx.do(SmokeRemoved(hex=hex), ("3.3.1.smoke#vale", '1.2.5#pedine/½" granata'))
                if (old := one.over) is not None:
                    back = SmokePlaced(hex=hex, value=old.value, kind=old.kind, side=old.side)
                    ctx.do(back, "1.2.5#durata")
        if ctx.state.residual:
            ctx.do(ResidualRemoved(), "3.3.5.replace#fine")
        for u in list(ctx.state.units.values()):
            if u.was_cx:
                ctx.do(BreathCaught(unit=u.id), "3.3.1.double_time#si-toglie")
    elif phase == DFPH:
        ctx.do(MarkersRemoved(marker=f"{FIRST} + {FINAL}"), "3.4.cleanup")
    elif phase == AFPH:
        ctx.do(MarkersRemoved(marker=f"{PREP} + {BOUNDING} + {INTENSIVE}"), "3.5#fine")
    elif phase == APH:
        late_arrivals(ctx)
    elif phase == CCPH:
        _clean_up(ctx)
    ctx.do(PhaseEnded(phase=phase), ENDED[phase])


ENDED = MappingProxyType(
    {
        RPH: "3.0#rph",
        PFPH: "3.0#pfph",
        MPH: "3.0#mph",
        DFPH: "3.0#dfph",
        AFPH: "3.0#afph",
        RTPH: "3.0#rtph",
        APH: "3.0#aph",
        CCPH: "3.0#ccph",
    }
)


def _mark_prep_fire(ctx: Ctx[State]) -> None:
    """Who used a weapon, and what kept its ROF, have made Prep Fire too (3.2.5, 3.5)."""
    state = ctx.state
    for u in state.units.values():
        if u.used and u.side == state.attacker and u.place == MAP and u.fire != PREP:
            ctx.do(Flipped(unit=u.id, marker=PREP), "3.2.5#segna")
    for w in state.weapons.values():
        if w.shots and not w.fire and w.place == MAP:
            ctx.do(Flipped(unit=w.id, marker=PREP), "3.2.5#segna")
    for v in state.vehicles.values():
        if v.marks.kept and v.is_live:
            ctx.do(RofForgone(vehicle=v.id), ("3.2.5#segna", "3.5#dimezzato"))


def _clean_up(ctx: Ctx[State]) -> None:
    """Pins go; Stun counters turn to +1 (3.8.cleanup)."""
    for one in list(ctx.state.units.values()):
        if one.pinned:
            ctx.do(Cleared(unit=one.id, marker=PIN), "3.8.cleanup")
    for v in list(ctx.state.vehicles.values()):
        if v.crew.stun and v.is_live:
            ctx.do(StunPassed(vehicle=v.id), ("3.8.cleanup", "7.10.stun#piu-uno"))


def _end_turn(ctx: Ctx[State]) -> None:
    """The other side becomes the ATTACKER, or the turn marker moves on (3.9)."""
    state = ctx.state
    ctx.do(PlayerTurnEnded(side=state.attacker), ("3.9#diventa", "2.0.player_turn"))
    first, second = state.sides
    turn = state.turn
    nxt: Side = second
    over = False
    if state.attacker == second:
        nxt, turn = first, turn + 1
        over = turn > state.turns
    elif state.half and turn == state.turns:
        over = True
    if over:
        check_end(ctx)
        return
    ref = "3.9#avanza" if turn > state.turn else "3.9#diventa"
    ctx.do(TurnOf(side=nxt, turn=turn), (ref, "2.0.attacker#chi"))
    _start_phase(ctx, 0)
