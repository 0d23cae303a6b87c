"""The second half of the day (14-20) as a player of the Americans reads it.

The biggest source of points are whole companies that leave the map by an exit (20.3.uscita): each
step counts, if a path free of fire joins the exit with a beach at the end. Two exits lie near the
beach. Fresh companies land where the way to them is short and march at once; Germans in that way
are worth far more than others and draw more companies than the attack takes; somebody stays on
every position from which a German would cut the exit off, and on the exit itself.

Elsewhere the strongpoints fall: they deny the beach to all that lands and drives. Companies
gather out of fire until their attack can succeed, and goals are filled wholly or not at all. HQs
settle among the companies, engineers keep a base for every draw that can be opened, vehicles wait
out of fire and drive up the draw that is open.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from math import exp
from random import Random

import msgspec

from engine.core.text import N_, msg
from engine.ddob.bot.fire import Mind
from engine.ddob.bot.ground import FAR, OPEN_DRAW_WORTH, Item, drive_toll, fronts, ways
from engine.ddob.bot.march import corridor, cutters, marches, near_exits
from engine.ddob.bot.plans import Idea, Planner
from engine.ddob.bot.table import Goal, Table, planned
from engine.ddob.rules.attacks import Plan
from engine.ddob.rules.communication import is_linked
from engine.ddob.rules.engineers import in_range, potential_fire
from engine.ddob.rules.free_actions import is_free
from engine.ddob.rules.leaders import command_range
from engine.ddob.rules.losses import loss_limit
from engine.ddob.rules.terrain import factors
from engine.ddob.state.ground import (
    BASE,
    EXIT_AT,
    IS_LOW,
    LAND,
    NEIGHBOURS,
    TERRAIN_AT,
    distance,
    is_barred,
)
from engine.ddob.state.state import (
    German,
    State,
    Unit,
    field_of_fire,
    in_boxes,
    index,
    on_map,
    threats,
)
from engine.ddob.state.tables import BOXES, CHARTS, DRAWS, POSITIONS, SPORADIC, UNITS, tide

replace = msgspec.structs.replace

RANGER_EXITS = "FG"

# Marching to the exits
FATIGUE, MARGIN = 0.9, 1.2
"""What is left of the hope per half turn of march; how much longer it takes than reckoned."""
DOUBT, CLOSE_BY = 0.75, 6.0
"""How probably each German who cuts the path of an exit is gone in the end, and how many half
turns a company may be from an exit that lies far inland."""
EXIT_PULL, EXIT_FIRST, LEAVING = 6.0, 1.5, 30.0
"""What a point by an exit is worth on the way, against other goals, and to leave."""
EXPECTED, LEAVERS = 1.0, 0.3
"""What an exit may still bring, and which share of the points on the way to it counts already."""
FOCUS, MASS = 4.0, 1.5
"""How much dearer Germans in the way to an exit are, and how much more force goes for them."""
HELD, MOST_AT_STAKE, LEAST_AT_STAKE = 0.5, 20.0, 3.0
"""What it is worth to hold a position that could cut off an exit, and what an exit has at stake."""

# Vehicles and engineers
DRIVE, DRIVE_FADE, DRIVE_NEAR = 3.0, 0.9, 7
"""What high ground is worth to a vehicle, what each move leaves of it, and who is near a draw."""
DRIVE_FEAR, DRIVE_TURNS, CLOSED, ROOM = 2.0, 12, 7.0, 0.4
"""Fear of fire, when they hurry, what a closed side costs, and making room at the top."""
GUARD, LEAST_WORKS, TRAFFIC = 0.2, 1.2, ("beach", "pavilion", "valley")
"""What a position to garrison or a unit to send on is worth; less than the least is not built."""
LAST_BASE = 5
"""With so few turns left the last base no longer waits for a draw."""

# Fighting
RUN, RUN_LAST = 12.0, 5
"""How dear points are that nobody denies, in the last turns."""
WN_BONUS, RELIEF, WN_KEY = 2.5, 1.5, 5.0
"""How much dearer strongpoints are, the most that their silence spares, and holding empty ones."""
HIDDEN_STRENGTH, HIDDEN_DEPTH = 2.6, 1.8
"""What a face-down unit and its marker may be expected to have."""
LEAST_NEAR, SPREAD = 0.2, 0.3
"""Who is too far for a goal, and how much a big team is worth less."""
STEP, LAST, LOSS_BOX = 0.8, 0.5, 100.0
"""What a step of a company and its last one are worth, and how dear the loss box becomes."""
GATHER, RIPE, STAGE, UNLED = 3, 0.55, 0.3, 2
"""From how far companies gather, which share of the prize their attack must promise, what is left
of a target's pull under its fire while they gather, and how many may act without a leader."""

