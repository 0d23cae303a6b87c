"""The search over the real books: what must be first, what must never break."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_it.build import ensure
from rules_it.corpus import Corpus
from rules_it.search import Index
from tests.rules_it import quality


@pytest.fixture(scope="session")
def index(tmp_path_factory):
    folder = ensure(Path(tmp_path_factory.getbasetemp().parent / "indice"))
    return Index.open(folder, Corpus.load(folder))


def refs(index, query, **how):
    return [hit.ref for hit in index.search(query, **how).hits]


@pytest.mark.parametrize("number", ["ddob:6.31", "ddob:16.2", "aslsk:3.2.2.1", "aslsk:7.10"])
def test_a_rule_number_is_always_first(index, number):
    book, _colon, locator = number.partition(":")
    assert refs(index, f"{book} {locator}")[0] == number
    assert refs(index, locator, titles=(book,))[0] == number


@pytest.mark.parametrize(
    ("query", "ref"),
    [
        ("fuoco di opportunità", "toi:azione.prepara-op"),
        ("limite di accentramento", "toi:accentramento.limite"),
        ("cowering", "aslsk:2.0.cowering"),
    ],
)
def test_the_rule_itself_is_found_by_its_name(index, query, ref):
    assert ref in refs(index, query)[:5]


def test_plural_and_singular_find_the_same(index):
    one, many = refs(index, "mortaio", titles=("toi",)), refs(index, "mortai", titles=("toi",))
    assert set(one[:5]) & set(many[:5])


def test_a_lost_accent_does_not_matter(index):
    assert refs(index, "unita") == refs(index, "unità")


def test_a_typing_error_is_corrected_and_said(index):
    results = index.search("esagno adiacente")
    assert results.corrected is not None
    assert "esagono" in results.corrected
    assert results.hits


def test_the_title_filter_holds(index):
    found = refs(index, "assalto", titles=("warfare",))
    assert found
    assert all(ref.startswith("warfare:") for ref in found)


def test_not_and_against_are_words(index):
    assert refs(index, "non può sparare") != refs(index, "può sparare")


@pytest.mark.parametrize(
    "query",
    ["", "   ", '"', "((", "*", "a AND OR", "\\", "ref:", "🙂", "x" * 5000, "\x00", "di il la"],
)
def test_no_query_breaks_the_search(index, query):
    results = index.search(query)
    assert isinstance(results.hits, tuple | list)


def test_highlights_are_spans_inside_the_extract(index):
    for hit in index.search("fumo visuale").hits:
        for start, end in hit.spans:
            assert 0 <= start < end <= len(hit.extract)
            assert hit.extract[start:end].strip()


def test_the_search_keeps_its_quality(index):
    """Floors a little under what was measured, so that a change for the worse is seen."""
    floors = {
        "keywords": 0.9,
        "inflected": 0.85,
        "typo": 0.85,
        "no_accents": 0.9,
        "english": 0.9,
        "questions": 0.8,
        "synonyms": 0.6,
        "numbers": 0.95,
    }
    found = quality.measure(index, quality.QUERIES)
    low = {k: f["recall@3"] for k, f in found.items() if f["recall@3"] < floors[k]}
    assert low == {}
