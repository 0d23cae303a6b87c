"""The rules browser: search, contents, bookmarks, and the rule itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import ContentSwitcher, Footer, Input, OptionList, TextArea, Tree
from textual.worker import get_current_worker

from app.play.asking import Reply
from app.rules import cards
from app.rules.library import LIBRARY, PATIENCE
from app.rules.linker import Passage, kind_of
from app.rules.notes import Notebook
from app.rules.page import Page, Part, Run, Section
from app.screens.jump import JumpScreen
from app.shell.i18n import _, _n
from app.widgets.background import background
from app.widgets.contents_tree import ContentsTree
from app.widgets.later import Later, later
from app.widgets.result_list import AT_TABLE, CORRECTED, BookmarkList, ResultList, RuleList
from app.widgets.rule_pane import RulePane
from app.widgets.search_box import Chip, SearchBox
from app.widgets.steady import Steady
from engine.core.text import N_
from rules_it.corpus import SLUGS, Corpus, CorpusError, Node, RuleRef
from rules_it.search import Hit, Index, Results

Ask = Callable[[str, Index], Reply | None]
"""Puts a question in words to the game on the table."""
SIDES = {
    "results": ("r", _("Results")),
    "contents": ("i", _("Contents")),
    "bookmarks": ("s", _("Bookmarks")),
}
"""The lists at the side, with their keys and names."""
LIMIT = 30
MOST = 300
"""The longest list that is drawn without a wait."""


class RulesScreen(Steady[str | None]):
    """Everything about the rules on one screen; on a narrow one, lists and rule take turns."""

    HORIZONTAL_BREAKPOINTS = [
        (0, "-narrow"),
        (100, "-wide"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "pane('back')", _("Go back"), key_display="Bksp"),
        Binding("alt+left", "pane('back')", _("Go back"), show=False),
        Binding("alt+right", "pane('forward')", _("Forward"), show=False),
        Binding("b", "pane('bookmark')", _("Mark"), show=False),
        Binding("n", "pane('note')", _("Note"), show=False),
        Binding("c", "pane('copy')", _("Cite"), show=False),
        Binding("ctrl+f", "pane('find')", _("Find"), show=False),
        # priority: what is typed right after these keys must find the box already open
        Binding("slash", "search", _("Search"), key_display="/ 0-9", priority=True),
        *(Binding(n, f"jump('{n}')", show=False, priority=True) for n in "0123456789"),
        Binding("f2", "other", _("Swap")),
        Binding("f3", "title", _("Title"), show=False),
        Binding("f4", "kind", _("Kind"), show=False),
        Binding("f5", "side", _("Lists"), show=False),
        *(Binding(key, f"side('{side}')", name, show=False) for side, (key, name) in SIDES.items()),
        Binding("q,escape", "leave", _("Menu")),
    ]
    DEFAULT_CSS = """
    RulesScreen #rules-body { height: 1fr; }
    RulesScreen RuleList, RulesScreen ContentsTree, RulesScreen PageView {
        scrollbar-size-vertical: 1; scrollbar-background: $surface;
        scrollbar-background-hover: $surface; scrollbar-background-active: $surface;
        scrollbar-color: $primary 40%; scrollbar-color-hover: $primary 60%;
    }
    RulesScreen #rules-side {
        width: 2fr; max-width: 64; border: round $primary 60%; background: $surface;
    }
    RulesScreen #rules-side:focus-within { border: round $accent; }
    RulesScreen #rules-tabs { height: 1; }
    RulesScreen ContentSwitcher { height: 1fr; }
    RulesScreen #rules-pane { width: 3fr; }
    RulesScreen.-narrow #rules-side { width: 1fr; max-width: 100%; }
    RulesScreen.-narrow #rules-pane { width: 1fr; display: none; }
    RulesScreen.-narrow.-reading #rules-side { display: none; }
    RulesScreen.-narrow.-reading #rules-pane { display: block; }
    """

    def __init__(
        self, ref: str = "", title: str = "", near: Iterable[str] = (), ask: Ask | None = None
    ) -> None:
        """At a rule, or with a title chosen; `near` are rules about what the reader has before
        him, which weigh a little more; `ask` puts a question to the game on the table."""
        super().__init__()
        self._wanted = ref
        self._title = title
        self._near = frozenset(map(RuleRef, near))
        self._ask = ask
        self._corpus: Corpus | None = None
        self._notebook: Notebook | None = None
        self._is_broken = False
        self._counts: dict[str, int] = {}
        self._sought = ""  # words that came before the box
        self._is_old = False  # whether they are of the last time
        self._hurried = ""  # words for which Enter came before the answers

    def compose(self) -> ComposeResult:
        """The search box, the lists, the rule."""
        yield SearchBox(SLUGS, id="search")
        with Horizontal(id="rules-body"):
            with Vertical(id="rules-side"):
                with Horizontal(id="rules-tabs"):
                    for side in SIDES:
                        yield Chip("", side, id=f"tab-{side}")
                with ContentSwitcher(initial="contents", id="rules-lists"):
                    yield ResultList(id="results")
                    yield ContentsTree(id="contents")
                    yield BookmarkList(id="bookmarks")
            yield RulePane(id="rules-pane")
        yield Footer(compact=True, show_command_palette=False)

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Rules"), _(
            "Type / and some words to search; type a number anywhere to jump to that rule. I opens "
            "the contents, R the results, S the bookmarks; F2 goes from the lists to the rule and "
            "back. Backspace and Alt+arrows travel through the rules you have read."
        )

    def on_mount(self) -> None:
        """Paint first; then load the texts."""
        self.set_focus(self.query_one("#words", Input))
        self.query_one(SearchBox).title = self._title
        self._mark_side()
        if self._sought:
            self.look_for(self._sought, self._is_old)
        self.call_after_refresh(self._load)

    @property
    def pane(self) -> RulePane:
        """The rule."""
        return self.query_one(RulePane)

    # Loading

    # a daemon: who leaves the program does not wait for an index
    @background(N_("The rules cannot be opened."), "_failed", "daemon")
    def _load(self) -> None:
        """The texts, then the index."""
        try:
            later(self, self._texts_ready, LIBRARY.open_corpus())
            if LIBRARY.open_index(patience=PATIENCE) is None:
                later(self, self._building, 0)
            LIBRARY.open_index(lambda done, of: later(self, self._building, done * 100 // of))
        except (CorpusError, OSError) as error:
            later(self, self._failed, _("The rules cannot be opened: {why}", why=error))
        else:
            later(self, self._index_ready)

    def on_later(self, event: Later) -> None:
        """Do what a thread asks for."""
        event.do()

    def _texts_ready(self, corpus: Corpus) -> None:
        self._corpus = corpus
        names = {slug: book.info.short for slug, book in corpus.books.items()}
        self.query_one(SearchBox).name_titles(names)
        self._notebook = Notebook(tell=self._warn)
        self.query_one(ContentsTree).fill(corpus)
        self.pane.use(corpus, self._notebook)
        self._list_bookmarks()
        if self._wanted:
            self.open(self._wanted)
        elif self.pane.page is None:
            self.pane.welcome(welcome(corpus))

    def _building(self, percent: int) -> None:
        self.query_one(SearchBox).border_subtitle = _(
            "Preparing the search: {percent}%", percent=percent
        )

    def _index_ready(self) -> None:
        self.query_one(SearchBox).border_subtitle = ""
        if self.query_one(SearchBox).words:
            self._search_again()

    def _failed(self, said: str) -> None:
        self._is_broken = True
        self.query_one(SearchBox).border_subtitle = _("The search is not available")
        self._warn(said)

    def _warn(self, sentence: str) -> None:
        self.notify(sentence, severity="warning", timeout=10, markup=False)

    # Opening rules

    def open(self, ref: str, *cited: Passage, sought: str = "") -> None:
        """Open a rule, by its ref or by what a person calls it; with an anchor, or something cited
        of its text, at that passage; with the words that were searched for marked."""
        if self._corpus is None:
            self._wanted = ref
            return
        name, sign, anchor = ref.partition("#")
        known = self._corpus.canonical(name) or self._corpus.resolve(name)
        if known is None:
            self._jump(name)
            return
        self.pane.open(known + sign + anchor, *cited, sought=sought)
        self._read()

    def _read(self) -> None:
        self.add_class("-reading")
        self.set_focus(self.pane.view)

    @on(RulePane.Opened)
    def _opened(self) -> None:
        self._follow_contents()

    def _follow_contents(self) -> None:
        """Keep the contents, where they are shown, on the rule that is read."""
        if self.pane.ref and self.query_one("#rules-lists", ContentSwitcher).current == "contents":
            self.query_one(ContentsTree).reveal(self.pane.ref)

    @on(RulePane.LinkFollowed)
    def _followed(self) -> None:
        self._read()

    @on(RulePane.Annotated)
    def _annotated(self) -> None:
        self._list_bookmarks()

    def _jump(self, typed: str) -> None:
        if self._corpus is None:
            return
        slug = self.query_one(SearchBox).title or self.pane.ref.partition(":")[0]

        def chosen(ref: str | None) -> None:
            if ref:
                self.open(ref)

        self.app.push_screen(JumpScreen(self._corpus, typed, slug), chosen)

    def action_jump(self, digit: str) -> None:
        """A digit, anywhere but where one writes, begins the number of a rule."""
        self._jump(digit)

    # Searching

    def look_for(self, words: str, is_old: bool = False) -> None:
        """Search for words that were typed elsewhere, at once or when the box is there; old ones
        give way to what is typed."""
        self._sought, self._is_old = words, is_old
        for field in self.query("#words").results(Input):
            self._sought = ""
            field.value = words
            field.cursor_position = len(words)
            self.set_focus(field)
            if is_old:
                self.call_after_refresh(field.action_select_all)

    @on(SearchBox.Changed)
    def _search_again(self) -> None:
        box = self.query_one(SearchBox)
        results = self.query_one(ResultList)
        if not box.words.strip() and self._corpus is not None:
            self.workers.cancel_group(self, "search")
            everything = all_of(self._corpus, box.title, box.kind) if box.kind else Results()
            results.show(self._corpus, everything)
            self._mark_side(results=len(everything.hits))
            self._switch("results" if box.kind else "contents")
            return
        self._switch("results")
        if self._is_broken:
            results.say(_("The search is not available"))
        elif LIBRARY.index is None:
            results.say(_("The search is being prepared: the contents are ready meanwhile."))
        else:
            self._search(box.words, box.title, box.kind)

    @background(N_("The search failed."), "_search_failed", "thread", exclusive=True,
                group="search")  # fmt: skip
    def _search(self, words: str, title: str, kind: str) -> None:
        worker = get_current_worker()
        index = LIBRARY.index
        assert index is not None
        titles, kinds = (title,) if title else (), (kind,) if kind else ()
        found = index.search(
            words, titles=titles, kinds=kinds, limit=LIMIT, typing=True, near=self._near
        )
        is_own = title in ("", self._title)
        reply = self._ask(words, index) if self._ask is not None and is_own else None
        if not worker.is_cancelled:
            named = cards.named(index.corpus, words, titles) if not kind else ()
            later(self, self._found, words, found, reply, named)

    def _search_failed(self, said: str, *_given: object) -> None:
        self.query_one(ResultList).say(said)

    def _found(
        self,
        words: str,
        found: Results,
        reply: Reply | None,
        named: tuple[cards.Entry, ...],
    ) -> None:
        if self._corpus is not None and words == self.query_one(SearchBox).words:
            self.query_one(ResultList).show(self._corpus, found, words, reply, named)
            self._mark_side(results=len(found.hits) + len(named))
            if self._hurried == words:
                self._open_best()

    @on(SearchBox.Submitted)
    def _open_best(self) -> None:
        """Open the best answer, once it is there."""
        results, words = self.query_one(ResultList), self.query_one(SearchBox).words
        is_there = results.shown_for == words
        self._hurried = "" if is_there else words
        if is_there:
            self._choose(results)

    @on(SearchBox.Left)
    def _to_list(self) -> None:
        self.remove_class("-reading")
        shown = self._shown_list()
        self.set_focus(shown)
        if isinstance(shown, RuleList):
            shown.mark_first()

    @on(RuleList.Left)
    def action_search(self) -> None:
        """Go to the search box."""
        self.remove_class("-reading")
        self.set_focus(self.query_one("#words", Input))

    @on(OptionList.OptionHighlighted, "RuleList")
    def _preview(self, event: OptionList.OptionHighlighted) -> None:
        """Show a rule beside the list as the cursor passes over it."""
        shown = event.option_list.is_on_screen or event.option_list.has_focus
        if not shown or event.option.id in (None, CORRECTED) or self.has_class("-narrow"):
            return
        if event.option.id == AT_TABLE:
            reply = self.query_one(ResultList).reply
            if reply is not None and reply.rulings:
                self.pane.follow(reply.rulings[0], self._words())
        elif not self._lay(event.option.id):
            id = event.option.id
            self.pane.preview(id, *self._answer(id), sought=self._words())

    @on(OptionList.OptionSelected, "RuleList")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self._choose(event.option_list)

    def _choose(self, options: OptionList) -> None:
        option = options.highlighted_option
        if option is None or option.id is None:
            self.app.bell()
        elif option.id == CORRECTED:
            self.query_one(SearchBox).words = self.query_one(ResultList).corrected
        elif option.id == AT_TABLE:
            reply = self.query_one(ResultList).reply
            rulings = reply.rulings if reply is not None else ()
            if rulings and self.pane.open_cited(rulings[0], self._words()):
                self._read()
        elif self._lay(option.id):
            self._read()
        else:
            self.open(option.id, *self._answer(option.id), sought=self._words())

    def _lay(self, id: str | None) -> bool:
        """Show a thing that the words name over the rule; False if it is none."""
        thing = self.query_one(ResultList).thing(id or "")
        if thing is not None and self._corpus is not None:
            self.pane.cover(cards.entry_page(self._corpus, thing))
        return thing is not None

    def _answer(self, ref: str) -> tuple[Passage, ...]:
        """What of a rule answers what is looked for, while the results are shown."""
        return self.query_one(ResultList).answer(ref) if self._words() else ()

    def _words(self) -> str:
        """What the results are shown for, while they are."""
        is_sought = self.query_one("#rules-lists", ContentSwitcher).current == "results"
        return self.query_one(ResultList).shown_for if is_sought else ""

    @on(Tree.NodeSelected)
    def _node(self, event: Tree.NodeSelected[Node]) -> None:
        if event.node.data is not None and event.node.data.ref is not None:
            self.open(event.node.data.ref)

    def action_title(self) -> None:
        """Look into the next title."""
        self.query_one(SearchBox).action_next_title()

    def action_kind(self) -> None:
        """Choose the kind of rule looked for."""
        self.query_one(SearchBox).action_choose_kind()

    # The lists

    def _switch(self, side: str) -> None:
        self.query_one("#rules-lists", ContentSwitcher).current = side
        self._mark_side()
        self._follow_contents()

    def _shown_list(self) -> Any:
        return self.query_one(f"#{self.query_one('#rules-lists', ContentSwitcher).current}")

    def _mark_side(self, **counts: int) -> None:
        """Show which list is open, and how much is in each."""
        self._counts.update(counts)
        shown = self.query_one("#rules-lists", ContentSwitcher).current
        for side, (key, name) in SIDES.items():
            chip = self.query_one(f"#tab-{side}", Chip)
            chip.set_class(side == shown, "-on")
            count = f" {self._counts[side]}" if self._counts.get(side) else ""
            chip.update(
                Content.assemble((f"{key} ", "" if side == shown else "$accent"), name, count)
            )

    def _list_bookmarks(self) -> None:
        if self._corpus is not None and self._notebook is not None:
            kept = self.query_one(BookmarkList).fill(self._corpus, self._notebook)
            self._mark_side(bookmarks=kept)

    @on(Chip.Pressed)
    def _tab(self, event: Chip.Pressed) -> None:
        self.action_side(event.chip.value)

    def action_side(self, side: str = "") -> None:
        """Show a list, or the next one, and go there."""
        sides = list(SIDES)
        shown = sides.index(self.query_one("#rules-lists", ContentSwitcher).current or sides[0])
        self._switch(side or sides[(shown + 1) % len(sides)])
        self._to_list()

    def action_other(self) -> None:
        """From the lists to the rule, or back."""
        if self.pane.has_focus_within:
            self._to_list()
        else:
            self._read()

    # The rest

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys for the rule work when there is one."""
        if action in ("search", "jump"):
            return self.is_current and not isinstance(self.focused, Input | TextArea)
        if action == "pane":
            return any(
                pane.page is not None for pane in self.query(RulePane)
            )  # none before it opens
        return True

    async def action_pane(self, name: str) -> None:
        """Do something with the rule shown."""
        if name == "find":
            self._read()
        await self.pane.run_action(name)

    def action_leave(self) -> None:
        """Back to the lists from a rule on a narrow screen; else leave the browser."""
        if self.has_class("-narrow") and self.has_class("-reading"):
            self._to_list()
        else:
            self.dismiss(self.query_one(SearchBox).words)


