"""What a To Hit DR does to the weapon: ammunition, facing, ROF, breakdown, counters (3.2.4, 6.12).

Refs: 1.2.4.1, 2.0.b_num, 2.0.backblast, 2.0.depletion, 2.0.rof, 2.0.x_num, 3.2.2.leader,
3.2.3.pinned, 3.2.4.ca, 3.2.4.intensive_fire, 3.2.4.non_qualified, 3.2.4.rof_mod, 3.2.5, 3.3.3,
3.3.3.gun_if, 3.3.3.sff, 4.0.usage, 4.4.1, 4.4.3, 4.5, 5.5, 6.2, 6.12, 7.2, 7.2.1, 7.10.recall,
casa.16, casa.17, casa.18.
"""

from __future__ import annotations

import msgspec

from engine.aslsk.rules.elements import BOUNDING_FIRST, FPF, SFF, arc_of, fire_phase, mode, usage
from engine.aslsk.rules.firers import (
    BREAKS_FOR_GOOD,
    JAMS,
    KEEPS_ROF,
    LOSES_ROF,
    NO_ROF,
    count_shots,
    counter_of,
    exhaust,
    turn_vehicle,
    why_counter,
)
from engine.aslsk.rules.morale import Effects, apply_result, leader_losses, read_ift, tell_column
from engine.aslsk.rules.ordnance import ATT, Shot, is_limited, special
from engine.aslsk.rules.sight import is_supposed
from engine.aslsk.state.events import (
    AmmoSpent,
    CaChanged,
    Directed,
    Eliminated,
    Fired,
    Flipped,
    Jammed,
    Used,
)
from engine.aslsk.state.ground import BUILDINGS
from engine.aslsk.state.state import (
    AFPH,
    FINAL,
    INTENSIVE,
    MAP,
    MPH,
    State,
    Vehicle,
    units_at,
    weapons_of,
)
from engine.aslsk.state.tables import CREW
from engine.aslsk.state.units import is_inexperienced
from engine.aslsk.state.vehicle_events import LowOnAmmo, MaFired, MaJammed, MaLost, VehicleAmmoSpent
from engine.core.ctx import Ctx, Tally
from engine.core.text import N_, Fact

# Ammunition


def has_ammo(ctx: Ctx[State], shot: Shot, rolled: int) -> bool:
    """Special ammunition: under its number more, equal the last, above none (6.2)."""
    e, ammo = shot.e, shot.aim.ammo
    if not is_limited(shot.gun, ammo):
        return True
    number = special(ctx.state, shot.gun, ammo)
    if rolled < number:
        return True
    refs = ("6.2#superiore", "2.0.depletion#maggiore")
    if rolled == number:
        refs = ("6.2#uguale", "2.0.depletion#uguale")
    if e.vehicle:
        ctx.do(VehicleAmmoSpent(vehicle=e.vehicle, ammo=ammo), refs)
    else:
        ctx.do(AmmoSpent(weapon=e.weapon, ammo=ammo), refs)
    if rolled == number:
        return True
    _had_none(ctx, shot, rolled)
    return False


def _had_none(ctx: Ctx[State], shot: Shot, rolled: int) -> None:
    """It has not fired, unless the DR broke it or left it low on ammunition (6.2, 7.2.1)."""
    was_low = _is_low(ctx.state, shot)
    jammed = breaks_down(ctx, shot, rolled)
    if jammed or (_is_low(ctx.state, shot) and not was_low):
        mark(ctx, msgspec.structs.replace(shot, leader=None), False)
    else:
        ctx.cite("6.2#superiore", N_("{unit} has none: it has not fired"), unit=shot.e.id)


def _is_low(state: State, shot: Shot) -> bool:
    return bool(shot.e.vehicle) and state.vehicles[shot.e.vehicle].arms.low


# Facing


def turn(ctx: Ctx[State], shot: Shot) -> None:
    """The weapon points at its target from now on (3.2.4.ca)."""
    e, hex = shot.e, shot.aim.hex
    field = ctx.state.ground
    if e.hex == hex:
        return
    if e.vehicle:
        v = ctx.state.vehicles[e.vehicle]
        turn_vehicle(ctx, v.id, "ma", field.facing_to(v.hex, arc_of(v, "ma"), hex))
        return
    w = ctx.state.weapons[e.weapon]
    if w.ca < 0:
        return
    spine = field.facing_to(e.hex, w.ca, hex)
    if spine != w.ca:
        ctx.do(CaChanged(weapon=w.id, ca=spine, to_fire=True), "3.2.4.ca#girarsi")


