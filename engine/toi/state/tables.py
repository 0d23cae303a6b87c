"""Components, terrains, cards, scenarios and maps: `data/*.yaml` as typed, frozen records.

Refs: toi:componenti.*, toi:scheda.lettura, toi:limiti.componenti, toi:intro.scenari.

Enum values are English words because messages show them; the records keep the Italian name that
a player reads on the piece. Each record says where it comes from (`provenance`, and `sources`
for the values that come from elsewhere) and which rule it belongs to (`ref`).

Cards say what they do with `effect`, in this vocabulary (fields not listed are left at rest):

    receive_regulars    n regular figures into own squads below full strength
    cover_bonus         trigger squad_attacked: +n cover against that attack
    firepower_bonus     trigger squad_attacks_heavy or heavy_attacks_vehicle: +n firepower
    rally_pinned        up to n own squads lose pinned
    rally_one           one own squad: disrupted becomes pinned, or pinned becomes normal
    wide_determination  the officers' determination also reaches adjacent squads (until)
    stand_fast          trigger must_retreat: no retreat, squads pinned, no advance
    draw_card           n cards from own decks
    shake               an enemy squad within `range` and seen by a ready squad: one die, `roll`
                        or more gives n suppressive hits
    assault_order       up to n ready squads assault one after the other, without the movement
                        penalty and with +bonus firepower
    ready_unit          n own fatigued units lose the activation marker
    cut_initiative      up to n command leave the enemy's initiative card
    raise_initiative    n command from the supply go on the own initiative card
    more_actions        n more actions in this action turn
    march_order         own squads on Advance have +n movement (until)
    receive_command     n command
    coordinated_fire    one concentrated fire in which up to n supporters are not halved
    motor_column        a ready transport advances; then n passengers dismount for nothing
    receive_squad       a squad of `figures` (codes) in the reinforcement zone
    off_board_attack    keywords: contact, target, drift, area, blast; `following` is one more
                        area attack on the next hex in a compass direction declared with the target
    off_board_smoke     keywords: contact, target, drift; smoke there and in up to n adjacent hexes
    cheaper_cards       other own cards of `family` cost n less
    reroll_drift        trigger drift_rolled: roll both dice again
    forward_observer    a ready squad that sees the target makes the drift number n
    easier_contact      contact numbers of own cards of `family` are n less, not below `minimum`
    conceal             n own squads in one hex, not adjacent to enemies, become concealed
    place_smoke         smoke within `range` of a ready squad
    dig_trench          n trenches in a hex with an own squad, as engineers may
    give_token          `token` to an own squad without heavy weapons or token
    repair              an own vehicle not adjacent to enemies: damage one degree less
    place_wire          razor wire in a hex without enemies within `range` of an own squad

Keywords: `contact` is the number to reach (0: none is needed); `target` any, or seen by a ready
squad; `drift` whether the target hex may drift; `area` and `blast` are attacks, suppressive or
normal, on the final hex and on each adjacent one. A card with a `trigger` is lasting, and is
discarded when its owner uses it at that moment. `until` next_status: it is discarded at the
end of the next round's status phase. Off-board attacks hit friends too (toi:strategia.fuoco-amico).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import field

from engine.core.board import Board, Provenance, load_board
from engine.core.data import DataErrors, Document, Fault, data_files, data_path, load
from engine.core.hexes import BadLabel, Edge, Hex, edge
from engine.core.text import N_, Fact, Msg, msg

Nation: TypeAlias = Literal["us", "de"]
Token: TypeAlias = Literal["anti-tank", "engineer", "flamethrower", "medic"]
Kind: TypeAlias = Literal[
    "regular", "elite", "officer", "machine_gun", "mortar", "truck", "half_track", "tank"
]
Category: TypeAlias = Literal["infantry", "light", "heavy"]
AttackKind: TypeAlias = Literal["normal", "suppressive"]
Positive: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
Natural: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]

NATIONS: Final[tuple[Nation, ...]] = ("us", "de")
ROAD: Final = N_("road")

WORDS: Final = (
    N_("open"),
    N_("rough"),
    N_("woods"),
    N_("building"),
    N_("ford"),
    N_("flooded river"),
    N_("deep river"),
    N_("lake"),
    N_("bridge"),
)
"""The terrains as messages show them, marked for the catalogs."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every record carries: its source, the values with another source, its rule."""

    provenance: Provenance = field(name="provenienza")
    ref: str
    sources: dict[str, Provenance] = field(name="fonti", default={})
    note: str = field(name="nota", default="")

    def source(self, *keys: str) -> Provenance:
        """Where a value comes from: by the first key that has a source of its own."""
        return next((self.sources[key] for key in keys if key in self.sources), self.provenance)


