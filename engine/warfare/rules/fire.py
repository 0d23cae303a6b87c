"""Chapter 2: fire in five steps; what a combat roll does; rubble.

Refs: warfare:combattimento.*, fuoco.*, danno.uno, danno.due, unita.nebbia, veicoli.bersaglio,
sam.arma, anfibio.fuoco, macerie.creazione, arbitrato.macerie_*, arbitrato.carico.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, unit
from engine.core.rules import Locators, Ruling, Side
from engine.core.text import N_
from engine.kit.modifiers import add_all
from engine.warfare.rules.fortifications import add_terrain
from engine.warfare.rules.helicopters import (
    cite_altitude,
    is_high,
    is_hunting,
    why_not_at_helicopter,
    why_not_separate_weapons,
)
from engine.warfare.rules.hostages import why_not_shielded
from engine.warfare.rules.morale import (
    cite_spared,
    damage_of,
    defence_of,
    eliminate,
    hit_body,
    hit_masini,
    hit_morale,
    lose_overwatch,
    show,
    why_not_fight,
)
from engine.warfare.rules.sight import why_not_seen, why_not_smoke_free
from engine.warfare.rules.track import cite_discount, discounted, pay_action
from engine.warfare.state.ascs import (
    DAMAGE_1,
    DAMAGE_2,
    ELIMINATED,
    MISSED,
    MORALE,
    base_die,
    combat_roll,
    final_die,
)
from engine.warfare.state.book import rule
from engine.warfare.state.events import MarkerRemoved, PeopleMoved, RubblePlaced, SmokeRemoved
from engine.warfare.state.setting import field_of, spots_around
from engine.warfare.state.state import (
    ABOARD,
    HEAVY,
    LIGHT,
    WEAPON_IDS,
    State,
    Unit,
    enemies,
    is_regular,
    people_at,
)
from engine.warfare.state.tables import WATER, Weapon

WEAPONS = (LIGHT, HEAVY)


def weapon_of(firer: Unit, weapon: str) -> Weapon | None:
    """A column of the counter."""
    return firer.values.light if weapon == LIGHT else firer.values.heavy


def why_not_fire(state: State, firer: Unit) -> Iterator[Ruling]:
    """Whether a unit may fire at all (combattimento.morale, anfibio.fuoco)."""
    yield from why_not_fight(firer)
    if firer.place == ABOARD:
        yield rule("arbitrato.carico", N_("{unit} is aboard"), unit=firer.id)
    elif firer.is_infantry and field_of(state).terrain[firer.hex] == WATER:
        yield rule(
            "anfibio.fuoco#fanteria", N_("infantry in the water does not fire"), unit=firer.id
        )


def why_not_open_fire(state: State, firer: Unit) -> Iterator[Ruling]:
    """Whether a unit may fire, and has a weapon with a target: otherwise the reasons of both."""
    yield from why_not_fire(state, firer)
    if not any(has_target(state, firer, weapon) for weapon in WEAPONS):
        for weapon in WEAPONS:
            yield from why_no_target(state, firer, weapon)


def why_not_weapon(state: State, firer: Unit, weapon: str) -> Iterator[Ruling]:
    """Step 1: the weapon must be there, and something to fire at (fuoco.passo1)."""
    if not has_target(state, firer, weapon):
        yield from why_no_target(state, firer, weapon)


def has_target(state: State, firer: Unit, weapon: str) -> bool:
    """Whether a unit has a weapon and may fire it at somebody."""
    column = weapon_of(firer, weapon)
    if column is None:
        return False
    far, most = field_of(state).distances(firer.hex), column.range
    return any(
        far[target.hex] <= most and can_fire_at(state, firer, weapon, target)
        for target in enemies(state, firer.side)
    )


def why_no_target(state: State, firer: Unit, weapon: str) -> Iterator[Ruling]:
    """No such weapon; or no target, and what is against each (fuoco.passo2, fuoco.passo3)."""
    if weapon_of(firer, weapon) is None:
        yield rule(
            "fuoco.passo1#colonna",
            N_("{unit} has no {weapon} weapons"),
            unit=firer.id,
            weapon=weapon,
        )
        return
    yield rule(
        ("fuoco.passo2", "fuoco.passo3#portata"),
        N_("{unit} has no target for its {weapon} weapons"),
        unit=firer.id,
        weapon=weapon,
    )
    for target in enemies(state, firer.side):
        yield from why_not_target(state, firer, weapon, target)


def can_fire_at(state: State, firer: Unit, weapon: str, target: Unit) -> bool:
    """Whether nothing forbids a shot; what is too far away is known without words."""
    column = weapon_of(firer, weapon)
    if column is None or field_of(state).distance(firer.hex, target.hex) > column.range:
        return False
    return next(why_not_target(state, firer, weapon, target), None) is None


def why_not_target(state: State, firer: Unit, weapon: str, target: Unit) -> Iterator[Ruling]:
    """Steps 1 to 3: kind of target, shields, line of sight, range."""
    column = weapon_of(firer, weapon)
    if column is None:
        yield rule(
            "fuoco.passo1#colonna",
            N_("{unit} has no {weapon} weapons"),
            unit=firer.id,
            weapon=weapon,
        )
        return
    distance = field_of(state).distance(firer.hex, target.hex)
    if distance > column.range:
        yield rule(
            "fuoco.passo3#portata",
            N_("{target} is {distance} hexes away: range {range}"),
            target=target.id,
            distance=distance,
            range=column.range,
        )
    yield from why_not_kind(state, firer, weapon, target)
    if state.population:
        yield from why_not_shielded(state, firer.side, target)
    if state.smoke:
        yield from why_not_smoke_free(state, firer.hex, target.hex)
    yield from why_not_seen(state, firer, target)


def why_not_kind(state: State, firer: Unit, weapon: str, target: Unit) -> Iterator[Ruling]:
    """Light at upright counters, heavy at vehicles and infantry, SAM at the air (fuoco.passo1)."""
    if target.is_helicopter:
        yield from why_not_at_helicopter(field_of(state), firer, weapon, target)
    elif weapon == LIGHT and target.is_vehicle:
        yield rule(
            ("fuoco.leggere#veicoli", "fuoco.pesanti#veicoli", "veicoli.bersaglio#pesanti"),
            N_("{target} is a vehicle: it takes heavy weapons"),
            target=target.id,
        )
    elif weapon == HEAVY and firer.values.sam:
        yield rule(
            ("fuoco.rombo#aerei", "sam.arma#aerei"),
            N_("SAM are fired at air targets only"),
            target=target.id,
        )
    if firer.is_helicopter:
        yield from why_not_separate_weapons(state, firer, weapon, target)


def fire(ctx: Ctx[State], name: str) -> None:
    """The active player fires: weapon, target, cost, roll (fuoco.passi)."""
    state, firer = ctx.state, ctx.state.units[name]
    weapons = [
        button(WEAPON_IDS[LIGHT], LIGHT, N_("light weapons"), weapon=LIGHT),
        button(WEAPON_IDS[HEAVY], HEAVY, N_("heavy weapons"), weapon=HEAVY),
    ]
    weapon = ctx.choose(
        "fire.weapon",
        firer.side,
        weapons,
        ("fuoco.passi#arma", "fuoco.passo1#colonna"),
        N_("Which weapons does {unit} fire?"),
        why_not=lambda w: why_not_weapon(state, firer, w),
        unit=name,
    )
    field = field_of(state)
    targets = [unit(u.id, u, hex=field.hex[u.hex]) for u in enemies(state, firer.side)]
    target = ctx.choose(
        "fire.target",
        firer.side,
        targets,
        ("fuoco.passo2", "fuoco.passo3#portata"),
        N_("Whom does {unit} fire at with {weapon} weapons?"),
        why_not=lambda t: why_not_target(state, firer, weapon, t),
        unit=name,
        weapon=weapon,
    )
    shoot(ctx, name, weapon, target.id, "fuoco.passo4#paga")


def shot_cost(firer: Unit, weapon: str, target: Unit) -> int:
    """Step 4: the weapon less damage, and helicopter hunting (fuoco.passo4)."""
    column = weapon_of(firer, weapon)
    assert column is not None
    return discounted(column.ap, firer.damage) + is_hunting(firer, weapon, target)


def shoot(ctx: Ctx[State], name: str, weapon: str, target_name: str, ref: Locators) -> None:
    """Steps 4 and 5, for the active player and for who reacts."""
    firer, target = ctx.state.units[name], ctx.state.units[target_name]
    show(ctx, name)
    show(ctx, target_name)
    pay_shot(ctx, firer, weapon, target, ref)
    lose_overwatch(ctx, name, "overwatch.fine#spara")
    result = roll_shot(ctx, firer, weapon, target)
    apply_fire(ctx, target_name, result)
    if result == ELIMINATED:
        leave_rubble(ctx, weapon, target.hex, firer.side, is_air=target.is_helicopter)


def pay_shot(ctx: Ctx[State], firer: Unit, weapon: str, target: Unit, ref: Locators) -> None:
    """Step 4: the AP of the weapon, one more to hunt helicopters (fuoco.passo4)."""
    column = weapon_of(firer, weapon)
    assert column is not None
    cite_discount(ctx, firer.id, column.ap, firer.damage)
    if is_hunting(firer, weapon, target):
        ctx.cite(
            (
                "caccia_elicottero.costo",
                "caccia_elicottero.abilita#abilita",
                "azioni.abilita#fisso",
                "arbitrato.caccia_sei",
            ),
            N_("helicopter hunting costs {unit} 1 AP more"),
            unit=firer.id,
        )
    pay_action(ctx, firer.side, shot_cost(firer, weapon, target), ref)


def roll_shot(ctx: Ctx[State], firer: Unit, weapon: str, target: Unit) -> str:
    """Step 5: the die of the weapon less defence, terrain and damage (fuoco.passo5)."""
    column = weapon_of(firer, weapon)
    assert column is not None
    ladder = base_die(
        ctx,
        column.die,
        "fuoco.passo5",
        N_("{weapon} weapons of {unit}: {colour}"),
        unit=firer.id,
        weapon=weapon,
    )
    add_all(ladder, defence_of(target, "fuoco.modificatori#spostamenti/difesa del bersaglio"))
    field = field_of(ctx.state)
    cite_altitude(ctx, target)
    if not is_high(field, target):
        add_terrain(ladder, field, target.hex, firer.hex)
    add_all(
        ladder,
        damage_of(
            firer,
            "fuoco.modificatori#spostamenti/1 danno fisico di chi spara"
            if firer.damage == 1
            else "fuoco.modificatori#spostamenti/2 danni fisici di chi spara",
        ),
    )
    is_sam = weapon == HEAVY and firer.values.sam
    return combat_roll(
        ctx,
        final_die(ladder),
        "sam.attacco#fuoco" if is_sam else "fuoco.passo5",
        N_("{unit} fires at {target}"),
        unit=firer.id,
        target=target.id,
    )


def apply_fire(ctx: Ctx[State], name: str, result: str) -> None:
    """The large icon does its work on a unit or support (fuoco.risultati)."""
    if result == MISSED:
        ctx.cite("fuoco.risultati#icone/Mancato", N_("{unit} is missed"), unit=name)
    elif result == MORALE:
        hit_morale(ctx, name, "fuoco.risultati#morale")
    elif result == DAMAGE_1:
        hit_body(ctx, name, "fuoco.risultati#icone/1 danno")
    elif result == DAMAGE_2:
        hit_body(ctx, name, "fuoco.risultati#icone/2 danni", 2)
        hit_masini(ctx, name)
    else:
        eliminate(ctx, name, "fuoco.risultati#icone/Eliminato")
    if result != MISSED:
        cite_spared(ctx, name)


# Rubble


def leave_rubble(
    ctx: Ctx[State], weapon: str, hex: str, side: Side, *, is_air: bool = False
) -> None:
    """A heavy weapon that eliminates leaves rubble, a light one does not (macerie.creazione)."""
    if weapon == HEAVY:
        make_rubble(ctx, hex, side, is_air=is_air)
    else:
        ctx.cite(
            "macerie.creazione#leggero", N_("no rubble in {hex}: the attack was light"), hex=hex
        )


def make_rubble(
    ctx: Ctx[State],
    hex: str,
    side: Side,
    ref: str = "macerie.creazione#pesante",
    *,
    is_air: bool = False,
) -> None:
    """Rubble, and what becomes of all else in the hex (arbitrato.macerie_effetto)."""
    field = field_of(ctx.state)
    if hex in ctx.state.rubble:
        ctx.cite("macerie.segnalino#resta", N_("there is rubble in {hex} already"), hex=hex)
        return
    if field.terrain[hex] == WATER and is_air:
        ctx.cite("arbitrato.macerie_elicotteri", N_("no rubble in the water"), hex=hex)
        return
    ctx.do(
        RubblePlaced(hex=hex),
        ("macerie.creazione#abbattuto", "arbitrato.macerie_elicotteri")
        if is_air
        else (ref, "arbitrato.macerie_icona"),
    )
    if hex in ctx.state.smoke:
        ctx.do(SmokeRemoved(hex=hex), "arbitrato.macerie_effetto")
    for marker in list(ctx.state.hidden.values()):
        if marker.hex == hex:
            ctx.do(MarkerRemoved(marker=marker.id), "arbitrato.macerie_effetto")
    for people in people_at(ctx.state, hex):
        who = next((s for s in ctx.state.cubes if not is_regular(ctx.state, s)), side)
        push_people(ctx, people.id, hex, who, "arbitrato.macerie_effetto")


def push_people(
    ctx: Ctx[State], marker: str, hex: str, side: Side, ref: Locators, stays: Locators = ""
) -> None:
    """Population goes to an adjacent hex that a player chooses; it stays if there is none."""
    state, spots = ctx.state, spots_around(ctx.state, hex)
    free = [c for c in spots if next(why_not_people(state, c.value, ref), None) is None]
    if not free:
        ctx.cite(stays or ref, N_("population {marker} has nowhere to go and stays"), marker=marker)
        return
    to = ctx.choose(
        "population.push",
        side,
        spots,
        ref,
        N_("Where does population {marker} go?"),
        why_not=lambda label: why_not_people(state, label, ref),
        marker=marker,
    )
    ctx.do(
        PeopleMoved(marker=marker, hex=to),
        ref,
        N_("{side} sends population {marker} to {hex}"),
        side=side,
        marker=marker,
        hex=to,
    )


def why_not_people(state: State, hex: str, ref: Locators) -> Iterator[Ruling]:
    """Where population can be put: on land, without Regulars, roadblocks or rubble."""
    if field_of(state).terrain[hex] == WATER:
        yield rule(ref, N_("{hex} is water"), hex=hex)
    if hex in state.roadblocks or hex in state.rubble:
        yield rule(ref, N_("{hex} is blocked"), hex=hex)
    name = state.at.get(hex)
    if name is not None and is_regular(state, state.units[name].side):
        yield rule(ref, N_("{unit} stands in {hex}"), unit=name, hex=hex)


def reaction_choices(units: list[Unit], state: State) -> list[Choice[str]]:
    """Units as candidates of a reaction window."""
    field = field_of(state)
    return [unit(u.id, u.id, hex=field.hex[u.hex]) for u in units]
