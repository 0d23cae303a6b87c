"""`prontuario schede`: reference cards in lines, as data, or as a page to print."""

from __future__ import annotations

import textwrap
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeAlias

from app.cli.answers import NO, Answer, Fault, why
from app.cli.consulting import open_corpus
from app.rules import cards
from app.rules.cards import SOURCES, Card, Entry, Row, Table, fold
from app.shell.i18n import _, _n
from rules_it.corpus import Corpus, CorpusError

WIDTH = 100
WIDEST = 44
"""The columns of a page, and of one cell."""
FEW = 5
"""Things that are told in full at once."""
Tell: TypeAlias = Callable[[Card], list[str]]
"""A card as plain lines."""


def show_cards(args: Namespace, tell: Tell | None = None) -> Answer:
    """The cards there are, one of them, or a thing by its name; `tell` puts cards into lines."""
    corpus = open_corpus()
    slug, name = _asked(corpus, args)
    try:
        if args.html is not None:
            return _written(corpus, slug, name, args.html)
        if name:
            return _named(corpus, slug, name, tell or card_lines)
        return _listed(corpus, [slug] if slug else list(corpus.books))
    except CorpusError as error:
        raise Fault(_("The cards cannot be opened: {why}", why=error), NO) from error


def _asked(corpus: Corpus, args: Namespace) -> tuple[str, str]:
    """The title and the name that are wanted; a name alone may stand in the place of a title."""
    slug = args.titolo.strip().lower()
    name = " ".join(args.nome).strip()
    if not slug or slug in corpus.books:
        return slug, name
    whole = " ".join(filter(None, (args.titolo, name)))
    if not any(found.is_sure for found in cards.find(corpus, whole)):
        said = _("No title and no entry is called {name}. Titles: {known}.", name=whole,
                 known=", ".join(corpus.books))  # fmt: skip
        raise Fault(said)
    return "", whole


def _listed(corpus: Corpus, slugs: Sequence[str]) -> Answer:
    """The cards by name, with how much is on them."""
    lines: list[str] = []
    data = {}
    for slug in slugs:
        found = cards.cards_of(corpus, slug)
        lines += [""] if lines else []
        lines.append(corpus.books[slug].info.name)
        for card in found:
            rows = sum(len(table.rows) for table in card.tables)
            lines.append(f"  {card.name:<32} " + _n("{n} row", "{n} rows", n=rows))
        data[slug] = [card_data(card) for card in found]
    lines += [
        "",
        _("One card: prontuario schede toi terreno. One thing: prontuario schede T-72B3."),
    ]
    return Answer(data, tuple(lines))


def _named(corpus: Corpus, slug: str, name: str, tell: Tell) -> Answer:
    """A card by its name, a thing by its name, or the rows that have the words."""
    slugs = [slug] if slug else list(corpus.books)
    card = card_named(corpus, slugs, name) if slug else None
    if card is not None:
        return Answer(card_data(card), tuple(tell(card)))
    hits = cards.find(corpus, name, [slug] if slug else ())
    sure = [hit.entry for hit in hits if hit.is_sure]
    found = sure[:FEW] or [hit.entry for hit in hits if len(hits) <= FEW]
    if found:
        lines = [line for entry in found for line in ("", *entry_lines(corpus, entry))][1:]
        return Answer([entry_data(entry) for entry in found], tuple(lines))
    every = [card for one in slugs for card in cards.cards_of(corpus, one)]
    kept = [card for card in (cards.matching(card, name) for card in every) if card.tables]
    if not kept:
        raise _nothing(corpus, slugs, every, name)
    lines = [line for card in kept for line in ("", *tell(card))][1:]
    return Answer([card_data(card) for card in kept], tuple(lines))


def card_named(corpus: Corpus, slugs: Iterable[str], name: str) -> Card | None:
    """The card that is called so, or begins so if only one does."""
    known = [card for slug in slugs for card in cards.cards_of(corpus, slug)]
    wanted = fold(name)
    exact = [card for card in known if wanted in (card.id, fold(card.name))]
    begun = [card for card in known if fold(card.name).startswith(wanted)]
    return exact[0] if exact else begun[0] if len(begun) == 1 else None


def _nothing(corpus: Corpus, slugs: Iterable[str], every: Iterable[Card], name: str) -> Fault:
    """That nothing is called so, with what is called nearly so."""
    names = [
        name for slug in slugs for entry in cards.entries_of(corpus, slug) for name in entry.names
    ]
    known = {fold(one): one for one in (*(card.name for card in every), *names)}
    near = [known[one] for one in get_close_matches(fold(name), known, n=4)]
    if near:
        said = _("No card has {name}. The nearest: {known}.", name=name, known=", ".join(near))
    else:
        said = _("No card has {name}. prontuario schede lists the cards.", name=name)
    return Fault(said, NO)


