"""Set-up, from the starting cards to the first op-fire markers (the chapter on set-up).

Refs: preparazione.1-scenario, preparazione.2-plancia, preparazione.3-mazzi,
preparazione.3-operazionali, preparazione.3-iniziativa, preparazione.4-round,
preparazione.5-squadre, preparazione.5-ordine, preparazione.5-specializzazioni,
preparazione.6-spiegamento, preparazione.7-op-iniziale, trasporto.spiegamento,
specializzazioni.assegnazione, specializzazioni.una, comando.inizio, comando.spiegamento,
nascoste.preparazione, squadre-gioco.divisioni, squadre-gioco.veicoli, casa.14, casa.40.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain

import msgspec

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, place
from engine.core.decisions import unit as unit_choice
from engine.core.hexes import Hex
from engine.core.pools import Pool
from engine.core.rules import Ruling, Side
from engine.core.text import N_
from engine.core.title import Options
from engine.toi.rules.cards import draw_one
from engine.toi.rules.concealed import look, why_not_conceal
from engine.toi.rules.ground import Ground, ground
from engine.toi.rules.opportunity import why_not_wait
from engine.toi.rules.reinforcements import build_squad, receive_vehicle, rivals
from engine.toi.rules.stacking import why_not_stay
from engine.toi.rules.transport import why_no_room
from engine.toi.rules.works import why_not_shelter
from engine.toi.state import tables
from engine.toi.state.book import passed_over, rule
from engine.toi.state.events import (
    AceNamed,
    Boarded,
    Concealed,
    ControlTaken,
    FortEntered,
    OpFireSet,
    Placed,
    ReserveSet,
    SideFinished,
    StepBegan,
    TokenGiven,
    TokenUnused,
)
from engine.toi.state.state import (
    BUNKER,
    NATIONS,
    OP_FIRE,
    READY,
    TRENCH,
    US,
    Army,
    Arrival,
    Force,
    Fort,
    Objective,
    State,
    Unit,
)
from engine.toi.state.tables import Nation, ScenarioData
from engine.toi.state.units import (
    at,
    by_hex,
    has_heavy_weapon,
    in_order,
    is_heavy,
    is_team,
    is_vehicle,
    nation_of,
    place_of,
    units_of,
)

SETUP = N_("set-up")
CARDS, BUILD, DEPLOY, FIRST_OP = (
    N_("cards"),
    N_("squads to build"),
    N_("deployment"),
    N_("first op fire"),
)
SECRET = "segreta"


def nation(side: Side) -> Nation:
    """A side as the data files write it."""
    return "us" if side == US else "de"


def start(found: ScenarioData, seats: dict[Side, tuple[Side, ...]], options: Options) -> State:
    """The table before anybody has done anything (preparazione.1-scenario to .4-round)."""
    forts, obstacles = _markers(found)
    armies = {side: _army(found, nation(side)) for side in NATIONS}
    reserve = {side: _forces(found, nation(side)) for side in NATIONS}
    tokens = {
        side: tuple(
            str(token)
            for token, count in found.tokens.get(nation(side), {}).items()
            for _ in range(count)
        )
        for side in NATIONS
    }
    return State(
        scenario=found.id,
        map=found.map,
        phase=SETUP,
        step="",
        turn=found.initiative,
        initiative=found.initiative,
        round=1,
        rounds=found.rounds,
        seats=seats,
        actions={side: found.actions[nation(side)] for side in NATIONS},
        left={},
        armies=armies,
        forts=forts,
        obstacles=obstacles,
        objectives=_objectives(found),
        reserve=reserve,
        tokens=tokens,
        arrivals=arrivals_of(found),
        zones={str(side): labels for side, labels in found.zone.items()},
        overlays=tuple(found.overlays.items()),
        options=dict(options),
    )


def _markers(found: ScenarioData) -> tuple[dict[str, Fort], dict[str, tuple[str, ...]]]:
    forts: dict[str, Fort] = {}
    obstacles: dict[str, tuple[str, ...]] = {}
    for kind, labels in found.markers.items():
        for label in labels:
            if kind in (TRENCH, BUNKER):
                prefix = "bunker" if kind == BUNKER else "trincea"
                name = f"{prefix}-{1 + sum(fort.kind == kind for fort in forts.values())}"
                forts[name] = Fort(name, label, kind)
            else:
                obstacles[label] = (*obstacles.get(label, ()), kind)
    return forts, obstacles


def _objectives(found: ScenarioData) -> dict[str, Objective]:
    objectives: dict[str, Objective] = {}
    for one in found.command_objectives:
        objectives[one.hex] = Objective(one.owner, one.value)
    for goal in found.victory_objectives:
        known = objectives.get(goal.hex, Objective())
        objectives[goal.hex] = Objective(known.owner, known.command, True, goal.points)
    return objectives


def _army(found: ScenarioData, side: Nation) -> Army:
    decks = {
        deck: Pool.of(deck, (card.id for card in tables.DECKS[deck].cards))
        for deck in found.decks.get(side, ())
    }
    return Army(
        command=found.command.get(side, 0),
        decks=decks,
        operations=tuple(found.operations.get(side, ())),
    )


def _forces(found: ScenarioData, side: Nation) -> tuple[Force, ...]:
    return tuple(force_of(side, division, force) for division, force in found.forces[side].items())


def force_of(side: Side, division: int, force: tables.Force) -> Force:
    """A force of a data file, with the pieces of its nation."""
    return Force(
        division,
        force.bases,
        {f"{side}_{code}": n for code, n in force.figures.items()},
        {f"{side}_{code}": n for code, n in force.vehicles.items()},
    )


def arrivals_of(found: ScenarioData) -> tuple[Arrival, ...]:
    """The reinforcements of a scenario."""
    return tuple(
        Arrival(one.round, one.side, force_of(one.side, one.division, one))
        for one in found.reinforcements
    )


# --- the procedures of set-up -----------------------------------------------------------------


def seats_in_order(state: State) -> tuple[Side, ...]:
    """Every player, those of the initiative first."""
    return tuple(seat for side in in_order(state) for seat in state.seats[side])


def play(ctx: Ctx[State]) -> None:
    """One procedure of set-up."""
    state = ctx.state
    if state.queue:
        seat = state.queue[0]
        {CARDS: starting_cards, BUILD: build, DEPLOY: deploy, FIRST_OP: first_op}[state.step](
            ctx, seat
        )
        return
    every = seats_in_order(state)
    match state.step:
        case "":
            open_the_table(ctx)
            first = tuple(state.seats[side][0] for side in in_order(state))
            ctx.do(StepBegan(phase=SETUP, step=CARDS, queue=first), "preparazione.3-mazzi#pesca")
        case "cards":
            secret = state.options.get("costruzione") == SECRET
            ctx.do(
                StepBegan(phase=SETUP, step=BUILD, queue=every),
                (
                    "preparazione.5-squadre#incastra",
                    "preparazione.5-ordine#segreto" if secret else "",
                ),
            )
        case "squads to build":
            ctx.do(
                StepBegan(phase=SETUP, step=DEPLOY, queue=every), "preparazione.6-spiegamento#prima"
            )
        case "deployment":
            ctx.do(
                StepBegan(phase=SETUP, step=FIRST_OP, queue=every),
                "preparazione.7-op-iniziale#metti",
            )
        case _:
            end_set_up(ctx)


def open_the_table(ctx: Ctx[State]) -> None:
    """Scenario, map, operation cards, initiative (preparazione.1-scenario to .4-round)."""
    state = ctx.state
    ctx.cite(
        (
            "preparazione.1-scenario#scegliete",
            "preparazione.2-plancia",
            "componenti.mappe#plancia",
            "intro.scenari#fissa",
        ),
        N_("Scenario {scenario}, {rounds} rounds"),
        scenario=state.scenario,
        rounds=state.rounds,
    )
    if state.forts or state.obstacles:
        ctx.cite(
            (
                "fortificazioni.generale#piazza",
                "ostacoli.mine-massimo",
                "componenti.fortificazioni",
                "componenti.ostacoli",
            ),
            N_("{n} fortifications and {m} obstacles on the map"),
            n=len(state.forts),
            m=sum(map(len, state.obstacles.values())),
        )
    for side, army in state.armies.items():
        for name in army.operations:
            both = "operazioni.comuni" if tables.OPERATIONS[name].both else ""
            ctx.cite(
                ("preparazione.3-operazionali#prendi", "operazioni.generale#ricevi", both),
                N_("{side} has the operation card {card}"),
                side=side,
                card=name,
            )
    ctx.cite(
        ("preparazione.4-round#iniziativa", "preparazione.3-iniziativa"),
        N_("{side} has the initiative"),
        side=state.initiative,
    )
    players = sum(len(seats) for seats in state.seats.values())
    if any(len(seats) > 1 for seats in state.seats.values()):
        ctx.cite(
            (
                "squadre-gioco.numero#tre" if players == 3 else "squadre-gioco.numero#quattro",
                "squadre-gioco.divisioni#comanda",
                "squadre-gioco.veicoli#divisione",
            ),
            N_("Teams: one division each, vehicles included"),
        )
    if players == 3:
        ctx.cite("squadre-gioco.tre", N_("Three players: the lone one plays as in a game of two"))


def starting_cards(ctx: Ctx[State], seat: Side) -> None:
    """Draw the starting cards, each from an own deck of choice (preparazione.3-mazzi)."""
    state = ctx.state
    side = nation_of(state, seat)
    found = tables.scenarios().get(state.scenario)
    wanted = found.starting_cards.get(nation(side), 0) if found else 0
    army = state.armies[side]
    if len(army.hand) < wanted and any(pool.items for pool in army.decks.values()):
        draw_one(ctx, seat, side, "preparazione.3-mazzi#scegli", ask=True)
        return
    ctx.do(SideFinished(side=seat), "preparazione.3-mazzi#pesca")


def divisions_of(state: State, seat: Side) -> tuple[int, ...]:
    """The divisions that a player commands (squadre-gioco.divisioni)."""
    side = nation_of(state, seat)
    if not is_team(state, side):
        return (1, 2)
    return (1 + state.seats[side].index(seat),)


def build(ctx: Ctx[State], seat: Side) -> None:
    """Vehicles, squads, tokens, then the named tank of an operation card."""
    state = ctx.state
    side = nation_of(state, seat)
    mine = divisions_of(state, seat)
    hidden = state.options.get("costruzione") == SECRET
    for force in state.reserve.get(side, ()):
        if force.division in mine and force.bases:
            build_squad(ctx, seat, side, force.division, hidden)
            return
    if state.tokens.get(side) and seat == state.seats[side][-1]:
        give_token(ctx, side, hidden)
        return
    for force in state.reserve.get(side, ()):
        if force.division in mine:
            for kind, count in force.vehicles.items():
                for _ in range(count):
                    _take_vehicle(ctx, side, force.division, kind, "preparazione.5-squadre#elenca")
    name_ace(ctx, seat, side)
    ctx.do(SideFinished(side=seat), "preparazione.5-squadre#tutte")


def _take_vehicle(ctx: Ctx[State], side: Side, division: int, kind: str, ref: str) -> None:
    forces = []
    for force in ctx.state.reserve[side]:
        if force.division == division:
            left = {k: n - (k == kind) for k, n in force.vehicles.items()}
            force = msgspec.structs.replace(force, vehicles={k: n for k, n in left.items() if n})
        forces.append(force)
    ctx.do(ReserveSet(side=side, forces=tuple(forces)), ref)
    receive_vehicle(ctx, side, division, kind, ref)


def why_not_token(state: State, unit: Unit) -> Iterator[Ruling]:
    """Why a squad may not carry a specialization (preparazione.5-specializzazioni)."""
    if not unit.is_squad:
        yield rule("specializzazioni.assegnazione#squadre", N_("{unit} is a vehicle"), unit=unit.id)
        return
    if has_heavy_weapon(unit):
        yield rule(
            (
                "preparazione.5-specializzazioni#mai",
                "specializzazioni.assegnazione#armi-pesanti",
                "definizioni.armi-pesanti#specializzazione",
            ),
            N_("{unit} has heavy weapons"),
            unit=unit.id,
        )
    if unit.token:
        yield rule(
            ("specializzazioni.una", "preparazione.5-specializzazioni#uno"),
            N_("{unit} has a specialization already: {token}"),
            unit=unit.id,
            token=unit.token,
        )


def give_token(ctx: Ctx[State], side: Side, hidden: bool) -> None:
    """Assign one specialization token (specializzazioni.assegnazione)."""
    state = ctx.state
    token = state.tokens[side][0]
    away = rivals(state, side) if hidden else ()
    squads = [unit for unit in state.units.values() if unit.side == side and unit.is_squad]
    if not any(next(why_not_token(state, unit), None) is None for unit in squads):
        unused = TokenUnused(side=side, token=token, hidden_from=away)
        ctx.do(
            unused,
            "preparazione.5-specializzazioni#mai"
            if all(has_heavy_weapon(unit) for unit in squads)
            else "preparazione.5-specializzazioni#uno",
        )
        return
    name = ctx.choose(
        "setup.specialist",
        state.seats[side][-1],
        [unit_choice(unit.id, unit.id) for unit in squads],
        ("preparazione.5-specializzazioni#decidi", "specializzazioni.assegnazione#squadre"),
        N_("Which squad becomes: {token}?"),
        why_not=lambda one: why_not_token(state, state.units[one]),
        token=token,
    )
    ctx.do(
        TokenGiven(unit=name, side=side, token=token, hidden_from=away),
        ("specializzazioni.assegnazione#nome", "specializzazioni.normale#aggiunge"),
    )


def name_ace(ctx: Ctx[State], seat: Side, side: Side) -> None:
    """An operation card names one tank (operazioni.generale)."""
    state = ctx.state
    tanks = [unit.id for unit in state.units.values() if unit.side == side and is_heavy(unit)]
    names = [tables.OPERATIONS[name].effect for name in state.armies[side].operations]
    if "tank_ace" not in names or not tanks or state.armies[side].ace:
        return
    ace = tanks[0]
    if len(tanks) > 1:
        choices = [unit_choice(name, name) for name in tanks]
        ace = ctx.choose(
            "setup.ace", seat, choices, "operazioni.generale#regola", N_("Which tank is the ace?")
        )
    ctx.do(AceNamed(side=side, unit=ace), "operazioni.generale#regola")


# --- deployment -------------------------------------------------------------------------------

Spot = tuple[str, str]


def deploy(ctx: Ctx[State], seat: Side) -> None:
    """Place every unit in the deployment area, then choose the concealed squads."""
    state = ctx.state
    side = nation_of(state, seat)
    waiting = [unit for unit in units_of(state, seat) if not unit.hex and not unit.aboard]
    waiting.sort(key=lambda unit: unit.is_squad)
    if waiting:
        deploy_one(ctx, seat, waiting[0])
        return
    conceal(ctx, seat, side)


def area_of(state: State, side: Side) -> tuple[str, ...]:
    """The deployment area of a side."""
    return _area(state.scenario, side)


@lru_cache(maxsize=64)
def _area(scenario: str, side: Side) -> tuple[str, ...]:
    found = tables.scenarios().get(scenario)
    return found.deployment_hexes(nation(side)) if found else ()


@lru_cache(maxsize=64)
def _spots(field: Ground) -> tuple[Choice[Spot], ...]:
    return tuple(place(label, ("hex", label), hex=h) for label, h in field.hex.items())


def deploy_one(ctx: Ctx[State], seat: Side, unit: Unit) -> None:
    """One unit: a hex, a fortification, or aboard a vehicle (preparazione.6-spiegamento)."""
    state = ctx.state
    field = ground(state)
    allowed = frozenset(area_of(state, unit.side))
    choices: list[Choice[Spot]] = list(_spots(field))
    if unit.is_squad:
        for fort in state.forts.values():
            if fort.hex in allowed:
                choices.append(
                    button(
                        fort.id,
                        ("fort", fort.id),
                        N_("Inside {fort} in {hex}"),
                        fort=fort.id,
                        hex=fort.hex,
                    )
                )
        for other in state.units.values():
            if other.side == unit.side and other.hex and is_vehicle(other):
                choices.append(
                    unit_choice(
                        other.id,
                        ("aboard", other.id),
                        N_("Aboard {unit}"),
                        hex=field.hex[other.hex],
                    )
                )
    kind, what = ctx.choose(
        "setup.place",
        seat,
        choices,
        "preparazione.6-spiegamento#area",
        N_("{unit}: where is it deployed?"),
        why_not=why_not_deploy(state, unit, allowed),
        unit=unit.id,
    )
    if kind == "aboard":
        ctx.do(Boarded(unit=unit.id, vehicle=what), "trasporto.spiegamento#a-bordo")
    elif kind == "fort":
        ctx.do(
            Placed(unit=unit.id, hex=state.forts[what].hex),
            ("preparazione.6-spiegamento#dentro", "casa.40"),
        )
        ctx.do(
            FortEntered(unit=unit.id, fort=what), ("preparazione.6-spiegamento#dentro", "casa.40")
        )
    else:
        ctx.do(Placed(unit=unit.id, hex=what), "preparazione.6-spiegamento#area")


@lru_cache(maxsize=64)
def _outside(field: Ground, allowed: frozenset[str]) -> dict[str, Ruling]:
    words = N_("{hex} is outside the deployment area")
    return {
        label: rule("preparazione.6-spiegamento#area", words, hex=label)
        for label in field.labels
        if label not in allowed
    }


@lru_cache(maxsize=64)
def _empty(field: Ground, allowed: frozenset[str], is_squad: bool) -> dict[str, Ruling | None]:
    """What forbids each hex whose terrain admits the unit, while nobody stands there."""
    outside = _outside(field, allowed)
    return {
        label: outside.get(label)
        for label, land in field.terrain.items()
        if (land.squads if is_squad else land.vehicles) is not None
    }


def why_not_deploy(
    state: State, unit: Unit, allowed: frozenset[str]
) -> Callable[[Spot], Ruling | Iterator[Ruling] | None]:
    """Why a unit may not be deployed somewhere: asked of every hex of the map."""
    empty, taken = _empty(ground(state), allowed, unit.is_squad), by_hex(state.units)

    def why_not(spot: Spot) -> Ruling | Iterator[Ruling] | None:
        kind, what = spot
        if kind == "hex":
            if what in taken or what not in empty:
                return why_not_stand(state, unit, allowed, what)
            return empty[what]
        if kind == "aboard":
            return why_no_room(state, unit, state.units[what])
        place = state.forts[what].hex
        shelter = why_not_shelter(state, unit, what)
        return chain(shelter, why_not_stand(state, unit, allowed, place))

    return why_not


def can_stand(field: Ground, unit: Unit, label: str) -> bool:
    """Whether the terrain of a hex admits a unit."""
    terrain = field.terrain[label]
    return (terrain.squads if unit.is_squad else terrain.vehicles) is not None


def why_not_stand(
    state: State, unit: Unit, allowed: frozenset[str], label: str
) -> Iterator[Ruling]:
    """The own area, terrain that admits the unit, room for it (preparazione.6-spiegamento)."""
    field = ground(state)
    if label not in allowed:
        yield _outside(field, allowed)[label]
    if not can_stand(field, unit, label):
        terrain = field.terrain[label].id
        yield rule(
            (
                "terreno.lettura#terreni/edificio" if terrain == "building" else "",
                "terreno.lettura#terreni/lago" if terrain == "lake" else "",
                "terreno.lettura#terreni/fiume pieno" if terrain == "flooded river" else "",
                "terreno.lettura#terreni/fiume profondo" if terrain == "deep river" else "",
            ),
            N_("{unit} cannot stand in {hex}: {terrain}"),
            unit=unit.id,
            hex=label,
            terrain=terrain,
        )
    yield from why_not_stay(state, unit, label)


def conceal(ctx: Ctx[State], seat: Side, side: Side) -> None:
    """The owner chooses his concealed squads (nascoste.preparazione)."""
    state = ctx.state
    found = tables.scenarios().get(state.scenario)
    allowed = found.concealed.get(nation(side), 0) if found else 0
    used = sum(unit.concealed for unit in state.units.values() if unit.side == side)
    squads = [unit for unit in units_of(state, seat) if unit.is_squad and unit.hex]

    def why_not(name: str) -> Iterator[Ruling]:
        if name:
            yield from why_not_hide_at_start(state, state.units[name])

    if used < allowed and any(next(why_not(unit.id), None) is None for unit in squads):
        hexes = ground(state).hex
        choices: list[Choice[str]] = [
            unit_choice(unit.id, unit.id, hex=hexes[unit.hex]) for unit in squads
        ]
        choices.append(button("fine", "", N_("No other concealed squad")))
        name = ctx.choose(
            "setup.concealed",
            seat,
            choices,
            "nascoste.preparazione#sceglie",
            N_("Which squad is concealed? {n} left"),
            why_not=why_not,
            n=allowed - used,
        )
        if name:
            ctx.do(Concealed(unit=name), "nascoste.preparazione#sceglie")
            return
    ctx.do(SideFinished(side=seat), "preparazione.6-spiegamento#prima")


def why_not_hide_at_start(state: State, unit: Unit) -> Iterator[Ruling]:
    """Concealed squads start in terrain that covers (nascoste.preparazione)."""
    if not ground(state).terrain[unit.hex].cover:
        yield rule(
            ("nascoste.preparazione#dove", "nascoste.rivela-visuale#terreno"),
            N_("{hex} gives no cover"),
            hex=unit.hex,
        )
    yield from why_not_conceal(state, unit)


# --- the end of set-up ------------------------------------------------------------------------


def first_op(ctx: Ctx[State], seat: Side) -> None:
    """Put units in op fire before round 1 (preparazione.7-op-iniziale)."""
    if not wait_in_ambush(ctx, seat, "preparazione.7-op-iniziale#metti"):
        ctx.do(SideFinished(side=seat), "preparazione.7-op-iniziale#metti")


NOBODY: Choice[str] = button("fine", "", N_("No other unit"))


@lru_cache(maxsize=1 << 14)
def _waiting(name: str, hex: Hex) -> Choice[str]:
    return unit_choice(name, name, hex=hex)


def wait_in_ambush(ctx: Ctx[State], seat: Side, ref: str) -> bool:
    """One more unit in op fire, or none. Whether there may be more."""
    state = ctx.state
    mine = [
        unit
        for unit in units_of(state, seat)
        if unit.activation == READY and (unit.hex or unit.aboard)
    ]
    if not any(next(why_not_wait(unit), None) is None for unit in mine):
        if mine:
            against = {unit.id: next(why_not_wait(unit)) for unit in mine}
            is_first = all(unit.activation != OP_FIRE for unit in units_of(state, seat))
            said = (
                N_("Nobody can go in op fire: {units}")
                if is_first
                else N_("Nobody else can go in op fire: {units}")
            )
            ctx.cite(passed_over(ref, against, said))
        return False
    hexes = ground(state).hex
    every = (_waiting(unit.id, hexes[place_of(state, unit)]) for unit in mine)
    name = ctx.choose(
        "opfire.wait",
        seat,
        chain((NOBODY,), every),
        ref,
        N_("Which unit goes in op fire?"),
        why_not=lambda one: why_not_wait(state.units[one]) if one else None,
    )
    if name:
        ctx.do(OpFireSet(unit=name), (ref, "definizioni.attivata"))
    return bool(name)


def end_set_up(ctx: Ctx[State]) -> None:
    """Objectives under a unit are controlled from the start (comando.spiegamento, casa.14)."""
    state = ctx.state
    ctx.cite("comando.inizio", N_("Nobody controls anything else"))
    for label in state.objectives:
        for unit in at(state, label):
            if label in area_of(state, unit.side) and state.control.get(label) != unit.side:
                ctx.do(ControlTaken(side=unit.side, hex=label), ("comando.spiegamento", "casa.14"))
                break
    look(ctx)
    ctx.do(
        StepBegan(phase="action", step=""),
        "round.fasi#azione",
        N_("Action Phase of round {n}"),
        n=state.round,
    )
