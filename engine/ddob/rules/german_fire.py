"""German fire (6): 6.1-6.53, 11.4, 11.41, 14.11, 14.12.

Nothing here is the player's choice but what the priorities leave equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from functools import cache

import msgspec

from engine.core.ctx import Ctx
from engine.core.rules import Ruling
from engine.core.text import N_, NP_
from engine.ddob.rules.choosing import by_tie, folded, pick_units, tell_order, unit_choice
from engine.ddob.rules.communication import is_in_play, sector_of_position
from engine.ddob.rules.engineers import clearing_limit
from engine.ddob.rules.losses import disrupt, hit_leader, lose_step
from engine.ddob.state.book import BOMBARDMENT, US, rule
from engine.ddob.state.deck import draw_card
from engine.ddob.state.events import BatteriesTurned, GermanRecovered, Hit, Noted
from engine.ddob.state.ground import BASE, IS_LOW, NEIGHBOURS, SECTOR, SHELTERED, distance
from engine.ddob.state.state import (
    German,
    State,
    Unit,
    active,
    do_letters_count,
    fighters_at,
    germans_of,
    index,
    is_extended,
    name_of,
    on_map,
    units_at,
)
from engine.ddob.state.tables import (
    ACTIONS,
    BATTERIES,
    BOXES,
    CARDS,
    DOTS,
    FIRE,
    INTENSE,
    LEVELS,
    POSITION_AT,
    POSITIONS,
    SETUPS,
    SPORADIC,
    STEADY,
    UNITS,
    Battery,
    Card,
    Position,
    Square,
)

CONCENTRATED = 5
ARTILLERY_TURN = 4
CALIBRES = {"wn75": "75", "wn88": "88"}
NOBODY = N_("{position}: nobody in the field of fire whom this card hits.")


FIRE_CELLS = {
    (INTENSE, False): "6.3#fuoco-tedesco/intenso/WN, o rinforzo rivelato",
    (INTENSE, True): "6.3#fuoco-tedesco/intenso/Rinforzo nascosto",
    (STEADY, False): "6.3#fuoco-tedesco/moderato/WN, o rinforzo rivelato",
    (STEADY, True): "6.3#fuoco-tedesco/moderato/Rinforzo nascosto",
    (SPORADIC, False): "6.3#fuoco-tedesco/sporadico",
}
"""Level, and whether a hidden reinforcement fires -> where the text has the effect (6.3)."""


class Target(msgspec.Struct, frozen=True):
    """A US unit that a position may hit, and how; `crowd` are the steps in its hex (6.35)."""

    unit: str
    level: str
    loses: bool
    disrupts: bool
    rank: tuple[int, int, int]
    crowd: int = 0


class Shot(msgspec.Struct, frozen=True):
    """A position that fires: its limit and whom it may hit."""

    name: str
    hexes: tuple[str, ...]
    limit: int
    targets: tuple[Target, ...]
    star: bool
    field: dict[str, str]
    bonus: bool = False


# 6.1 Reading the card


def why_silent(state: State, position: Position, square: Square) -> Iterator[Ruling]:
    """Why a held position does not fire with a square of the card (6.1, 6.4, 6.41, ev.fumo)."""
    germans = active(state, position)
    if not germans:
        yield rule("6.4#non-spara", N_("{position}: disrupted."), position=position.id)
    elif square.squares == 2 and not any(g.depth for g in germans):
        if any(g.depth for g in germans_of(state, position)):
            said = N_("{position}: a double square, and its depth marker is disrupted.")
            yield rule(("6.1.doppio#due-esagoni", "6.41", "casa.64"), said, position=position.id)
        else:
            said = N_("{position}: a double square, and no depth marker.")
            yield rule("6.1.doppio#incognita", said, position=position.id)
    if position.id in state.notes.get("smoke", "").split():
        yield rule("ev.fumo#tacciono", N_("{position}: in smoke."), position=position.id)
    if germans and all(g.silent for g in germans):
        yield rule("16.32", N_("{position}: no fire in this phase."), position=position.id)


def hit_limit(state: State, germans: list[German]) -> int:
    """Units and depth markers of the position, doubled from turn 17 (6.31, 14.11)."""
    count = sum(2 if g.depth else 1 for g in germans)
    return count * 2 if is_extended(state) else count


# 6.3 Whom a position may hit


def level_now(state: State, label: str, level: str) -> str:
    """The level of a dot, raised by plunging fire (ev.plunging)."""
    is_sheltered = BASE[label] == "beach" and label in SHELTERED
    if level == SPORADIC and is_sheltered and "plunging" in state.notes:
        return state.notes["plunging"]
    return level


def targets(
    state: State, germans: list[German], field: dict[str, str], card: Card, tank_bonus: bool
) -> list[Target]:
    """Every unit in the field of fire that the chart lets the position hit (6.3, 6.35, 6.36)."""
    us = index(state)
    is_hidden = not any(g.is_wn or g.shown for g in germans)
    column = "hidden" if is_hidden else "shown"
    armor = any(g.is_armor for g in germans)
    found = []
    for label, printed in field.items():
        units = us.by_hex.get(label)
        if not units or not can_see(germans, label, armor):
            continue
        level = level_now(state, label, printed)
        row = FIRE[level, column]
        crowd = us.steps[label]
        near = min(distance(g.hex, label) for g in germans)
        for unit in units:
            data = UNITS[unit.id]
            if data.is_leader:
                continue
            if row.who == "symbol":
                if unit.symbol != card.target and crowd < CONCENTRATED:
                    continue
                if data.is_armored and not tank_bonus:
                    continue
            rank = (LEVELS.index(level), near, -unit.steps)
            found.append(Target(unit.id, level, row.loses, row.disrupts, rank, crowd))
    return sorted(found, key=lambda t: (t.rank, t.unit))


def can_see(germans: list[German], label: str, armor: bool) -> bool:
    """Tanks fire down only from the brink, and never up (23.42)."""
    if not armor:
        return True
    here = germans[0].hex
    if IS_LOW[here]:
        return IS_LOW[label]
    return not IS_LOW[label] or any(IS_LOW[n] for n in NEIGHBOURS[here])


def shot_of(state: State, position: Position, card: Card, square: Square) -> Shot:
    """A firing position with its limit and targets."""
    germans = [g for g in active(state, position) if not g.silent]
    bonus = square.action == "tank"
    found = targets(state, germans, DOTS[position.id], card, bonus)
    return Shot(
        position.id,
        tuple(g.hex for g in germans),
        hit_limit(state, germans),
        tuple(found),
        square.action == "star",
        DOTS[position.id],
        bonus,
    )


@cache
def called(sector: str, card_id: str) -> tuple[tuple[Position, Square], ...]:
    """The positions of a sector whose colour a card shows, with the square (6.1, 6.22)."""
    squares = CARDS[card_id].squares
    return tuple(
        (position, squares[position.colour])
        for position in POSITIONS.values()
        if position.sector == sector and position.colour in squares
    )


def is_held(state: State, position: Position) -> bool:
    """Whether a German unit is in a hex of the position, tanks included."""
    return not state.germans.keys().isdisjoint(position.hexes)


def shots(state: State, sector: str, card: Card) -> list[Shot]:
    """Every position of the sector that fires with this card (6, 6.22)."""
    return [
        shot_of(state, position, card, square)
        for position, square in called(sector, card.id)
        if is_held(state, position) and not any(True for _ in why_silent(state, position, square))
    ]


# 6.31, 6.34 Assigning hits, turns 1-16


class Edge(msgspec.Struct, frozen=True):
    """One of the hits of a position costs a unit a step; what that is worth."""

    unit: str
    shot: str
    slot: int
    worth: int


Hits = dict[tuple[str, int], Edge]
"""(position, number of its hit) -> the unit that it takes a step from."""


class Assignment:
    """Steps lost by as many units as possible, then most hits, then by priority (6.34, casa.15).

    An assignment is worth the sum of its edges, with a digit for each of these aims. In the best
    one no position spares, for a unit later in its own order (6.31), one that nobody hits. Two are
    worth the same only with as many units of each rank: who shares none has no equal.
    """

    def __init__(self, fired: list[Shot], spared: frozenset[str]) -> None:
        self.names = [shot.name for shot in fired]
        able = {
            shot.name: [t for t in shot.targets if t.loses and t.unit not in spared]
            for shot in fired
        }
        holders: dict[tuple[int, int, int], set[str]] = {}
        for found in able.values():
            for target in found:
                holders.setdefault(target.rank, set()).add(target.unit)
        ranks = sorted(holders)
        self.peers = frozenset().union(*[units for units in holders.values() if len(units) > 1])
        base = 1 + sum(len(found) for found in able.values())
        more = base ** len(ranks)
        self.certain = more * base * base
        self.edges: dict[str, list[Edge]] = {}
        for shot in fired:
            for slot in range(min(shot.limit, len(able[shot.name]))):
                gain = hits_with(shot, slot + 1) - hits_with(shot, slot)
                for target in able[shot.name]:
                    rank = base ** (len(ranks) - 1 - ranks.index(target.rank))
                    edge = Edge(target.unit, shot.name, slot, more * (base + gain) + rank)
                    self.edges.setdefault(target.unit, []).append(edge)
        self.hits = best_hits(self.edges)

    @property
    def by(self) -> dict[str, list[str]]:
        """Position -> the units that lose a step to it."""
        return {
            name: [self.hits[place].unit for place in sorted(self.hits) if place[0] == name]
            for name in self.names
        }

    def equals(self) -> list[str]:
        """Units that are hit in some of the best assignments and spared in others."""
        hit = {edge.unit for edge in self.hits.values()}
        if len(hit) == len(self.edges):
            return []
        best = worth_of(self.hits)
        found = []
        for unit in self.edges:
            if unit not in self.peers:
                continue
            if unit in hit:
                others = {name: edges for name, edges in self.edges.items() if name != unit}
                is_equal = worth_of(best_hits(others)) == best
            else:
                is_equal = worth_of(best_hits(self.with_hit(unit))) == best + self.certain
            if is_equal:
                found.append(unit)
        return found

    def with_hit(self, unit: str) -> dict[str, list[Edge]]:
        """The edges, with a unit that is certainly hit."""
        certain = [
            msgspec.structs.replace(edge, worth=edge.worth + self.certain)
            for edge in self.edges[unit]
        ]
        return {**self.edges, unit: certain}

    def choose(self, unit: str) -> None:
        """The player wants this unit to be hit among equals."""
        self.edges = self.with_hit(unit)
        self.hits = best_hits(self.edges)


def hits_with(shot: Shot, losing: int) -> int:
    """How many units a position hits when some of them lose a step to it (6.31)."""
    disrupted = sum(t.disrupts for t in shot.targets)
    if any(t.loses and t.disrupts for t in shot.targets):
        disrupted -= losing
    return losing + min(shot.limit - losing, disrupted)


def worth_of(hits: Hits) -> int:
    """What an assignment is worth."""
    return sum(edge.worth for edge in hits.values())


def best_hits(edges: dict[str, list[Edge]]) -> Hits:
    """The assignment that is worth most, one chain of hits after the other."""
    hits: Hits = {}
    while chain := best_chain(edges, hits):
        for edge in chain:
            hits[edge.shot, edge.slot] = edge
    return hits


def best_chain(edges: dict[str, list[Edge]], hits: Hits) -> list[Edge]:
    """One more unit is hit, and others move on to other hits: the chain worth most."""
    hit = {edge.unit for edge in hits.values()}
    gains: dict[tuple[str, int], int] = {}
    last: Hits = {}
    before: dict[tuple[str, int], tuple[str, int] | None] = {}

    def reach(edge: Edge, gain: int, origin: tuple[str, int] | None) -> bool:
        place = (edge.shot, edge.slot)
        if place in gains and gains[place] >= gain:
            return False
        gains[place], last[place], before[place] = gain, edge, origin
        return True

    for unit, found in edges.items():
        if unit not in hit:
            for edge in found:
                reach(edge, edge.worth, None)
    is_better = bool(gains)
    while is_better:
        is_better = False
        for place in list(gains):
            if place in hits:
                left = gains[place] - hits[place].worth
                for edge in edges[hits[place].unit]:
                    if (edge.shot, edge.slot) != place:
                        is_better |= reach(edge, left + edge.worth, place)
    ends = [place for place in gains if place not in hits]
    chain: list[Edge] = []
    spot = max(ends, key=lambda place: gains[place], default=None)
    while spot is not None:
        chain.append(last[spot])
        spot = before[spot]
    return chain


def apart(fired: list[Shot], spared: frozenset[str]) -> list[list[Shot]]:
    """Positions that could cost the same unit a step belong together."""
    groups: list[tuple[list[Shot], set[str]]] = []
    for shot in fired:
        units = {t.unit for t in shot.targets if t.loses and t.unit not in spared}
        joined = [group for group in groups if units & group[1]]
        groups = [group for group in groups if not units & group[1]]
        shots_of = [one for group in joined for one in group[0]]
        groups.append(([*shots_of, shot], units.union(*(group[1] for group in joined))))
    return [group[0] for group in groups]


class Losing(msgspec.Struct, frozen=True):
    """Who loses a step to each position, and whom of them the player picked among equals."""

    by: dict[str, list[str]]
    picked: tuple[str, ...]


def assign(ctx: Ctx[State], fired: list[Shot]) -> Losing:
    """Choose who loses a step; the player chooses among equals (6.31, 6.34, casa.15)."""
    state = ctx.state
    spared = frozenset(u.id for u in on_map(state) if u.hit)
    by: dict[str, list[str]] = {}
    picked: list[str] = []
    for group in apart(fired, spared):
        plan = Assignment(group, spared)
        while equals := plan.equals():
            aiming = [shot for shot in group if any(t.unit in equals for t in shot.targets)]
            chosen = ctx.choose(
                "fire.target",
                US,
                [unit_choice(state.units[name]) for name in equals],
                ("6.31#parita", "6.34#assegna", "casa.15#parita"),
                N_("{positions}: equal targets, at most {n} hits. Which one is hit?"),
                positions=tuple(shot.name for shot in aiming),
                n=sum(shot.limit for shot in aiming),
            )
            plan.choose(chosen)
            picked.append(chosen)
        by |= plan.by
    return Losing(by, tuple(picked))


def fire_phase(ctx: Ctx[State], sector: str) -> None:
    """The positions of a sector fire with its card, turns 1-16 (6.3)."""
    card = CARDS[ctx.state.cards[f"fire {sector}"]]
    fired = shots(ctx.state, sector, card)
    tell_silent(ctx, sector, card)
    idle = [shot.name for shot in fired if is_idle(ctx.state, shot, card)]
    if idle:
        ctx.cite("6.3#guarda", NOBODY, position=tuple(idle))
    fired = [shot for shot in fired if shot.name not in idle]
    losing = assign(ctx, fired)
    before = ctx.state
    for shot in fired:
        with opened(ctx, shot, "6.31#limite"):
            resolve_shot(ctx, shot, losing, card, before)


def is_idle(state: State, shot: Shot, card: Card) -> bool:
    """Whether a position that fires has nobody to hit, nor armor that only its plates save."""
    if shot.targets or has_leaders(state, shot):
        return False
    return shot.bonus or not armored_in(state, shot, card)


def opened(ctx: Ctx[State], shot: Shot, ref: str | tuple[str, ...]) -> AbstractContextManager[None]:
    """The heading of a position that fires; its name is the fact `fires` (6.31, 6.41, 14.11)."""
    refs = (ref,) if isinstance(ref, str) else ref
    if shot.name in POSITIONS and len(shot.hexes) < len(
        germans_of(ctx.state, POSITIONS[shot.name])
    ):
        refs = (*refs, "6.41")
    return ctx.under(
        refs,
        N_("{fires} fires, up to {n} hits (units {units}, depth markers {markers}, doubled)")
        if is_extended(ctx.state)
        else NP_(
            "{fires} fires, one hit at most (units {units}, depth markers {markers})",
            "{fires} fires, up to {n} hits (units {units}, depth markers {markers})",
        ),
        fires=shot.name,
        units=len(shot.hexes),
        markers=sum(bool(ctx.state.germans[h].depth) for h in shot.hexes),
        n=shot.limit,
    )


def tell_silent(ctx: Ctx[State], sector: str, card: Card) -> None:
    """Which occupied positions of the card's colours do not fire, and why."""
    found = []
    for position, square in called(sector, card.id):
        if is_held(ctx.state, position):
            found += list(why_silent(ctx.state, position, square))[:1]
    for ruling in folded(found):
        ctx.cite(ruling)


