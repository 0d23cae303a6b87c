"""The verbs about rules: `cerca`, `regola`, `copertura`. None of them imports Textual."""

from __future__ import annotations

import re
import sys
import textwrap
from argparse import Namespace
from collections.abc import Iterable
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from app.cli.answers import NO, Answer, Fault, unknown_title, why
from app.rules import cards
from app.rules.library import LIBRARY
from app.shell.i18n import _, _n
from rules_it.corpus import Corpus, CorpusError, Entry, Rule, RuleRef, without_marks

if TYPE_CHECKING:
    from app.rules.linker import Coverage, Status
    from app.rules.page import Page, Part, Run, Section
    from rules_it.search import Hit, Index

WIDTH = 88


# Searching


def search(args: Namespace) -> Answer:
    """`prontuario cerca`: the rules that answer, best first."""
    words = " ".join(args.parole)
    if args.n < 1:
        raise Fault(_("-n is at least 1."))
    index = open_index()
    corpus = index.corpus
    titles = [known_title(corpus, args.titolo)] if args.titolo else []
    things = cards.named(corpus, words, titles)[: args.n]
    found = index.search(words, titles=titles, limit=args.n)
    data = [_thing_data(corpus, entry) for entry in things]
    data += [
        {
            "ref": hit.ref,
            "titolo": hit.title,
            "libro": corpus.book_of(hit.ref).info.name,
            "fonte": source_of(corpus.entries[hit.ref]),
            "punteggio": round(hit.score, 3),
            "estratto": hit.extract,
        }
        for hit in found.hits[: args.n - len(things)]
    ]
    lines = []
    if found.corrected and not things:
        lines.append(_("Did you mean: ") + found.corrected)
    if (not found.hits or found.note) and not things:
        lines.append(why_nothing(found.note, words))
    for entry in things:
        lines += ["", *thing_lines(corpus, entry)] if lines else thing_lines(corpus, entry)
    for hit in found.hits[: args.n - len(things)]:
        lines += [""] if lines else []
        lines += hit_lines(corpus, hit)
    if args.json and not things and (found.corrected or not found.hits):
        sys.stderr.write(lines[0] + "\n")  # a list has no room for remarks
    return Answer(data, tuple(lines), 0 if found.hits or things else NO)


def _thing_data(corpus: Corpus, entry: cards.Entry) -> dict[str, Any]:
    """A thing among the rules, for scripts."""
    return {
        "ref": entry.id,
        "titolo": entry.title,
        "libro": corpus.books[entry.slug].info.name,
        "fonte": {"sezione": None, "pagina": None, "intestazione": None},
        "punteggio": None,
        "estratto": entry.text,
        "provenienza": entry.source,
        "regole": list(entry.refs),
    }


def thing_lines(corpus: Corpus, entry: cards.Entry) -> list[str]:
    """A thing among the rules: its name, its values, where they come from, its rules."""
    head = f"{entry.title}  ({entry.kind}, {corpus.books[entry.slug].info.name})"
    rules = ", ".join(entry.refs)
    return [head, *_wrapped(f"{entry.text} {entry.provenance} {rules}", "  ")]


def open_index() -> Index:
    """The index; in a checkout it is made first, with progress on stderr."""
    try:
        index = LIBRARY.open_index(_progress)
        assert index is not None  # patience has no end here
        return index
    except OSError as error:
        raise Fault(_("The rules cannot be opened: {why}", why=why(error)), NO) from error
    except CorpusError as error:
        raise Fault(_("The rules cannot be opened: {why}", why=error), NO) from error


def open_corpus() -> Corpus:
    """The texts alone."""
    try:
        return LIBRARY.open_corpus(alone=True)
    except OSError as error:
        raise Fault(_("The rules cannot be opened: {why}", why=why(error)), NO) from error
    except CorpusError as error:
        raise Fault(_("The rules cannot be opened: {why}", why=error), NO) from error


