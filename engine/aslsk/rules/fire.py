"""Fire attacks on the IFT, from the declaration to the effects (3.2.2, 3.2.3).

Refs: 1.4, 2.0.cowering, 2.0.fg, 3.2.1, 3.2.1.declare, 3.2.1.through_units, 3.2.2, 3.2.2.cowering,
3.2.2.fg, 3.2.3, 3.2.3.mc, 3.2.5, 3.3.3.fpf, 3.3.5, 6.4, 6.8, casa.54.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import msgspec

from engine.aslsk.rules.elements import DFF, FPF, Element, mode
from engine.aslsk.rules.fire_groups import (
    Attack,
    choose_gunners,
    choose_leaders,
    form_group,
    targets_in,
)
from engine.aslsk.rules.firepower import ZERO, against_hidden, firepower, firer_drm
from engine.aslsk.rules.firers import (
    COWERING,
    COWERS_ROF,
    bogs_turning,
    malfunction,
    mark,
    printed_rof,
    remember,
    tell_cowering,
    tell_rof,
    turn_all,
    turns_hull,
    weapon_rof,
)
from engine.aslsk.rules.morale import (
    Effects,
    check_reading,
    crew_morale,
    crew_suffers,
    helping_leader,
    in_order,
    leader_losses,
    level,
    suffer,
    tell_barrage,
)
from engine.aslsk.rules.ordnance import is_defensive
from engine.aslsk.rules.sight import Los, cite_blocked, cite_clear, declared_los
from engine.aslsk.rules.strikes import Residue, Strike, leave_residual, strike
from engine.aslsk.rules.terrain import DIRECT
from engine.aslsk.state.book import DR
from engine.aslsk.state.events import Revealed
from engine.aslsk.state.state import MAP, State
from engine.aslsk.state.tables import column, column_fp
from engine.aslsk.state.units import is_inexperienced
from engine.core.ctx import Ctx
from engine.core.decisions import button
from engine.core.late import Late
from engine.core.rules import Side
from engine.core.text import N_
from engine.kit.modifiers import Modifier


class Power(msgspec.Struct, frozen=True):
    """The FP of an attack: of each firer, and the columns that it comes to."""

    each: dict[str, Fraction]
    column: int
    area: int
    """The column against hidden units (6.4)."""

    @property
    def fp(self) -> Fraction:
        """All of it."""
        return sum(self.each.values(), ZERO)


class Dice(msgspec.Struct, frozen=True):
    """The DR of an attack: what it comes to, and how far it makes the firers cower."""

    rolled: int
    coloured: int
    cowering: int = 0
    """Columns to the left (3.2.2.cowering)."""


class Aimed(msgspec.Struct, frozen=True):
    """What is known of an attack before its DR."""

    names: list[str]
    crews: list[str]
    power: Power
    common: list[Modifier]
    rofs: dict[str, int]
    moving: bool
    """Whether it is at movers, in the enemy MPh (3.3.3)."""


class Spent(msgspec.Struct, frozen=True):
    """Which weapons keep their ROF, and which malfunction."""

    kept: tuple[Element, ...]
    jammed: tuple[str, ...]


# Declaring


def declare(
    ctx: Ctx[State], side: Side, first: Element, others: Sequence[Element], target: str
) -> None:
    """Firers, leaders, then LOS, then the dice (3.2.2)."""
    attack = ctx.once(_form, ctx, side, first, others, target)
    with ctx.under("3.2.2#somma", N_("{side} attacks {hex}"), side=side, hex=target):
        if len(attack.group) > 1:
            text, names = N_("a FG of {n}: {units}"), tuple([e.id for e in attack.group])
            ctx.cite(("3.2.2.fg#riunisce", "2.0.fg#somma"), text, n=len(names), units=names)
        resolve(ctx, attack)


def _form(
    ctx: Ctx[State], side: Side, first: Element, others: Sequence[Element], target: str
) -> Attack:
    """The attack as it is declared: who fires, who helps, who directs (3.2.2)."""
    group = ctx.once(form_group, ctx, side, first, others, target)
    checked = turns_hull(ctx.state, first, target)
    if not checked and bogs_turning(ctx, group[1:], target):
        group = [e for e in group if not turns_hull(ctx.state, e, target)]
    helpers = choose_gunners(ctx, side, group)
    leaders = ctx.once(choose_leaders, ctx, side, group, target, tuple(helpers.values()))
    modes = {e.id: mode(ctx.state, e) for e in group}
    return Attack(side, tuple(group), target, tuple(leaders), helpers, modes)


def resolve(ctx: Ctx[State], attack: Attack) -> None:
    """An IFT attack from declaration to effect."""
    sights = ctx.once(unveil, ctx, attack)
    group = [e for e in attack.group if sights[e.hex].clear]
    lost = [e for e in attack.group if e not in group]
    if lost:
        _wasted(ctx, attack.part(lost))
    for part in ctx.once(_parts, ctx, attack, group):
        volley(ctx, part, sights)


def _parts(ctx: Ctx[State], attack: Attack, group: list[Element]) -> list[Attack]:
    """The attacks that are left of a declared one (3.2.2.fg)."""
    return [attack.part(piece) for piece in split(ctx, attack, group)]


def unveil(ctx: Ctx[State], attack: Attack) -> dict[str, Los]:
    """A hidden Gun that fires is revealed; then LOS is checked (6.4, 3.2.1.declare)."""
    for hex in dict.fromkeys(e.hex for e in attack.group):
        for e in attack.group:
            if e.hex == hex and e.weapon and ctx.state.weapons[e.weapon].hidden:
                ctx.do(Revealed(unit=e.weapon, hex=hex), "6.4#spara")
            if e.hex == hex and e.unit and ctx.state.units[e.unit].hidden:
                ctx.do(Revealed(unit=e.unit, hex=hex), "6.4#spara")
    return check_los(ctx, attack)


def check_los(ctx: Ctx[State], attack: Attack) -> dict[str, Los]:
    """The thread is stretched only now (3.2.1.declare)."""
    sights: dict[str, Los] = {}
    for e in attack.group:
        if e.hex not in sights:
            found = declared_los(ctx, attack.side, e.hex, attack.target)
            sights[e.hex] = found
            if found.blocked is not None:
                cite_blocked(ctx, found.blocked)
            else:
                cite_clear(ctx, e.hex, attack.target)
    return sights


def split(ctx: Ctx[State], attack: Attack, group: list[Element]) -> list[list[Element]]:
    """Those with LOS still fire: as a smaller FG if linked, or apart, as they like (3.2.2.fg)."""
    near = ctx.state.ground.near
    left = list(group)
    pieces: list[list[Element]] = []
    while left:
        piece = [left.pop(0)]
        grew = True
        while grew:
            linked = [e for e in left if any(e.hex == p.hex or e.hex in near[p.hex] for p in piece)]
            grew = bool(linked)
            piece += linked
            left = [e for e in left if e not in linked]
        pieces.append(piece)
    if len(pieces) > 1:
        ctx.cite("3.2.2.fg#gli-altri", N_("the FG is no longer linked: it fires apart"))
    if len(group) == len(attack.group):
        return pieces
    return [one for piece in pieces for one in _apart(ctx, attack, piece)]


def _apart(ctx: Ctx[State], attack: Attack, piece: list[Element]) -> list[list[Element]]:
    """What is left of a FG fires together or hex by hex (3.2.2.fg, 3.2.2.mandatory_fg)."""
    hexes = list(dict.fromkeys(e.hex for e in piece))
    if len(hexes) == 1:
        return [piece]
    offers = [
        button("insieme", True, N_("as a smaller FG")),
        button("separati", False, N_("hex by hex")),
    ]
    text = N_("part of the FG has no LOS to {hex}: how do the others fire?")
    if ctx.choose("fire.apart", attack.side, offers, "3.2.2.fg#gli-altri", text, hex=attack.target):
        return [piece]
    return [[e for e in piece if e.hex == hex] for hex in hexes]


def _wasted(ctx: Ctx[State], attack: Attack) -> None:
    """No LOS: they have fired all the same; the DR counts for B# and ROF (3.2.1.declare)."""
    kept: list[Element] = []
    ctx.cite("3.2.1.declare#perso", N_("the attack is lost"))
    if any(e.weapon or e.vehicle for e in attack.group):
        rofs = {e.id: weapon_rof(ctx.state, e) for e in attack.group if not e.is_own_fp}
        read = _reading(False, any(rofs.values()))
        why = N_("does a weapon malfunction?")
        rolled, _double, coloured = ctx.roll(DR, read, "3.2.1.declare#dr", why)
        jammed = malfunction(ctx, attack, rolled)
        kept = [e for e in attack.group if 0 < coloured <= rofs.get(e.id, 0)]
        kept = [e for e in kept if e.id not in jammed]
        for e in attack.group:
            if printed_rof(ctx.state, e) and e.id not in jammed:
                tell_rof(ctx, e, rofs[e.id], coloured, e in kept)
    for e in attack.group:
        mark(ctx, e, attack, keeps=e in kept)
    remember(ctx, attack)
    turn_all(ctx, attack)


