"""Assault, in eleven steps (the chapter on assault).

Refs: assalto.chi, assalto.bersaglio, assalto.no-pesanti, assalto.no-mine-filo, assalto.1-supporto,
assalto.2-potenza, assalto.2-lanciafiamme, assalto.3-difesa, assalto.3-ufficiale, assalto.4-lancio,
assalto.4-copertura, assalto.4-lanciafiamme, assalto.4-veicoli, assalto.5-risposta,
assalto.6-perdite-attaccante, assalto.7-perdite-difensore, assalto.7-veicoli, assalto.8-fallito,
assalto.9-ritirata, assalto.9-eccedenze, assalto.9-impossibile, assalto.9-condizioni,
assalto.9-no-op, assalto.10-avanzata, assalto.10-no-op, assalto.11-affaticamento,
accentramento.ritirata, fumo.assalto-da, fumo.assalto-contro, faq.assalto-nascoste,
faq.bendaggio-assalto, faq.bloccata-ufficiale-assalto, faq.assalto-da-filo,
faq.avanzata-fortificazione, casa.08, casa.09, casa.15, casa.17, casa.23, casa.24, casa.25,
casa.26, casa.41, casa.42, casa.50, casa.53, casa.57, casa.59.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, place
from engine.core.decisions import unit as unit_choice
from engine.core.rules import Ruling, Side
from engine.core.text import N_
from engine.kit.modifiers import Modifier, add_all
from engine.toi.rules.concealed import look
from engine.toi.rules.cover import FLAME_COVER, bandages, hex_cover, shelter, traps
from engine.toi.rules.fire import halve, offer_card
from engine.toi.rules.ground import ground
from engine.toi.rules.hq import lasting
from engine.toi.rules.stacking import excess, why_not_stay
from engine.toi.rules.suppression import damage_vehicle, destroy, hits_to_destroy, lose_figures
from engine.toi.rules.targets import FLAME_POWER, WHOLE, figures_of, halved_twice, squad_power
from engine.toi.rules.terrain import is_cliff
from engine.toi.rules.transport import why_no_place
from engine.toi.rules.works import forts_at, strike_mines
from engine.toi.state.book import BLACK, passed_over, rule
from engine.toi.state.dice import attack_dice, net_hits, successes
from engine.toi.state.events import Displaced, Disrupted, Fatigued, Pinned, Revealed, UnitLost
from engine.toi.state.state import (
    ANTI_TANK,
    DISRUPTED,
    FATIGUED,
    FLAMETHROWER,
    HEAVY,
    MEDIC,
    MINES,
    NORMAL,
    PINNED,
    READY,
    WIRE,
    Active,
    State,
    Unit,
    enemy,
)
from engine.toi.state.tables import CARDS, doubt
from engine.toi.state.units import (
    aboard_at,
    enemies_at,
    friends_at,
    has_heavy_weapon,
    has_officer,
    is_heavy,
    is_shaken,
    is_team,
    is_vehicle,
    make,
    obstacles_at,
    officer_at,
    on_map,
    operation,
    seat_of,
    skill,
    type_of,
)

SUPPORTERS = 2
ASSAULT_NEED = 4


# --- who may assault --------------------------------------------------------------------------


def why_not_order(state: State, unit: Unit) -> Iterator[Ruling]:
    """Why a unit may not take the assault action (azione.assalto)."""
    if unit.activation != READY:
        yield rule(
            "azione.solo-pronte",
            N_("{unit} is not ready: {activation}"),
            unit=unit.id,
            activation=unit.activation,
        )
    if not unit.is_squad:
        yield rule(
            ("azione.assalto#vietato", "assalto.chi#solo-squadre", "definizioni.veicolo"),
            N_("{unit} is a vehicle: only squads assault"),
            unit=unit.id,
        )
    if has_heavy_weapon(unit):
        yield rule(
            (
                "assalto.chi#armi-pesanti",
                "azione.assalto#vietato",
                "definizioni.armi-pesanti#assalto",
                "miniature.mitragliatrice.azioni" if make(unit.figures).guns else "",
                "miniature.mortaio.azioni" if make(unit.figures).mortars else "",
            ),
            N_("{unit} has heavy weapons"),
            unit=unit.id,
        )
    if unit.aboard:
        yield from why_no_place(state, unit)
    if is_shaken(unit):
        yield rule(
            (
                "assalto.chi#pronta",
                "movimento.immobilizzate#non-muovono",
                (
                    "condizioni.bloccata#vietato"
                    if unit.condition == PINNED
                    else "condizioni.disgregata#vietato"
                ),
            ),
            N_("{unit} is {condition}"),
            unit=unit.id,
            condition=unit.condition,
        )


def why_not_begin(state: State, unit: Unit, active: Active) -> Iterator[Ruling]:
    """Why the active squad may not assault from where it is."""
    if unit.aboard:
        yield rule("trasporto.a-bordo#scende", N_("{unit} must dismount first"), unit=unit.id)
        return
    if active.wired:
        yield rule(
            ("assalto.no-mine-filo#entrata", "casa.50"),
            N_("{unit} entered wire or mines in this activation"),
            unit=unit.id,
        )
    near = ground(state).near[unit.hex]
    if not any(next(why_not_assault(state, unit, label), None) is None for label in near):
        yield rule(
            "assalto.bersaglio#adiacente",
            N_("No adjacent hex that {unit} may assault"),
            unit=unit.id,
        )


def why_not_assault(state: State, unit: Unit, label: str) -> Iterator[Ruling]:
    """Why an adjacent hex may not be assaulted (assalto.bersaglio)."""
    here = enemies_at(state, label, unit.side)
    if not here:
        yield rule("assalto.bersaglio#adiacente", N_("No enemy in {hex}"), hex=label)
        return
    if all(one.concealed for one in here):
        yield rule(
            ("assalto.bersaglio#nascoste", "nascoste.immunita#assalto", "casa.17"),
            N_("Only concealed squads in {hex}"),
            hex=label,
        )
    for one in here:
        if is_heavy(one):
            yield rule(
                "assalto.no-pesanti",
                N_("{unit} in {hex} is a heavy vehicle"),
                unit=one.id,
                hex=label,
            )
    yield from _why_not_across(state, unit, label, supports=False)


def _why_not_across(state: State, unit: Unit, label: str, supports: bool) -> Iterator[Ruling]:
    """What keeps a squad from an adjacent hex: a cliff, or being halved twice."""
    if is_cliff(ground(state), unit.hex, label):
        yield rule(
            ("terreno.strapiombo", "casa.15#impedisce"),
            N_("A cliff between {a} and {b}"),
            a=unit.hex,
            b=label,
        )
    causes = tuple(attack_halvings(state, unit, label, supports))
    if len(causes) > 1:
        yield halved_twice(unit, causes)


def attack_halvings(state: State, unit: Unit, label: str, supports: bool) -> Iterator[Ruling]:
    """What halves a squad that assaults or supports an assault. Smoke around it does not."""
    if supports:
        yield rule("assalto.1-supporto#meta", N_("{unit}: support halves"), unit=unit.id)
    here = obstacles_at(state, unit.hex)
    if WIRE in here:
        yield rule(
            ("ostacoli.filo-meta#meta", "faq.assalto-da-filo#meta"),
            N_("{unit}: assault from razor wire halves"),
            unit=unit.id,
        )
    if MINES in here:
        yield rule(
            "ostacoli.mine-meta#meta", N_("{unit}: assault from a minefield halves"), unit=unit.id
        )
    if label in state.smoke:
        yield rule(
            "fumo.assalto-contro#sostegno" if supports else "fumo.assalto-contro#attiva",
            N_("{unit}: assault into smoke halves"),
            unit=unit.id,
        )


def why_not_support(state: State, unit: Unit, label: str) -> Iterator[Ruling]:
    """Why a squad may not support an assault on a hex (assalto.1-supporto)."""
    if not unit.is_squad:
        yield rule(
            "assalto.chi#solo-squadre", N_("{unit} is a vehicle: only squads assault"), unit=unit.id
        )
        return
    if ground(state).distance(unit.hex, label) != 1:
        yield rule(
            "assalto.1-supporto#adiacenti",
            N_("{unit} is not adjacent to {hex}"),
            unit=unit.id,
            hex=label,
        )
        return
    if has_heavy_weapon(unit):
        yield rule(
            ("assalto.chi#armi-pesanti", "definizioni.armi-pesanti#assalto"),
            N_("{unit} has heavy weapons"),
            unit=unit.id,
        )
    if is_shaken(unit):
        yield rule(
            "assalto.1-supporto#stato",
            N_("{unit} is {condition}"),
            unit=unit.id,
            condition=unit.condition,
        )
    yield from _why_not_across(state, unit, label, supports=True)


# --- the eleven steps -------------------------------------------------------------------------


def assault(ctx: Ctx[State], name: str) -> None:
    """Resolve the assault of the active squad, from target to fatigue."""
    label = choose_hex(ctx, name)
    with ctx.under("assalto.bersaglio#tutto", N_("{unit} assaults {hex}"), unit=name, hex=label):
        if ctx.state.units[name].concealed:
            ctx.do(Revealed(unit=name), "nascoste.rivela-attacco")
        supports = choose_supporters(ctx, name, label)
        tired = {one for one in (name, *supports) if ctx.state.units[one].activation == FATIGUED}
        side = enemy(ctx.state.units[name].side)
        ask_concealed(ctx, name, label)
        attack = attack_power(ctx, name, supports, label)
        defence = defence_power(ctx, name, label)
        red = defence_cover(ctx, name, supports, label)
        hits = roll_attack(ctx, name, attack, red)
        answer = roll_answer(ctx, label, defence)
        attacker_losses(ctx, name, supports, answer)
        defender_losses(ctx, label, side, hits)
        if answer >= hits:
            dead = hits and not defenders(ctx.state, label, side)
            ctx.cite(
                ("assalto.8-fallito#fallisce", "casa.42" if dead else ""),
                N_("The assault fails: {a} hits against {b}"),
                a=hits,
                b=answer,
            )
        else:
            ctx.cite(
                "assalto.9-ritirata#riesce",
                N_("The assault succeeds: {a} hits against {b}"),
                a=hits,
                b=answer,
            )
            if retreat(ctx, label, side):
                advance(ctx, label, name, supports, tired)
        for one in (name, *supports):
            unit = ctx.state.units.get(one)
            if unit is not None and unit.activation != FATIGUED:
                ctx.do(Fatigued(unit=one), "assalto.11-affaticamento")
        look(ctx)


def choose_hex(ctx: Ctx[State], name: str) -> str:
    """One adjacent hex with enemies (assalto.bersaglio)."""
    unit = ctx.state.units[name]
    field = ground(ctx.state)
    labels = [n for n in field.near[unit.hex] if enemies_at(ctx.state, n, unit.side)]
    choices = [place(label, label, hex=field.hex[label]) for label in labels]
    return ctx.choose(
        "assault.hex",
        seat_of(ctx.state, unit),
        choices,
        ("assalto.bersaglio#adiacente", "azione.assalto#attivi"),
        N_("{unit}: which hex is assaulted?"),
        why_not=lambda label: why_not_assault(ctx.state, unit, label),
        unit=name,
    )


def choose_supporters(ctx: Ctx[State], name: str, label: str) -> tuple[str, ...]:
    """Step 1: up to two squads adjacent to the target hex, even fatigued."""
    state = ctx.state
    unit = state.units[name]
    field = ground(state)
    pool = [
        one
        for one in on_map(state, unit.side)
        if one.id != name and one.is_squad and field.distance(one.hex, label) <= 2
    ]
    found: list[str] = []
    while len(found) < SUPPORTERS:
        left = [one for one in pool if one.id not in found]
        against = {one.id: next(why_not_support(state, one, label), None) for one in left}
        refused = {one: why for one, why in against.items() if why is not None}
        if len(refused) == len(against):
            near = {
                one: why
                for one, why in refused.items()
                if field.distance(state.units[one].hex, label) == 1
            }
            if near:
                words = N_("Nobody else can support the assault: {units}")
                ctx.cite(passed_over("assalto.1-supporto#due", near, words))
            break
        choices: list[Choice[str]] = [
            unit_choice(one.id, one.id, hex=field.hex[one.hex]) for one in left
        ]
        choices.append(button("assalto", "", N_("No more support: assault")))
        chosen = ctx.choose(
            "assault.support",
            seat_of(state, unit),
            choices,
            ("assalto.1-supporto#due", "azione.senza-attivazione#assalto"),
            N_("{unit} assaults {hex}: who supports?"),
            why_not=lambda one: why_not_support(state, state.units[one], label) if one else None,
            unit=name,
            hex=label,
        )
        if not chosen:
            break
        found.append(chosen)
        ctx.cite("assalto.1-supporto#due", N_("{unit} supports the assault"), unit=chosen)
        if state.units[chosen].concealed:
            ctx.do(Revealed(unit=chosen), "nascoste.rivela-attacco")
    return tuple(found)


def ask_concealed(ctx: Ctx[State], name: str, label: str) -> None:
    """Concealed defenders reveal themselves and fight, or stay out (faq.assalto-nascoste)."""
    side = ctx.state.units[name].side
    for one in enemies_at(ctx.state, label, side):
        if not one.concealed:
            continue
        choices: list[Choice[bool]] = [
            button("partecipa", True, N_("{unit} is revealed and fights"), unit=one.id),
            button("nascosta", False, N_("{unit} stays out of it"), unit=one.id),
        ]
        if ctx.choose(
            "assault.concealed",
            seat_of(ctx.state, one),
            choices,
            "faq.assalto-nascoste#sceglie",
            N_("{unit} is concealed in {hex}: does it fight?"),
            unit=one.id,
            hex=label,
        ):
            ctx.do(Revealed(unit=one.id), "faq.assalto-nascoste#partecipa")
        else:
            ctx.cite("faq.assalto-nascoste#resta", N_("{unit} stays out of it"), unit=one.id)


def attack_power(ctx: Ctx[State], name: str, supports: tuple[str, ...], label: str) -> int:
    """Step 2: anti-infantry firepower, half of each supporter's (assalto.2-potenza)."""
    total = 0
    for one in (name, *supports):
        unit = ctx.state.units[one]
        tally = ctx.tally(N_("Assault firepower"))
        add_all(tally, squad_power(unit, unit.figures, in_assault=True))
        if skill(unit) == FLAMETHROWER:
            tally.add(
                FLAME_POWER,
                ("assalto.2-lanciafiamme", "casa.08"),
                N_("{unit}: flamethrower"),
                unit=one,
            )
        active = ctx.state.active
        if one == name and active is not None and active.bonus:
            given = next(
                card
                for card in CARDS.values()
                if (card.effect.id, card.effect.bonus) == (active.card, active.bonus)
            )
            tally.add(
                active.bonus,
                "strategia.carta-prevale",
                N_("{card}"),
                card=given.id,
                **doubt(given.provenance),
            )
        causes = tuple(attack_halvings(ctx.state, unit, label, supports=one != name))
        if causes:
            halve(tally, one, causes[0])
        if unit.hex in ctx.state.smoke:
            ctx.cite(
                "fumo.assalto-da", N_("{unit}: assaulting from smoke does not halve"), unit=one
            )
        total += int(tally.total)
    useless = any(skill(ctx.state.units[one]) == ANTI_TANK for one in (name, *supports)) and any(
        map(is_vehicle, defenders(ctx.state, label, enemy(ctx.state.units[name].side)))
    )
    ctx.cite(
        ("assalto.2-potenza#somma", "casa.53" if useless else ""),
        N_("Assault: {n} black dice"),
        n=total,
    )
    return total


