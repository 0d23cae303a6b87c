"""The chronicle: the game as turns, actions and steps.

An action is what one side does with one unit or one decision: procedures that follow each other,
are led by the same side and speak of the same unit belong together. It is folded to one line that
says what came of it, unless it is the last one, the one that is looked at, or one that the reader
has unfolded. The chronicle only grows; what is still to come in step mode is not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from itertools import pairwise
from typing import NamedTuple

import msgspec

from app.play.telling import Told
from engine.core.rules import Roll, Side, Step
from engine.core.view import View

MOST_OUTCOMES = 3
"""Results that a folded action tells."""


class Kind(Enum):
    """What a row of the chronicle is."""

    TURN = auto()
    ACTION = auto()
    STEP = auto()


class Action(msgspec.Struct, frozen=True):
    """Lines that belong together, from `first` up to, not including, `end`."""

    first: int
    end: int
    side: Side
    turn: str


class _Procedure(NamedTuple):
    """What decides which action the lines of a procedure belong to: who was asked, the unit that
    they speak of, whether chance spoke, whether they name a side."""

    first: int
    side: Side
    subject: str
    has_chance: bool
    names_side: bool

    @classmethod
    def of(cls, lines: Sequence[Told], first: int) -> _Procedure:
        """A procedure from its lines."""
        steps = [line.step for line in lines]
        return cls(
            first,
            lines[0].frame.side,
            next(filter(None, map(subject, steps)), ""),
            any(step.chance is not None for step in steps),
            any(key in step.ruling.msg.facts for step in steps for key in ("side", "seat")),
        )

    def continues(self, going: _Procedure) -> bool:
        """Whether it belongs to an action that is going on."""
        if self.has_chance and (going.has_chance or not self.side):
            return False
        if not self.subject:
            return (
                not self.names_side
                and not self.has_chance
                and bool(going.subject or not going.side)
            )
        is_theirs = bool(self.side) and self.side != going.side
        return not is_theirs and self.subject == going.subject

    def followed_by(self, other: _Procedure) -> _Procedure:
        """Both as one."""
        return self._replace(
            side=self.side or other.side,
            subject=self.subject or other.subject,
            has_chance=self.has_chance or other.has_chance,
        )


class Row(NamedTuple):
    """A row: what it is, the lines that it stands for, and whether they are unfolded under it."""

    kind: Kind
    first: int
    end: int
    is_open: bool
    words: str

    @property
    def at(self) -> int:
        """The line whose moment the row shows: the last one that it stands for alone."""
        return self.first if self.is_open or self.kind is Kind.STEP else self.end - 1


class Chronicle:
    """The lines of a game as a tree. `look` gives the table before a line, `turn` its turn."""

    def __init__(self, look: Callable[[Told], View], turn: Callable[[View], str]) -> None:
        self._look = look
        self._turn = turn
        self.lines: Sequence[Told] = ()
        self.actions: list[Action] = []
        self._unfolded: set[int] = set()  # first lines of actions and of turns (as -1 - line)
        self._summaries: dict[tuple[int, int], tuple[Told, str]] = {}

    def take(self, lines: Sequence[Told]) -> None:
        """The lines as they are now; what was known of those that stay is kept."""
        same = 0
        for old, new in zip(self.lines, lines, strict=False):
            if old is not new:
                break
            same += 1
        while self.actions and self.actions[-1].end > same:
            self.actions.pop()
        del self.actions[-2:]  # what follows may belong to them, now that it is told further
        self.lines = lines
        start = self.actions[-1].end if self.actions else 0
        self._divide(start)

    def _divide(self, start: int) -> None:
        """Put procedures together to actions, from a line on."""
        going: _Procedure | None = None
        begin = start
        for one in self._procedures(start):
            if going is not None and not one.continues(going):
                self._close(begin, one.first)
                going, begin = None, one.first
            going = one if going is None else going.followed_by(one)
        if begin < len(self.lines):
            self._close(begin, len(self.lines))

    def _close(self, begin: int, end: int) -> None:
        first = self.lines[begin]
        sides = (self.lines[n].frame.side for n in range(begin, end))
        turn = self._turn(self._look(first))
        self.actions.append(Action(begin, end, next(filter(None, sides), ""), turn))

    def _procedures(self, start: int) -> Iterator[_Procedure]:
        """The procedures whose lines follow each other, from a line on."""
        begin = start
        for at in range(start + 1, len(self.lines) + 1):
            passage = self.lines[begin].frame.passage
            if at == len(self.lines) or self.lines[at].frame.passage != passage:
                yield _Procedure.of(self.lines[begin:at], begin)
                begin = at

    # Folding

    def action_of(self, at: int) -> Action | None:
        """The action that a line belongs to."""
        low, high = 0, len(self.actions) - 1
        while low <= high:
            middle = (low + high) // 2
            found = self.actions[middle]
            if at < found.first:
                high = middle - 1
            elif at >= found.end:
                low = middle + 1
            else:
                return found
        return None

    def unfold(self, row: Row) -> None:
        """Show what a row stands for."""
        self._unfolded.add(_key(row))

    def fold(self, row: Row) -> None:
        """Show one line for all that a row stands for."""
        self._unfolded.discard(_key(row))

    def reveal(self, at: int) -> None:
        """Unfold what a line belongs to, and nothing else."""
        action = self.action_of(at)
        self._unfolded = {action.first} if action is not None else set()
        if action is not None:
            self._unfolded.add(-1 - self._turn_start(action))

    def _turn_start(self, action: Action) -> int:
        place = self.actions.index(action)
        while place and self.actions[place - 1].turn == action.turn:
            place -= 1
        return self.actions[place].first

    def rows(self, marked: int | None = None) -> list[Row]:
        """The rows, with the last action open, and its turn and that of the marked line."""
        if not self.actions:
            return []
        found: list[Row] = []
        here = self.action_of(marked) if marked is not None else None
        last = self.actions[-1]
        starts = [0]
        for place, (one, other) in enumerate(pairwise(self.actions), start=1):
            if one.turn != other.turn:
                starts.append(place)
        for begin, stop in pairwise([*starts, len(self.actions)]):
            group = self.actions[begin:stop]
            first, end = group[0].first, group[-1].end
            is_open = last in group or here in group or -1 - first in self._unfolded
            if len(starts) > 1:
                found.append(Row(Kind.TURN, first, end, is_open, group[0].turn))
            if is_open:
                for action in group:
                    found += self._rows_of(action, action is last)
        return found

    def _rows_of(self, action: Action, is_last: bool) -> list[Row]:
        if action.end - action.first == 1:
            return [Row(Kind.STEP, action.first, action.end, False, "")]
        is_open = is_last or action.first in self._unfolded
        head = Row(Kind.ACTION, action.first, action.end, is_open, self.summary(action))
        if not is_open:
            return [head]
        steps = [Row(Kind.STEP, n, n + 1, False, "") for n in range(action.first, action.end)]
        return [head, *steps]

    def row_of(self, at: int, rows: Sequence[Row]) -> int | None:
        """The row that shows a line: its own, or that of what it is folded into."""
        for place in range(len(rows) - 1, -1, -1):
            row = rows[place]
            if row.kind is Kind.STEP and row.first == at:
                return place
            if not row.is_open and row.first <= at < row.end:
                return place
        return None

    # What came of it

    def summary(self, action: Action) -> str:
        """An action in one sentence: what was done, and what came of it."""
        key = action.first, action.end
        known = self._summaries.get(key)
        if known is None or known[0] is not self.lines[action.first]:
            known = self.lines[action.first], self._summed_up(action)
            self._summaries[key] = known
        return known[1]

    def _summed_up(self, action: Action) -> str:
        lines = self.lines[action.first : action.end]
        head, results = self.done(lines), self.results(lines)
        first, *rest = dict.fromkeys(sentence(line) for line in (head, *results))
        return f"{first}: {'; '.join(rest)}" if rest else first

    def done(self, lines: Sequence[Told]) -> Told:
        """The line that says best what was done."""
        rolled = next((n for n, line in enumerate(lines) if line.step.chance is not None), None)
        plain = [line for line in lines if line.step.tally is None]
        if rolled is None:
            who = next(filter(None, (subject(line.step) for line in lines)), "")
            own = [li for li in plain if li.step.event is not None and subject(li.step) == who]
            placed = [line for line in own if "hex" in line.step.ruling.msg.facts]
            return (placed or own or list(lines))[-1 if placed else 0]
        deeds = [line for line in plain if is_deed(line.step)]
        known = {counter.id for counter in self._look(lines[0]).counters}
        aimed = [li for li in deeds if known & {aim(li.step, "target"), aim(li.step, "marker")}]
        early = [li for li in deeds if li.step.event is None and li in lines[:rolled]]
        return [*aimed[:1], *early[-1:], *deeds[:1], lines[0]][0]

    def results(self, lines: Sequence[Told]) -> list[Told]:
        """The lines that say what came of a roll or a card: what befell units of others, or the
        last word where nothing did."""
        rolled = next((n for n, line in enumerate(lines) if line.step.chance is not None), None)
        if rolled is None:
            return []
        side, after = lines[0].frame.side, lines[rolled + 1 :]
        sides = {c.id: c.side for c in self._look(lines[rolled]).counters}

        def befalls_others(step: Step) -> bool:
            facts = step.ruling.msg.facts
            named = (str(facts.get(key, "")) for key in ("unit", "vehicle", "target", "marker"))
            return any(sides[name] != side for name in named if name in sides)

        struck = [li for li in after if li.step.event is not None and befalls_others(li.step)]
        quiet = [li for li in after if li.step.event is None and li.step.tally is None]
        told = [
            li for li in quiet if befalls_others(li.step) or "result" in li.step.ruling.msg.facts
        ]
        return struck[-MOST_OUTCOMES:] or told[-1:] or quiet[-1:]


def sentence(line: Told) -> str:
    """The words of a line without the full stop of its message."""
    return line.words[:-1] if line.step.ruling.msg.id.endswith(".") else line.words


def aim(step: Step, key: str) -> str:
    """The counter that a step names as its object."""
    return str(step.ruling.msg.facts.get(key, ""))


def is_deed(step: Step) -> bool:
    """Whether a step says who does something to what."""
    facts = step.ruling.msg.facts
    if "lead" in facts:
        return False
    has_object = any(key in facts for key in ("target", "marker", "hex"))
    return has_object and any(key in facts for key in ("unit", "side", "kind"))


def _key(row: Row) -> int:
    return -1 - row.first if row.kind is Kind.TURN else row.first


def subject(step: Step) -> str:
    """The unit that a step speaks of, if any: without the part of it that acts."""
    facts = step.ruling.msg.facts
    for key in ("unit", "vehicle"):
        name = facts.get(key)
        if isinstance(name, str) and name:
            return name.partition(":")[0] if not name.startswith("de:") else name
    return ""


def rolls(lines: Sequence[Told]) -> list[Told]:
    """The lines with dice."""
    return [line for line in lines if isinstance(line.step.chance, Roll)]
