"""The numbers that the book states on the way to its results, for examples 36 to 69.

A line is a step of the resolution: what it is (a running total with what was added and what it came to,
an event, a roll, a draw, or only told), the first rule that it cites, its facts. A step without facts tells the dice before it
and the step after it: which result of the rule it was. The example files check answers, refusals and results.
"""

# ruff: noqa: E501  a line of the book is a line here

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

import pytest

from engine import examples
from engine.aslsk import TITLE
from engine.core.rules import Roll, Step
from tests.citations import kind_of

FOLDER = Path(examples.__file__).parent / "aslsk" / "data" / "examples"

BOOK = {
    "ex-36": ["roll [3.6.interdiction] morale=8 unit=c"],
    "ex-37": ["roll [3.6.interdiction] morale=8 unit=b"],
    "ex-41": [
        "ambush drm +1 = 1 [3.8.ambush]",
        "cite [3.8.ambush] high=4 low=2",
        "cite [3.8.odds] defence=4 fp=4 number=5",
        "roll [3.8.odds] number=5",
        "cite [3.8.odds] defence=4 fp=4 number=5",
        "roll [3.8.odds] number=5",
        "cite [3.8.odds] after 4+5, then Settled [3.8] hex=F5",
    ],
    "ex-42": [
        "ambush drm -1 = -1 [3.8.ambush] unit=k",
        "cite [3.8.ambush] high=5 low=3",
        "cite [3.8.odds] defence=4 fp=6 number=6",
        "CC DRM -1 = -1 [3.8.smc] unit=k",
        "cite [3.8.odds] defence=6 fp=4 number=4",
        "roll [3.8.odds] number=4",
    ],
    "ex-43": [
        "cite [3.8.ambush] high=5 low=3",
        "cite [3.8.odds] defence=4 fp=8 number=7",
        "cite [3.8.odds] defence=4 fp=4 number=5",
        "cite [3.8.odds] defence=8 fp=4 number=4",
        "cite [3.8.odds] defence=4 fp=4 number=5",
        "draw [3.8.odds] b",
    ],
    "ex-44": [
        "cite [3.8.odds] defence=5 fp=5 number=5",
        "CC DRM -1 = -1 [3.8.smc] unit=l",
        "cite [3.8.odds] defence=5 fp=9 number=6",
        "roll [3.8.odds] number=6",
        "cite [3.8.odds] after 3+4, then cite [3.8] side=russian",
        "cite [3.8.odds] after 3+4, then Settled [3.8] hex=J3",
    ],
    "ex-45": [
        "cite [3.8.odds] defence=4 fp=4 number=5",
        "CC DRM -1 = -1 [3.8.ambush]",
        "cite [3.8.odds] defence=4 fp=2 number=4",
        "CC DRM +1 = 1 [3.8.ambush]",
        "cite [3.8.odds] after 2+3, then CcSet [3.8] side=german",
    ],
    "ex-46": [
        "cite [3.8.odds] defence=4 fp=5 number=5",
        "CC DRM +1 = 1 [3.3.1.double_time]",
        "cite [3.8.odds] defence=5 fp=4 number=4",
        "CC DRM -1 = -1 [3.3.1.double_time]",
        "Leader Creation drm +1 = 1 [5.3]",
        "cite [5.3] defence=5 fp=5 number=5",
        "cite [3.8.odds] after 1, then cite [3.8] side=russian",
        "cite [5.3] defence=5 fp=5 number=5",
    ],
    "ex-47b": [
        "TH# x9 = 9 [3.2.4.procedure] how=ITT number=9 range=2 table=th",
        "TH DRM +2 = 2 [6.3] unit=p",
        "TH DRM +1 = 3 [6.7] unit=g1",
        "cite [3.2.4.multi_target] dr=9 result=hit unit=p",
        "cite [3.2.4.effect_infantry] column=12 fp=12",
        "cite [6.7] after 1+1, then Eliminated [6.7] points=0 unit=g1",
        "cite [6.7] after 1+2, then Jammed [6.7] weapon=g2",
        "cite [6.7] after 3+4, then DRM +2 = 2 [6.6] unit=r",
        "DRM +2 = 2 [6.6] unit=r",
        "cite [3.2.3] column=12 dr=9 result=NMC unit=r",
        "TH DRM +1 = 1 [6.7] unit=g4",
        "cite [3.2.4.multi_target] dr=9 result=hit unit=s",
        "cite [3.2.3] column=12 dr=7 result=1MC unit=s",
    ],
    "ex-48": [
        "manhandling DRM +4 = 4 [6.5]",
        "manhandling DRM +1 = 5 [6.5] hex=D5",
        "manhandling DRM -1 = 4 [6.5] unit=l",
        "roll [6.5] number=6 weapon=g",
        "manhandling DRM +2 = 2 [6.5]",
        "manhandling DRM -1 = 1 [6.5] unit=l",
        "roll [6.5] number=9 weapon=g",
        "cite [3.2.3] column=4 fp=4",
        "DRM -2 = -2 [6.5] unit=c",
        "cite [3.2.3] column=4 dr=7 result=PTC",
    ],
    "ex-48d": [
        "manhandling DRM +2 = 2 [6.5]",
        "manhandling DRM +1 = 3 [6.5] hex=C6",
        "manhandling DRM -1 = 2 [6.5] unit=l",
        "manhandling DRM -2 = 0 [6.5]",
        "roll [6.5] number=10 weapon=g",
    ],
    "ex-48e": [
        "cite [3.2.3] column=4 fp=4",
        "DRM +2 = 2 [6.6] unit=c",
        "cite [3.2.3] column=4 dr=7 result=PTC",
        "cite [3.2.3] column=4 fp=4",
        "cite [3.2.3] column=4 dr=5 result=1MC",
    ],
    "ex-50": ["roll [7.5] number=7 unit=t"],
    "ex-51": [
        "Bog DRM +1 = 1 [2.0.ground_pressure]",
        "Bog DRM +3 = 4 [7.6]",
        "roll [7.6] number=8 unit=t",
        "Bog DRM +1 = 1 [2.0.ground_pressure]",
        "roll [7.6] number=11 unit=u",
    ],
    "ex-52": [
        "cite [3.2.3] column=4 fp=5",
        "cite [3.2.3] column=4 dr=7 result=PTC",
        "cite [3.2.3] column=4 fp=5",
        "DRM +2 = 2 [1.1.1.buildings] hex=N9 terrain=wooden building",
        "cite [3.2.3] column=4 dr=7 result=PTC",
    ],
    "ex-52b": [
        "cite [3.2.3] column=6 fp=7",
        "DRM +2 = 2 [1.1.1.buildings] hex=N9 terrain=wooden building",
        "cite [3.2.3] column=6 dr=7 result=NMC",
    ],
    "ex-52c": [
        "cite [3.2.3] column=8 fp=8",
        "DRM +2 = 2 [3.2.4.ca]",
        "cite [3.2.3] column=8 dr=8 result=NMC",
    ],
    "ex-54": [
        "Bog DRM +1 = 1 [2.0.ground_pressure]",
        "Bog DRM +3 = 4 [7.6]",
        "roll [7.6] number=8 unit=t",
        "roll [4.4.2] unit=d",
        "TH DRM +2 = 2 [1.1.1.buildings] hex=Z1 terrain=wooden building",
        "TH DRM +2 = 4 [3.3.2.motion_effects] unit=t",
        "roll [4.4.2] number=6 unit=d",
        "cite [4.4.3] dr=3 result=1MC",
        "cite [3.2.4.location] aspect=side location=hull",
        "TK# +31 = 31 [7.9] ammo=PF tk=31",
        "TK# -6 = 25 [7.1] location=hull",
        "cite [4.4.2] after 6+6, then a question",
    ],
    "ex-55": [
        "roll [3.7.paatc] morale=7 unit=d",
        "cite [3.8.ccv] number=4",
        "CC DRM +2 = 2 [3.8.ccv] unit=t",
        "cite [3.8.ccv] after 2+4, then MoverSet [3.3.3] what=no more defensive fire",
        "cite [3.8.ccv] number=4",
        "roll [3.8.ccv] number=4 unit=t",
        "cite [3.3.4] unit=d",
        "cite [3.2.3.mc] unit=d",
    ],
    "ex-56": [
        "FP x3 = 6 [3.2.2.1] unit=t:bmg",
        "FP x1/2 = 3 [7.8] unit=t:bmg",
        "FP x3 = 12 [3.2.2.1] unit=t:cmg",
        "FP x1/2 = 6 [7.8] unit=t:cmg",
        "cite [3.2.3] column=8 fp=9",
        "DRM +2 = 2 [1.1.1.buildings] hex=Z1 terrain=wooden building",
        "cite [3.2.3] column=8 dr=9 result=PTC",
    ],
    "ex-56b": [
        "FP x1/2 = 3 [2.0.motion_fire] unit=t:cmg",
        "cite [3.2.3] column=4 fp=9/2",
        "cite [3.2.3] column=4 dr=9 result=-",
    ],
    "ex-57": [
        "PAATC DRM -1 = -1 [3.7.paatc] unit=l",
        "roll [3.7.paatc] morale=8 unit=a",
        "roll [3.7.paatc] morale=8 unit=b",
        "roll [3.7.paatc] morale=8 unit=c",
    ],
    "ex-58": [
        "cite [3.8.ccv] number=6",
        "CC DRM +2 = 2 [3.8.ccv] unit=t",
        "CC DRM -1 = 1 [3.8.smc] unit=l",
        "cite [3.8.odds] defence=5 fp=9 number=6",
        "cite [3.8.ccv] number=3",
        "CC DRM -1 = -1 [3.8.ccv] unit=t",
    ],
    "ex-58b": [
        "cite [3.8.odds] defence=5 fp=5 number=5",
        "cite [3.8.ccv] number=5",
        "CC DRM -1 = -1 [3.8.ccv] unit=t",
        "cite [3.8.odds] defence=6 fp=4 number=4",
    ],
    "ex-59": [
        "TH# x10 = 10 [3.2.4.procedure] how=VTT number=10 range=3 table=th",
        "TH DRM +2 = 2 [3.2.4.ca] unit=k:ma",
        "TH DRM +1 = 3 [7.7] unit=k:ma",
        "TH DRM +2 = 5 [1.2.5] hex=F4",
        "TH DRM +2 = 2 [3.3.2.motion_effects] unit=t",
        "cite [3.2.4.vtt] dr=10 result=hit unit=t",
        "cite [3.2.4.location] aspect=front location=turret",
        "TK# +12 = 12 [7.9] ammo=AP tk=12",
        "TK# -6 = 6 [7.1] location=turret",
        "roll [7.10] unit=t",
        "cite [7.10] unit=t",
    ],
    "ex-60": [
        "TH# x10 = 10 [3.2.4.procedure] how=VTT number=10 range=3 table=th",
        "TH DRM +1 = 1 [7.7] unit=k:ma",
        "TH DRM +2 = 3 [3.2.4.intensive_fire] unit=k:ma",
        "TH DRM +2 = 5 [1.2.5] hex=F4",
        "TH DRM -1 = 4 [6.10]",
        "TH DRM +2 = 2 [3.3.2.motion_effects] unit=t",
        "cite [3.2.4.vtt] dr=10 result=hit unit=t",
        "cite [3.2.4.location] aspect=rear location=hull",
        "TK# +1 = 13 [7.9]",
        "TK# -3 = 10 [7.1] location=hull",
    ],
    "ex-61": [
        "TH# x10 = 10 [3.2.4.procedure] how=VTT number=10 range=3 table=th",
        "cite [6.2.heat] after no roll, then TH DRM +4 = 4 [3.5.vehicles] unit=t:ma",
        "TH DRM +4 = 4 [3.5.vehicles] unit=t:ma",
        "TH DRM +1 = 5 [7.7] unit=t:ma",
        "TH DRM +2 = 7 [1.2.5] hex=F4",
        "TH DRM -1 = -1 [7.3] unit=k",
        "cite [3.2.4.procedure] dr=11 result=miss unit=k",
    ],
    "ex-61b": [
        "cite [2.0.motion_fire] n=7",
        "cite [3.2.4.procedure] dr=13 result=miss unit=k",
    ],
    "ex-62": [
        "TH DRM +1 = 1 [7.7] unit=k:ma",
        "TH DRM +2 = 3 [1.2.5] hex=F4",
        "TH DRM -2 = 1 [6.10]",
        "cite [3.2.4.procedure] dr=11 result=miss unit=t",
        "TH DRM +1 = 1 [7.7] unit=t:ma",
        "TH DRM +2 = 3 [1.2.5] hex=F4",
        "TH DRM -1 = 2 [6.10]",
        "TH DRM -1 = -1 [7.3] unit=k",
        "cite [3.2.4.vtt] dr=6 result=hit unit=k",
        "cite [3.2.4.location] aspect=front location=turret",
        "TK# +13 = 13 [7.9] ammo=HEAT tk=13",
        "TK# -11 = 2 [7.1] location=turret",
        "cite [3.2.4.location] aspect=side location=hull",
        "TK# +13 = 13 [7.9] ammo=HEAT tk=13",
        "TK# -8 = 5 [7.1] location=hull",
    ],
    "ex-62b": [
        "TK# +7 = 7 [7.9] ammo=HE tk=7",
        "TK# -8 = -1 [7.1] location=hull",
        "cite [7.10] after 1+1, then a question",
    ],
    "ex-63": [
        "TH# x7 = 7 [3.2.4.procedure] how=ATT number=7 range=3 table=th",
        "TH DRM +1 = 1 [7.7] unit=t:ma",
        "TH DRM +2 = 3 [1.2.5] hex=F4",
        "TH DRM -1 = 2 [6.11]",
        "TH DRM +2 = 2 [3.2.4.multi_target]",
        "TH DRM -1 = 1 [7.3] unit=k",
        "cite [3.2.4.multi_target] dr=7 result=hit unit=k",
        "cite [3.2.4.effect_infantry] column=6 fp=6",
        "DRM +1 = 1 [7.11]",
        "cite [7.11] dr=4 result=2MC unit=k",
    ],
    "ex-63b": [
        "cite [7.11] dr=5 result=1MC unit=k",
        "cite [7.11] dr=4 result=2MC unit=k",
    ],
    "ex-64": [
        "TH# x10 = 10 [3.2.4.procedure] how=VTT number=10 range=4 table=th",
        "TH DRM +1 = 1 [7.7] unit=k:ma",
        "TH DRM +1 = 2 [1.1.1.orchard.season] hex=E4",
        "TH DRM +1 = 3 [1.1.1.orchard.season] hex=D4",
        "cite [3.2.4.procedure] dr=11 result=miss unit=t",
    ],
    "ex-65": [
        "cite [3.2.4.vtt] dr=10 result=hit unit=t",
        "cite [3.2.4.location] aspect=front location=hull",
        "TK# -6 = 6 [7.1] location=hull",
        "cite [7.10] unit=t",
        "cite [7.12] dr=9 result=-",
    ],
    "ex-65b": [
        "cite [3.2.4.vtt] dr=10 result=hit unit=t",
        "TK# +7 = 7 [7.9] ammo=HE tk=7",
        "TK# -6 = 1 [7.1] location=hull",
        "cite [7.12] dr=9 result=NMC",
    ],
    "ex-67": [
        "cite [dae2.3] after 4+5, then roll [dae2.31]",
        "roll [dae2.31] 3+5",
        "cite [dae2.4] n=2",
    ],
    "ex-68": [
        "roll [dae2.11] number=9",
        "roll [dae2.3] number=2",
        "cite [dae2.4] n=2",
    ],
    "ex-69": [
        "roll [dae2.3] number=2",
        "cite [dae2.4] n=1",
        "cite [dae2.5] hex=KK16",
        "cite [dae2.5] dr=12 result=PTC unit=y",
        "cite [dae2.5] hex=LL15",
        "cite [dae2.5] dr=7 result=2MC unit=v",
        "cite [dae2.5] hex=LL16",
        "cite [dae2.5] hex=JJ16",
    ],
}


