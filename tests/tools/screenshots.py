"""The pictures of the README: `python -m tests.tools.screenshots` writes docs/immagini/*.svg."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.screen import Screen

OUT = Path(__file__).parents[2] / "docs" / "immagini"
WIDE, NARROW = (120, 40), (80, 24)


async def ready(pilot: Pilot[Any]) -> None:
    """Until the texts are there, the odds are counted and the page is painted."""
    for _ in range(500):
        await pilot.pause(0.02)
        screen = pilot.app.screen
        if getattr(screen, "_corpus", True) is not None and not list(screen.workers):
            break
    await pilot.pause(0.3)


async def take(
    name: str, first: Callable[[], Screen[None]], size: tuple[int, int], *keys: str
) -> None:
    """One picture, after some keys."""
    from app.screens.app import ProntuarioApp

    app = ProntuarioApp(first)
    async with app.run_test(size=size) as pilot:
        await ready(pilot)
        for key in keys:
            await pilot.press(key)
            await ready(pilot)
        svg = app.export_screenshot(title="Prontuario")
    (OUT / f"{name}.svg").write_text(svg, encoding="utf-8")
    sys.stderr.write(f"{name}.svg\n")


async def all_of_them(folder: Path) -> None:
    """Every picture."""
    from app.play.tutorial import NOTE
    from app.screens.home import HomeScreen
    from app.screens.new_game import NewGameScreen
    from app.screens.play import PlayScreen
    from app.screens.rules import RulesScreen
    from tests.app.tables import ACTION, MOVE, TARGET, session_at

    def table(stop: str, times: int = 1, guided: bool = False) -> Callable[[], Screen[None]]:
        def laid() -> Screen[None]:
            session = session_at(folder, stop, times)
            session.keep(NOTE if guided else "")
            return PlayScreen(session)

        return laid

    await take("inizio", HomeScreen, WIDE)
    await take("nuova-partita", lambda: NewGameScreen("toi"), WIDE)
    await take("tavolo", table(ACTION, 14), WIDE, "e")
    await take("regola-accanto", table(TARGET, 3), WIDE, "r")
    await take("probabilita", table(TARGET, 3), WIDE, "o")
    await take("movimento", table(MOVE, 6), WIDE)
    await take("80x24", table(TARGET, 3), NARROW)
    await take("guida", table(ACTION, guided=True), NARROW)
    await take("regole", lambda: RulesScreen("toi:fuoco-op.innesco"), WIDE)


def main() -> int:
    """Write them all, with a user's folder of their own."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        asyncio.run(all_of_them(Path(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
