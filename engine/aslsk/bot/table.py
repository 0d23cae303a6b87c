"""The table as a computer player reads it: what counters are worth, who threatens what, goals.

Everything is worked out from the View of one side. Values are in points: a squad is worth ten.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias
from zlib import crc32

from engine.aslsk.bot.odds import column_of, cowed, harm
from engine.aslsk.bot.sight import BLIND, glances, look
from engine.aslsk.rules.sight import is_los_free
from engine.aslsk.rules.terrain import infantry_cost
from engine.aslsk.rules.victory import conditions
from engine.aslsk.state.ground import BUILDINGS, OPEN, STONE, WOODEN, WOODS, Ground
from engine.aslsk.state.state import FINAL, MAP, State, Unit, Vehicle, units_at, weapons_of
from engine.aslsk.state.tables import CREW, SQUAD, he_fp
from engine.aslsk.state.units import gun_of
from engine.core.rules import Side

TEM = {WOODS: 1, STONE: 3, WOODEN: 2}
TANK_WORTH, GUN_WORTH = 26.0, 10.0
ENOUGH = 4
"""How many squads make an attack."""
MARCH = 8
"""Halves of MF that infantry spends in a turn."""


class Temper(NamedTuple):
    """How a level thinks."""

    sharp: bool
    """Whether it says why."""
    caution: float
    """What the fire that a hex is under counts for to those who hold."""
    daring: float
    """The same to those who must take ground: less."""
    foresight: float
    """What shots to come count for."""
    drive: float = 5.0
    """What a turn of march toward a goal is worth to those who must take ground."""
    whim: float = 0.0
    """Points of chance in every judgement of a place."""
    groups: bool = True
    """Whether several hexes fire together."""
    neglect: float = 0.0
    """How often a leader is forgotten who could direct fire."""
    gaits: bool = True
    """Whether it assaults and runs as well as walks."""
    hold: float = 1.0
    """What a defensive shot must promise."""
    doubt: float = 0.0
    """The part of a shot's value that may be misjudged."""


class Piece(NamedTuple):
    """Something that can kill an AFV: where it is, its gun, its reach."""

    hex: str
    calibre: int
    barrel: str
    nation: str
    special: str
    reach: int


Draw: TypeAlias = tuple[str, float, float, int, dict[str, int]]


class Battery(NamedTuple):
    """What one enemy hex can fire: FP by normal range, the heavy weapons apart."""

    hex: str
    parts: tuple[tuple[float, int], ...]
    """FP and normal range of each."""
    shells: tuple[tuple[float, int], ...]
    """FP and least range of each piece of ordnance."""
    lead: int
    ready: bool


class Threat(NamedTuple):
    """What the fire of one enemy hex means in another."""

    column: int
    drm: int
    is_led: bool
    ready: bool
    in_the_open: bool
    """Nothing shields who moves there."""


def worth(state: State, u: Unit) -> float:
    """What a unit is worth to both sides, unbroken."""
    data = u.data
    if u.is_leader:
        return 4.0 + 4.0 * max(-u.leadership, 0) - u.wounded
    found = 10.0 if data.kind == SQUAD else 5.0
    for w in weapons_of(state, u.id):
        if w.data.is_gun:
            found += GUN_WORTH * (0.3 if w.broken else 1.0)
        elif not w.broken:
            found += {"mg": 0.6 * w.data.fp, "ft": 3.0, "dc": 2.0}.get(w.data.kind, 1.5)
    return found


def tank_worth(v: Vehicle) -> float:
    """What a vehicle is worth."""
    if v.crew.shock or v.crew.stun:
        return TANK_WORTH * 0.7
    if v.recall or v.arms.ma:
        return TANK_WORTH * 0.3
    return TANK_WORTH * (0.75 if v.drive.immobilized or v.drive.bogged else 1.0)


