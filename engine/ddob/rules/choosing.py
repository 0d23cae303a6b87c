"""Priorities that the book orders, with what it leaves open to the player."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from engine.core.ctx import Ctx
from engine.core.decisions import place, unit
from engine.core.text import N_
from engine.ddob.state.book import US
from engine.ddob.state.ground import HEX, box_hex
from engine.ddob.state.state import State, Unit
from engine.ddob.state.tables import BOXES


def spot(at: str) -> Any:
    """The hex where a unit is drawn, in a landing box or on land."""
    label = box_hex(at) if at in BOXES else at
    return HEX.get(label)


def unit_choice(found: Unit) -> Any:
    """A unit as a candidate, shown where it stands."""
    return _unit_at(found.id, found.at)


@cache
def _unit_at(name: str, at: str) -> Any:
    return unit(name, name, hex=spot(at))


@cache
def hex_choice(label: str, msgid: str = "{hex}") -> Any:
    """A hex as a candidate; made once, because the map never changes."""
    return place(label, label, msgid, hex=HEX[label])


_GUNNERS = N_(
    "infantry in landing boxes, others on the beach, others in boxes, infantry on the beach; "
    "then the most steps"
)
ORDERS: dict[str, str] = {
    "6.31": N_("stronger fire, then the nearest, then the most steps"),
    "6.5.procedura": _GUNNERS,
    "16.7": _GUNNERS,
    "16.3": N_("victory points, then the lowest number, then the most US steps or strength"),
    "16.5": N_("the most steps"),
    "16.6": N_("the nearest, then the symbol of the card, then the strongest"),
    "16.92": N_("the nearest, then the most steps"),
    "ev.razzi": N_("the most steps"),
}
"""The priorities of each rule in words."""


def tell_order(ctx: Ctx[State], ref: str, chosen: list[str], among: int) -> None:
    """Say by what priority somebody was chosen among others."""
    if 0 < len(chosen) < among:
        ctx.cite(
            ref,
            N_("{units}: first of {n} by priority ({order})"),
            units=tuple(chosen),
            n=among,
            order=ORDERS[ref],
        )


def pick_units(
    ctx: Ctx[State], ranked: Sequence[tuple[Any, Unit]], count: int, ref: str
) -> list[str]:
    """The `count` units that come first by priority; the player chooses among equals."""
    chosen: list[str] = []
    waiting = sorted(ranked, key=lambda pair: pair[0])
    while waiting and len(chosen) < count:
        best = waiting[0][0]
        equals = [u for key, u in waiting if key == best]
        room = count - len(chosen)
        if len(equals) <= room:
            chosen += [u.id for u in equals]
            waiting = waiting[len(equals) :]
            continue
        name = ctx.choose(
            "fire.target",
            US,
            [unit_choice(u) for u in equals],
            ref,
            N_("Equal targets: which one is hit?"),
        )
        chosen.append(name)
        waiting = [(key, u) for key, u in waiting if u.id != name]
    if len({key for key, _unit in ranked}) > 1:
        tell_order(ctx, ref, chosen, len(ranked))
    return chosen
