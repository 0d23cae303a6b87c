"""The fire that threatens the Americans, reckoned from the cards that are left.

For every position that may fire the player writes down whom it could hit, in the order the book
prescribes (6.31), and reads what each target symbol would cost. The danger of a hex for a unit is
what all Americans together would lose more if it stood there: whoever draws fire from others that
are dearer makes the beach safer, a second company in a crowded hex makes it worse.
"""

from __future__ import annotations

from functools import cached_property
from random import Random
from typing import NamedTuple

from engine.ddob.rules.losses import loss_limit
from engine.ddob.state.ground import BASE, SHELTER, TIDE_AT, distance, is_submerged
from engine.ddob.state.state import (
    German,
    State,
    Unit,
    field_of_fire,
    in_boxes,
    index,
    is_extended,
    position_of,
)
from engine.ddob.state.tables import BOXES, CARDS, INTENSE, LEVELS, SPORADIC, SYMBOLS, UNITS, tide

MEDIUM, HARD = "medio", "difficile"
DISRUPTION = 0.125
"""What it costs to lose a turn of a company."""
EARLY_DANGER, LATE_DANGER, LANDED_TURN = 2.7, 2.0, 7
"""How much more a step counts in danger than in gain, while the waves land and after."""
FULL_STEP, SECOND_STEP, LAST_STEP, LOST_COMPANY = 0.56, 0.58, 0.165, 23.0
"""What a step of a company is worth, and how dear the loss box becomes as it fills (13.1)."""
SAND, FAR_FROM_SHELTER = 0.035, 0.018
"""What speaks against staying on the beach, and against each step between a hex and shelter."""
DENSE = 5
"""Steps in a hex that make a concentrated target (6.35)."""


class Mind(NamedTuple):
    """How a level thinks: fear of fire, how unsure it is, what an action must promise."""

    danger: float
    doubt: float
    least: float
    is_thorough: bool


MINDS = {MEDIUM: Mind(1.0, 0.5, 0.1, False), HARD: Mind(1.0, 0.0, 0.03, True)}


class Gun(NamedTuple):
    """A position that may fire: its colour, field, hexes, how many it may hit, with what."""

    name: str
    colour: str
    field: dict[str, str]
    hexes: tuple[str, ...]
    limit: int
    depth: bool
    is_hidden: bool


class Mark(NamedTuple):
    """A unit under fire: its rank among the targets and what a hit costs."""

    rank: tuple[int, int, int, float]
    cost: float
    symbol: str
    is_dense: bool
    is_armored: bool
    level: str


class Shares(NamedTuple):
    """How probably a colour fires, at a symbol, and at armor with that symbol."""

    fires: dict[tuple[str, bool], float]
    matches: dict[tuple[str, bool, str], float]
    bonus: dict[tuple[str, bool, str], float]


