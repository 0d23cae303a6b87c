"""The Advance Phase: one hex, even into the enemy (3.7).

Refs: 2.0.aph, 2.0.cx, 2.0.paatc, 3.7, 3.7.cx, 3.7.paatc, 3.7.ce_bu, 3.7.cc_counter, 4.0,
4.0.portage, 6.4, 6.5, casa.05, casa.09.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.aslsk.rules.morale import eliminate, level, pin, tell_barrage
from engine.aslsk.rules.movement import tell_mf
from engine.aslsk.rules.oba import barrage_on_advance
from engine.aslsk.rules.rally import transfer
from engine.aslsk.rules.terrain import infantry_cost, tell_terrain
from engine.aslsk.state.book import DR, rule
from engine.aslsk.state.events import Acted, Dropped, Eliminated, Marked, Moved, Revealed, Settled
from engine.aslsk.state.state import (
    CC,
    CX,
    MAP,
    State,
    Unit,
    Vehicle,
    units_at,
    vehicles_at,
    weapons_of,
)
from engine.aslsk.state.units import (
    allowance,
    best_helper,
    excess,
    gun_of,
    has_room,
    ipc,
    is_inexperienced,
    leaders_at,
    load,
    why_not_carry,
    why_not_stack,
)
from engine.aslsk.state.vehicle_events import HatchClosed, HatchOpened, MissedEntry
from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, unit
from engine.core.rules import Ruling, Side
from engine.core.text import N_

DROP = "drop"


def why_not_advance(state: State, one: Unit) -> Iterator[Ruling]:
    """Good Order, unpinned infantry that has not pushed a Gun (3.7)."""
    if one.done:
        yield rule("3.7#avanza", N_("{unit} has advanced"), unit=one.id)
    if not one.good_order:
        yield rule("3.7#avanza", N_("{unit} is not in Good Order"), unit=one.id)
    if one.pinned:
        yield rule("3.2.3.pinned#fermo", N_("{unit} has a Pin"), unit=one.id)
    if one.hazard:
        yield rule("6.5#dopo", N_("{unit} has pushed a Gun"), unit=one.id)


def advance(ctx: Ctx[State]) -> bool:
    """One unit advances; False when the ATTACKER has ended (3.7)."""
    state = ctx.state
    side = state.attacker
    if f"advance {side}" in state.settled:
        return False
    if transfer(ctx, "3.7#avanza"):
        return True
    mine = [u for u in state.units.values() if u.side == side and u.place == MAP]
    tanks = [v for v in state.vehicles.values() if v.side == side and v.is_live]
    if not any(next(why_not_advance(state, u), None) is None for u in mine) and not any(
        next(why_not_hatch(state, v.id), None) is None for v in tanks
    ):
        return False
    name = ctx.choose(
        "advance.who",
        side,
        _who_choices(state, mine, tanks),
        ("3.7#avanza", "2.0.aph#sposta"),
        N_("who advances?"),
        why_not=lambda n: _why_not(state, n),
    )
    if not name:
        ctx.do(
            Settled(unit=f"advance {side}"), "3.7#avanza", N_("{side} advances no more"), side=side
        )
    elif name == DROP:
        drop(ctx, side)
    elif name in state.vehicles:
        hatch(ctx, name, "3.7.ce_bu#cambia")
    else:
        go(ctx, name)
    return True


def _who_choices(
    state: State, mine: Sequence[Unit], tanks: Sequence[Vehicle]
) -> Iterator[Choice[str]]:
    hex, hatches = state.ground.hex, N_("{unit} changes CE/BU")
    for u in mine:
        yield unit(u.id, u.id, hex=hex[u.hex])
    for v in tanks:
        yield unit(v.id, v.id, hatches, hex=hex[v.hex])
    if droppable(state, state.attacker):
        yield button("lascia", DROP, N_("drop a weapon"))
    yield button("passa", "", N_("no more"))


def droppable(state: State, side: Side) -> list[str]:
    """What unbroken units of a side could leave behind (4.0)."""
    return [
        w.id
        for w in state.weapons.values()
        if w.place == MAP and w.owner and not w.hidden
        if state.units[w.owner].side == side and not state.units[w.owner].broken
    ]


def drop(ctx: Ctx[State], side: Side) -> None:
    """An unbroken unit leaves a weapon where it stands, free, in its APh (4.0)."""
    choices = [unit(n, n, N_("{unit} is left")) for n in droppable(ctx.state, side)]
    name = ctx.choose("weapon.drop", side, choices, "4.0#lascia", N_("which weapon is dropped?"))
    hex = ctx.state.units[ctx.state.weapons[name].owner].hex
    ctx.do(Dropped(weapon=name, hex=hex), "4.0#lascia")


def _why_not(state: State, name: str) -> Iterator[Ruling]:
    if name == DROP:
        return
    if name in state.units:
        yield from why_not_advance(state, state.units[name])
    elif name:
        yield from why_not_hatch(state, name)
    else:
        off = state.ground.is_off
        for one in state.units.values():
            if one.hex in off and one.side == state.attacker and must_enter(state, one):
                yield rule("3.3.entry#entro", N_("{unit} must enter the map now"), unit=one.id)


def must_enter(state: State, one: Unit) -> bool:
    """Off the map, and able to advance onto it (3.3.entry)."""
    field = state.ground
    if one.place != MAP or one.hex not in field.is_off:
        return False
    if next(why_not_advance(state, one), None) is not None:
        return False
    return any(
        h not in field.is_off and next(why_not_go(state, one, h), None) is None
        for h in field.near[one.hex]
    )


def why_not_hatch(state: State, name: str) -> Iterator[Ruling]:
    """CE and BU change once per phase, never when Shocked or Stunned (7.7, 3.7.ce_bu)."""
    v = state.vehicles[name]
    if v.changed:
        yield rule("7.7#cambio", N_("{unit} has changed already"), unit=name)
    if v.crew.shock or v.crew.stun:
        yield rule("7.7#shock", N_("{unit} must stay BU"), unit=name)
    if v.marks.shut and not v.crew.ce:
        yield rule(
            "3.2.3.pinned#equipaggio", N_("the crew of {unit} stays BU this turn"), unit=name
        )
    if v.recall and v.data.turret == "1MT":
        yield rule("7.10.recall#resta-bu", N_("{unit} is recalled and stays BU"), unit=name)


def hatch(ctx: Ctx[State], name: str, ref: str) -> None:
    """Open or close the hatches."""
    v = ctx.state.vehicles[name]
    done = HatchClosed(vehicle=name) if v.crew.ce else HatchOpened(vehicle=name)
    ctx.do(done, ref if ref == "7.7#cambio" else (ref, "7.7#cambio"))


def go(ctx: Ctx[State], name: str) -> None:
    """Into an adjacent hex; a hard advance makes CX (3.7.cx)."""
    state = ctx.state
    one = state.units[name]
    field = state.ground
    hexes = [h for h in field.near[one.hex] if h not in field.is_off or one.hex in field.is_off]
    choices: list[Choice[str]] = [field.offer[h] for h in hexes]
    choices.append(button("resta", "", N_("stay")))
    hex = ctx.choose(
        "advance.hex",
        one.side,
        choices,
        "3.7#avanza",
        N_("where does {unit} advance?"),
        why_not=lambda h: why_not_go(state, one, h) if h else why_not_stay(state, one),
        unit=name,
    )
    if not hex:
        ctx.do(Acted(unit=name), "3.7#avanza")
        return
    group = [one]
    leader: Unit | None = None
    if is_hard(state, one, hex, None) and one.is_mmc:
        leader = _led_by(ctx, one, hex)
    if leader is not None:
        group += _along_with(ctx, one, leader, hex)
    tired = [u.id for u in group if is_hard(state, u, hex, leader, _lends(state, group, u))]
    entered = [enters(ctx, u.id, hex) for u in group]
    if leader is not None and any(entered):
        enters(ctx, leader.id, hex)
    for member, came in zip(group, entered, strict=True):
        if came and member.id in tired and ctx.state.units[member.id].place == MAP:
            helper = leader if _lends(state, group, member) else None
            slow = "4.0.portage#oltre" if excess(state, member, helper, False) else ""
            refs = ("3.7.cx#diventa", "2.0.cx#nasce", "casa.09", slow)
            tell_mf(ctx, member, leader, helper is not None, False)
            tell_terrain(ctx, member.hex, hex, True)
            ctx.do(Marked(unit=member.id, marker=CX), refs)


def _led_by(ctx: Ctx[State], one: Unit, hex: str) -> Unit | None:
    """A leader who goes along adds 2 MF and his IPC (3.7.cx)."""
    state = ctx.state
    able = [
        u
        for u in leaders_at(state, one.hex, one.side)
        if next(why_not_advance(state, u), None) is None
        and has_room(state, hex, [one, u])
        and why_not_carry(state, u) is None
    ]
    if not able:
        return None
    offers: list[Choice[str]] = [unit(u.id, u.id, N_("{unit} goes along")) for u in able]
    offers.append(button("solo", "", N_("it goes alone")))
    name = ctx.choose(
        "advance.leader",
        one.side,
        offers,
        "3.7.cx#leader",
        N_("does a leader go with {unit}?"),
        why_not=lambda n: why_not_tired(state, one, hex, state.units.get(n)),
        unit=one.id,
    )
    return state.units.get(name)


def _along_with(ctx: Ctx[State], one: Unit, leader: Unit, hex: str) -> list[Unit]:
    """Other MMC to whom his bonus matters may advance in the same stack (3.7.cx)."""
    state = ctx.state
    found: list[Unit] = []
    while True:
        more = [
            u
            for u in units_at(state, one.hex)
            if u.side == one.side and u.is_mmc and u.id != one.id and u not in found
            if next(why_not_advance(state, u), None) is None and is_hard(state, u, hex, None)
            if has_room(state, hex, [one, leader, *found, u])
            and why_not_tired(state, u, hex, leader, _lends(state, [one, *found], u)) is None
        ]
        if not more:
            return found
        offers: list[Choice[str]] = [button("via", "", N_("go"))]
        offers += [unit(u.id, u.id, N_("{unit} goes along")) for u in more]
        text = N_("who else advances with {unit}?")
        name = ctx.choose("advance.along", one.side, offers, "3.7.cx#leader", text, unit=leader.id)
        if not name:
            return found
        found.append(state.units[name])


def _lends(state: State, group: Sequence[Unit], one: Unit) -> bool:
    """The IPC of a leader is for one MMC only: the first that needs it (4.0.portage)."""
    loaded = (u.id for u in (*group, one) if load(state, u) > ipc(u))
    return one.id == next(loaded, one.id)


def why_not_stay(state: State, one: Unit) -> Ruling | None:
    """Off the map there is no staying (3.3.entry)."""
    if must_enter(state, one):
        return rule("3.3.entry#entro", N_("{unit} must enter the map now"), unit=one.id)
    return None


def is_hard(state: State, one: Unit, hex: str, leader: Unit | None, helped: bool = True) -> bool:
    """Whether the hex would take all its MF; smoke does not count (3.7.cx)."""
    cost = infantry_cost(state.ground, one.hex, hex, True)
    return cost >= allowance(state, one, leader, False, helped)


def why_not_go(state: State, one: Unit, hex: str) -> Iterator[Ruling]:
    """Stacking, and a CX unit makes no hard advance (3.7, 3.7.cx)."""
    if hex in state.ground.is_off:
        yield rule("3.3.entry#entro", N_("{unit} must enter the map now"), unit=one.id)
    yield from why_not_stack(state, hex, [one])
    if (found := why_not_carry(state, one)) is not None:
        yield found
    helpers = [
        u
        for u in leaders_at(state, one.hex, one.side)
        if one.is_mmc and next(why_not_advance(state, u), None) is None
        if has_room(state, hex, [one, u]) and why_not_carry(state, u) is None
    ]
    alone = why_not_tired(state, one, hex, None)
    if alone is not None and all(why_not_tired(state, one, hex, u) for u in helpers):
        yield alone


def why_not_tired(
    state: State, one: Unit, hex: str, leader: Unit | None, helped: bool = True
) -> Ruling | None:
    """A CX unit makes no advance that takes all its MF, the leader's help counted (3.7.cx)."""
    if not one.cx or not is_hard(state, one, hex, leader, helped):
        return None
    return rule(
        "3.7.cx#gia-cx", N_("{unit} is CX and {hex} takes all its MF"), unit=one.id, hex=hex
    )