def defenders(state: State, label: str, side: Side) -> list[Unit]:
    """The units of a side that defend a hex: concealed squads that stay out do not."""
    return [one for one in friends_at(state, label, side) if not one.concealed]


def defence_power(ctx: Ctx[State], name: str, label: str) -> int:
    """Step 3: the firepower of squads and light vehicles (assalto.3-difesa)."""
    state = ctx.state
    side = enemy(state.units[name].side)
    team = {seat_of(state, one) for one in defenders(state, label, side)}
    if is_team(state, side) and len(team) > 1:
        ctx.cite("squadre-gioco.insieme", N_("The two divisions make one roll"))
    total = 0
    for unit in defenders(state, label, side):
        tally = ctx.tally(N_("Defence firepower"))
        causes = tuple(defence_halvings(state, unit))
        if unit.condition == DISRUPTED:
            ctx.cite(
                ("assalto.3-difesa#disgregate", "condizioni.disgregata#assalto"),
                N_("{unit} is disrupted: 0 dice"),
                unit=unit.id,
            )
            continue
        if len(causes) > 1:
            ctx.cite(
                ("modificatori.dimezza-una-volta#difesa", "casa.09"),
                N_("{unit} is halved twice: 0 dice"),
                unit=unit.id,
            )
            continue
        add_all(tally, _own_power(unit))
        if unit.is_squad and make(unit.figures).mortars:
            ctx.cite("miniature.mortaio.minima", N_("{unit}: mortars add nothing"), unit=unit.id)
        if unit.condition == PINNED and officer_at(state, unit.hex, unit.side):
            ctx.cite(
                ("assalto.3-ufficiale", "faq.bloccata-ufficiale-assalto"),
                N_("{unit}: an officer, full firepower"),
                unit=unit.id,
            )
        if causes:
            halve(tally, unit.id, causes[0])
        total += int(tally.total)
    spared = {WIRE, MINES} & set(obstacles_at(state, label))
    ctx.cite(
        ("assalto.3-difesa#somma", "casa.25#difesa" if spared else ""),
        N_("Defence: {n} black dice"),
        n=total,
    )
    return total


