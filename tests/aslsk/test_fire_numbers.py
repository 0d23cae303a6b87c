"""Numbers of the fire chapters: FP, DRM, Residual FP, Panzerfausts, smoke (3.2, 3.3.5, 4.4, 6.2)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.aslsk import TITLE
from engine.aslsk.rules.elements import find, reach
from engine.aslsk.rules.firepower import element_fp, firer_drm
from engine.aslsk.rules.ordnance import LATW, Aim
from engine.aslsk.rules.sight import los, sees
from engine.aslsk.rules.strikes import Residue, leave_residual
from engine.aslsk.rules.to_kill import Shell
from engine.aslsk.rules.weapons import why_not_pf
from engine.aslsk.state.state import PREP
from engine.core.ctx import Ctx
from tests.aslsk.table import Table, state_of
from tests.positions import locators

GE = "lati: [german, russian]\nfase: PFPh\n"


# FP and DRM


@pytest.mark.rule("aslsk:3.5.assault_fire")
@pytest.mark.parametrize(
    ("target", "fp"), [("A6", Fraction(4)), ("A7", Fraction(4)), ("A8", Fraction(3, 2))]
)
def test_assault_fire_counts_up_to_normal_range(target, fp):
    state = state_of(
        f"lati: [american, german]\nfase: AFPh\nunità: {{a: us-666 A1, x: ge-467 {target}}}"
    )
    found = element_fp(Ctx(TITLE, state, []), find(state, "american", "a"), target, True, False)
    assert found == fp


@pytest.mark.rule("aslsk:7.10.stun")
@pytest.mark.parametrize(("plus", "value"), [(0, 0), (1, 1)])
def test_a_crew_that_was_stunned_fires_worse(plus, value):
    state = state_of(GE + f"unità: {{x: ru-447 C6}}\nveicoli: {{t: ge-ivh C9 vca=0 plus={plus}}}")
    found = firer_drm(
        state, [find(state, "german", "t:cmg")], [], {"C9": los(state, "C9", "C6")}, "C6"
    )
    assert sum(one.value for one in found) == value
    assert any("aslsk:7.10.stun" in one.ruling.refs for one in found) is bool(plus)


@pytest.mark.rule("aslsk:3.2.1.hindrance", "aslsk:1.2.5")
@pytest.mark.parametrize(("smoke", "is_seen"), [("{A3: 3}", True), ("{A3: 3, A4: 3}", False)])
def test_smoke_that_adds_up_to_six_hides(smoke, is_seen):
    state = state_of(GE + f"unità: {{a: ge-467 A2}}\nfumo: {smoke}")
    assert sees(state, "A2", "A6") is is_seen


# A shot without LOS


@pytest.mark.rule("aslsk:3.2.1.declare", "aslsk:1.2.4.1")
def test_without_los_a_weapon_may_keep_its_rof_and_a_squad_has_fired():
    run = Table(
        GE + "unità: {a: ge-467 D1, b: ge-467 A10, x: ru-447 D4}\narmi: {m: ge-mmg a}",
        "u:a", "h:D4", "u:m", dice=[(1, 4)],
    )  # fmt: skip
    assert "3.2.1.declare" in run.cited
    assert run.state.units["a"].fire == PREP
    assert run.state.weapons["m"].fire == ""


# Residual FP


@pytest.mark.rule("aslsk:3.3.5", "aslsk:3.2.2.cowering", "aslsk:3.3.5.shift")
@pytest.mark.parametrize(
    ("fp", "cowering", "burst", "left"),
    [
        (1, 0, True, 1),
        (1, 1, True, 0),
        (2, 1, True, 1),
        (2, 0, False, 1),
        (2, 1, False, 0),
        (4, 0, False, 2),
    ],
)
def test_residual_fp_is_that_of_the_column_used(fp, cowering, burst, left):
    ctx = Ctx(TITLE, state_of(GE + "unità: {a: ge-467 A2}"), [])
    leave_residual(ctx, "C6", Residue(Fraction(fp), cowering=cowering, burst=burst))
    assert ctx.state.residual.get("C6", 0) == left


# Panzerfausts and smoke


@pytest.mark.rule("aslsk:4.4.2")
@pytest.mark.parametrize(
    ("date", "hex", "reaches"),
    [
        ("1944-05", "C8", True),
        ("1944-05", "C7", False),
        ("1944-06", "C7", True),
        ("1944-06", "C6", False),
        ("1945-01", "C6", True),
        ("1945-01", "C5", False),
    ],
)
def test_a_panzerfaust_reaches_farther_year_by_year(date, hex, reaches):
    state = state_of(
        f"lati: [german, american]\ndata: {date}\nfase: PFPh\npf: {{german: 5}}\nunità: {{a: ge-467 C9}}\nveicoli: {{t: us-m4 {hex} vca=0}}"
    )
    against = why_not_pf(state, find(state, "german", "a:pf"), Aim(LATW, hex, "t", "H"))
    assert ("4.4.2" in locators(against)) is not reaches


@pytest.mark.rule("aslsk:6.2.wp", "aslsk:1.2.5")
def test_wp_shakes_those_it_falls_on():
    run = Table(
        "lati: [american, german]\nfase: PFPh\npasso: smoke\nunità: {c: us-227 C9, x: ge-467 C6}\narmi: {g: us-81mtr c ca=0}",
        "u:g-WP", "h:C6", dice=[(2, 3), (6, 6)],
    )  # fmt: skip
    assert "C6" in run.state.smoke
    assert run.state.units["x"].broken


@pytest.mark.rule("aslsk:6.2.smoke")
def test_smoke_is_fired_as_far_as_the_weapon_reaches():
    run = Table(
        "lati: [british, german]\nfase: PFPh\npasso: smoke\nunità: {a: br-457 A1, x: ge-467 M9}\narmi: {m: br-51mtr a}",
    )
    (smoker,) = [option for option in run.options if option.startswith("u:m-")]
    run.play(smoker)
    decision = run.game.position.decision
    field, limit = run.state.ground, reach(run.state, find(run.state, "british", "m"))
    offered = {option[2:] for option in {*run.options, *decision.refused}}
    assert offered == {hex for hex in field.labels if 0 < field.range("A1", hex) <= limit}
    assert any(field.range("A1", hex) == limit for hex in offered)


# To Kill


@pytest.mark.rule("aslsk:7.12")
@pytest.mark.parametrize(
    ("ammo", "calibre", "special", "fp"),
    [
        ("AP", 20, "", 1),
        ("AP", 36, "", 1),
        ("AP", 37, "", 2),
        ("AP", 75, "", 2),
        ("APCR", 75, "", 1),
        ("APDS", 57, "", 1),
        ("AP", 15, "ATR", 1),
        ("MG", 15, "", 1),
        ("H", 0, "psk", 12),
        ("H", 0, "pf", 16),
        ("H", 0, "baz44", 8),
    ],
)
def test_the_fp_of_a_collateral_attack(ammo, calibre, special, fp):
    assert Shell(ammo, calibre=calibre, special=special).collateral_fp == fp
