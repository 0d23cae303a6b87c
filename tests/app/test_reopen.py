"""Saved games that are not as they were left: what the player sees, and what he may choose."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import pytest

from app.cli import verbs as cli
from app.play.session import InUse, NotWhole, Session
from app.play.table import Table
from app.screens.app import ProntuarioApp
from app.screens.play import PlayScreen
from app.screens.reopen import ReopenScreen, screen_for
from app.screens.replay import ReplayScreen
from app.shell.i18n import say
from engine.saves.writing import SaveFile
from engine.titles import TITLES
from tests.app.tables import ACTION, session_at
from tests.app.test_play import NARROW, WIDE, italian, settled, table, text_of  # noqa: F401
from tests.core.test_saves import plain


def left(folder: Path) -> Path:
    """A game that was closed in good order."""
    session = session_at(folder, ACTION)
    session.close()
    return session.path


def damaged(folder: Path) -> Path:
    """A game one line of which was changed, before its snapshot."""
    path = left(folder)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[20] = lines[20].replace(b"{", b"{ ", 1)
    path.write_bytes(b"".join(lines))
    return path


def outdated(folder: Path) -> Path:
    """A game of an older version with an answer that no rule accepts."""
    path = left(folder)
    lines = plain(path.read_text(encoding="utf-8")).splitlines(keepends=True)
    place = [n for n, line in enumerate(lines) if line.startswith('{"c"')][-1]
    lines[place] = '{"c":["us","u:nessuno"]}\n'
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_damaged_game_asks_from_where_to_go_on(tmp_path, size):
    path = damaged(tmp_path)
    before = path.read_bytes()
    app = ProntuarioApp(lambda: screen_for(path))
    async with app.run_test(size=size) as pilot:
        await settled(pilot, lambda: isinstance(app.screen, ReopenScreen))
        said = text_of(app.screen, "#why")
        assert "La riga 21 è rovinata" in said
        assert path.name in said
        assert "La riga è stata cambiata." in said
        await pilot.press("1")
        await settled(pilot, lambda: isinstance(app.screen, PlayScreen))
        session = app.screen.session
        assert 0 < len(session.game.entries) < 20
        assert session.path != path
    assert path.read_bytes() == before
    Session.open(session.path, TITLES).close()


async def test_a_damaged_game_goes_on_from_its_snapshot(tmp_path):
    whole = session_at(tmp_path, ACTION)
    rest = whole.position.rest
    whole.close()
    path = damaged(tmp_path / "b")
    app = ProntuarioApp(lambda: screen_for(path))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: isinstance(app.screen, ReopenScreen))
        await pilot.press("down", "enter")
        await settled(pilot, lambda: isinstance(app.screen, PlayScreen))
        session = app.screen.session
        assert session.position.rest == rest
        session.answer(session.decision.options[0].id)
        entries = session.game.entries
    again = Session.open(session.path, TITLES)
    assert again.game.entries == entries
    again.close()


async def test_a_game_that_the_rules_no_longer_accept_stops_before_that_answer(tmp_path):
    path = outdated(tmp_path)
    app = ProntuarioApp(lambda: screen_for(path))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: isinstance(app.screen, ReopenScreen))
        assert "non accettano più il seguito" in text_of(app.screen, "#why")
        await pilot.press("3")
        assert isinstance(app.screen, ReopenScreen)
        await pilot.press("escape")
        await settled(pilot, lambda: not isinstance(app.screen, ReopenScreen))
    with pytest.raises(NotWhole) as found:
        Session.open(path, TITLES)
    session = Session.take_up(found.value.loaded)
    assert session.decision is not None
    session.close()


async def test_a_second_window_reads_and_says_so(tmp_path):
    session = session_at(tmp_path, ACTION)
    first = Session.new(
        TITLES["toi"], "toi-s1", seats=session.seats, path=tmp_path / "b.prontuario"
    )
    with pytest.raises(InUse):
        Session.open(first.path, TITLES)
    app = ProntuarioApp(lambda: screen_for(first.path))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot, lambda: isinstance(app.screen, ReplayScreen))
        said = [note.message for note in app._notifications]
        assert [one for one in said if "aperta in un'altra finestra" in one]
    first.answer(first.decision.options[0].id)
    first.close()
    Session.open(first.path, TITLES).close()


def test_a_second_dialogue_reads_and_says_so(tmp_path, capsys):
    first = session_at(tmp_path, ACTION, de="medio")
    first.close()
    first = Session.open(first.path, TITLES)
    assert cli.main(["gioca", str(first.path), "--testo"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert "aperta in un'altra finestra" in told[0]
    assert len(told) > 20
    first.close()


async def test_a_full_disk_is_told_at_the_table(tmp_path, monkeypatch):
    session = session_at(tmp_path, ACTION)
    app = table(session)

    def full(*_args):
        raise OSError(errno.ENOSPC, "full")

    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        with monkeypatch.context() as patched:
            patched.setattr("engine.saves.writing.write_all", full)
            patched.setattr("engine.core.files.write_all", full)
            await pilot.press("enter")
            await settled(pilot)
            said = [note.message for note in app._notifications]
            assert [one for one in said if "il disco è pieno" in one]
        given = session.game.entries
        await pilot.press("u")
        await settled(pilot)
    again = Session.open(session.path, TITLES)
    assert again.game.entries == given[: len(again.game.entries)]
    again.close()


def test_a_game_whose_disk_stays_full_is_left_in_another_folder(tmp_path, monkeypatch):
    session = session_at(tmp_path, ACTION)
    true_create = SaveFile.create

    def full(*_args):
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patched:
        patched.setattr("engine.saves.writing.write_all", full)
        patched.setattr("engine.saves.writing.write_atomically", full)
        session.answer(session.decision.options[0].id)

        def create(*given, **rest):
            patched.undo()
            return true_create(*given, **rest)

        patched.setattr(SaveFile, "create", create)
        session.close()
    told = session.heard()
    assert str(session.path) in told[-1]
    assert session.path.parent != tmp_path
    again = Session.open(session.path, TITLES)
    assert again.game.entries == session.game.entries
    again.close()
    shutil.rmtree(session.path.parent)


def test_the_journal_comes_back_as_it_was(tmp_path):
    seats, options = {"blu": "umano", "verde": "solitario"}, {"solitario": "si"}
    session = Session.new(TITLES["warfare"], "s2", seats=seats, options=options, seed=4,
                          path=tmp_path / "x.prontuario")  # fmt: skip
    session.is_auto = True
    session.settle()
    for _ in range(120):
        if session.decision is None:
            break
        if session.is_bot_turn:
            session.answer(*session.bot_choice())
        else:
            session.answer(session.decision.options[0].id)
    before = [(frame.step, frame.entries) for frame in Table(session, "blu").frames]
    session.close()
    again = Session.open(session.path, TITLES)
    assert [(frame.step, frame.entries) for frame in Table(again, "blu").frames] == before
    assert len(before) > len(again.game.steps)
    again.close()


def test_what_is_wrong_with_a_file_is_said_in_the_report(tmp_path):
    path = damaged(tmp_path)
    with pytest.raises(NotWhole) as found:
        Session.open(path, TITLES)
    session = Session.take_up(found.value.loaded)
    told = session.heard()
    assert told == [say(msg) for msg in found.value.loaded.warnings]
    session.close()
    again = Session.open(session.path, TITLES)
    assert again.heard() == []
    again.close()