def _own_power(unit: Unit) -> Iterator[Modifier]:
    if unit.is_squad:
        yield from squad_power(unit, figures_of(unit, WHOLE), in_assault=True)
        return
    weapon = type_of(unit).infantry
    if weapon is not None:
        yield Modifier(
            weapon.power,
            rule(
                ("assalto.3-difesa#veicoli", "assalto.4-veicoli#potenza"),
                N_("firepower of {unit}"),
                unit=unit.id,
                **doubt(type_of(unit).source("fanteria")),
            ),
        )


def defence_halvings(state: State, unit: Unit) -> Iterator[Ruling]:
    """What halves a defender: pinned without officer, heavy damage, smoke; not wire or mines."""
    if unit.condition == PINNED and not officer_at(state, unit.hex, unit.side):
        rides = any(map(has_officer, aboard_at(state, unit.hex, unit.side)))
        yield rule(
            ("assalto.3-difesa#bloccate", "casa.20" if rides else ""),
            N_("{unit}: pinned, halves"),
            unit=unit.id,
        )
    if unit.damage == HEAVY:
        yield rule("danni.grave#meta", N_("{unit}: heavy damage halves"), unit=unit.id)
    if unit.hex in state.smoke:
        yield rule(
            "fumo.assalto-contro#difensori", N_("{unit}: defending in smoke halves"), unit=unit.id
        )


