"""What a unit could do next, and how much each of the computer's ideas is worth."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.core.text import N_, Msg, msg
from engine.toi.bot.table import Shot, Table, assault_chances, figure_worths, firepower
from engine.toi.rules.assault import attack_halvings, why_not_assault, why_not_order
from engine.toi.rules.assault import why_not_support as why_not_join_assault
from engine.toi.rules.cover import FLAME_COVER
from engine.toi.rules.mortars import shell_targets, why_not_shell
from engine.toi.rules.movement import points
from engine.toi.rules.specialists import patients
from engine.toi.rules.suppression import NORMAL_ATTACK, SUPPRESSIVE
from engine.toi.rules.targets import FLAME_POWER, WHOLE, figures_of
from engine.toi.state.state import (
    ADVANCE,
    ASSAULT,
    CONCENTRATED,
    DISRUPTED,
    ENGINEER,
    FATIGUED,
    FIRE_MOVE,
    FLAMETHROWER,
    HEAVY,
    MEDIC,
    NORMAL,
    PINNED,
    POINT,
    READY,
    SMOKE,
    TRAP,
    Unit,
)
from engine.toi.state.tables import MARKERS
from engine.toi.state.units import (
    by_hex,
    enemies_at,
    fort_kind,
    has_heavy_weapon,
    is_vehicle,
    make,
    officer_at,
    skill,
    type_of,
)

SUPPORT_PRICE = 0.15
TOP = 5
"""How many of the most useful hexes are looked at closely."""


class Plan(msgspec.Struct, frozen=True):
    """An idea: the verb, where to or at whom, what it is worth and why."""

    score: float
    verb: str
    why: Msg
    hex: str = ""
    shot: Shot | None = None


# --- movement ---------------------------------------------------------------------------------


def movement_points(t: Table, unit: Unit, action: str) -> int:
    """The movement of an action in thirds, less what leaving a shelter costs."""
    total = sum(modifier.value for modifier in points(t.state, unit, action)) * POINT
    return max(0, total - (POINT if unit.fort else 0))


def can_move(unit: Unit) -> bool:
    """Neither shaken nor immobilized."""
    return unit.condition == NORMAL and unit.damage != HEAVY


def best_stop(
    t: Table, unit: Unit, mp: int, first: frozenset[str] | None = None, shooting: bool = False
) -> tuple[float, str, list[str]]:
    """The best hex to end in, with its value and the way; the own hex counts as well."""
    found = t.reach(unit, mp, first)
    stops = t.stops(unit, found)
    if len(stops) > TOP:
        stops.sort(key=t.lanes(unit).pull, reverse=True)
        wanted = (unit.hex, *t.state.objectives)
        stops = stops[:TOP] + [label for label in stops[TOP:] if label in wanted]
    best = (-99.0, unit.hex, [])  # type: tuple[float, str, list[str]]
    for label in stops:
        stays = label == unit.hex
        value = t.stand(unit, label, fort_kind(t.state, unit) if stays else "")
        if shooting:
            shot = t.best_shot(unit, label, FIRE_MOVE)
            value += shot.value if shot is not None else 0.0
        if value <= best[0]:
            continue
        way = t.path(found, label)
        if way:
            value -= 0.7 * t.op_risk(unit, way)
            if unit.fort:
                value -= 0.3
        if value > best[0]:
            best = (value, label, way)
    return best


def home_value(t: Table, unit: Unit) -> float:
    """How good the unit's own hex is."""
    return t.stand(unit, unit.hex, fort_kind(t.state, unit))


# --- fire -------------------------------------------------------------------------------------


def next_supporter(
    t: Table, lead: Unit, target: Unit, taken: list[Unit], able: list[Unit], mode: str
) -> Unit | None:
    """The unit whose support adds more than its own attack would."""
    now = t.volley(lead, target, taken, mode)
    if now is None:
        return None
    best, gain = None, 0.0
    for unit in able:
        more = t.volley(lead, target, [*taken, unit], mode)
        if more is None or more.black == now.black:
            continue
        price = SUPPORT_PRICE
        if unit.activation == READY:
            own = t.best_shot(unit, unit.hex, CONCENTRATED)
            price += own.value if own is not None else 0.0
            if can_move(unit) and not has_heavy_weapon(unit) and t.attacks:
                price += 0.5
        if more.value - now.value - price > gain:
            best, gain = unit, more.value - now.value - price
    return best


