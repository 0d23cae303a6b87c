"""The settings: what is good is used, what is bad is named, and nothing of the user's is lost."""

from __future__ import annotations

import json

import pytest
from textual.widgets import OptionList

from app.screens.app import ProntuarioApp
from app.screens.keys import is_key
from app.screens.play import PlayScreen
from app.screens.settings import SettingsScreen, faults_of
from app.shell import config
from tests.app.tables import DEPLOY, session_at


def write(content):
    text = content if isinstance(content, str) else json.dumps(content)
    config.settings_path().write_text(text, encoding="utf-8")


def file():
    return json.loads(config.settings_path().read_text(encoding="utf-8"))


def told(app):
    return "\n".join(notice.message for notice in app._notifications)


def rows(app):
    listing = app.screen.query_one("#listing", OptionList)
    return [str(option.prompt) for option in listing.options]


BAD_KEY = {
    "solo_ascii": True,
    "passo_passo": True,
    "tasti": {"tavolo.probabilita": 5, "tavolo.annulla": "w"},
}


def test_what_is_good_is_kept_and_what_is_bad_is_named_with_its_path():
    write(BAD_KEY)
    reading = config.read()
    assert reading.settings == config.Settings(ascii=True, steps=True, keys={"tavolo.annulla": "w"})
    assert reading.faults == (
        '$.tasti.tavolo.probabilita: 5 non è un tasto: scrivine il nome, come "w" o "ctrl+z".',
    )


@pytest.mark.parametrize(
    ("content", "path"),
    [
        ({"theme": 3}, "$.theme: 3 "),
        ({"solo_ascii": "forse"}, '$.solo_ascii: "forse" '),
        ({"tasti": ["z"]}, '$.tasti: ["z"] '),
        ({"colori": "tanti"}, "$.colori: "),
        ("{", "impostazioni.json"),
        ("[]", "impostazioni.json"),
        ("\udcff".encode("utf-8", "surrogateescape").decode("latin-1"), "impostazioni.json"),
        ("[" * 100_000, "impostazioni.json"),
    ],
)
def test_every_kind_of_bad_value_is_told(content, path):
    write(content)
    reading = config.read()
    assert reading.settings == config.Settings()
    assert len(reading.faults) == 1
    assert path in reading.faults[0]


async def test_a_bad_value_is_told_on_the_screen_and_outlives_the_next_change():
    write({**BAD_KEY, "colori": "tanti"})
    app = ProntuarioApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert "$.tasti.tavolo.probabilita: 5" in told(app)
        assert "impostazioni.json" in told(app)
        assert app.settings.ascii
        await pilot.press("f7")
        app.push_screen(SettingsScreen())
        await pilot.pause()
        assert any("! $.tasti.tavolo.probabilita: 5" in row for row in rows(app))
        await pilot.press("down", "enter")
        await pilot.pause()
        assert not app.settings.ascii
    after = file()
    assert after["tasti"] == BAD_KEY["tasti"]
    assert after["colori"] == "tanti"
    assert after["solo_ascii"] is False
    assert after["passo_passo"] is True
    assert after["theme"] == app.theme


async def test_changing_a_bad_setting_mends_it_on_the_screen():
    write({"solo_ascii": "forse"})
    app = ProntuarioApp()
    async with app.run_test(size=(120, 40)) as pilot:
        app.push_screen(SettingsScreen())
        await pilot.pause()
        assert any("forse" in row for row in rows(app))
        await pilot.press("down", "enter")
        await pilot.pause()
        assert not any("forse" in row for row in rows(app))
    assert file() == {"solo_ascii": True}


async def test_a_file_that_is_not_json_is_told_and_kept_aside_before_it_is_overwritten():
    write("tasti = z")
    app = ProntuarioApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert "impostazioni.json.bak" in told(app)
        assert config.settings_path().read_text() == "tasti = z"
        await pilot.press("f7")
    copy = config.settings_path().with_name("impostazioni.json.bak")
    assert copy.read_text() == "tasti = z"
    assert file() == {"theme": app.theme}
    write("di nuovo")
    config.save(config.Settings(ascii=True))
    assert copy.read_text() == "tasti = z"
    assert copy.with_name("impostazioni.json-2.bak").read_text() == "di nuovo"


def test_a_file_that_cannot_be_read_or_written_is_told_and_left_alone():
    config.settings_path().mkdir()
    assert "è una cartella" in config.read().faults[0]
    sentences = []
    config.save(config.Settings(ascii=True), sentences.append)
    assert "non si possono salvare" in sentences[0]
    assert config.settings_path().is_dir()


def test_actions_keys_and_themes_that_are_not_there_are_told():
    faults = faults_of(
        config.Settings(
            theme="blu",
            keys={"tavolo.inesistente": "w", "tavolo.annulla": "ctrl+zeta", "tavolo.ripeti": ""},
        ),
        ProntuarioApp.BINDINGS,
    )
    assert [fault.split(":")[0] for fault in faults] == [
        "$.theme",
        "$.tasti.tavolo.inesistente",
        "$.tasti.tavolo.annulla",
        "$.tasti.tavolo.ripeti",
    ]


@pytest.mark.parametrize(
    ("keys", "clash"),
    [
        ({"tavolo.annulla": "w", "tavolo.ripeti": "w"}, "tavolo.annulla, tavolo.ripeti"),
        ({"tavolo.annulla": "z"}, "tavolo.annulla, tavolo.zoom"),
        ({"tavolo.annulla": "/"}, "tavolo.annulla, tavolo.cerca"),
        ({"tavolo.annulla": "f1"}, "prontuario.aiuto, tavolo.annulla"),
        ({"tavolo.annulla": "1"}, "tavolo.annulla, le risposte"),
    ],
)
def test_a_key_of_two_actions_is_told(keys, clash):
    assert [
        clash in fault for fault in faults_of(config.Settings(keys=keys), ProntuarioApp.BINDINGS)
    ] == [True]


def test_keys_that_change_places_do_not_clash():
    keys = {"tavolo.annulla": "y,Y", "tavolo.ripeti": "u,U", "tavolo.zoom": "ctrl+z"}
    assert faults_of(config.Settings(keys=keys), ProntuarioApp.BINDINGS) == []


@pytest.mark.parametrize("name", ["w", "W", "?", "question_mark", "ctrl+z", "shift+f3", "pageup"])
def test_names_of_keys(name):
    assert is_key(name)


@pytest.mark.parametrize("name", ["", "zeta", "ctrl+zeta", "pluto+z", "CTRL+z", "5e", "ctrl+"])
def test_names_that_no_key_has(name):
    assert not is_key(name)


async def test_the_good_keys_work_on_the_table_beside_a_bad_one(tmp_path):
    write({"tasti": {"tavolo.probabilita": 5, "tavolo.zoom": "w"}})
    session = session_at(tmp_path, DEPLOY)
    app = ProntuarioApp(lambda: PlayScreen(session))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        keys = app.screen.active_bindings
        assert keys["w"].binding.id == "tavolo.zoom"
        assert keys["o"].binding.id == "tavolo.probabilita"
