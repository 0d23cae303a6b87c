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

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from engine.core.data import load
from engine.core.rules import Refused, RuleBug
from engine.core.text import Fact
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
    faults: tuple[str, ...]
    refs: tuple[str, ...]


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
        self._chance = ScriptedChance(())
        self.game: Game[Any] = Game(title, scenario, self._chance, start=start)

    def run(self) -> Iterator[tuple[ExampleStep, tuple[str, ...]]]:
        """Do every step; yields it with what went wrong in it."""
        for step in self.example.steps:
            yield step, tuple(self._do(step))

    def _do(self, step: ExampleStep) -> Iterator[str]:
        if step.dice is not None:
            self._chance.add(step.dice)
        if step.draw is not None:
            self._chance.add(step.draw)
        yield from self._check_question(step)
        if step.answer is not None:
            try:
                self.game.answer(step.answer)
            except Refused as refused:
                yield f"{step.answer} is refused: {refused}"
            except RuleBug as bug:
                yield f"{step.answer}: {bug}"
        elif step.dice is not None or step.draw is not None:
            self.game.resume(())
        yield from self._check_result(step)

    def _check_question(self, step: ExampleStep) -> Iterator[str]:
        decision = self.game.position.decision
        asks = step.options or step.absent or step.refused or step.odds or step.side or step.answer
        if decision is None:
            if asks:
                yield "nothing is asked"
            return
        if step.side is not None and decision.side != step.side:
            yield f"{decision.side} is asked, not {step.side}"
        offered = {option.id for option in decision.options}
        for wanted in step.options:
            if wanted not in offered:
                yield f"{wanted} is not offered ({', '.join(sorted(offered))})"
        for unwanted in step.absent:
            if unwanted in offered:
                yield f"{unwanted} is offered"
        for option, refs in step.refused.items():
            if option in offered:
                yield f"{option} is offered"
                continue
            against = {ref for ruling in decision.why_not(option) for ref in ruling.refs}
            for ref in refs:
                if ref not in against:
                    yield f"{option} is refused by {', '.join(sorted(against))}, not by {ref}"
        for check in step.odds:
            yield from self._check_odds(check)

    def _check_odds(self, check: OddsCheck) -> Iterator[str]:
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
                    yield f"odds of {check.result}: {total}, not {check.value}"
                return
        yield f"no question about {check.question}"

    def _check_result(self, step: ExampleStep) -> Iterator[str]:
        cited = [ref for s in self.game.steps[self._seen :] for ref in s.ruling.refs]
        for ref in step.cites:
            if ref not in cited:
                yield f"{ref} is not cited ({', '.join(dict.fromkeys(cited))})"
        if step.cites:
            self._seen = len(self.game.steps)
        if step.facts:
            state = msgspec.to_builtins(self.game.position.draft, enc_hook=encode_fraction)
            for path, wanted in step.facts.items():
                found = _lookup(state, path)
                if _plain(found) != wanted:
                    yield f"{path} is {_plain(found)}, not {wanted}"


def verify(title: Title[Any], example: Example) -> Report:
    """Play an example and report every fault."""
    playing = Playing(title, example)
    faults = [
        f"{number}: {fault}"
        for number, (_step, found) in enumerate(playing.run(), start=1)
        for fault in found
    ]
    refs = dict.fromkeys(ref for step in playing.game.steps for ref in step.ruling.refs)
    return Report(example.id, tuple(faults), tuple(refs))


def _matches(wanted: Mapping[str, str], facts: Mapping[str, Fact]) -> bool:
    return all(key in facts and _plain(facts[key]) == value for key, value in wanted.items())


def _lookup(state: Any, path: str) -> Any:
    """A fact by its dotted path; a name that is not there is None."""
    for part in path.split("."):
        if isinstance(state, Mapping):
            state = state.get(part)
        elif isinstance(state, list | tuple) and part.isdigit() and int(part) < len(state):
            state = state[int(part)]
        else:
            return None
    return state


def _plain(value: Any) -> str:
    """A fact as example files write it."""
    if value is None:
        return "niente"
    if isinstance(value, bool):
        return "si" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(_plain(item) for item in value)
    return str(value)
