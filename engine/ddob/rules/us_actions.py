"""US actions (7) with the additions of the extended game (17, 18.11, 19.3, 20.3.uscita, 23.6)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button, unit
from engine.core.rules import Ruling
from engine.core.text import N_, NP_
from engine.ddob.rules import attacks, barrage
from engine.ddob.rules.choosing import hex_choice, spot, unit_choice
from engine.ddob.rules.engineers import is_open_side, why_no_traffic
from engine.ddob.rules.leaders import command_range, commands
from engine.ddob.rules.losses import eliminate, lose_step
from engine.ddob.rules.terrain import has_road, why_not_enter
from engine.ddob.state.book import DIVISION_OF, DIVISIONS, OTHER, SECTOR_OF, US, rule
from engine.ddob.state.deck import draw_card
from engine.ddob.state.events import (
    Acted,
    ActionsBegan,
    Climbing,
    CommandPost,
    DivisionBegan,
    DivisionDone,
    Exited,
    LeaderMoved,
    MarkersRemoved,
    Moved,
    Paid,
    Rallied,
    Transferred,
)
from engine.ddob.state.ground import (
    AT_THE_LINE,
    BASE,
    COVER_AT,
    EXIT_AT,
    NEIGHBOURS,
    ON_ROAD,
    PAVED,
    SECTOR,
    SHELTER,
    SIDE,
    roads,
)
from engine.ddob.state.state import (
    CLIFF,
    CLIMB,
    German,
    State,
    Unit,
    active,
    field_of_fire,
    index,
    is_extended,
    on_map,
    position_of,
    threats,
    units_at,
)
from engine.ddob.state.tables import CARDS, INFANTRY, INTENSE, LEADERS, SETUPS, SPORADIC, UNITS

ACTIONS, EXTENDED_ACTIONS = 2, 3
STACK = 2
DRIVEN = (*PAVED, "mined road")


# 4.v, 15.vi The phase


def begin(ctx: Ctx[State]) -> None:
    """Command is fixed for the whole phase (7.1.comando)."""
    found = commands(ctx.state)
    for leader in on_map(ctx.state):
        if leader.space and command_range(ctx.state, leader) < 0:
            ctx.cite("18.32", N_("{unit} is under fire and commands nobody."), unit=leader.id)
        elif leader.space:
            reach = command_range(ctx.state, leader)
            ctx.cite(
                ("18.3", "18.31"), N_("{unit} commands within {n} hexes."), unit=leader.id, n=reach
            )
    ctx.do(ActionsBegan(n=len(found), commanded=found), ("7.1.comando", "11.2", "11.3"))


def allowance(ctx: Ctx[State]) -> int:
    """Actions of a division this turn (7, 15.vi, 17, ev.iniziativa, ev.intenso)."""
    state = ctx.state
    actions = EXTENDED_ACTIONS if is_extended(state) else ACTIONS
    if "intense" in state.notes:
        ctx.cite("ev.intenso", N_("German fire: one action only."))
        actions = 1
    if "initiative" in state.notes:
        ctx.cite("ev.iniziativa", N_("Initiative: one more action."))
        actions += 1
    return actions


def choose_division(ctx: Ctx[State]) -> bool:
    """One division after the other, in the player's order (7.2); whether one began."""
    state = ctx.state
    left = [
        d
        for d in DIVISIONS
        if d not in state.done and SECTOR_OF[d] in SETUPS[state.scenario].sectors
    ]
    if not left:
        return False
    division = left[0]
    if len(left) > 1:
        buttons = [button(d, d, N_("Division {division}"), division=d) for d in left]
        division = ctx.choose(
            "actions.division", US, buttons, "7.2", N_("Which division acts first?")
        )
    ctx.do(
        DivisionBegan(division=division, actions=allowance(ctx)),
        ("15.vi", "17") if is_extended(state) else ("7", "4.v"),
    )
    return True


