"""Control of hexes and the victory conditions (1.3, 2.0.control, 3.9).

Refs: 1.3, 2.0.control, 2.0.mobile, 3.9.
"""

from __future__ import annotations

from engine.aslsk.state.book import rule
from engine.aslsk.state.events import Controlled, GameEnded
from engine.aslsk.state.ground import Ground
from engine.aslsk.state.state import MAP, State, parked, units_at, vehicles_at
from engine.aslsk.state.tables import Victory, scenarios
from engine.core.ctx import Ctx
from engine.core.index import indexed
from engine.core.rules import Ruling, Side
from engine.core.text import N_
from engine.core.title import Outcome


def conditions(state: State) -> Victory | None:
    """The victory conditions of the scenario."""
    card = scenarios().get(state.scenario)
    return card.victory if card is not None else None


@indexed()
def _areas(control: dict[str, Side], field: Ground) -> frozenset[str]:
    """Every hex whose occupation may change who controls something."""
    return frozenset([near for hex in control for near in field.area[hex]])


def update_control(ctx: Ctx[State]) -> None:
    """A Good Order MMC takes the hex it stands in alone; a building whole (2.0.control)."""
    state = ctx.state
    field = state.ground
    wanted = _areas(state.control, field)
    comers = {
        (u.side, u.hex)
        for u in state.units.values()
        if u.hex in wanted and u.place == MAP and u.is_mmc and u.good_order
    }
    if not comers:
        return
    for hex, owner in list(state.control.items()):
        area = field.area[hex]
        if not any(side != owner and at in area for side, at in comers):
            continue
        sides = {
            u.side for h in area for u in units_at(state, h) if not u.hidden or u.side == owner
        }
        sides |= {v.side for h in area for v in vehicles_at(state, h) if v.is_live}
        if len(sides) != 1:
            continue
        side = next(iter(sides))
        if side != owner:
            ref = "2.0.control#edificio" if len(area) > 1 else "2.0.control#mmc"
            ctx.do(Controlled(hex=hex, side=side), ref)


def held(state: State, side: Side, hexes: tuple[str, ...]) -> int:
    """How many of the hexes a side controls; an AFV controls only where it stands."""
    found = 0
    places = parked(state)
    for hex in hexes:
        owner = state.control.get(hex, "")
        guests = [v for v in places.get(hex, ()) if v.is_live and v.good_order]
        for v in guests:
            foes = any(u.side != v.side and u.good_order for u in units_at(state, hex))
            foes = foes or any(other.side != v.side for other in guests)
            if v.side != owner and not foes:
                owner = v.side
        found += owner == side
    return found


def check_at_once(ctx: Ctx[State]) -> None:
    """Victories that do not wait for the end."""
    state = ctx.state
    goal = conditions(state)
    if goal is None or state.winner:
        return
    foe = state.enemy(goal.side)
    if goal.losses and state.lost.get(goal.side, 0) >= goal.losses:
        _win(ctx, foe, N_("casualties"))
    elif goal.kind == "hill" and goal.at_once:
        guns = [w for w in state.weapons.values() if w.side == foe and w.data.is_gun]
        gone = all(
            w.place != MAP or (w.owner and state.units[w.owner].side == goal.side) for w in guns
        )
        if guns and gone and held(state, goal.side, goal.hexes) >= goal.at_once:
            _win(ctx, goal.side, N_("the battery is taken"))


def _win(ctx: Ctx[State], side: Side, cause: str) -> None:
    ctx.do(GameEnded(side=side, degree=N_("victory"), cause=cause), ("1.3#durata", "3.9#end"))


def check_end(ctx: Ctx[State]) -> None:
    """The turn track is over: who has won? (3.9)"""
    state = ctx.state
    goal = conditions(state)
    if goal is None:
        _win(ctx, state.sides[1], N_("the turn track is over"))
        return
    reached = is_reached(state, goal)
    cause = (
        N_("the victory conditions are met")
        if reached
        else N_("the victory conditions are not met")
    )
    _win(ctx, goal.side if reached else state.enemy(goal.side), cause)


def is_reached(state: State, goal: Victory) -> bool:
    """Whether the side that must win has won, as things stand."""
    foe = state.enemy(goal.side)
    field = state.ground
    if goal.kind == "clear":
        return not any(
            u.is_mmc and u.good_order and u.side == foe
            for hex in goal.hexes
            for u in units_at(state, hex)
        )
    if goal.kind == "crossroads":
        mobile = any(
            v.side == goal.side
            and v.good_order
            and not v.drive.bogged
            and not v.drive.immobilized
            and not v.arms.ma
            and v.hex in field.terrain
            and field.range(v.hex, goal.centre) <= goal.radius
            for v in state.vehicles.values()
            if v.place == MAP
        )
        return mobile and held(state, goal.side, goal.hexes) == len(goal.hexes)
    return held(state, goal.side, goal.hexes) >= goal.needed


def outcome(state: State) -> Outcome | None:
    """The end of the game, once reached."""
    if not state.winner:
        return None
    return Outcome(state.winner, state.degree, ended(state))


def ended(state: State) -> Ruling:
    """Why the game ended."""
    return rule("1.3#durata", N_("{side} wins: {cause}"), side=state.winner, cause=state.cause)
