"""Vehicles and facings: where an AFV is useful and safe, and how it drives there (3.3.2, 7.8)."""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from engine.aslsk.bot.odds import at_most, column_of, cowed, kill_chance
from engine.aslsk.bot.sight import BLIND
from engine.aslsk.bot.table import Piece, Table, is_cover, tank_worth
from engine.aslsk.rules.elements import pf_range
from engine.aslsk.rules.terrain import HEDGE_COST, MP_AC, MP_TRACKED, SMOKE_COST
from engine.aslsk.rules.to_kill import FRONT, REAR, SIDE, Shell, aspect_of, basic_tk
from engine.aslsk.rules.vehicles import allowance, left
from engine.aslsk.state.ground import Ground, turned
from engine.aslsk.state.state import Mover, Vehicle, parked, units_at, weapons_of
from engine.aslsk.state.tables import band, he_fp, to_hit_file

STAY = 2.0
"""A vehicle that stands still shoots better."""
AT_FIRST_SIGHT, FIRED_ON_THE_MOVE = 1.3, 0.75
"""Who drives up is shot at twice before the next turn, and shoots worse."""


class Drive(NamedTuple):
    """A place in reach of a vehicle and the next hex on the way."""

    score: float
    hex: str
    first: str


def pieces(t: Table) -> list[Piece]:
    """What the enemy has against AFV."""
    if t.pieces is not None:
        return t.pieces
    found = t.pieces = []
    for v in t.enemy_tanks:
        d = v.data
        if not v.arms.ma and not v.crew.shock and not v.crew.stun and not d.no_ap:
            found.append(Piece(v.hex, d.calibre, d.barrel, d.nation, "", 99))
    has_pf = t.state.pf_left.get(t.foe, 0) > 0
    for u in t.foes:
        if u.broken or u.melee:
            continue
        for w in weapons_of(t.state, u.id):
            d_w = w.data
            if w.broken or d_w.no_ap:
                continue
            if d_w.is_gun and not d_w.is_mortar:
                found.append(Piece(u.hex, d_w.calibre, d_w.barrel, d_w.nation, "", 99))
            elif d_w.kind in ("latw", "atr"):
                found.append(Piece(u.hex, 0, "", d_w.nation, d_w.tk or d_w.grade, d_w.range))
        if has_pf and u.is_mmc:
            found.append(Piece(u.hex, 0, "", "german", "pf", pf_range(t.state)))
    return found


def risk_from(t: Table, piece: Piece, v: Vehicle, hex: str, vca: int, still: bool) -> float:
    """The chance that one weapon takes a vehicle out with its next shot."""
    away = t.field.range(piece.hex, hex)
    seen = t.sees(piece.hex, hex)
    if away > piece.reach or seen == BLIND:
        return 0.0
    if piece.special in to_hit_file().latw:
        row = to_hit_file().latw[piece.special]
        number = row[away] if away < len(row) else -9
    else:
        found = band("vtt", away)
        number = found.black if found is not None else -9
    number += v.data.size * -1 - seen - (0 if still else 2)
    sides = t.field.sides_hit(hex, piece.hex) if hex != piece.hex else (vca,)
    where = min((aspect_of(vca, k) for k in sides), key=(FRONT, SIDE, REAR).index)
    gun = f"{piece.calibre}{piece.barrel}"
    base = basic_tk(Shell("AP", piece.calibre, gun, piece.nation, piece.special), away)
    tk = base - v.data.af[0 if where == FRONT else 1] + int(where == REAR)
    part = 0.45 if piece.special == "pf" else 1.0
    return part * at_most(number) * kill_chance(tk)


def danger(t: Table, v: Vehicle, hex: str, vca: int, still: bool) -> float:
    """The chance that the enemy takes a vehicle out in a hex."""
    key = ("danger", v.type, hex, vca, still)
    found = t.enemy_memo.get(key)
    if found is None:
        safe = 1.0
        for piece in pieces(t):
            safe *= 1 - risk_from(t, piece, v, hex, vca, still)
        near = sum(
            u.is_mmc and not u.broken and not u.pinned
            for u in t.foes
            if t.field.range(u.hex, hex) == 1
        )
        found = t.enemy_memo[key] = 1 - safe + 0.12 * min(near, 3)
    return found


def prey(t: Table, v: Vehicle, hex: str) -> float:
    """The best target of a vehicle from a hex."""
    if v.arms.ma:
        return 0.0
    key = ("prey", v.type, hex)
    found = t.enemy_memo.get(key)
    if found is None:
        found = max(_prey_tank(t, v, hex), _prey_people(t, v, hex))
        t.enemy_memo[key] = found
    return found


