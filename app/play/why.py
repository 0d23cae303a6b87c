"""The why of chances, as rows: what makes up a roll line by line, each with its rule, then all that
may come of it. No screen: the panel draws these rows, the dialogue prints them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum, auto
from fractions import Fraction
from typing import NamedTuple

from app.play.chances import Chances
from app.play.citing import Quote, no_words
from app.play.reckoning import Foretold, Reckoned
from app.presenters.base import Presenter, Spread
from app.shell.i18n import _, _n, fraction
from engine.core.decisions import Decision
from engine.core.rules import Ruling, TallyLine
from engine.foresight import Ahead
from engine.odds import Reason

FEW = 4
"""Results that are told beside the marked answer."""


class Kind(Enum):
    """What a row is."""

    HEAD = auto()
    NOTE = auto()
    LINE = auto()  # a number or a fact that goes into the roll
    ROLL = auto()
    QUOTE = auto()  # the words of the rule that a line applies
    SHARE = auto()
    RIVAL = auto()  # an answer compared with the others
    MARKED = auto()  # the same, of the marked one


class Row(NamedTuple):
    """One row: words, and what belongs to them."""

    kind: Kind
    said: str
    number: str = ""
    share: Fraction | None = None
    ruling: Ruling | None = None


class Glance(NamedTuple):
    """What is said beside the marked answer: its chance and of what, the results, what was assumed
    in a word; or what is asked next. `rest` counts the results that are left out."""

    share: Fraction | None = None
    of: str = ""
    about: str = ""
    then: str = ""
    results: tuple[tuple[str, Fraction], ...] = ()
    rest: int = 0


def glance(chances: Chances, option: str, presenter: Presenter) -> Glance:
    """What is said beside an answer, from what is known of it."""
    known = [one for one in chances.of(option) if one.odds is not None]
    if not known:
        return Glance(about=chances.note)
    best = max(known, key=lambda one: _chance(one, presenter))
    assert best.odds is not None
    about = presenter.say(best.question)
    share, of = presenter.chance(best.odds.spread), ""
    if share is not None:
        of = chances.word if option in chances.best else presenter.chance_of(best.odds.spread)
    if best.because.choices:
        return Glance(share, of, about, presenter.say(best.because.choices[0].msg))
    results = sorted(brief(presenter.results, best, presenter), key=lambda one: -one[1])
    return Glance(share, of, about, "", tuple(results[:FEW]), max(0, len(results) - FEW))


def _chance(one: Reckoned, presenter: Presenter) -> Fraction:
    share = presenter.chance(one.odds.spread) if one.odds is not None else None
    return share if share is not None else Fraction(-1)


def page(
    chances: Chances,
    decision: Decision,
    marked: str | None,
    presenter: Presenter,
    quote: Quote = no_words,
) -> list[Row]:
    """The why of the marked answer, then all answers compared, then what was assumed of others."""
    rows: list[Row] = []
    found = chances.of(marked) if marked is not None else ()
    told: set[tuple[object, ...]] = set()
    for one in found:
        rows += of_one(one, presenter, quote, told)
    if not found and marked is not None:
        said = _("No roll follows this answer at once.")
        rows.append(Row(Kind.NOTE, said))
    rows += [row for one in chances.found if not one.option and one not in found
             for row in of_one(one, presenter, quote, told)]  # fmt: skip
    rows += assumed([*found] or chances.found, presenter, quote)
    rows += compared(chances, decision, marked, presenter)
    return rows


def of_one(
    one: Reckoned,
    presenter: Presenter,
    quote: Quote = no_words,
    told: set[tuple[object, ...]] | None = None,
) -> Iterator[Row]:
    """One question: what is still to be chosen, what makes up the roll, what may come of it. A roll
    whose numbers are all `told` already is not told again."""
    said = presenter.say(one.question)
    yield Row(Kind.HEAD, f"{said[:1].upper()}{said[1:]}")
    share = presenter.chance(one.odds.spread) if one.odds is not None else None
    if one.odds is not None and share is not None:
        yield Row(Kind.SHARE, presenter.chance_of(one.odds.spread), share=share)
    if one.because.choices:
        asked = " · ".join(presenter.say(ruling.msg) for ruling in one.because.choices)
        yield Row(Kind.NOTE, _("Before the roll you are still asked: {what}", what=asked))
    told = set() if told is None else told
    keys = {_key(reason): reason for reason in one.because.reasons}
    is_known = all(key in told for key, reason in keys.items() if reason.tally or reason.dice)
    for key, reason in keys.items():
        if key not in told or not is_known:
            yield from _line(reason, presenter, quote, told)
    told.update(keys)
    if one.odds is None:
        yield Row(Kind.NOTE, _("There are too many cases to count them all."))
        return
    yield from _spread(one, presenter)


def _key(reason: Reason) -> tuple[object, ...]:
    return reason.ruling.refs, repr(reason.ruling.msg), reason.tally, reason.dice


def _line(
    reason: Reason, presenter: Presenter, quote: Quote, told: set[tuple[object, ...]]
) -> Iterator[Row]:
    kind = Kind.ROLL if reason.dice else Kind.LINE
    number = "" if reason.tally is None else number_of(reason.tally, presenter)
    yield Row(kind, presenter.say(reason.ruling.msg), number, ruling=reason.ruling)
    for words in quote(reason.ruling)[:1]:
        if (words,) not in told:
            told.add((words,))
            yield Row(Kind.QUOTE, words)


def number_of(line: TallyLine, presenter: Presenter) -> str:
    """What a line does to its total, and what that comes to: +4 = 6, ×1/2 = 3."""
    total = presenter.total(line)
    if line.operation == "=":
        return f"= {total}"
    value = fraction(abs(Fraction(line.value)))
    sign = "−" if line.operation == "+" and line.value < 0 else line.operation
    return f"{sign}{value} = {total}"


def _spread(one: Reckoned, presenter: Presenter) -> Iterator[Row]:
    """All that may come of it, once; then, where it can be ranked, how far it goes at least."""
    assert one.odds is not None
    results = brief(presenter.results, one, presenter)
    if len(results) > 1:
        yield Row(Kind.NOTE, _("One of these happens (together 100%):"))
    for said, share in results:
        yield Row(Kind.SHARE, said, share=share)
    ladder = brief(presenter.at_least, one, presenter) if len(results) > 2 else []
    if ladder:
        yield Row(Kind.NOTE, _("How far it goes (these lines overlap):"))
    for said, share in ladder:
        yield Row(Kind.SHARE, said, share=share)
    if one.odds.rolls is not None:
        yield Row(Kind.NOTE, _n("Up to {n} roll only.", "Up to {n} rolls only.", n=one.odds.rolls))


def brief(
    tell: Callable[[Spread], Sequence[tuple[str, Fraction]]], one: Reckoned, presenter: Presenter
) -> list[tuple[str, Fraction]]:
    """Results in words; the name of the unit that all of them are about goes without saying."""
    assert one.odds is not None
    units = {str(result.facts["unit"]) for result, _share in one.odds.spread
             if "unit" in result.facts}  # fmt: skip
    name = presenter.name("unit", units.pop()) if len(units) == 1 else ""
    return [(said.removeprefix(name).lstrip(" :") or said, share)
            for said, share in tell(one.odds.spread)]  # fmt: skip


def assumed(found: Iterable[Reckoned], presenter: Presenter, quote: Quote) -> Iterator[Row]:
    """What was assumed on the way, each thing once."""
    given: dict[str, Ruling] = {}
    for one in found:
        for ruling in one.odds.given if one.odds is not None else ():
            given.setdefault(presenter.say(ruling.msg), ruling)
    if given:
        yield Row(Kind.HEAD, _("Assuming that:"))
    for said, ruling in given.items():
        yield Row(Kind.LINE, said, ruling=ruling)
        for words in quote(ruling)[:1]:
            yield Row(Kind.QUOTE, words)


def compared(
    chances: Chances, decision: Decision, marked: str | None, presenter: Presenter
) -> Iterator[Row]:
    """All answers that have a chance, the best first, by one and the same word."""
    if len(chances.best) < 2:
        return
    yield Row(Kind.HEAD, _("Compared: {what}", what=chances.word))
    for option, share in sorted(chances.best.items(), key=lambda one: -one[1]):
        kind = Kind.MARKED if option == marked else Kind.RIVAL
        found = decision.option(option)
        if found is not None:
            yield Row(kind, presenter.answer(option, found.msg), share=share)


def leading(
    ahead: Sequence[Ahead], marked: str | None, decision: Decision, presenter: Presenter
) -> Iterator[Row]:
    """Where nothing is reckoned: what the marked answer leads to, and where odds will be."""
    yield Row(Kind.NOTE, _("No roll follows any answer at once."))
    by_option = {one.option: one for one in ahead}
    here = by_option.get(marked or "")
    if here is not None and here.asked is not None:
        asked = presenter.say(here.asked.msg)
        yield Row(Kind.LINE, _("After this answer you are asked: {what}", what=asked),
                  ruling=here.asked)  # fmt: skip
    if here is not None and here.at is not None:
        yield from _odds_there(here, presenter)
        return
    other = next((one for one in ahead if one.at is not None), None)
    option = decision.option(other.option) if other is not None else None
    if other is not None and other.at is not None and option is not None:
        said = _("With «{answer}» you come to odds, at the question: {what}",
                 answer=presenter.answer(option.id, option.msg),
                 what=presenter.say(other.at.msg))  # fmt: skip
        yield Row(Kind.LINE, said, ruling=other.at)


def _odds_there(here: Ahead, presenter: Presenter) -> Iterator[Row]:
    assert here.at is not None
    there = presenter.say(here.at.msg)
    if here.by is None:
        yield Row(Kind.NOTE, _("There, for every answer, you see the odds and their why."))
        return
    answer = presenter.answer(here.by.id, here.by.msg)
    said = _("If you then answer «{answer}», the odds are at the question: {what}",
             answer=answer, what=there)  # fmt: skip
    yield Row(Kind.LINE, said, ruling=here.at)


def fates(foretold: Sequence[Foretold], presenter: Presenter) -> Iterator[Row]:
    """What the rules foretell of the units."""
    if foretold:
        yield Row(Kind.HEAD, _("What the next cards may do"))
    for share, ruling in foretold:
        yield Row(Kind.SHARE, presenter.foretold(ruling.msg), share=share, ruling=ruling)
