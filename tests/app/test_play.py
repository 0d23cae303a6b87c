"""The table, by keys and mouse."""

from __future__ import annotations

import asyncio
import re
import threading

import msgspec
import pytest
from textual.widgets import ContentSwitcher, Input, OptionList, Static

from app.play.bots import BotProcess
from app.play.chronicle import Kind
from app.play.discretion import REMOTE
from app.play.keys import key_of
from app.play.session import Session
from app.play.table import Table
from app.play.tutorial import tutorial_for
from app.rules.library import LIBRARY
from app.screens.app import ProntuarioApp
from app.screens.choice import ChoiceScreen
from app.screens.curtain import CurtainScreen
from app.screens.dice_entry import DiceEntryScreen
from app.screens.help import HelpScreen
from app.screens.home import HomeScreen
from app.screens.new_game import NewGameScreen
from app.screens.play import PlayScreen
from app.screens.reopen import screen_for
from app.screens.saves import row_of
from app.shell import config, i18n
from app.shell.paths import faults_folder
from app.widgets.chronicle import ChronicleBox, ChronicleList
from app.widgets.decision_bar import AnswerList, DecisionBar
from app.widgets.guide_box import GuideBox
from app.widgets.hexmap import HexMap
from app.widgets.odds_panel import OddsPanel
from app.widgets.rule_pane import RulePane
from app.widgets.table_footer import TableFooter
from engine.core.rules import Command
from engine.titles import TITLES
from tests.app.tables import ACTION, DEPLOY, MOVE, OP_FIRE, TARGET, VERB, session_at

SIZES = [(120, 40), (80, 24)]
WIDE, NARROW = SIZES


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


def table(session):
    return ProntuarioApp(lambda: PlayScreen(session))


async def settled(pilot, until=None):
    """Let workers finish, or until something is so; a busy machine is given half a minute."""
    for _ in range(1500):
        await pilot.pause(0.02)
        if until is None or until():
            return
    raise AssertionError("it does not happen")


def text_of(screen, selector):
    return str(screen.query_one(selector, Static).render())


def last_answer(session):
    return [e.option for e in session.game.entries if isinstance(e, Command)][-1]


@pytest.mark.parametrize("size", SIZES)
async def test_the_question_and_its_answers_are_on_the_screen(tmp_path, size):
    session = session_at(tmp_path, ACTION)
    app = table(session)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        assert "USA" in text_of(app.screen, "#question")
        rows = app.screen.query_one("#answers", OptionList)
        assert rows.option_count == len(session.decision.options) + bool(session.decision.refused)
        shown = "\n".join(str(o.prompt) for o in rows.options)
        assert "us-" not in shown
        lit = set(app.screen.query_one(HexMap).options)
        assert lit == {c.hex for c in app.screen.table.view.counters
                       if session.decision.option(f"u:{c.id}")}  # fmt: skip
        assert app.screen.query_one(DecisionBar).region.bottom <= size[1]


async def test_a_number_answers_and_the_resolution_cites_rules(tmp_path):
    session = session_at(tmp_path, ACTION)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        first = session.decision.options[0].id
        await pilot.press("1")
        await settled(pilot)
        assert last_answer(session) == first
        told = app.screen.table.chronicle.lines
        assert len(told) == len(session.game.steps)
        assert all(line.step.ruling.refs for line in told)
        assert app.screen.query_one(ChronicleList).rows[-1].end == len(told)


@pytest.mark.parametrize("size", SIZES)
async def test_until_the_rules_are_open_no_id_stands_in_their_place(tmp_path, monkeypatch, size):
    may_open, open_corpus = threading.Event(), LIBRARY.open_corpus
    monkeypatch.setattr(LIBRARY, "open_corpus", lambda: may_open.wait(60) and open_corpus())
    session = session_at(tmp_path, ACTION)
    app = table(session)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press("1", "1")
        await settled(pilot)
        screen = app.screen

        def shown():
            rows = [*screen.query_one("#chronicle").options, *screen.query_one("#answers").options]
            return "\n".join([text_of(screen, "#question"), *(str(row.prompt) for row in rows)])

        assert not re.search(r"[a-z]\.[a-z]", shown())
        assert "…" in text_of(screen, "#question")
        assert "Apro le regole" in screen.query_one(RulePane).border_title
        may_open.set()
        await settled(pilot, lambda: screen.query_one(RulePane).page is not None)
        assert "p. " in text_of(screen, "#question")
        assert "Apro le regole" not in screen.query_one(RulePane).border_title


