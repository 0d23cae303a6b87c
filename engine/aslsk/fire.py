"""Fire attacks on the IFT: fire groups, FP, DRM, Cowering, effects (3.2.2, 3.2.3).

Refs: 2.0.fg, 2.0.pbf, 2.0.tpbf, 2.0.cowering, 2.0.residual, 3.2, 3.2.1.declare, 3.2.2,
3.2.2.cowering, 3.2.2.fg, 3.2.2.mandatory_fg, 3.2.2.leader, 3.2.2.1, 3.2.3, 3.3.3.ffnam,
3.3.3.ffmo, 3.3.3.fpf, 3.3.5, 3.3.5.shift, 3.5.assault_fire, 4.1, 4.1.breakdown, 6.4, 6.6, 6.8, 7.6,
7.8, casa.15, casa.16, casa.22, casa.23, casa.40, casa.50, casa.54.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache

import msgspec

from engine.aslsk.bogging import bog, bogs, is_rough
from engine.aslsk.book import DR, Modifier, add_all, drm, rule
from engine.aslsk.elements import (
    ADVANCING,
    BOUNDING_FIRST,
    DFF,
    FINAL_FIRE,
    FPF,
    HALVED,
    MG_LIMIT,
    SFF,
    Element,
    arc_of,
    base_fp,
    ca_drm,
    ca_factor,
    fire_phase,
    is_ordnance,
    mode,
    mount,
    normal_range,
    turns_owed,
    turret_column,
    why_not_at,
    why_not_fire,
)
from engine.aslsk.events import (
    Acquired,
    CaChanged,
    Directed,
    Eliminated,
    Fired,
    Flipped,
    Jammed,
    MoverSet,
    ResidualPlaced,
    Revealed,
    Used,
    Volley,
    volley_key,
)
from engine.aslsk.morale import (
    Effects,
    alive,
    apply_result,
    check_reading,
    crew_morale,
    crew_suffers,
    helping_leader,
    in_order,
    leader_losses,
    level,
    pick,
    reveal,
    suffer,
    tell_barrage,
)
from engine.aslsk.sight import Los, declared_los
from engine.aslsk.state import (
    AFPH,
    BOUNDING,
    FINAL,
    FIRST,
    MAP,
    MPH,
    NOTHING,
    OWN_FP,
    PFPH,
    PREP,
    State,
    Unit,
    Vehicle,
    units_at,
    vehicles_at,
    weapons_of,
)
from engine.aslsk.tables import CREW, SQUAD, column, column_fp, ift, residual
from engine.aslsk.terrain import DIRECT, MORTAR, air_burst, cover, crew_cover, is_exposed
from engine.aslsk.units import gun_of, is_inexperienced
from engine.aslsk.vehicle_events import (
    HullSwung,
    IfeFired,
    MaJammed,
    MaLost,
    MgJammed,
    PartFired,
    SwingPaid,
    TurretSwung,
)
from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, unit
from engine.core.late import Late
from engine.core.rules import Ruling, Side
from engine.core.text import N_

ZERO = Fraction(0)
ATTACKS_COUNTED = N_("attack {n} of {most} on these MF or MP")
HALF = Fraction(1, 2)


# Targets


def targets_in(
    state: State, hex: str, side: Side, moving_only: bool
) -> tuple[list[str], list[str]]:
    """Infantry and CE crews that an attack by a side would touch (3.2, 3.3.3, 7.12)."""
    if moving_only and state.mover is not None:
        names = [n for n in state.mover.units if n in state.units and state.units[n].hex == hex]
        crews = [
            n
            for n in state.mover.units
            if n in state.vehicles and state.vehicles[n].ce and state.vehicles[n].hex == hex
        ]
        return names, crews
    group = units_at(state, hex)
    in_melee = any(u.melee for u in group)
    names = [u.id for u in group if u.side != side or in_melee]
    crews = [v.id for v in vehicles_at(state, hex) if v.is_live and v.ce and v.side != side]
    return names, crews


# Forming a fire group


def expenditure(state: State) -> int:
    """Which expenditure of the mover is fired at; 0 outside the MPh (casa.50)."""
    return len(state.mover.trail) if state.mover is not None and state.phase == MPH else 0


def why_not_volley(state: State, e: Element, target: str) -> Ruling | None:
    """Infantry of one hex fires at one target together, ordnance apart (3.2.2.mandatory_fg)."""
    if e.part == "pf" or is_ordnance(state, e):
        return None
    if e.vehicle:
        done = volley_key(e.vehicle, target, expenditure(state)) in state.volleys
    else:
        weapon = state.weapons.get(e.weapon)
        apart = e.is_ife or (weapon is not None and weapon.data.kind == "ft")
        if apart or (weapon is not None and weapon.shots and not weapon.fire):
            return None
        done = volley_key(e.hex, target, expenditure(state)) in state.volleys
    if done and mode(state, e) not in (SFF, FPF):
        return rule(
            (
                "3.2.2.mandatory_fg",
                "2.0.mandatory_fg",
                "casa.50" if state.mover is not None and state.phase == MPH else "",
            ),
            N_("{hex} has fired at {target} this phase"),
            hex=e.hex,
            target=target,
        )
    return None


def is_far(state: State, e: Element, target: str) -> bool:
    """A MG at more than 16 hexes (4.1)."""
    return e.part == "mg" and not e.vehicle and state.ground.range(e.hex, target) > MG_LIMIT


def why_not_far(
    state: State, e: Element, target: str, group: Sequence[Element] = ()
) -> Ruling | None:
    """A MG fires beyond 16 hexes only if directed, in every hex of its FG (4.1)."""
    if not is_far(state, e, target) and not any(is_far(state, one, target) for one in group):
        return None
    manning = {one.unit for one in (e, *group)}
    if any(
        u.is_leader
        and u.side == e.side
        and u.id not in manning
        and may_direct(state, u, (e, *group))
        for u in units_at(state, e.hex)
    ):
        return None
    return rule("4.1", N_("{unit} fires beyond 16 hexes only if a leader directs it"), unit=e.id)


def why_not_join(
    state: State, group: Sequence[Element], e: Element, target: str
) -> Iterator[Ruling]:
    """Who may fire together (3.2.2.fg, 2.0.fg)."""
    first = group[0]
    if bool(e.vehicle) != bool(first.vehicle) or (e.vehicle and e.vehicle != first.vehicle):
        yield rule("2.0.fg", N_("weapons of a vehicle fire only with each other"))
        return
    others = [one for one in group if one.unit != e.unit and not e.vehicle]
    if any(one.is_ife or e.is_ife for one in others):
        yield rule("6.8", N_("IFE forms no FG"))
    if e.part == "ft" or first.part == "ft":
        yield rule("3.2.2.fg", N_("a FT forms no FG"))
    if all(e.hex != one.hex and e.hex not in state.ground.near[one.hex] for one in group):
        yield rule("3.2.2.fg", N_("{unit} is adjacent to nobody in the FG"), unit=e.id)
    if (found := why_not_volley(state, e, target)) is not None:
        yield found
    if (found := _why_not_with(state, group, e)) is not None:
        yield found
    if (found := why_not_far(state, e, target, group)) is not None:
        yield found
    yield from why_not_fire(state, e)
    yield from why_not_at(state, e, target)


def _why_not_with(state: State, group: Sequence[Element], e: Element) -> Ruling | None:
    """What one unit fires together counts as use too (4.0.usage)."""
    mates = [one for one in group if one.unit and one.unit == e.unit]
    if not mates or mode(state, e) in (SFF, FPF):
        return None
    unit_ = state.units[e.unit]
    used = {*unit_.used, *[one.weapon or OWN_FP for one in mates], e.weapon or OWN_FP}
    if len(used) > (2 if unit_.data.kind == SQUAD else 1):
        return rule("4.0.usage", N_("{unit} cannot fire all that at once"), unit=e.unit)
    return None


def form_group(
    ctx: Ctx[State], side: Side, first: Element, others: Sequence[Element], target: str
) -> list[Element]:
    """The firer adds to the attack until content (3.2.2.fg); FPF takes all its MG (3.3.3.fpf)."""
    group = [first]
    if first.part == "ft":
        return group
    pool = [e for e in others if e.id != first.id and not _is_ordnance_part(ctx.state, e)]
    desperate = any(mode(ctx.state, e) == FPF for e in (first, *pool))
    while True:
        for e in pool if desperate else ():
            forced = _must_join(ctx.state, group, e)
            if forced and e not in group and not any(why_not_join(ctx.state, group, e, target)):
                ctx.cite("3.3.3.fpf", N_("{unit} must fire too"), unit=e.id)
                group.append(e)
        left = [e for e in pool if e not in group]
        if not any(next(why_not_join(ctx.state, group, e, target), None) is None for e in left):
            return group
        choices: list[Choice[Element | None]] = [button("fuoco", None, N_("fire"))]
        choices += [
            unit(e.id, e, N_("{unit} joins"), hex=ctx.state.ground.hex[e.hex]) for e in left
        ]
        chosen = ctx.choose(
            side,
            choices,
            ("3.2.2.fg", "2.0.fg"),
            N_("who joins the attack on {hex}?"),
            why_not=_joins(ctx.state, tuple(group), target),
            hex=target,
        )
        if chosen is None:
            return group
        group.append(chosen)


def _joins(
    state: State, group: tuple[Element, ...], target: str
) -> Callable[[Element | None], Iterator[Ruling] | None]:
    def why_not(e: Element | None) -> Iterator[Ruling] | None:
        return None if e is None else why_not_join(state, group, e, target)

    return why_not


def _is_ordnance_part(state: State, e: Element) -> bool:
    if e.vehicle:
        return e.part == "ma"
    return e.part not in ("fp", "mg", "atr", "ife")


def _must_join(state: State, group: Sequence[Element], e: Element) -> bool:
    """FPF uses all FP and usable MG, or IFE, of the unit (3.3.3.fpf)."""
    if e.part == "atr":
        return False
    return any(
        (one.unit, one.vehicle) == (e.unit, e.vehicle) and mode(state, one) == FPF for one in group
    )


# Directing


def may_direct(state: State, leader: Unit, group: Sequence[Element]) -> bool:
    """One attack per Player Turn, or the same attackers again (3.2.2.leader, 3.4.leader)."""
    if leader.broken or leader.pinned or leader.melee or leader.used:
        return False
    if state.phase in (PFPH, AFPH) and leader.side != state.attacker:
        return False
    if leader.directed:
        return all(e.id in leader.directed for e in group)
    return not leader.fire


def choose_leaders(
    ctx: Ctx[State], side: Side, group: Sequence[Element], target: str, busy: Sequence[str] = ()
) -> list[Unit]:
    """A leader in every hex of the FG may direct it (3.2.2.leader)."""
    if any(e.vehicle or e.part == "ft" or e.is_ife for e in group):
        return []
    manning = {*busy, *[e.unit for e in group]}
    able = {
        hex: [
            u
            for u in units_at(ctx.state, hex)
            if u.side == side
            and u.is_leader
            and u.id not in manning
            and may_direct(ctx.state, u, group)
        ]
        for hex in dict.fromkeys(e.hex for e in group)
    }
    if not all(able.values()):
        return []
    far = [
        rule("4.1", N_("{unit} fires beyond 16 hexes only if a leader directs it"), unit=e.id)
        for e in group
        if is_far(ctx.state, e, target)
    ]
    chosen: list[Unit] = []
    for here in able.values():
        choices: list[Choice[Unit | None]] = [unit(u.id, u, N_("{unit} directs")) for u in here]
        choices.append(button("nessuno", None, N_("nobody directs")))
        leader = ctx.choose(
            side,
            choices,
            ("3.2.2.leader", "1.2.1"),
            N_("who directs the fire on {hex}?"),
            why_not=lambda u: far if u is None else None,
            hex=target,
        )
        if leader is None:
            return []
        chosen.append(leader)
    return chosen


# FP


def element_fp(
    ctx: Ctx[State], e: Element, target: str, good_infantry: bool, helped: bool
) -> Fraction:
    """The FP of one participant after multipliers, with a cited line for each (3.2.2)."""
    state = ctx.state
    away = state.ground.range(e.hex, target)
    fp = ctx.tally(N_("FP"))
    fp.add(base_fp(state, e), "2.0.fp", N_("FP of {unit}"), unit=e.id)
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
        yield Fraction(2), "2.0.pbf", N_("PBF: {unit} is adjacent")
    elif away == 0:
        yield Fraction(3), "3.2.2.1", N_("TPBF: {unit} is in the hex")
    if away > normal_range(state, e):
        yield HALF, "3.2.2", N_("{unit} fires beyond normal range")
    if how in HALVED:
        ref = {SFF: "3.3.3.sff", FPF: "3.3.3.fpf"}.get(how, "3.4")
        yield HALF, ref, N_("{unit} fires again: Area Fire")
    if e.vehicle:
        v = state.vehicles[e.vehicle]
        if how in (ADVANCING, BOUNDING_FIRST):
            yield HALF, "7.8", N_("{unit}: Bounding Fire")
        if v.is_non_stopped:
            yield HALF, "2.0.motion_fire", N_("{unit} is not stopped")
        return
    if how == ADVANCING:
        yield HALF, "3.5", N_("{unit} fires in the AFPh")
    owner = state.units[e.unit]
    if owner.pinned:
        yield HALF, "3.2.3.pinned", N_("{unit} is pinned")
    if e.part == "mg":
        if owner.is_leader and not helped:
            yield HALF, "4.1", N_("a SMC alone fires {unit}")
        if away > MG_LIMIT and good_infantry:
            yield HALF, "4.1", N_("{unit} fires beyond 16 hexes")


def gunners(state: State, owner: Unit, weapon: str) -> list[Unit]:
    """The other SMC who could man a MG with this one (4.1)."""
    return [
        u
        for u in units_at(state, owner.hex)
        if u.is_leader
        and u.id != owner.id
        and u.side == owner.side
        and u.good_order
        and not u.pinned
        and not u.fire
        and u.used in ((), (weapon,))
    ]


def choose_gunners(ctx: Ctx[State], side: Side, group: Sequence[Element]) -> dict[str, str]:
    """Two SMC fire a MG at full FP; one alone at half (4.1)."""
    found: dict[str, str] = {}
    for e in group:
        if e.part != "mg" or e.vehicle or not ctx.state.units[e.unit].is_leader:
            continue
        owner = ctx.state.units[e.unit]
        able = [u for u in gunners(ctx.state, owner, e.weapon) if u.id not in found.values()]
        if not able:
            continue
        choices: list[Choice[str]] = [unit(u.id, u.id, N_("{unit} helps")) for u in able]
        choices.append(button("solo", "", N_("nobody helps")))
        text = N_("who helps {unit} to fire {weapon}?")
        helper = ctx.choose(side, choices, "4.1", text, unit=owner.id, weapon=e.weapon)
        if helper:
            found[e.weapon] = helper
    return found


# DRM


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
                "3.2.2.leader",
                N_("{unit} directs"),
                outside=worst.leadership > 0,
                unit=worst.id,
            )
        )
    hindered = max((sights[e.hex] for e in group), key=lambda s: s.drm)
    found += hindered.hindrance
    tired = [e.unit for e in group if e.unit and state.units[e.unit].cx]
    tired += [u.id for u in leaders if u.cx]
    if tired:
        found.append(drm(1, "3.3.1.double_time", N_("{unit} is CX"), outside=True, unit=tired[0]))
    for e in group:
        if e.vehicle and state.vehicles[e.vehicle].plus:
            found.append(drm(1, "7.10.stun", N_("{unit} was Stunned"), outside=True, unit=e.id))
            break
    turn = max((turning(state, e, target) for e in group), default=0)
    if turn:
        found.append(drm(turn, "3.2.4.ca", N_("change of CA"), outside=True))
    return found


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
        found.append(drm(-2, "6.5", N_("{unit} moves hazardously"), unit=name))
    flames = sum(w.data.kind == "ft" for w in weapons_of(state, name))
    if flames:
        found.append(drm(-flames, "4.2", N_("{unit} has a FT"), unit=name))
    return found


def movement_drm(
    state: State, one: Unit, firers: Sequence[str], how: str, hindered: bool
) -> list[Modifier]:
    """FFNAM and FFMO (3.3.3.ffnam, 3.3.3.ffmo, 3.3.3.broken_target)."""
    found = []
    assaulting = state.mover is not None and state.mover.mode == "Assault Movement"
    if not assaulting or one.broken:
        found.append(drm(-1, "3.3.3.ffnam", N_("FFNAM: {unit}"), unit=one.id))
    if not hindered and all(is_exposed(state, one, hex, how) for hex in firers):
        found.append(drm(-1, ("3.3.3.ffmo", "1.1.1.open_ground"), N_("FFMO: {unit}"), unit=one.id))
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
    return drm(1 if how == MORTAR else 2, "6.6", N_("gunshield of {unit}"), unit=one.id)


# Breakdown


def breakdown(state: State, e: Element) -> tuple[int, int]:
    """B# as it stands and as printed (4.1.breakdown, 4.0.captured, 3.2.4.non_qualified)."""
    weapon = state.weapons[e.weapon]
    printed = weapon.data.b
    number = printed
    owner = state.units[e.unit]
    if mode(state, e) in HALVED:
        number -= 2
    if owner.side != weapon.side:
        number -= 2
    if is_inexperienced(state, owner):
        number -= 1
    if e.is_ife and owner.data.kind != CREW:
        number -= 2
    return number, printed


