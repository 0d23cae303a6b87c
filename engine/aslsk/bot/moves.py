"""Infantry on the move: which hex is worth standing in, and the way there (3.3, 3.6, 3.7)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from heapq import heappop, heappush
from math import inf

from engine.aslsk.bot.odds import at_most, column_of, duel, harm
from engine.aslsk.bot.table import MARCH, Table, Way, chance, is_cover, tank_worth
from engine.aslsk.rules.movement import entry_cost
from engine.aslsk.rules.terrain import SMOKE_COST, infantry_cost
from engine.aslsk.state.ground import Ground
from engine.aslsk.state.state import ASSAULT, DOUBLE, MAP, NORMAL, Unit, units_at, vehicles_at
from engine.aslsk.state.tables import other
from engine.aslsk.state.units import allowance, half_squads

OFF_MAP = -60.0
CX_PRICE = 1.5
LEAST_GAIN = 0.7
FULL = inf
"""The danger of a hex that has no room."""
LIKELY = 12
"""How many ends of a move are looked at closely."""


def whim(t: Table, u: Unit, hex: str) -> float:
    """The part of a judgement that is chance, the same for the whole phase."""
    if not t.temper.whim:
        return 0.0
    share = 1.0 if t.attacks else 0.4
    state = t.state
    return share * t.temper.whim * chance(u.id, hex, state.turn, state.attacker, state.phase)


# Standing


def pull(t: Table, u: Unit, hex: str) -> float:
    """What the goals make of a hex: near is good, in is better, crowded is worse."""
    own = u.hex if u.is_mmc and not u.broken and u.hex in t.aims() else ""
    draws = t.draws()
    key = (hex, own)
    best = t.pulls.get(key)
    if best is None:
        best = -40.0
        slope = t.slope / MARCH
        for aim, price, shared, mates, distances in draws:
            if mates > (aim == own):
                price = shared
            if hex == aim:
                price += 2.0
            here = price - slope * distances.get(hex, 99)
            if here > best:
                best = here
        t.pulls[key] = best
    return best


def stand(t: Table, u: Unit, hex: str) -> float:
    """What it is worth for a unit to be in a hex when the enemy's turn comes."""
    key = ("stand", u.id, hex)
    found = t.memo.get(key)
    if found is None:
        found = t.memo[key] = _stand(t, u, hex)
    return found


def _stand(t: Table, u: Unit, hex: str) -> float:
    if hex in t.field.is_off:
        return OFF_MAP
    under = t.exposure(hex, u.morale, 0, False)
    mates = [one for one in t.stacks.get(hex, ()) if one.id != u.id]
    found = whim(t, u, hex) - t.caution * t.worth(u) * under
    found += 0.25 * t.shelter(hex)
    if u.is_leader:
        return found + _company(t, u, mates) + 0.25 * pull(t, u, hex)
    if t.crew_of_gun(u):
        return found + (14.0 if hex == u.hex else 0.0)
    squads = sum(one.is_mmc for one in mates)
    found -= squads * (0.3 + 2.5 * under)
    if any(one.is_leader and not one.broken for one in mates):
        found += 1.5
    found += t.temper.foresight * t.shot_from(u, hex, mates)
    return found + pull(t, u, hex)


def _company(t: Table, u: Unit, mates: Sequence[Unit]) -> float:
    """Leaders belong with those they lead, and the broken need one."""
    if any(one.is_leader and not one.broken for one in mates):
        return 0.0
    skill = 1.0 + max(-u.leadership, 0)
    fit = sum(one.is_mmc and not one.broken for one in mates)
    broken = sum(one.broken for one in mates)
    return 2.0 * min(fit, 2) * skill + 3.0 * min(broken, 3) * skill


# Ways


def has_room(t: Table, hex: str, group: Sequence[Unit]) -> bool:
    """Whether stacking lets the group in."""
    mates = t.stacks.get(hex)
    if mates is None:
        return True
    squads = sum(half_squads(t.state, u) for u in (*mates, *group))
    return squads <= 6 and sum(u.is_leader for u in (*mates, *group)) <= 4


