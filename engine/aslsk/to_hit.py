"""To Hit: target types, ammunition, DRM, hits on infantry and Guns (3.2.4, 4.4, 6.1-6.12).

Refs: 2.0.acquired_target, 2.0.att, 2.0.ch, 2.0.depletion, 2.0.itt, 2.0.hit, 2.0.intensive_fire,
2.0.latw, 2.0.non_qualified, 2.0.ordnance, 2.0.rof, 2.0.th, 2.0.vtt, 3.2.4, 3.2.4.itt, 3.2.4.att,
3.2.4.vtt, 3.2.4.multi_target, 3.2.4.procedure, 3.2.4.red_black, 3.2.4.rof_mod,
3.2.4.range_limits, 3.2.4.ca, 3.2.4.intensive_fire, 3.2.4.non_qualified, 3.2.4.effect_infantry,
3.3.3.gun_if, 4.1.vs_afv, 4.4, 4.4.1, 4.4.3, 4.4.4, 4.4.5, 4.5, 5.5, 6.1, 6.2, 6.2.default, 6.2.ap,
6.2.apcr_apds, 6.2.he, 6.2.heat, 6.2.smoke, 6.2.wp, 6.7, 6.9, 6.10, 6.11, 6.12, 7.2.1, 7.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

import msgspec

from engine.aslsk.book import DR, LATE_BOTH, LATE_TOTAL, Modifier, add_all, drm, rule
from engine.aslsk.elements import (
    ADVANCING,
    BOUNDING_FIRST,
    DFF,
    FPF,
    OWN,
    SFF,
    Element,
    arc_of,
    ca_drm,
    ca_factor,
    fire_phase,
    is_bounding,
    mode,
    turns_owed,
    turret_column,
)
from engine.aslsk.events import (
    Acquired,
    AmmoSpent,
    CaChanged,
    Directed,
    Eliminated,
    Fired,
    Flipped,
    Jammed,
    Revealed,
    SmokePlaced,
    Used,
)
from engine.aslsk.fire import (
    choose_leaders,
    cite_blocked,
    count_shots,
    counter_of,
    exhaust,
    gunners,
    gunshield,
    leave_residual,
    movement_drm,
    targets_in,
    turn_vehicle,
)
from engine.aslsk.ground import BUILDINGS
from engine.aslsk.guns import may_hide
from engine.aslsk.morale import (
    Effects,
    alive,
    apply_result,
    eliminate,
    leader_losses,
    morale_check,
    pick,
    reduce_unit,
)
from engine.aslsk.sight import Los, declared_los, known_los, sees
from engine.aslsk.state import (
    AFPH,
    DFPH,
    FINAL,
    FIRST,
    INTENSIVE,
    MAP,
    MPH,
    NOTHING,
    PFPH,
    PREP,
    Hold,
    State,
    Unit,
    Vehicle,
    units_at,
    vehicles_at,
    weapons_of,
)
from engine.aslsk.tables import (
    CREW,
    VEHICLES,
    WEAPONS,
    band,
    column,
    column_fp,
    he_fp,
    ift,
    th_case,
    th_change,
    to_hit_file,
)
from engine.aslsk.terrain import DIRECT, MORTAR, air_burst, cover, crew_cover, vehicle_cover
from engine.aslsk.to_kill import HULL, TURRET, att_on_vehicle, kill_vehicle, shell
from engine.aslsk.units import enemy_holds, gun_of, is_inexperienced
from engine.aslsk.vehicle_events import (
    LowOnAmmo,
    MaFired,
    MaJammed,
    MaLost,
    TargetAcquired,
    VehicleAmmoSpent,
)
from engine.core.ctx import Ctx
from engine.core.decisions import button, unit
from engine.core.rules import RuleBug, Ruling
from engine.core.text import N_

ITT, ATT, VTT, LATW = N_("ITT"), N_("ATT"), N_("VTT"), N_("LATW")
HE, AP, HEAT, APCR, APDS = "HE", "AP", "H", "APCR", "APDS"
SMOKE, WP = "S", "WP"
HIDDEN_TARGET = N_("Case 23: hidden target")
RED_NATIONS = ("russian", "italian")
HEAT_SINCE = {"german": "1942-05", "italian": "1942-09"}


class Aim(msgspec.Struct, frozen=True):
    """How a weapon attacks: target type, hex, the vehicle if one is named, ammunition."""

    kind: str
    hex: str
    target: str = ""
    ammo: str = ""

    @property
    def id(self) -> str:
        """The option's id."""
        return "-".join(part for part in (self.kind, self.target, self.ammo) if part)


class Gunner(msgspec.Struct, frozen=True):
    """What a To Hit attack needs to know of its weapon, be it a SW, a Gun or a MA."""

    calibre: int
    barrel: str
    nation: str
    rof: int
    b: int
    turret: str
    is_mortar: bool
    is_gun: bool
    is_ma: bool
    kind: str
    grade: str
    fp: int
    x: int
    ammo: dict[str, dict[int, int]]
    out_of: tuple[str, ...]
    no_ap: bool
    no_he: bool
    tk: str


def gunner(state: State, e: Element) -> Gunner:
    """The weapon behind an element."""
    if e.vehicle:
        v = state.vehicles[e.vehicle]
        return _main_armament(v.type, v.out_of)
    w = state.weapons[e.weapon]
    return _piece(w.type, w.out_of)


@lru_cache(maxsize=256)
def _main_armament(type: str, out_of: tuple[str, ...]) -> Gunner:
    d = VEHICLES[type]
    return Gunner(
        d.calibre,
        d.barrel,
        d.nation,
        d.rof,
        d.b,
        d.turret,
        False,
        False,
        True,
        "ma",
        "",
        0,
        0,
        d.ammo,
        out_of,
        d.no_ap,
        False,
        "",
    )


@lru_cache(maxsize=256)
def _piece(type: str, out_of: tuple[str, ...]) -> Gunner:
    t = WEAPONS[type]
    return Gunner(
        t.calibre,
        t.barrel,
        t.nation,
        t.rof,
        t.b,
        "T" if t.is_360 else "NT",
        t.is_mortar,
        t.is_gun,
        False,
        t.kind,
        t.grade,
        t.fp,
        t.x,
        t.ammo,
        out_of,
        t.no_ap,
        t.no_he,
        t.tk,
    )


# What it may aim at


def is_intensive(state: State, e: Element) -> bool:
    """A Gun or MA that has lost its ROF fires once more (3.2.4.intensive_fire)."""
    if e.vehicle:
        v = state.vehicles[e.vehicle]
        return e.part == "ma" and v.fire in (PREP, FIRST)
    w = state.weapons[e.weapon]
    return w.data.is_gun and e.part != "ife" and w.fire in (PREP, FIRST)


def special(state: State, g: Gunner, kind: str) -> int:
    """The depletion number of special ammunition in this year; 0 if there is none (6.2)."""
    years = g.ammo.get(kind)
    if not years or kind in g.out_of:
        return 0
    today = 100 * state.year + int(state.date[5:7] or 1)
    dates = [(since if since > 9999 else 100 * since, n) for since, n in sorted(years.items())]
    found = [number for since, number in dates if since <= today]
    if not found:
        return 0
    if kind == HEAT and state.date < HEAT_SINCE.get(g.nation, "1943-01"):
        return 0
    return found[-1]


