"""Counters that wait beside the map: seen, chosen and led onto it, by keys and by mouse."""

from __future__ import annotations

import pytest

from app.play.session import Session
from app.widgets.hex_geometry import LARGE, NORMAL, OVERVIEW
from app.widgets.hexmap import HexMap
from engine.titles import TITLES
from tests.app.tables import session_of
from tests.app.test_play import (  # noqa: F401
    NARROW,
    SIZES,
    WIDE,
    italian,
    last_answer,
    settled,
    table,
    text_of,
)

MOVES = "move.who"
WAITS = "entry.wait"
GAMES = [("R1", "american"), ("R3", "german"), ("R4", "american")]


def board(app):
    return app.screen.query_one(HexMap)


def waiting(app):
    """The places with counters on them."""
    return [place for place in board(app).view.places if board(app).view.at(place.hex)]


async def click(pilot, app, hex):
    board(app).centre_on(hex)
    await settled(pilot)
    region = board(app).region_of(hex).translate(-board(app).scroll_offset)
    spot = (region.x + region.width // 2, region.y + region.height // 2)
    await pilot.click(HexMap, offset=spot)
    await settled(pilot)


@pytest.mark.parametrize(("scenario", "side"), GAMES)
@pytest.mark.parametrize("size", SIZES)
async def test_a_unit_off_the_map_is_chosen_by_keys(tmp_path, scenario, side, size):
    session = session_of(tmp_path, "aslsk", scenario, MOVES, side)
    app = table(session)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        board(app).focus()
        board(app).cursor = waiting(app)[0].hex
        await settled(pilot)
        assert "fuori mappa presso" in app.screen.table.describe(board(app).cursor)
        await pilot.press("enter")
        await settled(pilot)
        if session.decision.id == MOVES:  # a stack: the list has the focus
            await pilot.press("enter")
        here = {f"u:{c.id}" for c in board(app).view.at(board(app).cursor)}
        assert last_answer(session) in here


@pytest.mark.parametrize(("scenario", "side"), GAMES)
async def test_the_mouse_alone_leads_a_unit_onto_the_map(tmp_path, scenario, side):
    session = session_of(tmp_path, "aslsk", scenario, MOVES, side)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await click(pilot, app, waiting(app)[0].hex)
        for _ in range(20):  # who, how, with whom: the first answer, until the map is asked for
            ways = [o.id[2:] for o in session.decision.options if o.id.startswith("h:")]
            onto = [h for h in ways if board(app).view.hex_at(h) in board(app).view.board]
            if onto:
                break
            app.screen.answer(session.decision.options[0].id)
            await settled(pilot)
        await click(pilot, app, board(app).view.hex_at(onto[0]))
        assert last_answer(session) == f"h:{onto[0]}"


@pytest.mark.parametrize(("scenario", "side"), GAMES)
async def test_a_game_saved_while_units_wait_opens_again(tmp_path, scenario, side):
    session = session_of(tmp_path, "aslsk", scenario, MOVES, side)
    session.close()
    again = Session.open(session.path, TITLES)
    app = table(again)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert "chi muove?" in text_of(app.screen, "#question")
        assert waiting(app)


@pytest.mark.parametrize("zoom", [OVERVIEW, NORMAL, LARGE])
async def test_the_cursor_walks_off_the_map_and_everything_can_be_asked_there(tmp_path, zoom):
    session = session_of(tmp_path, "aslsk", "R1", MOVES, "american")
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        board(app).zoom = zoom
        board(app).focus()
        board(app).cursor = board(app).view.hex_at("A5")
        await pilot.press("left")
        await settled(pilot)
        place = board(app).view.place(board(app).cursor)
        assert place is not None
        assert board(app).view.hex_at("A5") in place.near
        await pilot.press("h", "v", "right", "left", "v", "k", "k", "i", "o")
        await settled(pilot)
        await pilot.press("right")
        assert board(app).view.label(board(app).cursor).startswith("A")
        await pilot.press("ctrl+p", *"6-6-6 F", "enter")
        await settled(pilot)
        assert board(app).view.place(board(app).cursor) is not None


async def test_the_panel_of_the_hex_follows_the_answers(tmp_path):
    session = session_of(tmp_path, "aslsk", "R1", WAITS)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        asked = str(session.decision.ruling.msg.facts["unit"])
        name = app.screen.presenter.name("unit", asked)
        await pilot.press("i", "3")
        board(app).cursor = board(app).view.hex_at(last_answer(session)[2:])
        await settled(pilot)
        assert name in text_of(app.screen, "#units-text")
        await pilot.press("u")
        await settled(pilot)
        assert name not in text_of(app.screen, "#units-text")


async def test_an_empty_place_is_no_answer_and_a_map_without_entries_has_none(tmp_path):
    session = session_of(tmp_path, "aslsk", "R1", MOVES, "american")
    app = table(session)
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        view = board(app).view
        empty = next(place for place in view.places if not view.at(place.hex))
        await click(pilot, app, empty.hex)
        assert "fuori mappa presso" in text_of(app.screen, "#verdict")
        assert session.decision.id == MOVES
    title = TITLES["aslsk"]
    assert title.view(title.start("R2", {}), "german").places == ()
