"""What a weapon may aim at with a To Hit DR (3.2.4, 4.1.vs_afv, 4.4, 6.2, 6.11).

Refs: 2.0.att, 2.0.intensive_fire, 3.2.4, 3.2.4.itt, 3.2.4.att, 3.2.4.range_limits,
3.2.4.intensive_fire, 3.3.3, 3.3.3.gun_if, 4.1.vs_afv, 4.4, 4.4.1, 4.4.4, 4.4.5, 6.0, 6.2, 6.2.heat,
6.11, casa.13.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.aslsk.rules.elements import (
    BOUNDING_FIRST,
    DFF,
    FINAL_FIRE,
    FPF,
    OWN,
    PREPARED,
    SFF,
    Element,
    arc_of,
    is_bounding,
    is_ordnance,
    mode,
)
from engine.aslsk.rules.fire_groups import gunners, targets_in
from engine.aslsk.rules.ordnance import (
    AP,
    ATT,
    HE,
    HEAT,
    ITT,
    LATW,
    SMOKE,
    SPECIAL_SHELLS,
    VTT,
    WP,
    Aim,
    Gunner,
    Shot,
    is_defensive,
    shot_of,
    special,
)
from engine.aslsk.rules.ordnance import gunner as gunner_of
from engine.aslsk.rules.to_kill import shell_name
from engine.aslsk.state.book import rule
from engine.aslsk.state.ground import BUILDINGS
from engine.aslsk.state.state import AFPH, DFPH, MPH, State, vehicles_at
from engine.aslsk.state.tables import to_hit_file
from engine.aslsk.state.units import enemy_holds, gun_of
from engine.core.rules import Ruling
from engine.core.text import N_


def aims(state: State, e: Element, hex: str) -> list[Aim]:
    """Every To Hit attack that an element could declare at a hex (3.2.4)."""
    if e.is_own_fp or e.part in ("bmg", "cmg", "rmg", "aamg", "ife"):
        return []
    g = gunner_of(state, e)
    tanks = _tanks(state, e, hex)
    if g.kind in ("mg", "atr"):
        return [Aim(VTT, hex, v, AP) for v in tanks]
    if g.kind == "ft":
        return [Aim("FT", hex, v) for v in tanks]
    if g.kind == "latw":
        return [Aim(LATW, hex, v, HEAT) for v in tanks] + [Aim(LATW, hex, "", HEAT)]
    if g.is_mortar:
        return _at_area(state, g, hex)
    rare = [ammo for ammo in SPECIAL_SHELLS if special(state, g, ammo)]
    people = [Aim(ITT, hex, "", ammo) for ammo in (HE, AP, *rare)]
    vehicles = [Aim(VTT, hex, v, ammo) for v in tanks for ammo in (AP, HE, *rare)]
    return [*people, *_at_area(state, g, hex), *vehicles]


def fires_at_area(state: State, e: Element) -> bool:
    """A Gun, MA or mortar: whatever is in a hex, it may fire HE at all of it (3.2.4.att)."""
    return is_ordnance(state, e) and gunner_of(state, e).kind != "latw"


def _at_area(state: State, g: Gunner, hex: str) -> list[Aim]:
    """HE at the whole hex; WP only in the MPh, elsewhere it is smoke (3.2.4.att, 6.2.wp)."""
    found = [Aim(ATT, hex, "", HE)]
    if g.ammo.get(WP) and state.phase == MPH:
        found.append(Aim(ATT, hex, "", WP))
    return found


def _tanks(state: State, e: Element, hex: str) -> list[str]:
    """The enemy vehicles of a hex; in DFF only the moving one is a target (3.3.3)."""
    live = [v.id for v in vehicles_at(state, hex) if v.side != e.side and v.is_live]
    if is_defensive(state, e) and state.mover is not None:
        return [name for name in live if name in state.mover.units]
    return live


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
    if v.marks.fire or v.is_non_stopped:
        return False
    fixed = not v.data.is_turreted and (v.is_stuck)
    if not fixed and not is_bounding(state, e):
        return True
    field = state.ground
    return any(hex not in field.is_off for hex in field.ahead[v.hex][arc_of(v, "ma")])


def within_heat(state: State, hex: str, names: Sequence[str]) -> list[str]:
    """Whom HEAT can strike: all in a building, elsewhere only who mans a Gun (4.4, 6.2.heat)."""
    if state.ground.terrain[hex] in BUILDINGS:
        return list(names)
    return [name for name in names if gun_of(state, state.units[name]) is not None]


# What forbids it


def why_not_aim(state: State, e: Element, aim: Aim) -> Iterator[Ruling]:
    """Everything that forbids a To Hit attack of this kind (3.2.4)."""
    shot = shot_of(state, e, aim)
    g = shot.gun
    how = mode(state, e)
    if shot.intensive:
        yield from _why_not_intensive(state, shot)
    elif how in (SFF, FPF) and (g.is_gun or g.is_ma):
        yield rule(
            "3.3.3.gun_if#solo-intensivo", N_("{unit} fires no more this Player Turn"), unit=e.id
        )
    if aim.kind == ATT:
        yield from _why_not_att(state, shot, how)
    if aim.kind in (ITT, LATW) and not aim.target:
        yield from _why_not_people(state, shot)
    if aim.kind == VTT and g.kind in ("mg", "atr"):
        yield from _why_not_mg(state, shot, how)
    yield from _why_not_ammo(state, shot)
    if g.kind == "latw":
        yield from _why_not_latw(state, shot)


def _why_not_intensive(state: State, shot: Shot) -> Iterator[Ruling]:
    e = shot.e
    if state.phase == AFPH:
        yield rule("3.2.4.intensive_fire#vietato", N_("no Intensive Fire in the AFPh"))
    if state.phase == DFPH and shot.away > 1:
        text = N_("Intensive Fire in the DFPh: only adjacent")
        yield rule(("3.2.4.intensive_fire#dfph", "2.0.intensive_fire#vietato"), text)
    if state.phase == MPH and e.side == state.attacker:
        yield rule("3.3.2.2#di-nuovo", N_("{unit} has fired"), unit=e.id)
    if e.weapon and state.units[e.unit].pinned:
        yield rule("3.2.4.intensive_fire#vietato", N_("{unit} has a Pin"), unit=e.unit)


def _why_not_att(state: State, shot: Shot, how: str) -> Iterator[Ruling]:
    if shot.away == 0:
        yield rule("3.2.4.att#vietato", N_("no ATT at range 0"))
    if shot.aim.ammo not in (HE, SMOKE, WP):
        yield rule("2.0.att#munizioni", N_("ATT uses only HE or smoke"))
    if how == BOUNDING_FIRST:
        yield rule("3.2.4.att#vietato", N_("no ATT in Bounding First Fire"))
    if shot.e.vehicle and state.vehicles[shot.e.vehicle].is_non_stopped:
        yield rule("3.2.4.att#vietato", N_("no ATT by a moving vehicle"))
    if shot.intensive and not shot.gun.is_mortar:
        yield rule("3.2.4.att#rof", N_("no ATT in Intensive Fire"))


def _why_not_people(state: State, shot: Shot) -> Iterator[Ruling]:
    aim = shot.aim
    names, crews = targets_in(state, aim.hex, shot.e.side, shot.defensive)
    known = [n for n in names if not state.units[n].hidden]
    if not known and not (crews and aim.kind == ITT):
        yield rule("3.2.4.itt#colpisce", N_("no infantry target in {hex}"), hex=aim.hex)
    if aim.ammo == HEAT and not within_heat(state, aim.hex, known):
        refs = "4.4#fanteria" if shot.gun.kind == "latw" else "6.2.heat#solo"
        yield rule(refs, N_("HEAT only against infantry in a building, or a Gun"))


def _why_not_mg(state: State, shot: Shot, how: str) -> Iterator[Ruling]:
    """A MG or ATR against an AFV: no halving of any kind (4.1.vs_afv, 4.4.4)."""
    w = state.weapons[shot.e.weapon]
    owner = state.units[shot.e.unit]
    if shot.away > w.data.range:
        yield rule("4.1.vs_afv#limiti", N_("only within normal range"))
    alone = owner.is_leader and not gunners(state, owner, w.id)
    halved = how not in (DFF, PREPARED, FINAL_FIRE) or owner.pinned or alone
    if w.data.kind == "mg" and halved:
        yield rule("4.1.vs_afv#limiti", N_("its FP would be halved"))
    if w.data.kind == "atr" and how in (SFF, FPF):
        yield rule("3.3.3.sff#di-nuovo", N_("{unit} has fired"), unit=shot.e.id)


def _why_not_ammo(state: State, shot: Shot) -> Iterator[Ruling]:
    """It has such ammunition, which reaches so far (6.0, 6.2, 3.2.4.range_limits)."""
    e, g, ammo = shot.e, shot.gun, shot.aim.ammo
    if ammo == AP and g.no_ap:
        yield rule("6.0#no-ap", N_("{unit} has no AP"), unit=e.id)
    if ammo == HE and g.no_he and not special(state, g, HE):
        yield rule("6.0#no-he", N_("{unit} has no HE"), unit=e.id)
    rare = ammo in (WP, SMOKE, *SPECIAL_SHELLS) and g.kind != "latw"
    if rare and not special(state, g, ammo):
        yield rule("6.2#simbolo", N_("{unit} has no {ammo}"), unit=e.id, ammo=ammo)
    limits = state.weapons[e.weapon].data.reach.get(ammo) if e.weapon else None
    if limits is not None and not limits[0] <= shot.away <= limits[1]:
        text = N_("{ammo} reaches from {least} to {most} hexes")
        name = shell_name(ammo)
        yield rule("3.2.4.range_limits#numeri", text, ammo=name, least=limits[0], most=limits[1])


def _why_not_latw(state: State, shot: Shot) -> Iterator[Ruling]:
    """A LATW in its time and within its range, a PIAT not downwards (4.4.1, 4.4, 4.4.5)."""
    e, hex = shot.e, shot.aim.hex
    since = state.weapons[e.weapon].data.since
    if since and state.date < since:
        ref = "4.4.5#da" if shot.gun.grade == "piat" else "4.4.1#bazooka//Disponibile da"
        yield rule(ref, N_("{unit} is available from {date}"), unit=e.id, date=since)
    if shot.away >= len(to_hit_file().latw[shot.gun.grade]):
        yield rule("4.4#latw", N_("{hex} is out of its range"), hex=hex)
    lower = state.ground.level[hex] < state.ground.level[e.hex]
    if shot.gun.grade == "piat" and lower and shot.away <= 1:
        yield rule(("4.4.5#livello", "casa.13"), N_("a PIAT does not fire down at close range"))
