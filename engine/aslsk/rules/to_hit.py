"""To Hit: the number and its DRM, by their cases (3.2.4, 4.4, 6.1-6.12).

Refs: 2.0.moving_target, 2.0.th, 3.2.4.att, 3.2.4.ca, 3.2.4.mount360, 3.2.4.intensive_fire,
3.2.4.non_qualified, 3.2.4.procedure, 3.2.4.red_black, 3.3.1.double_time, 3.3.2.2,
3.3.2.motion_effects, 3.5, 3.5.vehicles, 4.4.1, 4.4.3, 4.4.4, 4.5, 5.5, 6.2.smoke, 6.4, 6.5, 6.7,
7.3, 7.7, 7.10.stun, casa.34.
"""

from __future__ import annotations

from functools import cache
from types import MappingProxyType

from engine.aslsk.rules.elements import (
    ADVANCING,
    BOUNDING_FIRST,
    Element,
    ca_drm,
    ca_factor,
    mode,
    turns_owed,
    turret_column,
)
from engine.aslsk.rules.firepower import movement_drm
from engine.aslsk.rules.ordnance import APCR, APDS, ATT, LATW, SMOKE, VTT, WP, Gunner, Shot, fire_of
from engine.aslsk.rules.sight import Los, sees
from engine.aslsk.rules.terrain import cover, vehicle_cover
from engine.aslsk.state.book import OUTSIDE, drm, rule
from engine.aslsk.state.state import MPH, State, Vehicle
from engine.aslsk.state.tables import CREW, band, th_case, th_change, to_hit_file
from engine.aslsk.state.units import gun_of, is_inexperienced
from engine.core.rules import Locators
from engine.core.text import N_
from engine.kit.modifiers import Modifier

LEADERS = MappingProxyType(
    {
        "mtr": "4.5#sw",
        "latw": "4.4.1#dirigere",
        "atr": "4.4.4#leadership",
        "mg": "3.2.4.procedure#to-hit-chi-spara/6",
    }
)
"""What lets a leader direct a weapon that must hit (Case 6)."""
SIZES = MappingProxyType(
    {
        -2: "7.3#dimensioni/Very Large",
        -1: "7.3#dimensioni/Large",
        1: "7.3#dimensioni/Small",
        2: "7.3#dimensioni/Very Small",
    }
)
SHORT = "3.2.4.procedure#to-hit-armi/canna corta (asterisco)/{range}"
UP_TO_57 = "3.2.4.procedure#to-hit-armi/fino a 57 mm/{range}"
UP_TO_40 = "3.2.4.procedure#to-hit-armi/fino a 40 mm (in più)/{range}"
RED_NATIONS = ("russian", "italian")


# The number


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


def why_red(state: State, g: Gunner) -> str:
    """Which of the cases makes the numbers red (3.2.4.red_black)."""
    if g.nation in RED_NATIONS:
        return "3.2.4.red_black#nazioni"
    early = g.nation == "american" and state.year < 1944 and (g.is_gun or g.is_ma)
    return "3.2.4.red_black#americani" if early else "3.2.4.red_black#mani"


def to_hit_number(state: State, shot: Shot) -> tuple[int, int]:
    """The TH# and the ITT critical number (3.2.4.procedure)."""
    number, critical = printed_number(state, shot)
    return number + sum(change.value for change in number_changes(shot)), critical


def printed_number(state: State, shot: Shot) -> tuple[int, int]:
    """The TH# as its table has it, and the ITT critical number (3.2.4.procedure, 4.4)."""
    e, aim, g, away = shot.e, shot.aim, shot.gun, shot.away
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
    if aim.kind == VTT and away in (1, 2) and is_in_motion(state, shot):
        number = 10
    return number, critical


def number_changes(shot: Shot) -> tuple[Modifier, ...]:
    """What barrel, calibre and special shells make of a TH# by range (3.2.4.procedure)."""
    g, aim = shot.gun, shot.aim
    if aim.kind == LATW or g.is_mortar or band(aim.kind.lower(), shot.away) is None:
        return ()
    return _gun_changes(g.barrel, g.calibre, aim.ammo in (APCR, APDS), shot.away)


