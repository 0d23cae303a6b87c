"""Mortars: indirect fire on a hex (miniatures, «mortar squad»).

Refs: miniature.mortaio.azioni, miniature.mortaio.area, miniature.mortaio.soglia,
miniature.mortaio.balistico, miniature.mortaio.edifici, miniature.mortaio.minima,
miniature.mortaio.no-misto, miniature.mortaio.insieme, faq.disgregate-mortai,
squadre-gioco.visuale, casa.18, casa.19, casa.52, casa.55.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button
from engine.core.decisions import unit as unit_choice
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.kit.modifiers import Modifier, add_all
from engine.toi.rules.area import area_attack
from engine.toi.rules.combined import pay_other_division, why_not_join
from engine.toi.rules.fire import halve, reveal_shooters
from engine.toi.rules.ground import ground, sees
from engine.toi.rules.suppression import NORMAL_ATTACK, SUPPRESSIVE
from engine.toi.rules.targets import (
    BAND,
    HEIGHT,
    LONG,
    MORTARS,
    NEED,
    Aim,
    band_of,
    clear_sight,
    halved_twice,
    halvings,
    no_sight,
    why_not_attack,
)
from engine.toi.state import tables
from engine.toi.state.book import because, rule
from engine.toi.state.events import Fatigued
from engine.toi.state.state import BUNKER, CONCENTRATED, FATIGUED, NORMAL, WIRE, State, Unit
from engine.toi.state.units import by_hex, fort_kind, is_team, make, on_map, seat_of

MINIMUM = 2


def mortar_range(state: State, unit: Unit, label: str) -> int:
    """The mortar's range, longer from above (miniature.mortaio.soglia)."""
    weapon = tables.UNITS[make(unit.figures).mortars[0]].suppressive
    assert weapon is not None
    level = ground(state).level
    return weapon.range + (HEIGHT if level[unit.hex] > level[label] else 0)


def spotter(state: State, unit: Unit, label: str) -> Unit | None:
    """A squad that sees the hex for a mortar: itself, or a friend not fatigued (casa.18)."""
    if sees(state, unit.hex, label):
        return unit
    seat = seat_of(state, unit)
    for friend in on_map(state, unit.side):
        if not friend.is_squad or friend.activation == FATIGUED or friend.id == unit.id:
            continue
        if seat_of(state, friend) == seat and sees(state, friend.hex, label):
            return friend
    return None


def why_not_shell(
    state: State, unit: Unit, label: str, *, supports: bool = False
) -> Iterator[Ruling]:
    """Why the mortars of a squad may not attack a hex."""
    yield from why_not_attack(state, unit, CONCENTRATED)
    if unit.aboard:
        return
    if not make(unit.figures).mortars:
        yield rule(
            ("miniature.mortaio.no-misto#fra-unita", "miniature.mortaio.insieme#altri"),
            N_("{unit} has no mortar: only mortars fire together"),
            unit=unit.id,
        )
        return
    yield from why_not_from(state, unit)
    yield from why_not_lob(state, unit, label)
    if spotter(state, unit, label) is None:
        yield because(
            (
                "miniature.mortaio.balistico#impossibile",
                "casa.18",
                "squadre-gioco.visuale" if is_team(state, unit.side) else "",
            ),
            (no_sight(state, unit.hex, label),),
            N_("Nobody who is not fatigued sees {hex} for {unit}"),
            hex=label,
            unit=unit.id,
        )
    causes = tuple(halvings(state, unit, CONCENTRATED, supports))
    if len(causes) > 1:
        yield halved_twice(unit, causes)


def why_not_from(state: State, unit: Unit) -> Iterator[Ruling]:
    """Mortars never fire from buildings and bunkers (miniature.mortaio.edifici)."""
    if ground(state).terrain[unit.hex].id == "building":
        yield rule(
            "miniature.mortaio.edifici#vietato",
            N_("{unit}: no mortar fire from buildings"),
            unit=unit.id,
        )
    if fort_kind(state, unit) == BUNKER:
        yield rule(
            "miniature.mortaio.edifici#vietato",
            N_("{unit}: no mortar fire from bunkers"),
            unit=unit.id,
        )


def why_not_lob(state: State, unit: Unit, label: str) -> Iterator[Ruling]:
    """Not too near, not too far (miniature.mortaio.minima, raggio.fuori)."""
    far = ground(state).distance(unit.hex, label)
    if far < MINIMUM:
        yield rule(
            "miniature.mortaio.minima",
            N_("{unit}: {hex} is nearer than {n} hexes"),
            unit=unit.id,
            hex=label,
            n=MINIMUM,
        )
    reach = mortar_range(state, unit, label)
    if not band_of(far, reach):
        yield rule(
            "raggio.fuori",
            N_("{unit} reaches {reach}, {hex} is {distance} away"),
            unit=unit.id,
            reach=2 * reach,
            hex=label,
            distance=far,
        )


def shell_targets(state: State, unit: Unit) -> list[str]:
    """The hexes worth shelling: those with an enemy that can be hit, or with wire (casa.55)."""
    if not unit.is_squad or not make(unit.figures).mortars:
        return []
    hexes = [
        label
        for label, here in by_hex(state.units).items()
        if any(one.side != unit.side and not one.concealed for one in here)
    ]
    wired = [label for label, kinds in state.obstacles.items() if WIRE in kinds]
    return list(dict.fromkeys((*hexes, *wired)))


def has_shell_target(state: State, unit: Unit) -> bool:
    """Whether the mortars of a squad can attack some hex."""
    return any(
        next(why_not_shell(state, unit, label), None) is None
        for label in shell_targets(state, unit)
    )