def aims(state: State, e: Element, hex: str) -> list[Aim]:
    """Every To Hit attack that an element could declare at a hex (3.2.4)."""
    if e.is_own_fp or e.part in ("bmg", "cmg", "rmg", "aamg", "ife"):
        return []
    g = gunner(state, e)
    tanks = [
        v.id
        for v in vehicles_at(state, hex)
        if v.side != e.side and v.is_live and _may_be_hit(state, e, v.id)
    ]
    if g.kind in ("mg", "atr"):
        return [Aim(VTT, hex, v, AP) for v in tanks]
    if g.kind == "ft":
        return [Aim("FT", hex, v) for v in tanks]
    if g.kind == "latw":
        return [Aim(LATW, hex, v, HEAT) for v in tanks] + [Aim(LATW, hex, "", HEAT)]
    found: list[Aim] = []
    if not g.is_mortar:
        found.append(Aim(ITT, hex, "", HE))
        found.append(Aim(ITT, hex, "", AP))
        found += [Aim(ITT, hex, "", ammo) for ammo in (HEAT, APCR, APDS) if special(state, g, ammo)]
    found.append(Aim(ATT, hex, "", HE))
    if g.ammo.get(WP) and state.phase == MPH:
        found.append(Aim(ATT, hex, "", WP))
    if not g.is_mortar:
        for v in tanks:
            found += [
                Aim(VTT, hex, v, ammo)
                for ammo in (AP, HE, HEAT, APCR, APDS)
                if ammo in (AP, HE) or special(state, g, ammo)
            ]
    return found


def _may_be_hit(state: State, e: Element, name: str) -> bool:
    """In DFF only the moving vehicle is a target (3.3.3)."""
    if state.phase == MPH and e.side != state.attacker and state.mover is not None:
        return name in state.mover.units
    return True


def can_aim_anything(state: State, e: Element) -> bool:
    """An empty hex may be fired at, but only in ATT and out of a hex free of enemies (6.11)."""
    if state.phase == MPH or e.part in ("ife", OWN) or enemy_holds(state, e.hex, e.side):
        return False
    if e.vehicle:
        return e.part == "ma" and _can_shell(state, e)
    if not e.weapon:
        return False
    w = state.weapons[e.weapon]
    if w.fire or w.broken:
        return False
    return w.data.is_ordnance and not w.data.is_scw


def _can_shell(state: State, e: Element) -> bool:
    """Whether a stopped vehicle has some hex of the map that its MA could bear on (3.2.4.att)."""
    v = state.vehicles[e.vehicle]
    if v.fire or v.is_non_stopped:
        return False
    fixed = not v.data.is_turreted and (v.bogged or v.immobilized)
    if not fixed and not is_bounding(state, e):
        return True
    field = state.ground
    return any(hex not in field.is_off for hex in field.ahead[v.hex][arc_of(v, "ma")])


def why_not_aim(state: State, e: Element, aim: Aim) -> Iterator[Ruling]:
    """Everything that forbids a To Hit attack of this kind (3.2.4)."""
    field = state.ground
    away = field.range(e.hex, aim.hex)
    g = gunner(state, e)
    how = mode(state, e)
    if is_intensive(state, e):
        yield from _why_not_intensive(state, e, away)
    elif how in (SFF, FPF) and (g.is_gun or g.is_ma):
        yield rule("3.3.3.gun_if", N_("{unit} fires no more this Player Turn"), unit=e.id)
    if aim.kind == ATT:
        yield from _why_not_att(state, e, aim, away, g)
    if aim.kind in (ITT, LATW) and not aim.target:
        yield from _why_not_people(state, e, aim, g)
    if aim.kind == VTT and g.kind in ("mg", "atr"):
        yield from _why_not_mg(state, e, away, how)
    if aim.ammo == AP and g.no_ap:
        yield rule("6.0", N_("{unit} has no AP"), unit=e.id)
    if aim.ammo == HE and g.no_he and not special(state, g, HE):
        yield rule("6.0", N_("{unit} has no HE"), unit=e.id)
    if (
        aim.ammo in (WP, SMOKE, HEAT, APCR, APDS)
        and g.kind != "latw"
        and not special(state, g, aim.ammo)
    ):
        yield rule("6.2", N_("{unit} has no {ammo}"), unit=e.id, ammo=aim.ammo)
    limits = state.weapons[e.weapon].data.reach.get(aim.ammo) if e.weapon else None
    if limits is not None and not limits[0] <= away <= limits[1]:
        text = N_("{ammo} reaches from {least} to {most} hexes")
        ammo = shell(aim.ammo)
        yield rule("3.2.4.range_limits", text, ammo=ammo, least=limits[0], most=limits[1])
    if g.kind == "latw":
        since = state.weapons[e.weapon].data.since
        if since and state.date < since:
            yield rule("4.4.1", N_("{unit} is available from {date}"), unit=e.id, date=since)
        if away >= len(to_hit_file().latw[g.grade]):
            yield rule("4.4", N_("{hex} is out of its range"), hex=aim.hex)
        lower = field.level[aim.hex] < field.level[e.hex]
        if g.grade == "piat" and lower and away <= 1:
            yield rule(("4.4.5", "casa.13"), N_("a PIAT does not fire down at close range"))


def _why_not_intensive(state: State, e: Element, away: int) -> Iterator[Ruling]:
    if state.phase == AFPH:
        yield rule("3.2.4.intensive_fire", N_("no Intensive Fire in the AFPh"))
    if state.phase == DFPH and away > 1:
        text = N_("Intensive Fire in the DFPh: only adjacent")
        yield rule(("3.2.4.intensive_fire", "2.0.intensive_fire"), text)
    if state.phase == MPH and e.side == state.attacker:
        yield rule("3.2.4.intensive_fire", N_("{unit} has fired"), unit=e.id)
    if e.weapon and state.units[e.unit].pinned:
        yield rule("3.2.4.intensive_fire", N_("{unit} is pinned"), unit=e.unit)


def _why_not_att(state: State, e: Element, aim: Aim, away: int, g: Gunner) -> Iterator[Ruling]:
    if away == 0:
        yield rule("3.2.4.att", N_("no ATT at range 0"))
    if aim.ammo not in (HE, SMOKE, WP):
        yield rule("2.0.att", N_("ATT uses only HE or smoke"))
    if mode(state, e) == BOUNDING_FIRST:
        yield rule("3.2.4.att", N_("no ATT in Bounding First Fire"))
    if e.vehicle and state.vehicles[e.vehicle].is_non_stopped:
        yield rule("3.2.4.att", N_("no ATT by a moving vehicle"))
    if is_intensive(state, e) and not g.is_mortar:
        yield rule("3.2.4.att", N_("no ATT in Intensive Fire"))


