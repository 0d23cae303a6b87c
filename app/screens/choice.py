"""A short list to choose from, over the screen that asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from app.play.keys import key_at
from app.shell.i18n import _
from app.widgets.steady import Steady


class ChoiceScreen(ModalScreen[str | None], Steady[str | None]):
    """Asks for one of several values, each with its number; Esc leaves things as they are."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", _("Close"))]
    # not DEFAULT_CSS: it must prevail over the background of all screens
    CSS = """
    ChoiceScreen { align: center middle; background: $background 70%; }
    ChoiceScreen OptionList {
        width: 42; max-width: 100%; height: auto; max-height: 80%; border: round $accent;
        border-title-color: $accent; background: $surface; padding: 0 1;
    }
    """

    def __init__(self, heading: str, values: Mapping[str, str], current: str) -> None:
        super().__init__()
        self._heading = heading
        self._values = dict(values)
        self._current = current

    def compose(self) -> ComposeResult:
        """The list, on what is chosen now."""
        rows = (f"{key_at(n)}  {name}" for n, name in enumerate(self._values.values()))
        options = OptionList(*map(Option, rows), markup=False)
        options.border_title = self._heading
        options.border_subtitle = _("A number or Enter chooses, Esc closes")
        options.highlighted = list(self._values).index(self._current)
        yield options

    def on_key(self, event: events.Key) -> None:
        """Answer with a number."""
        keys = [key_at(n) for n in range(len(self._values))]
        if event.character and event.character.strip() and event.character in keys:
            event.stop()
            self.dismiss(list(self._values)[keys.index(event.character)])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Answer."""
        event.stop()
        self.dismiss(list(self._values)[event.option_index])
