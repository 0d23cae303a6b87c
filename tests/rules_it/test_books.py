"""The four books: complete, sound, linked."""

from __future__ import annotations

import pytest

from rules_it.check import faults, inventory_of
from rules_it.corpus import SLUGS, Corpus
from tests.conftest import INVENTORY


@pytest.fixture(scope="module")
def corpus():
    return Corpus.read()


@pytest.mark.parametrize("slug", SLUGS)
def test_every_id_of_the_inventory_is_in_the_book(slug, corpus):
    wanted = inventory_of(slug, INVENTORY)
    assert wanted
    assert [ref for ref in sorted(wanted) if corpus.entry(ref) is None] == []


@pytest.mark.parametrize("slug", SLUGS)
def test_the_book_has_no_faults(slug):
    assert list(faults(slug, inventory_of(slug, INVENTORY))) == []


def test_every_link_leads_somewhere(corpus):
    lost = [(ref, to) for ref in corpus.entries for to in corpus.links(ref) if not corpus.entry(to)]
    assert lost == []


def test_links_can_be_followed_back(corpus):
    ref = next(ref for ref in corpus.entries if corpus.links(ref))
    target = corpus.links(ref)[0]
    assert ref in corpus.backlinks(target)


@pytest.mark.parametrize(
    ("typed", "ref"),
    [
        ("ddob 6.31", "ddob:6.31"),
        ("DDOB 6.31", "ddob:6.31"),
        ("aslsk:3.2.2.1", "aslsk:3.2.2.1"),
        ("toi:fumo.blocca", "toi:fumo.blocca"),
        ("aslsk:2.0.tpbf", "aslsk:2.0.pbf"),
    ],
)
def test_what_people_type_is_resolved(corpus, typed, ref):
    assert corpus.resolve(typed) == ref


def test_an_unknown_ref_has_neighbours(corpus):
    assert corpus.resolve("ddob:6.399") is None
    assert any(ref.startswith("ddob:6.3") for ref in corpus.nearest("ddob:6.399"))


def test_house_rulings_stand_beside_the_rules_they_touch(corpus):
    assert "ddob:casa.14" in [entry.id for entry in corpus.about("ddob:6.31")]


def test_a_citation_names_book_number_and_page(corpus):
    assert corpus.citation("ddob:6.31").startswith("DDOB 6.31, p.")
