"""What stands in a save file: JSON lines, each marked so that a reader sees what became of it.

    {"prontuario": 2, "titolo": …, "scenario": …, …}   the header
    {"c": ["us", "u:us-3"]}                            a player's answer
    {"r": ["2d6", [3, 4]]}   {"d": ["mazzo", "c7"]}    chance's answer; `da`: where it comes from
    {"stato": "9f3c…"}                                 digest of the resting state reached
    {"nota": {…}, "n": 41}                             a line of the journal that is no step
    {"avviso": {…}, "n": 41}                           what became of the file when it was opened
    {"tieni": 41}                                      undo: only the first 41 entries hold
    {"foto": {…}, "schema": "51…", "n": 41}            snapshot of the resting state after entry 41
    {"inizio": {…}, "schema": "51…"}                   the game begins at this state
    {"intestazione": {…}}                              the header once more
    {"registro": {…}}                                  what a game by post keeps, under its seal
    {"s": "…"}                                         one of these lines, under a seal

Each line ends with `"k"`, two marks of eight digits: one of the line alone, and one of all marks
so far. A line that was changed breaks the first; one that was moved, or has lost the line before
it, breaks the second. Files of format 1 have no marks.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any, TypeVar

import msgspec

from engine.core.rules import Command, Draw, Entry, Roll, RuleRef, Ruling, Side, Step
from engine.core.text import N_, Fact, Msg, PlainMsg

FORMAT = 2
READ = (1, 2)
LONGEST_LINE = 4 * 1024 * 1024
MARKED = re.compile(rb',"k":"([0-9a-f]{8})([0-9a-f]{8})"}')
MARK_LENGTH = len(b',"k":"0123456789abcdef"}')

HERE, ELSEWHERE = "umano", "posta"
"""Who has a seat: a person here, or one elsewhere who gets the game by post. Else a level."""

T = TypeVar("T")


class SaveError(Exception):
    """The file's mistake, naming the line."""

    def __init__(self, msgid: str, /, line: int = 0, **facts: Fact) -> None:
        super().__init__(f"line {line}: {msgid} {facts}")
        self.line = line
        self.msg = Msg(msgid, facts)


