"""Chapter 3: support markers, artillery and mortars.

Refs: warfare:supporti.*, artiglieria.*, arbitrato.bersaglio_vuoto, arbitrato.fuoco_amico,
arbitrato.scudo_supporti, arbitrato.sconto_supporti, arbitrato.supporto_morale,
arbitrato.dado_dispersione, arbitrato.bussola_dispersione, arbitrato.osservatore_morale.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import MappingProxyType
from typing import Final

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, unit
from engine.core.rules import Locators, Ruling, Side
from engine.core.text import N_
from engine.kit.modifiers import add_all
from engine.warfare.rules.fire import apply_fire, leave_rubble, make_rubble
from engine.warfare.rules.fortifications import add_terrain
from engine.warfare.rules.helicopters import cite_altitude, is_high
from engine.warfare.rules.hostages import is_shielded, why_not_shielded
from engine.warfare.rules.morale import defence_of, lose_overwatch, show
from engine.warfare.rules.sight import can_see, why_not_observed
from engine.warfare.rules.track import cite_discount, discounted, pay_action
from engine.warfare.state.ascs import ELIMINATED, SCATTER, base_die, combat_roll, final_die
from engine.warfare.state.book import joined, locators, rule, why_none
from engine.warfare.state.events import SpottingSet, SupportParked
from engine.warfare.state.setting import field_of, scenario_of
from engine.warfare.state.state import (
    GONE,
    HEAVY,
    LIGHT,
    MORALE_NAMES,
    READY,
    TRACK,
    WAITING,
    WEAPON_IDS,
    State,
    Support,
    Unit,
    are_enemies,
    box_after,
    enemies,
    on_map,
    unit_at,
)
from engine.warfare.state.tables import ARTILLERY, CAS, DRONE, MORTAR, SNIPER, Value

CHAPTER = {ARTILLERY: 3, MORTAR: 3, SNIPER: 4, CAS: 5, DRONE: 5}
"""The chapter that teaches each kind of support."""


def why_not_support(state: State, support: Support) -> Iterator[Ruling]:
    """Available, without morale damage, and taught by the scenario (supporti.procedura)."""
    scenario = scenario_of(state)
    if support.place == GONE:
        yield rule("arbitrato.supporto_morale", N_("{support} is lost"), support=support.id)
        return
    if CHAPTER[support.values.kind] > scenario.chapter:
        yield rule(
            scenario.says("chapters"),
            N_("{support} belongs to chapter {chapter}"),
            support=support.id,
            chapter=CHAPTER[support.values.kind],
        )
    if support.place == WAITING:
        yield rule(
            "setup.supporti#turno",
            N_("{support} arrives in turn {turn}"),
            support=support.id,
            turn=support.turn,
        )
    if support.place == TRACK:
        yield rule(
            ("supporti.ritorno#giro", "arbitrato.supporto_giro"),
            N_("{support} comes back when the cube reaches box {box} again"),
            support=support.id,
            box=box_after(support.position),
        )
    if support.morale:
        yield rule(
            ("supporti.procedura#sceglie", "arbitrato.supporto_morale"),
            N_("{support} is {morale}"),
            support=support.id,
            morale=MORALE_NAMES[support.morale],
        )


def is_usable(state: State, support: Support) -> bool:
    """Whether a support can be used now."""
    return support.place == READY and next(why_not_support(state, support), None) is None


def value_of(support: Support, weapon: str) -> Value | None:
    """The light or the heavy value of a marker."""
    return support.values.light if weapon == LIGHT else support.values.heavy


def pay_support(ctx: Ctx[State], name: str, weapon: str, ref: Locators) -> None:
    """Pay a value, less the damage of the marker (arbitrato.sconto_supporti)."""
    support = ctx.state.supports[name]
    value = value_of(support, weapon)
    assert value is not None
    cite_discount(ctx, name, value.ap, support.damage)
    pay_action(ctx, support.side, discounted(value.ap, support.damage), ref)
    lose_overwatch(ctx, name, "overwatch.fine#spara")


def park(ctx: Ctx[State], name: str, ref: Locators) -> None:
    """The used marker goes to the box where its owner's cube is now (supporti.procedura)."""
    support = ctx.state.supports[name]
    if support.place == GONE:
        return
    cube = ctx.state.cubes[support.side]
    event = SupportParked(support=name, box=cube.box, position=cube.position, turn=ctx.state.turn)
    ctx.do(event, joined("supporti.procedura#track", *joined(ref)))


# Artillery and mortars


def why_not_shell(state: State, support: Support, weapon: str, target: Unit) -> Iterator[Ruling]:
    """A hex with an enemy on the ground, the right value, no shield (artiglieria.chiamata)."""
    if target.is_helicopter:
        yield rule(
            ("supporti.elicotteri#eccezione", "elicotteri.bassa_bersaglio#altri"),
            N_("{target} is a helicopter: of supports only CAS may reach it"),
            target=target.id,
        )
    elif weapon == LIGHT and target.is_vehicle:
        yield rule(
            "artiglieria.valore#pesante",
            N_("{target} is a vehicle: it takes the heavy value"),
            target=target.id,
        )
    yield from why_not_shielded(state, support.side, target)


