"""What the DEFENDER may do in the MPh besides firing (3.3.2.1, 3.3.4, 7.5).

Refs: 2.0.cc_reaction, 2.0.motion_attempt, 3.3.2.1, 3.3.2.reliability, 3.3.4, 3.7.paatc, 7.5,
casa.62.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from engine.aslsk.rules.advance import paatc
from engine.aslsk.rules.bogging import bog, bogs, is_rough
from engine.aslsk.rules.close_combat import assault_vehicle
from engine.aslsk.rules.firers import ATTACKS_COUNTED
from engine.aslsk.rules.morale import (
    PASS,
    Effects,
    check_reading,
    leader_losses,
    level,
    suffer,
    tell_barrage,
)
from engine.aslsk.rules.sight import declared_los, is_los_free, is_supposed, sees
from engine.aslsk.rules.vehicles import dispense, fails, why_not_dispense
from engine.aslsk.state.book import ONE, halved, hexspines, rule
from engine.aslsk.state.events import Flipped, MoverSet
from engine.aslsk.state.state import FINAL, FIRST, MAP, State, Unit, Vehicle, units_at
from engine.aslsk.state.vehicle_events import MotionGained, MotionTried, SmokeTried
from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, unit
from engine.core.rules import Ruling
from engine.core.text import N_


def reaction_choices(state: State) -> Iterator[Choice[tuple[str, str]]]:
    """CC Reaction Fire, smoke dispensers and Motion attempts of the DEFENDER."""
    mover = state.mover
    assert mover is not None
    name = mover.units[0]
    if name in state.vehicles:
        for u in units_at(state, state.vehicles[name].hex):
            if u.side == state.defender:
                yield button(
                    f"corpo-{u.id}", ("cc", u.id), N_("CC Reaction Fire by {unit}"), unit=u.id
                )
    for v in state.vehicles.values():
        if v.side != state.defender or not v.is_live:
            continue
        if v.data.smoke:
            yield button(f"fumogeno-{v.id}", ("smoke", v.id), N_("{unit} makes smoke"), unit=v.id)
        yield button(f"moto-{v.id}", ("motion", v.id), N_("{unit} tries Motion"), unit=v.id)


def why_not_react(state: State, what: tuple[str, str]) -> Iterator[Ruling]:
    """Why a reaction may not be declared now; LOS counts only if it may be checked freely."""
    verb, name = what
    if verb == "cc":
        yield from why_not_cc(state, state.units[name])
        return
    v = state.vehicles[name]
    if verb == "smoke":
        yield from why_not_dispense(state, v)
    else:
        yield from why_not_motion(state, v)
    if is_los_free(state):
        yield from out_of_sight(state, what)


def out_of_sight(state: State, what: tuple[str, str]) -> Iterator[Ruling]:
    """What the thread tells against a declared attempt (3.3.2.1, 7.5, casa.62)."""
    verb, name = what
    if verb == "cc" or is_supposed(state):
        return
    assert state.mover is not None
    v = state.vehicles[name]
    lost = "casa.62#libera" if is_los_free(state) else "casa.62#perso"
    if verb == "smoke":
        if not sees(state, v.hex, _hex(state)):
            yield rule(("7.5#nemica", lost), N_("{unit} does not see the mover"), unit=name)
        return
    if sees(state, v.hex, state.mover.trail[0][0]):
        yield rule(("3.3.2.1#prima", lost), N_("the mover was in its LOS before"), unit=name)
    if not mp_spent_in_sight(state, v):
        yield rule(("3.3.2.1#dr", lost), N_("no MF were spent in its LOS"), unit=name)


def _hex(state: State) -> str:
    assert state.mover is not None
    found = [(state.units.get(name) or state.vehicles[name]).hex for name in state.mover.units]
    return next((hex for hex in found if hex), "")


def why_not_cc(state: State, one: Unit) -> Iterator[Ruling]:
    """Good Order, unpinned, once per MP, one PAATC per AFV (3.3.4)."""
    assert state.mover is not None
    if not one.good_order:
        yield rule("3.3.4#chi", N_("{unit} is not in Good Order"), unit=one.id)
    if one.pinned:
        yield rule("3.2.3.pinned#niente-reazione", N_("{unit} has a Pin"), unit=one.id)
    if state.mover.shots.get(f"cc {one.id}", 0) >= max(1, state.mover.latest // 2):
        yield rule("3.3.3.repeat#quante", N_("{unit} has attacked for these MP"), unit=one.id)
    if (
        one.is_leader
        and any(u.is_mmc and u.side == one.side for u in units_at(state, one.hex))
        and one.fire
    ):
        yield rule("3.3.4#limiti", N_("{unit} has acted"), unit=one.id)


def mp_spent_in_sight(state: State, v: Vehicle) -> int:
    """Whole MF/MP that the movers have spent in its LOS."""
    assert state.mover is not None
    supposed = is_supposed(state)
    return sum(n for at, n in state.mover.trail if n and (supposed or sees(state, v.hex, at))) // 2


def _tell_mp_in_sight(ctx: Ctx[State], v: Vehicle) -> int:
    """The same, hex by hex: what a Motion Attempt must not exceed (3.3.2.1)."""
    mover = ctx.state.mover
    assert mover is not None
    number = mp_spent_in_sight(ctx.state, v)
    seen = ctx.tally(N_("MF or MP in LOS"))
    for at, halves in mover.trail:
        if halves and (is_supposed(ctx.state) or sees(ctx.state, v.hex, at)):
            seen.add(halved(halves), "3.3.2.1#dr", N_("spent in {hex}, in the LOS"), hex=at)
    if seen.total != number:
        seen.set(number, "3.3.2.1#dr", N_("whole ones only"))
    return number


def why_not_motion(state: State, v: Vehicle) -> Iterator[Ruling]:
    """Once per enemy MPh, not after firing (3.3.2.1)."""
    if v.marks.tried:
        yield rule("3.3.2.1#uno", N_("{unit} has tried in this MPh"), unit=v.id)
    if v.marks.fire or set(v.marks.fired) - {"ma", "ife"}:
        yield rule("3.3.2.1#vietato", N_("{unit} has fired"), unit=v.id)
    if not v.good_order or v.is_stuck:
        yield rule(("2.0.mobile", "3.3.2.1#chi"), N_("{unit} is not mobile"), unit=v.id)
    if v.hex in state.ground.is_off:
        yield rule("casa.26", N_("{unit} is off the map"), unit=v.id)


def react(ctx: Ctx[State], what: tuple[str, str]) -> None:
    """One reaction."""
    verb, name = what
    if verb == "cc":
        cc_reaction(ctx, name)
        return
    v = ctx.state.vehicles[name]
    declared_los(ctx, v.side, v.hex, _hex(ctx.state))
    blind = next(out_of_sight(ctx.state, what), None)
    if blind is not None:
        _lost(ctx, what, blind)
    elif verb == "smoke":
        dispense(ctx, name)
    else:
        motion_attempt(ctx, name)


def _lost(ctx: Ctx[State], what: tuple[str, str], blind: Ruling) -> None:
    """An attempt declared without LOS is made and fails, without dice (casa.62)."""
    verb, name = what
    ctx.cite(blind)
    done = SmokeTried(vehicle=name) if verb == "smoke" else MotionTried(vehicle=name)
    ctx.do(done, ("casa.62#perso", "3.2.1.declare#perso"))


def cc_reaction(ctx: Ctx[State], name: str) -> None:
    """Infantry attacks the vehicle that moves in its hex (3.3.4)."""
    mover = ctx.state.mover
    assert mover is not None
    target = mover.units[0]
    one = ctx.state.units[name]
    with ctx.under(
        ("3.3.4#chi", "2.0.cc_reaction#forma"),
        N_("{unit} attacks {vehicle}"),
        unit=name,
        vehicle=target,
    ):
        shots = {**mover.shots, f"cc {name}": mover.shots.get(f"cc {name}", 0) + 1}
        checked = (*mover.paatc, name)
        ctx.do(
            MoverSet(
                what=N_("attacks are counted"),
                mover=msgspec.structs.replace(mover, shots=shots, paatc=checked),
            ),
            "3.3.3.repeat#quante",
            ATTACKS_COUNTED,
            n=shots[f"cc {name}"],
            most=max(1, mover.latest // 2),
        )
        if one.is_mmc and name not in mover.paatc and not paatc(ctx, name):
            return
        group = [name, *_joined_by(ctx, one)]
        fpf = one.fire == FINAL
        for member in group:
            ctx.do(Flipped(unit=member, marker=_marker(ctx.state.units[member])), "3.3.4#limiti")
        check = _fpf_reading(ctx.state, group) if fpf else None
        already = bool(one.fire or one.used)
        found = assault_vehicle(ctx, group, target, [], already, check)
        effects = Effects()
        for member, read in zip(group, found, strict=False):
            if ctx.state.units[member].place == MAP:
                tell_barrage(ctx, ctx.state.units[member])
                ctx.cite(
                    ("3.3.4#limiti", "3.3.3.fpf#nmc"), N_("the DR is a NMC for {unit}"), unit=member
                )
                suffer(ctx, member, read, effects)
        leader_losses(ctx, effects)


def _fpf_reading(
    state: State, group: Sequence[str]
) -> Callable[[tuple[int, ...]], tuple[str, ...]]:
    """The NMC of CC Reaction as FPF: a leader helps only if he passes unharmed (3.3.3.fpf)."""
    one, *leaders = [state.units[n] for n in group]
    elr = state.elr.get(one.side, 5)

    def read(faces: tuple[int, ...]) -> tuple[str, ...]:
        found = [check_reading(level(state, u), 0, elr)(faces) for u in leaders]
        able = [u.leadership for u, how in zip(leaders, found, strict=True) if how == PASS]
        return check_reading(level(state, one), min([0, *able]), elr)(faces), *found

    return read


def _marker(one: Unit) -> str:
    """First Fire, then Final Fire; who has used a weapon goes straight to it (3.3.4)."""
    return FIRST if not one.fire and not one.used else FINAL


def _joined_by(ctx: Ctx[State], one: Unit) -> list[str]:
    """A SMC of the hex may attack with the MMC (3.3.4, 3.8.ccv)."""
    able = [
        u
        for u in units_at(ctx.state, one.hex)
        if u.side == one.side
        and u.is_leader
        and one.is_mmc
        and next(why_not_cc(ctx.state, u), None) is None
    ]
    if not able:
        return []
    choices: list[Choice[str]] = [unit(u.id, u.id, N_("{unit} attacks too")) for u in able]
    choices.append(button("solo", "", N_("it goes alone")))
    why = N_("does a leader go with {unit}?")
    chosen = ctx.choose(
        "cc.leader", one.side, choices, ("3.3.4#ccv", "3.8.ccv#due-unita"), why, unit=one.id
    )
    return [chosen] if chosen else []


def motion_attempt(ctx: Ctx[State], name: str) -> None:
    """dr at most the MF spent in its LOS: Motion, and a free turn (3.3.2.1)."""
    v = ctx.state.vehicles[name]
    number = _tell_mp_in_sight(ctx, v)
    ctx.do(MotionTried(vehicle=name), "3.3.2.1#uno")

    def read(faces: tuple[int, ...]) -> bool:
        return faces[0] <= number

    why = N_("{unit} gets going with {number} or less")
    if not ctx.roll(ONE, read, ("3.3.2.1#dr", "2.0.motion_attempt"), why, unit=name, number=number):
        return
    if v.data.red and fails(ctx, name):
        return
    spines = hexspines()
    hull = N_("where does {weapon} point?")
    vca = ctx.choose(
        "facing.ca", v.side, spines, ("3.3.2.1#gira", "2.0.tca#vca"), hull, weapon=name
    )
    if vca != v.vca and is_rough(ctx.state.ground, v.hex) and bogs(ctx, v, v.hex, "turn"):
        bog(ctx, name)
        return
    tca = vca
    if v.data.is_turreted:
        turret = N_("where does the turret of {weapon} point?")
        tca = ctx.choose(
            "facing.turret", v.side, spines, ("3.3.2.1#gira", "2.0.tca#tca"), turret, weapon=name
        )
    held = v.hold.acquired if (vca, tca) == (v.vca, v.tca) else 0
    refs = ("3.3.2.1#gira", "6.10#si-perde" if held < v.hold.acquired else "")
    ctx.do(MotionGained(vehicle=name, vca=vca, tca=tca, acquired=held), refs)
