"""The generator of random scenarios: a seed fixes every roll, so a scenario can be shared.

Refs: warfare:scenari.casuali, mappa.tessere, aviotrasporto.abilita, droni.facce. All of its
tables are reconstructed: the book announces a generator and does not print it.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import msgspec
from msgspec import field as key

from engine.core.board import Provenance
from engine.core.data import data_path, load
from engine.core.dice import number
from engine.core.rules import Side
from engine.core.text import N_
from engine.warfare.state.tables import (
    AIRBORNE,
    BRIDGE,
    ENGINEERS,
    HELICOPTER,
    INFANTRY,
    OPEN,
    RECON,
    ROSTER,
    SUPPORTS,
    VEHICLE,
    WATER,
    Faction,
    Field,
    Force,
    Scenario,
    SupportType,
    UnitType,
    Victory,
    board_of,
)

PREFIX: Final = "casuale"
EMPTY: Final = PREFIX
SEED: Final = "seme"
FIRST, SECOND = "blu", "rosso"
WEST: Final[tuple[Faction, ...]] = ("USA", "ITA")
CHOICE: Final = 8
MISSIONS: Final = {
    1: N_("patrol: win hearts"),
    2: N_("rescue hostages"),
    3: N_("clear the area"),
    4: N_("defend the outpost"),
    5: N_("take objectives"),
    6: N_("convoy across the map"),
    7: N_("extraction by helicopter"),
    8: N_("the player chooses"),
}
THEATRES: Final = (
    N_("village"),
    N_("countryside"),
    N_("desert"),
    N_("city"),
    N_("river"),
)
TABLES: Final = (
    N_("mission"),
    N_("theatre"),
    N_("forces"),
    N_("supports"),
    N_("population"),
    N_("unknown markers"),
    N_("turns"),
    N_("advantage"),
)
NEEDS_IRREGULARS: Final = (1, 2)
ATTEMPTS: Final = 200


class Theatre(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the theatre table."""

    rolls: tuple[int, ...] = key(name="dado")
    name: str = key(name="nome")
    cover: int = key(name="copertura", default=0)
    high: int = key(name="elevato", default=0)
    river: bool = key(name="fiume", default=False)


