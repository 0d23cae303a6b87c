"""The Rout Phase: who must go, where to, and Interdiction (3.6).

Refs: 1.1.1.orchard_road, 1.1.1.woods_road, 2.0.dm, 2.0.interdiction, 2.0.low_crawl, 2.0.rph,
3.2.2.1, 3.6, 3.6.mf, 3.6.low_crawl, 3.6.destination, 3.6.toward, 3.6.leader, 3.6.interdiction,
3.6.weapons, 6.4, 6.10, dae2.6, casa.08, casa.35, casa.52.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import msgspec

from engine.aslsk.rules.acquisition import forget_targets
from engine.aslsk.rules.elements import VEHICLE_RANGE, arc_of
from engine.aslsk.rules.morale import (
    PASS,
    PINS,
    TWELVE,
    TWELVE_DROPS,
    Effects,
    check_reading,
    eliminate,
    leader_losses,
    level,
    reduce_unit,
    tell_barrage,
)
from engine.aslsk.rules.movement import entry_cost
from engine.aslsk.rules.oba import barrage_on_rout, burning
from engine.aslsk.rules.rally import is_next_to_known_enemy
from engine.aslsk.rules.sight import los, sees
from engine.aslsk.rules.terrain import by_road, is_exposed, is_shelter, tell_cost
from engine.aslsk.rules.verdicts import Verdicts
from engine.aslsk.state.book import DR, halved, rule
from engine.aslsk.state.events import MF_SPENT, Acted, Dropped, Marked, Moved, Revealed, RouterSet
from engine.aslsk.state.ground import BUILDINGS, ORCHARD, WOODS
from engine.aslsk.state.state import (
    DM,
    MAP,
    PIN,
    Router,
    State,
    Unit,
    Vehicle,
    Weapon,
    noted,
    units_at,
    vehicles_at,
    weapons_of,
)
from engine.aslsk.state.tables import CREW
from engine.aslsk.state.units import enemy_hexes, enemy_holds, foes_at, has_room, tanks_at
from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, place, unit
from engine.core.index import indexed
from engine.core.rules import Ruling, Side
from engine.core.text import N_

replace = msgspec.structs.replace
ROUT_MF = 12
INTERDICTION_RANGE = 16


# Who


def is_near_good_enemy(state: State, one: Unit, hex: str) -> bool:
    """A Known, Good Order enemy in the hex or next to it (3.6)."""
    field = state.ground
    known, around = enemy_hexes(state, one.side), (hex, *field.near[hex])
    if known.isdisjoint(around):
        return False
    for near in around:
        if near not in known or near in field.is_off:
            continue
        if any(u.good_order for u in foes_at(state, near, one.side)) and sees(state, hex, near):
            return True
        if any(v.good_order and v.side != one.side for v in vehicles_at(state, near)) and sees(
            state, hex, near
        ):
            return True
    return False


def must_rout(state: State, one: Unit) -> Ruling | None:
    """Next to a Known Good Order enemy, or where it could be interdicted (3.6, casa.08)."""
    if is_near_good_enemy(state, one, one.hex):
        return rule(
            ("3.6#adiacente", "casa.08#obbligo"),
            N_("{unit} is next to a Good Order enemy"),
            unit=one.id,
        )
    if interdictor(state, one):
        return rule(
            ("3.6#interdirla", "casa.08#obbligo"),
            N_("{unit} is in the open under fire"),
            unit=one.id,
        )
    return None


def runners(state: State, side: Side) -> list[Unit]:
    """Broken units of a side that have not routed yet."""
    return [
        u
        for u in state.units.values()
        if u.side == side
        and u.broken
        and u.place == MAP
        and not u.melee
        and not u.done
        and u.hex not in state.ground.is_off
    ]


def why_not_rout(state: State, one: Unit) -> Iterator[Ruling]:
    """Only DM units rout (3.6)."""
    if not one.dm and must_rout(state, one) is None:
        yield rule(("3.6#senza-dm", "2.0.dm#rotta"), N_("{unit} is not DM"), unit=one.id)


def rout_phase(ctx: Ctx[State]) -> bool:
    """One unit of the side routs, or the side ends (3.6)."""
    state = ctx.state
    side = state.who
    group = runners(state, side)
    able = [u for u in group if next(why_not_rout(state, u), None) is None]
    if not able or f"rout {side}" in state.settled:
        return False
    forced = [u.id for u in able if must_rout(state, u) is not None]
    choices: list[Choice[str]] = [unit(u.id, u.id, hex=state.ground.hex[u.hex]) for u in group]
    choices.append(button("passa", "", N_("nobody else routs")))
    name = ctx.choose(
        "rout.who",
        side,
        choices,
        ("3.6#scappano", "2.0.rph#rtph"),
        N_("who routs?"),
        why_not=lambda n: why_not_rout(state, state.units[n]) if n else why_not_end(state, forced),
    )
    if not name:
        for u in able:
            ctx.do(Acted(unit=u.id), "3.6#restare")
        return True
    start_rout(ctx, name, name in forced)
    return True


def why_not_end(state: State, forced: list[str]) -> Iterator[Ruling]:
    """Those who must rout come first (3.6)."""
    for name in forced:
        if (found := must_rout(state, state.units[name])) is not None:
            yield found


def start_rout(ctx: Ctx[State], name: str, forced: bool) -> None:
    """DM, weapons left behind, a leader who comes along (3.6, 3.6.weapons, 3.6.leader)."""
    one = ctx.state.units[name]
    if not one.dm:
        ctx.do(Marked(unit=name, marker=DM), "3.6#diventa-dm")
    leave_weapons(ctx, one)
    router = Router(unit=name, start=one.hex, seen=tuple(watchers(ctx.state, one, one.hex)))
    begun = RouterSet(what=N_("a rout begins"), router=router)
    refs = ("3.6#scappano", "3.6.mf#mf")
    ctx.do(begun, refs, N_("{unit} begins its rout"), unit=name)
    ctx.do(Acted(unit=name), "3.6#scappano")
    if not any(_steps(ctx.state, router)):
        over = RouterSet(what=N_("there is nowhere to go"), router=None)
        ref = "3.6#eliminata" if forced else "3.6#restare"
        ctx.do(over, ref, N_("{unit} has nowhere to go"), unit=name)
        if forced:
            eliminate(ctx, name, "3.6#eliminata")
        return
    able = [
        u
        for u in units_at(ctx.state, one.hex)
        if u.side == one.side and u.is_leader and u.good_order and not u.pinned and not u.done
    ]
    if able:
        choices: list[Choice[str]] = [unit(u.id, u.id, N_("{unit} goes along")) for u in able]
        choices.append(button("solo", "", N_("it goes alone")))
        leader = ctx.choose(
            "rout.leader",
            one.side,
            choices,
            "3.6.leader#scegliere",
            N_("does a leader go with {unit}?"),
            unit=name,
        )
        if leader:
            along = RouterSet(what=N_("a leader goes along"), router=replace(router, leader=leader))
            ctx.do(along, "3.6.leader#resta", N_("{unit} goes along"), unit=leader)
            ctx.do(Acted(unit=leader), "3.6.leader#resta")


def leave_weapons(ctx: Ctx[State], one: Unit) -> None:
    """It keeps as much weight as it can bear, and chooses among equals (3.6.weapons, casa.52)."""
    held = weapons_of(ctx.state, one.id)
    if not held:
        return
    loads = heaviest(held, 0 if one.is_leader and one.wounded else 1 if one.is_leader else 3)
    kept = loads[0]
    if len(loads) > 1:
        choices = [
            button("+".join(load), load, N_("keep {weapon}"), weapon=", ".join(load))
            for load in loads
        ]
        why = N_("which weapons does {unit} keep?")
        kept = ctx.choose(
            "rout.weapons",
            one.side,
            choices,
            ("3.6.weapons#tiene", "2.0.ipc#quanto"),
            why,
            unit=one.id,
        )
    for weapon in list(held):
        if weapon.id not in kept:
            ref = "3.6.weapons#gun" if weapon.data.is_gun else "3.6.weapons#restano"
            ctx.do(Dropped(weapon=weapon.id, hex=one.hex), (ref, "2.0.ipc#quanto", "casa.52"))


def heaviest(held: Sequence[Weapon], limit: int) -> list[tuple[str, ...]]:
    """Every load of the greatest weight within a limit; weightless SW come along (2.0.pp)."""
    light = [w for w in held if not w.data.is_gun]
    found: dict[int, list[tuple[str, ...]]] = {}
    for size in range(len(light), -1, -1):
        for some in combinations(light, size):
            names = tuple([w.id for w in some])
            weight = sum(w.data.pp for w in some)
            inside = any(set(names) <= set(other) for other in found.get(weight, ()))
            if weight <= limit and not inside:
                found.setdefault(weight, []).append(names)
    return found[max(found)]


# Where


def watchers(state: State, one: Unit, hex: str) -> list[str]:
    """Known enemies that see a hex, vehicles and the broken too (3.6.toward)."""
    foes: list[Unit | Vehicle] = [u for u in state.units.values() if not u.hidden]
    foes += [v for v in state.vehicles.values() if v.is_live]
    off = state.ground.is_off
    near = [f for f in foes if f.side != one.side and f.place == MAP and f.hex not in off]
    watched = {at: sees(state, at, hex) for at in dict.fromkeys(f.hex for f in near)}
    return [foe.id for foe in near if watched[foe.hex]]


def seen_foes(state: State, router: Router) -> list[Unit | Vehicle]:
    """The enemies that see or have seen a router and are still there (3.6.toward)."""
    return _seen_foes(router, state.units, state.vehicles)


@indexed()
def _seen_foes(
    router: Router, units: dict[str, Unit], vehicles: dict[str, Vehicle]
) -> list[Unit | Vehicle]:
    found: list[Unit | Vehicle] = []
    for name in router.seen:
        vehicle = vehicles.get(name)
        if vehicle is not None and vehicle.is_live:
            found.append(vehicle)
        elif vehicle is None and units[name].place == MAP:
            found.append(units[name])
    return found


def why_not_toward(state: State, router: Router, here: str, hex: str) -> Iterator[Ruling]:
    """No nearer to an enemy that sees or has seen it (3.6.toward)."""
    field = state.ground
    for foe in seen_foes(state, router):
        before, after = field.range(here, foe.hex), field.range(hex, foe.hex)
        if after < before:
            yield rule("3.6.toward#ridurre", N_("{hex} is nearer to {unit}"), hex=hex, unit=foe.id)
        elif before == 1 and after == 1:
            yield rule(
                "3.6.toward#adiacente",
                N_("{hex} is still adjacent to {unit}"),
                hex=hex,
                unit=foe.id,
            )


def why_not_flee(
    state: State, router: Router, here: str, hex: str, left: int, road: bool = True
) -> Iterator[Ruling]:
    """Where a routing unit may not set foot (3.6)."""
    one = state.units[router.unit]
    if hex in state.ground.is_off:
        yield rule("3.3.exit#volontaria", N_("a rout does not leave the map"))
        return
    if foes_at(state, hex, one.side) or tanks_at(state, hex, state.enemy(one.side)):
        yield rule("3.6.toward#ridurre", N_("enemies are in {hex}"), hex=hex)
    if hex in router.refused:
        yield rule("6.4#respinta", N_("a hidden unit is in {hex}"), hex=hex)
    if not has_room(state, hex, [one]):
        yield rule("3.6.destination#stacking", N_("{hex} is full"), hex=hex)
    cost = entry_cost(state, here, hex, road)
    if cost > left:
        yield rule(
            "3.6.mf#mf",
            N_("{hex} costs {cost} MF, {left} are left"),
            hex=hex,
            cost=halved(cost),
            left=halved(left),
        )
    yield from why_not_toward(state, router, here, hex)


def mf_left(state: State, router: Router) -> int:
    """6 MF, a wounded SMC 3 (3.6.mf)."""
    one = state.units[router.unit]
    return (6 if one.is_leader and one.wounded else ROUT_MF) - router.spent


def _steps(state: State, router: Router) -> Iterator[str]:
    here = state.units[router.unit].hex
    left = mf_left(state, router)
    for hex in state.ground.near[here]:
        if next(why_not_flee(state, router, here, hex, left), None) is None:
            yield hex


class Plan(msgspec.Struct, frozen=True):
    """The shelters to head for and the first steps toward them (3.6.destination)."""

    goals: tuple[str, ...]
    steps: tuple[str, ...]


@indexed(keep=2)
def plan(state: State, router: Router) -> Plan:
    """Where a router heads; nobody is sent through a barrage, but may go (dae2.6)."""
    fire = burning(state)
    dry = _plan(state, router, fire)
    if not fire or not dry.goals:
        return dry
    steps = {*dry.steps, *_plan(state, router, ()).steps}
    return Plan(dry.goals, tuple(sorted(steps)))


def _plan(state: State, router: Router, avoid: Sequence[str]) -> Plan:
    """The nearest woods or building in MF, with those that may be ignored on the way.

    If all of them may be ignored, it is free to go anywhere (3.6.destination).
    """
    costs, firsts = _reach(state, router, avoid)
    here = state.units[router.unit].hex
    shelters = sorted(
        (h for h in costs if h not in (here, router.start) and is_shelter(state.ground, h)),
        key=lambda h: (costs[h], h),
    )
    goals: list[str] = []
    limit = None
    for hex in shelters:
        if limit is not None and costs[hex] > limit:
            break
        goals.append(hex)
        if limit is None and not may_ignore(state, router, hex):
            limit = costs[hex]
    if limit is None:
        return Plan((), ())
    steps = sorted({first for hex in goals for first in firsts[hex]})
    return Plan(tuple(goals), tuple(steps))


def _reach(
    state: State, router: Router, avoid: Sequence[str]
) -> tuple[dict[str, int], dict[str, set[str]]]:
    """What its MF bring it to: the cost of each hex, and the first hexes on the way (3.6.mf)."""
    field = state.ground
    here = state.units[router.unit].hex
    left = mf_left(state, router)
    costs: dict[str, int] = {here: 0}
    firsts: dict[str, set[str]] = {here: set()}
    frontier = [here]
    while frontier:
        frontier.sort(key=lambda h: (costs[h], h))
        at = frontier.pop(0)
        for hex in field.near[at]:
            if hex in avoid:
                continue
            price = costs[at] + entry_cost(state, at, hex, True)
            if price > costs.get(hex, left):
                continue
            if next(why_not_flee(state, router, at, hex, left - costs[at]), None) is not None:
                continue
            start = firsts[at] if at != here else {hex}
            if hex not in costs or price < costs[hex]:
                costs[hex], firsts[hex] = price, set(start)
                if hex not in frontier:
                    frontier.append(hex)
            elif price == costs[hex]:
                firsts[hex] |= start
    return costs, firsts


def may_ignore(state: State, router: Router, hex: str) -> bool:
    """A shelter no farther from Known enemies, or of the same building (3.6.destination)."""
    field = state.ground
    if field.building.get(hex) and field.building.get(hex) == field.building.get(router.start):
        return True
    foes = seen_foes(state, router)
    return any(field.range(hex, f.hex) <= field.range(router.start, f.hex) for f in foes)


def why_not_rout_to(
    state: State, router: Router, hex: str, goal: Plan, road: bool = True
) -> Iterator[Ruling]:
    """A routing unit heads for the nearest shelter, and stays in a safe one (3.6.destination)."""
    one = state.units[router.unit]
    here = one.hex
    yield from why_not_flee(state, router, here, hex, mf_left(state, router), road)
    safe = here != router.start and is_shelter(state.ground, here)
    if safe and not is_near_good_enemy(state, one, here):
        if not is_shelter(state.ground, hex):
            yield rule("3.6.destination#fermarsi", N_("it stops in woods or building"))
    elif goal.goals and hex not in goal.steps:
        yield rule(
            "3.6.destination#verso",
            N_("{hex} is not toward the nearest shelter {goal}"),
            hex=hex,
            goal=goal.goals[0],
        )


def why_not_crawl(state: State, router: Router, hex: str, goal: Plan) -> Iterator[Ruling]:
    """One hex for all its MF, under every other rule of the rout (3.6.low_crawl)."""
    yield from why_not_rout_to(state, router, hex, goal)
    one = state.units[router.unit]
    if hex not in state.ground.is_off and is_near_good_enemy(state, replace(one, hex=hex), hex):
        text = N_("{unit} would end its rout next to a Good Order enemy in {hex}")
        yield rule("3.6.low_crawl#fine", text, unit=one.id, hex=hex)


def why_not_stop(state: State, router: Router, goal: Plan) -> Iterator[Ruling]:
    """It may stop in a shelter, or when no shelter can be reached (3.6.destination)."""
    one = state.units[router.unit]
    if one.hex == router.start:
        if must_rout(state, one) is not None and any(_steps(state, router)):
            yield rule("3.6#deve", N_("{unit} must rout"), unit=one.id)
        return
    if is_shelter(state.ground, one.hex) and not is_near_good_enemy(state, one, one.hex):
        return
    if goal.steps:
        yield rule("3.6.destination#verso", N_("{goal} can still be reached"), goal=goal.goals[0])


def rout_step(ctx: Ctx[State]) -> None:
    """One hex of a rout, a Low Crawl, or its end (3.6)."""
    state = ctx.state
    router = state.router
    assert router is not None
    one = state.units[router.unit]
    if one.place != MAP:
        ctx.do(RouterSet(what=N_("the rout ends"), router=None), "3.6#scappano")
        return
    goal = plan(state, router)
    field = state.ground
    choices: list[Choice[tuple[str, str]]] = [
        place(h, ("run", h), hex=field.hex[h]) for h in field.near[one.hex]
    ]
    choices += [
        button(f"copertura-{h}", ("cover", h), N_("enter {hex} off the road"), hex=h)
        for h in field.near[one.hex]
        if field.kind(h) in (WOODS, ORCHARD) and by_road(field, one.hex, h)
    ]
    if not router.spent and not router.refused:
        choices += [
            button(f"striscia-{h}", ("crawl", h), N_("Low Crawl to {hex}"), hex=h)
            for h in state.ground.near[one.hex]
        ]
    choices.append(button("fermo", ("stop", ""), N_("stop here")))
    verdicts: Verdicts[tuple[str, str]] = Verdicts(
        state, "rout", lambda pair: _why_not(state, router, pair, goal)
    )
    if all(verdicts.barred(c.value, c.value) for c in choices):
        end_rout(ctx, router)
        return
    verb, hex = ctx.choose(
        "rout.hex",
        one.side,
        choices,
        "3.6#scappano",
        N_("where does {unit} rout?"),
        why_not=lambda pair: verdicts.against(pair, pair),
        unit=one.id,
    )
    if verb == "stop":
        end_rout(ctx, router)
    else:
        flee(ctx, router, hex, verb)


def _why_not(state: State, router: Router, pair: tuple[str, str], goal: Plan) -> Iterator[Ruling]:
    verb, hex = pair
    if verb == "stop":
        yield from why_not_stop(state, router, goal)
    elif verb in ("run", "cover"):
        yield from why_not_rout_to(state, router, hex, goal, verb == "run")
    else:
        yield from why_not_crawl(state, router, hex, goal)


def flee(ctx: Ctx[State], router: Router, hex: str, how: str) -> None:
    """Into a hex: a hidden enemy bumps it back, Interdiction may strike it (3.6, 6.4)."""
    state = ctx.state
    one = state.units[router.unit]
    crawl = how == "crawl"
    cost = mf_left(state, router) if crawl else entry_cost(state, one.hex, hex, how == "run")
    hidden = [u for u in units_at(state, hex) if u.hidden and u.side != one.side]
    if hidden:
        for foe in hidden:
            ctx.do(Revealed(unit=foe.id, hex=hex), "6.4#fanteria")
            for weapon in weapons_of(ctx.state, foe.id):
                ctx.do(Revealed(unit=weapon.id, hex=hex), "6.4#fanteria")
        back = replace(router, refused=(*router.refused, hex))
        ctx.do(RouterSet(what=N_("bumped back: another way"), router=back), "6.4#respinta")
        return
    if crawl:
        low = ctx.tally(N_("MF cost"))
        low.set(halved(cost), "3.6.low_crawl#striscia", N_("Low Crawl: all its MF"))
        ctx.do(Moved(unit=one.id, hex=hex), ("3.6.low_crawl#striscia", "2.0.low_crawl"))
    else:
        tell_cost(ctx, one.hex, hex, how == "run")
        orchard = state.ground.kind(hex) == ORCHARD
        claims = "1.1.1.orchard_road#rinuncia" if orchard else "1.1.1.woods_road#tenere"
        ref = claims if how == "cover" else ""
        ctx.do(Moved(unit=one.id, hex=hex), ("3.6#scappano", "3.6.mf#costi", ref))
    if router.leader:
        ctx.do(Moved(unit=router.leader, hex=hex), "3.6.leader#resta")
    seen = tuple(dict.fromkeys((*router.seen, *watchers(ctx.state, ctx.state.units[one.id], hex))))
    moved = replace(
        router,
        spent=router.spent + cost,
        low_crawl=crawl,
        came_from=one.hex,
        cover=how == "cover",
        seen=seen,
    )
    ctx.do(
        RouterSet(what=N_("MF are spent"), router=moved),
        "3.6.mf#mf",
        MF_SPENT,
        n=Fraction(cost, 2),
        total=Fraction(moved.spent, 2),
    )
    if barrage_on_rout(ctx, one.id):
        pass
    elif not crawl and interdictor(ctx.state, ctx.state.units[one.id]):
        interdict(ctx, moved)
    after = ctx.state.units[one.id]
    if after.place != MAP or after.pinned or crawl:
        end_rout(ctx, moved)


def end_rout(ctx: Ctx[State], router: Router) -> None:
    """Still next to a Known enemy: eliminated (3.6)."""
    one = ctx.state.units[router.unit]
    ended = RouterSet(what=N_("the rout ends"), router=None)
    ctx.do(ended, "3.6#scappano", N_("{unit} ends its rout"), unit=one.id)
    if one.place == MAP and is_near_good_enemy(ctx.state, one, one.hex):
        text = N_("{unit} ends its rout next to a Good Order enemy")
        ctx.cite("3.6#eliminata", text, unit=one.id)
        eliminate(ctx, one.id, "3.6#eliminata")


# Interdiction


def interdictor(state: State, one: Unit) -> str:
    """Somebody who could fire there without any penalty of his own (3.6.interdiction, casa.35)."""
    return next(interdictors(state, one), "")


def interdictors(state: State, one: Unit) -> Iterator[str]:
    """Everybody who could fire there without any penalty of his own (3.6.interdiction)."""
    field = state.ground
    if one.hex in field.is_off:
        return
    for foe in state.units.values():
        if foe.side == one.side or not foe.good_order or foe.pinned or foe.hidden or foe.cx:
            continue
        if foe.hex in field.is_off or not _reaches(state, foe, one.hex):
            continue
        if _is_held(state, foe, one.hex):
            continue
        if _exposed_to(state, one, foe.hex):
            yield foe.id
    for v in state.vehicles.values():
        if v.side != one.side and _interdicts(state, v, one):
            yield v.id


def _interdicts(state: State, v: Vehicle, one: Unit) -> bool:
    """A vehicle that could fire there with a weapon in the open (3.6.interdiction)."""
    if not v.good_order or v.drive.motion or v.crew.plus or v.hex in state.ground.is_off:
        return False
    if _is_held(state, v, one.hex):
        return False
    in_range = any(_part_reaches(state, v, part, one.hex) for part in _open_parts(v))
    return in_range and _exposed_to(state, one, v.hex)


def _is_held(state: State, foe: Unit | Vehicle, hex: str) -> bool:
    """Nobody fires out of a hex that holds an enemy (3.2.2.1)."""
    return foe.hex != hex and enemy_holds(state, foe.hex, foe.side)


def _open_parts(v: Vehicle) -> list[str]:
    """The weapons of a vehicle that fire without a penalty: a BU MA has one, its IFE not (7.7)."""
    closed = v.crew.ce and v.data.is_restricted
    have = {
        "aamg": v.crew.ce and v.data.aamg,
        "cmg": v.data.cmg and not closed,
        "bmg": v.data.bmg,
        "rmg": v.data.rmg and not closed,
        "ife": v.data.ife and not v.arms.ma and not closed,
        "ma": v.crew.ce and not v.arms.ma and not closed,
    }
    return [part for part, fp in have.items() if fp and part not in (*v.arms.broken, *v.arms.lost)]


def _part_reaches(state: State, v: Vehicle, part: str, hex: str) -> bool:
    if state.ground.range(v.hex, hex) > VEHICLE_RANGE.get(part, INTERDICTION_RANGE):
        return False
    return part == "aamg" or not state.ground.turns(v.hex, arc_of(v, part), hex)


def _reaches(state: State, foe: Unit, hex: str) -> bool:
    away = state.ground.range(foe.hex, hex)
    if foe.is_mmc and foe.data.fp and away <= foe.data.range:
        return True
    return any(
        _weapon_reaches(state, foe, weapon, hex)
        for weapon in weapons_of(state, foe.id)
        if not weapon.broken
    )


def _weapon_reaches(state: State, foe: Unit, weapon: Weapon, hex: str) -> bool:
    """1 FP within normal range, or a hit under 17 hexes, with nothing against it (casa.35)."""
    data = weapon.data
    field = state.ground
    away = field.range(foe.hex, hex)
    if data.kind in ("mg", "atr"):
        return away <= data.range and (foe.is_mmc or data.kind == "atr")
    if not (data.is_gun or data.is_mortar) or weapon.side != foe.side:
        return False
    if away > INTERDICTION_RANGE or not data.least <= away <= (data.range or away):
        return False
    if data.is_mortar and field.terrain[foe.hex] in BUILDINGS:
        return False
    return not data.is_gun or (foe.data.kind == CREW and weapon.ca in field.arcs(foe.hex, hex))


def _exposed_to(state: State, one: Unit, firer: str) -> bool:
    if not is_exposed(state, one, firer):
        return False
    sight = los(state, firer, one.hex)
    return sight.clear and not sight.drm


def interdict(ctx: Ctx[State], router: Router) -> None:
    """NMC: failing costs Casualty Reduction, the limit a Pin (3.6.interdiction)."""
    state = ctx.state
    one = state.units[router.unit]
    able = list(interdictors(state, one))
    foe = next((n for n in able if not _aims(state, n)), able[0])
    with ctx.under(
        ("3.6.interdiction#quando", "2.0.interdiction#nmc"),
        N_("{unit} is interdicted by {foe}"),
        unit=one.id,
        foe=foe,
    ):
        help_ = min(state.units[router.leader].leadership, 0) if router.leader else 0
        drm = ctx.tally(N_("MC DRM"))
        drm.add(help_, "3.6.leader#resta", N_("{unit} leads"), unit=router.leader)
        tell_barrage(ctx, one)
        morale = level(state, one)
        read = check_reading(morale, help_, 99)
        why = N_("{unit} takes a MC: {morale} or less")
        found = ctx.roll(DR, read, "3.6.interdiction#nmc", why, unit=one.id, morale=morale - help_)
        effects = Effects()
        if found == PINS:
            pin_runner(ctx, one.id)
        elif found != PASS:
            if found in (TWELVE, TWELVE_DROPS):
                eliminate(ctx, one.id, "3.2.3.mc#gia-broken", effects)
            else:
                reduce_unit(ctx, one.id, "3.6.interdiction#fallito", effects)
            if router.leader:
                eliminate(ctx, router.leader, "3.6.leader#eliminato", effects)
            leader_losses(ctx, effects)
        forget_targets(ctx, foe)


def _aims(state: State, name: str) -> bool:
    """Whether a unit would lose an acquired target by interdicting (6.10)."""
    return any(weapon.hold.acquired for weapon in weapons_of(state, name))


def pin_runner(ctx: Ctx[State], name: str) -> None:
    """A pinned router stops where it is; the Pin goes with the turn (3.6.interdiction)."""
    ctx.do(Marked(unit=name, marker=PIN), ("3.6.interdiction#limite", "3.2.3.pinned#effetti"))


def mark_adjacent(ctx: Ctx[State]) -> None:
    """Broken units next to a Known enemy are DM again (3.2.3.dm)."""
    for name in noted(ctx.state.units).shaken:
        one = ctx.state.units[name]
        off = one.hex in ctx.state.ground.is_off
        if not off and is_next_to_known_enemy(ctx.state, one):
            ctx.do(Marked(unit=one.id, marker=DM), "3.2.3.dm#adiacente")
