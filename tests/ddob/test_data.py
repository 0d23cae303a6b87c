"""The counts that the components must satisfy."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from engine.core.hexes import distance as axial
from engine.ddob.state import tables
from engine.ddob.state.ground import (
    BASE,
    BOARD,
    EXIT_AT,
    HEX,
    LAND,
    NEIGHBOURS,
    OBSTACLES,
    ROAD,
    SECTOR,
    SIDE,
    TIDE_AT,
)
from engine.ddob.state.tables import (
    BOXES,
    CARDS,
    CHARTS,
    COLOURS,
    DEPTH,
    DOTS,
    GERMANS,
    POSITIONS,
    SYMBOLS,
    UNITS,
)

DATA = Path(tables.__file__).parent / "data"


@pytest.mark.rule("ddob:2.1")
def test_the_map_has_twenty_rows_of_36_or_35_hexes():
    rows = Counter(label[:2] for label in HEX)
    assert rows["01"] == 36
    assert rows["19"] == 36
    assert rows["02"] == 35
    assert rows["20"] == 31
    assert len(LAND) == 599
    assert BOARD.grid.direction_name(0) == "SE"


@pytest.mark.rule("ddob:2.1")
def test_every_hexside_and_road_step_joins_neighbours():
    for a, b in (*SIDE, *ROAD):
        assert b in NEIGHBOURS[a]
        assert axial(HEX[a], HEX[b]) == 1
    sides = Counter(s for found in BOARD.sides.values() for s in found)
    assert sides == {
        "shingle": 34,
        "seawall": 9,
        "anti-tank ditch": 13,
        "anti-tank wall": 2,
        "sheer cliff": 12,
        "scaleable cliff": 8,
        "bluff": 56,
        "slope": 56,
        "hedge": 147,
    }
    steps = Counter(kind for kinds in BOARD.roads.values() for kind in kinds)
    assert steps["primary road"] == 73
    assert steps["secondary road"] == 44
    assert steps["mined road"] == 12
    assert steps["mined trail"] == 3


@pytest.mark.rule("ddob:5.21", "ddob:5.14")
def test_every_beach_hex_has_a_tide_and_29_have_obstacles():
    beaches = {h for h in LAND if BASE[h] == "beach"}
    assert beaches == set(TIDE_AT)
    assert Counter(TIDE_AT.values()) == {"low tide": 35, "mid tide": 34, "high tide": 26}
    assert len(OBSTACLES) == 29
    assert Counter(SECTOR[h] for h in OBSTACLES) == {"east": 13, "west": 16}
    assert sorted(EXIT_AT.values()) == list("ABCDEFG")


@pytest.mark.rule("ddob:5.2", "ddob:2.1.riquadri-sbarco")
def test_31_boxes_have_lanes_of_the_right_tides():
    assert len(BOXES) == 31
    assert sum(not box.beach for box in BOXES.values()) == 4
    for box in BOXES.values():
        assert TIDE_AT[box.low] == "low tide"
        assert TIDE_AT[box.mid] == "mid tide"
        assert not box.high or TIDE_AT[box.high] == "high tide"
    assert [b for b in BOXES if not BOXES[b].high] == ["u1", "u2", "u3", "CH2", "CH3"]
    assert (BOXES["ER1"].low, BOXES["ER1"].mid, BOXES["ER1"].high) == ("0513", "0613", "0714")


@pytest.mark.rule("ddob:2.1.posizioni", "ddob:2.1.wn", "ddob:2.1.rinforzo")
def test_positions_are_13_wn_and_73_for_reinforcements():
    wn = [p for p in POSITIONS.values() if p.is_wn]
    assert len(wn) == 13
    assert sum(len(p.hexes) for p in wn) == 18
    assert len(POSITIONS) - len(wn) == 73
    assert sum(p.is_vp for p in POSITIONS.values()) == 42
    assert sum(not p.zone and not p.is_wn for p in POSITIONS.values()) == 6
    for position in POSITIONS.values():
        for name in position.advances:
            to = POSITIONS[name].hexes[0]
            assert axial(HEX[position.hexes[0]], HEX[to]) in (1, 2)
        assert all(SECTOR[h] == position.sector for h in position.hexes)


@pytest.mark.rule("ddob:2.1.punti-fuoco", "ddob:6.23")
def test_1066_dots_and_none_shared_by_two_positions_of_a_colour():
    assert sum(len(dots) for dots in DOTS.values()) == 1066
    owners = Counter((h, POSITIONS[name].colour) for name, dots in DOTS.items() for h in dots)
    assert max(owners.values()) == 1
    west = [h for h in DOTS["WN65"] if SECTOR[h] == "west"]
    assert sorted(west) == ["0419", "0520", "0619", "0720", "0819", "0820"]


@pytest.mark.rule("ddob:2.3", "ddob:6.1")
def test_the_deck_shows_each_colour_27_times_and_each_symbol_18_times():
    assert len(CARDS) == 54
    colours = Counter(s.colour for card in CARDS.values() for s in card.fire)
    assert colours == dict.fromkeys(COLOURS, 27)
    singles = Counter(s.colour for c in CARDS.values() for s in c.fire if s.squares == 1)
    assert set(singles.values()) <= {13, 14}
    assert Counter(card.target for card in CARDS.values()) == dict.fromkeys(SYMBOLS, 18)
    actions = Counter(s.action for card in CARDS.values() for s in card.fire)
    assert actions == {"R": 42, "A": 30, "tank": 30, "M": 24, "P": 18, "star": 12, "F": 6}
    assert sum(card.mine for card in CARDS.values()) == 9
    assert sum(card.artillery is not None for card in CARDS.values()) == 12
    letters = {s: Counter(c.landing[s] for c in CARDS.values()) for s in SYMBOLS}
    assert letters["◆"] == {"A": 21, "B": 17, "C": 11, "D": 5}
    assert letters["▲"] == {"A": 22, "B": 16, "C": 11, "D": 5}
    assert letters["●"] == {"A": 22, "B": 17, "C": 10, "D": 5}


@pytest.mark.rule("ddob:2.2", "ddob:2.23")
def test_counters_are_as_many_as_the_book_says():
    units = {kind: sum(u.copies for u in found.values()) for kind, found in GERMANS.items()}
    assert units == {
        "wn88": 2, "wn75": 6, "rocket": 1, "wn": 9, "T": 9, "D": 11, "M": 8, "armor": 4,
    }  # fmt: skip
    depth = {kind: sum(u.copies for u in found.values()) for kind, found in DEPTH.items()}
    assert depth == {"wn depth": 18, "building": 8, "mobile": 24, "armor depth": 4}
    assert sum(not u.turn for u in UNITS.values()) == 8
    early = [u for u in UNITS.values() if u.division == "1" and 1 <= u.turn <= 10]
    assert len(early) == 24
    assert Counter(u.type for u in UNITS.values())["infantry"] == 48


@pytest.mark.rule("ddob:2.21.armi", "ddob:2.21.forza")
def test_reduced_infantry_prints_its_weapons_and_strength_falls():
    for unit in UNITS.values():
        assert list(unit.strengths) == sorted(unit.strengths, reverse=True)
        if unit.type == "infantry":
            assert [len(w) for w in unit.weapons] == [3, 1]
            assert set(unit.weapons[1]) <= set(unit.weapons[0])


@pytest.mark.rule("ddob:8.3", "ddob:8.4", "ddob:tab.azioni", "ddob:6.3")
def test_charts_have_a_row_for_every_case():
    assert len(CHARTS.attack) == 8
    assert len(CHARTS.fire) == 9
    assert len(CHARTS.barrage) == 6
    assert [row.card for row in CHARTS.actions] == ["F", "tank", "star", "R", "M", "P", "A"]
    assert CHARTS.hq_range.ranges == (1, 1, 2, 2, 3, 3, 3, 4)
    assert CHARTS.engineer_range.ranges == (0, 1, 2, 2, 3, 3, 4, 4, 5)
    assert CHARTS.shuffles.turns == (6, 13, 20, 27)


@pytest.mark.rule("ddob:23.5.ordini")
def test_movement_orders_follow_roads():
    from engine.ddob.rules.armor import TANK_ROADS

    for row in CHARTS.orders:
        for a, b in zip(row.path, row.path[1:], strict=False):
            assert any(kind in TANK_ROADS for kind in ROAD[a, b]), (a, b)


@pytest.mark.rule("ddob:2")
def test_every_record_names_its_source():
    for path in sorted(DATA.glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        assert text.count("provenienza:") == len(re.findall(r"\bref: ddob:", text)), path.name
