"""Chapter 5: support drones: attack, ramming, jamming, recon.

Refs: warfare:droni.*, disturbo.*, arbitrato.droni_bersagli, arbitrato.speronamento_uso,
arbitrato.drone_abortito, arbitrato.disturbo_dado, arbitrato.drone_elicotteri,
arbitrato.drone_overwatch, arbitrato.ricognizione_drone, arbitrato.disturbo_valore,
arbitrato.speronamento_momento.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, card, unit
from engine.core.rules import Locators, Ruling, Side
from engine.core.text import N_
from engine.kit.modifiers import add_all
from engine.warfare.rules.air import attack_from_the_air, is_flying, sam_after, sam_before
from engine.warfare.rules.fire import apply_fire, reaction_choices
from engine.warfare.rules.hostages import why_not_shielded
from engine.warfare.rules.morale import defence_of, lose_overwatch, show_use, why_not_suppressed
from engine.warfare.rules.recon import special_test
from engine.warfare.rules.supports import (
    cite_late_damage,
    enemy_choices,
    is_usable,
    park,
    pay_support,
    values_to_choose,
)
from engine.warfare.rules.track import cite_discount, discounted, pay_action
from engine.warfare.state.ascs import (
    CRITICAL,
    CRITICAL_FAILURE,
    FAILURE,
    MARGINAL,
    Steps,
    base_die,
    combat_roll,
    final_die,
    without_marginal_row,
)
from engine.warfare.state.book import rule, why_none
from engine.warfare.state.events import OverwatchLost, SpottingSet, SupportWiped
from engine.warfare.state.setting import field_of
from engine.warfare.state.state import (
    GONE,
    LIGHT,
    State,
    Support,
    Unit,
    are_enemies,
    enemies,
    on_map,
    other_sides,
)
from engine.warfare.state.tables import DRONE, RECON


def why_not_drone_target(state: State, side: Side, target: Unit) -> Iterator[Ruling]:
    """Any enemy on the ground, whatever the value (droni.come_cas)."""
    if target.is_helicopter:
        yield rule(
            (
                "droni.come_cas#elicotteri",
                "supporti.elicotteri#eccezione",
                "arbitrato.drone_elicotteri",
            ),
            N_("{target} is a helicopter: of supports only CAS may reach it"),
            target=target.id,
        )
    yield from why_not_shielded(state, side, target)


def why_not_drone(state: State, drone: Support) -> Iterator[Ruling]:
    """Somebody to attack (droni.come_cas)."""
    yield from why_none(
        partial(why_not_drone_target, state, drone.side),
        enemies(state, drone.side),
        "droni.come_cas#cas",
        N_("{support} has no target"),
        support=drone.id,
    )


def use_drone(ctx: Ctx[State], name: str) -> None:
    """Value, target, cost, four windows, attack, track (droni.come_cas)."""
    state, drone = ctx.state, ctx.state.supports[name]
    weapon = ctx.choose(
        "support.value",
        drone.side,
        values_to_choose(drone),
        "droni.come_cas#scegli",
        N_("Which value of {support}?"),
        support=name,
    )
    target = ctx.choose(
        "support.target",
        drone.side,
        enemy_choices(state, drone),
        "droni.come_cas#scegli",
        N_("Whom does {support} attack with its {weapon} value?"),
        why_not=lambda t: why_not_drone_target(state, drone.side, t),
        support=name,
        weapon=weapon,
    )
    pay_support(ctx, name, weapon, "droni.come_cas#scegli")
    ram(ctx, name, target.id)
    fired: list[str] = []
    if is_flying(ctx.state, name) and not drone.values.symbol:
        ctx.cite(
            ("droni.sam#contro/senza simbolo (FPV)/SAM", "arbitrato.droni_bersagli"),
            N_("{support} has no symbol: SAM do not fire at it"),
            support=name,
        )
    elif is_flying(ctx.state, name):
        ctx.cite(
            ("droni.sam#contro/con il simbolo (grande)/SAM", "arbitrato.droni_bersagli"),
            N_("SAM may fire at {support}"),
            support=name,
        )
        fired = sam_before(ctx, name, target)
    victim: str | None = target.id
    end = "droni.dopo#interrotto"
    captor = ""
    cite_late_damage(ctx, name, drone.damage)
    if is_flying(ctx.state, name):
        victim, captor = jam(ctx, name, target.id)
    if ctx.state.supports[name].place == GONE:
        return
    if ctx.state.supports[name].morale:
        ctx.cite(
            (
                "cas.annullato#missione" if drone.values.symbol else "droni.speronamento_morale",
                "arbitrato.sam_dopo" if drone.values.symbol else "",
                "arbitrato.drone_abortito",
            ),
            N_("the mission of {support} is called off"),
            support=name,
        )
    elif victim is not None:
        end = "droni.dopo#usato"
        attack_from_the_air(ctx, name, weapon, victim, "droni.come_cas#cas")
        if captor:
            ctx.cite(
                ("disturbo.test#esiti/Successo Critico", "arbitrato.drone_catturato"),
                N_("nobody fires a SAM at {support} as it leaves: {side} leads it"),
                support=name,
                side=captor,
            )
        elif drone.values.symbol:
            sam_after(ctx, name, target, fired)
    retire(ctx, name, end)


def retire(ctx: Ctx[State], name: str, ref: Locators) -> None:
    """A used drone goes on the track without its markers (droni.dopo)."""
    drone = ctx.state.supports[name]
    if drone.place == GONE:
        return
    if drone.morale or drone.damage:
        ctx.do(SupportWiped(support=name), "droni.dopo#usato")
    park(ctx, name, ref)


# Ramming


def ram(ctx: Ctx[State], name: str, victim: str) -> None:
    """A drone in overwatch may ram an enemy drone without the symbol (droni.speronamento)."""
    target = ctx.state.supports[name]
    if target.values.symbol:
        cite_no_ramming(ctx, target)
        return
    for side in other_sides(ctx.state, target.side):
        while is_flying(ctx.state, name):
            ready = [
                s
                for s in ctx.state.supports.values()
                if s.side == side
                and s.overwatch
                and s.values.kind == DRONE
                and is_usable(ctx.state, s)
            ]
            if not ready:
                break
            offers: list[Choice[str]] = [card(s.id, s.id) for s in ready]
            offers.append(button("rinuncia", "", N_("do not ram")))
            who = ctx.choose(
                "drone.ram",
                side,
                offers,
                (
                    "droni.speronamento#sperona",
                    "arbitrato.drone_overwatch",
                    "arbitrato.speronamento_momento",
                    "overwatch.costo#arma",
                ),
                N_("Who rams {support}?"),
                support=name,
                target=victim,
            )
            if not who:
                break
            with ctx.under(
                "droni.speronamento#sperona", N_("{unit} rams {support}"), unit=who, support=name
            ):
                collide(ctx, who, name)


def collide(ctx: Ctx[State], who: str, name: str) -> None:
    """A light attack whose result both drones suffer (droni.speronamento)."""
    rammer, target = ctx.state.supports[who], ctx.state.supports[name]
    pay_support(ctx, who, LIGHT, ("droni.speronamento#paga", "arbitrato.overwatch_reazioni"))
    ladder = base_die(
        ctx,
        rammer.values.light.die,
        "droni.speronamento#paga",
        N_("{weapon} value of {support}: {colour}"),
        support=who,
        weapon=LIGHT,
    )
    add_all(ladder, defence_of(target, "droni.speronamento#paga"))
    ladder.add(-rammer.damage, "droni.speronamento_morale", N_("damage of {support}"), support=who)
    result = combat_roll(
        ctx, final_die(ladder), "droni.speronamento#paga", N_("{support} strikes"), support=who
    )
    apply_fire(ctx, name, result)
    apply_fire(ctx, who, result)
    retire(ctx, who, "arbitrato.speronamento_uso")


def cite_no_ramming(ctx: Ctx[State], target: Support) -> None:
    """A drone with the symbol is not rammed, whoever waits for it (droni.sam)."""
    state = ctx.state
    waiting = [
        s.id
        for s in state.supports.values()
        if s.overwatch and s.values.kind == DRONE and are_enemies(state, s.side, target.side)
    ]
    if waiting:
        ctx.cite(
            ("droni.speronamento#sperona", "droni.sam#contro/con il simbolo (grande)/Speronamento"),
            N_("{support} has the symbol: {units} cannot ram it"),
            support=target.id,
            units=tuple(waiting),
        )


# Jamming


def why_not_jam(one: Unit) -> Iterator[Ruling]:
    """Infantry with recon, not suppressed (disturbo.azione)."""
    if not one.is_infantry or RECON not in one.values.icons:
        yield rule("disturbo.azione#fanteria", N_("{unit} has no recon"), unit=one.id)
    yield from why_not_suppressed(one)


def why_not_jam_by(state: State, who: str) -> Iterator[Ruling]:
    """The same for an answer: nothing is against holding."""
    return why_not_jam(state.units[who]) if who else iter(())


def jam(ctx: Ctx[State], name: str, target: str) -> tuple[str | None, Side]:
    """One attempt before the drone attacks: whom it attacks, None if it is stopped; its captor."""
    for side in other_sides(ctx.state, ctx.state.supports[name].side):
        state = ctx.state
        units = [u for u in on_map(state) if u.side == side and RECON in u.values.icons]
        if all(next(why_not_jam(u), None) is not None for u in units):
            cite_no_jamming(ctx, side, name, [u for u in units if u.is_infantry])
            continue
        offers: list[Choice[str]] = reaction_choices(units, state)
        offers.append(button("rinuncia", "", N_("do not jam")))
        who = ctx.choose(
            "drone.jam",
            side,
            offers,
            ("disturbo.azione#fanteria", "arbitrato.disturbo_dado", "overwatch.costo#sempre"),
            N_("Who jams {support}?"),
            why_not=partial(why_not_jam_by, state),
            support=name,
            target=target,
        )
        if not who:
            continue
        refs = Steps(
            ("disturbo.azione#paga", "arbitrato.disturbo_dado", "arbitrato.overwatch_reazioni"),
            ("disturbo.azione#dado", "arbitrato.disturbo_dado", "arbitrato.overwatch_reazioni"),
            ("disturbo.azione#tira", "arbitrato.disturbo_dado", "arbitrato.overwatch_reazioni"),
        )
        result = special_test(ctx, who, RECON, refs, N_("{unit} jams the drone"))
        if result in (CRITICAL_FAILURE, FAILURE):
            ctx.cite(
                "disturbo.test#esiti/Fallimento"
                if result == FAILURE
                else "disturbo.test#esiti/Fallimento Critico",
                N_("{support} attacks all the same"),
                support=name,
            )
            return target, ""
        if without_marginal_row(result) != CRITICAL:
            ctx.cite(
                (
                    "disturbo.test#esiti/Successo Marginale"
                    if result == MARGINAL
                    else "disturbo.test#esiti/Successo",
                    "arbitrato.drone_abortito",
                ),
                N_("the attack of {support} is stopped"),
                support=name,
            )
            return None, ""
        return take_over(ctx, side, name), side
    return target, ""


def cite_no_jamming(ctx: Ctx[State], side: Side, name: str, units: list[Unit]) -> None:
    """Who has recon and is suppressed does not jam; only its players are told."""
    if units:
        ctx.cite(
            ("disturbo.azione#fanteria", "morale.soppresso#nulla"),
            N_("{units} cannot jam {support}: suppressed"),
            hidden_from=tuple(other_sides(ctx.state, side)),
            units=tuple(u.id for u in units),
            support=name,
        )


def take_over(ctx: Ctx[State], side: Side, name: str) -> str | None:
    """A critical success: the jammer chooses whom the drone attacks (disturbo.test)."""
    state = ctx.state
    field = field_of(state)
    victims = [unit(u.id, u.id, hex=field.hex[u.hex]) for u in enemies(state, side)]
    free = [c for c in victims if can_be_attacked(state, side, c.value)]
    if not free:
        ctx.cite("disturbo.test#scegli", N_("{support} finds no target"), support=name)
        return None
    victim = ctx.choose(
        "drone.turned",
        side,
        victims,
        ("disturbo.test#scegli", "arbitrato.disturbo_valore"),
        N_("{support} is ours: whom does it attack?"),
        why_not=lambda u: why_not_drone_target(state, side, state.units[u]),
        support=name,
    )
    ctx.cite(
        ("disturbo.test#scegli", "arbitrato.disturbo_valore"),
        N_("{side} takes {support} over and chooses {target}, with the value already paid"),
        side=side,
        support=name,
        target=victim,
    )
    return victim


def can_be_attacked(state: State, side: Side, name: str) -> bool:
    """Whether a drone led by a player may attack a unit."""
    return next(why_not_drone_target(state, side, state.units[name]), None) is None


# Recon with drones


def ready_drones(state: State, side: Side) -> list[Support]:
    """Drones that a player can use now."""
    return [
        s
        for s in state.supports.values()
        if s.side == side and s.values.kind == DRONE and is_usable(state, s)
    ]


def why_not_drone_recon(state: State, one: Unit) -> Iterator[Ruling]:
    """Infantry with recon, not suppressed, and a drone available (droni.ricognizione)."""
    if not one.is_infantry or RECON not in one.values.icons:
        yield rule("droni.ricognizione#attiva", N_("{unit} has no recon"), unit=one.id)
        return
    yield from why_not_suppressed(one)
    if not ready_drones(state, one.side):
        yield rule(
            ("droni.ricognizione#attiva", "arbitrato.ricognizione_drone#consuma"),
            N_("{side} has no drone available"),
            side=one.side,
        )


def is_watching(state: State, one: Unit | Support, side: Side) -> bool:
    """Whether a counter has a cube of overwatch against a player."""
    return one.overwatch and are_enemies(state, one.side, side)


def drone_recon(ctx: Ctx[State], name: str) -> None:
    """Light cost; every enemy overwatch on the map goes (droni.ricognizione)."""
    state, one = ctx.state, ctx.state.units[name]
    drone = ctx.choose(
        "drone.send",
        one.side,
        [card(s.id, s.id) for s in ready_drones(state, one.side)],
        ("droni.ricognizione#attiva", "arbitrato.ricognizione_drone#consuma"),
        N_("Which drone does {unit} send?"),
        unit=name,
    )
    show_use(ctx, name)
    light = one.values.light
    cite_discount(ctx, name, light.ap, one.damage)
    pay_action(ctx, one.side, discounted(light.ap, one.damage), "droni.ricognizione#attiva")
    lose_overwatch(ctx, name)
    lose_overwatch(ctx, drone)
    seen = [u.id for u in on_map(ctx.state) if is_watching(ctx.state, u, one.side)]
    for other in seen:
        ctx.do(OverwatchLost(unit=other), "droni.ricognizione#cubetti")
    if not seen:
        ctx.cite("droni.ricognizione#cubetti", N_("no enemy on the map is in overwatch"))
    kept = [s.id for s in ctx.state.supports.values() if is_watching(ctx.state, s, one.side)]
    if kept:
        ctx.cite(
            "droni.ricognizione#fuori",
            N_("{units} stay in overwatch: they are off the map"),
            units=tuple(kept),
        )
    ctx.do(
        SpottingSet(side=one.side),
        ("droni.ricognizione#artiglieria", "arbitrato.ricognizione_drone#los"),
    )
    retire(ctx, drone, "arbitrato.ricognizione_drone#consuma")
