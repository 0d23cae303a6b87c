"""What odds are worth knowing at a decision. No rules of their own: the procedures answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.core.decisions import Decision
from engine.core.rules import Command, Ruling
from engine.core.text import N_, NP_, Fact, Msg, msg
from engine.core.title import Question
from engine.toi.state import tables
from engine.toi.state.book import rule
from engine.toi.state.state import MINES, NORMAL, State, Unit
from engine.toi.state.units import by_hex, obstacles_at

NORMAL_ANSWER, SUPPRESSIVE_ANSWER = "b:normale", "b:soppressivo"

Read = Callable[[State, State], Msg]


# --- what came of it --------------------------------------------------------------------------


def fate(name: str) -> Read:
    """What happened to one unit; the fact `fate` says it for those who rank results."""

    def read(before: State, after: State) -> Msg:
        old, new = before.units.get(name), after.units.get(name)
        if old is None or new is None:
            return msg(N_("{unit} is lost"), unit=name, fate="lost")
        if new.condition != old.condition and new.condition != NORMAL:
            words = N_("{unit} is {condition}")
            return msg(words, unit=name, condition=new.condition, fate="condition")
        if new.damage != old.damage:
            words = N_("{unit}: {damage} damage")
            return msg(words, unit=name, damage=new.damage, fate="damage")
        lost = len(old.figures) - len(new.figures)
        if lost > 0:
            plural = NP_("{unit} loses {n} figure", "{unit} loses {n} figures")
            return msg(plural, unit=name, n=lost, fate="figures")
        return msg(N_("{unit}: no effect"), unit=name, fate="none")

    return read


def clash(active: str, label: str) -> Read:
    """How an assault ended, and what it cost."""

    def read(before: State, after: State) -> Msg:
        side = before.units[active].side
        mine = _figures(before, side) - _figures(after, side)
        theirs = _figures(before, side, others=True) - _figures(after, side, others=True)
        held = any(unit.side != side for unit in by_hex(after.units).get(label, ()))
        facts: dict[str, Fact] = {
            "hex": label,
            "mine": mine,
            "theirs": theirs,
            "fate": "holds" if held else "cleared",
        }
        if held:
            return Msg(N_("{hex} holds: {mine} figures lost, {theirs} killed"), facts)
        return Msg(N_("{hex} is cleared: {mine} figures lost, {theirs} killed"), facts)

    return read


def _figures(state: State, side: str, others: bool = False) -> int:
    return sum(len(unit.figures) for unit in state.units.values() if (unit.side == side) != others)


# --- what is taken for granted ----------------------------------------------------------------

GRANTED: dict[str, tuple[str, Ruling]] = {
    "fire.support": (
        "b:fuoco",
        rule("fuoco-combinato.quando#dichiari", N_("Nobody else supports")),
    ),
    "mortars.support": (
        "b:fuoco",
        rule("fuoco-combinato.quando#dichiari", N_("Nobody else supports")),
    ),
    "assault.support": ("b:assalto", rule("assalto.1-supporto#due", N_("Nobody else supports"))),
    "fire.figures": (
        "b:tutti",
        rule("combattimento.miste#lasciare-fuori", N_("All figures take part")),
    ),
    "fire.thick-armor": (
        "b:si",
        rule("miniature.carro.blindatura-solida#gira", N_("The owner uses it")),
    ),
    "cards.discard": ("b:si", rule("strategia.area-di-gioco#scarta", N_("The owner uses it"))),
    "fire.reroll": ("b:rilancia", rule("operazioni.generale#regola", N_("The owner uses it"))),
    "assault.concealed": (
        "b:partecipa",
        rule("faq.assalto-nascoste#partecipa", N_("Concealed squads fight")),
    ),
    "opfire.react": ("b:no", rule("fuoco-op.innesco#attacca", N_("The enemy holds fire"))),
}
"""What is answered in between, by question, and why."""


def assume(kind: str) -> Callable[[Decision], tuple[str, Ruling] | None]:
    """Answers to what is asked in between: no more support, all figures, the given type."""

    def policy(decision: Decision) -> tuple[str, Ruling] | None:
        if decision.id == "fire.kind":
            return kind, rule("attacco.3-tipo#dichiari", N_("The attack is of the given type"))
        if decision.id in ("losses.figure", "assault.losses"):
            first = decision.options[0].id
            return first, rule(
                "danni.squadra#sceglie", N_("The owner loses the first figure named")
            )
        answer = GRANTED.get(decision.id)
        return answer if answer and decision.option(answer[0]) is not None else None

    return policy


# --- the questions ----------------------------------------------------------------------------


def questions(state: State, decision: Decision) -> tuple[Question, ...]:
    """The questions of a decision."""
    ask = ASKED.get(decision.id)
    return tuple(ask(state, decision)) if ask is not None else ()


def _kinds(target: Unit) -> tuple[tuple[str, str], ...]:
    normal = (NORMAL_ANSWER, N_("normal attack"))
    return (
        (normal, (SUPPRESSIVE_ANSWER, N_("suppressive attack"))) if target.is_squad else (normal,)
    )


def _shots(state: State, decision: Decision) -> Iterator[Question]:
    unit = str(decision.ruling.msg.facts["unit"])
    for option in decision.options:
        if option.kind == "unit":
            target = state.units[option.id[2:]]
            for answer, kind in _kinds(target):
                yield Question(
                    msg(
                        N_("{unit} fires at {target}: {kind}"),
                        unit=unit,
                        target=target.id,
                        kind=kind,
                    ),
                    (Command(decision.side, option.id),),
                    fate(target.id),
                    assume(answer),
                )
        elif option.kind == "hex":
            label = option.id[2:]
            for one in by_hex(state.units).get(label, ()):
                for answer, kind in _kinds(one):
                    yield Question(
                        msg(
                            N_("Mortars of {unit} on {hex}, {target}: {kind}"),
                            unit=unit,
                            hex=label,
                            target=one.id,
                            kind=kind,
                        ),
                        (Command(decision.side, option.id),),
                        fate(one.id),
                        assume(answer),
                    )


def _types(state: State, decision: Decision) -> Iterator[Question]:
    unit = str(decision.ruling.msg.facts["unit"])
    for option in decision.options:
        kind = N_("normal attack") if option.id == NORMAL_ANSWER else N_("suppressive attack")
        yield Question(
            msg(N_("{unit}: {kind}"), unit=unit, kind=kind),
            (Command(decision.side, option.id),),
            worst_hit,
            assume(option.id),
        )


def _groups(_state: State, decision: Decision) -> Iterator[Question]:
    """A normal attack by each group of figures that may be chosen (combattimento.miste)."""
    unit = str(decision.ruling.msg.facts["unit"])
    for option in decision.options:
        yield Question(
            msg(
                N_("{unit}, {group}: {kind}"),
                unit=unit,
                group=option.msg.id,
                kind=N_("normal attack"),
            ),
            (Command(decision.side, option.id),),
            worst_hit,
            assume(NORMAL_ANSWER),
        )


def worst_hit(before: State, after: State) -> Msg:
    """What happened to the unit that suffered, whoever it was."""
    for name, old in before.units.items():
        new = after.units.get(name)
        if new is None or (new.figures, new.condition, new.damage) != (
            old.figures,
            old.condition,
            old.damage,
        ):
            return fate(name)(before, after)
    return msg(N_("No effect"), fate="none")


def _supports(state: State, decision: Decision) -> Iterator[Question]:
    facts = decision.ruling.msg.facts
    name = str(facts.get("target", facts["unit"]))
    target = state.units.get(name)
    if target is None:
        return
    for option in decision.options:
        if option.id == "b:no":
            continue
        for answer, kind in _kinds(target):
            yield Question(
                msg(N_("{option}, {target}: {kind}"), option=option.id, target=name, kind=kind),
                (Command(decision.side, option.id),),
                fate(name),
                assume(answer),
            )


def _assaults(state: State, decision: Decision) -> Iterator[Question]:
    facts = decision.ruling.msg.facts
    unit = str(facts["unit"])
    for option in decision.options:
        label = str(facts.get("hex", option.id[2:]))
        yield Question(
            msg(N_("{unit} assaults {hex}: {option}"), unit=unit, hex=label, option=option.id),
            (Command(decision.side, option.id),),
            clash(unit, label),
            assume(NORMAL_ANSWER),
        )


def _steps(state: State, decision: Decision) -> Iterator[Question]:
    """What a minefield would do to whoever enters it."""
    unit = str(decision.ruling.msg.facts["unit"])
    for option in decision.options:
        if option.kind == "hex" and MINES in obstacles_at(state, option.id[2:]):
            yield Question(
                msg(N_("{unit} enters the minefield in {hex}"), unit=unit, hex=option.id[2:]),
                (Command(decision.side, option.id),),
                fate(unit),
                assume(NORMAL_ANSWER),
            )


def _calls(state: State, decision: Decision) -> Iterator[Question]:
    """Whether a card makes contact."""
    for option in decision.options:
        name = option.id[2:]
        if option.kind == "card" and tables.CARDS[name].effect.contact:
            yield Question(
                msg(N_("{card}: contact"), card=name),
                (Command(decision.side, option.id),),
                contact(name),
            )


def contact(name: str) -> Read:
    """Whether a card waits in the play area for another call."""

    def read(before: State, after: State) -> Msg:
        waits = any(played.card == name for army in after.armies.values() for played in army.area)
        if waits:
            return msg(N_("No contact"), fate="silence")
        return msg(N_("Contact"), fate="contact")

    return read


def _cures(state: State, decision: Decision) -> Iterator[Question]:
    unit = str(decision.ruling.msg.facts["unit"])
    if any(option.id == "b:cura" for option in decision.options):
        yield Question(
            msg(N_("{unit} heals"), unit=unit),
            (Command(decision.side, "b:cura"),),
            healed,
            first_option,
        )


def healed(before: State, after: State) -> Msg:
    """Whether somebody received a figure."""
    more = any(
        len(unit.figures) > len(before.units[name].figures)
        for name, unit in after.units.items()
        if name in before.units
    )
    if more:
        return msg(N_("A figure recovers"), fate="recovers")
    return msg(N_("No effect"), fate="unhealed")


def first_option(decision: Decision) -> tuple[str, Ruling] | None:
    """The first squad named is healed."""
    if decision.id != "special.patient":
        return None
    assumed = rule("specializzazioni.medico.cura#dado", N_("The first squad named is healed"))
    return decision.options[0].id, assumed


ASKED: dict[str, Callable[[State, Decision], Iterator[Question]]] = {
    "fire.target": _shots,
    "fire.figures": _groups,
    "fire.kind": _types,
    "fire.support": _supports,
    "opfire.react": _supports,
    "assault.hex": _assaults,
    "assault.support": _assaults,
    "move.next": _steps,
    "action.next": _calls,
    "action.verb": _cures,
}
"""The decisions whose odds are worth asking."""
