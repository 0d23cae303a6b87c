"""The solo opponent: a list of priorities, moods, and a reason for each choice.

Refs: warfare:solitario.cenno. The book announces a solo mode and does not print it: priorities,
moods and reactions are reconstructed. The opponent knows its own pieces and, of the player's,
what a side may see: values never shown are taken as typical of the class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from engine.core.rules import Side
from engine.core.text import N_, Msg, msg
from engine.warfare.bot.judgement import (
    BY_ID,
    WEAPON_BUTTONS,
    fire_die,
    is_spared,
    light_cost,
    objectives,
    points_of,
)
from engine.warfare.bot.planner import Planner, begins_so
from engine.warfare.rules import abilities, recon, roadblocks, suppression
from engine.warfare.rules.actions import can_do
from engine.warfare.rules.assault import column_against, enemies_near, why_not_assault_target
from engine.warfare.rules.fire import WEAPONS, can_fire_at, shot_cost, weapon_of
from engine.warfare.rules.fortifications import terrain_shift
from engine.warfare.rules.helicopters import is_high
from engine.warfare.rules.martyrdom import why_not_martyr_target
from engine.warfare.rules.movement import Walk, walks
from engine.warfare.rules.population import people_near, why_not_convert_marker
from engine.warfare.rules.sight import can_see
from engine.warfare.rules.snipers import why_not_snipe
from engine.warfare.rules.supports import is_usable
from engine.warfare.rules.track import MOODS, discounted, next_cube
from engine.warfare.state.ascs import MEAN_WEIGHT, clamp, index
from engine.warfare.state.setting import field_of, scenario_of
from engine.warfare.state.state import (
    CIVILIANS,
    HEAVY,
    LIGHT,
    RESERVE,
    SHAKEN,
    SUPPRESSED,
    State,
    Support,
    Unit,
    enemies,
    on_map,
    passenger_of,
    unit_at,
)
from engine.warfare.state.tables import (
    ARTILLERY,
    CAS,
    COVER,
    DRONE,
    FORTIFICATION,
    MORTAR,
    RECON,
    SNIPER,
    STEALTH,
    TRANSPORT,
)

LEVEL = "solitario"
PASS = 12
"""The last row of the list: nothing else applies."""
RESERVE_LIMIT = 8
PINK, GREY, GREEN = 1, 2, 3
CAUTIOUS, NORMAL, AGGRESSIVE, FANATICAL = MOODS


class Plan(NamedTuple):
    """What to answer, how good it looks, where (for ties), and why."""

    answers: tuple[str, ...]
    score: float
    hex: str
    reason: Msg
    cost: int = 0


class SoloPlayer(Planner):
    """Takes the first priority that applies, one action at a time."""

    idle = msg(N_("12: nothing else applies, it passes"))

    def __init__(self) -> None:
        super().__init__()
        self._moods: dict[int, str] = {}
        self.row = PASS

    def think(
        self, state: State, side: Side, begun: Sequence[str], offered: list[str], rng: Random
    ) -> Plan | None:
        """The best plan of the first row that has one; `row` says which."""
        mood = self._mood(state, side, rng)
        for row, plan in self._decide(state, side, mood, begun):
            if plan.answers[len(begun)] in offered:
                self.row = row
                return plan
        self.row = PASS
        return None

    def _mood(self, state: State, side: Side, rng: Random) -> str:
        if side in state.moods:
            return state.moods[side]
        if state.turn not in self._moods:
            roll = rng.randrange(20) + 1
            number = 0 if roll <= 5 else 1 if roll <= 15 else 2 if roll <= 19 else 3
            self._moods[state.turn] = MOODS[number]
        return self._moods[state.turn]

    def _decide(
        self, state: State, side: Side, mood: str, begun: Sequence[str]
    ) -> Iterator[tuple[int, Plan]]:
        """The best plan of each row, in the order of the mood."""
        mine = [u for u in on_map(state) if u.side == side]
        for number in order(mood):
            plans = ROWS[number](state, side, mine, mood)
            rows = [plan for plan in plans if begins_so(plan.answers, begun)]
            if number > 4 and number != 10 and mood != FANATICAL:
                rows = [p for p in rows if not is_reckless(state, side, p.cost)]
            if rows:
                yield number, max(rows, key=lambda p: (p.score, _backwards(p.hex)))


def _backwards(hex: str) -> tuple[int, ...]:
    """Lower labels win ties."""
    return tuple(-ord(c) for c in hex)


def order(mood: str) -> tuple[int, ...]:
    """The rows in the order that a mood gives them."""
    rows = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    if mood == CAUTIOUS:
        rows[2], rows[10] = 11, 3
    elif mood == AGGRESSIVE:
        rows.remove(10)
        rows.insert(rows.index(6), 10)
    elif mood == FANATICAL:
        rows = [1, 3, *[n for n in rows if n not in (1, 3)]]
    return tuple(rows)


def is_reckless(state: State, side: Side, cost: int) -> bool:
    """Whether an action would leave the cube too far past the player's."""
    return state.cubes[side].position + cost - next_cube(state, side) > RESERVE_LIMIT


