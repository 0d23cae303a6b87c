"""How well the search answers: `python -m tests.rules_it.quality [PATTERN]` prints the figures.

The query files are `queries/*.yaml`: kind, and queries with the refs that answer them. Nobody who
tunes the search reads them; of the `test-` files not even the misses.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from rules_it.build import ensure
from rules_it.corpus import SLUGS, RuleRef, read_yaml
from rules_it.search import Index

QUERIES = Path(__file__).parent / "queries"


class Query(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A query as a player types it, in one title or in all, and the refs that answer it."""

    q: str
    gold: tuple[RuleRef, ...]
    title: str = ""  # a slug; `null` and nothing mean all titles


class Queries(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of queries of one kind."""

    kind: str
    queries: tuple[Query, ...]


class Miss(msgspec.Struct, frozen=True):
    """A query whose answer is not among the first three: what came instead."""

    q: str
    gold: tuple[RuleRef, ...]
    got: tuple[RuleRef, ...]


class Figures(msgspec.Struct):
    """How often the answer is first, among the first three, and the mean of 1/place."""

    n: int = 0
    first: int = 0
    third: int = 0
    reciprocal: float = 0.0
    misses: list[Miss] = []

    def as_dict(self) -> dict[str, Any]:
        """The figures under their usual names."""
        n = max(self.n, 1)
        return {
            "recall@1": self.first / n,
            "recall@3": self.third / n,
            "mrr": self.reciprocal / n,
            "n": self.n,
            "misses": self.misses,
        }


def measure(index: Index, folder: Path, pattern: str = "*.yaml") -> dict[str, dict[str, Any]]:
    """The figures of each kind of query over the files of a folder."""
    found: dict[str, Figures] = {}
    for path in sorted(folder.glob(pattern)):
        file = read_yaml(path, Queries)
        figures = found.setdefault(file.kind, Figures())
        for query in file.queries:
            titles = {query.title} & set(SLUGS)
            got = tuple(hit.ref for hit in index.search(query.q, titles=titles).hits)
            place = min((got.index(ref) + 1 for ref in query.gold if ref in got), default=0)
            figures.n += 1
            figures.first += place == 1
            figures.third += 1 <= place <= 3
            figures.reciprocal += 1 / place if place else 0.0
            if not 1 <= place <= 3:
                figures.misses.append(Miss(query.q, query.gold, got[:3]))
    return {kind: figures.as_dict() for kind, figures in found.items()}


def main(pattern: str = "*.yaml") -> None:
    """Print the figures, without the misses."""
    with tempfile.TemporaryDirectory() as folder:
        index = Index.open(ensure(Path(folder)))
        for kind, figures in measure(index, QUERIES, pattern).items():
            shown = (f"{figures[name]:.3f}" for name in ("recall@1", "recall@3", "mrr"))
            sys.stdout.write(" ".join([f"{kind:12}", *shown, str(figures["n"])]) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
