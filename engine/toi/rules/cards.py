"""Strategy cards: playing them, their keywords and their effects (the chapter on cards).

Refs: strategia.generale, strategia.carta-prevale, strategia.area-di-gioco, strategia.no-rimescola,
strategia.tipi, strategia.parole-chiave, strategia.contatto, strategia.esagono-obiettivo,
strategia.spostamento, strategia.numero-spostamento, strategia.lancio-spostamento,
strategia.fuori-mappa, strategia.fuoco-amico, strategia.attacco-area, strategia.area-scoppio,
azione.carta, comando.carte, stato.pesca-vuoto, squadre-gioco.carte, squadre-gioco.visuale,
errata.alla-riscossa, casa.02b, casa.19, casa.27, casa.33.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial

import msgspec

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, place
from engine.core.decisions import unit as unit_choice
from engine.core.dice import Dice
from engine.core.hexes import DIRECTIONS, Hex, add
from engine.core.rules import Locators, Ruling, Side
from engine.core.text import N_
from engine.kit.modifiers import Modifier
from engine.toi.rules import actions, movement
from engine.toi.rules.area import area_attack
from engine.toi.rules.assault import why_not_order
from engine.toi.rules.concealed import is_adjacent_to_enemy, look, why_not_conceal
from engine.toi.rules.fire import offer_card
from engine.toi.rules.ground import ground, sees
from engine.toi.rules.hq import cheapening, cost_of, lasting_for
from engine.toi.rules.reinforcements import bring_in, receive_squad
from engine.toi.rules.suppression import NORMAL_ATTACK, SUPPRESSIVE, suppress
from engine.toi.rules.works import dig, place_smoke, why_not_dig, why_not_smoke, why_not_wire
from engine.toi.state import tables
from engine.toi.state.book import BLACK, DIE, RED, because, passed_over, rule
from engine.toi.state.dice import successes
from engine.toi.state.events import (
    ActionsGranted,
    CardDrawn,
    CardKept,
    CardSpent,
    CommandGained,
    CommandSpent,
    Concealed,
    Damaged,
    FigureGained,
    InitiativeRaised,
    ObstaclePlaced,
    Pinned,
    Rallied,
    Readied,
    TokenGiven,
)
from engine.toi.state.limits import why_no_piece, why_no_token
from engine.toi.state.state import (
    ADVANCE,
    ASSAULT,
    DISRUPTED,
    FATIGUED,
    HEAVY,
    INTACT,
    LIGHT,
    NORMAL,
    PINNED,
    WIRE,
    State,
    Unit,
    enemy,
)
from engine.toi.state.tables import Attack, StrategyCard
from engine.toi.state.units import (
    at,
    enemies_at,
    has_heavy_weapon,
    has_officer,
    is_ready,
    is_reduced,
    is_team,
    nation_of,
    on_map,
    seat_of,
    type_of,
    units_of,
)

BLIND, SEEN, GUIDED = 6, 4, 3

# --- drawing ----------------------------------------------------------------------------------


def draw_one(ctx: Ctx[State], seat: Side, side: Side, ref: str, *, ask: bool = False) -> str:
    """Draw one card from an own deck of choice, face up (preparazione.3-mazzi, stato.pesca).

    `ask` puts the question even when only one deck is left.
    """
    decks = {name: pool for name, pool in ctx.state.armies[side].decks.items() if pool.items}
    deck = next(iter(decks))
    if len(decks) > 1 or ask:
        choices: list[Choice[str]] = [
            button(name, name, N_("Deck {deck}"), deck=name) for name in decks
        ]
        deck = ctx.choose(
            "cards.deck",
            seat,
            choices,
            ref,
            N_("{side} draws a card: from which deck?"),
            side=side,
        )
    card = ctx.draw(
        decks[deck],
        (ref, "strategia.no-rimescola#esaurito" if len(decks[deck].items) == 1 else ""),
        N_("{side} draws from {deck}"),
        side=side,
        deck=deck,
    )
    ctx.do(CardDrawn(side=side, deck=deck, card=card), (ref, "preparazione.aree#quartier-generale"))
    return card


# --- playing ----------------------------------------------------------------------------------


def why_not_play(state: State, seat: Side, name: str, phase: str) -> Iterator[Ruling]:
    """Why a card may not be activated now (strategia.generale)."""
    card = tables.CARDS[name]
    if card.phase != phase:
        yield _other_phase(name, card.phase)
    army = state.armies[nation_of(state, seat)]
    waiting = next((played for played in army.area if played.card == name), None)
    if waiting is not None:
        if card.lasting:
            yield rule(
                "strategia.area-di-gioco#restano", N_("{card} is in force already"), card=name
            )
        elif waiting.tried >= state.round:
            yield rule(
                ("strategia.contatto#ritenta", "casa.33"),
                N_("{card}: contact was tried in this round"),
                card=name,
            )
        return
    cost = cost_of(state, seat, name)
    if cost > army.command:
        yield rule(
            (
                "azione.carta#non-bastano" if phase == "action" else "comando.carte#paghi",
                "strategia.generale#non-puoi",
            ),
            N_("{card} costs {cost}, {command} command are available"),
            card=name,
            cost=cost,
            command=army.command,
        )


@lru_cache(maxsize=1024)
def _other_phase(card: str, phase: str) -> Ruling:
    return rule(
        ("strategia.generale#fase-comando", "comando.carte#attivi")
        if phase == "command"
        else ("strategia.generale#fase-azione", "azione.carta#scritta"),
        N_("{card} is played in another phase: {phase}"),
        card=card,
        phase=phase,
    )


def playable(state: State, seat: Side, phase: str) -> list[str]:
    """The cards that a player could think of playing: headquarters, and calls to be tried again."""
    army = state.armies[nation_of(state, seat)]
    calls = [played.card for played in army.area if not tables.CARDS[played.card].lasting]
    return [*army.hand, *(calls if phase == "action" else ())]


def play_card(ctx: Ctx[State], seat: Side, name: str) -> None:
    """Pay in full, apply at once, then discard or keep (azione.carta, comando.carte)."""
    card = tables.CARDS[name]
    state = ctx.state
    side = nation_of(state, seat)
    again = any(played.card == name for played in state.armies[side].area)
    with ctx.under(
        ("strategia.generale#fase-azione", "azione.carta#scritta")
        if card.phase == "action"
        else ("strategia.generale#fase-comando", "comando.carte#attivi"),
        N_("{side} activates {card}"),
        side=side,
        card=name,
        **tables.doubt(card.provenance),
    ):
        if again:
            ctx.cite(
                ("strategia.contatto#ritenta", "casa.33", "azione.speciale#comuni"),
                N_("{card}: contact is tried again, for free"),
                card=name,
            )
        else:
            pay(ctx, seat, side, card)
        if card.effect.contact and not make_contact(ctx, seat, side, card):
            return
        if card.lasting:
            until = ctx.state.round + 1 if card.effect.until else 0
            ctx.do(
                CardKept(side=side, card=name, seat=seat, until=until),
                "strategia.area-di-gioco#restano",
            )
            return
        ctx.do(
            CardSpent(side=side, card=name),
            ("strategia.generale#effetto", "strategia.no-rimescola#scatola"),
        )
        ctx.cite(
            (
                "strategia.carta-prevale",
                "squadre-gioco.carte#uno-solo" if is_team(state, side) else "",
            ),
            N_("Effect of {card}"),
            card=name,
        )
        EFFECTS[card.effect.id](ctx, seat, card)
        look(ctx)


def pay(ctx: Ctx[State], seat: Side, side: Side, card: StrategyCard) -> None:
    """The whole cost, first; other cards may lower it (strategia.tipi)."""
    cost = cost_of(ctx.state, seat, card.id)
    if cost < card.cost:
        ctx.cite(
            "strategia.tipi",
            N_("{card} costs {cost} instead of {full}, because of {by}"),
            card=card.id,
            cost=cost,
            full=card.cost,
            by=tuple([other.id for other in cheapening(ctx.state, seat, card)]),
        )
    if cost:
        ctx.do(CommandSpent(side=side, n=cost), ("strategia.generale#paghi", "comando.usi#carte"))


# --- the keywords of off-board attacks --------------------------------------------------------


def contact_number(state: State, seat: Side, card: StrategyCard) -> tuple[int, str]:
    """The number to reach, and the card that lowers it if one does (strategia.contatto)."""
    number = card.effect.contact
    easier = lasting_for(state, seat, "easier_contact")
    if easier is None or easier.effect.family != tables.DECKS[card.deck].family:
        return number, ""
    return max(easier.effect.minimum, number - easier.effect.n), easier.id


def make_contact(ctx: Ctx[State], seat: Side, side: Side, card: StrategyCard) -> bool:
    """One die; a failed card waits in the play area (strategia.contatto)."""
    number, easier = contact_number(ctx.state, seat, card)
    if number < card.effect.contact:
        ctx.cite(
            ("strategia.contatto#stabilito", "strategia.tipi"),
            N_("{card}: contact with {n} instead of {full}, because of {by}"),
            card=card.id,
            n=number,
            full=card.effect.contact,
            by=easier,
        )
    made = ctx.roll(
        DIE * 1,
        successes(number),
        "strategia.contatto#stabilito",
        N_("{card}: contact with {n} or more"),
        card=card.id,
        n=number,
    )
    if made:
        ctx.cite("strategia.contatto#stabilito", N_("{card}: contact"), card=card.id)
        return True
    ctx.do(
        CardKept(side=side, card=card.id, seat=seat, tried=ctx.state.round),
        ("strategia.contatto#fallito", "casa.33"),
        N_("{card}: no contact, it waits in the play area"),
        card=card.id,
    )
    return False


def why_not_aim_at(state: State, seat: Side, card: StrategyCard, label: str) -> Iterator[Ruling]:
    """Any hex, unless the card wants it seen (strategia.esagono-obiettivo)."""
    if card.effect.target == "seen" and not watchers(state, seat, label):
        yield rule(
            ("strategia.esagono-obiettivo#qualsiasi", "strategia.carta-prevale"),
            N_("No ready squad sees {hex}"),
            hex=label,
        )


def watchers(state: State, seat: Side, label: str) -> list[Unit]:
    """The ready squads of a player that see a hex (casa.27, squadre-gioco.visuale)."""
    return [
        unit
        for unit in mine(state, seat)
        if unit.is_squad and is_ready(unit) and sees(state, unit.hex, label)
    ]


def has_aim(state: State, seat: Side, card: StrategyCard) -> bool:
    """Whether some hex may be chosen."""
    return any(
        next(why_not_aim_at(state, seat, card, label), None) is None
        for label in ground(state).labels
    )


def choose_target_hex(ctx: Ctx[State], seat: Side, card: StrategyCard) -> str:
    """Place the target marker (strategia.esagono-obiettivo)."""
    field = ground(ctx.state)
    return ctx.choose(
        "cards.target",
        seat,
        [place(label, label, hex=h) for label, h in field.hex.items()],
        ("strategia.esagono-obiettivo#qualsiasi", "strategia.parole-chiave#esagono"),
        N_("{card}: which target hex?"),
        why_not=lambda label: why_not_aim_at(ctx.state, seat, card, label),
        card=card.id,
    )


def drift_number(state: State, seat: Side, label: str) -> Modifier:
    """6 unseen, 4 seen, 3 with an officer or a friend close by (strategia.numero-spostamento)."""
    seeing = watchers(state, seat, label)
    guide = _guided(state, seat, label, seeing)
    if guide is not None:
        return Modifier(GUIDED, guide)
    if seeing:
        shaken = seeing[0].condition != NORMAL
        found = rule(
            (
                "strategia.numero-spostamento#tiro/lo vede una squadra amica pronta",
                *(("faq.disgregate-mortai#osserva", "casa.19") if shaken else ()),
            ),
            N_("{unit} sees {hex}: drift number {n}"),
            unit=seeing[0].id,
            hex=label,
            n=SEEN,
        )
        return Modifier(SEEN, found)
    team = is_team(state, nation_of(state, seat))
    blind = rule(
        (
            "strategia.numero-spostamento#tiro/nessuna squadra amica pronta lo vede",
            "squadre-gioco.visuale" if team else "",
        ),
        N_("No ready squad sees {hex}: drift number {n}"),
        hex=label,
        n=BLIND,
    )
    return Modifier(BLIND, blind)


def _guided(state: State, seat: Side, label: str, seeing: list[Unit]) -> Ruling | None:
    """A friend close by, an officer or a forward observer guides the fire (casa.02b)."""
    friend = friend_near(state, seat, label)
    if friend is not None:
        return rule(
            (
                "strategia.numero-spostamento#tiro/contiene un'unità amica, o le è adiacente",
                "casa.02b",
                "casa.27#tre",
            ),
            N_("{unit} is in or next to {hex}: drift number {n}"),
            unit=friend.id,
            hex=label,
            n=GUIDED,
        )
    officer = next((unit for unit in seeing if has_officer(unit)), None)
    if officer is not None:
        return rule(
            (
                "strategia.numero-spostamento#tiro/lo vede una squadra amica pronta con ufficiale",
                "casa.02b",
            ),
            N_("{unit} has an officer and sees {hex}: drift number {n}"),
            unit=officer.id,
            hex=label,
            n=GUIDED,
        )
    if seeing and lasting_for(state, seat, "forward_observer"):
        return rule(
            ("strategia.numero-spostamento#basso", "casa.02b", "strategia.area-di-gioco#restano"),
            N_("{unit} is a forward observer of {hex}: drift number {n}"),
            unit=seeing[0].id,
            hex=label,
            n=GUIDED,
        )
    return None


def friend_near(state: State, seat: Side, label: str) -> Unit | None:
    """A unit of a player in a hex or next to it (casa.02b)."""
    side = nation_of(state, seat)
    for near in (label, *ground(state).near[label]):
        for unit in at(state, near):
            if unit.side == side and seat_of(state, unit) == seat:
                return unit
    return None


def drift(ctx: Ctx[State], seat: Side, label: str) -> str:
    """The final hex, or nothing when it falls off the map (strategia.lancio-spostamento)."""
    found = drift_number(ctx.state, seat, label)
    number = found.value
    ctx.cite(rule.also(found.ruling, "strategia.spostamento#numero"))
    black, red = _roll_drift(ctx, label, number)
    again = lasting_for(ctx.state, seat, "reroll_drift", "drift_rolled")
    if again is not None and offer_card(ctx, seat, nation_of(ctx.state, seat), again):
        black, red = _roll_drift(ctx, label, number)
    if not black:
        ctx.cite("strategia.lancio-spostamento#sul-bersaglio", N_("On target: {hex}"), hex=label)
        return label
    step = DIRECTIONS[red - 1]
    field = ground(ctx.state)
    start = field.hex[label]
    final = field.name.get(add(start, Hex(step.q * black, step.r * black)), "")
    direction = field.board.grid.direction_name(red - 1)
    ctx.cite(
        ("strategia.lancio-spostamento#si-sposta", "componenti.bersaglio-bussola#bussola"),
        N_("The target drifts {n} hexes {direction}"),
        n=black,
        direction=direction,
    )
    if not final:
        ctx.cite(
            ("strategia.fuori-mappa", "movimento.mezzi-esagoni#deriva"),
            N_("Off the map: no effect"),
        )
    return final


def _roll_drift(ctx: Ctx[State], label: str, number: int) -> tuple[int, int]:
    """Black: distance, 0 on target. Red: direction."""

    def read(faces: tuple[int, ...]) -> tuple[int, int]:
        black, red = faces
        return (0, 0) if black >= number else (black, red)

    return ctx.roll(
        Dice((BLACK, RED)),
        read,
        "strategia.lancio-spostamento#dadi",
        N_("Drift from {hex}: {n} or more stays"),
        hex=label,
        n=number,
    )


def off_board_attack(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """Target, drift, area attack, blast: friends are hit too (strategia.fuoco-amico)."""
    effect = card.effect
    if not has_aim(ctx.state, seat, card):
        ctx.cite(
            ("strategia.generale#effetto", "strategia.esagono-obiettivo#qualsiasi"),
            N_("{card} has no effect: no ready squad sees a hex"),
            card=card.id,
        )
        return
    label = choose_target_hex(ctx, seat, card)
    compass = choose_direction(ctx, seat, card) if effect.following else 0
    final = drift(ctx, seat, label) if effect.drift else label
    if not final:
        return
    ctx.cite("strategia.fuoco-amico", N_("Friends and enemies in {hex} alike"), hex=final)
    if effect.area is not None:
        strike(ctx, final, effect.area, "strategia.attacco-area#esegui")
    if effect.following is not None:
        beyond = ground(ctx.state).toward[final][compass]
        if beyond:
            strike(ctx, beyond, effect.following, "strategia.attacco-area#esegui")
        else:
            ctx.cite("strategia.fuori-mappa", N_("The second attack falls off the map: no effect"))
    if effect.blast is not None:
        for near in ground(ctx.state).near[final]:
            if at(ctx.state, near) or WIRE in ctx.state.obstacles.get(near, ()):
                strike(ctx, near, effect.blast, "strategia.area-scoppio#sei")


def strike(ctx: Ctx[State], label: str, attack: Attack, ref: str) -> None:
    """One area attack of a card: 5 and 6 hit, distances do not count."""
    kind = SUPPRESSIVE if attack.kind == "suppressive" else NORMAL_ATTACK
    with ctx.under(ref, N_("{n} dice on {hex}: {kind}"), n=attack.power, hex=label, kind=kind):
        area_attack(ctx, label, attack.power, kind)


def choose_direction(ctx: Ctx[State], seat: Side, card: StrategyCard) -> int:
    """A compass direction declared with the target."""
    grid = ground(ctx.state).board.grid
    choices: list[Choice[int]] = [
        button(
            grid.direction_name(d), d, N_("Towards {direction}"), direction=grid.direction_name(d)
        )
        for d in range(6)
    ]
    return ctx.choose(
        "cards.direction",
        seat,
        choices,
        ("strategia.carta-prevale", "componenti.bersaglio-bussola#bussola"),
        N_("{card}: in which direction does it go on?"),
        card=card.id,
    )


def off_board_smoke(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """Smoke on the final hex and on adjacent ones of choice."""
    label = choose_target_hex(ctx, seat, card)
    final = drift(ctx, seat, label) if card.effect.drift else label
    if not final:
        return
    for against in why_not_smoke(ctx.state, final):
        ctx.cite(against)
        break
    else:
        place_smoke(ctx, final, "fumo.piazzamento#uno")
    field = ground(ctx.state)
    for _ in range(card.effect.n):
        near = field.near[final]
        first = [next(why_not_smoke(ctx.state, label), None) for label in near]
        refused = [why for why in first if why is not None]
        if len(refused) == len(near):
            ctx.cite(
                because(
                    "fumo.piazzamento#uno", refused, N_("No more smoke around {hex}"), hex=final
                )
            )
            return
        choices: list[Choice[str]] = [place(one, one, hex=field.hex[one]) for one in near]
        choices.append(button("fine", "", N_("No more smoke")))
        more = ctx.choose(
            "cards.smoke",
            seat,
            choices,
            "fumo.piazzamento#uno",
            N_("{card}: smoke where?"),
            why_not=lambda one: why_not_smoke(ctx.state, one) if one else None,
            card=card.id,
        )
        if not more:
            return
        place_smoke(ctx, more, "fumo.piazzamento#uno")


# --- the other effects ------------------------------------------------------------------------


NO_EFFECT = N_("{card} has no effect")


def mine(state: State, seat: Side) -> list[Unit]:
    """The units on the map that a player's cards may touch (squadre-gioco.carte)."""
    return [unit for unit in units_of(state, seat) if unit.hex]


