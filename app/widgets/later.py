"""From a thread back to the screen, without waiting for it and without a fuss when it is gone.

`App.call_from_thread` waits for its answer: a thread that asks while the program closes would hold
it open, or meet a screen without widgets.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from textual.css.query import NoMatches
from textual.message import Message
from textual.widget import Widget


class Later(Message, bubble=False):
    """Something to be done in a widget's own time: `def on_later(self, event): event.do()`."""

    def __init__(self, do: Callable[[], object]) -> None:
        super().__init__()
        self._do = do

    def do(self) -> None:
        """Do it, unless the widget is being taken down."""
        with suppress(NoMatches):
            self._do()


def later(widget: Widget, do: Callable[..., object], *arguments: Any) -> None:
    """Have something done by a widget that handles `Later`; from any thread."""
    with suppress(RuntimeError):  # the program has been closed meanwhile
        widget.post_message(Later(partial(do, *arguments)))
