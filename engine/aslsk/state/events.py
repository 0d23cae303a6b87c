"""Every change of state. Events say what happened and apply themselves; they know no rules."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from engine.aslsk.state.state import (
    BROKEN,
    CC,
    CX,
    DM,
    GONE,
    HAZARD,
    HIDDEN,
    MAP,
    MELEE,
    NOTHING,
    OUT,
    PIN,
    SETUP,
    WOUND,
    CloseCombat,
    Hold,
    Mover,
    Oba,
    Router,
    Smoke,
    State,
    TurnMarks,
    Unit,
    Vehicle,
    Weapon,
)
from engine.core.rules import Event, Side
from engine.core.text import N_, Msg

replace = msgspec.structs.replace

FIELD = {
    BROKEN: "broken",
    DM: "dm",
    PIN: "pinned",
    CX: "cx",
    WOUND: "wounded",
    MELEE: "melee",
    HIDDEN: "hidden",
    HAZARD: "hazard",
    CC: "cc",
}


class Change(Event, frozen=True, kw_only=True):
    """An event of this title: it knows the state that follows."""

    def on(self, state: State) -> State:
        """The state after the event."""
        raise NotImplementedError


def _unit(state: State, name: str, **changes: Any) -> State:
    one = state.units.get(name)
    if one is None:
        return state
    return replace(state, units={**state.units, name: replace(one, **changes)})


def _weapon(state: State, name: str, **changes: Any) -> State:
    one = state.weapons.get(name)
    if one is None:
        return state
    return replace(state, weapons={**state.weapons, name: replace(one, **changes)})


def _vehicle(state: State, name: str, **changes: Any) -> State:
    one = state.vehicles.get(name)
    if one is None:
        return state
    return replace(state, vehicles={**state.vehicles, name: replace(one, **changes)})


def _any(state: State, name: str, **changes: Any) -> State:
    if name in state.units:
        return _unit(state, name, **changes)
    if name in state.weapons:
        return _weapon(state, name, **changes)
    return _vehicle(state, name, **changes)


class UnitChange(Change, frozen=True, kw_only=True):
    """Something befalls a unit: it is told in a word, without its details."""

    says: ClassVar[str] = N_("{unit}: {what}")
    what: ClassVar[str]
    unit: str

    def msg(self) -> Msg:
        """Who, and what befalls it."""
        return Msg(self.says, {"unit": self.unit, "what": self.what})

    def on(self, state: State) -> State:
        """With the unit as it is now."""
        one = state.units.get(self.unit)
        if one is None:
            return state
        return replace(state, units={**state.units, self.unit: self.of(one)})

    def of(self, one: Unit) -> Unit:
        """The unit after the event."""
        raise NotImplementedError


class WeaponChange(Change, frozen=True, kw_only=True):
    """Something befalls a weapon: it is told in a word, without its details."""

    says: ClassVar[str] = N_("{weapon}: {what}")
    what: ClassVar[str]
    weapon: str

    def msg(self) -> Msg:
        """Which weapon, and what befalls it."""
        return Msg(self.says, {"weapon": self.weapon, "what": self.what})

    def on(self, state: State) -> State:
        """With the weapon as it is now."""
        one = state.weapons.get(self.weapon)
        if one is None:
            return state
        return replace(state, weapons={**state.weapons, self.weapon: self.of(one)})

    def of(self, one: Weapon) -> Weapon:
        """The weapon after the event."""
        raise NotImplementedError


# Sequence


class StepBegan(Change, frozen=True, kw_only=True):
    """A phase, or a step of it, begins for a side."""

    says: ClassVar[str] = N_("{phase} {step}: {side}")
    phase: str
    step: str
    side: Side

    def on(self, state: State) -> State:
        """The next step."""
        return replace(
            state,
            phase=self.phase,
            step=self.step,
            who=self.side,
            mover=None,
            router=None,
            cc=None,
        )

    def msg(self) -> Msg:
        """Set-up is no phase: it is told by who sets up."""
        told = super().msg()
        return Msg(N_("{side} sets up"), told.facts) if self.phase == SETUP else told


class PhaseEnded(Change, frozen=True, kw_only=True):
    """What lasted one phase is over."""

    says: ClassVar[str] = N_("the {phase} ends")
    phase: str

    def on(self, state: State) -> State:
        """Forget what was done in the phase."""
        units = {
            name: replace(one, done=False, tried=False, joined="")
            if one.done or one.tried or one.joined
            else one
            for name, one in state.units.items()
        }
        weapons = {
            name: replace(one, recovered=False, turned=0, shots=0)
            if one.recovered or one.turned or one.shots
            else one
            for name, one in state.weapons.items()
        }
        vehicles = {
            name: replace(one, done=False, turned=0, changed=False)
            if one.done or one.turned or one.changed
            else one
            for name, one in state.vehicles.items()
        }
        return replace(
            state,
            units=units,
            weapons=weapons,
            vehicles=vehicles,
            volleys=(),
            settled=(),
        )


class MarkersRemoved(Change, frozen=True, kw_only=True):
    """Fire counters of one kind come off the map."""

    says: ClassVar[str] = N_("{marker} counters are removed")
    marker: str

    def on(self, state: State) -> State:
        """Without that marker."""
        kinds = self.marker.split(" + ")

        def clean(one: Any) -> Any:
            return replace(one, fire="") if one.fire in kinds else one

        return replace(
            state,
            units={name: clean(one) for name, one in state.units.items()},
            weapons={name: clean(one) for name, one in state.weapons.items()},
            vehicles={
                name: replace(one, marks=replace(one.marks, fire=""))
                if one.marks.fire in kinds
                else one
                for name, one in state.vehicles.items()
            },
        )


class PlayerTurnEnded(Change, frozen=True, kw_only=True):
    """The Player Turn is over: what lasted it is forgotten."""

    says: ClassVar[str] = N_("the Player Turn of {side} ends")
    side: Side

    def on(self, state: State) -> State:
        """Fresh units."""
        units = {
            name: replace(
                one,
                used=(),
                directed=(),
                moved=False,
                tried=False,
                hazard=False,
                was_pinned=False,
                cc=False,
                done=False,
                turned=False,
                fire="",
            )
            for name, one in state.units.items()
        }
        weapons = {
            name: replace(one, fire="", shots=0, turned=0, moved=False)
            for name, one in state.weapons.items()
        }
        vehicles = {
            name: replace(one, marks=TurnMarks(), turned=0) for name, one in state.vehicles.items()
        }
        return replace(
            state,
            units=units,
            weapons=weapons,
            vehicles=vehicles,
            volleys=(),
            first_rally=(),
            extra_rally=False,
        )


class TurnOf(Change, frozen=True, kw_only=True):
    """A side becomes the ATTACKER."""

    says: ClassVar[str] = N_("turn {turn}: {side} is the ATTACKER")
    side: Side
    turn: int

    def on(self, state: State) -> State:
        """The next Player Turn."""
        return replace(state, attacker=self.side, turn=self.turn)


class GameEnded(Change, frozen=True, kw_only=True):
    """Somebody has won."""

    says: ClassVar[str] = N_("{side} wins")
    side: Side
    degree: str
    cause: str

    def on(self, state: State) -> State:
        """The end."""
        return replace(state, winner=self.side, degree=self.degree, cause=self.cause, phase="over")


# Counters


class Placed(Change, frozen=True, kw_only=True):
    """A counter is set up."""

    says: ClassVar[str] = N_("{unit} sets up in {hex}")
    unit: str
    hex: str

    def on(self, state: State) -> State:
        """On the map."""
        return _any(state, self.unit, hex=self.hex, place=MAP)


class Possessed(Change, frozen=True, kw_only=True):
    """A unit takes possession of a weapon."""

    says: ClassVar[str] = N_("{unit} possesses {weapon}")
    unit: str
    weapon: str
    recovered: bool = False

    def on(self, state: State) -> State:
        """With its owner, who has acquired nothing yet."""
        return _weapon(
            state,
            self.weapon,
            owner=self.unit,
            hex="",
            place=MAP,
            recovered=self.recovered,
            hold=NOTHING,
        )


class Dropped(Change, frozen=True, kw_only=True):
    """A weapon is left without an owner."""

    says: ClassVar[str] = N_("{weapon} is left in {hex}")
    weapon: str
    hex: str

    def on(self, state: State) -> State:
        """On the ground."""
        return _weapon(state, self.weapon, owner="", hex=self.hex, hold=NOTHING)


class Moved(Change, frozen=True, kw_only=True):
    """A counter goes to another hex."""

    says: ClassVar[str] = N_("{unit} goes to {hex}")
    unit: str
    hex: str

    def on(self, state: State) -> State:
        """In the new hex."""
        return _any(state, self.unit, hex=self.hex)


class Marked(Change, frozen=True, kw_only=True):
    """A unit receives a marker."""

    says: ClassVar[str] = N_("{unit}: {marker}")
    unit: str
    marker: str

    def on(self, state: State) -> State:
        """With the marker."""
        if self.marker == PIN:
            return _unit(state, self.unit, pinned=True, was_pinned=True)
        return _any(state, self.unit, **{FIELD[self.marker]: True})


class Cleared(Change, frozen=True, kw_only=True):
    """A unit loses a marker."""

    says: ClassVar[str] = N_("{unit} is no longer {marker}")
    unit: str
    marker: str

    def on(self, state: State) -> State:
        """Without the marker."""
        return _any(state, self.unit, **{FIELD[self.marker]: False})


class Broke(Change, frozen=True, kw_only=True):
    """A unit breaks: DM, and neither Pin nor CX stays."""

    says: ClassVar[str] = N_("{unit} breaks and is DM")
    unit: str

    def on(self, state: State) -> State:
        """On its broken side."""
        return _unit(state, self.unit, broken=True, dm=True, pinned=False, cx=False)


class Rallied(Change, frozen=True, kw_only=True):
    """A broken unit recovers."""

    says: ClassVar[str] = N_("{unit} rallies")
    unit: str

    def on(self, state: State) -> State:
        """On its good side."""
        return _unit(state, self.unit, broken=False, dm=False)


class Replaced(Change, frozen=True, kw_only=True):
    """A counter is exchanged for another."""

    says: ClassVar[str] = N_("{unit} becomes {counter}")
    unit: str
    counter: str

    def on(self, state: State) -> State:
        """Another counter, same markers."""
        return _unit(state, self.unit, type=self.counter)


class Eliminated(Change, frozen=True, kw_only=True):
    """A unit or weapon leaves the game."""

    says: ClassVar[str] = N_("{unit} is eliminated")
    unit: str
    points: int = 0

    def on(self, state: State) -> State:
        """Off the map; what it possessed stays."""
        if self.unit in state.weapons:
            return _weapon(state, self.unit, place=OUT, owner="", hex="")
        one = state.units.get(self.unit)
        if one is None:
            return state
        weapons = {
            name: replace(w, owner="", hex=one.hex, hold=NOTHING) if w.owner == self.unit else w
            for name, w in state.weapons.items()
        }
        lost = {**state.lost, one.side: state.lost.get(one.side, 0) + self.points}
        state = _unit(state, self.unit, place=OUT, hex="", hidden=False)
        return replace(state, weapons=weapons, lost=lost)


class PointsLost(Change, frozen=True, kw_only=True):
    """Casualty points of a side rise."""

    says: ClassVar[str] = N_("{side}: {points} casualty points")
    side: Side
    points: int

    def on(self, state: State) -> State:
        """With the loss counted."""
        total = state.lost.get(self.side, 0) + self.points
        return replace(state, lost={**state.lost, self.side: total})


class Created(Change, frozen=True, kw_only=True):
    """A leader is born (5.3)."""

    says: ClassVar[str] = N_("{unit} is created in {hex}")
    unit: str
    side: Side
    counter: str
    hex: str
    broken: bool = False

    def on(self, state: State) -> State:
        """With the new leader."""
        one = Unit(self.unit, self.side, self.counter, hex=self.hex, place=MAP, broken=self.broken)
        return replace(state, units={**state.units, self.unit: one})


class Fired(Change, frozen=True, kw_only=True):
    """An element has fired: its marker and its record of use."""

    says: ClassVar[str] = N_("{unit}: {marker}")
    unit: str
    marker: str
    used: str = ""

    def on(self, state: State) -> State:
        """Marked."""
        if self.unit in state.units:
            one = state.units[self.unit]
            used = one.used
            if self.used and self.used not in used:
                used = (*used, self.used)
            return _unit(state, self.unit, fire=self.marker or one.fire, used=used)
        if self.unit in state.weapons:
            shots = state.weapons[self.unit].shots + 1
            return _weapon(
                state, self.unit, fire=self.marker or state.weapons[self.unit].fire, shots=shots
            )
        return state


class Flipped(Change, frozen=True, kw_only=True):
    """A fire counter is put or flipped without a shot."""

    says: ClassVar[str] = N_("{unit}: {marker}")
    unit: str
    marker: str

    def on(self, state: State) -> State:
        """Marked."""
        return _any(state, self.unit, fire=self.marker)


class Used(Change, frozen=True, kw_only=True):
    """A unit has used a weapon, or its inherent FP."""

    says: ClassVar[str] = N_("{unit} has used {used}")
    unit: str
    used: str

    def on(self, state: State) -> State:
        """Remembered."""
        one = state.units.get(self.unit)
        if one is None or self.used in one.used:
            return state
        return _unit(state, self.unit, used=(*one.used, self.used))


class Directed(Change, frozen=True, kw_only=True):
    """A leader has directed an attack."""

    says: ClassVar[str] = N_("{unit} directs the attack")
    unit: str
    marker: str
    elements: tuple[str, ...] = ()

    def on(self, state: State) -> State:
        """Marked as firing."""
        one = state.units[self.unit]
        directed = tuple(dict.fromkeys((*one.directed, *self.elements)))
        return _unit(state, self.unit, directed=directed, fire=self.marker or one.fire)


def volley_key(origin: str, target: str, at: int) -> str:
    """How the state remembers who fired at what; a mover counts once per expenditure."""
    return f"{origin}>{target}@{at}" if at else f"{origin}>{target}"


class Volley(Change, frozen=True, kw_only=True):
    """Infantry of a hex has fired at a target this phase, or at this expenditure of a mover."""

    says: ClassVar[str] = N_("{hex} has fired at {target}")
    hex: str
    target: str
    at: int = 0

    def on(self, state: State) -> State:
        """Remembered."""
        key = volley_key(self.hex, self.target, self.at)
        return replace(state, volleys=(*state.volleys, key))


class Acted(Change, frozen=True, kw_only=True):
    """A unit has done its action of the phase."""

    says: ClassVar[str] = N_("{unit} has acted")
    unit: str

    def on(self, state: State) -> State:
        """Done."""
        return _any(state, self.unit, done=True)


class Tried(Change, frozen=True, kw_only=True):
    """A unit has made its one attempt."""

    says: ClassVar[str] = N_("{unit} has made its attempt")
    unit: str

    def on(self, state: State) -> State:
        """Tried."""
        return _any(state, self.unit, tried=True)


class SelfRallied(Change, frozen=True, kw_only=True):
    """A side has used its MMC self rally."""

    says: ClassVar[str] = N_("{side}: a MMC tries Self Rally")
    side: Side
    extra: bool = False

    def on(self, state: State) -> State:
        """Remembered."""
        sides = state.first_rally
        if self.side not in sides:
            sides = (*sides, self.side)
        return replace(state, first_rally=sides, extra_rally=state.extra_rally or self.extra)


class Jammed(Change, frozen=True, kw_only=True):
    """A weapon malfunctions."""

    says: ClassVar[str] = N_("{weapon} malfunctions")
    weapon: str

    def on(self, state: State) -> State:
        """Flipped."""
        return _weapon(state, self.weapon, broken=True, hold=NOTHING)


class Repaired(Change, frozen=True, kw_only=True):
    """A weapon works again."""

    says: ClassVar[str] = N_("{weapon} is repaired")
    weapon: str

    def on(self, state: State) -> State:
        """Working."""
        return _weapon(state, self.weapon, broken=False)


class Acquired(WeaponChange, frozen=True, kw_only=True):
    """The acquired target of a weapon changes."""

    what: ClassVar[str] = N_("acquisition")
    hold: Hold

    def of(self, one: Weapon) -> Weapon:
        """With that target."""
        return replace(one, hold=self.hold)


class CaChanged(WeaponChange, frozen=True, kw_only=True):
    """A Gun points elsewhere; `to_fire` counts as a turn of this phase."""

    what: ClassVar[str] = N_("CA changes")
    ca: int
    to_fire: bool = False
    hold: Hold | None = None

    def of(self, one: Weapon) -> Weapon:
        """Turned, and with another target if one is given."""
        hold = one.hold if self.hold is None else self.hold
        return replace(one, ca=self.ca, turned=one.turned + self.to_fire, hold=hold)


class AmmoSpent(WeaponChange, frozen=True, kw_only=True):
    """Special ammunition of a weapon is used up."""

    what: ClassVar[str] = N_("its special ammunition is spent")
    ammo: str

    def of(self, one: Weapon) -> Weapon:
        """Without it."""
        return replace(one, out_of=(*one.out_of, self.ammo))


class Emplaced(WeaponChange, frozen=True, kw_only=True):
    """A Gun is set up in its emplacement."""

    what: ClassVar[str] = N_("emplaced")
    ca: int

    def of(self, one: Weapon) -> Weapon:
        """Emplaced, and pointing somewhere."""
        return replace(one, ca=self.ca, emplaced=True)


class SetUpOnPavement(WeaponChange, frozen=True, kw_only=True):
    """A Gun is set up without an emplacement."""

    what: ClassVar[str] = N_("set up on pavement")
    ca: int

    def of(self, one: Weapon) -> Weapon:
        """Pointing somewhere."""
        return replace(one, ca=self.ca, emplaced=False)


class Pushed(WeaponChange, frozen=True, kw_only=True):
    """A Gun is pushed; `entered` if it comes to another hex."""

    what: ClassVar[str] = N_("is pushed")
    entered: bool

    def of(self, one: Weapon) -> Weapon:
        """Moved; in a new hex neither emplaced nor with a target."""
        if not self.entered:
            return replace(one, moved=True)
        return replace(one, moved=True, emplaced=False, hold=one.hold.lapsed)


class Carried(WeaponChange, frozen=True, kw_only=True):
    """A weapon goes with its owner."""

    what: ClassVar[str] = N_("is carried")

    def of(self, one: Weapon) -> Weapon:
        """Moved."""
        return replace(one, moved=True)


class PlacingBegan(WeaponChange, frozen=True, kw_only=True):
    """A DC is being placed, against a vehicle if one is named."""

    what: ClassVar[str] = N_("is being placed")
    planter: str
    against: str

    def of(self, one: Weapon) -> Weapon:
        """With its bearer and target."""
        return replace(one, planter=self.planter, against=self.against)


class ChargePlaced(WeaponChange, frozen=True, kw_only=True):
    """A DC is placed in a hex, from another."""

    what: ClassVar[str] = N_("is placed")
    planted: str
    hex: str
    dud_at: int
    tired: bool

    def of(self, one: Weapon) -> Weapon:
        """Without an owner, waiting to explode."""
        return replace(
            one,
            planted=self.planted,
            owner="",
            hex=self.hex,
            dud_at=self.dud_at,
            tired=self.tired,
        )


class ChargeKept(WeaponChange, frozen=True, kw_only=True):
    """A DC is not placed after all."""

    what: ClassVar[str] = N_("is kept")

    def of(self, one: Weapon) -> Weapon:
        """Without bearer and target."""
        return replace(one, planter="", against="")


class Revealed(Change, frozen=True, kw_only=True):
    """A hidden Gun and its crew are shown."""

    says: ClassVar[str] = N_("{unit} is revealed in {hex}")
    reveals: ClassVar[bool] = True
    unit: str
    hex: str

    def on(self, state: State) -> State:
        """In the open."""
        return _any(state, self.unit, hidden=False)


# The map


class SmokePlaced(Change, frozen=True, kw_only=True):
    """Smoke rises in a hex."""

    says: ClassVar[str] = N_("smoke +{value} in {hex}")
    hex: str
    value: int
    kind: str
    side: Side
    over: Smoke | None = None

    def on(self, state: State) -> State:
        """The thicker smoke stays."""
        old = state.smoke.get(self.hex)
        if old is not None and old.value > self.value:
            return state
        one = Smoke(self.value, self.kind, self.side, self.over)
        return replace(state, smoke={**state.smoke, self.hex: one})


class SmokeRemoved(Change, frozen=True, kw_only=True):
    """Smoke is gone from a hex."""

    says: ClassVar[str] = N_("the smoke of {hex} is gone")
    hex: str

    def on(self, state: State) -> State:
        """Clear."""
        return replace(state, smoke={k: v for k, v in state.smoke.items() if k != self.hex})


class ResidualPlaced(Change, frozen=True, kw_only=True):
    """Residual FP lies in a hex."""

    says: ClassVar[str] = N_("Residual FP {fp} in {hex}")
    hex: str
    fp: int

    def on(self, state: State) -> State:
        """A higher one replaces a lower one."""
        if state.residual.get(self.hex, 0) >= self.fp:
            return state
        return replace(state, residual={**state.residual, self.hex: self.fp})


class ResidualMet(Change, frozen=True, kw_only=True):
    """Units have been attacked by the Residual FP of a hex."""

    says: ClassVar[str] = N_("Residual FP of {hex} attacks")
    hex: str
    units: tuple[str, ...]

    def on(self, state: State) -> State:
        """Remembered with the DRM."""
        met = (*state.residual_on.get(self.hex, ()), *self.units)
        return replace(state, residual_on={**state.residual_on, self.hex: met})


class ResidualRemoved(Change, frozen=True, kw_only=True):
    """All Residual FP comes off the map."""

    says: ClassVar[str] = N_("Residual FP is removed")

    def on(self, state: State) -> State:
        """None left."""
        return replace(state, residual={}, residual_on={})


class Controlled(Change, frozen=True, kw_only=True):
    """A side controls a hex."""

    says: ClassVar[str] = N_("{side} controls {hex}")
    hex: str
    side: Side

    def on(self, state: State) -> State:
        """Under control."""
        return replace(state, control={**state.control, self.hex: self.side})


class HedgeTaken(Change, frozen=True, kw_only=True):
    """A side gains the advantage of a hedge hexside."""

    says: ClassVar[str] = N_("{side} has the hedge advantage at {edge}")
    edge: str
    side: Side

    def on(self, state: State) -> State:
        """Its hedge."""
        hedge = {k: v for k, v in state.hedge.items() if k != self.edge}
        if self.side:
            hedge[self.edge] = self.side
        return replace(state, hedge=hedge)


# Doing


MF_SPENT = N_("{n} MF spent, {total} in all")


class MoverSet(Change, frozen=True, kw_only=True):
    """A move goes on."""

    says: ClassVar[str] = N_("{what}")
    what: str
    mover: Mover | None

    def on(self, state: State) -> State:
        """The move as it stands; what was fired at it is forgotten with it."""
        volleys = state.volleys if self.mover is not None else ()
        return replace(state, mover=self.mover, volleys=volleys)


class MoveBegan(Change, frozen=True, kw_only=True):
    """A unit, its stack or a vehicle begins its MPh."""

    says: ClassVar[str] = N_("{unit} begins its move")
    unit: str
    mover: Mover

    def on(self, state: State) -> State:
        """The move as it begins."""
        return replace(state, mover=self.mover)


class MoveEnded(Change, frozen=True, kw_only=True):
    """Units have ended their MPh."""

    says: ClassVar[str] = N_("{unit} ends its move")
    units: tuple[str, ...]
    over: bool = False
    """Whether nobody else of the group goes on."""

    def on(self, state: State) -> State:
        """Done moving; what was fired at them counts no more for others."""
        for name in self.units:
            state = _any(state, name, done=True)
        return replace(state, volleys=(), mover=None if self.over else state.mover)

    def msg(self) -> Msg:
        """Who has ended."""
        return Msg(self.says, {"unit": self.units})


class RouterSet(Change, frozen=True, kw_only=True):
    """A rout goes on."""

    says: ClassVar[str] = N_("{what}")
    what: str
    router: Router | None

    def on(self, state: State) -> State:
        """The rout as it stands."""
        return replace(state, router=self.router)


class CcSet(Change, frozen=True, kw_only=True):
    """A CC goes on."""

    says: ClassVar[str] = N_("{what}")
    what: str
    cc: CloseCombat | None

    def on(self, state: State) -> State:
        """The CC as it stands."""
        return replace(state, cc=self.cc)


class ObaSet(Change, frozen=True, kw_only=True):
    """A fire mission goes on."""

    says: ClassVar[str] = N_("{what}")
    what: str
    oba: Oba | None

    def on(self, state: State) -> State:
        """The mission as it stands."""
        return replace(state, oba=self.oba)


class Settled(Change, frozen=True, kw_only=True):
    """Something asked once per phase has been answered."""

    says: ClassVar[str] = N_("a choice is made")
    unit: str

    def on(self, state: State) -> State:
        """Remembered."""
        return replace(state, settled=(*state.settled, self.unit))


class HasMoved(UnitChange, frozen=True, kw_only=True):
    """A unit begins to move."""

    what: ClassVar[str] = N_("moves")

    def of(self, one: Unit) -> Unit:
        """Moved."""
        return replace(one, moved=True)


class Rooted(UnitChange, frozen=True, kw_only=True):
    """A unit has turned its Gun and stays where it is."""

    what: ClassVar[str] = N_("may not move this Player Turn")

    def of(self, one: Unit) -> Unit:
        """Remembered."""
        return replace(one, turned=True)


class Joined(UnitChange, frozen=True, kw_only=True):
    """A SMC fights together with a MMC."""

    what: ClassVar[str] = N_("joins")
    mate: str

    def of(self, one: Unit) -> Unit:
        """With its mate."""
        return replace(one, joined=self.mate)


class Winded(UnitChange, frozen=True, kw_only=True):
    """A unit that was CX does not run again in its MPh."""

    what: ClassVar[str] = N_("may not run again this MPh")

    def of(self, one: Unit) -> Unit:
        """Remembered."""
        return replace(one, was_cx=True)


class BreathCaught(UnitChange, frozen=True, kw_only=True):
    """A unit that was CX may run again."""

    what: ClassVar[str] = N_("has caught its breath")

    def of(self, one: Unit) -> Unit:
        """Forgotten."""
        return replace(one, was_cx=False)


class PfUsed(Change, frozen=True, kw_only=True):
    """A Panzerfaust is spent."""

    says: ClassVar[str] = N_("{side} spends a Panzerfaust")
    side: Side

    def on(self, state: State) -> State:
        """One less."""
        left = {**state.pf_left, self.side: state.pf_left.get(self.side, 0) - 1}
        return replace(state, pf_left=left)


class Enlisted(Change, frozen=True, kw_only=True):
    """Counters of the order of battle are laid out."""

    says: ClassVar[str] = N_("the order of battle is laid out")
    units: tuple[Unit, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    vehicles: tuple[Vehicle, ...] = ()

    def on(self, state: State) -> State:
        """With the counters."""
        return replace(
            state,
            units={**state.units, **{u.id: u for u in self.units}},
            weapons={**state.weapons, **{w.id: w for w in self.weapons}},
            vehicles={**state.vehicles, **{v.id: v for v in self.vehicles}},
        )


class Left(Change, frozen=True, kw_only=True):
    """A counter leaves the map alive."""

    says: ClassVar[str] = N_("{unit} leaves the map")
    unit: str

    def on(self, state: State) -> State:
        """Gone."""
        return _any(state, self.unit, place=GONE, hex="")
