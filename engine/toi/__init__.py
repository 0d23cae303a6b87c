"""Tide of Iron.

The chapters of the book, and where their rules are (`rules/`, unless said otherwise):

    chapter                   module             refs
    definitions               state/units.py     definizioni.*
    components, limits        state/limits.py    componenti.*, limiti.*
    set-up                    setup.py           preparazione.*
    teams                     activation.py, command.py, combined.py   squadre-gioco.*
    the round                 sequence.py        round.*
    Action Phase              activation.py      azione.turni, azione.fine and the turns
      the eight actions       actions.py         azione.*
      special actions         specialists.py     specializzazioni.*, azione.speciale
    Command Phase             command.py         comando.*
    Status Phase              status.py          stato.*
      reinforcements          reinforcements.py  stato.rinforzi-*
    victory                   victory.py         vittoria.*
    movement, timing          movement.py        movimento.*, conflitti.*
      terrain                 terrain.py         terreno.*
      stacking                stacking.py        accentramento.*
      transport               transport.py       trasporto.*
      works and smoke         works.py           fortificazioni.*, ostacoli.*, fumo.*
    line of sight             sight.py           visuale.*
    targets and range         targets.py         combattimento.*, raggio.*, modificatori.*
    the attack                fire.py            attacco.*
      cover and armor         cover.py           difesa.*
      hits                    suppression.py     danni.*, condizioni.*
      combined fire           combined.py        fuoco-combinato.*
      opportunity fire        opportunity.py     fuoco-op.*
      area attacks            area.py            area.*
      mortars                 mortars.py         miniature.mortaio.*
    assault                   assault.py         assalto.*
    concealed squads          concealed.py       nascoste.*
    strategy cards            cards.py, hq.py    strategia.*
    operation cards           where they work    operazioni.*

`table/` answers screens (view, odds, inspection, example positions), `bot/` holds the players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.core.ctx import Ctx
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
from engine.examples import read
from engine.kit.title import BaseTitle
from engine.toi.bot import player as bot
from engine.toi.rules import sequence, setup, victory
from engine.toi.state import tables
from engine.toi.state.book import rule
from engine.toi.state.state import State
from engine.toi.table import inspect, invariants, position, questions, view
from engine.toi.table.position import SEATS
from engine.toi.table.verbs import VERBS
from engine.toi.table.view import ToiView

SWITCHES = (
    Switch(
        "costruzione",
        rule("preparazione.5-ordine#segreto", N_("Squads are built in secret")),
        ("aperta", "segreta"),
    ),
    Switch(
        "fumo",
        rule(("fumo.durata", "casa.10"), N_("How long smoke lasts")),
        ("stato-seguente", "round-intero"),
    ),
)
TEAMS = {"toi-s2": ("3", "4")}
"""Scenarios that are also offered to three and four players."""


class TideOfIron(BaseTitle[State]):
    """The title."""

    info = TitleInfo(
        *("toi", "Tide of Iron", "2007", 3),
        ends=("fine", "no", "fuoco"),
        verbs=VERBS,
        actors=("action.next",),
        joins=("fire.support", "mortars.support", "assault.support"),
    )
    book = rule
    state_type = State
    levels: tuple[str, ...] = ("medio", "difficile")
    left_to_chance: Mapping[str, str] = bot.LEFT_TO_CHANCE

    def scenarios(self) -> tuple[ScenarioInfo, ...]:
        """The scenarios, and those for teams (squadre-gioco.numero)."""
        found = []
        for name, scenario in tables.scenarios().items():
            for players in ("2", *TEAMS.get(name, ())):
                sides = tuple(seat for seats in SEATS[players].values() for seat in seats)
                summary = msg(
                    N_("{rounds} rounds, {players} players, difficulty {level}"),
                    rounds=scenario.rounds,
                    players=int(players),
                    level=scenario.complexity,
                )
                one = name if players == "2" else f"{name}-{players}"
                teams = {side: seats for side, seats in SEATS[players].items() if len(seats) > 1}
                found.append(
                    ScenarioInfo(one, scenario.name, sides, summary, SWITCHES, teams=teams)
                )
        return tuple(found)

    def start(self, scenario: str, options: Options) -> State:
        """The state before set-up."""
        known = tables.scenarios()
        if scenario in known:
            return setup.start(known[scenario], SEATS["2"], options)
        base, _, players = scenario.rpartition("-")
        return setup.start(known[base], SEATS[players], options)

    def play(self, ctx: Ctx[State]) -> None:
        """One procedure."""
        sequence.play(ctx)

    def outcome(self, state: State) -> Outcome | None:
        """The end of the game, once reached."""
        return victory.outcome(state)

    def view(self, state: State, side: Side) -> ToiView:
        """The table from a side's chair."""
        return view.view(state, side)

    def belief(self, state: State, side: Side) -> State:
        """The state as far as a side knows it."""
        return view.belief(state, side)

    def redeal(self, state: State, side: Side, pick: Pick) -> State:
        """Another state that the side cannot tell from this one."""
        return view.redeal(state, side, pick)

    def is_set_up(self, state: State, decision: Decision) -> bool:
        """Cards and first op fire belong to the set-up too (preparazione.3-mazzi to .7)."""
        return state.phase == setup.SETUP or super().is_set_up(state, decision)

    def questions(self, state: State, decision: Decision) -> tuple[Question, ...]:
        """What odds are worth asking at a decision."""
        return questions.questions(state, decision)

    def sight(self, state: State, a: Hex, b: Hex) -> Sight | None:
        """The line of sight between two hexes explained."""
        return inspect.sight(state, a, b)

    def overlays(self, state: State, decision: Decision) -> tuple[Overlay, ...]:
        """What to tint on the map at a decision."""
        return inspect.overlays(state, decision)

    def layers(self, state: State, side: Side) -> tuple[Layer, ...]:
        """What a side can lay over the map."""
        return inspect.layers(state, side)

    def inspect(self, state: State, hex: Hex) -> tuple[Ruling, ...]:
        """Terrain, cost, cover and what else rules say of a hex."""
        return inspect.inspect(state, hex)

    def position(self, given: Mapping[str, Any]) -> State:
        """A state built from the `posizione` of an example file."""
        return position.position(given)

    def player(self, level: str) -> Player:
        """A player of this title, at one of its levels."""
        return bot.player(level)

    def invariants(self, state: State) -> Iterator[str]:
        """What is wrong with a state, if anything."""
        return invariants.invariants(state)

    def check(self, path: Path, value: Any) -> None:
        """Read an example, a map or a scenario."""
        given = value if isinstance(value, Mapping) else {}
        if "posizione" in given:
            position.position(read(path).position)
        elif "\n" in str(given.get("mappa", "")):
            tables.load_map(path)
        else:
            tables.load_scenario(path)


TITLE = TideOfIron()
