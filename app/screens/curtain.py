"""Between two people at one screen: nothing is shown until the next one sits down."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from app.shell.i18n import _
from app.widgets.steady import Steady


class CurtainScreen(ModalScreen[None], Steady[None]):
    """Hides the table while the chair changes hands."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "lift", _("I am here"))]

    def __init__(self, who: str) -> None:
        super().__init__()
        self._who = who

    def compose(self) -> ComposeResult:
        """Whose turn it is."""
        yield Static(_("It is the turn of {who}.", who=self._who), id="curtain-text", markup=False)
        yield Button(_("I am here"), id="curtain-button", variant="primary")

    def on_button_pressed(self) -> None:
        """Lift the curtain."""
        self.action_lift()

    def action_lift(self) -> None:
        """Lift the curtain."""
        self.dismiss()