def resolve_shot(ctx: Ctx[State], shot: Shot, chosen: Losing, card: Card, before: State) -> None:
    """Apply the hits of one position: steps first, then disruption, a leader last (11.41)."""
    by_unit = {t.unit: t for t in shot.targets}
    losing = [unit for unit in by_unit if unit in chosen.by[shot.name]]
    if len(by_unit) > shot.limit:
        picked = [unit for unit in losing if unit in chosen.picked]
        left = [t.rank for unit, t in by_unit.items() if unit not in losing]
        tied = "6.31#parita" if by_tie([by_unit[unit].rank for unit in losing], left) else ""
        tell_order(ctx, "6.31#ordine", losing, list(by_unit), picked, tied)
    elsewhere = [unit for found in chosen.by.values() for unit in found]
    again = [
        t.unit
        for t in shot.targets
        if t.loses and t.unit not in losing and (before.units[t.unit].hit or t.unit in elsewhere)
    ]
    tell_spared(ctx, shot, card, again)
    tell_column(ctx, shot)
    hits = 0
    for name in losing:
        tell_border(ctx, shot, name)
        apply_hit(ctx, by_unit[name], card)
        hits += 1
    rest = [
        (t.rank, ctx.state.units[t.unit])
        for t in shot.targets
        if t.unit not in losing and t.disrupts and ctx.state.units[t.unit].is_on_map
    ]
    more = shot.limit - hits
    for name in pick_units(ctx, rest, more, "6.31#ordine", shot.name, "6.31#parita"):
        tell_border(ctx, shot, name)
        tell_why(ctx, ctx.state.units[name], by_unit[name], card)
        disrupt_by_fire(ctx, name, hit_refs(by_unit[name]))
        hits += 1
    threaten(ctx, shot, max(hits, qualified(shot, before)))


