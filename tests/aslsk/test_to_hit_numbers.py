"""Numbers of To Hit: who mans a Gun, where it points, who directs (3.2.4)."""

from __future__ import annotations

import pytest

from engine.aslsk.rules.elements import find
from engine.aslsk.rules.firepower import firer_drm
from engine.aslsk.rules.sight import los
from engine.aslsk.state.book import OUTSIDE
from tests.aslsk.table import Table
from tests.citations import kind_of

GE = "lati: [german, russian]\nfase: PFPh\n"


@pytest.mark.rule("aslsk:3.2.4.non_qualified")
@pytest.mark.parametrize(("unit", "is_qualified"), [("ge-228", True), ("ge-467", False)])
def test_a_gun_in_hands_that_are_no_crew_hits_less(unit, is_qualified):
    run = Table(
        GE + f"unità: {{c: {unit} C9, x: ru-447 C6}}\narmi: {{g: ge-75l c ca=0}}",
        *("u:g", "h:C6", "b:ITT-HE"),
        dice=[(6, 6)],
    )
    assert ("3.2.4.non_qualified" in run.cited) is not is_qualified


@pytest.mark.rule("aslsk:3.2.4.ca")
@pytest.mark.parametrize(("target", "ca"), [("C6", 0), ("F8", 1)])
def test_a_gun_that_points_to_side_0_turns_like_any_other(target, ca):
    run = Table(
        GE + f"unità: {{c: ge-228 C9, x: ru-447 {target}}}\narmi: {{g: ge-75l c ca=0}}",
        *("u:g", f"h:{target}", "b:ITT-HE"),
        dice=[(6, 5)],
    )
    assert run.state.weapons["g"].ca == ca


@pytest.mark.rule("aslsk:3.2.2.leader")
@pytest.mark.parametrize(
    ("leader", "value", "outside"), [("ge-9-1", -1, False), ("ge-6+1", 1, True)]
)
def test_a_bad_leader_is_a_drm_of_the_firers(leader, value, outside):
    state = Table(GE + f"unità: {{a: ge-467 G7, l: {leader} G7, x: ru-447 K9}}").state
    group = [find(state, "german", "a")]
    (found,) = firer_drm(state, group, [state.units["l"]], {"G7": los(state, "G7", "K9")}, "K9")
    assert (found.value, found.kind == OUTSIDE) == (value, outside)


@pytest.mark.rule("aslsk:3.2.3.pinned")
@pytest.mark.parametrize("marker", ["", "pinned"])
def test_a_pinned_crew_hits_less(marker):
    run = Table(
        GE + f"unità: {{c: ge-228 C9 {marker}, x: ru-447 C6}}\narmi: {{g: ge-75l c ca=0}}",
        *("u:g", "h:C6", "b:ITT-HE"),
        dice=[(6, 6)],
    )
    assert ("3.2.3.pinned" in run.cited) is bool(marker)


@pytest.mark.rule("aslsk:6.12", "aslsk:5.4", "aslsk:5.5", "aslsk:3.2.4.non_qualified")
@pytest.mark.parametrize(
    ("unit", "gun", "breaks_at"),
    [
        ("ru-228", "ru-45l", 12),
        ("ru-447", "ru-45l", 10),
        ("ru-426", "ru-45l", 9),
        ("ru-228", "ge-50l", 10),
    ],
)
def test_a_gun_breaks_earlier_in_other_hands(unit, gun, breaks_at):
    side = gun[:2].replace("ru", "russian").replace("ge", "german")
    for dr in (8, 9, 10, 11, 12):
        run = Table(
            "lati: [russian, german]\nfase: PFPh\n"
            f"unità: {{c: {unit} C9, k: ru-447 A1, x: ge-467 C6}}\n"
            f"armi: {{g: {gun} c ca=0 lato={side}}}",
            *("u:g", "h:C6", "b:ITT-HE"),
            dice=[(6, dr - 6)],
        )
        weapon = run.state.weapons["g"]
        assert (weapon.broken or weapon.place != "map") is (dr >= breaks_at), dr


@pytest.mark.rule("aslsk:6.1", "aslsk:7.9")
@pytest.mark.parametrize(("dice", "doubled"), [((1, 1), True), ((1, 2), False)])
def test_a_critical_hit_doubles_the_kill_number(dice, doubled):
    run = Table(
        GE + "unità: {c: ge-228 C9}\narmi: {g: ge-50l c ca=0}\nveicoli: {t: ru-t34m43 C6 vca=3}",
        *("u:g", "h:C6", "b:VTT-t-AP"),
        dice=[dice, (6, 6)],
    )
    lines = [s.tally for s in run.game.steps if s.tally and "aslsk:6.1" in s.ruling.refs]
    assert [line.value for line in lines if line.operation == "×"] == ([2] if doubled else [])


@pytest.mark.rule("aslsk:4.4.3", "aslsk:4.4.2")
@pytest.mark.parametrize(("answer", "avoids"), [("b:evita", True), ("b:subisci", False)])
def test_to_avoid_backblast_costs_a_drm(answer, avoids):
    run = Table(
        "lati: [german, american]\ndata: 1944-06\nfase: PFPh\npf: {german: 5}\n"
        "unità: {a: ge-467 B2, b: ge-467 A10, x: us-666 M1}\nveicoli: {t: us-m4 B3 vca=0}",
        *("u:a:pf", "h:B3"),
        dice=[(1,), (5, 5), (6, 6), (6, 6)],
    )
    assert {"b:evita", "b:subisci"} == run.options
    run.play(answer)
    lines = [s for s in run.game.steps if kind_of(s) == "TH DRM" and "aslsk:4.4.3" in s.ruling.refs]
    assert bool(lines) is avoids
