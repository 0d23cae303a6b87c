"""Flamethrowers, demolition charges and Panzerfaust (4.0.destroy, 4.2, 4.3, 4.4.2).

Refs: 2.0.dc, 2.0.ft, 2.0.pf, 4.2, 4.2.vs_afv, 4.3, 4.3.vs_afv, 4.4.2, 4.4.3, 5.4, casa.12, casa.14,
casa.47.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from engine.aslsk.rules.aiming import within_heat
from engine.aslsk.rules.elements import DFF, Element, mode, pf_range, usage
from engine.aslsk.rules.fire_groups import choose_leaders, targets_in
from engine.aslsk.rules.firers import (
    COWERING,
    count_shots,
    counter_of,
    exhaust,
    tell_cowering,
    why_counter,
)
from engine.aslsk.rules.gunnery import backblast
from engine.aslsk.rules.hits import Impact, person_hit
from engine.aslsk.rules.morale import (
    Effects,
    break_unit,
    leader_losses,
    pick,
    pin,
    reduce_unit,
    tell_column,
)
from engine.aslsk.rules.ordnance import LATW, PF, PF_FP, Aim, Shot, is_defensive, shot_of
from engine.aslsk.rules.shots import TH, avoids_backblast, cite_final
from engine.aslsk.rules.sight import cite_clear, declared_los
from engine.aslsk.rules.strikes import Residue, Strike, leave_residual, strike
from engine.aslsk.rules.terrain import COVER, FLAME, TEM
from engine.aslsk.rules.to_hit import person_cases, vehicle_cases
from engine.aslsk.rules.to_kill import (
    REAR,
    Blow,
    Shell,
    armour,
    aspect,
    collateral,
    destroy,
    kill_vehicle,
    location_of,
    resolve_kill,
)
from engine.aslsk.state.book import DR, LATE_BOTH, LATE_TOTAL, ONE, OUTSIDE, drm, rule, single
from engine.aslsk.state.events import Directed, Eliminated, Fired, Flipped, PfUsed, Used
from engine.aslsk.state.state import AFPH, MPH, State, Unit, units_at, vehicles_at, weapons_of
from engine.aslsk.state.tables import Scenario, th_case, to_hit_file, to_kill_file
from engine.aslsk.state.units import gun_of, is_half, is_inexperienced
from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, unit
from engine.core.rules import Ruling, Side
from engine.core.text import N_
from engine.kit.modifiers import Modifier, add_all

PF_SHELL = Shell(PF, nation="german", special=PF)


# Flamethrowers


def ft_fp(away: int) -> int:
    """24 FP at one hex, 12 at two (4.2)."""
    return 24 if away <= 1 else 12


def _ft_x(state: State, e: Element) -> int:
    """X# 10; less for the non-elite, the captured, the inexperienced (4.2, 4.0.captured)."""
    owner = state.units[e.unit]
    x = 10
    if owner.is_mmc and owner.data.grade != "E":
        x -= 2
    if owner.side != state.weapons[e.weapon].side:
        x -= 2
    if is_inexperienced(state, owner):
        x -= 1
    return x


def _burns_out(ctx: Ctx[State], e: Element, rolled: int) -> None:
    """At its X# a FT is used up, whoever lowers it (4.2, 4.0.captured, 5.4)."""
    owner, x = ctx.state.units[e.unit], _ft_x(ctx.state, e)
    refs = (
        "4.2#x",
        "2.0.x_num",
        "4.0.captured#catturata" if owner.side != ctx.state.weapons[e.weapon].side else "",
        "5.4#armi" if is_inexperienced(ctx.state, owner) else "",
    )
    text = N_("{unit} is used up: {dr}, X# {number}")
    ctx.do(Eliminated(unit=e.weapon), refs, text, unit=e.weapon, dr=rolled, number=x)


def _use(ctx: Ctx[State], e: Element, cowers: bool = False) -> None:
    how = mode(ctx.state, e)
    counter = counter_of(ctx.state, how, cowers)
    ctx.do(Fired(unit=e.weapon, marker=counter), ("4.2#fp", why_counter(how)))
    ctx.do(Used(unit=e.unit, used=e.weapon), usage(ctx.state.units[e.unit]))
    exhaust(ctx, e.unit, how)
    if cowers:
        ctx.do(Flipped(unit=e.unit, marker=counter), "3.2.2.cowering#pedina")
    count_shots(ctx, (e,), e.side)


