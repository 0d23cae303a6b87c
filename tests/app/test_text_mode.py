"""The same game as a linear dialogue."""

from __future__ import annotations

from io import StringIO

import pytest

from app.cli.playing import show_an_example
from app.play.session import Session
from app.play.text_commands import BY_NAME
from app.play.text_mode import Dialogue, lines_from
from app.play.texts import Texts
from app.shell import i18n
from engine.core.rules import Anchor, Ruling
from engine.core.text import Msg
from engine.titles import TITLES
from tests.app.tables import ACTION, MOVE, TARGET, session_at, session_of


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


def talk(session: Session, *lines: str) -> str:
    out = StringIO()
    typed = "".join(f"{line}\n" for line in lines)
    Dialogue(session, lines_from(StringIO(typed)), out).run()
    return out.getvalue()


def test_units_hexes_and_cards_have_names(tmp_path):
    said = talk(session_at(tmp_path, ACTION), "m", "v", "h", "q")
    for id in ("us-1", "de-1", "us_reg", "mor1-", "ter1-"):
        assert id not in said


def test_the_question_is_read_once_and_again_when_asked(tmp_path):
    session = session_at(tmp_path, ACTION)
    first = session.decision.ruling.refs[0]
    assert talk(session, "h", "h", "q").count(f"[{first}]\n  1. ") == 1
    assert talk(session, "h", "l", "q").count(f"[{first}]\n  1. ") == 2


def test_who_leaves_without_an_answer_is_told_that_nothing_is_kept():
    session = Session.new(TITLES["aslsk"], "R1", seed=1)
    assert "Nessuno ha risposto: la partita non viene conservata." in talk(session, "q")
    said = talk(session, "1", "q")
    assert f"La partita è salvata: {session.path.name}" in said


@pytest.mark.parametrize("word", ["comandi", "Comandi", "help"])
def test_the_obvious_words_for_the_commands_do_what_h_does(tmp_path, word):
    said = talk(session_at(tmp_path, ACTION), word, "esci")
    for shown in ("?, aiuto", "h, comandi", "u, annulla", "q, esci"):
        assert shown in said
    assert said.count("La partita è salvata") == 1


@pytest.mark.parametrize("word", ["?", "aiuto", "Aiuto"])
def test_the_obvious_words_for_help_explain_the_question(tmp_path, word):
    said = talk(session_at(tmp_path, ACTION), word, "esci")
    assert "A chi si chiede, e perché:" in said
    assert "x, vietate: " in said


def test_to_undo_and_to_leave_can_be_said_in_words(tmp_path):
    session = session_at(tmp_path, ACTION)
    before = len(session.game.entries)
    said = talk(session, "1", "annulla", "quit", "1")
    assert "Annullato." in said
    assert len(session.game.entries) == before


def test_a_word_that_names_an_answer_gives_that_answer(tmp_path):
    session = session_at(tmp_path, ACTION)
    word = session.decision.options[0].id.partition(":")[2]
    before = len(session.game.entries)
    BY_NAME[word] = BY_NAME["q"]
    try:
        talk(session, word, "q")
    finally:
        del BY_NAME[word]
    assert len(session.game.entries) > before


def test_a_refused_answer_says_why_with_the_rule(tmp_path):
    session = session_at(tmp_path, ACTION, 4)
    refused = next(iter(session.decision.refused))
    ref = session.decision.why_not(refused)[0].refs[0]
    assert f"[{ref}]" in talk(session, refused, "q")


def test_a_hex_and_a_line_of_sight_are_told(tmp_path):
    said = talk(session_at(tmp_path, MOVE), "e F6", "s F6 G4", "e Z99", "q")
    assert "F6: " in said
    assert "[toi:visuale" in said


def test_odds_are_cumulative_in_words(tmp_path):
    said = talk(session_at(tmp_path, TARGET), "o", "q")
    assert "%: " in said


def test_an_answer_is_given_by_its_label(tmp_path):
    session = session_at(tmp_path, MOVE)
    label = next(o.id[2:] for o in session.decision.options if o.kind == "hex")
    talk(session, label.lower(), "q")
    assert session.game.entries[-1].option == f"h:{label}"


def test_a_whole_game_is_played_in_text(tmp_path):
    seats = {"us": "umano", "de": "casuale"}
    session = Session.new(
        TITLES["toi"], "toi-s1", seats=seats, seed=1, path=tmp_path / "x.prontuario"
    )
    said = talk(session, *["d"] * 2000)
    assert session.position.outcome is not None
    assert "[toi:vittoria.condizioni]" in said


def test_an_example_is_told_without_a_terminal(capsys):
    show_an_example()
    said = capsys.readouterr().out
    assert "[toi:attacco.4-lancio]" in said
    assert "[5 6 1 1]" in said


def test_refused_verbs_are_listed_in_words_and_not_by_their_ids(tmp_path):
    said = talk(session_of(tmp_path, "warfare", "s1", "action.what"), "v", "q")
    assert "rimuovi un blocco stradale" in said
    assert "sgombra" not in said


def test_the_rule_in_full_ends_with_what_was_applied_of_it():
    ruling = Ruling(("toi:area.veicoli",), Msg("x"), (Anchor("toi:area.veicoli#ignora"),))
    told = "\n".join(Texts("toi").rule("toi:area.veicoli", ruling))
    applied = told.rpartition("Qui si applica: «")[2].removesuffix("»")
    assert applied
    assert applied in " ".join(told.rpartition("Qui si applica")[0].split())
    assert "Qui si applica" not in "\n".join(Texts("toi").rule("toi:area.veicoli"))


def test_a_cell_that_was_applied_is_told_with_its_heads():
    ref = "toi:difesa.copertura"
    ruling = Ruling((ref,), Msg("x"), (Anchor(f"{ref}#copertura/fumo"),))
    (words,) = Texts("toi").quote(ruling)
    assert "fumo" in words.casefold()


def test_odds_tell_the_words_that_were_assumed(tmp_path):
    assert "      «" in talk(session_at(tmp_path, TARGET), "o", "q")
