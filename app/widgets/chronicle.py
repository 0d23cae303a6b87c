"""The chronicle on the screen: turns, actions and steps, with a filter by words or by rule."""

from __future__ import annotations

import textwrap
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from app.play.chronicle import Chronicle, Kind, Row
from app.play.citing import Cite, not_yet
from app.play.outcome import dice_of
from app.play.telling import Told
from app.presenters.base import Presenter
from app.shell.i18n import _, _n
from app.widgets.steps import step_line, step_words

INSIDE = 3
"""Columns that the steps of an action stand inside."""


class ChronicleList(OptionList):
    """The rows. Arrows and click walk them, the wheel scrolls; Enter opens the rule of the marked
    one, and unfolds what stands for several lines."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", _("Rule")),
        Binding("right", "unfold", _("Unfold"), show=False),
        Binding("left", "fold", _("Fold"), show=False),
    ]

    class Marked(Message):
        """The cursor was put on a row: the line whose moment it shows."""

        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    class Chosen(Message):
        """The rule of the marked row is wanted."""

    def __init__(self, chronicle: Chronicle, presenter: Presenter) -> None:
        super().__init__(id="chronicle")
        self._chronicle = chronicle
        self._presenter = presenter
        self.rows: list[Row] = []
        self._drawn: list[tuple[Row, Told]] = []
        self._width = 0
        self._words = self._ref = ""
        self._at: int | None = None
        self.cite: Cite = not_yet
        self.plain = False

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Chronicle"), _(
            "The whole game: turns, actions, steps. Space goes a step forward and Backspace a step "
            "back, arrows and click go from line to line; map, dice and rule follow. On a heading "
            "Enter, Right or a click unfolds, and again folds; on a step Enter opens its rule to "
            "the full height. / looks for words; End or Esc comes back to the present. At the "
            "right edge stands the rule by its number or page; «casa 47» is a house ruling, where "
            "the book is not clear."
        )

    # Showing

    def show(self, at: int | None) -> None:
        """Show the chronicle with a line marked; without one, the last."""
        lines = self._chronicle.lines
        self._at = at
        marked = at if at is not None else len(lines) - 1
        self.rows = self._filtered() if self.is_filtered else self._chronicle.rows(at)
        self._draw()
        place = self._chronicle.row_of(marked, self.rows)
        if place is None and self.rows:  # it is filtered out: the last one before it
            place = max((n for n, row in enumerate(self.rows) if row.first <= marked), default=0)
        if place is not None:
            with self.prevent(OptionList.OptionHighlighted):
                self.highlighted = place
            self.scroll_to_highlight()

    def again(self) -> None:
        """Draw every row anew: another width, other words for rules."""
        self._drawn = []
        self.show(self._at)

    def _draw(self) -> None:
        """Draw the rows; those at the beginning that have not changed stay."""
        width = self._room()
        if width != self._width:
            self._drawn, self._width = [], width
        wanted = [(row, self._chronicle.lines[row.first]) for row in self.rows]
        same = 0
        for old, new in zip(self._drawn, wanted, strict=False):
            if old != new:
                break
            same += 1
        with self.prevent(OptionList.OptionHighlighted):
            if same < self.option_count:
                if same == 0:
                    self.clear_options()
                else:
                    for place in range(self.option_count - 1, same - 1, -1):
                        self.remove_option_at_index(place)
            self.add_options(Option(self._text(row)) for row in self.rows[same:])
        self._drawn = wanted

    def _text(self, row: Row) -> Text:
        lines, width = self._chronicle.lines, self._width
        if row.kind is Kind.STEP:
            inside = 0 if self.is_filtered else INSIDE
            action = self._chronicle.action_of(row.first)
            is_whole = action is not None and action.end - action.first == 1
            who = action.side if action is not None and is_whole and not self.is_filtered else ""
            letter = side_letter(self._presenter, who, self.plain)
            line = lines[row.first]
            room = width - len(letter)
            near = lines[row.first : row.first + 3] if line.step.chance is not None else ()
            faces = dice_of(near[:1], self._presenter, near[1:])
            icons = [face.text for face in faces[0]] if faces else ()
            text = step_line(line, room, self.cite, plain=self.plain, inside=inside, icons=icons)
            if action is not None and is_whole and action.is_quiet and not self.is_filtered:
                text.stylize("dim")
            return inserted(text, letter, inside) if letter else text
        sign = ("+ ", "- ")[row.is_open] if self.plain else ("▸ ", "▾ ")[row.is_open]
        if row.kind is Kind.TURN:
            return Text(f"{sign}{row.words}", "bold", no_wrap=True, overflow="ellipsis")
        action = self._chronicle.action_of(row.first)
        text = Text(f" {sign}", no_wrap=True)
        text.append_text(side_letter(self._presenter, action.side if action else "", self.plain))
        room, margin = width - len(text), " " * len(text)
        first, *more = textwrap.wrap(row.words, room, max_lines=2, placeholder="…") or [""]
        style = "dim" if action is not None and action.is_quiet else ""
        text.append(first, style)
        for words in more:
            text.append(f"\n{margin}{words}", style)
        return text

    def on_resize(self) -> None:
        """Lay the lines out again for the new width."""
        if self._room() != self._width:
            self.again()

    def _room(self) -> int:
        width = self.scrollable_content_region.width - 1
        return max(20, width) if width > 0 else self._width or 48

    # Filtering

    @property
    def is_filtered(self) -> bool:
        """Whether only some lines are listed."""
        return bool(self._words or self._ref)

    @property
    def shown(self) -> tuple[Told, ...]:
        """The lines that have a row of their own."""
        lines = self._chronicle.lines
        return tuple(lines[row.first] for row in self.rows if row.kind is Kind.STEP)

    def only(self, words: str = "", ref: str = "") -> int:
        """List only the lines with these words, or that cite this rule; how many there are."""
        self._words, self._ref = words.casefold(), ref
        self.again()
        return len(self.rows)

    def _filtered(self) -> list[Row]:
        return [
            Row(Kind.STEP, n, n + 1, False, "")
            for n, line in enumerate(self._chronicle.lines)
            if self._matches(line)
        ]

    def _matches(self, told: Told) -> bool:
        refs = told.step.ruling.refs
        if self._ref:
            return self._ref in refs
        return self._words in f"{step_words(told)} {' '.join(refs)}".casefold()

    # Walking

    @property
    def marked(self) -> Row | None:
        """The row that the cursor is on."""
        at = self.highlighted
        return self.rows[at] if at is not None and at < len(self.rows) else None

    def action_select(self) -> None:
        """Open the rule of the marked step, fold or unfold a heading; where there is no line,
        that is said."""
        row = self.marked
        if row is None:
            self.notify(_("There is no line here."))
        elif row.kind is Kind.STEP:
            self.post_message(self.Chosen())
        else:
            self._turn(is_open=not row.is_open)

    def action_unfold(self) -> None:
        """Show what the row stands for."""
        self._turn(is_open=True)

    def action_fold(self) -> None:
        """Show one row for all that belongs together."""
        self._turn(is_open=False)

    def _turn(self, is_open: bool) -> None:
        row = self.marked
        if row is None or row.kind is Kind.STEP or row.is_open == is_open:
            if row is not None and not is_open:
                self._fold_around(row)
            return
        (self._chronicle.unfold if is_open else self._chronicle.fold)(row)
        self.show(self._at if self._at is not None else None)
        self._mark_row(row)

    def _fold_around(self, step: Row) -> None:
        """From a step, fold the action that it belongs to."""
        for row in reversed(self.rows[: self.highlighted]):
            if row.kind is not Kind.STEP and row.is_open and row.first <= step.first < row.end:
                self._chronicle.fold(row)
                self.show(self._at)
                self._mark_row(row)
                return

    def _mark_row(self, row: Row) -> None:
        """Put the cursor on a row that has been folded or unfolded, and look at its moment."""
        for place, other in enumerate(self.rows):
            if (other.kind, other.first) == (row.kind, row.first):
                with self.prevent(OptionList.OptionHighlighted):
                    self.highlighted = place
                self._at = other.at
                self.post_message(self.Marked(other.at))
                return

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Say which moment the cursor is on."""
        event.stop()
        if event.option_index < len(self.rows):
            self._at = self.rows[event.option_index].at
            self.post_message(self.Marked(self._at))

    async def _on_click(self, event: events.Click) -> None:
        """A click marks a line; on what stands for several it also folds or unfolds."""
        event.prevent_default()
        clicked = event.style.meta.get("option")
        if clicked is None or clicked >= len(self.rows):
            return
        row = self.rows[clicked]
        if self.highlighted == clicked:  # the cursor stands there already: look at it again
            self._at = row.at
            self.post_message(self.Marked(self._at))
        self.highlighted = clicked
        if row.kind is not Kind.STEP:
            self._turn(is_open=not row.is_open)

    def action_cursor_down(self) -> None:
        """The next row; after the last one, none."""
        if self.highlighted is None or self.highlighted < self.option_count - 1:
            super().action_cursor_down()

    def action_cursor_up(self) -> None:
        """The row before; before the first one, none."""
        if self.highlighted is None or self.highlighted > 0:
            super().action_cursor_up()