def _prey_tank(t: Table, v: Vehicle, hex: str) -> float:
    data = v.data
    best = 0.0
    for foe in t.enemy_tanks:
        away, seen = t.field.range(hex, foe.hex), t.sees(hex, foe.hex)
        row = band("vtt", away)
        if seen == BLIND or row is None:
            continue
        ammo = "H" if data.no_ap else "AP"
        gun = f"{data.calibre}{data.barrel}"
        base = basic_tk(Shell(ammo, data.calibre, gun, data.nation), away)
        sides = t.field.sides_hit(foe.hex, hex) if hex != foe.hex else (foe.vca,)
        where = min((aspect_of(foe.vca, k) for k in sides), key=(FRONT, SIDE, REAR).index)
        tk = base - foe.data.af[0 if where == FRONT else 1]
        best = max(best, at_most(row.black - seen) * kill_chance(tk) * tank_worth(foe))
    return best


def _prey_people(t: Table, v: Vehicle, hex: str) -> float:
    data = v.data
    shell, mg = column_of(float(he_fp(data.calibre))), data.bmg + data.cmg
    best = 0.0
    for there in t.enemy_hexes():
        away, seen = t.field.range(hex, there), t.sees(hex, there)
        if seen == BLIND or away == 0:
            continue
        tem = t.shelter(there, hex)
        hit = at_most(8 - seen - tem)
        index = column_of(float(mg * (2 if away == 1 else 1))) if away <= 8 else -1
        found = 0.0
        for u in units_at(t.state, there):
            if u.side == t.foe and not u.hidden:
                part = hit * cowed(shell, 0, u.morale, u.broken, False, 1)
                part += cowed(index, seen + tem, u.morale, u.broken, False, 1)
                found += part * t.worth(u)
        best = max(best, found)
    return best


def pull(t: Table, v: Vehicle, hex: str) -> float:
    """What the goals make of a hex for a vehicle."""
    if v.recall:
        return 0.0
    goal = t.goal
    if goal is not None and goal.centre:
        away = t.field.range(hex, goal.centre)
        if t.attacks:
            late = 1.0 if t.turns_left > 2 else 3.0
            return -0.9 * late * max(0, away - goal.radius)
        return -0.3 * max(0, away - 4)
    nearest = min((t.field.range(hex, aim) for aim in t.aims()), default=3)
    return -(0.8 if t.attacks else 0.4) * max(0, nearest - 4)


def facing(t: Table, hex: str, spine: int) -> int:
    """The hexspine that looks at most of what matters, the present one if it is as good."""
    found = t.arcs.get(hex)
    if found is None:
        weights = arc_weights(t, hex)
        best = max(weights)
        main = weights.index(best)
        found = t.arcs[hex] = tuple(k if weights[k] >= 0.85 * best else main for k in range(6))
    return found[spine]


def arc_weights(t: Table, hex: str) -> list[float]:
    """What lies in each of the six arcs of a hex."""
    weights = [0.0] * 6
    for foe in t.enemy_tanks:
        for k in t.field.arcs(hex, foe.hex):
            weights[k] += tank_worth(foe) / (1 + 0.15 * t.field.range(hex, foe.hex))
    for u in t.foes:
        value = 0.5 * t.worth(u) * (0.3 if u.broken else 1.0)
        for k in t.field.arcs(hex, u.hex):
            weights[k] += value / (1 + 0.15 * t.field.range(hex, u.hex))
    if not any(weights):
        for label in gates(t):
            for k in t.field.arcs(hex, label):
                weights[k] += 1.0
    return weights


def gates(t: Table) -> tuple[str, ...]:
    """Where the enemy comes from, when none is in sight."""
    waiting = [u.entry for u in t.state.units.values() if u.side == t.foe and u.place != "map"]
    edge = next((one.partition(" ")[2] for one in waiting if one[:1].isdigit()), "")
    if edge:
        return t.field.off[edge]
    column = 0 if t.foe == t.state.sides[0] else t.field.board.grid.columns - 1
    return tuple([h for h in t.field.labels if t.field.column[h] == column])


def wariness(t: Table) -> float:
    """What the danger to a vehicle counts for: less to those who must take ground."""
    return t.temper.caution * (0.8 if t.attacks else 1.0)


def post(t: Table, v: Vehicle, hex: str) -> float:
    """What it is worth for a vehicle to be in a hex."""
    if hex in t.field.is_off:
        return -60.0
    vca = v.vca if hex == v.hex else facing(t, hex, v.vca)
    still = hex == v.hex and not v.marks.moving and not v.drive.motion
    under = danger(t, v, hex, vca, still)
    game = t.temper.foresight * prey(t, v, hex)
    if not still:
        under, game = min(1.0, AT_FIRST_SIGHT * under), game * FIRED_ON_THE_MOVE
    return pull(t, v, hex) + game - wariness(t) * tank_worth(v) * under


class Lane(NamedTuple):
    """A hexside that a careful driver crosses: what lies behind it, and what it costs."""

    side: int
    hex: str
    cost: int
    block: int
    """More for every vehicle or wreck that stands there (3.3.2.obstacles)."""


@lru_cache(maxsize=32)
def _lanes(field: Ground, is_ac: bool, ce: bool) -> dict[str, tuple[Lane, ...]]:
    """Where one drives to from every hex: not into rough ground without a road (3.3.2)."""
    return {
        at: tuple(
            _lane(field, is_ac, ce, at, k)
            for k, hex in enumerate(sides)
            if hex
            and hex not in field.is_off
            and (field.has_road(at, hex) or not is_cover(field, hex))
        )
        for at, sides in field.side.items()
    }


