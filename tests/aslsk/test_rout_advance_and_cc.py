"""Rout, advance and close combat where the book's examples look closely (3.6-3.8, 5.3)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from engine.aslsk.state.units import allowance
from tests.aslsk.table import Table

ROUT = "mappa: ex-rotta\nlati: [american, german]\nfase: RtPh\n"
HEMMED = "unità: {a: us-666 N6 broken DM, w: ge-467 O5, x: ge-467 O6, y: ge-467 M6, z: ge-467 L7%s}"
CLOSE = "mappa: ex-mischia\nlati: [german, russian]\nfase: CCPh\n"
TANKS = "mappa: ex-carri\ndata: 1944-10\n"


# 3.6


@pytest.mark.rule("aslsk:3.6.low_crawl", "aslsk:3.6.destination")
def test_low_crawl_heads_for_the_shelter_like_any_rout():
    run = Table(ROUT + "unità: {a: us-666 N7 broken DM, x: ge-467 N4}", "u:a")
    assert {"b:striscia-N8", "b:striscia-O8", "b:striscia-M8"} & run.options
    assert "3.6.toward" in run.why_not("b:striscia-N6")
    assert "3.6.destination" in run.why_not("b:striscia-O7")
    run.play("b:striscia-O8")
    assert run.state.units["a"].hex == "O8"
    assert "3.6.low_crawl" in run.cited


@pytest.mark.rule("aslsk:3.6.low_crawl")
def test_low_crawl_never_ends_next_to_a_good_order_enemy():
    text = ROUT + "unità: {a: us-666 N6 broken DM, w: ge-467 O6, y: ge-467 M5, z: ge-467 L7%s}"
    assert "3.6.low_crawl" in Table(text % "", "u:a").why_not("b:striscia-M7")
    assert "b:striscia-M7" in Table(text % " broken", "u:a").options


@pytest.mark.rule("aslsk:3.6.destination")
@pytest.mark.parametrize(("state", "goes_on"), [("", True), (" broken", False)])
def test_a_shelter_is_left_only_if_a_good_order_enemy_is_next_to_it(state, goes_on):
    text = (
        ROUT + f"unità: {{a: us-666 N6 broken DM, w: ge-467 O6, y: ge-467 M5, z: ge-467 L7{state}}}"
    )
    run = Table(text, "u:a", "h:M7")
    if goes_on:
        assert "h:N7" in run.options
        assert "3.6.destination" in run.why_not("b:fermo")
    else:
        assert "b:fermo" in run.options
        assert "3.6.destination" in run.why_not("h:N7")


@pytest.mark.rule("aslsk:3.6.interdiction")
@pytest.mark.parametrize(("dice", "counter"), [((4, 3), "us-666"), ((5, 4), "us-346")])
def test_interdiction_is_a_nmc_that_costs_casualty_reduction(dice, counter):
    run = Table(ROUT + HEMMED % "", "u:a", "h:N7", dice=[dice])
    assert run.state.units["a"].type == counter
    assert "3.6.interdiction" in run.cited


@pytest.mark.rule("aslsk:3.6.interdiction")
def test_a_pinned_or_tired_enemy_does_not_interdict():
    for marker in ("pinned", "CX"):
        text = ROUT + HEMMED % ""
        for name in ("O5", "O6", "M6", "L7"):
            text = text.replace(name, f"{name} {marker}")
        run = Table(text, "u:a", "h:N7")
        assert run.state.units["a"].hex == "N7"
        assert "3.6.interdiction" not in run.cited


@pytest.mark.rule("aslsk:3.6.leader")
@pytest.mark.parametrize(("leader", "morale"), [("us-8-1", 9), ("us-6+1", 8)])
def test_a_leader_helps_against_interdiction_but_need_not_harm(leader, morale):
    run = Table(ROUT + HEMMED % f", l: {leader} N6", "u:a", "u:l", "h:N7", dice=[(2, 2)])
    asked = [s.ruling.msg.facts for s in run.game.steps if s.chance is not None]
    assert asked[0]["morale"] == morale


@pytest.mark.rule("aslsk:3.6.weapons", "aslsk:2.0.ipc")
def test_a_router_keeps_the_heaviest_load_and_chooses_among_equals():
    text = ROUT + HEMMED % "" + "\narmi: {%s}"
    run = Table(text % "m: us-mmg a, n: us-mmg a, o: us-baz44 a", "u:a")
    assert run.options == {"b:m", "b:n"}
    run.play("b:n")
    assert [w.id for w in run.state.weapons.values() if w.owner] == ["n"]
    assert "3.6.weapons" in run.cited
    sole = Table(text % "m: us-mmg a, o: us-baz44 a, p: us-baz44 a", "u:a")
    assert [w.id for w in sole.state.weapons.values() if w.owner] == ["m"]
    whole = Table(text % "o: us-baz44 a, p: us-baz44 a", "u:a")
    assert [w.id for w in whole.state.weapons.values() if w.owner] == ["o", "p"]
    assert "3.6.weapons" not in whole.cited


@pytest.mark.rule("aslsk:3.6.weapons")
@pytest.mark.parametrize(("marker", "kept"), [("", ["o"]), ("wounded", [])])
def test_a_routing_leader_keeps_one_pp_and_a_wounded_one_none(marker, kept):
    text = (
        ROUT + (HEMMED % "").replace("us-666 N6", f"us-8-1 N6 {marker}") + "\narmi: {o: us-baz44 a}"
    )
    run = Table(text, "u:a")
    assert [w.id for w in run.state.weapons.values() if w.owner] == kept


# 3.7


@pytest.mark.rule("aslsk:4.0.portage", "aslsk:3.3.1.mf_table", "aslsk:3.7.cx")
@pytest.mark.parametrize(
    ("unit", "weapon", "alone", "led"),
    [("ru-447", "ru-mmg", 4, 10), ("ge-467 CX", "ge-hmg", 4, 10), ("ru-447", "ru-lmg", 8, 12)],
)
def test_a_leader_adds_two_mf_and_one_pp(unit, weapon, alone, led):
    kind, _, marker = unit.partition(" ")
    side = "russian" if kind.startswith("ru") else "german"
    state = Table(
        f"lati: [russian, german]\nattaccante: {side}\nfase: APh\nunità: {{a: {kind} E7 {marker}, l: {kind[:2]}-8-1 E7}}\narmi: {{m: {weapon} a}}"
    ).state
    one, leader = state.units["a"], state.units["l"]
    assert allowance(state, one, None, False) == alone
    assert allowance(state, one, leader, False) == led


@pytest.mark.rule("aslsk:3.7.cx")
def test_a_tired_unit_needs_a_leader_who_really_helps():
    text = "lati: [german, russian]\nfase: APh\nunità: {a: ge-467 C3 CX, l: ge-8-1 C3%s, z: ru-447 M1}\narmi: {m: ge-hmg a}"
    run = Table(text % "", "b:passa", "u:a", "h:D3")
    assert run.options == {"u:l"}
    assert "3.7.cx" in run.why_not("b:solo")
    assert "3.7.cx" in Table(text % " pinned", "b:passa", "u:a").why_not("h:D3")


@pytest.mark.rule("aslsk:3.7.paatc")
@pytest.mark.parametrize(
    ("others", "need"),
    [("", 7), (", l: ru-8-1 J3", 8), (", l: ru-6+1 J3", 7), (", l: ru-8-1 J3 pinned", 7)],
)
def test_the_paatc_uses_a_leader_who_helps(others, need):
    run = Table(
        TANKS + f"lati: [russian, german]\nfase: APh\nunità: {{a: ru-447 J3{others}}}\nveicoli: {{t: ge-iif J2}}",
        "u:a", "h:J2", dice=[(1, 2)],
    )  # fmt: skip
    asked = next(s for s in run.game.steps if s.chance is not None)
    assert asked.ruling.msg.facts["morale"] == need
    assert "aslsk:3.7.paatc" in asked.ruling.refs


@pytest.mark.rule("aslsk:3.7.paatc", "aslsk:5.4")
def test_conscripts_add_one_to_the_paatc():
    run = Table(
        TANKS + "lati: [russian, german]\nfase: APh\nunità: {a: ru-426 J3, y: ru-447 A5}\nveicoli: {t: ge-iif J2}",
        "u:a", "h:J2", dice=[(3, 3)],
    )  # fmt: skip
    assert run.state.units["a"].pinned
    assert run.state.units["a"].hex == "J3"
    assert "5.4" in run.cited


# 3.8


def kills(run: Table) -> list[int]:
    """The Kill# of every attack so far."""
    return [int(str(f["number"])) for f in run.told(("3.8.odds", "5.3"), "defence", "fp", "number")]


