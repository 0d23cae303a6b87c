"""Odds of close combat: what an attack does to its targets, before it is declared (3.8)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.aslsk import TITLE
from engine.odds import odds
from tests.aslsk.table import Table
from tests.titles.oracles import raw_distribution

MAP = "mappa: ex-mischia\nlati: [german, russian]\nfase: CCPh\n"
ALL = [(a, b) for a in range(1, 7) for b in range(1, 7)]
NOTHING = "nothing"


def position(units, more=""):
    return MAP + f"unità: {{{units}, zg: ge-467 A1, zr: ru-447 M1}}{more}"


def asked(run):
    """Resting state, answers since, and the questions."""
    now = run.game.position
    draft, rest = (TITLE.belief(s, run.asked.side) for s in (now.draft, now.rest))
    return rest, now.open, TITLE.questions(draft, now.decision)


def found(run, *answers):
    """The odds of the question about some answers."""
    rest, entries, questions = asked(run)
    question = next(q for q in questions if tuple(c.option for c in q.commands) == answers)
    result = odds(TITLE, rest, entries, question)
    assert result.rolls is None
    assert sum(share for _msg, share in result.spread) == 1
    return result


def shares(result):
    """What is not zero in each result, with its chance."""
    said = {}
    for msg, share in result.spread:
        counted = [f"{n} {key}" for key, n in msg.facts.items() if n]
        said[", ".join(counted) or NOTHING] = share
    return said


def by_dice(kill_at, reduce_at):
    """Two dice by hand: up to a number all die, at the next one is reduced."""
    dead = sum(a + b <= kill_at for a, b in ALL)
    less = sum(a + b == reduce_at for a, b in ALL)
    return Fraction(dead, 36), Fraction(less, 36)


PAIRS = {
    "1:1, Kill# 5": ("a: ge-467 E6, x: ru-447 E6", (4, 5)),
    "3:2, Kill# 6": ("a: ge-838 E6, x: ru-527 E6", (5, 6)),
    "2:1, Kill# 7": ("a: ge-467 E6, x: ru-237 E6", (6, 7)),
    "1:2, Kill# 4: half FP of a Pin": ("a: ge-467 E6 pinned, x: ru-447 E6", (3, 4)),
    "1:1, CX attackers +1": ("a: ge-467 E6 CX, x: ru-447 E6", (3, 4)),
    "1:1, CX defenders -1": ("a: ge-467 E6, x: ru-447 E6 CX", (5, 6)),
    "1:1, broken defenders -2": ("a: ge-467 E6, x: ru-447 E6 broken", (6, 7)),
    "1:1 in Melee, in a building": ("a: ge-467 F5 Melee, x: ru-447 F5 Melee", (4, 5)),
}  # fmt: skip


@pytest.mark.rule("aslsk:3.8.odds", "aslsk:3.8", "aslsk:3.8.melee", "aslsk:3.8.ambush")
@pytest.mark.parametrize("name", PAIRS)
def test_one_against_one_is_the_kill_number_of_its_odds(name):
    units, limits = PAIRS[name]
    dead, less = by_dice(*limits)
    result = shares(found(Table(position(units)), "u:a", "u:x"))
    reduced = "1 dead" if "ru-237" in units else "1 reduced"
    expected = {"1 dead": dead, NOTHING: 1 - dead - less}
    expected[reduced] = expected.get(reduced, Fraction(0)) + less
    assert result == expected
    assert result == shares(found(Table(position(units), "u:a"), "u:x"))


@pytest.mark.rule("aslsk:3.8.smc")
def test_a_leader_who_joins_adds_one_fp_and_his_leadership():
    run = Table(position("a: ge-447 E6, l: ge-8-1 E6, x: ru-447 E6"), "u:a")
    dead, less = by_dice(5, 6)  # 5:4 is 1:1, DRM -1
    assert shares(found(run, "u:a", "u:x")) == {
        "1 dead": dead, "1 reduced": less, NOTHING: 1 - dead - less
    }  # fmt: skip


@pytest.mark.rule("aslsk:3.8.odds", "aslsk:3.8.smc", "aslsk:3.2.3.wound")
def test_one_random_target_is_reduced_and_a_leader_is_wounded_or_lost():
    run = Table(position("a: ge-838 E6, b: ge-467 E6, x: ru-447 E6, l: ru-8-1 E6"), "u:x")
    dead, less = by_dice(5, 6)  # 8:5 is 3:2
    half = less / 2
    assert shares(found(run, "u:a", "u:x")) == {
        "2 dead": dead, "1 reduced": half + half * Fraction(4, 6), "1 dead": half * Fraction(2, 6),
        NOTHING: 1 - dead - less,
    }  # fmt: skip


@pytest.mark.rule("aslsk:5.3", "aslsk:3.8.odds")
def test_a_leader_born_of_an_original_two_betters_the_odds():
    units = "a: ru-237 E6, x: ge-838 E6, y: ge-247 E6"
    run = Table(
        MAP.replace("german, russian", "russian, german") + f"unità: {{{units}}}", "u:a", "u:x"
    )
    # 2:10 is 1:6, Kill# 2: an original 2 reduces one; with the leader (dr 1-5) 1:4, Kill# 3.
    two = Fraction(1, 36)
    assert shares(found(run, "u:y")) == {
        "2 dead": two * Fraction(5, 6), "1 reduced": two / 12, "1 dead": two / 12,
        NOTHING: 1 - two,
    }  # fmt: skip


@pytest.mark.rule("aslsk:5.3", "aslsk:3.8")
def test_a_reply_counts_the_leader_that_the_attack_on_it_may_create():
    run = Table(position("a: ge-467 E6, x: ru-628 E6"), "u:a", "u:x")
    assert run.asked.side == "russian"
    result = shares(found(run, "u:x", "u:a"))
    dead, less = by_dice(5, 6)  # 6:4 is 3:2; with the new German leader 6:5 is 1:1
    rare, seldom = by_dice(4, 5)  # and half of the reductions are his
    two = Fraction(1, 36)
    dead, less = (1 - two) * dead + two * rare, (1 - two) * less + two * seldom / 2
    assert result == {"1 dead": dead, "1 reduced": less, NOTHING: 1 - dead - less}


@pytest.mark.rule("aslsk:3.8")
def test_what_is_declared_against_oneself_can_be_asked():
    run = Table(position("a: ge-838 E6, x: ru-628 E6"), "u:a", "u:x")
    dead, less = by_dice(4, 5)
    result = found(run)
    assert result.question.facts == {"unit": ("a",), "target": ("x",)}
    assert shares(result) == {"1 own_dead": dead, "1 own_reduced": less, NOTHING: 1 - dead - less}


@pytest.mark.rule("aslsk:3.8", "aslsk:3.8.odds")
def test_attacks_declared_before_are_left_out_and_change_nothing():
    run = Table(
        position("a: ge-467 E6, b: ge-247 E6, x: ru-447 E6, y: ru-237 E6"),
        "u:a",
        "u:x",
        "b:attacca",
    )
    rest, entries, questions = asked(run)
    question = next(q for q in questions if q.commands[1:] and q.commands[1].option == "u:y")
    short = odds(TITLE, rest, entries, question)
    raw = raw_distribution(TITLE, rest, entries, question)
    assert raw == {repr(result): share for result, share in short.spread}
    assert short.runs < 15
    dead, less = by_dice(4, 5)
    assert shares(short) == {"1 dead": dead + less, NOTHING: 1 - dead - less}


@pytest.mark.rule("aslsk:3.8")
def test_who_joins_and_who_is_attacked_too_make_new_odds():
    run = Table(position("a: ge-467 E6, b: ge-467 E6, x: ru-447 E6, y: ru-447 E6"), "u:a", "u:x")
    texts = [q.msg.id for q in asked(run)[2]]
    assert texts == ["CC: {option}", "CC: {unit} attacks too", "CC: {unit} is attacked too"]
    one, two, both = (shares(found(run, option)) for option in ("b:attacca", "u:b", "u:y"))
    assert (one["1 dead"], two["1 dead"]) == (by_dice(4, 5)[0], by_dice(6, 7)[0])  # 1:1, 2:1
    assert both["2 dead"] == by_dice(3, 4)[0]  # 1:2


@pytest.mark.rule("aslsk:3.8")
def test_what_is_taken_for_granted_is_said():
    run = Table(position("a: ge-467 E6, b: ge-467 E6, x: ru-447 E6, y: ru-447 E6"))
    given = found(run, "u:a", "u:x").given
    assert [ruling.msg.id for ruling in given] == [
        "nobody else attacks or is attacked with them",
        "you declare no more attacks in CC",
        "the enemy declares no attack in CC",
    ]  # fmt: skip


@pytest.mark.rule("aslsk:3.8.ambush", "aslsk:casa.36")
@pytest.mark.parametrize(
    ("dice", "answers", "limits"), [([(1,), (6,)], ("u:a", "u:x"), (5, 6)), ([(6,), (1,)], ("u:x", "u:a"), (5, 6))]
)  # fmt: skip
def test_who_ambushes_has_one_drm_better(dice, answers, limits):
    run = Table(position("a: ge-467 F5 CC, x: ru-447 F5"), dice=dice)
    dead, less = by_dice(*limits)
    result = found(run, *answers)
    assert not result.given, "it is resolved at once"
    assert shares(result) == {"1 dead": dead, "1 reduced": less, NOTHING: 1 - dead - less}


@pytest.mark.rule("aslsk:3.8.ambush", "aslsk:casa.36")
def test_who_is_ambushed_replies_with_one_drm_worse():
    run = Table(position("a: ge-467 F5 CC, x: ru-447 F5"), "b:passa", dice=[(1,), (6,)])
    dead, less = by_dice(3, 4)
    assert shares(found(run, "u:x", "u:a")) == {
        "1 dead": dead, "1 reduced": less, NOTHING: 1 - dead - less
    }  # fmt: skip


@pytest.mark.rule("aslsk:3.8.ambush")
@pytest.mark.parametrize(("marker", "extra"), [("CC", 0), ("CC CX", 1)])
def test_the_chance_of_an_ambush_is_asked_where_one_may_be(marker, extra):
    units = f"a: ge-467 F5 {marker}, x: ru-447 F5, b: ge-467 E6 CC, y: ru-447 E6"
    run = Table(position(units))
    assert [q.msg.facts["hex"] for q in asked(run)[2]] == ["F5"]
    spread = {str(m.facts.get("side", "")): p for m, p in found(run, "h:F5").spread}
    mine = Fraction(sum(a + extra + 3 <= b for a, b in ALL), 36)
    theirs = Fraction(sum(b + 3 <= a + extra for a, b in ALL), 36)
    assert spread == {"german": mine, "russian": theirs, "": 1 - mine - theirs}


@pytest.mark.rule("aslsk:3.8.ambush", "aslsk:3.8.smc")
def test_the_chance_of_an_ambush_is_asked_once_when_leaders_join():
    run = Table(position("a: ge-467 F5 CC, l: ge-8-1 F5 CC, x: ru-447 F5, k: ru-8-0 F5"))
    result = found(run, "u:a")
    assert len(asked(run)[2]) == 1
    mine = Fraction(sum(a - 1 + 3 <= b for a, b in ALL), 36)
    assert {str(m.facts.get("side", "")): p for m, p in result.spread}["german"] == mine
    assert [r.refs for r in result.given] == [("aslsk:3.8.smc",)]


@pytest.mark.rule("aslsk:3.8.ccv", "aslsk:3.8.sequential", "aslsk:5.3")
def test_a_squad_against_a_tank_kills_immobilizes_or_loses():
    position = MAP.replace("german, russian", "russian, german")
    run = Table(position + "unità: {a: ru-447 E6 done, z: ge-467 A1}\nveicoli: {t: ge-iif E6}")
    dead, stuck = by_dice(4, 5)  # CCV 5, and an original 12 reduces an attacker
    twelve = Fraction(1, 36)
    assert shares(found(run, "u:a", "u:t")) == {
        "1 tanks": dead, "1 stuck": stuck, "1 own_reduced": twelve,
        NOTHING: 1 - dead - stuck - twelve,
    }  # fmt: skip


@pytest.mark.rule("aslsk:3.8.afv_attack")
def test_the_machine_gun_of_a_tank_attacks_the_ccv_of_its_enemies():
    position = MAP.replace("german, russian", "russian, german")
    run = Table(
        position + "unità: {a: ru-447 E6 done, z: ge-467 A1}\nveicoli: {t: ge-iif E6}", "b:passa"
    )
    dead, less = by_dice(4, 5)  # 5 FP to CCV 5
    assert shares(found(run, "u:t:cmg", "u:a")) == {
        "1 dead": dead, "1 reduced": less, NOTHING: 1 - dead - less
    }  # fmt: skip


RAW = {
    "declared together": (position("a: ge-467 E6, x: ru-628 E6"), ("u:a", "u:x"), []),
    "leaders": (position("a: ge-247 E6, l: ge-8-1 E6, x: ru-447 E6, k: ru-8-0 E6"), ("u:a", "u:x"), []),
    "three declared": (position("a: ge-467 E6, b: ge-247 E6, x: ru-447 E6, y: ru-628 E6"), ("u:a", "u:x"), []),
    "ambush": (position("a: ge-467 F5 CC, x: ru-447 F5"), (), [(1,), (6,)]),
    "tank": (position("a: ge-467 E6, x: ru-447 E6", "\nveicoli: {t: ge-iif E6}"), (), []),
}  # fmt: skip


@pytest.mark.rule("aslsk:3.8", "aslsk:3.8.odds", "aslsk:3.8.ccv", "aslsk:5.3")
@pytest.mark.parametrize("name", RAW)
def test_odds_of_close_combat_equal_every_face_of_every_die(name):
    given, answers, dice = RAW[name]
    rest, entries, questions = asked(Table(given, *answers, dice=dice))
    compared = 0
    for question in questions:
        raw = raw_distribution(TITLE, rest, entries, question)
        if raw is not None:
            result = odds(TITLE, rest, entries, question)
            assert {repr(m): share for m, share in result.spread} == raw
            compared += 1
    assert compared
