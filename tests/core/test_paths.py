"""Cheapest paths with a cost given step by step."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.hexes import Hex, disk, distance, edge, neighbours
from engine.core.paths import reach

START = Hex(0, 0)


def flat(a, b, spent):
    return 1


def test_on_flat_ground_the_reach_is_a_disk():
    found = reach(START, flat, 3)
    assert set(found.costs) == set(disk(START, 3))
    assert all(cost == distance(START, h) for h, cost in found.costs.items())


def test_costs_are_listed_from_the_cheapest():
    costs = list(reach(START, flat, 4).costs.values())
    assert costs == sorted(costs)


def test_a_path_goes_from_the_start_to_the_hex_one_step_at_a_time():
    found = reach(START, flat, 4)
    for h in found.costs:
        path = found.path(h)
        assert (path[0], path[-1]) == (START, h)
        assert len(path) == found.costs[h] + 1
        assert all(distance(a, b) == 1 for a, b in pairwise(path))
    assert found.path(START) == (START,)


def test_a_hex_out_of_reach_has_no_path():
    found = reach(START, flat, 1)
    assert Hex(2, 0) not in found
    assert Hex(1, 0) in found
    with pytest.raises(KeyError):
        found.path(Hex(2, 0))


def test_none_closes_a_hex_and_the_path_goes_round():
    wall = {Hex(1, 0), Hex(1, -1), Hex(0, 1)}
    found = reach(START, lambda a, b, spent: None if b in wall else 1, 6)
    assert not wall & set(found.costs)
    assert found.costs[Hex(2, 0)] > 2
    assert not wall & set(found.path(Hex(2, 0)))


def test_the_cost_may_depend_on_the_hexside_and_on_its_direction():
    cliff = edge(Hex(0, 0), Hex(1, 0))

    def up_the_cliff(a, b, spent):
        return 5 if edge(a, b) == cliff and a == START else 1

    assert reach(START, up_the_cliff, 5).costs[Hex(1, 0)] == 2
    assert reach(Hex(1, 0), up_the_cliff, 5).costs[START] == 1


def test_the_cost_may_depend_on_what_was_spent():
    found = reach(START, lambda a, b, spent: 1 if spent < 2 else None, 9)
    assert set(found.costs) == set(disk(START, 2))


def test_fractions_stay_exact():
    third = Fraction(1, 3)
    found = reach(START, lambda a, b, spent: third, 1)
    assert set(found.costs) == set(disk(START, 3))
    assert found.costs[Hex(3, 0)] == 1


def test_where_one_must_stop_one_enters_and_goes_no_farther():
    ditch = {Hex(1, r) for r in range(-6, 7)}
    found = reach(START, flat, 5, must_stop=lambda h: h in ditch)
    assert Hex(1, 0) in found
    assert Hex(2, 0) not in found


def test_one_may_leave_the_hex_where_one_starts():
    found = reach(START, flat, 2, must_stop=lambda h: h == START)
    assert set(found.costs) == set(disk(START, 2))


def test_of_equally_cheap_paths_the_one_with_fewer_steps_wins():
    a, b, c, end = Hex(1, -1), Hex(2, -2), Hex(1, 0), Hex(2, -1)
    prices = {(START, a): 0, (a, b): 0, (b, end): 2, (START, c): 1, (c, end): 1}
    found = reach(START, lambda one, other, spent: prices.get((one, other)), 2)
    assert found.costs[end] == 2
    assert found.path(end) == (START, c, end)  # the other one was found first


def test_of_equally_short_paths_the_first_direction_wins():
    assert reach(START, flat, 2).path(Hex(1, 1)) == (START, Hex(1, 0), Hex(1, 1))
    backwards = reach(START, flat, 2, neighbours=lambda h: reversed(neighbours(h)))
    assert backwards.path(Hex(1, 1)) == (START, Hex(0, 1), Hex(1, 1))


def test_the_neighbours_may_be_the_callers():
    only_east = reach(START, flat, 3, neighbours=lambda h: [Hex(h.q + 1, h.r)])
    assert list(only_east.costs) == [Hex(q, 0) for q in range(4)]


def test_a_negative_cost_is_a_mistake():
    with pytest.raises(ValueError, match="negative"):
        reach(START, lambda a, b, spent: -1, 3)


@given(st.dictionaries(st.sampled_from(disk(START, 3)), st.integers(0, 4)), st.integers(0, 8))
def test_costs_are_those_of_plain_relaxation(prices, budget):
    def cost(a, b, spent):
        return prices.get(b, 1) if distance(START, b) <= 3 else None

    best = {START: 0}
    for _ in disk(START, 3):
        for a in list(best):
            for b in neighbours(a):
                price = cost(a, b, 0)
                if price is not None and best[a] + price <= budget:
                    best[b] = min(best.get(b, budget), best[a] + price)
    found = reach(START, cost, budget)
    assert found.costs == best
    for h, spent in found.costs.items():
        assert sum(cost(a, b, 0) for a, b in pairwise(found.path(h))) == spent
