"""The cards that somebody leafs through: which are there, what is filtered, which one is open."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from app.rules.cards import Card, Lit, Table, is_row_lit, matching

EVERYTHING = ""
"""The key of all cards together, while rows are looked for."""


class Item(msgspec.Struct, frozen=True):
    """A card in the list: how many of its rows are there, and whether one is lit."""

    key: str
    card: Card
    rows: int
    is_lit: bool


class Binder:
    """Cards of one title or of several. `lit` and `now` are what the game used and does."""

    def __init__(self, cards: Sequence[Card], lit: Lit | None = None, now: Collection[str] = ()):
        self.cards = {f"{card.slug}/{card.id}": card for card in cards}
        self.lit: Lit = lit or {}
        self.now = now
        self.words = ""
        self.open = self._first()

    def _first(self) -> str:
        """Where it opens: at the cell used last, else at the first card."""
        for ref, name in self.lit:
            for key, card in self.cards.items():
                if any((table.ref, table.name) == (ref, name) for table in card.tables):
                    return key
        return next(iter(self.cards), EVERYTHING)

    def look_for(self, words: str) -> None:
        """Leave the rows alone in which the words stand: of all cards at once."""
        before, self.words = self.words, words.strip()
        if self.words and not before:
            self.open = EVERYTHING
        elif not self.words and self.open == EVERYTHING:
            self.open = self._first()

    @property
    def found(self) -> Mapping[str, Card]:
        """The cards that have something to show."""
        if not self.words:
            return self.cards
        kept = ((key, matching(card, self.words)) for key, card in self.cards.items())
        return {key: card for key, card in kept if card.tables}

    def items(self) -> list[Item]:
        """The list of cards."""
        return [
            Item(key, card, sum(len(t.rows) for t in card.tables), self.is_lit(self.cards[key]))
            for key, card in self.found.items()
        ]

    def is_lit(self, card: Card) -> bool:
        """Whether something of a card was used last, or is about what goes on."""
        return any((table.ref, table.name) in self.lit for table in card.tables) or any(
            is_row_lit(table, n, {}, self.now)
            for table in card.tables
            for n in range(len(table.rows))
        )

    def shown(self) -> list[tuple[Card, Table, Table]]:
        """What lies open: each table with its card, and as it is without the filter."""
        found = self.found
        keys = list(found) if self.open == EVERYTHING else [self.open] if self.open in found else []
        shown = []
        for key in keys:
            whole = {id(row): table for table in self.cards[key].tables for row in table.rows}
            shown += [(found[key], t, whole[id(t.rows[0])]) for t in found[key].tables if t.rows]
        return shown