def act(ctx: Ctx[State]) -> None:
    """The player takes one action of the division, or ends it (7.2)."""
    state = ctx.state

    def candidates() -> Iterator[Choice[str]]:
        for found in on_map(state):
            if found.command == state.division or may_cross(state, found):
                yield unit_choice(found)
        if state.naval:
            yield button("navale", "naval", N_("Naval barrage"))
        yield button("fine", "", N_("The division has finished"))

    def why_not(name: str) -> Iterator[Ruling] | None:
        if name == "naval":
            return barrage.why_no_naval(state)
        return why_not_act(state, state.units[name]) if name else None

    if state.options.get("giocatori") == "due":
        question = N_("Player of division {division}: who acts? {n} actions left.")
    else:
        question = N_("Division {division}: who acts? {n} actions left.")
    name = ctx.choose(
        "actions.who",
        US,
        candidates(),
        "7.2",
        question,
        why_not=why_not,
        division=state.division,
        n=state.actions,
    )
    if not name:
        ctx.do(DivisionDone(division=state.division), "7.2")
    elif name == "naval":
        barrage.naval_barrage(ctx)
    else:
        act_with(ctx, name)


def may_cross(state: State, found: Unit) -> bool:
    """A unit of the other division at the line may use this one's action (7.22)."""
    return found.at in AT_THE_LINE and found.command != state.division


def why_not_act(state: State, found: Unit) -> Iterator[Ruling]:
    """Why a unit can do nothing now (7.1, 7.2, 7.22)."""
    if found.acted:
        yield rule("7.2", N_("{unit} has acted this turn."), unit=found.id)
        return
    if found.command != state.division and (found.disrupted or found.climb):
        yield rule("7.22", N_("{unit} does not cross the line."), unit=found.id)
        return
    if state.actions > 0 or is_free(state, found):
        return
    if found.command == state.division:
        if may_escape(state, found):
            return
        yield rule("7", N_("No action is left, and {unit} has no free one."), unit=found.id)
    else:
        yield rule("7.22", N_("{unit} would need an action of the division."), unit=found.id)


# 7.1 Free actions


def free_reason(state: State, found: Unit) -> Ruling | None:
    """The rule that makes any action of a unit free (7.1)."""
    data = UNITS[found.id]
    if found.disrupted or found.climb:
        return rule("7.1.segnalini", N_("{unit}: its marker makes it free."), unit=found.id)
    if data.is_leader:
        return rule("7.1.leader", N_("{unit} is a leader: free."), unit=found.id)
    if data.type == "ranger":
        return rule("7.1.ranger", N_("{unit}: rangers act free."), unit=found.id)
    if found.hero:
        return rule(
            ("7.1.eroe", "11.15") if found.inspired else ("7.1.eroe", "11.12"),
            N_("{unit} has a hero or is inspired: free."),
            unit=found.id,
        )
    for leader in state.commanded.get(found.id, ()):
        if leader not in state.moved_leaders:
            is_post = bool(state.units[leader].space)
            return rule(
                ("7.1.comando", "18.3") if is_post else "7.1.comando",
                N_("{unit} is under command of {leader}: free."),
                unit=found.id,
                leader=leader,
            )
    return None


def is_free(state: State, found: Unit) -> bool:
    """Whether any action of the unit is free."""
    if found.disrupted or found.climb or found.hero:
        return True
    data = UNITS[found.id]
    if data.is_leader or data.type == "ranger":
        return True
    return any(n not in state.moved_leaders for n in state.commanded.get(found.id, ()))


def free_move(state: State, found: Unit, to: str) -> Ruling | None:
    """The rule that makes this one move free (7.1.auto-conservazione, 19.3.traffico, 23.6)."""
    data = UNITS[found.id]
    if data.is_infantry and BASE[found.at] == "beach":
        near, far = SHELTER.get(to), SHELTER.get(found.at)
        if near is not None and far is not None and near < far:
            return rule(
                ("7.1.auto-conservazione", "casa.18"),
                N_("{hex} is nearer to a protective hexside: free."),
                hex=to,
            )
        if state.has("22.1") and is_out_of_fire(state, to):
            return rule("22.1", N_("{hex} lies in no field of fire: free."), hex=to)
    if has_traffic(state, found.at):
        return rule("19.3.traffico", N_("Engineers direct the traffic: free."))
    if state.armor_entered and data.is_infantry:
        return escapes_armor(state, found, to)
    return None


def has_traffic(state: State, label: str) -> bool:
    """Whether engineers direct the traffic in a hex (19.3.traffico)."""
    return bool(state.bases) and not any(True for _ in why_no_traffic(state, label))


def is_flight(state: State, found: Unit, to: str) -> bool:
    """Whether only self-preservation makes the move free: then it is one hex long (7.1, 23.6)."""
    if is_free(state, found) or has_traffic(state, found.at):
        return False
    return free_move(state, found, to) is not None