def weapon_rof(state: State, e: Element) -> int:
    """ROF after reductions; none if pinned or in the AFPh (1.2.4.1, 3.2.4.rof_mod)."""
    if e.vehicle:
        v = state.vehicles[e.vehicle]
        able = e.part == "ife" and mode(state, e) not in (ADVANCING, *HALVED)
        return max(v.data.rof - 1 - (not v.data.is_turreted and v.turned > 0), 0) if able else 0
    weapon = state.weapons[e.weapon]
    owner = state.units[e.unit]
    how = mode(state, e)
    if owner.pinned or how in (ADVANCING, *HALVED):
        return 0
    rof = weapon.data.rof
    if owner.side != weapon.side:
        rof -= 1
    if e.is_ife:
        rof -= 1
        if owner.data.kind != CREW:
            rof -= 1
        if not weapon.data.is_360 and (weapon.turned or weapon.ca < 0):
            rof -= 1
    return max(rof, 0)


# The attack


class Attack(msgspec.Struct, frozen=True):
    """A declared attack on the IFT."""

    side: Side
    group: tuple[Element, ...]
    target: str
    leaders: tuple[Unit, ...] = ()
    gunners: dict[str, str] = {}


def turns_hull(state: State, e: Element, hex: str) -> bool:
    """Whether a weapon turns its hull in woods or a building to fire at a hex (7.6)."""
    if not e.vehicle or e.part == "aamg" or e.hex == hex:
        return False
    v = state.vehicles[e.vehicle]
    if mount(v, e.part) != "hull" or not is_rough(state.ground, v.hex):
        return False
    return state.ground.turns(v.hex, v.vca, hex) > 0


