"""The four books: complete, sound, linked."""

from __future__ import annotations

import msgspec
import pytest

from rules_it import check
from rules_it.check import faults, inventory_of
from rules_it.corpus import SLUGS, BookInfo, Corpus, HouseRuling, Rule, RuleRef, Source, Term
from rules_it.tables import Drawing, Drawings
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


INFO = BookInfo("toi", "Tide of Iron", "TOI", "prima", {"R": "Regolamento"}, False)
GOOD = Rule(
    RuleRef("toi:a"),
    "Una regola",
    "definizione",
    Source("R", heading="Regole"),
    "Un testo lungo abbastanza per decidere. Vedi [[toi:a]].",
)


def replaced(**changes):
    return msgspec.structs.replace(GOOD, **changes)


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        (replaced(kind="poesia"), "tipo poesia"),
        (replaced(source=Source("Z", heading="x")), "libro Z"),
        (replaced(source=Source("R")), "neither sezione nor intestazione"),
        (replaced(text="Breve."), "too short"),
        (replaced(kind="meccanica"), "0 domande"),
        (replaced(kind="faq", questions=("Uno?", "Due?")), "riguarda missing"),
        (replaced(title="Una regola."), "ends with a stop"),
        (replaced(see=(RuleRef("toi:b"),)), "unknown ref toi:b"),
        (replaced(see=(RuleRef("toi:a"),)), "sees itself"),
        (replaced(examples=("perchè no",)), "spelling, write perché"),
        (replaced(text="Un testo lungo abbastanza per decidere.\n\n{tabella: x}"), "neither typed"),
        (replaced(questions=("Sì?", "sì?")), "the question stands 2 times"),
        (replaced(aliases=(RuleRef("toi:a"),)), "defined 2 times"),
        (replaced(aliases=(RuleRef("ddob:1"),)), "not a ref of toi"),
    ],
)
def test_each_fault_of_a_rule_is_told(rule, fault, monkeypatch):
    book = check.Written("toi", INFO, (rule,), (), (), Drawings())
    monkeypatch.setattr(check, "written", lambda slug: book)
    (told,) = faults("toi")
    assert fault in told


def test_each_fault_of_a_book_is_told(monkeypatch):
    ruling = HouseRuling(RuleRef("toi:casa.01"), "x", "Si fa così.", " ", (RuleRef("toi:z"),))
    terms = (Term("Squadra", definition=RuleRef("toi:z")), Term("squadra"))
    drawings = Drawings({"t": Drawing(("units",), ("x",), (("y",),))})
    book = check.Written("toi", INFO, (GOOD,), (ruling,), terms, drawings)
    monkeypatch.setattr(check, "written", lambda slug: book)
    assert list(faults("toi", {"toi:a", "toi:m"})) == [
        "toi:m: in the inventory, not in the corpus",
        "toi:casa.01: text or reason missing",
        "toi:casa.01: riguarda unknown toi:z",
        "glossario Squadra: unknown toi:z",
        "glossario squadra: listed 2 times",
        "tabelle t: named by 0 texts",
    ]
