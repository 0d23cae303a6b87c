"""What a player has learnt: how every rule was answered, and when it is to be asked again.

A rule goes through five boxes, one further with every right answer, back to the first with a wrong
one; the further it is, the longer it rests. One JSON file in the user's folder.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path

import msgspec

from app.shell.i18n import _
from app.shell.kept import Kept, Tell, Words
from app.shell.paths import data_folder
from engine.core.text import N_
from rules_it.corpus import Corpus

RESTS = (0, 1, 3, 7, 21)
"""Days that a rule rests in each box before it is asked again."""
WEAK = Fraction(2, 3)
"""A chapter with a smaller share of right answers is weak."""
ENOUGH = 3
"""Answers from which that can be told."""

WORDS = Words(
    N_("The training record cannot be read: {why}"),
    N_("The training record was damaged: the file is kept as {file}."),
    N_("The training record cannot be written: {why}"),
    "danneggiato",
)


class Standing(msgspec.Struct, frozen=True):
    """How a rule was answered so far, in which box it lies, and since when."""

    box: int = msgspec.field(name="scatola", default=1)
    asked: int = msgspec.field(name="chieste", default=0)
    right: int = msgspec.field(name="giuste", default=0)
    last: date = msgspec.field(name="ultima", default=date.min)


class Record(msgspec.Struct, frozen=True):
    """What the file holds."""

    rules: dict[str, Standing] = msgspec.field(name="regole", default={})


class Score(msgspec.Struct, frozen=True):
    """A chapter: how often its rules were asked, how often rightly, and how many are due."""

    chapter: str
    asked: int = 0
    right: int = 0
    due: int = 0

    @property
    def share(self) -> Fraction | None:
        """The share of right answers; None before the first."""
        return Fraction(self.right, self.asked) if self.asked else None

    @property
    def is_weak(self) -> bool:
        """Whether it wants more training."""
        return self.share is not None and self.asked >= ENOUGH and self.share < WEAK


class Progress:
    """The boxes. `tell` hears what went wrong with the file; `today` is the calendar."""

    def __init__(
        self,
        path: Path | None = None,
        tell: Tell | None = None,
        today: Callable[[], date] = date.today,
    ) -> None:
        self._kept = Kept(path or data_folder() / "allenamento.json", Record(), WORDS, tell)
        self._today = today

    def standing(self, ref: str) -> Standing | None:
        """How a rule was answered; None if it never was."""
        return self._kept.content.rules.get(ref)

    def note(self, ref: str, is_right: bool) -> bool:
        """Take an answer about a rule; whether it was kept."""
        if not self._kept.reload():
            return False
        old = self.standing(ref) or Standing()
        box = min(_box(old) + 1, len(RESTS)) if is_right else 1
        new = Standing(box, old.asked + 1, old.right + is_right, self._today())
        return self._kept.keep(Record({**self._kept.content.rules, ref: new}))

    def is_due(self, ref: str) -> bool:
        """Whether a rule that was asked before has rested long enough."""
        found = self.standing(ref)
        return found is not None and self._falls_due(found)

    def due(self, slug: str) -> frozenset[str]:
        """The rules of a title that are to be asked again."""
        known = self._kept.content.rules.items()
        return frozenset(
            ref for ref, one in known if ref.startswith(f"{slug}:") and self._falls_due(one)
        )

    def _falls_due(self, found: Standing) -> bool:
        rested = self._today() - max(found.last, date(1970, 1, 1))
        return rested >= timedelta(days=RESTS[_box(found) - 1])

    def scores(self, corpus: Corpus, slug: str) -> list[Score]:
        """The chapters of a title that were asked about, in the order of the book."""
        order = [chapter.title for chapter in corpus.books[slug].chapters]
        found: dict[str, Score] = {}
        for ref, one in self._kept.content.rules.items():
            if ref.startswith(f"{slug}:"):
                name = chapter_of(corpus, ref)
                old = found.get(name, Score(name))
                found[name] = Score(name, old.asked + one.asked, old.right + one.right,
                                    old.due + self._falls_due(one))  # fmt: skip
        places = {name: place for place, name in enumerate(order)}
        return sorted(found.values(), key=lambda score: places.get(score.chapter, len(order)))


def _box(found: Standing) -> int:
    return min(max(found.box, 1), len(RESTS))  # the file may have been written by hand


def chapter_of(corpus: Corpus, ref: str) -> str:
    """The chapter of a rule; house rulings have one of their own."""
    chapter = corpus.chapter_of(ref)
    return chapter.title if chapter is not None else _("House rulings")
