"""What a terminal shows while it is too small to play in."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.widgets import Static

from app.i18n import _

SMALLEST = (80, 24)


class TooSmallScreen(ModalScreen[None]):
    """Asks for a larger terminal and goes away by itself."""

    def compose(self) -> ComposeResult:
        """One sentence with the sizes."""
        yield Static(self._sentence(), id="too-small")

    def on_resize(self) -> None:
        """Keep the size shown up to date."""
        self.query_one("#too-small", Static).update(self._sentence())

    def _sentence(self) -> str:
        width, height = SMALLEST
        here = self.app.size
        return _(
            "The terminal is {here}: Prontuario needs at least {least}. Make it larger, "
            "or press Ctrl+Q to quit.",
            here=f"{here.width}×{here.height}",
            least=f"{width}×{height}",
        )
