"""Movement of infantry, one expenditure of MF at a time (3.3, 3.3.1, 4.0, 4.3.placement).

Refs: 2.0.assault_move, 2.0.double_time, 2.0.mf, 2.0.smoke, 3.3, 3.3.entry, 3.3.exit, 3.3.1,
3.3.1.leader_bonus, 3.3.1.road_bonus, 3.3.1.stacking, 3.3.1.stack_move, 3.3.1.assault_move,
3.3.1.double_time, 3.3.1.smoke, 3.3.1.recover, 4.0, 4.0.portage, 4.3.placement, 6.4, casa.31.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from types import MappingProxyType

import msgspec

from engine.aslsk.rules.rally import recovery_roll, unpossessed
from engine.aslsk.rules.terrain import SMOKE_COST, by_road, cost_refs, infantry_cost, tell_cost
from engine.aslsk.state.book import ONE, halved, rule, single
from engine.aslsk.state.events import (
    MF_SPENT,
    Carried,
    ChargeKept,
    ChargePlaced,
    Dropped,
    HasMoved,
    Marked,
    MoveBegan,
    Moved,
    MoveEnded,
    MoverSet,
    PlacingBegan,
    Revealed,
    SmokePlaced,
    Tried,
)
from engine.aslsk.state.ground import ORCHARD, WOODS, Ground
from engine.aslsk.state.state import (
    ASSAULT,
    CX,
    DOUBLE,
    MAP,
    NORMAL,
    PREP,
    Mover,
    Parted,
    State,
    Unit,
    Vehicle,
    Weapon,
    units_at,
    vehicles_at,
    weapons_of,
)
from engine.aslsk.state.units import (
    allowance,
    basic_mf,
    capacity,
    enemy_holds,
    excess,
    friends_at,
    gun_of,
    ipc,
    is_inexperienced,
    load,
    why_not_carry,
    why_not_stack,
)
from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, place, unit
from engine.core.rules import Ruling
from engine.core.text import N_

replace = msgspec.structs.replace
GRENADE = N_("grenades")
GRENADE_VALUE = 2
PUSH = N_("pushing a Gun")
PUSH_RUN = N_("pushing a Gun at Double Time")
PUSHING = (PUSH, PUSH_RUN)
RUNNING = (DOUBLE, PUSH_RUN)


def has_fired(state: State, one: Unit) -> bool:
    """Whether a unit has made Prep Fire, with anything (3.2.5)."""
    return (
        one.fire == PREP
        or bool(one.used)
        or any(w.fire == PREP or w.shots for w in weapons_of(state, one.id))
    )


def why_not_move(state: State, name: str) -> Iterator[Ruling]:
    """Who may move in the MPh (3.3)."""
    one = state.units[name]
    if one.done:
        yield rule("3.3.1#finita", N_("{unit} has ended its MPh"), unit=name)
    if one.broken:
        yield rule("3.2.3.broken#non-spara", N_("{unit} is broken"), unit=name)
    if one.melee:
        yield rule("3.3#non-muove", N_("{unit} is in Melee"), unit=name)
    if one.pinned:
        yield rule("3.2.3.pinned#fermo", N_("{unit} has a Pin"), unit=name)
    if has_fired(state, one):
        yield rule("3.3#non-muove", N_("{unit} has made Prep Fire"), unit=name)
    if one.turned:
        yield rule("3.2.4.ca_free#poi", N_("{unit} has turned its Gun"), unit=name)


def choose_mode(ctx: Ctx[State], name: str) -> str:
    """Normal, Assault Movement or Double Time, declared first (3.3.1)."""
    one = ctx.state.units[name]
    choices = [
        button("normale", NORMAL, N_("normal movement")),
        button("assalto", ASSAULT, N_("Assault Movement")),
        button("corsa", DOUBLE, N_("Double Time")),
    ]
    if gun_of(ctx.state, one) is not None:
        choices.append(button("spingi", PUSH, N_("push the Gun")))
        choices.append(button("spingi-corsa", PUSH_RUN, N_("push the Gun at Double Time")))
    return ctx.choose(
        "move.mode",
        one.side,
        choices,
        ("3.3.1#mf", "2.0.mf#mmc"),
        N_("how does {unit} move?"),
        why_not=lambda how: why_not_mode(ctx.state, one, how),
        unit=name,
    )


def why_not_mode(state: State, one: Unit, how: str) -> Iterator[Ruling]:
    """Double Time is for the fresh (3.3.1.double_time); off the map nobody assaults."""
    gun = gun_of(state, one)
    if how in PUSHING and gun is not None and not gun.data.qsu:
        yield rule(
            ("6.5#solo-qsu", "2.0.qrdc#limbered"),
            N_("{weapon} is not QSU and never moves"),
            weapon=gun.id,
        )
    if how in RUNNING:
        if one.cx or one.was_cx:
            ref = "3.3.1.double_time#vietato" if one.cx else "3.3.1.double_time#si-toglie"
            yield rule(ref, N_("{unit} is or was CX"), unit=one.id)
        if one.wounded:
            yield rule("3.2.3.wound#ferito", N_("{unit} is wounded"), unit=one.id)


def companions(state: State, one: Unit, how: str) -> list[Unit]:
    """Who could move along as a stack (3.3.1.stack_move)."""
    return [
        u
        for u in friends_at(state, one.hex, one.side)
        if u.id != one.id
        and next(why_not_move(state, u.id), None) is None
        and next(why_not_mode(state, u, how), None) is None
        and gun_of(state, u) is None
    ]


def start_move(ctx: Ctx[State], name: str) -> None:
    """A unit, alone or as a stack, begins its MPh (3.3.1)."""
    how = choose_mode(ctx, name)
    group = [name]
    while True:
        one = ctx.state.units[name]
        more = [u for u in companions(ctx.state, one, how) if u.id not in group]
        if not more:
            break
        choices: list[Choice[str]] = [button("via", "", N_("go"))]
        choices += [unit(u.id, u.id, N_("{unit} goes along")) for u in more]
        chosen = ctx.choose(
            "move.along",
            one.side,
            choices,
            "3.3.1.stack_move#insieme",
            N_("who moves with {unit}?"),
            unit=name,
        )
        if not chosen:
            break
        group.append(chosen)
    if how in RUNNING:
        for member in group:
            ctx.do(Marked(unit=member, marker=CX), ("3.3.1.double_time#corsa", "2.0.cx#nasce"))
    gun = gun_of(ctx.state, ctx.state.units[name])
    if gun is not None and how not in PUSHING:
        ctx.do(
            Dropped(weapon=gun.id, hex=ctx.state.units[name].hex), ("4.0#lascia", "1.2.6#possesso")
        )
    leader = next(
        (n for n in group if ctx.state.units[n].is_leader and ctx.state.units[n].good_order), ""
    )
    for member in group:
        ctx.do(HasMoved(unit=member), "3.3.1#mf")
    mover = Mover(
        units=tuple(group),
        mode=how,
        leader=leader if any(ctx.state.units[n].is_mmc for n in group) else "",
        spent=dict.fromkeys(group, 0),
        trail=((ctx.state.units[name].hex, 0),),
    )
    ctx.do(MoveBegan(unit=name, mover=mover), "3.3.1#mf")
    tell_allowance(ctx, mover)


def tell_allowance(ctx: Ctx[State], mover: Mover) -> None:
    """The MF of the slowest of a group, part by part (3.3.1.mf_table, 4.0.portage)."""
    state = ctx.state
    name = min(mover.units, key=lambda n: left_mf(state, mover, n, False))
    leader, helped = leading(state, mover, name)
    tell_mf(ctx, state.units[name], leader, helped, mover.mode in RUNNING)


def tell_mf(ctx: Ctx[State], one: Unit, leader: Unit | None, helped: bool, running: bool) -> None:
    """The MF of a unit, part by part (3.3.1.mf_table, 4.0.portage)."""
    state, name = ctx.state, one.id
    mf = ctx.tally(N_("MF"))
    green = "5.4#mf" if one.is_mmc and is_inexperienced(state, one) else ""
    hurt = "3.2.3.wound#ferito" if one.wounded else ""
    refs = (_mf_row(one), green, hurt)
    mf.add(halved(basic_mf(state, one)), refs, N_("MF of {unit}"), unit=name)
    if running:
        mf.add(2, "3.3.1.double_time#corsa", N_("Double Time"))
    if leader is not None:
        mf.add(2, "3.3.1.leader_bonus#resta", N_("{unit} leads"), unit=leader.id)
    free = capacity(one, leader if helped else None, running)
    heavy = load(state, one) - free
    if heavy > 0:
        text = N_("{n} PP too many: {carried} instead of {free}")
        why = ("4.0.portage#oltre", "2.0.ipc#quanto")
        mf.add(-min(heavy, mf.total), why, text, n=heavy, carried=load(state, one), free=free)


def leading(state: State, mover: Mover, name: str) -> tuple[Unit | None, bool]:
    """The SMC who leads a MMC, and whether his IPC is for it: for one MMC only (4.0.portage)."""
    if not mover.leader or mover.leader not in mover.units or state.units[name].is_leader:
        return None, False
    loaded = (n for n in mover.units if load(state, state.units[n]) > ipc(state.units[n]))
    return state.units[mover.leader], name == next(loaded, name)


def is_slowed(state: State, mover: Mover, name: str) -> bool:
    """Whether its load costs a member MF (4.0.portage)."""
    leader, helped = leading(state, mover, name)
    helper = leader if helped else None
    return excess(state, state.units[name], helper, mover.mode in RUNNING) > 0


def left_mf(state: State, mover: Mover, name: str, road_step: bool) -> int:
    """Halves of MF that a member may still spend (3.3.1.mf_table, 3.3.1.road_bonus)."""
    one = state.units[name]
    leader, helped = leading(state, mover, name)
    total = allowance(state, one, leader, mover.mode in RUNNING, helped)
    if mover.road and road_step and not mover.cover and gun_of(state, one) is None:
        total += 2
    return total - mover.spent[name]


def entry_cost(state: State, a: str, b: str, road: bool) -> int:
    """COT, crest, hedge and smoke, in halves (2.0.cot)."""
    return infantry_cost(state.ground, a, b, road) + (SMOKE_COST if b in state.smoke else 0)


def in_smoke(state: State, hex: str) -> tuple[str, ...]:
    """The rule of smoke, if a hex costs more for it (1.2.5)."""
    return ("1.2.5#movimento",) if hex in state.smoke else ()


def why_not_enter(state: State, mover: Mover, hex: str, road: bool) -> Iterator[Ruling]:
    """Where a moving group may not go (3.3, 3.3.1)."""
    field = state.ground
    group = [state.units[n] for n in mover.units]
    here = group[0].hex
    if hex in field.is_off and here not in field.is_off:
        yield rule(
            "3.3.exit#volontaria", N_("leaving the map is no part of the victory conditions")
        )
        return
    if enemy_holds(state, hex, group[0].side) and any(
        u.side != group[0].side and not u.hidden for u in units_at(state, hex)
    ):
        yield rule("3.3#nemici", N_("enemies are in {hex}"), hex=hex)
    elif any(v.side != group[0].side and not v.wreck for v in vehicles_at(state, hex)):
        yield rule("3.3#nemici", N_("an enemy vehicle is in {hex}"), hex=hex)
    yield from why_not_stack(state, hex, group)
    for one in group:
        yield from _why_not_afford(state, mover, one, hex, road)
        if (found := why_not_carry(state, one)) is not None:
            yield found
        if mover.mode == ASSAULT:
            yield from _why_not_assault(state, mover, one, entry_cost(state, here, hex, road))
        for weapon in weapons_of(state, one.id):
            if weapon.moved and weapon.recovered:
                yield rule("4.0#una-volta", N_("{weapon} has moved this MPh"), weapon=weapon.id)


MF_ROWS = MappingProxyType(
    {
        "E": "3.3.1.mf_table#mf/MMC élite, 1ª e 2ª linea",
        "G": "3.3.1.mf_table#mf/MMC Green (inesperta da sola)",
        "C": "3.3.1.mf_table#mf/MMC coscritta",
    }
)


def _mf_row(one: Unit) -> str:
    """Where the table tells the MF of a unit (3.3.1.mf_table)."""
    if one.is_leader:
        return "3.3.1.mf_table#mf/SMC ferito" if one.wounded else "3.3.1.mf_table#mf/SMC"
    return MF_ROWS.get(one.data.grade, MF_ROWS["E"])


def _why_not_afford(
    state: State, mover: Mover, one: Unit, hex: str, road: bool
) -> Iterator[Ruling]:
    """A hex costs more MF than are left (3.3.1.mf_table, 4.0.portage)."""
    field, here = state.ground, one.hex
    cost = entry_cost(state, here, hex, road)
    on_road = road and by_road(field, here, hex) and hex not in state.smoke
    left = left_mf(state, mover, one.id, on_road)
    if cost > left:
        slow = "4.0.portage#oltre" if is_slowed(state, mover, one.id) else ""
        yield rule(
            (_mf_row(one), slow, *cost_refs(field, here, hex, road), *in_smoke(state, hex)),
            N_("{hex} costs {cost} MF, {unit} has {left}"),
            hex=hex,
            cost=halved(cost),
            unit=one.id,
            left=halved(left),
        )


def _why_not_assault(state: State, mover: Mover, one: Unit, cost: int) -> Iterator[Ruling]:
    """Assault Movement is one hex, with MF to spare (3.3.1.assault_move)."""
    if mover.entered:
        yield rule("3.3.1.assault_move#un-esagono", N_("Assault Movement is one hex"))
    elif cost >= left_mf(state, mover, one.id, False) + mover.spent[one.id]:
        text = N_("Assault Movement may not use all MF")
        slow = "4.0.portage#oltre" if is_slowed(state, mover, one.id) else ""
        yield rule(("3.3.1.assault_move#non-tutti", "2.0.assault_move#un-esagono", slow), text)


def step(ctx: Ctx[State]) -> None:
    """One expenditure of MF by the moving group, or its end (3.3.1)."""
    state = ctx.state
    mover = state.mover
    assert mover is not None
    one = state.units[mover.units[0]]
    verb, what = ctx.choose(
        "move.next",
        one.side,
        step_choices(state, mover, one),
        "3.3.1#passo",
        N_("what does {unit} do? {left} MF left"),
        why_not=lambda pair: why_not_step(ctx.state, mover, pair),
        unit=one.id,
        left=halved(min(left_mf(state, mover, n, False) for n in mover.units)),
    )
    if verb == "enter":
        enter(ctx, mover, what, road=True)
    elif verb == "cover":
        enter(ctx, mover, what, road=False)
    elif verb == "part":
        part(ctx, mover, what)
    elif verb == "smoke":
        throw_smoke(ctx, mover)
    elif verb == "recover":
        recover_on_the_way(ctx, mover)
    elif verb == "drop":
        drop(ctx)
    elif verb == "plant":
        plant(ctx, mover)
    else:
        end_group(ctx, mover)


@cache
def _hexes_around(field: Ground, here: str) -> tuple[Choice[tuple[str, str]], ...]:
    """The hexes that a group might enter, by their road or off it (3.3.1)."""
    near = field.near[here]
    text = N_("enter {hex} off the road")
    return (
        *[place(hex, ("enter", hex), hex=field.hex[hex]) for hex in near],
        *[
            button(f"copertura-{hex}", ("cover", hex), text, hex=hex)
            for hex in near
            if field.kind(hex) in (WOODS, ORCHARD) and by_road(field, here, hex)
        ],
    )


def step_choices(state: State, mover: Mover, one: Unit) -> Iterator[Choice[tuple[str, str]]]:
    """Everything a moving group might try."""
    yield from _hexes_around(state.ground, one.hex)
    if len(mover.units) > 1:
        for name in mover.units:
            yield unit(name, ("part", name), N_("{unit} parts from the stack"))
    group = [state.units[n] for n in mover.units]
    if any(u.data.smoke for u in group):
        yield button("fumo", ("smoke", ""), N_("place smoke grenades"))
    if unpossessed(state, one.hex):
        yield button("recupera", ("recover", ""), N_("recover a weapon"))
    if any(weapons_of(state, u.id) for u in group):
        yield button("lascia", ("drop", ""), N_("drop a weapon"))
    if any(w.data.kind == "dc" for u in group for w in weapons_of(state, u.id)):
        yield button("carica", ("plant", ""), N_("place a DC"))
    yield button("fine", ("end", ""), N_("end the move"))


def why_not_step(state: State, mover: Mover, pair: tuple[str, str]) -> Iterator[Ruling]:
    """Why a group may not do something (3.3.1)."""
    verb, what = pair
    if verb in ("enter", "cover"):
        yield from why_not_enter(state, mover, what, verb == "enter")
    elif verb == "part":
        yield from why_not_part(state, mover, what)
    elif verb == "smoke":
        if not any(_smoke_hexes(state, mover, n) for n in mover.units):
            yield rule("3.3.1.smoke#tentare", N_("nobody can place smoke now"))
    elif verb == "recover":
        if not any(left_mf(state, mover, n, False) >= 2 for n in mover.units):
            yield rule("3.3.1.recover#spende", N_("recovery costs 1 MF"))
    elif verb == "plant" and not list(_charges(state, mover)):
        yield rule("4.3.placement#mf", N_("no adjacent hex can be reached with a DC"))


def spend(
    ctx: Ctx[State], mover: Mover, names: tuple[str, ...], halves: int, act: str, ref: str
) -> Mover:
    """MF spent where they stand, as a rule says: a window for the DEFENDER opens (3.3.3)."""
    spent = {n: mover.spent[n] + (halves if n in names else 0) for n in mover.spent}
    hex = ctx.state.units[mover.units[0]].hex
    changed = replace(
        mover,
        spent=spent,
        latest=halves,
        trail=(*mover.trail, (hex, halves)),
        shots={},
        window=True,
        act=act,
        expenditures=mover.expenditures + 1,
    )
    expend(ctx, changed, names, ref)
    return changed


def expend(ctx: Ctx[State], changed: Mover, names: tuple[str, ...], ref: str = "") -> None:
    """The move goes on, with the MF spent now and in all by whoever spent most (3.3.3)."""
    ctx.do(
        MoverSet(what=N_("MF are spent"), mover=changed),
        (ref, "3.3.1#passo", "3.3.3#fermare"),
        MF_SPENT,
        n=Fraction(changed.latest, 2),
        total=Fraction(max(changed.spent[n] for n in names), 2),
    )


def enter(ctx: Ctx[State], mover: Mover, hex: str, road: bool) -> None:
    """The group enters a hex (3.3.1)."""
    state = ctx.state
    field = state.ground
    here = state.units[mover.units[0]].hex
    cost = entry_cost(state, here, hex, road)
    hidden = [u for u in units_at(state, hex) if u.hidden and u.side != state.attacker]
    spent = {n: mover.spent[n] + (cost if n in mover.units else 0) for n in mover.spent}
    if hidden:
        for foe in hidden:
            ctx.do(Revealed(unit=foe.id, hex=hex), "6.4#fanteria")
            for weapon in weapons_of(ctx.state, foe.id):
                ctx.do(Revealed(unit=weapon.id, hex=hex), "6.4#fanteria")
        back = replace(
            mover,
            spent=spent,
            latest=cost,
            trail=(*mover.trail, (here, cost)),
            shots={},
            window=True,
            act="bump",
            ending=True,
            expenditures=mover.expenditures + 1,
        )
        ctx.do(MoverSet(what=N_("bumped back: the move ends"), mover=back), "6.4#respinta")
        return
    tell_cost(ctx, here, hex, road)
    for name in mover.units:
        refs = (*cost_refs(field, here, hex, road), *in_smoke(state, hex))
        ctx.do(Moved(unit=name, hex=hex), refs)
        for weapon in weapons_of(ctx.state, name):
            if not weapon.moved:
                ctx.do(Carried(weapon=weapon.id), "4.0#portata")
    on_road = road and by_road(field, here, hex) and hex not in state.smoke
    if mover.road and on_road and any(left_mf(state, mover, n, False) < cost for n in mover.units):
        ctx.cite("3.3.1.road_bonus#bonus", N_("the road gives 1 MF more"))
    changed = replace(
        mover,
        spent=spent,
        road=mover.road and on_road,
        cover=not road,
        entered=True,
        latest=cost,
        trail=(*mover.trail, (hex, cost)),
        came_from=here,
        shots={},
        window=hex not in field.is_off,
        act="enter",
        expenditures=mover.expenditures + 1,
    )
    expend(ctx, changed, mover.units)


def why_not_part(state: State, mover: Mover, name: str) -> Iterator[Ruling]:
    """Leaving the leader loses his bonus (3.3.1.leader_bonus)."""
    leader = mover.leader
    if not leader or (name == leader and other_leader(state, mover)):
        return
    alone = [n for n in mover.units if n != leader] if name == leader else [name]
    for member in alone:
        one = state.units[member]
        if one.is_mmc and mover.spent[member] > allowance(state, one, None, mover.mode in RUNNING):
            text = N_("{unit} has used the leader's bonus and stays with him")
            yield rule("3.3.1.leader_bonus#separa", text, unit=member)


def other_leader(state: State, mover: Mover) -> str:
    """Another Good Order SMC of the group, who can give the bonus too (3.3.1.leader_bonus)."""
    able = (n for n in mover.units if state.units[n].is_leader and state.units[n].good_order)
    return next((n for n in able if n != mover.leader), "")


def part(ctx: Ctx[State], mover: Mover, name: str) -> None:
    """A member waits while the others go on; it keeps its own way so far (3.3.1.stack_move)."""
    way = Parted(mover.road, mover.cover, mover.entered, mover.came_from)
    changed = replace(
        mover,
        units=tuple(n for n in mover.units if n != name),
        leader=other_leader(ctx.state, mover) if name == mover.leader else mover.leader,
        waiting=(*mover.waiting, name),
        parted={**mover.parted, name: way},
    )
    divided = MoverSet(what=N_("the stack divides"), mover=changed)
    ctx.do(divided, "3.3.1.stack_move#dividersi", N_("{unit} parts from the stack"), unit=name)


def end_group(ctx: Ctx[State], mover: Mover) -> None:
    """The group has ended; members who parted go on, then outsiders (3.3.1.stack_move)."""
    waiting = [n for n in mover.waiting if next(why_not_move(ctx.state, n), None) is None]
    if mover.units:
        ctx.do(MoveEnded(units=mover.units, over=not waiting), "3.3.1#dichiari")
    elif not waiting:
        ctx.do(MoverSet(what=N_("the move ends"), mover=None), "3.3.1#dichiari")
    if not waiting:
        return
    name = waiting[0]
    if len(waiting) > 1:
        choices = [unit(n, n, N_("{unit} goes on")) for n in waiting]
        side = ctx.state.attacker
        name = ctx.choose(
            "move.onward",
            side,
            choices,
            "3.3.1.stack_move#dividersi",
            N_("who of the stack goes on?"),
        )
    hex = ctx.state.units[name].hex
    parted = mover.parted.get(name, Parted())
    changed = Mover(
        units=(name,),
        mode=mover.mode,
        waiting=tuple([n for n in waiting if n != name]),
        spent=mover.spent,
        road=parted.road,
        cover=parted.cover,
        entered=parted.entered,
        came_from=parted.came_from,
        parted=mover.parted,
        trail=((hex, 0),),
    )
    ctx.do(
        MoverSet(what=N_("a member of the stack goes on"), mover=changed),
        "3.3.1.stack_move#dividersi",
    )


# Smoke grenades


def _smoke_hexes(state: State, mover: Mover, name: str) -> list[tuple[str, int]]:
    one = state.units[name]
    if not one.data.smoke or one.tried or one.hex in state.ground.is_off:
        return []
    left = left_mf(state, mover, name, False)
    found = [(one.hex, 2)] if left >= 2 else []
    if left >= 4:
        found += [(h, 4) for h in state.ground.near[one.hex] if h not in state.ground.is_off]
    return found


def throw_smoke(ctx: Ctx[State], mover: Mover) -> None:
    """dr at most the exponent places ½" smoke; 6 ends the MPh (3.3.1.smoke, casa.31)."""
    state = ctx.state
    side = state.attacker
    able = [n for n in mover.units if _smoke_hexes(state, mover, n)]
    name = able[0]
    if len(able) > 1:
        choices = [unit(n, n) for n in able]
        name = ctx.choose(
            "smoke.who", side, choices, "3.3.1.smoke#tentare", N_("who places smoke?")
        )
    spots = _smoke_hexes(state, mover, name)
    hex, cost = ctx.choose(
        "smoke.hex",
        side,
        [place(h, (h, c), hex=state.ground.hex[h]) for h, c in spots],
        "3.3.1.smoke#tentare",
        N_("where does {unit} place smoke?"),
        unit=name,
    )
    one = state.units[name]
    worse = int(one.cx)
    drm = ctx.tally(N_("smoke drm"))
    tired = ("3.3.1.double_time#cx-dr", "3.3.1.smoke#tentare")
    drm.add(worse, tired, N_("{unit} is CX"), unit=name)
    dr = ctx.roll(
        ONE,
        single,
        ("3.3.1.smoke#dr", "2.0.smoke#tentativo"),
        N_("{unit} places smoke with {number} or less"),
        unit=name,
        number=one.data.smoke - worse,
    )
    ctx.do(Tried(unit=name), "3.3.1.smoke#un-tentativo")
    if dr + worse <= one.data.smoke:
        old = state.smoke.get(hex)
        if old is not None and old.value >= GRENADE_VALUE:
            ctx.cite(
                ("3.3.1.smoke#vale", '1.2.5#pedine/½" granata'),
                N_("the smoke of {hex} is as thick"),
                hex=hex,
            )
        else:
            ctx.do(
                SmokePlaced(hex=hex, value=GRENADE_VALUE, kind=GRENADE, side=side, over=old),
                ("3.3.1.smoke#vale", '1.2.5#pedine/½" granata', "casa.31"),
            )
    else:
        ctx.cite("3.3.1.smoke#dr", N_("no smoke in {hex}"), hex=hex)
    changed = spend(ctx, mover, (name,), cost, "smoke", "3.3.1.smoke#tentare")
    if dr == 6:
        stop = replace(changed, halted=(*changed.halted, name))
        over = MoverSet(what=N_("a 6 ends the move"), mover=stop)
        ctx.do(over, "3.3.1.smoke#sei", N_("a 6 ends the move of {unit}"), unit=name)


