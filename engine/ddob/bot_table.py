"""What the table is worth to a player of the Americans, in victory points.

Danger is counted from the cards left and from what a field of fire may reach; hope from the
Germans that stand between the Americans and the points (13.2, 20.3).
"""

from __future__ import annotations

from functools import cache, lru_cache
from heapq import heappop, heappush
from random import Random
from typing import NamedTuple

import msgspec

from engine.ddob.attacks import DIRECT_FIRE
from engine.ddob.communication import STEEP
from engine.ddob.fields import field_of
from engine.ddob.ground import (
    BARRIERS,
    BASE,
    BEACH_DOTTED,
    COVER_AT,
    EXIT_AT,
    IS_LOW,
    LAND,
    NEIGHBOURS,
    SECTOR,
    SHELTER,
    SIDE,
    TERRAIN_AT,
    TIDE_AT,
    distance,
    is_submerged,
    roads,
)
from engine.ddob.state import (
    UNSEEN,
    German,
    State,
    Unit,
    controls_adjacent,
    field_of_fire,
    in_boxes,
    index,
    is_extended,
    on_map,
    position_of,
    threats,
)
from engine.ddob.tables import (
    BOXES,
    CARDS,
    DEPTH,
    DOTS,
    DRAWS,
    INTENSE,
    POSITION_AT,
    POSITIONS,
    SETUPS,
    SPORADIC,
    SYMBOLS,
    TERRAIN,
    UNITS,
    WEAPONS,
    tide,
)
from engine.ddob.terrain import why_not_across
from engine.ddob.victory import score

replace = msgspec.structs.replace
MEDIUM, HARD = "medio", "difficile"
FAR = 99.0
FADE = 0.8
DRAW_WORTH = 5.0
OPEN_DRAW_WORTH = 4.0
SHORT = 1
"""With so few turns left the points are counted exactly."""
DISRUPTION = 0.12
"""What it costs to lose a turn of a company."""


EARLY_DANGER, LATE_DANGER, LANDED_TURN = 3.0, 2.5, 7
"""How much more a step counts in danger than in gain, while the waves land and after."""
FULL_STEP, SECOND_STEP, LAST_STEP, LOST_COMPANY = 0.55, 0.6, 0.25, 5.0
"""What a step of a company is worth, and how dear the loss box becomes as it fills."""
HEAT = 4.0
"""How many steps of detour a hex under certain fire is worth."""
ONE_LESS_GERMAN, SUPPORT, OTHERS, FORCE, NEAR = 0.3, 0.15, 0.6, 6.0, 0.65


class Mind(NamedTuple):
    """How a level thinks: fear of fire, how unsure it is, what an action must promise."""

    danger: float
    doubt: float
    least: float
    is_thorough: bool


MINDS = {MEDIUM: Mind(1.0, 0.5, 0.1, False), HARD: Mind(1.0, 0.0, 0.03, True)}


# Ground


def toll(a: str, b: str) -> float:
    """What infantry pays to go from a hex to a neighbour, in actions."""
    sides = SIDE.get((a, b), ())
    if TERRAIN_AT[b] == "rough" or "sheer cliff" in sides:
        return FAR
    if "scaleable cliff" in sides:
        return 4.0
    return 2.0 if "bluff" in sides and IS_LOW[a] else 1.0


@cache
def entries(label: str) -> tuple[tuple[str, float], ...]:
    """The hexes from which infantry enters a hex, with the price."""
    found = ((near, toll(near, label)) for near in NEIGHBOURS[label])
    return tuple((near, price) for near, price in found if price < FAR)


@cache
def fronts(target: str) -> tuple[str, ...]:
    """The hexes from which infantry may attack a hex (8.15)."""
    found = (n for n in NEIGHBOURS[target] if TERRAIN_AT[n] != "rough")
    return tuple(n for n in found if not any(True for _ in why_not_across(n, target)))


