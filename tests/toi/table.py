"""A position in a few lines, dice given, answers by id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.ctx import RollRequest
from engine.core.decisions import Decision
from engine.core.rules import Roll
from engine.game import Game, ScriptedChance
from engine.toi import TITLE
from engine.toi.state.state import State, Unit


class Given(ScriptedChance):
    """Dice and draws in their order; a single number is what all the dice of a roll show."""

    def roll(self, request: RollRequest, index: int) -> Roll:
        if self._given and isinstance(self._given[0], int):
            face = self._given.pop(0)
            return Roll(request.dice.name, (face,) * len(request.dice.dice))
        return super().roll(request, index)


class Table:
    """A game that starts from a position, with dice and draws given in their order.

    A truck in a corner waits for each side, so that the round does not end by itself.
    """

    def __init__(self, *chance: Sequence[int] | int | str, idle: bool = True, **position: Any):
        self.chance = Given(chance)
        if idle:
            position["us"] = {**position.get("us", {}), "us-gmc-9": "A12 gmc"}
            position["de"] = {**position.get("de", {}), "de-opel-9": "P12 opel"}
        start = TITLE.position(position)
        self.game: Game[State] = Game(TITLE, "toi-s1", self.chance, start=start)

    def play(self, *answers: str) -> Table:
        """Give answers, whoever is asked."""
        for answer in answers:
            self.game.answer(answer)
        return self

    @property
    def state(self) -> State:
        return self.game.position.draft

    @property
    def asked(self) -> Decision:
        decision = self.game.position.decision
        assert decision is not None
        return decision

    def unit(self, name: str) -> Unit:
        return self.state.units[name]

    def is_gone(self, name: str) -> bool:
        return name not in self.state.units

    @property
    def options(self) -> set[str]:
        return {option.id for option in self.asked.options}

    def why_not(self, option: str) -> set[str]:
        """The refs against an option that is refused."""
        assert option not in self.options, f"{option} is offered"
        assert option in self.asked.refused, f"{option} is not even a candidate"
        return {ref for ruling in self.asked.refused[option] for ref in ruling.refs}

    @property
    def cited(self) -> set[str]:
        """Every rule cited so far."""
        return {ref for step in self.game.steps for ref in step.ruling.refs}

    def tally(self, name: str) -> list[int]:
        """The last total of each running sum with that name."""
        totals: list[int] = []
        fresh = True
        for step in self.game.steps:
            if step.tally is not None and step.tally.name == name:
                if fresh:
                    totals.append(0)
                totals[-1] = int(step.tally.total)
                fresh = False
            else:
                fresh = True
        return totals

    def rolled(self) -> list[str]:
        """The dice of every roll so far, by name."""
        return [step.chance.dice for step in self.game.steps if hasattr(step.chance, "dice")]

    def fact(self, ref: str, name: str) -> Any:
        """A fact of the last step under a rule that has it."""
        found = [
            step.ruling.msg.facts[name]
            for step in self.game.steps
            if ref in step.ruling.refs and name in step.ruling.msg.facts
        ]
        return found[-1]
