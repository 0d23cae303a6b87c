"""Numbers of close combat: who may attack, with what, and the DRM (3.8)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.aslsk import TITLE
from engine.aslsk.rules.close_combat import (
    attack_drm,
    attack_strength,
    ccv,
    vehicle_drm,
    why_not_attack,
    why_not_hit,
    why_not_victim,
)
from engine.aslsk.state.state import CcAttack, CloseCombat
from engine.core.ctx import Ctx
from tests.aslsk.table import state_of
from tests.positions import locators

CC = "lati: [russian, german]\nfase: CCPh\n"


def hexed(units="", vehicles=""):
    """A CC in C6."""
    return state_of(CC + f"unità: {{z: ru-447 A1, {units}}}\nveicoli: {{{vehicles}}}")


# Vehicles


@pytest.mark.rule("aslsk:3.8.ccv")
@pytest.mark.parametrize(
    ("marks", "drm"),
    [
        ("", 0),
        ("Motion", 2),
        ("immobilized", -1),
        ("CE", -1),
        ("stun", -2),
        ("shock", -2),
        ("lost=bmg,cmg", -1),
        ("lost=bmg", 0),
        ("lost=cmg", 0),
        ("CE immobilized lost=bmg,cmg", -3),
    ],
)
def test_the_drm_of_a_vehicle_under_attack(marks, drm):
    state = hexed(vehicles=f't: "ru-t34m43 C6 vca=0 {marks}"')
    assert sum(one.value for one in vehicle_drm(state, state.vehicles["t"])) == drm


@pytest.mark.rule("aslsk:3.8.ccv", "aslsk:3.3.4")
@pytest.mark.parametrize(
    ("names", "fired", "value"),
    [
        ("a", False, 5),
        ("h", False, 3),
        ("l", False, 2),
        ("al", False, 6),
        ("a", True, 4),
        ("p", False, 4),
        ("lm", False, 3),
        ("c", False, 4),
    ],
)
def test_the_ccv_of_the_attackers(names, fired, value):
    state = hexed(
        "a: ge-467 C6, h: ge-247 C6, l: ge-9-1 C6, m: ge-8-0 C6, p: ge-467 C6 pinned, c: ge-228 C6"
    )
    assert ccv(state, list(names), fired) == value
    assert ccv(state, [], fired) == 0


@pytest.mark.rule("aslsk:3.8.afv_attack")
@pytest.mark.parametrize(
    ("marks", "fp"), [("", 4), ("Motion", 2), ("stun", 0), ("shock", 0), ("wreck", 0)]
)
def test_the_mg_of_a_vehicle_in_cc(marks, fp):
    state = hexed("a: ge-467 C6", f"t: ru-t34m43 C6 vca=0 {marks}")
    attack = CcAttack("russian", ("t:cmg",), ("a",))
    found = attack_strength(Ctx(TITLE, state, []), attack, CloseCombat("C6"), False)
    full = Fraction(state.vehicles["t"].data.cmg)
    assert found == full * fp / 4


@pytest.mark.rule("aslsk:7.10.stun", "aslsk:3.8.odds", "aslsk:3.8")
@pytest.mark.parametrize(
    ("mine", "foe", "tank", "drm"),
    [
        ("", "", "", 0),
        ("", "", "plus=1", 1),
        ("CX", "", "", 1),
        ("", "CX", "", -1),
        ("", "broken", "", -2),
        ("CX", "CX", "plus=1", 1),
    ],
)
def test_the_drm_of_an_attack(mine, foe, tank, drm):
    state = hexed(f"x: ru-447 C6 {mine}, a: ge-467 C6 {foe}", f"t: ru-t34m43 C6 vca=0 {tank}")
    attack = CcAttack("russian", ("x", "t:cmg"), ("a",))
    found = attack_drm(state, attack, ["a"], CloseCombat("C6"), False)
    assert sum(one.value for one in found) == drm


# Who attacks whom


@pytest.mark.rule("aslsk:3.8", "aslsk:3.8.smc", "aslsk:3.8.afv_attack")
def test_who_may_not_attack():
    state = hexed(
        "x: ru-447 C6, b: ru-447 C6 broken, l: ru-8-0 C6 joined=x, a: ge-467 C6",
        "t: ru-t34m43 C6 vca=0",
    )
    cc = CloseCombat("C6", acted=("y",))
    assert locators(why_not_attack(state, cc, "x", "russian")) == set()
    assert locators(why_not_attack(state, CloseCombat("C6", acted=("x",)), "x", "russian")) == {
        "3.8"
    }
    assert locators(why_not_attack(state, cc, "b", "russian")) == {"3.8"}
    assert locators(why_not_attack(state, cc, "l", "russian")) == {"3.8.smc"}
    assert locators(why_not_attack(state, cc, "t:cmg", "russian")) == set()


@pytest.mark.rule("aslsk:3.8.afv_attack")
def test_vehicles_do_not_attack_vehicles():
    state = hexed(vehicles="t: ru-t34m43 C6 vca=0, p: ge-ivh C6 vca=0")
    cc = CloseCombat("C6")
    assert locators(why_not_attack(state, cc, "t:cmg", "russian")) == {"3.8.afv_attack"}
    assert locators(why_not_victim(state, cc, "p", "t:cmg")) == {"3.8.afv_attack"}
    assert locators(why_not_victim(state, cc, "p", "z")) == set()


@pytest.mark.rule("aslsk:3.8.sn_attack")
@pytest.mark.parametrize(
    ("marks", "ambusher", "against"),
    [
        ("", "", {"3.8.sn_attack"}),
        ("attacked=1", "", set()),
        ("", "german", set()),
        ("", "russian", {"3.8.sn_attack"}),
    ],
)
def test_sn_answers_an_attack_or_an_ambush(marks, ambusher, against):
    state = hexed("x: ru-447 C6", f"p: ge-ivh C6 vca=0 {marks}")
    cc = CloseCombat("C6", ambusher=ambusher)
    assert locators(why_not_attack(state, cc, "p:sn", "german")) == against


@pytest.mark.rule("aslsk:3.8", "aslsk:3.8.smc")
def test_infantry_is_attacked_once_and_a_joined_leader_with_his_squad():
    state = hexed("x: ru-447 C6, l: ru-8-0 C6 joined=x", "t: ru-t34m43 C6 vca=0")
    cc = CloseCombat("C6", hit=("x", "t"))
    assert locators(why_not_hit(state, cc, "x")) == {"3.8"}
    assert locators(why_not_hit(state, CloseCombat("C6"), "x")) == set()
    assert locators(why_not_hit(state, cc, "l")) == {"3.8.smc"}
    assert locators(why_not_hit(state, cc, "t")) == set()