class Danger:
    """The table under fire, as one player reckons it."""

    def __init__(self, state: State, mind: Mind, rng: Random, before: Danger | None) -> None:
        self.state = state
        self.mind = mind
        self.rng = rng
        self.end = 16 if state.turn <= 16 else 32
        self.left = self.end - state.turn
        self.fear = mind.danger * (EARLY_DANGER if state.turn <= LANDED_TURN else LATE_DANGER)
        self._dealt = state
        if before is not None and before.state.deck is state.deck:
            self._dealt = before._dealt
            self._take_over(before, "shares")
        if before is not None and before.state.germans is state.germans:
            self._take_over(before, "guns_at")
        self._risk: dict[tuple[str, str], float] = {}
        self._without: dict[tuple[str, str], float] = {}
        self._volley: dict[str, float] = {}
        self._marks: dict[tuple[tuple[str, ...], bool, str], list[Mark]] = {}
        self.rising = [
            (tide(min(state.turn + later, 32)), price)
            for later, price in ((0, 9.0), (1, 6.0), (2, 2.0), (3, 0.8))
        ]

    def _take_over(self, before: Danger, name: str) -> None:
        """What the table before has worked out, if it has, and still holds."""
        if name in before.__dict__:
            self.__dict__[name] = before.__dict__[name]

    @cached_property
    def shares(self) -> Shares:
        """Shares of the cards left: which colours fire, at which symbols, at armor."""
        deck = self._dealt.deck.items or dict.fromkeys(self._dealt.discards, 1)
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
        return Shares(fire, match, armor)

    def price(self, unit: Unit) -> float:
        """What the next step of a unit is worth."""
        data = UNITS[unit.id]
        if data.is_leader:
            return 0.15
        if data.type == "infantry":
            if unit.steps == 2:
                lost = len(self.state.losses.get(data.division, ()))
                return SECOND_STEP + LOST_COMPANY * (lost / loss_limit(self.state)) ** 3
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
        return self.shares.fires.get((colour, bool(german.depth)), 0.0)

    @cached_property
    def spot(self) -> dict[str, str]:
        """Where everybody will be when the Germans fire."""
        return {u.id: label for label, units in self.exposed.items() for u in units}

    @cached_property
    def exposed(self) -> dict[str, list[Unit]]:
        """Who will be where when the Germans fire: units in the boxes land before (4.i)."""
        found = {label: list(units) for label, units in index(self.state).by_hex.items()}
        water = tide(min(self.state.turn + 1, 32))
        for unit in in_boxes(self.state):
            label = BOXES[unit.at].waterline(water)
            if label:
                found.setdefault(label, []).append(unit)
        return found

    @cached_property
    def guns_at(self) -> dict[str, list[Gun]]:
        """The positions that may fire at each hex."""
        found: dict[str, list[Gun]] = {}
        for gun in self._guns().values():
            for label in gun.field:
                found.setdefault(label, []).append(gun)
        return found

    def _guns(self) -> dict[str, Gun]:
        """Every position that may fire at the next card (6.1, 6.31, 6.4, 14.11)."""
        found = {}
        for label, german in self.state.germans.items():
            position = position_of(german)
            name = label if position is None else position.id
            if german.disrupted or name in found:
                continue
            hexes = (label,) if position is None else position.hexes
            germans = [self.state.germans[h] for h in hexes if h in self.state.germans]
            found[name] = self.gun_of(name, [g for g in germans if not g.disrupted])
        return found

    def gun_of(self, name: str, germans: list[German]) -> Gun:
        """A position as the fire card sees it."""
        position = position_of(germans[0])
        limit = sum(2 if g.depth else 1 for g in germans)
        return Gun(
            name,
            position.colour if position is not None else germans[0].data.colour,
            field_of_fire(germans[0]),
            tuple(g.hex for g in germans),
            limit * 2 if is_extended(self.state) else limit,
            any(g.depth for g in germans),
            not any(g.is_wn or g.shown for g in germans),
        )

    def roster(self, gun: Gun, away: str, unit: Unit | None, at: str) -> list[Mark]:
        """Whom a position may hit, by its priorities, one unit put elsewhere (6.31)."""
        changed = (self.spot.get(away, ""), at)
        found: list[Mark] = []
        for label in gun.field.keys() & self.exposed.keys():
            if label not in changed:
                found += self.marks_at(gun, label)
        for label in dict.fromkeys(changed):
            if label in gun.field:
                units = [u for u in self.exposed.get(label, ()) if u.id != away]
                if label == at and unit is not None:
                    units.append(unit)
                found += self.marks(gun, label, units)
        found.sort()
        return found

    def marks_at(self, gun: Gun, label: str) -> list[Mark]:
        """Those in a hex whom a position may hit, as they stand."""
        key = (gun.hexes, gun.is_hidden, label)
        known = self._marks.get(key)
        if known is None:
            known = self._marks[key] = self.marks(gun, label, self.exposed[label])
        return known

    def marks(self, gun: Gun, label: str, units: list[Unit]) -> list[Mark]:
        """Some units in a hex as targets of a position."""
        level = gun.field[label]
        is_dense = sum([u.steps for u in units]) >= DENSE
        near = min([distance(h, label) for h in gun.hexes])
        found = []
        for u in units:
            data = UNITS[u.id]
            if data.is_leader:
                continue
            cost = self.hit_cost(gun, level, u)
            rank = (LEVELS.index(level), near, -u.steps, cost)
            found.append(Mark(rank, cost, u.symbol, is_dense, data.is_armored, level))
        return found

    def hit_cost(self, gun: Gun, level: str, unit: Unit) -> float:
        """What a hit costs: a step, order, or both (6.3)."""
        if level == SPORADIC:
            return 0.3 * DISRUPTION if unit.disrupted else DISRUPTION
        return self.price(unit) + (DISRUPTION if gun.is_hidden else 0.0)

    def salvo(self, gun: Gun, marks: list[Mark]) -> float:
        """What the next card may be expected to cost through one position."""
        total = 0.0
        shares = self.shares
        for symbol in SYMBOLS:
            odds = shares.matches.get((gun.colour, gun.depth, symbol), 0.0)
            if not odds:
                continue
            bonus = shares.bonus.get((gun.colour, gun.depth, symbol), 0.0) / odds
            total += odds * volley_cost(marks, symbol, bonus, gun.limit)
        return total

    def volley(self, label: str) -> float:
        """What one firing of a German unit may be expected to cost, its share of the position."""
        if label not in self._volley:
            german = self.state.germans[label]
            position = position_of(german)
            name = label if position is None else position.id
            hexes = (label,) if position is None else position.hexes
            germans = [self.state.germans[h] for h in hexes if h in self.state.germans]
            whole = self.gun_of(name, germans)
            marks = self.roster(whole, "", None, "")
            cost = self.salvo(whole, marks)
            others = [g for g in germans if g.hex != label]
            if others:
                cost -= self.salvo(self.gun_of(name, others), marks)
            chance = self.chance(german)
            self._volley[label] = cost / chance if chance else 0.0
        return self._volley[label]

    def danger(self, unit: Unit, label: str) -> float:
        """What all Americans may lose more at the next card if a unit is in a hex."""
        key = (unit.id, label)
        if key not in self._risk:
            total = 0.0
            for gun in self.guns_at.get(label, ()):
                base = (gun.name, unit.id)
                if base not in self._without:
                    self._without[base] = self.salvo(gun, self.roster(gun, unit.id, None, ""))
                there = self.roster(gun, unit.id, unit, label)
                total += self.salvo(gun, there) - self._without[base]
            self._risk[key] = total
        return self._risk[key]

    def risk(self, unit: Unit, label: str) -> float:
        """What it may cost a unit to be in a hex when the Germans fire, and when the tide rises."""
        data = UNITS[unit.id]
        if not self.left:
            cost = 0.0
        elif data.is_leader:
            cost = 0.01 * len(self.guns_at.get(label, ()))
        else:
            cost = self.danger(unit, label)
        risk = cost * self.fear
        if label in TIDE_AT:
            for water, price in self.rising:
                if is_submerged(label, water):
                    risk += price * (1.0 if data.is_infantry or data.is_leader else 0.3)
                    break
        if BASE[label] == "beach" and data.is_infantry:
            risk += SAND + FAR_FROM_SHELTER * SHELTER.get(label, 3)
        return risk


def volley_cost(marks: list[Mark], symbol: str, bonus: float, limit: int) -> float:
    """What a volley at one symbol costs: the first targets are hit, as many as the limit (6.31)."""
    room, cost = float(limit), 0.0
    for mark in marks:
        share = 1.0
        if mark.level != INTENSE:
            if mark.symbol != symbol and not mark.is_dense:
                continue
            share = bonus if mark.is_armored else 1.0
        share = min(share, room)
        cost += share * mark.cost
        room -= share
        if room <= 0:
            break
    return cost
