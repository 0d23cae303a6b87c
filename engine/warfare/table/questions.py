"""Odds worth knowing before a roll, hexes to tint, and what rules say of a hex.

Refs: warfare:dadi.combattimento, dadi.test, unita.nebbia, terreno.tabella, los.tabella.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from engine.core.decisions import Decision
from engine.core.hexes import Hex
from engine.core.rules import Command, Ruling, Side
from engine.core.text import N_, NP_, Fact, Msg, msg
from engine.core.title import Layer, Overlay, Question
from engine.warfare.rules.fire import can_fire_at
from engine.warfare.rules.helicopters import is_high
from engine.warfare.rules.movement import reach
from engine.warfare.rules.sight import can_see
from engine.warfare.state.book import rule
from engine.warfare.state.setting import field_of, scenario_of
from engine.warfare.state.state import (
    GONE,
    HEAVY,
    LIGHT,
    MORALE_NAMES,
    State,
    Support,
    Unit,
    are_enemies,
    enemies,
    has_crowd,
    people_at,
    unit_at,
)
from engine.warfare.state.tables import (
    ASSUMED_DEFENCE,
    DRONE,
    FORTIFICATION,
    HELICOPTER,
    INFANTRY,
    TERRAIN,
    VEHICLE,
)

Read = Callable[[State, State], Msg]

ON_UNITS = (
    N_("Whom does {unit} fire at with {weapon} weapons?"),
    N_("Whom does {unit} assault?"),
    N_("Whom does {unit} pin down?"),
    N_("Against whom does {unit} give its life?"),
    N_("Where does {support} strike with its {weapon} value?"),
    N_("Whom does {support} aim at?"),
    N_("Whom does {support} attack with its {weapon} value?"),
    N_("{support} is ours: whom does it attack?"),
)
"""Decisions whose options are the units that a roll is about."""
ON_MARKERS = (
    N_("Which population does {unit} try to turn?"),
    N_("Which marker does {unit} examine?"),
    N_("What does {unit} disarm?"),
)
REACTIONS = (
    N_("{unit} enters {hex}: who fires?"),
    N_("Who fires first at {support}?"),
    N_("Who fires a SAM at {support}?"),
    N_("Who jams {support}?"),
    N_("Who rams {support}?"),
)
RECOVER = N_("Which die does {unit} recover with?")
REMOVE = N_("Which roadblock does {unit} remove?")
WEAPON = N_("Which weapons does {unit} fire?")
WEAPON_OF_REACTION = N_("Which weapons does {unit} fire at {target}?")
DETONATE = N_("{unit} examined {marker} in {hex}: detonate?")
ARROW = N_("Nobody sees {hex}: where does the arrow point?")
LAND, GET_OFF = N_("Where does {unit} land?"), N_("Where does {cargo} get off?")
FIRST_MARKER = N_("Which marker in {hex} comes first?")
PATH = N_("Where does {unit} go? {cost} AP so far, {available} available")


def questions(state: State, decision: Decision) -> tuple[Question, ...]:
    """What odds are worth asking at a decision; `state` is the asker's belief."""
    asked, facts = decision.ruling.msg.id, decision.ruling.msg.facts
    found: list[Question] = []
    for option in decision.options:
        name = option.id[2:]
        command = (Command(decision.side, option.id),)
        if asked in ON_UNITS and name in state.units:
            found.append(_about(state, name, command))
        elif asked in ON_MARKERS:
            text = msg(N_("try on {marker}"), marker=name)
            found.append(Question(text, command, _marker_reader(name, str(facts["unit"])), _assume))
        elif asked == RECOVER:
            unit = str(facts["unit"])
            text = msg(N_("{unit} recovers with {colour}"), unit=unit, colour=name)
            found.append(Question(text, command, _reader(unit), _assume))
        elif asked == DETONATE and option.id == "b:detonate":
            found.append(_about(state, str(facts["unit"]), command))
        elif asked == REMOVE:
            text = msg(N_("remove the roadblock in {hex}"), hex=name)
            found.append(Question(text, command, _roadblock_reader(name), _assume))
        elif asked in REACTIONS and (name in state.units or name in state.supports):
            target = str(facts.get("support") or facts["unit"])
            text = msg(N_("{unit} reacts against {target}"), unit=name, target=target)
            read = _reader(target)
            if target in state.supports and state.supports[target].values.kind == DRONE:
                read = _drone_reader(target, str(facts["target"]))
            found.append(Question(text, command, read, _assume))
        elif asked == PATH and option.id == "b:go":
            found += _into_the_unknown(state, str(facts["unit"]), facts["path"], command)
        elif asked in (LAND, GET_OFF):
            who = str(facts.get("cargo") or facts["unit"])
            found += _into_the_unknown(state, who, ("", name), command)
        elif asked == ARROW:
            text = msg(N_("arrow to {way}"), way=name.partition("-")[2])
            found.append(Question(text, command, _reader(state.at[str(facts["hex"])]), _assume))
        elif asked == FIRST_MARKER and state.march is not None:
            found.append(_about(state, state.march.unit, command))
        elif asked == WEAPON:
            found += _with(state, str(facts["unit"]), name, command)
        elif asked == WEAPON_OF_REACTION:
            target = str(facts["target"])
            text = msg(N_("{weapon} weapons at {target}"), weapon=name, target=target)
            found.append(Question(text, command, _reader(target), _assume))
    return tuple(found)


