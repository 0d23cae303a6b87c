"""Playable examples: a position, what is answered, the dice, and what must come of it.

    titolo: toi
    id: fuoco-combinato-1
    nome: Due squadre sparano insieme
    refs: [toi:fuoco-combinato.calcolo]     # the rules that open this example
    nota: What the book leaves out and we filled in.
    posizione: {…}                          # the title's own form: Title.position
    passi:
      - dadi: [6, 5, 2, 1]                  # the next roll
      - pesca: fumo                         # the next draw
      - opzioni: [u:us-1]                   # these can be answered now
        vietate: {u:us-2: [toi:attacco.bloccata]}   # these cannot, by (at least) these rules
        probabilita:                        # exact odds, by facts of question and result
          - {domanda: {hex: D1}, risultato: {n: 2}, valore: 1/9}
      - rispondi: u:us-1                    # the answer of whoever is asked
        cita: [toi:attacco.tiro]            # rules cited since the last check
        attesi: {units.de-4.condition: pinned}      # facts of the state after it

A step may hold any of these keys; `dadi` and `pesca` are used by the answers that follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from engine.core.ctx import DrawRequest, RollRequest
from engine.core.data import DataErrors, Document, Fault, load
from engine.core.decisions import Decision
from engine.core.rules import Draw, Refused, Roll, RuleBug
from engine.core.text import N_, Fact, Msg, msg
from engine.core.title import Title
from engine.game import Game, ScriptedChance, encode_fraction
from engine.odds import odds


class OddsCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A probability that the example states."""

    question: dict[str, str] = msgspec.field(name="domanda")
    result: dict[str, str] = msgspec.field(name="risultato")
    value: str = msgspec.field(name="valore")


class ExampleStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing done or checked."""

    dice: tuple[int, ...] | None = msgspec.field(name="dadi", default=None)
    draw: str | None = msgspec.field(name="pesca", default=None)
    answer: str | None = msgspec.field(name="rispondi", default=None)
    side: str | None = msgspec.field(name="lato", default=None)
    options: tuple[str, ...] = msgspec.field(name="opzioni", default=())
    absent: tuple[str, ...] = msgspec.field(name="assenti", default=())
    refused: dict[str, tuple[str, ...]] = msgspec.field(name="vietate", default={})
    cites: tuple[str, ...] = msgspec.field(name="cita", default=())
    facts: dict[str, str] = msgspec.field(name="attesi", default={})
    odds: tuple[OddsCheck, ...] = msgspec.field(name="probabilita", default=())
    note: str = msgspec.field(name="nota", default="")


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A worked example that can be played and checked."""

    title: str = msgspec.field(name="titolo")
    id: str
    name: str = msgspec.field(name="nome")
    refs: tuple[str, ...]
    position: dict[str, Any] = msgspec.field(name="posizione")
    steps: tuple[ExampleStep, ...] = msgspec.field(name="passi")
    scenario: str = ""
    note: str = msgspec.field(name="nota", default="")


class Report(msgspec.Struct, frozen=True):
    """What came of an example: the faults, and every rule that was cited."""

    id: str
    faults: tuple[Fault, ...]
    refs: tuple[str, ...] = ()


class BadScript(Exception):
    """Dice or a draw of an example that cannot be, explained."""

    def __init__(self, wrong: Msg) -> None:
        super().__init__(wrong.id.format(**wrong.facts))
        self.msg = wrong


class Script(ScriptedChance):
    """The dice and draws of an example; BadScript when one cannot be."""

    def roll(self, request: RollRequest, index: int) -> Roll:
        """The next faces."""
        found = super().roll(request, index)
        if request.dice.accepts(found.faces):
            return found
        sides = tuple(die.sides for die in request.dice.dice)
        text = N_("The dice cannot show {faces}: they have {sides} faces")
        raise BadScript(msg(text, faces=found.faces, sides=sides))

    def draw(self, request: DrawRequest, index: int) -> Draw:
        """The next item."""
        found = super().draw(request, index)
        if request.pool.items.get(found.item):
            return found
        allowed = tuple(item for item, n in request.pool.items.items() if n)
        text = N_("{item} cannot be drawn. What is left: {allowed}")
        raise BadScript(msg(text, item=found.item, allowed=allowed))


