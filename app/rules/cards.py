"""Reference cards as plain data: what wargamers have printed beside the board.

Rows are rules, tables of the texts or records of the engine's data, as the `schede.yaml` of the
title says; nothing is copied. A record is also an entry that is found by its name (`find`).
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from app.rules.linker import passage
from app.rules.page import Page, Part, Run, Section, drawn, label
from app.shell.i18n import _
from app.shell.paths import cache_folder, writable
from engine.core.data import data_files, data_path
from engine.core.text import N_
from rules_it.cards import BOOK, EVERY, PARTLY, Catalogue, Drawn, Line, Plan, Record, records
from rules_it.corpus import HERE, SENTENCE, Block, Corpus, Rule, Span, read_yaml

if TYPE_CHECKING:
    from app.presenters.base import Presenter
    from engine.core.rules import Ruling
    from engine.core.text import Msg

KIND = "scheda:"
"""What the id of an entry begins with; title, card and record follow."""

SOURCES = {
    BOOK: N_("printed in the rulebook"),
    PARTLY: N_("partly printed in the rulebook"),
    "pubblico": N_("figure from public sources"),
    "memoria": N_("figure from memory"),
    "ricostruito": N_("reconstructed figure"),
}
_WORD = re.compile(r"[a-z0-9]+(?:[-+/.*•][a-z0-9]+)*")
FILLERS = frozenset(
    _WORD.findall(
        "a ai al alla alle allo che con d da dal dalla dei del dell della delle dello di e ha ho i "
        "il in l la le lo nel per quale quali quanta quante quanti quanto su sul sulla un una uno"
    )
)
"""Words that ask for nothing."""
_JOINTS = re.compile(r"[-/•*]")
_CLAUSE = re.compile(r"[^.:;,(]+")
NAMED = 3
"""Entries before the rules, at most."""
BRIEF = 240
"""Letters of a list that is told whole."""
ROOT = 4
"""Letters that the forms of a word share."""
SHORTEST = 3
"""Letters from which a name is also known without its dashes, and by its beginning."""


class Row(msgspec.Struct, frozen=True):
    """A row: its cells, the rule it opens, the words of the phase it is about, its entry, and how
    else people call that."""

    cells: tuple[str, ...]
    ref: str = ""
    when: tuple[str, ...] = ()
    entry: str = ""
    also: str = ""


class Table(msgspec.Struct, frozen=True):
    """Rows under a head; `ref` and `name` are those of a table of the texts."""

    heading: str
    head: tuple[str, ...]
    rows: tuple[Row, ...]
    ref: str = ""
    name: str = ""
    source: str = ""


class Card(msgspec.Struct, frozen=True):
    """A card of a title."""

    slug: str
    id: str
    name: str
    tables: tuple[Table, ...]


class Entry(msgspec.Struct, frozen=True):
    """A unit, a weapon, a card, a position, a scenario: what is known of it."""

    id: str
    slug: str
    kind: str
    title: str
    names: tuple[str, ...]
    text: str
    refs: tuple[str, ...]
    provenance: str
    values: tuple[tuple[str, str], ...]
    words: frozenset[str]
    source: str
    note: str = ""
    counter: Drawn | None = None
    scenario: str = ""


class Found(msgspec.Struct, frozen=True):
    """An entry that a query means; surely so if it names it whole and asks nothing else."""

    entry: Entry
    is_sure: bool


Lit = Mapping[tuple[str, str], tuple[int, int]]
"""Cells used last, by rule and table: row and column, -1 where all of them are meant."""


# --- cards ------------------------------------------------------------------------------------


def cards_of(corpus: Corpus, slug: str) -> tuple[Card, ...]:
    """The cards of a title; without a description, all tables of its texts on one."""
    book = corpus.books[slug]
    plans = book.plans.cards or (
        Plan("tavole", _("Tables"), tables=tuple(_with_tables(corpus, slug))),
    )
    return tuple(
        Card(slug, plan.id, plan.name, tuple(_tables(corpus, slug, plan))) for plan in plans
    )


def _with_tables(corpus: Corpus, slug: str) -> Iterator[str]:
    """The rules of a title that have a table."""
    for rule in corpus.books[slug].rules:
        if any(block.kind == "table" for block in corpus.blocks(rule.text, rule.id)):
            yield rule.id.partition(":")[2]


def _tables(corpus: Corpus, slug: str, plan: Plan) -> Iterator[Table]:
    if plan.lines:
        yield _rules(corpus, slug, plan.lines)
    for where in plan.tables:
        yield from _texts(corpus, slug, where)
    if plan.catalogue is not None:
        yield _listed(slug, plan, plan.catalogue, _records(corpus, slug)[plan.id])


def _rules(corpus: Corpus, slug: str, lines: Sequence[Line]) -> Table:
    """Rules, each with what it says first and the letter that its state has on a counter."""
    signs = any(line.state for line in lines)
    rows = []
    for line in lines:
        ref, _sign, anchor = f"{slug}:{line.ref}".partition("#")
        entry = corpus.entry(ref)
        title = line.name or (entry.title if entry is not None else ref)
        sign = (_sign_of(slug, line.state),) if signs else ()
        rows.append(Row((title, *sign, first_sentence(corpus, ref, anchor)), ref, line.when))
    return Table("", ("", _("Sign"), "") if signs else (), tuple(rows))


def first_sentence(corpus: Corpus, ref: str, anchor: str = "") -> str:
    """What a rule says first, or where an anchor stands."""
    entry = corpus.entry(ref)
    blocks = corpus.blocks(entry.text, ref) if entry is not None else ()
    if anchor:
        spans = (span for b in blocks for row in b.rows for cell in row for span in cell)
        return "".join(span.text for span in spans if span.anchor == anchor).strip()
    for block, after in zip(blocks, (*blocks[1:], None), strict=True):
        if block.kind in ("bullets", "numbers"):
            return _in_short(block)
        if block.kind == "paragraph":
            words = _words(block.rows[0][0])
            stop = SENTENCE.search(words)
            said = words[: stop.end()] if stop else words
            return f"{said} {_in_short(after)}" if said.endswith(":") and after else said
    return ""


def _in_short(block: Block) -> str:
    """A list that is short; of a longer one, or a table, the first words of each thing."""
    rows = block.rows[1:] if block.kind == "table" else block.rows
    whole = " ".join(_words(row[0]) for row in rows)
    if block.kind != "table" and len(whole) <= BRIEF:
        return whole
    names = (_CLAUSE.match(_words(row[0])) for row in rows)
    return "; ".join(name.group().strip() for name in names if name is not None) + "."


def _texts(corpus: Corpus, slug: str, where: str) -> Iterator[Table]:
    """The tables of a rule, or the one that is named."""
    ref, _sign, name = f"{slug}:{where}".partition("#")
    entry = corpus.entry(ref)
    for block in corpus.blocks(entry.text, ref) if entry is not None else ():
        if block.kind == "table" and name in ("", block.name) and entry is not None:
            source = entry.provenance if isinstance(entry, Rule) else ""
            yield _table(entry.title, entry.id, drawn(corpus, entry.id, block), source)


def _table(heading: str, ref: str, block: Block, source: str) -> Table:
    head, *rows = (tuple(_words(cell) for cell in row) for row in block.rows)
    return Table(heading, head, tuple(Row(row, ref) for row in rows), ref, block.name, source)


def _listed(slug: str, plan: Plan, catalogue: Catalogue, found: Sequence[Record]) -> Table:
    """Records under the names of the values that any of them has."""
    said = {value.name for record in found for value in record.values}
    heads = [value for value in catalogue.values if value.name in said]
    rows = []
    for record in found:
        cells = {value.name: value.cell for value in record.values}
        shown = (record.row, *(cells.get(head.name, "") for head in heads))
        ref = next(iter(_refs(slug, record)), "")
        rows.append(Row(shown, ref, (), _id(slug, plan, record), " ".join(record.names)))
    head = (_("Name"), *(value.short or value.name for value in heads))
    return Table("", head, tuple(rows))


def _words(cell: Iterable[Span]) -> str:
    return "".join(span.text for span in cell)


def _sign_of(slug: str, state: str) -> str:
    """The letter of a state on a counter, as the presenter of the title prints it."""
    from engine.core.text import Msg
    from engine.core.view import CounterView

    presenter = _presenter(slug)
    side = next(iter(_sides(slug)), "")
    shown = CounterView("", side, "squad", Msg("squad"), states=(state,)) if state else None
    return presenter.counter(shown).states.strip() if shown is not None else ""


# --- what is lit ------------------------------------------------------------------------------


def used(corpus: Corpus, rulings: Iterable[Ruling]) -> dict[tuple[str, str], tuple[int, int]]:
    """The cells that rulings applied, of each table the first; the latest ruling comes first."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for ruling in rulings:
        for anchor in ruling.anchors:
            rule, _sign, name = anchor.partition("#")
            ref = corpus.canonical(rule)
            if ref is None or (ref, name.partition("/")[0]) in found:
                continue
            at = passage(corpus, anchor, ruling.msg.facts)
            if at is not None and at.table and max(at.row, at.column) >= 0:
                found[ref, at.table] = (at.row, at.column)
    return found


