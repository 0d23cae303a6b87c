"""Events: every way in which the table changes, and nothing about when it may."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from engine.core.pools import Pool
from engine.core.rules import Event, Side
from engine.core.text import N_, NP_
from engine.warfare.state.state import (
    ABOARD,
    DEAD,
    GONE,
    LEFT,
    MAP,
    READY,
    STEADY,
    TRACK,
    Examination,
    March,
    State,
    Support,
    standing,
)

replace = msgspec.structs.replace


def _unit(state: State, name: str, **changes: Any) -> State:
    units = {**state.units, name: replace(state.units[name], **changes)}
    return replace(state, units=units, at=standing(units))


def _piece(state: State, name: str, **changes: Any) -> State:
    """Change what units and supports have in common; nobody moves."""
    if name in state.units:
        return replace(state, units={**state.units, name: replace(state.units[name], **changes)})
    return _support(state, name, **changes)


def _support(state: State, name: str, **changes: Any) -> State:
    found: Support = replace(state.supports[name], **changes)
    return replace(state, supports={**state.supports, name: found})


def _people(state: State, name: str, **changes: Any) -> State:
    found = replace(state.population[name], **changes)
    return replace(state, population={**state.population, name: found})


def _hidden(state: State, name: str, **changes: Any) -> State:
    found = replace(state.hidden[name], **changes)
    return replace(state, hidden={**state.hidden, name: found})


def _without(values: tuple[str, ...], gone: str) -> tuple[str, ...]:
    return tuple(value for value in values if value != gone)


def _with(values: tuple[str, ...], new: str) -> tuple[str, ...]:
    return tuple(sorted({*values, new}))


class PhaseSet(Event, frozen=True):
    """The set-up, the arrival of reinforcements, the play."""

    says: ClassVar[str] = N_("{phase}")
    phase: str

    def on(self, state: State) -> State:
        """The state after it."""
        return replace(state, phase=self.phase)


class Spent(Event, frozen=True):
    """A cube goes on."""

    says: ClassVar[str] = NP_("{side} spends {n} AP: box {box}", "{side} spends {n} AP: box {box}")
    side: Side
    n: int
    box: int

    def on(self, state: State) -> State:
        """The state after it."""
        cube = state.cubes[self.side]
        moved = replace(cube, position=cube.position + self.n)
        return replace(state, cubes={**state.cubes, self.side: moved})


class ActiveChanged(Event, frozen=True):
    """Another player becomes active."""

    says: ClassVar[str] = N_("{side} is now the active player")
    side: Side

    def on(self, state: State) -> State:
        """The state after it."""
        return replace(state, active=self.side, spotter="")


class TurnEnded(Event, frozen=True):
    """The turn cube goes on."""

    says: ClassVar[str] = N_("turn {turn} is over")
    turn: int

    def on(self, state: State) -> State:
        """The state after it."""
        return replace(state, turn=self.turn + 1)


class SmokeCleared(Event, frozen=True):
    """All smoke goes."""

    says: ClassVar[str] = N_("all smoke is removed")

    def on(self, state: State) -> State:
        """The state after it."""
        return replace(state, smoke=())


class MoraleSet(Event, frozen=True):
    """The morale of a unit or support."""

    says: ClassVar[str] = N_("{unit}: {morale}")
    unit: str
    morale: str
    level: int

    def on(self, state: State) -> State:
        """The state after it."""
        return _piece(state, self.unit, morale=self.level)


class DamageSet(Event, frozen=True):
    """The physical damage of a unit or support."""

    says: ClassVar[str] = N_("{unit}: physical damage {damage}")
    unit: str
    damage: int

    def on(self, state: State) -> State:
        """The state after it."""
        return _piece(state, self.unit, damage=self.damage)


class Eliminated(Event, frozen=True):
    """A unit or support leaves the game."""

    says: ClassVar[str] = N_("{unit} is eliminated")
    unit: str

    def on(self, state: State) -> State:
        """The state after it."""
        if self.unit in state.supports:
            return _support(state, self.unit, place=GONE, overwatch=False)
        return _unit(state, self.unit, place=DEAD, hex="", carrier="", overwatch=False, shown=True)


class OverwatchSet(Event, frozen=True):
    """A red cube is put."""

    says: ClassVar[str] = N_("{unit} goes in overwatch")
    unit: str

    def on(self, state: State) -> State:
        """The state after it."""
        return _piece(state, self.unit, overwatch=True)


class OverwatchLost(Event, frozen=True):
    """A red cube is removed."""

    says: ClassVar[str] = N_("{unit} is no longer in overwatch")
    unit: str

    def on(self, state: State) -> State:
        """The state after it."""
        return _piece(state, self.unit, overwatch=False)


class Shown(Event, frozen=True):
    """The opponent has seen the values of a unit."""

    says: ClassVar[str] = N_("{unit} shows its values: {back}")
    reveals: ClassVar[bool] = True
    unit: str
    back: str

    def on(self, state: State) -> State:
        """The state after it."""
        return _piece(state, self.unit, shown=True)


class Moved(Event, frozen=True):
    """A unit enters a hex."""

    says: ClassVar[str] = N_("{unit} enters {hex}")
    unit: str
    hex: str

    def on(self, state: State) -> State:
        """The state after it."""
        return _unit(state, self.unit, place=MAP, hex=self.hex, carrier="")


class Marched(Event, frozen=True):
    """A unit on the march enters the next hex of its path."""

    says: ClassVar[str] = N_("{unit} enters {hex}")
    unit: str
    hex: str

    def on(self, state: State) -> State:
        """The state after it."""
        state = _unit(state, self.unit, place=MAP, hex=self.hex, carrier="")
        march = state.march
        if march is None:
            return state
        onward = replace(
            march,
            done=(*march.done, self.hex),
            ahead=march.ahead[1:],
            followers=march.followers[1:],
            follower=march.followers[0] if march.followers else "",
            is_reacting=True,
        )
        return replace(state, march=onward)


class Loaded(Event, frozen=True):
    """Infantry goes aboard."""

    says: ClassVar[str] = N_("{unit} goes aboard {carrier}")
    unit: str
    carrier: str

    def on(self, state: State) -> State:
        """The state after it."""
        return _unit(state, self.unit, place=ABOARD, hex="", carrier=self.carrier)


class PeopleMoved(Event, frozen=True):
    """A population marker changes hex, also from aboard."""

    says: ClassVar[str] = N_("population {marker} goes to {hex}")
    marker: str
    hex: str

    def on(self, state: State) -> State:
        """The state after it."""
        return _people(state, self.marker, hex=self.hex, carrier="")


class PeopleLoaded(Event, frozen=True):
    """Civilians go aboard."""

    says: ClassVar[str] = N_("civilians {marker} go aboard {carrier}")
    marker: str
    carrier: str

    def on(self, state: State) -> State:
        """The state after it."""
        return _people(state, self.marker, hex="", carrier=self.carrier)


class PeopleFlipped(Event, frozen=True):
    """A population marker is turned."""

    says: ClassVar[str] = N_("population {marker} in {hex}: {face}")
    marker: str
    hex: str
    face: str

    def on(self, state: State) -> State:
        """The state after it."""
        return _people(state, self.marker, face=self.face)


class PeopleSaved(Event, frozen=True):
    """Civilians reach safety."""

    says: ClassVar[str] = N_("civilians {marker} are saved")
    marker: str

    def on(self, state: State) -> State:
        """The state after it."""
        return _people(state, self.marker, hex="", carrier="", place=LEFT)


class PeopleLost(Event, frozen=True):
    """Civilians die with the vehicle that carries them."""

    says: ClassVar[str] = N_("civilians {marker} are lost")
    marker: str

    def on(self, state: State) -> State:
        """The state after it."""
        return _people(state, self.marker, hex="", carrier="", place=DEAD)


class RoadblockPlaced(Event, frozen=True):
    """A roadblock lies on the map, perhaps in place of the marker that hid it."""

    says: ClassVar[str] = N_("a roadblock in {hex}")
    hex: str
    marker: str = ""

    def on(self, state: State) -> State:
        """The state after it."""
        hidden = {name: h for name, h in state.hidden.items() if name != self.marker}
        return replace(state, roadblocks=_with(state.roadblocks, self.hex), hidden=hidden)


class RoadblockRemoved(Event, frozen=True):
    """A roadblock leaves the map."""

    says: ClassVar[str] = N_("the roadblock in {hex} is removed")
    hex: str

    def on(self, state: State) -> State:
        """The state after it."""
        return replace(state, roadblocks=_without(state.roadblocks, self.hex))


class StockSet(Event, frozen=True):
    """Roadblocks that a player can still place."""

    says: ClassVar[str] = NP_(
        "{side} has {n} roadblock to place", "{side} has {n} roadblocks to place"
    )
    side: Side
    n: int

    def on(self, state: State) -> State:
        """The state after it."""
        return replace(state, stock={**state.stock, self.side: self.n})


class RubblePlaced(Event, frozen=True):
    """A hex is full of rubble."""

    says: ClassVar[str] = N_("rubble in {hex}")
    hex: str

    def on(self, state: State) -> State:
        """The state after it."""
        return replace(state, rubble=_with(state.rubble, self.hex))


class SmokePlaced(Event, frozen=True):
    """Smoke in a hex."""

    says: ClassVar[str] = N_("smoke in {hex}")
    hex: str

    def on(self, state: State) -> State:
        """The state after it."""
        return replace(state, smoke=_with(state.smoke, self.hex))


class SmokeRemoved(Event, frozen=True):
    """Smoke leaves a hex."""

    says: ClassVar[str] = N_("no more smoke in {hex}")
    hex: str

    def on(self, state: State) -> State:
        """The state after it."""
        return replace(state, smoke=_without(state.smoke, self.hex))


class SupportParked(Event, frozen=True):
    """A used support goes on the track, in the box of its owner's cube."""

    says: ClassVar[str] = N_("{support} goes on the track: box {box}")
    support: str
    box: int
    position: int
    turn: int

    def on(self, state: State) -> State:
        """The state after it."""
        return _support(
            state,
            self.support,
            place=TRACK,
            position=self.position,
            turn=self.turn,
            overwatch=False,
        )


