"""Chapter 3: recon of unknown markers, and clearing IED and mines.

Refs: warfare:ricognizione.*, ied.ricognizione, bonifica.*, arbitrato.bonifica_rivelato,
arbitrato.tiratore_ignoto, arbitrato.sm_come_s.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import MappingProxyType
from typing import Final

from engine.core.ctx import Ctx
from engine.core.decisions import button, unit
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.kit.modifiers import add_all
from engine.warfare.rules.morale import (
    damage_of,
    lose_overwatch,
    show,
    show_use,
    why_not_suppressed,
)
from engine.warfare.rules.movement import free_move
from engine.warfare.rules.track import cite_discount, discounted, finish_action, pay_action
from engine.warfare.rules.unknown import block, discard, explode, kind_of, reveal, settle
from engine.warfare.state.ascs import (
    CRITICAL,
    CRITICAL_FAILURE,
    FAILURE,
    MARGINAL,
    SUCCESS,
    Steps,
    base_die,
    final_die,
    test_roll,
)
from engine.warfare.state.book import joined, rule, why_none
from engine.warfare.state.events import Examined, MarkerRemoved
from engine.warfare.state.setting import field_of
from engine.warfare.state.state import Examination, Hidden, State, Unit, are_enemies, is_alive
from engine.warfare.state.tables import (
    DUMMY,
    ENGINEERS,
    IED,
    MARTYRDOM,
    MINE,
    RECON,
    ROADBLOCK,
    SNIPER,
    SUPPRESSION,
    Icon,
)

FIGHTING = (SUPPRESSION, MARTYRDOM)
"""The special actions that are a fight: in all others a unit only proves what it uses."""


def markers_near(state: State, one: Unit) -> list[Hidden]:
    """Enemy markers in adjacent hexes, or in the unit's own."""
    around = field_of(state).around[one.hex]
    return [
        m
        for m in state.hidden.values()
        if (m.hex in around or m.hex == one.hex) and are_enemies(state, m.owner, one.side)
    ]


def why_not_recon(state: State, one: Unit) -> Iterator[Ruling]:
    """Not suppressed, beside an unknown marker (ricognizione.azione)."""
    yield from why_not_suppressed(one)
    yield from why_none(
        partial(why_not_recon_marker, one),
        markers_near(state, one),
        "ricognizione.azione#adiacente",
        N_("no unknown marker beside {unit}"),
        unit=one.id,
    )


def why_not_recon_marker(one: Unit, marker: Hidden) -> Iterator[Ruling]:
    """Adjacent and face down (ricognizione.azione)."""
    if marker.hex == one.hex:
        yield rule(
            "ricognizione.azione#adiacente", N_("{marker} is not adjacent"), marker=marker.id
        )
    if marker.revealed:
        yield rule("ricognizione.azione#scopo", N_("{marker} is face up"), marker=marker.id)


def recon(ctx: Ctx[State], name: str) -> None:
    """Light cost, recon die or grey, table (ricognizione.azione)."""
    state, one = ctx.state, ctx.state.units[name]
    field = field_of(state)
    marker = ctx.choose(
        "recon.marker",
        one.side,
        [unit(m.id, m, hex=field.hex[m.hex]) for m in markers_near(state, one)],
        "ricognizione.azione#adiacente",
        N_("Which marker does {unit} examine?"),
        why_not=lambda m: why_not_recon_marker(one, m),
        unit=name,
    )
    result = special_test(
        ctx,
        name,
        RECON,
        Steps("ricognizione.azione#paga", "ricognizione.azione#dado", "ricognizione.azione#tira")
        if RECON in one.values.icons
        else Steps(
            "ricognizione.senza_icona", "ricognizione.senza_icona", "ricognizione.senza_icona"
        ),
        N_("{unit} examines a marker"),
        "grey",
    )
    apply_recon(ctx, name, marker.id, result)


