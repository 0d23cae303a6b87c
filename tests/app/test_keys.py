"""The keys of the table: changed on the screen, kept in the file, told by help and palette."""

from __future__ import annotations

import json

import pytest
from textual.binding import Binding
from textual.command import CommandList
from textual.widgets import OptionList, Static

from app.play.tutorial import tutorial_for
from app.screens.app import ProntuarioApp
from app.screens.choice import ChoiceScreen
from app.screens.help import HelpScreen, grouped_keys
from app.screens.key_settings import KeyScreen, KeySettingsScreen, bindings_of
from app.screens.keys import FIXED, GROUPS, OTHER, TAKEN, clash_of, group_of, named, shown
from app.screens.labels import LabelScreen, labels
from app.screens.new_game import NewGameScreen
from app.screens.play import PlayScreen
from app.screens.what_now import WhatNowScreen
from app.shell import config, i18n
from app.widgets.decision_bar import DecisionBar
from tests.app.tables import ACTION, session_at

WIDE, NARROW = (120, 40), (80, 24)


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


def kept():
    return json.loads(config.settings_path().read_text(encoding="utf-8"))["tasti"]


def at_table(tmp_path):
    session = session_at(tmp_path, ACTION)
    return ProntuarioApp(lambda: PlayScreen(session))


def key_now(app, action):
    binding = next(one for one in named(bindings_of(app)) if one.id == action)
    return shown(app, binding, app.settings.keys)


async def mark(pilot, action):
    listing = pilot.app.screen.query_one(OptionList)
    listing.highlighted = listing.get_option_index(action)
    await pilot.pause()


async def change(pilot, action, *keys):
    await mark(pilot, action)
    await pilot.press("enter")
    assert isinstance(pilot.app.screen, KeyScreen)
    await pilot.press(*keys)
    await pilot.pause()


async def test_a_key_is_changed_kept_and_works_at_once():
    app = ProntuarioApp()
    async with app.run_test(size=WIDE) as pilot:
        app.push_screen(KeySettingsScreen())
        await pilot.pause()
        await change(pilot, "tavolo.annulla", "f10")
        assert kept() == {"tavolo.annulla": "f10"}
        assert key_now(app, "tavolo.annulla") == "F10"
    assert config.load().keys == {"tavolo.annulla": "f10"}


async def test_a_key_of_another_action_is_told_before_anything_changes():
    app = ProntuarioApp()
    async with app.run_test(size=WIDE) as pilot:
        app.push_screen(KeySettingsScreen())
        await pilot.pause()
        await change(pilot, "tavolo.annulla", "z")
        assert isinstance(app.screen, KeyScreen)
        assert "Grandezza della mappa" in str(app.screen.query_one("#clash", Static).content)
        assert not app.settings.keys
        await pilot.press("escape")
        assert not app.settings.keys
        await change(pilot, "tavolo.annulla", "z", "enter")  # they change places
        assert kept() == {"tavolo.annulla": "z,Z", "tavolo.zoom": "u,U"}


@pytest.mark.parametrize("key", ["1", "tab", "up", "b"])
async def test_a_key_that_everybody_needs_is_not_given_away(key):
    app = ProntuarioApp()
    async with app.run_test(size=WIDE) as pilot:
        app.push_screen(KeySettingsScreen())
        await pilot.pause()
        await change(pilot, "tavolo.annulla", key)
        assert isinstance(app.screen, KeyScreen)
        await pilot.press("enter")
        assert not app.settings.keys


async def test_usual_keys_come_back_one_by_one_and_all_together():
    app = ProntuarioApp()
    async with app.run_test(size=WIDE) as pilot:
        app.push_screen(KeySettingsScreen())
        await pilot.pause()
        await change(pilot, "tavolo.annulla", "z", "enter")
        await mark(pilot, "tavolo.zoom")
        await pilot.press("delete")
        assert kept() == {}
        await change(pilot, "tavolo.ripeti", "f10")
        await pilot.press("f8")
        assert kept() == {}
        assert key_now(app, "tavolo.ripeti") == "Y"


