"""Fire groups, leaders, Cowering, To Hit and rally: each rule and its limits (3.1, 3.2, 6)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.aslsk.table import ON_IFT, ON_UNIT, Table
from tests.citations import ROLL

FIRE = "mappa: ex-fuoco\ndata: 1944-06\nlati: [american, german]\nfase: PFPh\n"
GUN = "mappa: ex-bosco\ndata: 1943-07\nlati: [german, american]\nfase: PFPh\n"
SIGHT = "mappa: ex-vista\ndata: 1943-07\nlati: [german, russian]\nfase: PFPh\n"


def columns(run: Table) -> list[int]:
    """The IFT columns of the attacks."""
    return [int(f["column"]) for f in run.told("3.2.3", "column", "fp")]


def finals(run: Table) -> list[tuple[int, str]]:
    """Final DR and result of the attacks."""
    return [(int(f["dr"]), str(f["result"])) for f in run.told(ON_IFT, "dr", "result")]


# Rally


@pytest.mark.rule("aslsk:3.1.e", "aslsk:2.0.self_rally")
def test_one_self_rally_of_a_mmc_and_only_for_the_attacker():
    base = "mappa: ex-rally\nlati: [russian, german]\nfase: RPh\npasso: e\n"
    run = Table(
        base
        + "unità: {a: ru-527 Q6 broken, b: ru-447 O7 broken, l: ru-8-0 O7 broken, z: ge-467 A1}",
        "u:a",
        dice=[(6, 5)],
    )
    assert run.state.units["a"].broken
    assert run.options == {"u:l", "b:passa"}
    assert "3.1.e" in run.why_not("u:b")
    own = Table(
        base
        + "unità: {a: ru-9-1 Q6 broken, b: ru-447 O7 broken, z: ge-9-1 A1 broken, y: ge-467 A1 broken}",
        "u:a",
        dice=[(1, 2)],
    )
    assert not own.state.units["a"].broken
    own.play("b:passa")
    assert (own.asked.side, own.options) == ("german", {"u:z", "b:passa"})
    assert "3.1.e" in own.why_not("u:y")


@pytest.mark.rule("aslsk:3.1.e")
@pytest.mark.parametrize(
    ("where", "dice", "broken"),
    [("Q6", (3, 4), False), ("Q5", (3, 4), True), ("Q5", (2, 4), False)],
)
def test_self_rally_is_worse_by_one_and_a_building_helps(where, dice, broken):
    run = Table(
        f"mappa: ex-rally\nlati: [russian, german]\nfase: RPh\npasso: e\nunità: {{a: ru-527 {where} broken, z: ge-467 A1}}",
        "u:a",
        dice=[dice],
    )
    assert run.state.units["a"].broken == broken


@pytest.mark.rule("aslsk:3.1.f", "aslsk:2.0.casualty_reduction")
def test_an_original_twelve_costs_casualty_reduction_and_nothing_else_does():
    base = "mappa: ex-rally\nlati: [russian, german]\nfase: RPh\npasso: f\nunità: {l: ru-9-1 O7, b: ru-527 O7 broken DM, z: ge-467 A1}"
    twelve = Table(base, "u:b", dice=[(6, 6)])
    assert (twelve.state.units["b"].type, twelve.state.units["b"].broken) == ("ru-227", True)
    assert "2.0.casualty_reduction" in twelve.cited
    eleven = Table(base, "u:b", dice=[(5, 6)])
    assert (eleven.state.units["b"].type, eleven.state.units["b"].broken) == ("ru-527", True)


@pytest.mark.rule("aslsk:3.1.f")
def test_a_broken_leader_rallies_others_only_after_himself():
    base = "mappa: ex-rally\nlati: [russian, german]\nfase: RPh\npasso: e\nunità: {l: ru-9-1 O7 broken, b: ru-447 O7 broken, c: ru-447 Q6, z: ge-467 A1}"
    assert Table(base, "u:l", "b:passa", dice=[(1, 2)]).options == {"u:b", "b:passa"}
    failed = Table(base, "u:l", "b:passa", dice=[(5, 6)])
    assert failed.state.phase == "MPh"
    assert "3.1.f" not in failed.cited


# Fire groups and leaders


@pytest.mark.rule("aslsk:3.2.2", "aslsk:2.0.pbf")
@pytest.mark.parametrize(
    ("firer", "target", "column"),
    [
        ("us-747 N5", "P5", 6),
        ("us-747 O6", "P5", 12),
        ("us-747 N5", "P1", 2),
        ("us-747 N4", "P1", 6),
    ],
)
def test_fp_doubles_next_door_and_halves_beyond_normal_range(firer, target, column):
    run = Table(
        FIRE + f"unità: {{a: {firer}, x: ge-467 {target}}}", "u:a", f"h:{target}", dice=[(6, 5)]
    )
    assert columns(run) == [column]


@pytest.mark.rule("aslsk:3.2.2")
def test_nobody_fires_beyond_twice_the_normal_range():
    run = Table(FIRE + "unità: {a: us-536 A1, b: us-666 N5, x: ge-467 P5}", "u:b")
    assert "h:P5" in run.options
    assert "3.2.2" in Table(FIRE + "unità: {a: us-536 A1, b: us-666 N5, x: ge-467 P5}").why_not(
        "u:a"
    )


@pytest.mark.rule("aslsk:3.2.2.fg", "aslsk:2.0.fg")
def test_a_fire_group_is_a_chain_of_adjacent_hexes():
    run = Table(
        FIRE + "unità: {a: us-747 N5, c: us-666 O6, d: us-666 M5, e: us-666 N8, x: ge-467 P5}",
        "u:a",
        "h:P5",
    )
    assert {"u:c", "u:d"} <= run.options
    assert "3.2.2.fg" in run.why_not("u:e")


@pytest.mark.rule("aslsk:3.2.2.leader", "aslsk:1.2.1")
def test_a_leader_directs_a_fire_group_only_with_one_in_every_hex():
    base = FIRE + "unità: {a: us-747 N5, l: us-9-1 N5, c: us-666 O6, x: ge-467 P5"
    alone = Table(base + "}", "u:a", "h:P5", "u:c", dice=[(6, 5)])
    assert finals(alone) == [(15, "-")]
    assert alone.state.units["l"].fire == ""
    both = Table(base + ", k: us-8-0 O6}", "u:a", "h:P5", "u:c", "u:l", "u:k", dice=[(6, 5)])
    assert finals(both) == [(15, "-")]
    assert {both.state.units[n].fire for n in "lk"} == {"Prep Fire"}
    better = Table(base + ", k: us-8-1 O6}", "u:a", "h:P5", "u:c", "u:l", "u:k", dice=[(6, 5)])
    assert finals(better) == [(14, "-")]
    assert "3.2.2.leader" in better.cited


@pytest.mark.rule("aslsk:3.2.2.fg", "aslsk:3.2.1.declare")
def test_who_has_no_los_drops_out_of_the_fire_group_and_has_fired():
    run = Table(
        SIGHT + "unità: {a: ge-467 I2, b: ge-467 J1, z: ru-447 K4}",
        "u:a", "h:K4", "u:b",
        dice=[(5, 6)],
    )  # fmt: skip
    assert columns(run) == [4]
    assert {run.state.units[n].fire for n in "ab"} == {"Prep Fire"}
    assert {"3.2.1.declare", "1.1.1.buildings"} <= run.cited


@pytest.mark.rule("aslsk:3.2.2.fg")
@pytest.mark.parametrize(
    ("answer", "found", "dice"),
    [("b:insieme", [8], [(5, 6)]), ("b:separati", [4, 4], [(5, 6), (5, 6)])],
)
def test_what_is_left_of_a_fire_group_fires_together_or_hex_by_hex(answer, found, dice):
    run = Table(
        SIGHT + "unità: {a: ge-467 I2, b: ge-467 J1, c: ge-467 K2, z: ru-447 K4}",
        "u:a", "h:K4", "u:b", "u:c", answer,
        dice=dice,
    )  # fmt: skip
    assert columns(run) == found
    assert "3.2.2.fg" in run.cited


@pytest.mark.rule("aslsk:3.2.2.fg", "aslsk:4.1.breakdown")
def test_a_machine_gun_that_drops_out_may_still_jam():
    run = Table(
        SIGHT + "unità: {a: ge-467 I2, b: ge-467 J1, z: ru-447 K4}\narmi: {m: ge-mmg a}",
        "u:b", "h:K4", "u:m", "b:fuoco",
        dice=[(6, 6), (5, 6)],
    )  # fmt: skip
    assert run.state.weapons["m"].broken
    assert finals(run) == [(11, "-")]


# Cowering


@pytest.mark.rule("aslsk:3.2.2.cowering", "aslsk:5.4")
@pytest.mark.parametrize(
    ("units", "answers", "shift"),
    [
        ("a: us-666 N4", (), 1),
        ("a: us-536 N4", (), 2),
        ("a: us-536 N4, l: us-8-0 N4", ("b:nessuno",), 1),
        ("a: us-666 N4, l: us-8-0 N4", ("u:l",), 0),
    ],
)
def test_a_double_without_direction_cowers_one_column_or_two(units, answers, shift):
    run = Table(FIRE + f"unità: {{{units}, z: ge-467 O5}}", "u:a", "h:O5", *answers, dice=[(5, 5)])
    assert [int(f["n"]) for f in run.told("3.2.2.cowering", "n")] == [shift] * bool(shift)
    assert ("3.2.2.cowering" in run.cited) == bool(shift)


@pytest.mark.rule("aslsk:3.2.2.cowering")
def test_cowering_below_the_first_column_has_no_effect():
    weak = Table(
        "mappa: ex-fuoco\ndata: 1944-06\nlati: [american, german]\nfase: AFPh\nunità: {a: us-226 N5, z: ge-467 P5}",
        "u:a",
        "h:P5",
        dice=[(1, 1)],
    )
    assert columns(weak) == [1]
    assert finals(weak) == []
    assert weak.told("3.2.2.cowering") == [{}]


@pytest.mark.rule("aslsk:3.2.2.cowering", "aslsk:3.3.3")
def test_cowering_in_defensive_first_fire_marks_final_fire():
    run = Table(
        "mappa: ex-attacco\ndata: 1943-07\nlati: [russian, german]\nfase: MPh\nunità: {c: ru-447 I4, d: ge-467 K5}",
        "u:c", "b:normale", "h:J4", "u:d",
        dice=[(6, 6)],
    )  # fmt: skip
    assert run.state.units["d"].fire == "Final Fire"


# Morale


@pytest.mark.rule("aslsk:3.2.3.pin_on_pass", "aslsk:3.2.3.mc")
@pytest.mark.parametrize(
    ("dice", "pinned", "broken"),
    [((3, 3), False, False), ((3, 4), True, False), ((4, 4), False, True)],
)
def test_a_check_passed_at_the_limit_pins(dice, pinned, broken):
    run = Table(
        FIRE + "unità: {a: us-747 N5, c: us-666 O6, y: ge-467 P5}",
        "u:a",
        "h:P5",
        "u:c",
        dice=[(2, 4), dice],
    )
    assert (run.state.units["y"].pinned, run.state.units["y"].broken) == (pinned, broken)


@pytest.mark.rule("aslsk:5.1", "aslsk:3.2.3.elr")
@pytest.mark.parametrize(("dice", "counter"), [((4, 6), "ge-467"), ((5, 6), "ge-447")])
def test_elr_replaces_only_beyond_its_number(dice, counter):
    run = Table(
        FIRE + "elr: {american: 3, german: 3}\nunità: {a: us-747 N5, c: us-666 O6, y: ge-467 P5}",
        "u:a",
        "h:P5",
        "u:c",
        dice=[(2, 4), dice],
    )
    assert (run.state.units["y"].type, run.state.units["y"].broken) == (counter, True)
    assert ("5.1" in run.cited) == (counter == "ge-447")


@pytest.mark.rule("aslsk:5.1")
def test_underlined_morale_is_not_subject_to_elr():
    run = Table(
        "mappa: ex-fuoco\nlati: [german, american]\nfase: PFPh\nelr: {american: 0, german: 3}\nunità: {a: ge-467 O6, y: us-747 P5}",
        "u:a",
        "h:P5",
        dice=[(1, 2), (5, 6)],
    )
    assert (run.state.units["y"].type, run.state.units["y"].broken) == ("us-747", True)
    assert run.told("5.1", "unit") == [{"unit": "y"}]


# To Hit


@pytest.mark.rule("aslsk:3.2.4.rof_mod", "aslsk:1.2.4.1")
@pytest.mark.parametrize(
    ("crew", "gun", "hex", "rates", "refs"),
    [
        ("ge-228 E8", "ge-75l c ca=5", "C7", [2], set()),
        ("ge-228 E8", "ge-75l c ca=5", "B7", [2, 1], {"3.2.4.rof_mod"}),
        ("ge-467 E8", "ge-75l c ca=5", "C7", [2, 1], {"3.2.4.rof_mod", "3.2.4.non_qualified"}),
        ("ge-228 E8", "ge-75l c ca=5 lato=american", "C7", [2, 1], {"3.2.4.rof_mod", "5.5"}),
    ],
)
def test_rate_of_fire_falls_for_turning_capture_and_unqualified_use(crew, gun, hex, rates, refs):
    run = Table(
        GUN + f"unità: {{c: {crew}, x: us-747 C7, y: us-666 B7}}\narmi: {{g: {gun}}}",
        "u:g",
        f"h:{hex}",
        "b:ITT-HE",
        dice=[(2, 6)],
    )
    assert run.totals("ROF") == rates
    assert refs <= run.cited
    assert run.state.weapons["g"].fire == ("" if rates[-1] == 2 else "Prep Fire")


@pytest.mark.rule("aslsk:casa.17", "aslsk:6.9")
def test_a_mortar_keeps_its_rate_when_it_turns():
    base = GUN + "unità: {d: ge-228 E9, x: us-747 C7}\narmi: {h: ge-81mtr d ca=%d}"
    turned = Table(base % 3, "u:h", "h:C7", dice=[(3, 6)])
    assert (turned.totals("ROF"), turned.state.weapons["h"].fire) == ([3], "")
    assert "casa.17" in turned.cited
    assert "casa.17" not in Table(base % 5, "u:h", "h:C7", dice=[(3, 6)]).cited


@pytest.mark.rule("aslsk:3.2.4.att", "aslsk:3.2.4.intensive_fire")
def test_att_ends_the_fire_of_a_gun_but_not_of_a_mortar():
    run = Table(
        GUN + "unità: {c: ge-228 E8, x: us-747 C7}\narmi: {g: ge-75l c ca=5}",
        "u:g",
        "h:C7",
        "b:ATT-HE",
        dice=[(1, 5), (6, 6)],
    )
    assert run.state.weapons["g"].fire == "Intensive Fire"
    assert run.totals("ROF") == []


@pytest.mark.rule("aslsk:3.2.4.red_black")
def test_a_red_number_is_told_apart_from_a_black_one():
    base = "mappa: ex-critico\ndata: {date}\nlati: [american, german]\nfase: PFPh\nunità: {{c: us-227 R6, x: ge-467 {hex}}}\narmi: {{g: us-105 c ca={ca}}}"
    near = Table(
        base.format(date="1943-07", hex="S8", ca=2), "u:g", "h:S8", "b:ITT-HE", dice=[(6, 6)]
    )
    assert near.told("3.2.4.red_black", "colour") == [{"colour": "black"}]
    far = Table(
        base.format(date="1943-07", hex="Y3", ca=0), "u:g", "h:Y3", "b:ITT-HE", dice=[(6, 6)]
    )
    assert far.told("3.2.4.red_black", "colour") == [{"colour": "red"}]
    assert far.told("2.0.th", "how", "number", "range", "table", of="TH#")[0]["number"] == 6
    later = Table(
        base.format(date="1944-07", hex="Y3", ca=0), "u:g", "h:Y3", "b:ITT-HE", dice=[(6, 6)]
    )
    assert later.told("2.0.th", "how", "number", "range", "table", of="TH#")[0]["number"] == 7
    assert "3.2.4.red_black" not in later.cited


@pytest.mark.rule("aslsk:3.2.4.intensive_fire", "aslsk:6.12")
@pytest.mark.parametrize(
    ("dice", "state"), [((4, 5), "works"), ((4, 6), "broken"), ((5, 6), "broken"), ((6, 6), "lost")]
)
def test_intensive_fire_adds_two_and_lowers_the_breakdown_number(dice, state):
    run = Table(
        GUN + "unità: {c: ge-228 E8 used=g, x: us-747 C7}\narmi: {g: ge-75l c ca=5 prep shots=1}",
        "u:g",
        "h:C7",
        "b:ITT-HE",
        dice=[dice],
    )
    gun = run.state.weapons["g"]
    found = "lost" if gun.place != "map" else "broken" if gun.broken else "works"
    assert found == state
    assert run.totals("TH DRM")[0] == 2
    assert "3.2.4.intensive_fire" in run.cited


@pytest.mark.rule("aslsk:3.2.4.intensive_fire", "aslsk:4.5")
def test_a_support_weapon_makes_no_intensive_fire_and_a_pinned_crew_neither():
    mortar = Table(
        GUN + "unità: {s: ge-467 D8, x: us-747 C7, y: us-666 B7}\narmi: {m: ge-50mtr s}",
        "u:m",
        "h:B7",
        dice=[(4, 4)],
    )
    assert "3.2.4.intensive_fire" in mortar.why_not("u:m")
    pinned = Table(
        GUN
        + "unità: {c: ge-228 E8 used=g pinned, s: ge-467 D8, x: us-747 C7}\narmi: {g: ge-75l c ca=5 prep shots=1}"
    )
    assert "3.2.4.intensive_fire" in pinned.why_not("u:g")


@pytest.mark.rule("aslsk:6.10")
def test_another_target_starts_the_acquisition_again():
    run = Table(
        GUN
        + "unità: {c: ge-228 E8, x: us-747 C7, y: us-666 B7}\narmi: {g: ge-75l c ca=5 acquired=2 target=x target_hex=C7}",
        "u:g",
        "h:B7",
        "b:ITT-HE",
        dice=[(6, 5)],
    )
    gun = run.state.weapons["g"]
    assert (gun.hold.acquired, gun.hold.target, gun.hold.target_hex) == (1, "y", "B7")
    assert "2.0.acquired_target" not in run.cited


@pytest.mark.rule("aslsk:3.3.5", "aslsk:1.2.4.1")
@pytest.mark.parametrize(("dice", "left"), [((1, 2), None), ((4, 2), 6)])
def test_a_gun_that_keeps_its_rate_leaves_no_residual_fp(dice, left):
    run = Table(
        "mappa: ex-bosco\ndata: 1943-07\nlati: [american, german]\nfase: MPh\nunità: {x: us-747 C6, c: ge-228 E8}\narmi: {g: ge-75l c ca=5}",
        "u:x", "b:normale", "h:D6", "u:g", "b:ITT-HE",
        dice=[dice, (5, 6), (1, 2)],
    )  # fmt: skip
    assert run.state.residual.get("D6") == left
    assert run.state.weapons["g"].fire == ("First Fire" if left else "")


# LATW


@pytest.mark.rule("aslsk:4.4", "aslsk:6.2.heat")
def test_a_bazooka_fires_at_infantry_in_buildings_only():
    run = Table(
        "mappa: ex-bazooka\ndata: 1943-07\nlati: [american, italian]\nfase: PFPh\nunità: {a: us-747 DD9, x: it-346 DD7, y: it-347 EE8}\narmi: {z: us-baz43 a}",
        "u:z",
    )
    assert run.options == {"h:DD7"}
    assert "4.4" in run.why_not("h:EE8")


@pytest.mark.rule("aslsk:4.4.3", "aslsk:2.0.backblast")
@pytest.mark.parametrize(
    ("coloured", "result"), [(1, "K/1"), (3, "1MC"), (4, "NMC"), (5, "PTC"), (6, "-")]
)
def test_backblast_strikes_with_the_coloured_die_and_no_tem(coloured, result):
    run = Table(
        "mappa: ex-bazooka\ndata: 1943-07\nlati: [american, italian]\nfase: PFPh\nunità: {a: us-747 AA9, x: it-346 AA7}\narmi: {z: us-baz43 a}",
        "u:z", "h:AA7", "b:subisci",
        dice=[(coloured, 6), (1, 2), (6, 6), (1, 2)],
    )  # fmt: skip
    assert run.told("4.4.3", "dr", "result") == [{"dr": coloured, "result": result}]


@pytest.mark.rule("aslsk:6.1", "aslsk:2.0.ch")
@pytest.mark.parametrize(("dice", "critical"), [((1, 2), True), ((1, 3), False)])
def test_an_itt_critical_hit_depends_on_the_final_dr(dice, critical):
    run = Table(
        "mappa: ex-critico\ndata: 1943-07\nlati: [american, german]\nfase: PFPh\nunità: {c: us-227 R6, x: ge-467 S8}\narmi: {g: us-105 c ca=2 acquired=2 target=x target_hex=S8}",
        "u:g",
        "h:S8",
        "b:ITT-HE",
        dice=[dice, (6, 6)],
    )
    assert ("2.0.ch" in run.cited) == critical
    assert run.told(ON_UNIT, "dr", "result", "unit")[0]["dr"] == (9 if critical else 12)


# Machine guns


@pytest.mark.rule("aslsk:4.1")
def test_one_leader_fires_a_machine_gun_at_half_and_two_at_full():
    base = (
        FIRE
        + "unità: {l: us-9-1 N5, k: us-8-0 N5, j: us-8-1 N5, x: ge-467 P5}\narmi: {m: us-mmg l}"
    )
    full = Fraction(Table(base).state.weapons["m"].data.fp)
    alone = Table(base, "u:m", "h:P5", "b:solo", "b:nessuno", dice=[(6, 5)])
    assert alone.told("3.2.3", "column", "fp")[0]["fp"] == full / 2
    assert alone.state.units["k"].used == ()
    helped = Table(base, "u:m", "h:P5", "u:k", "b:nessuno", dice=[(6, 5)])
    assert helped.told("3.2.3", "column", "fp")[0]["fp"] == full
    assert (helped.state.units["k"].used, helped.state.units["j"].used) == (("m",), ())
    assert "4.1" in helped.cited


@pytest.mark.rule("aslsk:4.1", "aslsk:1.2.4.1")
def test_the_same_helper_goes_on_while_the_rate_of_fire_is_kept():
    base = FIRE + "unità: {l: us-9-1 N5, k: us-8-0 N5, x: ge-467 P5}\narmi: {m: us-mmg l}"
    run = Table(base, "u:m", "h:P5", "u:k", dice=[(1, 6)])
    assert run.state.weapons["m"].fire == ""
    run.play("u:m", "h:P5")
    assert run.options == {"u:k", "b:solo"}


@pytest.mark.rule("aslsk:4.1")
def test_a_machine_gun_fires_beyond_sixteen_hexes_only_if_directed():
    far = "mappa: ex-bazooka\nlati: [german, italian]\nfase: PFPh\nunità: {a: ge-467 A5, %sx: it-346 S5, y: it-346 P5}\narmi: {m: ge-hmg a}"
    alone = Table(far % "", "u:m")
    assert "h:P5" in alone.options
    assert "4.1" in alone.why_not("h:S5")
    led = Table(far % "l: ge-9-1 A5, ", "u:m", "h:S5")
    assert led.options == {"u:l"}
    assert "4.1" in led.why_not("b:nessuno")


@pytest.mark.rule("aslsk:4.1")
def test_a_far_machine_gun_fires_at_half_against_good_order_infantry_only():
    base = "mappa: ex-bazooka\nlati: [german, italian]\nfase: PFPh\nunità: {a: ge-467 A5, l: ge-9-1 A5, x: it-346 S5%s}\narmi: {m: ge-hmg a}"
    fp = [
        Table(base % flag, "u:m", "h:S5", "u:l", dice=[(6, 5)]).told("3.2.3", "column", "fp")[0][
            "fp"
        ]
        for flag in ("", " broken DM")
    ]
    assert fp[0] * 2 == fp[1]


# Leaders in checks


@pytest.mark.rule("aslsk:3.2.3.ptc", "aslsk:1.2.1")
def test_a_leader_who_passes_his_ptc_helps_the_others():
    base = "mappa: ex-fuoco\nlati: [german, american]\nfase: PFPh\nunità: {a: ge-467 O6, l: us-9-1 P5, y: us-666 P5}"
    good = Table(base, "u:a", "h:P5", dice=[(2, 4), (4, 5), (3, 4)])
    assert not good.state.units["y"].pinned
    assert good.totals("MC DRM") == [-1]
    bad = Table(base, "u:a", "h:P5", dice=[(2, 4), (5, 5), (3, 4)])
    assert bad.state.units["l"].pinned
    assert bad.state.units["y"].pinned
    assert bad.totals("MC DRM") == []


@pytest.mark.rule("aslsk:3.2.4.rof_mod", "aslsk:3.2.4.vca_tca")
@pytest.mark.parametrize(("hex", "rates", "fire"), [("C7", [1], ""), ("B7", [1, 0], "Prep Fire")])
def test_a_tank_without_turret_that_turns_its_hull_loses_rate_of_fire(hex, rates, fire):
    run = Table(
        GUN + "unità: {x: us-747 C7, y: us-666 B7}\nveicoli: {t: ge-stug E8 vca=5}",
        "u:t:ma", f"h:{hex}", "b:ITT-HE",
        dice=[(1, 6)],
    )  # fmt: skip
    assert run.totals("ROF") == rates
    assert run.state.vehicles["t"].marks.fire == fire


@pytest.mark.rule("aslsk:3.2.4.effect_infantry", "aslsk:3.2.3.kia")
def test_one_kia_of_a_hit_takes_one_unit_and_breaks_the_other():
    run = Table(
        GUN + "unità: {c: ge-228 E8, x: us-666 D6, y: us-666 D6}\narmi: {g: ge-75l c ca=5}",
        "u:g", "h:D6", "b:ITT-HE",
        dice=[(1, 5), (1, 1), "y"],
    )  # fmt: skip
    assert run.state.units["y"].place == "eliminated"
    assert (run.state.units["x"].place, run.state.units["x"].broken) == ("map", True)
    assert {"3.2.4.effect_infantry", "3.2.3.kia"} <= run.cited


@pytest.mark.rule("aslsk:3.2.4.effect_infantry", "aslsk:3.2.3.mc")
def test_a_leader_who_is_hit_checks_first_and_then_helps():
    base = GUN + "unità: {c: ge-228 E8, x: us-666 D6, l: us-9-1 D6}\narmi: {g: ge-75l c ca=5}"
    steady = Table(base, "u:g", "h:D6", "b:ITT-HE", dice=[(1, 5), (4, 5), (3, 4), (3, 3)])
    assert [f["unit"] for f in steady.told("3.2.3.mc", "morale", "unit", of=ROLL)] == ["l", "x"]
    assert not steady.state.units["x"].broken
    shaken = Table(base, "u:g", "h:D6", "b:ITT-HE", dice=[(1, 5), (4, 5), (6, 5), (3, 4)])
    assert shaken.state.units["l"].broken
    assert shaken.state.units["x"].broken
    assert "3.2.3.mc" in shaken.cited