class SupportReady(Event, frozen=True):
    """A support can be used."""

    says: ClassVar[str] = N_("{support} is available")
    support: str

    def on(self, state: State) -> State:
        """The state after it."""
        return _support(state, self.support, place=READY)


class SupportWiped(Event, frozen=True):
    """A drone loses its markers."""

    says: ClassVar[str] = N_("{support} loses all its markers")
    support: str

    def on(self, state: State) -> State:
        """The state after it."""
        return _support(state, self.support, morale=STEADY, damage=0)


class SupportTurned(Event, frozen=True):
    """A drone marker shows its other face."""

    says: ClassVar[str] = N_("{support} shows its other face: {back}")
    support: str
    back: str

    def on(self, state: State) -> State:
        """The state after it."""
        return _support(state, self.support, type=self.back)


class SupportFound(Event, frozen=True):
    """A sniper that lay hidden becomes a support of its owner."""

    says: ClassVar[str] = N_("{support} is now available to {side}")
    support: str
    back: str
    side: Side

    def on(self, state: State) -> State:
        """The state after it."""
        made = Support(self.support, self.back, self.side)
        return replace(state, supports={**state.supports, self.support: made})


class MarkersDealt(Event, frozen=True):
    """What lies under each marker of a player, from the set-up on."""

    says: ClassVar[str] = N_("only {owner} knows what lies under its markers")
    owner: Side
    backs: dict[str, str]

    def on(self, state: State) -> State:
        """The state after it."""
        dealt = {name: replace(state.hidden[name], item=item) for name, item in self.backs.items()}
        left = {side: pool for side, pool in state.unseen.items() if side != self.owner}
        return replace(state, hidden={**state.hidden, **dealt}, unseen=left)