async def test_a_refused_hex_says_why_and_one_key_opens_the_rule(tmp_path):
    session = session_at(tmp_path, DEPLOY)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: app.screen._corpus is not None)
        refused = next(o for o in session.decision.refused if o.startswith("h:"))
        board = app.screen.query_one(HexMap)
        board.select(board.view.board.hex_at(refused[2:]))
        await settled(pilot)
        assert refused[2:] in text_of(app.screen, "#verdict")
        await pilot.press("r")
        await settled(pilot)
        ref = session.decision.why_not(refused)[0].refs[0]
        assert app.screen.query_one(RulePane).ref == ref
        assert app.screen.query_one(RulePane).has_focus_within


async def test_forbidden_answers_are_folded_and_listed_on_demand(tmp_path):
    session = session_at(tmp_path, ACTION, 4)
    app = table(session)
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        rows = app.screen.query_one("#answers", OptionList)
        few = rows.option_count
        await pilot.press("x")
        await settled(pilot)
        assert rows.option_count == few - 1 + len(session.decision.refused)
        await pilot.press("enter")
        await settled(pilot)
        assert app.screen.query_one("#verdict").has_class("-shown")
        await pilot.press("x")
        assert rows.option_count == few


async def test_from_a_line_to_its_rule_and_from_the_rule_to_its_lines(tmp_path):
    session = session_at(tmp_path, TARGET)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: app.screen._corpus is not None)
        await pilot.press("j", "enter")
        await settled(pilot)
        pane = app.screen.query_one(RulePane)
        ref = Table(session, "us").frames[-1].step.ruling.refs[0]
        assert pane.ref == ref
        await pilot.press("l")
        await settled(pilot)
        chronicle = app.screen.query_one(ChronicleBox)
        assert chronicle.is_filtered
        assert all(ref in line.step.ruling.refs for line in chronicle.list.shown)
        await pilot.press("escape")
        await settled(pilot)
        assert not chronicle.is_filtered


async def test_the_journal_is_searched_by_words(tmp_path):
    session = session_at(tmp_path, ACTION)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        chronicle = app.screen.query_one(ChronicleBox)
        every = len(chronicle.list.shown)
        deployed = next(u.hex for u in session.position.draft.units.values() if u.hex)
        await pilot.press("j", "slash", *deployed.lower())
        await settled(pilot)
        assert isinstance(app.focused, Input)
        assert 0 < len(chronicle.list.shown) < len(app.screen.table.lines)
        assert every


async def test_the_map_goes_back_step_by_step_and_returns(tmp_path):
    session = session_at(tmp_path, OP_FIRE)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        now = app.screen.query_one(HexMap).view.counters
        lit = []
        for _ in range(12):
            await pilot.press("backspace")
            lit.append(app.screen.query_one(HexMap).sheet)
        assert app.screen.is_past
        assert any(lit), "what a step is about lights up"
        row = app.screen.query_one(ChronicleList).marked
        assert row.at == app.screen.table.at, "the chronicle shows the moment"
        assert app.screen.query_one(HexMap).view.counters != now
        assert not session.decision.option("x")
        entries = session.game.entries
        await pilot.press("1")
        assert not app.screen.is_past, "an answer comes back from the past"
        assert session.game.entries == entries, "and is not given"
        await pilot.press("backspace", "backspace", "space")
        assert app.screen.is_past
        await pilot.press("escape")
        assert not app.screen.is_past
        assert not app.screen.query_one(HexMap).sheet
        assert app.screen.query_one(HexMap).view.counters == now