def tell_spared(ctx: Ctx[State], shot: Shot, card: Card, again: Sequence[str]) -> None:
    """Who is spared though the field of fire covers it: hit already, or armored (6.34, 6.36)."""
    tanks = [] if shot.bonus else armored_in(ctx.state, shot, card)
    hit, armored = tuple(again), tuple(tanks)
    if hit and armored:
        said = N_("{hit}: no second step in this phase. {armored}: armored, and no tank symbol.")
        ctx.cite(("6.34#uno-per-fase", "6.36#bonus", "6.1.carri"), said, hit=hit, armored=armored)
    elif hit:
        ctx.cite("6.34#uno-per-fase", N_("{hit}: no second step in this phase."), hit=hit)
    elif armored:
        said = N_("{armored}: armored, and no tank symbol.")
        ctx.cite(("6.36#bonus", "6.1.carri"), said, armored=armored)


def armored_in(state: State, shot: Shot, card: Card) -> list[str]:
    """Armor under less than intense fire that the card would hit if it were none (6.36)."""
    us = index(state)
    found = []
    for label, level in shot.field.items():
        if label not in us.by_hex or level_now(state, label, level) == INTENSE:
            continue
        concentrated = us.steps[label] >= CONCENTRATED
        for unit in us.by_hex[label]:
            if UNITS[unit.id].is_armored and (unit.symbol == card.target or concentrated):
                found.append(unit.id)
    return found


