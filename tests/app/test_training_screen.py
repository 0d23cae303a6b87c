"""Training on the screen, by real keys: from home to a question, its verdict and its rule."""

from __future__ import annotations

import json

import pytest
from textual.command import CommandList
from textual.widgets import OptionList, Static

from app.play import training
from app.play.training import Level, Sort, Wanted
from app.screens.app import ProntuarioApp
from app.screens.help import HelpScreen
from app.screens.home import HomeScreen
from app.screens.training import DrillScreen, TrainingScreen
from app.shell.paths import data_folder
from app.widgets.hexmap import HexMap
from app.widgets.rule_pane import RulePane
from engine.titles import TITLES
from tests.app.test_play import NARROW, WIDE, italian, settled  # noqa: F401

SIZES = [WIDE, NARROW, (200, 60)]


def drilling(slug, seed=5, **more):
    return ProntuarioApp(lambda: DrillScreen(slug, seed=seed, **more))


async def asked(pilot, app):
    await settled(pilot, lambda: isinstance(app.screen, DrillScreen))
    await settled(pilot, lambda: app.screen.drill is not None and app.screen.choice is None)
    await settled(pilot)
    return app.screen.drill


def answers(app):
    return app.screen.query_one("#drill-answers", OptionList)


def shown(app):
    return str(app.screen.query_one("#drill-text", Static).render())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("slug", TITLES)
async def test_a_number_answers_and_the_rule_is_beside(slug, size):
    app = drilling(slug)
    async with app.run_test(size=size) as pilot:
        drill = await asked(pilot, app)
        screen, pane = app.screen, app.screen.query_one(RulePane)
        assert drill.words.split()[0] in shown(app)
        assert answers(app).option_count == len(drill.choices)
        assert screen.query_one(HexMap).view == drill.scene.view
        assert not pane.display
        assert not screen.query_one(HexMap).options
        await pilot.press(str(drill.right + 1))
        await settled(pilot, lambda: screen.choice == drill.right)
        assert drill.verdict(drill.right) in shown(app)
        assert (screen.asked, screen.right) == (1, 1)
        assert pane.display is (size != NARROW)
        await pilot.press("r")
        await settled(pilot, lambda: pane.display and pane.ref != "")
        assert pane.ref in drill.rulings[0].refs
        await pilot.press("escape")
        assert app.focused is answers(app)
        await pilot.press("enter")
        again = await asked(pilot, app)
        assert again is not drill


async def test_a_wrong_answer_is_told_and_kept_for_the_next_evening():
    app = drilling("toi")
    async with app.run_test(size=WIDE) as pilot:
        drill = await asked(pilot, app)
        await pilot.press(str((drill.right + 1) % len(drill.choices) + 1))
        await settled(pilot, lambda: app.screen.choice is not None)
        assert "Sbagliato" in shown(app)
        assert app.screen.query_one("#drill-box").has_class("-wrong")
        kept = json.loads((data_folder() / "allenamento.json").read_text(encoding="utf-8"))
        assert kept["regole"][drill.rule]["chieste"] == 1
        assert kept["regole"][drill.rule]["scatola"] == 1


async def test_after_a_question_of_permission_the_map_shows_what_is_allowed():
    app = drilling("toi")
    async with app.run_test(size=WIDE) as pilot:
        for _n in range(12):
            drill = await asked(pilot, app)
            is_meant = drill.sort is Sort.ALLOWED and bool(drill.scene.allowed)
            await pilot.press("n" if drill.sort is Sort.ALLOWED else "1")
            await settled(pilot, lambda: app.screen.choice is not None)
            if is_meant:
                break
            await pilot.press("enter")
        assert app.screen.choice == 1
        assert app.screen.query_one(HexMap).options == drill.scene.allowed