def bogs_turning(ctx: Ctx[State], group: Sequence[Element], hex: str) -> bool:
    """A hull that turns in woods or a building to fire takes a Bog Check first (7.6)."""
    turning = [e.vehicle for e in group if turns_hull(ctx.state, e, hex)]
    if not turning:
        return False
    v = ctx.state.vehicles[turning[0]]
    if not bogs(ctx, v, v.hex, "turn"):
        return False
    bog(ctx, v.id)
    return True


def declare(
    ctx: Ctx[State], side: Side, first: Element, others: Sequence[Element], target: str
) -> None:
    """Firers, leaders, then LOS, then the dice (3.2.2)."""
    group = ctx.once(form_group, ctx, side, first, others, target)
    checked = turns_hull(ctx.state, first, target)
    if not checked and bogs_turning(ctx, group[1:], target):
        group = [e for e in group if not turns_hull(ctx.state, e, target)]
    helpers = choose_gunners(ctx, side, group)
    leaders = ctx.once(choose_leaders, ctx, side, group, target, tuple(helpers.values()))
    with ctx.under("3.2.2", N_("{side} attacks {hex}"), side=side, hex=target):
        if len(group) > 1:
            ctx.cite(("3.2.2.fg", "2.0.fg"), N_("a FG of {n}"), n=len(group))
        resolve(ctx, Attack(side, tuple(group), target, tuple(leaders), helpers))


