"""Every loss names the result that caused it, beside the rule that makes it a loss."""

from __future__ import annotations

import pytest

from engine.warfare.state.events import Eliminated, PeopleLost
from tests.warfare.table import FAR, Table, attack, u


def causes(game, name):
    """The rules under which a piece left the game."""
    found = [
        {ref.partition(":")[2] for ref in step.ruling.refs}
        for step in game.steps
        if isinstance(step.event, Eliminated | PeopleLost)
        and name in (getattr(step.event, "unit", ""), getattr(step.event, "marker", ""))
    ]
    assert len(found) == 1
    return found[0]


@pytest.mark.rule("warfare:morale.resa", "warfare:fuoco.risultati")
def test_a_surrender_names_the_fire_that_caused_it():
    game = Table(
        unita={"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "E5", morale=2)}, dice=(3,)
    )
    game.play("u:b1", "b:fuoco", "b:leggero", "u:v1")
    assert causes(game, "v1") == {"morale.resa", "fuoco.risultati"}


@pytest.mark.rule("warfare:danno.eliminazione", "warfare:fuoco.risultati")
def test_the_third_damage_names_the_fire_that_caused_it():
    game = Table(
        unita={"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "E5", danno=2)}, dice=(5,)
    )
    game.play("u:b1", "b:fuoco", "b:leggero", "u:v1")
    assert causes(game, "v1") == {"danno.eliminazione", "fuoco.risultati"}


@pytest.mark.rule("warfare:morale.resa", "warfare:danno.eliminazione", "warfare:assalto.test")
@pytest.mark.parametrize(
    ("hurt", "face", "general"),
    [({"morale": 2}, 3, "morale.resa"), ({"danno": 2}, 5, "danno.eliminazione")],
)
def test_a_defender_lost_to_an_assault_names_its_table(hurt, face, general):
    units = {"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "D5", **hurt), "v2": FAR}
    game = Table(unita=units, dice=(face,))
    game.play("u:b1", "b:assalta", "u:v1")
    assert causes(game, "v1") == {general, "assalto.test"}


@pytest.mark.rule("warfare:trasporto.perdite", "warfare:fuoco.risultati")
def test_who_dies_aboard_names_what_hit_the_vehicle():
    units = {
        "b1": u("us_abrams", "C5"),
        "v1": u("ins_tecnica", "E5"),
        "v2": u("ins_cellula", a_bordo="v1"),
        "v3": FAR,
    }
    game = Table(unita=units, dice=(5,))
    game.play("u:b1", "b:fuoco", "b:pesante", "u:v1")
    assert causes(game, "v1") == {"fuoco.risultati"}
    assert causes(game, "v2") == {"trasporto.perdite", "fuoco.risultati"}
    game = Table(
        unita={"b1": u("us_abrams", "C5"), "v1": u("ins_tecnica", "E5"), "v3": FAR},
        dice=(5,),
        popolazione={"p1": {"a_bordo": "v1"}},
    )
    game.play("u:b1", "b:fuoco", "b:pesante", "u:v1")
    assert causes(game, "p1") == {"trasporto.perdite", "fuoco.risultati"}


@pytest.mark.rule("warfare:arbitrato.supporto_morale", "warfare:fuoco.risultati")
def test_a_support_shot_down_by_its_third_damage_names_the_shot():
    units = {
        "b1": u("usmc_squad", "A1"),
        "v1": u("ins_cellula", "E5"),
        "v2": u("ins_sam", "G5", overwatch="si"),
    }
    game = attack(units, dice=(5,), supports={"us_a10": {"lato": "blu", "danno": 2}})
    game.play("u:v2")
    assert causes(game, "us_a10") == {"arbitrato.supporto_morale", "fuoco.risultati"}
