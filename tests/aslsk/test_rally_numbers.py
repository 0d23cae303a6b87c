"""Numbers of the RPh and what forbids its actions: repair, transfer, rally, Shock, leaders (3.1, 5.3)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from engine.aslsk import TITLE
from engine.aslsk.rules.advance import why_not_hatch
from engine.aslsk.rules.rally import (
    create_leader,
    recover_shock,
    repair_vehicle,
    repair_weapon,
    why_not_rally,
    why_not_repair,
    why_not_transfer,
)
from engine.aslsk.rules.vehicles import why_not_dispense
from engine.core.ctx import Ctx
from engine.game import ScriptedChance
from tests.aslsk.table import state_of
from tests.positions import locators

RPH = "lati: [german, russian]\nfase: RPh\n"


def rolled(state, *dice):
    return Ctx(TITLE, state, [], ScriptedChance(dice))


# Repair


@pytest.mark.rule("aslsk:3.1.c", "aslsk:4.0.captured", "aslsk:3.1", "aslsk:7.8")
@pytest.mark.parametrize(
    ("owner", "weapon", "name", "against"),
    [
        ("ge-467 A1", "ge-mmg a malfunctioned", "m", set()),
        ("ge-467 A1", "ru-mmg a malfunctioned lato=russian", "m", {"4.0.captured"}),
        ("ge-467 A1 broken", "ge-mmg a malfunctioned", "m", {"3.1.c"}),
        ("ge-467 A1 done", "ge-mmg a malfunctioned", "m", {"3.1"}),
        ("ge-467 A1", "ge-mmg a malfunctioned", "t:aamg", {"7.8"}),
        ("ge-467 A1", "ge-mmg a malfunctioned", "t:cmg", set()),
        ("ge-467 A1", "ge-mmg a malfunctioned", "u:aamg", set()),
        ("ge-467 A1", "ge-mmg a malfunctioned", "", set()),
    ],
)
def test_what_forbids_a_repair(owner, weapon, name, against):
    state = state_of(
        RPH
        + f"unità: {{a: {owner}, x: ru-447 M1}}\narmi: {{m: {weapon}}}\nveicoli: {{t: ge-ivh C9 vca=0, u: ge-ivh C8 vca=0 CE}}"
    )
    assert locators(why_not_repair(state, name)) == against


@pytest.mark.rule("aslsk:3.1.c", "aslsk:1.2.4")
@pytest.mark.parametrize("dr", range(1, 7))
def test_a_weapon_is_repaired_at_its_number_and_lost_with_6(dr):
    state = state_of(RPH + "unità: {a: ge-467 A1, x: ru-447 M1}\narmi: {m: ge-mmg a malfunctioned}")
    ctx = rolled(state, (dr,))
    repair_weapon(ctx, "m")
    weapon = ctx.state.weapons["m"]
    assert weapon.broken is (state.weapons["m"].data.r < dr)
    assert (weapon.place == "eliminated") is (dr == 6)
    assert ctx.state.units["a"].done


@pytest.mark.rule("aslsk:7.2", "aslsk:7.8", "aslsk:7.10.recall")
@pytest.mark.parametrize("dr", range(1, 7))
def test_the_weapons_of_a_vehicle_are_repaired_with_1_and_lost_with_6(dr):
    state = state_of(
        RPH + "unità: {x: ru-447 M1}\nveicoli: {t: ge-ivh C9 vca=0 ma=broken broken=cmg}"
    )
    ctx = rolled(state, (dr,))
    repair_vehicle(ctx, "t:cmg")
    arms = ctx.state.vehicles["t"].arms
    assert ("cmg" in arms.lost) is (dr == 6)
    ctx = rolled(state, (dr,))
    repair_vehicle(ctx, "t:ma")
    tank = ctx.state.vehicles["t"]
    assert (tank.arms.ma == "") is (dr == 1)
    assert tank.recall is (dr == 6)


# Hands


@pytest.mark.rule("aslsk:3.1.d", "aslsk:4.0", "aslsk:1.2.6")
@pytest.mark.parametrize(
    ("giver", "taker", "weapon", "against"),
    [
        ("ge-467 A1", "ge-467 A1", "ge-mmg a", set()),
        ("ge-467 A1 broken", "ge-467 A1", "ge-mmg a", {"3.1.d"}),
        ("ge-467 A1", "ge-467 A1 broken", "ge-mmg a", {"3.1.d"}),
        ("ge-467 A1 done", "ge-467 A1", "ge-mmg a", {"3.1"}),
        ("ge-467 A1", "ge-467 A1 done", "ge-mmg a", {"3.1"}),
        ("ge-467 A1", "ge-467 A1", "ge-mmg a recovered=1", {"4.0"}),
    ],
)
def test_what_forbids_a_transfer(giver, taker, weapon, against):
    state = state_of(
        RPH + f"unità: {{a: {giver}, b: {taker}, x: ru-447 M1}}\narmi: {{m: {weapon}}}"
    )
    assert locators(why_not_transfer(state, state.weapons["m"], state.units["b"])) == against


# Rally


@pytest.mark.rule("aslsk:3.1.f", "aslsk:3.8.melee", "aslsk:3.1")
@pytest.mark.parametrize(
    ("marks", "leader", "against"),
    [
        ("", "ge-9-1 A1", set()),
        ("Melee", "ge-9-1 A1", {"3.8.melee"}),
        ("tried=1", "ge-9-1 A1", {"3.1"}),
        ("", "ge-9-1 A2", {"3.1.f"}),
        ("", "ge-9-1 A1 broken", {"3.1.f"}),
        ("", "ge-9-1 A1 done", {"3.1.f"}),
    ],
)
def test_what_forbids_a_rally(marks, leader, against):
    state = state_of(RPH + f"unità: {{a: ge-467 A1 broken {marks}, l: {leader}, x: ru-447 M1}}")
    assert locators(why_not_rally(state, state.units["a"])) == against


@pytest.mark.rule("aslsk:3.1.g", "aslsk:7.10.shock")
@pytest.mark.parametrize("dr", range(1, 7))
def test_shock_passes_with_2_and_a_crew_unknown_with_3(dr):
    state = state_of(RPH + "unità: {x: ru-447 M1}\nveicoli: {t: ge-ivh C9 vca=0 shock}")
    ctx = rolled(state, (dr,))
    recover_shock(ctx)
    first = ctx.state
    assert (first.vehicles["t"].crew.shock == "") is (dr <= 2)
    if dr > 2:
        again = rolled(first, (dr,))
        recover_shock(again)
        tank = again.state.vehicles["t"]
        assert (tank.crew.shock == "") is (dr <= 3) or tank.wreck
        assert tank.wreck is (dr > 3)


@pytest.mark.rule("aslsk:5.3")
@pytest.mark.parametrize(
    ("side", "morale", "broken", "drm"),
    [
        ("german", 7, False, -1),
        ("german", 8, False, -2),
        ("german", 6, False, 0),
        ("german", 7, True, 0),
        ("american", 7, False, -1),
        ("russian", 6, True, 3),
    ],
)
def test_the_drm_of_leader_creation(side, morale, broken, drm):
    other = "american" if side == "german" else "german"
    state = state_of(f"lati: [{side}, {other}]\nfase: RPh\nunità: {{a: ge-467 A1, x: us-666 M1}}")
    ctx = rolled(state, (6,))
    create_leader(ctx, side, "A1", morale, broken)
    totals = [step.tally.total for step in ctx.steps if step.tally is not None]
    assert (totals[-1] if totals else 0) == drm


# Vehicles


@pytest.mark.rule("aslsk:7.5", "aslsk:casa.38")
@pytest.mark.parametrize(
    ("tank", "against"),
    [
        ("ge-ivh C9 vca=0", set()),
        ("ge-ivh C9 vca=0 smoked", {"7.5"}),
        ("ge-ivh C9 vca=0 stun", {"7.5"}),
        ("ge-ivh C9 vca=0 shock", {"7.5"}),
        ("ge-ivh C9 vca=0 fired=cmg", {"7.5", "casa.38"}),
    ],
)
def test_what_forbids_smoke_dispensers(tank, against):
    state = state_of(
        f"lati: [german, american]\nfase: MPh\nunità: {{x: us-666 M1}}\nveicoli: {{t: {tank}}}"
    )
    assert locators(why_not_dispense(state, state.vehicles["t"])) == against


@pytest.mark.rule("aslsk:7.7", "aslsk:3.2.3.pinned", "aslsk:7.10.recall")
@pytest.mark.parametrize(
    ("marks", "against"),
    [
        ("", set()),
        ("changed=1", {"7.7"}),
        ("stun", {"7.7"}),
        ("shock", {"7.7"}),
        ("shut=1", {"3.2.3.pinned"}),
        ("shut=1 CE", set()),
        ("recall", set()),
    ],
)
def test_what_forbids_to_open_or_shut_the_hatch(marks, against):
    state = state_of(RPH + f"unità: {{x: ru-447 M1}}\nveicoli: {{t: ge-ivh C9 vca=0 {marks}}}")
    assert locators(why_not_hatch(state, "t")) == against