def is_out_of_fire(state: State, label: str) -> bool:
    """Low ground in nobody's field of fire, even disrupted ones (22.1)."""
    if BASE[label] not in ("beach", "pavilion", "valley"):
        return False
    return not any(True for _ in threats(state, label, disrupted=True))


def escapes_armor(state: State, found: Unit, to: str) -> Ruling | None:
    """Infantry next to undisrupted tanks, in their field, may slip away (23.6, 6.4, casa.47)."""
    tanks = [g for g in state.germans.values() if g.is_armor]
    near = [
        g
        for g in tanks
        if not g.disrupted and g.hex in NEIGHBOURS[found.at] and found.at in field_of_fire(state, g)
    ]
    if not near:
        return None
    if any(to == g.hex or g.hex in NEIGHBOURS[to] or to in field_of_fire(state, g) for g in tanks):
        return None
    return rule(("23.6", "casa.47"), N_("{unit} slips away from the tanks: free."), unit=found.id)


def may_escape(state: State, found: Unit) -> bool:
    """Whether one of its moves would be free."""
    data = UNITS[found.id]
    if has_traffic(state, found.at):
        return True
    if not data.is_infantry:
        return False
    if not state.armor_entered and BASE[found.at] != "beach":
        return False
    return any(free_move(state, found, to) is not None for to in NEIGHBOURS[found.at])


# What one unit does


def act_with(ctx: Ctx[State], name: str) -> None:
    """Ask what the unit does and do it."""
    state = ctx.state
    found = state.units[name]
    data = UNITS[name]
    if found.disrupted:
        ctx.do(Rallied(unit=name), ("7.7", "7.1.segnalini"))
        ctx.do(Acted(unit=name), "7.1")
        return
    if found.climb == CLIMB:
        ctx.do(Climbing(unit=name), ("7.4", "7.1.segnalini"))
        ctx.do(Acted(unit=name), "7.1")
        return
    if found.climb == CLIFF:
        climb_on(ctx, name)
        return

    def candidates() -> Iterator[Choice[str]]:
        for to in NEIGHBOURS[found.at]:
            yield hex_choice(to, N_("move to {hex}"))
        if data.is_infantry:
            yield button("attacca", "attack", N_("attack"))
        if data.type == "tank" or (is_extended(state) and data.type in barrage.GUNS):
            yield button("sbarramento", "barrage", N_("barrage"))
        if found.at in EXIT_AT and is_extended(state):
            yield button("esci", "exit", N_("leave the map"))
        yield button("resta", "stay", N_("do nothing"))

    def why_not(verb: str) -> Iterator[Ruling] | None:
        if verb == "stay":
            return None
        if verb == "attack":
            return why_not_attack(state, found)
        if verb == "barrage":
            return why_not_barrage(state, found)
        if verb == "exit":
            return why_not_exit(state, found)
        return why_not_move(state, found, verb)

    verb = ctx.choose(
        "actions.what",
        US,
        candidates(),
        "7",
        N_("What does {unit} do?"),
        why_not=why_not,
        unit=name,
    )
    if verb == "stay":
        ctx.do(Acted(unit=name), "7.1")
    elif verb == "attack":
        attacks.attack(ctx, name)
    elif verb == "barrage":
        pay(ctx, name)
        ctx.do(Acted(unit=name), "7.1")
        barrage.barrage(ctx, name)
    elif verb == "exit":
        leave_map(ctx, name)
    else:
        move(ctx, name, verb)


def why_not_pay(state: State, found: Unit) -> Iterator[Ruling]:
    """Why the unit cannot act: no action left and none free (7)."""
    if found.command != state.division:
        yield rule("7.22", N_("{unit} may only cross the line now."), unit=found.id)
    if state.actions <= 0 and not is_free(state, found):
        yield rule("7", N_("No action is left, and {unit} has no free one."), unit=found.id)


def why_not_attack(state: State, found: Unit) -> Iterator[Ruling]:
    """Why a unit cannot lead an attack."""
    yield from why_not_pay(state, found)
    yield from attacks.why_not_lead(state, found)


def why_not_barrage(state: State, found: Unit) -> Iterator[Ruling]:
    """Why a unit cannot barrage anything."""
    yield from why_not_pay(state, found)
    yield from barrage.why_no_barrage(state, found)


