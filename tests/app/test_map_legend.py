"""What the map shows has its words in sight; what is printed on it is listed beside the hex."""

from __future__ import annotations

import pytest

from app.play.table import Table
from app.presenters.registry import presenter_for
from app.screens.play import PlayScreen
from app.widgets.hex_card import card_text
from app.widgets.map_legend import MapLegend, board_legend, legend_line
from app.widgets.rule_pane import RulePane
from engine.titles import TITLES
from tests.app.tables import ACTION, MOVE, TARGET, session_at, session_of


def words(table, sight=None, has_chances=False):
    return {key.kind: key.words for key in table.legend(table.overlays(), sight, has_chances)}


def test_costs_and_ranges_of_a_question_are_explained(tmp_path):
    assert words(Table(session_at(tmp_path, MOVE))) == {"reach": "punti movimento per arrivarci"}
    found = words(Table(session_at(tmp_path, TARGET)), has_chances=True)
    assert found["range"] == "raggio contro le squadre"
    assert found["chance"] == "probabilità di un effetto"


def test_in_the_past_the_hexes_of_a_step_have_their_sample(tmp_path):
    table = Table(session_at(tmp_path, TARGET))
    table.look_at(0)
    line = legend_line(table.legend((), None, False), 80)
    sample, _space, said = line.plain.partition(" ")
    assert sample
    assert said == "esagoni di cui parla il passo"
    assert line.spans, "in its colour"


def test_every_layer_of_every_title_has_its_words(tmp_path):
    for slug, title in TITLES.items():
        table = Table(session_of(tmp_path / slug, slug, title.scenarios()[0].id))
        place, layers = table.next_layer()
        while place:
            keys = table.legend((), None, False)
            assert keys[0].kind in ("sheet", "control")
            layer = layers[place - 1]
            nothing = "" if layer.hexes() else ": per ora niente"
            assert keys[0].words == table.presenter.say(layer.msg) + nothing
            place, layers = table.next_layer()
        assert not table.legend((), None, False)


def test_a_layer_of_fire_tells_what_its_dots_mean(tmp_path):
    table = Table(session_of(tmp_path, "ddob", "easy-fox"))
    table.next_layer()
    keys = table.legend((), None, False)
    signs = {key.sign: key.words for key in keys[1:]}
    assert signs == {"◉": "intenso", "∙": "moderato", "◦": "sporadico"}
    assert legend_line(keys, 80).cell_len <= 80


def test_a_line_of_sight_has_its_legend(tmp_path):
    table = Table(session_at(tmp_path, ACTION))
    hexes = table.view.board.hexes()
    seen = [table.sight(hexes[0], other) for other in hexes[1:40]]
    clear = next(one for one in seen if one and one.clear)
    blocked = next(one for one in seen if one and one.blocked_by)
    assert set(words(table, clear)) >= {"sight"}
    assert set(words(table, blocked)) >= {"sight", "beyond", "block"}


@pytest.mark.parametrize("slug", TITLES)
@pytest.mark.parametrize("plain", [False, True])
def test_all_that_is_printed_on_a_board_is_in_its_legend(tmp_path, slug, plain):
    for scenario in TITLES[slug].scenarios():
        presenter = presenter_for(slug)
        view = Table(session_of(tmp_path / scenario.id, slug, scenario.id)).view
        presenter.use(view)
        text = board_legend(presenter, view, plain).plain
        for name in set(view.board.terrains.values()):
            assert presenter.name("terrain", name) in text
        features = {
            n for names in (*view.board.sides.values(), *view.board.roads.values()) for n in names
        }
        for name in features:
            assert presenter.name("feature", name) in text
        if plain:
            assert all(line[:5].isascii() for line in text.splitlines())


@pytest.mark.parametrize("slug", TITLES)
@pytest.mark.parametrize("width", [36, 50, 76])
def test_the_card_of_a_hex_keeps_to_its_width_and_tells_units_in_words(tmp_path, slug, width):
    table = Table(session_of(tmp_path, slug, TITLES[slug].scenarios()[0].id))
    held = {counter.hex for counter in table.view.counters if counter.hex in table.view.board}
    for hex in sorted(held):
        card = table.card(hex)
        assert card.heading.startswith(table.view.label(hex))
        assert all(unit.lines for unit in card.units)
        assert card.rules
        for line in card_text(card, width).plain.splitlines():
            assert len(line) <= width


async def test_the_legend_comes_with_a_layer_and_goes_with_it(tmp_path):
    from app.screens.app import ProntuarioApp

    app = ProntuarioApp(lambda: PlayScreen(session_of(tmp_path, "ddob", "easy-fox")))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        legend = app.screen.query_one(MapLegend)
        assert "moderato" not in str(legend.content)
        await pilot.press("k")
        await pilot.pause()
        assert legend.display
        assert "moderato" in str(legend.content)
        await pilot.press("escape")
        await pilot.pause()
        assert "moderato" not in str(legend.content)


async def test_in_eighty_columns_the_card_has_the_whole_column(tmp_path):
    from app.screens.app import ProntuarioApp

    app = ProntuarioApp(lambda: PlayScreen(session_at(tmp_path, ACTION)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("i")
        await pilot.pause()
        screen = app.screen
        assert not screen.query_one(RulePane).display
        assert screen.query_one("#units").size.height >= 10
        assert not screen.query_one(MapLegend).display
        await pilot.press("e")
        await pilot.pause()
        assert screen.query_one(RulePane).display
