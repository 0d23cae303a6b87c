"""«What can I do?»: the open question, explained from its own data and a text for its id."""

from __future__ import annotations

import io

import pytest

from app.play.citing import quote_from
from app.play.primer import explanations, in_lines, primer
from app.play.table import Table
from app.play.text_mode import Dialogue
from app.shell import i18n
from engine.titles import TITLES
from rules_it.corpus import Corpus
from tests.app.tables import ACTION, TARGET, VERB, session_at, session_of

WAYS = (("A", "chiede un consiglio"),)


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


def lines_of(session, quote=None):
    table = Table(session)
    table.presenter.use(table.view)
    found = primer(table, WAYS, quote) if quote is not None else primer(table, WAYS)
    return list(in_lines(found))


def test_who_is_asked_and_the_sentence_of_the_rule_come_first(tmp_path):
    lines = lines_of(session_at(tmp_path, ACTION), quote_from(Corpus.read()))
    assert lines[0] == "A chi si chiede, e perché:"
    assert lines[1].startswith("  USA: Quale azione?")
    assert lines[1].endswith("[toi:azione.otto]")
    assert lines[2].startswith("  «")


def test_verbs_are_explained_one_by_one(tmp_path):
    lines = lines_of(session_at(tmp_path, VERB))
    told = explanations("toi")[VERB].answers
    assert f"  «Avanzata»: {told['b:avanzata']}" in lines


def test_what_is_forbidden_is_told_by_reason_with_its_rule(tmp_path):
    session = session_at(tmp_path, ACTION)
    assert session.decision.refused
    lines = lines_of(session)
    at = lines.index("Che cosa è vietato adesso:")
    assert "[toi:" in lines[at + 1]


def test_things_on_the_table_are_named_and_the_rest_is_counted(tmp_path):
    session = session_at(tmp_path, ACTION)
    units = [o for o in session.decision.options if o.kind == "unit"]
    assert len(units) > 6
    lines = lines_of(session)
    [row] = [line for line in lines if line.startswith("  Un'unità: ")]
    assert row.endswith(f"e altri {len(units) - 6}")


def test_the_keys_come_last(tmp_path):
    assert lines_of(session_at(tmp_path, TARGET))[-2:] == [
        "Come si fa:",
        "  A: chiede un consiglio",
    ]


def test_where_nothing_is_asked_here_that_is_told(tmp_path):
    lines = lines_of(session_at(tmp_path, ACTION, us="casuale", de="casuale"))
    assert lines[0] == "Adesso non ti si chiede niente:"
    assert "programma" in lines[1]


def test_a_question_without_a_text_is_still_explained(tmp_path, monkeypatch):
    monkeypatch.setattr("app.play.primer.explanations", lambda slug: {})
    lines = lines_of(session_at(tmp_path, ACTION))
    assert "Che cosa puoi rispondere:" in lines
    assert "Che cosa vuol dire:" not in lines


def test_a_title_without_texts_has_none():
    assert explanations("nessuno") == {}
    assert explanations("../toi") == {}


@pytest.mark.parametrize("slug", TITLES)
def test_every_title_explains_its_first_question(slug, tmp_path):
    scenario = TITLES[slug].scenarios()[0].id
    session = session_of(tmp_path, slug, scenario)
    about = explanations(slug)[session.decision.id]
    assert f"  {about.text}" in lines_of(session)


def test_the_dialogue_explains_the_question_when_asked(tmp_path):
    out = io.StringIO()
    typed = iter(["?", "aiuto", "q"])
    Dialogue(session_at(tmp_path, ACTION), lambda: next(typed), out).run()
    said = " ".join(out.getvalue().split())
    assert said.count(explanations("toi")[ACTION].text) == 2
