"""Counters, cards, charts and set-ups, typed from `data/`.

Definitions: 2.1.posizioni, 2.1.wn, 2.1.rinforzo, 2.21.passi, 2.21.forza, 2.21.armi, 2.22.forza,
2.23, 2.24, 2.3, 2.4.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Literal, TypeAlias, TypeVar

import msgspec
from msgspec import field

from engine.core.board import Provenance
from engine.core.data import data_path, load
from engine.core.rules import RuleRef
from engine.core.text import N_

T = TypeVar("T")

SYMBOLS = ("◆", "▲", "●")
COLOURS = (N_("orange"), N_("red"), N_("purple"), N_("blue"), N_("green"), N_("brown"))
LEVELS = (N_("intense"), N_("moderate"), N_("sporadic"))
INTENSE, STEADY, SPORADIC = LEVELS
TIDES = (N_("low tide"), N_("mid tide"), N_("high tide"))
LOW, MID, HIGH = TIDES
TYPES = (
    N_("infantry"),
    N_("ranger"),
    N_("tank"),
    N_("SP artillery"),
    N_("DUKW artillery"),
    N_("artillery"),
    N_("AA"),
    N_("SP AA"),
    N_("AT"),
    N_("HQ"),
    N_("general"),
)
INFANTRY = ("infantry", "ranger")
ARMORED = ("tank", "SP artillery", "SP AA")
GUNS = ("SP artillery", "DUKW artillery", "artillery")
LEADERS = ("HQ", "general")
WN_KINDS = ("wn", "wn75", "wn88", "rocket")
DEGREES = (
    N_("US victory"),
    N_("US defeat"),
    N_("decisive victory"),
    N_("operational victory"),
    N_("tactical victory"),
    N_("decisive defeat"),
    N_("operational defeat"),
    N_("tactical defeat"),
    N_("play on"),
)
EFFECTS = (
    N_("US disrupted"),
    N_("gains depth"),
    N_("hidden again"),
    N_("German disrupted"),
    N_("attrition"),
    N_("defeated"),
    N_("reveal depth"),
    N_("depth eliminated"),
    N_("depth removed"),
)
KINDS = (
    N_("wn"),
    N_("wn75"),
    N_("wn88"),
    N_("rocket"),
    N_("mixed"),
    N_("armor"),
    N_("wn depth"),
    N_("building"),
    N_("mobile"),
    N_("armor depth"),
)
"""What the backs of German counters show."""
FATES = (N_("eliminated"), N_("division"), N_("out"))
"""Where a German unit goes when it leaves the map."""
SQUARE_SYMBOLS = (N_("star"), N_("tank"))
LANDING_EFFECTS = (
    N_("delay 1"),
    N_("delay 3"),
    N_("eliminated"),
    N_("removed"),
    N_("lose 1"),
    N_("lose 2"),
    N_("east 1"),
    N_("east 2"),
    N_("east 3"),
    N_("east 4"),
    N_("east 9"),
    N_("west 1"),
)
OPEN_GROUND = N_("open")
RATIOS = (N_("less"), N_("equal"), N_("more"), N_("double"))
Level: TypeAlias = Literal["intense", "moderate", "sporadic"]
Colour: TypeAlias = Literal["orange", "red", "purple", "blue", "green", "brown"]
Span: TypeAlias = tuple[int, int]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One datum with its source."""

    provenance: Provenance = field(name="provenienza")
    ref: RuleRef

    @property
    def is_ours(self) -> bool:
        """Whether its values are reconstructed, and the player should know."""
        return self.provenance == "ricostruito"


class UnitData(Record, frozen=True, kw_only=True, dict=True):
    """A US counter (2.21): strengths fall from the first with every step lost."""

    id: str
    division: str = field(name="divisione")
    type: str = field(name="tipo")
    turn: int = field(name="turno", default=0)
    box: str = field(name="riquadro")
    symbol: str = field(name="simbolo", default="")
    reduced_symbol: str = field(name="simbolo_ridotto", default="")
    strengths: tuple[int, ...] = field(name="forze")
    range: int = field(name="gittata", default=1)
    weapons: tuple[tuple[str, ...], ...] = field(name="armi", default=())

    @cached_property
    def full(self) -> int:
        """Its steps at full strength; leaders have none (11)."""
        return len(self.strengths)

    @cached_property
    def is_infantry(self) -> bool:
        """Infantry or ranger."""
        return self.type in INFANTRY

    @cached_property
    def is_armored(self) -> bool:
        """Tank, self-propelled artillery or self-propelled AA (2.23)."""
        return self.type in ARMORED

    @cached_property
    def is_leader(self) -> bool:
        """HQ or general."""
        return self.type in LEADERS


