"""Vehicles: MP, facing, Motion, Bog, hatches, smoke, Bounding First Fire (3.3.2, 7.4-7.8).

Refs: 2.0.ac, 2.0.bog, 2.0.bounding_first_fire, 2.0.bu, 2.0.ce, 2.0.fully_tracked,
2.0.ground_pressure, 2.0.immobile, 2.0.mired, 2.0.motion_status, 2.0.non_stopped, 2.0.vca, 3.3.2,
3.3.2.vca, 3.3.2.tca, 3.3.2.start_stop, 3.3.2.obstacles, 3.3.2.delay, 3.3.2.motion,
3.3.2.motion_enemy_hex, 3.3.2.reliability, 3.3.2.woods_all_mp, 3.3.2.minimum, 3.3.2.2, 7.5, 7.5.sd,
7.6, 7.6.removal, 7.7, 7.10.recall, casa.37, casa.38, casa.41, casa.48, casa.51, casa.55.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from heapq import heappop, heappush
from typing import TypeAlias

import msgspec

from engine.aslsk.rules.advance import hatch, why_not_hatch
from engine.aslsk.rules.bogging import bog, bogs, is_rough
from engine.aslsk.rules.elements import (
    MAIN,
    Element,
    arc_of,
    ca_drm,
    target_hexes,
    vehicle_elements,
)
from engine.aslsk.rules.shooting import choose_hex, shoot_at, start_verdicts
from engine.aslsk.rules.sight import declared_los, is_los_free, why_not_see
from engine.aslsk.rules.terrain import HEDGE_COST, MP_AC, MP_TRACKED, SMOKE_COST
from engine.aslsk.rules.to_kill import (
    HULL,
    TURRET,
    Shell,
    armour,
    aspect,
    basic_tk,
    destroy,
    immobilize,
)
from engine.aslsk.rules.verdicts import Verdicts
from engine.aslsk.state.book import DR, both, drm, halved, rule, total
from engine.aslsk.state.events import (
    Left,
    MoveBegan,
    Moved,
    MoveEnded,
    MoverSet,
    Revealed,
    SmokePlaced,
)
from engine.aslsk.state.ground import (
    BRUSH,
    BUILDINGS,
    GRAIN,
    OPEN,
    ORCHARD,
    STONE,
    WOODEN,
    WOODS,
    Ground,
)
from engine.aslsk.state.state import (
    MAP,
    PREP,
    Mover,
    Smoke,
    State,
    Vehicle,
    units_at,
    vehicles_at,
    weapons_of,
)
from engine.aslsk.state.tables import VEHICLES, VehicleType, scenarios
from engine.aslsk.state.vehicle_events import (
    BecameMovingTarget,
    EndedInMotion,
    Freed,
    Halted,
    HullTurned,
    Mired,
    SmokeTried,
    Started,
    Stopped,
    TurretTurned,
    VehicleMoveBegan,
)
from engine.core.ctx import Ctx
from engine.core.decisions import Choice, amount, button, place, unit
from engine.core.index import indexed
from engine.core.rules import Ruling, Side
from engine.core.text import N_
from engine.kit.modifiers import add_all

replace = msgspec.structs.replace

Line: TypeAlias = tuple[int, str, str]
"""Halves of MP, the rule, the reason."""

MP_ROWS = {
    OPEN: "3.3.2#costi-mp/Open Ground",
    ORCHARD: "3.3.2#costi-mp/Frutteto",
    GRAIN: "3.3.2#costi-mp/Grano in stagione",
    BRUSH: "3.3.2#costi-mp/Cespugli",
    WOODS: "3.3.2#costi-mp/Bosco",
    STONE: "3.3.2#costi-mp/Edificio",
    WOODEN: "3.3.2#costi-mp/Edificio",
}
MP_COST = N_("MP cost")
KILLING_DR = 5
"""The original TK DR that must be enough against an AFV whose hex is shared (casa.37)."""


def why_not_move(state: State, name: str) -> Iterator[Ruling]:
    """Who may spend MP (3.3, 2.0.immobile)."""
    v = state.vehicles[name]
    if v.done:
        yield rule("3.3.2#spende", N_("{unit} has ended its MPh"), unit=name)
    if v.crew.shock or v.crew.stun:
        yield rule("2.0.immobile#quali", N_("{unit} is Shocked or Stunned"), unit=name)
    if v.marks.fire_phase or v.marks.fire == PREP:
        yield rule("3.3#non-muove", N_("{unit} has made Prep Fire"), unit=name)


def must_still_move(state: State) -> Ruling | None:
    """A vehicle in Motion must spend its MP, a recalled one leaves (3.3.2.motion, 7.10.recall)."""
    for v in state.vehicles.values():
        if v.side != state.attacker or not v.is_live or v.done:
            continue
        if next(why_not_move(state, v.id), None) is not None:
            continue
        if v.drive.motion:
            return rule(
                "3.3.2.motion#deve", N_("{unit} is in Motion and must spend its MP"), unit=v.id
            )
        if is_leaving(state, v):
            return _recalled(v)
    return None


def allowance(v: Vehicle) -> int:
    """Printed MP, in halves."""
    return 2 * v.data.mp


def start_move(ctx: Ctx[State], name: str) -> None:
    """A vehicle begins its MPh; a bogged one may try to free itself (3.3.2, 7.6.removal)."""
    v = ctx.state.vehicles[name]
    running = v.drive.motion
    ctx.do(VehicleMoveBegan(vehicle=name), ("3.3.2#spende", "2.0.tca#vca"))
    mover = Mover(
        units=(name,),
        spent={name: 0},
        trail=((v.hex, 0),),
        started=running,
        road=False,
    )
    ctx.do(MoveBegan(unit=name, mover=mover), "3.3.2#spende")
    if v.drive.bogged and not v.drive.immobilized:
        offers = [button("libera", True, N_("try to get free")), button("resta", False, N_("stay"))]
        if ctx.choose(
            "vehicle.unbog",
            v.side,
            offers,
            "7.6.removal#provare",
            N_("does {unit} try to get free?"),
            unit=name,
        ):
            unbog(ctx, mover, name)


def unbog(ctx: Ctx[State], mover: Mover, name: str) -> None:
    """White times coloured is the Start cost; the coloured die says the rest (7.6.removal)."""
    v = ctx.state.vehicles[name]
    coloured, white = ctx.roll(
        DR, both, ("7.6.removal#costo", "1.4#bog"), N_("{unit} tries to get free"), unit=name
    )
    price = ctx.tally(MP_COST)
    price.add(coloured * white, "7.6.removal#costo", N_("white die times coloured die"))
    if v.data.is_ac:
        price.times(2, "7.6.removal#costo", N_("{unit} is no tracked vehicle"), unit=name)
    if price.total > v.data.mp:
        price.set(v.data.mp, "7.6.removal#libero", N_("all its MP"))
    final = coloured + int(v.drive.mired)
    if final >= 6:
        immobilize(ctx, name, "7.6.removal#sei")
    elif final == 5:
        ctx.do(Mired(vehicle=name), ("7.6.removal#cinque", "2.0.mired"))
    else:
        ctx.do(Freed(vehicle=name), "7.6.removal#libero")
    spent = 2 * int(price.total)
    spend(ctx, replace(mover, ending=spent == allowance(v)), name, spent, "start")


# Costs


def front(state: State, v: Vehicle) -> tuple[str, ...]:
    """The two hexes of the VCA that it may enter (3.3.2.vca)."""
    return state.ground.ahead[v.hex][v.vca]


def is_road(state: State, a: str, b: str) -> bool:
    """Whether the hexside is a road one."""
    return state.ground.has_road(a, b)


def terrain_lines(
    field: Ground, data: VehicleType, ce: bool, here: str, hex: str, all_mp: bool = False
) -> list[Line]:
    """Halves of MP that the map asks of a vehicle to enter a hex, line by line (3.3.2)."""
    road = field.has_road(here, hex)
    terrain = field.kind(hex)
    lines: list[Line] = []
    full = 2 * data.mp
    if road:
        lines.append((1 if ce else 2, "1.1.1.roads#veicoli", N_("road hexside")))
    elif terrain == WOODS:
        if all_mp or data.is_ac:
            ref = "1.1.1.woods#ac" if data.is_ac else "1.1.1.woods#cingolato"
            lines.append((full, ref, N_("all its MP for woods")))
        else:
            lines.append((full // 2, "1.1.1.woods#cingolato", N_("half its MP for woods")))
    elif terrain in BUILDINGS:
        lines.append((full // 2, "1.1.1.buildings#afv", N_("half its MP for a building")))
    else:
        table = MP_AC if data.is_ac else MP_TRACKED
        ref = "1.1.1.orchard#costo" if terrain == ORCHARD else MP_ROWS[terrain]
        lines.append((table[terrain], ref, N_("{hex}: {terrain}")))
    if field.level[hex] > field.level[here]:
        lines.append((4 if road else 8, "1.1.1.hills.crest#veicoli", N_("uphill")))
    if (here, hex) in field.hedges:
        tracked = "1.1.1.hedges.move#supplementi/cingolato"
        ref = "1.1.1.hedges.move#supplementi/autoblindo (AC)" if data.is_ac else tracked
        lines.append((HEDGE_COST, ref, N_("hedge")))
    return lines


def obstacle_lines(field: Ground, here: str, hex: str, smoke: bool, blocks: int) -> list[Line]:
    """Halves of MP for smoke and for vehicles or wrecks in the hex (1.2.5, 3.3.2.obstacles)."""
    lines: list[Line] = []
    if smoke:
        lines.append((SMOKE_COST, "1.2.5#movimento", N_("Smoke")))
    if blocks:
        each = 4 if field.has_road(here, hex) else 2
        each *= 2 if field.kind(hex) == WOODS else 1
        lines.append((each * blocks, "3.3.2.obstacles#costa", N_("vehicles or wrecks in the hex")))
    return lines


def cost_lines(state: State, v: Vehicle, hex: str, all_mp: bool) -> list[Line]:
    """Halves of MP to enter a hex, line by line (3.3.2)."""
    field = state.ground
    blocks = len(vehicles_at(state, hex))
    return [
        *terrain_lines(field, v.data, v.crew.ce, v.hex, hex, all_mp),
        *obstacle_lines(field, v.hex, hex, hex in state.smoke, blocks),
    ]


def entry_cost(state: State, v: Vehicle, hex: str, all_mp: bool = False) -> int:
    """Halves of MP to enter a hex."""
    cost = sum(value for value, _, _ in cost_lines(state, v, hex, all_mp))
    if all_mp:
        cost = max(cost, allowance(v))
    return cost


def left(v: Vehicle, mover: Mover) -> int:
    """Halves of MP still to spend."""
    return allowance(v) - mover.spent[v.id]


# Choices


def step_choices(state: State, v: Vehicle, mover: Mover) -> tuple[Choice[tuple[str, str]], ...]:
    """Everything a vehicle might try with its next MP."""
    fresh = mover.started and not mover.expenditures
    return _step_choices(state.ground, v.hex, v.vca, v.tca, v.type, fresh)


@cache
def _step_choices(
    field: Ground, here: str, vca: int, tca: int, type: str, fresh: bool
) -> tuple[Choice[tuple[str, str]], ...]:
    data = VEHICLES[type]
    found: list[Choice[tuple[str, str]]] = [
        place(hex, ("enter", hex), hex=field.hex[hex]) for hex in field.near[here]
    ]
    for hex in field.ahead[here][vca]:
        if field.kind(hex) == WOODS and not field.has_road(here, hex):
            text = N_("enter {hex} with all its MP")
            found.append(button(f"tutti-{hex}", ("all", hex), text, hex=hex))
        text = N_("enter {hex} with more MP")
        found.append(button(f"lento-{hex}", ("slow", hex), text, hex=hex))
        if fresh:
            text = N_("minimum move to {hex}")
            found.append(button(f"minima-{hex}", ("minimum", hex), text, hex=hex))
    found += [
        button("avvia", ("start", ""), N_("Start")),
        button("ferma", ("stop", ""), N_("Stop")),
        button("attendi", ("delay", ""), N_("Delay")),
        button("sinistra", ("left", ""), N_("turn left")),
        button("destra", ("right", ""), N_("turn right")),
    ]
    if data.is_turreted:
        text = N_("turret to hexspine {spine}")
        found += [
            button(f"torretta-{k}", ("turret", str(k)), text, spine=str(k))
            for k in range(6)
            if k != tca
        ]
    found.append(button("portello", ("hatch", ""), N_("change CE/BU")))
    if data.smoke:
        found.append(button("fumogeno", ("smoke", ""), N_("smoke dispenser")))
    found.append(button("fuoco", ("fire", ""), N_("Bounding First Fire")))
    found.append(button("fine", ("end", ""), N_("end the move")))
    return tuple(found)


def why_not_step(state: State, v: Vehicle, mover: Mover, pair: tuple[str, str]) -> Iterator[Ruling]:
    """Why a vehicle may not do something now (3.3.2)."""
    verb, what = pair
    mp = left(v, mover)
    if verb in ("stop", "delay", "slow", "left", "right") and is_leaving(state, v):
        yield from _why_not_stray(state, v, verb)
    if mover.turret and verb in ("hatch", "fire", "end"):
        yield rule("3.3.2.tca#gira", N_("the turret turns with an expenditure of MP"))
    if verb in ("enter", "all", "slow", "minimum"):
        yield from _why_not_enter(state, v, mover, verb, what)
    elif verb in ("start", "stop", "delay"):
        yield from _why_not_pace(v, verb, mp)
    elif verb in ("left", "right"):
        yield from _why_not_turn(state, v, mp, v.is_stuck)
    elif verb == "turret":
        yield from _why_not_turret(state, v, mover)
    elif verb == "hatch":
        yield from why_not_hatch(state, v.id)
        if v.marks.fired:
            yield rule("7.7#vietato", N_("not with or after Bounding First Fire"))
    elif verb == "smoke":
        yield from why_not_dispense(state, v)
        if mp < 2:
            yield rule("7.5#costa", N_("smoke costs 1 MP"))
    elif verb == "fire":
        yield from why_not_bound(state, v, mover)
    elif verb == "end":
        yield from why_not_end(state, v, mover)


def _why_not_pace(v: Vehicle, verb: str, mp: int) -> Iterator[Ruling]:
    """Start, Stop and Delay cost 1 MP each (3.3.2.start_stop, 3.3.2.delay)."""
    if verb == "start":
        if v.marks.running:
            yield rule("3.3.2.start_stop#start", N_("{unit} is moving already"), unit=v.id)
        if v.is_stuck:
            yield rule("2.0.immobile#non-muove", N_("{unit} cannot move"), unit=v.id)
        if mp < 2:
            yield rule("3.3.2.start_stop#start", N_("a Start costs 1 MP"))
    elif verb == "stop":
        if not v.marks.running:
            yield rule("3.3.2.start_stop#stop", N_("{unit} is stopped"), unit=v.id)
        if mp < 2:
            yield rule("3.3.2.start_stop#stop", N_("a Stop costs 1 MP"))
    else:
        if v.marks.running:
            yield rule("3.3.2.delay#da-fermi", N_("only a stopped vehicle delays"))
        if mp < 2:
            yield rule("3.3.2.delay#spendere", N_("no MP is left"))


def _why_not_turret(state: State, v: Vehicle, mover: Mover) -> Iterator[Ruling]:
    """A turret turns once with each expenditure, so there must be one to come (3.3.2.tca)."""
    if left(v, mover) < 2 and not any(
        next(_why_not_enter(state, v, mover, "enter", hex), None) is None for hex in front(state, v)
    ):
        yield rule("3.3.2.tca#gira", N_("the turret turns with an expenditure of MP"))
    if mover.turret:
        yield rule("3.3.2.tca#gira", N_("it has turned with this expenditure"))


def _why_not_enter(state: State, v: Vehicle, mover: Mover, verb: str, hex: str) -> Iterator[Ruling]:
    field = state.ground
    ahead = hex in front(state, v)
    if v.is_stuck:
        yield rule("2.0.immobile#non-muove", N_("{unit} cannot move"), unit=v.id)
    if not v.marks.running:
        yield rule("3.3.2.start_stop#start", N_("{unit} must Start first"), unit=v.id)
    if not ahead:
        yield rule(
            ("3.3.2.vca#entra", "2.0.ca#comprende"),
            N_("{hex} is not in the VCA of {unit}"),
            hex=hex,
            unit=v.id,
        )
    if hex in field.is_off and not v.recall and v.hex not in field.is_off:
        yield rule(
            "3.3.exit#volontaria", N_("leaving the map is no part of the victory conditions")
        )
        return
    if field.kind(hex) in BUILDINGS:
        if v.data.is_ac:
            yield rule(
                ("1.1.1.buildings#ac", "2.0.ac#paga"), N_("an armoured car stays out of buildings")
            )
        if v.crew.ce:
            yield rule("7.7#ce", N_("a CE vehicle does not enter a building"))
    if ahead and is_leaving(state, v) and hex not in way_out(state, v).hexes:
        yield _recalled(v)
    if verb == "minimum":
        return
    mp = left(v, mover)
    need = _mp_needed(state, v, mover, verb, hex)
    if need > mp:
        yield rule(
            (_mp_row(field, v.hex, hex), *_dearer(state, v, hex, verb)),
            N_("{hex} costs {cost} MP, {left} are left"),
            hex=hex,
            cost=halved(need),
            left=halved(mp),
        )


def _mp_row(field: Ground, here: str, hex: str) -> str:
    """Where the table tells the MP of a hex (3.3.2)."""
    road = field.has_road(here, hex)
    return "3.3.2#costi-mp/lato di strada" if road else MP_ROWS[field.kind(hex)]


def _dearer(state: State, v: Vehicle, hex: str, verb: str) -> tuple[str, ...]:
    """The rules by which a hex costs more than its terrain (3.3.2, casa.41)."""
    refs = [ref for _, ref, _ in cost_lines(state, v, hex, verb == "all")[1:]]
    return (*refs, "casa.41") if verb == "slow" else tuple(refs)


def _mp_needed(state: State, v: Vehicle, mover: Mover, verb: str, hex: str) -> int:
    """The halves of MP that an entry asks of what is left (3.3.2, 3.3.2.woods_all_mp, casa.41)."""
    need = entry_cost(state, v, hex, verb == "all") - _reserve(v, mover, verb)
    if verb == "slow":
        need += 2
    woods = state.ground.kind(hex) == WOODS and not is_road(state, v.hex, hex)
    if verb != "all" and woods and v.data.is_ac:
        need -= _reserve(v, mover, "all")
    return need


def _reserve(v: Vehicle, mover: Mover, verb: str) -> int:
    """Start and Stop come out of the total when all MP go into woods (3.3.2.woods_all_mp)."""
    return 2 if verb == "all" and mover.expenditures == 1 and mover.act == "start" else 0


def _why_not_turn(state: State, v: Vehicle, mp: int, fixed: bool) -> Iterator[Ruling]:
    if fixed:
        yield rule("2.0.immobilized", N_("{unit} cannot turn its hull"), unit=v.id)
    if not v.marks.running:
        yield rule("3.3.2.start_stop#start", N_("{unit} must Start first"), unit=v.id)
    if mp < turn_cost(state, v):
        yield rule(
            "3.3.2.vca#girare", N_("turning costs {cost} MP"), cost=halved(turn_cost(state, v))
        )


def turning_cost(field: Ground, hex: str) -> int:
    """1 MP per hexspine, 2 in woods and buildings (3.3.2.vca)."""
    return 4 if is_rough(field, hex) else 2


def turn_cost(state: State, v: Vehicle) -> int:
    """Halves of MP for a vehicle to turn where it stands (3.3.2.vca)."""
    return turning_cost(state.ground, v.hex)


def _why_not_wait(state: State, v: Vehicle, mover: Mover) -> Iterator[Ruling]:
    """A reinforcement that can enter now must (3.3.entry)."""
    off = state.ground.is_off
    if v.hex not in off or v.side != state.attacker or v.recall:
        return
    if any(h not in off and entry_cost(state, v, h) <= left(v, mover) for h in front(state, v)):
        yield rule("3.3.entry#entro", N_("{unit} must enter the map now"), unit=v.id)


def why_not_end(state: State, v: Vehicle, mover: Mover) -> Iterator[Ruling]:
    """A running vehicle ends in Motion only with its MP spent (3.3.2.motion)."""
    yield from _why_not_wait(state, v, mover)
    if is_leaving(state, v):
        way = way_out(state, v)
        if (left(v, mover) >= 2) if not v.marks.running else (left(v, mover) >= way.cost):
            yield _recalled(v)
        return
    if not v.marks.running:
        return
    if left(v, mover) >= 2 and not (v.is_stuck or is_short(state, v, mover)):
        yield rule(
            "3.3.2.motion#avanzati", N_("{unit} has MP left: it goes on, or stops"), unit=v.id
        )
    foes = [f for f in vehicles_at(state, v.hex) if f.side != v.side and f.is_live]
    if foes and left(v, mover) >= 2 and not could_kill(state, v, foes[0], mover.came_from or v.hex):
        text = N_("{unit} may not end in Motion in the hex of an enemy AFV")
        yield rule(("3.3.2.motion_enemy_hex#vietato", "casa.37"), text, unit=v.id)


def is_short(state: State, v: Vehicle, mover: Mover) -> bool:
    """Whether its MP do not take it into a hex ahead that it might wish to enter (3.3.2.motion)."""
    mp = left(v, mover)
    ahead = [h for h in front(state, v) if h not in state.ground.is_off]
    field = state.ground
    return any(
        _can_hold(field, v.data, v.crew.ce, h) and entry_cost(state, v, h) > mp for h in ahead
    )


def could_kill(state: State, v: Vehicle, foe: Vehicle, came_from: str) -> bool:
    """Whether an original TK DR of 5 would destroy or shock it from where it came (casa.37)."""
    data = v.data
    if v.arms.ma:
        return False
    ammo = "HE" if data.no_ap else "AP"
    base = basic_tk(Shell(ammo, data.calibre, f"{data.calibre}{data.barrel}", data.nation), 0)
    hull, turret = [
        base - armour(foe, part, aspect(state, foe, part, came_from, 6)) for part in (HULL, TURRET)
    ]
    shocks = (KILLING_DR, KILLING_DR - 1) if ammo == "HE" else (KILLING_DR,)
    return max(hull, turret) > KILLING_DR or (foe.data.is_turreted and turret in shocks)


# Acting


def step(ctx: Ctx[State]) -> None:
    """One expenditure of MP, or the end (3.3.2)."""
    state = ctx.state
    mover = state.mover
    assert mover is not None
    v = state.vehicles[mover.units[0]]
    steps: Verdicts[tuple[str, str]] = Verdicts(
        state, "step", lambda pair: why_not_step(state, v, mover, pair)
    )
    if (v.is_non_stopped or not v.is_live) and all(
        steps.barred(c.value, c.value) for c in step_choices(state, v, mover)
    ):
        end(ctx, v.id)
        return
    verb, what = ctx.choose(
        "move.next",
        v.side,
        step_choices(state, v, mover),
        "3.3.2#spende",
        N_("what does {unit} do? {left} MP left"),
        why_not=lambda pair: steps.against(pair, pair),
        unit=v.id,
        left=halved(left(v, mover)),
    )
    _act(ctx, mover, v, verb, what)


def _act(ctx: Ctx[State], mover: Mover, v: Vehicle, verb: str, what: str) -> None:
    """What was chosen is done (3.3.2)."""
    if verb in ("enter", "all", "slow", "minimum"):
        enter(ctx, mover, v, what, verb)
    elif verb == "start":
        start(ctx, mover, v)
    elif verb == "stop":
        ctx.do(Stopped(vehicle=v.id), "3.3.2.start_stop#stop")
        spend(ctx, mover, v.id, 2, "stop", "3.3.2.start_stop#stop")
    elif verb == "delay":
        spend(ctx, mover, v.id, 2, "delay", "3.3.2.delay#spendere")
    elif verb in ("left", "right"):
        turn(ctx, mover, v, 1 if verb == "right" else -1)
    elif verb == "turret":
        refs = ("3.3.2.tca#gira", "6.10#si-perde" if v.hold.acquired else "")
        ctx.do(TurretTurned(vehicle=v.id, tca=int(what)), refs)
        turned = replace(mover, turret=True)
        ctx.do(
            MoverSet(what=N_("the turret turns with the next MP"), mover=turned), "3.3.2.tca#gira"
        )
    elif verb == "hatch":
        hatch(ctx, v.id, "7.7#cambio")
        if mover.expenditures and v.hex not in ctx.state.ground.is_off:
            seen = replace(mover, window=True, passed=True)
            ctx.do(
                MoverSet(what=N_("the DEFENDER may fire"), mover=seen),
                ("7.7#non-movimento", "3.3.3#fermare"),
            )
    elif verb == "smoke":
        if dispense(ctx, v.id):
            spend(ctx, mover, v.id, 2, "smoke", "7.5#costa")
    elif verb == "fire":
        bound(ctx, v)
    else:
        end(ctx, v.id)


def spend(ctx: Ctx[State], mover: Mover, name: str, halves: int, act: str, ref: str = "") -> None:
    """MP spent where it stands, as a rule says: the DEFENDER may fire (3.3.3)."""
    v = ctx.state.vehicles[name]
    changed = replace(
        mover,
        spent={name: mover.spent[name] + halves},
        latest=halves,
        trail=(*mover.trail, (v.hex, halves)),
        shots={},
        window=v.hex not in ctx.state.ground.is_off,
        passed=False,
        act=act,
        turret=False,
        expenditures=mover.expenditures + 1,
    )
    _expend(ctx, changed, name, ref)


def _expend(ctx: Ctx[State], changed: Mover, name: str, ref: str = "") -> None:
    """The move goes on, with the MP spent now and in all (3.3.2, 3.3.3)."""
    ctx.do(
        MoverSet(what=N_("MP are spent"), mover=changed),
        (ref, "3.3.2#spende", "3.3.3#fermare"),
        N_("{n} MP spent, {total} in all"),
        n=Fraction(changed.latest, 2),
        total=Fraction(changed.spent[name], 2),
    )


def start(ctx: Ctx[State], mover: Mover, v: Vehicle) -> None:
    """1 MP to get going; red MP may fail (3.3.2.start_stop, 3.3.2.reliability)."""
    ctx.do(Started(vehicle=v.id), "3.3.2.start_stop#start")
    if v.data.red and fails(ctx, v.id):
        mover = replace(mover, ending=True)
    spend(ctx, mover, v.id, 2, "start", "3.3.2.start_stop#start")


def fails(ctx: Ctx[State], name: str) -> bool:
    """DR 12, 11 for some, immobilizes a vehicle with red MP (3.3.2.reliability, casa.55)."""
    number = ctx.state.vehicles[name].data.fails_at

    def read(faces: tuple[int, ...]) -> bool:
        return faces[0] + faces[1] >= number

    refs = ("3.3.2.reliability", "casa.55#undici" if number < 12 else "")
    why = N_("{unit}: mechanical reliability")
    if ctx.roll(DR, read, refs, why, unit=name, number=number):
        immobilize(ctx, name, "3.3.2.reliability")
        return True
    return False


def enter(ctx: Ctx[State], mover: Mover, v: Vehicle, hex: str, verb: str) -> None:
    """Into a hex of its VCA (3.3.2)."""
    state = ctx.state
    all_mp = verb in ("all", "minimum")
    lines = cost_lines(state, v, hex, all_mp)
    cost = _tell_mp(ctx, mover, v, hex, lines, verb)
    road = is_road(state, v.hex, hex)
    here = v.hex
    over_hedge = v.data.is_ac and (here, hex) in state.ground.hedges and not road
    if over_hedge and bogs(ctx, v, hex, "hedge"):
        immobilize(ctx, v.id, "1.1.1.hedges.move#fallisce")
        spend(ctx, replace(mover, ending=True), v.id, cost, "hedge")
        return
    refs = tuple(dict.fromkeys(ref for _, ref, _ in lines))
    ctx.do(Moved(unit=v.id, hex=hex), refs)
    ctx.do(BecameMovingTarget(vehicle=v.id), ("2.0.moving_target#nuovo", "3.3.2#bersaglio"))
    if hex in state.ground.is_off and v.recall:
        ctx.do(Left(unit=v.id), "7.10.recall#uscire")
        ctx.do(MoverSet(what=N_("the move ends"), mover=None), "7.10.recall#uscire")
        return
    _uncover(ctx, v, hex)
    bogged = not road and _bogs_entering(ctx, v.id, hex, all_mp)
    changed = replace(
        mover,
        spent={v.id: mover.spent[v.id] + cost},
        latest=cost,
        trail=(*mover.trail, (hex, cost)),
        came_from=here,
        shots={},
        paatc=(),
        window=hex not in state.ground.is_off,
        passed=False,
        act="enter",
        turret=False,
        entered=True,
        ending=bogged or verb == "minimum",
        all_mp=all_mp,
        expenditures=mover.expenditures + 1,
    )
    _expend(ctx, changed, v.id)


def _tell_mp(
    ctx: Ctx[State], mover: Mover, v: Vehicle, hex: str, lines: list[Line], verb: str
) -> int:
    """Halves of MP that it spends, part by part (3.3.2, 3.3.2.minimum, 3.3.2.woods_all_mp)."""
    mp = left(v, mover)
    more = 0
    if verb == "slow":
        more = _more_mp(ctx, v, mp - sum(value for value, _, _ in lines))
    price = ctx.tally(MP_COST)
    for value, ref, text in lines:
        price.add(halved(value), ref, text, hex=hex, terrain=ctx.state.ground.kind(hex))
    price.add(more, "casa.41", N_("more MP than needed"))
    if verb == "minimum":
        price.set(halved(mp), "3.3.2.minimum", N_("minimum move: all its MP for one hex"))
    elif verb == "all" or 2 * price.total > mp:
        price.set(halved(mp), "3.3.2.woods_all_mp", N_("all its MP, Start and Stop included"))
    return int(2 * price.total)


def _uncover(ctx: Ctx[State], v: Vehicle, hex: str) -> None:
    """A hidden Gun that a vehicle drives into is shown with its crew (6.4)."""
    for foe in [u for u in units_at(ctx.state, hex) if u.hidden and u.side != v.side]:
        ctx.do(Revealed(unit=foe.id, hex=hex), "6.4#afv")
        for weapon in weapons_of(ctx.state, foe.id):
            ctx.do(Revealed(unit=weapon.id, hex=hex), "6.4#afv")


def _bogs_entering(ctx: Ctx[State], name: str, hex: str, all_mp: bool) -> bool:
    """A Bog Check in woods and buildings (7.6)."""
    terrain = ctx.state.ground.terrain[hex]
    if terrain != WOODS and terrain not in BUILDINGS:
        return False
    if not bogs(ctx, ctx.state.vehicles[name], hex, "all" if all_mp else "half"):
        return False
    bog(ctx, name)
    return True


def _more_mp(ctx: Ctx[State], v: Vehicle, spare: int) -> int:
    """How many MP beyond the minimum are declared with the entry (casa.41)."""
    most = spare // 2
    if most <= 1:
        return 1
    offers = [amount(n, n, N_("{n} MP more")) for n in range(1, most + 1)]
    why = N_("how many MP more does {unit} spend?")
    return ctx.choose("move.more-mp", v.side, offers, ("casa.41", "3.3.2#piu-mp"), why, unit=v.id)


def turn(ctx: Ctx[State], mover: Mover, v: Vehicle, way: int) -> None:
    """The hull turns one hexspine, the turret with it (3.3.2.vca)."""
    cost = turn_cost(ctx.state, v)
    if is_rough(ctx.state.ground, v.hex) and bogs(ctx, v, v.hex, "turn"):
        bog(ctx, v.id)
        spend(ctx, replace(mover, ending=True), v.id, cost, "vca", "3.3.2.vca#girare")
        return
    refs = ("3.3.2.vca#girare", "7.8#torretta-segue", "6.10#si-perde" if v.hold.acquired else "")
    ctx.do(HullTurned(vehicle=v.id, vca=(v.vca + way) % 6, tca=(v.tca + way) % 6), refs)
    spend(ctx, mover, v.id, cost, "vca", "3.3.2.vca#girare")


# Smoke dispensers


def why_not_dispense(state: State, v: Vehicle) -> Iterator[Ruling]:
    """Once per Player Turn, before firing, never Shocked or Stunned (7.5, casa.38)."""
    if v.marks.smoked:
        yield rule("7.5#una-volta", N_("{unit} has tried smoke this Player Turn"), unit=v.id)
    if v.crew.shock or v.crew.stun:
        yield rule("7.5#non-puo", N_("{unit} is Shocked or Stunned"), unit=v.id)
    if v.marks.fired:
        yield rule(("7.5#non-puo", "casa.38"), N_("{unit} has fired"), unit=v.id)
    kind = next(iter(v.data.smoke), "")
    if kind in ("sP", "sN") and not v.crew.ce:
        ref = "7.5.sd#lanciafumogeni/sN (Nahverteidigungswaffe)"
        if kind == "sP":
            ref = "7.5.sd#lanciafumogeni/sP (Smoke Pots)"
        yield rule(ref, N_("{how} needs a CE crew"), how=kind)
    if kind == "sM" and state.ground.terrain[v.hex] in BUILDINGS:
        yield rule("7.5.sd#lanciafumogeni/sM (Smoke Mortar)", N_("no sM from a building"))
    if v.hex in state.ground.is_off:
        yield rule("casa.26", N_("{unit} is off the map"), unit=v.id)


def dispense(ctx: Ctx[State], name: str) -> bool:
    """DR at most the usage number, +1 BU: dispersed smoke +2 (7.5, 7.5.sd)."""
    state = ctx.state
    v = state.vehicles[name]
    kind, number = next(iter(v.data.smoke.items()))
    hex = v.hex
    lines = []
    if not v.crew.ce:
        lines.append(drm(1, "7.5#dr", N_("{unit} is BU"), unit=name))
    if kind == "sM":
        hex = _mortar_hex(ctx, v)
        sight = declared_los(ctx, v.side, v.hex, hex)
        if sight.blocked is not None:
            refs = ("casa.62#sm", "3.2.1.declare#perso")
            ctx.cite(refs, N_("{unit} has no LOS to {hex}"), unit=name, hex=hex)
            ctx.do(SmokeTried(vehicle=name), refs)
            return False
        turns = state.ground.turns(v.hex, arc_of(v, "cmg"), hex)
        lines += [
            drm(ca_drm(v.data.turret, turns), "7.5.sd#sm", N_("change of CA")),
            drm(2 if v.is_non_stopped else 0, "7.5.sd#sm", N_("{unit} is not stopped"), unit=name),
            *sight.hindrance,
        ]
    change = add_all(ctx.tally(N_("smoke DRM")), lines)
    ctx.do(SmokeTried(vehicle=name), "7.5#una-volta")
    rolled = ctx.roll(
        DR,
        total,
        ("7.5#dr", "7.5.sd#pedina"),
        N_("{unit} makes smoke with {number} or less"),
        unit=name,
        number=number - change,
    )
    if rolled + change > number:
        ctx.cite("7.5#fallisce", N_("no smoke"))
        return False
    ctx.do(
        SmokePlaced(hex=hex, value=2, kind="dispersed", side=v.side),
        ("7.5.sd#pedina", '1.2.5#pedine/⅝" dispersa da veicolo'),
    )
    return True


def _mortar_hex(ctx: Ctx[State], v: Vehicle) -> str:
    state = ctx.state
    field = state.ground
    free = is_los_free(state)
    hexes = [h for h in field.labels if 1 <= field.range(v.hex, h) <= 3]
    return ctx.choose(
        "smoke.hex",
        v.side,
        [field.offer[h] for h in hexes],
        "7.5.sd#lanciafumogeni/sM (Smoke Mortar)",
        N_("where does {unit} throw smoke?"),
        why_not=lambda h: [one] if free and (one := why_not_see(state, v.id, v.hex, h)) else None,
        unit=v.id,
    )


# Bounding First Fire


def why_not_bound(state: State, v: Vehicle, mover: Mover) -> Iterator[Ruling]:
    """Fire in its own MPh, after some MP (3.3.2.2)."""
    if not mover.expenditures:
        yield rule("3.3.2.2#drm", N_("it fires after spending MP"))
    starts = start_verdicts(state, target_hexes(state, v.side))
    if all(starts.barred(e.id, e) for e in vehicle_elements(v)):
        yield rule("3.3.2.2#sparare", N_("{unit} has nothing to fire at"), unit=v.id)


def bound(ctx: Ctx[State], v: Vehicle) -> None:
    """The weapon, the target, the shot (3.3.2.2)."""
    state = ctx.state
    hexes = target_hexes(state, v.side)
    starts = start_verdicts(state, hexes)
    choices: list[Choice[Element]] = [
        unit(e.id, e, N_("{unit} fires")) for e in vehicle_elements(v)
    ]
    e = ctx.choose(
        "fire.weapon",
        v.side,
        choices,
        ("3.3.2.2#sparare", "2.0.bounding_first_fire#fuoco"),
        N_("which weapon of {unit} fires?"),
        why_not=lambda one: starts.against(one.id, one),
        unit=v.id,
    )
    hex = choose_hex(ctx, e, hexes)
    shoot_at(ctx, v.side, e, hex)
    mover = ctx.state.mover
    if mover is not None and e.part in MAIN:
        ctx.do(
            MoverSet(what=N_("Bounding First Fire"), mover=replace(mover, act="fire")),
            "3.3.2.2#pedina",
        )


# Ending


def close_vehicle_window(ctx: Ctx[State]) -> None:
    """No more defensive fire: a crippled vehicle stops (3.3.3)."""
    mover = ctx.state.mover
    assert mover is not None
    name = mover.units[0]
    v = ctx.state.vehicles[name]
    if not v.is_live or v.crew.shock or v.crew.stun or mover.ending:
        end(ctx, name)
        return
    rest = replace(mover, window=False, passed=False)
    ctx.do(MoverSet(what=N_("no more defensive fire"), mover=rest), "3.3.3#risolve")


def end(ctx: Ctx[State], name: str) -> None:
    """Leftover MP are spent here; a running vehicle is in Motion (3.3.2.motion)."""
    v = ctx.state.vehicles[name]
    if v.is_live and v.marks.running and not (v.is_stuck or v.crew.shock or v.crew.stun):
        ctx.do(EndedInMotion(vehicle=name), ("3.3.2.motion#riceve", "2.0.motion_status#stato"))
    elif v.marks.running:
        ctx.do(Halted(vehicle=name), "3.3.2#spende")
    ctx.do(MoveEnded(units=(name,), over=True), "3.3.2#spende")


def end_of_movement(ctx: Ctx[State]) -> None:
    """One vehicle per side and hex: of two, one becomes a wreck (3.3.2.obstacles)."""
    for side in ctx.state.sides:
        hexes: dict[str, list[str]] = {}
        for v in ctx.state.vehicles.values():
            if v.side == side and v.is_live and v.hex not in ctx.state.ground.is_off:
                hexes.setdefault(v.hex, []).append(v.id)
        for names in hexes.values():
            while len(names) > 1:
                choices = [unit(n, n) for n in names]
                why = N_("which vehicle becomes a wreck?")
                name = ctx.choose("vehicle.wreck", side, choices, "3.3.2.obstacles#due", why)
                destroy(ctx, name, "3.3.2.obstacles#due")
                names.remove(name)


# Recall


class Way(msgspec.Struct, frozen=True):
    """The next steps of the shortest way off the map: hexes ahead, turns, the cheapest of them."""

    hexes: tuple[str, ...]
    turns: tuple[str, ...]
    cost: int


def _recalled(v: Vehicle) -> Ruling:
    text = N_("{unit} is recalled and must leave the map")
    return rule(("7.10.recall#uscire", "casa.51#minima"), text, unit=v.id)


def is_leaving(state: State, v: Vehicle) -> bool:
    """Recalled, mobile and not cut off from its edge (7.10.recall)."""
    return (
        v.recall
        and not (v.is_stuck)
        and v.hex not in state.ground.is_off
        and _find_way(state, v) is not None
    )


def way_out(state: State, v: Vehicle) -> Way:
    """The first steps of the shortest ways, in MP, to its friendly edge (7.10.recall, casa.51)."""
    found = _find_way(state, v)
    assert found is not None
    return found


def _why_not_stray(state: State, v: Vehicle, verb: str) -> Iterator[Ruling]:
    if verb not in way_out(state, v).turns:
        yield _recalled(v)


def friendly_edge(state: State, side: Side) -> str:
    """The edge by which recalled vehicles of a side leave (7.10.recall)."""
    card = scenarios().get(state.scenario)
    return card.friendly.get(side, "west") if card is not None else "west"


@indexed()
def _ways_out(vehicles: dict[str, Vehicle], smoke: dict[str, Smoke]) -> dict[str, Way | None]:
    """The ways of recalled vehicles; found when asked."""
    return {}


def _find_way(state: State, v: Vehicle) -> Way | None:
    known = _ways_out(state.vehicles, state.smoke)
    if v.id not in known:
        known[v.id] = _search_way(state, v)
    return known[v.id]


def _search_way(state: State, v: Vehicle) -> Way | None:
    edge = friendly_edge(state, v.side)
    crowd = Counter(one.hex for one in state.vehicles.values() if one.place == MAP and one is not v)
    far = _distances(
        state.ground, v.type, v.crew.ce, edge, frozenset(state.smoke), frozenset(crowd.items())
    )
    return _first_steps(state, v, far, state.ground.off[edge])


def _can_hold(field: Ground, data: VehicleType, ce: bool, hex: str) -> bool:
    """Whether the terrain lets it in (1.1.1.buildings, 7.7)."""
    return field.kind(hex) not in BUILDINGS or not (data.is_ac or ce)


@lru_cache(maxsize=32)
def _arrivals(field: Ground, type: str, ce: bool) -> dict[str, tuple[tuple[str, int, int], ...]]:
    """For every hex: from where it is entered, over which hexside of that, at what cost (3.3.2)."""
    data = VEHICLES[type]
    found: dict[str, list[tuple[str, int, int]]] = {}
    for here in field.labels:
        for k, hex in enumerate(field.side[here]):
            if hex and (hex in field.is_off or _can_hold(field, data, ce, hex)):
                cost = sum(value for value, _, _ in terrain_lines(field, data, ce, here, hex))
                found.setdefault(hex, []).append((here, k, cost))
    return {hex: tuple(ways) for hex, ways in found.items()}


@lru_cache(maxsize=256)
def _distances(
    field: Ground,
    type: str,
    ce: bool,
    edge: str,
    smoke: frozenset[str],
    crowd: frozenset[tuple[str, int]],
) -> dict[tuple[str, int], int]:
    """Every hex and facing by its MP from the edge, backwards (7.10.recall)."""
    blocks = dict(crowd)
    arrivals = _arrivals(field, type, ce)
    far: dict[tuple[str, int], int] = {}
    queue: list[tuple[int, str, int]] = []

    def arrive(hex: str, spines: Iterable[int], rest: int) -> None:
        """Queue whoever could enter a hex facing some hexspines."""
        for here, k, cost in arrivals.get(hex, ()):
            for spine in spines:
                if k in (spine, (spine + 1) % 6) and (here, spine) not in far:
                    more = obstacle_lines(field, here, hex, hex in smoke, blocks.get(hex, 0))
                    price = cost + sum(value for value, _, _ in more)
                    heappush(queue, (rest + price, here, spine))

    for hex in field.off[edge]:
        arrive(hex, range(6), 0)
    while queue:
        cost, hex, spine = heappop(queue)
        if (hex, spine) in far:
            continue
        far[hex, spine] = cost
        turn = turning_cost(field, hex)
        for way in (1, -1):
            if (hex, (spine + way) % 6) not in far:
                heappush(queue, (cost + turn, hex, (spine + way) % 6))
        arrive(hex, (spine,), cost)
    return far


def _first_steps(
    state: State, v: Vehicle, far: dict[tuple[str, int], int], outside: tuple[str, ...]
) -> Way | None:
    """What brings it nearer by just what it costs."""
    whole = far.get((v.hex, v.vca))
    if whole is None:
        return None
    prices: dict[str, int] = {}
    for hex in front(state, v):
        cost = entry_cost(state, v, hex)
        rest = 0 if hex in outside else far.get((hex, v.vca))
        if rest is not None and rest + cost == whole:
            prices[hex] = cost
    turns: list[str] = []
    for verb, way in (("right", 1), ("left", -1)):
        rest = far.get((v.hex, (v.vca + way) % 6))
        if rest is not None and rest + turn_cost(state, v) == whole:
            turns.append(verb)
    least = min([*prices.values(), *[turn_cost(state, v) for _ in turns]])
    return Way(tuple(prices), tuple(turns), least)
