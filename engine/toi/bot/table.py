"""The table as the computer players read it: dice, worth, threats, paths and goals.

No rules of their own and no hidden facts: everything comes from the belief that a View carries.
Estimates are plain floats in the worth of one regular figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any, TypeAlias
from zlib import crc32

import msgspec

from engine.core.rules import Side
from engine.toi.rules import sight
from engine.toi.rules.cover import FLAME_COVER
from engine.toi.rules.ground import Ground, fog, ground
from engine.toi.rules.setup import area_of
from engine.toi.rules.stacking import UNITS_IN_A_HEX, VEHICLES_IN_A_HEX
from engine.toi.rules.suppression import NORMAL_ATTACK, SUPPRESSIVE, condition_after, damage_after
from engine.toi.rules.targets import (
    ANTI_TANK_POWER,
    ANTI_TANK_RANGE,
    CONCUSSIVE,
    FLAME_POWER,
    GUNS,
    NEED,
    WHOLE,
    band_of,
    groups,
    part_of,
)
from engine.toi.rules.terrain import SQUADS, entry_cost, mover
from engine.toi.state import tables
from engine.toi.state.dice import attack_dice, net_hits
from engine.toi.state.state import (
    ANTI_TANK,
    BUNKER,
    CONCENTRATED,
    ENGINEER,
    FATIGUED,
    FIRE_MOVE,
    FLAMETHROWER,
    HEAVY,
    INTACT,
    LIGHT,
    MEDIC,
    MINES,
    NEUTRAL,
    NORMAL,
    OP_FIRE,
    PINNED,
    POINT,
    READY,
    SMOKE,
    TRAP,
    WIRE,
    State,
    Unit,
    enemy,
)
from engine.toi.state.units import (
    by_hex,
    fort_kind,
    has_trait,
    is_heavy,
    make,
    nation_of,
    officer_at,
    operation,
    seat_of,
    skill,
)

WORTH = {"regular": 1.0, "elite": 1.6, "officer": 1.7, "machine_gun": 2.6, "mortar": 2.4}
VEHICLE_WORTH = {"tank": 8.0, "half_track": 3.5, "truck": 1.2}
FAR = 10_000
NEARER = 0.84
"""How much of a goal's pull is left per movement point of distance."""
FADE = tuple(NEARER ** (thirds / 3) for thirds in range(200))


class Temper(msgspec.Struct, frozen=True):
    """How a player weighs what it sees.

    `sharp` ones look ahead: support, op fire on the way, which goals to take, assaults to come.
    `whim` is how much the worth of a plan is misjudged, always in the same way.
    """

    sharp: bool
    caution: float
    foresight: float
    care: float
    patience: float
    haste: float
    whim: float = 0.0


class Shot(msgspec.Struct, frozen=True):
    """An attack that a unit could make: the figures, the dice and what it is worth."""

    target: str
    kind: str
    group: str
    black: int
    need: int
    red: int
    value: float


# --- dice -------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def net_chances(black: int, red: int, need: int) -> tuple[float, ...]:
    """The chance of each number of hits left after the red dice, from none up."""
    found = [0.0] * (black + 1)
    for hits, share in net_hits(black, need).spread(attack_dice(black, red)):
        found[hits] += float(share)
    return tuple(found)


@lru_cache(maxsize=4096)
def assault_chances(black: int, red: int, answer: int) -> tuple[float, float, float]:
    """The chance to win an assault, the hits expected and the hits expected in answer."""
    mine = net_chances(black, red, 4)
    theirs = net_chances(answer, 0, 4)
    win = sum(p * sum(theirs[:hits]) for hits, p in enumerate(mine))
    return win, sum(n * p for n, p in enumerate(mine)), answer / 2


@lru_cache(maxsize=4096)
def figure_worths(figures: tuple[str, ...]) -> tuple[float, ...]:
    """The worth of each figure of a squad, the cheapest first: that is the order of losses."""
    return tuple(sorted(WORTH[tables.UNITS[figure].kind] for figure in figures))


@lru_cache(maxsize=4096)
def firepower(figures: tuple[str, ...], against_vehicle: bool) -> int:
    """The dice of the figures that take part."""
    weapons = [
        line.vehicles if against_vehicle else line.infantry
        for line in map(tables.UNITS.__getitem__, figures)
    ]
    return sum(weapon.power for weapon in weapons if weapon)