def pay(ctx: Ctx[State], name: str) -> None:
    """Spend an action of the division unless the unit acts free (7.1)."""
    reason = free_reason(ctx.state, ctx.state.units[name])
    if reason is None:
        ctx.do(Paid(division=ctx.state.division), "7")
    else:
        ctx.cite(reason)


# 7.3 Moving


def why_not_move(state: State, found: Unit, to: str) -> Iterator[Ruling]:
    """Why a unit may not take this step with the actions that are left (7.3, 7.22, 7.32)."""
    yield from why_not_enter(state, found, to)
    if found.command != state.division and SECTOR[to] == SECTOR[found.at]:
        yield rule("7.22", N_("{unit} may only cross the line now."), unit=found.id)
    if state.actions <= 0 and not is_free(state, found) and free_move(state, found, to) is None:
        yield rule(
            ("7", "7.1.auto-conservazione"),
            N_("No action is left, and this move is not free."),
        )
    if UNITS[found.id].is_leader:
        for german in infiltrated(state, found.at, to):
            yield rule(
                "7.32.leader",
                N_("{unit} does not infiltrate alone past {position}."),
                unit=found.id,
                position=german.hex,
            )


def infiltrated(state: State, a: str, b: str) -> list[German]:
    """Active positions next to both hexes with both in their field of fire (7.32, 6.21, 6.41)."""
    found: dict[str, German] = {}
    near = NEIGHBOURS[b]
    for label in NEIGHBOURS[a]:
        german = state.germans.get(label)
        if german is None:
            continue
        position = position_of(german)
        if german.disrupted and (position is None or not active(state, position)):
            continue
        field = field_of_fire(state, german)
        if a not in field or b not in field:
            continue
        hexes = position.hexes if position is not None else (label,)
        if any(h in near and h in state.germans for h in hexes):
            found[position.id if position is not None else label] = german
    return list(found.values())


def move(ctx: Ctx[State], name: str, to: str) -> None:
    """One hex, or more from turn 17; stacked units may go together (7.3, 7.21, 17.1, 17.2)."""
    state = ctx.state
    found = state.units[name]
    free = free_reason(state, found) or free_move(state, found, to)
    movers = [name]
    if free is not None:
        ctx.cite(free)
    else:
        ctx.do(Paid(division=state.division), ("7", "7.22") if crosses(found, to) else "7")
        movers += companion(ctx, found, to)
    leaders = led_along(ctx, found, to)
    went = False
    for mover in movers:
        went |= step(ctx, mover, to)
        ctx.do(Acted(unit=mover), "7.1")
    for leader in leaders:
        if went:
            step(ctx, leader, to)
        else:
            ctx.cite("7.32.leader", N_("{unit} stays with its escort."), unit=leader)
        ctx.do(Acted(unit=leader), "7.1")
    movers += leaders
    for mover in movers:
        if ctx.state.units[mover].at == to:
            leader_moved(ctx, mover)
    if is_extended(ctx.state):
        go_on(ctx, movers, [found.at, to], is_flight(state, found, to))
    for mover in movers:
        pass_to_other_player(ctx, mover)


def crosses(found: Unit, to: str) -> bool:
    """Whether a step crosses the line between the sectors."""
    return SECTOR[found.at] != SECTOR[to]


def companion(ctx: Ctx[State], found: Unit, to: str) -> list[str]:
    """A second unit of the hex may make the same move with the same action (7.21, 7.22)."""
    state = ctx.state
    able = [
        other
        for other in units_at(state, found.at)
        if other.id != found.id
        and not other.acted
        and not other.disrupted
        and not other.climb
        and (other.command == state.division or crosses(found, to))
        and not is_free(state, other)
        and not any(True for _ in why_not_enter(state, other, to))
    ]
    if not able:
        return []
    choices: list[Choice[str]] = [unit_choice(other) for other in able]
    choices.append(button("solo", "", N_("{unit} goes alone"), unit=found.id))
    name = ctx.choose(
        "move.together",
        US,
        choices,
        "7.21",
        N_("Who moves with {unit}, for the same action?"),
        unit=found.id,
    )
    return [name] if name else []