def tell_column(ctx: Ctx[State], shot: Shot) -> None:
    """Hidden reinforcements disrupt whom they cost a step (6.3)."""
    if any(t.loses and t.disrupts for t in shot.targets):
        said = N_("{position}: hidden, who loses a step is disrupted too.")
        ctx.cite(
            ("6.3#fuoco-tedesco//Rinforzo nascosto", "6.33#confusione"), said, position=shot.name
        )


def threaten(ctx: Ctx[State], shot: Shot, hits: int) -> None:
    """A star and a hit left over threaten leaders; else it says why not (6.1.stella, 11.41)."""
    if not shot.star:
        return
    if hits < shot.limit:
        fire_at_leader(ctx, shot)
    elif leaders_in(ctx.state, shot):
        ctx.cite(
            ("11.41", "6.1.stella"),
            N_("{position}: no hit is left for leaders."),
            position=shot.name,
        )


def qualified(shot: Shot, state: State) -> int:
    """Units that the position could have cost a step when the card came up (11.41)."""
    return sum(t.loses and not state.units[t.unit].hit for t in shot.targets)


def tell_border(ctx: Ctx[State], shot: Shot, name: str) -> None:
    """A field of fire may cross the line: the card of the position counts (6.22)."""
    at = ctx.state.units[name].at
    sector = POSITIONS[shot.name].sector if shot.name in POSITIONS else SECTOR[shot.name]
    if SECTOR[at] != sector:
        ctx.cite(
            "6.22", N_("{position} fires across the line at {hex}."), position=shot.name, hex=at
        )