# The rows

Row = Callable[[State, Side, list[Unit], str], Iterator[Plan]]


def martyrs(state: State, side: Side, mine: list[Unit], mood: str) -> Iterator[Plan]:
    """1: give a life for the best target beside."""
    for one in mine:
        if not can_do(state, one, BY_ID["martirio"]):
            continue
        for target in enemies_near(state, one):
            if next(why_not_martyr_target(target), None) is not None:
                continue
            loaded = target.is_vehicle and passenger_of(state, target.id) is not None
            score = 100 * loaded + 50 * bool(target.damage) + points_of(target)
            reason = msg(
                N_("1: {unit} can give its life against {target}"), unit=one.id, target=target.id
            )
            answers = (f"u:{one.id}", "b:martirio", f"u:{target.id}")
            yield Plan(answers, score, one.hex, reason, light_cost(one))


def recoveries(state: State, side: Side, mine: list[Unit], mood: str) -> Iterator[Plan]:
    """2: bring back units that cannot act."""
    field, goals = field_of(state), objectives(state, side)
    if scenario_of(state).chapter < 2:
        return
    for one in mine:
        near = any(field.distance(one.hex, e.hex) <= 3 for e in enemies(state, side))
        if one.morale == SUPPRESSED or (one.morale == SHAKEN and near):
            holds = one.hex in goals
            die, cost = ("giallo", 5) if holds else ("grigio", 3)
            reason = msg(N_("2: {unit} must recover"), unit=one.id)
            answers = (f"u:{one.id}", "b:recupera", f"b:{die}")
            yield Plan(answers, one.morale, one.hex, reason, discounted(cost, one.damage))


def assaults(state: State, side: Side, mine: list[Unit], mood: str) -> Iterator[Plan]:
    """3: assault with a good die."""
    field = field_of(state)
    for one in mine:
        if not can_do(state, one, BY_ID["assalta"]):
            continue
        for target in enemies_near(state, one):
            column = column_against(one, target)
            if column is None or next(why_not_assault_target(state, one, target), None):
                continue
            die = clamp(index(column.die) + terrain_shift(field, target.hex, one.hex) - one.damage)
            weak = bool(target.morale or target.damage)
            least = (GREY if weak else GREEN) - (mood == AGGRESSIVE)
            if die < least:
                continue
            cost = discounted(column.ap, one.damage)
            reason = msg(N_("3: {unit} assaults {target}"), unit=one.id, target=target.id)
            answers = (f"u:{one.id}", "b:assalta", f"u:{target.id}")
            yield Plan(answers, MEAN_WEIGHT[die] / cost + weak, one.hex, reason, cost)


