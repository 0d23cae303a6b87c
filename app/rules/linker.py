"""Where engine refs meet rule texts: which rules the code applies, and where.

A ref is cited when its locator is a string literal among the arguments of a call in the title's
code, or a `ref:` of its data; the anchor of a locator tells the sentence or the cell of a table.
All that is read lies in the packages; tests count in a checkout.

What a scan of the engine finds is kept in the user's cache. Screens call `prepare` first, in a
thread: it scans in another process, because Python's parser is not safe in two threads at once.
"""

from __future__ import annotations

import ast
import hashlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

import msgspec

from app.shell.child import command
from app.shell.paths import CHECKOUT, cache_folder
from engine.core.data import DataErrors, load
from engine.core.files import slugs, write_atomically
from rules_it.corpus import HOUSE, Corpus, Entry, Rule, Span
from rules_it.tables import is_row

if TYPE_CHECKING:
    from engine.core.rules import Ruling
    from engine.examples import Example

T = TypeVar("T")

EMPTY: Mapping[str, object] = MappingProxyType({})
ENGINE = CHECKOUT / "engine"
TESTS = CHECKOUT / "tests"
NOT_APPLIED = frozenset({"definizione", "componente", "consiglio", HOUSE})
"""Kinds of entries that the matrix does not ask the code to cite."""
FAQ = "faq"

_LOCATOR = re.compile(r"(?:[a-z]+:)?[a-z0-9_]+(?:[.-][a-z0-9_]+)*(?:#\S.*)?")
_DATA_REF = re.compile(r"""(?<![\w-])ref:\s*(\[[^\]]*\]|"[^"]*"|'[^']*'|[^\s,}\]#]+)""")


class Place(msgspec.Struct, frozen=True, order=True):
    """A point of the engine: the file, and the function if it is code."""

    file: str
    function: str = ""

    def __str__(self) -> str:
        """As a person reads it: `engine/toi/fire.py:normal_attack`."""
        return f"{self.file}:{self.function}" if self.function else self.file


class ByHand(msgspec.Struct, frozen=True):
    """A rule left to the players, and why."""

    ref: str
    reason: str = msgspec.field(name="motivo", default="")


class Scope(msgspec.Struct, frozen=True):
    """What `engine/<slug>/scope.yaml` says."""

    by_hand: tuple[ByHand, ...] = msgspec.field(name="a_mano", default=())


class Played(msgspec.Struct, frozen=True):
    """A playable example, and the file that holds it."""

    id: str
    name: str
    file: str


class Passage(msgspec.Struct, frozen=True):
    """What a citation points at inside the text of a rule: a sentence, or a cell of a table.

    Of a cell the row or the column may be unknown (-1), the row counted without the header.
    `words` are a sentence or a row that is known by its words alone.
    """

    sentence: str = ""
    table: str = ""
    row: int = -1
    column: int = -1
    words: str = ""


class Scan(msgspec.Struct, frozen=True):
    """What the files of a title's engine say; words that are no refs are still among them."""

    stamp: str
    cited: tuple[tuple[str, Place], ...]
    by_hand: tuple[tuple[str, str], ...]
    shown: tuple[tuple[str, Played], ...]  # the rules that open an example
    played: tuple[tuple[str, str], ...]  # the rules that an example exercises
    decides: tuple[tuple[str, Played], ...]  # the rules that its answers apply


class Links(msgspec.Struct, frozen=True):
    """How the engine of one title meets its texts, by ref. Empty while there is no engine."""

    is_registered: bool = False
    cited: dict[str, tuple[Place, ...]] = {}
    by_hand: dict[str, str] = {}
    examples: dict[str, tuple[Played, ...]] = {}
    trials: dict[str, tuple[Played, ...]] = {}  # the examples in which a rule decides something


class Status(msgspec.Struct, frozen=True):
    """What the engine does with one rule.

    `state` is "applicata", "a_mano", "mancante", "non_ancora" (the title has no engine yet), or
    "" for an entry that nothing needs to apply.
    """

    state: str
    places: tuple[Place, ...] = ()
    reason: str = ""
    examples: tuple[Played, ...] = ()
    trial: Played | None = None