def apply_hit(ctx: Ctx[State], target: Target, card: Card) -> None:
    """One hit on one unit: a step, disruption or both (6.32, 6.33)."""
    name = target.unit
    unit = ctx.state.units[name]
    tell_why(ctx, unit, target, card)
    refs = hit_refs(target)
    if target.loses:
        alive = lose_step(ctx, name, refs)
        if alive and not is_extended(ctx.state):
            ctx.do(Hit(unit=name), "6.34#uno-per-fase")
        if not alive:
            return
    if target.disrupts:
        disrupt_by_fire(ctx, name, refs)


def fire_cell(target: Target) -> str:
    """The cell of the fire chart that hits a unit, or its row where both columns agree (6.3)."""
    is_hidden = target.loses and target.disrupts
    return FIRE_CELLS[target.level, is_hidden and target.level != SPORADIC]


def hit_refs(target: Target) -> tuple[str, ...]:
    """The cell that hits a unit; before it, for armor, what counts it as no armor (6.3, 6.36)."""
    is_spared = UNITS[target.unit].is_armored and target.level != INTENSE
    return ("6.36#bonus", fire_cell(target)) if is_spared else (fire_cell(target),)


def disrupt_by_fire(ctx: Ctx[State], name: str, refs: tuple[str, ...]) -> None:
    """German fire disrupts a unit, and never the leaders with it (6.33, 11.42)."""
    disrupt(ctx, name, (*refs, "6.33#confusione"))
    here = units_at(ctx.state, ctx.state.units[name].at)
    leaders = tuple([u.id for u in here if UNITS[u.id].is_leader])
    if leaders:
        ctx.cite("11.42", N_("{units}: leaders are not disrupted."), units=leaders)


