"""What fire does to those it hits: KIA, K, MC, PTC, Pin, ELR, wounds (3.2.3, 5.1).

Refs: 2.0.casualty_reduction, 2.0.nmc, 2.0.ptc, 3.2.3.kia, 3.2.3.k, 3.2.3.wound, 3.2.3.mc,
3.2.3.broken, 3.2.3.elr, 3.2.3.pin_on_pass, 3.2.3.llmc, 3.2.3.lltc, 3.2.3.ptc, 3.2.3.pinned,
3.2.3.crew_mc, 3.2.3.dm, 4.0.kia_destroy, 5.1, 7.10.stun, 7.10.recall, casa.10, casa.28, casa.29,
casa.63, dae2.54.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import msgspec

from engine.aslsk.rules.sight import blast_area
from engine.aslsk.state.book import DR, ONE, rule, single
from engine.aslsk.state.events import (
    Broke,
    Eliminated,
    Jammed,
    Marked,
    PointsLost,
    Replaced,
    Revealed,
)
from engine.aslsk.state.state import DM, MAP, PIN, WOUND, State, Unit, Vehicle, units_at, weapons_of
from engine.aslsk.state.tables import CREW, SQUAD, column, column_fp, ift, other
from engine.aslsk.state.units import casualty_points, leaders_at
from engine.aslsk.state.vehicle_events import DrivenInside, Stunned, StunnedAndRecalled
from engine.core.ctx import Ctx, Number, Tally
from engine.core.dice import Reading
from engine.core.pools import Pool
from engine.core.rules import Locators, Side
from engine.core.text import N_, Fact
from engine.kit.modifiers import Modifier

PASS, PINS, FAILS, DROPS, TWELVE, TWELVE_DROPS = "pass", "pin", "fail", "elr", "12", "12 elr"


class Fallen(msgspec.Struct, frozen=True):
    """A leader lost or broken in an attack, as he was."""

    leader: Unit
    eliminated: bool


class Effects:
    """What one attack has done so far: the leaders lost."""

    def __init__(self) -> None:
        self.fallen: list[Fallen] = []


def pick(ctx: Ctx[State], names: Sequence[str], ref: str, why: str) -> str:
    """Random selection: all are equally likely."""
    if len(names) == 1:
        return names[0]
    return ctx.draw(Pool.of(N_("random selection"), names), ref, why)


def reveal(ctx: Ctx[State], name: str) -> None:
    """A hidden unit that suffers an effect is shown (6.4)."""
    unit = ctx.state.units.get(name)
    if unit is None or not unit.hidden:
        return
    ctx.do(Revealed(unit=name, hex=unit.hex), "6.4#effetto")
    for weapon in weapons_of(ctx.state, name):
        if weapon.hidden:
            ctx.do(Revealed(unit=weapon.id, hex=unit.hex), "6.4#effetto")


def eliminate(ctx: Ctx[State], name: str, ref: str, effects: Effects | None = None) -> None:
    """A unit is lost; its weapons stay on the ground."""
    reveal(ctx, name)
    unit = ctx.state.units[name]
    if unit.is_leader and effects is not None:
        effects.fallen.append(Fallen(unit, True))
    ctx.do(Eliminated(unit=name, points=casualty_points(unit)), ref)


def break_unit(
    ctx: Ctx[State], name: str, ref: str, effects: Effects | None = None, was: Unit | None = None
) -> None:
    """A unit breaks and is DM; Pin and CX fall (3.2.3.mc). `was` is what it was before its MC."""
    reveal(ctx, name)
    unit = was or ctx.state.units[name]
    if unit.is_leader and effects is not None:
        effects.fallen.append(Fallen(unit, False))
    ctx.do(Broke(unit=name), (ref, "3.2.3.broken#lato"))


def reduce_unit(ctx: Ctx[State], name: str, ref: str, effects: Effects | None = None) -> None:
    """Casualty Reduction: squad to HS, HS and crew lost, SMC wounded (2.0.casualty_reduction)."""
    reveal(ctx, name)
    unit = ctx.state.units[name]
    if unit.is_leader:
        wound(ctx, name, effects)
    elif unit.data.kind == SQUAD and unit.data.reduced:
        ctx.do(
            Replaced(unit=name, counter=unit.data.reduced), (ref, "2.0.casualty_reduction#squadra")
        )
        refs = ("2.0.casualty_reduction#squadra", "casa.63#ridotta")
        ctx.do(PointsLost(side=unit.side, points=1), refs)
    else:
        eliminate(ctx, name, "2.0.casualty_reduction#hs", effects)


def wound(ctx: Ctx[State], name: str, effects: Effects | None = None) -> None:
    """A SMC is hurt: dr 1-4 a light wound, 5-6 lost; +1 if wounded already (3.2.3.wound)."""
    again = int(ctx.state.units[name].wounded)
    drm = ctx.tally(N_("wound drm"))
    drm.add(again, "3.2.3.wound#ancora", N_("{unit} is wounded already"), unit=name)

    def dies(faces: tuple[int, ...]) -> bool:
        return faces[0] + again >= 5

    if ctx.roll(ONE, dies, "3.2.3.wound#gravita", N_("{unit} is hit: how badly?"), unit=name):
        eliminate(ctx, name, "3.2.3.wound#gravita", effects)
    elif again:
        text = N_("{unit} is wounded again: no more than one wound counts")
        ctx.cite("3.2.3.wound#uno-solo", text, unit=name)
    else:
        ctx.do(Marked(unit=name, marker=WOUND), "3.2.3.wound#gravita")


def pin(ctx: Ctx[State], name: str, ref: str) -> None:
    """A unit is pinned, once per turn (3.2.3.pinned)."""
    unit = ctx.state.units[name]
    if not unit.was_pinned and not unit.broken:
        reveal(ctx, name)
        ctx.do(Marked(unit=name, marker=PIN), (ref, "3.2.3.pinned#effetti"))


def make_dm(ctx: Ctx[State], name: str) -> None:
    """A broken unit under effective fire is DM again (3.2.3.dm)."""
    unit = ctx.state.units[name]
    if unit.broken and not unit.dm and unit.place == MAP:
        ctx.do(Marked(unit=name, marker=DM), "3.2.3.dm#attaccata")


def is_shelled(state: State, hex: str, side: Side) -> bool:
    """Whether a hex lies under a HE FFE of a side's own battery (dae2.54)."""
    return state.oba is not None and state.oba.side == side and hex in blast_area(state)


