"""The table from a side's chair. Everything lies open, except squads built behind a screen.

Refs: comando.pubblico, preparazione.3-operazionali, preparazione.5-ordine, strategia.generale.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from engine.core.hexes import Hex
from engine.core.index import indexed
from engine.core.rules import Side
from engine.core.text import N_, Fact, Msg
from engine.core.title import Pick
from engine.core.view import CounterView, Hand, Mark, Track, View
from engine.toi.rules.ground import ground
from engine.toi.rules.reinforcements import full_squads
from engine.toi.rules.setup import BUILD, SECRET, SETUP
from engine.toi.state import tables
from engine.toi.state.state import (
    FATIGUED,
    INTACT,
    NATIONS,
    NORMAL,
    OP_FIRE,
    Force,
    Fort,
    Objective,
    State,
    Unit,
)
from engine.toi.state.units import make, nation_of, type_of

replace = msgspec.structs.replace


class ToiView(View, frozen=True):
    """A View with all that a player may know, as the rules see it: a belief, never the State."""

    known: State | None = None


# --- secrets ----------------------------------------------------------------------------------


def is_secret(state: State) -> bool:
    """Squads are being built behind a screen (preparazione.5-ordine)."""
    return (
        state.phase == SETUP and state.step == BUILD and state.options.get("costruzione") == SECRET
    )


def belief(state: State, seat: Side) -> State:
    """The state as far as a player knows it."""
    if not is_secret(state):
        return state
    side = nation_of(state, seat)
    units = {name: unit for name, unit in state.units.items() if unit.side == side}
    reserve = {one: forces if one == side else () for one, forces in state.reserve.items()}
    tokens = {one: left if one == side else () for one, left in state.tokens.items()}
    return replace(state, units=units, reserve=reserve, tokens=tokens)


def redeal(state: State, seat: Side, pick: Pick) -> State:
    """Another state that a player cannot tell apart: the enemy's squads built otherwise."""
    if not is_secret(state):
        return state
    side = nation_of(state, seat)
    units = dict(state.units)
    reserve = dict(state.reserve)
    for other, forces in state.reserve.items():
        if other == side:
            continue
        rebuilt = []
        for force in forces:
            mine = [
                unit
                for unit in units.values()
                if unit.side == other
                and unit.is_squad
                and unit.division == force.division
                and not unit.token
            ]
            stock = dict(force.figures)
            for unit in mine:
                for figure in unit.figures:
                    stock[figure] = stock.get(figure, 0) + 1
            for unit in mine:
                full = full_squads(tuple(sorted(stock.items())))
                figures = full[pick(len(full))]
                units[unit.id] = replace(unit, figures=figures)
                for figure in figures:
                    stock[figure] -= 1
                stock = {figure: n for figure, n in stock.items() if n > 0}
            rebuilt.append(Force(force.division, force.bases, stock, force.vehicles))
        reserve[other] = tuple(rebuilt)
    return replace(state, units=units, reserve=reserve)


# --- the view ---------------------------------------------------------------------------------


def view(state: State, seat: Side) -> ToiView:
    """The table from a side's chair."""
    known = belief(state, seat)
    field = ground(known)
    hexes = field.hex
    counters = []
    for unit in known.units.values():
        place = unit.hex or (known.units[unit.aboard].hex if unit.aboard else "")
        counters.append(_counter(unit, hexes.get(place)))
    return ToiView(
        seat,
        Msg(N_("{phase}: {step}"), {"phase": known.phase, "step": known.step}),
        field.board,
        tuple(counters),
        _marks(
            known.forts, known.obstacles, known.smoke, known.objectives, known.control, known.zones
        ),
        _tracks(known),
        _hands(known),
        known=known,
    )


