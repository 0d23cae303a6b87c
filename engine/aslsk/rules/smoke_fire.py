"""Ordnance smoke at the start of the PFPh and DFPh (6.2.smoke, 6.2.wp).

Refs: 1.2.5, 2.0.smoke, 2.0.wp, 3.2.5, 6.2.smoke, 6.2.wp.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.aslsk.rules.aiming import why_not_aim
from engine.aslsk.rules.elements import (
    Element,
    elements,
    reach,
    why_not_at,
    why_not_fire,
    why_not_out,
)
from engine.aslsk.rules.ordnance import ATT, SMOKE, WP, Aim, gunner, special
from engine.aslsk.rules.shots import fire_ordnance
from engine.aslsk.state.book import rule
from engine.aslsk.state.events import Settled
from engine.aslsk.state.state import State
from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, unit
from engine.core.rules import Ruling
from engine.core.text import N_


def smokers(state: State) -> list[tuple[Element, str]]:
    """Weapons of the side with smoke or WP on their back (6.2.smoke)."""
    found = []
    for e in elements(state, state.who):
        if e.is_own_fp or e.part in ("pf", "bmg", "cmg", "rmg", "aamg", "ife", "mg", "atr", "ft"):
            continue
        g = gunner(state, e)
        if g.kind == "latw":
            continue
        found += [(e, ammo) for ammo in (SMOKE, WP) if special(state, g, ammo)]
    return found


def why_not_smoke(state: State, e: Element, ammo: str) -> Iterator[Ruling]:
    """A weapon that can fire out of its hex, and has fired nothing but smoke (6.2.smoke)."""
    yield from why_not_fire(state, e)
    if (found := why_not_out(state, e, "")) is not None:
        yield found
    if e.vehicle and state.vehicles[e.vehicle].is_non_stopped:
        yield rule("3.2.4.att#vietato", N_("no ATT by a moving vehicle"))
    if e.vehicle and state.vehicles[e.vehicle].marks.fire:
        yield rule("6.2.smoke#altro", N_("{unit} has fired"), unit=e.id)
    if e.weapon and state.weapons[e.weapon].fire:
        yield rule("6.2.smoke#altro", N_("{unit} has fired"), unit=e.id)


def smoke_step(ctx: Ctx[State]) -> bool:
    """One round of smoke, before all other fire (6.2.smoke); False when the side has done."""
    state = ctx.state
    side = state.who
    if f"smoke {side}" in state.settled:
        return False
    pairs = smokers(state)
    if not any(next(why_not_smoke(state, e, a), None) is None for e, a in pairs):
        return False
    choices: list[Choice[tuple[Element, str] | None]] = [
        unit(f"{e.id}-{a}", (e, a), N_("{unit}")) for e, a in pairs
    ]
    choices.append(button("passa", None, N_("no smoke")))
    chosen = ctx.choose(
        "smoke.firer",
        side,
        choices,
        ("6.2.smoke#mette", "2.0.smoke#tipi"),
        N_("who fires smoke?"),
        why_not=lambda p: None if p is None else why_not_smoke(state, *p),
    )
    if chosen is None:
        ctx.do(
            Settled(unit=f"smoke {side}"),
            "6.2.smoke#mette",
            N_("{side} fires no more smoke"),
            side=side,
        )
        return True
    e, ammo = chosen
    field = state.ground
    limit = reach(state, e)
    hexes = [h for h in field.labels if field.range(e.hex, h) <= limit and h != e.hex]
    hex = ctx.choose(
        "smoke.target",
        side,
        [field.offer[h] for h in hexes],
        "6.2.smoke#mette",
        N_("where does {unit} fire smoke?"),
        why_not=lambda h: _why_not(state, e, h, ammo),
        unit=e.id,
    )
    fire_ordnance(ctx, e, Aim(ATT, hex, "", ammo))
    return True


def _why_not(state: State, e: Element, hex: str, ammo: str) -> Iterator[Ruling]:
    yield from why_not_at(state, e, hex)
    yield from why_not_aim(state, e, Aim(ATT, hex, "", ammo))