class Post(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a game by post knows of itself: its name for both sides, and who plays here."""

    game: str = msgspec.field(name="partita")
    side: str = msgspec.field(name="lato")


class Mailing(msgspec.Struct, frozen=True, array_like=True):
    """A mail that was sent or taken in: whose, with how many pledges and entries; the digest is of
    them and of the mail before."""

    side: str
    pledges: int
    entries: int
    digest: str


class Ledger(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a game by post keeps beside its answers; it is always written under the seal.

    `people` are the sides that people play. `pledges` are their commitments in the order in which
    they came, and then the first link of the first of them, with which the dice begin. `secret`
    begins the chain of the side that plays here; it never leaves this computer.
    """

    people: tuple[str, ...] = msgspec.field(name="persone")
    pledges: tuple[tuple[str, str], ...] = msgspec.field(name="impegni", default=())
    mails: tuple[Mailing, ...] = msgspec.field(name="posta", default=())
    secret: str = msgspec.field(name="segreto", default="")

    @property
    def free(self) -> tuple[str, ...]:
        """The sides that nobody has taken yet."""
        taken = {side for side, _link in self.pledges}
        return tuple(side for side in self.people if side not in taken)

    @property
    def is_open(self) -> bool:
        """Whether the dice have begun."""
        return len(self.pledges) > len(self.people)

    @property
    def first(self) -> str:
        """The side that began the game, and with whom the dice begin."""
        return self.pledges[0][0]


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: which game this is.

    A seed that the program drew is text, 128 bits in hexadecimal; one typed by hand is a number.
    """

    format: int = msgspec.field(name="prontuario")
    title: str = msgspec.field(name="titolo")
    revision: int = msgspec.field(name="revisione")
    scenario: str
    seed: int | str = msgspec.field(name="seme")
    options: dict[str, str] = msgspec.field(name="opzioni", default={})
    players: dict[str, str] = msgspec.field(name="giocatori", default={})
    real_dice: bool = msgspec.field(name="dadi_veri", default=False)
    studio: bool = False
    note: str = ""
    post: Post | None = msgspec.field(name="posta", default=None)

    @property
    def is_sealed(self) -> bool:
        """Whether the lines of the file are under a seal: they tell another side's secrets."""
        return self.post is not None

    @property
    def has_chosen_seed(self) -> bool:
        """Whether a person chose the seed, and may have known its dice."""
        return self.format > 1 and isinstance(self.seed, int)


class Note(msgspec.Struct, frozen=True):
    """A line of the journal that is no step of the game: why a program answered so, an answer that
    gave itself. It stands after so many entries and so many steps."""

    entries: int
    steps: int
    ruling: Ruling
    hidden_from: tuple[Side, ...] = ()

    def as_step(self) -> Step:
        """The line as the journal shows it."""
        return Step(self.steps, 0, self.ruling, hidden_from=self.hidden_from)


class PlainNote(msgspec.Struct, frozen=True, omit_defaults=True):
    """A note in the file; where it stands among the entries is said beside it."""

    steps: int = msgspec.field(name="passi")
    refs: tuple[str, ...] = msgspec.field(name="regole")
    msg: PlainMsg = msgspec.field(name="detto")
    hidden_from: tuple[str, ...] = msgspec.field(name="nascosta", default=())


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Any line after the first."""

    command: tuple[str, str] | None = msgspec.field(name="c", default=None)
    roll: tuple[str, tuple[int, ...]] | None = msgspec.field(name="r", default=None)
    draw: tuple[str, str] | None = msgspec.field(name="d", default=None)
    source: str = msgspec.field(name="da", default="")
    rest: str | None = msgspec.field(name="stato", default=None)
    note: PlainNote | None = msgspec.field(name="nota", default=None)
    warning: PlainMsg | None = msgspec.field(name="avviso", default=None)
    keep: int | None = msgspec.field(name="tieni", default=None)
    studio: bool | None = None
    snapshot: dict[str, Any] | None = msgspec.field(name="foto", default=None)
    start: dict[str, Any] | None = msgspec.field(name="inizio", default=None)
    schema: str = ""
    rolled: int = msgspec.field(name="tiri", default=0)
    after: int | None = msgspec.field(name="n", default=None)
    header: Header | None = msgspec.field(name="intestazione", default=None)
    ledger: Ledger | None = msgspec.field(name="registro", default=None)
    sealed: str | None = msgspec.field(name="s", default=None)


def line_of(entry: Entry) -> Line:
    """An answer as a line."""
    if isinstance(entry, Command):
        return Line(command=(entry.side, entry.option))
    if isinstance(entry, Roll):
        return Line(roll=(entry.dice, entry.faces), source=entry.source)
    return Line(draw=(entry.pool, entry.item), source=entry.source)


def entry_of(line: Line) -> Entry | None:
    """The answer that a line holds, if it holds one."""
    if line.command is not None:
        return Command(*line.command)
    if line.roll is not None:
        return Roll(*line.roll, line.source)
    if line.draw is not None:
        return Draw(*line.draw, line.source)
    return None


def line_of_note(note: Note) -> Line:
    """A note as a line."""
    msg = PlainMsg.of(note.ruling.msg)
    plain = PlainNote(note.steps, tuple(note.ruling.refs), msg, note.hidden_from)
    return Line(note=plain, after=note.entries)


def note_of(plain: PlainNote, entries: int) -> Note:
    """The note that a line holds; ValueError if it says nothing."""
    if not plain.refs or not plain.msg.id:
        raise ValueError(plain)
    ruling = Ruling(tuple(RuleRef(ref) for ref in plain.refs), plain.msg.msg())
    return Note(entries, plain.steps, ruling, plain.hidden_from)


class Marks:
    """Marks lines as they are written, and checks them as they are read."""

    def __init__(self, last: str = "") -> None:
        self.last = last

    def marked(self, body: bytes) -> bytes:
        """A line of the file, with its marks and its end."""
        own = _mark(body)
        self.last = _mark((self.last + own).encode())
        return body[:-1] + b',"k":"' + own.encode() + self.last.encode() + b'"}\n'

    def is_next(self, own: str, chain: str) -> bool:
        """Whether a line with these marks may follow what was read so far; then it has."""
        if _mark((self.last + own).encode()) != chain:
            return False
        self.last = chain
        return True


def split_marks(raw: bytes) -> tuple[bytes, str, str] | None:
    """A marked line as it was before it was marked, with its marks; None if it was touched."""
    found = MARKED.fullmatch(raw[-MARK_LENGTH:])
    if found is None:
        return None
    body = raw[:-MARK_LENGTH] + b"}"
    own, chain = (mark.decode() for mark in found.groups())
    return (body, own, chain) if _mark(body) == own else None


def follows(chain_before: str, own: str, chain: str) -> bool:
    """Whether a line stood right after the one whose second mark is given."""
    return _mark((chain_before + own).encode()) == chain


def _mark(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=4).hexdigest()


def decode(raw: bytes, number: int, kind: type[T]) -> T:
    """One line; SaveError if it is not what it should be."""
    if len(raw) > LONGEST_LINE:
        raise SaveError(N_("The line is too long."), number)
    try:
        found = json.loads(raw.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_refuse)
        return msgspec.convert(found, kind)
    except (ValueError, RecursionError) as error:
        raise SaveError(N_("The line cannot be read."), number) from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("duplicate key")
    return found


def _refuse(constant: str) -> Any:
    raise ValueError(constant)
