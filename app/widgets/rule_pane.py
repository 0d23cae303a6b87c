"""A rule beside whatever else is on the screen: its page, a history, a find bar, notes.

The pane follows links by itself and says so with `LinkFollowed`; every page shown is `Opened`.
"""

from __future__ import annotations

from pathlib import Path
from subprocess import SubprocessError
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.markup import escape
from textual.message import Message
from textual.widgets import Input, Static

from app.rules import linker
from app.rules.library import LIBRARY
from app.rules.notes import Notebook
from app.rules.page import EXAMPLE, LINES, TRIAL, Page, label, page_of
from app.screens.note import NoteScreen
from app.shell.heap import keep_for_good
from app.shell.i18n import _
from app.widgets.background import background
from app.widgets.later import Later, later
from app.widgets.page_view import PageView
from engine.core.data import DataErrors
from engine.core.rules import Ruling
from engine.core.text import N_
from rules_it.corpus import Corpus


class Visit(NamedTuple):
    """A page that was open, and how far down."""

    ref: str
    scroll: float = 0
    is_preview: bool = False
    cited: tuple[linker.Passage, ...] = ()
    sought: str = ""  # the words of the search that led to it


class FindBar(Horizontal):
    """Words to look for in the page."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,down", "next(1)", _("Next match"), priority=True),
        Binding("up", "next(-1)", _("Previous match"), priority=True),
        Binding("escape", "close", _("Close"), priority=True),
    ]
    DEFAULT_CSS = """
    FindBar { height: 1; display: none; background: $panel; padding: 0 1; }
    FindBar.-open { display: block; }
    FindBar Static { width: auto; color: $primary; }
    FindBar #find-count { color: $foreground 70%; }
    FindBar Input, FindBar Input:focus {
        border: none; height: 1; width: 1fr; padding: 0; margin: 0 1; background: $panel;
    }
    """

    class Wanted(Message):
        """Something to do with the page: find words, go to another match, close."""

        def __init__(self, what: str, words: str = "", by: int = 0) -> None:
            super().__init__()
            self.what = what
            self.words = words
            self.by = by

    def compose(self) -> ComposeResult:
        """A label, the words and how many there are."""
        yield Static(_("Find in the page:"), markup=False)
        yield Input(id="find-words")
        yield Static("", id="find-count", markup=False)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Look as the words are typed."""
        event.stop()
        self.post_message(self.Wanted("find", event.value))

    def action_next(self, by: int) -> None:
        """Go to the next or the previous match."""
        self.post_message(self.Wanted("next", by=by))

    def action_close(self) -> None:
        """Close the bar."""
        self.post_message(self.Wanted("close"))