def level(state: State, unit: Unit) -> int:
    """The morale of a unit where it is: one less under its own barrage (1.2.3, dae2.54)."""
    if state.oba is None:
        return unit.morale
    return unit.morale - is_shelled(state, unit.hex, unit.side)


def tell_barrage(ctx: Ctx[State], one: Unit | Vehicle) -> None:
    """Say why a morale counts one less (dae2.54)."""
    if is_shelled(ctx.state, one.hex, one.side):
        ctx.cite("dae2.54", N_("{unit} is under its own barrage: morale -1"), unit=one.id)


@cache
def check_reading(morale: int, drm: int, elr: int) -> Reading[str]:
    """What a MC distinguishes in its dice."""

    def read(faces: tuple[int, ...]) -> str:
        rolled = faces[0] + faces[1]
        final = rolled + drm
        drops = final - morale > elr
        if rolled == 12:
            return TWELVE_DROPS if drops else TWELVE
        if final > morale:
            return DROPS if drops else FAILS
        return PINS if final == morale else PASS

    return read


def read_for(unit: Unit, check: Reading[str]) -> Reading[str]:
    """A MC as far as it matters: who is broken is not pinned, who cannot drop does not."""
    drops = not unit.broken and bool(unit.data.lower or is_exempt(unit))
    return _as_it_matters(check, unit.broken, drops)


@cache
def _as_it_matters(check: Reading[str], broken: bool, drops: bool) -> Reading[str]:
    alike: dict[str, str] = {}
    if not drops:
        alike |= {DROPS: FAILS, TWELVE_DROPS: TWELVE}
    if broken:
        alike[PINS] = PASS

    def read(faces: tuple[int, ...]) -> str:
        found = check(faces)
        return alike.get(found, found)

    return read


def is_exempt(unit: Unit) -> bool:
    """Whether ELR does not concern a unit (5.1)."""
    return unit.data.kind == CREW or unit.data.no_elr


