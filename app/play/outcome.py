"""What an action came to: one sentence, and its dice with whose they are and which succeed."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from app.play.telling import Told
from app.presenters.base import Face, Presenter
from engine.core.rules import Roll

_DICE = re.compile(r"(\d+)([a-z]+\d*)")


class Result(msgspec.Struct, frozen=True):
    """An action in a sentence, and the dice of its rolls in the order in which they fell."""

    words: str
    dice: tuple[tuple[Face, ...], ...] = ()


def dice_of(lines: Sequence[Told], presenter: Presenter) -> tuple[tuple[Face, ...], ...]:
    """The dice of every roll among these lines."""
    found = []
    for place, line in enumerate(lines):
        if isinstance(line.step.chance, Roll):
            after = [other.step for other in lines[place + 1 : place + 3]]
            found.append(presenter.faces(line.step, names_of(line.step.chance), after))
    return tuple(found)


def names_of(roll: Roll) -> tuple[str, ...]:
    """The name of every die of a roll: `2black+1red` is black, black, red."""
    names = [name for count, name in _DICE.findall(roll.dice) for _ in range(int(count))]
    return tuple(names) if len(names) == len(roll.faces) else ("",) * len(roll.faces)