def _why_not_people(state: State, e: Element, aim: Aim, g: Gunner) -> Iterator[Ruling]:
    moving = state.phase == MPH and e.side != state.attacker
    names, crews = targets_in(state, aim.hex, e.side, moving)
    known = [n for n in names if not state.units[n].hidden]
    if not known and not (crews and aim.kind == ITT):
        yield rule("3.2.4.itt", N_("no infantry target in {hex}"), hex=aim.hex)
    if aim.ammo == HEAT and not within_heat(state, aim.hex, known):
        refs = "4.4" if g.kind == "latw" else "6.2.heat"
        yield rule(refs, N_("HEAT only against infantry in a building, or a Gun"))


def within_heat(state: State, hex: str, names: Sequence[str]) -> list[str]:
    """Whom HEAT can strike: all in a building, elsewhere only who mans a Gun (4.4, 6.2.heat)."""
    if state.ground.terrain[hex] in BUILDINGS:
        return list(names)
    return [name for name in names if gun_of(state, state.units[name]) is not None]


def _why_not_mg(state: State, e: Element, away: int, how: str) -> Iterator[Ruling]:
    """A MG or ATR against an AFV: no halving of any kind (4.1.vs_afv, 4.4.4)."""
    w = state.weapons[e.weapon]
    owner = state.units[e.unit]
    if away > w.data.range:
        yield rule("4.1.vs_afv", N_("only within normal range"))
    alone = owner.is_leader and not gunners(state, owner, w.id)
    if w.data.kind == "mg" and (
        how not in (DFF, "Prep Fire", "Final Fire") or owner.pinned or alone
    ):
        yield rule("4.1.vs_afv", N_("its FP would be halved"))
    if w.data.kind == "atr" and how in (SFF, FPF):
        yield rule("4.4.4", N_("{unit} has fired"), unit=e.id)


# The number to hit


def is_red(state: State, e: Element, g: Gunner) -> bool:
    """Red To Hit numbers (3.2.4.red_black)."""
    if g.nation in RED_NATIONS:
        return True
    if g.nation == "american" and state.year < 1944 and (g.is_gun or g.is_ma):
        return True
    if e.unit:
        owner = state.units[e.unit]
        w = state.weapons[e.weapon]
        captured = owner.side != w.side
        return captured or is_inexperienced(state, owner) or (g.is_gun and owner.data.kind != CREW)
    return False


def to_hit_number(state: State, e: Element, aim: Aim, away: int) -> tuple[int, int]:
    """The TH# and the ITT critical number (3.2.4.procedure)."""
    g = gunner(state, e)
    file = to_hit_file()
    if aim.kind == LATW:
        return file.latw[g.grade][away], 0
    if g.is_mortar:
        weapon = state.weapons[e.weapon].type
        return file.mortar_exceptions.get(weapon, {}).get(away, file.mortar), 0
    row = band(aim.kind.lower(), away)
    if row is None:
        return -99, 0
    red = aim.kind == ATT or is_red(state, e, g)
    number, critical = (row.red, row.red_critical) if red else (row.black, row.critical)
    if aim.kind == VTT and away in (1, 2) and _in_motion(state, e, aim):
        number = 10
    if g.barrel:
        number += th_change(g.barrel, away)
    if aim.ammo in (APCR, APDS):
        number += th_change(APCR, away)
    if 0 < g.calibre <= 57:
        number += th_change("57", away)
    if 0 < g.calibre <= 40:
        number += th_change("40", away)
    return number, critical


def _in_motion(state: State, e: Element, aim: Aim) -> bool:
    mine = e.vehicle and state.vehicles[e.vehicle].is_moving_target
    return bool(mine) or (
        aim.target in state.vehicles and state.vehicles[aim.target].is_moving_target
    )


def mp_in_sight(state: State, hex: str) -> int:
    """Halves of MP that the mover has spent in LOS of a hex (Cases 15 and 24)."""
    mover = state.mover
    if mover is None:
        return 0
    return sum(halves for at, halves in mover.trail if halves and sees(state, at, hex))


def firer_cases(
    state: State, e: Element, aim: Aim, away: int, leader: Unit | None, avoid: bool
) -> list[Modifier]:
    """The firer-based DRM, by their case numbers (3.2.4.procedure, casa.34)."""
    g = gunner(state, e)
    how = mode(state, e)
    found: list[Modifier] = []

    def case(value: int, ref: str, text: str) -> None:
        found.append(drm(value, ref, text, outside=value > 0, unit=e.id))

    if e.vehicle:
        found += _vehicle_cases(state, e, aim, away, how)
    else:
        owner = state.units[e.unit]
        w = state.weapons[e.weapon]
        if how == ADVANCING:
            case(th_case(1), "3.5", N_("Case 1: AFPh"))
        if owner.pinned:
            case(th_case(2), "3.2.3.pinned", N_("Case 2: pinned"))
        if g.is_gun and owner.data.kind != CREW:
            case(th_case(3), "3.2.4.non_qualified", N_("Case 3: non-qualified use"))
        if owner.side != w.side:
            case(th_case(4), "5.5", N_("Case 4: captured"))
        if owner.cx:
            case(th_case(5), "3.3.1.double_time", N_("Case 5: CX"))
        if leader is not None:
            case(leader.leadership, "4.5" if g.is_mortar else "4.4.1", N_("Case 6: leadership"))
        if g.is_gun and aim.hex != e.hex and w.ca >= 0:
            turns = state.ground.turns(e.hex, w.ca, aim.hex)
            value = ca_drm(g.turret, turns) * ca_factor(state, e.hex)
            if value and g.turret == "T":
                case(value, "3.2.4.mount360", N_("Case 8: change of CA"))
            elif value:
                case(value, "3.2.4.ca", N_("Case 8: change of CA"))
        if avoid:
            case(th_case(12), "4.4.3", N_("Case 12: Backblast avoided"))
    if aim.ammo in (SMOKE, WP) and away < 13:
        case(th_case(7), "6.2.smoke", N_("Case 7: smoke at close range"))
    if is_intensive(state, e):
        case(th_case(9), "3.2.4.intensive_fire", N_("Case 9: Intensive Fire"))
    if away == 0 and aim.kind != LATW and how != BOUNDING_FIRST:
        case(th_case(10), "6.4", N_("Case 10: target in its own hex"))
    return found


def _vehicle_cases(state: State, e: Element, aim: Aim, away: int, how: str) -> list[Modifier]:
    v = state.vehicles[e.vehicle]
    found: list[Modifier] = []

    def case(value: int, ref: str, text: str) -> None:
        found.append(drm(value, ref, text, outside=value > 0, unit=e.id))

    base = to_hit_file().bounding[v.data.turret]
    if how == BOUNDING_FIRST:
        spent = mp_in_sight(state, aim.hex)
        extra = th_case(15, 0 if spent <= 4 else 1 if spent <= 6 else 2)
        case(base + extra, "3.3.2.2", N_("Case 15: Bounding First Fire"))
    elif how == ADVANCING and v.moving:
        case(base, "3.5.vehicles", N_("Case 14: Bounding Fire"))
    elif how == ADVANCING:
        case(th_case(1), "3.5", N_("Case 1: AFPh"))
    if how != BOUNDING_FIRST:
        turns = turns_owed(state, v, "ma", aim.hex)
        value = ca_drm(turret_column(v, "ma"), turns) * ca_factor(state, v.hex)
        if value:
            case(value, "3.2.4.ca", N_("Case 8: change of CA"))
    if v.plus:
        case(th_case(11), "7.10.stun", N_("Case 11: was Stunned"))
    if not v.ce:
        case(th_case(13), "7.7", N_("Case 13: BU"))
    return found


