"""Every citation that the tests of a title meet, kept as a golden file.

A step is known by its kind, the rules and sentences that it cites and the names of its facts;
questions and refusals likewise, under the id of the question. What a test meets and the file does
not have is a citation that nobody has looked at. After a change of rules:

    python -m tests.citations [SLUG...]
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.core.decisions import Decision
from engine.core.rules import Roll, Ruling, Step
from engine.game import Game
from tests.titles.numbers import unexplained
from tests.titles.origins import ORIGINS

GOLDEN = Path(__file__).parent / "golden"
RECORD = "PRONTUARIO_CITATIONS"
SLUGS = ("toi", "ddob", "aslsk", "warfare")
COUNTED = ("ddob",)
"""Titles whose numbers have an origin in every game of their tests, not only in random ones."""
CITE, ROLL, DRAW = "cite", "roll", "draw"
met: dict[str, set[str]] = {}


def path_of(slug: str) -> Path:
    """Where the citations of a title are kept."""
    return GOLDEN / slug / "citations.txt"


@cache
def known(slug: str) -> frozenset[str]:
    """The citations of a title that somebody has looked at."""
    path = path_of(slug)
    return frozenset(path.read_text(encoding="utf-8").splitlines() if path.is_file() else ())


def kind_of(step: Step) -> str:
    """What a step is: a line of a running total, an event, a roll, a draw, or only told."""
    if step.tally is not None:
        return step.tally.name
    if step.event is not None:
        return type(step.event).__name__
    if step.chance is not None:
        return ROLL if isinstance(step.chance, Roll) else DRAW
    return CITE


def signature(what: str, ruling: Ruling) -> str:
    """A citation in a line."""
    cited = dict.fromkeys((*ruling.refs, *ruling.anchors))
    refs = " ".join(ref.partition(":")[2] for ref in cited)
    return f"{what} | {refs} | {' '.join(sorted(ruling.msg.facts))}"


def of_steps(steps: Iterable[Step]) -> Iterator[str]:
    """What steps cite."""
    for step in steps:
        yield signature(kind_of(step), step.ruling)


def of_decision(decision: Decision) -> Iterator[str]:
    """What a question and its refusals cite."""
    yield signature(f"? {decision.id}", decision.ruling)
    for option in decision.refused:
        for ruling in decision.refused[option]:
            yield signature(f"! {decision.id}", ruling)


def expect(slug: str, found: Iterable[str]) -> None:
    """Fail at a citation that the file does not have; when recording, note all of them."""
    if RECORD in os.environ:
        met.setdefault(slug, set()).update(found)
    elif slug in SLUGS:
        strange = sorted(set(found) - known(slug))
        assert not strange, f"not in {path_of(slug).parent.name}/{path_of(slug).name}: {strange}"


def check(game: Game[Any]) -> None:
    """Look at all that a game has cited, at its numbers, and at what it asks and refuses now."""
    slug = game.title.info.slug
    expect(slug, of_steps(game.steps))
    if slug in COUNTED:
        strange = list(unexplained(game, ORIGINS[slug]))
        assert not strange, f"without an origin: {strange}"
    if game.position.decision is not None:
        expect(slug, of_decision(game.position.decision))
    if game.position.outcome is not None:
        expect(slug, [signature("=", game.position.outcome.ruling)])


def write() -> None:
    """Write what was met of the titles that are recorded."""
    for slug, found in met.items():
        if slug in os.environ[RECORD].split():
            path_of(slug).write_text("\n".join(sorted(found)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    wanted = sys.argv[1:] or SLUGS
    os.environ[RECORD] = " ".join(wanted)
    folders = [f"tests/{slug}" for slug in wanted]
    games = ["tests/titles/test_citations.py", "-k", " or ".join(wanted)]
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *folders, *games]))
