"""Where engine refs meet texts: cited, exercised, by hand, missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from app.rules import linker
from app.rules.linker import Passage
from app.rules.page import page_of
from engine.core.files import OWN_DATA, our_file
from engine.core.rules import Book
from rules_it.corpus import Corpus
from tests.app import tiny

CODE = '''
"""Implements 6.32: prose does not cite."""
LIMIT = "6.32"


def fire(ctx):
    ctx.cite("6.3", "a sentence that is no ref")
    ctx.do(Hit(refs=("6.31",)), "casa.01" if ctx.late else "7.1")


class Move:
    def why_not(self, ctx):
        ctx.require(["ddob:6.3"], ref="toi:fumo")
'''
DATA = """
tabelle:
  - {id: perdite, ref: "6.31"}
  # ref: 6.32
  - id: carte
    ref: [6, nessuna]
"""
SCOPE = """
a_mano:
  - ref: ddob:6.32
    motivo: La risposta non cambia il gioco.
"""
TEST = """
import pytest

@pytest.mark.rule("ddob:6.3", "ddob:6.31")
def test_fire(): ...

@pytest.mark.rule("toi:fumo")
def test_other_book(): ...

def rule(x): ...
rule("ddob:7.1")
"""
EXAMPLE = """
titolo: ddob
id: spiaggia
nome: Sulla spiaggia
refs: [ddob:6]
posizione: {}
passi:
  - {rispondi: "b:fuoco", cita: [ddob:7.1]}
"""


@pytest.fixture
def corpus():
    return tiny.corpus()


@pytest.fixture
def engine(tmp_path, monkeypatch):
    """A title `ddob` with some code, data, scope, tests and an example."""
    folder = tmp_path / "engine" / "ddob"
    (folder / "data" / "examples").mkdir(parents=True)
    (folder / "fire.py").write_text(CODE, encoding="utf-8")
    (folder / "data" / "tables.yaml").write_text(DATA, encoding="utf-8")
    (folder / "scope.yaml").write_text(SCOPE, encoding="utf-8")
    example = folder / "data" / "examples" / "spiaggia.yaml"
    example.write_text(EXAMPLE, encoding="utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_fire.py").write_text(TEST, encoding="utf-8")
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setattr(linker, "ENGINE", tmp_path / "engine")
    monkeypatch.setattr(linker, "TESTS", tmp_path / "tests")
    monkeypatch.setattr("engine.examples.packaged", lambda slug: (example,))
    monkeypatch.setattr(linker, "slugs", lambda: ("ddob",))
    monkeypatch.setattr(linker, "cache_folder", lambda: tmp_path)
    return folder


def test_literals_among_the_arguments_of_calls_cite(corpus, engine):
    cited = linker.links(corpus, "ddob").cited
    assert [str(place) for place in cited["ddob:6.3"]] == [
        "engine/ddob/fire.py:fire",
        "engine/ddob/fire.py:Move.why_not",
    ]
    assert [str(place) for place in cited["ddob:6.31"]] == [
        "engine/ddob/fire.py:fire",
        "engine/ddob/data/tables.yaml",
    ]
    assert set(cited) == {"ddob:6", "ddob:6.3", "ddob:6.31", "ddob:7.1", "ddob:casa.01"}


def test_a_rule_says_what_the_engine_does_with_it(corpus, engine):
    assert linker.status(corpus, "ddob:6.3").state == "applicata"
    by_hand = linker.status(corpus, "ddob:6.32")
    assert (by_hand.state, by_hand.reason) == ("a_mano", "La risposta non cambia il gioco.")
    assert linker.status(corpus, "ddob:7.2").state == ""
    assert [played.name for played in linker.status(corpus, "ddob:6").examples] == [
        "Sulla spiaggia"
    ]


def test_the_matrix_counts_and_finds_what_is_missing(corpus, engine):
    (engine / "fire.py").write_text('ctx.cite("6.3")', encoding="utf-8")
    matrix = linker.coverage(corpus, "ddob")
    assert matrix.mechanics == ("ddob:6", "ddob:6.3", "ddob:6.31", "ddob:6.32", "ddob:7.1")
    assert matrix.missing == ("ddob:7.1",)
    assert matrix.exercised == ("ddob:6", "ddob:6.3", "ddob:6.31", "ddob:7.1")
    assert matrix.kinds == {"meccanica": 3, "tabella": 1, "faq": 1, "definizione": 1}
    assert linker.status(corpus, "ddob:7.1").state == "mancante"


def test_an_answer_to_a_question_is_applied_as_the_rules_that_it_concerns_are(corpus, engine):
    (engine / "scope.yaml").write_text("a_mano: []", encoding="utf-8")
    assert "ddob:6.32" not in linker.coverage(corpus, "ddob").missing
    assert linker.status(corpus, "ddob:6.32").state == ""


def test_an_answer_to_a_question_is_missing_where_such_a_rule_is(corpus, engine):
    (engine / "scope.yaml").write_text("a_mano: []", encoding="utf-8")
    (engine / "fire.py").write_text('ctx.cite("6.3")', encoding="utf-8")
    (engine / "data" / "tables.yaml").unlink()
    assert {"ddob:6.31", "ddob:6.32"} <= set(linker.coverage(corpus, "ddob").missing)


def test_without_tests_at_hand_examples_alone_are_exercise(corpus, engine, tmp_path):
    (tmp_path / "pyproject.toml").unlink()
    assert not linker.has_tests()
    assert set(linker.exercised(corpus, "ddob")) == {"ddob:6", "ddob:7.1"}


def test_a_title_without_an_engine_is_not_scanned_and_nothing_is_missing(corpus, engine):
    matrix = linker.coverage(corpus, "toi")
    assert not matrix.is_registered
    assert matrix.mechanics == ("toi:fumo", "toi:bosco")
    assert (matrix.cited, matrix.missing) == ((), ())
    assert linker.status(corpus, "toi:fumo").state == "non_ancora"


def test_an_unknown_ref_is_an_error(corpus, engine):
    with pytest.raises(KeyError):
        linker.status(corpus, "ddob:99")


def test_a_broken_example_does_not_stop_the_matrix(corpus, engine):
    (engine / "data" / "examples" / "spiaggia.yaml").write_text("titolo: [", encoding="utf-8")
    assert "ddob:6.31" in linker.exercised(corpus, "ddob")


def test_a_scan_is_kept_until_a_file_changes(corpus, engine, monkeypatch):
    first = linker.scanned("ddob")
    with monkeypatch.context() as patch:
        patch.setattr(linker, "scan", None)
        assert linker.scanned("ddob") == first
        linker.prepare("ddob")
    (engine / "fire.py").write_text('ctx.cite("7.2")', encoding="utf-8")
    assert "7.2" in dict(linker.scanned("ddob").cited)


def test_a_damaged_scan_is_made_again(corpus, engine, tmp_path):
    linker.scanned("ddob")
    (tmp_path / "motore-ddob.bin").write_bytes(b"rotto")
    assert "6.31" in dict(linker.scanned("ddob").cited)


def test_a_scan_can_be_prepared_in_another_process(tmp_path, monkeypatch):
    """Python's parser must not run in a thread beside the screen."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    linker.prepare("toi")
    monkeypatch.setattr(linker, "scan", None)
    assert linker.scanned("toi").stamp


