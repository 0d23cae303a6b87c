"""Origins that several titles share."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from engine.core.rules import Step
from tests.titles.numbers import Kind, Number, Origin, Said


def successes(need: int) -> Origin:
    """How many dice of the last roll show a number or more."""

    def count(said: Said) -> Iterable[Number]:
        faces = said.rolled()
        return [sum(face >= need for face in faces)] if faces else []

    return count


def fixed(number: Number) -> Origin:
    """A number that the rule itself prints, which the step cites."""
    return lambda _said: [number]


def several(field: str) -> Origin:
    """How many things of a kind lie on the table."""

    def count(said: Said) -> Iterable[Number]:
        return [len(getattr(said.before, field))]

    return count


def since(said: Said, *headings: str) -> tuple[Step, ...]:
    """The earlier steps from the last one with such a message on; all if there is none."""
    starts = [n for n, step in enumerate(said.earlier) if step.ruling.msg.id in headings]
    return said.earlier[starts[-1] :] if starts else said.earlier


def totals(steps: Iterable[Step], name: str) -> list[Number]:
    """What each tally of a name came to; one that starts at nothing is another one."""
    found: list[Number] = []
    for line in (step.tally for step in steps if step.tally and step.tally.name == name):
        if not found or (line.operation == "+" and line.total == line.value and found[-1]):
            found.append(line.total)
        else:
            found[-1] = line.total
    return found


def latest(*kinds: Kind) -> Origin:
    """What the last line of such a kind said, whose own origin is looked for in its turn."""

    def repeat(said: Said) -> Iterable[Number]:
        for step in reversed(said.earlier):
            for words, name in kinds:
                if step.ruling.msg.id == words:
                    fact = step.ruling.msg.facts[name]
                    return [fact] if isinstance(fact, int | Fraction) else []
        return []

    return repeat
