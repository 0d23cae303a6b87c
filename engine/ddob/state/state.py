"""The game at rest. Hexes are printed labels, landing boxes their codes.

Face-down German counters are kept as the kind their back shows; who they are is drawn when they
are turned up. Only the Divisional box mixes kinds, so a unit that came from there carries a
hidden ticket. Definitions: 2.21.passi, 2.22.tipo, 2.24, 9, 11, 12.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

import msgspec

from engine.core.index import indexed
from engine.core.pools import Pool
from engine.core.text import N_
from engine.ddob.state.book import FIRST_EXTENDED_TURN
from engine.ddob.state.fields import field_of
from engine.ddob.state.ground import AROUND, NEIGHBOURS
from engine.ddob.state.tables import (
    BOXES,
    DOTS,
    DOTS_AT,
    POSITION_AT,
    POSITIONS,
    UNITS,
    WN_KINDS,
    GermanData,
    Position,
    UnitData,
    german_data,
)

TRACK, LOST, OUT, EXIT = N_("track"), N_("lost"), N_("out"), N_("exit")
UNSEEN: Final = "?"
CLIMB = N_("climb")
CLIFF = N_("climb cliff")
YES = "si"


class Unit(msgspec.Struct, frozen=True):
    """A US unit or leader. `at` is a hex, a landing box, or track, lost, out, exit A."""

    id: str
    at: str
    command: str
    steps: int = 0
    due: int = 0
    delayed: bool = False
    disrupted: bool = False
    climb: str = ""
    cliff: str = ""
    hero: str = ""
    inspired: bool = False
    acted: bool = False
    hit: bool = False
    wounded: bool = False
    space: int = 0
    checked: str = ""

    @property
    def data(self) -> UnitData:
        """The counter."""
        return UNITS[self.id]

    @property
    def strength(self) -> int:
        """Attack strength with the steps left (2.21.forza)."""
        data = UNITS[self.id]
        return data.strengths[data.full - self.steps] if data.full else 0

    @property
    def symbol(self) -> str:
        """The target symbol of the side in play (2.21.simboli)."""
        data = UNITS[self.id]
        if data.reduced_symbol and self.steps < data.full:
            return data.reduced_symbol
        return data.symbol

    @property
    def is_on_map(self) -> bool:
        """Whether it stands in a hex."""
        return self.at in NEIGHBOURS

    @property
    def is_heavy(self) -> bool:
        """Heavy infantry at full strength, with range 2 (8.26)."""
        data = UNITS[self.id]
        return data.type == "infantry" and data.range == 2 and self.steps == data.full

    @property
    def range(self) -> int:
        """How far it fires now (2.21.gittata)."""
        data = UNITS[self.id]
        if data.type == "infantry":
            return 2 if self.is_heavy else 1
        return data.range


class German(msgspec.Struct, frozen=True):
    """A German unit and its depth marker. `unit` and `depth` are known once seen."""

    hex: str
    kind: str
    unit: str = ""
    shown: bool = False
    disrupted: bool = False
    depth: str = ""
    depth_kind: str = ""
    depth_shown: bool = False
    silent: bool = False
    born: int = 0
    ticket: str = ""
    end: bool = False

    @property
    def is_wn(self) -> bool:
        """A WN unit."""
        return self.kind in WN_KINDS

    @property
    def is_armor(self) -> bool:
        """A German tank unit (23)."""
        return self.kind == "armor"

    @property
    def data(self) -> GermanData:
        """The counter, once its face has been seen."""
        return german_data(self.kind, self.unit)


class Base(msgspec.Struct, frozen=True):
    """An engineer base and its space on the range track (19)."""

    hex: str
    space: int = 1


class State(msgspec.Struct, frozen=True):
    """The table between two procedures."""

    scenario: str
    options: dict[str, str]
    turn: int
    last_turn: int
    phase: str
    units: dict[str, Unit]
    germans: dict[str, German]
    deck: Pool
    discards: tuple[str, ...] = ()
    track: tuple[str, ...] = ()
    cards: dict[str, str] = {}
    unseen: dict[str, Pool] = {}
    boxes: dict[str, int] = {}
    tickets: dict[str, int] = {}
    since: dict[str, int] = {}
    births: int = 0
    dead_wn: dict[str, int] = {}
    dead_mobile: dict[str, int] = {}
    losses: dict[str, tuple[str, ...]] = {}
    naval: int = 0
    cleared: tuple[str, ...] = ()
    notes: dict[str, str] = {}
    linked: tuple[str, ...] = ()
    inactive: tuple[str, ...] = ()
    queue: tuple[str, ...] = ()
    division: str = ""
    done: tuple[str, ...] = ()
    actions: int = 0
    commanded: dict[str, tuple[str, ...]] = {}
    moved_leaders: tuple[str, ...] = ()
    attacked: tuple[str, ...] = ()
    barraged: tuple[str, ...] = ()
    bases: dict[str, Base] = {}
    base_done: tuple[str, ...] = ()
    garrisons: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    exited: tuple[tuple[str, int, str], ...] = ()
    heroes: tuple[str, ...] = ()
    rockets_fired: bool = False
    armor_entered: int = 0
    mobile_returned: bool = False
    points: int = 0
    degree: str = ""
    why: str = ""
    believed: bool = False

    def has(self, option: str) -> bool:
        """Whether a switch is on."""
        return self.options.get(option) == YES


# Questions that rules ask of a state


class Index(msgspec.Struct, frozen=True, dict=True):
    """US units sorted once per set of units: who is where, and what they control."""

    ashore: tuple[Unit, ...]
    by_hex: dict[str, tuple[Unit, ...]]

    @cached_property
    def steps(self) -> dict[str, int]:
        """The steps in each hex with units."""
        return {at: sum([u.steps for u in units]) for at, units in self.by_hex.items()}

    @cached_property
    def occupied(self) -> frozenset[str]:
        """The hexes with units; generals do not count (12.1)."""
        return frozenset([u.at for u in self.ashore if UNITS[u.id].type != "general"])

    @cached_property
    def controlled(self) -> frozenset[str]:
        """The hexes occupied, and those around who controls them (12.1, 12.11)."""
        wide = [AROUND[u.at] for u in self.ashore if controls_adjacent(u)]
        return self.occupied.union(*wide)


def index(state: State) -> Index:
    """The index of the units of a state."""
    return index_of(state.units)


@indexed(keep=16)
def index_of(units: dict[str, Unit]) -> Index:
    """The index of some units."""
    ashore = tuple([unit for unit in units.values() if unit.at in NEIGHBOURS])
    by_hex: dict[str, tuple[Unit, ...]] = {}
    for unit in ashore:
        here = by_hex.get(unit.at)
        by_hex[unit.at] = (unit,) if here is None else (*here, unit)
    return Index(ashore, by_hex)


def controls_adjacent(unit: Unit) -> bool:
    """Infantry with two or more steps and armored units control the hexes around (12.1)."""
    data = UNITS[unit.id]
    return data.is_armored or (data.is_infantry and unit.steps >= 2)


def units_at(state: State, label: str) -> tuple[Unit, ...]:
    """The US units and leaders in a hex."""
    return index(state).by_hex.get(label, ())


def fighters_at(state: State, label: str) -> list[Unit]:
    """The US units in a hex without HQs and generals."""
    return [u for u in units_at(state, label) if not UNITS[u.id].is_leader]


def on_map(state: State) -> tuple[Unit, ...]:
    """Every US unit and leader in a hex."""
    return index_of(state.units).ashore


def in_boxes(state: State) -> tuple[Unit, ...]:
    """Every US unit and leader in a landing box."""
    return _afloat(state.units)


@indexed(keep=4)
def _afloat(units: dict[str, Unit]) -> tuple[Unit, ...]:
    return tuple([unit for unit in units.values() if unit.at in BOXES])


def is_extended(state: State) -> bool:
    """Whether the rules of the extended game apply (14)."""
    return state.turn >= FIRST_EXTENDED_TURN


def do_letters_count(state: State) -> bool:
    """Whether letters on the card count: from turn 17, or 12 as an option (6.1.lettera, 14.2)."""
    return is_extended(state) or (state.has("14.2") and state.turn >= 12)


def germans_of(state: State, position: Position) -> list[German]:
    """The units that hold a position: tanks on it are not part of it (23.43)."""
    found = [state.germans[h] for h in position.hexes if h in state.germans]
    return [g for g in found if not g.is_armor]


def active(state: State, position: Position) -> list[German]:
    """The undisrupted units of a position: only they fire (6.4, 6.41)."""
    return [g for g in germans_of(state, position) if not g.disrupted]


def threats(state: State, label: str, *, disrupted: bool = False) -> Iterator[tuple[str, str]]:
    """(hex of a German unit, level) of every field of fire over a hex, tanks included."""
    germans = state.germans
    for position, level in DOTS_AT.get(label, ()):
        for h in position.hexes:
            german = germans.get(h)
            if german is None or german.is_armor:
                continue
            if disrupted or not german.disrupted:
                yield h, level
                break
    if state.armor_entered:
        for german in germans.values():
            if german.is_armor and (disrupted or not german.disrupted):
                found = field_of(german.hex).get(label)
                if found is not None:
                    yield german.hex, found


def field_of_fire(german: German) -> dict[str, str]:
    """Hex -> level for the position or the tanks of a German unit (6.2, 23.3)."""
    if german.is_armor:
        return field_of(german.hex)
    return DOTS[POSITION_AT[german.hex].id]


def position_of(german: German) -> Position | None:
    """The position a unit holds; tanks hold none."""
    return None if german.is_armor else POSITION_AT.get(german.hex)


def name_of(label: str) -> str:
    """The position in a hex, with N or S for a two-hex WN, or the hex itself."""
    position = POSITION_AT.get(label)
    if position is None:
        return label
    if len(position.hexes) == 2:
        return position.id + ("N" if label == position.hexes[0] else "S")
    return position.id


def named_hex(name: str) -> str:
    """The hex of a name given by `name_of`."""
    if name in POSITIONS:
        return POSITIONS[name].hexes[0]
    if name[:-1] in POSITIONS and name[-1] in "NS":
        return POSITIONS[name[:-1]].hexes["NS".index(name[-1])]
    return name
