"""The attack sequence, in six steps (combat, «resolving an attack»).

Refs: attacco.sequenza, attacco.1-valore, attacco.1-squadra, attacco.2-difesa, attacco.3-tipo,
attacco.4-lancio, attacco.5-colpi, attacco.5-difesa, attacco.5-nullo, attacco.6-assegna,
attacco.scarsita-dadi, azione.concentrato, azione.fm, difesa.riduzioni,
miniature.carro.blindatura-solida, specializzazioni.lanciafiamme, faq.lanciafiamme-combinato,
nascoste.rivela-attacco, errata.mimetizzazione, casa.11, casa.56.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from engine.core.ctx import Ctx, Tally
from engine.core.decisions import Choice, button
from engine.core.decisions import unit as unit_choice
from engine.core.rules import Ruling, Side
from engine.core.text import N_, msg
from engine.kit.modifiers import Modifier, add_all
from engine.toi.rules.cover import FLAME_COVER, armor, cover, no_help
from engine.toi.rules.ground import ground
from engine.toi.rules.hq import lasting
from engine.toi.rules.suppression import NORMAL_ATTACK, SUPPRESSIVE, suffer
from engine.toi.rules.targets import (
    BAND,
    CLOSE,
    GUNS,
    LONG,
    MORTARS,
    NEED,
    RIFLES,
    STANDARD,
    WHOLE,
    Aim,
    Stance,
    aim,
    can_fire,
    clear_sight,
    legal_groups,
    stance,
    why_not_fire,
    why_not_halved,
)
from engine.toi.state import tables
from engine.toi.state.book import BLACK, rule
from engine.toi.state.dice import attack_dice, net_hits, successes, volley
from engine.toi.state.events import CardSpent, Revealed
from engine.toi.state.state import ANTI_TANK, FLAMETHROWER, NORMAL, OP_FIRE, State, Unit, enemy
from engine.toi.state.tables import StrategyCard
from engine.toi.state.units import (
    has_trait,
    is_heavy,
    is_vehicle,
    make,
    operation,
    place_of,
    seat_of,
    skill,
)

BLACK_DICE, RED_DICE = 14, 6
HALF = Fraction(1, 2)


class Attack(msgspec.Struct, frozen=True):
    """A declared attack on one unit: who leads, who supports, at what."""

    target: str
    lead: Aim
    supports: tuple[Aim, ...] = ()

    @property
    def aims(self) -> tuple[Aim, ...]:
        """Everybody who takes part, the lead first."""
        return (self.lead, *self.supports)

    @property
    def band(self) -> int:
        """The worst range band of all (fuoco-combinato.raggio)."""
        return max(one.band for one in self.aims)


# --- declaring --------------------------------------------------------------------------------


def targets(state: State, unit: Unit) -> list[Unit]:
    """The enemies that a unit could name (combattimento.bersaglio)."""
    foe = enemy(unit.side)
    return [one for one in state.units.values() if one.side == foe and (one.hex or one.aboard)]


def why_no_target(state: State, unit: Unit, mode: str, *refs: str) -> Iterator[Ruling]:
    """Why nobody can be fired at: halved twice, or nobody in range and sight.

    The nearest enemy stands for all; `refs` are the rules of the action.
    """
    how = stance(state, unit, mode)
    if how.against or len(how.halved) > 1:
        yield from how.against
        yield from why_not_halved(state, how)
        return
    every = targets(state, unit)
    if any(can_fire(state, how, one) for one in every):
        return
    yield rule(
        ("combattimento.requisiti#due-cose", *refs), N_("{unit} has no target"), unit=unit.id
    )
    if every:
        far = ground(state).distances(place_of(state, unit))
        nearest = min(every, key=lambda one: far[place_of(state, one)])
        yield from why_not_fire(state, how, nearest)


def choose_target(ctx: Ctx[State], name: str, mode: str) -> str:
    """Name one squad or one vehicle (combattimento.bersaglio)."""
    state = ctx.state
    how = stance(state, state.units[name], mode)
    hexes = ground(state).hex
    choices = [
        unit_choice(one.id, one.id, hex=hexes[place_of(state, one)])
        for one in targets(state, how.unit)
    ]
    return ctx.choose(
        "fire.target",
        seat_of(state, how.unit),
        choices,
        "combattimento.bersaglio#bersaglio",
        N_("{unit}: fire at whom?"),
        why_not=lambda target: why_not_fire(state, how, state.units[target]),
        unit=name,
    )


PARTS: dict[str, tuple[str, str]] = {
    WHOLE: ("tutti", N_("All figures")),
    RIFLES: ("fucilieri", N_("Only riflemen")),
    GUNS: ("mitragliatrici", N_("Only machine guns")),
}
"""The parts of a squad that may fire: button and words."""


def choose_group(ctx: Ctx[State], how: Stance, target: str) -> Aim:
    """Which figures take part: some may be left out (combattimento.miste)."""
    state = ctx.state
    found = legal_groups(state, how, state.units[target])
    group = found[0]
    if len(found) > 1:
        choices: list[Choice[str]] = [button(PARTS[one][0], one, PARTS[one][1]) for one in found]
        group = ctx.choose(
            "fire.figures",
            seat_of(state, how.unit),
            choices,
            ("combattimento.miste#lasciare-fuori", "casa.56"),
            N_("{unit}: which figures fire?"),
            unit=how.unit.id,
        )
    omitted = dict(left_out(state, how, group, state.units[target], chosen=len(found) > 1))
    if omitted:
        ctx.cite(
            tuple(ref for refs in omitted.values() for ref in refs),
            N_("{unit} fires without {parts}"),
            unit=how.unit.id,
            parts=tuple(omitted),
        )
    return aim(state, how, group, state.units[target])


def left_out(
    state: State, how: Stance, group: str, target: Unit, *, chosen: bool
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What a unit does not bring to an attack though it has it, and the rules that say so."""
    unit = how.unit
    if not unit.is_squad:
        return
    if make(unit.figures).mortars:
        never = (
            "miniature.mortaio.no-op#mai"
            if how.mode == OP_FIRE
            else "miniature.mortaio.no-misto#o-mortai-o-altro"
        )
        yield MORTARS, (never,)
    if group != WHOLE:
        part = GUNS if group == RIFLES else RIFLES
        if chosen:
            yield part, ("combattimento.miste#lasciare-fuori", "casa.56")
        else:
            yield part, ("combattimento.miste#senza-requisiti", "raggio.fuori")
    if unit.condition != NORMAL:
        is_close = ground(state).distance(unit.hex, target.hex) <= 1
        if (unit.token == FLAMETHROWER and is_close) or (
            unit.token == ANTI_TANK and is_vehicle(target)
        ):
            yield unit.token, ("specializzazioni.condizione#niente",)


