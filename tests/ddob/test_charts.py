"""Every cell of the charts, played where the rules can be played."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.ddob.rules.attacks import weapons_of
from engine.ddob.rules.engineers import clearing_limit
from engine.ddob.rules.landing import landing_row
from engine.ddob.rules.terrain import factors
from engine.ddob.state.tables import BOXES, UNITS, tide
from tests.ddob.table import Table, state_of

# 8.3 The US attack chart: A/1/16 attacks WN64 over open ground


def attacked(unit, steps, depth="", shown=False, hero="", turn=8):
    """The game after A/1/16 with some steps has attacked a German unit."""
    kind = "wn75" if unit in ("3 BG BR", "3 BG BZ", "2 BG BZ", "2 MO MG") else "wn"
    german = {"specie": kind, "unita": unit, "rivelata": "si", "incognita": depth}
    german["incognita_rivelata"] = "si" if shown else "no"
    us = f"0915 {steps}" + (" eroe=Pinder" if hero else "")
    game = Table(
        fase="division", turno=turn, scenario="d-day", divisione="1", us={"A/1/16": us},
        tedeschi={"0916": german},
    )  # fmt: skip
    game.play("u:A/1/16", "b:attacca", "b:via")
    if hero:
        game.play(hero)
    return game


def result(game):
    """What became of both: the German unit's state, its marker, and the US disruption."""
    found = game.state
    german = found.germans.get("0916")
    us = "US disrupted" if found.units["A/1/16"].disrupted else "-"
    if german is None:
        return "gone", "", us
    side = "disrupted" if german.disrupted else "shown" if german.shown else "hidden"
    return side, german.depth, us


@pytest.mark.rule("ddob:8.3")
@pytest.mark.parametrize(
    ("unit", "steps", "hero", "expected"),
    [
        ("3 BG BR", 1, "", ("shown", "?", "US disrupted")),  # no weapons, less
        ("2 BZ BR", 1, "", ("shown", "?", "US disrupted")),  # no, equal
        ("3 BG BR", 2, "", ("shown", "?", "-")),  # no, more
        ("2 MO MG", 2, "", ("disrupted", "", "-")),  # no, double
        ("3 BG BZ", 1, "b:arma-BG", ("shown", "?", "-")),  # weapons, less
        ("2 BZ", 1, "", ("disrupted", "", "-")),  # weapons, equal
        ("3 BG BZ", 2, "", ("gone", "", "-")),  # weapons, more
        ("2 BG BZ", 2, "", ("gone", "", "-")),  # weapons, double
    ],
)
def test_the_column_of_a_unit_alone(unit, steps, hero, expected):
    assert result(attacked(unit, steps, hero=hero)) == expected


@pytest.mark.rule("ddob:8.3", "ddob:9.1")
@pytest.mark.parametrize(
    ("unit", "steps", "hero", "expected"),
    [
        ("3 BG BR", 1, "", ("hidden", "?", "US disrupted")),
        ("2 BZ BR", 1, "", ("hidden", "?", "US disrupted")),
        ("3 BG BR", 2, "", ("shown", "?", "US disrupted")),
        ("2 MO MG", 2, "", ("disrupted", "?", "-")),
        ("3 BG BZ", 1, "b:arma-BG", ("shown", "?", "US disrupted")),
        ("2 BZ", 1, "", ("shown", "?", "-")),
    ],
)
def test_the_column_of_a_hidden_marker(unit, steps, hero, expected):
    assert result(attacked(unit, steps, "?", hero=hero)) == expected


@pytest.mark.rule("ddob:8.3")
@pytest.mark.parametrize("unit", ["3 BG BZ", "2 BG BZ"])
def test_more_strength_and_weapons_turn_up_a_hidden_marker(unit):
    german = {"specie": "wn75", "unita": unit, "rivelata": "si", "incognita": "?"}
    game = Table(
        dice=["1 RD"], fase="division", turno=8, divisione="1", us={"A/1/16": "0915 2"},
        tedeschi={"0916": german},
    )  # fmt: skip
    game.play("u:A/1/16", "b:attacca", "b:via")
    expected = {"3 BG BZ": ("disrupted", "1 RD", "-"), "2 BG BZ": ("disrupted", "", "-")}
    assert result(game) == expected[unit]


