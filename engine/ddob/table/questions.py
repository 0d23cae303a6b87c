"""Odds worth asking: attacks, barrages, infiltration (8.3, 8.4, 7.32)."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.decisions import Decision, Option
from engine.core.rules import Command, Ruling
from engine.core.text import N_, Msg, msg
from engine.core.title import Question
from engine.ddob.rules.us_actions import infiltrated
from engine.ddob.state.book import rule
from engine.ddob.state.state import State, named_hex

ATTACK = "Who else attacks {position}? {n} units so far."
BARRAGE = "Which hex does {unit} barrage?"
DOES = "What does {unit} do?"
GENEROUS = ("b:avanti", "b:forza", "b:no", "b:solo", "b:ferma", "b:elimina")


def questions(state: State, decision: Decision) -> tuple[Question, ...]:
    """What odds are worth asking at a decision."""
    asked = decision.ruling.msg.id
    if asked == ATTACK:
        return attack_questions(state, decision)
    if asked == BARRAGE:
        return tuple(barrage_question(decision, option) for option in decision.options)
    if asked == DOES:
        return infiltration_questions(state, decision)
    return ()


def assume(decision: Decision) -> tuple[str, Ruling] | None:
    """What the player is taken to answer on the way to the result."""
    locators = tuple(ref.partition(":")[2] for ref in decision.ruling.refs)
    weapon = [o.id for o in decision.options if o.id.startswith("b:arma-")]
    for wanted in (*weapon, *GENEROUS):
        option = decision.option(wanted)
        if wanted in weapon:
            return wanted, rule(
                locators, N_("The hero counts as {weapon}."), weapon=wanted.partition("-")[2]
            )
        if option is not None:
            return wanted, Ruling(decision.ruling.refs, option.msg)
    first = decision.options[0].id
    return first, rule(locators, N_("It is assumed that the answer is {option}."), option=first)


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
