"""The first screen, by keys and mouse."""

from __future__ import annotations

import pytest
from textual.binding import Binding
from textual.command import CommandList
from textual.content import Content
from textual.message_pump import MessagePump
from textual.widgets import Input, OptionList, Static

from app.screens.app import Palette, ProntuarioApp
from app.screens.help import HelpScreen
from app.screens.home import BANNER, HomeScreen
from app.screens.new_game import NewGameScreen
from app.screens.saves import SavesScreen
from app.screens.too_small import TooSmallScreen
from app.shell import config, i18n
from app.widgets.picker import Picker, PickerList
from app.widgets.wrapping import keep_pages_whole
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


async def test_what_is_not_found_is_told_in_italian():
    app = ProntuarioApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p", *"qqzzqq")
        commands = app.screen.query_one(CommandList)
        await settled(pilot, lambda: commands.option_count == 1)
        assert "Niente ha questo nome." in str(commands.get_option_at_index(0).prompt.renderable)


@pytest.mark.parametrize("opened", [(), ("g",), ("r",), ("ctrl+p",)])
async def test_ctrl_c_says_in_italian_how_one_leaves(opened):
    app = ProntuarioApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press(*opened, "ctrl+c")
        await pilot.pause()
        if not isinstance(app.focused, Input):  # there it copies
            told = [(n.title, n.message) for n in app._notifications]
            assert told == [("Vuoi uscire?", "Ctrl+Q chiude Prontuario; la partita resta salvata.")]


def test_no_key_that_textual_shows_is_named_in_english():
    """A key that a person sees, of a widget of Textual itself, is renamed by a widget of ours."""

    def below(kind):
        for sub in kind.__subclasses__():
            yield sub
            yield from below(sub)

    from app.screens import play, replay, rules, saves, settings  # noqa: F401  all that we use

    renamed = {"SelectOverlay", "CommandPalette"}
    for kind in set(below(MessagePump)):
        if kind.__module__.startswith("textual."):
            shown = [b for b in Binding.make_bindings(kind.__dict__.get("BINDINGS", ())) if b.show]
            assert not shown or kind.__name__ in renamed, kind
    for ours in (Palette, PickerList):
        named = ours._merged_bindings.key_to_bindings["escape"]
        assert [binding.description for binding in named] == ["Chiudi"]


async def test_a_list_that_drops_down_is_closed_by_its_own_name():
    app = ProntuarioApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("g")
        await settled(pilot)
        picker = app.screen.query(Picker).first()
        picker.action_show_overlay()
        await settled(pilot)
        said = [active.binding.description for active in app.screen.active_bindings.values()]
        assert "Chiudi" in said
        assert "Dismiss menu" not in said
        value = picker.value
        await pilot.press("escape")
        assert (picker.expanded, picker.value) == (False, value)


def test_a_page_and_its_number_share_a_line():
    keep_pages_whole()
    for width in range(12, 30):
        for line in Content("Chi si attiva adesso?  p. 29").wrap(width):
            assert not line.plain.rstrip().endswith("p.")
        for line in Content("uno due\xa0tre quattro").wrap(width):
            assert ("due" in line.plain) == ("tre" in line.plain)


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
