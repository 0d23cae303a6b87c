"""Target and range: who can fire at what, how far, with how much (combat, first chapter).

Refs: combattimento.griglia, combattimento.bersaglio, combattimento.requisiti, combattimento.miste,
raggio.distanza, raggio.ravvicinato, raggio.normale, raggio.lungo, raggio.fuori, raggio.mista,
raggio.effetti, raggio.altezza, raggio.livelli, modificatori.ordine,
modificatori.dimezza-una-volta, modificatori.arrotonda.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from engine.core.rules import Ruling
from engine.core.text import N_
from engine.kit.modifiers import Modifier
from engine.toi.rules import sight
from engine.toi.rules.ground import Ground, fog, ground, sees
from engine.toi.state import tables
from engine.toi.state.book import because, rule
from engine.toi.state.state import (
    ANTI_TANK,
    BUNKER,
    CONCENTRATED,
    DISRUPTED,
    FIRE_MOVE,
    FLAMETHROWER,
    HEAVY,
    MINES,
    NORMAL,
    PINNED,
    WIRE,
    State,
    Unit,
)
from engine.toi.state.tables import doubt
from engine.toi.state.units import (
    aboard_at,
    fort_kind,
    has_officer,
    has_trait,
    is_vehicle,
    make,
    obstacles_at,
    officer_at,
    operation,
    skill,
    type_of,
)

CLOSE, STANDARD, LONG = 1, 2, 3
BAND = {
    CLOSE: rule("raggio.ravvicinato#adiacente", N_("close range")),
    STANDARD: rule("raggio.normale#fascia", N_("normal range")),
    LONG: rule("raggio.lungo#fascia", N_("long range")),
}
NEED = {CLOSE: 4, STANDARD: 5, LONG: 6}

WHOLE, RIFLES, GUNS, MORTARS = N_("whole"), N_("rifles"), N_("machine guns"), N_("mortars")

ANTI_TANK_RANGE, ANTI_TANK_POWER = 3, 3
FLAME_POWER = 2
CONCUSSIVE = 3
HEIGHT = 1


class Aim(msgspec.Struct, frozen=True):
    """What one unit brings to one attack: its figures, its range and its dice."""

    unit: str
    group: str
    figures: tuple[str, ...]
    distance: int
    range: int
    power: tuple[Modifier, ...]
    reach: tuple[Modifier, ...] = ()
    halved: tuple[Ruling, ...] = ()

    @property
    def band(self) -> int:
        """Close, normal or long; 0 out of range."""
        return band_of(self.distance, self.range)

    @property
    def full(self) -> int:
        """Firepower before halving."""
        return sum(modifier.value for modifier in self.power)

    @property
    def dice(self) -> int:
        """Firepower after one halving, rounded up (modificatori.arrotonda)."""
        return -(-self.full // 2) if self.halved else self.full


def band_of(distance: int, reach: int) -> int:
    """The range band (raggio.ravvicinato, raggio.normale, raggio.lungo, raggio.fuori)."""
    if distance <= 1:
        return CLOSE if reach else 0
    if distance <= reach:
        return STANDARD
    return LONG if distance <= 2 * reach else 0


def groups(unit: Unit) -> tuple[str, ...]:
    """The parts of a squad that may fire together, mortars apart (combattimento.miste)."""
    return _groups(unit.figures) if unit.is_squad else (WHOLE,)


@lru_cache(maxsize=4096)
def _groups(figures: tuple[str, ...]) -> tuple[str, ...]:
    made = make(figures)
    if made.rifles and made.guns:
        return (WHOLE, RIFLES, GUNS)
    return (WHOLE,) if made.rifles or made.guns else ()


def figures_of(unit: Unit, group: str) -> tuple[str, ...]:
    """The figures of a squad that take part."""
    return part_of(unit.figures, group)


@lru_cache(maxsize=4096)
def part_of(figures: tuple[str, ...], group: str) -> tuple[str, ...]:
    """The figures of a group among those of a squad."""
    made = make(figures)
    if group == MORTARS:
        return made.mortars
    if group == GUNS:
        return made.guns
    return made.rifles if group == RIFLES else (*made.rifles, *made.guns)


def only_guns(unit: Unit, group: str) -> bool:
    """Only machine guns take part (miniature.mitragliatrice.op-rapido)."""
    made = make(unit.figures)
    return bool(made.guns) and (group == GUNS or (group == WHOLE and not made.rifles))


# --- range and firepower ----------------------------------------------------------------------


def aim(state: State, how: Stance, group: str, target: Unit) -> Aim:
    """Range and firepower of a unit against a target, with the rules that make them."""
    unit = how.unit
    far = ground(state).distance(unit.hex, target.hex)
    figures = figures_of(unit, group) if unit.is_squad else ()
    reach = tuple(_reach(state, unit, figures, target))
    return Aim(
        unit.id,
        group,
        figures,
        far,
        sum(modifier.value for modifier in reach),
        tuple(_power(state, unit, figures, target, far)),
        reach,
        how.halved,
    )


def _reach(state: State, unit: Unit, figures: tuple[str, ...], target: Unit) -> Iterator[Modifier]:
    against_vehicle = is_vehicle(target)
    if unit.is_squad:
        weapons = [_weapon(figure, against_vehicle) for figure in figures]
        if not weapons or None in weapons:
            return
        if against_vehicle and skill(unit) == ANTI_TANK:
            at = rule(
                "specializzazioni.anticarro#bonus", N_("{unit}: anti-tank range"), unit=unit.id
            )
            yield Modifier(ANTI_TANK_RANGE, at)
        else:
            shortest = min(weapon.range for weapon in weapons if weapon)
            lines = [
                tables.UNITS[figure]
                for figure, weapon in zip(figures, weapons, strict=True)
                if weapon and weapon.range == shortest
            ]
            yield Modifier(
                shortest,
                rule(
                    ("raggio.mista" if len(set(weapons)) > 1 else "combattimento.griglia#riga"),
                    N_("range of {unit}"),
                    unit=unit.id,
                    **doubt(*(line.source("raggio", _column(against_vehicle)) for line in lines)),
                ),
            )
    else:
        weapon = _weapon(unit.type, against_vehicle)
        if weapon is None:
            return
        yield Modifier(
            weapon.range,
            rule(
                "combattimento.griglia#riga",
                N_("range of {unit}"),
                unit=unit.id,
                **doubt(type_of(unit).source("raggio", _column(against_vehicle))),
            ),
        )
        if _is_concussive(state, unit, target):
            more = rule(
                "miniature.carro.violenta#bonus", N_("{unit}: concussive fire"), unit=unit.id
            )
            yield Modifier(CONCUSSIVE, more)
    level = ground(state).level
    if level[unit.hex] > level[target.hex]:
        yield Modifier(
            HEIGHT,
            rule(
                ("raggio.altezza#piu-uno", "terreno.altezza-raggio#piu-uno", "raggio.livelli"),
                N_("{unit} is higher than the target"),
                unit=unit.id,
            ),
        )


def _power(
    state: State, unit: Unit, figures: tuple[str, ...], target: Unit, far: int
) -> Iterator[Modifier]:
    against_vehicle = is_vehicle(target)
    if unit.is_squad:
        yield from squad_power(unit, figures, against_vehicle)
        if against_vehicle and figures and skill(unit) == ANTI_TANK:
            yield Modifier(
                ANTI_TANK_POWER,
                rule(
                    ("specializzazioni.anticarro#bonus", "specializzazioni.indebolita"),
                    N_("{unit}: anti-tank"),
                    unit=unit.id,
                ),
            )
        if far <= 1 and figures and skill(unit) == FLAMETHROWER:
            more = rule(
                "specializzazioni.lanciafiamme#adiacente", N_("{unit}: flamethrower"), unit=unit.id
            )
            yield Modifier(FLAME_POWER, more)
        return
    weapon = _weapon(unit.type, against_vehicle)
    if weapon is None:
        return
    yield Modifier(
        weapon.power,
        rule(
            "combattimento.griglia#riga",
            N_("firepower of {unit}"),
            unit=unit.id,
            **doubt(type_of(unit).source(_column(against_vehicle))),
        ),
    )
    if _is_concussive(state, unit, target):
        more = rule("miniature.carro.violenta#bonus", N_("{unit}: concussive fire"), unit=unit.id)
        yield Modifier(CONCUSSIVE, more)


def squad_power(
    unit: Unit, figures: tuple[str, ...], against_vehicle: bool = False, *, in_assault: bool = False
) -> Iterator[Modifier]:
    """The sum of the figures that take part (attacco.1-squadra)."""
    for figure in dict.fromkeys(figures):
        weapon = _weapon(figure, against_vehicle)
        if weapon is not None:
            count = figures.count(figure)
            found = rule(
                (
                    "attacco.1-squadra#somma",
                    "combattimento.griglia#assalto" if in_assault else "combattimento.griglia#riga",
                ),
                N_("{unit}: {n} × {figure}"),
                unit=unit.id,
                n=count,
                figure=figure,
                **doubt(tables.UNITS[figure].source(_column(against_vehicle))),
            )
            yield Modifier(count * weapon.power, found)


def _column(against_vehicle: bool) -> str:
    """The values of the reference card that count, as the data call them."""
    return "veicoli" if against_vehicle else "fanteria"


def _weapon(kind: str, against_vehicle: bool) -> tables.Weapon | None:
    line = tables.UNITS[kind]
    return line.vehicles if against_vehicle else line.infantry


def _is_concussive(state: State, unit: Unit, target: Unit) -> bool:
    """A tank against a squad in a building or in a bunker (miniature.carro.violenta)."""
    if not target.is_squad or not has_trait(unit, "concussive"):
        return False
    in_building = ground(state).terrain[target.hex].id == "building"
    return in_building or fort_kind(state, target) == BUNKER


def halvings(state: State, unit: Unit, mode: str, supports: bool) -> Iterator[Ruling]:
    """Every effect that halves a unit's firepower (modificatori.dimezza-una-volta)."""
    if mode == FIRE_MOVE:
        yield rule("azione.fm-meta#meta", N_("{unit}: fire and movement halves"), unit=unit.id)
    if supports:
        yield rule("fuoco-combinato.meta#meta", N_("{unit}: support halves"), unit=unit.id)
    if unit.damage == HEAVY:
        yield rule("danni.grave#meta", N_("{unit}: heavy damage halves"), unit=unit.id)
    if unit.condition == DISRUPTED or (
        unit.condition == PINNED and operation(state, unit.side, "desperate_defence")
    ):
        yield rule(
            "operazioni.difesa-disperata#meta", N_("{unit}: desperate defence halves"), unit=unit.id
        )
    elif unit.condition == PINNED:
        yield rule(
            (
                "miniature.ufficiale.recupero#concentrato",
                "condizioni.bloccata#ufficiale",
                "casa.32" if make(unit.figures).officers else "",
            ),
            N_("{unit}: pinned, rallied by an officer, halves"),
            unit=unit.id,
        )
    here = obstacles_at(state, unit.hex)
    if unit.is_squad and WIRE in here:
        yield rule(
            "ostacoli.filo-meta#meta", N_("{unit}: fire from razor wire halves"), unit=unit.id
        )
    if MINES in here:
        yield rule(
            "ostacoli.mine-meta#meta", N_("{unit}: fire from a minefield halves"), unit=unit.id
        )
    if unit.hex in state.smoke:
        yield rule("fumo.blocca#meta", N_("{unit}: fire from smoke halves"), unit=unit.id)


