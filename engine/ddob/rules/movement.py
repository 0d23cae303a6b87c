"""Movement (7.3-7.5, 17): 7.21, 7.22, 7.3-7.33, 7.4-7.51, 17.1-17.23, 18.11, 20.3.uscita."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from engine.core.ctx import Ctx
from engine.core.decisions import Choice, button
from engine.core.rules import Ruling
from engine.core.text import N_, msg
from engine.ddob.rules.choosing import folded, hex_choice, unit_choice
from engine.ddob.rules.engineers import is_open_side
from engine.ddob.rules.free_actions import (
    free_move,
    free_reason,
    is_flight,
    is_free,
    pay,
    why_not_pay,
)
from engine.ddob.rules.losses import lose_step
from engine.ddob.rules.terrain import has_road, why_not_enter
from engine.ddob.state.book import DIVISION_OF, OTHER, US, rule
from engine.ddob.state.deck import draw_card
from engine.ddob.state.events import (
    Acted,
    Climbing,
    CommandPost,
    Exited,
    LeaderMoved,
    Moved,
    Paid,
    Transferred,
)
from engine.ddob.state.ground import (
    AT_THE_LINE,
    COVER_AT,
    EXIT_AT,
    NEIGHBOURS,
    ON_ROAD,
    PAVED,
    SECTOR,
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
    name_of,
    position_of,
    threats,
    units_at,
)
from engine.ddob.state.tables import CARDS, INFANTRY, INTENSE, LEADERS, SPORADIC, UNITS

DRIVEN = (*PAVED, "mined road")
CONCENTRATED = 5
"""Steps in a hex that make a concentrated target (6.35)."""


# 7.3 Moving


def why_not_move(state: State, found: Unit, to: str) -> Iterator[Ruling]:
    """Why a unit may not take this step with the actions that are left (7.3, 7.22, 7.32)."""
    yield from why_not_enter(state, found, to)
    if found.command != state.division and SECTOR[to] == SECTOR[found.at]:
        yield rule("7.22", N_("{unit} may only cross the line now."), unit=found.id)
    if state.actions <= 0 and not is_free(state, found) and free_move(state, found, to) is None:
        yield rule(
            (
                "7#tre-azioni" if is_extended(state) else "7#due-azioni",
                "7.1.auto-conservazione#costa",
            ),
            N_("No action is left, and this move is not free."),
        )
    if UNITS[found.id].is_leader:
        for german in infiltrated(state, found.at, to):
            yield rule(
                "7.32.leader",
                N_("{unit} does not infiltrate alone past {position}."),
                unit=found.id,
                position=name_of(german.hex),
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
        field = field_of_fire(german)
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
        ref = "7#tre-azioni" if is_extended(state) else "7#due-azioni"
        ctx.do(Paid(division=state.division), (ref, "7.22" if crosses(found, to) else ""))
        movers += companion(ctx, found, to)
    leaders = led_along(ctx, found, to)
    if len(movers) > 1 and infiltrated(state, found.at, to):
        ctx.cite(
            ("7.32#subito", "6.37", "casa.94"),
            N_("{units} infiltrate: a card and an outcome for each."),
            units=tuple(movers),
        )
    went = False
    for mover in movers:
        went |= step(ctx, mover, to)
        ctx.do(Acted(unit=mover), "7.1#una-sola")
    for leader in leaders:
        if went:
            said = N_("{unit} infiltrates with {escort}: no card for leaders.")
            ctx.cite("7.32.leader", said, unit=leader, escort=name)
            step(ctx, leader, to)
        else:
            ctx.cite("7.32.leader", N_("{unit} stays with its escort."), unit=leader)
        ctx.do(Acted(unit=leader), "7.1#una-sola")
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
        ctx.do(Climbing(unit=name, marker=CLIFF, hex=to), "7.5#primo")
        return False
    if not infiltrate(ctx, name, to):
        return False
    ctx.do(Moved(unit=name, hex=to), "7.3#sposta")
    if is_foot and "scaleable cliff" in sides:
        ctx.do(Climbing(unit=name, marker=CLIMB), "17.12")
    elif "bluff" in sides and has_road(state, found.at, to):
        said = N_("{unit} takes the trail over the bluff: no climb.")
        ctx.cite(("tec.strada#attraversa", "casa.95"), said, unit=name)
    elif "bluff" in sides:
        climb_bluff(ctx, name, is_foot)
    return True


def climb_bluff(ctx: Ctx[State], name: str, is_foot: bool) -> None:
    """Infantry gets a climb marker, leaders do not; nobody from turn 17 (7.4, 7.41, 17.11)."""
    if not is_foot:
        ctx.cite("7.41", N_("{unit} climbs in one turn."), unit=name)
    elif is_extended(ctx.state):
        ctx.cite("17.11", N_("{unit} climbs without a marker."), unit=name)
    else:
        ctx.do(Climbing(unit=name, marker=CLIMB), "7.4#primo")


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
        ctx.do(Moved(unit=name, hex=found.cliff), ("7.5#secondo", "7.51"))
        ctx.do(Climbing(unit=name, marker=CLIMB), "7.5#secondo")
    elif not verb:
        ctx.do(Climbing(unit=name), "7.51")
    ctx.do(Acted(unit=name), "7.1#una-sola")


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
        ("7.32#infiltrazione", "7.32.due#una-carta")
        if len(positions) > 1
        else "7.32#infiltrazione",
        N_("{unit} infiltrates past {positions}."),
        unit=name,
        positions=tuple(firing_name(german) for german in positions),
    )
    card = draw_card(ctx, "infiltration", "7.32#subito")
    if index(state).steps.get(to, 0) + found.steps >= CONCENTRATED:
        said = N_("No concentrated target: only its own symbol counts, {symbol}.")
        ctx.cite("7.32.concentrato", said, symbol=found.symbol)
    if found.symbol != card.target:
        said = N_("{unit} is not hit: its symbol is {symbol}.")
        ctx.cite("7.32#perde", said, unit=name, symbol=found.symbol)
        return True
    against = [why_not_called(state, german, card.id) for german in positions]
    missing = [ruling for ruling in against if ruling is not None]
    if len(missing) == len(positions):
        for ruling in folded(missing):
            ctx.cite(ruling)
        return True
    shooter = positions[against.index(None)]
    ctx.cite(
        ("7.32#perde", "casa.19"),
        N_("{position} hits {unit}: colour and symbol are on the card."),
        position=firing_name(shooter),
        unit=name,
    )
    if not lose_step(ctx, name, ("7.32#perde", "casa.19")):
        return False
    choices: list[Choice[bool]] = [
        button("avanti", True, N_("Complete the move")),
        button("resta", False, N_("Stay in {hex}"), hex=found.at),
    ]
    return ctx.choose(
        "infiltrate.go-on",
        US,
        choices,
        "7.32.esito#scegli",
        N_("{unit} is hit: does it go on?"),
        unit=name,
    )


def firing_name(german: German) -> str:
    """The position that a German unit holds, or the hex of tanks."""
    position = position_of(german)
    return position.id if position is not None else german.hex


def why_not_called(state: State, german: German, card_id: str) -> Ruling | None:
    """Why the card does not let this position fire at an infiltration (7.32, casa.19)."""
    position = position_of(german)
    colour = position.colour if position is not None else german.data.colour
    square = CARDS[card_id].square(colour)
    if square is None:
        said = N_("{position} misses: its colour is not on the card.")
        return rule("7.32#perde", said, position=firing_name(german))
    hexes = position.hexes if position is not None else (german.hex,)
    has_depth = any(
        state.germans[h].depth and not state.germans[h].disrupted
        for h in hexes
        if h in state.germans
    )
    if square.squares == 1 or has_depth:
        return None
    said = N_("{position} misses: a double square, and no depth marker.")
    return rule(("7.32#senza-incognita", "casa.19"), said, position=firing_name(german))


# 17.1, 17.2 Longer moves


def go_on(ctx: Ctx[State], movers: list[str], path: list[str], owed: bool) -> None:
    """More hexes in the same action, one at a time (17.1, 17.2).

    Beyond the one free hex of a flight the move is an action of the division (7.1).
    """
    while may_go_on(ctx, movers, path, owed):
        lead = ctx.state.units[movers[0]]
        to = choose_next(ctx, movers, lead, path)
        if not to:
            return
        if owed:
            ctx.do(
                Paid(division=ctx.state.division), ("7#tre-azioni", "7.1.auto-conservazione#costa")
            )
            owed = False
        ctx.cite(
            (
                "17.2#strada/strada principale"
                if is_primary([*path, to])
                else "17.2#strada/strada secondaria",
                "casa.75" if "mined road" in roads(path[-1], to) else "",
            )
            if UNITS[lead.id].type == "tank"
            else "17.1#due",
            N_("{unit} goes on to {hex}."),
            unit=lead.id,
            hex=to,
        )
        for mover in movers:
            if not step(ctx, mover, to):
                return
        path.append(to)


def may_go_on(ctx: Ctx[State], movers: list[str], path: list[str], owed: bool) -> bool:
    """Whether all are still together, can pay, and their move may be longer (17.1, 17.23)."""
    state = ctx.state
    if any(state.units[mover].at != path[-1] for mover in movers):
        return False
    lead = state.units[movers[0]]
    if owed and state.actions <= 0:
        said = N_("No action is left: the free move ends here.")
        ctx.cite(("7#tre-azioni", "7.1.auto-conservazione#costa"), said)
        return False
    ended = why_no_further(state, lead, path)
    if ended is not None:
        ctx.cite(ended)
    return ended is None


def choose_next(ctx: Ctx[State], movers: list[str], lead: Unit, path: list[str]) -> str:
    """The next hex of a longer move; none to stop, or if every one is forbidden (17.1)."""
    state = ctx.state
    ref = "17.2#percorrere" if UNITS[lead.id].type == "tank" else "17.1#due"
    hexes = [h for h in NEIGHBOURS[lead.at] if h not in path]

    def why_not(to: str) -> Iterator[Ruling] | None:
        return why_not_go_on(state, movers, lead, path, to) if to else None

    against = [next(iter(why_not(h) or ()), None) for h in hexes]
    if None not in against:
        said = msg(N_("{units}: no further, every other hex is forbidden."), units=tuple(movers))
        found = [rule.ruling(ref, said), *[ruling for ruling in against if ruling is not None]]
        refs = dict.fromkeys(ref for ruling in found for ref in ruling.refs)
        anchors = dict.fromkeys(anchor for ruling in found for anchor in ruling.anchors)
        ctx.cite(Ruling(tuple(refs), said, tuple(anchors)))
        return ""
    choices: list[Choice[str]] = [hex_choice(h, N_("move to {hex}")) for h in hexes]
    choices.append(button("ferma", "", N_("stop here")))
    return ctx.choose(
        "move.next",
        US,
        choices,
        ref,
        N_("Does {unit} move on?"),
        why_not=why_not,
        unit=lead.id,
    )


def why_no_further(state: State, found: Unit, path: list[str]) -> Ruling | None:
    """Why a move ends where it is (17.1, 17.2, 17.23)."""
    kind, far = UNITS[found.id].type, len(path) - 1
    if kind not in (*INFANTRY, *LEADERS, "tank"):
        return rule("17.23", N_("{unit} moves one hex only."), unit=found.id)
    if kind in INFANTRY and (slowed := slows(state, found, path)):
        return slowed
    if kind == "tank":
        if has_intense(state, path[-1]):
            return rule(
                "17.2#intenso", N_("{hex} lies under intense fire: tanks stop."), hex=path[-1]
            )
        if not follows_road(state, path):
            return rule("17.21", N_("{unit} has left the road: one hex."), unit=found.id)
    most = 4 if kind == "tank" and is_primary(path) else 2
    if far < most:
        return None
    ref = (
        "17.1#due"
        if kind != "tank"
        else "17.2#strada/strada principale/Massimo"
        if most == 4
        else "17.2#strada/strada secondaria/Massimo"
    )
    return rule(ref, N_("{unit} has moved {n} hexes, the most it may."), unit=found.id, n=far)


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
    if "bluff" in sides and not has_road(state, a, b):
        return rule("17.11", N_("A climb takes the whole move."))
    if "scaleable cliff" in sides:
        return rule("17.12", N_("A climb takes the whole move."))
    if COVER_AT.get(b) == "bocage" and not roads(a, b):
        return rule(
            ("17.1#bocage", "tec.bocage#un-esagono"), N_("{hex}: bocage without a road."), hex=b
        )
    for near, level in threats(state, b):
        if level != SPORADIC:
            return rule(
                ("17.1#fuoco", "casa.32"),
                N_("{hex} lies under {level} fire of {position}."),
                hex=b,
                level=level,
                position=name_of(near),
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
                position=name_of(german.hex),
            )
        return
    if kind == "tank":
        if not follows_road(state, [*path, to]):
            yield rule(
                ("17.2#percorrere", "17.21", "casa.75"),
                N_("{unit} must follow its road."),
                unit=lead.id,
            )
        return
    slowed = slows(state, lead, [*path, to])
    if slowed is not None:
        yield slowed


# What follows a move


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
    ctx.do(
        Transferred(unit=name, division=OTHER[found.command]),
        ("7.22.due", "1.due-giocatori#passano"),
    )


# 20.3.uscita Leaving the map


def why_not_exit(state: State, found: Unit) -> Iterator[Ruling]:
    """Why a unit cannot leave the map here (20.3.uscita)."""
    yield from why_not_pay(state, found)
    if UNITS[found.id].is_leader:
        yield rule(
            "20.3.uscita#annota", N_("{unit} is a leader: nothing would count."), unit=found.id
        )


def leave_map(ctx: Ctx[State], name: str) -> None:
    """A move over the edge from an exit hex; the unit does not return (20.3.uscita, casa.71)."""
    pay(ctx, name)
    letter = EXIT_AT[ctx.state.units[name].at]
    ctx.do(Exited(unit=name, exit=letter), ("20.3.uscita#lascia", "casa.71"))
