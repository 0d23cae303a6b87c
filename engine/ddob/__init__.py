"""D-Day at Omaha Beach: the player leads the Americans, the system the Germans.

| chapter | module | refs |
| --- | --- | --- |
| 3, 21, 22 Scenarios, set-up, variants | rules/setup | 3, 14, 21.1, 22, ef |
| 4, 15 Sequence of play | rules/sequence | 4-4.vi, 15-15.vii, 5.21 |
| 5 Amphibious operations | rules/landing | 5-5.34 |
| ev Events | rules/card_events | ev |
| 6 German fire | rules/german_fire | 6-6.53, 11.41, 14.11, 14.12 |
| 7 US actions: the phase | rules/us_actions | 7, 7.2, 7.22, 7.6-7.63, 17 |
| 7.1 Free actions | rules/free_actions | 7.1, 19.3.traffico, 22.1, 23.6 |
| 7.3, 17 Movement | rules/movement | 7.21, 7.3-7.51, 17.1-17.23, 20.3.uscita |
| 8 US attacks | rules/attacks | 8.1-8.34, 8.51, 11.13 |
| 8.4, 8.5 Barrages and ships | rules/barrage | 8.4, 8.41, 8.5-8.54 |
| 9 German units, reinforcements | rules/reinforcements, zones, reveal | 9.1-9.5, 11.31 |
| 10, 19 Engineers | rules/engineers | 10.1, 10.12, 19.1-19.4 |
| 11, 18 Leaders and command posts | rules/leaders | 11.2, 11.3, 18 |
| 11.14, 13.1 Losses | rules/losses | 6.32, 6.33, 11.14, 11.4, 13.1, 20.1 |
| 12 Control and communication | rules/communication | 12.1-12.31 |
| 13, 20 Winning | rules/victory | 13-13.22, 20-20.3, 21.2, 23.7 |
| 16 German actions | rules/german_actions | 16-16.92 |
| 23 German tanks | rules/armor | 23.2-23.7 |
| tec Terrain effects | rules/terrain | tec, 7.31, 8.15, 17.22 |
| 2 Components | state/tables, state/ground, state/fields | 2.1-2.4 |

What the rules share when they ask stands in rules/choosing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.core.board import load_board
from engine.core.ctx import Ctx
from engine.core.data import load
from engine.core.decisions import Decision
from engine.core.hexes import Hex
from engine.core.rules import Ruling, Side
from engine.core.text import N_, msg
from engine.core.title import (
    Layer,
    Options,
    Outcome,
    Pick,
    Player,
    Question,
    ScenarioInfo,
    Sight,
    TitleInfo,
)
from engine.core.view import View
from engine.ddob.bot.fire import MINDS
from engine.ddob.bot.player import Commander
from engine.ddob.rules import sequence, setup, victory
from engine.ddob.state.book import US, rule
from engine.ddob.state.ground import MARKERS, ROADS, SIDES, TERRAINS
from engine.ddob.state.state import State
from engine.ddob.state.tables import SETUPS, ScenariosFile
from engine.ddob.table import inspect as examine
from engine.ddob.table import invariants, position, questions, view
from engine.ddob.table.verbs import VERBS
from engine.kit.title import BaseTitle

SUMMARIES = {
    "easy-fox": N_("Introductory: the eastern half, turns 1-16."),
    "first-wave": N_("The whole beach, turns 1-16."),
    "d-day": N_("From the first wave to the evening, turns 1-32."),
    "beyond-the-beach": N_("Inland, turns 17-32."),
}


class Omaha(BaseTitle[State]):
    """The title."""

    info = TitleInfo(
        *("ddob", "D-Day at Omaha Beach", "Terza edizione, 2017", 5),
        ends=("fine", "basta", "via", "ferma", "resta", "niente", "no", "solo"),
        verbs=VERBS,
        actors=("actions.who",),
        joins=("move.together", "attack.units"),
        has_dice=False,
    )
    book = rule
    state_type = State
    levels: tuple[str, ...] = tuple(MINDS)

    def scenarios(self) -> tuple[ScenarioInfo, ...]:
        """The four scenarios with their variants (3, 22, 23)."""
        return tuple(
            ScenarioInfo(name, found.name, (US,), msg(SUMMARIES[name]), setup.switches(name))
            for name, found in SETUPS.items()
        )

    def start(self, scenario: str, options: Options) -> State:
        """The table before set-up is complete."""
        known = {s.id: options.get(s.id, s.values[0]) for s in setup.switches(scenario)}
        return setup.start(scenario, known)

    def play(self, ctx: Ctx[State]) -> None:
        """One procedure."""
        sequence.play(ctx)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, once it has."""
        return victory.outcome(state)

    def view(self, state: State, side: Side) -> View:
        """The table from the American chair."""
        return view.view(state, side)

    def belief(self, state: State, side: Side) -> State:
        """What the Divisional box hides becomes a pool."""
        return view.belief(state)

    def redeal(self, state: State, side: Side, pick: Pick) -> State:
        """Another dealing of the Divisional box."""
        return view.redeal(state, pick)

    def is_set_up(self, state: State, decision: Decision) -> bool:
        """Arriving units are placed in the landing boxes (5.3); to begin is no more of it."""
        if decision.id == "setup.begin":
            return False
        return decision.id == "landing.box" or super().is_set_up(state, decision)

    def questions(self, state: State, decision: Decision) -> tuple[Question, ...]:
        """Odds worth knowing at a decision."""
        return questions.questions(state, decision)

    def sight(self, state: State, a: Hex, b: Hex) -> Sight | None:
        """Whether a German position has one hex in its field of fire from another."""
        return examine.sight(state, a, b)

    def layers(self, state: State, side: Side) -> tuple[Layer, ...]:
        """Fields of fire, dangers, weapons, communication, points."""
        return examine.layers(state)

    def inspect(self, state: State, hex: Hex) -> tuple[Ruling, ...]:
        """What the rules say of a hex."""
        return examine.inspect(state, hex)

    def position(self, given: Mapping[str, Any]) -> State:
        """A state from an example file."""
        return position.position(given)

    def player(self, level: str) -> Player:
        """A player of the Americans."""
        return Commander(level)

    def invariants(self, state: State) -> Iterator[str]:
        """What is wrong with a state, if anything."""
        return invariants.invariants(state)

    def check(self, path: Path, value: Any) -> None:
        """Read a file of scenarios, a map or an example; raises DataErrors."""
        given = value if isinstance(value, dict) else {}
        if "scenari" in given:
            load(path, ScenariosFile)
        elif "mappa" in given:
            load_board(path, TERRAINS, (*SIDES, *ROADS, *MARKERS))
        else:
            found = given.get("posizione", given)
            position.position(found if isinstance(found, dict) else {})


TITLE = Omaha()
