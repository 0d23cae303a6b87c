"""Other sizes of the terminal, quickly one after the other: the screen settles and keys live."""

from __future__ import annotations

import asyncio
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest
from textual import events
from textual.geometry import Size
from textual.screen import Screen

from app.screens.curtain import CurtainScreen
from app.screens.help import HelpScreen
from app.screens.play import PlayScreen
from app.screens.too_small import TooSmallScreen
from app.widgets.hexmap import HexMap
from app.widgets.steady import Steady
from tests.app.tables import ACTION, MOVE, session_at
from tests.app.test_play import NARROW, WIDE, italian, settled, table  # noqa: F401
from tests.tools.pty_run import Terminal

ROOT = Path(__file__).parents[2]
TINY = Size(20, 5)


def resize(app, size):
    """As the terminal does it: the size is there before anybody hears of it."""
    app._driver._size = size
    app.post_message(events.Resize(size, size))


@pytest.fixture
def resizes(monkeypatch):
    """How often a screen has been laid out anew."""
    heard, lay_out = [], Screen._refresh_layout

    def count(screen, *given, **named):
        heard.append(type(screen).__name__)
        if len(heard) < 2000:  # a screen that is never at rest would hold the test for ever
            lay_out(screen, *given, **named)

    monkeypatch.setattr(Screen, "_refresh_layout", count)
    return heard


@pytest.mark.parametrize("key", ["o", "i", "r", "F2"])
async def test_the_table_settles_after_many_sizes(tmp_path, resizes, key):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: app.screen._corpus is not None)
        await pilot.press(key.lower())
        await settled(pilot)
        for _ in range(5):
            for size in (TINY, Size(*WIDE)):
                resize(app, size)
                await asyncio.sleep(0.12)
        await settled(pilot, lambda: all(s.outer_size == WIDE for s in app.screen_stack))
        await settled(pilot)
        assert len(resizes) < 2000, f"never at rest: {resizes[-4:]}"
        assert all(screen.outer_size == WIDE for screen in app.screen_stack)
        await pilot.press("f1")
        await settled(pilot, lambda: isinstance(app.screen, HelpScreen))


async def test_a_size_that_is_no_longer_true_passes_by(tmp_path):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        for screen in app.screen_stack:
            screen.post_message(events.Resize(TINY, TINY))
        await settled(pilot)
        assert [screen.outer_size for screen in app.screen_stack] == [WIDE, WIDE]


async def test_a_notice_below_a_dialogue_goes_too(tmp_path):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.resize_terminal(*TINY)
        assert isinstance(app.screen, TooSmallScreen)
        app.push_screen(CurtainScreen("USA"))  # the program has played on meanwhile
        await settled(pilot)
        await pilot.resize_terminal(*NARROW)
        await pilot.press("enter")
        await settled(pilot, lambda: isinstance(app.screen, PlayScreen))


async def test_a_map_that_is_not_in_sight_waits_quietly(tmp_path, monkeypatch):
    app = table(session_at(tmp_path, MOVE))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        board = app.screen.query_one(HexMap)
        await pilot.press("i")
        await settled(pilot, lambda: not board.size)
        asked, centre_on = [], HexMap.centre_on
        monkeypatch.setattr(
            HexMap, "centre_on", lambda *given: asked.append(1) or centre_on(*given)
        )
        far = board.view.board.hexes()[-1]
        board.centre_on(far)
        await pilot.pause(0.1)
        assert len(asked) == 1
        await pilot.press("escape")
        await settled(pilot, lambda: bool(board.size))
        await settled(pilot)
        region = board.region_of(far).translate(-board.scroll_offset)
        assert board.size.region.contains_region(region)


def test_every_screen_is_steady():
    for path in (ROOT / "app" / "screens").glob("*.py"):
        import_module(f"app.screens.{path.stem}")
    import_module("app.screens.app")
    ours = [one for one in subclasses(Screen) if one.__module__.startswith("app.")]
    assert len(ours) > 12
    assert [one.__name__ for one in ours if not issubclass(one, Steady)] == []


def subclasses(one):
    return {found for sub in one.__subclasses__() for found in (sub, *subclasses(sub))}


@pytest.mark.slow
def test_in_a_terminal_the_table_rests_after_many_sizes(monkeypatch):
    monkeypatch.chdir(ROOT)
    code = "import sys; from app.cli.verbs import main; sys.exit(main(sys.argv[1:]))"
    terminal = Terminal([sys.executable, "-c", code, "gioca", "toi", "toi-s1", "--seme", "5"])
    try:
        terminal.wait_for("Menù")
        terminal.read(5, 1)
        terminal.type("o")
        terminal.read(5, 1)
        for _ in range(5):
            for size in ((20, 5), WIDE):
                terminal.resize(size)
                time.sleep(0.12)
        terminal.read(5, 1)
        terminal.type("m")  # heard no more, before
        terminal.wait_for("Torna al tavolo")
    finally:
        terminal.close()