def phase_words(phase: Msg) -> frozenset[str]:
    """What a row may name to be about the present phase."""
    return frozenset({phase.id, *(str(fact) for fact in phase.facts.values())})


def is_lit(table: Table, number: int, column: int, lit: Lit, now: Collection[str] = ()) -> bool:
    """Whether a cell was used last, or its row is about what goes on now."""
    if any(word in now for word in table.rows[number].when):
        return True
    at = lit.get((table.ref, table.name)) if table.name else None
    return at is not None and at[0] in (-1, number) and at[1] in (-1, column)


def is_row_lit(table: Table, number: int, lit: Lit, now: Collection[str] = ()) -> bool:
    """Whether something of a row is lit; not for a whole column."""
    at = lit.get((table.ref, table.name)) if table.name else None
    return any(word in now for word in table.rows[number].when) or (
        at is not None and at[0] == number
    )


# --- filtering --------------------------------------------------------------------------------


def fold(words: str) -> str:
    """Small letters without accents."""
    if words.isascii():
        return words.lower()
    apart = unicodedata.normalize("NFD", words.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def matching(card: Card, words: str) -> Card:
    """The card with the rows alone in which all of some words stand; what is above them counts."""
    wanted = fold(words).split()
    kept = []
    for table in card.tables:
        above = fold(f"{card.name} {table.heading}")
        rows = tuple(
            row
            for row in table.rows
            if _holds(fold(" ".join((*row.cells, row.also))), above, wanted)
        )
        kept += [msgspec.structs.replace(table, rows=rows)] if rows else []
    return msgspec.structs.replace(card, tables=tuple(kept))


def _holds(row: str, above: str, wanted: Sequence[str]) -> bool:
    """Whether a row has every word, one of them at least of its own."""
    own = [word in row for word in wanted]
    return all(mine or word in above for mine, word in zip(own, wanted, strict=True)) and (
        any(own) or not wanted
    )


# --- entries ----------------------------------------------------------------------------------


def entries_of(corpus: Corpus, slug: str) -> tuple[Entry, ...]:
    """Everything of a title that has a name and values."""
    stamp = _stamp(corpus, slug)
    kept = _KEPT.get(slug)
    if kept is None or kept[0] is not corpus or kept[1] != stamp:
        kept = _KEPT[slug] = (corpus, stamp, _stored(corpus, slug, stamp))
    return kept[2]


def _stored(corpus: Corpus, slug: str, stamp: tuple[object, ...]) -> tuple[Entry, ...]:
    """The entries as an earlier process left them in the cache, or made and left there now."""
    path = writable(cache_folder()) / f"schede-{slug}.bin"
    mark = _mark(corpus, slug, stamp)
    with suppress(OSError, msgspec.DecodeError):
        content = path.read_bytes()
        if content.startswith(mark):
            return _ENTRIES.decode(content[len(mark) :])
    entries = _made(corpus, slug)
    with suppress(OSError):  # a cache that cannot be written only costs time
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(mark + msgspec.msgpack.encode(entries))
        Path(name).replace(path)
    return entries


def _mark(corpus: Corpus, slug: str, stamp: tuple[object, ...]) -> bytes:
    """What tells whether kept entries still fit: data, plans, the code and the words for them."""
    code = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in _CODE]
    words = [*map(_, SOURCES.values()), _("to be checked: {names}", names="")]
    made_of = msgspec.msgpack.encode((stamp, corpus.books[slug].plans, code, words))
    return hashlib.blake2b(made_of, digest_size=16).digest()