async def test_step_mode_shows_one_step_at_a_time(tmp_path):
    session = session_at(tmp_path, TARGET)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("s", "1")
        await settled(pilot)
        while session.decision.side == "us" and session.decision.id != ACTION:
            if app.screen.is_past:
                await pilot.press("space")
                continue
            await pilot.press("1")
            await settled(pilot)
        assert isinstance(app.screen, PlayScreen), "the curtain waits for the last step"
        assert app.screen.is_past
        while isinstance(app.screen, PlayScreen) and app.screen.is_past:
            await pilot.press("space")
            await settled(pilot)
        assert isinstance(
            app.screen, CurtainScreen if session.decision.side == "de" else PlayScreen
        )


async def test_undo_redo_and_studio(tmp_path):
    session = session_at(tmp_path, DEPLOY)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        before = session.game.entries
        await pilot.press("1")
        await settled(pilot)
        after = session.game.entries
        await pilot.press("u")
        await settled(pilot)
        assert session.game.entries == before
        await pilot.press("y")
        await settled(pilot)
        assert session.game.entries == after
        assert not session.game.studio


async def test_what_is_taken_back_while_the_program_thinks_gets_a_thought_of_its_own(
    tmp_path, monkeypatch
):
    asked, may_answer = [], asyncio.Event()

    async def choose(_bots, _position, level=""):
        asked.append(len(session.game.entries))
        await may_answer.wait()
        return "b:nonsense", None

    monkeypatch.setattr(BotProcess, "choose", choose)
    session = session_at(tmp_path, OP_FIRE, de="casuale")
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        while not session.is_bot_turn:
            before = session.game.entries
            session.answer(session.decision.options[0].id)
        app.screen.update_table()
        await settled(pilot, lambda: asked == [len(session.game.entries)])
        await pilot.press("u")
        await settled(pilot)
        assert session.game.entries == before
        may_answer.set()
        await settled(pilot)
        assert session.game.entries == before
        assert not list(faults_folder().iterdir())
        may_answer.clear()
        await pilot.press("y")
        await settled(pilot, lambda: len(asked) == 2)
        assert app.screen._is_thinking


@pytest.mark.parametrize("size", SIZES)
async def test_esc_leaves_a_panel_opened_over_a_filtered_journal(tmp_path, size):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press("l", "c")
        await settled(pilot)
        assert app.focused.id == "forces"
        await pilot.press("escape")
        await settled(pilot)
        assert app.focused.is_on_screen
        assert not app.screen.query_one(ChronicleBox).is_filtered


async def test_every_step_in_the_past_says_which_one_it_is(tmp_path):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        said = set()
        for key in ("backspace", "backspace", "up", "up", "space"):
            await pilot.press(key)
            await settled(pilot)
            said.add(text_of(app.screen, "#past"))
        assert len(said) == 4, said


async def test_several_answers_are_given_in_one_gesture(tmp_path):
    session = session_at(tmp_path, OP_FIRE)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        wanted = [o.id for o in session.decision.options if o.kind == "unit"][:3]
        await pilot.press("down", "g", "g", "g", "enter")
        await settled(pilot)
        given = [e.option for e in session.game.entries if isinstance(e, Command)]
        assert given[-3:] == wanted


async def test_a_far_hex_is_walked_to_in_one_gesture(tmp_path):
    session = session_at(tmp_path, MOVE)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        board = app.screen.query_one(HexMap)
        near = {app.screen.table.hex_of(o.id) for o in session.decision.options}
        far = [h for h in board.reachable if h not in near]
        assert far
        count = len(session.game.entries)
        board.select(far[0])
        await settled(pilot, lambda: len(session.game.entries) >= count + 2)


async def test_the_curtain_falls_between_two_people(tmp_path):
    session = session_at(tmp_path, OP_FIRE)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert key_of(session.decision, "b:fine", session.title.info) == "0"
        await pilot.press("0")
        await settled(pilot)
        assert isinstance(app.screen, CurtainScreen)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, PlayScreen)
        assert app.screen.query_one(HexMap).view.side == "de"


