"""Odds worth knowing before a decision: fire, rally, To Hit, close combat (3.2.3, 3.1.f, 3.8).

Refs: 2.0.ift, 3.1.e, 3.1.f, 3.2.1.declare, 3.2.2, 3.2.4, 3.8, 3.8.odds, 3.8.smc, 3.8.ambush.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

import msgspec

from engine.aslsk.rules.close_combat import (
    fighters,
    is_ambush_possible,
    is_at_once,
    members,
    tanks,
    why_not_victim,
)
from engine.aslsk.rules.sight import is_los_free
from engine.aslsk.state.book import rule
from engine.aslsk.state.state import MAP, CloseCombat, State, Unit, Vehicle
from engine.core.decisions import Decision
from engine.core.rules import Command, Ruling, Side
from engine.core.text import N_, Msg, msg
from engine.core.title import Policy, Question

replace = msgspec.structs.replace

FIRE = ("fire.target", "fire.at-movers", "fire.group", "fire.leader", "fire.kind")
RALLY = ("rally.who", "rally.self")
CC = ("cc.attacker", "cc.target", "cc.more")
AMBUSH = ("cc.hex", "cc.join")
NEXT = ("fire.who", "move.who", "rout.who", "advance.who")
"""What is asked when the action is over."""
DEFAULTS = ("b:fuoco", "b:nessuno", "b:attacca", "b:tieni", "b:evita", "b:passa")
FIRST_OF = ("fire.kind", "fire.gunner", "fire.apart", "fire.victim", "acquisition.keep")
"""What an attack asks on its way without an answer that goes without saying."""
MOST = 12
HARM = ("dead", "reduced", "broken", "pinned", "tanks", "stuck")
COUNTED = (*HARM, *(f"own_{key}" for key in HARM), "rallied", "jammed")


def questions(state: State, decision: Decision) -> tuple[Question, ...]:
    """The questions of a decision; `state` is the asker's belief."""
    asked = decision.id
    if asked in CC and state.cc is not None:
        return tuple(_close_combat(state, state.cc, decision))
    if asked in AMBUSH:
        return tuple(_ambush(state, decision))[:MOST]
    if asked in RALLY:
        ids = [o.id for o in decision.options if o.id.startswith("u:")]
        text = N_("rally of {option}")
    elif asked in FIRE:
        ids = [o.id for o in decision.options if o.id not in ("b:passa",)]
        text = N_("attack: {option}")
        if not is_los_free(state):
            text = N_("attack, if LOS is clear: {option}")
    else:
        return ()
    return tuple(
        Question(
            msg(text, option=one, hex=str(decision.ruling.msg.facts.get("hex", one[2:]))),
            (Command(decision.side, one),),
            reader(decision.side),
            assume,
        )
        for one in ids[:MOST]
    )


def assume(decision: Decision) -> tuple[str, Ruling] | None:
    """Decisions on the way: LOS, nobody joins, nobody directs, the ROF is kept; of several ways
    of attacking the first."""
    ids = [o.id for o in decision.options]
    if decision.id == "sight.clear":
        return ids[0], rule("3.2.1.declare#prima", N_("LOS is not checked yet: taken for clear"))
    if decision.id in NEXT:
        return None
    for wanted in ids[:1] if decision.id in FIRST_OF else DEFAULTS:
        if wanted in ids:
            said = msg(N_("taken for granted: {option}"), option=wanted)
            return wanted, Ruling(decision.ruling.refs, said, decision.ruling.anchors)
    return None


# Close combat


def _close_combat(state: State, cc: CloseCombat, decision: Decision) -> Iterator[Question]:
    """Every attack that may be declared now, and those that are declared (3.8).

    Where attacks are resolved together, a question goes on until they are.
    """
    side = decision.side
    is_apart = is_at_once(state, cc)
    for text, answers, targets in list(_attacks(state, cc, decision))[:MOST]:
        commands = tuple([Command(side, one) for one in answers])
        if is_apart:
            yield Question(text, commands, reader(side), alone(side))
        else:
            yield _together(side, text, commands, targets)
    if is_apart or decision.id != "cc.attacker":
        return
    for attack in cc.declared:
        who, whom = attack.attackers, attack.targets
        declared = msg(N_("CC declared: {unit} against {target}"), unit=who, target=whom)
        yield _together(side, declared, (), whom)


def _together(
    side: Side, text: Msg, commands: tuple[Command, ...], targets: Collection[str]
) -> Question:
    """What becomes of some targets when all attacks are resolved together (3.8)."""
    return Question(
        text, commands, reader(side, targets), alone(side), is_fought, attacks_about(targets)
    )


def _attacks(
    state: State, cc: CloseCombat, decision: Decision
) -> Iterator[tuple[Msg, tuple[str, ...], list[str]]]:
    """The attacks that a decision leads to: the answers that declare them, and whom they hit."""
    side = decision.side
    ids = [o.id for o in decision.options if o.id != "b:passa"]
    if decision.id == "cc.attacker":
        for one in ids:
            for target in _targets(state, cc, side, one[2:]):
                text = msg(N_("CC: {unit} against {target}"), unit=one[2:], target=target)
                yield text, (one, f"u:{target}"), members(state, target)
    elif decision.id == "cc.target":
        for one in ids:
            yield msg(N_("CC: {option}"), option=one), (one,), members(state, one[2:])
    else:
        foes = [u for u in fighters(state, cc.hex, state.enemy(side)) if u.id not in cc.hit]
        hit = [u.id for u in foes if f"u:{u.joined or u.id}" not in ids]
        for one in ids:
            name, more = one[2:], []
            text = msg(N_("CC: {option}"), option=one)
            if any(u.id == name for u in foes):
                text = msg(N_("CC: {unit} is attacked too"), unit=name)
                more = members(state, name)
            elif one.startswith("u:"):
                text = msg(N_("CC: {unit} attacks too"), unit=name)
            yield text, (one,), [*hit, *more]


