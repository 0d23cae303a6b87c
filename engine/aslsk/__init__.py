"""ASL Starter Kit: infantry, Guns and vehicles, company level (`aslsk`).

How an attack goes through the modules, in the order of the book:

- `elements`, `shooting`: what may fire, at what, and how (3.2, 4.0.usage, 7.8);
- on the IFT: `fire_groups` (who fires together, who directs), `firepower` (FP and DRM), `fire` (the
  procedure), `firers` (what it costs: ROF, malfunction, counters, facing), `strikes` (what it does
  to a hex, and Residual FP) (3.2.2, 3.2.3, 3.3.5);
- with a To Hit DR: `ordnance` (weapon, ammunition, the declared shot), `aiming` (what it may aim
  at), `to_hit` (the number and its cases), `shots` (the procedure), `gunnery` (what the DR does to
  the weapon), `hits` (what it does to the target), `acquisition` (3.2.4, 6.1-6.12);
- `to_kill` and `morale`: what becomes of vehicles, crews and infantry (7.9-7.12, 3.2.3);
- `weapons`, `smoke_fire`, `defensive`: FT, DC, PF; smoke; fire at movers (4.2-4.4, 6.2, 3.3.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.aslsk.bot.player import TEMPERS, player
from engine.aslsk.rules import sequence, setup, victory
from engine.aslsk.rules.weapons import pf_cap
from engine.aslsk.state.book import rule
from engine.aslsk.state.events import reduce
from engine.aslsk.state.state import State, fresh
from engine.aslsk.state.tables import Scenario, scenarios
from engine.aslsk.table import view as views
from engine.aslsk.table.inspect import inspect, layers, overlays, sight
from engine.aslsk.table.invariants import invariants
from engine.aslsk.table.position import position, validate
from engine.aslsk.table.questions import questions
from engine.core.ctx import Ctx
from engine.core.data import Fault
from engine.core.decisions import Decision
from engine.core.hexes import Hex
from engine.core.rules import Book, Ruling, Side
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
from engine.kit.title import BaseTitle


class Aslsk(BaseTitle[State]):
    """The title. Everything in it is a function of its arguments."""

    info = TitleInfo("aslsk", "ASL Starter Kit", "SK1-SK3", 5)
    book: Book = rule
    state_type = State
    levels: tuple[str, ...] = tuple(TEMPERS)

    def scenarios(self) -> tuple[ScenarioInfo, ...]:
        """The four scenarios (1.3)."""
        return tuple(_info(card) for card in scenarios().values())

    def start(self, scenario: str, options: Options) -> State:
        """The order of battle before set-up."""
        card = scenarios()[scenario]
        chosen = dict(options)
        state = fresh(card, chosen)
        state = reduce(state, setup.enlist(card, chosen))
        return setup.start_state(state, card, pf_cap(card))

    def play(self, ctx: Ctx[State]) -> None:
        """One procedure."""
        sequence.play(ctx)

    def outcome(self, state: State) -> Outcome | None:
        """The end of the game, once reached."""
        return victory.outcome(state)

    def view(self, state: State, side: Side) -> View:
        """The table from a side's chair."""
        return views.view(state, side)

    def belief(self, state: State, side: Side) -> State:
        """The state as far as a side knows it, before any thread is stretched (3.2.1.declare)."""
        return views.supposed(views.belief(state, side))

    def redeal(self, state: State, side: Side, pick: Pick) -> State:
        """Another state that the side cannot tell from this one."""
        return views.redeal(state, side, pick)

    def questions(self, state: State, decision: Decision) -> tuple[Question, ...]:
        """What odds are worth asking."""
        return questions(state, decision)

    def sight(self, state: State, a: Hex, b: Hex) -> Sight | None:
        """A LOS explained, as far as 3.2.1 lets it be known."""
        return sight(state, a, b)

    def overlays(self, state: State, decision: Decision) -> tuple[Overlay, ...]:
        """What to tint on the map."""
        return overlays(state, decision)

    def layers(self, state: State, side: Side) -> tuple[Layer, ...]:
        """What a side can lay over the map."""
        return layers(state, side)

    def inspect(self, state: State, hex: Hex) -> tuple[Ruling, ...]:
        """What rules say of a hex."""
        return inspect(state, hex)

    def position(self, given: Mapping[str, Any]) -> State:
        """A state from an example file."""
        return position(given)

    def player(self, level: str) -> Player:
        """A player of a level."""
        return player(level)

    def invariants(self, state: State) -> Iterator[str]:
        """What is wrong with a state, if anything."""
        return invariants(state)

    def validate(self, path: Path) -> tuple[Fault, ...]:
        """Every fault of a data file of this title."""
        return validate(path)


def _info(card: Scenario) -> ScenarioInfo:
    switches = [
        Switch(
            "los",
            rule("3.2.1.declare", N_("LOS is checked only after declaring")),
            ("dichiara", "libera"),
        ),
        Switch("leader_odds", rule("casa.07", N_("Leader Creation counts the odds"))),
        Switch(
            "case8_doppio",
            rule("3.2.4.procedure", N_("Case 8 doubles in woods and buildings")),
            ("si", "no"),
        ),
    ]
    if card.oba is not None:
        switches.append(Switch("oba", rule("dae2", N_("off-board artillery is in play"))))
    summary = msg(N_("{date}, {n} turns"), date=card.date, n=card.turns)
    return ScenarioInfo(card.id, card.name, card.sides, summary, tuple(switches))


TITLE = Aslsk()