@cache
def _gun_changes(barrel: str, calibre: int, special: bool, away: int) -> tuple[Modifier, ...]:
    """The rows of the table of weapons that concern one, as far as they change its TH#."""
    rows = [
        ("*", barrel == "*", SHORT, N_("short barrel")),
        ("L", barrel == "L", "3.2.4.procedure#to-hit-armi/L/{range}", N_("long barrel")),
        ("LL", barrel == "LL", "3.2.4.procedure#to-hit-armi/LL/{range}", N_("very long barrel")),
        (APCR, special, "3.2.4.procedure#to-hit-armi/APCR e APDS/{range}", N_("APCR or APDS")),
        ("57", 0 < calibre <= 57, UP_TO_57, N_("calibre of 57 mm or less")),
        ("40", 0 < calibre <= 40, UP_TO_40, N_("calibre of 40 mm or less")),
    ]
    found = [(th_change(key, away), ref, text) for key, applies, ref, text in rows if applies]
    return tuple(
        [Modifier(value, rule(ref, text, range=away)) for value, ref, text in found if value]
    )


def is_in_motion(state: State, shot: Shot) -> bool:
    """Whether the firer or the target is a vehicle in motion (3.2.4.procedure)."""
    names = (shot.e.vehicle, shot.aim.target)
    return any(name in state.vehicles and state.vehicles[name].is_moving_target for name in names)


def mp_in_sight(state: State, hex: str) -> int:
    """Halves of MP that the mover has spent in LOS of a hex (Cases 15 and 24)."""
    mover = state.mover
    if mover is None:
        return 0
    return sum(halves for at, halves in mover.trail if halves and sees(state, at, hex))


# The DRM of the firer


def _case(e: Element, value: int, ref: Locators, text: str) -> Modifier:
    return drm(value, ref, text, kind=OUTSIDE if value > 0 else "", unit=e.id)


def firer_cases(state: State, shot: Shot) -> list[Modifier]:
    """The firer-based DRM, by their case numbers (3.2.4.procedure, casa.34)."""
    e, aim = shot.e, shot.aim
    found = _ma_cases(state, shot) if e.vehicle else _piece_cases(state, shot)
    if aim.ammo in (SMOKE, WP) and shot.away < 13:
        found.append(_case(e, th_case(7), "6.2.smoke#tredici", N_("Case 7: smoke at close range")))
    if shot.intensive:
        found.append(_case(e, th_case(9), "3.2.4.intensive_fire#th", N_("Case 9: Intensive Fire")))
    if shot.away == 0 and aim.kind != LATW and mode(state, e) != BOUNDING_FIRST:
        found.append(_case(e, th_case(10), "6.4#caso-10", N_("Case 10: target in its own hex")))
    return found


def _piece_cases(state: State, shot: Shot) -> list[Modifier]:
    """A SW or Gun and who mans it: Cases 1 to 6, 8 and 12 (3.2.4.procedure)."""
    e, g = shot.e, shot.gun
    owner = state.units[e.unit]
    found: list[Modifier] = []
    if mode(state, e) == ADVANCING:
        found.append(_case(e, th_case(1), "3.5#dimezzato", N_("Case 1: AFPh")))
    if owner.pinned:
        found.append(
            _case(e, th_case(2), "3.2.4.procedure#to-hit-chi-spara/2", N_("Case 2: pinned"))
        )
    if g.is_gun and owner.data.kind != CREW:
        text = N_("Case 3: non-qualified use")
        found.append(_case(e, th_case(3), "3.2.4.non_qualified#effetti", text))
    if owner.side != state.weapons[e.weapon].side:
        found.append(_case(e, th_case(4), "5.5#ordnance", N_("Case 4: captured")))
    if owner.cx:
        found.append(_case(e, th_case(5), "3.3.1.double_time#cx", N_("Case 5: CX")))
    if shot.leader is not None:
        change = shot.leader.leadership
        text = N_("Case 6: leadership")
        found.append(_case(e, change, LEADERS.get(g.kind, LEADERS["mg"]), text))
    if g.is_gun:
        found += _gun_turns(state, shot)
    if shot.avoids:
        found.append(_case(e, th_case(12), "4.4.3#piu-due", N_("Case 12: Backblast avoided")))
    return found


def _gun_turns(state: State, shot: Shot) -> list[Modifier]:
    """Case 8 of a Gun (3.2.4.ca, 3.2.4.mount360)."""
    e, hex = shot.e, shot.aim.hex
    ca = state.weapons[e.weapon].ca
    if hex == e.hex or ca < 0:
        return []
    turret = shot.gun.turret
    value = ca_drm(turret, state.ground.turns(e.hex, ca, hex)) * ca_factor(state, e.hex)
    if not value:
        return []
    text = N_("Case 8: change of CA")
    return [_case(e, value, "3.2.4.mount360" if turret == "T" else "3.2.4.ca#cambio-ca/NT", text)]


