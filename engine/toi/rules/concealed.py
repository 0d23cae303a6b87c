"""Concealed squads (the chapter on concealed squads).

Refs: nascoste.preparazione, nascoste.no-veicoli, nascoste.immunita, nascoste.attraversamento,
nascoste.rivela-obiettivo, nascoste.rivela-visuale, nascoste.rivela-adiacente, limiti.componenti,
casa.16, casa.35.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.rules import Ruling, Side
from engine.core.text import N_
from engine.toi.rules.ground import ground, sees
from engine.toi.state import tables
from engine.toi.state.book import rule
from engine.toi.state.events import Revealed
from engine.toi.state.state import TRAP, US, State, Unit, enemy
from engine.toi.state.units import at, obstacles_at, on_map


def has_natural_cover(state: State, label: str) -> bool:
    """Terrain with cover, or smoke; fortifications do not conceal (casa.35)."""
    return label in state.smoke or ground(state).terrain[label].cover > 0


def why_not_conceal(state: State, unit: Unit) -> Iterator[Ruling]:
    """Why a unit may not get a concealed marker."""
    if not unit.is_squad:
        yield rule("nascoste.no-veicoli", N_("{unit} is a vehicle"), unit=unit.id)
    if unit.aboard or not unit.hex:
        yield rule(
            ("trasporto.a-bordo#fuori-plancia", "casa.20"),
            N_("{unit} is not on the map"),
            unit=unit.id,
        )
        return
    if unit.concealed:
        yield rule("nascoste.preparazione#segue", N_("{unit} is already concealed"), unit=unit.id)
    if unit.hex in state.objectives:
        yield rule("nascoste.rivela-obiettivo", N_("{hex} is an objective"), hex=unit.hex)
    if is_exposed(state, unit):
        yield rule(
            ("nascoste.rivela-visuale#rivelata", "casa.35"),
            N_("{unit} is in sight and without natural cover"),
            unit=unit.id,
        )
    yield from why_no_marker(state, unit.side)


def why_no_marker(state: State, side: Side) -> Iterator[Ruling]:
    """Each side has four concealed markers (limiti.componenti)."""
    limit = tables.COMPONENTS.concealed["us" if side == US else "de"]
    used = sum(one.concealed and one.side == side for one in state.units.values())
    if used >= limit:
        yield rule(
            ("limiti.componenti#elenco", "nascoste.preparazione#quattro"),
            N_("All {n} concealed markers are in use"),
            n=limit,
        )


def is_exposed(state: State, unit: Unit) -> bool:
    """In an enemy's sight without terrain cover (nascoste.rivela-visuale)."""
    if has_natural_cover(state, unit.hex):
        return False
    return any(
        sees(state, one.hex, unit.hex)
        for one in state.units.values()
        if one.hex and one.side != unit.side
    )


def look(ctx: Ctx[State]) -> None:
    """Reveal the concealed squads that are now seen, or stand on an objective."""
    for name in [unit.id for unit in ctx.state.units.values() if unit.concealed]:
        unit = ctx.state.units[name]
        if not unit.hex:
            continue
        if unit.hex in ctx.state.objectives:
            ctx.do(Revealed(unit=name), "nascoste.rivela-obiettivo")
        elif is_exposed(ctx.state, unit):
            built = unit.fort or TRAP in obstacles_at(ctx.state, unit.hex)
            ctx.do(
                Revealed(unit=name),
                ("nascoste.rivela-visuale#rivelata", "casa.35" if built else ""),
            )


def found_by_neighbours(ctx: Ctx[State]) -> None:
    """At the end of the Status Phase adjacent enemy squads reveal (nascoste.rivela-adiacente)."""
    near = ground(ctx.state).near
    for unit in [one for one in ctx.state.units.values() if one.concealed and one.hex]:
        if any(
            one.is_squad and one.side != unit.side
            for label in near[unit.hex]
            for one in at(ctx.state, label)
        ):
            ctx.do(Revealed(unit=unit.id), ("nascoste.rivela-adiacente#scopri", "casa.16"))


def is_adjacent_to_enemy(state: State, unit: Unit) -> bool:
    """Whether an enemy unit is in a neighbouring hex."""
    near = ground(state).near[unit.hex]
    return any(one.hex in near for one in on_map(state, enemy(unit.side)))
