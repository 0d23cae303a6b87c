"""`?`: the open question explained, beside the map that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from app.play.citing import Cite
from app.play.primer import Primer
from app.shell.i18n import _
from app.widgets.steady import Steady

WAYS = (
    "tavolo.vietate",
    "tavolo.probabilita",
    "tavolo.regola",
    "tavolo.consiglio",
    "tavolo.delega",
    "tavolo.annulla",
)
"""The actions that help with an answer."""


def ways(keys: Sequence[str]) -> list[tuple[str, str]]:
    """How one answers at the screen; `keys` are those of `WAYS`, as they are now."""
    said = (
        _("lists what is forbidden, each with its reason"),
        _("shows the chances before you answer"),
        _("opens the rule of the question beside the map"),
        _("asks the program what it would do, and why; it answers nothing"),
        _("lets the program answer this for you"),
        _("takes the last answer back"),
    )
    return [
        ("1-9", _("give the answer with that number; 0 ends the choice")),
        (
            _("Arrows, Enter"),
            _("choose in the list; Tab walks the panes, and on the map Enter chooses too"),
        ),
        *zip(keys, said, strict=True),
    ]


class WhatNowScreen(ModalScreen[str | None], Steady[str | None]):
    """The explanation; the letters of the table that it names work from here."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q", "dismiss(None)", _("Close")),
        Binding("a,A", "dismiss('advise')", _("Advice")),
        Binding("r,R", "dismiss('rule')", _("Rule")),
        Binding("x,X", "dismiss('forbidden')", _("Forbidden")),
    ]
    CSS = """
    WhatNowScreen { align: right top; background: $background 30%; }
    #what-now {
        width: 64; max-width: 100%; height: auto; max-height: 100%; padding: 0 1;
        border: round $accent; border-title-color: $accent; border-subtitle-color: $secondary;
        background: $surface;
    }
    """

    def __init__(self, found: Primer, cite: Cite) -> None:
        super().__init__()
        self._found = found
        self._cite = cite

    def compose(self) -> ComposeResult:
        """The parts, each under its heading."""
        with VerticalScroll(id="what-now") as box:
            box.border_title = self._found.heading
            box.border_subtitle = _("A advice  R rule  X forbidden  Esc closes")
            yield Static(self._text(), markup=False)

    def on_mount(self) -> None:
        """The arrows scroll it."""
        self.query_one("#what-now").focus()

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return self._found.heading, _(
            "The question that is open now: who is asked and by which rule, what each answer leads "
            "to, what is forbidden and why, and what often pays."
        )

    def _text(self) -> Text:
        text = Text()
        for part in self._found.parts:
            text.append(f"{part.heading}\n", "bold underline")
            for remark in part.remarks:
                if remark.lead:
                    text.append(remark.lead, "bold")
                    text.append(": " if remark.words else "")
                text.append(remark.words, "italic" if remark.words.startswith("«") else "")
                if remark.ref:
                    text.append(f"  {self._cite(remark.ref)}", "dim italic")
                text.append("\n")
            text.append("\n")
        text.rstrip()
        return text
