"""Chapter 2: overwatch, and the window in which it fires.

Refs: warfare:overwatch.*, arbitrato.overwatch_reazioni, arbitrato.overwatch_turni,
arbitrato.tiratore_overwatch, arbitrato.ingressi, elicotteri.alta_overwatch, droni.overwatch.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

import msgspec

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, card
from engine.core.rules import Ruling, Side
from engine.core.text import N_
from engine.warfare.rules.fire import (
    WEAPONS,
    can_fire_at,
    reaction_choices,
    shoot,
    weapon_of,
    why_not_fire,
    why_not_kind,
    why_not_target,
)
from engine.warfare.rules.morale import why_not_fight
from engine.warfare.rules.snipers import aim, can_react_to, watching_snipers, why_not_snipe
from engine.warfare.rules.supports import park, pay_support
from engine.warfare.rules.track import pay_one
from engine.warfare.state.book import locators, rule
from engine.warfare.state.events import MarchSet, OverwatchSet
from engine.warfare.state.setting import field_of
from engine.warfare.state.state import (
    LIGHT,
    OVERWATCH_CUBES,
    WEAPON_IDS,
    State,
    Support,
    Unit,
    on_map,
    other_sides,
)
from engine.warfare.state.tables import DRONE, SNIPER

WAIT, NEVER = "attendi", "mai"


def why_not_overwatch(state: State, unit: Unit) -> Iterator[Ruling]:
    """Any unit with steady morale, once (overwatch.azione)."""
    if unit.morale:
        yield from why_not_fight(unit)
    yield from why_not_cube(state, unit)


def why_not_support_overwatch(state: State, support: Support) -> Iterator[Ruling]:
    """Off the map only snipers and drones wait in overwatch (overwatch.azione)."""
    if support.values.kind not in (SNIPER, DRONE):
        yield rule(
            ("overwatch.azione#tiratore", "droni.overwatch#cubetto"),
            N_("{support}: only snipers and drones go in overwatch off the map"),
            support=support.id,
        )
    yield from why_not_cube(state, support)


def why_not_cube(state: State, one: Unit | Support) -> Iterator[Ruling]:
    """One cube for each, thirty in all (arbitrato.overwatch_turni)."""
    if one.overwatch:
        yield rule("overwatch.una_volta", N_("{unit} is in overwatch already"), unit=one.id)
    if len(state.units) + len(state.supports) < OVERWATCH_CUBES:
        return
    cubes = sum(u.overwatch for u in state.units.values())
    cubes += sum(s.overwatch for s in state.supports.values())
    if cubes >= OVERWATCH_CUBES:
        yield rule("arbitrato.overwatch_turni", N_("all {n} red cubes are in use"), n=cubes)


def go_in_overwatch(ctx: Ctx[State], name: str) -> None:
    """1 AP and a red cube (overwatch.azione)."""
    one = ctx.state.units.get(name)
    side = one.side if one is not None else ctx.state.supports[name].side
    pay_one(ctx, name, side, "overwatch.azione#spende")
    is_drone = one is None and ctx.state.supports[name].values.kind == DRONE
    ctx.do(
        OverwatchSet(unit=name),
        ("overwatch.azione#drone", "droni.overwatch#cubetto")
        if is_drone
        else "overwatch.azione#tiratore"
        if one is None
        else "overwatch.azione#spende",
    )
    if one is not None and one.is_helicopter:
        ctx.cite("elicotteri.alta_overwatch", N_("{unit} is now high"), unit=name)


def window(ctx: Ctx[State], name: str) -> bool:
    """A unit has entered a hex: each enemy in overwatch may fire once (overwatch.fuoco).

    True as soon as somebody fired. At the end of a movement that nobody could fire at, those in
    overwatch are told why.
    """
    was_asked = False
    for side in other_sides(ctx.state, ctx.state.units[name].side):
        state, mover = ctx.state, ctx.state.units[name]
        march = state.march
        if march is None or not can_side_react(state, mover, side):
            continue
        was_asked = True
        watchers = [u for u in on_map(state) if u.side == side and u.overwatch]
        offers: list[Choice[str]] = [
            *reaction_choices(watchers, state),
            *(card(s.id, s.id) for s in watching_snipers(state, side)),
            button(WAIT, WAIT, N_("not in this hex")),
            button(NEVER, NEVER, N_("not during this movement")),
        ]
        who = ctx.choose(
            "overwatch.who",
            side,
            offers,
            ("overwatch.fuoco#spara", "overwatch.esagono#sceglie", "overwatch.costo#arma"),
            N_("{unit} enters {hex}: who fires?"),
            why_not=partial(why_not_react, state, mover),
            unit=name,
            hex=mover.hex,
            ahead=march.ahead,
        )
        if who == NEVER:
            quiet = msgspec.structs.replace(march, declined=(*march.declined, side))
            ctx.do(
                MarchSet(unit=name, march=quiet),
                "overwatch.fuoco#facoltativo",
                N_("{side} lets {unit} go"),
                side=side,
                unit=name,
            )
        if who in (WAIT, NEVER):
            continue
        with ctx.under("overwatch.fuoco#spara", N_("{unit} reacts"), unit=who):
            react(ctx, who, name)
        return True
    if not was_asked:
        cite_silent(ctx, name)
    return False


def can_anybody_react(state: State, name: str) -> bool:
    """Whether any enemy could fire at a unit on the march where it is."""
    mover = state.units[name]
    return any(can_side_react(state, mover, side) for side in other_sides(state, mover.side))


def can_side_react(state: State, mover: Unit, side: Side) -> bool:
    """Whether a player has not let the unit go and has somebody able to fire at it."""
    march = state.march
    if march is None or not mover.hex or side in march.declined:
        return False
    if any(u.side == side and u.overwatch and can_react(state, u, mover) for u in on_map(state)):
        return True
    return any(can_react_to(state, s, mover) for s in watching_snipers(state, side))


def can_react(state: State, watcher: Unit, mover: Unit) -> bool:
    """Whether any weapon of a unit in overwatch can fire at the mover."""
    return next(why_not_fire(state, watcher), None) is None and any(
        can_fire_at(state, watcher, weapon, mover) for weapon in WEAPONS
    )


def why_not_react(state: State, mover: Unit, who: str) -> Iterator[Ruling]:
    """What keeps a unit or sniper in overwatch from firing now."""
    if who in state.supports:
        yield from why_not_snipe(state, state.supports[who], mover)
    watcher = state.units.get(who)
    if watcher is None or can_react(state, watcher, mover):
        return
    yield from why_not_fire(state, watcher)
    for weapon in WEAPONS:
        yield from why_not_target(state, watcher, weapon, mover)


def cite_silent(ctx: Ctx[State], name: str) -> None:
    """Who is in overwatch and cannot fire where a movement ends; only its players are told."""
    state, mover = ctx.state, ctx.state.units[name]
    march = state.march
    if march is None or march.ahead or not mover.hex:
        return
    sides = [side for side in other_sides(state, mover.side) if side not in march.declined]
    silent = [u.id for u in on_map(state) if u.overwatch and u.side in sides]
    silent += [s.id for side in sides for s in watching_snipers(state, side)]
    if not silent:
        return
    against = [nearest_to_firing(state, mover, who) for who in silent]
    ctx.cite(
        ("overwatch.fuoco#spara", *locators(*against)),
        N_("{units} in overwatch cannot fire at {target} in {hex}: {why}"),
        hidden_from=tuple(side for side in state.cubes if side not in sides),
        units=tuple(silent),
        target=name,
        hex=mover.hex,
        why=tuple(dict.fromkeys(reason_of(ruling) for ruling in against)),
    )


def nearest_to_firing(state: State, mover: Unit, who: str) -> Ruling:
    """What keeps one in overwatch from firing, with the weapon that fits best."""
    watcher = state.units.get(who)
    if watcher is None:
        return next(why_not_snipe(state, state.supports[who], mover))
    found = next(why_not_fire(state, watcher), None)
    if found is not None:
        return found
    far = field_of(state).distance(watcher.hex, mover.hex)
    fits: dict[str, tuple[bool, bool]] = {}
    for weapon in WEAPONS:
        column = weapon_of(watcher, weapon)
        if column is not None:
            wrong = next(why_not_kind(state, watcher, weapon, mover), None)
            fits[weapon] = (wrong is not None, far > column.range)
    return next(why_not_target(state, watcher, min(fits, key=lambda w: fits[w]), mover))


REASONS: Final = {
    "fuoco": N_("weapons"),
    "fuoco.passo3": N_("range"),
    "elicotteri": N_("altitude"),
    "ostaggi": N_("population"),
    "los.popolazione": N_("population"),
    "fumogeni": N_("smoke"),
    "los.fumo": N_("smoke"),
    "los": N_("line of sight"),
    "fortificazioni": N_("line of sight"),
    "anfibio": N_("water"),
    "combattimento": N_("morale"),
    "tiratore.limiti#fumo": N_("smoke"),
    "tiratore": N_("infantry only"),
}
"""A word for what a ruling objects to, by its sentence, its first rule or the chapter of it."""


def reason_of(ruling: Ruling) -> str:
    """A ruling against a shot in a word."""
    sentences = [anchor.partition(":")[2] for anchor in ruling.anchors]
    locator = ruling.refs[0].partition(":")[2]
    known = (*sentences[:1], locator, locator.partition(".")[0])
    return next(REASONS[key] for key in known if key in REASONS)


def react(ctx: Ctx[State], who: str, target: str) -> None:
    """The shot, paid in full by who reacts; then the cube is gone (overwatch.costo)."""
    if who in ctx.state.supports:
        pay_support(
            ctx,
            who,
            LIGHT,
            (
                "overwatch.costo#arma",
                "arbitrato.overwatch_reazioni",
                "arbitrato.tiratore_overwatch",
            ),
        )
        aim(ctx, who, target)
        park(ctx, who, "tiratore.ritorno#casella")
        return
    state, watcher, mover = ctx.state, ctx.state.units[who], ctx.state.units[target]
    fit = [w for w in WEAPONS if can_fire_at(state, watcher, w, mover)]
    weapon = fit[0]
    if len(fit) > 1:
        weapon = ctx.choose(
            "overwatch.weapon",
            watcher.side,
            [button(WEAPON_IDS[w], w, N_("{weapon} weapons"), weapon=w) for w in fit],
            ("fuoco.passo1#colonna", "overwatch.fuoco#facoltativo"),
            N_("Which weapons does {unit} fire at {target}?"),
            unit=who,
            target=target,
        )
    shoot(
        ctx,
        who,
        weapon,
        target,
        ("overwatch.costo#arma", "overwatch.una_volta", "arbitrato.overwatch_reazioni"),
    )
