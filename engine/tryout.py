"""Trying a title out with the data that it finds: what is wrong with them, before a game begins.

Data are read when a title is imported and when its scenarios start, so a try-out belongs in a
process of its own: whoever runs it may then leave the faulty files out.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.core.data import DataErrors, Fault, data_path
from engine.core.files import our_file, replaceable
from engine.core.text import N_, msg
from engine.core.title import Title
from engine.examples import why_impossible
from engine.game import Game, SeededChance

DECISIONS = 60
"""How far each scenario is played: past the start, where names that nobody knows come to light."""


def try_out(slug: str) -> tuple[Fault, ...]:
    """Import a title and begin its scenarios; what stands in the way, without a file where the
    fault does not say it itself."""
    faults: dict[str, Fault] = {}
    scenarios: tuple[str, ...] = ("",)
    try:
        title: Title[Any] = import_module(f"engine.{slug}").TITLE
        scenarios = tuple(info.id for info in title.scenarios())
        if not scenarios:
            return (Fault("", "$", 1, msg(N_("No scenario is left"))),)
    except DataErrors as errors:
        return errors.faults
    except Exception as error:  # noqa: BLE001  whatever data do to us is their fault
        return (_fault(error),)
    trials = [partial(_begin, title, scenario) for scenario in scenarios]
    trials += [partial(title.validate, path) for path in _read_late(slug)]
    for trial in trials:
        try:
            found = trial()
        except DataErrors as errors:
            found = errors.faults
        except Exception as error:  # noqa: BLE001
            found = (_fault(error),)
        faults |= {str(fault): fault for fault in found}
    return tuple(faults.values())


def _read_late(slug: str) -> Iterator[Path]:
    """The user's files that may not be read before somebody needs them."""
    tables = getattr(import_module(f"engine.{slug}.state.tables"), "READ_LATE", {})
    for name in replaceable(slug):
        _, *names = name.split("/")
        path = data_path(slug, *names)
        if path != our_file(name) and (len(names) > 1 or names[0] in tables):
            yield path


def _begin(title: Title[Any], scenario: str) -> tuple[Fault, ...]:
    """The first decisions of a game, with every side's view of them."""
    game, rng = Game(title, scenario, SeededChance(1)), random.Random(1)
    sides = next(info.sides for info in title.scenarios() if info.id == scenario)
    for _ in range(DECISIONS):
        position = game.position
        for side in sides:
            title.view(position.draft, side)
        for fault in title.invariants(position.draft):
            raise ValueError(fault)
        if position.decision is None:
            break
        options = position.decision.options
        game.answer(options[rng.randrange(len(options))].id)
    return ()


def _fault(error: Exception) -> Fault:
    return Fault("", "$", 1, why_impossible(error))
