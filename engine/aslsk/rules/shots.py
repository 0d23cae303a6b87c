"""The To Hit attack from its declaration to its hits, step by step (3.2.4).

Refs: 1.4, 2.0.backblast, 2.0.hit, 2.0.motion_fire, 2.0.th, 3.2.4, 3.2.4.itt, 3.2.4.att, 3.2.4.vtt,
3.2.4.multi_target, 3.2.4.procedure, 3.2.4.red_black, 4.1, 4.1.vs_afv, 4.4, 4.4.3, 6.2.default,
6.2.ap, 6.2.apcr_apds, 6.2.he, 6.2.heat, 6.4, 7.12, casa.39, casa.46.
"""

from __future__ import annotations

from types import MappingProxyType

import msgspec

from engine.aslsk.rules.acquisition import acquire, acquisition
from engine.aslsk.rules.aiming import within_heat
from engine.aslsk.rules.elements import Element
from engine.aslsk.rules.fire_groups import choose_leaders, gunners, targets_in
from engine.aslsk.rules.gunnery import backblast, breaks_down, has_ammo, keeps_rof, mark, turn
from engine.aslsk.rules.guns import may_hide
from engine.aslsk.rules.hits import (
    Hits,
    Need,
    Throw,
    effect,
    leave_after,
    leave_after_kill,
    smoke_hit,
    vehicle_hit,
)
from engine.aslsk.rules.ordnance import (
    AP,
    APCR,
    APDS,
    ATT,
    HE,
    HEAT,
    ITT,
    LATW,
    SMOKE,
    VTT,
    WP,
    Aim,
    Shot,
    shot_of,
)
from engine.aslsk.rules.sight import Los, cite_blocked, cite_clear, declared_los
from engine.aslsk.rules.terrain import crew_cover
from engine.aslsk.rules.to_hit import (
    firer_cases,
    is_in_motion,
    is_red,
    number_changes,
    open_cases,
    person_cases,
    printed_number,
    vehicle_cases,
    why_red,
)
from engine.aslsk.rules.to_kill import shell_name
from engine.aslsk.state.book import DR, LATE_BOTH, drm
from engine.aslsk.state.events import Revealed, Used
from engine.aslsk.state.ground import BUILDINGS
from engine.aslsk.state.state import State, vehicles_at
from engine.aslsk.state.tables import band, th_case
from engine.core.ctx import Ctx
from engine.core.decisions import button, unit
from engine.core.rules import RuleBug
from engine.core.text import N_
from engine.kit.modifiers import Modifier, add_all

HIT, MISS = N_("hit"), N_("miss")
TH = N_("TH#")


class Target(msgspec.Struct, frozen=True):
    """What a shot may hit in its hex; `known` are the people who are not hidden."""

    sight: Los
    names: tuple[str, ...]
    known: tuple[str, ...]
    crews: tuple[str, ...]
    tanks: tuple[str, ...]
    blind: bool
    """Whether ATT goes to a hex where nobody is seen."""


# Declaring


def fire_ordnance(ctx: Ctx[State], e: Element, aim: Aim) -> bool:
    """Declare, see, turn, roll, hit, resolve (3.2.4); returns whether something was hit."""
    if aim.kind == "FT":
        raise RuleBug("a FT makes no To Hit DR")
    shot = declare(ctx, e, aim)
    with ctx.under(
        ("3.2.4#colpire", *_why_so(shot)),
        N_("{unit} fires at {hex}: {how} {ammo}"),
        unit=e.id,
        hex=aim.hex,
        how=aim.kind,
        ammo=shell_name(aim.ammo),
    ):
        return resolve(ctx, shot)


def _why_so(shot: Shot) -> tuple[str, ...]:
    """What tells of the target type of a shot (3.2.4.itt, 3.2.4.att, 3.2.4.vtt, 4.1.vs_afv)."""
    if shot.gun.kind == "mg" and shot.aim.kind == VTT:
        return ("3.2.4.vtt#miri", "4.1.vs_afv#ordnance")
    must = shot.gun.is_mortar or shot.aim.ammo in (SMOKE, WP)
    known = {
        ITT: "3.2.4.itt#munizioni",
        ATT: "3.2.4.att#obbligo" if must else "3.2.4.att#altri",
        VTT: "3.2.4.vtt#miri",
        LATW: "4.4#ordnance",
    }
    return (known[shot.aim.kind],)


