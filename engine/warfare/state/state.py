"""The game at rest: cubes, units, supports, markers. Plain values, hexes by their printed label.

Definitions: warfare:unita.classi, unita.regolari, track.caselle, morale.livelli, danno.livelli,
popolazione.segnalino, ignoti.definizione, supporti.definizione.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.core.index import indexed
from engine.core.pools import Pool
from engine.core.rules import Side
from engine.core.text import N_
from engine.warfare.state.tables import (
    HELICOPTER,
    INFANTRY,
    SUPPORTS,
    UNITS,
    VEHICLE,
    Class,
    SupportType,
    UnitType,
)

SETUP, REINFORCE, PLAY = N_("setup"), N_("reinforcements"), N_("play")
MAP, ABOARD, RESERVE, DUE = N_("map"), N_("aboard"), N_("reserve"), N_("due")
DEAD, LEFT = N_("out of the game"), N_("left the map")
READY, WAITING, TRACK, GONE = N_("available"), N_("waiting"), N_("on the track"), N_("gone")
STEADY, SHAKEN, SUPPRESSED = 0, 1, 2
MORALE_NAMES = (N_("steady"), N_("shaken"), N_("suppressed"))
CROWD, CIVILIANS = N_("hostile crowd"), N_("civilians")
LIGHT, HEAVY = N_("light"), N_("heavy")
WEAPON_IDS = {LIGHT: "leggero", HEAVY: "pesante"}
"""How options call the weapons of a unit and the values of a support."""

OTHER_FACE = {CROWD: CIVILIANS, CIVILIANS: CROWD}

BOXES = 40
OVERWATCH_CUBES = 30


def box_after(position: int) -> int:
    """The box of a position on the track, from 40 down to 1."""
    return BOXES - position % BOXES


def _types(kind: Class) -> frozenset[str]:
    return frozenset(unit.id for unit in UNITS.values() if unit.kind == kind)


ON_FOOT, ON_WHEELS, IN_THE_AIR = _types(INFANTRY), _types(VEHICLE), _types(HELICOPTER)


class Cube(msgspec.Struct, frozen=True):
    """A player on the action track. `position` counts the AP spent since box 40 of turn 1."""

    side: Side
    team: Side
    colour: str
    position: int
    regular: bool

    @property
    def box(self) -> int:
        """The box, from 40 down to 1."""
        return box_after(self.position)


class Unit(msgspec.Struct, frozen=True):
    """A counter. It has a hex only while it stands on the map itself."""

    id: str
    type: str
    side: Side
    place: str = MAP
    hex: str = ""
    carrier: str = ""
    morale: int = STEADY
    damage: int = 0
    overwatch: bool = False
    shown: bool = False
    due: int = 0
    edge: str = ""

    @property
    def values(self) -> UnitType:
        """The back of the counter."""
        return UNITS[self.type]

    @property
    def kind(self) -> Class:
        """Infantry, vehicle or helicopter."""
        return UNITS[self.type].kind

    @property
    def is_infantry(self) -> bool:
        """Whether it is infantry."""
        return self.type in ON_FOOT

    @property
    def is_vehicle(self) -> bool:
        """Whether it is a ground vehicle."""
        return self.type in ON_WHEELS

    @property
    def is_helicopter(self) -> bool:
        """Whether it flies."""
        return self.type in IN_THE_AIR


class Support(msgspec.Struct, frozen=True):
    """A support marker. On the track it lies at the `position` its owner's cube had."""

    id: str
    type: str
    side: Side
    place: str = READY
    position: int = 0
    turn: int = 0
    morale: int = STEADY
    damage: int = 0
    overwatch: bool = False

    @property
    def values(self) -> SupportType:
        """What is printed on the marker."""
        return SUPPORTS[self.type]


class Population(msgspec.Struct, frozen=True):
    """A population marker: hostile crowd or civilians."""

    id: str
    face: str
    hex: str = ""
    carrier: str = ""
    place: str = MAP


class Hidden(msgspec.Struct, frozen=True):
    """A marker that lies, or lay, face down. `item` names its back."""

    id: str
    item: str
    owner: Side
    hex: str
    revealed: bool = False


