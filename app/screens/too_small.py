"""What a terminal shows while it is too small to play in."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Static

from app.shell.i18n import _
from app.widgets.steady import Steady

SMALLEST = (80, 24)


def is_too_small(size: Size) -> bool:
    """Whether nothing can be played in a terminal of that size."""
    width, height = SMALLEST
    return size.width < width or size.height < height


class TooSmallScreen(ModalScreen[None], Steady[None]):
    """Asks for a larger terminal and goes away by itself."""

    def compose(self) -> ComposeResult:
        """One sentence with the sizes."""
        yield Static(self._sentence(), id="too-small")

    def on_screen_resume(self) -> None:
        """Be gone if there is room again: a dialogue may have lain over this."""
        if self.is_current and not is_too_small(self.app.size):
            self.app.pop_screen()

    def on_resize(self, _event: events.Resize) -> None:
        """Keep the size shown up to date, and go as soon as there is room."""
        self.query_one("#too-small", Static).update(self._sentence())
        self.on_screen_resume()

    def _sentence(self) -> str:
        width, height = SMALLEST
        here = self.app.size
        return _(
            "The terminal is {here}: Prontuario needs at least {least}. Make it larger, "
            "or press Ctrl+Q to quit.",
            here=f"{here.width}×{here.height}",
            least=f"{width}×{height}",
        )