THREE = (
    CLOSE
    + "unità: {a: ge-447 E6 done, b: ge-447 E6 done, c: ge-447 E6 done, x: ru-458 E6, y: ru-458 E6}"
)


@pytest.mark.rule("aslsk:3.8.odds", "aslsk:3.8")
@pytest.mark.parametrize(
    ("germans", "russians", "numbers"),
    [
        (["u:a u:x u:b u:c u:y"], ["u:x u:a u:y u:b u:c"], [6, 4]),
        (["u:a u:x u:b b:attacca", "u:c u:y"], ["u:x u:a u:b b:attacca", "u:y u:c"], [7, 5, 4, 5]),
        (["u:a u:x u:b u:c b:attacca"], ["u:x u:a u:y u:b b:attacca"], [8, 5]),
        (["u:a u:x b:attacca", "b:passa"], ["u:x u:a b:attacca", "u:y u:b b:attacca"], [5, 5, 5]),
        (["b:passa"], ["u:x u:a u:y b:attacca"], [7]),
    ],
)  # fmt: skip
def test_every_way_of_fighting_three_against_two(germans, russians, numbers):
    run = Table(THREE, dice=[(6, 5)] * len(numbers))
    for attack in germans + russians:
        for answer in attack.split():
            if run.state.cc is not None and answer in run.options:
                run.play(answer)
    assert kills(run) == numbers
    assert "3.8.odds" in run.cited