def fire_flame(ctx: Ctx[State], e: Element, hex: str) -> None:
    """A FT on the IFT: no TEM, no leader, no PBF (4.2)."""
    state = ctx.state
    away = state.ground.range(e.hex, hex)
    moving = is_defensive(state, e)
    with ctx.under(("4.2#fp", "2.0.ft#ft"), N_("{unit} burns {hex}"), unit=e.id, hex=hex):
        sight = declared_los(ctx, e.side, e.hex, hex)
        names, crews = targets_in(state, hex, e.side, moving)
        common = list(sight.hindrance)
        owner = state.units[e.unit]
        index = tell_column(ctx, "4.2#fp", N_("FP of a FT at {range}"), ft_fp(away), range=away)
        if sight.clear:
            cite_clear(ctx, e.hex, hex)
            _tell_no_tem(ctx, hex)
        if owner.cx:
            common.append(
                drm(1, "3.3.1.double_time#cx", N_("{unit} is CX"), kind=OUTSIDE, unit=owner.id)
            )
        coloured, white = ctx.roll(
            DR, LATE_BOTH, "4.2#fp", N_("{unit} burns {hex}"), unit=e.id, hex=hex
        )
        rolled = coloured + white
        cowers = coloured == white and owner.is_mmc
        _use(ctx, e, cowers)
        shift = _cowers(ctx, owner) if cowers else 0
        lost = rolled >= _ft_x(ctx.state, e)
        if sight.blocked is not None:
            ctx.cite("3.2.1.declare#perso", N_("the attack is lost"))
        else:
            if shift:
                tell_cowering(ctx, index - shift)
            effects = Effects()
            attack = Strike(
                names=names,
                crews=crews,
                column=index - shift,
                rolled=rolled,
                common=common,
                how=FLAME,
                firers=(e.hex,),
                moving=moving,
                hindered=sight.drm > 0,
            )
            strike(ctx, attack, effects)
            leader_losses(ctx, effects)
            if moving and not lost:
                leave_residual(ctx, hex, Residue(Fraction(ft_fp(away)), common, shift))
        if lost:
            _burns_out(ctx, e, rolled)


def _tell_no_tem(ctx: Ctx[State], hex: str) -> None:
    """The TEM that a FT takes away (4.2)."""
    terrain = ctx.state.ground.terrain[hex]
    if terrain in TEM:
        text = N_("{terrain} gives no TEM against a FT")
        ctx.cite(("4.2#drm", COVER[terrain]), text, terrain=terrain)


def _cowers(ctx: Ctx[State], owner: Unit) -> int:
    """The columns that a double costs a MMC (3.2.2.cowering, 5.4)."""
    green = is_inexperienced(ctx.state, owner)
    shift = 2 if green else 1
    refs = (COWERING[shift - 1], "5.4#cowering" if green else "")
    ctx.cite(refs, N_("Cowering: {n} columns to the left"), n=shift)
    return shift


def flame_vehicle(ctx: Ctx[State], e: Element, aim: Aim) -> None:
    """A FT declared against an AFV: TK# 8, AF ignored (4.2.vs_afv, casa.12)."""
    state = ctx.state
    v = state.vehicles[aim.target]
    away = state.ground.range(e.hex, aim.hex)
    with ctx.under("4.2.vs_afv#dichiarare", N_("{unit} burns {vehicle}"), unit=e.id, vehicle=v.id):
        tk = ctx.tally(N_("TK#"))
        tk.add(to_kill_file().ft, "4.2.vs_afv#tk", N_("TK# of a FT"))
        if away == 2:
            tk.times(Fraction(1, 2), "4.2.vs_afv#modifiche", N_("at two hexes"))
        if v.crew.ce:
            tk.add(1, "4.2.vs_afv#modifiche", N_("{unit} is CE"), unit=v.id)
        where = REAR if away == 0 else aspect(state, v, "hull", e.hex, 1)
        if where == REAR:
            tk.add(1, "7.9#modificatori", N_("rear"))
        final = int(tk.total)
        sight = declared_los(ctx, e.side, e.hex, aim.hex)
        coloured, white = ctx.roll(
            DR,
            LATE_BOTH,
            "4.2.vs_afv#eliminato",
            N_("To Kill {unit}: {number} or less"),
            unit=v.id,
            number=final,
        )
        rolled = coloured + white
        _use(ctx, e)
        lost = rolled >= _ft_x(ctx.state, e)
        if sight.blocked is not None:
            ctx.cite("3.2.1.declare#perso", N_("the attack is lost"))
        elif rolled <= final:
            destroy(ctx, v.id, "casa.12" if rolled == final else "4.2.vs_afv#eliminato")
        else:
            collateral(ctx, v.id, rolled, Fraction(ft_fp(away)), FLAME)
        if sight.clear and not lost and is_defensive(state, e):
            leave_residual(ctx, aim.hex, Residue(Fraction(ft_fp(away))))
        if lost:
            _burns_out(ctx, e, rolled)


