"""Books, rules, house rulings and glossary, loaded from YAML and linked to each other.

The format of the files is described in docs/corpus-format.md. Programs load the compiled form
(`Corpus.load`), which `rules_it.build` makes; tools may read the YAML itself (`Corpus.read`).
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NewType, TypeVar

import msgspec

from rules_it.cards import Plans
from rules_it.tables import TABLE, Drawings, Read, markdown, with_tables

RuleRef = NewType("RuleRef", str)

HERE = Path(__file__).parent
FIRST = ("toi", "ddob", "aslsk", "warfare")
SLUGS = (*FIRST, *sorted({path.parent.name for path in HERE.glob("*/book.yaml")} - {*FIRST}))
"""The books that lie here, in the order in which people are shown them."""
KINDS = (
    "meccanica",
    "definizione",
    "preparazione",
    "componente",
    "opzionale",
    "consiglio",
    "tabella",
    "faq",
    "errata",
)
HOUSE = "casa"
REF = re.compile(rf"(?:{'|'.join(SLUGS)}):[a-z0-9_]+(?:[.-][a-z0-9_]+)*")
LINK = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)+(?![\w]|\.\d)")

ANCHOR = re.compile(r"\{#([a-z0-9]+(?:-[a-z0-9]+)*)\}")
SENTENCE = re.compile(r"[.!?](?=\s+(?:[A-ZÈÉ«\"\d]|$))|[.!?]$")

MARKUP = re.compile(rf"(\*\*|\[\[[^\]]+\]\]|\{{#[^}}]*\}}|{NUMBER.pattern})")
ITEM = re.compile(r"\d+\. ")
BAR = re.compile(r"\|(?![^\[]*\]\])")
RULER = re.compile(r"[|\s:-]*-{3}[|\s:-]*")
WORD = re.compile(r"[^\W_]+#?")
PLURALS = (
    *(("co", "chi"), ("go", "ghi"), ("ca", "che"), ("ga", "ghe"), ("io", "i")),
    *(("o", "i"), ("a", "e"), ("e", "i")),
)
FILLERS = {
    *(
        "la",
        "il",
        "le",
        "i",
        "di",
        "del",
        "della",
        "dell",
        "al",
        "alla",
        "nel",
        "nella",
        "in",
        "su",
    ),
    *("che", "cosa", "dice", "come", "è", "regola", "regole", "rule", "regolamento", "punto", "n"),
    *("paragrafo", "par", "capitolo", "cap", "sezione", "sez", "articolo", "art", "numero", "num"),
}

COMPILED = "corpus.bin"


class CorpusError(Exception):
    """A corpus file that cannot be used; the message names the file and the place in it."""


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the book says it: which book, which section or heading, which page."""

    book: str = msgspec.field(name="libro")
    section: str = msgspec.field(name="sezione", default="")
    heading: str = msgspec.field(name="intestazione", default="")
    page: str = msgspec.field(name="pagina", default="")


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule in our words: the smallest unit that a resolution cites and a player opens."""

    id: RuleRef
    title: str = msgspec.field(name="titolo")
    kind: str = msgspec.field(name="tipo")
    source: Source = msgspec.field(name="fonte")
    text: str = msgspec.field(name="testo")
    see: tuple[RuleRef, ...] = msgspec.field(name="vedi", default=())
    words: tuple[str, ...] = msgspec.field(name="parole", default=())
    questions: tuple[str, ...] = msgspec.field(name="domande", default=())
    examples: tuple[str, ...] = msgspec.field(name="esempi", default=())
    aliases: tuple[RuleRef, ...] = msgspec.field(name="alias", default=())
    about: tuple[RuleRef, ...] = msgspec.field(name="riguarda", default=())
    provenance: str = msgspec.field(name="provenienza", default="")


class HouseRuling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Our reading of an unclear or contradictory rule, with its reason."""

    id: RuleRef
    title: str = msgspec.field(name="titolo")
    text: str = msgspec.field(name="testo")
    reason: str = msgspec.field(name="motivo")
    about: tuple[RuleRef, ...] = msgspec.field(name="riguarda", default=())
    words: tuple[str, ...] = msgspec.field(name="parole", default=())
    questions: tuple[str, ...] = msgspec.field(name="domande", default=())


