"""The game at rest: counters on the map, markers, and who is doing what (1.2, 3.0)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeVar

import msgspec

from engine.aslsk.state.ground import Ground, ground
from engine.aslsk.state.tables import (
    PEOPLE,
    VEHICLES,
    WEAPONS,
    Mmc,
    Scenario,
    VehicleType,
    WeaponType,
)
from engine.core.index import indexed
from engine.core.pools import Pool
from engine.core.rules import Side
from engine.core.text import N_

SETUP: Final = N_("set-up")
RPH, PFPH, MPH, DFPH = N_("RPh"), N_("PFPh"), N_("MPh"), N_("DFPh")
AFPH, RTPH, APH, CCPH = N_("AFPh"), N_("RtPh"), N_("APh"), N_("CCPh")

POOL, MAP, OUT, GONE = N_("not placed"), N_("map"), N_("eliminated"), N_("left the map")

BROKEN, DM, PIN, CX, WOUND = N_("broken"), N_("DM"), N_("pinned"), N_("CX"), N_("wounded")
MELEE, HIDDEN, HAZARD = N_("Melee"), N_("HIP"), N_("hazardous")
CC: Final = "CC"
PREP, FIRST, FINAL = N_("Prep Fire"), N_("First Fire"), N_("Final Fire")
INTENSIVE, BOUNDING = N_("Intensive Fire"), N_("Bounding Fire")
NORMAL, ASSAULT, DOUBLE = N_("normal"), N_("Assault Movement"), N_("Double Time")
SHOCK, UK, STUN, PLUS_ONE = N_("Shock"), N_("UK"), N_("Stun"), N_("+1")

OWN_FP = "fp"
"""The element of a unit that is its inherent FP, in `used`."""


class Unit(msgspec.Struct, frozen=True, gc=False):
    """Infantry: a MMC or a SMC."""

    id: str
    side: Side
    type: str
    hex: str = ""
    place: str = POOL
    entry: str = ""
    broken: bool = False
    dm: bool = False
    pinned: bool = False
    was_pinned: bool = False
    cx: bool = False
    was_cx: bool = False
    wounded: bool = False
    melee: bool = False
    cc: bool = False
    hidden: bool = False
    hazard: bool = False
    fire: str = ""
    used: tuple[str, ...] = ()
    directed: tuple[str, ...] = ()
    moved: bool = False
    tried: bool = False
    done: bool = False
    joined: str = ""
    turned: bool = False

    @property
    def data(self) -> Mmc:
        """The counter as printed."""
        return PEOPLE[self.type]

    @property
    def is_mmc(self) -> bool:
        """Squad, HS or crew."""
        return PEOPLE[self.type].kind != "smc"

    @property
    def is_leader(self) -> bool:
        """A SMC."""
        return PEOPLE[self.type].kind == "smc"

    @property
    def good_order(self) -> bool:
        """Neither broken nor in Melee (2.0.good_order)."""
        return not self.broken and not self.melee and self.place == MAP

    @property
    def morale(self) -> int:
        """The morale of the side that shows, one less if wounded (1.2.3, 3.2.3.wound)."""
        data = PEOPLE[self.type]
        return (data.broken if self.broken else data.morale) - self.wounded

    @property
    def leadership(self) -> int:
        """The Leadership DRM, one worse if wounded (1.2.1, 3.2.3.wound)."""
        return PEOPLE[self.type].leadership + self.wounded


class Hold(msgspec.Struct, frozen=True, gc=False):
    """An acquired target: how well, which units, where, and whether by ATT (6.10, 6.11)."""

    acquired: int = 0
    target: str = ""
    target_hex: str = ""
    by_area: bool = False

    @property
    def lapsed(self) -> Hold:
        """The same, no longer acquired."""
        return msgspec.structs.replace(self, acquired=0)


NOTHING: Final = Hold()
"""No target is acquired."""


class Weapon(msgspec.Struct, frozen=True, gc=False):
    """A SW or a Gun."""

    id: str
    side: Side
    type: str
    owner: str = ""
    hex: str = ""
    place: str = POOL
    entry: str = ""
    broken: bool = False
    fire: str = ""
    shots: int = 0
    ca: int = -1
    turned: int = 0
    moved: bool = False
    recovered: bool = False
    emplaced: bool = False
    hidden: bool = False
    hold: Hold = NOTHING
    out_of: tuple[str, ...] = ()
    planted: str = ""
    planter: str = ""
    dud_at: int = 12
    tired: bool = False
    against: str = ""

    @property
    def data(self) -> WeaponType:
        """The counter as printed."""
        return WEAPONS[self.type]


class Crew(msgspec.Struct, frozen=True, gc=False):
    """Who is in a vehicle: looking out or shut in, and in what state (7.7, 7.10)."""

    ce: bool = False
    shock: str = ""
    stun: str = ""
    plus: bool = False


class Drive(msgspec.Struct, frozen=True, gc=False):
    """Whether a vehicle is in Motion at rest, and whether it can move at all (3.3.2, 7.6)."""

    motion: bool = False
    bogged: bool = False
    mired: bool = False
    immobilized: bool = False


class Arms(msgspec.Struct, frozen=True, gc=False):
    """The weapons of a vehicle: what is wrong with the MA, which MG, what ammunition is spent."""

    ma: str = ""
    low: bool = False
    broken: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    out_of: tuple[str, ...] = ()


class TurnMarks(msgspec.Struct, frozen=True, gc=False):
    """What a vehicle has done and suffered in this Player Turn; all of it is forgotten together."""

    fired: tuple[str, ...] = ()
    fire: str = ""
    fire_phase: str = ""
    fire_hex: str = ""
    kept: bool = False
    swing: int = 0
    hull_swing: int = 0
    swung: tuple[str, ...] = ()
    running: bool = False
    moving: bool = False
    moved: bool = False
    smoked: bool = False
    tried: bool = False
    shut: bool = False
    attacked: bool = False
    fresh_wreck: bool = False


class Vehicle(msgspec.Struct, frozen=True, gc=False):
    """An AFV, made of its parts; `turned`, `changed` and `done` last one phase."""

    id: str
    side: Side
    type: str
    hex: str = ""
    place: str = POOL
    entry: str = ""
    vca: int = 0
    tca: int = 0
    crew: Crew = Crew()
    drive: Drive = Drive()
    arms: Arms = Arms()
    hold: Hold = NOTHING
    marks: TurnMarks = TurnMarks()
    recall: bool = False
    wreck: bool = False
    turned: int = 0
    changed: bool = False
    done: bool = False

    @property
    def data(self) -> VehicleType:
        """The counter as printed."""
        return VEHICLES[self.type]

    @property
    def is_live(self) -> bool:
        """On the map and not a wreck."""
        return self.place == MAP and not self.wreck

    @property
    def good_order(self) -> bool:
        """Neither Shocked (UK included) nor Stunned (2.0.good_order)."""
        return self.is_live and not self.crew.shock and not self.crew.stun

    @property
    def is_immobile(self) -> bool:
        """Bogged, Immobilized, Shocked or Stunned (2.0.immobile)."""
        return self.is_stuck or bool(self.crew.shock) or bool(self.crew.stun)

    @property
    def is_stuck(self) -> bool:
        """Neither turns its hull nor moves: Bogged or Immobilized (7.6, 2.0.immobilized)."""
        return self.drive.bogged or self.drive.immobilized

    @property
    def is_moving_target(self) -> bool:
        """Entered a hex this Player Turn, or in Motion (2.0.moving_target)."""
        return self.marks.moving or self.drive.motion

    @property
    def is_non_stopped(self) -> bool:
        """No Stop MP since its last Start (2.0.non_stopped)."""
        return self.marks.running or self.drive.motion


PARTS: Final = {
    field: part
    for part, kind in (
        ("crew", Crew),
        ("drive", Drive),
        ("arms", Arms),
        ("hold", Hold),
        ("marks", TurnMarks),
    )
    for field in kind.__struct_fields__
}
"""The part of a vehicle, or of a weapon, that a fact about it belongs to."""


class Smoke(msgspec.Struct, frozen=True, gc=False):
    """Smoke in a hex; grenades hide what lasts longer, until they go (1.2.5)."""

    value: int
    kind: str
    side: Side
    over: Smoke | None = None


class Parted(msgspec.Struct, frozen=True, gc=False):
    """How far a member of a stack had come when it parted from it (3.3.1.stack_move)."""

    road: bool = True
    cover: bool = False
    entered: bool = False
    came_from: str = ""


class Mover(msgspec.Struct, frozen=True, gc=False):
    """Who is moving now (3.3.1, 3.3.2); MF and MP are counted in halves."""

    units: tuple[str, ...]
    mode: str = NORMAL
    waiting: tuple[str, ...] = ()
    parted: dict[str, Parted] = {}
    halted: tuple[str, ...] = ()
    leader: str = ""
    spent: dict[str, int] = {}
    road: bool = True
    cover: bool = False
    entered: bool = False
    latest: int = 0
    trail: tuple[tuple[str, int], ...] = ()
    came_from: str = ""
    shots: dict[str, int] = {}
    paatc: tuple[str, ...] = ()
    window: bool = False
    act: str = ""
    turret: bool = False
    planting: str = ""
    planting_at: str = ""
    ending: bool = False
    all_mp: bool = False
    started: bool = False
    reserve: int = 0
    expenditures: int = 0
    passed: bool = False


class Router(msgspec.Struct, frozen=True, gc=False):
    """A unit that routs (3.6)."""

    unit: str
    start: str
    spent: int = 0
    low_crawl: bool = False
    came_from: str = ""
    cover: bool = False
    seen: tuple[str, ...] = ()
    leader: str = ""
    refused: tuple[str, ...] = ()
    interdicted: tuple[str, ...] = ()


class CcAttack(msgspec.Struct, frozen=True):
    """A declared CC attack."""

    side: Side
    attackers: tuple[str, ...]
    targets: tuple[str, ...]


class CloseCombat(msgspec.Struct, frozen=True):
    """A hex where CC is being fought (3.8)."""

    hex: str
    rolled: bool = False
    ambusher: str = ""
    declared: tuple[CcAttack, ...] = ()
    acted: tuple[str, ...] = ()
    hit: tuple[str, ...] = ()
    turn: Side = ""
    passed: tuple[Side, ...] = ()
    snapshot: dict[str, Unit] = {}


class Oba(msgspec.Struct, frozen=True):
    """A battery of off-board artillery and its observer (DaE2)."""

    side: Side
    calibre: int
    pile: Pool
    radio: str
    contact: bool = False
    access: bool = False
    reds: int = 0
    closed: bool = False
    sr: str = ""
    ffe: str = ""
    stage: str = ""
    kind: str = "HE"
    drew: int = 0
    done_in: str = ""
    spot: str = ""
    rockets: bool = False
    battalion: bool = False


class State(msgspec.Struct, frozen=True):
    """The whole game."""

    scenario: str
    map: str
    date: str
    turns: int
    half: bool
    sides: tuple[Side, Side]
    elr: dict[Side, int]
    options: dict[str, str] = {}
    turn: int = 1
    attacker: Side = ""
    phase: str = SETUP
    step: str = ""
    who: Side = ""
    units: dict[str, Unit] = {}
    weapons: dict[str, Weapon] = {}
    vehicles: dict[str, Vehicle] = {}
    smoke: dict[str, Smoke] = {}
    residual: dict[str, int] = {}
    residual_on: dict[str, tuple[str, ...]] = {}
    control: dict[str, Side] = {}
    hedge: dict[str, Side] = {}
    mover: Mover | None = None
    router: Router | None = None
    cc: CloseCombat | None = None
    oba: Oba | None = None
    volleys: tuple[str, ...] = ()
    lost: dict[Side, int] = {}
    pf_left: dict[Side, int] = {}
    first_rally: tuple[Side, ...] = ()
    extra_rally: bool = False
    settled: tuple[str, ...] = ()
    winner: Side = ""
    degree: str = ""
    cause: str = ""

    @property
    def defender(self) -> Side:
        """The side that is not the ATTACKER (2.0.defender)."""
        return self.enemy(self.attacker)

    def enemy(self, side: Side) -> Side:
        """The other side."""
        return self.sides[1] if side == self.sides[0] else self.sides[0]

    @property
    def year(self) -> int:
        """The year of the action."""
        return int(self.date[:4])

    @property
    def month(self) -> int:
        """The month of the action."""
        return _month(self.date)

    @property
    def ground(self) -> Ground:
        """The map, shared by all states."""
        return _ground(self.map, self.date)


@lru_cache(maxsize=64)
def _ground(map: str, date: str) -> Ground:
    return ground(map, _month(date))


def _month(date: str) -> int:
    return int(date[5:7])


def fresh(card: Scenario, options: dict[str, str]) -> State:
    """The state before set-up, without counters."""
    return State(
        scenario=card.id,
        map=card.map,
        date=card.date,
        turns=card.turns,
        half=card.half,
        sides=card.sides,
        elr=dict(card.elr),
        options=options,
        attacker=card.sides[0],
        who=card.order[0],
    )


C = TypeVar("C", Unit, Vehicle)


def _on_the_map(counters: Iterable[C]) -> dict[str, list[C]]:
    found: dict[str, list[C]] = {}
    for one in counters:
        if one.place == MAP:
            found.setdefault(one.hex, []).append(one)
    return found


@indexed(keep=4)
def _by_hex(units: dict[str, Unit]) -> dict[str, list[Unit]]:
    return _on_the_map(units.values())


class Noted(msgspec.Struct, frozen=True):
    """The units on the map about which something must be asked after every change."""

    hidden: tuple[str, ...]
    shaken: tuple[str, ...]
    """Broken without DM."""
    locked: tuple[str, ...]
    """In Melee."""


@indexed(keep=2)
def noted(units: dict[str, Unit]) -> Noted:
    """Who is hidden, who is broken without DM, who is in Melee: one look for all three."""
    there = [u for u in units.values() if (u.hidden or u.broken or u.melee) and u.place == MAP]
    return Noted(
        tuple([u.id for u in there if u.hidden]),
        tuple([u.id for u in there if u.broken and not u.dm]),
        tuple([u.id for u in there if u.melee]),
    )


@indexed(keep=4)
def _parked(vehicles: dict[str, Vehicle]) -> dict[str, list[Vehicle]]:
    return _on_the_map(vehicles.values())


@indexed(keep=4)
def _by_owner(weapons: dict[str, Weapon]) -> dict[str, list[Weapon]]:
    found: dict[str, list[Weapon]] = {}
    for one in weapons.values():
        if one.place == MAP and one.owner:
            found.setdefault(one.owner, []).append(one)
    return found


def units_at(state: State, hex: str) -> Sequence[Unit]:
    """The infantry in a hex."""
    return _by_hex(state.units).get(hex, ())


def vehicles_at(state: State, hex: str) -> Sequence[Vehicle]:
    """The vehicles and wrecks in a hex."""
    return _parked(state.vehicles).get(hex, ())


def weapons_of(state: State, owner: str) -> Sequence[Weapon]:
    """The weapons that a unit possesses."""
    return _by_owner(state.weapons).get(owner, ())


def stacks(state: State) -> dict[str, list[Unit]]:
    """The infantry on the map, by hex."""
    return _by_hex(state.units)


def parked(state: State) -> dict[str, list[Vehicle]]:
    """The vehicles and wrecks on the map, by hex."""
    return _parked(state.vehicles)


def where(state: State, weapon: Weapon) -> str:
    """The hex of a weapon: its owner's, or where it lies."""
    return state.units[weapon.owner].hex if weapon.owner else weapon.hex