# Weapons on the way


def recover_on_the_way(ctx: Ctx[State], mover: Mover) -> None:
    """1 MF and a dr under 6 take a weapon (3.3.1.recover)."""
    state = ctx.state
    side = state.attacker
    hex = state.units[mover.units[0]].hex
    pairs = [
        (n, w.id)
        for n in mover.units
        if left_mf(state, mover, n, False) >= 2
        for w in unpossessed(state, hex)
    ]
    choices = [
        button(f"{n}+{w}", (n, w), N_("{unit} tries to take {weapon}"), unit=n, weapon=w)
        for n, w in pairs
    ]
    name, weapon = ctx.choose(
        "weapon.recover", side, choices, "3.3.1.recover#spende", N_("who recovers a weapon?")
    )
    spend(ctx, mover, (name,), 2, "recover", "3.3.1.recover#spende")
    fresh = not state.weapons[weapon].moved
    recovery_roll(ctx, name, weapon, "3.3.1.recover#spende", fresh)


def drop(ctx: Ctx[State]) -> None:
    """A weapon is left, free, at any time of the MPh (4.0)."""
    mover = ctx.state.mover
    assert mover is not None
    held = [w for n in mover.units for w in weapons_of(ctx.state, n)]
    choices = [unit(w.id, w.id, N_("{unit} is left")) for w in held]
    name = ctx.choose(
        "weapon.drop",
        ctx.state.attacker,
        choices,
        "4.0#lascia",
        N_("which weapon is dropped?"),
    )
    hex = ctx.state.units[mover.units[0]].hex
    ctx.do(Dropped(weapon=name, hex=hex), "4.0#lascia")