def resolve(ctx: Ctx[State], attack: Attack) -> None:
    """An IFT attack from declaration to effect."""
    modes = {e.id: mode(ctx.state, e) for e in attack.group}
    for hex in dict.fromkeys(e.hex for e in attack.group):
        unveil(ctx, hex, attack)
    sights = ctx.once(check_los, ctx, attack)
    group = [e for e in attack.group if sights[e.hex].clear]
    lost = [e for e in attack.group if e not in group]
    if lost:
        _wasted(ctx, part_of(attack, lost), modes)
    for piece in split(ctx, attack, group):
        volley(ctx, part_of(attack, piece), sights, modes)


def part_of(attack: Attack, group: Sequence[Element]) -> Attack:
    """The same attack by some of the firers and the leaders of their hexes."""
    hexes = {e.hex for e in group}
    leaders = tuple([u for u in attack.leaders if u.hex in hexes])
    return msgspec.structs.replace(attack, group=tuple(group), leaders=leaders)


def unveil(ctx: Ctx[State], hex: str, attack: Attack) -> None:
    """A hidden Gun that fires is revealed (6.4)."""
    for e in attack.group:
        if e.hex == hex and e.weapon and ctx.state.weapons[e.weapon].hidden:
            ctx.do(Revealed(unit=e.weapon, hex=hex), "6.4")
        if e.hex == hex and e.unit and ctx.state.units[e.unit].hidden:
            ctx.do(Revealed(unit=e.unit, hex=hex), "6.4")