# The steps of the book


def volley(ctx: Ctx[State], attack: Attack, sights: dict[str, Los]) -> None:
    """One DR for one fire group: FP, DRM, DR, what it costs, what it does (3.2.3)."""
    aimed = ctx.once(_take_aim, ctx, attack, sights)
    power = aimed.power
    dice = roll(ctx, attack, any(aimed.rofs.values()))
    spent = serve(ctx, attack, aimed.rofs, dice)
    effects = Effects()
    index = max(power.column - dice.cowering, -1)
    if dice.cowering and index >= 0:
        tell_cowering(ctx, index)
    if index >= 0:
        struck = Strike(
            names=aimed.names,
            crews=aimed.crews,
            column=index,
            area=max(power.area - dice.cowering, -1),
            rolled=dice.rolled,
            common=aimed.common,
            how=DIRECT,
            firers=tuple(dict.fromkeys(e.hex for e in attack.group)),
            moving=aimed.moving,
            hindered=any(sights[e.hex].drm > 0 for e in attack.group),
        )
        strike(ctx, struck, effects)
    else:
        none = power.column < 0
        ctx.cite("3.2.3#meno-di-uno" if none else "3.2.2.cowering#sotto", N_("no effect"))
    if aimed.moving:
        left = residue(attack, power, dice, spent, aimed.common)
        if left.fp:
            leave_residual(ctx, attack.target, left)
        else:
            text = N_("no Residual FP: ROF kept, malfunction or ATR")
            ctx.cite(("3.3.5#niente", "casa.23"), text)
    desperate(ctx, attack, dice.rolled, effects)
    leader_losses(ctx, effects)


