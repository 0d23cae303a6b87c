"""Numbers of vehicles: bogging, turning, hedges, Residual FP (7.6, 7.8, 1.1.1, 3.3.5)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from engine.aslsk import TITLE
from engine.aslsk.rules.bogging import bogs
from engine.aslsk.rules.firers import turn_vehicle
from engine.core.ctx import Ctx
from engine.game import ScriptedChance
from tests.aslsk.table import Table, state_of

RU = "lati: [russian, german]\nfase: MPh\n"


@pytest.mark.rule("aslsk:7.6", "aslsk:2.0.ground_pressure", "aslsk:casa.48")
@pytest.mark.parametrize(
    ("kind", "hex", "how", "bogs_at", "is_house_ruling"),
    [
        ("ru-t34m43", "D5", "enter", 11, False),
        ("ru-t34m43", "D5", "half", 8, False),
        ("ru-t34m43", "B2", "enter", 8, False),
        ("ru-t34m43", "B2", "turn", 11, True),
        ("ru-t34m43", "B2", "hedge", 11, True),
        ("ru-t34m43", "D5", "turn", 11, True),
        ("ru-ba6", "D5", "enter", 10, True),
        ("ru-ba6", "D5", "turn", 11, True),
    ],
)
def test_the_number_of_a_bog_check(kind, hex, how, bogs_at, is_house_ruling):
    state = state_of(RU + f"unità: {{x: ge-467 A1}}\nveicoli: {{t: {kind} C9 vca=0}}")
    for dr in range(2, 13):
        faces = (dr // 2, dr - dr // 2)
        ctx = Ctx(TITLE, state, [], ScriptedChance([faces]))
        assert bogs(ctx, state.vehicles["t"], hex, how) is (dr >= bogs_at), dr
        assert ("aslsk:casa.48" in ctx.steps[-1].ruling.refs) is is_house_ruling


@pytest.mark.rule("aslsk:3.2.4.vca_tca", "aslsk:7.8")
@pytest.mark.parametrize(("spine", "turns"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 2), (5, 1)])
def test_a_turret_turns_the_short_way(spine, turns):
    state = state_of(RU + "unità: {x: ge-467 A1}\nveicoli: {t: ru-t34m43 C9 vca=0}")
    ctx = Ctx(TITLE, state, [])
    turn_vehicle(ctx, "t", "ma", spine)
    v = ctx.state.vehicles["t"]
    assert (v.vca, v.tca, v.marks.swing) == (0, spine, turns)


@pytest.mark.rule("aslsk:1.1.1.hedges.move", "aslsk:7.6")
@pytest.mark.parametrize(
    ("kind", "to", "rolls"),
    [("ru-ba6", "C6", 0), ("ru-ba6", "B6", 1), ("ru-t34m43", "B6", 0), ("ru-t34m43", "C6", 0)],
)
def test_only_an_armoured_car_that_crosses_a_hedge_may_stick_there(kind, to, rolls):
    vca = {"C6": 0, "B6": 5}[to]
    run = Table(
        RU + f"unità: {{x: ge-467 M1}}\nveicoli: {{t: {kind} C7 vca={vca} running}}\nmossa: {{unità: [t], speso: 0}}",
        f"h:{to}", dice=[(1, 1)],
    )  # fmt: skip
    assert run.state.vehicles["t"].hex == to
    assert sum(bool(s.chance) for s in run.game.steps) == rolls


@pytest.mark.rule("aslsk:3.3.5.attack")
@pytest.mark.parametrize(("crew", "is_struck"), [("CE", True), ("BU", False)])
def test_residual_fp_strikes_a_crew_that_looks_out(crew, is_struck):
    run = Table(
        RU
        + f"unità: {{x: ge-467 M1}}\nveicoli: {{t: ru-t34m43 C7 vca=0 running {crew}}}\nresiduo: {{C6: 6}}\nmossa: {{unità: [t], speso: 0}}",
        dice=[(6, 6)] * 4,
    )
    run.play("h:C6")
    assert ("3.3.5.attack" in run.cited) is is_struck