def check_los(ctx: Ctx[State], attack: Attack) -> dict[str, Los]:
    """The thread is stretched only now (3.2.1.declare)."""
    sights: dict[str, Los] = {}
    for e in attack.group:
        if e.hex not in sights:
            found = declared_los(ctx, attack.side, e.hex, attack.target)
            sights[e.hex] = found
            if found.blocked is not None:
                ruling = found.blocked
                cite_blocked(ctx, ruling)
            else:
                text = N_("{hex} sees {target}")
                ctx.cite(("3.2.1", "3.2.1.through_units"), text, hex=e.hex, target=attack.target)
    return sights


def cite_blocked(ctx: Ctx[State], ruling: Ruling) -> None:
    """The rule that stops a LOS, after the attack was declared (3.2.1.declare)."""
    refs = tuple([ref[6:] for ref in ruling.refs])
    at = str(ruling.msg.facts.get("hex", ""))
    ctx.cite(("3.2.1.declare", *refs), ruling.msg.id, hex=at)


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
        ctx.cite("3.2.2.fg", N_("the FG is no longer linked: it fires apart"))
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
    if ctx.choose(attack.side, offers, "3.2.2.fg", text, hex=attack.target):
        return [piece]
    return [[e for e in piece if e.hex == hex] for hex in hexes]


def _wasted(ctx: Ctx[State], attack: Attack, modes: dict[str, str]) -> None:
    """No LOS: they have fired all the same; the DR counts for B# and ROF (3.2.1.declare)."""
    guns = [e for e in attack.group if e.part in ("mg", "atr", "ife") and e.weapon]
    kept: list[Element] = []
    if guns or any(e.vehicle for e in attack.group):
        rofs = {e.id: weapon_rof(ctx.state, e) for e in attack.group if not e.is_own_fp}
        read = _reading(False, any(rofs.values()))
        why = N_("the attack is lost; does a weapon malfunction?")
        rolled, _double, coloured = ctx.roll(DR, read, "3.2.1.declare", why)
        jammed = _malfunction(ctx, guns, rolled) + _vehicle_malfunction(ctx, attack, rolled)
        kept = [e for e in attack.group if 0 < coloured <= rofs.get(e.id, 0)]
        kept = [e for e in kept if e.id not in jammed]
    else:
        ctx.cite("3.2.1.declare", N_("the attack is lost"))
    for e in attack.group:
        _mark(ctx, e, modes[e.id], attack.target, keeps=e in kept)
    _after(ctx, attack, modes)
    _turn(ctx, attack)


def volley(ctx: Ctx[State], attack: Attack, sights: dict[str, Los], modes: dict[str, str]) -> None:
    """One DR for one fire group (3.2.3)."""
    state = ctx.state
    moving = state.phase == MPH and attack.side != state.attacker
    names, crews = targets_in(state, attack.target, attack.side, moving)
    good = any(state.units[n].good_order and not state.units[n].hidden for n in names)
    strengths = ctx.once(firepower, ctx, attack, good)
    fp = sum(strengths.values(), ZERO)
    index = column(fp)
    area = column(ctx.once(against_hidden, state, attack, strengths, good))
    if index < 0:
        ctx.cite("3.2.3", N_("less than 1 FP: no attack"))
    else:
        ctx.cite("3.2.3", N_("{fp} FP on the {column} column"), fp=fp, column=column_fp(index))
    common = ctx.once(firer_drm, state, attack.group, attack.leaders, sights, attack.target)
    mmc = [e for e in attack.group if e.unit and state.units[e.unit].is_mmc and not e.is_ife]
    timid = bool(mmc) and not attack.leaders
    guns = [e for e in attack.group if e.weapon]
    rofs = {e.id: weapon_rof(state, e) for e in attack.group if not e.is_own_fp}
    read = _reading(timid, any(rofs.values()))
    why = N_("{side} fires at {hex}")
    rolled, double, coloured = ctx.roll(
        DR, read, ("3.2.3", "1.4"), why, side=attack.side, hex=attack.target
    )
    cowers = bool(timid and double)
    if cowers:
        shift = 2 if any(is_inexperienced(state, state.units[e.unit]) for e in mmc) else 1
        index = max(index - shift, -1)
        area = max(area - shift, -1)
        text = N_("Cowering: {n} columns to the left")
        ctx.cite("3.2.2.cowering", text, n=shift)
    kept = [e for e in attack.group if 0 < coloured <= rofs.get(e.id, 0) and not cowers]
    jammed = _malfunction(ctx, guns, rolled)
    jammed += _vehicle_malfunction(ctx, attack, rolled)
    kept = [e for e in kept if e.id not in jammed]
    kept = ctx.once(_spend, ctx, attack, modes, kept, cowers)
    effects = Effects()
    if index >= 0:
        strike(
            ctx,
            names,
            crews,
            index,
            rolled,
            common,
            DIRECT,
            [e.hex for e in attack.group],
            effects,
            moving,
            area,
        )
    else:
        ctx.cite("3.2.3", N_("no effect"))
    if moving:
        share = sum(
            (
                s
                for e in attack.group
                if (s := strengths[e.id])
                and e not in kept
                and e.id not in jammed
                and e.part != "atr"
            ),
            ZERO,
        )
        less = share != fp
        leave_residual(ctx, attack.target, share, cowers, mmc, common, less)
    fpf = list(dict.fromkeys(e.unit for e in attack.group if modes[e.id] == FPF and e.unit))
    if fpf:
        _fpf_check(ctx, fpf, attack, rolled, effects)
    for name in dict.fromkeys(e.vehicle for e in attack.group if modes[e.id] == FPF and e.vehicle):
        _fpf_crew_check(ctx, name, rolled)
    leader_losses(ctx, effects)


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


