"""What an action came to: one sentence, and its dice with whose they are and which succeed."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from app.play.chronicle import Action, Chronicle, sentence
from app.play.telling import Told, tally_text
from app.presenters.base import Face, Presenter
from engine.core.rules import Draw, Roll, Side

_DICE = re.compile(r"(\d+)([a-z]+\d*)")


class Result(msgspec.Struct, frozen=True):
    """An action in a sentence, and the dice of its rolls, or the cards that were drawn, in the
    order in which they fell; `own` is the reader's own last one where others acted after it.
    `is_step` where it is the sentence of one step of it."""

    words: str
    dice: tuple[tuple[Face, ...], ...] = ()
    side: Side = ""
    own: Result | None = None
    is_step: bool = False


def result_of(
    chronicle: Chronicle,
    action: Action,
    names: Presenter,
    until: int | None = None,
    is_coming: bool = False,
) -> Result:
    """What is told of an action, up to a line of it: nothing that is still to come; whether more
    of the last action may be."""
    end = action.end if until is None else min(action.end, until + 1)
    lines = chronicle.lines[action.first : end]
    is_last = is_coming and end == len(chronicle.lines)
    is_step = end < action.end or len(lines) == 1 or is_last
    words = sentence(lines[-1]) if is_step else chronicle.summary(action)
    tally = lines[-1].step.tally
    if is_step and tally is not None:
        words = f"{words}  {' '.join(tally_text(tally).split())}"
    return Result(words, dice_of(lines, names), action.side, is_step=is_step)


def dice_of(
    lines: Sequence[Told], presenter: Presenter, following: Sequence[Told] = ()
) -> tuple[tuple[Face, ...], ...]:
    """The dice of every roll among these lines, and the cards of every draw; what follows the
    lines may tell how the last of them were read."""
    found, known = [], [*lines, *following]
    for place, line in enumerate(lines):
        if line.step.chance is not None:
            after = [other.step for other in known[place + 1 : place + 3]]
            found.append(presenter.faces(line.step, names_of(line.step.chance), after))
    return tuple(faces for faces in found if faces)


def names_of(roll: Roll | Draw) -> tuple[str, ...]:
    """The name of every die of a roll: `2black+1red` is black, black, red."""
    if isinstance(roll, Draw):
        return ()
    names = [name for count, name in _DICE.findall(roll.dice) for _ in range(int(count))]
    return tuple(names) if len(names) == len(roll.faces) else ("",) * len(roll.faces)
