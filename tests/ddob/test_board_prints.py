"""What the board of Omaha prints: dots of fire, arrows, names of boxes and draws, sectors."""

from __future__ import annotations

import pytest

from app.presenters.ddob import BEACHES, COLOURS, OmahaPresenter, arrows, short
from app.widgets.hexmap import HexMap
from engine.core.hexes import neighbours
from engine.ddob import TITLE
from engine.ddob.state.ground import BOARD, HEX
from engine.ddob.state.tables import BOXES, DOTS, DRAWS, POSITIONS, UNITS
from engine.ddob.table.inspect import SIGNS, inspect
from tests.ddob.table import state_of

NAMES = OmahaPresenter(("us",))


def said(label):
    state = state_of(us={}, tedeschi={})
    return [NAMES.say(ruling.msg) for ruling in inspect(state, HEX[label])]


@pytest.mark.rule("ddob:2.1.punti-fuoco")
def test_every_dot_is_in_its_hex_in_its_colour_and_strength():
    for position in POSITIONS.values():
        for label, level in DOTS[position.id].items():
            signs = [(sign.glyph, sign.colour) for sign in NAMES.signs(BOARD, HEX[label])]
            assert (SIGNS[level], COLOURS[position.colour]) in signs
    drawn = HexMap(NAMES, TITLE.view(state_of(us={}, tedeschi={}), "us")).dump()
    assert all(sign in drawn for sign in SIGNS.values())


@pytest.mark.rule("ddob:2.1.avanzata")
def test_an_arrow_leaves_its_position_towards_where_it_advances():
    found = arrows()
    for position in POSITIONS.values():
        start = HEX[position.hexes[0]]
        for _to in position.advances:
            looks = [found.get(frozenset((start, other))) for other in neighbours(start)]
            assert COLOURS[position.colour] in [look.colour for look in looks if look]
    a, b = HEX["1313"], HEX["1212"]
    glyphs = {
        other: look.glyph for other in neighbours(a) if (look := found.get(frozenset((a, other))))
    }
    assert set(glyphs.values()) == {"▾"}, (a, b)


@pytest.mark.rule("ddob:2.1.riquadri-sbarco", "ddob:13.21")
def test_boxes_and_draws_have_their_names_on_the_board():
    for box in BOXES.values():
        assert NAMES.caption(BOARD, HEX[box.hex]) == (box.id if box.beach else "")
        assert not box.beach or box.beach in BEACHES
    for draw, hexes in DRAWS.items():
        assert {NAMES.caption(BOARD, HEX[label]) for label in hexes} == {draw}


@pytest.mark.rule("ddob:2.1", "ddob:13.21", "ddob:5.2")
def test_a_hex_tells_its_sector_its_draw_and_its_landing_box():
    assert "0911: settore est" in said("0911")
    assert "0911: accesso E-3" in said("0911")
    assert "0513: sbarco dal riquadro ER1 con bassa marea" in said("0513")
    assert any("u4" not in line and "ricostruito" in line for line in said("0619"))
    assert "0731: settore ovest" in said("0731")


def test_units_fit_their_counters_under_the_names_of_the_lists():
    assert [short(id) for id in ("A/1/16", "L/3/116", "1/B/741", "1•2/397", "HQ116", "AB/2R")] == [
        "A/1/16", "L3/116", "1B/741", "12/397", "HQ116", "AB/2R",
    ]  # fmt: skip
    assert all(len(short(id)) <= 6 for id in UNITS)
    assert len({short(id) for id in UNITS}) == len(UNITS)