def _targets(state: State, cc: CloseCombat, side: Side, attacker: str) -> list[str]:
    """Whom it may attack; a Nahverteidigungswaffe hits all, whomever it names (3.8.sn_attack)."""
    foe = state.enemy(side)
    names = [u.id for u in fighters(state, cc.hex, foe)]
    names += [v.id for v in tanks(state, cc.hex, foe)]
    able = [n for n in names if next(why_not_victim(state, cc, n, attacker), None) is None]
    return able[:1] if attacker.endswith(":sn") else able


def attacks_about(targets: Collection[str]) -> Callable[[State], State]:
    """Only the attacks on some units, and theirs: a new leader joins their defence (3.8, 5.3)."""

    def only(state: State) -> State:
        cc = state.cc
        if cc is None:
            return state
        kept = [a for a in cc.declared if not {*a.attackers, *a.targets}.isdisjoint(targets)]
        return replace(state, cc=replace(cc, declared=tuple(kept)))

    return only


def is_fought(state: State) -> bool:
    """Whether no CC is going on (3.8)."""
    return state.cc is None


def alone(side: Side) -> Policy:
    """An attack in CC by itself: nobody else joins it, nobody declares another (3.8)."""

    def policy(decision: Decision) -> tuple[str, Ruling] | None:
        if decision.id == "cc.more":
            return "b:attacca", rule(
                "3.8#unite", N_("nobody else attacks or is attacked with them")
            )
        if decision.id != "cc.attacker":
            return assume(decision)
        if decision.side == side:
            return "b:passa", rule("3.8#una-volta", N_("you declare no more attacks in CC"))
        return "b:passa", rule("3.8#una-volta", N_("the enemy declares no attack in CC"))

    return policy


def _ambush(state: State, decision: Decision) -> Iterator[Question]:
    """The dr of both sides; who joins whom does not matter to them (3.8.ambush)."""
    ids = [o.id for o in decision.options]
    hexes = {one: one[2:] for one in ids} if state.cc is None else {ids[0]: state.cc.hex}
    for one, hex in hexes.items():
        if is_ambush_possible(state, hex):
            text = msg(N_("ambush in {hex}"), hex=hex)
            yield Question(text, (Command(decision.side, one),), read_ambush, _any_joins)


def _any_joins(decision: Decision) -> tuple[str, Ruling] | None:
    if decision.id not in AMBUSH:
        return None
    return decision.options[0].id, rule("3.8.smc#unirsi", N_("whoever joins whom"))


def read_ambush(before: State, after: State) -> Msg:
    """Who has ambushed whom (3.8.ambush)."""
    if after.cc is None or not after.cc.ambusher:
        return msg(N_("no ambush"))
    return msg(N_("{side} ambushes"), side=after.cc.ambusher)


# Results


def reader(side: Side, names: Collection[str] | None = None) -> Callable[[State, State], Msg]:
    """What came of it, in numbers, for the enemy and for a side; of these units only, or of all."""

    def read(before: State, after: State) -> Msg:
        found: dict[str, int] = dict.fromkeys(COUNTED, 0)
        for name, old in before.units.items():
            new = after.units[name]
            if new is not old and (names is None or name in names):
                _count_unit(found, "own_" if old.side == side else "", old, new)
        for name, was in before.vehicles.items():
            now = after.vehicles[name]
            if now is not was:
                _count_vehicle(found, "own_" if was.side == side else "", was, now)
        for name, had in before.weapons.items():
            found["jammed"] += after.weapons[name].broken and not had.broken
        is_hurt = any(found[f"own_{key}"] for key in HARM)
        return Msg(BOTH_SUFFER if is_hurt else ENEMY_SUFFERS, dict(found))

    return read


def _count_unit(found: dict[str, int], whose: str, old: Unit, new: Unit) -> None:
    """What befell a unit."""
    if old.place == MAP and new.place != MAP:
        found[whose + "dead"] += 1
        return
    found[whose + "reduced"] += old.type != new.type or (new.wounded and not old.wounded)
    found[whose + "broken"] += new.broken and not old.broken
    found[whose + "pinned"] += new.pinned and not old.pinned
    found["rallied"] += old.broken and not new.broken


def _count_vehicle(found: dict[str, int], whose: str, was: Vehicle, now: Vehicle) -> None:
    """What befell a vehicle or its crew."""
    found[whose + "tanks"] += now.wreck and not was.wreck
    found[whose + "stuck"] += now.drive.immobilized and not was.drive.immobilized and not now.wreck
    found[whose + "broken"] += (bool(now.crew.shock) and not was.crew.shock) or (
        bool(now.crew.stun) and not was.crew.stun
    )


ENEMY_SUFFERS = N_(
    "{dead} lost, {reduced} reduced, {broken} broken, {pinned} pinned, {tanks} vehicles lost, "
    "{stuck} Immobilized, {rallied} rallied, {jammed} malfunctioned"
)
BOTH_SUFFER = N_(
    "{dead} lost, {reduced} reduced, {broken} broken, {pinned} pinned, {tanks} vehicles lost, "
    "{stuck} Immobilized, {rallied} rallied, {jammed} malfunctioned; own: {own_dead} lost, "
    "{own_reduced} reduced, {own_broken} broken, {own_pinned} pinned, {own_tanks} vehicles lost, "
    "{own_stuck} Immobilized"
)