async def test_a_changed_key_is_shown_by_help_panels_and_palette(tmp_path):
    config.save(config.Settings(keys={"tavolo.forze": "w,W"}))
    app = at_table(tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        assert ("W", "Forze") in grouped_keys(app.screen)["Guardare"]
        assert "W Forze" in app.screen.query_one("#chronicle-box").border_title
        await pilot.press("w")
        assert app.screen.query_one("#forces").region


async def test_help_lists_the_keys_by_what_they_are_for(tmp_path):
    app = at_table(tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        groups = grouped_keys(app.screen)
        assert list(groups) == ["Qui", "Giocare", "Guardare", "Regole", "Il passato", "Mappa",
                                "La partita"]  # fmt: skip
        said = [what for keys in groups.values() for _key, what in keys]
        assert len(said) == len(set(said))
        await pilot.press("f1")
        assert isinstance(app.screen, HelpScreen)
        assert app.screen.has_class("-wide")


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_palette_has_every_action_of_the_table_once_and_in_italian(tmp_path, size):
    app = at_table(tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        table = app.screen
        await pilot.press("ctrl+p")
        for _ in range(20):
            await pilot.pause(0.05)
        commands = app.screen.query_one(CommandList)
        names = [str(o.prompt).partition("\n")[0].strip() for o in commands.options]
        actions = [name for name in names if "squadra" not in name]
        assert len(actions) == len(set(actions))
        for binding in named(bindings_of(app)):
            action = binding.action.partition("(")[0]
            enabled = action != "present" and binding.action not in table.closed_keys
            if enabled and binding.id.startswith("tavolo."):
                assert (binding.tooltip or binding.description) in actions, binding.id
        assert not [name for name in actions if "Focus" in name or "Maximize" in name]


def test_every_action_of_the_table_has_one_group():
    ids = {binding.id for binding in named(bindings_of(ProntuarioApp()))}
    listed = [action for actions in GROUPS.values() for action in actions]
    assert len(listed) == len(set(listed))
    assert [action for action in ids if group_of(action) == OTHER] == []


def test_no_two_actions_have_the_same_key():
    app = ProntuarioApp()
    for binding in named(bindings_of(app)):
        first = next(iter(Binding.make_bindings([binding]))).key
        if first not in (*FIXED, *TAKEN):
            assert clash_of(bindings_of(app), {}, binding.id, first) is None, binding.id


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_question_is_explained_beside_the_map(tmp_path, size):
    app = at_table(tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(app.screen, WhatNowScreen)
        said = str(app.screen.query_one("#what-now Static", Static).content)
        assert "Che cosa vuol dire" in said
        await pilot.press("question_mark")
        assert isinstance(app.screen, PlayScreen)
        await pilot.press("question_mark", "x")
        await pilot.pause()
        assert any("×" in str(row.prompt) for row in app.screen.query_one("#answers").options)


async def test_who_types_words_types_a_question_mark_too(tmp_path):
    app = at_table(tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        await pilot.press("e", "slash", "question_mark")
        assert isinstance(app.screen, PlayScreen)
        assert app.focused.value == "?"


async def test_a_letter_goes_to_a_pane_an_answer_or_a_hex(tmp_path):
    app = at_table(tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        for kind in ("pane/#map", "answer/", "hex/"):
            await pilot.press("f7")
            await pilot.pause()
            assert isinstance(app.screen, LabelScreen)
            found = [(label, spot.what) for label, spot in app.screen._spots.items()
                     if spot.what.startswith(kind)]  # fmt: skip
            label, what = found[-1]
            await pilot.press(*label)
            await pilot.pause()
            assert isinstance(app.screen, PlayScreen)
            shown = app.screen.query_one("#map")
            if kind == "answer/":
                assert app.screen.query_one(DecisionBar).marked == what.removeprefix(kind)
            else:
                assert app.focused is shown
            if kind == "hex/":
                assert shown.view.label(shown.cursor) == what.removeprefix(kind)


async def test_another_key_leaves_everything_as_it_is(tmp_path):
    app = at_table(tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        before = app.focused
        await pilot.press("f7", "escape")
        assert app.focused is before
        await pilot.press("f7", "5")
        assert isinstance(app.screen, PlayScreen)


def test_there_are_labels_for_any_number_of_places():
    assert len(set(labels(20))) == 20
    assert {len(label) for label in labels(20)} == {1}
    assert len(set(labels(200))) == 200


async def test_a_guided_game_of_the_new_game_screen_has_its_own_seats_and_dice():
    app = ProntuarioApp(lambda: NewGameScreen("toi", "toi-s1"))
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        await pilot.click("#guided")
        await pilot.pause()
        for hidden in ("#seats", "#switches", "#dice"):
            assert not app.screen.query_one(hidden).display
        assert "fissati" in str(app.screen.query_one("#guided-note", Static).content)
        await pilot.press("f5")
        await pilot.pause()
        assert isinstance(app.screen, PlayScreen)
        guide = tutorial_for("toi")
        assert app.screen.session.header.seed == guide.seed
        assert app.screen.table.guide.lesson == guide.lessons[0]
        assert app.screen.session.decision.option(guide.lessons[0].answers[0]) is not None


async def test_m_is_the_menu_from_anywhere_and_escape_goes_one_level_back(tmp_path):
    app = at_table(tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        await pilot.press("c", "m")
        await pilot.pause()
        assert isinstance(app.screen, ChoiceScreen)
        await pilot.press("escape")
        assert app.focused is app.screen.query_one("#forces")
        await pilot.press("escape")
        assert app.focused is app.screen.query_one("#answers")
        assert isinstance(app.screen, PlayScreen)
