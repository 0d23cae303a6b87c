"""Pools: what remains, never an order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.pools import Pool

items = st.lists(st.sampled_from("abcd"))


@given(items, st.sampled_from("abcd"))
def test_what_goes_in_comes_out(things, one):
    pool = Pool.of("coppa", things)
    assert pool.plus([one]).minus(one) == pool


@given(items)
def test_the_order_of_filling_does_not_matter(things):
    assert Pool.of("coppa", things) == Pool.of("coppa", reversed(things))
    assert list(Pool.of("coppa", things).items) == sorted(set(things))


def test_what_is_not_there_cannot_leave():
    with pytest.raises(KeyError):
        Pool.of("coppa", "a").minus("b")
