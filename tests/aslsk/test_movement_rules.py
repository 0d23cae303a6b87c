"""Movement, portage and defensive fire: each rule and its limits (3.3, 3.3.1, 3.3.3, 3.3.5, 4.0)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from engine.aslsk.state.units import allowance, excess
from tests.aslsk.table import ON_IFT, Table

MOVE = "mappa: ex-attacco\ndata: 1943-07\nlati: [russian, german]\nfase: MPh\n"
QUIET = ", z: ge-467 M9 broken}\n"


def strengths(run: Table) -> list[float]:
    """The FP of the attacks."""
    return [float(f["fp"]) for f in run.told("3.2.3", "column", "fp")]  # type: ignore[arg-type]


def finals(run: Table) -> list[int]:
    """The final DR of the attacks."""
    return [int(str(f["dr"])) for f in run.told(ON_IFT, "dr", "result")]


# Portage


@pytest.mark.rule("aslsk:4.0.portage", "aslsk:3.3.1.mf_table")
@pytest.mark.parametrize(
    ("weapons", "double", "halves"),
    [("", False, 8), ("n: ru-lmg a", False, 8), ("n: ru-mmg a", False, 4), ("n: ru-mmg a", True, 6), ("n: ru-lmg a, o: ru-mmg a", False, 2)],
)  # fmt: skip
def test_each_pp_beyond_the_ipc_costs_one_mf(weapons, double, halves):
    state = Table(MOVE + "unità: {a: ru-447 I4" + QUIET + f"armi: {{{weapons}}}").state
    assert allowance(state, state.units["a"], None, double) == halves


@pytest.mark.rule("aslsk:4.0.portage", "aslsk:2.0.ipc")
@pytest.mark.parametrize(("leader", "double", "pp"), [("ru-9-2 F5", False, 1), ("ru-9-2 F5 wounded", False, 2), ("ru-9-2 F5 CX", False, 2), ("ru-9-2 F5", True, 3)])  # fmt: skip
def test_a_leader_lends_his_ipc_unless_wounded_or_exhausted(leader, double, pp):
    state = Table(
        MOVE + f"unità: {{e: ru-447 F5, l: {leader}" + QUIET + "armi: {o: ru-mmg e}"
    ).state
    assert excess(state, state.units["e"], state.units["l"], double) == pp


@pytest.mark.rule("aslsk:4.0.portage")
def test_the_ipc_of_a_leader_helps_one_mmc_only():
    run = Table(
        MOVE + "unità: {e: ru-447 F5, f: ru-447 F5, l: ru-9-2 F5" + QUIET + "armi: {o: ru-mmg e, p: ru-mmg f}",
        "u:e", "b:normale", "u:f", "u:l", "h:G6", "h:H5", "h:I6", "h:I7",
    )  # fmt: skip
    assert run.state.mover.spent == {"e": 8, "f": 8, "l": 8}
    assert {"3.3.1.mf_table", "4.0.portage"} <= run.why_not("h:I8")
    alone = Table(
        MOVE + "unità: {e: ru-447 F5, l: ru-9-2 F5" + QUIET + "armi: {o: ru-mmg e}",
        "u:e", "b:normale", "u:l", "h:G6", "h:H5", "h:I6", "h:I7",
    )  # fmt: skip
    assert "h:I8" in alone.options


@pytest.mark.rule("aslsk:4.0.portage")
def test_a_leader_carries_two_pp_at_most():
    run = Table(MOVE + "unità: {l: ru-9-2 F6" + QUIET + "armi: {o: ru-mmg l}", "u:l", "b:normale")
    assert "4.0.portage" in run.why_not("h:G6")


# Ways of moving


@pytest.mark.rule("aslsk:3.3.1.assault_move", "aslsk:3.3.3.ffnam")
@pytest.mark.parametrize(("how", "final"), [("b:assalto", 11), ("b:normale", 10)])
def test_assault_movement_avoids_ffnam(how, final):
    run = Table(
        MOVE + "unità: {a: ru-447 I5, d: ge-467 K5}", "u:a", how, "h:J5", "u:d", dice=[(5, 3)]
    )
    assert finals(run) == [final]
    assert bool(run.told("3.3.3.ffnam", "unit", of="DRM")) == (how == "b:normale")
    assert bool(run.told(("3.3.1.assault_move",))) == (how == "b:assalto")


@pytest.mark.rule("aslsk:3.3.3.broken_target", "aslsk:3.3.1.assault_move")
def test_who_breaks_in_assault_movement_is_subject_to_ffnam():
    run = Table(
        MOVE + "unità: {a: ru-447 I5, d: ge-467 K5, e: ge-467 J7}",
        "u:a", "b:assalto", "h:J5", "u:d", "u:e",
        dice=[(1, 2), (5, 6), (4, 5)],
    )  # fmt: skip
    assert run.state.units["a"].broken
    assert finals(run) == [6, 11]


@pytest.mark.rule("aslsk:3.3.1.double_time", "aslsk:2.0.cx")
@pytest.mark.parametrize(
    ("unit", "allowed"),
    [("ru-447 I5", True), ("ru-447 I5 CX", False), ("ru-9-1 I5 wounded", False)],
)
def test_only_the_fresh_double_time(unit, allowed):
    run = Table(MOVE + f"unità: {{a: {unit}" + QUIET, "u:a")
    assert ("b:corsa" in run.options) == allowed
    if not allowed:
        assert run.why_not("b:corsa") <= {"3.3.1.double_time", "3.2.3.wound"}


@pytest.mark.rule("aslsk:3.3.1.leader_bonus")
def test_whoever_has_used_the_bonus_stays_with_a_leader():
    base = MOVE + "unità: {d: ru-447 F4, l: ru-9-1 F4"
    one = Table(base + QUIET, "u:d", "b:normale", "u:l", "h:G4", "h:H4", "h:I4")
    assert "3.3.1.leader_bonus" in one.why_not("u:l")
    two = Table(
        base + ", k: ru-8-0 F4" + QUIET, "u:d", "b:normale", "u:l", "u:k", "h:G4", "h:H4", "h:I4"
    )
    assert "u:l" in two.options
    two.play("u:l")
    assert two.state.mover.leader == "k"
    assert "3.3.1.leader_bonus" in two.why_not("u:k")


@pytest.mark.rule("aslsk:3.3.1.leader_bonus")
def test_before_the_bonus_is_used_the_stack_may_divide():
    run = Table(
        MOVE + "unità: {d: ru-447 F4, l: ru-9-1 F4" + QUIET, "u:d", "b:normale", "u:l", "h:G4"
    )
    assert {"u:l", "u:d"} <= run.options


@pytest.mark.rule("aslsk:3.3.1.road_bonus", "aslsk:1.1.1.roads")
def test_the_road_bonus_is_lost_with_the_first_step_off_the_road():
    on = Table(
        MOVE + "unità: {c: ru-447 F6" + QUIET, "u:c", "b:normale", "h:G6", "h:H5", "h:I5", "h:I6"
    )
    assert on.options == {"h:I7", "h:I5", "b:fine"}
    off = Table(
        MOVE + "unità: {c: ru-447 F7" + QUIET, "u:c", "b:normale", "h:G7", "h:G6", "h:H5", "h:I5"
    )
    assert off.options == {"b:fine"}
    assert "3.3.1.mf_table" in off.why_not("h:I6")


# Defensive first fire


@pytest.mark.rule("aslsk:3.3.3.ffmo")
def test_a_hindrance_denies_ffmo():
    clear = Table(
        MOVE + "unità: {c: ru-447 H6, d: ge-467 K8}",
        "u:c",
        "b:normale",
        "h:I6",
        "u:d",
        dice=[(5, 6)],
    )
    assert "3.3.3.ffmo" in clear.cited
    smoky = Table(
        MOVE + "unità: {c: ru-447 H6, d: ge-467 K8}\nfumo: {J7: 1, K7: 1, J6: 1}",
        "u:c",
        "b:normale",
        "h:I6",
        "u:d",
        dice=[(5, 6)],
    )
    assert "1.2.5" in smoky.cited
    assert smoky.told("3.3.3.ffmo", "unit", of="DRM") == []
    assert smoky.told(("3.3.3.ffmo",)) == [{}]


@pytest.mark.rule("aslsk:casa.50", "aslsk:3.2.2.mandatory_fg")
def test_a_hex_fires_once_at_each_expenditure_of_a_mover():
    run = Table(
        MOVE + "unità: {c: ru-447 I4, d: ge-467 K5, e: ge-467 K5, g: ge-467 L4}",
        "u:c", "b:normale", "h:J4", "u:d", "b:fuoco",
        dice=[(5, 6), (1, 2)],
    )  # fmt: skip
    assert {"3.2.2.mandatory_fg", "casa.50"} <= run.why_not("u:e")
    run.play("b:passa", "h:K4")
    assert "u:e" in run.options


@pytest.mark.rule("aslsk:3.2.2.mandatory_fg")
def test_what_is_remembered_of_a_volley_names_hexes_only():
    run = Table(
        MOVE + "unità: {c: ru-447 I4, d: ge-467 K5}",
        "u:c",
        "b:normale",
        "h:J4",
        "u:d",
        dice=[(5, 6)],
    )
    assert [
        f["target"] for f in run.told("3.2.2.mandatory_fg", "at", "hex", "target", of="Volley")
    ] == ["J4"]


@pytest.mark.rule("aslsk:3.3.3.sff")
def test_subsequent_first_fire_needs_the_nearest_enemy_in_normal_range():
    near = ", a: ru-447 K3 done"
    base = MOVE + "unità: {b: ru-527 H4%s, d: ge-467 K5 first used=fp}"
    assert "u:d" in Table(base % near, "u:b", "b:normale", "h:I5").options
    far = Table(base % ", a: ru-447 K4 done", "u:b", "b:normale", "h:I5")
    assert far.asked.side == "russian"
    long = Table(
        MOVE + "unità: {b: ru-527 J4, d: ge-447 K9 first used=fp, e: ge-467 M3}",
        "u:b", "b:normale", "h:K4",
    )  # fmt: skip
    assert "3.3.3.sff" in long.why_not("u:d")


@pytest.mark.rule("aslsk:3.3.3.sff", "aslsk:4.1.breakdown", "aslsk:casa.16")
@pytest.mark.parametrize(
    ("dice", "state"), [((4, 5), "works"), ((4, 6), "broken"), ((5, 6), "broken"), ((6, 6), "lost")]
)
def test_a_machine_gun_in_sff_breaks_two_earlier_and_is_lost_at_its_number(dice, state):
    run = Table(
        MOVE + 'unità: {b: ru-527 H4, d: "ge-467 K5 first used=fp,m"}\narmi: {m: ge-mmg d first}',
        "u:b", "b:normale", "h:I5", "u:d", "u:m",
        dice=[dice, (1, 2)],
    )  # fmt: skip
    gun = run.state.weapons["m"]
    assert ("lost" if gun.place != "map" else "broken" if gun.broken else "works") == state
    assert strengths(run) == [4.5]


@pytest.mark.rule("aslsk:3.3.3.sff")
def test_sff_flips_every_weapon_even_those_that_did_not_fire():
    run = Table(
        MOVE + "unità: {b: ru-527 H4, d: ge-467 K5 first used=fp}\narmi: {m: ge-mmg d}",
        "u:b", "b:normale", "h:I5", "u:d", "b:fuoco",
        dice=[(5, 6)],
    )  # fmt: skip
    assert (run.state.units["d"].fire, run.state.weapons["m"].fire) == ("Final Fire", "Final Fire")


@pytest.mark.rule("aslsk:3.3.3.fpf")
def test_final_protective_fire_reaches_adjacent_hexes_only():
    base = MOVE + "unità: {f: ru-447 J7, d: ge-467 K5 final used=fp, e: ge-467 M6}"
    near = Table(base, "u:f", "b:normale", "h:J6")
    assert "3.3.3.fpf" in near.why_not("u:d")
    near.play("b:passa", "h:K6")
    assert "u:d" in near.options


@pytest.mark.rule("aslsk:3.3.3.fpf")
@pytest.mark.parametrize(
    ("dice", "pinned", "broken"),
    [((2, 4), False, False), ((3, 4), True, False), ((3, 5), False, True)],
)
def test_the_dr_of_fpf_is_a_check_of_the_firer(dice, pinned, broken):
    run = Table(
        MOVE + "unità: {f: ru-447 J6, d: ge-467 K5 final used=fp}",
        "u:f",
        "b:normale",
        "h:K6",
        "u:d",
        dice=[dice, (1, 2)],
    )
    unit = run.state.units["d"]
    assert (unit.pinned, unit.broken) == (pinned, broken)
    assert strengths(run) == [4]


@pytest.mark.rule("aslsk:3.3.3.fpf", "aslsk:3.2.2.leader")
def test_only_leadership_changes_the_check_of_fpf():
    run = Table(
        MOVE + "unità: {f: ru-447 J6, d: ge-467 K5 final used=fp, l: ge-9-1 K5}",
        "u:f", "b:normale", "h:K6", "u:d", "u:l",
        dice=[(3, 5), (1, 2)],
    )  # fmt: skip
    assert not run.state.units["d"].broken
    assert run.state.units["d"].pinned
    assert not run.state.units["l"].pinned


# Residual FP


@pytest.mark.rule("aslsk:3.3.5", "aslsk:casa.23")
@pytest.mark.parametrize(
    ("dice", "left", "ours"), [((4, 5), 4, False), ((1, 5), 2, True), ((6, 5), 4, False)]
)
def test_a_weapon_that_keeps_its_rate_leaves_nothing_of_its_own(dice, left, ours):
    run = Table(
        MOVE + "unità: {c: ru-447 I4, d: ge-467 K5}\narmi: {m: ge-mmg d}",
        "u:c", "b:normale", "h:J4", "u:d", "u:m",
        dice=[dice, (1, 2)],
    )  # fmt: skip
    if "b:tieni" in run.options:
        run.play("b:tieni")
    assert run.state.residual["J4"] == left * 2
    assert ("casa.23" in run.cited) == ours


@pytest.mark.rule("aslsk:3.3.5.shift")
def test_hindrance_and_exhaustion_shift_residual_fp():
    base = MOVE + "unità: {c: ru-447 H6, d: ge-467 K8%s}%s"
    step = ("u:c", "b:normale", "h:I6", "u:d")
    assert Table(base % ("", ""), *step, dice=[(5, 6)]).state.residual == {"I6": 2}
    smoky = Table(base % ("", "\nfumo: {J7: 1, K7: 1, J6: 1}"), *step, dice=[(5, 6)])
    assert smoky.state.residual.get("I6", 0) < 2
    assert Table(base % (" CX", ""), *step, dice=[(5, 6)]).state.residual == {"I6": 1}


@pytest.mark.rule("aslsk:3.3.5.attack")
def test_residual_fp_strikes_who_enters_and_not_who_leaves():
    run = Table(
        MOVE + "unità: {c: ru-447 H5" + QUIET + "residuo: {I5: 2, H5: 2}",
        "u:c",
        "b:normale",
        "h:I5",
        dice=[(5, 6)],
    )
    assert [f["hex"] for f in run.told("3.3.5.attack", "fp", "hex")] == ["I5"]
    run.play("h:I6")
    assert len(run.told("3.3.5.attack", "fp", "hex")) == 1