def helping_leader(state: State, unit: Unit, waiting: Iterable[str]) -> Unit | None:
    """The best leader who may lend his DRM, to leaders of lower morale too (1.2.1, 3.2.3.mc)."""
    waiting = set(waiting)
    found = [
        u
        for u in leaders_at(state, unit.hex, unit.side)
        if u.id != unit.id
        and u.id not in waiting
        and not (unit.is_leader and u.morale <= unit.morale)
    ]
    return min(found, key=lambda u: (u.leadership, u.id), default=None)


def in_order(state: State, names: Iterable[str]) -> list[str]:
    """Leaders check first, the best before the others (casa.29)."""

    def key(name: str) -> tuple[int, int, int, str]:
        unit = state.units[name]
        return (not unit.is_leader, -unit.morale, unit.leadership, name)

    return sorted(names, key=key)


NUMBER_MC = N_("{n} MC")


@cache
def number_mc(extra: int, ref: str) -> Modifier:
    """The number before a MC, which is a DRM (3.2.3.mc)."""
    return Modifier(extra, rule(ref, NUMBER_MC, n=extra))


def morale_checks(
    ctx: Ctx[State], names: Iterable[str], cause: Modifier, effects: Effects, helped: bool = True
) -> None:
    """Every target takes a MC, leaders first (3.2.3.mc)."""
    waiting = in_order(ctx.state, names)
    while waiting:
        name = waiting[0]
        unit = ctx.state.units[name]
        leader = ctx.once(helping_leader, ctx.state, unit, waiting) if helped else None
        waiting = waiting[1:]
        morale_check(ctx, name, cause, effects, leader)


def morale_check(
    ctx: Ctx[State], name: str, cause: Modifier, effects: Effects, leader: Unit | None = None
) -> str:
    """One MC and its consequences; returns what was read (3.2.3.mc)."""
    unit = ctx.state.units[name]
    drm = ctx.tally(N_("MC DRM"))
    drm.add(cause.value, cause.ruling)
    if leader is not None:
        drm.add(leader.leadership, "3.2.3.mc#leader", N_("{unit} leads"), unit=leader.id)
    tell_barrage(ctx, unit)
    elr = ctx.state.elr.get(unit.side, 5)
    morale = level(ctx.state, unit)
    read = read_for(unit, check_reading(morale, int(drm.total), elr))
    why = N_("{unit} takes a MC: {morale} or less")
    need = morale - int(drm.total)
    refs: tuple[str, ...] = ("3.2.3.mc#passa", "2.0.nmc#nmc")
    if cause.value and cause.ruling.msg.id == NUMBER_MC:  # a #MC is the same with its number
        refs = ("3.2.3.mc#passa", "3.2.3.mc#numero", "2.0.nmc#nmc")
    found = ctx.roll(DR, read, refs, why, unit=name, morale=need)
    suffer(ctx, name, found, effects)
    return found


LOST_LEADERSHIP = N_("the leadership of {unit} is missing")


def suffer(ctx: Ctx[State], name: str, found: str, effects: Effects) -> None:
    """The consequences of a MC."""
    unit = ctx.state.units[name]
    if found == PASS:
        ctx.cite("3.2.3.mc#passa", N_("{unit} passes"), unit=name)
        return
    if found == PINS:
        if not unit.broken:
            pin(ctx, name, "3.2.3.pin_on_pass#limite")
        return
    if unit.broken:
        if found in (TWELVE, TWELVE_DROPS):
            eliminate(ctx, name, "3.2.3.mc#gia-broken", effects)
        else:
            reduce_unit(ctx, name, "3.2.3.mc#gia-broken", effects)
        return
    if found in (TWELVE, TWELVE_DROPS):
        reduce_unit(ctx, name, "3.2.3.mc#dodici", effects)
        if ctx.state.units[name].place != MAP:
            return
    if found in (DROPS, TWELVE_DROPS):
        drop_quality(ctx, name)
    break_unit(ctx, name, "3.2.3.mc#fallisce", effects, unit)


def drop_quality(ctx: Ctx[State], name: str) -> None:
    """Failing by more than the ELR costs a step of quality (5.1, casa.28)."""
    unit = ctx.state.units[name]
    if is_exempt(unit):
        ctx.cite(
            ("5.1#esenti", "3.2.3.elr#sostituita"), N_("{unit} is not subject to ELR"), unit=name
        )
    elif lower := unit.data.lower:
        text = N_("{unit} fails by more than its ELR {elr} and becomes {counter}")
        elr = ctx.state.elr.get(unit.side, 5)
        refs = ("3.2.3.elr#sostituita", "5.1#sostituita")
        ctx.do(Replaced(unit=name, counter=lower), refs, text, unit=name, elr=elr, counter=lower)


