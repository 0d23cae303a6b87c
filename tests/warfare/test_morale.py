"""Recovery and the effects of morale and damage."""

from __future__ import annotations

import pytest

from tests.warfare.table import FAR, Table, u


@pytest.mark.rule(
    "warfare:recupero.azione",
    "warfare:recupero.test",
    "warfare:recupero.costo",
    "warfare:arbitrato.sm_come_s",
)
@pytest.mark.parametrize(("face", "morale"), [(1, 2), (2, 2), (3, 1), (5, 1), (6, 0)])
def test_each_result_of_a_recovery(face, morale):
    game = Table(unita={"b1": u("usmc_squad", "C5", morale=2), "v1": FAR}, dice=(face,))
    state = game.play("u:b1", "b:recupera", "b:verde").state
    assert state.units["b1"].morale == morale
    assert state.cubes["blu"].position == 14
    assert {"recupero.test", "recupero.costo", "arbitrato.soppresso_recupero"} <= game.cited
    assert ("arbitrato.sm_come_s" in game.cited) == (face in (1, 3))


DICE = (
    ("bianco", "white"),
    ("rosa", "pink"),
    ("grigio", "grey"),
    ("verde", "green"),
    ("giallo", "yellow"),
    ("rosso", "red"),
    ("blu", "blue"),
    ("viola", "purple"),
    ("nero", "black"),
)
"""The option and the die that it buys."""


@pytest.mark.rule("warfare:recupero.costo", "warfare:arbitrato.recupero_verde")
def test_the_nine_dice_cost_one_to_nine_ap():
    game = Table(unita={"b1": u("usmc_squad", "C5", morale=1), "v1": FAR})
    game.play("u:b1", "b:recupera")
    prices = {o.id: o.msg.facts["cost"] for o in game.position.decision.options}
    assert prices == {f"b:{die}": n for n, (die, _colour) in enumerate(DICE, 1)}
    for price, (die, colour) in enumerate(DICE, 1):
        game = Table(unita={"b1": u("usmc_squad", "C5", morale=1), "v1": FAR}, dice=(6,))
        game.play("u:b1", "b:recupera", f"b:{die}")
        assert game.paid == [("blu", price)]
        assert game.rolled == [f"1{colour}"]


@pytest.mark.rule(
    "warfare:recupero.modificatori",
    "warfare:danno.permanente",
    "warfare:danno.due",
    "warfare:arbitrato.costo_minimo",
)
def test_damage_makes_recovery_worse_and_cheaper_and_stays():
    game = Table(unita={"b1": u("usmc_squad", "C5", morale=1, danno=2), "v1": FAR}, dice=(6,))
    game.play("u:b1", "b:recupera")
    prices = [o.msg.facts["cost"] for o in game.position.decision.options]
    assert prices == [1, 1, 1, 2, 3, 4, 5, 6, 7], "two less, one at least"
    state = game.play("b:giallo").state
    assert game.rolled == ["1grey"]
    assert state.cubes["blu"].position == 13
    discounts = [f for f in game.facts("danno.due") if "printed" in f]
    assert [(f["printed"], f["cost"]) for f in discounts] == [(5, 3)]
    assert "arbitrato.costo_minimo" not in game.cited
    game = Table(unita={"b1": u("usmc_squad", "C5", morale=1, danno=2), "v1": FAR}, dice=(6,))
    game.play("u:b1", "b:recupera", "b:rosa")
    assert [f["cost"] for f in game.facts("arbitrato.costo_minimo")] == [1]
    assert state.units["b1"].damage == 2
    assert {"recupero.modificatori", "danno.permanente"} <= game.cited


@pytest.mark.rule("warfare:recupero.azione")
def test_a_steady_unit_has_nothing_to_recover():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR})
    game.play("u:b1")
    assert game.why_not("b:recupera") == {"recupero.azione"}


@pytest.mark.rule("warfare:morale.soppresso", "warfare:arbitrato.soppresso_recupero")
def test_a_suppressed_unit_can_only_be_brought_back():
    game = Table(unita={"b1": u("us_engineers", "C5", morale=2), "v1": FAR}, blocchi=["D5"])
    game.play("u:b1")
    assert list(game.options) == ["b:recupera"]


@pytest.mark.rule("warfare:morale.scosso", "warfare:arbitrato.scosso_divieti")
def test_a_shaken_unit_still_moves_throws_smoke_and_converts():
    game = Table(
        unita={"b1": u("usmc_squad", "C5", morale=1), "v1": FAR},
        popolazione={"p1": {"esagono": "D5", "folla": "si"}},
    )
    game.play("u:b1")
    assert {"b:muovi", "b:fumo", "b:converti", "b:recupera"} <= set(game.options)