Entry = Rule | HouseRuling


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word of a title: how we say it, how else people say it, where it is defined."""

    term: str = msgspec.field(name="termine")
    english: tuple[str, ...] = msgspec.field(name="inglese", default=())
    variants: tuple[str, ...] = msgspec.field(name="varianti", default=())
    aliases: tuple[str, ...] = msgspec.field(name="alias", default=())
    explanation: str = msgspec.field(name="spiega", default="")
    definition: RuleRef | None = msgspec.field(name="definizione", default=None)


class Chapter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file of rules, in book order."""

    title: str = msgspec.field(name="capitolo")
    rules: tuple[Rule, ...] = msgspec.field(name="regole")


class House(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `casa.yaml` holds."""

    rulings: tuple[HouseRuling, ...] = msgspec.field(name="decisioni", default=())


class Glossary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `glossario.yaml` holds."""

    terms: tuple[Term, ...] = msgspec.field(name="termini", default=())


class BookInfo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `book.yaml` says of a title's rulebook."""

    slug: str = msgspec.field(name="titolo")
    name: str = msgspec.field(name="nome")
    short: str = msgspec.field(name="sigla")
    edition: str = msgspec.field(name="edizione")
    sources: dict[str, str] = msgspec.field(name="libri")
    numbered: bool = msgspec.field(name="numerato")
    nicknames: tuple[str, ...] = msgspec.field(name="nomignoli", default=())


class Book(msgspec.Struct, frozen=True):
    """A title's rulebook: its chapters, our house rulings and its words."""

    info: BookInfo
    chapters: tuple[Chapter, ...]
    house: tuple[HouseRuling, ...] = ()
    terms: tuple[Term, ...] = ()
    drawings: Drawings = Drawings()
    plans: Plans = Plans()

    @property
    def rules(self) -> Iterator[Rule]:
        """All rules, in book order."""
        return (rule for chapter in self.chapters for rule in chapter.rules)


class Span(msgspec.Struct, frozen=True):
    """A run of words in a text: plain, bold, or a link to another rule."""

    text: str
    bold: bool = False
    ref: RuleRef | None = None
    anchor: str = ""  # of the sentence that it is part of, where that has one


Cell = tuple[Span, ...]


class Block(msgspec.Struct, frozen=True):
    """A paragraph, list or table. Rows of cells: a paragraph has one of one, a list many of one.

    The first row of a table is its header; a table may have a name.
    """

    kind: str  # paragraph, bullets, numbers, table
    rows: tuple[tuple[Cell, ...], ...]
    name: str = ""


class Node(msgspec.Struct, frozen=True):
    """A line of the contents: a chapter (no ref) or a rule, with what stands below it."""

    title: str
    ref: RuleRef | None
    children: tuple[Node, ...] = ()


class _Compiled(msgspec.Struct):
    """What `corpus.bin` holds."""

    books: tuple[Book, ...]
    links: dict[RuleRef, tuple[RuleRef, ...]]


class Corpus:
    """All books, and how their entries hang together."""

    def __init__(
        self, books: Iterable[Book], links: dict[RuleRef, tuple[RuleRef, ...]] | None = None
    ) -> None:
        self.books: dict[str, Book] = {book.info.slug: book for book in books}
        self._links = links

    @classmethod
    def load(cls, folder: Path) -> Corpus:
        """The compiled corpus of a folder made by `rules_it.build`."""
        compiled = read_compiled(folder / COMPILED, _Compiled)
        return cls(compiled.books, compiled.links)

    @classmethod
    def read(cls, folder: Path = HERE) -> Corpus:
        """The corpus from its YAML files; a title whose folder is missing is left out."""
        slugs = [slug for slug in SLUGS if (folder / slug / "book.yaml").exists()]
        return cls(read_book(folder / slug) for slug in slugs)

    def save(self, folder: Path) -> None:
        """Write the compiled form."""
        links = {ref: self.links(ref) for ref in self.entries}
        compiled = _Compiled(tuple(self.books.values()), links)
        (folder / COMPILED).write_bytes(msgspec.msgpack.encode(compiled))

    # --- entries -------------------------------------------------------------------------

    @cached_property
    def entries(self) -> dict[RuleRef, Entry]:
        """Rules and house rulings by ref, in book order."""
        found: dict[RuleRef, Entry] = {}
        for book in self.books.values():
            found.update((rule.id, rule) for rule in book.rules)
            found.update((ruling.id, ruling) for ruling in book.house)
        return found

    @cached_property
    def aliases(self) -> dict[RuleRef, RuleRef]:
        """Other refs of the same entry."""
        rules = (rule for book in self.books.values() for rule in book.rules)
        return {alias: rule.id for rule in rules for alias in rule.aliases}

    def canonical(self, ref: str) -> RuleRef | None:
        """The entry's own ref, or None when there is no such entry."""
        known = RuleRef(ref)
        return known if known in self.entries else self.aliases.get(known)

    def entry(self, ref: str) -> Entry | None:
        """The rule or house ruling with this ref or alias."""
        known = self.canonical(ref)
        return None if known is None else self.entries[known]

    def book_of(self, ref: str) -> Book:
        """The book of a ref; KeyError when its title is unknown."""
        return self.books[ref.partition(":")[0]]

    @cached_property
    def _chapters(self) -> dict[RuleRef, Chapter]:
        chapters = (chapter for book in self.books.values() for chapter in book.chapters)
        return {rule.id: chapter for chapter in chapters for rule in chapter.rules}

    def chapter_of(self, ref: str) -> Chapter | None:
        """The chapter of a rule; house rulings have none."""
        known = self.canonical(ref)
        return None if known is None else self._chapters.get(known)

    def citation(self, ref: str) -> str:
        """How a person names the place: `DDOB 6.31, p. 12`."""
        entry = self.entry(ref)
        short = self.book_of(ref).info.short
        if not isinstance(entry, Rule):
            return f"{short} {ref.partition(':')[2].replace('.', ' ')}"
        source = entry.source
        sources = list(self.book_of(ref).info.sources)
        book = "" if source.book == sources[0] else f" ({source.book})"
        page = f", p. {source.page}" if source.page else ""
        return f"{short}{book} {source.section or source.heading}{page}"

    # --- order and nesting ----------------------------------------------------------------

    @cached_property
    def _order(self) -> tuple[list[RuleRef], dict[RuleRef, int]]:
        order = list(self.entries)
        return order, {ref: place for place, ref in enumerate(order)}

    def step(self, ref: str, by: int = 1) -> RuleRef | None:
        """The entry that follows in the same book (`by=-1`: precedes), if any."""
        order, place = self._order
        known = self.canonical(ref)
        if known is None or not 0 <= place[known] + by < len(order):
            return None
        other = order[place[known] + by]
        return other if self.book_of(other) is self.book_of(known) else None

    @cached_property
    def _parents(self) -> dict[RuleRef, RuleRef]:
        found = {}
        for slug in self.books:
            dotted = self._is_dotted(slug)
            for ref in self.entries:
                if ref.startswith(slug + ":"):
                    parent = next((p for p in _prefixes(ref, dotted) if p in self.entries), None)
                    if parent is not None:
                        found[ref] = RuleRef(parent)
        return found

    @cache  # noqa: B019  there is one corpus, and it lives as long as the program
    def _is_dotted(self, slug: str) -> bool:
        """Is every level of the book's numbers set off by a dot (3.2.1), or by a digit (3.21)?"""
        return any(re.match(rf"{slug}:\d+\.\d+\.\d", rule.id) for rule in self.books[slug].rules)

    def parent(self, ref: str) -> RuleRef | None:
        """The entry whose number contains this one's: 6.3 for 6.31."""
        known = self.canonical(ref)
        return None if known is None else self._parents.get(known)

    @cached_property
    def _children(self) -> dict[str, list[RuleRef]]:
        """What stands right below each entry; below other prefixes of refs, all of it."""
        found: dict[str, list[RuleRef]] = {}
        for ref in self.entries:
            parent = self._parents.get(ref)
            if parent is not None:
                found.setdefault(parent, []).append(ref)
            above = ref.rpartition(".")[0]
            while above and above not in self.entries:
                found.setdefault(above, []).append(ref)
                above = above.rpartition(".")[0]
        return found

    def children(self, ref: str) -> tuple[RuleRef, ...]:
        """The entries right below a ref; the ref itself may be only a number of the book."""
        return tuple(self._children.get(self.canonical(ref) or ref, ()))

    def contents(self, slug: str) -> tuple[Node, ...]:
        """The chapters of a book and their rules, nested by number where the book has numbers."""
        return tuple(
            Node(chapter.title, None, self._nest(chapter.rules, self.books[slug].info.numbered))
            for chapter in self.books[slug].chapters
        )

    def _nest(self, rules: tuple[Rule, ...], numbered: bool) -> tuple[Node, ...]:
        here = {rule.id for rule in rules}
        below: dict[RuleRef | None, list[Rule]] = {}
        for rule in rules:
            parent = self._parents.get(rule.id) if numbered else None
            below.setdefault(parent if parent in here else None, []).append(rule)

        def nodes(parent: RuleRef | None) -> tuple[Node, ...]:
            return tuple(Node(r.title, r.id, nodes(r.id)) for r in below.get(parent, ()))

        return nodes(None)

    # --- what people type ------------------------------------------------------------------

    def candidates(self, text: str) -> tuple[RuleRef, ...]:
        """Every entry that the text names: `6.31`, `DDOB 6.31`, `fuoco-op.effetto`, an alias."""
        slugs, locator = self._parse(text)
        found = []
        for slug in slugs:
            key = _key(locator)
            if not self._is_dotted(slug) and re.fullmatch(r"\d+\.\d\.\d", key):
                key = f"{key[:-2]}{key[-1]}"  # 6.3.1 in a book that writes 6.31
            found += [self._locators[slug, key]] if (slug, key) in self._locators else []
        return tuple(found)

    def resolve(self, text: str) -> RuleRef | None:
        """The one entry that the text names; None when there is none, or more than one."""
        found = self.candidates(text)
        return found[0] if len(found) == 1 else None

    def below(self, text: str) -> tuple[RuleRef, ...]:
        """The entries under what the text names, be it an entry (`6.3`) or not (`ddob 19.3`)."""
        slugs, locator = self._parse(text)
        if not locator:
            return ()
        return tuple(ref for slug in slugs for ref in self.children(f"{slug}:{locator}"))

    def nearest(self, text: str) -> tuple[RuleRef, ...]:
        """Entries whose ref resembles the text, best first: for "did you mean"."""
        import difflib  # slow to import, and seldom needed

        slugs, locator = self._parse(text)
        near: list[RuleRef] = []
        for slug in slugs:
            prefixes = _prefixes(f"{slug}:{locator}", self._is_dotted(slug))
            known = next((p for p in prefixes if p in self.entries), None)
            near += [RuleRef(known), *self.children(known)] if known else []
        locators = {ref.partition(":")[2]: ref for s, ref in self._by_slug() if s in slugs}
        close = difflib.get_close_matches(locator, locators, n=5)
        return tuple(dict.fromkeys([*near, *(locators[name] for name in close)]))[:8]

    def _by_slug(self) -> Iterator[tuple[str, RuleRef]]:
        return ((ref.partition(":")[0], ref) for ref in self.entries)

    @cached_property
    def _locators(self) -> dict[tuple[str, str], RuleRef]:
        own = ((ref, ref) for ref in self.entries)
        found = {}
        for name, ref in (*self.aliases.items(), *own):
            slug, _, locator = name.partition(":")
            found[slug, _key(locator)] = ref
        return found

    @cached_property
    def _names(self) -> list[tuple[re.Pattern[str], str]]:
        return [
            (re.compile(rf"(?<!\w){re.escape(name)}(?![^\W\d]):?", re.IGNORECASE), slug)
            for slug, book in self.books.items()
            for name in (book.info.name, slug, book.info.short, *book.info.nicknames)
        ]

    def named(self, text: str) -> tuple[list[str], str]:
        """The titles that a text names, by slug, initials or full name, and the rest of it."""
        slugs: list[str] = []
        rest = text
        for pattern, slug in self._names:
            rest, times = pattern.subn(" ", rest)
            slugs += [slug] if times and slug not in slugs else []
        return slugs, " ".join(rest.split()) if slugs else text

    def locator(self, text: str) -> str:
        """What a text says beside title and words like `regola`: `6.31` for `ddob, par. 6,31`."""
        plain = re.sub(r"(?<=\d),(?=\d)", ".", self.named(text)[1].lower())
        words = re.sub(r"(?<=[a-z])[.°] ?(?=\d)", " ", plain).split()
        rest = (part.strip('.:;,?!§()[]"') for word in words for part in word.split("'"))
        return " ".join(word for word in rest if word and word not in FILLERS)

    def _parse(self, text: str) -> tuple[list[str], str]:
        return self.named(text)[0] or list(self.books), self.locator(text)

    # --- links -----------------------------------------------------------------------------

    def links(self, ref: str) -> tuple[RuleRef, ...]:
        """What an entry points at: `vedi`, `riguarda`, links and rule numbers in its text."""
        known = self.canonical(ref)
        if known is None:
            return ()
        if self._links is not None:
            return self._links.get(known, ())
        entry = self.entries[known]
        named = [*entry.see, *entry.about] if isinstance(entry, Rule) else [*entry.about]
        texts = entry.text if isinstance(entry, Rule) else f"{entry.text}\n{entry.reason}"
        spans = (s for b in self.blocks(texts, known) for row in b.rows for c in row for s in c)
        found = [self.canonical(other) for other in (*named, *(s.ref for s in spans if s.ref))]
        return tuple(dict.fromkeys(other for other in found if other not in (None, known)))

    @cached_property
    def _backlinks(self) -> dict[RuleRef, list[RuleRef]]:
        found: dict[RuleRef, list[RuleRef]] = {}
        for ref in self.entries:
            for other in self.links(ref):
                found.setdefault(other, []).append(ref)
        return found

    def backlinks(self, ref: str) -> tuple[RuleRef, ...]:
        """The entries that point at this one."""
        known = self.canonical(ref)
        return tuple(self._backlinks.get(known, ())) if known else ()

    def about(self, ref: str) -> tuple[Entry, ...]:
        """FAQ, errata and house rulings that touch an entry, to be shown beside it."""
        known = self.canonical(ref)
        others = (self.entries[other] for other in self.backlinks(ref))
        return tuple(e for e in others if known in [self.canonical(a) for a in e.about])

    # --- text ------------------------------------------------------------------------------

    def blocks(self, text: str, ref: str) -> tuple[Block, ...]:
        """The text of an entry of the same book as `ref`, with links named and numbers linked."""
        slug = ref.partition(":")[0]
        numbered = self.books[slug].info.numbered

        def number(digits: str) -> RuleRef | None:
            return self.canonical(f"{slug}:{digits}") if numbered else None

        return blocks(text, self._name, number)

    def table(self, ref: str, name: str, read: Read) -> Block | None:
        """A table of the texts drawn from other data of the same kind; None if it is not drawn."""
        drawings = self.book_of(ref).drawings
        if name not in drawings.tables:
            return None
        return self.blocks(f"{{tabella: {name}}}\n{markdown(drawings.draw(name, read))}", ref)[0]

    def plain(self, ref: str) -> str:
        """The text of an entry without markup."""
        entry = self.entry(ref)
        return plain(self.blocks(entry.text, ref)) if entry else ""

    def _name(self, ref: str) -> str:
        locator = ref.partition(":")[2]
        entry = self.entry(ref)
        return locator if entry is None or re.fullmatch(r"[\d.]+", locator) else entry.title

    def terms_in(self, text: str, slug: str) -> tuple[tuple[int, int, Term], ...]:
        """Where a plain text uses defined words of the title: start, end, term; longest first."""
        phrases, longest = self._phrases(slug)
        words = [(m.start(), m.end(), _cased(m.group())) for m in WORD.finditer(text)]
        found, at = [], 0
        while at < len(words):
            for size in range(min(longest, len(words) - at), 0, -1):
                term = phrases.get(tuple(word for _, _, word in words[at : at + size]))
                if term is not None:
                    found.append((words[at][0], words[at + size - 1][1], term))
                    at += size
                    break
            else:
                at += 1
        return tuple(found)

    @cache  # noqa: B019  there is one corpus, and it lives as long as the program
    def _phrases(self, slug: str) -> tuple[dict[tuple[str, ...], Term], int]:
        found: dict[tuple[str, ...], Term] = {}
        for term in self.books[slug].terms:
            for name in (term.term, *term.variants, *term.english) if term.definition else ():
                words = [_cased(word) for word in WORD.findall(name)]
                found.setdefault(tuple(words), term)
                found.setdefault(tuple(map(_plural, words)), term)
        return found, max(map(len, found), default=0)


def read_book(folder: Path) -> Book:
    """One title from its YAML files, tables drawn; what is not a chapter may be missing."""
    names = ("casa", "glossario", "tabelle", "schede")
    house, glossary, tables, cards = (folder / f"{name}.yaml" for name in names)
    drawings = read_yaml(tables, Drawings) if tables.exists() else Drawings()
    data = data_folder(folder)
    chapters = []
    for path in sorted(folder.glob("[0-9]*.yaml")):
        chapter = read_yaml(path, Chapter)
        try:
            rules = tuple(_drawn(rule, drawings, data) for rule in chapter.rules)
        except LookupError as error:
            raise CorpusError(f"{path}: {error.args[0]}") from error
        chapters.append(msgspec.structs.replace(chapter, rules=rules))
    return Book(
        read_yaml(folder / "book.yaml", BookInfo),
        tuple(chapters),
        read_yaml(house, House).rulings if house.exists() else (),
        read_yaml(glossary, Glossary).terms if glossary.exists() else (),
        drawings,
        read_yaml(cards, Plans) if cards.exists() else Plans(),
    )


def data_folder(book: Path) -> Path:
    """Where the engine keeps the data of the title whose texts are in a folder."""
    return book.parent.parent / "engine" / book.name / "data"


def _drawn(rule: Rule, drawings: Drawings, data: Path) -> Rule:
    if "{tabella" not in rule.text:
        return rule
    text = with_tables(rule.text, drawings, lambda name: read_data(data / f"{name}.yaml"))
    return msgspec.structs.replace(rule, text=text)


@cache
def read_data(path: Path) -> Any:
    """A data file of the engine as text, lists and mappings."""
    return read_yaml(path, Any)


def blocks(
    text: str,
    name: Callable[[str], str] = str,
    number: Callable[[str], RuleRef | None] = lambda digits: None,
) -> tuple[Block, ...]:
    """Parse the markup of docs/corpus-format.md into plain data, for every renderer alike.

    `name` gives the words of a link without any; `number` tells which rule a bare number names.
    """
    found: list[Block] = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        kinds = [(_kind(line), line) for line in paragraph.splitlines()]
        for kind, lines in groupby(kinds, key=itemgetter(0)):
            written = [line for _, line in lines if not RULER.fullmatch(line)]
            named = TABLE.fullmatch(written[0])
            rows = [_cells(kind, line) for line in written[1 if named else 0 :]]
            if kind == "paragraph":
                rows = [[" ".join(cells[0] for cells in rows)]]
            spans = (tuple(_spans(cell, name, number) for cell in cells) for cells in rows)
            found.append(Block(kind, tuple(spans), named[1] if named else ""))
    return tuple(found)


def _kind(line: str) -> str:
    starts = {"- ": "bullets", "|": "table", "{tabella: ": "table"}
    marked = (kind for start, kind in starts.items() if line.startswith(start))
    return next(marked, "numbers" if ITEM.match(line) else "paragraph")


def _cells(kind: str, line: str) -> list[str]:
    if kind == "table":
        return [cell.strip() for cell in BAR.split(line.strip().strip("|"))]
    return [line[2:] if kind == "bullets" else ITEM.sub("", line) if kind == "numbers" else line]


def without_marks(text: str) -> str:
    """A text for people: anchors and the names of tables are only for us."""
    return ANCHOR.sub("", re.sub(rf"^{TABLE.pattern}\n", "", text, flags=re.MULTILINE))


def _spans(text: str, name: Callable[[str], str], number: Callable[[str], RuleRef | None]) -> Cell:
    found: list[Span] = []
    bold, anchor = False, ""
    for part in MARKUP.split(text):
        link, mark = LINK.fullmatch(part), ANCHOR.fullmatch(part)
        if part == "**":
            bold = not bold
        elif mark:
            anchor = mark[1]
        elif link:
            ref, words = link.groups()
            found.append(Span(words or name(ref), bold, RuleRef(ref), anchor))
        elif NUMBER.fullmatch(part):
            found.append(Span(part, bold, number(part), anchor))
        elif part:
            stop = SENTENCE.search(part) if anchor else None
            end = stop.end() if stop else len(part)
            found.append(Span(part[:end], bold, None, anchor))
            if stop:
                anchor = ""
                found += [Span(part[end:], bold)] if part[end:] else []
    return tuple(found)


CELL = " · "
"""What stands between the cells of a row in a plain text."""


def plain(parsed: Iterable[Block]) -> str:
    """The words of a parsed text: a line per paragraph, list item or table row."""
    rows = (row for block in parsed for row in block.rows)
    return "\n".join(CELL.join("".join(s.text for s in cell) for cell in row) for row in rows)


def _prefixes(ref: str, dotted: bool) -> Iterator[str]:
    """The refs that a ref may stand under, nearest first: 6.31.a, then 6.31, 6.3, 6."""
    slug, _, locator = ref.partition(":")
    while "." in locator:
        rest, _, last = locator.rpartition(".")
        shorter = f"{rest}.{last[:-1]}"
        locator = rest if dotted or len(last) == 1 or not last.isdigit() else shorter
        yield f"{slug}:{locator}"


def _key(locator: str) -> str:
    """A locator as compared with what people type: `3.1f`, `3.1 f` and `3.1.f` are the same."""
    return re.sub(r"[\s_.-]+0*(?=.)|(?<=\d)(?=[a-z])", ".", locator)


def _cased(word: str) -> str:
    """Abbreviations keep their capitals, other words lose them."""
    return word if word.isupper() and len(word) <= 5 else word.lower()


def _plural(word: str) -> str:
    """The Italian plural as far as its ending tells."""
    if len(word) > 3 and not word.isupper():
        for ending, other in PLURALS:
            if word.endswith(ending):
                return word.removesuffix(ending) + other
    return word


T = TypeVar("T")


def read_yaml(path: Path, kind: type[T]) -> T:
    """Read one typed YAML file; CorpusError names the file and the line or path at fault."""
    import yaml  # programs that load the compiled form never need it

    try:
        raw = yaml.load(path.read_text(encoding="utf-8"), _text_loader())
        return msgspec.convert(raw, kind, strict=False)
    except (yaml.YAMLError, msgspec.ValidationError, UnicodeDecodeError, OSError) as error:
        raise CorpusError(f"{path}: {error}") from error


def read_compiled(path: Path, kind: type[T]) -> T:
    """Read one compiled file; the collector rests meanwhile, for nothing in it is garbage."""
    resting = gc.isenabled()
    gc.disable()
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError) as error:
        raise CorpusError(f"{path}: {error}") from error
    finally:
        if resting:
            gc.enable()


@cache
def _text_loader() -> Any:
    import yaml

    fastest: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class TextLoader(fastest):  # type: ignore[misc]
        """Every scalar is text (0101 and 1.10 stay as written); a repeated key is an error."""

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            keys = [self.construct_object(key, deep=deep) for key, _ in node.value]
            for index, key in enumerate(keys):
                if key in keys[:index]:
                    mark = node.value[index][0].start_mark
                    raise yaml.MarkedYAMLError(problem=f"duplicate key {key!r}", problem_mark=mark)
            made: dict[Any, Any] = super().construct_mapping(node, deep)
            return made

    TextLoader.yaml_implicit_resolvers = {}
    return TextLoader