class Coverage(msgspec.Struct, frozen=True):
    """The rule matrix of one title. Mechanics are the rules that code must cite."""

    is_registered: bool
    kinds: dict[str, int]
    mechanics: tuple[str, ...]
    cited: tuple[str, ...]
    exercised: tuple[str, ...]
    by_hand: dict[str, str]
    missing: tuple[str, ...]


def kind_of(entry: Entry) -> str:
    """The kind of an entry; house rulings are a kind of their own."""
    return entry.kind if isinstance(entry, Rule) else HOUSE


def status(corpus: Corpus, ref: str) -> Status:
    """What the engine does with an entry; KeyError if there is no such entry."""
    known = corpus.canonical(ref)
    if known is None:
        raise KeyError(ref)
    found = links(corpus, known.partition(":")[0])
    examples = found.examples.get(known, ())
    trials = found.trials.get(known, ())
    trial = next((one for one in trials if one in examples), next(iter(trials), None))
    state = "mancante" if found.is_registered else "non_ancora"
    places, reason = found.cited.get(known, ()), ""
    if places:
        state = "applicata"
    elif known in found.by_hand:
        state, reason = "a_mano", found.by_hand[known]
    elif not _is_asked_for(corpus.entries[known], found):
        state = ""
    return Status(state, places, reason, examples, trial)


def coverage(corpus: Corpus, slug: str) -> Coverage:
    """The rule matrix of a title."""
    rules = list(corpus.books[slug].rules)
    found = links(corpus, slug)
    mechanics = tuple(rule.id for rule in rules if _is_asked_for(rule, found))
    settled = found.cited.keys() | found.by_hand.keys()
    return Coverage(
        found.is_registered,
        dict(Counter(rule.kind for rule in rules)),
        mechanics,
        tuple(found.cited),
        tuple(exercised(corpus, slug)) if found.is_registered else (),
        found.by_hand,
        tuple(ref for ref in mechanics if ref not in settled) if found.is_registered else (),
    )


def _is_asked_for(entry: Entry, found: Links) -> bool:
    """Whether code must cite an entry. An answer to a frequent question that settles nothing by
    itself is applied as the rules that it concerns are."""
    if isinstance(entry, Rule) and entry.kind == FAQ:
        settled = found.cited.keys() | found.by_hand.keys()
        return entry.id in settled or not settled.issuperset(entry.about)
    return kind_of(entry) not in NOT_APPLIED


def passage(corpus: Corpus, anchor: str, facts: Mapping[str, object] = EMPTY) -> Passage | None:
    """Where in the text of its rule an anchor points; None if there is nothing of that name.

    `facts` are those of the message that was said, for an anchor that leaves a cell to them.
    """
    ref, _, name = anchor.partition("#")
    entry = corpus.entry(ref)
    if entry is None or not name:
        return None
    blocks = corpus.blocks(entry.text, ref)
    table, _, cell = name.partition("/")
    if not cell:
        spans = (span for b in blocks for row in b.rows for c in row for span in c)
        if any(span.anchor == name for span in spans):
            return Passage(sentence=name)
    found = next((block for block in blocks if block.name == table), None)
    if found is None:
        return None
    row, _, column = (_filled(part, facts) for part in cell.partition("/"))
    heads = ["".join(span.text for span in head) for head in found.rows[0]]
    firsts = ["".join(span.text for span in line[0]) for line in found.rows[1:]]
    return Passage("", table, _place(firsts, row), _place(heads, column))


def passages(corpus: Corpus, ruling: Ruling, ref: str) -> tuple[Passage, ...]:
    """What a ruling applied of the text of one of its rules."""
    anchors = (anchor for anchor in ruling.anchors if anchor.partition("#")[0] == ref)
    found = (passage(corpus, anchor, ruling.msg.facts) for anchor in anchors)
    return tuple(place for place in found if place is not None)


def quotes(corpus: Corpus, ruling: Ruling, ref: str) -> tuple[str, ...]:
    """The words that a ruling applied of one of its rules: sentences, cells after their heads."""
    entry = corpus.entry(ref)
    blocks = corpus.blocks(entry.text, ref) if entry is not None else ()
    found: list[str] = []
    for passage in passages(corpus, ruling, ref):
        if passage.sentence:
            spans = (span for b in blocks for row in b.rows for cell in row for span in cell)
            found.append("".join(span.text for span in spans if span.anchor == passage.sentence))
        else:
            rows = next(block.rows for block in blocks if block.name == passage.table)
            found.append(_cell_words(rows, passage))
    return tuple(" ".join(words.split()) for words in found if words.strip())


