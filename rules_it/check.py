"""The house rules of the corpus: what every book must satisfy, as a list of faults.

`python -m rules_it.check [SLUG…]` prints them; the tests require that there be none.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from rules_it.corpus import (
    HERE,
    KINDS,
    LINK,
    REF,
    SLUGS,
    BookInfo,
    Chapter,
    CorpusError,
    Glossary,
    House,
    HouseRuling,
    Rule,
    Term,
    read_yaml,
)
from rules_it.tables import TABLE, UNDRAWN, Drawings

ASKED = {"meccanica", "opzionale", "preparazione", "tabella", "faq", "errata"}
WRONG = {
    r"\b[Pp]erchè\b": "perché",
    r"\b[Pp]oichè\b": "poiché",
    r"\b[Ff]inchè\b": "finché",
    r"\b[Pp]uo'": "può",
    r"\b[Pp]iu'": "più",
    r"\b[Cc]ioe'": "cioè",
    r"\b[Ee]' ": "è",
    r"\bnè\b": "né",
    r"\bsè\b": "sé",
    r"\bqual'è\b": "qual è",
    r"\bun pò\b": "un po'",
    r"’": "straight apostrophe",
    r"\bse stess[oaie]\b.*\bsé stess": "one spelling",
}


class Written(msgspec.Struct, frozen=True):
    """A book as its files say it, tables not drawn."""

    slug: str
    info: BookInfo
    rules: tuple[Rule, ...]
    house: tuple[HouseRuling, ...]
    terms: tuple[Term, ...]
    drawings: Drawings

    @property
    def refs(self) -> list[str]:
        """Every ref and alias, as often as it is written."""
        aliases = (alias for rule in self.rules for alias in rule.aliases)
        return [*(r.id for r in self.rules), *aliases, *(r.id for r in self.house)]


def written(slug: str) -> Written:
    """Read a book; CorpusError names the file that cannot be used."""
    folder = HERE / slug
    chapters = [read_yaml(path, Chapter) for path in chapter_files(folder)]
    return Written(
        slug,
        read_yaml(folder / "book.yaml", BookInfo),
        tuple(rule for chapter in chapters for rule in chapter.rules),
        read_yaml(folder / "casa.yaml", House).rulings,
        read_yaml(folder / "glossario.yaml", Glossary).terms,
        read_yaml(folder / "tabelle.yaml", Drawings),
    )


def faults(slug: str, inventory: set[str] | None = None) -> Iterator[str]:
    """Every fault of one book; `inventory` lists the refs it must hold."""
    try:
        book = written(slug)
    except CorpusError as error:
        yield str(error)
        return
    yield from ref_faults(book, inventory or set())
    own = {*book.refs}
    for rule in book.rules:
        for fault in rule_faults(rule, book.info, own | (inventory or set())):
            yield f"{rule.id}: {fault}"
    for ruling in book.house:
        for fault in ruling_faults(ruling, own):
            yield f"{ruling.id}: {fault}"
    yield from term_faults(book)
    yield from question_faults(book)
    yield from table_faults(book)


def ref_faults(book: Written, inventory: set[str]) -> Iterator[str]:
    """Refs that are written twice, badly or not at all."""
    for ref, times in Counter(book.refs).items():
        if times > 1:
            yield f"{ref}: defined {times} times"
        if not REF.fullmatch(ref) or not ref.startswith(book.slug + ":"):
            yield f"{ref}: not a ref of {book.slug}"
    for absent in sorted(inventory - {*book.refs}):
        yield f"{absent}: in the inventory, not in the corpus"


def rule_faults(rule: Rule, info: BookInfo, known: set[str]) -> Iterator[str]:
    """The faults of one rule."""
    yield from source_faults(rule, info)
    if len(rule.text.split()) < 6:
        yield "testo too short to settle anything"
    if rule.kind in ASKED and not 2 <= len(rule.questions) <= 10:
        yield f"{len(rule.questions)} domande, two to ten are asked for"
    if rule.kind in ("faq", "errata") and not rule.about:
        yield "riguarda missing"
    if rule.title.endswith("."):
        yield "titolo ends with a stop"
    linked = [m.group(1) for m in LINK.finditer(rule.text)]
    yield from (
        f"unknown ref {ref}" for ref in (*rule.see, *rule.about, *linked) if ref not in known
    )
    if rule.id in rule.see:
        yield "sees itself"
    yield from spelling_faults(rule.title, rule.text, *rule.questions, *rule.examples)


def source_faults(rule: Rule, info: BookInfo) -> Iterator[str]:
    """What is wrong with the kind of a rule, or with where the book says it."""
    if rule.kind not in KINDS:
        yield f"tipo {rule.kind}"
    if rule.source.book not in info.sources:
        yield f"libro {rule.source.book} is not in book.yaml"
    if not (rule.source.section or rule.source.heading):
        yield "fonte names neither sezione nor intestazione"


def ruling_faults(ruling: HouseRuling, known: set[str]) -> Iterator[str]:
    """The faults of one house ruling."""
    if not ruling.reason.strip() or not ruling.text.strip():
        yield "text or reason missing"
    yield from (f"riguarda unknown {ref}" for ref in ruling.about if ref not in known)
    yield from spelling_faults(ruling.text, ruling.reason)


def spelling_faults(*texts: str) -> Iterator[str]:
    """Words that are written wrong."""
    everything = " ".join(texts)
    for wrong, right in WRONG.items():
        if re.search(wrong, everything):
            yield f"spelling, write {right}"


def term_faults(book: Written) -> Iterator[str]:
    """Terms that are defined nowhere, or listed twice."""
    known = {*book.refs}
    for term in book.terms:
        if term.definition is not None and term.definition not in known:
            yield f"glossario {term.term}: unknown {term.definition}"
    for name, times in Counter(term.term.lower() for term in book.terms).items():
        if times > 1:
            yield f"glossario {name}: listed {times} times"


def question_faults(book: Written) -> Iterator[str]:
    """Questions that are asked twice."""
    asked = Counter(question.lower() for rule in book.rules for question in rule.questions)
    for question, times in asked.items():
        if times > 1:
            yield f"the question stands {times} times: {question}"


def table_faults(book: Written) -> Iterator[str]:
    """Tables that a text names and nobody draws, or that are drawn and not named once."""
    for rule in book.rules:
        for named in UNDRAWN.finditer(rule.text):
            if named[1] not in book.drawings.tables:
                yield f"{rule.id}: tabella {named[1]} is neither typed nor in tabelle.yaml"
    used = Counter(name for rule in book.rules for name in TABLE.findall(rule.text))
    for name in book.drawings.tables:
        if used[name] != 1:
            yield f"tabelle {name}: named by {used[name]} texts"


def chapter_files(folder: Path) -> list[Path]:
    """The chapters of a book, in reading order."""
    return sorted(folder.glob("[0-9]*.yaml"))


def inventory_of(slug: str, folder: Path) -> set[str]:
    """The refs that the list kept beside the tests asks of a book."""
    text = (folder / f"{slug}.txt").read_text(encoding="utf-8")
    return {ref.strip() for line in text.splitlines() for ref in line.split("=") if ref.strip()}


def main(slugs: list[str]) -> int:
    """Print the faults of the books named, or of all."""
    lists = HERE.parent / "tests" / "rules_it" / "inventory"
    found = [f for slug in slugs or SLUGS for f in faults(slug, inventory_of(slug, lists))]
    for fault in found:
        print(fault)
    print(f"{len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