def _lane(field: Ground, is_ac: bool, ce: bool, at: str, k: int) -> Lane:
    hex = field.side[at][k]
    road = field.has_road(at, hex)
    cost = (MP_AC if is_ac else MP_TRACKED)[field.kind(hex)] if not road else 2 - ce
    if field.level[hex] > field.level[at]:
        cost += 4 if road else 8
    if (at, hex) in field.hedges:
        cost += HEDGE_COST
    return Lane(k, hex, cost, 4 if road else 2)


def _swing(k: int, spine: int) -> tuple[int, int]:
    """The nearer hexspine of a hexside, and the halves of MP to turn to it (3.3.2.vca)."""
    ahead = min((k, (k - 1) % 6), key=lambda one: turned(one, spine))
    return ahead, 2 * turned(ahead, spine)


SWINGS = [[_swing(k, spine) for spine in range(6)] for k in range(6)]
"""The same by hexside and present hexspine."""


def drives(t: Table, v: Vehicle, mover: Mover | None) -> Drive:
    """The best place in reach, with the next hex on the way."""
    firsts, risks = _roads(t, v, mover)
    here = v.hex
    best = Drive(
        post(t, v, here) + (STAY if not v.marks.running and not v.drive.motion else 0.0), here, ""
    )
    taken = {one.hex for one in t.tanks if one.id != v.id}
    for hex, first in firsts.items():
        if hex != here and hex not in taken:
            score = post(t, v, hex) - 0.5 * wariness(t) * tank_worth(v) * risks[hex]
            if (score, hex) > (best.score, best.hex):
                best = Drive(score, hex, first)
    return best


def _roads(t: Table, v: Vehicle, mover: Mover | None) -> tuple[dict[str, str], dict[str, float]]:
    """For every hex in reach, the next hex on the way and the worst danger of it."""
    mp = left(v, mover) if mover is not None else allowance(v)
    if not v.marks.running and not v.drive.motion:
        mp -= 2
    here = v.hex
    lanes = _lanes(t.field, v.data.is_ac, v.crew.ce)
    held, smoke, blocks = t.held, t.state.smoke, parked(t.state)
    costs = {here: 0}
    firsts = {here: ""}
    risks = {here: 0.0}
    frontier: list[tuple[int, str, int]] = [(0, here, v.vca)]
    while frontier:
        spent, at, spine = heappop(frontier)
        if spent > costs[at]:
            continue
        for k, hex, cost, block in lanes[at]:
            ahead, swing = SWINGS[k][spine]
            price = spent + swing + cost
            least = costs.get(hex, 999)
            if price > mp or price >= least or hex in held:
                continue
            if hex in blocks:
                price += block * len(blocks[hex])
            if hex in smoke:
                price += SMOKE_COST
            if price > mp or price >= least:
                continue
            costs[hex] = price
            firsts[hex] = firsts[at] or hex
            risks[hex] = max(risks[at], danger(t, v, hex, facing(t, hex, v.vca), False))
            heappush(frontier, (price, hex, ahead))
    return firsts, risks


def tank_gain(t: Table, v: Vehicle) -> float:
    """What moving is worth to a vehicle, against staying."""
    if v.crew.shock or v.crew.stun or v.is_stuck:
        return 0.0
    key = ("gain", v.id)
    found = t.memo.get(key)
    if found is None:
        best = drives(t, v, None)
        found = best.score - post(t, v, v.hex) - STAY if best.hex != v.hex else 0.0
        t.memo[key] = found
    return found


def turn_toward(t: Table, v: Vehicle, spines: tuple[int, ...]) -> str:
    """Left or right, whichever is shorter to one of some hexspines; nothing if it looks there."""
    if v.vca in spines:
        return ""
    right = min((k - v.vca) % 6 for k in spines)
    left_ = min((v.vca - k) % 6 for k in spines)
    return "b:destra" if right <= left_ else "b:sinistra"


def next_act(t: Table, v: Vehicle, go: Drive, mover: Mover, known: frozenset[str]) -> str:
    """The next MP of a vehicle on its way."""
    wanted: list[str] = []
    if go.first:
        if not v.marks.running:
            wanted.append("b:avvia")
        k = t.field.side[v.hex].index(go.first)
        wanted.append(f"h:{go.first}")
        wanted.append(turn_toward(t, v, (k, (k - 1) % 6)))
    elif v.marks.running:
        best = facing(t, v.hex, v.vca)
        if left(v, mover) >= 4:
            wanted.append(turn_toward(t, v, (best,)))
        wanted.append("b:ferma")
    wanted += ["b:fine", "b:ferma", "b:avvia"]
    found = next((one for one in wanted if one in known), "")
    if found:
        return found
    ahead = sorted(one for one in known if one.startswith("h:"))
    turns = sorted(one for one in known if one in ("b:destra", "b:sinistra", "b:attendi"))
    return (ahead or turns or sorted(known))[0]
