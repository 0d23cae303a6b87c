"""Every number that a step says has an origin that its reader finds in front of him.

A number is a face or the sum of a roll of that action, a line or the total of a tally of it, or
belongs to something that the step names: a counter, a hex, a side, the turn. What a title says
beyond that it explains by kind, with a function that reckons it anew: `origins`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, TypeAlias

import msgspec

from engine.core.rules import Command, Entry, Roll, Step
from engine.game import Game

Number: TypeAlias = int | Fraction
DEEP = 3


class Said(msgspec.Struct, frozen=True):
    """A step among those of its action, with the table before and after it.

    `chosen` are the things that the players picked on the way, `later` the steps that follow,
    `rest` is the table when the action began.
    """

    step: Step
    before: Any
    after: Any
    earlier: tuple[Step, ...]
    chosen: tuple[str, ...] = ()
    later: tuple[Step, ...] = ()
    rest: Any = None

    def fact(self, name: str) -> Any:
        """A fact of its message."""
        return self.step.ruling.msg.facts[name]

    def value(self, tally: str) -> Number | None:
        """What a tally of the action came to so far."""
        lines = [s.tally for s in (*self.earlier, self.step) if s.tally and s.tally.name == tally]
        return lines[-1].total if lines else None

    def rolled(self) -> tuple[int, ...]:
        """The faces of the last roll of the action, this step's own included."""
        rolls = [s.chance for s in (*self.earlier, self.step) if isinstance(s.chance, Roll)]
        return rolls[-1].faces if rolls else ()

    def cites(self, *locators: str) -> bool:
        """Whether the step stands under one of the rules."""
        return any(ref.partition(":")[2] in locators for ref in self.step.ruling.refs)

    def spoken_of(self) -> tuple[str, ...]:
        """What was picked or named in the action so far, the latest first."""
        steps = (self.step, *reversed(self.earlier))
        named = [name for step in steps for name in names_in(step)]
        return tuple(dict.fromkeys((*named, *reversed(self.chosen))))


Origin: TypeAlias = Callable[[Said], Iterable[Number]]
"""The numbers that a fact may be, reckoned from the table and the steps before."""
Kind: TypeAlias = tuple[str, str]
"""A message and one of its facts."""


def actions(game: Game[Any]) -> Iterator[Said]:
    """Every step of a game among those of its procedure, the open one included."""
    for passage in game.passages:
        yield from _told(passage.rest, passage.entries, passage.steps)
    yield from _told(game.position.rest, game.position.open, game.position.steps)


def _told(rest: Any, entries: Sequence[Entry], steps: tuple[Step, ...]) -> Iterator[Said]:
    state = rest
    answers = [entry.option for entry in entries if isinstance(entry, Command)]
    chosen = tuple(answer.partition(":")[2] for answer in answers)
    for place, step in enumerate(steps):
        before = state
        if step.event is not None:
            state = step.event.on(state)
        yield Said(step, before, state, steps[:place], chosen, steps[place + 1 :], rest)


def numbers(game: Game[Any]) -> Iterator[tuple[Said, Kind, Number]]:
    """Every number that the steps of a game say."""
    for said in actions(game):
        msg = said.step.ruling.msg
        for name, fact in msg.facts.items():
            if isinstance(fact, bool) or not isinstance(fact, int | Fraction):
                continue
            if _is_said(said.step, name):
                yield said, (msg.id, name), fact


def unexplained(game: Game[Any], origins: Mapping[Kind, Origin]) -> Iterator[tuple[Kind, Number]]:
    """The numbers whose origin a reader would not find."""
    for said, kind, number in numbers(game):
        found = origins[kind](said) if kind in origins else at_hand(said)
        if number not in set(found):
            yield kind, number


def lenient(game: Game[Any], origins: Mapping[Kind, Origin]) -> set[Kind]:
    """Kinds whose origin would let the next higher number pass as well, every time it is asked."""
    accepted: dict[Kind, bool] = {}
    for said, kind, number in numbers(game):
        if kind in origins and accepted.get(kind, True):
            accepted[kind] = number + 1 in set(origins[kind](said))
    return {kind for kind, does_accept in accepted.items() if does_accept}


def _is_said(step: Step, name: str) -> bool:
    """Whether a fact stands in the words or in an anchor, or chooses between plural forms."""
    said = (step.ruling.msg.id, *step.ruling.anchors)
    return name == "n" or any(f"{{{name}}}" in text for text in said)


def at_hand(said: Said) -> Iterator[Number]:
    """Dice, tallies, and what belongs to the things that the step names."""
    for step in (*said.earlier, said.step):
        if isinstance(step.chance, Roll):
            yield from (*step.chance.faces, sum(step.chance.faces), len(step.chance.faces))
        if step.tally is not None:
            yield from (step.tally.value, step.tally.total)
    names = names_in(said.step)
    for state in (said.before, said.after):
        yield from _of(state, names)


def names_in(step: Step) -> list[str]:
    """What a step names: units, hexes, sides."""
    names: list[str] = []
    for fact in step.ruling.msg.facts.values():
        parts = fact if isinstance(fact, tuple) else (fact,)
        names += [part for part in parts if isinstance(part, str)]
    return names


def _of(state: Any, names: list[str]) -> Iterator[Number]:
    """The turn and its like, and the numbers of whatever bears one of the names."""
    for field in state.__struct_fields__:
        value = getattr(state, field)
        if isinstance(value, int):
            yield value
        elif isinstance(value, msgspec.Struct):
            yield from numbers_in(value, 1)
        elif isinstance(value, dict):
            for name in names:
                if name in value:
                    yield from numbers_in(value[name])


def numbers_in(thing: Any, deep: int = DEEP) -> Iterator[Number]:
    """The numbers of a thing and of its parts; of several things, how many they are too."""
    if isinstance(thing, int | Fraction):
        yield thing
    elif deep and isinstance(thing, tuple | frozenset):
        yield len(thing)
        for part in thing:
            yield from numbers_in(part, deep - 1)
    elif deep and isinstance(thing, dict):
        for part in thing.values():
            yield from numbers_in(part, deep - 1)
    elif deep and isinstance(thing, msgspec.Struct):
        for field in thing.__struct_fields__:
            yield from numbers_in(getattr(thing, field), deep - 1)
        for name, member in vars(type(thing)).items():
            if isinstance(member, property):  # what is printed on a counter, for example
                with suppress(StopIteration, KeyError):  # it lies face down
                    found = getattr(thing, name)
                    yield from numbers_in(found, deep - 1)
