"""Games by post at the screen: what is said, and how few keys they take."""

from __future__ import annotations

import random
import shutil

from textual.widgets import Select, Static

from app.play import mail
from app.play.session import REMOTE
from app.screens.app import ProntuarioApp
from app.screens.new_game import NewGameScreen
from app.screens.play import PlayScreen
from app.screens.saves import SavesScreen
from app.shell.paths import post_folder
from engine.titles import TITLES
from tests.app.postmen import begin, play, profile, quick

__all__ = ["quick"]


def text_of(screen, which):
    return str(screen.query_one(which, Static).render())


async def test_a_new_game_by_post_says_what_it_proves_and_what_not(tmp_path):
    app = ProntuarioApp(lambda: NewGameScreen("toi"))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert not app.screen.query_one("#post-note").display
        app.screen.query_one("#seat-1", Select).value = REMOTE
        await pilot.pause()
        said = text_of(app.screen, "#post-note")
        assert "smonta il programma" in said
        assert "copia della sua cartella" in said
        assert not app.screen.query_one("#dice").display
        await pilot.press("f5")
        await pilot.pause()
        assert isinstance(app.screen, PlayScreen)
        assert app.screen.session.header.seed == ""
        assert "per posta" in text_of(app.screen, "#status")


async def test_one_key_writes_the_mail_and_one_takes_the_answer_in(tmp_path):
    rng = random.Random(1)
    session = begin("toi", "toi-s1")
    play(session, rng)
    app = ProntuarioApp(lambda: PlayScreen(session))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("1")
        await pilot.pause()
        (written,) = post_folder().iterdir()
        assert written.name in text_of(app.screen, "#verdict").replace("\n", "")
        assert mail.letter_in(app.clipboard).number == 1
        await pilot.press("2")
        await pilot.pause()
        assert "non è arrivata posta" in text_of(app.screen, "#verdict")
        with profile(tmp_path / "other"):
            other = mail.take_in(mail.read_mail(written), TITLES)
            play(other, rng)
            answer = mail.export(other, tmp_path / "out")
            other.close()
        shutil.copy(answer, post_folder())
        known = len(session.game.entries)
        await pilot.press("2")
        await pilot.pause()
        assert len(session.game.entries) > known
        assert session.ledger is not None
        assert session.ledger.is_open


async def test_an_invitation_is_taken_in_from_the_saved_games(tmp_path):
    with profile(tmp_path / "other"):
        session = begin("toi", "toi-s1")
        play(session, random.Random(1))
        invitation = mail.export(session, tmp_path / "out")
        session.close()
    shutil.copy(invitation, post_folder())
    app = ProntuarioApp(SavesScreen)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("i")
        await pilot.pause()
        assert isinstance(app.screen, PlayScreen)
        assert app.screen.session.header.post.side == "de"
