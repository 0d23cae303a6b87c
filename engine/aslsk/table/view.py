"""What a side sees: counters, markers, tracks, and facts that a good player keeps in mind.

Refs: 1.2, 3.1.a, 3.2.1.declare, 6.4, 6.10, 7.10.recall.
"""

from __future__ import annotations

import msgspec

from engine.aslsk.rules.guns import hiding_places
from engine.aslsk.rules.morale import level
from engine.aslsk.rules.sight import SUPPOSED, is_los_free
from engine.aslsk.rules.vehicles import friendly_edge
from engine.aslsk.rules.victory import conditions, held, is_reached
from engine.aslsk.state.ground import Ground
from engine.aslsk.state.state import (
    MAP,
    OUT,
    POOL,
    Mover,
    Router,
    State,
    Unit,
    Vehicle,
    Weapon,
    where,
)
from engine.aslsk.state.tables import Victory
from engine.core.index import indexed
from engine.core.rules import Side
from engine.core.text import N_, Fact, msg
from engine.core.title import Pick
from engine.core.view import CounterView, Hand, Mark, Place, Track, View

replace = msgspec.structs.replace
UNKNOWN = "?"


class SkView(View, frozen=True):
    """The table, and everything public that a bot would work out from it."""

    attacker: Side = ""
    turn: int = 1
    turns: int = 1
    step: str = ""
    belief: State | None = None
    mover: Mover | None = None
    router: Router | None = None
    control: dict[str, Side] = {}
    goal: int = 0
    wanted: int = 0
    reached: bool = False
    lost: dict[Side, int] = {}


def view(state: State, side: Side) -> SkView:
    """The table from a side's chair."""
    known = belief(state, side)
    goal = conditions(state)
    phase = msg(N_("{phase}"), phase=state.phase)
    return SkView(
        side=side,
        phase=phase,
        board=state.ground.board,
        counters=_counters(known),
        marks=_marks(state),
        tracks=_tracks(state),
        hands=_hands(state, side),
        places=_places(state),
        attacker=state.attacker,
        turn=state.turn,
        turns=state.turns,
        step=state.step,
        belief=known,
        mover=state.mover,
        router=state.router,
        control=state.control,
        goal=held(known, goal.side, goal.hexes) if goal is not None else 0,
        wanted=goal.needed if goal is not None else 0,
        reached=is_reached(known, goal) if goal is not None else False,
        lost=state.lost,
    )


@indexed(keep=2)
def _counters(state: State) -> tuple[CounterView, ...]:
    """Everything that lies on the table or beside it."""
    field, moving = state.ground, state.mover.units if state.mover is not None else ()
    counters = [
        _person(u, field, level(state, u), u.id in moving)
        for u in state.units.values()
        if u.place != OUT
    ]
    counters += [
        _weapon(w, field, _lies_in(state, w)) for w in state.weapons.values() if w.place != OUT
    ]
    counters += [_vehicle(v, field) for v in state.vehicles.values() if v.place != OUT]
    return tuple([one for one in counters if one.place != UNKNOWN])


def _places(state: State) -> tuple[Place, ...]:
    """The off-board hexes of every edge by which somebody enters or leaves (3.1.a, 7.10.recall)."""
    rims = state.ground.rims
    movers: list[Unit | Vehicle] = [*state.units.values(), *state.vehicles.values()]
    used = {one.entry.partition(" ")[2] for one in movers if one.entry[:1].isdigit()}
    used |= {friendly_edge(state, one.side) for one in state.vehicles.values() if one.recall}
    here = {one.hex for one in movers}
    used |= {edge for edge, rim in rims.items() if any(place.id in here for place in rim)}
    return tuple([place for edge, rim in rims.items() if edge in used for place in rim])