def why_not_shell_value(state: State, support: Support, weapon: str) -> Iterator[Ruling]:
    """A value needs a target (arbitrato.bersaglio_vuoto)."""
    yield from why_none(
        partial(why_not_shell, state, support, weapon),
        enemies(state, support.side),
        (
            "artiglieria.valore#leggero" if weapon == LIGHT else "artiglieria.valore#pesante",
            "arbitrato.bersaglio_vuoto",
        ),
        N_("{support} has no target for its {weapon} value"),
        support=support.id,
        weapon=weapon,
    )


def why_not_artillery(state: State, support: Support) -> Iterator[Ruling]:
    """Whether any value has a target."""
    yield from why_none(
        partial(why_not_shell_value, state, support),
        (LIGHT, HEAVY),
        ("artiglieria.chiamata#bersaglio", "arbitrato.bersaglio_vuoto"),
        N_("{support} has no target"),
        support=support.id,
    )


def values_to_choose(support: Support) -> list[Choice[str]]:
    """Light and heavy value as buttons."""
    return [
        button(WEAPON_IDS[LIGHT], LIGHT, N_("light value"), support=support.id),
        button(WEAPON_IDS[HEAVY], HEAVY, N_("heavy value"), support=support.id),
    ]


def enemy_choices(state: State, support: Support) -> list[Choice[Unit]]:
    """The enemies on the map as candidates."""
    field = field_of(state)
    return [unit(u.id, u, hex=field.hex[u.hex]) for u in enemies(state, support.side)]


def fire_artillery(ctx: Ctx[State], name: str) -> None:
    """Value, target hex, observation, cost, drift, roll, track (artiglieria.chiamata)."""
    state, support = ctx.state, ctx.state.supports[name]
    weapon = ctx.choose(
        "support.value",
        support.side,
        values_to_choose(support),
        "artiglieria.valore#dichiari",
        N_("Which value of {support}?"),
        why_not=lambda w: why_not_shell_value(state, support, w),
        support=name,
    )
    target = ctx.choose(
        "artillery.target",
        support.side,
        enemy_choices(state, support),
        ("artiglieria.chiamata#bersaglio", "arbitrato.bersaglio_vuoto"),
        N_("Where does {support} strike with its {weapon} value?"),
        why_not=lambda t: why_not_shell(state, support, weapon, t),
        support=name,
        weapon=weapon,
    )
    pay_support(ctx, name, weapon, "artiglieria.chiamata#paga")
    hex = target.hex
    ref = "artiglieria.in_los#preciso"
    hit = hex
    if not is_observed(ctx, support, hex):
        ref = "artiglieria.dispersione#risolve"
        hit = scatter(ctx, support, hex)
    if hit:
        shell(ctx, name, weapon, hit, ref)
    park(ctx, name, "artiglieria.ritorno")


def is_observed(ctx: Ctx[State], support: Support, hex: str) -> bool:
    """Any own unit with a line of sight, or drones for artillery (artiglieria.in_los)."""
    state = ctx.state
    for unit_ in on_map(state):
        if unit_.side == support.side and can_see(state, unit_, hex):
            ctx.cite(
                (
                    "artiglieria.in_los#preciso",
                    "arbitrato.osservatore_morale" if unit_.morale else "",
                ),
                N_("{unit} sees {hex}"),
                unit=unit_.id,
                hex=hex,
            )
            return True
    if state.spotter == support.side and support.values.kind == ARTILLERY:
        ref = ("droni.ricognizione#artiglieria", "arbitrato.ricognizione_drone#los")
        ctx.cite(ref, N_("drones observe {hex}"), hex=hex)
        ctx.do(SpottingSet(side=""), ref)
        return True
    cite_blind(ctx, support, hex)
    return False


def cite_blind(ctx: Ctx[State], support: Support, hex: str) -> None:
    """Why nobody observes: what hides the hex from the nearest, drones that do not count."""
    nearest, refs = ctx.once(nearest_blind, ctx.state, support.side, hex)
    if not nearest:
        ctx.cite("artiglieria.dispersione#devia", N_("nobody sees {hex}"), hex=hex)
        return
    is_wasted = ctx.state.spotter == support.side
    ctx.cite(
        (*refs, "arbitrato.ricognizione_drone#los" if is_wasted else ""),
        N_("nobody sees {hex}, not even {unit}; drones observe for artillery only")
        if is_wasted
        else N_("nobody sees {hex}, not even {unit}"),
        hex=hex,
        unit=nearest,
    )


def nearest_blind(state: State, side: Side, hex: str) -> tuple[str, tuple[str, ...]]:
    """The unit of a player nearest to a hex that it does not see, and the rules that hide it."""
    far = field_of(state).distances(hex)
    own = [u for u in on_map(state) if u.side == side]
    nearest = min(own, key=lambda u: far[u.hex], default=None)
    if nearest is None:
        return "", ()
    against = next(why_not_observed(state, nearest, hex))
    return nearest.id, ("artiglieria.dispersione#devia", *locators(against))