def test_the_linker_needs_no_screen():
    code = (
        "import sys, app.rules.linker; sys.exit(any(m.startswith('textual') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Passages


def test_an_anchor_finds_its_sentence_or_its_cell(corpus):
    assert linker.passage(corpus, "ddob:6.3#fumo") == Passage("fumo")
    assert linker.passage(corpus, "ddob:6.31#colpi/5/Effetto") == Passage("", "colpi", 1, 1)
    assert linker.passage(corpus, "ddob:6.31#colpi/1-3") == Passage("", "colpi", 0, -1)
    assert linker.passage(corpus, "ddob:6.31#colpi") == Passage("", "colpi")
    assert linker.passage(corpus, "ddob:6.31#colpi/9/Effetto") == Passage("", "colpi", -1, 1)
    for unknown in ("ddob:6.3", "ddob:6.3#nebbia", "ddob:6.31#danni/1", "ddob:99#fumo"):
        assert linker.passage(corpus, unknown) is None


def test_the_facts_of_a_message_choose_the_cell(corpus):
    book = Book("ddob")
    ruling = book(("6.31#colpi/{dr}/Effetto", "6.3#fumo"), "hit with {dr}", dr=2)
    assert ruling.refs == ("ddob:6.31", "ddob:6.3")
    assert linker.passages(corpus, ruling, "ddob:6.31") == (Passage("", "colpi", 0, 1),)
    assert linker.passages(corpus, ruling, "ddob:6.3") == (Passage("fumo"),)


def test_the_page_marks_what_is_cited(corpus):
    def marked(anchor):
        found = linker.passage(corpus, anchor)
        page = page_of(corpus, anchor.partition("#")[0], cited=(found,))
        runs = (
            run for s in page.sections for p in s.parts for row in p.rows for c in row for run in c
        )
        return "".join(run.text for run in runs if run.is_cited)

    assert marked("ddob:6.3#fumo") == "Il fumo non ferma il fuoco; il fumo resta."
    assert marked("ddob:6.31#colpi/6/Effetto") == "un colpo"
    assert marked("ddob:6.31#colpi/6") == "4-6un colpo"
    assert marked("ddob:6.31#colpi/99/Effetto") == "Effettonienteun colpo"
    assert marked("ddob:6.31#colpi") == ""


def test_an_anchored_locator_cites_its_rule(corpus, engine):
    (engine / "fire.py").write_text('ctx.cite("6.3#fumo")', encoding="utf-8")
    assert "ddob:6.3" in linker.links(corpus, "ddob").cited


def test_a_table_shows_the_users_own_data(tmp_path, monkeypatch):
    real = Corpus.read()
    own = tmp_path / "aslsk" / "ift.yaml"
    own.parent.mkdir()
    ours = our_file("aslsk/ift.yaml").read_text(encoding="utf-8")

    def cell():
        table = next(p for p in page_of(real, "aslsk:3.2.3").sections[0].parts if p.kind == "table")
        return table.rows[5][5][0].text

    assert cell() == "2MC"
    monkeypatch.setenv(OWN_DATA, str(tmp_path))
    own.write_text(ours.replace("4: [NMC, 1MC, 1MC, 2MC, 2MC", "4: [NMC, 1MC, 1MC, 2MC, 9KIA"))
    assert cell() == "9KIA"
    own.write_text("righe: []")
    assert cell() == "2MC"
