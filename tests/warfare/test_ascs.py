"""The dice: order, modifiers, one die, two kinds of icons."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.warfare.state import ascs
from engine.warfare.state.tables import COLOURS
from tests.warfare.table import Table, u


@pytest.mark.rule("warfare:dadi.modificatori")
def test_a_modifier_changes_the_colour_not_the_result():
    red = ascs.index("red")
    assert COLOURS[ascs.clamp(red + 1)] == "blue"
    assert COLOURS[ascs.clamp(red - 2)] == "green"


@pytest.mark.rule("warfare:dadi.modificatori", "warfare:arbitrato.limite_colore")
def test_no_die_is_worse_than_white():
    game = Table(
        unita={"b1": u("usmc_squad", "A5", danno=2), "v1": u("ins_cellula", "E4")}, dice=(6,)
    )
    game.play("u:b1", "b:fuoco", "b:leggero", "u:v1")
    assert game.rolled == ["1white"]
    game = Table(unita={"b1": u("us_at", "A2", danno=2), "v1": u("ins_cellula", "C2")}, dice=(6,))
    game.play("u:b1", "b:fuoco", "b:leggero", "u:v1")
    assert game.rolled == ["1white"]
    assert "arbitrato.limite_colore" in game.cited


@pytest.mark.rule("warfare:dadi.combattimento", "warfare:dadi.test")
def test_every_darker_die_is_at_least_as_good_face_by_face():
    order = [ascs.MISSED, ascs.MORALE, ascs.DAMAGE_1, ascs.DAMAGE_2, ascs.ELIMINATED]
    tests = [
        ascs.CRITICAL_FAILURE,
        ascs.FAILURE,
        ascs.MARGINAL,
        ascs.SUCCESS,
        ascs.CRITICAL,
    ]
    for faces, ladder in ((ascs.COMBAT_FACES, order), (ascs.TEST_FACES, tests)):
        for lighter, darker in pairwise(faces):
            ranks = [
                (ladder.index(a), ladder.index(b)) for a, b in zip(lighter, darker, strict=True)
            ]
            assert all(a <= b for a, b in ranks)
            assert any(a < b for a, b in ranks)


@pytest.mark.rule("warfare:dadi.un_dado", "warfare:dadi.test_base", "warfare:dadi.test")
def test_a_test_is_one_die_of_the_base_colour():
    game = Table(
        unita={"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "L1")},
        popolazione={"p1": {"esagono": "D5", "folla": "si"}},
        dice=(5,),
    )
    game.play("u:b1", "b:converti", "u:p1")
    assert game.rolled == ["1green"]
    assert {"dadi.un_dado", "dadi.test_base", "dadi.test"} <= game.cited


@pytest.mark.rule("warfare:dadi.combattimento")
def test_a_fight_reads_the_large_icon():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "E5")}, dice=(5,))
    state = game.play("u:b1", "b:fuoco", "b:leggero", "u:v1").state
    assert state.units["v1"].damage == 1
    assert {"dadi.combattimento", "fuoco.risultati"} <= game.cited
