"""Exact odds before committing: what makes up the roll, line by line with its rule, and small bars
in words that cannot be misread. What is shown is found out by `app.play.why`."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from fractions import Fraction

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from app.play.citing import Cite, Quote, no_words, not_yet
from app.play.why import Kind, Row
from app.shell.i18n import _, catalog

BAR = 12
LEAST_WORDS = 12
SHORT_BAR = 6
ROOMY = 46
"""Columns from which bars have their full length."""


class OddsPanel(VerticalScroll):
    """The why of the marked answer, all that may come of it, and the answers compared."""

    def __init__(self) -> None:
        super().__init__(id="odds")
        self._shown: Sequence[Row] = ()
        self._width = 0
        self.cite: Cite = not_yet
        self.quote: Quote = no_words
        self.plain = False

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static("", id="odds-text")

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Odds"), _(
            "The why of the marked answer: every number that goes into the roll with its rule, "
            "then the exact chance of every result, counted over all dice and cards that you "
            "cannot see. One of the first results happens and no other; lines that say at least, "
            "or worse, overlap and say so. At the end, what was assumed of the choices of others, "
            "and the answers compared. It follows the cursor of the answers."
        )

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows."""
        width = self.scrollable_content_region.width - 1
        if rows == self._shown and width == self._width:
            return
        self._shown, self._width = rows, width
        text = rows_text(rows, self.cite, self.plain, width)
        self.query_one("#odds-text", Static).update(text)

    def on_resize(self) -> None:
        """Break the lines anew: before it is opened the panel has no width."""
        if self.scrollable_content_region.width - 1 != self._width:
            self.show(self._shown)


def rows_text(
    rows: Sequence[Row],
    cite: Cite = not_yet,
    plain: bool = False,
    width: int = 0,
    quoted: int | None = None,
) -> Text:
    """Rows as lines of a width; the words of a rule whole, or so many lines of them."""
    text = Text()
    for place, row in enumerate(rows):
        if row.kind is Kind.HEAD and place:
            text.append("\n")
        ref = cite(row.ruling.refs[0]) if row.ruling is not None else ""
        if row.share is not None:
            sign = {Kind.MARKED: "> " if plain else "▸ ", Kind.RIVAL: "  "}.get(row.kind, "")
            text.append(share_line(row.share, sign + row.said, plain, width, ref)).append("\n")
        elif row.kind is Kind.QUOTE:
            text.append(_wrapped(f"«{row.said}»", width, "   ", quoted) + "\n", "dim")
        elif row.kind in (Kind.LINE, Kind.ROLL):
            text.append(reason_line(row, ref, width))
        else:
            style = "bold" if row.kind is Kind.HEAD else "italic"
            text.append(_wrapped(row.said, width) + "\n", style)
    return text


def reason_line(row: Row, ref: str, width: int) -> Text:
    """A line of the roll: words, its number, its rule at the right edge."""
    text = Text()
    style = "bold" if row.kind is Kind.ROLL else ""
    end = f" {row.number:>10}" if row.number else ""
    room = width - 1 - len(end) - len(ref) - 1
    lines = textwrap.wrap(row.said, room) if room >= LEAST_WORDS else [row.said]
    text.append(" " + lines[0].ljust(max(room, 0)), style)
    text.append(end, "bold")
    text.append(f" {ref}\n", "dim italic")
    for words in lines[1:]:
        text.append(f"   {words}\n", style)
    return text


def _wrapped(said: str, width: int, indent: str = "", most: int | None = None) -> str:
    if width - len(indent) < LEAST_WORDS:
        return indent + said
    lines = textwrap.wrap(said, width - len(indent), max_lines=most, placeholder="…»") or [""]
    return "\n".join(indent + line for line in lines)


def share_line(
    share: Fraction, said: str, plain: bool = False, width: int = 0, ref: str = ""
) -> Text:
    """A chance, its bar and its words, its rule at the right edge; words that do not fit go on
    under themselves."""
    text = Text(f" {catalog().percent(share):>6} ", "bold")
    text.append(f"{bar(share, plain, SHORT_BAR if 0 < width < ROOMY else BAR)} ", "not bold")
    indent, end = len(text), len(ref) + 1 if ref else 0
    room = width - indent - end
    first, *more = (textwrap.wrap(said, room) if room >= LEAST_WORDS else []) or [said]
    text.append(first.ljust(room) if ref else first, "not bold")
    if ref:
        text.append(f" {ref}", "not bold dim italic")
    for words in more:
        text.append(f"\n{' ' * indent}{words}", "not bold")
    return text


def bar(share: Fraction, plain: bool = False, cells: int = BAR) -> str:
    """A chance as a bar."""
    full, empty = ("#", ".") if plain else ("█", "░")
    filled = round(float(share) * cells)
    return full * filled + empty * (cells - filled)


def badge(share: Fraction) -> str:
    """A chance in the three letters that fit on a hex."""
    percent = round(float(share) * 100)
    return "<1%" if share and not percent else f"{percent}%"
