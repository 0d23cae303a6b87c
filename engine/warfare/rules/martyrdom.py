"""Chapter 4: martyrdom.

Refs: warfare:martirio.*, arbitrato.martirio_modificatori.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.decisions import unit
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.warfare.rules.assault import enemies_near
from engine.warfare.rules.morale import (
    cite_spared,
    eliminate,
    hit_body,
    hit_morale,
    show,
    why_not_suppressed,
)
from engine.warfare.rules.recon import special_test
from engine.warfare.state.ascs import CRITICAL_FAILURE, FAILURE, MARGINAL, SUCCESS, Steps
from engine.warfare.state.book import joined, rule, why_none
from engine.warfare.state.setting import field_of, scenario_of
from engine.warfare.state.state import State, Unit, people_at
from engine.warfare.state.tables import MARTYRDOM

WITHOUT = "senza_martirio"


def why_not_martyr(state: State, one: Unit) -> Iterator[Ruling]:
    """The icon, where the scenario and the players allow it (martirio.azione)."""
    if MARTYRDOM not in one.values.icons:
        yield rule(
            ("martirio.azione#icona", "azioni.speciali#riservata"),
            N_("{unit} has no martyrdom"),
            unit=one.id,
        )
        return
    if not scenario_of(state).martyrdom:
        yield rule("martirio.scenario", N_("this scenario is played without martyrdom"))
    if state.is_on(WITHOUT):
        yield rule("martirio.nota#escludere", N_("the players left martyrdom out"))
    yield from why_not_suppressed(one)
    yield from why_none(
        why_not_martyr_target,
        enemies_near(state, one),
        "martirio.azione#adiacente",
        N_("no enemy on the ground beside {unit}"),
        unit=one.id,
    )


def why_not_martyr_target(target: Unit) -> Iterator[Ruling]:
    """One adjacent ground unit, vehicles included (martirio.bersaglio)."""
    if target.is_helicopter:
        yield rule(
            ("martirio.azione#bersaglio", "arbitrato.martirio_modificatori"),
            N_("{target} is a helicopter"),
            target=target.id,
        )


def martyr(ctx: Ctx[State], name: str) -> None:
    """Light cost, the icon's die; the unit dies whatever comes (martirio.azione)."""
    state, one = ctx.state, ctx.state.units[name]
    field = field_of(state)
    target = ctx.choose(
        "martyrdom.target",
        one.side,
        [unit(u.id, u, hex=field.hex[u.hex]) for u in enemies_near(state, one)],
        ("martirio.azione#bersaglio", "martirio.bersaglio"),
        N_("Against whom does {unit} give its life?"),
        why_not=why_not_martyr_target,
        unit=name,
    )
    show(ctx, target.id)
    refs = joined("martirio.costo#paga", "arbitrato.martirio_modificatori")
    result = special_test(
        ctx,
        name,
        MARTYRDOM,
        Steps(refs, refs, refs),
        N_("{unit} gives its life"),
    )
    if people_at(state, target.hex) or people_at(state, one.hex):
        ctx.cite("martirio.civili", N_("the population is not affected"))
    eliminate(ctx, name, "martirio.azione#eliminata")
    if result == CRITICAL_FAILURE:
        ctx.cite(
            "martirio.test#esiti/Fallimento Critico/Bersaglio",
            N_("{target} is unharmed"),
            target=target.id,
        )
    elif result == FAILURE:
        hit_morale(ctx, target.id, "martirio.test#esiti/Fallimento/Bersaglio")
    elif result == MARGINAL:
        hit_body(ctx, target.id, "martirio.test#esiti/Successo Marginale/Bersaglio")
    elif result == SUCCESS:
        hit_body(ctx, target.id, "martirio.test#esiti/Successo/Bersaglio", 2)
    else:
        eliminate(ctx, target.id, "martirio.test#esiti/Successo Critico/Bersaglio")
    if result != CRITICAL_FAILURE:
        cite_spared(ctx, target.id)
