"""FP and DRM of an attack on the IFT (3.2.2, 3.2.3).

Refs: 2.0.area_fire, 2.0.fp, 2.0.motion_fire, 2.0.pbf, 2.0.tpbf, 3.2.2, 3.2.2.1, 3.2.2.leader,
3.2.3, 3.2.3.pinned, 3.2.4.ca, 3.3.1.double_time, 3.3.3.ffnam, 3.3.3.ffmo, 3.3.3.broken_target,
3.3.3.fpf, 3.3.3.sff, 3.4, 3.5, 3.5.assault_fire, 4.1, 4.2, 6.4, 6.5, 6.6, 7.8, 7.10.stun.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from engine.aslsk.rules.elements import (
    ADVANCING,
    BOUNDING_FIRST,
    FPF,
    HALVED,
    MG_LIMIT,
    SFF,
    Element,
    base_fp,
    ca_drm,
    ca_factor,
    mode,
    normal_range,
    turns_owed,
    turret_column,
)
from engine.aslsk.rules.fire_groups import Attack, is_far
from engine.aslsk.rules.sight import Los
from engine.aslsk.rules.terrain import MORTAR, air_burst, cover, is_exposed
from engine.aslsk.state.book import OUTSIDE, drm
from engine.aslsk.state.state import AFPH, State, Unit, weapons_of
from engine.aslsk.state.tables import SQUAD
from engine.aslsk.state.units import gun_of
from engine.core.ctx import Ctx
from engine.core.text import N_
from engine.kit.modifiers import Modifier

ZERO = Fraction(0)
HALF = Fraction(1, 2)


# FP


def firepower(ctx: Ctx[State], attack: Attack, good: bool) -> dict[str, Fraction]:
    """The FP of every participant (3.2.2)."""
    return {
        e.id: element_fp(ctx, e, attack.target, good, e.weapon in attack.gunners)
        for e in attack.group
    }


def against_hidden(
    state: State, attack: Attack, strengths: dict[str, Fraction], good: bool
) -> Fraction:
    """Half FP against hidden units, who are Good Order infantry for a far MG (6.4, 4.1)."""
    fp = sum(strengths.values(), ZERO)
    if not good:
        fp -= (
            sum((strengths[e.id] for e in attack.group if is_far(state, e, attack.target)), ZERO)
            / 2
        )
    return fp / 2


def element_fp(
    ctx: Ctx[State], e: Element, target: str, good_infantry: bool, helped: bool
) -> Fraction:
    """The FP of one participant after multipliers, with a cited line for each (3.2.2)."""
    state = ctx.state
    away = state.ground.range(e.hex, target)
    fp = ctx.tally(N_("FP"))
    fp.add(base_fp(state, e), "2.0.fp#forza", N_("FP of {unit}"), unit=e.id)
    for factor, ref, why in multipliers(state, e, target, away, good_infantry, helped):
        fp.times(factor, ref, why, unit=e.id)
    if state.phase == AFPH and e.is_own_fp and away <= normal_range(state, e):
        data = state.units[e.unit].data
        if data.assault and data.kind == SQUAD:
            fp.add(1, "3.5.assault_fire", N_("Assault Fire"))
            up = -(-fp.total.numerator // fp.total.denominator)
            if up != fp.total:
                fp.set(up, "3.5.assault_fire", N_("rounded up"))
    return Fraction(fp.total)


def multipliers(
    state: State, e: Element, target: str, away: int, good_infantry: bool, helped: bool = False
) -> Iterator[tuple[Fraction, str, str]]:
    """Every doubling and halving (3.2.2, 2.0.area_fire)."""
    how = mode(state, e)
    if away == 1:
        yield Fraction(2), "2.0.pbf#pbf", N_("PBF: {unit} is adjacent")
    elif away == 0:
        yield Fraction(3), "3.2.2.1#triplicato", N_("TPBF: {unit} is in the hex")
    if away > normal_range(state, e):
        yield HALF, "3.2.2#area-fire", N_("{unit} fires beyond normal range")
    if how in HALVED:
        ref = {SFF: "3.3.3.sff#di-nuovo", FPF: "3.3.3.fpf#come-sff"}.get(how, "3.4#first-fire")
        yield HALF, ref, N_("{unit} fires again: Area Fire")
    if e.vehicle:
        v = state.vehicles[e.vehicle]
        if how in (ADVANCING, BOUNDING_FIRST):
            yield HALF, "7.8#meta", N_("{unit}: Bounding Fire")
        if v.is_non_stopped:
            yield HALF, "2.0.motion_fire#dimezzati", N_("{unit} is not stopped")
        return
    if how == ADVANCING:
        yield HALF, "3.5#dimezzato", N_("{unit} fires in the AFPh")
    owner = state.units[e.unit]
    if owner.pinned:
        yield HALF, "3.2.3.pinned#meta-fp", N_("{unit} has a Pin")
    if e.part == "mg":
        if owner.is_leader and not helped:
            yield HALF, "4.1#smc", N_("a SMC alone fires {unit}")
        if away > MG_LIMIT and good_infantry:
            yield HALF, "4.1#oltre-16", N_("{unit} fires beyond 16 hexes")


# DRM of the firers


def firer_drm(
    state: State,
    group: Sequence[Element],
    leaders: Sequence[Unit],
    sights: dict[str, Los],
    target: str,
) -> list[Modifier]:
    """Leadership, hindrance, CX, turning: what does not depend on the single target (3.2.3)."""
    found: list[Modifier] = []
    if leaders:
        worst = max(leaders, key=lambda u: u.leadership)
        found.append(
            drm(
                worst.leadership,
                _why_directs(leaders),
                N_("{unit} directs"),
                kind=OUTSIDE if worst.leadership > 0 else "",
                unit=worst.id,
            )
        )
    hindered = max((sights[e.hex] for e in group), key=lambda s: s.drm)
    found += hindered.hindrance
    tired = [e.unit for e in group if e.unit and state.units[e.unit].cx]
    tired += [u.id for u in leaders if u.cx]
    if tired:
        found.append(
            drm(1, "3.3.1.double_time#cx", N_("{unit} is CX"), kind=OUTSIDE, unit=tired[0])
        )
    for e in group:
        if e.vehicle and state.vehicles[e.vehicle].crew.plus:
            found.append(
                drm(1, "7.10.stun#piu-uno", N_("{unit} was Stunned"), kind=OUTSIDE, unit=e.id)
            )
            break
    turn = max((turning(state, e, target) for e in group), default=0)
    if turn:
        found.append(drm(turn, "3.2.4.ca#girarsi", N_("change of CA"), kind=OUTSIDE))
    return found


def _why_directs(leaders: Sequence[Unit]) -> str:
    return "3.2.2.leader#peggiore" if len(leaders) > 1 else "3.2.2.leader#dirige"


def turning(state: State, e: Element, target: str) -> int:
    """The DRM of turning to a target on the IFT: that of Case 8 (7.8, 6.8)."""
    value = 0
    if e.vehicle:
        v = state.vehicles[e.vehicle]
        value = ca_drm(turret_column(v, e.part), turns_owed(state, v, e.part, target))
    elif e.is_ife and e.hex != target:
        weapon = state.weapons[e.weapon]
        kind = "T" if weapon.data.is_360 else "NT"
        value = ca_drm(kind, state.ground.turns(e.hex, weapon.ca, target))
    return value * ca_factor(state, e.hex) if value else 0


# DRM of the target


def target_drm(
    state: State, name: str, firers: Sequence[str], how: str, moving: bool, hindered: bool
) -> list[Modifier]:
    """TEM, gunshield, FFNAM, FFMO, Hazardous, FT: what depends on the target (3.2.3)."""
    one = state.units[name]
    covers = [c for hex in firers if (c := cover(state, one, hex, how)) is not None]
    shield = gunshield(state, one, firers, how)
    if shield is not None:
        covers.append(shield)
    found: list[Modifier] = []
    if covers:
        found.append(max(covers, key=lambda c: c.value))
    burst = air_burst(state.ground, one.hex, how)
    if burst is not None:
        found.append(burst)
    if moving and not one.pinned and not one.hazard:
        found += movement_drm(state, one, firers, how, hindered)
    if one.hazard and not one.pinned:
        found.append(drm(-2, "6.5#azzardato", N_("{unit} moves hazardously"), unit=name))
    flames = sum(w.data.kind == "ft" for w in weapons_of(state, name))
    if flames:
        found.append(drm(-flames, "4.2#pericolo", N_("{unit} has a FT"), unit=name))
    return found


def movement_drm(
    state: State, one: Unit, firers: Sequence[str], how: str, hindered: bool
) -> list[Modifier]:
    """FFNAM and FFMO (3.3.3.ffnam, 3.3.3.ffmo, 3.3.3.broken_target)."""
    found = []
    assaulting = state.mover is not None and state.mover.mode == "Assault Movement"
    if not assaulting or one.broken:
        found.append(drm(-1, "3.3.3.ffnam#drm", N_("FFNAM: {unit}"), unit=one.id))
    if not hindered and all(is_exposed(state, one, hex, how) for hex in firers):
        found.append(
            drm(-1, ("3.3.3.ffmo#drm", "1.1.1.open_ground#ffmo"), N_("FFMO: {unit}"), unit=one.id)
        )
    return found


def gunshield(state: State, one: Unit, firers: Sequence[str], how: str) -> Modifier | None:
    """A crew behind its shield: +2, mortars +1; a barrage has no firers (6.6, dae2.52)."""
    if one.data.kind != "crew" or not one.good_order or one.hazard or how == "flame":
        return None
    gun = gun_of(state, one)
    if gun is None or gun.data.kind not in ("AT", "INF"):
        return None
    field = state.ground
    if not all(hex != one.hex and gun.ca in field.arcs(one.hex, hex) for hex in firers if hex):
        return None
    if firers and not any(firers):
        return None
    return drm(1 if how == MORTAR else 2, "6.6#scudo", N_("gunshield of {unit}"), unit=one.id)
