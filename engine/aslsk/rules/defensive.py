"""Defensive fire at movers, Residual FP and the reactions of the DEFENDER (3.3.3-3.3.5, 3.4).

Refs: 2.0.dff, 2.0.sff, 2.0.fpf, 2.0.dfph, 3.3.3, 3.3.3.broken_target, 3.3.4, 3.3.5.attack,
3.3.5.replace, 3.4, 3.4.cleanup.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.aslsk.rules.elements import Element, elements, marker, reach, why_not_fire
from engine.aslsk.rules.firepower import target_drm
from engine.aslsk.rules.morale import Effects, leader_losses
from engine.aslsk.rules.movement import close_window
from engine.aslsk.rules.oba import barrage_on_entry
from engine.aslsk.rules.reactions import out_of_sight, react, reaction_choices, why_not_react
from engine.aslsk.rules.shooting import fire_offer, shoot_at, why_not_target
from engine.aslsk.rules.sight import sees
from engine.aslsk.rules.strikes import Strike, strike
from engine.aslsk.rules.terrain import DIRECT, crew_cover
from engine.aslsk.rules.vehicles import close_vehicle_window
from engine.aslsk.rules.verdicts import Verdicts, joined
from engine.aslsk.state.book import DR, LATE_TOTAL, drm, rule
from engine.aslsk.state.events import MoverSet, ResidualMet
from engine.aslsk.state.state import FINAL, FIRST, Mover, State
from engine.aslsk.state.tables import column
from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button
from engine.core.rules import Ruling
from engine.core.text import N_


def mover_hex(state: State) -> str:
    """Where the movers are."""
    assert state.mover is not None
    found = [(state.units.get(name) or state.vehicles[name]).hex for name in state.mover.units]
    return next((hex for hex in found if hex), "")


def residual_attack(ctx: Ctx[State]) -> None:
    """Residual FP strikes whoever enters or spends MF, before anything else (3.3.5.attack)."""
    state = ctx.state
    mover = state.mover
    assert mover is not None
    hex = mover_hex(state)
    fp = state.residual.get(hex, 0)
    if not fp:
        return
    struck = _met_by_residual(state, mover, hex)
    if not struck:
        return
    smoke = state.smoke.get(hex)
    common = [drm(smoke.value, "1.2.5#drm", N_("Smoke in {hex}"), hex=hex)] if smoke else []
    with ctx.under("3.3.5.attack#subito", N_("Residual FP {fp} attacks in {hex}"), fp=fp, hex=hex):
        records = tuple([f"{name}:{value}" for name, value in struck.items()])
        ctx.do(ResidualMet(hex=hex, units=records), "3.3.5.attack#una-volta")
        rolled = ctx.roll(
            DR,
            LATE_TOTAL,
            ("3.3.5.attack#subito", "2.0.residual#attacca"),
            N_("Residual FP in {hex}"),
            hex=hex,
        )
        effects = Effects()
        attack = Strike(
            names=[name for name in struck if name in state.units],
            crews=[name for name in struck if name in state.vehicles],
            column=column(fp),
            rolled=rolled,
            common=common,
            how=DIRECT,
            firers=("",),
            moving=True,
            hindered=bool(smoke),
        )
        strike(ctx, attack, effects)
        leader_losses(ctx, effects)


def _met_by_residual(state: State, mover: Mover, hex: str) -> dict[str, int]:
    """The movers that it strikes, with their DRM: once, and again if worse off (3.3.5.attack)."""
    smoke = state.smoke.get(hex)
    base = smoke.value if smoke is not None else 0
    records = [one.rpartition(":") for one in state.residual_on.get(hex, ())]
    met = {name: int(value) for name, _, value in records}
    found: dict[str, int] = {}
    for name in mover.units:
        if name in state.units:
            own = target_drm(state, name, [""], DIRECT, True, smoke is not None)
        elif state.vehicles[name].crew.ce:
            own = crew_cover(state, state.vehicles[name])
        else:
            continue
        value = base + sum(one.value for one in own)
        if name not in met or value < met[name]:
            found[name] = value
    return found


def window(ctx: Ctx[State]) -> None:
    """After each expenditure: Residual FP, barrage, then the DEFENDER (3.3.3)."""
    state = ctx.state
    mover = state.mover
    assert mover is not None
    if not mover.passed:
        residual_attack(ctx)
        barrage_on_entry(ctx)

        begun = ctx.state.mover
        assert begun is not None
        ready = msgspec.structs.replace(begun, passed=True)
        ctx.do(
            MoverSet(what=N_("the DEFENDER may fire"), mover=ready),
            ("3.3.3#fermare", "2.0.dff#fuoco"),
        )
        return
    if not anybody_left(state):
        close(ctx)
        return
    if not ctx.once(defender_can, state):
        tell_silent(ctx)
        close(ctx)
        return
    chosen = ctx.once(_choose_defence, ctx)
    if chosen is None:
        close(ctx)
    elif isinstance(chosen, Element):
        shoot_at(ctx, state.defender, chosen, mover_hex(state))
    else:
        react(ctx, chosen)


def _choose_defence(ctx: Ctx[State]) -> Element | tuple[str, str] | None:
    """What the DEFENDER does against the movers; None if nothing more (3.3.3)."""
    state = ctx.state
    hex = mover_hex(state)
    verdicts = _verdicts(state, hex)
    return ctx.choose(
        "fire.at-movers",
        state.defender,
        window_choices(state),
        ("3.3.3#fermare", "2.0.dff#fuoco"),
        N_("who fires at the movers in {hex}?"),
        why_not=lambda what: None if what is None else verdicts.against(_key(what), what),
        hex=hex,
    )


def tell_silent(ctx: Ctx[State]) -> None:
    """Why somebody who has fired may not fire again: told to the DEFENDER, whatever the LOS."""
    state = ctx.state
    hex = mover_hex(state)
    if hex in state.ground.is_off:
        return
    away, verdicts = state.ground.away[hex], _verdicts(state, hex)
    for e in elements(state, state.defender):
        spent = marker(state, e) in (FIRST, FINAL) and away[e.hex] <= reach(state, e)
        ruling = verdicts.barred(e.id, e) if spent else None
        if ruling is not None and "aslsk:casa.19" not in ruling.refs:
            why = rule("3.3.3#fermare", N_("{unit} does not fire at the movers"), unit=e.id)
            ctx.cite(joined(why, ruling), hidden_from=(state.attacker,))
            return


def close(ctx: Ctx[State]) -> None:
    """The window closes."""
    mover = ctx.state.mover
    assert mover is not None
    if mover.units[0] in ctx.state.vehicles:
        close_vehicle_window(ctx)
    else:
        close_window(ctx)


def anybody_left(state: State) -> bool:
    """Whether some mover is still on the map."""
    assert state.mover is not None
    return any(
        (n in state.units and state.units[n].place == "map")
        or (n in state.vehicles and state.vehicles[n].is_live)
        for n in state.mover.units
    )


def window_choices(state: State) -> Iterator[Choice[Element | tuple[str, str] | None]]:
    """Elements and reactions of the DEFENDER; LOS is not told (3.2.1.declare)."""
    field = state.ground
    away = field.away[mover_hex(state)]
    for e in elements(state, state.defender):
        if away[e.hex] <= reach(state, e):
            yield fire_offer(e, field)
    for choice in reaction_choices(state):
        yield Choice(choice.option, choice.value)
    yield button("passa", None, N_("no fire"))


def _verdicts(state: State, hex: str) -> Verdicts[Element | tuple[str, str]]:
    return Verdicts(state, "defend", lambda what: why_not_defend(state, what, hex))


def _key(what: Element | tuple[str, str]) -> str | tuple[str, str]:
    return what.id if isinstance(what, Element) else what


def why_not_defend(state: State, what: Element | tuple[str, str], hex: str) -> Iterator[Ruling]:
    """Why an element may not fire at the movers now, or a reaction not be made."""
    if isinstance(what, tuple):
        yield from why_not_react(state, what)
        return
    yield from why_not_fire(state, what)
    yield from why_not_target(state, what, hex)


def defender_can(state: State) -> bool:
    """Whether a Good Order DEFENDER sees the movers and could do something (3.3.3)."""
    hex = mover_hex(state)
    field = state.ground
    if hex in field.is_off:
        return False
    away = field.away[hex]
    watched: dict[str, bool] = {}
    verdicts = _verdicts(state, hex)
    for e in elements(state, state.defender):
        if away[e.hex] > reach(state, e):
            continue
        if e.hex not in watched:
            watched[e.hex] = sees(state, e.hex, hex)
        if not watched[e.hex]:
            continue
        if verdicts.barred(e.id, e) is None:
            return True
    return any(
        verdicts.barred(choice.value, choice.value) is None
        and next(out_of_sight(state, choice.value), None) is None
        for choice in reaction_choices(state)
        if isinstance(choice.value, tuple)
    )
