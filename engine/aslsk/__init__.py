"""ASL Starter Kit: infantry, Guns and vehicles, company level (`aslsk`).

The book, chapter by chapter, and the modules of `rules` that hold it:

- 1.1 maps, 1.2 counters: `terrain`, `hedges` (1.1.1); `state` has the ground and the counters;
- 1.3 scenarios: `setup`, `victory` (1.3, 2.0.control, 3.9); `guns` hides and faces Guns (6.3, 6.4);
- 3.0 Player Turn: `sequence` (3.0, 3.9);
- 3.1 Rally Phase: `rally` (3.1, 5.3); 3.2.1 LOS: `sight`;
- 3.2 Prep Fire, 3.4 Defensive Fire, 3.5 Advancing Fire: `elements` (what may fire), `shooting` (at
  what, and how) (3.2, 4.0.usage, 7.8), `smoke_fire` (6.2.smoke), `advancing` (3.5, 4.3);
  - on the IFT: `fire_groups` (who fires together, who directs), `firepower` (FP and DRM), `fire`
    (the procedure), `firers` (what it costs), `strikes` (what it does) (3.2.2, 3.2.3, 3.3.5);
  - with a To Hit DR: `ordnance` (weapon, ammunition, the declared shot), `aiming` (what it may aim
    at), `to_hit` (number and cases), `shots` (the procedure), `gunnery` (what the DR does to the
    weapon), `hits` (what it does to the target), `acquisition` (3.2.4, 6.1-6.12);
- 3.2.3 effects, 5.1 ELR: `morale`; 7.9-7.12 vehicles hit: `to_kill`;
- 3.3 Movement Phase: `movement` (3.3.1), `vehicles` and `bogging` (3.3.2, 7.4-7.8), `guns` (6.5);
  against it `defensive` (3.3.3, 3.3.5) and `reactions` (3.3.2.1, 3.3.4, 7.5);
- 3.6 Rout Phase: `rout`; 3.7 Advance Phase: `advance`; 3.8 Close Combat: `close_combat`;
- 4 support weapons: `weapons` (FT, DC, PF: 4.2-4.4), MG with fire (4.1);
- DaE2 off-board artillery, an option: `oba`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.aslsk.bot.player import TEMPERS, player
from engine.aslsk.rules import sequence, setup, victory
from engine.aslsk.rules.weapons import pf_cap
from engine.aslsk.state.book import rule
from engine.aslsk.state.state import SETUP, State, fresh
from engine.aslsk.state.tables import Scenario, scenarios
from engine.aslsk.table import view as views
from engine.aslsk.table.inspect import inspect, layers, overlays, sight
from engine.aslsk.table.invariants import invariants
from engine.aslsk.table.position import check, position
from engine.aslsk.table.questions import questions
from engine.aslsk.table.verbs import VERBS
from engine.core.ctx import Ctx
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
    """The title: its facts, and who answers what is asked of it."""

    info = TitleInfo(
        *("aslsk", "ASL Starter Kit", "SK1-SK3", 5),
        ends=("fine", "passa", "via", "ferma", "fermo", "resta", "nessuno", "solo", "fuoco"),
        verbs=VERBS,
        actors=("move.who", "fire.who", "advance.who"),
        joins=("move.along", "fire.group"),
    )
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
        state = setup.enlist(card, chosen).on(fresh(card, chosen))
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

    def is_set_up(self, state: State, decision: Decision) -> bool:
        """Facing at set-up, and where arriving units wait, belong to it (1.3, 3.1.a)."""
        is_placed = decision.id == "entry.wait" or super().is_set_up(state, decision)
        return state.phase == SETUP or is_placed

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

    def check(self, path: Path, value: Any) -> None:
        """Read a data file as what it holds; raises DataErrors."""
        check(path, value)


def _info(card: Scenario) -> ScenarioInfo:
    switches = [
        Switch(
            "los",
            rule("3.2.1.declare#prima", N_("LOS is checked only after declaring")),
            ("dichiara", "libera"),
        ),
        Switch("leader_odds", rule("casa.07", N_("Leader Creation counts the odds"))),
        Switch(
            "case8_doppio",
            rule("3.2.4.procedure#to-hit-chi-spara/8", N_("Case 8 doubles in woods and buildings")),
            ("si", "no"),
        ),
    ]
    if card.oba is not None:
        switches.append(Switch("oba", rule("dae2#batteria", N_("off-board artillery is in play"))))
    summary = msg(N_("{date}, {n} turns"), date=card.date, n=card.turns)
    return ScenarioInfo(card.id, card.name, card.sides, summary, tuple(switches))


TITLE = Aslsk()
