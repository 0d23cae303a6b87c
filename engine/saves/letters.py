"""What is sent in a game by post: the whole game under a seal, and what it must continue.

Every mail is numbered, and its digest holds that of the mail before, the commitments and the
answers since. Each side keeps them all: a mail that does not continue what a side has sent and
received is refused by name, and at the end the whole row can be counted again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from engine.core.rules import Command, Draw, Entry, Roll, Side
from engine.core.text import N_
from engine.core.title import Title
from engine.drive import RANDOM
from engine.game import Game, digest
from engine.saves.chains import Chain, before, is_link
from engine.saves.lines import (
    ELSEWHERE,
    FORMAT,
    HERE,
    Header,
    Ledger,
    Line,
    Mailing,
    Post,
    SaveError,
    decode,
    entry_of,
    line_of,
)
from engine.saves.reading import Record
from engine.saves.replaying import Loaded, replay
from engine.saves.seal import BrokenSeal, sealed, unsealed
from engine.saves.writing import common_prefix

KIND = 1
PERSON = ""
"""A seat of a person in a letter, which knows no here and elsewhere. Else a level."""


class Letter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game as it travels. No secret is in it; `own` is a mark that only its sender can make."""

    kind: int = msgspec.field(name="lettera")
    game: str = msgspec.field(name="partita")
    sender: str = msgspec.field(name="mittente")
    title: str = msgspec.field(name="titolo")
    revision: int = msgspec.field(name="revisione")
    scenario: str
    options: dict[str, str] = msgspec.field(name="opzioni")
    seats: dict[str, str] = msgspec.field(name="posti")
    ledger: Ledger = msgspec.field(name="registro")
    lines: tuple[Line, ...] = msgspec.field(name="voci")
    rest: str = msgspec.field(name="stato")
    own: str = msgspec.field(name="mano", default="")

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every answer so far."""
        return tuple(entry for line in self.lines if (entry := entry_of(line)) is not None)

    @property
    def number(self) -> int:
        """Which mail of the game it is."""
        return len(self.ledger.mails)

    def header_for(self, side: Side) -> Header:
        """The header of the game on the computer of a side."""
        players = {who: level or (HERE if who == side else ELSEWHERE)
                   for who, level in self.seats.items()}  # fmt: skip
        post = Post(self.game, side)
        return Header(FORMAT, self.title, self.revision, self.scenario, "", self.options, players,
                      post=post)  # fmt: skip


def written(header: Header, ledger: Ledger, game: Game[Any]) -> Letter:
    """The letter of a game as it stands; its ledger has one mailing more, unless nothing is new."""
    assert header.post is not None
    entries, side = game.entries, header.post.side
    mails = ledger.mails
    last = mails[-1] if mails else None
    known = (side, len(ledger.pledges), len(entries))
    if last is None or (last.side, last.pledges, last.entries) != known:
        mails = (*mails, _mailing(header.post.game, ledger, entries, mails, known))
    told = msgspec.structs.replace(ledger, mails=mails, secret="")
    seats = {who: PERSON if level in (HERE, ELSEWHERE) else level
             for who, level in header.players.items()}  # fmt: skip
    letter = Letter(KIND, header.post.game, side, header.title, game.title.info.revision,
                    header.scenario, header.options, seats, told, tuple(map(line_of, entries)),
                    digest(game.position.rest))  # fmt: skip
    return msgspec.structs.replace(letter, own=_own(letter, ledger.secret))


def closed(letter: Letter) -> str:
    """A letter under the seal."""
    return sealed(msgspec.json.encode(letter))


def opened(text: str) -> Letter:
    """The letter under a seal; SaveError if it was touched."""
    try:
        letter = decode(unsealed(text), 0, Letter)
    except (BrokenSeal, SaveError) as error:
        raise SaveError(N_("The seal of the mail is broken: part of it is missing or changed. Ask "
                           "for it once more.")) from error  # fmt: skip
    if letter.kind != KIND:
        raise SaveError(N_("The two programs do not have the same rules: update both."))
    return letter


def joined(letter: Letter, side: Side, secret: str) -> Ledger:
    """The ledger of who takes a free side of a game that came by mail."""
    ledger = letter.ledger
    if side not in ledger.free:
        raise SaveError(N_("That side is taken."))
    pledges = (*ledger.pledges, (side, Chain(secret).commitment))
    return begun(msgspec.structs.replace(ledger, pledges=pledges, secret=secret), side)


def begun(ledger: Ledger, side: Side) -> Ledger:
    """The ledger with the first link opened, if that is for this side to do and all are there."""
    if ledger.is_open or ledger.free or side != ledger.first:
        return ledger
    link = Chain(ledger.secret).link(1)
    assert link is not None
    return msgspec.structs.replace(ledger, pledges=(*ledger.pledges, (side, link)))


def received(
    letter: Letter, mine: Record, titles: Mapping[str, Title[Any]]
) -> tuple[Loaded[Any], Ledger]:
    """The game that a letter brings to a side that has it up to there, and its new ledger.

    SaveError names what does not continue it.
    """
    post, ledger = mine.header.post, mine.ledger
    assert post is not None
    assert ledger is not None
    if not letter.ledger.mails:
        raise SaveError(N_("The seats or the commitments in the mail do not hold."))
    _continues(letter, mine, ledger)
    merged = begun(msgspec.structs.replace(letter.ledger, secret=ledger.secret), post.side)
    loaded = checked(letter, post.side, titles, merged)
    if letter.sender == post.side:
        if letter.own != _own(letter, ledger.secret):
            raise SaveError(
                N_("The mail says that it is yours, and your program did not write it.")
            )
    else:
        _own_answers(loaded.game, post.side, len(mine.entries))
    return loaded, merged


def checked(
    letter: Letter, side: Side, titles: Mapping[str, Title[Any]], ledger: Ledger | None = None
) -> Loaded[Any]:
    """The game of a letter, played again: every mail, link and answer in it holds; or SaveError."""
    if not _is_sound(letter, titles):
        raise SaveError(N_("The seats or the commitments in the mail do not hold."))
    entries = letter.entries
    wrong = wrong_mail(letter.game, letter.ledger, entries)
    if wrong:
        raise SaveError(N_("Mail number {n} does not hold what its digest says."), n=wrong)
    head = letter.header_for(side)
    loaded = replay(Record(head, entries, {}, ledger=ledger or letter.ledger), titles)
    forged = why_forged(loaded)
    if forged is not None:
        raise forged
    game = loaded.game
    if not loaded.is_whole or letter.revision != game.title.info.revision:
        raise SaveError(N_("The two programs do not have the same rules: update both."))
    if game.entries == entries and digest(game.position.rest) != letter.rest:
        raise SaveError(N_("The two programs do not have the same rules: update both."))
    return loaded


def why_forged(loaded: Loaded[Any]) -> SaveError | None:
    """The first dice or draw that no chain gives, named."""
    if not loaded.forged:
        return None
    place = loaded.forged[0]
    entry = loaded.record.entries[place - 1]
    assert isinstance(entry, Roll | Draw)
    words = N_("Entry {entry}: dice or a card that do not come from the chain of {side}.")
    return SaveError(words, entry=place, side=entry.source.partition(":")[0] or "?")


def wrong_mail(game: str, ledger: Ledger, entries: tuple[Entry, ...]) -> int:
    """The number of the first mail whose digest does not hold; 0 if all do."""
    for index, mail in enumerate(ledger.mails):
        known = (mail.side, mail.pledges, mail.entries)
        if mail != _mailing(game, ledger, entries, ledger.mails[:index], known):
            return index + 1
    return 0


def _mailing(
    game: str,
    ledger: Ledger,
    entries: tuple[Entry, ...],
    earlier: tuple[Mailing, ...],
    known: tuple[Side, int, int],
) -> Mailing:
    """The mailing after those, whose digest continues theirs."""
    side, pledges, count = known
    last = earlier[-1] if earlier else Mailing("", 0, 0, game)
    since = [line_of(entry) for entry in entries[last.entries : count]]
    text = msgspec.json.encode([last.digest, side, ledger.pledges[:pledges], count, since])
    return Mailing(side, pledges, count, hashlib.blake2b(text, digest_size=16).hexdigest())


def _own(letter: Letter, secret: str) -> str:
    """The mark of the sender: it holds his secret, so that nobody else can make it."""
    text = msgspec.json.encode(msgspec.structs.replace(letter, own=""))
    return hashlib.blake2b(text, digest_size=16, key=bytes.fromhex(secret)).hexdigest()


def _is_sound(letter: Letter, titles: Mapping[str, Title[Any]]) -> bool:
    """Whether the seats of a letter are those of its scenario, and its commitments a row."""
    title, ledger = titles.get(letter.title), letter.ledger
    infos = title.scenarios() if title is not None else ()
    info = next((info for info in infos if info.id == letter.scenario), None)
    if title is None or info is None:
        return True  # the replay says which is not known
    people = tuple(side for side, level in letter.seats.items() if level == PERSON)
    levels = (PERSON, RANDOM, *title.levels)
    return (
        tuple(letter.seats) == info.sides
        and all(level in levels for level in letter.seats.values())
        and ledger.people == people
        and letter.sender in people
        and bool(ledger.mails)
        and _is_row(ledger.pledges, people)
    )


def _is_row(pledges: tuple[tuple[Side, str], ...], people: tuple[Side, ...]) -> bool:
    """Whether commitments are links: one of each person, then the one that opens the dice."""
    pledged = [side for side, _link in pledges[: len(people)]]
    opening = pledges[len(people) :]
    return (
        bool(pledged)
        and len(set(pledged)) == len(pledged)
        and set(pledged) <= set(people)
        and all(is_link(link) for _side, link in pledges)
        and (not opening or _is_opening(opening, pledges[0]))
    )


def _is_opening(opening: tuple[tuple[Side, str], ...], first: tuple[Side, str]) -> bool:
    (side, link), *more = opening
    return not more and side == first[0] and before(link) == first[1]


def _continues(letter: Letter, mine: Record, ledger: Ledger) -> None:
    """SaveError where a letter does not go on from what this side has."""
    header, entries = mine.header, letter.entries
    post = header.post
    assert post is not None
    if letter.game != post.game:
        raise SaveError(N_("The mail is of another game."))
    head = letter.header_for(post.side)
    same = ("title", "scenario", "options", "players")
    if any(getattr(head, name) != getattr(header, name) for name in same):
        raise SaveError(N_("The mail is of this game, but its scenario, rules or seats changed."))
    pledges, known = letter.ledger.pledges, ledger.pledges
    shared = min(len(pledges), len(known))
    if pledges[:shared] != known[:shared] or letter.ledger.people != ledger.people:
        if ledger.is_open:
            raise SaveError(N_("The mail has other commitments than those made at the start."))
        raise SaveError(
            N_(
                "The mail has other commitments than yours: an invitation goes round "
                "from one side to the next, and is not sent to all at once."
            )
        )
    place = common_prefix(mine.entries, entries)
    if place < min(len(mine.entries), len(entries)):
        raise SaveError(_changed(ledger, post.side, place), entry=place + 1)
    if len(entries) < len(mine.entries) or (
        len(entries) == len(mine.entries) and len(pledges) <= len(known)
    ):
        if letter.sender == post.side:
            raise SaveError(N_("This is your own mail: it is for the others."))
        if len(entries) < len(mine.entries) or letter.ledger.mails[-1] in ledger.mails:
            raise SaveError(N_("This mail is old: it was already taken in."))
    for number, (theirs, own) in enumerate(zip(letter.ledger.mails, ledger.mails, strict=False), 1):
        if theirs != own:
            raise SaveError(N_("The mail does not continue mail number {n}."), n=number)
    if len(letter.ledger.mails) < len(ledger.mails):
        raise SaveError(N_("The mail does not continue mail number {n}."), n=len(ledger.mails))


def _changed(ledger: Ledger, side: Side, place: int) -> str:
    """What kind of entry another one has taken the place of."""
    sent = max((mail.entries for mail in ledger.mails if mail.side == side), default=0)
    if place < sent:
        return N_("Entry {entry}, which you have sent already, is another one in this mail.")
    if ledger.mails and place < ledger.mails[-1].entries:
        return N_("Entry {entry}, which you have received already, is another one in this mail.")
    return N_("At entry {entry} you have answered otherwise since: your game and this mail differ.")


def _own_answers(game: Game[Any], side: Side, known: int) -> None:
    """Nobody answers for this side but where there is nothing to choose."""
    for place, entry in enumerate(game.entries[known:], start=known):
        if isinstance(entry, Command) and entry.side == side:
            asked = game.asked(place)
            if asked is None or len(asked.options) > 1:
                raise SaveError(N_("Entry {entry}: somebody has answered for your side."),
                                entry=place + 1)  # fmt: skip
