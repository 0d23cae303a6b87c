"""Stepping through what has happened: one key a step, map, line, dice and rule follow."""

from __future__ import annotations

import random
import re
from functools import cache, partial

import pytest
from textual.content import Content
from textual.events import MouseScrollUp
from textual.screen import Screen
from textual.style import Style
from textual.widgets import OptionList, Static

from app.play.chronicle import Kind
from app.play.outcome import Result, result_of
from app.play.session import Session
from app.play.table import Ask, Table
from app.play.tutorial import tutorial_for
from app.play.watching import Watching
from app.presenters.base import Face
from app.rules import linker
from app.rules.library import LIBRARY
from app.rules.page import page_of
from app.screens.app import ProntuarioApp
from app.screens.replay import ReplayScreen, replay_of_save
from app.shell import i18n
from app.widgets.chronicle import ChronicleList
from app.widgets.hexmap import HexMap
from app.widgets.layout import Layout, spans_of
from app.widgets.outcome import OutcomeStrip, in_a_row, shortened, wrapped
from app.widgets.rule_pane import RulePane
from engine.core.rules import Roll
from engine.drive import player_of, sides_of
from engine.game import Game
from engine.saves.replaying import chance_of
from engine.titles import TITLES
from tests.app.tables import ACTION, TARGET, head_of, session_at, session_of
from tests.app.test_play import NARROW, WIDE, settled, table, text_of

HUGE = (200, 60)
FIRST = [("toi", "toi-s1"), ("ddob", "easy-fox"), ("aslsk", "R1"), ("warfare", "s3")]


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


@cache
def fought(slug, scenario, answers=60):
    """The answers of the best players for so many questions, and on to the next of the first."""
    title = TITLES[slug]
    game, rng = Game(title, scenario, chance_of(head_of(slug, scenario))), random.Random(2)
    first = sides_of(game)[0]
    bots = {side: player_of(title, title.levels[-1]) for side in sides_of(game)}
    while (decision := game.position.decision) is not None:
        if answers <= 0 and decision.side == first:
            break
        answers -= 1
        look = partial(title.view, game.position.draft, decision.side)
        game.answer(bots[decision.side].choose(look, decision, rng))
    return game.entries


def fought_session(folder, slug, scenario, **seats):
    head = head_of(slug, scenario, **seats)
    game = Game(TITLES[slug], scenario, chance_of(head))
    game.resume(fought(slug, scenario)[len(game.entries) :])
    return Session(game, head, folder / "prova.prontuario")


def opened(session):
    app = table(session)
    return app, lambda: app.screen._corpus is not None


# --- keys ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("slug", "scenario"), FIRST)
async def test_a_combat_is_stepped_with_one_key_a_step_and_all_follows(tmp_path, slug, scenario):
    app, is_ready = opened(fought_session(tmp_path, slug, scenario))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, is_ready)
        screen, told = app.screen, app.screen.table
        pane, strip = screen.query_one(RulePane), screen.query_one(OutcomeStrip)
        rolled = [n for n, line in enumerate(told.lines) if line.step.chance is not None][-1]
        action = told.chronicle.action_of(rolled)
        screen.table.look_at(action.first)
        screen._show_step()
        await settled(pilot)
        for at in range(action.first, min(action.end, len(told.lines) - 1)):
            assert told.at == at
            assert app.focused.id == "chronicle"
            step = told.lines[at].step
            await settled(pilot, lambda step=step: pane.ruling == step.ruling)
            assert_applied_is_in_sight(pane)
            assert bool(strip._shown.dice) <= (at >= min(
                n for n in range(action.first, action.end) if told.lines[n].step.chance)
            )  # fmt: skip
            sight = told.shot()
            if sight is not None:
                assert screen._map.sight == sight
                assert screen._map.has_in_sight(sight.b)
            await pilot.press("space")
            await settled(pilot)


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize(("slug", "scenario"), FIRST)
async def test_who_fires_and_the_target_are_in_sight_at_every_step(tmp_path, slug, scenario, size):
    app, is_ready = opened(fought_session(tmp_path, slug, scenario))
    async with app.run_test(size=size) as pilot:
        await settled(pilot, is_ready)
        screen, told, map = app.screen, app.screen.table, app.screen._map
        at = len(told.lines) - 1
        while told.shot() is None or not told.is_past:
            told.look_at(at := at - 1)
        screen._show_step()
        shots = 0
        for key in ["", *["backspace"] * 8, *["space"] * 8]:
            await pilot.press(*[key] if key else [])
            await settled(pilot)
            if (seen := map.sight) is not None:
                box = map.region_of(seen.a).union(map.region_of(seen.b))
                window = map.scrollable_content_region.size
                if box.width <= window.width and box.height <= window.height:
                    shots += 1
                    assert all(map.has_in_sight(end) for end in (seen.a, seen.b)), told.at
        assert shots