async def test_the_rule_cannot_be_opened_before_the_answer():
    app = drilling("warfare")
    async with app.run_test(size=WIDE) as pilot:
        await asked(pilot, app)
        await pilot.press("r")
        await settled(pilot)
        assert not app.screen.has_class("-rule-open")
        assert not app.screen.query_one(RulePane).display


async def test_an_answer_can_be_clicked():
    app = drilling("aslsk")
    async with app.run_test(size=WIDE) as pilot:
        await asked(pilot, app)
        await pilot.click("#drill-answers", offset=(5, 1))
        await settled(pilot, lambda: app.screen.choice == 0)
        assert "Ancora (Invio)" in str(answers(app).get_option_at_index(0).prompt)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_f9_at_home_opens_the_room_and_enter_on_a_chapter_begins(size):
    app = ProntuarioApp()
    async with app.run_test(size=size) as pilot:
        await pilot.press("f9")
        await settled(pilot, lambda: isinstance(app.screen, TrainingScreen))
        room = app.screen
        chapters = room.query_one("#train-chapters", OptionList)
        await settled(pilot, lambda: chapters.option_count > 3)
        await pilot.press("enter")
        assert app.focused is chapters
        await pilot.press("down", "enter")
        await settled(pilot, lambda: isinstance(app.screen, DrillScreen))
        wanted = app.screen._wanted.chapter
        drill = await asked(pilot, app)
        assert drill.chapter == wanted
        await pilot.press("1")
        await settled(pilot, lambda: app.screen.choice is not None)
        await pilot.press("escape")
        await settled(pilot, lambda: app.screen is room)
        await settled(pilot, lambda: any("1" in str(o.prompt) for o in chapters.options))
        row = next(str(o.prompt) for o in chapters.options if o.id == wanted)
        assert row.split()[-3:][0] == "1"
        await pilot.press("escape")
        await settled(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_every_entry_of_home_fits_a_small_terminal():
    app = ProntuarioApp()
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        doors = list(app.screen.query("#entries > Door"))
        assert {"entry-training", "entry-quit"} <= {door.id for door in doors}
        assert max(door.region.right for door in doors) <= NARROW[0]


async def test_f1_explains_the_room_and_the_question():
    app = drilling("toi")
    async with app.run_test(size=WIDE) as pilot:
        await asked(pilot, app)
        await pilot.press("f1")
        await settled(pilot, lambda: isinstance(app.screen, HelpScreen))
        said = " ".join(str(one.render()) for one in app.screen.query(Static))
        assert "S e N sono sì e no" in " ".join(said.split())


async def test_the_palette_finds_the_training():
    app = ProntuarioApp()
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("ctrl+p")
        await pilot.press(*"allenam")
        await settled(pilot, lambda: app.screen.query_one(CommandList).option_count > 0)
        await pilot.press("enter")
        await settled(pilot, lambda: isinstance(app.screen, TrainingScreen))


async def test_a_chapter_without_questions_says_so(monkeypatch):
    monkeypatch.setattr(training, "MOST_SEEN", 50)
    app = drilling("toi", wanted=Wanted("Nessun capitolo"))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: "non ho trovato domande" in shown(app))
        await pilot.press("escape")
        await settled(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_page_down_scrolls_a_long_why_in_a_small_terminal():
    app = drilling("toi", wanted=Wanted(level=Level.HARD))
    async with app.run_test(size=NARROW) as pilot:
        box = None
        for _n in range(15):
            drill = await asked(pilot, app)
            await pilot.press("1")
            await settled(pilot, lambda: app.screen.choice is not None)
            await settled(pilot)
            box = app.screen.query_one("#drill-box")
            if drill.sort is Sort.ODDS and box.max_scroll_y > 0:
                break
            await pilot.press("enter")
        assert box is not None
        assert box.scroll_y == 0
        await pilot.press("pagedown")
        await settled(pilot, lambda: box.scroll_y > 0)
        await pilot.press("pageup")
        await settled(pilot, lambda: box.scroll_y == 0)