# Demolition charges


def explode(ctx: Ctx[State], name: str) -> None:
    """A placed DC attacks in the AFPh with 30 FP; at its X# it is a dud (4.3, casa.14)."""
    weapon = ctx.state.weapons[name]
    hex = weapon.planted
    with ctx.under(
        ("4.3#esplode", "2.0.dc"), N_("{weapon} explodes in {hex}"), weapon=name, hex=hex
    ):
        if (
            weapon.against
            and ctx.state.vehicles[weapon.against].is_live
            and ctx.state.vehicles[weapon.against].hex == hex
        ):
            _charge_vehicle(ctx, name)
        else:
            _charge_hex(ctx, name)
        ctx.do(Eliminated(unit=name), "4.3#si-toglie")


def _charge_hex(ctx: Ctx[State], name: str) -> None:
    weapon = ctx.state.weapons[name]
    hex = weapon.planted
    common: list[Modifier] = []
    index = tell_column(ctx, "4.3#esplode", N_("FP of a DC"), 30)
    if weapon.tired:
        common.append(drm(1, "4.3#drm", N_("{unit} is CX"), unit=weapon.planter))
    coloured, white = ctx.roll(DR, LATE_BOTH, "4.3#esplode", N_("the DC in {hex}"), hex=hex)
    rolled = coloured + white
    if rolled >= weapon.dud_at:
        text = N_("a dud: {dr}, X# {number}")
        ctx.cite(("4.3#x", "casa.14"), text, dr=rolled, number=weapon.dud_at)
        return
    names = [u.id for u in units_at(ctx.state, hex)]
    crews = [v.id for v in vehicles_at(ctx.state, hex) if v.is_live and v.crew.ce]
    effects = Effects()
    attack = Strike(
        names=names,
        crews=crews,
        column=index,
        rolled=rolled,
        common=common,
        how="charge",
        firers=(weapon.hex,),
    )
    strike(ctx, attack, effects)
    leader_losses(ctx, effects)


def _charge_vehicle(ctx: Ctx[State], name: str) -> None:
    """Position DR for the location, then TK# 16 through the hexside of placement (4.3.vs_afv)."""
    weapon = ctx.state.weapons[name]
    refs = ("4.3.vs_afv#posizione", "casa.47#dodici")
    coloured, white = ctx.roll(
        DR, LATE_BOTH, refs, N_("placement DR of {weapon}"), weapon=name, table="dc"
    )
    v = ctx.state.vehicles[weapon.against]
    change = 2 if v.is_non_stopped else 0
    if coloured + white == 12 or coloured + white + change > 12:
        ctx.cite(refs, N_("badly placed: no effect"))
        return
    location = location_of(coloured, white)
    where = aspect(ctx.state, v, location, weapon.hex, coloured)
    tk = ctx.tally(N_("TK#"))
    tk.add(to_kill_file().dc, "4.3.vs_afv#tk", N_("TK# of a DC"))
    tk.add(-armour(v, location, where), "7.1#due-af", N_("AF of the {location}"), location=location)
    resolve_kill(ctx, v.id, "DC", int(tk.total), location, Fraction(30))


# Panzerfaust


def pf_cap(card: Scenario) -> dict[Side, int]:
    """Shots of a side: squads times 1, 1½ or 2 by year (4.4.2)."""
    return {card.pf.side: pf_shots(card.pf.squads, card.date)} if card.pf is not None else {}


def pf_shots(squads: int, date: str) -> int:
    """None before October 1943, then as many as the squads, 1½ times in 1944, twice in 1945."""
    if date < "1943-10":
        return 0
    return squads if date < "1944" else squads * 3 // 2 if date < "1945" else squads * 2