def _cell_words(rows: Sequence[Sequence[Iterable[Span]]], at: Passage) -> str:
    """A cell of a table with the heads of its row and of its column, as far as they are known."""
    words = [["".join(span.text for span in cell) for cell in row] for row in rows]
    line = words[at.row + 1] if at.row >= 0 else ()
    if not line:
        return words[0][at.column] if at.column >= 0 else ""
    if at.column <= 0:
        return ", ".join(
            f"{head} {cell}" for head, cell in zip(words[0], line, strict=False) if cell
        )
    row = f"{words[0][0]} {line[0]}".strip()
    return f"{row} · {words[0][at.column]}: {line[at.column]}"


def _filled(part: str, facts: Mapping[str, object]) -> str:
    """A row or a column as the anchor names it, or as a fact of the message does."""
    return str(facts.get(part[1:-1], "")) if part.startswith("{") else part


def _place(labels: list[str], wanted: str) -> int:
    """The label that speaks of what is wanted, as it is written before a band that holds it."""
    if not wanted:
        return -1
    exact = (n for n, label in enumerate(labels) if label.casefold() == wanted.casefold())
    bands = (n for n, label in enumerate(labels) if is_row(label, wanted))
    return next(exact, next(bands, -1))


def is_registered(slug: str) -> bool:
    """Whether the title has an engine that plays."""
    return slug in slugs()


@cache
def links(corpus: Corpus, slug: str) -> Links:
    """All that ties a title's engine to its texts."""
    if not is_registered(slug):
        return Links()
    found = scanned(slug)
    by_hand = _gather(corpus, slug, found.by_hand)
    return Links(
        True,
        _gather(corpus, slug, found.cited),
        {ref: reasons[0] for ref, reasons in by_hand.items()},
        _gather(corpus, slug, found.shown),
        _gather(corpus, slug, found.decides),
    )


def exercised(corpus: Corpus, slug: str) -> dict[str, tuple[str, ...]]:
    """Which tests and examples exercise each rule of a title."""
    tests = _exercised_by_tests(TESTS) if has_tests() else ()
    return _gather(corpus, slug, (*tests, *scanned(slug).played))


def has_tests() -> bool:
    """Whether the tests are at hand, and count as exercise."""
    return TESTS.is_dir() and (TESTS.parent / "pyproject.toml").is_file()


def _gather(corpus: Corpus, slug: str, found: Iterable[tuple[str, T]]) -> dict[str, tuple[T, ...]]:
    """What was found under each ref of the title, in book order; other words fall out."""
    by_ref: dict[str, dict[T, None]] = {}
    for word, thing in found:
        locator = word.partition("#")[0]
        ref = corpus.canonical(locator if ":" in locator else f"{slug}:{locator}")
        if ref is not None and ref.startswith(f"{slug}:"):
            by_ref.setdefault(ref, {})[thing] = None
    return {ref: tuple(by_ref[ref]) for ref in corpus.entries if ref in by_ref}


# Scanning the engine, once for each state of its files


def scanned(slug: str) -> Scan:
    """The scan of a title's engine: from the cache if it still fits, else made now."""
    stamp = _stamp(ENGINE / slug)
    with suppress(OSError, msgspec.DecodeError):
        kept = msgspec.msgpack.decode(_cached(slug).read_bytes(), type=Scan)
        if kept.stamp == stamp:
            return kept
    found = scan(slug, stamp)
    with suppress(OSError):  # a cache that cannot be written only costs time
        write_atomically(_cached(slug), msgspec.msgpack.encode(found))
    return found


def prepare(slug: str) -> None:
    """See that a scan is in the cache, without parsing anything in this process."""
    stamp = _stamp(ENGINE / slug)
    with suppress(OSError, msgspec.DecodeError):
        if msgspec.msgpack.decode(_cached(slug).read_bytes(), type=Scan).stamp == stamp:
            return
    subprocess.run(command("app.rules.linker", slug), check=True, capture_output=True)