def shots(
    state: State, side: Side, mine: list[Unit], mood: str, weapon: str, row: int
) -> Iterator[Plan]:
    """4 and 5: fire where the die is good for its cost."""
    for one in mine:
        if weapon_of(one, weapon) is None or not can_do(state, one, BY_ID["fuoco"]):
            continue
        for target in enemies(state, side):
            if weapon == HEAVY and target.is_infantry:
                continue
            if not can_fire_at(state, one, weapon, target):
                continue
            die = fire_die(state, one, weapon, target)
            if die < (GREY if weapon == HEAVY else PINK) + (mood == CAUTIOUS):
                continue
            cost = shot_cost(one, weapon, target)
            score = MEAN_WEIGHT[die] / cost + bool(target.morale)
            text = N_("4: {unit} fires heavy weapons at {target}")
            if row == 5:
                text = N_("5: {unit} fires light weapons at {target}")
            answers = (f"u:{one.id}", "b:fuoco", WEAPON_BUTTONS[weapon], f"u:{target.id}")
            yield Plan(answers, score, one.hex, msg(text, unit=one.id, target=target.id), cost)


def heavy_shots(state: State, side: Side, mine: list[Unit], mood: str) -> Iterator[Plan]:
    """4: heavy weapons at vehicles, SAM and hunters at helicopters."""
    return shots(state, side, mine, mood, HEAVY, 4)


def light_shots(state: State, side: Side, mine: list[Unit], mood: str) -> Iterator[Plan]:
    """5: light weapons."""
    return shots(state, side, mine, mood, LIGHT, 5)


def strikes(state: State, side: Side, mine: list[Unit], mood: str) -> Iterator[Plan]:
    """6: supports on the targets they are best for; an idle FPV waits to ram."""
    for support in state.supports.values():
        if support.side != side or not is_usable(state, support):
            continue
        found = list(_strikes_of(state, side, mine, support))
        yield from found
        is_fpv = support.values.kind == DRONE and not support.values.symbol
        if is_fpv and not found and not support.overwatch:
            reason = msg(N_("6: {support} waits to ram"), support=support.id)
            yield Plan((f"c:{support.id}", "b:overwatch"), 0, "", reason, 1)


def _strikes_of(state: State, side: Side, mine: list[Unit], support: Support) -> Iterator[Plan]:
    field, goals = field_of(state), objectives(state, side)
    kind = support.values.kind
    for target in enemies(state, side):
        if kind == SNIPER:
            covered = field.terrain[target.hex] in (COVER, FORTIFICATION)
            if next(why_not_snipe(state, support, target), None) is not None:
                continue
            if target.hex not in goals and not covered:
                continue
            die = clamp(index(support.values.light.die) - support.damage)
            yield _strike_plan(support, target, ("b:mira", f"u:{target.id}"), die, LIGHT)
            continue
        for weapon in WEAPONS:
            value = support.values.light if weapon == LIGHT else support.values.heavy
            if value is None or is_spared(state, side, support, weapon, target):
                continue
            shift = 0 if is_high(field, target) else terrain_shift(field, target.hex, "")
            die = clamp(index(value.die) - target.values.defence + shift - support.damage)
            if die < GREEN:
                continue
            if kind in (ARTILLERY, MORTAR) and not any(can_see(state, u, target.hex) for u in mine):
                continue
            verb = {CAS: "b:cas", DRONE: "b:drone"}.get(kind, "b:colpisci")
            yield _strike_plan(
                support, target, (verb, WEAPON_BUTTONS[weapon], f"u:{target.id}"), die, weapon
            )


def _strike_plan(
    support: Support, target: Unit, rest: tuple[str, ...], die: int, weapon: str
) -> Plan:
    value = support.values.light if weapon == LIGHT else support.values.heavy
    assert value is not None
    cost = discounted(value.ap, support.damage)
    score = MEAN_WEIGHT[die] / cost + points_of(target) / 100
    reason = msg(N_("6: {support} on {target}"), support=support.id, target=target.id)
    return Plan((f"c:{support.id}", *rest), score, target.hex, reason, cost)


