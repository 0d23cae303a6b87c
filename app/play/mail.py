"""A game by post as a text to send: a head that anybody reads, and the game under a seal.

    Prontuario, partita per posta
    titolo: Tide of Iron
    …
    -----INIZIO PARTITA-----
    base64, in lines
    -----FINE PARTITA-----

It is found again in whatever mail programs make of it: quoted («> »), wrapped, with text around it,
and with older mails below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from app.cli.answers import why
from app.play.session import SUFFIX, NotWhole, Session
from app.presenters.registry import presenter_for
from app.shell.i18n import _, say
from app.shell.paths import post_folder, saves_folder
from engine.core.files import write_atomically
from engine.core.rules import Side
from engine.core.text import N_
from engine.core.title import Title
from engine.saves.letters import Letter, closed, opened
from engine.saves.lines import Header, SaveError
from engine.saves.reading import content_of, header_in, read

FIRST_LINE = "Prontuario, partita per posta"
BEGIN, END = "-----INIZIO PARTITA-----", "-----FINE PARTITA-----"
MAIL_SUFFIX = ".posta"
WIDTH = 72
QUOTED = re.compile(r"^[>|\s]+", re.MULTILINE)
BLOCK = re.compile(f"{BEGIN}(.*?){END}", re.DOTALL)


# Saying


def waiting(session: Session) -> str:
    """For whom a game by post waits."""
    ledger, who = session.ledger, _who(session)
    if ledger is None:
        return _("{who} plays elsewhere, in a game by post of the old kind: this program no longer "
                 "sends those. Begin a new one.", who=who)  # fmt: skip
    if session.position.outcome is not None:
        return _("The others have not seen the end yet, unless you have sent it: {who}.", who=who)
    if session.decision is None and ledger.free:
        return _("The dice begin when everybody has taken a side. Waiting for: {who}.", who=who)
    if session.decision is None:
        return _("The dice begin with the first link of {who}.", who=who)
    return _("It is the turn of {who}, elsewhere.", who=who)


def by_number(session: Session) -> dict[str, str]:
    """What can be done while a game by post waits, in the order of the keys."""
    return {
        "export": _("Write the mail for {who}", who=_who(session)),
        "take_in": _("Take in the mail that came"),
    }


def spent() -> str:
    """Why a game by post cannot go on, after more dice than anybody rolls."""
    return _("The chain of your dice has come to its end: this game cannot go on by post. It is "
             "saved whole.")  # fmt: skip


def _who(session: Session) -> str:
    names = presenter_for(session.title.info.slug)
    return ", ".join(names.army(side).name for side in session.awaited)


# Writing


def text_of(session: Session, letter: Letter) -> str:
    """A letter as the text of a mail."""
    names = presenter_for(session.title.info.slug)
    who = _who(session)
    head = {
        _("title"): session.title.info.name,
        _("scenario"): session.scenario.name,
        _("sides"): ", ".join(names.army(side).name for side in session.scenario.sides),
        _("game"): f"{letter.game}, " + _("mail {n}", n=letter.number),
        _("from"): names.army(letter.sender).name,
        _("for"): who,
        _("turn of"): who if session.position.outcome is None else _("the game is over"),
    }
    seal = closed(letter)
    lines = [FIRST_LINE, *(f"{key}: {value}" for key, value in head.items()), "", *promises(), ""]
    lines.append(_("To take it in: put this text into the folder of the post and press 2 at the "
                   "table, or prontuario posta importa FILE."))  # fmt: skip
    body = [seal[n : n + WIDTH] for n in range(0, len(seal), WIDTH)]
    return "\n".join([*lines, "", BEGIN, *body, END, ""])


def promises() -> list[str]:
    """What a game by post proves and what it does not, in plain words."""
    return [
        _("The seal keeps hidden answers from the eyes of who opens the files; it does not stop "
          "somebody who takes the program apart on his own computer."),
        _("Dice are proved: each side commits to its own before the first roll, and what was sent "
          "cannot be changed without being found."),
        _("Not found: who tries his turn on a copy of his folder before he sends it, since each "
          "side holds the chain of its own dice. Proof against that will need both programs at "
          "each roll."),
    ]  # fmt: skip


def export(session: Session, folder: Path) -> Path:
    """Write the game for whoever plays elsewhere, in place of the mail before; the file."""
    letter = session.written()
    name = f"{letter.title}-{letter.scenario}-{letter.game[:8]}"
    path = folder / f"{name}-{letter.number:03d}-{letter.sender}{MAIL_SUFFIX}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text_of(session, letter).encode())
        for old in folder.glob(f"{name}-*-{letter.sender}{MAIL_SUFFIX}"):
            if old != path:
                old.unlink()
    except OSError as error:
        words = N_("{file} cannot be written: {why}.")
        raise SaveError(words, file=str(path), why=why(error)) from error
    session.sent(letter)
    return path


# Reading


def letter_in(text: str) -> Letter:
    """The newest letter in a text; SaveError if there is none, or none that is whole."""
    blocks = BLOCK.findall(QUOTED.sub("", text.replace("\r", "")))
    if not blocks:
        if BEGIN in text:
            raise SaveError(N_("The mail is cut short: its end is missing. Ask for it once more."))
        raise SaveError(N_("There is no game by mail in this text."))
    found: list[Letter] = []
    trouble: SaveError | None = None
    for block in blocks:
        try:
            found.append(opened("".join(QUOTED.sub("", block).split())))
        except SaveError as error:
            trouble = trouble or error
    if not found:
        assert trouble is not None
        raise trouble
    return max(found, key=lambda letter: letter.number)


def read_mail(path: Path) -> Letter:
    """The letter in a file; SaveError if there is none."""
    return letter_in(content_of(path).decode("utf-8", errors="replace"))


def mails(folder: Path) -> Iterator[tuple[Path, Letter]]:
    """The files of a folder that hold a letter."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        with suppress(SaveError):
            yield path, read_mail(path)


