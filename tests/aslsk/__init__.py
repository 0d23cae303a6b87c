"""Positions in a few lines, dice given, and what came of them."""

from __future__ import annotations

from typing import Any

import yaml

from engine.aslsk import TITLE
from engine.aslsk.state.state import State
from engine.core.rules import Roll, Step
from engine.game import Game, ScriptedChance


def state_of(text: str) -> State:
    """A position at rest, not played on; without a map of its own, on the map of the examples."""
    given = yaml.load(text, Loader=yaml.BaseLoader)
    given.setdefault("mappa", "ex")
    return TITLE.position(given)


class Run:
    """A game from a position, with the answers and dice given."""

    def __init__(self, position: str, *answers: str, dice: list[Any] | None = None) -> None:
        start = state_of(position)
        self.game: Game[State] = Game(TITLE, "R1", ScriptedChance(dice or []), start=start)
        for answer in answers:
            self.game.answer(answer)

    def answer(self, *answers: str) -> Run:
        """More answers."""
        for answer in answers:
            self.game.answer(answer)
        return self

    @property
    def state(self) -> State:
        """The state now."""
        return self.game.position.draft

    @property
    def refs(self) -> set[str]:
        """Every locator cited so far."""
        return {ref[6:] for step in self.game.steps for ref in step.ruling.refs}

    @property
    def options(self) -> set[str]:
        """What may be answered."""
        decision = self.game.position.decision
        return {option.id for option in decision.options} if decision is not None else set()

    @property
    def side(self) -> str:
        """Who is asked."""
        decision = self.game.position.decision
        return decision.side if decision is not None else ""

    def why_not(self, option: str) -> set[str]:
        """The locators that forbid an option."""
        decision = self.game.position.decision
        assert decision is not None
        assert option not in self.options, f"{option} is offered"
        assert option in decision.refused, f"{option} is not even refused"
        return {ref[6:] for ruling in decision.refused[option] for ref in ruling.refs}


ON_IFT = ("3.2.3", "7.12")
"""The final DR of an attack on the IFT: at a hex, at an exposed crew."""
ON_UNIT = ("3.2.3", "7.11", "dae2.5", "dae2.53")
"""The final DR against one unit: of a hit, against a vehicle, of a barrage."""
CITE, ROLL, DRAW = "cite", "roll", "draw"


def kind_of(step: Step) -> str:
    """What a step is: a line of a running total, an event, a roll, a draw, or only told."""
    if step.tally is not None:
        return step.tally.name
    if step.event is not None:
        return type(step.event).__name__
    if step.chance is not None:
        return ROLL if isinstance(step.chance, Roll) else DRAW
    return CITE


def told(
    run: Run, ref: str | tuple[str, ...], *keys: str, of: str = CITE
) -> list[dict[str, object]]:
    """The facts of every step of a kind that cites a rule and tells exactly these facts.

    The column where a result was read is only told if it is asked for.
    """
    refs = {f"aslsk:{one}" for one in ((ref,) if isinstance(ref, str) else ref)}
    return [
        {key: s.ruling.msg.facts[key] for key in keys}
        for s in run.game.steps
        if kind_of(s) == of
        and set(s.ruling.msg.facts) in (set(keys), {*keys, "dr", "column"})
        and not refs.isdisjoint(s.ruling.refs)
    ]


def totals(run: Run, name: str) -> list[int]:
    """What each running total of a name came to, line by line."""
    return [int(s.tally.total) for s in run.game.steps if s.tally and s.tally.name == name]