Stand = tuple[str, bool, bool]
"""A German unit for this purpose: its hex, whether it has a depth marker, whether it is armor."""


FADED = 0.06
"""Below this share of its value a goal is out of sight."""


@lru_cache(maxsize=512)
def fades(target: str, is_attack: bool, stands: tuple[Stand, ...]) -> dict[str, float]:
    """How much of a target's value is left in every hex: less with every step under fire."""
    hot = heat(stands)
    taken = {stand[0] for stand in stands}
    found: dict[str, float] = {}
    waiting = [(-1.0, h) for h in (fronts(target) if is_attack else (target,)) if h not in taken]
    while waiting:
        share, here = heappop(waiting)
        if here in found:
            continue
        found[here] = -share
        share *= FADE ** (HEAT * hot.get(here, 0.0))
        for near, step in entries(here):
            if near not in found and near not in taken:
                passed = share * FADE**step
                if passed < -FADED:
                    heappush(waiting, (passed, near))
    return found


@lru_cache(maxsize=16)
def heat(stands: tuple[Stand, ...]) -> dict[str, float]:
    """How probably any company loses a step in a hex each turn."""
    safe: dict[str, float] = {}
    seen: dict[str, None] = {}
    for label, depth, armor in stands:
        name = label if armor else POSITION_AT[label].id
        if name in seen:
            continue
        seen[name] = None
        chance = 0.5 if depth else 0.3
        for near, level in (field_of(label) if armor else DOTS[name]).items():
            share = 1.0 if level == INTENSE else 0.1 if level == SPORADIC else 0.33
            safe[near] = safe.get(near, 1.0) * (1.0 - chance * share)
    return {label: 1.0 - share for label, share in safe.items()}


@cache
def drive_toll(a: str, b: str) -> float:
    """What a vehicle or gun pays to go to a neighbour: what engineers must open is dear."""
    kinds = roads(a, b)
    if any("mined" not in kind for kind in kinds):
        return 1.0
    terrain = TERRAIN[COVER_AT.get(b, "open")]
    if TERRAIN_AT[b] == "rough" or terrain.others != "yes":
        return 4.0 if kinds and TERRAIN_AT[b] != "rough" else FAR
    sides = SIDE.get((a, b), ())
    if any(side in (*BARRIERS, "shingle") for side in sides) or kinds:
        return 4.0
    return FAR if any(TERRAIN[side].others != "yes" for side in sides) else 1.0


@cache
def climbs() -> dict[str, float]:
    """How far a vehicle is from high ground in every hex."""
    found: dict[str, float] = {}
    waiting = [(0.0, h) for h in LAND if not IS_LOW[h]]
    while waiting:
        far, here = heappop(waiting)
        if here in found:
            continue
        found[here] = far
        for near in NEIGHBOURS[here]:
            price = drive_toll(near, here)
            if near not in found and price < FAR:
                heappush(waiting, (far + price, near))
    return found


@cache
def reach(is_wide: bool, label: str) -> tuple[str, ...]:
    """The hexes that a unit controls from a hex (12.1)."""
    if not is_wide:
        return (label,)
    near = [n for n in NEIGHBOURS[label] if not IS_LOW[label] or IS_LOW[n]]
    return (label, *near)


# What stands between the Americans and the points


class Item(NamedTuple):
    """Hexes that bring points together, and the Germans that deny them."""

    name: str
    hexes: tuple[str, ...]
    points: float
    blockers: tuple[str, ...]


def effort(depth: bool) -> float:
    """How many attacks a German unit may take."""
    return 1.8 if depth else 1.0