async def test_a_shot_stays_in_sight_when_the_map_gets_lower(tmp_path):
    app, is_ready = opened(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, is_ready)
        map = app.screen._map
        ends = sorted(map.view.board.hexes(), key=lambda h: map.region_of(h).y)
        width, height = map.scrollable_content_region.size
        a, box = ends[0], map.region_of(ends[0])
        both = {h: box.union(map.region_of(h)) for h in ends}
        b = [h for h in ends if both[h].width <= width and both[h].height <= height - 6][-1]
        map.cursor = a
        map.show_all([a, b])
        map.styles.height = height - 3
        await settled(pilot, lambda: map.scrollable_content_region.height <= height - 3)
        await settled(pilot)
        assert map.has_in_sight(a)
        assert map.has_in_sight(b)


async def test_a_click_leaves_the_hex_under_the_mouse(tmp_path):
    app, is_ready = opened(session_at(tmp_path, ACTION))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot, is_ready)
        map = app.screen._map
        map.scroll_to(map.max_scroll_x // 2, map.max_scroll_y // 2, animate=False, force=True,
                      immediate=True)  # fmt: skip
        await settled(pilot)
        bottom = map.scrollable_content_region.height - 1
        for at in ((40, 0), (40, bottom)):
            hex = map.hex_at(*at)
            await pilot.click("#map", offset=at)
            await settled(pilot)
            assert map.cursor == hex == map.hex_at(*at)


def assert_applied_is_in_sight(pane):
    """What is marked as applied lies in the window of the page, and a cell has its heads."""
    layout, view = pane.view._layout_, pane.view
    marked = [n for n, line in enumerate(layout.lines) if any(spans_of(line, "cited", 0))]
    if pane.ruling.anchors and marked:
        top = view.scroll_offset.y
        assert any(top <= line < top + view.size.height for line in marked)


async def test_who_walks_opens_the_rule_with_enter_and_comes_back_with_end(tmp_path):
    app, is_ready = opened(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, is_ready)
        await pilot.press("backspace", "backspace")
        await settled(pilot)
        assert app.focused.id == "chronicle"
        await pilot.press("enter")
        await settled(pilot)
        assert app.screen.has_class("-rule-open")
        await pilot.press("end")
        await settled(pilot)
        assert not app.screen.has_class("-rule-open")
        assert not app.screen.is_past
        assert app.focused.id == "answers"


async def test_backspace_and_space_walk_from_an_open_rule_too(tmp_path):
    app, is_ready = opened(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, is_ready)
        await pilot.press("backspace", "backspace", "backspace", "enter")
        await settled(pilot)
        assert app.focused is app.screen.query_one(RulePane).view
        at = app.screen.table.at
        await pilot.press("backspace")
        await settled(pilot)
        assert app.screen.table.at == at - 1
        await pilot.press("enter", "space")
        await settled(pilot)
        assert app.screen.table.at == at


async def test_end_in_the_present_leaves_the_answers_alone(tmp_path):
    app, is_ready = opened(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, is_ready)
        marked = app.screen._bar.marked
        await pilot.press("end")
        await settled(pilot)
        assert app.screen._bar.marked == marked


async def test_the_present_is_told_and_no_longer_once_somebody_walks(tmp_path):
    app, is_ready = opened(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, is_ready)
        app.screen.table.look_at(0)
        app.screen.table.look_at_now()
        await pilot.press("space")
        await settled(pilot)
        assert "presente" in text_of(app.screen, "#verdict")
        await pilot.press("backspace")
        await settled(pilot)
        assert not app.screen._bar.said


async def test_who_walks_into_the_present_has_the_rule_of_the_question(tmp_path):
    session = session_at(tmp_path, ACTION)
    app, is_ready = opened(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, is_ready)
        await pilot.press("backspace", "backspace", "space", "space")
        await settled(pilot)
        assert not app.screen.is_past
        assert app.focused.id == "answers"
        await settled(pilot, lambda: app.screen.query_one(RulePane).ruling is not None)
        assert app.screen.query_one(RulePane).ruling == session.decision.ruling


