"""Chapter 5: SAM weapons and close air support, with their windows.

Refs: warfare:sam.*, cas.*, arbitrato.sam_prima, arbitrato.sam_dopo, arbitrato.supporto_morale,
arbitrato.macerie_elicotteri.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button
from engine.core.rules import Locators, Ruling, Side
from engine.core.text import N_
from engine.kit.modifiers import add_all
from engine.warfare.rules.fire import apply_fire, leave_rubble, reaction_choices, why_not_fire
from engine.warfare.rules.helicopters import is_high
from engine.warfare.rules.hostages import why_not_shielded
from engine.warfare.rules.morale import damage_of, defence_of, lose_overwatch, show
from engine.warfare.rules.sight import why_not_smoke_free, why_not_visible
from engine.warfare.rules.supports import (
    cite_late_damage,
    enemy_choices,
    park,
    pay_support,
    strike,
    values_to_choose,
)
from engine.warfare.rules.track import cite_discount, discounted, pay_action
from engine.warfare.state.ascs import ELIMINATED, base_die, combat_roll, final_die
from engine.warfare.state.book import locators, rule, why_none
from engine.warfare.state.setting import field_of
from engine.warfare.state.state import (
    GONE,
    HEAVY,
    LIGHT,
    State,
    Support,
    Unit,
    enemies,
    is_regular,
    on_map,
    other_sides,
)


def why_not_cas_target(
    state: State, support: Support, weapon: str, target: Unit
) -> Iterator[Ruling]:
    """Any enemy on the ground; a helicopter only high and with the heavy value (cas.uso)."""
    if target.is_helicopter:
        if not is_high(field_of(state), target):
            yield rule(
                ("cas.elicotteri#bassa", "elicotteri.bassa_bersaglio#cas"),
                N_("{target} is low: CAS does not reach it"),
                target=target.id,
            )
        elif weapon == LIGHT:
            yield rule(
                ("cas.elicotteri#alta", "elicotteri.alta_bersaglio#soltanto"),
                N_("{target} is a helicopter: it takes the heavy value"),
                target=target.id,
            )
    yield from why_not_shielded(state, support.side, target)


def why_not_cas_value(state: State, support: Support, weapon: str) -> Iterator[Ruling]:
    """A value needs a target (arbitrato.bersaglio_vuoto)."""
    yield from why_none(
        partial(why_not_cas_target, state, support, weapon),
        enemies(state, support.side),
        ("cas.uso#bersaglio", "arbitrato.bersaglio_vuoto"),
        N_("{support} has no target for its {weapon} value"),
        support=support.id,
        weapon=weapon,
    )


def why_not_cas(state: State, support: Support) -> Iterator[Ruling]:
    """Whether any value has a target."""
    yield from why_none(
        partial(why_not_cas_value, state, support),
        (LIGHT, HEAVY),
        "cas.uso#bersaglio",
        N_("{support} has no target"),
        support=support.id,
    )


def use_cas(ctx: Ctx[State], name: str) -> None:
    """Value, cost, target, SAM before, attack, SAM after, track (cas.uso)."""
    state, support = ctx.state, ctx.state.supports[name]
    weapon = ctx.choose(
        "support.value",
        support.side,
        values_to_choose(support),
        ("cas.uso#valore", "cas.cannone"),
        N_("Which value of {support}?"),
        why_not=lambda w: why_not_cas_value(state, support, w),
        support=name,
    )
    target = ctx.choose(
        "support.target",
        support.side,
        enemy_choices(state, support),
        ("cas.uso#bersaglio", "cas.los"),
        N_("Whom does {support} attack with its {weapon} value?"),
        why_not=lambda t: why_not_cas_target(state, support, weapon, t),
        support=name,
        weapon=weapon,
    )
    pay_support(ctx, name, weapon, "cas.uso#valore")
    fired = sam_before(ctx, name, target)
    cite_late_damage(ctx, name, support.damage)
    if ctx.state.supports[name].place == GONE:
        return
    if ctx.state.supports[name].morale:
        ctx.cite(
            ("cas.annullato#missione", "arbitrato.sam_dopo"),
            N_("the mission of {support} is called off, and nobody fires as it leaves"),
            support=name,
        )
        park(ctx, name, "cas.annullato#casella")
        return
    attack_from_the_air(ctx, name, weapon, target.id, "cas.attacco#tira")
    sam_after(ctx, name, target, fired)
    park(ctx, name, "cas.ritorno#casella")


def attack_from_the_air(
    ctx: Ctx[State], name: str, weapon: str, target_name: str, ref: Locators
) -> None:
    """Fire with all modifiers, from above (cas.attacco)."""
    support, target = ctx.state.supports[name], ctx.state.units[target_name]
    result = strike(ctx, name, weapon, target, ref)
    apply_fire(ctx, target_name, result)
    if result == ELIMINATED:
        leave_rubble(ctx, weapon, target.hex, support.side, is_air=target.is_helicopter)


# SAM against aircraft and drones


def why_not_sam(state: State, one: Unit, hex: str) -> Iterator[Ruling]:
    """In range of the aircraft, which only smoke hides (arbitrato.sam_prima)."""
    column = one.values.heavy
    if column is None or not one.values.sam:
        yield rule("sam.arma#rombo", N_("{unit} has no SAM"), unit=one.id)
        return
    field = field_of(state)
    distance = field.distance(one.hex, hex)
    if distance > column.range:
        yield rule(
            ("cas.sam_overwatch#gittata", "fuoco.passo3#portata"),
            N_("{hex} is {distance} hexes away: range {range}"),
            hex=hex,
            distance=distance,
            range=column.range,
        )
    yield from why_not_smoke_free(state, one.hex, hex)
    yield from why_not_visible(
        state, field, one.hex, hex, regular=is_regular(state, one.side), is_high=True
    )


def sam_before(ctx: Ctx[State], name: str, target: Unit) -> list[str]:
    """Each SAM in overwatch may fire before the attack (cas.sam_overwatch); those who did."""
    fired: list[str] = []
    for side in other_sides(ctx.state, ctx.state.supports[name].side):
        while is_flying(ctx.state, name):
            state = ctx.state
            watchers = [u for u in on_map(state) if u.side == side and u.overwatch]
            if all(next(why_not_sam(state, u, target.hex), None) is not None for u in watchers):
                if not fired:
                    cite_idle_sam(ctx, side, name, target.hex)
                break
            who = ask_for_sam(
                ctx,
                side,
                name,
                watchers,
                target,
                ("cas.sam_overwatch#prima", "arbitrato.sam_prima"),
                is_near=True,
            )
            if not who:
                break
            fired.append(who)
            with ctx.under("cas.sam_overwatch#prima", N_("{unit} reacts"), unit=who):
                fire_sam(ctx, who, name, ("overwatch.costo#arma", "arbitrato.overwatch_reazioni"))
    return fired


def cite_idle_sam(ctx: Ctx[State], side: Side, name: str, hex: str) -> None:
    """Who has a SAM and cannot fire it before the attack; only its players are told."""
    state = ctx.state
    idle = [u for u in on_map(state) if u.side == side and u.values.sam and not u.morale]
    if not idle:
        return
    against = [next(why_not_sam(state, u, hex)) for u in idle if u.overwatch]
    refs = [ref for ref in locators(*against) if not ref.startswith("cas.sam_overwatch#")]
    why = [N_("not in overwatch")] if len(against) < len(idle) else []
    ctx.cite(
        ("cas.sam_overwatch#gittata" if against else "cas.sam_overwatch#prima", *refs),
        N_("{units} cannot fire before the attack of {support}: {why}"),
        hidden_from=away_from(state, side),
        units=tuple(u.id for u in idle),
        support=name,
        why=(*why, N_("out of reach or in smoke")) if against else tuple(why),
    )


def away_from(state: State, side: Side) -> tuple[Side, ...]:
    """The players who are not on the team of one."""
    return tuple(other_sides(state, side))


def is_flying(state: State, name: str) -> bool:
    """Alive and with steady morale."""
    support = state.supports[name]
    return support.place != GONE and not support.morale


def ask_for_sam(
    ctx: Ctx[State],
    side: Side,
    name: str,
    units: list[Unit],
    target: Unit,
    ref: tuple[str, ...],
    *,
    is_near: bool,
) -> str:
    """A player may fire a SAM, and pay for it, or hold; `is_near` where range and smoke count."""
    state = ctx.state
    offers: list[Choice[str]] = reaction_choices(units, state)
    offers.append(button("rinuncia", "", N_("hold fire")))

    def why_not(who: str) -> Iterator[Ruling]:
        if who and is_near:
            yield from why_not_sam(state, state.units[who], target.hex)
        elif who:
            yield from why_not_fire(state, state.units[who])

    return ctx.choose(
        "air.sam",
        side,
        offers,
        (*ref, "sam.attacco#fuoco", "overwatch.costo#arma"),
        N_("Who fires a SAM at {support}?"),
        why_not=why_not,
        support=name,
        target=target.id,
    )


def sam_after(ctx: Ctx[State], name: str, target: Unit, fired: list[str]) -> None:
    """One SAM, in overwatch or not, at any distance, also who `fired` before (cas.sam_uscita)."""
    for side in other_sides(ctx.state, ctx.state.supports[name].side):
        state = ctx.state
        units = [u for u in on_map(state) if u.side == side and u.values.sam]
        if all(next(why_not_fire(state, u), None) is not None for u in units):
            cite_silent_sam(ctx, side, name, units)
            continue
        who = ask_for_sam(
            ctx,
            side,
            name,
            units,
            target,
            ("cas.sam_uscita#dopo", "cas.doppio#due-volte", "arbitrato.sam_dopo"),
            is_near=False,
        )
        if who:
            with ctx.under(
                ("cas.sam_uscita#dopo", "cas.doppio#due-volte")
                if who in fired
                else "cas.sam_uscita#dopo",
                N_("{unit} fires as {support} leaves"),
                unit=who,
                support=name,
            ):
                fire_sam(ctx, who, name, ("cas.sam_uscita#paga", "arbitrato.overwatch_reazioni"))
            return


def cite_silent_sam(ctx: Ctx[State], side: Side, name: str, units: list[Unit]) -> None:
    """Who has a SAM and may not fire it as the aircraft leaves; only its players are told."""
    state = ctx.state
    if units:
        against = [r for u in units for r in why_not_fire(state, u)]
        ctx.cite(
            ("cas.sam_uscita#paga", *locators(*against)),
            N_("{units} cannot fire as {support} leaves: shaken, suppressed or in the water"),
            hidden_from=away_from(state, side),
            units=tuple(u.id for u in units),
            support=name,
        )


def fire_sam(ctx: Ctx[State], who: str, name: str, ref: Locators) -> None:
    """A SAM shot at an aircraft: cost, defence, damage, roll (sam.attacco)."""
    one, support = ctx.state.units[who], ctx.state.supports[name]
    column = one.values.heavy
    assert column is not None
    show(ctx, who)
    cite_discount(ctx, who, column.ap, one.damage)
    pay_action(ctx, one.side, discounted(column.ap, one.damage), ref)
    lose_overwatch(ctx, who, "overwatch.fine#spara")
    ladder = base_die(ctx, column.die, "sam.attacco#fuoco", N_("SAM of {unit}: {colour}"), unit=who)
    add_all(
        ladder,
        defence_of(
            support, "sam.attacco#fuoco", "fuoco.modificatori#spostamenti/difesa del bersaglio"
        ),
    )
    add_all(
        ladder,
        damage_of(
            one,
            "fuoco.modificatori#spostamenti/1 danno fisico di chi spara"
            if one.damage == 1
            else "fuoco.modificatori#spostamenti/2 danni fisici di chi spara",
        ),
    )
    result = combat_roll(
        ctx,
        final_die(ladder),
        "sam.attacco#fuoco",
        N_("{unit} fires at {target}"),
        unit=who,
        target=name,
    )
    apply_fire(ctx, name, result)
