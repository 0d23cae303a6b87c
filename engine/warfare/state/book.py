"""The rulebook of this title: `rule("fuoco.passo3", N_("…"), …)` is a ruling of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TypeVar

from engine.core.rules import Book, Locators, Ruling
from engine.core.text import Fact

T = TypeVar("T")
rule = Book("warfare")


@cache
def joined(ref: Locators, *more: str) -> tuple[str, ...]:
    """One locator or several, and more."""
    return (ref, *more) if isinstance(ref, str) else (*ref, *more)


def locators(*rulings: Ruling) -> tuple[str, ...]:
    """What rulings cite, each rule once, with the sentence that the first of them applied."""
    found: dict[str, str] = {}
    for ruling in rulings:
        applied = {anchor.partition("#")[0]: anchor for anchor in ruling.anchors}
        for ref in ruling.refs:
            found.setdefault(ref, applied.get(ref, ref).partition(":")[2])
    return tuple(found.values())


def why_none(
    why_not: Callable[[T], Iterator[Ruling]],
    candidates: Sequence[T],
    ref: Locators,
    msgid: str,
    /,
    **facts: Fact,
) -> Iterator[Ruling]:
    """When no candidate is left: the rule that asks for one, then what is against each."""
    if any(next(why_not(candidate), None) is None for candidate in candidates):
        return
    yield rule(ref, msgid, **facts)
    for candidate in candidates:
        yield from why_not(candidate)