async def test_real_dice_are_typed_in(tmp_path):
    at_target = session_at(tmp_path, TARGET)
    head = msgspec.structs.replace(at_target.header, real_dice=True)
    path = tmp_path / "veri.prontuario"
    from engine.saves.writing import SaveFile

    SaveFile.create(path, head, at_target.game)
    session = Session.open(path, TITLES)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        for _ in range(6):
            if isinstance(app.screen, DiceEntryScreen):
                break
            ids = [o.id for o in session.decision.options]
            pick = "b:fuoco" if "b:fuoco" in ids else ids[0]
            await pilot.press(key_of(session.decision, pick, session.title.info))
            await settled(pilot)
        assert isinstance(app.screen, DiceEntryScreen)
        count = len(session.position.request.dice.dice)
        await pilot.press(*"9", "enter")
        assert isinstance(app.screen, DiceEntryScreen)
        await pilot.press(*"1" * count)
        await pilot.press("enter")
        await settled(pilot)
        assert not isinstance(app.screen, DiceEntryScreen)
        assert (1,) * count in [getattr(e, "faces", ()) for e in session.game.entries]


async def test_odds_are_counted_for_the_panel_and_for_the_map(tmp_path):
    session = session_at(tmp_path, TARGET)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        board = app.screen.query_one(HexMap)
        await settled(pilot, lambda: bool(board.targets))
        assert all(text.endswith("%") for text in board.targets.values())
        await pilot.press("o")
        await settled(pilot, lambda: "%" in text_of(app.screen.query_one(OddsPanel), "#odds-text"))


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_odds_are_broken_into_lines_when_their_panel_first_opens(tmp_path, size):
    session = session_at(tmp_path, TARGET)
    app = table(session)
    async with app.run_test(size=size) as pilot:
        await settled(pilot, lambda: bool(app.screen.query_one(HexMap).targets))
        await pilot.press("o")
        await settled(pilot)
        panel = app.screen.query_one(OddsPanel)
        lines = [li for li in text_of(panel, "#odds-text").splitlines() if "%" in li]
        assert lines
        assert all(len(line) < panel.scrollable_content_region.width for line in lines)


async def test_sight_is_drawn_from_the_cursor(tmp_path):
    session = session_at(tmp_path, ACTION)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("v", "up", "up")
        await settled(pilot)
        assert app.screen.query_one(HexMap).sight is not None
        assert text_of(app.screen, "#verdict")
        await pilot.press("v")
        assert app.screen.query_one(HexMap).sight is None


async def test_the_program_plays_its_side_and_can_be_stopped(tmp_path):
    session = session_at(tmp_path, OP_FIRE, de="casuale")
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert key_of(session.decision, "b:fine", session.title.info) == "0"
        await pilot.press("0")
        for _ in range(300):
            await pilot.pause(0.05)
            if session.decision.side == "us":
                break
        assert session.decision.side == "us"


async def test_somebody_elsewhere_is_waited_for(tmp_path):
    session = session_at(tmp_path, ACTION, us=REMOTE)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("1")
        await settled(pilot)
        assert session.is_away
        assert app.screen.query_one("#answers", OptionList).option_count == 0


async def test_keys_can_be_changed_in_the_settings(tmp_path):
    config.save(config.Settings(keys={"tavolo.annulla": "ctrl+z"}))
    session = session_at(tmp_path, DEPLOY)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        before = session.game.entries
        await pilot.press("1", "u")
        assert session.game.entries != before
        await pilot.press("ctrl+z")
        assert session.game.entries == before


async def test_plain_characters_only(tmp_path):
    config.save(config.Settings(ascii=True))
    session = session_at(tmp_path, TARGET)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert app.screen.query_one(HexMap).dump().isascii()