class Offer(msgspec.Struct, frozen=True):
    """The units or hexes that a card could work on, as its question takes them."""

    choices: list[Choice[str]]
    ref: Locators
    why_not: Callable[[str], Iterator[Ruling] | None]


def offer_units(
    ctx: Ctx[State],
    seat: Side,
    card: StrategyCard,
    units: list[Unit],
    why_not: Callable[[Unit], Iterator[Ruling]],
    *,
    may_stop: bool = False,
) -> Offer | None:
    """The units that a card could work on; None, and why, when it may work on none of them.

    `may_stop`: it has worked on some already, so that nothing needs to be said.
    """
    state = ctx.state
    against = {unit.id: next(why_not(unit), None) for unit in units}
    refused = {name: why for name, why in against.items() if why is not None}
    if len(refused) == len(against):
        if not may_stop:
            words = N_("{card} has no effect: {units}") if refused else NO_EFFECT
            ctx.cite(passed_over("strategia.generale#effetto", refused, words, card=card.id))
        return None
    hexes = ground(state).hex
    choices: list[Choice[str]] = [
        unit_choice(unit.id, unit.id, hex=hexes.get(unit.hex)) for unit in units
    ]
    if may_stop:
        choices.append(button("fine", "", N_("Nobody else")))
    team = is_team(state, nation_of(state, seat))
    return Offer(
        choices,
        ("strategia.carta-prevale", "squadre-gioco.carte#uno-solo" if team else ""),
        lambda name: why_not(state.units[name]) if name else None,
    )


