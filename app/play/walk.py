"""A far hex chosen in one gesture: the hexes to answer with, one after the other."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from engine.core.hexes import Hex, neighbours


def path_to(target: Hex, costs: Mapping[Hex, str], near: Collection[Hex]) -> tuple[Hex, ...]:
    """The way to a hex backwards along ever smaller costs, from one of the hexes next to us."""
    if target in near:
        return (target,)
    path = [target]
    while path[-1] not in near:
        here = cost_of(costs[path[-1]])
        before = [h for h in neighbours(path[-1]) if h in costs and cost_of(costs[h]) < here]
        if not before:
            return ()
        path.append(min(before, key=lambda h: (cost_of(costs[h]), h not in near)))
    return tuple(reversed(path))


def cost_of(text: str) -> Fraction:
    """A cost as the map writes it: 3, 7/3."""
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return Fraction(0)
