"""The verbs about rules, for people and for scripts."""

from __future__ import annotations

import json

import pytest

from app.cli import verbs as cli
from app.rules import linker
from app.shell import i18n
from rules_it.corpus import CorpusError
from rules_it.search import Results
from tests.app import tiny


@pytest.fixture(autouse=True)
def library(monkeypatch):
    found = tiny.TinyLibrary()
    monkeypatch.setattr("app.cli.consulting.LIBRARY", found)
    monkeypatch.setattr(i18n, "_current", None)
    monkeypatch.setattr(linker, "slugs", tuple)
    return found


def run(capsys, *arguments):
    code: object
    try:
        code = cli.main(list(arguments))
    except SystemExit as stop:
        code = stop.code
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    return code, shown.out, shown.err


# cerca


def test_search_prints_ref_title_citation_and_extract(capsys):
    code, out, _err = run(capsys, "cerca", "fumo")
    assert code == 0
    assert out.splitlines()[:2] == ["toi:fumo  Fumo  (TOI Fumo, p. 47)", "  Il fumo dimezza."]
    assert "ddob:6.3  Risolvere il fuoco  (DDOB 6.3, p. 11)" in out


def test_search_for_scripts_has_the_agreed_shape(capsys):
    code, out, _err = run(capsys, "cerca", "dimezza", "--json")
    assert code == 0
    assert json.loads(out) == [
        {
            "ref": "toi:fumo",
            "titolo": "Fumo",
            "libro": "Tide of Iron",
            "fonte": {"sezione": None, "pagina": "47", "intestazione": "Fumo"},
            "punteggio": 1.0,
            "estratto": "Il fumo dimezza.",
        }
    ]


def test_search_can_be_limited_to_a_title_and_a_number(capsys):
    _code, out, _err = run(capsys, "cerca", "fumo", "--titolo", "ddob", "-n", "1", "--json")
    assert [hit["ref"] for hit in json.loads(out)] == ["ddob:6.32"]


def test_another_spelling_is_offered(capsys):
    assert "Forse cercavi: fumo" in run(capsys, "cerca", "fumoo")[1]


def test_nothing_found_is_no_with_a_sentence(capsys):
    code, out, _err = run(capsys, "cerca", "zzz")
    said = "Nessuna regola risponde a «zzz»: prova con altre parole, o con meno.\n"
    assert (code, out) == (1, said)
    code, out, err = run(capsys, "cerca", "zzz", "--json")
    assert (code, json.loads(out)) == (1, [])
    assert "zzz" in err


@pytest.mark.parametrize("words", ["???", "", '"', "AND OR (", "titolo:[", "*" * 500])
def test_malformed_queries_get_a_sentence(capsys, words):
    code, out, _err = run(capsys, "cerca", words)
    assert code == 1
    assert out.strip()


def test_a_number_that_is_not_there_shows_the_nearest(capsys, library, monkeypatch):
    hits = library.index.search("colpi").hits
    monkeypatch.setattr(library.index, "search", lambda *a, **k: Results(hits, "", "number"))
    code, out, _err = run(capsys, "cerca", "6.39")
    assert code == 0
    assert out.startswith("La regola 6.39 non esiste. Le più vicine:")


@pytest.mark.parametrize(
    "arguments", [("cerca", "x", "-n", "0"), ("cerca",), ("cerca", "x", "-n", "due"), ("regola",)]
)
def test_wrong_usage_is_two(capsys, arguments):
    code, _out, err = run(capsys, *arguments)
    assert code == 2
    assert err.strip()


@pytest.mark.parametrize("verb", [("cerca", "fumo"), ("copertura",)])
def test_an_unknown_title_names_those_there_are(capsys, verb):
    code, _out, err = run(capsys, *verb, "--titolo", "risiko")
    assert code == 2
    assert err == "Il titolo risiko non esiste. Titoli: toi, ddob.\n"


def test_texts_that_cannot_be_opened_are_a_sentence(capsys, library, monkeypatch):
    def broken(*arguments, **named):
        raise CorpusError("ddob/book.yaml: rotto")

    monkeypatch.setattr(library, "open_index", broken)
    monkeypatch.setattr(library, "open_corpus", broken)
    for verb in (("cerca", "fumo"), ("regola", "toi:fumo"), ("copertura",)):
        code, _out, err = run(capsys, *verb)
        assert code == 1
        assert "rotto" in err


# regola


def test_a_rule_is_printed_with_all_that_hangs_on_it(capsys):
    code, out, _err = run(capsys, "regola", "ddob:6.3")
    assert code == 0
    assert out.startswith("Risolvere il fuoco\nDDOB 6.3, p. 11 · D-Day at Omaha Beach ▸ 6. Fuoco")
    for words in (
        "Vedi 6.31 e il movimento.",
        "Non ancora applicata dal motore",
        "Una posizione sola spara una volta.",
        "Regola della casa · Chi sceglie [ddob:casa.01]",
        "Perché: Il libro tace.",
        "- 6.31 Limite dei colpi  ddob:6.31",
        "Chi spara?",
    ):
        assert words in out