@lru_cache(maxsize=4096)
def weapon_of(
    what: tuple[str, ...], talent: str, against_vehicle: bool, is_close: bool
) -> tuple[int, int]:
    """Firepower and range of figures that fire together, or of a vehicle."""
    lines = [tables.UNITS[one] for one in what]
    weapons = [line.vehicles if against_vehicle else line.infantry for line in lines]
    armed = [weapon for weapon in weapons if weapon is not None]
    if not armed:
        return 0, 0
    power, reach = sum(weapon.power for weapon in armed), min(weapon.range for weapon in armed)
    if against_vehicle and talent == ANTI_TANK:
        return power + ANTI_TANK_POWER, ANTI_TANK_RANGE
    if is_close and talent == FLAMETHROWER:
        power += FLAME_POWER
    return power, reach


Arms: TypeAlias = tuple[tuple[tuple[int, int], tuple[int, int]], ...]
"""Firepower and range: against vehicles and squads, and of each from afar and close by."""


@lru_cache(maxsize=4096)
def arms(figures: tuple[str, ...], type: str, group: str, talent: str) -> Arms:
    """What part of a squad, or a vehicle, fires with."""
    what = part_of(figures, group) if figures else (type,)
    return tuple(
        (
            weapon_of(what, talent, against_vehicle, is_close=False),
            weapon_of(what, talent, against_vehicle, is_close=True),
        )
        for against_vehicle in (True, False)
    )


@lru_cache(maxsize=4096)
def menace(black: int, red: int, need: int) -> float:
    """What an attack may cost whoever it is aimed at: hits, and the chance of any."""
    chances = net_chances(black, red, need)
    expected = sum(min(n, 4) * p for n, p in enumerate(chances))
    return 0.7 * expected + 0.9 * (1 - chances[0])


@lru_cache(maxsize=1 << 14)
def losses(figures: tuple[str, ...], black: int, red: int, need: int) -> float:
    """What a normal attack is expected to take from a squad."""
    total = 0.0
    for hits, share in likely(black, red, need):
        lost = figure_worths(figures)[:hits]
        gone = len(lost) == len(figures)
        total += share * (sum(lost) + (1.2 if gone else 0.0))
    return total


@lru_cache(maxsize=1 << 14)
def wreckage(worth: float, damage: str, fragile: bool, black: int, red: int, need: int) -> float:
    """What an attack is expected to take from a vehicle."""
    total = 0.0
    for hits, share in likely(black, red, need):
        after = damage_after(damage, hits)
        if after == HEAVY and fragile:
            after = ""
        total += share * worth * {LIGHT: 0.25, HEAVY: 0.6, "": 1.0}[after]
    return total


@lru_cache(maxsize=1 << 14)
def shock(
    worth: float, condition: str, acts: bool, hunted: bool, black: int, red: int, need: int
) -> float:
    """What a suppressive attack is expected to cost a squad, which `acts` or is `hunted`."""
    total = 0.0
    for hits, share in likely(black, red, need):
        total += share * _shaken(worth, condition_after(condition, hits), acts, hunted)
    return total


def _shaken(worth: float, after: str, acts: bool, hunted: bool) -> float:
    if not after:
        return worth + 1.2
    tempo = 0.35 * worth if acts else 0.0
    if after == PINNED:
        return 0.12 * worth + tempo + (0.25 * worth if hunted else 0.0)
    return 0.4 * worth + tempo + (0.3 * worth if hunted else 0.0)


def likely(black: int, red: int, need: int) -> Iterator[tuple[int, float]]:
    """The numbers of hits that are not too improbable to count."""
    for hits, share in enumerate(net_chances(black, red, need)):
        if hits and share >= 0.0005:
            yield hits, share


@lru_cache(maxsize=64)
def steps(field: Ground, who: str) -> dict[str, tuple[tuple[str, int], ...]]:
    """From every hex the neighbours that can be entered, with their cost in thirds of a point."""
    return {
        here: tuple(
            (there, cost)
            for there in near
            if (cost := entry_cost(field, who, here, there)) is not None
        )
        for here, near in field.near.items()
    }


class Walker(msgspec.Struct, frozen=True):
    """Who goes: as far as the ground and obstacles are concerned."""

    who: str
    is_squad: bool
    cuts_wire: bool


Ways: TypeAlias = dict[str, tuple[int, str]]
"""Every hex that can be reached: what it costs, and where one comes from."""
Obstacles: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]


