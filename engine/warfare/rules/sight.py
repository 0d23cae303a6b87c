"""Chapter 2: lines of sight, five golden rules, and what blocks at the same level.

Refs: warfare:los.*, fumogeni.effetto, ignoti.los, fortificazioni.los, elicotteri.bassa,
elicotteri.alta, arbitrato.stesso_livello, arbitrato.los_popolazione, arbitrato.fumo_adiacente,
arbitrato.alta_fumo.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.rules import Ruling
from engine.core.text import N_
from engine.warfare.rules.helicopters import is_high
from engine.warfare.state.book import rule
from engine.warfare.state.setting import field_of
from engine.warfare.state.state import State, Unit, is_regular, unit_at
from engine.warfare.state.tables import FORTIFICATION, Field


def why_not_visible(
    state: State, field: Field, a: str, b: str, *, regular: bool, is_high: bool = False
) -> Iterator[Ruling]:
    """What blocks the line from the centre of `a` to the centre of `b`, smoke on the way included.

    `is_high` is true when one end is a helicopter or aircraft flying high.
    """
    line = field.line(a, b)
    if not line.touched:
        return
    if state.smoke:
        for hex in line.touched:
            if hex in state.smoke:
                yield rule(
                    (
                        "los.fumo#blocca",
                        "fumogeni.effetto#vieta",
                        "los.tocco#contatto",
                        "arbitrato.alta_fumo",
                    )
                    if is_high
                    else ("los.fumo#blocca", "fumogeni.effetto#vieta", "los.tocco#contatto"),
                    N_("smoke in {hex} blocks the line"),
                    hex=hex,
                )
    if is_high:
        return
    if line.wall:
        yield rule(
            ("los.regola2" if line.wall_rule == 2 else "los.regola3", "los.tocco#contatto"),
            N_("{hex} is higher than both ends")
            if line.wall_rule == 2
            else N_("{hex} is higher than one end and as high as the other"),
            hex=line.wall,
        )
    if line.cover_level:
        hex = line.cover_level
        is_fort = field.terrain[hex] == FORTIFICATION
        yield rule(
            ("fortificazioni.los", "los.stesso_livello#copertura", "los.tocco#contatto")
            if is_fort
            else ("los.copertura#livello", "los.stesso_livello#copertura", "los.tocco#contatto"),
            N_("{hex} is cover at the same level as both ends"),
            hex=hex,
        )
    for hex in line.level_with_both:
        yield from _level_blockers(state, hex, regular)


def _level_blockers(state: State, hex: str, regular: bool) -> Iterator[Ruling]:
    """Units, roadblocks, rubble and, for Regulars, population (los.stesso_livello)."""
    unit = unit_at(state, hex)
    if unit is not None and not unit.is_helicopter:
        yield rule(
            ("los.unita", "los.stesso_livello#unita", "arbitrato.stesso_livello"),
            N_("{unit} in {hex} blocks the line"),
            unit=unit.id,
            hex=hex,
        )
    if hex in state.roadblocks or hex in state.rubble:
        yield rule(
            ("los.blocchi_macerie", "los.stesso_livello#blocco"),
            N_("a roadblock or rubble in {hex} blocks the line"),
            hex=hex,
        )
    if regular and any(p.hex == hex for p in state.population.values()):
        yield rule(
            (
                "los.popolazione#blocca",
                "los.stesso_livello#popolazione",
                "arbitrato.los_popolazione",
            ),
            N_("population in {hex} blocks the line of Regulars"),
            hex=hex,
        )


def why_not_smoke_free(state: State, *hexes: str, also: str = "") -> Iterator[Ruling]:
    """No fire into or out of smoke, not even next to it (fumogeni.effetto, and `also`)."""
    for hex in hexes:
        if hex in state.smoke:
            yield rule(
                ("fumogeni.effetto#vieta", "los.fumo#estremi", "arbitrato.fumo_adiacente", also),
                N_("{hex} is full of smoke"),
                hex=hex,
            )


def why_not_seen(state: State, firer: Unit, target: Unit) -> Iterator[Ruling]:
    """What stands between two units."""
    field = field_of(state)
    return why_not_visible(
        state,
        field,
        firer.hex,
        target.hex,
        regular=is_regular(state, firer.side),
        is_high=is_high(field, firer) or is_high(field, target),
    )


def can_see(state: State, unit: Unit, hex: str) -> bool:
    """Whether a unit sees a hex on the ground, smoke in it included."""
    field = field_of(state)
    if state.smoke and (hex in state.smoke or unit.hex in state.smoke):
        return False
    regular, high = is_regular(state, unit.side), is_high(field, unit)
    blocked = why_not_visible(state, field, unit.hex, hex, regular=regular, is_high=high)
    return next(blocked, None) is None


def why_not_observed(state: State, unit: Unit, hex: str) -> Iterator[Ruling]:
    """What hides a hex on the ground from a unit, smoke at both ends included."""
    field = field_of(state)
    yield from why_not_smoke_free(state, hex, unit.hex)
    regular, high = is_regular(state, unit.side), is_high(field, unit)
    yield from why_not_visible(state, field, unit.hex, hex, regular=regular, is_high=high)