def test_a_table_is_printed_as_a_table(capsys):
    out = run(capsys, "regola", "ddob:6.31")[1]
    assert "Tiro | Effetto\n-----+---------\n1-3  | niente\n" in out
    assert "Citata da 1 regola" in out
    assert "FAQ · Quanti colpi con il fumo? [ddob:6.32]" in out


def test_an_anchor_marks_the_sentence_or_the_cell(capsys):
    out = run(capsys, "regola", "ddob:6.3#fumo")[1]
    assert "▶Il fumo non ferma il fuoco; il fumo resta.◀" in " ".join(out.split())
    assert "4-6  | ▶un colpo◀" in run(capsys, "regola", "ddob 6.31#colpi/5/Effetto")[1]
    code, out, err = run(capsys, "regola", "ddob:6.3#nebbia")
    assert (code, out) == (1, "")
    assert "nebbia" in err


def test_marks_are_not_for_scripts(capsys):
    text = json.loads(run(capsys, "regola", "ddob:6.31", "--json")[1])["testo"]
    assert text.startswith("Il tiro decide.\n\n| Tiro | Effetto |")
    assert "{" not in json.loads(run(capsys, "regola", "ddob:6.3", "--json")[1])["testo"]


def test_a_rule_for_scripts(capsys):
    data = json.loads(run(capsys, "regola", "ddob:6.3", "--json")[1])
    assert data["citazione"] == "DDOB 6.3, p. 11"
    assert data["tipo"] == "meccanica"
    assert data["collegamenti"] == ["ddob:6.31", "ddob:7.1"]
    assert data["accanto"] == [{"ref": "ddob:casa.01", "tipo": "casa", "titolo": "Chi sceglie"}]
    assert (data["precedente"], data["successiva"]) == ("ddob:6", "ddob:6.31")
    assert data["motore"]["stato"] == "non_ancora"
    data = json.loads(run(capsys, "regola", "ddob:casa.01", "--json")[1])
    assert (data["tipo"], data["motivo"]) == ("casa", "Il libro tace.")
    assert data["riguarda"] == ["ddob:6.3"]


@pytest.mark.parametrize("name", ["6.31", "DDOB 6.31", "ddob:6.31"])
def test_a_rule_is_found_as_people_name_it(capsys, name):
    assert run(capsys, "regola", name)[1].startswith("Limite dei colpi\n")


def test_reconstructed_figures_are_told(capsys):
    assert "Dato ricostruito" in run(capsys, "regola", "toi:fumo")[1]


def test_an_unknown_ref_offers_the_nearest(capsys):
    code, out, err = run(capsys, "regola", "ddob:6.33")
    assert (code, out) == (1, "")
    assert "La regola ddob:6.33 non esiste. Le più vicine: ddob:6.3" in err
    code, _out, err = run(capsys, "regola", "§§§")
    assert code == 1
    assert err.strip()


# copertura


def test_the_matrix_of_titles_without_an_engine(capsys):
    code, out, _err = run(capsys, "copertura", "--json")
    data = json.loads(out)
    assert code == 0
    assert list(data) == ["toi", "ddob"]
    assert data["ddob"]["regole"] == 6
    assert data["ddob"]["meccaniche"] == 5
    assert data["ddob"]["mancanti"] == []
    assert data["ddob"]["non_ancora"][:2] == ["ddob:6", "ddob:6.3"]
    assert "meccaniche non ancora applicate: 5" in run(capsys, "copertura")[1]


def test_a_registered_title_with_missing_rules_is_no(capsys, monkeypatch, tmp_path):
    (tmp_path / "engine" / "toi").mkdir(parents=True)
    code_file = tmp_path / "engine" / "toi" / "smoke.py"
    code_file.write_text('def smoke(ctx):\n    ctx.cite("fumo")\n', encoding="utf-8")
    monkeypatch.setattr("app.rules.linker.ENGINE", tmp_path / "engine")
    monkeypatch.setattr("app.rules.linker.TESTS", tmp_path / "tests")
    monkeypatch.setattr("app.rules.linker.cache_folder", lambda: tmp_path)
    monkeypatch.setattr(linker, "slugs", lambda: ("toi",))
    monkeypatch.setattr("engine.examples.packaged", lambda slug: ())
    code, out, _err = run(capsys, "copertura", "--titolo", "toi", "--json")
    data = json.loads(out)["toi"]
    assert code == 1
    assert (data["citate"], data["provate"], data["a_mano"]) == (1, 0, 0)
    assert data["mancanti"] == ["toi:bosco"]
    out = run(capsys, "copertura", "--titolo", "toi")[1]
    assert "mancanti: toi:bosco" in out
    assert "I test non sono installati" in out


# regole


def test_without_a_terminal_the_browser_says_what_works(capsys):
    code, out, _err = run(capsys, "regole")
    assert code == 0
    assert "vuole un terminale" in out
    assert "prontuario cerca" in out
