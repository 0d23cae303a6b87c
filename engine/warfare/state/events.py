"""Events: every way in which the table changes, and nothing about when it may."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import msgspec

from engine.core.pools import Pool
from engine.core.rules import Event, Side
from engine.core.text import N_, NP_
from engine.warfare.state.state import (
    ABOARD,
    BOXES,
    CIVILIANS,
    CROWD,
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
    Unit,
    standing,
)

replace = msgspec.structs.replace


class PhaseSet(Event, frozen=True):
    """The set-up, the arrival of reinforcements, the play."""

    says: ClassVar[str] = N_("{phase}")
    phase: str


class Spent(Event, frozen=True):
    """A cube goes on."""

    says: ClassVar[str] = NP_("{side} spends {n} AP: box {box}", "{side} spends {n} AP: box {box}")
    side: Side
    n: int
    box: int


class ActiveChanged(Event, frozen=True):
    """Another player becomes active."""

    says: ClassVar[str] = N_("{side} is now the active player")
    side: Side


class TurnEnded(Event, frozen=True):
    """The turn cube goes on."""

    says: ClassVar[str] = N_("turn {turn} is over")
    turn: int


class SmokeCleared(Event, frozen=True):
    """All smoke goes."""

    says: ClassVar[str] = N_("all smoke is removed")


class MoraleSet(Event, frozen=True):
    """The morale of a unit or support."""

    says: ClassVar[str] = N_("{unit}: {morale}")
    unit: str
    morale: str
    level: int


class DamageSet(Event, frozen=True):
    """The physical damage of a unit or support."""

    says: ClassVar[str] = N_("{unit}: physical damage {damage}")
    unit: str
    damage: int


class Eliminated(Event, frozen=True):
    """A unit or support leaves the game."""

    says: ClassVar[str] = N_("{unit} is eliminated")
    unit: str


class OverwatchSet(Event, frozen=True):
    """A red cube is put."""

    says: ClassVar[str] = N_("{unit} goes in overwatch")
    unit: str


class OverwatchLost(Event, frozen=True):
    """A red cube is removed."""

    says: ClassVar[str] = N_("{unit} is no longer in overwatch")
    unit: str


class Shown(Event, frozen=True):
    """The opponent has seen the values of a unit."""

    says: ClassVar[str] = N_("{unit} shows its values: {back}")
    reveals: ClassVar[bool] = True
    unit: str
    back: str


class Moved(Event, frozen=True):
    """A unit enters a hex."""

    says: ClassVar[str] = N_("{unit} enters {hex}")
    unit: str
    hex: str


class Marched(Event, frozen=True):
    """A unit on the march enters the next hex of its path."""

    says: ClassVar[str] = N_("{unit} enters {hex}")
    unit: str
    hex: str


class Loaded(Event, frozen=True):
    """Infantry goes aboard."""

    says: ClassVar[str] = N_("{unit} goes aboard {carrier}")
    unit: str
    carrier: str


class PeopleMoved(Event, frozen=True):
    """A population marker changes hex, also from aboard."""

    says: ClassVar[str] = N_("population {marker} goes to {hex}")
    marker: str
    hex: str


class PeopleLoaded(Event, frozen=True):
    """Civilians go aboard."""

    says: ClassVar[str] = N_("civilians {marker} go aboard {carrier}")
    marker: str
    carrier: str


class PeopleFlipped(Event, frozen=True):
    """A population marker is turned."""

    says: ClassVar[str] = N_("population {marker} in {hex}: {face}")
    marker: str
    hex: str
    face: str


class PeopleSaved(Event, frozen=True):
    """Civilians reach safety."""

    says: ClassVar[str] = N_("civilians {marker} are saved")
    marker: str


class PeopleLost(Event, frozen=True):
    """Civilians die with the vehicle that carries them."""

    says: ClassVar[str] = N_("civilians {marker} are lost")
    marker: str


class RoadblockPlaced(Event, frozen=True):
    """A roadblock lies on the map."""

    says: ClassVar[str] = N_("a roadblock in {hex}")
    hex: str


class RoadblockRemoved(Event, frozen=True):
    """A roadblock leaves the map."""

    says: ClassVar[str] = N_("the roadblock in {hex} is removed")
    hex: str


class StockSet(Event, frozen=True):
    """Roadblocks that a player can still place."""

    says: ClassVar[str] = NP_(
        "{side} has {n} roadblock to place", "{side} has {n} roadblocks to place"
    )
    side: Side
    n: int


class RubblePlaced(Event, frozen=True):
    """A hex is full of rubble."""

    says: ClassVar[str] = N_("rubble in {hex}")
    hex: str


class SmokePlaced(Event, frozen=True):
    """Smoke in a hex."""

    says: ClassVar[str] = N_("smoke in {hex}")
    hex: str


class SmokeRemoved(Event, frozen=True):
    """Smoke leaves a hex."""

    says: ClassVar[str] = N_("no more smoke in {hex}")
    hex: str


class SupportParked(Event, frozen=True):
    """A used support goes on the track, in the box of its owner's cube."""

    says: ClassVar[str] = N_("{support} goes on the track: box {box}")
    support: str
    box: int
    position: int
    turn: int


