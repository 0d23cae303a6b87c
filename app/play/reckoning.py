"""Odds at a position, and the process that reckons them beside the one of the players.

They are reckoned from what the side that is asked may know. The text mode reckons where it is: its
dialogue has nothing else to do until they are told.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from app.play.process import Answer, GameProcess, serve
from engine.core.ctx import exact
from engine.core.decisions import Option
from engine.core.rules import Anchor, RuleRef, Ruling, TallyLine
from engine.core.text import Msg, PlainMsg
from engine.core.title import Question, Title
from engine.foresight import Ahead, ahead
from engine.game import Position, decode_fraction
from engine.odds import Because, Odds, OverBudget, Reason, because, odds
from engine.saves.lines import Header

ODDS, FATES, AHEAD = "odds", "fates", "ahead"
"""What the process can be asked."""


class Reckoned(msgspec.Struct, frozen=True):
    """One question with its odds, None where there are too many cases, and why they are so;
    `option` is the answer to the open decision that leads to it, if one does."""

    question: Msg
    option: str
    odds: Odds | None
    because: Because = Because()


class Foretold(NamedTuple):
    """What may befall a unit, and how probable that is."""

    share: Fraction
    ruling: Ruling


def questions(title: Title[Any], at: Position[Any]) -> tuple[Question, ...]:
    """What odds are worth asking at a position, for whoever is asked there."""
    if at.decision is None:
        return ()
    return title.questions(title.belief(at.draft, at.decision.side), at.decision)


def reckon(title: Title[Any], at: Position[Any]) -> Iterator[Reckoned]:
    """The odds of every question at a position, one after the other."""
    for question in questions(title, at):
        assert at.decision is not None
        belief = title.belief(at.rest, at.decision.side)
        found: Odds | None = None
        with suppress(OverBudget):
            found = odds(title, belief, at.open, question)
        option = question.commands[0].option if question.commands else ""
        why = because(title, belief, at.open, question)
        yield Reckoned(question.msg, option, found, why)


def foresee(title: Title[Any], at: Position[Any]) -> Iterator[Ahead]:
    """What the answers at a position lead to, one after the other."""
    assert at.decision is not None
    belief = title.belief(at.rest, at.decision.side)
    return ahead(title, belief, at.open, at.decision)


def foretell(title: Title[Any], at: Position[Any]) -> Iterator[Foretold]:
    """What the rules foretell, hex by hex, of the units of whoever is asked."""
    assert at.decision is not None
    side = at.decision.side
    view, belief = title.view(at.draft, side), title.belief(at.draft, side)
    own = {c.hex for c in view.counters if c.side == side and c.hex is not None}
    for hex in view.board.hexes():
        for ruling in title.inspect(belief, hex) if hex in own else ():
            share = chance_in(ruling)
            if share:
                yield Foretold(share, ruling)


def chance_in(ruling: Ruling) -> Fraction | None:
    """The chance that a ruling tells of a unit: as such, or as so many cards of all."""
    facts = ruling.msg.facts
    chance, cards, total = facts.get("chance"), facts.get("n"), facts.get("total")
    if "unit" not in facts:
        return None
    if isinstance(chance, Fraction):
        return chance
    if isinstance(cards, int) and isinstance(total, int) and total:
        return Fraction(cards, total)
    return None


# --- as it crosses ----------------------------------------------------------------------------


class PlainRuling(msgspec.Struct, frozen=True):
    """A ruling as plain data."""

    refs: tuple[str, ...]
    msg: PlainMsg
    anchors: tuple[str, ...]

    @classmethod
    def of(cls, ruling: Ruling) -> PlainRuling:
        """A ruling made plain."""
        return cls(ruling.refs, PlainMsg.of(ruling.msg), ruling.anchors)

    def ruling(self) -> Ruling:
        """The ruling; ValueError where something is none."""
        refs, anchors = map(RuleRef, self.refs), map(Anchor, self.anchors)
        return Ruling(tuple(refs), self.msg.msg(), tuple(anchors))


class PlainOdds(msgspec.Struct, frozen=True):
    """Odds as plain data."""

    question: PlainMsg
    spread: tuple[tuple[PlainMsg, Fraction], ...]
    given: tuple[PlainRuling, ...]
    runs: int
    rolls: int | None

    @classmethod
    def of(cls, found: Odds) -> PlainOdds:
        """Odds made plain."""
        return cls(
            PlainMsg.of(found.question),
            tuple((PlainMsg.of(msg), share) for msg, share in found.spread),
            tuple(map(PlainRuling.of, found.given)),
            found.runs,
            found.rolls,
        )

    def odds(self) -> Odds:
        """The odds; ValueError where something is none."""
        return Odds(
            self.question.msg(),
            tuple((msg.msg(), share) for msg, share in self.spread),
            tuple(given.ruling() for given in self.given),
            self.runs,
            self.rolls,
        )


class PlainReason(msgspec.Struct, frozen=True):
    """A line of a resolution as plain data."""

    ruling: PlainRuling
    tally: tuple[str, str, Fraction, Fraction] | None
    dice: str

    @classmethod
    def of(cls, reason: Reason) -> PlainReason:
        """A line made plain."""
        line = reason.tally
        tally = None
        if line is not None:
            tally = line.name, line.operation, Fraction(line.value), Fraction(line.total)
        return cls(PlainRuling.of(reason.ruling), tally, reason.dice)

    def reason(self) -> Reason:
        """The line; ValueError where something is none."""
        line = None
        if self.tally is not None:
            name, operation, value, total = self.tally
            line = TallyLine(name, operation, exact(value), exact(total))
        return Reason(self.ruling.ruling(), line, self.dice)


class PlainReckoned(msgspec.Struct, frozen=True):
    """A question with its odds and their why as plain data."""

    question: PlainMsg
    option: str
    odds: PlainOdds | None
    reasons: tuple[PlainReason, ...]
    choices: tuple[PlainRuling, ...]

    @classmethod
    def of(cls, found: Reckoned) -> PlainReckoned:
        """Made plain."""
        known = PlainOdds.of(found.odds) if found.odds is not None else None
        reasons = tuple(map(PlainReason.of, found.because.reasons))
        choices = tuple(map(PlainRuling.of, found.because.choices))
        return cls(PlainMsg.of(found.question), found.option, known, reasons, choices)

    def reckoned(self) -> Reckoned:
        """The question with its odds; ValueError where something is none."""
        known = self.odds.odds() if self.odds is not None else None
        why = Because(
            tuple(one.reason() for one in self.reasons),
            tuple(one.ruling() for one in self.choices),
        )
        return Reckoned(self.question.msg(), self.option, known, why)


class PlainAhead(msgspec.Struct, frozen=True):
    """What an answer leads to as plain data."""

    option: str
    asked: PlainRuling | None
    at: PlainRuling | None
    by: tuple[str, PlainMsg] | None

    @classmethod
    def of(cls, found: Ahead) -> PlainAhead:
        """Made plain."""
        asked, at = (PlainRuling.of(one) if one else None for one in (found.asked, found.at))
        by = (found.by.id, PlainMsg.of(found.by.msg)) if found.by is not None else None
        return cls(found.option, asked, at, by)

    def ahead(self) -> Ahead:
        """What it leads to; ValueError where something is none."""
        asked, at = (one.ruling() if one else None for one in (self.asked, self.at))
        by = Option(self.by[0], self.by[1].msg()) if self.by is not None else None
        return Ahead(self.option, asked, at, by)


class OddsProcess(GameProcess):
    """The process that reckons the odds of one game."""

    module = "app.play.reckoning"

    async def reckon(self, at: Position[Any], hear: Callable[[Reckoned], None]) -> None:
        """Have `hear` told the odds of every question at a position; ChildFailed if they fail."""

        def part(raw: bytes) -> None:
            found = msgspec.json.decode(raw, type=PlainReckoned, dec_hook=decode_fraction)
            hear(found.reckoned())

        await self.ask(at, ODDS, part)

    async def foresee(self, at: Position[Any], hear: Callable[[Ahead], None]) -> None:
        """Have `hear` told what the answers at a position lead to; ChildFailed if that fails."""

        def part(raw: bytes) -> None:
            hear(msgspec.json.decode(raw, type=PlainAhead).ahead())

        await self.ask(at, AHEAD, part)

    async def foretell(self, at: Position[Any]) -> list[Foretold]:
        """What the rules foretell of the units of whoever is asked; ChildFailed if they fail."""
        found: list[Foretold] = []

        def part(raw: bytes) -> None:
            share, ruling = msgspec.json.decode(
                raw, type=tuple[Fraction, PlainRuling], dec_hook=decode_fraction
            )
            found.append(Foretold(share, ruling.ruling()))

        await self.ask(at, FATES, part)
        return found


def reckoner(title: Title[Any], _header: Header) -> Answer:
    """Answers with odds, or with what the rules foretell."""

    def answer(at: Position[Any], what: str) -> Iterator[Any]:
        if what == ODDS:
            return map(PlainReckoned.of, reckon(title, at))
        if what == AHEAD:
            return map(PlainAhead.of, foresee(title, at))
        return ((one.share, PlainRuling.of(one.ruling)) for one in foretell(title, at))

    return answer


if __name__ == "__main__":
    with suppress(AttributeError, OSError):
        os.nice(5)  # the screen goes first
    serve(reckoner)