async def test_a_number_comes_back_from_the_past_without_answering(tmp_path):
    session = session_at(tmp_path, ACTION)
    app, is_ready = opened(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, is_ready)
        asked = session.decision
        await pilot.press("backspace", "backspace")
        await settled(pilot)
        assert "NEL PASSATO" in text_of(app.screen, "#past")
        assert app.screen.query_one("#answers", OptionList).option_count
        await pilot.press("1")
        await settled(pilot)
        assert not app.screen.is_past
        assert session.decision is asked


async def test_in_a_narrow_past_enter_opens_the_rule_and_escape_gives_the_map_back(tmp_path):
    app, is_ready = opened(session_at(tmp_path, ACTION))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot, is_ready)
        await pilot.press("backspace", "backspace")
        await settled(pilot)
        assert app.screen.query_one(HexMap).region.height > 8
        await pilot.press("enter")
        await settled(pilot)
        assert app.screen.query_one(RulePane).region.height > 12
        await pilot.press("escape")
        await settled(pilot)
        assert app.screen.query_one(HexMap).region.height > 8
        assert app.screen.is_past


# --- mouse --------------------------------------------------------------------------------------


async def row_under(app, pilot, kind, is_open=None):
    """Bring a row of a kind to the top of the list; its place."""
    rows = app.screen.query_one(ChronicleList)
    place = next(
        n for n, row in enumerate(rows.rows)
        if row.kind is kind and is_open in (None, row.is_open)
    )  # fmt: skip
    line = sum(len(str(rows.get_option_at_index(n).prompt).splitlines()) for n in range(place))

    def is_shown():
        rows.scroll_to(y=line, animate=False, force=True, immediate=True)
        return 0 <= line - round(rows.scroll_offset.y) < rows.size.height

    await settled(pilot)
    await settled(pilot, is_shown)
    return place, line - round(rows.scroll_offset.y)


async def test_a_click_marks_a_step_and_unfolds_a_heading_but_opens_no_rule(tmp_path):
    app, is_ready = opened(session_at(tmp_path, ACTION, 6))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, is_ready)
        rows = app.screen.query_one(ChronicleList)
        place, y = await row_under(app, pilot, Kind.ACTION, is_open=False)
        first, count = rows.rows[place].first, len(rows.rows)
        await pilot.click("#chronicle", offset=(6, y))
        await settled(pilot)
        assert len(rows.rows) > count
        assert app.screen.table.at == first
        assert not app.screen.has_class("-rule-open")
        place, y = await row_under(app, pilot, Kind.STEP)
        await pilot.click("#chronicle", offset=(6, y))
        await settled(pilot)
        assert app.screen.table.at == rows.rows[place].first
        assert not app.screen.has_class("-rule-open")


async def test_enter_folds_and_unfolds_a_heading(tmp_path):
    app, is_ready = opened(session_at(tmp_path, ACTION, 6))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, is_ready)
        await pilot.press("e")
        rows = app.screen.query_one(ChronicleList)
        place = next(n for n, r in enumerate(rows.rows) if r.kind is Kind.ACTION and not r.is_open)
        rows.highlighted = place
        await settled(pilot)
        count = len(rows.rows)
        await pilot.press("enter")
        await settled(pilot)
        assert len(rows.rows) > count
        await pilot.press("enter")
        await settled(pilot)
        assert len(rows.rows) == count
        assert not app.screen.has_class("-rule-open")


async def test_the_wheel_scrolls_and_does_not_walk(tmp_path):
    app, is_ready = opened(session_at(tmp_path, ACTION, 6))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, is_ready)
        rows = app.screen.query_one(ChronicleList)
        await settled(pilot, lambda: rows.scroll_offset.y > 3)
        before = rows.scroll_offset.y
        await pilot._post_mouse_events([MouseScrollUp], "#chronicle", offset=(4, 2))
        await settled(pilot, lambda: rows.scroll_offset.y < before)
        assert not app.screen.is_past


# --- step mode ----------------------------------------------------------------------------------


