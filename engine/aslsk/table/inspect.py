"""What rules say of a hex, a LOS, and where one could go (1.1.1, 3.2.1, 3.3.1).

Refs: 1.1.1, 2.0.center_dot, 2.0.cot, 2.0.los, 3.2.1, 3.2.1.declare, 3.3.1.mf_table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.aslsk.rules.elements import elements, find, normal_range, reach
from engine.aslsk.rules.movement import entry_cost, left_mf
from engine.aslsk.rules.sight import is_los_free, los
from engine.aslsk.rules.terrain import LOCATOR, MF, TEM, is_shelter
from engine.aslsk.state.book import halved, rule
from engine.aslsk.state.ground import BRUSH, BUILDINGS, GRAIN, ORCHARD, WOODS, Ground
from engine.aslsk.state.state import State, units_at, vehicles_at
from engine.aslsk.state.units import friends_at, half_squads
from engine.core.decisions import Decision
from engine.core.hexes import Hex, line
from engine.core.paths import reach as walk
from engine.core.rules import Ruling, Side
from engine.core.text import N_, msg
from engine.core.title import Layer, Overlay, Sight


def inspect(state: State, hex: Hex) -> tuple[Ruling, ...]:
    """Terrain, cost, cover, LOS, stacking and markers of a hex."""
    field = state.ground
    label = field.at.get(hex, "")
    if label not in field.terrain or label in field.is_off:
        return ()
    return (*_ground(field, label), *_markers(state, label), *_stacks(state, label))


def _ground(field: Ground, label: str) -> Iterator[Ruling]:
    """What is printed on the map (1.1.1)."""
    kind = field.kind(label)
    yield rule((LOCATOR[kind], "1.1.1#dominante"), N_("{hex}: {terrain}"), hex=label, terrain=kind)
    cost = halved(MF[kind])
    yield rule(("3.3.1.mf_table#costi", "2.0.cot#costo"), N_("infantry pays {cost} MF"), cost=cost)
    if TEM.get(kind):
        yield rule("2.0.tem#valori", N_("TEM +{value}"), value=TEM[kind])
    if kind == WOODS or kind in BUILDINGS:
        yield rule("3.2.1#libera", N_("it stops the LOS along its drawing"))
    if kind in (ORCHARD, GRAIN, BRUSH):
        yield rule("2.0.hindrance#disturba", N_("it hinders the LOS: +1"))
    if field.terrain[label] == GRAIN and kind != GRAIN:
        yield rule("1.1.1.grain#fuori-stagione", N_("grain out of season is Open Ground"))
    if field.level[label]:
        yield rule("1.1.1.hills#livello", N_("level {n}"), n=field.level[label])
    if label in field.road_hexes:
        yield rule("1.1.1.roads#striscia", N_("{road}"), road=field.road_hexes[label])
    for other in field.near[label]:
        if (label, other) in field.hedges:
            yield rule("1.1.1.hedges#lato", N_("hedge toward {hex}"), hex=other)
    if is_shelter(field, label):
        yield rule("3.1.f#riparo", N_("rally DRM -1"))


def _markers(state: State, label: str) -> Iterator[Ruling]:
    """Smoke, Residual FP and control."""
    if label in state.smoke:
        yield rule("1.2.5#drm", N_("smoke +{value}"), value=state.smoke[label].value)
    if label in state.residual:
        yield rule(
            "3.3.5#lascia", N_("Residual FP {fp} in {hex}"), fp=state.residual[label], hex=label
        )
    if label in state.control:
        text = N_("{side} controls {hex}")
        yield rule("2.0.control#mmc", text, side=state.control[label], hex=label)


def _stacks(state: State, label: str) -> Iterator[Ruling]:
    """Who stands there."""
    for side in state.sides:
        group = friends_at(state, label, side)
        if group:
            used = sum(half_squads(state, u) for u in group)
            yield rule(
                "2.0.stacking#squadre", N_("{side}: {n} half squads of 6"), side=side, n=used
            )
    if any(v.wreck for v in vehicles_at(state, label)):
        yield rule("7.4#tem", N_("a wreck gives TEM +1"))
    if len({u.side for u in units_at(state, label)}) == 2:
        yield rule("3.8#stesso-esagono", N_("{hex}: CC"), hex=label)


def sight(state: State, a: Hex, b: Hex) -> Sight | None:
    """The thread between two hexes; its result only if it may be checked freely (3.2.1.declare)."""
    field = state.ground
    one, two = field.at.get(a, ""), field.at.get(b, "")
    if one not in field.terrain or two not in field.terrain:
        return None
    met = line(a, b)
    hexes = tuple(h for group in met.stretches for h in group)
    if not is_los_free(state):
        ruling = rule("3.2.1.declare#prima", N_("LOS is checked only after declaring"))
        return Sight(a, b, hexes, None, (ruling,))
    found = los(state, one, two)
    if found.blocked is not None:
        at = str(found.blocked.msg.facts.get("hex", ""))
        return Sight(a, b, hexes, False, (found.blocked,), field.hex.get(at))
    rulings = tuple(m.ruling for m in found.hindrance)
    return Sight(a, b, hexes, True, rulings or (rule("3.2.1#libera", N_("nothing is in the way")),))


def overlays(state: State, decision: Decision) -> tuple[Overlay, ...]:
    """Hexes that can be reached, hexes within range, and the options of the decision."""
    found = []
    options = {o.hex: "" for o in decision.options if o.hex is not None}
    if options:
        found.append(Overlay("options", msg(N_("where")), options))
    mover = state.mover
    lead = state.units.get(mover.units[0]) if mover is not None else None
    if mover is not None and lead is not None and lead.hex:  # it may have gone from the table
        one = lead
        field = state.ground

        def cost(a: Hex, b: Hex, spent: object) -> int | None:
            if b not in field.at or field.at[b] in field.is_off:
                return None
            if any(u.side != one.side and not u.hidden for u in units_at(state, field.at[b])):
                return None
            return entry_cost(state, field.at[a], field.at[b], True)

        budget = min(left_mf(state, mover, n, False) for n in mover.units)
        where = walk(field.hex[one.hex], cost, budget)
        hexes = {
            h: _halves(int(c)) for h, c in where.costs.items() if c and field.at[h] in field.terrain
        }
        found.append(Overlay("reach", msg(N_("MF to get there")), hexes))
    unit = decision.ruling.msg.facts.get("unit")
    if decision.id == "fire.target" and isinstance(unit, str):
        e = find(state, decision.side, unit)
        field = state.ground
        near, far = normal_range(state, e), reach(state, e)
        tint = {
            field.hex[h]: str(field.range(e.hex, h))
            for h in field.labels
            if 0 < field.range(e.hex, h) <= min(far, 2 * near)
        }
        found.append(Overlay("range", msg(N_("range")), tint))
    return tuple(found)


def layers(state: State, side: Side) -> tuple[Layer, ...]:
    """What can be laid over the map: where the enemy could fire, who controls what."""
    text = N_("how many enemies have it in range; LOS is not checked (3.2.1)")
    if is_los_free(state):
        text = N_("how many enemies have it in range and in LOS")
    field = state.ground
    held = {field.hex[label]: owner for label, owner in state.control.items()}
    return (
        Layer("threats", msg(text), lambda: threats(state, side)),
        Layer("control", msg(N_("who controls what")), lambda: held),
    )


def threats(state: State, side: Side) -> dict[Hex, str]:
    """How many enemy stacks have each hex within their normal range (3.2.1: without LOS, unless it
    may be checked freely)."""
    field, is_free = state.ground, is_los_free(state)
    ranges: dict[str, int] = {}
    for other in state.sides:
        for e in elements(state, other) if other != side else ():
            if e.hex in field.is_off:
                continue  # nobody fires from there (casa.26)
            ranges[e.hex] = max(ranges.get(e.hex, 0), normal_range(state, e))
    found: Counter[Hex] = Counter()
    for start, far in ranges.items():
        for label in field.labels:
            if 0 < field.range(start, label) <= far and (
                not is_free or los(state, start, label).blocked is None
            ):
                found[field.hex[label]] += 1
    return {h: str(n) for h, n in found.items()}


def _halves(value: int) -> str:
    whole, half = divmod(value, 2)
    return f"{whole}½" if half else str(whole)