def line(step: Step) -> str:
    """A step by itself."""
    head, tally = kind_of(step), step.tally
    if tally is not None:
        plus = ("+" if tally.value > 0 else "") if tally.operation == "+" else "x"
        value = f"{plus}{tally.value}"
        head = f"{tally.name} {value} = {tally.total}"
    facts = [f"{key}={fact}" for key, fact in sorted(step.ruling.msg.facts.items())]
    return " ".join([head, f"[{step.ruling.refs[0].partition(':')[2]}]", *facts])


def shown(step: Step) -> str:
    """What chance said in a step."""
    if isinstance(step.chance, Roll):
        return "+".join(map(str, step.chance.faces))
    return step.chance.item if step.chance is not None else ""


def lines_of(steps: Sequence[Step]) -> Iterator[str]:
    """Steps as the table writes them; one that has no facts tells what came before and after it."""
    before = "no roll"
    for step, after in zip_longest(steps, steps[1:]):
        text = line(step)
        if step.tally is None and not step.ruling.msg.facts:
            text += (
                f" {shown(step)}"
                if step.chance
                else f" after {before}, then {line(after) if after else 'a question'}"
            )
        before = shown(step) or before
        yield text


@pytest.mark.rule("aslsk:3.2.3", "aslsk:3.2.4.procedure", "aslsk:3.8.odds", "aslsk:7.9")
@pytest.mark.parametrize("name", BOOK)
def test_an_example_goes_through_the_numbers_of_the_book(name):
    playing = examples.Playing(TITLE, examples.read(FOLDER / f"{name}.yaml"))
    assert [fault for _, faults in playing.run() for fault in faults] == []
    said = iter(lines := list(lines_of(playing.game.steps)))
    missing = next((wanted for wanted in BOOK[name] if wanted not in said), None)
    assert missing is None, "\n".join(lines)
