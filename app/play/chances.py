"""What is known of the odds of the question on the table. Odds that come late are dropped."""

from __future__ import annotations

from enum import Enum, auto
from fractions import Fraction

from app.play.reckoning import Reckoned
from app.presenters.base import Presenter
from app.shell.i18n import _
from engine.core.decisions import Decision


class Progress(Enum):
    """How far the reckoning of a question is."""

    NONE = auto()
    GOING = auto()
    DONE = auto()
    FAILED = auto()


class Chances:
    """The odds of one decision. `best` has the most that an answer promises, by its option; `word`
    says of what, the same for all of them."""

    def __init__(self) -> None:
        self.progress = Progress.NONE
        self.found: tuple[Reckoned, ...] = ()
        self.best: dict[str, Fraction] = {}
        self.word = ""
        self._of: Decision | None = None
        self._heard = self._asked = 0
        self._fault = ""

    def is_of(self, decision: Decision | None) -> bool:
        """Whether they are those of a decision."""
        return decision is not None and decision is self._of

    def begin(self, decision: Decision, questions: int) -> None:
        """So many questions of a decision are reckoned from now on."""
        self.forget()
        self._of, self._asked, self.progress = decision, questions, Progress.GOING

    def forget(self) -> None:
        """Nothing is known."""
        self.progress, self._of, self._fault = Progress.NONE, None, ""
        self.found, self.best, self.word, self._heard = (), {}, "", 0

    def hear(self, decision: Decision, one: Reckoned, presenter: Presenter) -> bool:
        """Take the odds of one question; False if nobody waits for them any more."""
        if not self.is_of(decision) or self.progress is not Progress.GOING:
            return False
        self._heard += 1
        self.found = (*self.found, one)
        chance = presenter.chance(one.odds.spread) if one.odds is not None else None
        if one.odds is not None and chance is not None and one.option:
            self._promise(one.option, chance, presenter.chance_of(one.odds.spread))
        return True

    def _promise(self, option: str, chance: Fraction, word: str) -> None:
        """Figures beside answers mean the same: where one would mean something else, they are left
        to the panel. One of nothing means whatever the others do."""
        if chance and self.word and word != self.word and any(self.best.values()):
            return
        self.word = word if chance or not self.word else self.word
        self.best[option] = max(self.best.get(option, chance), chance)

    def of(self, option: str) -> tuple[Reckoned, ...]:
        """What is known of an answer."""
        return tuple([one for one in self.found if one.option == option])

    def end(self, decision: Decision) -> bool:
        """All has been heard; False if nobody waits for it any more."""
        if not self.is_of(decision) or self.progress is not Progress.GOING:
            return False
        self.progress = Progress.DONE
        return True

    def fail(self, decision: Decision, said: str) -> bool:
        """They could not be reckoned; False if nobody waits for them any more."""
        if not self.is_of(decision) or self.progress is not Progress.GOING:
            return False
        self.progress, self._fault = Progress.FAILED, said
        return True

    @property
    def note(self) -> str:
        """What is to be said of them before they are listed."""
        if self.progress is Progress.FAILED:
            return self._fault
        if self.progress is Progress.GOING and self._heard:
            return _("Reckoning… {done} of {all}", done=self._heard, all=self._asked)
        if self.progress is Progress.GOING:
            return _("Reckoning…")
        if self.progress is Progress.DONE and not any(one.odds for one in self.found):
            return _("There are too many cases to count them all.")
        return ""
