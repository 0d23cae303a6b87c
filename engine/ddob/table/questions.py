"""Odds worth asking: attacks, barrages, infiltration (8.3, 8.4, 7.32)."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.decisions import Decision, Option
from engine.core.rules import Command, Ruling
from engine.core.text import N_, Msg, msg
from engine.core.title import Question
from engine.ddob.rules.movement import infiltrated
from engine.ddob.state.state import State, named_hex

WEAPON = "b:arma-"
GENEROUS = ("b:avanti", "b:forza", "b:no", "b:solo", "b:ferma", "b:elimina")


def questions(state: State, decision: Decision) -> tuple[Question, ...]:
    """What odds are worth asking at a decision."""
    if decision.id == "attack.units":
        return attack_questions(state, decision)
    if decision.id == "barrage.target":
        return tuple(barrage_question(decision, option) for option in decision.options)
    if decision.id == "actions.what":
        return infiltration_questions(state, decision)
    return ()


def assume(decision: Decision) -> tuple[str, Ruling] | None:
    """What the player is taken to answer on the way to the result."""
    refs = decision.ruling.refs
    for option in decision.options:
        if option.id.startswith(WEAPON):
            said = msg(N_("The hero counts as {weapon}."), weapon=option.id.removeprefix(WEAPON))
            return option.id, Ruling(refs, said)
    for wanted in GENEROUS:
        found = decision.option(wanted)
        if found is not None:
            return wanted, Ruling(refs, found.msg)
    first = decision.options[0].id
    return first, Ruling(refs, msg(N_("It is assumed that the answer is {option}."), option=first))


def attack_questions(state: State, decision: Decision) -> tuple[Question, ...]:
    """What comes of the attack as declared so far (8.3)."""
    name = str(decision.ruling.msg.facts["position"])
    label = named_hex(name)
    command = Command(decision.side, "b:via")
    asked = msg(N_("Attack on {position} as declared"), position=name, hex=label)
    return (Question(asked, (command,), attack_reader(label), assume),)


def attack_reader(label: str) -> Callable[[State, State], Msg]:
    """What happened to a German hex."""

    def read(before: State, after: State) -> Msg:
        was, now = before.germans.get(label), after.germans.get(label)
        if was is None or now is None:
            return msg(N_("the German unit is defeated"), result="defeated")
        if was.depth and not now.depth:
            return msg(N_("the depth marker is eliminated"), result="depth")
        if now.disrupted and not was.disrupted:
            return msg(N_("the German unit is disrupted"), result="disrupted")
        if now.depth and not was.depth:
            return msg(N_("the German unit gains a depth marker"), result="gains")
        shaken = any(u.disrupted and not before.units[n].disrupted for n, u in after.units.items())
        if shaken:
            return msg(N_("the attackers are disrupted"), result="repulsed")
        return msg(N_("no effect"), result="nothing")

    return read


def barrage_question(decision: Decision, option: Option) -> Question:
    """What a barrage does to a hex (8.4)."""
    label = str(option.msg.facts["hex"])
    asked = msg(N_("Barrage of {hex}"), hex=label)
    return Question(asked, (Command(decision.side, option.id),), attack_reader(label), assume)


def infiltration_questions(state: State, decision: Decision) -> tuple[Question, ...]:
    """What a step past German positions costs (7.32)."""
    name = str(decision.ruling.msg.facts["unit"])
    here = state.units[name].at
    found = []
    for option in decision.options:
        to = str(option.msg.facts.get("hex", ""))
        if to and option.id.startswith("h:") and infiltrated(state, here, to):
            asked = msg(N_("Infiltration of {unit} to {hex}"), unit=name, hex=to)
            command = Command(decision.side, option.id)
            found.append(Question(asked, (command,), loss_reader(name), assume))
    return tuple(found)


def loss_reader(name: str) -> Callable[[State, State], Msg]:
    """What happened to a US unit."""

    def read(before: State, after: State) -> Msg:
        was, now = before.units[name], after.units[name]
        if now.steps == 0:
            return msg(N_("{unit} is eliminated"), unit=name, n=was.steps)
        lost = was.steps - now.steps
        if lost:
            return msg(N_("{unit} loses a step"), unit=name, n=lost)
        return msg(N_("{unit} is not hit"), unit=name, n=0)

    return read
