"""A game's file, kept up with the game.

What is written is on the disk before the next question is asked. Where it cannot be written the
game goes on in memory, the player is told, and the file is made whole as soon as there is room.
Nobody's answers are ever written over: a file that another hand has touched is left alone.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from engine.core.files import write_all, write_atomically
from engine.core.rules import Entry
from engine.core.text import N_, Msg, PlainMsg
from engine.game import Game, digest
from engine.saves.lines import Header, Ledger, Line, Marks, Note, line_of, line_of_note
from engine.saves.lock import Lock
from engine.saves.reading import Snapshot
from engine.saves.replaying import snapshot_of
from engine.saves.seal import sealed


class Told(msgspec.Struct, frozen=True):
    """Something about the file that the player must hear; the system's reason goes into `why`."""

    msg: Msg
    error: OSError | None = None


class SaveFile:
    """The file of a game that is being played: `sync` after every answer.

    `told` collects what the player must hear about it.
    """

    def __init__(
        self,
        path: Path,
        header: Header,
        *,
        start: Snapshot | None = None,
        warnings: Sequence[tuple[int, Msg]] = (),
        ledger: Ledger | None = None,
        lock: Lock | None = None,
    ) -> None:
        self.path = path
        self.header = header
        self.ledger = ledger
        self.told: list[Told] = []
        self._start = start
        self._warnings = warnings
        self._lock = lock
        self._marks = Marks()
        self._written: tuple[Entry, ...] = ()
        self._notes = 0
        self._studio = header.studio
        self._left: tuple[int, int] | None = None
        self._trouble: OSError | None = None
        self._is_settled = True

    @classmethod
    def create(
        cls, path: Path, header: Header, game: Game[Any], notes: Sequence[Note] = (), **rest: Any
    ) -> SaveFile:
        """Write a whole file at once, in place of any other."""
        save = cls(path, header, **rest)
        save.rewrite(game, notes)
        return save

    def elsewhere(self, path: Path, game: Game[Any], notes: Sequence[Note]) -> SaveFile:
        """The same in another place."""
        rest = {"start": self._start, "warnings": self._warnings, "ledger": self.ledger}
        return SaveFile.create(path, self.header, game, notes, **rest)

    # Writing

    def sync(self, game: Game[Any], notes: Sequence[Note] = (), *, settle: bool = True) -> None:
        """Append what happened since the last time; with `settle`, see it safely on the disk."""
        if self._trouble is not None or self._is_another():
            self.rewrite(game, notes)
            return
        lines = self._news(game, notes)
        if not lines and (self._is_settled or not settle):
            return
        try:
            with open(self.path, "ab", buffering=0) as file:
                write_all(file, self._text(lines))
                if settle:
                    os.fsync(file.fileno())
            self._is_settled = settle
            self._left = _state_of(self.path)
        except OSError as error:
            self._left = _state_of(self.path)
            self._fail(error)

    def rewrite(self, game: Game[Any], notes: Sequence[Note] = ()) -> None:
        """Write the file anew, compact and with a snapshot; the old one stays until it is whole."""
        try:
            if self._is_another():
                self._move_aside()
            write_atomically(self.path, self._whole(game, notes))
            self._left = _state_of(self.path)
        except OSError as error:
            self._fail(error)
            return
        self._is_settled = True
        if self._trouble is not None:
            self._trouble = None
            self.told.append(Told(Msg(N_("The game is saved again, whole."))))

    @property
    def is_in_trouble(self) -> bool:
        """Whether the last answers are in memory alone."""
        return self._trouble is not None

    def close(self, game: Game[Any], notes: Sequence[Note] = ()) -> None:
        """Leave the file compact, and to others."""
        self.rewrite(game, notes)
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _fail(self, error: OSError) -> None:
        """The game goes on without its file; once is said why."""
        if self._trouble is None or self._trouble.errno != error.errno:
            words = N_("The game cannot be saved in {file}: {why}. It goes on in memory.")
            self.told.append(Told(Msg(words, {"file": str(self.path)}), error))
        self._trouble = error

    def _move_aside(self) -> None:
        """Somebody has changed the file, moved it or thrown it away: this game gets another."""
        old = self.path
        if _state_of(old) == GONE:
            words = N_("{old} is no longer there: the game goes on in a new file of that name.")
        else:
            self.path = taken(old.parent, f"{old.stem}-bis", old.suffix)
            self._take_lock_of(self.path)
            words = N_("Another program has changed {old}: it is left alone, and the game goes on "
                       "in {new}.")  # fmt: skip
        self.told.append(Told(Msg(words, {"old": old.name, "new": self.path.name})))

    def _take_lock_of(self, path: Path) -> None:
        if self._lock is not None:
            self._lock.release()
            with suppress(OSError):
                self._lock = Lock.take(path)

    def _is_another(self) -> bool:
        """Whether the file is no longer as this game has left it."""
        return self._left is not None and self._left != _state_of(self.path)

    # Lines

    def _whole(self, game: Game[Any], notes: Sequence[Note]) -> bytes:
        self._marks = Marks()
        self._written, self._notes, self._studio = (), 0, game.studio
        self.header = msgspec.structs.replace(self.header, studio=game.studio)
        kept = [] if self.ledger is None else [Line(ledger=self.ledger)]
        lines = [*kept] if self._start is None else [*kept, _line_of_start(self._start)]
        lines += [Line(warning=PlainMsg.of(msg), after=after) for after, msg in self._warnings]
        lines += [*self._news(game, notes), Line(header=self.header), *kept]
        lines.append(_line_of_snapshot(snapshot_of(game)))
        return self._marks.marked(msgspec.json.encode(self.header)) + self._text(lines)

    def _news(self, game: Game[Any], notes: Sequence[Note]) -> list[Line]:
        entries = game.entries
        keep = common_prefix(self._written, entries)
        lines: list[Line] = []
        if keep < len(self._written):
            lines.append(Line(keep=keep))
            self._notes = sum(note.entries < keep for note in notes)
        if game.studio != self._studio:
            lines.append(Line(studio=game.studio))
        rests = dict(game.rests())
        for count, entry in enumerate(entries[keep:], start=keep + 1):
            lines.append(line_of(entry))
            if count in rests:
                lines.append(Line(rest=digest(rests[count])))
        lines += [line_of_note(note) for note in notes[self._notes :]]
        self._written, self._notes, self._studio = entries, len(notes), game.studio
        return lines

    def _text(self, lines: list[Line]) -> bytes:
        bodies = [msgspec.json.encode(line) for line in lines]
        if self.header.is_sealed:
            bodies = [msgspec.json.encode(Line(sealed=sealed(body))) for body in bodies]
        return b"".join(map(self._marks.marked, bodies))


GONE = (0, 0)


def _state_of(path: Path) -> tuple[int, int]:
    """What changes when somebody else writes a file: which one it is, and its length."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return GONE
    return found.st_ino, found.st_size


def _line_of_snapshot(one: Snapshot) -> Line:
    return Line(snapshot=one.state, schema=one.schema, rolled=one.rolled, after=one.entries)


def _line_of_start(one: Snapshot) -> Line:
    return Line(start=one.state, schema=one.schema, rolled=one.rolled)


def taken(folder: Path, stem: str, suffix: str) -> Path:
    """A file that nobody has yet, taken at once: another window may be looking for one too."""
    for number in ("", *(f"-{n}" for n in range(2, 1000))):
        path = folder / f"{stem}{number}{suffix}"
        with suppress(FileExistsError):
            path.touch(exist_ok=False)
            return path
    raise FileExistsError(folder)


def common_prefix(old: tuple[Entry, ...], new: tuple[Entry, ...]) -> int:
    """How many entries both begin with."""
    if new[: len(old)] == old:
        return len(old)
    return next(i for i, (a, b) in enumerate(zip(old, (*new, None), strict=False)) if a != b)