async def test_step_mode_tells_nothing_that_is_still_to_come(tmp_path):
    session = session_at(tmp_path, TARGET)
    app, is_ready = opened(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, is_ready)
        await pilot.press("s")
        told, has_rolled = app.screen.table, False
        while not has_rolled:
            await pilot.press("1")
            await settled(pilot)
            while told.is_coming:
                assert told.prompt().asks is Ask.NOTHING
                assert "Spazio mostra il passo" in text_of(app.screen, "#question")
                assert app.screen.query_one("#answers", OptionList).option_count == 0
                assert not app.screen._map.options
                action = told.chronicle.action_of(told.at)
                assert action.end == told.at + 1
                steps = [line.step for line in told.lines[action.first : told.at + 1]]
                rolls = [step for step in steps if isinstance(step.chance, Roll)]
                assert len(told.outcome().dice) == len(rolls)
                has_rolled = has_rolled or bool(rolls)
                await pilot.press("space")
                await settled(pilot)
        assert told.prompt().asks is Ask.ANSWER
        assert app.screen.query_one("#answers", OptionList).option_count


# --- outcome and news ---------------------------------------------------------------------------


def test_what_the_germans_did_is_news_and_the_outcome(tmp_path):
    told = Table(fought_session(tmp_path, "ddob", "easy-fox"))
    german = [one for one in told.chronicle.actions if one.side == "de" and not one.is_quiet]
    assert german
    after = next(n for n, line in enumerate(told.lines) if n >= german[0].end)
    told.chronicle.take(told.lines[:after])
    told._seen = after
    assert german[0] in told.news
    assert "Tedeschi" in told.news_words
    assert told.outcome().words == told.chronicle.summary(german[0])
    assert told.outcome().side == "de"


def test_an_action_without_dice_is_the_outcome_too(tmp_path):
    told = Table(fought_session(tmp_path, "aslsk", "R1"))
    last = [one for one in told.chronicle.actions if not one.is_quiet][-1]
    assert told.outcome().words.rstrip(".") == told.chronicle.summary(last).rstrip(".")


def test_cards_are_shown_where_a_card_decides(tmp_path):
    told = Table(fought_session(tmp_path, "ddob", "easy-fox"))
    fire = next(n for n, line in enumerate(told.lines)
                if str(line.step.ruling.msg.facts.get("use", "")).startswith("fire"))  # fmt: skip
    told.look_at(fire)
    faces = told.outcome().dice[-1]
    assert len(faces) == 4, "the symbol and three coloured squares"
    assert len({face.ground for face in faces}) == 4


def test_dice_shrink_to_a_cell_each_where_they_do_not_fit():
    hit, miss = Face("6", "#303030", "#ffffff", "black", True), Face(
        "1", "#303030", "#ffffff", "black", False)  # fmt: skip
    assert in_a_row([(hit, miss)], 20).plain == "[6] 1 "
    many = (hit, miss) * 8
    assert in_a_row([many], 20).plain == "61" * 8
    assert "[6]" in in_a_row([many], 20, plain=True).plain
    assert any("underline" in str(span.style) for span in in_a_row([many], 20).spans)


def test_what_came_of_it_is_not_cut():
    words = "2ª squadra USA attacca 2ª squadra ted.: è bloccata"
    assert shortened(words, 100) == words
    assert shortened(words, 40).endswith(": è bloccata")
    assert len(shortened(words, 40)) <= 40
    assert shortened(words, 12) == "è bloccata"
    assert shortened(words, 10) == "è bloccata"
    assert shortened(words, 9) == "…bloccata"


def test_a_long_outcome_takes_two_lines_and_keeps_its_end():
    words = "Uno spara a un altro: aveva danno 2: con 1 in più è eliminata"
    assert wrapped(words, 80, 10) == [words]
    rows = wrapped(words, 40, 10)
    assert [len(rows[0]) <= 30, *[len(row) <= 40 for row in rows[1:]]] == [True, True]
    assert " ".join(rows) == words
    rows = wrapped(words, 26, 4)
    assert len(rows) <= 2
    assert rows[-1].endswith("è eliminata")


def test_a_long_outcome_cuts_no_word_while_a_line_is_left():
    words = "WN62 spara: unità 2, Incognite 1, colpi al massimo 3 · F/2/16 perde un PF"
    assert " ".join(wrapped(words, 40, lines=3)) == words
    assert shortened(words, 60).startswith("WN62 spara: unità 2, Incognite 1,")
    assert set(re.findall(r"\w+", shortened(words, 50))) <= set(re.findall(r"\w+", words))


