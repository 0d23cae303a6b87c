"""Anchors join citations in the code to sentences and cells of the texts: neither side alone."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from app.rules.linker import passage
from rules_it.corpus import ANCHOR, HERE, SLUGS, Corpus
from tests.tools.anchors import bare

ROOT = Path(__file__).parents[2]
CITED = re.compile(r"(?:[a-z]+:)?[a-z0-9_]+(?:[.-][a-z0-9_]+)*#\S.*")


@cache
def corpus() -> Corpus:
    return Corpus.read()


def anchors_in(slug: str, folder: Path | None = None) -> Iterator[tuple[str, str]]:
    """The anchors of a title's code, with the place of each: any text that is written like one."""
    for path in sorted((folder or ROOT / "engine" / slug).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Constant(value=str(said)) if CITED.fullmatch(said):
                    name = said if ":" in said else f"{slug}:{said}"
                    yield name, f"{path.name}:{node.lineno}"


def faults_of(anchor: str) -> Iterator[str]:
    """What is wrong with an anchor of the code."""
    found = passage(corpus(), anchor)
    if found is None:
        yield f"{anchor}: the texts have nothing of that name"
        return
    _, _, cell = anchor.partition("#")[2].partition("/")
    row, _, column = cell.partition("/")
    for part, place in ((row, found.row), (column, found.column)):
        if part and not part.startswith("{") and place < 0:
            yield f"{anchor}: the table has no {part}"


@pytest.mark.parametrize("slug", SLUGS)
def test_every_anchor_of_the_code_is_in_the_texts(slug):
    found = dict(anchors_in(slug))
    assert len(found) >= 5
    assert [f"{found[name]} {fault}" for name in found for fault in faults_of(name)] == []


@pytest.mark.parametrize("slug", SLUGS)
def test_every_anchor_of_the_texts_is_cited_once_written_once(slug):
    cited = {name for name, _ in anchors_in(slug)}
    for entry in corpus().entries.values():
        if entry.id.startswith(f"{slug}:"):
            for name, times in Counter(ANCHOR.findall(entry.text)).items():
                assert times == 1, f"{entry.id}#{name} is written twice"
                assert f"{entry.id}#{name}" in cited, f"{entry.id}#{name} is cited nowhere"


@pytest.mark.parametrize("slug", SLUGS)
def test_a_longer_rule_is_cited_by_its_sentence_or_its_cell(slug):
    assert list(bare(corpus(), slug)) == []


@pytest.mark.parametrize("slug", SLUGS)
def test_a_brace_in_a_text_is_an_anchor_or_a_table(slug):
    """A mark that is misspelt would be read by people."""
    for path in sorted((HERE / slug).glob("[0-9]*.yaml")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("      ") and "{" in line and not line.lstrip().startswith("- {"):
                left = re.sub(r"\{tabella: [a-z0-9-]+\}", "", ANCHOR.sub("", line))
                assert "{" not in left, f"{path.name}: {line.strip()}"


def test_what_is_wrong_is_found(tmp_path):
    (tmp_path / "fire.py").write_text('ctx.cite("3.2.3#colona", "x")\nx = "a # b"\n')
    assert list(anchors_in("aslsk", tmp_path)) == [("aslsk:3.2.3#colona", "fire.py:1")]
    assert list(faults_of("aslsk:3.2.3#colona"))
    assert list(faults_of("aslsk:3.2.3#ift/44x"))
    assert list(faults_of("aslsk:3.2.3#ift/4/9"))
    assert list(faults_of("aslsk:3.2.3#ift/{dr}/8")) == []


def test_the_syntax_is_documented():
    text = (ROOT / "docs" / "corpus-format.md").read_text(encoding="utf-8")
    for syntax in ("{#dimezza}", "#tabella/riga/colonna", "{tabella: ift}", "tabelle.yaml"):
        assert syntax in text