def support_pool(t: Table, lead: Unit) -> list[Unit]:
    """Ready units that could support a concentrated fire."""
    return [
        unit
        for unit in t.mine
        if unit.id != lead.id
        and unit.activation == READY
        and unit.condition == NORMAL
        and t.owns(unit)
    ]


def fire_plans(t: Table, unit: Unit) -> Iterator[Plan]:
    """Concentrated fire: direct at the best targets, or with mortars."""
    if unit.aboard or not t.can_fire(unit):
        return
    shots = [
        shot
        for target in t.theirs
        if t.field.distance(unit.hex, target.hex) <= 16
        for shot in t.shots(unit, unit.hex, target, CONCENTRATED)
    ]
    shots.sort(key=lambda shot: (-shot.value, shot.target))
    tried: set[str] = set()
    for shot in shots:
        if shot.target in tried:
            continue
        tried.add(shot.target)
        target = t.state.units[shot.target]
        value = shot.value
        if len(tried) <= 2:
            pool = support_pool(t, unit)
            ally = next_supporter(t, unit, target, [], pool, CONCENTRATED)
            if ally is not None:
                joint = t.volley(unit, target, [ally], CONCENTRATED)
                if joint is not None:
                    shot, value = joint, (joint.value + value) / 2
        why = msg(
            N_("{unit} fires at {target}: {black} dice against {red}"),
            unit=unit.id,
            target=shot.target,
            black=shot.black,
            red=shot.red,
        )
        yield Plan(value + goal_bonus(t, target), "b:concentrato", why, shot=shot)
        if len(tried) >= 3:
            break
    yield from shell_plans(t, unit)


def goal_bonus(t: Table, target: Unit) -> float:
    """Enemies on objectives matter more."""
    weights = dict(t.goals)
    return 0.04 * weights.get(target.hex, 0.0) if t.temper.sharp else 0.0


def shell_plans(t: Table, unit: Unit) -> Iterator[Plan]:
    """Mortar fire on the hex where it hurts most."""
    if not unit.is_squad or not make(unit.figures).mortars:
        return
    best: Plan | None = None
    for label in shell_targets(t.state, unit):
        if next(why_not_shell(t.state, unit, label), None) is not None:
            continue
        for kind in (NORMAL_ATTACK, SUPPRESSIVE):
            value = t.mortar_value(unit, label, kind)
            if best is None or value > best.score:
                why = msg(N_("{unit} shells {hex}: {kind}"), unit=unit.id, hex=label, kind=kind)
                shot = Shot("", kind, "", 0, 0, 0, value)
                best = Plan(value, "b:concentrato", why, label, shot)
    if best is not None:
        yield best


# --- assault ----------------------------------------------------------------------------------


