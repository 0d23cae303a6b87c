"""The RPh: stacks that rearrange their weapons (3.1)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from tests.aslsk.table import Table


@pytest.mark.rule("aslsk:3.1.d", "aslsk:3.1")
def test_stacks_rearrange_several_weapons_as_their_one_action():
    text = "lati: [russian, german]\nfase: RPh\npasso: d\nunità: {a: ru-447 E7, b: ru-447 E7, l: ru-8-0 E7, c: ru-447 E7 broken, x: ge-467 M1}\narmi: {m: ru-lmg a, n: ru-lmg a, o: ru-lmg b}"
    run = Table(text, "b:m>b", "b:o>a", "b:n>b")
    assert [run.state.weapons[n].owner for n in "mno"] == ["b", "b", "a"]
    assert run.state.units["a"].done
    assert not run.state.units["l"].done
