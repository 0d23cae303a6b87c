"""German units and reinforcements (9): 9.2-9.24, 9.3-9.34, 9.4-9.42, 9.5, 11.31, 22.4."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TypeAlias

from engine.core.ctx import Ctx
from engine.core.pools import Pool
from engine.core.text import N_
from engine.ddob.rules.armor import armor_zone, enter_armor, why_no_armor
from engine.ddob.rules.choosing import folded, hex_choice
from engine.ddob.rules.communication import is_in_play, is_linked, link_ruling
from engine.ddob.rules.reveal import reveal_unit
from engine.ddob.rules.zones import (
    FAR,
    capture_general,
    nearest_us,
    why_not_reinforce,
    zone_choice,
)
from engine.ddob.state.book import REACTION, US, rule
from engine.ddob.state.events import DepthPlaced, GermanPlaced, MeyerFreed, MobileReturned, Ticketed
from engine.ddob.state.ground import COVER_AT, distance
from engine.ddob.state.state import UNSEEN, German, State, name_of
from engine.ddob.state.tables import POSITION_AT, POSITIONS, SETUPS

MEYER_UNITS, MEYER_DEPTH = 4, 2
RETURNING_MOBILE = 5
BANDS = {
    1: N_("Zone {zone}: {position}, next to US units."),
    2: N_("Zone {zone}: {position}, two hexes from US units."),
    3: N_("Zone {zone}: {position}, the lowest number."),
}
"""Why a position takes the reinforcement of its zone (9.3)."""


# 9.2 Depth markers


def depth_kind(state: State, label: str) -> str:
    """Which box a depth marker for this unit comes from, or none (9.21, 9.24)."""
    german = state.germans[label]
    if german.is_armor:
        return "armor depth" if state.boxes.get("armor depth") else ""
    if german.is_wn:
        return "wn depth" if state.boxes.get("wn depth") else ""
    if COVER_AT.get(label) == "buildings" and state.boxes.get("building"):
        return "building"
    return "mobile" if state.boxes.get("mobile") else ""


def give_depth(ctx: Ctx[State], label: str, ref: str | tuple[str, ...]) -> None:
    """A unit receives a face-down depth marker if its box has one (9.21, 9.22, 9.24)."""
    kind = depth_kind(ctx.state, label)
    if not kind:
        ref = "9.24#vuoto" if ctx.state.germans[label].is_wn else "9.24#mobile"
        ctx.cite(ref, N_("{position}: no depth marker is left."), position=name_of(label))
        return
    refs = (ref,) if isinstance(ref, str) else ref
    ctx.do(
        DepthPlaced(hex=label, kind=kind),
        (
            *refs,
            "9.21#riquadri/WN"
            if kind == "wn depth"
            else "9.21#riquadri/rinforzo in un esagono con edifici"
            if kind == "building"
            else "9.21#riquadri/rinforzo in ogni altro esagono",
        ),
    )
    return_mobile(ctx)


def return_mobile(ctx: Ctx[State]) -> None:
    """The first time mobile markers run out, five eliminated ones return (22.4)."""
    state = ctx.state
    if not state.has(REACTION) or state.boxes.get("mobile") or state.mobile_returned:
        return
    dead = sum(state.dead_mobile.values())
    if dead:
        ctx.do(MobileReturned(n=min(RETURNING_MOBILE, dead)), "22.4#tornano")


DepthRank: TypeAlias = tuple[int, int, int, str]
"""How near to US units, the kind of position, its number and its zone (9.2)."""


def rank_for_depth(state: State, german: German) -> DepthRank:
    """The order in which units receive a depth marker (9.2)."""
    position = POSITION_AT[german.hex]
    sort = (1 if len(position.hexes) == 1 else 2) if german.is_wn else 3
    return nearest_us(state, german.hex), sort, position.number, position.zone


def can_take_depth(state: State, german: German) -> bool:
    """Without a marker, in communication, and with something left to take (9.2, 9.24)."""
    if german.depth or german.is_armor or not depth_kind(state, german.hex):
        return False
    return is_linked(state, german.hex)


def add_depth(ctx: Ctx[State], sector: str, ref: str) -> None:
    """One depth marker, in a sector if one is given and possible (9.2, 9.23)."""
    state = ctx.state
    able = [g for g in state.germans.values() if can_take_depth(state, g)]
    here = [g for g in able if not sector or POSITION_AT[g.hex].sector == sector]
    if sector and not here and able:
        ctx.cite(
            "9.2#altro-settore", N_("Nobody in the {sector} sector: the other one."), sector=sector
        )
        here = able
    if not here:
        ctx.cite("9.2#riceve", N_("No German unit can take a depth marker."))
        return
    ranks = {g.hex: rank_for_depth(state, g) for g in here}
    best = min(ranks.values())
    first = [h for h, found in ranks.items() if found == best]
    chosen = first[0]
    if len(first) > 1:
        spots = [hex_choice(h) for h in first]
        chosen = ctx.choose(
            "reinforcements.depth",
            US,
            spots,
            "9.2#parita",
            N_("Which unit takes the depth marker?"),
        )
    tell_nearest(ctx, name_of(chosen), best, list(ranks.values()))
    give_depth(ctx, chosen, ref)


def tell_nearest(ctx: Ctx[State], position: str, best: DepthRank, ranks: list[DepthRank]) -> None:
    """Why this unit takes the depth marker before the others, of these ranks (9.2)."""
    far = best[0]
    near = [rank for rank in ranks if rank[0] == far]
    same = [rank for rank in near if rank[1] == best[1]]
    by_kind, by_number = len(same) < len(near), any(rank != best for rank in same)
    if far == FAR:
        said = N_("{position}: no US unit is on the map, its kind and its number decide.")
        ctx.cite("9.2#parita", said, position=position)
        return
    ctx.cite(
        ("9.2#vicina", "9.2#specie" if by_kind else "", "9.2#parita" if by_number else ""),
        N_("{position}: nearest to US units, {n} hexes; your choice among equals.")
        if near.count(best) > 1
        else N_("{position}: nearest to US units, {n} hexes; others as near come after it.")
        if by_kind or by_number
        else N_("{position}: nearest to US units, {n} hexes."),
        position=position,
        n=far,
    )


def add_depth_each(ctx: Ctx[State], ref: str) -> None:
    """One depth marker in each sector; a single one left goes by the whole map (9.24)."""
    sectors = SETUPS[ctx.state.scenario].sectors
    if len(sectors) == 1:
        ctx.cite("ef.eventi-modificati#una-sola", N_("Easy Fox: one marker only."))
        add_depth(ctx, "", ref)
        return
    if markers_left(ctx.state) == 1:
        ctx.cite("9.24#una-sola", N_("One marker is left for both sectors."))
        add_depth(ctx, "", ref)
        return
    for sector in sectors:
        add_depth(ctx, sector, ref)


def markers_left(state: State) -> int:
    """Depth markers that a unit on the map could take (9.21, 9.24)."""
    kinds = {depth_kind(state, g.hex) for g in state.germans.values() if can_take_depth(state, g)}
    if "building" in kinds:
        kinds.add("mobile")
    return sum(state.boxes.get(kind, 0) for kind in sorted(kinds))


# 9.3 Reinforcements called by events


def reinforce_zones(ctx: Ctx[State], zones: Iterable[str], second: bool) -> None:
    """One reinforcement in every zone called (9.3, 9.34)."""
    called = []
    for zone in zones:
        if len(SETUPS[ctx.state.scenario].sectors) == 1 and zone in "EFG":
            ctx.cite("ef.eventi-modificati#zone", N_("Zone {zone} is not in play."), zone=zone)
        else:
            called.append(zone)
    tanks = armor_zone(ctx.state, called) if second else ""
    against = why_no_armor(ctx.state, second)
    if not tanks and against is not None:
        ctx.cite(against)
    left = ctx.state.boxes.get("T", 0) + ctx.state.boxes.get("D", 0)
    others = [zone for zone in called if zone != tanks]
    if left < len(others):
        others = most_urgent(ctx, others, left)
    for zone in (z for z in called if z == tanks or z in others):
        choice = zone_choice(ctx.state, zone)
        if choice is None:
            tell_closed(ctx, zone)
            continue
        band, _number, position = choice
        ctx.cite(
            "9.3#adiacente" if band == 1 else "9.3#entro-2" if band == 2 else "9.3#qualsiasi",
            BANDS[band],
            zone=zone,
            position=position.id,
        )
        if zone == tanks:
            enter_armor(ctx, position)
        else:
            arrive(ctx, position.hexes[0])


def tell_closed(ctx: Ctx[State], zone: str) -> None:
    """Why no position of a zone takes its reinforcement, one line for each reason (9.32, 9.33)."""
    against = [
        ruling
        for position in POSITIONS.values()
        if position.zone == zone
        for ruling in islice(why_not_reinforce(ctx.state, position), 1)
    ]
    for ruling in folded(against):
        ctx.cite(ruling)


def most_urgent(ctx: Ctx[State], zones: list[str], left: int) -> list[str]:
    """Too few units: the zones nearest to US units come first (9.34)."""
    ranked = []
    for zone in zones:
        choice = zone_choice(ctx.state, zone)
        if choice is not None:
            ranked.append((choice[:2], zone))
    taken = [zone for _rank, zone in sorted(ranked)[:left]]
    passed = tuple(zone for zone in zones if zone not in taken)
    ctx.cite(
        ("9.34", "9.3#scegli"),
        N_("Units left: {n}, for zones {zones}. None for {passed}."),
        n=left,
        zones=tuple(zones),
        passed=passed,
    )
    return taken


def arrive(ctx: Ctx[State], label: str, always_depth: bool = False) -> bool:
    """A unit of the Tactical box, or of the Divisional one with a marker (9.3, 9.31)."""
    if ctx.state.boxes.get("T", 0):
        capture_general(ctx, label)
        ctx.do(GermanPlaced(hex=label, kind="T", box="T"), "9.3#pesca")
        if ctx.state.has(REACTION):
            give_depth(ctx, label, "22.4#rinforzi")
        elif always_depth:
            give_depth(ctx, label, "16.4#incognita")
        return True
    if not ctx.state.boxes.get("D", 0):
        ctx.cite("9.34", N_("No reinforcement is left."))
        return False
    capture_general(ctx, label)
    draw_divisional(ctx, label)
    give_depth(ctx, label, "9.31")
    return True


def draw_divisional(ctx: Ctx[State], label: str) -> None:
    """A face-down unit of the Divisional box; which one stays hidden (9.31)."""
    ctx.do(GermanPlaced(hex=label, kind="D", box="D"), "9.31")
    state = ctx.state
    if state.believed:
        ctx.do(Ticketed(hex=label, ticket=UNSEEN, hidden_from=(US,)), "9.31")
        return
    pool = Pool("divisional", {t: n for t, n in state.tickets.items() if n})
    ticket = ctx.draw(pool, "9.31", N_("A divisional unit is drawn."), hidden_from=(US,))
    ctx.do(Ticketed(hex=label, ticket=ticket, hidden_from=(US,)), "9.31")


# 9.4 A tactical reinforcement called by a WN depth marker


def tactical_from_wn(ctx: Ctx[State], label: str, face_up: bool = False) -> None:
    """The nearest empty reinforcement position receives a tactical unit (9.4, 9.41, 9.42)."""
    state = ctx.state
    if not state.boxes.get("T", 0):
        ctx.cite("9.42", N_("The Tactical box is empty: nothing enters."))
        return
    ranked = []
    for position in POSITIONS.values():
        spot = position.hexes[0]
        if position.is_wn or spot in state.germans or spot in state.garrisons:
            continue
        if not is_in_play(state, spot) or not is_linked(state, spot):
            continue
        key = (distance(label, spot), nearest_us(state, spot), position.number, position.zone)
        ranked.append((key, spot))
    if not ranked:
        ctx.cite("9.41", N_("No empty position is in communication."))
        return
    key, spot = min(ranked)
    ctx.cite(
        "9.4#vicina",
        N_("{position}: nearest to {wn}, {n} hexes."),
        position=name_of(spot),
        wn=name_of(label),
        n=key[0],
    )
    ctx.cite(rule.also(link_ruling(state, spot), "9.41"))
    capture_general(ctx, spot)
    ctx.do(GermanPlaced(hex=spot, kind="T", box="T"), ("9.4#vicina", "casa.25"))
    if face_up:
        reveal_unit(ctx, spot, "9.4#scoperto")


# 9.5 Kampfgruppe Meyer


def free_meyer(ctx: Ctx[State]) -> None:
    """Four units go to the Divisional box and two markers to the mobile one (9.5)."""
    left = ctx.state.boxes.get("M", 0)
    if not left:
        ctx.cite("9.5#ignora", N_("Kampfgruppe Meyer is in play already."))
        return
    first = "M1" not in ctx.state.since
    depth = min(MEYER_DEPTH, ctx.state.boxes.get("meyer", 0))
    units = min(MEYER_UNITS, left)
    event = MeyerFreed(units=units, depth=depth, ticket="M1" if first else "M2")
    ctx.do(event, ("9.5#sposta", "ev.kgm#sposta", "casa.26"))
