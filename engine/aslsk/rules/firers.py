"""What an attack costs its firers: ROF, malfunction, counters, facing (3.2.5, 3.3.3, 4.1, 7.8).

Refs: 1.2.4.1, 2.0.b_num, 3.2.2.leader, 3.2.2.mandatory_fg, 3.2.4.ca, 3.2.4.non_qualified,
3.2.4.rof_mod, 3.2.4.vca_tca, 3.2.5, 3.3.2.2, 3.3.3, 3.3.3.fpf, 3.3.3.repeat, 3.3.3.sff, 3.4,
3.4.leader, 3.5, 4.0.captured, 4.0.usage, 4.1, 4.1.breakdown, 6.8, 6.10, 6.12, 7.6, 7.8,
7.10.recall, casa.15, casa.16.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

import msgspec

from engine.aslsk.rules.bogging import bog, bogs, is_rough
from engine.aslsk.rules.elements import (
    ADVANCING,
    BOUNDING_FIRST,
    DFF,
    FINAL_FIRE,
    FPF,
    HALVED,
    PREPARED,
    SFF,
    SUSTAINED,
    Element,
    arc_of,
    fire_phase,
    mode,
    mount,
    usage,
)
from engine.aslsk.rules.fire_groups import Attack, expenditure
from engine.aslsk.rules.morale import pick
from engine.aslsk.rules.sight import is_supposed
from engine.aslsk.state.events import (
    Acquired,
    CaChanged,
    Directed,
    Eliminated,
    Fired,
    Flipped,
    Jammed,
    MoverSet,
    Used,
    Volley,
    volley_key,
)
from engine.aslsk.state.state import (
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
    Vehicle,
    weapons_of,
)
from engine.aslsk.state.tables import CREW, SQUAD, column_fp
from engine.aslsk.state.units import is_inexperienced
from engine.aslsk.state.vehicle_events import (
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
from engine.core.rules import Side
from engine.core.text import N_, Fact

COWERING = ("3.2.2.cowering#doppio", "3.2.2.cowering#inesperta")
"""One column to the left, or two."""
KEPT = {
    PREPARED: "3.2.5#continua",
    FINAL_FIRE: "3.4#normalmente",
    BOUNDING_FIRST: "3.3.2.2#di-nuovo",
}
"""Who has kept its ROF goes on."""
ATTACKS_COUNTED = N_("attack {n} of {most} on these MF or MP")


def tell_cowering(ctx: Ctx[State], index: int) -> None:
    """The column that Cowering leaves (3.2.2.cowering)."""
    text = N_("the attack is on the {column} column")
    ctx.cite(("3.2.2.cowering#doppio", "3.2.3#ift//{column}"), text, column=column_fp(index))


# Rate of fire


def weapon_rof(state: State, e: Element) -> int:
    """ROF after reductions; none if pinned or in the AFPh (1.2.4.1, 3.2.4.rof_mod).

    Odds count who is hit and what breaks: in a belief nobody asks what fires again.
    """
    if is_supposed(state):
        return 0
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


KEEPS_ROF = N_("{unit} keeps its ROF {rof}: coloured die {dr}")
LOSES_ROF = N_("{unit} loses its ROF {rof}: coloured die {dr}")
NO_ROF = {"3.5#una-volta": "1.2.4.1#afph", "3.2.4.att#rof": "1.2.4.1#att"}
"""What the rule of ROF says of those that take it away."""
COWERS_ROF = N_("{unit} loses its ROF: Cowering")


def printed_rof(state: State, e: Element) -> int:
    """The ROF in the square of the counter (1.2.4.1)."""
    if e.vehicle:
        return state.vehicles[e.vehicle].data.rof if e.is_ife else 0
    return state.weapons[e.weapon].data.rof if e.weapon else 0


def tell_rof(ctx: Ctx[State], e: Element, rof: int, coloured: int, keeps: bool) -> None:
    """Whether a weapon on the IFT fires again, and by what number (1.2.4.1, 3.2.4.rof_mod)."""
    printed = printed_rof(ctx.state, e)
    if not rof:
        ref, text = _why_no_rof(ctx.state, e)
        ctx.cite((ref, NO_ROF.get(ref, "1.2.4.1#di-nuovo")), text, unit=e.id)
        return
    refs = ("1.2.4.1#di-nuovo", "2.0.rof#dado", "3.2.4.rof_mod#cala" if rof < printed else "")
    ctx.cite(refs, KEEPS_ROF if keeps else LOSES_ROF, unit=e.id, rof=rof, dr=coloured)


def _why_no_rof(state: State, e: Element) -> tuple[str, str]:
    """What takes all the ROF of a weapon on the IFT away (1.2.4.1)."""
    how = mode(state, e)
    if e.unit and state.units[e.unit].pinned:
        return "3.2.3.pinned#meta-fp", N_("{unit} has no ROF: a Pin")
    if how == ADVANCING:
        return "3.5#una-volta", N_("{unit} has no ROF in the AFPh")
    if how in HALVED:
        ref = {SFF: "3.3.3.sff#di-nuovo", FPF: "3.3.3.fpf#come-sff"}.get(how, "3.4#first-fire")
        return ref, N_("{unit} has no ROF: it fires again")
    return "3.2.4.rof_mod#cala", N_("{unit} has no ROF left")


# Malfunction


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


def malfunction(ctx: Ctx[State], attack: Attack, rolled: int) -> list[str]:
    """The weapons that an original DR breaks (4.1.breakdown, 7.8, 6.8)."""
    return _one_jams(ctx, attack, rolled) + _vehicle_jams(ctx, attack, rolled)


def _one_jams(ctx: Ctx[State], attack: Attack, rolled: int) -> list[str]:
    """Original DR at or above B#: one random weapon malfunctions (4.1.breakdown, casa.16)."""
    guns = [e for e in attack.group if e.weapon]
    found = [e for e in guns if rolled >= breakdown(ctx.state, e)[0]]
    if not found:
        return []
    name = pick(
        ctx, [e.id for e in found], "4.1.breakdown#a-caso", N_("which weapon malfunctions?")
    )
    e = next(one for one in found if one.id == name)
    number, printed = breakdown(ctx.state, e)
    lower = _why_lower(ctx.state, e)
    if number < printed and rolled >= printed:
        refs = (
            ("6.8#rimosso", "6.12#rimossa", "casa.15")
            if e.is_ife
            else ("4.1.breakdown#ridotto", "casa.16")
        )
        told: dict[str, Fact] = {"unit": e.weapon, "dr": rolled, "number": printed}
        ctx.do(Eliminated(unit=e.weapon), (*refs, *lower), BREAKS_FOR_GOOD, **told)
    else:
        ref = "6.12#guasta" if e.is_ife else "4.1.breakdown#guasta"
        told = {"weapon": e.weapon, "dr": rolled, "number": number}
        ctx.do(Jammed(weapon=e.weapon), (ref, "2.0.b_num#guasto", *lower), JAMS, **told)
    return [name]


