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
from app.presenters.base import Face, Presenter, ink_on, mix
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
LEAST_HEAD = 8
"""Columns that who did something to whom takes, or none."""
MOST_ROWS, MOST_WORDS = 6, 3
"""Rows inside the strip, and those of them that words may take."""
MISSED = 0.4
"""How far a die that does nothing fades."""
PAPER = "#20241f"
BORDER = 2
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
        self.is_walked = False  # step by step: what is around it stays where it is
        self._rows = 0
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
        self._draw()

    def on_resize(self) -> None:
        """Other dice may fit now."""
        self._draw()

    def _draw(self) -> None:
        text = self._drawn()
        lines = text.plain.count("\n") + 1
        self.set_class(lines == 2, "-two")
        self.set_class(lines > 2, "-three")
        self._rows = max(lines, self._rows if self.is_walked else 0)
        self.styles.height = None if self.is_small else self._rows + BORDER
        self.query_one("#outcome-text", Static).update(text, layout=False)

    def _drawn(self) -> Text:
        width = max(20, self.content_size.width or self.app.size.width - 4)
        shown = self._shown
        text = Text(no_wrap=True, overflow="ellipsis")
        if shown.own is not None:
            text.append_text(self._own(shown.own, width)).append("\n")
        who = side_letter(self._presenter, shown.side, self.plain)
        if self.is_small:
            who.append_text(in_a_row(shown.dice, width // 2, self.plain))
            who.append(" " if shown.dice else "")
            rows = wrapped(shown.words, width, len(who))
            text.append_text(who).append("\n".join(rows), "bold")
            if shown.own is None and len(rows) == 1 and (keys := keys_of(shown.dice, width, 1)):
                return text.append(f"\n{keys[0]}", "dim")
            return self._with_quote(text, width, 1 if len(rows) == 1 else 0)
        count = sum(len(faces) for faces in shown.dice)
        room = count * (LARGE + 1) + (len(shown.dice) - 1) * len(BETWEEN)
        is_large = 0 < room <= width and not self.plain
        taken = (shown.own is not None) + (3 if is_large else 1 if shown.dice else 0)
        rows = wrapped(shown.words, width - len(who), lines=min(MOST_WORDS, MOST_ROWS - taken))
        text.append_text(who).append(("\n" + " " * len(who)).join(rows), "bold")
        if shown.dice:
            if is_large:
                dice = [large(faces).split("\n") for faces in shown.dice]
                drawn = [joined(parts, BETWEEN) for parts in zip(*dice, strict=True)]
                text.append("\n").append_text(Text("\n").join(drawn))
            else:
                text.append("\n").append_text(in_a_row(shown.dice, width, self.plain))
            used = text.plain.count("\n") + 1
            lines = max(0, MOST_ROWS - used)
            for line in keys_of(shown.dice, width, lines):
                text.append(f"\n{line}", "dim")
        left = min(3, MOST_ROWS - taken - len(rows))
        return text if shown.dice else self._with_quote(text, width, left)

    def _own(self, own: Result, width: int) -> Text:
        """What the reader did last, in one line with its dice, where others acted after it."""
        dice = in_a_row(own.dice, width // 3, self.plain)
        text = Text(_("You: {what}", what=""), "dim", no_wrap=True).append_text(dice)
        text.append(" " if dice else "")
        return text.append(shortened(own.words, width - len(text)), "dim")

    def _with_quote(self, text: Text, width: int, lines: int) -> Text:
        """The words of the rule under those of the step."""
        rows = textwrap.wrap(self._quote, width, max_lines=lines, placeholder="…") if lines else ()
        for row in rows:
            text.append(f"\n{row}", "italic dim")
        return text


def wrapped(words: str, width: int, taken: int = 0, lines: int = 2) -> list[str]:
    """Words in at most so many lines, of which the first has some columns taken: what came of it is
    whole, at the expense of the rest."""
    room = lines * width - taken
    while len(rows := textwrap.wrap("_" * taken + shortened(words, room), width)) > lines:
        room -= 1
    first, *more = rows or [""]
    return [first[taken:], *more]


def shortened(words: str, width: int) -> str:
    """Words in one line: what came of it stays, who did it to whom is cut before; where even that
    is too long, what came of it first, and of a single thing its end."""
    if len(words) <= width:
        return words
    between = " · " if " · " in words else ": "
    head, between, tail = words.partition(between)
    room = width - len(tail) - len(between) - 1
    if tail and room >= LEAST_HEAD:
        return f"{textwrap.shorten(head, room + 1, placeholder='…')}{between}{tail}"
    if tail and len(tail) <= width:
        return tail
    told = (tail or words).split("; ")
    while len(told) > 1:
        told.pop()
        if len(first := "; ".join(told)) < width:
            return f"{first}…"
    parts = (tail or words).split(" ")
    while len(parts) > 1 and len(" ".join(parts)) > width - 1:
        parts.pop(0)
    return "…" + " ".join(parts)[1 - width :]


def keys_of(dice: Iterable[tuple[Face, ...]], width: int, lines: int) -> list[str]:
    """What the letters on dice and cards stand for, each thing once, in so many lines; what does
    not fit is left out whole."""
    told = dict.fromkeys(
        word for faces in dice for face in faces for word in face.means.split(" · ") if word
    )
    found: list[str] = []
    for word in told:
        if found and len(found[-1]) + 3 + len(word) <= width:
            found[-1] += f" · {word}"
        elif len(found) < lines and len(word) <= width:
            found.append(word)
    return found


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
        text.append(face.text[:1], Style(color=ink_of(face), bgcolor=shade(face), bold=lit,
                                         underline=lit))  # fmt: skip
    return text


def shade(face: Face) -> str:
    """The ground of a die: what does nothing is faded."""
    return mix(face.ground, PAPER, MISSED) if face.succeeds is False else face.ground


def ink_of(face: Face) -> str:
    """What is written on a die, read with ease on a faded one too."""
    return ink_on(shade(face)) if face.succeeds is False else face.ink


def large(faces: tuple[Face, ...]) -> Text:
    """Dice in three rows, with their pips; a face without pips shows its letter."""
    rows = []
    for number in range(3):
        row = Text(no_wrap=True)
        for face in faces:
            letters = ("     ", f"{face.text[:5]:^5}", "     ")
            left, right = ("▌", "▐") if face.succeeds else (" ", " ")
            style = Style(color=ink_of(face), bgcolor=shade(face), bold=True)
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
            color=ink_of(face), bgcolor=shade(face), bold=bool(face.succeeds))  # fmt: skip
        text.append(said, style)
    return text