def offer_hexes(
    ctx: Ctx[State], card: StrategyCard, why_not: Callable[[str], Iterator[Ruling]]
) -> Offer | None:
    """The hexes that a card could work on; None, and why, when it may work on none of them."""
    field = ground(ctx.state)
    if not any(next(why_not(label), None) is None for label in field.labels):
        every = [next(why_not(label)) for label in field.labels]
        words = N_("{card} has no effect: it may be used in no hex")
        ctx.cite(because("strategia.generale#effetto", every, words, card=card.id))
        return None
    choices = [place(label, label, hex=h) for label, h in field.hex.items()]
    return Offer(choices, "strategia.carta-prevale", why_not)


def rally_pinned(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """Up to n squads lose pinned."""
    for turn in range(card.effect.n):
        found = offer_units(
            ctx, seat, card, mine(ctx.state, seat), _why_not_pinned, may_stop=turn > 0
        )
        if found is None:
            return
        name = ctx.choose(
            "cards.rally",
            seat,
            found.choices,
            found.ref,
            N_("{card}: which pinned squad recovers?"),
            why_not=found.why_not,
            card=card.id,
        )
        if not name:
            return
        ctx.do(Rallied(unit=name), "strategia.carta-prevale")


def _why_not_pinned(unit: Unit) -> Iterator[Ruling]:
    if unit.condition != PINNED:
        yield rule("strategia.carta-prevale", N_("{unit} is not pinned"), unit=unit.id)


def rally_one(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """Disrupted becomes pinned, or pinned becomes normal."""
    found = offer_units(ctx, seat, card, mine(ctx.state, seat), _why_not_shaken)
    if found is None:
        return
    name = ctx.choose(
        "cards.rally",
        seat,
        found.choices,
        found.ref,
        N_("{card}: which squad recovers?"),
        why_not=found.why_not,
        card=card.id,
    )
    if ctx.state.units[name].condition == DISRUPTED:
        ctx.do(Pinned(unit=name), "strategia.carta-prevale")
    else:
        ctx.do(Rallied(unit=name), "strategia.carta-prevale")


def _why_not_shaken(unit: Unit) -> Iterator[Ruling]:
    if unit.condition == NORMAL:
        yield rule(
            "strategia.carta-prevale", N_("{unit} is neither pinned nor disrupted"), unit=unit.id
        )


def receive_regulars(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """Regular figures for reduced squads (definizioni.forza)."""
    side = nation_of(ctx.state, seat)
    regular = f"{side}_reg"
    for turn in range(card.effect.n):
        for against in why_no_piece(ctx.state, regular):
            ctx.cite(against)
            return
        found = offer_units(
            ctx, seat, card, mine(ctx.state, seat), _why_not_reduced, may_stop=turn > 0
        )
        if found is None:
            return
        name = ctx.choose(
            "cards.regular",
            seat,
            found.choices,
            found.ref,
            N_("{card}: which squad receives a regular?"),
            why_not=found.why_not,
            card=card.id,
        )
        if not name:
            return
        ctx.do(
            FigureGained(unit=name, figure=regular),
            ("strategia.carta-prevale", "definizioni.forza"),
        )


def _why_not_reduced(unit: Unit) -> Iterator[Ruling]:
    if not is_reduced(unit):
        yield rule("definizioni.forza", N_("{unit} is not a reduced squad"), unit=unit.id)


def draw_cards(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """Draw from an own deck; the plus sign does not count here (stato.pesca-piu)."""
    side = nation_of(ctx.state, seat)
    for _ in range(card.effect.n):
        if not any(pool.items for pool in ctx.state.armies[side].decks.values()):
            ctx.cite("stato.pesca-vuoto", N_("{side} has no cards left"), side=side)
            return
        draw_one(ctx, seat, side, "strategia.carta-prevale")


def shake(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """One die against the nerves of an enemy squad."""
    state = ctx.state
    side = nation_of(state, seat)
    reach = card.effect.range

    def why_not(unit: Unit) -> Iterator[Ruling]:
        if not unit.is_squad or unit.concealed:
            yield rule(
                ("strategia.carta-prevale", "nascoste.immunita#immune" if unit.concealed else ""),
                N_("{unit} is not a squad in the open"),
                unit=unit.id,
            )
        field = ground(state)
        if not any(
            field.distance(one.hex, unit.hex) <= reach for one in watchers(state, seat, unit.hex)
        ):
            yield rule(
                ("strategia.carta-prevale", "visuale.necessaria#serve"),
                N_("No ready squad sees {unit} within {n}"),
                unit=unit.id,
                n=reach,
            )

    found = offer_units(ctx, seat, card, on_map(state, enemy(side)), why_not)
    if found is None:
        return
    name = ctx.choose(
        "cards.enemy",
        seat,
        found.choices,
        found.ref,
        N_("{card}: which enemy squad?"),
        why_not=found.why_not,
        card=card.id,
    )
    if ctx.roll(
        DIE * 1,
        successes(card.effect.roll),
        "strategia.carta-prevale",
        N_("{unit} trembles with {n} or more"),
        unit=name,
        n=card.effect.roll,
    ):
        suppress(ctx, name, card.effect.n)
    else:
        ctx.cite("strategia.carta-prevale", N_("No effect on {target}"), target=name)


def assault_order(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """Ready squads assault one after the other, without the movement penalty."""
    state = ctx.state
    found = offer_units(ctx, seat, card, mine(state, seat), lambda unit: why_not_order(state, unit))
    if found is None:
        return
    name = ctx.choose(
        "cards.assault",
        seat,
        found.choices,
        found.ref,
        N_("{card}: which squad assaults?"),
        why_not=found.why_not,
        card=card.id,
    )
    movement.activate(
        ctx, name, ASSAULT, card="assault_order", bonus=card.effect.bonus, again=card.effect.n - 1
    )


def ready_unit(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """A fatigued unit is ready again."""

    def why_not(unit: Unit) -> Iterator[Ruling]:
        if unit.activation != FATIGUED:
            yield rule("strategia.carta-prevale", N_("{unit} is not fatigued"), unit=unit.id)

    owned = units_of(ctx.state, seat)
    found = offer_units(ctx, seat, card, owned, why_not)
    if found is None:
        return
    name = ctx.choose(
        "cards.ready",
        seat,
        found.choices,
        found.ref,
        N_("{card}: which unit is ready again?"),
        why_not=found.why_not,
        card=card.id,
    )
    ctx.do(Readied(unit=name), "strategia.carta-prevale")


def cut_initiative(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """Command leaves the enemy's initiative card."""
    foe = enemy(nation_of(ctx.state, seat))
    most = min(card.effect.n, ctx.state.armies[foe].initiative)
    if not most:
        ctx.cite(
            ("strategia.generale#effetto", "comando.iniziativa-spesa#sposti"),
            N_("{card} has no effect: no command on the initiative card of {side}"),
            card=card.id,
            side=foe,
        )
        return
    ctx.do(InitiativeRaised(side=foe, n=-most), "strategia.carta-prevale")


def raise_initiative(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """Command from the supply goes on the own initiative card."""
    side = nation_of(ctx.state, seat)
    ctx.do(InitiativeRaised(side=side, n=card.effect.n), "strategia.carta-prevale")


def more_actions(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """More actions in this action turn."""
    ctx.do(ActionsGranted(seat=seat, n=card.effect.n), "strategia.carta-prevale")


def receive_command(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """Command from the supply."""
    side = nation_of(ctx.state, seat)
    ctx.do(CommandGained(side=side, n=card.effect.n), "strategia.carta-prevale")


def coordinated_fire(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """One concentrated fire whose first supporters are not halved."""
    state = ctx.state
    found = offer_units(
        ctx, seat, card, mine(state, seat), lambda unit: actions.why_not_concentrate(state, unit)
    )
    if found is None:
        return
    name = ctx.choose(
        "cards.fire",
        seat,
        found.choices,
        found.ref,
        N_("{card}: which unit fires?"),
        why_not=found.why_not,
        card=card.id,
    )
    actions.concentrate(ctx, name, whole=card.effect.n)


def motor_column(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """A transport advances, then sets down a squad."""
    state = ctx.state

    def why_not(unit: Unit) -> Iterator[Ruling]:
        if unit.is_squad or not type_of(unit).transport:
            yield rule(
                ("strategia.carta-prevale", "trasporto.capacita#abilita"),
                N_("{unit} is not a transport"),
                unit=unit.id,
            )
            return
        yield from actions.why_not_advance(state, unit)

    found = offer_units(ctx, seat, card, mine(state, seat), why_not)
    if found is None:
        return
    name = ctx.choose(
        "cards.transport",
        seat,
        found.choices,
        found.ref,
        N_("{card}: which transport?"),
        why_not=found.why_not,
        card=card.id,
    )
    movement.activate(ctx, name, ADVANCE, card="motor_column")


def card_squad(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """A squad arrives at once in the reinforcement zone (stato.rinforzi)."""
    side = nation_of(ctx.state, seat)
    division = 1 + ctx.state.seats[side].index(seat)
    figures = tuple(f"{side}_{code}" for code in card.effect.figures)
    name = receive_squad(ctx, side, division, figures, "stato.rinforzi#carta")
    if name:
        bring_in(ctx, seat, [name])


def conceal_two(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """Two squads of one hex, not adjacent to enemies (errata.alla-riscossa)."""
    hidden: Unit | None = None
    for _ in range(card.effect.n):
        against = partial(_why_not_hide, ctx.state, hidden)
        found = offer_units(ctx, seat, card, mine(ctx.state, seat), against)
        if found is None:
            return
        name = ctx.choose(
            "cards.conceal",
            seat,
            found.choices,
            found.ref,
            N_("{card}: which squad is concealed?"),
            why_not=found.why_not,
            card=card.id,
        )
        hidden = hidden or ctx.state.units[name]
        ctx.do(Concealed(unit=name), "errata.alla-riscossa")


def _why_not_hide(state: State, first: Unit | None, unit: Unit) -> Iterator[Ruling]:
    """Why a squad is not concealed by a card, alone or after a first one."""
    if first is not None and unit.hex != first.hex:
        yield rule(
            "errata.alla-riscossa", N_("{unit} is not in {hex}"), unit=unit.id, hex=first.hex
        )
    if unit.is_squad and is_adjacent_to_enemy(state, unit):
        yield rule("errata.alla-riscossa", N_("{unit} is adjacent to an enemy"), unit=unit.id)
    if first is None and not _has_company(state, unit):
        yield rule(
            "errata.alla-riscossa", N_("No other squad in {hex} can be concealed"), hex=unit.hex
        )
    yield from why_not_conceal(state, unit)


def _has_company(state: State, unit: Unit) -> bool:
    """Another squad of the hex can be concealed as well, and two markers are left."""
    mates = [
        one
        for one in at(state, unit.hex)
        if one.id != unit.id
        and one.side == unit.side
        and seat_of(state, one) == seat_of(state, unit)
    ]
    return any(next(why_not_conceal(state, one), None) is None for one in mates)


def smoke_near(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """Smoke within reach of an own ready squad."""
    state = ctx.state
    field = ground(state)
    ready = [unit for unit in mine(state, seat) if unit.is_squad and is_ready(unit)]

    def why_not(label: str) -> Iterator[Ruling]:
        if not any(field.distance(unit.hex, label) <= card.effect.range for unit in ready):
            yield rule(
                "strategia.carta-prevale",
                N_("No ready squad within {n} of {hex}"),
                n=card.effect.range,
                hex=label,
            )
        yield from why_not_smoke(state, label)

    found = offer_hexes(ctx, card, why_not)
    if found is None:
        return
    label = ctx.choose(
        "cards.smoke",
        seat,
        found.choices,
        found.ref,
        N_("{card}: smoke where?"),
        why_not=found.why_not,
        card=card.id,
    )
    place_smoke(ctx, label, "fumo.piazzamento#uno")


def card_trench(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """A trench under an own squad, as engineers may dig (specializzazioni.ingegnere.limiti)."""
    state = ctx.state
    squads = {unit.hex for unit in mine(state, seat) if unit.is_squad}

    def why_not(label: str) -> Iterator[Ruling]:
        if label not in squads:
            yield rule("strategia.carta-prevale", N_("No own squad in {hex}"), hex=label)
        yield from why_not_dig(state, label)

    found = offer_hexes(ctx, card, why_not)
    if found is None:
        return
    label = ctx.choose(
        "cards.trench",
        seat,
        found.choices,
        found.ref,
        N_("{card}: a trench where?"),
        why_not=found.why_not,
        card=card.id,
    )
    dig(ctx, label, "strategia.carta-prevale")


def card_token(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """A specialization for a squad without heavy weapons (specializzazioni.una)."""
    state = ctx.state
    token = card.effect.token
    assert token is not None

    def why_not(unit: Unit) -> Iterator[Ruling]:
        if not unit.is_squad or has_heavy_weapon(unit):
            yield rule(
                (
                    "specializzazioni.assegnazione#armi-pesanti",
                    "definizioni.armi-pesanti#specializzazione",
                )
                if unit.is_squad
                else "specializzazioni.assegnazione#squadre",
                N_("{unit} is not a squad without heavy weapons"),
                unit=unit.id,
            )
        if unit.token:
            yield rule(
                "specializzazioni.una",
                N_("{unit} has a specialization already: {token}"),
                unit=unit.id,
                token=unit.token,
            )
        yield from why_no_token(state, token)

    found = offer_units(ctx, seat, card, mine(state, seat), why_not)
    if found is None:
        return
    name = ctx.choose(
        "cards.specialist",
        seat,
        found.choices,
        found.ref,
        N_("{card}: which squad?"),
        why_not=found.why_not,
        card=card.id,
    )
    side = nation_of(state, seat)
    ctx.do(TokenGiven(unit=name, side=side, token=token), "specializzazioni.assegnazione#nome")


def repair(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """One degree of damage less (danni.permane)."""
    state = ctx.state

    def why_not(unit: Unit) -> Iterator[Ruling]:
        if unit.damage == INTACT:
            yield rule("strategia.carta-prevale", N_("{unit} is not damaged"), unit=unit.id)
        elif is_adjacent_to_enemy(state, unit):
            yield rule(
                "strategia.carta-prevale", N_("{unit} is adjacent to an enemy"), unit=unit.id
            )

    found = offer_units(ctx, seat, card, mine(state, seat), why_not)
    if found is None:
        return
    name = ctx.choose(
        "cards.repair",
        seat,
        found.choices,
        found.ref,
        N_("{card}: which vehicle?"),
        why_not=found.why_not,
        card=card.id,
    )
    after = LIGHT if state.units[name].damage == HEAVY else INTACT
    ctx.do(Damaged(unit=name, damage=after), ("danni.permane#carta", "strategia.carta-prevale"))


def card_wire(ctx: Ctx[State], seat: Side, card: StrategyCard) -> None:
    """Wire next to an own squad, where no enemy is (ostacoli.filo-massimo)."""
    state = ctx.state
    field = ground(state)
    side = nation_of(state, seat)
    squads = [unit for unit in mine(state, seat) if unit.is_squad]

    def why_not(label: str) -> Iterator[Ruling]:
        if not any(field.distance(unit.hex, label) == card.effect.range for unit in squads):
            yield rule("strategia.carta-prevale", N_("No own squad next to {hex}"), hex=label)
        if enemies_at(state, label, side):
            yield rule("strategia.carta-prevale", N_("{hex} holds enemies"), hex=label)
        yield from why_not_wire(state, label)

    found = offer_hexes(ctx, card, why_not)
    if found is None:
        return
    label = ctx.choose(
        "cards.wire",
        seat,
        found.choices,
        found.ref,
        N_("{card}: wire where?"),
        why_not=found.why_not,
        card=card.id,
    )
    ctx.do(ObstaclePlaced(hex=label, kind=WIRE), "ostacoli.filo-massimo")


EFFECTS: dict[str, Callable[[Ctx[State], Side, StrategyCard], None]] = {
    "receive_regulars": receive_regulars,
    "rally_pinned": rally_pinned,
    "rally_one": rally_one,
    "draw_card": draw_cards,
    "shake": shake,
    "assault_order": assault_order,
    "ready_unit": ready_unit,
    "cut_initiative": cut_initiative,
    "raise_initiative": raise_initiative,
    "more_actions": more_actions,
    "receive_command": receive_command,
    "coordinated_fire": coordinated_fire,
    "motor_column": motor_column,
    "receive_squad": card_squad,
    "off_board_attack": off_board_attack,
    "off_board_smoke": off_board_smoke,
    "conceal": conceal_two,
    "place_smoke": smoke_near,
    "dig_trench": card_trench,
    "give_token": card_token,
    "repair": repair,
    "place_wire": card_wire,
}
"""What each card does; lasting cards work from the play area instead."""