# --- the six steps ----------------------------------------------------------------------------


def resolve(ctx: Ctx[State], attack: Attack) -> int:
    """Resolve a declared attack (attacco.sequenza). The hits suffered by the target."""
    with ctx.under(
        "attacco.sequenza#sei-passi",
        N_("{unit} attacks {target}"),
        unit=attack.lead.unit,
        target=attack.target,
    ):
        dice = attack_value(ctx, attack)
        kind = attack_type(ctx, attack)
        red = defence_value(ctx, attack, kind)
        hits = roll_to_hit(ctx, attack, dice, red)
        reveal_shooters(ctx, attack.aims, hits)
        if hits <= 0:
            ctx.cite(
                "attacco.5-nullo#senza-effetto", N_("No effect on {target}"), target=attack.target
            )
            return 0
        on_vehicle = is_vehicle(ctx.state.units[attack.target])
        ctx.cite(
            (
                "attacco.6-assegna#soppressivo" if kind == SUPPRESSIVE else "",
                "attacco.6-assegna#veicolo" if on_vehicle else "",
                "attacco.6-assegna#squadra" if kind == NORMAL_ATTACK and not on_vehicle else "",
            ),
            N_("{target}: {n} hits, {kind}"),
            target=attack.target,
            n=hits,
            kind=kind,
        )
        suffer(ctx, attack.target, hits, kind)
        return hits


