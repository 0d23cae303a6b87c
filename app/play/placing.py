"""Set-up that does not tire: all of it by the program, as in an earlier game, or in stacks.

Every answer is an answer like any other: it is saved, told, and taken back one by one. Which
questions belong to the set-up the title says.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from app.play.discretion import HUMAN
from app.play.session import Session, games_in
from app.shell.i18n import _, _n, catalog
from app.shell.paths import saves_folder
from engine.core.decisions import Decision
from engine.core.rules import Command, Refused, RuleBug, Ruling, Side
from engine.game import Game
from engine.saves.lines import Header, SaveError
from engine.saves.reading import header_in, read
from engine.saves.replaying import renamed

if TYPE_CHECKING:
    from app.play.table import Table

Key: TypeAlias = tuple[Any, ...]
"""What tells a question from others: its id, its words, and whom it is about."""


def key_of(decision: Decision) -> Key:
    """The key of a question."""
    msg = decision.ruling.msg
    return (decision.side, decision.id, msg.id, *sorted(map(str, msg.facts.items())))


class Plan:
    """Answers of an earlier set-up, by the question that they were given to."""

    def __init__(self, given: Iterable[tuple[Key, str]], when: datetime) -> None:
        self.when = when
        self._given: dict[Key, deque[str]] = {}
        for key, option in given:
            self._given.setdefault(key, deque()).append(option)

    def answer(self, decision: Decision) -> str | None:
        """What was answered to this question, each time it was asked; None if it never was."""
        left = self._given.get(key_of(decision))
        return left.popleft() if left else None


class Stop(NamedTuple):
    """Where answers given in one go end: how many there were, and what is said of it.

    `rulings` are those against the answer that came next, `option` that answer.
    """

    given: int
    said: str
    option: str = ""
    rulings: tuple[Ruling, ...] = ()


class Placing:
    """The set-up of a side given in one go. `side` is whose it is, while it goes on by itself."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.session: Session = table.session
        self.side: Side = ""
        self.given = 0
        self._plan: Plan | None = None
        self._is_planned = False
        self._is_from_game = False
        self._was_auto = False
        self._known: tuple[Side, Path | None] | None = None
        self._taken: dict[Key, list[str]] = {}

    # When

    def is_set_up(self, decision: Decision | None) -> bool:
        """Whether a question belongs to the set-up."""
        draft = self.session.position.draft
        return decision is not None and self.session.title.is_set_up(draft, decision)

    @property
    def applies(self) -> bool:
        """Whether a person is asked something of the set-up, and has a choice."""
        question = self._table.question
        return question is not None and len(question.options) > 1 and self.is_set_up(question)

    @property
    def goes_on(self) -> bool:
        """Whether the open question is one of those that are answered in one go."""
        question = self._table.question
        return question is not None and question.side == self.side and self.is_set_up(question)

    @property
    def is_by_program(self) -> bool:
        """Whether the program is to answer the open question."""
        return self.goes_on and not self._is_planned

    @property
    def is_by_plan(self) -> bool:
        """Whether an earlier answer is to be given to the open question."""
        return self.goes_on and self._is_planned

    @property
    def is_over(self) -> bool:
        """Whether what was begun has come to its end: something else is asked."""
        decision = self.session.decision
        return bool(self.side) and decision is not None and not self.is_set_up(decision)

    # All of it

    def begin(self) -> None:
        """From now on the program answers what the set-up asks of this side."""
        assert self._table.question is not None
        self._begin(self._table.question.side, is_planned=False)

    def _begin(self, side: Side, is_planned: bool) -> None:
        """Nothing answers itself meanwhile: what follows the set-up waits for the person, who may
        still want to change it."""
        self.stop()
        self.side, self._is_planned, self._is_from_game = side, is_planned, False
        self._was_auto, self.session.is_auto = self.session.is_auto, False

    def begin_as_before(self) -> str:
        """From now on earlier answers are given: those taken back, else those of the last game.
        Why not, where there are none."""
        question = self._table.question
        assert question is not None
        self._plan = self.earlier(question.side)
        if self._plan is None and not self._taken:
            return _("There is no earlier game of this scenario with this side.")
        self._begin(question.side, is_planned=True)
        return ""

    def stop(self) -> int:
        """The person answers again; how many answers were given."""
        if self.side:
            self.session.is_auto = self._was_auto
        given, self.side, self.given = self.given, "", 0
        return given

    def take(self, option: str) -> None:
        """Give one answer."""
        self.session.answer(option)
        self.given += 1

    def ended(self) -> str:
        """The set-up has come to its end: what was done."""
        about, given = self._about_plan(), self.stop()
        said = _n("The set-up is done: {n} answer given for you. U takes it back.",
                  "The set-up is done: {n} answers given for you. U takes them back one by one.",
                  n=given)  # fmt: skip
        if self.session.game.why_not_undo() is not None:
            said = _n("The set-up is done: {n} answer given for you. Cards or dice came since.",
                      "The set-up is done: {n} answers given for you. Cards or dice came since.",
                      n=given)  # fmt: skip
        return f"{said} {about}".strip()

    def give_planned(self) -> Stop | None:
        """Give earlier answers as long as they are known and legal; None while others are asked
        in between."""
        while self.is_by_plan:
            decision = self._table.question
            assert decision is not None
            option = self._earlier_answer(decision)
            if option is None or decision.option(option) is None:
                return self._stopped(decision, option or "")
            self.take(option)
        return Stop(self.given, self.ended()) if self.is_over else None

    def _stopped(self, decision: Decision, option: str) -> Stop:
        presenter, rulings = self._table.presenter, decision.refused.get(option, ())
        about, given = self._about_plan(), self.stop()
        why = "; ".join(presenter.say(ruling.msg).rstrip(".") for ruling in rulings)
        why = why or _("it was not asked then")
        asked = presenter.say(decision.ruling.msg)
        said = _n("{n} answer as the last time. It stops at «{asked}»: {why}.",
                  "{n} answers as the last time. It stops at «{asked}»: {why}.",
                  n=given, asked=asked, why=why)  # fmt: skip
        return Stop(given, f"{said} {about}".strip(), option, rulings)

    def _earlier_answer(self, decision: Decision) -> str | None:
        taken = self._taken.get(key_of(decision))
        if taken:
            return taken.pop()
        if self._plan is None:
            return None
        self._is_from_game = True
        return self._plan.answer(decision)

    # What was taken back

    def remember(self, taken: Iterable[Any]) -> None:
        """Keep an answer of the set-up that was taken back: its question is open again."""
        decision = self.session.decision
        first = next((entry for entry in taken if isinstance(entry, Command)), None)
        if decision is not None and first is not None and self.is_set_up(decision):
            self._taken.setdefault(key_of(decision), []).append(first.option)

    # A stack

    def fill(self, option: str) -> Stop:
        """Give the same answer to this question and to the following ones of its kind, until a rule
        forbids it: a whole stack goes to one hex."""
        first = self._table.question
        assert first is not None
        asked, given, presenter = (first.side, first.id), 0, self._table.presenter
        rulings: tuple[Ruling, ...] = ()
        while (decision := self._table.question) is not None:
            if (decision.side, decision.id) != asked:
                break
            if decision.option(option) is None:
                rulings = decision.why_not(option)
                break
            self.session.answer(option)
            given += 1
        said = _n("{n} placed together.", "{n} placed together.", n=given)
        if rulings:
            why = "; ".join(presenter.say(ruling.msg).rstrip(".") for ruling in rulings)
            no_more = _("No more: {why}.", why=why)
            said = f"{said} {no_more}"
        return Stop(given, said, option, rulings)

    # Earlier games

    @property
    def has_earlier(self) -> bool:
        """Whether there are earlier answers for who is asked: taken back, or in a saved game."""
        question = self._table.question
        if question is None:
            return False
        return bool(self._taken) or self._newest(question.side) is not None

    def _newest(self, side: Side) -> Path | None:
        """The last saved game of the same scenario in which a person played this side."""
        if self._known is None or self._known[0] != side:
            found = (path for path in games_in(saves_folder()) if self._is_alike(path, side))
            self._known = side, next(found, None)
        return self._known[1]

    def _is_alike(self, path: Path, side: Side) -> bool:
        mine = self.session.header
        with suppress(OSError, SaveError):
            if path.resolve() == self.session.path.resolve():
                return False
            with path.open("rb") as file:
                header = header_in(file.readline(1 << 20))
            is_same = (header.title, header.scenario) == (mine.title, mine.scenario)
            is_open = header.post is None and not header.is_sealed
            return is_same and is_open and header.players.get(side, HUMAN) == HUMAN
        return False

    def earlier(self, side: Side) -> Plan | None:
        """The set-up of a side in the last saved game; None where there is none to be read."""
        path = self._newest(side)
        if path is None:
            return None
        with suppress(OSError, SaveError):
            given = tuple(_set_up_of(path, self.session, side))
            return Plan(given, datetime.fromtimestamp(path.stat().st_mtime)) if given else None
        return None

    def _about_plan(self) -> str:
        """Of which game the earlier answers are."""
        if self._plan is None or not self._is_planned or not self._is_from_game:
            return ""
        return _("Game of {date}.", date=catalog().date(self._plan.when))


def _set_up_of(path: Path, session: Session, side: Side) -> Iterable[tuple[Key, str]]:
    """What a side answered in the set-up of a saved game, as far as today's rules accept it."""
    record, title = read(path), session.title
    if record.start is not None:  # it did not begin with its set-up
        return
    header: Header = record.header
    game = Game(title, header.scenario, None, header.options)
    for entry in renamed(record.entries, title, header.revision):
        decision = game.position.decision
        if decision is not None:
            if not title.is_set_up(game.position.draft, decision):
                return
            if decision.side == side and isinstance(entry, Command):
                yield key_of(decision), entry.option
        try:
            game.resume([entry])
        except (Refused, RuleBug):
            return
