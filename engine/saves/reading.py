"""Reading a save file: what it says, as far as it can be trusted, before any rule is asked."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from engine.core.rules import Entry
from engine.core.text import N_, Msg
from engine.saves.lines import (
    MARKED,
    READ,
    Header,
    Ledger,
    Line,
    Marks,
    Note,
    SaveError,
    decode,
    entry_of,
    follows,
    note_of,
    split_marks,
)
from engine.saves.seal import BrokenSeal, unsealed

LARGEST = 32 * 1024 * 1024
MOST_LINES = 400_000
SEALED = b'{"s":'


class Snapshot(msgspec.Struct, frozen=True):
    """A resting state as plain data, after so many entries and so many dice and draws; `schema`
    tells the shape that states had."""

    entries: int
    state: dict[str, Any]
    schema: str = ""
    rolled: int = 0


class Damage(msgspec.Struct, frozen=True):
    """The first line that cannot be trusted, and how many of all lines were used without it.

    After a bad line nothing is used but a snapshot; only the header has a copy.
    """

    line: int
    msg: Msg
    good: int
    lines: int


class Record(msgspec.Struct, frozen=True):
    """What a save file says, before any rule is asked about it."""

    header: Header
    entries: tuple[Entry, ...]
    digests: dict[int, str]
    snapshot: Snapshot | None = None
    start: Snapshot | None = None
    notes: tuple[Note, ...] = ()
    warnings: tuple[tuple[int, Msg], ...] = ()
    damage: Damage | None = None
    ledger: Ledger | None = None


def read(path: Path) -> Record:
    """Read a save file; SaveError for anything that is not one."""
    return parse(content_of(path))


def content_of(path: Path) -> bytes:
    """The bytes of a file that may be a game; SaveError if it cannot be one."""
    try:
        if not path.is_file():
            raise SaveError(N_("There is no such file."))
        if path.stat().st_size > LARGEST:
            raise SaveError(N_("The file is too large to be a saved game."))
        return path.read_bytes()
    except OSError as error:
        raise SaveError(N_("The file cannot be read.")) from error


def header_in(line: bytes) -> Header:
    """The header that a first line holds, for lists of games; SaveError if it holds none."""
    split = split_marks(line.rstrip(b"\n"))
    return decode(split[0] if split is not None else line, 1, Header)


def parse(content: bytes) -> Record:
    """The content of a save file. One that is damaged is read up to its first bad line."""
    lines = content.split(b"\n")
    if _is_cut_short(lines[-1]):
        lines.pop()
    if not lines:
        raise SaveError(N_("The file is not a saved game."))
    if len(lines) > MOST_LINES:
        raise SaveError(N_("The file is too large to be a saved game."))
    return _Reading(lines).record()


def _is_cut_short(last: bytes) -> bool:
    """Whether what follows the last newline is nothing, or a line that a crash cut short."""
    return MARKED.search(last) is None and not any(byte < 0x20 for byte in last)


class _Bad(Exception):
    """A line that cannot be used, and why."""

    def __init__(self, msgid: str) -> None:
        super().__init__(msgid)
        self.msg = Msg(msgid)


class _Reading:
    """One pass over the lines of a file."""

    def __init__(self, lines: list[bytes]) -> None:
        self._lines = lines
        self._marks = Marks()
        self._damage: Damage | None = None
        self._has_end = False
        self._entries: list[Entry] = []
        self._digests: dict[int, str] = {}
        self._notes: list[Note] = []
        self._warnings: list[tuple[int, Msg]] = []
        self._snapshot: Snapshot | None = None
        self._start: Snapshot | None = None
        self._ledger: Ledger | None = None
        self._header = self._first_line()
        self._studio = self._header.studio

    def record(self) -> Record:
        """What the file says up to its first bad line."""
        for number, raw in enumerate(self._lines[1:], start=2):
            try:
                line = self._trusted(raw)
                self._take(line)
            except _Bad as bad:
                self._damage = self._damaged(number, bad.msg)
                self._look_after(number)
                break
        if self._header.format > 1 and self._damage is None and not self._has_end:
            # every file is first written whole, with a snapshot at its end
            missing = Msg(N_("The end of the file is missing."))
            self._damage = self._damaged(len(self._lines) + 1, missing)
        header = msgspec.structs.replace(self._header, studio=self._studio)
        return Record(
            header,
            tuple(self._entries),
            self._digests,
            self._snapshot,
            self._start,
            tuple(self._notes),
            tuple(self._warnings),
            self._damage,
            self._ledger,
        )

    # The header

    def _first_line(self) -> Header:
        """The header; where it is damaged, the copy of it further down."""
        try:
            header = self._read_header(self._lines[0])
        except SaveError:
            copy = self._copy_of_header()
            if copy is None:
                raise
            self._damage = self._damaged(1, Msg(N_("The line was changed.")))
            self._marks.marked(copy)
            return decode(copy, 1, Header)
        return header

    def _read_header(self, raw: bytes) -> Header:
        split = split_marks(raw)
        header = decode(split[0] if split is not None else raw, 1, Header)
        if header.format not in READ:
            raise SaveError(N_("The save has format {found}, this program reads {known}."), 1,
                            found=header.format, known=READ[-1])  # fmt: skip
        if header.format > 1 and (split is None or not self._marks.is_next(*split[1:])):
            raise SaveError(N_("The line was changed."), 1)
        return header

    def _copy_of_header(self) -> bytes | None:
        """The header as it was written, from the line that repeats it."""
        before = b'{"intestazione":'
        for raw in self._lines[1:]:
            split = split_marks(raw)
            with suppress(SaveError, BrokenSeal):
                body = _bared(split[0]) if split is not None else b""
                if body.startswith(before):
                    return body[len(before) : -1]
        return None

    # The other lines

    def _trusted(self, raw: bytes) -> Line:
        """A line whose marks are whole; in files of format 1 any line that can be read."""
        if self._header.format > 1:
            split = split_marks(raw)
            if split is None:
                raise _Bad(N_("The line was changed."))
            raw, own, chain = split
            if not self._marks.is_next(own, chain):
                raise _Bad(self._out_of_place(own, chain))
        return self._open(raw)

    def _open(self, raw: bytes) -> Line:
        try:
            return decode(_bared(raw), 0, Line)
        except SaveError as error:
            raise _Bad(error.msg.id) from error
        except BrokenSeal as error:
            raise _Bad(N_("The seal of the line is broken.")) from error

    def _out_of_place(self, own: str, chain: str) -> str:
        """A whole line that does not follow the one before it."""
        elsewhere = (split_marks(raw) for raw in self._lines)
        if any(one is not None and follows(one[2], own, chain) for one in elsewhere):
            return N_("The line stands in another place than it was written.")
        return N_("Before this line at least one is missing.")

    def _take(self, line: Line) -> None:
        entry = entry_of(line)
        if entry is not None:
            self._entries.append(entry)
        elif line.rest is not None:
            self._digests[len(self._entries)] = line.rest
        elif line.after is not None and (line.note is not None or line.warning is not None):
            self._take_words(line, line.after)
        elif line.keep is not None:
            self._keep(line.keep)
        elif line.studio is not None:
            self._studio = line.studio
        elif line.snapshot is not None and line.after is not None:
            self._snapshot = Snapshot(line.after, line.snapshot, line.schema, line.rolled)
            self._has_end = True
        elif line.start is not None and not self._entries:
            self._start = Snapshot(0, line.start, line.schema, line.rolled)
        elif line.ledger is not None:
            self._ledger = line.ledger
        elif line.header is None:
            raise _Bad(N_("The line says nothing."))

    def _take_words(self, line: Line, after: int) -> None:
        try:
            if line.note is not None:
                self._notes.append(note_of(line.note, after))
            if line.warning is not None:
                self._warnings.append((after, line.warning.msg()))
        except ValueError as error:
            raise _Bad(N_("The line cannot be read.")) from error

    def _keep(self, keep: int) -> None:
        """An undo: what came later does not hold."""
        if not 0 <= keep <= len(self._entries):
            raise _Bad(N_("An undo goes back beyond the start."))
        del self._entries[keep:]
        self._digests = {n: value for n, value in self._digests.items() if n <= keep}
        self._notes = [note for note in self._notes if note.entries < keep]
        if self._snapshot is not None and self._snapshot.entries > keep:
            self._snapshot = None

    # Damage

    def _damaged(self, number: int, msg: Msg) -> Damage:
        good = number - 1 if number > 1 else len(self._lines) - 1
        return Damage(number, msg, good, len(self._lines))

    def _look_after(self, number: int) -> None:
        """The last snapshot and the last ledger after the damage whose own lines are whole."""
        later: list[Line] = []
        for raw in self._lines[number:]:
            split = split_marks(raw)
            if split is not None:
                with suppress(_Bad):
                    later.append(self._open(split[0]))
        for line in later:
            if line.snapshot is not None and line.after is not None:
                self._snapshot = Snapshot(line.after, line.snapshot, line.schema, line.rolled)
            self._ledger = line.ledger or self._ledger


def _bared(body: bytes) -> bytes:
    """A line without its seal; one that has none as it is."""
    if not body.startswith(SEALED):
        return body
    return unsealed(decode(body, 0, Line).sealed or "")
