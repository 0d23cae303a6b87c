"""Bookmarks and notes: kept, shared between two programs, never lost."""

from __future__ import annotations

import json

import pytest

from app.rules.notes import Notebook


@pytest.fixture
def path(tmp_path):
    return tmp_path / "note.json"


def test_bookmarks_and_notes_are_there_the_next_evening(path):
    notebook = Notebook(path)
    assert notebook.toggle_bookmark("ddob:6.31")
    assert notebook.toggle_bookmark("toi:fumo")
    assert notebook.write("ddob:6.31", "  Ricordare il fumo.\n")
    again = Notebook(path)
    assert again.bookmarks == ("toi:fumo", "ddob:6.31")
    assert again.note("ddob:6.31") == "Ricordare il fumo."
    assert again.noted == ("ddob:6.31",)
    assert json.loads(path.read_text(encoding="utf-8"))["segnalibri"] == ["toi:fumo", "ddob:6.31"]


def test_the_same_key_removes_a_bookmark_and_an_empty_note_goes_away(path):
    notebook = Notebook(path)
    notebook.toggle_bookmark("toi:fumo")
    assert not notebook.toggle_bookmark("toi:fumo")
    notebook.write("toi:fumo", "x")
    notebook.write("toi:fumo", " \n")
    assert Notebook(path).bookmarks == ()
    assert Notebook(path).noted == ()


def test_two_open_programs_do_not_undo_each_other(path):
    one, two = Notebook(path), Notebook(path)
    one.toggle_bookmark("toi:fumo")
    two.write("toi:bosco", "copre")
    one.toggle_bookmark("toi:bosco")
    assert Notebook(path).bookmarks == ("toi:bosco", "toi:fumo")
    assert Notebook(path).note("toi:bosco") == "copre"


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"segnalibri": 3}', b"\xff\xfe", b""])
def test_a_damaged_file_is_moved_aside_and_told(path, content):
    path.write_bytes(content)
    told: list[str] = []
    notebook = Notebook(path, told.append)
    assert notebook.bookmarks == ()
    kept = list(path.parent.glob("note-danneggiate-*.json"))
    assert [file.read_bytes() for file in kept] == [content]
    assert len(told) == 1
    assert str(kept[0]) in told[0]
    notebook.toggle_bookmark("toi:fumo")
    assert Notebook(path).bookmarks == ("toi:fumo",)


def test_two_damaged_files_in_the_same_second_are_both_kept(path):
    for content in (b"one", b"two"):
        path.write_bytes(content)
        Notebook(path)
    kept = {file.read_bytes() for file in path.parent.glob("note-danneggiate-*.json")}
    assert kept == {b"one", b"two"}


def test_a_file_damaged_while_the_program_runs_is_not_overwritten(path):
    notebook = Notebook(path)
    path.write_bytes(b"oops")
    notebook.toggle_bookmark("toi:fumo")
    assert [file.read_bytes() for file in path.parent.glob("note-danneggiate-*")] == [b"oops"]
    assert Notebook(path).bookmarks == ("toi:fumo",)


def test_a_file_that_cannot_be_read_is_left_alone(path):
    path.mkdir()
    told: list[str] = []
    notebook = Notebook(path, told.append)
    assert not notebook.toggle_bookmark("toi:fumo")
    assert not notebook.write("toi:fumo", "x")
    assert len(told) == 3
    assert path.is_dir()


def test_a_disk_that_refuses_is_told_and_nothing_pretends_to_be_kept(path, monkeypatch):
    told: list[str] = []
    notebook = Notebook(path, told.append)

    def full(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("app.shell.kept.write_atomically", full)
    assert not notebook.toggle_bookmark("toi:fumo")
    assert "il disco è pieno" in told[0]
