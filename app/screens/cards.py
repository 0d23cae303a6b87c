"""Reference cards: the printed sheets beside the board, with what the game uses now lit."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from app.rules import cards
from app.rules.binder import EVERYTHING, Binder
from app.rules.library import LIBRARY
from app.shell.i18n import _
from app.widgets.background import background
from app.widgets.card_rows import CardRows, Place
from app.widgets.later import Later, later
from app.widgets.steady import Steady
from engine.core.rules import Ruling
from engine.core.text import N_
from rules_it.corpus import Corpus

ALL = "all"
"""The row of the list that stands for all cards: `EVERYTHING` is no id of an option."""


class CardsScreen(Steady[None]):
    """The list of cards, the card, and below it what the row with the cursor says in full.

    Typing filters, wherever the cursor is; Enter opens the rule of a row.
    """

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    AUTO_FOCUS = "#card-list"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", _("Back")),
        Binding("tab", "other", _("List and card"), priority=True),
        Binding("pagedown", "turn(1)", _("Next card"), show=False),
        Binding("pageup", "turn(-1)", _("Card before"), show=False),
    ]
    DEFAULT_CSS = """
    CardsScreen #card-filter { border: round $primary 60%; background: $surface; height: 3; }
    CardsScreen #card-filter:focus { border: round $accent; }
    CardsScreen #card-body { height: 1fr; }
    CardsScreen #card-list {
        width: 30; height: 1fr; border: round $primary 60%; background: $surface; padding: 0;
    }
    CardsScreen #card-list:focus { border: round $accent; }
    CardsScreen #card-list > .option-list--option { padding: 0 1; }
    CardsScreen #card-list { text-wrap: nowrap; text-overflow: ellipsis; }
    CardsScreen #card-list > .option-list--option-disabled {
        color: $accent; text-style: bold;
    }
    CardsScreen #card-side { width: 1fr; height: 1fr; }
    CardsScreen #card-box { height: 1fr; border: round $primary 60%; background: $surface; }
    CardsScreen #card-box:focus-within { border: round $accent; }
    CardsScreen #card-detail {
        height: auto; max-height: 45%; border: round $primary 60%; background: $surface;
        padding: 0 1;
    }
    CardsScreen.-narrow #card-list { width: 26; }
    CardsScreen.-narrow.-reading #card-list { display: none; }
    CardsScreen.-narrow #card-detail { max-height: 40%; }
    """

    def __init__(
        self,
        slug: str = "",
        rulings: Sequence[Ruling] = (),
        now: Collection[str] = (),
    ) -> None:
        """`rulings` are those of the game, the latest first; `now` are words of its phase."""
        super().__init__()
        self._slug = slug
        self._rulings = rulings
        self._now = now
        self._corpus: Corpus | None = None
        self.binder = Binder(())

    def compose(self) -> ComposeResult:
        """The filter, the list, the card, the row in full."""
        said = _("Filter: a name, a number, a word")
        field = Input(placeholder=said, id="card-filter", select_on_focus=False)
        field.border_title = _("Reference cards")
        yield field
        with Horizontal(id="card-body"):
            yield OptionList(id="card-list", markup=False)
            with Vertical(id="card-side"):
                with Vertical(id="card-box") as box:
                    box.border_title = _("The cards are being laid out…")
                    yield CardRows(id="card-rows")
                with VerticalScroll(id="card-detail", can_focus=False):
                    yield Static("", id="card-words", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Reference cards"), _(
            "The tables and values that lie beside the board. The arrows choose a card; Right or "
            "Enter goes to its rows, Left back. Type anything to filter the rows of all cards. "
            "Enter on a row opens its rule. At the table the present phase and the cells that "
            "were used last are lit. Esc clears the filter, then goes back."
        )

    def on_mount(self) -> None:
        """Paint first; then make the cards."""
        self._load()

    @background(N_("The cards cannot be opened."), "_tell", "thread")
    def _load(self) -> None:
        corpus = LIBRARY.open_corpus()
        slugs = [self._slug] if self._slug else list(corpus.books)
        found = [card for slug in slugs for card in cards.cards_of(corpus, slug)]
        lit = cards.used(corpus, self._rulings)
        later(self, self._ready, corpus, Binder(found, lit, self._now))

    def on_later(self, event: Later) -> None:
        """What a thread has found out."""
        event.do()

    def _tell(self, said: str) -> None:
        self.query_one("#card-words", Static).update(said)

    def _ready(self, corpus: Corpus, binder: Binder) -> None:
        self._corpus = corpus
        self.binder = binder
        if not self._slug:
            titles = {slug: book.info.short for slug, book in corpus.books.items()}
            self.query_one(CardRows).titles = titles
        field = self.query_one("#card-filter", Input)
        if self._slug:
            name = corpus.books[self._slug].info.name
            field.border_title = _("Reference cards") + f" · {name}"
        self.binder.look_for(field.value)
        self._list()
        self._show()

    # Showing

    def _list(self) -> None:
        """The cards, below the names of their titles where there are several."""
        corpus, binder = self._corpus, self.binder
        listing = self.query_one("#card-list", OptionList)
        options: list[Option] = []
        items = binder.items()
        if binder.words:
            total = sum(item.rows for item in items)
            options.append(Option(_("All cards ({n})", n=total), id=ALL))
        before = self._slug
        for item in items:
            if item.card.slug != before and corpus is not None:
                before = item.card.slug
                options.append(Option(corpus.books[before].info.name, disabled=True))
            count = f" ({item.rows})" if binder.words else ""
            mark = "▸ " if item.is_lit else "  "
            options.append(Option(Content(f"{mark}{item.card.name}{count}"), id=item.key))
        keys = [option.id for option in options]
        wanted = binder.open or ALL
        with listing.prevent(OptionList.OptionHighlighted):
            listing.clear_options()
            listing.add_options(options)
            listing.highlighted = keys.index(wanted) if wanted in keys else None

    def _show(self) -> None:
        """The card that is open."""
        rows = self.query_one(CardRows)
        card = self.binder.cards.get(self.binder.open)
        box = self.query_one("#card-box")
        box.border_title = card.name if card is not None else _("All cards")
        rows.show(self.binder)
        self._tell_of_columns()
        place = rows.place
        if place is None:
            self.query_one("#card-words", Static).update("")
            self.query_one("#card-detail").display = False

    @on(CardRows.Set)
    def _tell_of_columns(self) -> None:
        """A table that lacks columns says how to see them."""
        said = _("Right shows all columns") if self.query_one(CardRows).is_cut else ""
        self.query_one("#card-box").border_subtitle = said

    @on(OptionList.OptionHighlighted, "#card-list")
    def _leafed(self, event: OptionList.OptionHighlighted) -> None:
        chosen = event.option.id
        wanted = EVERYTHING if chosen in (ALL, None) else chosen
        if wanted != self.binder.open:
            self.binder.open = wanted
            self._show()

    @on(OptionList.OptionSelected, "#card-list")
    def _entered(self) -> None:
        self._read()

    @on(CardRows.Left)
    def _left(self) -> None:
        self.remove_class("-reading")
        self.query_one("#card-list").focus()

    def _read(self) -> None:
        self.add_class("-reading")
        self.query_one(CardRows).focus()
        self.query_one("#card-detail").border_title = _("Enter opens the rule")

    @on(CardRows.Pointed)
    def _pointed(self, event: CardRows.Pointed) -> None:
        if self._corpus is None:
            return
        box = self.query_one("#card-detail")
        words = detail(self._corpus, event.place, self.query_one("#card-box").size.width - 4)
        box.display = bool(words)
        is_here = self.query_one(CardRows).has_focus
        how = _("Enter opens the rule") if is_here else _("Right, then Enter opens the rule")
        box.border_title = how if event.place.row.ref else ""
        self.query_one("#card-words", Static).update(words)
        box.scroll_home(animate=False)

    @on(CardRows.Opened)
    def _opened(self, event: CardRows.Opened) -> None:
        from app.screens.rules import RulesScreen

        if event.place.row.ref:
            self.app.push_screen(RulesScreen(event.place.row.ref))

    # Keys

    def on_key(self, event: events.Key) -> None:
        """Typing filters, wherever the cursor is; the arrows walk the rows meanwhile."""
        field = self.query_one("#card-filter", Input)
        if self.focused is field:
            if event.key in ("down", "enter"):
                event.stop()
                event.prevent_default()
                self._read()
        elif event.is_printable and event.character and not event.character.isspace():
            event.stop()
            field.focus()
            field.insert_text_at_cursor(event.character)
        elif event.key == "backspace" and field.value:
            event.stop()
            field.focus()
            field.value = field.value[:-1]
            field.cursor_position = len(field.value)
        elif event.key == "right" and self.focused is self.query_one("#card-list"):
            event.stop()
            self._read()

    @on(Input.Changed, "#card-filter")
    def _filter(self, event: Input.Changed) -> None:
        if self._corpus is not None:
            self.binder.look_for(event.value)
            self._list()
            self._show()

    def action_leave(self) -> None:
        """Clear the filter; without one, go back."""
        field = self.query_one("#card-filter", Input)
        if field.value:
            field.value = ""
            self._left()
        else:
            self.dismiss()

    def action_other(self) -> None:
        """From the list to the card, and back."""
        if self.focused is self.query_one(CardRows):
            self._left()
        else:
            self._read()

    def action_turn(self, by: int) -> None:
        """Open the next card."""
        listing = self.query_one("#card-list", OptionList)
        listing.action_cursor_down() if by > 0 else listing.action_cursor_up()


def detail(corpus: Corpus, place: Place, width: int) -> Content:
    """A row in full: the record with its counter, or the rule that the row is of."""
    row = place.row
    entry = cards.entry_of(corpus, row.entry) if row.entry else None
    if entry is not None:
        return entry_words(corpus, entry, width)
    known = corpus.entry(row.ref) if row.ref else None
    if known is None:
        return Content("")
    words = cards.first_sentence(corpus, row.ref)
    cited = Content.assemble((known.title, "bold"), f" · {corpus.citation(row.ref)}")
    return cited if words in row.cells else cited + Content(f"\n{words}")


def entry_words(corpus: Corpus, entry: cards.Entry, width: int) -> Content:
    """All that is known of a thing: its counter beside its values, where they come from."""
    drawn = [Content(line) for line in cards.picture(entry)]
    wide = max((line.cell_length + 2 for line in drawn), default=0)
    values = () if entry.scenario else entry.values
    said = [Content.assemble((f"{name} ", "bold"), words) for name, words in values]
    told = [Content.assemble((entry.title, "bold"), f" · {entry.kind}")]
    told += Content(" · ").join(said).wrap(max(20, width - wide))
    lines = []
    for number in range(max(len(drawn), len(told))):
        left = drawn[number] if number < len(drawn) else Content("")
        right = told[number] if number < len(told) else Content("")
        lines.append(left.pad_right(wide - left.cell_length) + right.rstrip())
    lines += [Content(line) for line in cards.story(entry)]
    rules = ", ".join(corpus.citation(ref) for ref in entry.refs if corpus.entry(ref) is not None)
    sources = " ".join(words for words in (entry.provenance, entry.note) if words)
    lines += [Content(sources), Content(rules)]
    return Content("\n").join(lines)


def open_cards(app: App[Any], slug: str = "") -> None:
    """Open the cards of a title, or of all."""
    app.push_screen(CardsScreen(slug))
