"""Terrain: what it costs to enter, what it covers (the chapter on terrain).

Refs: terreno.lettura, terreno.libero, terreno.accidentato, terreno.bosco, terreno.strada,
terreno.fiume, terreno.lago, terreno.ponte, terreno.montagna, terreno.strapiombo,
terreno.edificio, miniature.camion.strada, casa.15, casa.22.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.rules import Ruling
from engine.core.text import N_
from engine.kit.modifiers import Modifier
from engine.toi.rules.ground import Ground, ground
from engine.toi.state.book import rule
from engine.toi.state.state import POINT, State, Unit
from engine.toi.state.units import has_trait

UPHILL = 2
CLIFF = 2

SQUADS, VEHICLES, TRUCKS = "squads", "vehicles", "trucks"

COST = {
    "open": "terreno.libero",
    "rough": "terreno.accidentato#costo",
    "woods": "terreno.bosco#costo",
    "building": "terreno.edificio#costo",
    "ford": "terreno.fiume#fiume/guadabile",
    "flooded river": "terreno.fiume#fiume/pieno",
    "deep river": "terreno.fiume#fiume/profondo",
    "lake": "terreno.lago#nessuna",
    "bridge": "terreno.ponte",
}
"""The rule of what it costs to enter each terrain, or that nobody may."""
COVER = {
    "rough": ("terreno.accidentato#copertura", "difesa.copertura#copertura/accidentato, ponte"),
    "woods": ("terreno.bosco#copertura", "difesa.copertura#copertura/bosco"),
    "building": ("terreno.edificio#copertura", "difesa.copertura#copertura/edificio"),
    "bridge": ("terreno.ponte", "difesa.copertura#copertura/accidentato, ponte"),
}
"""The rules of the cover that terrain gives."""


def mover(unit: Unit) -> str:
    """Who pays: squads, vehicles, or trucks, which are faster on roads."""
    if unit.is_squad:
        return SQUADS
    return TRUCKS if has_trait(unit, "road") else VEHICLES


def is_cliff(field: Ground, a: str, b: str) -> bool:
    """Two levels of difference make a cliff (terreno.strapiombo, casa.15)."""
    return abs(field.level[a] - field.level[b]) >= CLIFF


def along_road(field: Ground, a: str, b: str) -> bool:
    """Whether the step follows a road that helps: never into a building (terreno.edificio)."""
    return field.terrain[b].road_helps and field.has_road(a, b)


def entry_cost(field: Ground, who: str, a: str, b: str) -> int | None:
    """The thirds of a point to go from `a` to its neighbour `b`; None when nobody can."""
    key = (who, a, b)
    if key in field.costs:
        return field.costs[key]
    cost = field.costs[key] = _entry_cost(field, who, a, b)
    return cost


def _entry_cost(field: Ground, who: str, a: str, b: str) -> int | None:
    terrain = field.terrain[b]
    points = terrain.squads if who == SQUADS else terrain.vehicles
    if points is None or is_cliff(field, a, b):
        return None
    if along_road(field, a, b):
        return 1 if who == TRUCKS else POINT
    if field.level[b] > field.level[a]:
        points = max(points, UPHILL)
    return points * POINT


def cost_rules(field: Ground, who: str, a: str, b: str) -> tuple[str, ...]:
    """The rules that set the price of a step: a road, the slope, or the terrain (casa.22)."""
    terrain = field.terrain[b]
    own = COST[terrain.id]
    if along_road(field, a, b):
        if who == TRUCKS:
            return ("miniature.camion.strada#un-terzo",)
        return ("terreno.strada#stessa-strada", own if terrain.id == "bridge" else "")
    if field.level[b] > field.level[a]:
        plain = terrain.squads if who == SQUADS else terrain.vehicles
        if plain == 1:
            return ("terreno.montagna#collina/da un esagono più basso (salita)",)
        return ("terreno.montagna#piu-alto", "casa.22", own)
    if not field.level[b] or terrain.id != "open":
        return (own,)
    if field.level[b] == field.level[a]:
        return ("terreno.montagna#collina/dallo stesso livello",)
    return ("terreno.montagna#collina/da un esagono più alto (discesa)",)


def why_not_pass(field: Ground, unit: Unit, a: str, b: str) -> Iterator[Ruling]:
    """Why the ground between two neighbours cannot be crossed, points apart."""
    if is_cliff(field, a, b):
        yield rule(
            ("terreno.strapiombo", "casa.15#impedisce"), N_("A cliff between {a} and {b}"), a=a, b=b
        )
    terrain = field.terrain[b]
    if (terrain.squads if unit.is_squad else terrain.vehicles) is None:
        if terrain.id == "building":
            yield rule(
                "terreno.edificio#veicoli", N_("Vehicles never enter buildings: {hex}"), hex=b
            )
        elif terrain.id == "lake":
            yield rule("terreno.lago#nessuna", N_("Nobody enters a lake: {hex}"), hex=b)
        else:
            yield rule(
                "terreno.fiume#fiume/profondo"
                if terrain.id == "deep river"
                else "terreno.fiume#fiume/pieno",
                N_("{hex} cannot be forded: {terrain}"),
                hex=b,
                terrain=terrain.id,
            )


def terrain_cover(state: State, label: str) -> Iterator[Modifier]:
    """The cover of a hex's terrain (difesa.copertura)."""
    terrain = ground(state).terrain[label]
    if terrain.cover:
        found = rule(COVER[terrain.id], N_("{terrain}"), terrain=terrain.id)
        yield Modifier(terrain.cover, found)
