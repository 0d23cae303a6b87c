"""A game in progress: resting states, answers, and what is asked now."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, Generic, TypeVar

import msgspec

from engine.core import dice
from engine.core.ctx import Chance, Ctx, DrawRequest, Request, RollRequest, Suspend, Watch
from engine.core.decisions import Decision
from engine.core.rules import BY_HAND, Command, Draw, Entry, Refused, Roll, RuleBug, Step
from engine.core.text import N_, Msg
from engine.core.title import Options, Outcome, Title

S = TypeVar("S")

PROCEDURES_WITHOUT_A_QUESTION = 10_000


class SeededChance:
    """Dice from (seed, index): the same game repeats the same faces, redo included."""

    def __init__(self, seed: int | str) -> None:
        self.seed = seed

    def roll(self, request: RollRequest, index: int) -> Roll:
        """Fair faces for the dice."""
        faces = tuple(
            1 + dice.number(self.seed, index, part, die.sides)
            for part, die in enumerate(request.dice.dice)
        )
        return Roll(request.dice.name, faces)

    def draw(self, request: DrawRequest, index: int) -> Draw:
        """A fair item of the pool."""
        ticket = dice.number(self.seed, index, 0, request.pool.total)
        for item, count in request.pool.items.items():
            ticket -= count
            if ticket < 0:
                return Draw(request.pool.name, item)
        raise RuleBug(f"{request.pool.name}: the counts do not add up")

    def is_honest(self, request: Request, index: int, entry: Roll | Draw) -> bool:
        """Whether the seed gives these dice, or this item, there."""
        if isinstance(request, RollRequest):
            return self.roll(request, index) == entry
        return self.draw(request, index) == entry


class ScriptedChance:
    """Dice and draws given beforehand; Suspend when they run out, so that a person goes on."""

    def __init__(self, given: Iterable[Sequence[int] | str]) -> None:
        self._given = list(given)

    def add(self, given: Sequence[int] | str) -> None:
        """Add faces or an item at the end of the script."""
        self._given.append(given)

    def roll(self, request: RollRequest, index: int) -> Roll:
        """The next faces of the script."""
        if not self._given or isinstance(self._given[0], str):
            raise Suspend(request)
        return Roll(request.dice.name, tuple(int(face) for face in self._given.pop(0)))

    def draw(self, request: DrawRequest, index: int) -> Draw:
        """The next item of the script."""
        if not self._given or not isinstance(self._given[0], str):
            raise Suspend(request)
        return Draw(request.pool.name, str(self._given.pop(0)))


class RealDice(SeededChance):
    """Dice that people roll at the table and type in: every roll waits for `Game.enter`.

    Draws still come from the program: a hidden deck cannot be drawn from in the open.
    """

    def roll(self, request: RollRequest, index: int) -> Roll:
        """Wait for a person."""
        raise Suspend(request)

    def is_honest(self, request: Request, index: int, entry: Roll | Draw) -> bool:
        """Whether dice were typed in, or the seed gives this item."""
        if isinstance(request, RollRequest):
            return entry.source == BY_HAND
        return self.draw(request, index) == entry


class Position(msgspec.Struct, Generic[S], frozen=True):
    """Where a game stands. `draft` is what views show: it holds losses just taken."""

    rest: S
    open: tuple[Entry, ...]
    draft: S
    steps: tuple[Step, ...]
    decision: Decision | None = None
    request: Request | None = None
    outcome: Outcome | None = None


class Passage(msgspec.Struct, Generic[S], frozen=True):
    """A finished procedure: where it started, what was answered, what it did.

    `rolled` counts the chance entries of the game before it.
    """

    rest: S
    entries: tuple[Entry, ...]
    steps: tuple[Step, ...]
    rolled: int


class UndoRefused(Exception):
    """There is nothing to take back, or taking it back would show what is not to be seen."""

    def __init__(self, msg: Msg) -> None:
        super().__init__(msg.id)
        self.msg = msg


class Game(Generic[S]):
    """Plays a title: every answer runs the open procedure again, as far as it goes."""

    def __init__(
        self,
        title: Title[S],
        scenario: str,
        chance: Chance | None,
        options: Options | None = None,
        start: S | None = None,
        rolled: int = 0,
    ) -> None:
        self.title = title
        self.scenario = scenario
        self.options = dict(options or {})
        self.chance = chance
        self.studio = False
        self.watch: Watch | None = None
        self.passages: list[Passage[S]] = []
        self._rest = title.start(scenario, self.options) if start is None else start
        self._rolled = rolled
        self._open: list[Any] = []
        self._proven = 0  # how many of them were options when they were given
        self._redo: list[tuple[Entry, ...]] = []
        self.position = self._advance()

    @property
    def rolled(self) -> int:
        """How many dice and draws came before the open procedure."""
        return self._rolled

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every answer of players and of chance, in order."""
        done = [entry for passage in self.passages for entry in passage.entries]
        return (*done, *self._open)

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every step of the game, in order."""
        done = [step for passage in self.passages for step in passage.steps]
        return (*done, *self.position.steps)

    def rests(self) -> Iterator[tuple[int, S]]:
        """Every resting state that an answer led to, with the number of entries before it."""
        count = 0
        for index, passage in enumerate(self.passages):
            count += len(passage.entries)
            if passage.entries:
                is_last = index + 1 == len(self.passages)
                yield count, self._rest if is_last else self.passages[index + 1].rest

    def asked(self, entry: int) -> Decision | None:
        """What was asked when an entry was given, by its place from 0; None if chance was."""
        now = Passage(self._rest, tuple(self._open), (), self._rolled)
        for passage in (*self.passages, now):
            if entry < len(passage.entries):
                known: list[Any] = list(passage.entries[:entry])
                ctx = Ctx(self.title, passage.rest, known, None, passage.rolled)
                try:
                    self.title.play(ctx)
                except Suspend as suspended:
                    asked = suspended.question
                    return asked if isinstance(asked, Decision) else None
            entry -= len(passage.entries)
        return None

    def answer(self, option: str) -> Position[S]:
        """Answer the open decision; Refused carries the rulings against an illegal answer."""
        decision = self.position.decision
        if decision is None:
            raise RuleBug("no decision is open")
        if decision.option(option) is None:
            raise Refused(*decision.why_not(option))
        self._proven = len(self._open) + 1
        return self._enter(Command(decision.side, option))

    def enter(self, faces: Sequence[int]) -> Position[S]:
        """Answer an open roll with the faces of real dice; ValueError if they cannot be."""
        request = self.position.request
        if not isinstance(request, RollRequest) or not request.dice.accepts(faces):
            raise ValueError(faces)
        return self._enter(Roll(request.dice.name, tuple(faces), BY_HAND))

    def resume(self, entries: Iterable[Entry]) -> Position[S]:
        """Take up entries of an earlier game where this one stands.

        Refused or RuleBug if the rules no longer accept one; the game then rests before it.
        """
        self._open.extend(entries)
        self.position = self._advance()
        return self.position

    def why_not_undo(self) -> Msg | None:
        """Why the last answer may not be taken back freely."""
        taken = self._last_answer()
        if not taken:
            return Msg(N_("There is nothing to take back."))
        if any(not isinstance(entry, Command) for entry in taken):
            return Msg(N_("Dice or cards came after the last answer: only studio mode goes back."))
        if any(step.event is not None and step.event.reveals for step in self._steps_since()):
            return Msg(N_("Something hidden was shown: only studio mode goes back."))
        return None

    def undo(self, studio: bool = False) -> Position[S]:
        """Take back the last answer and what chance said after it."""
        reason = self.why_not_undo()
        taken = self._last_answer()
        if reason is not None and not (studio and taken):
            raise UndoRefused(reason)
        self.studio = self.studio or reason is not None
        self._redo.append(taken)
        while not self._has_open_answer():
            passage = self.passages.pop()
            self._rest = passage.rest
            self._rolled = passage.rolled
            self._open = [*passage.entries, *self._open]
        del self._open[len(self._open) - len(taken) :]
        self._proven = len(self._open)
        self.position = self._advance()
        return self.position

    def redo(self) -> Position[S]:
        """Give again the answer last taken back, with the same dice."""
        if not self._redo:
            raise UndoRefused(Msg(N_("There is nothing to repeat.")))
        return self.resume(self._redo.pop())

    def _has_open_answer(self) -> bool:
        return any(isinstance(entry, Command) for entry in self._open)

    def _last_answer(self) -> tuple[Entry, ...]:
        """The last command and the chance entries after it."""
        entries = self.entries
        for index in range(len(entries) - 1, -1, -1):
            if isinstance(entries[index], Command):
                return entries[index:]
        return ()

    def _steps_since(self) -> list[Step]:
        """The steps that followed the last answer."""
        later = list(self.position.steps)
        rest, entries, steps, rolled = self._rest, self._open, self.position.steps, self._rolled
        for passage in reversed(self.passages):
            if any(isinstance(entry, Command) for entry in entries):
                break
            rest, entries, rolled = passage.rest, list(passage.entries), passage.rolled
            steps = passage.steps
            later = [*steps, *later]
        last = max(i for i, entry in enumerate(entries) if isinstance(entry, Command))
        ctx = Ctx(self.title, rest, list(entries[:last]), None, rolled)
        with suppress(Suspend):
            self.title.play(ctx)
        return later[len(ctx.steps) :]

    def _enter(self, entry: Entry) -> Position[S]:
        """Take an entry, or fail and stand as before: what a save holds must replay."""
        known, rest, rolled, before = len(self.passages), self._rest, self._rolled, [*self._open]
        self._open.append(entry)
        try:
            self.position = self._advance()
        except BaseException:
            del self.passages[known:]
            self._rest, self._rolled, self._open = rest, rolled, before
            self._proven = len(before)
            raise
        self._redo.clear()
        return self.position

    def _advance(self) -> Position[S]:
        """Run procedures until something is asked or the game is over."""
        for _ in range(PROCEDURES_WITHOUT_A_QUESTION):
            outcome = self.title.outcome(self._rest)
            if outcome is not None:
                if self._open:
                    raise RuleBug("answers follow the end of the game")
                return Position(self._rest, (), self._rest, (), outcome=outcome)
            ctx = Ctx(
                self.title,
                self._rest,
                self._open,
                self.chance,
                self._rolled,
                self.watch,
                self._proven,
            )
            try:
                self.title.play(ctx)
            except Suspend as suspended:
                self._proven = len(self._open)
                asked = suspended.question
                decision, request = (asked, None) if isinstance(asked, Decision) else (None, asked)
                steps, entries = tuple(ctx.steps), tuple(self._open)
                return Position(self._rest, entries, ctx.state, steps, decision, request)
            used = tuple(self._open[: ctx.used])
            self.passages.append(Passage(self._rest, used, tuple(ctx.steps), self._rolled))
            del self._open[: ctx.used]
            self._proven = max(0, self._proven - ctx.used)
            self._rolled += sum(not isinstance(entry, Command) for entry in used)
            self._rest = ctx.state
        raise RuleBug("the game runs on without asking anything")


def digest(state: Any) -> str:
    """A short fingerprint of a state, equal for equal values on every machine."""
    text = msgspec.json.encode(state, enc_hook=encode_fraction, order="deterministic")
    return hashlib.blake2b(text, digest_size=12).hexdigest()


def encode_fraction(value: Any) -> Any:
    """Fractions in JSON, as text."""
    if isinstance(value, Fraction):
        return str(value)
    raise NotImplementedError(type(value).__name__)


def decode_fraction(kind: type[Any], value: Any) -> Any:
    """Fractions from JSON."""
    if kind is Fraction:
        return Fraction(value)
    raise NotImplementedError(kind.__name__)
