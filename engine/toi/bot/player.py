"""The computer players: they see what their side sees and answer what it is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.core.decisions import Decision
from engine.core.view import View
from engine.kit.player import Strategist
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

LEFT_TO_CHANCE: Mapping[str, str] = {
    "action.member": "both members of a team act in this turn: only their order differs",
    "cards.direction": "the shells go on from a hex that the target has yet to drift to",
}
"""The questions that no player weighs, and why."""


class Commander(Strategist[Table]):
    """Answers every question by weighing its options; the sharp ones say why."""

    def __init__(self, temper: Temper) -> None:
        super().__init__(QUESTIONS, is_sharp=temper.sharp)
        self._temper = temper
        self._table: Table | None = None

    def sit_down(self, look: Callable[[], View], decision: Decision) -> Table:
        """The table of this decision; what was worked out before is kept while it stands."""
        view = look()
        assert isinstance(view, ToiView)
        assert view.known is not None
        old = self._table
        if old is None or old.state != view.known or old.seat != decision.side:
            self._table = old = Table(view.known, decision.side, self._temper)
        return old


def player(level: str) -> Commander:
    """A player of a level."""
    return Commander(TEMPERS[level])