# --- who may attack ---------------------------------------------------------------------------


def aboard(unit: Unit) -> Ruling:
    """Who rides does not fire (trasporto.a-bordo)."""
    return rule(
        "trasporto.a-bordo#dentro",
        N_("{unit} rides in {vehicle}: it cannot fire"),
        unit=unit.id,
        vehicle=unit.aboard,
    )


def why_not_attack(state: State, unit: Unit, mode: str) -> Iterator[Ruling]:
    """Why a unit may not attack at all, whatever the target."""
    if unit.aboard:
        yield aboard(unit)
        return
    if unit.condition != NORMAL:
        yield from _why_not_shaken(state, unit, mode)
    if is_vehicle(unit) and type_of(unit).infantry is None:
        yield rule(
            ("casa.37", "miniature.camion.trasporto"), N_("{unit} has no weapons"), unit=unit.id
        )


def _why_not_shaken(state: State, unit: Unit, mode: str) -> Iterator[Ruling]:
    """Pinned and disrupted squads do not attack, with two exceptions."""
    desperate = operation(state, unit.side, "desperate_defence")
    if unit.condition == PINNED and not desperate:
        if not officer_at(state, unit.hex, unit.side):
            rides = any(map(has_officer, aboard_at(state, unit.hex, unit.side)))
            yield rule(
                ("condizioni.bloccata#vietato", "casa.20" if rides else ""),
                N_("{unit} is pinned and no officer is with it"),
                unit=unit.id,
            )
        elif mode != CONCENTRATED:
            yield rule(
                "miniature.ufficiale.recupero#nessun-altra",
                N_("{unit} is pinned: only concentrated fire"),
                unit=unit.id,
            )
    if unit.condition == DISRUPTED and not desperate:
        yield rule("condizioni.disgregata#vietato", N_("{unit} is disrupted"), unit=unit.id)


