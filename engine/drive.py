"""Playing without a screen: players, games between them, and the oracles of the fuzzer."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from engine.core.decisions import Decision
from engine.core.rules import Command, Refused, RuleBug, Side, Step
from engine.core.text import Msg
from engine.core.title import Options, Outcome, Player, Title
from engine.core.view import View
from engine.game import Game, SeededChance, digest

S = TypeVar("S")

DECISIONS_AT_MOST = 100_000
RANDOM = "casuale"


class RandomPlayer:
    """Takes any option with equal chance."""

    knows: frozenset[str] = frozenset()

    def choose(self, look: Callable[[], View], decision: Decision, rng: random.Random) -> str:
        """Any option."""
        return decision.options[rng.randrange(len(decision.options))].id

    def reason(self) -> Msg | None:
        """Chance has no reasons."""
        return None


def player_of(title: Title[Any], level: str) -> Player:
    """A player at a level: any title has the random one."""
    return RandomPlayer() if level == RANDOM else title.player(level)


class TooLong(Exception):
    """A game that does not end."""


def drive(
    game: Game[Any],
    players: Mapping[Side, Player],
    rng: random.Random,
    at_most: int = DECISIONS_AT_MOST,
) -> Outcome:
    """Play a game to its end."""
    for _ in range(at_most):
        position = game.position
        if position.outcome is not None:
            return position.outcome
        decision = position.decision
        if decision is None:
            raise RuleBug("nobody is there to roll the dice")
        seat = decision.side

        def look(side: Side = seat, draft: Any = position.draft) -> View:
            return game.title.view(draft, side)

        game.answer(players[seat].choose(look, decision, rng))
    raise TooLong(f"{at_most} decisions and no end")


class Finding(msgspec.Struct, frozen=True):
    """Something that the fuzzer holds against a title, with the game that shows it."""

    oracle: str
    detail: str
    seed: int


def fuzz(
    title: Title[S],
    scenario: str,
    seed: int,
    *,
    at_most: int = DECISIONS_AT_MOST,
    every: int = 1,
    options: Options | None = None,
) -> tuple[Game[S] | None, list[Finding]]:
    """Play one random game and ask every oracle at every `every`-th decision."""
    rng = random.Random(seed)
    found: list[Finding] = []
    game: Game[S] | None = None
    try:
        game = Game(title, scenario, SeededChance(seed), options)
        for turn in range(at_most):
            if turn % every == 0:
                found += [Finding(name, detail, seed) for name, detail in _oracles(game, rng)]
            if found or game.position.outcome is not None:
                break
            decision = game.position.decision
            if decision is None:
                raise RuleBug("nothing is asked and the game is not over")
            game.answer(decision.options[rng.randrange(len(decision.options))].id)
        else:
            found.append(Finding("too-long", f"{at_most} decisions", seed))
        if not found:
            found += [Finding("replay", detail, seed) for detail in replay_faults(game)]
    except Refused as refused:
        found.append(Finding("option-refused", str(refused), seed))
    except RuleBug as bug:
        found.append(Finding("rule-bug", str(bug), seed))
    except Exception as crash:  # noqa: BLE001  a crash of any kind is what the fuzzer looks for
        found.append(Finding("crash", f"{type(crash).__name__}: {crash}", seed))
    return game, found


def _oracles(game: Game[Any], rng: random.Random) -> Iterator[tuple[str, str]]:
    """Every oracle that can be asked of one position."""
    title, position = game.title, game.position
    for fault in title.invariants(position.draft):
        yield "invariant", fault
    for detail in uncited_changes(game):
        yield "uncited-change", detail
    for detail in uncited_refusals(position.decision):
        yield "uncited-refusal", detail
    for detail in leaks(game, rng):
        yield "leak", detail
    for detail in strays(game):
        yield "stray", detail
    for detail in undo_faults(game):
        yield "undo", detail


def uncited_changes(game: Game[Any]) -> Iterator[str]:
    """The draft must be the resting state plus the events of the steps, and nothing else."""
    position = game.position
    state = position.rest
    for step in position.steps:
        if step.event is not None:
            state = step.event.on(state)
    if state != position.draft:
        yield "the open procedure changed the state without an event"
    if game.passages:
        last = game.passages[-1]
        state = last.rest
        for step in last.steps:
            if step.event is not None:
                state = step.event.on(state)
        if state != position.rest:
            yield "a procedure changed the state without an event"


def uncited_refusals(decision: Decision | None) -> Iterator[str]:
    """Every refused candidate has rulings, and none is an option as well."""
    if decision is None:
        return
    options = {option.id for option in decision.options}
    for option, rulings in decision.refused.items():
        if not rulings or not all(ruling.refs for ruling in rulings):
            yield f"{option} is refused without a rule"
        if option in options:
            yield f"{option} is both offered and refused"


def leaks(game: Game[Any], rng: random.Random) -> Iterator[str]:
    """What a side sees, is asked, is offered and is refused may not depend on what it cannot know.

    Every question is asked again after another deal of what its side cannot know, also in the
    middle of a procedure. A deal that the side could tell apart by then, from what it was shown
    on the way, proves nothing.
    """
    title, position = game.title, game.position
    for side in sides_of(game):
        other = title.redeal(position.draft, side, rng.randrange)
        if title.view(other, side) != title.view(position.draft, side):
            yield f"{side} sees hidden facts in its view"
        if title.belief(other, side) != title.belief(position.draft, side):
            yield f"{side} believes hidden facts"
    decision = position.decision
    if decision is None:
        return
    again = _after_another_deal(game, decision.side, rng)
    if again is not None:
        yield from _told_apart(decision, again)


def _after_another_deal(game: Game[Any], side: Side, rng: random.Random) -> Game[Any] | None:
    """The same answers after another deal; None if they do not fit it, or the side sees which."""
    title, position = game.title, game.position
    rest = title.redeal(position.rest, side, rng.randrange)
    if rest == position.rest:
        return None
    try:
        again = Game(title, game.scenario, None, game.options, start=rest)
        again.resume(position.open)
    except (Refused, RuleBug):
        return None
    here, there = _shown(position.steps, side), _shown(again.steps, side)
    is_seen = title.view(again.position.draft, side) != title.view(position.draft, side)
    return None if is_seen or here != there else again


def _shown(steps: Iterable[Step], side: Side) -> list[tuple[object, ...]]:
    """What a side was told by steps: rulings, dice and totals."""
    return [(s.ruling, s.chance, s.tally) for s in steps if side not in s.hidden_from]


def _told_apart(decision: Decision, again: Game[Any]) -> Iterator[str]:
    """How a question differs from the one that is asked after another deal."""
    asked, side = again.position.decision, decision.side
    if asked is None or (asked.id, asked.side, asked.ruling) != (
        decision.id,
        side,
        decision.ruling,
    ):
        yield f"what {side} is asked depends on hidden facts"
    elif asked.options != decision.options:
        yield f"the options of {side} depend on hidden facts"
    elif asked.refused != decision.refused:
        yield f"the refusals of {side} depend on hidden facts"
    elif any(asked.refused.words(one) != decision.refused.words(one) for one in decision.refused):
        yield f"the words of what {side} is refused depend on hidden facts"


def strays(game: Game[Any]) -> Iterator[str]:
    """Counters and answers lie on the map, or at a place that the view declares beside it."""
    title, position = game.title, game.position
    for side in sides_of(game):
        view = title.view(position.draft, side)
        for counter in view.counters:
            if counter.hex is not None and counter.hex not in view:
                yield f"{side} sees {counter.id} on {counter.hex}, which is nowhere"
    decision = position.decision
    if decision is None:
        return
    view = title.view(position.draft, decision.side)
    for option in decision.options:
        if option.hex is not None and option.hex not in view:
            yield f"{option.id} lies on {option.hex}, which is nowhere"


def undo_faults(game: Game[Any]) -> Iterator[str]:
    """Undo and redo must come back to the same state, options and entries."""
    if not any(isinstance(entry, Command) for entry in game.entries):
        return
    before, entries, studio = game.position, game.entries, game.studio
    try:
        game.undo(studio=True)
        game.redo()
    finally:
        game.studio = studio
    if game.entries != entries:
        yield "redo gives other answers"
    if game.position.draft != before.draft or game.position.steps != before.steps:
        yield "redo reaches another state"
    if game.position.decision != before.decision:
        yield "redo is asked something else"


def replay_faults(game: Game[Any]) -> Iterator[str]:
    """The entries alone must lead to the same resting states."""
    again = Game(game.title, game.scenario, None, game.options)
    again.resume(game.entries)
    first = [digest(passage.rest) for passage in game.passages]
    second = [digest(passage.rest) for passage in again.passages]
    for index, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            yield f"resting state {index} differs on replay"
            return
    if len(first) != len(second) or digest(game.position.draft) != digest(again.position.draft):
        yield "the end differs on replay"


def sides_of(game: Game[Any]) -> tuple[Side, ...]:
    """The sides of the scenario played."""
    infos = game.title.scenarios()
    return next(info.sides for info in infos if info.id == game.scenario)
