"""Saved games: a text of JSON lines that only grows, checked line by line when read.

    {"prontuario": 1, "titolo": …, "scenario": …, …}   the header
    {"c": ["us", "u:us-3"]}                            a player's answer
    {"r": ["2d6", [3, 4]]}   {"d": ["mazzo", "c7"]}    chance's answer
    {"stato": "9f3c…"}                                 digest of the resting state reached
    {"tieni": 41}                                      undo: only the first 41 entries hold
    {"foto": {…}, "n": 41}                             snapshot of the resting state after entry 41

Each answer is appended and flushed at once: a program that dies loses at most the answer in
progress, and a last line cut short is forgotten. Nothing in a file is ever executed, and no
path is built from what a file says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from engine.core.ctx import Chance
from engine.core.files import write_atomically
from engine.core.rules import Command, Draw, Entry, Refused, Roll, RuleBug
from engine.core.text import N_, Fact, Msg
from engine.core.title import Title
from engine.game import Game, RealDice, SeededChance, decode_fraction, digest, encode_fraction

S = TypeVar("S")

FORMAT = 1
LARGEST = 32 * 1024 * 1024
LONGEST_LINE = 4 * 1024 * 1024
MOST_LINES = 400_000


class SaveError(Exception):
    """The file's mistake, naming the line."""

    def __init__(self, msgid: str, /, line: int = 0, **facts: Fact) -> None:
        super().__init__(f"line {line}: {msgid} {facts}")
        self.line = line
        self.msg = Msg(msgid, facts)


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: which game this is."""

    format: int = msgspec.field(name="prontuario")
    title: str = msgspec.field(name="titolo")
    revision: int = msgspec.field(name="revisione")
    scenario: str
    seed: int = msgspec.field(name="seme")
    options: dict[str, str] = msgspec.field(name="opzioni", default={})
    players: dict[str, str] = msgspec.field(name="giocatori", default={})
    real_dice: bool = msgspec.field(name="dadi_veri", default=False)
    studio: bool = False
    note: str = ""


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Any line after the first."""

    command: tuple[str, str] | None = msgspec.field(name="c", default=None)
    roll: tuple[str, tuple[int, ...]] | None = msgspec.field(name="r", default=None)
    draw: tuple[str, str] | None = msgspec.field(name="d", default=None)
    rest: str | None = msgspec.field(name="stato", default=None)
    keep: int | None = msgspec.field(name="tieni", default=None)
    studio: bool | None = None
    snapshot: dict[str, Any] | None = msgspec.field(name="foto", default=None)
    after: int | None = msgspec.field(name="n", default=None)


class Record(msgspec.Struct, frozen=True):
    """What a save file says, before any rule is asked about it."""

    header: Header
    entries: tuple[Entry, ...]
    digests: dict[int, str]
    snapshot: tuple[int, dict[str, Any]] | None = None


class Divergence(msgspec.Struct, frozen=True):
    """The first entry after which today's rules part from the saved game."""

    entry: int
    msg: Msg


class Loaded(msgspec.Struct, Generic[S], frozen=True):
    """A game read back, as far as the rules agree with the file."""

    game: Game[S]
    record: Record
    divergence: Divergence | None = None


# Reading


def read(path: Path) -> Record:
    """Read a save file; SaveError for anything that is not one."""
    try:
        if not path.is_file():
            raise SaveError(N_("There is no such file."))
        if path.stat().st_size > LARGEST:
            raise SaveError(N_("The file is too large to be a saved game."))
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SaveError(N_("The file is not text.")) from error
    except OSError as error:
        raise SaveError(N_("The file cannot be read.")) from error
    return parse(text)