def special_test(
    ctx: Ctx[State], name: str, icon: Icon, refs: Steps, msgid: str, otherwise: str = "white"
) -> str:
    """A special action: light cost, the icon's die, the unit's damage (azioni.speciali)."""
    one = ctx.state.units[name]
    (show if icon in FIGHTING else show_use)(ctx, name)
    light = one.values.light
    cite_discount(ctx, name, light.ap, one.damage)
    price = joined(refs.price, "azioni.speciali#costa")
    pay_action(ctx, one.side, discounted(light.ap, one.damage), price)
    lose_overwatch(ctx, name)
    colour = str(one.values.icons.get(icon, otherwise))
    has_icon = icon in one.values.icons
    ladder = base_die(
        ctx,
        colour,
        joined(refs.die, "azioni.speciali#dado" if has_icon else "azioni.speciali#ricognizione"),
        N_("{icon} of {unit}: {colour}"),
        icon=icon,
        unit=name,
    )
    add_all(ladder, damage_of(one))
    return test_roll(ctx, final_die(ladder), refs.roll, msgid, unit=name)


FOUND: Final = MappingProxyType(
    {
        MARGINAL: ("ricognizione.test#esiti/Successo Marginale", "ricognizione.marginale#gira"),
        SUCCESS: ("ricognizione.test#esiti/Successo", "ricognizione.successo#gira"),
        CRITICAL: ("ricognizione.test#esiti/Successo Critico", "ricognizione.critico#togli"),
    }
)
"""The rules that turn a marker up, by the result of the test."""


def apply_recon(ctx: Ctx[State], name: str, marker: str, result: str) -> None:
    """What the test does (ricognizione.test)."""
    if result in (CRITICAL_FAILURE, FAILURE):
        ctx.do(
            Examined(unit=name, examination=Examination(name, marker)),
            (
                "ricognizione.test#esiti/Fallimento"
                if result == FAILURE
                else "ricognizione.test#esiti/Fallimento Critico",
                "ricognizione.fallimento#resta",
            ),
            N_("marker {marker} stays face down"),
            marker=marker,
        )
        return
    found = reveal(ctx, marker, FOUND[result])
    kind = kind_of(found)
    if result == CRITICAL:
        sniper = "arbitrato.tiratore_ignoto" if kind == SNIPER else ""
        ctx.do(MarkerRemoved(marker=marker), ("ricognizione.critico#togli", sniper))
    elif kind in (DUMMY, SNIPER):
        discard(ctx, marker)
    elif kind == ROADBLOCK:
        block(ctx, marker)
    elif kind == MINE:
        ctx.cite(
            "ricognizione.marginale#altro" if result == MARGINAL else "ricognizione.successo#altri",
            N_("the mine in {hex} does not explode"),
            hex=found.hex,
        )
    elif result == MARGINAL:
        asking = Examined(unit=name, examination=Examination(name, marker))
        ctx.do(
            asking,
            ("ied.ricognizione#esplode", "ricognizione.marginale#ied"),
            N_("the owner of {marker} may detonate it"),
            marker=marker,
        )
    else:
        ctx.do(MarkerRemoved(marker=marker), "ricognizione.successo#ied")


def ask_to_detonate(ctx: Ctx[State]) -> None:
    """The owner is asked whatever lies there, so that the question tells nothing.

    The table rests before this: the owner, who may not have known the unit, now does.
    """
    examination = ctx.state.examination
    assert examination is not None
    name, marker = examination.unit, examination.marker
    found = settle(ctx, marker)
    ref = "ricognizione.marginale#ied" if found.revealed else "ricognizione.fallimento#ied"
    wish = ctx.choose(
        "recon.detonate",
        found.owner,
        [
            button("rinuncia", False, N_("do nothing")),
            button("detona", True, N_("detonate the IED")),
        ],
        ("ied.ricognizione#esplode", ref),
        N_("{unit} examined {marker} in {hex}: detonate?"),
        why_not=lambda fire: why_not_detonate(found, fire),
        unit=name,
        marker=marker,
        hex=found.hex,
    )
    done = Examined(unit=name, examination=None)
    if wish:
        ctx.do(done, "ied.ricognizione#esplode", N_("detonate the IED"))
        reveal(ctx, marker, "ied.ricognizione#esplode")
        explode(ctx, marker, name, "ied.ricognizione#esplode")
    else:
        ctx.do(
            done,
            "ricognizione.marginale#ied" if found.revealed else "ricognizione.fallimento#tace",
            N_("nothing happens"),
        )
    finish_action(ctx)