class Revealed(Event, frozen=True):
    """A hidden marker is turned up."""

    says: ClassVar[str] = N_("marker {marker} in {hex}: {kind}")
    reveals: ClassVar[bool] = True
    marker: str
    hex: str
    kind: str

    def on(self, state: State) -> State:
        """The state after it."""
        return _hidden(state, self.marker, revealed=True)


class Identified(Event, frozen=True):
    """While odds are computed: one of the backs that a marker may have."""

    says: ClassVar[str] = N_("marker {marker} may be {item}")
    marker: str
    item: str

    def on(self, state: State) -> State:
        """The state after it."""
        owner = state.hidden[self.marker].owner
        pool: Pool = state.unseen[owner].minus(self.item)
        known = _hidden(state, self.marker, item=self.item)
        return replace(known, unseen={**state.unseen, owner: pool})


class MarkerRemoved(Event, frozen=True):
    """A hidden or revealed marker leaves the game."""

    says: ClassVar[str] = N_("marker {marker} is removed")
    marker: str

    def on(self, state: State) -> State:
        """The state after it."""
        rest = {name: h for name, h in state.hidden.items() if name != self.marker}
        return replace(state, hidden=rest)


class Controlled(Event, frozen=True):
    """An objective counts for a player."""

    says: ClassVar[str] = N_("{hex} counts for {side}")
    hex: str
    side: Side

    def on(self, state: State) -> State:
        """The state after it."""
        return replace(state, control={**state.control, self.hex: self.side})