@lru_cache(maxsize=4096)
def _counter(unit: Unit, hex: Hex | None) -> CounterView:
    states = [
        word
        for word, shown in (
            (FATIGUED, unit.activation == FATIGUED),
            (OP_FIRE, unit.activation == OP_FIRE),
            (unit.condition, unit.condition != NORMAL),
            (unit.damage, unit.damage != INTACT),
            (N_("concealed"), unit.concealed),
            (unit.token, bool(unit.token)),
        )
        if shown
    ]
    facts: dict[str, Fact] = {"division": unit.division}
    if unit.is_squad:
        made = make(unit.figures)
        weapons = [tables.UNITS[figure].infantry for figure in unit.figures]
        facts |= {
            "figures": unit.figures,
            "holes": made.holes,
            "officers": made.officers,
            "firepower": sum(weapon.power for weapon in weapons if weapon),
        }
        strength, kind = str(len(unit.figures)), "squad"
    else:
        line = type_of(unit)
        facts |= {"armor": line.armor, "movement": line.movement, "transport": line.transport}
        if line.infantry is not None:
            facts |= {"firepower": line.infantry.power, "range": line.infantry.range}
        strength, kind = str(line.infantry.power if line.infantry else 0), line.kind
    name = Msg(N_("{unit}"), {"unit": unit.id})
    place = unit.aboard or unit.fort
    return CounterView(unit.id, unit.side, kind, name, hex, place, strength, tuple(states), facts)


@indexed(keep=4)
def _marks(
    forts: dict[str, Fort],
    obstacles: dict[str, tuple[str, ...]],
    smoke: dict[str, int],
    objectives: dict[str, Objective],
    control: dict[str, Side],
    zones: dict[Side, tuple[str, ...]],
) -> dict[str, tuple[Mark, ...]]:
    marks: dict[str, list[Mark]] = {}
    for fort in forts.values():
        marks.setdefault(fort.hex, []).append(Mark(fort.kind, text=fort.id))
    for label, kinds in obstacles.items():
        marks.setdefault(label, []).extend(Mark(kind) for kind in kinds)
    for label in smoke:
        marks.setdefault(label, []).append(Mark("smoke"))
    for label, objective in objectives.items():
        owner = objective.owner if objective.owner in NATIONS else None
        if objective.command:
            found = Mark(N_("command objective"), owner, str(objective.command))
            marks.setdefault(label, []).append(found)
        if objective.victory:
            text = str(objective.points) if objective.points else ""
            marks.setdefault(label, []).append(Mark(N_("victory objective"), None, text))
    for label, side in control.items():
        marks.setdefault(label, []).append(Mark(N_("control"), side))
    for side, labels in zones.items():
        for label in labels:
            marks.setdefault(label, []).append(Mark(N_("reinforcement zone"), side))
    return {label: tuple(found) for label, found in marks.items()}


def _tracks(state: State) -> tuple[Track, ...]:
    tracks = [Track("round", Msg(N_("Round")), state.round, state.rounds)]
    for side, army in state.armies.items():
        tracks += [
            Track(f"command-{side}", Msg(N_("Command")), army.command, side=side),
            Track(f"initiative-{side}", Msg(N_("Initiative card")), army.initiative, side=side),
            Track(f"points-{side}", Msg(N_("Victory points")), army.points, side=side),
        ]
    holder = int(state.initiative == next(iter(state.seats)))
    tracks.append(Track("initiative", Msg(N_("Initiative")), holder, side=state.initiative))
    for seat, count in state.left.items():
        tracks.append(Track(f"actions-{seat}", Msg(N_("Actions left")), count, side=seat))
    return tuple(tracks)


def _hands(state: State) -> tuple[Hand, ...]:
    hands = []
    for side, army in state.armies.items():
        area = tuple(played.card for played in army.area)
        hands += [
            Hand(side, Msg(N_("Headquarters")), len(army.hand), army.hand),
            Hand(side, Msg(N_("Play area")), len(area), area),
            Hand(side, Msg(N_("Operation cards")), len(army.operations), army.operations),
        ]
        for deck, pool in army.decks.items():
            hands.append(Hand(side, Msg(N_("Deck {deck}"), {"deck": deck}), pool.total))
    return tuple(hands)