@pytest.mark.rule("ddob:8.3")
@pytest.mark.parametrize(
    ("unit", "steps", "depth", "expected"),
    [
        ("1 BG", 1, "2 AR", ("shown", "2 AR", "US disrupted")),
        ("1 BG", 1, "1 AR", ("shown", "1 AR", "US disrupted")),
        ("1 BG", 2, "2 AR", ("shown", "2 AR", "-")),
        ("1 BZ", 1, "2", ("shown", "2", "-")),
        ("2 BG", 2, "2 RD", ("disrupted", "2 RD", "-")),
        ("1 BG", 2, "2 RD", ("disrupted", "", "-")),
        ("1 BG", 2, "1 RD", ("disrupted", "", "-")),
    ],
)
def test_the_column_of_a_revealed_marker(unit, steps, depth, expected):
    assert result(attacked(unit, steps, depth, shown=True)) == expected


@pytest.mark.rule("ddob:8.3", "ddob:14")
def test_from_turn_17_only_double_strength_defeats_unit_and_marker():
    assert result(attacked("1 BG", 2, "1 RD", shown=True, turn=18)) == ("gone", "", "-")
    assert result(attacked("1 BG", 2, "2 RD", shown=True, turn=18)) == ("disrupted", "", "-")


@pytest.mark.rule("ddob:8.3")
def test_attrition_is_a_choice_that_costs_a_step_and_takes_the_marker():
    game = attacked("1 BG", 2, "1 AR", shown=True)
    assert game.options == {"u:A/1/16", "b:no"}
    game.play("b:no")
    assert result(game) == ("disrupted", "1 AR", "-")
    game = attacked("1 BG", 2, "1 AR", shown=True)
    game.play("u:A/1/16")
    assert result(game) == ("disrupted", "", "-")
    assert game.state.units["A/1/16"].steps == 1


# 8.4 The barrage table: 62AFA, symbol ●, barrages WN61, orange

NOTHING, DISRUPTED, STRIPPED = (False, True), (True, True), (True, False)
"""Whether the unit is disrupted, and whether it keeps its marker."""


@pytest.mark.rule("ddob:8.4", "ddob:17.3")
@pytest.mark.parametrize(
    ("card", "depth", "by_steps"),
    [
        ("20", "+", (NOTHING, NOTHING, NOTHING, NOTHING)),
        ("20", "", (NOTHING, NOTHING, NOTHING, NOTHING)),
        ("21", "+", (NOTHING, NOTHING, DISRUPTED, DISRUPTED)),
        ("21", "", (NOTHING, DISRUPTED, DISRUPTED, DISRUPTED)),
        ("05", "+", (NOTHING, DISRUPTED, DISRUPTED, DISRUPTED)),
        ("05", "", (DISRUPTED, DISRUPTED, DISRUPTED, DISRUPTED)),
        ("02", "+", (DISRUPTED, DISRUPTED, STRIPPED, STRIPPED)),
        ("02", "", (DISRUPTED, DISRUPTED, DISRUPTED, DISRUPTED)),
    ],
)
def test_the_barrage_table_reads_colour_symbol_marker_and_strength(card, depth, by_steps):
    for steps, (disrupted, keeps) in enumerate(by_steps, 1):
        us = {"62AFA": f"0713 {steps}", "HQ16": "0712", "A/1/16": "0711"}
        game = Table(
            dice=[card], fase="division", turno=18, scenario="d-day", divisione="1", us=us,
            tedeschi={"0809": f"wn88{depth}"},
        )  # fmt: skip
        game.play("u:62AFA", "b:sbarramento", "h:0809")
        german = game.state.germans["0809"]
        assert german.disrupted is disrupted, steps
        assert bool(german.depth) is (keeps and bool(depth)), steps


# 5.1 The landing table

