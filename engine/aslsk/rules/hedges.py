"""Who has the advantage of a hedge (1.1.1.hedges.advantage, casa.44)."""

from __future__ import annotations

from engine.aslsk.state.events import HedgeTaken
from engine.aslsk.state.state import MAP, State, stacks
from engine.core.ctx import Ctx
from engine.core.rules import Side
from engine.core.text import N_

NOBODY: frozenset[Side] = frozenset()


def lined(state: State) -> dict[str, set[Side]]:
    """The sides with Good Order units in the hexes of hedges, vehicles among them
    (2.0.good_order)."""
    hexes = state.ground.hedge_hexes
    found: dict[str, set[Side]] = {}
    for hex, group in stacks(state).items():
        if hex in hexes and (sides := {u.side for u in group if u.good_order and not u.hidden}):
            found[hex] = sides
    for v in state.vehicles.values():
        if v.hex in hexes and v.place == MAP and v.good_order:
            found.setdefault(v.hex, set()).add(v.side)
    return found


def update_hedges(ctx: Ctx[State]) -> None:
    """First there gains it; it passes when only the enemy is left (1.1.1.hedges.advantage)."""
    state = ctx.state
    field = state.ground
    if not field.hedge_sides:
        return
    held = lined(state)
    for a, b, name in field.hedge_sides:
        if a not in held and b not in held and name not in state.hedge:
            continue
        owner = state.hedge.get(name, "")
        present = held.get(a, NOBODY) | held.get(b, NOBODY)
        if owner in present or (not present and not owner):
            continue
        new = sorted(present)[0] if len(present) == 1 else ""
        if new != owner:
            why = N_("{side} has the hedge advantage at {edge}")
            ctx.do(HedgeTaken(edge=name, side=new), _why(owner, new), why, side=new, edge=name)


def _why(owner: Side, new: Side) -> str:
    if not new:
        return "1.1.1.hedges.advantage#conserva"
    return "1.1.1.hedges.advantage#passa" if owner else "1.1.1.hedges.advantage#guadagna"
