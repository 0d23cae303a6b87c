"""Where those numbers of a title come from that are no dice, no tallies and of no thing named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.core.rules import Roll
from tests.titles.numbers import Kind, Number, Origin, Said


def successes(need: int) -> Origin:
    """How many dice of the last roll show a number or more."""

    def count(said: Said) -> Iterable[Number]:
        rolls = [step.chance for step in said.earlier if isinstance(step.chance, Roll)]
        return [sum(face >= need for face in rolls[-1].faces)] if rolls else []

    return count


ORIGINS: Mapping[str, Mapping[Kind, Origin]] = {"prova": {("{n} hits", "n"): successes(5)}}
