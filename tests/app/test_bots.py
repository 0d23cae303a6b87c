"""The program's players in their own process: answers and reasons cross the pipe whole."""

from __future__ import annotations

import asyncio
import json
from fractions import Fraction

import pytest

from app.bots import BotFailed, BotProcess, packed, unpacked
from engine.core.text import Msg
from engine.saves import FORMAT, Header


def test_a_reason_keeps_the_kinds_of_its_facts():
    said = Msg(
        "why", {"unit": "A", "n": 3, "sure": True, "chance": Fraction(1, 3), "all": ("x", 2)}
    )
    assert unpacked(json.loads(json.dumps(packed(said)))) == said
    assert unpacked(json.loads(json.dumps(packed(None)))) is None


def test_nonsense_from_the_process_is_a_failure_and_not_the_end(monkeypatch):
    bots = BotProcess(Header(FORMAT, "ddob", 1, "easy-fox", 7, {}, {}))

    async def nonsense(entries, level):
        return unpacked({"id": "why"})

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
