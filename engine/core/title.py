"""What a title gives to the rest of the program."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec

from engine.core.ctx import Ctx
from engine.core.data import Fault
from engine.core.decisions import Decision
from engine.core.hexes import Hex
from engine.core.rules import Book, Command, Ruling, Side
from engine.core.text import Msg
from engine.core.view import View

S = TypeVar("S")

Options: TypeAlias = Mapping[str, str]
"""Optional rules and variants of a game: switch -> chosen value."""

Pick: TypeAlias = Callable[[int], int]
"""A source of choices for `redeal`: a number from 0 to n-1."""


class Switch(msgspec.Struct, frozen=True):
    """An optional rule or variant: the values it may take, the first of which is the default."""

    id: str
    ruling: Ruling
    values: tuple[str, ...] = ("no", "si")


class ScenarioInfo(msgspec.Struct, frozen=True):
    """A scenario as the list of games shows it.

    `briefing` is Italian prose of the scenario file; `difficulty` goes from 1 to 5; `teams` are
    the sides that win together, by the name of the winner.
    """

    id: str
    name: str
    sides: tuple[Side, ...]
    summary: Msg
    switches: tuple[Switch, ...] = ()
    briefing: str = ""
    turns: int = 0
    difficulty: int = 0
    teams: dict[Side, tuple[Side, ...]] = {}


class TitleInfo(msgspec.Struct, frozen=True):
    """A title as the list of games shows it. `revision` rises when old saves no longer replay.

    `renames` tells, by the revision that brought them, which ids of options have other names
    since then; an id that ends with `*` stands for all that begin so. `ends` are the verbs that
    end a choice among units, hexes or cards, the most final first: they get a key of their own.
    `verbs` are those of a question in the order of their keys, which are the same for every unit;
    an empty place is left to what else may be answered. `actors` are the questions that ask who
    acts next, until a phase or turn is ended; `joins` those at which others take part in what one
    of them does. `has_dice` is whether dice are ever rolled.
    """

    slug: str
    name: str
    edition: str
    revision: int
    renames: dict[int, dict[str, str]] = {}
    ends: tuple[str, ...] = ()
    verbs: dict[str, tuple[str, ...]] = {}
    actors: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    has_dice: bool = True


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended, under which rule."""

    winner: Side | None
    degree: str
    ruling: Ruling


Policy: TypeAlias = Callable[[Decision], tuple[str, Ruling] | None]
"""Answers a decision that stands between a question and its result, with the assumption made."""


class Question(msgspec.Struct, frozen=True):
    """Something whose odds are worth knowing before a decision is answered.

    `commands` answer the open decision and those that follow, if any; `read` says what came of it,
    from the state before and after; `assume` answers decisions of others on the way. The result
    is that of the next rest, or of the first rest that `until` accepts. `only` takes out of the
    resting state what has no say in it, and would only be counted for nothing.
    """

    msg: Msg
    commands: tuple[Command, ...]
    read: Callable[[Any, Any], Msg]
    assume: Policy | None = None
    until: Callable[[Any], bool] | None = None
    only: Callable[[Any], Any] | None = None


class Sight(msgspec.Struct, frozen=True):
    """A line of sight explained: the hexes met, whether it is clear, and by which rules.

    `clear` is None where the book forbids to know before an attack is declared.
    """

    a: Hex
    b: Hex
    hexes: tuple[Hex, ...]
    clear: bool | None
    rulings: tuple[Ruling, ...]
    blocked_by: Hex | None = None


class Overlay(msgspec.Struct, frozen=True):
    """Hexes that a screen tints, each with a short text: its cost, its odds, its threat.

    `id` is `reach`, `range` or `targets`; `paths` lets a far hex be chosen in one gesture, hex by
    hex from where the unit stands.
    """

    id: str
    msg: Msg
    hexes: dict[Hex, str]
    paths: dict[Hex, tuple[Hex, ...]] = {}


class Layer(NamedTuple):
    """A sheet that a player lays over the map when he wants to see it; it is reckoned only then.

    Each hex has a short text; on the sheet `control` it is the side that holds the hex.
    """

    id: str
    msg: Msg
    hexes: Callable[[], dict[Hex, str]]


class Player(Protocol):
    """Someone who answers decisions, knowing what the side may see and nothing else."""

    @property
    def knows(self) -> Collection[str]:
        """The ids of the questions that it weighs; it answers the others by chance."""
        ...

    def choose(self, look: Callable[[], View], decision: Decision, rng: Random) -> str:
        """The id of an option. `look` gives the table from the side's chair."""
        ...

    def reason(self) -> Msg | None:
        """Why the last choice was made, in one line, for players that can say it."""
        ...


class Title(Protocol[S]):
    """One game. Everything in it is a function of its arguments."""

    info: TitleInfo
    book: Book
    state_type: type[S]
    levels: tuple[str, ...]  # the strongest player last
    left_to_chance: Mapping[str, str]  # the questions that no player weighs: id -> why not

    def scenarios(self) -> tuple[ScenarioInfo, ...]:
        """The scenarios that can be played."""
        ...

    def start(self, scenario: str, options: Options) -> S:
        """The state before set-up; set-up draws and choices are the first procedures."""
        ...

    def play(self, ctx: Ctx[S]) -> None:
        """One procedure, from a resting state to the next full stop of the book."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """The end of the game, once reached."""
        ...

    def view(self, state: S, side: Side) -> View:
        """The table from a side's chair."""
        ...

    def belief(self, state: S, side: Side) -> S:
        """The state as far as a side knows it; what it cannot know has become a pool."""
        ...

    def redeal(self, state: S, side: Side, pick: Pick) -> S:
        """Another state that the side cannot tell from this one."""
        ...

    def is_set_up(self, state: S, decision: Decision) -> bool:
        """Whether a question belongs to the set-up, or to the placing of what arrives later."""
        ...

    def questions(self, state: S, decision: Decision) -> tuple[Question, ...]:
        """What odds are worth asking at a decision; `state` is the asker's belief."""
        ...

    def sight(self, state: S, a: Hex, b: Hex) -> Sight | None:
        """The line of sight between two hexes explained; `state` is the asker's belief."""
        ...

    def overlays(self, state: S, decision: Decision) -> tuple[Overlay, ...]:
        """What to tint on the map at a decision; `state` is the asker's belief."""
        ...

    def layers(self, state: S, side: Side) -> tuple[Layer, ...]:
        """What a side can lay over the map at any moment; `state` is its belief."""
        ...

    def inspect(self, state: S, hex: Hex) -> tuple[Ruling, ...]:
        """Terrain, cost, cover and what else rules say of a hex; `state` is the asker's belief."""
        ...

    def position(self, given: Mapping[str, Any]) -> S:
        """A state built from the `posizione` of an example file; DataErrors if it cannot be."""
        ...

    def player(self, level: str) -> Player:
        """A player of this title, at one of its levels."""
        ...

    def invariants(self, state: S) -> Iterator[str]:
        """What is wrong with a state, if anything."""
        ...

    def validate(self, path: Path) -> tuple[Fault, ...]:
        """Every fault of a scenario, map or example file of this title."""
        ...