@lru_cache(maxsize=2048)
def ways(
    field: Ground,
    walker: Walker,
    start: str,
    mp: int,
    closed: frozenset[str],
    obstacles: Obstacles,
    first: frozenset[str] | None,
) -> Ways:
    """The hexes in reach with some thirds of a point; `first` are the ones to begin with."""
    near, kinds = steps(field, walker.who), dict(obstacles)
    found: Ways = {start: (0, "")}
    queue = [(0, start)]
    single = MINES in kinds.get(start, ())
    while queue:
        spent, here = heappop(queue)
        if spent > found[here][0]:
            continue
        if here != start and (single or _must_stop(walker, kinds.get(here))):
            continue
        for there, cost in near[here]:
            total = spent + cost
            if total > mp or there in closed:
                continue
            if here == start and first is not None and there not in first:
                continue
            if not walker.is_squad and TRAP in kinds.get(there, ()):
                continue
            if there not in found or total < found[there][0]:
                found[there] = (total, here)
                heappush(queue, (total, there))
    return found


def _must_stop(walker: Walker, kinds: tuple[str, ...] | None) -> bool:
    """Whether obstacles end the march of whoever enters their hex."""
    if not kinds:
        return False
    wired = WIRE in kinds and not walker.cuts_wire
    return MINES in kinds or wired or (TRAP in kinds and not walker.is_squad)


@lru_cache(maxsize=256)
def march(field: Ground, who: str, goal: str, obstacles: Obstacles) -> dict[str, int]:
    """The thirds of a point from every hex to a goal, obstacles counted as delays."""
    slow = dict(obstacles)
    dist = {goal: 0}
    queue = [(0, goal)]
    while queue:
        spent, b = heappop(queue)
        if spent > dist[b]:
            continue
        kinds = slow.get(b, ())
        delay = 9 * (MINES in kinds) + (6 if who == SQUADS else 12) * bool(kinds)
        for a in field.near[b]:
            cost = entry_cost(field, who, a, b)
            if cost is None:
                if b != goal:
                    continue
                cost = 2 * POINT
            total = spent + cost + delay
            if total < dist.get(a, FAR):
                dist[a] = total
                heappush(queue, (total, a))
    return dist


# --- the table --------------------------------------------------------------------------------


_Mark: TypeAlias = tuple[str, bool, int, int, bool]
"""A target: its hex, whether it is a squad, its red dice, its level, whether walls shelter it."""
_Aim: TypeAlias = tuple[str, str, tuple[int, int, int]]
"""A way to fire: the figures, the kind of attack, and black dice, what they need, red dice."""
_Gun: TypeAlias = tuple[str, Arms, bool, int, int, float]
"""A shooter: its hex, arms, whether it shakes walls, its level, its halvings, its weight."""


class Lanes:
    """How well hexes serve the goals: the nearest counts, and some of the next."""

    def __init__(
        self, ways: list[dict[str, int]], weights: tuple[float, ...], is_squad: bool
    ) -> None:
        self._lanes = tuple(zip(ways, weights, strict=True))
        self._is_squad = is_squad
        self._known: dict[str, float] = {}

    def pull(self, label: str) -> float:
        """The worth of a hex."""
        found = self._known.get(label)
        if found is None:
            found = self._known[label] = self._weigh(label)
        return found

    def _weigh(self, label: str) -> float:
        best = second = 0.0
        for far, weight in self._lanes:
            thirds = far.get(label)
            if thirds is None:
                continue
            value = weight * FADE[min(thirds, 199)]
            if thirds == 0 and not self._is_squad:
                value *= 0.8
            if value > best:
                best, second = value, best
            elif value > second:
                second = value
        return best + 0.25 * second


@lru_cache(maxsize=256)
def lanes(
    field: Ground,
    who: str,
    goals: tuple[str, ...],
    weights: tuple[float, ...],
    obstacles: Obstacles,
    is_squad: bool,
) -> Lanes:
    """The ways to some goals; units for which they are worth the same share them."""
    return Lanes([march(field, who, goal, obstacles) for goal in goals], weights, is_squad)


