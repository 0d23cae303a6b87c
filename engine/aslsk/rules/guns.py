"""Guns: hidden set-up, free turning, pushing by hand (3.2.4.ca_free, 6.3-6.5).

Refs: 2.0.hip, 2.0.hazardous, 2.0.m_num, 2.0.emplaced, 2.0.qrdc, 3.2.4.ca_free, 3.3.2.vca, 6.3, 6.4,
6.5, 7.6, casa.60.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from engine.aslsk.rules.bogging import bog, bogs, is_rough
from engine.aslsk.rules.elements import MAIN, find, vehicle_elements, why_not_fire
from engine.aslsk.rules.movement import end_group, entry_cost, expend, left_mf
from engine.aslsk.rules.setup import zone_hexes
from engine.aslsk.rules.sight import sees
from engine.aslsk.rules.terrain import TEM, by_road, tell_cost
from engine.aslsk.state.book import DR, halved, hexspines, rule
from engine.aslsk.state.events import CaChanged, Marked, Moved, Pushed, Revealed, Rooted, Settled
from engine.aslsk.state.ground import OPEN
from engine.aslsk.state.state import (
    HAZARD,
    MAP,
    NOTHING,
    OWN_FP,
    Mover,
    State,
    Unit,
    Vehicle,
    Weapon,
    noted,
    units_at,
    weapons_of,
)
from engine.aslsk.state.tables import SQUAD
from engine.aslsk.state.units import best_helper, enemy_holds, gun_of, why_not_stack
from engine.aslsk.state.vehicle_events import HullTurned, TurretTurned
from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, unit
from engine.core.rules import Ruling
from engine.core.text import N_

SIGHT = 16


def is_spotted(state: State, hex: str, side: str) -> bool:
    """In Open Ground with a Good Order enemy in LOS within 16 (6.4)."""
    field = state.ground
    if field.kind(hex) != OPEN:
        return False
    eyes = [u.hex for u in state.units.values() if u.side != side and u.good_order]
    eyes += [v.hex for v in state.vehicles.values() if v.side != side and v.good_order]
    return any(
        eye not in field.is_off and field.range(eye, hex) <= SIGHT and sees(state, eye, hex)
        for eye in eyes
    )


def reveal_guns(ctx: Ctx[State]) -> None:
    """A hidden Gun that is spotted, or entered by an AFV, is shown (6.4)."""
    for name in noted(ctx.state.units).hidden:
        one = ctx.state.units[name]
        entered = any(
            v.hex == one.hex and v.side != one.side and v.is_live
            for v in ctx.state.vehicles.values()
        )
        if entered or one.broken or is_spotted(ctx.state, one.hex, one.side):
            ref = "6.4#afv" if entered else "6.4#effetto" if one.broken else "6.4#aperto"
            ctx.do(Revealed(unit=one.id, hex=one.hex), (ref, "2.0.hip"))
            for weapon in weapons_of(ctx.state, one.id):
                ctx.do(Revealed(unit=weapon.id, hex=one.hex), ref)


def hiding_places(state: State, one: Unit) -> list[str]:
    """Other hexes where a hidden crew and its Gun could be, as far as the enemy knows."""
    field = state.ground
    zone = one.entry[5:]
    return [
        h
        for h in zone_hexes(field, zone)
        if h != one.hex
        and not units_at(state, h)
        and not field.is_paved(h)
        and not any(v.hex == h for v in state.vehicles.values())
        and not is_spotted(state, h, one.side)
        and h not in state.residual
    ]


def may_hide(state: State, hex: str) -> bool:
    """Whether a HIP unit could be in a hex, for all that anybody may know (6.4, dae2.5)."""
    return any(
        hex == u.hex or (u.entry.startswith("zone ") and hex in hiding_places(state, u))
        for u in state.units.values()
        if u.hidden and u.place == MAP
    )


# Turning without firing


def turnable(state: State) -> list[str]:
    """Guns and vehicles of the side that may still turn (3.2.4.ca_free, 3.3.2.vca)."""
    found = []
    for w in state.weapons.values():
        if w.place != MAP or not w.data.is_gun or not w.owner or w.fire:
            continue
        owner = state.units[w.owner]
        if owner.side != state.who or OWN_FP in owner.used or owner.moved:
            continue
        if next(why_not_fire(state, find(state, owner.side, w.id)), None) is None:
            found.append(w.id)
    for v in state.vehicles.values():
        if v.side == state.who and v.is_live and _can_bear(state, v):
            found.append(v.id)
    return [n for n in found if f"turned {n}" not in state.settled]


def _can_bear(state: State, v: Vehicle) -> bool:
    """Whether a weapon of its hull or turret could still fire, not intensively (3.3.2.vca)."""
    return any(
        e.part != "aamg"
        and not (e.part in MAIN and v.marks.fire)
        and next(why_not_fire(state, e), None) is None
        for e in vehicle_elements(v)
        if v.data.is_turreted or not (v.is_stuck)
    )


def free_turn(ctx: Ctx[State]) -> bool:
    """At the end of its fire phase a side may turn what could still fire (3.2.4.ca_free)."""
    state = ctx.state
    side = state.who
    if f"turn {side}" in state.settled:
        return False
    names = turnable(state)
    if not names:
        return False
    choices: list[Choice[str]] = [unit(n, n) for n in names]
    choices.append(button("passa", "", N_("nothing turns")))
    name = ctx.choose(
        "facing.who",
        side,
        choices,
        "3.2.4.ca_free#fine-fase",
        N_("what turns without firing?"),
    )
    if not name:
        ctx.do(
            Settled(unit=f"turn {side}"),
            "3.2.4.ca_free#fine-fase",
            N_("{side} turns nothing more"),
            side=side,
        )
        return True
    ctx.do(
        Settled(unit=f"turned {name}"),
        "3.2.4.ca_free#fine-fase",
        N_("{side} turns without firing"),
        side=side,
    )
    if name in state.vehicles:
        _turn_vehicle(ctx, state.vehicles[name])
        return True
    spine = ctx.choose(
        "facing.ca",
        side,
        hexspines(),
        ("3.2.4.ca_free#fine-fase", "2.0.ca#spicchio"),
        N_("where does {weapon} point?"),
        weapon=name,
    )
    weapon = state.weapons[name]
    if weapon.hidden:
        ctx.do(Revealed(unit=name, hex=state.units[weapon.owner].hex), "6.4#spara")
        ctx.do(Revealed(unit=weapon.owner, hex=state.units[weapon.owner].hex), "6.4#spara")
    ctx.do(CaChanged(weapon=name, ca=spine, hold=NOTHING), ("3.2.4.ca_free#perde", "6.10#si-perde"))
    ctx.do(Rooted(unit=weapon.owner), "3.2.4.ca_free#poi")
    return True


def _turn_vehicle(ctx: Ctx[State], v: Vehicle) -> None:
    """Hull, if it can turn, and turret; rough ground asks for a Bog Check (3.3.2.vca, 7.6)."""
    spines = hexspines()
    vca = v.vca
    if not (v.is_stuck):
        why = N_("where does {weapon} point?")
        vca = ctx.choose(
            "facing.ca",
            v.side,
            spines,
            ("3.3.2.vca#fine-fase", "2.0.ca#spicchio"),
            why,
            weapon=v.id,
        )
    if vca != v.vca and is_rough(ctx.state.ground, v.hex) and bogs(ctx, v, v.hex, "turn"):
        bog(ctx, v.id)
        return
    tca = vca
    if v.data.is_turreted:
        why = N_("where does the turret of {weapon} point?")
        tca = ctx.choose(
            "facing.turret", v.side, spines, ("casa.60#libero", "2.0.tca#tca"), why, weapon=v.id
        )
    if (vca, tca) == (v.vca, v.tca):
        return
    arc = "3.3.2.vca#fine-fase" if vca != v.vca else "3.3.2.vca#sola-torretta"
    refs = (arc, "6.10#si-perde" if v.hold.acquired else "")
    if vca != v.vca:
        ctx.do(HullTurned(vehicle=v.id, vca=vca, tca=tca), refs)
    else:
        ctx.do(TurretTurned(vehicle=v.id, tca=tca), refs)


# Pushing


def why_not_push(state: State, mover: Mover, hex: str) -> Iterator[Ruling]:
    """Only QSU Guns, at twice the MF, one weapon move per MPh (6.5)."""
    one = state.units[mover.units[0]]
    gun = gun_of(state, one)
    assert gun is not None
    if not gun.data.qsu:
        yield rule(
            ("6.5#solo-qsu", "2.0.qrdc#limbered"),
            N_("{weapon} is not QSU and never moves"),
            weapon=gun.id,
        )
    if hex in state.ground.is_off:
        yield rule(
            "3.3.exit#volontaria", N_("leaving the map is no part of the victory conditions")
        )
        return
    if enemy_holds(state, hex, one.side):
        yield rule("3.3#nemici", N_("enemies are in {hex}"), hex=hex)
    cost = push_cost(state, one.hex, hex)
    left = left_mf(state, mover, one.id, False)
    if cost > left:
        yield rule(
            "6.5#costo",
            N_("{hex} costs {cost} MF, {unit} has {left}"),
            hex=hex,
            cost=halved(cost),
            unit=one.id,
            left=halved(left),
        )
    yield from why_not_stack(state, hex, [state.units[n] for n in mover.units])


def push_step(ctx: Ctx[State]) -> None:
    """Those who push a Gun choose a hex, or stop (6.5)."""
    state = ctx.state
    mover = state.mover
    assert mover is not None
    one = state.units[mover.units[0]]
    field = state.ground
    choices: list[Choice[str]] = [field.offer[h] for h in field.near[one.hex]]
    choices.append(button("fine", "", N_("end the move")))
    hex = ctx.choose(
        "gun.push",
        one.side,
        choices,
        "6.5#solo-qsu",
        N_("where is the Gun of {unit} pushed?"),
        why_not=lambda h: why_not_push(state, mover, h) if h else None,
        unit=one.id,
    )
    if hex:
        push(ctx, mover, hex)
    else:
        end_group(ctx, mover)


def push_cost(state: State, a: str, b: str) -> int:
    """Twice the MF of the terrain (6.5)."""
    return 2 * entry_cost(state, a, b, True)


def push_drm(ctx: Ctx[State], mover: Mover, gun: Weapon, hex: str) -> int:
    """MF paid, TEM entered, leadership, road, more hands (6.5)."""
    state = ctx.state
    one = state.units[mover.units[0]]
    tally = ctx.tally(N_("manhandling DRM"))
    tally.add(
        push_cost(state, one.hex, hex) // 2, "6.5#spinta/MF pagati (già raddoppiati)", N_("MF paid")
    )
    tally.add(
        TEM.get(state.ground.terrain[hex], 0),
        "6.5#spinta/TEM dell'esagono in cui si entra",
        N_("TEM of {hex}"),
        hex=hex,
    )
    best = best_helper(state, one)
    if best is not None and best.id in mover.units:
        tally.add(best.leadership, "6.5#spinta/Leadership", N_("{unit} leads"), unit=best.id)
    if by_road(state.ground, one.hex, hex):
        tally.add(-2, "6.5#spinta/entrata per un lato di strada", N_("across a road hexside"))
    if one.data.kind == SQUAD:
        tally.add(-1, "6.5#spinta/il proprietario è una squadra", N_("the owner is a squad"))
    for name in mover.units[1:]:
        helper = state.units[name]
        if helper.is_mmc and helper.data.kind == SQUAD:
            tally.add(-2, "6.5#spinta/ogni altra squadra che spinge", N_("{unit} helps"), unit=name)
        elif helper.is_mmc:
            tally.add(
                -1,
                "6.5#spinta/ogni altra HS o Crew che spinge",
                N_("{unit} helps: a HS or crew"),
                unit=name,
                table="push",
            )
    return int(tally.total)


def push(ctx: Ctx[State], mover: Mover, hex: str) -> None:
    """DR against the M#: under goes on, equal stops, above stays (6.5)."""
    state = ctx.state
    one = state.units[mover.units[0]]
    gun = gun_of(state, one)
    assert gun is not None
    _show_pushed(ctx, gun, one)
    cost = push_cost(state, one.hex, hex)
    tell_cost(ctx, one.hex, hex, True).times(2, "6.5#costo", N_("a Gun is pushed: double MF"))
    found = _roll_push(ctx, mover, gun, hex)
    for name in mover.units:
        if not ctx.state.units[name].hazard:
            ctx.do(Marked(unit=name, marker=HAZARD), ("6.5#azzardato", "2.0.hazardous#drm"))
    spent = {n: mover.spent[n] + (cost if n in mover.units else 0) for n in mover.spent}
    foes = [u for u in units_at(state, hex) if u.hidden and u.side != one.side]
    entered = found != "stays" and not foes
    ref = {"goes": "6.5#inferiore", "stops": "6.5#uguale", "stays": "6.5#superiore"}[found]
    refs = (ref, "6.3#primo-movimento")
    if entered:
        ctx.do(Pushed(weapon=gun.id, entered=True), refs)
    else:
        text = N_("{weapon} does not move")
        ctx.do(Pushed(weapon=gun.id, entered=False), refs, text, weapon=gun.id)
    if found != "stays":
        _show_hidden(ctx, foes, hex)
    if entered:
        _push_into(ctx, mover, gun, hex, ref)
    at = hex if entered else one.hex
    changed = msgspec.structs.replace(
        mover,
        spent=spent,
        road=False,
        entered=True,
        latest=cost,
        trail=(*mover.trail, (at, cost)),
        came_from=one.hex if entered else mover.came_from,
        shots={},
        window=True,
        act="push" if entered else "bump",
        ending=found != "goes" or not entered,
        expenditures=mover.expenditures + 1,
    )
    expend(ctx, changed, mover.units, "6.5#costo")


