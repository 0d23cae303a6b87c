"""Where the answers of a question lie on the map: of a game at the table, and of a drill."""

from __future__ import annotations

from contextlib import suppress

from engine.core.decisions import Decision
from engine.core.hexes import Hex
from engine.core.view import View

MOST_CROSSES = 24
"""Forbidden hexes are crossed out when they are few; else those allowed stand out enough."""


def hex_of(view: View, decision: Decision, option_id: str) -> Hex | None:
    """Where an answer lies on the map, be it allowed or refused."""
    option = decision.option(option_id)
    if option is not None and option.hex is not None:
        return option.hex
    kind, _colon, name = option_id.partition(":")
    if kind == "u":
        whole = next((c.hex for c in view.counters if c.id == name), None)
        part = name.rpartition(":")[0]  # a weapon of a vehicle lies where the vehicle does
        return whole or next((c.hex for c in view.counters if part and c.id == part), None)
    if kind == "h":
        with suppress(ValueError):
            return view.hex_at(name)
    return None


def lit(view: View, decision: Decision) -> tuple[Hex, ...]:
    """The hexes on which answers lie."""
    found = [hex_of(view, decision, option.id) for option in decision.options]
    return tuple(dict.fromkeys(hex for hex in found if hex is not None))


def crossed(view: View, decision: Decision) -> tuple[Hex, ...]:
    """The hexes to be crossed out: those where all is forbidden, if they are not too many."""
    found = {hex_of(view, decision, option) for option in decision.refused}
    forbidden = tuple(hex for hex in found - set(lit(view, decision)) if hex is not None)
    return forbidden if len(forbidden) <= MOST_CROSSES else ()


def subjects(view: View, decision: Decision) -> list[Hex]:
    """The hexes that a question is about: who acts, on what, and where."""
    facts = decision.ruling.msg.facts
    where = {counter.id: counter.hex for counter in view.counters}
    found: list[Hex | None] = []
    for key in ("hex", "target", "unit", "vehicle"):
        name = str(facts.get(key, ""))
        found.append(where.get(name) or where.get(name.rpartition(":")[0]))
        with suppress(ValueError):
            found.append(view.hex_at(name))
    return list(dict.fromkeys(hex for hex in found if hex is not None))
