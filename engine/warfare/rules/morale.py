"""Chapter 2: morale, physical damage, recovery.

Refs: warfare:morale.*, danno.*, recupero.*, trasporto.perdite, arbitrato.soppresso_recupero,
arbitrato.recupero_verde, arbitrato.masini_livelli, arbitrato.supporto_morale, arbitrato.nebbia.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, Option
from engine.core.rules import Locators, Ruling
from engine.core.text import N_, Fact, Msg
from engine.kit.modifiers import Modifier, add_all
from engine.warfare.rules.track import cite_discount, discounted, pay_action
from engine.warfare.state.ascs import (
    CRITICAL,
    CRITICAL_FAILURE,
    DIE_IDS,
    FAILURE,
    MARGINAL,
    base_die,
    final_die,
    test_roll,
)
from engine.warfare.state.book import joined, rule
from engine.warfare.state.events import (
    DamageSet,
    Eliminated,
    MoraleSet,
    OverwatchLost,
    PeopleLost,
    Shown,
)
from engine.warfare.state.state import (
    MORALE_NAMES,
    SHAKEN,
    STEADY,
    SUPPRESSED,
    State,
    Support,
    Unit,
    civilians_aboard,
    is_alive,
    passenger_of,
    piece,
)
from engine.warfare.state.tables import COLOURS

MASINI = "masini"


def show(ctx: Ctx[State], name: str) -> None:
    """In a fight the opponent may see the values of who takes part (unita.nebbia)."""
    _turn_round(ctx, name, "unita.nebbia#combattimento")


def show_use(ctx: Ctx[State], name: str) -> None:
    """Out of a fight a unit proves what it uses of its back (arbitrato.nebbia)."""
    _turn_round(ctx, name, ("unita.nebbia#azioni", "arbitrato.nebbia#usa"))


def _turn_round(ctx: Ctx[State], name: str, ref: Locators) -> None:
    """The opponent reads the back of a counter, once for all."""
    unit = ctx.state.units.get(name)
    if unit is None or unit.shown:
        return
    light, heavy = unit.values.light, unit.values.heavy
    facts: dict[str, Fact] = {
        "unit": name,
        "ap": light.ap,
        "range": light.range,
        "die": light.die,
        "defence": unit.values.defence,
    }
    text = N_("{unit} shows its back: light {ap} AP, range {range}, {die}; defence {defence}")
    if heavy is not None:
        text = N_(
            "{unit} shows its back: light {ap} AP, range {range}, {die}; heavy {heavy_ap} AP, "
            "range {heavy_range}, {heavy_die}; defence {defence}"
        )
        facts |= {"heavy_ap": heavy.ap, "heavy_range": heavy.range, "heavy_die": heavy.die}
    ctx.do(Shown(unit=name, back=unit.type), ref, text, **facts)


def lose_overwatch(ctx: Ctx[State], name: str, ref: str = "overwatch.fine#azione") -> None:
    """Firing, moving, acting and morale damage end an overwatch (overwatch.fine)."""
    if piece(ctx.state, name).overwatch:
        ctx.do(OverwatchLost(unit=name), ref)


def hit_morale(ctx: Ctx[State], name: str, ref: Locators, levels: int = 1) -> None:
    """One level down for each; beyond suppressed the unit surrenders (morale.resa)."""
    for _ in range(levels):
        target = piece(ctx.state, name)
        if not is_alive(ctx.state, name):
            return
        lose_overwatch(ctx, name, "overwatch.fine#morale")
        if target.morale == SUPPRESSED:
            refs = joined(
                "morale.resa#resa" if isinstance(target, Unit) else "arbitrato.supporto_morale",
                *joined(ref),
            )
            text = N_("{unit} was suppressed already: it surrenders and is eliminated")
            eliminate(ctx, name, refs, text)
            return
        level = target.morale + 1
        ctx.do(MoraleSet(unit=name, morale=MORALE_NAMES[level], level=level), ref)


def hit_body(ctx: Ctx[State], name: str, ref: Locators, points: int = 1) -> None:
    """Physical damage adds up; the third point eliminates (danno.eliminazione)."""
    target = piece(ctx.state, name)
    if target.damage + points >= 3:
        refs = joined(
            "danno.eliminazione#tre" if isinstance(target, Unit) else "arbitrato.supporto_morale",
            *joined(ref),
        )
        eliminate(
            ctx,
            name,
            refs,
            N_("{unit} had damage {damage} and takes {points} more: it is eliminated"),
            damage=target.damage,
            points=points,
        )
        return
    ctx.do(DamageSet(unit=name, damage=target.damage + points), ref)


def eliminate(
    ctx: Ctx[State], name: str, ref: Locators, msgid: str = Eliminated.says, /, **facts: Fact
) -> None:
    """A unit leaves the game, and what it carries with it (trasporto.perdite)."""
    cargo = passenger_of(ctx.state, name)
    civilians = civilians_aboard(ctx.state, name)
    ctx.do(Eliminated(unit=name), ref, msgid, unit=name, **facts)
    if cargo is not None:
        ctx.do(
            Eliminated(unit=cargo.id),
            joined("trasporto.perdite#muore", *joined(ref)),
            N_("{unit} was aboard {carrier} and is eliminated with it"),
            unit=cargo.id,
            carrier=name,
        )
    if civilians is not None:
        ctx.do(
            PeopleLost(marker=civilians.id),
            joined("trasporto.perdite#muore", *joined(ref)),
            N_("civilians {marker} were aboard {carrier} and are lost with it"),
            marker=civilians.id,
            carrier=name,
        )


def cite_spared(ctx: Ctx[State], name: str) -> None:
    """Whatever else than elimination a vehicle suffers, its cargo does not (trasporto.perdite)."""
    cargo = passenger_of(ctx.state, name) or civilians_aboard(ctx.state, name)
    if cargo is not None and is_alive(ctx.state, name):
        ctx.cite(
            "trasporto.perdite#solo",
            N_("only {carrier} is hit, not {cargo} aboard"),
            carrier=name,
            cargo=cargo.id,
        )


def damage_of(one: Unit, *also: str) -> Iterator[Modifier]:
    """Physical damage makes the dice of a unit worse (danno.uno, danno.due)."""
    if one.damage:
        refs = (*also, "danno.uno#tiro" if one.damage == 1 else "danno.due#tiro")
        yield Modifier(-one.damage, rule(refs, N_("damage of {unit}"), unit=one.id), "damage")


def defence_of(target: Unit | Support, *refs: str) -> Iterator[Modifier]:
    """Defence makes the dice of who fires worse (fuoco.modificatori)."""
    if target.values.defence:
        ruling = rule(refs, N_("defence of {target}"), target=target.id)
        yield Modifier(-target.values.defence, ruling, "defence")


def hit_masini(ctx: Ctx[State], name: str) -> None:
    """Two points of damage at once also shake, if the players agreed on it (danno.masini)."""
    if ctx.state.is_on(MASINI) and is_alive(ctx.state, name):
        hit_morale(ctx, name, ("danno.masini#livello", "arbitrato.masini_livelli"))


def why_not_suppressed(unit: Unit, *also: str) -> Iterator[Ruling]:
    """A suppressed unit does nothing (morale.soppresso); `also` are more rules that say so."""
    if unit.morale == SUPPRESSED:
        yield rule(("morale.soppresso#nulla", *also), N_("{unit} is suppressed"), unit=unit.id)


def why_not_fight(unit: Unit) -> Iterator[Ruling]:
    """Shaken and suppressed units do not fight (combattimento.morale)."""
    if unit.morale:
        yield rule(
            ("combattimento.morale#mai", "morale.scosso#divieti", "arbitrato.scosso_divieti")
            if unit.morale == SHAKEN
            else ("combattimento.morale#mai", "morale.soppresso#nulla"),
            N_("{unit} is {morale}: it needs steady morale"),
            unit=unit.id,
            morale=MORALE_NAMES[unit.morale],
        )


# Recovery


def why_not_recover(state: State, unit: Unit) -> Iterator[Ruling]:
    """Only a shaken or suppressed unit has something to recover (recupero.azione)."""
    if not unit.morale:
        yield rule("recupero.azione#scegli", N_("{unit} is not shaken or suppressed"), unit=unit.id)


def recover(ctx: Ctx[State], name: str) -> None:
    """The player buys a die by its colour and rolls it for the unit (recupero.azione)."""
    unit = ctx.state.units[name]
    dice = [_priced(unit, place) for place in range(len(COLOURS))]
    place = ctx.choose(
        "recovery.die",
        unit.side,
        dice,
        "recupero.costo#scegli",
        N_("Which die does {unit} recover with?"),
        unit=name,
    )
    if unit.morale == SUPPRESSED:
        ctx.cite("arbitrato.soppresso_recupero", N_("a suppressed unit may recover"))
    lose_overwatch(ctx, name)
    cite_discount(ctx, name, place + 1, unit.damage)
    cost = discounted(place + 1, unit.damage)
    is_green = COLOURS[place] == "green"
    ref = ("recupero.costo#scegli", "arbitrato.recupero_verde" if is_green else "")
    pay_action(ctx, unit.side, cost, ref)
    ladder = base_die(
        ctx, COLOURS[place], "recupero.costo#scegli", N_("die bought: {colour}"), unit=name
    )
    add_all(ladder, damage_of(unit, "recupero.modificatori#sposta"))
    result = test_roll(
        ctx, final_die(ladder), "recupero.azione#tira", N_("{unit} tries to recover"), unit=name
    )
    if result in (CRITICAL_FAILURE, FAILURE):
        ctx.cite(
            ("recupero.test#esiti/Fallimento Critico", "arbitrato.sm_come_s")
            if result != FAILURE
            else "recupero.test#esiti/Fallimento",
            N_("{unit} does not recover"),
            unit=name,
        )
        return
    level = STEADY if result == CRITICAL else unit.morale - 1
    ctx.do(
        MoraleSet(unit=name, morale=MORALE_NAMES[level], level=level),
        ("recupero.test#esiti/Successo Marginale", "arbitrato.sm_come_s")
        if result == MARGINAL
        else "recupero.test#esiti/Successo Critico"
        if result == CRITICAL
        else "recupero.test#esiti/Successo",
    )
    if unit.damage:
        ctx.cite(
            "danno.permanente#definitivo", N_("the physical damage of {unit} stays"), unit=name
        )


def _priced(unit: Unit, place: int) -> Choice[int]:
    cost = discounted(place + 1, unit.damage)
    text = Msg(N_("{colour}: {cost} AP"), {"colour": COLOURS[place], "cost": cost})
    return Choice(Option(f"b:{DIE_IDS[place]}", text), place)
