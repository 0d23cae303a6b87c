"""Exact odds before committing: a small bar chart, in words that cannot be misread."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from fractions import Fraction

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from app.play.citing import Cite, Quote, no_words, short_ref
from app.play.reckoning import Foretold
from app.presenters.base import Presenter
from app.shell.i18n import _, _n, catalog
from engine.core.rules import Ruling
from engine.odds import Odds

BAR = 12
LEAST_WORDS = 12


class OddsPanel(VerticalScroll):
    """The distribution of what is asked, with the assumptions made."""

    def __init__(self, presenter: Presenter) -> None:
        super().__init__(id="odds")
        self._presenter = presenter
        self._shown: tuple[Sequence[Odds], str, Sequence[Foretold]] = ((), "", ())
        self._width = 0
        self.cite: Cite = short_ref
        self.quote: Quote = no_words
        self.plain = False

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static("", id="odds-text")

    def explain(self) -> tuple[str, str]:
        """What F1 says here."""
        return _("Odds"), _(
            "The exact chance of every result, counted over all dice and cards that you cannot "
            "see. A line that says at least, or worse, counts all that goes further too. The "
            "lines at the end say what was assumed of the choices of others."
        )

    def show(
        self,
        found: Sequence[Odds],
        note: str = "",
        foretold: Sequence[Foretold] = (),
    ) -> None:
        """Show these odds, or a note, then what the rules foretell of the units."""
        self._shown = (found, note, foretold)
        self._width = width = self.scrollable_content_region.width - 1
        text = odds_text(found, self._presenter, note, self.cite, self.quote, self.plain, width)
        if foretold:
            text.append(_("What the next cards may do") + "\n", "bold")
        for share, ruling in foretold:
            ref = self.cite(ruling.refs[0])
            text.append(share_line(share, self._presenter.foretold(ruling.msg), self.plain,
                                   width - len(ref) - 2))  # fmt: skip
            text.append(f"  {ref}\n", "dim italic")
        self.query_one("#odds-text", Static).update(text)

    def on_resize(self) -> None:
        """Break the lines anew: before it is opened the panel has no width."""
        if self.scrollable_content_region.width - 1 != self._width:
            self.show(*self._shown)


def odds_text(
    found: Sequence[Odds],
    presenter: Presenter,
    note: str = "",
    cite: Cite = short_ref,
    quote: Quote = no_words,
    plain: bool = False,
    width: int = 0,
) -> Text:
    """Odds as lines: question, bars, assumptions once for all with the words that they apply."""
    text = Text()
    if note:
        text.append(note + "\n", "italic")
    given: dict[str, Ruling] = {}
    for odds in found:
        text.append(presenter.say(odds.question) + "\n", "bold")
        for said, share in presenter.results(odds.spread):
            text.append(share_line(share, said, plain, width))
            text.append("\n")
        if odds.rolls is not None:
            text.append(
                _n("Up to {n} roll only.", "Up to {n} rolls only.", n=odds.rolls) + "\n", "italic"
            )
        for ruling in odds.given:
            given.setdefault(presenter.say(ruling.msg), ruling)
        text.append("\n")
    if given:
        text.append(_("Assuming that:") + "\n", "italic")
    for said, ruling in given.items():
        text.append(f" {said} ({cite(ruling.refs[0])})\n", "dim italic")
        for words in quote(ruling):
            text.append(f"   «{words}»\n", "dim")
    return text


def share_line(share: Fraction, said: str, plain: bool = False, width: int = 0) -> Text:
    """A chance, its bar and its words; words that do not fit go on under themselves."""
    text = Text(f" {catalog().percent(share):>6} ", "bold")
    text.append(f"{bar(share, plain)} ", "not bold")
    room = width - len(text)
    lines = textwrap.wrap(said, room) if room >= LEAST_WORDS else [said]
    text.append(("\n" + " " * len(text)).join(lines), "not bold")
    return text


def bar(share: Fraction, plain: bool = False) -> str:
    """A chance as a bar."""
    full, empty = ("#", ".") if plain else ("█", "░")
    filled = round(float(share) * BAR)
    return full * filled + empty * (BAR - filled)


def badge(share: Fraction) -> str:
    """A chance in the three letters that fit on a hex."""
    percent = round(float(share) * 100)
    return "<1%" if share and not percent else f"{percent}%"