def _made(corpus: Corpus, slug: str) -> tuple[Entry, ...]:
    found = _records(corpus, slug)
    plans = [(plan, plan.catalogue) for plan in corpus.books[slug].plans.cards]
    return tuple(
        _entry(slug, plan, catalogue, record)
        for plan, catalogue in plans
        if catalogue is not None
        for record in found[plan.id]
    )


def entry_of(corpus: Corpus, id: str) -> Entry | None:
    """The entry with an id."""
    slug = id.removeprefix(KIND).partition("/")[0]
    known = entries_of(corpus, slug) if slug in corpus.books else ()
    return next((entry for entry in known if entry.id == id), None)


def _entry(slug: str, plan: Plan, catalogue: Catalogue, record: Record) -> Entry:
    values = tuple((value.name, value.words) for value in record.values)
    labels = (plan.name, catalogue.one, *(name for name, _said in values), *catalogue.sought)
    text = " ".join(f"{name}: {words.rstrip('.')}." for name, words in values)
    return Entry(
        _id(slug, plan, record),
        slug,
        catalogue.one,
        record.title,
        record.names,
        text,
        tuple(_refs(slug, record)),
        provenance(record),
        values,
        frozenset(word for label in labels for word in _tokens(label)),
        record.source,
        record.note,
        record.figure,
        record.told,
    )


