"""States from example files, and checks of data files.

posizione:
  mappa: mA                     # a map of `data/maps`
  data: 1943-10
  lati: [american, german]      # the first moves first
  elr: {american: 3, german: 3}
  turno: 2
  attaccante: american
  fase: PFPh                    # and `passo` where the phase has steps: fire, smoke, turn, e, f …
  passo: fire
  unità:                        # id: type hex [markers] [field=value]
    a: us-666 F4
    b: ge-467 H4 broken DM
    c: ge-9-1 H4
  armi: {mg: ge-mmg b, gun: ge-75l c ca=1 emplaced}     # id: type owner, or `type @hex`
  veicoli: {t: ru-t34m43 H5 vca=1 tca=2 CE Motion}
  fumo: {G5: 2}
  residuo: {G5: 4}
  siepi: {D3-E3: german}
  controllo: {F4: german}
  opzioni: {los: libera}
  mossa: {unità: [a], modo: Assault Movement, speso: 2, da: F5, scia: [[F5, 0], [F4, 2]]}
  pf: {german: 3}               # or `5 squadre`: the shots that so many squads have at that date
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from engine.aslsk.rules.oba import position_oba
from engine.aslsk.rules.sequence import STEPS
from engine.aslsk.rules.weapons import pf_shots
from engine.aslsk.state.ground import FEATURES, TERRAINS, map_path
from engine.aslsk.state.state import (
    FINAL,
    FIRST,
    INTENSIVE,
    MAP,
    PARTS,
    PREP,
    Mover,
    Router,
    Smoke,
    State,
    Unit,
    Vehicle,
    Weapon,
)
from engine.aslsk.state.tables import (
    PEOPLE,
    READ_LATE,
    VEHICLES,
    WEAPONS,
    Scenario,
    read_scenario,
    scenarios,
)
from engine.core.board import load_board
from engine.core.data import DataErrors, Document, Fault, unknown_word
from engine.core.text import N_, Msg, msg

FLAGS: dict[str, tuple[str, Any]] = {
    "broken": ("broken", True),
    "DM": ("dm", True),
    "pinned": ("pinned", True),
    "CX": ("cx", True),
    "wounded": ("wounded", True),
    "Melee": ("melee", True),
    "HIP": ("hidden", True),
    "hazardous": ("hazard", True),
    "CC": ("cc", True),
    "prep": ("fire", PREP),
    "first": ("fire", FIRST),
    "final": ("fire", FINAL),
    "intensive": ("fire", INTENSIVE),
    "done": ("done", True),
    "emplaced": ("emplaced", True),
    "malfunctioned": ("broken", True),
    "CE": ("ce", True),
    "BU": ("ce", False),
    "Motion": ("motion", True),
    "running": ("running", True),
    "moving": ("moving", True),
    "moved": ("moved", True),
    "smoked": ("smoked", True),
    "bogged": ("bogged", True),
    "mired": ("mired", True),
    "immobilized": ("immobilized", True),
    "shock": ("shock", "Shock"),
    "stun": ("stun", "Stun"),
    "wreck": ("wreck", True),
    "recall": ("recall", True),
}


class _Reader:
    """Gathers the faults of a position."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given
        self.faults: list[Fault] = []

    def fault(self, path: str, text: Msg) -> None:
        self.faults.append(Fault("posizione", path, 1, text))

    def words(
        self, text: str, path: str, kind: type[msgspec.Struct]
    ) -> tuple[list[str], dict[str, Any]]:
        plain: list[str] = []
        changes: dict[str, Any] = {}
        fields = _facts_of(kind)
        for word in str(text).split():
            name, equal, value = word.partition("=")
            if equal and name not in (*fields, "lato"):
                self.fault(path, unknown_word(name, fields))
            elif equal:
                number = value.lstrip("-").isdigit()
                changes[name] = int(value) if number else value
                if name in ("used", "fired", "out_of", "lost", "directed"):
                    changes[name] = tuple(value.split(","))
            elif word in FLAGS and FLAGS[word][0] in fields:
                field, flag = FLAGS[word]
                changes[field] = flag
            else:
                plain.append(word)
        known = [word for word, (field, _) in FLAGS.items() if field in fields]
        for word in plain[2:]:
            self.fault(path, unknown_word(word, known))
        return plain, changes