JAMS = N_("{weapon} malfunctions: {dr}, B# {number}")
BREAKS_FOR_GOOD = N_("{unit} is lost: {dr}, B# {number}")


def _why_lower(state: State, e: Element) -> tuple[str, ...]:
    """The rules that lower the B# of a SW or Gun on the IFT (4.1.breakdown)."""
    owner, how = state.units[e.unit], mode(state, e)
    again = {SFF: "3.3.3.sff#mg", FPF: "3.3.3.fpf#come-sff"}.get(how, "4.1.breakdown#cala")
    return (
        again if how in HALVED else "",
        "4.0.captured#catturata" if owner.side != state.weapons[e.weapon].side else "",
        "5.4#armi" if is_inexperienced(state, owner) else "",
        "3.2.4.non_qualified#effetti" if e.is_ife and owner.data.kind != CREW else "",
    )


def _vehicle_jams(ctx: Ctx[State], attack: Attack, rolled: int) -> list[str]:
    """Vehicular MG break on an original 12, IFE on the B# of the MA (7.8, 6.8)."""
    found = []
    for e in attack.group:
        if not e.vehicle:
            continue
        v = ctx.state.vehicles[e.vehicle]
        if e.part == "ife":
            found += [e.id] if _ife_jams(ctx, v, mode(ctx.state, e), rolled) else []
        elif rolled == 12:
            told: dict[str, Fact] = {"weapon": e.id, "dr": rolled, "number": 12}
            ctx.do(
                MgJammed(vehicle=v.id, part=e.part),
                ("7.8#guasto", "2.0.b_num#guasto"),
                JAMS,
                **told,
            )
            found.append(e.id)
            break
    return found


