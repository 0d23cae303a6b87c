"""What rules look up again and again in parts of a state, worked out once.

The only module-level memory of the engine besides pure functions of hashable values
(`functools.cache`). States share their dicts, so an index belongs to dicts, not to a state: it is
found by the dicts themselves, which it holds and compares with `is`, so that no others can take
their place. Each thread has its own: the screen asks while odds are counted.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from operator import is_
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
V = TypeVar("V")


class _Slot(threading.local):
    """The last index that a thread asked for, with its objects, and some before it, by the address
    of their first object: nothing else can have that address while it is held."""

    last: tuple[Any, tuple[Any, ...], Any] = (None, (), None)

    def __init__(self) -> None:
        self.kept: dict[int, tuple[Any, tuple[Any, ...], Any]] = {}


def indexed(keep: int = 1) -> Callable[[Callable[P, V]], Callable[P, V]]:
    """Let a function of some objects remember what it made of the last `keep` of them."""

    def remembering(make: Callable[..., V]) -> Callable[..., V]:
        slot = _Slot()

        def index(of: Any, *others: Any) -> Any:
            last = slot.last
            if last[0] is of and (not others or all(map(is_, last[1], others))):
                return last[2]
            kept = slot.kept
            known = kept.pop(id(of), None)
            if known is None or not all(map(is_, known[1], others)):
                known = (of, others, make(of, *others))
                if len(kept) >= keep:
                    del kept[next(iter(kept))]
            slot.last = kept[id(of)] = known
            return known[2]

        index.__doc__ = make.__doc__
        index.__name__ = make.__name__
        return index

    return remembering
