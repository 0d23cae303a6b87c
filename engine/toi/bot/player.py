"""The computer players: they see what their side sees and answer what it is asked."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.core.decisions import Decision
from engine.core.text import Msg
from engine.core.view import View
from engine.toi.bot.answers import ANSWERS
from engine.toi.bot.cards import CARD_ANSWERS
from engine.toi.bot.table import Table, Temper
from engine.toi.table.view import ToiView

TEMPERS = {
    "medio": Temper(
        sharp=False, caution=0.5, foresight=0.45, care=1.5, patience=0.14, haste=1.0, whim=7.0
    ),
    "difficile": Temper(
        sharp=True, caution=0.5, foresight=0.45, care=1.5, patience=0.14, haste=1.0
    ),
}
"""The levels, from weaker to stronger."""

QUESTIONS = {**ANSWERS, **CARD_ANSWERS}


class Strategist:
    """Answers every question by weighing its options; the sharp ones say why."""

    knows = frozenset(QUESTIONS)

    def __init__(self, temper: Temper) -> None:
        self.temper = temper
        self._table: Table | None = None
        self._why: Msg | None = None

    def choose(self, look: Callable[[], View], decision: Decision, rng: Random) -> str:
        """The option that promises most."""
        self._why = None
        if len(decision.options) == 1:
            return decision.options[0].id
        ask = QUESTIONS.get(decision.ruling.msg.id)
        if ask is None:
            return decision.options[rng.randrange(len(decision.options))].id
        chosen, why = ask(self._sit_down(look, decision), decision)
        if self.temper.sharp:
            self._why = why
        return chosen if decision.option(chosen) is not None else decision.options[0].id

    def reason(self) -> Msg | None:
        """Why the last choice was made."""
        return self._why

    def _sit_down(self, look: Callable[[], View], decision: Decision) -> Table:
        """The table of this decision; what was worked out before is kept while it stands."""
        view = look()
        assert isinstance(view, ToiView)
        assert view.known is not None
        old = self._table
        if old is None or old.state != view.known or old.seat != decision.side:
            self._table = old = Table(view.known, decision.side, self.temper)
        return old


def player(level: str) -> Strategist:
    """A player of a level."""
    return Strategist(TEMPERS[level])
