"""Dice that odds look at late: only what a rule asks of them tells branches apart.

A rule that compares one roll with many numbers (hit, critical, malfunction, ROF, a row of a
table) cannot say beforehand which distinctions it needs. It rolls with a `Late` reading. Played,
that is an ordinary reading; while odds are computed the roll is `Unread`, every comparison is
a question to chance, and faces that answer all of them alike stay one branch.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from math import prod
from typing import Any, Generic, TypeAlias, TypeVar

from engine.core.dice import Dice, Reading, spread

T = TypeVar("T", bound=Hashable)
V = TypeVar("V", bound=Hashable)

Shares: TypeAlias = tuple[tuple[Any, Fraction], ...]
Ask: TypeAlias = Callable[[Callable[[], Shares]], Any]
"""Answers a look: gets the possible values with their shares, gives one of them."""


class Late(Generic[V]):
    """A reading whose distinctions are those that the rule makes afterwards.

    What is read is a number, a text, or a tuple of them.
    """

    def __init__(self, read: Reading[V]) -> None:
        self._read = read
        self._spreads: dict[Dice, tuple[list[Any], list[int]]] = {}

    def __call__(self, faces: tuple[int, ...]) -> V:
        """What these faces show."""
        return self._read(faces)

    def unread(self, dice: Dice, ask: Ask) -> Any:
        """The same with the dice still in the cup."""
        if dice not in self._spreads:
            self._spreads[dice] = self._spread(dice)
        values, weights = self._spreads[dice]
        cup = _Cup(weights, ask)
        if isinstance(values[0], tuple):
            return tuple([Unread(cup, part) for part in zip(*values, strict=True)])
        return Unread(cup, values)

    def _spread(self, dice: Dice) -> tuple[list[Any], list[int]]:
        ways = prod(die.sides for die in dice.dice)
        found = spread(dice, self._read)
        return [value for value, _ in found], [int(share * ways) for _, share in found]


class _Cup:
    """Thrown dice: which of their readings are still possible, and in how many ways."""

    __slots__ = ("_ask", "_weights", "left")

    def __init__(self, weights: Sequence[int], ask: Ask) -> None:
        self._weights, self._ask = weights, ask
        self.left: Sequence[int] = range(len(weights))

    def look(self, found: list[T]) -> T:
        """Which it is of what the readings left come to; chance is asked only if they differ."""
        if found.count(found[0]) == len(found):
            return found[0]
        seen: T = self._ask(lambda: self._shares(found))
        self.left = [n for n, one in zip(self.left, found, strict=True) if one == seen]
        return seen

    def _shares(self, found: list[T]) -> Shares:
        ways: dict[T, int] = {}
        for n, one in zip(self.left, found, strict=True):
            ways[one] = ways.get(one, 0) + self._weights[n]
        total = sum(ways.values())
        return tuple([(one, Fraction(count, total)) for one, count in ways.items()])


class Unread:
    """What a roll shows, as long as nobody has looked: it reckons like the value it stands for."""

    __slots__ = ("_cup", "_values")

    def __init__(self, cup: _Cup, values: Sequence[Any]) -> None:
        self._cup, self._values = cup, values

    def look(self, read: Callable[[Any], T]) -> T:
        """What a rule reads in the value."""
        left = self._cup.left
        if len(left) == 1:
            return read(self._values[left[0]])
        return self._cup.look([read(self._values[n]) for n in left])

    def _with(self, reckon: Callable[[Any, Any], Any], other: Any) -> Unread:
        if isinstance(other, Unread):
            if other._cup is self._cup:
                return Unread(self._cup, list(map(reckon, self._values, other._values)))
            other = other.look(_itself)
        return Unread(self._cup, [reckon(value, other) for value in self._values])

    def _is(self, compare: Callable[[Any, Any], bool], other: Any) -> bool:
        if isinstance(other, Unread):
            return bool(self._with(compare, other))
        left = self._cup.left
        if len(left) == 1:
            return compare(self._values[left[0]], other)
        return self._cup.look([compare(self._values[n], other) for n in left])

    def __add__(self, other: Any) -> Unread:
        return self._with(operator.add, other)

    def __radd__(self, other: Any) -> Unread:
        return self._with(operator.add, other)

    def __sub__(self, other: Any) -> Unread:
        return self._with(operator.sub, other)

    def __floordiv__(self, other: Any) -> Unread:
        return self._with(operator.floordiv, other)

    def __eq__(self, other: object) -> bool:
        return self._is(operator.eq, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Any) -> bool:
        return self._is(operator.lt, other)

    def __le__(self, other: Any) -> bool:
        return self._is(operator.le, other)

    def __gt__(self, other: Any) -> bool:
        return self._is(operator.gt, other)

    def __ge__(self, other: Any) -> bool:
        return self._is(operator.ge, other)

    def __bool__(self) -> bool:
        return self.look(bool)

    def __hash__(self) -> int:
        return hash(self.look(_itself))

    def __index__(self) -> int:
        return self.look(operator.index)

    def __str__(self) -> str:
        return self.look(str)


def looked(value: V, read: Callable[[V], T]) -> T:
    """What a table says of a number; in an unread one no more than that is looked at."""
    return value.look(read) if isinstance(value, Unread) else read(value)


def _itself(value: T) -> T:
    return value
