"""The user's own data files: which cannot be used and why. They are left out, and ours serve.

A try-out runs in a process of its own, because data are read while a title is imported; what it
found is kept in the cache until a file changes.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from app import __version__
from app.shell import i18n, paths
from app.shell.child import command
from app.shell.i18n import _, say_of_file
from engine.core.files import (
    LEFT_OUT,
    OWN_DATA,
    our_file,
    replaceable,
    slugs,
    write_atomically,
)

if TYPE_CHECKING:
    from engine.core.data import Fault
    from engine.core.title import Title

CITING = ("ref", "refs", "cita", "vietate")
"""The keys of data files under which refs stand."""
SECONDS = 120
"""A try-out that takes longer has lost its way."""


class Told(msgspec.Struct, frozen=True):
    """A fault of a data file, in words; `word` is what to look for where it has no line."""

    file: str
    path: str
    line: int
    text: str
    word: str = ""

    def __str__(self) -> str:
        """The fault on one line, as compilers write it."""
        return f"{self.file}:{self.line}: {self.path}: {self.text}"


class Verdict(msgspec.Struct, frozen=True):
    """What is wrong with the files of a folder, and which are left out for it."""

    of: str = ""
    faults: tuple[Told, ...] = ()
    left_out: tuple[str, ...] = ()


def admit() -> Verdict:
    """Let the user's files take the place of ours, but for those that cannot be used."""
    folder = paths.own_data_folder()
    found = {slug: _replaced(folder, slug) for slug in slugs()}
    if not any(found.values()):
        return Verdict()
    verdict = _kept(_fingerprint(folder, found))
    if verdict is None:
        verdict = _judge(folder, found)
        with suppress(OSError):  # a cache that cannot be written only costs time
            write_atomically(_cache(), msgspec.json.encode(verdict))
    os.environ[OWN_DATA] = str(folder)
    os.environ[LEFT_OUT] = os.pathsep.join(verdict.left_out)
    return verdict


def advice() -> str:
    """What to do about files that were left out."""
    return _("Mend the file, or take it away: without it the program uses its own.")


def tell(faults: Iterable[Fault]) -> tuple[Told, ...]:
    """Faults of the engine in words."""
    return tuple(
        Told(f.file, f.path, f.line, say_of_file(f.msg), str(f.msg.facts.get("name", "")))
        for f in faults
    )


def faults_of(path: Path, title: Title[Any]) -> tuple[Told, ...]:
    """Everything wrong with a scenario, map, table or example file, in the order of its lines."""
    if is_example(path):
        from engine.examples import check as check_example

        found = tell(check_example(title, path))
    elif name := stands_for(path, title.info.slug):
        found = check(path, title.info.slug, name)
    else:
        found = tell(title.validate(path))
    refs = unknown_refs(path, title.info.slug)
    return tuple(sorted((*found, *refs), key=lambda fault: fault.line))


def is_example(path: Path) -> bool:
    """Whether a file holds a position to play from."""
    return "posizione" in _keys(path)


def unknown_refs(path: Path, slug: str) -> tuple[Told, ...]:
    """The rules that a file of a title cites and no book has."""
    from app.rules.library import LIBRARY
    from engine.core.data import DataErrors, Document, unknown_word

    with suppress(DataErrors):
        doc = Document(path)
        corpus = LIBRARY.open_corpus()
        for where, ref in _cited(doc.value, "$", False):
            has_book = ref.partition(":")[0] != slug or slug in corpus.books
            if has_book and corpus.entry(ref) is None:
                doc.fault(where, unknown_word(ref, corpus.entries))
        return tell(doc.faults)
    return ()


def _cited(value: Any, path: str, is_ref: bool) -> Iterator[tuple[str, str]]:
    """The refs in a document, with their paths."""
    if isinstance(value, str):
        if is_ref:
            yield path, value
    elif isinstance(value, list):
        for n, item in enumerate(value):
            yield from _cited(item, f"{path}[{n}]", is_ref)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _cited(item, f"{path}.{key}", is_ref or key in CITING)


def stands_for(path: Path, slug: str) -> str:
    """The data file of ours whose place a file would take; empty for a map that no scenario of
    ours uses."""
    given = _keys(path)
    ours = replaceable(slug)
    named = [name for name in ours if name.split("/")[-1] == path.name]
    inside = [name for name in named if name.split("/")[-2] == path.absolute().parent.name]
    if inside or len(named) == 1:
        return (inside or named)[0]
    scenarios = [name for name in ours if name.split("/")[1] == "scenarios"]
    return max(named or scenarios, key=lambda name: len(given & _keys(our_file(name))), default="")


def _keys(path: Path) -> set[str]:
    """The keys of a file, as far as it can be read."""
    from engine.core.data import DataErrors, Document

    with suppress(DataErrors):
        value = Document(path).value
        return set(value) if isinstance(value, dict) else set()
    return set()