class Table:
    """One position from one chair, with what has been worked out about it so far."""

    def __init__(self, state: State, seat: Side, temper: Temper) -> None:
        self.state = state
        self.seat = seat
        self.temper = temper
        self.side = nation_of(state, seat)
        self.foe = enemy(self.side)
        self.field = ground(state)
        self.sees = sight.eyes(self.field.board, tuple(sorted(state.smoke)), fog(state))
        on_map = [unit for unit in state.units.values() if unit.hex]
        self.mine = [unit for unit in on_map if unit.side == self.side]
        self.theirs = [unit for unit in on_map if unit.side != self.side]
        self.obstacles = tuple(sorted(state.obstacles.items()))
        self._worth: dict[str, float] = {}
        self._red: dict[tuple[str, str, str, str], int] = {}
        self._harm: dict[tuple[str, str, int, int, int], float] = {}
        self._threat: dict[tuple[str, bool, int, bool], float] = {}
        self._goals: tuple[tuple[str, float], ...] | None = None
        self._aimed: dict[tuple[str, str, str, str], tuple[_Aim, ...]] = {}
        self._backed: dict[tuple[str, str, str], tuple[int, int]] = {}
        self._best: dict[tuple[str, str, str], Shot | None] = {}
        self._lanes: dict[str, Lanes] = {}
        self._stand: dict[tuple[str, str, str], float] = {}
        self._hunted: dict[str, bool] = {}
        self._throngs: dict[str, tuple[int, int, int]] = {}
        self._marks: dict[Side, list[_Mark]] = {}
        self._guns: dict[tuple[Side, bool], list[_Gun]] = {}
        self._ways: dict[str, tuple[int, Ways]] = {}
        self._home = {unit.id: unit.hex for unit in self.mine}
        self._closed = frozenset(unit.hex for unit in self.theirs)
        self._crowd: dict[str, list[int]] = {}
        for unit in self.mine:
            count = self._crowd.setdefault(unit.hex, [0, 0])
            count[0] += 1
            count[1] += not unit.is_squad
        self.plans: dict[str, Any] = {}
        self.attacks = self._must_attack()
        self.late = state.round / state.rounds
        self.caution = self._boldness()
        self.whim = temper.whim * (0.85 if self.attacks else 1.0)

    def owns(self, unit: Unit) -> bool:
        """Whether this player decides for a unit."""
        return seat_of(self.state, unit) == self.seat

    def _boldness(self) -> float:
        """Caution fades with superior numbers and, for attackers, as time runs out."""
        mine = sum(len(unit.figures) or 4 for unit in self.mine)
        theirs = sum(len(unit.figures) or 4 for unit in self.theirs)
        ratio = min(1.4, max(0.4, theirs / mine)) if mine else 1.0
        hurry = self.temper.care - self.late if self.attacks else 1.0
        return self.temper.caution * ratio * hurry

    def crowd(self, label: str) -> int:
        """How many own units are in a hex."""
        return self._crowd[label][0] if label in self._crowd else 0

    # what things are worth

    def worth(self, unit: Unit) -> float:
        """What a unit is worth, passengers included."""
        found = self._worth.get(unit.id)
        if found is None:
            if unit.is_squad:
                found = sum(figure_worths(unit.figures))
            else:
                found = VEHICLE_WORTH[tables.UNITS[unit.type].kind]
                if unit.damage != INTACT:
                    found *= 0.85 if unit.damage == LIGHT else 0.6
                for rider in self.state.units.values():
                    if rider.aboard == unit.id:
                        found += sum(figure_worths(rider.figures))
            self._worth[unit.id] = found
        return found

    def harm(self, target: Unit, kind: str, black: int, need: int, red: int) -> float:
        """What an attack is expected to take from its target."""
        key = (target.id, kind, black, need, red)
        found = self._harm.get(key)
        if found is None:
            found = self._harm[key] = self._expect(target, kind, black, need, red)
        return found

    def _expect(self, target: Unit, kind: str, black: int, need: int, red: int) -> float:
        if not target.is_squad:
            fragile = has_trait(target, "fragile")
            return wreckage(self.worth(target), target.damage, fragile, black, red, need)
        if kind == NORMAL_ATTACK:
            return losses(target.figures, black, red, need)
        hunted = self.temper.sharp and self.is_hunted(target.hex)
        acts = target.activation != FATIGUED and target.condition == NORMAL
        return shock(self.worth(target), target.condition, acts, hunted, black, red, need)

    def is_hunted(self, label: str) -> bool:
        """Whether own ready squads could assault a hex soon."""
        found = self._hunted.get(label)
        if found is None:
            far = self.field.distances(label)
            found = self._hunted[label] = any(
                unit.is_squad
                and unit.activation == READY
                and unit.condition == NORMAL
                and far[unit.hex] <= 3
                and not make(unit.figures).has_heavy_weapon
                for unit in (self.mine if self._is_foe_at(label) else self.theirs)
            )
        return found

    def _is_foe_at(self, label: str) -> bool:
        return any(unit.side != self.side for unit in by_hex(self.state.units).get(label, ()))

    # attacks

    def red_dice(self, unit: Unit, label: str, kind: str, fort: str) -> int:
        """Cover and armor of a unit, were it in a hex."""
        key = (unit.id, label, kind, fort)
        found = self._red.get(key)
        if found is None:
            found = self._red[key] = self._count_red(unit, label, kind, fort)
        return found

    def _count_red(self, unit: Unit, label: str, kind: str, fort: str) -> int:
        found = self.field.terrain[label].cover
        if label in self.state.smoke:
            found += tables.MARKERS[SMOKE].cover
        if not unit.is_squad:
            armor = tables.UNITS[unit.type].armor
            return found + max(0, armor - (unit.damage != INTACT and armor > 0))
        if fort:
            found += tables.MARKERS[fort].cover
        if TRAP in self.state.obstacles.get(label, ()):
            found += tables.MARKERS[TRAP].cover
        if kind == SUPPRESSIVE:
            made = make(unit.figures)
            found += made.elites
            if made.officers or officer_at(self.state, label, unit.side):
                found += 1
        elif skill(unit) == MEDIC:
            found += 1
        return found

    def halvings(self, unit: Unit, label: str, mode: str) -> int:
        """How many effects halve the fire of a unit from a hex."""
        found = (
            (mode == FIRE_MOVE)
            + (unit.damage == HEAVY)
            + (unit.condition != NORMAL)
            + (label in self.state.smoke)
        )
        here = self.state.obstacles.get(label)
        return found + (unit.is_squad and WIRE in here) + (MINES in here) if here else found

    def can_fire(self, unit: Unit) -> bool:
        """Whether the condition of a unit lets it attack."""
        if unit.condition == NORMAL:
            return True
        if operation(self.state, unit.side, "desperate_defence"):
            return True
        return unit.condition == PINNED and officer_at(self.state, unit.hex, unit.side)

    def dice(
        self, unit: Unit, label: str, target: Unit, group: str, mode: str, cuts: int
    ) -> tuple[int, int]:
        """The black dice of part of a unit from a hex, and what they need; no dice: no shot.

        `cuts` are the halvings there, which are the same for all targets.
        """
        if cuts > 1:
            return 0, 0
        far = self.field.distance(label, target.hex)
        talent = unit.token if unit.condition == NORMAL else ""
        armed = arms(unit.figures, unit.type, group, talent)
        power, reach = armed[bool(target.figures)][far <= 1]
        if not power:
            return 0, 0
        if not unit.figures and target.figures and self.is_concussive(unit, target):
            power += CONCUSSIVE
            reach += CONCUSSIVE
        if far > reach:
            level = self.field.level
            reach += level[label] > level[target.hex]
        band = band_of(far, reach)
        if not band or (band == 3 and mode == FIRE_MOVE):
            return 0, 0
        return (-(-power // 2) if cuts else power), NEED[band]

    def is_concussive(self, unit: Unit, target: Unit) -> bool:
        """A tank against a squad in a building or bunker."""
        if not target.is_squad or not has_trait(unit, "concussive"):
            return False
        inside = fort_kind(self.state, target) == BUNKER
        return inside or self.field.terrain[target.hex].id == "building"

    def shots(self, unit: Unit, label: str, target: Unit, mode: str) -> list[Shot]:
        """Every way for a unit to fire at a target from a hex."""
        if target.concealed or not self.sees(label, target.hex):
            return []
        return [
            Shot(target.id, kind, group, *dice, self.harm(target, kind, *dice))
            for group, kind, dice in self._aims(unit, label, target, mode)
        ]

    def _aims(self, unit: Unit, label: str, target: Unit, mode: str) -> tuple[_Aim, ...]:
        """Every way for a unit to fire at a target from a hex, seen or not."""
        key = (unit.id, label, target.id, mode)
        found = self._aimed.get(key)
        if found is None:
            found = self._aimed[key] = tuple(self._aim(unit, label, target, mode))
        return found

    def _aim(self, unit: Unit, label: str, target: Unit, mode: str) -> Iterator[_Aim]:
        cuts = self.halvings(unit, label, mode)
        shooting = [
            (group, *dice)
            for group in groups(unit)
            if (dice := self.dice(unit, label, target, group, mode, cuts))[0]
        ]
        if not shooting:
            return
        flames = skill(unit) == FLAMETHROWER and self.field.distance(label, target.hex) <= 1
        fort = fort_kind(self.state, target)
        kinds = (NORMAL_ATTACK, SUPPRESSIVE) if target.figures else (NORMAL_ATTACK,)
        reds = [(kind, self.red_dice(target, target.hex, kind, fort)) for kind in kinds]
        for group, black, need in shooting:
            for kind, red in reds:
                yield group, kind, (black, need, max(0, red + FLAME_COVER) if flames else red)

    def _support(self, unit: Unit, target: Unit, mode: str) -> tuple[int, int]:
        """The dice of a unit against a target from where it is, and what they need."""
        key = (unit.id, target.id, mode)
        found = self._backed.get(key)
        if found is None:
            cuts = self.halvings(unit, unit.hex, mode)
            found = self._backed[key] = self.dice(unit, unit.hex, target, WHOLE, mode, cuts)
        return found

    def best_shot(self, unit: Unit, label: str, mode: str) -> Shot | None:
        """The attack from a hex that promises most."""
        key = (unit.id, label, mode)
        if key not in self._best:
            best = None
            if groups(unit) and not unit.aboard and self.can_fire(unit):
                far = self.field.distances(label)
                for target in self.theirs if unit.side == self.side else self.mine:
                    if far[target.hex] > 16:
                        continue
                    for shot in self.shots(unit, label, target, mode):
                        if best is None or shot.value > best.value:
                            best = shot
            self._best[key] = best
        return self._best[key]

    def prospect(self, unit: Unit, label: str) -> float:
        """Roughly the hits that a unit could score from a hex, with its best shot."""
        best = 0.0
        cuts = self.halvings(unit, label, CONCENTRATED)
        if cuts > 1 or not groups(unit):
            return best
        talent = unit.token if unit.condition == NORMAL else ""
        armed = arms(unit.figures, unit.type, WHOLE, talent)
        loud = not unit.figures and has_trait(unit, "concussive")
        far, height = self.field.distances(label), self.field.level[label]
        for there, is_squad, red, level, walled in self._targets_of(unit.side):
            away = far[there]
            if away > 10:
                continue
            power, reach = armed[is_squad][away <= 1]
            if not power:
                continue
            if loud and walled:
                power += CONCUSSIVE
                reach += CONCUSSIVE
            if away > reach:
                reach += height > level
            band = band_of(away, reach)
            if not band:
                continue
            black = -(-power // 2) if cuts else power
            hits = black * (7 - NEED[band]) / 6 - red / 3
            if hits > best and self.sees(label, there):
                best = hits
        return best

    def _targets_of(self, side: Side) -> list[_Mark]:
        """The enemies of a side that it may fire at."""
        found = self._marks.get(side)
        if found is None:
            level, terrain = self.field.level, self.field.terrain
            found = self._marks[side] = []
            for one in self.theirs if side == self.side else self.mine:
                if one.concealed:
                    continue
                fort = fort_kind(self.state, one)
                red = self.red_dice(one, one.hex, NORMAL_ATTACK, fort)
                walled = fort == BUNKER or terrain[one.hex].id == "building"
                inside = one.is_squad and walled
                found.append((one.hex, bool(one.figures), red, level[one.hex], inside))
        return found

    def volley(
        self, lead: Unit, target: Unit, supports: list[Unit], mode: str, whole: int = 0
    ) -> Shot | None:
        """The best combined attack on a target; supporters add half of their dice."""
        if target.concealed:
            return None
        best = None
        more, worst = 0, 0
        for index, unit in enumerate(supports):
            black, need = self._support(unit, target, mode)
            if black:
                more += black if index < whole else -(-black // 2)
                worst = max(worst, need)
        for group, kind, (black, need, red) in self._aims(lead, lead.hex, target, mode):
            total, needed = black + more, max(need, worst)
            value = self.harm(target, kind, total, needed, red)
            if best is None or value > best.value:
                best = Shot(target.id, kind, group, total, needed, red, value)
        return best

    def mortar_value(self, unit: Unit, label: str, kind: str, more: int = 0) -> float:
        """What the mortars of a squad do to everybody in a hex."""
        made = make(unit.figures)
        line = tables.UNITS[made.mortars[0]]
        weapon = line.suppressive if kind == SUPPRESSIVE else line.normal
        if weapon is None:
            return 0.0
        high = self.field.level[unit.hex] > self.field.level[label]
        band = band_of(self.field.distance(unit.hex, label), weapon.range + high)
        if not band:
            return 0.0
        dice = weapon.power * len(made.mortars) + more
        if self.halvings(unit, unit.hex, CONCENTRATED):
            dice = -(-dice // 2)
        return self.area_value(label, kind, dice, NEED[band])

    def area_value(self, label: str, kind: str, dice: int, need: int = 5) -> float:
        """What an area attack does to enemies, less what it does to friends."""
        total = 0.0
        for unit in by_hex(self.state.units).get(label, ()):
            if unit.concealed or (kind == SUPPRESSIVE and not unit.is_squad):
                continue
            red = self.red_dice(unit, label, kind, fort_kind(self.state, unit))
            value = self.harm(unit, kind, dice, need, red)
            total += value if unit.side != self.side else -1.3 * value
        return total

    # threats

    def threat(self, unit: Unit, label: str, fort: str = "", moving: bool = False) -> float:
        """What the enemy's fire may cost a unit in a hex; `moving`: only op fire counts."""
        red = self.red_dice(unit, label, NORMAL_ATTACK, fort)
        key = (label, unit.is_squad, red, moving)
        found = self._threat.get(key)
        if found is None:
            found = self._threat[key] = self._danger(unit, label, red, moving)
        return found

    def _danger(self, unit: Unit, label: str, red: int, moving: bool) -> float:
        is_squad = bool(unit.figures)
        far, height = self.field.distances(label), self.field.level[label]
        walled = is_squad and (
            fort_kind(self.state, unit) == BUNKER or self.field.terrain[label].id == "building"
        )
        scale = 0.0
        total = 0.0
        for there, armed, loud, level, cuts, weight in self._guns_against(unit.side, moving):
            away = far[there]
            if away > 12 or away == 0:
                continue
            power, reach = armed[is_squad][away <= 1]
            if not power:
                continue
            if loud and walled:
                power += CONCUSSIVE
                reach += CONCUSSIVE
            if away > reach:
                reach += level > height
            band = band_of(away, reach)
            if not band or not self.sees(there, label):
                continue
            scale = scale or (1.0 if unit.is_squad else self.worth(unit) / 4)
            black = -(-power // 2) if cuts else power
            total += weight * scale * menace(black, red, NEED[band])
        return total

    def _guns_against(self, side: Side, moving: bool) -> list[_Gun]:
        """The enemies of a side that may fire at it; `moving`: those in op fire alone."""
        found = self._guns.get((side, moving))
        if found is None:
            found = self._guns[side, moving] = []
            for foe in self.theirs if side == self.side else self.mine:
                is_well = foe.condition == NORMAL
                cuts = self.halvings(foe, foe.hex, CONCENTRATED)
                waits = foe.activation == OP_FIRE and is_well
                if cuts > 1 or not groups(foe) or (moving and not waits):
                    continue
                weight = 1.0
                if not moving:
                    weight = 0.9 if foe.activation == READY else 0.55
                    weight *= 1.0 if is_well else 0.4
                armed = arms(foe.figures, foe.type, WHOLE, foe.token if is_well else "")
                loud = not foe.figures and has_trait(foe, "concussive")
                found.append((foe.hex, armed, loud, self.field.level[foe.hex], cuts, weight))
        return found

    # goals

    @property
    def goals(self) -> tuple[tuple[str, float], ...]:
        """The hexes worth having, with their pull."""
        if self._goals is None:
            self._goals = tuple(self._weigh_goals())
        return self._goals

    def _must_attack(self) -> bool:
        """Whether the scenario asks this side to take ground that it does not hold."""
        found = tables.scenarios().get(self.state.scenario)
        if found is not None and isinstance(found.victory, tables.ControlVictory):
            return found.victory.side == self.side
        held = sum(
            self.state.control.get(label) == self.side
            for label, goal in self.state.objectives.items()
            if goal.victory
        )
        return 2 * held <= sum(goal.victory for goal in self.state.objectives.values())

    def _weigh_goals(self) -> list[tuple[str, float]]:
        state = self.state
        found = []
        late = self.late
        scenario = tables.scenarios().get(state.scenario)
        wanted = 99
        if scenario is not None and isinstance(scenario.victory, tables.ControlVictory):
            wanted = scenario.victory.final if self.attacks else 99
        ranked = sorted(
            (label for label, goal in state.objectives.items() if goal.victory),
            key=lambda label: (self._effort(label), label),
        )
        for label, goal in state.objectives.items():
            pull = 0.0
            if goal.victory:
                pull = 9.0 + 7.0 * late
                if ranked.index(label) >= wanted:
                    pull *= 0.55
            if goal.command:
                mine = goal.owner in (self.side, NEUTRAL)
                gain = 2.2 * goal.command if mine else 1.0 * goal.command
                pull += gain * (1.0 - late)
            if state.control.get(label) == self.side and not self._near_foes(label):
                pull *= 0.5
            found.append((label, pull))
        return found

    def _effort(self, label: str) -> float:
        """How hard an objective is to take: how far, and who defends it."""
        far = [self.field.distance(unit.hex, label) for unit in self.mine]
        close = sum(sorted(far)[:3]) / 3 if far else 9
        guards = sum(
            self.worth(unit) for unit in self.theirs if self.field.distance(unit.hex, label) <= 1
        )
        return close + guards

    def _near_foes(self, label: str) -> int:
        return sum(self.field.distance(unit.hex, label) <= 4 for unit in self.theirs)

    def pull(self, unit: Unit, label: str) -> float:
        """How well a hex serves the goals, for a unit."""
        return self.lanes(unit).pull(label)

    def lanes(self, unit: Unit) -> Lanes:
        """The ways of a unit to the goals."""
        found = self._lanes.get(unit.id)
        if found is None:
            goals = tuple(goal for goal, _pull in self.goals)
            weights = tuple(pull * self._room(unit, goal) for goal, pull in self.goals)
            who, obstacles = mover(unit), self.obstacles
            found = lanes(self.field, who, goals, weights, obstacles, unit.is_squad)
            self._lanes[unit.id] = found
        return found

    def _room(self, unit: Unit, goal: str) -> float:
        """How much one more unit helps at a goal."""
        friends, foes, there = self._throng(goal)
        home = self._home.get(unit.id)
        if home is not None:
            friends -= self.field.distance(home, goal) <= 1
            there -= home == goal
        spare = friends - (1 + foes)
        found = 0.7 ** (spare + 1) if spare >= 0 else 1.0
        return found * 0.75 if there and unit.hex != goal else found

    def _throng(self, goal: str) -> tuple[int, int, int]:
        """Own units at a goal or next to it, enemies near it, own units on it."""
        found = self._throngs.get(goal)
        if found is None:
            far = self.field.distances(goal)
            found = self._throngs[goal] = (
                sum(far[one.hex] <= 1 for one in self.mine),
                sum(far[one.hex] <= 3 for one in self.theirs),
                sum(one.hex == goal for one in self.mine),
            )
        return found

    def stand(self, unit: Unit, label: str, fort: str = "") -> float:
        """How good it is for a unit to end in a hex."""
        key = (unit.id, label, fort)
        found = self._stand.get(key)
        if found is None:
            found = self._stand[key] = self._weigh(unit, label, fort)
        return found

    def _weigh(self, unit: Unit, label: str, fort: str) -> float:
        temper = self.temper
        value = self.pull(unit, label)
        goal = self.state.objectives.get(label)
        if goal is not None and goal.command and self.state.control.get(label) != self.side:
            others = any(one.hex == label and one.id != unit.id for one in self.mine)
            left = self.state.rounds - self.state.round
            if not others and goal.owner in (self.side, NEUTRAL):
                value += 0.6 * goal.command * min(left, 4)
        here = self.state.obstacles.get(label, ())
        if here:
            value -= 2.5 * (MINES in here) + 0.8 * (WIRE in here and unit.is_squad)
        value -= self.caution * self.threat(unit, label, fort)
        if temper.foresight:
            value += temper.foresight * self.prospect(unit, label)
        if self.whim and not self.attacks:
            value += 0.25 * self.whim * self.luck(f"{unit.id} {label}")
        return value

    def luck(self, what: str) -> float:
        """How a plan is misjudged, from -1/2 to 1/2: the same for the whole round."""
        return crc32(f"{what} {self.state.round}".encode()) % 1000 / 1000 - 0.5

    # paths

    def reach(self, unit: Unit, mp: int, first: frozenset[str] | None = None) -> Ways:
        """The hexes that a unit can reach with some thirds of a point: cost, and where from."""
        if first is not None:
            return self._spread(unit, mp, first)
        most, found = self._ways.get(unit.id, (-1, {}))
        if most < mp:
            found = self._spread(unit, mp, None)
            self._ways[unit.id] = (mp, found)
        elif most > mp:
            found = {label: way for label, way in found.items() if way[0] <= mp}
        return found

    def _spread(self, unit: Unit, mp: int, first: frozenset[str] | None) -> Ways:
        walker = Walker(mover(unit), unit.is_squad, is_heavy(unit) or skill(unit) == ENGINEER)
        return ways(self.field, walker, unit.hex, mp, self._closed, self.obstacles, first)

    def stops(self, unit: Unit, found: Ways) -> list[str]:
        """Those hexes of a reach where a unit may end."""
        crowd, rides = self._crowd, not unit.is_squad
        return [
            label
            for label in found
            if label == unit.hex
            or (count := crowd.get(label)) is None
            or (count[0] < UNITS_IN_A_HEX and not (rides and count[1] >= VEHICLES_IN_A_HEX))
        ]

    def path(self, found: Ways, label: str) -> list[str]:
        """The hexes from the first step to a hex."""
        way = []
        while found[label][1]:
            way.append(label)
            label = found[label][1]
        return way[::-1]

    def op_risk(self, unit: Unit, way: list[str]) -> float:
        """What op fire may cost along a way: the worst hex, and some of the others."""
        if not way:
            return 0.0
        risks = [self.threat(unit, label, moving=True) for label in way]
        worst = max(risks)
        return worst + 0.25 * (sum(risks) - worst)

    def home(self) -> frozenset[str]:
        """The deployment area of this side."""
        return frozenset(area_of(self.state, self.side))


def guns_only(unit: Unit) -> bool:
    """Whether a squad can fire its machine guns alone, and so stay in op fire."""
    return unit.is_squad and GUNS in groups(unit)
