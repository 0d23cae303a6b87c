"""Numbers of To Hit: who mans a Gun, where it points, who directs (3.2.4)."""

from __future__ import annotations

import pytest

from engine.aslsk.rules.elements import find
from engine.aslsk.rules.firepower import firer_drm
from engine.aslsk.rules.sight import los
from tests.aslsk import Run

GE = "lati: [german, russian]\nfase: PFPh\n"


@pytest.mark.rule("aslsk:3.2.4.non_qualified")
@pytest.mark.parametrize(("unit", "is_qualified"), [("ge-228", True), ("ge-467", False)])
def test_a_gun_in_hands_that_are_no_crew_hits_less(unit, is_qualified):
    run = Run(
        GE + f"unità: {{c: {unit} C9, x: ru-447 C6}}\narmi: {{g: ge-75l c ca=0}}",
        *("u:g", "h:C6", "b:ITT-HE"),
        dice=[(6, 6)],
    )
    assert ("3.2.4.non_qualified" in run.refs) is not is_qualified


@pytest.mark.rule("aslsk:3.2.4.ca")
@pytest.mark.parametrize(("target", "ca"), [("C6", 0), ("F8", 1)])
def test_a_gun_that_points_to_side_0_turns_like_any_other(target, ca):
    run = Run(
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
    state = Run(GE + f"unità: {{a: ge-467 G7, l: {leader} G7, x: ru-447 K9}}").state
    group = [find(state, "german", "a")]
    (found,) = firer_drm(state, group, [state.units["l"]], {"G7": los(state, "G7", "K9")}, "K9")
    assert (found.value, found.outside) == (value, outside)


@pytest.mark.rule("aslsk:3.2.3.pinned")
@pytest.mark.parametrize("marker", ["", "pinned"])
def test_a_pinned_crew_hits_less(marker):
    run = Run(
        GE + f"unità: {{c: ge-228 C9 {marker}, x: ru-447 C6}}\narmi: {{g: ge-75l c ca=0}}",
        *("u:g", "h:C6", "b:ITT-HE"),
        dice=[(6, 6)],
    )
    assert ("3.2.3.pinned" in run.refs) is bool(marker)