@cache
def _reading(timid: bool, has_rof: bool) -> Late[tuple[int, bool, int]]:
    """The sum, whether it is a double, the coloured die: what an attack compares (3.2.3)."""

    def read(faces: tuple[int, ...]) -> tuple[int, bool, int]:
        double = timid and faces[0] == faces[1]
        return faces[0] + faces[1], double, faces[0] if has_rof else 0

    return Late(read)


def _spend(
    ctx: Ctx[State], attack: Attack, modes: dict[str, str], kept: list[Element], cowers: bool
) -> list[Element]:
    """What the attack costs its firers; returns who keeps its ROF after all (3.2.5, 3.3.5)."""
    for e in attack.group:
        if e in kept and modes[e.id] == DFF and _declines(ctx, e):
            kept = [k for k in kept if k is not e]
        _mark(ctx, e, modes[e.id], attack.target, keeps=e in kept, cowers=cowers)
    _after(ctx, attack, modes)
    _turn(ctx, attack)
    return kept


def _declines(ctx: Ctx[State], e: Element) -> bool:
    """A weapon may decline its ROF in order to leave Residual FP (3.3.5)."""
    offers = [
        button("tieni", False, N_("keep the ROF")),
        button("rinuncia", True, N_("leave Residual FP instead")),
    ]
    return ctx.choose(e.side, offers, "3.3.5", N_("does {unit} keep its ROF?"), unit=e.id)


def strike(
    ctx: Ctx[State],
    names: Sequence[str],
    crews: Sequence[str],
    index: int,
    rolled: int,
    common: Sequence[Modifier],
    how: str,
    firers: Sequence[str],
    effects: Effects,
    moving: bool,
    area: int | None = None,
) -> None:
    """One DR against everybody in the hex; equal DRM share one result (3.2.3).

    Hidden units suffer apart, on the column of Area Fire; a miss says nothing of them (6.4).
    """
    hindered = any(one.value > 0 and _is_hindrance(one) for one in common)
    hexes = tuple(dict.fromkeys(firers))
    base = sum(one.value for one in common)
    groups: dict[int, list[str]] = {}
    unseen: dict[int, list[str]] = {}
    lines: dict[int, list[Modifier]] = {}
    crews_by: dict[int, list[str]] = {}
    for name in names:
        own = ctx.once(target_drm, ctx.state, name, hexes, how, moving, hindered)
        value = sum(one.value for one in own)
        if ctx.state.units[name].hidden:
            unseen.setdefault(value, []).append(name)
            continue
        lines.setdefault(value, own)
        groups.setdefault(value, []).append(name)
    for name in crews:
        own = crew_cover(ctx.state, ctx.state.vehicles[name], how)
        value = sum(one.value for one in own)
        lines.setdefault(value, own)
        crews_by.setdefault(value, []).append(name)
    for value in dict.fromkeys([*groups, *crews_by]):
        add_all(ctx.tally(N_("DRM")), [*common, *lines[value]])
        final = rolled + base + value
        result = ift(index, final)
        ctx.cite("3.2.3", N_("final DR {dr}: {result}"), dr=final, result=result)
        here = alive(ctx.state, groups.get(value, []))
        inside = [c for c in crews_by.get(value, []) if ctx.state.vehicles[c].ce]
        apply_result(ctx, result, here, inside, index, base + value, effects)
    half = column(Fraction(column_fp(index), 2)) if area is None else area
    for value, crew in unseen.items():
        final = rolled + base + value
        result = ift(half, final) if half >= 0 else "-"
        if result == "-":
            continue
        for name in crew:
            reveal(ctx, name)
        text = N_("Area Fire on the {column} column against a hidden unit")
        ctx.cite(("6.4", "2.0.area_fire"), text, column=column_fp(half))
        own = target_drm(ctx.state, crew[0], hexes, how, moving, hindered)
        add_all(ctx.tally(N_("DRM")), [*common, *own])
        ctx.cite("3.2.3", N_("final DR {dr}: {result}"), dr=final, result=result)
        apply_result(ctx, result, crew, [], half, base + value, effects)


def _is_hindrance(one: Modifier) -> bool:
    refs = ("aslsk:1.1.1.", "aslsk:1.2.5", "aslsk:7.4.1", "aslsk:casa.25", "aslsk:dae2.5")
    return one.ruling.refs[0].startswith(refs)


def leave_residual(
    ctx: Ctx[State],
    hex: str,
    fp: Fraction,
    cowers: bool,
    mmc: Sequence[Element],
    common: Sequence[Modifier],
    less: bool = False,
    burst: bool = False,
) -> None:
    """Half the column used stays in the hex, less outside DRM, one more for an Air Burst.

    Refs: 3.3.5, 3.3.5.shift, casa.23.
    """
    index = column(fp)
    if cowers and index >= 0:
        shift = 2 if any(is_inexperienced(ctx.state, ctx.state.units[e.unit]) for e in mmc) else 1
        index = max(index - shift, -1)
    shifts = sum(one.value for one in common if one.outside and one.value > 0)
    left = residual(index, shifts - burst)
    if left and left > ctx.state.residual.get(hex, 0):
        if shifts:
            ctx.cite("3.3.5.shift", N_("{n} columns less for DRM from outside the hex"), n=shifts)
        if burst:
            ctx.cite(("3.3.5.shift", "2.0.air_burst"), N_("one column more for the Air Burst"))
        refs = ("3.3.5", "2.0.residual", "3.3.5.replace", "casa.23" if less or cowers else "")
        ctx.do(ResidualPlaced(hex=hex, fp=left), refs)