def scatter(ctx: Ctx[State], support: Support, hex: str) -> str:
    """Without observation the shot may drift (artiglieria.dispersione); empty off the map."""
    field = field_of(ctx.state)
    grid = field.board.grid
    around = field.by_direction[hex]
    arrows = [
        button(
            f"freccia-{grid.direction_name(way)}",
            way,
            N_("arrow to {way}"),
            way=grid.direction_name(way),
        )
        for way in range(6)
    ]
    arrow = ctx.choose(
        "artillery.arrow",
        support.side,
        arrows,
        "artiglieria.dispersione#freccia",
        N_("Nobody sees {hex}: where does the arrow point?"),
        hex=hex,
    )
    number = ctx.roll(
        SCATTER,
        _drift,
        ("artiglieria.dispersione#tira", "arbitrato.dado_dispersione"),
        N_("{support} drifts"),
        support=support.id,
    )
    hit = hex if number == 0 else around[(arrow + number - 1) % 6]
    refs = (DRIFTS[min(number, 2)], "arbitrato.bussola_dispersione")
    if hit:
        ctx.cite(refs, N_("the shot falls in {hex}"), hex=hit)
    else:
        ctx.cite((*refs, "arbitrato.fuoco_amico"), N_("the shot falls off the map"))
    return hit


DRIFTS: Final = MappingProxyType(
    {
        0: "artiglieria.dispersione#deriva/7",
        1: "artiglieria.dispersione#deriva/1",
        2: "artiglieria.dispersione#deriva/2",
    }
)
"""The row of the table: on target, along the arrow, elsewhere."""


def _drift(faces: tuple[int, ...]) -> int:
    return 0 if faces[0] >= 7 else faces[0]


def shell(ctx: Ctx[State], name: str, weapon: str, hex: str, aimed: str) -> None:
    """The shot falls on whatever ground unit is there; `aimed` is the rule that brought it."""
    support = ctx.state.supports[name]
    target = unit_at(ctx.state, hex)
    if target is None:
        if weapon == LIGHT:
            ctx.cite(
                "artiglieria.vuoto#leggero", N_("nobody is in {hex}: the shot is lost"), hex=hex
            )
            return
        result = strike(ctx, name, weapon, None, "artiglieria.vuoto#pesante")
        if result == ELIMINATED:
            make_rubble(ctx, hex, support.side, "macerie.creazione#vuoto")
        return
    ref = "arbitrato.fuoco_amico"
    if target.is_helicopter:
        ctx.cite((ref, "supporti.elicotteri#mai"), N_("{unit} flies: no effect"), unit=target.id)
    elif is_shielded(ctx.state, support.side, target):
        ctx.cite(
            "arbitrato.scudo_supporti",
            N_("{unit} hides behind the population: no effect"),
            unit=target.id,
        )
    elif target.is_vehicle and weapon == LIGHT:
        ctx.cite(
            (ref, "artiglieria.valore#resta"),
            N_("a light value does nothing to {unit}"),
            unit=target.id,
        )
    else:
        if not are_enemies(ctx.state, target.side, support.side):
            ctx.cite(ref, N_("the shot falls on {unit}, a friend"), unit=target.id)
        result = strike(ctx, name, weapon, target, aimed)
        apply_fire(ctx, target.id, result)
        if result == ELIMINATED:
            leave_rubble(ctx, weapon, hex, support.side)


def strike(ctx: Ctx[State], name: str, weapon: str, target: Unit | None, ref: Locators) -> str:
    """The die of a support against a unit, from above: defence, terrain, its own damage."""
    support = ctx.state.supports[name]
    value = value_of(support, weapon)
    assert value is not None
    ladder = base_die(
        ctx,
        value.die,
        ref,
        N_("{weapon} value of {support}: {colour}"),
        support=name,
        weapon=weapon,
    )
    if target is not None:
        show(ctx, target.id)
        add_all(ladder, defence_of(target, "fuoco.modificatori#spostamenti/difesa del bersaglio"))
        field = field_of(ctx.state)
        cite_altitude(ctx, target)
        if not is_high(field, target):
            add_terrain(ladder, field, target.hex, "")
    ladder.add(
        -support.damage,
        (
            "arbitrato.sconto_supporti",
            "danno.uno#tiro" if support.damage == 1 else "danno.due#tiro",
        ),
        N_("damage of {support}"),
        support=name,
    )
    return combat_roll(ctx, final_die(ladder), ref, N_("{support} strikes"), support=name)


def cite_late_damage(ctx: Ctx[State], name: str, before: int, *also: str) -> None:
    """Damage taken after the payment: the same cost, a worse die (arbitrato.danno_durante)."""
    support = ctx.state.supports[name]
    if support.damage > before and not support.morale:
        ctx.cite(
            ("arbitrato.danno_durante", *also),
            N_("{support} was damaged after it paid: the die is worse, the cost stays"),
            support=name,
        )
