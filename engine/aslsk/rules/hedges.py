"""Who has the advantage of a hedge (1.1.1.hedges.advantage, casa.44)."""

from __future__ import annotations

from engine.aslsk.state.events import HedgeTaken
from engine.aslsk.state.state import State, parked, stacks, units_at, vehicles_at
from engine.core.ctx import Ctx
from engine.core.rules import Side
from engine.core.text import N_

NOBODY: frozenset[Side] = frozenset()


def lined(state: State, hex: str) -> set[Side]:
    """The sides with Good Order units in a hex, vehicles among them (2.0.good_order)."""
    people = {u.side for u in units_at(state, hex) if u.good_order and not u.hidden}
    return people | {v.side for v in vehicles_at(state, hex) if v.good_order}


def update_hedges(ctx: Ctx[State]) -> None:
    """First there gains it; it passes when only the enemy is left (1.1.1.hedges.advantage)."""
    state = ctx.state
    sides = state.ground.hedge_sides
    if not sides:
        return
    held = {hex: lined(state, hex) for hex in stacks(state).keys() | parked(state).keys()}
    for a, b, name in sides:
        owner = state.hedge.get(name, "")
        if not owner and a not in held and b not in held:
            continue
        present = held.get(a, NOBODY) | held.get(b, NOBODY)
        if owner in present or (not present and not owner):
            continue
        new = sorted(present)[0] if len(present) == 1 else ""
        if new != owner:
            why = N_("{side} has the hedge advantage at {edge}")
            ctx.do(
                HedgeTaken(edge=name, side=new), "1.1.1.hedges.advantage", why, side=new, edge=name
            )