def led_along(ctx: Ctx[State], found: Unit, to: str) -> list[str]:
    """Leaders of the hex may go along when a unit infiltrates (7.32.leader)."""
    state = ctx.state
    if UNITS[found.id].is_leader or not infiltrated(state, found.at, to):
        return []
    left = [
        u
        for u in units_at(state, found.at)
        if UNITS[u.id].is_leader
        and not u.acted
        and not any(True for _ in why_not_enter(state, u, to))
    ]
    going: list[str] = []
    while left:
        choices: list[Choice[str]] = [unit_choice(u) for u in left]
        choices.append(button("solo", "", N_("Nobody else")))
        name = ctx.choose(
            "infiltrate.leader",
            US,
            choices,
            "7.32.leader",
            N_("Which leader infiltrates with {unit}?"),
            unit=found.id,
        )
        if not name:
            break
        going.append(name)
        left = [u for u in left if u.id != name]
    return going


def step(ctx: Ctx[State], name: str, to: str) -> bool:
    """A unit crosses one hexside: climb markers, infiltration; whether it went (7.3-7.5)."""
    state = ctx.state
    found = state.units[name]
    sides = SIDE.get((found.at, to), ())
    is_foot = UNITS[name].type in INFANTRY
    if is_foot and "scaleable cliff" in sides and not is_extended(state):
        ctx.do(Climbing(unit=name, marker=CLIFF, hex=to), "7.5")
        return False
    if not infiltrate(ctx, name, to):
        return False
    ctx.do(Moved(unit=name, hex=to), "7.3")
    if is_foot and "scaleable cliff" in sides:
        ctx.do(Climbing(unit=name, marker=CLIMB), "17.12")
    elif "bluff" in sides and not has_road(state, found.at, to):
        climb_bluff(ctx, name, is_foot)
    return True


def climb_bluff(ctx: Ctx[State], name: str, is_foot: bool) -> None:
    """Infantry gets a climb marker, leaders do not; nobody from turn 17 (7.4, 7.41, 17.11)."""
    if not is_foot:
        ctx.cite("7.41", N_("{unit} climbs in one turn."), unit=name)
    elif is_extended(ctx.state):
        ctx.cite("17.11", N_("{unit} climbs without a marker."), unit=name)
    else:
        ctx.do(Climbing(unit=name, marker=CLIMB), "7.4")


def climb_on(ctx: Ctx[State], name: str) -> None:
    """With Climb Cliff: go on, or give up and stay (7.51)."""
    found = ctx.state.units[name]

    def why_not(verb: str) -> Iterator[Ruling] | None:
        return why_not_enter(ctx.state, found, found.cliff) if verb == "up" else None

    choices: list[Choice[str]] = [
        button("sali", "up", N_("Go on to {hex}"), hex=found.cliff),
        button("rinuncia", "", N_("Give up the climb")),
    ]
    verb = ctx.choose(
        "climb.go-on",
        US,
        choices,
        "7.51",
        N_("{unit} is on the cliff: go on?"),
        why_not=why_not,
        unit=name,
    )
    if verb and infiltrate(ctx, name, found.cliff):
        ctx.do(Moved(unit=name, hex=found.cliff), ("7.5", "7.51"))
        ctx.do(Climbing(unit=name, marker=CLIMB), "7.5")
    elif not verb:
        ctx.do(Climbing(unit=name), "7.51")
    ctx.do(Acted(unit=name), "7.1")


# 7.32 Infiltration


def infiltrate(ctx: Ctx[State], name: str, to: str) -> bool:
    """Positions on both sides of the step fire once; whether the unit goes on (7.32)."""
    state = ctx.state
    found = state.units[name]
    if UNITS[name].is_leader:
        return True
    positions = infiltrated(state, found.at, to)
    if not positions:
        return True
    ctx.cite(
        ("7.32", "7.32.due") if len(positions) > 1 else "7.32",
        NP_("{unit} infiltrates past a position.", "{unit} infiltrates past {n} positions."),
        unit=name,
        n=len(positions),
    )
    card = draw_card(ctx, "infiltration", "7.32")
    ctx.cite("7.32.concentrato", N_("Only its own symbol counts: {symbol}."), symbol=found.symbol)
    is_hit = found.symbol == card.target and any(
        called(state, german, card.id) for german in positions
    )
    if not is_hit:
        ctx.cite(("7.32", "casa.19"), N_("{unit} is not hit."), unit=name)
        return True
    if not lose_step(ctx, name, ("7.32", "casa.19")):
        return False
    choices: list[Choice[bool]] = [
        button("avanti", True, N_("Complete the move")),
        button("resta", False, N_("Stay in {hex}"), hex=found.at),
    ]
    return ctx.choose(
        "infiltrate.go-on",
        US,
        choices,
        "7.32.esito",
        N_("{unit} is hit: does it go on?"),
        unit=name,
    )


