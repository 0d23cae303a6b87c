"""Actions that cost the division nothing (7.1): 7, 7.1, 19.3.traffico, 22.1, 23.6."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from engine.core.ctx import Ctx
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.ddob.rules.engineers import in_range, why_no_traffic
from engine.ddob.state.book import BOMBARDMENT, rule
from engine.ddob.state.events import Paid
from engine.ddob.state.ground import BASE, NEIGHBOURS, SHELTER
from engine.ddob.state.state import State, Unit, field_of_fire, is_extended, threats
from engine.ddob.state.tables import UNITS


def free_reason(state: State, found: Unit) -> Ruling | None:
    """The rule that makes any action of a unit without a marker free (7.1)."""
    data = UNITS[found.id]
    if data.is_leader:
        return rule("7.1.leader", N_("{unit} is a leader: free."), unit=found.id)
    if data.type == "ranger":
        return rule("7.1.ranger", N_("{unit}: rangers act free."), unit=found.id)
    if found.hero:
        return rule(
            ("7.1.eroe", "11.15") if found.inspired else ("7.1.eroe", "11.12"),
            N_("{unit} has a hero or is inspired: free."),
            unit=found.id,
        )
    for leader in state.commanded.get(found.id, ()):
        if leader not in state.moved_leaders:
            is_post = bool(state.units[leader].space)
            return rule(
                ("7.1.comando#azione", "18.3#azione") if is_post else "7.1.comando#azione",
                N_("{unit} is under command of {leader}: free."),
                unit=found.id,
                leader=leader,
            )
    return None


def is_free(state: State, found: Unit) -> bool:
    """Whether any action of the unit is free."""
    if found.disrupted or found.climb or found.hero:
        return True
    data = UNITS[found.id]
    if data.is_leader or data.type == "ranger":
        return True
    return any(n not in state.moved_leaders for n in state.commanded.get(found.id, ()))


def free_move(state: State, found: Unit, to: str) -> Ruling | None:
    """The rule that makes this one move free (7.1.auto-conservazione, 19.3.traffico, 23.6)."""
    data = UNITS[found.id]
    if data.is_infantry and BASE[found.at] == "beach":
        near, far = SHELTER.get(to), SHELTER.get(found.at)
        if near is not None and far is not None and near < far:
            return rule(
                ("7.1.auto-conservazione#muovere", "casa.18"),
                N_("{hex} is nearer to a protective hexside: free."),
                hex=to,
            )
        if state.has(BOMBARDMENT) and is_out_of_fire(state, to):
            return rule(
                "22.1#auto-conservazione", N_("{hex} lies in no field of fire: free."), hex=to
            )
    if has_traffic(state, found.at):
        return rule("19.3.traffico", N_("Engineers direct the traffic: free."))
    if state.armor_entered and data.is_infantry:
        return escapes_armor(state, found, to)
    return None


def has_traffic(state: State, label: str) -> bool:
    """Whether engineers direct the traffic in a hex (19.3.traffico)."""
    if not state.bases or label not in in_range(state):
        return False
    return not any(True for _ in why_no_traffic(state, label))


def is_flight(state: State, found: Unit, to: str) -> bool:
    """Whether only self-preservation makes the move free: then it is one hex long (7.1, 23.6)."""
    if is_free(state, found) or has_traffic(state, found.at):
        return False
    return free_move(state, found, to) is not None


def is_out_of_fire(state: State, label: str) -> bool:
    """Low ground in nobody's field of fire, even disrupted ones (22.1)."""
    if BASE[label] not in ("beach", "pavilion", "valley"):
        return False
    return not any(True for _ in threats(state, label, disrupted=True))


def escapes_armor(state: State, found: Unit, to: str) -> Ruling | None:
    """Infantry next to undisrupted tanks, in their field, may slip away (23.6, 6.4, casa.47)."""
    tanks = [g for g in state.germans.values() if g.is_armor]
    near = [
        g
        for g in tanks
        if not g.disrupted and g.hex in NEIGHBOURS[found.at] and found.at in field_of_fire(g)
    ]
    if not near:
        return None
    if any(to == g.hex or g.hex in NEIGHBOURS[to] or to in field_of_fire(g) for g in tanks):
        return None
    return rule(
        ("23.6#fuga", "casa.47"), N_("{unit} slips away from the tanks: free."), unit=found.id
    )


def may_escape(state: State, found: Unit) -> bool:
    """Whether one of its moves would be free."""
    data = UNITS[found.id]
    if has_traffic(state, found.at):
        return True
    if not data.is_infantry:
        return False
    if not state.armor_entered and BASE[found.at] != "beach":
        return False
    return any(free_move(state, found, to) is not None for to in NEIGHBOURS[found.at])


# 7 Paying


def why_not_pay(state: State, found: Unit) -> Iterator[Ruling]:
    """Why the unit cannot act: no action left and none free (7)."""
    if found.command != state.division:
        yield rule("7.22", N_("{unit} may only cross the line now."), unit=found.id)
    if state.actions <= 0 and not is_free(state, found):
        yield no_action_left(found.id, is_extended(state))


@cache
def no_action_left(name: str, extended: bool) -> Ruling:
    """The division has spent its actions (7)."""
    ref = "7#tre-azioni" if extended else "7#due-azioni"
    return rule(ref, N_("No action is left, and {unit} has no free one."), unit=name)


def pay(ctx: Ctx[State], name: str) -> None:
    """Spend an action of the division unless the unit acts free (7.1)."""
    reason = free_reason(ctx.state, ctx.state.units[name])
    if reason is None:
        ref = "7#tre-azioni" if is_extended(ctx.state) else "7#due-azioni"
        ctx.do(Paid(division=ctx.state.division), ref)
    else:
        ctx.cite(reason)