def fire_of(state: State, e: Element) -> str:
    """What TEM asks of a weapon: whether it is a mortar (1.1.1)."""
    return MORTAR if e.weapon and state.weapons[e.weapon].data.is_mortar else DIRECT


def is_defensive(state: State, e: Element) -> bool:
    """Whether the element fires at movers in the enemy MPh (3.3.3)."""
    return state.phase == MPH and e.side != state.attacker


def person_cases(
    state: State, name: str, e: Element, aim: Aim, sight: Los, moving: bool
) -> list[Modifier]:
    """The target-based DRM against infantry (3.2.4.procedure)."""
    one = state.units[name]
    how = fire_of(state, e)
    found: list[Modifier] = []
    if aim.kind != ATT:
        tem = cover(state, one, e.hex, how)
        if tem is not None:
            found.append(tem)
    if moving and not one.pinned and not one.hazard:
        found += movement_drm(state, one, [e.hex], how, sight.drm > 0)
    if one.hazard and not one.pinned:
        found.append(drm(th_case(21), "6.5", N_("Case 21: {unit} moves hazardously"), unit=name))
    gun = gun_of(state, one)
    if gun is not None and gun.data.size != "normal":
        value = 1 if gun.data.size == "small" else -1
        found.append(drm(value, "6.7", N_("Case 22: size of {unit}"), unit=gun.id))
    if one.hidden:
        found.append(drm(th_case(23), "6.4", HIDDEN_TARGET))
    return found


def vehicle_cases(state: State, v: Vehicle, e: Element, aim: Aim) -> list[Modifier]:
    """Size, movement and, save in ATT, TEM of a vehicle (7.3, 3.3.2.motion_effects, 3.2.4.att)."""
    found: list[Modifier] = []
    if v.data.size:
        found.append(drm(v.data.size, "7.3", N_("Case 22: size of {unit}"), unit=v.id))
    tem = vehicle_cover(state, v, e.hex) if aim.kind != ATT else None
    if tem is not None:
        found.append(tem)
    if v.is_moving_target:
        value = th_case(24)
        if state.phase == MPH and state.mover is not None and v.id in state.mover.units:
            spent = mp_in_sight(state, e.hex)
            value = th_case(24, 2 if spent <= 2 else 1 if spent <= 6 else 0)
        text = N_("Case 24: {unit} is moving")
        found.append(drm(value, ("3.3.2.motion_effects", "2.0.moving_target"), text, unit=v.id))
    return found


# Acquisition


def acquisition(state: State, e: Element, aim: Aim, names: Sequence[str]) -> Modifier | None:
    """A target fired at before is easier (6.10, 6.11)."""
    holder = state.vehicles[e.vehicle] if e.vehicle else state.weapons[e.weapon]
    if not holder.acquired:
        return None
    here = holder.target_hex == aim.hex
    if aim.kind == ATT:
        same = here
    else:
        wanted = [aim.target] if aim.target else names
        same = any(name in wanted for name in holder.target.split())
        same = same or (here and not holder.target)
    if not same:
        return None
    if aim.kind == ATT:
        return drm(-holder.acquired, ("6.11", "2.0.acquired_target"), N_("Case 20: acquired hex"))
    return drm(-holder.acquired, ("6.10", "2.0.acquired_target"), N_("Case 20: acquired target"))


def acquire(ctx: Ctx[State], e: Element, aim: Aim, names: Sequence[str], seen: bool) -> None:
    """After the shot the counter goes to -1, then -2; another target starts again (6.10)."""
    state = ctx.state
    g = gunner(state, e)
    if g.kind in ("latw", "mg", "atr"):
        return
    old = acquisition(state, e, aim, names)
    bounding = bool(e.vehicle) and (
        mode(state, e) == BOUNDING_FIRST or state.vehicles[e.vehicle].is_non_stopped
    )
    if bounding and old is not None:
        return
    if aim.ammo in (SMOKE, WP) or bounding or not seen:
        holder = state.vehicles[e.vehicle] if e.vehicle else state.weapons[e.weapon]
        if not holder.acquired:
            return
        value, target = 0, ""
    else:
        value = 2 if old is not None else 1
        target = aim.target or ("" if aim.kind == ATT else " ".join(names))
    hold = Hold(value, target, aim.hex if value else "", aim.kind == ATT)
    ref = "6.11" if aim.kind == ATT else "6.10"
    refs = (ref, "" if seen else "casa.61")
    if e.vehicle:
        lost = bool(ctx.state.vehicles[e.vehicle].ma)
        ctx.do(TargetAcquired(vehicle=e.vehicle, hold=NOTHING if lost else hold), refs)
    elif ctx.state.weapons[e.weapon].place == MAP and not ctx.state.weapons[e.weapon].broken:
        ctx.do(Acquired(weapon=e.weapon, hold=hold), refs)


# The shot


def fire_ordnance(ctx: Ctx[State], e: Element, aim: Aim) -> bool:
    """Declare, see, turn, roll, hit, resolve (3.2.4); returns whether something was hit."""
    if aim.kind == "FT":
        raise RuleBug("a FT makes no To Hit DR")
    state = ctx.state
    g = gunner(state, e)
    leader = None
    helper = _second_gunner(ctx, e, g)
    if g.kind in ("mtr", "latw", "atr", "mg") and e.unit:
        chosen = choose_leaders(ctx, e.side, [e], aim.hex, helper)
        leader = chosen[0] if chosen else None
    avoid = False
    if g.kind == "latw" and g.grade != "piat" and state.ground.terrain[e.hex] in BUILDINGS:
        offers = [
            button("evita", True, N_("+2 To Hit")),
            button("subisci", False, N_("suffer the Backblast")),
        ]
        avoid = ctx.choose(e.side, offers, ("4.4.3", "2.0.backblast"), N_("Backblast?"))
    with ctx.under(
        ("3.2.4", {ITT: "3.2.4.itt", ATT: "3.2.4.att", VTT: "3.2.4.vtt", LATW: "4.4"}[aim.kind]),
        N_("{unit} fires at {hex}: {how} {ammo}"),
        unit=e.id,
        hex=aim.hex,
        how=aim.kind,
        ammo=shell(aim.ammo),
    ):
        return _shot(ctx, e, aim, g, leader, avoid)


def _second_gunner(ctx: Ctx[State], e: Element, g: Gunner) -> tuple[str, ...]:
    """Two SMC fire a MG at full FP, and only so at an AFV (4.1, 4.1.vs_afv)."""
    if g.kind != "mg" or not e.unit or not ctx.state.units[e.unit].is_leader:
        return ()
    able = gunners(ctx.state, ctx.state.units[e.unit], e.weapon)
    offers = [unit(u.id, u.id, N_("{unit} helps")) for u in able]
    text = N_("who helps {unit} to fire {weapon}?")
    helper = ctx.choose(e.side, offers, "4.1", text, unit=e.unit, weapon=e.weapon)
    if e.weapon not in ctx.state.units[helper].used:
        ctx.do(Used(unit=helper, used=e.weapon), "4.1")
    return (helper,)


