"""Faults of our own: the program closes in good order, or one panel says so and all goes on."""

from __future__ import annotations

import ast
import asyncio
import sys
from contextlib import nullcontext
from functools import partialmethod
from pathlib import Path

import pytest
from textual.command import CommandList, CommandPalette
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.widgets import Static

from app.cli.answers import BROKEN, DONE
from app.play import process
from app.play.session import Session
from app.play.training import Trainer
from app.rules.library import LIBRARY
from app.screens import app as program
from app.screens.app import ProntuarioApp
from app.screens.home import HomeScreen
from app.screens.play import PlayScreen
from app.screens.replay import ReplayScreen, replay_of_save
from app.screens.rules import RulesScreen
from app.screens.training import DrillScreen, TrainingScreen
from app.shell import breakdown, paths
from app.widgets.odds_panel import OddsPanel
from app.widgets.result_list import ResultList
from engine.titles import TITLES
from rules_it.search import Index
from tests.app.tables import ACTION, TARGET, session_at
from tests.app.test_play import WIDE, italian, settled, table, text_of  # noqa: F401
from tests.tools.pty_run import Terminal

ROOT = Path(__file__).parents[2]
PRIVATE = "ferro-e-fuoco"


class OnPurpose(Exception):
    """A fault that a test has put there."""


def fail(*_given, **_named):
    raise OnPurpose(PRIVATE)


def details():
    """What the files of this test's faults say."""
    return [path.read_text(encoding="utf-8") for path in sorted(paths.faults_folder().iterdir())]


# --- the program closes -----------------------------------------------------------------------


class FaultyScreen(Screen[None]):
    """Fails where it is told to."""

    def __init__(self, where):
        super().__init__()
        self.where = where

    def on_mount(self):
        if self.where == "mount":
            fail()
        elif self.where == "timer":
            self.set_timer(0.01, fail)
        elif self.where == "callback":
            self.call_after_refresh(fail)
        elif self.where == "worker":
            self.run_worker(fail, thread=True)

    def render(self):
        return fail() if self.where == "render" else ""


@pytest.fixture
def headless(monkeypatch):
    monkeypatch.setattr(ProntuarioApp, "run", partialmethod(ProntuarioApp.run, headless=True))


def faulty(where):
    if where == "screen":
        fail()
    return FaultyScreen(where)


@pytest.mark.parametrize("where", ["screen", "mount", "timer", "callback", "worker", "render"])
def test_a_fault_is_three_lines_and_a_code(headless, capsys, where):
    assert program.run(lambda: faulty(where), Path("/dove/partita")) == BROKEN
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert "guasto" in lines[0]
    assert PRIVATE in lines[0]
    assert "prontuario gioca /dove/partita" in lines[1]
    assert str(paths.faults_folder()) in lines[2]
    (written,) = details()
    assert "OnPurpose" in written
    assert "/dove/partita" in written
    assert "textual 8" in written


def test_without_a_fault_nothing_is_said(headless, capsys):
    class Leaves(Screen[None]):
        def on_mount(self):
            self.app.exit()

    assert program.run(Leaves) == DONE
    assert capsys.readouterr().err == ""


def test_without_an_open_game_none_is_named(capsys):
    assert breakdown.tell(OnPurpose()) == BROKEN
    assert "Le partite salvate non ne risentono." in capsys.readouterr().err


class Settling(Static):
    """Looks for something that is not there, once it is told to."""

    def __init__(self):
        super().__init__()
        self.begun, self.told = asyncio.Event(), asyncio.Event()

    async def on_mount(self):
        self.begun.set()
        await self.told.wait()
        self.query_one("#nowhere")


@pytest.mark.parametrize("how", ["leave", "exit", "stay"])
async def test_who_leaves_before_a_screen_has_settled_sees_no_fault(how):
    app = ProntuarioApp()
    with pytest.raises(NoMatches) if how == "stay" else nullcontext():
        async with app.run_test(size=WIDE) as pilot:
            screen, settling = Screen(), Settling()
            await app.push_screen(screen)
            screen.mount(settling)
            await settling.begun.wait()
            if how == "leave":
                app.pop_screen()
            elif how == "exit":
                app.exit()
            settling.told.set()
            if how != "exit":  # nobody is left to wait for
                await settled(pilot)
    assert (app.fault is None) == (how != "stay")


