"""The game at rest: units, markers, cards, tracks. Plain values, hexes by their printed label.

Definitions: definizioni.unita, definizioni.squadra, definizioni.veicolo, definizioni.miniatura,
definizioni.amico-nemico, preparazione.aree.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import msgspec

from engine.core.pools import Pool
from engine.core.rules import Side
from engine.core.text import N_

US, DE = "us", "de"
NATIONS = (US, DE)

READY, FATIGUED, OP_FIRE = N_("ready"), N_("fatigued"), N_("op fire")
NORMAL, PINNED, DISRUPTED = N_("normal"), N_("pinned"), N_("disrupted")
INTACT, LIGHT, HEAVY = N_("intact"), N_("light"), N_("heavy")
TRENCH, BUNKER = N_("trench"), N_("bunker")
WIRE, TRAP, MINES = N_("razor wire"), N_("tank trap"), N_("minefield")
SMOKE = N_("smoke")
NEUTRAL = N_("neutral")

ENGINEER, ANTI_TANK = N_("engineer"), N_("anti-tank")
FLAMETHROWER, MEDIC = N_("flamethrower"), N_("medic")

ADVANCE, CONCENTRATED, PREPARE = N_("advance"), N_("concentrated fire"), N_("prepare op fire")
FIRE_MOVE, ASSAULT, FATIGUE = N_("fire and movement"), N_("assault"), N_("fatigue unit")

SQUAD = "squad"

POINT = 3
"""A movement point, in thirds."""


def in_points(thirds: int) -> int | Fraction:
    """Thirds as players count them."""
    whole, rest = divmod(thirds, POINT)
    return Fraction(thirds, POINT) if rest else whole


class Unit(msgspec.Struct, frozen=True):
    """A squad or a vehicle. Off the map when it has neither a hex nor a vehicle to ride in."""

    id: str
    side: Side
    division: int
    type: str
    hex: str = ""
    figures: tuple[str, ...] = ()
    token: str = ""
    activation: str = READY
    condition: str = NORMAL
    damage: str = INTACT
    concealed: bool = False
    fort: str = ""
    aboard: str = ""

    @property
    def is_squad(self) -> bool:
        """Whether it is a base with figures, not a vehicle."""
        return self.type == SQUAD


class Fort(msgspec.Struct, frozen=True):
    """A trench or a bunker on the map."""

    id: str
    hex: str
    kind: str


class Objective(msgspec.Struct, frozen=True):
    """An objective hex: whose command it yields and how much, and whether it counts for victory."""

    owner: str = ""
    command: int = 0
    victory: bool = False
    points: int = 0


class Played(msgspec.Struct, frozen=True):
    """A strategy card in the play area: who activated it, until when, and its last radio call."""

    card: str
    seat: Side
    until: int = 0
    tried: int = 0


class Army(msgspec.Struct, frozen=True):
    """What lies in front of one side: its headquarters and its play area."""

    command: int = 0
    initiative: int = 0
    points: int = 0
    decks: dict[str, Pool] = {}
    hand: tuple[str, ...] = ()
    area: tuple[Played, ...] = ()
    operations: tuple[str, ...] = ()
    ace: str = ""
    spent: tuple[str, ...] = ()


class Force(msgspec.Struct, frozen=True):
    """Figures, bases, vehicles and tokens still to be built or placed by one division."""

    division: int
    bases: int = 0
    figures: dict[str, int] = {}
    vehicles: dict[str, int] = {}


class Arrival(msgspec.Struct, frozen=True):
    """Reinforcements that a scenario promises for the end of a round."""

    round: int
    side: Side
    force: Force


class Active(msgspec.Struct, frozen=True):
    """The unit that is acting, and how far it has come. Movement points are in thirds."""

    unit: str
    action: str
    mp: int
    path: tuple[str, ...]
    moved: bool = False
    attacked: bool = False
    halted: bool = False
    wired: bool = False
    shot_by: tuple[str, ...] = ()
    bonus: int = 0
    card: str = ""
    again: int = 0
    seat: Side = ""


class State(msgspec.Struct, frozen=True):
    """Everything on the table between two procedures."""

    scenario: str
    map: str
    phase: str
    step: str
    turn: Side
    initiative: Side
    round: int
    rounds: int
    seats: dict[Side, tuple[Side, ...]]
    actions: dict[Side, int]
    left: dict[Side, int]
    armies: dict[Side, Army]
    units: dict[str, Unit] = {}
    forts: dict[str, Fort] = {}
    obstacles: dict[str, tuple[str, ...]] = {}
    smoke: dict[str, int] = {}
    objectives: dict[str, Objective] = {}
    control: dict[str, Side] = {}
    active: Active | None = None
    done: tuple[Side, ...] = ()
    queue: tuple[Side, ...] = ()
    reserve: dict[Side, tuple[Force, ...]] = {}
    tokens: dict[Side, tuple[str, ...]] = {}
    arrivals: tuple[Arrival, ...] = ()
    zones: dict[Side, tuple[str, ...]] = {}
    overlays: tuple[tuple[str, str], ...] = ()
    roads: tuple[tuple[str, ...], ...] = ()
    options: dict[str, str] = {}
    winner: Side = ""
    ending: str = ""


Units: TypeAlias = dict[str, Unit]
Seats: TypeAlias = dict[Side, tuple[Side, ...]]


def enemy(side: Side) -> Side:
    """The other nation."""
    return DE if side == US else US
