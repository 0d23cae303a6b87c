"""Work on a game in a process of its own, so that the screen never stutters.

A process gets the header of the game once, and with every question where the game stands: the
state at rest and the answers since. What it finds it tells part by part. One whose question is
given up may finish the part it is at, so that it is there for the next question; if that takes long
it is ended, and the next question starts another. Nothing but plain data crosses, as lines of JSON.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from queue import SimpleQueue
from threading import Thread
from typing import Any, ClassVar, TypeAlias

import msgspec

from app.shell import breakdown
from app.shell.child import ChildFailed, command
from engine.core.rules import Entry
from engine.core.title import Title
from engine.game import Game, Position, decode_fraction, encode_fraction
from engine.saves.lines import Header

AT_MOST = 32 * 1024 * 1024
"""Bytes of the longest line."""
GRACE = 0.4
"""Seconds that a process has to come to the end of a part that nobody waits for."""

Answer: TypeAlias = Callable[[Position[Any], str], Iterator[Any]]
"""What a process finds out where a game stands, part by part; the text says what is asked."""


class Asked(msgspec.Struct, frozen=True):
    """A question as it crosses: where the game stands, and what is to be found out."""

    rest: msgspec.Raw
    open: tuple[Entry, ...]
    what: str


class Told(msgspec.Struct, frozen=True):
    """An answer as it crosses: a part of it, or its end; `fault` is the details of one."""

    part: msgspec.Raw = msgspec.Raw(b"null")
    is_end: bool = False
    fault: str = ""


def plain(value: Any) -> bytes:
    """A value as it crosses."""
    return msgspec.json.encode(value, enc_hook=encode_fraction)


class GameProcess:
    """A process for one game, as the screen holds it. It starts with the first question."""

    module: ClassVar[str]

    def __init__(self, header: Header) -> None:
        self._header = header
        self._process: asyncio.subprocess.Process | None = None
        self._killed: list[asyncio.subprocess.Process] = []
        self._turn = asyncio.Lock()
        self._is_owed = False  # a question was put, and the end of its answer has not come
        self._resting: asyncio.Task[None] | None = None

    async def ask(self, at: Position[Any], what: str, hear: Callable[[bytes], None]) -> None:
        """Have `hear` told every part of an answer; ChildFailed if it does not come whole."""
        async with self._turn:
            try:
                await self._ask(at, what, hear)
            except asyncio.CancelledError:
                self._give_up()
                raise
            except (OSError, ValueError, EOFError) as error:
                self.close()
                raise ChildFailed from error

    async def _ask(self, at: Position[Any], what: str, hear: Callable[[bytes], None]) -> None:
        if self._resting is not None:
            await asyncio.shield(self._resting)
            self._resting = None
        process = await self._running()
        assert process.stdin is not None
        asked = Asked(msgspec.Raw(plain(at.rest)), at.open, what)
        self._is_owed = True
        process.stdin.write(plain(asked) + b"\n")
        await process.stdin.drain()
        while not (told := await self._told(process)).is_end:
            hear(bytes(told.part))
        self._is_owed = False
        if told.fault:
            raise ChildFailed(told.fault)

    async def _told(self, process: asyncio.subprocess.Process) -> Told:
        assert process.stdout is not None
        line = await process.stdout.readline()
        if not line:
            raise EOFError
        return msgspec.json.decode(line, type=Told)

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self.close()
            self._process = await asyncio.create_subprocess_exec(
                *command(self.module),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=AT_MOST,
            )
            assert self._process.stdin is not None
            self._process.stdin.write(msgspec.json.encode(self._header) + b"\n")
        return self._process

    def _give_up(self) -> None:
        """Nobody waits for the rest of the answer."""
        if self._is_owed and self._resting is None and self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.write(b"\n")
            self._resting = asyncio.create_task(self._come_to_rest(self._process))

    async def _come_to_rest(self, process: asyncio.subprocess.Process) -> None:
        """Hear the part that the process is at, and no more; end it if that takes too long."""
        try:
            async with asyncio.timeout(GRACE):
                while not (await self._told(process)).is_end:
                    pass
            self._is_owed = False
        except (OSError, ValueError, EOFError):  # TimeoutError is an OSError
            if process is self._process:
                self.close()

    def close(self) -> None:
        """End the process at once; `closed` waits until it is gone."""
        if self._process is not None:
            if self._process.returncode is None:
                self._process.kill()
            self._killed.append(self._process)
        self._process, self._is_owed = None, False

    async def closed(self) -> None:
        """End the process, and wait until no process of this game is left."""
        self.close()
        async with self._turn:  # a question that is being given up may have started one more
            self.close()
        if self._resting is not None:
            await self._resting
        while self._killed:
            process = self._killed.pop()
            await process.wait()
            # The pipes must go while the loop still runs; asyncio has no public way.
            process._transport.close()  # type: ignore[attr-defined]


# --- inside the process -----------------------------------------------------------------------


def serve(begin: Callable[[Title[Any], Header], Answer]) -> None:
    """The process: the header on the first line, then a question on each line."""
    header = msgspec.json.decode(sys.stdin.buffer.readline(), type=Header)
    if header.is_sealed:
        breakdown.keep_discreet()
    lines: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(lines,), daemon=True).start()
    title: Title[Any] = import_module(f"engine.{header.title}").TITLE  # the others take their time
    answer, stands = begin(title, header), Standing(title, header)
    while True:
        line = lines.get()
        if line.strip():
            _tell(Told(is_end=True, fault=_answered(line, answer, stands, lines)))


def _listen(lines: SimpleQueue[bytes]) -> None:
    """Questions, and the blank lines that give them up; without a screen there is nothing to do,
    not even to end what was begun."""
    for line in sys.stdin.buffer:
        lines.put(line)
    os._exit(0)


def _answered(line: bytes, answer: Answer, stands: Standing, lines: SimpleQueue[bytes]) -> str:
    """Tell the parts of an answer while somebody waits for them; the details of a fault."""
    try:
        asked = msgspec.json.decode(line, type=Asked)
        for part in answer(stands.where(asked), asked.what):
            _tell(Told(msgspec.Raw(plain(part))))
            if not lines.empty():
                break
    except Exception as error:  # noqa: BLE001  whatever it is, the next question is answered
        return breakdown.details(error)
    return ""


def _tell(told: Told) -> None:
    sys.stdout.buffer.write(plain(told) + b"\n")
    sys.stdout.buffer.flush()


class Standing:
    """Where the game stands, from plain data; questions of one procedure share their state, and
    what the rules have found out about it."""

    def __init__(self, title: Title[Any], header: Header) -> None:
        self._title, self._header = title, header
        self._rest: tuple[bytes, Any] = (b"", None)

    def where(self, asked: Asked) -> Position[Any]:
        """The position that is asked about."""
        raw = bytes(asked.rest)
        if raw != self._rest[0]:
            kind = self._title.state_type
            self._rest = raw, msgspec.json.decode(raw, type=kind, dec_hook=decode_fraction)
        header, state = self._header, self._rest[1]
        game = Game(self._title, header.scenario, None, header.options, start=state)
        return game.resume(asked.open)