def provenance(record: Record) -> str:
    """Where the figures of a record come from, value by value where that differs."""
    said = [_(SOURCES[record.source])] if record.source in SOURCES else []
    others: dict[str, list[str]] = {}
    for value in record.values:
        if value.source and value.source != record.source:
            others.setdefault(value.source, []).append(value.name)
    for source, names in others.items():
        said.append(f"{', '.join(names)}: {_(SOURCES.get(source, source))}")
    if record.doubtful:
        said.append(_("to be checked: {names}", names=", ".join(record.doubtful)))
    words = "; ".join(said)
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def _id(slug: str, plan: Plan, record: Record) -> str:
    return f"{KIND}{slug}/{plan.id}/{record.id}"


def _refs(slug: str, record: Record) -> list[str]:
    return [ref if ":" in ref else f"{slug}:{ref}" for ref in record.refs]


def _records(corpus: Corpus, slug: str) -> dict[str, tuple[Record, ...]]:
    """The records of each catalogue of a title, from its data files or the user's own."""
    plans = corpus.books[slug].plans

    def read(name: str) -> Any:
        return _data(slug, name)

    def names(folder: str) -> list[str]:
        return [path.stem for path in data_files(slug, folder)]

    return {
        plan.id: tuple(records(plan.catalogue, plans.words, read, names))
        for plan in plans.cards
        if plan.catalogue is not None
    }


def _data(slug: str, name: str) -> Any:
    path = data_path(slug, *f"{name}.yaml".split("/"))
    stat = path.stat()
    stamp = (path, stat.st_mtime_ns, stat.st_size)
    if _FILES.get((slug, name), ((), None))[0] != stamp:
        _FILES[slug, name] = (stamp, read_yaml(path, Any))
    return _FILES[slug, name][1]


def _stamp(corpus: Corpus, slug: str) -> tuple[object, ...]:
    """What the entries of a title are made of, and when that was written."""
    plans = [plan.catalogue for plan in corpus.books[slug].plans.cards]
    files: list[Path] = []
    for plan in plans:
        if plan is not None and plan.file.endswith(EVERY):
            files += data_files(slug, plan.file.removesuffix(EVERY))
        elif plan is not None:
            files.append(data_path(slug, f"{plan.file}.yaml"))
    stats = ((str(path), path.stat()) for path in files)
    return tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in stats)


_CODE = [Path(__file__), *(HERE / f"{name}.py" for name in ("cards", "tables"))]
_ENTRIES = msgspec.msgpack.Decoder(tuple[Entry, ...])
_KEPT: dict[str, tuple[Corpus, tuple[object, ...], tuple[Entry, ...]]] = {}
_FILES: dict[tuple[str, str], tuple[tuple[object, ...], Any]] = {}


# --- finding by name --------------------------------------------------------------------------


def find(corpus: Corpus, query: str, slugs: Sequence[str] = ()) -> tuple[Found, ...]:
    """The entries that a query names, best first: those it names whole come before those whose
    names it only begins. A title named in the query counts as given."""
    named, rest = corpus.named(query)
    titles = [slug for slug in (slugs or named or list(corpus.books)) if slug in corpus.books]
    words = _tokens(rest)
    if not any(word not in FILLERS for word in words):
        return ()
    ranked = []
    for slug in titles:
        for entry in entries_of(corpus, slug):
            rank = _rank(entry, words)
            if rank is not None:
                ranked.append((rank, entry))
    ranked.sort(key=lambda one: one[0], reverse=True)
    return tuple(Found(entry, rank[0] > 0) for rank, entry in ranked)


def named(corpus: Corpus, query: str, slugs: Sequence[str] = ()) -> tuple[Entry, ...]:
    """The few entries that a query surely means, to be shown before the rules."""
    return tuple(hit.entry for hit in find(corpus, query, slugs) if hit.is_sure)[:NAMED]


