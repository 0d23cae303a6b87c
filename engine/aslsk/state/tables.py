"""The tables and counters of the game, read from `data` (1.2, 3.2.3, 3.2.4, 3.8, 7.9)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import field

from engine.aslsk.state.ground import ground, map_path
from engine.core.board import Provenance
from engine.core.data import Document, data_files, data_path, load
from engine.core.late import looked
from engine.core.text import N_, Msg, msg

NATIONS = (
    N_("american"),
    N_("german"),
    N_("russian"),
    N_("british"),
    N_("italian"),
    N_("allied minor"),
)

SQUAD, HS, CREW, SMC = N_("squad"), N_("hs"), N_("crew"), N_("smc")


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where a number comes from, and whether it waits for somebody with the game at hand."""

    provenance: Provenance = field(name="provenienza")
    verify: bool = field(name="verificare", default=False)
    ref: str = ""
    note: str = field(name="nota", default="")

    @property
    def is_doubtful(self) -> bool:
        """Whether a player should be told: neither the book nor a public source settles it."""
        return self.verify or self.provenance in ("memoria", "ricostruito")


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A file of tables; `origins` names those with another source, from `table` to `table.row`."""

    provenance: Provenance = field(name="provenienza")
    ref: str
    origins: dict[str, Origin] = field(name="origini", default={})

    def origin(self, *path: object) -> Origin:
        """The origin of a number: the most exact that is given, else the file's."""
        keys = [str(key) for key in path]
        for size in range(len(keys), 0, -1):
            found = self.origins.get(".".join(keys[:size]))
            if found is not None:
                return found
        return Origin(provenance=self.provenance, ref=self.ref)


class _Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A counter; `sources` and `verify` name the values that differ from the rest of its file."""

    sources: dict[str, Provenance] = field(name="fonti", default={})
    verify: tuple[str, ...] = field(name="verificare", default=())
    note: str = field(name="nota", default="")

    @property
    def reconstructed(self) -> tuple[str, ...]:
        """The values that are ours."""
        return tuple([key for key, where in self.sources.items() if where == "ricostruito"])


class IftFile(_Record, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The Infantry Fire Table with its side tables."""

    columns: tuple[int, ...] = field(name="colonne")
    rows: dict[int, tuple[str, ...]] = field(name="righe")
    calibres: dict[int, int] = field(name="calibri")
    residual: tuple[tuple[int, ...], ...] = field(name="residuo")


