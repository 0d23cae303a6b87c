"""What a side may look at: hexes to tint, sheets to lay over the map, lines of sight, hexes.

Refs: warfare:terreno.tabella, los.tabella, los.regola1, los.regola4, los.regola5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.core.decisions import Decision
from engine.core.hexes import Hex
from engine.core.rules import Ruling, Side
from engine.core.text import N_, NP_, msg
from engine.core.title import Layer, Overlay, Sight
from engine.warfare.rules.helicopters import is_high
from engine.warfare.rules.movement import reach
from engine.warfare.rules.sight import can_see, why_not_smoke_free, why_not_visible
from engine.warfare.state.book import rule
from engine.warfare.state.setting import field_of, scenario_of
from engine.warfare.state.state import (
    HEAVY,
    LIGHT,
    State,
    Unit,
    enemies,
    has_crowd,
    is_regular,
    people_at,
    unit_at,
)
from engine.warfare.state.tables import (
    FORTIFICATION,
    HELICOPTER,
    INFANTRY,
    TERRAIN,
    VEHICLE,
    Field,
)

# Overlays


def overlays(state: State, decision: Decision) -> tuple[Overlay, ...]:
    """What to tint on the map at a decision; `state` is the asker's belief."""
    field = field_of(state)
    facts = decision.ruling.msg.facts
    found = []
    options = {
        option.hex: str(option.msg.facts.get("cost", ""))
        for option in decision.options
        if option.hex is not None
    }
    if options:
        found.append(Overlay("options", msg(N_("possible answers")), options))
    unit = state.units.get(str(facts.get("unit", "")))
    if unit is None or not unit.hex or unit.side != decision.side:
        return tuple(found)
    if decision.id in ("move.next", "action.what") and state.active == unit.side:
        costs = {field.hex[h]: str(cost) for h, cost in reach(state, unit).items()}
        text = msg(N_("reach of {unit} with its cost"), unit=unit.id)
        found.append(Overlay("reach", text, costs))
    if decision.id in ("action.what", "fire.weapon", "fire.target"):
        found.append(_in_range(state, unit, str(facts.get("weapon", ""))))
    return tuple(found)


def _in_range(state: State, unit: Unit, weapon: str) -> Overlay:
    """What the chosen weapon reaches in sight; before that, the longer of those for the ground."""
    field, values = field_of(state), unit.values
    ranges = {LIGHT: values.light.range}
    if values.heavy is not None and (weapon or not values.sam):
        ranges[HEAVY] = values.heavy.range
    longest = weapon or max(ranges, key=lambda name: ranges[name])
    seen = {
        field.hex[h]: str(field.distance(unit.hex, h))
        for h in field.labels
        if 0 < field.distance(unit.hex, h) <= ranges[longest] and can_see(state, unit, h)
    }
    text = msg(N_("{weapon} weapons: range {range}"), weapon=longest, range=ranges[longest])
    return Overlay("range", text, seen)


def layers(state: State, side: Side) -> tuple[Layer, ...]:
    """What can be laid over the map: where the enemy can fire, who controls what."""
    field = field_of(state)
    found = [Layer("threats", msg(N_("how many enemy units can fire there")),
                   lambda: threats(state, side))]  # fmt: skip
    if state.control:
        held = {field.hex[hex]: team for hex, team in state.control.items() if team}
        found.append(Layer("control", msg(N_("who controls the objectives")), lambda: held))
    return tuple(found)


def threats(state: State, side: Side) -> dict[Hex, str]:
    """How many enemy units see each hex within the range of a weapon."""
    found: Counter[Hex] = Counter()
    for unit in enemies(state, side):
        found.update(_in_range(state, unit, "").hexes.keys())
    return {h: str(n) for h, n in found.items()}


# Lines of sight


def explain(state: State, a: Hex, b: Hex) -> Sight | None:
    """A line explained rule by rule, for the unit in `a` or else the active player."""
    field = field_of(state)
    board = field.board
    if a not in board or b not in board or a == b:
        return None
    one, other = board.label(a), board.label(b)
    firer, target = unit_at(state, one), unit_at(state, other)
    side = firer.side if firer is not None else state.active
    high = any(unit is not None and is_high(field, unit) for unit in (firer, target))
    line = field.line(one, other)
    hexes = tuple(field.hex[label] for label in line.touched)
    regular = is_regular(state, side)
    against = [
        *why_not_visible(state, field, one, other, regular=regular, is_high=high),
        *why_not_smoke_free(state, one, other),
    ]
    if against:
        blocking = against[0].msg.facts.get("hex")
        where = field.hex[str(blocking)] if blocking else None
        return Sight(a, b, hexes, False, tuple(against), where)
    return Sight(a, b, hexes, True, tuple(_why_clear(field, one, other, high)))


