"""Exact odds: the same procedures, with every answer of chance instead of one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, TypeVar

import msgspec

from engine.core.ctx import Branch, Ctx, Suspend
from engine.core.decisions import Decision
from engine.core.rules import Command, Entry, Ruling
from engine.core.text import Msg
from engine.core.title import Question, Title

S = TypeVar("S")

BUDGET = 5_000


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
    rolls: int | None = None
    while True:
        try:
            return _Search(title, belief, open_answers, question, budget, rolls).run()
        except OverBudget as over:
            deepest: int = over.args[0]
            rolls = (deepest if rolls is None else rolls) - 1
            if rolls < 1:
                raise


class _Search:
    """One walk over all branches, at most `rolls` chance nodes deep after the commands begin."""

    def __init__(
        self,
        title: Title[Any],
        rest: Any,
        answers: Sequence[Entry],
        question: Question,
        budget: int,
        rolls: int | None,
    ) -> None:
        self.title, self.rest, self.answers = title, rest, answers
        self.question, self.budget, self.rolls = question, budget, rolls
        self.given: dict[tuple[str, ...], Ruling] = {}
        self.runs = 0
        self.deepest = 0
        self.cut = False

    def run(self) -> Odds:
        """Walk depth first; every leaf is read once."""
        commands = self.question.commands
        before = self._draft()
        stack: list[tuple[Any, list[Any], int, int, Fraction]] = [
            (self.rest, list(self.answers), 0, 0, Fraction(1))
        ]
        spread: dict[str, tuple[Msg, Fraction]] = {}
        while stack:
            rest, answers, said, depth, weight = stack.pop()
            self.runs += 1
            if self.runs > self.budget:
                raise OverBudget(self.deepest)
            ctx = Ctx(self.title, rest, answers, None)
            try:
                self.title.play(ctx)
            except Suspend as suspended:
                asked = suspended.question
                if not isinstance(asked, Decision):
                    if self.rolls is None or depth < self.rolls:
                        self.deepest = max(self.deepest, depth + 1)
                        stack += [
                            (rest, [*answers, Branch(value)], said, depth + 1, weight * share)
                            for value, share in asked.branches()
                        ]
                        continue
                    self.cut = True
                elif said < len(commands):
                    answer = commands[said]
                    stack.append((rest, [*answers, answer], said + 1, depth, weight))
                    continue
                elif (assumed := self._assume(asked)) is not None:
                    stack.append((rest, [*answers, assumed], said, depth, weight))
                    continue
            else:
                if said < len(commands) and self.title.outcome(ctx.state) is None:
                    stack.append((ctx.state, answers[ctx.used :], said, depth, weight))
                    continue
            result = self.question.read(before, ctx.state)
            key = repr(result)
            spread[key] = (result, weight + (spread[key][1] if key in spread else 0))
        return Odds(
            self.question.msg,
            tuple(spread[key] for key in sorted(spread)),
            tuple(self.given.values()),
            self.runs,
            self.rolls if self.cut else None,
        )

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
