"""German tanks (23), an option of the extended game: 23.2-23.7."""

from __future__ import annotations

from functools import cache

from engine.core.ctx import Ctx
from engine.core.rules import Ruling
from engine.core.text import N_
from engine.ddob.rules.german_fire import Shot, fire_alone, hit_limit, targets
from engine.ddob.rules.losses import disrupt
from engine.ddob.rules.zones import capture_general, zone_choice
from engine.ddob.state.book import TANKS, rule
from engine.ddob.state.events import (
    DepthPlaced,
    GermanMoved,
    GermanPlaced,
    Noted,
    RoadEnd,
    UnitShown,
)
from engine.ddob.state.fields import field_of
from engine.ddob.state.ground import EXIT_AT, NEIGHBOURS, ON_ROAD, roads
from engine.ddob.state.ground import PAVED as PAVED_ROADS
from engine.ddob.state.state import German, State, fighters_at, index, units_at
from engine.ddob.state.tables import CHARTS, UNITS, Card, Position, Square

LONG_MOVE, SHORT_MOVE = 4, 3
LOOK = 3
TANK_ROADS = (*PAVED_ROADS, "mined road")
LABELS = {"tank": "carri", "star": "stella"}
"""How the texts call the symbols of a card that are no letters."""
ENTRY_EXITS = ("B", "C", "D", "E")


# 23.3 Field of fire


def us_in_field(state: State, label: str) -> bool:
    """Whether a US unit stands in the tanks' field of fire."""
    occupied = index(state).occupied
    return any(h in occupied for h in field_of(label))


# 23.2 Entry


def is_road_to_exit(state: State, label: str) -> bool:
    """A paved road from the position to exit B, C, D or E, free of the US (23.2)."""
    if not any(kind in PAVED_ROADS for kind in ON_ROAD.get(label, ())):
        return False
    us = index(state)
    waiting, seen = [label], [label]
    for here in waiting:
        if EXIT_AT.get(here) in ENTRY_EXITS:
            return True
        for there in NEIGHBOURS[here]:
            if there in seen or not any(k in PAVED_ROADS for k in roads(here, there)):
                continue
            if there in us.occupied or (there in us.controlled and there not in state.germans):
                continue
            seen.append(there)
            waiting.append(there)
    return False


def armor_zone(state: State, zones: list[str]) -> str:
    """The zone where tanks enter instead of a divisional unit, or none (23.2, 23.21)."""
    if not state.has(TANKS) or state.turn < 17 or not state.boxes.get("armor"):
        return ""
    if state.boxes.get("T") or "armor" in state.notes:
        return ""
    able = []
    for zone in zones:
        choice = zone_choice(state, zone)
        if choice is not None and is_road_to_exit(state, choice[2].hexes[0]):
            able.append((choice[1], zone))
    return min(able)[1] if able else ""


def why_no_armor(state: State, second: bool) -> Ruling | None:
    """Why tanks that wait do not enter with these reinforcements (23.2, 23.21)."""
    if not state.has(TANKS) or state.turn < 17 or not state.boxes.get("armor"):
        return None
    if not second:
        return rule("23.2#secondo-evento", N_("No tanks: they enter with the second event only."))
    if state.boxes.get("T"):
        return rule("23.2#riquadro-vuoto", N_("No tanks: the Tactical box is not empty."))
    if "armor" in state.notes:
        return rule("23.21", N_("No tanks: some have entered this turn."))
    return rule("23.2#strada", N_("No tanks: no road free of US units leads to a called position."))


def enter_armor(ctx: Ctx[State], position: Position) -> None:
    """Tanks enter face up with one of their markers (23.2, 23.21, casa.39)."""
    label = position.hexes[0]
    capture_general(ctx, label)
    ctx.do(GermanPlaced(hex=label, kind="armor", box="armor"), ("23.2#al-posto", "casa.39"))
    name = ctx.draw(ctx.state.unseen["armor"], "23.2#al-posto", N_("Which tanks enter?"))
    ctx.do(UnitShown(hex=label, unit=name, pool="armor"), ("23.2#al-posto", "23.41"))
    if ctx.state.boxes.get("armor depth"):
        ctx.do(DepthPlaced(hex=label, kind="armor depth"), "23.2#al-posto")
    ctx.do(Noted(key="armor"), "23.21", N_("No other tanks enter this turn."))


