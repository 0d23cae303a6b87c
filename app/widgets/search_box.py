"""What is looked for: the words, the title and the kind of rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.reactive import reactive
from textual.timer import Timer
from textual.widgets import Input, Static

from app.rules.page import KIND_NAMES
from app.screens.choice import ChoiceScreen
from app.shell.i18n import _

PAUSE = 0.08
"""Seconds without a key before a search starts."""


class Chip(Static):
    """A word to click."""

    DEFAULT_CSS = """
    Chip { width: auto; padding: 0 1; color: $foreground 70%; }
    Chip:hover { color: $accent; }
    Chip.-on { color: $background; background: $primary; text-style: bold; }
    """

    class Pressed(Message):
        """A chip was clicked."""

        def __init__(self, chip: Chip) -> None:
            super().__init__()
            self.chip = chip

    def __init__(self, words: str, value: str, *, id: str | None = None) -> None:
        super().__init__(words, id=id, markup=False)
        self.value = value

    def on_click(self, event: events.Click) -> None:
        """Tell who listens."""
        event.stop()
        self.post_message(self.Pressed(self))


class SearchBox(Horizontal):
    """The words to look for, and chips for the title and the kind."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "to_list", _("List")),
        Binding("down", "to_list", _("List"), show=False),
        Binding("f3", "next_title", _("Title")),
        Binding("f4", "choose_kind", _("Kind")),
    ]
    DEFAULT_CSS = """
    SearchBox {
        height: 3; border: round $primary 60%; border-title-color: $primary;
        border-subtitle-color: $warning; background: $surface;
    }
    SearchBox:focus-within { border: round $accent; border-title-color: $accent; }
    SearchBox Input, SearchBox Input:focus {
        border: none; height: 1; width: 1fr; padding: 0 1; background: $surface;
    }
    SearchBox #kind { padding: 0 1; }
    """

    title: reactive[str] = reactive("")
    """The slug of the title looked into; empty for all."""
    kind: reactive[str] = reactive("")
    """The kind of rule looked for; empty for all."""

    class Changed(Message):
        """Something else is looked for."""

        def __init__(self, words: str, title: str, kind: str) -> None:
            super().__init__()
            self.words = words
            self.title = title
            self.kind = kind

    class Submitted(Message):
        """Enter: open the best answer."""

    class Left(Message):
        """The results are wanted."""

    def __init__(self, slugs: Sequence[str], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._titles = {"": _("All"), **{slug: slug.upper() for slug in slugs}}
        self._waiting: Timer | None = None

    def compose(self) -> ComposeResult:
        """Words, titles, kind."""
        yield Input(placeholder=_("Words, a question or a number"), id="words")
        for slug, name in self._titles.items():
            yield Chip(name, slug, id=f"title-{slug or 'all'}")
        yield Chip("", "", id="kind")

    def name_titles(self, names: Mapping[str, str]) -> None:
        """Call the titles as their books do, once these are open."""
        for slug, name in names.items():
            self.query_one(f"#title-{slug}", Chip).update(name)

    def on_mount(self) -> None:
        """Name the box and mark what is chosen."""
        self.border_title = _("Search")
        self._mark()

    @property
    def words(self) -> str:
        """The words typed."""
        return self.query_one("#words", Input).value

    @words.setter
    def words(self, words: str) -> None:
        field = self.query_one("#words", Input)
        field.value = words
        field.cursor_position = len(words)

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Search"), _(
            "Type words, a whole question or a rule number: the answers appear as you type. Down "
            "goes to the answers, Enter opens the first. F3 chooses the title, F4 the kind of rule."
        )

    def action_next_title(self) -> None:
        """Look into the next title."""
        slugs = list(self._titles)
        self.title = slugs[(slugs.index(self.title) + 1) % len(slugs)]

    def action_choose_kind(self) -> None:
        """Ask for a kind of rule."""
        kinds = {"": _("Every kind"), **{kind: _(name) for kind, name in KIND_NAMES.items()}}

        def chosen(kind: str | None) -> None:
            if kind is not None:
                self.kind = kind

        self.app.push_screen(ChoiceScreen(_("Kind of rule"), kinds, self.kind), chosen)

    def watch_title(self) -> None:
        """Look again."""
        self._refined()

    def watch_kind(self) -> None:
        """Look again."""
        self._refined()

    def _refined(self) -> None:
        if self.is_mounted:
            self._mark()
            self._tell()

    def _mark(self) -> None:
        for chip in self.query(Chip):
            if chip.id == "kind":
                name = _(KIND_NAMES[self.kind]) if self.kind else _("Every kind")
                chip.update(f"{name} ▾")
                chip.set_class(bool(self.kind), "-on")
            else:
                chip.set_class(chip.value == self.title, "-on")

    @on(Chip.Pressed)
    def _pressed(self, event: Chip.Pressed) -> None:
        event.stop()
        if event.chip.id == "kind":
            self.action_choose_kind()
        else:
            self.title = event.chip.value

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.words.startswith("/"):  # the key that leads here, pressed where one already is
            self.words = self.words.lstrip("/")
            return
        if self._waiting is not None:
            self._waiting.stop()
        self._waiting = self.set_timer(PAUSE, self._tell)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Submitted())

    def _tell(self) -> None:
        self.post_message(self.Changed(self.words, self.title, self.kind))

    def action_to_list(self) -> None:
        """Go to the results."""
        self.post_message(self.Left())