def tell_why(ctx: Ctx[State], unit: Unit, target: Target, card: Card) -> None:
    """Why this unit is hit: level, symbol, concentration, armor; each by itself (6.37)."""
    stacked = "6.37" if len(fighters_at(ctx.state, unit.at)) > 1 else ""
    if target.level == INTENSE:
        ctx.cite(
            (fire_cell(target), stacked),
            N_("{unit} in {hex}: intense fire hits every unit."),
            unit=unit.id,
            hex=unit.at,
        )
        return
    armored = UNITS[unit.id].is_armored
    if unit.symbol == card.target:
        said = (
            N_("{unit} in {hex}: {level} fire, target symbol {symbol}; tank symbol: armor is hit.")
            if armored
            else N_("{unit} in {hex}: {level} fire, target symbol {symbol}.")
        )
        refs = (*hit_refs(target), "6.1.carri" if armored else "", stacked)
        ctx.cite(refs, said, unit=unit.id, hex=unit.at, level=target.level, symbol=card.target)
    else:
        said = (
            N_("{unit} in {hex}: concentrated target, {n} steps; tank symbol: armor is hit.")
            if armored
            else N_("{unit} in {hex}: concentrated target, {n} steps.")
        )
        refs = ("6.35#concentrato", "casa.20")
        if armored:
            refs = ("6.36#bonus", "6.1.carri", *refs)
        ctx.cite(refs, said, unit=unit.id, hex=unit.at, n=target.crowd)


# 11.4 Leaders


def leaders_in(state: State, shot: Shot) -> list[Unit]:
    """HQs, generals and heroes under intense or steady fire of a position (11.4)."""
    found = []
    for label, printed in shot.field.items():
        if level_now(state, label, printed) == SPORADIC:
            continue
        for unit in index(state).by_hex.get(label, ()):
            if UNITS[unit.id].is_leader or (unit.hero and not unit.inspired):
                found.append(unit)
    return found


def has_leaders(state: State, shot: Shot) -> bool:
    """Whether a star could cost a leader here."""
    return shot.star and bool(leaders_in(state, shot))


def fire_at_leader(ctx: Ctx[State], shot: Shot) -> None:
    """A hit left over may take one leader (6.1.stella, 11.4, 11.41)."""
    found = leaders_in(ctx.state, shot)
    if not found:
        return
    ctx.cite("6.1.stella", N_("{position}: the star threatens leaders."), position=shot.name)
    name = found[0].id
    if len(found) > 1:
        name = ctx.choose(
            "fire.leader",
            US,
            [unit_choice(u) for u in found],
            "11.41",
            N_("Which leader is hit?"),
        )
    hit_leader(ctx, name)


# 14.12 One position in the extended game


def fire_alone(ctx: Ctx[State], shot: Shot, card: Card) -> None:
    """One position fires by itself: others do not share its hits (14.11, 14.12)."""
    state = ctx.state
    spared = not is_extended(state)
    if is_idle(state, shot, card):
        ctx.cite("6.3#guarda", NOBODY, position=shot.name)
        return
    able = [
        (t.rank, state.units[t.unit])
        for t in shot.targets
        if t.disrupts or not (spared and state.units[t.unit].hit)
    ]
    with opened(
        ctx,
        shot,
        ("6.31#limite", "6.34#uno-per-fase", "14.2")
        if spared
        else ("6.31#limite", "14.11#doppio", "14.12"),
    ):
        by_unit = {t.unit: t for t in shot.targets}
        again = [t.unit for t in shot.targets if spared and state.units[t.unit].hit and t.loses]
        tell_spared(ctx, shot, card, again)
        tell_column(ctx, shot)
        chosen = pick_units(ctx, able, shot.limit, "6.31#ordine", shot.name, "6.31#parita")
        for name in chosen:
            target = by_unit[name]
            if spared and ctx.state.units[name].hit:
                target = msgspec.structs.replace(target, loses=False)
            if ctx.state.units[name].is_on_map:
                tell_border(ctx, shot, name)
                apply_hit(ctx, target, card)
        threaten(ctx, shot, len(chosen))


# 6.5 Artillery


def guns_of(state: State, sector: str, calibres: tuple[str, ...]) -> Iterator[Ruling]:
    """Each gun of the listed calibres that can fire in a sector (6.5.procedura, 6.52, 6.53)."""
    for german in state.germans.values():
        calibre = CALIBRES.get(german.kind, "")
        if calibre not in calibres or german.disrupted:
            continue
        if sector_of_position(german.hex) == sector:
            yield rule(
                ("6.5.procedura#conta", "6.52"),
                N_("gun of {position}, {calibre} mm"),
                position=name_of(german.hex),
                calibre=calibre,
            )
    for battery in BATTERIES:
        is_called = battery.sector == sector and battery.calibre in calibres
        if is_called and is_battery_active(state, battery):
            yield rule("6.5.procedura#conta", N_("battery {battery}"), battery=battery.id)


