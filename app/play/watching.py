"""A game or a worked example told again, moment by moment, as far as whoever looks on may know it.

The screen that watches, the report and `prontuario replay` all read this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from app.play.chronicle import Chronicle
from app.play.discretion import Audience
from app.play.outcome import Result, result_of
from app.play.session import Frame, frames_of
from app.play.telling import Teller, Told
from app.presenters.base import Presenter
from app.presenters.registry import presenter_for
from app.shell.i18n import _
from engine import examples
from engine.core.hexes import Hex
from engine.core.rules import Ruling, Step
from engine.core.title import Sight, Title
from engine.core.view import View
from engine.game import Game


class Replay(msgspec.Struct, frozen=True):
    """A game to watch: its moments and who looks on. Before the first there is the start, -1."""

    title: Title[Any]
    name: str
    note: str
    looking: Audience
    frames: tuple[Frame, ...]
    lines: tuple[Told, ...]
    teller: Teller
    start: Any

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every step that is told."""
        return tuple(frame.step for frame in self.frames)

    @property
    def procedures(self) -> list[tuple[Told, ...]]:
        """The lines by the procedure that they belong to."""
        groups = groupby(self.lines, key=lambda told: told.frame.passage)
        return [tuple(group) for _passage, group in groups]

    def view(self, at: int) -> View:
        """The table after a step."""
        return self.looking.view(self.start if at < 0 else self.frames[at].state)


def replay_for(game: Game[Any], looking: Audience) -> Replay:
    """A game as far as whoever looks on may know it."""
    info = next(i for i in game.title.scenarios() if i.id == game.scenario)
    start = game.passages[0].rest if game.passages else game.position.rest
    frames = tuple(looking.moments(frames_of(game)))
    name = f"{game.title.info.name}: {info.name}"
    note = looking.note(presenter_for(game.title.info.slug))
    teller = Teller(looking)
    lines = tuple(teller.tell(frames))
    return Replay(game.title, name, note, looking, frames, lines, teller, start)


def replay_of_example(title: Title[Any], example: examples.Example) -> Replay:
    """A worked example, played to its end."""
    playing = examples.Playing(title, example)
    start = playing.game.position.draft
    for _step, _faults in playing.run():
        pass
    side = title.scenarios()[0].sides[0]
    looking = Audience(title, (side,), (side,), is_told_all=True)
    frames = tuple(frames_of(playing.game))
    teller = Teller(looking)
    lines = tuple(teller.tell(frames))
    return Replay(title, example.name, example.note, looking, frames, lines, teller, start)


class Watching:
    """Somebody watches a replay: `at` is the line looked at, -1 before the first. What has not
    been seen yet is not in the chronicle."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.presenter: Presenter = presenter_for(replay.title.info.slug)
        self.chronicle = Chronicle(replay.teller.before, replay.teller.after, self.presenter)
        self.at = -1
        self._seen = 0

    def look_at(self, index: int, *, is_revealed: bool = True) -> None:
        """Look at the moment after a line, as far as there is one; its action is unfolded."""
        self.at = max(-1, min(len(self.replay.lines) - 1, index))
        self._seen = max(self._seen, self.at + 1)
        self.chronicle.take(self.replay.lines[: self._seen])
        if self.at >= 0 and is_revealed:
            self.chronicle.reveal(self.at)

    @property
    def view(self) -> View:
        """The table at the moment looked at."""
        return self.replay.view(self.at)

    @property
    def ruling(self) -> Ruling | None:
        """The rule of the line looked at."""
        return self.replay.frames[self.at].step.ruling if self.at >= 0 else None

    def outcome(self) -> Result:
        """What is told of the action looked at, up to its line."""
        action = self.chronicle.action_of(self.at) if self.at >= 0 else None
        if action is None:
            return Result(_("Space begins."))
        is_coming = len(self.chronicle.lines) < len(self.replay.frames)
        return result_of(self.chronicle, action, self.presenter, self.at, is_coming)

    def shot(self) -> Sight | None:
        """The line between who fires and at what, once the action looked at has told it."""
        action = self.chronicle.action_of(self.at) if self.at >= 0 else None
        if action is None:
            return None
        steps = [line.step for line in self.replay.lines[action.first : self.at + 1]]
        return self.presenter.shot(steps, self.replay.teller.before(self.replay.lines[self.at]))

    def lit(self) -> tuple[Mapping[Hex, str], dict[Hex, str]]:
        """The hexes of the line looked at; and with those of the lines that it belongs to."""
        if self.at < 0:
            return {}, {}
        return lit_at(self.replay.frames, self.at, self.presenter, self.view)


def lit_at(
    frames: Sequence[Frame], at: int, presenter: Presenter, view: View
) -> tuple[Mapping[Hex, str], dict[Hex, str]]:
    """The hexes of a step; and with those of the steps that it belongs to."""
    steps = [frames[at].step]
    for frame in reversed(frames[:at]):
        if not steps[-1].depth:
            break
        if frame.step.depth < steps[-1].depth:
            steps.append(frame.step)
    own = presenter.lit(steps[0].ruling.msg, view)
    found = dict(own)
    for step in steps[1:]:
        found |= presenter.lit(step.ruling.msg, view)
    return own, found