def pf_aims(state: State, e: Element, hex: str) -> list[Aim]:
    """Vehicles, Guns, and infantry in buildings (4.4.2)."""
    tanks = [
        v.id
        for v in vehicles_at(state, hex)
        if v.side != e.side
        and v.is_live
        and not (state.phase == MPH and state.mover is not None and v.id not in state.mover.units)
    ]
    return [Aim(LATW, hex, v, "H") for v in tanks] + [Aim(LATW, hex, "", "H")]


def why_not_pf(state: State, e: Element, aim: Aim) -> Iterator[Ruling]:
    """Good Order Germans within range, in DFF or a fire phase of their own (4.4.2)."""
    away = state.ground.range(e.hex, aim.hex)
    if away > pf_range(state):
        yield rule(
            "4.4.2#periodi//Gittata", N_("a PF reaches {limit} hexes"), limit=pf_range(state)
        )
    if state.phase == MPH and mode(state, e) != DFF:
        yield rule("4.4.2#mai-sff", N_("no PF in SFF or FPF"))
    if not aim.target:
        names, _ = targets_in(state, aim.hex, e.side, is_defensive(state, e))
        known = [n for n in names if not state.units[n].hidden]
        if not within_heat(state, aim.hex, known):
            yield rule("4.4#fanteria", N_("HEAT only against infantry in a building, or a Gun"))


def _pf_check(ctx: Ctx[State], e: Element, aim: Aim) -> bool:
    """The check dr: 1-3 and there is a PF (4.4.2)."""
    one = ctx.state.units[e.unit]
    tally = ctx.tally(N_("PF drm"))
    if not aim.target:
        tally.add(1, "4.4.2#drm", N_("the target is no AFV"))
    if one.cx:
        tally.add(1, "4.4.2#drm", N_("CX"))
    if is_half(one):
        tally.add(1, "4.4.2#drm", N_("HS or crew"))
    if one.is_leader:
        tally.add(2, "4.4.2#drm", N_("SMC"))
    if ctx.state.year >= 1945:
        tally.add(-1, "4.4.2#drm", N_("1945"))
    dr = ctx.roll(
        ONE,
        single,
        ("4.4.2#controllo", "2.0.pf#controllo"),
        N_("{unit} looks for a PF: 3 or less"),
        unit=one.id,
    )
    tries = sum(name.startswith("PF") for name in one.used) + 1
    how = mode(ctx.state, e)
    ctx.do(Used(unit=one.id, used=f"PF{tries}"), (usage(one)))
    exhaust(ctx, one.id, how)
    count_shots(ctx, (e,), e.side)
    if dr == 6:
        if one.pinned:
            break_unit(ctx, one.id, "4.4.2#sei")
        else:
            pin(ctx, one.id, "4.4.2#sei")
        return False
    if dr + int(tally.total) > 3:
        ctx.cite("4.4.2#quattro", N_("no PF is at hand"))
        return False
    return True


def fire_pf(ctx: Ctx[State], e: Element, aim: Aim) -> None:
    """Check, To Hit, Backblast, effect on one target (4.4.2)."""
    with ctx.under("4.4.2#averlo", N_("{unit} uses a PF on {hex}"), unit=e.unit, hex=aim.hex):
        if not _pf_check(ctx, e, aim):
            return
        state = ctx.state
        ctx.do(PfUsed(side=e.side), "4.4.2#tre")
        leaders = choose_leaders(ctx, e.side, [e], aim.hex)
        avoids = avoids_backblast(ctx, e)
        for leader in leaders:
            marker = "" if leader.fire else counter_of(state, mode(state, e))
            ctx.do(
                Directed(unit=leader.id, marker=marker, elements=(e.id,)),
                ("4.4.2#leader", "3.2.2.leader#conta"),
            )
        shot = msgspec.structs.replace(
            shot_of(state, e, aim), leader=leaders[0] if leaders else None, avoids=avoids
        )
        _pf_shot(ctx, shot)


def _pf_cases(state: State, shot: Shot) -> Iterator[Modifier]:
    """The firer-based DRM of a PF (4.4.2)."""
    one = state.units[shot.e.unit]
    if one.pinned:
        yield drm(th_case(2), "3.2.4.procedure#to-hit-chi-spara/2", N_("Case 2: pinned"))
    if one.cx:
        yield drm(th_case(5), "3.3.1.double_time#cx", N_("Case 5: CX"))
    if state.phase == AFPH:
        yield drm(th_case(1), "3.5#dimezzato", N_("Case 1: AFPh"))
    if shot.leader is not None:
        yield drm(shot.leader.leadership, "4.4.2#leader", N_("Case 6: leadership"))
    if shot.avoids:
        yield drm(th_case(12), "4.4.3#piu-due", N_("Case 12: Backblast avoided"))


