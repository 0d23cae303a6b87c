"""States from the `posizione` of an example file.

scenario: s3              # rules in force, map, victory; `esempi` (all chapters) if absent
lati: [blu, verde]        # players, for `esempi`; verde is Irregular, all others Regular
turno: 2
attivo: blu
caselle: {blu: 38, verde: 37}     # boxes; `posizioni` gives AP spent since the start instead
unita:                    # replaces the units of the scenario; the first letter is the side
  b1: {tipo: usmc_squad, esagono: C3, morale: 1, danno: 1, overwatch: si, vista: si}
  b2: {tipo: us_rifle, a_bordo: b3}
  b4: {tipo: ita_folgore, riserva: si}
supporti: {us_a10: {lato: blu, danno: 1, morale: 1, overwatch: si, turno: 2, posizione: 12}}
popolazione: {p1: {esagono: D4, folla: si, a_bordo: b3}}
nascosti: {i1: {tipo: mina, esagono: E5, di: verde, scoperto: si}}
blocchi: [D5]
macerie: [D6]
fumo: [D7]
riserva_blocchi: {verde: 1}
controllo: {F5: blu}
osserva: blu              # whose drones observe
opzioni: {masini: si}
preparazione: si          # stay before set-up
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import field

from engine.core.data import DataErrors, Document, Fault
from engine.core.rules import Side
from engine.core.text import N_, Msg, msg
from engine.warfare.rules.setup import first_state, listed
from engine.warfare.state.generator import PREFIX
from engine.warfare.state.setting import field_of, scenario_of
from engine.warfare.state.state import (
    ABOARD,
    BOXES,
    CIVILIANS,
    CROWD,
    MAP,
    PLAY,
    READY,
    RESERVE,
    TRACK,
    WAITING,
    Cube,
    Hidden,
    Population,
    State,
    Support,
    Unit,
    standing,
)
from engine.warfare.state.tables import EXAMPLES, HIDDEN, ROSTER, SCENARIO_IDS, SUPPORTS

Yes: TypeAlias = Literal["si", "no"]
SIDES = {"b": "blu", "v": "verde", "r": "rosso", "g": "grigio", "a": "arancione"}
IRREGULAR_SIDES = ("verde", "giallo")


class UnitGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit of an example."""

    type: str = field(name="tipo")
    hex: str = field(name="esagono", default="")
    carrier: str = field(name="a_bordo", default="")
    reserve: Yes = field(name="riserva", default="no")
    morale: int = 0
    damage: int = field(name="danno", default=0)
    overwatch: Yes = "no"
    shown: Yes = field(name="vista", default="no")


class SupportGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A support of an example."""

    side: str = field(name="lato")
    morale: int = 0
    damage: int = field(name="danno", default=0)
    overwatch: Yes = "no"
    turn: int = field(name="turno", default=0)
    position: int = field(name="posizione", default=-1)


class PeopleGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A population marker of an example."""

    hex: str = field(name="esagono", default="")
    carrier: str = field(name="a_bordo", default="")
    crowd: Yes = field(name="folla", default="no")


class HiddenGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hidden marker of an example."""

    type: str = field(name="tipo")
    hex: str = field(name="esagono")
    owner: str = field(name="di")
    revealed: Yes = field(name="scoperto", default="no")


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position as example files write it."""

    scenario: str = EXAMPLES
    sides: tuple[str, ...] = field(name="lati", default=())
    turn: int = field(name="turno", default=1)
    active: str = field(name="attivo", default="")
    boxes: dict[str, int] = field(name="caselle", default_factory=dict)
    positions: dict[str, int] = field(name="posizioni", default_factory=dict)
    units: dict[str, UnitGiven] | None = field(name="unita", default=None)
    supports: dict[str, SupportGiven] | None = field(name="supporti", default=None)
    people: dict[str, PeopleGiven] | None = field(name="popolazione", default=None)
    hidden: dict[str, HiddenGiven] | None = field(name="nascosti", default=None)
    roadblocks: tuple[str, ...] | None = field(name="blocchi", default=None)
    rubble: tuple[str, ...] | None = field(name="macerie", default=None)
    smoke: tuple[str, ...] = field(name="fumo", default=())
    stock: dict[str, int] | None = field(name="riserva_blocchi", default=None)
    control: dict[str, str] = field(name="controllo", default_factory=dict)
    spotter: str = field(name="osserva", default="")
    options: dict[str, str] = field(name="opzioni", default_factory=dict)
    setup: Yes = field(name="preparazione", default="no")


def build(given: Mapping[str, Any]) -> State:
    """A state from a position; DataErrors if it cannot be."""
    found = Document.of(dict(given), "posizione").convert(Given)
    scenario = found.scenario if given else "s1"
    if scenario not in (*SCENARIO_IDS, EXAMPLES) and not scenario.startswith(PREFIX):
        wrong = msg(N_("{value} is not one of: {allowed}"), value=scenario, allowed=SCENARIO_IDS)
        raise DataErrors([_fault(wrong, "$.scenario")])
    state = first_state(scenario, found.options)
    if found.setup == "si":
        return state
    state = msgspec.structs.replace(state, hidden=listed(scenario_of(state)), unseen={})
    state = msgspec.structs.replace(state, **_track(state, found), **_pieces(found))
    faults = _faults(state)
    if faults:
        raise DataErrors(faults)
    return state


