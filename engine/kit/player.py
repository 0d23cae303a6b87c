"""A player that looks every question up by its id."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from random import Random
from typing import Generic, TypeAlias, TypeVar

from engine.core.decisions import Decision
from engine.core.text import Msg
from engine.core.view import View

T = TypeVar("T")

Answer: TypeAlias = tuple[str, Msg | None]
"""The id of an option and, where there is one, the reason in one line."""


class Strategist(ABC, Generic[T]):
    """Answers every question by weighing its options; the sharp ones say why."""

    otherwise: tuple[str, ...] = ()
    """What to answer, if offered, where the option that was chosen is not."""

    def __init__(
        self, answers: Mapping[str, Callable[[T, Decision], Answer]], *, is_sharp: bool
    ) -> None:
        self.knows = frozenset(answers)
        self._answers = answers
        self._is_sharp = is_sharp
        self._why: Msg | None = None

    @abstractmethod
    def sit_down(self, look: Callable[[], View], decision: Decision) -> T:
        """The table from which a decision is weighed."""

    def choose(self, look: Callable[[], View], decision: Decision, rng: Random) -> str:
        """The option that promises most; a question left to chance is rolled for."""
        self._why = None
        if len(decision.options) == 1:
            return decision.options[0].id
        weigh = self._answers.get(decision.id)
        if weigh is None:
            return decision.options[rng.randrange(len(decision.options))].id
        chosen, why = weigh(self.sit_down(look, decision), decision)
        if self._is_sharp:
            self._why = why
        offered = {option.id for option in decision.options}
        return next(
            (one for one in (chosen, *self.otherwise) if one in offered), decision.options[0].id
        )

    def reason(self) -> Msg | None:
        """Why the last choice was made."""
        return self._why