def _with(state: State, name: str, weapon: str, command: tuple[Command, ...]) -> Iterator[Question]:
    """Odds of a weapon against each of its targets, before one of them is chosen."""
    firer = state.units[name]
    for target in enemies(state, firer.side):
        if can_fire_at(state, firer, weapon, target):
            text = msg(N_("{weapon} weapons at {target}"), weapon=weapon, target=target.id)
            shot = Command(command[0].side, f"u:{target.id}")
            yield Question(text, (*command, shot), _reader(target.id), _assume)


def _about(state: State, name: str, command: tuple[Command, ...]) -> Question:
    """Odds against a unit; the values of an unseen one are typical of its class."""
    text = msg(N_("against {target}"), target=name)
    if state.units[name].type.startswith("?"):
        text = msg(
            N_("against {target}, its defence taken as {defence}"),
            target=name,
            defence=ASSUMED_DEFENCE[state.units[name].kind],
        )
    return Question(text, command, _reader(name), _assume)


def _into_the_unknown(
    state: State, name: str, path: Fact, command: tuple[Command, ...]
) -> list[Question]:
    """What a unit risks by walking over enemy markers that lie face down."""
    if name not in state.units:
        return []
    side = state.units[name].side
    hexes = [
        m.hex
        for m in state.hidden.values()
        if not m.revealed
        and isinstance(path, tuple)
        and m.hex in path[1:]
        and are_enemies(state, m.owner, side)
    ]
    if not hexes or state.units[name].is_helicopter:
        return []
    text = msg(N_("{unit} walks over the marker in {hex}"), unit=name, hex=hexes[0])
    return [Question(text, command, _walker_reader(name, hexes[0]), _assume)]


def _walker_reader(name: str, hex: str) -> Read:
    """What becomes of a unit that walks over a marker: also being thrown back."""
    fate = _reader(name)

    def read(before: State, after: State) -> Msg:
        if hex in after.roadblocks:
            return msg(N_("{unit}: thrown back by a roadblock"), unit=name, result="thrown back")
        return fate(before, after)

    return read


def _reader(name: str) -> Read:
    """What becomes of a unit or support."""

    def read(before: State, after: State) -> Msg:
        old, new = _piece(before, name), _piece(after, name)
        if new is None or (old is not None and _is_gone(new) and not _is_gone(old)):
            return msg(N_("{unit}: eliminated"), unit=name, result="eliminated")
        if old is None or (old.morale, old.damage) == (new.morale, new.damage):
            return msg(N_("{unit}: no effect"), unit=name, result="no effect")
        return msg(
            N_("{unit}: {morale}, damage {damage}"),
            unit=name,
            morale=MORALE_NAMES[new.morale],
            damage=new.damage,
            result="effect",
        )

    return read


def _drone_reader(drone: str, target: str) -> Read:
    """A drone loses its markers anyway: what counts is whether it is lost, or harms its target."""
    fate = _reader(target)

    def read(before: State, after: State) -> Msg:
        if _is_gone(after.supports[drone]):
            return msg(N_("{unit}: eliminated"), unit=drone, result="eliminated")
        return fate(before, after)

    return read


def _piece(state: State, name: str) -> Unit | Support | None:
    return state.units.get(name) or state.supports.get(name)


def _is_gone(one: Unit | Support) -> bool:
    return one.place in (GONE, "out of the game")