# 23.4 Actions


def act_armor(ctx: Ctx[State], german: German, card: Card, square: Square) -> None:
    """The letter of their own colour moves the tanks or lets them fire (23.4)."""
    label = german.hex
    has_us = us_in_field(ctx.state, label)
    action = square.action
    said = f"23.4#azioni-carri/{LABELS.get(action, action)}"
    ctx.cite((said, "23.43"), N_("Tanks in {hex} act: {action}"), hex=label, action=action)
    if action in ("F", "tank", "star"):
        if has_us:
            ctx.cite("23.4.f", N_("US units in the field of fire: the tanks fire."))
            fire(ctx, label, card, square)
        else:
            ctx.cite("23.4.f", N_("Nobody in the field of fire: the tanks move."))
            drive(ctx, label, LONG_MOVE, card)
    elif action == "M":
        ctx.cite("23.4.m", N_("The tanks move, or fire if they cannot."))
        if drive(ctx, label, LONG_MOVE, card) == label and has_us:
            fire(ctx, label, card, square)
    elif action == "R":
        ctx.cite("23.4.r#attraversa", N_("Overrun: the tanks may cross one hex of US units."))
        if drive(ctx, label, LONG_MOVE, card, overrun=True) == label and has_us:
            fire(ctx, label, card, square)
    elif action == "A":
        if is_next_to_us(ctx.state, label):
            ctx.cite("23.4.a", N_("US units are adjacent: aimed fire."))
            fire(ctx, label, card, square)
        else:
            ctx.cite("23.4.a", N_("No US unit is adjacent: the tanks move."))
            drive(ctx, label, LONG_MOVE, card)
    else:
        ctx.cite("23.4.p", N_("The tanks take position and fire."))
        end = drive(ctx, label, SHORT_MOVE, card)
        if is_next_to_us(ctx.state, end) if end != label else has_us:
            fire(ctx, end, card, square)


def is_next_to_us(state: State, label: str) -> bool:
    """Whether a US unit is adjacent."""
    return any(n in index(state).occupied for n in NEIGHBOURS[label])


def fire(ctx: Ctx[State], label: str, card: Card, square: Square) -> None:
    """Tanks fire as a revealed position, at armor too (23.41, 23.42)."""
    german = ctx.state.germans[label]
    ctx.cite(
        ("23.3#vale-come", "23.41", "23.42", "casa.42"),
        N_("Tanks fire as a revealed unit, and hit armor."),
    )
    found = targets(ctx.state, [german], field_of(label), card, True)
    limit = hit_limit(ctx.state, [german])
    is_star = square.action == "star"
    shot = Shot(label, (label,), limit, tuple(found), is_star, field_of(label), bonus=True)
    fire_alone(ctx, shot, card)


# 23.5 Movement


@cache
def orders() -> dict[str, dict[str, str]]:
    """Hex -> target symbol -> next hex of the road (23.5.ordini)."""
    found: dict[str, dict[str, str]] = {}
    for row in CHARTS.orders:
        for here, there in zip(row.path, row.path[1:], strict=False):
            is_first = here == row.path[0]
            for symbol in row.symbols if is_first else ("◆", "▲", "●"):
                found.setdefault(here, {}).setdefault(symbol, there)
    return found


@cache
def tank_roads(label: str) -> tuple[str, ...]:
    """The hexes that a tank road joins to a hex (23.52, casa.40)."""
    return tuple(n for n in NEIGHBOURS[label] if any(k in TANK_ROADS for k in roads(label, n)))


def enemy_ways(state: State, label: str) -> dict[str, tuple[str, ...]]:
    """First step -> road to the nearest US unit within three road hexes (23.5)."""
    occupied = index(state).occupied
    found: dict[str, tuple[str, ...]] = {}
    for first in tank_roads(label):
        paths: list[tuple[str, ...]] = [(first,)]
        for path in paths:
            if path[-1] in occupied:
                found[first] = path
                break
            if len(path) < LOOK:
                paths += [(*path, n) for n in tank_roads(path[-1]) if n not in path and n != label]
    return found


