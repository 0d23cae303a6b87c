"""The outcome strip: what the last action did, in one sentence, with its dice large and readable.

Dice that do not fit shrink to one line. What succeeds stands between edges, so that it is told
without colours too.
"""

from __future__ import annotations

import textwrap
from itertools import chain

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from app.play.outcome import Result
from app.presenters.base import Face, mix
from app.shell.i18n import _

PIPS = {
    "1": ("     ", "  ▀  ", "     "),
    "2": ("▀    ", "     ", "    ▀"),
    "3": ("▀    ", "  ▀  ", "    ▀"),
    "4": ("▀   ▀", "     ", "▀   ▀"),
    "5": ("▀   ▀", "  ▀  ", "▀   ▀"),
    "6": ("▀   ▀", "▀   ▀", "▀   ▀"),
}
LARGE = 7
MISSED = 0.55
"""How far a die that does nothing fades."""
PAPER = "#20241f"


class OutcomeStrip(Vertical):
    """What the last action did; it stays until the next outcome."""

    def __init__(self) -> None:
        super().__init__(id="outcome")
        self.border_title = _("Outcome")
        self._shown = Result("")
        self.is_small = False
        self.plain = False

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static("", id="outcome-text")

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Outcome"), _(
            "What the last action did, with its dice: those that succeed stand between edges, the "
            "others are faded. It stays until the next outcome."
        )

    def show(self, outcome: Result, news: str = "") -> None:
        """Show an outcome, and what has happened since."""
        self._shown = outcome
        self.border_subtitle = news
        self.set_class(bool(outcome.words), "-shown")
        self.set_class(self.has_class("-dice") or bool(outcome.dice), "-dice")  # it keeps its room
        self.query_one("#outcome-text", Static).update(self._drawn())

    def on_resize(self) -> None:
        """Other dice may fit now."""
        self.query_one("#outcome-text", Static).update(self._drawn())

    def _drawn(self) -> Text:
        width = max(20, self.content_size.width or self.app.size.width - 4)
        faces = tuple(chain.from_iterable(self._shown.dice))
        if self.is_small:
            dice = small(faces, self.plain) if faces else Text()
            room = max(12, width - len(dice) - 1)
            text = Text(no_wrap=True, overflow="ellipsis")
            text.append_text(dice)
            words = textwrap.shorten(self._shown.words, room, placeholder="…")
            return text.append((" " if faces else "") + words)
        rows = textwrap.wrap(self._shown.words, width, max_lines=2, placeholder="…")
        text = Text("\n".join(rows), "bold", no_wrap=True)
        if faces:
            fits = len(faces) * (LARGE + 1) <= width and not self.plain
            drawn = large(faces) if fits else small(faces, self.plain)
            text.append("\n", "not bold").append_text(drawn)
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
            ink = mix(face.ink, face.ground, 0.5) if face.succeeds is False else face.ink
            left, right = ("▌", "▐") if face.succeeds else (" ", " ")
            style = Style(color=ink, bgcolor=shade(face), bold=True, dim=face.succeeds is False)
            row.append(left + PIPS.get(face.text, letters)[number] + right, style)
            row.append(" ")
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