def declare(ctx: Ctx[State], e: Element, aim: Aim) -> Shot:
    """Who helps, who directs, and whether the Backblast is avoided (4.1, 3.2.2.leader, 4.4.3)."""
    shot = shot_of(ctx.state, e, aim)
    helper = _second_gunner(ctx, shot)
    leader = None
    if shot.gun.kind in ("mtr", "latw", "atr", "mg") and e.unit:
        chosen = choose_leaders(ctx, e.side, [e], aim.hex, helper)
        leader = chosen[0] if chosen else None
    avoids = shot.gun.has_backblast and avoids_backblast(ctx, e)
    return msgspec.structs.replace(shot, leader=leader, avoids=avoids)


def _second_gunner(ctx: Ctx[State], shot: Shot) -> tuple[str, ...]:
    """Two SMC fire a MG at full FP, and only so at an AFV (4.1, 4.1.vs_afv)."""
    e = shot.e
    if shot.gun.kind != "mg" or not e.unit or not ctx.state.units[e.unit].is_leader:
        return ()
    able = gunners(ctx.state, ctx.state.units[e.unit], e.weapon)
    offers = [unit(u.id, u.id, N_("{unit} helps")) for u in able]
    text = N_("who helps {unit} to fire {weapon}?")
    helper = ctx.choose(
        "fire.gunner", e.side, offers, "4.1#smc", text, unit=e.unit, weapon=e.weapon
    )
    if e.weapon not in ctx.state.units[helper].used:
        ctx.do(Used(unit=helper, used=e.weapon), "4.1#smc")
    return (helper,)


def avoids_backblast(ctx: Ctx[State], e: Element) -> bool:
    """In a building a LATW burns those behind it, or is harder to aim (4.4.3)."""
    if ctx.state.ground.terrain[e.hex] not in BUILDINGS:
        return False
    offers = [
        button("evita", True, N_("+2 To Hit")),
        button("subisci", False, N_("suffer the Backblast")),
    ]
    return ctx.choose(
        "fire.backblast", e.side, offers, ("4.4.3#modi", "2.0.backblast"), N_("Backblast?")
    )


# The steps of the book


def resolve(ctx: Ctx[State], shot: Shot) -> bool:
    """LOS, number, DRM, DR; then what it does to the weapon, and to the target (3.2.4)."""
    target = ctx.once(_take_aim, ctx, shot)
    sight = target.sight
    need = ctx.once(number_needed, ctx, shot, target)
    coloured, white = roll(ctx, shot, need)
    rolled = coloured + white
    if not has_ammo(ctx, shot, rolled):
        return False
    turn(ctx, shot)
    kept = keeps_rof(ctx, shot, coloured)
    jammed = breaks_down(ctx, shot, rolled)
    acquire(ctx, shot, target.known, sight.clear)
    mark(ctx, shot, kept and not jammed)
    if shot.gun.has_backblast and not shot.avoids:
        backblast(ctx, shot.e.hex, coloured)
    if sight.blocked is not None:
        cite_blocked(ctx, sight.blocked)
        return False
    throw = Throw(coloured, white, rolled, count_dice(ctx, shot, coloured, white, rolled))
    leaves = shot.defensive and not kept and not jammed
    if shot.aim.target:
        return _at_vehicle(ctx, shot, need, throw, leaves)
    if shot.aim.ammo in (SMOKE, WP):
        return _smoke(ctx, shot, target, need, throw)
    return _at_hex(ctx, shot, target, need, throw, leaves)