def peril(t: Table, group: Sequence[Unit], hex: str, mode: str) -> float:
    """The points that fire would take from the group when it enters a hex."""
    if hex in t.field.is_off:
        return 0.0
    drm = 0 if mode == ASSAULT else -1
    left = t.state.residual.get(hex, 0)
    found = 0.0
    for u in group:
        share = t.exposure(hex, u.morale, drm, True)
        if left:
            change = drm + t.shelter(hex)
            share += harm(column_of(float(left)), change, u.morale, False, False, 1)
        found += share * t.worth(u)
    return found


def ways(t: Table, group: Sequence[Unit], mf: int, mode: str, entered: bool = False) -> list[Way]:
    """Every place in reach by the safest way found, the best first."""
    lead = group[0]
    found = _paths(t, group, mf, mode, entered)
    likely = sorted(found, key=lambda hex: (found[hex][0] - pull(t, lead, hex), hex))[:LIKELY]
    ends = [
        Way(sum(stand(t, u, hex) for u in group) - found[hex][0], hex, *found[hex][1:])
        for hex in dict.fromkeys((lead.hex, *likely))
    ]
    return sorted(ends, key=lambda way: (-way.score, way.hex))


@cache
def _steps(field: Ground, at: str) -> tuple[tuple[str, int], ...]:
    """The hexes of the map next to one, each with the MF that it costs."""
    near = [hex for hex in field.near[at] if hex not in field.is_off]
    return tuple([(hex, infantry_cost(field, at, hex, True)) for hex in near])


def _paths(
    t: Table, group: Sequence[Unit], mf: int, mode: str, entered: bool
) -> dict[str, tuple[float, str, int]]:
    """Danger, first hex and price of the safest way to every place in reach."""
    here = group[0].hex
    field, held, smoke = t.field, t.held, t.state.smoke
    risks: dict[str, float] = {}
    least: dict[str, float] = {here: 0.0}
    cheapest: dict[str, int] = {here: 0}
    found: dict[str, tuple[float, str, int]] = {here: (0.0, "", 0)}
    frontier: list[tuple[float, int, str, str]] = [(0.0, 0, here, "")]
    one_hex = mode == ASSAULT
    while frontier and not (one_hex and entered):
        danger, spent, at, first = heappop(frontier)
        if danger > least.get(at, 99.0) and spent > cheapest.get(at, 0):
            continue
        if one_hex and at != here:
            continue
        for hex, cost in _steps(field, at):
            price = spent + cost + (SMOKE_COST if hex in smoke else 0)
            if price > mf or (one_hex and price >= mf) or hex in held:
                continue
            risk = risks.get(hex)
            if risk is None:
                is_open = has_room(t, hex, group)
                risk = risks[hex] = t.caution * peril(t, group, hex, mode) if is_open else FULL
            if risk == FULL:
                continue
            total = danger + 0.35 * risk if danger > risk else risk + 0.35 * danger
            known = cheapest.get(hex, 99)
            if total < least.get(hex, 99.0) - 0.05:
                least[hex] = total
                found[hex] = (total, first or hex, price)
            elif price >= known:
                continue
            if price < known:
                cheapest[hex] = price
            heappush(frontier, (total, price, hex, first or hex))
    return found


def best_way(t: Table, u: Unit, mode: str = NORMAL) -> Way:
    """The best end of a move that a unit would begin now."""
    key = (u.id, mode)
    found = t.ways.get(key)
    if found is None:
        mf = allowance(t.state, u, None, mode == DOUBLE)
        found = t.ways[key] = ways(t, [u], mf, mode)[0]
    return found


def gain(t: Table, u: Unit) -> float:
    """What moving is worth to a unit, against staying."""
    if u.broken or u.melee or u.pinned or u.place != MAP or t.crew_of_gun(u):
        return 0.0
    return best_way(t, u).score - stand(t, u, u.hex)


def best_mode(t: Table, u: Unit) -> tuple[str, Way]:
    """Normal, assault or double time: the one that promises most."""
    found = [(NORMAL, best_way(t, u))]
    if not t.temper.gaits:
        return found[0]
    found.append((ASSAULT, best_way(t, u, ASSAULT)))
    if not u.cx and not u.was_cx and not u.wounded:
        far = best_way(t, u, DOUBLE)
        found.append((DOUBLE, far._replace(score=far.score - CX_PRICE)))
    return max(found, key=lambda pair: pair[1].score + (0.01 if pair[0] == NORMAL else 0.0))


