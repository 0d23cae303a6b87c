"""Chapter 3: suppression fire.

Refs: warfare:soppressione.*, arbitrato.soppressione_gittata, arbitrato.soppressione_dal_fumo.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.core.ctx import Ctx
from engine.core.decisions import unit
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.warfare.rules.hostages import why_not_shielded
from engine.warfare.rules.morale import cite_spared, hit_body, hit_morale, show, why_not_fight
from engine.warfare.rules.recon import special_test
from engine.warfare.rules.sight import why_not_seen, why_not_smoke_free
from engine.warfare.state.ascs import CRITICAL, CRITICAL_FAILURE, FAILURE, MARGINAL, Steps
from engine.warfare.state.book import rule, why_none
from engine.warfare.state.setting import field_of
from engine.warfare.state.state import State, Unit, enemies, is_alive
from engine.warfare.state.tables import SUPPRESSION, WATER


def why_not_suppress(state: State, one: Unit) -> Iterator[Ruling]:
    """The icon, no morale damage, somebody in sight (soppressione.azione)."""
    if SUPPRESSION not in one.values.icons:
        yield rule(
            ("soppressione.azione#icona", "azioni.speciali#riservata"),
            N_("{unit} has no suppression fire"),
            unit=one.id,
        )
        return
    yield from why_not_fight(one)
    if one.is_infantry and field_of(state).terrain[one.hex] == WATER:
        yield rule("anfibio.fuoco#fanteria", N_("infantry in the water does not fire"), unit=one.id)
    yield from why_none(
        partial(why_not_suppress_target, state, one),
        enemies(state, one.side),
        "soppressione.los",
        N_("{unit} sees no target"),
        unit=one.id,
    )


def why_not_suppress_target(state: State, one: Unit, target: Unit) -> Iterator[Ruling]:
    """In sight at any range; into smoke but not through it (soppressione.los)."""
    if target.is_helicopter:
        yield rule(
            ("soppressione.azione#scegli", "arbitrato.soppressione_gittata"),
            N_("{target} is a helicopter"),
            target=target.id,
        )
    yield from why_not_shielded(state, one.side, target)
    if one.hex in state.smoke:
        yield from why_not_smoke_free(state, one.hex, also="arbitrato.soppressione_dal_fumo")
    for ruling in why_not_seen(state, one, target):
        yield rule("soppressione.los", N_("{target} is not in sight"), target=target.id)
        yield ruling


def suppress(ctx: Ctx[State], name: str) -> None:
    """Light cost, the icon's die, no defence, no terrain (soppressione.azione)."""
    state, one = ctx.state, ctx.state.units[name]
    field = field_of(state)
    target = ctx.choose(
        "suppression.target",
        one.side,
        [unit(u.id, u, hex=field.hex[u.hex]) for u in enemies(state, one.side)],
        ("soppressione.azione#scegli", "soppressione.los"),
        N_("Whom does {unit} pin down?"),
        why_not=lambda t: why_not_suppress_target(state, one, t),
        unit=name,
    )
    show(ctx, target.id)
    result = special_test(
        ctx,
        name,
        SUPPRESSION,
        Steps(
            ("soppressione.azione#paga", "arbitrato.soppressione_gittata"),
            ("soppressione.azione#dado", "arbitrato.soppressione_gittata"),
            ("soppressione.azione#tira", "arbitrato.soppressione_gittata"),
        ),
        N_("{unit} fires to suppress"),
    )
    if result in (CRITICAL_FAILURE, FAILURE):
        ctx.cite(
            "soppressione.test#esiti/Fallimento"
            if result == FAILURE
            else "soppressione.test#esiti/Fallimento Critico",
            N_("{target} keeps calm"),
            target=target.id,
        )
    elif result == CRITICAL:
        hit_morale(ctx, target.id, "soppressione.test#esiti/Successo Critico")
        if is_alive(ctx.state, target.id):
            hit_body(ctx, target.id, "soppressione.test#esiti/Successo Critico", 2)
    elif result == MARGINAL:
        hit_morale(ctx, target.id, "soppressione.test#esiti/Successo Marginale")
    else:
        hit_morale(ctx, target.id, "soppressione.test#esiti/Successo", 2)
    if result not in (CRITICAL_FAILURE, FAILURE):
        cite_spared(ctx, target.id)
