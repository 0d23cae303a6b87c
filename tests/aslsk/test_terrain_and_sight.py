"""Terrain, cover and LOS (1.1.1, 3.2.1)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import threading

import pytest

from engine.aslsk.rules.sight import los
from engine.aslsk.rules.terrain import cover, infantry_cost
from engine.aslsk.state.ground import ground
from engine.aslsk.state.state import stacks, units_at
from tests.aslsk.table import Table


def field(month: int = 7):
    return ground("ex", month)


@pytest.mark.rule("aslsk:1.1.1", "aslsk:3.3.1.mf_table")
@pytest.mark.parametrize(
    ("a", "b", "halves"),
    [("C3", "D3", 4), ("E7", "E6", 2), ("H2", "I2", 3), ("J3", "K3", 4), ("K3", "L3", 4), ("K3", "J3", 2)],
)  # fmt: skip
def test_infantry_pays_for_terrain_and_crest(a, b, halves):
    assert infantry_cost(field(), a, b, True) == halves


@pytest.mark.rule("aslsk:1.1.1.grain")
def test_grain_out_of_season_is_open_ground():
    assert infantry_cost(field(10), "H2", "I2", True) == 2
    assert field(10).kind("I2") == "open"


@pytest.mark.rule("aslsk:1.1.1.woods_road", "aslsk:1.1.1.orchard_road")
def test_a_road_makes_woods_and_orchard_cheap_and_open_along_it():
    g = field()
    assert infantry_cost(g, "D8", "E8", True) == 2
    assert infantry_cost(g, "D8", "E8", False) == 4
    assert g.los("E7", "E9").blocked is not None
    assert g.crosses_drawing("E8", g.centre("E7"), g.centre("E9"))


@pytest.mark.rule("aslsk:1.1.1.woods", "aslsk:3.2.1")
def test_woods_stop_a_thread_through_them_but_not_into_them():
    g = field()
    assert g.los("D4", "D7").blocked.ref == "1.1.1.woods"
    assert g.los("D4", "D5").blocked is None


@pytest.mark.rule("aslsk:3.2.1")
def test_los_is_the_same_both_ways():
    g = field()
    for a in g.labels[::7]:
        for b in g.labels:
            assert (g.los(a, b).blocked is None) == (g.los(b, a).blocked is None)


@pytest.mark.rule("aslsk:3.2.1.levels", "aslsk:1.1.1.hills")
def test_a_hill_hides_what_lies_behind_it_and_a_crest_must_be_crossed():
    g = field()
    assert g.los("J2", "M4").blocked is not None
    assert g.los("J3", "K3").blocked is None
    assert g.los("J3", "M3").blocked.ref == "3.2.1.levels"


@pytest.mark.rule("aslsk:3.2.1.hindrance")
def test_hindrances_add_up_and_six_block():
    run = Table("{lati: [american, german], unità: {a: us-666 A1}, fumo: {A2: 3, A3: 3}}")
    assert los(run.state, "A1", "A4").blocked is not None
    assert los(run.state, "A1", "A2").drm == 3


@pytest.mark.rule("aslsk:1.2.5", "aslsk:casa.25")
def test_firing_out_of_smoke_adds_one_more():
    run = Table("{lati: [american, german], unità: {a: us-666 A1}, fumo: {A1: 2}}")
    assert los(run.state, "A1", "A3").drm == 3


@pytest.mark.rule("aslsk:3.2.1.through_units")
def test_infantry_in_between_changes_nothing():
    run = Table("{lati: [american, german], unità: {a: us-666 A5, b: us-666 A6, x: ge-467 A7}}")
    assert los(run.state, "A5", "A7").drm == 0


@pytest.mark.rule("aslsk:7.4.1", "aslsk:casa.24")
def test_a_wreck_hinders_and_a_moving_tank_does_not():
    text = "{{lati: [german, russian], unità: {{x: ru-447 A7}}, veicoli: {{t: ge-ivh A6 {0}}}}}"
    assert los(Table(text.format("wreck")).state, "A5", "A7").drm == 1
    assert los(Table(text.format("moving")).state, "A5", "A7").drm == 0


@pytest.mark.rule("aslsk:7.4", "aslsk:casa.40")
def test_a_wreck_covers_but_only_the_best_tem_counts():
    text = "{{lati: [german, russian], unità: {{x: ru-447 {0}}}, veicoli: {{t: ge-ivh {0} wreck}}}}"
    open_ = Table(text.format("A6")).state
    assert cover(open_, open_.units["x"], "A8").value == 1
    house = Table(text.format("B2")).state
    assert cover(house, house.units["x"], "B4").value == 3


@pytest.mark.rule("aslsk:1.1.1.hedges", "aslsk:1.1.1.hedges.los")
def test_a_hedge_of_neither_end_stops_the_los():
    g = field()
    assert g.los("A6", "D6").blocked.ref == "1.1.1.hedges.los"
    assert g.los("B6", "D6").blocked is None or g.los("B6", "D6").blocked.ref != "1.1.1.hedges.los"


@pytest.mark.rule("aslsk:3.2.4.ca", "aslsk:3.2.4.aspect")
def test_arcs_and_hexsides_of_a_hex():
    g = field()
    assert g.arcs("E5", "E4") == (0, 5)
    assert g.arcs("E5", "F4") == (0, 1)
    assert g.turns("E5", 3, "E4") == 2
    assert g.sides_hit("E7", "G7") == (1, 2)
    assert g.sides_hit("E7", "E4") == (0,)


@pytest.mark.rule("aslsk:3.2.1.declare")
def test_the_thread_is_not_shown_before_declaring_unless_agreed():
    from engine.aslsk import TITLE

    strict = Table("{lati: [american, german], unità: {a: us-666 A1}}").state
    free = Table("{lati: [american, german], unità: {a: us-666 A1}, opzioni: {los: libera}}").state
    g = strict.ground
    assert TITLE.sight(strict, g.hex["A1"], g.hex["A4"]).clear is None
    assert TITLE.sight(free, g.hex["A1"], g.hex["A4"]).clear is True


@pytest.mark.rule("aslsk:2.0.stacking")
def test_who_stands_where_does_not_depend_on_what_another_thread_asks():
    here = Table("{lati: [american, german], unità: {a: us-666 A1, x: ge-467 D7}}").state
    there = Table("{lati: [american, german], unità: {a: us-666 B2, x: ge-467 D7}}").state
    before = stacks(here)
    assert [unit.id for unit in units_at(here, "A1")] == ["a"]
    other = threading.Thread(target=units_at, args=(there, "B2"))
    other.start()
    other.join()
    assert stacks(here) is before
