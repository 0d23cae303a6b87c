"""The one builder of positions: a game from a few lines, dice given, and what came of it.

Each title has its own `Table` in `tests/<slug>/table.py`, with the same names:

    table = Table("unità: {a: ru-447 G7, x: ge-467 K9}", "u:a", dice=[(5, 6)])    # as in a file
    table = Table(us={"us-1": "C5 4reg"}, de={"de-1": "D5 4reg"}).play("u:us-1")  # or by its keys
    assert "assalto.chi" in table.why_not("b:assalto")
"""

from __future__ import annotations

from collections.abc import Iterable, KeysView, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

import yaml

from engine.core.ctx import RollRequest
from engine.core.decisions import Decision
from engine.core.rules import Refused, Roll, Ruling, Step
from engine.core.title import Title
from engine.game import Game, Position, ScriptedChance
from tests import citations
from tests.citations import CITE, kind_of

S = TypeVar("S")

Given = Sequence[int] | int | str
"""The faces of a roll; what all its dice show; the item of a draw."""


class GivenChance(ScriptedChance):
    """Dice and draws in their order; a single number is what all the dice of a roll show."""

    def roll(self, request: RollRequest, index: int) -> Roll:
        if self._given and isinstance(self._given[0], int):
            face = self._given.pop(0)
            return Roll(request.dice.name, (face,) * len(request.dice.dice))
        return super().roll(request, index)


class Table(Generic[S]):
    """A game that starts from a position, with its first answers and its dice given."""

    title: ClassVar[Title[Any]]
    scenario: ClassVar[str]

    def __init__(
        self, text: str = "", *answers: str, dice: Iterable[Given] = (), **position: Any
    ) -> None:
        given = self.complete(self.read(text) | position)
        scenario, options = self.setting(given)
        start = self.title.position(given)
        self.chance = GivenChance(dice)
        self.game: Game[S] = Game(self.title, scenario, self.chance, options, start=start)
        self.play(*answers)

    @classmethod
    def around(cls, game: Game[S]) -> Self:
        """The same words for a game that starts in another way."""
        table = cls.__new__(cls)
        table.game = game
        return table

    @staticmethod
    def read(text: str) -> dict[str, Any]:
        """A position as an example file writes it."""
        return yaml.load(text, Loader=yaml.BaseLoader) or {}

    @classmethod
    def complete(cls, given: dict[str, Any]) -> dict[str, Any]:
        """What a title adds to every position of its tests."""
        return given

    @classmethod
    def setting(cls, given: dict[str, Any]) -> tuple[str, dict[str, str]]:
        """The scenario of the game, and its options."""
        return cls.scenario, {}

    @classmethod
    def state_of(cls, text: str = "", **position: Any) -> S:
        """A position at rest, not played on."""
        return cls.title.position(cls.complete(cls.read(text) | position))

    def play(self, *answers: str) -> Self:
        """Give answers, whoever is asked; what is cited on the way is in the golden file."""
        citations.check(self.game)
        for answer in answers:
            self.game.answer(answer)
            citations.check(self.game)
        return self

    def refuses(self, answer: str) -> bool:
        """Whether an answer is thrown back."""
        try:
            self.game.answer(answer)
        except Refused:
            return True
        return False

    @property
    def position(self) -> Position[S]:
        """Where the game stands."""
        return self.game.position

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every step so far."""
        return self.game.steps

    @property
    def state(self) -> S:
        """The state that a screen would show."""
        return self.position.draft

    @property
    def asked(self) -> Decision:
        """What is asked now."""
        decision = self.position.decision
        assert decision is not None, "nothing is asked"
        return decision

    @property
    def options(self) -> KeysView[str]:
        """What may be answered: a set that keeps its order; empty if nobody is asked."""
        decision = self.position.decision
        options = decision.options if decision is not None else ()
        return dict.fromkeys(option.id for option in options).keys()

    def why_not(self, option: str) -> set[str]:
        """The locators that forbid an option."""
        decision = self.asked
        assert option not in self.options, f"{option} is offered"
        assert option in decision.refused, f"{option} is not even a candidate"
        return locators(decision.why_not(option))

    @property
    def asked_by(self) -> set[str]:
        """The locators that the open question cites."""
        return locators([self.asked.ruling])

    @property
    def cited(self) -> set[str]:
        """Every locator cited so far."""
        return locators(step.ruling for step in self.steps)

    @property
    def rolled(self) -> list[str]:
        """The dice of every roll so far, by name."""
        return [step.chance.dice for step in self.steps if isinstance(step.chance, Roll)]

    def facts(self, locator: str) -> list[dict[str, Any]]:
        """The facts of every step that cites a rule."""
        ref = f"{self.title.info.slug}:{locator}"
        return [dict(s.ruling.msg.facts) for s in self.steps if ref in s.ruling.refs]

    def fact(self, locator: str, name: str) -> Any:
        """A fact of the last step under a rule that has it."""
        return [facts[name] for facts in self.facts(locator) if name in facts][-1]

    def told(
        self, locator: str | tuple[str, ...], *keys: str, of: str = CITE
    ) -> list[dict[str, Any]]:
        """The facts of every step of a kind that cites a rule and tells exactly these facts."""
        wanted = {locator} if isinstance(locator, str) else set(locator)
        return [
            dict(s.ruling.msg.facts)
            for s in self.steps
            if kind_of(s) == of
            and set(s.ruling.msg.facts) == set(keys)
            and not wanted.isdisjoint(locators([s.ruling]))
        ]

    def totals(self, name: str) -> list[int]:
        """What each running total of a name came to, line by line."""
        return [int(s.tally.total) for s in self.steps if s.tally and s.tally.name == name]

    def tally(self, name: str) -> list[int]:
        """The last total of each running sum with that name."""
        totals: list[int] = []
        fresh = True
        for step in self.steps:
            if step.tally is not None and step.tally.name == name:
                if fresh:
                    totals.append(0)
                totals[-1] = int(step.tally.total)
                fresh = False
            else:
                fresh = True
        return totals


def locators(rulings: Iterable[Ruling]) -> set[str]:
    """What rulings cite, without the book."""
    return {ref.partition(":")[2] for ruling in rulings for ref in ruling.refs}
