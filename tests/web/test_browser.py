"""A person at the browser: `make web`. Pictures of what they see are left in `web-out`."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from pathlib import Path

import pytest

from app.shell.paths import saves_folder
from tests.web.chromium import chromium
from tests.web.program import PATIENCE, gone

pytestmark = pytest.mark.web

PICTURES = Path(__file__).parents[2] / "web-out"
QUESTIONS = 200
"""How many questions a game may ask before the first shot."""


def question(text):
    """What the table asks, with the answers, out of the text of the screen."""
    frame = re.search(r"╭─ Decisione ─.*?╰", text, re.DOTALL)
    rows = frame[0].splitlines()[1:-1] if frame else []
    return "\n".join(row.lstrip("│ ").split("│")[0].rstrip() for row in rows)


async def begun(window):
    """From the menu to the table of the first scenario, by mouse and keys."""
    await window.wait("Comandi")
    await window.click("Gioca")
    await window.wait("Comincia (F5)")
    await window.press("F5")
    await window.wait("Decisione")


async def test_an_attack_and_its_rule_in_two_windows_and_nothing_from_elsewhere(program, tmp_path):
    async with chromium(tmp_path / "profilo") as browser:
        window = await browser.open(program.address)
        await begun(window)
        asked = ""
        for _number in range(QUESTIONS):
            shown = await window.wait(lambda text, old=asked: question(text) not in ("", old))
            asked = question(shown)
            if "a chi spara?" in asked:
                break
            if asked.startswith("USA:"):
                await window.press("d")
        assert "a chi spara?" in asked
        await window.shoot(PICTURES / "bersaglio.png")

        target = re.search(r"^1  (.{12})", asked, re.MULTILINE)
        await window.click(target[0])
        await window.wait("attacco normale o soppressivo?")
        await window.press("1")
        await window.wait("Dopo i dadi rossi: colpi")
        await window.shoot(PICTURES / "attacco.png")
        await window.click("Dopo i dadi rossi")
        await window.wait("Tide of Iron, p. 27")
        await window.shoot(PICTURES / "regola.png")
        for width, height in ((1920, 1080), (800, 600)):
            await window.resize(width, height)
            await window.wait(lambda text: "Decisione" in text and "F1" in text.splitlines()[-1])
            await window.shoot(PICTURES / f"regola-{width}.png")

        other = await browser.open(program.address)
        await begun(other)
        assert len(program.children) == 2
        assert len(list(saves_folder().glob("*.prontuario"))) == 2
        await other.shoot(PICTURES / "altra.png")
        await other.close()
        async with asyncio.timeout(PATIENCE):
            while len(program.children) == 2:
                await asyncio.sleep(0.05)
        await window.wait("Decisione")
        assert not browser.errors

        pids = program.children
        await asyncio.to_thread(program.end, signal.SIGINT)
        await gone(*pids)
        await window.wait("Collegamento perso", "message")
        await window.shoot(PICTURES / "perso.png")

    here = program.address.partition("/?")[0] + "/"
    asked_for = {re.sub("^ws:", "http:", address) for address in browser.requests}
    assert here + "terminal/js/textual.js" in asked_for
    assert not [address for address in asked_for if not address.startswith(here)]


async def test_a_window_says_how_it_ended_and_opens_again(program, tmp_path):
    async with chromium(tmp_path / "profilo") as browser:
        window = await browser.open(program.address)
        await window.wait("Comandi")
        assert await window.message() == ""
        assert "token" not in await window.evaluate("location.href")
        await window.click("Esci")
        await window.wait("Prontuario è chiuso.", "message")
        await window.press("Enter")
        await window.wait("Comandi")
        os.kill(*program.children, signal.SIGKILL)
        await window.wait("Prontuario si è chiuso da solo (codice -9).", "message")
        await window.shoot(PICTURES / "chiuso.png")