def enters(ctx: Ctx[State], name: str, hex: str) -> bool:
    """PAATC against an AFV, then the hex; hidden enemies are found (3.7.paatc, 6.4)."""
    state = ctx.state
    one = state.units[name]
    foes = [v for v in vehicles_at(state, hex) if v.side != one.side and v.is_live]
    ctx.do(Acted(unit=name), "3.7#avanza")
    if foes and one.is_mmc and not paatc(ctx, name):
        return False
    gun = gun_of(ctx.state, one)
    if gun is not None:
        ctx.do(Dropped(weapon=gun.id, hex=one.hex), ("6.5#solo-qsu", "4.0#lascia"))
    ctx.do(Moved(unit=name, hex=hex), "3.7#avanza")
    for foe in [u for u in units_at(ctx.state, hex) if u.hidden and u.side != one.side]:
        ctx.do(Revealed(unit=foe.id, hex=hex), "6.4#fanteria")
        for weapon in weapons_of(ctx.state, foe.id):
            ctx.do(Revealed(unit=weapon.id, hex=hex), "6.4#fanteria")
    if any(u.side != one.side for u in units_at(ctx.state, hex)) or foes:
        ctx.do(Marked(unit=name, marker=CC), "3.7.cc_counter", N_("{hex}: CC"), hex=hex)
    barrage_on_advance(ctx, name)
    return True


