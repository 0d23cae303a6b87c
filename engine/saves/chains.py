"""Dice of a game by post: chains of hashes, to which every side commits before the first roll.

A side draws a secret and hashes it again and again. The end of that chain is its commitment, which
everybody gets; each roll opens the link before. Whoever knows a link finds the commitment by
hashing and cannot find the next link, so a roll is checked by everybody and foretold by nobody but
the side that holds the secret.

What falls depends on the link that is opened and on the last ones of all other sides: no side can
look for a secret that is kind to it. The first side commits before it knows the others; those
commit before they know the first link, which it opens when all have committed.
"""

from __future__ import annotations

import hashlib
import secrets
from functools import cached_property

import msgspec

from engine.core.ctx import DrawRequest, Request, RollRequest, Suspend
from engine.core.rules import Draw, Roll, Side
from engine.core.text import N_
from engine.game import SeededChance
from engine.saves.lines import Ledger, SaveError

LENGTH = 65_536
"""How many rolls and draws a side can answer for in one game."""
LINK = 16


def new_secret() -> str:
    """Where a chain begins."""
    return secrets.token_hex(32)


def before(link: str) -> str:
    """The link that was opened before this one; of the first link, the commitment."""
    return _hashed(bytes.fromhex(link)).hex()


def _hashed(link: bytes) -> bytes:
    return hashlib.blake2b(link, digest_size=LINK, person=b"prontuario").digest()


class Chain:
    """The chain of one's own secret."""

    def __init__(self, secret: str) -> None:
        self._secret = secret

    @cached_property
    def _links(self) -> list[bytes]:
        links = [_hashed(bytes.fromhex(self._secret))]
        for _ in range(LENGTH):
            links.append(_hashed(links[-1]))
        return links[::-1]

    @property
    def commitment(self) -> str:
        """The end of the chain."""
        return self._links[0].hex()

    def link(self, number: int) -> str | None:
        """A link by the order in which they are opened, from 1; None beyond the last."""
        return self._links[number].hex() if number <= LENGTH else None


class Tip(msgspec.Struct, frozen=True):
    """How far the chain of a side is opened: the last link, and how many are."""

    link: str
    opened: int = 0


class ChainedChance:
    """Dice and draws from chains. What this program answers opens links of the side that plays
    here; without its secret, before the first link, and after the last, everything waits."""

    def __init__(self, ledger: Ledger, side: Side = "") -> None:
        self._side = side
        self._ledger = ledger
        self._chain = Chain(ledger.secret) if is_hex(ledger.secret) else None
        tips = {who: Tip(link) for who, link in ledger.pledges[: len(ledger.people)]}
        if self._chain is not None and tips.get(side) != Tip(self._chain.commitment):
            raise SaveError(N_("The file was changed: its dice are not those of the side that "
                               "plays here."))  # fmt: skip
        if ledger.is_open:
            who, link = ledger.pledges[-1]
            tips[who] = Tip(link, 1)
        self._tips = [tips]
        self._openers: list[Side] = []

    def roll(self, request: RollRequest, index: int) -> Roll:
        """Dice from the next link of the own chain."""
        source = self._open(request, index)
        return Roll(request.dice.name, self._dice(index).roll(request, index).faces, source)

    def draw(self, request: DrawRequest, index: int) -> Draw:
        """A draw from the next link of the own chain."""
        source = self._open(request, index)
        return Draw(request.pool.name, self._dice(index).draw(request, index).item, source)

    def is_honest(self, request: Request, index: int, entry: Roll | Draw) -> bool:
        """Whether an entry opens the next link of a chain, and says what follows from it."""
        side, _colon, link = entry.source.partition(":")
        tip = self._tips[index].get(side) if index < len(self._tips) else None
        if tip is None or not self._ledger.is_open or not is_link(link) or before(link) != tip.link:
            self._advance(index, "", "")
            return False
        self._advance(index, side, link)
        return self._dice(index).is_honest(
            request, index, msgspec.structs.replace(entry, source="")
        )

    def _open(self, request: Request, index: int) -> str:
        """Open the next link of the own chain, or wait; the source of what it gives."""
        if self._chain is None or not self._ledger.is_open:
            raise Suspend(request)
        link = self._chain.link(self._tips[index][self._side].opened + 1)
        if link is None:
            raise Suspend(request)
        self._advance(index, self._side, link)
        return f"{self._side}:{link}"

    def _advance(self, index: int, side: Side, link: str) -> None:
        """Note which link an entry opened; what was noted for later ones does not hold."""
        del self._tips[index + 1 :], self._openers[index:]
        tips = dict(self._tips[-1])
        if side:
            tips[side] = Tip(link, tips[side].opened + 1)
        self._tips.append(tips)
        self._openers.append(side)

    def _dice(self, index: int) -> SeededChance:
        """Fair dice from the link that an entry opened and the last ones of the others."""
        tips, opener = self._tips[index + 1], self._openers[index]
        others = [tips[who].link for who in self._ledger.people if who != opener]
        text = "/".join((tips[opener].link, *others)).encode()
        return SeededChance(hashlib.blake2b(text, digest_size=LINK).hexdigest())


def is_link(text: str) -> bool:
    """Whether a text can be a link."""
    return len(text) == 2 * LINK and is_hex(text)


def is_hex(text: str) -> bool:
    """Whether a text is bytes in hexadecimal."""
    return bool(text) and not len(text) % 2 and all(digit in "0123456789abcdef" for digit in text)
