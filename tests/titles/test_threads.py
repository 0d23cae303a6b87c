"""Two games at once: the screen asks while odds are counted, and neither gets the other's table."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import cycle
from threading import Semaphore
from types import FrameType
from typing import Any

import pytest

from engine.core.index import indexed
from engine.core.title import Title
from engine.game import Game, SeededChance
from tests.titles.registry import ALL

BEFORE, PLAYED = 120, 30
"""Decisions that bring a game past its set-up, and those that are watched."""

LOOKING_UP = ("state", "units", "elements", "ground", "tables", "index")
"""The modules that answer from memory: between two of their lines the other thread may run."""


class Baton:
    """Two threads of which one runs at a time, handing over again and again."""

    def __init__(self) -> None:
        self._turns = [Semaphore(1), Semaphore(0)]
        self._is_alone = False

    def hand_over(self, me: int) -> None:
        """Let the other run until it hands over in its turn."""
        if not self._is_alone:
            self._turns[1 - me].release()
            self._turns[me].acquire()

    def run(self, me: int, work: Callable[[], list[object]]) -> list[object]:
        """Work with a pause before every few of the lines that look something up."""
        waits = cycle((1, 2, 3, 1, 5, 2, 7))
        left = [0]

        def trace(frame: FrameType, event: str, arg: object) -> Any:
            if event == "call":
                module = frame.f_globals.get("__name__", "")
                if not module.startswith("engine.") or module.split(".")[-1] not in LOOKING_UP:
                    return None
            left[0] -= 1
            if left[0] < 0:
                left[0] = next(waits)
                self.hand_over(me)
            return trace

        self._turns[me].acquire()
        sys.settrace(trace)
        try:
            return work()
        finally:
            sys.settrace(None)
            self._is_alone = True
            self._turns[1 - me].release()


def begun(title: Title[Any], scenario: str) -> Game[Any]:
    """A random game on its way, which ends before it is watched only where it is so short."""
    game, rng = Game(title, scenario, SeededChance(7)), random.Random(scenario)
    for _ in range(BEFORE):
        if game.position.decision is None:
            return Game(title, scenario, SeededChance(7))
        answer(game, rng)
    return game


def answer(game: Game[Any], rng: random.Random) -> None:
    """Any option."""
    assert game.position.decision is not None
    options = game.position.decision.options
    game.answer(options[rng.randrange(len(options))].id)


def watched(game: Game[Any]) -> list[object]:
    """What a game shows at each of its next decisions, or its fault."""
    shown: list[object] = []
    rng = random.Random(1)
    try:
        for _ in range(PLAYED):
            decision, draft = game.position.decision, game.position.draft
            if decision is None:
                break
            shown.append((draft, decision, game.title.view(draft, decision.side)))
            answer(game, rng)
    except Exception as error:  # noqa: BLE001  whatever happens to one must happen to it alone
        shown.append(repr(error))
    return shown


@pytest.mark.parametrize("slug", ALL)
def test_two_games_in_two_threads_are_those_of_one_thread(slug):
    title = ALL[slug]
    infos = title.scenarios()
    pair = [infos[0].id, infos[-1].id]
    alone = [watched(begun(title, scenario)) for scenario in pair]
    baton = Baton()
    with ThreadPoolExecutor(2) as pool:
        runs = [
            pool.submit(baton.run, me, partial(watched, begun(title, scenario)))
            for me, scenario in enumerate(pair)
        ]
    found = [run.result() for run in runs]
    assert found == alone
    assert all(len(shown) > 3 for shown in alone)


def test_an_index_belongs_to_the_object_itself_and_to_one_thread():
    made: list[object] = []

    @indexed(keep=2)
    def index(of: dict[str, int]) -> list[str]:
        made.append(of)
        return sorted(of)

    one, equal, other = {"a": 1}, {"a": 1}, {"b": 2}
    assert index(one) is index(one)
    assert index(equal) is not index(one)
    assert index(other) == ["b"]
    assert len(made) == 3
    assert index(one) == ["a"]
    assert len(made) == 3
    index(equal)  # was let go: the last two are kept
    assert len(made) == 4
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(index, one).result() is not index(one)


def test_an_index_of_several_objects_is_that_of_all_of_them():
    @indexed()
    def index(a: dict[str, int], b: dict[str, int]) -> list[str]:
        return [*a, *b]

    one, two, three = {"a": 1}, {"b": 2}, {"c": 3}
    assert index(one, two) is index(one, two)
    assert index(one, three) == ["a", "c"]
    assert index(one, two) == ["a", "b"]