# Landing and command
CROWDED, LANDING_FEAR, LANDING_HOPE = -3.0, 2.0, 1.0
"""What it costs to land where there is no room; fear of fire and hope against each other."""
POST, STAFF = 3.0, 0.25
"""How many units a command post should have around it, and what each is worth."""
TOO_MANY = 2.0
"""What it spares to leave a hex that holds one unit too many (7.63)."""
EXIT = -2
"""The aim of a company that marches to an exit."""


def is_exit(item: Item) -> bool:
    """Whether an item is an exit."""
    return item.name.startswith("exit")


def is_vehicle(unit: Unit) -> bool:
    """Whether a unit brings a point on high ground (20.3)."""
    return not UNITS[unit.id].is_infantry and not UNITS[unit.id].is_leader


@cache
def barred(draw: str) -> tuple[tuple[str, str], ...]:
    """The sides of a draw that engineers must open (20.3, casa.35)."""
    return tuple((h, n) for h in DRAWS[draw] for n in NEIGHBOURS[h] if is_barred(h, n))


@cache
def works(draw: str, label: str) -> int:
    """How many spaces of the range track a base in a hex needs to open a draw; 0 if it cannot."""
    far = max(min(distance(label, a), distance(label, b)) for a, b in barred(draw))
    ranges = CHARTS.engineer_range.ranges
    return next((n for n, reach in enumerate(ranges, 1) if reach >= far), 0)


@cache
def best_works(draw: str) -> int:
    """The least that a base needs to open a draw; 0 if none can."""
    found = (works(draw, h) for h in LAND if BASE[h] == "beach")
    return min((need for need in found if need), default=0)


@cache
def serves(draw: str, label: str) -> bool:
    """Whether a base in a hex is near enough to open a draw soon."""
    return 0 < works(draw, label) <= best_works(draw) + 1


@lru_cache(maxsize=64)
def drives(opened: frozenset[str], taken: frozenset[str]) -> dict[str, float]:
    """How many moves a vehicle is from high ground; what is not open yet takes longer."""

    def price(a: str, b: str) -> float:
        toll = drive_toll(a, b)
        if a in taken or toll >= FAR:
            return FAR
        return 1.0 if toll <= 1.0 or a in opened or b in opened else CLOSED

    return ways((h for h in LAND if not IS_LOW[h] and TERRAIN_AT[h] != "rough"), price)


