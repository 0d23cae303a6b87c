"""Odds worth knowing before a roll.

Refs: warfare:dadi.combattimento, dadi.test, unita.nebbia.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.core.decisions import Decision, Option
from engine.core.rules import Command, Ruling
from engine.core.text import N_, Fact, Msg, msg
from engine.core.title import Question
from engine.warfare.rules.fire import can_fire_at
from engine.warfare.state.book import rule
from engine.warfare.state.state import (
    DEAD,
    GONE,
    MORALE_NAMES,
    State,
    Support,
    Unit,
    are_enemies,
    enemies,
)
from engine.warfare.state.tables import ASSUMED_DEFENCE, DRONE

Read = Callable[[State, State], Msg]


def questions(state: State, decision: Decision) -> tuple[Question, ...]:
    """What odds are worth asking at a decision; `state` is the asker's belief."""
    ask = ASK.get(decision.id)
    if ask is None:
        return ()
    return tuple(q for option in decision.options for q in ask(state, decision, option))


# What each question is about


def _commands(decision: Decision, option: Option) -> tuple[Command, ...]:
    return (Command(decision.side, option.id),)


def _fact(decision: Decision, key: str) -> str:
    return str(decision.ruling.msg.facts.get(key, ""))


def _on_unit(state: State, decision: Decision, option: Option) -> Iterator[Question]:
    """The options are the units that a roll is about."""
    yield _about(state, option.id[2:], _commands(decision, option))


def _on_marker(state: State, decision: Decision, option: Option) -> Iterator[Question]:
    """The options are markers that a unit tries its hand at."""
    name = option.id[2:]
    text = msg(N_("try on {marker}"), marker=name)
    read = _marker_reader(name, _fact(decision, "unit"))
    yield Question(text, _commands(decision, option), read, _assume)


def _on_die(state: State, decision: Decision, option: Option) -> Iterator[Question]:
    """A unit recovers with one die or another."""
    unit = _fact(decision, "unit")
    text = msg(N_("{unit} recovers with {colour}"), unit=unit, colour=option.msg.facts["colour"])
    yield Question(text, _commands(decision, option), _reader(unit), _assume)


def _on_detonation(state: State, decision: Decision, option: Option) -> Iterator[Question]:
    """An IED goes off under a unit, if its owner wants."""
    if option.id == "b:detona":
        yield _about(state, _fact(decision, "unit"), _commands(decision, option))


def _on_roadblock(state: State, decision: Decision, option: Option) -> Iterator[Question]:
    """Engineers work on a roadblock."""
    hex = option.id[2:]
    text = msg(N_("remove the roadblock in {hex}"), hex=hex)
    yield Question(text, _commands(decision, option), _roadblock_reader(hex), _assume)


def _on_reaction(state: State, decision: Decision, option: Option) -> Iterator[Question]:
    """Who reacts to a unit on the march or to a support in the air."""
    name = option.id[2:]
    if name not in state.units and name not in state.supports:
        return
    target = _fact(decision, "support") or _fact(decision, "unit")
    text = msg(N_("{unit} reacts against {target}"), unit=name, target=target)
    read = _reader(target)
    if target in state.supports and state.supports[target].values.kind == DRONE:
        read = _drone_reader(target, _fact(decision, "target"))
    yield Question(text, _commands(decision, option), read, _assume)


def _on_path(state: State, decision: Decision, option: Option) -> Iterator[Question]:
    """A declared path may cross markers that lie face down."""
    if option.id == "b:vai":
        path = decision.ruling.msg.facts["path"]
        commands = _commands(decision, option)
        yield from _into_the_unknown(state, _fact(decision, "unit"), path, commands)


def _on_landing(state: State, decision: Decision, option: Option) -> Iterator[Question]:
    """Who lands or gets off may do so on a marker."""
    who = _fact(decision, "cargo") or _fact(decision, "unit")
    path = ("", option.id[2:])
    yield from _into_the_unknown(state, who, path, _commands(decision, option))


def _on_arrow(state: State, decision: Decision, option: Option) -> Iterator[Question]:
    """Where a shot drifts depends on the arrow."""
    text = msg(N_("arrow to {way}"), way=option.msg.facts["way"])
    read = _reader(state.at[_fact(decision, "hex")])
    yield Question(text, _commands(decision, option), read, _assume)


def _on_first_marker(state: State, decision: Decision, option: Option) -> Iterator[Question]:
    """Two markers wait for the unit on the march."""
    if state.march is not None:
        yield _about(state, state.march.unit, _commands(decision, option))


