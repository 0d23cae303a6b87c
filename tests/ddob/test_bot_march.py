"""The ways to the exits as the player of the Americans reads them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.ddob.bot.march import STORM, corridor, cutters, marches, near_exits, way_to_beach
from engine.ddob.state.ground import BASE, EXIT_AT, NEIGHBOURS
from engine.ddob.state.tables import DOTS


@pytest.mark.rule("ddob:17.1")
def test_a_march_goes_around_germans_or_takes_the_time_to_storm_them():
    free = marches("2015", ())
    assert free["2015"] == 0
    held = marches("0635", (("0635", False, False),))
    assert held["0634"] == marches("0635", ())["0634"] + STORM
    barred = marches("2015", (("1916", False, False),))
    assert free["1916"] < barred["1916"]
    assert free["1814"] <= barred["1814"] < free["1814"] + STORM


def test_two_exits_are_near_the_beach_and_their_ways_begin_there():
    assert sorted(EXIT_AT[label] for label in near_exits()) == ["A", "G"]
    for label in near_exits():
        way = corridor(label)
        assert label in way
        assert any(BASE[h] == "beach" for h in way)
        assert all(any(n in way for n in NEIGHBOURS[h]) for h in way)


@pytest.mark.rule("ddob:12.3")
def test_a_way_to_the_beach_avoids_fire_and_steep_sides():
    way = way_to_beach("0635", set())
    assert (way[-1], BASE[way[0]]) == ("0635", "beach")
    assert all(b in NEIGHBOURS[a] for a, b in pairwise(way))
    assert way_to_beach("0635", {"0635"}) == []
    detour = way_to_beach("1001", set(way_to_beach("1001", set())[1:-1]))
    assert detour != way_to_beach("1001", set())


@pytest.mark.rule("ddob:12.31")
def test_positions_that_would_cut_off_an_exit_are_known_while_it_is_free():
    assert cutters("0635", ()) == ("0635", "0834", "0434")
    assert "0635" in DOTS["G4"]
    assert cutters("0635", (("0434", False, False),)) == ()
