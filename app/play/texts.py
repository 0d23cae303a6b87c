"""The rules as the dialogue reads them: one of them, the words that a ruling applied, a search, and
the reference cards; all of it in plain lines. The texts are opened when something is first asked.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from app.cli import cards as told
from app.cli.answers import Fault
from app.cli.consulting import find_rule, hit_lines, open_index, thing_lines, why_nothing
from app.play.asking import Meanings
from app.rules import cards
from app.rules.binder import Binder
from app.rules.library import LIBRARY
from app.rules.linker import quotes
from app.shell.i18n import _, _n
from engine.core.rules import Ruling
from rules_it.corpus import Corpus, CorpusError, RuleRef, plain

MOST_FOUND = 5
FEW = 3
"""Rules of the title under which those of the others are told too."""


class Hit(NamedTuple):
    """Something that a search found: its rule, and what is told of it."""

    ref: str
    lines: tuple[str, ...]


class Texts:
    """The texts for a game of a title."""

    def __init__(self, slug: str) -> None:
        self.slug = slug

    @property
    def corpus(self) -> Corpus:
        """The texts."""
        return LIBRARY.open_corpus()

    def rule(self, ref: str, ruling: Ruling | None = None) -> list[str]:
        """A rule in full, and what a ruling applied of it."""
        corpus = self.corpus
        entry = corpus.entry(ref)
        if entry is None:
            return [ref]
        applied = quotes(corpus, ruling, ref) if ruling is not None else ()
        said = [_("Applied here: {words}", words=f"«{words}»") for words in applied]
        text = corpus.plain(ref) or plain(())
        return [f"{corpus.citation(ref)} — {entry.title}", *text.splitlines(), *said]

    def named(self, words: str) -> list[str]:
        """A rule in full by its number or its name; what is nearest, where there is none."""
        corpus = self.corpus
        own = [ref for ref in corpus.candidates(words) if ref.startswith(f"{self.slug}:")]
        try:
            return self.rule(own[0] if own else find_rule(corpus, words))
        except Fault as fault:
            return [str(fault)]

    def quote(self, ruling: Ruling) -> tuple[str, ...]:
        """What a ruling applied of its first rule."""
        return quotes(self.corpus, ruling, ruling.refs[0])

    # Searching

    @property
    def meanings(self) -> Meanings:
        """What each word of a text may mean in this title."""
        return partial(open_index().meanings, title=self.slug)

    def search(self, words: str, near: Collection[str] = ()) -> tuple[list[str], list[Hit]]:
        """What answers some words: remarks first, then things by their names, then rules; those of
        the title of the game before those of the others."""
        try:
            index = open_index()
        except Fault as fault:
            return [str(fault)], []
        corpus = index.corpus
        known = [RuleRef(ref) for ref in near]
        found = index.search(words, titles=[self.slug], limit=MOST_FOUND, near=known)
        things = cards.named(corpus, words, [self.slug])
        hits = [Hit(next(iter(one.refs), ""), tuple(thing_lines(corpus, one))) for one in things]
        hits += [Hit(one.ref, tuple(hit_lines(corpus, one))) for one in found.hits]
        if len(hits) < FEW:
            others = [slug for slug in corpus.books if slug != self.slug]
            more = index.search(words, titles=others, limit=FEW - len(hits))
            hits += [Hit(one.ref, tuple(hit_lines(corpus, one))) for one in more.hits]
        notes = []
        if found.corrected and not things:
            notes.append(_("Did you mean: ") + found.corrected)
        if (not found.hits or found.note) and not things:
            notes.append(why_nothing(found.note, words))
        return notes, hits

    # Reference cards

    def cards(self, rulings: Iterable[Ruling], now: Collection[str]) -> list[str]:
        """The cards of the title by name; those that are in use are marked."""
        binder = self._binder(rulings, now)
        if isinstance(binder, str):
            return [binder]
        lines = []
        for item in binder.items():
            rows = _n("{n} row", "{n} rows", n=item.rows)
            lit = ", " + _("in use now") if item.is_lit else ""
            lines.append(f"  {item.card.name}: {rows}{lit}")
        return lines

    def card(self, name: str, rulings: Iterable[Ruling], now: Collection[str]) -> list[str]:
        """A card by its name, with what of it is in use; or a thing, or the rows with the words."""
        binder = self._binder(rulings, now)
        if isinstance(binder, str):
            return [binder]
        card = told.card_named(self.corpus, [self.slug], name)
        if card is not None:
            return [*told.spoken_lines(card), *_lit(card, binder)]
        try:
            args = Namespace(titolo=self.slug, nome=[name], html=None)
            return list(told.show_cards(args, told.spoken_lines).lines)
        except Fault as fault:
            return [str(fault)]

    def _binder(self, rulings: Iterable[Ruling], now: Collection[str]) -> Binder | str:
        """The cards as the screen leafs through them, or why they cannot be opened."""
        try:
            corpus = self.corpus
            return Binder(cards.cards_of(corpus, self.slug), cards.used(corpus, rulings), now)
        except CorpusError as error:
            return _("The cards cannot be opened: {why}", why=error)


def _lit(card: cards.Card, binder: Binder) -> Sequence[str]:
    """The rows of a card that were used last, or are about what goes on."""
    rows = [table.rows[n].cells for table in card.tables for n in range(len(table.rows))
            if cards.is_row_lit(table, n, binder.lit, binder.now)]  # fmt: skip
    said = [f"  {'; '.join(cell for cell in cells if cell)}" for cells in rows]
    return [_("In use now:"), *said] if said else []