class SupportReady(Event, frozen=True):
    """A support can be used."""

    says: ClassVar[str] = N_("{support} is available")
    support: str


class SupportWiped(Event, frozen=True):
    """A drone loses its markers."""

    says: ClassVar[str] = N_("{support} loses all its markers")
    support: str


class SupportTurned(Event, frozen=True):
    """A drone marker shows its other face."""

    says: ClassVar[str] = N_("{support} shows its other face: {back}")
    support: str
    back: str


class SupportFound(Event, frozen=True):
    """A sniper that lay hidden becomes a support of its owner."""

    says: ClassVar[str] = N_("{support} is now available to {side}")
    support: str
    back: str
    side: Side


class Revealed(Event, frozen=True):
    """A hidden marker is turned up."""

    says: ClassVar[str] = N_("marker {marker} in {hex}: {kind}")
    reveals: ClassVar[bool] = True
    marker: str
    hex: str
    kind: str


class Identified(Event, frozen=True):
    """While odds are computed: one of the backs that a marker may have."""

    says: ClassVar[str] = N_("marker {marker} may be {item}")
    marker: str
    item: str


class MarkerRemoved(Event, frozen=True):
    """A hidden or revealed marker leaves the game."""

    says: ClassVar[str] = N_("marker {marker} is removed")
    marker: str


class Controlled(Event, frozen=True):
    """An objective counts for a player."""

    says: ClassVar[str] = N_("{hex} counts for {side}")
    hex: str
    side: Side


class Delayed(Event, frozen=True):
    """No room for a reinforcement: it waits for the next turn."""

    says: ClassVar[str] = N_("{unit} finds no room and waits for turn {turn}")
    unit: str
    turn: int


class Exited(Event, frozen=True):
    """A unit leaves the map by its edge."""

    says: ClassVar[str] = N_("{unit} leaves the map")
    unit: str


class SpottingSet(Event, frozen=True):
    """Whose next artillery attack counts as observed."""

    says: ClassVar[str] = N_("drones observe for {side}")
    side: Side


class MoodSet(Event, frozen=True):
    """The mood of the solo opponent."""

    says: ClassVar[str] = N_("mood of {side}: {mood}")
    side: Side
    mood: str


class MarchSet(Event, frozen=True):
    """A movement begins, goes on or ends."""

    says: ClassVar[str] = N_("{unit} is on its way")
    unit: str
    march: March | None


class Examined(Event, frozen=True):
    """A marker has been examined and its owner is asked; or the owner has answered."""

    says: ClassVar[str] = N_("{unit} examines a marker")
    unit: str
    examination: Examination | None


class ScenarioBuilt(Event, frozen=True):
    """The generator has built a scenario: its table replaces the empty one."""

    says: ClassVar[str] = N_("scenario {scenario} is laid out")
    scenario: str
    table: State


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


def _spent(state: State, event: Spent) -> State:
    cube = state.cubes[event.side]
    moved = replace(cube, position=cube.position + event.n)
    return replace(state, cubes={**state.cubes, event.side: moved})


def _turn_ended(state: State, event: TurnEnded) -> State:
    return replace(state, turn=event.turn + 1)


def _gone(state: State, event: Eliminated) -> State:
    if event.unit in state.supports:
        return _support(state, event.unit, place=GONE, overwatch=False)
    return _unit(state, event.unit, place=DEAD, hex="", carrier="", overwatch=False, shown=True)


def _moved(state: State, event: Moved) -> State:
    one: Unit = state.units[event.unit]
    if one.place == MAP:
        units = {**state.units, event.unit: replace(one, hex=event.hex)}
        return replace(state, units=units, at=standing(units))
    return _unit(state, event.unit, place=MAP, hex=event.hex, carrier="")


def _marched(state: State, event: Marched) -> State:
    state = _moved(state, Moved(unit=event.unit, hex=event.hex))
    march = state.march
    if march is None:
        return state
    onward = replace(
        march,
        done=(*march.done, event.hex),
        ahead=march.ahead[1:],
        followers=march.followers[1:],
        follower=march.followers[0] if march.followers else "",
        is_reacting=True,
    )
    return replace(state, march=onward)