@lru_cache(maxsize=64)
def blocked_paths(stands: tuple[Stand, ...], sectors: tuple[str, ...]) -> dict[str, frozenset[str]]:
    """For every hex, the Germans on the cheapest way to a beach, its own hex included (12.3)."""
    over: dict[str, list[str]] = {}
    price = {}
    for label, depth, armor in stands:
        price[label] = effort(depth)
        field = field_of(label) if armor else DOTS[POSITION_AT[label].id]
        for near in field:
            over.setdefault(near, []).append(label)
        if label not in field:
            over.setdefault(label, []).append(label)
    found: dict[str, frozenset[str]] = {}
    waiting: list[tuple[float, str, frozenset[str]]] = []
    for label in LAND:
        if BASE[label] == "beach" and SECTOR[label] in sectors:
            mine = frozenset(over.get(label, ()))
            heappush(waiting, (sum(price[g] for g in sorted(mine)), label, mine))
    while waiting:
        far, here, mine = heappop(waiting)
        if here in found:
            continue
        found[here] = mine
        for near in NEIGHBOURS[here]:
            if near in found or BASE[near] == "rough" or SECTOR[near] not in sectors:
                continue
            if any(side in STEEP for side in SIDE.get((here, near), ())):
                continue
            new = [g for g in over.get(near, ()) if g not in mine]
            cost = far + 0.001 + sum(price[g] for g in new)
            heappush(waiting, (cost, near, mine.union(new) if new else mine))
    return found


@lru_cache(maxsize=64)
def items(stands: tuple[Stand, ...], sectors: tuple[str, ...], is_late: bool) -> tuple[Item, ...]:
    """Everything that brings points at the next count (13.2, 13.21, 20.3)."""
    paths = blocked_paths(stands, sectors)
    found = []
    for position in POSITIONS.values():
        if position.sector not in sectors:
            continue
        points = float(len(position.hexes)) if position.is_wn else 1.0
        if is_late and not position.is_wn and not position.is_vp:
            continue
        found.append((position.id, position.hexes, points))
    for name, hexes in DRAWS.items():
        if SECTOR[hexes[0]] in sectors:
            found.append((name, hexes, OPEN_DRAW_WORTH if is_late else DRAW_WORTH))
    result = []
    for name, hexes, points in found:
        blockers: dict[str, None] = {}
        for label in hexes:
            blockers.update(dict.fromkeys(sorted(paths.get(label, ()))))
            if label not in paths:
                blockers["nowhere"] = None
        if "nowhere" not in blockers:
            result.append(Item(name, hexes, points, tuple(blockers)))
    return tuple(result)


SMALL_ARMS = ("BZ", "BG", "BR", "MO")
"""What most German units ask for."""


class Goal(NamedTuple):
    """A hex to attack or to hold, its value, and the strength that should go there."""

    hex: str
    is_attack: bool
    value: float
    need: float


