"""Who fires together at what, and who directs it (3.2.2.fg, 3.2.2.leader, 4.1).

Refs: 1.2.1, 2.0.fg, 2.0.mandatory_fg, 3.2, 3.2.2.fg, 3.2.2.leader, 3.2.2.mandatory_fg, 3.3.3,
3.3.3.fpf, 3.4.leader, 4.0.usage, 4.1, 6.8, 7.12, casa.50.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from engine.aslsk.rules.elements import (
    FPF,
    MG_LIMIT,
    SFF,
    Element,
    is_ordnance,
    mode,
    usage,
    why_not_at,
    why_not_fire,
)
from engine.aslsk.rules.verdicts import Verdicts
from engine.aslsk.state.book import rule
from engine.aslsk.state.events import volley_key
from engine.aslsk.state.state import (
    AFPH,
    MPH,
    OWN_FP,
    PFPH,
    Mover,
    State,
    Unit,
    units_at,
    vehicles_at,
)
from engine.aslsk.state.tables import SQUAD
from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, unit
from engine.core.rules import Ruling, Side
from engine.core.text import N_


class Attack(msgspec.Struct, frozen=True):
    """A declared attack on the IFT: who fires, at what, who directs and helps."""

    side: Side
    group: tuple[Element, ...]
    target: str
    leaders: tuple[Unit, ...] = ()
    gunners: dict[str, str] = {}
    modes: dict[str, str] = {}
    """How each element fires: what its counters said when it was declared."""

    def part(self, group: Sequence[Element]) -> Attack:
        """The same attack by some of the firers and the leaders of their hexes."""
        hexes = {e.hex for e in group}
        leaders = tuple([u for u in self.leaders if u.hex in hexes])
        return msgspec.structs.replace(self, group=tuple(group), leaders=leaders)


# Targets


def targets_in(
    state: State, hex: str, side: Side, moving_only: bool
) -> tuple[list[str], list[str]]:
    """Infantry and CE crews that an attack by a side would touch (3.2, 3.3.3, 7.12)."""
    if moving_only and state.mover is not None:
        return _movers_in(state, state.mover, hex)
    group = units_at(state, hex)
    in_melee = any(u.melee for u in group)
    names = [u.id for u in group if u.side != side or in_melee]
    crews = [v.id for v in vehicles_at(state, hex) if v.is_live and v.crew.ce and v.side != side]
    return names, crews


def _movers_in(state: State, mover: Mover, hex: str) -> tuple[list[str], list[str]]:
    """Those of the movers who are in a hex (3.3.3)."""
    units, vehicles = state.units, state.vehicles
    names = [n for n in mover.units if n in units and units[n].hex == hex]
    crews = [
        n for n in mover.units if n in vehicles and vehicles[n].crew.ce and vehicles[n].hex == hex
    ]
    return names, crews


# Forming a fire group


def expenditure(state: State) -> int:
    """Which expenditure of the mover is fired at; 0 outside the MPh (casa.50)."""
    return len(state.mover.trail) if state.mover is not None and state.phase == MPH else 0


def why_not_volley(state: State, e: Element, target: str) -> Ruling | None:
    """Infantry of one hex fires at one target together, ordnance apart (3.2.2.mandatory_fg)."""
    if not state.volleys or e.part == "pf" or is_ordnance(state, e):
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
                *_why_together(e),
                "casa.50#spesa" if state.mover is not None and state.phase == MPH else "",
            ),
            N_("{hex} has fired at {target} this phase"),
            hex=e.hex,
            target=target,
        )
    return None


def _why_together(e: Element) -> tuple[str, str]:
    if e.vehicle:
        return "3.2.2.mandatory_fg#veicolo", "2.0.mandatory_fg#veicolo"
    return "3.2.2.mandatory_fg#insieme", "2.0.mandatory_fg#insieme"


def is_far(state: State, e: Element, target: str) -> bool:
    """A MG at more than 16 hexes (4.1)."""
    return e.part == "mg" and not e.vehicle and state.ground.range(e.hex, target) > MG_LIMIT


def why_not_far(
    state: State, e: Element, target: str, group: Sequence[Element] = ()
) -> Ruling | None:
    """A MG fires beyond 16 hexes only if directed, in every hex of its FG (4.1)."""
    if not is_far(state, e, target) and not (
        group and any(is_far(state, one, target) for one in group)
    ):
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
    return rule(
        "4.1#portata", N_("{unit} fires beyond 16 hexes only if a leader directs it"), unit=e.id
    )


_ONLY_WITH_EACH_OTHER = rule("2.0.fg#veicolo", N_("weapons of a vehicle fire only with each other"))


def why_not_join(
    state: State, group: Sequence[Element], e: Element, target: str
) -> Iterator[Ruling]:
    """Who may fire together (3.2.2.fg, 2.0.fg)."""
    first = group[0]
    if bool(e.vehicle) != bool(first.vehicle) or (e.vehicle and e.vehicle != first.vehicle):
        yield _ONLY_WITH_EACH_OTHER
        return
    if _mixes_ife(group, e):
        yield rule("6.8#niente-fg", N_("IFE forms no FG"))
    if e.part == "ft" or first.part == "ft":
        yield rule("3.2.2.fg#mai", N_("a FT forms no FG"))
    near = state.ground.near[e.hex]
    if all(e.hex != one.hex and one.hex not in near for one in group):
        yield rule("3.2.2.fg#adiacente", N_("{unit} is adjacent to nobody in the FG"), unit=e.id)
    if (found := why_not_volley(state, e, target)) is not None:
        yield found
    if (found := _why_not_with(state, group, e)) is not None:
        yield found
    if (found := why_not_far(state, e, target, group)) is not None:
        yield found
    yield from why_not_fire(state, e)
    yield from why_not_at(state, e, target)


def _mixes_ife(group: Sequence[Element], e: Element) -> bool:
    """IFE fires only with what its own unit or vehicle fires (6.8)."""
    if e.vehicle:
        return False
    return any(one.unit != e.unit and (one.is_ife or e.is_ife) for one in group)


def _why_not_with(state: State, group: Sequence[Element], e: Element) -> Ruling | None:
    """What one unit fires together counts as use too (4.0.usage)."""
    mates = [one for one in group if one.unit and one.unit == e.unit]
    if not mates or mode(state, e) in (SFF, FPF):
        return None
    unit_ = state.units[e.unit]
    used = {*unit_.used, *[one.weapon or OWN_FP for one in mates], e.weapon or OWN_FP}
    if len(used) > (2 if unit_.data.kind == SQUAD else 1):
        return rule(usage(unit_), N_("{unit} cannot fire all that at once"), unit=e.unit)
    return None


def form_group(
    ctx: Ctx[State], side: Side, first: Element, others: Sequence[Element], target: str
) -> list[Element]:
    """The firer adds to the attack until content (3.2.2.fg); FPF takes all its MG (3.3.3.fpf)."""
    group = [first]
    if first.part == "ft":
        return group
    pool = [e for e in others if e.id != first.id and not _is_ordnance_part(e)]
    desperate = any(mode(ctx.state, e) == FPF for e in (first, *pool))
    while True:
        if desperate:
            _force(ctx, group, pool, target)
        left = [e for e in pool if e not in group]
        if not _may_join(ctx.state, group, left, target):
            return group
        chosen = _ask_who_joins(ctx, side, group, left, target)
        if chosen is None:
            return group
        group.append(chosen)


def _ask_who_joins(
    ctx: Ctx[State], side: Side, group: list[Element], left: Sequence[Element], target: str
) -> Element | None:
    joins = _joins(ctx.state, group, target)
    return ctx.choose(
        "fire.group",
        side,
        _join_choices(ctx.state, left),
        ("3.2.2.fg#riunisce", "2.0.fg#somma"),
        N_("who joins the attack on {hex}?"),
        why_not=lambda e: None if e is None else joins.against(e.id, e),
        hex=target,
    )


def _join_choices(state: State, left: Sequence[Element]) -> Iterator[Choice[Element | None]]:
    yield button("fuoco", None, N_("fire"))
    field, text = state.ground, N_("{unit} joins")
    for e in left:
        yield unit(e.id, e, text, hex=field.hex[e.hex])


def _force(ctx: Ctx[State], group: list[Element], pool: Sequence[Element], target: str) -> None:
    """FPF brings in the other weapons of whoever makes it (3.3.3.fpf)."""
    for e in pool:
        forced = _must_join(ctx.state, group, e)
        if forced and e not in group and not any(why_not_join(ctx.state, group, e, target)):
            ctx.cite("3.3.3.fpf#tutto", N_("{unit} must fire too"), unit=e.id)
            group.append(e)


def _may_join(state: State, group: Sequence[Element], left: Sequence[Element], target: str) -> bool:
    """Whether somebody could still join a FG (3.2.2.fg)."""
    joins = _joins(state, group, target)
    return any(joins.barred(e.id, e) is None for e in left)


def _joins(state: State, group: Sequence[Element], target: str) -> Verdicts[Element]:
    firers = tuple(group)
    kind = ("join", target, *[one.id for one in firers])
    return Verdicts(state, kind, lambda e: why_not_join(state, firers, e, target))


def _is_ordnance_part(e: Element) -> bool:
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
    hexes = dict.fromkeys(e.hex for e in group)
    able = [_able_leaders(ctx.state, side, group, hex, busy) for hex in hexes]
    if not all(able):
        return []
    far = [
        rule(
            "4.1#portata", N_("{unit} fires beyond 16 hexes only if a leader directs it"), unit=e.id
        )
        for e in group
        if is_far(ctx.state, e, target)
    ]
    chosen: list[Unit] = []
    for here in able:
        leader = _ask_who_directs(ctx, side, here, target, far)
        if leader is None:
            return []
        chosen.append(leader)
    return chosen


def _able_leaders(
    state: State, side: Side, group: Sequence[Element], hex: str, busy: Sequence[str]
) -> list[Unit]:
    """The leaders of a hex who could direct the group and man nothing in it (3.2.2.leader)."""
    manning = {*busy, *[e.unit for e in group]}
    return [
        u
        for u in units_at(state, hex)
        if u.side == side and u.is_leader and u.id not in manning and may_direct(state, u, group)
    ]


def _ask_who_directs(
    ctx: Ctx[State], side: Side, able: Sequence[Unit], target: str, far: Sequence[Ruling]
) -> Unit | None:
    choices: list[Choice[Unit | None]] = [unit(u.id, u, N_("{unit} directs")) for u in able]
    choices.append(button("nessuno", None, N_("nobody directs")))
    return ctx.choose(
        "fire.leader",
        side,
        choices,
        ("3.2.2.leader#dirige", "1.2.1#applica"),
        N_("who directs the fire on {hex}?"),
        why_not=lambda u: far if u is None else None,
        hex=target,
    )


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
        helper = ctx.choose(
            "fire.gunner", side, choices, "4.1#smc", text, unit=owner.id, weapon=e.weapon
        )
        if helper:
            found[e.weapon] = helper
    return found
