"""Warfare: Modern tactical combat. What this game gives to the rest of the program.

Chapters of the book, the modules of `rules` that play them, and their refs (warfare:…):

| chapter                    | module              | refs                                   |
| -------------------------- | ------------------- | -------------------------------------- |
| dice                       | `state.ascs`        | dadi                                   |
| set-up, reinforcements     | `setup`, `victory`  | setup, unita.piazzamento, scenari      |
| 1 track, turn              | `track`, `actions`  | track, turno, azioni, giocatori        |
| 1 movement, stacking       | `movement`          | movimento, stacking, terreno, veicoli  |
| 1 transport                | `transport`         | trasporto                              |
| 1 population               | `population`        | popolazione                            |
| 1 roadblocks               | `roadblocks`        | blocchi                                |
| 1 fortifications           | `fortifications`    | fortificazioni                         |
| 2 lines of sight           | `sight`             | los                                    |
| 2 fire, rubble             | `fire`              | combattimento, fuoco, macerie          |
| 2 morale, damage, recovery | `morale`            | morale, danno, recupero, unita.nebbia  |
| 2 overwatch                | `overwatch`         | overwatch                              |
| 2 assault                  | `assault`           | assalto                                |
| 2 hostages                 | `hostages`          | ostaggi                                |
| 2 smoke                    | `smoke`             | fumogeni                               |
| 3 unknown markers          | `unknown`           | ignoti, ied, dummy                     |
| 3 recon, clearing          | `recon`             | ricognizione, bonifica                 |
| 3 suppression fire         | `suppression`       | soppressione                           |
| 3 supports, artillery      | `supports`          | supporti, artiglieria                  |
| 4 snipers                  | `snipers`           | tiratore                               |
| 4 helicopters              | `helicopters`       | elicotteri, caccia_elicottero          |
| 4 martyrdom                | `martyrdom`         | martirio                               |
| 5 SAM, close air support   | `air`               | sam, cas                               |
| 5 drones                   | `drones`            | droni, disturbo                        |
| 5 squad drones, airborne   | `abilities`         | droni_squadra, aviotrasporto           |
| 5 stealth, amphibious      | `movement`          | stealth, anfibio                       |
| solo                       | `track`, `bot.solo` | solitario                              |

`arbitrato` are house rulings: each is cited by the module of the rule that it reads.
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
from engine.core.view import View
from engine.kit.title import BaseTitle
from engine.warfare.bot.player import HARD, MEDIUM, BotPlayer
from engine.warfare.bot.solo import LEVEL, SoloPlayer
from engine.warfare.rules import victory
from engine.warfare.rules.actions import act
from engine.warfare.rules.helicopters import SEPARATE_WEAPONS
from engine.warfare.rules.martyrdom import WITHOUT
from engine.warfare.rules.morale import MASINI
from engine.warfare.rules.movement import march_on
from engine.warfare.rules.recon import ask_to_detonate
from engine.warfare.rules.setup import ROLLED, first_state, reinforce, set_up
from engine.warfare.rules.track import SOLO
from engine.warfare.state import generator
from engine.warfare.state.book import rule
from engine.warfare.state.state import REINFORCE, SETUP, State
from engine.warfare.state.tables import (
    SCENARIO_IDS,
    Scenario,
    board_of,
    packaged_scenario,
    read_scenario,
)
from engine.warfare.table import inspect, position, questions, view
from engine.warfare.table.invariants import faults_of
from engine.warfare.table.verbs import VERBS

SEEDS = tuple(str(n) for n in range(1, 100))


RENAMED = {
    4: {
        "b:move": "b:muovi",
        "b:fire": "b:fuoco",
        "b:recover": "b:recupera",
        "b:assault": "b:assalta",
        "b:smoke": "b:fumo",
        "b:convert": "b:converti",
        "b:load": "b:carica",
        "b:unload": "b:scarica",
        "b:clear": "b:sgombra",
        "b:block": "b:sbarra",
        "b:recon": "b:ricognizione",
        "b:disarm": "b:bonifica",
        "b:suppress": "b:sopprimi",
        "b:martyr": "b:martirio",
        "b:drones": "b:droni",
        "b:drone_recon": "b:ricognizione-droni",
        "b:leave": "b:esci",
        "b:strike": "b:colpisci",
        "b:snipe": "b:mira",
        "b:pass": "b:passa",
        "b:hold": "b:rinuncia",
        "b:go": "b:vai",
        "b:drop": "b:lascia",
        "b:stay": "b:resta",
        "b:wait": "b:attendi",
        "b:never": "b:mai",
        "b:light": "b:leggero",
        "b:heavy": "b:pesante",
        "b:white": "b:bianco",
        "b:pink": "b:rosa",
        "b:grey": "b:grigio",
        "b:green": "b:verde",
        "b:yellow": "b:giallo",
        "b:red": "b:rosso",
        "b:blue": "b:blu",
        "b:purple": "b:viola",
        "b:black": "b:nero",
        "b:roll": "b:tira",
        "b:detonate": "b:detona",
        "b:arrow-*": "b:freccia-*",
        "b:mission-*": "b:missione-*",
        "b:face-*": "b:faccia-*",
    }
}
"""Ids of options were English before revision 4."""


class Warfare(BaseTitle[State]):
    """Warfare: Modern tactical combat."""

    info = TitleInfo(
        *("warfare", "Warfare: Modern tactical combat", "WBS Games", 5, RENAMED),
        ends=("passa", "vai", "resta", "rinuncia", "attendi"),
        verbs=VERBS,
        actors=("action.who",),
    )
    book = rule
    state_type = State
    levels: tuple[str, ...] = (LEVEL, MEDIUM, HARD)

    def scenarios(self) -> tuple[ScenarioInfo, ...]:
        """The five scenarios of the book, their variants for more players, and random ones."""
        return _SCENARIOS

    def start(self, scenario: str, options: Options) -> State:
        """The state before set-up."""
        return first_state(scenario, options)

    def play(self, ctx: Ctx[State]) -> None:
        """One action of the active player, or the set-up, or the arrival of reinforcements."""
        phase = ctx.state.phase
        if phase == SETUP:
            set_up(ctx)
        elif phase == REINFORCE:
            reinforce(ctx)
        elif ctx.state.march is not None:
            march_on(ctx)
        elif ctx.state.examination is not None:
            ask_to_detonate(ctx)
        else:
            act(ctx)

    def outcome(self, state: State) -> Outcome | None:
        """The end of the game, once reached."""
        return victory.outcome(state)

    def view(self, state: State, side: Side) -> View:
        """The table from a side's chair."""
        return view.view(state, side)

    def belief(self, state: State, side: Side) -> State:
        """The state as far as a side knows it."""
        return view.belief(state, side)

    def redeal(self, state: State, side: Side, pick: Pick) -> State:
        """Another state that the side cannot tell from this one."""
        return view.redeal(state, side, pick)

    def questions(self, state: State, decision: Decision) -> tuple[Question, ...]:
        """What odds are worth asking at a decision."""
        return questions.questions(state, decision)

    def sight(self, state: State, a: Hex, b: Hex) -> Sight | None:
        """A line of sight explained."""
        return inspect.explain(state, a, b)

    def overlays(self, state: State, decision: Decision) -> tuple[Overlay, ...]:
        """What to tint on the map at a decision."""
        return inspect.overlays(state, decision)

    def layers(self, state: State, side: Side) -> tuple[Layer, ...]:
        """What a side can lay over the map."""
        return inspect.layers(state, side)

    def inspect(self, state: State, hex: Hex) -> tuple[Ruling, ...]:
        """What rules say of a hex."""
        return inspect.inspect(state, hex)

    def position(self, given: Mapping[str, Any]) -> State:
        """A state built from the `posizione` of an example file."""
        return position.build(given)

    def player(self, level: str) -> Player:
        """A player of this title; KeyError for a level it does not have."""
        return SoloPlayer() if level == LEVEL else BotPlayer(level)

    def invariants(self, state: State) -> Iterator[str]:
        """What is wrong with a state, if anything."""
        return faults_of(state)

    def check(self, path: Path, value: Any) -> None:
        """Read a scenario, map or example file; raises DataErrors."""
        if isinstance(value, dict) and "griglia" in value:
            board_of(path)
        elif isinstance(value, dict) and isinstance(value.get("posizione"), dict):
            position.build(value["posizione"])
        else:
            read_scenario(path)


