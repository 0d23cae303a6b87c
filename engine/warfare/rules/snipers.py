"""Chapter 4: snipers and their duels.

Refs: warfare:tiratore.*, arbitrato.tiratore_overwatch, arbitrato.danno_durante,
arbitrato.overwatch_reazioni, arbitrato.tiratore_fumo.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, card
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.warfare.rules.fire import apply_fire
from engine.warfare.rules.hostages import why_not_shielded
from engine.warfare.rules.morale import show
from engine.warfare.rules.supports import (
    cite_late_damage,
    enemy_choices,
    is_usable,
    park,
    pay_support,
)
from engine.warfare.state.ascs import base_die, combat_roll, final_die
from engine.warfare.state.book import rule, why_none
from engine.warfare.state.setting import field_of
from engine.warfare.state.state import (
    GONE,
    LIGHT,
    State,
    Support,
    Unit,
    are_enemies,
    enemies,
    other_sides,
    piece,
)
from engine.warfare.state.tables import SNIPER, TERRAIN


def why_not_snipe(state: State, sniper: Support, target: Unit) -> Iterator[Ruling]:
    """Infantry only, not in smoke, not behind the population (tiratore.limiti)."""
    if not target.is_infantry:
        yield rule(
            "tiratore.limiti#elicotteri" if target.is_helicopter else "tiratore.limiti#veicoli",
            N_("{target} is not infantry"),
            target=target.id,
        )
    if target.hex in state.smoke:
        yield rule(
            ("tiratore.limiti#fumo", "arbitrato.tiratore_fumo"),
            N_("there is smoke in {hex}"),
            hex=target.hex,
        )
    yield from why_not_shielded(state, sniper.side, target)


def why_not_sniper(state: State, sniper: Support) -> Iterator[Ruling]:
    """Somebody must be there to shoot at (tiratore.uso)."""
    yield from why_none(
        partial(why_not_snipe, state, sniper),
        enemies(state, sniper.side),
        "tiratore.uso#scegli",
        N_("{support} has no target"),
        support=sniper.id,
    )


def use_sniper(ctx: Ctx[State], name: str) -> None:
    """Target, cost, duel, roll, track; no line of sight, no range (tiratore.uso)."""
    state, sniper = ctx.state, ctx.state.supports[name]
    target = ctx.choose(
        "sniper.target",
        sniper.side,
        enemy_choices(state, sniper),
        ("tiratore.uso#scegli", "tiratore.limiti#divieti", "arbitrato.tiratore_fumo"),
        N_("Whom does {support} aim at?"),
        why_not=lambda t: why_not_snipe(state, sniper, t),
        support=name,
    )
    pay_support(ctx, name, LIGHT, "tiratore.uso#paga")
    duel(ctx, name)
    cite_late_damage(ctx, name, sniper.damage, "tiratore.prosegue#danno")
    sniper = ctx.state.supports[name]
    if sniper.place == GONE:
        return
    if sniper.morale:
        ctx.cite(
            "tiratore.prosegue#scosso", N_("{support} is hit in its morale: no shot"), support=name
        )
    else:
        aim(ctx, name, target.id)
    park(ctx, name, "tiratore.ritorno#casella")


def duel(ctx: Ctx[State], name: str) -> None:
    """Enemy snipers in overwatch may fire first (tiratore.duello)."""
    for side in other_sides(ctx.state, ctx.state.supports[name].side):
        while ctx.state.supports[name].place != GONE and not ctx.state.supports[name].morale:
            ready = watching_snipers(ctx.state, side)
            if not ready:
                break
            offers: list[Choice[str]] = [card(s.id, s.id) for s in ready]
            offers.append(button("rinuncia", "", N_("hold fire")))
            rival = ctx.choose(
                "sniper.duel",
                side,
                offers,
                ("tiratore.duello#primo", "overwatch.fuoco#facoltativo", "overwatch.costo#arma"),
                N_("Who fires first at {support}?"),
                support=name,
            )
            if not rival:
                break
            with ctx.under("tiratore.duello#primo", N_("{rival} fires first"), rival=rival):
                pay_support(
                    ctx,
                    rival,
                    LIGHT,
                    ("overwatch.costo#arma", "arbitrato.overwatch_reazioni"),
                )
                aim(ctx, rival, name)
                park(ctx, rival, "tiratore.ritorno#duello")


def watching_snipers(state: State, side: str) -> list[Support]:
    """Own snipers that wait in overwatch."""
    return [
        s
        for s in state.supports.values()
        if s.side == side and s.overwatch and s.values.kind == SNIPER and is_usable(state, s)
    ]


def aim(ctx: Ctx[State], name: str, target: str) -> None:
    """One die without modifiers but the sniper's own damage (tiratore.modificatori)."""
    sniper = ctx.state.supports[name]
    ladder = base_die(
        ctx,
        sniper.values.light.die,
        "tiratore.modificatori",
        N_("{support}: {colour}"),
        support=name,
    )
    ladder.add(
        -sniper.damage,
        ("tiratore.modificatori", "danno.uno#tiro" if sniper.damage == 1 else "danno.due#tiro"),
        N_("damage of {support}"),
        support=name,
    )
    show(ctx, target)
    aimed = piece(ctx.state, target)
    if aimed.values.defence or (isinstance(aimed, Unit) and is_covered(ctx.state, aimed.hex)):
        ctx.cite(
            "tiratore.modificatori",
            N_("defence and terrain of {target} do not count against a sniper"),
            target=target,
        )
    result = combat_roll(
        ctx,
        final_die(ladder),
        "tiratore.uso#tira",
        N_("{support} fires at {target}"),
        support=name,
        target=target,
    )
    apply_fire(ctx, target, result)


def is_covered(state: State, hex: str) -> bool:
    """Whether the terrain of a hex would shift a die."""
    return TERRAIN[field_of(state).terrain[hex]].modifier != 0


def can_react_to(state: State, sniper: Support, mover: Unit) -> bool:
    """Whether a sniper in overwatch may fire at infantry that enters a hex."""
    return (
        are_enemies(state, sniper.side, mover.side)
        and next(why_not_snipe(state, sniper, mover), None) is None
    )
