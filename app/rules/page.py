"""What the page of a rule says, as plain data: the same for the screen and for the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from app.rules.linker import Passage, Status, kind_of
from app.shell.i18n import _, _n
from engine.core.data import data_path
from engine.core.files import our_file
from engine.core.text import N_
from rules_it.corpus import (
    CELL,
    HOUSE,
    Block,
    Corpus,
    CorpusError,
    Entry,
    Rule,
    Span,
    plain,
    read_yaml,
)

KIND_NAMES = {
    "meccanica": N_("Mechanic"),
    "definizione": N_("Definition"),
    "preparazione": N_("Set-up"),
    "componente": N_("Component"),
    "opzionale": N_("Optional rule"),
    "consiglio": N_("Advice"),
    "tabella": N_("Table"),
    "faq": N_("FAQ"),
    "errata": N_("Erratum"),
    HOUSE: N_("House ruling"),
}
PROVENANCE = {
    "pubblico": N_("Figures from public sources: the rulebook does not print them."),
    "memoria": N_("Figures from memory: the rulebook does not print them."),
    "ricostruito": N_("Reconstructed figures: the rulebook does not print them."),
}
MOST_QUESTIONS = 3
"""Questions that a page names among those that it answers."""
EXAMPLE, TRIAL = "esempio:", "provala:"
"""What a link to a playable example begins with, to be watched or to be played from; the path of
its file follows."""
LINES = "righe:"
"""What a link to the lines of the game on the table that applied a rule is called."""


class Run(msgspec.Struct, frozen=True):
    """Words in one style; with a ref they lead to another page. `is_cited`: what was applied;
    `is_head`: what stands before the cell that was, or over it."""

    text: str
    style: str = ""  # "", bold, link, term, dim
    ref: str = ""
    hint: str = ""
    is_cited: bool = False
    is_head: bool = False


Cell = tuple[Run, ...]


class Part(msgspec.Struct, frozen=True):
    """A paragraph, list or table, shaped like a block of the corpus."""

    kind: str  # paragraph, bullets, numbers, table
    rows: tuple[tuple[Cell, ...], ...]


class Section(msgspec.Struct, frozen=True):
    """A piece of the page under a heading, which may lead elsewhere.

    `kind` tells what it is: text, warning, note, casa, faq, errata, examples, reason, engine,
    played, see, cited, questions.
    """

    kind: str
    heading: str
    parts: tuple[Part, ...]
    ref: str = ""


class Page(msgspec.Struct, frozen=True):
    """The page of one rule."""

    ref: str
    title: str
    citation: str
    source: str
    path: tuple[str, ...]  # book, chapter
    kind: str
    sections: tuple[Section, ...]
    before: str = ""
    after: str = ""


def page_of(
    corpus: Corpus,
    ref: str,
    status: Status | None = None,
    note: str = "",
    cited: Iterable[Passage] = (),
    where: str = "",
) -> Page:
    """The page of an entry; KeyError if there is none. `status` is what the engine does with it,
    `cited` what of its text somebody points at, `where` leads to where it was applied."""
    known = corpus.canonical(ref)
    if known is None:
        raise KeyError(ref)
    entry = corpus.entries[known]
    return Page(
        known,
        entry.title,
        corpus.citation(known),
        source_line(corpus, entry),
        (corpus.book_of(known).info.name, chapter_of(corpus, entry)),
        _(KIND_NAMES[kind_of(entry)]),
        tuple(_Writer(corpus, entry, tuple(cited)).sections(status, note, where)),
        corpus.step(known, -1) or "",
        corpus.step(known, 1) or "",
    )


def source_line(corpus: Corpus, entry: Entry) -> str:
    """Where the book says it, in words: `Tide of Iron, p. 32`."""
    info = corpus.book_of(entry.id).info
    if not isinstance(entry, Rule):
        return f"{info.name}, {_(KIND_NAMES[HOUSE]).lower()}"
    is_main = entry.source.book == next(iter(info.sources))
    book = info.name if is_main else f"{info.name}, {info.sources[entry.source.book]}"
    return f"{book}, p. {entry.source.page}" if entry.source.page else book


def chapter_of(corpus: Corpus, entry: Entry) -> str:
    """The chapter that holds an entry."""
    for chapter in corpus.book_of(entry.id).chapters:
        if any(rule.id == entry.id for rule in chapter.rules):
            return chapter.title
    return _("House rulings")


def label(corpus: Corpus, ref: str) -> str:
    """An entry in a list: `6.31 Title` in numbered books, else the title."""
    entry = corpus.entry(ref)
    if entry is None:
        return ref
    number = number_of(corpus, ref)
    return f"{number} {entry.title}" if number else entry.title


def number_of(corpus: Corpus, ref: str) -> str:
    """The number that the book gives to a rule, if it numbers its rules."""
    entry = corpus.entry(ref)
    if isinstance(entry, Rule) and corpus.book_of(ref).info.numbered:
        return entry.source.section or entry.id.partition(":")[2]
    return ""


def well_asked(questions: Iterable[str]) -> list[str]:
    """The shortest whole questions; the others only teach the search how people ask."""
    whole = (asked for asked in questions if asked[:1].isupper() and asked.endswith("?"))
    return sorted(whole, key=len)[:MOST_QUESTIONS]


def engine_line(status: Status) -> str:
    """What the engine does with a rule, in a sentence; nothing where there is nothing to say."""
    if status.state == "applicata":
        return _n(
            "Applied by the engine in {n} place",
            "Applied by the engine in {n} places",
            n=len(status.places),
        )
    if status.state == "a_mano":
        return _("To be applied by hand: {why}", why=status.reason)
    if status.state in ("non_ancora", "mancante"):
        return _("Not yet applied by the engine")
    return ""


class _Writer:
    """Writes the sections of one page. Each term of the glossary is linked once a page."""

    def __init__(self, corpus: Corpus, entry: Entry, cited: tuple[Passage, ...] = ()) -> None:
        self.corpus = corpus
        self.entry = entry
        self.cited = cited
        self.linked: set[str] = {entry.id}

    def sections(self, status: Status | None, note: str, where: str) -> Iterator[Section]:
        """The page from top to bottom."""
        entry = self.entry
        yield Section("text", "", self.parts(entry.text))
        if not isinstance(entry, Rule):
            yield Section("reason", _("Why"), self.parts(entry.reason))
        elif entry.provenance in PROVENANCE:
            yield Section("warning", _(PROVENANCE[entry.provenance]), ())
        if status is not None and (line := engine_line(status)):
            yield Section("engine", line, (), where if status.places else "")
        if status is not None and status.examples:
            hint = _("Step through it on the map")
            found = (Run(e.name, "link", EXAMPLE + e.file, hint) for e in status.examples)
            played = _bullets(found)
            yield Section("played", _("Played examples"), played)
        if status is not None and status.trial is not None:
            hint = _("A small position in which this rule decides: play on as you like")
            run = Run(f"{status.trial.name} ▸", "link", TRIAL + status.trial.file, hint)
            yield Section("played", _("Try it"), _bullets((run,)))
        if note:
            lines = (line for line in note.splitlines() if line.strip())
            yield Section("note", _("Your note"), tuple(_paragraph(Run(line)) for line in lines))
        if isinstance(entry, Rule) and entry.examples:
            parts = (part for text in entry.examples for part in self.parts(text))
            yield Section("examples", _("Example"), tuple(parts))
        for other in self.corpus.about(entry.id):
            yield self.beside(other)
        yield from self.link_lists()
        if asked := well_asked(entry.questions):
            rows = _bullets(Run(question, "dim") for question in asked)
            yield Section("questions", _("It answers"), rows)

    def beside(self, other: Entry) -> Section:
        """A FAQ, an erratum or a house ruling, whole, beside the rule that it touches."""
        kind = kind_of(other)
        parts = self.parts(other.text)
        if not isinstance(other, Rule):
            why = " ".join(plain(self.corpus.blocks(other.reason, other.id)).split())
            parts += (_paragraph(Run(_("Why") + f": {why}", "dim")),)
        return Section(kind, f"{_(KIND_NAMES[kind])} · {other.title}", parts, other.id)

    def link_lists(self) -> Iterator[Section]:
        """What the entry points at, and what points at it."""
        entry = self.entry
        beside = {other.id for other in self.corpus.about(entry.id)}
        yield from self.links("see", _("About"), entry.about)
        if isinstance(entry, Rule):
            yield from self.links("see", _("See"), (r for r in entry.see if r not in beside))
        cited = [ref for ref in self.corpus.backlinks(entry.id) if ref not in beside]
        heading = _n("Cited by {n} rule", "Cited by {n} rules", n=len(cited))
        yield from self.links("cited", heading, cited)

    def links(self, kind: str, heading: str, refs: Iterable[str]) -> Iterator[Section]:
        """A list of links, if there are any."""
        known = (ref for ref in map(self.corpus.canonical, refs) if ref is not None)
        if rows := _bullets(Run(label(self.corpus, ref), "link", ref) for ref in known):
            yield Section(kind, heading, rows)

    def parts(self, text: str) -> tuple[Part, ...]:
        """A text of the corpus, with its links and the first use of each term."""
        blocks = self.corpus.blocks(text, self.entry.id)
        return tuple(self.part(drawn(self.corpus, self.entry.id, block)) for block in blocks)

    def part(self, block: Block) -> Part:
        """A block of the corpus."""
        rows = tuple(tuple(self.cell(cell) for cell in row) for row in block.rows)
        for passage in self.cited:
            if block.name and passage.table == block.name:
                rows = tuple(_pointed(row, n, passage) for n, row in enumerate(rows, -1))
            if passage.words:
                rows = tuple(_with_words(row, passage.words) for row in rows)
        return Part(block.kind, rows)

    def cell(self, spans: Iterable[Span]) -> Cell:
        """One cell, item or paragraph."""
        sentences = {passage.sentence for passage in self.cited} - {""}
        return tuple(
            _cited(run) if span.anchor in sentences else run
            for span in spans
            for run in self.runs(span)
        )

    def runs(self, span: Span) -> Iterator[Run]:
        """A span of the corpus, cut where a term of the glossary leads to its definition."""
        if span.ref is not None:
            self.linked.add(self.corpus.canonical(span.ref) or span.ref)
            yield Run(span.text, "link", span.ref)
            return
        style = "bold" if span.bold else ""
        done = 0
        for start, end, term in self.corpus.terms_in(span.text, self.entry.id.partition(":")[0]):
            definition = self.corpus.canonical(term.definition or "")
            if definition is None or definition in self.linked:
                continue
            self.linked.add(definition)
            if start > done:
                yield Run(span.text[done:start], style)
            hint = f"{term.term}: {term.explanation}"
            yield Run(span.text[start:end], "term", definition, hint)
            done = end
        if done < len(span.text):
            yield Run(span.text[done:], style)


def drawn(corpus: Corpus, ref: str, block: Block) -> Block:
    """A block of a text; a table from the user's own data where they take the place of ours."""
    slug = ref.partition(":")[0]
    drawing = corpus.book_of(slug).drawings.tables.get(block.name)
    names = {file: f"{file}.yaml" for file in drawing.files} if drawing is not None else {}
    found = {file: data_path(slug, *name.split("/")) for file, name in names.items()}
    if all(path == our_file(f"{slug}/{names[file]}") for file, path in found.items()):
        return block
    try:
        return corpus.table(slug, block.name, lambda file: _data(found[file])) or block
    except (CorpusError, LookupError, TypeError, AttributeError, ValueError):
        return block  # files that cannot be drawn are told by `valida`