class March(msgspec.Struct, frozen=True):
    """A movement on its way: paid, with hexes still ahead, or waiting for reactions."""

    unit: str
    done: tuple[str, ...]
    ahead: tuple[str, ...]
    followers: tuple[str, ...] = ()
    follower: str = ""
    declined: tuple[Side, ...] = ()
    carrier: str = ""
    is_free: bool = False
    is_reacting: bool = False


class Examination(msgspec.Struct, frozen=True):
    """A marker that a unit has examined, while its owner thinks of detonating it."""

    unit: str
    marker: str


class State(msgspec.Struct, frozen=True):
    """The game at rest. `at` repeats where units stand, by hex."""

    scenario: str
    map: str
    switches: dict[str, str]
    phase: str
    turn: int
    active: Side
    cubes: dict[Side, Cube]
    units: dict[str, Unit]
    at: dict[str, str]
    supports: dict[str, Support] = {}
    population: dict[str, Population] = {}
    hidden: dict[str, Hidden] = {}
    roadblocks: tuple[str, ...] = ()
    rubble: tuple[str, ...] = ()
    smoke: tuple[str, ...] = ()
    stock: dict[Side, int] = {}
    control: dict[str, Side] = {}
    spotter: Side = ""
    march: March | None = None
    examination: Examination | None = None
    moods: dict[Side, str] = {}
    unseen: dict[Side, Pool] = {}

    def is_on(self, switch: str) -> bool:
        """Whether an optional rule is played."""
        return self.switches.get(switch, "no") == "si"


def standing(units: dict[str, Unit]) -> dict[str, str]:
    """Where units stand on the map, by hex."""
    return {u.hex: u.id for u in units.values() if u.hex}


def on_map(state: State) -> Iterator[Unit]:
    """The units that stand on the map, in the order of their ids."""
    return (u for u in state.units.values() if u.hex)


def unit_at(state: State, hex: str) -> Unit | None:
    """The unit in a hex."""
    name = state.at.get(hex)
    return None if name is None else state.units[name]


def are_enemies(state: State, one: Side, other: Side) -> bool:
    """Whether two players are on different teams."""
    return state.cubes[one].team != state.cubes[other].team


def enemies(state: State, side: Side) -> list[Unit]:
    """The enemy units on the map."""
    team, cubes = state.cubes[side].team, state.cubes
    return [u for u in state.units.values() if u.hex and cubes[u.side].team != team]


def other_sides(state: State, side: Side) -> list[Side]:
    """The enemy players, in seating order."""
    return [other for other in state.cubes if are_enemies(state, side, other)]


def is_regular(state: State, side: Side) -> bool:
    """Whether a player leads Regulars."""
    return state.cubes[side].regular


def people_at(state: State, hex: str) -> list[Population]:
    """The population markers on a hex."""
    return [p for p in state.population.values() if p.hex == hex]


def has_crowd(state: State, hex: str) -> bool:
    """Whether a hostile crowd is in a hex."""
    return any(p.hex == hex and p.face == CROWD for p in state.population.values())


def passenger_of(state: State, carrier: str) -> Unit | None:
    """The infantry aboard."""
    return next((u for u in state.units.values() if u.carrier == carrier), None)


def civilians_aboard(state: State, carrier: str) -> Population | None:
    """The civilians aboard."""
    return next((p for p in state.population.values() if p.carrier == carrier), None)


def piece(state: State, name: str) -> Unit | Support:
    """A unit or a support by its id."""
    found = state.units.get(name)
    return state.supports[name] if found is None else found


def is_alive(state: State, name: str) -> bool:
    """Whether a unit or support is still in the game."""
    return piece(state, name).place not in (DEAD, GONE)


def eliminated(state: State, team: Side) -> list[Unit]:
    """The units that a team lost."""
    return [u for u in all_eliminated(state) if state.cubes[u.side].team == team]


def all_eliminated(state: State) -> tuple[Unit, ...]:
    """The units that are out of the game."""
    return _dead(state.units)


@indexed(keep=4)
def _dead(units: dict[str, Unit]) -> tuple[Unit, ...]:
    return tuple(u for u in units.values() if u.place == DEAD)