def called(state: State, german: German, card_id: str) -> bool:
    """Whether the card lets this position fire at an infiltration (7.32)."""
    position = position_of(german)
    colour = position.colour if position is not None else german.data.colour
    square = CARDS[card_id].square(colour)
    if square is None:
        return False
    hexes = position.hexes if position is not None else (german.hex,)
    has_depth = any(
        state.germans[h].depth and not state.germans[h].disrupted
        for h in hexes
        if h in state.germans
    )
    return square.squares == 1 or has_depth


# 17.1, 17.2 Longer moves


def go_on(ctx: Ctx[State], movers: list[str], path: list[str], owed: bool) -> None:
    """More hexes in the same action, one at a time (17.1, 17.2).

    Beyond the one free hex of a flight the move is an action of the division (7.1).
    """
    while ctx.state.actions > 0 or not owed:
        alive = [m for m in movers if ctx.state.units[m].at == path[-1]]
        if len(alive) < len(movers):
            return
        lead = ctx.state.units[movers[0]]
        if UNITS[lead.id].type not in (*INFANTRY, *LEADERS, "tank"):
            ctx.cite("17.23", N_("{unit} moves one hex only."), unit=lead.id)
            return
        if len(path) - 1 >= longest(ctx.state, lead, path):
            return
        hexes = [h for h in NEIGHBOURS[lead.at] if h not in path]

        def why_not(to: str, here: Unit = lead) -> Iterator[Ruling] | None:
            return why_not_go_on(ctx.state, movers, here, path, to) if to else None

        if all(any(True for _ in why_not(h) or ()) for h in hexes):
            return
        choices: list[Choice[str]] = [hex_choice(h, N_("move to {hex}")) for h in hexes]
        choices.append(button("ferma", "", N_("stop here")))
        to = ctx.choose(
            "move.next",
            US,
            choices,
            "17.1",
            N_("Does {unit} move on?"),
            why_not=why_not,
            unit=lead.id,
        )
        if not to:
            return
        if owed:
            ctx.do(Paid(division=ctx.state.division), ("7", "7.1.auto-conservazione"))
            owed = False
        ctx.cite(
            ("17.2", "casa.75" if "mined road" in roads(path[-1], to) else "")
            if UNITS[lead.id].type == "tank"
            else "17.1",
            N_("{unit} goes on to {hex}."),
            unit=lead.id,
            hex=to,
        )
        for mover in movers:
            if not step(ctx, mover, to):
                return
        path.append(to)


def longest(state: State, found: Unit, path: list[str]) -> int:
    """How many hexes a move may have (17.1, 17.2, 17.23)."""
    kind = UNITS[found.id].type
    if kind in ("HQ", "general"):
        return 2
    if kind in INFANTRY:
        return 1 if slows(state, found, path) else 2
    if has_intense(state, path[-1]) or not follows_road(state, path):
        return 1
    return 4 if is_primary(path) else 2


def is_primary(path: list[str]) -> bool:
    """Whether a path runs along a primary road from its start (17.2)."""
    return all("primary road" in roads(a, b) for a, b in pairwise(path))


def follows_road(state: State, path: list[str]) -> bool:
    """Four hexes along primary roads, or two along any paved one from a secondary (17.2)."""
    if is_primary(path):
        return len(path) <= 5
    is_paved = all(any(k in DRIVEN for k in roads(a, b)) for a, b in pairwise(path))
    return is_paved and starts_on_secondary(state, path[0]) and len(path) <= 3


def starts_on_secondary(state: State, label: str) -> bool:
    """A secondary road, or a mined one that engineers have cleared (17.2, 19.3.strade, casa.75)."""
    return "secondary road" in ON_ROAD.get(label, ()) or any(
        "mined road" in roads(label, near) and is_open_side(state, label, near)
        for near in NEIGHBOURS[label]
    )


