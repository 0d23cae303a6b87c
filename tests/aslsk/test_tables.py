"""Tables against known cells, properties and formulas, never against themselves."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.aslsk.state import tables

SEVERITY = ["-", "PTC", "NMC", "1MC", "2MC", "3MC", "4MC", "K/1", "K/2", "K/3", "K/4"]
SEVERITY += [f"{n}KIA" for n in range(1, 8)]


@pytest.mark.rule("aslsk:3.2.3")
def test_ift_never_softens_with_a_lower_roll_or_a_higher_column():
    for column in range(11):
        for dr in range(15):
            now, then = tables.ift(column, dr), tables.ift(column, dr + 1)
            assert SEVERITY.index(now) >= SEVERITY.index(then)
    for dr in range(16):
        row = [SEVERITY.index(tables.ift(column, dr)) for column in range(11)]
        kills = [value for value in row if value >= SEVERITY.index("1KIA")]
        assert kills == sorted(kills)


@pytest.mark.rule("aslsk:3.2.3")
@pytest.mark.parametrize(
    ("fp", "dr", "result"),
    [(16, 10, "NMC"), (2, 4, "1MC"), (8, 9, "PTC"), (4, 9, "-"), (12, 7, "1MC"), (2, 1, "1KIA"),
     (36, 7, "K/4"), (20, 5, "4MC"), (1, 5, "PTC"), (30, 14, "PTC")],
)  # fmt: skip
def test_known_cells_of_the_ift(fp, dr, result):
    assert tables.ift(tables.column(fp), dr) == result


@pytest.mark.rule("aslsk:3.2.3")
def test_the_column_is_the_rightmost_not_above_the_fp():
    assert tables.column_fp(tables.column(Fraction(9, 1))) == 8
    assert tables.column_fp(tables.column(Fraction(9, 2))) == 4
    assert tables.column(Fraction(1, 2)) == -1


@pytest.mark.rule("aslsk:3.3.5", "aslsk:3.3.5.shift")
def test_residual_is_half_the_column_and_falls_with_each_shift():
    columns = tables.ift_file().columns
    for index, fp in enumerate(columns):
        half = max((c for c in columns[:6] if c <= fp / 2), default=0)
        assert tables.residual(index, 0) == min(half, 12)
        values = [tables.residual(index, shift) for shift in range(5)]
        assert values == sorted(values, reverse=True)
    assert tables.residual(tables.column(4), -1) == 4


@pytest.mark.rule("aslsk:3.2.4.procedure", "aslsk:6.1")
def test_critical_numbers_follow_the_to_hit_number():
    for row in tables.to_hit_file().itt[:9]:
        if row.black > 2 and row.first not in (1, 2):
            assert row.critical == (row.black - 1) // 2
    assert tables.band("itt", 1).critical == 5
    assert tables.band("itt", 2).critical == 4
    assert tables.band("itt", 7).red_critical == 2


@pytest.mark.rule("aslsk:3.2.4.red_black")
def test_red_numbers_are_never_better_than_black_ones():
    for kind in ("vtt", "itt", "att"):
        for row in getattr(tables.to_hit_file(), kind):
            assert row.red <= row.black


@pytest.mark.rule("aslsk:3.8.odds", "aslsk:casa.04")
@pytest.mark.parametrize(
    ("attack", "defence", "number"),
    [(4, 4, 5), (6, 4, 6), (4, 6, 4), (12, 4, 8), (8, 4, 7), (9, 5, 6), (1, 9, 0), (41, 4, 13)],
)
def test_kill_numbers(attack, defence, number):
    assert tables.kill_number(attack, defence) == number


@pytest.mark.rule("aslsk:7.9", "aslsk:casa.03")
def test_to_kill_numbers_of_the_examples():
    file = tables.to_kill_file()
    assert (file.ap["76"], file.ap["76L-russian"], file.heat["75"]) == (12, 13, 13)
    assert (file.heat_latw["pf"], file.heat_latw["psk"], tables.he_tk(75)) == (31, 26, 7)
    for row in (*file.ap_range.values(), *file.apcr_range.values(), file.apds_range):
        assert list(row) == sorted(row, reverse=True)


@pytest.mark.rule("aslsk:7.1")
def test_circle_and_square_move_the_turret_by_a_level():
    assert tables.turret_af(8, -1) == 6
    assert tables.turret_af(8, 1) == 11
    assert tables.turret_af(3, 1) == 4
    assert tables.turret_af(0, -1) == 0


@pytest.mark.rule("aslsk:1.2.2", "aslsk:5.1", "aslsk:5.2")
def test_every_chain_of_quality_ends_and_keeps_size_and_side():
    for name, one in tables.PEOPLE.items():
        seen = {name}
        while one.lower:
            below = tables.PEOPLE[one.lower]
            assert (below.kind, below.nation) == (one.kind, one.nation)
            assert below.morale <= one.morale
            assert one.lower not in seen
            seen.add(one.lower)
            one = below
        if one.reduced:
            assert tables.PEOPLE[one.reduced].kind == "hs"


@pytest.mark.rule("aslsk:1.2.3")
def test_only_leaders_and_crews_self_rally():
    kinds = {one.kind for one in tables.PEOPLE.values() if one.self_rallies}
    assert kinds == {"smc", "crew"}


@pytest.mark.rule("aslsk:1.2.7", "aslsk:7.3")
def test_vehicles_have_known_armour_levels_and_guns():
    levels = tables.to_kill_file().af_levels
    for one in tables.VEHICLES.values():
        assert all(af in levels for af in one.af)
        assert -2 <= one.size <= 2
        gun = f"{one.calibre}{one.barrel}"
        known = tables.to_kill_file().ap
        assert one.no_ap or gun in known or f"{gun}-{one.nation}" in known


@pytest.mark.rule("aslsk:1.3", "aslsk:4.4.2")
def test_scenarios_hold_counters_that_exist():
    for card in tables.scenarios().values():
        for force in card.forces:
            for name in force.types:
                code = f"{tables.code(force.side)}-{name}"
                kinds = (tables.PEOPLE, tables.WEAPONS, tables.VEHICLES)
                assert any(name in kind or code in kind for kind in kinds)