def _facts_of(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """The facts that may be told of a counter: its fields, and those of its parts."""
    fields = kind.__struct_fields__
    return (
        *[field for field in fields if field not in PARTS.values()],
        *[field for field, part in PARTS.items() if part in fields and field not in fields],
    )


Counter = TypeVar("Counter", Vehicle, Weapon)


def _with_facts(counter: Counter, facts: Mapping[str, Any]) -> Counter:
    """A counter with some facts, each in the part that it belongs to."""
    changes: dict[str, Any] = {}
    for field, value in facts.items():
        part = PARTS.get(field, "")
        if field in counter.__struct_fields__:
            changes[field] = value
        else:
            now = changes.get(part, getattr(counter, part))
            changes[part] = msgspec.structs.replace(now, **{field: value})
    return msgspec.structs.replace(counter, **changes)


def position(given: Mapping[str, Any]) -> State:
    """A state built from an example's position; DataErrors if it cannot be."""
    reader = _Reader(given)
    card = _card(reader)
    sides = tuple(given.get("lati", card.sides))
    attacker = str(given.get("attaccante", sides[0]))
    name = str(given.get("mappa", card.map))
    if not map_path(name).is_file():
        reader.fault("$.mappa", msg(N_("There is no map called {name}"), name=name))
        raise DataErrors(reader.faults)
    phase, step = _phase(reader)
    date = str(given.get("data", card.date))
    defender = sides[1] if attacker == sides[0] else sides[0]
    state = State(
        scenario=str(given.get("scenario", "")),
        map=name,
        date=date,
        turns=int(given.get("turni", card.turns)),
        half=False,
        sides=(sides[0], sides[1]),
        elr={side: int(given.get("elr", {}).get(side, 3)) for side in sides},
        options={str(k): str(v) for k, v in given.get("opzioni", {}).items()},
        turn=int(given.get("turno", 1)),
        attacker=attacker,
        phase=phase,
        step=step,
        who=str(given.get("lato", defender if phase == "DFPh" else attacker)),
        units=_units(reader),
        weapons={},
        vehicles=_vehicles(reader),
        smoke={h: Smoke(int(v), "dispersed", attacker) for h, v in given.get("fumo", {}).items()},
        residual={h: int(v) for h, v in given.get("residuo", {}).items()},
        control=dict(given.get("controllo", {})),
        hedge=dict(given.get("siepi", {})),
        pf_left={k: _pf(str(v), date) for k, v in given.get("pf", {}).items()},
        settled=tuple(given.get("fatto", ())),
    )
    state = msgspec.structs.replace(state, weapons=_weapons(reader, state))
    _check_hexes(reader, state)
    if reader.faults:
        raise DataErrors(reader.faults)
    return _acting(state, given)


def _card(reader: _Reader) -> Scenario:
    """The scenario that gives what the position does not say."""
    chosen = str(reader.given.get("scenario", "R1"))
    if chosen not in scenarios():
        text = N_("{value} is not one of: {allowed}")
        reader.fault("$.scenario", msg(text, value=chosen, allowed=tuple(scenarios())))
        raise DataErrors(reader.faults)
    return scenarios()[chosen]


def _phase(reader: _Reader) -> tuple[str, str]:
    """The phase and its step: fire, where there is such a step, else the first."""
    phase = str(reader.given.get("fase", "PFPh"))
    steps = [s for p, s, _ in STEPS if p == phase]
    if not steps:
        phases = tuple(dict.fromkeys(p for p, _, _ in STEPS))
        text = N_("{value} is not one of: {allowed}")
        reader.fault("$.fase", msg(text, value=phase, allowed=phases))
        raise DataErrors(reader.faults)
    first = {"PFPh": "fire", "DFPh": "fire", "AFPh": "fire"}.get(phase, steps[0])
    return phase, str(reader.given.get("passo", first))


def _check_hexes(reader: _Reader, state: State) -> None:
    """Every counter stands on the map."""
    placed = [(f"$.unità.{u.id}", u.hex) for u in state.units.values()]
    placed += [(f"$.veicoli.{v.id}", v.hex) for v in state.vehicles.values()]
    for path, hex in placed:
        if hex not in state.ground.hex:
            reader.fault(path, msg(N_("{label} is not on the map"), label=hex))


def _not_a(words: str, text: Any) -> Msg:
    return msg(words, text=str(text)[:60])


def _pf(text: str, date: str) -> int:
    number, _, unit = text.partition(" ")
    return pf_shots(int(number), date) if unit == "squadre" else int(number)


def _units(reader: _Reader) -> dict[str, Unit]:
    found: dict[str, Unit] = {}
    for name, text in reader.given.get("unità", {}).items():
        plain, changes = reader.words(text, f"$.unità.{name}", Unit)
        if len(plain) < 2 or plain[0] not in PEOPLE:
            reader.fault(f"$.unità.{name}", _not_a(N_("Not a counter and a hex: {text}"), text))
            continue
        side = str(changes.pop("lato", PEOPLE[plain[0]].nation))
        found[name] = Unit(name, side, plain[0], hex=plain[1], place=MAP, **changes)
    return found


def _weapons(reader: _Reader, state: State) -> dict[str, Weapon]:
    found: dict[str, Weapon] = {}
    for name, text in reader.given.get("armi", {}).items():
        plain, changes = reader.words(text, f"$.armi.{name}", Weapon)
        if len(plain) < 2 or plain[0] not in WEAPONS:
            reader.fault(f"$.armi.{name}", _not_a(N_("Not a weapon and its owner: {text}"), text))
            continue
        side = str(changes.pop("lato", WEAPONS[plain[0]].nation))
        where: dict[str, Any] = {"owner": plain[1]}
        if plain[1].startswith("@"):
            where = {"hex": plain[1][1:]}
        elif plain[1] not in state.units:
            reader.fault(f"$.armi.{name}", unknown_word(plain[1], state.units))
        found[name] = _with_facts(Weapon(name, side, plain[0], place=MAP, **where), changes)
    return found


def _vehicles(reader: _Reader) -> dict[str, Vehicle]:
    found: dict[str, Vehicle] = {}
    for name, text in reader.given.get("veicoli", {}).items():
        plain, changes = reader.words(text, f"$.veicoli.{name}", Vehicle)
        if len(plain) < 2 or plain[0] not in VEHICLES:
            reader.fault(f"$.veicoli.{name}", _not_a(N_("Not a vehicle and a hex: {text}"), text))
            continue
        changes.setdefault("tca", changes.get("vca", 0))
        side = str(changes.pop("lato", VEHICLES[plain[0]].nation))
        plain_one = Vehicle(name, side, plain[0], hex=plain[1], place=MAP)
        found[name] = _with_facts(plain_one, changes)
    return found


def _acting(state: State, given: Mapping[str, Any]) -> State:
    """Who is in the middle of a move, a rout or a fire mission."""
    move = given.get("mossa")
    if move:
        names = tuple(move["unità"])
        spent = int(move.get("speso", 0))
        first = state.units.get(names[0]) or state.vehicles[names[0]]
        trail = tuple((str(h), int(n)) for h, n in move.get("scia", [(first.hex, 0)]))
        mover = Mover(
            units=names,
            mode=str(move.get("modo", "normal")),
            spent=dict.fromkeys(names, spent),
            leader=str(move.get("leader", "")),
            latest=int(move.get("qui", trail[-1][1])),
            trail=trail,
            came_from=str(move.get("da", "")),
            window=bool(move.get("finestra", "") == "si"),
            expenditures=len(trail) - 1,
            entered=len(trail) > 1,
            act=str(move.get("atto", "enter" if len(trail) > 1 else "")),
            road=move.get("strada", "si") == "si",
        )
        state = msgspec.structs.replace(state, mover=mover)
    rout = given.get("rotta")
    if rout:
        one = state.units[str(rout)]
        state = msgspec.structs.replace(state, router=Router(one.id, one.hex))
    return position_oba(state, given)


def check(path: Path, value: Any) -> None:
    """Read a scenario, map, table or example file; raises DataErrors."""
    keys = value if isinstance(value, dict) else {}
    if path.name in READ_LATE:
        Document(path).convert(READ_LATE[path.name])
    elif "griglia" in keys:
        load_board(path, TERRAINS, FEATURES)
    elif "posizione" in keys:
        given = keys["posizione"]
        position(given if isinstance(given, dict) else {})
    else:
        read_scenario(path)