def defence_cover(ctx: Ctx[State], name: str, supports: tuple[str, ...], label: str) -> int:
    """Step 4: terrain once, every occupied trench and bunker (assalto.4-copertura)."""
    state = ctx.state
    here = defenders(state, label, enemy(state.units[name].side))
    red = ctx.tally(N_("Cover"))
    add_all(red, hex_cover(state, label))
    squads = [one for one in here if one.is_squad]
    if squads:
        add_all(red, traps(state, label))
    for one in squads:
        add_all(red, shelter(state, one))
    medics = [one for one in squads if skill(one) == MEDIC]
    for modifier in bandages(state, medics[0]) if medics else ():
        red.add(
            modifier.value,
            (
                "faq.bendaggio-assalto#difende",
                "casa.26",
                "specializzazioni.medico.bendaggio#assalto",
            ),
            N_("{unit}: medics"),
            unit=medics[0].id,
        )
    flames = [one for one in (name, *supports) if skill(state.units[one]) == FLAMETHROWER]
    if flames and red.total:
        reduced = max(-int(red.total), FLAME_COVER)
        red.add(
            reduced,
            "assalto.4-lanciafiamme",
            N_("{unit}: flamethrower, less cover"),
            unit=flames[0],
        )
    if any(is_vehicle(one) for one in here):
        ctx.cite("assalto.4-veicoli#blindatura", N_("Vehicles add no armor in an assault"))
    if any(has_officer(one) or make(one.figures).elites for one in squads):
        ctx.cite(
            ("assalto.4-copertura#soppressivi", "casa.26"),
            N_("Officers and elite figures add no cover in an assault"),
        )
    ctx.cite("assalto.4-copertura#totale", N_("Cover of the hex: {n} red dice"), n=int(red.total))
    return int(red.total)