def read(path: Path) -> Example:
    """An example from its file; DataErrors names every fault."""
    return load(path, Example)


def packaged(slug: str) -> tuple[Path, ...]:
    """The example files that a title ships."""
    return tuple(sorted((Path(__file__).parent / slug / "data" / "examples").glob("*.yaml")))


class Playing:
    """An example being played, step by step, so that a screen can show each position."""

    def __init__(self, title: Title[Any], example: Example) -> None:
        self.title = title
        self.example = example
        self._seen = 0
        scenario = example.scenario or title.scenarios()[0].id
        start = title.position(example.position)
        self._chance = Script(())
        self.game: Game[Any] = Game(title, scenario, self._chance, start=start)

    def run(self) -> Iterator[tuple[ExampleStep, tuple[Msg, ...]]]:
        """Do every step; yields it with what went wrong in it. After one that cannot be done, the
        others make no sense."""
        for step in self.example.steps:
            try:
                wrong = tuple(self._do(step))
            except BadScript as bad:
                yield step, (bad.msg,)
                return
            except Refused as refused:
                yield step, (self._refusal(step.answer or "", refused),)
                return
            except (RuleBug, KeyError, ValueError, IndexError, TypeError, AttributeError) as error:
                yield step, (why_impossible(error),)  # a position that no game leads to
                return
            yield step, wrong

    def _do(self, step: ExampleStep) -> Iterator[Msg]:
        if step.dice is not None:
            self._chance.add(step.dice)
        if step.draw is not None:
            self._chance.add(step.draw)
        yield from self._check_question(step)
        if step.answer is not None:
            if self.game.position.decision is not None:
                self.game.answer(step.answer)
        elif step.dice is not None or step.draw is not None:
            self.game.resume(())
        yield from self._check_result(step)

    def _refusal(self, answer: str, refused: Refused) -> Msg:
        against = tuple(ref for ruling in refused.rulings for ref in ruling.refs)
        decision = self.game.position.decision
        allowed = tuple(option.id for option in decision.options) if decision else ()
        text = N_("{answer} cannot be answered ({refs}). What can: {allowed}")
        return msg(text, answer=answer, refs=against, allowed=allowed)

    def _check_question(self, step: ExampleStep) -> Iterator[Msg]:
        decision = self.game.position.decision
        asks = step.options or step.absent or step.refused or step.odds or step.side or step.answer
        if decision is None:
            if asks:
                yield msg(N_("Nothing is asked"))
            return
        if step.side is not None and decision.side != step.side:
            yield msg(N_("{side} is asked, not {wanted}"), side=decision.side, wanted=step.side)
        yield from self._check_offers(step, decision)
        for check in step.odds:
            yield from self._check_odds(check)

    def _check_offers(self, step: ExampleStep, decision: Decision) -> Iterator[Msg]:
        offered = {option.id for option in decision.options}
        for wanted in step.options:
            if wanted not in offered:
                text = N_("{option} is not offered. What is: {allowed}")
                yield msg(text, option=wanted, allowed=tuple(sorted(offered)))
        for unwanted in step.absent:
            if unwanted in offered:
                yield msg(N_("{option} is offered"), option=unwanted)
        for option, refs in step.refused.items():
            if option in offered:
                yield msg(N_("{option} is offered"), option=option)
                continue
            against = {ref for ruling in decision.why_not(option) for ref in ruling.refs}
            for ref in refs:
                if ref not in against:
                    text = N_("{option} is refused by {refs}, not by {ref}")
                    yield msg(text, option=option, refs=tuple(sorted(against)), ref=ref)

    def _check_odds(self, check: OddsCheck) -> Iterator[Msg]:
        position = self.game.position
        assert position.decision is not None
        belief = self.title.belief(position.rest, position.decision.side)
        draft = self.title.belief(position.draft, position.decision.side)
        for question in self.title.questions(draft, position.decision):
            if _matches(check.question, question.msg.facts):
                found = odds(self.title, belief, position.open, question)
                total = sum(
                    (p for result, p in found.spread if _matches(check.result, result.facts)),
                    Fraction(0),
                )
                if total != Fraction(check.value):
                    text = N_("odds of {result}: {value}, not {wanted}")
                    asked = _facts(check.result)
                    yield msg(text, result=asked, value=total, wanted=check.value)
                return
        yield msg(N_("no question about {question}"), question=_facts(check.question))

    def _check_result(self, step: ExampleStep) -> Iterator[Msg]:
        cited = [ref for s in self.game.steps[self._seen :] for ref in s.ruling.refs]
        for ref in step.cites:
            if ref not in cited:
                text = N_("{ref} is not cited. What is: {refs}")
                yield msg(text, ref=ref, refs=tuple(dict.fromkeys(cited)))
        if step.cites:
            self._seen = len(self.game.steps)
        if step.facts:
            state = msgspec.to_builtins(self.game.position.draft, enc_hook=encode_fraction)
            for path, wanted in step.facts.items():
                found = _lookup(state, path)
                if _plain(found) != wanted:
                    text = N_("{path} is {value}, not {wanted}")
                    yield msg(text, path=path, value=_plain(found), wanted=wanted)