def test_details_go_elsewhere_where_the_folder_cannot_be_written(monkeypatch, tmp_path, capsys):
    (tmp_path / "data").write_text("")  # a file where the folder should be
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    breakdown.tell(OnPurpose())
    assert str(tmp_path / "prontuario-") in capsys.readouterr().err
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "data"))
    breakdown.tell(OnPurpose())
    assert "da nessuna parte" in capsys.readouterr().err


def test_the_same_fault_has_one_file_and_old_ones_go(monkeypatch):
    monkeypatch.setattr(breakdown, "KEPT", 2)
    error = OnPurpose("uno")
    assert breakdown.note(error) == breakdown.note(error)
    for name in ("due", "tre"):
        breakdown.note(OnPurpose(name))
    assert len(details()) == 2


def test_a_fault_of_the_rules_leaves_the_game_as_it_was(monkeypatch, tmp_path):
    session = session_at(tmp_path, ACTION)
    before, option = session.game.entries, session.decision.options[0].id
    with monkeypatch.context() as patched:
        patched.setattr(type(session.title), "play", fail)
        with pytest.raises(OnPurpose):
            session.answer(option)
    assert session.game.entries == before
    session.close()
    again = Session.open(session.path, TITLES)
    assert again.game.entries == before
    again.answer(option)


FAULTY = """
import sys
from app.shell import i18n
i18n.use("it")  # before the screens are imported, as the program does
from app.screens.play import PlayScreen

def fail(*_given):
    raise RuntimeError("apposta")

PlayScreen.action_layer = fail
from app.cli.verbs import main
sys.exit(main(["gioca", *sys.argv[1:]]))
"""


def test_in_a_terminal_the_screen_is_restored_and_the_game_opens_again(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    terminal = Terminal([sys.executable, "-c", FAULTY, "toi", "toi-s1", "--seme", "7"])
    try:
        terminal.wait_for("Menù")
        terminal.type("k")
        code, written = terminal.finish()
        assert terminal.is_cooked
    finally:
        terminal.close()
    assert code == BROKEN
    _screen, closed, after = written.rpartition("\x1b[?1049l")
    assert closed
    assert "Traceback" not in written
    assert "Prontuario si è fermato per un guasto suo (RuntimeError: apposta)." in after
    (save,) = paths.saves_folder().iterdir()
    assert str(save) in after.replace("\r\n", "")
    _session = Session.open(save, TITLES)


# --- one thing fails, and the rest goes on ----------------------------------------------------


FAILING = """
import sys
from importlib import import_module

class OnPurpose(Exception):
    pass

def fail(*_given):
    raise OnPurpose("ferro-e-fuoco")

module = import_module(sys.argv[1])
module.serve(lambda _title, _header: fail)
"""
"""A process of the program whose every answer is a fault."""


async def odds(monkeypatch, tmp_path):
    """Counting odds, which fails where they are counted."""
    monkeypatch.setattr(process, "command", lambda module: [sys.executable, "-c", FAILING, module])
    app = table(session_at(tmp_path, TARGET))
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("o")
        await settled(pilot, lambda: "Dettagli" in str(panel_of(app)))
        await goes_on(pilot, app)


async def furnishing(monkeypatch, tmp_path):
    """Finding out what the titles have to show."""
    monkeypatch.setattr("app.screens.home.showcase.find_out", fail)
    app = ProntuarioApp()
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: any("Dettagli" in n.message for n in app._notifications))
        assert isinstance(app.screen, HomeScreen)


async def foretelling(monkeypatch, tmp_path):
    """What the rules foretell, which fails where it is found out."""
    monkeypatch.setattr(process, "command", lambda module: [sys.executable, "-c", FAILING, module])
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("o")
        await settled(pilot, lambda: "Dettagli" in text_of(app.screen, "#verdict"))
        assert "nessuna risposta segue subito un tiro" in str(panel_of(app))
        await goes_on(pilot, app)


