"""One action of the active player: who acts, and what it does.

Refs: warfare:azioni.*, track.ripetere, track.ruoli, movimento.alternare, arbitrato.carico,
arbitrato.supporto_senza_chiamata, scenari.s1 to scenari.s5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, card, unit
from engine.core.index import indexed
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.warfare.rules import (
    abilities,
    air,
    assault,
    drones,
    fire,
    martyrdom,
    morale,
    movement,
    overwatch,
    population,
    recon,
    roadblocks,
    smoke,
    snipers,
    supports,
    suppression,
    transport,
)
from engine.warfare.rules.morale import lose_overwatch, why_not_suppressed
from engine.warfare.rules.track import finish_action, pass_turn, pay_one
from engine.warfare.state.book import rule, why_none
from engine.warfare.state.events import Exited, PeopleSaved
from engine.warfare.state.setting import field_of, scenario_of
from engine.warfare.state.state import (
    ABOARD,
    DEAD,
    DUE,
    LEFT,
    RESERVE,
    State,
    Support,
    Unit,
    civilians_aboard,
    passenger_of,
)
from engine.warfare.state.tables import ARTILLERY, CAS, COVER, DRONE, MORTAR, OPEN, SNIPER

WhyNotSupport = Callable[[State, Support], Iterator[Ruling]]
Do = Callable[[Ctx[State], str], None]


class Verb(NamedTuple):
    """An action: how it is called, the chapter that teaches it, when it may not, what it does."""

    id: str
    name: str
    chapter: int
    why_not: Callable[[State, Unit], Iterator[Ruling]]
    do: Do


class SupportVerb(NamedTuple):
    """A use of a support."""

    id: str
    name: str
    kinds: tuple[str, ...]
    why_not: WhyNotSupport
    do: Do


def why_not_exit(state: State, one: Unit) -> Iterator[Ruling]:
    """Vehicles of a convoy leave by the north edge (scenari.casuali, mission 6)."""
    scenario = scenario_of(state)
    victory, field = scenario.victory, field_of(state)
    if victory.kind != "convoy" or state.cubes[one.side].team != victory.side:
        yield rule("movimento.azione#mappa", N_("no unit leaves the map in this scenario"))
        return
    if not one.is_vehicle:
        yield rule(scenario.says("exit"), N_("only vehicles of the convoy leave the map"))
    yield from why_not_suppressed(one)
    if field.row(one.hex) != 1 or field.terrain[one.hex] not in (OPEN, COVER):
        yield rule(
            scenario.says("exit"), N_("{unit} is not in an open or cover hex of row 1"), unit=one.id
        )


def leave(ctx: Ctx[State], name: str) -> None:
    """1 AP from an edge hex (scenari.casuali, mission 6)."""
    one = ctx.state.units[name]
    pay_one(ctx, name, one.side, "scenari.casuali#uscita")
    lose_overwatch(ctx, name)
    cargo = passenger_of(ctx.state, name)
    if cargo is not None:
        ctx.do(Exited(unit=cargo.id), ("scenari.casuali#uscita", "trasporto.movimento"))
    civilians = civilians_aboard(ctx.state, name)
    if civilians is not None:
        ctx.do(PeopleSaved(marker=civilians.id), ("scenari.casuali#uscita", "trasporto.movimento"))
    ctx.do(Exited(unit=name), "scenari.casuali#uscita")


VERBS = (
    Verb("muovi", N_("move"), 1, movement.why_not_move, movement.move),
    Verb("fuoco", N_("fire"), 2, fire.why_not_open_fire, fire.fire),
    Verb("overwatch", N_("overwatch"), 2, overwatch.why_not_overwatch, overwatch.go_in_overwatch),
    Verb("recupera", N_("recover"), 2, morale.why_not_recover, morale.recover),
    Verb("assalta", N_("assault"), 2, assault.why_not_assault, assault.assault),
    Verb("fumo", N_("throw smoke"), 2, smoke.why_not_smoke, smoke.throw_smoke),
    Verb("converti", N_("convert population"), 1, population.why_not_convert, population.convert),
    Verb("carica", N_("load"), 1, transport.why_not_load, transport.load),
    Verb("scarica", N_("unload"), 1, transport.why_not_unload, transport.unload),
    Verb("sgombra", N_("remove a roadblock"), 1, roadblocks.why_not_clear, roadblocks.clear),
    Verb("sbarra", N_("place a roadblock"), 1, roadblocks.why_not_block, roadblocks.block),
    Verb("ricognizione", N_("examine a marker"), 3, recon.why_not_recon, recon.recon),
    Verb("bonifica", N_("disarm"), 3, recon.why_not_disarm, recon.disarm),
    Verb("sopprimi", N_("suppression fire"), 3, suppression.why_not_suppress, suppression.suppress),
    Verb("martirio", N_("martyrdom"), 4, martyrdom.why_not_martyr, martyrdom.martyr),
    Verb(
        "droni",
        N_("squad drones"),
        5,
        abilities.why_not_squad_drones,
        abilities.use_squad_drones,
    ),
    Verb(
        "ricognizione-droni",
        N_("recon with drones"),
        5,
        drones.why_not_drone_recon,
        drones.drone_recon,
    ),
    Verb("esci", N_("leave the map"), 5, why_not_exit, leave),
)

SUPPORT_VERBS = (
    SupportVerb(
        "colpisci",
        N_("strike"),
        (ARTILLERY, MORTAR),
        supports.why_not_artillery,
        supports.fire_artillery,
    ),
    SupportVerb("mira", N_("fire"), (SNIPER,), snipers.why_not_sniper, snipers.use_sniper),
    SupportVerb("cas", N_("attack"), (CAS,), air.why_not_cas, air.use_cas),
    SupportVerb("drone", N_("attack"), (DRONE,), drones.why_not_drone, drones.use_drone),
    SupportVerb(
        "overwatch",
        N_("overwatch"),
        (SNIPER, DRONE, CAS, ARTILLERY, MORTAR),
        overwatch.why_not_support_overwatch,
        overwatch.go_in_overwatch,
    ),
)

EASY_FIRST = sorted(VERBS, key=lambda verb: verb.id not in ("overwatch", "fumo"))
"""The verbs with those first that are quick to find free."""
PASS = "passa"
VERB_BUTTONS = tuple(button(verb.id, verb, verb.name) for verb in VERBS)
SUPPORT_BUTTONS = {
    kind: tuple(button(v.id, v, v.name) for v in SUPPORT_VERBS if kind in v.kinds)
    for kind in (ARTILLERY, MORTAR, SNIPER, CAS, DRONE)
}


def why_not_verb(state: State, one: Unit, verb: Verb) -> Iterator[Ruling]:
    """Not taught yet, or forbidden by its own rules; what nothing forbids is remembered."""
    known, key = allowed(state), (one.id, verb.id)
    is_there = state.units.get(one.id) is one
    if is_there and key in known:
        return
    scenario = scenario_of(state)
    if verb.chapter > scenario.chapter:
        yield rule(
            scenario.says("chapters"), N_("this belongs to chapter {chapter}"), chapter=verb.chapter
        )
        return
    is_forbidden = False
    for ruling in verb.why_not(state, one):
        is_forbidden = True
        yield ruling
    if is_there and not is_forbidden:
        known.add(key)


@indexed()
def allowed(state: State) -> set[tuple[str, str]]:
    """Units and verbs that were found free in a state; actions are asked for again and again."""
    return set()


def can_do(state: State, one: Unit, verb: Verb) -> bool:
    """Whether nothing forbids an action."""
    known, key = allowed(state), (one.id, verb.id)
    is_there = state.units.get(one.id) is one
    if is_there and key in known:
        return True
    if verb.chapter > scenario_of(state).chapter:
        return False
    if next(verb.why_not(state, one), None) is not None:
        return False
    if is_there:
        known.add(key)
    return True


def why_not_act(state: State, one: Unit | Support | None) -> Iterator[Ruling]:
    """Why a unit or support cannot be activated now."""
    if one is None:
        return
    if isinstance(one, Support):
        yield from supports.why_not_support(state, one)
        support = one
        yield from why_none(
            lambda verb: verb.why_not(state, support),
            [verb for verb in SUPPORT_VERBS if one.values.kind in verb.kinds],
            "supporti.procedura#mira",
            N_("{support} has nothing to do"),
            support=one.id,
        )
        return
    if one.place == RESERVE:
        yield from abilities.why_not_drop(state, one)
        return
    if not one.hex:
        yield from why_not_here(one)
        return
    if not any(can_do(state, one, verb) for verb in EASY_FIRST):
        yield from why_not_suppressed(one)
        yield rule("azioni.comuni", N_("{unit} has nothing it can do"), unit=one.id)


def why_not_here(one: Unit) -> Iterator[Ruling]:
    """Aboard, due, lost or gone."""
    if one.place == ABOARD:
        yield rule(
            "arbitrato.carico", N_("{unit} is aboard {carrier}"), unit=one.id, carrier=one.carrier
        )
    elif one.place == DUE:
        yield rule(
            ("unita.piazzamento#scenario", "turno.nuovo#unita"),
            N_("{unit} arrives in turn {turn}"),
            unit=one.id,
            turn=one.due,
        )
    elif one.place == DEAD:
        yield rule("fuoco.risultati#icone/Eliminato", N_("{unit} is out of the game"), unit=one.id)
    elif one.place == LEFT:
        yield rule("scenari.casuali#uscita", N_("{unit} has left the map"), unit=one.id)


def act(ctx: Ctx[State]) -> None:
    """One action of the active player, or a pass; then roles and turn are settled."""
    state = ctx.state
    side = state.active
    who: Unit | Support | None = ctx.choose(
        "action.who",
        side,
        who_may_act(state),
        ("track.ruoli#sceglie", "track.ripetere"),
        N_("{side} is active in turn {turn}: who acts?"),
        why_not=lambda one: why_not_act(state, one),
        side=side,
        turn=state.turn,
    )
    if who is None:
        pass_turn(ctx, side)
    elif isinstance(who, Support):
        act_support(ctx, who)
    elif who.place == RESERVE:
        abilities.drop(ctx, who.id)
    else:
        act_unit(ctx, who)
    if ctx.state.march is not None:
        movement.march_on(ctx, asks=False)
    elif ctx.state.examination is None:
        finish_action(ctx)


@indexed()
def who_may_act(state: State) -> tuple[Choice[Unit | Support | None], ...]:
    """The units and supports of the active player, and to pass."""
    field = field_of(state)
    offers: list[Choice[Unit | Support | None]] = []
    for one in state.units.values():
        if one.side == state.active:
            offers.append(unit(one.id, one, hex=field.hex[one.hex] if one.hex else None))
    offers += [card(s.id, s) for s in state.supports.values() if s.side == state.active]
    return (*offers, button(PASS, None, N_("pass")))


def act_unit(ctx: Ctx[State], one: Unit) -> None:
    """The actions of a unit, common and special (azioni.comuni, azioni.speciali)."""
    state = ctx.state
    verb = ctx.choose(
        "action.what",
        one.side,
        VERB_BUTTONS,
        ("azioni.comuni", "azioni.tabella#costi", "movimento.alternare#altra"),
        N_("What does {unit} do?"),
        why_not=lambda verb: why_not_verb(state, one, verb),
        unit=one.id,
    )
    verb.do(ctx, one.id)


def act_support(ctx: Ctx[State], support: Support) -> None:
    """The uses of a support (supporti.procedura)."""
    state = ctx.state
    verb = ctx.choose(
        "support.what",
        support.side,
        SUPPORT_BUTTONS[support.values.kind],
        ("supporti.procedura#usa", "arbitrato.supporto_senza_chiamata"),
        N_("What does {support} do?"),
        why_not=lambda verb: verb.why_not(state, support),
        support=support.id,
    )
    verb.do(ctx, support.id)