class Hero(Record, frozen=True, kw_only=True):
    """A hero counter or an engineer base: a name and its division."""

    id: str
    division: str = field(name="divisione")


class UsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`us_units.yaml`."""

    units: tuple[UnitData, ...] = field(name="unita")
    heroes: tuple[Hero, ...] = field(name="eroi")
    bases: tuple[Hero, ...] = field(name="basi")


class GermanData(Record, frozen=True, kw_only=True):
    """A German counter or depth marker: strength and required weapons (2.22, 2.24)."""

    id: str
    kind: str = field(name="specie")
    division: str = field(name="divisione", default="")
    strength: int = field(name="forza")
    weapons: tuple[str, ...] = field(name="armi", default=())
    copies: int = field(name="copie", default=1)
    colour: str = field(name="colore", default="")


class Battery(Record, frozen=True, kw_only=True):
    """An off-map battery and the positions that observe for it (6.51)."""

    id: str
    calibre: str = field(name="calibro")
    sector: str = field(name="settore")
    observers: tuple[str, ...] = field(name="osservatori")


class GermanFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`german_units.yaml`."""

    units: tuple[GermanData, ...] = field(name="unita")
    depth: tuple[GermanData, ...] = field(name="incognite")
    batteries: tuple[Battery, ...] = field(name="batterie")


class Position(Record, frozen=True, kw_only=True, dict=True):
    """A German position and its field of fire (2.1.posizioni, 2.1.punti-fuoco)."""

    id: str
    hexes: tuple[str, ...] = field(name="esagoni")
    colour: Colour = field(name="colore")
    sector: Literal["east", "west"] = field(name="settore")
    is_vp: bool = field(name="vp", default=False)
    advances: tuple[str, ...] = field(name="avanza", default=())
    intense: tuple[str, ...] = field(name="intenso", default=())
    steady: tuple[str, ...] = field(name="moderato", default=())
    sporadic: tuple[str, ...] = field(name="sporadico", default=())

    @cached_property
    def is_wn(self) -> bool:
        """A Widerstandsnest, not a reinforcement position."""
        return self.id.startswith("WN")

    @cached_property
    def zone(self) -> str:
        """The letter of a reinforcement position; none without an id."""
        return self.id[0] if not self.is_wn and not self.id.isdigit() else ""

    @cached_property
    def number(self) -> int:
        """Its priority number; a position without an id counts as 0 (2.1.rinforzo-vuote)."""
        if self.is_wn:
            return int(self.id[2:])
        return int(self.id[1:]) if self.zone else 0

    @property
    def dots(self) -> dict[str, str]:
        """Hex -> level of fire."""
        found: dict[str, str] = {}
        for level, hexes in zip(LEVELS, (self.intense, self.steady, self.sporadic), strict=True):
            for h in hexes:
                found[h] = level
        return found


class PositionsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`positions.yaml`."""

    positions: tuple[Position, ...] = field(name="posizioni")


class Doubt(Record, frozen=True, kw_only=True):
    """What the map does not show for certain: all of a kind, unless sides or hexes are named."""

    what: Literal["bluff", "slope", "hedge", "trail", "tide", "arrow"] = field(name="cosa")
    sides: tuple[tuple[str, str], ...] = field(name="lati", default=())
    hexes: tuple[str, ...] = field(name="esagoni", default=())
    positions: tuple[str, ...] = field(name="posizioni", default=())


class DoubtsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`doubts.yaml`."""

    doubts: tuple[Doubt, ...] = field(name="dubbi")