def _malfunction(ctx: Ctx[State], guns: Sequence[Element], rolled: int) -> list[str]:
    """Original DR at or above B#: one random weapon malfunctions (4.1.breakdown, casa.16)."""
    found = [e for e in guns if rolled >= breakdown(ctx.state, e)[0]]
    if not found:
        return []
    name = pick(ctx, [e.id for e in found], "4.1.breakdown", N_("which weapon malfunctions?"))
    e = next(one for one in found if one.id == name)
    number, printed = breakdown(ctx.state, e)
    if number < printed and rolled >= printed:
        refs = ("6.8", "6.12", "casa.15") if e.is_ife else ("4.1.breakdown", "casa.16")
        ctx.do(Eliminated(unit=e.weapon), refs)
    else:
        ctx.do(Jammed(weapon=e.weapon), ("6.12" if e.is_ife else "4.1.breakdown", "2.0.b_num"))
    return [name]


def _vehicle_malfunction(ctx: Ctx[State], attack: Attack, rolled: int) -> list[str]:
    """Vehicular MG break on an original 12, IFE on the B# of the MA (7.8, 6.8)."""
    found = []
    for e in attack.group:
        if not e.vehicle:
            continue
        v = ctx.state.vehicles[e.vehicle]
        if e.part == "ife":
            found += [e.id] if _ife_malfunction(ctx, v, mode(ctx.state, e), rolled) else []
        elif rolled == 12:
            ctx.do(MgJammed(vehicle=v.id, part=e.part), "7.8")
            found.append(e.id)
            break
    return found


def _ife_malfunction(ctx: Ctx[State], v: Vehicle, how: str, rolled: int) -> bool:
    """IFE that fires again: B# -2, and the MA is lost at its B# (6.8, 6.12, casa.15)."""
    again = how in HALVED
    if rolled < v.data.b - (2 if again else 0):
        return False
    if again and rolled >= v.data.b:
        ctx.do(MaLost(vehicle=v.id), ("6.8", "casa.15", "7.10.recall"))
    else:
        ctx.do(MaJammed(vehicle=v.id), ("6.12", "6.8"))
    return True


def counter_of(state: State, how: str, cowers: bool = False) -> str:
    """The fire counter that an attack leaves (3.2.5, 3.3.3, 3.4)."""
    if how == DFF:
        return FINAL if cowers else FIRST
    if state.phase in (PFPH, AFPH):
        return PREP
    return BOUNDING if how == BOUNDING_FIRST else FINAL


def exhaust(ctx: Ctx[State], name: str, how: str) -> None:
    """Who has used in DFF all it may use is marked First Fire (3.3.3, 4.0.usage)."""
    one = ctx.state.units[name]
    limit = 2 if one.data.kind == SQUAD else 1
    if how == DFF and not one.fire and one.place == MAP and len(one.used) >= limit:
        ctx.do(Flipped(unit=name, marker=FIRST), ("3.3.3", "4.0.usage"))


def _mark(
    ctx: Ctx[State], e: Element, how: str, target: str, keeps: bool, cowers: bool = False
) -> None:
    """Put the fire counter on whoever fired; ROF kept leaves none (3.2.5, 3.3.3)."""
    counter = counter_of(ctx.state, how, cowers)
    ref = {DFF: "3.3.3", SFF: "3.3.3.sff", FPF: "3.3.3.fpf", FINAL_FIRE: "3.4"}.get(how, "3.2.5")
    if e.vehicle:
        _mark_vehicle(ctx, e, ref, target, keeps)
        return
    if e.weapon:
        if ctx.state.weapons[e.weapon].place == "map":
            marker = "" if keeps else counter
            ctx.do(Fired(unit=e.weapon, marker=marker), ("1.2.4.1", ref) if keeps else ref)
        if e.is_ife and ctx.state.weapons[e.weapon].acquired:
            ctx.do(Acquired(weapon=e.weapon, hold=NOTHING), ("6.8", "6.10"))
        if how not in (SFF, FPF):
            ctx.do(Used(unit=e.unit, used=e.weapon), "4.0.usage")
        if not keeps:
            exhaust(ctx, e.unit, how)
        owner = ctx.state.units[e.unit]
        marked = e.is_ife or owner.is_leader or cowers
        if marked and owner.fire != counter and not keeps:
            ctx.do(Flipped(unit=e.unit, marker=counter), ref)
    else:
        ctx.do(Fired(unit=e.unit, marker=counter, used="" if how in (SFF, FPF) else OWN_FP), ref)
    if how in (SFF, FPF) and e.unit:
        for weapon in weapons_of(ctx.state, e.unit):
            if weapon.fire != FINAL:
                ctx.do(Flipped(unit=weapon.id, marker=FINAL), ref)
        if ctx.state.units[e.unit].fire != FINAL:
            ctx.do(Flipped(unit=e.unit, marker=FINAL), ref)


