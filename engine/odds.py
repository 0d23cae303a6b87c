"""Exact odds: the same procedures, with every answer of chance instead of one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, TypeVar

import msgspec

from engine.core.ctx import Branch, Ctx, Request, Suspend
from engine.core.decisions import Decision
from engine.core.rules import Command, Entry, Ruling
from engine.core.text import Msg
from engine.core.title import Question, Title

S = TypeVar("S")

BUDGET = 3_000


class Odds(msgspec.Struct, frozen=True):
    """An exact distribution. `given` lists what was assumed of other players.

    `rolls` is None when every roll was followed to its end; otherwise the results are those
    after that many rolls, because following them all would take too long.
    """

    question: Msg
    spread: tuple[tuple[Msg, Fraction], ...]
    given: tuple[Ruling, ...]
    runs: int
    rolls: int | None = None


class OverBudget(Exception):
    """More runs than the budget allows."""


def odds(
    title: Title[S],
    belief: S,
    open_answers: Sequence[Entry],
    question: Question,
    budget: int = BUDGET,
) -> Odds:
    """The exact distribution of what comes of a question.

    `belief` is the resting state as the asker knows it, never the true one.
    """
    return _Search(title, belief, open_answers, question, budget).run()


class _Open(msgspec.Struct, frozen=True):
    """A branch that waits for chance: what was answered, and the state as it is."""

    rest: Any
    answers: list[Any]
    said: int
    weight: Fraction
    state: Any
    asked: Request


class _Search:
    """One walk over all branches, roll by roll, as far as the budget goes."""

    def __init__(
        self,
        title: Title[Any],
        rest: Any,
        answers: Sequence[Entry],
        question: Question,
        budget: int,
    ) -> None:
        self.title, self.rest, self.answers = title, rest, answers
        self.question, self.budget = question, budget
        self.given: dict[tuple[str, ...], Ruling] = {}
        self.spread: dict[str, tuple[Msg, Fraction]] = {}
        self.before = self._draft()
        self.runs = 0

    def run(self) -> Odds:
        """Every branch is followed by one more roll, until none is open or they are too many."""
        rolls = 0
        level = self._follow(self.rest, list(self.answers), 0, Fraction(1))
        while level:
            branches = [(one, value) for one in level for value in one.asked.branches()]
            if self.runs + len(branches) > self.budget:
                break
            rolls += 1
            level = [
                found
                for one, (value, share) in branches
                for found in self._follow(
                    one.rest, [*one.answers, Branch(value)], one.said, one.weight * share
                )
            ]
        if level and not rolls:
            raise OverBudget(self.runs)
        for one in level:
            self._read(one.state, one.weight)
        return Odds(
            self.question.msg,
            tuple(self.spread[key] for key in sorted(self.spread)),
            tuple(self.given.values()),
            self.runs,
            rolls if level else None,
        )

    def _follow(self, rest: Any, answers: list[Any], said: int, weight: Fraction) -> list[_Open]:
        """One branch up to its next roll; a branch that ends before is read."""
        commands = self.question.commands
        while True:
            self.runs += 1
            ctx = Ctx(self.title, rest, answers, None)
            try:
                self.title.play(ctx)
            except Suspend as suspended:
                asked = suspended.question
                if not isinstance(asked, Decision):
                    return [_Open(rest, answers, said, weight, ctx.state, asked)]
                if said < len(commands):
                    answers, said = [*answers, commands[said]], said + 1
                    continue
                if (assumed := self._assume(asked)) is not None:
                    answers = [*answers, assumed]
                    continue
            else:
                if said < len(commands) and self.title.outcome(ctx.state) is None:
                    rest, answers = ctx.state, answers[ctx.used :]
                    continue
            self._read(ctx.state, weight)
            return []

    def _read(self, state: Any, weight: Fraction) -> None:
        """What came of it, added to its like."""
        result = self.question.read(self.before, state)
        key = repr(result)
        known = self.spread.get(key)
        self.spread[key] = (result, weight + (known[1] if known else 0))

    def _draft(self) -> Any:
        """The state when the question is put."""
        ctx = Ctx(self.title, self.rest, list(self.answers), None)
        with suppress(Suspend):
            self.title.play(ctx)
        return ctx.state

    def _assume(self, decision: Decision) -> Command | None:
        """The answer taken for granted at a decision in between, noted among the givens."""
        if self.question.assume is None:
            return None
        assumed = self.question.assume(decision)
        if assumed is None:
            return None
        option, ruling = assumed
        self.given.setdefault((*ruling.refs, ruling.msg.id), ruling)
        return Command(decision.side, option)
