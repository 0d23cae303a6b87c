"""States of example files.

    posizione:
      scenario: first-wave        # or easy-fox, d-day, beyond-the-beach
      turno: 8
      fase: fire:west             # a name of sequence.PHASES
      opzioni: {22.1: si}
      us: {A/1/16: 0613 2 confusione, HQ16: "0714", E/2/16: 0714 eroe=Spalding}
      tedeschi: {0728: wn75+, 1313: {specie: T, unita: 5/2/916, incognita: "?"}}
      carte: {fire west: 24}
      mazzo: [01, 02]             # the cards left; all of them if not given
      divisione: "1"
      azioni: 2

A US unit is where it stands, its steps, and words: confusione, agito, colpita, climb,
cliff=HEX, eroe=NAME, ispirata, ferito, cp=SPACE, comando=DIVISION, arriva=TURN, ritardata.
Units that are not named are out of the game; without `us` or `tedeschi` the scenario's own
set-up stands. A German unit is its kind, with + for a face-down depth marker, or a mapping.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.core.data import DataErrors, Document, Fault, unknown_word
from engine.core.pools import Pool
from engine.core.text import N_, Msg, msg
from engine.ddob.rules.communication import linked_now
from engine.ddob.rules.leaders import commands
from engine.ddob.rules.sequence import PHASES, PROCEDURES
from engine.ddob.rules.setup import depth_of, start
from engine.ddob.state.book import DIVISIONS
from engine.ddob.state.ground import HEX, NEIGHBOURS
from engine.ddob.state.state import (
    CLIFF,
    CLIMB,
    LOST,
    OUT,
    TRACK,
    UNSEEN,
    Base,
    German,
    State,
    Unit,
)
from engine.ddob.state.tables import BOXES, CARDS, DEPTH, GERMANS, SETUPS, UNITS, WN_KINDS

replace = msgspec.structs.replace


class GermanFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A German unit in an example."""

    kind: str = msgspec.field(name="specie")
    unit: str = msgspec.field(name="unita", default="")
    shown: str = msgspec.field(name="rivelata", default="no")
    depth: str = msgspec.field(name="incognita", default="")
    depth_shown: str = msgspec.field(name="incognita_rivelata", default="no")
    disrupted: str = msgspec.field(name="confusione", default="no")


class PositionFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `posizione` of an example."""

    scenario: str = "first-wave"
    turn: int = msgspec.field(name="turno", default=1)
    phase: str = msgspec.field(name="fase", default="division")
    options: dict[str, str] = msgspec.field(name="opzioni", default={})
    us: dict[str, str] | None = None
    germans: dict[str, str | GermanFile] | None = msgspec.field(name="tedeschi", default=None)
    cards: dict[str, str] = msgspec.field(name="carte", default={})
    deck: tuple[str, ...] = msgspec.field(name="mazzo", default=())
    division: str = msgspec.field(name="divisione", default="")
    actions: int = msgspec.field(name="azioni", default=2)
    done: tuple[str, ...] = msgspec.field(name="finite", default=())
    naval: int = msgspec.field(name="navali", default=0)
    cleared: tuple[str, ...] = msgspec.field(name="bonificati", default=())
    notes: dict[str, str] = msgspec.field(name="note", default={})
    boxes: dict[str, int] = msgspec.field(name="riquadri", default={})
    losses: dict[str, tuple[str, ...]] = msgspec.field(name="perdite", default={})
    bases: dict[str, str] = msgspec.field(name="basi", default={})
    garrisons: tuple[str, ...] = msgspec.field(name="guarnigioni", default=())
    attacked: tuple[str, ...] = msgspec.field(name="attaccati", default=())
    barraged: tuple[str, ...] = msgspec.field(name="bombardati", default=())
    dead_wn: dict[str, int] = msgspec.field(name="wn_eliminati", default={})
    queue: tuple[str, ...] = msgspec.field(name="coda", default=())


def fault(path: str, text: str, **facts: str) -> DataErrors:
    """One fault of a position."""
    return _fault(path, msg(text, **facts))


def _fault(path: str, text: Msg) -> DataErrors:
    return DataErrors([Fault("posizione", path, 1, text)])


def position(given: Mapping[str, Any]) -> State:
    """A state from the form above; DataErrors names what cannot be."""
    found = Document.of(dict(given), "posizione").convert(PositionFile)
    if found.scenario not in SETUPS:
        raise fault("$.scenario", N_("Unknown scenario {name}"), name=found.scenario)
    if found.phase not in PHASES or found.phase.partition(":")[0] not in PROCEDURES:
        raise fault("$.fase", N_("Unknown phase {name}"), name=found.phase)
    return build(found)


def build(found: PositionFile) -> State:
    """The state of a checked position."""
    state = start(found.scenario, found.options)
    units = state.units if found.us is None else us_units(found)
    germans = state.germans if found.germans is None else german_units(found)
    state = replace(
        with_cards(state, found),
        turn=found.turn,
        phase=found.phase,
        units=units,
        germans=germans,
        births=len(germans),
        division=found.division,
        actions=found.actions if found.division else 0,
        done=found.done,
        naval=found.naval,
        cleared=found.cleared or state.cleared,
        notes=found.notes,
        boxes={**state.boxes, **found.boxes},
        unseen=unseen(state, germans),
        garrisons=found.garrisons,
        attacked=found.attacked,
        barraged=found.barraged,
        dead_wn=found.dead_wn,
        queue=found.queue,
        bases={name: base(name, text) for name, text in found.bases.items()},
        armor_entered=sum(g.is_armor for g in germans.values()),
        losses={**worn_companies(units), **found.losses},
    )
    if "D" in found.boxes:
        count = found.boxes["D"]
        state = replace(state, tickets={"D": count} if count else {})
    state = replace(state, linked=linked_now(state))
    return replace(state, commanded=commands(state)) if found.division else state


def with_cards(state: State, found: PositionFile) -> State:
    """The deck, the track and the discards of a position."""
    for name in (*found.cards.values(), *found.deck):
        if name not in CARDS:
            raise fault("$.carte", N_("Unknown card {name}"), name=name)
    track = tuple(found.cards.values())
    left = found.deck or tuple(c for c in CARDS if c not in track)
    discards = tuple(c for c in CARDS if c not in track and c not in left)
    deck = Pool.of("deck", left)
    return replace(state, deck=deck, track=track, discards=discards, cards=found.cards)


def worn_companies(units: dict[str, Unit]) -> dict[str, tuple[str, ...]]:
    """The companies down to their last step: they have been noted as losses (13.1)."""
    return {
        division: tuple(
            name
            for name, u in units.items()
            if UNITS[name].type == "infantry" and UNITS[name].division == division and u.steps == 1
        )
        for division in DIVISIONS
    }


def base(name: str, text: str) -> Base:
    """An engineer base: its hex and, after it, its space on the track."""
    label, _, space = text.partition(" ")
    if label not in NEIGHBOURS:
        raise fault(f"$.basi.{name}", N_("{label} is not on the map"), label=label)
    return Base(label, int(space or 1))


def us_units(found: PositionFile) -> dict[str, Unit]:
    """The US units that are named; all others are out of the game."""
    units = {name: Unit(name, OUT, data.division, data.full) for name, data in UNITS.items()}
    for name, text in (found.us or {}).items():
        if name not in UNITS:
            raise fault(f"$.us.{name}", N_("Unknown unit {name}"), name=name)
        units[name] = us_unit(units[name], text)
    return units


def us_unit(unit: Unit, text: str) -> Unit:
    """A US unit from where it stands and its words."""
    at, *words = text.split()
    if at not in NEIGHBOURS and at not in BOXES and at not in (TRACK, LOST, OUT):
        raise fault(f"$.us.{unit.id}", N_("{label} is not on the map"), label=at)
    unit = replace(unit, at=at)
    for word in words:
        key, _, value = word.partition("=")
        if key.isdigit():
            unit = replace(unit, steps=int(key))
        elif key in FLAGS:
            unit = replace(unit, **{FLAGS[key]: True})
        elif key == "climb":
            unit = replace(unit, climb=CLIMB)
        elif key == "cliff":
            unit = replace(unit, climb=CLIFF, cliff=value)
        elif key == "eroe":
            unit = replace(unit, hero=value)
        elif key == "cp":
            unit = replace(unit, space=int(value))
        elif key == "comando":
            unit = replace(unit, command=value)
        elif key == "arriva":
            unit = replace(unit, at=TRACK, due=int(value))
        else:
            raise _fault(f"$.us.{unit.id}", unknown_word(word, (*FLAGS, *WORDS)))
    return unit


WORDS = ("climb", "cliff", "eroe", "cp", "comando", "arriva")
FLAGS = {
    "confusione": "disrupted",
    "agito": "acted",
    "colpita": "hit",
    "ispirata": "inspired",
    "ferito": "wounded",
    "ritardata": "delayed",
}


def german_units(found: PositionFile) -> dict[str, German]:
    """The German units that are named."""
    germans: dict[str, German] = {}
    for label, text in (found.germans or {}).items():
        if label not in HEX or label not in NEIGHBOURS:
            raise fault(f"$.tedeschi.{label}", N_("{label} is not on the map"), label=label)
        file = text
        if isinstance(file, str):
            file = GermanFile(file.rstrip("+"), depth=UNSEEN if file.endswith("+") else "")
        if file.kind not in GERMANS and file.kind != "mixed":
            raise fault(f"$.tedeschi.{label}", N_("Unknown kind {name}"), name=file.kind)
        check_faces(label, file)
        germans[label] = german_unit(label, file, len(germans) + 1)
    return germans


def check_faces(label: str, file: GermanFile) -> None:
    """Whether there are such a unit and such a marker."""
    kinds = (file.kind,) if file.kind in (*WN_KINDS, "armor") else ("T", "D", "M")
    if file.unit and not any(file.unit in GERMANS[kind] for kind in kinds):
        raise fault(f"$.tedeschi.{label}", N_("Unknown unit {name}"), name=file.unit)
    is_face = file.depth not in ("", UNSEEN)
    if is_face and not any(file.depth in faces for faces in DEPTH.values()):
        raise fault(f"$.tedeschi.{label}", N_("Unknown word {word}"), word=file.depth)


def german_unit(label: str, file: GermanFile, born: int) -> German:
    """A German unit of an example."""
    kind = "D" if file.kind == "M" else file.kind
    depth_kind = ""
    if file.depth:
        depth_kind = (
            "wn depth"
            if kind in WN_KINDS
            else "armor depth"
            if kind == "armor"
            else depth_of(label)
        )
        if file.depth != UNSEEN and file.depth not in DEPTH[depth_kind]:
            depth_kind = next(k for k in DEPTH if file.depth in DEPTH[k])
    ticket = ("D" if file.kind == "D" else "M1") if kind == "D" else ""
    return German(
        label,
        kind,
        unit=file.unit,
        shown=file.shown == "si" or kind == "armor",
        disrupted=file.disrupted == "si",
        depth=file.depth,
        depth_kind=depth_kind,
        depth_shown=file.depth_shown == "si",
        born=born,
        ticket=ticket,
    )


def unseen(state: State, germans: Mapping[str, German]) -> dict[str, Pool]:
    """The faces left, without those that the position shows."""
    pools = dict(state.unseen)
    for german in germans.values():
        if german.unit:
            for kind in (german.kind, "T", "D", "M"):
                if kind in pools and german.unit in pools[kind].items:
                    pools[kind] = pools[kind].minus(german.unit)
                    break
        if german.depth and german.depth != UNSEEN:
            pools[german.depth_kind] = pools[german.depth_kind].minus(german.depth)
    return pools