def _rank(entry: Entry, words: Sequence[str]) -> tuple[int, int, int, int] | None:
    """How well an entry answers: surely or not, letters of the name said, words beside it."""
    best: tuple[int, int, int, int] | None = None
    for place, name in enumerate(entry.names):
        parts = _tokens(name)
        rest = _beside(parts, words)
        if rest is None:
            continue
        said = sum(map(len, parts))
        asks = [word for word in rest if word not in FILLERS]
        if all(_asks(word, entry.words) for word in asks):
            rank = (1, said, -len(rest), -place)
            best = max(best, rank) if best is not None else rank
    if best is None:
        known = [part for name in entry.names for part in _tokens(name)]
        asked = [word for word in words if word not in FILLERS]
        begun = [word for word in asked if _begins(known, word)]
        if begun and all(word in begun or word in entry.words for word in asked):
            best = (0, sum(map(len, begun)), -len(known), 0)
    return best


def _asks(word: str, known: frozenset[str]) -> bool:
    """Whether a word asks for something that an entry has, be it in another form: costa, costo."""
    return word in known or (
        len(word) >= ROOT and any(len(one) >= ROOT and one[:ROOT] == word[:ROOT] for one in known)
    )


def _beside(name: Sequence[str], words: Sequence[str]) -> list[str] | None:
    """The words around a name; None where it does not stand among them."""
    size = len(name)
    for at in range(len(words) - size + 1):
        if words[at : at + size] == name:
            return [*words[:at], *words[at + size :]]
    whole = _JOINTS.sub("", "".join(name))
    if len(whole) >= SHORTEST:
        for at, word in enumerate(words):
            if _JOINTS.sub("", word) == whole:
                return [*words[:at], *words[at + 1 :]]
    return None


def _begins(known: Iterable[str], word: str) -> bool:
    """Whether a word begins one of the parts of a name."""
    bare = _JOINTS.sub("", word)
    return len(bare) >= SHORTEST and any(
        part.startswith(word) or _JOINTS.sub("", part).startswith(bare) for part in known
    )


@lru_cache(4096)
def _tokens(words: str) -> tuple[str, ...]:
    """Words as they are compared: without accents, numbers without zeros before them."""
    found = _WORD.findall(fold(words))
    return tuple(word.lstrip("0") or "0" if word.isdigit() else word for word in found)


# --- as it lies on the table ------------------------------------------------------------------


def picture(entry: Entry) -> tuple[str, ...]:
    """The counter of an entry, drawn in a few lines as the map prints it; none without one."""
    from engine.core.text import Msg
    from engine.core.view import CounterView

    told = entry.counter
    if told is None:
        return ()
    facts: dict[str, Any] = dict(told.facts)
    shown = CounterView(
        told.id, told.side, told.kind, Msg(told.name), strength=told.strength, facts=facts
    )
    look = _presenter(entry.slug).counter(shown)
    lines = [
        line for line in (f"{look.army} {look.type}".strip(), look.strength, look.states) if line
    ]
    width = max(7, *(len(line) for line in lines))
    rows = (f"│ {line:^{width}} │" for line in lines)
    return (f"┌─{'─' * width}─┐", *rows, f"└─{'─' * width}─┘")


def story(entry: Entry) -> tuple[str, ...]:
    """What there is to tell of a scenario: its length, its forces, how it is won."""
    return _presenter(entry.slug).briefing(entry.scenario) if entry.scenario else ()


def entry_page(corpus: Corpus, entry: Entry) -> Page:
    """An entry as the page of a rule is shown: counter, values, source, and its rules as links."""
    book = corpus.books[entry.slug].info.name
    drawn_lines = [(((Run(line),),)) for line in picture(entry)]
    values = () if entry.scenario else entry.values
    said = [(((Run(f"{name}: ", "bold"), Run(words)),)) for name, words in values]
    told = [(((Run(line or " "),),)) for line in story(entry)]
    parts = [Part("paragraph", tuple(rows)) for rows in (drawn_lines, said, told) if rows]
    sections = [Section("text", "", tuple(parts)), Section("warning", entry.provenance, ())]
    if entry.note:
        sections.append(Section("text", "", (Part("paragraph", (((Run(entry.note),),),)),)))
    links = tuple(
        ((Run(label(corpus, ref), "link", ref),),) for ref in entry.refs if corpus.entry(ref)
    )
    if links:
        sections.append(Section("see", _("See"), (Part("bullets", links),)))
    return Page("", entry.title, "", book, (book, book), entry.kind, tuple(sections))


def _presenter(slug: str) -> Presenter:
    """The looks of a title, loaded when first needed."""
    from app.presenters.registry import presenter_for

    if slug not in _LOOKS:
        _LOOKS[slug] = presenter_for(slug)
    return _LOOKS[slug]


def _sides(slug: str) -> tuple[str, ...]:
    from app.presenters.registry import sides_of

    return sides_of(slug)


_LOOKS: dict[str, Presenter] = {}
