"""What the words of the book mean: squads, vehicles, strength, officers, who is where.

Refs: definizioni.*, trasporto.a-bordo, casa.20.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from engine.core.index import indexed
from engine.core.rules import Side
from engine.toi.state import tables
from engine.toi.state.state import NORMAL, OP_FIRE, READY, Seats, State, Unit, Units
from engine.toi.state.tables import OperationCard, UnitType

HOLES = tables.COMPONENTS.holes
VEHICLES = {name: kind for name, kind in tables.UNITS.items() if kind.is_vehicle}


class Make(msgspec.Struct, frozen=True):
    """What the figures of a squad amount to."""

    holes: int
    officers: int
    elites: int
    guns: tuple[str, ...]
    mortars: tuple[str, ...]
    rifles: tuple[str, ...]

    @property
    def has_heavy_weapon(self) -> bool:
        """A machine gun or mortar crew is on the base (definizioni.armi-pesanti)."""
        return bool(self.guns or self.mortars)


@lru_cache(maxsize=4096)
def make(figures: tuple[str, ...]) -> Make:
    """The make of a squad with these figures."""
    kinds = [(figure, tables.UNITS[figure]) for figure in figures]
    return Make(
        holes=sum(kind.holes for _, kind in kinds),
        officers=sum(kind.kind == "officer" for _, kind in kinds),
        elites=sum(kind.kind == "elite" for _, kind in kinds),
        guns=tuple(figure for figure, kind in kinds if kind.kind == "machine_gun"),
        mortars=tuple(figure for figure, kind in kinds if kind.kind == "mortar"),
        rifles=tuple(figure for figure, kind in kinds if not kind.is_heavy_weapon),
    )


def type_of(unit: Unit) -> UnitType:
    """The reference line of a vehicle."""
    return VEHICLES[unit.type]


def is_vehicle(unit: Unit) -> bool:
    """Truck, half-track or tank (definizioni.veicolo)."""
    return unit.type in VEHICLES


def is_heavy(unit: Unit) -> bool:
    """A tank (definizioni.leggeri-pesanti)."""
    return unit.type in VEHICLES and VEHICLES[unit.type].category == "heavy"


def is_light(unit: Unit) -> bool:
    """A truck or half-track (definizioni.leggeri-pesanti)."""
    return unit.type in VEHICLES and VEHICLES[unit.type].category == "light"


def has_trait(unit: Unit, trait: str) -> bool:
    """Whether a vehicle's reference line shows an ability."""
    return unit.type in VEHICLES and trait in VEHICLES[unit.type].traits


def has_heavy_weapon(unit: Unit) -> bool:
    """A squad with a machine gun or mortar (definizioni.armi-pesanti)."""
    return unit.is_squad and make(unit.figures).has_heavy_weapon


def has_officer(unit: Unit) -> bool:
    """A squad with an officer."""
    return unit.is_squad and make(unit.figures).officers > 0


def is_reduced(unit: Unit) -> bool:
    """A squad with at least one empty hole (definizioni.forza)."""
    return unit.is_squad and make(unit.figures).holes < HOLES


def is_ready(unit: Unit) -> bool:
    """No activation marker (definizioni.pronta); op fire is not ready."""
    return unit.activation == READY


def in_op_fire(unit: Unit) -> bool:
    """Lying in wait."""
    return unit.activation == OP_FIRE


def is_shaken(unit: Unit) -> bool:
    """Pinned or disrupted."""
    return unit.condition != NORMAL


def skill(unit: Unit) -> str:
    """The specialization in force: none while pinned or disrupted (specializzazioni.condizione)."""
    return unit.token if unit.condition == NORMAL else ""


# --- who is where -----------------------------------------------------------------------------


@indexed(keep=4)
def by_hex(units: Units) -> dict[str, tuple[Unit, ...]]:
    """The units on the map by hex. Passengers are off the map (casa.20)."""
    lists: dict[str, list[Unit]] = {}
    for unit in units.values():
        if unit.hex:
            lists.setdefault(unit.hex, []).append(unit)
    return {label: tuple(here) for label, here in lists.items()}


def at(state: State, label: str) -> tuple[Unit, ...]:
    """Every unit on the map in a hex."""
    return by_hex(state.units).get(label, ())


