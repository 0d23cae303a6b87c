"""Obstacles on the beach (10): whom the engineers work under, and how much they do."""

from __future__ import annotations

import pytest

from tests.ddob.table import Table

EAST_WN = {"0807": "wn75", "0809": "wn88", "0812": "wn", "0916": "wn", "0817": "wn"}
SILENT = {"specie": "wn75", "confusione": "si"}
NEAR_WN60 = {"h:0606", "h:0607", "h:0608", "h:0609", "h:0610", "h:0611"}


def clearing(**given):
    return Table(**{"turno": 3, "fase": "engineers", "us": {}, **given})


@pytest.mark.rule("ddob:10.1")
def test_only_hexes_without_a_dot_of_the_card_are_cleared():
    cards = {"fire east": "20", "fire west": "20"}
    game = clearing(tedeschi=EAST_WN, carte=cards)
    assert game.options == {"h:0612", "b:basta"}
    assert "10.1" in game.why_not("h:0610")
    game = clearing(tedeschi={k: v for k, v in EAST_WN.items() if k != "0807"}, carte=cards)
    assert game.options == {"h:0612", "b:basta", *NEAR_WN60}


@pytest.mark.rule("ddob:10.1", "ddob:6.4", "ddob:casa.82")
def test_a_position_that_recovers_with_the_card_leaves_the_engineers_alone():
    given = {"scenario": "easy-fox", "us": {}, "turno": 3, "fase": "fire:east"}
    game = Table(dice=["20"], tedeschi=EAST_WN | {"0807": SILENT}, **given)
    assert not game.state.germans["0807"].disrupted
    assert game.options >= NEAR_WN60
    assert "casa.82" in game.cited
    game.play("h:0606", "h:0610")
    assert game.state.cleared == ("0606", "0610")


@pytest.mark.rule("ddob:10.1", "ddob:6.41", "ddob:casa.82")
def test_half_a_position_that_was_not_disrupted_hinders_the_engineers():
    given = {"scenario": "easy-fox", "us": {}, "turno": 3, "fase": "fire:east"}
    half = {"0817": {"specie": "wn", "confusione": "si"}, "0918": "wn75"}
    game = Table(dice=["20"], tedeschi=half, **given)
    assert "10.1" in game.why_not("h:0616")
    both = {"0817": half["0817"], "0918": SILENT}
    assert "h:0616" in Table(dice=["20"], tedeschi=both, **given).options


@pytest.mark.rule("ddob:10.1", "ddob:casa.65")
def test_the_card_of_the_hexs_sector_counts_also_for_dots_from_the_other():
    cards = {"fire east": "32", "fire west": "20"}
    game = clearing(tedeschi={"0817": "wn"}, carte=cards)
    assert "h:0618" in game.options, "red is not on the east card"
    game.play("b:basta")
    assert "10.1" in game.why_not("h:0619"), "red is on the west card, WN65 is in the east"


@pytest.mark.rule("ddob:10.12")
@pytest.mark.parametrize(("turn", "hexes"), [(2, 2), (6, 2), (7, 1), (15, 1)])
def test_the_tide_limits_the_engineers(turn, hexes):
    cards = {"fire east": "20", "fire west": "20"}
    game = clearing(turno=turn, tedeschi={}, carte=cards)
    for label in ("0606", "0607", "0608")[:hexes]:
        game.play(f"h:{label}")
    assert len(game.state.cleared) == hexes
    assert "h:0608" not in game.options, "it is the turn of the west"
