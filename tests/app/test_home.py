"""The first screen, by keys and mouse."""

from __future__ import annotations

import pytest
from textual.widgets import OptionList, Static

from app import config, i18n
from app.app import ProntuarioApp
from app.screens.help import HelpScreen
from app.screens.home import BANNER, HomeScreen
from app.screens.new_game import NewGameScreen
from app.screens.saves import SavesScreen
from app.screens.too_small import TooSmallScreen
from tests.app.test_play import settled

SIZES = [(120, 40), (80, 24)]


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


def text_of(app):
    return "\n".join(str(w.render()) for w in app.screen.query(Static))


@pytest.mark.parametrize("size", SIZES)
async def test_the_menu_says_what_each_entry_does(size):
    app = ProntuarioApp()
    async with app.run_test(size=size) as pilot:
        assert isinstance(app.screen, HomeScreen)
        assert "scenario" in text_of(app)
        await pilot.press("end")
        assert "Chiude Prontuario" in text_of(app)


async def test_entries_open_with_keys_and_escape_comes_back():
    app = ProntuarioApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("g")
        assert isinstance(app.screen, NewGameScreen)
        await pilot.press("escape")
        await pilot.press("p")
        assert isinstance(app.screen, SavesScreen)
        assert "Non ci sono partite salvate" in text_of(app)
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)


async def test_entries_open_with_the_mouse():
    app = ProntuarioApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.click("#menu", offset=(4, 2))
        await settled(pilot, lambda: isinstance(app.screen, NewGameScreen))


async def test_f1_explains_and_closes():
    app = ProntuarioApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f1")
        assert isinstance(app.screen, HelpScreen)
        assert "frecce" in text_of(app)
        assert "Gioca" in text_of(app)
        await pilot.press("f1")
        assert isinstance(app.screen, HomeScreen)


async def test_themes_change_and_are_remembered():
    app = ProntuarioApp()
    async with app.run_test(size=(80, 24)) as pilot:
        first = app.theme
        await pilot.press("t")
        assert app.theme != first
        assert config.load().theme == app.theme
        await pilot.press("t")
        assert app.theme == "prontuario-daltonici"


async def test_a_damaged_settings_file_does_not_matter():
    config.settings_path().write_text("{")
    async with ProntuarioApp().run_test(size=(80, 24)) as pilot:
        assert pilot.app.theme == "prontuario"


async def test_the_palette_finds_commands_by_name():
    app = ProntuarioApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+p")
        await pilot.press(*"tema")
        await pilot.pause(0.5)
        await pilot.press("enter")
        await pilot.pause()
        assert app.theme != "prontuario"


async def test_the_palette_says_in_italian_that_it_found_nothing():
    app = ProntuarioApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+p", *"qxqx")
        found = app.screen.query_one(OptionList)
        while found.option_count != 1:  # until then, what there is without words
            await pilot.pause(0.1)
        assert [str(option.prompt) for option in found.options] == ["Non si è trovato niente."]


async def test_a_terminal_too_small_is_told_so_and_recovers():
    app = ProntuarioApp()
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, TooSmallScreen)
        assert "80×24" in text_of(app)
        await pilot.resize_terminal(90, 30)
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
        await pilot.press("down")
        assert app.screen.query_one("#menu", OptionList).highlighted == 1


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_the_program_closes_cleanly(key):
    app = ProntuarioApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(key)
    assert app.return_code == 0


async def test_the_banner_keeps_its_shape():
    app = ProntuarioApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        banner = app.screen.query_one("#banner")
        assert banner.size.width == max(map(len, BANNER.splitlines()))
        assert abs(2 * banner.region.x + banner.region.width - 80) <= 1
