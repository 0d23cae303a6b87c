"""What the contract asks of a title, as functions that return faults.

The good titles must have none; the broken variants of the reference title must have some.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Container, Iterator, Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

from engine.core.ctx import DrawRequest, RollRequest
from engine.core.decisions import Decision
from engine.core.rules import Command, Draw, Roll
from engine.core.title import Question, Title
from engine.drive import fuzz
from engine.game import Game, SeededChance, digest
from engine.odds import odds
from engine.saves.lines import FORMAT, Header
from engine.saves.replaying import load
from engine.saves.writing import SaveFile
from tests.titles.numbers import Kind, Origin, unexplained

ROOT = Path(__file__).parents[2]
RAW_BRANCHES_AT_MOST = 3_000


def fuzz_faults(title: Title[Any], scenario: str, seeds: range, **how: Any) -> list[str]:
    """Random games with every oracle."""
    found = []
    for seed in seeds:
        _game, findings = fuzz(title, scenario, seed, **how)
        found += [f"{f.oracle}: {f.detail} (seed {seed})" for f in findings]
    return found


def positions(
    title: Title[Any], scenario: str, seed: int, at_most: int
) -> Iterator[tuple[Game[Any], Decision]]:
    """A random game, stopped at every decision."""
    rng = random.Random(seed)
    game = Game(title, scenario, SeededChance(seed))
    for _ in range(at_most):
        decision = game.position.decision
        if decision is None:
            return
        yield game, decision
        game.answer(decision.options[rng.randrange(len(decision.options))].id)


def save_faults(
    title: Title[Any], scenario: str, seed: int, folder: Path, at_most: int, every: int = 1
) -> list[str]:
    """Save at every answer, load at every `every`-th, compare; with some undo on the way."""
    slug = title.info.slug
    path = folder / "partita.prontuario"
    header = Header(FORMAT, slug, title.info.revision, scenario, seed)
    save: SaveFile | None = None
    for number, (game, _decision) in enumerate(positions(title, scenario, seed, at_most)):
        if save is None:
            save = SaveFile.create(path, header, game)
        if number % 7 == 3:
            game.undo(studio=True)
            save.sync(game)
            game.redo()
        save.sync(game)
        if number % every:
            continue
        loaded = load(path, {slug: title})
        if loaded.divergence is not None:
            return [f"after {number} answers: {loaded.divergence}"]
        if loaded.game.entries != game.entries:
            return [f"after {number} answers: other entries"]
        if digest(loaded.game.position.draft) != digest(game.position.draft):
            return [f"after {number} answers: another state"]
        if loaded.game.position.decision != game.position.decision:
            return [f"after {number} answers: another question"]
        if loaded.game.studio != game.studio:
            return [f"after {number} answers: studio mode is forgotten"]
    return []


def number_faults(
    title: Title[Any],
    scenario: str,
    seed: int,
    at_most: int,
    origins: Mapping[Kind, Origin],
    known: Container[Kind] = (),
) -> list[str]:
    """Numbers of a random game whose origin nobody finds, each kind once; without known gaps."""
    *_before, (game, _decision) = positions(title, scenario, seed, at_most)
    found = {kind: value for kind, value in unexplained(game, origins) if kind not in known}
    return [f"{said!r}: {{{name}}} is {value}" for (said, name), value in found.items()]


def transcript(title: Title[Any], scenario: str, seed: int, at_most: int) -> Iterator[str]:
    """A random game as text: events, facts, refs, questions and options, never words."""
    seen = 0
    for game, decision in positions(title, scenario, seed, at_most):
        for step in game.steps[seen:]:
            facts = " ".join(f"{k}={v}" for k, v in sorted(step.ruling.msg.facts.items()))
            chance = ""
            if isinstance(step.chance, Roll):
                chance = f" [{step.chance.dice}: {' '.join(map(str, step.chance.faces))}]"
            elif isinstance(step.chance, Draw):
                chance = f" [{step.chance.pool}: {step.chance.item}]"
            tally = ""
            if step.tally is not None:
                line = step.tally
                tally = f" ({line.operation}{line.value} = {line.total})"
            refs = ",".join(step.ruling.refs)
            event = f" {type(step.event).__name__}" if step.event is not None else ""
            text = f"{'  ' * step.depth}{refs}{event} {facts}{chance}{tally}"
            yield text.rstrip()
        # Steps of the open procedure come again when it is finished.
        seen = len(game.steps) - len(game.position.steps)
        options = " ".join(option.id for option in decision.options)
        asked = f"? {decision.side} {decision.id} {','.join(decision.ruling.refs)}: {options}"
        if decision.refused:
            rulings = [ruling for found in decision.refused.values() for ruling in found]
            against = sorted({ref for ruling in rulings for ref in ruling.refs})
            asked += f" | {' '.join(sorted(decision.refused))} ! {','.join(against)}"
        yield asked


def hash_seed_faults(module: str, name: str, scenario: str) -> list[str]:
    """Two processes with different hash seeds must play the same game, option by option."""
    code = (
        f"from {module} import {name} as made\n"
        "from tests.titles.oracles import transcript\n"
        "title = made() if isinstance(made, type) else made\n"
        f"print('\\n'.join(transcript(title, {scenario!r}, 5, 120)))"
    )
    outputs = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env=environment,
            check=True,
        )
        outputs.append(run.stdout)
    return [] if outputs[0] == outputs[1] and outputs[0].strip() else ["the hash seed matters"]


def odds_faults(title: Title[Any], scenario: str, seeds: range, at_most: int) -> tuple[int, str]:
    """Compare odds with every raw face of every die; how many questions were compared."""
    compared = 0
    for seed in seeds:
        for game, decision in positions(title, scenario, seed, at_most):
            belief = title.belief(game.position.rest, decision.side)
            draft = title.belief(game.position.draft, decision.side)
            for question in title.questions(draft, decision)[:2]:
                raw = raw_distribution(title, belief, game.position.open, question)
                if raw is None:
                    continue
                found = odds(title, belief, game.position.open, question)
                spread = {repr(result): share for result, share in found.spread}
                if sum(spread.values()) != 1:
                    return compared, f"odds of {question.msg} add up to {sum(spread.values())}"
                if found.rolls is None and spread != raw:
                    return compared, f"odds of {question.msg}: {spread}, by raw faces {raw}"
                compared += 1
                if compared >= 12:
                    return compared, ""
    return compared, ""


def raw_distribution(
    title: Title[Any], belief: Any, entries: tuple[Any, ...], question: Question
) -> dict[str, Fraction] | None:
    """The distribution by playing every face of every die through Game; None if too many."""
    before = Game(title, _any_scenario(title), None, start=belief)
    before.resume(entries)
    start = before.position.draft
    answered = sum(isinstance(entry, Command) for entry in entries)
    is_end = question.until or (lambda _rest: True)
    spread: dict[str, Fraction] = {}
    branches = 0

    def walk(game: Game[Any], said: int, weight: Fraction) -> None:
        nonlocal branches
        branches += 1
        if branches > RAW_BRANCHES_AT_MOST:
            raise OverflowError
        if said == len(question.commands):
            end = next((rest for rest in _rests(game, answered + said) if is_end(rest)), None)
            if end is not None:
                note(end, weight)
                return
        position = game.position
        request, decision = position.request, position.decision
        if isinstance(request, RollRequest):
            faces_of = [range(1, die.sides + 1) for die in request.dice.dice]
            total = 1
            for faces in faces_of:
                total *= len(faces)
            if total > RAW_BRANCHES_AT_MOST:
                raise OverflowError
            for faces_rolled in product(*faces_of):
                entry = Roll(request.dice.name, faces_rolled)
                walk(_after(game, entry), said, weight / total)
            return
        if isinstance(request, DrawRequest):
            for item, count in request.pool.items.items():
                share = weight * Fraction(count, request.pool.total)
                walk(_after(game, Draw(request.pool.name, item)), said, share)
            return
        if decision is not None and said < len(question.commands):
            walk(_after(game, question.commands[said]), said + 1, weight)
            return
        if decision is not None and question.assume is not None:
            assumed = question.assume(decision)
            if assumed is not None:
                walk(_after(game, Command(decision.side, assumed[0])), said, weight)
                return
        note(position.draft, weight)

    def note(state: Any, weight: Fraction) -> None:
        result = question.read(start, state)
        spread[repr(result)] = spread.get(repr(result), Fraction(0)) + weight

    def _after(game: Game[Any], entry: Any) -> Game[Any]:
        again: Game[Any] = Game(title, game.scenario, None, start=belief)
        again.resume((*game.entries, entry))
        return again

    try:
        walk(before, 0, Fraction(1))
    except OverflowError:
        return None
    return spread


def _rests(game: Game[Any], answers: int) -> Iterator[Any]:
    """The resting states after so many answers of players, the first one first."""
    given = 0
    rests = [*(passage.rest for passage in game.passages), game.position.rest][1:]
    for passage, rest in zip(game.passages, rests, strict=True):
        given += sum(isinstance(entry, Command) for entry in passage.entries)
        if given >= answers:
            yield rest


def _any_scenario(title: Title[Any]) -> str:
    return title.scenarios()[0].id
