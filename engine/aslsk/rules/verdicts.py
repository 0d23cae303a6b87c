"""What a state allows, worked out once: a procedure is run again for every answer.

Whoever asks gives a key for what is asked about; a state and a key settle the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import islice
from typing import TypeVarTuple, Unpack

from engine.aslsk.state.state import State
from engine.core.index import indexed
from engine.core.rules import Ruling

Given = TypeVarTuple("Given")


@indexed(keep=4)
def _known(state: State) -> dict[Hashable, Ruling | None]:
    """The first ruling against something, or None; filled as it is asked."""
    return {}


def barred(
    state: State,
    key: Hashable,
    why_not: Callable[[Unpack[Given]], Iterator[Ruling]],
    *given: *Given,
) -> Ruling | None:
    """The first ruling against something, if there is any."""
    known = _known(state)
    if key in known:
        return known[key]
    found = known[key] = next(why_not(*given), None)
    return found


def against(
    state: State,
    key: Hashable,
    why_not: Callable[[Unpack[Given]], Iterator[Ruling]],
    *given: *Given,
) -> Iterator[Ruling] | None:
    """Every ruling against something, if there are any; those after the first wait until read."""
    first = barred(state, key, why_not, *given)
    return None if first is None else _all(first, why_not, *given)


def _all(
    first: Ruling, why_not: Callable[[Unpack[Given]], Iterator[Ruling]], *given: *Given
) -> Iterator[Ruling]:
    yield first
    yield from islice(why_not(*given), 1, None)