def _shot(
    ctx: Ctx[State], e: Element, aim: Aim, g: Gunner, leader: Unit | None, avoid: bool
) -> bool:
    for name in (e.weapon, e.unit):
        one = ctx.state.weapons.get(name) or ctx.state.units.get(name)
        if one is not None and one.hidden:
            ctx.do(Revealed(unit=name, hex=e.hex), "6.4")
    state = ctx.state
    away = state.ground.range(e.hex, aim.hex)
    sight = declared_los(ctx, e.side, e.hex, aim.hex)
    moving = state.phase == MPH and e.side != state.attacker
    names, crews = targets_in(state, aim.hex, e.side, moving)
    if aim.target:
        names, crews = [], []
    if aim.ammo == HEAT:
        names = within_heat(state, aim.hex, names)
    known = [name for name in names if not state.units[name].hidden]
    tanks = [
        v
        for v in vehicles_at(state, aim.hex)
        if aim.kind == ATT
        and v.is_live
        and v.side != e.side
        and (not moving or v.id in (state.mover.units if state.mover else ()))
    ]
    number, critical = to_hit_number(state, e, aim, away)
    firer = list(ctx.once(firer_cases, state, e, aim, away, leader, avoid))
    firer += sight.hindrance
    old = acquisition(state, e, aim, known)
    if old is not None:
        firer.append(old)
    blind = aim.kind == ATT and not known and not tanks
    if blind:
        firer.append(drm(th_case(23), "3.2.4.procedure", N_("Case 23: empty hex")))
    intensive = is_intensive(state, e)
    ctx.cite(
        (
            "3.2.4.procedure",
            "2.0.th",
            "casa.46" if aim.kind == VTT and away in (1, 2) else "",
            "casa.39" if aim.kind == ATT and 13 <= away <= 24 and 0 < g.calibre <= 57 else "",
        ),
        N_("TH# {number} at range {range}"),
        number=number,
        range=away,
        how=aim.kind,
    )
    _cite_colour(ctx, e, aim, g, away)
    _cite_ammo(ctx, aim)
    common = add_all(ctx.tally(N_("TH DRM")), firer)
    why = N_("{unit}: To Hit {number}")
    coloured, white = ctx.roll(
        DR, LATE_BOTH, ("3.2.4.procedure", "1.4"), why, unit=e.id, number=number - common
    )
    rolled = coloured + white
    if not _has_ammo(ctx, e, aim, g, rolled):
        return False
    _turn(ctx, e, aim)
    kept = _rof(ctx, e, g, aim, coloured, intensive)
    if kept:
        ctx.cite(("3.2.4.rof_mod", "2.0.rof"), N_("{unit} keeps its ROF"), unit=e.id)
    jammed = _breakdown(ctx, e, g, rolled, intensive)
    acquire(ctx, e, aim, known, sight.clear)
    _mark(ctx, e, g, aim, kept and not jammed, intensive, leader)
    if avoid is False and g.kind == "latw" and g.grade != "piat":
        backblast(ctx, e.hex, coloured)
    if sight.blocked is not None:
        cite_blocked(ctx, sight.blocked)
        return False
    doubled = rolled
    if e.vehicle and state.vehicles[e.vehicle].is_non_stopped:
        doubled = rolled + min(coloured, white)
        ctx.cite("2.0.motion_fire", N_("Case 16: the lower die counts twice: {n}"), n=doubled)
    leaves = moving and not kept and not jammed
    if aim.target:
        final = doubled + common
        struck = _vehicle_hit(ctx, e, aim, g, number, final, rolled, coloured, white, away)
        if struck and leaves:
            _leave_after_kill(ctx, aim, g, firer)
        return struck
    hit: list[str] = []
    crit: list[str] = []
    if aim.ammo in (SMOKE, WP):
        final = doubled + common
        cases = {n: person_cases(ctx.state, n, e, aim, sight, moving) for n in names}
        burnt = [n for n in names if final + sum(one.value for one in cases[n]) <= number]
        return _smoke_hit(ctx, e, aim, number, final, rolled, burnt if aim.ammo == WP else [])
    for name in names:
        own = ctx.once(person_cases, ctx.state, name, e, aim, sight, moving)
        secret = name not in known
        if secret:
            own = [one for one in own if not blind or one.ruling.msg.id != HIDDEN_TARGET]
            final = doubled + common + sum(one.value for one in own)
        else:
            final = doubled + add_all(
                ctx.tally(N_("TH DRM")), [drm(common, "3.2.4.multi_target", N_("firer DRM")), *own]
            )
        if final <= number:
            hit.append(name)
            if (aim.kind == ITT and final <= critical) or (aim.kind != ITT and rolled == 2):
                crit.append(name)
        if secret:
            continue
        ctx.cite(
            ("3.2.4.multi_target", "2.0.hit"),
            N_("{unit}: final {dr}, {result}"),
            unit=name,
            dr=final,
            result=N_("hit") if final <= number else N_("miss"),
        )
    crew_hit = [
        c
        for c in crews
        if aim.kind == ITT
        and doubled + common + sum(m.value for m in crew_cover(state, state.vehicles[c])) <= number
    ]
    tank_hit = [v.id for v in tanks if _area_hit(ctx, v, e, aim, number, doubled, common)]
    in_vain = blind and doubled + common <= number and may_hide(ctx.state, aim.hex)
    if not hit and not crew_hit and not tank_hit and not in_vain:
        ctx.cite("3.2.4.procedure", N_("a miss"))
        return False
    dice = (coloured, white)
    _effect(ctx, e, aim, g, hit, crit, crew_hit, tank_hit, dice, firer, leaves)
    return True


def _area_hit(
    ctx: Ctx[State], v: Vehicle, e: Element, aim: Aim, number: int, rolled: int, common: int
) -> bool:
    """Whether ATT hits a vehicle, with the DRM of that vehicle (3.2.4.att, 3.2.4.multi_target)."""
    lines = [
        drm(common, "3.2.4.multi_target", N_("firer DRM")),
        *vehicle_cases(ctx.state, v, e, aim),
    ]
    final = rolled + add_all(ctx.tally(N_("TH DRM")), lines)
    ctx.cite(
        ("3.2.4.att", "2.0.hit"),
        N_("{unit}: final {dr}, {result}"),
        unit=v.id,
        dr=final,
        result=N_("hit") if final <= number else N_("miss"),
    )
    return final <= number


def _cite_colour(ctx: Ctx[State], e: Element, aim: Aim, g: Gunner, away: int) -> None:
    """Red numbers, or black ones where no red is printed (3.2.4.red_black)."""
    row = None if aim.kind == LATW or g.is_mortar else band(aim.kind.lower(), away)
    if row is None or not (aim.kind == ATT or is_red(ctx.state, e, g)):
        return
    if (row.red, row.red_critical) == (row.black, row.critical) and aim.kind != ATT:
        ctx.cite("3.2.4.red_black", N_("no red To Hit number at this range: the black one"))
    else:
        ctx.cite("3.2.4.red_black", N_("red To Hit numbers"))


