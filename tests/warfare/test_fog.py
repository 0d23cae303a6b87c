"""Fog of war: when the back of a counter is shown, and what the line about it says."""

from __future__ import annotations

import pytest

from tests.warfare.table import FAR, Table, u

IED = {"i1": {"tipo": "ied_rosso", "esagono": "D5", "di": "verde"}}
MINE = {"i1": {"tipo": "mina", "esagono": "D5", "di": "verde", "scoperto": "si"}}
CROWD = {"p1": {"esagono": "D5", "folla": "si"}}
NEAR = u("ins_cellula", "D5")

USES = {
    "conversion": (u("usmc_squad", "C5"), ("b:converti", "u:p1"), {"popolazione": CROWD}),
    "roadblock": (u("us_engineers", "C5"), ("b:sgombra", "h:D5"), {"blocchi": ["D5"]}),
    "transport": (u("usmc_lav", "C5"), ("b:carica", "u:b2"), {}),
    "squad drones": (u("us_recon", "C5"), ("b:droni",), {}),
    "recon": (u("us_rifle", "C5"), ("b:ricognizione", "u:i1"), {"nascosti": IED}),
    "clearing": (u("us_engineers", "C5"), ("b:bonifica", "u:i1"), {"nascosti": MINE}),
    "stealth": (u("us_recon", "C5"), ("b:muovi", "b:stealth", "h:C4", "b:vai"), {}),
    "water": (u("ita_lagunari", "G8"), ("b:muovi", "h:H8", "b:vai"), {}),
    "drone recon": (
        u("us_recon", "C5"),
        ("b:ricognizione-droni", "c:us_drone_fpv"),
        {"supporti": {"us_drone_fpv": {"lato": "blu"}}},
    ),
}


@pytest.mark.rule("warfare:arbitrato.nebbia", "warfare:unita.nebbia")
@pytest.mark.parametrize("use", USES)
def test_a_unit_shows_its_back_when_it_uses_what_is_printed_there(use):
    one, answers, given = USES[use]
    units = {
        "b1": one,
        "b2": u("us_rifle", "B5"),
        "v1": FAR,
        "v2": u("ins_mg", "E5", overwatch="si"),
    }
    game = Table(unita=units, dice=(4,), **given)
    state = game.play("u:b1", *answers).state
    assert state.units["b1"].shown
    assert not state.units["b2"].shown
    assert [facts["unit"] for facts in game.facts("arbitrato.nebbia")] == ["b1"]


@pytest.mark.rule("warfare:arbitrato.nebbia", "warfare:aviotrasporto.abilita")
def test_who_is_dropped_shows_its_back():
    game = Table(unita={"b1": u("ita_folgore", riserva="si"), "b2": u("us_rifle", "B5"), "v1": FAR})
    game.play("u:b1", "h:D5")
    assert [facts["unit"] for facts in game.facts("arbitrato.nebbia")] == ["b1"]


@pytest.mark.rule("warfare:arbitrato.nebbia", "warfare:blocchi.irregolari")
def test_irregulars_show_their_back_when_they_place_a_roadblock():
    units = {"b1": u("us_rifle", "B5"), "v1": u("ins_cellula", "K3")}
    game = Table(unita=units, caselle={"blu": 20, "verde": 30}, riserva_blocchi={"verde": 1})
    game.play("u:v1", "b:sbarra", "h:J3")
    assert [facts["unit"] for facts in game.facts("arbitrato.nebbia")] == ["v1"]


@pytest.mark.rule("warfare:unita.nebbia", "warfare:arbitrato.nebbia")
@pytest.mark.parametrize(
    ("one", "answers"),
    [
        (u("usmc_squad", "C5"), ("b:fuoco", "b:leggero", "u:v1")),
        (u("usmc_squad", "C5"), ("b:assalta", "u:v1")),
        (u("us_mg", "C5"), ("b:sopprimi", "u:v1")),
    ],
)
def test_in_a_fight_both_show_their_backs_by_the_rule_of_the_book(one, answers):
    game = Table(unita={"b1": one, "v1": NEAR, "v2": FAR}, dice=(1,))
    game.play("u:b1", *answers)
    assert {facts["unit"] for facts in game.facts("unita.nebbia")} == {"b1", "v1"}
    assert "arbitrato.nebbia" not in game.cited


@pytest.mark.rule("warfare:arbitrato.nebbia")
@pytest.mark.parametrize(
    "answers",
    [
        ("b:muovi", "h:C4", "b:vai"),
        ("b:overwatch",),
        ("b:fumo", "h:C4"),
        ("b:recupera", "b:bianco"),
    ],
)
def test_what_any_unit_does_shows_nothing(answers):
    morale = 1 if "b:recupera" in answers else 0
    game = Table(unita={"b1": u("usmc_squad", "C5", morale=morale), "v1": FAR}, dice=(6,))
    game.play("u:b1", *answers)
    assert not game.state.units["b1"].shown
    assert not game.facts("unita.nebbia")


@pytest.mark.rule("warfare:unita.nebbia", "warfare:unita.valori")
def test_the_line_says_what_the_opponent_reads_on_the_back():
    game = Table(unita={"b1": u("usmc_lav", "C5"), "b2": u("us_rifle", "B5"), "v1": FAR})
    game.play("u:b1", "b:carica", "u:b2")
    assert game.facts("unita.nebbia") == [
        {
            "unit": "b1",
            "ap": 6,
            "range": 6,
            "die": "red",
            "heavy_ap": 6,
            "heavy_range": 6,
            "heavy_die": "yellow",
            "defence": 2,
        }
    ]
    game = Table(unita={"b1": u("us_mg", "C5"), "v1": NEAR}, dice=(1,))
    game.play("u:b1", "b:sopprimi", "u:v1")
    assert game.facts("unita.nebbia")[1] == {
        "unit": "b1",
        "ap": 7,
        "range": 6,
        "die": "yellow",
        "defence": 1,
    }
