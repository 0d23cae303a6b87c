"""Lists of rules: what a search found, and what the user keeps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from app.play.asking import Reply
from app.rules.cards import Entry
from app.rules.linker import Passage
from app.rules.notes import Notebook
from app.rules.page import number_of
from app.shell.i18n import _, _n
from rules_it.corpus import Corpus, Rule
from rules_it.search import Hit, Results

MOST_LINES = 8
"""Lines of a passage that answers."""
CORRECTED, AT_TABLE = "corrected", "table"
"""The ids of the rows that offer another spelling, and that tell what the engine answers."""

NOTES = {
    "empty": "",
    "common": _("Only words that stand everywhere: add a rarer one."),
    "nothing": _("I have found no rule that answers. Try other words, or fewer."),
    "number": _("There is no such rule. The nearest:"),
}


class RuleList(OptionList):
    """Rules to choose from; Up on the first row leaves the list."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("up", "up", _("Up"), show=False)]
    DEFAULT_CSS = """
    RuleList {
        border: none; background: $surface; padding: 0; height: 1fr; scrollbar-gutter: stable;
    }
    RuleList:focus { border: none; }
    RuleList > .option-list--option { padding: 0 1; }
    RuleList:focus > .option-list--option-highlighted {
        background: $primary 30%; color: $foreground; text-style: none;
    }
    """

    class Left(Message):
        """The list was left by its top."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)

    def mark_first(self) -> None:
        """Put the cursor on the first row, if it is nowhere."""
        if self.highlighted is None:
            self.action_first()

    def action_up(self) -> None:
        """Go up, and out at the top."""
        rows = [n for n, option in enumerate(self.options) if not option.disabled]
        if not rows or self.highlighted in (None, rows[0]):
            self.post_message(self.Left())
        else:
            self.action_cursor_up()


class ResultList(RuleList):
    """What a search found: number, title, page, and the words that answer."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.shown_for = ""
        self._corpus: Corpus | None = None
        self._results = Results()
        self.reply: Reply | None = None
        self.things: tuple[Entry, ...] = ()

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Results"), _(
            "The best answer first. The arrows show each rule beside the list, Enter goes into it."
        )

    def show(
        self,
        corpus: Corpus,
        results: Results,
        words: str = "",
        reply: Reply | None = None,
        things: tuple[Entry, ...] = (),
    ) -> None:
        """Show what was found for some words, from the best; before it what the engine answers
        about the game on the table, where it was asked, and the things that the words name."""
        self.shown_for = words
        self.reply = reply
        self.things = things
        self._corpus = corpus
        self._results = results
        self._fill()

    @property
    def corrected(self) -> str:
        """The query as it was perhaps meant."""
        return self._results.corrected

    def answer(self, ref: str) -> tuple[Passage, ...]:
        """What of a rule answers, as it stands in its text."""
        found = (hit.answer for hit in self._results.hits if hit.ref == ref and hit.answer)
        return tuple(Passage(words=words) for answer in found for words in answer.split("\n"))

    def say(self, sentence: str) -> None:
        """Show a sentence in place of results."""
        self._results = Results()
        self.things = ()
        self.clear_options()
        self.add_option(Option(sentence, disabled=True))

    def on_resize(self, event: events.Resize) -> None:
        """Set the rows again in the new width."""
        if self._results.hits or self.things:
            highlighted = self.highlighted
            self._fill()
            self.highlighted = highlighted

    def _fill(self) -> None:
        results = self._results
        self.clear_options()
        if results.corrected:
            words = Content.assemble(
                (_("Did you mean: "), "dim"), (results.corrected, "bold $accent")
            )
            self.add_option(Option(words, id=CORRECTED))
        if self.reply is not None:
            self.add_option(Option(self._told(self.reply), id=AT_TABLE))
        elif NOTES.get(results.note) and not self.things:
            self.add_option(Option(NOTES[results.note], disabled=True))
        for entry in self.things:
            self.add_option(Option(self._thing(entry), id=entry.id))
        for place, hit in enumerate(results.hits):
            if place and place == results.first:
                rest = len(results.hits) - place
                more = _n("One more rule", "{n} more rules", n=rest)
                self.add_option(Option(Content.styled(more, "dim italic"), disabled=True))
            self.add_option(Option(self._row(hit, place < results.first), id=hit.ref))
        refs = [*(entry.id for entry in self.things), *(hit.ref for hit in results.hits)]
        if refs or self.reply is not None:
            first = AT_TABLE if self.reply is not None else refs[0]
            self.highlighted = self.get_option_index(first)

    def thing(self, id: str) -> Entry | None:
        """The thing of a row, if it is one."""
        return next((entry for entry in self.things if entry.id == id), None)

    def _thing(self, entry: Entry) -> Content:
        """A unit, a weapon, a card: its name and its values."""
        assert self._corpus is not None
        width = max(20, self.scrollable_content_region.width - 2)
        short = self._corpus.books[entry.slug].info.short
        head = Content.assemble(
            (f"{short} ", "$secondary"), (entry.title, "bold"), (f" · {entry.kind}", "dim")
        )
        lines = Content(entry.text).wrap(width - 2)[:MOST_LINES]
        body = [Content("  ") + line.stylize_before("$foreground 75%") for line in lines]
        return Content("\n").join([head, *body])

    def _told(self, reply: Reply) -> Content:
        """What the engine answers."""
        width = max(20, self.scrollable_content_region.width - 2)
        head = Content.styled(_("At your table, now"), "bold $accent")
        lines = Content(reply.words).wrap(width - 2)
        return Content("\n").join([head, *(Content("  ") + line for line in lines)])

    def _row(self, hit: Hit, answers: bool) -> Content:
        """A rule with the passage that answers: whole, or in a line or two further down."""
        assert self._corpus is not None
        width = max(20, self.scrollable_content_region.width - 2)
        head = head_of(self._corpus, hit.ref, width, hit.title_spans)
        extract = marked(" ".join(hit.extract.split("\n")), hit.spans)
        if answers and hit.extract:
            extract = Content("«") + extract + Content("»")
        lines = extract.wrap(width - 2)[: MOST_LINES if answers else 2]
        body = [Content("  ") + line.stylize_before("$foreground 75%") for line in lines]
        return Content("\n").join([head, *body])