def _cite_ammo(ctx: Ctx[State], aim: Aim) -> None:
    """The rule of the ammunition used; HE and AP are there by default (6.2.default)."""
    if (aim.kind, aim.ammo) in ((ITT, HE), (VTT, AP), (ATT, HE)):
        ctx.cite("6.2.default", N_("ordinary ammunition: {ammo}"), ammo=aim.ammo)
    elif aim.ammo == AP:
        ctx.cite("6.2.ap", N_("AP against infantry"))
    elif aim.ammo == HE:
        ctx.cite("6.2.he", N_("HE against a vehicle"))
    elif aim.ammo == HEAT:
        ctx.cite("6.2.heat", N_("HEAT"))
    elif aim.ammo in (APCR, APDS):
        ctx.cite("6.2.apcr_apds", N_("special AP: {ammo}"), ammo=aim.ammo)


def _has_ammo(ctx: Ctx[State], e: Element, aim: Aim, g: Gunner, rolled: int) -> bool:
    """Special ammunition: under its number more, equal the last, above none (6.2)."""
    limited = aim.ammo in (HEAT, APCR, APDS, SMOKE, WP) or (aim.ammo == HE and g.no_he)
    if g.kind == "latw" or not limited:
        return True
    number = special(ctx.state, g, aim.ammo)
    if rolled < number:
        return True
    if e.vehicle:
        ctx.do(VehicleAmmoSpent(vehicle=e.vehicle, ammo=aim.ammo), ("6.2", "2.0.depletion"))
    else:
        ctx.do(AmmoSpent(weapon=e.weapon, ammo=aim.ammo), ("6.2", "2.0.depletion"))
    if rolled == number:
        return True
    intensive = is_intensive(ctx.state, e)
    short = bool(e.vehicle) and ctx.state.vehicles[e.vehicle].low
    jammed = _breakdown(ctx, e, g, rolled, intensive)
    short = bool(e.vehicle) and ctx.state.vehicles[e.vehicle].low and not short
    if jammed or short:
        _mark(ctx, e, g, aim, False, intensive, None)
    else:
        ctx.cite("6.2", N_("{unit} has none: it has not fired"), unit=e.id)
    return False


def _turn(ctx: Ctx[State], e: Element, aim: Aim) -> None:
    """The weapon points at its target from now on (3.2.4.ca)."""
    field = ctx.state.ground
    if e.hex == aim.hex:
        return
    if e.vehicle:
        v = ctx.state.vehicles[e.vehicle]
        spine = field.facing_to(v.hex, arc_of(v, "ma"), aim.hex)
        turn_vehicle(ctx, v.id, "ma", spine)
        return
    w = ctx.state.weapons[e.weapon]
    if w.ca < 0:
        return
    spine = field.facing_to(e.hex, w.ca, aim.hex)
    if spine != w.ca:
        ctx.do(CaChanged(weapon=w.id, ca=spine, to_fire=True), "3.2.4.ca")


def _rof(ctx: Ctx[State], e: Element, g: Gunner, aim: Aim, coloured: int, intensive: bool) -> bool:
    """Whether the weapon may fire again (1.2.4.1, 3.2.4.rof_mod, casa.17)."""
    state = ctx.state
    if not g.rof or state.phase == AFPH or intensive or (aim.kind == ATT and not g.is_mortar):
        return False
    rate = ctx.tally(N_("ROF"))
    rate.add(g.rof, ("1.2.4.1", "2.0.rof"), N_("ROF of {unit}"), unit=e.id)
    if e.unit:
        owner = state.units[e.unit]
        w = state.weapons[e.weapon]
        if owner.pinned:
            rate.set(0, "3.2.3.pinned", N_("{unit} is pinned"), unit=owner.id)
        if mode(state, e) in (SFF, FPF):
            rate.set(0, "3.3.3.sff", N_("{unit} fires again: Area Fire"), unit=e.id)
        if g.is_mortar and owner.is_leader:
            rate.set(0, "4.5", N_("a SMC alone fires {unit}"), unit=e.id)
        if owner.side != w.side:
            rate.add(-1, ("3.2.4.rof_mod", "5.5"), N_("{unit} is captured"), unit=e.id)
        if g.is_gun and owner.data.kind != CREW:
            rate.add(-1, ("3.2.4.rof_mod", "3.2.4.non_qualified"), N_("non-qualified use"))
        if g.is_gun and w.turned and g.turret == "NT":
            if g.is_mortar:
                ctx.cite("casa.17", N_("a mortar that turns keeps its ROF"))
            else:
                rate.add(-1, "3.2.4.rof_mod", N_("change of CA"))
    elif state.vehicles[e.vehicle].turned and g.turret == "NT":
        rate.add(-1, "3.2.4.rof_mod", N_("change of CA"))
    return coloured <= rate.total


def _breakdown(ctx: Ctx[State], e: Element, g: Gunner, rolled: int, intensive: bool) -> bool:
    """Original To Hit DR at or above B# or X# (6.12, 4.4.1, 7.2.1, casa.16)."""
    state = ctx.state
    number = g.b - (2 if intensive else 0)
    if e.vehicle:
        v = state.vehicles[e.vehicle]
        circled = v.data.low_ammo
        if circled and v.low and rolled >= circled:
            ctx.do(MaLost(vehicle=v.id), ("7.2.1", "7.10.recall"))
            return True
        if circled and v.low:
            number = min(number, circled - 1 - (2 if intensive else 0))
        elif circled and circled <= rolled < 12:
            ctx.do(LowOnAmmo(vehicle=v.id), "7.2.1")
        if rolled < number:
            return False
        if intensive and rolled >= g.b:
            ctx.do(MaLost(vehicle=v.id), ("3.2.4.intensive_fire", "7.10.recall"))
        else:
            ctx.do(MaJammed(vehicle=v.id), ("7.2", "6.12"))
        return True
    owner = state.units[e.unit]
    w = state.weapons[e.weapon]
    lower = 0
    if owner.side != w.side:
        lower += 2
    if is_inexperienced(state, owner):
        lower += 1
    if g.is_gun and owner.data.kind != CREW:
        lower += 2
    if g.x:
        if rolled >= g.x - lower:
            ctx.do(Eliminated(unit=w.id), ("4.4.1", "2.0.x_num"))
            return True
        return False
    number -= lower
    if rolled < number:
        return False
    if number < g.b and rolled >= g.b:
        ctx.do(Eliminated(unit=w.id), ("6.12", "casa.16"))
    else:
        ctx.do(Jammed(weapon=w.id), ("6.12", "2.0.b_num"))
    return True


