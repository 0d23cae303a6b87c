"""Tables that are drawn from the engine's data: the same cells, and never twice."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rules_it.corpus import (
    HERE,
    SLUGS,
    Corpus,
    CorpusError,
    blocks,
    data_folder,
    read_book,
    read_data,
    read_yaml,
    without_marks,
)
from rules_it.tables import TABLE, Drawings, is_row, markdown, span

BOOKS = {slug: read_yaml(HERE / slug / "tabelle.yaml", Drawings) for slug in SLUGS}
DRAWN = [(slug, name) for slug, book in BOOKS.items() for name in book.tables]


@cache
def corpus() -> Corpus:
    return Corpus.read()


def ours(slug: str, file: str) -> Any:
    return read_data(data_folder(HERE / slug) / f"{file}.yaml")


def changes(node: Any) -> Iterator[None]:
    """Change some data in one place after another: each value, and each key of a mapping."""
    places = list(node.items() if isinstance(node, dict) else enumerate(node))
    for key, value in places:
        if isinstance(value, dict | list):
            yield from changes(value)
        else:
            is_number = re.fullmatch(r"-?\d+", value or "")
            node[key] = str(int(value) + 1) if is_number else f"{value} bis"
            yield
            node[key] = value
    if isinstance(node, dict):
        for key, value in places:
            del node[key]
            yield
            node[key] = value


def draw(drawings: Drawings, name: str, data: dict[str, Any]) -> list[list[str]]:
    return drawings.draw(name, data.__getitem__)


@pytest.mark.parametrize(("slug", "name"), DRAWN)
def test_a_changed_value_changes_the_table(slug, name):
    drawings = BOOKS[slug]
    files = drawings.tables[name].files
    before = drawings.draw(name, lambda file: ours(slug, file))
    data = {file: copy.deepcopy(ours(slug, file)) for file in files}
    for _ in (change for content in data.values() for change in changes(content)):
        try:
            if draw(drawings, name, data) != before:
                return
        except LookupError:
            pass  # what was changed is the name of a record
    pytest.fail("no value of its data shows in it")


@pytest.mark.parametrize(("slug", "name"), DRAWN)
def test_a_drawn_table_is_named_by_one_rule_and_stands_there_as_drawn(slug, name):
    rules = [r for r in corpus().books[slug].rules if f"{{tabella: {name}}}" in r.text]
    assert len(rules) == 1
    block = next(b for b in blocks(rules[0].text) if b.name == name)
    shown = [["".join(span.text for span in cell) for cell in row] for row in block.rows]
    drawn = BOOKS[slug].draw(name, lambda file: ours(slug, file))
    assert shown == [[cell.replace("**", "") for cell in row] for row in drawn]


def test_every_table_that_a_text_names_has_its_rows():
    for book in corpus().books.values():
        for rule in book.rules:
            named = TABLE.findall(rule.text)
            found = [block.name for block in blocks(rule.text) if block.name]
            assert named == found, rule.id
            assert all(len(b.rows) > 1 for b in blocks(rule.text) if b.kind == "table"), rule.id


def test_one_cell_of_the_data_is_one_cell_of_the_table():
    data = {"ift": copy.deepcopy(ours("aslsk", "ift"))}
    before = draw(BOOKS["aslsk"], "ift", data)
    data["ift"]["righe"]["4"][4] = "9KIA"
    after = draw(BOOKS["aslsk"], "ift", data)
    changed = [
        (row, column)
        for row, (old, new) in enumerate(zip(before, after, strict=True))
        for column, (was, now) in enumerate(zip(old, new, strict=True))
        if was != now
    ]
    assert changed == [(5, 5)]
    assert (before[5][0], before[0][5], after[5][5]) == ("4", "8", "9KIA")


# --- the syntax -------------------------------------------------------------------------------

DATA: dict[str, Any] = {
    "tavola": {
        "costi": {"bosco": "2", "acqua": "-1", "prato": "0"},
        "fasce": ["6", "12"],
        "tiri": [
            {"da": "0", "a": "6", "neri": "9", "rossi": "9"},
            {"da": "7", "a": "99", "neri": "8", "rossi": "7"},
        ],
        "pezzi": [{"id": "carro", "moto": "5", "armi": ["MG", "AT"]}, {"id": "camion", "armi": []}],
        "gradi": {"a": {"nome": "alto", "giù": "b"}, "b": {"nome": "basso"}},
        "dado": ["0", "0", "4"],
    }
}


def table(*rows: Any, head: list[str], **more: Any) -> list[list[str]]:
    import msgspec

    raw = {"file": ["tavola"], "testa": head, "righe": list(rows), **more}
    drawings = msgspec.convert({"tabelle": {"prova": raw}}, Drawings)
    return drawings.draw("prova", DATA.__getitem__)[1:]


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("{costi.bosco}", "2"),
        ("{costi.bosco+} e {costi.acqua+} e {costi.prato+}", "+2 e -1 e 0"),
        ("{pezzi.carro.moto}", "5"),
        ("{pezzi.camion.moto|fermo}", "fermo"),
        ("{pezzi.camion.armi|nessuna}", "nessuna"),
        ("{pezzi.carro.armi}", "MG, anticarro"),
        ("{tiri.0.neri / tiri.0.rossi}", "9"),
        ("{tiri.1.neri / tiri.1.rossi}", "8/7"),
        ("{tiri.0.da ~ tiri.0.a}", "0-6"),
        ("{tiri.-1.da ~ tiri.-1.a}", "7+"),
        ("{gradi.a > giù}", "alto → basso"),
        ("{costi.bosco e costi.niente e costi.acqua}", "2 e -1"),
        ("{dado.corse}", "1-2: 0, 3: 4"),
        ("{fasce.bande}", "0-6, 7-12"),
        ("{costi.chiavi}", "bosco, acqua, prato"),
    ],
)
def test_a_hole_is_filled_with_what_the_data_say(cell, shown):
    assert table([cell], head=["x"], parole={"armi.AT": "anticarro"}) == [[shown]]


def test_a_row_for_each_item_and_for_each_value():
    each = {"per": "tiri", "celle": ["{da ~ a}", "{neri}"]}
    assert table(each, head=["a", "b"]) == [["0-6", "9"], ["7+", "8"]]
    many = {"per": "pezzi", "celle": ["{chiave}", "{armi.*|–}"]}
    assert table(many, head=["a", "b", "c"]) == [["1", "MG", "AT"], ["2", "–", "–"]]
    groups = {"gruppi": ["costi"], "celle": ["{valore}", "{chiavi}"]}
    assert table(groups, head=["a", "b"])[0] == ["-1", "acqua"]
    band = {"per": "fasce", "celle": ["{valore}", "{tiri.@valore.neri}"]}
    assert table(band, head=["a", "b"]) == [["6", "9"], ["12", "8"]]
    assert table(["{fasce.bande_aperte.*}"], head=["a", "b", "c"]) == [["0-6", "7-12", "13+"]]


@pytest.mark.parametrize("cell", ["{costi.palude}", "{pezzi.aereo.moto}", "{tiri.5.da}"])
def test_what_the_data_lack_is_a_fault_that_names_the_table(cell, tmp_path):
    with pytest.raises(LookupError):
        table([cell], head=["x"])
    book = tmp_path / "rules_it" / "toi"
    book.mkdir(parents=True)
    data = tmp_path / "engine" / "toi" / "data"
    data.mkdir(parents=True)
    (data / "tavola.yaml").write_text("costi: {bosco: 2}\npezzi: []\ntiri: []\n", encoding="utf-8")
    named = f'tabelle:\n  prova: {{file: [tavola], testa: [x], righe: [["{cell}"]]}}\n'
    (book / "tabelle.yaml").write_text(named, encoding="utf-8")
    (book / "01-x.yaml").write_text(
        "capitolo: x\nregole:\n  - id: toi:x\n    titolo: x\n    tipo: tabella\n"
        "    fonte: {libro: R}\n    testo: |\n      Testo.\n\n      {tabella: prova}\n",
        encoding="utf-8",
    )
    with pytest.raises(CorpusError, match=r"01-x\.yaml: tabella prova"):
        read_book(book)


def test_rows_of_different_lengths_are_a_fault():
    with pytest.raises(LookupError, match="cells"):
        table(["a", "b"], head=["x"])


def test_a_band_as_people_read_it():
    assert (span("1", "1"), span("7", "12"), span("55", "999")) == ("1", "7-12", "55+")


@pytest.mark.parametrize(
    ("label", "held", "beside"),
    [
        ("7-12", "9", "13"),
        ("≤0", "-2", "1"),
        ("≥15", "17", "14"),
        ("55+", "60", "54"),
        ("1 o meno", "0", "2"),
        ("7 o più", "7", "6"),
        ("0, 3-6", "4", "2"),
        ("fino a 25", "20", "26"),
        ("Open Ground", "open ground", "bosco"),
    ],
)
def test_a_row_speaks_of_the_values_in_its_band(label, held, beside):
    assert is_row(label, held)
    assert not is_row(label, beside)


# --- in the texts -----------------------------------------------------------------------------


def test_a_typed_table_may_have_a_name_and_marks_are_not_read():
    text = "Prima.\n\n{tabella: esiti}\n| Dado | Esito |\n| --- | --- |\n| 1 | {#male}male |\n"
    found = blocks(text)
    assert [(block.kind, block.name) for block in found] == [("paragraph", ""), ("table", "esiti")]
    assert found[1].rows[1][1][0].anchor == "male"
    shown = without_marks(text)
    assert "{" not in shown
    assert shown.count("|") == text.count("|")
    assert markdown([["Dado", "Esito"], ["1", "male"]]) in shown


def test_an_anchor_holds_for_its_sentence():
    text = (
        "Prima cosa. {#meta}Poi **dimezza** secondo 3.2.2. Infine somma, ecc. e basta.{#fine}Ora."
    )
    spans = blocks(text)[0].rows[0][0]
    said: dict[str, str] = {}
    for part in spans:
        said[part.anchor] = said.get(part.anchor, "") + part.text
    assert said["meta"] == "Poi dimezza secondo 3.2.2."
    assert said["fine"] == "Ora."
    assert said[""] == "Prima cosa.  Infine somma, ecc. e basta."


def test_the_index_reads_the_words_of_a_drawn_table():
    assert "novembre 1942" in corpus().plain("aslsk:4.4.1")
    assert "{" not in "".join(corpus().plain(ref) for ref in corpus().entries)


def test_the_build_depends_on_the_data(tmp_path):
    from rules_it.build import source_files

    assert Path(data_folder(HERE / "aslsk") / "ift.yaml") in source_files(HERE)
    assert HERE / "tables.py" in source_files(HERE)
