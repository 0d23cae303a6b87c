"""The house rules of the corpus: what every book must satisfy, as a list of faults.

`python -m rules_it.check [SLUG…]` prints them; the tests require that there be none.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

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
    Rule,
    read_yaml,
)

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


def faults(slug: str, inventory: set[str] | None = None) -> Iterator[str]:
    """Every fault of one book; `inventory` lists the refs it must hold."""
    folder = HERE / slug
    try:
        info = read_yaml(folder / "book.yaml", BookInfo)
        chapters = [read_yaml(path, Chapter) for path in chapter_files(folder)]
        house = read_yaml(folder / "casa.yaml", House).rulings
        terms = read_yaml(folder / "glossario.yaml", Glossary).terms
    except CorpusError as error:
        yield str(error)
        return
    rules = [rule for chapter in chapters for rule in chapter.rules]
    aliases = [alias for rule in rules for alias in rule.aliases]
    ids = Counter([*(rule.id for rule in rules), *aliases, *(ruling.id for ruling in house)])
    known = set(ids)
    for ref, times in ids.items():
        if times > 1:
            yield f"{ref}: defined {times} times"
        if not REF.fullmatch(ref) or not ref.startswith(slug + ":"):
            yield f"{ref}: not a ref of {slug}"
    for absent in sorted((inventory or set()) - known):
        yield f"{absent}: in the inventory, not in the corpus"
    for rule in rules:
        for fault in rule_faults(rule, info, known | (inventory or set())):
            yield f"{rule.id}: {fault}"
    for ruling in house:
        if not ruling.reason.strip() or not ruling.text.strip():
            yield f"{ruling.id}: text or reason missing"
        for ref in ruling.about:
            if ref not in known:
                yield f"{ruling.id}: riguarda unknown {ref}"
        for wrong, right in WRONG.items():
            if re.search(wrong, ruling.text + ruling.reason):
                yield f"{ruling.id}: spelling, write {right}"
    for term in terms:
        if term.definition is not None and term.definition not in known:
            yield f"glossario {term.term}: unknown {term.definition}"
    for name, times in Counter(t.term.lower() for t in terms).items():
        if times > 1:
            yield f"glossario {name}: listed {times} times"
    for question, times in Counter(q.lower() for r in rules for q in r.questions).items():
        if times > 1:
            yield f"the question stands {times} times: {question}"


def rule_faults(rule: Rule, info: BookInfo, known: set[str]) -> Iterator[str]:
    """The faults of one rule."""
    if rule.kind not in KINDS:
        yield f"tipo {rule.kind}"
    if rule.source.book not in info.sources:
        yield f"libro {rule.source.book} is not in book.yaml"
    if not (rule.source.section or rule.source.heading):
        yield "fonte names neither sezione nor intestazione"
    if len(rule.text.split()) < 6:
        yield "testo too short to settle anything"
    if rule.kind in ASKED and not 2 <= len(rule.questions) <= 5:
        yield f"{len(rule.questions)} domande, two to five are asked for"
    if rule.kind in ("faq", "errata") and not rule.about:
        yield "riguarda missing"
    if rule.title.endswith("."):
        yield "titolo ends with a stop"
    linked = [m.group(1) for m in LINK.finditer(rule.text)]
    for ref in [*rule.see, *rule.about, *linked]:
        if ref not in known:
            yield f"unknown ref {ref}"
    if rule.id in rule.see:
        yield "sees itself"
    everything = " ".join([rule.title, rule.text, *rule.questions, *rule.examples])
    for wrong, right in WRONG.items():
        if re.search(wrong, everything):
            yield f"spelling, write {right}"


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
