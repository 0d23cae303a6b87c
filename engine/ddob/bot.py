"""Players of two levels: every action is priced, free ones first, and the best is taken.

Both see what the player sees. The middle level weighs danger roughly and hesitates; the hard one
counts the cards left, what a face-down unit may be, and says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from heapq import heappop, heappush
from random import Random
from typing import NamedTuple

from engine.core.decisions import Decision
from engine.core.text import N_, Msg, msg
from engine.core.view import View
from engine.ddob.attacks import (
    FLANKING,
    NAVAL_STRENGTH,
    Plan,
    cost,
    flanks,
    is_adjacent,
    origins,
    weapons_of,
    why_not_join,
    why_not_naval,
    why_not_open,
)
from engine.ddob.barrage import why_not_hit, why_not_shell
from engine.ddob.communication import dotted, is_in_play
from engine.ddob.ground import (
    BASE,
    COVER_AT,
    EXIT_AT,
    IS_LOW,
    LAND,
    NEIGHBOURS,
    SHELTER,
    SIDE,
    TERRAIN_AT,
    TIDE_AT,
    distance,
    is_submerged,
)
from engine.ddob.leaders import hqs_of
from engine.ddob.reveal import candidates
from engine.ddob.state import (
    CLIFF,
    UNSEEN,
    German,
    State,
    Unit,
    controls_adjacent,
    index,
    is_extended,
    named_hex,
    on_map,
    position_of,
    threats,
)
from engine.ddob.tables import (
    BOXES,
    CARDS,
    CHARTS,
    DEPTH,
    DRAWS,
    GUNS,
    POSITION_AT,
    UNITS,
    WEAPONS,
    GermanData,
    german_data,
    tide,
)
from engine.ddob.terrain import factors, why_not_across
from engine.ddob.us_actions import free_move, infiltrated, is_free, why_not_move
from engine.ddob.view import OmahaView

MEDIUM, HARD = "medio", "difficile"
FAR = 99.0
FADE = 0.8
RECOVERY = 2.0
LEVEL_LOSS = {"intense": 0.75, "moderate": 0.33, "sporadic": 0.07}
LEVEL_CROWD = {"intense": 0.8, "moderate": 0.7, "sporadic": 0.2}
GAINS = {
    "defeated": 1.0,
    "depth eliminated": 0.45,
    "German disrupted": 0.3,
    "reveal depth": 0.15,
    "attrition": 0.05,
    "gains depth": -0.35,
    "hidden again": -0.1,
    "US disrupted": -0.4,
}
WHO, WHAT = N_("Division {division}: who acts? {n} actions left."), N_("What does {unit} do?")


class Mind(NamedTuple):
    """How a level thinks: fear of fire, how unsure it is, what an action must promise."""

    danger: float
    doubt: float
    least: float
    is_thorough: bool


MINDS = {MEDIUM: Mind(1.2, 0.5, 0.1, False), HARD: Mind(1.2, 0.0, 0.06, True)}


class Idea(NamedTuple):
    """Answers to give, what they are worth, and why."""

    answers: tuple[str, ...]
    value: float
    why: Msg


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
def ways(target: str, is_attack: bool) -> dict[str, float]:
    """How far every hex is from one where a target is attacked, or from the target itself."""
    found: dict[str, float] = {}
    waiting: list[tuple[float, str]] = []
    starts = [target]
    if is_attack:
        starts = [n for n in NEIGHBOURS[target] if not any(True for _ in why_not_across(n, target))]
    for start in starts:
        heappush(waiting, (0.0, start))
    while waiting:
        far, here = heappop(waiting)
        if here in found:
            continue
        found[here] = far
        for near, step in entries(here):
            if near not in found and near != target:
                heappush(waiting, (far + step, near))
    return found


IN_DRAW = {h: draw for draw, hexes in DRAWS.items() for h in hexes}


@cache
def reach(is_wide: bool, label: str) -> tuple[str, ...]:
    """The hexes that a unit controls from a hex (12.1)."""
    if not is_wide:
        return (label,)
    near = [n for n in NEIGHBOURS[label] if not IS_LOW[label] or IS_LOW[n]]
    return (label, *near)


class Table:
    """The table as one player weighs it."""

    def __init__(self, state: State, mind: Mind, rng: Random) -> None:
        self.state = state
        self.mind = mind
        self.rng = rng
        self._fire: dict[str, float] = {}
        self._crowd: dict[str, float] = {}
        self._pull: dict[str, float] = {}
        deck = state.deck.items or dict.fromkeys(state.discards, 1)
        total = sum(deck.values()) or 1
        self.single: dict[str, float] = {}
        self.double: dict[str, float] = {}
        for name, n in deck.items():
            for square in CARDS[name].fire:
                shares = self.single if square.squares == 1 else self.double
                shares[square.colour] = shares.get(square.colour, 0.0) + n / total
        self.rising = [
            (tide(min(state.turn + later, 32)), price)
            for later, price in ((1, 6.0), (2, 2.0), (3, 0.8))
        ]
        self.claimed = self._claimed()
        self.under_fire = dotted(state)
        self.targets = self._targets()

    # Danger

    def chance(self, german: German) -> float:
        """How probable it is that the next card lets a German unit fire."""
        position = position_of(german)
        colour = position.colour if position is not None else german.data.colour
        if not self.mind.is_thorough:
            return 0.5
        shown = self.single.get(colour, 0.0)
        shown += self.double.get(colour, 0.0) if german.depth else 0.0
        return shown * (0.45 if german.disrupted else 1.0)

    def menace(self, label: str) -> float:
        """Steps that a German unit may be expected to take from the Americans each turn."""
        german = self.state.germans[label]
        position = position_of(german)
        if position is None:
            return 0.5
        total = 0.0
        by_hex = index(self.state).by_hex
        for level, hexes in (
            ("intense", position.intense),
            ("moderate", position.steady),
            ("sporadic", position.sporadic),
        ):
            for h in hexes:
                total += LEVEL_LOSS[level] * len(by_hex.get(h, ()))
        return min(total, 2.0) * self.chance(german)

    def fire(self, label: str, is_crowded: bool) -> float:
        """Steps that one unit may be expected to lose in a hex each turn."""
        known = self._crowd if is_crowded else self._fire
        if label not in known:
            weights = LEVEL_CROWD if is_crowded else LEVEL_LOSS
            known[label] = sum(
                weights[level] * self.chance(self.state.germans[h])
                for h, level in threats(self.state, label, disrupted=True)
            )
        return known[label]

    def risk(self, unit: Unit, label: str) -> float:
        """What it may cost a unit to be in a hex when the Germans fire, and when the tide rises."""
        data = UNITS[unit.id]
        steps = index(self.state).steps.get(label, 0)
        steps += 0 if unit.at == label else unit.steps
        risk = self.fire(label, steps >= 5) * self.mind.danger
        if data.is_leader:
            risk *= 0.3
        elif data.is_armored:
            risk *= 0.35
        elif data.type == "infantry" and unit.steps == 2:
            risk *= 1.8 + 0.25 * len(self.state.losses.get(data.division, ()))
        elif unit.steps == 1:
            risk *= 0.7
        if label in TIDE_AT:
            for water, price in self.rising:
                if is_submerged(label, water):
                    risk += price
                    break
        if BASE[label] == "beach":
            risk += 0.12
        if label in SHELTER:
            risk += 0.05 * SHELTER[label]
        return risk

    # Hope

    def worth(self, label: str) -> float:
        """What holding a position is worth, in victory points."""
        position = POSITION_AT[label]
        points = 1.0 if position.is_wn or position.is_vp or self.state.turn <= 16 else 0.3
        return points + (1.0 if label in IN_DRAW else 0.0)

    def _targets(self) -> list[tuple[dict[str, float], float]]:
        """Where it is worth going, and how much: Germans to attack, positions and exits to hold."""
        state = self.state
        found: list[tuple[dict[str, float], float]] = []
        for label, german in state.germans.items():
            value = 0.6 + 0.7 * self.menace(label)
            value += self.worth(label) if label in POSITION_AT else 0.0
            value *= 0.75 if german.depth else 1.0
            value *= 1.25 if german.disrupted or german.shown else 1.0
            found.append((ways(label, True), value))
        controlled = index(state).controlled
        for label, position in POSITION_AT.items():
            if label in state.germans or label in controlled or not is_in_play(state, label):
                continue
            if position.is_wn or state.turn >= 5:
                found.append((ways(label, False), 0.8 * self.worth(label)))
        for label, draw in IN_DRAW.items():
            if label not in controlled and label not in state.germans and draw in DRAWS:
                found.append((ways(label, False), 0.35))
        if is_extended(state) and state.turn >= 22:
            found += [(ways(label, False), 1.5) for label in EXIT_AT]
        return found

    def _claimed(self) -> dict[str, int]:
        """How many units control each hex."""
        found: dict[str, int] = {}
        for unit in on_map(self.state):
            if not UNITS[unit.id].is_leader:
                for label in reach(controls_adjacent(unit), unit.at):
                    found[label] = found.get(label, 0) + 1
        return found

    def claims(self, unit: Unit, label: str) -> float:
        """What a unit in a hex adds to the positions held, in points; more as the end comes."""
        wide = controls_adjacent(unit)
        mine = reach(wide, unit.at) if unit.is_on_map else ()
        total = 0.0
        for near in reach(wide, label):
            if near not in POSITION_AT or near in self.state.germans:
                continue
            if self.claimed.get(near, 0) - (near in mine) > 0:
                continue
            total += 0.3 if near in self.under_fire else 1.0
        end = 16 if self.state.turn <= 16 else 32
        left = end - self.state.turn
        return total * (0.9 if left <= 3 else 0.4 if left <= 7 else 0.1)

    def pull(self, label: str) -> float:
        """How near a hex is to all that is worth having."""
        if label not in self._pull:
            total = best = 0.0
            for far, value in self.targets:
                found = value * FADE ** far.get(label, FAR)
                total += found
                best = max(best, found)
            self._pull[label] = 1.2 * best + 0.25 * total
        return self._pull[label]

    def place(self, unit: Unit, label: str) -> float:
        """What it is worth for a unit to stand in a hex."""
        data = UNITS[unit.id]
        if data.is_leader:
            friends = sum(
                1.0 if UNITS[u.id].is_infantry else 0.3
                for near in (label, *NEIGHBOURS[label])
                for u in index(self.state).by_hex.get(near, ())
                if not UNITS[u.id].is_leader
            )
            return 0.4 * friends + 0.3 * self.pull(label) - self.risk(unit, label)
        hope = self.pull(label) * (1.0 if data.is_infantry else 0.35)
        if not IS_LOW[label] and not data.is_infantry:
            hope += 0.6
        if COVER_AT.get(label):
            hope += 0.02
        hope += self.claims(unit, label)
        return hope - self.risk(unit, label)

    def doubt(self) -> float:
        """How far off an estimate of this level may be."""
        return (self.rng.random() - 0.5) * self.mind.doubt if self.mind.doubt else 0.0

    # Ideas

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
            if unit.at in EXIT_AT and state.turn >= 22 and not UNITS[unit.id].is_leader:
                worth = 0.5 * unit.steps
                yield Idea((me, "b:esci"), worth, msg(N_("{unit} can leave the map"), unit=unit.id))
        yield from self.moves(unit)

    def pays(self, unit: Unit) -> bool:
        """Whether an action of the unit costs the division one."""
        return not is_free(self.state, unit)

    def moves(self, unit: Unit) -> Iterator[Idea]:
        """Steps to better hexes."""
        state = self.state
        here = self.place(unit, unit.at)
        is_leader = UNITS[unit.id].is_leader
        for to in NEIGHBOURS[unit.at]:
            if any(True for _ in why_not_move(state, unit, to)):
                continue
            if not is_leader and self.crowd(to) >= 2:
                continue
            value = self.place(unit, to) - here
            sides = SIDE.get((unit.at, to), ())
            if "scaleable cliff" in sides:
                value -= 0.3
            if infiltrated(state, unit.at, to) and not is_leader:
                value -= 0.2 if unit.steps != 2 else 0.4
            if is_leader:
                value *= 0.2
            if is_free(state, unit) or free_move(state, unit, to) is not None:
                value += 0.02
            elif value > 0 and not UNITS[unit.id].is_infantry:
                value *= 0.4
            answers = (f"u:{unit.id}", f"h:{to}")
            risk = self.risk(unit, unit.at) - self.risk(unit, to)
            why = (
                N_("{unit} is safer in {hex}")
                if risk > value / 2
                else N_("{hex} brings {unit} nearer to its target")
            )
            yield Idea(answers, value + self.doubt(), msg(why, unit=unit.id, hex=to))

    def crowd(self, label: str) -> int:
        """The units in a hex, leaders apart."""
        found = index(self.state).by_hex.get(label, ())
        return sum(not UNITS[u.id].is_leader for u in found)

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
            answers = [f"u:{unit.id}", "b:attacca"]
            if len(near) > 1:
                answers.append(f"h:{target}")
            answers += [f"u:{name}" for name in plan.units[1:]]
            answers += ["b:navale", "b:via"] if plan.naval else ["b:via"]
            price = 0.12 * cost(state, plan.units) + 0.05 * len(plan.units)
            why = msg(N_("attack on {hex}: expected gain {gain}"), hex=target, gain=f"{value:.1f}")
            yield Idea(tuple(answers), value - price + self.doubt(), why)

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
            if found > value + 0.05 + 0.1 * extra:
                yield found, more
        if state.naval and not plan.naval and not any(True for _ in why_not_naval(state, plan)):
            more = Plan(plan.target, plan.units, True)
            found = self.promise(more)
            if found > value + 0.45:
                yield found, more

    # Attacks

    def promise(self, plan: Plan) -> float:
        """What an attack may be expected to bring, over all that the target may be."""
        state = self.state
        german = state.germans[plan.target]
        prize = 1.3 + 1.0 * self.menace(plan.target)
        if plan.target in POSITION_AT:
            prize += self.worth(plan.target)
        total = sum(weight for _unit, weight in self.faces(german)) or 1.0
        value = 0.0
        for face, weight in self.faces(german):
            value += weight / total * self.outcome(plan, german, face)
        return value * prize

    def faces(self, german: German) -> list[tuple[GermanData, float]]:
        """What a German unit may be, with weights."""
        if german.unit:
            return [(german.data, 1.0)]
        if not self.mind.is_thorough:
            return [(GermanData(provenance="memoria", ref="", id="", kind="", strength=2), 1.0)]
        found = candidates(self.state, german)
        return [
            (german_data(german.kind, name), float(face.weight))
            for name, face in found.items()
            if face.pool
        ]

    def outcome(self, plan: Plan, german: German, face: GermanData) -> float:
        """What the chart gives against one face."""
        if not german.depth:
            return self.chart(plan, [face], "alone")
        if german.depth_shown and german.depth != UNSEEN:
            return self.chart(plan, [face, DEPTH[german.depth_kind][german.depth]], "shown")
        first = self.chart(plan, [face], "hidden")
        if first < GAINS["reveal depth"] - 0.01 or german.depth_kind not in self.state.unseen:
            return first
        items = self.state.unseen[german.depth_kind].items
        total = sum(items.values()) or 1
        return sum(
            n / total * self.chart(plan, [face, DEPTH[german.depth_kind][name]], "shown")
            for name, n in items.items()
        )

    def chart(self, plan: Plan, parts: list[GermanData], column: str) -> float:
        """The row of the attack chart, its effects weighed (8.3)."""
        state = self.state
        have = {w for n in plan.units for w in weapons_of(state, state.units[n], plan.target)}
        units = [state.units[n] for n in plan.units]
        near = [u for u in units if is_adjacent(u, plan.target)]
        if any(hqs_of(state, u.id) for u in near):
            have.add("RD")
        us = sum(u.strength for u in units)
        if plan.naval:
            have.update(WEAPONS["naval"])
            us += NAVAL_STRENGTH
        wanted = dict.fromkeys(w for part in parts for w in part.weapons)
        lacking = [w for w in wanted if w != FLANKING and w not in have]
        is_flanked = FLANKING not in wanted or flanks(state, plan, parts)
        if lacking and any(u.hero and not u.inspired for u in near):
            lacking.pop()
        unit, depth, _told = factors(state, plan.target, origins(state, plan))
        them = parts[0].strength * unit + sum(part.strength * depth for part in parts[1:])
        ratio = "less" if us < them else "equal" if us == them else "more"
        if us > them and us >= 2 * them:
            ratio = "double"
        armed = not lacking and is_flanked
        row = next(r for r in CHARTS.attack if r.weapons is armed and r.ratio == ratio)
        effects: tuple[str, ...] = getattr(row, column)
        if column == "shown" and row.extended and is_extended(state):
            effects = row.extended
        return sum(GAINS.get(effect, 0.0) for effect in effects)

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
            odds = 0.5 if unit.strength > 2 or not german.depth else 0.3
            value = odds * (0.15 + 0.8 * self.menace(target))
            if not self.pays(unit):
                value += 0.1
            answers = (f"u:{unit.id}", "b:sbarramento", f"h:{target}")
            why = msg(N_("{unit} can silence {hex}"), unit=unit.id, hex=target)
            yield Idea(answers, value + self.doubt(), why)

    def naval(self) -> Iterator[Idea]:
        """Ships alone, where they spare most."""
        for target in self.state.germans:
            if any(True for _ in why_not_shell(self.state, target)):
                continue
            value = 0.9 * self.menace(target) - 0.35
            why = msg(N_("the ships can silence {hex}"), hex=target)
            yield Idea(("b:navale", f"h:{target}"), value, why)


# Other questions


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


class Commander:
    """Answers every question of the American player."""

    def __init__(self, level: str) -> None:
        self._mind = MINDS[level]
        self._plan: list[str] = []
        self._why: Msg | None = None
        self._to = ""

    def reason(self) -> Msg | None:
        """Why the last choice was made."""
        return self._why if self._mind.is_thorough else None

    def choose(self, look: Callable[[], View], decision: Decision, rng: Random) -> str:
        """The id of an option."""
        offered = [option.id for option in decision.options]
        question = decision.ruling.msg.id
        if len(offered) == 1:
            if self._plan and self._plan[0] == offered[0]:
                self._plan.pop(0)
            return offered[0]
        if "who acts?" not in question and self._plan and self._plan[0] in offered:
            self._to = self._plan[0][2:]
            return self._plan.pop(0)
        self._plan = []
        self._why = None
        seen = look()
        assert isinstance(seen, OmahaView)
        assert seen.known is not None
        table = Table(seen.known, self._mind, rng)
        if "who acts?" in question:
            return self._act(table, offered)
        return self._answer(table, question, decision, offered)

    def _act(self, table: Table, offered: list[str]) -> str:
        """The best idea of all units that may act; leaders move when the others are done."""
        state = table.state
        least = self._mind.least
        best: Idea | None = None
        for option in offered:
            name = option[2:]
            if option == "b:navale":
                found = list(table.naval())
            elif option.startswith("u:"):
                found = list(table.ideas(state.units[name]))
            else:
                continue
            for idea in found:
                if idea.value > least and (best is None or idea.value > best.value):
                    best = idea
            if best is not None and best.value >= RECOVERY:
                break
        if best is None:
            self._why = msg(N_("no other action promises anything"))
            return "b:fine"
        self._why = best.why
        self._plan = list(best.answers[1:])
        return best.answers[0]

    def _answer(self, table: Table, question: str, decision: Decision, offered: list[str]) -> str:
        """Everything that is asked between actions."""
        state = table.state
        units = [o for o in offered if o.startswith("u:") and o[2:] in state.units]
        hexes = [o for o in offered if o.startswith("h:")]
        for button in ("b:via", "b:avanti", "b:sali", "b:sacrifica", "b:tutte", "b:segui"):
            if button in offered:
                return button
        if question == WHAT:
            return self._act_with(table, str(decision.ruling.msg.facts["unit"]), offered)
        if any(o.startswith("b:arma-") for o in offered):
            weapons = [o for o in offered if o.startswith("b:arma-")]
            return weapons[0] if len(weapons) == 1 else "b:forza"
        if "b:forza" in offered:
            return "b:forza"
        if "b:no" in offered:
            able = [o for o in units if state.units[o[2:]].steps >= 3]
            return able[0] if able else "b:no"
        if "b:solo" in offered:
            return self._company(table, units)
        if "b:ferma" in offered:
            return self._walk(table, str(decision.ruling.msg.facts["unit"]), hexes)
        if hexes:
            return self._spot(table, question, decision, hexes)
        if units and question in PRECIOUS:
            return max(units, key=lambda o: (self._value(table, o[2:]), o))
        if units and "b:basta" not in offered:
            return f"u:{doomed(state, [o[2:] for o in units])}"
        if offered[0].startswith("n:"):
            return offered[0]
        return offered[0]

    def _value(self, table: Table, name: str) -> float:
        unit = table.state.units[name]
        near = table.pull(unit.at) if unit.at in NEIGHBOURS else 0.0
        return unit.strength + near

    def _act_with(self, table: Table, name: str, offered: list[str]) -> str:
        unit = table.state.units[name]
        best, value = "b:resta", 0.0
        for idea in table.ideas(unit):
            if len(idea.answers) > 1 and idea.answers[1] in offered and idea.value > value:
                best, value = idea.answers[1], idea.value
                self._plan, self._why = list(idea.answers[2:]), idea.why
        return best if best in offered else offered[-1]

    def _company(self, table: Table, units: list[str]) -> str:
        """Somebody goes along where there is room and the other hex is better."""
        to = self._to
        if to not in NEIGHBOURS or table.crowd(to) >= 1:
            return "b:solo"
        for option in units:
            unit = table.state.units[option[2:]]
            if table.place(unit, to) > table.place(unit, unit.at) + 0.05:
                return option
        return "b:solo"

    def _walk(self, table: Table, name: str, hexes: list[str]) -> str:
        unit = table.state.units[name]
        here = table.place(unit, unit.at) if unit.at in NEIGHBOURS else 0.0
        free = [o for o in hexes if table.crowd(o[2:]) < 2]
        best = max(free, key=lambda o: (table.place(unit, o[2:]), o), default=None)
        if best is None or table.place(unit, best[2:]) <= here + 0.02:
            return "b:ferma"
        return best

    def _spot(self, table: Table, question: str, decision: Decision, hexes: list[str]) -> str:
        """A hex or landing box: for an American the safest and nearest, for a German the least."""
        state = table.state
        name = str(decision.ruling.msg.facts.get("unit", ""))
        if name in state.units:
            unit = state.units[name]

            def rate(option: str) -> tuple[float, str]:
                label = option[2:]
                if label in BOXES:
                    label = BOXES[label].waterline(tide(state.turn))
                    if label not in NEIGHBOURS:
                        return -FAR, option
                    around = max(table.place(unit, h) for h in (label, *NEIGHBOURS[label]))
                    return table.place(unit, label) + 0.5 * around - 0.3 * table.crowd(
                        label
                    ), option
                if label not in NEIGHBOURS:
                    return -FAR, option
                return table.place(unit, label) - 0.6 * max(0, table.crowd(label) - 1), option

            return max(hexes, key=rate)
        germans = [o for o in hexes if named_hex(o[2:]) in state.germans]
        if germans:
            sign = 1 if question in STRIKES else -1
            return max(germans, key=lambda o: (sign * table.menace(named_hex(o[2:])), o))
        return min(hexes, key=lambda o: (table.fire(o[2:], False) if o[2:] in LAND else 0.0, o))


PRECIOUS = (
    N_("Which unit of division {division} does {hero} lead?"),
    N_("Which unit recovers a step?"),
)
"""Questions where the best unit is named; elsewhere the one that is missed least."""

STRIKES = (
    N_("Which hex do the ships hit?"),
    N_("Which hex does {unit} barrage?"),
    N_("Which hex does {unit} attack?"),
    N_("Which unit is reported?"),
    N_("Which unit does the prisoner betray?"),
)
"""Questions where the most dangerous German is named; elsewhere the least."""