def _marker_reader(name: str, unit: str) -> Read:
    """What becomes of a population or hidden marker, and of the unit that tries."""

    def read(before: State, after: State) -> Msg:
        result = N_("unchanged")
        if name in before.population:
            if before.population[name].face != after.population[name].face:
                result = N_("turned")
        elif name not in after.hidden:
            result = N_("removed")
        elif after.hidden[name].revealed and not before.hidden[name].revealed:
            result = N_("revealed")
        old, new = before.units[unit], after.units[unit]
        if _is_gone(new):
            return msg(
                N_("{marker}: {result}; {unit}: eliminated"), marker=name, result=result, unit=unit
            )
        if (old.morale, old.damage) == (new.morale, new.damage):
            return msg(N_("{marker}: {result}"), marker=name, result=result)
        return msg(
            N_("{marker}: {result}; {unit}: {morale}, damage {damage}"),
            marker=name,
            result=result,
            unit=unit,
            morale=MORALE_NAMES[new.morale],
            damage=new.damage,
        )

    return read


def _roadblock_reader(hex: str) -> Read:
    def read(before: State, after: State) -> Msg:
        if hex in after.roadblocks:
            return msg(N_("the roadblock in {hex} stays"), hex=hex)
        return msg(N_("the roadblock in {hex} is removed"), hex=hex)

    return read


QUIET = ("b:hold", "b:wait", "b:never", "b:stay")


def _assume(asked: Decision) -> tuple[str, Ruling] | None:
    """Nobody reacts; free choices of others take the first hex."""
    offered = [option.id for option in asked.options]
    if "b:detonate" in offered:
        return "b:detonate", rule("ied.ricognizione", N_("an IED is assumed to be detonated"))
    for quiet in QUIET:
        if quiet in offered:
            return quiet, rule("overwatch.fuoco", N_("no reaction is assumed"))
    if asked.ruling.msg.id in (
        N_("Where does population {marker} go?"),
        ARROW,
        N_("{support} is ours: whom does it attack?"),
        WEAPON_OF_REACTION,
    ):
        return offered[0], rule("artiglieria.dispersione", N_("the first choice is assumed"))
    return None


# Overlays


def overlays(state: State, decision: Decision) -> tuple[Overlay, ...]:
    """What to tint on the map at a decision; `state` is the asker's belief."""
    field = field_of(state)
    asked, facts = decision.ruling.msg.id, decision.ruling.msg.facts
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
    if asked in (PATH, N_("What does {unit} do?")) and state.active == unit.side:
        costs = {field.hex[h]: str(cost) for h, cost in reach(state, unit).items()}
        text = msg(N_("reach of {unit} with its cost"), unit=unit.id)
        found.append(Overlay("reach", text, costs))
    if asked in (ON_UNITS[0], N_("What does {unit} do?"), WEAPON):
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
        ("terreno.tabella", "los.tabella"),
        N_("{hex}: {terrain}, level {level}"),
        hex=label,
        terrain=terrain.id,
        level=terrain.level,
    )
    yield rule(
        "movimento.costo",
        N_("AP to enter: infantry {infantry}, vehicle {vehicle}, helicopter {helicopter}"),
        infantry=terrain.cost[INFANTRY],
        vehicle=terrain.cost[VEHICLE],
        helicopter=terrain.cost[HELICOPTER],
    )
    if terrain.amphibious:
        yield rule("anfibio.abilita", N_("amphibious units and helicopters only"))
    if terrain.id == FORTIFICATION:
        yield rule(
            "fortificazioni.modificatore",
            N_("fire across triangles: {modifier}; otherwise no protection"),
            modifier=terrain.modifier,
        )
    elif terrain.modifier:
        yield rule("fuoco.modificatori", N_("fire at it: {modifier}"), modifier=terrain.modifier)
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
        yield rule("blocchi.ostacolo", N_("a roadblock in {hex}"), hex=label)
    if label in state.rubble:
        yield rule("macerie.segnalino", N_("rubble in {hex}"), hex=label)
    if label in state.smoke:
        yield rule("fumogeni.effetto", N_("smoke in {hex}"), hex=label)
    if any(m.hex == label and not m.revealed for m in state.hidden.values()):
        yield rule(("ignoti.rivelare", "ignoti.los"), N_("an unknown marker: it blocks no line"))
    if has_crowd(state, label):
        yield rule("popolazione.attraversare", N_("a hostile crowd: Regulars do not enter"))
    unit = unit_at(state, label)
    if people_at(state, label) and unit is not None:
        yield rule("ostaggi.scudo", N_("population protects an Irregular unit here"))
    if unit is not None and unit.is_helicopter:
        high = is_high(field_of(state), unit)
        yield rule(
            "elicotteri.alta" if high else "elicotteri.bassa",
            N_("{unit} is high: level 3") if high else N_("{unit} is low: level 0"),
            unit=unit.id,
        )
    victory = scenario_of(state).victory
    if label in victory.objectives or label in victory.area:
        yield rule(scenario_of(state).locator, N_("{hex} counts for victory"), hex=label)