def attack_value(ctx: Ctx[State], attack: Attack) -> int:
    """Step 1: the lead's firepower and half of each supporter's (attacco.1-valore)."""
    total = 0
    for one in attack.aims:
        dice = ctx.tally(N_("Firepower"))
        add_all(dice, one.power)
        if one is attack.lead:
            add_all(dice, attack_cards(ctx, attack))
        if one.halved:
            halve(dice, one.unit, one.halved[0])
        total += int(dice.total)
    ctx.cite("attacco.1-valore#dadi", N_("Attack value: {n} black dice"), n=total)
    return total


def halve(tally: Tally, name: str, cause: Ruling) -> None:
    """Halve once, after all additions, and round up (modificatori.ordine, .arrotonda)."""
    tally.times(HALF, rule.also(cause, "modificatori.ordine"))
    if tally.total.denominator > 1:
        up = -(-tally.total.numerator // tally.total.denominator)
        tally.set(up, "modificatori.arrotonda#per-eccesso", N_("{unit}: rounded up"), unit=name)


def attack_cards(ctx: Ctx[State], attack: Attack) -> Iterator[Modifier]:
    """Lasting cards that the attacker may discard before the roll."""
    state = ctx.state
    lead, target = state.units[attack.lead.unit], state.units[attack.target]
    if lead.is_squad and is_heavy(target):
        card = lasting(state, lead, "firepower_bonus", "squad_attacks_heavy")
    elif is_heavy(lead) and is_vehicle(target):
        card = lasting(state, lead, "firepower_bonus", "heavy_attacks_vehicle")
    else:
        card = None
    if card is not None and offer_card(ctx, seat_of(state, lead), lead.side, card):
        yield Modifier(
            card.effect.n,
            rule(
                ("strategia.area-di-gioco#scarta", "strategia.carta-prevale"),
                N_("{card}"),
                card=card.id,
                **tables.doubt(card.provenance),
            ),
        )


def offer_card(ctx: Ctx[State], seat: Side, side: Side, card: StrategyCard) -> bool:
    """Ask whether a lasting card is used and discarded now (strategia.area-di-gioco)."""
    choices: list[Choice[bool]] = [
        button("si", True, N_("Use {card}"), card=card.id),
        button("no", False, N_("Keep {card}"), card=card.id),
    ]
    if not ctx.choose(
        "cards.discard",
        seat,
        choices,
        "strategia.area-di-gioco#scarta",
        N_("Discard {card} for its effect?"),
        card=card.id,
    ):
        return False
    ctx.do(CardSpent(side=side, card=card.id), "strategia.area-di-gioco#scarta")
    return True


def attack_type(ctx: Ctx[State], attack: Attack) -> str:
    """Step 3: normal or suppressive, only against squads, before the roll (attacco.3-tipo)."""
    target = ctx.state.units[attack.target]
    if is_vehicle(target):
        ctx.cite(
            ("danni.tipi#veicolo", "attacco.3-tipo#veicolo"),
            N_("Always a normal attack against a vehicle"),
        )
        return NORMAL_ATTACK
    choices: list[Choice[str]] = [
        button("normale", NORMAL_ATTACK, N_("Normal attack")),
        button("soppressivo", SUPPRESSIVE, N_("Suppressive attack")),
    ]
    kind = ctx.choose(
        "fire.kind",
        seat_of(ctx.state, ctx.state.units[attack.lead.unit]),
        choices,
        ("attacco.3-tipo#dichiari", "danni.tipi#squadra"),
        N_("{unit}: normal or suppressive attack?"),
        unit=attack.lead.unit,
    )
    ctx.cite(
        "attacco.3-tipo#dichiari", N_("{unit} declares: {kind}"), unit=attack.lead.unit, kind=kind
    )
    return kind


def defence_value(ctx: Ctx[State], attack: Attack, kind: str) -> int:
    """Step 2: armor and cover of the target (attacco.2-difesa)."""
    state = ctx.state
    target = state.units[attack.target]
    red = ctx.tally(N_("Cover"))
    add_all(red, cover(state, target, kind))
    for found in no_help(state, target, kind):
        ctx.cite(found)
    if target.is_squad:
        card = lasting(state, target, "cover_bonus", "squad_attacked")
        if card is not None and offer_card(ctx, seat_of(state, target), target.side, card):
            red.add(
                card.effect.n,
                ("strategia.area-di-gioco#scarta", "strategia.carta-prevale"),
                N_("{card}"),
                card=card.id,
                **tables.doubt(card.provenance),
            )
    flames = [
        one for one in attack.aims if one.distance <= 1 and _has_flames(state.units[one.unit])
    ]
    if flames and red.total:
        reduced = max(-int(red.total), FLAME_COVER)
        red.add(
            reduced,
            (
                "specializzazioni.lanciafiamme#adiacente",
                "difesa.riduzioni",
                "" if target.is_squad else "casa.11",
                "faq.lanciafiamme-combinato#conserva" if attack.supports else "",
            ),
            N_("{unit}: flamethrower, less cover"),
            unit=flames[0].unit,
        )
    add_all(red, armor(target, covered=bool(red.total)))
    total = int(red.total)
    ctx.cite("attacco.2-difesa#dadi", N_("Defence value: {n} red dice"), n=total)
    return total


def _has_flames(unit: Unit) -> bool:
    return unit.is_squad and skill(unit) == FLAMETHROWER


def roll_to_hit(ctx: Ctx[State], attack: Attack, black: int, red: int) -> int:
    """Steps 4 and 5: roll, count successes by range band, subtract the red ones."""
    band = attack.band
    cite_range(ctx, attack)
    short = black > BLACK_DICE or red > RED_DICE
    words = N_("{unit} rolls {black} black and {red} red dice, {need} or more")
    facts = {"black": black, "red": red, "need": NEED[band]}
    dice = attack_dice(black, red)
    if _dice_matter(ctx.state, attack):
        left, red_failed, black_missed = ctx.roll(
            dice,
            volley(black, NEED[band]),
            ("attacco.4-lancio#dadi", "attacco.scarsita-dadi" if short else ""),
            words,
            unit=attack.lead.unit,
            **facts,
        )
        if black_missed:
            left += reroll_by_ace(ctx, attack, NEED[band])
        if red_failed and left > 0:
            left -= thick_armor(ctx, attack.target)
        net = max(0, left)
    else:
        net = ctx.roll(
            dice,
            net_hits(black, NEED[band]),
            ("attacco.4-lancio#dadi", "attacco.scarsita-dadi" if short else ""),
            words,
            unit=attack.lead.unit,
            **facts,
        )
    ctx.cite(
        (
            "attacco.5-colpi#successi/ravvicinato" if band == CLOSE else "",
            "attacco.5-colpi#successi/normale" if band == STANDARD else "",
            "attacco.5-colpi#successi/lungo" if band == LONG else "",
            "attacco.5-difesa#colpi" if red else "",
        ),
        N_("{n} hits after the red dice"),
        n=net,
    )
    return net


def _dice_matter(state: State, attack: Attack) -> bool:
    """Whether somebody may change single dice after the roll."""
    lead = state.units[attack.lead.unit]
    return state.armies[lead.side].ace == lead.id or has_trait(
        state.units[attack.target], "thick armor"
    )


def cite_range(ctx: Ctx[State], attack: Attack) -> None:
    """The band that counts: the least favourable of all (raggio.effetti)."""
    band = attack.band
    label = ctx.state.units[attack.target].hex
    for one in attack.aims:
        ctx.cite(clear_sight(ctx.state, ctx.state.units[one.unit].hex, label))
        add_all(ctx.tally(N_("Range")), one.reach)
    worst = max(attack.aims, key=lambda one: one.band)
    words = N_("{unit} is {distance} hexes away: {band}")
    said = msg(words, unit=worst.unit, distance=worst.distance, band=BAND[band].msg.id)
    found = rule.also(
        Ruling(BAND[band].refs, said, BAND[band].anchors),
        "raggio.effetti",
        "raggio.distanza#fasce/1" if band == CLOSE else "",
        "raggio.distanza#fasce/da 2 al raggio" if band == STANDARD else "",
        "raggio.distanza#fasce/oltre il raggio, fino al doppio" if band == LONG else "",
    )
    if attack.supports:
        lost = attack.lead.band == CLOSE and band == STANDARD
        found = rule.also(found, "fuoco-combinato.raggio", "casa.34" if lost else "")
    ctx.cite(found)


def reroll_by_ace(ctx: Ctx[State], attack: Attack, need: int) -> int:
    """The named tank may roll one black die again (operation card)."""
    state = ctx.state
    lead = state.units[attack.lead.unit]
    card = operation(state, lead.side, "tank_ace")
    if card is None or state.armies[lead.side].ace != lead.id:
        return 0
    choices: list[Choice[bool]] = [
        button("rilancia", True, N_("Roll one die again")),
        button("no", False, N_("Keep the roll")),
    ]
    seat = seat_of(state, lead)
    if not ctx.choose(
        "fire.reroll",
        seat,
        choices,
        "operazioni.generale#regola",
        N_("{unit}: roll a missed die again?"),
        unit=lead.id,
    ):
        return 0
    return ctx.roll(
        BLACK * 1,
        successes(need),
        ("operazioni.generale#regola", "strategia.carta-prevale"),
        N_("{card}: {unit} rolls one die again"),
        card=card.id,
        unit=lead.id,
        **tables.doubt(card.provenance),
    )


def thick_armor(ctx: Ctx[State], name: str) -> int:
    """The owner may turn one red die into a 6 (miniature.carro.blindatura-solida)."""
    unit = ctx.state.units[name]
    if not has_trait(unit, "thick armor"):
        return 0
    choices: list[Choice[int]] = [
        button("si", 1, N_("Turn a red die into a 6")),
        button("no", 0, N_("Keep the roll")),
    ]
    turned = ctx.choose(
        "fire.thick-armor",
        seat_of(ctx.state, unit),
        choices,
        "miniature.carro.blindatura-solida#gira",
        N_("{unit}: thick armor?"),
        unit=name,
    )
    if turned:
        ctx.cite(
            "miniature.carro.blindatura-solida#successo",
            N_("{unit}: one more red success"),
            unit=name,
        )
    return turned


def reveal_shooters(ctx: Ctx[State], aims: tuple[Aim, ...], hits: int) -> None:
    """A concealed squad that attacks or supports is revealed (nascoste.rivela-attacco)."""
    for one in aims:
        unit = ctx.state.units.get(one.unit)
        if unit is None or not unit.concealed:
            continue
        hidden = operation(ctx.state, unit.side, "camouflage")
        if hidden is not None and hits < hidden.n:
            ctx.cite(
                "errata.mimetizzazione",
                N_("{unit} stays concealed: {n} hits"),
                unit=unit.id,
                n=max(0, hits),
            )
        else:
            ctx.do(
                Revealed(unit=unit.id),
                ("nascoste.rivela-attacco", "errata.mimetizzazione" if hidden else ""),
            )
