"""The chronicle: the game as turns, actions and steps.

An action is what one side does with one unit or one decision: procedures that follow each other,
are led by the same side and speak of the same unit belong together. A phase gathers what the rules
do in it by themselves; who fires in the middle of what somebody else does, does something of its
own. An action is folded to one line that says what came of it, unless it is the last one, the one
that is looked at, or one that the reader has unfolded. The chronicle only grows; what is still to
come in step mode is not in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from functools import partial
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import msgspec

from app.play.telling import Told
from app.presenters.base import Opens, Presenter
from app.shell.i18n import _n
from engine.core.rules import Side, Step
from engine.core.view import View

Look: TypeAlias = Callable[[Told], View]
"""The table at a line."""

MOST_OUTCOMES = 3
"""Results that a folded action tells."""


class Kind(Enum):
    """What a row of the chronicle is."""

    TURN = auto()
    ACTION = auto()
    STEP = auto()


class Action(msgspec.Struct, frozen=True):
    """Lines that belong together, from `first` up to, not including, `end`; quiet where only the
    sequence of play went on."""

    first: int
    end: int
    side: Side
    turn: str
    is_quiet: bool = False


class _Piece(NamedTuple):
    """Lines that no action tears: a procedure, or the part of one that opens with a phase, with a
    deed of its own, or with somebody who interrupts. `asked` is who was asked in the procedure,
    `side` whose doing it is, `subject` the unit that it speaks of."""

    first: int
    asked: Side
    side: Side
    opens: Opens
    subject: str
    has_chance: bool
    has_change: bool
    names_side: bool
    is_paid: bool

    @property
    def is_quiet(self) -> bool:
        """Whether so far only the sequence of play has gone on."""
        return not self.subject and not self.has_chance

    def continues(self, going: _Piece) -> bool:
        """Whether it belongs to an action that is going on."""
        if self.opens is not Opens.NOTHING:
            is_turn = going.opens is Opens.DEED and going.has_change  # its first phase goes with it
            is_phase = going.opens is Opens.PHASE or is_turn
            return self.opens is Opens.PHASE and is_phase and going.is_quiet
        if going.opens is Opens.PHASE and not self.asked:
            return not (self.has_chance and going.has_chance)
        if self.has_chance and (going.has_chance or not self.side):
            return False
        if self.is_paid and going.is_paid:
            return False  # each has its price
        is_theirs = bool(self.side) and self.side != going.side
        if not self.subject:
            is_loose = not self.names_side and not self.has_chance
            return is_loose and (bool(going.subject) or not going.side or not is_theirs)
        return not is_theirs and self.subject == going.subject

    def followed_by(self, other: _Piece) -> _Piece:
        """Both as one."""
        return self._replace(
            opens=other.opens if other.opens is Opens.PHASE else self.opens,
            side=self.side or other.side,
            subject=self.subject or other.subject,
            has_chance=self.has_chance or other.has_chance,
            has_change=self.has_change or other.has_change,
            is_paid=self.is_paid or other.is_paid,
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
    """The lines of a game as a tree. `before` and `after` give the table before a line and after
    it; `names` are the looks of the title."""

    def __init__(self, before: Look, after: Look, names: Presenter) -> None:
        self._before = before
        self._after = after
        self._names = names
        self.lines: Sequence[Told] = ()
        self.actions: list[Action] = []
        self._unfolded: set[int] = set()  # first lines of actions and of turns (as -1 - line)
        self._folded: set[int] = set()  # the same, of those that would stand open by themselves
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
        """Put pieces together to actions, from a line on."""
        going: _Piece | None = None
        for one in self._pieces(start):
            if going is not None and not one.continues(going):
                self._close(going, one.first)
                going = None
            going = one if going is None else going.followed_by(one)
        if going is not None:
            self._close(going, len(self.lines))

    def _close(self, whole: _Piece, end: int) -> None:
        after = self._after(self.lines[whole.first])
        side = whole.side if whole.opens is not Opens.PHASE or not whole.is_quiet else ""
        if not side and whole.opens is Opens.NOTHING and not whole.has_chance:
            side = _side_of(whole.subject, after)  # nobody was asked: it is its unit that does it
        is_idle = whole.opens is not Opens.NOTHING or not side or not whole.has_change
        is_quiet = whole.is_quiet and is_idle
        self.actions.append(Action(whole.first, end, side, self._names.turn(after), is_quiet))

    def _pieces(self, start: int) -> Iterator[_Piece]:
        """The pieces that follow each other, from a line on."""
        begin, reacting = start, None
        opened, side = Opens.NOTHING, None
        for at in range(start, len(self.lines)):
            step = self.lines[at].step
            opens, theirs = self._opening(at), None
            is_new = at == start or self._passage(at) != self._passage(at - 1)
            if reacting is not None and (is_new or step.depth <= reacting):
                is_new, reacting = True, None
            if opens is Opens.NOTHING and reacting is None:
                theirs = self._reacting(at)
                if theirs is not None:
                    opens, reacting = Opens.DEED, step.depth
            if at > begin and (is_new or opens is not Opens.NOTHING):
                yield self._piece(begin, at, opened, side)
                begin = at
            if at == begin:
                opened, side = opens, theirs
        if begin < len(self.lines):
            yield self._piece(begin, len(self.lines), opened, side)

    def _passage(self, at: int) -> int:
        return self.lines[at].frame.passage

    def _opening(self, at: int) -> Opens:
        return self._names.opens(self.lines[at].step)

    def _reacting(self, at: int) -> Side | None:
        """The side of who interrupts others with a line: a heading over what it does."""
        line = self.lines[at]
        step, asked = line.step, line.frame.side
        is_heading = at + 1 < len(self.lines) and self.lines[at + 1].step.depth > step.depth
        is_plain = step.event is None and step.tally is None and step.chance is None
        if not asked or not is_heading or not is_plain or not subject(step):
            return None
        side = _side_of(subject(step), self._before(line))
        return side if side and side != asked else None

    def _piece(self, begin: int, end: int, opens: Opens, side: Side | None) -> _Piece:
        lines = self.lines[begin:end]
        steps = [line.step for line in lines]
        asked = lines[0].frame.side
        if side is None:
            who = "" if opens is Opens.PHASE else asked  # a phase is nobody's, unless it is theirs
            side = self._names.doer(steps, partial(self._before, lines[0]), who)
        told = steps if asked or opens is not Opens.NOTHING else [s for s in steps if s.event]
        return _Piece(
            begin,
            asked,
            side,
            opens,
            next(filter(None, map(subject, told)), ""),
            any(step.chance is not None for step in steps),
            any(step.event is not None for step in steps),
            any(key in step.ruling.msg.facts for step in steps for key in ("side", "seat")),
            any(self._names.is_price(step) for step in steps),
        )

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
        self._folded.discard(_key(row))

    def fold(self, row: Row) -> None:
        """Show one line for all that a row stands for."""
        self._unfolded.discard(_key(row))
        self._folded.add(_key(row))

    def reveal(self, at: int) -> None:
        """Unfold what a line belongs to, and nothing else."""
        action = self.action_of(at)
        self._unfolded, self._folded = set(), set()
        if action is not None:
            self._unfolded = {action.first, -1 - self._turn_start(action)}

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
            is_open = is_open and -1 - first not in self._folded
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
        is_open = is_open and action.first not in self._folded
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
        head, results = self.done(lines), self.results(lines, action.side)
        first = sentence(head)
        if head is not lines[0] and self._opening(action.first) is Opens.DEED:
            turn = sentence(lines[0])  # it goes with its first phase
            first = first if turn.casefold() == action.turn.casefold() else f"{turn} · {first}"
        before = first if self._opening(action.first) is Opens.NOTHING else ""
        said = Counter(_after_name(sentence(line), before) for line in results)
        rest = [f"{words} (×{n})" if n > 1 else words for words, n in said.items()]
        rest = [words for words in rest if words not in first]
        if len(rest) > MOST_OUTCOMES:
            more = len(rest) - MOST_OUTCOMES
            rest = [*rest[:MOST_OUTCOMES], _n("and {n} more", "and {n} more", n=more)]
        between = " · " if ": " in first else ": "
        return f"{first}{between}{'; '.join(rest)}" if rest else first

    def done(self, lines: Sequence[Told]) -> Told:
        """The line that says best what was done."""
        opens = [self._names.opens(line.step) for line in lines]
        if opens[0] is not Opens.NOTHING:
            return lines[max(n for n, one in enumerate(opens) if one is not Opens.NOTHING)]
        plain = [line for line in lines if line.step.tally is None]
        rolled = _first_chance(lines)
        if self._voids(lines):
            return next((line for line in plain if self._names.is_deed(line.step)), lines[0])
        if rolled is None:
            who = next(filter(None, (subject(line.step) for line in lines)), "")
            own = [li for li in plain if li.step.event is not None and subject(li.step) == who]
            placed = [line for line in own if "hex" in line.step.ruling.msg.facts]
            cards = [line for line in plain if "card" in line.step.ruling.msg.facts]
            others = [li for li in plain if li.step.event is not None and befalls(li.step)]
            return (placed or own or cards or others or list(lines))[-1 if placed else 0]
        deeds = [line for line in plain if self._names.is_deed(line.step)]
        aimed = [line for line in deeds if self._is_aimed(line)]
        early = [li for li in deeds if li.step.event is None and li in lines[:rolled]]
        return [*aimed[:1], *early[-1:], *deeds[:1], lines[rolled]][0]

    def _voids(self, lines: Sequence[Told]) -> list[Told]:
        """The lines that say why a deed came to nothing, where no dice were rolled for it."""
        found = [line for line in lines if self._names.is_void(line.step)]
        if any(line.step.chance is not None and line not in found for line in lines):
            return []
        return [line for line in found if line.step.chance is None]

    def _is_aimed(self, line: Told) -> bool:
        """Whether a line names a counter that something is done to."""
        aims = {aim(line.step, "target"), aim(line.step, "marker")} - {""}
        return bool(aims) and any(counter.id in aims for counter in self._before(line).counters)

    def results(self, lines: Sequence[Told], side: Side) -> list[Told]:
        """The lines that say what came of a deed: what befell units, or the last word where
        nothing did."""
        voids = self._voids(lines)
        if voids:
            return [*voids, *(line for line in lines if self._names.is_blow(line.step))]
        rolled, openings = _first_chance(lines), [self._names.opens(line.step) for line in lines]
        opens = Opens.PHASE if Opens.PHASE in openings else openings[0]
        verdicts = [line for line in lines if self._names.is_verdict(line.step)]
        if rolled is None and openings[0] is Opens.NOTHING:
            return verdicts
        start = 1 if rolled is None else rolled + 1
        after = [li for n, li in enumerate(lines) if n >= start and openings[n] is Opens.NOTHING]
        blows = [line for line in after if self._names.is_blow(line.step)]
        if verdicts:  # how it ended comes first
            return [*verdicts, *blows]
        if blows or rolled is None:
            return blows or (_changes(after) if opens is Opens.PHASE else list(after[:1]))
        sides = {c.id: c.side for c in self._before(lines[rolled]).counters}

        def befalls_others(step: Step) -> bool:
            facts = step.ruling.msg.facts
            named = (str(facts.get(key, "")) for key in ("unit", "vehicle", "target", "marker"))
            return any(sides[name] != side for name in named if name in sides)

        quiet = [li for li in after if li.step.event is None and li.step.tally is None]
        told = [
            li for li in quiet if befalls_others(li.step) or "result" in li.step.ruling.msg.facts
        ]
        struck = [li for li in after if li.step.event is not None and befalls_others(li.step)]
        changed = _changes(after) if opens is Opens.PHASE else []
        return changed or told[-1:] or struck[-MOST_OUTCOMES:] or quiet[-1:]


def _first_chance(lines: Sequence[Told]) -> int | None:
    return next((n for n, line in enumerate(lines) if line.step.chance is not None), None)


def _after_name(words: str, head: str) -> str:
    """A result without the name that the head ends with: `A attacks B: B is pinned`."""
    for end in range(len(words) - 1, 2, -1):
        if words[end] in " :" and head.endswith(words[:end]):
            return words[end:].lstrip(": ")
    return words


def _changes(lines: Sequence[Told]) -> list[Told]:
    """The lines that change something about a unit or a hex."""
    changes = [line for line in lines if line.step.event is not None]
    return [li for li in changes if subject(li.step) or "hex" in li.step.ruling.msg.facts]


def befalls(step: Step) -> bool:
    """Whether a step speaks of somebody who does it or whom it befalls."""
    return bool(subject(step)) or "marker" in step.ruling.msg.facts


def _side_of(unit: str, view: View) -> Side:
    return next((counter.side for counter in view.counters if counter.id == unit), "")


def sentence(line: Told) -> str:
    """The words of a line without the full stop of its message."""
    return line.words[:-1] if line.step.ruling.msg.id.endswith(".") else line.words


def aim(step: Step, key: str) -> str:
    """The counter that a step names as its object."""
    return str(step.ruling.msg.facts.get(key, ""))


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
