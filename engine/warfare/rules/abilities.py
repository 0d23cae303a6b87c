"""Chapter 5: squad drones and airborne units. Stealth and amphibious are part of movement.

Refs: warfare:droni_squadra.abilita, aviotrasporto.*, azioni.abilita, arbitrato.lancio_attivo,
arbitrato.aviotrasporto_riserva.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.warfare.rules.morale import lose_overwatch, show_use, why_not_suppressed
from engine.warfare.rules.movement import begin_march, why_not_land
from engine.warfare.rules.track import pay_one
from engine.warfare.state.book import rule
from engine.warfare.state.events import OverwatchLost
from engine.warfare.state.generator import PREFIX
from engine.warfare.state.setting import field_of, scenario_of, spots
from engine.warfare.state.state import March, State, Unit, are_enemies, on_map
from engine.warfare.state.tables import SQUAD_DRONES

REACH = 2


def why_not_squad_drones(state: State, one: Unit) -> Iterator[Ruling]:
    """The ability, not suppressed, something to remove (droni_squadra.abilita)."""
    if SQUAD_DRONES not in one.values.abilities:
        yield rule("droni_squadra.abilita#toglie", N_("{unit} has no squad drones"), unit=one.id)
    yield from why_not_suppressed(one)
    if not watchers_near(state, one):
        yield rule(
            "droni_squadra.abilita#toglie",
            N_("no enemy overwatch within {range} hexes of {unit}"),
            range=REACH,
            unit=one.id,
        )


def watchers_near(state: State, one: Unit) -> list[Unit]:
    """Enemies in overwatch within two hexes."""
    field = field_of(state)
    return [
        u
        for u in on_map(state)
        if u.overwatch
        and are_enemies(state, u.side, one.side)
        and field.distance(u.hex, one.hex) <= REACH
    ]


def use_squad_drones(ctx: Ctx[State], name: str) -> None:
    """1 AP: every enemy overwatch within two hexes goes (droni_squadra.abilita)."""
    one = ctx.state.units[name]
    show_use(ctx, name)
    pay_one(ctx, name, one.side, ("droni_squadra.abilita#toglie", "azioni.abilita#fisso"))
    lose_overwatch(ctx, name)
    for other in watchers_near(ctx.state, one):
        ctx.do(OverwatchLost(unit=other.id), "droni_squadra.abilita#toglie")


# Airborne


def why_not_drop(state: State, one: Unit) -> Iterator[Ruling]:
    """Only a unit kept out of the set-up (aviotrasporto.abilita)."""
    if scenario_of(state).chapter < 5:
        yield rule(
            scenario_of(state).says("chapters"),
            N_("airborne units belong to chapter {chapter}"),
            chapter=5,
        )


def drop(ctx: Ctx[State], name: str) -> None:
    """1 AP: the unit lands, and that is entering a hex (aviotrasporto.abilita)."""
    state, one = ctx.state, ctx.state.units[name]
    hex = ctx.choose(
        "airborne.hex",
        one.side,
        spots(field_of(state)).values(),
        (
            "aviotrasporto.abilita#lancio",
            "arbitrato.lancio_attivo",
            "arbitrato.aviotrasporto_riserva" if state.scenario.startswith(PREFIX) else "",
        ),
        N_("Where does {unit} land?"),
        why_not=lambda label: why_not_land(state, one, label),
        unit=name,
    )
    show_use(ctx, name)
    pay_one(ctx, name, one.side, ("aviotrasporto.abilita#lancio", "azioni.abilita#fisso"))
    ctx.cite("aviotrasporto.una_volta", N_("{unit} will not be dropped again"), unit=name)
    begin_march(
        ctx, March(name, (), (hex,)), ("aviotrasporto.abilita#ingresso", "arbitrato.ingressi")
    )