DRIFT = {"A": (), "B": ("east 1",), "C": ("east 4",), "D": ("west 1",)}
LANDING = [
    ("1/B/741", "FG2", (1,), {"A": ("delay 1",), "B": ("eliminated",), "C": ("lose 1",),
                              "D": ("lose 1", "east 2")}),
    ("1/B/741", "FG2", (2, 3), {"A": (), "B": ("east 1",), "C": ("lose 1",), "D": ("east 3",)}),
    ("E/2/16", "ER6", (2, 3), {"A": ("east 4",), "B": ("east 2",), "C": ("east 9",), "D": ()}),
    ("G/2/116", "DW3", (2, 3), {"A": ("east 4",), "B": ("east 2",), "C": ("east 9",), "D": ()}),
    ("A/1/116", "DG4", (2, 3), DRIFT),
    ("C/2R", "CH2", (2, 3), DRIFT),
    ("E/2/16", "ER6", (4, 14), DRIFT),
    ("AB/5R", "DG1", (4, 14), DRIFT),
    ("7FA", "ER1", (8, 14, 15, 30), {"A": ("eliminated",), "B": ("lose 1",), "C": ("lose 2",),
                                     "D": ()}),
    *[
        (name, "ER1", (3, 14), {"A": ("delay 3",), "B": ("east 2",), "C": ("lose 1",), "D": ()})
        for name in ("A•C/81C", "62AFA", "1•2/397", "A•B/197", "AT/16")
    ],
    *[
        (name, "ER1", (15, 30), {"A": ("delay 3",), "B": ("removed",), "C": (), "D": ("lose 1",)})
        for name in ("A•C/81C", "62AFA", "1•2/397", "A•B/197", "AT/16")
    ],
]  # fmt: skip


@pytest.mark.rule("ddob:5.1", "ddob:5.15")
@pytest.mark.parametrize(("unit", "box", "turns", "row"), LANDING)
def test_every_cell_of_the_landing_table(unit, box, turns, row):
    for turn in turns:
        found = state_of(turno=turn, scenario="d-day", us={unit: box})
        landing = landing_row(found, found.units[unit])
        assert {letter: getattr(landing, letter) for letter in "ABCD"} == row


@pytest.mark.rule("ddob:5.12", "ddob:5.15")
@pytest.mark.parametrize(
    ("unit", "turn"), [("A/1/18", 15), ("AB/5R", 15), ("HQ16", 8), ("Wyman", 11)]
)
def test_who_makes_no_landing_check(unit, turn):
    found = state_of(turno=turn, scenario="d-day", us={unit: "ER1"})
    assert landing_row(found, found.units[unit]) is None


# 8.2 The weapons chart


@pytest.mark.rule("ddob:8.2", "ddob:8.21", "ddob:8.26", "ddob:8.27")
@pytest.mark.parametrize(
    ("unit", "at", "weapons"),
    [
        ("A/1/16", "0915", "BZ BG BR DE MO RD"),
        ("C/2R", "0915", "BZ BG BR DE MO RD"),
        ("A/1/16", "0915 2", "BZ BG RD"),
        ("A/1/16", "0915 1", "BZ"),
        ("D/1/16", "0915", "BZ BG BR DE MO RD MG"),
        ("D/1/16", "0816", "BZ MO RD BR MG"),
        ("D/1/16", "0914", "BZ MO RD BR MG"),
        ("D/1/16", "0915 2", "DE MG MO"),
        ("1/B/741", "0816", "AR BZ MG BR"),
        ("1/B/741", "0715", "AR BZ MG BR"),
        ("1/B/741", "0615 1", "AR BZ MG BR"),
        ("1/B/741", "0514", "AR BZ"),
        ("1•2/397", "0715", "MG BR"),
        ("A•B/197", "0715", "MG BR"),
        ("62AFA", "0715", "AR MO DE"),
        ("7FA", "0715", "AR MO DE"),
        ("A•C/81C", "0715", "AR MO DE"),
        ("AT/16", "0715", "AR BZ"),
    ],
)
def test_the_weapons_of_every_kind_of_unit(unit, at, weapons):
    found = state_of(turno=3, us={unit: at}, tedeschi={"0916": "wn"})
    assert set(weapons_of(found, found.units[unit], "0916")) == set(weapons.split())


# tec Terrain