def shell(ctx: Ctx[State], name: str, label: str, whole: int = 0) -> tuple[str, ...]:
    """Mortars attack a hex, normal or suppressive, in one roll (miniature.mortaio.area).

    The units that took part.
    """
    state = ctx.state
    lead = state.units[name]
    cite_spotter(ctx, lead, label)
    supports = _gather(ctx, lead, label, whole)
    kind = _choose_kind(ctx, lead)
    aims = [
        _aim(state, state.units[one], label, kind, n, whole)
        for n, one in enumerate((name, *supports))
    ]
    total = 0
    for one in aims:
        dice = ctx.tally(N_("Firepower"))
        add_all(dice, one.power)
        if one.halved:
            halve(dice, one.unit, one.halved[0])
        total += int(dice.total)
    worst = max(aims, key=lambda one: one.band)
    ctx.cite(
        (
            "miniature.mortaio.soglia#lungo"
            if worst.band == LONG
            else "miniature.mortaio.soglia#normale",
            "casa.52#peggiore" if supports else "",
        ),
        N_("{unit} is {distance} hexes away: {band}"),
        unit=worst.unit,
        distance=worst.distance,
        band=BAND[worst.band].msg.id,
    )
    hits = area_attack(ctx, label, total, kind, NEED[worst.band])
    reveal_shooters(ctx, tuple(aims), hits)
    for mate in supports:
        if mate in ctx.state.units:
            ctx.do(Fatigued(unit=mate), "fuoco-combinato.affatica#tutte")
    return (name, *supports)


def cite_spotter(ctx: Ctx[State], lead: Unit, label: str) -> None:
    """Who sees the hex: the mortars themselves, or somebody for them (casa.18)."""
    eye = spotter(ctx.state, lead, label)
    if eye is None:
        return
    ctx.cite(clear_sight(ctx.state, eye.hex, label))
    if eye.id != lead.id:
        shaken = eye.condition != NORMAL
        ctx.cite(
            (
                "miniature.mortaio.balistico#basta",
                "casa.18",
                *(("faq.disgregate-mortai#osserva", "casa.19") if shaken else ()),
            ),
            N_("{unit} sees {hex} for {lead}"),
            unit=eye.id,
            hex=label,
            lead=lead.id,
        )


def _aim(state: State, unit: Unit, label: str, kind: str, position: int, whole: int) -> Aim:
    made = make(unit.figures)
    line = tables.UNITS[made.mortars[0]]
    weapon = line.suppressive if kind == SUPPRESSIVE else line.normal
    assert weapon is not None
    found = rule(
        (
            "miniature.mortaio.area#mortaio/soppressivo"
            if kind == SUPPRESSIVE
            else "miniature.mortaio.area#mortaio/normale",
            "miniature.mortaio.insieme#due" if len(made.mortars) > 1 else "",
        ),
        N_("{unit}: {n} × {figure}"),
        unit=unit.id,
        n=len(made.mortars),
        figure=line.id,
        **tables.doubt(line.source("soppressivo" if kind == SUPPRESSIVE else "normale")),
    )
    supports = position > 0 and position > whole
    return Aim(
        unit.id,
        MORTARS,
        made.mortars,
        ground(state).distance(unit.hex, label),
        mortar_range(state, unit, label),
        (Modifier(weapon.power * len(made.mortars), found),),
        (),
        tuple(halvings(state, unit, CONCENTRATED, supports)),
    )


def _choose_kind(ctx: Ctx[State], lead: Unit) -> str:
    choices: list[Choice[str]] = [
        button("normale", NORMAL_ATTACK, N_("Normal attack")),
        button("soppressivo", SUPPRESSIVE, N_("Suppressive attack")),
    ]
    kind = ctx.choose(
        "fire.kind",
        seat_of(ctx.state, lead),
        choices,
        ("attacco.3-tipo#dichiari", "miniature.mortaio.area#griglia"),
        N_("{unit}: normal or suppressive attack?"),
        unit=lead.id,
    )
    ctx.cite("attacco.3-tipo#dichiari", N_("{unit} declares: {kind}"), unit=lead.id, kind=kind)
    return kind


def _gather(ctx: Ctx[State], lead: Unit, label: str, whole: int) -> tuple[str, ...]:
    """Other ready mortars may support (miniature.mortaio.insieme)."""
    state = ctx.state
    hexes = ground(state).hex
    pool = [
        unit
        for unit in on_map(state, lead.side)
        if unit.id != lead.id and unit.is_squad and make(unit.figures).mortars
    ]
    found: list[str] = []

    def why_not(name: str) -> Iterator[Ruling]:
        if not name:
            return
        unit = state.units[name]
        yield from why_not_join(state, lead, unit, CONCENTRATED)
        yield from why_not_shell(state, unit, label, supports=len(found) >= whole)

    while True:
        left = [unit for unit in pool if unit.id not in found]
        if not any(next(why_not(unit.id), None) is None for unit in left):
            break
        choices: list[Choice[str]] = [
            unit_choice(unit.id, unit.id, hex=hexes[unit.hex]) for unit in left
        ]
        choices.append(button("fuoco", "", N_("No more support: fire")))
        name = ctx.choose(
            "mortars.support",
            seat_of(state, lead),
            choices,
            ("miniature.mortaio.insieme#altri", "fuoco-combinato.quando#dichiari"),
            N_("{unit} shells {hex}: which mortars support?"),
            why_not=why_not,
            unit=lead.id,
            hex=label,
        )
        if not name:
            break
        found.append(name)
        ctx.cite(
            ("miniature.mortaio.insieme#altri", "casa.52#meta", "azione.supporta#concentrato"),
            N_("{unit} supports {lead}"),
            unit=name,
            lead=lead.id,
        )
    pay_other_division(ctx, lead, [state.units[name] for name in found])
    return tuple(found)