class Box(Record, frozen=True, kw_only=True, dict=True):
    """A landing box and its lane (5.2)."""

    id: str
    hex: str = field(name="esagono")
    sector: Literal["east", "west"] = field(name="settore")
    low: str = field(name="bassa")
    mid: str = field(name="media")
    high: str = field(name="alta", default="")

    @cached_property
    def beach(self) -> str:
        """The letters of its beach; empty for the boxes without letters (5.32)."""
        return "" if self.id.startswith("u") else self.id[:2]

    def waterline(self, tide: str) -> str:
        """The hex of the lane at a tide; empty when there is none."""
        return {LOW: self.low, MID: self.mid, HIGH: self.high}[tide]


class DrawArea(Record, frozen=True, kw_only=True):
    """A draw: its hexes inland of the barrier (13.21)."""

    id: str
    hexes: tuple[str, ...] = field(name="esagoni")


class BoxesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`boxes.yaml`."""

    boxes: tuple[Box, ...] = field(name="riquadri")
    draws: tuple[DrawArea, ...] = field(name="accessi")


class Square(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One colour of a fire card: single or double square and what it holds (6.1)."""

    colour: Colour = field(name="colore")
    squares: Literal[1, 2] = field(name="quadrati")
    action: Literal["F", "R", "A", "M", "P", "star", "tank"] = field(name="azione")


class Gunnery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The artillery line of a fire card (6.1.artiglieria)."""

    value: int = field(name="valore")
    calibres: tuple[str, ...] = field(name="calibri")


class Card(Record, frozen=True, kw_only=True, dict=True):
    """A card: three parts of which a draw uses one (2.3)."""

    id: str
    landing: dict[str, Literal["A", "B", "C", "D"]] = field(name="sbarco")
    mine: bool = field(name="mina", default=False)
    events: dict[str, tuple[tuple[str, ...], ...]] = field(name="eventi")
    fire: tuple[Square, ...] = field(name="fuoco")
    target: str = field(name="bersaglio")
    artillery: Gunnery | None = field(name="artiglieria", default=None)

    def square(self, colour: str) -> Square | None:
        """The square of a colour, if the card shows it."""
        return self.squares.get(colour)

    @cached_property
    def squares(self) -> dict[str, Square]:
        """The three squares by colour."""
        return {square.colour: square for square in self.fire}

    def event(self, turn: int) -> tuple[tuple[str, ...], ...]:
        """What happens in the band of a turn."""
        band = "2-10" if turn <= 10 else "11-20" if turn <= 20 else "21-31"
        return self.events[band]


class CardsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`cards.yaml`."""

    cards: tuple[Card, ...] = field(name="carte")


class LandingRow(Record, frozen=True, kw_only=True):
    """A row of the landing table (5.1)."""

    turns: Span = field(name="turni")
    types: tuple[str, ...] = field(name="tipi")
    beaches: tuple[str, ...] = field(name="spiagge", default=())
    A: tuple[str, ...]
    B: tuple[str, ...]
    C: tuple[str, ...]
    D: tuple[str, ...]


class FireRow(Record, frozen=True, kw_only=True):
    """A cell of the German fire chart (6.3)."""

    level: Level = field(name="punto")
    column: Literal["shown", "hidden", "ambush"] = field(name="colonna")
    who: Literal["all", "symbol"] = field(name="chi")
    loses: bool = field(name="perde", default=False)
    disrupts: bool = field(name="confusione", default=False)


class AttackRow(Record, frozen=True, kw_only=True):
    """A row of the US attack chart (8.3)."""

    weapons: bool = field(name="armi")
    ratio: Literal["less", "equal", "more", "double"] = field(name="rapporto")
    alone: tuple[str, ...] = field(name="sola")
    hidden: tuple[str, ...] = field(name="nascosta")
    shown: tuple[str, ...] = field(name="rivelata")
    extended: tuple[str, ...] = field(name="estesa", default=())


class BarrageRow(Record, frozen=True, kw_only=True):
    """A row of the barrage table (8.4): results for strength 1-2, 3-5, 6 and more."""

    match: Literal["neither", "symbol", "colour", "both"] = field(name="corrisponde")
    depth: Literal["yes", "no", "any"] = field(name="incognita")
    results: tuple[str, str, str] = field(name="risultati")


