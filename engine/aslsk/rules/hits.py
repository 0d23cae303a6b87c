"""What To Hit attacks do to those they hit: infantry, Guns, vehicles, smoke (3.2.4, 6.1-6.7, 7.9).

Refs: 1.2.5, 2.0.ch, 2.0.direct_hit, 2.0.hit, 2.0.ife, 2.0.near_miss, 2.0.smoke, 2.0.wp, 3.2.3,
3.2.4.effect_infantry, 3.2.4.procedure, 3.2.4.vtt, 3.3.5, 4.2, 6.1, 6.2.ap, 6.2.apcr_apds, 6.2.he,
6.2.heat, 6.2.smoke, 6.2.wp, 6.6, 6.7, 7.9.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from engine.aslsk.rules.firepower import gunshield, movement_drm
from engine.aslsk.rules.morale import (
    Effects,
    IftResult,
    alive,
    apply_result,
    eliminate,
    leader_losses,
    morale_check,
    pick,
    read_column,
    read_ift,
    reduce_unit,
    tell_column,
)
from engine.aslsk.rules.ordnance import (
    AP,
    APCR,
    APDS,
    ATT,
    HE,
    HEAT,
    ITT,
    WP,
    Shot,
    fire_of,
    hit_fp,
    shell_of,
)
from engine.aslsk.rules.sight import known_los
from engine.aslsk.rules.strikes import Residue, leave_residual
from engine.aslsk.rules.terrain import air_burst, cover
from engine.aslsk.rules.to_hit import vehicle_cases
from engine.aslsk.rules.to_kill import Blast, Blow, att_on_vehicle, kill_vehicle, location_of
from engine.aslsk.state.book import DR, LATE_TOTAL, drm
from engine.aslsk.state.events import Eliminated, Jammed, SmokePlaced
from engine.aslsk.state.state import PFPH, State, Unit, Weapon, weapons_of
from engine.aslsk.state.tables import column, column_fp
from engine.aslsk.state.units import gun_of
from engine.core.ctx import Ctx, exact
from engine.core.text import N_
from engine.kit.modifiers import Modifier, add_all

NO_TRACE = (AP, APCR, APDS)
"""Ammunition that leaves no Residual FP behind (3.3.5)."""


class Throw(msgspec.Struct, frozen=True):
    """A To Hit DR: the dice, their sum, and what it counts for (3.2.4.procedure)."""

    coloured: int
    white: int
    original: int
    counted: int


class Need(msgspec.Struct, frozen=True):
    """What a To Hit DR needs: the number, the critical one, and the DRM of the firer."""

    number: int
    critical: int
    firer: tuple[Modifier, ...]
    common: int
    """What the DRM of the firer come to."""


class Hits(msgspec.Struct, frozen=True):
    """Whom one To Hit DR has hit; the critical ones are among the people."""

    people: tuple[str, ...] = ()
    critical: tuple[str, ...] = ()
    crews: tuple[str, ...] = ()
    tanks: tuple[str, ...] = ()


class Impact(msgspec.Struct, frozen=True):
    """The effect DR of a hit: whose shot it was, its whole FP, the dice (3.2.4.effect_infantry)."""

    shot: Shot
    full: Fraction
    rolled: int

    def fp(self, critical: bool = False) -> Fraction:
        """The FP that counts: doubled by a CH, else halved in ATT (6.1, 3.2.4.att)."""
        if critical:
            return self.full * 2
        return self.full / 2 if self.shot.aim.kind == ATT else self.full


# Infantry, Guns, and everything in ATT


def effect(ctx: Ctx[State], shot: Shot, hits: Hits, throw: Throw) -> None:
    """One IFT DR for all that was hit; a CH strikes one of them (6.1)."""
    aim = shot.aim
    full = hit_fp(shot.gun, aim)
    special = "6.2.apcr_apds#fp"
    shells = {AP: "6.2.ap#fp", APCR: special, APDS: special, HEAT: "6.2.heat#ift"}
    ref = shells.get(aim.ammo, "6.2.he")
    fp = ctx.tally(N_("FP"))
    calibre = "3.2.4.effect_infantry#calibro"
    refs = (calibre, ref) if ref == "6.2.he" else (ref, calibre)
    fp.add(exact(full), refs, N_("FP of {ammo}"), ammo=aim.ammo)
    if aim.kind == ATT:
        fp.times(Fraction(1, 2), "3.2.4.att#meta", N_("at the whole hex: half FP"))
    text = N_("{fp} FP on the {column} column against what was hit")
    shown = column_fp(index) if (index := column(fp.total)) >= 0 else 0
    ctx.cite(refs, text, fp=fp.total, column=shown)
    chosen = _critically_hit(ctx, shot, hits, throw)
    rolled = ctx.roll(
        DR,
        LATE_TOTAL,
        ("3.2.3#tira", "2.0.ife#tabella"),
        N_("effect of the hit in {hex}"),
        hex=aim.hex,
    )
    impact = Impact(shot, full, rolled)
    effects = Effects()
    _strike_people(ctx, impact, hits.people, chosen, effects)
    _strike_crews(ctx, impact, hits.crews, effects)
    how = fire_of(ctx.state, shot.e)
    for tank in hits.tanks:
        critical = tank == chosen
        if critical:
            _tell_critical(ctx, impact, "6.1#veicolo-att")
        location = location_of(throw.coloured, throw.white)
        blast = Blast(impact.fp(critical), rolled, location, critical, how, shot.e.hex)
        att_on_vehicle(ctx, tank, blast)
    leader_losses(ctx, effects)


def _critically_hit(ctx: Ctx[State], shot: Shot, hits: Hits, throw: Throw) -> str:
    """Which of the targets suffers the Critical Hit; vehicles in ATT on an original 2 (6.1)."""
    tanks = hits.tanks if hits.tanks and shot.aim.kind == ATT and throw.original == 2 else ()
    if not hits.critical and not tanks:
        return ""
    chosen = pick(ctx, [*hits.critical, *tanks], "6.1#a-caso", N_("who suffers the Critical Hit?"))
    refs = ("6.1#itt", "2.0.ch#itt") if shot.aim.kind == ITT else ("6.1#due", "2.0.ch#due")
    ctx.cite(refs, N_("Critical Hit on {unit}"), unit=chosen)
    return chosen


def _strike_people(
    ctx: Ctx[State], impact: Impact, names: Sequence[str], chosen: str, effects: Effects
) -> None:
    """Who suffers a CH or mans a Gun apart, the others together (6.1, 6.7)."""
    manned = [n for n in names if n != chosen and gun_of(ctx.state, ctx.state.units[n]) is not None]
    apart = [*[n for n in names if n == chosen], *manned]
    for name in apart:
        person_hit(ctx, impact, name, name == chosen, effects)
    _people_hit(ctx, impact, [n for n in names if n not in apart], effects)


def _strike_crews(ctx: Ctx[State], impact: Impact, crews: Sequence[str], effects: Effects) -> None:
    """CE crews under ITT, without DRM (7.12)."""
    index = column(impact.fp())
    for crew in crews:
        if index >= 0 and ctx.state.vehicles[crew].crew.ce:
            apply_result(ctx, read_ift(index, impact.rolled), [], [crew], effects)


def leave_after(ctx: Ctx[State], shot: Shot, firer: Sequence[Modifier]) -> None:
    """HE and the like leave Residual FP where they hit infantry (3.3.5, 3.3.5.shift)."""
    aim = shot.aim
    if aim.ammo in NO_TRACE:
        return
    burst = air_burst(ctx.state.ground, aim.hex, fire_of(ctx.state, shot.e)) is not None
    full = hit_fp(shot.gun, aim)
    fp = full / 2 if aim.kind == ATT else full
    leave_residual(ctx, aim.hex, Residue(fp, firer, burst=burst))


def effect_drm(state: State, shot: Shot, name: str, critical: bool) -> list[Modifier]:
    """What changes the IFT DR of a hit: TEM in ATT or turned by a CH, Air Burst, a FT (6.1)."""
    e, aim = shot.e, shot.aim
    one = state.units[name]
    how = fire_of(state, e)
    lines: list[Modifier] = []
    tem = cover(state, one, e.hex, how)
    if critical and tem is not None:
        lines.append(drm(-tem.value, "6.1#fanteria", N_("the TEM works against {unit}"), unit=name))
    elif aim.kind == ATT and tem is not None:
        lines.append(tem)
    burst = air_burst(state.ground, one.hex, how)
    if burst is not None:
        lines.append(burst)
    if critical and shot.defensive and not one.pinned and not one.hazard:
        hindered = known_los(state, e.hex, aim.hex).drm > 0
        lines += movement_drm(state, one, [e.hex], how, hindered)
    flames = sum(w.data.kind == "ft" for w in weapons_of(state, name))
    if flames:
        lines.append(drm(-flames, "4.2#pericolo", N_("{unit} has a FT"), unit=name))
    return lines


def _people_hit(ctx: Ctx[State], impact: Impact, names: Sequence[str], effects: Effects) -> None:
    """One result for all who were hit and have equal DRM (3.2.3, 3.2.4.effect_infantry)."""
    index = column(impact.fp())
    if names and index < 0:
        ctx.cite("3.2.3#meno-di-uno", N_("no effect"))
        return
    groups: dict[int, list[str]] = {}
    lines: dict[int, list[Modifier]] = {}
    for name in names:
        own = ctx.once(effect_drm, ctx.state, impact.shot, name, False)
        value = sum(one.value for one in own)
        lines.setdefault(value, own)
        groups.setdefault(value, []).append(name)
    for value, group in groups.items():
        final = impact.rolled + value
        result = read_ift(index, final, value)
        seen = [n for n in group if result.text != "-" or not ctx.state.units[n].hidden]
        if seen:
            add_all(ctx.tally(N_("DRM")), lines[value])
            for name in seen:
                _cite_final(ctx, name, final, result)
            apply_result(ctx, result, alive(ctx.state, seen), [], effects)


def _cite_final(ctx: Ctx[State], name: str, final: int, result: IftResult) -> None:
    text = N_("{unit}: final DR {dr}: {result}")
    column = column_fp(result.column)
    refs = "3.2.3#ift/{dr}/{column}"
    ctx.cite(refs, text, unit=name, dr=final, result=result.text, column=column)


def person_hit(
    ctx: Ctx[State], impact: Impact, name: str, critical: bool, effects: Effects
) -> None:
    """A Critical Hit on infantry, or a hit on a Gun and who mans it (6.1, 6.7)."""
    one = ctx.state.units[name]
    gun = gun_of(ctx.state, one)
    if critical and gun is not None:
        ctx.do(Eliminated(unit=gun.id), ("6.1#gun", "6.7#ch"))
        eliminate(ctx, name, "6.7#ch", effects)
        return
    index = column(impact.fp(critical))
    if index < 0:
        ctx.cite("3.2.3#meno-di-uno", N_("no effect"))
        return
    lines = effect_drm(ctx.state, impact.shot, name, critical)
    shield = _shield(ctx.state, impact.shot, one) if gun is not None else None
    if one.hidden and _goes_unnoticed(impact.rolled, index, lines, shield):
        return
    if critical:
        _tell_critical(ctx, impact, "6.1#fanteria")
    change = add_all(ctx.tally(N_("DRM")), lines)
    final = impact.rolled + change
    result = read_ift(index, final, change)
    if gun is not None:
        if _direct_hit(ctx, name, gun, result, effects):
            return
        ctx.cite(("6.7#near-miss", "2.0.near_miss#colpo"), N_("Near Miss"))
        if shield is not None:
            final += add_all(ctx.tally(N_("DRM")), [shield])
            result = IftResult(read_ift(index, final).text, index, change)
    _cite_final(ctx, name, final, result)
    apply_result(ctx, result, [name], [], effects)


def _tell_critical(ctx: Ctx[State], impact: Impact, ref: str) -> None:
    """The FP of a Critical Hit, and its column (6.1, 3.2.3)."""
    fp = ctx.tally(N_("FP"))
    ammo, calibre = impact.shot.aim.ammo, "3.2.4.effect_infantry#calibro"
    fp.add(exact(impact.full), calibre, N_("FP of {ammo}"), ammo=ammo)
    fp.times(2, ref, N_("Critical Hit"))
    read_column(ctx, fp)


def _goes_unnoticed(
    rolled: int, index: int, lines: Sequence[Modifier], shield: Modifier | None
) -> bool:
    """Whether a hit does nothing to a hidden unit, so that nothing is told of it (6.4)."""
    final = rolled + sum(line.value for line in lines)
    if shield is not None and "K" not in read_ift(index, final).text:
        final += shield.value
    return read_ift(index, final).text == "-"


def _direct_hit(
    ctx: Ctx[State], name: str, gun: Weapon, result: IftResult, effects: Effects
) -> bool:
    """KIA destroys a Gun with its crew, K breaks it (6.7)."""
    if result.text.endswith("KIA"):
        ctx.cite("6.7#kia", N_("Direct Hit: Gun and crew are destroyed"))
        ctx.do(Eliminated(unit=gun.id), ("6.7#kia", "2.0.direct_hit#effetti"))
        eliminate(ctx, name, "6.7#kia", effects)
        return True
    if result.text.startswith("K/"):
        ctx.cite("6.7#k", N_("Direct Hit: the Gun malfunctions"))
        if not gun.broken:
            ctx.do(Jammed(weapon=gun.id), ("6.7#k", "2.0.direct_hit#effetti"))
        reduce_unit(ctx, name, "6.7#k", effects)
        return True
    return False


def _shield(state: State, shot: Shot, one: Unit) -> Modifier | None:
    """What the gunshield adds after a Near Miss; in ATT only what beats the TEM (6.6, 6.3)."""
    how = fire_of(state, shot.e)
    found = gunshield(state, one, [shot.e.hex], how)
    tem = cover(state, one, shot.e.hex, how) if shot.aim.kind == ATT else None
    if found is None or tem is None:
        return found
    more = found.value - tem.value
    return drm(more, "6.6#dopo", N_("gunshield of {unit}"), unit=one.id) if more > 0 else None


# A named vehicle


def vehicle_hit(ctx: Ctx[State], shot: Shot, need: Need, throw: Throw) -> bool:
    """A named vehicle: the DRM of the target, then To Kill (3.2.4.vtt, 7.9)."""
    name = shot.aim.target
    v = ctx.state.vehicles[name]
    final = throw.counted + need.common
    final += add_all(ctx.tally(N_("TH DRM")), vehicle_cases(ctx.state, v, shot))
    text = N_("{unit}: final {dr}, {result}")
    if final > need.number:
        ctx.cite("3.2.4.procedure#colpisci", text, unit=name, dr=final, result=N_("miss"))
        return False
    ctx.cite(("3.2.4.vtt#to-kill", "2.0.hit"), text, unit=name, dr=final, result=N_("hit"))
    critical = throw.original == 2
    if critical:
        ctx.cite(("6.1#due", "2.0.ch#due"), N_("Critical Hit on {unit}"), unit=name)
    shell = shell_of(shot.gun, shot.aim)
    blow = Blow(shell, shot.away, shot.e.hex, throw.coloured, throw.white, critical)
    kill_vehicle(ctx, name, blow)
    return True


def leave_after_kill(ctx: Ctx[State], shot: Shot, firer: Sequence[Modifier]) -> None:
    """A To Kill DR leaves Residual FP with HE, HEAT or a MG, never with other AP (3.3.5)."""
    fp = Fraction(shot.gun.fp) if shot.gun.kind == "mg" else hit_fp(shot.gun, shot.aim)
    if shot.gun.kind == "mg" or shot.aim.ammo in (HE, HEAT):
        ref = "2.0.fp#forza" if shot.gun.kind == "mg" else "3.2.4.effect_infantry#calibro"
        tell_column(ctx, ref, N_("FP of {unit}"), exact(fp), unit=shot.e.id)
        leave_residual(ctx, shot.aim.hex, Residue(fp, firer))


# Smoke


def smoke_hit(ctx: Ctx[State], shot: Shot, burnt: Sequence[str], throw: Throw) -> None:
    """Smoke lands in its hex; WP also shakes those it hits (6.2.smoke, 6.2.wp)."""
    early = ctx.state.phase == PFPH
    white = shot.aim.ammo == WP
    value = (2 if early else 1) if white else (3 if early else 2)
    kind = ("full" if early else "dispersed") + (" WP" if white else "")
    full, dispersed = '1.2.5#pedine/⅝" piena', '1.2.5#pedine/⅝" dispersa'
    ref = "6.2.wp#mette" if white else "6.2.smoke#mette"
    ctx.do(
        SmokePlaced(hex=shot.aim.hex, value=value, kind=kind, side=shot.e.side),
        (ref, full if early else dispersed, "2.0.wp#fumo" if white else "2.0.smoke#tipi"),
    )
    if white:
        _burn(ctx, shot, burnt, throw)


def _burn(ctx: Ctx[State], shot: Shot, names: Sequence[str], throw: Throw) -> None:
    """A MC with the TEM as its DRM, turned by a CH; one more for an Air Burst (6.2.wp)."""
    effects = Effects()
    how = fire_of(ctx.state, shot.e)
    for name in names:
        one = ctx.state.units[name]
        tem = cover(ctx.state, one, shot.e.hex, how)
        change = -(tem.value if tem is not None else 0)
        if throw.original == 2:
            change = -change
        if air_burst(ctx.state.ground, one.hex, how) is not None:
            change += 1
        cause = drm(
            change,
            "6.2.wp#ch" if throw.original == 2 else "6.2.wp#nmc",
            N_("TEM and Air Burst of {hex} against WP"),
            hex=one.hex,
        )
        morale_check(ctx, name, cause, effects)
    leader_losses(ctx, effects)
