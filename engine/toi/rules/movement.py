"""Movement, hex by hex, and the order of events in each hex (the chapters on movement and timing).

Refs: movimento.*, conflitti.sequenza, accentramento.attraversare, accentramento.arresto,
accentramento.blitz, azione.avanzata, azione.fm, azione.fm-movimento, azione.fm-facoltativo,
azione.assalto, azione.affaticamento, danni.op, fuoco-op.effetto, fuoco-op.pesanti,
miniature.carro.blitz, miniature.carro.blitz-op, miniature.carro.resistenza,
miniature.ufficiale.mobilita, fortificazioni.trincea-uscita, fortificazioni.bunker-uscita,
ostacoli.filo-rimuovere, ostacoli.mine-uscita, casa.03, casa.07, casa.21, casa.30, casa.60.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, place
from engine.core.decisions import unit as unit_choice
from engine.core.rules import Locators, Ruling
from engine.core.text import N_
from engine.kit.modifiers import Modifier, add_all
from engine.toi.rules import assault, fire, transport, works
from engine.toi.rules.concealed import look
from engine.toi.rules.ground import Ground, ground
from engine.toi.rules.hq import lasting
from engine.toi.rules.opportunity import react
from engine.toi.rules.stacking import is_full, why_not_stay
from engine.toi.rules.suppression import shaken_in_op_fire
from engine.toi.rules.targets import aboard, stance
from engine.toi.rules.terrain import cost_rules, entry_cost, mover, why_not_pass
from engine.toi.state import tables
from engine.toi.state.book import because, follows, rule
from engine.toi.state.events import (
    Activated,
    ActivationEnded,
    Attacked,
    Dismounted,
    Fatigued,
    FortEntered,
    FortLeft,
    Moved,
    ObstacleRemoved,
    Pinned,
    PointsLost,
    PointsSpent,
    WentBack,
)
from engine.toi.state.state import (
    ADVANCE,
    ASSAULT,
    BUNKER,
    ENGINEER,
    FATIGUED,
    FIRE_MOVE,
    HEAVY,
    LIGHT,
    MINES,
    NORMAL,
    POINT,
    TRAP,
    WIRE,
    Active,
    State,
    Unit,
    in_points,
)
from engine.toi.state.units import (
    at,
    enemies_at,
    fort_kind,
    has_officer,
    has_trait,
    is_heavy,
    obstacles_at,
    operation,
    passengers,
    place_of,
    seat_of,
    shown_enemies_at,
    skill,
    type_of,
    units_of,
)

REMOVE_WIRE = 2
PASSING = ("accentramento.attraversare#passare", "accentramento.limite#tre")
FORT = 1


Move: TypeAlias = tuple[str, str]
"""A verb and what it is done to."""


# --- movement points --------------------------------------------------------------------------


def points(state: State, unit: Unit, action: str, spared: bool = False) -> Iterator[Modifier]:
    """The movement points of an activation, with their rules (movimento.punti)."""
    name = unit.id
    if unit.is_squad:
        base = min(tables.UNITS[figure].movement for figure in unit.figures)
        yield Modifier(
            base,
            rule(
                (
                    "movimento.punti#valore",
                    "movimento.non-cumulativo#somma",
                    "scheda.lettura#movimento",
                    "casa.03" if len(set(unit.figures)) > 1 else "",
                ),
                N_("movement of {unit}"),
                unit=name,
                **tables.doubt(
                    *(
                        line.source("pm")
                        for line in map(tables.UNITS.__getitem__, unit.figures)
                        if line.movement == base
                    )
                ),
            ),
        )
        if has_officer(unit):
            found = rule(
                "miniature.ufficiale.mobilita#piu-uno", N_("{unit} has an officer"), unit=name
            )
            yield Modifier(1, found)
        if action == ADVANCE:
            if card := operation(state, unit.side, "double_time"):
                found = rule(
                    "errata.tempo-doppio",
                    N_("{unit}: double time"),
                    unit=name,
                    **tables.doubt(card.provenance),
                )
                yield Modifier(card.n, found)
            if order := lasting(state, unit, "march_order"):
                found = rule(
                    "strategia.area-di-gioco#restano",
                    N_("{card}"),
                    card=order.id,
                    **tables.doubt(order.provenance),
                )
                yield Modifier(order.effect.n, found)
    else:
        yield Modifier(
            type_of(unit).movement,
            rule(
                (
                    "movimento.punti#valore",
                    "trasporto.nessun-bonus" if passengers(state, name) else "",
                ),
                N_("movement of {unit}"),
                unit=name,
                **tables.doubt(type_of(unit).source("pm")),
            ),
        )
        if unit.damage == LIGHT:
            yield Modifier(-1, rule("danni.lieve#lieve", N_("{unit} is damaged"), unit=name))
    if action == FIRE_MOVE:
        value = -1 if unit.is_squad else -2
        yield Modifier(value, rule("azione.fm-movimento#meno", N_("fire and movement")))
    if action == ASSAULT and not spared:
        yield Modifier(-1, rule("azione.assalto#attivi", N_("assault")))


def why_not_move(state: State, unit: Unit) -> Iterator[Ruling]:
    """Units that cannot move at all (movimento.immobilizzate), or not get off (trasporto)."""
    if unit.aboard:
        yield from transport.why_no_place(state, unit)
    if unit.condition != NORMAL:
        yield rule(
            (
                "movimento.immobilizzate#non-muovono",
                (
                    "condizioni.bloccata#vietato"
                    if unit.condition == "pinned"
                    else "condizioni.disgregata#vietato"
                ),
            ),
            N_("{unit} is {condition}: it cannot move"),
            unit=unit.id,
            condition=unit.condition,
        )
    if unit.damage == HEAVY:
        yield rule(
            ("movimento.immobilizzate#non-muovono", "danni.grave#movimento"),
            N_("{unit} has heavy damage: it cannot move"),
            unit=unit.id,
        )


def activate(
    ctx: Ctx[State], name: str, action: str, *, card: str = "", bonus: int = 0, again: int = 0
) -> None:
    """The unit becomes active with its movement points (azione.unita-attiva)."""
    unit = ctx.state.units[name]
    tally = ctx.tally(N_("Movement points"))
    spared = card == "assault_order"
    add_all(tally, points(ctx.state, unit, action, spared))
    if spared:
        ctx.cite(("strategia.carta-prevale", "azione.assalto#attivi"), N_("No movement penalty"))
    event = Activated(
        unit=name,
        action=action,
        mp=max(0, int(tally.total)) * POINT,
        hex=place_of(ctx.state, unit),
        card=card,
        bonus=bonus,
        again=again,
        seat=seat_of(ctx.state, unit),
    )
    ctx.do(
        event,
        (
            "azione.avanzata#muovi" if action == ADVANCE else "",
            "azione.fm#attivi" if action == FIRE_MOVE else "",
            "azione.assalto#attivi" if action == ASSAULT else "",
            "azione.unita-attiva#attiva",
            "movimento.punti#solo",
        ),
    )


# --- one step ---------------------------------------------------------------------------------


def go_on(ctx: Ctx[State]) -> None:
    """The active unit takes its next step, or ends (movimento.costo)."""
    state = ctx.state
    active = state.active
    assert active is not None
    unit = state.units[active.unit]
    choices = list(candidates(state, unit, active))

    def why_not(move: Move) -> Iterator[Ruling]:
        return why_not_step(state, unit, active, move)

    useful = any(
        next(why_not(choice.value), None) is None for choice in choices if choice.value[0] != "stop"
    )
    if not useful:
        ctx.cite(what_ends(state, unit, active))
        if next(why_not(("stop", "")), None) is None:
            finish(ctx)
        else:
            forced_stop(ctx)
        return
    move = ctx.choose(
        "move.next",
        seat_of(state, unit),
        choices,
        ("movimento.costo#esagono", "movimento.altri-usi#altri"),
        N_("{unit}: {action}, what next?"),
        why_not=why_not,
        unit=unit.id,
        action=active.action,
    )
    step(ctx, unit, active, move)


def what_ends(state: State, unit: Unit, active: Active) -> Ruling:
    """Why nothing is left to do: no hex can be entered, and there is nobody to attack."""
    held = next(why_not_leave(state, unit, active), None)
    if held is None:
        near = ground(state).near[place_of(state, unit)]
        every = [next(why_not_enter(state, unit, active, label)) for label in near]
        held = because(
            "movimento.punti#spende",
            every,
            N_("{unit} has {left} movement points left: it can enter no other hex"),
            unit=unit.id,
            left=in_points(active.mp),
        )
    verb = {FIRE_MOVE: "attack", ASSAULT: "assault"}.get(active.action)
    if verb is None or active.attacked:
        return held
    lost = next(why_not_step(state, unit, active, (verb, "")))
    return follows(lost, held)


@lru_cache(maxsize=4096)
def _neighbours(field: Ground, here: str) -> tuple[Choice[Move], ...]:
    return tuple(place(label, ("hex", label), hex=field.hex[label]) for label in field.near[here])


def candidates(state: State, unit: Unit, active: Active) -> Iterator[Choice[Move]]:
    """Everything that the active unit might try."""
    field = ground(state)
    here = place_of(state, unit)
    if unit.aboard:
        yield button("scendi", ("dismount", ""), N_("Dismount"))
    yield from _neighbours(field, here)
    for vehicle in transport.transports_at(state, unit):
        yield unit_choice(
            vehicle.id, ("board", vehicle.id), N_("Board {unit}"), hex=field.hex[here]
        )
    if unit.is_squad and not unit.aboard:
        if unit.fort:
            yield button("esci", ("leave", ""), N_("Leave {fort}"), fort=unit.fort)
        else:
            for fort in works.forts_at(state, here):
                yield button(f"entra-{fort}", ("shelter", fort), N_("Enter {fort}"), fort=fort)
    if WIRE in obstacles_at(state, here) and not unit.aboard:
        yield button("taglia", ("cut", ""), N_("Remove the razor wire"))
    if active.action == FIRE_MOVE:
        yield button("attacca", ("attack", ""), N_("Attack"))
    if active.action == ASSAULT:
        yield button("assalta", ("assault", ""), N_("Assault"))
    yield button("fine", ("stop", ""), N_("End the action"))


def why_not_step(state: State, unit: Unit, active: Active, move: Move) -> Iterator[Ruling]:
    """Why the active unit may not do something now."""
    verb, what = move
    match verb:
        case "hex":
            return why_not_enter(state, unit, active, what)
        case "board":
            return transport.why_not_board(state, unit, state.units[what], active)
        case "dismount":
            return transport.why_not_dismount(state, unit, active)
        case "shelter":
            return chain(
                why_not_spend(
                    active,
                    FORT,
                    (
                        "fortificazioni.bunker#costo"
                        if state.forts[what].kind == BUNKER
                        else "fortificazioni.trincea#costo",
                        "movimento.altri-usi#movimento-altri-usi/Entrare in trincea o bunker",
                    ),
                ),
                works.why_not_shelter(state, unit, what),
            )
        case "leave":
            return why_not_spend(
                active,
                FORT,
                (
                    "fortificazioni.bunker#costo"
                    if fort_kind(state, unit) == BUNKER
                    else "fortificazioni.trincea#costo",
                    "movimento.altri-usi#movimento-altri-usi/Uscire da trincea o bunker",
                ),
            )
        case "cut":
            return why_not_cut(unit, active)
        case "attack":
            return why_not_fire_now(state, unit, active)
        case "assault":
            return chain(why_not_stop(state, unit), assault.why_not_begin(state, unit, active))
        case _:
            return why_not_stop(state, unit)


def why_not_spend(active: Active, cost: int, refs: Locators) -> Iterator[Ruling]:
    """Too few movement points."""
    if active.mp < cost * POINT:
        yield rule(refs, N_("It costs {n} movement points"), n=cost)


def why_not_cut(unit: Unit, active: Active) -> Iterator[Ruling]:
    """Tanks and engineers remove wire (ostacoli.filo-rimuovere)."""
    if not is_heavy(unit) and skill(unit) != ENGINEER:
        yield rule(
            "ostacoli.filo-rimuovere#chi",
            N_("{unit} is neither a tank nor engineers"),
            unit=unit.id,
        )
    yield from why_not_spend(
        active,
        REMOVE_WIRE,
        (
            "ostacoli.filo-rimuovere#chi",
            "movimento.altri-usi#movimento-altri-usi/Togliere filo spinato (carri o ingegneri)",
        ),
    )


def why_not_fire_now(state: State, unit: Unit, active: Active) -> Iterator[Ruling]:
    """The one attack of fire and movement (azione.fm)."""
    if active.attacked:
        yield rule(
            ("azione.fm#un-attacco", "combattimento.miste#una-volta" if unit.is_squad else ""),
            N_("{unit} has attacked already"),
            unit=unit.id,
        )
    if unit.aboard:
        yield aboard(unit)
        return
    yield from why_not_stop(state, unit)
    yield from fire.why_no_target(state, unit, FIRE_MOVE, "azione.fm-no-lungo")


def why_not_stop(state: State, unit: Unit) -> Iterator[Ruling]:
    """Where a unit may pass but not stop, nor attack: an attack ends the way."""
    if unit.aboard:
        return
    for found in why_not_stay(state, unit, unit.hex):
        yield because(
            "accentramento.attraversare#fermarti",
            (found,),
            N_("{unit} may pass {hex} but not stop: it is full"),
            unit=unit.id,
            hex=unit.hex,
        )
    if overrun_at(state, unit, unit.hex):
        yield rule(
            "miniature.carro.blitz#attraversa",
            N_("{unit} may not end in an enemy hex"),
            unit=unit.id,
        )
    elif enemies_at(state, unit.hex, unit.side):
        yield rule(
            ("nascoste.attraversamento", "movimento.nemici#nascoste"),
            N_("{unit} may not stop on concealed squads"),
            unit=unit.id,
        )


def overrun_at(state: State, unit: Unit, label: str) -> list[Unit]:
    """The enemies that a tank overruns in a hex; others only slip past who was concealed."""
    return shown_enemies_at(state, label, unit.side) if has_trait(unit, "overrun") else []


def step_cost(state: State, unit: Unit, a: str, b: str) -> int | None:
    """The price of a step in thirds, overrun included; None when the ground forbids it."""
    cost = entry_cost(ground(state), mover(unit), a, b)
    if cost is None:
        return None
    return cost + POINT * len(shown_enemies_at(state, b, unit.side))


def why_not_enter(state: State, unit: Unit, active: Active, label: str) -> Iterator[Ruling]:
    """Why the active unit may not enter a neighbouring hex."""
    if unit.aboard:
        yield rule("trasporto.scendere#due-pm", N_("{unit} must dismount first"), unit=unit.id)
        return
    if unit.fort or state.obstacles:
        yield from why_not_leave(state, unit, active)
    cost = step_cost(state, unit, unit.hex, label)
    if cost is None:
        yield from why_not_pass(ground(state), unit, unit.hex, label)
    if label in state.obstacles:
        yield from works.why_not_trap(state, unit, label, active.path[0])
    if shown_enemies_at(state, label, unit.side) and not has_trait(unit, "overrun"):
        yield rule("movimento.nemici#vietato", N_("{hex} holds enemies"), hex=label)
        return
    if cost is None:
        return
    if cost > active.mp:
        yield _too_dear(state, unit, label, cost, active.mp)
    elif not can_stay(state, unit, label) and not can_leave(
        state, unit, label, active.mp - cost, active.path[0], 0
    ):
        yield _no_way_on(state, unit, label)


def why_not_leave(state: State, unit: Unit, active: Active) -> Iterator[Ruling]:
    """A shelter, an obstacle or the mines it began in may hold a unit where it is."""
    if unit.fort:
        kind = fort_kind(state, unit)
        yield rule(
            ("fortificazioni.bunker#costo" if kind == BUNKER else "fortificazioni.trincea#costo"),
            N_("{unit} must leave {fort} first"),
            unit=unit.id,
            fort=unit.fort,
        )
    here = obstacles_at(state, unit.hex)
    if active.halted and here:
        yield rule(
            (
                "ostacoli.filo-arresto#ferma" if WIRE in here else "",
                "ostacoli.frisia#fermarsi" if TRAP in here else "",
                "ostacoli.mine#ferma" if MINES in here else "",
            ),
            N_("{unit} must stop here"),
            unit=unit.id,
        )
    if len(active.path) > 1 and MINES in obstacles_at(state, active.path[0]):
        yield rule(
            "ostacoli.mine-uscita#un-esagono",
            N_("{unit} started in a minefield: one hex only"),
            unit=unit.id,
        )


def _too_dear(state: State, unit: Unit, label: str, cost: int, left: int) -> Ruling:
    """The price of a step, by its rules (movimento.costo)."""
    shown = shown_enemies_at(state, label, unit.side)
    return rule(
        (
            "movimento.costo#intero",
            *cost_rules(ground(state), mover(unit), unit.hex, label),
            "miniature.carro.blitz#paga" if shown else "",
        ),
        N_("{hex} costs {cost} movement points, {left} are left"),
        hex=label,
        cost=in_points(cost),
        left=in_points(left),
    )


def _no_way_on(state: State, unit: Unit, label: str) -> Ruling:
    """A hex where one may pass but not stop, and that cannot be left again."""
    if shown_enemies_at(state, label, unit.side):
        return rule(
            ("miniature.carro.blitz#uscirne", "casa.21#uscirne"),
            N_("{unit} could not leave {hex} again"),
            unit=unit.id,
            hex=label,
        )
    if enemies_at(state, label, unit.side):
        return rule(
            "nascoste.attraversamento",
            N_("{unit} could not leave {hex} again"),
            unit=unit.id,
            hex=label,
        )
    return rule(
        ("accentramento.attraversare#fermarti", "accentramento.limite#tre"),
        N_("{hex} is full and {unit} could not leave it again"),
        hex=label,
        unit=unit.id,
    )


def can_stay(state: State, unit: Unit, label: str) -> bool:
    """Whether a unit may end in a hex: room, and no enemies of any kind."""
    return not at(state, label) or (
        not enemies_at(state, label, unit.side) and not is_full(state, unit, label)
    )


def can_leave(state: State, unit: Unit, label: str, mp: int, start: str, depth: int) -> bool:
    """Whether the points left allow to leave a hex where one may not stop."""
    if depth == 0 and MINES in obstacles_at(state, start):
        return False
    if unit.is_squad and mp >= transport.BOARD * POINT:
        for vehicle in transport.transports_at(state, unit):
            if (
                vehicle.hex == label
                and next(transport.why_no_room(state, unit, vehicle), None) is None
            ):
                return True
    for beyond in ground(state).near[label]:
        cost = step_cost(state, unit, label, beyond)
        if cost is None or cost > mp:
            continue
        if shown_enemies_at(state, beyond, unit.side) and not has_trait(unit, "overrun"):
            continue
        if next(works.why_not_trap(state, unit, beyond, start), None) is not None:
            continue
        if can_stay(state, unit, beyond):
            return True
        if depth < 3 and can_leave(state, unit, beyond, mp - cost, start, depth + 1):
            return True
    return False


def step(ctx: Ctx[State], unit: Unit, active: Active, move: Move) -> None:
    """Do what the active unit decided."""
    verb, what = move
    match verb:
        case "hex":
            enter(ctx, unit, active, what)
        case "board":
            transport.board(ctx, unit, what)
            ctx.do(Fatigued(unit=unit.id), "trasporto.affatica#affaticata")
            ctx.do(ActivationEnded(unit=unit.id), "trasporto.affatica#affaticata")
        case "dismount":
            transport.dismount(ctx, unit)
            arrive(ctx, unit.id)
        case "shelter":
            ctx.do(
                PointsSpent(unit=unit.id, left=active.mp - FORT * POINT),
                "movimento.altri-usi#movimento-altri-usi/Entrare in trincea o bunker",
            )
            kind = ctx.state.forts[what].kind
            ctx.do(
                FortEntered(unit=unit.id, fort=what),
                (
                    (
                        "fortificazioni.bunker#costo"
                        if kind == BUNKER
                        else "fortificazioni.trincea#costo"
                    ),
                    "fuoco-op.no-innesco#fortificazione",
                ),
            )
        case "leave":
            leave_fort(ctx, unit, active)
        case "cut":
            left = active.mp - REMOVE_WIRE * POINT
            ctx.do(
                PointsSpent(unit=unit.id, left=left),
                "movimento.altri-usi#movimento-altri-usi/Togliere filo spinato (carri o ingegneri)",
            )
            ctx.do(
                ObstacleRemoved(hex=unit.hex, kind=WIRE),
                ("ostacoli.filo-rimuovere#chi", "fuoco-op.no-innesco#filo"),
            )
        case "attack":
            fire_on_the_move(ctx, unit, active)
        case "assault":
            assault.assault(ctx, unit.id)
            finish(ctx)
        case _:
            finish(ctx)


def enter(ctx: Ctx[State], unit: Unit, active: Active, label: str) -> None:
    """Enter a hex: steps 1 to 5 of the sequence of events (conflitti.sequenza)."""
    field = ground(ctx.state)
    cost = step_cost(ctx.state, unit, unit.hex, label)
    assert cost is not None
    overrun = overrun_at(ctx.state, unit, unit.hex)
    shown = shown_enemies_at(ctx.state, label, unit.side)
    sneaking = not shown and bool(enemies_at(ctx.state, label, unit.side))
    ctx.do(
        Moved(unit=unit.id, hex=label, left=active.mp - cost),
        (
            "movimento.costo#esagono",
            *cost_rules(field, mover(unit), unit.hex, label),
            "conflitti.sequenza#entra",
            *(("miniature.carro.blitz#paga", "accentramento.blitz") if shown else ()),
            *(("nascoste.attraversamento", "nascoste.no-blitz") if sneaking else ()),
            "ostacoli.mine-uscita#un-esagono" if MINES in obstacles_at(ctx.state, unit.hex) else "",
            *(PASSING if is_full(ctx.state, unit, label) else ()),
        ),
    )
    for one in overrun:
        roll_over(ctx, one)
    arrive(ctx, unit.id)


def roll_over(ctx: Ctx[State], unit: Unit) -> None:
    """Step 8: the tank has left the hex it overran; squads in the open are pinned."""
    if not unit.is_squad:
        ctx.cite(
            ("miniature.carro.blitz#nessun-effetto", "casa.21#bloccate"),
            N_("{unit}: overrun does nothing to vehicles"),
            unit=unit.id,
        )
    elif unit.fort:
        ctx.cite(
            ("miniature.carro.blitz#bloccata", "casa.21#bloccate"),
            N_("{unit} is sheltered from the overrun"),
            unit=unit.id,
        )
    elif unit.condition != NORMAL:
        ctx.cite(
            ("miniature.carro.blitz#nessun-effetto", "casa.21#bloccate"),
            N_("{unit} is already {condition}"),
            unit=unit.id,
            condition=unit.condition,
        )
    else:
        ctx.do(Pinned(unit=unit.id), ("miniature.carro.blitz#bloccata", "casa.21#bloccate"))
        shaken_in_op_fire(ctx, unit.id)


def arrive(ctx: Ctx[State], name: str) -> None:
    """What happens in a hex just entered, dismounted into, or left a shelter in."""
    look(ctx)
    before = ctx.state.units[name]
    fired = react(ctx, name)
    if fired and after_fire(ctx, before):
        return
    stopped = ctx.state.units[name].activation == FATIGUED
    works.meet_obstacles(ctx, name)
    settle(ctx, name, "movimento.op-arresto#finisce" if stopped else "ostacoli.mine#affaticata")


def after_fire(ctx: Ctx[State], before: Unit) -> bool:
    """What op fire does to the active unit. Whether it is gone (movimento.op-arresto)."""
    name = before.id
    unit = ctx.state.units.get(name)
    if unit is None:
        ctx.do(
            ActivationEnded(unit=name),
            "azione.unita-attiva#attiva" if before.is_squad else "fuoco-op.effetto#danneggia",
        )
        return True
    active = ctx.state.active
    assert active is not None
    if unit.condition != before.condition:
        ctx.do(
            Fatigued(unit=name),
            (
                "movimento.op-arresto#affaticata",
                "fuoco-op.effetto#blocca",
                "condizioni.op#attiva",
                "casa.30",
            ),
        )
    elif unit.damage != before.damage:
        if is_heavy(unit) and unit.damage == LIGHT:
            ctx.do(
                PointsLost(unit=name, left=max(0, active.mp - POINT)),
                (
                    "movimento.op-pesanti#subito",
                    "fuoco-op.pesanti#subito",
                    "miniature.carro.resistenza#subito",
                    "casa.60",
                ),
            )
        else:
            ctx.do(
                Fatigued(unit=name),
                (
                    "danni.op#affaticato",
                    "movimento.op-arresto#affaticata",
                    "fuoco-op.effetto#danneggia",
                    "casa.30",
                ),
            )
    else:
        ctx.cite("movimento.op-perdite", N_("{unit} may go on"), unit=name)
    return False


def settle(ctx: Ctx[State], name: str, cause: str) -> None:
    """End the action of a unit that fire or mines stopped; send it back if it cannot stay."""
    unit = ctx.state.units.get(name)
    if unit is None:
        ctx.do(ActivationEnded(unit=name), cause)
        return
    active = ctx.state.active
    assert active is not None
    if unit.activation == FATIGUED:
        if not can_stay(ctx.state, unit, unit.hex):
            go_back(ctx, unit, active)
        ctx.do(ActivationEnded(unit=name), cause)
    elif active.halted and not can_stay(ctx.state, unit, unit.hex):
        forced_stop(ctx)


def forced_stop(ctx: Ctx[State]) -> None:
    """A unit that must stop where it may not: back along its path, fatigued."""
    active = ctx.state.active
    assert active is not None
    unit = ctx.state.units[active.unit]
    if not can_stay(ctx.state, unit, unit.hex):
        go_back(ctx, unit, active)
    finish(ctx)


def go_back(ctx: Ctx[State], unit: Unit, active: Active) -> None:
    """Back to the first hex of the path where it may stay, free and without op fire."""
    overrunning = bool(overrun_at(ctx.state, unit, unit.hex))
    sneaking = not overrunning and bool(enemies_at(ctx.state, unit.hex, unit.side))
    for label in reversed(active.path[:-1]):
        if can_stay(ctx.state, unit, label):
            ctx.do(
                WentBack(unit=unit.id, hex=label),
                ("miniature.carro.blitz-op#torna", "casa.21#torna")
                if overrunning
                else (
                    "nascoste.attraversamento" if sneaking else "accentramento.arresto#arretra",
                    "casa.07#nascoste" if sneaking else "casa.07#torna",
                ),
            )
            return


def leave_fort(ctx: Ctx[State], unit: Unit, active: Active) -> None:
    """One point; the enemy may fire as if the squad entered the hex."""
    ctx.do(
        PointsSpent(unit=unit.id, left=active.mp - FORT * POINT),
        "movimento.altri-usi#movimento-altri-usi/Uscire da trincea o bunker",
    )
    ctx.do(
        FortLeft(unit=unit.id, fort=unit.fort),
        ("fortificazioni.bunker#costo", "fortificazioni.bunker-uscita#fuoco-op")
        if fort_kind(ctx.state, unit) == BUNKER
        else ("fortificazioni.trincea#costo", "fortificazioni.trincea-uscita#fuoco-op"),
    )
    before = ctx.state.units[unit.id]
    if react(ctx, unit.id) and not after_fire(ctx, before):
        settle(ctx, unit.id, "movimento.op-arresto#finisce")


def fire_on_the_move(ctx: Ctx[State], unit: Unit, active: Active) -> None:
    """Move then attack, or attack then move: alone and at half firepower (azione.fm)."""
    target = fire.choose_target(ctx, unit.id, FIRE_MOVE)
    lead = fire.choose_group(ctx, stance(ctx.state, unit, FIRE_MOVE), target)
    ctx.cite(
        ("azione.fm-no-supporto", "fuoco-combinato.no-fm#nessuna"),
        N_("{unit} fires alone"),
        unit=unit.id,
    )
    fire.resolve(ctx, fire.Attack(target, lead))
    ctx.do(Attacked(unit=unit.id), "azione.fm#attivi")
    if active.moved:
        finish(ctx)


# --- the end of an action ---------------------------------------------------------------------


def finish(ctx: Ctx[State]) -> None:
    """The unit is fatigued and no longer active (azione.affaticamento)."""
    active = ctx.state.active
    assert active is not None
    unit = ctx.state.units.get(active.unit)
    if unit is not None and unit.activation != FATIGUED:
        skipped = active.action == FIRE_MOVE and not active.attacked
        ctx.do(
            Fatigued(unit=active.unit),
            ("azione.affaticamento#affaticata", "azione.fm-facoltativo" if skipped else ""),
        )
    if unit is not None and active.card == "motor_column":
        set_down(ctx, unit)
    ctx.do(ActivationEnded(unit=active.unit), "azione.unita-attiva#attiva")
    if active.again:
        go_again(ctx, active)


def set_down(ctx: Ctx[State], vehicle: Unit) -> None:
    """A passenger dismounts for nothing and stays ready (strategy card)."""
    state = ctx.state
    choices: list[Choice[str]] = [
        unit_choice(rider.id, rider.id, hex=ground(state).hex[vehicle.hex])
        for rider in passengers(state, vehicle.id)
    ]
    if not any(
        next(transport.why_no_place(state, state.units[c.value]), None) is None for c in choices
    ):
        return
    choices.append(button("no", "", N_("Nobody")))
    rider = ctx.choose(
        "move.dismount",
        seat_of(state, vehicle),
        choices,
        ("strategia.carta-prevale", "trasporto.scendere#piazzi"),
        N_("{unit}: who dismounts?"),
        why_not=lambda name: transport.why_no_place(state, state.units[name]) if name else None,
        unit=vehicle.id,
    )
    if not rider:
        return
    ctx.do(
        Dismounted(unit=rider, hex=vehicle.hex),
        ("strategia.carta-prevale", "trasporto.scendere-op"),
    )
    look(ctx)
    before = ctx.state.units[rider]
    if react(ctx, rider) and rider in ctx.state.units:
        unit = ctx.state.units[rider]
        if unit.condition != before.condition:
            ctx.do(
                Fatigued(unit=rider), ("movimento.op-arresto#affaticata", "condizioni.op#attiva")
            )


def go_again(ctx: Ctx[State], active: Active) -> None:
    """A card activates another squad after the first (strategia.carta-prevale)."""
    state = ctx.state
    seat = active.seat
    hexes = ground(state).hex
    squads = [unit for unit in units_of(state, seat) if unit.is_squad and unit.hex]
    if not any(next(assault.why_not_order(state, unit), None) is None for unit in squads):
        return
    choices: list[Choice[str]] = [
        unit_choice(unit.id, unit.id, hex=hexes[unit.hex]) for unit in squads
    ]
    choices.append(button("no", "", N_("No other squad")))
    name = ctx.choose(
        "cards.assault-again",
        seat,
        choices,
        "strategia.carta-prevale",
        N_("Which other squad assaults?"),
        why_not=lambda one: assault.why_not_order(state, state.units[one]) if one else None,
    )
    if name:
        activate(ctx, name, ASSAULT, card=active.card, bonus=active.bonus, again=active.again - 1)
