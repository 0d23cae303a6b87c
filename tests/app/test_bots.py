"""The program's players in their own process: answers and reasons cross the pipe whole."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from app.play.bots import BotFailed, BotProcess
from engine.core.text import PlainMsg
from engine.saves.lines import FORMAT, Header


def test_nonsense_from_the_process_is_a_failure_and_not_the_end(monkeypatch):
    bots = BotProcess(Header(FORMAT, "ddob", 1, "easy-fox", 7, {}, {}))

    async def nonsense(entries, level):
        return msgspec.convert({"facts": {}}, PlainMsg)

    monkeypatch.setattr(bots, "_ask", nonsense)
    with pytest.raises(BotFailed):
        asyncio.run(bots.choose(()))


async def test_no_process_is_left_when_the_table_is_cleared_in_the_middle_of_a_question():
    bots = BotProcess(Header(FORMAT, "ddob", 1, "easy-fox", 7, {}, {}))
    asked = asyncio.create_task(bots.choose(()))
    while bots._process is None:
        await asyncio.sleep(0)
    process = bots._process
    asked.cancel()
    await bots.closed()
    assert process.returncode is not None
    with pytest.raises(asyncio.CancelledError):
        await asked
