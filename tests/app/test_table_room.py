"""Map, panels and question share the room; every key that is pressed does something or says why."""

from __future__ import annotations

from fractions import Fraction

import pytest
from textual.widgets import OptionList

from app.play.outcome import Result
from app.play.why import Kind, Row
from app.presenters.aslsk import state_letters
from app.presenters.base import Face
from app.screens.room import LEAST_SIDE
from app.shell import i18n
from app.widgets.decision_bar import fitted
from app.widgets.hexmap import HexMap
from app.widgets.odds_panel import rows_text
from app.widgets.outcome import OutcomeStrip, keys_of
from app.widgets.rule_pane import RulePane
from app.widgets.table_footer import TableFooter
from engine.core.rules import RuleRef, Ruling
from engine.core.text import Msg
from engine.titles import TITLES
from tests.app.tables import ACTION, session_at, session_of
from tests.app.test_play import NARROW, WIDE, settled, table, text_of
from tests.app.test_play_whole import uncover
from tests.app.test_tutorial import first_guided

HUGE = (200, 60)


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


def ready(app):
    return lambda: app.screen._corpus is not None


def at_table(folder, slug, scenario):
    """A game at its start, or where nobody else sits down first."""
    is_toi = slug == "toi"
    return session_at(folder, ACTION) if is_toi else session_of(folder, slug, scenario)


FIRST = [("toi", "toi-s1"), ("ddob", "easy-fox"), ("aslsk", "R1"), ("warfare", "s3")]


@pytest.mark.parametrize(("slug", "scenario"), FIRST)
async def test_in_a_very_wide_terminal_no_room_is_left_empty_beside_a_map_that_needs_it(
    tmp_path, slug, scenario
):
    app = table(at_table(tmp_path, slug, scenario))
    async with app.run_test(size=HUGE) as pilot:
        await settled(pilot, ready(app))
        screen, map = app.screen, app.screen._map
        side, bar = screen.query_one("#side").region, screen._bar.region
        window = map.scrollable_content_region
        is_wide_enough = window.width >= map.extent.width
        assert is_wide_enough or side.width == LEAST_SIDE
        if window.height < map.extent.height or screen.has_class("-beside"):
            assert bar.x == side.x, "the question stands under the panels"
            assert bar.width == side.width
            assert window.height >= min(map.extent.height, 46)
        else:
            assert bar.x == map.region.x
            assert bar.y >= map.region.bottom
        assert window.width + side.width >= HUGE[0] - 2


async def test_the_question_comes_back_under_the_map_when_the_terminal_gets_smaller(tmp_path):
    app = table(session_of(tmp_path, "ddob", "easy-fox"))
    async with app.run_test(size=HUGE) as pilot:
        await settled(pilot, ready(app))
        screen = app.screen
        assert screen.has_class("-beside")
        for size in (WIDE, NARROW):
            await pilot.resize_terminal(*size)
            await settled(pilot)
            assert not screen.has_class("-beside")
            assert screen._bar.region.y >= screen._map.region.bottom > 8
            assert screen._bar.region.x == screen._map.region.x


@pytest.mark.parametrize("size", [HUGE, WIDE, NARROW])
async def test_the_names_of_the_panels_are_whole(tmp_path, size):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=size) as pilot:
        await settled(pilot, ready(app))
        await pilot.press("e")
        await settled(pilot)
        box = app.screen.query_one("#chronicle-box")
        assert len(box._border_title.plain) <= box.region.width - 6
        assert "Prob" in box._border_title.plain


async def test_a_rule_that_has_its_full_height_anyway_is_not_opened_and_closed(tmp_path):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=HUGE) as pilot:
        await settled(pilot, ready(app))
        screen, pane = app.screen, app.screen.query_one(RulePane)
        await pilot.press("r")
        await settled(pilot)
        assert pane.has_focus_within
        assert not screen.has_class("-rule-open")
        await pilot.resize_terminal(*WIDE)
        await settled(pilot)
        assert screen.has_class("-rule-open")
        await pilot.resize_terminal(*HUGE)
        await settled(pilot)
        assert not screen.has_class("-rule-open")
        await pilot.press("escape")
        await settled(pilot)
        assert app.focused.id == "answers"
        await pilot.press("r")
        await settled(pilot)
        await pilot.press("r")
        await settled(pilot)
        assert app.focused.id == "answers"


def test_the_words_of_a_rule_are_whole_and_no_word_is_broken():
    ruling = Ruling((RuleRef("toi:x"),), Msg("x"))
    words = "l'artiglieria cerca il suo simbolo fra le unità della spiaggia"
    rows = [Row(Kind.QUOTE, words), Row(Kind.SHARE, words, share=Fraction(1, 3), ruling=ruling)]
    for width in (36, 50, 76):
        lines = str(rows_text(rows, lambda ref: "p. 12", width=width)).splitlines()
        assert all(len(line) <= width for line in lines)
        said = " ".join(word for line in lines for word in line.replace("p. 12", "").split())
        assert all(said.count(word) >= 2 for word in ("l'artiglieria", "simbolo", "spiaggia"))


