"""The computer players: they see what their side sees and answer what it is asked."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.aslsk.bot.answers import ANSWERS
from engine.aslsk.bot.other import OTHERS
from engine.aslsk.bot.table import Table, Temper
from engine.aslsk.table.view import SkView
from engine.core.decisions import Decision
from engine.core.text import Msg
from engine.core.view import View

TEMPERS = {
    "medio": Temper(
        sharp=False,
        caution=0.8,
        daring=0.8,
        foresight=0.5,
        drive=10.0,
        whim=5.0,
        groups=False,
        gaits=False,
        hold=0.3,
        neglect=0.7,
        doubt=1.0,
    ),
    "difficile": Temper(sharp=True, caution=0.9, daring=0.9, foresight=0.6, drive=11.0),
}
"""The levels, from weaker to stronger."""

QUESTIONS = {**ANSWERS, **OTHERS}


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
        offered = (chosen, "b:passa", decision.options[0].id)
        return next(one for one in offered if decision.option(one) is not None)

    def reason(self) -> Msg | None:
        """Why the last choice was made."""
        return self._why

    def _sit_down(self, look: Callable[[], View], decision: Decision) -> Table:
        """The table of this decision; what was worked out before is kept while it stands."""
        view = look()
        assert isinstance(view, SkView)
        assert view.belief is not None
        old = self._table
        if old is None or old.state is not view.belief or old.seat != decision.side:
            self._table = old = Table(view.belief, decision.side, self.temper, old)
        return old


def player(level: str) -> Strategist:
    """A player of a level."""
    return Strategist(TEMPERS[level])
