"""Fire attacks: what LOS tells before they are declared, weapons without LOS, leaders who fall (3.2, 3.5)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from engine.aslsk import TITLE
from engine.aslsk.rules.sight import sees
from engine.odds import Odds, odds
from tests.aslsk.table import Table
from tests.citations import ROLL


def fire_odds(run: Table, option: str) -> Odds:
    """The odds of an answer, from what whoever is asked may know."""
    position = run.game.position
    decision = position.decision
    assert decision is not None
    draft, rest = (TITLE.belief(s, decision.side) for s in (position.draft, position.rest))
    asked = next(q for q in TITLE.questions(draft, decision) if q.commands[0].option == option)
    return odds(TITLE, rest, position.open, asked)


@pytest.mark.rule("aslsk:3.2.1.declare")
@pytest.mark.parametrize(
    ("weapon", "answers", "option"),
    [
        ("", ("u:a",), "h:{hex}"),
        ("m: ru-mmg a", ("u:m",), "h:{hex}"),
        ("m: ru-50mtr a", ("u:m",), "h:{hex}"),
    ],
)
def test_odds_do_not_tell_whether_a_declared_target_can_be_seen(weapon, answers, option):
    text = "lati: [russian, german]\nfase: PFPh\n{0}unità: {{a: ru-458 G7, x: ge-467 {1}}}\narmi: {{{2}}}"
    hidden, open_ = "C9", "K9"
    state = Table(text.format("", hidden, weapon)).state
    assert [sees(state, "G7", hex) for hex in (hidden, open_)] == [False, True]
    found = [
        fire_odds(Table(text.format("", hex, weapon), *answers), option.format(hex=hex))
        for hex in (hidden, open_)
    ]
    assert found[0].spread == found[1].spread
    assert "aslsk:3.2.1.declare" in {ref for ruling in found[0].given for ref in ruling.refs}


@pytest.mark.rule("aslsk:3.2.1.declare")
def test_odds_count_los_where_it_may_be_checked_freely():
    text = "opzioni: {los: libera}\nlati: [russian, german]\nfase: PFPh\nunità: {a: ru-458 G7, x: ge-467 %s}"
    clear = fire_odds(Table(text % "K9", "u:a"), "h:K9")
    hindered = fire_odds(Table(text % "K7", "u:a"), "h:K7")
    assert clear.spread != hindered.spread
    assert "aslsk:3.2.1.declare" not in {ref for ruling in clear.given for ref in ruling.refs}


@pytest.mark.rule("aslsk:3.2.1.declare", "aslsk:1.2.4.1")
@pytest.mark.parametrize(
    ("dice", "marker", "broken"),
    [((2, 4), "", False), ((3, 4), "Prep Fire", False), ((6, 6), "Prep Fire", True)],
)
def test_a_weapon_that_fires_without_los_keeps_its_rate_or_breaks(dice, marker, broken):
    run = Table(
        "lati: [russian, german]\nfase: PFPh\nunità: {a: ru-447 G7, b: ru-447 G5, x: ge-467 C9, y: ge-467 K9}\narmi: {m: ru-mmg a}",
        "u:m", "h:C9", "b:fuoco", dice=[dice],
    )  # fmt: skip
    gun = run.state.weapons["m"]
    assert run.state.units["x"].good_order
    assert (gun.fire, gun.broken, gun.shots) == (marker, broken, 1)


@pytest.mark.rule("aslsk:3.2.1.declare", "aslsk:7.8")
@pytest.mark.parametrize(("dice", "broken"), [((6, 6), ("cmg",)), ((6, 5), ())])
def test_the_machine_gun_of_a_tank_that_fires_without_los_may_break(dice, broken):
    run = Table(
        "lati: [russian, german]\nfase: PFPh\nunità: {a: ru-447 A1, x: ge-467 C9}\nveicoli: {t: ru-t34m43 G7 vca=3}",
        "u:t:cmg", "h:C9", dice=[dice],
    )  # fmt: skip
    if run.options == {"b:fuoco", "u:t:bmg"}:
        run.play("b:fuoco")
    assert "3.2.1.declare" in run.cited
    assert run.state.vehicles["t"].arms.broken == broken


@pytest.mark.rule("aslsk:3.5", "aslsk:3.2.5")
@pytest.mark.parametrize("dice", [(1, 5), (6, 5)])
def test_a_weapon_that_kept_its_rate_in_the_pfph_does_not_fire_in_the_afph(dice):
    run = Table(
        "lati: [russian, german]\nfase: PFPh\nunità: {a: ru-447 G7, b: ru-447 G5, x: ge-467 K9}\narmi: {m: ru-mmg a}",
        "u:m", "h:K9", "b:fuoco", dice=[dice, (1, 1)],
    )  # fmt: skip
    while run.state.phase != "AFPh":
        run.play("b:passa")
    for name in ("u:a", "u:m"):
        assert "3.5" in run.why_not(name)
    assert "u:b" in run.options


@pytest.mark.rule("aslsk:3.5", "aslsk:3.2.5", "aslsk:3.5.vehicles")
def test_a_tank_that_kept_its_rate_in_the_pfph_does_not_fire_in_the_afph():
    run = Table(
        "lati: [german, russian]\nfase: PFPh\nunità: {b: ge-467 G5, x: ru-447 K9}\nveicoli: {t: ge-ivh G7 vca=0}",
        "u:t:ma", "h:K9", dice=[(1, 5), (6, 6), (1, 1)],
    )  # fmt: skip
    while run.state.phase != "AFPh":
        run.play(
            next(
                o
                for o in ("b:passa", "b:ITT-HE", "b:fine", *sorted(run.options))
                if o in run.options
            )
        )
    assert "7.8" in run.why_not("u:t:ma")


@pytest.mark.rule("aslsk:3.2.3.lltc", "aslsk:5.1")
def test_the_loss_of_a_leader_is_that_of_who_he_was_before_he_failed():
    run = Table(
        "lati: [russian, german]\nelr: {german: 1, russian: 3}\nfase: PFPh\nunità: {a: ru-628 E9, b: ru-628 E9, x: ge-468 E8, l: ge-9-1 E8}",
        "u:a", "h:E8", "u:b", dice=[(2, 4), (6, 5), (1, 1), (4, 5)],
    )  # fmt: skip
    assert run.state.units["l"].type == "ge-8-1"
    assert run.state.units["l"].broken
    assert [f["morale"] for f in run.told("2.0.ptc", "morale", "unit", of=ROLL)] == [7]
    assert run.state.units["x"].pinned