def _data(path: Path) -> Any:
    return read_yaml(path, Any)


def _pointed(row: tuple[Cell, ...], number: int, passage: Passage) -> tuple[Cell, ...]:
    """A row of a table: the cell that is cited, or all of the row or the column that is; before a
    cell and over it stand its heads."""
    if max(passage.row, passage.column) < 0:
        return row
    is_cell = min(passage.row, passage.column) >= 0
    found = []
    for column, cell in enumerate(row):
        if passage.row in (-1, number) and passage.column in (-1, column):
            cell = tuple(_cited(run) for run in cell)
        elif is_cell and (number, column) in ((-1, passage.column), (passage.row, 0)):
            cell = tuple(msgspec.structs.replace(run, is_head=True) for run in cell)
        found.append(cell)
    return tuple(found)


def _with_words(row: tuple[Cell, ...], words: str) -> tuple[Cell, ...]:
    """A row, with what is said by these words pointed at: all of it, or a sentence in a cell."""
    texts = ["".join(run.text for run in cell) for cell in row]
    if CELL.join(texts) == words:
        return tuple(tuple(_cited(run) for run in cell) for cell in row)
    return tuple(
        tuple(_between(cell, at, at + len(words))) if at >= 0 else cell
        for cell, at in zip(row, [text.find(words) for text in texts], strict=True)
    )


def _between(cell: Cell, start: int, end: int) -> Iterator[Run]:
    """A cell whose letters from start to end are pointed at."""
    done = 0
    for run in cell:
        cuts = [max(0, min(len(run.text), at - done)) for at in (0, start, end)]
        for first, last in pairwise([*cuts, len(run.text)]):
            piece = msgspec.structs.replace(run, text=run.text[first:last])
            if piece.text:
                yield _cited(piece) if start <= done + first < end else piece
        done += len(run.text)


def _cited(run: Run) -> Run:
    return msgspec.structs.replace(run, is_cited=True)


def _paragraph(*runs: Run) -> Part:
    return Part("paragraph", ((runs,),))


def _bullets(runs: Iterable[Run]) -> tuple[Part, ...]:
    """A list with one run a line; no part at all when there is none."""
    rows = tuple(((run,),) for run in runs)
    return (Part("bullets", rows),) if rows else ()
