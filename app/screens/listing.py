"""A screen that is a list: things to open, or a sentence that says why there are none."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from app.shell.i18n import _
from app.widgets.steady import Steady


class ListScreen(Steady[None]):
    """Subclasses say what is listed and what an empty list says."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "app.pop_screen", _("Back")),
    ]

    heading = ""
    when_empty = ""

    def rows(self) -> list[tuple[str, str]]:
        """Id and text of each row."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """The list, or the sentence in its place."""
        rows = self.rows()
        if rows:
            listing = OptionList(*(Option(text, id=key) for key, text in rows),
                                 id="listing", markup=False)  # fmt: skip
            listing.border_title = self.heading
            yield listing
        else:
            empty = Static(self.when_empty, id="empty", markup=False)
            empty.border_title = self.heading
            yield empty
        yield Footer()

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return self.heading, self.when_empty if not self.rows() else _(
            "Choose with the arrows and Enter, or with the mouse. Esc goes back."
        )