# Rate of fire


def keeps_rof(ctx: Ctx[State], shot: Shot, coloured: int) -> bool:
    """Whether the weapon fires again, unasked in a belief (1.2.4.1, 3.2.4.rof_mod, casa.17)."""
    e, g = shot.e, shot.gun
    if not g.rof or is_supposed(ctx.state):
        return False
    if (none := _why_no_rof(ctx.state, shot)) is not None:
        ref, text = none
        ctx.cite((ref, NO_ROF.get(ref, "1.2.4.1#di-nuovo")), text, unit=e.id)
        return False
    rate = ctx.tally(N_("ROF"))
    rate.add(g.rof, ("1.2.4.1#numero", "2.0.rof#numero"), N_("ROF of {unit}"), unit=e.id)
    if e.unit:
        _piece_rate(ctx, shot, rate)
    elif ctx.state.vehicles[e.vehicle].turned and g.turret == "NT":
        rate.add(-1, "3.2.4.rof_mod#cambio-ca", N_("change of CA"))
    kept = coloured <= rate.total
    text = KEEPS_ROF if kept else LOSES_ROF
    ctx.cite(("1.2.4.1#di-nuovo", "2.0.rof#dado"), text, unit=e.id, rof=rate.total, dr=coloured)
    return kept


def _why_no_rof(state: State, shot: Shot) -> tuple[str, str] | None:
    """What takes all the ROF of a To Hit attack away (3.5, 3.2.4.intensive_fire, 3.2.4.att)."""
    if state.phase == AFPH:
        return "3.5#una-volta", N_("{unit} has no ROF in the AFPh")
    if shot.intensive:
        return "3.2.4.intensive_fire#non-piu", N_("{unit} has no ROF in Intensive Fire")
    if shot.aim.kind == ATT and not shot.gun.is_mortar:
        return "3.2.4.att#rof", N_("{unit} has no ROF: it fires at the whole hex")
    return None


def _piece_rate(ctx: Ctx[State], shot: Shot, rate: Tally) -> None:
    """The ROF of a SW or Gun depends on who mans it (3.2.4.rof_mod, 4.5)."""
    e, g = shot.e, shot.gun
    owner = ctx.state.units[e.unit]
    w = ctx.state.weapons[e.weapon]
    if owner.pinned:
        rate.set(0, "3.2.3.pinned#meta-fp", N_("{unit} has a Pin"), unit=owner.id)
    if mode(ctx.state, e) in (SFF, FPF):
        rate.set(0, "3.3.3.sff#di-nuovo", N_("{unit} fires again: Area Fire"), unit=e.id)
    if g.is_mortar and owner.is_leader:
        rate.set(0, "4.5#smc", N_("a SMC alone fires {unit}"), unit=e.id)
    if owner.side != w.side:
        rate.add(
            -1, ("3.2.4.rof_mod#catturata", "5.5#penalita"), N_("{unit} is captured"), unit=e.id
        )
    if g.is_gun and owner.data.kind != CREW:
        rate.add(
            -1,
            ("3.2.4.rof_mod#non-qualificato", "3.2.4.non_qualified#effetti"),
            N_("non-qualified use"),
        )
    turned = g.is_gun and w.turned and g.turret == "NT"
    if turned and g.is_mortar:
        ctx.cite("casa.17", N_("a mortar that turns keeps its ROF"))
    elif turned:
        rate.add(-1, "3.2.4.rof_mod#cambio-ca", N_("change of CA"))


# Breakdown


def breaks_down(ctx: Ctx[State], shot: Shot, rolled: int) -> bool:
    """Original To Hit DR at or above B# or X# (6.12, 4.4.1, 7.2.1, casa.16)."""
    if shot.e.vehicle:
        return _ma_breaks(ctx, ctx.state.vehicles[shot.e.vehicle], shot, rolled)
    return _piece_breaks(ctx, shot, rolled)


