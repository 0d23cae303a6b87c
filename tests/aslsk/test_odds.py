"""Odds are those of the resolver, however few branches they take (3.2, 3.2.4, 3.8)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.aslsk import TITLE
from engine.core.ctx import Branch, Ctx, Suspend
from engine.core.decisions import Decision
from engine.core.rules import Command
from engine.odds import odds
from tests.aslsk.table import Table

GE = "lati: [german, russian]\nfase: PFPh\n"
RU = "lati: [russian, german]\nfase: PFPh\n"
MOVE = "lati: [russian, german]\nfase: MPh\n"


def asked(run, option):
    """The resting state, the answers since, and the question about an option."""
    position = run.game.position
    draft, rest = (TITLE.belief(s, run.asked.side) for s in (position.draft, position.rest))
    questions = TITLE.questions(draft, position.decision)
    return rest, position.open, next(q for q in questions if q.commands[0].option == option)


def by_readings(rest, entries, question):
    """The distribution by every reading of every roll, each run from the start and in full."""
    before = Ctx(TITLE, rest, list(entries))
    with pytest.raises(Suspend):
        TITLE.play(before)
    spread = {}

    def walk(answers, weight):
        ctx = Ctx(TITLE, rest, list(answers))
        try:
            TITLE.play(ctx)
        except Suspend as suspended:
            found = suspended.question
            if not isinstance(found, Decision):
                for value, share in found.branches():
                    walk((*answers, Branch(value)), weight * share)
                return
            assumed = question.assume(found)
            if assumed is not None:
                walk((*answers, Command(found.side, assumed[0])), weight)
                return
        key = repr(question.read(before.state, ctx.state))
        spread[key] = spread.get(key, Fraction(0)) + weight

    walk((*entries, *question.commands), Fraction(1))
    return spread


POSITIONS = {
    "cowering": (RU + "unità: {a: ru-426 G7, x: ge-467 H6, y: ge-8-0 H6}", ("u:a",), "h:H6"),
    "rof": (RU + "unità: {a: ru-447 G7, x: ge-436 H6}\narmi: {m: ru-mmg a}", ("u:m", "h:H6"), "u:a"),
    "broken": (RU + "unità: {a: ru-628 G7, x: ge-467 H6 broken, y: ge-247 H6 broken DM}", ("u:a",), "h:H6"),
    "fpf": (MOVE + "unità: {a: ru-447 E9, d: ge-467 D8 final}", ("u:a", "b:normale", "h:E8"), "u:d"),
    "gun": (GE + "unità: {c: ge-228 C9, x: ru-447 C6}\narmi: {g: ge-75l c ca=0}", ("u:g", "h:C6"), "b:ITT-HE"),
    "gun against gun": (GE + "unità: {c: ge-228 C9, x: ru-228 C6}\narmi: {g: ge-75l c ca=0, k: ru-45ll x ca=3}", ("u:g", "h:C6"), "b:ITT-HE"),
    "tank": (GE + "data: 1943-07\nunità: {c: ge-228 C9}\narmi: {g: ge-75l c ca=0}\nveicoli: {t: ru-t34m43 C6 vca=3 CE}", ("u:g", "h:C6"), "b:VTT-t-APCR"),
    "tank gun": (RU + "unità: {z: ge-467 A10}\nveicoli: {k: ru-t34m43 C9 vca=0, t: ge-ivh C7 vca=3}", ("u:k:ma", "h:C7"), "b:VTT-t-AP"),
    "machine gun against armour": (GE + "unità: {a: ge-467 C9}\narmi: {m: ge-hmg a}\nveicoli: {t: ru-ba6 C7 vca=0 tca=0}", ("u:m",), "h:C7"),
    "mortar": (RU + "unità: {a: ru-458 G7, x: ge-467 K9}\narmi: {m: ru-50mtr a}", ("u:m",), "h:K9"),
    "flamethrower": (RU + "unità: {a: ru-527 C3, x: ge-467 D3}\narmi: {f: ru-ft a}", ("u:f",), "h:D3"),
    "flamethrower against armour": (RU + "unità: {a: ru-527 C9}\narmi: {f: ru-ft a}\nveicoli: {t: ge-ivh C8 vca=3 CE}", ("u:f", "h:C8"), "b:FT-t"),
    "close combat": ("mappa: ex-mischia\nlati: [russian, german]\nfase: CCPh\nunità: {a: ru-447 E6 done, z: ge-467 A1}\nveicoli: {t: ge-iif E6}", ("u:a",), "u:t"),
    "panzerfaust": ("mappa: ex-carri\ndata: 1944-10\nlati: [russian, german]\nfase: MPh\nunità: {d: ge-467 Z1, z: ru-447 A5}\nveicoli: {t: ru-t3485 Y2 vca=0 CE}\npf: {german: 5}", ("u:t", "b:avvia"), "u:d:pf"),
}  # fmt: skip


@pytest.mark.rule("aslsk:3.2.3", "aslsk:3.2.4", "aslsk:7.9", "aslsk:4.2", "aslsk:3.8.ccv")
@pytest.mark.parametrize("name", POSITIONS)
def test_odds_follow_an_attack_to_its_end_and_equal_every_reading(name):
    position, answers, option = POSITIONS[name]
    rest, entries, question = asked(Table(position, *answers), option)
    found = odds(TITLE, rest, entries, question)
    assert found.rolls is None
    assert len(found.spread) > 1
    spread = {repr(result): share for result, share in found.spread}
    assert spread == by_readings(rest, entries, question)


@pytest.mark.rule("aslsk:3.2.4.procedure", "aslsk:3.2.3")
def test_dice_that_do_the_same_are_one_branch():
    position, answers, option = POSITIONS["gun"]
    found = odds(TITLE, *asked(Table(position, *answers), option))
    assert found.runs < 100, "36 To Hit DR by 11 effects by 5 checks would be 1,980"


@pytest.mark.rule("aslsk:3.2.3.mc", "aslsk:3.2.3.broken", "aslsk:3.2.3.pin_on_pass")
def test_who_is_broken_passes_at_the_limit_and_is_not_pinned():
    run = Table(
        RU + "unità: {a: ru-628 G7, x: ge-467 H6 broken}", "u:a", "h:H6", dice=[(3, 4), (3, 3)]
    )
    assert run.told("3.2.3.mc", "unit") == [{"unit": "x"}]
    assert (run.state.units["x"].type, run.state.units["x"].pinned) == ("ge-467", False)


@pytest.mark.rule("aslsk:3.2.3.elr", "aslsk:5.1")
@pytest.mark.parametrize(("squad", "left"), [("ge-447", "ge-436"), ("ge-436", "ge-436")])
def test_who_has_no_lower_quality_only_breaks(squad, left):
    position = RU + "elr: {russian: 3, german: 0}\nunità: {a: ru-628 G7, x: %s H6}"
    run = Table(position % squad, "u:a", "h:H6", dice=[(3, 4), (6, 5)])
    assert (run.state.units["x"].type, run.state.units["x"].broken) == (left, True)