PRINTED: Final = "regolamento"


def doubt(*sources: Provenance) -> dict[str, Fact]:
    """What a message says besides, where no source of a number is the book."""
    return {} if PRINTED in sources or not sources else {"source": sources[0]}


# Figures and vehicles


class Weapon(msgspec.Struct, frozen=True, array_like=True):
    """Range and firepower against one type of target."""

    range: Positive
    power: Positive


class UnitType(Record, frozen=True, kw_only=True):
    """One of the seventeen miniatures, as its line of the reference card (toi:scheda.lettura)."""

    id: str
    name: str = field(name="nome")
    nation: Nation = field(name="nazione")
    kind: Kind = field(name="genere")
    category: Category = field(name="categoria")
    movement: Positive = field(name="pm")
    limit: Positive = field(name="quanti")
    holes: Natural = field(name="fori", default=0)
    infantry: Weapon | None = field(name="fanteria", default=None)
    vehicles: Weapon | None = field(name="veicoli", default=None)
    suppressive: Weapon | None = field(name="soppressivo", default=None)
    normal: Weapon | None = field(name="normale", default=None)
    armor: Natural = field(name="blindatura", default=0)
    transport: Natural = field(name="trasporto", default=0)
    traits: tuple[str, ...] = field(name="tratti", default=())

    @property
    def code(self) -> str:
        """The id without the nation, as forces are written."""
        return self.id.partition("_")[2]

    @property
    def is_vehicle(self) -> bool:
        """Whether it is a vehicle, light or heavy."""
        return self.category != "infantry"

    @property
    def is_heavy_weapon(self) -> bool:
        """Whether it is a machine gun or mortar crew (toi:definizioni.armi-pesanti)."""
        return self.holes == 2


class _UnitFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    units: tuple[UnitType, ...] = field(name="miniature")


# Terrain, fortifications, obstacles


class TerrainType(Record, frozen=True, kw_only=True):
    """A terrain; a cost of None forbids the entry."""

    id: str
    name: str = field(name="nome")
    blocks: bool = field(name="blocca", default=False)
    squads: Positive | None = field(name="squadre", default=None)
    vehicles: Positive | None = field(name="veicoli", default=None)
    cover: Natural = field(name="copertura", default=0)
    road_helps: bool = field(name="strada", default=True)
    can_dig: bool = field(name="scavo", default=True)
    can_smoke: bool = field(name="fumo", default=True)


class MarkerType(Record, frozen=True, kw_only=True):
    """A fortification, an obstacle or smoke, placed by scenarios or made in play."""

    id: str
    name: str = field(name="nome")
    kind: Literal["fortification", "obstacle", "smoke"] = field(name="genere")
    per_hex: Positive = field(name="massimo")
    stock: str = field(name="scorta")
    enter: Natural = field(name="entrare", default=0)
    leave: Natural = field(name="uscire", default=0)
    cover: Natural = field(name="copertura", default=0)
    covers: Literal["", "occupant", "squads", "all"] = field(name="a", default="")
    halves: Literal["", "squads", "all"] = field(name="meta", default="")
    blocks: bool = field(name="blocca", default=False)
    dice: Natural = field(name="dadi", default=0)
    hits_on: Natural = field(name="colpisce", default=0)


class _TerrainFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    terrains: tuple[TerrainType, ...] = field(name="terreni")
    markers: tuple[MarkerType, ...] = field(name="segnalini")