def _mark_vehicle(ctx: Ctx[State], e: Element, ref: str, target: str, keeps: bool) -> None:
    """A CMG fired at another hex, and any IFE, lose the acquired target (6.10, 6.8)."""
    v = ctx.state.vehicles[e.vehicle]
    elsewhere = e.part == "cmg" and target != _acquired_hex(ctx.state, v)
    lost = bool(v.acquired) and (elsewhere or e.is_ife)
    bounding = ctx.state.phase == MPH and v.side == ctx.state.attacker
    fired = PartFired(
        vehicle=v.id,
        part=e.part,
        phase=fire_phase(ctx.state, v),
        hex=v.hex if bounding else "",
        forgets=lost,
    )
    if e.is_ife:
        counter = "" if keeps else counter_of(ctx.state, mode(ctx.state, e))
        fired = IfeFired(**msgspec.structs.asdict(fired), marker=counter, kept=keeps)
    ctx.do(fired, (ref, "7.8", "6.10") if lost else (ref, "7.8"))


def _acquired_hex(state: State, v: Vehicle) -> str:
    """Where the acquired target is now (6.10)."""
    name = next(iter(v.target.split()), "")
    there = state.units.get(name) or state.vehicles.get(name)
    return there.hex if there is not None else v.target_hex


def _after(ctx: Ctx[State], attack: Attack, modes: dict[str, str]) -> None:
    """Leaders, mandatory fire groups and repeated attacks are remembered."""
    how = next(iter(modes.values()))
    counter = counter_of(ctx.state, how)
    ids = tuple(e.id for e in attack.group)
    for leader in attack.leaders:
        marker = counter if not ctx.state.units[leader.id].fire else ""
        ctx.do(
            Directed(unit=leader.id, marker=marker, elements=ids), ("3.2.2.leader", "3.4.leader")
        )
    for weapon, helper in attack.gunners.items():
        if weapon in ids and weapon not in ctx.state.units[helper].used:
            ctx.do(Used(unit=helper, used=weapon), "4.1")
    at = expenditure(ctx.state)
    together = [e for e in attack.group if e.vehicle or e.part not in ("ft", "ife")]
    for origin in dict.fromkeys(e.vehicle or e.hex for e in together):
        if volley_key(origin, attack.target, at) not in ctx.state.volleys:
            ctx.do(Volley(hex=origin, target=attack.target, at=at), "3.2.2.mandatory_fg")
    count_shots(ctx, attack.group, attack.side)


def count_shots(ctx: Ctx[State], group: Sequence[Element], side: Side) -> None:
    """Attacks on a mover in its hex are limited by the MF it spends there (3.3.3.repeat)."""
    mover = ctx.state.mover
    if mover is None or ctx.state.phase != MPH or side == ctx.state.attacker:
        return
    shots = dict(mover.shots)
    for e in group:
        shots[e.key] = shots.get(e.key, 0) + 1
    moved = msgspec.structs.replace(mover, shots=shots)
    ctx.do(
        MoverSet(what=N_("attacks are counted"), mover=moved),
        "3.3.3.repeat",
        ATTACKS_COUNTED,
        n=max(shots[e.key] for e in group),
        most=max(1, mover.latest // 2),
    )


def _turn(ctx: Ctx[State], attack: Attack) -> None:
    """Weapons that turned to fire stay turned (7.8, 3.2.4.ca)."""
    for e in attack.group:
        field = ctx.state.ground
        if e.vehicle and e.part != "aamg" and e.hex != attack.target:
            v = ctx.state.vehicles[e.vehicle]
            spine = field.facing_to(v.hex, arc_of(v, e.part), attack.target)
            turn_vehicle(ctx, v.id, e.part, spine)
        elif e.is_ife and e.hex != attack.target:
            weapon = ctx.state.weapons[e.weapon]
            spine = field.facing_to(e.hex, weapon.ca, attack.target)
            if spine != weapon.ca:
                lost = msgspec.structs.replace(weapon.hold, acquired=0)
                turned = CaChanged(weapon=weapon.id, ca=spine, to_fire=True, hold=lost)
                ctx.do(turned, "3.2.4.ca")


def turn_vehicle(ctx: Ctx[State], name: str, part: str, spine: int) -> None:
    """Turn a turret, or the hull with its turret; who fires next from it pays too (7.8)."""
    v = ctx.state.vehicles[name]
    now = arc_of(v, part)
    gap = (spine - now) % 6
    turns = min(gap, 6 - gap)
    if not turns:
        if (v.swing or v.hull_swing) and part not in v.swung:
            ctx.do(SwingPaid(vehicle=name, part=part), "7.8")
        return
    others = [p for p in v.swung if mount(v, p) != mount(v, part)]
    swung = HullSwung if mount(v, part) == "hull" else TurretSwung
    turned = swung(vehicle=name, gap=gap, turns=turns, swung=(*others, part))
    ctx.do(turned, ("3.2.4.vca_tca", "7.8"))


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
            tally.add(change, ("3.3.3.fpf", "3.2.3.mc"), N_("{unit} leads"), unit=leader.id)
        ctx.cite("3.3.3.fpf", N_("the DR {dr} is a NMC for {unit}"), dr=rolled, unit=name)
        suffer(ctx, name, found, effects)


def _fpf_crew_check(ctx: Ctx[State], name: str, rolled: int) -> None:
    """The same NMC for the CE crew of an AFV whose IFE made FPF (6.8, casa.54)."""
    v = ctx.state.vehicles[name]
    if not v.ce:
        ctx.cite(("casa.54", "3.3.3.fpf"), N_("the crew of {unit} is BU: no NMC"), unit=name)
        return
    tell_barrage(ctx, v)
    low = rolled // 2
    read = check_reading(crew_morale(ctx.state, name), int(v.plus), 99)
    text = N_("the DR {dr} is a NMC for {unit}")
    ctx.cite(("casa.54", "3.3.3.fpf"), text, dr=rolled, unit=name)
    crew_suffers(ctx, name, read((low, rolled - low)))