def inserted(text: Text, letter: Text, inside: int) -> Text:
    """A step with the letter of its side before its words, on its first line."""
    first, *more = text.split("\n")
    rows = [Text.assemble(first[:inside], letter, first[inside:])]
    rows += [Text.assemble(" " * len(letter), row) for row in more]
    joined = Text("\n").join(rows)
    joined.no_wrap, joined.overflow = True, "ellipsis"
    return joined


def side_letter(presenter: Presenter, side: str, plain: bool = False) -> Text:
    """Who did it: the letter of the side on its colour; nothing where nobody did."""
    if not side:
        return Text()
    look = presenter.army(side)
    style = Style(bold=True) if plain else Style(color=look.ink, bgcolor=look.colour, bold=True)
    return Text.assemble((f" {look.letter} ", style), " ")


class ChronicleBox(Vertical):
    """The chronicle with its filter; `/` looks for words in it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash,f", "find", _("Find in the chronicle")),
    ]

    def __init__(self, chronicle: Chronicle, presenter: Presenter) -> None:
        super().__init__(id="chronicle-box")
        self._list = ChronicleList(chronicle, presenter)

    def compose(self) -> ComposeResult:
        """The filter, hidden until wanted, over the rows."""
        yield Input(placeholder=_("Words or rule; Esc shows all"), id="chronicle-words")
        yield self._list

    @property
    def list(self) -> ChronicleList:
        """The rows."""
        return self._list

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

    @on(Input.Changed, "#chronicle-words")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._count(self.list.only(event.value))

    @on(Input.Submitted, "#chronicle-words")
    def _done(self, event: Input.Submitted) -> None:
        event.stop()
        self.list.focus()