def paatc(ctx: Ctx[State], name: str) -> bool:
    """DR at most the morale, or Pinned (3.7.paatc, casa.05)."""
    one = ctx.state.units[name]
    tally = ctx.tally(N_("PAATC DRM"))
    nation = one.data.nation
    if is_inexperienced(ctx.state, one):
        tally.add(1, ("3.7.paatc#drm", "5.4#paatc"), N_("inexperienced"))
    elif nation == "allied minor" or (nation == "italian" and one.data.grade != "E"):
        tally.add(1, "3.7.paatc#drm", N_("nationality"))
    best = best_helper(ctx.state, one)
    if best is not None:
        tally.add(best.leadership, "3.7.paatc#leader", N_("{unit} leads"), unit=best.id)
    tell_barrage(ctx, one)
    need = level(ctx.state, one) - int(tally.total)

    def passes(faces: tuple[int, ...]) -> bool:
        return faces[0] + faces[1] <= need

    why = N_("{unit} takes a PAATC: {morale} or less")
    if ctx.roll(
        DR, passes, ("3.7.paatc#controllo", "2.0.paatc#controllo"), why, unit=name, morale=need
    ):
        return True
    pin(ctx, name, "3.7.paatc#fallito")
    return False


def late_arrivals(ctx: Ctx[State]) -> None:
    """Whoever is still off the map at the end of the APh is lost (3.3.entry)."""
    off = ctx.state.ground.is_off
    for one in list(ctx.state.units.values()):
        if one.place == MAP and one.hex in off and one.side == ctx.state.attacker:
            eliminate(ctx, one.id, "3.3.entry#entro")
    for v in list(ctx.state.vehicles.values()):
        if v.place == MAP and v.hex in off and v.side == ctx.state.attacker:
            ctx.do(MissedEntry(vehicle=v.id), "3.3.entry#entro")
    for weapon in list(ctx.state.weapons.values()):
        if weapon.place == MAP and not weapon.owner and weapon.hex in off:
            ctx.do(Eliminated(unit=weapon.id), "3.3.entry#entro")