def _ife_jams(ctx: Ctx[State], v: Vehicle, how: str, rolled: int) -> bool:
    """IFE that fires again: B# -2, and the MA is lost at its B# (6.8, 6.12, casa.15)."""
    again = how in HALVED
    if rolled < v.data.b - (2 if again else 0):
        return False
    if again and rolled >= v.data.b:
        ctx.do(MaLost(vehicle=v.id), ("6.8#rimosso", "casa.15", "7.10.recall#ma"))
    else:
        told: dict[str, Fact] = {
            "weapon": f"{v.id}:ife",
            "dr": rolled,
            "number": v.data.b - (2 if again else 0),
        }
        ref = "6.8#di-nuovo" if again else "6.8#come-mg"
        ctx.do(MaJammed(vehicle=v.id), ("6.12#guasta", ref), JAMS, **told)
    return True


# Counters


def counter_of(state: State, how: str, cowers: bool = False) -> str:
    """The fire counter that an attack leaves (3.2.5, 3.3.3, 3.4)."""
    if how == DFF:
        return FINAL if cowers else FIRST
    if state.phase in (PFPH, AFPH):
        return PREP
    return BOUNDING if how == BOUNDING_FIRST else FINAL


def why_counter(how: str, kept: bool = False) -> str:
    """What marks whoever has fired so, or leaves him unmarked (3.2.5, 3.3.2.2, 3.3.3, 3.4, 3.5)."""
    if kept and how in KEPT:
        return KEPT[how]
    known = {
        DFF: "3.3.3#segna",
        SFF: "3.3.3.sff#gira",
        FPF: "3.3.3.fpf#come-sff",
        FINAL_FIRE: "3.4#riceve",
        SUSTAINED: "3.4#gira",
        ADVANCING: "3.5#una-volta",
        BOUNDING_FIRST: "3.3.2.2#pedina",
    }
    return known.get(how, "3.2.5#segna")


def exhaust(ctx: Ctx[State], name: str, how: str) -> None:
    """Who has used in DFF all it may use is marked First Fire (3.3.3, 4.0.usage)."""
    one = ctx.state.units[name]
    limit = 2 if one.data.kind == SQUAD else 1
    if how == DFF and not one.fire and one.place == MAP and len(one.used) >= limit:
        ctx.do(Flipped(unit=name, marker=FIRST), ("3.3.3#segna", usage(one)))


def mark(ctx: Ctx[State], e: Element, attack: Attack, keeps: bool, cowers: bool = False) -> None:
    """Put the fire counter on whoever fired; ROF kept leaves none (3.2.5, 3.3.3)."""
    how = attack.modes[e.id]
    ref = why_counter(how, keeps)
    if e.vehicle:
        _mark_vehicle(ctx, e, ref, attack.target, keeps)
        return
    again = how in (SFF, FPF)
    counter = counter_of(ctx.state, how, cowers)
    why = "3.2.2.cowering#pedina" if cowers and counter != counter_of(ctx.state, how) else ref
    if not e.weapon:
        ctx.do(Fired(unit=e.unit, marker=counter, used="" if again else OWN_FP), why)
    else:
        _mark_weapon(ctx, e, how, "" if keeps else counter, why)
        owner = ctx.state.units[e.unit]
        marked = e.is_ife or owner.is_leader or cowers
        if marked and owner.fire != counter and not keeps:
            ctx.do(Flipped(unit=e.unit, marker=counter), why)
    if again:
        _mark_final(ctx, e.unit, ref, {one.weapon for one in attack.group})


def _mark_weapon(ctx: Ctx[State], e: Element, how: str, marker: str, ref: str) -> None:
    """The weapon and the record of its use; without a marker it keeps its ROF (1.2.4.1)."""
    weapon = ctx.state.weapons[e.weapon]
    if weapon.place == MAP:
        ctx.do(Fired(unit=e.weapon, marker=marker), ref if marker else ("1.2.4.1#di-nuovo", ref))
    if e.is_ife and weapon.hold.acquired:
        text = N_("{weapon} fires as IFE: it loses its target")
        ctx.do(
            Acquired(weapon=e.weapon, hold=NOTHING),
            ("6.8#acquisizione", "6.10#si-perde"),
            text,
            weapon=e.weapon,
        )
    if how not in (SFF, FPF):
        ctx.do(Used(unit=e.unit, used=e.weapon), usage(ctx.state.units[e.unit]))
    if marker:
        exhaust(ctx, e.unit, how)


