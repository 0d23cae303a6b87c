"""Every table against what the book states and against its own shape, never against itself."""

# ruff: noqa: E501  rows of a table are written in one line

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from engine.aslsk.rules import terrain
from engine.aslsk.rules.elements import VEHICLE_RANGE
from engine.aslsk.state import tables
from rules_it.corpus import HERE, read_book

SEVERITY = ["-", "PTC", "NMC", "1MC", "2MC", "3MC", "4MC", "K/1", "K/2", "K/3", "K/4"]
SEVERITY += [f"{n}KIA" for n in range(1, 8)]
COLUMNS = range(11)


def harm(column: int, dr: int) -> int:
    """How bad a result is."""
    return SEVERITY.index(tables.ift(column, dr))


# The IFT


@pytest.mark.rule("aslsk:3.2.3")
def test_a_column_to_the_right_or_a_lower_dr_is_never_milder():
    for dr in range(-1, 17):
        for column in range(10):
            assert harm(column, dr) <= harm(column + 1, dr), (column, dr)
    for column in COLUMNS:
        for dr in range(-1, 16):
            assert harm(column, dr) >= harm(column, dr + 1), (column, dr)


@pytest.mark.rule("aslsk:3.2.3", "aslsk:3.2.3.ptc")
@pytest.mark.parametrize(("result", "first"), [("PTC", 5), ("NMC", 4)])
def test_each_column_moves_the_last_effects_by_one(result, first):
    found = [[dr for dr in range(16) if tables.ift(c, dr) == result] for c in COLUMNS]
    assert found == [[first + column] for column in COLUMNS]


@pytest.mark.rule("aslsk:3.2.3.kia", "aslsk:3.2.3.k")
def test_a_column_ends_in_one_k_and_then_kia_one_by_one():
    for column in COLUMNS:
        results = [tables.ift(column, dr) for dr in range(16)]
        kills = [int(r[:-3]) for r in results if r.endswith("KIA")]
        assert kills == list(range(kills[0], 0, -1)), column
        assert sum(r.startswith("K/") for r in results) == 1, column
    assert [tables.ift(c, 0) for c in COLUMNS][::10] == ["1KIA", "7KIA"]
    assert tables.ift(10, -9) == tables.ift(10, 0)
    assert tables.ift(0, 99) == "-"


@pytest.mark.rule("aslsk:3.2.3")
@pytest.mark.parametrize(
    ("fp", "dr", "result"),
    [
        (16, 10, "NMC"), (2, 4, "1MC"), (16, 7, "2MC"), (12, 7, "1MC"), (8, 10, "-"), (8, 7, "1MC"),
        (2, 1, "1KIA"), (8, 9, "PTC"), (4, 9, "-"), (1, 3, "1MC"), (12, 9, "NMC"),
    ],
)  # fmt: skip
def test_the_cells_that_the_book_reads(fp, dr, result):
    assert tables.ift(tables.column(fp), dr) == result


@pytest.mark.rule("aslsk:7.11")
def test_a_kv_under_att_suffers_at_three_and_four_on_the_six_column():
    column = tables.column(6)
    assert tables.ift(column, 3).startswith("K/")
    assert not tables.ift(column, 4).startswith("K")
    assert tables.ift(column, 2).endswith("KIA")


@pytest.mark.rule("aslsk:3.2.4.effect_infantry", "aslsk:6.1")
@pytest.mark.parametrize(
    ("calibre", "fp"), [(50, 6), (70, 12), (75, 12), (79, 12), (80, 16), (88, 16), (100, 20), (105, 20)]
)  # fmt: skip
def test_the_fp_of_he_that_the_book_reads(calibre, fp):
    assert tables.he_fp(calibre) == fp


@pytest.mark.rule("aslsk:3.2.4.effect_infantry")
def test_every_calibre_has_a_column_of_its_own_and_a_bigger_one_a_better():
    steps = tables.ift_file().calibres
    assert tuple(steps[c] for c in sorted(steps)) == tables.ift_file().columns
    values = [tables.he_fp(mm) for mm in range(0, 240)]
    assert values == sorted(values)
    assert values[19] == 0