class Stance(msgspec.Struct, frozen=True):
    """A unit about to fire: whatever is the same for all its targets and all its parts."""

    unit: Unit
    mode: str
    against: tuple[Ruling, ...]
    halved: tuple[Ruling, ...]


def stance(state: State, unit: Unit, mode: str, *, supports: bool = False) -> Stance:
    """How a unit would fire; `supports` where support halves it."""
    against = tuple(why_not_attack(state, unit, mode))
    return Stance(unit, mode, against, tuple(halvings(state, unit, mode, supports)))


def can_fire(state: State, how: Stance, target: Unit) -> bool:
    """Whether a unit may fire at a target with some of its parts; `why_not_fire` says why not."""
    if how.against or len(how.halved) > 1 or target.aboard or target.concealed:
        return False
    return can_reach(state, how.unit, how.mode, target) and sees(state, how.unit.hex, target.hex)


def can_reach(state: State, unit: Unit, mode: str, target: Unit) -> bool:
    """Whether some part of a unit has a target in range; `why_not_reach` says why not."""
    far = ground(state).distance(unit.hex, target.hex)
    part = _farthest(unit.figures, not target.is_squad) if unit.is_squad else WHOLE
    band = band_of(far, range_of(state, unit, part, target))
    return 0 < band < LONG or (band == LONG and mode != FIRE_MOVE)


