"""Exact odds: the same procedures, with every answer of chance instead of one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

import msgspec

from engine.core.ctx import Branch, Ctx, Number, Request, Suspend, Tally
from engine.core.decisions import Decision
from engine.core.dice import Dice, Reading, spread
from engine.core.late import Late, Shares, Unread
from engine.core.pools import Pool
from engine.core.rules import (
    Command,
    Draw,
    Entry,
    Event,
    Locators,
    Roll,
    Ruling,
    Side,
    Step,
    TallyLine,
)
from engine.core.text import Fact, Msg
from engine.core.title import Question, Title

S = TypeVar("S")
T = TypeVar("T")

BUDGET = 2_000
MOST_DRAWN = 24
"""Ways to draw that are compared, to tell what is so in all of them."""
_UNTOLD = nullcontext()


class Reason(msgspec.Struct, frozen=True):
    """One line of what makes up a roll: a number with its rule, a fact, or the roll itself, which
    names its dice, or the pool it is drawn from."""

    ruling: Ruling
    tally: TallyLine | None = None
    dice: str = ""


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


class Because(msgspec.Struct, frozen=True):
    """What the resolution tells of its first roll, or of all that it does where there is none;
    `choices` are the questions that the asker still answers before it."""

    reasons: tuple[Reason, ...] = ()
    choices: tuple[Ruling, ...] = ()

    @property
    def is_rolled(self) -> bool:
        """Whether chance has a say in it."""
        return any(reason.dice for reason in self.reasons)


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
    rest = belief if question.only is None else question.only(belief)
    return _Search(title, rest, open_answers, question, budget).run()


def because(
    title: Title[S], belief: S, open_answers: Sequence[Entry], question: Question
) -> Because:
    """Why a question has the odds that it has: the lines of the very code that resolves it."""
    rest = belief if question.only is None else question.only(belief)
    return _Search(title, rest, open_answers, question, BUDGET).tell()


class _Settled(BaseException):
    """All that a question asks has come about."""


class _Shared:
    """What runs have in common until chance answers them differently: the parts they went
    through, each as the value, state, answers and parts that it came to, and how they go on."""

    __slots__ = ("after", "parts")

    def __init__(self) -> None:
        self.parts: list[tuple[Any, Any, int, int] | None] = []
        self.after: dict[Any, _Shared] = {}


class _Start(msgspec.Struct, frozen=True):
    """What a run starts from: a resting state and what was answered since; `said` counts the
    commands put so far, `rolls` those before the rest, `given` lists what was assumed."""

    rest: Any
    answers: list[Any]
    shared: _Shared
    said: int = 0
    rolls: int = 0
    given: tuple[Ruling, ...] = ()


class _Look(msgspec.Struct, frozen=True):
    """A place where a branch looked at chance, or its end, where nothing is left to come."""

    start: _Start
    weight: Fraction
    state: Any
    rolls: int
    branches: Shares = ()


class _Sum(Tally):
    """A running total without its lines."""

    def _line(self, operation: str, value: Number, total: Number, *_told: Any) -> None:
        self.total = total


class _Run(Ctx[Any]):
    """A run that tells nothing. It follows the first of all branches and notes where it looked."""

    def __init__(
        self, title: Title[Any], start: _Start, weight: Fraction, ends_settled: bool
    ) -> None:
        self.start, self.weight, self.rolls = start, weight, start.rolls
        self.ends_settled = ends_settled
        self.answers = list(start.answers)
        self.looks: list[_Look] = []
        self.asked: Decision | Request | None = None
        self._shared, self._part = start.shared, 0
        super().__init__(title, start.rest, self.answers)

    def cite(self, *_told: Any, **_facts: Any) -> None:
        """Nothing is told."""

    def under(self, *_told: Any, **_facts: Any) -> AbstractContextManager[None]:
        """No heading is told either."""
        return _UNTOLD

    def tally(self, name: str) -> Tally:
        """Only the total counts."""
        return _Sum(self, name)

    def do(self, event: Event, ref: Locators, msgid: str | None = None, /, **facts: Fact) -> None:
        """Change the state."""
        self.state = self.once(event.on, self.state)

    def once(self, part: Callable[..., T], *given: Any) -> T:
        """What a part came to in an earlier run, unless chance has a say in it."""
        shared, place, rolls = self._shared, self._part, self.rolls
        self._part += 1
        if place == len(shared.parts):
            shared.parts.append(None)
        found = shared.parts[place]
        value: T
        if found is not None:
            value, self.state, self.used, self._part = found
            return value
        value = part(*given)
        if self._shared is shared and self.rolls == rolls:
            shared.parts[place] = (value, self.state, self.used, self._part)
        return value

    def settled(self) -> None:
        """The end of a question that looks no further."""
        if self.ends_settled:
            raise _Settled

    def choose(self, *asked: Any, **facts: Any) -> Any:
        """Ask; an answer that an earlier run has accepted is not tested again."""
        return self.once(partial(super().choose, *asked, **facts))

    def roll(
        self, dice: Dice, read: Reading[Any], ref: Locators, msgid: str, /, **facts: Fact
    ) -> Any:
        """Look at dice, unless they fell before the question."""
        if self._is_known(Roll):
            return super().roll(dice, read, ref, msgid, **facts)
        self.rolls += 1
        if isinstance(read, Late):
            return read.unread(dice, self._look)
        return self._look(lambda: spread(dice, read))

    def draw(
        self,
        pool: Pool,
        ref: Locators,
        msgid: str,
        /,
        *,
        hidden_from: tuple[Side, ...] = (),
        **facts: Fact,
    ) -> Any:
        """Look at an item, unless it was drawn before the question."""
        if self._is_known(Draw):
            return super().draw(pool, ref, msgid, hidden_from=hidden_from, **facts)
        self.rolls += 1
        return self._look(pool.shares)

    def here(self, branches: Shares = ()) -> _Look:
        """Where the run is now."""
        start = msgspec.structs.replace(self.start, answers=self.answers[: self.used])
        return _Look(start, self.weight, self.state, self.rolls, branches)

    def _step(self, *_told: Any, **_more: Any) -> None:
        """Nothing is told."""

    def _is_known(self, kind: type[Entry]) -> bool:
        return self.used < len(self.answers) and isinstance(self.answers[self.used], kind)

    def _look(self, branches: Callable[[], Shares]) -> Any:
        if self.used == len(self.answers):
            found = branches()
            self.looks.append(self.here(found))
            first, share = found[0]
            self.answers.append(Branch(first))
            self.weight *= share
        value = self._take(Branch).value
        self._shared, self._part = self._shared.after.setdefault(value, _Shared()), 0
        return value


class _Telling(_Run):
    """The same run, told: what the resolution says of its first roll.

    Where a rule looks at the dice before it has said all that goes into them, the most probable
    thing is what they show. Of what is drawn it gets the item `pick`, of `ways` that there are.
    """

    def __init__(self, title: Title[Any], start: _Start, pick: int = 0) -> None:
        super().__init__(title, start, Fraction(1), ends_settled=True)
        self.thrown: tuple[int, str] | None = None  # the place of the roll, and its dice
        self.pick, self.ways, self.is_drawn = pick, 1, False

    cite, under, tally = Ctx.cite, Ctx.under, Ctx.tally
    do, _step = Ctx.do, Ctx._step

    def once(self, part: Callable[..., T], *given: Any) -> T:
        """Nothing is left out."""
        return part(*given)

    def roll(
        self, dice: Dice, read: Reading[Any], ref: Locators, msgid: str, /, **facts: Fact
    ) -> Any:
        """The first roll is told; the next one is another story."""
        self._throw(Roll, self._book(ref, msgid, **facts), dice.name)
        return super().roll(dice, read, ref, msgid, **facts)

    def draw(self, pool: Pool, ref: Locators, msgid: str, /, **more: Any) -> Any:
        """What is drawn first is told; all that follows may depend on it."""
        if self._is_known(Draw):
            return super().draw(pool, ref, msgid, **more)
        facts = {key: fact for key, fact in more.items() if key != "hidden_from"}
        if self.thrown is None:
            self._throw(Draw, self._book(ref, msgid, **facts), pool.name)
            self.is_drawn = True
        items = pool.shares()
        self.ways = max(self.ways, len(items))
        if self.used == len(self.answers):
            self.answers.append(Branch(items[self.pick % len(items)][0]))
        return self._take(Branch).value

    def _throw(self, kind: type[Entry], ruling: Ruling, dice: str) -> None:
        if self._is_known(kind):
            return
        if self.thrown is not None:
            raise _Settled
        self.thrown = len(self.steps), dice
        self._step(ruling)

    def _look(self, branches: Callable[[], Shares]) -> Any:
        if self.used == len(self.answers):
            self.answers.append(Branch(max(branches(), key=lambda branch: branch[1])[0]))
        return self._take(Branch).value


def made_of(
    steps: Sequence[Step], roll: int, dice: str, is_drawn: bool = False
) -> tuple[Reason, ...]:
    """What makes up the roll at a place among steps: what was told since the roll before, beside
    it and in numbers; the roll; and what is added to it until it is read. What is drawn is read by
    all that follows."""
    depth = steps[roll].depth
    before: list[Step] = []
    after: list[Step] = []
    for step in steps[:roll]:
        if step.chance is not None:
            before.clear()
        elif step.tally is not None or step.depth >= depth:
            before.append(step)
    for step in steps[roll + 1 :]:
        if step.tally is None and step.event is None and not is_drawn:
            break
        if step.tally is not None or is_drawn:
            after.append(step)
    told, added = ([Reason(step.ruling, step.tally) for step in part if _is_told(step)]
                   for part in (before, after))  # fmt: skip
    return (*told, Reason(steps[roll].ruling, dice=dice), *added)


def _is_told(step: Step) -> bool:
    """Whether a line explains: no change of the table, nothing that is kept from anybody, nothing
    that dice still have to say."""
    line = step.tally
    facts = [*step.ruling.msg.facts.values(), *([line.value, line.total] if line else ())]
    is_open = not step.hidden_from and not any(isinstance(fact, Unread) for fact in facts)
    return is_open and step.event is None


class _Search:
    """One walk over all branches, roll by roll, as far as the budget goes.

    A run goes on to the end of one branch: the others leave it where it looked at chance.
    """

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
        level = [self._follow(_Start(self.rest, list(self.answers), _Shared()), Fraction(1))]
        while is_open := any(path[0].branches for path in level):
            further = self._one_more(level, rolls + 1)
            if further is None:
                break
            level, rolls = further, rolls + 1
        if is_open and not rolls:
            raise OverBudget(self.runs)
        for path in level:
            self._note(path[0])
            self._read(path[0].state, path[0].weight)
        return Odds(
            self.question.msg,
            tuple(self.spread[key] for key in sorted(self.spread)),
            tuple(self.given.values()),
            self.runs,
            rolls if is_open else None,
        )

    def tell(self) -> Because:
        """What makes up the first roll, and what the asker chooses before it. Where something is
        drawn, of what follows only that which is so whatever is drawn."""
        found, ways = self._told(0)
        kept = found.reasons
        for pick in range(1, min(ways, MOST_DRAWN)):
            other, _ways = self._told(pick)
            kept = tuple([reason for reason in kept if reason in other.reasons])
        return Because(kept, found.choices)

    def _told(self, pick: int) -> tuple[Because, int]:
        """What one run tells, and in how many ways it could have drawn."""
        choices: list[Ruling] = []
        steps: list[Step] = []  # of the procedures that have come to their rest
        thrown: tuple[int, str] | None = None
        ways, is_drawn = 1, False
        start: _Start | None = _Start(self.rest, list(self.answers), _Shared())
        while start is not None:
            run = _Telling(self.title, start, pick)
            following = self._play(run)
            ways, is_drawn = max(ways, run.ways), is_drawn or run.is_drawn
            if following is not None and run.thrown is not None and not is_drawn:
                following = None  # the roll is told: what comes of it is another story
            if following is None or following.rest is not start.rest:
                if thrown is None and run.thrown is not None:
                    thrown = len(steps) + run.thrown[0], run.thrown[1]
                steps += run.steps
            elif isinstance(run.asked, Decision) and start.said and run.thrown is thrown is None:
                choices += self._chosen(run.asked)
            start = following
        if thrown is not None:
            return Because(made_of(steps, *thrown, is_drawn), tuple(choices)), ways
        lines = [Reason(step.ruling, step.tally) for step in steps if _is_told(step)]
        return Because(tuple(lines), tuple(choices)), ways

    def _chosen(self, asked: Decision) -> Iterator[Ruling]:
        """A decision on the way, if it is a choice of the one who asks for the odds."""
        side = self.question.commands[0].side if self.question.commands else ""
        if asked.side == side and len(asked.options) > 1:
            yield asked.ruling

    def _one_more(self, level: list[list[_Look]], rolls: int) -> list[list[_Look]] | None:
        """Every branch as far as that many rolls go; None if they are too many."""
        found: list[list[_Look]] = []
        waiting = deque(level)
        while waiting:
            path = waiting.popleft()
            here = path[0]
            self._note(here)
            if here.rolls > rolls or not here.branches:
                found.append(path)
                continue
            if self.runs + len(here.branches) - 1 > self.budget:
                return None
            waiting.append(path[1:])
            for value, share in here.branches[1:]:
                answers = [*here.start.answers, Branch(value)]
                start = msgspec.structs.replace(here.start, answers=answers)
                waiting.append(self._follow(start, here.weight * share))
        return found

    def _follow(self, start: _Start, weight: Fraction) -> list[_Look]:
        """One branch to its end: where it looked at chance on the way, and where it ended."""
        path: list[_Look] = []
        going: _Start | None = start
        while going is not None:
            self.runs += 1
            is_said = going.said >= len(self.question.commands)
            run = _Run(self.title, going, weight, is_said and self.question.until is None)
            going = self._play(run)
            path += run.looks
            weight = run.weight
        return [*path, run.here()]

    def _play(self, run: _Run) -> _Start | None:
        """One run; what the next one starts from, if the branch goes on."""
        start, commands = run.start, self.question.commands
        is_said = start.said >= len(commands)
        try:
            self.title.play(run)
        except Suspend as suspended:
            run.asked = suspended.question
            if not is_said:
                answers = [*run.answers, commands[start.said]]
                return msgspec.structs.replace(start, answers=answers, said=start.said + 1)
            return self._assume(suspended.question, run)
        except _Settled:
            return None
        if (is_said and self._is_over(run.state)) or self.title.outcome(run.state) is not None:
            return None
        answers = run.answers[run.used :]
        return _Start(run.state, answers, _Shared(), start.said, run.rolls, start.given)

    def _is_over(self, rest: Any) -> bool:
        """Whether the question ends at a rest."""
        until = self.question.until
        if until is None or until(rest):
            return True
        if self.runs >= self.budget:
            raise OverBudget(self.runs)
        return False

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

    def _assume(self, asked: Decision | Request, run: _Run) -> _Start | None:
        """Go on from a decision in between with the answer taken for granted, if there is one."""
        if self.question.assume is None or not isinstance(asked, Decision):
            return None
        assumed = self.question.assume(asked)
        if assumed is None:
            return None
        option, ruling = assumed
        answers = [*run.answers, Command(asked.side, option)]
        given = (*run.start.given, ruling)
        return msgspec.structs.replace(run.start, answers=answers, given=given)

    def _note(self, look: _Look) -> None:
        """What was assumed on the way, each thing once."""
        for ruling in look.start.given:
            self.given.setdefault((*ruling.refs, ruling.msg.id), ruling)