def pin_checks(ctx: Ctx[State], names: Iterable[str], extra: int, ref: str, lost: str = "") -> None:
    """Unbroken, unpinned targets take a PTC; `lost` is the leader whom it is for (3.2.3.ptc)."""
    able = [n for n in names if not ctx.state.units[n].broken and not ctx.state.units[n].pinned]
    waiting = in_order(ctx.state, able)
    while waiting:
        name = waiting[0]
        unit = ctx.state.units[name]
        leader = helping_leader(ctx.state, unit, waiting)
        waiting = waiting[1:]
        drm = ctx.tally(N_("MC DRM"))
        drm.add(extra, "3.2.3.lltc#leadership", LOST_LEADERSHIP, unit=lost)
        if leader is not None:
            drm.add(leader.leadership, "3.2.3.ptc#leader", N_("{unit} leads"), unit=leader.id)
        tell_barrage(ctx, unit)
        need = level(ctx.state, unit) - int(drm.total)

        def fails(faces: tuple[int, ...], need: int = need) -> bool:
            return faces[0] + faces[1] > need

        why = N_("{unit} takes a PTC: {morale} or less")
        if ctx.roll(DR, fails, (ref, "2.0.ptc#ptc"), why, unit=name, morale=need):
            pin(ctx, name, "3.2.3.ptc#tira")
        else:
            ctx.cite(ref, N_("{unit} passes"), unit=name)


def leader_losses(ctx: Ctx[State], effects: Effects) -> None:
    """After an attack, those who lost their leader check (3.2.3.llmc, 3.2.3.lltc)."""
    done = 0
    while done < len(effects.fallen):
        fall = effects.fallen[done]
        done += 1
        leader = fall.leader
        harm = max(-leader.leadership, 0)
        below = [
            u.id
            for u in units_at(ctx.state, leader.hex)
            if u.side == leader.side and u.id != leader.id and u.morale < leader.morale
        ]
        if not below or ctx.state.units[below[0]].melee:
            _nobody_checks(ctx, fall, bool(below))
            continue
        for name in below:
            reveal(ctx, name)
        if fall.eliminated:
            with ctx.under("3.2.3.llmc#nmc", N_("{unit} is lost: LLMC"), unit=leader.id):
                why = rule("3.2.3.llmc#leadership", LOST_LEADERSHIP, unit=leader.id)
                morale_checks(ctx, below, Modifier(harm, why), effects)
        else:
            with ctx.under("3.2.3.lltc#ptc", N_("{unit} breaks: LLTC"), unit=leader.id):
                pin_checks(ctx, below, harm, "3.2.3.lltc#ptc", leader.id)


def _nobody_checks(ctx: Ctx[State], fall: Fallen, in_melee: bool) -> None:
    """Why nobody checks for a leader, where others are who might (3.2.3.llmc, 3.2.3.lltc)."""
    leader = fall.leader
    mates = [u for u in units_at(ctx.state, leader.hex) if u.side == leader.side]
    if in_melee:
        ref = "3.2.3.llmc#cc" if fall.eliminated else "3.2.3.lltc#cc"
        text = N_("in Melee nobody checks for {unit}")
        ctx.cite((ref, "3.8.melee#solo-cc"), text, unit=leader.id)
    elif any(u.id != leader.id and not u.hidden for u in mates):
        text = (
            N_("nobody with {unit} has lower morale: no LLMC")
            if fall.eliminated
            else N_("nobody with {unit} has lower morale: no LLTC")
        )
        ref = "3.2.3.llmc#nmc" if fall.eliminated else "3.2.3.lltc#ptc"
        ctx.cite(ref, text, unit=leader.id)


# Crews of AFV


def crew_morale(state: State, name: str) -> int:
    """The best elite MMC of the nationality, one less under its own barrage (7.10, dae2.54)."""
    v = state.vehicles[name]
    return other().crews[v.data.nation] - is_shelled(state, v.hex, v.side)


