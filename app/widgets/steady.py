"""Screens that settle, however fast the terminal changes its size, and paint what has changed."""

from __future__ import annotations

from typing import TypeVar

from textual import events
from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget

T = TypeVar("T")


class Steady(Screen[T]):
    """A screen that is laid out only at the size that the terminal has now.

    A layout at another size has the screen hear of that size once more: of two sizes that wait in
    its queue each would bring back the other, for ever. Another kind of screen is named before it.

    Where the focus goes, the widgets that lose and get it draw themselves again, and nothing else.
    """

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    def on_resize(self, event: events.Resize) -> None:
        """Let a size pass by that is no longer true; the true one is on its way."""
        if event.size != self.app.size:
            event.prevent_default()