def _take_aim(ctx: Ctx[State], shot: Shot) -> Target:
    """The firer shows itself, the thread is stretched, and the targets are there (6.4, 3.2.1)."""
    reveal_firer(ctx, shot.e)
    sight = declared_los(ctx, shot.e.side, shot.e.hex, shot.aim.hex)
    if sight.clear:
        cite_clear(ctx, shot.e.hex, shot.aim.hex)
    return aimed_at(ctx.state, shot, sight)


def reveal_firer(ctx: Ctx[State], e: Element) -> None:
    """A hidden Gun that fires is shown with its crew (6.4)."""
    for name in (e.weapon, e.unit):
        one = ctx.state.weapons.get(name) or ctx.state.units.get(name)
        if one is not None and one.hidden:
            ctx.do(Revealed(unit=name, hex=e.hex), "6.4#spara")


def aimed_at(state: State, shot: Shot, sight: Los) -> Target:
    """Whom the shot may hit: a named vehicle alone, people, in ATT vehicles too (3.2.4)."""
    aim = shot.aim
    names, crews = targets_in(state, aim.hex, shot.e.side, shot.defensive)
    if aim.target:
        names, crews = [], []
    if aim.ammo == HEAT:
        names = within_heat(state, aim.hex, names)
    known = [name for name in names if not state.units[name].hidden]
    tanks = _tanks_in_area(state, shot) if aim.kind == ATT else []
    blind = aim.kind == ATT and not known and not tanks
    return Target(sight, tuple(names), tuple(known), tuple(crews), tuple(tanks), blind)


def _tanks_in_area(state: State, shot: Shot) -> list[str]:
    """The enemy vehicles of the hex; in DFF the movers alone (3.2.4.att, 3.3.3)."""
    live = [v.id for v in vehicles_at(state, shot.aim.hex) if v.is_live and v.side != shot.e.side]
    if not shot.defensive:
        return live
    movers = state.mover.units if state.mover is not None else ()
    return [name for name in live if name in movers]


# The number and the DR


def number_needed(ctx: Ctx[State], shot: Shot, target: Target) -> Need:
    """The TH# and the DRM of the firer, told before the DR (3.2.4.procedure)."""
    number, critical = printed_number(ctx.state, shot)
    firer = [*ctx.once(firer_cases, ctx.state, shot), *target.sight.hindrance]
    old = acquisition(ctx.state, shot, target.known)
    if old is not None:
        firer.append(old)
    if target.blind:
        firer.append(
            drm(th_case(23), "3.2.4.procedure#to-hit-bersaglio/23", N_("Case 23: empty hex"))
        )
    number = _tell_number(ctx, shot, number)
    _cite_colour(ctx, shot)
    _cite_ammo(ctx, shot.aim)
    common = add_all(ctx.tally(N_("TH DRM")), firer)
    return Need(number, critical, tuple(firer), common)


LATW_ROWS = MappingProxyType(
    {
        "baz43": "4.4#latw/BAZ43/{range}",
        "baz44": "4.4#latw/BAZ44/{range}",
        "baz45": "4.4#latw/BAZ45/{range}",
        "psk": "4.4#latw/PSK/{range}",
        "piat": "4.4#latw/PIAT/{range}",
    }
)


def _number_ref(state: State, shot: Shot) -> str:
    """Where the TH# of a shot is read (3.2.4.procedure, 4.4)."""
    if shot.aim.kind == LATW:
        return LATW_ROWS[shot.gun.grade]
    if shot.gun.is_mortar:
        return "3.2.4.procedure#mortai"
    if shot.aim.kind == VTT and shot.away in (1, 2) and is_in_motion(state, shot):
        return "3.2.4.procedure#in-moto"
    return "3.2.4.procedure#to-hit/{range}/{how}"


def _tell_number(ctx: Ctx[State], shot: Shot, number: int) -> int:
    """The TH# from its table, and what the weapon makes of it (3.2.4.procedure, 4.4)."""
    kind, away = shot.aim.kind, shot.away
    near = kind == VTT and away in (1, 2)
    small = kind == ATT and 13 <= away <= 24 and 0 < shot.gun.calibre <= 57
    th = ctx.tally(TH)
    th.set(
        number,
        (
            _number_ref(ctx.state, shot),
            "2.0.th#to-hit",
            "casa.46" if near else "",
            "casa.39" if small else "",
        ),
        N_("TH# {number} at range {range}"),
        number=number,
        range=away,
        how=kind,
        table="th",
    )
    return number + add_all(th, number_changes(shot))