def _written(corpus: Corpus, slug: str, name: str, file: str) -> Answer:
    """A page to print, in a file."""
    from app.rules.cards_html import page
    from engine.core.files import write_atomically

    if not file.strip():
        raise Fault(_("The name of the file is missing."))
    titles = []
    for one in [slug] if slug else list(corpus.books):
        found = cards.cards_of(corpus, one)
        if name:
            card = card_named(corpus, [one], name)
            found = (card,) if card is not None else ()
        if found:
            titles.append((corpus.books[one].info.name, found))
    if not titles:
        raise Fault(
            _("No card is called {name}. prontuario schede lists the cards.", name=name), NO
        )
    try:
        write_atomically(Path(file), page(titles).encode())
    except OSError as error:
        raise Fault(_("{file} cannot be written: {why}.", file=file, why=why(error)), NO) from error
    said = _("Written: {file}. Open it in a browser and print it, or save it as PDF.", file=file)
    return Answer({"file": file}, (said,))


# --- for scripts ------------------------------------------------------------------------------


def card_data(card: Card) -> dict[str, Any]:
    """A card for scripts."""
    return {
        "titolo": card.slug,
        "id": card.id,
        "nome": card.name,
        "tavole": [
            {
                "titolo": table.heading or None,
                "ref": table.ref or None,
                "provenienza": table.source or None,
                "colonne": list(table.head),
                "righe": [
                    {"celle": list(row.cells), "ref": row.ref or None, "voce": row.entry or None}
                    for row in table.rows
                ],
            }
            for table in card.tables
        ],
    }


def entry_data(entry: Entry) -> dict[str, Any]:
    """A thing for scripts."""
    return {
        "id": entry.id,
        "titolo": entry.slug,
        "tipo": entry.kind,
        "nome": entry.title,
        "nomi": list(entry.names),
        "valori": dict(entry.values),
        "provenienza": entry.source,
        "nota": entry.note or None,
        "ref": list(entry.refs),
    }


# --- for people -------------------------------------------------------------------------------


def card_lines(card: Card) -> list[str]:
    """A card as plain lines."""
    lines = [card.name, "=" * len(card.name)]
    for table in card.tables:
        source = f" ({_(SOURCES[table.source])})" if table.source in SOURCES else ""
        lines += ["", table.heading + source] if table.heading else [""]
        lines += table_lines(table)
    return lines


def spoken_lines(card: Card) -> list[str]:
    """A card as lines to be read aloud: every row with the names of its columns."""
    lines = [card.name]
    for table in card.tables:
        source = f" ({_(SOURCES[table.source])})" if table.source in SOURCES else ""
        lines += [f"{table.heading}{source}:"] if table.heading else []
        if any(table.head):
            lines += [f"  {_spoken(table, row)}" for row in table.rows]
        else:
            lines += [f"  {': '.join(filter(None, row.cells))}" for row in table.rows]
    return lines


def table_lines(table: Table) -> list[str]:
    """A table in columns that a page can hold; long cells are broken."""
    rows = (
        [table.head, *(row.cells for row in table.rows)]
        if any(table.head)
        else [row.cells for row in table.rows]
    )
    natural = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    if any(table.head) and sum(min(width, WIDEST) + 3 for width in natural) > WIDTH + WIDEST // 2:
        return _one_by_one(table)
    widths = [min(width, WIDEST) for width in natural]
    room = WIDTH - 3 * (len(widths) - 1) - sum(widths[:-1])
    widths[-1] = min(natural[-1], max(WIDEST, room))
    lines: list[str] = []
    for number, row in enumerate(rows):
        full = [*row, *[""] * (len(widths) - len(row))]
        cells = [
            textwrap.wrap(cell, max(1, width)) or [""]
            for cell, width in zip(full, widths, strict=True)
        ]
        for parts in zip_longest(*cells, fillvalue=""):
            line = " | ".join(f"{part:<{w}}" for part, w in zip(parts, widths, strict=True))
            lines.append(line.rstrip())
        if number == 0 and any(table.head):
            lines.append("-+-".join("-" * max(1, width) for width in widths))
    return lines


def _one_by_one(table: Table) -> list[str]:
    """The rows of a table that is too wide: each with the names of its columns."""
    lines: list[str] = []
    for row in table.rows:
        lines += textwrap.wrap(_spoken(table, row), WIDTH, subsequent_indent="    ")
    return lines


def _spoken(table: Table, row: Row) -> str:
    """A row with the names of its columns."""
    named = zip(table.head[1:], row.cells[1:], strict=False)
    return f"{row.cells[0]}: " + "; ".join(f"{name} {cell}" for name, cell in named if cell)


def entry_lines(corpus: Corpus, entry: Entry) -> list[str]:
    """A thing as plain lines: counter, values, where they come from, rules."""
    book = corpus.books[entry.slug].info.name
    lines = [
        f"{entry.title}  ({entry.kind}, {book})",
        *(f"  {line}" for line in cards.picture(entry)),
    ]
    for name, words in entry.values:
        lines += textwrap.wrap(
            f"{name}: {words}", WIDTH, initial_indent="  ", subsequent_indent="    "
        )
    lines += [f"  {line}".rstrip() for line in cards.story(entry)]
    lines += textwrap.wrap(
        f"{entry.provenance} {entry.note}".strip(),
        WIDTH,
        initial_indent="  ",
        subsequent_indent="  ",
    )
    rules = [f"{ref} {_title(corpus, ref)}" for ref in entry.refs if corpus.entry(ref) is not None]
    return [*lines, *(f"  → {rule}" for rule in rules)]


def _title(corpus: Corpus, ref: str) -> str:
    known = corpus.entry(ref)
    return known.title if known is not None else ""