class Components(Record, frozen=True, kw_only=True):
    """The contents of the box, where they limit the play (toi:limiti.componenti)."""

    bases: dict[Nation, dict[int, int]] = field(name="basette")
    holes: int = field(name="fori")
    concealed: dict[Nation, int] = field(name="nascoste")
    transports: dict[Nation, int] = field(name="trasporti")
    tokens: dict[Token, int] = field(name="specializzazioni")
    command_objectives: dict[str, int] = field(name="obiettivi_comando")
    victory_objectives: int = field(name="obiettivi_vittoria")
    stocks: dict[str, int] = field(name="scorte")
    cards: dict[str, int] = field(name="carte")


# Cards


class Attack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An attack from off the board."""

    kind: AttackKind = field(name="tipo")
    power: Positive = field(name="potenza")


EffectId: TypeAlias = Literal[
    "receive_regulars",
    "cover_bonus",
    "firepower_bonus",
    "rally_pinned",
    "rally_one",
    "wide_determination",
    "stand_fast",
    "draw_card",
    "shake",
    "assault_order",
    "ready_unit",
    "cut_initiative",
    "raise_initiative",
    "more_actions",
    "march_order",
    "receive_command",
    "coordinated_fire",
    "motor_column",
    "receive_squad",
    "off_board_attack",
    "off_board_smoke",
    "cheaper_cards",
    "reroll_drift",
    "forward_observer",
    "easier_contact",
    "conceal",
    "place_smoke",
    "dig_trench",
    "give_token",
    "repair",
    "place_wire",
]
Trigger: TypeAlias = Literal[
    "", "squad_attacked", "squad_attacks_heavy", "heavy_attacks_vehicle", "must_retreat",
    "drift_rolled",
]  # fmt: skip


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a strategy card does; see the vocabulary of this module."""

    id: EffectId
    n: Natural = 0
    range: Natural = field(name="raggio", default=0)
    roll: Natural = field(name="tiro", default=0)
    bonus: Natural = 0
    minimum: Natural = field(name="minimo", default=0)
    family: str = field(name="famiglia", default="")
    token: Token | None = field(name="gettone", default=None)
    figures: tuple[str, ...] = field(name="miniature", default=())
    trigger: Trigger = field(name="quando", default="")
    until: Literal["", "next_status"] = field(name="dura", default="")
    contact: Natural = field(name="contatto", default=0)
    target: Literal["", "any", "seen"] = field(name="bersaglio", default="")
    drift: bool = field(name="deriva", default=False)
    area: Attack | None = None
    blast: Attack | None = field(name="scoppio", default=None)
    following: Attack | None = field(name="seguente", default=None)


class StrategyCard(Record, frozen=True, kw_only=True):
    """A strategy card (toi:strategia.generale)."""

    id: str
    name: str = field(name="nome")
    phase: Literal["action", "command"] = field(name="fase")
    cost: Natural = field(name="costo")
    text: str = field(name="testo")
    effect: Effect = field(name="effetto")
    plus: bool = field(name="piu", default=False)
    lasting: bool = field(name="resta", default=False)

    @property
    def deck(self) -> str:
        """The id of its deck."""
        return self.id.partition("-")[0]


class Deck(Record, frozen=True, kw_only=True):
    """A deck of strategy cards; `family` is the name that effects mean (toi:strategia.tipi)."""

    id: str
    name: str = field(name="nome")
    family: str = field(name="famiglia")
    cards: tuple[StrategyCard, ...] = field(name="carte")


class _CardFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    decks: tuple[Deck, ...] = field(name="mazzi")


class OperationCard(Record, frozen=True, kw_only=True):
    """A standing rule of a scenario (toi:operazioni.generale)."""

    id: str
    name: str = field(name="nome")
    text: str = field(name="testo")
    effect: Literal[
        "desperate_defence",
        "camouflage",
        "double_time",
        "make_smoke",
        "clear_mines",
        "lay_wire",
        "fog",
        "tank_ace",
        "inspiring_leaders",
        "no_surrender",
    ] = field(name="effetto")
    n: Natural = 0
    range: Natural = field(name="raggio", default=0)
    both: bool = field(name="entrambi", default=False)


