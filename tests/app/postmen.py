"""People who play by post: each has a folder of its own, and they meet in mails only.

Run as a program it is one of them, who plays until the game is over and can be told to die:

    python -m tests.app.postmen MAILBOX SIDE SLUG SCENARIO [DIE]

DIE is `answer:7` (killed after seven answers) or `write:5` (killed in the middle of a write).
"""

from __future__ import annotations

import copy
import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

import engine.saves.writing
from app.play import mail
from app.play.discretion import HUMAN, REMOTE
from app.play.session import Session
from engine.core.files import write_all
from engine.drive import player_of
from engine.game import digest
from engine.saves import chains
from engine.saves.letters import Letter
from engine.titles import TITLES

LEVEL = "casuale"


@pytest.fixture(autouse=True, scope="module")
def quick() -> Iterator[None]:
    """Short chains, and no waiting for the disk: crashes have tests of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _handle: None)
        patch.setattr(chains, "LENGTH", 1000)
        yield


@contextmanager
def profile(folder: Path) -> Iterator[None]:
    """Be at the computer of somebody."""
    before = os.environ.get("XDG_DATA_HOME")
    os.environ["XDG_DATA_HOME"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["XDG_DATA_HOME"]
        else:
            os.environ["XDG_DATA_HOME"] = before


def sides_of(slug: str, scenario: str) -> tuple[str, ...]:
    """The sides of a scenario."""
    return next(info for info in TITLES[slug].scenarios() if info.id == scenario).sides


def begin(
    slug: str, scenario: str, mine: str = "", options: Mapping[str, str] | None = None, **seats: str
) -> Session:
    """A new game by post in which everybody else is elsewhere."""
    sides = sides_of(slug, scenario)
    found = {side: HUMAN if side == (mine or sides[0]) else REMOTE for side in sides}
    return Session.new(TITLES[slug], scenario, seats={**found, **seats}, options=options)


def play(session: Session, rng: random.Random, at_most: int = 100_000) -> int:
    """Answer for the person here, and let programs answer, until it is for others to; how often."""
    given = 0
    while (decision := session.decision) is not None and not session.is_away and given < at_most:
        if session.is_bot_turn:
            session.answer(*session.bot_choice())
            continue
        look = partial(session.title.view, session.position.draft, decision.side)
        session.answer(player_of(session.title, LEVEL).choose(look, decision, rng))
        given += 1
    return given


class Table:
    """Several people and the mails between them, in one process."""

    def __init__(self, base: Path, slug: str, scenario: str, seed: int = 4, **rest: str) -> None:
        self.base, self.sides = base, sides_of(slug, scenario)
        self.rng = random.Random(seed)
        self.mails: list[Path] = []
        self.answers = 0
        with self.at(self.sides[0]):
            begin(slug, scenario, **rest).close()
        self.turn = self.sides[0]

    def at(self, side: str):
        """The computer of a side."""
        return profile(self.base / side)

    def open(self, side: str) -> Session:
        """The game at the computer of a side."""
        (path,) = (self.base / side).rglob("*.prontuario")
        return Session.open(path, TITLES)

    def send(self, at_most: int = 100_000) -> bool:
        """Whoever is next plays and sends a mail, which the next one takes in; False at the end."""
        with self.at(self.turn):
            session = self.open(self.turn)
            self.answers += play(session, self.rng, at_most)
            awaited, is_over = session.awaited, session.position.outcome is not None
            self.mails.append(mail.export(session, self.base / "mails"))
            session.close()
        for side in awaited:
            self.take_in(side)
        self.turn = awaited[0]
        return not is_over

    def take_in(self, side: str) -> None:
        """Take the last mail in; who has not got the game yet takes this side of it."""
        with self.at(side):
            mail.take_in(self.letter, TITLES, side).close()

    def copied(self, base: Path) -> Table:
        """The same people with the same games, in another place."""
        shutil.copytree(self.base, base)
        other = copy.copy(self)
        other.base, other.rng = base, random.Random(self.rng.random())
        other.mails = [base / path.relative_to(self.base) for path in self.mails]
        return other

    @property
    def letter(self) -> Letter:
        """The last mail."""
        return mail.read_mail(self.mails[-1])


# As a program


def main(mailbox: Path, side: str, slug: str, scenario: str, die: str = "") -> None:
    """Play one side to the end; the last line tells what it took."""
    rng = random.Random()
    when, _colon, count = die.partition(":")
    if when == "write":
        _die_in_write(int(count))
    taken, sent, keys, left = 0, 0, 0, int(count) if when == "answer" else 0
    session = _own_game(mailbox, side, slug, scenario)
    while True:
        if session is None:
            invited = _next_mail(mailbox, side, 0)
            session, taken, keys = mail.take_in(invited, TITLES, side), taken + 1, keys + 1
        answers = play(session, rng, left or 100_000)
        keys += answers
        if left and (left := left - answers) <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        assert session.ledger is not None
        number = len(session.ledger.mails)
        last = session.ledger.mails[-1] if number else None
        if last is None or last.side != side or last.entries < len(session.game.entries):
            is_new = last is None or last.entries < len(session.game.entries) or not sent
            if session.position.outcome is None or is_new:
                mail.export(session, mailbox)
                sent, keys = sent + 1, keys + 1
        if session.position.outcome is not None:
            break
        session.receive(_next_mail(mailbox, side, len(session.ledger.mails)), TITLES)
        taken, keys = taken + 1, keys + 1
    session.close()
    saves = len(list(session.path.parent.glob("*.prontuario")))
    told = {"side": side, "sent": sent, "taken": taken, "keys": keys, "saves": saves,
            "mails": len(session.ledger.mails), "state": digest(session.position.rest),
            "digest": session.ledger.mails[-1].digest}  # fmt: skip
    sys.stdout.write(json.dumps(told) + "\n")


def _own_game(mailbox: Path, side: str, slug: str, scenario: str) -> Session | None:
    folder = Path(os.environ["XDG_DATA_HOME"])
    for path in folder.rglob("*.prontuario"):
        if path.stat().st_size:
            return Session.open(path, TITLES)
    return begin(slug, scenario) if side == sides_of(slug, scenario)[0] else None


def _next_mail(mailbox: Path, side: str, known: int) -> Letter:
    until = time.monotonic() + 120
    while time.monotonic() < until:
        for _path, letter in mail.mails(mailbox):
            if letter.sender != side and letter.number > known:
                return letter
        time.sleep(0.02)
    raise TimeoutError(side)


def _die_in_write(count: int) -> None:
    """From now on the n-th write of the game's file is the last thing that this process does."""
    left = [count]

    def dying(file: object, content: bytes) -> None:
        left[0] -= 1
        if not left[0]:
            write_all(file, content[: len(content) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        write_all(file, content)

    engine.saves.writing.write_all = dying


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