def _mark_final(ctx: Ctx[State], name: str, ref: str, firing: Set[str]) -> None:
    """Who has fired again is done, with all its weapons: those that fire too are marked for
    themselves (3.3.3.sff, 3.3.3.fpf)."""
    for weapon in weapons_of(ctx.state, name):
        if weapon.fire != FINAL and weapon.id not in firing:
            ctx.do(Flipped(unit=weapon.id, marker=FINAL), ref)
    if ctx.state.units[name].fire != FINAL:
        ctx.do(Flipped(unit=name, marker=FINAL), ref)


def _mark_vehicle(ctx: Ctx[State], e: Element, ref: str, target: str, keeps: bool) -> None:
    """A CMG fired at another hex, and any IFE, lose the acquired target (6.10, 6.8)."""
    v = ctx.state.vehicles[e.vehicle]
    phase = fire_phase(ctx.state, v)
    hex = v.hex if ctx.state.phase == MPH and v.side == ctx.state.attacker else ""
    if e.is_ife:
        lost = bool(v.hold.acquired)
        fired: PartFired = IfeFired(
            vehicle=v.id,
            part=e.part,
            phase=phase,
            hex=hex,
            forgets=lost,
            marker="" if keeps else counter_of(ctx.state, mode(ctx.state, e)),
            kept=keeps,
        )
    else:
        lost = bool(v.hold.acquired) and e.part == "cmg" and target != _acquired_hex(ctx.state, v)
        fired = PartFired(vehicle=v.id, part=e.part, phase=phase, hex=hex, forgets=lost)
    ctx.do(fired, (ref, "7.8#un-attacco", "6.10#si-perde") if lost else (ref, "7.8#un-attacco"))


def _acquired_hex(state: State, v: Vehicle) -> str:
    """Where the acquired target is now (6.10)."""
    name = next(iter(v.hold.target.split()), "")
    there = state.units.get(name) or state.vehicles.get(name)
    return there.hex if there is not None else v.hold.target_hex


def remember(ctx: Ctx[State], attack: Attack) -> None:
    """Leaders, mandatory fire groups and repeated attacks are remembered."""
    how = next(iter(attack.modes.values()))
    counter = counter_of(ctx.state, how)
    ids = tuple(e.id for e in attack.group)
    for leader in attack.leaders:
        marker = counter if not ctx.state.units[leader.id].fire else ""
        ctx.do(
            Directed(unit=leader.id, marker=marker, elements=ids),
            ("3.2.2.leader#conta", "3.4.leader"),
        )
    for weapon, helper in attack.gunners.items():
        if weapon in ids and weapon not in ctx.state.units[helper].used:
            ctx.do(Used(unit=helper, used=weapon), "4.1#smc")
    at = expenditure(ctx.state)
    together = [e for e in attack.group if e.vehicle or e.part not in ("ft", "ife")]
    for origin in dict.fromkeys(e.vehicle or e.hex for e in together):
        if volley_key(origin, attack.target, at) not in ctx.state.volleys:
            tank = origin in ctx.state.vehicles
            ctx.do(
                Volley(hex=origin, target=attack.target, at=at),
                "3.2.2.mandatory_fg#veicolo" if tank else "3.2.2.mandatory_fg#insieme",
            )
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
        "3.3.3.repeat#quante",
        ATTACKS_COUNTED,
        n=max(shots[e.key] for e in group),
        most=max(1, mover.latest // 2),
    )


# Facing


def turn_all(ctx: Ctx[State], attack: Attack) -> None:
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
                ctx.do(turned, "3.2.4.ca#girarsi")


def turn_vehicle(ctx: Ctx[State], name: str, part: str, spine: int) -> None:
    """Turn a turret, or the hull with its turret; who fires next from it pays too (7.8)."""
    v = ctx.state.vehicles[name]
    now = arc_of(v, part)
    gap = (spine - now) % 6
    turns = min(gap, 6 - gap)
    if not turns:
        if (v.marks.swing or v.marks.hull_swing) and part not in v.marks.swung:
            ctx.do(SwingPaid(vehicle=name, part=part), "7.8#stesso-drm")
        return
    others = [p for p in v.marks.swung if mount(v, p) != mount(v, part)]
    swung = HullSwung if mount(v, part) == "hull" else TurretSwung
    turned = swung(vehicle=name, gap=gap, turns=turns, swung=(*others, part))
    arc = "3.2.4.vca_tca#scafo" if swung is HullSwung else "3.2.4.vca_tca#torretta"
    ctx.do(turned, (arc, "7.8#fuori-arco"))


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
