"""Origins that several titles share."""

from __future__ import annotations

from collections.abc import Iterable

from tests.titles.numbers import Number, Origin, Said


def successes(need: int) -> Origin:
    """How many dice of the last roll show a number or more."""

    def count(said: Said) -> Iterable[Number]:
        faces = said.rolled()
        return [sum(face >= need for face in faces)] if faces else []

    return count


def several(field: str) -> Origin:
    """How many things of a kind lie on the table."""

    def count(said: Said) -> Iterable[Number]:
        return [len(getattr(said.before, field))]

    return count
