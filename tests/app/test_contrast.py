"""All that is written can be read: text on its ground, in every theme, on every counter."""

from __future__ import annotations

import pytest

from app.presenters.base import ACCENTS, DICE, Face, contrast, ink_on, mix
from app.presenters.ddob import COLOURS
from app.screens.settings import SettingsScreen
from app.screens.themes import DIMMED, NAMES, THEMES
from app.widgets import hex_painter
from app.widgets.map_legend import SAMPLES
from app.widgets.outcome import ink_of, shade
from tests.app.test_presenters import SLUGS, presenter_of, views

READABLE = 4.5
SURFACES = ("background", "surface", "panel")
INKS = ("foreground", "primary", "secondary", "accent", "success", "warning", "error")
SHADES = (0.7, 0.8, 0.85)  # of the foreground, in prontuario.tcss


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_text_of_a_theme_is_read_on_every_surface(theme):
    for surface in SURFACES:
        ground = getattr(theme, surface)
        for ink in INKS:
            assert contrast(getattr(theme, ink), ground) >= READABLE, (ink, surface)
        for part in (*SHADES, DIMMED):
            assert contrast(mix(ground, theme.foreground, part), ground) >= READABLE, surface
    for ground in ("primary", "accent", "warning"):  # chosen entries, the bar of the past
        assert contrast(theme.background, getattr(theme, ground)) >= READABLE, ground


def test_every_theme_has_a_name_and_one_is_made_for_contrast():
    assert set(NAMES) == {theme.name for theme in THEMES}
    strong = next(theme for theme in THEMES if theme.name == "prontuario-contrasto")
    assert contrast(strong.foreground, strong.background) == pytest.approx(21)
    assert min(contrast(getattr(strong, ink), strong.surface) for ink in INKS) >= 7


@pytest.mark.parametrize("slug", SLUGS)
def test_what_is_written_on_counters_is_read(slug):
    presenter = presenter_of(slug)
    for view in views(slug):
        presenter.use(view)
        for counter in view.counters:
            look = presenter.counter(counter)
            assert contrast(look.ink, look.colour) >= READABLE, counter.id
            lower = mix(look.colour, "#000000", 0.18)
            assert contrast(ink_on(lower, look.ink), lower) >= READABLE, counter.id
        for side in {counter.side for counter in view.counters}:
            army = presenter.army(side)
            assert contrast(army.ink, army.colour) >= READABLE, side


def test_a_die_that_does_nothing_is_faded_and_still_read():
    for ground, ink in DICE.values():
        face = Face("X", ground, ink, succeeds=False)
        assert contrast(ink_of(face), shade(face)) >= READABLE, ground


def test_dice_accents_badges_and_keys_are_read():
    for name, (ground, ink) in DICE.items():
        assert contrast(ground, ink) >= READABLE, name
    for ground, ink in ACCENTS:
        assert contrast(ground, ink) >= READABLE
    for colour in COLOURS.values():
        assert max(contrast(colour, "#141414"), contrast(colour, "#ffffff")) >= READABLE
    for _sign, ink, ground in SAMPLES.values():
        assert contrast(ink, ground) >= READABLE


@pytest.mark.parametrize("ground", ["#d9d1a9", "#7f9b5c", "#6f9fb8", "#101010", "#e6d9ae"])
def test_an_ink_for_a_ground_is_as_strong_as_it_must_be(ground):
    assert contrast(ink_on(ground), ground) >= READABLE
    assert contrast(ink_on(ground, least=hex_painter.LABEL), ground) >= hex_painter.LABEL
    assert contrast(ink_on(ground, "#e08a3c", hex_painter.SIGN), ground) >= hex_painter.SIGN


async def test_the_settings_name_the_theme_and_change_it(monkeypatch, tmp_path):
    from app.screens.app import ProntuarioApp

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    app = ProntuarioApp(SettingsScreen)
    async with app.run_test() as pilot:
        await pilot.pause()
        assert app.screen.rows()[0][1].endswith("scuro")
        for name in ("chiaro, come la carta", "scuro, per daltonici", "alto contrasto", "scuro"):
            await pilot.press("home", "enter")
            await pilot.pause()
            assert app.screen.rows()[0][1].endswith(name)
