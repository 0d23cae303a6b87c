"""Dice, readings and their exact distribution."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.dice import D6, D8, Dice, Each, number, spread

tables = st.lists(st.integers(0, 3), min_size=6, max_size=6)


@given(tables, st.integers(0, 4))
@settings(max_examples=60, deadline=None)
def test_convolved_pools_equal_enumerated_ones(table, count):
    each = Each(lambda face: table[face - 1])
    dice = D6 * count
    assert dict(each.spread(dice)) == dict(spread(dice, lambda faces: each(faces)))


@given(tables)
@settings(max_examples=30, deadline=None)
def test_pools_of_pairs_equal_enumerated_ones(table):
    each = Each(lambda face: (table[face - 1], 1))
    assert dict(each.spread(D6 * 3)) == dict(spread(D6 * 3, lambda faces: each(faces)))


def test_a_pool_of_twenty_dice_is_exact():
    hits = dict(Each(lambda face: int(face >= 5)).spread(D6 * 20))
    assert sum(hits.values()) == 1
    assert hits[20] == Fraction(1, 3) ** 20


def test_faces_that_read_alike_are_one_branch():
    found = dict(spread(D6 * 2, lambda faces: "pass" if sum(faces) <= 7 else "fail"))
    assert found == {"pass": Fraction(21, 36), "fail": Fraction(15, 36)}


def test_mixed_dice_have_a_name_and_check_their_faces():
    dice = D6 * 2 + D8 * 1
    assert dice.name == "2d6+1d8"
    assert dice.accepts((6, 1, 8))
    assert not dice.accepts((6, 7, 8))
    assert not dice.accepts((6, 1))


def test_too_many_faces_to_enumerate_say_so():
    with pytest.raises(ValueError, match="Each"):
        spread(D6 * 12, sum)


def test_no_dice_read_as_nothing():
    assert Each(lambda face: face).spread(Dice(())) == ((0, Fraction(1)),)


def test_the_same_seed_and_index_give_the_same_number():
    assert number(7, 3, 0, 6) == number(7, 3, 0, 6)
    rolled = {number(7, index, part, 6) for index in range(40) for part in range(2)}
    assert rolled == set(range(6))


def test_numbers_are_fair():
    counts = Counter(number(1, index, 0, 6) for index in range(6000))
    # A chi-square of 20.5 is passed by fair dice 999 times in 1000; the seed is fixed.
    assert sum((n - 1000) ** 2 / 1000 for n in counts.values()) < 20.5
