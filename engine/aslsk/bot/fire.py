"""Who fires at what: volleys on the IFT, ordnance, defensive fire (3.2-3.5, 4.4, 7.9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.aslsk.bot.moves import LEAST_GAIN, gain
from engine.aslsk.bot.odds import at_most, check_price, column_of, cowed, harm, kill_chance
from engine.aslsk.bot.sight import BLIND
from engine.aslsk.bot.table import Table, chance, tank_worth
from engine.aslsk.rules.acquisition import acquisition
from engine.aslsk.rules.elements import (
    FPF,
    SFF,
    Element,
    base_fp,
    elements,
    find,
    is_ordnance,
    mode,
    reach,
    target_hexes,
)
from engine.aslsk.rules.fire_groups import may_direct, targets_in, why_not_volley
from engine.aslsk.rules.firepower import multipliers, target_drm, turning
from engine.aslsk.rules.ordnance import (
    APCR,
    APDS,
    ATT,
    HE,
    HEAT,
    Aim,
    hit_fp,
    shell_of,
    shot_of,
    special,
)
from engine.aslsk.rules.shooting import IFT, ways, why_not_way
from engine.aslsk.rules.sight import Los
from engine.aslsk.rules.terrain import DIRECT, FLAME, MORTAR, cover
from engine.aslsk.rules.to_hit import firer_cases, person_cases, to_hit_number, vehicle_cases
from engine.aslsk.rules.to_kill import HULL, REAR, TURRET, armour, aspect, basic_tk
from engine.aslsk.rules.weapons import PF_SHELL, ft_fp
from engine.aslsk.state.state import AFPH, MPH, PFPH, units_at
from engine.aslsk.state.tables import to_hit_file

CLEAR = Los(None)
PF_AT_HAND = 0.45
"""The chance that a squad finds a PF, less the price of the six that pins it (4.4.2)."""
TURRET_SHARE = 15 / 36
"""How often the coloured die is the lower one (3.2.4.location)."""


class Shot(NamedTuple):
    """An attack worth thinking of."""

    value: float
    first: str
    hex: str
    aim: str = ""


def moving_fire(t: Table) -> bool:
    """Whether fire now strikes only the movers (3.3.3)."""
    return t.state.phase == MPH and t.seat != t.state.attacker


# The IFT


def fp_of(t: Table, e: Element, target: str, good: bool) -> float:
    """The FP of one participant (3.2.2)."""
    if e.part == "ft":
        return float(ft_fp(t.field.range(e.hex, target)))
    away = t.field.range(e.hex, target)
    found = float(base_fp(t.state, e))
    for factor, _, _ in multipliers(t.state, e, target, away, good):
        found *= float(factor)
    if t.state.phase == AFPH and e.is_own_fp:
        data = t.state.units[e.unit].data
        found += float(data.assault and away <= data.range)
    return found


def direction(t: Table, group: Sequence[Element]) -> int | None:
    """The leadership that a FG would have; None if somebody is not led (3.2.2.leader)."""
    if any(e.vehicle or e.part == "ft" or e.is_ife for e in group):
        return None
    manning = {e.unit for e in group}
    worst = -9
    for hex in dict.fromkeys(e.hex for e in group):
        able = [
            u.leadership
            for u in units_at(t.state, hex)
            if u.side == t.seat
            and u.is_leader
            and u.id not in manning
            and may_direct(t.state, u, group)
        ]
        if not able:
            return None
        worst = max(worst, min(able))
    return worst if worst <= 0 else None


def _own_drm(t: Table, group: Sequence[Element], target: str) -> int:
    """The DRM of firers that turn or are CX."""
    units = t.state.units
    turn = max(turning(t.state, e, target) for e in group)
    return turn + int(any(e.unit and units[e.unit].cx for e in group))


def volley(t: Table, group: Sequence[Element], target: str) -> float:
    """The points that a FG takes from a hex on average (3.2.3)."""
    key = ("volley", target, *[e.id for e in group])
    found = t.memo.get(key)
    if found is None:
        found = t.memo[key] = _volley(t, group, target)
    return found


def _volley(t: Table, group: Sequence[Element], target: str) -> float:
    state = t.state
    seen = [e for e in group if t.sees(e.hex, target) < BLIND]
    if not seen:
        return 0.0
    moving = moving_fire(t)
    names, crews = targets_in(state, target, t.seat, moving)
    if not names and not crews:
        return 0.0
    good = any(state.units[n].good_order for n in names)
    index = column_of(min(sum(fp_of(t, e, target, good) for e in seen), 48.0))
    lead = direction(t, seen)
    hindered = max(t.sees(e.hex, target) for e in seen)
    common = hindered + (lead or 0) + _own_drm(t, seen, target)
    how = FLAME if seen[0].part == "ft" else DIRECT
    timid = lead is None and any(e.unit and not e.is_ife for e in seen)
    odds = cowed if timid else harm
    firers = list(dict.fromkeys(e.hex for e in seen))
    found = 0.0
    crowd = len(names) + len(crews)
    for name in names:
        u = state.units[name]
        own = sum(one.value for one in target_drm(state, name, firers, how, moving, hindered > 0))
        part = odds(index, common + own, u.morale, u.broken, u.pinned, crowd)
        found += part * t.prize(u)
    for name in crews:
        part = odds(index, common + 2, 8, False, False, crowd)
        found += 0.3 * part * tank_worth(state.vehicles[name])
    return found


# Ordnance


def aim_value(t: Table, e: Element, aim: Aim) -> float:
    """The points that a To Hit attack takes on average (3.2.4)."""
    key = ("aim", e.id, aim.hex, aim.id)
    found = t.memo.get(key)
    if found is None:
        found = t.memo[key] = _aim_value(t, e, aim)
    return found


def _aim_value(t: Table, e: Element, aim: Aim) -> float:
    state = t.state
    seen = t.sees(e.hex, aim.hex)
    if seen == BLIND:
        return 0.0
    if e.part == "pf":
        return _pf_value(t, e, aim, seen)
    if aim.kind == "FT":
        return at_most(8) * tank_worth(state.vehicles[aim.target])
    shot = shot_of(state, e, aim)
    number, _ = to_hit_number(state, shot)
    common = seen + sum(c.value for c in firer_cases(state, shot))
    names, _ = targets_in(state, aim.hex, t.seat, moving_fire(t))
    old = acquisition(state, shot, [] if aim.target else names)
    if old is not None:
        common += old.value
    if e.vehicle and state.vehicles[e.vehicle].is_non_stopped:
        common += 2
    g = shot.gun
    sure = 1.0
    if aim.ammo in (HEAT, APCR, APDS) and g.kind != "latw":
        sure = at_most(special(state, g, aim.ammo))
    if aim.target:
        v = state.vehicles[aim.target]
        own = sum(c.value for c in vehicle_cases(state, v, shot))
        shell = shell_of(g, aim)
        base = basic_tk(shell, shot.away)
        hit = at_most(number - common - own)
        return sure * hit * pierce(t, aim.target, base, shell.ammo, e.hex) * tank_worth(v)
    fp = float(hit_fp(g, aim)) * (0.5 if aim.kind == ATT else 1.0)
    index = column_of(fp) if fp >= 1 else -1
    found = 0.0
    how = MORTAR if g.is_mortar else DIRECT
    for name in names:
        u = state.units[name]
        own = sum(c.value for c in person_cases(state, name, shot, CLEAR))
        tem = cover(state, u, e.hex, how) if aim.kind == ATT else None
        part = harm(index, tem.value if tem is not None else 0, u.morale, u.broken, u.pinned, 1)
        found += at_most(number - common - own) * part * t.prize(u)
    return sure * found


def pierce(t: Table, name: str, base: int, ammo: str, firer: str) -> float:
    """The chance that a hit takes a vehicle out (7.9, 7.10)."""
    v = t.state.vehicles[name]
    found = 0.0
    for location, share in ((TURRET, TURRET_SHARE), (HULL, 1 - TURRET_SHARE)):
        where = aspect(t.state, v, location, firer, 4)
        tk = base - armour(v, location, where)
        tk += int(where == REAR and ammo in ("AP", "APCR", "APDS", "MG"))
        found += share * kill_chance(tk)
    return found


def _pf_value(t: Table, e: Element, aim: Aim, seen: int) -> float:
    state = t.state
    away = t.field.range(e.hex, aim.hex)
    numbers = to_hit_file().latw["pf"]
    if away >= len(numbers):
        return 0.0
    u = state.units[e.unit]
    drm = seen + 2 * u.pinned + u.cx + (2 if state.phase == AFPH else 0)
    if aim.target:
        v = state.vehicles[aim.target]
        drm += sum(c.value for c in vehicle_cases(state, v, shot_of(state, e, aim)))
        base = basic_tk(PF_SHELL, away)
        part = pierce(t, aim.target, base, "pf", e.hex) * tank_worth(v)
        return PF_AT_HAND * at_most(numbers[away] - drm) * part - 0.8
    return 0.0


def way_value(t: Table, e: Element, aim: Aim, mates: Sequence[Element]) -> float:
    """The value of one way of attacking a hex, those who would join included."""
    if aim.kind == IFT:
        return volley(t, mates, aim.hex)
    return aim_value(t, e, aim)


# Choosing


def mates_of(t: Table, e: Element, able: Iterable[Element]) -> list[Element]:
    """What would fire with an element from its own hex or vehicle."""
    if e.part == "ft" or (e.is_ife and not e.vehicle):
        return [e]
    found = [e]
    for one in able:
        if one.id == e.id or one.hex != e.hex or bool(one.vehicle) != bool(e.vehicle):
            continue
        if one.vehicle != e.vehicle or one.part in ("ft", "ife", "pf", "ma"):
            continue
        if one.weapon and is_ordnance(t.state, one):
            continue
        found.append(one)
    return found


def shots_of(t: Table, e: Element, able: Sequence[Element], hexes: Sequence[str]) -> list[Shot]:
    """Every attack that an element could lead."""
    found = []
    limit = reach(t.state, e)
    mates = mates_of(t, e, able)
    for hex in hexes:
        away = t.field.range(e.hex, hex)
        if away > limit or t.sees(e.hex, hex) == BLIND:
            continue
        near = [m for m in mates if m is e or away <= reach(t.state, m)]
        for aim in ways(t.state, e, hex):
            if next(why_not_way(t.state, e, aim), None) is not None:
                continue
            if aim.kind != IFT and aim.ammo not in (HE, "AP", HEAT, APCR, APDS, ""):
                continue
            if aim.kind == IFT and why_not_volley(t.state, e, hex) is not None:
                continue
            value = way_value(t, e, aim, near)
            if t.temper.doubt:
                value *= 1 - t.temper.doubt * chance(e.hex, hex, t.state.turn, t.state.phase)
            found.append(Shot(value, e.id, hex, aim.id))
    return found


def leads(t: Table, able: Sequence[Element]) -> list[Element]:
    """One element for each hex on the IFT, and every piece of ordnance."""
    found: list[Element] = []
    known: set[str] = set()
    for e in able:
        alone = e.part in ("ft", "pf", "ife") or is_ordnance(t.state, e)
        key = e.id if alone else (e.vehicle or e.hex)
        if key not in known:
            known.add(key)
            found.append(e)
    return found


def best_shots(t: Table, able: Sequence[Element], hexes: Sequence[str]) -> list[Shot]:
    """The attacks of a side, the best first."""
    found = [shot for e in leads(t, able) for shot in shots_of(t, e, able, hexes)]
    return sorted(found, key=lambda shot: (-shot.value, shot.first, shot.hex, shot.aim))


def able_elements(t: Table, ids: Iterable[str]) -> list[Element]:
    """The elements behind options."""
    return [find(t.state, t.seat, one[2:]) for one in ids if one.startswith("u:")]


def known_hexes(t: Table) -> list[str]:
    """Where fire could go."""
    return target_hexes(t.state, t.seat)


def patience(t: Table, e: Element) -> float:
    """What a shot must promise in the PFPh, for those who would rather move (3.2.5)."""
    if e.vehicle:
        return 1.2
    u = t.state.units[e.unit]
    wish = gain(t, u)
    return 0.2 if wish < LEAST_GAIN else 0.3 + 0.8 * wish


def reserve(t: Table, e: Element, able: Sequence[Element], hex: str) -> float:
    """What defensive fire must promise to be worth giving away now (3.3.3, 3.4)."""
    state = t.state
    how = mode(state, e)
    if how == FPF:
        u = state.units[e.unit] if e.unit else None
        return 0.8 + (check_price(u.morale, False, False) * t.worth(u) if u else 0.0)
    if how == SFF:
        return 0.5
    if e.unit and state.units[e.unit].hidden:
        return 5.0
    least = t.temper.hold
    if e.vehicle:
        return least
    later = 0.0
    for there in known_hexes(t):
        if there != hex and t.field.range(e.hex, there) <= reach(state, e):
            later = max(later, t.shot_from(state.units[e.unit], e.hex))
            break
    return max(least, 0.6 * later)


# Joining


def joins(
    t: Table, group: Sequence[Element], e: Element, able: Sequence[Element], hex: str
) -> float:
    """What an element adds to an attack, less what it would do by itself."""
    if t.field.range(e.hex, hex) > reach(t.state, e) or t.sees(e.hex, hex) == BLIND:
        return -9.0
    here = any(one.hex == e.hex for one in group)
    together = [*group, e] if here else [*group, *mates_of(t, e, able)]
    more = volley(t, together, hex) - volley(t, group, hex)
    if here:
        return more
    if not t.temper.groups:
        return -9.0
    alone = max((shot.value for shot in shots_of(t, e, able, known_hexes(t))), default=0.0)
    if t.state.phase == PFPH and e.unit:
        alone = max(alone, patience(t, e))
    return more - alone - 0.1


def group_so_far(t: Table, named: Iterable[str]) -> list[Element]:
    """Those already in an attack: whoever could be named and is not (3.2.2.fg)."""
    left = frozenset(named)
    parts = ("fp", "mg", "atr", "ife", "bmg", "cmg", "rmg", "aamg")
    return [e for e in elements(t.state, t.seat) if e.id not in left and e.part in parts]
