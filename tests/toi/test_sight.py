"""Line of sight (visuale.*): every rule, every worked example, and what must always hold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.hexes import distance
from engine.toi.rules.sight import explain, sees, trace
from engine.toi.state import tables

NAMES = ("A1", "B2", "C3", "C5", "C7", "C9", "D5", "E5", "F3", "F5", "G4", "G5", "H5", "I5", "M8")


def field(**terrain):
    """An open field with other terrain: field(E5="woods", D5="open 1")."""
    return tables.board("prato", tuple(terrain.items()))


def refs(seen):
    return [ref.removeprefix("toi:") for ruling in seen.rulings for ref in ruling.refs]


def assert_clear(board, a, b, *because, smoke=(), fog=0):
    for start, end in ((a, b), (b, a)):
        seen = trace(board, start, end, smoke, fog)
        assert seen.clear, refs(seen)
        assert seen.blocked_by == ""
        assert sees(board, start, end, smoke, fog)
        assert set(because) <= set(refs(seen)), refs(seen)


def assert_blocked(board, a, b, *because, by=None, smoke=(), fog=0):
    for start, end in ((a, b), (b, a)):
        seen = trace(board, start, end, smoke, fog)
        assert not seen.clear, refs(seen)
        assert not sees(board, start, end, smoke, fog)
        assert {"visuale.necessaria", *because} <= set(refs(seen)), refs(seen)
        if by is not None:
            assert seen.blocked_by == by


# Same level


@pytest.mark.rule("toi:visuale.stesso-livello", "toi:visuale.bloccanti", "toi:visuale.necessaria")
@pytest.mark.parametrize("terrain", ["woods", "building"])
def test_blocking_terrain_between_blocks(terrain):
    board = field(E5=terrain)
    assert_blocked(board, "C5", "G5", "visuale.stesso-livello", "visuale.bloccanti", by="E5")


@pytest.mark.rule("toi:visuale.stesso-livello")
def test_nothing_between_is_clear():
    assert_clear(field(), "C5", "G5", "visuale.stesso-livello")


@pytest.mark.rule("toi:visuale.bloccanti", "toi:terreno.lettura")
@pytest.mark.parametrize(
    "terrain", ["open", "rough", "ford", "flooded river", "deep river", "lake", "bridge"]
)
def test_other_terrain_does_not_block(terrain):
    assert_clear(field(E5=terrain), "C5", "G5")


@pytest.mark.rule("toi:visuale.bloccanti")
def test_the_fact_names_the_terrain():
    ruling = next(
        r for r in trace(field(E5="woods"), "C5", "G5").rulings if "terrain" in r.msg.facts
    )
    assert ruling.msg.facts == {"hex": "E5", "terrain": "woods"}


@pytest.mark.rule("toi:visuale.esagono-intero")
def test_a_line_that_only_cuts_a_corner_of_the_woods_is_blocked():
    board = field(E4="woods")
    assert trace(board, "C5", "G4").hexes[1:-1].count("E4") == 1
    assert_blocked(board, "C5", "G4", "visuale.esagono-intero", by="E4")


@pytest.mark.rule("toi:visuale.esagono-intero")
def test_a_line_through_the_centre_needs_no_such_explanation():
    assert "visuale.esagono-intero" not in refs(trace(field(E5="woods"), "C5", "G5"))


@pytest.mark.rule("toi:visuale.proprio-esagono")
@pytest.mark.parametrize("terrain", ["woods", "building"])
def test_the_terrain_of_the_two_ends_does_not_block(terrain):
    board = field(C5=terrain, G5=terrain)
    assert_clear(board, "C5", "G5", "visuale.proprio-esagono")
    assert_blocked(field(C5=terrain, E5=terrain, G5=terrain), "C5", "G5", by="E5")


@pytest.mark.rule("toi:visuale.proprio-esagono", "toi:casa.45")
def test_units_in_the_same_hex_see_each_other():
    assert_clear(field(C5="woods"), "C5", "C5", "visuale.proprio-esagono", "casa.45")


@pytest.mark.rule("toi:visuale.fumo", "toi:fumo.blocca")
def test_smoke_between_blocks():
    assert_blocked(field(), "C5", "G5", "visuale.fumo", by="E5", smoke=("E5",))


@pytest.mark.rule("toi:visuale.fumo", "toi:visuale.proprio-esagono")
@pytest.mark.parametrize("smoke", ["C5", "G5"])
def test_smoke_at_an_end_does_not_block(smoke):
    assert_clear(field(), "C5", "G5", "visuale.proprio-esagono", smoke=(smoke,))


@pytest.mark.rule("toi:visuale.fumo")
def test_smoke_off_the_line_changes_nothing():
    assert trace(field(), "C5", "G5", smoke=("E7", "M2")) == trace(field(), "C5", "G5")


@pytest.mark.rule("toi:visuale.fumo")
def test_smoke_that_is_gone_no_longer_blocks():
    board = field()
    assert not sees(board, "C5", "G5", ("E5",))
    assert sees(board, "C5", "G5")


@pytest.mark.rule("toi:visuale.unita")
def test_units_never_block():
    board = field()
    sight = explain(board, board.hex_at("C5"), board.hex_at("G5"), units=("E5", "C5", "M8"))
    assert sight.clear
    assert "toi:visuale.unita" in sight.rulings[-1].refs
    assert sight.rulings[-1].msg.facts == {"hexes": ("E5",)}


# Along hexsides


@pytest.mark.rule("toi:visuale.bordo")
@pytest.mark.parametrize("woods", ["B6", "C6"])
def test_one_free_side_of_a_hexside_is_enough(woods):
    assert_clear(field(**{woods: "woods"}), "C5", "C7", "visuale.bordo")


@pytest.mark.rule("toi:visuale.bordo")
def test_woods_on_both_sides_of_a_hexside_block():
    board = field(B6="woods", C6="woods")
    assert_blocked(board, "C5", "C7", "visuale.bordo", "visuale.bloccanti")


@pytest.mark.rule("toi:visuale.bordo", "toi:casa.04")
def test_each_parallel_is_judged_from_end_to_end():
    board = field(C6="woods", B8="woods")
    assert_blocked(board, "C5", "C9", "visuale.bordo", "casa.04")
    assert_clear(field(B6="woods", B8="woods"), "C5", "C9", "visuale.bordo", "casa.04")


@pytest.mark.rule("toi:visuale.bordo")
def test_a_hex_crossed_by_both_parallels_blocks_alone():
    assert_blocked(field(C7="woods"), "C5", "C9", "visuale.bordo", by="C7")


@pytest.mark.rule("toi:visuale.bordo", "toi:casa.04")
def test_a_line_through_a_vertex_is_treated_alike():
    assert_clear(field(F3="woods"), "C3", "G4", "casa.04")
    assert_blocked(field(F3="woods", D4="woods"), "C3", "G4", "casa.04")
    assert_blocked(field(E3="woods"), "C3", "G4")


@pytest.mark.rule("toi:visuale.bordo", "toi:visuale.fumo")
def test_smoke_and_woods_on_the_two_sides_block_together():
    assert_blocked(field(B6="woods"), "C5", "C7", "visuale.fumo", smoke=("C6",))


@pytest.mark.rule("toi:movimento.mezzi-esagoni")
def test_no_parallel_runs_through_the_half_hexes_of_the_edge():
    assert_clear(field(), "A1", "A3")
    board = field(A2="woods")
    assert_blocked(board, "A1", "A3", "movimento.mezzi-esagoni", "visuale.bloccanti", by="A2")


# Levels


@pytest.mark.rule("toi:visuale.quota", "toi:visuale.bloccanti", "toi:terreno.montagna")
def test_a_hill_between_units_of_the_plain_blocks():
    assert_blocked(field(E5="open 1"), "C5", "G5", "visuale.quota", by="E5")


@pytest.mark.rule("toi:visuale.quota")
@pytest.mark.parametrize("level", [0, 1])
def test_ground_at_the_same_level_or_below_does_not_block(level):
    board = field(C5="open 1", E5=f"open {level}", G5="open 1")
    assert_clear(board, "C5", "G5", "visuale.stesso-livello")


@pytest.mark.rule("toi:visuale.quota")
def test_a_hex_higher_than_both_units_of_different_levels_blocks():
    board = field(C5="open 1", E5="open 2")
    assert_blocked(board, "C5", "G5", "visuale.livelli-diversi", "visuale.quota", by="E5")


@pytest.mark.rule("toi:visuale.bloccanti", "toi:casa.05")
def test_woods_in_the_valley_block_between_two_hills():
    board = field(C5="open 1", E5="woods", G5="open 1")
    assert_blocked(board, "C5", "G5", "visuale.bloccanti", by="E5")


@pytest.mark.rule("toi:visuale.livelli-diversi")
def test_different_levels_without_obstacle_see_each_other():
    assert_clear(field(C5="open 1"), "C5", "G5", "visuale.livelli-diversi")


@pytest.mark.rule("toi:visuale.ciechi-2", "toi:visuale.ostacolo-vicino", "toi:casa.46")
@pytest.mark.parametrize(("target", "clear"), [("F5", False), ("G5", False), ("H5", True)])
def test_one_level_of_difference_leaves_two_blind_hexes(target, clear):
    board = field(C5="open 1", E5="woods")
    check = assert_clear if clear else assert_blocked
    check(board, "C5", target, "visuale.ostacolo-vicino", "visuale.ciechi-2", "casa.46")


@pytest.mark.rule("toi:visuale.ciechi-1", "toi:visuale.ostacolo-vicino", "toi:casa.46")
@pytest.mark.parametrize(("target", "clear"), [("F5", False), ("G5", True), ("H5", True)])
def test_two_levels_of_difference_leave_one_blind_hex(target, clear):
    board = field(C5="open 2", E5="woods")
    check = assert_clear if clear else assert_blocked
    check(board, "C5", target, "visuale.ostacolo-vicino", "visuale.ciechi-1", "casa.46")


@pytest.mark.rule("toi:visuale.ciechi-2", "toi:visuale.ciechi-1", "toi:visuale.livelli-diversi")
def test_the_difference_counts_not_the_height():
    board = field(C5="open 2", E5="woods 1", F5="open 1", G5="open 1", H5="open 1")
    assert_blocked(board, "C5", "G5", "visuale.ciechi-2", by="E5")
    assert_clear(board, "C5", "H5", "visuale.ciechi-2")


@pytest.mark.rule("toi:visuale.ostacolo-vicino")
def test_only_the_obstacle_nearest_to_the_lower_unit_counts():
    board = field(C5="open 1", E5="woods", H5="woods")
    assert_blocked(board, "C5", "I5", "visuale.ostacolo-vicino", by="H5")
    assert_clear(field(C5="open 1", E5="woods", F5="woods"), "C5", "I5", "visuale.ciechi-2")


@pytest.mark.rule("toi:visuale.ostacolo-vicino", "toi:visuale.bordo")
def test_each_parallel_has_its_own_nearest_obstacle():
    assert_clear(field(C5="open 1", B8="woods"), "C5", "C9", "visuale.bordo")
    assert_blocked(field(C5="open 1", B8="woods", C8="woods"), "C5", "C9", "visuale.ciechi-2")


@pytest.mark.rule("toi:visuale.fumo", "toi:visuale.ciechi-2")
def test_smoke_is_an_obstacle_between_levels():
    board = field(C5="open 1")
    assert_blocked(board, "C5", "G5", "visuale.fumo", "visuale.ciechi-2", by="E5", smoke=("E5",))
    assert_clear(board, "C5", "H5", "visuale.fumo", "visuale.ciechi-2", smoke=("E5",))


@pytest.mark.rule("toi:visuale.collina-ostacolo", "toi:casa.05")
def test_a_hill_is_an_obstacle_between_levels():
    board = field(C5="open 1", F5="open 1")
    assert_blocked(board, "C5", "H5", "visuale.collina-ostacolo", "casa.05", by="F5")
    assert_clear(board, "C5", "I5", "visuale.collina-ostacolo", "visuale.ciechi-2")


@pytest.mark.rule("toi:visuale.collina-ostacolo", "toi:casa.05")
def test_ground_at_the_level_of_the_lower_unit_is_no_obstacle():
    board = field(C5="open 2", E5="open 1", F5="open 1", G5="open 1")
    assert_clear(board, "C5", "G5", "visuale.livelli-diversi")
    assert "visuale.ostacolo-vicino" not in refs(trace(board, "C5", "G5"))


@pytest.mark.rule("toi:visuale.adiacenti", "toi:casa.15")
def test_adjacent_units_see_each_other_over_a_cliff():
    assert_clear(field(D5="woods 2"), "C5", "D5", "visuale.adiacenti", "casa.15")
    assert "casa.15" not in refs(trace(field(D5="open 1"), "C5", "D5"))


@pytest.mark.rule("toi:visuale.adiacenti")
def test_smoke_does_not_part_adjacent_units():
    assert_clear(field(), "C5", "D5", "visuale.adiacenti", smoke=("C5", "D5"))


@pytest.mark.rule("toi:visuale.plateau")
def test_a_plateau_in_front_hides_what_is_below():
    board = field(C5="open 1", D5="open 1")
    assert_blocked(board, "C5", "G5", "visuale.plateau", by="D5")
    assert_clear(board, "D5", "G5")


@pytest.mark.rule("toi:visuale.plateau")
def test_units_on_the_same_plateau_see_each_other():
    board = field(C5="open 1", D5="open 1", E5="open 1")
    assert_clear(board, "C5", "E5", "visuale.stesso-livello")


@pytest.mark.rule("toi:visuale.plateau")
def test_a_lower_step_in_front_is_no_plateau():
    board = field(C5="open 2", D5="open 1")
    assert_clear(board, "C5", "G5", "visuale.collina-ostacolo", "visuale.ciechi-1")


@pytest.mark.rule("toi:visuale.plateau", "toi:visuale.bordo")
def test_the_plateau_is_judged_for_each_parallel():
    assert_clear(field(C5="open 1", C6="open 1"), "C5", "C9", "visuale.bordo")
    board = field(C5="open 1", C6="open 1", B6="open 1")
    assert_blocked(board, "C5", "C9", "visuale.plateau", "visuale.bordo")


@pytest.mark.rule("toi:operazioni.comuni")
def test_fog_ends_all_sight_beyond_six_hexes():
    limit = tables.OPERATIONS["op-07"].n
    board = field()
    assert_clear(board, "C5", "I5", fog=limit)
    assert_blocked(board, "C5", "J5", "operazioni.comuni", by="", fog=limit)
    assert_clear(board, "C5", "J5")


# The examples of the book, on our coordinates


@pytest.mark.rule("toi:visuale.stesso-livello", "toi:visuale.bordo", "toi:visuale.quota")
@pytest.mark.parametrize(
    ("terrain", "a", "b", "clear"),
    [
        ({"E5": "woods"}, "C5", "G5", False),
        ({}, "C5", "G5", True),
        ({"B6": "woods"}, "C5", "C7", True),
        ({"E5": "open 1"}, "C5", "G5", False),
        ({"B6": "woods", "C6": "woods"}, "C5", "C7", False),
        ({"C6": "woods", "B8": "woods"}, "C5", "C9", False),
        ({"C5": "open 1", "G5": "open 1", "E5": "open 1"}, "C5", "G5", True),
        ({"F3": "woods"}, "C3", "G4", True),
        ({"F3": "woods", "D4": "woods"}, "C3", "G4", False),
        ({"E3": "woods"}, "C3", "G4", False),
    ],
)
def test_examples_at_the_same_level(terrain, a, b, clear):
    (assert_clear if clear else assert_blocked)(field(**terrain), a, b)


@pytest.mark.rule("toi:visuale.plateau", "toi:visuale.ciechi-2", "toi:visuale.ciechi-1")
@pytest.mark.parametrize(
    ("terrain", "a", "b", "clear"),
    [
        ({"C5": "open 1", "D5": "open 1"}, "C5", "G5", False),
        ({"C5": "open 1", "B8": "woods"}, "C5", "C9", True),
        ({"C5": "open 1", "B8": "woods", "C8": "woods"}, "C5", "C9", False),
        ({"C5": "open 1", "F5": "open 1"}, "C5", "H5", False),
        ({"C5": "open 1", "F5": "open 1"}, "C5", "G5", False),
        ({"C5": "open 2", "F5": "open 1"}, "C5", "H5", True),
        ({"C5": "open 2", "F5": "open 1"}, "C5", "G5", False),
        ({"C5": "open 1", "F5": "open 1"}, "C5", "I5", True),
        ({"D5": "open 2"}, "C5", "D5", True),
        ({"C5": "open 1", "E5": "open 2"}, "C5", "G5", False),
    ],
)
def test_examples_at_different_levels(terrain, a, b, clear):
    (assert_clear if clear else assert_blocked)(field(**terrain), a, b)


# What always holds

terrains = st.sampled_from(["open", "open 1", "open 2", "woods", "woods 1", "building", "rough"])
grounds = st.dictionaries(st.sampled_from(NAMES), terrains, max_size=6)
labels = st.sampled_from([tables.board("prato").label(h) for h in tables.board("prato").hexes()])
smokes = st.lists(st.sampled_from(NAMES), max_size=3, unique=True).map(tuple)


@pytest.mark.rule("toi:visuale.necessaria")
@settings(max_examples=150, deadline=None)
@given(grounds, labels, labels, smokes)
def test_sight_is_mutual_and_explained(ground, a, b, smoke):
    board = field(**ground)
    there, back = trace(board, a, b, smoke), trace(board, b, a, smoke)
    assert there.clear == back.clear == sees(board, a, b, smoke) == sees(board, b, a, smoke)
    assert there.rulings
    assert there.hexes[0] == a
    assert there.hexes[-1] == b
    assert (there.blocked_by in there.hexes[1:-1]) == (not there.clear)


@pytest.mark.rule("toi:visuale.fumo")
@settings(max_examples=100, deadline=None)
@given(grounds, labels, labels, smokes)
def test_smoke_never_opens_a_line(ground, a, b, smoke):
    board = field(**ground)
    assert sees(board, a, b) or not sees(board, a, b, smoke)


@pytest.mark.rule("toi:visuale.adiacenti")
@pytest.mark.parametrize("name", tables.map_ids())
def test_every_hex_sees_its_neighbours(name):
    board = tables.board(name)
    for a in board.hexes()[::3]:
        for b in board.hexes():
            if distance(a, b) <= 1:
                assert sees(board, board.label(a), board.label(b))


@pytest.mark.rule("toi:visuale.necessaria")
def test_a_sight_for_the_screen_names_hexes():
    board = field(E5="woods")
    a, b, e5 = (board.hex_at(label) for label in ("C5", "G5", "E5"))
    sight = explain(board, a, b)
    assert (sight.a, sight.b, sight.clear, sight.blocked_by) == (a, b, False, e5)
    assert sight.hexes[0] == a
    assert sight.hexes[-1] == b
    assert e5 in sight.hexes
    assert explain(field(), a, b).blocked_by is None
