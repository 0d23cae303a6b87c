"""The only door between a rule and the world: cite, do, choose, roll, draw, tally.

A procedure is an ordinary function. It runs from the last resting state with the answers
given so far; at the first question without an answer it is suspended and thrown away, and
when the answer comes it is run again from the start. Hence it must be deterministic.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from fractions import Fraction
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from engine.core.decisions import (
    Choice,
    Decision,
    Objections,
    Option,
    Refusals,
    WhyNot,
    objections,
)
from engine.core.dice import Dice, Reading, spread
from engine.core.pools import Pool
from engine.core.rules import (
    Book,
    Command,
    Draw,
    Entry,
    Event,
    Locators,
    Refused,
    Roll,
    RuleBug,
    Ruling,
    Side,
    Step,
    TallyLine,
)
from engine.core.text import Fact, Msg

S = TypeVar("S")
T = TypeVar("T")
V = TypeVar("V", bound=Hashable)
Number: TypeAlias = int | Fraction
Cited: TypeAlias = Locators | Ruling
"""What is cited: locators, which a message follows, or a ruling that was found before."""


class HasBook(Protocol):
    """What a Ctx needs of a title."""

    book: Book


class RollRequest(msgspec.Struct, frozen=True):
    """Dice are to be rolled."""

    dice: Dice
    read: Reading[Any]
    ruling: Ruling

    def branches(self) -> tuple[tuple[Any, Fraction], ...]:
        """Every reading with its exact probability."""
        return spread(self.dice, self.read)


class DrawRequest(msgspec.Struct, frozen=True):
    """An item is to be drawn."""

    pool: Pool
    ruling: Ruling

    def branches(self) -> tuple[tuple[str, Fraction], ...]:
        """Every item with its exact probability."""
        return self.pool.shares()


Request: TypeAlias = RollRequest | DrawRequest


class Branch(msgspec.Struct, frozen=True):
    """Chance's answer while odds are computed: what the rule reads, without faces."""

    value: Any


class Suspend(BaseException):
    """A question without an answer; a BaseException, so that no rule swallows it."""

    def __init__(self, question: Decision | Request) -> None:
        super().__init__()
        self.question = question


class Chance(Protocol):
    """Where dice and draws come from. `index` counts the chance entries of the game so far."""

    def roll(self, request: RollRequest, index: int) -> Roll:
        """Faces for the dice asked for; raises Suspend to let a person roll."""
        ...

    def draw(self, request: DrawRequest, index: int) -> Draw:
        """An item of the pool asked for."""
        ...


class Source(Chance, Protocol):
    """Chance that knows its own dice again."""

    def is_honest(self, request: Request, index: int, entry: Roll | Draw) -> bool:
        """Whether an entry is what this source gives there; asked of every entry, in order."""
        ...


Watch: TypeAlias = Callable[[Request, int, Roll | Draw], None]
"""Is told every answer of chance with what was asked and its index, as a procedure takes it."""