def test_what_letters_mean_is_told_once_and_whole():
    dice = [
        (
            Face("A=", "#000000", "#ffffff", means="A attacca · = doppio"),
            Face("B", "#000000", "#ffffff", means="A attacca"),
        )
    ]
    assert keys_of(dice, 40, 2) == ["A attacca · = doppio"]
    assert keys_of(dice, 12, 2) == ["A attacca", "= doppio"]
    assert keys_of(dice, 12, 1) == ["A attacca"]
    assert keys_of([(Face("6", "#000000", "#ffffff"),)], 40, 2) == []


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_cards_of_omaha_say_what_their_letters_mean(tmp_path, size):
    app = table(session_of(tmp_path, "ddob", "easy-fox", "actions.who"))
    async with app.run_test(size=size) as pilot:
        await settled(pilot, ready(app))
        told = app.screen.table
        uses = [str(line.step.ruling.msg.facts.get("use", "")) for line in told.lines]
        fire = next(n for n, use in enumerate(uses) if use.startswith("fire"))
        told.look_at(fire)
        app.screen._show_step()
        await settled(pilot)
        drawn = str(app.screen.query_one(OutcomeStrip)._drawn())
        assert "bersaglio:" in drawn
        assert "lettere: solo dal turno 17" in drawn


def test_states_of_two_letters_stand_apart():
    assert state_letters(["BU", "Recall"]) == "BU R"
    assert state_letters(["CE", "Recall"]) == "CE R"
    assert state_letters(["Motion", "CE"]) == "m CE"
    assert state_letters(["DM", "pinned"]) == state_letters(["DM"]) + state_letters(["pinned"])


# --- keys ---------------------------------------------------------------------------------------


async def test_a_sheet_with_nothing_to_show_can_be_told_from_none(tmp_path):
    app = table(session_of(tmp_path, "warfare", "s1"))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, ready(app))
        assert "per ora niente" not in text_of(app.screen, "#legend")
        await pilot.press("k")
        await settled(pilot)
        assert "K la toglie" in text_of(app.screen, "#verdict")
        assert "per ora niente" in text_of(app.screen, "#legend")
        await pilot.press("k")
        await settled(pilot)
        assert "libera" in text_of(app.screen, "#verdict")
        assert not app.screen.query_one("#legend").has_class("-shown")


async def test_sight_at_omaha_says_what_it_can_tell(tmp_path):
    app = table(session_of(tmp_path, "ddob", "d-day"))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, ready(app))
        await pilot.press("v")
        await settled(pilot)
        assert "V" in text_of(app.screen, "#verdict")
        assert "altro esagono" in text_of(app.screen, "#verdict")
        await pilot.press("right")
        await settled(pilot)
        assert "campo di fuoco" in text_of(app.screen, "#verdict")
        await pilot.press("v")
        await settled(pilot)
        assert app.screen.query_one(HexMap).sight is None


@pytest.mark.parametrize("key", ["t", "w", "b", "h", "f3", "f4", "f5", "f6", "y", "u", "g", "x"])
async def test_a_key_that_has_nothing_to_do_says_so(tmp_path, key):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, ready(app))
        screen = app.screen
        before = (len(screen.session.game.entries), dict(screen._bar.__dict__))
        screen._bar.say("")
        await pilot.press(key)
        await settled(pilot)
        changed = len(screen.session.game.entries) != before[0]
        assert changed or screen._bar.said or screen._bar._group or key == "x", key


@pytest.mark.parametrize(("slug", "scenario"), FIRST)
async def test_every_number_answers_or_says_why_not(tmp_path, slug, scenario):
    app = table(at_table(tmp_path, slug, scenario))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, ready(app))
        screen = app.screen
        for key in "1122311911":
            if app.screen is not screen:
                break
            screen._bar.say("")
            before = len(screen.session.game.entries)
            await pilot.press(key)
            await settled(pilot)
            is_new = len(screen.session.game.entries) > before or app.screen is not screen
            assert is_new or screen._bar.said, (key, screen.session.decision)


# --- mouse --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [HUGE, WIDE, NARROW])
async def test_with_the_mouse_alone_a_rule_that_a_refusal_opened_goes_with_the_next_answer(
    tmp_path, size
):
    app = table(session_of(tmp_path, "warfare", "s3", "action.what", "blu"))
    async with app.run_test(size=size) as pilot:
        await settled(pilot, ready(app))
        screen, answers = app.screen, app.screen.query_one("#answers")
        refused = next(n for n, id in enumerate(screen._bar._ids)
                       if id in screen.table.question.refused)  # fmt: skip
        for _ in range(2):
            await pilot.click("#answers", offset=(6, refused - round(answers.scroll_offset.y)))
            await settled(pilot)
        assert screen.query_one(RulePane).has_focus_within, screen._bar.said
        if size == NARROW:
            await uncover(pilot)
            await settled(pilot)
        assert screen._map.display
        answers.scroll_home(animate=False, immediate=True)
        await settled(pilot)
        before = len(screen.session.game.entries)
        await pilot.click("#answers", offset=(6, 0))
        await settled(pilot)
        assert len(screen.session.game.entries) > before
        assert not screen.has_class("-rule-open")
        assert not screen.has_class("-side-open")