def _cite_colour(ctx: Ctx[State], shot: Shot) -> None:
    """Red numbers, or black ones where no red is printed (3.2.4.red_black)."""
    kind = shot.aim.kind
    row = None if kind == LATW or shot.gun.is_mortar else band(kind.lower(), shot.away)
    if row is None or not (kind == ATT or is_red(ctx.state, shot.e, shot.gun)):
        return
    if (row.red, row.red_critical) == (row.black, row.critical) and kind != ATT:
        text = N_("no red To Hit number at this range: the black one")
        ctx.cite("3.2.4.red_black#manca", text, colour="black")
    else:
        ref = "3.2.4.red_black#att" if kind == ATT else why_red(ctx.state, shot.gun)
        ctx.cite(ref, N_("red To Hit numbers"), colour="red")


def _cite_ammo(ctx: Ctx[State], aim: Aim) -> None:
    """The rule of the ammunition used; HE and AP are there by default (6.2.default)."""
    if (aim.kind, aim.ammo) in ((ITT, HE), (VTT, AP), (ATT, HE)):
        ctx.cite("6.2.default", N_("ordinary ammunition: {ammo}"), ammo=aim.ammo)
    elif aim.ammo == AP:
        ctx.cite("6.2.ap#fp", N_("AP against infantry"))
    elif aim.ammo == HE:
        ctx.cite("6.2.he", N_("HE against a vehicle"))
    elif aim.ammo == HEAT:
        ctx.cite("6.2.heat#solo", N_("HEAT"))
    elif aim.ammo in (APCR, APDS):
        ctx.cite("6.2.apcr_apds#speciali", N_("special AP: {ammo}"), ammo=aim.ammo)


def roll(ctx: Ctx[State], shot: Shot, need: Need) -> tuple[int, int]:
    """The To Hit DR, the coloured die first (3.2.4.procedure, 1.4)."""
    return ctx.roll(
        DR,
        LATE_BOTH,
        ("3.2.4.procedure#colpisci", "1.4#due-dadi"),
        N_("{unit}: To Hit {number}"),
        unit=shot.e.id,
        number=need.number - need.common,
    )


def count_dice(ctx: Ctx[State], shot: Shot, coloured: int, white: int, rolled: int) -> int:
    """What the dice come to: a vehicle that is not stopped counts the lower one twice (Case 16)."""
    if not shot.e.vehicle or not ctx.state.vehicles[shot.e.vehicle].is_non_stopped:
        return rolled
    doubled = rolled + min(coloured, white)
    refs = ("2.0.motion_fire#dimezzati", "3.2.4.procedure#to-hit-chi-spara/16")
    ctx.cite(refs, N_("Case 16: the lower die counts twice: {n}"), n=doubled)
    return doubled


# Whom it hits


def _at_vehicle(ctx: Ctx[State], shot: Shot, need: Need, throw: Throw, leaves: bool) -> bool:
    """VTT, or a LATW at a vehicle (3.2.4.vtt)."""
    struck = vehicle_hit(ctx, shot, need, throw)
    if struck and leaves:
        leave_after_kill(ctx, shot, need.firer)
    return struck


def _smoke(ctx: Ctx[State], shot: Shot, target: Target, need: Need, throw: Throw) -> bool:
    """A smoke round lands or misses; WP may hit people all the same (6.2.smoke, 6.2.wp)."""
    final = throw.counted + need.common
    burnt: list[str] = []
    for name in target.names if shot.aim.ammo == WP else ():
        own = person_cases(ctx.state, name, shot, target.sight)
        if final + sum(one.value for one in own) <= need.number:
            burnt.append(name)
    if final > need.number and not burnt:
        ctx.cite("3.2.4.procedure#colpisci", N_("a miss"))
        return False
    smoke_hit(ctx, shot, burnt, throw)
    return True


