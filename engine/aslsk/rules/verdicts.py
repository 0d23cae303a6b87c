"""What a state allows, worked out once: a procedure is run again for every answer.

Whoever asks gives a kind and, in it, a key for what is asked about; a state, a kind and a key
settle the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import islice
from typing import Generic, TypeVar

from engine.aslsk.state.book import rule
from engine.aslsk.state.state import State
from engine.core.ctx import Ctx
from engine.core.index import indexed
from engine.core.rules import Locators, Ruling, Side
from engine.core.text import N_

T = TypeVar("T")


@indexed(keep=4)
def _known(state: State) -> dict[Hashable, dict[Hashable, Ruling | None]]:
    """By kind and key the first ruling against something, or None; filled as it is asked."""
    return {}


def tell_nobody(ctx: Ctx[State], refs: Locators, side: Side, name: str, against: Ruling) -> None:
    """Why a side is asked nothing: one of those who could act, with what forbids it; it is told
    to that side alone, which would read it in its question."""
    text = N_("nobody of {side} can act now, {unit} for one")
    said = joined(rule(refs, text, side=side, unit=name), against)
    ctx.cite(said, hidden_from=(ctx.state.enemy(side),))


def joined(said: Ruling, against: Ruling) -> Ruling:
    """A ruling with what another one cites besides."""
    refs = tuple(dict.fromkeys((*said.refs, *against.refs)))
    return Ruling(refs, said.msg, tuple(dict.fromkeys((*said.anchors, *against.anchors))))


class Verdicts(Generic[T]):
    """The rulings of a state against things of one kind."""

    __slots__ = ("_known", "_why_not")

    def __init__(self, state: State, kind: Hashable, why_not: Callable[[T], Iterator[Ruling]]):
        self._known = _known(state).setdefault(kind, {})
        self._why_not = why_not

    def barred(self, key: Hashable, one: T) -> Ruling | None:
        """The first ruling against something, if there is any."""
        known = self._known
        if key in known:
            return known[key]
        found = known[key] = next(self._why_not(one), None)
        return found

    def against(self, key: Hashable, one: T) -> Iterator[Ruling] | None:
        """Every ruling against something, if there are any; all but the first wait until read."""
        first = self.barred(key, one)
        return None if first is None else self._all(first, one)

    def _all(self, first: Ruling, one: T) -> Iterator[Ruling]:
        yield first
        yield from islice(self._why_not(one), 1, None)
