"""What befalls a vehicle: its crew, its engine, its weapons, its facing (7.0).

Like all events these know no rules. Each is told by the vehicle and one word, without its details.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec

from engine.aslsk.state.events import Change
from engine.aslsk.state.state import (
    NOTHING,
    OUT,
    PLUS_ONE,
    PREP,
    SHOCK,
    STUN,
    UK,
    Hold,
    State,
    Vehicle,
)
from engine.core.text import N_, Msg

replace = msgspec.structs.replace

JAMMED, DISABLED = "broken", "disabled"
"""What can be wrong with a MA."""


class VehicleChange(Change, frozen=True, kw_only=True):
    """Something befalls a vehicle."""

    says: ClassVar[str] = N_("{vehicle}: {what}")
    what: ClassVar[str]
    vehicle: str

    def msg(self) -> Msg:
        """Which vehicle, and what befalls it."""
        return Msg(self.says, {"vehicle": self.vehicle, "what": self.what})

    def on(self, state: State) -> State:
        """With the vehicle as it is now."""
        v = state.vehicles.get(self.vehicle)
        if v is None:
            return state
        return replace(state, vehicles={**state.vehicles, self.vehicle: self.of(v)})

    def of(self, v: Vehicle) -> Vehicle:
        """The vehicle after the event."""
        raise NotImplementedError


# Setting up and facing


class Parked(VehicleChange, frozen=True, kw_only=True):
    """It is set up, pointing somewhere, open or shut."""

    what: ClassVar[str] = N_("set up")
    spine: int
    ce: bool

    def of(self, v: Vehicle) -> Vehicle:
        """Hull and turret in line."""
        return replace(v, vca=self.spine, tca=self.spine, crew=replace(v.crew, ce=self.ce))


class MissedEntry(VehicleChange, frozen=True, kw_only=True):
    """It has not come onto the map in time."""

    what: ClassVar[str] = N_("did not enter in time")

    def of(self, v: Vehicle) -> Vehicle:
        """Out of the game."""
        return replace(v, place=OUT, hex="")


class HullTurned(VehicleChange, frozen=True, kw_only=True):
    """The hull points elsewhere, and the turret with it or not; the target is lost."""

    what: ClassVar[str] = N_("VCA changes")
    vca: int
    tca: int

    def of(self, v: Vehicle) -> Vehicle:
        """Turned."""
        return replace(v, vca=self.vca, tca=self.tca, hold=v.hold.lapsed)


class TurretTurned(VehicleChange, frozen=True, kw_only=True):
    """The turret points elsewhere; the target is lost."""

    what: ClassVar[str] = N_("TCA changes")
    tca: int

    def of(self, v: Vehicle) -> Vehicle:
        """Turned."""
        return replace(v, tca=self.tca, hold=v.hold.lapsed)


class HullSwung(VehicleChange, frozen=True, kw_only=True):
    """The hull turns by some hexspines, and the turret with it, to fire a weapon."""

    what: ClassVar[str] = N_("VCA changes")
    gap: int
    turns: int
    swung: tuple[str, ...]

    def of(self, v: Vehicle) -> Vehicle:
        """Turned; those of `swung` have paid for it."""
        return replace(
            v,
            vca=(v.vca + self.gap) % 6,
            tca=(v.tca + self.gap) % 6,
            turned=v.turned + 1,
            marks=replace(v.marks, hull_swing=self.turns, swung=self.swung),
        )


class TurretSwung(VehicleChange, frozen=True, kw_only=True):
    """The turret turns by some hexspines to fire a weapon."""

    what: ClassVar[str] = N_("TCA changes")
    gap: int
    turns: int
    swung: tuple[str, ...]

    def of(self, v: Vehicle) -> Vehicle:
        """Turned; those of `swung` have paid for it."""
        return replace(
            v,
            tca=(v.tca + self.gap) % 6,
            marks=replace(v.marks, swing=self.turns, swung=self.swung),
        )


class SwingPaid(VehicleChange, frozen=True, kw_only=True):
    """A weapon pays for the turn that another has made its mount take."""

    what: ClassVar[str] = N_("change of CA")
    part: str

    def of(self, v: Vehicle) -> Vehicle:
        """Paid."""
        return replace(v, marks=replace(v.marks, swung=(*v.marks.swung, self.part)))


# Moving


class VehicleMoveBegan(VehicleChange, frozen=True, kw_only=True):
    """Its MPh begins; out of Motion it is running already."""

    what: ClassVar[str] = N_("begins its MPh")

    def of(self, v: Vehicle) -> Vehicle:
        """Motion becomes movement."""
        return replace(
            v,
            marks=replace(
                v.marks, running=v.drive.motion, moving=v.drive.motion or v.marks.moving, moved=True
            ),
            drive=replace(v.drive, motion=False),
        )


class Started(VehicleChange, frozen=True, kw_only=True):
    """It gets going."""

    what: ClassVar[str] = N_("Start")

    def of(self, v: Vehicle) -> Vehicle:
        """Running."""
        return replace(v, marks=replace(v.marks, running=True))


class Stopped(VehicleChange, frozen=True, kw_only=True):
    """It spends a MP to stop."""

    what: ClassVar[str] = N_("Stop")

    def of(self, v: Vehicle) -> Vehicle:
        """Standing."""
        return replace(v, marks=replace(v.marks, running=False))


class Halted(VehicleChange, frozen=True, kw_only=True):
    """It stands still at the end, whether it likes or not."""

    what: ClassVar[str] = N_("stops")

    def of(self, v: Vehicle) -> Vehicle:
        """Standing."""
        return replace(v, marks=replace(v.marks, running=False))


class BecameMovingTarget(VehicleChange, frozen=True, kw_only=True):
    """It has entered a hex, and loses its target."""

    what: ClassVar[str] = N_("is a moving target")

    def of(self, v: Vehicle) -> Vehicle:
        """Moving."""
        return replace(v, marks=replace(v.marks, moving=True), hold=v.hold.lapsed)


class EndedInMotion(VehicleChange, frozen=True, kw_only=True):
    """It ends its MPh running."""

    what: ClassVar[str] = N_("Motion")

    def of(self, v: Vehicle) -> Vehicle:
        """In Motion."""
        return replace(
            v,
            drive=replace(v.drive, motion=True),
            marks=replace(v.marks, running=False, moving=True),
        )


class MotionTried(VehicleChange, frozen=True, kw_only=True):
    """It has made its attempt at Motion."""

    what: ClassVar[str] = N_("tries Motion")

    def of(self, v: Vehicle) -> Vehicle:
        """Tried."""
        return replace(v, marks=replace(v.marks, tried=True))


class MotionGained(VehicleChange, frozen=True, kw_only=True):
    """It gains Motion in the enemy MPh, and may turn freely."""

    what: ClassVar[str] = N_("Motion")
    vca: int
    tca: int
    acquired: int

    def of(self, v: Vehicle) -> Vehicle:
        """In Motion."""
        return replace(
            v,
            vca=self.vca,
            tca=self.tca,
            drive=replace(v.drive, motion=True),
            hold=replace(v.hold, acquired=self.acquired),
        )


class SmokeTried(VehicleChange, frozen=True, kw_only=True):
    """It has made its attempt at smoke."""

    what: ClassVar[str] = N_("tries smoke")

    def of(self, v: Vehicle) -> Vehicle:
        """Tried."""
        return replace(v, marks=replace(v.marks, smoked=True))


class Bogged(VehicleChange, frozen=True, kw_only=True):
    """It is stuck."""

    what: ClassVar[str] = N_("bogged")

    def of(self, v: Vehicle) -> Vehicle:
        """Standing."""
        return replace(
            v,
            drive=replace(v.drive, bogged=True, motion=False),
            marks=replace(v.marks, running=False),
        )


class Mired(VehicleChange, frozen=True, kw_only=True):
    """It is stuck for good, or nearly."""

    what: ClassVar[str] = N_("Mired")

    def of(self, v: Vehicle) -> Vehicle:
        """Mired."""
        return replace(v, drive=replace(v.drive, mired=True))


class Freed(VehicleChange, frozen=True, kw_only=True):
    """It is stuck no more."""

    what: ClassVar[str] = N_("is free")

    def of(self, v: Vehicle) -> Vehicle:
        """Running."""
        return replace(
            v,
            drive=replace(v.drive, bogged=False, mired=False),
            marks=replace(v.marks, running=True),
        )


class Immobilized(VehicleChange, frozen=True, kw_only=True):
    """It moves no more."""

    what: ClassVar[str] = N_("Immobilized")

    def of(self, v: Vehicle) -> Vehicle:
        """Standing."""
        return replace(
            v,
            drive=replace(v.drive, immobilized=True, motion=False),
            marks=replace(v.marks, running=False),
        )


# The crew


class HatchOpened(VehicleChange, frozen=True, kw_only=True):
    """The crew looks out."""

    what: ClassVar[str] = N_("CE")

    def of(self, v: Vehicle) -> Vehicle:
        """CE."""
        return replace(v, changed=True, crew=replace(v.crew, ce=True))


class HatchClosed(VehicleChange, frozen=True, kw_only=True):
    """The crew shuts itself in."""

    what: ClassVar[str] = N_("BU")

    def of(self, v: Vehicle) -> Vehicle:
        """BU."""
        return replace(v, changed=True, crew=replace(v.crew, ce=False))


class DrivenInside(VehicleChange, frozen=True, kw_only=True):
    """Fire makes the crew shut itself in for this Player Turn."""

    what: ClassVar[str] = N_("BU")

    def of(self, v: Vehicle) -> Vehicle:
        """BU."""
        return replace(v, crew=replace(v.crew, ce=False), marks=replace(v.marks, shut=True))


class Shocked(VehicleChange, frozen=True, kw_only=True):
    """The crew can do nothing at all."""

    what: ClassVar[str] = N_("Shock")

    def of(self, v: Vehicle) -> Vehicle:
        """Shut and standing."""
        return replace(
            v,
            crew=replace(v.crew, shock=SHOCK, ce=False),
            marks=replace(v.marks, shut=True, running=False),
            drive=replace(v.drive, motion=False),
        )


class ShockLasts(VehicleChange, frozen=True, kw_only=True):
    """Nobody knows what has become of the crew."""

    what: ClassVar[str] = UK

    def of(self, v: Vehicle) -> Vehicle:
        """UK."""
        return replace(v, crew=replace(v.crew, shock=UK))


class ShockPassed(VehicleChange, frozen=True, kw_only=True):
    """The crew recovers."""

    what: ClassVar[str] = N_("recovers from Shock")

    def of(self, v: Vehicle) -> Vehicle:
        """As if nothing had happened."""
        return replace(v, crew=replace(v.crew, shock=""))


class Stunned(VehicleChange, frozen=True, kw_only=True):
    """The crew is stunned for this Player Turn."""

    what: ClassVar[str] = N_("Stun")

    def of(self, v: Vehicle) -> Vehicle:
        """Shut and standing."""
        return replace(
            v,
            crew=replace(v.crew, stun=STUN, ce=False),
            marks=replace(v.marks, shut=True, running=False),
            drive=replace(v.drive, motion=False),
        )


class StunnedAndRecalled(VehicleChange, frozen=True, kw_only=True):
    """The crew is stunned and must leave the map."""

    what: ClassVar[str] = N_("STUN and Recall")

    def of(self, v: Vehicle) -> Vehicle:
        """Shut, standing and recalled."""
        return replace(
            v,
            recall=True,
            crew=replace(v.crew, stun=STUN, ce=False),
            marks=replace(v.marks, shut=True, running=False),
            drive=replace(v.drive, motion=False),
        )


class StunPassed(VehicleChange, frozen=True, kw_only=True):
    """A Stun leaves a +1 behind."""

    what: ClassVar[str] = PLUS_ONE

    def of(self, v: Vehicle) -> Vehicle:
        """With a +1."""
        return replace(v, crew=replace(v.crew, stun="", plus=True))


class AttackedInCc(VehicleChange, frozen=True, kw_only=True):
    """Infantry has attacked it in CC."""

    what: ClassVar[str] = N_("is attacked in CC")

    def of(self, v: Vehicle) -> Vehicle:
        """Remembered."""
        return replace(v, marks=replace(v.marks, attacked=True))


# Its end


class Wrecked(VehicleChange, frozen=True, kw_only=True):
    """It is destroyed; the wreck of a moving one is fresh for this Player Turn."""

    what: ClassVar[str] = N_("is eliminated: wreck")

    def of(self, v: Vehicle) -> Vehicle:
        """A wreck."""
        return replace(
            v,
            wreck=True,
            marks=replace(v.marks, fresh_wreck=v.marks.moving or v.is_non_stopped, running=False),
            crew=replace(v.crew, ce=False, shock="", stun=""),
            drive=replace(v.drive, motion=False),
            hold=v.hold.lapsed,
        )


class Abandoned(VehicleChange, frozen=True, kw_only=True):
    """Its crew never recovers from Shock."""

    what: ClassVar[str] = N_("becomes a wreck")

    def of(self, v: Vehicle) -> Vehicle:
        """A wreck."""
        return replace(v, wreck=True, crew=replace(v.crew, shock=""))


# Its weapons


class TargetAcquired(VehicleChange, frozen=True, kw_only=True):
    """The acquired target of its MA changes."""

    what: ClassVar[str] = N_("acquisition")
    hold: Hold

    def of(self, v: Vehicle) -> Vehicle:
        """With that target."""
        return replace(v, hold=self.hold)


class PartFired(VehicleChange, frozen=True, kw_only=True):
    """A weapon of a vehicle has fired; `hex` is where, if others must fire from there too."""

    what: ClassVar[str] = N_("has fired")
    part: str
    phase: str
    hex: str = ""
    forgets: bool = False

    def of(self, v: Vehicle) -> Vehicle:
        """Fired; the first shot of a Player Turn sets its phase and hex."""
        marks = v.marks
        marks = replace(
            marks,
            fired=marks.fired if self.part in marks.fired else (*marks.fired, self.part),
            fire_phase=marks.fire_phase or self.phase,
            fire_hex=marks.fire_hex or self.hex,
        )
        fired = replace(v, marks=marks)
        return replace(fired, hold=NOTHING) if self.forgets else fired


class IfeFired(PartFired, frozen=True, kw_only=True):
    """The MA has fired on the IFT: its fire counter, and whether it keeps its ROF."""

    marker: str
    kept: bool

    def of(self, v: Vehicle) -> Vehicle:
        """Fired and marked."""
        fired = super().of(v)
        return replace(fired, marks=replace(fired.marks, fire=self.marker, kept=self.kept))


class MaFired(IfeFired, frozen=True, kw_only=True):
    """The MA has fired with a To Hit DR."""

    what: ClassVar[str] = N_("the MA has fired")


class RofForgone(VehicleChange, frozen=True, kw_only=True):
    """A ROF that was kept is not used: the MA counts as having fired in the PFPh."""

    what: ClassVar[str] = PREP

    def of(self, v: Vehicle) -> Vehicle:
        """Marked."""
        return replace(v, marks=replace(v.marks, fire=PREP, kept=False))


class VehicleAmmoSpent(VehicleChange, frozen=True, kw_only=True):
    """Special ammunition of the MA is used up."""

    what: ClassVar[str] = N_("its special ammunition is spent")
    ammo: str

    def of(self, v: Vehicle) -> Vehicle:
        """Without it."""
        return replace(v, arms=replace(v.arms, out_of=(*v.arms.out_of, self.ammo)))


class LowOnAmmo(VehicleChange, frozen=True, kw_only=True):
    """The MA is low on ammunition."""

    what: ClassVar[str] = N_("Low Ammo")

    def of(self, v: Vehicle) -> Vehicle:
        """Low."""
        return replace(v, arms=replace(v.arms, low=True))


class MaJammed(VehicleChange, frozen=True, kw_only=True):
    """The MA malfunctions."""

    what: ClassVar[str] = N_("MA malfunctions")

    def of(self, v: Vehicle) -> Vehicle:
        """Malfunctioned."""
        return replace(v, arms=replace(v.arms, ma=JAMMED))


class MaLost(VehicleChange, frozen=True, kw_only=True):
    """The MA is out of action for good, and the vehicle must leave the map."""

    what: ClassVar[str] = N_("MA lost: Recall")

    def of(self, v: Vehicle) -> Vehicle:
        """Disabled and recalled."""
        return replace(v, recall=True, arms=replace(v.arms, ma=DISABLED))


class MaDisabled(MaLost, frozen=True, kw_only=True):
    """The repair of the MA fails for good."""

    what: ClassVar[str] = N_("MA disabled: Recall")


class MaRepaired(VehicleChange, frozen=True, kw_only=True):
    """The MA works again."""

    what: ClassVar[str] = N_("MA repaired")

    def of(self, v: Vehicle) -> Vehicle:
        """Working."""
        return replace(v, arms=replace(v.arms, ma=""))


class MgJammed(VehicleChange, frozen=True, kw_only=True):
    """A MG of a vehicle malfunctions."""

    what: ClassVar[str] = N_("MG malfunctions")
    part: str

    def of(self, v: Vehicle) -> Vehicle:
        """Malfunctioned."""
        return replace(v, arms=replace(v.arms, broken=(*v.arms.broken, self.part)))


class MgRepaired(VehicleChange, frozen=True, kw_only=True):
    """A MG of a vehicle works again."""

    what: ClassVar[str] = N_("MG repaired")
    part: str

    def of(self, v: Vehicle) -> Vehicle:
        """Working."""
        return replace(
            v, arms=replace(v.arms, broken=tuple([mg for mg in v.arms.broken if mg != self.part]))
        )


class MgDisabled(VehicleChange, frozen=True, kw_only=True):
    """The repair of a MG fails for good."""

    what: ClassVar[str] = N_("MG disabled")
    part: str

    def of(self, v: Vehicle) -> Vehicle:
        """Lost."""
        left = tuple([mg for mg in v.arms.broken if mg != self.part])
        return replace(v, arms=replace(v.arms, broken=left, lost=(*v.arms.lost, self.part)))
