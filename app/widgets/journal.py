"""The whole game, line by line, with a filter by words or by rule."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input

from app.shell.i18n import _, _n
from app.widgets.steps import StepList


class Journal(Vertical):
    """Every line of the game; `/` looks for words among them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash,f", "find", _("Find in the journal")),
    ]

    def __init__(self) -> None:
        super().__init__(id="journal-box")
        self.border_title = _("Journal")

    def compose(self) -> ComposeResult:
        """The filter, hidden until wanted, over the lines."""
        yield Input(placeholder=_("Words or rule; Esc shows all"), id="journal-words")
        yield StepList(
            id="journal",
            help_heading=_("Journal"),
            help_text=_(
                "The whole game. Move along it to see the map as it was; Enter opens the rule of "
                "a line; / looks for words; Esc comes back to the present."
            ),
        )

    @property
    def list(self) -> StepList:
        """The lines."""
        return self.query_one(StepList)

    @property
    def is_filtered(self) -> bool:
        """Whether some lines are left out."""
        return self.has_class("-filtered")

    def action_find(self) -> None:
        """Type the words."""
        self.add_class("-filtered")
        self.query_one(Input).focus()

    def only_citing(self, ref: str) -> int:
        """List the lines that applied a rule; how many there are."""
        self.add_class("-filtered")
        with self.prevent(Input.Changed):
            self.query_one(Input).value = ref.partition(":")[2]
        found = self.list.only(ref=ref)
        self._count(found)
        return found

    def show_all(self) -> None:
        """Take the filter away."""
        self.remove_class("-filtered")
        with self.prevent(Input.Changed):
            self.query_one(Input).value = ""
        self.list.only()
        self.border_subtitle = ""

    def _count(self, found: int) -> None:
        self.border_subtitle = _n("{n} line", "{n} lines", n=found)

    @on(Input.Changed, "#journal-words")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._count(self.list.only(event.value))

    @on(Input.Submitted, "#journal-words")
    def _done(self, event: Input.Submitted) -> None:
        event.stop()
        self.list.focus()