def roll_attack(ctx: Ctx[State], name: str, black: int, red: int) -> int:
    """Step 4: black dice hit with 4 or more, red dice save with 5 or more (assalto.4-lancio)."""
    net = ctx.roll(
        attack_dice(black, red),
        net_hits(black, ASSAULT_NEED),
        "assalto.4-lancio#dadi",
        N_("{unit} rolls {black} black and {red} red dice, {need} or more"),
        unit=name,
        black=black,
        red=red,
        need=ASSAULT_NEED,
    )
    ctx.cite("assalto.4-lancio#differenza", N_("The attacker scores {n} hits"), n=net)
    return net


def roll_answer(ctx: Ctx[State], label: str, dice: int) -> int:
    """Step 5: the defender answers; the attacker has no cover (assalto.5-risposta)."""
    if not dice:
        ctx.cite(("assalto.5-risposta#lancia", "casa.41"), N_("The defender has no dice"))
        return 0
    hits = ctx.roll(
        BLACK * dice,
        successes(ASSAULT_NEED),
        ("assalto.5-risposta#lancia", "casa.41"),
        N_("The defenders of {hex} roll {black} black dice"),
        hex=label,
        black=dice,
    )
    ctx.cite(("assalto.5-risposta#colpo", "casa.41"), N_("The defender scores {n} hits"), n=hits)
    return hits


