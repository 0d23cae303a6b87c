"""Whole games of the first scenario, as a person without experience would play them."""

from __future__ import annotations

import random
import subprocess
import sys
import time

import pytest
from textual.widgets import OptionList

from app.play.keys import key_of
from app.play.session import Session
from app.play.table import Table
from app.screens.app import ProntuarioApp
from app.screens.curtain import CurtainScreen
from app.screens.play import PlayScreen
from app.shell import i18n
from app.widgets.hexmap import HexMap
from app.widgets.table_footer import TableFooter
from engine.saves.replaying import load
from engine.titles import TITLES
from tests.tools.pty_run import Terminal

pytestmark = pytest.mark.slow
WIDE, NARROW = (120, 40), (80, 24)


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


def new_session(tmp_path, seed=3):
    seats = {"us": "umano", "de": "umano"}
    return Session.new(
        TITLES["toi"], "toi-s1", seats=seats, seed=seed, path=tmp_path / "x.prontuario"
    )


async def by_keys(pilot, session, rng):
    """One answer: a number, the arrows and Enter, or the map."""
    app = pilot.app
    pick = rng.randrange(min(len(session.decision.options), 12))
    if pick < 9 and rng.random() < 0.85:
        option, ends = session.decision.options[pick].id, session.title.info
        await pilot.press(key_of(session.decision, option, ends))
        return
    answers = app.screen.query_one("#answers", OptionList)
    if not answers.has_focus:
        answers.focus()
    await pilot.press("home", *["down"] * pick, "enter")


async def uncover(pilot):
    """Click the key of the footer that gives the map back."""
    footer, x = pilot.app.screen.query_one(TableFooter), 0
    for key in footer.keys:
        if key.action == "side":
            await pilot.click(footer, offset=(x, 0))
            await pilot.pause()
            return
        x += key.width
    raise AssertionError(f"nothing to click that uncovers the map: {footer.keys}")


def story(session, app):
    """Where a game stands that does not go on."""
    asked, entries = session.decision, session.game.entries
    options = [option.id for option in asked.options] if asked is not None else []
    screen = app.screen
    return "; ".join([
        f"the game did not end after {len(entries)} entries",
        f"asks {asked.id if asked is not None else None}: {options}",
        f"last {[getattr(entry, 'option', '') for entry in entries[-8:]]}",
        f"{screen!r} {sorted(screen.classes)}, focus {app.focused!r}",
        f"said {screen._bar.said!r}" if isinstance(screen, PlayScreen) else "",
    ])  # fmt: skip


async def by_mouse(pilot, session, rng):
    """One answer: a click on the map where it lies alone, else on its line."""
    screen = pilot.app.screen
    board = screen.query_one(HexMap)
    if screen.has_class("-narrow") and screen.has_class("-side-open"):
        await uncover(pilot)  # a refusal clicked twice has opened its rule over the map
    if board.options and rng.random() < 0.7:
        target = rng.choice(sorted(board.options))
        board.centre_on(target)
        await pilot.pause()
        region = board.region_of(target).translate(-board.scroll_offset)
        count = len(session.game.entries)
        at = (region.x + region.width // 2, region.y + region.height // 2)
        await pilot.click("#map", offset=at)
        await pilot.pause()
        if len(session.game.entries) > count or not isinstance(pilot.app.screen, PlayScreen):
            return
    answers = screen.query_one("#answers", OptionList)
    row = rng.randrange(min(len(session.decision.options), answers.size.height))
    answers.scroll_home(animate=False)
    await pilot.pause()
    await pilot.click("#answers", offset=(5, row))


async def play(tmp_path, size, give, seed=3):
    session = new_session(tmp_path, seed)
    app = ProntuarioApp(lambda: PlayScreen(session))
    rng = random.Random(seed)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for _ in range(6000):
            if session.position.outcome is not None:
                break
            if isinstance(app.screen, CurtainScreen):
                if give is by_mouse:
                    await pilot.click("#curtain-button")
                else:
                    await pilot.press("enter")
            else:
                await give(pilot, session, rng)
            await pilot.pause()
        assert session.position.outcome is not None, story(session, app)
        await pilot.pause()
        assert str(app.screen.query_one("#question").render())
        journal = Table(session, "us").frames
        assert all(frame.step.ruling.refs for frame in journal)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_first_scenario_to_its_end_with_keys_alone(tmp_path, size):
    await play(tmp_path, size, by_keys)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_first_scenario_to_its_end_with_the_mouse_alone(tmp_path, size):
    await play(tmp_path, size, by_mouse, 5)


async def test_the_first_scenario_to_its_end_without_colours(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    await play(tmp_path, NARROW, by_keys, 4)


def test_the_first_scenario_to_its_end_in_text_mode(tmp_path):
    rng = random.Random(1)
    answers = "".join(f"{rng.choice([1, 1, 2, 3])}\n" for _ in range(6000))
    command = [sys.executable, "-m", "app", "gioca", "toi", "toi-s1", "--testo",
               "--lati", "umano,umano", "--seme", "3"]  # fmt: skip
    done = subprocess.run(
        command, input=answers, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0
    assert "[toi:vittoria.condizioni]" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_game_in_a_real_terminal():
    command = [sys.executable, "-m", "app", "gioca", "toi", "toi-s1", "--seme", "3",
               "--lati", "umano,casuale"]  # fmt: skip
    terminal = Terminal(command)
    try:
        terminal.wait_for("Decisione", 60)
        terminal.wait_for("miniature", 60)
        terminal.type("1")
        terminal.wait_for("2ª", 60)
        terminal.type("\x11")  # Ctrl+Q
        deadline = time.monotonic() + 30
        while not terminal.has_ended:
            assert time.monotonic() < deadline, "it does not close"
            time.sleep(0.1)
    finally:
        terminal.close()


PLAYER = """
import random, sys
from pathlib import Path
from app.play.session import Session
from engine.titles import TITLES
session = Session.new(TITLES["toi"], "toi-s1", seed=int(sys.argv[2]), path=Path(sys.argv[1]))
rng = random.Random(int(sys.argv[2]))
while session.decision is not None:
    option = rng.choice(session.decision.options).id
    print(len(session.game.entries), option, flush=True)
    session.answer(option)
    print(len(session.game.entries), "ok", flush=True)
"""


def test_killed_at_a_hundred_moments_a_game_loses_at_most_the_answer_in_progress(tmp_path):
    rng = random.Random(9)
    for n in range(100):
        path = tmp_path / f"{n}.prontuario"
        command = [sys.executable, "-c", PLAYER, str(path), str(n)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as player:
            assert player.stdout is not None
            for _ in range(rng.randrange(1, 400)):
                if not player.stdout.readline():
                    break
            time.sleep(rng.random() / 500)
            player.kill()
            lines = player.stdout.read().splitlines()
        done = [int(line.split()[0]) for line in lines if line.endswith("ok")]
        loaded = load(path, TITLES)
        assert loaded.divergence is None
        assert len(loaded.game.entries) >= max(done, default=0)