@pytest.mark.rule("aslsk:5.3", "aslsk:3.8.odds")
def test_a_leader_born_in_cc_defends_too():
    text = CLOSE + "unità: {a: ge-447 E6 done, b: ge-447 E6 done, x: ru-447 E6}"
    answers = ("u:a", "u:x", "u:b", "u:x", "u:a", "b:attacca")
    run = Table(text, *answers, dice=[(3, 3), (1, 1), (1,), "x"])
    assert kills(run) == [7, 5, 6, 5]
    assert run.state.units["x"].type == "ru-237"
    assert run.state.units["ru-8-0-n1"].place == "map"
    assert "5.3" in run.cited
    plain = Table(text, *answers, dice=[(3, 3), (1, 2)])
    assert kills(plain) == [7, 5]
    assert plain.state.units["x"].place == "eliminated"


@pytest.mark.rule("aslsk:5.3")
def test_no_leader_is_born_when_the_table_gives_none():
    text = CLOSE + "unità: {a: ge-447 E6 done, x: ru-426 E6}"
    run = Table(text, "u:a", "u:x", "u:x", "u:a", dice=[(6, 5), (1, 1), (6,)])
    assert not any(u.is_leader for u in run.state.units.values())
    assert "5.3" in run.cited


@pytest.mark.rule("aslsk:3.8.smc")
@pytest.mark.parametrize(("leader", "under"), [("ge-9-1", 6), ("ge-6+1", 5)])
def test_a_leader_directs_the_cc_only_if_he_helps(leader, under):
    text = CLOSE + f"unità: {{a: ge-447 E6 done, l: {leader} E6 done, x: ru-458 E6}}"
    run = Table(text, "u:a", "u:a", "u:x", "b:passa", dice=[(6, 5)])
    rolls = [s.ruling.msg.facts["number"] for s in run.game.steps if s.chance is not None]
    assert rolls == [under]