def _charges(state: State, mover: Mover) -> Iterator[tuple[Weapon, str, str, int]]:
    field = state.ground
    for name in mover.units:
        one = state.units[name]
        if one.hex in field.is_off or one.pinned or one.broken:
            continue
        for weapon in weapons_of(state, name):
            if weapon.data.kind != "dc":
                continue
            for hex in field.near[one.hex]:
                if hex in field.is_off:
                    continue
                cost = entry_cost(state, one.hex, hex, True)
                if cost <= left_mf(state, mover, name, False):
                    yield weapon, name, hex, cost


def plant(ctx: Ctx[State], mover: Mover) -> None:
    """A DC is placed in an adjacent hex for the MF of entering it (4.3.placement)."""
    found = list(_charges(ctx.state, mover))
    choices = [
        button(f"{w.id}-{h}", (w.id, n, h, c), N_("{weapon} in {hex}"), weapon=w.id, hex=h)
        for w, n, h, c in found
    ]
    weapon, name, hex, cost = ctx.choose(
        "dc.hex",
        ctx.state.attacker,
        choices,
        "4.3.placement#piazzare",
        N_("where is the DC placed?"),
    )
    foes = [v for v in vehicles_at(ctx.state, hex) if v.side != ctx.state.attacker and v.is_live]
    against = choose_charge_target(ctx, foes)
    tell_cost(ctx, ctx.state.units[name].hex, hex, True)
    changed = spend(ctx, mover, (name,), cost, "plant", "4.3.placement#mf")
    planting = replace(changed, planting=weapon, planting_at=hex)
    ctx.do(MoverSet(what=N_("a DC is being placed"), mover=planting), "4.3.placement#mf")
    ctx.do(PlacingBegan(weapon=weapon, planter=name, against=against), "4.3.placement#mf")