@pytest.mark.rule("aslsk:3.3.5", "aslsk:3.3.5.shift", "aslsk:2.0.air_burst")
def test_residual_fp_is_half_the_column_moved_by_columns():
    counters = (0, 1, 2, 4, 6, 8, 12)
    for index, fp in enumerate(tables.ift_file().columns):
        half = max(c for c in counters if c <= min(Fraction(fp, 2), 12))
        place = counters.index(half)
        for shift in range(-1, 8):
            moved = counters[min(max(place - shift, 0), 6)]
            assert tables.residual(index, shift) == moved, (fp, shift)
    assert tables.residual(-1, 0) == tables.residual(-1, -1) == 0


# To Hit


@pytest.mark.rule("aslsk:3.2.4.procedure")
@pytest.mark.parametrize(("kind", "least"), [("vtt", 0), ("itt", 0), ("att", 1)])
def test_every_range_has_one_to_hit_number(kind, least):
    rows = getattr(tables.to_hit_file(), kind)
    assert rows[0].first == least
    assert rows[-1].last >= 500
    for row, after in pairwise(rows):
        assert row.first <= row.last
        assert after.first == row.last + 1


@pytest.mark.rule("aslsk:3.2.4.procedure", "aslsk:3.2.4.red_black")
def test_to_hit_numbers_fall_with_range_and_red_ones_faster():
    for kind in ("vtt", "itt"):
        rows = getattr(tables.to_hit_file(), kind)[1:]
        for row, after in pairwise(rows):
            assert row.black >= after.black
            assert row.red >= after.red
            assert row.black - row.red <= after.black - after.red
        assert all(row.black == row.red for row in rows if row.last <= 6)
        assert all(row.black > row.red for row in rows if row.first >= 7)
    assert all(row.black == row.red for row in tables.to_hit_file().att)


@pytest.mark.rule("aslsk:3.2.4.procedure", "aslsk:casa.46")
def test_a_vehicle_is_easier_to_hit_than_men_by_two_at_short_range():
    for away in range(0, 31):
        vtt, itt = tables.band("vtt", away), tables.band("itt", away)
        assert vtt.black - itt.black == vtt.red - itt.red == 2, away


@pytest.mark.rule("aslsk:3.2.4.procedure", "aslsk:6.1", "aslsk:3.2.4.red_black")
@pytest.mark.parametrize(
    ("kind", "away", "black", "red", "critical", "red_critical"),
    [("itt", 2, 9, 9, 4, 4), ("itt", 3, 8, 8, 3, 3), ("itt", 4, 8, 8, 3, 3), ("itt", 7, 7, 6, 3, 2), ("vtt", 3, 10, 10, 0, 0),
     ("att", 3, 7, 7, 0, 0)],
)  # fmt: skip
def test_the_to_hit_numbers_that_the_book_reads(kind, away, black, red, critical, red_critical):
    row = tables.band(kind, away)
    assert (row.black, row.red, row.critical, row.red_critical) == (
        black,
        red,
        critical,
        red_critical,
    )


