"""Rules made wrong in one point each: how many of them do the tests notice?

    python -m tests.tools.mutants --kind logic --sample 40 --seed 1 [--title aslsk]

The sample is spread evenly over the titles and their rule modules, and is the same for the same
seed and sources. A mutant meets the tests of its title that reach it (its own, the contract with
goldens, perft and examples, old saves), the fastest first, until one fails or the limit is over.
Printed are the share that was noticed and every survivor.
"""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from random import Random

import msgspec

from tests.tools.mutants_runner import JOB, ROOT, Job, Mutant, Verdict, locators
from tests.tools.mutants_sites import KINDS, sites

SLUGS = ("toi", "ddob", "aslsk", "warfare")
LIMIT = 60.0
SHARED = (
    "tests/titles/test_contract.py",
    "tests/titles/test_citations.py",
    "tests/titles/test_old_saves.py",
)
IMPORT_NOTICED = "the import of its title"


def modules(slug: str) -> list[str]:
    """The rule modules of a title."""
    paths = sorted((ROOT / "engine" / slug / "rules").glob("*.py"))
    return [path.relative_to(ROOT).as_posix() for path in paths if path.stem != "__init__"]


def mutants_of(file: str, kind: str, seed: int) -> list[Mutant]:
    """Every mutant of a module."""
    slug = file.split("/")[1]
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    text = f"{seed}:{file}"
    return [
        Mutant(slug, file, kind, number, text, *site[:5])
        for number, site in enumerate(sites(tree, kind, locators(slug), Random(text)))
    ]


def sample(kind: str, size: int, seed: int, slugs: Sequence[str] = SLUGS) -> list[Mutant]:
    """As many mutants of every title, from as many modules as possible."""
    queues = {slug: _spread(slug, kind, seed) for slug in slugs}
    found: list[Mutant] = []
    for slug in cycle(slugs):
        if len(found) == size or not queues:
            return found
        if slug in queues:
            mutant = next(queues[slug], None)
            if mutant is None:
                del queues[slug]
            else:
                found.append(mutant)
    return found


def _spread(slug: str, kind: str, seed: int) -> Iterator[Mutant]:
    """The mutants of a title in a random order: one of each module, then a second one …"""
    rng = Random(f"{seed}:{slug}:{kind}")
    decks = []
    for file in modules(slug):
        deck = mutants_of(file, kind, seed)
        rng.shuffle(deck)
        decks.append(deck)
    while decks := [deck for deck in decks if deck]:
        rng.shuffle(decks)
        for deck in decks:
            yield deck.pop()


def judge(mutants: Sequence[Mutant], limit: float = LIMIT) -> Iterator[Verdict]:
    """What the tests say of each mutant; one process for the mutants of a title."""
    for slug in dict.fromkeys(mutant.slug for mutant in mutants):
        mine = [mutant for mutant in mutants if mutant.slug == slug]
        inside = [mutant for mutant in mine if mutant.function]
        yield from _run(Job(slug, inside, "", _kept(), limit))  # makes the map as well
        for mutant in mine:
            if not mutant.function:
                yield from _run(Job(slug, [mutant], "", _kept(), limit, at_import=True))


def _kept() -> str:
    """Where the maps are kept between runs."""
    return str(Path(tempfile.gettempdir()) / f"prontuario-mutants-{os.getuid()}")


def _run(job: Job) -> list[Verdict]:
    with tempfile.TemporaryDirectory() as folder:
        job.results = f"{folder}/results.json"
        order = Path(folder, "job.json")
        order.write_bytes(msgspec.json.encode(job))
        words = ["-p", "tests.tools.mutants_runner", "-p", "no:cacheprovider", "-p", "no:xdist"]
        where = [f"--basetemp={folder}/tmp", f"tests/{job.slug}", *SHARED]
        run = subprocess.run(
            [sys.executable, "-m", "pytest", *words, *where],
            cwd=ROOT,
            env={**_plain_environment(), JOB: str(order), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
        )
        if Path(job.results).exists():
            return msgspec.json.decode(Path(job.results).read_bytes(), type=list[Verdict])
        if job.at_import and "errors during collection" in run.stdout:
            return [Verdict(job.mutants[0], IMPORT_NOTICED, 0, 0, 0.0)]
        raise RuntimeError(run.stdout[-3000:] + run.stderr[-3000:])


def _plain_environment() -> dict[str, str]:
    """Nothing of a pytest that may be around."""
    return {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}


def told(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """The survivors and the share that was noticed, as lines."""
    for verdict in verdicts:
        if not verdict.noticed:
            tests = f"{verdict.tried} of {verdict.reached} tests that reach it"
            yield f"survived  {verdict.mutant}  ({tests})"
    for slug in dict.fromkeys(verdict.mutant.slug for verdict in verdicts):
        yield _share(slug, [verdict for verdict in verdicts if verdict.mutant.slug == slug])
    yield _share("all", verdicts)


def share(verdicts: Sequence[Verdict]) -> float:
    """How many of a hundred were noticed."""
    return 100 * sum(bool(verdict.noticed) for verdict in verdicts) / len(verdicts)


def _share(name: str, verdicts: Sequence[Verdict]) -> str:
    noticed = sum(bool(verdict.noticed) for verdict in verdicts)
    return f"{name}: {noticed} of {len(verdicts)} noticed ({share(verdicts):.0f} %)"


def main() -> None:
    """Print what a sample shows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=KINDS, required=True)
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--title", choices=SLUGS)
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds of tests per mutant")
    parser.add_argument("-v", "--verbose", action="store_true", help="print those noticed too")
    given = parser.parse_args()
    slugs = [given.title] if given.title else SLUGS
    verdicts = []
    for verdict in judge(sample(given.kind, given.sample, given.seed, slugs), given.limit):
        verdicts.append(verdict)
        if given.verbose and verdict.noticed:
            sys.stdout.write(f"noticed   {verdict.mutant}  ({verdict.noticed})\n")
    sys.stdout.write("\n".join(told(verdicts)) + "\n")


if __name__ == "__main__":
    main()
