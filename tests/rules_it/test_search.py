"""The search: on tiny books made for it, then on the real ones."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_it.build import ensure
from rules_it.corpus import HERE, CorpusError
from rules_it.search import Hit, Index

FIXTURE = Path(__file__).parent / "fixture"


@pytest.fixture(scope="session")
def cache(tmp_path_factory) -> Path:
    """A cache that the workers of a parallel run share."""
    shared: Path = tmp_path_factory.getbasetemp().parent / "indexes"
    return shared


@pytest.fixture(scope="session")
def index(cache) -> Index:
    return Index.open(ensure(cache / "fixture", None, FIXTURE))


@pytest.fixture(scope="session")
def real(cache) -> Index:
    return Index.open(ensure(cache / "real"))


def refs(index: Index, query: str, **options) -> list[str]:
    return [hit.ref for hit in index.search(query, **options).hits]


def marked(hit: Hit) -> tuple[list[str], list[str]]:
    title = [hit.title[start:end] for start, end in hit.title_spans]
    return title, [hit.extract[start:end] for start, end in hit.spans]


# --- words --------------------------------------------------------------------------------------


def test_the_title_counts_most(index):
    assert refs(index, "bosco")[0] == "toi:terreno.bosco"
    assert refs(index, "limite colpi")[0] == "ddob:6.31"


def test_other_forms_of_the_words_are_found(index):
    assert refs(index, "mortai minime distanze")[0] == "toi:fuoco.mortaio"
    assert refs(index, "l’esagono bloccato")[0].startswith("toi:")


def test_a_question_of_the_rule_leads_to_it(index):
    assert refs(index, "Quanto vicino può tirare un mortaio?")[0] == "toi:fuoco.mortaio"
    assert refs(index, "quante unità colpisce la posizione?")[0] == "ddob:6.31"


def test_synonyms_work_both_ways(index):
    assert "ddob:6" in refs(index, "sparare", titles=["ddob"])
    assert "toi:fuoco.mortaio" in refs(index, "fire", titles=["toi"])
    assert refs(index, "line of sight") == refs(index, "los")
    assert "toi:fuoco.visuale" in refs(index, "los")


def test_an_alias_works_one_way(index):
    assert "ddob:6" in refs(index, "tiro", titles=["ddob"])
    assert refs(index, "vedersi")[0] == "toi:fuoco.visuale"
    assert "toi:fuoco.mortaio" not in refs(index, "compagnia", titles=["toi"])


def test_a_word_of_one_title_means_nothing_in_the_others(index):
    assert refs(index, "pinned")[0] == "toi:faq.mortaio"
    assert "ddob:6.3" not in refs(index, "pinned")
    assert refs(index, "plotone", titles=["ddob"]) == ["ddob:6.3"]
    assert "toi:fuoco.visuale" in refs(index, "plotone", titles=["toi"])


def test_an_abbreviation_typed_small_is_found(index):
    assert refs(index, "ce") == ["ddob:6.4.carri"]


def test_the_last_word_may_be_unfinished_while_typing(index):
    assert refs(index, "distanza mor", typing=True)[0] == "toi:fuoco.mortaio"
    assert refs(index, "confus") == []
    assert "ddob:6.4.carri" in refs(index, "confus", typing=True)
    assert index.search("confus", typing=True).corrected == ""


# --- slips ---------------------------------------------------------------------------------------


def test_a_slip_is_corrected_and_reported(index):
    results = index.search("distanza  del motraio?")
    assert results.corrected == "distanza del mortaio?"
    assert results.hits[0].ref == "toi:fuoco.mortaio"


def test_known_words_are_never_corrected(index):
    for query in ("porta", "portata", "fire", "vedersi", "plotone", "CE"):
        assert index.search(query).corrected == ""


def test_two_slips_are_reported_in_their_places(index):
    assert index.search("sqadra e boscco").corrected == "squadra e bosco"


# --- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query", ["6.3", "ddob 6.3", "regola 6,3", "§6.3", "cosa dice la 6.3?", "punto 6.3"]
)
def test_a_number_comes_first_and_its_children_next(index, query):
    assert refs(index, query)[:2] == ["ddob:6.3", "ddob:6.31"]


def test_a_number_among_words_still_comes_first(index):
    assert refs(index, "carri 6.31 in confusione")[0] == "ddob:6.31"
    assert refs(index, "6.3 limite dei colpi")[:2] == ["ddob:6.3", "ddob:6.31"]


def test_the_words_beside_a_number_say_which_book_is_meant(real):
    assert refs(real, "5.1 controlli di sbarco")[:2] == ["ddob:5.1", "aslsk:5.1"]
    assert refs(real, "5.1 experience level")[:2] == ["aslsk:5.1", "ddob:5.1"]


def test_a_ref_or_an_alias_comes_first(index):
    assert refs(index, "toi:terreno.pista")[0] == "toi:terreno.strada"
    assert refs(index, "6.39")[0] == "ddob:6.31"


def test_a_wrong_number_shows_the_nearest_and_says_so(index):
    results = index.search("ddob 6.35")
    assert results.note == "number"
    assert results.hits[0].ref == "ddob:6.3"


def test_the_title_filter_holds_for_numbers_too(index):
    assert refs(index, "6.31", titles=["toi"]) == ["toi:fuoco.visuale"]


# --- filters -------------------------------------------------------------------------------------


def test_filters_keep_titles_and_kinds(index):
    assert {ref.partition(":")[0] for ref in refs(index, "fuoco", titles=["ddob"])} == {"ddob"}
    assert refs(index, "mortaio", kinds=["faq"]) == ["toi:faq.mortaio"]
    assert refs(index, "albero", kinds=["casa"]) == ["toi:casa.07"]
    assert refs(index, "bosco", titles=["ddob"], kinds=["definizione"]) == []


def test_a_title_named_in_the_query_is_a_filter(index):
    assert {ref.partition(":")[0] for ref in refs(index, "fuoco in Tide of Iron")} == {"toi"}
    assert {ref.partition(":")[0] for ref in refs(index, "ddob fuoco")} == {"ddob"}


def test_the_limit_is_kept(index):
    assert len(refs(index, "fuoco", limit=2)) == 2
    assert refs(index, "fuoco", limit=0) == []


# --- nothing to answer ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("?!()[]*:\"'", "empty"),
        ("come si può?", "common"),
        ("zzzzzzzz", "nothing"),
    ],
)
def test_no_answer_has_a_reason(index, query, note):
    results = index.search(query)
    assert (results.hits, results.note) == ((), note)


@given(st.text(max_size=60))
def test_no_query_raises(index, query):
    results = index.search(query, typing=True)
    assert results.hits or results.note


@pytest.mark.parametrize(
    "query", ["AND OR NOT", "title:", "a*b?", "(((", "6.", "..", "'", "x" * 5000]
)
def test_the_syntax_of_other_engines_is_only_words(index, query):
    index.search(query)


def test_a_folder_without_a_whole_index_is_named(index, cache, tmp_path):
    with pytest.raises(CorpusError, match=tmp_path.name):
        Index.open(tmp_path)
    tables = ensure(cache / "fixture", None, FIXTURE) / "search.bin"
    (tmp_path / "search.bin").write_bytes(tables.read_bytes())
    with pytest.raises(CorpusError, match=tmp_path.name):
        Index.open(tmp_path)


# --- what is shown -------------------------------------------------------------------------------


def test_spans_mark_words_and_their_synonyms_in_plain_text(index):
    hit = index.search("sparare los", titles=["toi"]).hits[0]
    title, extract = marked(hit)
    assert hit.ref == "toi:fuoco.visuale"
    assert title == ["linea", "vista"]
    assert extract == ["spara", "linea", "vista"]
    assert "*" not in hit.extract
    assert "[" not in hit.extract


def test_a_long_text_is_cut_around_what_was_asked(real):
    hit = next(h for h in real.search("toi filo spinato").hits if len(h.extract) > 150)
    assert len(hit.extract) <= 182
    assert any(word.startswith("fil") for word in marked(hit)[1])


def test_threads_get_the_same_answers(real, cache):
    queries = ["mortaio distanza", "chi può assaltare", "fumo", "6.31", "linea di vista"] * 4
    alone = [refs(real, query) for query in queries]
    fresh = Index.open(ensure(cache / "real"))
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda query: refs(fresh, query), queries)) == alone


WITHOUT_THE_FUNCTION = """
import asyncio, sys
from pathlib import Path
vars(asyncio).pop("iscoroutinefunction", None)
from rules_it.search import Index
sys.exit(not Index.open(Path(sys.argv[1])).search("mortaio").hits)
"""


def test_asyncio_may_lose_what_whoosh_asks_of_it(index, cache):
    folder = ensure(cache / "fixture", None, FIXTURE)
    command = [sys.executable, "-W", "error", "-c", WITHOUT_THE_FUNCTION, str(folder)]
    run = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


# --- the real books ------------------------------------------------------------------------------


def test_every_number_of_a_numbered_book_comes_first(real):
    for slug, book in real.corpus.books.items():
        if book.info.numbered:
            for rule in book.rules:
                number = rule.id.partition(":")[2]
                if not number[0].isdigit():
                    continue
                assert refs(real, number, titles=[slug], limit=1) == [rule.id]
                assert refs(real, f"{slug} {number}", limit=1) == [rule.id]


def test_nearly_every_title_finds_its_rule(real):
    missed = []
    for entry in real.corpus.entries.values():
        found = real.search(entry.title, titles=[entry.id.partition(":")[0]], limit=3).hits
        missed += [entry.id] if entry.title not in [hit.title for hit in found] else []
    assert len(missed) <= 0.01 * len(real.corpus.entries), missed


@pytest.mark.parametrize(
    ("query", "title", "ref"),
    [
        ("distanza minima mortai", "toi", "toi:miniature.mortaio.minima"),
        ("quante unita in un esagono", "toi", "toi:accentramento.limite"),
        ("flamethrower", "aslsk", "aslsk:4.2"),
        ("impantanato", "aslsk", "aslsk:2.0.bog"),
        ("nascosto all'inizio", "aslsk", "aslsk:2.0.hip"),
        ("camppo minnato", "toi", "toi:ostacoli.mine"),
        ("opfire", "toi", "toi:fuoco-op.innesco"),
        ("pinned", "toi", "toi:condizioni.bloccata"),
        ("mine in acqua", "ddob", "ddob:5.14"),
        ("due unità nello stesso esagono", "warfare", "warfare:stacking.limite"),
    ],
)
def test_players_words_find_the_rule(real, query, title, ref):
    assert ref in refs(real, query, titles=[title], limit=3)