def suppressions(state: State, side: Side, mine: list[Unit], mood: str) -> Iterator[Plan]:
    """7: pin down vehicles and units in overwatch."""
    for one in mine:
        if not can_do(state, one, BY_ID["sopprimi"]):
            continue
        for target in enemies(state, side):
            if not (target.is_vehicle or target.overwatch):
                continue
            if next(suppression.why_not_suppress_target(state, one, target), None) is None:
                reason = msg(N_("7: {unit} pins down {target}"), unit=one.id, target=target.id)
                answers = (f"u:{one.id}", "b:sopprimi", f"u:{target.id}")
                score = target.overwatch + points_of(target) / 100
                yield Plan(answers, score, one.hex, reason, light_cost(one))


def conversions(state: State, side: Side, mine: list[Unit], mood: str) -> Iterator[Plan]:
    """8: stir up civilians where population counts."""
    if scenario_of(state).victory.kind != "population":
        return
    for one in mine:
        if not can_do(state, one, BY_ID["converti"]):
            continue
        for people in people_near(state, one):
            if next(why_not_convert_marker(state, one, people), None) is not None:
                continue
            regular = state.cubes[side].regular
            if (people.face == CIVILIANS) == regular:
                continue
            cost = light_cost(one)
            reason = msg(N_("8: {unit} turns {marker}"), unit=one.id, marker=people.id)
            answers = (f"u:{one.id}", "b:converti", f"u:{people.id}")
            yield Plan(answers, 1 / cost, one.hex, reason, cost)


def blocks(state: State, side: Side, mine: list[Unit], mood: str) -> Iterator[Plan]:
    """9: a roadblock between the enemy and its goal."""
    field, goals = field_of(state), objectives(state, side)
    foes = enemies(state, side)
    if not foes or not goals or not state.stock.get(side):
        return
    for one in mine:
        if not can_do(state, one, BY_ID["sbarra"]):
            continue
        for hex in field.around[one.hex]:
            if next(roadblocks.why_not_block_in(state, hex), None) is not None:
                continue
            foe = min(foes, key=lambda u: field.distance(u.hex, hex))
            goal = min(goals, key=lambda g: field.distance(hex, g))
            straight = field.distance(foe.hex, goal)
            if field.distance(foe.hex, hex) + field.distance(hex, goal) == straight > 1:
                reason = msg(N_("9: {unit} blocks the way through {hex}"), unit=one.id, hex=hex)
                answers = (f"u:{one.id}", "b:sbarra", f"h:{hex}")
                yield Plan(answers, 1, hex, reason, light_cost(one))


def moves(state: State, side: Side, mine: list[Unit], mood: str) -> Iterator[Plan]:
    """10: abilities that open the way, then towards the nearest goal."""
    yield from openings(state, side, mine)
    field = field_of(state)
    held = [u.hex for u in mine]
    goals = objectives(state, side)
    for one in mine:
        if not can_do(state, one, BY_ID["muovi"]) or one.hex in goals:
            continue
        free = [g for g in goals if g not in held]
        if not free:
            continue
        now = min(field.distance(one.hex, g) for g in free)
        paths = walks(state, one)
        for to, walk in paths.items():
            near = min(field.distance(to, g) for g in free)
            if near >= now or _is_deadly(state, side, to):
                continue
            watched = _watched(state, side, walk)
            bonus = 0.3 * (field.terrain[to] == COVER) - 0.5 * watched
            score = (now - near) / len(walk.hexes) + bonus - near / 100
            steps = tuple(f"h:{h}" for h in walk.hexes[1:])
            hide = watched and STEALTH in one.values.abilities
            reason = msg(N_("10: {unit} moves towards {hex}"), unit=one.id, hex=to)
            answers = (f"u:{one.id}", "b:muovi", *(("b:stealth",) if hide else ()), *steps, "b:vai")
            yield Plan(answers, score, to, reason)


