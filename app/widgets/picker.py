"""A list that drops down, in the language of the program."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Select
from textual.widgets._select import SelectCurrent, SelectOverlay

from app.shell.i18n import _


class PickerList(SelectOverlay):
    """The list dropped down; Textual's own tells its key in English."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", _("Close"))]


class Picker(Select[str]):
    """One value out of several."""

    def compose(self) -> ComposeResult:
        """The value, over the list."""
        yield SelectCurrent(self.prompt)
        yield PickerList(type_to_search=self._type_to_search).data_bind(compact=Select.compact)