def all_of(corpus: Corpus, title: str, kind: str) -> Results:
    """Every rule of a kind, in book order: all tables of a title, say."""
    chosen = (
        Hit(ref, 0, entry.title, corpus.plain(ref)[:200])
        for ref, entry in corpus.entries.items()
        if kind_of(entry) == kind and ref.startswith(title)
    )
    return Results(tuple(islice(chosen, MOST)))


def welcome(corpus: Corpus) -> Page:
    """What is shown before any rule: the books and how to begin."""
    rows = []
    for book in corpus.books.values():
        rules = sum(1 for rule in book.rules)
        first = next(book.rules, None)
        name = f"{book.info.name}: " + _n("{n} rule", "{n} rules", n=rules)
        rows.append(((Run(name, "link", first.id if first else ""),),))
    how = _(
        "Type some words, a question or a rule number in the box above; or choose from the "
        "contents. Underlined words lead to their definition."
    )
    book_names = " · ".join(book.info.short for book in corpus.books.values())
    parts = (Part("paragraph", (((Run(how),),),)), Part("bullets", tuple(rows)))
    sections = (Section("text", "", parts),)
    return Page("", _("The rules of four games"), "", "", (book_names,), "", sections)


def open_rules(app: App[Any], ref: str = "", words: str = "") -> None:
    """Open the browser, at a rule or with words to look for if they are given; the browser keeps
    its place meanwhile."""
    if isinstance(app.screen, RulesScreen):
        app.screen.open(ref) if ref else None
        return
    if not app.is_screen_installed("rules"):
        app.install_screen(RulesScreen(), "rules")
    screen = app.get_screen("rules")
    assert isinstance(screen, RulesScreen)
    app.push_screen(screen)
    if ref:
        app.call_later(screen.open, ref)
    if words:
        app.call_later(screen.look_for, words)
