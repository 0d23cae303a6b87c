"""A game as a file to hand over: a header that anybody reads, and the game under a seal.

The seal keeps eyes off: dice to come, decks and hidden facts cannot be read in the file. It does
not stop somebody who takes the program apart, and says so: whoever has Prontuario has the key.

    Prontuario, partita per posta
    titolo: Tide of Iron
    …
    ---
    base64, in lines
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import secrets
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from app.answers import why
from app.i18n import _
from app.presenters.registry import presenter_for
from app.session import HUMAN, REMOTE, SUFFIX, Session, new_path
from engine.core.files import write_atomically
from engine.core.rules import Side
from engine.core.text import N_
from engine.core.title import Title
from engine.saves.lines import SaveError
from engine.saves.reading import LARGEST, parse
from engine.saves.replaying import replay
from engine.saves.writing import SaveFile

FIRST_LINE = "Prontuario, partita per posta"
RULE = "---"
MAIL_SUFFIX = ".posta"
KEY = b"Prontuario: un sigillo per gli occhi, non una cassaforte"
WIDTH = 76


def seal(text: bytes) -> str:
    """Bytes as lines that say nothing to a reader."""
    nonce = secrets.token_bytes(16)
    packed = zlib.compress(text, 9)
    mark = hashlib.blake2b(packed, key=KEY[:64], digest_size=16).digest()
    closed = base64.b64encode(nonce + mark + _mixed(packed, nonce)).decode()
    return "\n".join(closed[n : n + WIDTH] for n in range(0, len(closed), WIDTH))


def unseal(lines: str) -> bytes:
    """The bytes under a seal; SaveError if they were touched."""
    try:
        closed = base64.b64decode("".join(lines.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise SaveError(N_("The seal of the file is broken.")) from error
    nonce, mark, packed = closed[:16], closed[16:32], _mixed(closed[32:], closed[:16])
    if hashlib.blake2b(packed, key=KEY[:64], digest_size=16).digest() != mark or len(nonce) < 16:
        raise SaveError(N_("The seal of the file is broken."))
    opened = zlib.decompressobj()
    text = opened.decompress(packed, LARGEST)
    if opened.unconsumed_tail:
        raise SaveError(N_("The file is too large to be a saved game."))
    return text


def _mixed(data: bytes, nonce: bytes) -> bytes:
    """Data and a stream of bytes, mixed; mixing again gives the data back."""
    stream = bytearray()
    block = 0
    while len(stream) < len(data):
        name = nonce + block.to_bytes(8, "big")
        stream += hashlib.blake2b(name, key=KEY[:64]).digest()
        block += 1
    number = int.from_bytes(data, "big") ^ int.from_bytes(stream[: len(data)], "big")
    return number.to_bytes(len(data), "big")


def export(session: Session, folder: Path) -> Path:
    """Write the game for whoever plays elsewhere; the file."""
    names = presenter_for(session.title.info.slug)
    decision, outcome = session.decision, session.position.outcome
    turn = _("the game is over")
    if outcome is None and decision is not None:
        turn = names.army(decision.side).name
    header = {
        _("title"): session.title.info.name,
        _("scenario"): session.scenario.name,
        _("sides"): ", ".join(names.army(side).name for side in session.scenario.sides),
        _("answers"): str(len(session.game.entries)),
        _("turn of"): turn,
    }
    lines = [FIRST_LINE, *(f"{key}: {value}" for key, value in header.items()), ""]
    lines.append(_("The seal keeps hidden facts and dice from the eyes of who opens the file."))
    lines.append(_("It does not protect from somebody who takes the program apart."))
    session.save()
    text = "\n".join([*lines, RULE, seal(session.path.read_bytes()), ""])
    path = folder / f"{session.path.stem}-{len(session.game.entries):04d}{MAIL_SUFFIX}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text.encode())
    except OSError as error:
        words = N_("{file} cannot be written: {why}.")
        raise SaveError(words, file=str(path), why=why(error)) from error
    return path


def sides_in(path: Path, titles: Mapping[str, Title[Any]]) -> dict[Side, str]:
    """The sides of a game that came by mail, with their names; SaveError if it cannot be read."""
    game = replay(parse(_opened(path).encode()), titles).game
    names = presenter_for(game.title.info.slug)
    info = next(info for info in game.title.scenarios() if info.id == game.scenario)
    return {side: names.army(side).name for side in info.sides}


def take_in(path: Path, titles: Mapping[str, Title[Any]], mine: Side) -> Path:
    """Put a game that came by mail among the saved ones, played here by one side."""
    record = parse(_opened(path).encode())
    loaded = replay(record, titles)
    info = next(i for i in loaded.game.title.scenarios() if i.id == loaded.game.scenario)
    if not loaded.is_whole:
        raise SaveError(N_("The two programs do not have the same rules: update both."))
    before = record.header.players
    players = {side: HUMAN if side == mine else before.get(side, HUMAN) for side in info.sides}
    for side, who in players.items():
        if side != mine and who == HUMAN:
            players[side] = REMOTE
    header = msgspec.structs.replace(record.header, players=players)
    target = new_path(header.title, header.scenario)
    SaveFile.create(target, header, loaded.game)
    return target


def _opened(path: Path) -> str:
    try:
        if not path.is_file():
            raise SaveError(N_("There is no such file."))
        if path.stat().st_size > LARGEST:
            raise SaveError(N_("The file is too large to be a saved game."))
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SaveError(N_("The file cannot be read.")) from error
    head, rule, sealed = text.partition(f"\n{RULE}\n")
    if not rule or not head.startswith(FIRST_LINE):
        if path.suffix == SUFFIX:
            return text
        raise SaveError(N_("The file is not a game by mail."))
    try:
        return unseal(sealed).decode("utf-8")
    except (UnicodeDecodeError, zlib.error) as error:
        raise SaveError(N_("The seal of the file is broken.")) from error
