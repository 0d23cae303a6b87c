"""The corpus: refs, links, contents, markup, and the folder that holds its compiled form."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml

from app.shell.child import command
from rules_it import build, check
from rules_it import corpus as texts
from rules_it.corpus import (
    HERE,
    SLUGS,
    Block,
    Chapter,
    Corpus,
    CorpusError,
    Node,
    Rule,
    RuleRef,
    Span,
    blocks,
    plain,
    read_yaml,
)

FIXTURE = Path(__file__).parent / "fixture"
INVENTORY = Path(__file__).parent / "inventory"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus.read(FIXTURE)


@pytest.fixture(scope="module")
def real() -> Corpus:
    return Corpus.read()


# --- what people type ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("6.31", "ddob:6.31"),
        ("ddob 6.31", "ddob:6.31"),
        ("DDOB 6.31", "ddob:6.31"),
        ("ddob:6.31", "ddob:6.31"),
        ("§ 6,31.", "ddob:6.31"),
        ("6.3.1", "ddob:6.31"),
        ("regola 6.31 di Omaha Beach", "ddob:6.31"),
        ("cosa dice la 6.31?", "ddob:6.31"),
        ("6.39", "ddob:6.31"),
        ("ddob6.31", "ddob:6.31"),
        ("n.6.31", "ddob:6.31"),
        ("art. 6.31", "ddob:6.31"),
        ("6.4 carri", "ddob:6.4.carri"),
        ("toi:fuoco.mortaio", "toi:fuoco.mortaio"),
        ("fuoco.mortaio", "toi:fuoco.mortaio"),
        ("toi:terreno.pista", "toi:terreno.strada"),
        ("casa 7", "toi:casa.07"),
        ("6.32", None),
        ("toi 6.31", None),
        ("", None),
        ("???", None),
    ],
)
def test_what_people_type_names_an_entry(corpus, text, ref):
    assert corpus.resolve(text) == ref


def test_a_number_of_two_books_names_two_entries(real):
    assert real.candidates("5.1") == ("ddob:5.1", "aslsk:5.1")
    assert real.resolve("5.1") is None
    assert real.resolve("aslsk 5.1") == "aslsk:5.1"


def test_a_number_without_entry_leads_to_what_stands_below_it(corpus):
    assert corpus.candidates("6.4") == ()
    assert corpus.below("6.4") == ("ddob:6.4.carri",)
    assert corpus.below("ddob 6.3") == ("ddob:6.31",)
    assert corpus.below("") == ()


def test_a_wrong_ref_leads_to_the_nearest(corpus):
    assert corpus.nearest("ddob 6.35")[:2] == ("ddob:6.3", "ddob:6.31")
    assert "toi:fuoco.mortaio" in corpus.nearest("toi:fuoco.mortai")


def test_an_alias_opens_its_entry(corpus):
    entry = corpus.entry("toi:terreno.pista")
    assert isinstance(entry, Rule)
    assert entry.id == "toi:terreno.strada"
    assert corpus.entry("toi:terreno.nulla") is None


# --- links ------------------------------------------------------------------------------------


def test_links_come_from_vedi_from_the_text_and_from_bare_numbers(corpus):
    assert corpus.links("toi:fuoco.visuale") == ("toi:fuoco.mortaio", "toi:terreno.bosco")
    assert corpus.links("ddob:6") == ("ddob:6.31",)
    assert corpus.links("ddob:6.4.carri") == ("ddob:6.31",)
    assert corpus.links("toi:terreno.bosco") == ("toi:terreno.strada",)


def test_backlinks_are_links_turned_round(corpus):
    assert corpus.backlinks("ddob:6.39") == ("ddob:6", "ddob:6.4.carri")
    assert corpus.backlinks("toi:nulla") == ()


def test_faq_and_house_rulings_stand_beside_what_they_touch(corpus):
    assert [entry.id for entry in corpus.about("toi:fuoco.mortaio")] == ["toi:faq.mortaio"]
    assert [entry.id for entry in corpus.about("toi:terreno.bosco")] == ["toi:casa.07"]
    assert corpus.about("toi:fuoco.visuale") == ()


# --- order ------------------------------------------------------------------------------------


def test_contents_nest_by_number_only_where_the_book_has_numbers(corpus):
    (chapter,) = corpus.contents("ddob")
    limit = Node("Limite dei colpi", RuleRef("ddob:6.31"))
    resolve = Node("Risolvere il fuoco", RuleRef("ddob:6.3"), (limit,))
    tanks = Node("Carri in confusione", RuleRef("ddob:6.4.carri"))
    assert chapter.children == (
        Node("La fase del fuoco tedesco", RuleRef("ddob:6"), (resolve, tanks)),
    )
    assert [node.title for node in corpus.contents("toi")] == ["Fuoco", "Terreno"]
    assert all(not rule.children for node in corpus.contents("toi") for rule in node.children)


def test_in_a_book_with_dots_ten_does_not_stand_under_one(real):
    assert real.parent("aslsk:7.10") != "aslsk:7.1"
    assert real.parent("ddob:6.31") == "ddob:6.3"


def test_stepping_stays_in_the_book(corpus):
    assert corpus.step("toi:fuoco.visuale") == "toi:fuoco.mortaio"
    assert corpus.step("toi:terreno.pista", -1) == "toi:terreno.bosco"
    assert corpus.step("toi:casa.07") is None
    assert corpus.step("ddob:6", -1) is None


@pytest.mark.parametrize(
    ("ref", "citation"),
    [
        ("ddob:6.31", "DDOB 6.31, p. 12"),
        ("toi:fuoco.visuale", "TOI Combattimento, p. 20"),
        ("toi:fuoco.mortaio", "TOI (C) Mortai, p. 3"),
        ("toi:terreno.bosco", "TOI Terreni"),
        ("toi:casa.07", "TOI casa 07"),
    ],
)
def test_a_citation_names_book_place_and_page(corpus, ref, citation):
    assert corpus.citation(ref) == citation


# --- text -------------------------------------------------------------------------------------


def test_markup_becomes_plain_data():
    text = "Uno **due** tre.\n\n- a\n- b\n\n1. c\n\n| x | y |\n| --- | --- |\n| [[toi:a|p]] | 2 |"
    paragraph, bullets, numbers, table = blocks(text)
    assert paragraph == Block(
        "paragraph", (((Span("Uno "), Span("due", bold=True), Span(" tre.")),),)
    )
    assert bullets == Block("bullets", (((Span("a"),),), ((Span("b"),),)))
    assert numbers == Block("numbers", (((Span("c"),),),))
    assert table.rows == (
        ((Span("x"),), (Span("y"),)),
        ((Span("p", ref=RuleRef("toi:a")),), (Span("2"),)),
    )


def test_a_list_may_follow_its_paragraph_at_once():
    assert [block.kind for block in blocks("Sono:\n- uno\n- due\nE basta.")] == [
        "paragraph",
        "bullets",
        "paragraph",
    ]


def test_a_link_without_words_shows_number_or_title(corpus):
    shown = plain(corpus.blocks("[[ddob:6.31]] e [[ddob:6.4.carri]]", "ddob:6"))
    assert shown == "6.31 e Carri in confusione"


def test_a_bare_number_is_a_link_only_if_the_rule_exists(corpus):
    spans = [s for s in corpus.blocks("In 6.31, non 6.32.", "ddob:6")[0].rows[0][0] if s.ref]
    assert spans == [Span("6.31", ref=RuleRef("ddob:6.31"))]
    assert all(s.ref is None for s in corpus.blocks("In 6.31.", "toi:x")[0].rows[0][0])


def test_bold_may_hold_a_link(corpus):
    span = corpus.blocks("**[[toi:terreno.bosco|bosco]]**", "toi:x")[0].rows[0][0][0]
    assert span == Span("bosco", bold=True, ref=RuleRef("toi:terreno.bosco"))


def test_defined_words_are_found_where_used(corpus):
    text = "Le squadre in linea di vista (LOS), non los: la linea conta."
    found = [(text[start:end], term.term) for start, end, term in corpus.terms_in(text, "toi")]
    assert found == [
        ("squadre", "squadra"),
        ("linea di vista", "linea di vista"),
        ("LOS", "linea di vista"),
        ("linea", "linea"),
    ]


# --- files ------------------------------------------------------------------------------------


def test_every_scalar_is_text(tmp_path):
    path = tmp_path / "01-x.yaml"
    path.write_text(
        "capitolo: no\nregole: [{id: toi:a, titolo: 0101, tipo: x, fonte: {libro: R}, testo: 1.10}]"
    )
    chapter = read_yaml(path, Chapter)
    assert (chapter.title, chapter.rules[0].title, chapter.rules[0].text) == ("no", "0101", "1.10")


@pytest.mark.parametrize(
    "text", ["a: 1\na: 2", "capitolo: x", "capitolo: x\nregole: []\nz: 1", "["]
)
def test_a_bad_file_is_named(tmp_path, text):
    path = tmp_path / "01-x.yaml"
    path.write_text(text)
    with pytest.raises(CorpusError, match=r"01-x\.yaml"):
        read_yaml(path, Chapter)


def test_without_libyaml_the_texts_read_the_same(corpus, tmp_path, monkeypatch):
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    monkeypatch.setattr(texts, "_text_loader", texts._text_loader.__wrapped__)
    assert Corpus.read(FIXTURE).books == corpus.books
    test_a_bad_file_is_named(tmp_path, "a: 1\na: 2")


def test_the_compiled_form_says_the_same(corpus, tmp_path):
    corpus.save(tmp_path)
    loaded = Corpus.load(tmp_path)
    assert loaded.books == corpus.books
    assert {r: loaded.links(r) for r in loaded.entries} == {
        r: corpus.links(r) for r in corpus.entries
    }


def test_a_missing_or_broken_compiled_form_is_named(tmp_path):
    with pytest.raises(CorpusError, match=r"corpus\.bin"):
        Corpus.load(tmp_path)
    (tmp_path / "corpus.bin").write_bytes(b"\x00")
    with pytest.raises(CorpusError, match=r"corpus\.bin"):
        Corpus.load(tmp_path)


# --- folders ----------------------------------------------------------------------------------


@pytest.fixture
def sources(tmp_path) -> Path:
    return Path(shutil.copytree(FIXTURE, tmp_path / "sources"))


def test_a_fresh_folder_is_used_again_and_a_changed_text_makes_a_new_one(sources, tmp_path):
    heard: list[tuple[int, int]] = []
    first = build.ensure(tmp_path / "cache", lambda done, of: heard.append((done, of)), sources)
    assert heard[-1] == (10, 10)
    heard.clear()
    rule = sources / "ddob" / "06-fuoco.yaml"
    os.utime(rule, (1, 1))
    assert build.ensure(tmp_path / "cache", lambda *step: heard.append(step), sources) == first
    assert not heard
    rule.write_text(rule.read_text().replace("Limite dei colpi", "Tetto dei colpi"))
    second = build.ensure(tmp_path / "cache", None, sources)
    assert second != first
    entry = Corpus.load(second).entry("ddob:6.31")
    assert entry is not None
    assert entry.title == "Tetto dei colpi"


def test_a_failed_build_leaves_nothing_and_says_why(sources, tmp_path):
    (sources / "toi" / "01-fuoco.yaml").write_text("capitolo: x")
    with pytest.raises(CorpusError, match=r"01-fuoco\.yaml"):
        build.ensure(tmp_path / "cache", None, sources)
    assert list((tmp_path / "cache" / "regole").iterdir()) == []


def test_a_build_in_a_process_of_its_own_tells_how_far_it_is_and_what_went_wrong(sources, tmp_path):
    heard: list[tuple[int, int]] = []

    def hear(done: int, of: int) -> None:
        heard.append((done, of))

    made = build.ensure(tmp_path / "cache", hear, sources, command)
    assert Corpus.load(made).entries
    assert heard[-1] == (10, 10)
    (sources / "toi" / "01-fuoco.yaml").write_text("capitolo: x")
    with pytest.raises(CorpusError, match=r"01-fuoco\.yaml"):
        build.ensure(tmp_path / "cache", None, sources, command)


def test_two_builds_at_once_leave_one_whole_folder(sources, tmp_path):
    with ThreadPoolExecutor() as pool:
        made = list(pool.map(lambda _: build.ensure(tmp_path / "c", None, sources), range(2)))
    assert made[0] == made[1]
    assert {path.name for path in made[0].iterdir()} == {
        "corpus.bin",
        "search.bin",
        "whole.json",
        "whoosh",
    }
    assert [p.name for p in made[0].parent.iterdir() if p.name.startswith(".new")] == []


def test_the_texts_alone_are_compiled_once_and_again_when_they_change(
    sources, tmp_path, monkeypatch
):
    first = build.open_texts(tmp_path / "cache", sources)
    kept = next((tmp_path / "cache" / "regole").iterdir())
    with monkeypatch.context() as patch:
        patch.setattr(Corpus, "read", lambda folder: pytest.fail("the sources are read"))
        assert build.open_texts(tmp_path / "cache", sources).entries == first.entries
    (kept / "corpus.bin").write_bytes(b"rotto")
    assert build.open_texts(tmp_path / "cache", sources).entries == first.entries
    rule = sources / "ddob" / "06-fuoco.yaml"
    rule.write_text(rule.read_text().replace("Limite dei colpi", "Tetto dei colpi, forse"))
    entry = build.open_texts(tmp_path / "cache", sources).entry("ddob:6.31")
    assert entry is not None
    assert entry.title == "Tetto dei colpi, forse"


@pytest.mark.skipif(sys.platform == "win32", reason="modes are a matter of POSIX")
def test_a_folder_that_others_can_write_is_refused(sources, tmp_path):
    folder = build.ensure(tmp_path / "cache", None, sources)
    folder.chmod(0o777)
    with pytest.raises(CorpusError, match="others can write"):
        build.ensure(tmp_path / "cache", None, sources)


def test_opening_and_asking_loads_no_yaml(sources, tmp_path):
    folder = build.ensure(tmp_path / "cache", None, sources)
    script = (
        "import sys; from pathlib import Path; from rules_it.build import ensure;"
        "from rules_it.search import Index;"
        f"folder = ensure(Path({str(tmp_path / 'cache')!r}), None, Path({str(sources)!r}));"
        "hits = Index.open(folder).search('mortaio').hits;"
        "sys.exit(not hits or 'yaml' in sys.modules)"
    )
    assert folder.is_dir()
    assert subprocess.run([sys.executable, "-c", script], cwd=HERE.parent).returncode == 0


# --- the real books ---------------------------------------------------------------------------


@pytest.mark.parametrize("slug", SLUGS)
def test_the_book_keeps_the_house_rules_and_its_inventory(slug):
    assert list(check.faults(slug, check.inventory_of(slug, INVENTORY))) == []


def test_every_ref_of_the_corpus_resolves(real):
    for ref, entry in real.entries.items():
        refs = [*entry.about, *(entry.see if isinstance(entry, Rule) else ())]
        spans = (s for b in real.blocks(entry.text, ref) for row in b.rows for c in row for s in c)
        refs += [span.ref for span in spans if span.ref]
        assert [other for other in refs if real.canonical(other) is None] == [], ref


def test_every_entry_is_in_the_contents_once(real):
    def refs(nodes):
        return [r for n in nodes for r in ([n.ref] if n.ref else []) + refs(n.children)]

    for slug, book in real.books.items():
        assert sorted(refs(real.contents(slug))) == sorted(rule.id for rule in book.rules)
