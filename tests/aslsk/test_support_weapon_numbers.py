"""Numbers of support weapons: flamethrowers, Panzerfausts, who joins a FG, who pushes a Gun (4, 6.5)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from engine.aslsk import TITLE
from engine.aslsk.rules.elements import find
from engine.aslsk.rules.fire_groups import why_not_join
from engine.aslsk.rules.ordnance import VTT, Aim
from engine.aslsk.rules.rout import why_not_flee
from engine.aslsk.rules.weapons import fire_flame, flame_vehicle
from engine.aslsk.state.state import Router
from engine.core.ctx import Ctx
from engine.game import ScriptedChance
from tests.aslsk.table import Table, state_of
from tests.positions import locators

GE = "lati: [german, russian]\nfase: PFPh\n"


# Flamethrowers


@pytest.mark.rule("aslsk:4.2", "aslsk:4.0.captured", "aslsk:2.0.x_num")
@pytest.mark.parametrize(
    ("unit", "weapon", "lost_at"),
    [
        ("ge-548", "ge-ft", 10),
        ("ge-467", "ge-ft", 8),
        ("ge-9-1", "ge-ft", 10),
        ("ge-548", "ru-ft", 8),
        ("ge-436", "ge-ft", 7),
    ],
)
def test_a_flamethrower_is_used_up_sooner_in_other_hands(unit, weapon, lost_at):
    side = "russian" if weapon.startswith("ru") else "german"
    state = state_of(
        GE + f"unità: {{a: {unit} C9, x: ru-447 C8}}\narmi: {{f: {weapon} a lato={side}}}"
    )
    for dr in (6, 7, 8, 9, 10, 11):
        faces = (dr // 2 + 1, dr - dr // 2 - 1)
        ctx = Ctx(TITLE, state, [], ScriptedChance([faces, *[(1, 2)] * 8]))
        fire_flame(ctx, find(state, "german", "f"), "C8")
        assert (ctx.state.weapons["f"].place == "eliminated") is (dr >= lost_at), dr


@pytest.mark.rule("aslsk:4.2.vs_afv", "aslsk:casa.12", "aslsk:7.9")
@pytest.mark.parametrize(
    ("hex", "marks", "number"),
    [
        ("C8", "vca=3", 8),
        ("C7", "vca=3", 4),
        ("C8", "vca=3 CE", 9),
        ("C8", "vca=0", 9),
        ("C7", "vca=0 CE", 6),
    ],
)
def test_the_kill_number_of_a_flamethrower(hex, marks, number):
    state = state_of(
        GE
        + f"unità: {{a: ge-548 C9, x: ru-447 M1}}\narmi: {{f: ge-ft a}}\nveicoli: {{t: ru-t34m43 {hex} {marks}}}"
    )
    for dr in (number, number + 1):
        faces = (dr // 2, dr - dr // 2)
        ctx = Ctx(TITLE, state, [], ScriptedChance([faces, *[(6, 6)] * 4]))
        flame_vehicle(ctx, find(state, "german", "f"), Aim(VTT, hex, "t", ""))
        assert ctx.state.vehicles["t"].wreck is (dr <= number), dr
        assert ("aslsk:casa.12" in {r for s in ctx.steps for r in s.ruling.refs}) is (dr == number)


# Fire groups


@pytest.mark.rule("aslsk:3.2.2.fg", "aslsk:2.0.fg", "aslsk:3.2.2.mandatory_fg")
@pytest.mark.parametrize(
    ("first", "other", "against"),
    [
        ("a", "b", set()),
        ("a", "c", {"3.2.2.fg"}),
        ("a", "f", {"3.2.2.fg"}),
        ("a", "t:cmg", {"2.0.fg"}),
        ("t:cmg", "t:bmg", set()),
        ("t:cmg", "u:cmg", {"2.0.fg"}),
    ],
)
def test_who_fires_together(first, other, against):
    state = state_of(
        GE
        + "unità: {a: ge-467 C9, b: ge-467 C8, c: ge-467 E9, d: ge-467 C9, x: ru-447 C7}\narmi: {f: ge-ft d}\nveicoli: {t: ge-ivh C9 vca=0, u: ge-ivh C8 vca=0}"
    )
    group = [find(state, "german", first)]
    found = locators(why_not_join(state, group, find(state, "german", other), "C7"))
    assert found & {"3.2.2.fg", "2.0.fg"} == against


# Panzerfausts


@pytest.mark.rule("aslsk:4.4.2", "aslsk:3.2.4.procedure", "aslsk:3.3.1.double_time", "aslsk:3.5")
@pytest.mark.parametrize(
    ("phase", "marks", "cited"),
    [
        ("PFPh", "", set()),
        ("PFPh", "CX", {"3.3.1.double_time"}),
        ("PFPh", "pinned", {"3.2.4.procedure"}),
        ("AFPh", "", {"3.5"}),
    ],
)
def test_the_drm_of_a_panzerfaust(phase, marks, cited):
    run = Table(
        f"lati: [german, american]\ndata: 1944-06\nfase: {phase}\npf: {{german: 5}}\nunità: {{a: ge-467 C9 {marks}, b: ge-467 A1, x: us-666 M1}}\nveicoli: {{t: us-m4 C8 vca=0}}",
        "u:a:pf", "h:C8", dice=[(1,), (5, 5)],
    )  # fmt: skip
    lines = [s for s in run.game.steps if s.tally and s.tally.operation == "+"]
    found = {ref[6:] for s in lines for ref in s.ruling.refs}
    assert found & {"3.3.1.double_time", "3.2.4.procedure", "3.5"} == cited


@pytest.mark.rule("aslsk:4.4.2", "aslsk:6.2.heat")
def test_a_panzerfaust_among_several_picks_who_has_a_weapon_or_nobody():
    position = (
        "lati: [german, american]\ndata: 1944-06\nfase: PFPh\npf: {german: 5}\n"
        "unità: {a: ge-467 B3, b: ge-467 A10, s: us-666 B2, r: us-666 B2}\narmi: {m: us-mmg s}"
    )
    run = Table(position, "u:a:pf", "h:B2", dice=[(1,)])
    assert run.options == {"u:s", "b:caso"}


# Rout


@pytest.mark.rule("aslsk:3.6.toward", "aslsk:6.4", "aslsk:3.3.exit")
@pytest.mark.parametrize(
    ("hex", "against"), [("C5", set()), ("C7", {"3.6.toward"}), ("D5", {"6.4"}), ("B5", {"3.6.mf"})]
)
def test_where_a_routing_unit_does_not_set_foot(hex, against):
    state = state_of(
        "lati: [german, russian]\nfase: RtPh\nunità: {a: ge-467 C6 broken DM, x: ru-447 C7}"
    )
    router = Router("a", "C6", refused=("D5",))
    found = locators(why_not_flee(state, router, "C6", hex, 1 if hex == "B5" else 12))
    assert found & {"3.6.toward", "6.4", "3.6.mf", "3.3.exit"} == against
