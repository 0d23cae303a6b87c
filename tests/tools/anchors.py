"""Citations that do not say which sentence or cell of a longer rule they applied.

    python -m tests.tools.anchors toi [RULE]   # its sentences, where it is cited bare

A rule is longer if it has more than two sentences or a table. What counts as a citation is what
the linker counts: a locator among the arguments of a call in the rules of a title.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from app.rules.linker import _LOCATOR, _calls, _literals
from rules_it.corpus import SENTENCE, Block, Corpus

ROOT = Path(__file__).parents[2]
FEW = 2


def parts(block: Block) -> Iterator[tuple[str, str]]:
    """The sentences of a block, each with its anchor if it has one; a table is one part."""
    if block.kind == "table":
        yield block.name, "{table}"
        return
    for row in block.rows:
        for cell in row:
            text, anchors = "".join(span.text for span in cell), []
            at = 0
            for span in cell:
                anchors.append((at, span.anchor))
                at += len(span.text)
            begun = 0
            for stop in [*(found.end() for found in SENTENCE.finditer(text)), len(text)]:
                said = text[begun:stop].strip()
                if said:
                    names = {name for place, name in anchors if begun <= place < stop and name}
                    yield "/".join(sorted(names)), said
                begun = stop


def is_long(corpus: Corpus, ref: str) -> bool:
    """Whether a citation of a rule should say what of it was applied."""
    entry = corpus.entry(ref)
    if entry is None:
        return False
    found = [part for block in corpus.blocks(entry.text, ref) for part in parts(block)]
    return len(found) > FEW or any(said == "{table}" for _, said in found)


def bare(corpus: Corpus, slug: str) -> Iterator[tuple[str, str]]:
    """Longer rules that are cited as a whole, each with the place."""
    for path in sorted((ROOT / "engine" / slug / "rules").rglob("*.py")):
        for call, function in _calls(path.read_text(encoding="utf-8")):
            for literal in _literals(call):
                if "#" in literal or not _LOCATOR.fullmatch(literal):
                    continue
                ref = corpus.canonical(literal if ":" in literal else f"{slug}:{literal}")
                if ref is not None and is_long(corpus, ref):
                    yield ref, f"{path.name}:{call.lineno} {function}"


def main(slug: str, wanted: str = "") -> None:
    """Print the rules that are cited bare, or one rule with all its sentences."""
    corpus = Corpus.read()
    found: dict[str, list[str]] = {}
    for ref, place in bare(corpus, slug):
        found.setdefault(ref, []).append(place)
    for ref, places in found.items():
        if wanted in ("", ref, ref.partition(":")[2]):
            sys.stdout.write(f"{ref}\n")
            for block in corpus.blocks(corpus.entries[ref].text, ref):
                for anchor, said in parts(block):
                    sys.stdout.write(f"    {'#' + anchor if anchor else '-'} {said}\n")
            sys.stdout.writelines(f"  {place}\n" for place in places)
    sys.stdout.write(f"{sum(map(len, found.values()))} citations of {len(found)} rules\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
