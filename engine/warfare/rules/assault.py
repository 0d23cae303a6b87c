"""Chapter 2: assault, retreat and advance, and the population in between.

Refs: warfare:assalto.*, ostaggi.liberazione, popolazione.assaltatore, popolazione.difensore,
arbitrato.assalto_*, arbitrato.ritirata_legale, arbitrato.folla_ritirata, arbitrato.ingressi.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.core.ctx import Ctx
from engine.core.decisions import unit
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.kit.modifiers import add_all
from engine.warfare.rules.fire import push_people
from engine.warfare.rules.fortifications import add_terrain
from engine.warfare.rules.hostages import is_shielded
from engine.warfare.rules.morale import (
    cite_spared,
    damage_of,
    eliminate,
    hit_body,
    hit_morale,
    lose_overwatch,
    show,
    why_not_fight,
)
from engine.warfare.rules.movement import is_taken, why_not_enter
from engine.warfare.rules.track import cite_discount, discounted, pay, pay_action
from engine.warfare.rules.unknown import BOUNCED, spring
from engine.warfare.state.ascs import (
    CRITICAL,
    CRITICAL_FAILURE,
    FAILURE,
    SUCCESS,
    base_die,
    final_die,
    test_roll,
)
from engine.warfare.state.book import joined, rule, why_none
from engine.warfare.state.events import Moved, PeopleMoved
from engine.warfare.state.setting import field_of
from engine.warfare.state.state import (
    CIVILIANS,
    CROWD,
    State,
    Unit,
    enemies,
    is_alive,
    is_regular,
    people_at,
)
from engine.warfare.state.tables import WATER, Weapon


def why_not_assault(state: State, one: Unit) -> Iterator[Ruling]:
    """Infantry with steady morale beside an enemy (assalto.azione)."""
    if not one.is_infantry:
        ref = "elicotteri.no_assalto" if one.is_helicopter else "assalto.chi"
        yield rule(
            ("assalto.chi", ref) if one.is_helicopter else "assalto.chi",
            N_("only infantry assaults"),
            unit=one.id,
        )
    yield from why_not_fight(one)
    yield from why_none(
        partial(why_not_assault_target, state, one),
        enemies_near(state, one),
        "assalto.azione#scopo",
        N_("no enemy beside {unit} to assault"),
        unit=one.id,
    )


def enemies_near(state: State, one: Unit) -> list[Unit]:
    """Enemies in adjacent hexes."""
    around = field_of(state).around[one.hex]
    return [u for u in enemies(state, one.side) if u.hex in around]


def column_against(one: Unit, target: Unit) -> Weapon | None:
    """Light weapons against infantry, heavy against vehicles (assalto.costo)."""
    if target.is_infantry:
        return one.values.light
    return None if one.values.sam else one.values.heavy


def why_not_assault_target(state: State, one: Unit, target: Unit) -> Iterator[Ruling]:
    """Never helicopters, vehicles only with heavy weapons, never across triangles."""
    if target.is_helicopter:
        yield rule(
            ("assalto.bersagli_vietati", "elicotteri.no_assalto"),
            N_("{target} is a helicopter"),
            target=target.id,
        )
        return
    if column_against(one, target) is None:
        yield rule(
            ("assalto.veicoli#senza", "arbitrato.assalto_scudo_veicolo"),
            N_("{target} is a vehicle: it takes heavy weapons other than SAM"),
            target=target.id,
        )
    field = field_of(state)
    if field.has_triangles(one.hex, target.hex):
        yield rule(
            ("fortificazioni.lati#assalto", "arbitrato.assalto_fortificazione"),
            N_("the side towards {hex} has triangles"),
            hex=target.hex,
        )


def assault(ctx: Ctx[State], name: str) -> None:
    """Target, cost, die, table (assalto.azione)."""
    state, one = ctx.state, ctx.state.units[name]
    field = field_of(state)
    target = ctx.choose(
        "assault.target",
        one.side,
        [unit(u.id, u, hex=field.hex[u.hex]) for u in enemies_near(state, one)],
        "assalto.azione#scegli",
        N_("Whom does {unit} assault?"),
        why_not=lambda t: why_not_assault_target(state, one, t),
        unit=name,
    )
    column = column_against(one, target)
    assert column is not None
    show(ctx, name)
    show(ctx, target.id)
    if is_shielded(state, one.side, target):
        ctx.cite(
            ("ostaggi.solo_assalto", "ostaggi.scudo#scudo"),
            N_("{target} hides behind the population: an assault reaches it all the same"),
            target=target.id,
        )
    if people_at(state, one.hex):
        ctx.cite("popolazione.assaltatore", N_("{unit} leaves the population behind"), unit=name)
    cite_discount(ctx, name, column.ap, one.damage)
    pay_action(ctx, one.side, discounted(column.ap, one.damage), "assalto.costo#colonna")
    lose_overwatch(ctx, name)
    ladder = base_die(
        ctx,
        column.die,
        ("assalto.dado#base", "assalto.veicoli#colonna")
        if target.is_vehicle
        else "assalto.dado#base",
        N_("weapons of {unit}: {colour}"),
        unit=name,
    )
    if target.values.defence:
        ctx.cite(
            ("assalto.dado#difesa", "arbitrato.assalto_difesa"),
            N_("defence does not count in an assault"),
        )
    add_terrain(ladder, field, target.hex, one.hex, "arbitrato.assalto_fortificazione")
    add_all(ladder, damage_of(one, "assalto.dado#danno"))
    result = test_roll(
        ctx,
        final_die(ladder),
        ("assalto.azione#tira", "arbitrato.assalto_test"),
        N_("{unit} assaults {target}"),
        unit=name,
        target=target.id,
    )
    apply_assault(ctx, name, target, result)


def apply_assault(ctx: Ctx[State], name: str, target: Unit, result: str) -> None:
    """What the test does (assalto.test)."""
    one = ctx.state.units[name]
    if result == CRITICAL_FAILURE:
        ctx.cite("assalto.fallito#resta", N_("{unit} stays where it is"), unit=name)
        hit_body(ctx, name, "assalto.test#esiti/Fallimento Critico")
        return
    if result == FAILURE:
        ctx.cite("assalto.fallito#resta", N_("{unit} stays where it is"), unit=name)
        pay(ctx, one.side, 2, "assalto.test#esiti/Fallimento")
        return
    hex = target.hex
    if result == CRITICAL:
        eliminate(ctx, target.id, "assalto.test#esiti/Successo Critico")
    else:
        row = "assalto.test#esiti/Successo Marginale"
        if result == SUCCESS:
            row = "assalto.test#esiti/Successo"
        hit_morale(ctx, target.id, row)
        if result == SUCCESS and is_alive(ctx.state, target.id):
            hit_body(ctx, target.id, row)
        if is_alive(ctx.state, target.id):
            retreat(ctx, target.id, one.hex, row)
            cite_spared(ctx, target.id)
    settle_people(ctx, target, hex)
    advance(ctx, name, hex)


def retreat(ctx: Ctx[State], name: str, attacker_hex: str, row: str) -> None:
    """One hex straight away, or the defender is eliminated (assalto.ritirata)."""
    state, target = ctx.state, ctx.state.units[name]
    field = field_of(state)
    to = field.beyond(attacker_hex, target.hex)
    against = next(why_not_retreat(state, target, to), None)
    if against is not None:
        ctx.cite(rule.also(against, "assalto.ritirata#esagono"))
        eliminate(
            ctx,
            name,
            ("assalto.ritirata_impossibile#eliminato", row),
            N_("{unit} cannot retreat and is eliminated"),
        )
        return
    ctx.do(Moved(unit=name, hex=to), ("assalto.ritirata#arretra", *entry_refs(ctx.state, to)))
    if spring(ctx, name) == BOUNCED:
        eliminate(
            ctx,
            name,
            ("assalto.ritirata_impossibile#eliminato", "ignoti.blocco#rimbalza", row),
            N_("{unit} cannot retreat and is eliminated"),
        )


def entry_refs(state: State, hex: str) -> tuple[str, ...]:
    """Retreat and advance wake no overwatch, but markers do act (arbitrato.ingressi)."""
    is_marked = any(marker.hex == hex for marker in state.hidden.values())
    return joined("assalto.no_overwatch", *(("arbitrato.ingressi",) if is_marked else ()))


def why_not_retreat(state: State, target: Unit, to: str) -> Iterator[Ruling]:
    """On the map, empty, open to the unit (arbitrato.ritirata_legale)."""
    if not to:
        yield rule("arbitrato.ritirata_legale#esagono", N_("the retreat leaves the map"))
        return
    if is_taken(state, target, to):
        yield rule(
            "arbitrato.ritirata_legale#esagono",
            N_("{other} stands in {hex}"),
            other=state.at[to],
            hex=to,
        )
    for ruling in why_not_enter(state, field_of(state), target, target.hex, to):
        yield rule.also(ruling, "arbitrato.ritirata_legale#esagono")


def settle_people(ctx: Ctx[State], target: Unit, hex: str) -> None:
    """Civilians stay; a crowd goes with its unit or where its player says (assalto.folla_*)."""
    survivor = ctx.state.units[target.id]
    for people in people_at(ctx.state, hex):
        if people.face == CIVILIANS:
            ctx.cite(
                ("assalto.civili_restano#restano", "popolazione.difensore#civili"),
                N_("civilians {marker} stay in {hex}"),
                marker=people.id,
                hex=hex,
            )
        elif survivor.hex:
            event = PeopleMoved(marker=people.id, hex=survivor.hex)
            ctx.do(event, ("assalto.folla_segue", "arbitrato.folla_ritirata#vivo"))
        else:
            who = next((s for s in ctx.state.cubes if not is_regular(ctx.state, s)), target.side)
            push_people(
                ctx,
                people.id,
                hex,
                who,
                (
                    "assalto.folla_critico#sceglie",
                    "popolazione.difensore#folla",
                    "arbitrato.folla_ritirata#eliminato",
                ),
                (
                    "assalto.folla_critico#resta",
                    "popolazione.difensore#folla",
                    "arbitrato.folla_ritirata#resta",
                ),
            )


def advance(ctx: Ctx[State], name: str, hex: str) -> None:
    """The assaulter must enter, for nothing; hidden markers act (assalto.avanzata)."""
    state, one = ctx.state, ctx.state.units[name]
    if field_of(state).terrain[hex] == WATER and next(
        why_not_enter(state, field_of(state), one, one.hex, hex), None
    ):
        ctx.cite("terreno.acqua#entrano", N_("{unit} cannot enter {hex}"), unit=name, hex=hex)
        return
    origin = one.hex
    ctx.do(Moved(unit=name, hex=hex), ("assalto.avanzata#deve", *entry_refs(state, hex)))
    if any(p.face == CROWD for p in people_at(state, hex)):
        ctx.cite("arbitrato.folla_ritirata#resta", N_("the crowd stays in {hex}"), hex=hex)
    if any(p.face == CIVILIANS for p in people_at(state, hex)) and is_regular(state, one.side):
        ctx.cite(
            "ostaggi.liberazione#libera",
            N_("{unit} frees the civilians in {hex}"),
            unit=name,
            hex=hex,
        )
    if spring(ctx, name) == BOUNCED:
        ctx.do(
            Moved(unit=name, hex=origin), ("ignoti.blocco#rimbalza", "arbitrato.rimbalzo#ritorno")
        )