def _ma_cases(state: State, shot: Shot) -> list[Modifier]:
    """A MA: Cases 1, 8, 11 and 13 to 15 (3.3.2.2, 3.5.vehicles, 7.7)."""
    e = shot.e
    v = state.vehicles[e.vehicle]
    how = mode(state, e)
    found: list[Modifier] = []
    base = to_hit_file().bounding[v.data.turret]
    if how == BOUNDING_FIRST:
        spent = mp_in_sight(state, shot.aim.hex)
        extra = th_case(15, 0 if spent <= 4 else 1 if spent <= 6 else 2)
        found.append(_case(e, base + extra, "3.3.2.2#drm", N_("Case 15: Bounding First Fire")))
    elif how == ADVANCING and v.marks.moving:
        found.append(_case(e, base, "3.5.vehicles#bounding", N_("Case 14: Bounding Fire")))
    elif how == ADVANCING:
        found.append(_case(e, th_case(1), "3.5#dimezzato", N_("Case 1: AFPh")))
    if how != BOUNDING_FIRST:
        turns = turns_owed(state, v, "ma", shot.aim.hex)
        value = ca_drm(turret_column(v, "ma"), turns) * ca_factor(state, v.hex)
        if value:
            found.append(_case(e, value, "3.2.4.ca#girarsi", N_("Case 8: change of CA")))
    if v.crew.plus:
        found.append(_case(e, th_case(11), "7.10.stun#piu-uno", N_("Case 11: was Stunned")))
    if not v.crew.ce:
        found.append(_case(e, th_case(13), "7.7#bu", N_("Case 13: BU")))
    return found


# The DRM of the target


def person_cases(state: State, name: str, shot: Shot, sight: Los) -> list[Modifier]:
    """The target-based DRM against infantry (3.2.4.procedure)."""
    found = open_cases(state, name, shot, sight)
    if state.units[name].hidden:
        found.append(drm(th_case(23), "6.4#meta", N_("Case 23: hidden target")))
    return found


def open_cases(state: State, name: str, shot: Shot, sight: Los) -> list[Modifier]:
    """The same for infantry whose hex is known, or taken for empty already (3.2.4.procedure)."""
    one = state.units[name]
    firer = shot.e.hex
    how = fire_of(state, shot.e)
    found: list[Modifier] = []
    tem = cover(state, one, firer, how) if shot.aim.kind != ATT else None
    if tem is not None:
        found.append(tem)
    if shot.defensive and not one.pinned and not one.hazard:
        found += movement_drm(state, one, [firer], how, sight.drm > 0)
    if one.hazard and not one.pinned:
        found.append(
            drm(th_case(21), "6.5#azzardato", N_("Case 21: {unit} moves hazardously"), unit=name)
        )
    gun = gun_of(state, one)
    if gun is not None and gun.data.size != "normal":
        value = 1 if gun.data.size == "small" else -1
        found.append(drm(value, "6.7#grandezza", N_("Case 22: size of {unit}"), unit=gun.id))
    return found


def vehicle_cases(state: State, v: Vehicle, shot: Shot) -> list[Modifier]:
    """Size, movement and, save in ATT, TEM of a vehicle (7.3, 3.3.2.motion_effects, 3.2.4.att)."""
    firer = shot.e.hex
    found: list[Modifier] = []
    if v.data.size:
        found.append(drm(v.data.size, SIZES[v.data.size], N_("Case 22: size of {unit}"), unit=v.id))
    tem = vehicle_cover(state, v, firer) if shot.aim.kind != ATT else None
    if tem is not None:
        found.append(tem)
    if v.is_moving_target:
        value = th_case(24)
        if state.phase == MPH and state.mover is not None and v.id in state.mover.units:
            spent = mp_in_sight(state, firer)
            value = th_case(24, 2 if spent <= 2 else 1 if spent <= 6 else 0)
        text = N_("Case 24: {unit} is moving")
        found.append(
            drm(
                value,
                ("3.3.2.motion_effects#piu-difficile", "2.0.moving_target#drm"),
                text,
                unit=v.id,
            )
        )
    return found