def parse(text: str) -> Record:
    """The content of a save file."""
    lines = text.split("\n")
    lines.pop()  # a last line without its newline was cut short by a crash
    if not lines:
        raise SaveError(N_("The file is not a saved game."))
    if len(lines) > MOST_LINES:
        raise SaveError(N_("The file is too large to be a saved game."))
    header = _decode(lines[0], 1, Header)
    if header.format != FORMAT:
        raise SaveError(N_("The save has format {found}, this program reads {known}."), 1,
                        found=header.format, known=FORMAT)  # fmt: skip
    entries: list[Entry] = []
    digests: dict[int, str] = {}
    snapshot = None
    studio = header.studio
    for number, text_line in enumerate(lines[1:], start=2):
        line = _decode(text_line, number, Line)
        if line.command is not None:
            entries.append(Command(*line.command))
        elif line.roll is not None:
            entries.append(Roll(*line.roll))
        elif line.draw is not None:
            entries.append(Draw(*line.draw))
        elif line.rest is not None:
            digests[len(entries)] = line.rest
        elif line.keep is not None:
            if not 0 <= line.keep <= len(entries):
                raise SaveError(N_("An undo goes back beyond the start."), number)
            del entries[line.keep :]
            digests = {n: value for n, value in digests.items() if n <= line.keep}
            if snapshot is not None and snapshot[0] > line.keep:
                snapshot = None
        elif line.studio is not None:
            studio = line.studio
        elif line.snapshot is not None and line.after is not None:
            snapshot = (line.after, line.snapshot)
        else:
            raise SaveError(N_("The line says nothing."), number)
    header = msgspec.structs.replace(header, studio=studio)
    return Record(header, tuple(entries), digests, snapshot)


T = TypeVar("T")


def _decode(text: str, number: int, kind: type[T]) -> T:
    if len(text) > LONGEST_LINE:
        raise SaveError(N_("The line is too long."), number)
    try:
        raw = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
        return msgspec.convert(raw, kind)
    except (ValueError, RecursionError) as error:
        raise SaveError(N_("The line cannot be read: {why}."), number, why=str(error)) from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("duplicate key")
    return found


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def load(path: Path, titles: Mapping[str, Title[Any]]) -> Loaded[Any]:
    """Read a file and replay it; the game stops where rules and file part ways."""
    return replay(read(path), titles)


def replay(record: Record, titles: Mapping[str, Title[Any]]) -> Loaded[Any]:
    """Play a record again with today's rules, comparing every resting state."""
    header = record.header
    title = titles.get(header.title)
    if title is None:
        raise SaveError(N_("The title {title} is not known."), 1, title=header.title)
    if header.scenario not in {info.id for info in title.scenarios()}:
        raise SaveError(N_("The scenario {scenario} is not known."), 1, scenario=header.scenario)
    game = Game(title, header.scenario, chance_of(header), header.options)
    if game.entries[: len(record.entries)] != record.entries[: len(game.entries)]:
        return _stopped(game, record, 0, Msg(N_("The game starts otherwise.")))
    given = list(record.entries[len(game.entries) :])
    try:
        game.resume(given)
    except (Refused, RuleBug) as error:
        good = sum(len(passage.entries) for passage in game.passages)
        why = Msg(N_("The rules no longer accept it ({why})."), {"why": str(error)})
        return _stopped(game, record, good, why)
    for count, state in game.rests():
        saved = record.digests.get(count)
        if saved is not None and digest(state) != saved:
            return _stopped(game, record, count, Msg(N_("It leads to another state.")))
    game.studio = header.studio
    return Loaded(game, record)


def _stopped(game: Game[Any], record: Record, entry: int, why: Msg) -> Loaded[Any]:
    """The game as far as it is good, with the divergence."""
    again = Game(game.title, game.scenario, game.chance, game.options)
    again.resume(record.entries[len(again.entries) : entry])
    again.studio = record.header.studio
    return Loaded(again, record, Divergence(entry, why))