class WeaponRow(Record, frozen=True, kw_only=True):
    """A row of the US weapons chart (8.2)."""

    who: str = field(name="chi")
    within: int = field(name="entro")
    weapons: tuple[str, ...] = field(name="armi")


class TerrainRow(Record, frozen=True, kw_only=True):
    """A row of the terrain effects chart (tec)."""

    id: str
    infantry: str = field(name="fanteria")
    leaders: str = field(name="leader")
    others: str = field(name="altri")
    unit: int = field(name="unita")
    depth: int = field(name="incognita")


class ActionRow(Record, frozen=True, kw_only=True):
    """A row of the German action summary (tab.azioni)."""

    card: str = field(name="carta")
    wn_us: str
    wn: str
    wn_empty: str = field(name="wn_vuoto")
    reinforcement_us: str = field(name="rinforzo_us")
    reinforcement: str = field(name="rinforzo")
    reinforcement_empty: str = field(name="rinforzo_vuoto")
    armor: str = field(name="carri")


class TideRow(Record, frozen=True, kw_only=True):
    """The tide of some turns (5.21)."""

    tide: str = field(name="marea")
    turns: Span = field(name="turni")


class ClearingRow(Record, frozen=True, kw_only=True):
    """Obstacle hexes that may be cleared per sector (10.12)."""

    turns: Span = field(name="turni")
    hexes: int = field(name="esagoni")


class Shuffles(Record, frozen=True, kw_only=True):
    """The turns that end with a reshuffle (4.vi)."""

    turns: tuple[int, ...] = field(name="turni")


class RangeTrack(Record, frozen=True, kw_only=True):
    """The ranges of a track, space by space."""

    ranges: tuple[int, ...] = field(name="raggi")


class VictoryRow(Record, frozen=True, kw_only=True):
    """Degrees of a victory check, best first."""

    check: str = field(name="verifica")
    levels: tuple[tuple[int, str], ...] = field(name="livelli")
    below: str = field(name="sotto")


class Orders(Record, frozen=True, kw_only=True):
    """A road that German tanks follow; with symbols, only if the card shows one (23.5.ordini)."""

    path: tuple[str, ...] = field(name="percorso")
    symbols: tuple[str, ...] = field(name="simboli", default=SYMBOLS)


class RoadEnds(Record, frozen=True, kw_only=True):
    """Where German tanks stop for good (23.5.fine)."""

    hexes: tuple[str, ...] = field(name="esagoni")


class Charts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`charts.yaml`."""

    landing: tuple[LandingRow, ...] = field(name="sbarco")
    fire: tuple[FireRow, ...] = field(name="fuoco")
    attack: tuple[AttackRow, ...] = field(name="attacco")
    barrage: tuple[BarrageRow, ...] = field(name="sbarramento")
    weapons: tuple[WeaponRow, ...] = field(name="armi")
    terrain: tuple[TerrainRow, ...] = field(name="terreno")
    actions: tuple[ActionRow, ...] = field(name="azioni")
    tides: tuple[TideRow, ...] = field(name="maree")
    clearing: tuple[ClearingRow, ...] = field(name="bonifica")
    shuffles: Shuffles = field(name="rimescola")
    hq_range: RangeTrack = field(name="raggio_hq")
    engineer_range: RangeTrack = field(name="raggio_genio")
    victory: tuple[VictoryRow, ...] = field(name="vittoria")
    orders: tuple[Orders, ...] = field(name="ordini")
    road_ends: RoadEnds = field(name="fine_strada")


class Setup(Record, frozen=True, kw_only=True):
    """A scenario as `scenarios.yaml` describes it."""

    id: str
    name: str = field(name="nome")
    turns: Span = field(name="turni")
    sectors: tuple[str, ...] = field(name="settori")
    check: str = field(name="verifica")
    wn: dict[str, tuple[str, ...]]
    wn_depth: tuple[str, ...] = field(name="incognite_wn")
    boxes: dict[str, int] = field(name="riquadri")
    reinforcements: tuple[str, ...] = field(name="rinforzi", default=())
    last_arrival: int = field(name="arrivi_fino_a")
    units: dict[str, tuple[str, ...]] = field(name="unita", default={})
    transferred: tuple[str, ...] = field(name="trasferite", default=())
    eliminated: tuple[str, ...] = field(name="eliminate", default=())
    waterline: dict[str, int] = field(name="sulla_linea", default={})
    postponed: dict[str, int] = field(name="rinviate", default={})
    cleared: tuple[str, ...] = field(name="bonificati", default=())


class ScenariosFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`scenarios.yaml`."""

    scenarios: tuple[Setup, ...] = field(name="scenari")