class _OperationFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    operations: tuple[OperationCard, ...] = field(name="operazioni")


# What the box holds

UNITS: Final[Mapping[str, UnitType]] = MappingProxyType(
    {unit.id: unit for unit in load(data_path("toi", "units.yaml"), _UnitFile).units}
)
_TERRAIN_FILE: Final = load(data_path("toi", "terrain.yaml"), _TerrainFile)
TERRAINS: Final[Mapping[str, TerrainType]] = MappingProxyType(
    {terrain.id: terrain for terrain in _TERRAIN_FILE.terrains}
)
MARKERS: Final[Mapping[str, MarkerType]] = MappingProxyType(
    {marker.id: marker for marker in _TERRAIN_FILE.markers}
)
COMPONENTS: Final = load(data_path("toi", "components.yaml"), Components)
DECKS: Final[Mapping[str, Deck]] = MappingProxyType(
    {deck.id: deck for deck in load(data_path("toi", "cards.yaml"), _CardFile).decks}
)
CARDS: Final[Mapping[str, StrategyCard]] = MappingProxyType(
    {card.id: card for deck in DECKS.values() for card in deck.cards}
)
OPERATIONS: Final[Mapping[str, OperationCard]] = MappingProxyType(
    {card.id: card for card in load(data_path("toi", "operations.yaml"), _OperationFile).operations}
)


def unit_type(nation: str, code: str) -> UnitType:
    """The miniature of a nation with that code: reg, eli, uff, mg, mor, m4 …"""
    return UNITS[f"{nation}_{code}"]


# Maps


@lru_cache(maxsize=256)
def board(
    map_id: str,
    overlays: tuple[tuple[str, str], ...] = (),
    roads: tuple[tuple[str, ...], ...] = (),
) -> Board:
    """A map with overlays, which replace the printed terrain (toi:componenti.mappe).

    An overlay is a hex label and a terrain, with its elevation unless 0: ("E5", "woods 1").
    Raises DataErrors when a name or a label does not exist.
    """
    printed = _printed(map_id)
    if not overlays and not roads:
        return printed
    terrains = dict(printed.terrains)
    elevations = dict(printed.elevations)
    laid = dict(printed.roads)
    faults: list[Fault] = []
    for label, text in overlays:
        name, _, last = text.rpartition(" ")
        terrain, elevation = (name, int(last)) if last.isdigit() else (text, 0)
        h = _hex(printed, label, faults)
        if terrain not in TERRAINS:
            unknown = msg(N_("Unknown terrain {terrain}"), terrain=terrain)
            faults.append(_fault(printed, label, unknown))
        elif h is not None:
            terrains[h], elevations[h] = terrain, elevation
    lines = [
        tuple(h for label in labels if (h := _hex(printed, label, faults)) is not None)
        for labels in roads
    ]
    for steps in lines:
        for a, b in pairwise(steps):
            _lay(printed, laid, a, b, faults)
    if faults:
        raise DataErrors(faults)
    return msgspec.structs.replace(
        printed,
        terrains=MappingProxyType(terrains),
        elevations=MappingProxyType(elevations),
        roads=MappingProxyType(laid),
        lines=MappingProxyType({ROAD: (*printed.lines.get(ROAD, ()), *lines)}),
    )


@lru_cache(maxsize=64)
def _printed(map_id: str) -> Board:
    path = data_path("toi", "maps", f"{map_id}.yaml")
    return load_map(path)


def load_map(source: str | Path) -> Board:
    """A map file of this title; DataErrors holds every fault."""
    return load_board(source, TERRAINS, (ROAD,))


def map_ids() -> tuple[str, ...]:
    """The maps that the program carries."""
    return tuple(path.stem for path in data_files("toi", "maps"))


def _fault(printed: Board, label: str, message: Msg) -> Fault:
    """A fault of an overlay, named after the map it lies on."""
    return Fault(printed.name, f"$.{label}", 1, message)


def _hex(printed: Board, label: str, faults: list[Fault]) -> Hex | None:
    try:
        return printed.hex_at(label)
    except BadLabel:
        faults.append(_fault(printed, label, msg(N_("{label} is not on the map"), label=label)))
        return None


