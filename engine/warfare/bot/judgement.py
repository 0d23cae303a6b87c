"""What players of all levels count alike: goals, values, dice and costs."""

from __future__ import annotations

from engine.core.rules import Side
from engine.warfare.rules.actions import VERBS, Verb
from engine.warfare.rules.air import why_not_cas_target
from engine.warfare.rules.drones import why_not_drone_target
from engine.warfare.rules.fire import weapon_of
from engine.warfare.rules.fortifications import terrain_shift
from engine.warfare.rules.helicopters import is_high
from engine.warfare.rules.supports import why_not_shell
from engine.warfare.rules.track import discounted
from engine.warfare.state.ascs import clamp, index
from engine.warfare.state.setting import field_of, scenario_of
from engine.warfare.state.state import CIVILIANS, WEAPON_IDS, State, Support, Unit
from engine.warfare.state.tables import CAS, DRONE, ROSTER

WEAPON_BUTTONS = {weapon: f"b:{name}" for weapon, name in WEAPON_IDS.items()}
BY_ID: dict[str, Verb] = {verb.id: verb for verb in VERBS}


def objectives(state: State, side: Side) -> list[str]:
    """What a side goes for."""
    scenario = scenario_of(state)
    victory, field = scenario.victory, field_of(state)
    if victory.kind == "population":
        wanted = [p for p in state.population.values() if p.hex]
        first = [p for p in wanted if p.face == CIVILIANS] or wanted
        return [h for p in first for h in field.around[p.hex]]
    if victory.kind == "hostages":
        return [p.hex for p in state.population.values() if p.hex and p.face == CIVILIANS]
    if victory.kind == "area":
        return list(victory.area)
    if victory.kind == "convoy":
        return list(field.edge("nord"))
    return list(victory.objectives)


def points_of(unit: Unit) -> int:
    """The value of a unit as far as it is known."""
    known = ROSTER.get(unit.type)
    return known.points if known is not None else 10


def fire_die(state: State, firer: Unit, weapon: str, target: Unit) -> int:
    """The place on the ladder of a shot."""
    column = weapon_of(firer, weapon)
    assert column is not None
    field = field_of(state)
    shift = 0 if is_high(field, target) else terrain_shift(field, target.hex, firer.hex)
    return clamp(index(column.die) - target.values.defence + shift - firer.damage)


def light_cost(unit: Unit) -> int:
    """What a special action costs a unit."""
    return discounted(unit.values.light.ap, unit.damage)


def is_spared(state: State, side: Side, support: Support, weapon: str, target: Unit) -> bool:
    """Whether a support may not attack a unit with a value."""
    kind = support.values.kind
    if kind == CAS:
        against = why_not_cas_target(state, support, weapon, target)
    elif kind == DRONE:
        against = why_not_drone_target(state, side, target)
    else:
        against = why_not_shell(state, support, weapon, target)
    return next(against, None) is not None
