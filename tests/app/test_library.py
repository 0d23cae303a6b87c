"""Opening texts and index: once, at once, and without holding anybody up."""

from __future__ import annotations

from threading import Event

import pytest

from app.rules import library
from rules_it import build
from rules_it.corpus import CorpusError
from tests.app import tiny


@pytest.fixture
def compiled(tmp_path, monkeypatch):
    """A folder as `build.ensure` would give it, without Whoosh."""
    tiny.corpus().save(tmp_path)
    monkeypatch.setattr("rules_it.search.Index.open", lambda folder, corpus: tiny.TinyIndex(corpus))
    return tmp_path


def test_texts_and_index_are_opened_once(compiled, monkeypatch):
    calls = []

    def ensure(cache, progress, command):
        calls.append(cache)
        progress(1, 2)
        return compiled

    monkeypatch.setattr(build, "ensure", ensure)
    shelf = library.Library()
    told = []
    index = shelf.open_index(lambda done, of: told.append((done, of)))
    assert index is not None
    assert index is shelf.open_index()
    assert shelf.open_corpus() is index.corpus
    assert index.corpus.citation("toi:fumo") == "TOI Fumo, p. 47"
    assert len(calls) == 1
    assert told == [(1, 2)]


def test_while_the_index_is_made_the_texts_are_there_without_it(compiled, monkeypatch):
    made = Event()

    def ensure(cache, progress, command):
        assert made.wait(10)
        return compiled

    sources = tiny.corpus()
    monkeypatch.setattr(build, "ensure", ensure)
    monkeypatch.setattr(build, "open_texts", lambda cache: sources)
    shelf = library.Library()
    assert shelf.open_corpus() is sources
    assert shelf.open_index(patience=0.01) is None
    made.set()
    index = shelf.open_index()
    assert index is not None
    assert index.corpus is sources


def test_what_went_wrong_is_told_and_the_next_call_tries_again(compiled, monkeypatch):
    def broken(cache, progress, command):
        raise CorpusError("rotto")

    monkeypatch.setattr(build, "ensure", broken)
    shelf = library.Library()
    with pytest.raises(CorpusError, match="rotto"):
        shelf.open_index()
    monkeypatch.setattr(build, "ensure", lambda cache, progress, command: compiled)
    assert shelf.open_index() is not None


def test_who_opens_only_the_texts_makes_no_index(monkeypatch):
    monkeypatch.setattr(build, "ensure", lambda *given, **named: pytest.fail("an index is made"))
    monkeypatch.setattr(build, "open_texts", lambda cache: tiny.corpus())
    found = library.Library().open_corpus(alone=True)
    assert found.citation("toi:fumo") == "TOI Fumo, p. 47"