async def foreseeing(monkeypatch, tmp_path):
    """What answers lead to, which fails where it is found out."""
    monkeypatch.setattr(PlayScreen, "_foretell", lambda _screen, _at: None)
    await foretelling(monkeypatch, tmp_path)


def panel_of(app):
    return text_of(app.screen.query_one(OddsPanel), "#odds-text")


async def goes_on(pilot, app):
    """An answer is taken and the table stays."""
    entries = len(app.screen.session.game.entries)
    await pilot.press("1")
    await settled(pilot, lambda: len(app.screen.session.game.entries) > entries)


async def texts_of_table(monkeypatch, tmp_path):
    """Opening the texts for the table."""
    monkeypatch.setattr(LIBRARY, "open_corpus", fail)
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: "Dettagli" in text_of(app.screen, "#verdict"))
        await goes_on(pilot, app)


async def cards_of_titles(monkeypatch, tmp_path):
    """Making the reference cards: the table under them goes on."""
    monkeypatch.setattr("app.rules.cards.cards_of", fail)
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("f")
        await settled(pilot, lambda: "Dettagli" in text_of(app.screen, "#card-words"))
        await pilot.press("escape")
        await settled(pilot)
        await goes_on(pilot, app)


def told_by(app):
    """Whether somebody was told of a fault with its details."""
    return any("Dettagli" in note.message for note in app._notifications)


async def training_texts(monkeypatch, tmp_path):
    """Opening the texts for the training: its titles can still be walked."""
    monkeypatch.setattr("app.screens.training.LIBRARY.open_corpus", fail)
    app = ProntuarioApp(TrainingScreen)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: told_by(app))
        await pilot.press("down")
        assert isinstance(app.screen, TrainingScreen)


async def training_chapters(monkeypatch, tmp_path):
    """Finding out which chapters can be asked about."""
    monkeypatch.setattr(Trainer, "chapters", fail)
    app = ProntuarioApp(TrainingScreen)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: told_by(app))
        await pilot.press("down")
        assert isinstance(app.screen, TrainingScreen)


async def training_question(monkeypatch, tmp_path):
    """Making a question."""
    monkeypatch.setattr(Trainer, "next", fail)
    app = ProntuarioApp(lambda: DrillScreen("toi"))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: told_by(app))
        await pilot.press("escape")
        await settled(pilot, lambda: not isinstance(app.screen, DrillScreen))


async def advice(monkeypatch, tmp_path):
    """Asking for advice."""
    monkeypatch.setattr(process, "command", lambda module: [sys.executable, "-c", FAILING, module])
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("a")
        await settled(pilot, lambda: "Dettagli" in text_of(app.screen, "#verdict"))
        await goes_on(pilot, app)


async def delegated(monkeypatch, tmp_path):
    """Letting the program choose."""
    monkeypatch.setattr(process, "command", lambda module: [sys.executable, "-c", FAILING, module])
    app = table(session_at(tmp_path, ACTION))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("d")
        await settled(pilot, lambda: "Dettagli" in text_of(app.screen, "#verdict"))
        await goes_on(pilot, app)


async def thought(monkeypatch, tmp_path):
    """A player of the program; Space has it answer at random."""
    monkeypatch.setattr(process, "command", lambda module: [sys.executable, "-c", FAILING, module])
    session = session_at(tmp_path, ACTION, us="medio")
    entries = session.game.entries
    app = table(session)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: "Dettagli" in text_of(app.screen, "#question"))
        assert "a caso" in text_of(app.screen, "#question")
        assert session.game.entries == entries
        await pilot.press("space")
        await settled(pilot, lambda: len(session.game.entries) > len(entries))


async def texts_of_replay(monkeypatch, tmp_path):
    """Opening the texts for a game watched again."""
    session = session_at(tmp_path, ACTION)
    session.close()
    monkeypatch.setattr(LIBRARY, "open_corpus", fail)
    app = ProntuarioApp(lambda: ReplayScreen(replay_of_save(session.path)))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: any("Dettagli" in n.message for n in app._notifications))
        await pilot.press("space")
        assert app.screen.at == 0


