"""The computer players: they see what their side sees and answer what it is asked."""

from __future__ import annotations

from collections.abc import Callable

from engine.aslsk.bot.answers import ANSWERS
from engine.aslsk.bot.other import OTHERS
from engine.aslsk.bot.table import Table, Temper
from engine.aslsk.table.view import SkView
from engine.core.decisions import Decision
from engine.core.view import View
from engine.kit.player import Strategist

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


class Commander(Strategist[Table]):
    """Answers every question by weighing its options; the sharp ones say why."""

    otherwise = ("b:passa",)

    def __init__(self, temper: Temper) -> None:
        super().__init__(QUESTIONS, is_sharp=temper.sharp)
        self.temper = temper
        self._table: Table | None = None

    def sit_down(self, look: Callable[[], View], decision: Decision) -> Table:
        """The table of this decision; what was worked out before is kept while it stands."""
        view = look()
        assert isinstance(view, SkView)
        assert view.belief is not None
        old = self._table
        if old is None or old.state is not view.belief or old.seat != decision.side:
            self._table = old = Table(view.belief, decision.side, self.temper, old)
        return old


def player(level: str) -> Commander:
    """A player of a level."""
    return Commander(TEMPERS[level])