def _ma_breaks(ctx: Ctx[State], v: Vehicle, shot: Shot, rolled: int) -> bool:
    """A MA, whose circled B# tells when it gets low on ammunition (7.2, 7.2.1)."""
    printed = shot.gun.b
    less = 2 if shot.intensive else 0
    number = printed - less
    circled = v.data.low_ammo
    if circled and v.arms.low and rolled >= circled:
        ctx.do(MaLost(vehicle=v.id), ("7.2.1#low", "7.10.recall#ma"))
        return True
    if circled and v.arms.low:
        number = min(number, circled - 1 - less)
    elif circled and circled <= rolled < 12:
        ctx.do(LowOnAmmo(vehicle=v.id), "7.2.1#finisce")
    if rolled < number:
        return False
    if shot.intensive and rolled >= printed:
        ctx.do(MaLost(vehicle=v.id), ("3.2.4.intensive_fire#rimosso", "7.10.recall#ma"))
    else:
        told: dict[str, Fact] = {"weapon": shot.e.id, "dr": rolled, "number": number}
        low = "7.2.1#low" if circled and v.arms.low else ""
        again = "3.2.4.intensive_fire#th" if shot.intensive else ""
        ctx.do(MaJammed(vehicle=v.id), ("7.2#guasto", "6.12#guasta", low, again), JAMS, **told)
    return True


def _piece_breaks(ctx: Ctx[State], shot: Shot, rolled: int) -> bool:
    """A SW or Gun: at its X# it is lost, at its B# it malfunctions (4.4.1, 6.12, casa.16)."""
    g, name = shot.gun, shot.e.weapon
    lower = _clumsiness(ctx.state, shot)
    if g.x:
        if rolled < g.x - lower:
            return False
        told: dict[str, Fact] = {"unit": name, "dr": rolled, "number": g.x - lower}
        text = N_("{unit} is lost: {dr}, X# {number}")
        refs = ("4.4.1#rimossa", "2.0.x_num", *_why_clumsy(ctx.state, shot))
        ctx.do(Eliminated(unit=name), refs, text, **told)
        return True
    number = g.b - (2 if shot.intensive else 0) - lower
    if rolled < number:
        return False
    why = (*_why_clumsy(ctx.state, shot), "3.2.4.intensive_fire#th" if shot.intensive else "")
    if number < g.b and rolled >= g.b:
        told = {"unit": name, "dr": rolled, "number": g.b}
        ctx.do(Eliminated(unit=name), ("6.12#rimossa", "casa.16", *why), BREAKS_FOR_GOOD, **told)
    else:
        told = {"weapon": name, "dr": rolled, "number": number}
        ctx.do(Jammed(weapon=name), ("6.12#guasta", "2.0.b_num#guasto", *why), JAMS, **told)
    return True


def _why_clumsy(state: State, shot: Shot) -> tuple[str, ...]:
    """The rules by which a weapon breaks earlier in such hands (5.5, 5.4, 3.2.4.non_qualified)."""
    owner = state.units[shot.e.unit]
    return (
        "5.5#penalita" if owner.side != state.weapons[shot.e.weapon].side else "",
        "5.4#armi" if is_inexperienced(state, owner) else "",
        "3.2.4.non_qualified#effetti" if shot.gun.is_gun and owner.data.kind != CREW else "",
    )


def _clumsiness(state: State, shot: Shot) -> int:
    """How much earlier a weapon breaks in such hands (5.5, 5.4, 3.2.4.non_qualified)."""
    owner = state.units[shot.e.unit]
    lower = 0
    if owner.side != state.weapons[shot.e.weapon].side:
        lower += 2
    if is_inexperienced(state, owner):
        lower += 1
    if shot.gun.is_gun and owner.data.kind != CREW:
        lower += 2
    return lower


# Counters


def mark(ctx: Ctx[State], shot: Shot, kept: bool) -> None:
    """Fire counters after a To Hit attack (3.2.5, 3.3.3, 3.3.3.gun_if)."""
    e = shot.e
    how = mode(ctx.state, e)
    if e.vehicle:
        _mark_ma(ctx, shot, how, kept)
    else:
        _mark_piece(ctx, shot, how, kept)
    if shot.leader is not None:
        name = shot.leader.id
        marker = "" if ctx.state.units[name].fire else counter_of(ctx.state, how)
        ctx.do(Directed(unit=name, marker=marker, elements=(e.id,)), "3.2.2.leader#conta")
    count_shots(ctx, (e,), e.side)


