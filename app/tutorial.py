"""A first game with a guide: each step has a text, a rule, and a way to see that it was done."""

from __future__ import annotations

from pathlib import Path

import msgspec

from engine.core.data import load
from engine.core.decisions import Decision
from engine.core.rules import Step

FOLDER = Path(__file__).parent / "tutorials"


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of the guide.

    It is over when a question of `until` is asked (its message id), or a line that cites `cited`
    has been written since it began. With neither, the reader goes on by hand.
    """

    text: str = msgspec.field(name="testo")
    todo: str = msgspec.field(name="fare")
    ref: str = msgspec.field(name="regola")
    until: tuple[str, ...] = msgspec.field(name="quando_chiede", default=())
    cited: tuple[str, ...] = msgspec.field(name="quando_cita", default=())


class Tutorial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The guide to the first scenario of a title."""

    title: str = msgspec.field(name="titolo")
    scenario: str
    seed: int = msgspec.field(name="seme")
    lessons: tuple[Lesson, ...] = msgspec.field(name="passi")


class Guide:
    """Where a reader of a tutorial stands."""

    def __init__(self, tutorial: Tutorial) -> None:
        self.tutorial = tutorial
        self.at = 0
        self._seen: int | None = None

    @property
    def lesson(self) -> Lesson | None:
        """The step to do now; None at the end."""
        lessons = self.tutorial.lessons
        return lessons[self.at] if self.at < len(lessons) else None

    @property
    def place(self) -> str:
        """Which step this is, of how many."""
        return f"{self.at + 1}/{len(self.tutorial.lessons)}"

    def skip(self, by: int = 1) -> None:
        """Go on, or back, by hand."""
        self.at = max(0, min(len(self.tutorial.lessons), self.at + by))

    def follow(self, decision: Decision | None, steps: tuple[Step, ...]) -> bool:
        """See what was done since the last call; whether the guide went on.

        What the table shows when it opens has not been done by the reader.
        """
        moved = False
        if self._seen is None:
            self._seen = len(steps)
            return moved
        fresh: set[str] = {ref for step in steps[self._seen :] for ref in step.ruling.refs}
        asked = decision.ruling.msg.id if decision is not None else ""
        while (done := self._done(asked, fresh)) is not None:
            self.at, moved, fresh = done + 1, True, set()
        self._seen = len(steps)
        return moved

    def _done(self, asked: str, fresh: set[str]) -> int | None:
        """The lesson just done: this one, or the next that asks for something."""
        lessons = self.tutorial.lessons
        for at in range(self.at, len(lessons)):
            lesson = lessons[at]
            if asked in lesson.until or fresh & set(lesson.cited):
                return at
            if lesson.until or lesson.cited:
                return None
        return None


def tutorial_for(slug: str, scenario: str = "") -> Tutorial | None:
    """The tutorial of a title, if it has one and the scenario is its own."""
    path = FOLDER / f"{slug}.yaml"
    if not slug.isidentifier() or not path.is_file():
        return None
    found = load(path, Tutorial)
    return found if scenario in ("", found.scenario) else None
