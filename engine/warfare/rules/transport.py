"""Chapter 1: transport.

Refs: warfare:trasporto.*, azioni.abilita, stacking.trasporto, arbitrato.carico,
arbitrato.carico_soppresso, arbitrato.ostaggi_carico, ostaggi.liberazione.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, unit
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.warfare.rules.morale import lose_overwatch, show_use, why_not_suppressed
from engine.warfare.rules.movement import begin_march, is_taken, save_civilians, why_not_enter
from engine.warfare.rules.track import pay_one
from engine.warfare.state.book import rule, why_none
from engine.warfare.state.events import Loaded, OverwatchLost, PeopleLoaded, PeopleMoved
from engine.warfare.state.setting import field_of, spots_around
from engine.warfare.state.state import (
    CIVILIANS,
    March,
    Population,
    State,
    Unit,
    are_enemies,
    civilians_aboard,
    on_map,
    passenger_of,
    unit_at,
)
from engine.warfare.state.tables import TRANSPORT, WATER

Cargo = Unit | Population


def why_not_transport(carrier: Unit) -> Iterator[Ruling]:
    """A vehicle with the icon, not suppressed (trasporto.abilita)."""
    if TRANSPORT not in carrier.values.abilities:
        text = N_("{unit} has no Transport icon: it cannot carry anybody")
        yield rule("trasporto.abilita#icona", text, unit=carrier.id)
    yield from why_not_suppressed(carrier)


def why_not_load(state: State, carrier: Unit) -> Iterator[Ruling]:
    """Room aboard and somebody near (trasporto.carico)."""
    yield from why_not_transport(carrier)
    cargo = passenger_of(state, carrier.id) or civilians_aboard(state, carrier.id)
    if cargo is not None:
        yield rule(
            "trasporto.carico#una",
            N_("{unit} carries {cargo} already"),
            unit=carrier.id,
            cargo=cargo.id,
        )
    yield from why_none(
        partial(why_not_board, state, carrier),
        cargo_near(state, carrier),
        "trasporto.carico#adiacente",
        N_("nobody near {unit} can go aboard"),
        unit=carrier.id,
    )


def cargo_near(state: State, carrier: Unit) -> list[Cargo]:
    """Own units next to the vehicle, population next to it or with it."""
    around = field_of(state).around[carrier.hex]
    units = [u for u in on_map(state) if u.side == carrier.side and u.hex in around]
    people = [p for p in state.population.values() if p.hex == carrier.hex or p.hex in around]
    return [*units, *people]


def why_not_board(state: State, carrier: Unit, cargo: Cargo) -> Iterator[Ruling]:
    """One infantry unit or one civilians marker, across an open side (trasporto.carico)."""
    if isinstance(cargo, Population):
        if cargo.face != CIVILIANS:
            yield rule(
                "trasporto.carico#esclusi", N_("a hostile crowd is not carried"), marker=cargo.id
            )
        yield from why_not_freed(state, carrier, cargo)
    else:
        if not cargo.is_infantry:
            yield rule("trasporto.carico#esclusi", N_("{cargo} is not infantry"), cargo=cargo.id)
        yield from why_not_suppressed(cargo, "arbitrato.carico_soppresso")
    if field_of(state).has_triangles(cargo.hex, carrier.hex):
        yield rule(
            "fortificazioni.lati#lato",
            N_("triangles between {a} and {b}"),
            a=cargo.hex,
            b=carrier.hex,
        )


def why_not_freed(state: State, carrier: Unit, people: Population) -> Iterator[Ruling]:
    """Who shares its hex with an enemy is a hostage until an assault (arbitrato.ostaggi_carico)."""
    holder = unit_at(state, people.hex)
    if holder is not None and are_enemies(state, holder.side, carrier.side):
        yield rule(
            ("ostaggi.liberazione#libera", "arbitrato.ostaggi_carico#mano"),
            N_("{holder} holds {marker} in {hex}: an assault must free it first"),
            holder=holder.id,
            marker=people.id,
            hex=people.hex,
        )


def load(ctx: Ctx[State], name: str) -> None:
    """1 AP: infantry or civilians go aboard (trasporto.carico)."""
    state, carrier = ctx.state, ctx.state.units[name]
    field = field_of(state)
    offers: list[Choice[Cargo]] = [
        unit(c.id, c, hex=field.hex[c.hex]) for c in cargo_near(state, carrier)
    ]
    cargo = ctx.choose(
        "transport.load",
        carrier.side,
        offers,
        "trasporto.carico#adiacente",
        N_("Who goes aboard {unit}?"),
        why_not=lambda c: why_not_board(state, carrier, c),
        unit=name,
    )
    show_use(ctx, name)
    pay_one(ctx, name, carrier.side, ("trasporto.abilita#costa", "azioni.abilita#fisso"))
    lose_overwatch(ctx, name)
    if isinstance(cargo, Population):
        ctx.do(PeopleLoaded(marker=cargo.id, carrier=name), "trasporto.carico#una")
        save_civilians(ctx, name, "")
        return
    if cargo.overwatch:
        ctx.do(OverwatchLost(unit=cargo.id), ("arbitrato.carico", "overwatch.fine#bordo"))
    ctx.do(Loaded(unit=cargo.id, carrier=name), ("trasporto.carico#una", "stacking.trasporto"))


def why_not_unload(state: State, carrier: Unit) -> Iterator[Ruling]:
    """Somebody aboard and a legal hex beside (trasporto.scarico)."""
    yield from why_not_transport(carrier)
    cargo = passenger_of(state, carrier.id) or civilians_aboard(state, carrier.id)
    if cargo is None:
        yield rule("trasporto.scarico#legale", N_("{unit} carries nobody"), unit=carrier.id)
        return
    yield from why_none(
        partial(why_not_alight, state, carrier, cargo),
        field_of(state).around[carrier.hex],
        "trasporto.scarico#legale",
        N_("no hex beside {unit} is legal"),
        unit=carrier.id,
    )


def why_not_alight(state: State, carrier: Unit, cargo: Cargo, hex: str) -> Iterator[Ruling]:
    """Where the cargo may get off (trasporto.scarico)."""
    field = field_of(state)
    if isinstance(cargo, Unit):
        if is_taken(state, cargo, hex):
            yield rule(
                "stacking.limite#una", N_("{other} stands in {hex}"), other=state.at[hex], hex=hex
            )
        yield from why_not_enter(state, field, cargo, carrier.hex, hex)
        return
    if field.terrain[hex] == WATER:
        yield rule("trasporto.scarico#legale", N_("{hex} is water"), hex=hex)
    if hex in state.roadblocks or hex in state.rubble:
        yield rule("trasporto.scarico#legale", N_("{hex} is blocked"), hex=hex)
    if field.has_triangles(carrier.hex, hex):
        yield rule("fortificazioni.lati#lato", N_("the side towards {hex} has triangles"), hex=hex)


def unload(ctx: Ctx[State], name: str) -> None:
    """1 AP: the cargo enters an adjacent hex (trasporto.scarico)."""
    state, carrier = ctx.state, ctx.state.units[name]
    cargo = passenger_of(state, name) or civilians_aboard(state, name)
    assert cargo is not None
    hex = ctx.choose(
        "transport.unload",
        carrier.side,
        spots_around(state, carrier.hex),
        "trasporto.scarico#legale",
        N_("Where does {cargo} get off?"),
        why_not=lambda label: why_not_alight(state, carrier, cargo, label),
        cargo=cargo.id,
    )
    show_use(ctx, name)
    pay_one(ctx, name, carrier.side, ("trasporto.abilita#costa", "azioni.abilita#fisso"))
    lose_overwatch(ctx, name)
    if isinstance(cargo, Population):
        ctx.do(PeopleMoved(marker=cargo.id, hex=hex), "trasporto.scarico#legale")
        return
    ctx.cite("trasporto.subito", N_("{unit} may move at once"), unit=cargo.id)
    march = March(cargo.id, (carrier.hex,), (hex,), carrier=name, is_free=True)
    begin_march(ctx, march, ("trasporto.scarico#entra", "arbitrato.ingressi"))