def _mark_ref(state: State, shot: Shot, kept: bool) -> str:
    if shot.intensive:
        return "3.2.4.intensive_fire#non-piu"
    return why_counter(mode(state, shot.e), kept)


def _counter(state: State, shot: Shot, how: str) -> str:
    return INTENSIVE if shot.intensive else counter_of(state, how)


def _mark_ma(ctx: Ctx[State], shot: Shot, how: str, kept: bool) -> None:
    """A MA that cannot fire again, even intensively, is marked so (3.2.4.att, casa.18)."""
    v = ctx.state.vehicles[shot.e.vehicle]
    ref = _mark_ref(ctx.state, shot, kept)
    marker = "" if kept else _counter(ctx.state, shot, how)
    no_rof_turn = not v.data.rof and v.turned and not v.data.is_turreted
    is_area = shot.aim.kind == ATT and not kept
    if no_rof_turn or is_area:
        marker = INTENSIVE
    fired = MaFired(
        vehicle=v.id,
        part="ma",
        phase=fire_phase(ctx.state, v),
        hex=v.hex if how == BOUNDING_FIRST else "",
        marker=marker,
        kept=kept,
    )
    why = "casa.18#subito" if no_rof_turn else "3.2.4.att#rof" if is_area else ""
    marked = (ref, why) if shot.intensive else (why, ref)
    ctx.do(fired, ("1.2.4.1#di-nuovo", ref) if kept else marked)


def _mark_piece(ctx: Ctx[State], shot: Shot, how: str, kept: bool) -> None:
    """A SW or Gun, and the unit that has used it (3.2.5, 4.0.usage, 3.3.3.gun_if)."""
    e = shot.e
    if ctx.state.weapons[e.weapon].place == MAP:
        ref = _mark_ref(ctx.state, shot, kept)
        marker = "" if kept else _counter(ctx.state, shot, how)
        if _fires_no_more(ctx.state, shot):
            marker = INTENSIVE
            ref = "3.2.4.att#rof" if shot.aim.kind == ATT else "casa.18#subito"
        ctx.do(Fired(unit=e.weapon, marker=marker), ("1.2.4.1#di-nuovo", ref) if kept else ref)
    ctx.do(Used(unit=e.unit, used=e.weapon), usage(ctx.state.units[e.unit]))
    if not kept:
        exhaust(ctx, e.unit, how)
    if shot.intensive and ctx.state.phase == MPH:
        for other in weapons_of(ctx.state, e.unit):
            if other.id != e.weapon and other.fire != FINAL:
                ctx.do(Flipped(unit=other.id, marker=FINAL), "3.3.3.gun_if#poi")
        ctx.do(Flipped(unit=e.unit, marker=FINAL), "3.3.3.gun_if#poi")


def _fires_no_more(state: State, shot: Shot) -> bool:
    """ATT, or a turn without ROF, excludes Intensive Fire of a Gun (3.2.4.att, casa.18)."""
    g = shot.gun
    if not g.is_gun:
        return False
    if shot.aim.kind == ATT and not g.is_mortar:
        return True
    return not g.rof and state.weapons[shot.e.weapon].turned > 0 and g.turret == "NT"


def backblast(ctx: Ctx[State], hex: str, coloured: int) -> None:
    """Everybody in the firer's building hex, on the 1 FP column (4.4.3)."""
    if ctx.state.ground.terrain[hex] not in BUILDINGS:
        return
    names = [u.id for u in units_at(ctx.state, hex)]
    tell_column(ctx, "4.4.3#occupanti", N_("FP of a Backblast"), 1)
    result = read_ift(0, coloured)
    text = N_("Backblast {dr}: {result}")
    ctx.cite(("4.4.3#occupanti", "2.0.backblast"), text, dr=coloured, result=result.text)
    effects = Effects()
    apply_result(ctx, result, names, [], effects)
    leader_losses(ctx, effects)