async def test_the_palette_finds_units_hexes_and_actions(tmp_path):
    session = session_at(tmp_path, ACTION)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+p")
        await pilot.press(*"F6")
        await settled(pilot)
        await pilot.pause(0.6)
        await pilot.press("enter")
        await settled(pilot)
        board = app.screen.query_one(HexMap)
        assert board.view.board.label(board.cursor) == "F6"


@pytest.mark.parametrize("size", SIZES)
async def test_the_mouse_alone_answers_and_opens_rules(tmp_path, size):
    session = session_at(tmp_path, ACTION)
    app = table(session)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        first = session.decision.options[0].id
        await pilot.click("#answers", offset=(4, 0))
        await settled(pilot)
        assert last_answer(session) == first
        await pilot.click("#answers", offset=(4, 0))
        await settled(pilot)
        board = app.screen.query_one(HexMap)
        if board.options:
            target = next(iter(board.options))
            board.centre_on(target)
            await settled(pilot)
            region = board.region_of(target).translate(-board.scroll_offset)
            x, y = region.x + region.width // 2, region.y + region.height // 2
            count = len(session.game.entries)
            await pilot.click("#map", offset=(x, y))
            await settled(pilot)
            assert len(session.game.entries) > count


async def test_a_narrow_panel_takes_the_place_of_the_map_and_leaves_the_question(tmp_path):
    session = session_at(tmp_path, ACTION)
    app = table(session)
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        assert app.screen.query_one(HexMap).size.height >= 8
        await pilot.press("f2")
        await settled(pilot)
        assert not app.screen.query_one(HexMap).display or app.screen.query_one("#side").display
        assert app.screen.query_one(DecisionBar).region.height > 0
        assert app.screen.query_one("#outcome").region.height <= 2
        assert app.screen.query_one("#side").region.height >= 17
        await pilot.press("escape")
        await settled(pilot)
        assert app.screen.query_one(HexMap).size.height >= 8


async def test_threats_and_control_are_laid_over_the_map_and_taken_away(tmp_path):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: app.screen._corpus is not None)
        shown = app.screen.query_one(HexMap)
        assert not shown.sheet
        await pilot.press("k")
        foes = [c for c in shown.view.counters if c.side == "de" and c.hex is not None]
        assert foes
        assert all(1 <= int(n) <= len(foes) for n in shown.sheet.values())
        assert "1 di 2" in text_of(app.screen, "#verdict")
        await pilot.press("k")
        assert not shown.sheet
        assert set(shown.control.values()) == {"us", "de"}
        await pilot.press("k")
        assert not shown.sheet
        assert not shown.control


def guided(tmp_path, slug="toi"):
    return Session.guided(TITLES[slug], tutorial_for(slug), tmp_path / "x.prontuario")


async def test_the_guide_goes_on_with_the_player(tmp_path):
    lessons = tutorial_for("toi").lessons
    app = table(guided(tmp_path))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot, lambda: app.screen._corpus is not None)
        await settled(pilot, lambda: not app.screen.session.is_bot_turn)
        assert lessons[0].text[:20] in text_of(app.screen, "#lesson")
        page = app.screen.query_one("#guide VerticalScroll")
        assert page.max_scroll_y == 0  # it fits in the box
        assert app.screen.query_one(GuideBox).region.height <= 6
        await pilot.press("f3")
        await settled(pilot)
        assert app.screen.query_one(RulePane).ref == lessons[0].ref
        await pilot.press("escape")
        assert app.screen._bar.marked == lessons[0].answers[0]
        await pilot.press("enter")
        await settled(pilot)
        assert lessons[1].text[:20] in text_of(app.screen, "#lesson")
        assert app.screen._bar.marked == lessons[1].answers[0]
        await pilot.press("f5")
        assert lessons[0].text[:20] in text_of(app.screen, "#lesson")
        assert "✓" in text_of(app.screen, "#lesson")