def choose_charge_target(ctx: Ctx[State], foes: list[Vehicle]) -> str:
    """A DC against an AFV is declared (4.3.vs_afv)."""
    if not foes:
        return ""
    choices: list[Choice[str]] = [unit(v.id, v.id) for v in foes]
    choices.append(button("fanteria", "", N_("against the infantry")))
    return ctx.choose(
        "dc.against",
        ctx.state.attacker,
        choices,
        "4.3.vs_afv#dichiarata",
        N_("against what is the DC placed?"),
    )


def charge_x(state: State, planter: Unit, weapon: Weapon) -> int:
    """The X# of a DC: less for the non-elite, the captured, the inexperienced (4.3, casa.14)."""
    x = weapon.data.x
    if planter.data.grade != "E":
        x -= 2
    if planter.side != weapon.side:
        x -= 2
    if is_inexperienced(state, planter):
        x -= 1
    return x


def finish_planting(ctx: Ctx[State], mover: Mover) -> None:
    """The DC is placed if its bearer is neither pinned nor broken (4.3.placement)."""
    weapon = ctx.state.weapons[mover.planting]
    planter = ctx.state.units.get(weapon.planter)
    if (
        weapon.place == MAP
        and planter is not None
        and planter.place == MAP
        and planter.good_order
        and not planter.pinned
        and weapon.owner == planter.id
    ):
        placed = ChargePlaced(
            weapon=weapon.id,
            planted=mover.planting_at,
            hex=planter.hex,
            dud_at=charge_x(ctx.state, planter, weapon),
            tired=planter.cx,
        )
        ctx.do(placed, ("4.3.placement#piazzata", "casa.14"))
    else:
        ctx.cite("4.3.placement#piazzata", N_("the DC is not placed"))
        if weapon.place == MAP:
            ctx.do(ChargeKept(weapon=weapon.id), "4.3.placement#piazzata")
    after = replace(mover, planting="", planting_at="")
    ctx.do(MoverSet(what=N_("the placement is over"), mover=after), "4.3.placement#piazzata")