def _pf_shot(ctx: Ctx[State], shot: Shot) -> None:
    """The To Hit DR: a hit, a miss, or harm to the firer (4.4.2)."""
    state = ctx.state
    e, aim = shot.e, shot.aim
    number = to_hit_file().latw[PF][shot.away]
    sight = declared_los(ctx, e.side, e.hex, aim.hex)
    if sight.clear:
        cite_clear(ctx, e.hex, aim.hex)
    text = N_("TH# {number} at range {range}")
    th = ctx.tally(TH)
    th.set(number, ("4.4.2#th", "2.0.th#to-hit"), text, number=number, range=shot.away, how=PF)
    lines = [*sight.hindrance, *_pf_cases(state, shot)]
    victim = ""
    if aim.target:
        lines += vehicle_cases(state, state.vehicles[aim.target], shot)
    else:
        victim = _pf_victim(ctx, e, aim, shot.defensive)
        lines += person_cases(state, victim, shot, sight)
    change = add_all(ctx.tally(N_("TH DRM")), lines)
    coloured, white = ctx.roll(
        DR,
        LATE_BOTH,
        "4.4.2#th",
        N_("{unit}: To Hit {number}"),
        unit=e.unit,
        number=number - change,
    )
    rolled = coloured + white
    if not shot.avoids:
        backblast(ctx, e.hex, coloured)
    if rolled >= (11 if is_inexperienced(state, state.units[e.unit]) else 12):
        ctx.cite("4.4.2#dodici", N_("the PF harms its firer"))
        if ctx.state.units[e.unit].place == "map":
            reduce_unit(ctx, e.unit, "4.4.2#dodici")
        return
    if sight.blocked is not None:
        ctx.cite("3.2.1.declare#perso", N_("the attack is lost"))
        return
    hit = rolled + change <= number
    cite_final(ctx, aim.target or victim, rolled + change, hit, "4.4.2#th")
    if not hit:
        return
    critical = rolled == 2
    if aim.target:
        blow = Blow(PF_SHELL, shot.away, e.hex, coloured, white, critical)
        kill_vehicle(ctx, aim.target, blow)
    else:
        _pf_people(ctx, shot, victim, critical)


def _pf_victim(ctx: Ctx[State], e: Element, aim: Aim, moving: bool) -> str:
    """One unit only: chosen if it has a Gun or SW, else at random (4.4.2)."""
    names, _ = targets_in(ctx.state, aim.hex, e.side, moving)
    known = [n for n in names if not ctx.state.units[n].hidden]
    names = within_heat(ctx.state, aim.hex, known)
    rich = [n for n in names if weapons_of(ctx.state, n)]
    if rich and len(names) > 1:
        choices: list[Choice[str]] = [unit(n, n) for n in rich]
        choices.append(button("caso", "", N_("at random")))
        chosen = ctx.choose(
            "fire.victim", e.side, choices, "4.4.2#una-sola", N_("whom does the PF strike?")
        )
        if chosen:
            return chosen
    return pick(ctx, names, "4.4.2#una-sola", N_("whom does the PF strike?"))


def _pf_people(ctx: Ctx[State], shot: Shot, victim: str, critical: bool) -> None:
    """16 FP on one unit; an original 12 is a dud, a CH on a Gun needs no DR (4.4.2, 6.1, 6.7)."""
    one = ctx.state.units[victim]
    if one.place != "map":
        return
    rolled = 0
    if not critical or gun_of(ctx.state, one) is None:
        tell_column(ctx, "4.4.2#una-sola", N_("FP of a PF"), PF_FP)
        rolled = ctx.roll(
            DR, LATE_TOTAL, "4.4.2#una-sola", N_("effect of the PF on {unit}"), unit=victim
        )
    if rolled == 12:
        ctx.cite("4.4.2#tk-dodici", N_("a dud"))
        return
    effects = Effects()
    person_hit(ctx, Impact(shot, Fraction(PF_FP), rolled), victim, critical, effects)
    leader_losses(ctx, effects)