def is_battery_active(state: State, battery: Battery) -> bool:
    """Off-map guns fall silent when all observers are in US hands, and stay so (6.51, casa.51).

    A German unit, or communication, in one of them brings the guns back.
    """
    hexes = [h for n in battery.observers for h in POSITIONS[n].hexes if is_in_play(state, h)]
    if any(h in state.germans or h in state.linked for h in hexes):
        return True
    controlled = index(state).controlled
    return battery.id not in state.inactive and any(h not in controlled for h in hexes)


def turn_batteries(ctx: Ctx[State]) -> None:
    """Batteries are turned when the fire phase begins, with communication (6.51, 12.24)."""
    here = [b for b in BATTERIES if b.sector in SETUPS[ctx.state.scenario].sectors]
    found = tuple(b.id for b in here if not is_battery_active(ctx.state, b))
    if found != ctx.state.inactive:
        ref = "6.51#attiva" if len(found) < len(ctx.state.inactive) else "6.51#inattiva"
        turned = BatteriesTurned(n=len(found), batteries=found)
        if found:
            said = NP_(
                "One off-map battery is inactive: {batteries}.",
                "{n} off-map batteries are inactive: {batteries}.",
            )
            ctx.do(turned, (ref, "casa.51"), said, n=len(found), batteries=found)
        else:
            ctx.do(turned, (ref, "casa.51"), N_("All off-map batteries are active."))


def first_artillery(state: State) -> int:
    """The turn when artillery begins (6.5, 22.1)."""
    return ARTILLERY_TURN + 1 if state.has(BOMBARDMENT) else ARTILLERY_TURN


def artillery(ctx: Ctx[State], sector: str) -> None:
    """The artillery line of the card (6.1.artiglieria, 6.5, 6.5.procedura)."""
    card = CARDS[ctx.state.cards[f"fire {sector}"]]
    line = card.artillery
    first = first_artillery(ctx.state)
    if line is None:
        return
    if ctx.state.turn < first:
        ctx.cite(
            ("6.5", "22.1#dal-turno-5") if first > ARTILLERY_TURN else "6.5",
            N_("No artillery before turn {turn}."),
            turn=first,
        )
        return
    for battery in BATTERIES:
        if battery.sector == sector and not is_battery_active(ctx.state, battery):
            ctx.cite(
                ("6.51#inattiva", "casa.51"),
                N_("Battery {battery}: all observers are in US hands."),
                battery=battery.id,
            )
    guns = ctx.tally(N_("guns"))
    for gun in guns_of(ctx.state, sector, line.calibres):
        guns.add(1, gun)
    count = int(guns.total)
    ctx.cite(
        ("6.5.procedura#conta", "6.1.artiglieria", "6.52", "6.53", "casa.60"),
        N_("Artillery: {count} guns of {calibres} mm, {value} needed by {card}."),
        count=count,
        calibres=line.calibres,
        value=line.value,
        card=card.id,
    )
    if count < line.value:
        return
    ctx.do(
        Noted(key=f"artillery {sector}"),
        "6.5",
        N_("Artillery fires in the {sector} sector."),
        sector=sector,
    )
    refs = (
        "6.5.procedura#perde",
        "6.5.procedura#priorita",
        "6.5.procedura#niente",
        "6.5.procedura#parita",
    )
    shell(ctx, card.target, sector, (sector,), refs)


def shell(
    ctx: Ctx[State],
    symbol: str,
    sector: str,
    sectors: tuple[str, ...],
    refs: tuple[str, str, str, str],
) -> str:
    """A unit with the symbol loses a step, by priority; the sector hit (6.5.procedura).

    `refs` say that one loses a step, which one, that nobody does, and who comes first among equals.
    """
    losing, first, nobody, tie = refs
    state = ctx.state
    ranked: list[tuple[tuple[int, int, int], Unit]] = []
    again = []
    for unit in state.units.values():
        if unit.symbol != symbol:
            continue
        data = UNITS[unit.id]
        where: str
        if unit.at in BOXES:
            where, band = BOXES[unit.at].sector, 1 if data.is_infantry else 3
        elif BASE.get(unit.at) == "beach":
            where, band = SECTOR[unit.at], 4 if data.is_infantry else 2
        else:
            continue
        if where not in sectors:
            continue
        if unit.hit and not is_extended(state):
            again.append(unit.id)
            continue
        far = int(where != sector)
        ranked.append(((band, far, 0 if band == 1 else -unit.steps), unit))
    if again:
        said = N_("{hit}: no second step in this phase.")
        ctx.cite(("6.34#uno-per-fase", "casa.73"), said, hit=tuple(again))
    if not ranked:
        if not again:
            ctx.cite(
                nobody, N_("No unit with {symbol} on the beach or in the boxes."), symbol=symbol
            )
        return ""
    name = pick_units(ctx, ranked, 1, first, "artillery", tie)[0]
    at = state.units[name].at
    if lose_step(ctx, name, losing) and not is_extended(ctx.state):
        ctx.do(Hit(unit=name), ("6.34#uno-per-fase", "casa.73"))
    return BOXES[at].sector if at in BOXES else SECTOR[at]