def _progress(done: int, of: int) -> None:
    if sys.stderr.isatty():
        words = _("Preparing the search: {percent}%", percent=done * 100 // of)
        sys.stderr.write(f"\r{words}" + ("\n" if done == of else ""))
        sys.stderr.flush()


def known_title(corpus: Corpus, wanted: str) -> str:
    """The slug of a book; Fault unless there is one."""
    slug = wanted.strip().lower()
    if slug not in corpus.books:
        raise unknown_title(wanted, list(corpus.books))
    return slug


def why_nothing(note: str, words: str) -> str:
    """What to say when nothing was found, or something else was."""
    return {
        "empty": _("There is nothing to look for: write some words."),
        "common": _("Only words that stand everywhere: add a rarer one."),
        "number": _("There is no rule {words}. The nearest:", words=words),
    }.get(note, _("No rule answers «{words}»: try other words, or fewer.", words=words))


def hit_lines(corpus: Corpus, hit: Hit) -> list[str]:
    """A hit for people: ref, title, citation, and the words that answer."""
    head = f"{hit.ref}  {hit.title}  ({corpus.citation(hit.ref)})"
    return [head, *_wrapped(" ".join(hit.extract.split()), "  ")]


def source_of(entry: Entry) -> dict[str, str | None]:
    """Where the book says it, for scripts."""
    if not isinstance(entry, Rule):
        return {"sezione": None, "pagina": None, "intestazione": None}
    source = entry.source
    return {
        "sezione": source.section or None,
        "pagina": source.page or None,
        "intestazione": source.heading or None,
    }


# One rule


def rule(args: Namespace) -> Answer:
    """`prontuario regola`: a rule with all that hangs on it."""
    corpus = open_corpus()
    named, _sign, anchor = args.ref.partition("#")
    ref = find_rule(corpus, named)
    from app.rules import linker
    from app.rules.page import page_of

    status = linker.status(corpus, ref)
    cited = linker.passage(corpus, f"{ref}#{anchor}") if anchor else None
    if anchor and cited is None:
        raise Fault(_("{ref} has no passage called {anchor}.", ref=ref, anchor=anchor), NO)
    lines = page_lines(page_of(corpus, ref, status, cited=(cited,) if cited else ()))
    return Answer(rule_data(corpus, ref, status), tuple(lines))


def find_rule(corpus: Corpus, text: str) -> RuleRef:
    """The rule that a person names, or the fault that offers the nearest."""
    found = corpus.candidates(text)
    if len(found) == 1:
        return found[0]
    if found:
        raise Fault(
            _("{ref} is in more than one book: {known}.", ref=text, known=", ".join(found)), NO
        )
    if not text.strip():
        raise Fault(_("Say which rule, as in ddob:6.31."))
    slug, colon, _locator = text.partition(":")
    if colon and slug.strip().casefold() not in corpus.books:
        raise unknown_title(slug, list(corpus.books))
    near = ", ".join(corpus.nearest(text))
    if near:
        raise Fault(_("There is no rule {ref}. The nearest: {known}.", ref=text, known=near), NO)
    raise Fault(_("There is no rule {ref}. Try: prontuario cerca {ref}", ref=text), NO)


def rule_data(corpus: Corpus, ref: RuleRef, status: Status) -> dict[str, Any]:
    """A rule for scripts."""
    from app.rules.linker import kind_of

    entry = corpus.entries[ref]
    book = entry if isinstance(entry, Rule) else None
    house = None if isinstance(entry, Rule) else entry
    return {
        "ref": entry.id,
        "titolo": entry.title,
        "libro": corpus.book_of(ref).info.name,
        "tipo": kind_of(entry),
        "fonte": source_of(entry),
        "citazione": corpus.citation(ref),
        "testo": without_marks(entry.text).strip(),
        "motivo": house.reason.strip() if house else None,
        "esempi": list(book.examples) if book else [],
        "domande": list(entry.questions),
        "provenienza": (book.provenance or "regolamento") if book else None,
        "alias": list(book.aliases) if book else [],
        "vedi": list(book.see) if book else [],
        "riguarda": list(entry.about),
        "collegamenti": list(corpus.links(ref)),
        "citata_da": list(corpus.backlinks(ref)),
        "accanto": [
            {"ref": other.id, "tipo": kind_of(other), "titolo": other.title}
            for other in corpus.about(ref)
        ],
        "precedente": corpus.step(ref, -1),
        "successiva": corpus.step(ref, 1),
        "motore": {
            "stato": status.state or "non_serve",
            "punti": [str(place) for place in status.places],
            "motivo": status.reason or None,
            "esempi": [{"id": played.id, "nome": played.name} for played in status.examples],
        },
    }


def page_lines(page: Page) -> list[str]:
    """The page of a rule as plain lines."""
    lines = [page.title, f"{page.citation} · {' ▸ '.join(page.path)} · {page.kind}"]
    for section in page.sections:
        lines += ["", *_section(section)]
    return lines


def _section(section: Section) -> list[str]:
    ref = f" [{section.ref}]" if section.ref else ""
    lines = _wrapped(section.heading + ref) if section.heading else []
    for number, part in enumerate(section.parts):
        lines += [""] if number else []
        lines += _part(part, "  " if section.heading else "", section.kind in ("see", "cited"))
    return lines


def _part(part: Part, indent: str, with_refs: bool) -> list[str]:
    rows = [[_words(cell) for cell in row] for row in part.rows]
    if part.kind == "table":
        return _table(rows, indent)
    lines: list[str] = []
    for number, row in enumerate(rows):
        mark = {"bullets": "- ", "numbers": f"{number + 1}. "}.get(part.kind, "")
        ref = f"  {part.rows[number][0][0].ref}" if with_refs else ""
        lines += _wrapped(row[0] + ref, indent, mark)
    return lines


def _words(cell: Iterable[Run]) -> str:
    """Words, between signs where somebody points at them."""
    said = (f"▶{run.text}◀" if run.is_cited else run.text for run in cell)
    return "".join(said).replace("◀▶", "")


def _table(rows: list[list[str]], indent: str) -> list[str]:
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    lines = [
        indent + " | ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False))
        for row in rows
    ]
    lines.insert(1, indent + "-+-".join("-" * width for width in widths))
    return [line.rstrip() for line in lines]


def _wrapped(words: str, indent: str = "", mark: str = "") -> list[str]:
    rest = indent + " " * len(mark)
    whole = re.sub(r"\bp\. (?=[≈\d])", "p.\xa0", words)  # a page and its number share a line
    lines = textwrap.wrap(whole, WIDTH, initial_indent=indent + mark, subsequent_indent=rest)
    return [line.replace("\xa0", " ") for line in lines]


# The matrix


def coverage(args: Namespace) -> Answer:
    """`prontuario copertura`: per book, which rules code cites, tests exercise, players apply."""
    corpus = open_corpus()
    slugs = [known_title(corpus, args.titolo)] if args.titolo else list(corpus.books)
    from app.rules import linker

    found = {slug: linker.coverage(corpus, slug) for slug in slugs}
    data = {slug: _matrix(matrix) for slug, matrix in found.items()}
    lines = [line for slug, matrix in found.items() for line in _matrix_lines(corpus, slug, matrix)]
    if not linker.has_tests():
        lines.append(_("The tests are not here: only played examples count as exercise."))
    missing = any(matrix.missing for matrix in found.values())
    return Answer(data, tuple(lines), NO if missing else 0)


def _matrix(matrix: Coverage) -> dict[str, Any]:
    """The matrix of one book for scripts."""
    return {
        "regole": sum(matrix.kinds.values()),
        "tipi": matrix.kinds,
        "meccaniche": len(matrix.mechanics),
        "citate": len(matrix.cited),
        "provate": len(matrix.exercised),
        "a_mano": len(matrix.by_hand),
        "mancanti": list(matrix.missing),
        "non_ancora": [] if matrix.is_registered else list(matrix.mechanics),
        "dettaglio": {
            "citate": list(matrix.cited),
            "provate": list(matrix.exercised),
            "a_mano": [{"ref": ref, "motivo": why} for ref, why in matrix.by_hand.items()],
        },
    }


def _matrix_lines(corpus: Corpus, slug: str, matrix: Coverage) -> list[str]:
    """The matrix of one book for people."""
    kinds = ", ".join(f"{kind} {count}" for kind, count in matrix.kinds.items())
    rules = sum(matrix.kinds.values())
    lines = [f"{corpus.books[slug].info.name}: " + _n("{n} rule", "{n} rules", n=rules)]
    lines += _wrapped(kinds, "  ")
    if not matrix.is_registered:
        lines.append("  " + _("mechanics not yet applied: {n}", n=len(matrix.mechanics)))
        return lines
    lines.append(
        "  "
        + _(
            "mechanics {mechanics}, cited {cited}, exercised {exercised}, by hand {hand}",
            mechanics=len(matrix.mechanics),
            cited=len(matrix.cited),
            exercised=len(matrix.exercised),
            hand=len(matrix.by_hand),
        )
    )
    if matrix.missing:
        lines.append("  " + _("missing: {refs}", refs=", ".join(matrix.missing)))
    return lines