def close_window(ctx: Ctx[State]) -> None:
    """No more defensive fire: the broken, pinned and lost drop out (3.3.3)."""
    mover = ctx.state.mover
    assert mover is not None
    if mover.planting:
        finish_planting(ctx, mover)
        mover = ctx.state.mover
        assert mover is not None
    stuck = _stuck(ctx.state, mover)
    if stuck:
        others = "3.3.1.leader_bonus#resta" if set(stuck) - set(mover.halted) else ""
        ctx.do(MoveEnded(units=stuck), ("3.3.1.smoke#sei", others))
    able = tuple(n for n in mover.units if n not in stuck and _goes_on(ctx.state, n))
    halted = tuple(n for n in mover.units if n not in able and n not in stuck)
    if halted:
        waiting = (n for n in mover.waiting if next(why_not_move(ctx.state, n), None) is None)
        over = not able and next(waiting, None) is None
        units = [ctx.state.units[n] for n in halted]
        ctx.do(
            MoveEnded(units=halted, over=over),
            (
                "3.3.1#finita",
                "3.3.3.broken_target#resa" if any(u.broken for u in units) else "",
                "3.2.3.pinned#fermo" if any(u.pinned for u in units) else "",
            ),
        )
        if over:
            return
    rest = replace(mover, units=able, window=False, passed=False)
    if not able or mover.ending:
        end_group(ctx, replace(rest, units=able))
    else:
        ctx.do(MoverSet(what=N_("no more defensive fire"), mover=rest), "3.3.3#risolve")


def _stuck(state: State, mover: Mover) -> tuple[str, ...]:
    """Whose dr of 6 ended the move, and who may not leave them (3.3.1.smoke)."""
    if not mover.halted:
        return ()
    bound = any(next(why_not_part(state, mover, n), None) is not None for n in mover.halted)
    kept = mover.leader if bound and mover.leader in mover.units else ""
    return tuple([n for n in mover.units if n in mover.halted or n == kept])


def _goes_on(state: State, name: str) -> bool:
    one = state.units[name]
    return one.place == MAP and not one.broken and not one.pinned