@pytest.mark.rule("aslsk:6.1")
def test_a_critical_number_is_under_half_the_number_and_near_targets_add():
    for row in tables.to_hit_file().itt:
        bonus = {1: 2, 2: 1}.get(row.first, 0)
        for number, critical in ((row.black, row.critical), (row.red, row.red_critical)):
            plain = number - bonus
            assert critical == max((plain - 1) // 2, 0) + bonus if plain > 0 else critical == 0


@pytest.mark.rule("aslsk:3.2.4.procedure")
def test_barrels_and_small_calibres_change_the_number_only_beyond_twelve_hexes():
    file = tables.to_hit_file()
    for key, row in file.changes.items():
        assert len(row) == len(file.bands) + 1
        assert tables.th_change(key, 12) == 0
        assert tables.th_change(key, 13) == row[1] != 0
        falling = list(row) == sorted(row, reverse=True)
        assert falling if key in ("*", "57", "40", "APCR") else list(row) == sorted(row)
    for away in range(0, 60):
        assert tables.th_change("LL", away) >= tables.th_change("L", away) >= 0
        assert tables.th_change("57", away) <= tables.th_change("40", away) <= 0


@pytest.mark.rule("aslsk:4.4", "aslsk:4.4.2")
def test_light_antitank_weapons_hit_worse_with_range():
    latw = tables.to_hit_file().latw
    for name, row in latw.items():
        assert list(row) == sorted(row, reverse=True), name
        assert len(set(row)) == len(row), name
    assert latw["pf"] == tuple(10 - 2 * away for away in range(4))
    assert latw["baz43"][2] == 8
    reach = {w.grade: w.range for w in tables.WEAPONS.values() if w.kind == "latw"}
    assert {name: len(latw[name]) - 1 for name in reach} == reach


@pytest.mark.rule("aslsk:3.2.4.ca", "aslsk:3.2.4.mount360", "aslsk:3.5.vehicles")
def test_slower_mounts_pay_more_to_turn_and_to_fire_on_the_move():
    file = tables.to_hit_file()
    assert [file.ca[kind] for kind in ("T", "ST", "NT")] == [(1, 1), (2, 1), (3, 1)]
    assert file.ca["RST"] == file.ca["1MT"] == file.ca["ST"]
    assert file.bounding["T"] == 4 < file.bounding["NT"]


@pytest.mark.rule("aslsk:3.2.4.procedure", "aslsk:casa.34")
def test_the_cases_that_the_book_gives_a_number_to():
    stated = {1: 2, 3: 2, 4: 2, 5: 1, 9: 2, 11: 1, 12: 2, 13: 1, 21: -2, 23: 2}
    assert {number: tables.th_case(number) for number in stated} == stated
    assert [tables.th_case(24, place) for place in range(3)] == [2, 3, 4]
    assert [tables.th_case(15, place) for place in range(3)] == [2, 1, 0]
    assert sorted(tables.to_hit_file().cases) == list(range(1, 25))


# To Kill


@pytest.mark.rule("aslsk:7.9")
def test_a_longer_barrel_pierces_more():
    ap = tables.to_kill_file().ap
    ranks = {"*": 0, "": 1, "L": 2, "LL": 3}
    guns: dict[tuple[str, str], dict[int, int]] = {}
    for key, number in ap.items():
        gun, _, nation = key.partition("-")
        mm = gun.rstrip("L*")
        if mm.isdigit():
            guns.setdefault((mm, nation), {})[ranks[gun[len(mm) :]]] = number
    compared = 0
    for barrels in guns.values():
        numbers = [barrels[rank] for rank in sorted(barrels)]
        assert numbers == sorted(numbers)
        compared += len(numbers) > 1
    assert compared >= 12


@pytest.mark.rule("aslsk:7.9", "aslsk:casa.03", "aslsk:4.1.vs_afv")
def test_the_to_kill_numbers_that_the_book_reads():
    file = tables.to_kill_file()
    assert file.ap["76"] + tables.ap_range(76, 3) == 12
    assert file.heat["75"] == 13
    assert tables.he_tk(75) == tables.he_tk(76) == 7
    assert file.dc == 16
    latw = {"baz43": 13, "baz44": 16, "baz45": 16, "psk": 26, "piat": 15, "pf": 31}
    assert file.heat_latw == latw
    assert file.ap["MG"] < file.ap["ATR"] < file.ap["ATR-russian"] < file.ap["37L"]


@pytest.mark.rule("aslsk:7.9")
def test_ap_weakens_with_range_and_light_shells_first():
    for distance in range(0, 90):
        found = [tables.ap_range(mm, distance) for mm in (20, 50, 75)]
        if distance >= 7:
            known = [value if value is not None else -99 for value in found]
            assert known == sorted(known), distance
    assert [tables.ap_range(75, away) for away in (1, 3, 18, 19, 78)] == [1, 0, 0, -1, -5]
    assert tables.ap_range(20, 49) is None
    assert tables.ap_range(50, 61) is None
    assert tables.ap_range(75, 79) is None


@pytest.mark.rule("aslsk:7.9", "aslsk:6.2.apcr_apds")
def test_special_ap_is_better_near_and_loses_more_with_range():
    file = tables.to_kill_file()
    for gun, number in file.apcr.items():
        base = gun.partition("-")[0]
        assert number > file.ap.get(gun, file.ap.get(base, 0)), gun
    for away in range(0, 30):
        assert (tables.apcr_range("APCR", 50, away) or -9) <= (
            tables.apcr_range("APCR", 75, away) or 0
        )
    assert tables.apcr_range("APCR", 50, 31) is None
    assert tables.apcr_range("APDS", 57, 12) == 0
    assert tables.apcr_range("APDS", 57, 48) == -4


@pytest.mark.rule("aslsk:7.9", "aslsk:4.2.vs_afv")
def test_he_against_armour_grows_with_the_calibre():
    values = [tables.he_tk(mm) for mm in range(0, 240)]
    assert values == sorted(values)
    assert values[19] == 0 < values[20]
    assert values[150] == tables.to_kill_file().dc
    assert tables.to_kill_file().ft == 8


@pytest.mark.rule("aslsk:7.1")
def test_the_levels_of_armour_are_those_of_the_book():
    assert tables.to_kill_file().af_levels == (0, 1, 2, 3, 4, 6, 8, 11, 14, 18, 26)


# Sums taken from the published charts, so that no single cell can change unseen


def weighted(values) -> int:
    """A sum that tells a swap from the right order."""
    return sum(place * value for place, value in enumerate(values, 1))


@pytest.mark.rule("aslsk:3.2.3")
def test_the_sums_of_the_published_ift():
    columns = [sum(harm(column, dr) for dr in range(16)) for column in COLUMNS]
    assert columns == [27, 39, 44, 57, 61, 67, 81, 88, 103, 119, 136]
    rows = [sum(harm(column, dr) for column in COLUMNS) for dr in range(16)]
    assert rows == [150, 136, 117, 96, 76, 61, 49, 38, 28, 22, 17, 13, 9, 6, 3, 1]


@pytest.mark.rule("aslsk:3.2.4.procedure", "aslsk:6.1")
def test_the_sums_of_the_published_to_hit_chart():
    file = tables.to_hit_file()
    found = {
        kind: (
            len(rows),
            weighted(row.black for row in rows),
            weighted(row.red for row in rows),
            weighted(row.critical for row in rows),
            weighted(row.red_critical for row in rows),
        )
        for kind, rows in (("vtt", file.vtt), ("itt", file.itt), ("att", file.att))
    }
    assert found == {
        "vtt": (13, 507, 371, 0, 0),
        "itt": (13, 270, 189, 95, 74),
        "att": (5, 93, 93, 0, 0),
    }
    assert file.bands == (12, 18, 24, 30, 36, 42)
    changes = {key: weighted(row) for key, row in file.changes.items()}
    assert changes == {"*": -27, "L": 27, "LL": 49, "APCR": -69, "57": -69, "40": -27}
    latw = {key: weighted(row) for key, row in file.latw.items()}
    assert latw == {"baz43": 101, "baz44": 101, "baz45": 144, "psk": 101, "piat": 70, "pf": 60}
    assert (file.mortar, file.mortar_exceptions) == (7, {"ge-50mtr": {13: 6}})
    assert file.bounding == {"T": 4, "ST": 4, "RST": 4, "1MT": 4, "NT": 5}
    assert [tables.th_case(number) for number in (2, 7, 10)] == [2, -2, 2]


@pytest.mark.rule("aslsk:7.9")
def test_the_sums_of_the_published_to_kill_charts():
    file = tables.to_kill_file()
    classes: dict[str, list[tuple[int, int]]] = {}
    for key, number in file.ap.items():
        gun, _, nation = key.partition("-")
        mm = gun.rstrip("L*")
        if mm.isdigit():
            classes.setdefault(gun[len(mm) :] + nation, []).append((int(mm), number))
    sums = {
        kind: (len(all_), sum(n for _, n in all_), sum(mm * n for mm, n in all_))
        for kind, all_ in classes.items()
    }
    assert sums == {
        "": (13, 168, 16437),
        "L": (26, 509, 54464),
        "LL": (8, 124, 7921),
        "*": (12, 129, 12340),
        "Lrussian": (1, 13, 988),
        "LLrussian": (1, 16, 1216),
    }
    assert [file.ap[key] for key in ("MG", "12.7", "ATR", "ATR-russian")] == [4, 5, 5, 6]
    assert {key: weighted(row) for key, row in file.ap_range.items()} == {
        25: -108,
        57: -183,
        999: -254,
    }
    assert {key: weighted(row) for key, row in file.apcr_range.items()} == {57: -66, 999: -205}
    assert weighted(file.apds_range) == -89
    assert file.ap_bands == (1, 2, 6, 18, 24, 30, 36, 42, 48, 54, 60, 66, 78)
    assert file.apcr_bands == (1, 2, 6, 12, 18, 24, 30, 36, 42, 48)
    assert (len(file.apcr), sum(file.apcr.values())) == (18, 315)
    assert sum(int(gun.rstrip("L")) * n for gun, n in file.apcr.items() if "-" not in gun) == 17033
    assert (file.apcr["76L-russian"], file.apcr["76LL-russian"], file.apcr["76L-american"]) == (
        14,
        18,
        22,
    )
    assert (len(file.heat), sum(file.heat.values())) == (14, 232)
    assert sum(int(mm) * n for mm, n in file.heat.items()) == 18122
    assert weighted(file.he[mm] for mm in sorted(file.he)) == weighted(
        (3, 4, 5, 6, 7, 8, 10, 12, 16)
    )
    assert sorted(file.he) == [20, 30, 40, 50, 70, 80, 100, 120, 150]


# Close Combat, leaders, Bog


@pytest.mark.rule("aslsk:3.8.odds")
def test_better_odds_never_lower_the_kill_number():
    for attack in range(1, 40):
        for defence in range(1, 40):
            number = tables.kill_number(attack, defence)
            assert number <= tables.kill_number(attack + 1, defence)
            assert number >= tables.kill_number(attack, defence + 1)
            assert number == tables.kill_number(3 * attack, 3 * defence)
            assert number == tables.kill_number(Fraction(attack, 2), Fraction(defence, 2))


@pytest.mark.rule("aslsk:3.8.odds", "aslsk:casa.04")
def test_each_odds_column_has_a_kill_number_of_its_own():
    odds = [(1, 8), (1, 6), (1, 4), (1, 2), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1), (6, 1), (8, 1), (10, 1)]  # fmt: skip
    assert [tables.kill_number(a, d) for a, d in odds] == list(range(1, 13))
    just_under = [tables.kill_number(a * 100 - 1, d * 100) for a, d in odds]
    assert just_under == list(range(0, 12))
    assert tables.kill_number(101, 10) == 13


