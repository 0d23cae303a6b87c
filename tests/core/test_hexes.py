"""Hexes, exact lines and printed labels."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import hexes
from engine.core.hexes import (
    DIRECTIONS,
    BadLabel,
    Grid,
    Hex,
    add,
    direction,
    disk,
    distance,
    edge,
    line,
    neighbours,
    ring,
)

TOI = Grid(13, 11)
DDOB = Grid(36, 20, scheme="RRCC", short=True, first_row="bottom", north="bottom")
ASLSK = Grid(17, 10, orientation="flat", short=True)
WARFARE = Grid(14, 10)
REAL_GRIDS = {"toi": TOI, "ddob": DDOB, "aslsk": ASLSK, "warfare": WARFARE}

some_hex = st.builds(Hex, st.integers(-15, 15), st.integers(-15, 15))
near_hex = st.builds(Hex, st.integers(-6, 6), st.integers(-6, 6))


def labels(grid, hexes):
    return [grid.label(h) for h in hexes]


def rotate(h, steps=1):
    """The displacement `h` turned clockwise by sixths of a circle."""
    q, r = h
    for _ in range(steps % 6):
        q, r = -r, q + r
    return Hex(q, r)


# --- plain hexes


@given(some_hex, some_hex, some_hex)
def test_distance_is_a_metric(a, b, c):
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, b) == distance(b, a)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@given(some_hex)
def test_neighbours_are_the_hexes_at_distance_one(h):
    near = {Hex(h.q + q, h.r + r) for q in range(-2, 3) for r in range(-2, 3)}
    assert set(neighbours(h)) == {other for other in near if distance(h, other) == 1}
    assert len(neighbours(h)) == 6


def test_directions_turn_clockwise():
    for before, after in pairwise((*DIRECTIONS, DIRECTIONS[0])):
        assert rotate(before) == after
        assert distance(before, after) == 1


@given(some_hex, st.integers(0, 5), st.integers(1, 8))
def test_direction_is_known_along_a_hex_row(h, d, steps):
    there = Hex(h.q + DIRECTIONS[d].q * steps, h.r + DIRECTIONS[d].r * steps)
    assert direction(h, there) == d


def test_direction_is_none_off_the_hex_rows_and_on_the_spot():
    assert direction(Hex(0, 0), Hex(1, 1)) is None
    assert direction(Hex(0, 0), Hex(3, -1)) is None
    assert direction(Hex(2, 2), Hex(2, 2)) is None


@given(some_hex, st.integers(0, 5))
def test_rings_and_disks_hold_what_distance_says(h, n):
    around = [Hex(h.q + q, h.r + r) for q in range(-n, n + 1) for r in range(-n, n + 1)]
    assert set(ring(h, n)) == {other for other in around if distance(h, other) == n}
    assert set(disk(h, n)) == {other for other in around if distance(h, other) <= n}
    assert len(set(ring(h, n))) == len(ring(h, n)) == max(1, 6 * n)
    assert len(disk(h, n)) == 1 + 3 * n * (n + 1)
    assert [distance(h, other) for other in disk(h, n)] == sorted(
        distance(h, other) for other in disk(h, n)
    )


@given(some_hex, st.integers(1, 5))
def test_a_ring_goes_round_step_by_step(h, n):
    walk = ring(h, n)
    assert all(distance(a, b) == 1 for a, b in pairwise((*walk, walk[0])))


def test_a_hexside_is_the_same_from_both_sides():
    a, b = Hex(3, 2), Hex(2, 3)
    assert edge(a, b) == edge(b, a) == (b, a)


def test_hexes_that_do_not_touch_share_no_hexside():
    with pytest.raises(ValueError, match="no hexside"):
        edge(Hex(0, 0), Hex(1, 1))
    with pytest.raises(ValueError, match="no hexside"):
        edge(Hex(0, 0), Hex(0, 0))


def test_a_hex_travels_as_an_array():
    assert msgspec.json.encode(Hex(3, -1)) == b"[3,-1]"
    assert msgspec.json.decode(b"[3,-1]", type=Hex) == Hex(3, -1)


# --- straight lines against brute force
#
# Independent model: centre at (2q+r, 3r), hex = |dx| <= 1 and |dx|+|dy| <= 2, exact fractions.

CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
HALF_PLANES = ((1, 0, 1), (-1, 0, 1), (1, 1, 2), (1, -1, 2), (-1, 1, 2), (-1, -1, 2))


def centre(h):
    return 2 * h.q + h.r, 3 * h.r


def clip(start, end, h):
    """The part of the segment in the closed hex: (first, last, is_inside), or None."""
    first, last, is_inside = Fraction(0), Fraction(1), True
    x0, y0 = start[0] - centre(h)[0], start[1] - centre(h)[1]
    dx, dy = end[0] - start[0], end[1] - start[1]
    for nx, ny, limit in HALF_PLANES:
        room, speed = limit - nx * x0 - ny * y0, nx * dx + ny * dy
        if speed == 0:
            if room < 0:
                return None
            is_inside = is_inside and room > 0
        elif speed > 0:
            last = min(last, Fraction(room) / speed)
        else:
            first = max(first, Fraction(room) / speed)
    return (first, last, is_inside) if first <= last else None


def around(a, b):
    reach = distance(a, b) + 2
    return [h for h in disk(a, reach) if distance(a, h) + distance(h, b) <= reach]


def brute_contacts(a, b, shift=(0, 0)):
    """Hex -> (first, last, is_inside) for every hex met by the segment, ends excluded."""
    start = centre(a)[0] + shift[0], centre(a)[1] + shift[1]
    end = centre(b)[0] + shift[0], centre(b)[1] + shift[1]
    found = {h: clip(start, end, h) for h in around(a, b)}
    return {h: part for h, part in found.items() if part and h not in (a, b)}


def brute_parallel(a, b, side):
    """The hexes crossed by the segment moved a hair to the left (-1) or right (+1)."""
    (ax, ay), (bx, by) = centre(a), centre(b)
    hair = Fraction(side, 10**6)
    found = brute_contacts(a, b, ((ay - by) * hair, (bx - ax) * hair))
    crossed = [h for h, (first, last, is_inside) in found.items() if first < last and is_inside]
    return tuple(sorted(crossed, key=lambda h: found[h][0]))


def corners(h):
    x, y = centre(h)
    return [(x + dx, y + dy) for dx, dy in CORNERS]


def brute_vertices(a, b):
    """Each corner on the segment, in order, with the hexes that have it."""
    (ax, ay), (bx, by) = centre(a), centre(b)
    owners = {}
    for h in around(a, b):
        for x, y in corners(h):
            if (bx - ax) * (y - ay) == (by - ay) * (x - ax):
                along = (x - ax) * (bx - ax) + (y - ay) * (by - ay)
                if 0 < along < (bx - ax) ** 2 + (by - ay) ** 2:
                    owners.setdefault(along, set()).add(h)
    return [owners[along] for along in sorted(owners)]


def brute_edges(a, b):
    """The hexsides crossed in their interior (in order), and those that lie on the segment."""
    (ax, ay), (bx, by) = centre(a), centre(b)
    side = lambda x, y: (bx - ax) * (y - ay) - (by - ay) * (x - ax)  # noqa: E731
    crossed, along = {}, set()
    for h in around(a, b):
        for other in neighbours(h):
            (px, py), (qx, qy) = [c for c in corners(h) if c in corners(other)]
            p, q = side(px, py), side(qx, qy)
            if p * q < 0:
                cut = Fraction(p, p - q)
                x, y = px + (qx - px) * cut, py + (qy - py) * cut
                time = (x - ax) * (bx - ax) + (y - ay) * (by - ay)
                if 0 < time < (bx - ax) ** 2 + (by - ay) ** 2:
                    crossed[edge(h, other)] = time
            elif p == q == 0:
                time = (px + qx - 2 * ax) * (bx - ax) + (py + qy - 2 * ay) * (by - ay)
                if 0 < time < 2 * ((bx - ax) ** 2 + (by - ay) ** 2):
                    along.add(edge(h, other))
    return tuple(sorted(crossed, key=crossed.__getitem__)), along


def check_against_brute_force(a, b):
    found = brute_contacts(a, b)
    long = {h: part for h, part in found.items() if part[0] < part[1]}
    drawn = line(a, b)
    assert {h for stretch in drawn.stretches for h in stretch} == set(long)
    for stretch in drawn.stretches:
        assert [long[h][2] for h in stretch] in ([True], [False, False])
        assert len({long[h][:2] for h in stretch}) == 1
    starts = [long[stretch[0]][0] for stretch in drawn.stretches]
    assert starts == sorted(set(starts))
    crossed, along = brute_edges(a, b)
    assert drawn.crossed == crossed
    assert set(drawn.along) == along
    assert len(drawn.along) == len(along)
    assert [set(vertex.hexes) for vertex in drawn.vertices] == brute_vertices(a, b)
    touched = {h for vertex in drawn.vertices for h in vertex.touched}
    assert touched == set(found) - set(long)
    assert drawn.parallels == (brute_parallel(a, b, -1), brute_parallel(a, b, 1))


def test_every_short_line_is_what_exact_geometry_says():
    start = Hex(2, -1)
    for end in disk(start, 5):
        check_against_brute_force(start, end)


@settings(max_examples=60, deadline=None)
@given(some_hex, st.builds(Hex, st.integers(-9, 9), st.integers(-9, 9)))
def test_longer_lines_are_what_exact_geometry_says(a, step):
    check_against_brute_force(a, add(a, step))


@given(some_hex, some_hex)
def test_a_line_walked_backwards_is_the_same_with_the_sides_exchanged(a, b):
    there, back = line(a, b), line(b, a)
    assert back.stretches == tuple(pair[::-1] for pair in reversed(there.stretches))
    assert back.crossed == there.crossed[::-1]
    assert back.along == there.along[::-1]
    assert back.vertices == there.vertices[::-1]
    left, right = there.parallels
    assert back.parallels == (right[::-1], left[::-1])


@given(some_hex, some_hex)
def test_stretches_and_parallels_are_unbroken_from_end_to_end(a, b):
    drawn = line(a, b)
    for before, after in pairwise(((a,), *drawn.stretches, (b,)) if a != b else ()):
        assert all(distance(one, other) == 1 for one in before for other in after)
    for path in drawn.parallels:
        assert all(distance(one, other) == 1 for one, other in pairwise((a, *path, b)) if a != b)


@given(some_hex, some_hex)
def test_the_parallels_part_only_where_the_line_meets_a_vertex(a, b):
    drawn = line(a, b)
    left, right = drawn.parallels
    assert (left != right) == bool(drawn.vertices)
    crossed = {stretch[0] for stretch in drawn.stretches if len(stretch) == 1}
    assert set(left) & set(right) == crossed
    for vertex in drawn.vertices:
        assert len(vertex.hexes) == 3
        assert len(vertex.touched) <= 1


@given(near_hex, near_hex, some_hex)
def test_a_line_is_the_same_wherever_it_is_drawn(a, b, move):
    def moved(hexes):
        return tuple(add(h, move) for h in hexes)

    here, there = line(a, b), line(add(a, move), add(b, move))
    assert there.stretches == tuple(map(moved, here.stretches))
    assert there.crossed == tuple(map(moved, here.crossed))
    assert there.along == tuple(map(moved, here.along))
    assert there.parallels == tuple(map(moved, here.parallels))
    assert [tuple(v) for v in there.vertices] == [tuple(map(moved, v)) for v in here.vertices]


@given(near_hex, near_hex, st.integers(0, 5))
def test_a_line_turns_with_the_map(a, b, sixths):
    def turned(hexes):
        return tuple(rotate(h, sixths) for h in hexes)

    here, there = line(a, b), line(rotate(a, sixths), rotate(b, sixths))
    assert there.stretches == tuple(map(turned, here.stretches))
    assert there.parallels == tuple(map(turned, here.parallels))


def test_a_line_along_a_hexside_has_two_hexes_left_first():
    drawn = line(Hex(0, 0), Hex(1, 1))  # heading right and a little down the map
    above, below = Hex(1, 0), Hex(0, 1)
    assert drawn.stretches == ((above, below),)
    assert drawn.along == (edge(above, below),)
    assert drawn.crossed == ()
    assert drawn.parallels == ((above,), (below,))
    assert [vertex.touched for vertex in drawn.vertices] == [(), ()]


def test_a_line_through_a_bare_vertex_touches_the_third_hex():
    drawn = line(Hex(0, 0), Hex(5, -1))
    assert drawn.along == ()
    assert [vertex.touched for vertex in drawn.vertices] == [(Hex(2, -1),), (Hex(3, 0),)]
    assert drawn.stretches == ((Hex(1, 0),), (Hex(2, 0),), (Hex(3, -1),), (Hex(4, -1),))
    assert edge(Hex(1, 0), Hex(2, 0)) not in drawn.crossed
    assert Hex(2, -1) in drawn.parallels[0]
    assert Hex(2, -1) not in drawn.parallels[1]


def test_a_line_between_neighbours_crosses_only_their_hexside():
    drawn = line(Hex(4, 4), Hex(4, 5))
    assert drawn.stretches == ()
    assert drawn.crossed == ((Hex(4, 4), Hex(4, 5)),)
    assert drawn.parallels == ((), ())


def test_a_line_to_its_own_hex_meets_nothing():
    drawn = line(Hex(4, 4), Hex(4, 4))
    assert drawn.stretches == drawn.crossed == drawn.along == drawn.vertices == ()
    assert drawn.parallels == ((), ())


def test_lines_with_one_displacement_share_one_template():
    hexes._template.cache_clear()
    for q in range(20):
        assert line(Hex(q, 0), Hex(q + 3, 4)).stretches
    assert hexes._template.cache_info().misses == 1


# --- printed labels


@pytest.mark.parametrize("grid", REAL_GRIDS.values(), ids=REAL_GRIDS)
def test_labels_and_offsets_come_back_to_the_same_hex(grid):
    for h in grid.hexes():
        assert grid.hex_at(grid.label(h)) == h
        assert grid.from_offset(*grid.offset(h)) == h
    assert len(set(labels(grid, grid.hexes()))) == len(grid.hexes())


grids = st.builds(
    Grid,
    columns=st.integers(1, 60),
    rows=st.integers(1, 12),
    orientation=st.sampled_from(["flat", "pointy"]),
    scheme=st.sampled_from(["A1", "RRCC", "CCRR"]),
    shifted=st.sampled_from(["even", "odd"]),
    short=st.booleans(),
    first_row=st.sampled_from(["top", "bottom"]),
)


@settings(max_examples=40, deadline=None)
@given(grids)
def test_any_grid_names_each_hex_once_and_draws_neighbours_side_by_side(grid):
    drawn = grid.hexes()
    assert [grid.hex_at(label) for label in labels(grid, drawn)] == list(drawn)
    for h in drawn[:40]:
        column, row = grid.offset(h)
        assert grid.from_offset(column, row) == h
        for other in neighbours(h):
            other_column, other_row = grid.offset(other)
            assert abs(column - other_column) <= 1
            assert abs(row - other_row) <= 1


def test_hexes_are_listed_in_reading_order():
    assert labels(Grid(3, 2), Grid(3, 2).hexes()) == ["A1", "B1", "C1", "A2", "B2", "C2"]
    assert labels(DDOB, DDOB.hexes())[:2] == ["2001", "2002"]
    assert labels(DDOB, DDOB.hexes())[-1] == "0136"


def test_ddob_counts_rows_from_the_bottom_with_36_and_35_columns():
    names = set(labels(DDOB, DDOB.hexes()))
    assert len(names) == 10 * 36 + 10 * 35
    assert {"0136", "0235", "1936", "2035"} <= names
    assert DDOB.offset(DDOB.hex_at("2001")) == (0, 0)
    assert DDOB.offset(DDOB.hex_at("0613")) == (12, 14)
    with pytest.raises(BadLabel):
        DDOB.hex_at("0236")


def ddob_neighbours(row, column):
    """The formula of the digest: row odd or even, plus or minus one column."""
    sides = (column - 1, column) if row % 2 else (column, column + 1)
    beside = [(row, column - 1), (row, column + 1)]
    return beside + [(r, c) for r in (row - 1, row + 1) for c in sides]


def test_ddob_neighbours_follow_the_formula_of_the_map():
    names = set(labels(DDOB, DDOB.hexes()))
    for h in DDOB.hexes():
        label = DDOB.label(h)
        formula = {f"{r:02}{c:02}" for r, c in ddob_neighbours(int(label[:2]), int(label[2:]))}
        assert {DDOB.label(other) for other in neighbours(h) if other in DDOB} == formula & names


def test_ddob_distance_is_that_of_the_digest():
    def axial(label):
        r, c = int(label[:2]), int(label[2:])
        return (c - (r + 1) // 2 if r % 2 else c - r // 2), r

    for a in DDOB.hexes()[::17]:
        for b in DDOB.hexes()[::13]:
            (q1, r1), (q2, r2) = axial(DDOB.label(a)), axial(DDOB.label(b))
            dq, dr = q2 - q1, r2 - r1
            assert distance(a, b) == max(abs(dq), abs(dr), abs(dq + dr))


@pytest.mark.parametrize(
    "road",
    [
        "1001-1002-1103-1104-1105-1106-1206-1207-1308-1309-1409-1410-1511-1611-1612-1513-1514",
        "2022-1922-1921-1821-1721-1621-1521-1421-1321",
        "0630-0530-0529-0628-0627-0727-0726-0725-0724-0723",
        "0830-0731-0630",
        "1311-1211-1112-1011-0911-0811",
    ],
)
def test_ddob_roads_go_from_neighbour_to_neighbour(road):
    steps = [DDOB.hex_at(label) for label in road.split("-")]
    assert all(distance(a, b) == 1 for a, b in pairwise(steps))


@pytest.mark.parametrize(
    "sides",
    [
        "0710-0809 0710-0810 0720-0721 0620-0721 0626-0627 0431-0531",
        "0603-0604 0604-0704 0606-0707 0334-0335 0235-0336",
        "0533-0534 0534-0633 1936-1835 2033-1933 0701-0801",
    ],
)
def test_ddob_hexsides_lie_between_neighbours(sides):
    for side in sides.split():
        a, b = map(DDOB.hex_at, side.split("-"))
        assert edge(a, b)


def test_ddob_compass_is_upside_down():
    def step(d):
        return DDOB.label(add(DDOB.hex_at("0713"), DIRECTIONS[d]))

    assert {DDOB.direction_name(d): step(d) for d in range(6)} == {
        "W": "0714",
        "E": "0712",
        "NW": "0613",
        "NE": "0612",
        "SW": "0813",
        "SE": "0812",
    }


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("N5", "O6", 1),
        ("N5", "P1", 5),
        ("E8", "C7", 2),
        ("E8", "B7", 3),
        ("E9", "C7", 3),
        ("E3", "G5", 3),
        ("K5", "J3", 2),
        ("K5", "J5", 1),
    ],
)
def test_aslsk_ranges_are_those_of_the_examples(a, b, expected):
    assert distance(ASLSK.hex_at(a), ASLSK.hex_at(b)) == expected


def test_aslsk_neighbours_follow_the_formula_of_the_digest():
    names = set(labels(ASLSK, ASLSK.hexes()))
    for h in ASLSK.hexes():
        column, n = ASLSK.offset(h)[0], ASLSK.offset(h)[1] + 1
        beside = (n - 1, n) if column % 2 == 0 else (n, n + 1)
        formula = {(column, n - 1), (column, n + 1)}
        formula |= {(c, other) for c in (column - 1, column + 1) for other in beside}
        expected = {f"{chr(65 + c)}{m}" for c, m in formula if c >= 0} & names
        assert {ASLSK.label(other) for other in neighbours(h) if other in ASLSK} == expected


def test_aslsk_even_columns_have_one_hex_fewer():
    names = labels(ASLSK, ASLSK.hexes())
    assert len(names) == 162
    assert "A10" in names
    assert "B10" not in names


def test_columns_after_z_double_their_letter():
    wide = Grid(36, 10, orientation="flat")
    row = labels(wide, wide.hexes())[:36]
    assert row[25:29] == ["Z1", "AA1", "BB1", "CC1"]
    assert wide.offset(wide.hex_at("JJ10")) == (35, 9)


def test_toi_neighbours_of_c3_and_the_red_die():
    around = {
        TOI.direction_name(direction(TOI.hex_at("C3"), h)): TOI.label(h)
        for h in neighbours(TOI.hex_at("C3"))
    }
    assert around == {"NW": "B2", "NE": "C2", "E": "D3", "SE": "C4", "SW": "B4", "W": "B3"}
    assert [TOI.direction_name(face - 1) for face in range(1, 7)] == list(around)


def test_warfare_axial_coordinates_are_those_of_the_digest():
    for h in WARFARE.hexes():
        column, row = WARFARE.offset(h)
        assert h == Hex(column - (row - (row & 1)) // 2, row)


def test_flat_hexes_have_a_north_and_pointy_ones_an_east():
    assert [ASLSK.direction_name(d) for d in range(6)] == ["N", "NE", "SE", "S", "SW", "NW"]
    assert ASLSK.label(add(ASLSK.hex_at("B2"), DIRECTIONS[ASLSK.direction_named("N")])) == "B1"
    assert ASLSK.label(add(ASLSK.hex_at("B2"), DIRECTIONS[ASLSK.direction_named("SE")])) == "C3"
    assert WARFARE.direction_named("E") == 2
    with pytest.raises(ValueError, match="no direction 'N'"):
        WARFARE.direction_named("N")


def test_column_row_digits_put_the_column_first():
    grid = Grid(12, 5, scheme="CCRR")
    assert grid.label(grid.from_offset(11, 2)) == "1203"
    assert grid.offset(grid.hex_at("1203")) == (11, 2)


@pytest.mark.parametrize(
    "label", ["", "A0", "A12", "N1", "a1", "A01", "A", "1", "A1 ", "0101", "É1"]
)
def test_a_label_that_is_not_printed_is_refused(label):
    with pytest.raises(BadLabel):
        TOI.hex_at(label)
    assert issubclass(BadLabel, ValueError)


def test_a_hex_taken_off_the_map_has_no_label():
    h = TOI.hex_at("A2")
    cut = msgspec.structs.replace(TOI, off=frozenset([h]))
    assert h in TOI
    assert h not in cut
    assert h not in cut.hexes()
    assert len(cut.hexes()) == len(TOI.hexes()) - 1
    with pytest.raises(BadLabel):
        cut.hex_at("A2")
    with pytest.raises(BadLabel):
        cut.label(h)


@pytest.mark.parametrize("place", [(-1, 0), (13, 0), (0, -1), (0, 11)])
def test_places_beyond_the_border_are_not_on_the_map(place):
    assert TOI.from_offset(*place) not in TOI