def _take_aim(ctx: Ctx[State], attack: Attack, sights: dict[str, Los]) -> Aimed:
    """Targets, FP, DRM and ROF of an attack (3.2.2, 3.2.3)."""
    state = ctx.state
    moving = is_defensive(state, attack.group[0])
    names, crews = targets_in(state, attack.target, attack.side, moving)
    power = reckon_power(ctx, attack, names)
    common = firer_drm(state, attack.group, attack.leaders, sights, attack.target)
    rofs = {e.id: weapon_rof(state, e) for e in attack.group if not e.is_own_fp}
    return Aimed(names, crews, power, common, rofs, moving)


def reckon_power(ctx: Ctx[State], attack: Attack, names: Sequence[str]) -> Power:
    """The FP of all, and its column on the IFT (3.2.2, 3.2.3)."""
    state = ctx.state
    good = any(state.units[n].good_order and not state.units[n].hidden for n in names)
    each = firepower(ctx, attack, good)
    area = column(against_hidden(state, attack, each, good))
    power = Power(each, column(sum(each.values(), ZERO)), area)
    if power.column < 0:
        ctx.cite("3.2.3#meno-di-uno", N_("less than 1 FP: no attack"))
    else:
        text = N_("{fp} FP on the {column} column")
        ctx.cite("3.2.3#colonna", text, fp=power.fp, column=column_fp(power.column))
    return power


