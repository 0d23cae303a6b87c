"""Chapter 1: the action track, active and reactive player, passing, the end of the turn.

Refs: warfare:track.*, turno.*, azioni.frazione_ap, movimento.limite_ap, giocatori.numero,
arbitrato.piu_giocatori, arbitrato.fine_turno_reazione, arbitrato.supporto_giro.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from engine.core.ctx import Ctx
from engine.core.index import indexed
from engine.core.rules import Locators, Side
from engine.core.text import N_, Fact
from engine.warfare.state.ascs import D20
from engine.warfare.state.book import joined
from engine.warfare.state.events import (
    ActiveChanged,
    Controlled,
    MoodSet,
    MoraleSet,
    PhaseSet,
    SmokeCleared,
    Spent,
    SupportReady,
    TurnEnded,
)
from engine.warfare.state.setting import scenario_of
from engine.warfare.state.state import (
    BOXES,
    DEAD,
    DUE,
    GONE,
    MORALE_NAMES,
    REINFORCE,
    SHAKEN,
    STEADY,
    SUPPRESSED,
    TRACK,
    WAITING,
    Cube,
    State,
    Support,
    Unit,
    box_after,
    piece,
    unit_at,
)

MOODS = (N_("cautious"), N_("normal"), N_("aggressive"), N_("fanatical"))
MOOD_ROWS: Final = MappingProxyType(
    {
        MOODS[0]: "solitario.cenno#umori/1",
        MOODS[1]: "solitario.cenno#umori/6",
        MOODS[2]: "solitario.cenno#umori/16",
        MOODS[3]: "solitario.cenno#umori/20",
    }
)
SOLO = "solitario"


def next_cube(state: State, side: Side) -> int:
    """The position of the first cube of another player that this one meets."""
    return min(cube.position for cube in state.cubes.values() if cube.side != side)


def available(state: State, side: Side) -> int:
    """AP before the active player becomes reactive: one box past the next cube."""
    return _available(state.cubes)[side]


@indexed(keep=2)
def _available(cubes: dict[Side, Cube]) -> dict[Side, int]:
    found = {}
    for cube in cubes.values():
        other = min(c.position for c in cubes.values() if c.side != cube.side)
        found[cube.side] = max(0, other - cube.position + 1)
    return found


def pay(
    ctx: Ctx[State],
    side: Side,
    cost: int,
    ref: Locators,
    msgid: str | None = None,
    /,
    **facts: Fact,
) -> None:
    """Move a cube one box for each AP (track.spesa); it never goes back (track.mai_sale)."""
    cube = ctx.state.cubes[side]
    spent = Spent(side=side, n=cost, box=box_after(cube.position + cost))
    refs = joined(ref, "track.spesa")
    if msgid is None:
        ctx.do(spent, refs)
    else:
        ctx.do(spent, refs, msgid, n=cost, box=spent.box, side=side, **facts)
    if box_after(cube.position) <= cost:
        ctx.cite(
            ("track.caselle#zero", "track.mai_sale"),
            N_("{side} goes round from box 1 to box 40"),
            side=side,
        )


def pay_action(ctx: Ctx[State], side: Side, cost: int, ref: Locators) -> None:
    """Pay an action other than movement, also with too few AP left (azioni.frazione_ap)."""
    if side == ctx.state.active and cost > available(ctx.state, side):
        ctx.cite(
            "azioni.frazione_ap#sempre",
            N_("{side} has {available} AP before becoming reactive and pays {cost}"),
            side=side,
            available=available(ctx.state, side),
            cost=cost,
        )
    pay(ctx, side, cost, ref)


def discounted(printed: int, damage: int) -> int:
    """A cost less the damage of who pays it, never below 1 (danno.uno, danno.due)."""
    return max(1, printed - damage)


def cite_discount(ctx: Ctx[State], name: str, printed: int, damage: int) -> None:
    """Say why an action costs less than printed, or why not in spite of damage."""
    if not damage:
        return
    is_least = printed - damage < 1
    ctx.cite(
        (
            "danno.due#paga"
            if damage > 1
            else "danno.uno#paga"
            if printed > 1
            else "danno.uno#minimo",
            "arbitrato.costo_minimo#mai" if is_least else "",
            "arbitrato.sconto_supporti" if name in ctx.state.supports else "",
        ),
        N_("{unit} has damage {damage}: {cost} AP instead of {printed}")
        if printed > 1
        else N_("{unit} has damage {damage}, but no action costs less than {cost} AP"),
        unit=name,
        damage=damage,
        cost=discounted(printed, damage),
        printed=printed,
    )


def pay_one(ctx: Ctx[State], name: str, side: Side, ref: Locators) -> None:
    """Pay 1 AP: damage takes nothing off (arbitrato.costo_minimo)."""
    cite_discount(ctx, name, 1, piece(ctx.state, name).damage)
    pay_action(ctx, side, 1, ref)


def pass_turn(ctx: Ctx[State], side: Side) -> None:
    """One box beyond the next cube (track.passare)."""
    cost = available(ctx.state, side)
    pay(
        ctx,
        side,
        cost,
        "track.passare#porta" if len(ctx.state.cubes) == 2 else "track.passare#molti",
        N_("{side} passes: box {box}"),
    )


def finish_action(ctx: Ctx[State]) -> None:
    """What follows a completed action: objectives, supports, end of turn, roles."""
    settle_objectives(ctx)
    if all(cube.position >= BOXES * ctx.state.turn for cube in ctx.state.cubes.values()):
        end_turn(ctx)
    return_supports(ctx)
    settle_roles(ctx)


def settle_objectives(ctx: Ctx[State]) -> None:
    """An objective counts for the last who held it with a unit not suppressed (scenari.s5)."""
    scenario = scenario_of(ctx.state)
    if scenario.victory.kind != "objectives":
        return
    for hex in scenario.victory.objectives:
        holder = unit_at(ctx.state, hex)
        if holder is None or holder.morale == SUPPRESSED:
            continue
        team = ctx.state.cubes[holder.side].team
        if ctx.state.control.get(hex) != team:
            ctx.do(Controlled(hex=hex, side=team), scenario.says("held"))


def end_turn(ctx: Ctx[State]) -> None:
    """All cubes reached box 40, and the last action is over: four steps (turno.fine)."""
    turn = ctx.state.turn
    with ctx.under(
        ("turno.fine#finisce", "arbitrato.fine_turno_reazione"),
        N_("every cube has reached box 40: turn {turn} ends"),
        turn=turn,
    ):
        if ctx.state.smoke:
            ctx.do(SmokeCleared(), ("turno.fine.fumo", "fumogeni.durata"))
        shaken = [p.id for p in _pieces(ctx.state) if p.morale == SHAKEN]
        suppressed = [p.id for p in _pieces(ctx.state) if p.morale == SUPPRESSED]
        for name in shaken:
            event = MoraleSet(unit=name, morale=MORALE_NAMES[STEADY], level=STEADY)
            ctx.do(event, ("turno.fine.scossi#togli", "morale.fine_turno"))
        for name in suppressed:
            event = MoraleSet(unit=name, morale=MORALE_NAMES[SHAKEN], level=SHAKEN)
            ctx.do(event, ("turno.fine.soppressi", "morale.fine_turno"))
        if any(p.overwatch for p in _pieces(ctx.state)):
            ctx.cite("arbitrato.overwatch_turni", N_("who is in overwatch stays so"))
        ctx.do(TurnEnded(turn=turn), "turno.fine.cubetto")
    if ctx.state.turn <= scenario_of(ctx.state).turns:
        begin_turn(ctx)


def _pieces(state: State) -> list[Unit | Support]:
    units = [u for u in state.units.values() if u.place != DEAD]
    return [*units, *(s for s in state.supports.values() if s.place != GONE)]


def begin_turn(ctx: Ctx[State]) -> None:
    """Cubes stay where they are; what waited for this turn arrives (turno.nuovo)."""
    state = ctx.state
    ctx.cite(
        "turno.nuovo#restano", N_("turn {turn} begins: cubes stay where they are"), turn=state.turn
    )
    for support in state.supports.values():
        if support.place == WAITING and support.turn <= state.turn:
            ctx.do(
                SupportReady(support=support.id), ("turno.nuovo#supporti", "setup.supporti#turno")
            )
    roll_moods(ctx)
    if any(u.place == DUE and u.due <= state.turn for u in state.units.values()):
        ctx.do(
            PhaseSet(phase=REINFORCE),
            scenario_of(state).says("arrivals"),
            N_("units are due in turn {turn}"),
            turn=state.turn,
        )


def roll_moods(ctx: Ctx[State]) -> None:
    """The solo opponent rolls its mood for the turn (solitario.cenno)."""
    if not ctx.state.is_on(SOLO):
        return
    side = solo_side(ctx.state)
    mood = ctx.roll(
        D20, _mood, "solitario.cenno#umore", N_("{side} rolls its mood for the turn"), side=side
    )
    ctx.do(MoodSet(side=side, mood=mood), MOOD_ROWS[mood])


def _mood(faces: tuple[int, ...]) -> str:
    number = faces[0]
    return MOODS[0 if number <= 5 else 1 if number <= 15 else 2 if number <= 19 else 3]


def solo_side(state: State) -> Side:
    """The side that the solo opponent plays: the last in seating order."""
    return list(state.cubes)[-1]


def return_supports(ctx: Ctx[State]) -> None:
    """A used support is back after a whole lap, in a later turn (supporti.ritorno)."""
    for support in ctx.state.supports.values():
        if support.place != TRACK or support.turn >= ctx.state.turn:
            continue
        if ctx.state.cubes[support.side].position >= support.position + BOXES:
            ref = ("supporti.ritorno#giro", "arbitrato.supporto_giro")
            ctx.do(SupportReady(support=support.id), ref)


def settle_roles(ctx: Ctx[State]) -> None:
    """Most AP left is active; in the same box nothing changes (track.ruoli, track.parita)."""
    state = ctx.state
    least = min(cube.position for cube in state.cubes.values())
    if state.cubes[state.active].position == least:
        if sum(cube.position == least for cube in state.cubes.values()) > 1:
            ctx.cite(
                "track.parita#resta",
                N_("same box: {side} stays the active player"),
                side=state.active,
            )
        return
    first = next(cube.side for cube in state.cubes.values() if cube.position == least)
    ctx.do(
        ActiveChanged(side=first),
        ("track.ruoli#scambio", "arbitrato.piu_giocatori#attivo")
        if len(state.cubes) > 2
        else "track.ruoli#scambio",
    )
