"""The rows of reference cards, set in columns; one has the cursor, those in use are lit."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from app.rules.binder import EVERYTHING, Binder
from app.rules.cards import SOURCES, Card, Row, Table, is_lit, is_row_lit
from app.shell.i18n import _
from app.widgets.layout import column_widths

COLUMN, MARK = " │ ", "▸"
TALLEST = 3
"""Lines that a record has in the list; all of it is told below."""
SHORT = 18
"""Letters of a name that is not broken."""
NARROW = 24
"""Columns of a name beside what is said of it."""
MOST = 400
"""Rows that are drawn at once."""


class Place(NamedTuple):
    """A row that can be opened."""

    card: Card
    table: Table
    row: Row


class CardRows(OptionList):
    """Tables one below the other. Headings are no rows; Left goes back to the list of cards."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"cards--{name}" for name in ("heading", "head", "grid", "lit", "first", "source")
    }
    BINDINGS: ClassVar[list[BindingType]] = [Binding("left", "back", _("Cards list"), show=False)]
    DEFAULT_CSS = """
    CardRows {
        border: none; background: $surface; padding: 0; height: 1fr; scrollbar-gutter: stable;
    }
    CardRows:focus { border: none; }
    CardRows > .option-list--option { padding: 0 1; }
    CardRows > .option-list--option-disabled { color: $foreground; }
    CardRows > .option-list--option-highlighted { background: $primary 15%; color: $foreground; }
    CardRows:focus > .option-list--option-highlighted {
        background: $primary 35%; color: $foreground; text-style: none;
    }
    CardRows > .cards--heading { color: $accent; text-style: bold; }
    CardRows > .cards--head { color: $primary; text-style: bold; }
    CardRows > .cards--grid { color: $primary 50%; }
    CardRows > .cards--first { text-style: bold; }
    CardRows > .cards--lit { background: $warning 45%; color: $foreground; text-style: bold; }
    CardRows > .cards--source { color: $foreground 65%; text-style: italic; }
    """

    class Left(Message):
        """Somebody goes back to the list of cards."""

    class Set(Message):
        """The rows were set anew in another width."""

    class Pointed(Message):
        """A row has the cursor."""

        def __init__(self, place: Place) -> None:
            super().__init__()
            self.place = place

    class Opened(Message):
        """The rule of a row is wanted."""

        def __init__(self, place: Place) -> None:
            super().__init__()
            self.place = place

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._binder: Binder | None = None
        self._places: dict[int, Place] = {}
        self._set_in = 0
        self.titles: dict[str, str] = {}
        self.is_cut = False  # does a table lack columns for want of room?

    def action_back(self) -> None:
        """Back to the list of cards."""
        self.post_message(self.Left())

    def show(self, binder: Binder) -> None:
        """Set what lies open, with the cursor on what is lit, or on the first row."""
        self._binder = binder
        self._set()
        lit = self._lit_places()
        self.highlighted = next(iter(lit), next(iter(self._places), None))
        if self.place is not None:
            self.post_message(self.Pointed(self.place))
        self.scroll_home(animate=False)
        if lit:
            self.call_after_refresh(self.scroll_to_highlight)

    def on_resize(self, _event: events.Resize) -> None:
        """Set the rows again in the new width."""
        if self._binder is not None and self._room != self._set_in:
            at = self.highlighted
            self._set()
            self.highlighted = at
            self.post_message(self.Set())

    @property
    def place(self) -> Place | None:
        """The row that has the cursor."""
        return self._places.get(self.highlighted) if self.highlighted is not None else None

    @property
    def text(self) -> str:
        """The rows as they are shown."""
        return "\n".join(str(option.prompt) for option in self.options)

    @property
    def _room(self) -> int:
        return max(20, self.scrollable_content_region.width - 2)

    # Setting

    def _set(self) -> None:
        binder = self._binder
        assert binder is not None
        self._set_in = self._room
        self._places = {}
        self.is_cut = False
        options: list[Option] = []
        with_cards, before, heading = binder.open == EVERYTHING, "", ""
        for card, table, whole in binder.shown():
            if len(self._places) >= MOST:
                options.append(
                    self._still(self._styled(_("… and more: write more words."), "source"))
                )
                break
            is_new = with_cards and f"{card.slug}/{card.id}" != before
            if is_new:
                before = f"{card.slug}/{card.id}"
                name = f"{self.titles.get(card.slug, '')} · {card.name}".removeprefix(" · ")
                gap = Content("\n") if options else Content("")
                options.append(self._still(gap + self._styled(name.upper(), "heading")))
            words = table.heading if table.heading != heading or table.name == "" else ""
            heading = table.heading
            options += self._table(card, table, whole, words, len(options), is_new)
        if not options:
            options = [self._still(Content(_("No row has these words.")))]
        self.clear_options()
        self.add_options(options)

    def _table(
        self, card: Card, table: Table, whole: Table, heading: str, start: int, is_new: bool
    ) -> list[Option]:
        """Heading, head and rows of a table."""
        options = []
        has_gap = start and not is_new
        if heading:
            source = _(SOURCES[table.source]) if table.source in SOURCES else ""
            words = self._styled(heading, "heading") + self._styled(f"  {source}", "source")
            options.append(self._still(Content("\n") + words if has_gap else words))
        elif has_gap:
            options.append(self._still(Content("")))
        head, cells = self._cells(table, whole)
        rows = [head, *cells] if head else cells
        manner = "record" if table.rows[0].entry else "table" if table.ref else "prose"
        widths, between, is_cut = self._widths(rows, manner)
        if any(table.head):
            self.is_cut |= is_cut and manner == "table"
            options.append(self._still(self._line(head, widths, between)))
        for row, shown in zip(table.rows, cells, strict=True):
            self._places[start + len(options)] = Place(card, table, row)
            tallest = TALLEST if row.entry else MOST
            options.append(Option(self._line(shown, widths, between, tallest)))
        return options

    def _cells(self, table: Table, whole: Table) -> tuple[list[Content], list[list[Content]]]:
        """The head and the rows of a table, with what is lit: a cell shows from which row and
        column it is."""
        binder = self._binder
        assert binder is not None
        at = binder.lit.get((whole.ref, whole.name)) if whole.name else None
        row_at, column_at = at if at is not None else (-1, -1)
        head = [
            self._styled(text, "lit" if n == column_at else "head")
            for n, text in enumerate(table.head)
        ]
        numbers = {id(row): number for number, row in enumerate(whole.rows)}
        cells = []
        for row in table.rows:
            number = numbers[id(row)]
            lit = [
                is_lit(whole, number, column, binder.lit, binder.now)
                for column in range(len(row.cells))
            ]
            lit[0] = lit[0] or number == row_at
            marked = lit.index(True, 1) if any(lit[1:]) and not all(lit) else 0
            cells.append(
                [
                    self._cell(f"{MARK}{text}" if is_on and n == marked else text, n, is_on)
                    for n, (text, is_on) in enumerate(zip(row.cells, lit, strict=True))
                ]
            )
        return head, cells

    def _widths(self, rows: list[list[Content]], manner: str) -> tuple[list[int], str, bool]:
        """The widths of the columns that fit, what stands between them, and whether some are left
        out. Of records the first values stay as they are, and all are told below; the columns of a
        table come closer before any is left out; in prose names give way to what is said."""
        columns = max(map(len, rows))
        full = [row + [Content("")] * (columns - len(row)) for row in rows]
        natural = column_widths(full)
        words = [
            max((len(word) for row in full for word in row[n].plain.split()), default=1)
            for n in range(columns)
        ]
        words[0] = max(words[0], min(SHORT, natural[0]))
        least = words if manner != "record" else [min(width, NARROW) for width in natural]
        between, shown = COLUMN, columns
        while shown > 2 and sum(least[:shown]) + len(between) * (shown - 1) > self._room:
            if between == COLUMN and manner == "table":
                between = COLUMN.strip()
            else:
                shown -= 1
        kept = [row[:shown] for row in full]
        room = self._room - len(between) * (shown - 1)
        is_cut = shown < columns
        if sum(natural[:shown]) <= room:
            return natural[:shown], between, is_cut
        if manner == "prose":
            names = [min(width, NARROW, room // 3) for width in natural[:-1]]
            return [*names, max(1, room - sum(names))], between, False
        widths = column_widths(kept, room)
        if widths[0] < words[0]:
            rest = [row[1:] for row in kept]
            widths = [words[0], *column_widths(rest, room - words[0])]
        return widths, between, is_cut

    def _line(
        self, cells: list[Content], widths: list[int], between: str, tallest: int = MOST
    ) -> Content:
        """A row as wide as its columns, broken into lines."""
        cells = cells[: len(widths)] + [Content("")] * (len(widths) - len(cells))
        tall = [
            cell.wrap(width) or [Content("")] for cell, width in zip(cells, widths, strict=True)
        ]
        height = min(tallest, max(map(len, tall)))
        grid = self._styled(between, "grid")
        lines = []
        for n in range(height):
            parts = []
            for lines_of, width in zip(tall, widths, strict=True):
                part = lines_of[n].rstrip() if n < len(lines_of) else Content("")
                if n == height - 1 and len(lines_of) > height:
                    part = part.truncate(max(1, width - 1)) + Content("…")
                parts.append(part.pad_right(max(0, width - part.cell_length)))
            lines.append(grid.join(parts))
        return Content("\n").join(lines)

    def _cell(self, text: str, column: int, lit: bool) -> Content:
        name = "lit" if lit else "first" if column == 0 else ""
        return self._styled(text, name) if name and text else Content(text)

    def _styled(self, words: str, name: str) -> Content:
        styles = self.get_component_styles(f"cards--{name}")
        text = styles.text_style
        style = Style(
            styles.background if styles.has_rule("background") else None,
            styles.color if styles.has_rule("color") else None,
            bold=text.bold,
            italic=text.italic,
        )
        return Content.styled(words, style) if words else Content("")

    def _still(self, words: Content) -> Option:
        return Option(words, disabled=True)

    def _lit_places(self) -> list[int]:
        binder = self._binder
        assert binder is not None
        lit = {
            id(row)
            for _card, _table, whole in binder.shown()
            for number, row in enumerate(whole.rows)
            if is_row_lit(whole, number, binder.lit, binder.now)
        }
        return [at for at, place in self._places.items() if id(place.row) in lit]

    # Telling

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Tell which row it is."""
        event.stop()
        place = self._places.get(event.option_index)
        if place is not None:
            self.post_message(self.Pointed(place))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the rule."""
        event.stop()
        place = self._places.get(event.option_index)
        if place is not None:
            self.post_message(self.Opened(place))