def attacker_losses(ctx: Ctx[State], name: str, supports: tuple[str, ...], hits: int) -> None:
    """Step 6: a normal attack; the active squad first, then supporters."""
    if hits:
        ctx.cite(
            "assalto.6-perdite-attaccante#una-per-colpo",
            N_("The attacker loses {n} figures"),
            n=hits,
        )
        hits = lose_figures(ctx, name, hits, "assalto.6-perdite-attaccante#una-per-colpo")
    left = list(supports)
    while hits and left:
        victim = left[0]
        if len(left) > 1:
            choices = [unit_choice(one, one) for one in left]
            victim = ctx.choose(
                "assault.supporter-losses",
                seat_of(ctx.state, ctx.state.units[victim]),
                choices,
                (
                    "assalto.6-perdite-attaccante#una-per-colpo",
                    "casa.59#chi" if is_team(ctx.state, ctx.state.units[victim].side) else "",
                ),
                N_("Which supporting squad takes the losses?"),
            )
        left.remove(victim)
        hits = lose_figures(ctx, victim, hits, "assalto.6-perdite-attaccante#una-per-colpo")
    if hits:
        ctx.cite(
            "assalto.6-perdite-attaccante#una-per-colpo",
            N_("{n} hits beyond the last figure are lost"),
            n=hits,
        )


def defender_losses(ctx: Ctx[State], label: str, side: Side, hits: int) -> None:
    """Step 7: the defender distributes the hits as he likes (assalto.7-perdite-difensore)."""
    here = [one.id for one in defenders(ctx.state, label, side)]
    room = {
        one: hits_to_destroy(ctx.state, one)
        if is_vehicle(ctx.state.units[one])
        else len(ctx.state.units[one].figures)
        for one in here
    }
    given = dict.fromkeys(here, 0)
    if hits:
        ctx.cite(
            "assalto.7-perdite-difensore#distribuisce", N_("The defender takes {n} hits"), n=hits
        )
    if hits >= sum(room.values()):
        given = room
        if more := hits - sum(room.values()):
            ctx.cite(
                "assalto.7-perdite-difensore#tutti",
                N_("{n} hits beyond the last figure are lost"),
                n=more,
            )
    else:
        for _ in range(hits):
            open_ = [one for one in here if given[one] < room[one]]
            chosen = open_[0]
            if len(open_) > 1:
                chosen = _choose_victim(ctx, here, room, given)
            given[chosen] += 1
    for one, count in given.items():
        if not count:
            continue
        if is_vehicle(ctx.state.units[one]):
            ctx.cite("assalto.7-veicoli#insieme", N_("{unit}: {n} hits"), unit=one, n=count)
            damage_vehicle(ctx, one, count)
        else:
            lose_figures(ctx, one, count, "assalto.7-perdite-difensore#distribuisce")


def _choose_victim(
    ctx: Ctx[State], here: list[str], room: dict[str, int], given: dict[str, int]
) -> str:
    hexes = ground(ctx.state).hex
    units = ctx.state.units

    def why_not(one: str) -> Iterator[Ruling]:
        if given[one] >= room[one]:
            yield rule(
                (
                    "assalto.7-perdite-difensore#tutti",
                    "assalto.7-veicoli#massimo" if is_vehicle(units[one]) else "",
                ),
                N_("{unit} cannot take more than {n} hits"),
                unit=one,
                n=room[one],
            )

    return ctx.choose(
        "assault.losses",
        seat_of(ctx.state, units[here[0]]),
        [unit_choice(one, one, hex=hexes[units[one].hex]) for one in here],
        (
            "assalto.7-perdite-difensore#distribuisce",
            "casa.59#una-persona" if is_team(ctx.state, units[here[0]].side) else "",
        ),
        N_("Which unit takes a hit?"),
        why_not=why_not,
    )


