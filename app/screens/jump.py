"""Jump to a rule by its number or id, from anywhere."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from app.rules.page import label
from app.shell.i18n import _
from app.widgets.steady import Steady
from rules_it.corpus import Corpus

SHOWN = 12


class JumpScreen(ModalScreen[str | None], Steady[str | None]):
    """Asks for a number and answers with a ref; rules of `slug` come first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", _("Close")),
        Binding("down", "move(1)", _("Down"), show=False, priority=True),
        Binding("up", "move(-1)", _("Up"), show=False, priority=True),
    ]
    # not DEFAULT_CSS: it must prevail over the background of all screens
    CSS = """
    JumpScreen { align: center top; background: $background 70%; }
    JumpScreen #jump {
        width: 70; max-width: 90%; height: auto; max-height: 80%; margin-top: 2;
        border: round $accent; border-title-color: $accent; background: $surface; padding: 0 1;
    }
    JumpScreen Input, JumpScreen Input:focus {
        border: none; height: 1; padding: 0; background: $surface;
    }
    JumpScreen OptionList { border: none; height: auto; background: $surface; padding: 0; }
    JumpScreen .option-list--option { padding: 0; }
    """

    def __init__(self, corpus: Corpus, typed: str = "", slug: str = "") -> None:
        super().__init__()
        self._corpus = corpus
        self._typed = typed
        self._slug = slug
        self._shown_for: str | None = None

    def compose(self) -> ComposeResult:
        """The number and the rules that have it."""
        with Vertical(id="jump") as box:
            box.border_title = _("Jump to a rule")
            box.border_subtitle = _("Enter opens, Esc closes")
            yield Input(self._typed, placeholder=_("Number or id"), select_on_focus=False)
            yield OptionList(markup=False)

    def on_mount(self) -> None:
        """Go on typing after what is there."""
        field = self.query_one(Input)
        self.set_focus(field)
        field.cursor_position = len(self._typed)
        self._show(self._typed)

    def on_key(self, event: events.Key) -> None:
        """Keep what was typed before the box was ready."""
        field = self.query_one(Input)
        if self.focused is field:
            return
        if event.is_printable and event.character:
            field.insert_text_at_cursor(event.character)
        elif event.key == "enter":
            self._open()

    @on(Input.Changed)
    def _typing(self, event: Input.Changed) -> None:
        self._show(event.value)

    def _show(self, words: str) -> None:
        """The rules that the words name or begin to name, else those nearest to them."""
        if words == self._shown_for:
            return
        self._shown_for = words
        corpus = self._corpus
        begun = words.strip().lower() or "?"
        starts = (ref for ref in corpus.entries if ref.partition(":")[2].startswith(begun))
        named = dict.fromkeys((*corpus.candidates(words), *corpus.below(words), *starts))
        near = [] if named or not words.strip() else corpus.nearest(words)
        found = sorted(named or near, key=lambda ref: not ref.startswith(f"{self._slug}:"))
        options = self.query_one(OptionList)
        options.clear_options()
        if near:
            options.add_option(Option(_("There is no such rule. The nearest:"), disabled=True))
        for ref in found[:SHOWN]:
            short = corpus.book_of(ref).info.short
            row = Content.assemble((f"{short:<6}", "$secondary"), label(corpus, ref))
            options.add_option(Option(row, id=ref))
        if found:
            options.highlighted = 1 if near else 0

    @on(Input.Submitted)
    def _open(self) -> None:
        self._show(self.query_one(Input).value)
        option = self.query_one(OptionList).highlighted_option
        if option is not None:
            self.dismiss(option.id)
        else:
            self.app.bell()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)

    def action_move(self, by: int) -> None:
        """Go up or down the list while typing."""
        options = self.query_one(OptionList)
        options.action_cursor_down() if by > 0 else options.action_cursor_up()