def _on_weapon(state: State, decision: Decision, option: Option) -> Iterator[Question]:
    """Odds of a weapon against each of its targets, before one of them is chosen."""
    firer, weapon = state.units[_fact(decision, "unit")], str(option.msg.facts["weapon"])
    for target in enemies(state, firer.side):
        if can_fire_at(state, firer, weapon, target):
            text = msg(N_("{weapon} weapons at {target}"), weapon=weapon, target=target.id)
            shot = Command(decision.side, f"u:{target.id}")
            commands = (*_commands(decision, option), shot)
            yield Question(text, commands, _reader(target.id), _assume)


def _on_weapon_of_reaction(state: State, decision: Decision, option: Option) -> Iterator[Question]:
    """Odds of a weapon against the unit on the march."""
    target = _fact(decision, "target")
    text = msg(N_("{weapon} weapons at {target}"), weapon=option.msg.facts["weapon"], target=target)
    yield Question(text, _commands(decision, option), _reader(target), _assume)


ASK: dict[str, Callable[[State, Decision, Option], Iterator[Question]]] = {
    **dict.fromkeys(
        (
            "fire.target",
            "assault.target",
            "suppression.target",
            "martyrdom.target",
            "artillery.target",
            "sniper.target",
            "support.target",
            "drone.turned",
        ),
        _on_unit,
    ),
    **dict.fromkeys(("population.turn", "recon.marker", "clearing.marker"), _on_marker),
    **dict.fromkeys(
        ("overwatch.who", "sniper.duel", "air.sam", "drone.jam", "drone.ram"), _on_reaction
    ),
    **dict.fromkeys(("airborne.hex", "transport.unload"), _on_landing),
    "recovery.die": _on_die,
    "recon.detonate": _on_detonation,
    "roadblock.remove": _on_roadblock,
    "move.next": _on_path,
    "artillery.arrow": _on_arrow,
    "unknown.first": _on_first_marker,
    "fire.weapon": _on_weapon,
    "overwatch.weapon": _on_weapon_of_reaction,
}


# What is assumed of others on the way

QUIET = {
    "overwatch.who": "b:attendi",
    "recon.detonate": "b:rinuncia",
    "move.free": "b:resta",
    "sniper.duel": "b:rinuncia",
    "air.sam": "b:rinuncia",
    "drone.ram": "b:rinuncia",
    "drone.jam": "b:rinuncia",
}
FREE = ("population.push", "artillery.arrow", "drone.turned", "overwatch.weapon")


def _assume(asked: Decision) -> tuple[str, Ruling] | None:
    """Nobody reacts; free choices of others take the first hex."""
    offered = [option.id for option in asked.options]
    if "b:detona" in offered:
        return "b:detona", rule("ied.ricognizione#esplode", N_("an IED is assumed to be detonated"))
    if asked.id in QUIET:
        return QUIET[asked.id], rule("overwatch.fuoco#facoltativo", N_("no reaction is assumed"))
    if asked.id in FREE:
        return offered[0], rule(
            "artiglieria.dispersione#freccia", N_("the first choice is assumed")
        )
    return None


# What came of it


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


AFTER = (
    N_("{unit}: {morale}"),
    N_("{unit}: damage {damage}"),
    N_("{unit}: {morale}, damage {damage}"),
)
AFTER_TRYING = (
    N_("{marker}: {result}; {unit}: {morale}"),
    N_("{marker}: {result}; {unit}: damage {damage}"),
    N_("{marker}: {result}; {unit}: {morale}, damage {damage}"),
)
"""Morale alone where there is no damage, damage alone where morale is steady, both."""


def _harm(one: Unit | Support, words: tuple[str, str, str]) -> str:
    """How one stands, in the words for it."""
    morale_alone, damage_alone, both = words
    return both if one.damage and one.morale else damage_alone if one.damage else morale_alone


def _reader(name: str) -> Read:
    """What becomes of a unit or support."""

    def read(before: State, after: State) -> Msg:
        old, new = _piece(before, name), _piece(after, name)
        if new is None or (old is not None and _is_gone(new) and not _is_gone(old)):
            return msg(N_("{unit}: eliminated"), unit=name, result="eliminated")
        if old is None or (old.morale, old.damage) == (new.morale, new.damage):
            return msg(N_("{unit}: no effect"), unit=name, result="no effect")
        return msg(
            _harm(new, AFTER),
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
    return one.place in (GONE, DEAD)


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
            _harm(new, AFTER_TRYING),
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