def _people_moved(state: State, event: PeopleMoved) -> State:
    return _people(state, event.marker, hex=event.hex, carrier="")


def _parked(state: State, event: SupportParked) -> State:
    return _support(
        state,
        event.support,
        place=TRACK,
        position=event.position,
        turn=event.turn,
        overwatch=False,
    )


def _found(state: State, event: SupportFound) -> State:
    made = Support(event.support, event.back, event.side)
    return replace(state, supports={**state.supports, event.support: made})


def _identified(state: State, event: Identified) -> State:
    owner = state.hidden[event.marker].owner
    pool: Pool = state.unseen[owner].minus(event.item)
    known = _hidden(state, event.marker, item=event.item)
    return replace(known, unseen={**state.unseen, owner: pool})


def _removed(state: State, event: MarkerRemoved) -> State:
    rest = {name: h for name, h in state.hidden.items() if name != event.marker}
    return replace(state, hidden=rest)


def _built(state: State, event: ScenarioBuilt) -> State:
    return event.table


_REDUCE: dict[type[Event], Callable[[State, Any], State]] = {
    PhaseSet: lambda s, e: replace(s, phase=e.phase),
    Spent: _spent,
    ActiveChanged: lambda s, e: replace(s, active=e.side, spotter=""),
    TurnEnded: _turn_ended,
    SmokeCleared: lambda s, e: replace(s, smoke=()),
    MoraleSet: lambda s, e: _piece(s, e.unit, morale=e.level),
    DamageSet: lambda s, e: _piece(s, e.unit, damage=e.damage),
    Eliminated: _gone,
    OverwatchSet: lambda s, e: _piece(s, e.unit, overwatch=True),
    OverwatchLost: lambda s, e: _piece(s, e.unit, overwatch=False),
    Shown: lambda s, e: _piece(s, e.unit, shown=True),
    Moved: _moved,
    Marched: _marched,
    Loaded: lambda s, e: _unit(s, e.unit, place=ABOARD, hex="", carrier=e.carrier),
    PeopleMoved: _people_moved,
    PeopleLoaded: lambda s, e: _people(s, e.marker, hex="", carrier=e.carrier),
    PeopleFlipped: lambda s, e: _people(s, e.marker, face=e.face),
    PeopleSaved: lambda s, e: _people(s, e.marker, hex="", carrier="", place=LEFT),
    PeopleLost: lambda s, e: _people(s, e.marker, hex="", carrier="", place=DEAD),
    RoadblockPlaced: lambda s, e: replace(s, roadblocks=_with(s.roadblocks, e.hex)),
    RoadblockRemoved: lambda s, e: replace(s, roadblocks=_without(s.roadblocks, e.hex)),
    StockSet: lambda s, e: replace(s, stock={**s.stock, e.side: e.n}),
    RubblePlaced: lambda s, e: replace(s, rubble=_with(s.rubble, e.hex)),
    SmokePlaced: lambda s, e: replace(s, smoke=_with(s.smoke, e.hex)),
    SmokeRemoved: lambda s, e: replace(s, smoke=_without(s.smoke, e.hex)),
    SupportParked: _parked,
    SupportReady: lambda s, e: _support(s, e.support, place=READY),
    SupportWiped: lambda s, e: _support(s, e.support, morale=STEADY, damage=0),
    SupportTurned: lambda s, e: _support(s, e.support, type=e.back),
    SupportFound: _found,
    Revealed: lambda s, e: _hidden(s, e.marker, revealed=True),
    Identified: _identified,
    MarkerRemoved: _removed,
    Controlled: lambda s, e: replace(s, control={**s.control, e.hex: e.side}),
    Delayed: lambda s, e: _unit(s, e.unit, due=e.turn),
    Exited: lambda s, e: _unit(s, e.unit, place=LEFT, hex="", carrier="", overwatch=False),
    SpottingSet: lambda s, e: replace(s, spotter=e.side),
    MoodSet: lambda s, e: replace(s, moods={**s.moods, e.side: e.mood}),
    MarchSet: lambda s, e: replace(s, march=e.march),
    Examined: lambda s, e: replace(s, examination=e.examination),
    ScenarioBuilt: _built,
}


def reduce(state: State, event: Event) -> State:
    """The state after an event."""
    return _REDUCE[type(event)](state, event)


def box_after(position: int) -> int:
    """The box of a position on the track."""
    return BOXES - position % BOXES


OTHER_FACE = {CROWD: CIVILIANS, CIVILIANS: CROWD}