async def texts_of_browser(monkeypatch, tmp_path):
    """Opening the texts and the index for the browser."""
    monkeypatch.setattr(LIBRARY, "open_corpus", fail)
    app = ProntuarioApp(RulesScreen)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: any("Dettagli" in n.message for n in app._notifications))
        assert isinstance(app.screen, RulesScreen)


async def searched(monkeypatch, tmp_path):
    """Searching the rules."""
    LIBRARY.open_index()
    monkeypatch.setattr(Index, "search", fail)
    app = ProntuarioApp(RulesScreen)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: app.screen._corpus is not None)
        await pilot.press(*"bosco")
        results = app.screen.query_one(ResultList)
        await settled(pilot, lambda: any("Dettagli" in str(o.prompt) for o in results.options))
        assert isinstance(app.screen, RulesScreen)


async def engine_of_rule(monkeypatch, tmp_path):
    """Seeing what the engine applies of a rule."""
    monkeypatch.setattr("app.rules.linker.links", fail)
    app = ProntuarioApp(lambda: RulesScreen("toi:movimento.punti"))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: any("Dettagli" in n.message for n in app._notifications))
        assert app.screen.pane.page is not None


WORKERS = {
    "CardsScreen._load": cards_of_titles,
    "DrillScreen._make": training_question,
    "HomeScreen._find_out": furnishing,
    "PlayScreen._count": odds,
    "PlayScreen._foresee": foreseeing,
    "PlayScreen._foretell": foretelling,
    "PlayScreen._load_texts": texts_of_table,
    "PlayScreen.action_advise": advice,
    "PlayScreen._delegate": delegated,
    "PlayScreen._think": thought,
    "ReplayScreen._load_texts": texts_of_replay,
    "RulesScreen._load": texts_of_browser,
    "TrainingScreen._load": training_texts,
    "TrainingScreen._survey": training_chapters,
    "RulesScreen._search": searched,
    "RulePane._look_at_engine": engine_of_rule,
}


@pytest.mark.parametrize("name", WORKERS)
async def test_a_fault_in_a_worker_is_told_and_all_goes_on(monkeypatch, tmp_path, name):
    await WORKERS[name](monkeypatch, tmp_path)
    assert any("OnPurpose" in written for written in details())


async def test_a_fault_of_the_search_leaves_the_palette(monkeypatch, tmp_path):
    LIBRARY.open_index()
    monkeypatch.setattr(Index, "search", fail)
    app = ProntuarioApp()
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("ctrl+p", *"bosco")

        def told():
            listed = app.screen.query_one(CommandList).options
            return any("Dettagli" in str(option.prompt) for option in listed)

        await settled(pilot, told)
        assert isinstance(app.screen, CommandPalette)


def test_every_worker_is_careful_and_has_its_test():
    """A worker or thread of ours outside `background` would end the program when it fails."""
    careful, bare = set(), set()
    for path in sorted((ROOT / "app").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for owner in [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]:
            for method in [n for n in owner.body if hasattr(n, "decorator_list")]:
                called = [d.func for d in method.decorator_list if isinstance(d, ast.Call)]
                if any(getattr(f, "id", "") in ("background", "careful") for f in called):
                    careful.add(f"{owner.name}.{method.name}")
        for node in ast.walk(tree):
            name = getattr(node, "id", getattr(node, "attr", ""))
            if name in ("work", "run_worker", "Thread", "to_thread", "create_task"):
                bare.add(f"{path.relative_to(ROOT)}: {name}")
    assert careful == set(WORKERS)
    # the library hands what fails to those who wait; the palette has a test of its own; what a
    # process of the program owes nobody is heard out, and its questions come by a thread of its own
    assert bare == {
        "app/play/process.py: Thread",
        "app/play/process.py: create_task",
        "app/rules/library.py: Thread",
        "app/screens/palette.py: to_thread",
        "app/widgets/background.py: Thread",
        "app/widgets/background.py: work",
    }
