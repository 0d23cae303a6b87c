"""The worked examples of the book, played step by step (data/examples)."""

from __future__ import annotations

import re

import pytest

from engine.core.data import load
from engine.examples import Playing, packaged, read, verify
from engine.game import ScriptedChance
from engine.toi import TITLE
from tests.conftest import known_refs

PATHS = packaged("toi")
EXAMPLES = [read(path) for path in PATHS]
SILENT = {
    "toi:stato.pesca-piu",  # the plus of a starting card draws nothing
    "toi:comando.inizio",  # nobody controls what nobody entered
    "toi:visuale.unita",  # units on the line change nothing
    "toi:miniature.mortaio.no-misto",  # the two kinds of fire are separate options
}
"""Rules whose example shows that nothing happens."""


def marked(example):
    return pytest.param(example, id=example.id, marks=pytest.mark.rule(*example.refs))


every_example = pytest.mark.parametrize("example", [marked(example) for example in EXAMPLES])


@every_example
def test_the_example_comes_out_as_the_book_says(example):
    report = verify(TITLE, example)
    assert report.faults == ()


@every_example
def test_the_dice_given_are_the_dice_rolled(example):
    playing = Playing(TITLE, example)
    for _ in playing.run():
        pass
    chance = playing.game.chance
    assert isinstance(chance, ScriptedChance)
    assert chance._given == []


@every_example
def test_every_position_keeps_the_invariants(example):
    playing = Playing(TITLE, example)
    assert list(TITLE.invariants(playing.game.position.rest)) == []
    for _ in playing.run():
        asked = playing.game.position.decision
        if asked is None or asked.id != "assault.excess":  # the answer ends the excess
            assert list(TITLE.invariants(playing.game.position.draft)) == []


@every_example
def test_the_rules_that_open_it_are_met_on_the_way(example):
    playing = Playing(TITLE, example)
    met = set(playing.game.position.decision.ruling.refs)
    for step, _faults in playing.run():
        decision = playing.game.position.decision
        if decision is not None:
            met.update(decision.ruling.refs)
        met.update(ref for refs in step.refused.values() for ref in refs)
    met.update(ref for step in playing.game.steps for ref in step.ruling.refs)
    assert set(example.refs) - met <= SILENT


@pytest.mark.rule("toi:intro.scenari")
def test_examples_name_rules_that_exist():
    known = known_refs()
    for example in EXAMPLES:
        steps = example.steps
        named = {*example.refs, *(ref for step in steps for ref in step.cites)}
        named.update(ref for step in steps for refs in step.refused.values() for ref in refs)
        assert {ref for ref in named if not ref.startswith("toi:casa.")} <= known, example.id


@pytest.mark.rule("toi:intro.scenari")
def test_all_fifty_two_examples_are_there_with_twenty_of_our_own_after_them():
    found = (re.match(r"\d+", path.stem) for path in PATHS)  # trials have no number of the book
    numbers = {int(number[0]) for number in found if number}
    assert numbers == {*range(1, 53), *range(60, 80)}
    assert [example.id for example in EXAMPLES] == [path.stem for path in PATHS]
    assert {example.title for example in EXAMPLES} == {"toi"}
    assert all(example.note for example in EXAMPLES)


@pytest.mark.rule("toi:intro.scenari")
@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("u:de-1: [toi:visuale", "u:de-2: [toi:visuale", "u:de-2 is offered"),
        ("toi:visuale.quota]", "toi:visuale.fumo]", "not by toi:visuale.fumo"),
        ("dadi: [5, 1, 1, 1]", "dadi: [5, 5, 1, 1]", "units.de-3.figures is"),
        ("opzioni: [u:de-2, u:de-3]", "opzioni: [u:de-4]", "u:de-4 is not offered"),
    ],
)
def test_an_example_that_is_wrong_is_found_out(old, new, fault):
    path = next(path for path in PATHS if path.stem == "20-visuale-stesso-livello")
    text = path.read_text(encoding="utf-8")
    assert old in text
    report = verify(TITLE, load(text.replace(old, new, 1), type(EXAMPLES[0])))
    assert any(fault in str(found) for found in report.faults), report.faults
