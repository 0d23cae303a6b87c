"""Reference cards on the screen, by real keys, at the table and from home."""

from __future__ import annotations

import pytest
from textual.widgets import Input, OptionList, Static

from app.rules.binder import EVERYTHING
from app.rules.library import LIBRARY
from app.screens.app import ProntuarioApp
from app.screens.cards import CardsScreen
from app.screens.home import HomeScreen
from app.screens.play import PlayScreen
from app.screens.rules import RulesScreen
from app.widgets.card_rows import CardRows
from app.widgets.page_view import PageView
from app.widgets.result_list import ResultList
from tests.app.tables import ACTION, session_at, session_of
from tests.app.test_play import NARROW, SIZES, WIDE, italian, settled, table, text_of  # noqa: F401


def rows(app):
    return app.screen.query_one(CardRows)


async def opened(pilot, app):
    await settled(pilot, lambda: isinstance(app.screen, CardsScreen))
    await settled(pilot, lambda: bool(app.screen.binder.cards) and rows(app).option_count > 0)


@pytest.mark.parametrize("size", SIZES)
async def test_f_opens_the_cards_over_the_table_and_esc_gives_the_focus_back(tmp_path, size):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        before = app.screen.focused
        await pilot.press("f")
        await opened(pilot, app)
        assert "Tide of Iron" in app.screen.query_one("#card-filter", Input).border_title
        assert "Fase Azione" in rows(app).text
        await pilot.press("escape")
        await settled(pilot, lambda: isinstance(app.screen, PlayScreen))
        assert app.screen.focused is before


async def test_the_present_phase_is_lit_and_marked_in_the_list(tmp_path):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("f")
        await opened(pilot, app)
        listing = app.screen.query_one("#card-list", OptionList)
        marked = [str(o.prompt) for o in listing.options if str(o.prompt).startswith("▸")]
        assert "▸ Sequenza di gioco" in marked
        app.screen.binder.open = "toi/sequenza"
        app.screen._show()
        assert rows(app).place.row.cells[0] == "Fase Azione"


async def test_the_cards_open_at_the_cell_that_the_last_shot_used(tmp_path):
    session = session_of(tmp_path, "aslsk", "R1", "")  # a whole game: somebody has fired
    app = ProntuarioApp(lambda: PlayScreen(session))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("f")
        await opened(pilot, app)
        binder = app.screen.binder
        assert ("aslsk:3.2.3", "ift") in binder.lit
        newest = next(iter(binder.lit))
        shown = binder.cards[binder.open].tables
        assert newest in [(one.ref, one.name) for one in shown]
        place = rows(app).place
        line, _column = binder.lit[place.table.ref, place.table.name]
        assert place.table.rows.index(place.row) == line


@pytest.mark.parametrize("size", SIZES)
async def test_typing_filters_the_rows_of_all_cards_and_enter_opens_the_rule(size):
    app = ProntuarioApp(lambda: CardsScreen("toi"))
    async with app.run_test(size=size) as pilot:
        await opened(pilot, app)
        await pilot.press(*"elite")
        await settled(pilot)
        assert app.screen.binder.open == EVERYTHING
        assert "Fanteria d'élite" in rows(app).text
        assert "bosco" not in rows(app).text
        await pilot.press("down")
        await settled(pilot)
        assert app.screen.focused is rows(app)
        while rows(app).place.row.cells[:2] != ("Fanteria d'élite", "USA"):
            await pilot.press("down")
        await settled(pilot)
        assert "Dal regolamento" in text_of(app.screen, "#card-words")
        await pilot.press("enter")
        await settled(pilot, lambda: isinstance(app.screen, RulesScreen))
        await settled(pilot, lambda: app.screen.pane.ref == "toi:miniature.elite")
        for _level in range(1 if size == WIDE else 2):  # on a narrow screen the lists lie between
            await pilot.press("escape")
            await settled(pilot)
        await settled(pilot, lambda: isinstance(app.screen, CardsScreen))
        assert app.screen.query_one("#card-filter", Input).value == "elite"
        await pilot.press("escape")
        await settled(pilot)
        assert app.screen.query_one("#card-filter", Input).value == ""
        assert app.screen.binder.open == "toi/sequenza"


async def test_the_arrows_leaf_through_the_cards_and_go_in_and_out():
    app = ProntuarioApp(lambda: CardsScreen("ddob"))
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot, app)
        await pilot.press("down", "down")
        await settled(pilot)
        assert app.screen.binder.open == "ddob/terreno"
        await pilot.press("right")
        await settled(pilot)
        assert app.screen.focused is rows(app)
        assert not app.screen.query_one("#card-list").display
        await pilot.press("left")
        await settled(pilot)
        assert app.screen.focused is app.screen.query_one("#card-list")


@pytest.mark.parametrize("size", [*SIZES, (200, 60)])
@pytest.mark.parametrize("slug", ["toi", "ddob", "aslsk", "warfare"])
async def test_no_line_of_a_card_is_wider_than_its_place(slug, size):
    app = ProntuarioApp(lambda: CardsScreen(slug))
    async with app.run_test(size=size) as pilot:
        await opened(pilot, app)
        for key in list(app.screen.binder.cards):
            app.screen.binder.open = key
            app.screen._show()
            await pilot.pause()
            room = rows(app).scrollable_content_region.width - 2
            shown = [rows(app).get_option_at_index(at) for at in rows(app)._places]
            lines = [line for option in shown for line in str(option.prompt).splitlines()]
            assert max(map(len, lines)) <= room, key
            assert app.screen.query_one("#card-words", Static).render()


async def test_home_opens_the_cards_of_all_titles():
    app = ProntuarioApp()
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("f8")
        await opened(pilot, app)
        assert {card.slug for card in app.screen.binder.cards.values()} == {
            "toi",
            "ddob",
            "aslsk",
            "warfare",
        }
        await pilot.press(*"t-72")
        await settled(pilot)
        assert "WAR · UNITÀ" in rows(app).text
        assert "T-72B3" in rows(app).text
        await pilot.press("escape", "escape")
        await settled(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_the_rules_browser_shows_what_is_named_before_the_rules():
    app = ProntuarioApp(lambda: RulesScreen())
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: LIBRARY.index is not None and app.screen._corpus is not None)
        await pilot.press(*"T-72B3 gittata")
        results = app.screen.query_one(ResultList)
        await settled(pilot, lambda: bool(results.things))
        assert "T-72B3" in str(results.get_option_at_index(0).prompt)
        await pilot.press("enter")
        await settled(pilot)
        shown = app.screen.query_one(PageView).text
        assert "Armi pesanti: 7 AP, gittata 8, dado blu" in shown
        assert "Dato ricostruito" in shown
        await pilot.press("tab", "enter")
        await settled(pilot, lambda: app.screen.pane.ref == "warfare:unita.valori")
        assert "T-72B3" not in app.screen.query_one(PageView).text