class Band(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """To Hit numbers of a band of ranges."""

    first: int = field(name="da")
    last: int = field(name="a")
    black: int = field(name="neri")
    red: int = field(name="rossi")
    critical: int = field(name="critico", default=0)
    red_critical: int = field(name="critico_rosso", default=0)


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A To Hit DRM by its number on the card; its values where they are fixed (casa.34)."""

    values: tuple[int, ...] = field(name="valori", default=())
    provenance: Provenance = field(name="provenienza")


class ToHitFile(_Record, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """To Hit numbers, their changes, and the fixed DRM tables."""

    vtt: tuple[Band, ...]
    itt: tuple[Band, ...]
    att: tuple[Band, ...]
    bands: tuple[int, ...] = field(name="fasce")
    changes: dict[str, tuple[int, ...]] = field(name="correzioni")
    mortar: int = field(name="mortaio")
    mortar_exceptions: dict[str, dict[int, int]] = field(name="mortaio_eccezioni")
    latw: dict[str, tuple[int, ...]]
    ca: dict[str, tuple[int, int]]
    bounding: dict[str, int]
    cases: dict[int, Case] = field(name="casi")


class ToKillFile(_Record, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """To Kill numbers by ammunition."""

    ap: dict[str, int]
    ap_bands: tuple[int, ...] = field(name="ap_fasce")
    ap_range: dict[int, tuple[int, ...]] = field(name="ap_distanza")
    apcr: dict[str, int]
    apcr_bands: tuple[int, ...] = field(name="apcr_fasce")
    apcr_range: dict[int, tuple[int, ...]] = field(name="apcr_distanza")
    apds_range: tuple[int, ...] = field(name="apds_distanza")
    heat: dict[str, int]
    heat_latw: dict[str, int]
    he: dict[int, int]
    dc: int
    ft: int
    af_levels: tuple[int, ...] = field(name="livelli_af")


class OtherFile(_Record, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Close Combat, Leader Creation, Bog and crews."""

    cc: tuple[tuple[int, int, int], ...]
    cc_beyond: int = field(name="cc_oltre")
    ccv: dict[str, int]
    leader: dict[int, str]
    leader_drm: dict[str, int]
    bog_pressure: dict[str, int] = field(name="bog_pressione")
    bog_half_woods: int = field(name="bog_bosco_meta")
    bog_building: int = field(name="bog_edificio")
    bog_ac_woods: int = field(name="bog_ac_bosco")
    crews: dict[str, int] = field(name="equipaggi")


class Mmc(_Printed, frozen=True, forbid_unknown_fields=True):
    """A squad, HS or crew as printed (1.2.2); leaders become one too (1.2.1)."""

    name: str = field(name="nome")
    nation: str = field(name="lato")
    kind: str = field(name="tipo")
    grade: str = field(name="classe", default="E")
    fp: int = 0
    range: int = 0
    morale: int = 7
    broken: int = 7
    smoke: int = field(name="fumo", default=0)
    assault: bool = field(name="assalto", default=False)
    no_elr: bool = field(name="niente_elr", default=False)
    reduced: str = field(name="riduzione", default="")
    lower: str = field(name="inferiore", default="")
    leadership: int = field(name="drm", default=0)

    @property
    def is_mmc(self) -> bool:
        """Squad, HS or crew."""
        return self.kind != SMC

    @property
    def self_rallies(self) -> bool:
        """Boxed broken morale: leaders and crews (1.2.3)."""
        return self.kind in (SMC, CREW)


class LeaderFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A leader as printed: the same for every nationality."""

    morale: int
    drm: int
    lower: str = field(name="inferiore", default="")


class CountersFile(_Record, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All personnel."""

    mmc: dict[str, Mmc]
    leader: dict[str, LeaderFile]


Year = Annotated[int, msgspec.Meta(ge=0)]
"""A year, or a year and a month as 194406."""


class WeaponType(_Printed, frozen=True, forbid_unknown_fields=True):
    """A support weapon or a Gun as printed (1.2.4, 1.2.6)."""

    name: str = field(name="nome")
    nation: str = field(name="lato")
    kind: str = field(name="tipo")
    grade: str = field(name="classe", default="")
    fp: int = 0
    range: int = 0
    least: int = field(name="minimo", default=0)
    rof: int = 0
    pp: int = 0
    b: int = 12
    x: int = 0
    r: int = 1
    calibre: int = field(name="calibro", default=0)
    barrel: str = field(name="canna", default="")
    tk: str = ""
    m: int = 0
    size: Literal["small", "normal", "large"] = field(name="misura", default="normal")
    ife: int = 0
    is_360: bool = field(name="giro", default=False)
    qsu: bool = False
    no_ap: bool = field(name="senza_ap", default=False)
    no_he: bool = field(name="senza_he", default=False)
    ammo: dict[str, dict[Year, int]] = field(name="munizioni", default={})
    reach: dict[str, tuple[int, int]] = field(name="gittate", default={})
    contact: int = field(name="contatto", default=0)
    since: str = field(name="da", default="")
    is_gun: bool = False

    @property
    def is_mortar(self) -> bool:
        """Mortars use ATT only (6.9)."""
        return self.kind in ("mtr", "MTR")

    @property
    def is_ordnance(self) -> bool:
        """Needs a To Hit DR (2.0.ordnance); an ATR or MG only against vehicles."""
        return self.is_gun or self.kind in ("mtr", "latw")

    @property
    def is_scw(self) -> bool:
        """Shaped-charge LATW (4.4)."""
        return self.kind == "latw"


class WeaponsFile(_Record, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All support weapons and Guns."""

    sw: dict[str, WeaponType]
    gun: dict[str, WeaponType]


class VehicleType(_Printed, frozen=True, forbid_unknown_fields=True):
    """An AFV as printed (1.2.7, 7.0-7.3)."""

    name: str = field(name="nome")
    nation: str = field(name="lato")
    mp: int
    af: tuple[int, int]
    turret: Literal["T", "ST", "RST", "1MT", "NT"] = field(name="torretta")
    calibre: int = field(name="calibro")
    barrel: str = field(name="canna", default="")
    red: bool = field(name="rosso", default=False)
    fails_at: int = field(name="guasto", default=12)
    is_ac: bool = field(name="ac", default=False)
    pressure: Literal["low", "normal", "high"] = field(name="pressione", default="normal")
    turret_af: tuple[int, int] = field(name="af_torretta", default=(0, 0))
    size: int = field(name="misura", default=0)
    rof: int = 0
    ife: int = 0
    b: int = 12
    low_ammo: int = field(name="cerchiato", default=0)
    bmg: int = 0
    cmg: int = 0
    aamg: int = 0
    rmg: int = 0
    no_ap: bool = field(name="senza_ap", default=False)
    ammo: dict[str, dict[Year, int]] = field(name="munizioni", default={})
    smoke: dict[str, int] = field(name="fumogeni", default={})

    @property
    def is_turreted(self) -> bool:
        """Whether the MA is in a turret."""
        return self.turret != "NT"

    @property
    def is_restricted(self) -> bool:
        """RST and 1MT: no MA nor CMG while CE (7.2)."""
        return self.turret in ("RST", "1MT")


class VehiclesFile(_Record, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All AFV."""

    vehicles: dict[str, VehicleType] = field(name="veicoli")


IFT_FILE, TO_HIT_FILE, TO_KILL_FILE = "ift.yaml", "to_hit.yaml", "to_kill.yaml"
OTHER_FILE, ORIGINS_FILE = "other_tables.yaml", "origins.yaml"


@lru_cache(maxsize=1)
def ift_file() -> IftFile:
    """The IFT."""
    return load(data_path("aslsk", IFT_FILE), IftFile)


@lru_cache(maxsize=1)
def to_hit_file() -> ToHitFile:
    """The To Hit tables."""
    return load(data_path("aslsk", TO_HIT_FILE), ToHitFile)


@lru_cache(maxsize=1)
def to_kill_file() -> ToKillFile:
    """The To Kill tables."""
    return load(data_path("aslsk", TO_KILL_FILE), ToKillFile)


@lru_cache(maxsize=1)
def other() -> OtherFile:
    """Close Combat, leaders, Bog."""
    return load(data_path("aslsk", OTHER_FILE), OtherFile)


def _people() -> dict[str, Mmc]:
    file = load(data_path("aslsk", "counters.yaml"), CountersFile)
    found = dict(file.mmc)
    for name, leader in file.leader.items():
        for nation in NATIONS:
            found[f"{code(nation)}-{name}"] = Mmc(
                name,
                nation,
                SMC,
                morale=leader.morale,
                broken=leader.morale,
                leadership=leader.drm,
                lower=f"{code(nation)}-{leader.lower}" if leader.lower else "",
            )
    return found


def code(nation: str) -> str:
    """The two letters that begin the ids of a nationality."""
    return {"allied minor": "am", "american": "us"}.get(nation, nation[:2])


class Saying(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Messages that tell a doubtful number of a table, and the facts with which they do."""

    table: str = field(name="tabella")
    when: dict[str, tuple[str, ...]] = field(name="se", default={})
    origin: Origin = field(name="origine")


class OriginsFile(_Record, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The messages that tell doubtful numbers."""

    sayings: tuple[Saying, ...] = field(name="detti")


READ_LATE: dict[str, type[msgspec.Struct]] = {
    IFT_FILE: IftFile,
    TO_HIT_FILE: ToHitFile,
    TO_KILL_FILE: ToKillFile,
    OTHER_FILE: OtherFile,
    ORIGINS_FILE: OriginsFile,
}
"""The tables that are read when a rule first needs them."""


@lru_cache(maxsize=1)
def _sayings() -> dict[str, list[Saying]]:
    found: dict[str, list[Saying]] = {}
    for one in load(data_path("aslsk", ORIGINS_FILE), OriginsFile).sayings:
        found.setdefault(one.table, []).append(one)
    return found


def doubt(said: Msg) -> Origin | None:
    """The origin of the number that a message tells, if its table is doubtful there."""
    for one in _sayings().get(str(said.facts.get("table", "")), ()):
        if all(str(said.facts.get(key)) in values for key, values in one.when.items()):
            return one.origin
    return None


PEOPLE: dict[str, Mmc] = _people()


def _weapons() -> dict[str, WeaponType]:
    file = load(data_path("aslsk", "weapons.yaml"), WeaponsFile)
    guns = {k: msgspec.structs.replace(v, is_gun=True) for k, v in file.gun.items()}
    return {**file.sw, **guns}


WEAPONS: dict[str, WeaponType] = _weapons()
VEHICLES: dict[str, VehicleType] = load(data_path("aslsk", "vehicles.yaml"), VehiclesFile).vehicles


# The IFT


@lru_cache(maxsize=256)
def column(fp: Fraction | int) -> int:
    """The index of the rightmost column not above the FP; -1 when there is none (3.2.3)."""
    return bisect_right(ift_file().columns, fp) - 1


def ift(index: int, dr: int) -> str:
    """The result of a column at a final DR (3.2.3)."""
    rows = ift_file().rows
    return looked(dr, lambda n: rows[min(max(n, 0), 15)][index])


def column_fp(index: int) -> int:
    """The FP that heads a column."""
    return ift_file().columns[index]


def he_fp(calibre: int) -> int:
    """The FP of HE of a calibre (3.2.4.effect_infantry)."""
    return _at_least(ift_file().calibres, calibre)


def residual(index: int, shifts: int) -> int:
    """Residual FP of a column after reductions; negative shifts go right (3.3.5)."""
    if index < 0:
        return 0
    grid = ift_file().residual
    if shifts < 0:
        columns = ift_file().columns
        base = grid[0][index]
        raised = columns[min(columns.index(base) + 1, 5)] if base else 1
        return raised
    return grid[shifts][index] if shifts < len(grid) else 0


def _at_least(table: dict[int, int], value: int) -> int:
    found = 0
    for floor in sorted(table):
        if value >= floor:
            found = table[floor]
    return found


# To Hit and To Kill


def band(kind: str, distance: int) -> Band | None:
    """The To Hit band of a target type."""
    rows: tuple[Band, ...] = getattr(to_hit_file(), kind)
    return next((row for row in rows if row.first <= distance <= row.last), None)


def th_case(number: int, place: int = 0) -> int:
    """The DRM of a To Hit case; some have several values, from the first (3.2.4.procedure)."""
    return to_hit_file().cases[number].values[place]


def th_change(key: str, distance: int) -> int:
    """The change of a To Hit number for a kind of weapon at a range."""
    file = to_hit_file()
    return file.changes[key][bisect_right([b + 1 for b in file.bands], distance)]


def ap_range(calibre: int, distance: int) -> int | None:
    """The range change of AP; None when out of effect (7.9)."""
    file = to_kill_file()
    row = file.ap_range[25 if calibre <= 25 else 57 if calibre <= 57 else 999]
    index = bisect_right([b + 1 for b in file.ap_bands], distance)
    return row[index] if index < len(row) else None


def apcr_range(kind: str, calibre: int, distance: int) -> int | None:
    """The range change of APCR and APDS; None when out of effect (7.9)."""
    file = to_kill_file()
    row = file.apds_range if kind == "APDS" else file.apcr_range[57 if calibre <= 57 else 999]
    index = bisect_right([b + 1 for b in file.apcr_bands], distance)
    return row[index] if index < len(row) else None


def he_tk(calibre: int) -> int:
    """The TK# of HE of a calibre (7.9)."""
    return _at_least(to_kill_file().he, calibre)


def turret_af(af: int, step: int) -> int:
    """The AF of the turret: one level below or above on that aspect (7.1)."""
    levels = to_kill_file().af_levels
    return levels[min(max(levels.index(af) + step, 0), len(levels) - 1)]


THREE_TO_TWO = (3, 2)


def odds_column(attack: Fraction | int, defence: Fraction | int) -> tuple[int, int] | None:
    """The column of CC odds, rounded in the defender's favour; None beyond the last (3.8.odds)."""
    ours = attack.numerator * defence.denominator
    theirs = defence.numerator * attack.denominator
    if ours > 10 * theirs:
        return None
    found = (0, 1)
    for a, d, _number in other().cc:
        if ours * d >= theirs * a:
            found = (a, d)
    return found


def kill_number(attack: Fraction | int, defence: Fraction | int) -> int:
    """The Kill# of CC odds (3.8.odds)."""
    column = odds_column(attack, defence)
    if column is None:
        return other().cc_beyond
    return next((number for a, d, number in other().cc if (a, d) == column), 0)


# Scenarios


_DATE = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")
_ZONE = re.compile(r"([A-Z])\1?-([A-Z])\2?")


class Force(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Part of an order of battle: what, and where or when it comes."""

    side: str = field(name="lato")
    types: dict[str, int] = field(name="tipi")
    zone: str = field(name="zona", default="")
    turn: int = field(name="turno", default=0)
    edge: str = field(name="bordo", default="")


class Victory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Victory conditions."""

    kind: Literal["clear", "hill", "crossroads", "buildings"] = field(name="tipo")
    side: str = field(name="lato")
    hexes: tuple[str, ...] = field(name="esagoni")
    losses: int = field(name="perdite", default=0)
    needed: int = field(name="soglia", default=0)
    at_once: int = field(name="subito", default=0)
    centre: str = field(name="centro", default="")
    radius: int = field(name="raggio", default=0)


class ObaFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A battery (DaE2)."""

    side: str = field(name="lato")
    calibre: int = field(name="calibro")
    black: int = field(name="neri")
    red: int = field(name="rossi")


class PfFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who has Panzerfaust, and the squads that count for the cap (4.4.2)."""

    side: str = field(name="lato")
    squads: int = field(name="squadre")


class Scenario(_Record, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A scenario card (1.3)."""

    id: str
    name: str = field(name="nome")
    map: str = field(name="mappa")
    date: str = field(name="data")
    turns: int = field(name="turni")
    half: bool = field(name="mezzo", default=False)
    sides: tuple[str, str] = field(name="lati")
    elr: dict[str, int]
    forces: tuple[Force, ...] = field(name="forze")
    friendly: dict[str, str] = field(name="amico")
    order: tuple[str, ...] = field(name="ordine")
    hip: tuple[str, ...] | None = None
    control: dict[str, tuple[str, ...]] = field(name="controllo", default={})
    oba: ObaFile | None = None
    pf: PfFile | None = None
    victory: Victory = field(name="vittoria")

    def allows_hip(self, gun: str) -> bool:
        """Any emplaced Gun may start hidden, unless a SSR names those that may (6.4)."""
        return self.hip is None or gun in self.hip

    @property
    def year(self) -> int:
        """The year of the action."""
        return int(self.date[:4])

    @property
    def month(self) -> int:
        """The month of the action."""
        return int(self.date[5:7])


def read_scenario(path: Path) -> Scenario:
    """A scenario from its file; DataErrors names every fault."""
    doc = Document(path)
    card = doc.convert(Scenario)
    for where, wrong in _scenario_faults(card):
        doc.fault(where, wrong)
    doc.check()
    return card


def _scenario_faults(card: Scenario) -> Iterator[tuple[str, Msg]]:
    """Every side, counter and hex that a scenario names exists."""
    if not _DATE.fullmatch(card.date):
        yield "$.data", msg(N_("{value} is not a month, as in 1943-10"), value=card.date)
        return
    if not map_path(card.map).is_file():
        yield "$.mappa", msg(N_("There is no map called {name}"), name=card.map)
        return
    for key, given in (("elr", card.elr), ("amico", card.friendly), ("ordine", card.order)):
        for side in card.sides:
            if side not in given:
                yield f"$.{key}", msg(N_("Key {key} is missing"), key=side)
    for where, side in _sides_named(card):
        if side not in card.sides:
            wrong = msg(N_("{value} is not one of: {allowed}"), value=side, allowed=card.sides)
            yield where, wrong
    for n, force in enumerate(card.forces):
        for name in force.types:
            if not kind_of(force, name):
                yield f"$.forze[{n}].tipi.{name}", msg(N_("No unit {id}"), id=name)
        if not force.edge and not _ZONE.fullmatch(force.zone):
            wrong = msg(N_("{value} is not a zone, as in A-D"), value=force.zone)
            yield f"$.forze[{n}]", wrong
    field = ground(card.map, card.month)
    centre = (card.victory.centre,) if card.victory.centre else ()
    for where, labels in (
        ("$.vittoria.esagoni", card.victory.hexes),
        ("$.vittoria.centro", centre),
        *((f"$.controllo.{side}", hexes) for side, hexes in card.control.items()),
    ):
        for label in labels:
            if label not in field.labels:
                yield where, msg(N_("{label} is not on the map"), label=label)


def kind_of(force: Force, name: str) -> str:
    """The counter that an order of battle calls so: leaders go without their nation."""
    for kind in (name, f"{code(force.side)}-{name}"):
        if kind in PEOPLE or kind in WEAPONS or kind in VEHICLES:
            return kind
    return ""


def _sides_named(card: Scenario) -> Iterator[tuple[str, str]]:
    yield from ((f"$.forze[{n}].lato", force.side) for n, force in enumerate(card.forces))
    yield from ((f"$.ordine[{n}]", side) for n, side in enumerate(card.order))
    yield from ((f"$.controllo.{side}", side) for side in card.control)
    yield "$.vittoria.lato", card.victory.side
    if card.oba is not None:
        yield "$.oba.lato", card.oba.side
    if card.pf is not None:
        yield "$.pf.lato", card.pf.side


@lru_cache(maxsize=1)
def scenarios() -> dict[str, Scenario]:
    """Every scenario that ships."""
    found = [read_scenario(path) for path in data_files("aslsk", "scenarios")]
    return {one.id: one for one in found}