def _lay(
    printed: Board, laid: dict[Edge, tuple[str, ...]], a: Hex, b: Hex, faults: list[Fault]
) -> None:
    try:
        laid[edge(a, b)] = (ROAD,)
    except ValueError:
        labels = {"a": printed.label(a), "b": printed.label(b)}
        apart = msg(N_("{a} and {b} are not adjacent"), **labels)
        faults.append(_fault(printed, labels["b"], apart))


# Scenarios


class Force(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Bases, figures to fill them and vehicles; by code, without the nation."""

    bases: Natural = field(name="basette", default=0)
    figures: dict[str, Positive] = field(name="miniature", default={})
    vehicles: dict[str, Positive] = field(name="veicoli", default={})


class Reinforcement(Force, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A force that arrives in the status phase of a round (toi:stato.rinforzi)."""

    round: Positive = field(name="fine_round")
    side: Nation = field(name="lato")
    division: Literal[1, 2] = field(name="divisione", default=1)


class Deployment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a side sets up: whole rows, single hexes, or both."""

    rows: tuple[Positive, Positive] | None = field(name="righe", default=None)
    hexes: tuple[str, ...] = field(name="esagoni", default=())


class CommandObjective(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command objective: whose it is, and what it yields (toi:comando.entrate)."""

    hex: str = field(name="esagono")
    owner: Literal["us", "de", "neutral"] = field(name="tipo")
    value: Positive = field(name="valore")


class VictoryObjective(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A victory objective, with the points of each round where points are counted."""

    hex: str = field(name="esagono")
    points: Natural = field(name="pv", default=0)


class ControlVictory(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="tipo", tag="control"
):
    """`side` wins at once with `instant` objectives, at the end with `final`; else `other`."""

    side: Nation = field(name="lato")
    instant: Positive = field(name="subito")
    final: Positive = field(name="alla_fine")
    other: Nation = field(name="altrimenti")


class PointsVictory(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="tipo", tag="points"
):
    """Most victory points after the last round; a tie goes to the initiative."""


class ScenarioData(Record, frozen=True, kw_only=True):
    """A scenario (toi:intro.scenari)."""

    id: str
    name: str = field(name="nome")
    complexity: Positive = field(name="complessita")
    map: str = field(name="mappa")
    rounds: Positive = field(name="round")
    actions: dict[Nation, Positive] = field(name="azioni")
    initiative: Nation = field(name="iniziativa")
    forces: dict[Nation, dict[Literal[1, 2], Force]] = field(name="forze")
    decks: dict[Nation, tuple[str, ...]] = field(name="mazzi")
    starting_cards: dict[Nation, Natural] = field(name="carte_iniziali")
    deployment: dict[Nation, Deployment] = field(name="spiegamento")
    victory: ControlVictory | PointsVictory = field(name="vittoria")
    overlays: dict[str, str] = field(name="sovrapposizioni", default={})
    markers: dict[str, tuple[str, ...]] = field(name="segnalini", default={})
    tokens: dict[Nation, dict[Token, Positive]] = field(name="specializzazioni", default={})
    concealed: dict[Nation, Positive] = field(name="nascoste", default={})
    operations: dict[Nation, tuple[str, ...]] = field(name="operazioni", default={})
    command: dict[Nation, Natural] = field(name="comandi", default={})
    zone: dict[Nation, tuple[str, ...]] = field(name="zona_rinforzi", default={})
    reinforcements: tuple[Reinforcement, ...] = field(name="rinforzi", default=())
    command_objectives: tuple[CommandObjective, ...] = field(name="obiettivi_comando", default=())
    victory_objectives: tuple[VictoryObjective, ...] = field(name="obiettivi_vittoria", default=())

    def board(self) -> Board:
        """The map with the scenario's overlays."""
        return board(self.map, tuple(self.overlays.items()))

    def deployment_hexes(self, nation: Nation) -> tuple[str, ...]:
        """The labels of a side's deployment area (toi:preparazione.6-spiegamento)."""
        area = self.deployment[nation]
        first, last = area.rows or (1, 0)
        here = self.board()
        return tuple(
            here.label(h)
            for h in here.hexes()
            if first <= here.grid.offset(h)[1] + 1 <= last or here.label(h) in area.hexes
        )


def load_scenario(source: str | Path) -> ScenarioData:
    """A scenario file; DataErrors holds every fault (toi:limiti.componenti)."""
    doc = Document(source)
    scenario = doc.convert(ScenarioData)
    for path, message in _scenario_faults(scenario):
        doc.fault(path, message)
    doc.check()
    return scenario


@lru_cache(maxsize=1)
def scenarios() -> Mapping[str, ScenarioData]:
    """The scenarios that the program carries, by id."""
    paths = data_files("toi", "scenarios")
    return MappingProxyType({found.id: found for found in map(load_scenario, paths)})


def _scenario_faults(scenario: ScenarioData) -> Iterator[tuple[str, Msg]]:
    """Everything in a scenario that does not fit the box or the map."""
    if scenario.map not in map_ids():
        yield "$.mappa", msg(N_("There is no map called {name}"), name=scenario.map)
        return
    missing = tuple(_side_faults(scenario))
    yield from missing
    if missing:
        return
    yield from _force_faults(scenario)
    yield from _box_faults(scenario)
    yield from _place_faults(scenario)


def _side_faults(scenario: ScenarioData) -> Iterator[tuple[str, Msg]]:
    """Both sides have what every game needs."""
    for key, given in (
        ("azioni", scenario.actions),
        ("forze", scenario.forces),
        ("mazzi", scenario.decks),
        ("carte_iniziali", scenario.starting_cards),
        ("spiegamento", scenario.deployment),
    ):
        for nation in get_args(Nation):
            if nation not in given:
                yield f"$.{key}", msg(N_("Key {key} is missing"), key=nation)


def _force_faults(scenario: ScenarioData) -> Iterator[tuple[str, Msg]]:
    """Bases are filled exactly with figures of the nation (toi:preparazione.5-forza-piena)."""
    for path, nation, force in _forces(scenario):
        for key, codes, is_vehicle in (
            ("miniature", force.figures, False),
            ("veicoli", force.vehicles, True),
        ):
            for code in codes:
                found = UNITS.get(f"{nation}_{code}")
                if found is None or found.is_vehicle != is_vehicle:
                    unknown = msg(N_("{side} has no piece called {code}"), side=nation, code=code)
                    yield f"{path}.{key}.{code}", unknown
        holes = sum(
            UNITS[f"{nation}_{code}"].holes * n
            for code, n in force.figures.items()
            if f"{nation}_{code}" in UNITS
        )
        if holes != COMPONENTS.holes * force.bases:
            wrong = N_("The figures fill {holes} holes, the bases have {expected}")
            yield path, msg(wrong, holes=holes, expected=COMPONENTS.holes * force.bases)


def _forces(scenario: ScenarioData) -> Iterator[tuple[str, Nation, Force]]:
    for nation, divisions in scenario.forces.items():
        for division, force in divisions.items():
            yield f"$.forze.{nation}.{division}", nation, force
    for n, arrival in enumerate(scenario.reinforcements):
        yield f"$.rinforzi[{n}]", arrival.side, arrival


def _box_faults(scenario: ScenarioData) -> Iterator[tuple[str, Msg]]:
    """Nothing beyond the contents of the box (toi:limiti.componenti)."""
    used: dict[tuple[str, str], int] = {}
    allowed: dict[tuple[str, str], int] = {}

    def count(path: str, name: str, n: int, limit: int) -> None:
        used[path, name] = used.get((path, name), 0) + n
        allowed[path, name] = limit

    for _path, nation, force in _forces(scenario):
        for code, n in (*force.figures.items(), *force.vehicles.items()):
            if found := UNITS.get(f"{nation}_{code}"):
                count("$.forze", found.id, n, found.limit)
    for nation, divisions in scenario.forces.items():
        for division, force in divisions.items():
            limit = COMPONENTS.bases[nation][division]
            count(f"$.forze.{nation}.{division}.basette", "basette", force.bases, limit)
    for arrival in scenario.reinforcements:
        path = f"$.forze.{arrival.side}.{arrival.division}.basette"
        limit = COMPONENTS.bases[arrival.side][arrival.division]
        count(path, "basette", arrival.bases, limit)
    for tokens in scenario.tokens.values():
        for token, n in tokens.items():
            count("$.specializzazioni", token, n, COMPONENTS.tokens[token])
    for nation, n in scenario.concealed.items():
        count(f"$.nascoste.{nation}", "nascoste", n, COMPONENTS.concealed[nation])
    for name, hexes in scenario.markers.items():
        if name in MARKERS:
            stock = MARKERS[name].stock
            count("$.segnalini", stock, len(hexes), COMPONENTS.stocks[stock])
    for objective in scenario.command_objectives:
        limit = COMPONENTS.command_objectives[objective.owner]
        count("$.obiettivi_comando", objective.owner, 1, limit)
    victory = len(scenario.victory_objectives)
    count("$.obiettivi_vittoria", "obiettivi", victory, COMPONENTS.victory_objectives)
    for (path, name), n in used.items():
        if n > allowed[path, name]:
            wrong = N_("{n} pieces called {name}, the box has {limit}")
            yield path, msg(wrong, n=n, name=name, limit=allowed[path, name])


def _place_faults(scenario: ScenarioData) -> Iterator[tuple[str, Msg]]:
    """Every name exists, and every hex is on the map."""
    for nation, decks in scenario.decks.items():
        for n, deck in enumerate(decks):
            if deck not in DECKS:
                yield f"$.mazzi.{nation}[{n}]", msg(N_("There is no deck called {name}"), name=deck)
    for nation, cards in scenario.operations.items():
        for n, card in enumerate(cards):
            if card not in OPERATIONS:
                missing = msg(N_("There is no operation card called {name}"), name=card)
                yield f"$.operazioni.{nation}[{n}]", missing
    for name in scenario.markers:
        if name not in MARKERS:
            yield f"$.segnalini.{name}", msg(N_("There is no marker called {name}"), name=name)
    yield from _crowding_faults(scenario)
    try:
        here = scenario.board()
    except DataErrors as wrong:
        for fault in wrong.faults:
            yield "$.sovrapposizioni", fault.msg
        return
    for path, label in _labels(scenario):
        try:
            here.hex_at(label)
        except BadLabel:
            yield path, msg(N_("{label} is not on the map"), label=label)


def _crowding_faults(scenario: ScenarioData) -> Iterator[tuple[str, Msg]]:
    """So many of a kind in a hex (toi:fortificazioni.massimo, toi:ostacoli.mine-massimo)."""
    found: dict[tuple[str, str], int] = {}
    for name, labels in scenario.markers.items():
        marker = MARKERS.get(name)
        if marker is None:
            continue
        kind = marker.kind if marker.kind == "fortification" else name
        for n, label in enumerate(labels):
            found[kind, label] = found.get((kind, label), 0) + 1
            if found[kind, label] > marker.per_hex:
                wrong = N_("{label} has {n} markers called {name}, at most {limit}")
                count, limit = found[kind, label], marker.per_hex
                fault = msg(wrong, label=label, n=count, name=name, limit=limit)
                yield f"$.segnalini.{name}[{n}]", fault


def _labels(scenario: ScenarioData) -> Iterator[tuple[str, str]]:
    lists: dict[str, tuple[str, ...]] = {
        **{f"$.segnalini.{name}": hexes for name, hexes in scenario.markers.items()},
        **{f"$.zona_rinforzi.{side}": hexes for side, hexes in scenario.zone.items()},
        **{f"$.spiegamento.{side}.esagoni": a.hexes for side, a in scenario.deployment.items()},
        "$.obiettivi_comando": tuple(o.hex for o in scenario.command_objectives),
        "$.obiettivi_vittoria": tuple(o.hex for o in scenario.victory_objectives),
    }
    for path, labels in lists.items():
        for n, label in enumerate(labels):
            yield f"{path}[{n}]", label