class Ctx(Generic[S]):
    """One run of a procedure. `answers` grows with what chance answers on the way.

    The first `proven` of them were options when they were given, and are not tested again.
    """

    def __init__(
        self,
        title: HasBook,
        state: S,
        answers: list[Entry | Branch],
        chance: Chance | None = None,
        rolled: int = 0,
        watch: Watch | None = None,
        proven: int = 0,
    ) -> None:
        self.state = state
        self.steps: list[Step] = []
        self.used = 0
        self._answers = answers
        self._book = title.book
        self._chance = chance
        self._rolled = rolled
        self._watch = watch
        self._proven = proven
        self._depth = 0

    # Saying and doing

    def cite(
        self,
        ref: Cited,
        msgid: str = "",
        /,
        *,
        hidden_from: tuple[Side, ...] = (),
        **facts: Fact,
    ) -> None:
        """A step that changes nothing: a ruling, or locators with their message."""
        ruling = ref if isinstance(ref, Ruling) else self._book.ruling(ref, Msg(msgid, facts))
        self._step(ruling, None, None, None, hidden_from)

    def do(self, event: Event, ref: Locators, msgid: str | None = None, /, **facts: Fact) -> None:
        """Change the state, under a rule."""
        msg = event.msg() if msgid is None else Msg(msgid, facts)
        ruling = self._book.ruling(ref, msg)
        self.state = event.on(self.state)
        self._step(ruling, event, None, None, event.hidden_from)

    def under(self, ref: Locators, msgid: str, /, **facts: Fact) -> AbstractContextManager[None]:
        """Steps nested under a heading: a morale check inside an attack."""
        self._step(self._book(ref, msgid, **facts))
        return self._nested()

    @contextmanager
    def _nested(self) -> Iterator[None]:
        self._depth += 1
        yield
        self._depth -= 1

    def tally(self, name: str) -> Tally:
        """A running total whose lines are cited."""
        return Tally(self, name)

    def require(self, found: Objections) -> None:
        """Stop a procedure that should not have started."""
        rulings = tuple(objections(found))
        if rulings:
            raise Refused(*rulings)

    def once(self, part: Callable[..., T], *given: Any) -> T:
        """A costly part of a procedure: runs that cannot differ in it share what it came to.

        Hence it leaves nothing behind but its value, which stays as it is, and the state.
        """
        return part(*given)

    def settled(self) -> None:
        """What was declared is resolved: what follows in this procedure only tidies the table.

        Odds that end at the next rest end here: no result that is read may change from here on.
        """

    # Asking

    def choose(
        self,
        question: str,
        side: Side,
        candidates: Iterable[Choice[T]],
        ref: Locators,
        msgid: str,
        /,
        *,
        why_not: WhyNot[T] | None = None,
        **facts: Fact,
    ) -> T:
        """Ask a side. Candidates that `why_not` objects to are refused with the objections.

        `question` is the id of what is asked, a literal. When the answer is known only the chosen
        candidate is tested.
        """
        if self.used == len(self._answers):
            options, refused = _sorted_out(question, candidates, why_not)
            ruling = self._book(ref, msgid, **facts)
            raise Suspend(Decision(question, side, ruling, options, refused))
        entry = self._take(Command)
        if entry.side != side:
            raise RuleBug(f"{side} is asked, {entry.side} answers")
        chosen = entry.option
        for candidate in candidates:
            if candidate.option.id == chosen:
                if why_not is not None and self.used > self._proven:
                    self.require(why_not(candidate.value))
                return candidate.value
        raise Refused(self._book(ref, msgid, **facts))

    def roll(self, dice: Dice, read: Reading[V], ref: Locators, msgid: str, /, **facts: Fact) -> V:
        """Roll dice and return what the rule reads in them."""
        request = RollRequest(dice, read, self._book(ref, msgid, **facts))
        if self.used == len(self._answers):
            if self._chance is None:
                raise Suspend(request)
            self._answers.append(self._chance.roll(request, self._rolled))
        entry = self._take(Roll, Branch)
        self._rolled += 1
        if isinstance(entry, Branch):
            value: V = entry.value
            self._step(request.ruling)
            return value
        if entry.dice != dice.name or not dice.accepts(entry.faces):
            raise RuleBug(f"{dice.name} are rolled, {entry} is answered")
        if self._watch is not None:
            self._watch(request, self._rolled - 1, entry)
        self._step(request.ruling, chance=entry)
        return read(entry.faces)

    def draw(
        self,
        pool: Pool,
        ref: Locators,
        msgid: str,
        /,
        *,
        hidden_from: tuple[Side, ...] = (),
        **facts: Fact,
    ) -> str:
        """Draw one item from what remains of a pool. Taking it out is an event of the title."""
        request = DrawRequest(pool, self._book(ref, msgid, **facts))
        if not pool.items:
            raise RuleBug(f"{pool.name}: nothing left to draw")
        if self.used == len(self._answers):
            if self._chance is None:
                raise Suspend(request)
            self._answers.append(self._chance.draw(request, self._rolled))
        entry = self._take(Draw, Branch)
        self._rolled += 1
        item: str = entry.value if isinstance(entry, Branch) else entry.item
        if item not in pool.items:
            raise RuleBug(f"{pool.name} does not hold {item}")
        seen = None if isinstance(entry, Branch) else entry
        if self._watch is not None and seen is not None:
            self._watch(request, self._rolled - 1, seen)
        self._step(request.ruling, chance=seen, hidden_from=hidden_from)
        return item

    # Inside

    def _ruling(self, ref: Cited, msgid: str, facts: dict[str, Fact]) -> Ruling:
        return ref if isinstance(ref, Ruling) else self._book.ruling(ref, Msg(msgid, facts))

    def _take(self, *kinds: type[Any]) -> Any:
        entry = self._answers[self.used]
        if not isinstance(entry, kinds):
            raise RuleBug(f"{entry} answers another question: expected {kinds[0].__name__}")
        self.used += 1
        return entry

    def _step(
        self,
        ruling: Ruling,
        event: Event | None = None,
        chance: Roll | Draw | None = None,
        tally: TallyLine | None = None,
        hidden_from: tuple[Side, ...] = (),
    ) -> None:
        steps = self.steps
        steps.append(Step(len(steps), self._depth, ruling, event, chance, tally, hidden_from))


def _sorted_out(
    question: str, candidates: Iterable[Choice[T]], why_not: WhyNot[T] | None
) -> tuple[tuple[Option, ...], Refusals]:
    """What may be answered, and what may not."""
    options: dict[str, Option] = {}
    refused = Refusals()
    count = 0
    for candidate in candidates:
        count += 1
        option = candidate.option
        if why_not is None or (found := why_not(candidate.value)) is None:
            options[option.id] = option
            continue
        if isinstance(found, Ruling):
            refused.add(option, found)
            continue
        against = iter(found)
        first = next(against, None)
        if first is None:
            options[option.id] = option
        else:
            refused.add(option, first, against)
    if len(options) + len(refused) < count or refused.holds_any(options):
        raise RuleBug(f"something is offered twice: {question}")
    if not options:
        raise RuleBug(f"nothing can be answered: {question}")
    return tuple(options.values()), refused


class Tally:
    """A running total: every line names its rule, so number and reason cannot part ways."""

    def __init__(self, ctx: Ctx[Any], name: str) -> None:
        self.total: Number = 0
        self._ctx = ctx
        self._name = name

    def add(self, value: Number, ref: Cited, msgid: str = "", /, **facts: Fact) -> None:
        """Add a modifier; one of zero leaves no line."""
        if value:
            self._line("+", value, self.total + value, ref, msgid, facts)

    def times(self, value: Number, ref: Cited, msgid: str = "", /, **facts: Fact) -> None:
        """Multiply; fractions are kept."""
        self._line("×", value, exact(self.total * value), ref, msgid, facts)

    def set(self, value: Number, ref: Cited, msgid: str = "", /, **facts: Fact) -> None:
        """Replace the total: a rounding, a cap, a floor."""
        self._line("=", value, value, ref, msgid, facts)

    def _line(
        self,
        operation: str,
        value: Number,
        total: Number,
        ref: Cited,
        msgid: str,
        facts: dict[str, Fact],
    ) -> None:
        self.total = total
        line = TallyLine(self._name, operation, value, total)
        self._ctx._step(self._ctx._ruling(ref, msgid, facts), tally=line)


def exact(value: Number) -> Number:
    """A whole Fraction as int, so that equal totals are equal text."""
    return int(value) if value.denominator == 1 else value