def stun(ctx: Ctx[State], name: str, ref: str, recall: bool) -> None:
    """A Stun; a second one, or the first of a 1MT, or a STUN, recalls the AFV (7.10.stun)."""
    one = ctx.state.vehicles[name]
    away = recall or one.crew.plus or bool(one.crew.stun) or one.data.turret == "1MT"
    if away:
        why = ("7.10.stun#secondo", "7.10.recall#secondo")
        if recall:
            why = ("7.10.stun#resto", "7.10.recall#stun")
        ctx.do(StunnedAndRecalled(vehicle=name), (ref, *why, "casa.10"))
    else:
        ctx.do(Stunned(vehicle=name), (ref, "7.10.stun#quando"))


def crew_check(ctx: Ctx[State], name: str, extra: int) -> None:
    """A CE crew takes a MC: fail Stun, original 12 STUN, at the limit BU (3.2.3.crew_mc)."""
    one = ctx.state.vehicles[name]
    drm = ctx.tally(N_("MC DRM"))
    drm.add(extra, "3.2.3.mc#numero", NUMBER_MC, n=extra)
    drm.add(int(one.crew.plus), "7.10.stun#piu-uno", N_("{unit} was Stunned"), unit=name)
    tell_barrage(ctx, one)
    morale, change = crew_morale(ctx.state, name), int(drm.total)
    read = check_reading(morale, change, 99)
    why = N_("the crew of {vehicle} takes a MC: {morale} or less")
    refs: tuple[str, ...] = ("3.2.3.mc#passa", "3.2.3.crew_mc#fallisce", "7.10#morale")
    if extra:
        refs = ("3.2.3.mc#passa", "3.2.3.mc#numero", "3.2.3.crew_mc#fallisce", "7.10#morale")
    found = ctx.roll(DR, read, refs, why, vehicle=name, morale=morale - change)
    crew_suffers(ctx, name, found)


def crew_suffers(ctx: Ctx[State], name: str, found: str) -> None:
    """What a MC does to a CE crew (3.2.3.crew_mc)."""
    if found == PASS:
        ctx.cite("3.2.3.mc#passa", N_("the crew of {vehicle} passes"), vehicle=name)
    elif found == PINS:
        ctx.do(DrivenInside(vehicle=name), ("3.2.3.crew_mc#limite", "3.2.3.pinned#equipaggio"))
    else:
        twelve = found in (TWELVE, TWELVE_DROPS)
        stun(ctx, name, "3.2.3.crew_mc#dodici" if twelve else "3.2.3.crew_mc#fallisce", twelve)


# The result of the IFT


class IftResult(msgspec.Struct, frozen=True):
    """What the IFT says, where it was read, and the DRM of those it strikes (3.2.3)."""

    text: str
    column: int
    drm: int = 0


def tell_column(ctx: Ctx[State], ref: Locators, why: str, fp: Number, **facts: Fact) -> int:
    """FP that a weapon has by itself, and the column that it comes to (3.2.3)."""
    strength = ctx.tally(N_("FP"))
    strength.add(fp, ref, why, **facts)
    return read_column(ctx, strength)


def read_column(ctx: Ctx[State], strength: Tally) -> int:
    """The column that the FP of an attack comes to; -1 when there is none (3.2.3)."""
    index = column(strength.total)
    if index >= 0:
        text = N_("{fp} FP on the {column} column")
        ctx.cite("3.2.3#colonna", text, fp=strength.total, column=column_fp(index))
    return index


def read_ift(column: int, final: int, drm: int = 0) -> IftResult:
    """The result of a final DR on a column; `drm` is what changed it (3.2.3)."""
    return IftResult(ift(column, final), column, drm)


def apply_result(
    ctx: Ctx[State],
    result: IftResult,
    targets: Sequence[str],
    crews: Sequence[str],
    effects: Effects,
) -> None:
    """Apply an IFT result to infantry and CE crews that share its DRM (3.2.3)."""
    for name in targets:
        make_dm(ctx, name)
    text = result.text
    if text == "-":
        ctx.cite("3.2.3#trattino", N_("no effect"))
        return
    for name in targets:
        reveal(ctx, name)
    if text.endswith("KIA"):
        _kia(ctx, result, targets, crews, effects)
    elif text.startswith("K/"):
        _k(ctx, int(text[2:]), targets, crews, effects)
    elif text == "PTC":
        pin_checks(ctx, targets, 0, "3.2.3.ptc#tira")
        for name in crews:
            _crew_pin(ctx, name)
    else:
        extra = 0 if text == "NMC" else int(text[:-2])
        morale_checks(ctx, targets, number_mc(extra, "3.2.3.mc#numero"), effects)
        for name in crews:
            crew_check(ctx, name, extra)


