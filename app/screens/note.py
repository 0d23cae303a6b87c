"""Writing a note on a rule."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.markup import escape
from textual.screen import ModalScreen
from textual.widgets import Footer, TextArea

from app.shell.i18n import _
from app.widgets.steady import Steady


class NoteScreen(ModalScreen[str | None], Steady[str | None]):
    """A sheet to write on. Closing it keeps what is written; an empty sheet removes the note."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+s", "keep", _("Save and close")),
        Binding("ctrl+d", "drop", _("Close without saving"), priority=True),
    ]
    # not DEFAULT_CSS: it must prevail over the background of all screens
    CSS = """
    NoteScreen { align: center middle; background: $background 70%; }
    NoteScreen #note-sheet {
        width: 72; max-width: 90%; height: 14; border: round $accent;
        border-title-color: $accent; background: $surface; padding: 0 1;
    }
    NoteScreen TextArea { border: none; background: $surface; padding: 0; }
    """

    def __init__(self, heading: str, text: str) -> None:
        super().__init__()
        self._heading = heading
        self._text = text

    def compose(self) -> ComposeResult:
        """The sheet and the keys."""
        with Vertical(id="note-sheet") as sheet:
            sheet.border_title = escape(self._heading)
            sheet.border_subtitle = _("An empty note is removed")
            yield TextArea(self._text, id="note-text", soft_wrap=True)
        yield Footer()

    def on_mount(self) -> None:
        """Go on writing at the end."""
        area = self.query_one(TextArea)
        area.focus()
        area.move_cursor(area.document.end)

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Your note"), _(
            "Write what you want to remember about this rule: it is shown in its page and kept in "
            "your folder. Esc saves and closes."
        )

    def action_keep(self) -> None:
        """Close and keep what is written."""
        self.dismiss(self.query_one(TextArea).text)

    def action_drop(self) -> None:
        """Close and leave the note as it was."""
        self.dismiss(None)
