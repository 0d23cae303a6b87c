"""Players of two levels: every action is priced, and the best value for its AP is taken.

Both know what a side may see. The middle level looks at what an action gains by itself and is
not always sure; the hard one also counts the fire that a hex is under, shots to come, the markers
in the way, supports that strike unseen and population that it has to keep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import inf
from random import Random
from typing import NamedTuple

import msgspec

from engine.core.decisions import Decision
from engine.core.rules import Side
from engine.core.text import N_, Msg, msg
from engine.warfare.bot.judgement import BY_ID, WEAPON_BUTTONS, fire_die, is_spared, light_cost
from engine.warfare.bot.planner import Planner, begins_so
from engine.warfare.rules import recon, roadblocks, suppression
from engine.warfare.rules.abilities import watchers_near
from engine.warfare.rules.actions import can_do
from engine.warfare.rules.assault import (
    column_against,
    enemies_near,
    why_not_assault_target,
    why_not_retreat,
)
from engine.warfare.rules.fire import WEAPONS, can_fire_at, shot_cost, weapon_of
from engine.warfare.rules.fortifications import terrain_shift
from engine.warfare.rules.helicopters import is_high
from engine.warfare.rules.martyrdom import why_not_martyr_target
from engine.warfare.rules.movement import Walk, total, walks
from engine.warfare.rules.population import people_near, why_not_convert_marker
from engine.warfare.rules.sight import can_see
from engine.warfare.rules.snipers import why_not_snipe
from engine.warfare.rules.supports import is_usable
from engine.warfare.rules.track import discounted
from engine.warfare.rules.transport import cargo_near, why_not_board
from engine.warfare.rules.victory import pieces_in_area, teams
from engine.warfare.state.ascs import (
    COMBAT_FACES,
    CRITICAL,
    CRITICAL_FAILURE,
    DAMAGE_1,
    DAMAGE_2,
    DIE_IDS,
    ELIMINATED,
    FAILURE,
    MARGINAL,
    MORALE,
    SUCCESS,
    TEST_FACES,
    clamp,
    index,
)
from engine.warfare.state.setting import field_of, scenario_of
from engine.warfare.state.state import (
    BOXES,
    CIVILIANS,
    LIGHT,
    RESERVE,
    STEADY,
    SUPPRESSED,
    State,
    Support,
    Unit,
    civilians_aboard,
    eliminated,
    enemies,
    is_regular,
    on_map,
    passenger_of,
    people_at,
    unit_at,
)
from engine.warfare.state.tables import (
    ARTILLERY,
    CAS,
    DRONE,
    ENGINEERS,
    MARTYRDOM,
    MORTAR,
    RECON,
    SNIPER,
    STEALTH,
    SUPPRESSION,
    TRANSPORT,
    Field,
    Victory,
    Weapon,
)

MEDIUM, HARD = "medio", "difficile"
LAST_BOXES = 14
"""So near the end the enemy has little time to answer."""
FARTHEST, TYPICAL_RANGE = 9, 5
"""The longest range on the ground, and what is taken for granted of an unknown unit."""
CHARGE = 3
"""From so near an enemy may come and assault at once."""
STRETCH = 6
"""AP that are spent before the table looks different."""
EPSILON = 1e-9
replace = msgspec.structs.replace


class Mind(NamedTuple):
    """How a level thinks: its weights, how unsure it is, and what it does not think of."""

    danger: float
    menace: float
    haste: float
    chances: float
    watched: float
    doubt: float
    is_thorough: bool


MINDS = {
    MEDIUM: Mind(
        danger=0.0,
        menace=0.0,
        haste=1.0,
        chances=0.0,
        watched=0.3,
        doubt=0.7,
        is_thorough=False,
    ),
    HARD: Mind(
        danger=0.15,
        menace=0.5,
        haste=0.0,
        chances=0.4,
        watched=1.0,
        doubt=0.0,
        is_thorough=True,
    ),
}


class Plan(NamedTuple):
    """Answers, what they are worth, what they cost, and why."""

    answers: tuple[str, ...]
    value: float
    cost: int
    reason: Msg


class BotPlayer(Planner):
    """Prices every action it can think of and takes the best."""

    def __init__(self, level: str) -> None:
        super().__init__()
        self._mind = MINDS[level]

    def reason(self) -> Msg | None:
        """Why the last choice was made, of the level that knows."""
        return self._reason if self._mind.is_thorough else None

    def think(
        self, state: State, side: Side, begun: Sequence[str], offered: list[str], rng: Random
    ) -> Plan | None:
        """The plan with the best value for its AP."""
        table, place = Table(state, side, self._mind), len(begun)

        def counts(plan: Plan) -> bool:
            return (
                plan.value > 0 and begins_so(plan.answers, begun) and plan.answers[place] in offered
            )

        best, most = None, 0.0
        doubt = self._mind.doubt
        for plan in filter(counts, table.plans()) if doubt else table.best_plans(counts):
            sure = 1 - doubt * rng.random() if doubt else 1.0
            worth = sure * plan.value / table.effort(plan.cost)
            if worth > most:
                best, most = plan, worth
        return best

    def react(self, state: State, decision: Decision, offered: list[str]) -> str:
        """Like the solo opponent, but no SAM is wasted on an aircraft that leaves."""
        answer = super().react(state, decision, offered)
        if decision.id == "air.sam" and is_too_late(state, decision, answer):
            answer, self._reason = "b:rinuncia", msg(N_("the die is too poor"))
        return answer


def is_too_late(state: State, decision: Decision, answer: str) -> bool:
    """A SAM fired as the aircraft leaves saves nobody: it takes a good die to be worth its AP."""
    one = state.units.get(answer[2:])
    if one is None or one.overwatch or one.values.heavy is None:
        return False
    support = state.supports[str(decision.ruling.msg.facts["support"])]
    return index(one.values.heavy.die) - support.values.defence - one.damage < index("yellow")


# What results are worth


def hurt(die: int, target: Unit) -> float:
    """The part of a unit that a combat die takes on average."""
    return _taken(die, target.morale, target.damage)


@cache
def _taken(die: int, morale: int, damage: int) -> float:
    worth = {
        MORALE: (0.2, 0.3, 1.0)[morale],
        DAMAGE_1: 1.0 if damage >= 2 else 0.3,
        DAMAGE_2: 1.0 if damage >= 1 else 0.6,
        ELIMINATED: 1.0,
    }
    faces = COMBAT_FACES[die]
    return sum(worth.get(face, 0.0) for face in faces) / len(faces)


@cache
def chance(die: int, *wanted: str) -> float:
    """The chance of results on a test die."""
    faces = TEST_FACES[clamp(die)]
    return sum(face in wanted for face in faces) / len(faces)


def passes(die: int) -> float:
    """The chance of any success on a test die."""
    return chance(die, MARGINAL, SUCCESS, CRITICAL)


class Table:
    """The table as one side sees it, and what it may do there."""

    def __init__(self, state: State, side: Side, mind: Mind) -> None:
        self.state, self.side, self.mind = state, side, mind
        self.field: Field = field_of(state)
        self.scenario = scenario_of(state)
        self.victory: Victory = self.scenario.victory
        self.team = state.cubes[side].team
        self.is_attacker = self.victory.side == self.team
        self.mine = [u for u in on_map(state) if u.side == side]
        self.foes = enemies(state, side)
        self._most = 0.0
        self._markers_on_map = [p.hex for p in state.population.values() if p.hex]
        self._keepers: dict[str, list[str]] = {}
        self._grounds: dict[tuple[str, str, str], float] = {}
        self._danger: dict[tuple[str, int, str], float] = {}
        self._others_exposed: dict[str, float] = {}
        self._rates: dict[tuple[str, str], float] = {}
        gone = state.cubes[side].position / (BOXES * self.scenario.turns)
        self._haste = 1 + mind.haste * gone if self.is_attacker else 1.0
        self._left = max(1, BOXES * self.scenario.turns - state.cubes[side].position)
        self._goals = self._aims()
        self._urgency = self._how_urgent(self.team) if mind.is_thorough else 1.2
        self._dread = max((self._how_urgent(t) for t in teams(state) if t != self.team), default=1)
        fights = mind.is_thorough and self.scenario.chapter >= 2
        self._menace: dict[str, float] = {}
        if fights:
            self._menace = {foe.id: self._how_menacing(foe) for foe in self.foes}
        able = [u for u in self.mine if not u.morale] if fights else []
        self._best = max((self._rate(u, u.hex) for u in able), default=0.0)

    def _how_urgent(self, team: Side) -> float:
        """Eliminations are worth more where they end the game, and more the nearer that is."""
        for clause in self.scenario.sudden:
            if clause.side == team and clause.eliminated:
                others = [other for other in teams(self.state) if other != team]
                lost = sum(len(eliminated(self.state, other)) for other in others)
                return 1.2 + 1.5 * lost / clause.eliminated
        return 1.0

    def _how_menacing(self, foe: Unit) -> float:
        """What an enemy may take from us before the table looks different."""
        worst = max((self._threat_of(foe, u) * self._price(u) for u in self.mine), default=0.0)
        return self.mind.menace * STRETCH * worst

    def effort(self, cost: int) -> int:
        """The AP that an action really takes: none are missed after the end of the game."""
        return min(cost, self._left) if self.mind.is_thorough else cost

    def _hurt(self, die: int, target: Unit) -> float:
        """What a die takes; only a thorough mind sees that a unit is about to give up."""
        fresh = target if self.mind.is_thorough else replace(target, morale=STEADY, damage=0)
        return hurt(die, fresh)

    def worth(self, unit: Unit) -> float:
        """What a unit is worth to who takes it."""
        base = 18.0 if unit.is_helicopter else 13.0 if unit.is_vehicle else 10.0
        if passenger_of(self.state, unit.id) is not None:
            base += 8
        victory = self.victory
        if victory.kind == "area" and self.is_attacker and unit.hex in victory.area:
            base *= 1.6
        elif victory.kind in ("hold", "objectives") and unit.hex in victory.objectives:
            base *= 1.8
        elif victory.kind == "convoy" and not self.is_attacker and unit.is_vehicle:
            base *= 1.5
        return base * self._urgency + self._menace.get(unit.id, 0.0)

    # --- plans ------------------------------------------------------------------------------

    def plans(self) -> Iterator[Plan]:
        """Everything worth a thought."""
        for one in self.mine:
            yield from self._actions(one)
            yield from self._moves(one)
            yield from self._escorts(one)
        yield from self._strikes()
        yield from self._drops()

    def best_plans(self, counts: Callable[[Plan], bool]) -> Iterator[Plan]:
        """The plans that count, without the movements that are sure not to be the best.

        Movements are many and costly to price; the best of all else is known before them.
        """
        actions = [[*filter(counts, self._actions(one))] for one in self.mine]
        strikes = [*filter(counts, self._strikes()), *filter(counts, self._drops())]
        self._most = max((self.rated(p) for group in (*actions, strikes) for p in group), default=0)
        for one, group in zip(self.mine, actions, strict=True):
            yield from group
            for plan in filter(counts, self._moves(one)):
                self._most = max(self._most, self.rated(plan))
                yield plan
            yield from filter(counts, self._escorts(one))
        yield from strikes

    def rated(self, plan: Plan) -> float:
        """The value of a plan for its AP."""
        return plan.value / self.effort(plan.cost)

    def _actions(self, one: Unit) -> Iterator[Plan]:
        """What a unit can do where it stands."""
        if self.scenario.chapter >= 2:
            yield from self._shots(one)
            yield from self._assaults(one)
            yield from self._recoveries(one)
            yield from self._watches(one)
        yield from self._specials(one)
        yield from self._conversions(one)
        yield from self._rides(one)

    def _shots(self, one: Unit) -> Iterator[Plan]:
        if not can_do(self.state, one, BY_ID["fuoco"]):
            return
        for weapon in WEAPONS:
            if weapon_of(one, weapon) is None:
                continue
            for target in self.foes:
                if not can_fire_at(self.state, one, weapon, target):
                    continue
                value = self._hurt(fire_die(self.state, one, weapon, target), target)
                cost = shot_cost(one, weapon, target)
                reason = msg(N_("{unit} fires at {target}"), unit=one.id, target=target.id)
                answers = (f"u:{one.id}", "b:fuoco", WEAPON_BUTTONS[weapon], f"u:{target.id}")
                yield Plan(answers, value * self.worth(target), cost, reason)

    def _assaults(self, one: Unit) -> Iterator[Plan]:
        if not can_do(self.state, one, BY_ID["assalta"]):
            return
        for target in enemies_near(self.state, one):
            value, cost = self._assault_gain(one, target)
            if not cost:
                continue
            reason = msg(N_("{unit} assaults {target}"), unit=one.id, target=target.id)
            yield Plan((f"u:{one.id}", "b:assalta", f"u:{target.id}"), value, cost, reason)

    def _assault_gain(self, one: Unit, target: Unit) -> tuple[float, int]:
        """What an assault is worth and what it costs; nothing if it is not allowed."""
        column = column_against(one, target)
        if column is None or next(why_not_assault_target(self.state, one, target), None):
            return 0.0, 0
        shift = terrain_shift(self.field, target.hex, one.hex)
        die = clamp(index(column.die) + shift - one.damage)
        back = self.field.beyond(one.hex, target.hex)
        dies = next(why_not_retreat(self.state, target, back), None) is not None
        yields = self.mind.is_thorough and (dies or target.morale == SUPPRESSED)
        falls = yields or (self.mind.is_thorough and target.damage == 2)
        weak, strong = 1.0 if yields else 0.35, 1.0 if falls else 0.65
        gain = chance(die, MARGINAL) * weak + chance(die, SUCCESS) * strong
        gain += chance(die, CRITICAL)
        value = gain * self.worth(target)
        value -= 3 * chance(die, CRITICAL_FAILURE)
        value += passes(die) * (self._ground(one, target.hex) - self._ground(one, one.hex))
        if self.victory.kind == "hostages" and self.is_attacker:
            value += 14 * passes(die) * bool(self._hostages_in(target.hex))
        return value, discounted(column.ap, one.damage) + round(2 * chance(die, FAILURE))

    def _recoveries(self, one: Unit) -> Iterator[Plan]:
        if not one.morale:
            return
        near = any(self.field.distance(one.hex, e.hex) <= 6 for e in self.foes)
        need = (6.0 if one.morale == SUPPRESSED else 4.0) * (1.0 if near else 0.5)
        if self.mind.is_thorough:
            better = replace(one, morale=one.morale - 1)
            need = 3.0 if one.morale == SUPPRESSED else 2.0
            need += STRETCH * (self._threat(one, one.hex) - self._threat(better, one.hex))
            need += STRETCH * max(0.0, self._rate(one, one.hex) - self._best)
            need *= min(1.0, self._to_turn_end() / 8)
        for place, die in enumerate(DIE_IDS[:6]):
            cost = discounted(place + 1, one.damage)
            value = need * passes(clamp(place - one.damage))
            reason = msg(N_("{unit} must fight again"), unit=one.id)
            yield Plan((f"u:{one.id}", "b:recupera", f"b:{die}"), value, cost, reason)

    def _to_turn_end(self) -> int:
        """AP until the slowest cube ends the turn, when morale comes back by itself."""
        slowest = min(cube.position for cube in self.state.cubes.values())
        return BOXES * self.state.turn - slowest

    def _watches(self, one: Unit) -> Iterator[Plan]:
        """Overwatch where an enemy is near but out of sight."""
        if one.overwatch or not can_do(self.state, one, BY_ID["overwatch"]):
            return
        reach = one.values.light.range
        near = [e for e in self.foes if self.field.distance(one.hex, e.hex) <= reach + 2]
        if not near:
            return
        hidden = [e for e in near if not can_see(self.state, one, e.hex)]
        value = 0.35 if hidden else 0.2
        if self.mind.is_thorough:
            value *= 0.5 if self.is_attacker else 1.0
        reason = msg(N_("{unit} covers the approaches"), unit=one.id)
        yield Plan((f"u:{one.id}", "b:overwatch"), value, 1, reason)

    def _specials(self, one: Unit) -> Iterator[Plan]:
        """Suppression, martyrdom, recon, disarming, roadblocks, drones, the way out."""
        state, icons = self.state, one.values.icons
        cost = light_cost(one)
        if SUPPRESSION in icons and self.mind.is_thorough and can_do(state, one, BY_ID["sopprimi"]):
            die = index(str(icons[SUPPRESSION])) - one.damage
            for target in self.foes:
                if next(suppression.why_not_suppress_target(state, one, target), None) is None:
                    value = passes(die) * (0.25, 0.35, 1.0)[target.morale] * self.worth(target)
                    reason = msg(N_("{unit} pins {target} down"), unit=one.id, target=target.id)
                    answers = (f"u:{one.id}", "b:sopprimi", f"u:{target.id}")
                    yield Plan(answers, value, cost, reason)
        if MARTYRDOM in icons and can_do(state, one, BY_ID["martirio"]):
            die = index(str(icons[MARTYRDOM])) - one.damage
            for target in enemies_near(state, one):
                if next(why_not_martyr_target(target), None) is None:
                    part = 0.3 * chance(die, MARGINAL) + 0.65 * chance(die, SUCCESS)
                    part += chance(die, CRITICAL) + 0.2 * chance(die, FAILURE)
                    reason = msg(
                        N_("{unit} gives its life against {target}"), unit=one.id, target=target.id
                    )
                    answers = (f"u:{one.id}", "b:martirio", f"u:{target.id}")
                    yield Plan(answers, part * self.worth(target), cost, reason)
        yield from self._markers(one, cost)
        if can_do(state, one, BY_ID["droni"]) and watchers_near(state, one):
            reason = msg(N_("{unit} clears the overwatch near it"), unit=one.id)
            yield Plan((f"u:{one.id}", "b:droni"), 0.8 * len(watchers_near(state, one)), 1, reason)
        if self.victory.kind == "convoy" and can_do(state, one, BY_ID["esci"]):
            reason = msg(N_("{unit} is across"), unit=one.id)
            yield Plan((f"u:{one.id}", "b:esci"), 30, 1, reason)

    def _markers(self, one: Unit, cost: int) -> Iterator[Plan]:
        state, area = self.state, self.victory.area if self.is_attacker else ()
        if can_do(state, one, BY_ID["ricognizione"]):
            die = index(str(one.values.icons.get(RECON, "grey"))) - one.damage
            for marker in recon.markers_near(state, one):
                if next(recon.why_not_recon_marker(one, marker), None) is None:
                    value = passes(die) * (6.0 if marker.hex in area else 0.4)
                    reason = msg(N_("{unit} must know {marker}"), unit=one.id, marker=marker.id)
                    answers = (f"u:{one.id}", "b:ricognizione", f"u:{marker.id}")
                    yield Plan(answers, value, cost, reason)
        if can_do(state, one, BY_ID["bonifica"]):
            die = index(str(one.values.icons.get(ENGINEERS, "white"))) - one.damage
            for marker in recon.markers_near(state, one):
                if marker.revealed:
                    value = passes(die) * (8.0 if marker.hex in area else 0.5)
                    reason = msg(N_("{unit} makes {marker} safe"), unit=one.id, marker=marker.id)
                    answers = (f"u:{one.id}", "b:bonifica", f"u:{marker.id}")
                    yield Plan(answers, value, cost, reason)
        goals = self._goals
        if self.mind.is_thorough and goals and can_do(state, one, BY_ID["sbarra"]):
            for hex in self.field.around[one.hex]:
                if next(roadblocks.why_not_block_in(state, hex), None) is None:
                    value = self._in_the_way(hex, goals)
                    reason = msg(N_("{unit} bars {hex}"), unit=one.id, hex=hex)
                    yield Plan((f"u:{one.id}", "b:sbarra", f"h:{hex}"), value, cost, reason)

    def _in_the_way(self, hex: str, goals: list[str]) -> float:
        """How much a roadblock in a hex bothers the enemies."""
        distance = self.field.distance
        return sum(
            0.7
            for foe in self.foes
            if not foe.is_helicopter
            and distance(foe.hex, hex) <= 3
            and any(
                distance(foe.hex, hex) + distance(hex, g) == distance(foe.hex, g) for g in goals
            )
        )

    def _conversions(self, one: Unit) -> Iterator[Plan]:
        frees = self.victory.kind == "hostages" and self.is_attacker
        if not (frees or self.victory.kind == "population"):
            return
        if not can_do(self.state, one, BY_ID["converti"]):
            return
        die = index(one.values.light.die) - one.damage
        for people in people_near(self.state, one):
            if next(why_not_convert_marker(self.state, one, people), None) is not None:
                continue
            if (people.face == CIVILIANS) == self.is_attacker:
                continue
            value = 12 * passes(die) * self._lasts(people.hex) - 2 * chance(die, CRITICAL_FAILURE)
            reason = msg(N_("{unit} turns {marker}"), unit=one.id, marker=people.id)
            answers = (f"u:{one.id}", "b:converti", f"u:{people.id}")
            yield Plan(answers, value, light_cost(one), reason)

    def _lasts(self, hex: str) -> float:
        """How sure it is that population turned now stays so, with enemies near to turn it back."""
        end = BOXES * self.scenario.turns
        if not self.mind.is_thorough or self.state.cubes[self.side].position >= end - LAST_BOXES:
            return 1.0
        near = min((self.field.distance(hex, e.hex) for e in self.foes if e.morale < 2), default=9)
        return 0.7 if near <= 1 else 0.9 if near <= 3 else 1.0

    def _rides(self, one: Unit) -> Iterator[Plan]:
        """Infantry far from its goal rides; civilians freed ride to safety."""
        state, field = self.state, self.field
        if TRANSPORT not in one.values.abilities:
            return
        goals = self._goals
        far = min((field.distance(one.hex, g) for g in goals), default=0)
        if can_do(state, one, BY_ID["carica"]):
            for cargo in cargo_near(state, one):
                if next(why_not_board(state, one, cargo), None) is not None:
                    continue
                if isinstance(cargo, Unit):
                    value = 1.2 if far >= 6 and not cargo.morale else 0.0
                else:
                    saves = self.victory.kind == "hostages" and self.is_attacker
                    value = 9.0 if saves and cargo.face == CIVILIANS else 0.0
                reason = msg(N_("{unit} takes {cargo} aboard"), unit=one.id, cargo=cargo.id)
                yield Plan((f"u:{one.id}", "b:carica", f"u:{cargo.id}"), value, 1, reason)
        cargo_unit = passenger_of(state, one.id)
        if cargo_unit is not None and far <= 3 and can_do(state, one, BY_ID["scarica"]):
            for hex in field.around[one.hex]:
                if hex not in state.at:
                    value = 2.5 + self._ground(cargo_unit, hex) / 10
                    reason = msg(N_("{unit} sets its cargo down"), unit=one.id)
                    yield Plan((f"u:{one.id}", "b:scarica", f"h:{hex}"), value, 1, reason)

    def _moves(self, one: Unit) -> Iterator[Plan]:
        if not can_do(self.state, one, BY_ID["muovi"]):
            return
        now = self._place(one, one.hex)
        rate = self._best_rate(one)
        for to, walk in walks(self.state, one).items():
            cost = total(walk, one.damage)
            if self._at_most(one, to, rate) - now < self._most * self.effort(cost) - EPSILON:
                continue
            value = self._place(one, to) - now
            if value <= 0:
                continue
            watchers = self._watchers(one, walk)
            hides = bool(watchers) and STEALTH in one.values.abilities and self.mind.is_thorough
            value -= 0.0 if hides else self.mind.watched * watchers
            if self.mind.is_thorough:
                value -= self._risk_of_markers(walk)
            if one.overwatch:
                value -= 0.3
            cost += hides
            reason = msg(N_("{unit} moves to {hex}"), unit=one.id, hex=to)
            steps = tuple(f"h:{h}" for h in walk.hexes[1:])
            hide = ("b:stealth",) if hides else ()
            yield Plan((f"u:{one.id}", "b:muovi", *hide, *steps, "b:vai"), value, cost, reason)

    def _escorts(self, one: Unit) -> Iterator[Plan]:
        """Civilians freed go to the safe row on foot."""
        if self.victory.kind != "hostages" or not self.is_attacker:
            return
        if not is_regular(self.state, self.side) or not can_do(self.state, one, BY_ID["muovi"]):
            return
        row = self.victory.row
        for people in people_at(self.state, one.hex):
            if people.face != CIVILIANS or one.is_helicopter:
                continue
            here = abs(self.field.row(one.hex) - row)
            for to, walk in walks(self.state, one, follower=people.id).items():
                left = abs(self.field.row(to) - row)
                value = 2.5 * (here - left) + (8 if left == 0 else 0)
                reason = msg(N_("{unit} leads {marker} to safety"), unit=one.id, marker=people.id)
                steps = tuple(f"h:{h}" for h in walk.hexes[1:])
                answers = (f"u:{one.id}", "b:muovi", f"u:{people.id}", *steps, "b:vai")
                yield Plan(answers, value, total(walk, one.damage), reason)

    def _strikes(self) -> Iterator[Plan]:
        for support in self.state.supports.values():
            if support.side == self.side and is_usable(self.state, support):
                yield from self._strikes_of(support)

    def _strikes_of(self, support: Support) -> Iterator[Plan]:
        kind = support.values.kind
        for target in self.foes:
            if kind == SNIPER:
                if next(why_not_snipe(self.state, support, target), None) is None:
                    die = clamp(index(support.values.light.die) - support.damage)
                    yield self._strike(support, target, ("b:mira",), die, LIGHT, 1.0)
                continue
            for weapon in WEAPONS:
                value = support.values.light if weapon == LIGHT else support.values.heavy
                if value is None or is_spared(self.state, self.side, support, weapon, target):
                    continue
                high = is_high(self.field, target)
                shift = 0 if high else terrain_shift(self.field, target.hex, "")
                die = clamp(index(value.die) - target.values.defence + shift - support.damage)
                share = 1.0
                if kind in (ARTILLERY, MORTAR) and not self._is_observed(target.hex):
                    share = 0.3
                verb = {CAS: "b:cas", DRONE: "b:drone"}.get(kind, "b:colpisci")
                yield self._strike(
                    support, target, (verb, WEAPON_BUTTONS[weapon]), die, weapon, share
                )

    def _is_observed(self, hex: str) -> bool:
        return any(can_see(self.state, u, hex) for u in self.mine)

    def _strike(
        self,
        support: Support,
        target: Unit,
        verbs: tuple[str, ...],
        die: int,
        weapon: str,
        share: float,
    ) -> Plan:
        value = support.values.light if weapon == LIGHT else support.values.heavy
        assert value is not None
        gain = share * self._hurt(die, target) * self.worth(target)
        reason = msg(N_("{support} on {target}"), support=support.id, target=target.id)
        answers = (f"c:{support.id}", *verbs, f"u:{target.id}")
        return Plan(answers, gain, discounted(value.ap, support.damage), reason)

    def _drops(self) -> Iterator[Plan]:
        """Airborne units land where they are most useful."""
        for one in self.state.units.values():
            if one.side != self.side or one.place != RESERVE:
                continue
            for hex in self._goals:
                spots = [h for h in (hex, *self.field.around[hex]) if h not in self.state.at]
                for spot in spots:
                    value = 3 + self._place(replace(one, hex=spot), spot)
                    reason = msg(N_("{unit} drops on {hex}"), unit=one.id, hex=spot)
                    yield Plan((f"u:{one.id}", f"h:{spot}"), value, 2, reason)

    # --- places -----------------------------------------------------------------------------

    def _aims(self) -> list[str]:
        """Hexes that the scenario is about."""
        kind, victory = self.victory.kind, self.victory
        people = self.state.population.values()
        if kind == "population":
            wanted = [p.hex for p in people if p.hex and (p.face == CIVILIANS) != self.is_attacker]
            return wanted or [p.hex for p in people if p.hex]
        if kind == "hostages":
            return [p.hex for p in people if p.hex and p.face == CIVILIANS]
        if kind == "area":
            left = pieces_in_area(self.state, victory)
            hexes = [self.state.units[n].hex for n in left if n in self.state.units]
            hexes += [self.state.hidden[n].hex for n in left if n in self.state.hidden]
            return hexes or list(victory.area)
        if kind == "convoy":
            return list(self.field.edge("nord"))
        return list(victory.objectives)

    def _place(self, one: Unit, hex: str) -> float:
        """What it is worth to have a unit in a hex."""
        value = self._haste * self._ground(one, hex)
        if self.scenario.chapter < 2:
            return value
        if not one.is_helicopter:
            value -= 0.4 * terrain_shift(self.field, hex, "")
        if self.mind.danger:
            risk = self._threat(one, hex)
            value -= self.mind.danger * (STRETCH * max(0.0, risk - self._exposed(one)) + risk)
        if self.mind.chances and not one.morale:
            rate = self._rate(one, hex)
            value += self.mind.chances * (STRETCH * max(0.0, rate - self._best) + rate)
        return value

    def _at_most(self, one: Unit, hex: str, rate: float) -> float:
        """What a place is worth if nobody could fire there, with the best of targets in reach."""
        value = self._haste * self._ground(one, hex)
        if self.scenario.chapter < 2:
            return value
        if not one.is_helicopter:
            value -= 0.4 * terrain_shift(self.field, hex, "")
        if self.mind.chances and not one.morale:
            if one.is_infantry and any(self.field.distance(hex, e.hex) == 1 for e in self.foes):
                rate = max(rate, self._rate(one, hex))
            value += self.mind.chances * (STRETCH * max(0.0, rate - self._best) + rate)
        return value

    def _best_rate(self, one: Unit) -> float:
        """No shot of a unit, from wherever it is fired, does more for its AP."""
        best = 0.0
        if self.mind.chances and not one.morale and self.scenario.chapter >= 2:
            for weapon in WEAPONS:
                column = weapon_of(one, weapon)
                if column is None:
                    continue
                for foe in self.foes:
                    shift = (
                        0 if is_high(self.field, foe) else terrain_shift(self.field, foe.hex, "")
                    )
                    die = clamp(index(column.die) - foe.values.defence + shift - one.damage)
                    value = hurt(die, foe) * self.worth(foe)
                    best = max(best, value / shot_cost(one, weapon, foe))
        return best

    def _exposed(self, one: Unit) -> float:
        """The best that the enemies find without a unit: more of them is no worse."""
        if one.id not in self._others_exposed:
            others = [self._threat(u, u.hex) for u in self.mine if u.id != one.id]
            self._others_exposed[one.id] = max(others, default=0.0)
        return self._others_exposed[one.id]

    def _ground(self, one: Unit, hex: str) -> float:
        """How a hex serves the aims of the scenario; found once."""
        key = (one.id, one.hex, hex)
        found = self._grounds.get(key)
        if found is None:
            found = self._grounds[key] = self._ground_of(one, hex)
        return found

    def _ground_of(self, one: Unit, hex: str) -> float:
        kind, field, state = self.victory.kind, self.field, self.state
        goals = self._goals
        if not goals:
            return -0.3 * min((field.distance(hex, e.hex) for e in self.foes), default=0)
        if kind == "population":
            return self._ground_of_population(one, hex)
        if kind == "hostages":
            return self._ground_of_hostages(one, hex, goals)
        near = min(field.distance(hex, g) for g in goals)
        if kind == "area":
            if self.is_attacker:
                return 5 - 0.7 * max(near, 2 if one.is_vehicle else 1)
            return 2.0 if hex in self.victory.area else 2.0 - 0.5 * near
        if kind == "hold":
            taken = hex in goals
            if self.is_attacker:
                return 9 - 1.0 * near + 3 * taken
            return 4 - 0.6 * near + 5 * taken
        if kind == "objectives":
            return self._ground_of_objectives(one, hex)
        if kind == "convoy":
            pull = 0.8 if self.is_attacker and one.is_vehicle else 0.3
            return 8 - pull * near
        if kind == "extraction" and one.is_helicopter and self.is_attacker:
            return 8 - 0.8 * near
        return 6 - 0.7 * max(near, 1) if state.turn else 0.0

    def _ground_of_population(self, one: Unit, hex: str) -> float:
        """Beside a marker to turn; a thorough mind stands between two, and by those it won."""
        if not self.mind.is_thorough:
            return max(self._pull(one, hex, goal) for goal in self._goals)
        first = second = -inf
        for marker in self._markers_on_map:
            pull = self._pull(one, hex, marker)
            if pull > first:
                first, second = pull, first
            elif pull > second:
                second = pull
        return first + (0 if second == -inf else second) / 2

    def _pull(self, one: Unit, hex: str, marker: str) -> float:
        """What a marker is worth to a unit in a hex: less when it is turned and only to be kept."""
        worth = 7.0 if marker in self._goals else 5.0
        return worth - 1.1 * self._gap(hex, marker) - self._others(one, marker)

    def _gap(self, hex: str, goal: str) -> float:
        """Steps short of standing beside a marker; on top of it nothing can be done."""
        distance = self.field.distance(hex, goal)
        return 0.7 if distance == 0 else distance - 1

    def _others(self, one: Unit, goal: str) -> float:
        """One unit for each marker is enough."""
        if goal not in self._keepers:
            distance = self.field.distance
            self._keepers[goal] = [u.id for u in self.mine if distance(u.hex, goal) <= 1]
        keepers = self._keepers[goal]
        return 1.5 * (len(keepers) - (one.id in keepers))

    def _hostages_in(self, hex: str) -> list[str]:
        return [p.id for p in people_at(self.state, hex) if p.face == CIVILIANS]

    def _ground_of_hostages(self, one: Unit, hex: str, goals: list[str]) -> float:
        field, distance = self.field, self.field.distance
        if not self.is_attacker:
            near = min(distance(hex, g) for g in goals)
            holds = hex in goals and hex == one.hex
            return 9.0 if holds else 3 - 0.4 * max(0, near - 1)
        if civilians_aboard(self.state, one.id) is not None:
            return 25 - 1.5 * abs(field.row(hex) - self.victory.row)
        best = -99.0
        for goal in goals:
            holder = unit_at(self.state, goal)
            held = holder is not None and holder.side != self.side
            near = distance(hex, goal)
            if held:
                short = max(0, near - 1) if one.is_infantry else max(2, near - 2)
                value = 8 - 0.9 * short - 0.3 * self._others(one, goal)
            elif holder is not None and holder.id != one.id:
                value = 4 - 0.5 * near
            else:
                rides = TRANSPORT in one.values.abilities
                value = 10 - 0.9 * (max(0, near - 1) if rides else near)
            best = max(best, value)
        return best

    def _ground_of_objectives(self, one: Unit, hex: str) -> float:
        best = -99.0
        for goal, points in self.victory.objectives.items():
            near = self.field.distance(hex, goal)
            ours = self.state.control.get(goal) == self.team
            holder = unit_at(self.state, goal)
            guarded = holder is not None and holder.side == self.side and holder.id != one.id
            if ours:
                value = 2.0 + 0.8 * points - 0.7 * near - 2.0 * guarded
            else:
                value = 5 + 2.0 * points - 0.9 * near + 4 * points * (near == 0)
            best = max(best, value)
        return best

    def _threat(self, one: Unit, hex: str) -> float:
        """What the best shot at a unit in a hex takes for each AP of the enemies."""
        key = (one.id, one.morale, hex)
        if key not in self._danger:
            there = replace(one, hex=hex)
            worst = max((self._threat_of(foe, there) for foe in self.foes), default=0.0)
            self._danger[key] = worst * self._price(one)
        return self._danger[key]

    def _price(self, one: Unit) -> float:
        """What a unit of ours is worth to us; less when nobody has time to take it."""
        own = 18.0 if one.is_helicopter else 13.0 if one.is_vehicle else 10.0
        return own * self._dread * min(1.0, self._left / 12)

    def _threat_of(self, foe: Unit, there: Unit) -> float:
        """The part of a unit that an enemy takes for each AP, from afar or at close quarters."""
        return max(self._threat_of_fire(foe, there), self._threat_of_assault(foe, there))

    def _threat_of_assault(self, foe: Unit, there: Unit) -> float:
        """An assault on a unit that cannot fall back eliminates it."""
        far = self.field.distance(foe.hex, there.hex)
        if foe.morale or not foe.is_infantry or there.is_helicopter or not 0 < far <= CHARGE:
            return 0.0
        column = column_against(foe, there)
        if foe.type.startswith("?"):
            column = Weapon(5, 1, "grey") if there.is_vehicle else Weapon(3, 1, "grey")
        if column is None:
            return 0.0
        from_hexes = [foe.hex] if far == 1 else self.field.around[there.hex]
        die = clamp(index(column.die) + terrain_shift(self.field, there.hex, foe.hex) - foe.damage)
        part = chance(die, CRITICAL)
        if there.morale == SUPPRESSED or any(self._is_cornered(there, h) for h in from_hexes):
            part += chance(die, MARGINAL, SUCCESS)
        else:
            part += 0.35 * chance(die, MARGINAL) + 0.65 * chance(die, SUCCESS)
        return part / (discounted(column.ap, foe.damage) + far - 1)

    def _is_cornered(self, there: Unit, origin: str) -> bool:
        back = self.field.beyond(origin, there.hex)
        return next(why_not_retreat(self.state, there, back), None) is not None

    def _threat_of_fire(self, foe: Unit, there: Unit) -> float:
        """The part of a unit that the best shot of an enemy takes for each AP."""
        if foe.morale or self.field.distance(foe.hex, there.hex) > FARTHEST:
            return 0.0
        if not foe.type.startswith("?"):
            return max(
                (
                    hurt(fire_die(self.state, foe, w, there), there) / shot_cost(foe, w, there)
                    for w in WEAPONS
                    if can_fire_at(self.state, foe, w, there)
                ),
                default=0.0,
            )
        near = self.field.distance(foe.hex, there.hex) <= TYPICAL_RANGE
        if not near or not can_see(self.state, foe, there.hex):
            return 0.0
        shift = terrain_shift(self.field, there.hex, foe.hex) - there.values.defence
        share = 1.0 if there.is_infantry or foe.is_vehicle else 0.4
        return share * hurt(clamp(index("green") + shift), there) / 3

    def _rate(self, one: Unit, hex: str) -> float:
        """The best that a steady unit can do to an enemy from a hex, for each AP."""
        key = (one.id, hex)
        if key not in self._rates:
            there = replace(one, hex=hex)
            self._rates[key] = max(self._shot_rate(there), self._assault_rate(there))
        return self._rates[key]

    def _shot_rate(self, there: Unit) -> float:
        best = 0.0
        for weapon in WEAPONS:
            column = weapon_of(there, weapon)
            if column is None:
                continue
            for foe in self.foes:
                if self.field.distance(there.hex, foe.hex) > column.range:
                    continue
                if can_fire_at(self.state, there, weapon, foe):
                    value = hurt(fire_die(self.state, there, weapon, foe), foe) * self.worth(foe)
                    best = max(best, value / shot_cost(there, weapon, foe))
        return best

    def _assault_rate(self, there: Unit) -> float:
        if not there.is_infantry:
            return 0.0
        found = [
            self._assault_gain(there, foe)
            for foe in self.foes
            if self.field.distance(there.hex, foe.hex) == 1
        ]
        return max((value / cost for value, cost in found if cost), default=0.0)

    def _watchers(self, one: Unit, walk: Walk) -> int:
        """Enemies in overwatch that a path would wake."""
        path = walk.hexes[1:]
        return sum(
            any(self.field.distance(u.hex, h) <= 5 and can_see(self.state, u, h) for h in path)
            for u in self.foes
            if u.overwatch
        )

    def _risk_of_markers(self, walk: Walk) -> float:
        """Enemy markers, face down or live, on a path."""
        path = walk.hexes[1:]
        return sum(
            1.2 for m in self.state.hidden.values() if m.hex in path and m.owner != self.side
        )
