"""The pictures of the README: `python -m tests.tools.screenshots` writes docs/immagini/*.svg."""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.screen import Screen

from app.play.session import Session
from engine.drive import player_of
from engine.game import Game
from engine.saves.replaying import chance_of
from engine.titles import TITLES
from tests.app.tables import head_of

OUT = Path(__file__).parents[2] / "docs" / "immagini"
WIDE, NARROW, VERY_WIDE = (120, 40), (80, 24), (200, 60)
SIZES = {"120x40": WIDE, "80x24": NARROW, "200x60": VERY_WIDE}
STEPS = 6
"""Steps back from the present at which a combat is shown."""

TABLES = {
    "toi": ("toi-s1", "fire.target", "us", 90, ("o",)),
    "ddob": ("first-wave", "actions.what", "us", 60, ("r",)),
    "aslsk": ("R4", "fire.at-movers", "german", 150, ("o",)),
    "warfare": ("s4", "action.what", "blu", 60, ("r",)),
}
"""A table of each title: scenario, question, side, answers before it, keys."""
RULES = {"ddob": "ddob:6.31", "aslsk": "aslsk:3.2.3"}


def play_until(game: Game[Any], stop: str, side: str, after: int) -> None:
    """Medium players play on until a side is asked something, so many answers later."""
    rng, given, bots = random.Random(2), 0, {}
    while (decision := game.position.decision) is not None:
        if given >= after and (decision.id, decision.side) == (stop, side):
            return
        bot = bots.setdefault(decision.side, player_of(game.title, "medio"))
        look = partial(game.title.view, game.position.draft, decision.side)
        game.answer(bot.choose(look, decision, rng))
        given += 1
    raise AssertionError(f"nobody asks {stop}")


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
    from app.play.tutorial import tutorial_for
    from app.screens.cards import CardsScreen
    from app.screens.home import HomeScreen
    from app.screens.play import PlayScreen
    from app.screens.rules import RulesScreen

    def guided() -> Screen[None]:
        guide = tutorial_for("toi")
        assert guide is not None
        return PlayScreen(Session.guided(TITLES["toi"], guide, folder / "guida.prontuario"))

    def game_of(slug: str, scenario: str, stop: str, side: str, after: int) -> Screen[None]:
        head = head_of(slug, scenario)
        game = Game(TITLES[slug], scenario, chance_of(head))
        play_until(game, stop, side, after)
        return PlayScreen(Session(game, head, folder / f"{slug}.prontuario"))

    for slug, (scenario, stop, side, after, keys) in TABLES.items():
        laid = partial(game_of, slug, scenario, stop, side, after)
        await take(f"tavolo-{slug}", laid, WIDE, *keys)
        for name, size in SIZES.items():
            await take(f"passo-{slug}-{name}", laid, size, *["backspace"] * STEPS)
        await take(f"schede-{slug}", partial(CardsScreen, slug), WIDE)
    for slug, ref in RULES.items():
        await take(f"regole-{slug}", partial(RulesScreen, ref), WIDE)
    await take("guida-toi", guided, NARROW)
    for name, size in SIZES.items():
        await take(f"casa-{name}", HomeScreen, size)


def main() -> int:
    """Write them all, with a user's folder of their own."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        asyncio.run(all_of_them(Path(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