def friends_at(state: State, label: str, side: Side) -> list[Unit]:
    """The units of a side in a hex."""
    here = at(state, label)
    return [unit for unit in here if unit.side == side] if here else []


def enemies_at(state: State, label: str, side: Side) -> list[Unit]:
    """The enemies of a side in a hex, concealed ones included."""
    here = at(state, label)
    return [unit for unit in here if unit.side != side] if here else []


def shown_enemies_at(state: State, label: str, side: Side) -> list[Unit]:
    """The enemies of a side in a hex that are not concealed."""
    here = at(state, label)
    return [unit for unit in here if unit.side != side and not unit.concealed] if here else []


def on_map(state: State, side: Side) -> list[Unit]:
    """The units of a side on the map."""
    return [unit for unit in state.units.values() if unit.hex and unit.side == side]


def passengers(state: State, vehicle: str) -> list[Unit]:
    """Who rides in a vehicle."""
    return [unit for unit in state.units.values() if unit.aboard == vehicle]


def place_of(state: State, unit: Unit) -> str:
    """The hex of a unit, or of the vehicle that carries it."""
    return state.units[unit.aboard].hex if unit.aboard else unit.hex


def officer_at(state: State, label: str, side: Side) -> bool:
    """A friendly officer is in the hex, on the map (casa.20, casa.32)."""
    return any(unit.side == side and has_officer(unit) for unit in at(state, label))


def aboard_at(state: State, label: str, side: Side) -> list[Unit]:
    """The passengers of a side in a hex: off the map, they help nobody (casa.20)."""
    here = [one for one in at(state, label) if one.side == side and one.type in VEHICLES]
    return [unit for vehicle in here for unit in passengers(state, vehicle.id)] if here else []


def fort_kind(state: State, unit: Unit) -> str:
    """Trench or bunker that shelters a squad, if any."""
    return state.forts[unit.fort].kind if unit.fort else ""


def obstacles_at(state: State, label: str) -> tuple[str, ...]:
    """Wire, traps and mines in a hex."""
    return state.obstacles.get(label, ())


def operation(state: State, side: Side, effect: str) -> OperationCard | None:
    """An operation card in force for a side."""
    for owner, army in state.armies.items():
        for name in army.operations:
            card = tables.OPERATIONS[name]
            if card.effect == effect and (card.both or owner == side):
                return card
    return None


# --- who decides ------------------------------------------------------------------------------


def seat_of(state: State, unit: Unit) -> Side:
    """Who decides for a unit: with teams, the owner of its division (squadre-gioco.divisioni)."""
    seats = state.seats[unit.side]
    return seats[0] if len(seats) == 1 else seats[unit.division - 1]


def units_of(state: State, seat: Side) -> list[Unit]:
    """The units that a player decides for, wherever they are (squadre-gioco.divisioni)."""
    side = nation_of(state, seat)
    seats = state.seats[side]
    if len(seats) == 1:
        return [unit for unit in state.units.values() if unit.side == side]
    mine = 1 + seats.index(seat)
    return [unit for unit in state.units.values() if unit.side == side and unit.division == mine]


def nation_of(state: State, seat: Side) -> Side:
    """The nation that a seat plays for."""
    return _nations(state.seats)[seat]


@indexed(keep=4)
def _nations(seats: Seats) -> dict[Side, Side]:
    players = {seat: nation for nation, those in seats.items() for seat in those}
    return players | {nation: nation for nation in seats}


def is_team(state: State, side: Side) -> bool:
    """Whether two players share a nation (squadre-gioco.numero)."""
    return len(state.seats[side]) > 1


def in_order(state: State) -> tuple[Side, ...]:
    """The two sides, the holder of the initiative first."""
    other = next(side for side in state.seats if side != state.initiative)
    return (state.initiative, other)


def new_id(state: State, prefix: str) -> str:
    """A name that no unit or fortification has had."""
    taken = {*state.units, *state.forts}
    number = 1 + max(
        (
            int(tail)
            for name in taken
            if name.startswith(f"{prefix}-") and (tail := name[len(prefix) + 1 :]).isdigit()
        ),
        default=0,
    )
    return f"{prefix}-{number}"