class RulePane(Vertical):
    """One rule at a time. Give it a corpus, at once or later, and refs to open."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "leaf_back", _("Go back"), key_display="Bksp"),
        Binding("alt+left", "back", _("Go back"), show=False),
        Binding("alt+right", "forward", _("Forward"), show=False),
        Binding("b", "bookmark", _("Mark")),
        Binding("n", "note", _("Note")),
        Binding("c", "copy", _("Cite"), show=False),
        Binding("ctrl+f", "find", _("Find")),
    ]
    DEFAULT_CSS = """
    RulePane {
        border: round $primary 60%; border-title-color: $primary; background: $surface;
        border-subtitle-color: $foreground 80%;
    }
    RulePane:focus-within { border: round $accent; }
    RulePane PageView { height: 1fr; background: $surface; }
    PageView > .page--title { color: $accent; text-style: bold; }
    PageView > .page--source { color: $secondary; text-style: bold; }
    PageView > .page--dim { color: $foreground 65%; }
    PageView > .page--rule { color: $primary 40%; }
    PageView > .page--grid { color: $primary 25%; }
    PageView > .page--heading { color: $primary; text-style: bold; }
    PageView > .page--warning { color: $warning; }
    PageView > .page--engine { color: $foreground 65%; text-style: italic; }
    PageView > .page--bold { text-style: bold; }
    PageView > .page--link { color: $accent; text-style: underline; }
    PageView > .page--term { text-style: underline; }
    PageView > .page--mark { color: $primary; }
    PageView > .page--header { color: $primary; text-style: bold; }
    PageView > .page--match { color: $background; background: $secondary; }
    PageView > .page--cited { background: $accent 40%; }
    PageView > .page--sought { color: $foreground; background: $secondary-muted; }
    PageView > .page--sought-lit { text-style: bold; }
    PageView:nocolor > .page--sought, PageView:nocolor > .page--sought-lit {
        text-style: bold underline;
    }
    PageView:nocolor > .page--cited { text-style: reverse; }
    PageView > .page--head { background: $accent 15%; text-style: bold; }
    PageView > .page--here { color: $background; background: $accent; text-style: bold; }
    PageView > .page--casa { color: $secondary; text-style: bold; }
    PageView > .page--reason { color: $secondary; text-style: bold; }
    PageView > .page--faq { color: $success; text-style: bold; }
    PageView > .page--errata { color: $error; text-style: bold; }
    PageView > .page--note { color: $accent; text-style: bold; }
    PageView > .page--examples { color: $primary; text-style: bold; }
    """

    class Opened(Message):
        """A page is shown."""

        def __init__(self, pane: RulePane, ref: str) -> None:
            super().__init__()
            self.pane = pane
            self.ref = ref

        @property
        def control(self) -> RulePane:
            """The pane, for `@on` selectors."""
            return self.pane

    class ExampleChosen(Message):
        """A worked example is to be stepped through on the map."""

        def __init__(self, path: Path) -> None:
            super().__init__()
            self.path = path

    class LinesWanted(Message):
        """The lines of the game that applied the rule are to be shown."""

    class TrialChosen(ExampleChosen):
        """The position of a worked example is to be played from, for the sake of a rule."""

        def __init__(self, path: Path, ref: str) -> None:
            super().__init__(path)
            self.ref = ref

    class LinkFollowed(Opened):
        """A link of the page was followed; the page it leads to is already shown."""

    class Annotated(Opened):
        """The bookmark or the note of a page has changed."""

    def __init__(
        self,
        corpus: Corpus | None = None,
        ref: str = "",
        notebook: Notebook | None = None,
        *,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self.letter = ""  # the key that leads here, where there is one
        self._corpus = corpus
        self._wanted = ref
        self._notebook = notebook
        self._visits: list[Visit] = []
        self._place = -1
        self._cited: tuple[linker.Passage, ...] = ()
        self._sought = ""
        self.ruling: Ruling | None = None  # whose rule is open, until another is opened
        self.has_lines = False  # whether somebody can show the lines that applied the rule
        self.is_at_table = False  # where Backspace goes a step back, and Alt+Left a page
        self._known: dict[str, bool] = {}  # titles looked at -> whether their engine can be read
        self.page: Page | None = None
        self._is_covered = False  # by a page that is not a rule

    def compose(self) -> ComposeResult:
        """The page and, below, the find bar."""
        yield PageView(id="page")
        yield FindBar()

    def on_mount(self) -> None:
        """Open the first rule, if there is one."""
        if self._corpus is not None and self._wanted:
            self.open(self._wanted)

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Rule"), _(
            "Arrows and Space scroll, left and right turn to the previous and the next rule. Tab "
            "goes from link to link and Enter follows; underlined words lead to their definition. "
            "Backspace goes back. Ctrl+F looks for words in the page, B puts a bookmark, N writes "
            "a note, C copies the citation."
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """At a table Backspace goes a step back, also from here."""
        if action == "leaf_back" and self.is_at_table:
            return False
        return super().check_action(action, parameters)

    def action_leaf_back(self) -> None:
        """Go back to the page before."""
        self.action_back()

    @property
    def view(self) -> PageView:
        """The widget that shows the page."""
        return self.query_one(PageView)

    @property
    def ref(self) -> str:
        """The rule shown, or nothing."""
        return self.page.ref if self.page is not None else ""

    # Opening pages

    def use(self, corpus: Corpus, notebook: Notebook | None = None, slug: str = "") -> None:
        """Take the texts, and the user's notes, once they are there. Who knows which title will
        be read says so: then its engine is looked at before the first rule is opened."""
        self._corpus = corpus
        if slug:
            self._look_at_engine(corpus, slug)
        self._notebook = notebook or self._notebook
        if self._wanted and self.page is None:
            self.open(self._wanted)
        else:
            self._again()

    def open(self, ref: str, *cited: linker.Passage, sought: str = "") -> bool:
        """Open a rule and remember it in the history; False if there is no such rule.

        What is cited of its text is marked, be it given or named by the anchor of the ref; and,
        lightly, the words that were searched for.
        """
        known = self._corpus.canonical(ref.partition("#")[0]) if self._corpus is not None else None
        if known is None or self._corpus is None:
            self._wait_for(ref)
            return False
        named = linker.passage(self._corpus, ref)
        cited = (*cited, named) if named is not None else cited
        self._visit(Visit(known, cited=cited, sought=sought))
        return True

    def _wait_for(self, ref: str) -> None:
        """Open a rule once the texts are there, and say until then that they are coming."""
        self._wanted = ref
        if self._corpus is None:
            self.border_title = _("The rules are being opened…")

    def open_cited(self, ruling: Ruling, sought: str = "") -> bool:
        """Open the rule that a ruling names first, and mark what of it was applied."""
        ref = ruling.refs[0]
        self.ruling = ruling
        found = linker.passages(self._corpus, ruling, ref) if self._corpus is not None else ()
        return self.open(ref, *found, sought=sought)

    def follow(self, ruling: Ruling, sought: str = "") -> None:
        """Show the rule of a ruling in passing, and mark what of it was applied."""
        known = self._corpus.canonical(ruling.refs[0]) if self._corpus is not None else None
        if known is None or self._corpus is None:
            self._wait_for(ruling.refs[0])
            return
        self.ruling = ruling
        found = linker.passages(self._corpus, ruling, ruling.refs[0])
        self._visit(Visit(known, is_preview=True, cited=found, sought=sought))

    def preview(self, ref: str, *cited: linker.Passage, sought: str = "") -> None:
        """Show a rule in passing: the next one takes its place in the history."""
        known = self._corpus.canonical(ref) if self._corpus is not None else None
        visit = Visit(known or "", is_preview=True, cited=cited, sought=sought)
        if known is not None and not self._is_shown(visit):
            self._visit(visit)

    def welcome(self, page: Page) -> None:
        """Show a page that is not a rule, before any is opened."""
        self.view.show(page)
        self.border_title = _("Rules")

    def cover(self, page: Page) -> None:
        """Show a page that is not a rule, in passing; the rule below it is shown anew."""
        self.welcome(page)
        self._is_covered = True

    def _visit(self, visit: Visit) -> None:
        is_here = 0 <= self._place < len(self._visits)
        if is_here and (self._visits[self._place].is_preview or visit.ref == self.ref):
            self._visits[self._place] = visit
        else:
            self._leave()
            self._place += 1
            self._visits[self._place :] = [visit]
        if not self._is_shown(visit):
            self._show(visit)

    def _is_shown(self, visit: Visit) -> bool:
        """Whether a page stands on the screen already, marked as it is wanted."""
        shown = (self.ref, self._cited, self._sought)
        return (visit.ref, visit.cited, visit.sought) == shown and not self._is_covered

    def action_back(self) -> None:
        """Go back in the history."""
        self._travel(-1)

    def action_forward(self) -> None:
        """Go forward in the history."""
        self._travel(1)

    def _travel(self, by: int) -> None:
        if not 0 <= self._place + by < len(self._visits):
            self.notify(_("There is no other rule to go to."))
            return
        self._leave()
        self._place += by
        self._show(self._visits[self._place])

    def _leave(self) -> None:
        if 0 <= self._place < len(self._visits):
            scroll = self.view.scroll_target_y
            self._visits[self._place] = Visit(
                self.ref, scroll, cited=self._cited, sought=self._sought
            )

    def _show(self, visit: Visit) -> None:
        assert self._corpus is not None
        self._cited, self._sought = visit.cited, visit.sought
        self._is_covered = False
        if self.ruling is not None and self.ruling.refs[0] != visit.ref:
            self.ruling = None
        self.page = self._written(visit.ref)
        index = LIBRARY.index
        marker = index.marker(visit.sought) if index is not None and visit.sought else None
        self.view.show(self.page, visit.scroll, marker)
        self._entitle()
        self.post_message(self.Opened(self, visit.ref))
        slug = visit.ref.partition(":")[0]
        if slug not in self._known:
            self._look_at_engine(self._corpus, slug)

    def _written(self, ref: str) -> Page:
        """The page of a rule with all that is known of it now."""
        assert self._corpus is not None
        is_known = self._known.get(ref.partition(":")[0])
        status = linker.status(self._corpus, ref) if is_known else None
        note = self._notebook.note(ref) if self._notebook is not None else ""
        shown = (*status.examples, status.trial) if status is not None else ()
        where = next((EXAMPLE + one.file for one in shown if one is not None), "")
        where = LINES if self.has_lines else where
        return page_of(self._corpus, ref, status, note, self._cited, where)

    def _entitle(self) -> None:
        """The border: which rule this is, and what is kept about it."""
        if self.page is None or self._corpus is None:
            return
        star = " ★" if self._notebook and self._notebook.is_bookmarked(self.ref) else ""
        letter = f"{self.letter} " if self.letter else ""
        self.border_title = escape(f"{letter}{self.page.citation}{star}")
        self.border_subtitle = ""

    @background(N_("What the program applies of this rule could not be read."), "_engine_failed",
                "thread", exclusive=True, group="engine")  # fmt: skip
    def _look_at_engine(self, corpus: Corpus, slug: str) -> None:
        """See what the engine applies, the first time that a title is opened."""
        try:
            if linker.is_registered(slug):
                linker.prepare(slug)
            linker.links(corpus, slug)
            keep_for_good()
            is_readable = True
        except (SubprocessError, DataErrors, OSError):  # `copertura` tells what is wrong
            is_readable = False
        later(self, self._engine_known, slug, is_readable)

    def on_later(self, event: Later) -> None:
        """Do what a thread asks for."""
        event.do()

    def _engine_failed(self, said: str, _corpus: Corpus, slug: str) -> None:
        self.notify(said, severity="warning", timeout=12, markup=False)
        self._engine_known(slug, is_readable=False)

    def _engine_known(self, slug: str, is_readable: bool) -> None:
        self._known[slug] = is_readable
        self._again()

    def _again(self) -> None:
        """Show the same page with what is now known of it."""
        if self.page is not None:
            self.page = self._written(self.ref)
            self.view.renew(self.page)
            self._entitle()

    @on(PageView.Followed)
    def _follow(self, event: PageView.Followed) -> None:
        event.stop()
        if event.ref.startswith(EXAMPLE):
            self.post_message(self.ExampleChosen(Path(event.ref.removeprefix(EXAMPLE))))
        elif event.ref == LINES:
            self.post_message(self.LinesWanted())
        elif event.ref.startswith(TRIAL):
            self.post_message(self.TrialChosen(Path(event.ref.removeprefix(TRIAL)), self.ref))
        elif self.open(event.ref):
            self.post_message(self.LinkFollowed(self, self.ref))

    @on(PageView.Turned)
    def _turn(self, event: PageView.Turned) -> None:
        event.stop()
        other = self._corpus.step(self.ref, event.by) if self._corpus is not None else None
        if other is None:
            self.app.bell()
        else:
            self.open(other)

    @on(PageView.Pointed)
    def _point(self, event: PageView.Pointed) -> None:
        """Tell, in the border, where a link leads."""
        event.stop()
        if event.target is None or self._corpus is None:
            self.border_subtitle = ""
        else:
            hint = event.target.hint or label(self._corpus, event.target.ref)
            self.border_subtitle = escape(hint)

    # Finding words

    def action_find(self) -> None:
        """Open the find bar."""
        bar = self.query_one(FindBar)
        bar.add_class("-open")
        self.screen.set_focus(bar.query_one(Input))

    @on(FindBar.Wanted)
    def _find(self, event: FindBar.Wanted) -> None:
        event.stop()
        if event.what == "close":
            self.query_one(FindBar).remove_class("-open")
            self.query_one("#find-words", Input).value = ""
            self.view.find("")
            self.screen.set_focus(self.view)
            return
        if event.what == "find":
            place = min(1, self.view.find(event.words))
        else:
            place = self.view.find_next(event.by)
        words = self.query_one("#find-words", Input).value
        count = _("{place} of {total}", place=place, total=self.view.matches) if place else ""
        self.query_one("#find-count", Static).update(count or (_("not found") if words else ""))

    # What the user keeps

    def action_copy(self) -> None:
        """Copy the citation: `DDOB 6.31, p. 12`."""
        if self.page is not None:
            self.app.copy_to_clipboard(self.page.citation)
            self.notify(_("Copied: {citation}", citation=self.page.citation), markup=False)

    def action_bookmark(self) -> None:
        """Put or remove a bookmark."""
        if self.page is not None and self._notebook is not None:
            there = self._notebook.toggle_bookmark(self.ref)
            self.notify(_("Bookmark added") if there else _("Bookmark removed"))
            self._entitle()
            self.post_message(self.Annotated(self, self.ref))

    def action_note(self) -> None:
        """Write a note on the rule."""
        if self.page is None or self._notebook is None:
            return
        ref, notebook = self.ref, self._notebook

        def keep(text: str | None) -> None:
            if text is not None and text.strip() != notebook.note(ref):
                notebook.write(ref, text)
                self._again()
                self.post_message(self.Annotated(self, ref))

        heading = _("Note on {title}", title=self.page.title)
        self.app.push_screen(NoteScreen(heading, notebook.note(ref)), keep)
