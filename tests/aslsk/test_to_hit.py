"""To Hit: where each of its numbers begins and ends to count (3.2.4, 6, 7.2)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import msgspec
import pytest

from engine.aslsk.rules.elements import Element, find
from engine.aslsk.rules.ordnance import Aim, Shot, gunner, shot_of
from engine.aslsk.rules.to_hit import firer_cases, is_red, to_hit_number, vehicle_cases
from engine.aslsk.state.state import State
from engine.aslsk.state.tables import VEHICLES
from tests.aslsk.table import Table, state_of
from tests.citations import ROLL


def shot_from(state: State, e: Element, aim: Aim, away: int) -> Shot:
    """A shot as if its target were so far away."""
    return msgspec.structs.replace(shot_of(state, e, aim), away=away)


@pytest.mark.rule("aslsk:3.2.4.procedure", "aslsk:3.2.4.red_black")
@pytest.mark.parametrize(
    ("weapon", "crew", "date", "away", "number"),
    [
        ("us-57l", "us-227", "1944-06", 12, 9),
        ("us-57l", "us-227", "1944-06", 13, 8),
        ("us-57l", "us-227", "1943-06", 13, 7),
        ("ge-75l", "ge-228", "1943-06", 13, 9),
        ("ge-50l", "ge-228", "1943-06", 25, 5),
        ("br-40l", "br-228", "1943-06", 13, 7),
        ("ge-37l", "ge-228", "1943-06", 13, 7),
        ("ru-76ig", "ru-228", "1943-06", 13, 6),
        ("ru-45ll", "ru-228", "1943-06", 25, 5),
    ],
)
def test_calibre_and_barrel_change_the_number_from_thirteen_hexes(weapon, crew, date, away, number):
    state = state_of(
        f"data: {date}\nlati: [german, russian]\nunità: {{c: {crew} C9}}\narmi: {{g: {weapon} c ca=0}}\nveicoli: {{t: ru-t34m43 C5}}"
    )
    e = find(state, state.units["c"].side, "g")
    assert to_hit_number(state, shot_from(state, e, Aim("VTT", "C5", "t", "AP"), away))[0] == number


@pytest.mark.rule("aslsk:3.2.4.red_black")
@pytest.mark.parametrize(
    ("weapon", "owner", "date", "red"),
    [
        ("us-mmg", "us-666", "1943-06", False),
        ("us-57l", "us-227", "1943-12", True),
        ("us-57l", "us-227", "1944-01", False),
        ("us-57l", "us-346", "1944-01", True),
        ("ge-75l", "ge-228", "1943-06", False),
        ("ge-lmg", "ge-436", "1943-06", True),
        ("ru-mmg", "ru-447", "1943-06", True),
    ],
)
def test_who_uses_red_numbers(weapon, owner, date, red):

    state = state_of(
        f"data: {date}\nlati: [german, russian]\nunità: {{c: {owner} C9}}\narmi: {{g: {weapon} c ca=0}}"
    )
    e = find(state, state.units["c"].side, "g")
    assert is_red(state, e, gunner(state, e)) is red


@pytest.mark.rule("aslsk:3.3.2.2")
@pytest.mark.parametrize(("halves", "value"), [(2, 6), (4, 6), (5, 5), (6, 5), (7, 4)])
def test_bounding_first_fire_improves_with_mp_in_sight(halves, value):
    state = state_of(
        f"lati: [german, russian]\nfase: MPh\nunità: {{x: ru-447 C6}}\nveicoli: {{t: ge-ivh C9 vca=0 CE}}\nmossa: {{unità: [t], scia: [[C9, 0], [C9, {halves}]]}}"
    )
    e = find(state, "german", "t:ma")
    found = firer_cases(state, shot_of(state, e, Aim("ITT", "C6", "", "HE")))
    assert [one.value for one in found] == [value]


@pytest.mark.rule("aslsk:3.3.2.motion_effects", "aslsk:2.0.moving_target")
@pytest.mark.parametrize(("halves", "value"), [(1, 4), (2, 4), (3, 3), (6, 3), (7, 2)])
def test_a_vehicle_seen_longer_is_easier_to_hit(halves, value):
    state = state_of(
        f"lati: [german, russian]\nfase: MPh\nunità: {{c: ru-228 C9}}\narmi: {{g: ru-45ll c ca=0}}\nveicoli: {{t: ge-ivh C6 vca=0 moving running}}\nmossa: {{unità: [t], da: C5, scia: [[C5, 0], [C6, {halves}]]}}"
    )
    e = find(state, "russian", "g")
    found = vehicle_cases(
        state, state.vehicles["t"], shot_of(state, e, Aim("VTT", "C6", "t", "AP"))
    )
    assert [one.value for one in found] == [value]


@pytest.mark.rule("aslsk:6.2.smoke")
@pytest.mark.parametrize(("away", "drms"), [(12, [-2]), (13, [])])
def test_smoke_is_easier_to_lay_under_thirteen_hexes(away, drms):
    state = state_of("lati: [german, russian]\nunità: {c: ge-228 C9}\narmi: {g: ge-81mtr c ca=0}")
    e = find(state, "german", "g")
    found = firer_cases(state, shot_from(state, e, Aim("ATT", "C6", "", "S"), away))
    assert [one.value for one in found] == drms


@pytest.mark.rule("aslsk:6.4", "aslsk:4.4")
@pytest.mark.parametrize(
    ("weapon", "kind", "drms"), [("us-baz44", "LATW", []), ("us-mmg", "VTT", [2])]
)
def test_a_weapon_with_a_table_of_its_own_pays_nothing_in_its_own_hex(weapon, kind, drms):
    state = state_of(
        f"data: 1944-06\nlati: [american, german]\nunità: {{a: us-666 C9}}\narmi: {{z: {weapon} a}}\nveicoli: {{t: ge-ivh C9}}"
    )
    e = find(state, "american", "z")
    found = firer_cases(state, shot_of(state, e, Aim(kind, "C9", "t", "H")))
    assert [one.value for one in found] == drms


@pytest.mark.rule("aslsk:2.0.motion_fire")
@pytest.mark.parametrize(("dice", "n"), [((2, 5), 9), ((5, 2), 9), ((3, 3), 9)])
def test_the_lower_die_of_a_moving_firer_counts_twice(dice, n):
    text = (
        "lati: [german, russian]\nfase: MPh\nunità: {x: ru-447 C6}\nveicoli: {t: ge-ivh C9 vca=0}"
    )
    run = Table(text, "u:t", "b:avvia", dice=[dice])
    run.play("b:fuoco", "u:t:ma", "h:C6", "b:ITT-HE")
    assert run.told("2.0.motion_fire", "n") == [{"n": n}]


@pytest.mark.rule("aslsk:3.5", "aslsk:1.2.4.1", "aslsk:4.5")
@pytest.mark.parametrize(
    ("phase", "owner", "kept"),
    [("PFPh", "ge-467", True), ("AFPh", "ge-467", False), ("PFPh", "ge-8-0", False)],
)
def test_no_rof_in_the_afph_and_none_for_a_lone_leader(phase, owner, kept):
    run = Table(
        f"lati: [german, russian]\nfase: {phase}\nunità: {{a: {owner} C9, b: ge-467 G9, x: ru-447 C6, y: ru-447 G7}}\narmi: {{m: ge-50mtr a}}",
        "u:m", "h:C6", dice=[(1, 6), (6, 6)],
    )  # fmt: skip
    assert (run.state.weapons["m"].fire == "") is kept


@pytest.mark.rule("aslsk:6.7", "aslsk:7.3")
@pytest.mark.parametrize(("gun", "drms"), [("ge-75l", [1]), ("ge-88l", [-1]), ("ru-76l", [])])
def test_a_small_gun_is_harder_to_hit(gun, drms):
    run = Table(
        f"lati: [russian, german]\nunità: {{c: ru-228 C9, x: {gun[:2]}-228 C6 lato=german}}\narmi: {{g: ru-45ll c ca=0, k: {gun} x ca=0}}",
        "u:g", "h:C6", "b:ITT-HE", dice=[(6, 5)],
    )  # fmt: skip
    assert [
        int(s.tally.value) for s in run.game.steps if s.tally and "aslsk:6.7" in s.ruling.refs
    ] == drms


@pytest.mark.rule("aslsk:6.2.wp", "aslsk:6.1")
@pytest.mark.parametrize(("dice", "need"), [((1, 2), 10), ((1, 1), 4)])
def test_a_house_helps_against_phosphorus_but_not_against_a_critical_hit(dice, need):
    run = Table(
        "lati: [american, german]\npasso: smoke\nunità: {c: us-227 C5, x: ge-467 D2}\narmi: {g: us-81mtr c ca=0}",
        "u:g-WP", "h:D2", dice=[dice, (1, 1)],
    )  # fmt: skip
    assert run.told("3.2.3.mc", "morale", "unit", of=ROLL)[0]["morale"] == need


@pytest.mark.rule("aslsk:7.2.1", "aslsk:3.2.4.intensive_fire")
@pytest.mark.parametrize(
    ("state", "dice", "ma"),
    [
        ("low=1", (4, 5), ""),
        ("low=1", (4, 6), "broken"),
        ("low=1", (5, 6), "disabled"),
        ("low=1 prep", (3, 4), ""),
        ("low=1 prep", (4, 4), "broken"),
        ("prep", (4, 5), ""),
    ],
)
def test_low_ammunition_lowers_the_number_and_intensive_fire_more(monkeypatch, state, dice, ma):
    kind = msgspec.structs.replace(VEHICLES["ge-ivh"], low_ammo=11)
    monkeypatch.setitem(VEHICLES, "ge-ivh", kind)
    run = Table(
        f"lati: [german, russian]\nunità: {{b: ge-467 G9, z: ru-447 G7}}\nveicoli: {{t: ge-ivh C9 vca=0 {state}, k: ru-t34m43 C5 vca=3}}",
        "u:t:ma", "h:C5", "b:VTT-k-AP", dice=[dice, (6, 6)],
    )  # fmt: skip
    assert run.state.vehicles["t"].arms.ma == ma


@pytest.mark.rule("aslsk:6.2.wp", "aslsk:3.3.3.ffmo", "aslsk:3.3.3.ffnam")
@pytest.mark.parametrize(("dice", "smoke", "checks"), [((3, 4), True, 1), ((3, 5), False, 0)])
def test_phosphorus_hits_a_runner_in_the_open_more_easily(dice, smoke, checks):
    run = Table(
        "lati: [german, american]\nfase: MPh\nunità: {c: us-227 C9, a: ge-467 C6, b: ge-467 M1}\narmi: {g: us-81mtr c ca=3}",
        "u:a", "b:normale", "h:C5", "u:g", "b:ATT-WP", dice=[dice, (1, 1)],
    )  # fmt: skip
    assert ("C5" in run.state.smoke) is smoke
    assert len(run.told("3.2.3.mc", "morale", "unit", of=ROLL)) == checks
