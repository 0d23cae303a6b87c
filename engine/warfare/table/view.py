"""What each side may know: views, beliefs, and other deals of what is hidden.

Refs: warfare:unita.nebbia, ignoti.definizione, ricognizione.fallimento.
"""

from __future__ import annotations

import msgspec

from engine.core.pools import Pool
from engine.core.rules import Side
from engine.core.text import N_, Fact, Msg, msg
from engine.core.title import Pick
from engine.core.view import CounterView, Hand, Mark, Track, View
from engine.warfare.rules.helicopters import is_high
from engine.warfare.rules.track import available
from engine.warfare.rules.unknown import kind_of
from engine.warfare.state.setting import field_of, scenario_of
from engine.warfare.state.state import (
    BOXES,
    CROWD,
    GONE,
    MORALE_NAMES,
    SETUP,
    TRACK,
    Hidden,
    Population,
    State,
    Support,
    Unit,
    are_enemies,
)
from engine.warfare.state.tables import UNKNOWN

replace = msgspec.structs.replace

OVERWATCH, DAMAGED, SHOWN = N_("overwatch"), N_("damaged"), N_("shown")
LOW, HIGH = N_("low"), N_("high")


_NOTHING = State("s1", "s1", {}, SETUP, 1, "", {}, {}, {})


class WarfareView(View, frozen=True):
    """The table with its track, and the whole state as far as the side knows it."""

    known: State = msgspec.field(default_factory=lambda: _NOTHING)
    active: Side = ""
    boxes: dict[Side, int] = {}
    available: dict[Side, int] = {}
    parked: dict[str, int] = {}


def _is_secret(state: State, unit: Unit, side: Side) -> bool:
    return not unit.shown and are_enemies(state, unit.side, side)


def _is_unknown(state: State, marker: Hidden, side: Side) -> bool:
    return not marker.revealed and are_enemies(state, marker.owner, side)


def belief(state: State, side: Side) -> State:
    """Enemy values never shown become typical ones; enemy markers become a pool."""
    units = {
        name: replace(u, type=f"? {u.kind}") if _is_secret(state, u, side) else u
        for name, u in state.units.items()
    }
    hidden: dict[str, Hidden] = {}
    backs: dict[Side, list[str]] = {}
    for name, marker in state.hidden.items():
        if _is_unknown(state, marker, side) and marker.item != UNKNOWN:
            backs.setdefault(marker.owner, []).append(marker.item)
            hidden[name] = replace(marker, item=UNKNOWN)
        else:
            hidden[name] = marker
    unseen = dict(state.unseen)
    for owner, items in backs.items():
        unseen[owner] = unseen.get(owner, Pool("ignoti")).plus(items)
    return replace(state, units=units, hidden=hidden, unseen=unseen)


def redeal(state: State, side: Side, pick: Pick) -> State:
    """Deal again the types of unseen enemy units of each class, and the backs of markers."""
    units, hidden = dict(state.units), dict(state.hidden)
    groups: dict[tuple[str, str], list[str]] = {}
    for name, unit in units.items():
        if _is_secret(state, unit, side):
            groups.setdefault((unit.side, unit.kind), []).append(name)
    for names in groups.values():
        types = [units[name].type for name in names]
        for name in names:
            units[name] = replace(units[name], type=types.pop(pick(len(types))))
    heaps: dict[str, list[str]] = {}
    for name, marker in hidden.items():
        if _is_unknown(state, marker, side):
            heaps.setdefault(marker.owner, []).append(name)
    for names in heaps.values():
        items = [hidden[name].item for name in names]
        for name in names:
            hidden[name] = replace(hidden[name], item=items.pop(pick(len(items))))
    return replace(state, units=units, hidden=hidden)


# Views


def view(state: State, side: Side) -> WarfareView:
    """The table from a side's chair."""
    known = belief(state, side)
    field = field_of(state)
    counters = [_unit_view(known, u) for u in known.units.values()]
    counters += [_people_view(known, p) for p in known.population.values()]
    counters += [_marker_view(known, m) for m in known.hidden.values()]
    counters += [_support_view(s) for s in known.supports.values()]
    ap = {player: available(state, player) for player in state.cubes if player == state.active}
    return WarfareView(
        side=side,
        phase=_phase(state),
        board=field.board,
        counters=tuple(counters),
        marks=_marks(state),
        tracks=_tracks(state),
        hands=_hands(state),
        known=known,
        active=state.active,
        boxes={c.side: c.box for c in state.cubes.values()},
        available=ap,
        parked={s.id: s.position for s in state.supports.values() if s.place == TRACK},
    )


