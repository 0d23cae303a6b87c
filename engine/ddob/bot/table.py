"""What the table is worth to a player of the Americans, in victory points.

The player looks for the Germans that stand between the Americans and the points (13.2, 20.3) and
prices each by the points it denies. Companies are shared among these targets and the empty
positions worth holding: a German who came there would deny points, so standing on such a position
counts. As the end comes the hard player sends companies that are not needed in the fight to run
inland for points that nobody denies any more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from random import Random
from typing import Any, NamedTuple, TypeVar

import msgspec

from engine.ddob.bot.fire import Danger, Mind
from engine.ddob.bot.ground import FAR, Item, blocked_paths, climbs, effort, fades, items, reach
from engine.ddob.rules.attacks import DIRECT_FIRE
from engine.ddob.rules.communication import german_reach
from engine.ddob.rules.terrain import why_not_across
from engine.ddob.rules.victory import score
from engine.ddob.state.ground import BEACH_DOTTED, IS_LOW, NEIGHBOURS, distance, distances
from engine.ddob.state.state import (
    UNSEEN,
    German,
    State,
    Unit,
    controls_adjacent,
    index,
    is_extended,
    on_map,
)
from engine.ddob.state.tables import DEPTH, DOTS, POSITION_AT, POSITIONS, SETUPS, UNITS, WEAPONS

V = TypeVar("V")
replace = msgspec.structs.replace
SHORT = 0
"""With so few turns left the points are counted exactly."""
PACE, NEAR = 0.44, 0.695
"""Steps a turn that companies make inland, and what each step too far leaves of the hope."""
KEY, OCCUPY, MOST_DENIED = 0.23, 0.23, 2.9
"""What it is worth to go to, and to stand on, an empty position that would deny points."""
CLAIM_LATE, CLAIM_LAST = 0.56, 1.04
"""What a hex that counts is worth to whoever stands there, in the last turns."""
RUN_EARLY, RUN_LATE, RUN_TURNS = 7.0, 14.0, 11
"""How dear points are that nobody denies: in the last turns the hard player runs for them."""
HOLDS, LEAST_PRIZE = 14, 0.48
"""How many positions to hold are thought of, and which Germans are not worth a way."""
LED, LEAD, LEAD_FAR, LED_ALREADY = 0.12, 0.32, 0.28, 0.36
"""What it is worth to be led (7.1); to a leader, what a company he leads is worth, one two hexes
away, one that another leads already."""
WORN = 0.56
"""How much a company of one step cares for its goal."""
ONE_LESS_GERMAN, SUPPORT, OTHERS, FORCE = 0.37, 0.16, 0.44, 5.5
ATTACKS_WIDE, ATTACKS_NARROW = 1.4, 0.7
"""How many attacks a turn may be made on the whole beach, and on half of it."""
SMALL_ARMS = ("BZ", "BG", "BR", "MO")
"""What most German units ask for."""


class Goal(NamedTuple):
    """A hex to attack or to hold, its value, and the strength that should go there."""

    hex: str
    is_attack: bool
    value: float
    need: float


def planned(make: Callable[[Any], V]) -> cached_property[V]:
    """What holds for a phase: the table that began it works it out when somebody asks."""

    def found(table: Any) -> V:
        return make(table) if table.began is table else getattr(table.began, make.__name__)

    found.__doc__ = make.__doc__
    return cached_property(found)


class Table(Danger):
    """The table as one player weighs it."""

    pace = PACE

    def __init__(self, state: State, mind: Mind, rng: Random, before: Table | None = None) -> None:
        if before is not None and before.state.turn != state.turn:
            before = None
        super().__init__(state, mind, rng, before)
        self._near: dict[str, float] = {}
        self._pulls: dict[str, dict[int, float]] = {}
        self._left: dict[tuple[str, bool], dict[str, float]] = {}
        self.stands = tuple([(h, bool(g.depth), g.is_armor) for h, g in state.germans.items()])
        self.began: Table = self
        if before is not None and before.is_plan_for(self):
            self.began = before.began
            self._pulls, self._left = before._pulls, before._left

    def is_plan_for(self, later: Table) -> bool:
        """Whether what was planned still holds: the same division, the same Germans."""
        return self.stands == later.stands and self.state.division == later.state.division

    @cached_property
    def score(self) -> int:
        """The points now, where they are counted exactly."""
        return score(self.state) if self.left <= SHORT else 0

    @cached_property
    def infantry(self) -> list[Unit]:
        """The companies on the map."""
        return [u for u in on_map(self.state) if UNITS[u.id].is_infantry]

    @cached_property
    def companies(self) -> dict[str, None]:
        """Where companies of more than one step are."""
        return dict.fromkeys(u.at for u in self.infantry if u.steps > 1)

    @cached_property
    def leaders(self) -> list[Unit]:
        """The leaders on the map."""
        return [u for u in on_map(self.state) if UNITS[u.id].is_leader]

    # The plan of a phase

    @planned
    def paths(self) -> dict[str, frozenset[str]]:
        """The Germans in the way of each hex to a beach."""
        return blocked_paths(self.stands, SETUPS[self.state.scenario].sectors)

    @planned
    def items(self) -> tuple[Item, ...]:
        """Everything that brings points."""
        return self._items()

    @planned
    def items_at(self) -> dict[str, list[Item]]:
        """What brings points, by hex."""
        found: dict[str, list[Item]] = {}
        for item in self.items:
            for label in item.hexes:
                found.setdefault(label, []).append(item)
        return found

    @planned
    def prize(self) -> dict[str, float]:
        """What it is worth to be rid of each German unit."""
        return self._prizes()

    @planned
    def keys(self) -> dict[str, float]:
        """What Germans would deny from each empty position."""
        return self._keys()

    @planned
    def goals(self) -> list[Goal]:
        """Where it is worth going."""
        return self._goals()

    @planned
    def aims(self) -> dict[str, int]:
        """Who is to go where."""
        return self._aims()

    def _items(self) -> tuple[Item, ...]:
        """Everything that brings points at the next count."""
        return items(self.stands, SETUPS[self.state.scenario].sectors, self.state.turn > 16)

    def _prizes(self) -> dict[str, float]:
        """What it is worth to be rid of each German unit."""
        germans = self.state.germans
        found = dict.fromkeys(germans, 0.0)
        is_wide = len(SETUPS[self.state.scenario].sectors) > 1
        able = max(0.6, self.left * (ATTACKS_WIDE if is_wide else ATTACKS_NARROW))
        if is_extended(self.state):
            able *= 2
        for item in self.items:
            need = sum(effort(bool(germans[g].depth)) for g in item.blockers)
            if not need:
                continue
            hope = item.points * min(1.0, able / need) ** 1.3 * self.nearness(item)
            for g in item.blockers:
                found[g] += hope * effort(bool(germans[g].depth)) / need
        if self.left <= SHORT:
            for label in germans:
                less = {h: g for h, g in germans.items() if h != label}
                found[label] = 0.3 * found[label] + self.points(replace(self.state, germans=less))
        for label, german in germans.items():
            found[label] += ONE_LESS_GERMAN + self.relief(german)
        return found

    def relief(self, german: German) -> float:
        """What it spares in the next turns to be rid of a German unit."""
        return self.volley(german.hex) * self.chance(german) * min(self.left, 5.0)

    def points(self, state: State) -> float:
        """The points that another state has more than this one, as the count would have it."""
        return float(score(state) - self.score)

    def nearness(self, item: Item) -> float:
        """How probably companies come to control all of an item in time: less when far."""
        if item.name not in self._near:
            far = max(self._company_to(label) for label in item.hexes)
            late = max(0.0, far - self.pace * self.left)
            self._near[item.name] = 0.0 if far > self.left + 1 else NEAR**late
        return self._near[item.name]

    def _company_to(self, label: str) -> int:
        """How many steps the nearest company is from controlling a hex."""
        if self.is_claimed(label):
            return 0
        far = distances(label)
        return max(0, min([far[at] - 1 for at in self.companies], default=10))

    def _goals(self) -> list[Goal]:
        """Where it is worth going, and how much: to attack Germans, to hold positions."""
        found: list[Goal] = []
        for label, german in self.state.germans.items():
            if self.prize[label] < LEAST_PRIZE:
                continue
            value = self.prize[label] * (0.8 if german.depth else 1.0)
            value *= 1.25 if german.disrupted or german.shown else 1.0
            strength = german.data.strength if german.unit else 2.5
            need = strength * FORCE + (FORCE * 0.8 if german.depth else 0.0)
            found.append(Goal(label, True, value, need))
        holds = sorted(
            self._holds(), key=lambda g: (-g.value * 0.85 ** self._company_to(g.hex), g.hex)
        )
        found += holds[:HOLDS]
        return found

    def _holds(self) -> list[Goal]:
        """Empty hexes of what brings points, nobody in control yet or worth standing on."""
        best: dict[str, float] = {}
        occupied = index(self.state).occupied
        for item in self.items:
            if self.nearness(item) < 0.1:
                continue
            worth = item.points / len(item.hexes) / (1.0 + len(item.blockers))
            if self.mind.is_thorough and not item.blockers:
                worth *= self.haste()
            for label in item.hexes:
                if label in self.state.germans or label in occupied:
                    continue
                if label in self.keys or not self.is_claimed(label):
                    value = worth + KEY * self.keys.get(label, 0.0)
                    best[label] = max(value, best.get(label, 0.0))
        return [Goal(label, False, value, 1.0) for label, value in best.items()]

    def haste(self) -> float:
        """How dear points are that nobody denies any more."""
        return RUN_LATE if self.left <= RUN_TURNS else RUN_EARLY

    def _keys(self) -> dict[str, float]:
        """What a German who came to an empty position would deny: it is worth standing there."""
        found = {}
        linked = german_reach(self.state)
        for position in POSITIONS.values():
            label = position.hexes[0]
            if position.is_wn or label in self.state.germans or label not in linked:
                continue
            field = DOTS[position.id]
            worth = 0.0
            for item in self.items:
                if not item.blockers and any(h == label or h in field for h in item.hexes):
                    worth += item.points * self.nearness(item)
            found[label] = min(MOST_DENIED, worth)
        return found

    def is_claimed(self, label: str) -> bool:
        """Whether a hex is controlled already."""
        return label in index(self.state).controlled or label in self.state.garrisons

    @cached_property
    def claimed(self) -> dict[str, int]:
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
        return total * (CLAIM_LAST if self.left <= 3 else CLAIM_LATE if self.left <= 7 else 0.2)

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
                    if (far := self.left_of(goal).get(label))
                ),
            )
            self._pulls[label] = {number: -value for value, number in ranked}
        here = self._pulls[label]
        mine = self.aims.get(unit.id, -1)
        other = next((value for number, value in here.items() if number != mine), 0.0)
        return here.get(mine, 0.0) + OTHERS * other

    def left_of(self, goal: Goal) -> dict[str, float]:
        """How much of a goal's value is left in every hex."""
        key = (goal.hex, goal.is_attack)
        known = self._left.get(key)
        if known is None:
            known = self._left[key] = fades(goal.hex, goal.is_attack, self.stands)
        return known

    def _aims(self) -> dict[str, int]:
        """Share the goals among the companies: the best pairs first, until a goal has enough."""
        pairs = []
        for number, goal in enumerate(self.goals):
            left_in = self.left_of(goal)
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

    def lead(self, leader: Unit, label: str) -> float:
        """How many companies a leader in a hex helps: near ones most, those led by others least."""
        total = 0.0
        others = [u.at for u in self.leaders if u.id != leader.id]
        for unit in on_map(self.state):
            data = UNITS[unit.id]
            if data.is_leader or unit.hero or data.type == "ranger":
                continue
            far = distance(label, unit.at)
            if far > 6:
                continue
            share = 1.0 if far <= 1 else LEAD_FAR * 0.7 ** (far - 2)
            worth = LEAD * min(self.pull(unit, unit.at), 3.0) if data.is_infantry else 0.1
            if any(distance(at, unit.at) <= 1 for at in others):
                share *= LED_ALREADY
            total += share * worth
        return total

    @cached_property
    def fronts(self) -> list[tuple[str, str, float]]:
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
            return self.lead(unit, label) - self.risk(unit, label)
        if data.is_infantry:
            hope = self.pull(unit, label) * (1.0 if unit.steps > 1 else WORN)
            hope += self.claims(unit, label) + self.comfort(label)
        else:
            hope = self.support(unit, label)
            if self.state.last_turn > 16:
                hope += 0.8 * 0.85 ** climbs().get(label, FAR)
        return hope - self.risk(unit, label)

    def comfort(self, label: str) -> float:
        """What else speaks for a hex: a position that the Germans lose, a leader near."""
        value = OCCUPY * self.keys.get(label, 0.0) * min(1.0, self.left / 3)
        if any(distance(label, u.at) <= 1 for u in self.leaders):
            value += LED
        return value

    def doubt(self) -> float:
        """How far off an estimate of this level may be."""
        return (self.rng.random() - 0.5) * self.mind.doubt if self.mind.doubt else 0.0

    def crowd(self, label: str) -> int:
        """The units in a hex, leaders apart."""
        found = index(self.state).by_hex.get(label, ())
        return sum(not UNITS[u.id].is_leader for u in found)