@lru_cache(maxsize=4096)
def _farthest(figures: tuple[str, ...], against_vehicle: bool) -> str:
    """The part of a squad that reaches farthest."""
    parts = _groups(figures) or (WHOLE,)
    return max(parts, key=lambda part: _squad_range(figures, part, against_vehicle))


def why_not_fire(state: State, how: Stance, target: Unit) -> Iterator[Ruling]:
    """Why a unit may not fire at a target with any of its parts: the objections to the last."""
    if not can_fire(state, how, target):
        parts = groups(how.unit)
        yield from why_not_aim(state, how, parts[-1] if parts else WHOLE, target)


def why_not_aim(state: State, how: Stance, group: str, target: Unit) -> Iterator[Ruling]:
    """Why part of a unit may not fire at a target (combattimento.requisiti)."""
    yield from _why_never(how, group, target)
    if how.unit.aboard or target.aboard or target.concealed or not has_weapons(how.unit, group):
        return
    far = ground(state).distance(how.unit.hex, target.hex)
    too_far = why_not_reach(state, how, group, target, far)
    if too_far is not None:
        yield too_far
    yield from _why_not_shoot(state, how, target)


def has_weapons(unit: Unit, group: str) -> bool:
    """Whether part of a unit can fire at units: mortars attack hexes (miniature.mortaio.area)."""
    return not unit.is_squad or bool(figures_of(unit, group))


def _why_never(how: Stance, group: str, target: Unit) -> Iterator[Ruling]:
    """Why a unit may not fire at a target wherever it is."""
    yield from how.against
    if how.unit.aboard:
        return
    if target.aboard:
        yield rule(
            "trasporto.immune",
            N_("{target} rides in {vehicle}: attack the vehicle"),
            target=target.id,
            vehicle=target.aboard,
        )
    elif target.concealed:
        yield rule("nascoste.immunita#immune", N_("{target} is concealed"), target=target.id)
    elif not has_weapons(how.unit, group):
        yield rule(
            ("miniature.mortaio.area#esagono", "miniature.mortaio.no-misto#o-mortai-o-altro"),
            N_("{unit} has only mortars: it attacks hexes"),
            unit=how.unit.id,
        )


def why_not_reach(state: State, how: Stance, group: str, target: Unit, far: int) -> Ruling | None:
    """The target must be in range; at long range never on the move (raggio.fuori)."""
    reach = range_of(state, how.unit, group, target)
    band = band_of(far, reach)
    if not band:
        return _out_of_range(how.unit.id, reach, target.id, far)
    if band == LONG and how.mode == FIRE_MOVE:
        return rule(
            "azione.fm-no-lungo",
            N_("{unit}: no long range with fire and movement ({distance} beyond {reach})"),
            unit=how.unit.id,
            distance=far,
            reach=reach,
        )
    return None


