"""What a player of the Americans may do, each idea with its value and its reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import NamedTuple

import msgspec

from engine.core.text import N_, Msg, msg
from engine.ddob.bot.fire import Mind
from engine.ddob.bot.ground import FAR, fronts
from engine.ddob.bot.table import SHORT, Table
from engine.ddob.rules.attacks import (
    FLANKING,
    NAVAL_STRENGTH,
    Plan,
    cost,
    is_adjacent,
    origins,
    weapons_of,
    why_not_join,
    why_not_naval,
    why_not_open,
)
from engine.ddob.rules.barrage import MATCHES, why_not_hit, why_not_shell
from engine.ddob.rules.free_actions import free_move, is_free
from engine.ddob.rules.leaders import hqs_of
from engine.ddob.rules.movement import infiltrated, why_not_move
from engine.ddob.rules.reveal import TACTICAL, candidates
from engine.ddob.rules.terrain import factors
from engine.ddob.state.ground import NEIGHBOURS, SIDE, distance
from engine.ddob.state.state import (
    CLIFF,
    OUT,
    UNSEEN,
    German,
    State,
    Unit,
    index,
    is_extended,
    on_map,
    position_of,
)
from engine.ddob.state.tables import (
    BOXES,
    CARDS,
    CHARTS,
    DEPTH,
    GUNS,
    UNITS,
    WEAPONS,
    AttackRow,
    GermanData,
    german_data,
    tide,
)

RECOVERY = 9.0
PAID = 0.11
"""What an action of the division is worth."""
JOINING, DEPTH_SHARE, STRIKE, DEEDS = 0.18, 0.41, 0.39, 2.9
"""Prices of joining an attack, of a depth marker, of the attack of the next turn, of an attack."""


SILENCE, CLIFF_PRICE, INFILTRATION = 0.66, 0.055, 0.29
"""What a silenced position spares, the price of a cliff, how probably infiltration costs a step."""


class Idea(NamedTuple):
    """Answers to give, what they are worth, and why."""

    answers: tuple[str, ...]
    value: float
    why: Msg


class Profile(NamedTuple):
    """What the chart sees of a German counter, and whether it calls for help (9.4)."""

    strength: int
    weapons: tuple[str, ...] = ()
    is_call: bool = False


def profile(counter: GermanData) -> Profile:
    """A German counter as the chart sees it."""
    return Profile(counter.strength, counter.weapons, counter.id == TACTICAL)


MARKERS: dict[str, dict[str, Profile]] = {
    kind: {name: profile(marker) for name, marker in markers.items()}
    for kind, markers in DEPTH.items()
}
UNCOUNTED = Profile(2)
"""A face-down unit to a player who does not count the counters."""
ROWS: dict[tuple[bool, str], AttackRow] = {(r.weapons, r.ratio): r for r in CHARTS.attack}


class Power(NamedTuple):
    """An attack as the chart sees it."""

    strength: int
    weapons: frozenset[str]
    has_hero: bool
    unit_factor: int
    depth_factor: int
    hexes: int
    is_wide: bool


@lru_cache(maxsize=1 << 15)
def row_of(power: Power, parts: tuple[Profile, ...]) -> AttackRow:
    """The row of the attack chart against these German parts (8.2, 8.3)."""
    us = power.strength
    lacking = {w for part in parts for w in part.weapons} - power.weapons
    if FLANKING in lacking:
        is_double = sum(FLANKING in part.weapons for part in parts) > 1
        if power.hexes >= 3 if is_double else power.is_wide:
            lacking.discard(FLANKING)
    if power.has_hero:
        wild = len(lacking - {FLANKING})
        us += 0 if wild else 1
        if wild == 1:
            lacking &= {FLANKING}
    them = parts[0].strength * power.unit_factor
    them += sum(part.strength * power.depth_factor for part in parts[1:])
    ratio = "less" if us < them else "equal" if us == them else "more"
    if us > them and us >= 2 * them:
        ratio = "double"
    return ROWS[(not lacking, ratio)]


class Force(NamedTuple):
    """An attack: its target, its power, who is adjacent, and what effects are worth to it."""

    target: str
    power: Power
    near: tuple[Unit, ...]
    worth: dict[tuple[str, ...], float]


def force_of(state: State, plan: Plan) -> Force:
    """Strength, weapons and terrain of an attack (8.2, 8.3)."""
    units = [state.units[n] for n in plan.units]
    near = tuple(u for u in units if is_adjacent(u, plan.target))
    have = {w for u in units for w in weapons_of(state, u, plan.target)}
    if any(hqs_of(state, u.id) for u in near):
        have.add("RD")
    strength = sum(u.strength for u in units)
    if plan.naval:
        have.update(WEAPONS["naval"])
        strength += NAVAL_STRENGTH
    hexes = origins(state, plan)
    unit, depth, _told = factors(state, plan.target, hexes)
    has_hero = any(u.hero and not u.inspired for u in near)
    is_wide = any(b not in NEIGHBOURS[a] for a in hexes for b in hexes if a != b)
    power = Power(strength, frozenset(have), has_hero, unit, depth, len(hexes), is_wide)
    return Force(plan.target, power, near, {})


class Planner(Table):
    """The table with all that may be done on it."""

    def __init__(self, state: State, mind: Mind, rng: Random, before: Table | None = None) -> None:
        self._faces: dict[tuple[str, int, str], list[tuple[Profile, float]]] = {}
        self._musters: dict[tuple[str, str, str], float] = {}
        super().__init__(state, mind, rng, before)

    def ideas(self, unit: Unit) -> Iterator[Idea]:
        """Everything worth considering that a unit may do now."""
        me, state = f"u:{unit.id}", self.state
        if unit.disrupted:
            yield Idea((me,), RECOVERY, msg(N_("{unit} must recover"), unit=unit.id))
            return
        if unit.climb:
            answers = (me, "b:sali") if unit.climb == CLIFF else (me,)
            yield Idea(answers, RECOVERY, msg(N_("{unit} ends its climb"), unit=unit.id))
            return
        if unit.command == state.division:
            if UNITS[unit.id].is_infantry:
                yield from self.assaults(unit)
            yield from self.shots(unit)
        yield from self.moves(unit)

    def pays(self, unit: Unit) -> bool:
        """Whether an action of the unit costs the division one."""
        return not is_free(self.state, unit)

    def moves(self, unit: Unit) -> Iterator[Idea]:
        """Steps to better hexes, with company where that is free."""
        state, data = self.state, UNITS[unit.id]
        here = self.place(unit, unit.at)
        for to in NEIGHBOURS[unit.at]:
            if any(True for _ in why_not_move(state, unit, to)):
                continue
            crowd = self.crowd(to)
            if not data.is_leader and crowd >= 2:
                continue
            value = self.place(unit, to) - here - self.hindrance(unit, to)
            if self.left <= SHORT and not data.is_leader:
                value += self.points(self.moved(unit, to))
            if is_free(state, unit) or free_move(state, unit, to) is not None:
                value += 0.02
            else:
                value = value * (1.0 if data.is_infantry else 0.5) - PAID / 2
                if crowd == 0:
                    value += self.company(unit, to)
            risk = self.risk(unit, unit.at) - self.risk(unit, to)
            why = (
                N_("{unit} is safer in {hex}")
                if risk > value / 2
                else N_("{hex} brings {unit} nearer to its target")
            )
            answers = (f"u:{unit.id}", f"h:{to}")
            yield Idea(answers, value + self.doubt(), msg(why, unit=unit.id, hex=to))

    def moved(self, unit: Unit, to: str) -> State:
        """The state with a unit in another hex."""
        there = msgspec.structs.replace(unit, at=to)
        units = {**self.state.units, unit.id: there}
        return msgspec.structs.replace(self.state, units=units)

    def hindrance(self, unit: Unit, to: str) -> float:
        """What the way itself costs: cliffs, climbs, infiltration (7.32, 7.4, 7.5)."""
        sides = SIDE.get((unit.at, to), ())
        price = CLIFF_PRICE if "scaleable cliff" in sides else 0.0
        if not UNITS[unit.id].is_leader and infiltrated(self.state, unit.at, to):
            price += INFILTRATION * self.price(unit)
        return price

    def company(self, unit: Unit, to: str) -> float:
        """What a second unit of the hex gains by the same move for the same action (7.21)."""
        best = 0.0
        for other in index(self.state).by_hex.get(unit.at, ()):
            if other.id == unit.id or other.acted or other.disrupted or other.climb:
                continue
            if UNITS[other.id].is_leader or other.command != self.state.division:
                continue
            if is_free(self.state, other) or any(True for _ in why_not_move(self.state, other, to)):
                continue
            gain = self.place(other, to) - self.place(other, other.at) - self.hindrance(other, to)
            best = max(best, gain - 0.05)
        return best

    def assaults(self, unit: Unit) -> Iterator[Idea]:
        """Attacks that the unit may open, each with the best company."""
        state = self.state
        near = [h for h in NEIGHBOURS[unit.at] if h in state.germans]
        able = [h for h in near if not any(True for _ in why_not_open(state, unit, h))]
        for target in able:
            plan = Plan(target, (unit.id,))
            if cost(state, plan.units) > state.actions:
                continue
            value = self.promise(plan)
            while True:
                better = max(self.joined(plan, value), key=lambda pair: pair[0], default=None)
                if better is None:
                    break
                value, plan = better
            together = self.all_in(unit, target)
            while len(together.units) > 1:
                fewer = max(self.without(together), key=lambda pair: pair[0])
                whole = self.promise(together) - self.spent(together)
                if fewer[0] < whole:
                    break
                together = fewer[1]
            found = self.promise(together)
            if found - self.spent(together) > value - self.spent(plan):
                value, plan = found, together
            answers = [f"u:{unit.id}", "b:attacca"]
            if len(near) > 1:
                answers.append(f"h:{target}")
            answers += [f"u:{name}" for name in plan.units[1:]]
            answers += ["b:navale", "b:via"] if plan.naval else ["b:via"]
            price = PAID * cost(state, plan.units) + 0.05 * len(plan.units)
            why = msg(N_("attack on {hex}: expected gain {gain}"), hex=target, gain=f"{value:.1f}")
            yield Idea(tuple(answers), DEEDS * value - price + self.doubt(), why)

    def all_in(self, unit: Unit, target: str) -> Plan:
        """An attack with everybody who can take part."""
        plan = Plan(target, (unit.id,))
        for other in on_map(self.state):
            if other.command != self.state.division or other.id in plan.units:
                continue
            if UNITS[other.id].is_leader or distance(other.at, target) > max(other.range, 1):
                continue
            if not any(True for _ in why_not_join(self.state, plan, other)):
                plan = Plan(target, (*plan.units, other.id))
        return plan

    def without(self, plan: Plan) -> Iterator[tuple[float, Plan]]:
        """The plan with one participant less, and its value."""
        for name in plan.units[1:]:
            fewer = Plan(plan.target, tuple(n for n in plan.units if n != name), plan.naval)
            yield self.promise(fewer) - self.spent(fewer), fewer

    def spent(self, plan: Plan) -> float:
        """What an attack uses up: actions, and what its participants could do instead."""
        others = (self.state.units[name] for name in plan.units[1:])
        forgone = sum(self.forgone(other, plan.target) for other in others)
        return PAID * cost(self.state, plan.units) + forgone

    def joined(self, plan: Plan, value: float) -> Iterator[tuple[float, Plan]]:
        """The plan with one more participant, where that is worth it."""
        state = self.state
        for other in on_map(state):
            if other.command != state.division or other.id in plan.units or other.acted:
                continue
            if UNITS[other.id].is_leader or other.disrupted or other.climb:
                continue
            if distance(other.at, plan.target) > max(other.range, 2) + 1:
                continue
            more = Plan(plan.target, (*plan.units, other.id), plan.naval)
            extra = cost(state, more.units) - cost(state, plan.units)
            if cost(state, more.units) > state.actions:
                continue
            if any(True for _ in why_not_join(state, plan, other)):
                continue
            found = self.promise(more)
            if found > value + PAID * extra + self.forgone(other, plan.target):
                yield found, more
        if state.naval and not plan.naval and not any(True for _ in why_not_naval(state, plan)):
            more = Plan(plan.target, plan.units, True)
            found = self.promise(more)
            if found > value + 0.45:
                yield found, more

    def forgone(self, unit: Unit, target: str) -> float:
        """What a unit gives up by joining an attack: another one of its own, or a step."""
        price = JOINING if UNITS[unit.id].is_infantry else 0.02
        for near in NEIGHBOURS[unit.at]:
            if near in self.prize and near != target and UNITS[unit.id].is_infantry:
                price = max(price, 0.3 * self.prize[near])
        return price

    # Attacks

    def promise(self, plan: Plan, state: State | None = None) -> float:
        """What an attack may be expected to bring, over all that the target may be."""
        state = self.state if state is None else state
        german = state.germans[plan.target]
        force = force_of(state, plan)
        faces = self.faces(german)
        total = sum(weight for _face, weight in faces) or 1.0
        kinds = dict.fromkeys([face for face, _weight in faces])
        worth = {face: self.outcome(force, german, face) for face in kinds}
        return sum(w / total * worth[face] for face, w in faces)

    def gain(self, force: Force, effect: str) -> float:
        """What one effect of the chart is worth against the target."""
        target = force.target
        prize = self.prize[target]
        if effect == "defeated":
            return prize
        if not self.left and effect != "gains depth":
            return 0.0
        if effect == "depth eliminated":
            return DEPTH_SHARE * prize
        if effect == "German disrupted":
            return (
                0.02
                if self.state.germans[target].disrupted
                else 0.1 + SILENCE * self.volley(target)
            )
        if effect == "gains depth":
            return -0.15 - 0.3 * prize
        if effect == "US disrupted":
            return -0.2 * len(force.near)
        if effect == "attrition":
            least = min(self.price(unit) for unit in force.near)
            return max(0.0, DEPTH_SHARE * prize - least)
        return {"reveal depth": 0.25, "hidden again": -0.05}.get(effect, 0.0)

    def faces(self, german: German) -> list[tuple[Profile, float]]:
        """What a German unit may be, with weights."""
        if german.unit:
            return [(profile(german.data), 1.0)]
        if not self.mind.is_thorough:
            return [(UNCOUNTED, 1.0)]
        key = (german.kind, german.born, german.ticket)
        if key not in self._faces:
            self._faces[key] = [
                (profile(german_data(german.kind, name)), float(face.weight))
                for name, face in candidates(self.state, german).items()
                if face.pool
            ]
        return self._faces[key]

    def outcome(self, force: Force, german: German, face: Profile) -> float:
        """What the chart gives against one face."""
        if not german.depth:
            return self.weighed(force, row_of(force.power, (face,)).alone)
        if german.depth_shown and german.depth != UNSEEN:
            return self.against_both(force, face, MARKERS[german.depth_kind][german.depth])
        hidden = row_of(force.power, (face,)).hidden
        if "reveal depth" not in hidden or german.depth_kind not in self.state.unseen:
            return self.weighed(force, hidden)
        items = self.state.unseen[german.depth_kind].items
        markers = MARKERS[german.depth_kind]
        total = sum(items.values()) or 1
        return sum(
            [n / total * self.against_both(force, face, markers[name]) for name, n in items.items()]
        )

    def against_both(self, force: Force, face: Profile, marker: Profile) -> float:
        """What the chart gives against a unit and the marker under it (8.3, 9.4)."""
        if marker.is_call:
            return self.weighed(force, ("defeated",)) - 0.6
        row = row_of(force.power, (face, marker))
        is_late = row.extended and is_extended(self.state)
        return self.weighed(force, row.extended if is_late else row.shown)

    def weighed(self, force: Force, effects: tuple[str, ...]) -> float:
        """What the effects of a row are worth together."""
        if effects not in force.worth:
            force.worth[effects] = sum(self.gain(force, effect) for effect in effects)
        return force.worth[effects]

    # The attack of the next turn

    def place(self, unit: Unit, label: str) -> float:
        """What it is worth to stand in a hex, with what the unit adds to an attack from there."""
        value = super().place(unit, label)
        if self.mind.is_thorough and UNITS[unit.id].is_infantry:
            value += STRIKE * self.strike(unit, label)
        return value

    def strike(self, unit: Unit, label: str) -> float:
        """What a company in a hex adds to the best attack that may be made from there."""
        best = 0.0
        for target in NEIGHBOURS[label]:
            if target in self.state.germans and label in fronts(target):
                alone = self.muster(target, unit, "")
                best = max(best, self.muster(target, unit, label) - alone)
        return best

    def muster(self, target: str, unit: Unit, label: str) -> float:
        """What all who are next to a target may do together, one company put elsewhere."""
        key = (target, unit.id, label)
        if key not in self._musters:
            state = self.moved(unit, label or OUT)
            names = [
                u.id for u in on_map(state) if UNITS[u.id].is_infantry and u.at in fronts(target)
            ]
            value = 0.0
            if names:
                names += [
                    u.id
                    for u in on_map(state)
                    if UNITS[u.id].type == "tank"
                    and distance(u.at, target) <= 5
                    and any(distance(u.at, state.units[n].at) <= 1 for n in names)
                ]
                value = max(0.0, self.promise(Plan(target, tuple(names)), state))
            self._musters[key] = value
        return self._musters[key]

    # Barrages

    def shots(self, unit: Unit) -> Iterator[Idea]:
        """Barrages of tanks, and of guns from turn 17."""
        state, data = self.state, UNITS[unit.id]
        if data.type != "tank" and not (is_extended(state) and data.type in GUNS):
            return
        if state.actions <= 0 and self.pays(unit):
            return
        for target, german in state.germans.items():
            if distance(unit.at, target) > unit.range or german.disrupted:
                continue
            if any(True for _ in why_not_hit(state, unit, target)):
                continue
            value = self.barrage_odds(unit, german) * (0.05 + SILENCE * self.volley(target))
            if self.pays(unit):
                value -= PAID / 2
            answers = (f"u:{unit.id}", "b:sbarramento", f"h:{target}")
            why = msg(N_("{unit} can silence {hex}"), unit=unit.id, hex=target)
            yield Idea(answers, value + self.doubt(), why)

    def barrage_odds(self, unit: Unit, german: German) -> float:
        """How probably a barrage disrupts its target (8.4)."""
        position = position_of(german)
        colour = position.colour if position is not None else german.data.colour
        deck = self.state.deck.items or dict.fromkeys(self.state.discards, 1)
        column = 0 if unit.strength <= 2 else 1 if unit.strength <= 5 else 2
        depth = "yes" if german.depth else "no"
        hits = 0
        for name, n in deck.items():
            card = CARDS[name]
            has_symbol, has_colour = card.target == unit.symbol, card.square(colour) is not None
            match = MATCHES[has_symbol + 2 * has_colour]
            row = next(r for r in CHARTS.barrage if r.match == match and r.depth in (depth, "any"))
            hits += n * (row.results[column] != "-")
        return hits / (sum(deck.values()) or 1)

    def naval(self) -> Iterator[Idea]:
        """Ships alone, where they spare most."""
        for target in self.state.germans:
            if any(True for _ in why_not_shell(self.state, target)):
                continue
            value = (
                SILENCE * self.volley(target)
                + (0.3 * self.prize[target] if self.state.germans[target].depth else 0.0)
                - 0.7
            )
            why = msg(N_("the ships can silence {hex}"), hex=target)
            yield Idea(("b:navale", f"h:{target}"), value, why)

    # Where to go ashore, or back to

    def berth(self, unit: Unit, offered: list[str]) -> str:
        """Where a unit lands; the first turn that it may come later if nowhere (5.3)."""
        spots = [o for o in offered if o.startswith("h:")]
        return self.refuge(unit, spots) if spots else offered[0]

    def refuge(self, unit: Unit, spots: list[str]) -> str:
        """The hex or landing box that is best for a unit."""
        water = tide(min(self.state.turn + 1, 32))

        def rate(option: str) -> tuple[float, str]:
            label = option[2:]
            if label in BOXES:
                return self.shore(unit, label, water), option
            if label not in NEIGHBOURS:
                return -FAR, option
            return self.place(unit, label) - 0.6 * max(0, self.crowd(label) - 1), option

        return max(spots, key=rate)

    def shore(self, unit: Unit, box: str, water: str) -> float:
        """What it is worth to land from a box: where one comes ashore, and where one goes on."""
        label = BOXES[box].waterline(water)
        if label not in NEIGHBOURS:
            return -FAR
        around = max(self.place(unit, h) for h in (label, *NEIGHBOURS[label]))
        return self.place(unit, label) + 0.5 * around - 0.3 * self.crowd(label)


def doomed(state: State, names: Iterable[str]) -> str:
    """Who had better take a loss: never a company that would go to the loss box, if possible."""

    def price(name: str) -> tuple[float, str]:
        unit = state.units[name]
        data = UNITS[name]
        lost = name in state.losses.get(data.division, ())
        if data.type == "infantry":
            dear = 3.0 if unit.steps == 2 and not lost else 1.5 if unit.steps == 1 else 1.0
        else:
            dear = 0.8 if data.is_armored else 1.2
        return dear + (0.5 if unit.hero else 0.0), name

    return min(names, key=price)
