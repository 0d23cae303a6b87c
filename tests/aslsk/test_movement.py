"""Movement, smoke grenades and defensive fire, where two of their rules meet (3.3)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import msgspec
import pytest

from engine.aslsk import TITLE
from tests.aslsk.table import Table
from tests.citations import kind_of

MOVE = "lati: [russian, german]\nfase: MPh\n"
AMERICANS = "lati: [american, german]\nfase: MPh\n"


@pytest.mark.rule("aslsk:3.2.2.mandatory_fg", "aslsk:casa.50", "aslsk:3.3.3")
def test_who_has_not_fired_may_fire_at_the_next_mover_in_the_same_hex():
    run = Table(
        MOVE + "unità: {a: ru-447 E9, b: ru-447 E9, d: ge-467 C9, e: ge-467 C9, f: ge-467 A9}",
        "u:a", "b:normale", "b:via", "h:D8", "u:d", "b:fuoco", dice=[(6, 4), (1, 1), (6, 6), (1, 1)],
    )  # fmt: skip
    assert "3.2.2.mandatory_fg" in run.why_not("u:e")
    run.play("b:passa", "b:fine", "u:b", "b:normale", "h:D8")
    assert run.state.mover.units == ("b",)
    assert "u:e" in run.options


@pytest.mark.rule("aslsk:3.3.1.smoke", "aslsk:3.1")
def test_who_has_tried_to_rally_may_still_throw_smoke():
    run = Table(
        "lati: [american, german]\nfase: RPh\npasso: e\nunità: {a: us-666 F5 broken, x: ge-467 A1}",
        "u:a", dice=[(2, 3), (1,)],
    )  # fmt: skip
    while run.state.phase != "MPh":
        run.play("b:passa")
    run.play("u:a", "b:normale")
    assert "b:fumo" in run.options
    run.play("b:fumo", "h:F5")
    assert run.state.units["a"].tried
    assert "3.3.1.smoke" in run.why_not("b:fumo")


@pytest.mark.rule("aslsk:3.3.1.stack_move", "aslsk:3.3.1.assault_move")
def test_a_member_who_parts_keeps_its_own_assault_movement():
    run = Table(
        MOVE + "unità: {a: ru-447 E9, b: ru-447 E9, x: ge-467 M1}",
        "u:a", "b:assalto", "u:b", "u:b", "h:D9", "b:fine",
    )  # fmt: skip
    assert run.state.mover.units == ("b",)
    assert "h:D9" in run.options
    run.play("h:D9")
    assert "3.3.1.assault_move" in run.why_not("h:C9")


@pytest.mark.rule("aslsk:3.3.1.stack_move", "aslsk:3.3.1.road_bonus")
@pytest.mark.parametrize(
    ("parts", "bonus"), [(("u:b", "h:C9", "b:fine"), True), (("h:C9", "u:b", "b:fine"), False)]
)
def test_a_member_who_parts_keeps_its_own_road(parts, bonus):
    run = Table(
        MOVE + "unità: {a: ru-447 D8, b: ru-447 D8, x: ge-467 M1}",
        "u:a", "b:normale", "u:b", "h:C8", *parts,
    )  # fmt: skip
    assert run.state.mover.units == ("b",)
    assert run.state.mover.road is bonus


@pytest.mark.rule("aslsk:3.3.1.stack_move")
def test_the_attacker_chooses_who_of_a_divided_stack_goes_on():
    run = Table(
        MOVE + "unità: {a: ru-447 E9, b: ru-447 E9, c: ru-447 E9, x: ge-467 M1}",
        "u:a", "b:normale", "u:b", "u:c", "u:b", "u:c", "b:fine",
    )  # fmt: skip
    assert run.options == {"u:b", "u:c"}
    run.play("u:c", "b:fine")
    assert run.state.mover.units == ("b",)


@pytest.mark.rule("aslsk:3.3.1.smoke")
def test_a_six_for_smoke_ends_the_move_of_that_unit_only():
    run = Table(
        AMERICANS + "unità: {a: us-666 E9, b: us-666 E9, x: ge-467 M1}",
        "u:a", "b:normale", "u:b", "b:fumo", "u:a", "h:E9", dice=[(6,)],
    )  # fmt: skip
    assert run.state.units["a"].done
    assert run.state.mover.units == ("b",)
    assert "h:D9" in run.options


@pytest.mark.rule("aslsk:3.3.1.smoke", "aslsk:3.3.1.leader_bonus")
@pytest.mark.parametrize(
    ("way", "leader_goes"), [(("h:E10",), True), (("h:E10", "h:D9", "h:D8", "h:C9"), False)]
)
def test_a_leader_stays_with_a_unit_stopped_by_a_six_if_it_used_his_bonus(way, leader_goes):
    run = Table(
        AMERICANS + "unità: {a: us-666 E9, l: us-8-1 E9, c: us-666 A1, x: ge-467 M1}",
        "u:a", "b:normale", "u:l", *way, "b:fumo", f"{way[-1]}", dice=[(6,)],
    )  # fmt: skip
    assert run.state.units["a"].done
    assert (run.state.mover is not None) is leader_goes
    ended = next(s.ruling.refs for s in run.steps if kind_of(s) == "MoveEnded")
    assert ("aslsk:3.3.1.leader_bonus" in ended) is not leader_goes


@pytest.mark.rule("aslsk:3.3.1.smoke", "aslsk:1.2.5")
@pytest.mark.parametrize(("value", "now", "later"), [(1, 2, 1), (2, 2, 2), (3, 3, 3)])
def test_grenades_take_no_lasting_smoke_away_when_they_go(value, now, later):
    run = Table(
        AMERICANS + f"unità: {{a: us-666 E9, x: ge-467 M1}}\nfumo: {{E9: {value}}}",
        "u:a", "b:normale", "b:fumo", "h:E9", dice=[(1,)],
    )  # fmt: skip
    assert run.state.smoke["E9"].value == now
    while run.state.phase == "MPh":
        run.play("b:fine" if "b:fine" in run.options else "b:passa")
    assert run.state.smoke["E9"].value == later
    assert run.state.smoke["E9"].kind == "dispersed"


@pytest.mark.rule("aslsk:3.3.3.fpf", "aslsk:3.2.3.mc")
@pytest.mark.parametrize(
    ("leader", "dice", "squad", "chief"),
    [
        ("ge-8-1", (4, 3), "good", "good"),
        ("ge-8-1", (5, 3), "pinned", "pinned"),
        ("ge-8-1", (6, 3), "broken", "broken"),
        ("ge-9-1", (5, 4), "broken", "pinned"),
        ("ge-9-1", (5, 3), "good", "good"),
    ],
)
def test_a_leader_who_fails_the_check_of_fpf_helps_nobody(leader, dice, squad, chief):
    run = Table(
        MOVE + f"unità: {{f: ru-447 J6, d: ge-468 K5 final used=fp, l: {leader} K5}}",
        "u:f", "b:normale", "h:K6", "u:d", "u:l", dice=[dice, (1, 2), (1, 2)],
    )  # fmt: skip
    for name, found in (("d", squad), ("l", chief)):
        one = run.state.units[name]
        assert ("broken" if one.broken else "pinned" if one.pinned else "good") == found
    assert {"3.3.3.fpf", "3.2.2.leader"} <= run.cited


@pytest.mark.rule("aslsk:3.3.1.stack_move")
def test_a_leading_unit_that_has_gone_from_the_table_leaves_no_reach_to_show():
    run = Table(MOVE + "unità: {a: ru-447 F5, b: ru-447 F5, x: ge-467 A1}", "u:a", "b:normale")
    run.play("b:via")
    decision = run.game.position.decision
    assert any(one.id == "reach" for one in TITLE.overlays(run.state, decision))
    gone = msgspec.structs.replace(run.state.units["a"], hex="")
    state = msgspec.structs.replace(run.state, units={**run.state.units, "a": gone})
    assert all(one.id != "reach" for one in TITLE.overlays(state, decision))