@pytest.mark.rule("aslsk:3.8.ccv", "aslsk:5.3")
def test_close_combat_values_and_the_leaders_that_are_born():
    assert tables.other().ccv == {"squad": 5, "crew": 4, "hs": 3, "smc": 2}
    born = [tables.PEOPLE[f"ru-{tables.other().leader[dr]}"] for dr in range(1, 7)]
    worth = [(one.morale, -one.leadership) for one in born]
    assert worth == sorted(worth, reverse=True)
    assert tables.other().leader[2] == "8-0"
    assert 7 not in tables.other().leader
    assert tables.other().leader_drm["russian"] == 1


@pytest.mark.rule("aslsk:7.6", "aslsk:2.0.ground_pressure")
def test_bog_numbers_of_the_book():
    file = tables.other()
    assert file.bog_pressure["normal"] == 1
    assert file.bog_half_woods == file.bog_building == 3
    assert file.bog_pressure["low"] < file.bog_pressure["normal"] < file.bog_pressure["high"]


@pytest.mark.rule("aslsk:7.10")
def test_a_vehicle_crew_has_the_morale_of_the_best_elite_infantry():
    for nation, morale in tables.other().crews.items():
        best = max(
            one.morale
            for one in tables.PEOPLE.values()
            if one.nation == nation and one.is_mmc and one.grade == "E"
        )
        assert morale == best, nation