# Advancing


def strength(group: Sequence[Unit]) -> float:
    """CC FP of a group (3.8.odds)."""
    return sum((1.0 if u.is_leader else u.data.fp) * (0.5 if u.pinned else 1.0) for u in group)


def melee(t: Table, mine: Sequence[Unit], foes: Sequence[Unit]) -> tuple[float, float]:
    """The parts of the enemy and of the own group that a round of CC takes."""
    fit = [u for u in foes if not u.broken]
    lead = min((u.leadership for u in mine if u.is_leader), default=0)
    tired = int(any(u.cx for u in mine))
    drm = lead + tired - (2 if not fit else 0)
    taken = duel(strength(mine), sum(1.0 if u.is_leader else u.data.fp for u in foes), drm)
    back = 0.0
    if fit:
        lead = min((u.leadership for u in fit if u.is_leader), default=0)
        own = sum(1.0 if u.is_leader else u.data.fp for u in mine)
        back = duel(strength(fit), own, lead - tired)
    return taken, back


def _followers(t: Table, u: Unit, hex: str) -> list[Unit]:
    """Those who are there, the unit, and its neighbours as far as there is room."""
    state = t.state
    mine = [one for one in units_at(state, hex) if one.side == t.seat] + [u]
    room = 6 - sum(half_squads(state, one) for one in mine)
    for near in t.field.near[hex]:
        for one in units_at(state, near):
            able = one.side == t.seat and one.id != u.id and not one.done and not one.pinned
            if able and one.good_order and one.is_mmc and half_squads(state, one) <= room:
                mine.append(one)
                room -= half_squads(state, one)
    return mine


def charge(t: Table, u: Unit, hex: str) -> float:
    """What it is worth to advance into the enemy, with those who may follow (3.7, 3.8)."""
    state = t.state
    foes = [one for one in units_at(state, hex) if one.side != t.seat and not one.hidden]
    mine = _followers(t, u, hex)
    tanks = [v for v in vehicles_at(state, hex) if v.side != t.seat and v.is_live]
    found = 0.0
    price = t.aims().get(hex, 0.0)
    if foes:
        taken, back = melee(t, mine, foes)
        theirs = sum(t.worth(one) * (0.6 if one.broken else 1.0) for one in foes)
        ours = sum(t.worth(one) for one in mine)
        found += 1.3 * taken * theirs - t.caution * back * ours
        found += taken * price
        if t.goal is not None and t.attacks and t.goal.kind == "clear" and t.turns_left == 1:
            found += price
    if tanks:
        value = other().ccv[u.data.kind] + (0 if not tanks[0].drive.motion else -2)
        found += at_most(value - 1) * tank_worth(tanks[0]) - 2.5
    return found


def step_up(t: Table, u: Unit, hex: str) -> float:
    """What it is worth to advance into a hex, against staying."""
    now = stand(t, u, u.hex)
    tired = 0.0
    if entry_cost(t.state, u.hex, hex, True) >= allowance(t.state, u, None, False):
        tired = CX_PRICE
    if t.occupied(hex):
        if u.is_leader and not any(
            one.side == t.seat and one.is_mmc for one in units_at(t.state, hex)
        ):
            return -99.0
        return charge(t, u, hex) - tired - max(0.0, now - pull(t, u, u.hex))
    return stand(t, u, hex) - tired - now


# Routing


def refuge(t: Table, u: Unit, hex: str) -> float:
    """What a broken unit finds in a hex."""
    found = -12.0 * t.exposure(hex, u.morale, 0, False) + (3.0 if is_cover(t.field, hex) else 0.0)
    for one in units_at(t.state, hex):
        if one.side == t.seat and one.is_leader and not one.broken:
            found += 4.0
    near = min((t.field.range(hex, foe.hex) for foe in t.foes if not foe.broken), default=9)
    return found - (9.0 if near <= 1 else 0.0) + 0.3 * min(near, 6)