def broken(folder: Path) -> list[str]:
    """What is wrong with the letters of a folder that cannot be opened."""
    said = []
    for path in sorted(folder.glob(f"*{MAIL_SUFFIX}")):
        try:
            read_mail(path)
        except SaveError as error:
            said.append(f"{path.name}: {say(error.msg)}")
    return said


def newest(session: Session, folder: Path | None = None) -> Letter | None:
    """The newest letter for this game in the folder of the post, if there is one. A letter of
    one's own counts where the game has lost what is in it."""
    post, known = session.header.post, len(session.game.entries)
    found = [
        letter
        for _path, letter in mails(folder or post_folder())
        if post is not None
        and letter.game == post.game
        and (letter.sender != post.side or len(letter.lines) > known)
    ]
    return max(found, key=lambda letter: letter.number, default=None)


def save_of(game: str) -> Path | None:
    """The file in which a game by post is played here; the latest, if it has several."""
    found = [path for path, header in _headers() if header.post and header.post.game == game]
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def is_new(letter: Letter) -> bool:
    """Whether a letter may bring something: an invitation, or more than is known of a game."""
    path = save_of(letter.game)
    if path is None:
        return True
    try:
        record = read(path)
    except SaveError:
        return True
    known = record.ledger.mails if record.ledger is not None else ()
    return len(letter.lines) > len(record.entries) or not set(letter.ledger.mails[-1:]) <= set(
        known
    )


def _headers() -> Iterator[tuple[Path, Header]]:
    for path in saves_folder().glob(f"*{SUFFIX}"):
        with suppress(OSError, SaveError), path.open("rb") as file:
            yield path, header_in(file.readline())


def free_sides(letter: Letter) -> dict[Side, str]:
    """The sides that who takes a letter in may choose from; none if he plays in it already."""
    if save_of(letter.game) is not None:
        return {}
    names = presenter_for(letter.title)
    return {side: names.army(side).name for side in letter.ledger.free}


def take_in(letter: Letter, titles: Mapping[str, Title[Any]], mine: Side = "") -> Session:
    """The game of a letter, gone on with in its own file, or taken up on a free side; SaveError
    if it cannot be. What a damaged file has lost, the letter brings back, in a copy."""
    path = save_of(letter.game)
    if path is None:
        if not letter.ledger.free:
            raise SaveError(N_("All sides of this game are taken. If one is yours, the file with "
                               "the secret of your dice is no longer here: without it you cannot "
                               "go on. Put back a copy of it."))  # fmt: skip
        return Session.join(letter, mine or letter.ledger.free[0], titles)
    try:
        session = Session.open(path, titles)
    except NotWhole as found:
        session = Session.take_up(found.loaded)
    try:
        session.receive(letter, titles)
    except SaveError:
        session.close()
        raise
    return session