def test_of_many_results_the_first_stay():
    words = "A assalta G5: L'assalto riesce: colpi 5 contro 0; B è bloccata; C perde: regolare (×2)"
    assert shortened(words, 70) == "L'assalto riesce: colpi 5 contro 0; B è bloccata…"
    assert shortened(words, 40) == "L'assalto riesce: colpi 5 contro 0…"


@pytest.mark.parametrize(("slug", "scenario"), FIRST)
async def test_what_came_of_an_action_is_read_whole_on_a_narrow_screen(tmp_path, slug, scenario):
    app, is_ready = opened(fought_session(tmp_path, slug, scenario))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot, is_ready)
        told, strip = app.screen.table, app.screen.query_one(OutcomeStrip)
        done = [one for one in told.chronicle.actions if not one.is_quiet]
        assert done
        for action in sorted(done, key=lambda one: -len(told.chronicle.summary(one)))[:8]:
            strip.show(result_of(told.chronicle, action, told.presenter))
            await settled(pilot)
            shown = str(strip.query_one("#outcome-text", Static).render())
            came = told.chronicle.summary(action).partition(": ")[2].split(" · ")[-1]
            assert came in " ".join(shown.split())
            assert shown.count("\n") < strip.size.height


def test_the_readers_own_dice_stay_beside_the_news(tmp_path):
    head, entries = head_of("warfare", "s3"), fought("warfare", "s3")
    kept = []
    for count in range(len(entries), len(entries) - 60, -1):
        game = Game(TITLES["warfare"], "s3", chance_of(head))
        game.resume(entries[len(game.entries) : count])
        for side in head.players:
            told = Table(Session(game, head, tmp_path / "prova.prontuario"), side)
            own = told.outcome().own
            if own is not None and own.dice:
                assert told.news_words
                kept.append(own)
        if kept:
            break
    assert [own.side for own in kept]


async def test_own_dice_are_drawn_before_what_others_did(tmp_path):
    hit = Face("6", "#303030", "#ffffff", "black", True)
    app, is_ready = opened(session_at(tmp_path, ACTION))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot, is_ready)
        strip = app.screen.query_one(OutcomeStrip)
        own = Result("A spara a B: è bloccata", ((hit,),), "us")
        strip.show(Result("C muove in D4", (), "de", own))
        await settled(pilot)
        first, second = str(strip.query_one("#outcome-text", Static).render()).split("\n")
        assert first == "Tu: [6] A spara a B: è bloccata"
        assert second.endswith("C muove in D4")


@pytest.mark.parametrize(("slug", "scenario"), FIRST)
async def test_rows_of_units_choose_what_fits_and_cut_no_word(tmp_path, slug, scenario):
    for stop in TITLES[slug].info.actors:
        try:
            session = session_of(tmp_path, slug, scenario, stop)
        except AssertionError:  # nobody asks it in this game
            continue
        app, is_ready = opened(session)
        async with app.run_test(size=WIDE) as pilot:
            await settled(pilot, is_ready)
            answers = app.screen.query_one("#answers", OptionList)
            rows = [str(one.prompt) for one in answers.options]
            assert rows
            room = answers.scrollable_content_region
            view, names = app.screen.table.view, app.screen.presenter
            states = {f"u:{c.id}": names.states(c) for c in view.counters}
            for option, row in zip(app.screen._bar.listed, rows, strict=True):
                assert all(len(line) <= room.width for line in row.split("\n"))
                if "×" not in row[:3]:
                    said = " ".join(row.split())
                    assert all(state in said for state in states.get(option, ())), row
            lines = sum(1 + row.count("\n") for row in rows)
            assert lines <= max(len(rows), room.height)
            is_cut = any("…" in row and "×" not in row[:3] and "X" not in row for row in rows)
            assert not is_cut or lines >= room.height or any("\n" in row for row in rows)
        return


async def test_at_a_huge_size_the_map_has_more_room_than_the_texts(tmp_path):
    app, is_ready = opened(session_at(tmp_path, ACTION))
    async with app.run_test(size=HUGE) as pilot:
        await settled(pilot, is_ready)
        assert app.screen._map.size.width >= 110
        assert app.screen.query_one(RulePane).size.width >= 38


# --- room ---------------------------------------------------------------------------------------


