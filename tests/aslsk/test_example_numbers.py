"""The numbers that the worked examples state on the way: FP, column, DRM, TH#, final DR."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from engine import examples
from engine.aslsk import TITLE
from tests.citations import ROLL, kind_of

Facts = dict[str, Any]
FOLDER = Path(examples.__file__).parent / "aslsk" / "data" / "examples"


def on(fp: float, column: int) -> Facts:
    """So many FP on a column of the IFT."""
    return {"fp": Fraction(fp), "column": column}


def th(number: int, away: int) -> Facts:
    """A To Hit number at a range."""
    return {"number": number, "range": away}


def needs(number: int) -> Facts:
    """The To Hit number less what the firer's DRM add."""
    return {"kind": ROLL, "ref": "aslsk:3.2.4.procedure", "number": number}


def shot(unit: str, dr: int, result: str) -> Facts:
    """The final To Hit DR against a unit."""
    return {"unit": unit, "dr": dr, "result": result}


def drm(total: int, of: str = "DRM") -> Facts:
    """A running total of DRM."""
    return {"tally": of, "total": total}


def final(dr: int, result: str) -> Facts:
    """The final DR on the IFT."""
    return {"dr": dr, "result": result}


def hits(fp: int, ref: str = "3.2.4.effect_infantry") -> Facts:
    """The FP of an ordnance hit."""
    return {"ref": f"aslsk:{ref}", "fp": fp}


def check(unit: str, morale: int) -> Facts:
    """A MC or PTC passed with so much or less."""
    return {"unit": unit, "morale": morale}


def rallies(unit: str, number: int) -> Facts:
    """A rally passed with so much or less."""
    return {"unit": unit, "number": number}


def leaves(fp: int, hex: str) -> Facts:
    """Residual FP."""
    return {"kind": "ResidualPlaced", "fp": fp, "hex": hex}


