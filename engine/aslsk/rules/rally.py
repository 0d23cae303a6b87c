"""The Rally Phase: reinforcements, weapons, rally, Shock, DM (3.1, 5.3).

Refs: 3.1, 3.1.a, 3.1.b, 3.1.c, 3.1.d, 3.1.e, 3.1.f, 3.1.g, 3.1.h, 2.0.self_rally, 2.0.rph,
3.2.4.procedure, 4.0, 5.3, casa.07, casa.27.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.aslsk.rules.morale import level, reduce_unit, tell_barrage
from engine.aslsk.rules.sight import sees
from engine.aslsk.rules.terrain import is_shelter
from engine.aslsk.state.book import DR, ONE, rule, single
from engine.aslsk.state.events import (
    Acted,
    Cleared,
    Created,
    Eliminated,
    Placed,
    Possessed,
    Rallied,
    Repaired,
    SelfRallied,
    Settled,
    Tried,
)
from engine.aslsk.state.state import DM, MAP, POOL, SHOCK, State, Unit, Weapon, units_at
from engine.aslsk.state.tables import PEOPLE, code, other
from engine.aslsk.state.units import enemy_hexes, has_room, leaders_at
from engine.aslsk.state.vehicle_events import (
    Abandoned,
    MaDisabled,
    MaRepaired,
    MgDisabled,
    MgRepaired,
    ShockLasts,
    ShockPassed,
)
from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, place, unit
from engine.core.rules import Ruling, Side
from engine.core.text import N_

DONE = ""


def next_arrival(state: State) -> str:
    """A counter that enters this turn and lies in no off-board hex yet (3.1.a)."""
    for group in (state.units, state.vehicles):
        for one in group.values():
            if one.place != POOL or not one.entry or one.entry.startswith("zone"):
                continue
            if one.side == state.who and _due(state, one.entry):
                return one.id
    return ""


def _due(state: State, entry: str) -> bool:
    turn, _, _edge = entry.partition(" ")
    return int(turn) <= state.turn


def reinforcements(ctx: Ctx[State]) -> bool:
    """The ATTACKER lays out what enters this turn, off the map (3.1.a); False when all is laid."""
    name = next_arrival(ctx.state)
    if not name:
        return False
    state = ctx.state
    one = state.units.get(name) or state.vehicles[name]
    edge = one.entry.partition(" ")[2]
    choices = [place(label, label) for label in state.ground.off[edge]]
    hex = ctx.choose(
        "entry.wait",
        one.side,
        choices,
        ("3.1.a#dispone", "3.3.entry#fuori", "casa.49#attende"),
        N_("where does {unit} wait, off the map?"),
        why_not=lambda h: why_not_wait(state, one, h),
        unit=name,
    )
    ctx.do(
        Placed(unit=name, hex=hex),
        "3.1.a#dispone",
        N_("{unit} waits off the map at {hex}"),
        unit=name,
        hex=hex,
    )
    return True


def why_not_wait(state: State, one: object, hex: str) -> Iterator[Ruling]:
    """Off-board hexes obey stacking too (3.3.1.stacking)."""
    if isinstance(one, Unit) and not has_room(state, hex, [one]):
        yield rule("3.3.1.stacking#massimo", N_("{hex} is full"), hex=hex)


# Step b of the RPh, recovery


def unpossessed(state: State, hex: str) -> list[Weapon]:
    """Weapons without an owner in a hex."""
    return [
        w
        for w in state.weapons.values()
        if w.place == MAP and not w.owner and w.hex == hex and not w.planted
    ]


def recovery_candidates(state: State, side: Side) -> list[tuple[Unit, Weapon]]:
    """Who could try to take which weapon."""
    return [
        (u, w)
        for w in state.weapons.values()
        if w.place == MAP and not w.owner and not w.planted
        for u in units_at(state, w.hex)
        if u.side == side and u.good_order and not u.done
    ]


def recover(ctx: Ctx[State]) -> bool:
    """A Good Order unit takes a weapon: dr under 6, +1 CX (3.1.b)."""
    side = ctx.state.who
    pairs = [p for p in recovery_candidates(ctx.state, side) if p[0].id not in ctx.state.settled]
    if not pairs:
        return False
    choices: list[Choice[tuple[str, str]]] = [
        button(
            f"{u.id}+{w.id}",
            (u.id, w.id),
            N_("{unit} tries to take {weapon}"),
            unit=u.id,
            weapon=w.id,
        )
        for u, w in pairs
    ]
    choices.append(button("passa", ("", ""), N_("no more")))
    name, weapon = ctx.choose(
        "weapon.recover", side, choices, "3.1.b#prendere", N_("who recovers a weapon?")
    )
    if not name:
        for u in dict.fromkeys(u.id for u, _ in pairs):
            ctx.do(
                Settled(unit=u), "3.1.b#prendere", N_("{side} recovers no more weapons"), side=side
            )
        return True
    recovery_roll(ctx, name, weapon, "3.1.b#dr")
    ctx.do(Acted(unit=name), "3.1#una-azione")
    return True


def recovery_roll(ctx: Ctx[State], name: str, weapon: str, ref: str, fresh: bool = False) -> bool:
    """dr under 6 takes the weapon, +1 CX; a `fresh` one may be carried on (4.0)."""
    worse = int(ctx.state.units[name].cx)
    drm = ctx.tally(N_("recovery drm"))
    drm.add(worse, ("3.3.1.double_time#cx-dr", ref), N_("{unit} is CX"), unit=name)

    def takes(faces: tuple[int, ...]) -> bool:
        return faces[0] + worse < 6

    why = N_("{unit} tries to take {weapon}: under 6")
    if ctx.roll(ONE, takes, (ref, "4.0#prenderla"), why, unit=name, weapon=weapon):
        ctx.do(Possessed(unit=name, weapon=weapon, recovered=not fresh), ref)
        return True
    ctx.cite(ref, N_("{unit} does not take {weapon}"), unit=name, weapon=weapon)
    return False


# Step c of the RPh, repair


def repair(ctx: Ctx[State]) -> bool:
    """Owners of malfunctioned weapons of their nationality try to repair (3.1.c)."""
    side = ctx.state.who
    state = ctx.state
    choices: list[Choice[str]] = []
    for w in state.weapons.values():
        if w.broken and w.place == MAP and w.owner and state.units[w.owner].side == side:
            choices.append(unit(w.id, w.id))
    for v in state.vehicles.values():
        if v.side == side and v.good_order and not v.done:
            if v.arms.ma == "broken":
                choices.append(unit(f"{v.id}:ma", f"{v.id}:ma"))
            choices += [unit(f"{v.id}:{mg}", f"{v.id}:{mg}") for mg in v.arms.broken]
    able = [c for c in choices if next(why_not_repair(state, c.value), None) is None]
    if not able:
        return False
    choices.append(button("passa", DONE, N_("no more")))
    name = ctx.choose(
        "weapon.repair",
        side,
        choices,
        "3.1.c#riparare",
        N_("which weapon is repaired?"),
        why_not=lambda n: why_not_repair(state, n),
    )
    if name == DONE:
        for choice in able:
            ctx.do(
                Settled(unit=choice.value),
                "3.1.c#veicolo" if ":" in choice.value else "3.1.c#riparare",
                N_("{weapon} is not repaired now"),
                weapon=choice.value,
            )
    elif ":" in name:
        repair_vehicle(ctx, name)
    else:
        repair_weapon(ctx, name)
    return True


def why_not_repair(state: State, name: str) -> Iterator[Ruling]:
    """Good Order owner of the same nationality, one action per RPh (3.1.c, 4.0.captured)."""
    if not name:
        return
    if name in state.settled:
        yield rule("3.1.c#riparare", N_("{weapon} has had its attempt"), weapon=name)
    if ":" in name:
        vehicle, _, what = name.partition(":")
        if what == "aamg" and not state.vehicles[vehicle].crew.ce:
            yield rule("7.8#guasto", N_("an AAMG is repaired only CE"))
        return
    weapon = state.weapons[name]
    owner = state.units[weapon.owner]
    if owner.side != weapon.side:
        yield rule(
            "4.0.captured#non-si-ripara",
            N_("{weapon} is captured and cannot be repaired"),
            weapon=name,
        )
    if not owner.good_order:
        yield rule("3.1.c#riparare", N_("{unit} is not in Good Order"), unit=owner.id)
    if owner.done:
        yield rule("3.1#una-azione", N_("{unit} has acted in this RPh"), unit=owner.id)
    if weapon.data.x:
        yield rule("2.0.x_num", N_("{weapon} cannot be repaired"), weapon=name)


STILL_JAMMED = N_("{weapon} stays malfunctioned")


def repair_weapon(ctx: Ctx[State], name: str) -> None:
    """dr at most the repair number; 6 loses the weapon (1.2.4, 3.1.c)."""
    weapon = ctx.state.weapons[name]
    number = weapon.data.r
    why = N_("{weapon} is repaired with {number} or less")
    dr = ctx.roll(ONE, single, "3.1.c#numero", why, weapon=name, number=number)
    if dr == 6:
        text = N_("{unit} is lost: a 6 in repairing it")
        ctx.do(Eliminated(unit=name), ("3.1.c#sei", "1.2.4#riparazione"), text, unit=name)
    elif dr <= number:
        ctx.do(Repaired(weapon=name), "3.1.c#numero")
    else:
        ctx.cite("3.1.c#numero", STILL_JAMMED, weapon=name)
    ctx.do(Settled(unit=name), "3.1.c#riparare", N_("{weapon} has had its attempt"), weapon=name)
    ctx.do(Acted(unit=weapon.owner), "3.1#una-azione")


def repair_vehicle(ctx: Ctx[State], name: str) -> None:
    """dr 1 repairs; 6 disables, and a disabled MA means Recall (7.2, 7.8)."""
    vehicle, _, what = name.partition(":")
    dr = ctx.roll(ONE, single, "3.1.c#veicolo", N_("{weapon} is repaired with 1"), weapon=name)
    if what == "ma" and dr == 1:
        ctx.do(MaRepaired(vehicle=vehicle), "7.2#ripara")
    elif what == "ma" and dr == 6:
        ctx.do(MaDisabled(vehicle=vehicle), ("7.2#ripara", "7.10.recall#ma"))
    elif dr == 1:
        ctx.do(MgRepaired(vehicle=vehicle, part=what), "7.8#guasto")
    elif dr == 6:
        ctx.do(MgDisabled(vehicle=vehicle, part=what), "7.8#guasto")
    else:
        ctx.cite("3.1.c#veicolo", STILL_JAMMED, weapon=name)
    ctx.do(Settled(unit=name), "3.1.c#veicolo", N_("{weapon} has had its attempt"), weapon=name)


# Step d of the RPh, transfer


def transfer(ctx: Ctx[State], ref: str) -> bool:
    """Good Order units of a Location rearrange their weapons (3.1.d, 3.7)."""
    side = ctx.state.who
    state = ctx.state
    pairs = [
        (w, u)
        for w in state.weapons.values()
        if w.place == MAP and w.owner and state.units[w.owner].side == side and not w.hidden
        for u in units_at(state, state.units[w.owner].hex)
        if u.side == side and u.id != w.owner
    ]
    able = [(w, u) for w, u in pairs if next(why_not_transfer(state, w, u), None) is None]
    if not able or f"transfer {side}" in state.settled:
        return False
    choices: list[Choice[tuple[str, str]]] = [
        button(
            f"{w.id}>{u.id}", (w.id, u.id), N_("{weapon} goes to {unit}"), weapon=w.id, unit=u.id
        )
        for w, u in pairs
    ]
    choices.append(button("passa", ("", ""), N_("no more")))
    weapon, to = ctx.choose(
        "weapon.transfer",
        side,
        choices,
        ref,
        N_("which weapon changes hands?"),
        why_not=lambda p: (
            why_not_transfer(state, state.weapons[p[0]], state.units[p[1]]) if p[0] else None
        ),
    )
    if not weapon:
        ctx.do(Settled(unit=f"transfer {side}"), ref, N_("{side} swaps no more weapons"), side=side)
        return True
    giver = state.weapons[weapon].owner
    ctx.do(Possessed(unit=to, weapon=weapon), ref)
    ctx.do(Settled(unit=weapon), ref, N_("{weapon} has changed hands already"), weapon=weapon)
    if state.phase == "RPh":
        for name in (giver, to):
            if not ctx.state.units[name].done:
                ctx.do(Acted(unit=name), "3.1#una-azione")
                ctx.do(
                    Settled(unit=f"swaps {name}"),
                    "3.1.d#scambiarsi",
                    N_("{unit} may only swap weapons now"),
                    unit=name,
                )
    return True


def why_not_transfer(state: State, weapon: Weapon, to: Unit) -> Iterator[Ruling]:
    """Between Good Order units, whose one action it is, and not just recovered (3.1.d, 4.0)."""
    giver = state.units[weapon.owner]
    for one in (giver, to):
        if not one.good_order:
            yield rule("3.1.d#scambiarsi", N_("{unit} is not in Good Order"), unit=one.id)
        if state.phase == "RPh" and one.done and f"swaps {one.id}" not in state.settled:
            yield rule("3.1#una-azione", N_("{unit} has acted in this RPh"), unit=one.id)
    if weapon.recovered:
        yield rule("4.0#appena-presa", N_("{weapon} was recovered in this phase"), weapon=weapon.id)
    if weapon.id in state.settled:
        yield rule("3.1.d#scambiarsi", N_("{weapon} has changed hands already"), weapon=weapon.id)
    if weapon.data.is_gun and not to.is_mmc:
        yield rule("3.2.4.procedure#possiede", N_("a SMC does not man a Gun"))


# Step e, f of the RPh, rally


def rally_drm(ctx: Ctx[State], broken: Unit, leader: Unit | None) -> int:
    """DM +4, woods or building -1, Leadership or +1 for a Self Rally (3.1.e, 3.1.f)."""
    drm = ctx.tally(N_("rally DRM"))
    alone = leader is None
    if leader is None:
        drm.add(1, ("3.1.e#sempre", "2.0.self_rally#drm"), N_("Self Rally"))
    else:
        drm.add(leader.leadership, "3.1.f#leadership", N_("{unit} leads"), unit=leader.id)
    if broken.dm:
        refs = ("3.1.e#dm" if alone else "3.1.f#dm", "2.0.dm#drm")
        drm.add(4, refs, N_("{unit} is DM"), unit=broken.id)
    if is_shelter(ctx.state.ground, broken.hex):
        ref = "3.1.e#riparo" if alone else "3.1.f#riparo"
        drm.add(-1, ref, N_("woods or building in {hex}"), hex=broken.hex)
    return int(drm.total)


def rally_roll(ctx: Ctx[State], name: str, leader: Unit | None) -> None:
    """DR at most the broken morale; original 12 costs Casualty Reduction (3.1.f)."""
    broken = ctx.state.units[name]
    alone = leader is None
    ref = "3.1.e#dr" if alone else "3.1.f#dr"
    drm = rally_drm(ctx, broken, leader)
    tell_barrage(ctx, broken)
    morale = level(ctx.state, broken)
    first = leader is None and broken.is_mmc and broken.side not in ctx.state.first_rally

    def read(faces: tuple[int, ...]) -> str:
        rolled = faces[0] + faces[1]
        if rolled == 12:
            return "12"
        if rolled == 2 and first:
            return "2"
        return "rallies" if rolled + drm <= morale else "stays"

    why = N_("{unit} rallies with {number} or less")
    found = ctx.roll(DR, read, (ref, "1.2.3#morale"), why, unit=name, number=morale - drm)
    ctx.do(Tried(unit=name), "3.1#un-rally")
    if leader is None and broken.is_mmc:
        extra = not broken.data.self_rallies
        ctx.do(SelfRallied(side=broken.side, extra=extra), ("3.1.e#mmc", "casa.27"))
    if found == "12":
        reduce_unit(ctx, name, "3.1.e#dodici" if alone else "3.1.f#fallisce")
    elif found == "stays":
        ctx.cite(ref if alone else "3.1.f#fallisce", N_("{unit} stays broken"), unit=name)
    else:
        if found == "2":
            create_leader(ctx, broken.side, broken.hex, morale, True)
        if found == "rallies" or 2 + drm <= morale:
            ctx.do(Rallied(unit=name), ref)


def create_leader(ctx: Ctx[State], side: Side, hex: str, morale: int, broken: bool) -> str:
    """An original 2 may make a leader (5.3, casa.07); returns his id."""
    nation = side
    drm = ctx.tally(N_("Leader Creation drm"))
    drm.add(other().leader_drm.get(nation, 0), "5.3#drm", N_("nationality"))
    if morale >= 8:
        drm.add(-1, "5.3#drm", N_("morale 8 or more"))
    if morale <= 6:
        drm.add(1, "5.3#drm", N_("morale 6 or less"))
    if broken:
        drm.add(1, "5.3#drm", N_("broken unit"))
    if ctx.state.options.get("leader_odds") == "si" and ctx.state.cc is not None:
        drm.add(-1, "casa.07", N_("odds under 1:1 or against an AFV"))
    change = int(drm.total)

    def read(faces: tuple[int, ...]) -> str:
        return other().leader.get(max(faces[0] + change, 1), "")

    found = ctx.roll(ONE, read, "5.3#tira", N_("Leader Creation"))
    if not found:
        ctx.cite("5.3#nuovo-leader/7 o più", N_("no leader appears"))
        return ""
    counter = f"{code(nation)}-{found}"
    number = sum(u.type == counter for u in ctx.state.units.values()) + 1
    name = f"{counter}-n{number}"
    ctx.do(Created(unit=name, side=side, counter=counter, hex=hex), "5.3#tira")
    assert counter in PEOPLE
    return name


def _broken_ones(
    state: State, side: Side, why_not: Callable[[State, Unit], Iterator[Ruling]]
) -> list[Choice[str]]:
    """The broken units of a side, and to stop; nothing if none of them may try."""
    mine = [u for u in state.units.values() if u.side == side and u.broken and u.place == MAP]
    if all(next(why_not(state, u), None) is not None for u in mine):
        return []
    choices: list[Choice[str]] = [unit(u.id, u.id, hex=state.ground.hex.get(u.hex)) for u in mine]
    return [*choices, button("passa", DONE, N_("no more"))]


def self_rally(ctx: Ctx[State]) -> bool:
    """Boxed units of both sides, and one MMC of the ATTACKER (3.1.e)."""
    state = ctx.state
    side = state.who
    choices = _broken_ones(state, side, why_not_self_rally)
    if not choices:
        return False
    name = ctx.choose(
        "rally.self",
        side,
        choices,
        ("3.1.e#possono", "2.0.self_rally#capacita"),
        N_("who tries Self Rally?"),
        why_not=lambda n: why_not_self_rally(state, state.units[n]) if n else None,
    )
    if name == DONE:
        ctx.do(
            Settled(unit=f"self {side}"),
            "3.1.e#possono",
            N_("{side} tries no more Self Rally"),
            side=side,
        )
        return True
    with ctx.under("3.1.e#senza-leader", N_("Self Rally of {unit}"), unit=name):
        rally_roll(ctx, name, None)
    return True


def why_not_self_rally(state: State, broken: Unit) -> Iterator[Ruling]:
    """Boxed morale, or the one extra MMC of the ATTACKER; one attempt per turn (3.1, 3.1.e)."""
    if f"self {broken.side}" in state.settled:
        yield rule("3.1.e#possono", N_("{side} has ended its Self Rally"), side=broken.side)
    if broken.tried:
        yield rule("3.1#un-rally", N_("{unit} has tried to rally this turn"), unit=broken.id)
    if broken.melee:
        yield rule("3.8.melee#solo-cc", N_("{unit} is in Melee"), unit=broken.id)
    if broken.data.self_rallies:
        return
    if broken.side != state.attacker:
        yield rule("3.1.e#mmc", N_("only the ATTACKER has a MMC Self Rally"))
    elif state.extra_rally:
        yield rule("3.1.e#mmc", N_("the one MMC Self Rally has been tried"))


def rally(ctx: Ctx[State]) -> bool:
    """A Good Order leader tries every broken unit of his Location (3.1.f)."""
    state = ctx.state
    side = state.who
    choices = _broken_ones(state, side, why_not_rally)
    if not choices:
        return False
    name = ctx.choose(
        "rally.who",
        side,
        choices,
        "3.1.f#leader",
        N_("who tries to rally?"),
        why_not=lambda n: why_not_rally(state, state.units[n]) if n else None,
    )
    if name == DONE:
        ctx.do(
            Settled(unit=f"rally {side}"),
            "3.1.f#leader",
            N_("{side} rallies nobody else"),
            side=side,
        )
        return True
    leader = rallying_leader(state, state.units[name])
    assert leader is not None
    with ctx.under("3.1.f#leader", N_("{leader} rallies {unit}"), leader=leader.id, unit=name):
        rally_roll(ctx, name, leader)
    return True


def rallying_leader(state: State, broken: Unit) -> Unit | None:
    """The best Good Order leader of the Location free to rally (1.2.1)."""
    found = [
        u
        for u in leaders_at(state, broken.hex, broken.side)
        if u.id != broken.id and u.good_order and not u.done
    ]
    return min(found, key=lambda u: (u.leadership, u.id), default=None)


def why_not_rally(state: State, broken: Unit) -> Iterator[Ruling]:
    """A Good Order leader with it, and one attempt per turn (3.1.f)."""
    if f"rally {broken.side}" in state.settled:
        yield rule("3.1.f#leader", N_("{side} has ended its rally"), side=broken.side)
    if rallying_leader(state, broken) is None:
        yield rule("3.1.f#leader", N_("no Good Order leader is with {unit}"), unit=broken.id)
    if broken.tried:
        yield rule("3.1#un-rally", N_("{unit} has tried to rally this turn"), unit=broken.id)
    if broken.melee:
        yield rule("3.8.melee#solo-cc", N_("{unit} is in Melee"), unit=broken.id)


# Step g of the RPh, Shock


def recover_shock(ctx: Ctx[State]) -> None:
    """dr for every Shocked AFV: 1-2 recovers, else UK; UK 1-3 recovers, else wreck (3.1.g)."""
    for name, one in list(ctx.state.vehicles.items()):
        if not one.crew.shock or not one.is_live:
            continue
        number = 2 if one.crew.shock == SHOCK else 3
        dr = ctx.roll(
            ONE,
            single,
            ("3.1.g#dr", "7.10.shock#dr"),
            N_("{vehicle} in {marker}: {number} or less recovers"),
            vehicle=name,
            marker=one.crew.shock,
            number=number,
        )
        if dr <= number:
            shocked = one.crew.shock == SHOCK
            ref = "3.1.g#dadi/Shock, 1-2" if shocked else "3.1.g#dadi/UK, 1-3"
            ctx.do(ShockPassed(vehicle=name), ref)
        elif one.crew.shock == SHOCK:
            ctx.do(ShockLasts(vehicle=name), "3.1.g#dadi/Shock, 3-6")
        else:
            ctx.do(Abandoned(vehicle=name), ("3.1.g#dadi/UK, 4-6", "2.0.wreck#distrutto"))


# Step h of the RPh, DM


def is_next_to_known_enemy(state: State, one: Unit) -> bool:
    """Whether a Known enemy, on foot or not, is adjacent (2.0.keu)."""
    foes, near = enemy_hexes(state, one.side), state.ground.near[one.hex]
    if foes.isdisjoint(near):
        return False
    return any(hex in foes and sees(state, one.hex, hex) for hex in near)


def remove_dm(ctx: Ctx[State]) -> bool:
    """DM falls, save next to a Known enemy; in the open the owner may keep it (3.1.h)."""
    state = ctx.state
    for one in list(state.units.values()):
        if not one.dm or one.place != MAP or one.id in state.settled:
            continue
        if is_next_to_known_enemy(state, one):
            ctx.do(
                Settled(unit=one.id),
                ("3.1.h#togli", "2.0.keu#los"),
                N_("{unit} stays DM"),
                unit=one.id,
            )
            continue
        keep = False
        if not is_shelter(state.ground, one.hex):
            offers = [button("togli", False, N_("remove DM")), button("tieni", True, N_("stay DM"))]
            keep = ctx.choose(
                "rally.dm",
                one.side,
                offers,
                "3.1.h#lasciare",
                N_("does {unit} stay DM?"),
                unit=one.id,
            )
        if keep:
            ctx.do(Settled(unit=one.id), "3.1.h#lasciare", N_("{unit} stays DM"), unit=one.id)
        else:
            ctx.do(Cleared(unit=one.id, marker=DM), "3.1.h#togli")
        return True
    return False
