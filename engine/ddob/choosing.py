"""Priorities that the book orders, with what it leaves open to the player."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from engine.core.ctx import Ctx
from engine.core.decisions import place, unit
from engine.core.text import N_
from engine.ddob.book import US
from engine.ddob.ground import HEX, box_hex
from engine.ddob.state import State, Unit
from engine.ddob.tables import BOXES


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


def pick_units(
    ctx: Ctx[State], ranked: Sequence[tuple[Any, Unit]], count: int, ref: str
) -> list[str]:
    """The `count` units that come first; the player chooses among equals."""
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
            US, [unit_choice(u) for u in equals], ref, N_("Equal targets: which one is hit?")
        )
        chosen.append(name)
        waiting = [(key, u) for key, u in waiting if u.id != name]
    return chosen