def _track(state: State, found: Given) -> dict[str, Any]:
    """Cubes, turn and who is active, with what else belongs to the moment."""
    cubes = _cubes(state, found)
    least = min(cube.position for cube in cubes.values())
    leaders = [side for side, cube in cubes.items() if cube.position == least]
    return {
        "phase": PLAY,
        "turn": found.turn,
        "cubes": cubes,
        "active": found.active or (state.active if state.active in leaders else leaders[0]),
        "control": dict(found.control),
        "spotter": found.spotter,
        "smoke": found.smoke,
    }


def _pieces(found: Given) -> dict[str, Any]:
    """Units and markers that take the place of those of the scenario."""
    changes: dict[str, Any] = {}
    if found.units is not None:
        units = {name: _unit(name, one) for name, one in found.units.items()}
        changes |= {"units": units, "at": standing(units)}
    if found.supports is not None:
        changes["supports"] = {name: _support(name, s) for name, s in found.supports.items()}
    if found.people is not None:
        changes["population"] = {
            name: Population(name, CROWD if p.crowd == "si" else CIVILIANS, p.hex, p.carrier)
            for name, p in found.people.items()
        }
    if found.hidden is not None:
        changes["hidden"] = {
            name: Hidden(name, h.type, h.owner, h.hex, h.revealed == "si")
            for name, h in found.hidden.items()
        }
    if found.roadblocks is not None:
        changes["roadblocks"] = tuple(sorted(found.roadblocks))
    if found.rubble is not None:
        changes["rubble"] = tuple(sorted(found.rubble))
    if found.stock is not None:
        changes["stock"] = dict(found.stock)
    return changes


def _cubes(state: State, found: Given) -> dict[Side, Cube]:
    sides = found.sides or tuple(state.cubes)
    cubes: dict[Side, Cube] = {}
    for side in sides:
        known = state.cubes.get(side)
        made = known or Cube(side, side, side, 0, side not in IRREGULAR_SIDES)
        position = made.position
        if side in found.boxes:
            position = BOXES * (found.turn - 1) + BOXES - found.boxes[side]
        cubes[side] = msgspec.structs.replace(made, position=found.positions.get(side, position))
    return cubes


def _unit(name: str, given: UnitGiven) -> Unit:
    place = RESERVE if given.reserve == "si" else ABOARD if given.carrier else MAP
    return Unit(
        name,
        given.type,
        SIDES.get(name[0], ""),
        place,
        given.hex,
        given.carrier,
        given.morale,
        given.damage,
        given.overwatch == "si",
        given.shown == "si",
    )


def _support(name: str, given: SupportGiven) -> Support:
    place = READY
    if given.position >= 0:
        place = TRACK
    elif given.turn:
        place = WAITING
    return Support(
        name,
        name,
        given.side,
        place,
        max(0, given.position),
        given.turn,
        given.morale,
        given.damage,
        given.overwatch == "si",
    )


def _fault(text: Msg, path: str = "$") -> Fault:
    return Fault("posizione", path, 1, text)


def _faults(state: State) -> list[Fault]:
    """Names and hexes that are not there."""
    found = []
    known = field_of(state).hex
    hexes = [u.hex for u in state.units.values()] + [p.hex for p in state.population.values()]
    hexes += [m.hex for m in state.hidden.values()]
    for hex in (*hexes, *state.roadblocks, *state.rubble, *state.smoke):
        if hex and hex not in known:
            found.append(_fault(msg(N_("{label} is not on the map"), label=hex)))
    if state.active not in state.cubes:
        sides = tuple(state.cubes)
        wrong = msg(N_("{value} is not one of: {allowed}"), value=state.active, allowed=sides)
        found.append(_fault(wrong, "$.attivo"))
    for unit in state.units.values():
        if unit.type not in ROSTER:
            where = f"$.unita.{unit.id}"
            found.append(_fault(msg(N_("No unit {id}"), id=unit.type), where))
        if unit.side not in state.cubes:
            where = f"$.unita.{unit.id}"
            found.append(_fault(msg(N_("No side for {id}"), id=unit.id), where))
    for support in state.supports.values():
        if support.type not in SUPPORTS:
            where = f"$.supporti.{support.id}"
            found.append(_fault(msg(N_("No support {id}"), id=support.type), where))
        if support.side not in state.cubes:
            where = f"$.supporti.{support.id}"
            found.append(_fault(msg(N_("No side for {id}"), id=support.id), where))
    for marker in state.hidden.values():
        if marker.item not in HIDDEN:
            where = f"$.nascosti.{marker.id}"
            found.append(_fault(msg(N_("No hidden marker {id}"), id=marker.item), where))
    return found