def slows(state: State, found: Unit, path: list[str]) -> Ruling | None:
    """Why infantry stops after one hex (17.1, 17.11, 17.12, casa.32)."""
    a, b = path[-2], path[-1]
    sides = SIDE.get((a, b), ())
    if "bluff" in sides or "scaleable cliff" in sides:
        return rule(("17.11", "17.12"), N_("A climb takes the whole move."))
    if COVER_AT.get(b) == "bocage" and not roads(a, b):
        return rule(("17.1", "tec.bocage"), N_("{hex}: bocage without a road."), hex=b)
    for near, level in threats(state, b):
        if level != SPORADIC:
            return rule(
                ("17.1", "casa.32"),
                N_("{hex} lies under {level} fire of {position}."),
                hex=b,
                level=level,
                position=near,
            )
    return None


def has_intense(state: State, label: str) -> bool:
    """Whether an undisrupted position has an intense dot on the hex (17.2)."""
    return any(level == INTENSE for _near, level in threats(state, label))


def why_not_go_on(
    state: State, movers: list[str], lead: Unit, path: list[str], to: str
) -> Iterator[Ruling]:
    """Why a longer move may not enter another hex (17.1, 17.2, 17.21)."""
    for name in movers:
        yield from why_not_enter(state, state.units[name], to)
    if lead.command != state.division and SECTOR[to] == SECTOR[path[0]]:
        yield rule("7.22", N_("{unit} may only cross the line now."), unit=lead.id)
    kind = UNITS[lead.id].type
    if kind in ("HQ", "general"):
        for german in infiltrated(state, lead.at, to):
            yield rule(
                "7.32.leader",
                N_("{unit} does not infiltrate alone past {position}."),
                unit=lead.id,
                position=german.hex,
            )
        return
    if kind == "tank":
        if not follows_road(state, [*path, to]):
            yield rule(
                ("17.2", "17.21", "casa.75"), N_("{unit} must follow its road."), unit=lead.id
            )
        return
    slowed = slows(state, lead, [*path, to])
    if slowed is not None:
        yield slowed


# Consequences of moving


def leader_moved(ctx: Ctx[State], name: str) -> None:
    """A leader that moved gives no more free actions; a post becomes an HQ (7.33, 18.11)."""
    if not UNITS[name].is_leader:
        return
    if ctx.state.units[name].space:
        ctx.do(CommandPost(unit=name, space=0), "18.11")
    if name not in ctx.state.moved_leaders:
        ctx.do(LeaderMoved(unit=name), "7.33")


def pass_to_other_player(ctx: Ctx[State], name: str) -> None:
    """With two players, a unit more than one hex over the line changes player (7.22.due)."""
    state = ctx.state
    found = state.units[name]
    if state.options.get("giocatori") != "due" or not found.is_on_map:
        return
    here = SECTOR[found.at]
    if DIVISION_OF[here] == found.command:
        return
    if found.at in AT_THE_LINE:
        return
    ctx.do(Transferred(unit=name, division=OTHER[found.command]), ("7.22.due", "1.due-giocatori"))


def why_not_exit(state: State, found: Unit) -> Iterator[Ruling]:
    """Why a unit cannot leave the map here (20.3.uscita)."""
    yield from why_not_pay(state, found)
    if UNITS[found.id].is_leader:
        yield rule("20.3.uscita", N_("{unit} is a leader: nothing would count."), unit=found.id)


def leave_map(ctx: Ctx[State], name: str) -> None:
    """A move over the edge from an exit hex; the unit does not return (20.3.uscita, casa.71)."""
    pay(ctx, name)
    letter = EXIT_AT[ctx.state.units[name].at]
    ctx.do(Exited(unit=name, exit=letter), ("20.3.uscita", "casa.71"))


# 7.6 The end of the phase


def overfull(state: State) -> str:
    """A hex with more than two units, if there is one (7.6, 7.61)."""
    for label, units in index(state).by_hex.items():
        if sum(not UNITS[u.id].is_leader for u in units) > STACK:
            return label
    return ""


def trim(ctx: Ctx[State], label: str) -> None:
    """The player eliminates a unit too many (7.63)."""
    units = [u for u in units_at(ctx.state, label) if not UNITS[u.id].is_leader]
    name = ctx.choose(
        "stacking.eliminated",
        US,
        [unit(u.id, u.id, hex=spot(u.at)) for u in units],
        ("7.6", "7.61", "7.62", "7.63"),
        N_("{hex} holds {n} units: which one is eliminated?"),
        hex=label,
        n=len(units),
    )
    eliminate(ctx, name, ("7.63", "casa.57"))


def finish(ctx: Ctx[State]) -> None:
    """Action markers come off (7.2)."""
    ctx.do(MarkersRemoved(), "7.2")
