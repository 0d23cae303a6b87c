"""What fire, close combat and rallying are likely to do, in parts of a unit's worth.

The odds come from the tables of the engine; only the price of a result is a matter of opinion.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from engine.aslsk.state.tables import column, ift, kill_number

WAYS = {n: 6 - abs(n - 7) for n in range(2, 13)}
"""How many of the 36 rolls of two dice give each sum."""

PIN_PRICE, BREAK_PRICE, REDUCE_PRICE = 0.14, 0.5, 0.5
"""What a Pin, a break and a step cost a unit, as a part of its worth."""


@cache
def at_most(number: int) -> float:
    """The chance that a DR is at most a number."""
    return sum(ways for n, ways in WAYS.items() if n <= number) / 36


@cache
def check_price(need: int, broken: bool, pinned: bool) -> float:
    """What a MC that must roll at most `need` costs on average (3.2.3.mc)."""
    price = 0.0
    for n, ways in WAYS.items():
        if broken:
            cost = 0.5 if n == 12 else 0.25 if n > need else 0.0
        elif n == 12:
            cost = REDUCE_PRICE + BREAK_PRICE / 2
        elif n > need:
            cost = BREAK_PRICE
        elif n == need and not pinned:
            cost = PIN_PRICE
        else:
            cost = 0.0
        price += ways * cost
    return price / 36


@cache
def result_price(result: str, morale: int, broken: bool, pinned: bool, crowd: int) -> float:
    """What an IFT result costs one of `crowd` targets on average (3.2.3)."""
    lost, reduced = (0.5, 0.25) if broken else (1.0, REDUCE_PRICE)
    if result == "-":
        return 0.0
    if result.endswith("KIA"):
        dead = min(1.0, int(result[:-3]) / crowd)
        return dead * lost + (1 - dead) * (reduced if broken else BREAK_PRICE)
    if result.startswith("K/"):
        check = check_price(morale - int(result[2:]), broken, pinned)
        return reduced / crowd + (1 - 0.5 / crowd) * check
    if result == "PTC":
        return 0.0 if broken or pinned else PIN_PRICE * (1 - at_most(morale))
    extra = 0 if result == "NMC" else int(result[:-2])
    return check_price(morale - extra, broken, pinned)


@cache
def harm(index: int, drm: int, morale: int, broken: bool, pinned: bool, crowd: int) -> float:
    """The part of a target's worth that an attack on an IFT column takes (3.2.3)."""
    if index < 0:
        return 0.0
    found = 0.0
    for n, ways in WAYS.items():
        found += ways * result_price(ift(index, n + drm), morale, broken, pinned, crowd)
    return found / 36


@cache
def cowed(index: int, drm: int, morale: int, broken: bool, pinned: bool, crowd: int) -> float:
    """The same for MMC without a leader: a double shifts a column to the left (3.2.2.cowering)."""
    full = harm(index, drm, morale, broken, pinned, crowd)
    return full * 5 / 6 + harm(index - 1, drm, morale, broken, pinned, crowd) / 6


@cache
def column_of(fp: float) -> int:
    """The IFT column of an amount of FP."""
    return column(Fraction(fp).limit_denominator(16))


@cache
def duel(attack: float, defence: float, drm: int) -> float:
    """The part of the defenders that a CC attack takes (3.8.odds)."""
    if attack <= 0 or defence <= 0:
        return 0.0
    number = kill_number(Fraction(attack).limit_denominator(4), Fraction(defence))
    sure = at_most(number - drm - 1)
    return sure + 0.4 * (at_most(number - drm) - sure)


@cache
def kill_chance(tk: int) -> float:
    """The chance of a wreck, with something for Shock and Immobilized (7.10)."""
    return at_most(tk - 1) + 0.5 * (at_most(tk) - at_most(tk - 1)) + 0.3 / 36
