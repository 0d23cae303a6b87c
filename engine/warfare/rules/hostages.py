"""Chapter 2: hostages and human shields, population in the way of fire.

Refs: warfare:ostaggi.*, arbitrato.scudo_supporti.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.rules import Ruling, Side
from engine.core.text import N_
from engine.warfare.state.book import rule
from engine.warfare.state.state import CIVILIANS, State, Unit, is_regular, people_at


def is_shielded(state: State, side: Side, target: Unit) -> bool:
    """Whether population protects a unit from the attacks of a player."""
    return next(why_not_shielded(state, side, target), None) is not None


def why_not_shielded(state: State, side: Side, target: Unit) -> Iterator[Ruling]:
    """Regulars do not attack among the population, except by assault (ostaggi.scudo)."""
    if not is_regular(state, side):
        return
    people = people_at(state, target.hex)
    if not people:
        return
    if not is_regular(state, target.side):
        yield rule(
            ("ostaggi.scudo#scudo", "ostaggi.solo_assalto", "arbitrato.scudo_supporti"),
            N_("{target} hides behind the population in {hex}: Regulars may only assault it"),
            target=target.id,
            hex=target.hex,
        )
    elif any(p.face == CIVILIANS for p in people):
        yield rule(
            "ostaggi.irregolari_sparano#soltanto",
            N_("there are civilians in {hex}: only Irregulars fire there"),
            hex=target.hex,
        )