class Forces(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the forces table: first and last number of a d20."""

    rolls: tuple[int, int] = key(name="dado")
    against: Faction = key(name="contro")
    points: tuple[int, int] = key(name="punti")


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of the generator."""

    provenance: Provenance = key(name="provenienza")
    ref: str
    columns: int = key(name="colonne")
    rows: int = key(name="righe")
    theatres: tuple[Theatre, ...] = key(name="teatri")
    forces: tuple[Forces, ...] = key(name="forze")
    supports: tuple[int, ...] = key(name="supporti")
    population: tuple[int, ...] = key(name="popolazione")
    unknown: tuple[int, ...] = key(name="ignoti")
    turns: tuple[int, ...] = key(name="turni")
    advantage: tuple[tuple[int, int], ...] = key(name="vantaggio")


DATA: Final = load(data_path("warfare", "generator.yaml"), Tables)


class Luck:
    """A stream of fair numbers fixed by a seed and a purpose."""

    def __init__(self, seed: int, purpose: int) -> None:
        self._seed, self._purpose, self._count = seed, purpose, 0

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1."""
        self._count += 1
        return number(self._seed, self._purpose, self._count, limit)

    def pick(self, items: list[str]) -> str:
        """One of some items, and no longer among them."""
        return items.pop(self.below(len(items)))


class Plan(msgspec.Struct, frozen=True):
    """The eight rolls of a seed."""

    seed: int
    mission: int
    theatre_roll: int
    forces_roll: int
    supports_roll: int
    population_roll: int
    unknown_roll: int
    turns_roll: int
    advantage_roll: int

    @property
    def theatre(self) -> Theatre:
        """The theatre."""
        return next(row for row in DATA.theatres if self.theatre_roll in row.rolls)

    @property
    def forces(self) -> Forces:
        """Who fights, and with how many points."""
        return next(row for row in DATA.forces if row.rolls[0] <= self.forces_roll <= row.rolls[1])

    def tables(self) -> list[tuple[str, int, str]]:
        """Every table with the number rolled and the row it gives."""
        forces, box = self.forces, DATA.advantage[self.advantage_roll - 1]
        rows = (
            (self.mission, MISSIONS[self.mission]),
            (self.theatre_roll, self.theatre.name),
            (self.forces_roll, f"{forces.points[0]} - {forces.against} {forces.points[1]}"),
            (self.supports_roll, str(DATA.supports[self.supports_roll - 1])),
            (self.population_roll, str(DATA.population[self.population_roll - 1])),
            (self.unknown_roll, str(DATA.unknown[self.unknown_roll - 1])),
            (self.turns_roll, str(DATA.turns[self.turns_roll - 1])),
            (self.advantage_roll, f"{box[0]} / {box[1]}"),
        )
        return [(name, roll, text) for name, (roll, text) in zip(TABLES, rows, strict=True)]


@cache
def plan(seed: int) -> Plan:
    """Roll on every table; a mission that the forces cannot play is rolled again."""
    luck = Luck(seed, 1)
    forces_roll = luck.below(20) + 1
    rolls = [luck.below(8) + 1 for _ in range(6)]
    for _ in range(ATTEMPTS):
        mission = luck.below(8) + 1
        made = Plan(seed, mission, rolls[0], forces_roll, *rolls[1:])
        if mission == CHOICE or _fits(made, mission):
            return made
    return Plan(seed, 5, rolls[0], forces_roll, *rolls[1:])


def fits(seed: int, mission: int) -> bool:
    """Whether the forces of a seed can play a mission."""
    return _fits(plan(seed), mission)


def _fits(made: Plan, mission: int) -> bool:
    if mission in NEEDS_IRREGULARS and made.forces.against != "INS":
        return False
    if mission == 7:
        first, _ = made.forces.points
        return HELICOPTER in [ROSTER[u].kind for u in army(made, 7, FIRST, first)]
    return True


def name_of(seed: int, mission: int) -> str:
    """The id of a generated scenario."""
    return f"{PREFIX}-{seed}-{mission}"


def _parts(name: str) -> tuple[int, int]:
    _, seed, mission = name.split("-")
    return int(seed), int(mission)


# Map


@cache
def field(name: str) -> Field:
    """The map of a generated scenario; the empty one before the seed is known."""
    if name == EMPTY:
        return Field(board_of(_drawing("-", [OPEN] * (DATA.columns * DATA.rows))))
    seed, _ = _parts(name)
    return _field(seed)


@cache
def _field(seed: int) -> Field:
    theatre, luck = plan(seed).theatre, Luck(seed, 2)
    terrain = []
    for _ in range(DATA.rows * DATA.columns):
        roll = luck.below(100)
        if roll < theatre.cover:
            terrain.append("cover")
        elif roll < theatre.cover + theatre.high:
            terrain.append("high ground")
        else:
            terrain.append(OPEN)
    if theatre.river:
        bridge = luck.below(DATA.columns)
        for row in (5, 6):
            for column in range(DATA.columns):
                terrain[row * DATA.columns + column] = BRIDGE if column == bridge else WATER
    return Field(board_of(_drawing(str(seed), terrain)))


SIGNS: Final = {OPEN: ".", "cover": "#", "high ground": "^", WATER: "~", BRIDGE: "P"}


def _drawing(name: str, terrain: list[str]) -> str:
    rows = [
        " ".join(SIGNS[t] for t in terrain[r * DATA.columns : (r + 1) * DATA.columns])
        for r in range(DATA.rows)
    ]
    drawing = "\n".join(f"  {n:02}| {row}" for n, row in enumerate(rows, 1))
    legend = ", ".join(f'"{sign}": {t}' for t, sign in SIGNS.items())
    return (
        f"nome: Casuale {name}\nprovenienza: ricostruito\nref: warfare:scenari.casuali\n"
        f"griglia: {{colonne: {DATA.columns}, righe: {DATA.rows}}}\n"
        f"legenda: {{{legend}}}\nmappa: |\n{drawing}\n"
    )


# Forces


def army(made: Plan, mission: int, side: Side, points: int) -> list[str]:
    """Units bought up to the points: half infantry, three of a kind, one helicopter."""
    roster = [u for u in ROSTER.values() if u.faction in _factions(made, side)]
    luck = Luck(made.seed, 10 + (side == SECOND))
    bought: list[UnitType] = []
    foot = [u for u in roster if u.kind == INFANTRY]
    wanted = [foot, foot]
    if side == attacker(made, mission):
        wanted = _wanted(made, mission, roster, foot)
    for group in wanted:
        _buy(bought, group, points, luck)
    while _buy(bought, roster, points, luck):
        pass
    return [u.id for u in bought]


def _factions(made: Plan, side: Side) -> tuple[Faction, ...]:
    return WEST if side == FIRST else (made.forces.against,)


def _wanted(
    made: Plan, mission: int, roster: list[UnitType], foot: list[UnitType]
) -> list[list[UnitType]]:
    """What who attacks buys first: who deals with hidden markers, a convoy, a helicopter."""
    finders = [u for u in foot if ENGINEERS in u.icons or RECON in u.icons]
    wanted = [finders if DATA.unknown[made.unknown_roll - 1] else foot, foot]
    if mission == 6:
        wanted += [[u for u in roster if u.kind == VEHICLE]] * 2
    if mission == 7:
        wanted.append([u for u in roster if u.kind == HELICOPTER])
    return wanted


def _buy(bought: list[UnitType], group: list[UnitType], points: int, luck: Luck) -> bool:
    left = points - sum(u.points for u in bought)
    foot = sum(u.kind == INFANTRY for u in bought)
    fit = [
        u
        for u in group
        if u.points <= left
        and bought.count(u) < 3
        and (u.kind == INFANTRY or len(bought) - foot < foot)
        and (u.kind != HELICOPTER or all(b.kind != HELICOPTER for b in bought))
    ]
    if not fit:
        return False
    bought.append(fit[luck.below(len(fit))])
    return True


def attacker(made: Plan, mission: int) -> Side:
    """Who attacks in a mission."""
    if mission == 4:
        return SECOND
    if mission == 5:
        return FIRST if Luck(made.seed, 3).below(8) < 4 else SECOND
    return FIRST


def supports(made: Plan, side: Side) -> dict[str, int]:
    """Supports drawn without repeats, with the turn of their arrival."""
    luck = Luck(made.seed, 20 + (side == SECOND))
    pool: list[SupportType] = [s for s in SUPPORTS.values() if s.faction in _factions(made, side)]
    found: dict[str, int] = {}
    turn = 1 if made.supports_roll == 8 else 2
    for _ in range(min(DATA.supports[made.supports_roll - 1], len(pool))):
        drawn = pool.pop(luck.below(len(pool)))
        pool = [s for s in pool if s.id != drawn.other_face]
        found[drawn.id] = min(turn, 3)
        turn += 1
        if not pool:
            break
    return found


# Deployment


def _force(
    made: Plan, side: Side, units: list[str], hexes: list[str], luck: Luck, box: int
) -> Force:
    placed: dict[str, tuple[str, ...]] = {}
    reserve: dict[str, int] = {}
    for kind in units:
        if AIRBORNE in ROSTER[kind].abilities:
            reserve[kind] = reserve.get(kind, 0) + 1
        else:
            placed[kind] = (*placed.get(kind, ()), luck.pick(hexes))
    cube = "blu" if side == FIRST else "verde" if made.forces.against == "INS" else "rosso"
    return Force(
        factions=_factions(made, side),
        cube=cube,
        box=box,
        units=placed,
        reserve=reserve,
        supports=supports(made, side),
    )


def _forces(
    made: Plan, mission: int, armies: dict[Side, list[str]], front: Side, back: Side, luck: Luck
) -> dict[Side, Force]:
    """Who attacks in the last rows, who defends in the first (scenari.casuali)."""
    ground = _field(made.seed)
    land = [label for label in ground.labels if ground.terrain[label] != WATER]
    start = [label for label in land if ground.row(label) >= 9]
    camp = [label for label in land if ground.row(label) <= (4 if mission == 2 else 5)]
    first, second = DATA.advantage[made.advantage_roll - 1]
    return {
        front: _force(made, front, armies[front], start, luck, first),
        back: _force(made, back, armies[back], camp, luck, second),
    }


@cache
def scenario(name: str) -> Scenario:
    """A generated scenario; the empty one before the seed is known."""
    if name == EMPTY:
        return _empty()
    seed, mission = _parts(name)
    made = plan(seed)
    ground, luck = _field(seed), Luck(seed, 4)
    land = [label for label in ground.labels if ground.terrain[label] != WATER]
    front = attacker(made, mission)
    back = SECOND if front == FIRST else FIRST
    points = dict(zip((FIRST, SECOND), made.forces.points, strict=True))
    armies = {side: army(made, mission, side, points[side]) for side in (FIRST, SECOND)}
    forces = _forces(made, mission, armies, front, back, luck)
    taken = [hex for force in forces.values() for hexes in force.units.values() for hex in hexes]
    middle = [label for label in land if 2 <= ground.row(label) <= 7 and label not in taken]
    irregular = made.forces.against == "INS"
    crowds, civilians = _population(made, mission, luck, middle, irregular, forces[back])
    hidden = _hidden(made, luck, [h for h in middle if h not in (*crowds, *civilians)])
    victory = _victory(
        mission, front, back, luck, ground, land, armies[front], len(crowds) + len(civilians)
    )
    return Scenario(
        id=name,
        name=f"Casuale {seed}",
        chapter=5,
        turns=DATA.turns[made.turns_roll - 1],
        map=name,
        forces={side: forces[side] for side in (FIRST, SECOND)},
        first=front,
        victory=victory,
        ref="warfare:scenari.casuali",
        provenance="ricostruito",
        crowds=crowds,
        civilians=civilians,
        hidden=hidden,
        owner=back,
        stock={SECOND: 1} if irregular else {},
        martyrdom=True,
    )


def _empty() -> Scenario:
    cubes = {
        FIRST: Force(factions=WEST, cube="blu", box=40),
        SECOND: Force(factions=("RU",), cube="rosso", box=40),
    }
    return Scenario(
        id=EMPTY,
        name="Scenario casuale",
        chapter=5,
        turns=1,
        map=EMPTY,
        forces=cubes,
        first=FIRST,
        victory=Victory(kind="none", side=FIRST, against=SECOND),
        ref="warfare:scenari.casuali",
        provenance="ricostruito",
    )


def _population(
    made: Plan,
    mission: int,
    luck: Luck,
    middle: list[str],
    irregular: bool,
    defender: Force,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Crowds and civilians; hostages stand with a defender each."""
    if not irregular:
        return (), ()
    count = DATA.population[made.population_roll - 1]
    if mission == 1:
        count = max(count, 4)
    crowds: list[str] = []
    civilians: list[str] = []
    if mission == 2:
        camps = [h for hexes in defender.units.values() for h in hexes]
        civilians += camps[:2]
    for _ in range(count):
        (civilians if luck.below(8) % 2 else crowds).append(luck.pick(middle))
    return tuple(crowds), tuple(civilians)


def _hidden(made: Plan, luck: Luck, free: list[str]) -> dict[str, tuple[str, ...]]:
    """Half dummies, the rest IED, mines and roadblocks."""
    count = DATA.unknown[made.unknown_roll - 1]
    found: dict[str, tuple[str, ...]] = {}
    for n in range(count):
        threats = ("ied_rosso", "ied_blu", "mina", "ignoto_blocco")
        item = "dummy" if n < count // 2 else threats[luck.below(len(threats))]
        found[item] = (*found.get(item, ()), luck.pick(free))
    return found


def _victory(
    mission: int,
    front: Side,
    back: Side,
    luck: Luck,
    ground: Field,
    land: list[str],
    units: list[str],
    people: int,
) -> Victory:
    """The victory conditions of a mission."""

    def one_in(rows: tuple[int, ...], *kinds: str) -> str:
        spots = [h for h in land if ground.row(h) in rows]
        return luck.pick([h for h in spots if ground.terrain[h] in kinds] or spots)

    if mission == 1:
        draws = people // 2 if people % 2 == 0 else -1
        return Victory(
            kind="population", side=front, against=back, wins=people // 2 + 1, draws=draws
        )
    if mission == 2:
        return Victory(kind="hostages", side=front, against=back, wins=2, draws=1, row=DATA.rows)
    if mission == 3:
        columns = [chr(ord("A") + n) for n in range(DATA.columns)]
        chosen = [luck.pick(columns) for _ in range(4)]
        area = tuple(h for h in ground.labels if h[0] in chosen and 2 <= ground.row(h) <= 5)
        return Victory(kind="area", side=front, against=back, wins=0, draws=1, area=area)
    if mission == 4:
        first = one_in((4,))
        beside = [h for h in ground.around[first] if ground.row(h) in (4, 5) and h in land]
        second = luck.pick(beside) if beside else first
        return Victory(kind="hold", side=front, against=back, objectives={first: 1, second: 1})
    if mission == 6:
        vehicles = sum(ROSTER[u].kind == VEHICLE for u in units)
        return Victory(kind="convoy", side=front, against=back, wins=max(1, (vehicles + 1) // 2))
    if mission == 7:
        return Victory(
            kind="extraction",
            side=front,
            against=back,
            wins=2,
            objectives={one_in((3, 4, 5), OPEN): 1},
        )
    targets = {one_in((row,)): 1 for row in (3, 5, 7)}
    return Victory(kind="objectives", side=front, against=back, objectives=targets)