def _switches(scenario: str, chapter: int, martyrs: bool) -> tuple[Switch, ...]:
    found = []
    if chapter >= 2:
        text = N_("two points of damage at once also shake")
        found.append(Switch(MASINI, rule("danno.masini#livello", text)))
    if chapter >= 4:
        text = N_("helicopters fire light at infantry and heavy at vehicles")
        found.append(Switch(SEPARATE_WEAPONS, rule("elicotteri.armi_opzionale", text)))
    if martyrs:
        text = N_("the players left martyrdom out")
        found.append(Switch(WITHOUT, rule("martirio.nota#escludere", text)))
    text = N_("a solo opponent with moods plays the last side")
    found.append(Switch(SOLO, rule("solitario.cenno#automa", text)))
    if scenario == generator.EMPTY:
        text = N_("the seed of the scenario")
        found.append(Switch(generator.SEED, rule("scenari.casuali#tira", text), (ROLLED, *SEEDS)))
    return tuple(found)


def _info(name: str) -> ScenarioInfo:
    scenario = packaged_scenario(name)
    summary = msg(
        N_("chapter {chapter}, {turns} turns"), chapter=scenario.chapter, turns=scenario.turns
    )
    return ScenarioInfo(
        name,
        scenario.name,
        tuple(scenario.forces),
        summary,
        _switches(name, scenario.chapter, scenario.martyrdom),
        teams=_teams(scenario),
    )


def _teams(scenario: Scenario) -> dict[Side, tuple[Side, ...]]:
    """Allies, under the side that the victory names (arbitrato.piu_giocatori)."""
    allied = {force.ally for force in scenario.forces.values() if force.ally}
    return {
        team: tuple(s for s, force in scenario.forces.items() if team in (s, force.ally))
        for team in scenario.forces
        if team in allied
    }


_RANDOM = ScenarioInfo(
    generator.EMPTY,
    "Scenario casuale",
    (generator.FIRST, generator.SECOND),
    msg(N_("a random scenario from a seed")),
    _switches(generator.EMPTY, 5, True),
)
_SCENARIOS = (*(_info(name) for name in SCENARIO_IDS), _RANDOM)

TITLE = Warfare()
