"""The dice of an attack: black for hits, red for cover (attacco.4-lancio, attacco.5-colpi)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TypeVar

from engine.core.dice import Dice, Each
from engine.toi.state.book import BLACK, RED

V = TypeVar("V", int, tuple[int, ...])
SAVE = 5


@lru_cache(maxsize=8)
def successes(need: int) -> Each[int]:
    """Dice that show `need` or more, counted."""
    return Each(lambda face: int(face >= need))


class Volley(Each[tuple[int, ...]]):
    """Black and red dice rolled together, for rules that change single dice afterwards.

    Read as (hits less saves but not below -1, whether a red die failed, whether a black one did).
    """

    def __init__(self, black: int, need: int) -> None:
        super().__init__(lambda face: (int(face >= need), int(face >= SAVE), 0))
        self.black = black
        self.need = need

    def __call__(self, faces: tuple[int, ...]) -> tuple[int, ...]:
        """What is left of the hits, and what could still be turned or rolled again."""
        hits = sum(face >= self.need for face in faces[: self.black])
        saves = sum(face >= SAVE for face in faces[self.black :])
        return self.read(hits, saves, len(faces) - self.black)

    def read(self, hits: int, saves: int, red: int) -> tuple[int, ...]:
        """The reading of so many successes."""
        return max(-1, hits - saves), int(saves < red), int(hits < self.black)

    def spread(self, dice: Dice) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
        """The exact distribution: the two colours are independent."""
        red = len(dice.dice) - self.black
        counts: dict[tuple[int, ...], int] = {}
        for hits, saves, count in _joint(self.black, red, self.need):
            value = self.read(hits, saves, red)
            counts[value] = counts.get(value, 0) + count
        return _shares(counts, self.black + red)


def _joint(black: int, red: int, need: int) -> Iterator[tuple[int, int, int]]:
    """Every number of hits and of saves, with how many of all the throws show it."""
    for hits in range(black + 1):
        p = _count(black, hits, need)
        for saves in range(red + 1):
            yield hits, saves, p * _count(red, saves, SAVE)


def _count(dice: int, good: int, need: int) -> int:
    """How many throws of some dice show so many of `need` or more."""
    sides = BLACK.sides
    ways: int = (sides + 1 - need) ** good * (need - 1) ** (dice - good)
    return comb(dice, good) * ways


def _shares(counts: dict[V, int], dice: int) -> tuple[tuple[V, Fraction], ...]:
    every = BLACK.sides**dice
    return tuple((value, Fraction(counts[value], every)) for value in sorted(counts))


class NetHits(Each[int]):
    """Black and red dice rolled together, read as the hits that are left, at least 0."""

    def __init__(self, black: int, need: int) -> None:
        super().__init__(lambda face: int(face >= need))
        self.black = black
        self.need = need

    def __call__(self, faces: tuple[int, ...]) -> int:
        """Black successes less red successes."""
        hits = sum(face >= self.need for face in faces[: self.black])
        return max(0, hits - sum(face >= SAVE for face in faces[self.black :]))

    def spread(self, dice: Dice) -> tuple[tuple[int, Fraction], ...]:
        """The exact distribution of the difference."""
        return _net_spread(self.black, len(dice.dice) - self.black, self.need)


@lru_cache(maxsize=1024)
def _net_spread(black: int, red: int, need: int) -> tuple[tuple[int, Fraction], ...]:
    counts: dict[int, int] = {}
    for hits, saves, count in _joint(black, red, need):
        net = max(0, hits - saves)
        counts[net] = counts.get(net, 0) + count
    return _shares(counts, black + red)


@lru_cache(maxsize=1024)
def attack_dice(black: int, red: int) -> Dice:
    """The dice of an attack, black first."""
    return BLACK * black + RED * red


@lru_cache(maxsize=1024)
def volley(black: int, need: int) -> Volley:
    """The reading of an attack whose single dice may be changed."""
    return Volley(black, need)


@lru_cache(maxsize=1024)
def net_hits(black: int, need: int) -> NetHits:
    """The reading of an attack whose single dice do not matter."""
    return NetHits(black, need)