@indexed(keep=256)
def _person(u: Unit, field: Ground, morale: int, is_moving: bool) -> CounterView:
    data = u.data
    flags = (
        (N_("broken"), u.broken),
        ("DM", u.dm),
        (N_("pinned"), u.pinned),
        ("CX", u.cx),
        (N_("wounded"), u.wounded),
        ("Melee", u.melee),
        ("CC", u.cc),
        ("HIP", u.hidden),
        (N_("hazardous"), u.hazard),
        (u.fire, bool(u.fire)),
        (N_("moving"), is_moving),
    )
    strength = (
        f"{data.morale}{data.leadership:+d}" if u.is_leader and data.leadership > 0 else data.name
    )
    facts: dict[str, Fact] = {
        "fp": data.fp,
        "range": data.range,
        "morale": morale,
        "class": data.grade,
    }
    if u.is_leader:
        facts = {"morale": morale, "leadership": u.leadership}
    place = u.place if u.place != MAP else ""
    if u.hex == UNKNOWN:
        place = UNKNOWN
    elif u.hex in field.is_off:
        place = u.hex
    return CounterView(
        id=u.id,
        side=u.side,
        kind=data.kind,
        name=msg(data.name),
        hex=field.hex.get(u.hex),
        place=place,
        strength=strength,
        states=tuple(name for name, on in flags if on),
        facts=facts,
    )


def _lies_in(state: State, w: Weapon) -> str:
    """The hex of a weapon, as far as it is known."""
    if w.hex == UNKNOWN or (w.owner and state.units[w.owner].hex == UNKNOWN):
        return UNKNOWN
    return where(state, w) if w.place == MAP else UNKNOWN


@indexed(keep=64)
def _weapon(w: Weapon, field: Ground, label: str) -> CounterView:
    data = w.data
    flags = (
        (N_("malfunctioned"), w.broken),
        (w.fire, bool(w.fire)),
        (N_("emplaced"), w.emplaced),
        ("HIP", w.hidden),
        (N_("placed"), bool(w.planted)),
    )
    facts: dict[str, Fact] = {
        "owner": w.owner,
        "fp": data.fp,
        "range": data.range,
        "rof": data.rof,
        "pp": data.pp,
        "ca": w.ca,
        "acquired": -w.hold.acquired,
        "target": next(iter(w.hold.target.split()), w.hold.target_hex),
    }
    place = "" if w.place == MAP else w.place
    if label == UNKNOWN and w.place == MAP:
        place = UNKNOWN
    elif label in field.is_off:
        place = label
    strength = f"{data.fp}-{data.range}" if data.fp else f"{data.calibre}{data.barrel}"
    return CounterView(
        id=w.id,
        side=w.side,
        kind="gun" if data.is_gun else "sw",
        name=msg(data.name),
        hex=field.hex.get(label),
        place=place,
        strength=strength,
        states=tuple(name for name, on in flags if on),
        facts=facts,
    )


@indexed(keep=64)
def _vehicle(v: Vehicle, field: Ground) -> CounterView:
    data = v.data
    flags = (
        (N_("wreck"), v.wreck),
        ("CE", v.crew.ce),
        ("BU", not v.crew.ce and not v.wreck),
        ("Motion", v.drive.motion),
        (N_("bogged"), v.drive.bogged),
        (N_("Mired"), v.drive.mired),
        (N_("Immobilized"), v.drive.immobilized),
        (v.crew.shock, bool(v.crew.shock)),
        (v.crew.stun, bool(v.crew.stun)),
        ("+1", v.crew.plus),
        ("Recall", v.recall),
        (v.marks.fire, bool(v.marks.fire)),
        (N_("MA malfunctioned"), bool(v.arms.ma)),
        (N_("moving"), v.marks.moving),
    )
    facts: dict[str, Fact] = {
        "vca": v.vca,
        "tca": v.tca,
        "mp": data.mp,
        "af": data.af,
        "size": data.size,
        "turret": data.turret,
        "rof": data.rof,
        "acquired": -v.hold.acquired,
        "target": next(iter(v.hold.target.split()), v.hold.target_hex),
    }
    place = "" if v.place == MAP else v.place
    if v.hex in field.is_off:
        place = v.hex
    return CounterView(
        id=v.id,
        side=v.side,
        kind="vehicle",
        name=msg(data.name),
        hex=field.hex.get(v.hex),
        place=place,
        strength=f"{data.calibre}{data.barrel}",
        states=tuple(name for name, on in flags if on),
        facts=facts,
    )


@indexed()
def _goals(control: dict[str, Side], goal: Victory | None) -> dict[str, tuple[Mark, ...]]:
    """Who controls what, and what is worth controlling."""
    found: dict[str, tuple[Mark, ...]] = {
        hex: (Mark(N_("control"), side),) for hex, side in control.items()
    }
    if goal is not None:
        for hex in goal.hexes:
            found[hex] = (*found.get(hex, ()), Mark(N_("objective"), goal.side))
    return found