@pytest.mark.parametrize("key", ["f4", "f5", "f6"])
async def test_the_keys_of_the_guide_first_bring_it_back_into_sight(tmp_path, key):
    app = table(guided(tmp_path))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot, lambda: app.screen._corpus is not None)
        await pilot.press("f3")
        assert not app.screen.query_one("#guide").region
        await pilot.press(key)
        await settled(pilot)
        assert app.screen.query_one("#guide").region
        assert app.screen.query_one("#map").region
        assert app.screen.query_one(GuideBox).guide.place == "1/" + str(
            len(tutorial_for("toi").lessons)
        )


async def test_the_guide_is_closed_and_opened_by_its_key_and_by_the_menu(tmp_path):
    app = table(guided(tmp_path))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: not app.screen.session.is_bot_turn)
        box = app.screen.query_one(GuideBox)
        await pilot.press("f6")
        assert not box.has_class("-shown")
        assert "F6" in text_of(app.screen, "#verdict")
        await pilot.press("f4")
        assert not box.has_class("-shown")
        await pilot.press("f6")
        assert box.has_class("-shown")
        await pilot.press("m")
        await settled(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        menu = app.screen.query_one(OptionList)
        rows = [str(menu.get_option_at_index(n).prompt) for n in range(menu.option_count)]
        names = [row.split(maxsplit=1)[-1] for row in rows]
        await pilot.press(*["down"] * names.index("Chiudi la guida"), "enter")
        await settled(pilot)
        assert not box.has_class("-shown")


async def test_a_guided_game_keeps_its_lesson_when_the_table_is_left(tmp_path):
    session = guided(tmp_path)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: not app.screen.session.is_bot_turn)
        await pilot.press("1", "d")
        await settled(pilot, lambda: not app.screen.session.is_bot_turn)
        lesson = text_of(app.screen, "#lesson")
        place = app.screen.query_one(GuideBox).guide.place
        assert place != "1/12"
    assert "guidata" in row_of(session.path)
    app = ProntuarioApp(lambda: screen_for(session.path))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert app.screen.query_one(GuideBox).guide.place == place
        assert text_of(app.screen, "#lesson") == lesson
        await pilot.press("f6")
    app = ProntuarioApp(lambda: screen_for(session.path))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert not app.screen.query_one(GuideBox).has_class("-shown")
        await pilot.press("f6")
        assert text_of(app.screen, "#lesson") == lesson


async def test_the_menu_leads_home_and_the_game_is_found_again(tmp_path):
    app = ProntuarioApp()
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("f2")
        await settled(pilot, lambda: isinstance(app.screen, NewGameScreen))
        await settled(pilot, lambda: bool(app.screen.query("#seat-1")))
        await pilot.press("f5")
        await settled(pilot, lambda: isinstance(app.screen, PlayScreen))
        await settled(pilot, lambda: not app.screen._is_thinking)
        entries = app.screen.session.game.entries
        await pilot.press("m")
        await settled(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press("end", "up", "enter")
        await settled(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("f3")
        await settled(pilot, lambda: isinstance(app.screen, PlayScreen))
        assert app.screen.session.game.entries[: len(entries)] == entries


@pytest.mark.parametrize("stop", [DEPLOY, ACTION, VERB, MOVE, TARGET])
async def test_help_and_panels_open_at_every_question(tmp_path, stop):
    app = table(session_at(tmp_path, stop))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        for key, panel in (("e", "chronicle-box"), ("i", "units"), ("c", "forces")):
            await pilot.press(key)
            await settled(pilot)
            assert app.screen.query_one("#panels", ContentSwitcher).current == panel
            assert app.screen.query_one(f"#{panel}") in app.focused.ancestors_with_self
            await pilot.press("escape")
            await settled(pilot)
        await pilot.press("f1")
        assert isinstance(app.screen, HelpScreen)


@pytest.mark.parametrize(("key", "panel"), [("o", "odds"), ("i", "units"), ("r", "rule")])
async def test_the_letter_of_an_open_panel_goes_there_and_back(tmp_path, key, panel):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("j", "j")
        await settled(pilot)
        assert app.focused.id == "answers"
        await pilot.press(*[key] * (1 if panel == "rule" else 2))
        await settled(pilot)
        assert app.screen.query_one(f"#{panel}") in app.focused.ancestors_with_self
        await pilot.press(key)
        await settled(pilot)
        assert app.focused.id == "answers"


@pytest.mark.parametrize("key", ["backspace", "space"])
async def test_walking_the_steps_turns_the_panel_to_the_chronicle(tmp_path, key):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: app.screen._corpus is not None)
        await pilot.press("backspace", "backspace", "c")
        assert app.screen.query_one("#panels", ContentSwitcher).current == "forces"
        at = app.screen.table.at
        app.screen.query_one("#answers").focus()
        await pilot.press(key)
        assert app.screen.query_one("#panels", ContentSwitcher).current == "chronicle-box"
        assert app.screen.table.at == at + (1 if key == "space" else -1)


async def test_a_click_on_a_line_shows_its_moment_and_its_rule(tmp_path):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: app.screen._corpus is not None)
        rows = app.screen.query_one(ChronicleList)
        await pilot.press("backspace", "backspace")
        await settled(pilot)
        rows.scroll_home(animate=False)
        await pilot.pause()
        await pilot.click("#chronicle", offset=(4, 0))
        await settled(pilot)
        row = rows.marked
        assert app.screen.table.at == row.at
        assert app.screen.query_one(RulePane).ruling == app.screen.table.lines[row.at].step.ruling


