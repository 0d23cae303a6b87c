"""A few pictures of the screens: fixed seed, fixed sizes, no clock."""

from __future__ import annotations

import re

import pytest
from syrupy.extensions.image import SVGImageSnapshotExtension

from app.play.session import Session
from app.play.tutorial import tutorial_for
from app.screens.app import ProntuarioApp
from app.screens.new_game import NewGameScreen
from app.screens.play import PlayScreen
from app.shell import config, i18n
from engine.titles import TITLES
from tests.app.tables import ACTION, DEPLOY, MOVE, TARGET, session_at

pytestmark = [pytest.mark.slow, pytest.mark.snapshot]
WIDE, NARROW = (120, 40), (80, 24)


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


@pytest.fixture
def snap_compare(snapshot):
    """Whether a screen looks as in its picture, but for the number Rich gives to every picture."""
    pictures = snapshot.use_extension(SVGImageSnapshotExtension)

    def compare(app, terminal_size, run_before) -> bool:
        async def photograph(pilot):
            await run_before(pilot)
            await pilot.wait_for_scheduled_animations()
            app.exit(app.export_screenshot(simplify=True))

        svg = app.run(headless=True, size=terminal_size, auto_pilot=photograph)
        return re.sub(r"\bterminal-\d+-", "terminal-", svg) == pictures

    return compare


async def ready(pilot):
    """Until the texts are there and the odds are counted."""
    screen = pilot.app.screen
    for _ in range(400):
        await pilot.pause(0.02)
        if getattr(screen, "_corpus", True) is not None and not list(screen.workers):
            break
    await pilot.pause()


def keys(*pressed):
    async def run(pilot):
        await ready(pilot)
        for key in pressed:
            await pilot.press(key)
            await ready(pilot)

    return run


TABLES = {
    "deploy": (DEPLOY, ()),
    "action": (ACTION, ()),
    "move": (MOVE, ()),
    "target": (TARGET, ("o",)),
    "rule": (TARGET, ("r",)),
    "forbidden": (ACTION, ("x",)),
}


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["120x40", "80x24"])
@pytest.mark.parametrize("name", list(TABLES))
def test_the_table(snap_compare, tmp_path, name, size):
    stop, pressed = TABLES[name]
    app = ProntuarioApp(lambda: PlayScreen(session_at(tmp_path, stop)))
    assert snap_compare(app, terminal_size=size, run_before=keys(*pressed))


def test_the_guide(snap_compare, tmp_path):
    session = Session.guided(TITLES["toi"], tutorial_for("toi"), tmp_path / "guida.prontuario")
    app = ProntuarioApp(lambda: PlayScreen(session))
    assert snap_compare(app, terminal_size=NARROW, run_before=keys())


def test_plain_characters(snap_compare, tmp_path):
    config.save(config.Settings(ascii=True))
    app = ProntuarioApp(lambda: PlayScreen(session_at(tmp_path, TARGET)))
    assert snap_compare(app, terminal_size=NARROW, run_before=keys())


def test_a_new_game(snap_compare):
    app = ProntuarioApp(lambda: NewGameScreen("toi"))
    assert snap_compare(app, terminal_size=WIDE, run_before=keys())