def openings(state: State, side: Side, mine: list[Unit]) -> Iterator[Plan]:
    """Squad drones, drops, recon and transport, before any movement."""
    goals = objectives(state, side)
    for one in mine:
        if can_do(state, one, BY_ID["droni"]) and abilities.watchers_near(state, one):
            reason = msg(N_("10: {unit} clears the overwatch around it"), unit=one.id)
            yield Plan((f"u:{one.id}", "b:droni"), 20, one.hex, reason, 1)
        if RECON in one.values.icons and can_do(state, one, BY_ID["ricognizione"]):
            for marker in recon.markers_near(state, one):
                if next(recon.why_not_recon_marker(one, marker), None) is None:
                    reason = msg(N_("10: {unit} examines {marker}"), unit=one.id, marker=marker.id)
                    answers = (f"u:{one.id}", "b:ricognizione", f"u:{marker.id}")
                    yield Plan(answers, 10, one.hex, reason, light_cost(one))
        yield from _rides(state, one, goals)
    if state.turn >= 2 and goals:
        free = [g for g in goals if g not in state.at]
        for one in state.units.values():
            if one.side == side and one.place == RESERVE and free:
                spot = min(free)
                reason = msg(N_("10: {unit} drops on {hex}"), unit=one.id, hex=spot)
                yield Plan((f"u:{one.id}", f"h:{spot}"), 15, spot, reason, 1)


def _rides(state: State, one: Unit, goals: list[str]) -> Iterator[Plan]:
    """Load infantry that is far from its goal, unload it near."""
    if TRANSPORT not in one.values.abilities or not goals:
        return
    field = field_of(state)
    far = min(field.distance(one.hex, g) for g in goals)
    if far >= 5 and can_do(state, one, BY_ID["carica"]):
        for hex in field.around[one.hex]:
            near = unit_at(state, hex)
            if near is not None and near.side == one.side and near.is_infantry and not near.morale:
                reason = msg(N_("10: {unit} takes {cargo} aboard"), unit=one.id, cargo=near.id)
                yield Plan((f"u:{one.id}", "b:carica", f"u:{near.id}"), 5, one.hex, reason, 1)
    if far <= 2 and can_do(state, one, BY_ID["scarica"]):
        spots = sorted(
            field.around[one.hex], key=lambda h: min(field.distance(h, g) for g in goals)
        )
        for hex in spots[:2]:
            reason = msg(N_("10: {unit} sets its cargo down in {hex}"), unit=one.id, hex=hex)
            if hex not in state.at:
                yield Plan((f"u:{one.id}", "b:scarica", f"h:{hex}"), 6, hex, reason, 1)


def _watched(state: State, side: Side, walk: Walk) -> bool:
    """Whether a path crosses an enemy overwatch."""
    return any(_watchers(state, side, hex) for hex in walk.hexes[1:])


def _watchers(state: State, side: Side, hex: str) -> int:
    field = field_of(state)
    return sum(
        u.overwatch
        and field.distance(u.hex, hex) <= max(u.values.light.range, 5)
        and can_see(state, u, hex)
        for u in enemies(state, side)
    )


def _is_deadly(state: State, side: Side, hex: str) -> bool:
    """In the open, under two overwatches or more."""
    is_open = field_of(state).terrain[hex] not in (COVER, FORTIFICATION)
    return is_open and _watchers(state, side, hex) >= 2


def watches(state: State, side: Side, mine: list[Unit], mood: str) -> Iterator[Plan]:
    """11: cover hexes that the enemy may enter."""
    field = field_of(state)
    for one in mine:
        if one.overwatch or not can_do(state, one, BY_ID["overwatch"]):
            continue
        for foe in enemies(state, side):
            reachable = [
                h
                for h in field.around[foe.hex]
                if field.distance(one.hex, h) <= one.values.light.range and can_see(state, one, h)
            ]
            if reachable and foe.kind != "vehicle":
                reason = msg(N_("11: {unit} watches {hex}"), unit=one.id, hex=reachable[0])
                score = MEAN_WEIGHT[index(one.values.light.die)]
                yield Plan((f"u:{one.id}", "b:overwatch"), score, one.hex, reason, 1)
                break


ROWS: dict[int, Row] = {
    1: martyrs,
    2: recoveries,
    3: assaults,
    4: heavy_shots,
    5: light_shots,
    6: strikes,
    7: suppressions,
    8: conversions,
    9: blocks,
    10: moves,
    11: watches,
}
