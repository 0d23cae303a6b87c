"""What may be shown of a game, and to whom. This is the one place that decides it.

While people play, whoever looks is shown what his side may know and nothing else: not the hidden
answers of others, not what a view conceals, not the seed, from which the dice to come follow. That
something is withheld is said always, whether or not there is something: else saying it would tell.
When the game is over, or where only programs play, everything is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeVar

import msgspec

from app.cli.answers import NO, Fault
from app.presenters.base import Presenter
from app.shell.i18n import _
from engine.core.rules import Side, Step
from engine.core.title import Title
from engine.core.view import View
from engine.drive import sides_of
from engine.game import Game, Position
from engine.saves.lines import ELSEWHERE, HERE

HUMAN, REMOTE = HERE, ELSEWHERE
"""Seats: a person here, or a person elsewhere who gets the game by mail. Else a level."""


class Moment(Protocol):
    """Something of a game that belongs to a step."""

    @property
    def step(self) -> Step:
        """The step."""
        ...


M = TypeVar("M", bound=Moment)


class Audience(msgspec.Struct, frozen=True):
    """Who looks at a game: each of `sides` may know all that is shown.

    `everybody` are the sides of the game; `is_told_all` where nothing is withheld, be it from the
    beginning or since the game `is_over`.
    """

    title: Title[Any]
    sides: tuple[Side, ...]
    everybody: tuple[Side, ...]
    is_told_all: bool = False
    is_over: bool = False

    @property
    def side(self) -> Side:
        """From whose chair the map is drawn."""
        return self.sides[0]

    @property
    def named(self) -> list[Side] | None:
        """For whom something is told, where it is not for everybody."""
        return None if self.is_told_all else list(self.sides)

    def may_see(self, step: Step) -> bool:
        """Whether a step is shown."""
        return self.is_told_all or not any(side in step.hidden_from for side in self.sides)

    def steps(self, steps: Iterable[Step]) -> tuple[Step, ...]:
        """The steps that are shown."""
        return tuple(step for step in steps if self.may_see(step))

    def moments(self, moments: Iterable[M]) -> list[M]:
        """The moments whose steps are shown."""
        return [moment for moment in moments if self.may_see(moment.step)]

    def may_hear(self, followed: Iterable[Step]) -> bool:
        """Whether an answer may be told: nothing that followed from it is hidden."""
        return all(self.may_see(step) for step in followed)

    def when_told(self, step: Step) -> Audience:
        """Whoever looked when a line was first told: it keeps the names that he knew then."""
        was_withheld = any(side in step.hidden_from for side in self.sides)
        if not self.is_over or was_withheld:
            return self
        return msgspec.structs.replace(self, is_told_all=False, is_over=False)

    def view(self, state: Any) -> View:
        """The table with all that is shown of it."""
        if self.is_told_all:
            return self._open(state)
        if len(self.sides) > 1:
            for side in self.sides:
                state = self.title.belief(state, side)
        return self.title.view(state, self.side)

    def _open(self, state: Any) -> View:
        """The table from one chair, with every counter as its own side sees it."""
        seen = self.title.view(state, self.side)
        counters = {counter.id: counter for counter in seen.counters}
        for side in self.everybody:
            if side != self.side:
                for counter in self.title.view(state, side).counters:
                    if counter.id not in counters or counter.side == side:
                        counters[counter.id] = counter
        return msgspec.structs.replace(seen, counters=tuple(counters.values()))

    def note(self, names: Presenter) -> str:
        """The sentence that says what is shown; nothing where that is everything."""
        if self.is_told_all:
            return ""
        who = ", ".join(names.army(side).name for side in self.sides)
        if len(self.sides) > 1:
            return _("The game is going on: you see what all of them may know ({who}).", who=who)
        return _("The game is going on: you see what {who} may know.", who=who)


def is_told_all(position: Position[Any], seats: Mapping[Side, str]) -> bool:
    """Whether nothing is withheld: the game is over, or has no people whose secrets to keep."""
    return position.outcome is not None or not has_people(seats)


def has_people(seats: Mapping[Side, str]) -> bool:
    """Whether people play, and while they do, something is withheld."""
    return any(map(_is_person, seats.values()))


def chairs(game: Game[Any], players: Mapping[Side, str]) -> tuple[Side, ...]:
    """The sides whose people share this computer and know different things: one looks at a time."""
    here = tuple(side for side in sides_of(game) if players.get(side, HUMAN) == HUMAN)
    return here if len(here) > 1 and game.position.outcome is None else ()


def audience(game: Game[Any], players: Mapping[Side, str], asking: Side = "") -> Audience:
    """Who looks at a saved game; Fault if the side that asks is none, or may not look yet.

    Where nobody says which side he is, he gets what all the people who play here may know.
    """
    everybody = sides_of(game)
    seats = {side: players.get(side, HUMAN) for side in everybody}
    if asking and asking not in seats:
        known = ", ".join(everybody)
        raise Fault(_("There is no side {side}. Sides: {known}.", side=asking, known=known))
    here = tuple(side for side in everybody if seats[side] == HUMAN)
    if is_told_all(game.position, seats):
        chair = asking or next(iter(here), everybody[0])
        return Audience(
            *(game.title, (chair,), everybody), is_told_all=True, is_over=has_people(seats)
        )
    if asking and asking not in here:
        words = _("Nobody plays {side} here: what that side knows is shown when the game is over.",
                  side=asking)  # fmt: skip
        if here:
            words += " " + _("Sides played here: {known}.", known=", ".join(here))
        raise Fault(words, NO)
    people = here or tuple(side for side in everybody if _is_person(seats[side]))
    return Audience(game.title, (asking,) if asking else people, everybody)


def _is_person(who: str) -> bool:
    return who in (HUMAN, REMOTE)
