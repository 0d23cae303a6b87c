"""Counting tests: how many decisions, chance branches and leaves lie within a depth."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from engine.core.ctx import Branch, Ctx, Suspend
from engine.core.data import load
from engine.core.decisions import Decision
from engine.core.rules import Command
from engine.core.title import Title

FOLDER = Path(__file__).parents[1] / "perft"


class Counts(msgspec.Struct, frozen=True):
    """What was met: decisions asked, chance branches taken, leaves at the depth."""

    decisions: int = 0
    chance: int = 0
    leaves: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.decisions + other.decisions,
            self.chance + other.chance,
            self.leaves + other.leaves,
        )


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position, a depth and its counts."""

    name: str = msgspec.field(name="nome")
    depth: int = msgspec.field(name="profondita")
    decisions: int = msgspec.field(name="decisioni")
    chance: int = msgspec.field(name="caso")
    leaves: int = msgspec.field(name="foglie")
    position: dict[str, Any] = msgspec.field(name="posizione", default={})
    note: str = msgspec.field(name="nota", default="")

    @property
    def counts(self) -> Counts:
        """The counts expected."""
        return Counts(self.decisions, self.chance, self.leaves)


class PerftFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All cases of a title."""

    title: str = msgspec.field(name="titolo")
    cases: tuple[Case, ...] = msgspec.field(name="casi")


def cases(slug: str) -> tuple[Case, ...]:
    """The cases of a title; a title without a file has none, and that is a fault."""
    path = FOLDER / f"{slug}.yaml"
    return load(path, PerftFile).cases if path.is_file() else ()


def perft(title: Title[Any], state: Any, depth: int, answers: tuple[Any, ...] = ()) -> Counts:
    """Count everything within `depth` answered decisions."""
    if title.outcome(state) is not None:
        return Counts(leaves=1)
    ctx = Ctx(title, state, list(answers), None)
    try:
        title.play(ctx)
    except Suspend as suspended:
        asked = suspended.question
        if isinstance(asked, Decision):
            if depth == 0:
                return Counts(leaves=1)
            total = Counts(decisions=1)
            for option in asked.options:
                total += perft(title, state, depth - 1, (*answers, Command(asked.side, option.id)))
            return total
        total = Counts()
        for value, _share in asked.branches():
            total += Counts(chance=1) + perft(title, state, depth, (*answers, Branch(value)))
        return total
    return perft(title, ctx.state, depth, answers[ctx.used :])


def divide(title: Title[Any], state: Any, depth: int) -> Mapping[str, Counts]:
    """The counts below each first option: where to look when they are wrong."""
    ctx = Ctx(title, state, [], None)
    try:
        title.play(ctx)
    except Suspend as suspended:
        asked = suspended.question
        if isinstance(asked, Decision):
            return {
                option.id: perft(title, state, depth - 1, (Command(asked.side, option.id),))
                for option in asked.options
            }
    return {}