def _why_clear(field: Field, a: str, b: str, high: bool) -> Iterator[Ruling]:
    """The golden rules that leave a line free."""
    line = field.line(a, b)
    if field.distance(a, b) == 1:
        yield rule("los.regola1", N_("{a} and {b} are adjacent"), a=a, b=b)
        return
    if high:
        yield rule("elicotteri.alta#livello", N_("one end flies high: only smoke could hide it"))
        return
    low, tall = sorted((field.level[a], field.level[b]))
    if any(low < field.level[hex] < tall for hex in line.touched):
        yield rule("los.regola5#libera", N_("what stands between is lower than one end"))
    yield rule(
        ("los.regola4", "los.reciproca"),
        N_("nothing between {a} and {b} is higher than both"),
        a=a,
        b=b,
    )


# Hexes


def inspect(state: State, hex: Hex) -> tuple[Ruling, ...]:
    """Terrain, level, cost, cover and what lies in a hex."""
    field = field_of(state)
    if hex not in field.board:
        return ()
    return tuple(_inspect(state, field.board.label(hex)))


def _inspect(state: State, label: str) -> Iterator[Ruling]:
    field = field_of(state)
    terrain = TERRAIN[field.terrain[label]]
    yield rule(
        ("terreno.tabella#costi", "los.tabella#livelli"),
        N_("{hex}: {terrain}, level {level}"),
        hex=label,
        terrain=terrain.id,
        level=terrain.level,
    )
    yield rule(
        "movimento.costo#terreno",
        N_("AP to enter: infantry {infantry}, vehicle {vehicle}, helicopter {helicopter}"),
        infantry=terrain.cost[INFANTRY],
        vehicle=terrain.cost[VEHICLE],
        helicopter=terrain.cost[HELICOPTER],
    )
    if terrain.amphibious:
        yield rule("anfibio.abilita#altre", N_("amphibious units and helicopters only"))
    if terrain.id == FORTIFICATION:
        yield rule(
            "fortificazioni.modificatore#triangoli",
            N_("fire across triangles: {modifier}; otherwise no protection"),
            modifier=terrain.modifier,
        )
    elif terrain.modifier:
        yield rule(
            "fuoco.modificatori#spostamenti/terreno del bersaglio",
            N_("fire at it: {modifier}"),
            modifier=terrain.modifier,
        )
    yield from _inspect_markers(state, label)


def _inspect_markers(state: State, label: str) -> Iterator[Ruling]:
    markers = len(people_at(state, label))
    markers += sum(m.hex == label for m in state.hidden.values())
    if markers:
        yield rule(
            "stacking.segnalini",
            NP_("{n} marker here: there is no limit", "{n} markers here: there is no limit"),
            n=markers,
        )
    if label in state.roadblocks:
        yield rule("blocchi.ostacolo#nessuna", N_("a roadblock in {hex}"), hex=label)
    if label in state.rubble:
        yield rule("macerie.segnalino#blocca", N_("rubble in {hex}"), hex=label)
    if label in state.smoke:
        yield rule("fumogeni.effetto#vieta", N_("smoke in {hex}"), hex=label)
    if any(m.hex == label and not m.revealed for m in state.hidden.values()):
        yield rule(
            ("ignoti.rivelare#modi", "ignoti.los"), N_("an unknown marker: it blocks no line")
        )
    if has_crowd(state, label):
        yield rule(
            "popolazione.attraversare#chi/Regolari/Folla ostile",
            N_("a hostile crowd: Regulars do not enter"),
        )
    unit = unit_at(state, label)
    if people_at(state, label) and unit is not None:
        yield rule("ostaggi.scudo#scudo", N_("population protects an Irregular unit here"))
    if unit is not None and unit.is_helicopter:
        high = is_high(field_of(state), unit)
        yield rule(
            "elicotteri.alta#livello" if high else "elicotteri.bassa#livello",
            N_("{unit} is high: level 3") if high else N_("{unit} is low: level 0"),
            unit=unit.id,
        )
    victory = scenario_of(state).victory
    if label in victory.objectives or label in victory.area:
        yield rule(scenario_of(state).says(victory.kind), N_("{hex} counts for victory"), hex=label)
