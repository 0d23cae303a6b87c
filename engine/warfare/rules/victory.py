"""How scenarios end: victory at the end of the last turn, and sudden victory.

Refs: warfare:scenari.s1 to scenari.s5, scenari.casuali, arbitrato.piu_giocatori.
"""

from __future__ import annotations

from engine.core.index import indexed
from engine.core.rules import Side
from engine.core.text import N_, NP_
from engine.core.title import Outcome
from engine.warfare.rules.helicopters import is_high
from engine.warfare.rules.unknown import kind_of
from engine.warfare.state.book import rule
from engine.warfare.state.setting import field_of, scenario_of
from engine.warfare.state.state import (
    CIVILIANS,
    LEFT,
    SETUP,
    Population,
    State,
    Unit,
    all_eliminated,
    eliminated,
    is_regular,
    on_map,
    unit_at,
)
from engine.warfare.state.tables import IED, MINE, Scenario, Victory

VICTORY, DRAW, SUDDEN = N_("victory"), N_("drawn game"), N_("sudden victory")


def outcome(state: State) -> Outcome | None:
    """The end of the game, once reached."""
    if state.phase == SETUP:
        return None
    scenario = scenario_of(state)
    found = sudden(state, scenario)
    if found is not None:
        return found
    if state.turn <= scenario.turns:
        return None
    return last_count(state, scenario)


def sudden(state: State, scenario: Scenario) -> Outcome | None:
    """Losses, or civilians won over, that end the game at once."""
    for clause in scenario.sudden:
        if clause.eliminated:
            losses = sum(
                clause.helicopter if unit.is_helicopter else 1
                for unit in all_eliminated(state)
                if state.cubes[unit.side].team != clause.side
            )
            if losses >= clause.eliminated:
                text = NP_(
                    "{side}: {n} enemy unit eliminated", "{side}: {n} enemy units eliminated"
                )
                ruling = rule(scenario.says("sudden"), text, side=clause.side, n=losses)
                return Outcome(clause.side, SUDDEN, ruling)
        if clause.civilians and peaceful(state) >= clause.civilians:
            text = N_("{side}: every population marker is civilians")
            return Outcome(
                clause.side, SUDDEN, rule(scenario.says("sudden"), text, side=clause.side)
            )
    return None


def teams(state: State) -> list[Side]:
    """The teams, in seating order; allies share victory (arbitrato.piu_giocatori)."""
    return list(dict.fromkeys(cube.team for cube in state.cubes.values()))


def peaceful(state: State) -> int:
    """Population markers on the civilians side, on the map or aboard."""
    return _peaceful(state.population)


@indexed(keep=2)
def _peaceful(population: dict[str, Population]) -> int:
    return sum(p.face == CIVILIANS and bool(p.hex or p.carrier) for p in population.values())


def score(state: State, victory: Victory) -> int:
    """What the victory conditions count."""
    kind = victory.kind
    if kind == "population":
        lost = eliminated(state, victory.side) if victory.losses_count else []
        regulars = [u for u in lost if is_regular(state, u.side)]
        return peaceful(state) - len(regulars)
    if kind == "hostages":
        return sum(p.place == LEFT for p in state.population.values())
    if kind == "area":
        return len(pieces_in_area(state, victory))
    if kind == "hold":
        return sum(
            holder is not None and state.cubes[holder.side].team == victory.side
            for holder in (unit_at(state, hex) for hex in victory.objectives)
        )
    if kind == "objectives":
        return points(state, victory, victory.side) - points(state, victory, victory.against)
    if kind == "convoy":
        return len(convoy(state, victory))
    if kind == "extraction":
        return extraction(state, victory)
    return 0


def pieces_in_area(state: State, victory: Victory) -> list[str]:
    """Enemy units, unknown markers, IED and mines left in the area (scenari.s3)."""
    units = [
        u.id
        for u in on_map(state)
        if u.hex in victory.area and state.cubes[u.side].team == victory.against
    ]
    markers = [
        m.id
        for m in state.hidden.values()
        if m.hex in victory.area
        and m.owner != victory.side
        and (not m.revealed or kind_of(m) in (IED, MINE))
    ]
    return units + markers


def points(state: State, victory: Victory, team: Side) -> int:
    """Objective points of a team (scenari.s5)."""
    return sum(n for hex, n in victory.objectives.items() if state.control.get(hex) == team)


def convoy(state: State, victory: Victory) -> list[Unit]:
    """Vehicles that crossed the map."""
    return [
        u
        for u in state.units.values()
        if u.place == LEFT and u.is_vehicle and state.cubes[u.side].team == victory.side
    ]


def extraction(state: State, victory: Victory) -> int:
    """Infantry beside a helicopter that waits low on the pick-up hex."""
    field = field_of(state)
    found = 0
    for hex in victory.objectives:
        holder = unit_at(state, hex)
        if holder is None or not holder.is_helicopter or is_high(field, holder):
            continue
        if state.cubes[holder.side].team != victory.side:
            continue
        found += sum(
            u.is_infantry and u.side == holder.side and u.hex in field.around[hex]
            for u in on_map(state)
        )
    return found


def last_count(state: State, scenario: Scenario) -> Outcome:
    """Victory, draw or defeat at the end of the last turn."""
    victory = scenario.victory
    found = score(state, victory)
    ruling = rule(
        scenario.says(victory.kind),
        N_("{side}: the scenario counts {n}"),
        side=victory.side,
        n=found,
    )
    if victory.kind == "area":
        wins, draws = found <= victory.wins, found == victory.draws
    elif victory.kind == "objectives":
        wins, draws = found > 0, found == 0
    elif victory.kind == "hold":
        wins, draws = found > 0, False
    else:
        wins, draws = found >= victory.wins, found == victory.draws
    if victory.kind == "none" or (draws and not wins):
        return Outcome(None, DRAW, ruling)
    return Outcome(victory.side if wins else victory.against, VICTORY, ruling)