def _at_hex(
    ctx: Ctx[State], shot: Shot, target: Target, need: Need, throw: Throw, leaves: bool
) -> bool:
    """ITT, ATT, a LATW at infantry: one DR, each target with its DRM (3.2.4.multi_target)."""
    people, critical = _hit_people(ctx, shot, target, need, throw)
    crews = _hit_crews(ctx.state, shot, target, need, throw)
    tanks = [name for name in target.tanks if _area_hit(ctx, name, shot, need, throw)]
    hits = Hits(tuple(people), tuple(critical), tuple(crews), tuple(tanks))
    if not people and not crews and not tanks and not _in_vain(ctx, shot, target, need, throw):
        ctx.cite("3.2.4.procedure#colpisci", N_("a miss"))
        return False
    effect(ctx, shot, hits, throw)
    if leaves and people:
        leave_after(ctx, shot, need.firer)
    return True


def _hit_people(
    ctx: Ctx[State], shot: Shot, target: Target, need: Need, throw: Throw
) -> tuple[list[str], list[str]]:
    """Who is hit, and who of them critically; nothing is told of the hidden (6.1, 6.4)."""
    hit: list[str] = []
    critical: list[str] = []
    for name in target.names:
        final = throw.counted + _person_drm(ctx, name, shot, target, need)
        strikes = final <= need.number
        if strikes:
            hit.append(name)
            if final <= need.critical if shot.aim.kind == ITT else throw.original == 2:
                critical.append(name)
        if name in target.known:
            cite_final(ctx, name, final, strikes, "3.2.4.multi_target#ciascuno")
    return hit, critical


def cite_final(ctx: Ctx[State], name: str, final: int, strikes: bool, ref: str) -> None:
    """What a To Hit DR comes to against a target (2.0.hit)."""
    text = N_("{unit}: final {dr}, {result}")
    ctx.cite((ref, "2.0.hit"), text, unit=name, dr=final, result=HIT if strikes else MISS)


def _person_drm(ctx: Ctx[State], name: str, shot: Shot, target: Target, need: Need) -> int:
    """All DRM against one unit; a hidden one in a hex taken for empty has its Case 23 already."""
    cases = open_cases if target.blind else person_cases
    own: list[Modifier] = ctx.once(cases, ctx.state, name, shot, target.sight)
    if name not in target.known:
        return need.common + sum(one.value for one in own)
    lines = [drm(need.common, "3.2.4.multi_target#ciascuno", N_("firer DRM")), *own]
    return add_all(ctx.tally(N_("TH DRM")), lines)


def _hit_crews(state: State, shot: Shot, target: Target, need: Need, throw: Throw) -> list[str]:
    """CE crews that ITT hits (7.12)."""
    if shot.aim.kind != ITT:
        return []
    final = throw.counted + need.common
    return [
        name
        for name in target.crews
        if final + sum(one.value for one in crew_cover(state, state.vehicles[name])) <= need.number
    ]


def _area_hit(ctx: Ctx[State], name: str, shot: Shot, need: Need, throw: Throw) -> bool:
    """Whether ATT hits a vehicle, with the DRM of that vehicle (3.2.4.att, 3.2.4.multi_target)."""
    lines = [
        drm(need.common, "3.2.4.multi_target#ciascuno", N_("firer DRM")),
        *vehicle_cases(ctx.state, ctx.state.vehicles[name], shot),
    ]
    final = throw.counted + add_all(ctx.tally(N_("TH DRM")), lines)
    strikes = final <= need.number
    cite_final(ctx, name, final, strikes, "3.2.4.multi_target#ciascuno")
    return strikes


def _in_vain(ctx: Ctx[State], shot: Shot, target: Target, need: Need, throw: Throw) -> bool:
    """An empty hex is hit for all that anybody may know (6.4, 6.11)."""
    hit = target.blind and throw.counted + need.common <= need.number
    return hit and may_hide(ctx.state, shot.aim.hex)