# Terrain


@pytest.mark.rule("aslsk:3.3.1.mf_table", "aslsk:1.1.1.grain", "aslsk:1.1.1.brush", "aslsk:3.3.2")
def test_what_terrain_costs_and_protects():
    halves = {"open": 2, "woods": 4, "stone building": 4, "wooden building": 4, "orchard": 2, "grain": 3, "brush": 4}  # fmt: skip
    assert halves == terrain.MF
    assert terrain.TEM == {"woods": 1, "stone building": 3, "wooden building": 2}
    assert terrain.MP_TRACKED == {"open": 2, "orchard": 2, "grain": 2, "brush": 4}
    assert terrain.MP_AC == {"open": 6, "orchard": 6, "grain": 8, "brush": 8}
    assert (terrain.SMOKE_COST, terrain.HEDGE_COST) == (2, 2)


# Counters


@pytest.mark.rule("aslsk:1.2.2")
def test_the_name_of_a_counter_is_its_values():
    people = [one for one in tables.PEOPLE.values() if one.is_mmc]
    assert len(people) > 50
    for one in people:
        assert one.name == f"{one.fp}-{one.range}-{one.morale}"


@pytest.mark.rule("aslsk:1.2.2", "aslsk:2.0.casualty_reduction", "aslsk:5.1")
def test_half_a_squad_is_half_a_squad():
    for name, one in tables.PEOPLE.items():
        if one.kind == "squad":
            half = tables.PEOPLE[one.reduced]
            assert (half.nation, half.grade, half.morale) == (one.nation, one.grade, one.morale), (
                name
            )
            assert half.fp in (one.fp // 2, one.fp // 2 - 1), name
            assert half.range <= one.range, name
            assert half.broken in (one.broken, one.broken - 1), name
        if one.kind == "crew":
            assert one.no_elr, name


@pytest.mark.rule("aslsk:1.2.2", "aslsk:5.1")
@pytest.mark.parametrize(
    ("counter", "reduced", "lower"),
    [("ge-467", "ge-247", "ge-447"), ("ge-447", "ge-237", "ge-436"), ("ru-426", "ru-226", ""), ("ge-247", "", "ge-237")],
)  # fmt: skip
def test_the_counters_that_the_examples_turn_into_others(counter, reduced, lower):
    one = tables.PEOPLE[counter]
    assert (one.reduced, one.lower) == (reduced, lower)


@pytest.mark.rule("aslsk:1.2.1", "aslsk:5.1")
def test_leaders_fall_from_ten_minus_two_to_six_plus_one():
    name, seen = "ge-10-2", []
    while name:
        one = tables.PEOPLE[name]
        seen.append(one.name)
        assert one.broken == one.morale == int(one.name.split("-")[0].split("+")[0])
        name = one.lower
    assert seen == ["10-2", "9-2", "9-1", "8-1", "8-0", "7-0", "6+1"]


@pytest.mark.rule(
    "aslsk:4.0.portage", "aslsk:4.1", "aslsk:4.2", "aslsk:4.3", "aslsk:6.5", "aslsk:6.9"
)
def test_weapons_as_the_examples_use_them():
    weapons = tables.WEAPONS
    assert [weapons[w].pp for w in ("ru-mmg", "ge-hmg", "ru-lmg")] == [5, 4, 1]
    mmg = weapons["ge-mmg"]
    assert (mmg.fp, mmg.range, mmg.rof, mmg.b) == (5, 12, 2, 12)
    for nation in ("ge", "us", "ru", "br"):
        assert (weapons[f"{nation}-ft"].fp, weapons[f"{nation}-ft"].x) == (24, 10)
        assert (weapons[f"{nation}-dc"].fp, weapons[f"{nation}-dc"].x) == (30, 12)
    assert (weapons["br-piat"].b, weapons["br-piat"].r, weapons["br-piat"].fp) == (10, 2, 8)
    assert (weapons["us-57l"].m, weapons["ge-50mtr"].least, weapons["us-60mtr"].least) == (10, 2, 3)
    assert (weapons["ge-88l"].rof, weapons["ge-75l"].rof, weapons["ge-81mtr"].rof) == (2, 2, 3)
    for one in weapons.values():
        if one.is_mortar:
            assert one.is_gun == (one.calibre > 60), one.name
            assert 0 < one.least < one.range, one.name
        if one.is_gun:
            assert one.kind in ("MTR", "AT", "INF", "ART", "AA")
            assert 2 <= one.m <= 12, one.name


@pytest.mark.rule("aslsk:1.2.7", "aslsk:7.1", "aslsk:7.8", "aslsk:2.0.cmg", "aslsk:2.0.bmg")
def test_vehicles_as_the_examples_use_them():
    iiin, t3485, kv, iif, tiger = (
        tables.VEHICLES[name] for name in ("ge-iiin", "ru-t3485", "ru-kv1e", "ge-iif", "ge-vib")
    )
    assert (iiin.mp, iiin.af, tables.turret_af(iiin.af[1], iiin.turret_af[1])) == (13, (6, 3), 4)
    assert (iiin.ammo["H"], iiin.smoke, iiin.turret) == ({0: 9}, {"sD": 7}, "T")
    assert (t3485.mp, t3485.af[1], t3485.pressure, t3485.bmg, t3485.cmg) == (16, 6, "normal", 2, 4)
    assert (kv.calibre, kv.barrel, kv.af[1], kv.size, kv.turret) == (76, "", 8, -1, "RST")
    assert tables.turret_af(kv.af[1], kv.turret_af[1]) == 11
    assert (iif.cmg, iif.ife) == (5, 4)
    assert (tiger.bmg, tiger.cmg, tiger.aamg, tiger.turret) == (3, 5, 2, "ST")
    assert VEHICLE_RANGE == {"bmg": 8, "cmg": 12, "rmg": 8, "aamg": 8, "ife": 16}


@pytest.mark.rule("aslsk:1.2.7", "aslsk:1.2.4", "aslsk:1.2.6")
def test_the_sums_of_the_published_counters():
    tanks = [tables.VEHICLES[name] for name in sorted(tables.VEHICLES)]
    assert len(tanks) == 21
    found = {
        part: weighted(getattr(one, part) for one in tanks)
        for part in ("mp", "size", "rof", "calibre", "bmg", "cmg", "aamg")
    }
    assert found == {
        "mp": 3920,
        "size": -11,
        "rof": 236,
        "calibre": 15135,
        "bmg": 339,
        "cmg": 791,
        "aamg": 396,
    }
    armour = [weighted(one.af[side] for one in tanks) for side in (0, 1)]
    turrets = [weighted(one.turret_af[side] for one in tanks) for side in (0, 1)]
    assert (armour, turrets) == ([2023, 985], [-31, 129])
    pieces = [tables.WEAPONS[name] for name in sorted(tables.WEAPONS)]
    assert len(pieces) == 62
    sums = {
        part: weighted(getattr(one, part) for one in pieces)
        for part in (
            "fp",
            "range",
            "least",
            "rof",
            "pp",
            "b",
            "x",
            "r",
            "calibre",
            "m",
            "ife",
            "contact",
        )
    }
    assert sums == {
        "fp": 11481,
        "range": 19666,
        "least": 648,
        "rof": 2922,
        "pp": 3074,
        "b": 23225,
        "x": 5005,
        "r": 2535,
        "calibre": 51769,
        "m": 5835,
        "ife": 212,
        "contact": 1169,
    }


# The same tables as the rules browser prints them


def printed(ref: str) -> list[list[list[str]]]:
    """The tables of a rule of the browser, cell by cell, headings apart."""
    return _tables(next(rule.text for rule in read_book(HERE / "aslsk").rules if rule.id == ref))


def _tables(text: str) -> list[list[list[str]]]:
    found: list[list[list[str]]] = [[]]
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            found[-1].append([cell.strip() for cell in line.strip("|").split("|")])
        elif found[-1]:
            found.append([])
    return [[rows[0], *rows[2:]] for rows in found if rows]


@pytest.mark.rule("aslsk:3.2.3")
def test_the_browser_prints_the_ift_of_the_engine():
    heading, *rows = printed("aslsk:3.2.3")[0]
    assert [int(cell) for cell in heading[1:]] == list(tables.ift_file().columns)
    for dr, row in enumerate(rows):
        assert row[0].strip("≤≥") == str(dr)
        assert [cell.replace("–", "-") for cell in row[1:]] == [tables.ift(c, dr) for c in COLUMNS]
    assert len(rows) == 16


@pytest.mark.rule("aslsk:3.2.4.procedure")
def test_the_browser_prints_the_to_hit_numbers_of_the_engine():
    checked = 0
    for row in printed("aslsk:3.2.4.procedure")[0][1:]:
        for span in row[0].split(","):
            away = int(span.strip().rstrip("+").split("-")[0])
            for kind, cell in (("vtt", row[1]), ("itt", row[2])):
                black, _, red = cell.partition("/")
                found = tables.band(kind, away)
                assert (found.black, found.red) == (int(black), int(red or black)), (kind, away)
                checked += 1
            if away:
                assert tables.band("att", away).red == int(row[4].split()[0])
    assert checked == 26


@pytest.mark.rule("aslsk:3.2.4.effect_infantry", "aslsk:4.4")
def test_the_browser_prints_the_calibres_and_the_antitank_weapons_of_the_engine():
    heading, itt, att = printed("aslsk:3.2.4.effect_infantry")[0]
    for mm, fp, half in zip(heading[1:], itt[1:], att[1:], strict=True):
        assert tables.he_fp(int(mm)) == int(fp)
        index = tables.column(Fraction(int(fp), 2))
        assert half == ("–" if index < 0 else str(tables.column_fp(index)))
    printed_rows = printed("aslsk:4.4")[0][1:]
    for name, *cells in printed_rows:
        row = tables.to_hit_file().latw[name.partition(" ")[0].lower()]
        assert [cell for cell in cells if cell != "–"] == [str(n) for n in row], name
    assert len(printed_rows) == len(tables.to_hit_file().latw)