def _marks(state: State) -> dict[str, tuple[Mark, ...]]:
    """Obstacles, smoke and what the scenario is about, by hex."""
    marks: dict[str, tuple[Mark, ...]] = {}
    for kind, hexes in (
        (N_("roadblock"), state.roadblocks),
        (N_("rubble"), state.rubble),
        (N_("smoke"), state.smoke),
    ):
        for hex in hexes:
            marks[hex] = (*marks.get(hex, ()), Mark(kind))
    victory = scenario_of(state).victory
    for hex in victory.area:
        marks[hex] = (*marks.get(hex, ()), Mark(N_("area")))
    for hex, points in victory.objectives.items():
        owner = state.control.get(hex)
        marks[hex] = (*marks.get(hex, ()), Mark(N_("objective"), owner, str(points)))
    return marks


def _tracks(state: State) -> tuple[Track, ...]:
    """The turn and the box of every cube."""
    turn = Track("turn", msg(N_("turn")), state.turn, scenario_of(state).turns)
    cubes = [
        Track(f"cube-{c.side}", msg(N_("box of {side}"), side=c.side), c.box, BOXES, c.side)
        for c in state.cubes.values()
    ]
    return (turn, *cubes)


def _hands(state: State) -> tuple[Hand, ...]:
    """The supports of every side."""
    return tuple(
        Hand(
            player,
            msg(N_("supports of {side}"), side=player),
            len(names := [s.id for s in state.supports.values() if s.side == player]),
            tuple(names),
        )
        for player in state.cubes
    )


def _phase(state: State) -> Msg:
    if state.phase == SETUP:
        return msg(N_("setup"))
    return msg(N_("turn {turn}: {side} is active"), turn=state.turn, side=state.active)


def _states(one: Unit | Support) -> list[str]:
    found = [MORALE_NAMES[one.morale]] if one.morale else []
    if one.damage:
        found.append(DAMAGED)
    if one.overwatch:
        found.append(OVERWATCH)
    return found


def _unit_view(known: State, unit: Unit) -> CounterView:
    values, states = unit.values, _states(unit)
    facts: dict[str, Fact] = {"morale": unit.morale, "damage": unit.damage}
    name = Msg(values.name)
    strength = ""
    if unit.type.startswith("?"):
        name = msg(N_("unknown {kind}"), kind=unit.kind)
    else:
        heavy = values.heavy
        facts |= {
            "light": (values.light.ap, values.light.range, values.light.die),
            "defence": values.defence,
            "type": unit.type,
            "provenance": values.provenance,
            "printed": values.printed,
        }
        if heavy is not None:
            facts["heavy"] = (heavy.ap, heavy.range, heavy.die)
            facts["sam"] = values.sam
        if values.icons:
            facts["icons"] = tuple(values.icons)
        if values.abilities:
            facts["abilities"] = values.abilities
        strength = str(values.light.ap)
    if unit.is_helicopter and unit.hex:
        states.append(HIGH if is_high(field_of(known), unit) else LOW)
    if unit.shown:
        states.append(SHOWN)
    if unit.carrier:
        facts["carrier"] = unit.carrier
    field = field_of(known)
    where = field.hex[unit.hex] if unit.hex else None
    return CounterView(
        unit.id, unit.side, unit.kind, name, where, unit.place, strength, tuple(states), facts
    )


def _people_view(known: State, people: Population) -> CounterView:
    where = field_of(known).hex[people.hex] if people.hex else None
    facts: dict[str, Fact] = {"carrier": people.carrier} if people.carrier else {}
    kind = N_("crowd") if people.face == CROWD else N_("civilians")
    return CounterView(people.id, "", kind, msg(people.face), where, people.place, "", (), facts)


def _marker_view(known: State, marker: Hidden) -> CounterView:
    kind = kind_of(marker)
    states = (N_("revealed"),) if marker.revealed else ()
    return CounterView(
        marker.id,
        marker.owner,
        N_("marker"),
        msg(kind),
        field_of(known).hex[marker.hex],
        "",
        "",
        states,
        {"kind": kind},
    )


def _support_view(support: Support) -> CounterView:
    values = support.values
    facts: dict[str, Fact] = {
        "light": (values.light.ap, values.light.die),
        "defence": values.defence,
        "morale": support.morale,
        "damage": support.damage,
        "provenance": values.provenance,
        "printed": values.printed,
    }
    if values.heavy is not None:
        facts["heavy"] = (values.heavy.ap, values.heavy.die)
    if support.place not in (GONE,):
        facts["turn"] = support.turn
    return CounterView(
        support.id,
        support.side,
        values.kind,
        Msg(values.name),
        None,
        support.place,
        str(values.light.ap),
        tuple(_states(support)),
        facts,
    )