def scan(slug: str, stamp: str = "") -> Scan:
    """Read a title's code, data, scope and examples."""
    folder = ENGINE / slug
    examples = tuple(_examples(slug))
    shown = [(ref, played) for played, example in examples for ref in example.refs]
    cited = [(r, played) for played, e in examples for step in e.steps for r in step.cites]
    tried = [(n, r, played) for played, e in examples for n, r in _tried(e)]
    return Scan(
        stamp,
        (*_cited_in_code(folder), *_cited_in_data(folder)),
        tuple(_scope(folder)),
        tuple(shown),
        tuple((ref, played.id) for ref, played in (*shown, *cited)),
        tuple([(ref, played) for _n, ref, played in sorted(tried, key=lambda one: one[0])]),
    )


def _cached(slug: str) -> Path:
    return cache_folder() / f"motore-{slug}.bin"


def _stamp(folder: Path) -> str:
    """Names, sizes and times of all that a scan reads."""
    digest = hashlib.blake2b(digest_size=16)
    for path in (Path(__file__), *sorted(folder.rglob("*.py")), *sorted(folder.rglob("*.yaml"))):
        stat = path.stat()
        digest.update(f"{path}:{stat.st_size}:{stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _calls(source: str) -> Iterator[tuple[ast.Call, str]]:
    """Every call in a module, in order, with the name of what is around it."""
    waiting: list[tuple[ast.AST, str]] = [(ast.parse(source), "")]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            around = f"{around}.{node.name}" if around else node.name
        elif isinstance(node, ast.Call):
            yield node, around
        waiting += [(child, around) for child in [*ast.iter_child_nodes(node)][::-1]]


def _literals(call: ast.Call) -> Iterator[str]:
    """The string literals among the arguments, also inside tuples, lists and conditions."""
    waiting: list[ast.AST] = [*call.args, *(keyword.value for keyword in call.keywords)]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict | ast.Starred | ast.IfExp):
            waiting += ast.iter_child_nodes(node)


def _cited_in_code(folder: Path) -> Iterator[tuple[str, Place]]:
    for path in sorted(folder.rglob("*.py")):
        file = path.relative_to(folder.parent.parent).as_posix()
        for call, function in _calls(path.read_text(encoding="utf-8")):
            for literal in _literals(call):
                if _LOCATOR.fullmatch(literal):
                    yield literal, Place(file, function)


def _cited_in_data(folder: Path) -> Iterator[tuple[str, Place]]:
    for path in sorted((folder / "data").rglob("*.yaml")):
        if "examples" in path.relative_to(folder).parts:
            continue
        file = path.relative_to(folder.parent.parent).as_posix()
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.lstrip().startswith("#"):
                for value in _DATA_REF.findall(line):
                    for ref in value.strip("[]").split(","):
                        yield ref.strip(" \"'"), Place(file)


def _scope(folder: Path) -> Iterator[tuple[str, str]]:
    path = folder / "scope.yaml"
    if path.is_file():
        yield from ((rule.ref, rule.reason) for rule in load(path, Scope).by_hand)


def _examples(slug: str) -> Iterator[tuple[Played, Example]]:
    """The playable examples of a title."""
    from engine.examples import packaged, read

    for path in packaged(slug):
        with suppress(DataErrors):  # told by `valida` and by the tests, with every fault
            example = read(path)
            yield Played(example.id, example.name, str(path)), example


def _tried(example: Example) -> Iterator[tuple[int, str]]:
    """The rules that an example applies once somebody has answered, with how many answers it
    takes: what its preparation applies cannot be tried."""
    answers = 0
    for step in example.steps:
        answers += step.answer is not None
        if answers:
            yield from ((answers, ref) for ref in step.cites)


@cache
def _exercised_by_tests(tests: Path) -> tuple[tuple[str, str], ...]:
    """The refs of `@pytest.mark.rule(…)`."""
    return tuple(_rule_marks(tests))


def _rule_marks(tests: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(tests.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "mark.rule" not in source:
            continue
        file = path.relative_to(tests.parent).as_posix()
        for call, function in _calls(source):
            match call.func:
                case ast.Attribute(ast.Attribute(attr="mark"), attr="rule"):
                    for literal in _literals(call):
                        yield literal, f"{file}:{function}"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        scanned(name)