@lru_cache(maxsize=1 << 12)
def _out_of_range(unit: str, reach: int, target: str, far: int) -> Ruling:
    return rule(
        ("raggio.fuori", "combattimento.requisiti#due-cose"),
        N_("{unit} reaches {reach}, {target} is {distance} away"),
        unit=unit,
        reach=2 * reach,
        target=target,
        distance=far,
    )


def _why_not_shoot(state: State, how: Stance, target: Unit) -> Iterator[Ruling]:
    """No line of sight, or halved twice."""
    unit = how.unit
    if not sees(state, unit.hex, target.hex):
        yield no_sight(state, unit.hex, target.hex)
    yield from why_not_halved(state, how)


def range_of(state: State, unit: Unit, group: str, target: Unit) -> int:
    """The range of a unit against a target: the sum of what `aim` explains."""
    against_vehicle = not target.is_squad
    if unit.is_squad:
        reach = _squad_range(unit.figures, group, against_vehicle)
        if reach and against_vehicle and unit.token and skill(unit) == ANTI_TANK:
            reach = ANTI_TANK_RANGE
    else:
        weapon = _weapon(unit.type, against_vehicle)
        reach = weapon.range if weapon is not None else 0
        if reach and _is_concussive(state, unit, target):
            reach += CONCUSSIVE
    level = ground(state).level
    if reach and level[unit.hex] > level[target.hex]:
        reach += HEIGHT
    return reach


@lru_cache(maxsize=4096)
def _squad_range(figures: tuple[str, ...], group: str, against_vehicle: bool) -> int:
    weapons = [_weapon(figure, against_vehicle) for figure in part_of(figures, group)]
    return min((weapon.range for weapon in weapons if weapon), default=0)


def no_sight(state: State, a: str, b: str) -> Ruling:
    """The ruling that denies a line of sight, with what blocks it."""
    return _no_sight(ground(state), a, b, tuple(sorted(state.smoke)), fog(state))


@lru_cache(maxsize=1 << 14)
def _no_sight(field: Ground, a: str, b: str, smoke: tuple[str, ...], limit: int) -> Ruling:
    seen = sight.trace(field.board, a, b, smoke, limit)
    if seen.blocked_by:
        words = N_("No line of sight from {a} to {b}: {hex}")
        return because(
            "visuale.necessaria#serve", seen.rulings, words, a=a, b=b, hex=seen.blocked_by
        )
    words = N_("No line of sight from {a} to {b}")
    return because("visuale.necessaria#serve", seen.rulings, words, a=a, b=b)


def clear_sight(state: State, a: str, b: str) -> Ruling:
    """The ruling that grants a line of sight, with the rules that let it pass."""
    return _clear_sight(ground(state), a, b, tuple(sorted(state.smoke)), fog(state))


@lru_cache(maxsize=1 << 14)
def _clear_sight(field: Ground, a: str, b: str, smoke: tuple[str, ...], limit: int) -> Ruling:
    seen = sight.trace(field.board, a, b, smoke, limit)
    return because("visuale.necessaria#serve", seen.rulings, N_("{a} sees {b}"), a=a, b=b)


def why_not_halved(state: State, how: Stance) -> Iterator[Ruling]:
    """A unit that two effects halve does not attack, whatever the target."""
    if len(how.halved) > 1:
        unit = how.unit
        from_wire = unit.is_squad and WIRE in obstacles_at(state, unit.hex)
        yield halved_twice(unit, how.halved, from_wire=from_wire and how.mode == FIRE_MOVE)


def halved_twice(unit: Unit, causes: tuple[Ruling, ...], *, from_wire: bool = False) -> Ruling:
    """Two halvings forbid to attack or support (modificatori.dimezza-una-volta)."""
    found = because(
        "modificatori.dimezza-una-volta#due",
        causes,
        N_("{unit} would be halved {n} times"),
        unit=unit.id,
        n=len(causes),
    )
    return rule.also(found, "casa.44") if from_wire else found


def legal_groups(state: State, how: Stance, target: Unit) -> list[str]:
    """The parts of a unit that may fire at a target."""
    return [
        group
        for group in groups(how.unit)
        if next(why_not_aim(state, how, group, target), None) is None
    ]
