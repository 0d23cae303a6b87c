"""D-Day at Omaha Beach: the player leads the Americans, the system the Germans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.core.board import load_board
from engine.core.ctx import Ctx
from engine.core.data import DataErrors, Document, Fault, load
from engine.core.decisions import Decision
from engine.core.hexes import Hex
from engine.core.rules import Ruling, Side
from engine.core.text import N_, msg
from engine.core.title import (
    Layer,
    Options,
    Outcome,
    Overlay,
    Pick,
    Player,
    Question,
    ScenarioInfo,
    Sight,
    Switch,
    TitleInfo,
)
from engine.core.view import View
from engine.ddob.bot.player import Commander
from engine.ddob.bot.table import MINDS
from engine.ddob.rules import sequence, setup
from engine.ddob.state import events
from engine.ddob.state.book import US, rule
from engine.ddob.state.ground import MARKERS, ROADS, SIDES, TERRAINS
from engine.ddob.state.state import State
from engine.ddob.state.tables import SETUPS, ScenariosFile
from engine.ddob.table import inspect as examine
from engine.ddob.table import position, questions, view
from engine.kit.title import BaseTitle

WINNING = ("US victory", "decisive victory", "operational victory", "tactical victory")


class Omaha(BaseTitle[State]):
    """The title."""

    info = TitleInfo("ddob", "D-Day at Omaha Beach", "Terza edizione, 2017", 4)
    book = rule
    state_type = State
    levels: tuple[str, ...] = tuple(MINDS)

    def scenarios(self) -> tuple[ScenarioInfo, ...]:
        """The four scenarios with their variants (3, 22, 23)."""
        summaries = {
            "easy-fox": N_("Introductory: the eastern half, turns 1-16."),
            "first-wave": N_("The whole beach, turns 1-16."),
            "d-day": N_("From the first wave to the evening, turns 1-32."),
            "beyond-the-beach": N_("Inland, turns 17-32."),
        }
        return tuple(
            ScenarioInfo(name, found.name, (US,), msg(summaries[name]), switches(name))
            for name, found in SETUPS.items()
        )

    def start(self, scenario: str, options: Options) -> State:
        """The table before set-up is complete."""
        known = {s.id: options.get(s.id, s.values[0]) for s in switches(scenario)}
        return setup.start(scenario, known)

    def play(self, ctx: Ctx[State]) -> None:
        """One procedure."""
        sequence.play(ctx)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, once it has."""
        if not state.degree:
            return None
        winner = US if state.degree in WINNING else None
        ruling = rule(
            state.why,
            N_("{points} victory points: {degree}"),
            points=state.points,
            degree=state.degree,
        )
        return Outcome(winner, state.degree, ruling)

    def reduce(self, state: State, event: Any, /) -> State:
        """The state after an event."""
        return events.reduce(state, event)

    def view(self, state: State, side: Side) -> View:
        """The table from the American chair."""
        return view.view(state, side)

    def belief(self, state: State, side: Side) -> State:
        """What the Divisional box hides becomes a pool."""
        return view.belief(state)

    def redeal(self, state: State, side: Side, pick: Pick) -> State:
        """Another dealing of the Divisional box."""
        return view.redeal(state, pick)

    def questions(self, state: State, decision: Decision) -> tuple[Question, ...]:
        """Odds worth knowing at a decision."""
        return questions.questions(state, decision)

    def sight(self, state: State, a: Hex, b: Hex) -> Sight | None:
        """Whether a German position has one hex in its field of fire from another."""
        return examine.sight(state, a, b)

    def overlays(self, state: State, decision: Decision) -> tuple[Overlay, ...]:
        """Nothing beyond the options: fields of fire and the like are layers."""
        return ()

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
        return view.invariants(state)

    def validate(self, path: Path) -> tuple[Fault, ...]:
        """Every fault of a scenario or example file."""
        try:
            document = Document(path)
            if isinstance(document.value, dict) and "scenari" in document.value:
                load(path, ScenariosFile)
            elif isinstance(document.value, dict) and "mappa" in document.value:
                load_board(path, TERRAINS, (*SIDES, *ROADS, *MARKERS))
            else:
                given = document.value
                found = given.get("posizione", given) if isinstance(given, dict) else {}
                position.position(found if isinstance(found, dict) else {})
        except DataErrors as errors:
            return errors.faults
        return ()


def switches(scenario: str) -> tuple[Switch, ...]:
    """The optional rules of a scenario."""
    found = [
        Switch(
            "giocatori", rule("1.due-giocatori", N_("Players, one per division")), ("uno", "due")
        ),
        Switch(
            "plunging",
            rule("casa.46", N_("Plunging fire raises sporadic dots to")),
            ("intenso", "moderato"),
        ),
        Switch(
            "8.16", rule("casa.63", N_("One attack per phase counts")), ("esagono", "posizione")
        ),
    ]
    if scenario != "beyond-the-beach":
        found.append(Switch("22.1", rule(("22.1", "casa.79"), N_("Effective Allied bombardment"))))
        found.append(
            Switch("22.2", rule(("22.2", "casa.79"), N_("Tanks of the first wave are safe")))
        )
    if scenario != "easy-fox":
        found.append(Switch("22.3", rule(("22.3", "casa.79"), N_("Rangers at Pointe du Hoc"))))
    if SETUPS[scenario].turns[1] == 32:
        found.append(Switch("22.4", rule("22.4", N_("Improved German reaction"))))
        found.append(Switch("23", rule("23", N_("German tanks"))))
        found.append(
            Switch("16.3", rule("casa.61", N_("Redeployment compares")), ("punti", "forza"))
        )
    if scenario == "d-day":
        found.append(Switch("14.2", rule("14.2", N_("German actions from turn 12"))))
    return tuple(found)


TITLE = Omaha()