# --- retreat and advance ----------------------------------------------------------------------


def retreat(ctx: Ctx[State], label: str, side: Side) -> bool:
    """Step 9: all surviving defenders go to one adjacent hex. Whether the hex is now free."""
    for one in friends_at(ctx.state, label, side):
        if one.concealed:
            ctx.do(Revealed(unit=one.id), "faq.assalto-nascoste#vince")
    if not friends_at(ctx.state, label, side):
        return True
    if stand_fast(ctx, label, side):
        return False
    lose_the_lame(ctx, label, side)
    group = friends_at(ctx.state, label, side)
    if not group:
        return True
    field = ground(ctx.state)
    near = field.near[label]
    if not any(next(why_not_retreat(ctx.state, group, label, n), None) is None for n in near):
        for one in group:
            destroy(ctx, one.id, "assalto.9-impossibile#distrutte")
        return True
    to = ctx.choose(
        "assault.retreat",
        seat_of(ctx.state, group[0]),
        [place(n, n, hex=field.hex[n]) for n in near],
        (
            "assalto.9-ritirata#un-esagono",
            "movimento.mezzi-esagoni#vietato",
            "casa.59#una-persona" if is_team(ctx.state, side) else "",
        ),
        N_("Where do the defenders of {hex} retreat?"),
        why_not=lambda n: why_not_retreat(ctx.state, group, label, n),
        hex=label,
    )
    for one in group:
        fall_back(ctx, one, to)
    crowd(ctx, to, side)
    retreat_into_mines(ctx, group, to)
    return True


def lose_the_lame(ctx: Ctx[State], label: str, side: Side) -> None:
    """Disrupted squads and vehicles that cannot move are destroyed (assalto.9-condizioni)."""
    for one in friends_at(ctx.state, label, side):
        if one.condition == DISRUPTED:
            if operation(ctx.state, side, "no_surrender"):
                ctx.cite(
                    (
                        "operazioni.generale#regola",
                        "strategia.carta-prevale",
                        "assalto.9-condizioni#ritirata/disgregata",
                    ),
                    N_("{unit} is disrupted but retreats: no surrender"),
                    unit=one.id,
                )
            else:
                ctx.do(
                    UnitLost(unit=one.id),
                    ("assalto.9-condizioni#ritirata/disgregata", "condizioni.disgregata#assalto"),
                    N_("{unit} is disrupted: destroyed"),
                    unit=one.id,
                )
        elif one.damage == HEAVY:
            ctx.cite("casa.23#danno-grave", N_("{unit} cannot move"), unit=one.id)
            destroy(ctx, one.id, "casa.23#danno-grave")


def retreat_into_mines(ctx: Ctx[State], group: list[Unit], label: str) -> None:
    """Mines strike whoever retreats into them (casa.24)."""
    if MINES in obstacles_at(ctx.state, label):
        for one in group:
            if one.id in ctx.state.units:
                ctx.cite("casa.24#mine", N_("{unit} retreats into a minefield"), unit=one.id)
                strike_mines(ctx, one.id)


def stand_fast(ctx: Ctx[State], label: str, side: Side) -> bool:
    """A lasting card lets the defenders stay, pinned (strategia.area-di-gioco)."""
    here = friends_at(ctx.state, label, side)
    card = lasting(ctx.state, here[0], "stand_fast", "must_retreat")
    if card is None or not offer_card(ctx, seat_of(ctx.state, here[0]), side, card):
        return False
    for one in here:
        if one.is_squad and one.condition == NORMAL:
            ctx.do(
                Pinned(unit=one.id), ("strategia.area-di-gioco#scarta", "strategia.carta-prevale")
            )
    return True


def can_enter(state: State, unit: Unit, label: str) -> bool:
    """Whether the terrain of a hex admits a unit."""
    terrain = ground(state).terrain[label]
    return (terrain.squads if unit.is_squad else terrain.vehicles) is not None


