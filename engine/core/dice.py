"""Dice, what a rule reads in them, and their exact distribution."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Generic, TypeVar

import msgspec

V = TypeVar("V", bound=Hashable)
A = TypeVar("A", int, tuple[int, ...])

ENUMERATE_AT_MOST = 100_000


class Die(msgspec.Struct, frozen=True):
    """A die: a name and how many faces it has, numbered from 1. What they mean is the title's."""

    name: str
    sides: int

    def __mul__(self, count: int) -> Dice:
        return Dice((self,) * count)


class Dice(msgspec.Struct, frozen=True):
    """Dice rolled together, in a fixed order."""

    dice: tuple[Die, ...]

    @property
    def name(self) -> str:
        """Short text for saves and screens: `2d6`, `1d6+1d8`."""
        parts: list[str] = []
        last: Die | None = None
        for die in self.dice:
            if die is not last and die != last:
                parts.append(f"{self.dice.count(die)}{die.name}")
            last = die
        return "+".join(parts)

    def __add__(self, other: Dice) -> Dice:
        return Dice(self.dice + other.dice)

    def accepts(self, faces: Sequence[int]) -> bool:
        """Whether the faces could have come from these dice."""
        return len(faces) == len(self.dice) and all(
            1 <= face <= die.sides for face, die in zip(faces, self.dice, strict=True)
        )


D6 = Die("d6", 6)
D8 = Die("d8", 8)


class Each(Generic[A]):
    """A pool of dice read one by one and added up: hits at 5 or more, for example.

    The result is a number, or a tuple of numbers added place by place. Pools are convolved,
    never enumerated.
    """

    def __init__(self, per_die: Callable[[int], A]) -> None:
        self.per_die: Callable[[int], A] = per_die

    def __call__(self, faces: tuple[int, ...]) -> A:
        """The sum of what the single dice show."""
        total = _zero(self.per_die(1))
        for face in faces:
            total = _plus(total, self.per_die(face))
        return total

    def spread(self, dice: Dice) -> tuple[tuple[A, Fraction], ...]:
        """The exact distribution over these dice."""
        weights: dict[A, int] = {_zero(self.per_die(1)): 1}
        total = 1
        for die in dict.fromkeys(dice.dice):
            table = tuple(self.per_die(face) for face in range(1, die.sides + 1))
            count = dice.dice.count(die)
            weights = _convolve(weights, dict(_pool(table, count)))
            total *= die.sides**count
        return tuple((value, Fraction(weight, total)) for value, weight in sorted(weights.items()))


Reading = Callable[[tuple[int, ...]], V]
"""What a rule distinguishes in a roll. Faces that read alike are one branch of the odds."""


def spread(dice: Dice, read: Reading[V]) -> tuple[tuple[V, Fraction], ...]:
    """Every value that the reading can take on these dice, with its exact probability."""
    return read.spread(dice) if isinstance(read, Each) else _enumerated(dice, read)


@lru_cache(maxsize=1024)
def _enumerated(dice: Dice, read: Reading[V]) -> tuple[tuple[V, Fraction], ...]:
    """Every face of every die; many rolls are read by the same function."""
    total = 1
    for die in dice.dice:
        total *= die.sides
    if total > ENUMERATE_AT_MOST:
        raise ValueError(f"{dice.name}: too many faces to enumerate, read them with Each")
    weights: dict[V, int] = {}
    for faces in product(*(range(1, die.sides + 1) for die in dice.dice)):
        value = read(faces)
        weights[value] = weights.get(value, 0) + 1
    return tuple((value, Fraction(weight, total)) for value, weight in weights.items())


def _zero(like: A) -> A:
    return tuple([0] * len(like)) if isinstance(like, tuple) else 0


def _plus(a: A, b: A) -> A:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return tuple([x + y for x, y in zip(a, b, strict=True)])
    return a + b


def _convolve(left: dict[A, int], right: dict[A, int]) -> dict[A, int]:
    result: dict[A, int] = {}
    for a, wa in left.items():
        for b, wb in right.items():
            value = _plus(a, b)
            result[value] = result.get(value, 0) + wa * wb
    return result


@lru_cache(maxsize=1024)
def _pool(table: tuple[A, ...], count: int) -> tuple[tuple[A, int], ...]:
    """The weights of `count` dice that each show one of `table`."""
    if count == 0:
        return ((_zero(table[0]), 1),)
    half = dict(_pool(table, count // 2))
    weights = _convolve(half, half)
    if count % 2:
        single: dict[A, int] = {}
        for value in table:
            single[value] = single.get(value, 0) + 1
        weights = _convolve(weights, single)
    return tuple(weights.items())


def number(seed: int | str, index: int, part: int, below: int) -> int:
    """A fair number from 0 to below-1, fixed by (seed, index, part): redo repeats it."""
    limit = 2**64 - 2**64 % below
    attempt = 0
    while True:
        text = f"{seed}/{index}/{part}/{attempt}".encode()
        value = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
        if value < limit:
            return value % below
        attempt += 1