@pytest.mark.rule("ddob:tec", "ddob:8.31", "ddob:casa.69", "ddob:tec.bosco", "ddob:tec.edifici")
@pytest.mark.parametrize(
    ("target", "origins", "expected"),
    [
        ("0916", ["0915"], (1, 1)),  # open ground
        ("0807", ["0907"], (2, 1)),  # woods
        ("0807", ["0808"], (2, 2)),  # woods behind a slope: not cumulative
        ("1310", ["1410"], (2, 2)),  # buildings
        ("1008", ["1009"], (2, 2)),  # bocage
        ("0809", ["0710"], (2, 1)),  # shingle
        ("0809", ["0910"], (2, 1)),  # anti-tank ditch
        ("0531", ["0630"], (2, 1)),  # anti-tank wall
        ("0809", ["0709"], (2, 2)),  # slope
        ("0817", ["0918"], (2, 2)),  # down a bluff, as a slope
        ("0809", ["0709", "0710"], (2, 1)),  # the lesser of slope and shingle
        ("0809", ["0710", "0910"], (2, 1)),  # two sides of different kinds
        ("0809", ["0709", "0710", "0808"], (1, 1)),  # one open side is enough
    ],
)
def test_what_terrain_does_for_the_defender(target, origins, expected):
    kind = "T" if target in ("1310", "1008") else "wn"
    unit, depth, _told = factors(state_of(us={}, tedeschi={target: kind}), target, origins)
    assert (unit, depth) == expected


# 5.21, 10.12 Tides and clearing


@pytest.mark.rule("ddob:5.21", "ddob:10.12")
@pytest.mark.parametrize(
    ("turns", "water", "hexes"),
    [
        ((1,), "low tide", 0),
        ((2, 6), "low tide", 2),
        ((7, 15), "mid tide", 1),
        ((16, 22), "high tide", 0),
        ((23, 27), "mid tide", 0),
        ((28, 32), "low tide", 0),
    ],
)
def test_the_tide_and_the_clearing_of_every_turn(turns, water, hexes):
    for turn in turns:
        assert tide(turn) == water
        assert clearing_limit(state_of(turno=turn, scenario="d-day")) == hexes


@pytest.mark.rule("ddob:22.1", "ddob:10.12")
@pytest.mark.parametrize(("turn", "hexes"), [(4, 0), (5, 2), (6, 2), (7, 1)])
def test_after_a_bombardment_clearing_begins_on_turn_five(turn, hexes):
    assert clearing_limit(state_of(turno=turn, opzioni={"22.1": "si"})) == hexes


# 2.21 The order of battle


@pytest.mark.rule("ddob:2.21.arrivo", "ddob:2.21.passi", "ddob:2.21.forza", "ddob:2.21.gittata")
def test_units_arrive_on_the_turns_of_their_counters():
    due = {d: Counter(u.turn for u in UNITS.values() if u.division == d) for d in ("1", "29")}
    assert due["1"] == {
        0: 4, 1: 6, 3: 3, 4: 2, 5: 1, 6: 3, 7: 3, 8: 2, 9: 3, 10: 1, 16: 4, 20: 4, 22: 5, 23: 1,
    }  # fmt: skip
    assert due["29"] == {
        0: 4, 1: 7, 3: 4, 4: 5, 5: 5, 6: 3, 7: 1, 8: 2, 9: 3, 16: 8, 19: 5, 20: 1,
    }  # fmt: skip
    strengths = {(u.type, u.strengths, u.range) for u in UNITS.values() if u.strengths}
    assert strengths == {
        ("infantry", (6, 4, 2), 1), ("infantry", (7, 4, 2), 2), ("ranger", (3, 2), 1),
        ("ranger", (5, 3), 1), ("tank", (4, 2), 5), ("SP artillery", (9, 6, 4, 2), 99),
        ("DUKW artillery", (9, 6, 4, 2), 99), ("DUKW artillery", (3, 1), 99),
        ("artillery", (4, 2), 99), ("AA", (4, 2), 3), ("SP AA", (3, 1), 3), ("AT", (2,), 5),
    }  # fmt: skip
    printed = {u.box for u in UNITS.values()} - {"ranger", "1st", "29th"}
    assert printed <= {*BOXES, *(box.beach for box in BOXES.values())}
