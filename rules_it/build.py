"""Builds the compiled corpus and the search index: `python -m rules_it.build FOLDER`.

A folder is finished elsewhere and renamed into place, so that nobody ever opens half of it. The
wheel carries one; in a checkout `ensure` keeps one per content of the sources in a cache folder,
and `open_texts` one with the texts alone.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from math import log
from pathlib import Path

import msgspec

from rules_it.corpus import (
    HERE,
    HOUSE,
    NUMBER,
    SLUGS,
    Corpus,
    CorpusError,
    Entry,
    Glossary,
    HouseRuling,
    Rule,
    RuleRef,
    Term,
    data_folder,
    read_yaml,
)
from rules_it.search import (
    ALIAS,
    ASKED,
    BELOW,
    FIELDS,
    KINDS,
    KNOWN,
    MEMBER,
    OWN_ALIAS,
    OWN_MEMBER,
    PARTICULAR,
    TABLES,
    WHOOSH,
    WORD,
    Analyzer,
    Lexicon,
    Phrases,
    Tables,
    fold,
    passages_of,
    phrases_in,
    rarity,
    said,
    stemmer,
    writer,
)

Progress = Callable[[int, int], None]  # entries done, entries in all
Command = Callable[..., list[str]]  # how to run a module of ours: its name, its arguments
Defined = dict[RuleRef, list[tuple[str, Term]]]  # the concepts that an entry defines
PACKAGED = HERE / "_compiled"
STAMP = "stamp.json"
WHOLE = "whole.json"
TEXTS = "testi-"  # folders that hold the texts alone begin so
TEXTUAL = (MEMBER, OWN_MEMBER)  # in a text these speak of the concept; aliases do only in queries
DAY = 24 * 60 * 60


class Common(Glossary, frozen=True, forbid_unknown_fields=True):
    """The `glossario.yaml` of all titles: terms, and what the analyzer must be told."""

    stop: str = msgspec.field(name="vuote", default="")
    joined: tuple[str, ...] = msgspec.field(name="unite", default=())
    apart: tuple[str, ...] = msgspec.field(name="divise", default=())
    strange: str = msgspec.field(name="estranee", default="")


# --- the words ------------------------------------------------------------------------------


def lexicon_of(corpus: Corpus, common: Common) -> Lexicon:
    """Every word of the texts and glossaries, with its stem."""
    counts: Counter[str] = Counter()
    for entry in corpus.entries.values():
        for parts in texts_of(corpus, entry).values():
            counts.update(_words(parts))
    glossaries = [common.terms, *(book.terms for book in corpus.books.values())]
    for term in (term for terms in glossaries for term in terms):
        for word in _words([*names(term), *term.aliases]):
            counts.setdefault(word, 1)
    stop = set(common.stop.split())
    apart = {word: fold(line.split()[0]) for line in common.apart for word in line.split()}
    joined: dict[str, str] = {}
    for line in common.joined:
        stems = [stemmer()(word) for word in line.split()]
        root = next((joined[stem] for stem in stems if stem in joined), stems[0])
        joined.update(dict.fromkeys(stems, root))
    rising = sorted(counts, key=counts.__getitem__)
    accents = {fold(word): word for word in (*rising, *sorted(stop)) if not word.isascii()}
    words = dict.fromkeys(sorted(counts), "")
    lexicon = Lexicon(stop, apart, joined, words, [counts[word] for word in words], accents, set())
    lexicon.words = {word: Analyzer(lexicon).compute(word) for word in words}
    lexicon.strange = set(Analyzer(lexicon).stems(common.strange))
    return lexicon


def _words(texts: Iterable[str]) -> Iterator[str]:
    return (word.lower() for text in texts for word in WORD.findall(text))


def names(term: Term) -> tuple[str, ...]:
    """The names of a term that stand for each other."""
    return (term.term, *term.english, *term.variants)


def phrases_of(corpus: Corpus, common: Common, analyzer: Analyzer) -> tuple[Phrases, Defined]:
    """What every phrase of the glossaries means, and which terms a rule defines.

    A concept of one title is named `toi§12`, one of all titles `§12`, or by the only stem that it
    has in texts.
    """
    found: dict[tuple[str, str], int] = {}
    defined: Defined = {}
    scopes = [("", common.terms, MEMBER, ALIAS)]
    scopes += [(slug, b.terms, OWN_MEMBER, OWN_ALIAS) for slug, b in corpus.books.items()]
    for scope, terms, member, alias in scopes:
        for number, term in enumerate(terms):
            said = {" ".join(analyzer.stems(name)) for name in names(term)}
            alone = not scope and len(said) == 1 and " " not in min(said)
            concept = min(said) if alone else f"{scope}§{number}"
            for name in term.aliases:
                stems = analyzer.stems(name)
                if len(stems) > 1 or " " not in name:
                    found[" ".join(stems), concept] = alias
            found.update({(key, concept): member for key in said if key != concept})
            definition = corpus.canonical(term.definition or "")
            if definition:
                defined.setdefault(definition, []).append((concept, term))
    phrases: Phrases = {}
    for (key, concept), kind in found.items():
        if key:
            phrases.setdefault(key.split()[0], []).append((key.split(), concept, kind))
    return phrases, defined


# --- the documents --------------------------------------------------------------------------


def texts_of(corpus: Corpus, entry: Entry) -> dict[str, list[str]]:
    """The texts of an entry by field, before analysis."""
    texts = {
        "title": [entry.title],
        "words": [*entry.words],
        "questions": [*entry.questions],
        "text": [corpus.plain(entry.id)],
        "heading": [],
        "examples": [],
    }
    parent = corpus.parent(entry.id)
    if parent:
        texts["heading"].append(corpus.entries[parent].title)
    chapter = corpus.chapter_of(entry.id)
    if chapter:
        texts["heading"].append(chapter.title)
    if isinstance(entry, Rule):
        texts["heading"].append(entry.source.heading)
        texts["examples"] += entry.examples
    else:
        texts["examples"].append(entry.reason)
    return texts


def numbers_of(corpus: Corpus, ref: RuleRef) -> list[str]:
    """The rule's number, thrice, and those it stands under: 6.31, 6.3, 6."""
    chain: list[str] = [ref] * 3
    while parent := corpus.parent(chain[-1]):
        chain.append(parent)
    found = (NUMBER.search(above.partition(":")[2]) for above in chain)
    return [match.group() for match in found if match]