def why_not_detonate(marker: Hidden, fire: bool) -> Iterator[Ruling]:
    """Only an IED goes off on command (ied.ricognizione)."""
    if fire and kind_of(marker) != IED:
        yield rule("ied.ricognizione#esplode", N_("{marker} is not an IED"), marker=marker.id)


# Clearing


def why_not_disarm(state: State, one: Unit) -> Iterator[Ruling]:
    """Engineers, not suppressed, beside a revealed IED or mine (bonifica.azione)."""
    if ENGINEERS not in one.values.icons:
        yield rule(
            ("bonifica.azione#genieri", "azioni.speciali#riservata"),
            N_("{unit} has no engineers"),
            unit=one.id,
        )
    yield from why_not_suppressed(one)
    yield from why_none(
        partial(why_not_disarm_marker, state, one),
        mines_near(state, one),
        ("bonifica.azione#adiacente", "arbitrato.bonifica_rivelato"),
        N_("no revealed IED or mine beside {unit}"),
        unit=one.id,
    )


def mines_near(state: State, one: Unit) -> list[Hidden]:
    """Markers of anybody beside a unit or under it."""
    around = field_of(state).around[one.hex]
    return [m for m in state.hidden.values() if m.hex in around or m.hex == one.hex]


def why_not_disarm_marker(state: State, one: Unit, marker: Hidden) -> Iterator[Ruling]:
    """Face up and adjacent (arbitrato.bonifica_rivelato)."""
    if not marker.revealed:
        yield rule(
            ("bonifica.azione#adiacente", "arbitrato.bonifica_rivelato"),
            N_("{marker} is face down: it takes recon first"),
            marker=marker.id,
        )
    if marker.hex == one.hex:
        yield rule("bonifica.azione#adiacente", N_("{marker} is not adjacent"), marker=marker.id)


def disarm(ctx: Ctx[State], name: str) -> None:
    """Light cost, engineers' die, table (bonifica.azione)."""
    state, one = ctx.state, ctx.state.units[name]
    field = field_of(state)
    marker = ctx.choose(
        "clearing.marker",
        one.side,
        [unit(m.id, m, hex=field.hex[m.hex]) for m in mines_near(state, one)],
        "bonifica.azione#adiacente",
        N_("What does {unit} disarm?"),
        why_not=lambda m: why_not_disarm_marker(state, one, m),
        unit=name,
    )
    refs = Steps("bonifica.azione#paga", "bonifica.azione#dado", "bonifica.azione#tira")
    result = special_test(ctx, name, ENGINEERS, refs, N_("{unit} disarms"))
    if result == CRITICAL_FAILURE:
        explode(
            ctx,
            marker.id,
            name,
            ("bonifica.test#esiti/Fallimento Critico", "arbitrato.bonifica_rivelato"),
        )
        return
    if result == FAILURE:
        ctx.cite("bonifica.test#esiti/Fallimento", N_("{marker} stays active"), marker=marker.id)
        return
    ctx.do(
        MarkerRemoved(marker=marker.id),
        ("bonifica.test#esiti/Successo Marginale", "arbitrato.sm_come_s")
        if result == MARGINAL
        else "bonifica.test#esiti/Successo Critico"
        if result == CRITICAL
        else "bonifica.test#esiti/Successo",
    )
    if result == CRITICAL and is_alive(ctx.state, name):
        free_move(ctx, name, "bonifica.test#esiti/Successo Critico")