async def test_the_rule_follows_the_line_the_question_and_the_refusal(tmp_path):
    session = session_at(tmp_path, ACTION, 4)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: app.screen._corpus is not None)
        pane = app.screen.query_one(RulePane)
        assert pane.ruling == session.decision.ruling
        await pilot.press("backspace")
        await settled(pilot)
        assert pane.ruling == app.screen.table.lines[app.screen.table.at].step.ruling
        await pilot.press("end")
        await settled(pilot)
        assert pane.ruling == session.decision.ruling
        await pilot.press("x")
        await settled(pilot)
        marked = app.screen._bar.marked
        assert pane.ruling == session.decision.refused[marked][0]


async def test_enter_gives_the_rule_the_whole_column_and_takes_it_back(tmp_path):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: app.screen._corpus is not None)
        pane = app.screen.query_one(RulePane)
        low = pane.size.height
        await pilot.press("e", "up", "up")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert pane.size.height > 1.5 * low
        assert pane.has_focus_within
        await pilot.press("enter")
        await settled(pilot)
        assert pane.size.height == low
        assert app.focused.id == "chronicle"
        await pilot.press("enter", "escape")
        await settled(pilot)
        assert app.focused.id == "chronicle"


async def test_what_is_still_to_come_is_not_in_the_chronicle_of_step_mode(tmp_path):
    session = session_at(tmp_path, TARGET)
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("s")
        while not app.screen.is_past:
            await pilot.press("1")
            await settled(pilot)
        told = app.screen.table
        while told.is_past:
            assert len(told.chronicle.lines) == told.at + 1 < len(told.lines)
            assert app.screen.query_one(ChronicleList).rows[-1].end == told.at + 1
            await pilot.press("space")


async def test_an_action_folds_to_one_line_and_unfolds(tmp_path):
    app = table(session_at(tmp_path, ACTION, 6))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("e")
        rows = app.screen.query_one(ChronicleList)
        place = next(n for n, row in enumerate(rows.rows) if row.kind is Kind.ACTION)
        rows.highlighted = place
        await settled(pilot)
        if rows.rows[place].is_open:
            await pilot.press("left")
            await settled(pilot)
        count = len(rows.rows)
        await pilot.press("right")
        await settled(pilot)
        assert rows.rows[place].is_open
        assert len(rows.rows) == count + rows.rows[place].end - rows.rows[place].first
        await pilot.press("left")
        await settled(pilot)
        assert len(rows.rows) == count