# --- answers ------------------------------------------------------------------------------------


def test_what_does_not_fit_in_a_row_leaves_a_sign_and_the_state_stays():
    parts = [" · E8", " · 1 mitragliatrice", ", 2 regolari", "; pronta"]
    needed = [" · E8", "; pronta"]
    assert "".join(fitted(parts, needed, 60)) == " · E8 · 1 mitragliatrice, 2 regolari; pronta"
    assert "".join(fitted(parts, needed, 40)) == " · E8 · 1 mitragliatrice…; pronta"
    assert "".join(fitted(parts, needed, 20)) == " · E8…; pronta"
    assert "".join(fitted(parts[:2], [], 10)) == " · E8…"
    assert fitted([], [], 10) == []


async def test_a_long_answer_has_a_second_line_where_there_is_room(tmp_path):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, ready(app))
        bar, answers = app.screen._bar, app.screen._bar.query_one(OptionList)
        for columns in (72, 60, 46):
            answers.styles.width = columns
            await settled(pilot, lambda: bar._room[0] <= columns)  # noqa: B023
            rows = [str(one.prompt) for one in answers.options]
            room = answers.scrollable_content_region
            lines = [line for row in rows for line in row.split("\n")]
            assert all(len(line) <= room.width for line in lines)
            assert len(lines) <= max(room.height, len(rows))
            units = [row for row in rows if "squadra" in row and "×" not in row[:3]]
            assert all("pronta" in row or "affaticata" in row for row in units)
            for row in rows:
                assert "…" not in row[:-1] or len(lines) >= room.height, rows
        app.screen.action_jump()
        await settled(pilot)
        spots = {spot.what: spot.y for spot in app.screen._spots.values()}
        for n, option in enumerate(bar.listed):
            y = spots.get(f"answer/{option}")
            if y is not None:
                top = answers.scrollable_content_region.y - round(answers.scroll_offset.y)
                assert y - top == answers._index_to_line[n]


# --- what came of it ----------------------------------------------------------------------------


async def test_the_guide_of_tide_of_iron_ends_with_what_was_won_in_sight(tmp_path):
    app = table(first_guided("toi", tmp_path).session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, ready(app))
        screen, told, map = app.screen, app.screen.table, app.screen._map
        while told.guide.at != told.guide.last:
            await settled(pilot, lambda: told.proposed == screen._bar.marked is not None)
            await settled(pilot)
            hex = told.hex_of(told.proposed)
            assert hex is None or map.has_in_sight(hex), (told.guide.place, told.proposed)
            await pilot.press("enter")
            await settled(pilot, lambda: not screen.session.is_bot_turn)
        await settled(pilot, lambda: map.has_in_sight(map.view.hex_at("G5")))
        said = " ".join(text_of(screen, "#outcome-text").split())
        assert "8ª squadra USA assalta G5: L'assalto riesce: colpi 5 contro 0" in said


@pytest.mark.parametrize(("slug", "scenario"), FIRST)
async def test_the_outcome_takes_the_rows_that_it_needs_and_no_more(tmp_path, slug, scenario):
    app = table(session_of(tmp_path, slug, scenario, TITLES[slug].info.actors[0]))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, ready(app))
        strip = app.screen.query_one(OutcomeStrip)
        dice = (Face("6", "#303030", "#ffffff", "black", True),)
        for result in (Result("A muove"), Result("A spara", (dice,)), Result("B muove")):
            strip.show(result)
            await settled(pilot)
            assert strip.content_size.height == text_of(app.screen, "#outcome-text").count("\n") + 1
        strip.is_walked = True
        strip.show(Result("A spara", (dice,)))
        strip.show(Result("A muove", is_step=True))
        await settled(pilot)
        assert strip.content_size.height == 4, "who walks keeps the map where it is"


async def test_while_the_menu_is_open_its_numbers_choose_and_the_footer_rests(tmp_path):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, ready(app))
        screen, footer = app.screen, app.screen.query_one(TableFooter)
        await settled(pilot, lambda: footer.keys)
        await pilot.press("m")
        await settled(pilot, lambda: app.screen is not screen)
        await settled(pilot, lambda: not footer.keys)
        shown = [str(one.prompt) for one in app.screen.query_one(OptionList).options]
        assert shown[0] == "1  Torna al tavolo"
        await pilot.press("v", "1")
        await settled(pilot, lambda: app.screen is screen)
        await settled(pilot, lambda: footer.keys)


async def test_sight_begins_without_the_line_of_the_last_shot(tmp_path):
    app = table(session_at(tmp_path, ACTION, 2))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, ready(app))
        map = app.screen._map
        map.sight = app.screen.table.sight(*list(map.view.board.terrains)[:2])
        await pilot.press("v")
        await settled(pilot)
        assert map.sight is None
        assert "visuale" not in text_of(app.screen, "#legend")
