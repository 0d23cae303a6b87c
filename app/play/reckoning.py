"""Odds at a position, and the process that reckons them beside the one of the players.

They are reckoned from what the side that is asked may know. The text mode reckons where it is: its
dialogue has nothing else to do until they are told.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

import msgspec

from app.play.process import Answer, GameProcess, serve
from engine.core.rules import Anchor, RuleRef, Ruling
from engine.core.text import Msg, PlainMsg
from engine.core.title import Question, Title
from engine.game import Position, decode_fraction
from engine.odds import Odds, OverBudget, odds
from engine.saves.lines import Header


class Reckoned(msgspec.Struct, frozen=True):
    """One question with its odds, None where there are too many cases; `option` is the answer to
    the open decision that leads to it, if one does."""

    question: Msg
    option: str
    odds: Odds | None


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
        yield Reckoned(question.msg, option, found)


# --- as it crosses ----------------------------------------------------------------------------


class PlainOdds(msgspec.Struct, frozen=True):
    """Odds as plain data."""

    question: PlainMsg
    spread: tuple[tuple[PlainMsg, Fraction], ...]
    given: tuple[tuple[tuple[str, ...], PlainMsg, tuple[str, ...]], ...]
    runs: int
    rolls: int | None

    @classmethod
    def of(cls, found: Odds) -> PlainOdds:
        """Odds made plain."""
        return cls(
            PlainMsg.of(found.question),
            tuple((PlainMsg.of(msg), share) for msg, share in found.spread),
            tuple((one.refs, PlainMsg.of(one.msg), one.anchors) for one in found.given),
            found.runs,
            found.rolls,
        )

    def odds(self) -> Odds:
        """The odds; ValueError where something is none."""
        return Odds(
            self.question.msg(),
            tuple((msg.msg(), share) for msg, share in self.spread),
            tuple(
                Ruling(tuple(map(RuleRef, refs)), msg.msg(), tuple(map(Anchor, anchors)))
                for refs, msg, anchors in self.given
            ),
            self.runs,
            self.rolls,
        )


class PlainReckoned(msgspec.Struct, frozen=True):
    """A question with its odds as plain data."""

    question: PlainMsg
    option: str
    odds: PlainOdds | None

    @classmethod
    def of(cls, found: Reckoned) -> PlainReckoned:
        """Made plain."""
        known = PlainOdds.of(found.odds) if found.odds is not None else None
        return cls(PlainMsg.of(found.question), found.option, known)

    def reckoned(self) -> Reckoned:
        """The question with its odds; ValueError where something is none."""
        known = self.odds.odds() if self.odds is not None else None
        return Reckoned(self.question.msg(), self.option, known)


class OddsProcess(GameProcess):
    """The process that reckons the odds of one game."""

    module = "app.play.reckoning"

    async def reckon(self, at: Position[Any], hear: Callable[[Reckoned], None]) -> None:
        """Have `hear` told the odds of every question at a position; ChildFailed if they fail."""

        def part(raw: bytes) -> None:
            found = msgspec.json.decode(raw, type=PlainReckoned, dec_hook=decode_fraction)
            hear(found.reckoned())

        await self.ask(at, "", part)


def reckoner(title: Title[Any], _header: Header) -> Answer:
    """Answers with odds."""

    def answer(at: Position[Any], _what: str) -> Iterator[PlainReckoned]:
        return map(PlainReckoned.of, reckon(title, at))

    return answer


if __name__ == "__main__":
    with suppress(AttributeError, OSError):
        os.nice(5)  # the screen goes first
    serve(reckoner)