def bags_of(
    corpus: Corpus, ref: RuleRef, analyzer: Analyzer, phrases: Phrases, defined: Defined
) -> dict[str, list[str]]:
    """The stems and concepts of an entry by field."""
    texts = texts_of(corpus, corpus.entries[ref])
    for _, term in defined.get(ref, ()):
        texts["words"] += [*names(term), *term.aliases]
        texts["examples"].append(term.explanation)
    bags = {"number": numbers_of(corpus, ref)}
    for name, parts in texts.items():
        bags[name] = []
        for stems in map(analyzer.stems, parts):
            meant = (p.concept for p in phrases_in(stems, phrases) if p.kind in TEXTUAL)
            scopes = ("", ref.partition(":")[0])
            bags[name] += [*stems, *(c for c in meant if c.partition("§")[0] in scopes)]
    bags["words"] += [concept for concept, _ in defined.get(ref, ())]
    return bags


def weights_of(bags: list[dict[str, list[str]]]) -> Iterator[dict[str, float]]:
    """The weight of every term of every entry: times, by field weight, by field length (BM25F)."""
    sizes = [{n: sum("§" not in t for t in bag[n]) or 1 for n in FIELDS} for bag in bags]
    filled = {n: [size[n] for size, bag in zip(sizes, bags, strict=True) if bag[n]] for n in FIELDS}
    mean = {name: sum(found) / len(found) for name, found in filled.items() if found}
    for bag, size in zip(bags, sizes, strict=True):
        weights: dict[str, float] = {}
        for name, (boost, b) in FIELDS.items():
            for term in bag[name]:
                weight = boost / (1 - b + b * size[name] / mean[name])
                weights[term] = weights.get(term, 0.0) + weight
        yield weights


def questions_of(
    corpus: Corpus, analyzer: Analyzer, phrases: Phrases, bags: list[dict[str, list[str]]]
) -> list[list[tuple[str, float]]]:
    """The title and the questions of every entry as bags of terms, each with what it weighs."""
    found_in = Counter(term for bag in bags for term in set().union(*bag.values()))
    questions: list[list[tuple[str, float]]] = []
    for entry in corpus.entries.values():
        questions.append([])
        for stems in map(analyzer.stems, (entry.title, *entry.questions)):
            scopes = ("", entry.id.partition(":")[0])
            meant = {phrase.concept for phrase in phrases_in(stems, phrases)}
            concepts = {c for c in meant if "§" not in c or c.partition("§")[0] in scopes}
            size = sum(rarity(found_in[stem], len(bags)) for stem in set(stems))
            questions[-1].append((" ".join([*stems, *sorted(concepts)]), round(size, 3)))
    return questions


def links_of(corpus: Corpus) -> list[list[int]]:
    """By number, the entries that each is linked with, either way."""
    places = {ref: number for number, ref in enumerate(corpus.entries)}
    links = [{*corpus.links(ref), *corpus.backlinks(ref)} for ref in places]
    return [sorted(places[other] for other in found) for found in links]


