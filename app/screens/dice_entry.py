"""Real dice: the person rolls at the table and types what fell."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from app.shell.i18n import _
from app.widgets.steady import Steady
from engine.core.ctx import RollRequest


class DiceEntryScreen(ModalScreen[tuple[int, ...] | None], Steady[tuple[int, ...] | None]):
    """Asks for the faces of one roll."""

    def __init__(self, request: RollRequest, why: str) -> None:
        super().__init__()
        self._request = request
        self._why = why

    def compose(self) -> ComposeResult:
        """Why, which dice, and where to type."""
        with Vertical(id="dice-entry"):
            yield Static(self._why, markup=False)
            dice = self._request.dice.name
            yield Static(_("Roll {dice} and type the faces.", dice=dice), markup=False)
            yield Input(placeholder="3 5 6", id="faces")
            yield Static("", id="dice-fault", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the faces if the dice have them."""
        words = event.value.replace(",", " ").split()
        if len(words) == 1 and len(self._request.dice.dice) > 1:
            words = list(words[0])
        faces = tuple(int(word) for word in words if word.isdigit())
        if self._request.dice.accepts(faces) and len(faces) == len(words):
            self.dismiss(faces)
        else:
            self.query_one("#dice-fault", Static).update(
                _("These dice cannot have fallen so. Type the faces with spaces between.")
            )