class Table:
    """The table as one player weighs it."""

    def __init__(self, state: State, mind: Mind, rng: Random) -> None:
        self.state = state
        self.mind = mind
        self.rng = rng
        self.end = 16 if state.turn <= 16 else 32
        self.left = self.end - state.turn
        self.fear = mind.danger * (EARLY_DANGER if state.turn <= LANDED_TURN else LATE_DANGER)
        self.score = score(state) if self.left <= SHORT else 0
        self._count_cards()
        self._risk: dict[tuple[str, str, bool, bool], tuple[float, float]] = {}
        self._pulls: dict[str, dict[int, float]] = {}
        self._near: dict[str, float] = {}
        self.infantry = [u for u in on_map(state) if UNITS[u.id].is_infantry]
        self.companies = dict.fromkeys(u.at for u in self.infantry if u.steps > 1)
        self.exposed = self._exposed()
        self._volley: dict[str, float] = {}
        self._eligible: dict[str, float] = {}
        self.rising = [
            (tide(min(state.turn + later, 32)), price)
            for later, price in ((0, 9.0), (1, 6.0), (2, 2.0), (3, 0.8))
        ]
        stands = tuple((h, bool(g.depth), g.is_armor) for h, g in state.germans.items())
        self.stands = stands
        sectors = SETUPS[state.scenario].sectors
        self.items = items(stands, sectors, state.turn > 16)
        self.items_at: dict[str, list[Item]] = {}
        for item in self.items:
            for label in item.hexes:
                self.items_at.setdefault(label, []).append(item)
        self.paths = blocked_paths(stands, sectors)
        self.prize = self._prizes()
        self.claimed = self._claimed()
        self.goals = self._goals()
        self.aims = self._aims()
        self.fronts = self._fronts()

    # Danger

    def _count_cards(self) -> None:
        """Shares of the cards left: which colours fire, at which symbols, at armor."""
        state = self.state
        deck = state.deck.items or dict.fromkeys(state.discards, 1)
        total = sum(deck.values()) or 1
        fire: dict[tuple[str, bool], float] = {}
        match: dict[tuple[str, bool, str], float] = {}
        armor: dict[tuple[str, bool, str], float] = {}
        for name, n in deck.items():
            card = CARDS[name]
            share = n / total
            for square in card.fire:
                for depth in (True, False) if square.squares == 1 else (True,):
                    key = (square.colour, depth)
                    fire[key] = fire.get(key, 0.0) + share
                    mark = (square.colour, depth, card.target)
                    match[mark] = match.get(mark, 0.0) + share
                    if square.action == "tank":
                        armor[mark] = armor.get(mark, 0.0) + share
        if not self.mind.is_thorough:
            fire = {key: 0.5 if key[1] else 0.3 for key in fire}
            match = {(c, d, s): fire[c, d] / 3 for c, d in fire for s in SYMBOLS}
        self.fires, self.matches, self.bonus = fire, match, armor

    def price(self, unit: Unit) -> float:
        """What the next step of a unit is worth."""
        data = UNITS[unit.id]
        if data.is_leader:
            return 0.15
        if data.type == "infantry":
            if unit.steps == 2:
                lost = len(self.state.losses.get(data.division, ()))
                limit = 14 if is_extended(self.state) else 8
                return SECOND_STEP + LOST_COMPANY * (lost / limit) ** 3
            return FULL_STEP if unit.steps > 2 else LAST_STEP
        if data.type == "ranger":
            return 0.35
        if self.state.last_turn > 16:
            return 0.6 if unit.steps == 1 else 0.2
        return 0.1

    def chance(self, german: German) -> float:
        """How probable it is that the next card lets a German unit fire."""
        position = position_of(german)
        colour = position.colour if position is not None else german.data.colour
        return self.fires.get((colour, bool(german.depth)), 0.0)

    def _exposed(self) -> dict[str, list[Unit]]:
        """Who will be where when the Germans fire: units in the boxes land before (4.i)."""
        found = {label: list(units) for label, units in index(self.state).by_hex.items()}
        water = tide(min(self.state.turn + 1, 32))
        for unit in in_boxes(self.state):
            label = BOXES[unit.at].waterline(water)
            if label:
                found.setdefault(label, []).append(unit)
        return found

    def volley(self, label: str) -> float:
        """What one firing of the position of a German unit may be expected to cost."""
        if label not in self._volley:
            total, eligible = 0.0, 0.0
            german = self.state.germans[label]
            for near, level in field_of_fire(self.state, german).items():
                for unit in self.exposed.get(near, ()):
                    data = UNITS[unit.id]
                    if data.is_leader:
                        continue
                    share = 1.0 if level == INTENSE else 0.06 if data.is_armored else 0.33
                    worth = DISRUPTION if level == SPORADIC else self.price(unit)
                    total += share * worth
                    eligible += share
            limit = self.limit(german)
            self._eligible[label] = eligible
            self._volley[label] = total * min(1.0, limit / eligible) if eligible else 0.0
        return self._volley[label]

    def limit(self, german: German) -> float:
        """How many units the position of a German unit may hit (6.31, 14.11)."""
        position = position_of(german)
        hexes = position.hexes if position is not None else (german.hex,)
        germans = [self.state.germans[h] for h in hexes if h in self.state.germans]
        count = sum(2 if g.depth else 1 for g in germans if not g.disrupted)
        return float(max(count, 1) * (2 if is_extended(self.state) else 1))

    def exposure(self, unit: Unit, label: str) -> tuple[float, float]:
        """How probably a unit in a hex loses a step, and how probably it is disrupted."""
        data = UNITS[unit.id]
        steps = index(self.state).steps.get(label, 0)
        steps += 0 if unit.at == label else unit.steps
        symbol = unit.symbol
        key = (label, symbol, steps >= 5, data.is_armored)
        if key in self._risk:
            return self._risk[key]
        safe, calm = 1.0, 1.0
        for near, level in threats(self.state, label, disrupted=True):
            german = self.state.germans[near]
            position = position_of(german)
            colour = position.colour if position is not None else german.data.colour
            depth = bool(german.depth)
            if position is not None:
                depth = any(
                    self.state.germans[h].depth for h in position.hexes if h in self.state.germans
                )
            hit = self.fires.get((colour, depth), 0.0)
            if level != INTENSE:
                if data.is_armored:
                    hit = self.bonus.get((colour, depth, symbol), 0.0)
                elif steps < 5:
                    hit = self.matches.get((colour, depth, symbol), 0.0)
            if german.disrupted:
                hit *= 0.4
            self.volley(near)
            crowd = self._eligible[near] + (0.0 if unit.at == label else 0.5)
            hit *= min(1.0, self.limit(german) / crowd) if crowd > 0 else 1.0
            if level != SPORADIC:
                safe *= 1.0 - hit
            if level == SPORADIC or not (german.is_wn or german.shown):
                calm *= 1.0 - hit
        self._risk[key] = (1.0 - safe, 1.0 - calm)
        return self._risk[key]

    def risk(self, unit: Unit, label: str) -> float:
        """What it may cost a unit to be in a hex when the Germans fire, and when the tide rises."""
        lost, disrupted = self.exposure(unit, label) if self.left else (0.0, 0.0)
        data = UNITS[unit.id]
        cost = 0.04 * lost if data.is_leader else lost * self.price(unit) + disrupted * DISRUPTION
        risk = cost * self.fear
        if label in TIDE_AT:
            for water, price in self.rising:
                if is_submerged(label, water):
                    risk += price * (1.0 if data.is_infantry or data.is_leader else 0.3)
                    break
        if BASE[label] == "beach" and data.is_infantry:
            risk += 0.04 + 0.02 * SHELTER.get(label, 3)
        return risk

    # Hope

    def _prizes(self) -> dict[str, float]:
        """What it is worth to be rid of each German unit."""
        germans = self.state.germans
        found = dict.fromkeys(germans, 0.0)
        is_wide = len(SETUPS[self.state.scenario].sectors) > 1
        able = max(0.6, self.left * (1.4 if is_wide else 0.7))
        if is_extended(self.state):
            able *= 2
        for item in self.items:
            need = sum(effort(bool(germans[g].depth)) for g in item.blockers)
            if not need:
                continue
            hope = item.points * min(1.0, able / need) ** 1.5 * self.nearness(item)
            for g in item.blockers:
                found[g] += hope * effort(bool(germans[g].depth)) / need**1.3
        if self.left <= SHORT:
            for label in germans:
                less = {h: g for h, g in germans.items() if h != label}
                found[label] = 0.3 * found[label] + self.points(replace(self.state, germans=less))
        for label, german in germans.items():
            turns = min(self.left, 5.0)
            found[label] += ONE_LESS_GERMAN + self.volley(label) * self.chance(german) * turns
        return found

    def points(self, state: State) -> float:
        """The points that another state has more than this one, as the count would have it."""
        return float(score(state) - self.score)

    def nearness(self, item: Item) -> float:
        """How probably companies come to control all of an item in time: less when far."""
        if item.name not in self._near:
            far = max(self._company_to(label) for label in item.hexes)
            self._near[item.name] = 0.0 if far > self.left + 1 else NEAR**far
        return self._near[item.name]

    def _company_to(self, label: str) -> int:
        """How many steps the nearest company is from controlling a hex."""
        if self.is_claimed(label):
            return 0
        found = (distance(at, label) - 1 for at in self.companies)
        return max(0, min(found, default=10))

    def _goals(self) -> list[Goal]:
        """Where it is worth going, and how much: to attack Germans, to hold positions."""
        state = self.state
        found: list[Goal] = []
        for label, german in state.germans.items():
            value = self.prize[label] * (0.8 if german.depth else 1.0)
            value *= 1.25 if german.disrupted or german.shown else 1.0
            strength = german.data.strength if german.unit else 2.5
            need = strength * FORCE + (FORCE * 0.8 if german.depth else 0.0)
            found.append(Goal(label, True, value, need))
        for item in self.items:
            for label in item.hexes:
                if label in state.germans or self.is_claimed(label):
                    continue
                worth = item.points / len(item.hexes) / (1.0 + len(item.blockers))
                if self.nearness(item) < 0.1:
                    continue
                found.append(Goal(label, False, worth, 1.0))
        if is_extended(state) and state.turn >= 24:
            found += [Goal(h, False, 1.5, 6.0) for h in EXIT_AT if not self.paths.get(h)]
        return found

    def is_claimed(self, label: str) -> bool:
        """Whether a hex is controlled already."""
        return label in index(self.state).controlled or label in self.state.garrisons

    def _claimed(self) -> dict[str, int]:
        """How many units control each hex."""
        found: dict[str, int] = {}
        for unit in on_map(self.state):
            if not UNITS[unit.id].is_leader:
                for label in reach(controls_adjacent(unit), unit.at):
                    found[label] = found.get(label, 0) + 1
        return found

    def claims(self, unit: Unit, label: str) -> float:
        """What a unit in a hex adds to what is held, in points; more as the end comes."""
        wide = controls_adjacent(unit)
        mine = reach(wide, unit.at) if unit.is_on_map else ()
        total = 0.0
        for near in reach(wide, label):
            worth = self.worth_of(near)
            if not worth or self.claimed.get(near, 0) - (near in mine) > 0:
                continue
            total += worth
        return total * (0.9 if self.left <= 3 else 0.5 if self.left <= 7 else 0.2)

    def worth_of(self, label: str) -> float:
        """What controlling a hex adds, if the Germans let it count."""
        total = 0.0
        for item in self.items_at.get(label, ()):
            total += item.points / len(item.hexes) / (1.0 + 2.0 * len(item.blockers))
        return total

    def pull(self, unit: Unit, label: str) -> float:
        """How near a hex is to what a company is meant to take, and a little to all the rest."""
        if label not in self._pulls:
            ranked = sorted(
                (
                    (-goal.value * far, number)
                    for number, goal in enumerate(self.goals)
                    if (far := fades(goal.hex, goal.is_attack, self.stands).get(label))
                ),
            )
            self._pulls[label] = {number: -value for value, number in ranked}
        here = self._pulls[label]
        mine = self.aims.get(unit.id, -1)
        other = next((value for number, value in here.items() if number != mine), 0.0)
        return here.get(mine, 0.0) + OTHERS * other

    def _aims(self) -> dict[str, int]:
        """Share the goals among the companies: the best pairs first, until a goal has enough."""
        pairs = []
        for number, goal in enumerate(self.goals):
            left_in = fades(goal.hex, goal.is_attack, self.stands)
            for unit in self.infantry:
                near = left_in.get(unit.at)
                if near:
                    fit = self.fitness(unit, goal)
                    pairs.append((-goal.value * near * fit, unit.id, number))
        pairs.sort()
        left = [goal.need for goal in self.goals]
        found: dict[str, int] = {}
        for _value, name, number in pairs:
            if name in found or left[number] <= 0:
                continue
            found[name] = number
            left[number] -= max(1, self.state.units[name].strength)
        return found

    def fitness(self, unit: Unit, goal: Goal) -> float:
        """How well a company suits a goal: its weapons against those required (8.2)."""
        if not goal.is_attack:
            return 1.0 if unit.steps > 1 else 0.6
        data = UNITS[unit.id]
        have = WEAPONS["full infantry"]
        if unit.steps < data.full:
            have = data.weapons[data.full - unit.steps - 1]
        german = self.state.germans[goal.hex]
        wanted = dict.fromkeys(german.data.weapons if german.shown else SMALL_ARMS)
        if german.depth_shown and german.depth != UNSEEN:
            wanted.update(dict.fromkeys(DEPTH[german.depth_kind][german.depth].weapons))
        if not wanted:
            return 1.0
        return 0.4 + 0.6 * sum(w in have for w in wanted) / len(wanted)

    def lead(self, label: str) -> float:
        """How many companies a leader in a hex would help, the near ones most."""
        total = 0.0
        for unit in on_map(self.state):
            data = UNITS[unit.id]
            if data.is_leader or unit.hero or data.type == "ranger":
                continue
            far = distance(label, unit.at)
            if far > 6:
                continue
            share = 1.0 if far <= 1 else 0.6 * 0.7 ** (far - 2)
            worth = 0.3 * min(self.pull(unit, unit.at), 3.0) if data.is_infantry else 0.1
            total += share * worth
        return total

    def _fronts(self) -> list[tuple[str, str, float]]:
        """Where companies stand next to a German unit: their hex, its hex, the prize."""
        found = []
        for unit in on_map(self.state):
            if UNITS[unit.id].is_infantry:
                for near in NEIGHBOURS[unit.at]:
                    if near in self.prize and not any(True for _ in why_not_across(unit.at, near)):
                        found.append((unit.at, near, self.prize[near]))
        return found

    def support(self, unit: Unit, label: str) -> float:
        """What tanks and guns of direct fire add to attacks near a hex (8.1.carri)."""
        if UNITS[unit.id].type not in DIRECT_FIRE:
            return 0.0
        best = 0.0
        for at, target, prize in self.fronts:
            if distance(label, target) > unit.range:
                continue
            position = POSITION_AT.get(target)
            is_seen = position is not None and position.id in BEACH_DOTTED
            if IS_LOW[label] and not IS_LOW[target] and not is_seen:
                continue
            far = max(0, distance(label, at) - 1)
            best = max(best, prize * 0.6**far)
        return SUPPORT * best

    def place(self, unit: Unit, label: str) -> float:
        """What it is worth for a unit to stand in a hex."""
        data = UNITS[unit.id]
        if data.is_leader:
            calm = 0.4 if is_extended(self.state) and not self.is_under_fire(label) else 0.0
            return self.lead(label) + calm - self.risk(unit, label)
        if data.is_infantry:
            hope = self.pull(unit, label) * (1.0 if unit.steps > 1 else 0.7)
            hope += self.claims(unit, label)
        else:
            hope = self.support(unit, label)
            if self.state.last_turn > 16:
                hope += 0.8 * 0.85 ** climbs().get(label, FAR)
        return hope - self.risk(unit, label)

    def is_under_fire(self, label: str) -> bool:
        """Whether a command post in a hex would be silent (18.32)."""
        return any(True for _ in threats(self.state, label, disrupted=True))

    def site(self, label: str) -> float:
        """What an engineer base in a hex may open and garrison (19.3)."""
        hexes = [h for draw in DRAWS.values() for h in draw] + list(POSITION_AT)
        return sum(0.6 ** distance(label, h) for h in hexes if distance(label, h) <= 5)

    def doubt(self) -> float:
        """How far off an estimate of this level may be."""
        return (self.rng.random() - 0.5) * self.mind.doubt if self.mind.doubt else 0.0

    def crowd(self, label: str) -> int:
        """The units in a hex, leaders apart."""
        found = index(self.state).by_hex.get(label, ())
        return sum(not UNITS[u.id].is_leader for u in found)
