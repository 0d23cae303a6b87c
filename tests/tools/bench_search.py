"""The search against SQLite FTS5 with stemmed columns on the same corpus, and how well it finds."""

from __future__ import annotations

import compileall
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from app.shell.paths import cache_folder
from rules_it import build
from rules_it.corpus import Corpus, Rule, read_yaml
from rules_it.search import Index
from tests.rules_it import quality

ROOT = Path(__file__).parents[2]
QUERIES = ROOT / "tests" / "rules_it" / "queries"

BARE = """
import sys
from pathlib import Path
from whoosh import index
from whoosh.query import Or, Term
found = index.open_dir(sys.argv[1], readonly=True)
with found.searcher() as searcher:
    field = next(iter(searcher.schema.names()))
    list(searcher.search(Or([Term(field, "fum"), Term(field, "spar")]), limit=10))
"""


def percentiles(times: list[float]) -> tuple[float, float]:
    """The median and the 95th of a hundred, in milliseconds."""
    ordered = sorted(times)
    return statistics.median(ordered) * 1000, ordered[int(len(ordered) * 0.95)] * 1000


def fts5(corpus: Corpus, index: Index) -> sqlite3.Connection:
    """The same texts in SQLite, stemmed by the same analyzer."""
    base = sqlite3.connect(":memory:")
    base.execute("create virtual table rules using fts5(ref unindexed, title, body)")
    stems = index.analyzer.stems
    for ref, entry in corpus.entries.items():
        questions = entry.questions if isinstance(entry, Rule) else ()
        body = " ".join([corpus.plain(ref), *entry.words, *questions])
        row = (ref, " ".join(stems(entry.title)), " ".join(stems(body)))
        base.execute("insert into rules values (?, ?, ?)", row)
    return base


def warm() -> dict[str, Any]:
    """Warm queries, ours and SQLite's interleaved; typos apart."""
    folder = build.ensure(cache_folder())
    corpus = Corpus.load(folder)
    index = Index.open(folder, corpus)
    base = fts5(corpus, index)
    ours: dict[str, list[float]] = {"plain": [], "typo": []}
    theirs: list[float] = []
    files = [read_yaml(path, quality.Queries) for path in sorted(QUERIES.glob("*.yaml"))]
    queries = [(file.kind, query.q) for file in files for query in file.queries]
    for number, (kind, text) in enumerate(queries):
        if number < 5:
            index.search(text)
        begun = time.perf_counter()
        index.search(text)
        ours["typo" if kind == "typo" else "plain"].append(time.perf_counter() - begun)
        words = [word for word in index.analyzer.stems(text) if word.isalnum()]
        if words:
            begun = time.perf_counter()
            asked = " OR ".join(f'"{word}"' for word in words)
            sql = "select ref from rules where rules match ? order by rank limit 10"
            base.execute(sql, (asked,)).fetchall()
            theirs.append(time.perf_counter() - begun)
    p50, p95 = percentiles(ours["plain"])
    typo50, _typo95 = percentiles(ours["typo"])
    ref50, ref95 = percentiles(theirs)
    return {
        "p50_ms": p50,
        "p95_ms": p95,
        "fts5_p50_ms": ref50,
        "fts5_p95_ms": ref95,
        "ratio_p50": p50 / ref50,
        "ratio_p95": p95 / ref95,
        "ratio_typo": typo50 / ref50,
        "goal": "3, 6, 10",
    }


def cold() -> dict[str, Any]:
    """`prontuario cerca` from process start, against a bare process that asks Whoosh once."""
    folder = build.ensure(cache_folder())
    ours, bare = [], []
    for _ in range(9):
        begun = time.perf_counter()
        command = [str(ROOT / ".venv/bin/prontuario"), "cerca", "sparare", "dal", "fumo"]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        ours.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        command = [sys.executable, "-c", BARE, str(folder / "whoosh")]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        bare.append(time.perf_counter() - begun)
    mine, theirs = statistics.median(ours), statistics.median(bare)
    return {"seconds": mine, "bare_seconds": theirs, "ratio": mine / theirs, "goal": "<= 1.2"}


def rule() -> dict[str, Any]:
    """`prontuario regola` against `prontuario cerca`, in CPU time of cold processes; from this
    checkout and from a copy laid out as an installed package."""
    build.ensure(cache_folder())
    with tempfile.TemporaryDirectory() as folder:
        installed = lay_out(Path(folder))
        found: dict[str, Any] = {"goal": "ratio <= 1.3 in both"}
        for name, root in (("checkout", ROOT), ("installed", installed)):
            times: dict[str, list[float]] = {"regola": [], "cerca": []}
            for _ in range(10):  # interleaved; the first of each only warms the caches
                for verb, asked in (("regola", "ddob:6.31"), ("cerca", "sparare dal fumo")):
                    times[verb].append(cpu_seconds(root, verb, asked))
            one, other = (statistics.median(times[verb][1:]) for verb in ("regola", "cerca"))
            found[name] = {"regola_s": one, "cerca_s": other, "ratio": one / other}
    return found


def lay_out(folder: Path) -> Path:
    """The packages as a wheel carries them: texts, index and catalogs compiled."""
    for package in ("app", "engine", "rules_it"):
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, folder / package, ignore=skipped)
    shutil.copytree(build.ensure(cache_folder()), folder / "rules_it" / "_compiled")
    for source in (ROOT / "locale").rglob("*.po"):
        target = folder / "app" / source.relative_to(ROOT).with_suffix(".mo")
        target.parent.mkdir(parents=True)
        with source.open("rb") as po, target.open("wb") as mo:
            write_mo(mo, read_po(po))
    compileall.compile_dir(str(folder), quiet=2)
    return folder


def cpu_seconds(root: Path, *words: str) -> float:
    """What a verb costs from process start to end, run with the packages of a folder."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "app", *words]
    subprocess.run(command, cwd=root, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def found() -> dict[str, Any]:
    """Recall and rank by kind of query, own set and held-out set apart."""
    folder = build.ensure(cache_folder())
    index = Index.open(folder, Corpus.load(folder))
    return {
        name: {
            kind: {key: value for key, value in figures.items() if key != "misses"}
            for kind, figures in quality.measure(index, QUERIES, f"{name}-*.yaml").items()
        }
        for name in ("dev", "test")
    }