NUMBERS: dict[str, list[Facts]] = {
    "ex-01": [on(8, 8), final(9, "PTC")],
    "ex-01b": [on(4, 4), drm(1), final(8, "-"), drm(1), final(7, "PTC"), on(8, 8), final(9, "PTC")],
    "ex-02": [on(4, 4), drm(1), final(7, "PTC")],
    "ex-03": [on(4, 4), drm(2), drm(1), final(7, "PTC")],
    "ex-04": [on(4, 4), drm(-2), final(6, "NMC")],
    "ex-04c": [on(4, 4), drm(1), drm(0), final(7, "PTC")],
    "ex-06": [on(4, 4), drm(1), final(6, "NMC"), drm(3), final(10, "-")],
    "ex-07": [
        *(on(6, 6), drm(1), final(7, "NMC")),
        *(on(6, 6), drm(2), drm(3), final(8, "PTC")),
        *(th(7, 3), needs(7), shot("e", 6, "hit"), hits(4), final(7, "PTC")),
        *(on(6, 6), drm(1), final(8, "PTC")),
    ],
    "ex-07b": [on(4, 4), drm(3), final(7, "PTC")],
    "ex-07c": [th(7, 2), needs(6), shot("a", 6, "hit"), hits(3), final(6, "PTC")],
    "ex-08": [on(12, 12), final(9, "NMC"), on(6, 6), drm(1), drm(2), final(7, "NMC")],
    "ex-08b": [on(18, 16), drm(2), final(10, "NMC")],
    "ex-08c": [on(12, 12), drm(-2), final(7, "1MC"), check("e", 6)],
    "ex-08d": [on(8, 8), drm(1), final(7, "1MC"), check("f", 5)],
    "ex-08e": [on(8, 8), drm(-1), final(7, "1MC")],
    "ex-09": [on(4, 4), final(7, "PTC"), on(4, 4), drm(1), final(8, "-")],
    "ex-10": [drm(1, "rally DRM"), drm(0, "rally DRM"), rallies("a", 7)],
    "ex-11": [
        *(drm(-1, "rally DRM"), drm(3, "rally DRM"), drm(2, "rally DRM"), rallies("b", 5)),
        *(drm(-1, "rally DRM"), drm(-2, "rally DRM"), rallies("c", 9)),
    ],
    "ex-12": [on(19, 16), drm(1), drm(4), final(10, "NMC"), check("x", 7), check("y", 7)],
    "ex-13": [on(3.5, 2), drm(2), final(4, "1MC"), check("w", 6)],
    "ex-14": [on(10, 8), {"n": 2}, final(4, "1MC"), check("z", 6)],
    "ex-15": [th(8, 4), drm(2, "TH DRM"), needs(6), drm(3, "TH DRM"), shot("x", 10, "miss")],
    "ex-15b": [th(7, 4), needs(5), shot("x", 7, "hit"), hits(8), drm(1), final(8, "NMC")],
    "ex-16": [
        *(th(8, 4), drm(1, "TH DRM"), drm(2, "TH DRM"), shot("x", 5, "hit")),
        *(hits(16), final(7, "2MC"), check("x", 5)),
    ],
    "ex-17": [th(9, 2), drm(1, "TH DRM"), drm(2, "TH DRM"), needs(7), shot("y", 10, "miss")],
    "ex-18": [
        *(th(9, 2), drm(2, "TH DRM"), drm(3, "TH DRM"), drm(2, "TH DRM")),
        *(needs(7), shot("y", 10, "miss")),
    ],
    "ex-19": [
        *(th(9, 2), drm(3, "TH DRM"), shot("x", 10, "miss")),
        *(th(9, 2), drm(-1, "TH DRM"), drm(2, "TH DRM"), shot("x", 9, "hit")),
        *(hits(12), final(7, "1MC"), check("x", 6)),
    ],
    "ex-19b": [th(7, 2), needs(7), shot("x", 7, "hit"), hits(6), drm(3), final(8, "PTC")],
    "ex-20": [
        *(th(8, 3), drm(3, "TH DRM"), drm(2, "ROF"), drm(1, "ROF"), drm(4, "TH DRM")),
        *(shot("y", 8, "hit"), hits(12), final(7, "1MC"), check("y", 5)),
    ],
    "ex-21": [
        *(th(7, 3), drm(4, "TH DRM"), needs(3), drm(3, "ROF"), shot("x", 8, "miss")),
        *(th(7, 3), drm(-1, "TH DRM"), needs(8), drm(3, "ROF"), shot("x", 7, "hit")),
        *(hits(8), drm(3), final(10, "-")),
        *(th(7, 3), needs(7), shot("y", 6, "hit"), hits(8), drm(-1), final(7, "1MC")),
    ],
    "ex-22": [th(7, 2), needs(7), shot("y", 6, "hit"), hits(3), drm(-1), final(1, "1KIA")],
    "ex-23": [
        *(th(9, 2), drm(-2, "TH DRM"), drm(1, "TH DRM"), shot("x", 4, "hit"), shot("y", 4, "hit")),
        *(hits(20), drm(-3), final(5, "2KIA"), final(8, "2MC")),
    ],
    "ex-23b": [th(6, 7), shot("x", 4, "hit"), hits(20), final(11, "NMC"), final(11, "NMC")],
    "ex-24": [
        *(th(8, 2), drm(1, "TH DRM"), drm(4, "TH DRM"), shot("x", 8, "hit")),
        *(hits(8, "6.2.heat"), final(8, "NMC"), on(7, 6), drm(4), final(13, "-")),
    ],
    "ex-24b": [th(8, 2), shot("x", 6, "hit"), drm(-3), final(6, "2MC")],
    "ex-24c": [th(8, 2), drm(2, "TH DRM"), drm(3, "TH DRM"), shot("x", 10, "miss")],
    "ex-24d": [th(8, 2), final(3, "1MC"), shot("x", 8, "hit"), final(8, "NMC")],
    "ex-27": [on(4, 4), drm(3), drm(2), final(8, "-"), leaves(2, "J3")],
    "ex-28": [on(5, 4), drm(-2), final(7, "PTC"), leaves(2, "K3")],
    "ex-29": [on(4.5, 4), drm(-2), final(4, "1MC"), leaves(2, "I5")],
    "ex-29b": [on(4.5, 4), drm(-2), final(8, "-"), leaves(1, "I5")],
    "ex-29c": [on(4.5, 4), {"n": 1}, final(4, "1MC"), leaves(1, "I5")],
    "ex-29d": [on(4.5, 4), {"n": 1}, final(8, "-")],
    "ex-30": [{"fp": 2, "hex": "I5"}, drm(-2), final(7, "-")],
    "ex-33": [on(9, 8), drm(3), drm(2), final(9, "PTC"), leaves(4, "J5"), {"dr": 7, "unit": "d"}],
    "ex-34": [on(4.5, 4), drm(-1), final(9, "-"), leaves(1, "K6"), {"dr": 10, "unit": "d"}],
    "ex-34b": [on(4.5, 4), drm(-1), final(9, "-"), leaves(1, "K6"), {"dr": 10, "unit": "d"}],
}


def told(playing: examples.Playing) -> list[Facts]:
    """What each step of a game says: its facts, its kind, its first rule, its running total."""
    found = []
    for step in playing.game.steps:
        facts: Facts = {**step.ruling.msg.facts, "kind": kind_of(step), "ref": step.ruling.refs[0]}
        if step.tally is not None:
            facts |= {"tally": step.tally.name, "total": step.tally.total}
        found.append(facts)
    return found


@pytest.mark.rule("aslsk:3.2.3")
@pytest.mark.rule("aslsk:3.2.4.procedure")
@pytest.mark.parametrize("name", NUMBERS)
def test_an_example_goes_through_the_numbers_of_the_book(name):
    playing = examples.Playing(TITLE, examples.read(FOLDER / f"{name}.yaml"))
    assert [faults for _step, faults in playing.run() if faults] == []
    steps = iter(told(playing))
    for wanted in NUMBERS[name]:
        assert any(wanted.items() <= facts.items() for facts in steps), wanted


@pytest.mark.rule("aslsk:1.4")
@pytest.mark.parametrize("path", examples.packaged("aslsk"), ids=lambda path: path.stem)
def test_every_die_and_draw_of_an_example_is_used(path):
    example = examples.read(path)
    playing = examples.Playing(TITLE, example)
    for _ in playing.run():
        pass
    given = sum((step.dice is not None) + (step.draw is not None) for step in example.steps)
    assert sum(step.chance is not None for step in playing.game.steps) == given