class Inland(Planner):
    """The table from turn 17 on."""

    pace = 1.0

    def __init__(self, state: State, mind: Mind, rng: Random, before: Table | None = None) -> None:
        self._ripe: dict[str, bool] = {}
        self._sites: dict[str, bool] = {}
        self._marches: dict[str, dict[str, float]] = {}
        super().__init__(state, mind, rng, before)
        if isinstance(self.began, Inland):
            self._marches = self.began._marches

    @planned
    def guarded(self) -> dict[str, float]:
        """Empty positions from which Germans would cut off an exit, with what is at stake."""
        return self._guarded()

    def haste(self) -> float:
        """Positions that nobody denies are taken in the last turns: Germans come to who is near."""
        return RUN if self.left <= RUN_LAST else 1.0

    def price(self, unit: Unit) -> float:
        """A step is a point at an exit; the loss box ends the game (20.1)."""
        data = UNITS[unit.id]
        if is_vehicle(unit):
            return 1.0 if unit.steps == 1 else 0.5
        if data.type != "infantry":
            return super().price(unit)
        if unit.steps == 2:
            lost = len(self.state.losses.get(data.division, ()))
            return STEP + LOSS_BOX * (lost / loss_limit(self.state)) ** 6
        return STEP if unit.steps > 2 else LAST

    def _prizes(self) -> dict[str, float]:
        """Strongpoints deny the beach to all that lands and drives: they come first."""
        found = super()._prizes()
        for label, german in self.state.germans.items():
            if german.is_wn and self.left > RUN_LAST:
                found[label] *= WN_BONUS
            if self.is_in_the_way(german):
                found[label] *= FOCUS
        return found

    def is_in_the_way(self, german: German) -> bool:
        """Whether a German unit stands on the way to an exit, or fires at it."""
        field = field_of_fire(german)
        ways = (corridor(way_out) for way_out in near_exits())
        return any(german.hex in way or not way.isdisjoint(field) for way in ways)

    def relief(self, german: German) -> float:
        """Companies may also walk out of the fire: no more than a few steps are at stake."""
        return min(RELIEF, super().relief(german))

    def _keys(self) -> dict[str, float]:
        """Empty strongpoints that the Germans may take again count too (16.1)."""
        found = super()._keys()
        for position in POSITIONS.values():
            for label in position.hexes if position.is_wn else ():
                if self.is_coveted(label):
                    found[label] = WN_KEY
        for label, stake in self.guarded.items():
            found[label] = max(found.get(label, 0.0), stake)
        return found

    def is_coveted(self, label: str) -> bool:
        """Whether Germans may come to an empty position, or would if nobody stood there."""
        if label in self.state.germans or label in self.state.garrisons:
            return False
        return is_linked(self.state, label) or label in index(self.state).occupied

    def _guarded(self) -> dict[str, float]:
        """Empty positions from which Germans would cut off an exit, with what is at stake."""
        found: dict[str, float] = {}
        for item in self.items:
            label = item.hexes[0]
            stake = min(MOST_AT_STAKE, item.points)
            if not is_exit(item) or label not in near_exits() or stake < LEAST_AT_STAKE:
                continue
            stands = tuple(s for s in self.stands if s[0] not in item.blockers)
            for spot in cutters(label, stands):
                if self.is_coveted(spot):
                    found[spot] = max(found.get(spot, 0.0), stake)
        return found

    # Landing

    def berth(self, unit: Unit, offered: list[str]) -> str:
        """Where a unit lands: out of fire, where there is room; else later (5.34)."""
        spots = [o for o in offered if o.startswith("h:")]
        later = [o for o in offered if o.startswith("n:")]
        if not spots:
            return later[0]
        best = max(spots, key=lambda o: (self.mooring(unit, o[2:]), o))
        return later[0] if later and self.mooring(unit, best[2:]) < CROWDED else best

    def mooring(self, unit: Unit, label: str) -> float:
        """What it is worth to land in a box or to begin in a hex."""
        state = self.state
        boxed = [u for u in in_boxes(state) if u.id != unit.id and not UNITS[u.id].is_leader]
        others = self.crowd(label) if label in NEIGHBOURS else 0
        if label in BOXES:
            water = tide(min(state.turn + (state.phase != "setup"), 32))
            label = BOXES[label].waterline(water)
            if label not in NEIGHBOURS:
                return -FAR
            others = self.crowd(label) + sum(BOXES[u.at].waterline(water) == label for u in boxed)
        value = self.hope(unit, label) - LANDING_FEAR * self.risk(unit, label)
        if UNITS[unit.id].is_leader:
            return value
        return value - 0.2 * others if others < 2 else value + CROWDED * others

    def hope(self, unit: Unit, label: str) -> float:
        """What a unit may bring from a hex of the beach."""
        data = UNITS[unit.id]
        if data.is_leader:
            near = (u for u in on_map(self.state) if UNITS[u.id].division == data.division)
            return sum(0.1 for u in near if distance(u.at, label) <= 4)
        if data.is_infantry:
            return LANDING_HOPE * self.exit_hope(unit, label)
        return self.drive(label)

    # Engineers and vehicles

    def drive(self, label: str) -> float:
        """What it is worth to a vehicle to be in a hex: how near it is to high ground."""
        ways = drives(in_range(self.state), frozenset(self.state.germans))
        haste = 2.0 if self.left <= DRIVE_TURNS else 1.0
        is_deep = not any(IS_LOW[n] for n in (label, *NEIGHBOURS[label]))
        near: float = DRIVE_FADE ** ways.get(label, FAR)
        return DRIVE * haste * near + ROOM * is_deep

    def engineer(self, offered: list[str]) -> str:
        """A base where it opens a draw or guards most; else more range where it opens most."""
        spare = sum(o[2:] in LAND for o in offered)
        is_last = spare and sum(o[2:] in self.state.bases for o in offered) == 1
        best, value = "b:basta", LEAST_WORKS
        for option in offered:
            name = option[2:]
            base = self.state.bases.get(name)
            label = base.hex if base else name
            if label not in NEIGHBOURS:
                continue
            draws = self.openings(label, base.space if base else 0, name)
            if is_last and base is None and not draws and self.left > LAST_BASE:
                continue
            found = draws + self.guards(label, base.space if base else 0, name)
            if found > value:
                best, value = option, found
        return best

    def openings(self, label: str, space: int, name: str) -> float:
        """What a base in a hex may still open in time that no other base will."""
        others = [b.hex for n, b in self.state.bases.items() if n != name]
        total = 0.0
        for draw in DRAWS:
            need = works(draw, label)
            if need <= space or need - space > self.left or not serves(draw, label):
                continue
            if not any(serves(draw, h) for h in others):
                total += self.draw_worth(draw) / (need - space) ** 0.5
        return total

    def guards(self, label: str, space: int, name: str) -> float:
        """The positions that a base may garrison, and the units that it sends on (19.3)."""
        others = [b.hex for n, b in self.state.bases.items() if n != name]
        ranges = CHARTS.engineer_range.ranges
        reach = ranges[min(space + 3, len(ranges)) - 1]
        spots = [p.hexes[0] for p in POSITIONS.values() if p.is_wn or p.is_vp]
        spots = [h for h in spots if h not in self.state.garrisons]
        spots += [u.at for u in on_map(self.state) if BASE[u.at] in TRAFFIC]
        free = [h for h in spots if not any(distance(h, at) <= 3 for at in others)]
        return GUARD * sum(distance(label, h) <= reach for h in free)

    # Command

    def is_settled(self, unit: Unit) -> bool:
        """A command post stays while it commands enough (18.3)."""
        is_silent = any(True for _ in threats(self.state, unit.at))
        return (
            bool(unit.space) and not is_silent and self.staff(unit.at, unit.space, unit.id) >= POST
        )

    def staff(self, label: str, space: int, name: str = "") -> float:
        """How many units a command post in a hex commands, now and as its range grows (18.22)."""
        ranges = CHARTS.hq_range.ranges
        reach = [ranges[min(max(space + later, 1), len(ranges)) - 1] for later in (0, 3, 6)]
        total = 0.0
        for unit in on_map(self.state):
            data = UNITS[unit.id]
            if data.is_leader or unit.hero or data.type == "ranger":
                continue
            far = distance(label, unit.at)
            share = sum(far <= r for r in reach) / 3
            if any(
                c.space and c.id != name and distance(c.at, unit.at) <= command_range(self.state, c)
                for c in self.leaders
            ):
                share *= 0.2
            total += share * (1.0 if data.is_infantry else 0.4)
        return total

    def may_settle(self, label: str) -> bool:
        """Whether a command post could stand in a hex (18.1)."""
        if label not in self._sites:
            self._sites[label] = not any(
                True for _ in potential_fire(self.state, label, "19.1#dove")
            )
        return self._sites[label]

    def place(self, unit: Unit, label: str) -> float:
        """An HQ looks for a place where it can settle and grow among its companies."""
        if is_vehicle(unit):
            fear = DRIVE_FEAR * self.risk(unit, label)
            return self.support(unit, label) + self.drive(label) - fear
        if UNITS[unit.id].type == "HQ":
            space = unit.space if label == unit.at else 0
            few = 1.0 if self.may_settle(label) else 0.5
            return STAFF * few * self.staff(label, space, unit.id) - self.risk(unit, label)
        return super().place(unit, label)

    def post(self, offered: list[str]) -> str:
        """Which HQ becomes a command post or extends its range: where many are near."""
        for option in offered:
            unit = self.state.units.get(option[2:])
            if unit is not None and (unit.space or self.staff(unit.at, 0, unit.id) >= POST):
                return option
        return "b:basta"

    def is_led(self, unit: Unit, label: str) -> bool:
        """Whether a unit in a hex will act without costing an action (7.1)."""
        if unit.hero or UNITS[unit.id].type == "ranger":
            return True
        for leader in self.leaders:
            reach = command_range(self.state, leader) if leader.space else 2
            if distance(leader.at, label) <= reach:
                return True
        return False

    # Gathering

    def is_ripe(self, target: str) -> bool:
        """Whether those who are near a German unit could beat it together."""
        if target not in self._ripe:
            free = [h for h in fronts(target) if h not in self.state.germans]
            near = [u for u in self.infantry if distance(u.at, target) <= GATHER and not u.climb]
            near.sort(key=lambda u: (-u.strength, u.id))
            led = [u for u in near if self.is_led(u, u.at)]
            near = led + [u for u in near if u not in led][:UNLED]
            units = dict(self.state.units)
            names = []
            for number, unit in enumerate(near[: 2 * len(free)]):
                spot = free[number % len(free)]
                units[unit.id] = replace(unit, at=spot, disrupted=False)
                names.append(unit.id)
            value = 0.0
            if names:
                state = replace(self.state, units=units)
                value = self.promise(Plan(target, tuple(names)), state)
            self._ripe[target] = value > RIPE * self.prize[target]
        return self._ripe[target]

    def is_waiting(self, unit: Unit, label: str) -> bool:
        """Whether a company in a hex would stand under the fire of its target, and alone."""
        number = self.aims.get(unit.id, EXIT)
        if number == EXIT or not self.goals[number].is_attack:
            return False
        if not self.is_led(unit, label) and any(
            lv != SPORADIC for _h, lv in threats(self.state, label)
        ):
            return True
        german = self.state.germans[self.goals[number].hex]
        level = field_of_fire(german).get(label, SPORADIC)
        return level != SPORADIC and not self.is_ripe(german.hex)

    # Exits

    def _items(self) -> tuple[Item, ...]:
        """What the count gives, and the exits with what has left or may leave by them."""
        left_by = dict.fromkeys(EXIT_AT.values(), EXPECTED * min(1.0, self.left / 8))
        for unit in self.infantry:
            hope, letter = max((h, EXIT_AT[e]) for e, h in self.ways_out(unit, unit.at))
            left_by[letter] += LEAVERS * hope
        for name, steps, letter in self.state.exited:
            if UNITS[name].type != "ranger":
                left_by[letter] += steps
        exits = [
            Item(f"exit {letter}", (label,), left_by[letter], tuple(sorted(self.paths[label])))
            for label, letter in EXIT_AT.items()
            if label in self.paths
        ]
        counted = (
            item._replace(points=self.draw_worth(item.name)) if item.name in DRAWS else item
            for item in super()._items()
        )
        return (*counted, *exits)

    def draw_worth(self, draw: str) -> float:
        """An open draw, with the vehicles that can drive up through it (20.3)."""
        if not best_works(draw):
            return 0.0
        low = [u for u in on_map(self.state) if is_vehicle(u) and IS_LOW[u.at]]
        near = [u for u in low if distance(u.at, DRAWS[draw][0]) <= DRIVE_NEAR]
        return OPEN_DRAW_WORTH + len(near)

    def nearness(self, item: Item) -> float:
        """An exit counts wherever the companies are."""
        return 1.0 if is_exit(item) else super().nearness(item)

    def trust(self, unit: Unit, label: str) -> float:
        """How probably leaving by an exit counts in the end (20.3.uscita)."""
        if UNITS[unit.id].type == "ranger":
            return 1.0 if EXIT_AT[label] in RANGER_EXITS else 0.0
        return DOUBT ** len(self.paths[label]) if label in self.paths else 0.0

    def exit_hope(self, unit: Unit, label: str) -> float:
        """The points that a company in a hex may bring by leaving the map in time."""
        return EXIT_PULL * max(hope for _exit, hope in self.ways_out(unit, label))

    def ways_out(self, unit: Unit, label: str) -> Iterator[tuple[str, float]]:
        """The exits, each with the points that a company in a hex may bring by it."""
        for way_out in EXIT_AT:
            far = self.march_to(way_out).get(label, FAR)
            spare = self.left - MARGIN * far / 2
            if spare < -3 or (far > CLOSE_BY and way_out not in near_exits()):
                yield way_out, 0.0
                continue
            in_time = 1.0 / (1.0 + exp(-2.0 * spare - 1.0))
            yield way_out, unit.steps * self.trust(unit, way_out) * FATIGUE**far * in_time

    def march_to(self, way_out: str) -> dict[str, float]:
        """How many half turns every hex is from an exit."""
        known = self._marches.get(way_out)
        if known is None:
            known = self._marches[way_out] = marches(way_out, self.stands)
        return known

    def ideas(self, unit: Unit) -> Iterator[Idea]:
        """What a unit may do, and leaving the map (20.3.uscita)."""
        yield from super().ideas(unit)
        is_able = not unit.disrupted and not unit.climb and unit.command == self.state.division
        if unit.at in EXIT_AT and is_able and not UNITS[unit.id].is_leader:
            why = msg(N_("{unit} can leave the map"), unit=unit.id)
            yield Idea((f"u:{unit.id}", "b:esci"), self.leaving(unit), why)

    def leaving(self, unit: Unit) -> float:
        """What it is worth to leave the map now; somebody keeps an exit that Germans may take."""
        if self.left and unit.at in self.guarded and not self.is_relieved(unit):
            return 0.0
        return LEAVING * unit.steps * self.trust(unit, unit.at)

    def is_relieved(self, unit: Unit) -> bool:
        """Whether another company holds the hex of a unit, or can step in."""
        for other in self.infantry:
            if other.id == unit.id or other.command != self.state.division:
                continue
            is_idle = not (other.acted or other.disrupted or other.climb)
            is_able = is_idle and (self.state.actions > 0 or is_free(self.state, other))
            if other.at == unit.at or (is_able and unit.at in NEIGHBOURS[other.at]):
                return True
        return False

    def moves(self, unit: Unit) -> Iterator[Idea]:
        """Steps to better hexes, out of those too full; a command post with enough units stays."""
        if self.is_settled(unit):
            return
        is_too_many = self.crowd(unit.at) > 2 and not UNITS[unit.id].is_leader
        for idea in super().moves(unit):
            yield idea._replace(value=idea.value + TOO_MANY * is_too_many)

    def _goals(self) -> list[Goal]:
        """What is worth attacking or holding, with the strength that it really takes."""
        others = {*EXIT_AT, *self.guarded}
        found = [g for g in super()._goals() if g.is_attack or g.hex not in others]
        found += [Goal(h, False, HELD * stake, 1.0) for h, stake in self.guarded.items()]
        return [g._replace(need=self.need(g.hex)) if g.is_attack else g for g in found]

    def need(self, target: str) -> float:
        """Twice the strength that a German unit may have in its terrain (8.3)."""
        german = self.state.germans[target]
        unit, depth, _told = factors(self.state, target, list(fronts(target)))
        strength = german.data.strength if german.unit else HIDDEN_STRENGTH
        mass = MASS if self.is_in_the_way(german) else 1.0
        return mass * 2.0 * (strength * unit + (HIDDEN_DEPTH * depth if german.depth else 0.0))

    def _aims(self) -> dict[str, int]:
        """Goals are filled wholly, the best for each company first; who is left over marches."""
        free = {u.id: u for u in self.infantry}
        hopes = {u.id: EXIT_FIRST * self.exit_hope(u, u.at) for u in self.infantry}
        near = {
            number: self.ranked(goal) for number, goal in enumerate(self.goals) if goal.value > 0
        }
        aims: dict[str, int] = {}
        while free:
            offers = [
                (*self.team(self.goals[number], ranks, free, hopes), number)
                for number, ranks in near.items()
            ]
            worth, names, number = max(offers, key=lambda o: (o[0], o[2]), default=(0.0, (), 0))
            if not names or worth <= 0:
                break
            del near[number]
            for name in names:
                aims[name] = number
                del free[name]
        aims.update(dict.fromkeys(free, EXIT))
        return aims

    def ranked(self, goal: Goal) -> list[tuple[float, str]]:
        """The companies by how much of a goal's value is left where they stand."""
        left = self.left_of(goal)
        found = [
            (near * self.fitness(unit, goal), unit.id)
            for unit in self.infantry
            if (near := left.get(unit.at, 0.0)) >= LEAST_NEAR
        ]
        return sorted(found, reverse=True)

    def team(
        self,
        goal: Goal,
        ranks: list[tuple[float, str]],
        free: dict[str, Unit],
        hopes: dict[str, float],
    ) -> tuple[float, tuple[str, ...]]:
        """The companies that should go for a goal together, and what each gains by it."""
        names: list[str] = []
        force = share = 0.0
        for near, name in ranks:
            if name not in free or force >= goal.need:
                continue
            if goal.value * near < hopes[name]:
                continue
            names.append(name)
            force += max(1, free[name].strength)
            share += near
        if not names:
            return 0.0, ()
        met = min(1.0, force / goal.need) ** 2
        return goal.value * met * share / len(names) ** (1.0 + SPREAD), tuple(names)

    def pull(self, unit: Unit, label: str) -> float:
        """Marching companies look at the exit, the others at their goal."""
        if self.aims.get(unit.id) == EXIT:
            return 2.0 * self.exit_hope(unit, label) + 0.3 * super().pull(unit, label)
        value = super().pull(unit, label)
        return value * STAGE if self.is_waiting(unit, label) else value