# 6.4 Recovery


def recover(ctx: Ctx[State], sector: str) -> None:
    """Disrupted units of the card's colours recover after fire and artillery (6.4, casa.17)."""
    recovered = []
    for label in recovering(ctx.state, sector):
        if ctx.state.has(BOMBARDMENT) and ctx.state.turn == 4:
            ctx.cite(
                ("22.1#non-recuperano", "casa.38"),
                N_("{hex} does not recover on turn 4."),
                hex=label,
            )
        else:
            ctx.do(GermanRecovered(hex=label), ("6.4#riprende", "casa.17"))
            recovered.append(label)
    if recovered and clearing_limit(ctx.state):
        before = ctx.state.notes.get("recovered", "").split()
        ctx.do(
            Noted(key="recovered", value=" ".join((*before, *recovered))),
            ("10.1#com-era", "casa.82"),
            N_("{hexes} were disrupted: they do not hinder the engineers this turn."),
            hexes=tuple(recovered),
        )


def recovering(state: State, sector: str) -> list[str]:
    """The disrupted units of a sector whose colour is on its card (6.4)."""
    card = CARDS[state.cards[f"fire {sector}"]]
    found = []
    for label, german in state.germans.items():
        if not german.disrupted or sector_of_position(label) != sector:
            continue
        colour = german.data.colour if german.is_armor else POSITION_AT[label].colour
        if card.square(colour) is not None:
            found.append(label)
    return found


def draw_fire_card(ctx: Ctx[State], sector: str) -> Card:
    """The fire card of a sector (6.1, 6.1.lettera)."""
    card = draw_card(ctx, f"fire {sector}", ("6#pesca", "4.iii#pesca"))
    ctx.cite("6.1#simbolo", N_("Target symbol {symbol}"), symbol=card.target)
    for square in card.fire:
        is_single = square.squares == 1
        ctx.cite(
            "6.1.singolo" if is_single else "6.1.doppio#incognita",
            N_("{colour}, single square, {action}")
            if is_single
            else N_("{colour}, double square, {action}"),
            colour=square.colour,
            action=square.action,
        )
    return card


# What the cards still to come threaten


class Threat(msgspec.Struct, frozen=True):
    """The share of the cards left that could cost a unit a step or disrupt it."""

    loses: Fraction
    disrupts: Fraction


def does_fire(position: Position, card: Card) -> bool:
    """Whether a card's letter makes a position with US units before it fire (tab.azioni)."""
    square = card.square(position.colour)
    if square is None:
        return False
    row = ACTIONS[square.action]
    return (row.wn_us if position.is_wn else row.reinforcement_us) in ("fire", "resupply")


def forecast(state: State, sector: str) -> dict[str, Threat]:
    """For every unit, the chance that the next fire card of a sector may hit it (6.3, 6.31).

    Exact over the cards left; a tie that the player would break counts as a hit. From turn 17,
    or 12 with 14.2, it counts the letters that make a position fire (tab.azioni).
    """
    deck = state.deck.items or dict.fromkeys(state.discards, 1)
    total = sum(deck.values())
    loses: dict[str, int] = {}
    disrupts: dict[str, int] = {}
    for name in deck:
        card = CARDS[name]
        losing: dict[str, bool] = {}
        for shot in shots(state, sector, card):
            if do_letters_count(state) and not does_fire(POSITIONS[shot.name], card):
                continue
            ranks = sorted(t.rank for t in shot.targets)
            last = ranks[min(shot.limit, len(ranks)) - 1] if ranks else None
            for target in shot.targets:
                if last is not None and target.rank <= last:
                    losing[target.unit] = losing.get(target.unit, False) or target.loses
        for unit, is_loss in losing.items():
            counted = loses if is_loss else disrupts
            counted[unit] = counted.get(unit, 0) + 1
    return {
        unit: Threat(Fraction(loses.get(unit, 0), total), Fraction(disrupts.get(unit, 0), total))
        for unit in sorted({*loses, *disrupts})
    }