class Delayed(Event, frozen=True):
    """No room for a reinforcement: it waits for the next turn."""

    says: ClassVar[str] = N_("{unit} finds no room and waits for turn {turn}")
    unit: str
    turn: int

    def on(self, state: State) -> State:
        """The state after it."""
        return _unit(state, self.unit, due=self.turn)


class Exited(Event, frozen=True):
    """A unit leaves the map by its edge."""

    says: ClassVar[str] = N_("{unit} leaves the map")
    unit: str

    def on(self, state: State) -> State:
        """The state after it."""
        return _unit(state, self.unit, place=LEFT, hex="", carrier="", overwatch=False)


class SpottingSet(Event, frozen=True):
    """Whose next artillery attack counts as observed."""

    says: ClassVar[str] = N_("drones observe for {side}")
    side: Side

    def on(self, state: State) -> State:
        """The state after it."""
        return replace(state, spotter=self.side)


class MoodSet(Event, frozen=True):
    """The mood of the solo opponent."""

    says: ClassVar[str] = N_("mood of {side}: {mood}")
    side: Side
    mood: str

    def on(self, state: State) -> State:
        """The state after it."""
        return replace(state, moods={**state.moods, self.side: self.mood})


class MarchSet(Event, frozen=True):
    """A movement begins, goes on or ends."""

    says: ClassVar[str] = N_("{unit} is on its way")
    unit: str
    march: March | None

    def on(self, state: State) -> State:
        """The state after it."""
        return replace(state, march=self.march)


class Examined(Event, frozen=True):
    """A marker has been examined and its owner is asked; or the owner has answered."""

    says: ClassVar[str] = N_("{unit} examines a marker")
    unit: str
    examination: Examination | None

    def on(self, state: State) -> State:
        """The state after it."""
        return replace(state, examination=self.examination)


class ScenarioBuilt(Event, frozen=True):
    """The generator has built a scenario: its table replaces the empty one."""

    says: ClassVar[str] = N_("scenario {scenario} is laid out")
    scenario: str
    table: State

    def on(self, state: State) -> State:
        """The state after it."""
        return self.table