def chance(*facts: object) -> float:
    """A number from 0 to 1 that depends on nothing but what is asked about."""
    return (crc32(" ".join(map(str, facts)).encode()) % 1000) / 1000


class Way(NamedTuple):
    """A place that can be reached: what it is worth less the danger, and the first step."""

    score: float
    hex: str
    first: str
    spent: int


def _tank_fire(v: Vehicle) -> Battery:
    """The fire of a vehicle: its machine guns and its gun."""
    data = v.data
    mg = [(float(data.bmg), 8), (float(data.cmg), 12)]
    if v.crew.ce and data.aamg:
        mg.append((float(data.aamg), 8))
    shells = [(he_fp(data.calibre) * 0.7, 0)] if not v.arms.ma else []
    ready = not v.marks.fire and not v.marks.fired
    parts = [part for part in mg if part[0]]
    return Battery(v.hex, tuple(parts), tuple(shells), 9, ready)


class Table:
    """One state from one chair; what is worked out is kept while the state stands."""

    def __init__(
        self, state: State, seat: Side, temper: Temper, before: Table | None = None
    ) -> None:
        self.state, self.seat, self.temper = state, seat, temper
        self.field: Ground = state.ground
        self.foe: Side = state.enemy(seat)
        self.goal = conditions(state)
        self.attacks = self.goal is not None and self.goal.side == seat
        self.slope = temper.drive if self.attacks else 3.0
        self.turns_left = state.turns - state.turn + 1
        self._count_forces()
        self._glance = glances(self.field).between
        self._is_clear = not state.smoke and not is_los_free(state)
        self._draws: list[Draw] | None = None
        self.pulls: dict[tuple[str, str], float] = {}
        self._before = before and (before.slope, before._draws, before.pulls)
        self.pieces: list[Piece] | None = None
        self._worth: dict[str, float] = {}
        self._aims: dict[str, float] | None = None
        self.memo: dict[tuple[str, ...], float] = {}
        self.ways: dict[tuple[str, str], Way] = {}
        self.batteries: list[Battery]
        self._sight: dict[tuple[str, str], int]
        self._exposure: dict[tuple[str, int, int, bool], float]
        self._threats: dict[str, list[Threat]]
        self.enemy_memo: dict[tuple[object, ...], float]
        self.arcs: dict[str, tuple[int, ...]]
        """Where a vehicle in a hex looks, from each hexspine."""
        if before is not None and before.seat == seat and self._faces_the_same(before):
            self.batteries = before.batteries
            self._sight, self._exposure = before._sight, before._exposure
            self._threats = before._threats
            self.enemy_memo, self.arcs = before.enemy_memo, before.arcs
        else:
            self.batteries = self._batteries()
            self._sight, self._exposure, self._threats = {}, {}, {}
            self.enemy_memo, self.arcs = {}, {}
        self.caution = temper.daring * self._leisure() if self.attacks else temper.caution

    def _count_forces(self) -> None:
        """Whoever is on the map, of either side."""
        state, seat, off = self.state, self.seat, self.field.is_off
        on_map = [u for u in state.units.values() if u.place == MAP]
        self.mine = [u for u in on_map if u.side == seat]
        self.stacks: dict[str, list[Unit]] = {}
        for u in self.mine:
            self.stacks.setdefault(u.hex, []).append(u)
        self.foes = [u for u in on_map if u.side != seat and u.hex not in off and not u.hidden]
        live = [v for v in state.vehicles.values() if v.is_live]
        self.tanks = [v for v in live if v.side == seat]
        self.enemy_tanks = [v for v in live if v.side != seat and v.hex not in off]
        self.arms = [w for w in state.weapons.values() if w.side != seat or w.owner]
        self._enemy_hexes = list(dict.fromkeys(u.hex for u in self.foes))
        self.held = frozenset(
            [u.hex for u in self.foes]
            + [v.hex for v in state.vehicles.values() if v.side != seat and not v.wreck]
        )

    def _leisure(self) -> float:
        """How much of its caution an attacker can afford: little when time runs out."""
        goals = tuple(self.aims())
        fit = [u for u in self.mine if u.is_mmc and not u.broken]
        turns = sorted([march_to_any(self.field, goals, u.hex) for u in fit])
        if not turns:
            return 1.0
        needed = turns[min(ENOUGH, len(turns)) - 1] / MARCH + 1
        return min(1.0, max(0.5, 0.5 + 0.25 * (self.turns_left - needed)))

    def _faces_the_same(self, before: Table) -> bool:
        """Whether the enemy, the weapons and the smoke are just as they were."""

        def same(one: Sequence[object], two: Sequence[object]) -> bool:
            return len(one) == len(two) and all(a is b for a, b in zip(one, two, strict=True))

        return (
            before.field is self.field
            and same(self.foes, before.foes)
            and same(self.enemy_tanks, before.enemy_tanks)
            and same(self.arms, before.arms)
            and self.state.smoke == before.state.smoke
        )

    def worth(self, u: Unit) -> float:
        """What a unit is worth."""
        found = self._worth.get(u.id)
        if found is None:
            found = self._worth[u.id] = worth(self.state, u)
        return found

    def prize(self, u: Unit) -> float:
        """What a unit is worth as a target: more where it bars the way, a loss if own."""
        if u.side == self.seat:
            return -self.worth(u)
        return self.worth(u) * (1.35 if self.attacks and u.hex in self.aims() else 1.0)

    # Seeing

    def sees(self, a: str, b: str) -> int:
        """The hindrance that seems to be between two hexes, BLIND if they do not see each other."""
        if a == b:
            return 0
        key = (a, b)
        found = self._sight.get(key)
        if found is None:
            found = self._glance(a, b) if self._is_clear else look(self.state, a, b)
            self._sight[key] = found
        return found

    def shelter(self, hex: str, firer: str = "") -> int:
        """The TEM that infantry has in a hex against fire from another."""
        field = self.field
        found = TEM.get(field.terrain[hex], 0)
        if firer and not found:
            if field.level[firer] < field.level[hex]:
                return 1
            if field.hedges and firer != hex:
                for other in field.los(firer, hex).entry:
                    if other and (hex, other) in field.hedges:
                        return 1
        return found

    # Enemy fire

    def _batteries(self) -> list[Battery]:
        """The fire that the enemy can bring, by hex."""
        stacks: dict[str, list[Unit]] = {}
        for u in self.foes:
            if not u.broken and not u.melee:
                stacks.setdefault(u.hex, []).append(u)
        found = [self._stack_fire(hex, group) for hex, group in stacks.items()]
        able = [v for v in self.enemy_tanks if not (v.crew.shock or v.crew.stun)]
        return found + [_tank_fire(v) for v in able]

    def _stack_fire(self, hex: str, group: list[Unit]) -> Battery:
        """The fire of a stack: its squads, its machine guns, its Guns."""
        parts: list[tuple[float, int]] = []
        shells: list[tuple[float, int]] = []
        for u in group:
            factor = 0.5 if u.pinned else 1.0
            if u.is_mmc:
                parts.append((u.data.fp * factor, u.data.range))
            for w in weapons_of(self.state, u.id):
                if w.broken:
                    continue
                if w.data.kind == "mg":
                    more = 1.0 + 0.15 * w.data.rof
                    parts.append((w.data.fp * factor * more, w.data.range))
                elif w.data.is_ordnance and not w.data.is_scw:
                    fp = he_fp(w.data.calibre) * (0.5 if w.data.is_mortar else 0.8)
                    shells.append((fp, w.data.least))
                elif w.data.kind == "ft":
                    parts.append((12.0, 1))
        lead = min((u.leadership for u in group if u.is_leader and not u.pinned), default=9)
        ready = any(u.fire != FINAL and not u.used for u in group)
        return Battery(hex, tuple(parts), tuple(shells), lead, ready)

    def fire_of(self, battery: Battery, hex: str) -> float:
        """The FP that an enemy hex can bring on another."""
        away = self.field.range(battery.hex, hex)
        fp = 0.0
        for value, reach in battery.parts:
            if away <= reach:
                fp += value
            elif away <= 2 * reach:
                fp += value / 2
        if away == 1:
            fp *= 2
        for value, least in battery.shells:
            if away >= least:
                fp = max(fp, value)
        return fp

    def exposure(self, hex: str, morale: int, drm: int, moving: bool) -> float:
        """The part of a unit's worth that the enemy can take in a hex with his next fire."""
        key = (hex, morale, drm, moving)
        found = self._exposure.get(key)
        if found is not None:
            return found
        found = 0.0
        threats = self._threats.get(hex)
        if threats is None:
            threats = self._threats[hex] = list(self._find_threats(hex))
        for one in threats:
            change = drm + one.drm - (moving and one.in_the_open)
            odds = harm if one.is_led else cowed
            hurt = odds(one.column, change, morale, False, False, 1)
            found += hurt if not moving or one.ready else 0.25 * hurt
        found = min(found, 1.2)
        self._exposure[key] = found
        return found

    def _find_threats(self, hex: str) -> Iterator[Threat]:
        """The fire that reaches a hex, whoever stands in it."""
        for battery in self.batteries:
            seen = self.sees(battery.hex, hex)
            if seen == BLIND:
                continue
            fp = self.fire_of(battery, hex)
            if fp < 1:
                continue
            tem = self.shelter(hex, battery.hex)
            is_led = battery.lead < 9
            yield Threat(
                column_of(min(fp, 36.0)),
                seen + tem + (battery.lead if is_led else 0),
                is_led,
                battery.ready,
                not tem and not seen and self.field.kind(hex) == OPEN,
            )

    # Own fire

    def shot_from(self, u: Unit, hex: str, mates: Sequence[Unit] = ()) -> float:
        """What a unit adds to the best that those in a hex would do with their fire."""
        if u.is_leader:
            return 0.0
        lead = min((one.leadership for one in mates if one.is_leader and not one.broken), default=0)
        others = sum(self.strength(one) for one in mates if one.is_mmc and not one.broken)
        fp = self.strength(u)
        whole = self.best_shot(hex, fp + others, u.data.range, lead)
        return whole - self.best_shot(hex, others, u.data.range, lead) if others else whole

    def strength(self, u: Unit) -> float:
        """The FP of a unit with its machine guns."""
        guns = [w for w in weapons_of(self.state, u.id) if not w.broken and w.data.kind == "mg"]
        return u.data.fp + float(sum(w.data.fp for w in guns))

    def best_shot(self, hex: str, fp: float, reach: int, lead: int) -> float:
        """The most that some FP would take from an enemy hex."""
        key = ("shot", hex, fp, reach, lead)
        found = self.enemy_memo.get(key)
        if found is None:
            found = 0.0
            for there in self.enemy_hexes():
                away = self.field.range(hex, there)
                seen = self.sees(hex, there) if 0 < away <= 2 * reach else BLIND
                if seen < BLIND:
                    factor = 2.0 if away == 1 else 1.0 if away <= reach else 0.5
                    found = max(found, self.harm_at(hex, there, fp * factor, seen + lead))
            self.enemy_memo[key] = found
        return found

    def harm_at(self, hex: str, there: str, fp: float, drm: int) -> float:
        """The points that an amount of FP takes from an enemy hex."""
        change = drm + self.shelter(there, hex)
        index = column_of(min(fp, 36.0))
        crowd = [u for u in units_at(self.state, there) if u.side != self.seat and not u.hidden]
        return sum(
            self.worth(u) * cowed(index, change, u.morale, u.broken, u.pinned, max(len(crowd), 1))
            for u in crowd
        )

    def enemy_hexes(self) -> list[str]:
        """The hexes where enemy infantry stands."""
        return self._enemy_hexes

    # Goals

    def aims(self) -> dict[str, float]:
        """The hexes worth going to or standing in, with their price in points."""
        if self._aims is None:
            self._aims = self._find_aims()
        return self._aims

    def draws(self) -> list[Draw]:
        """Every aim: its price, the price if others are there, how many are, the ways to it."""
        if self._draws is None:
            self._draws = []
            for aim, price in self.aims().items():
                mates = sum(
                    u.is_mmc and not u.broken
                    for u in units_at(self.state, aim)
                    if u.side == self.seat
                )
                shared = price * (0.45 if self.occupied(aim) else 0.25)
                self._draws.append((aim, price, shared, mates, march(self.field, aim)))
            if self._before and (self.slope, self._draws) == self._before[:2]:
                self.pulls = self._before[2]
        return self._draws

    def _find_aims(self) -> dict[str, float]:
        goal = self.goal
        if goal is None:
            return dict.fromkeys(self.enemy_hexes(), 6.0)
        late = 1.0 + 1.2 * max(0.0, 1 - (self.turns_left - 1) / max(self.state.turns, 1))
        if self.attacks:
            return self._to_take(goal.hexes, goal.kind, late)
        return self._to_hold(goal.hexes, goal.kind, late)

    def _to_take(self, hexes: tuple[str, ...], kind: str, late: float) -> dict[str, float]:
        state = self.state
        found: dict[str, float] = {}
        for hex in hexes:
            held = any(u.side == self.foe and not u.hidden for u in units_at(state, hex))
            strong = any(
                u.side == self.foe and u.is_mmc and not u.broken for u in units_at(state, hex)
            )
            if kind == "clear":
                if held:
                    found[hex] = (14.0 if strong else 9.0) * late
            elif state.control.get(hex) != self.seat:
                found[hex] = 14.0 * late
            elif self._near_foe(hex):
                found[hex] = 5.0 * late
        if not found:
            found = dict.fromkeys(hexes, 3.0)
        return found

    def _to_hold(self, hexes: tuple[str, ...], kind: str, late: float) -> dict[str, float]:
        state = self.state
        found: dict[str, float] = {}
        for hex in hexes:
            price = 5.0
            if kind != "clear" and state.control.get(hex) != self.seat:
                price = 9.0
            elif self._near_foe(hex):
                price = 8.0
            found[hex] = price * late
        return found

    def _near_foe(self, hex: str) -> bool:
        return any(self.field.range(u.hex, hex) <= 4 for u in self.foes if not u.broken)

    def crew_of_gun(self, u: Unit) -> bool:
        """Whether a unit mans a Gun that it should not leave."""
        return u.data.kind == CREW and gun_of(self.state, u) is not None

    def occupied(self, hex: str) -> bool:
        """Whether known enemies are in a hex."""
        return hex in self.held


@lru_cache(maxsize=4096)
def march(field: Ground, goal: str) -> dict[str, int]:
    """Halves of MF from every hex of a map to a goal."""
    costs = {goal: 0}
    frontier = [(0, goal)]
    while frontier:
        spent, hex = heappop(frontier)
        if spent > costs[hex]:
            continue
        for near in field.near[hex]:
            price = spent + infantry_cost(field, near, hex, True)
            if price < costs.get(near, 9999):
                costs[near] = price
                heappush(frontier, (price, near))
    return costs


@lru_cache(maxsize=4096)
def march_to_any(field: Ground, goals: tuple[str, ...], hex: str) -> int:
    """Halves of MF from a hex to the nearest of some goals."""
    return min([march(field, goal).get(hex, 99) for goal in goals], default=0)


def is_cover(field: Ground, hex: str) -> bool:
    """Woods or a building."""
    return field.terrain[hex] == WOODS or field.terrain[hex] in BUILDINGS