def verify(title: Title[Any], example: Example, source: Document | None = None) -> Report:
    """Play an example and report every fault, at its line where the document is given."""
    doc = source or Document.of("", "esempio")
    known = tuple(info.id for info in title.scenarios())
    if example.scenario and example.scenario not in known:
        text = N_("{value} is not one of: {allowed}")
        doc.fault("$.scenario", msg(text, value=example.scenario, allowed=known))
        return Report(example.id, tuple(doc.faults))
    try:
        playing = Playing(title, example)
    except DataErrors as errors:
        for fault in errors.faults:
            path = f"$.posizione{fault.path.removeprefix('$').removeprefix('.posizione')}"
            doc.fault(path, fault.msg)
        return Report(example.id, tuple(doc.faults))
    except (RuleBug, KeyError, ValueError, IndexError, TypeError, AttributeError) as error:
        doc.fault("$.posizione", why_impossible(error))
        return Report(example.id, tuple(doc.faults))
    for number, (_step, found) in enumerate(playing.run()):
        for wrong in found:
            doc.fault(f"$.passi[{number}]", wrong)
    refs = dict.fromkeys(ref for step in playing.game.steps for ref in step.ruling.refs)
    return Report(example.id, tuple(doc.faults), tuple(refs))


def check(title: Title[Any], path: Path) -> tuple[Fault, ...]:
    """Every fault of an example file: its form, its position, and what comes of its steps."""
    try:
        doc = Document(path)
        return verify(title, doc.convert(Example), doc).faults
    except DataErrors as errors:
        return errors.faults


def why_impossible(error: Exception) -> Msg:
    """Our message for data that make the rules stumble: a name that is not there, most often."""
    if isinstance(error, KeyError):
        name = error.args[0] if error.args else ""
        text = ", ".join(map(str, name)) if isinstance(name, tuple) else str(name)
        return msg(N_("the game looks for {name} and does not find it"), name=text)
    if quoted := re.search(r"'([^']+)'", str(error)):
        return msg(N_("the game stumbles over {name}"), name=quoted[1])
    return msg(N_("the game does not go on from here"))


def _facts(given: Mapping[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in given.items())


def _matches(wanted: Mapping[str, str], facts: Mapping[str, Fact]) -> bool:
    return all(key in facts and _plain(facts[key]) == value for key, value in wanted.items())


def _lookup(state: Any, path: str) -> Any:
    """A fact by its dotted path; a name that is not there is None."""
    for part in path.split("."):
        if isinstance(state, Mapping):
            state = _fact(state, part)
        elif isinstance(state, list | tuple) and part.isdigit() and int(part) < len(state):
            state = state[int(part)]
        else:
            return None
    return state


def _fact(one: Mapping[str, Any], name: str) -> Any:
    """A fact of a counter, or of the part of it that has such a fact."""
    if name in one:
        return one[name]
    parts = (part for part in one.values() if isinstance(part, Mapping))
    return next((part[name] for part in parts if name in part), None)


def _plain(value: Any) -> str:
    """A fact as example files write it."""
    if value is None:
        return "niente"
    if isinstance(value, bool):
        return "si" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(_plain(item) for item in value)
    return str(value)
