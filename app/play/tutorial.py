"""A first game with a guide: each step has a text, a rule, and a way to see that it was done."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from engine.core.data import load
from engine.core.decisions import Decision
from engine.core.rules import Step

FOLDER = Path(__file__).parent / "tutorials"
NOTE = "guida"
CLOSED = "chiusa"
KEPT = re.compile(rf"{NOTE}(?: (\d{{1,3}}) (\d{{1,3}})(?: (\d{{1,5}}))?)?( {CLOSED})?")
"""What the header of a save notes: the lesson reached, the one that the game has come to, and how
many answers the reader had given when that one began."""


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of the guide.

    `answers` are those that it proposes, in their order: it is over when they are given. It is
    over too when, since it began, a question of `until` is asked (by its id) or a line that cites
    `cited` is written; or when an answer of the reader has led to a line that cites `done`, now or
    earlier in the game. With none of these, the next answer of the reader ends it.
    """

    text: str = msgspec.field(name="testo")
    todo: str = msgspec.field(name="fare")
    ref: str = msgspec.field(name="regola")
    answers: tuple[str, ...] = msgspec.field(name="risposte", default=())
    until: tuple[str, ...] = msgspec.field(name="quando_chiede", default=())
    cited: tuple[str, ...] = msgspec.field(name="quando_cita", default=())
    done: tuple[str, ...] = msgspec.field(name="quando_fai", default=())

    @property
    def asks_nothing(self) -> bool:
        """Whether there is nothing to do but to read it."""
        return not (self.answers or self.until or self.cited or self.done)


class Tutorial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The guide to the first game of a title: a scenario with its dice, and the answers that were
    given before the reader sits down."""

    title: str = msgspec.field(name="titolo")
    scenario: str
    seed: int = msgspec.field(name="seme")
    lessons: tuple[Lesson, ...] = msgspec.field(name="passi")
    opening: str = msgspec.field(name="apertura", default="")

    @property
    def before(self) -> tuple[str, ...]:
        """The answers of the opening, one by one."""
        return tuple(self.opening.split())


class Guide:
    """Where a reader of a tutorial stands.

    `due` is the lesson that the game has come to. `front` follows it one lesson at a time, so that
    none is passed over unseen. `at` is the lesson shown: the reader may leaf back and forth.
    """

    def __init__(self, tutorial: Tutorial, note: str = NOTE) -> None:
        self.tutorial = tutorial
        found = KEPT.fullmatch(note)
        kept = [int(number or 1) - 1 for number in found.groups()[:2]] if found else [0, 0]
        self.due = max(0, min(self.last, kept[1]))
        self.front = self.at = max(0, min(self.due, kept[0]))
        self.is_open = found is None or found[4] is None
        self._seen: int | None = None
        self._asked = ""
        self._own: set[str] = set()
        self._given: tuple[str, ...] = ()  # the reader's answers
        # how many there were when the lesson that is due began; None until they are seen
        self._since = int(found[3]) if found is not None and found[3] else None

    @property
    def last(self) -> int:
        """The number of the last lesson, which only the reader ends."""
        return len(self.tutorial.lessons) - 1

    @property
    def lesson(self) -> Lesson | None:
        """The step to read now; None while the guide is closed."""
        return self.tutorial.lessons[self.at] if self.is_open else None

    @property
    def place(self) -> str:
        """Which step this is, of how many."""
        return f"{self.at + 1}/{len(self.tutorial.lessons)}"

    @property
    def is_ahead(self) -> bool:
        """Whether the lesson shown asks for something that the game has not come to."""
        return self.at > self.due

    @property
    def is_done(self) -> bool:
        """Whether what the lesson shown asks for has happened."""
        return self.at < self.due

    @property
    def note(self) -> str:
        """What the save remembers of the guide."""
        since = "" if self._since is None else f" {self._since}"
        closed = "" if self.is_open else f" {CLOSED}"
        return f"{NOTE} {self.front + 1} {self.due + 1}{since}{closed}"

    def go_on(self) -> None:
        """Go on by hand: past what is done, or to read ahead; after the last lesson, close."""
        if self.at == self.last:
            self.is_open = False
            return
        if self.at == self.front:
            if self.due == self.front and self.tutorial.lessons[self.due].asks_nothing:
                self.due, self._since = self.due + 1, len(self._given)
            if self.front < self.due:
                self.front += 1
        self.at += 1

    def go_back(self) -> bool:
        """Read the lesson before again; False at the first."""
        before, self.at = self.at, max(0, self.at - 1)
        return self.at < before

    def proposes(self, decision: Decision | None) -> str | None:
        """The answer that the lesson proposes to a question, if it is offered."""
        if decision is None or self.lesson is None or self.at != self.due:
            return None
        left = self.lesson.answers[self._place() :]
        return next((one for one in left if decision.option(one) is not None), None)

    @property
    def progress(self) -> tuple[int, int]:
        """How many of the answers that the lesson shown proposes have been given, of how many."""
        count = len(self.tutorial.lessons[self.at].answers)
        if self.at != self.due:
            return (count if self.is_done else 0), count
        return self._place(), count

    def _place(self) -> int:
        """How many of the proposed answers of the lesson that is due have been given."""
        answers, place = self.tutorial.lessons[self.due].answers, 0
        for given in self._given[self._since :]:
            if given in answers[place:]:
                place = answers.index(given, place) + 1
        return place

    def follow(
        self,
        decision: Decision | None,
        steps: tuple[Step, ...],
        is_own: bool = False,
        given: tuple[str, ...] = (),
    ) -> bool:
        """See what happened since the last call, by an answer of the reader or not; whether
        another lesson is shown. `given` are all answers of the reader.

        What the table shows when it opens has not been done by the reader.
        """
        self._asked = decision.id if decision is not None else ""
        self._given = given
        seen, self._seen = self._seen, len(steps)
        since = len(given) if self._since is None else self._since
        self._since = min(since, len(given))
        if seen is None:
            return False
        fresh: set[str] = {ref for step in steps[seen:] for ref in step.ruling.refs}
        if is_own:
            self._own |= fresh
        before, was = self.due, self.at
        self._come_to(fresh, is_own)
        if is_own or self.due > before:
            self.front = min(self.due, self.front + 1)
            self.at = self.front
        return self.at != was

    def _come_to(self, fresh: set[str], is_own: bool) -> None:
        """Find the first lesson that is not over."""
        while self.due < self.last:
            lesson = self.tutorial.lessons[self.due]
            if lesson.asks_nothing:
                if not is_own:
                    return
                is_own = False  # an answer ends one of these, not all that follow
            elif not (
                (lesson.answers and self._place() == len(lesson.answers))
                or self._asked in lesson.until
                or fresh.intersection(lesson.cited)
                or self._own.intersection(lesson.done)
            ):
                return
            self.due, fresh, self._since = self.due + 1, set(), len(self._given)


def tutorial_for(slug: str, scenario: str = "") -> Tutorial | None:
    """The tutorial of a title, if it has one and the scenario is its own."""
    path = FOLDER / f"{slug}.yaml"
    if not slug.isidentifier() or not path.is_file():
        return None
    found = load(path, Tutorial)
    return found if scenario in ("", found.scenario) else None


def guide_of(slug: str, scenario: str, note: str) -> Guide | None:
    """The guide of a game whose save notes that it has one."""
    tutorial = tutorial_for(slug, scenario) if is_guided(note) else None
    return Guide(tutorial, note) if tutorial is not None else None


def is_guided(note: str) -> bool:
    """Whether a save notes that its game has a guide."""
    return KEPT.fullmatch(note) is not None
