"""What happened, in words: every line with the names that things had when it happened.

A unit that is lost or becomes another one in a step is called in it as it was before. A line is
told with what whoever looks could see then, and stays as it was told: also when the game is over.
Journal, resolution, replay, report and dialogue all take their lines from here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from app.play.discretion import Audience
from app.play.session import Frame
from app.presenters.base import Presenter
from app.presenters.registry import presenter_for
from engine.core.rules import Draw, Step, TallyLine
from engine.core.view import View

KEPT = 4
"""Views kept: a step begins where the one before it ended."""


class Told:
    """A line of the game: its step, and its words once somebody reads them."""

    def __init__(self, frame: Frame, teller: Teller) -> None:
        self.frame = frame
        self._teller = teller

    @property
    def step(self) -> Step:
        """What is told."""
        return self.frame.step

    @cached_property
    def words(self) -> str:
        """The line without its numbers and its rule; a card that came up is named."""
        said = self._teller.say(self.frame)
        chance = self.step.chance
        if isinstance(chance, Draw):
            return f"{said}: {self._teller.names.name('card', chance.item)}"
        return said


class Teller:
    """Tells the lines of a game to somebody."""

    def __init__(self, looking: Audience) -> None:
        self._looking = looking
        self.names: Presenter = presenter_for(looking.title.info.slug)
        self._told: dict[int, Told] = {}
        self._views: dict[tuple[int, bool], tuple[object, View]] = {}

    def tell(self, frames: Iterable[Frame]) -> list[Told]:
        """These moments as lines; those that were told already are the same lines."""
        found = []
        for frame in frames:
            known = self._told.get(id(frame.step))
            found.append(known if known is not None else Told(frame, self))
        self._told = {id(told.step): told for told in found}
        return found

    def say(self, frame: Frame) -> str:
        """The message of a step."""
        looking = self._looking.when_told(frame.step)
        before = self._view(frame.before, looking)
        if frame.state is frame.before:
            self.names.use(before)
        else:
            self.names.use(before, self._view(frame.state, looking))
        return self.names.say(frame.step.ruling.msg)

    def before(self, told: Told) -> View:
        """The table before a line, as it was seen when it was told."""
        return self._view(told.frame.before, self._looking.when_told(told.step))

    def after(self, told: Told) -> View:
        """The table after a line."""
        return self._view(told.frame.state, self._looking.when_told(told.step))

    def _view(self, state: object, looking: Audience) -> View:
        key = id(state), looking.is_told_all
        if key not in self._views:
            if len(self._views) >= KEPT:
                del self._views[next(iter(self._views))]
            self._views[key] = state, looking.view(state)
        return self._views[key][1]


def tally_text(tally: TallyLine) -> str:
    """What is done to a total and what it comes to, in two columns."""
    if tally.operation == "=":
        return f"     ={tally.total!s:>4}"
    value = str(tally.value)
    if tally.operation == "×":
        value = f"×{value}"
    elif not value.startswith("-"):
        value = f"+{value}"
    return f"{value:>5}={tally.total!s:>4}"