@pytest.mark.rule("aslsk:3.8.vehicle_melee", "aslsk:3.8.melee")
@pytest.mark.parametrize(
    ("marker", "held"), [("", True), ("immobilized", True), ("Motion", False), ("wreck", False)]
)
def test_a_vehicle_that_is_not_in_motion_holds_infantry(marker, held):
    text = (
        TANKS
        + f"lati: [russian, german]\nfase: CCPh\nunità: {{a: ru-447 J2 done, z: ge-467 A1, y: ru-447 A5}}\nveicoli: {{t: ge-iif J2 {marker}}}"
    )
    run = Table(text)
    while run.state.phase == "CCPh":
        run.play("b:passa")
    assert run.state.units["a"].melee is held
    assert ("3.8.vehicle_melee" in run.cited) is held


@pytest.mark.rule("aslsk:3.8.ccv", "aslsk:5.3")
def test_a_smc_alone_makes_no_leader_against_a_vehicle():
    text = (
        TANKS
        + "lati: [russian, german]\nfase: CCPh\nunità: {l: ru-8-1 J2 done}\nveicoli: {t: ge-iif J2}"
    )
    run = Table(text, "u:l", "u:t", dice=[(1, 1)])
    assert run.state.vehicles["t"].drive.immobilized
    assert "5.3" not in run.cited


@pytest.mark.rule("aslsk:3.3.4", "aslsk:3.3.3.fpf")
@pytest.mark.parametrize(("dice", "state"), [((3, 3), ""), ((3, 4), "pinned"), ((4, 4), "broken")])
def test_cc_reaction_in_fpf_is_a_nmc_by_the_same_dr(dice, state):
    text = TANKS + (
        "lati: [russian, german]\nfase: MPh\nunità: {d: ge-467 Z1 final, z: ru-447 A5}\n"
        "veicoli: {t: ru-t3485 Z1 vca=0 moving moved}\n"
        "mossa: {unità: [t], speso: 22, da: Y2, atto: stop, finestra: si, scia: [[Y2, 0], [Z1, 16], [Z1, 2]]}"
    )
    run = Table(text, "b:corpo-d", dice=[(2, 2), dice])
    one = run.state.units["d"]
    assert (one.pinned, one.broken) == (state == "pinned", state == "broken")
    assert {"3.3.4", "3.3.3.fpf"} <= run.cited


@pytest.mark.rule("aslsk:3.3.4", "aslsk:3.8.ccv", "aslsk:3.8.smc")
@pytest.mark.parametrize(("answer", "ccv", "under"), [("u:l", 6, 5), ("b:solo", 5, 3)])
def test_a_leader_may_join_the_cc_reaction_of_a_squad(answer, ccv, under):
    text = TANKS + (
        "lati: [russian, german]\nfase: MPh\nunità: {d: ge-467 Z1, l: ge-8-1 Z1, z: ru-447 A5}\n"
        "veicoli: {t: ru-t3485 Z1 vca=0 running moving moved}\n"
        "mossa: {unità: [t], speso: 16, da: Y2, finestra: si, scia: [[Y2, 0], [Z1, 16]]}"
    )
    run = Table(text, "b:corpo-d", answer, dice=[(4, 4), (5, 5)])
    numbers = [s.ruling.msg.facts.get("number") for s in run.game.steps]
    assert ccv in numbers
    assert under in numbers
    assert run.state.units["d"].fire == "First Fire"
    assert run.state.units["l"].fire == ("First Fire" if answer == "u:l" else "")
    assert "3.3.4" in run.cited
