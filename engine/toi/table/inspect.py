"""What a screen tints on the map, lays over it and tells of a hex or a line of sight.

No rules of their own: overlays use the predicates of the procedures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.core import paths
from engine.core.decisions import Decision
from engine.core.hexes import Hex
from engine.core.rules import Ruling, Side
from engine.core.text import N_, msg
from engine.core.title import Layer, Overlay, Sight
from engine.toi.rules import sight as lines
from engine.toi.rules.cover import hex_cover
from engine.toi.rules.ground import Ground, fog, ground, sees
from engine.toi.rules.movement import can_stay, points, step_cost
from engine.toi.rules.targets import BAND, band_of, groups, range_of
from engine.toi.rules.terrain import COST
from engine.toi.state import tables
from engine.toi.state.book import rule
from engine.toi.state.state import (
    ADVANCE,
    BUNKER,
    ENGINEER,
    HEAVY,
    INTACT,
    MINES,
    NEUTRAL,
    NORMAL,
    POINT,
    TRAP,
    WIRE,
    State,
    Unit,
)
from engine.toi.state.units import by_hex, has_trait, obstacles_at, place_of, shown_enemies_at

# --- overlays ---------------------------------------------------------------------------------


def overlays(state: State, decision: Decision) -> tuple[Overlay, ...]:
    """What to tint on the map at a decision."""
    name = str(decision.ruling.msg.facts.get("unit", ""))
    unit = state.units.get(name)
    if unit is None or not place_of(state, unit):
        return ()
    if decision.id == "move.next":
        left = state.active.mp if state.active is not None else 0
        return (reachable(state, unit, left),)
    if decision.id == "action.verb":
        return (*_march(state, unit), in_range(state, unit))
    return (in_range(state, unit),) if decision.id == "fire.target" else ()


def _march(state: State, unit: Unit) -> Iterator[Overlay]:
    if unit.condition == NORMAL and unit.damage != HEAVY and not unit.aboard:
        total = sum(modifier.value for modifier in points(state, unit, ADVANCE))
        yield reachable(state, unit, total * POINT)


def reachable(state: State, unit: Unit, mp: int) -> Overlay:
    """The hexes that a unit can reach, with their cost in points."""
    field = ground(state)
    start = place_of(state, unit)
    overruns = has_trait(unit, "overrun")

    def price(a: str, b: str, spent: paths.Cost) -> int | None:
        if shown_enemies_at(state, b, unit.side) and not overruns:
            return None
        return step_cost(state, unit, a, b)

    def halts(label: str) -> bool:
        kinds = obstacles_at(state, label)
        stopped = WIRE in kinds and not overruns and unit.token != ENGINEER
        return MINES in kinds or (TRAP in kinds and not unit.is_squad) or stopped

    found = paths.reach(
        field.hex[start],
        lambda a, b, spent: price(field.name[a], field.name[b], spent),
        mp,
        neighbours=lambda h: [field.hex[label] for label in field.near[field.name[h]]],
        must_stop=lambda h: halts(field.name[h]),
    )
    costs = {
        h: str(-(-int(cost) // POINT)) if int(cost) % POINT == 0 else f"{int(cost)}/3"
        for h, cost in found.costs.items()
        if h != field.hex[start] and can_stay(state, unit, field.name[h])
    }
    return Overlay("reach", msg(N_("Movement points of {unit}"), unit=unit.id), costs)


def in_range(state: State, unit: Unit) -> Overlay:
    """The hexes that a unit sees within its range against squads, with the band."""
    hexes = {}
    field = ground(state)
    if unit.hex and groups(unit):
        for label, h in field.hex.items():
            target = Unit("", "", 1, "squad", hex=label)
            reach = range_of(state, unit, groups(unit)[0], target)
            band = band_of(field.distance(unit.hex, label), reach)
            if band and label != unit.hex and sees(state, unit.hex, label):
                hexes[h] = BAND[band].msg.id
    return Overlay("range", msg(N_("Range of {unit} against squads"), unit=unit.id), hexes)


def sight(state: State, a: Hex, b: Hex) -> Sight | None:
    """The line of sight between two hexes explained."""
    smoke = tuple(sorted(state.smoke))
    return lines.explain(ground(state).board, a, b, smoke, fog(state), by_hex(state.units))


def layers(state: State, side: Side) -> tuple[Layer, ...]:
    """What can be laid over the map: where the enemy can fire, who controls what."""
    return (
        Layer("threats", msg(N_("how many enemy units can fire there")),
              lambda: threats(state, side)),
        Layer("control", msg(N_("who controls the objectives")), lambda: control(state)),
    )  # fmt: skip


def threats(state: State, side: Side) -> dict[Hex, str]:
    """How many enemy units see each hex within their range."""
    found: Counter[Hex] = Counter()
    for unit in state.units.values():
        if unit.side != side and not unit.concealed:
            found.update(in_range(state, unit).hexes.keys())
    return {h: str(n) for h, n in found.items()}


def control(state: State) -> dict[Hex, str]:
    """The side that controls each objective."""
    return {ground(state).hex[label]: holder for label, holder in state.control.items() if holder}


# --- one hex ----------------------------------------------------------------------------------


def inspect(state: State, hex: Hex) -> tuple[Ruling, ...]:
    """What the rules say of a hex: terrain, level, cover, works, objective, damage."""
    label = ground(state).name.get(hex)
    if label is None:
        return ()
    return (
        *_terrain(ground(state), label),
        *_cover(state, label),
        *_works(state, label),
        *_objective(state, label),
        *_damage(state, label),
    )


def _terrain(field: Ground, label: str) -> Iterator[Ruling]:
    terrain = field.terrain[label]
    own = COST[terrain.id]
    yield rule(
        (own, "terreno.lettura#terreni"), N_("{hex}: {terrain}"), hex=label, terrain=terrain.id
    )
    for who, cost in ((N_("squads"), terrain.squads), (N_("vehicles"), terrain.vehicles)):
        if cost is None:
            yield rule((own, "movimento.costo#movimento-costo"), N_("{who}: no entry"), who=who)
        else:
            yield rule(
                (own, "movimento.costo#movimento-costo"),
                N_("{who}: {n} movement points"),
                who=who,
                n=cost,
            )
    if field.level[label]:
        yield rule(
            ("raggio.livelli", "terreno.montagna#livelli"), N_("level {n}"), n=field.level[label]
        )
    if any(field.has_road(label, near) for near in field.near[label]):
        yield rule(
            ("terreno.strada#stessa-strada", "miniature.camion.strada#un-terzo"),
            N_("a road passes here"),
        )


def _cover(state: State, label: str) -> Iterator[Ruling]:
    for modifier in hex_cover(state, label):
        found = modifier.ruling
        yield Ruling(found.refs, msg(N_("cover {n}"), n=modifier.value), found.anchors)
    if ground(state).terrain[label].blocks or label in state.smoke:
        yield rule("visuale.bloccanti#bloccano", N_("blocks the line of sight"))


def _works(state: State, label: str) -> Iterator[Ruling]:
    for fort in state.forts.values():
        if fort.hex == label:
            yield rule(
                "fortificazioni.bunker#copertura"
                if fort.kind == BUNKER
                else "fortificazioni.trincea#copertura",
                N_("{fort}: {kind}, cover {n}"),
                fort=fort.id,
                kind=fort.kind,
                n=tables.MARKERS[fort.kind].cover,
            )
    for kind in obstacles_at(state, label):
        yield rule(
            {
                WIRE: "ostacoli.filo-arresto#ferma",
                TRAP: "ostacoli.frisia#respingono",
                MINES: "ostacoli.mine#ferma",
            }[kind],
            N_("{obstacle}"),
            obstacle=kind,
        )


def _objective(state: State, label: str) -> Iterator[Ruling]:
    objective = state.objectives.get(label)
    if objective is None:
        return
    if objective.command:
        yield rule(
            ("comando.entrate", "comando.tipi-obiettivo#rendita"),
            N_("command objective of {side}: {n}"),
            side=objective.owner or NEUTRAL,
            n=objective.command,
        )
    if objective.victory:
        yield rule("vittoria.condizioni#punti", N_("victory objective"))
    if label in state.control:
        holder = state.control[label]
        yield rule("comando.controllo-permane", N_("controlled by {side}"), side=holder)


def _damage(state: State, label: str) -> Iterator[Ruling]:
    for unit in by_hex(state.units).get(label, ()):
        if unit.damage != INTACT:
            words = N_("{unit}: {damage} damage")
            yield rule("danni.permane#permane", words, unit=unit.id, damage=unit.damage)