async def test_on_a_large_screen_chronicle_and_rule_stand_side_by_side_beside_the_map(tmp_path):
    app, is_ready = opened(session_at(tmp_path, ACTION))
    async with app.run_test(size=HUGE) as pilot:
        await settled(pilot, is_ready)
        board = app.screen.query_one(HexMap).region
        chronicle = app.screen.query_one("#chronicle-box").region
        rule = app.screen.query_one(RulePane).region
        assert chronicle.y == rule.y
        assert chronicle.height == rule.height == HUGE[1] - 2
        assert board.width > 90 > max(chronicle.width, rule.width)


@pytest.mark.parametrize(("slug", "scenario"), FIRST)
async def test_victory_stays_in_the_top_line_of_a_narrow_screen(tmp_path, slug, scenario):
    app, is_ready = opened(fought_session(tmp_path, slug, scenario))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot, is_ready)
        said = text_of(app.screen, "#status")
        wanted = {"toi": "obiettivi", "ddob": "perdite", "aslsk": "turno", "warfare": "area"}
        assert wanted[slug] in said.casefold()
        assert len(said) <= NARROW[0]


def test_short_cells_of_a_table_are_never_broken():
    corpus = LIBRARY.open_corpus()
    cited = (linker.Passage(table="ift", row=9, column=5),)
    page = page_of(corpus, "aslsk:3.2.3", None, "", cited)
    for width in (36, 50, 80):
        layout = Layout(page, width, lambda _name: Style())
        lines = [line.plain for line in layout.lines]
        assert all(len(line) <= width for line in lines)
        assert sum("1KIA" in line for line in lines) >= 6
        first, last = layout.cited(30)
        assert any(spans_of(layout.lines[first], "head", 0))
        assert any(spans_of(layout.lines[last], "cited", 0))
        assert isinstance(layout.lines[first], Content)


# --- the map ------------------------------------------------------------------------------------


async def test_the_map_shows_the_first_hex_and_as_many_of_the_others_as_fit(tmp_path):
    app, is_ready = opened(session_at(tmp_path, ACTION))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot, is_ready)
        board = app.screen.query_one(HexMap)
        hexes = sorted(board.view.board.hexes(), key=lambda h: (h.r, h.q))
        near, far = [hexes[0], hexes[1]], [hexes[0], hexes[-1]]
        board.show_all(near)
        assert all(map(board.has_in_sight, near))
        board.show_all(far)
        assert board.has_in_sight(far[0])


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_question_shows_who_acts_and_what_it_is_about(tmp_path, size):
    app, is_ready = opened(
        session_of(tmp_path, "toi", "toi-s1", "opfire.react", "de", us="casuale")
    )
    async with app.run_test(size=size) as pilot:
        await settled(pilot, is_ready)
        await settled(pilot)
        board, about = app.screen.query_one(HexMap), app.screen.table.subjects()
        assert about, "the unit that moves"
        marked = app.screen.table.hex_of(app.screen._bar.marked)
        both = board.region_of(marked).union(board.region_of(about[0]))
        room = board.scrollable_content_region.size
        fits = both.width <= room.width and both.height <= room.height
        assert board.has_in_sight(marked), "the unit that may fire"
        assert board.has_in_sight(about[0]) or not fits


async def test_who_fired_and_the_target_are_in_sight_with_the_line_between(tmp_path):
    session = session_at(tmp_path, TARGET)
    app, is_ready = opened(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, is_ready)
        told = app.screen.table
        while not any(isinstance(line.step.chance, Roll) for line in told.lines):
            await pilot.press("1")
            await settled(pilot)
        sight = app.screen._map.sight
        assert sight is not None
        assert sight == told.shot()
        board = app.screen._map
        both = board.region_of(sight.a).union(board.region_of(sight.b))
        room = board.scrollable_content_region.size
        assert board.has_in_sight(sight.b), "what came of it is seen there"
        assert board.has_in_sight(sight.a) or both.width > room.width or both.height > room.height


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_who_is_asked_about_is_in_sight_before_who_fired_from_afar(tmp_path, size):
    session = Session.guided(TITLES["toi"], tutorial_for("toi"), tmp_path / "x.prontuario")
    session.is_auto = True
    session.settle()
    pupil = Table(session)
    pupil.follow_guide()
    while (pupil.guide.at, pupil.proposed) != (10, "h:F7"):
        if session.is_bot_turn:
            pupil.take_program_answer(*session.bot_choice())
            pupil.follow_guide()
        else:
            pupil.give((pupil.proposed,))
    app, is_ready = opened(session)
    async with app.run_test(size=size) as pilot:
        await settled(pilot, is_ready)
        await pilot.press("enter")
        await settled(pilot, lambda: session.decision.id == "losses.figure")
        await settled(pilot)
        board, about = app.screen._map, app.screen.table.subjects()
        assert about == [board.sight.b]
        assert not board.has_in_sight(board.sight.a), "else the test says nothing"
        assert board.has_in_sight(about[0])


