"""The first screen, by keys and mouse."""

from __future__ import annotations

import random
import subprocess

import msgspec
import pytest
from textual.binding import Binding
from textual.command import CommandList
from textual.content import Content
from textual.message_pump import MessagePump
from textual.widgets import Input, Static

from app.play import showcase
from app.screens.app import Palette, ProntuarioApp
from app.screens.help import HelpScreen
from app.screens.home import HomeScreen, LittleMap, TitleCard
from app.screens.new_game import NewGameScreen
from app.screens.play import PlayScreen
from app.screens.rules import RulesScreen
from app.screens.saves import SavesScreen
from app.screens.too_small import TooSmallScreen
from app.shell import config, i18n
from app.shell.child import command
from app.widgets.picker import Picker, PickerList
from app.widgets.result_list import ResultList
from app.widgets.wrapping import keep_pages_whole
from tests.app.postmen import begin, play
from tests.app.test_play import settled

SIZES = [(120, 40), (80, 24)]


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


def text_of(app):
    return "\n".join(str(w.render()) for w in app.screen.query(Static))


@pytest.fixture
def furnished(monkeypatch):
    """What the process beside the screen finds out, found out here."""
    monkeypatch.setattr(showcase, "find_out", showcase.make)


def is_furnished(app):
    return all(card.border_title for card in app.screen.query(TitleCard))


@pytest.mark.parametrize("size", [*SIZES, (200, 60)])
async def test_the_titles_show_a_map_and_what_there_is_to_play(size, furnished):
    app = ProntuarioApp()
    async with app.run_test(size=size) as pilot:
        await settled(pilot, lambda: is_furnished(app))
        cards = list(app.screen.query(TitleCard))
        names = ["Tide of Iron", "D-Day at Omaha Beach", "ASL Starter Kit", "Warfare"]
        assert [card.border_title for card in cards] == names
        assert cards[-1].region.right >= size[0] - 2
        for card in cards:
            map = card.query_one(LittleMap)
            lines = [map.render_line(y).text for y in range(map.size.height)]
            assert max(len(line.strip()) for line in lines) >= 14
        said = text_of(app)
        assert "5 scenari" in said
        assert "4 titoli · 1." in said
        assert "21 scenari" in said
        assert app.screen.query(".scenarios").first().display is (size[1] >= 36)


async def test_what_is_typed_is_looked_for():
    app = ProntuarioApp()
    async with app.run_test(size=(80, 24)) as pilot:
        assert app.focused.id == "ask"
        await pilot.press("down")
        assert app.focused.id == "way-in"
        await pilot.press(*"fumo")
        assert (app.focused.id, app.focused.value) == ("ask", "fumo")
        await pilot.press("enter")
        await settled(pilot, lambda: isinstance(app.screen, RulesScreen))
        await settled(pilot, lambda: bool(app.screen.query(ResultList)))
        results = app.screen.query_one(ResultList)
        await settled(pilot, lambda: results.shown_for == "fumo" and results.option_count > 3)


async def test_arrows_walk_from_the_search_to_every_door_and_back():
    app = ProntuarioApp()
    async with app.run_test(size=(120, 40)) as pilot:
        found = []
        for key in ("down", "down", "right", "down", "left", "right", "down", "left", "up", "up"):
            await pilot.press(key)
            found.append(app.focused.id)
        assert found[0] == "way-in"
        titles = ["title-toi", "title-ddob", "title-warfare", "title-aslsk", "title-warfare"]
        assert found[1:6] == titles
        assert found[6].startswith("entry-")
        assert found[8].startswith("title-")
        await pilot.press("escape")
        assert app.focused.id == "ask"


async def test_a_title_opens_its_scenarios(furnished):
    app = ProntuarioApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.click("#title-aslsk")
        await settled(pilot, lambda: isinstance(app.screen, NewGameScreen))
        assert app.screen.title_and_scenario[0].info.slug == "aslsk"


async def test_a_game_to_go_on_with_is_offered_only_if_there_is_one(furnished):
    app = ProntuarioApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot, lambda: is_furnished(app))
        assert not app.screen.query_one("#way-on").display
        session = begin("toi", "toi-s1")
        play(session, random.Random(1), 12)
        session.close()
        await pilot.press("f5", "escape")
        await settled(pilot, lambda: app.screen.query_one("#way-on").display)
        assert "Il crocevia di Saint-Aubin" in text_of(app)
        assert "1 partita" in text_of(app)
        await pilot.click("#way-on")
        await settled(pilot, lambda: isinstance(app.screen, PlayScreen))


async def test_entries_open_with_keys_and_escape_comes_back():
    app = ProntuarioApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f2")
        assert isinstance(app.screen, NewGameScreen)
        await pilot.press("escape")
        await pilot.press("alt+p")
        assert isinstance(app.screen, SavesScreen)
        assert "Non ci sono partite salvate" in text_of(app)
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)


async def test_entries_open_with_the_mouse():
    app = ProntuarioApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.click("#entry-games")
        await settled(pilot, lambda: isinstance(app.screen, NewGameScreen))


def test_another_process_finds_the_same_out(tmp_path):
    found = subprocess.run(
        command("app.play.showcase", str(tmp_path)), capture_output=True, check=True
    )
    assert msgspec.msgpack.decode(found.stdout, type=showcase.Showcase) == showcase.make(tmp_path)


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
        await pilot.press("f7")
        assert app.theme != first
        assert config.load().theme == app.theme
        await pilot.press("f7")
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


@pytest.mark.parametrize("opened", [("down",), ("f2",), ("f4",), ("ctrl+p",)])
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
        await pilot.press("f2")
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
        assert app.focused.id == "way-in"


async def test_the_program_closes_cleanly():
    app = ProntuarioApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+q")
    assert app.return_code == 0
