"""Games sent as files: what can be read in them, and what cannot."""

from __future__ import annotations

import pytest

from app.mail import export, seal, sides_in, take_in, unseal
from app.session import HUMAN, REMOTE, Session
from engine.saves.lines import SaveError
from engine.titles import TITLES
from tests.app.tables import ACTION, session_at


def test_the_header_is_readable_and_the_game_is_not(tmp_path):
    session = session_at(tmp_path, ACTION)
    text = export(session, tmp_path / "posta").read_text(encoding="utf-8")
    assert "Tide of Iron" in text
    assert "Saint-Aubin" in text
    for hidden in ("u:us-", "seme", "mor1-", '"c"', "us_reg"):
        assert hidden not in text


def test_what_is_sealed_comes_back_whole():
    for text in (b"", b"x", b"una partita" * 1000):
        assert unseal(seal(text)) == text
    assert seal(b"lo stesso") != seal(b"lo stesso")


def test_a_touched_file_is_refused(tmp_path):
    path = export(session_at(tmp_path, ACTION), tmp_path / "posta")
    text = path.read_text(encoding="utf-8")
    middle = text.rindex("\n", 0, len(text) - 10)
    path.write_text(text[: middle - 3] + "AAA" + text[middle:], encoding="utf-8")
    with pytest.raises(SaveError):
        sides_in(path, TITLES)


@pytest.mark.parametrize("text", ["", "ciao", "Prontuario, partita per posta\n---\n!!\n"])
def test_other_files_are_refused_kindly(tmp_path, text):
    path = tmp_path / "x.posta"
    path.write_text(text)
    with pytest.raises(SaveError):
        sides_in(path, TITLES)


def test_the_receiver_sits_on_one_side_and_the_sender_is_elsewhere(tmp_path):
    sent = session_at(tmp_path, ACTION, de=REMOTE)
    path = export(sent, tmp_path / "posta")
    assert list(sides_in(path, TITLES)) == ["us", "de"]
    session = Session.open(take_in(path, TITLES, "de"), TITLES)
    assert session.seats == {"us": REMOTE, "de": HUMAN}
    assert session.game.entries == sent.game.entries
    assert session.is_away