def worth_of(corpus: Corpus) -> list[float]:
    """What each entry is worth before anything is asked, by its kind and by how many lead to it."""
    found = []
    for ref, entry in corpus.entries.items():
        kind = KINDS.get(entry.kind if isinstance(entry, Rule) else HOUSE, 1.0)
        known = min(1.0, log(1 + len(corpus.backlinks(ref))) / log(20))
        found.append(round(kind * (1 + KNOWN * known), 4))
    return found


def under_of(corpus: Corpus) -> dict[int, tuple[float, list[int]]]:
    """House rulings and FAQ come after the rules that they touch, particular rules after the
    general one of their family (`mine-uscita` after `mine`), if those score as much as is said."""
    places = {ref: number for number, ref in enumerate(corpus.entries)}
    found: dict[int, tuple[float, list[int]]] = {}
    for ref, entry in corpus.entries.items():
        general = places.get(RuleRef(ref.rpartition("-")[0]))
        if isinstance(entry, HouseRuling) or entry.kind == "faq":
            share = BELOW if isinstance(entry, HouseRuling) else ASKED
            found[places[ref]] = share, [places[about] for about in entry.about if about in places]
        elif general is not None:
            found[places[ref]] = PARTICULAR, [general]
    return found


def write_index(corpus: Corpus, common: Common, folder: Path, progress: Progress) -> None:
    """Write index and tables of a corpus into a folder."""
    lexicon = lexicon_of(corpus, common)
    analyzer = Analyzer(lexicon)
    phrases, defined = phrases_of(corpus, common, analyzer)
    whoosh = writer(folder)
    bags = [bags_of(corpus, ref, analyzer, phrases, defined) for ref in corpus.entries]
    entries = zip(corpus.entries.values(), weights_of(bags), strict=True)
    for done, (entry, weights) in enumerate(entries, 1):
        kind = entry.kind if isinstance(entry, Rule) else HOUSE
        terms = "\n".join(f"{term} {weight:.4f}" for term, weight in weights.items())
        whoosh.add_document(ref=entry.id, book=entry.id.partition(":")[0], kind=kind, all=terms)
        progress(done, len(bags))
    whoosh.commit(optimize=True)
    lines = [corpus.plain(ref) for ref in corpus.entries]
    texts = [text.replace("\n", " ") for text in lines]
    tables = Tables(
        lexicon,
        phrases,
        list(corpus.entries),
        texts,
        [msgspec.msgpack.encode(said(analyzer, text)) for text in texts],
        [passages_of(text) for text in lines],
        links_of(corpus),
        under_of(corpus),
        questions_of(corpus, analyzer, phrases, bags),
        worth_of(corpus),
    )
    (folder / TABLES).write_bytes(msgspec.msgpack.encode(tables))


# --- folders --------------------------------------------------------------------------------


