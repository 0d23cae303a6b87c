"""Numbers of the turn: its end, smoke that thins out, DC, CC, set-up, hills (1.1.1, 1.2, 3.8, 3.9, 4.3)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import msgspec
import pytest

from engine.aslsk import TITLE
from engine.aslsk.rules.rally import why_not_self_rally
from engine.aslsk.rules.reactions import why_not_motion
from engine.aslsk.rules.setup import why_not_park, why_not_possess
from engine.aslsk.rules.terrain import climbed_in_sight
from engine.aslsk.state.state import Smoke
from engine.game import Game, ScriptedChance
from tests.aslsk.table import Table, state_of
from tests.positions import locators

replace = msgspec.structs.replace


def played(state, *dice):
    return Game(TITLE, "R1", ScriptedChance(dice), start=state).position


# The end of a turn


@pytest.mark.rule("aslsk:3.9")
@pytest.mark.parametrize(
    ("attacker", "turn", "half", "is_over"),
    [
        ("american", 7, False, False),
        ("american", 7, True, True),
        ("american", 6, True, False),
        ("german", 6, False, False),
        ("german", 7, False, True),
    ],
)
def test_the_game_ends_with_its_last_player_turn(attacker, turn, half, is_over):
    state = state_of(
        f"lati: [american, german]\nturni: 7\nturno: {turn}\nattaccante: {attacker}\nfase: CCPh\nunità: {{a: us-666 A1, x: ge-467 M1}}"
    )
    found = played(replace(state, half=half)).draft
    assert bool(found.winner) is is_over
    if not is_over:
        after = turn + (attacker == "german")
        assert (found.turn, found.attacker) == (after, state.enemy(attacker))


@pytest.mark.rule("aslsk:1.2.5")
@pytest.mark.parametrize(
    ("kind", "side", "left"),
    [
        ("full", "german", (2, "dispersed")),
        ("full WP", "german", (1, "dispersed WP")),
        ("dispersed", "german", None),
        ("full", "american", (3, "full")),
    ],
)
def test_the_smoke_of_the_attacker_thins_out_when_his_turn_begins(kind, side, left):
    state = state_of(
        "lati: [american, german]\nturni: 7\nattaccante: american\nfase: CCPh\nunità: {a: us-666 A1, x: ge-467 M1}"
    )
    found = played(replace(state, smoke={"C6": Smoke(3, kind, side)})).draft
    one = found.smoke.get("C6")
    assert (one and (one.value, one.kind)) == left


# Set-up


@pytest.mark.rule("aslsk:4.0.portage")
@pytest.mark.parametrize(
    ("held", "refused"), [("", False), ("m: ge-lmg l", False), ("m: ge-lmg l, n: ge-lmg l", True)]
)
def test_a_leader_is_given_two_pp_at_most(held, refused):
    state = state_of(f"unità: {{l: ge-9-1 A1, a: ge-467 A1}}\narmi: {{w: ge-lmg a, {held}}}")
    against = why_not_possess(state, state.weapons["w"], state.units["l"])
    assert ("4.0.portage" in locators(against)) is refused


@pytest.mark.rule("aslsk:1.2.6")
@pytest.mark.parametrize(
    ("gun", "hex", "refused"),
    [
        ("ge-75l", "B2", False),
        ("ge-88l", "B2", True),
        ("ge-81mtr", "B2", False),
        ("br-40l", "B2", False),
        ("ru-76l", "B2", True),
        ("ge-88l", "A1", False),
    ],
)
def test_a_large_gun_stays_out_of_buildings(gun, hex, refused):
    state = state_of(f"unità: {{c: ge-228 {hex}, k: ge-228 A5}}\narmi: {{g: {gun} k ca=0}}")
    against = why_not_possess(state, state.weapons["g"], state.units["c"])
    assert ("1.2.6" in locators(against)) is refused


# Demolition charges and Panzerfausts


@pytest.mark.rule("aslsk:4.3.placement")
@pytest.mark.parametrize(("spent", "refused"), [(0, False), (8, True)])
def test_a_charge_is_placed_with_the_mf_of_entering(spent, refused):
    run = Table(
        f"lati: [american, german]\nfase: MPh\nunità: {{a: us-666 C9, x: ge-467 M1}}\narmi: {{d: us-dc a}}\nmossa: {{unità: [a], speso: {spent}}}"
    )
    assert ("b:carica" in run.options) is not refused
    if refused:
        assert "4.3.placement" in run.why_not("b:carica")


@pytest.mark.rule("aslsk:4.4.2")
@pytest.mark.parametrize(
    ("firer", "dice", "harmed"),
    [
        ("ge-467", (6, 5), False),
        ("ge-467", (6, 6), True),
        ("ge-447", (6, 5), False),
        ("ge-436", (6, 5), True),
    ],
)
def test_a_bad_roll_with_a_panzerfaust_harms_its_firer(firer, dice, harmed):
    run = Table(
        f"lati: [german, american]\ndata: 1944-06\nfase: PFPh\npf: {{german: 5}}\nunità: {{a: {firer} C9, b: ge-467 A1, x: us-666 M1}}\nveicoli: {{t: us-m4 C8 vca=0}}",
        "u:a:pf", "h:C8", dice=[(1,), dice],
    )  # fmt: skip
    assert (run.state.units["a"].type != firer or run.state.units["a"].place != "map") is harmed


# Hills


@pytest.mark.rule("aslsk:1.1.1.hills.height_advantage")
@pytest.mark.parametrize(
    ("firer", "in_sight"), [("K6", True), ("I5", True), ("L6", True), ("J1", False)]
)
def test_who_climbs_in_sight_has_no_height_advantage(firer, in_sight):
    state = state_of(
        "lati: [german, american]\nfase: MPh\nunità: {a: ge-467 K4, x: us-666 A1}\nmossa: {unità: [a], da: K5, speso: 2, scia: [[K5, 0], [K4, 2]]}"
    )
    assert climbed_in_sight(state, state.units["a"], firer) is in_sight


# What forbids


@pytest.mark.rule("aslsk:1.1.1.buildings", "aslsk:2.0.stacking")
@pytest.mark.parametrize(
    ("kind", "hex", "against"),
    [
        ("ru-ba6", "B2", {"1.1.1.buildings"}),
        ("ru-ba6", "A1", set()),
        ("ru-t34m43", "B2", set()),
        ("ru-t34m43", "A5", {"2.0.stacking"}),
    ],
)
def test_an_armoured_car_is_not_parked_in_a_building(kind, hex, against):
    state = state_of(
        f"unità: {{x: ge-467 M1}}\nveicoli: {{t: {kind} A9 vca=0, u: ru-t70 A5 vca=0}}"
    )
    assert locators(why_not_park(state, state.vehicles["t"], hex)) == against


@pytest.mark.rule("aslsk:2.0.mobile", "aslsk:3.3.2.1")
@pytest.mark.parametrize(
    ("marks", "is_mobile"),
    [
        ("", True),
        ("bogged", False),
        ("immobilized", False),
        ("stun", False),
        ("shock", False),
    ],
)
def test_only_a_mobile_vehicle_tries_motion(marks, is_mobile):
    state = state_of(
        f"lati: [german, russian]\nfase: MPh\nunità: {{x: ge-467 C6}}\nveicoli: {{t: ru-t34m43 C9 vca=0 {marks}}}\nmossa: {{unità: [x], speso: 4}}"
    )
    assert ("2.0.mobile" in locators(why_not_motion(state, state.vehicles["t"]))) is not is_mobile


@pytest.mark.rule("aslsk:3.1.e", "aslsk:3.8.melee")
@pytest.mark.parametrize(
    ("marks", "side", "against"),
    [
        ("", "german", set()),
        ("Melee", "german", {"3.8.melee"}),
        ("tried=1", "german", {"3.1"}),
        ("", "russian", {"3.1.e"}),
    ],
)
def test_what_forbids_self_rally(marks, side, against):
    state = state_of(
        f"lati: [german, russian]\nattaccante: {side}\nfase: RPh\npasso: e\nunità: {{a: ge-467 C6 broken {marks}, x: ru-447 M1}}"
    )
    assert locators(why_not_self_rally(state, state.units["a"])) == against