def _mark(
    ctx: Ctx[State],
    e: Element,
    g: Gunner,
    aim: Aim,
    kept: bool,
    intensive: bool,
    leader: Unit | None,
) -> None:
    """Fire counters after a To Hit attack (3.2.5, 3.3.3, 3.3.3.gun_if)."""
    how = mode(ctx.state, e)
    counter = INTENSIVE if intensive else counter_of(ctx.state, how)
    ref = "3.2.4.intensive_fire" if intensive else ("3.3.3" if ctx.state.phase == MPH else "3.2.5")
    if e.vehicle:
        v = ctx.state.vehicles[e.vehicle]
        mark = "" if kept else counter
        if aim.kind == ATT and not kept:
            mark = INTENSIVE
        no_rof_turn = not v.data.rof and v.turned and not v.data.is_turreted
        if no_rof_turn:
            mark = INTENSIVE
        refs = ("1.2.4.1", ref) if kept else (ref, "casa.18") if no_rof_turn else ref
        fired = MaFired(
            vehicle=v.id,
            part="ma",
            phase=fire_phase(ctx.state, v),
            hex=v.hex if how == BOUNDING_FIRST else "",
            marker=mark,
            kept=kept,
        )
        ctx.do(fired, refs)
    else:
        w = ctx.state.weapons[e.weapon]
        if w.place == MAP:
            mark = "" if kept else counter
            if g.is_gun and not g.is_mortar and aim.kind == ATT:
                mark = INTENSIVE
            if g.is_gun and not g.rof and w.turned and g.turret == "NT":
                mark = INTENSIVE
            ctx.do(Fired(unit=w.id, marker=mark), ("1.2.4.1", ref) if kept else ref)
        ctx.do(Used(unit=e.unit, used=e.weapon), "4.0.usage")
        if not kept:
            exhaust(ctx, e.unit, how)
        if intensive and ctx.state.phase == MPH:
            for other in weapons_of(ctx.state, e.unit):
                if other.id != e.weapon and other.fire != FINAL:
                    ctx.do(Flipped(unit=other.id, marker=FINAL), "3.3.3.gun_if")
            ctx.do(Flipped(unit=e.unit, marker=FINAL), "3.3.3.gun_if")
    if leader is not None:
        marker = "" if ctx.state.units[leader.id].fire else counter_of(ctx.state, how)
        ctx.do(Directed(unit=leader.id, marker=marker, elements=(e.id,)), "3.2.2.leader")
    count_shots(ctx, (e,), e.side)


def backblast(ctx: Ctx[State], hex: str, coloured: int) -> None:
    """Everybody in the firer's building hex, on the 1 FP column (4.4.3)."""
    if ctx.state.ground.terrain[hex] not in BUILDINGS:
        return
    names = [u.id for u in units_at(ctx.state, hex)]
    result = ift(0, coloured)
    ctx.cite(("4.4.3", "2.0.backblast"), N_("Backblast {dr}: {result}"), dr=coloured, result=result)
    effects = Effects()
    apply_result(ctx, result, names, [], 0, 0, effects)
    leader_losses(ctx, effects)


# Effects


def hit_fp(g: Gunner, aim: Aim) -> Fraction:
    """The FP of a hit against infantry (3.2.4.effect_infantry, 6.2)."""
    if g.kind == "latw":
        return Fraction(g.fp)
    if aim.ammo == AP:
        return Fraction(1 if g.calibre < 37 else 2)
    if aim.ammo in (APCR, APDS):
        return Fraction(1)
    fp = Fraction(he_fp(g.calibre))
    if aim.ammo == HEAT:
        index = column(fp) - 1
        return Fraction(column_fp(index) if index >= 0 else 0)
    return fp


def _effect(
    ctx: Ctx[State],
    e: Element,
    aim: Aim,
    g: Gunner,
    hit: Sequence[str],
    crit: Sequence[str],
    crews: Sequence[str],
    tanks: Sequence[str],
    dice: tuple[int, int],
    firer: Sequence[Modifier],
    leaves: bool,
) -> None:
    """One IFT DR for all that was hit; a CH strikes one of them (6.1)."""
    full = hit_fp(g, aim)
    fp = full / 2 if aim.kind == ATT else full
    ctx.cite(
        ("3.2.4.effect_infantry", {AP: "6.2.ap", HEAT: "6.2.heat"}.get(aim.ammo, "6.2.he")),
        N_("{fp} FP against what was hit"),
        fp=fp,
    )
    chosen = ""
    rolled_th = sum(dice)
    if crit or (rolled_th == 2 and aim.kind == ATT and tanks):
        pool = [*crit, *[t for t in tanks if aim.kind == ATT and rolled_th == 2]]
        chosen = pick(ctx, pool, "6.1", N_("who suffers the Critical Hit?"))
        ctx.cite(("6.1", "2.0.ch"), N_("Critical Hit on {unit}"), unit=chosen)
    rolled = ctx.roll(
        DR, LATE_TOTAL, ("3.2.3", "2.0.ife"), N_("effect of the hit in {hex}"), hex=aim.hex
    )
    effects = Effects()
    apart = [n for n in hit if n == chosen]
    apart += [n for n in hit if n != chosen and gun_of(ctx.state, ctx.state.units[n]) is not None]
    for name in apart:
        critical = name == chosen
        person_hit(ctx, e, aim, name, full * 2 if critical else fp, rolled, critical, effects)
    _people_hit(ctx, e, aim, [n for n in hit if n not in apart], fp, rolled, effects)
    index = column(fp)
    for crew in crews:
        if index >= 0 and ctx.state.vehicles[crew].ce:
            apply_result(ctx, ift(index, rolled), [], [crew], index, 0, effects)
    for tank in tanks:
        strength = full * 2 if tank == chosen else fp
        location = TURRET if dice[0] < dice[1] else HULL
        how = fire_of(ctx.state, e)
        att_on_vehicle(ctx, tank, strength, rolled, location, tank == chosen, how, firer=e.hex)
    leader_losses(ctx, effects)
    if leaves and aim.ammo not in (AP, APCR, APDS) and hit:
        burst = air_burst(ctx.state.ground, aim.hex, fire_of(ctx.state, e)) is not None
        leave_residual(ctx, aim.hex, fp, False, (), firer, burst=burst)


def _leave_after_kill(ctx: Ctx[State], aim: Aim, g: Gunner, firer: Sequence[Modifier]) -> None:
    """A To Kill DR leaves Residual FP with HE, HEAT or a MG, never with other AP (3.3.5)."""
    if g.kind == "mg":
        leave_residual(ctx, aim.hex, Fraction(g.fp), False, (), firer)
    elif aim.ammo in (HE, HEAT):
        leave_residual(ctx, aim.hex, hit_fp(g, aim), False, (), firer)


def effect_drm(state: State, e: Element, aim: Aim, name: str, critical: bool) -> list[Modifier]:
    """What changes the IFT DR of a hit: TEM in ATT or turned by a CH, Air Burst, a FT (6.1)."""
    one = state.units[name]
    how = fire_of(state, e)
    lines: list[Modifier] = []
    tem = cover(state, one, e.hex, how)
    if critical and tem is not None:
        lines.append(drm(-tem.value, "6.1", N_("the TEM works against {unit}"), unit=name))
    elif aim.kind == ATT and tem is not None:
        lines.append(tem)
    burst = air_burst(state.ground, one.hex, how)
    if burst is not None:
        lines.append(burst)
    if critical and is_defensive(state, e) and not one.pinned and not one.hazard:
        hindered = known_los(state, e.hex, aim.hex).drm > 0
        lines += movement_drm(state, one, [e.hex], how, hindered)
    flames = sum(w.data.kind == "ft" for w in weapons_of(state, name))
    if flames:
        lines.append(drm(-flames, "4.2", N_("{unit} has a FT"), unit=name))
    return lines