def next_hex(label: str, card: Card, way: tuple[str, ...], driven: int) -> str:
    """Where the tanks go from a hex: along the way to the enemy, then by their orders (23.5)."""
    if driven < len(way):
        return way[driven]
    known = orders().get(label)
    if known is not None:
        return known[card.target]
    on_orders = [n for n in tank_roads(label) if n in orders()]
    return on_orders[0] if on_orders else ""


def drive(ctx: Ctx[State], label: str, hexes: int, card: Card, overrun: bool = False) -> str:
    """Move along the road; the hex where the tanks end (23.5, 23.51-23.53)."""
    state = ctx.state
    if state.germans[label].end:
        ctx.cite("23.5.fine#non-si-muove", N_("The tanks are at the end of their road."))
        return label
    ways = enemy_ways(state, label)
    way = next(iter(ways.values())) if len(ways) == 1 else ()
    if way:
        ctx.cite("23.5#una-direzione", N_("Toward the US unit in {hex}."), hex=way[-1])
    else:
        ctx.cite(
            ("23.5#ordini", "23.5.ordini#mappa", "casa.45", "casa.66"),
            N_("By the movement orders, {symbol}."),
            symbol=card.target,
        )
    path = trace(state, label, hexes, card, way, overrun)
    last = path[-1] if path else label
    ahead = next_hex(last, card, way, len(path)) if len(path) < hexes else ""
    by_leader = ("casa.80",) if has_leaders_only(state, ahead) else ()
    if not path:
        ctx.cite(
            ("23.51", "23.5.ordini#mappa")
            if not units_at(state, ahead)
            else ("23.4.r#si-ferma", *by_leader)
            if overrun
            else ("23.53#si-fermano", "casa.41", *by_leader),
            N_("The tanks in {hex} cannot move."),
            hex=label,
        )
        return label
    for step in path:
        if overrun:
            for unit in fighters_at(state, step):
                disrupt(ctx, unit.id, "23.4.r#attraversa")
    ctx.do(
        GermanMoved(hex=label, to=path[-1]),
        ("23.5#muovono", "23.51", "23.52#strada", "casa.40", *by_leader),
    )
    if path[-1] in CHARTS.road_ends.hexes:
        ctx.do(RoadEnd(hex=path[-1]), "23.5.fine#non-si-muove")
    elif ahead and units_at(state, ahead):
        ctx.cite(
            ("23.4.r#si-ferma", *by_leader)
            if overrun
            else ("23.53#si-fermano", "casa.41", *by_leader),
            N_("US units in {hex} stop the tanks."),
            hex=ahead,
        )
    return path[-1]


def trace(
    state: State, label: str, hexes: int, card: Card, way: tuple[str, ...], overrun: bool
) -> list[str]:
    """The road hexes entered, shortened so that the tanks end alone (23.51, 23.53)."""
    path: list[str] = []
    here = label
    crossed = False
    while len(path) < hexes + 1:
        there = next_hex(here, card, way, len(path))
        if not there or there in path or there == label:
            break
        if units_at(state, there):
            if not overrun or crossed or len(path) >= LOOK or has_armor(state, there):
                break
            crossed = True
        path.append(there)
        here = there
        if there in CHARTS.road_ends.hexes:
            break
    longer = path[: hexes + 1]
    path = path[:hexes]
    if len(longer) > hexes and path and path[-1] in state.germans and free(state, longer[-1]):
        return longer
    while path and not free(state, path[-1]):
        path.pop()
    return path


def free(state: State, label: str) -> bool:
    """Whether tanks may end their move in a hex."""
    return label not in state.germans and not units_at(state, label)


def has_leaders_only(state: State, label: str) -> bool:
    """Whether nobody but HQs and generals stands in a hex: they stop tanks too (casa.80)."""
    return bool(units_at(state, label)) and not fighters_at(state, label)


def has_armor(state: State, label: str) -> bool:
    """Whether US armor stands in a hex (23.4.r)."""
    return any(UNITS[u.id].is_armored for u in units_at(state, label))


def lost_to_armor(state: State) -> str:
    """A road end held by undisrupted tanks, if any (23.5.fine, casa.67)."""
    for label in CHARTS.road_ends.hexes:
        german = state.germans.get(label)
        if german is not None and german.is_armor and not german.disrupted:
            return label
    return ""