def check(path: Path, slug: str, name: str) -> tuple[Told, ...]:
    """What is wrong with a file that would take the place of `name`, beside the other own files."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for other in _replaced(paths.own_data_folder(), slug):
            own = paths.own_data_folder() / other
            if own.is_file():
                (folder / other).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(own, folder / other)
        copy = folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        left_out = os.environ.get(LEFT_OUT, "").split(os.pathsep)
        faults = _try_out(folder, [slug], [one for one in left_out if one != name])
        return tuple(_told(fault, path, fault.file == str(copy)) for fault in faults)


def _judge(folder: Path, found: dict[str, list[str]]) -> Verdict:
    """Leave out file after file until every title starts."""
    faults = [
        Told(str(folder / name), "$", 1, _("this is not a file that can be read"))
        for names in found.values()
        for name in names
        if not (folder / name).is_file()
    ]
    left_out: list[str] = []
    if _try_out(folder, [slug for slug, names in found.items() if names], ()):
        for slug, names in found.items():
            files = [name for name in names if (folder / name).is_file()]
            faults += _leave_out(folder, slug, files, left_out)
    return Verdict(_fingerprint(folder, found), tuple(faults), tuple(left_out))


def _leave_out(folder: Path, slug: str, names: list[str], left_out: list[str]) -> Iterator[Told]:
    """Leave out files of a title until it starts; what is wrong with each."""
    while names and (wrong := _try_out(folder, [slug], left_out)):
        named = {fault.file for fault in wrong}
        out = [name for name in names if str(folder / name) in named]
        out = out or _culprits(folder, slug, names, left_out)
        for name in out:
            path = folder / name
            own = [fault for fault in wrong if fault.file == str(path)]
            yield from own or [_told(wrong[0], path, False)]
        left_out += out
        names = [name for name in names if name not in out]


def _culprits(folder: Path, slug: str, names: list[str], left_out: list[str]) -> list[str]:
    """The file without which a title starts; all of them where no single one is to blame."""
    if len(names) > 1:
        for name in names:
            if not _try_out(folder, [slug], [*left_out, name]):
                return [name]
    return names


def _told(fault: Told, path: Path, is_named: bool) -> Told:
    """A fault as one of this file, at the line where the word that nobody knows stands, if it is
    the only one."""
    if is_named:
        return msgspec.structs.replace(fault, file=str(path))
    lines: list[int] = []
    with suppress(OSError, UnicodeError):
        word = re.compile(rf"(?<!\w){re.escape(fault.word)}(?!\w)") if fault.word else None
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            lines += [number] * len(word.findall(text)) if word else []
    return Told(str(path), "$", lines[0] if len(lines) == 1 else 1, fault.text)


def _replaced(folder: Path, slug: str) -> list[str]:
    """The files of ours that have one of the same name in the user's folder."""
    if not (folder / slug).is_dir():
        return []
    return [name for name in replaceable(slug) if os.path.lexists(folder / name)]


def _fingerprint(folder: Path, found: dict[str, list[str]]) -> str:
    """Changes whenever a verdict might."""
    parts: list[object] = [__version__, i18n.catalog().language, str(folder)]
    for name in (name for names in found.values() for name in names):
        known = (folder / name).lstat()
        parts.append((name, known.st_mode, known.st_size, known.st_mtime_ns, known.st_ctime_ns))
    return repr(parts)


def _cache() -> Path:
    return paths.cache_folder() / "dati.json"


def _kept(fingerprint: str) -> Verdict | None:
    with suppress(OSError, msgspec.DecodeError):
        verdict = msgspec.json.decode(_cache().read_bytes(), type=Verdict)
        return verdict if verdict.of == fingerprint else None
    return None


def _try_out(folder: Path, slugs: list[str], left_out: Iterable[str]) -> list[Told]:
    """What a process of its own finds when it starts the titles with these files."""
    import subprocess  # the way in stays short

    given = {OWN_DATA: str(folder), LEFT_OUT: os.pathsep.join(left_out)}
    try:
        done = subprocess.run(
            command("app.shell.own_data", i18n.catalog().language, *slugs),
            env=os.environ | given, capture_output=True, timeout=SECONDS, check=False
        )  # fmt: skip
        return msgspec.json.decode(done.stdout, type=list[Told])
    except subprocess.TimeoutExpired:
        return [Told("", "$", 1, _("a game with it does not get going"))]
    except msgspec.DecodeError:
        return [Told("", "$", 1, _("the game stops with it"))]


def main(language: str, *slugs: str) -> None:
    """The process of its own."""
    from engine.tryout import try_out

    i18n.use(language)
    found = [told for slug in slugs for told in tell(try_out(slug))]
    sys.stdout.write(msgspec.json.encode(found).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