def from_snapshot(record: Record, title: Title[S]) -> Game[S]:
    """A new game that goes on from the snapshot of a save whose entries no longer replay."""
    if record.snapshot is None:
        raise SaveError(N_("The save holds no snapshot."))
    try:
        state = msgspec.convert(record.snapshot[1], title.state_type, dec_hook=decode_fraction)
    except msgspec.ValidationError as error:
        raise SaveError(N_("The snapshot cannot be read: {why}."), why=str(error)) from error
    header = record.header
    return Game(title, header.scenario, chance_of(header), header.options, start=state)


def chance_of(header: Header) -> Chance:
    """Where the dice of a saved game come from."""
    return RealDice(header.seed) if header.real_dice else SeededChance(header.seed)


# Writing


class SaveFile:
    """A game's file, kept up with the game: `sync` after every answer."""

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self.header = header
        self._written: tuple[Entry, ...] = ()
        self._studio = header.studio
        self._left: tuple[int, int] | None = None

    @classmethod
    def create(cls, path: Path, header: Header, game: Game[Any]) -> SaveFile:
        """Write a whole file at once, in place of any other."""
        save = cls(path, header)
        save.rewrite(game)
        return save

    def sync(self, game: Game[Any]) -> None:
        """Append what happened since the last time and hand it to the system."""
        lines = self._news(game)
        if lines and self._is_another():
            self.rewrite(game)
        elif lines:
            with self.path.open("ab", buffering=0) as file:
                file.write(_text(lines))
            self._left = _mark(self.path)

    def rewrite(self, game: Game[Any]) -> None:
        """Write the file anew, compact and with a snapshot; the old one stays until it is whole.

        One that another window plays on, or has thrown away, is left alone: this game goes on
        in a file beside it.
        """
        if self._is_another():
            self.path = taken(self.path.parent, f"{self.path.stem}-bis", self.path.suffix)
        self._written, self._studio = (), game.studio
        self.header = msgspec.structs.replace(self.header, studio=game.studio)
        lines: list[Any] = [self.header, *self._news(game)]
        rest = msgspec.to_builtins(game.position.rest, enc_hook=encode_fraction)
        done = len(game.entries) - len(game.position.open)
        lines.append(Line(snapshot=rest, after=done))
        write_atomically(self.path, _text(lines))
        self._left = _mark(self.path)

    def _is_another(self) -> bool:
        """Whether the file is no longer as this game has left it."""
        return self._left is not None and self._left != _mark(self.path)

    def _news(self, game: Game[Any]) -> list[Line]:
        entries = game.entries
        keep = common_prefix(self._written, entries)
        lines: list[Line] = []
        if keep < len(self._written):
            lines.append(Line(keep=keep))
        if game.studio != self._studio:
            lines.append(Line(studio=game.studio))
        rests = dict(game.rests())
        for count, entry in enumerate(entries[keep:], start=keep + 1):
            lines.append(_line(entry))
            if count in rests:
                lines.append(Line(rest=digest(rests[count])))
        self._written, self._studio = entries, game.studio
        return lines


def taken(folder: Path, stem: str, suffix: str) -> Path:
    """A file that nobody has yet, taken at once: another window may be looking for one too."""
    for number in ("", *(f"-{n}" for n in range(2, 1000))):
        path = folder / f"{stem}{number}{suffix}"
        with suppress(FileExistsError):
            path.touch(exist_ok=False)
            return path
    raise FileExistsError(folder)


def _mark(path: Path) -> tuple[int, int]:
    """What changes when somebody else writes a file: which one it is, and its length."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_ino, found.st_size


def common_prefix(old: tuple[Entry, ...], new: tuple[Entry, ...]) -> int:
    """How many entries both begin with."""
    if new[: len(old)] == old:
        return len(old)
    return next(i for i, (a, b) in enumerate(zip(old, (*new, None), strict=False)) if a != b)


def _line(entry: Entry) -> Line:
    if isinstance(entry, Command):
        return Line(command=(entry.side, entry.option))
    if isinstance(entry, Roll):
        return Line(roll=(entry.dice, entry.faces))
    return Line(draw=(entry.pool, entry.item))


def _text(lines: list[Any]) -> bytes:
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