def _marks(state: State) -> dict[str, tuple[Mark, ...]]:
    marks: dict[str, tuple[Mark, ...]] = {}

    def add(hex: str, mark: Mark) -> None:
        marks[hex] = (*marks.get(hex, ()), mark)

    for hex, smoke in state.smoke.items():
        add(hex, Mark(N_("smoke"), smoke.side, f"+{smoke.value}"))
    for hex, fp in state.residual.items():
        add(hex, Mark(N_("Residual FP"), None, str(fp)))
    for hex, fixed in _goals(state.control, conditions(state)).items():
        marks[hex] = (*marks.get(hex, ()), *fixed)
    holders: list[Weapon | Vehicle] = [*state.weapons.values(), *state.vehicles.values()]
    for holder in holders:
        if holder.hold.acquired and holder.hold.target_hex in state.ground.hex:
            add(
                holder.hold.target_hex,
                Mark(N_("acquired"), holder.side, f"-{holder.hold.acquired}"),
            )
    oba = state.oba
    if oba is not None and oba.ffe in state.ground.hex:
        add(oba.ffe, Mark(N_("FFE"), oba.side, oba.stage))
    elif oba is not None and oba.sr in state.ground.hex:
        add(oba.sr, Mark(N_("SR"), oba.side))
    return marks


def _tracks(state: State) -> tuple[Track, ...]:
    tracks = [Track("turn", msg(N_("turn")), state.turn, state.turns, state.attacker)]
    for side in state.sides:
        tracks.append(
            Track(f"lost-{side}", msg(N_("casualty points")), state.lost.get(side, 0), None, side)
        )
    for side, left in state.pf_left.items():
        tracks.append(Track(f"pf-{side}", msg(N_("Panzerfaust left")), left, None, side))
    return tuple(tracks)


def _hands(state: State, side: Side) -> tuple[Hand, ...]:
    waiting = [
        u
        for group in (state.units, state.weapons, state.vehicles)
        for u in group.values()
        if u.place == POOL
    ]
    return tuple(
        Hand(
            one,
            msg(N_("still to come")),
            len([u for u in waiting if u.side == one]),
            tuple(u.id for u in waiting if u.side == one),
        )
        for one in state.sides
    )


# What is hidden


def belief(state: State, side: Side) -> State:
    """The state as a side knows it: hidden Guns are somewhere (6.4)."""
    hidden = [u for u in state.units.values() if u.hidden and u.side != side]
    return _without(state, side) if hidden else state


@indexed(keep=4)
def _without(state: State, side: Side) -> State:
    units = dict(state.units)
    weapons = dict(state.weapons)
    for u in state.units.values():
        if u.hidden and u.side != side:
            units[u.id] = _somewhere(u)
    for w in state.weapons.values():
        if w.hidden and w.side != side:
            weapons[w.id] = _of_nobody(w)
    return replace(state, units=units, weapons=weapons)


@indexed(keep=16)
def _somewhere(u: Unit) -> Unit:
    """A hidden unit as the enemy knows it: the same as long as it is the same."""
    return replace(u, hex=UNKNOWN, place=POOL)


@indexed(keep=16)
def _of_nobody(w: Weapon) -> Weapon:
    """A hidden weapon as the enemy knows it."""
    return replace(w, hex=UNKNOWN, ca=-1, owner="", place=POOL)


def supposed(state: State) -> State:
    """The same state where odds take LOS for granted, unless it is free (3.2.1.declare)."""
    if is_los_free(state):
        return state
    return replace(state, options={**state.options, "los": SUPPOSED})


def redeal(state: State, side: Side, pick: Pick) -> State:
    """Another state that the side cannot tell from this one: hidden Guns move and turn."""
    hidden = [u for u in state.units.values() if u.hidden and u.side != side and u.place == MAP]
    if not hidden:
        return state
    units = dict(state.units)
    weapons = dict(state.weapons)
    for u in hidden:
        places = [u.hex, *hiding_places(state, u)]
        units[u.id] = replace(u, hex=places[pick(len(places))])
    for w in state.weapons.values():
        if w.hidden and w.side != side:
            weapons[w.id] = replace(w, ca=pick(6))
    return replace(state, units=units, weapons=weapons)