def why_not_retreat(state: State, group: list[Unit], origin: str, label: str) -> Iterator[Ruling]:
    """Why the defenders may not retreat to a hex (assalto.9-ritirata)."""
    if enemies_at(state, label, group[0].side):
        yield rule("assalto.9-ritirata#vietato", N_("{hex} holds enemies"), hex=label)
    if is_cliff(ground(state), origin, label):
        yield rule(
            ("terreno.strapiombo", "casa.15#impedisce"),
            N_("A cliff between {a} and {b}"),
            a=origin,
            b=label,
        )
    if not any(can_enter(state, unit, label) for unit in group):
        yield rule(
            ("assalto.9-impossibile#non-valido", "casa.23#valido"),
            N_("Nobody can enter {hex}"),
            hex=label,
        )


def fall_back(ctx: Ctx[State], unit: Unit, label: str) -> None:
    """One unit retreats, and pays for it (assalto.9-condizioni)."""
    if not can_enter(ctx.state, unit, label):
        destroy(ctx, unit.id, "casa.23#distrutta")
        return
    ctx.do(Displaced(unit=unit.id, hex=label), ("assalto.9-ritirata#riesce", "assalto.9-no-op"))
    if unit.condition == PINNED:
        ctx.do(Disrupted(unit=unit.id), "assalto.9-condizioni#ritirata/bloccata")
    if unit.activation != FATIGUED:
        ctx.do(Fatigued(unit=unit.id), "assalto.9-condizioni#ritirata/pronta o in fuoco op")


def crowd(ctx: Ctx[State], label: str, side: Side) -> None:
    """Units beyond the stacking limit are destroyed, by their owner's choice."""
    while True:
        here = friends_at(ctx.state, label, side)
        units, vehicles = excess(here)
        if not units and not vehicles:
            return
        pool = [one for one in here if is_vehicle(one)] if vehicles else here
        hexes = ground(ctx.state).hex
        lost = ctx.choose(
            "assault.excess",
            seat_of(ctx.state, pool[0]),
            [unit_choice(one.id, one.id, hex=hexes[label]) for one in pool],
            (
                "assalto.9-eccedenze",
                "accentramento.ritirata",
                "casa.57",
                "casa.59#una-persona" if is_team(ctx.state, side) else "",
            ),
            N_("Too many units in {hex}: which is lost?"),
            hex=label,
        )
        destroy(ctx, lost, ("assalto.9-eccedenze", "accentramento.limite#tre", "casa.57"))


def advance(
    ctx: Ctx[State], label: str, name: str, supports: tuple[str, ...], tired: set[str]
) -> None:
    """Step 10: the assaulting squads may enter the hex, if not fatigued before."""
    left = [one for one in (name, *supports) if one in ctx.state.units]

    def why_not(one: str) -> Iterator[Ruling]:
        if not one:
            return
        unit = ctx.state.units[one]
        if one in tired:
            yield rule(
                "assalto.10-avanzata#affaticate",
                N_("{unit} was fatigued before the assault"),
                unit=one,
            )
        yield from why_not_stay(ctx.state, unit, label)

    moved = False
    while left and any(next(why_not(one), None) is None for one in left):
        hexes = ground(ctx.state).hex
        units = ctx.state.units
        choices: list[Choice[str]] = [
            unit_choice(one, one, hex=hexes[units[one].hex]) for one in left
        ]
        choices.append(button("no", "", N_("Nobody else advances")))
        chosen = ctx.choose(
            "assault.advance",
            seat_of(ctx.state, units[left[0]]),
            choices,
            "assalto.10-avanzata#possono",
            N_("Who advances into {hex}?"),
            why_not=why_not,
            hex=label,
        )
        if not chosen:
            if not moved:
                ctx.cite("assalto.10-avanzata#sceglie", N_("Nobody advances into {hex}"), hex=label)
            return
        moved = True
        left.remove(chosen)
        ctx.do(
            Displaced(unit=chosen, hex=label),
            (
                "assalto.10-avanzata#possono",
                "assalto.10-no-op",
                "faq.avanzata-fortificazione#fuori" if forts_at(ctx.state, label) else "",
            ),
        )
        if MINES in obstacles_at(ctx.state, label):
            ctx.cite("casa.24#mine", N_("{unit} advances into a minefield"), unit=chosen)
            strike_mines(ctx, chosen)
    if left and not moved:
        against = {one: next(why_not(one)) for one in left}
        words = N_("Nobody can advance into {hex}: {units}")
        ctx.cite(passed_over("assalto.10-avanzata#possono", against, words, hex=label))