def timid_units(state: State, attack: Attack) -> list[str]:
    """The MMC who would cower, since nobody directs them (3.2.2.cowering)."""
    if attack.leaders:
        return []
    return [e.unit for e in attack.group if e.unit and state.units[e.unit].is_mmc and not e.is_ife]


def roll(ctx: Ctx[State], attack: Attack, has_rof: bool) -> Dice:
    """The DR; a double makes MMC without a leader cower (3.2.3, 3.2.2.cowering)."""
    timid = timid_units(ctx.state, attack)
    read = _reading(bool(timid), has_rof)
    why = N_("{side} fires at {hex}")
    rolled, double, coloured = ctx.roll(
        DR, read, ("3.2.3#tira", "1.4#due-dadi"), why, side=attack.side, hex=attack.target
    )
    if not timid or not double:
        return Dice(rolled, coloured)
    green = any(is_inexperienced(ctx.state, ctx.state.units[name]) for name in timid)
    shift = 2 if green else 1
    refs = (COWERING[shift - 1], "5.4#cowering" if green else "")
    ctx.cite(refs, N_("Cowering: {n} columns to the left"), n=shift)
    return Dice(rolled, coloured, shift)


@cache
def _reading(timid: bool, has_rof: bool) -> Late[tuple[int, bool, int]]:
    """The sum, whether it is a double, the coloured die: what an attack compares (3.2.3)."""

    def read(faces: tuple[int, ...]) -> tuple[int, bool, int]:
        double = timid and faces[0] == faces[1]
        return faces[0] + faces[1], double, faces[0] if has_rof else 0

    return Late(read)


def serve(ctx: Ctx[State], attack: Attack, rofs: dict[str, int], dice: Dice) -> Spent:
    """ROF, malfunction and counters of the firers (1.2.4.1, 4.1.breakdown, 3.2.5)."""
    cowers = dice.cowering > 0
    fast = [e for e in attack.group if not cowers and 0 < dice.coloured <= rofs.get(e.id, 0)]
    jammed = malfunction(ctx, attack, dice.rolled)
    fast = [e for e in fast if e.id not in jammed]
    kept = ctx.once(_spend, ctx, attack, fast, jammed, rofs, dice)
    return Spent(tuple(kept), tuple(jammed))


def _spend(
    ctx: Ctx[State],
    attack: Attack,
    kept: list[Element],
    jammed: Sequence[str],
    rofs: dict[str, int],
    dice: Dice,
) -> list[Element]:
    """What the attack costs its firers; returns who keeps its ROF after all (3.2.5, 3.3.5)."""
    cowers = bool(dice.cowering)
    for e in attack.group:
        if printed_rof(ctx.state, e) and e.id not in jammed:
            if cowers and rofs[e.id]:
                ctx.cite(("3.2.2.cowering#pedina", "1.2.4.1#di-nuovo"), COWERS_ROF, unit=e.id)
            else:
                tell_rof(ctx, e, rofs[e.id], dice.coloured, e in kept)
        if e in kept and attack.modes[e.id] == DFF and _declines(ctx, e):
            kept = [k for k in kept if k is not e]
        mark(ctx, e, attack, keeps=e in kept, cowers=cowers)
    remember(ctx, attack)
    turn_all(ctx, attack)
    return kept


