"""The outcome strip: what the last action did, in one sentence, with its dice large and readable.

Dice that do not fit shrink to one line. What succeeds stands between edges, so that it is told
without colours too.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.markup import escape
from textual.widgets import Static

from app.play.outcome import Result
from app.presenters.base import Face, Presenter, mix
from app.shell.i18n import _
from app.widgets.chronicle import side_letter

PIPS = {
    "1": ("     ", "  ▀  ", "     "),
    "2": ("▀    ", "     ", "    ▀"),
    "3": ("▀    ", "  ▀  ", "    ▀"),
    "4": ("▀   ▀", "     ", "▀   ▀"),
    "5": ("▀   ▀", "  ▀  ", "▀   ▀"),
    "6": ("▀   ▀", "▀   ▀", "▀   ▀"),
}
LARGE = 7
BETWEEN = "  "
"""What stands between the dice of two rolls."""
SLACK = 12
"""Columns that two wrapped lines may lose at their ends."""
MISSED = 0.4
"""How far a die that does nothing fades."""
PAPER = "#20241f"
LIT = "#ffd24a"
"""The edges of a die that succeeds."""


class OutcomeStrip(Vertical):
    """What the last action did; it stays until the next outcome."""

    def __init__(self, presenter: Presenter) -> None:
        super().__init__(id="outcome")
        self._presenter = presenter
        self.border_title = _("Outcome")
        self._shown = Result("")
        self._quote = ""
        self.is_small = False
        self.plain = False

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static("", id="outcome-text")

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Outcome"), _(
            "What the last action did, with its dice or its cards: those that succeed stand "
            "between edges, the others are faded. While you walk in the past, what the step says. "
            "Where others acted after you, what you did stands above."
        )

    def show(self, outcome: Result, news: str = "", quote: str = "") -> None:
        """Show an outcome, and what has happened since; of a step also the words of the rule that
        it applied, where there is room."""
        self._shown, self._quote = outcome, quote if outcome.is_step else ""
        self.border_subtitle = escape(news)
        self.set_class(bool(outcome.words), "-shown")
        self.set_class(self.has_class("-dice") or bool(outcome.dice), "-dice")  # it keeps its room
        self.set_class(bool(outcome.own or self._quote), "-two")
        self.query_one("#outcome-text", Static).update(self._drawn())

    def on_resize(self) -> None:
        """Other dice may fit now."""
        self.query_one("#outcome-text", Static).update(self._drawn())

    def _drawn(self) -> Text:
        width = max(20, self.content_size.width or self.app.size.width - 4)
        shown = self._shown
        text = Text(no_wrap=True, overflow="ellipsis")
        if shown.own:
            own = _("You: {what}", what=shown.own)
            text.append(shortened(own, width) + "\n", "dim")
        who = side_letter(self._presenter, shown.side, self.plain)
        if self.is_small:
            dice = in_a_row(shown.dice, width // 2, self.plain)
            room = max(12, width - len(dice) - len(who) - 1)
            text.append_text(who).append_text(dice)
            words = shortened(shown.words, room)
            text.append((" " if dice else "") + words, "bold")
            return self._with_quote(text, width, 1)
        words = shortened(shown.words, 2 * (width - len(who)) - SLACK)
        first, *more = textwrap.wrap(words, width - len(who), max_lines=2, placeholder="…") or [""]
        text.append_text(who).append("\n".join([first, *[" " * len(who) + row for row in more]]),
                                     "bold")  # fmt: skip
        if shown.dice:
            count = sum(len(faces) for faces in shown.dice)
            room = count * (LARGE + 1) + (len(shown.dice) - 1) * len(BETWEEN)
            is_large = room <= width and not self.plain
            if is_large:
                rows = [large(faces).split("\n") for faces in shown.dice]
                drawn = [joined(parts, BETWEEN) for parts in zip(*rows, strict=True)]
                text.append("\n").append_text(Text("\n").join(drawn))
            else:
                text.append("\n").append_text(in_a_row(shown.dice, width, self.plain))
        return text if shown.dice else self._with_quote(text, width, 3)

    def _with_quote(self, text: Text, width: int, lines: int) -> Text:
        """The words of the rule under those of the step."""
        rows = textwrap.wrap(self._quote, width, max_lines=lines, placeholder="…")
        for row in rows:
            text.append(f"\n{row}", "italic dim")
        return text


def shortened(words: str, width: int) -> str:
    """Words in one line: what came of it stays, who did it to whom is cut before."""
    if len(words) <= width:
        return words
    between = " · " if " · " in words else ": "
    head, between, tail = words.partition(between)
    room = width - len(tail) - len(between) - 1
    if not tail or room < 8:
        return textwrap.shorten(words, width, placeholder="…")
    return f"{head[:room].rstrip()}…{between}{tail}"


def joined(parts: Iterable[Text], between: str) -> Text:
    """Dice of several rolls beside each other."""
    return Text(between, no_wrap=True).join(parts)


def in_a_row(dice: Iterable[tuple[Face, ...]], width: int, plain: bool = False) -> Text:
    """The dice of several rolls in one line; one cell each where they do not fit else."""
    dice = tuple(dice)
    shown = joined([small(faces, plain) for faces in dice], " ")
    return shown if plain or len(shown) <= width else joined([tiny(faces) for faces in dice], " ")


def tiny(faces: tuple[Face, ...]) -> Text:
    """Dice of one cell each; what succeeds is underlined."""
    text, last = Text(no_wrap=True), ""
    for face in faces:
        if last and face.name != last:
            text.append(" ")
        last = face.name
        lit = bool(face.succeeds)
        text.append(face.text[:1], Style(color=face.ink, bgcolor=shade(face), bold=lit,
                                         underline=lit))  # fmt: skip
    return text


def shade(face: Face) -> str:
    """The ground of a die: what does nothing is faded."""
    return mix(face.ground, PAPER, MISSED) if face.succeeds is False else face.ground


def large(faces: tuple[Face, ...]) -> Text:
    """Dice in three rows, with their pips; a face without pips shows its letter."""
    rows = []
    for number in range(3):
        row = Text(no_wrap=True)
        for face in faces:
            letters = ("     ", f"{face.text[:5]:^5}", "     ")
            ink = mix(face.ink, face.ground, 0.35) if face.succeeds is False else face.ink
            left, right = ("▌", "▐") if face.succeeds else (" ", " ")
            style = Style(color=ink, bgcolor=shade(face), bold=True)
            edge = Style(color=LIT, bgcolor=shade(face))
            row.append(left, edge).append(PIPS.get(face.text, letters)[number], style)
            row.append(right, edge).append(" ")
        rows.append(row)
    return Text("\n").join(rows)


def small(faces: tuple[Face, ...], plain: bool = False) -> Text:
    """Dice in one line; what succeeds stands in brackets."""
    text = Text(no_wrap=True)
    last = ""
    for face in faces:
        if last and face.name != last:
            text.append(" ")
        last = face.name
        said = f"[{face.text}]" if face.succeeds else f" {face.text} "
        style = Style(bold=bool(face.succeeds)) if plain else Style(
            color=face.ink, bgcolor=shade(face), bold=bool(face.succeeds))  # fmt: skip
        text.append(said, style)
    return text
