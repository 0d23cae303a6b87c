"""Dice, terrain, units, supports, scenarios and maps: `data/*.yaml` as typed, frozen records.

Refs: warfare:dadi.set, warfare:terreno.tabella, warfare:unita.valori, warfare:supporti.lista,
warfare:setup.*.

Enum values are English words because messages show them; records keep the Italian name that a
player reads on the piece. Each record says where it comes from and which rule it belongs to.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import field

from engine.core.board import Board, Provenance, load_board
from engine.core.data import Document, data_path, load
from engine.core.hexes import DIRECTIONS as STEPS
from engine.core.hexes import BadLabel, Hex, add, direction, distance, line
from engine.core.rules import Side
from engine.core.text import N_, msg

Class: TypeAlias = Literal["infantry", "vehicle", "helicopter"]
Colour: TypeAlias = Literal[
    "white", "pink", "grey", "green", "yellow", "red", "blue", "purple", "black"
]
Icon: TypeAlias = Literal["recon", "engineers", "suppression", "martyrdom"]
Ability: TypeAlias = Literal[
    "transport", "helicopter_hunter", "squad_drones", "stealth", "amphibious", "airborne"
]
SupportKind: TypeAlias = Literal["cas", "artillery", "mortar", "sniper", "drone"]
HiddenKind: TypeAlias = Literal["ied", "mine", "roadblock", "dummy", "sniper"]
Terrain: TypeAlias = Literal["open", "cover", "fortification", "high ground", "water", "bridge"]
Faction: TypeAlias = Literal["USA", "ITA", "RU", "INS"]
Edge: TypeAlias = Literal["nord", "sud", "est", "ovest"]
Refs: TypeAlias = str | tuple[str, ...]
Natural: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]

INFANTRY: Final = "infantry"
VEHICLE: Final = "vehicle"
HELICOPTER: Final = "helicopter"
OPEN, COVER, FORTIFICATION = N_("open"), N_("cover"), N_("fortification")
HIGH_GROUND, WATER, BRIDGE = N_("high ground"), N_("water"), N_("bridge")
TERRAINS: Final = (OPEN, COVER, FORTIFICATION, HIGH_GROUND, WATER, BRIDGE)
TRIANGLES: Final = N_("triangles")
COLOURS: Final = (
    N_("white"),
    N_("pink"),
    N_("grey"),
    N_("green"),
    N_("yellow"),
    N_("red"),
    N_("blue"),
    N_("purple"),
    N_("black"),
)
RECON: Final = "recon"
ENGINEERS: Final = "engineers"
SUPPRESSION: Final = "suppression"
MARTYRDOM: Final = "martyrdom"
TRANSPORT, HUNTER, SQUAD_DRONES = N_("transport"), N_("helicopter_hunter"), N_("squad_drones")
STEALTH, AMPHIBIOUS, AIRBORNE = N_("stealth"), N_("amphibious"), N_("airborne")
CAS, ARTILLERY, MORTAR, SNIPER, DRONE = (
    N_("cas"),
    N_("artillery"),
    N_("mortar"),
    N_("sniper"),
    N_("drone"),
)
IED, MINE, ROADBLOCK, DUMMY = N_("ied"), N_("mine"), N_("roadblock"), N_("dummy")
UNKNOWN = N_("unknown")
WORDS: Final = (
    N_("infantry"),
    N_("vehicle"),
    N_("helicopter"),
    N_("recon"),
    N_("engineers"),
    N_("suppression"),
    N_("martyrdom"),
)
"""Words that messages show; the constants above are literals, so that types can use them."""
IRREGULARS: Final = "INS"


class Weapon(msgspec.Struct, frozen=True, array_like=True):
    """A column of a counter: cost in AP, range in hexes, colour of the die."""

    ap: Annotated[int, msgspec.Meta(ge=1)]
    range: Natural
    die: Colour


class Value(msgspec.Struct, frozen=True, array_like=True):
    """A value of a support: cost in AP and colour of the die."""

    ap: Annotated[int, msgspec.Meta(ge=1)]
    die: Colour


class UnitType(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is printed on the back of a counter."""

    id: str
    name: str = field(name="nome")
    faction: Faction = field(name="fazione")
    kind: Class = field(name="classe")
    light: Weapon = field(name="leggere")
    ref: Refs
    provenance: Provenance = field(name="provenienza")
    heavy: Weapon | None = field(name="pesanti", default=None)
    sam: bool = False
    defence: Natural = field(name="difesa", default=0)
    icons: dict[Icon, Colour] = field(name="azioni", default_factory=dict)
    abilities: tuple[Ability, ...] = field(name="abilita", default=())
    points: Natural = field(name="punti", default=0)
    printed: tuple[str, ...] = field(name="regolamento", default=())