def _people_hit(
    ctx: Ctx[State],
    e: Element,
    aim: Aim,
    names: Sequence[str],
    fp: Fraction,
    rolled: int,
    effects: Effects,
) -> None:
    """One result for all who were hit and have equal DRM (3.2.3, 3.2.4.effect_infantry)."""
    index = column(fp)
    if names and index < 0:
        ctx.cite("3.2.3", N_("no effect"))
        return
    groups: dict[int, list[str]] = {}
    lines: dict[int, list[Modifier]] = {}
    for name in names:
        own = ctx.once(effect_drm, ctx.state, e, aim, name, False)
        value = sum(one.value for one in own)
        lines.setdefault(value, own)
        groups.setdefault(value, []).append(name)
    for value, group in groups.items():
        final = rolled + value
        result = ift(index, final)
        text = N_("{unit}: final DR {dr}: {result}")
        seen = [n for n in group if result != "-" or not ctx.state.units[n].hidden]
        if seen:
            add_all(ctx.tally(N_("DRM")), lines[value])
        for name in seen:
            ctx.cite("3.2.3", text, unit=name, dr=final, result=result)
        if seen:
            apply_result(ctx, result, alive(ctx.state, seen), [], index, value, effects)


def person_hit(
    ctx: Ctx[State],
    e: Element,
    aim: Aim,
    name: str,
    fp: Fraction,
    rolled: int,
    critical: bool,
    effects: Effects,
) -> None:
    """A Critical Hit on infantry, or a hit on a Gun and who mans it (6.1, 6.7)."""
    state = ctx.state
    one = state.units[name]
    gun = gun_of(state, one)
    if critical and gun is not None:
        ctx.do(Eliminated(unit=gun.id), ("6.1", "6.7"))
        eliminate(ctx, name, "6.7", effects)
        return
    index = column(fp)
    if index < 0:
        ctx.cite("3.2.3", N_("no effect"))
        return
    lines = effect_drm(state, e, aim, name, critical)
    shield = _shield(state, e, aim, one) if gun is not None else None
    if one.hidden:
        final = rolled + sum(line.value for line in lines)
        if shield is not None and "K" not in ift(index, final):
            final += shield.value
        if ift(index, final) == "-":
            return
    change = add_all(ctx.tally(N_("DRM")), lines)
    final = rolled + change
    result = ift(index, final)
    if gun is not None:
        if result.endswith("KIA"):
            ctx.cite("6.7", N_("Direct Hit: Gun and crew are destroyed"))
            ctx.do(Eliminated(unit=gun.id), ("6.7", "2.0.direct_hit"))
            eliminate(ctx, name, "6.7", effects)
            return
        if result.startswith("K/"):
            ctx.cite("6.7", N_("Direct Hit: the Gun malfunctions"))
            if not gun.broken:
                ctx.do(Jammed(weapon=gun.id), ("6.7", "2.0.direct_hit"))
            reduce_unit(ctx, name, "6.7", effects)
            return
        ctx.cite(("6.7", "2.0.near_miss"), N_("Near Miss"))
        if shield is not None:
            final += add_all(ctx.tally(N_("DRM")), [shield])
            result = ift(index, final)
    ctx.cite("3.2.3", N_("{unit}: final DR {dr}: {result}"), unit=name, dr=final, result=result)
    apply_result(ctx, result, [name], [], index, change, effects)


def _shield(state: State, e: Element, aim: Aim, one: Unit) -> Modifier | None:
    """What the gunshield adds after a Near Miss; in ATT only what beats the TEM (6.6, 6.3)."""
    how = fire_of(state, e)
    found = gunshield(state, one, [e.hex], how)
    tem = cover(state, one, e.hex, how) if aim.kind == ATT else None
    if found is None or tem is None:
        return found
    more = found.value - tem.value
    return drm(more, "6.6", N_("gunshield of {unit}"), unit=one.id) if more > 0 else None


def _vehicle_hit(
    ctx: Ctx[State],
    e: Element,
    aim: Aim,
    g: Gunner,
    number: int,
    final: int,
    rolled: int,
    coloured: int,
    white: int,
    away: int,
) -> bool:
    """A named vehicle: the DRM of the target, then To Kill (3.2.4.vtt, 7.9)."""
    v = ctx.state.vehicles[aim.target]
    own = vehicle_cases(ctx.state, v, e, aim)
    final += add_all(ctx.tally(N_("TH DRM")), own)
    if final > number:
        ctx.cite(
            "3.2.4.procedure",
            N_("{unit}: final {dr}, {result}"),
            unit=v.id,
            dr=final,
            result=N_("miss"),
        )
        return False
    ctx.cite(
        ("3.2.4.vtt", "2.0.hit"),
        N_("{unit}: final {dr}, {result}"),
        unit=v.id,
        dr=final,
        result=N_("hit"),
    )
    critical = rolled == 2
    if critical:
        ctx.cite(("6.1", "2.0.ch"), N_("Critical Hit on {unit}"), unit=v.id)
    ammo = "MG" if g.kind == "mg" else aim.ammo
    kill_vehicle(
        ctx,
        aim.target,
        ammo,
        g.calibre,
        f"{g.calibre}{g.barrel}",
        g.nation,
        g.tk or g.grade if g.kind in ("atr", "latw") else "",
        away,
        e.hex,
        coloured,
        white,
        critical,
    )
    return True


def _smoke_hit(
    ctx: Ctx[State],
    e: Element,
    aim: Aim,
    number: int,
    final: int,
    rolled: int,
    names: Sequence[str],
) -> bool:
    """Smoke lands in its hex; WP also shakes those it hits (6.2.smoke, 6.2.wp)."""
    if final > number and not names:
        ctx.cite("3.2.4.procedure", N_("a miss"))
        return False
    early = ctx.state.phase == PFPH
    white = aim.ammo == WP
    value = (2 if early else 1) if white else (3 if early else 2)
    kind = ("full WP" if early else "dispersed WP") if white else ("full" if early else "dispersed")
    ref = "6.2.wp" if white else "6.2.smoke"
    ctx.do(
        SmokePlaced(hex=aim.hex, value=value, kind=kind, side=e.side),
        (ref, "1.2.5", "2.0.wp" if white else "2.0.smoke"),
    )
    if not white:
        return True
    effects = Effects()
    for name in names:
        one = ctx.state.units[name]
        how = fire_of(ctx.state, e)
        tem = cover(ctx.state, one, e.hex, how)
        change = -(tem.value if tem is not None else 0)
        if rolled == 2:
            change = -change
        if air_burst(ctx.state.ground, one.hex, how) is not None:
            change += 1
        morale_check(ctx, name, change, "6.2.wp", effects)
    leader_losses(ctx, effects)
    return True
