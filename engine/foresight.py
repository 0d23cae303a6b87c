"""What comes after an answer: what its side is asked next, and where odds can be reckoned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import msgspec

from engine.core.decisions import Decision, Option
from engine.core.rules import Command, Entry, Refused, RuleBug, Ruling
from engine.core.title import Title
from engine.game import Game, Position

S = TypeVar("S")

RUNS_AT_MOST = 240
TRIED_AT_MOST = 12
"""Answers to the next question that are tried on the way to odds."""


class Ahead(msgspec.Struct, frozen=True):
    """What an answer leads to: `asked` next of the same side, if it is asked anything; the odds
    come at `at`, after the answer `by` if that is another question."""

    option: str
    asked: Ruling | None = None
    at: Ruling | None = None
    by: Option | None = None


def ahead(
    title: Title[S], belief: S, answers: Sequence[Entry], decision: Decision
) -> Iterator[Ahead]:
    """What each answer to a decision leads to; `belief` is the resting state as the asker knows
    it. What led to odds from one answer is tried first from the next."""
    search = _Search(title, belief, answers, decision.side)
    for option in decision.options:
        yield search.after(option.id)


class _Search:
    def __init__(self, title: Title[Any], rest: Any, answers: Sequence[Entry], side: str) -> None:
        self._title, self._rest, self._answers, self._side = title, rest, answers, side
        self._runs = 0
        self._first: list[str] = []

    def after(self, option: str) -> Ahead:
        """What an answer leads to."""
        there = self._go(option)
        asked = self._asked(there)
        if there is None or asked is None:
            return Ahead(option)
        if self._has_odds(there):
            return Ahead(option, asked.ruling, asked.ruling)
        ranked = sorted(asked.options, key=lambda one: one.id not in self._first)
        for further in ranked[:TRIED_AT_MOST]:
            beyond = self._go(option, further.id)
            then = self._asked(beyond)
            if beyond is not None and then is not None and self._has_odds(beyond):
                self._first.append(further.id)
                return Ahead(option, asked.ruling, then.ruling, further)
        return Ahead(option, asked.ruling)

    def _go(self, *options: str) -> Position[Any] | None:
        """Where answers lead, as far as the asker can know."""
        self._runs += 1
        if self._runs > RUNS_AT_MOST:
            return None
        given = [Command(self._side, option) for option in options]
        try:
            game: Game[Any] = Game(self._title, "", None, start=self._rest)
            return game.resume((*self._answers, *given))
        except (Refused, RuleBug):  # another question comes in between
            return None

    def _asked(self, position: Position[Any] | None) -> Decision | None:
        asked = position.decision if position is not None else None
        return asked if asked is not None and asked.side == self._side else None

    def _has_odds(self, position: Position[Any]) -> bool:
        asked = position.decision
        return asked is not None and bool(self._title.questions(position.draft, asked))