class SupportType(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is printed on a support marker."""

    id: str
    name: str = field(name="nome")
    faction: Faction = field(name="fazione")
    kind: SupportKind = field(name="tipo")
    light: Value = field(name="leggero")
    ref: Refs
    provenance: Provenance = field(name="provenienza")
    heavy: Value | None = field(name="pesante", default=None)
    defence: Natural = field(name="difesa", default=0)
    symbol: bool = field(name="simbolo", default=False)
    other_face: str = field(name="altra_faccia", default="")
    printed: tuple[str, ...] = field(name="regolamento", default=())


class HiddenType(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is on the back of a marker that lies face down."""

    id: str
    kind: HiddenKind = field(name="tipo")
    ref: Refs
    provenance: Provenance = field(name="provenienza")
    die: Colour | None = field(name="dado", default=None)


class DieFaces(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A die: its large combat icons and its small test icons."""

    colour: Colour = field(name="colore")
    name: str = field(name="nome")
    combat: tuple[str, ...] = field(name="combattimento")
    test: tuple[str, ...]


class TerrainType(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the terrain table."""

    id: Terrain
    name: str = field(name="nome")
    icon: str = field(name="icona")
    level: Natural = field(name="livello")
    cost: dict[Class, str] = field(name="costo")
    group: str = field(name="gruppo")
    modifier: int = field(name="modificatore")
    ref: Refs
    provenance: Provenance = field(name="provenienza")
    blocks: bool = field(name="blocca", default=False)
    amphibious: bool = field(name="anfibio", default=False)


class Reinforcement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When and along which edge of the map a unit arrives."""

    turn: Natural = field(name="turno")
    edge: Edge = field(name="bordo")


class Force(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One player's cube, units and supports."""

    factions: tuple[Faction, ...] = field(name="fazioni")
    cube: str = field(name="cubo")
    box: Annotated[int, msgspec.Meta(ge=1, le=40)] = field(name="casella")
    units: dict[str, tuple[str, ...]] = field(name="unita", default_factory=dict)
    reserve: dict[str, int] = field(name="fuori", default_factory=dict)
    reinforcements: dict[str, Reinforcement] = field(name="rinforzi", default_factory=dict)
    supports: dict[str, Natural] = field(name="supporti", default_factory=dict)
    ally: str = field(name="alleato", default="")


class Victory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a scenario is won at the end of its last turn."""

    kind: Literal[
        "population", "hostages", "area", "hold", "objectives", "convoy", "extraction", "none"
    ] = field(name="tipo")
    side: Side = field(name="lato")
    against: Side = field(name="contro")
    wins: int = field(name="vince", default=0)
    draws: int = field(name="pareggio", default=-1)
    losses_count: bool = field(name="perdite_tolgono", default=False)
    row: Natural = field(name="riga", default=0)
    area: tuple[str, ...] = ()
    objectives: dict[str, int] = field(name="obiettivi", default_factory=dict)


class Sudden(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ends a scenario at once: enemy units eliminated, or civilians won over."""

    side: Side = field(name="lato")
    eliminated: Natural = field(name="eliminate", default=0)
    helicopter: Natural = field(name="elicottero_vale", default=1)
    civilians: Natural = field(name="civili", default=0)


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario: map, forces, markers and victory."""

    id: str
    name: str = field(name="nome")
    chapter: Annotated[int, msgspec.Meta(ge=1, le=5)] = field(name="capitolo")
    turns: Annotated[int, msgspec.Meta(ge=1)] = field(name="turni")
    map: str = field(name="mappa")
    forces: dict[Side, Force] = field(name="lati")
    first: Side = field(name="primo")
    victory: Victory = field(name="vittoria")
    ref: Refs
    provenance: Provenance = field(name="provenienza")
    crowds: tuple[str, ...] = field(name="folla", default=())
    civilians: tuple[str, ...] = field(name="civili", default=())
    roadblocks: tuple[str, ...] = field(name="blocchi", default=())
    rubble: tuple[str, ...] = field(name="macerie", default=())
    hidden: dict[str, tuple[str, ...]] = field(name="nascosti", default_factory=dict)
    owner: Side = field(name="proprietario", default="")
    owners: dict[str, Side] = field(name="proprietari", default_factory=dict)
    stock: dict[Side, Natural] = field(name="riserva_blocchi", default_factory=dict)
    martyrdom: bool = field(name="martirio", default=False)
    sudden: tuple[Sudden, ...] = field(name="subito", default=())

    @property
    def locator(self) -> str:
        """The rule of the scenario, as rule code cites it."""
        first = self.ref if isinstance(self.ref, str) else self.ref[0]
        return first.partition(":")[2]

    def says(self, what: str) -> str:
        """The same with the sentence that speaks of something, if there is one."""
        return SENTENCES.get((self.locator, what), self.locator)


SENTENCES: Final = {
    ("scenari.s1", "chapters"): "scenari.s1#capitoli",
    ("scenari.s2", "chapters"): "scenari.s2#capitoli",
    ("scenari.s3", "chapters"): "scenari.s3#capitoli",
    ("scenari.s4", "chapters"): "scenari.s4#capitoli",
    ("scenari.s4", "arrivals"): "scenari.s4#arrivo",
    ("scenari.s5", "arrivals"): "scenari.s5#arrivo",
    ("scenari.s2", "saved"): "scenari.s2#salvo",
    ("scenari.casuali", "saved"): "scenari.casuali#ostaggi",
    ("scenari.s5", "held"): "scenari.s5#tenuto",
    ("scenari.casuali", "held"): "scenari.casuali#obiettivi",
    ("scenari.casuali", "exit"): "scenari.casuali#uscita",
    ("scenari.s1", "sudden"): "scenari.s1#subito",
    ("scenari.s2", "sudden"): "scenari.s2#subito",
    ("scenari.s3", "sudden"): "scenari.s3#subito",
    ("scenari.s4", "sudden"): "scenari.s4#subito",
    ("scenari.s5", "sudden"): "scenari.s5#subito",
    ("scenari.s1", "population"): "scenari.s1#conto",
    ("scenari.s2", "hostages"): "scenari.s2#salvo",
    ("scenari.s3", "area"): "scenari.s3#conto",
    ("scenari.s4", "hold"): "scenari.s4#vittoria-s4",
    ("scenari.s5", "objectives"): "scenari.s5#conto",
    ("scenari.casuali", "population"): "scenari.casuali#cuori",
    ("scenari.casuali", "hostages"): "scenari.casuali#ostaggi",
    ("scenari.casuali", "area"): "scenari.casuali#area",
    ("scenari.casuali", "hold"): "scenari.casuali#avamposto",
    ("scenari.casuali", "objectives"): "scenari.casuali#obiettivi",
    ("scenari.casuali", "convoy"): "scenari.casuali#convoglio",
    ("scenari.casuali", "extraction"): "scenari.casuali#estrazione",
}
"""Sentences in the rules of the scenarios; what decides the game is under its kind of victory."""


class _Dice(msgspec.Struct, frozen=True):
    dice: tuple[DieFaces, ...] = field(name="dadi")
    weights: dict[str, int] = field(name="pesi")


class _Terrains(msgspec.Struct, frozen=True):
    terrains: tuple[TerrainType, ...] = field(name="terreni")


class _Units(msgspec.Struct, frozen=True):
    units: tuple[UnitType, ...] = field(name="unita")


class _Supports(msgspec.Struct, frozen=True):
    supports: tuple[SupportType, ...] = field(name="supporti")
    hidden: tuple[HiddenType, ...] = field(name="nascosti")


DICE: Final = load(data_path("warfare", "dice.yaml"), _Dice)
TERRAIN: Final[Mapping[str, TerrainType]] = MappingProxyType(
    {t.id: t for t in load(data_path("warfare", "terrain.yaml"), _Terrains).terrains}
)
_MARKERS: Final = load(data_path("warfare", "supports.yaml"), _Supports)
SUPPORTS: Final[Mapping[str, SupportType]] = MappingProxyType({s.id: s for s in _MARKERS.supports})
HIDDEN: Final[Mapping[str, HiddenType]] = MappingProxyType({h.id: h for h in _MARKERS.hidden})
ROSTER: Final[Mapping[str, UnitType]] = MappingProxyType(
    {u.id: u for u in load(data_path("warfare", "units.yaml"), _Units).units}
)
ASSUMED_DEFENCE: Final[Mapping[str, int]] = MappingProxyType(
    {INFANTRY: 1, VEHICLE: 2, HELICOPTER: 2}
)
"""What is taken for granted of an enemy unit whose values were never shown."""


def _unseen(kind: Class) -> UnitType:
    return UnitType(
        id=f"? {kind}",
        name="?",
        faction="INS",
        kind=kind,
        light=Weapon(1, 0, "white"),
        ref="warfare:unita.nebbia",
        provenance="ricostruito",
        defence=ASSUMED_DEFENCE[kind],
    )


UNITS: Final[Mapping[str, UnitType]] = MappingProxyType(
    {
        **ROSTER,
        **{t.id: t for t in (_unseen("infantry"), _unseen("vehicle"), _unseen("helicopter"))},
    }
)
"""Every type of unit, and one for each class of an enemy whose values are not known."""


class Sightline(msgspec.Struct, frozen=True):
    """What lies between two hexes: all that is touched, what stands too high, what is level."""

    touched: tuple[str, ...]
    wall: str
    wall_rule: int
    level_with_both: tuple[str, ...]
    cover_level: str


class Field:
    """A board with the questions that rules ask of it answered by printed label."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.labels = tuple(board.label(h) for h in board.hexes())
        self.hex: dict[str, Hex] = {board.label(h): h for h in board.hexes()}
        self.terrain = {board.label(h): board.terrain(h) for h in board.hexes()}
        self.level = {label: TERRAIN[t].level for label, t in self.terrain.items()}
        self.by_direction = {
            label: tuple(self._label(add(h, step)) for step in STEPS)
            for label, h in self.hex.items()
        }
        self.around = {
            label: tuple(n for n in near if n) for label, near in self.by_direction.items()
        }
        self.triangles: dict[str, tuple[str, ...]] = {}
        for (a, b), names in board.sides.items():
            if TRIANGLES in names:
                one, other = board.label(a), board.label(b)
                self.triangles[one] = (*self.triangles.get(one, ()), other)
                self.triangles[other] = (*self.triangles.get(other, ()), one)
        self._lines: dict[tuple[str, str], Sightline] = {}
        self._crossed: dict[tuple[str, str], bool] = {}
        self._distances: dict[str, dict[str, int]] = {}

    def _label(self, h: Hex) -> str:
        return self.board.labels.get(h, "")

    def distance(self, a: str, b: str) -> int:
        """The hexes from `a` to `b`: the first does not count, the last does."""
        return self.distances(a)[b]

    def distances(self, a: str) -> dict[str, int]:
        """The hexes from `a` to every other; found once, then remembered."""
        found = self._distances.get(a)
        if found is None:
            here = self.hex[a]
            found = {label: distance(here, there) for label, there in self.hex.items()}
            self._distances[a] = found
        return found

    def has_triangles(self, a: str, b: str) -> bool:
        """Whether the hexside between two neighbours carries triangles."""
        return b in self.triangles.get(a, ())

    def beyond(self, a: str, b: str) -> str:
        """The hex next to `b` straight away from its neighbour `a`, or nothing off the map."""
        way = direction(self.hex[a], self.hex[b])
        return "" if way is None else self.by_direction[b][way]

    def edge(self, name: Edge) -> tuple[str, ...]:
        """The hexes along an edge of the map."""
        grid = self.board.grid
        last = {"nord": (1, 0), "sud": (1, grid.rows - 1), "ovest": (0, 0)}
        axis, value = last.get(name, (0, grid.columns - 1))
        return tuple(label for label, h in self.hex.items() if grid.offset(h)[axis] == value)

    def row(self, label: str) -> int:
        """The printed number of a hex's row."""
        return self.board.grid.offset(self.hex[label])[1] + 1

    def line(self, a: str, b: str) -> Sightline:
        """What the straight line between two hexes meets; found once, then remembered."""
        known = self._lines.get((a, b))
        if known is None:
            known = self._lines[a, b] = self._trace(a, b)
        return known

    def _trace(self, a: str, b: str) -> Sightline:
        met = line(self.hex[a], self.hex[b])
        hexes = [h for stretch in met.stretches for h in stretch]
        hexes += [h for vertex in met.vertices for h in vertex.touched]
        labels = [label for h in hexes if (label := self._label(h)) and label not in (a, b)]
        touched = tuple(sorted(dict.fromkeys(labels), key=lambda x: self.distance(a, x)))
        low, high = sorted((self.level[a], self.level[b]))
        wall, wall_rule, cover = "", 0, ""
        for label in touched:
            level = self.level[label]
            if level > high:
                wall, wall_rule = label, 2
            elif level > low and level == high:
                wall, wall_rule = label, 3
            elif level == low == high and TERRAIN[self.terrain[label]].blocks and not cover:
                cover = label
            if wall:
                break
        level_with_both = tuple(t for t in touched if low == high == self.level[t])
        return Sightline(touched, wall, wall_rule, level_with_both, cover)

    def enters_through_triangles(self, a: str, b: str) -> bool:
        """Whether the line from `a` enters `b` across triangles, or at a vertex beside them."""
        known = self._crossed.get((a, b))
        if known is None:
            known = self._crossed[a, b] = self._enters(a, b)
        return known

    def _enters(self, a: str, b: str) -> bool:
        walls = self.triangles.get(b)
        if not walls:
            return False
        met, target = line(self.hex[a], self.hex[b]), self.hex[b]
        sides = [edge for edge in met.crossed if target in edge]
        if sides:
            one, other = sides[-1]
            return self._label(other if one == target else one) in walls
        # Only a vertex is left: the two sides that meet there lead to the other two hexes.
        corners = [vertex for vertex in met.vertices if target in vertex.hexes]
        return any(self._label(h) in walls for h in corners[-1].hexes) if corners else False


def map_path(name: str) -> Path:
    """The file of a map of the game."""
    return data_path("warfare", "maps", f"{name}.yaml")


def board_of(source: str | Path) -> Board:
    """A board from a file or a text."""
    return load_board(source, TERRAINS, (TRIANGLES,))


@cache
def packaged_field(name: str) -> Field:
    """A map of the game."""
    return Field(board_of(map_path(name)))


SCENARIO_IDS: Final = ("s1", "s2", "s3", "s4", "s5", "s5-3", "s5-4")
EXAMPLES: Final = "esempi"


@cache
def packaged_scenario(name: str) -> Scenario:
    """A scenario of the game."""
    return read_scenario(data_path("warfare", "scenarios", f"{name}.yaml"))


def read_scenario(path: Path) -> Scenario:
    """A scenario from its file; DataErrors names every fault."""
    doc = Document(path)
    found = doc.convert(Scenario)
    if not map_path(found.map).is_file():
        doc.fault("$.mappa", msg(N_("There is no map called {name}"), name=found.map))
        doc.check()
    sides = tuple(found.forces)
    for where, side in (
        ("$.primo", found.first),
        ("$.vittoria.lato", found.victory.side),
        ("$.vittoria.contro", found.victory.against),
        *((f"$.lati.{s}.alleato", force.ally) for s, force in found.forces.items() if force.ally),
    ):
        if side not in sides:
            wrong = msg(N_("{value} is not one of: {allowed}"), value=side, allowed=sides)
            doc.fault(where, wrong)
    known = packaged_field(found.map)
    for side, force in found.forces.items():
        for name, hexes in force.units.items():
            _check_unit(doc, name, f"$.lati.{side}.unita.{name}")
            _check_hexes(doc, known, hexes, f"$.lati.{side}.unita.{name}")
        for name in (*force.reserve, *force.reinforcements):
            _check_unit(doc, name, f"$.lati.{side}")
        for name in force.supports:
            if name not in SUPPORTS:
                doc.fault(f"$.lati.{side}.supporti.{name}", msg(N_("No support {id}"), id=name))
    for key, hexes in (
        ("folla", found.crowds),
        ("civili", found.civilians),
        ("blocchi", found.roadblocks),
        ("macerie", found.rubble),
        *((f"nascosti.{name}", hexes) for name, hexes in found.hidden.items()),
        ("vittoria.area", found.victory.area),
        ("vittoria.obiettivi", tuple(found.victory.objectives)),
    ):
        _check_hexes(doc, known, hexes, f"$.{key}")
    for name in found.hidden:
        if name not in HIDDEN:
            doc.fault(f"$.nascosti.{name}", msg(N_("No hidden marker {id}"), id=name))
    doc.check()
    return found


def _check_unit(doc: Document, name: str, path: str) -> None:
    if name not in ROSTER:
        doc.fault(path, msg(N_("No unit {id}"), id=name))


def _check_hexes(doc: Document, known: Field, hexes: tuple[str, ...], path: str) -> None:
    for label in hexes:
        try:
            known.board.hex_at(label)
        except BadLabel:
            doc.fault(path, msg(N_("{label} is not on the map"), label=label))