def assault_dice(t: Table, unit: Unit, here: str, label: str, supports: bool) -> int:
    """The dice of a squad in an assault, from a hex."""
    power = firepower(unit.figures, against_vehicle=False)
    if skill(unit) == FLAMETHROWER:
        power += FLAME_POWER
    at = unit if unit.hex == here else msgspec.structs.replace(unit, hex=here)
    cuts = sum(1 for _ in attack_halvings(t.state, at, label, supports))
    if cuts > 1:
        return 0
    return -(-power // 2) if cuts else power


def answer_dice(t: Table, label: str) -> int:
    """The dice of the defenders of a hex."""
    total = 0
    for unit in by_hex(t.state.units).get(label, ()):
        if unit.concealed or unit.condition == DISRUPTED:
            continue
        cuts = (unit.damage == HEAVY) + (label in t.state.smoke)
        if unit.condition == PINNED and not officer_at(t.state, label, unit.side):
            cuts += 1
        if unit.is_squad:
            power = firepower(figures_of(unit, WHOLE), against_vehicle=False)
        else:
            weapon = type_of(unit).infantry
            power = weapon.power if weapon else 0
        if cuts <= 1:
            total += -(-power // 2) if cuts else power
    return total


def hex_red_dice(t: Table, label: str, flames: bool) -> int:
    """The cover of a hex in an assault."""
    found = t.field.terrain[label].cover
    if label in t.state.smoke:
        found += MARKERS[SMOKE].cover
    here = [one for one in by_hex(t.state.units).get(label, ()) if not one.concealed]
    if any(one.is_squad for one in here) and TRAP in t.state.obstacles.get(label, ()):
        found += MARKERS[TRAP].cover
    for one in here:
        kind = fort_kind(t.state, one)
        found += MARKERS[kind].cover if kind else 0
    found += any(skill(one) == MEDIC for one in here)
    return max(0, found + FLAME_COVER) if flames else found


def assault_supporters(t: Table, unit: Unit, label: str) -> list[Unit]:
    """The two best squads that could support an assault on a hex, tired ones first."""
    able = [
        one
        for one in t.mine
        if one.id != unit.id
        and one.is_squad
        and t.field.distance(one.hex, label) == 1
        and next(why_not_join_assault(t.state, one, label), None) is None
    ]
    able.sort(key=lambda one: (-firepower(one.figures, False), one.activation != FATIGUED, one.id))
    return able[:2]


def assault_value(t: Table, unit: Unit, here: str, label: str, bonus: int = 0) -> float:
    """What an assault on a hex promises: losses of both sides, and the hex if it is won."""
    supports = assault_supporters(t, unit, label)
    black = assault_dice(t, unit, here, label, supports=False) + bonus
    black += sum(assault_dice(t, one, one.hex, label, supports=True) for one in supports)
    foes = [one for one in enemies_at(t.state, label, t.side) if not one.concealed]
    flames = any(skill(one) == FLAMETHROWER for one in (unit, *supports))
    red = hex_red_dice(t, label, flames)
    answer = answer_dice(t, label)
    there = sum(t.worth(one) for one in foes)
    win, hits, back = assault_chances(black, red, answer)
    pieces = sorted(
        worth
        for one in foes
        for worth in (figure_worths(one.figures) if one.is_squad else (t.worth(one) / 2,) * 2)
    )
    killed = sum(pieces[: int(hits)]) + (hits % 1) * (
        pieces[int(hits)] if int(hits) < len(pieces) else 0.0
    )
    mine = figure_worths(unit.figures)
    lost = sum(mine[: int(back)]) + (back % 1) * (mine[int(back)] if int(back) < len(mine) else 1.0)
    routed = sum(t.worth(one) for one in foes if one.condition == DISRUPTED or one.damage == HEAVY)
    ground = t.pull(unit, label) - t.pull(unit, here)
    shaken = 0.25 * there + 0.6 * min(routed, there)
    return killed - 1.0 * lost + win * (shaken + 0.8 * max(0.0, ground) + 0.6)


def best_assault(
    t: Table, unit: Unit, mp: int, first: frozenset[str] | None = None, bonus: int = 0
) -> tuple[float, str, str, list[str]]:
    """The best assault in reach: value, hex assaulted, hex assaulted from, way."""
    found = t.reach(unit, mp, first)
    stops = set(t.stops(unit, found))
    best = (-99.0, "", unit.hex, [])  # type: tuple[float, str, str, list[str]]
    for label in sorted({one.hex for one in t.theirs if not one.concealed}):
        near = [here for here in t.field.near[label] if here in stops]
        if not near:
            continue
        for here in near:
            at = msgspec.structs.replace(unit, hex=here, fort="")
            if next(why_not_assault(t.state, at, label), None) is not None:
                continue
            if here != unit.hex and t.state.obstacles.get(here):
                continue
            value = assault_value(t, unit, here, label, bonus)
            way = t.path(found, here)
            if way:
                value -= 0.8 * t.op_risk(unit, way)
            if value > best[0]:
                best = (value, label, here, way)
    return best


# --- everything a unit could do ---------------------------------------------------------------


def op_value(t: Table, unit: Unit) -> float:
    """How useful a unit is lying in wait: its dice, and who may still come its way."""
    if unit.condition != NORMAL or unit.aboard:
        return -9.0
    if unit.is_squad:
        made = make(unit.figures)
        power = firepower(figures_of(unit, WHOLE), against_vehicle=False)
        power += 3 * len(made.guns)
    else:
        weapon = type_of(unit).infantry
        power = weapon.power if weapon else 0
    if not power:
        return -9.0
    coming = sum(
        one.activation == READY
        and one.condition == NORMAL
        and t.field.distance(one.hex, unit.hex) <= 8
        for one in t.theirs
    )
    return 0.05 + t.temper.patience * power * min(coming, 4) / 4


def unit_plans(t: Table, unit: Unit) -> list[Plan]:
    """Every idea for a ready unit, the best first."""
    known: list[Plan] | None = t.plans.get(unit.id)
    if known is None:
        found = [_misjudged(t, unit, plan) for plan in _plans(t, unit)]
        known = t.plans[unit.id] = sorted(found, key=lambda plan: -plan.score)
    return known


def _misjudged(t: Table, unit: Unit, plan: Plan) -> Plan:
    """A plan as players see it who do not weigh things exactly."""
    if not t.whim or plan.verb == "b:affatica":
        return plan
    luck = t.luck(f"{unit.id} {plan.verb} {plan.hex}")
    return msgspec.structs.replace(plan, score=plan.score + t.whim * luck)


def _plans(t: Table, unit: Unit) -> list[Plan]:
    found = [Plan(-0.5, "b:affatica", msg(N_("{unit} has nothing to do"), unit=unit.id))]
    waiting = op_value(t, unit)
    if waiting > 0:
        why = msg(N_("{unit} waits for the enemy"), unit=unit.id)
        found.append(Plan(waiting, "b:prepara-op", why))
    if unit.aboard:
        why = msg(N_("{unit} dismounts"), unit=unit.id)
        found.append(Plan(1.5, "b:avanzata", why))
        return found
    found += fire_plans(t, unit)
    if can_move(unit):
        found += march_plans(t, unit)
        if next(why_not_order(t.state, unit), None) is None and any(
            t.field.distance(unit.hex, one.hex) <= 6 for one in t.theirs
        ):
            value, label, here, _way = best_assault(t, unit, movement_points(t, unit, ASSAULT))
            if label:
                why = msg(
                    N_("{unit} assaults {hex} from {here}"), unit=unit.id, hex=label, here=here
                )
                found.append(Plan(value, "b:assalto", why, label))
        found += special_plans(t, unit)
    return found


def march_plans(t: Table, unit: Unit) -> Iterator[Plan]:
    """Advance, or fire and movement."""
    home = home_value(t, unit)
    value, label, _way = best_stop(t, unit, movement_points(t, unit, ADVANCE))
    if label != unit.hex:
        why = msg(N_("{unit} moves towards {hex}"), unit=unit.id, hex=label)
        yield Plan(t.temper.haste * (value - home), "b:avanzata", why, label)
    if has_heavy_weapon(unit) or not any(
        t.field.distance(unit.hex, one.hex) <= 10 for one in t.theirs
    ):
        return
    if is_vehicle(unit) and type_of(unit).infantry is None:
        return
    mp = movement_points(t, unit, FIRE_MOVE)
    shot = t.best_shot(unit, unit.hex, FIRE_MOVE)
    if shot is not None:
        after, label, _way = best_stop(t, unit, mp)
        why = msg(N_("{unit} fires at {target} and moves"), unit=unit.id, target=shot.target)
        gain = t.temper.haste * (after - home)
        yield Plan(shot.value + gain, "b:fuoco-e-movimento", why, label, shot)
    total, label, _way = best_stop(t, unit, mp, shooting=True)
    if label != unit.hex and t.best_shot(unit, label, FIRE_MOVE) is not None:
        why = msg(N_("{unit} moves to {hex} and fires"), unit=unit.id, hex=label)
        yield Plan(t.temper.haste * (total - home), "b:fuoco-e-movimento", why, label)


def special_plans(t: Table, unit: Unit) -> Iterator[Plan]:
    """What specialists do."""
    if unit.token == MEDIC and patients(t.state, unit):
        yield Plan(0.55, "b:cura", msg(N_("{unit} heals"), unit=unit.id))
    bare = not unit.fort and not t.field.terrain[unit.hex].cover
    if unit.token == ENGINEER and bare and not t.attacks:
        yield Plan(0.6, "b:scava", msg(N_("{unit} digs a trench"), unit=unit.id))