async def test_space_walks_on_from_a_rule_of_the_past(tmp_path):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: app.screen._corpus is not None)
        await pilot.press("j", "up", "up", "up", "enter")
        await settled(pilot)
        assert app.screen.is_past
        assert app.focused is app.screen.query_one(RulePane).view
        at = app.screen.table.at
        await pilot.press("space")
        await settled(pilot)
        assert app.screen.table.at == at + 1


async def test_a_key_does_not_stop_the_player_of_the_program_that_thinks(tmp_path, monkeypatch):
    ready, choose = asyncio.Event(), BotProcess.choose

    async def when_ready(self, at, level=""):
        await ready.wait()
        return await choose(self, at, level)

    monkeypatch.setattr(BotProcess, "choose", when_ready)
    session = session_at(tmp_path, DEPLOY, us="casuale", de="casuale")
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: app.screen._is_thinking)
        given = len(session.game.entries)
        await pilot.press("d")
        await settled(pilot)
        ready.set()
        await settled(pilot, lambda: len(session.game.entries) > given)


@pytest.mark.parametrize("size", SIZES)
async def test_the_map_shows_the_answers_of_a_new_question(tmp_path, size):
    session = session_at(tmp_path, DEPLOY, de="casuale")
    app = table(session)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        shown = app.screen.query_one(HexMap)
        shown.scroll_to(0, 0, animate=False, force=True)
        await pilot.press("d")
        await settled(pilot, lambda: session.decision.id == OP_FIRE)
        await settled(pilot)
        assert any(map(shown.has_in_sight, shown.options))


@pytest.mark.parametrize("size", SIZES)
async def test_the_map_goes_to_the_marked_answer_even_with_the_focus(tmp_path, size):
    session = session_at(tmp_path, OP_FIRE)
    app = table(session)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        shown = app.screen.query_one(HexMap)
        shown.focus()
        while session.decision.id == OP_FIRE:
            shown.scroll_to(0, 0, animate=False, force=True)
            await pilot.press("0")
            await settled(pilot)
            if isinstance(app.screen, CurtainScreen):
                await pilot.press("enter")
                await settled(pilot)
        assert session.decision.id == ACTION
        hex = app.screen.table.hex_of(app.screen.query_one(DecisionBar).marked)
        assert shown.has_in_sight(hex)


async def test_the_footer_leaves_out_the_step_that_cannot_be_made(tmp_path):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=(160, 40)) as pilot:
        await settled(pilot)
        await pilot.press("backspace", "escape")  # what the other side did has been seen again
        await settled(pilot, lambda: "step(1)" not in footer(app))
        assert "step(-1)" in footer(app)
        await pilot.press("backspace")
        await settled(pilot, lambda: "step(1)" in footer(app))
        await pilot.press("escape")
        await settled(pilot, lambda: "step(1)" not in footer(app))


async def test_escape_takes_a_sheet_off_the_map_before_it_opens_the_menu(tmp_path):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("k")
        await settled(pilot)
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, PlayScreen)
        assert not app.screen._map.sheet
        assert not app.screen._map.control
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, ChoiceScreen)


async def test_the_map_follows_the_marked_answer_in_the_same_paint(tmp_path):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        answers = app.screen.query_one(AnswerList)
        for row in range(3):
            answers.highlighted = row
            marked = app.screen._bar.marked  # nothing was awaited in between
            assert app.screen._map.cursor == app.screen.table.hex_of(marked)


def footer(app):
    return [key.action for key in app.screen.query_one(TableFooter).keys]


@pytest.mark.parametrize("key", ["q", "p", "Q", "P"])
async def test_keys_of_the_first_screen_say_where_they_are_here(tmp_path, key):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press(key)
        assert "M" in text_of(app.screen, "#verdict")


async def test_enter_in_an_empty_journal_says_that_there_is_no_line(tmp_path):
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        steps = app.screen._chronicle.list
        steps.focus()
        await pilot.pause()
        steps.only("qxqx")
        await pilot.press("enter")
        assert [n.message for n in app._notifications] == ["Qui non c'è nessuna riga."]