def _file(name: str, kind: type[T]) -> T:
    return load(data_path("ddob", name), kind)


_us = _file("us_units.yaml", UsFile)
_german = _file("german_units.yaml", GermanFile)
_boxes = _file("boxes.yaml", BoxesFile)
CHARTS = _file("charts.yaml", Charts)

UNITS: dict[str, UnitData] = {unit.id: unit for unit in _us.units}
HEROES: dict[str, str] = {hero.id: hero.division for hero in _us.heroes}
BASES: dict[str, str] = {base.id: base.division for base in _us.bases}
GERMANS: dict[str, dict[str, GermanData]] = {}
for _unit in _german.units:
    GERMANS.setdefault(_unit.kind, {})[_unit.id] = _unit
DEPTH: dict[str, dict[str, GermanData]] = {}
_DEPTH_BOX = {"wn": "wn depth", "armor": "armor depth"}
for _unit in _german.depth:
    DEPTH.setdefault(_DEPTH_BOX.get(_unit.kind, _unit.kind), {})[_unit.id] = _unit
BATTERIES = _german.batteries
DOUBTS: dict[str, Doubt] = {d.what: d for d in _file("doubts.yaml", DoubtsFile).doubts}
DOUBTFUL_TIDES: tuple[str, ...] = DOUBTS["tide"].hexes if "tide" in DOUBTS else ()
DOUBTFUL_ARROWS: tuple[str, ...] = DOUBTS["arrow"].positions if "arrow" in DOUBTS else ()
POSITIONS: dict[str, Position] = {p.id: p for p in _file("positions.yaml", PositionsFile).positions}
POSITION_AT: dict[str, Position] = {h: p for p in POSITIONS.values() for h in p.hexes}
DOTS: dict[str, dict[str, str]] = {p.id: p.dots for p in POSITIONS.values()}
DOTS_AT: dict[str, tuple[tuple[Position, str], ...]] = {}
for _position in POSITIONS.values():
    for _hex, _level in DOTS[_position.id].items():
        DOTS_AT[_hex] = (*DOTS_AT.get(_hex, ()), (_position, _level))
BOXES: dict[str, Box] = {box.id: box for box in _boxes.boxes}
BOX_ROW: tuple[str, ...] = tuple(BOXES)
DRAWS: dict[str, tuple[str, ...]] = {draw.id: draw.hexes for draw in _boxes.draws}
CARDS: dict[str, Card] = {card.id: card for card in _file("cards.yaml", CardsFile).cards}
SETUPS: dict[str, Setup] = {s.id: s for s in _file("scenarios.yaml", ScenariosFile).scenarios}
TERRAIN: dict[str, TerrainRow] = {row.id: row for row in CHARTS.terrain}
WEAPONS: dict[str, tuple[str, ...]] = {row.who: row.weapons for row in CHARTS.weapons}
ACTIONS: dict[str, ActionRow] = {row.card: row for row in CHARTS.actions}
FIRE: dict[tuple[str, str], FireRow] = {(row.level, row.column): row for row in CHARTS.fire}


@cache
def tide(turn: int) -> str:
    """The tide of a turn (5.21)."""
    return next(row.tide for row in CHARTS.tides if row.turns[0] <= turn <= row.turns[1])


def german_data(kind: str, name: str) -> GermanData:
    """A German counter by its kind and name; reinforcements by name alone."""
    if kind in WN_KINDS or kind == "armor":
        return GERMANS[kind][name]
    return next(GERMANS[k][name] for k in ("T", "D", "M") if name in GERMANS[k])


def victory_degree(check: str, points: int) -> str:
    """The degree that points give in a check."""
    row = next(row for row in CHARTS.victory if row.check == check)
    return next((degree for least, degree in row.levels if points >= least), row.below)