def build(folder: Path, sources: Path = HERE, progress: Progress = lambda done, of: None) -> None:
    """Build into a folder that does not exist yet; if another process is faster, its one stays."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
    try:
        corpus = Corpus.read(sources)
        write_index(corpus, read_yaml(sources / "glossario.yaml", Common), made, progress)
        corpus.save(made)
        (made / WHOOSH / "MAIN_WRITELOCK").unlink(missing_ok=True)
        (made / WHOLE).write_bytes(msgspec.json.encode(_marks(made)))
        try:
            made.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(made, ignore_errors=True)


def ensure(
    cache: Path,
    progress: Progress | None = None,
    sources: Path = HERE,
    command: Command | None = None,
) -> Path:
    """A folder that fits the sources: the packaged one, or one in the cache, built if need be.

    With a command it is built in a process of its own: a thread would make the screen stutter.
    In an installed package nothing is checked. In a checkout names, sizes and times of the sources
    are compared, and their content only when those changed.
    """
    if _is_packaged(sources):
        return PACKAGED
    base = _base(cache)
    files = source_files(sources)
    stamp = _stamp(files)
    key = _stamped(base, stamp)
    if key is None or not _is_whole(base / key):
        key = _key(files)
        if not _is_whole(base / key):
            _clear(base / key)
            heard = progress or (lambda done, of: None)
            if command is None:
                build(base / key, sources, heard)
            else:
                _build_apart(base / key, sources, heard, command)
            _forget_old(base, key)
        _write_stamp(base, stamp, key)
    return _private(base / key)


def open_texts(cache: Path, sources: Path = HERE) -> Corpus:
    """The texts without their index: in a checkout compiled here and now, if they changed.

    That takes a fraction of what the index takes, and who opens one rule needs no index.
    """
    if _is_packaged(sources):
        return Corpus.load(PACKAGED)
    base = _base(cache)
    folder = base / f"{TEXTS}{_stamp(source_files(sources))}"
    with suppress(CorpusError):
        return Corpus.load(folder)
    corpus = Corpus.read(sources)
    with suppress(OSError):  # a cache that cannot be written only costs time
        _keep_texts(corpus, folder)
    return corpus


def _keep_texts(corpus: Corpus, folder: Path) -> None:
    made = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
    try:
        corpus.save(made)
        _clear(folder)
        made.rename(folder)
        _forget_old(folder.parent, folder.name)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _is_packaged(sources: Path) -> bool:
    """Do the texts come with what is built from them? In a checkout that may be out of date."""
    return sources == HERE and PACKAGED.is_dir() and not (HERE.parent / "pyproject.toml").exists()


def _base(cache: Path) -> Path:
    base = cache / "regole"
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    return base


def source_files(sources: Path) -> list[Path]:
    """Everything that decides what is built: texts, data of their tables, and the code for it."""
    texts = [sources / "glossario.yaml"]
    for slug in SLUGS:
        texts += sorted((sources / slug).glob("*.yaml"))
        data = data_folder(sources / slug)
        texts += [*sorted(data.glob("*.yaml")), *sorted(data.glob("scenarios/*.yaml"))]
    return [*texts, *(HERE / f"{name}.py" for name in ("corpus", "tables", "search", "build"))]


def _stamp(files: Iterable[Path]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for file in files:
        stat = file.stat()
        digest.update(f"{file}:{stat.st_size}:{stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _key(files: Iterable[Path]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for file in files:
        content = file.read_bytes()
        place = "/".join(file.parts[-3:])
        digest.update(f"{place}:{len(content)}\n".encode() + content)
    return digest.hexdigest()


def _stamped(base: Path, stamp: str) -> str | None:
    """The key stored for sources with this stamp."""
    try:
        found = msgspec.json.decode((base / STAMP).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        return None
    return found.get(stamp)


def _write_stamp(base: Path, stamp: str, key: str) -> None:
    handle, name = tempfile.mkstemp(dir=base)
    with os.fdopen(handle, "wb") as file:
        file.write(msgspec.json.encode({stamp: key}))
    Path(name).replace(base / STAMP)


def _build_apart(folder: Path, sources: Path, progress: Progress, command: Command) -> None:
    import subprocess

    with subprocess.Popen(
        command("rules_it.build", str(folder), str(sources)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    ) as child:
        said = []
        for line in child.stdout or ():
            done, _, of = line.strip().partition("/")
            if done.isdigit() and of.isdigit():
                progress(int(done), int(of))
            else:
                said.append(line.strip())
    if child.returncode or not folder.is_dir():
        raise CorpusError(said[-1] if said else f"{folder}: not built")


def _marks(folder: Path) -> dict[str, int]:
    """A checksum for each file of a folder."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != WHOLE)
    return {path.relative_to(folder).as_posix(): zlib.crc32(path.read_bytes()) for path in files}


def _is_whole(folder: Path) -> bool:
    """Whether a folder is there as it was made: one that a full disk or a crash has spoiled
    would only fail at some later search."""
    try:
        kept = msgspec.json.decode((folder / WHOLE).read_bytes(), type=dict[str, int])
        return kept == _marks(folder)
    except (OSError, msgspec.DecodeError):
        return False


def _clear(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _private(folder: Path) -> Path:
    """The folder, if nobody else can write to it: an index holds pickles."""
    stat = folder.stat()
    if hasattr(os, "getuid") and (stat.st_uid != os.getuid() or stat.st_mode & 0o022):
        raise CorpusError(f"{folder}: others can write here")
    return folder


def _forget_old(base: Path, key: str) -> None:
    """Remove what is older than a day, if it is of the kind that has just been made again."""
    for folder in base.iterdir():
        is_alike = folder.is_dir() and folder.name.startswith(TEXTS) == key.startswith(TEXTS)
        if is_alike and folder.name != key and time.time() - folder.stat().st_mtime > DAY:
            shutil.rmtree(folder, ignore_errors=True)


def main(arguments: list[str]) -> int:
    """Build the folder named, from the sources named or our own; print the progress."""
    if len(arguments) not in (1, 2):
        sys.stderr.write("usage: python -m rules_it.build FOLDER [SOURCES]\n")
        return 2
    folder = Path(arguments[0])
    sources = Path(arguments[1]) if len(arguments) == 2 else HERE

    def progress(done: int, of: int) -> None:
        if done % 25 == 0 or done == of:
            sys.stdout.write(f"{done}/{of}\n")
            sys.stdout.flush()

    try:
        build(folder, sources, progress)
    except CorpusError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
