"""The program's players think in a process of their own, so that the screen never stutters.

The process is given the header of the game and its entries, plays them itself, and answers with
an option and a reason. It sees what any player of that side sees: a View and a Decision.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import msgspec

from app.shell.child import command
from engine.core.rules import Command, Draw, Entry, Roll
from engine.core.text import Msg, PlainMsg
from engine.saves.lines import Header
from engine.saves.writing import common_prefix

AT_MOST = 32 * 1024 * 1024


class BotFailed(Exception):
    """The process ended or answered nonsense."""


class BotProcess:
    """A thinking process for one game."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._process: asyncio.subprocess.Process | None = None
        self._killed: list[asyncio.subprocess.Process] = []
        self._turn = asyncio.Lock()
        self._sent: tuple[Entry, ...] = ()

    async def choose(self, entries: tuple[Entry, ...], level: str = "") -> tuple[str, Msg | None]:
        """The answer to the decision that these entries lead to, and why.

        Without a level, of the player who sits there.
        """
        try:
            async with self._turn:
                return await self._ask(entries, level)
        except (OSError, ValueError, LookupError, TypeError, EOFError) as error:
            self.close()
            raise BotFailed(str(error)) from error

    async def _ask(self, entries: tuple[Entry, ...], level: str) -> tuple[str, Msg | None]:
        process = await self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        keep = common_prefix(self._sent, entries)
        fresh = [msgspec.to_builtins(entry) for entry in entries[keep:]]
        self._sent = entries
        request = {"keep": keep, "entries": fresh, "level": level}
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            await process.stdin.drain()
            line = await process.stdout.readline()
        except asyncio.CancelledError:
            self.close()  # its answer would be taken for that of the next question
            raise
        answer = json.loads(line)
        reason = answer["reason"] and msgspec.convert(answer["reason"], PlainMsg).msg()
        return str(answer["option"]), reason or None

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._sent = ()
            self._process = await asyncio.create_subprocess_exec(
                *command("app.play.bots"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=AT_MOST,
            )
            assert self._process.stdin is not None
            self._process.stdin.write(msgspec.json.encode(self._header) + b"\n")
        return self._process

    def close(self) -> None:
        """End the process at once: also how a long thought is cancelled."""
        if self._process is not None:
            if self._process.returncode is None:
                self._process.kill()
            # The pipes must go while the loop still runs; asyncio has no public way.
            self._process._transport.close()  # type: ignore[attr-defined]
            self._killed.append(self._process)
        self._process = None

    async def closed(self) -> None:
        """End the process, and wait until no process of this game is left."""
        self.close()
        async with self._turn:  # a question that is being given up may have started one more
            self.close()
        while self._killed:
            await self._killed.pop().wait()


def serve() -> None:
    """The process: header on the first line, then a request for each line."""
    import random
    from functools import partial

    from engine.drive import player_of
    from engine.game import Game
    from engine.titles import TITLES

    header = msgspec.json.decode(sys.stdin.readline(), type=Header)
    title = TITLES[header.title]
    players: dict[tuple[str, str], Any] = {}
    known: list[Any] = []
    rng = random.Random(header.seed if header.post is None else None)
    kinds = {"c": Command, "r": Roll, "d": Draw}
    game: Game[Any] | None = None
    for line in sys.stdin:
        request = json.loads(line)
        fresh = [msgspec.convert(item, kinds[item[0]]) for item in request["entries"]]
        if game is None or request["keep"] < len(known):
            known = known[: request["keep"]]
            game = Game(title, header.scenario, None, header.options)
            game.resume(known + fresh)
        else:
            game.resume(fresh)
        known = known + fresh
        decision = game.position.decision
        assert decision is not None
        side = decision.side
        seat = side, request["level"] or header.players[side]
        if seat not in players:
            players[seat] = player_of(title, seat[1])
        draft = game.position.draft
        option = players[seat].choose(partial(title.view, draft, side), decision, rng)
        reason = players[seat].reason()
        answer = {"option": option, "reason": reason and PlainMsg.of(reason)}
        sys.stdout.write(msgspec.json.encode(answer).decode() + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
