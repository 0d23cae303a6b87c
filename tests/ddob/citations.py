"""Every citation that the tests of this title meet, kept as a golden file.

A step is known by its kind, the rules that it cites and the names of its facts; questions and
refusals likewise, under the id of the question. What a test meets and the file does not have is a
citation that nobody has looked at. After a change of rules:

    python -m tests.ddob.citations
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.core.decisions import Decision
from engine.core.rules import Ruling, Step
from engine.game import Game
from tests.positions import kind_of
from tests.titles.numbers import unexplained
from tests.titles.origins import ORIGINS

PATH = Path(__file__).parents[1] / "golden" / "ddob" / "citations.txt"
RECORD = "PRONTUARIO_CITATIONS"
KNOWN = frozenset(PATH.read_text(encoding="utf-8").splitlines()) if PATH.is_file() else frozenset()
met: set[str] = set()


def signature(what: str, ruling: Ruling) -> str:
    """A citation in a line."""
    refs = ",".join(ref.partition(":")[2] for ref in ruling.refs)
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


def expect(found: Iterable[str]) -> None:
    """Fail at a citation that the file does not have; when recording, note all of them."""
    if RECORD in os.environ:
        met.update(found)
    else:
        strange = sorted(set(found) - KNOWN)
        assert not strange, f"not in {PATH.name}: {strange}"


def check(game: Game[Any]) -> None:
    """Look at all that a game has cited, at its numbers, and at what it asks and refuses now."""
    expect(of_steps(game.steps))
    strange = list(unexplained(game, ORIGINS["ddob"]))
    assert not strange, f"without an origin: {strange}"
    if game.position.decision is not None:
        expect(of_decision(game.position.decision))
    if game.position.outcome is not None:
        expect([signature("=", game.position.outcome.ruling)])


if __name__ == "__main__":
    os.environ[RECORD] = "1"
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests/ddob"]))