class BookmarkList(RuleList):
    """The rules that the user marked or wrote a note on."""

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Bookmarks"), _("The rules that you marked, the latest first, and your notes.")

    def fill(self, corpus: Corpus, notebook: Notebook) -> int:
        """Show the bookmarks; how many there are."""
        known = [ref for ref in notebook.bookmarks if corpus.entry(ref)]
        noted = [ref for ref in notebook.noted if corpus.entry(ref) and ref not in known]
        width = max(20, self.scrollable_content_region.width - 2)
        self.clear_options()
        for ref in (*known, *noted):
            head = head_of(corpus, ref, width)
            note = notebook.note(ref).partition("\n")[0]
            row = head + Content.styled(f"\n  {note}", "$foreground 75%") if note else head
            self.add_option(Option(row, id=ref))
        if not self.option_count:
            empty = _("No bookmarks yet: B puts one on the rule that you are reading.")
            self.add_option(Option(empty, disabled=True))
        return len(known) + len(noted)


def head_of(corpus: Corpus, ref: str, width: int, spans: Iterable[tuple[int, int]] = ()) -> Content:
    """The first line of a row: the book, the number and the title, the page at the right edge."""
    entry = corpus.entry(ref)
    assert entry is not None
    info = corpus.book_of(ref).info
    number = number_of(corpus, ref)
    page = f" p. {entry.source.page}" if isinstance(entry, Rule) and entry.source.page else ""
    start = f"{info.short} {number} " if number else f"{info.short} "
    room = width - len(start) - len(page)
    title = marked(entry.title, spans).truncate(room, ellipsis=True)
    return Content.assemble(
        (start, "$secondary"),
        title.stylize_before("bold"),
        " " * (room - title.cell_length),
        (page, "$foreground 60%"),
    )


def marked(text: str, spans: Iterable[tuple[int, int]]) -> Content:
    """A text with what was looked for standing out."""
    content = Content(text)
    for start, end in spans:
        content = content.stylize("bold $accent", start, end)
    return content