def _kia(
    ctx: Ctx[State],
    result: IftResult,
    targets: Sequence[str],
    crews: Sequence[str],
    effects: Effects,
) -> None:
    """That many random targets are lost, the others break (3.2.3.kia)."""
    number = int(result.text[:-3])
    left = [*targets, *crews]
    dead: list[str] = []
    while left and len(dead) < number:
        name = (
            left[0]
            if number - len(dead) >= len(left)
            else pick(ctx, left, "3.2.3.kia#quante", N_("who is eliminated?"))
        )
        left.remove(name)
        dead.append(name)
    for name in dead:
        if name in ctx.state.vehicles:
            stun(ctx, name, "3.2.3.kia#equipaggio", True)
        else:
            lose_weapons(ctx, name, result.column, result.drm)
            eliminate(ctx, name, "3.2.3.kia#quante", effects)
    for name in left:
        if name in ctx.state.vehicles:
            stun(ctx, name, "3.2.3.kia#altre", False)
        elif ctx.state.units[name].broken:
            reduce_unit(ctx, name, "3.2.3.kia#altre", effects)
        else:
            break_unit(ctx, name, "3.2.3.kia#altre", effects)


def lose_weapons(ctx: Ctx[State], name: str, column: int, drm: int) -> None:
    """The weapons of a unit that suffers a KIA may be lost too (4.0.kia_destroy)."""
    for weapon in list(weapons_of(ctx.state, name)):
        why = N_("is {weapon} destroyed?")
        dr = ctx.roll(ONE, single, "4.0.kia_destroy#tira", why, weapon=weapon.id)
        result = ift(column, dr + drm)
        if result.endswith("KIA"):
            ctx.do(Eliminated(unit=weapon.id), "4.0.kia_destroy#risultato")
        elif result.startswith("K/") and not weapon.broken:
            ctx.do(Jammed(weapon=weapon.id), "4.0.kia_destroy#risultato")


def _k(
    ctx: Ctx[State],
    extra: int,
    targets: Sequence[str],
    crews: Sequence[str],
    effects: Effects,
) -> None:
    """One random target is reduced, then all take a MC (3.2.3.k)."""
    name = pick(ctx, [*targets, *crews], "3.2.3.k#una", N_("who suffers Casualty Reduction?"))
    if name in ctx.state.vehicles:
        stun(ctx, name, "3.2.3.k#equipaggio", True)
    else:
        reduce_unit(ctx, name, "3.2.3.k#una", effects)
    alive = [n for n in targets if ctx.state.units[n].place == MAP]
    morale_checks(ctx, alive, number_mc(extra, "3.2.3.k#tutte"), effects)
    for crew in crews:
        if crew != name:
            crew_check(ctx, crew, extra)


def _crew_pin(ctx: Ctx[State], name: str) -> None:
    one = ctx.state.vehicles[name]
    drm = ctx.tally(N_("MC DRM"))
    drm.add(int(one.crew.plus), "7.10.stun#piu-uno", N_("{unit} was Stunned"), unit=name)
    tell_barrage(ctx, one)
    need = crew_morale(ctx.state, name) - int(drm.total)

    def fails(faces: tuple[int, ...]) -> bool:
        return faces[0] + faces[1] > need

    why = N_("the crew of {vehicle} takes a PTC: {morale} or less")
    if ctx.roll(DR, fails, ("3.2.3.ptc#tira", "7.10#morale"), why, vehicle=name, morale=need):
        ctx.do(DrivenInside(vehicle=name), ("3.2.3.ptc#tira", "3.2.3.pinned#equipaggio"))
    else:
        ctx.cite("3.2.3.ptc#tira", N_("the crew of {vehicle} passes"), vehicle=name)


def alive(state: State, names: Iterable[str]) -> list[str]:
    """Those still on the map."""
    return [n for n in names if n in state.units and state.units[n].place == MAP]
