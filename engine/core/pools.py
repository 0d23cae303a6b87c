"""Pools drawn without replacement, kept as what remains and never as a shuffled order."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec


class Pool(msgspec.Struct, frozen=True):
    """The remaining multiset of a deck or cup: item -> how many are left."""

    name: str
    items: dict[str, int] = {}

    @classmethod
    def of(cls, name: str, items: Iterable[str]) -> Pool:
        """A pool holding these items."""
        return cls(name).plus(items)

    @property
    def total(self) -> int:
        """How many items are left."""
        return sum(self.items.values())

    def shares(self) -> tuple[tuple[str, Fraction], ...]:
        """Every item with its exact probability of being drawn."""
        total = self.total
        return tuple((item, Fraction(n, total)) for item, n in self.items.items())

    def minus(self, item: str) -> Pool:
        """The pool after this item left it."""
        left = self.items[item] - 1
        rest = {key: count for key, count in self.items.items() if key != item}
        if left:
            rest[item] = left
        return Pool(self.name, dict(sorted(rest.items())))

    def plus(self, items: Iterable[str]) -> Pool:
        """The pool after these items went (back) in: a reshuffle."""
        counts = dict(self.items)
        for item in items:
            counts[item] = counts.get(item, 0) + 1
        return Pool(self.name, dict(sorted(counts.items())))
