"""Cheapest paths over hexes, with a cost that the caller gives step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias

import msgspec

from engine.core import hexes
from engine.core.hexes import Hex

Cost: TypeAlias = int | Fraction
StepCost: TypeAlias = Callable[[Hex, Hex, Cost], Cost | None]
"""(from, to, spent so far) -> the price of the step, or None when it may not be taken."""


class Reach(msgspec.Struct, frozen=True, eq=False):
    """The hexes within a budget: their cheapest costs, cheapest first, and a path to each."""

    start: Hex
    costs: dict[Hex, Cost]
    previous: dict[Hex, Hex]

    def __contains__(self, h: Hex) -> bool:
        """Whether the hex can be reached."""
        return h in self.costs

    def path(self, h: Hex) -> tuple[Hex, ...]:
        """The hexes from the start to `h`, both included; KeyError when it cannot be reached."""
        if h not in self.costs:
            raise KeyError(h)
        steps = [h]
        while steps[-1] != self.start:
            steps.append(self.previous[steps[-1]])
        return tuple(reversed(steps))


def reach(
    start: Hex,
    cost: StepCost,
    budget: Cost,
    *,
    neighbours: Callable[[Hex], Iterable[Hex]] = hexes.neighbours,
    must_stop: Callable[[Hex], bool] | None = None,
) -> Reach:
    """Every hex that can be reached without spending more than `budget`.

    Of two equally cheap paths the one with fewer steps wins, then the one found first. A hex where
    one `must_stop` is entered but not left, unless it is the start. Having spent less must never
    make a later step so much dearer that the total grows.
    """
    costs: dict[Hex, Cost] = {}
    previous: dict[Hex, Hex] = {}
    order = count()
    queue: list[tuple[Cost, int, int, Hex, Hex]] = [(0, 0, next(order), start, start)]
    while queue:
        spent, steps, _, here, origin = heappop(queue)
        if here in costs:
            continue
        costs[here] = spent
        previous[here] = origin
        if must_stop and here != start and must_stop(here):
            continue
        for there in neighbours(here):
            price = None if there in costs else cost(here, there, spent)
            if price is None or spent + price > budget:
                continue
            if price < 0:
                raise ValueError(f"negative cost from {here} to {there}")
            heappush(queue, (spent + price, steps + 1, next(order), there, here))
    return Reach(start, costs, previous)
