"""The map by keys and mouse, at every zoom, in both orientations, with and without colour."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise, product

import msgspec
import pytest
from textual import events
from textual.app import App
from textual.widgets import Tooltip

from app.presenters import base
from app.presenters.base import GenericPresenter, is_light
from app.presenters.registry import presenter_for
from app.shell import i18n
from app.widgets import hexmap
from app.widgets.hex_geometry import LARGE, NORMAL, OVERVIEW, geometry_of
from app.widgets.hex_painter import GLYPHS, whole_states, whole_words
from app.widgets.hexmap import HexMap
from app.widgets.minimap import Minimap
from engine.core.board import load_board
from engine.core.hexes import Hex, disk, neighbours
from engine.core.text import Msg
from engine.core.title import Sight
from engine.core.view import CounterView, Mark, View
from tests.tools.map_demo import AnyName, generated

POINTY = """
nome: Prova
provenienza: ricostruito
ref: prova:mappa
griglia: {colonne: 5, righe: 4}
legenda: {.: open, w: woods, h: open 2, e: building}
mappa: |
  .w..h
  .ww..
  ..e..
  .....
lati: {A1-B1: [wall], C3-D3: [hedge], D1-E1: [cliff], A3-A4: [ditch]}
strade: {road: [[A4, B4, C4, D4, E4]], trail: [[D1, D2]]}
segnalini: {E3: [bunker]}
"""
FLAT = POINTY.replace("righe: 4", "righe: 4, esagoni: lato")
SHAPES = list(product(("pointy", "flat"), (OVERVIEW, NORMAL, LARGE)))


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setattr(i18n, "_current", i18n.load("en"))
    monkeypatch.delenv("NO_COLOR", raising=False)


def counter(name, label, board, **more):
    place = board.hex_at(label)
    side = more.pop("side", "us")
    return CounterView(name, side, more.pop("kind", "squad"), Msg(name), place, "", **more)


def small(source=POINTY):
    board = load_board(source, ("open", "woods", "building"), AnyName())
    counters = (
        counter("alfa", "B2", board, strength="4", states=("pinned",)),
        counter("bravo", "D3", board, side="de", strength="3"),
        counter("tank", "D3", board, side="de", kind="tank", strength="9"),
    )
    return View("us", Msg("turn"), board, counters, {"A2": (Mark("objective", None, "2"),)})


class MapApp(App):
    """A map and what it said."""

    with_minimap = False

    def __init__(self, view, **options):
        super().__init__()
        self.map = HexMap(GenericPresenter(("us", "de")), view, **options)
        self.said = []

    def compose(self):
        yield self.map
        if self.with_minimap:
            yield Minimap(self.map)

    def on_mount(self):
        self.map.focus()

    def on_hex_map_hex_message(self, message):
        self.said.append(message)

    def on_hex_map_hex_selected(self, message):
        self.said.append(("hex", self.label(message.hex)))

    def on_hex_map_counter_selected(self, message):
        self.said.append(("counter", message.id))

    def on_hex_map_hex_hovered(self, message):
        self.said.append(("over", self.label(message.hex)))

    def on_hex_map_cursor_moved(self, message):
        self.said.append(("cursor", self.label(message.hex)))

    def label(self, h):
        return self.map.view.board.label(h)

    @property
    def at(self):
        return self.label(self.map.cursor)


def hex_of(app, label):
    return app.map.view.board.hex_at(label)


def put(app, label):
    app.map.cursor = hex_of(app, label)


# --- geometry ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("orientation", "zoom"), SHAPES)
def test_tiles_cover_every_line_without_gaps_or_overlaps(orientation, zoom):
    geometry = geometry_of(orientation, zoom)
    for y in range(-9, 30):
        tiles = geometry.tiles(y, -20, 60)
        for (start, _h, row), (following, *_rest) in pairwise(tiles):
            assert start + geometry.rows[row][1] == following
        assert tiles[0][0] <= -20
        last, _h, row = tiles[-1]
        assert last + geometry.rows[row][1] >= 60


@pytest.mark.parametrize(("orientation", "zoom"), SHAPES)
def test_each_cell_of_a_tile_belongs_to_its_hex(orientation, zoom):
    geometry = geometry_of(orientation, zoom)
    for h in disk(Hex(3, -2), 2):
        x, y = geometry.position(h)
        assert {geometry.hex_at(x + a, y + b) for a, b in geometry.cells} == {h}


@pytest.mark.parametrize(("orientation", "zoom"), SHAPES[1:3] + SHAPES[4:])
def test_hexes_are_hexagons_with_six_sides(orientation, zoom):
    geometry = geometry_of(orientation, zoom)
    lengths = [length for _first, length in geometry.rows]
    assert max(lengths) > lengths[0]
    assert max(lengths) > lengths[-1]
    drawn = {spot.edge for spot in geometry.spots}
    assert drawn >= {0, 1, 5}  # the neighbours draw the others
    for h in neighbours(Hex(0, 0)):
        assert geometry.position(h) != geometry.position(Hex(0, 0))


# --- what is drawn ----------------------------------------------------------------------------


def test_a_pointy_map_in_ascii_looks_like_hexes():
    lines = HexMap(GenericPresenter(), small(), plain=True).dump().splitlines()
    assert lines[0].count("-''-") == 5
    assert lines[1].count("|") == 4  # the wall between A1 and B1 is not a thin line
    assert all(f"{column}1" in lines[1] for column in "ABCDE")


def test_a_flat_map_in_ascii_looks_like_hexes():
    text = HexMap(GenericPresenter(), small(FLAT), plain=True).dump()
    assert "/" in text
    assert "\\" in text
    lines = text.splitlines()
    assert "A1" in lines[0]
    assert "C1" in lines[0]
    assert "B1" not in lines[0]  # every second column is lower


def test_rows_may_be_numbered_from_the_bottom():
    source = POINTY.replace("righe: 4", "righe: 4, etichette: RRCC, prima_riga: basso")
    source = source[: source.index("lati:")]
    board = load_board(source, ("open", "woods", "building"), ())
    lines = HexMap(GenericPresenter(), View("us", Msg(""), board), plain=True).dump().splitlines()
    assert "0401" in lines[1]
    assert "0101" in lines[10]


@pytest.mark.parametrize("source", [POINTY, FLAT], ids=["pointy", "flat"])
@pytest.mark.parametrize("zoom", [NORMAL, LARGE])
def test_counters_show_type_strength_states_and_stack(source, zoom):
    text = HexMap(GenericPresenter(), small(source), zoom=zoom).dump()
    assert "SQU" in text
    assert "+1" in text
    assert "P" in text
    assert "✶2" in text
    assert "⌂" in text
    assert ("alfa" in text) == (zoom == LARGE)


def test_the_overview_gives_a_counter_two_cells():
    text = HexMap(GenericPresenter(), small(), zoom=OVERVIEW).dump()
    assert "S4" in text
    assert len(text.splitlines()) == 4


def test_a_strength_of_many_figures_has_a_line_for_itself():
    view = small()
    long = msgspec.structs.replace(view.counters[0], strength="4-6-7")
    text = HexMap(GenericPresenter(), msgspec.structs.replace(view, counters=(long,))).dump()
    assert " 4-6-7" in text
    assert "SQU P" in text


def test_features_of_hexsides_differ_without_colour():
    walls = {
        name: HexMap(GenericPresenter(), small(POINTY.replace("[wall]", f"[{name}]"))).dump()
        for name in ("wall", "hedge", "cliff", "ditch")
    }
    assert len(set(walls.values())) == 4


def test_roads_cross_hexes_and_elevations_are_numbers():
    lines = HexMap(GenericPresenter(), small()).dump().splitlines()
    assert "▄▄▄▄▄▄▄▄" in lines[11]
    assert "2" in lines[2]


def test_all_is_ascii_when_asked():
    for source, zoom in product((POINTY, FLAT), (OVERVIEW, NORMAL, LARGE)):
        assert HexMap(GenericPresenter(), small(source), zoom=zoom, plain=True).dump().isascii()


def test_no_character_is_wide_ambiguous_or_an_emoji():
    looks = [*base.TERRAINS.values(), *(base.GenericPresenter().printed(n) for n in base.MARKS)]
    text = "".join(
        "".join((look.texture, *look.art, *look.large))
        if isinstance(look, base.TerrainLook)
        else look.glyph
        for look in looks
    ) + "".join(GLYPHS.values())
    text += HexMap(GenericPresenter(), generated("pointy", 30, 20)).dump()
    text += HexMap(GenericPresenter(), generated("flat", 30, 20), zoom=LARGE).dump()
    for char in set(text) - {"\n"}:
        is_drawing = 0x2500 <= ord(char) < 0x25A0
        assert is_drawing or unicodedata.east_asian_width(char) in ("N", "Na"), char
        assert ord(char) not in (0x25AA, 0x25AB, 0x25FC, 0x2716, 0x2620, 0x2666), char


@pytest.mark.parametrize("source", [POINTY, FLAT], ids=["pointy", "flat"])
async def test_without_colour_letters_tell_terrain_and_side(source, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    app = MapApp(small(source))
    async with app.run_test(size=(60, 30)):
        text = app.map.dump()
        assert "UP" in text  # a pinned squad of the US
        assert "D" in text
        assert "w" in text
        assert "e" in text
        styles = {s.style.bgcolor.triplet for line in screen_lines(app) for s in line if s.style}
        assert all(red == green == blue for red, green, blue in styles)


def screen_lines(app):
    return [
        app.map.render_line(y).apply_filter(f, app.map.background_colors[1])
        for f in app._filters
        for y in range(app.map.size.height)
    ][-app.map.size.height :]


# --- overlays ---------------------------------------------------------------------------------


OVERLAYS = {
    "options": ({Hex(2, 3)}, "▸"),
    "refused": ({Hex(2, 3)}, "✕"),
    "reachable": ({Hex(2, 3): "3"}, "»3"),
    "targets": ({Hex(2, 3): "42%"}, "42%"),
    "sheet": ({Hex(2, 3): "I2"}, "I2"),
    "control": ({Hex(2, 3): "de"}, "D"),
}


def rows_of(map, label):
    """The rows of a tile as text."""
    painter = map.painter
    return ["".join(s.text for s in row) for row in painter.tile(map.view.board.hex_at(label))]


def row_with(rows, text):
    return next(n for n, row in enumerate(rows) if text in row)


@pytest.mark.parametrize("source", [POINTY, FLAT], ids=["pointy", "flat"])
@pytest.mark.parametrize("zoom", [NORMAL, LARGE])
def test_a_cost_stands_in_the_middle_of_its_hex_under_its_label(source, zoom):
    map = HexMap(GenericPresenter(), small(source), zoom=zoom)
    map.reachable = {map.view.board.hex_at("C1"): "3"}
    rows = rows_of(map, "C1")
    assert row_with(rows, "C1") < row_with(rows, "»3") < len(rows) - 1
    widest = max(map.painter.geometry.rows, key=lambda row: row[1])
    assert map.painter.geometry.rows[row_with(rows, "»3")][1] >= widest[1] - 2


@pytest.mark.parametrize("source", [POINTY, FLAT], ids=["pointy", "flat"])
@pytest.mark.parametrize("zoom", [NORMAL, LARGE])
def test_a_mark_a_cost_and_a_sheet_have_each_their_place_in_a_hex(source, zoom):
    map = HexMap(GenericPresenter(), small(source), zoom=zoom)
    hex = map.view.board.hex_at("A2")
    map.reachable, map.sheet = {hex: "3"}, {hex: "I2"}
    rows = rows_of(map, "A2")
    assert row_with(rows, "A2") < row_with(rows, "✶2") < row_with(rows, "»3")
    assert "»3 I2" in rows[row_with(rows, "»3")]


@pytest.mark.parametrize("source", [POINTY, FLAT], ids=["pointy", "flat"])
@pytest.mark.parametrize("zoom", [NORMAL, LARGE])
def test_the_chance_at_a_counter_hides_nothing_of_it(source, zoom):
    map = HexMap(GenericPresenter(), small(source), zoom=zoom)
    map.targets = {map.view.board.hex_at("B2"): "42%"}
    rows = rows_of(map, "B2")
    assert any("42%" in row for row in rows)
    written = [row for row in rows if "42%" not in row]
    assert any("SQU" in row and "4" in row for row in written)
    assert any("P" in row for row in written)


@pytest.mark.parametrize("source", [POINTY, FLAT], ids=["pointy", "flat"])
@pytest.mark.parametrize("zoom", [NORMAL, LARGE])
def test_the_mark_of_a_stack_never_touches_the_number_of_a_height(source, zoom):
    view = small(source)
    more = tuple(counter(name, "E1", view.board, strength="4") for name in ("one", "two"))
    map = HexMap(GenericPresenter(), msgspec.structs.replace(view, counters=more), zoom=zoom)
    rows = rows_of(map, "E1")
    assert any("+1" in row for row in rows)
    assert any("2" in row for row in rows)
    assert not any(re.search(r"[+\d]\d\d|\d{2}", row) for row in rows)


def test_words_on_a_counter_are_whole():
    assert whole_words("Fucilieri ITA n. 2", 10, 2) == ["Fucilieri", "ITA n. 2"]
    assert whole_words("fuoco di opportunità", 10, 2) == ["fuoco di"]
    assert whole_words("affaticata", 9, 2) == []
    assert whole_states("Af Op", 5) == "Af Op"
    assert whole_states("Af Op Bl", 5) == "AfOp"
    assert whole_states("abcdef", 4) == "abcd"


def test_neighbours_on_the_overview_have_grounds_of_their_own():
    view = small()
    pair = tuple(
        counter(name, at, view.board, strength="4")
        for name, at in zip("ab", ("C2", "D2"), strict=True)
    )
    map = HexMap(GenericPresenter(), msgspec.structs.replace(view, counters=pair), zoom=OVERVIEW)
    tiles = [map.painter.tile(view.board.hex_at(at))[0][0] for at in ("C2", "D2")]
    assert tiles[0].style.bgcolor != tiles[1].style.bgcolor


async def test_a_changed_hex_lights_up_and_goes_out(monkeypatch):
    monkeypatch.setattr(hexmap, "FLASH", 0.01)
    app = MapApp(small())
    async with app.run_test() as pilot:
        moved = msgspec.structs.replace(app.map.view.counters[0], hex=hex_of(app, "B3"))
        later = msgspec.structs.replace(app.map.view, counters=(moved, *app.map.view.counters[1:]))
        app.map.view = later
        assert not app.map.flash
        app.map.has_motion = True
        app.map.view = msgspec.structs.replace(later, counters=later.counters[1:])
        assert app.map.flash == {hex_of(app, "B3")}
        while app.map.flash:
            await pilot.pause(0.01)
        assert not app.map.painter.table.flash


@pytest.mark.parametrize("source", [POINTY, FLAT], ids=["pointy", "flat"])
@pytest.mark.parametrize("zoom", [NORMAL, LARGE])
async def test_each_overlay_has_a_sign_of_its_own(source, zoom):
    app = MapApp(small(source), zoom=zoom)
    async with app.run_test(size=(100, 40)) as pilot:
        before = app.map.dump()
        seen = {before}
        for name, (value, sign) in OVERLAYS.items():
            if source is FLAT:
                value = (
                    {Hex(2, 2): v for v in value.values()}
                    if isinstance(value, dict)
                    else {Hex(2, 2)}
                )
            setattr(app.map, name, value)
            await pilot.pause()
            text = app.map.dump()
            assert sign in text
            assert text not in seen
            seen.add(text)
            app.map.clear_overlays()
            assert app.map.dump() == before


async def test_a_range_is_outlined_along_its_border():
    app = MapApp(small())
    async with app.run_test(size=(100, 40)):
        app.map.in_range = set(disk(hex_of(app, "C2"), 1))
        assert app.map.dump().count("▘") > 6
        app.map.in_range = frozenset()
        assert app.map.dump().count("▘") < 6


async def test_sight_is_dotted_up_to_the_hex_that_blocks_it_and_hollow_beyond():
    app = MapApp(msgspec.structs.replace(small(), counters=()))
    async with app.run_test(size=(100, 40)):
        a, b, wood = (hex_of(app, label) for label in ("A2", "E2", "C2"))
        app.map.sight = Sight(a, b, (wood,), False, (), wood)
        line = next(line for line in app.map.dump().splitlines() if "✕" in line)
        before, after = line.split("✕")
        assert before.count("∙") > 6
        assert after.count("◦") > 6
        assert "∙" not in after
        app.map.sight = None
        assert "∙" not in app.map.dump()


async def test_overlays_are_seen_on_the_overview_too():
    app = MapApp(small(), zoom=OVERVIEW)
    async with app.run_test(size=(60, 20)):
        app.map.options = {hex_of(app, "A4"), hex_of(app, "B2")}
        assert "▸◂" in app.map.dump()
        assert "S▸" in app.map.dump()
        app.map.cursor = hex_of(app, "E4")
        assert "[]" in app.map.dump()


# --- keys -------------------------------------------------------------------------------------


async def test_arrows_go_straight_and_keep_their_column():
    app = MapApp(small())
    async with app.run_test(size=(60, 30)) as pilot:
        put(app, "C4")
        await pilot.press("right", "left")
        walked = []
        for key in ("up", "up", "up", "down", "down", "down"):
            await pilot.press(key)
            walked.append(app.at)
        assert walked[1][0] == "C"
        assert walked == [*walked[:3], walked[1], walked[0], "C4"]
        await pilot.press("right", "right", "right", "right")
        assert app.at == "E4"  # stops at the edge
        assert ("cursor", "E4") in app.said


async def test_arrows_on_a_flat_map_keep_their_row():
    app = MapApp(small(FLAT))
    async with app.run_test(size=(60, 30)) as pilot:
        put(app, "A2")
        await pilot.press("down", "up")
        await pilot.press("right", "right", "right", "right")
        assert app.at == "E2"
        await pilot.press("up")
        assert app.at == "E1"


@pytest.mark.parametrize("source", [POINTY, FLAT], ids=["pointy", "flat"])
async def test_corner_keys_go_to_the_four_slanted_neighbours(source):
    app = MapApp(small(source))
    async with app.run_test(size=(60, 30)) as pilot:
        for key, back in (("home", "pagedown"), ("pageup", "end")):
            put(app, "C2")
            await pilot.press(key)
            assert app.at != "C2"
            await pilot.press(back)
            assert app.at == "C2"


async def test_enter_chooses_the_hex_and_again_the_next_counter_of_its_stack():
    app = MapApp(small())
    async with app.run_test(size=(60, 30)) as pilot:
        put(app, "D3")
        await pilot.press("enter", "enter", "enter")
        chosen = [x for x in app.said if isinstance(x, tuple) and x[0] in ("hex", "counter")]
        assert [x[1] for x in chosen if x[0] == "hex"] == ["D3"] * 3
        assert [x[1] for x in chosen if x[0] == "counter"] == ["bravo", "tank", "bravo"]


async def test_full_stop_and_comma_walk_through_our_units_or_the_lit_ones():
    app = MapApp(small())
    async with app.run_test(size=(60, 30)) as pilot:
        await pilot.press("full_stop")
        assert app.at == "B2"
        app.map.options = {hex_of(app, "D3")}
        await pilot.press("comma")
        assert app.at == "D3"


async def test_plus_and_minus_zoom_around_the_cursor():
    app = MapApp(generated("pointy"))
    async with app.run_test(size=(80, 24)) as pilot:
        app.map.cursor = app.map.view.board.grid.from_offset(40, 30)
        for key, zoom in (("plus", LARGE), ("minus", NORMAL), ("minus", OVERVIEW)):
            await pilot.press(key)
            assert app.map.zoom == zoom
            window = app.map.size.region.translate(app.map.scroll_offset)
            assert window.contains_region(app.map.region_of(app.map.cursor))


async def test_the_cursor_stays_in_sight_and_shift_scrolls_without_it():
    app = MapApp(generated("pointy"))
    async with app.run_test(size=(80, 24)) as pilot:
        app.map.cursor = app.map.view.board.grid.from_offset(3, 3)
        for _n in range(20):
            await pilot.press("right")
        window = app.map.size.region.translate(app.map.scroll_offset)
        assert window.contains_region(app.map.region_of(app.map.cursor))
        here, scroll = app.map.cursor, app.map.scroll_offset
        await pilot.press("shift+down", "ctrl+right")
        assert app.map.cursor == here
        assert app.map.scroll_offset.y == scroll.y + 3
        assert app.map.scroll_offset.x > scroll.x


async def test_centre_on_a_unit():
    view = generated("flat")
    app = MapApp(view)
    async with app.run_test(size=(80, 24)) as pilot:
        unit = view.counters[40]
        app.map.centre_on(unit.id)
        await pilot.pause()
        region = app.map.region_of(unit.hex)
        window = app.map.size.region.translate(app.map.scroll_offset)
        assert window.contains_region(region)
        assert app.map.hex_at(app.map.size.width // 2, app.map.size.height // 2) == unit.hex


async def test_a_far_unit_comes_to_the_middle():
    app = MapApp(generated("pointy"))
    async with app.run_test(size=(80, 24)) as pilot:
        app.map.cursor = app.map.view.board.grid.from_offset(40, 30)
        await pilot.pause()
        assert app.map.hex_at(app.map.size.width // 2, app.map.size.height // 2) == app.map.cursor


async def test_h_says_what_is_here():
    app = MapApp(small(), describe=lambda h: f"here is {h.q} {h.r}")
    async with app.run_test(size=(60, 30), tooltips=True) as pilot:
        put(app, "A1")
        await pilot.press("semicolon")
        tooltip = app.screen.query_one(Tooltip)
        assert tooltip.display
        assert "here is 0 0" in str(tooltip.render())
        await pilot.press("right")
        assert not tooltip.display


# --- the mouse --------------------------------------------------------------------------------


def spot_of(app, label):
    """The middle of a hex, on the screen."""
    region = app.map.region_of(hex_of(app, label)).translate(-app.map.scroll_offset)
    return region.x + region.width // 2, region.y + (region.height - 1) // 2


@pytest.mark.parametrize("source", [POINTY, FLAT], ids=["pointy", "flat"])
@pytest.mark.parametrize("zoom", [OVERVIEW, NORMAL, LARGE])
async def test_a_click_chooses_the_hex_under_the_mouse(source, zoom):
    app = MapApp(small(source), zoom=zoom)
    async with app.run_test(size=(100, 45)) as pilot:
        for label in ("A1", "D3", "E4", "B2"):
            await pilot.click(app.map, offset=spot_of(app, label))
            assert app.at == label
            assert ("hex", label) in app.said
        assert ("counter", "bravo") in app.said
        await pilot.click(app.map, offset=(0, 0))
        assert app.at == "B2"  # outside the map nothing is chosen


async def test_the_mouse_over_a_hex_tells_and_has_a_tooltip():
    app = MapApp(small())
    app.map.describe = lambda h: app.map.presenter.describe(app.map.view, h)
    async with app.run_test(size=(60, 30)) as pilot:
        await pilot.hover(app.map, offset=spot_of(app, "B2"))
        assert ("over", "B2") in app.said
        text = str(app.map.tooltip)
        assert text.startswith("B2: woods")
        assert "alfa: 4, pinned" in text


async def test_dragging_pans_and_does_not_choose():
    app = MapApp(generated("pointy"))
    async with app.run_test(size=(80, 24)) as pilot:
        app.map.scroll_to(100, 50, animate=False)
        await pilot.pause()
        await pilot.mouse_down(app.map, offset=(40, 15))
        await pilot.hover(app.map, offset=(30, 10))
        await pilot.mouse_up(app.map, offset=(30, 10))
        assert app.map.scroll_offset == (110, 55)
        assert app.map.cursor is None


async def test_the_wheel_scrolls():
    app = MapApp(generated("pointy"))
    async with app.run_test(size=(80, 24)) as pilot:
        wheel = [app.map, 10, 10, 0, 0, 0, False, False, False]
        app.map.post_message(events.MouseScrollDown(*wheel))
        await pilot.pause()
        assert app.map.scroll_offset.y > 0


async def test_a_click_on_the_small_map_shows_that_place():
    app = MapApp(generated("pointy"))
    app.with_minimap = True
    async with app.run_test(size=(80, 50)) as pilot:
        small_map = app.query_one(Minimap)
        await pilot.click(small_map, offset=(50, 16))
        await pilot.pause()
        seen = app.map.hex_at(app.map.size.width // 2, app.map.size.height // 2)
        column, row = app.map.view.board.grid.offset(seen)
        assert abs(column - 50) < 6
        assert abs(row - 32) < 6
        text = "\n".join(small_map.render_line(y).text for y in range(small_map.size.height))
        assert all(corner in text for corner in "┌┐└┘")
        assert "U" in text
        assert "D" in text


# --- only what is needed ----------------------------------------------------------------------


def painted_by(app, action):
    """How many hexes an action paints."""
    painter = app.map.painter
    before = dict(painter._tiles)
    action()
    for y in range(app.map.size.height):
        app.map.render_line(y)
    return sum(painter._tiles[h] is not before.get(h) for h in painter._tiles)


@pytest.mark.parametrize(("columns", "rows"), [(24, 20), (60, 40), (99, 99)])
async def test_cost_does_not_grow_with_the_map(columns, rows):
    app = MapApp(generated("pointy", columns, rows))
    async with app.run_test(size=(80, 24)) as pilot:
        put(app, app.label(app.map.view.board.grid.from_offset(4, 3)))
        await pilot.pause()
        assert len(app.map.painter._tiles) < 160  # what the window shows, not the map
        goal = neighbours(app.map.cursor)[2]
        assert painted_by(app, lambda: setattr(app.map, "cursor", goal)) <= 10


async def test_a_move_repaints_two_hexes_and_keeps_other_lines():
    app = MapApp(generated("pointy"))
    async with app.run_test(size=(80, 24)) as pilot:
        put(app, app.label(app.map.view.board.grid.from_offset(4, 3)))
        await pilot.pause()
        far = app.map.render_line(20)
        regions = []
        refresh = app.map.refresh
        app.map.refresh = lambda *some, **more: regions.extend(some) or refresh(*some, **more)
        await pilot.press("right")
        assert len(regions) == 2
        assert sum(region.area for region in regions) == 2 * 8 * 4
        assert app.map.render_line(20) is far


async def test_a_new_view_repaints_only_what_changed():
    app = MapApp(small())
    async with app.run_test(size=(60, 30)):
        old = app.map.view
        moved = msgspec.structs.replace(old.counters[0], hex=hex_of(app, "A4"))
        new = msgspec.structs.replace(old, counters=(moved, *old.counters[1:]))
        far = app.map.painter.tile(hex_of(app, "E1"))
        app.map.view = new
        assert app.map.painter.tile(hex_of(app, "E1")) is far
        changed = app.map.dump()
        app.map._lay_out()
        assert changed == app.map.dump()


async def test_a_map_without_a_view_waits_for_one():
    app = MapApp(None)
    async with app.run_test(size=(60, 30)) as pilot:
        await pilot.press("right", "enter", "full_stop", "plus", "minus")
        await pilot.click(app.map, offset=(5, 5))
        assert app.map.dump() == ""
        app.map.view = small()
        await pilot.pause()
        assert "SQU" in app.map.dump()


async def test_the_theme_gives_the_colour_around_the_map():
    app = MapApp(small())
    async with app.run_test(size=(60, 30)) as pilot:
        before = app.map.painter.backdrop
        app.theme = "textual-light"
        await pilot.pause()
        assert app.map.painter.backdrop != before


# --- presenters -------------------------------------------------------------------------------


def test_sides_differ_in_greyscale_and_by_letter():
    presenter = GenericPresenter(("us", "uk", "de"))
    armies = [presenter.army(side) for side in ("us", "uk", "de")]
    assert is_light(armies[0].colour) != is_light(armies[1].colour)
    assert len({army.letter for army in armies}) == 3
    assert presenter.name("side", "us") == "US"


def test_unknown_names_have_looks_all_the_same():
    presenter = GenericPresenter()
    assert presenter.terrain("zolfatara").letter == "z"
    assert presenter.hexside("zolfatara").pattern == "broken"
    assert presenter.line("zolfatara").colour
    assert presenter.printed("zolfatara").glyph
    assert presenter.terrain("stone building") == presenter.terrain("edificio di legno")


def test_counters_have_their_names_in_messages():
    presenter = GenericPresenter()
    presenter.use(small())
    assert i18n.say(Msg("{unit} fires", {"unit": "alfa"}), presenter.name) == "alfa fires"
    assert presenter.name("state", "pinned") == "pinned"
    assert presenter.panels(small()) == ()


def test_a_hex_is_described_with_its_features_and_marks():
    presenter, view = GenericPresenter(), small()
    said = presenter.describe(view, view.board.hex_at("E1"))
    assert said == "E1: open, level 2\ncliff"
    assert "objective" in presenter.describe(view, view.board.hex_at("A2"))


def test_titles_without_looks_of_their_own_get_the_plain_ones():
    assert type(presenter_for("prova")) is GenericPresenter
    assert type(presenter_for("base")) is GenericPresenter


async def test_what_is_on_the_screen_is_the_map_after_every_change_of_size():
    app = MapApp(small())
    async with app.run_test(size=(60, 30)) as pilot:
        for size in ((60, 31), (30, 14), (30, 13), (60, 12), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            window = app.map.region
            shown = app.screen._compositor.render_strips()
            width, height = app.map.scrollable_content_region.size
            for y in range(height):
                line = shown[window.y + y].text[window.x : window.x + width]
                assert line == app.map.render_line(y).text[:width], (size, y)
