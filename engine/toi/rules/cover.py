"""Cover and armor: the red dice (combat, the chapter on defence).

Refs: attacco.2-difesa, difesa.copertura, difesa.blindatura, difesa.riduzioni, miniature.elite,
miniature.ufficiale.determinazione, specializzazioni.medico.bendaggio, fortificazioni.trincea,
fortificazioni.bunker, ostacoli.frisia-copertura, fumo.blocca, conflitti.fumo-sempre, casa.36.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.rules import Ruling
from engine.core.text import N_
from engine.kit.modifiers import Modifier
from engine.toi.rules.ground import ground
from engine.toi.rules.hq import lasting
from engine.toi.rules.suppression import NORMAL_ATTACK
from engine.toi.rules.terrain import terrain_cover
from engine.toi.state import tables
from engine.toi.state.book import rule
from engine.toi.state.state import BUNKER, INTACT, MEDIC, SMOKE, TRAP, TRENCH, State, Unit
from engine.toi.state.units import (
    aboard_at,
    at,
    fort_kind,
    has_officer,
    is_vehicle,
    make,
    obstacles_at,
    officer_at,
    operation,
    skill,
    type_of,
)

FLAME_COVER = -5


def hex_cover(state: State, label: str) -> Iterator[Modifier]:
    """Terrain and smoke: they cover every unit of the hex (difesa.copertura)."""
    yield from terrain_cover(state, label)
    if label in state.smoke:
        yield Modifier(
            tables.MARKERS[SMOKE].cover,
            rule(
                (
                    "fumo.blocca#copertura",
                    "difesa.copertura#copertura/fumo",
                    "conflitti.fumo-sempre",
                ),
                N_("smoke in {hex}"),
                hex=label,
            ),
        )


def shelter(state: State, unit: Unit) -> Iterator[Modifier]:
    """The trench or bunker a squad is in."""
    kind = fort_kind(state, unit)
    if kind == TRENCH:
        found = rule(
            (
                "fortificazioni.trincea#copertura",
                "difesa.copertura#copertura/trincea (squadra dentro)",
            ),
            N_("{unit} in a trench"),
            unit=unit.id,
        )
        yield Modifier(tables.MARKERS[TRENCH].cover, found)
    elif kind == BUNKER:
        found = rule(
            (
                "fortificazioni.bunker#copertura",
                "difesa.copertura#copertura/bunker (squadra dentro)",
            ),
            N_("{unit} in a bunker"),
            unit=unit.id,
        )
        yield Modifier(tables.MARKERS[BUNKER].cover, found)


def traps(state: State, label: str) -> Iterator[Modifier]:
    """Tank traps cover squads (ostacoli.frisia-copertura)."""
    if TRAP in obstacles_at(state, label):
        found = rule("ostacoli.frisia-copertura#squadre", N_("tank traps in {hex}"), hex=label)
        yield Modifier(tables.MARKERS[TRAP].cover, found)


def bandages(state: State, unit: Unit) -> Iterator[Modifier]:
    """Medics cover their hex against normal attacks (specializzazioni.medico.bendaggio)."""
    here = at(state, unit.hex)
    if any(one.side == unit.side and skill(one) == MEDIC for one in here):
        found = rule(
            "specializzazioni.medico.bendaggio#copertura", N_("{unit}: medics"), unit=unit.id
        )
        yield Modifier(1, found)


def nerves(state: State, unit: Unit) -> Iterator[Modifier]:
    """Elite figures and officers harden squads against suppression."""
    elites = make(unit.figures).elites
    if elites:
        found = rule(
            ("miniature.elite#resistenza", "casa.01"),
            N_("{unit}: {n} elite figures"),
            unit=unit.id,
            n=elites,
        )
        yield Modifier(elites, found)
    reached = officer_at(state, unit.hex, unit.side)
    wide = None
    if not reached and (wide := lasting(state, unit, "wide_determination")):
        field = ground(state)
        reached = any(officer_at(state, near, unit.side) for near in field.near[unit.hex])
    if not reached:
        return
    refs = (
        "miniature.ufficiale.determinazione#copertura",
        "casa.32" if make(unit.figures).officers else "",
    )
    if wide:
        found = rule(
            (*refs, "strategia.area-di-gioco#restano"),
            N_("{unit}: an officer in an adjacent hex, {card}"),
            unit=unit.id,
            card=wide.id,
            **tables.doubt(wide.provenance),
        )
    else:
        found = rule(refs, N_("{unit}: an officer"), unit=unit.id)
    yield Modifier(1, found)
    if stronger := operation(state, unit.side, "inspiring_leaders"):
        found = rule(
            "operazioni.generale#regola",
            N_("{card}"),
            card=stronger.id,
            **tables.doubt(stronger.provenance),
        )
        yield Modifier(stronger.n - 1, found)


def cover(state: State, unit: Unit, kind: str) -> Iterator[Modifier]:
    """All the cover of one target against one type of attack; sources add up."""
    yield from hex_cover(state, unit.hex)
    if not unit.is_squad:
        return
    yield from shelter(state, unit)
    yield from traps(state, unit.hex)
    if kind == NORMAL_ATTACK:
        yield from bandages(state, unit)
    else:
        yield from nerves(state, unit)


def no_help(state: State, unit: Unit, kind: str) -> Iterator[Ruling]:
    """Medics or officers who would cover the target if they were not aboard (casa.20)."""
    riders = aboard_at(state, unit.hex, unit.side) if unit.is_squad else []
    refs = ("casa.20", "trasporto.a-bordo#fuori-plancia")
    if not riders:
        return
    if kind == NORMAL_ATTACK:
        if any(skill(one) == MEDIC for one in riders) and not any(bandages(state, unit)):
            yield rule(refs, N_("{unit}: the medics aboard do not count"), unit=unit.id)
    elif any(map(has_officer, riders)) and not officer_at(state, unit.hex, unit.side):
        yield rule(refs, N_("{unit}: the officer aboard does not count"), unit=unit.id)


def armor(unit: Unit, *, covered: bool = False) -> Iterator[Modifier]:
    """A vehicle's armor, less 1 when damaged (difesa.blindatura); what covers it adds up."""
    if not is_vehicle(unit):
        return
    value = type_of(unit).armor
    if value:
        found = rule(
            ("difesa.blindatura#aggiunge", "casa.36" if covered else ""),
            N_("armor of {unit}"),
            unit=unit.id,
            **tables.doubt(type_of(unit).source("blindatura")),
        )
        yield Modifier(value, found)
        if unit.damage != INTACT:
            yield Modifier(
                -1,
                rule(
                    ("danni.lieve#lieve" if unit.damage == "light" else "danni.grave#blindatura"),
                    N_("{unit} is damaged"),
                    unit=unit.id,
                ),
            )