def _show_pushed(ctx: Ctx[State], gun: Weapon, one: Unit) -> None:
    """A hidden Gun that is pushed is shown with its crew (6.4)."""
    if gun.hidden:
        ctx.do(Revealed(unit=gun.id, hex=one.hex), "6.4#spara")
    if one.hidden:
        ctx.do(Revealed(unit=one.id, hex=one.hex), "6.4#spara")


def _roll_push(ctx: Ctx[State], mover: Mover, gun: Weapon, hex: str) -> str:
    """Under the M# it goes on, equal it stops there, above it stays (6.5, 2.0.m_num)."""
    drm = push_drm(ctx, mover, gun, hex)
    number = gun.data.m

    def read(faces: tuple[int, ...]) -> str:
        final = faces[0] + faces[1] + drm
        return "goes" if final < number else "stops" if final == number else "stays"

    why = N_("{weapon} is pushed: under {number}")
    return ctx.roll(
        DR, read, ("6.5#dr", "2.0.m_num#numero"), why, weapon=gun.id, number=number - drm
    )


def _show_hidden(ctx: Ctx[State], foes: Sequence[Unit], hex: str) -> None:
    """Hidden enemies whose hex would be entered are shown (6.4)."""
    for foe in foes:
        for name in (foe.id, *[w.id for w in weapons_of(ctx.state, foe.id)]):
            ctx.do(Revealed(unit=name, hex=hex), "6.4#fanteria")


def _push_into(ctx: Ctx[State], mover: Mover, gun: Weapon, hex: str, ref: str) -> None:
    """The Gun and who pushes it are in the new hex, and it points somewhere (6.5)."""
    for name in mover.units:
        ctx.do(Moved(unit=name, hex=hex), ref)
    spine = ctx.choose(
        "facing.ca",
        ctx.state.units[mover.units[0]].side,
        hexspines(),
        "6.5#cambia-ca",
        N_("where does {weapon} point?"),
        weapon=gun.id,
    )
    ctx.do(CaChanged(weapon=gun.id, ca=spine), "6.5#cambia-ca")
