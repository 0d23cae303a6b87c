"""The command line, with and without a person in front of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import verbs as cli
from app.cli.answers import BROKEN
from app.cli.headless import GameResult, summary
from app.shell import i18n, paths
from engine import titles
from engine.core.text import msg
from engine.core.title import ScenarioInfo
from engine.drive import sides_of
from engine.game import Game, SeededChance
from engine.saves.lines import FORMAT, Header
from engine.saves.writing import SaveFile
from tests.core.test_saves import plain
from tests.reference import MAP, Reference

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def reference_title(monkeypatch):
    monkeypatch.setattr(titles, "TITLES", {"prova": Reference()})
    monkeypatch.setattr(i18n, "_current", None)


def run(capsys, *arguments):
    try:
        code = cli.main(list(arguments))
    except SystemExit as stop:
        code = stop.code
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_titles_are_listed_for_people_and_for_scripts(capsys):
    code, out, _err = run(capsys, "titoli")
    assert code == 0
    assert "Il cortile" in out
    _code, out, _err = run(capsys, "titoli", "--json")
    assert json.loads(out)[0]["scenari"][0] == {
        "id": "cortile",
        "nome": "Il cortile",
        "lati": ["rosso", "blu"],
    }


def test_no_titles_is_a_sentence(capsys, monkeypatch):
    monkeypatch.setattr(titles, "TITLES", {})
    assert run(capsys, "titoli")[1] == "Non è ancora installato nessun gioco.\n"


def test_without_a_terminal_the_headless_verbs_are_shown(capsys):
    code, out, _err = run(capsys)
    assert code == 0
    assert "non è un terminale" in out
    assert "simula" in out


def test_an_unknown_verb_is_wrong_usage_in_italian(capsys):
    code, _out, err = run(capsys, "balla")
    assert code == 2
    assert "scelta non valida" in err


def test_a_missing_option_is_wrong_usage_in_italian(capsys):
    code, _out, err = run(capsys, "simula")
    assert code == 2
    assert "mancano questi argomenti" in err


def test_english_on_request(capsys):
    assert "usage:" in run(capsys, "--lingua", "en", "titoli", "--help")[1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--titolo", "scacchi", "--scenario", "x"), "Il titolo scacchi non esiste"),
        (("--titolo", "prova", "--scenario", "x"), "Lo scenario x non esiste"),
        (("--titolo", "prova", "--scenario", "cortile", "--giocatori", "dio"), "Il giocatore dio"),
        (("--titolo", "prova", "--scenario", "cortile", "--partite", "0"), "almeno 1"),
    ],
)
def test_simulations_that_cannot_be_say_why(capsys, arguments, sentence):
    code, _out, err = run(capsys, "simula", *arguments)
    assert code == 2
    assert sentence in err


def test_a_simulation_counts_wins_and_decisions(capsys):
    code, out, _err = run(
        capsys, "simula", "--titolo", "prova", "--scenario", "cortile", "--partite", "6", "--json"
    )
    figures = json.loads(out)
    assert code == 0
    assert figures["partite"] == 6
    assert sum(figures["vittorie"].values()) + figures["pareggi"] == 6
    assert figures["decisioni"]["minimo"] > 0


def test_whoever_plays_alone_loses_where_nobody_wins():
    games = [GameResult(1, "us", 10), GameResult(2, None, 12)]
    alone = summary(games, ScenarioInfo("s", "S", ("us",), msg("s")), 1.0)
    opposed = summary(games, ScenarioInfo("s", "S", ("us", "de"), msg("s")), 1.0)
    assert (alone["vittorie"], alone["sconfitte"], alone["pareggi"]) == ({"us": 1}, 1, 0)
    assert "sconfitte" not in opposed
    assert opposed["pareggi"] == 1


def test_a_simulation_is_repeatable(capsys):
    command = ("simula", "--titolo", "prova", "--scenario", "cortile", "--partite", "3", "--json")
    first, second = (json.loads(run(capsys, *command)[1]) for _ in range(2))
    assert first["decisioni"] == second["decisioni"]


def saved(path):
    game = Game(Reference(), "cortile", SeededChance(3))
    players = dict.fromkeys(sides_of(game), "casuale")  # nobody's secrets
    save = SaveFile.create(path, Header(FORMAT, "prova", 1, "cortile", 3, players=players), game)
    for _ in range(9):
        game.answer(game.position.decision.options[0].id)
        save.sync(game)
    return game


def test_a_saved_game_is_replayed_line_by_line(capsys, tmp_path):
    game = saved(tmp_path / "a.prontuario")
    code, out, _err = run(capsys, "replay", str(tmp_path / "a.prontuario"))
    assert code == 0
    assert "prova:1.1" in out
    _code, out, _err = run(capsys, "replay", str(tmp_path / "a.prontuario"), "--json")
    assert json.loads(out)["voci"] == len(game.entries)


def test_a_save_that_diverges_is_a_no(capsys, tmp_path):
    path = tmp_path / "a.prontuario"
    saved(path)
    path.write_text(plain(path.read_text().replace('"u:r1"', '"u:r9"')))
    code, out, _err = run(capsys, "replay", str(path), "--verifica")
    assert code == 1
    assert "non accettano più il seguito" in out


def test_a_damaged_save_is_a_no_that_names_the_line(capsys, tmp_path):
    path = tmp_path / "a.prontuario"
    saved(path)
    path.write_text(path.read_text().replace('"u:r1"', '"u:r9"', 1))
    code, out, _err = run(capsys, "replay", str(path), "--verifica")
    assert code == 1
    assert "La riga 7 è rovinata (righe buone: 6 su" in out


def test_a_forged_roll_is_a_no_that_names_its_entry(capsys, tmp_path):
    path = tmp_path / "a.prontuario"
    saved(path)
    text = plain(path.read_text())
    assert '{"r":["2d6",[6,1]]}' in text
    path.write_text(text.replace('{"r":["2d6",[6,1]]}', '{"r":["2d6",[6,6]]}', 1))
    code, out, _err = run(capsys, "replay", str(path), "--verifica", "--json")
    assert code == 1
    assert "non vengono dai dadi della partita" in json.loads(out)["avvisi"][-1]


def test_a_file_that_is_no_save_names_the_line(capsys, tmp_path):
    (tmp_path / "a").write_text("boh\n")
    code, _out, err = run(capsys, "replay", str(tmp_path / "a"))
    assert code == 1
    assert err.startswith("a:1: ")


def test_a_good_map_has_no_errors(capsys, tmp_path):
    (tmp_path / "m.yaml").write_text(MAP)
    code, out, _err = run(capsys, "valida", str(tmp_path / "m.yaml"), "--titolo", "prova")
    assert (code, out) == (0, "m.yaml: nessun errore.\n")


def test_every_error_of_a_map_has_its_line(capsys, tmp_path):
    (tmp_path / "m.yaml").write_text(MAP.replace(".b#b.", ".bzzb.").replace(".....\n", "...\n"))
    code, out, _err = run(capsys, "valida", str(tmp_path / "m.yaml"), "--titolo", "prova", "--json")
    errors = json.loads(out)
    assert code == 1
    assert len(errors) >= 3
    assert all(error["riga"] > 0 and error["percorso"].startswith("$.mappa") for error in errors)


def test_a_file_without_title_or_without_text_says_what_to_do(capsys, tmp_path):
    (tmp_path / "m.yaml").write_text("nome: x\n")
    assert "aggiungi una riga" in run(capsys, "valida", str(tmp_path / "m.yaml"))[2]
    (tmp_path / "b.yaml").write_bytes(b"\xff\xfe")
    assert "non è un file di testo" in run(capsys, "valida", str(tmp_path / "b.yaml"))[2]
    assert "non esiste" in run(capsys, "valida", str(tmp_path / "manca"))[2]


def test_our_own_mistakes_are_a_sentence_and_a_file(capsys, monkeypatch):
    def fail(_args):
        raise ZeroDivisionError

    monkeypatch.setattr("app.cli.headless.list_titles", fail)
    code, _out, err = run(capsys, "titoli")
    assert code == BROKEN
    assert len(err.splitlines()) == 3
    assert "Prontuario si è fermato per un guasto suo (ZeroDivisionError)." in err
    assert "ZeroDivisionError" in next(paths.faults_folder().iterdir()).read_text()


def test_a_data_file_of_the_user_takes_the_place_of_ours(tmp_path):
    ours = (ROOT / "engine/toi/data/scenarios/toi-s1.yaml").read_text(encoding="utf-8")
    own = tmp_path / "toi" / "scenarios"
    own.mkdir(parents=True)
    changed = ours.replace("nome: Il crocevia di Saint-Aubin", "nome: Il mio crocevia")
    (own / "toi-s1.yaml").write_text(changed, encoding="utf-8")
    done = with_own_data(tmp_path, "titoli")
    assert done.returncode == 0
    assert "Il mio crocevia" in done.stdout
    assert "Il ponte sulla Varenne" in done.stdout


def test_a_faulty_data_file_of_the_user_is_told_with_its_line(tmp_path):
    own = tmp_path / "toi" / "scenarios"
    own.mkdir(parents=True)
    (own / "toi-s1.yaml").write_text("id: toi-s1\nround: otto\n", encoding="utf-8")
    done = with_own_data(tmp_path, "titoli")
    assert done.returncode == 0
    assert "Il crocevia di Saint-Aubin" in done.stdout
    assert "toi-s1.yaml:2: $.round" in done.stderr
    assert "toglilo" in done.stderr
    assert "Traceback" not in done.stderr


def with_own_data(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        env=os.environ | {"PRONTUARIO_DATI": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
