"""Terrain, hills, hedges and LOS: each rule, where it stops, its exception (1.1.1, 3.2.1)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from engine.aslsk.rules.sight import los
from engine.aslsk.rules.terrain import cover, infantry_cost, is_exposed
from engine.aslsk.state.ground import ground
from tests.aslsk.table import ON_IFT, Table

HEDGES = "mappa: ex-siepi\ndata: 1944-07\n"
HILL = "mappa: ex-collina\ndata: 1943-07\n"


def finals(run: Table) -> list[int]:
    """The final DR of every IFT attack."""
    return [int(str(f["dr"])) for f in run.told(ON_IFT, "dr", "result")]


# Orchards


@pytest.mark.rule("aslsk:1.1.1.orchard.season")
@pytest.mark.parametrize(("month", "sees"), [(4, False), (10, False), (11, True), (3, True)])
def test_an_orchard_between_two_levels_stops_the_los_while_it_has_leaves(month, sees):
    g = ground("ex-frutteti", month)
    for hex in ("W2", "X2"):
        found = g.los("W4", hex)
        assert (found.blocked is None) == sees
        assert (("W3", "1.1.1.orchard.season") in found.hindrance) == sees


@pytest.mark.rule("aslsk:1.1.1.orchard.season")
def test_who_stands_in_the_orchard_is_seen_all_the_year_without_hindrance():
    for month in (1, 6):
        found = ground("ex-frutteti", month).los("W4", "W3")
        assert (found.blocked, found.hindrance) == (None, ())


@pytest.mark.rule("aslsk:1.1.1.orchard", "aslsk:3.2.1.hindrance")
def test_two_orchards_apart_count_two_and_a_pair_on_a_hexside_one():
    g = ground("ex-siepi", 7)
    assert g.los("B2", "F4").hindrance == (("C3", "1.1.1.orchard"), ("E4", "1.1.1.orchard"))
    assert len(g.los("C6", "D7").hindrance) == 1


# Hills


@pytest.mark.rule("aslsk:1.1.1.hills", "aslsk:1.1.1.grain")
def test_grain_hinders_on_one_level_and_not_between_two():
    g = ground("ex-collina", 7)
    assert ("F8", "1.1.1.grain") in g.los("E9", "G8").hindrance
    assert g.los("E9", "J7").hindrance == ()
    assert ground("ex-collina", 11).los("E9", "G8").hindrance == ()


@pytest.mark.rule("aslsk:1.1.1.hills.crest", "aslsk:1.1.1.buildings")
@pytest.mark.parametrize(("a", "b", "halves"), [("H7", "I7", 4), ("H7", "G7", 8), ("I6", "I7", 2), ("I7", "H7", 2), ("H6", "G7", 4)])  # fmt: skip
def test_only_climbing_across_the_crest_doubles_the_cost(a, b, halves):
    assert infantry_cost(ground("ex-collina", 7), a, b, True) == halves


@pytest.mark.rule("aslsk:1.1.1.hills.height_advantage")
def test_height_covers_from_below_not_from_the_same_level_nor_from_mortars():
    state = Table(
        HILL
        + "lati: [german, american]\nfase: PFPh\nunità: {a: ge-467 E9, b: us-666 J7, c: us-536 G7}"
    ).state
    high, house = state.units["b"], state.units["c"]
    assert cover(state, high, "E9").ruling.refs == ("aslsk:1.1.1.hills.height_advantage",)
    assert cover(state, high, "I6") is None
    assert cover(state, high, "E9", "mortar") is None
    assert (cover(state, house, "E9").value, cover(state, house, "E9").ruling.refs) == (
        2,
        ("aslsk:1.1.1.buildings", "aslsk:casa.40"),
    )


@pytest.mark.rule("aslsk:1.1.1.hills.height_advantage", "aslsk:3.3.3.ffmo")
@pytest.mark.parametrize(("unit", "total"), [("c", -2), ("d", 0)])
def test_crossing_the_crest_in_sight_loses_the_advantage_for_the_mph(unit, total):
    run = Table(
        HILL + "lati: [american, german]\nfase: MPh\nunità: {c: us-666 H7, d: us-666 I6, a: ge-467 E9}",
        f"u:{unit}", "b:normale", "h:I7", "u:a",
        dice=[(5, 6)],
    )  # fmt: skip
    assert finals(run) == [11 + total]
    assert ("1.1.1.hills.height_advantage" in run.cited) == (unit == "d")
    assert ("3.3.3.ffmo" in run.cited) == (unit == "c")


@pytest.mark.rule("aslsk:3.2.1.levels")
def test_the_los_crosses_only_the_crest_that_leaves_the_higher_hex():
    g = ground("ex-collina", 7)
    assert g.los("E9", "I7").blocked is None
    assert g.los("E9", "I6").blocked.ref == g.los("I6", "E9").blocked.ref == "3.2.1.levels"


# Hedges


@pytest.mark.rule("aslsk:1.1.1.hedges.move")
@pytest.mark.parametrize(("b", "halves"), [("D5", 4), ("E6", 5), ("D7", 2), ("E7", 2)])
def test_a_hedge_adds_one_mf_to_the_terrain(b, halves):
    assert infantry_cost(ground("ex-siepi", 7), "D6", b, True) == halves


@pytest.mark.rule("aslsk:1.1.1.hedges.los")
def test_a_hedge_is_seen_across_at_one_end_and_not_beyond():
    g = ground("ex-siepi", 7)
    assert g.los("B2", "F4").blocked is None
    assert g.los("B2", "G5").blocked.ref == "1.1.1.hedges.los"


@pytest.mark.rule("aslsk:1.1.1.hedges.los")
def test_a_hedge_along_the_los_stops_it_only_with_three_hedges_at_its_far_end():
    g = ground("ex-siepi", 7)
    assert ("A4", "B4") in g.hedges
    assert g.los("A5", "B3").blocked is None
    assert ("B2", "C2") in g.hedges
    assert g.los("B1", "C3").blocked is None
    assert g.los("B1", "E6").blocked.ref == "1.1.1.hedges.los"


@pytest.mark.rule("aslsk:1.1.1.hedges.tem")
def test_a_hedge_covers_across_its_hexside_and_along_its_hexspine():
    state = Table(
        HEDGES
        + "lati: [american, german]\nfase: PFPh\nunità: {d: ge-467 B3, e: ge-467 A5, x: us-666 D1}"
    ).state
    along, behind = state.units["d"], state.units["e"]
    assert cover(state, along, "A5").ruling.refs == ("aslsk:1.1.1.hedges.tem",)
    assert cover(state, behind, "D6").ruling.refs == ("aslsk:1.1.1.hedges.tem",)
    assert cover(state, along, "D2") is None
    assert cover(state, behind, "A7") is None


@pytest.mark.rule("aslsk:1.1.1.hedges.tem", "aslsk:3.3.3.ffmo")
def test_mortars_and_charges_ignore_the_hedge_but_it_still_denies_them_ffmo():
    state = Table(
        HEDGES + "lati: [american, german]\nfase: PFPh\nunità: {e: ge-467 A5, x: us-666 D1}"
    ).state
    unit = state.units["e"]
    for how in ("mortar", "charge"):
        assert cover(state, unit, "D6", how) is None
    assert not is_exposed(state, unit, "D6", "mortar")
    assert not is_exposed(state, unit, "D6")
    assert is_exposed(state, unit, "A7", "mortar")


@pytest.mark.rule("aslsk:1.1.1.hedges.tem")
def test_a_hedge_covers_from_a_higher_level_too():
    state = Table("lati: [german, russian]\nfase: PFPh\nunità: {a: ge-467 B6, x: ru-447 K2}").state
    assert state.ground.level["K2"] > state.ground.level["B6"]
    assert cover(state, state.units["a"], "K2").ruling.refs == ("aslsk:1.1.1.hedges.tem",)


@pytest.mark.rule("aslsk:1.1.1.hedges.tem", "aslsk:casa.40")
def test_a_hedge_and_a_wreck_do_not_add_up():
    base = HEDGES + "lati: [american, german]\nfase: PFPh\nunità: {x: ge-467 A5, a: us-666 D6}\n"
    both = Table(base + "veicoli: {w: ge-iif A5 wreck}").state
    assert cover(both, both.units["x"], "D6").value == 1
    assert cover(both, both.units["x"], "A7").ruling.refs == ("aslsk:7.4",)


@pytest.mark.rule("aslsk:1.1.1.hedges.advantage")
@pytest.mark.parametrize(("owner", "tem"), [("american", None), ("german", 1)])
def test_across_a_shared_hedge_only_its_owner_is_covered(owner, tem):
    state = Table(
        HEDGES
        + f"lati: [american, german]\nfase: PFPh\nunità: {{f: us-666 D6, g: us-666 D7, a: ge-467 C6}}\nsiepi: {{C6-D6: {owner}}}"
    ).state
    found = cover(state, state.units["a"], "D6")
    assert (found.value if found else None) == tem
    assert cover(state, state.units["a"], "D7").ruling.refs == ("aslsk:1.1.1.hedges.tem",)


@pytest.mark.rule("aslsk:1.1.1.hedges.advantage")
def test_the_advantage_is_not_stolen_while_its_owner_is_in_good_order():
    run = Table(
        HEDGES + "lati: [german, american]\nfase: MPh\nunità: {e: ge-467 B5, f: us-666 D6}\nsiepi: {C6-D6: american}",
        "u:e", "b:normale", "h:C6", "b:passa",
    )  # fmt: skip
    assert run.state.hedge["C6-D6"] == "american"


@pytest.mark.rule("aslsk:1.1.1.hedges.advantage")
def test_the_advantage_passes_when_its_owner_leaves():
    run = Table(
        HEDGES + "lati: [american, german]\nfase: MPh\nunità: {f: us-666 D6, a: ge-467 C6 pinned}\nsiepi: {C6-D6: american}",
        "u:f", "b:normale", "h:D7", "b:passa",
    )  # fmt: skip
    assert run.state.hedge["C6-D6"] == "german"
    assert "1.1.1.hedges.advantage" in run.cited


# LOS


@pytest.mark.rule("aslsk:3.2.1", "aslsk:1.1.1.woods_road", "aslsk:1.1.1.buildings")
def test_the_thread_follows_the_road_through_woods_and_not_a_house():
    g = ground("ex-vista", 7)
    assert g.los("I2", "F3").blocked is None
    assert g.los("I2", "J5").hindrance == (("J4", "1.1.1.orchard"),)
    assert g.los("I2", "K4").blocked.ref == "1.1.1.buildings"


@pytest.mark.rule("aslsk:3.2.1", "aslsk:1.1.1.buildings")
def test_where_los_may_be_checked_a_refusal_names_what_stops_it():
    base = "mappa: ex-vista\nlati: [german, russian]\nfase: PFPh\nunità: {a: ge-467 I2, x: ru-447 F3, z: ru-447 K4}\n"
    run = Table(base + "opzioni: {los: libera}", "u:a")
    assert run.options == {"h:F3"}
    assert {"3.2.1", "1.1.1.buildings"} <= run.why_not("h:K4")
    assert Table(base, "u:a").options == {"h:F3", "h:K4"}


@pytest.mark.rule("aslsk:3.2.1.declare", "aslsk:4.1.breakdown")
def test_an_attack_without_los_is_lost_but_the_machine_gun_may_still_jam():
    base = "mappa: ex-vista\nlati: [german, russian]\nfase: PFPh\nunità: {a: ge-467 I2, z: ru-447 K4}\narmi: {m: ge-mmg a}"
    for dice, jams in (((6, 6), True), ((5, 6), False)):
        run = Table(base, "u:m", "h:K4", "b:fuoco", dice=[dice])
        assert run.state.weapons["m"].broken == jams
        assert run.state.weapons["m"].fire == "Prep Fire"
        assert "3.2.1.declare" in run.cited
        assert finals(run) == []


@pytest.mark.rule("aslsk:3.2.1.hindrance")
def test_smoke_and_orchards_together_hide_at_six():
    base = HEDGES + "lati: [german, american]\nfase: PFPh\nunità: {b: ge-467 B2, h: us-666 F4}\n"
    assert los(Table(base + "fumo: {D3: 3}").state, "B2", "F4").drm == 5
    assert los(Table(base + "fumo: {D3: 3, F4: 1}").state, "B2", "F4").blocked.refs == (
        "aslsk:3.2.1.hindrance",
    )