def _declines(ctx: Ctx[State], e: Element) -> bool:
    """A weapon may decline its ROF in order to leave Residual FP (3.3.5)."""
    offers = [
        button("tieni", False, N_("keep the ROF")),
        button("rinuncia", True, N_("leave Residual FP instead")),
    ]
    gives_up = ctx.choose(
        "fire.rof", e.side, offers, "3.3.5#rinuncia", N_("does {unit} keep its ROF?"), unit=e.id
    )
    if gives_up:
        ctx.cite("3.3.5#rinuncia", N_("{unit} gives its ROF up to leave Residual FP"), unit=e.id)
    return gives_up


def residue(
    attack: Attack, power: Power, dice: Dice, spent: Spent, common: Sequence[Modifier]
) -> Residue:
    """The FP of those who have fired their last here, ATR excepted (3.3.5, casa.23)."""
    done = [e for e in attack.group if e not in spent.kept and e.id not in spent.jammed]
    share = sum((power.each[e.id] for e in done if e.part != "atr"), ZERO)
    return Residue(share, common, dice.cowering, share != power.fp)


# FPF


def desperate(ctx: Ctx[State], attack: Attack, rolled: int, effects: Effects) -> None:
    """The DR of FPF is a NMC for those who made it (3.3.3.fpf, casa.54)."""
    last = [e for e in attack.group if attack.modes[e.id] == FPF]
    people = list(dict.fromkeys(e.unit for e in last if e.unit))
    if people:
        _fpf_check(ctx, people, attack, rolled, effects)
    for name in dict.fromkeys(e.vehicle for e in last if e.vehicle):
        _fpf_crew_check(ctx, name, rolled)


def _fpf_check(
    ctx: Ctx[State], names: Sequence[str], attack: Attack, rolled: int, effects: Effects
) -> None:
    """The DR of FPF is a NMC for those who made it; only leaders change it (3.3.3.fpf)."""
    waiting = in_order(ctx.state, dict.fromkeys([*[u.id for u in attack.leaders], *names]))
    while waiting:
        name = waiting[0]
        one = ctx.state.units[name]
        leader = helping_leader(ctx.state, one, waiting)
        waiting = waiting[1:]
        if one.place != MAP:
            continue
        change = leader.leadership if leader is not None else 0
        tell_barrage(ctx, one)
        read = check_reading(level(ctx.state, one), change, ctx.state.elr.get(one.side, 5))
        low = rolled // 2
        found = read((low, rolled - low))
        if leader is not None:
            tally = ctx.tally(N_("MC DRM"))
            tally.add(
                change, ("3.3.3.fpf#nmc", "3.2.3.mc#leader"), N_("{unit} leads"), unit=leader.id
            )
        ctx.cite("3.3.3.fpf#nmc", N_("the DR {dr} is a NMC for {unit}"), dr=rolled, unit=name)
        suffer(ctx, name, found, effects)


def _fpf_crew_check(ctx: Ctx[State], name: str, rolled: int) -> None:
    """The same NMC for the CE crew of an AFV whose IFE made FPF (6.8, casa.54)."""
    v = ctx.state.vehicles[name]
    if not v.crew.ce:
        ctx.cite(
            ("casa.54#nmc", "3.3.3.fpf#nmc"), N_("the crew of {unit} is BU: no NMC"), unit=name
        )
        return
    drm = ctx.tally(N_("MC DRM"))
    drm.add(int(v.crew.plus), "7.10.stun#piu-uno", N_("{unit} was Stunned"), unit=name)
    tell_barrage(ctx, v)
    low = rolled // 2
    read = check_reading(crew_morale(ctx.state, name), int(drm.total), 99)
    text = N_("the DR {dr} is a NMC for {unit}")
    ctx.cite(("casa.54#nmc", "3.3.3.fpf#nmc"), text, dr=rolled, unit=name)
    crew_suffers(ctx, name, read((low, rolled - low)))