# --- watching again -----------------------------------------------------------------------------


def test_a_replay_tells_only_what_has_been_seen(tmp_path):
    session = fought_session(tmp_path, "toi", "toi-s1")
    session.close()
    watching = Watching(replay_of_save(session.path))
    assert watching.outcome().words == "Spazio inizia."
    rolled = next(n for n, line in enumerate(watching.replay.lines)
                  if isinstance(line.step.chance, Roll))  # fmt: skip
    watching.look_at(rolled - 1)
    assert len(watching.chronicle.lines) == rolled
    assert not watching.outcome().dice
    watching.look_at(rolled)
    assert watching.outcome().dice
    watching.look_at(0)
    assert len(watching.chronicle.lines) == rolled + 1, "what was seen stays"
    watching.look_at(10**6)
    assert watching.at == len(watching.replay.lines) - 1


async def test_a_replay_is_walked_like_a_game(tmp_path):
    session = fought_session(tmp_path, "aslsk", "R1")
    session.close()
    screen = ReplayScreen(replay_of_save(session.path))
    app = ProntuarioApp(lambda: screen)
    async with app.run_test(size=WIDE) as pilot:
        pane = screen.query_one(RulePane)
        await settled(pilot, lambda: screen._corpus is not None)
        assert app.focused.id == "chronicle"
        await pilot.press("end")
        await settled(pilot)
        assert screen.at == len(screen.replay.lines) - 1
        await pilot.press("backspace", "backspace", "enter")
        await settled(pilot)
        assert screen.has_class("-rule-open")
        assert pane.ruling == screen.watching.ruling
        await pilot.press("escape")
        await settled(pilot)
        assert not screen.has_class("-rule-open")
        at = screen.at
        await pilot.press("up")
        await settled(pilot)
        assert screen.at < at
        await pilot.press("home")
        await settled(pilot)
        assert screen.at == -1
        assert "Spazio inizia" in str(screen.query_one("#outcome-text", Static).render())


@pytest.mark.parametrize("keys", [("e", "o"), ("e", "l", "o"), ("e", "l"), ("r", "f2")])
@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_focus_goes_with_the_panels_to_what_is_in_sight(tmp_path, keys, size):
    app, is_ready = opened(session_at(tmp_path, ACTION))
    async with app.run_test(size=size) as pilot:
        await settled(pilot, is_ready)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)
            focused = app.focused
            assert focused is not None
            assert focused.region.intersection(app.screen.region), (key, focused)
            assert all(node.display for node in focused.ancestors_with_self)


async def test_a_line_that_is_walked_to_lays_no_screen_out(tmp_path, monkeypatch):
    laid_out, lay_out = [], Screen._refresh_layout

    def count(screen, *given, **named):
        laid_out.append(screen)
        lay_out(screen, *given, **named)

    app, has_texts = opened(fought_session(tmp_path, "toi", "toi-s1"))
    async with app.run_test(size=HUGE) as pilot:
        await settled(pilot, has_texts)
        for _ in range(3):
            await pilot.press("backspace")
            await settled(pilot)
        monkeypatch.setattr(Screen, "_refresh_layout", count)
        shown = []
        for _ in range(6):
            await pilot.press("up")
            await settled(pilot)
            shown.append(app.screen.query_one(RulePane).ref)
        assert len(set(shown)) > 1, "the rule follows"
        assert len(laid_out) < len(shown), "only where a scrollbar comes or goes"


async def test_the_forces_are_those_of_the_moment_looked_at(tmp_path):
    app, has_texts = opened(fought_session(tmp_path, "ddob", "easy-fox"))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, has_texts)
        await pilot.press("c")
        await settled(pilot)
        now = text_of(app.screen, "#forces-text")
        assert now, "they are there with their panel"
        await pilot.press("e")
        await pilot.press("home")
        await settled(pilot)
        await pilot.press("c")
        await settled(pilot)
        assert text_of(app.screen, "#forces-text") not in ("", now)
