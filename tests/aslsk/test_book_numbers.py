"""The numbers that the book states on the way to its results, for examples 36 to 69.

A line is a step of the resolution and the first rule that it cites; lines of a running total end with
what was added and what it came to. The example files check answers, refusals and results.
"""

# ruff: noqa: E501  a line of the book is a line here

from __future__ import annotations

from pathlib import Path

import pytest

from engine import examples
from engine.aslsk import TITLE
from engine.core.rules import Step

FOLDER = Path(examples.__file__).parent / "aslsk" / "data" / "examples"

BOOK = {
    "ex-36": ["c takes a MC: 8 or less [3.6.interdiction]"],
    "ex-37": ["b takes a MC: 8 or less [3.6.interdiction]"],
    "ex-41": [
        "ambush drm: inexperienced, +1 = 1 [3.8.ambush]",
        "no ambush [3.8.ambush]",
        "4 to 4: Kill# 5 [3.8.odds]",
        "CC: under 5 eliminates [3.8.odds]",
        "4 to 4: Kill# 5 [3.8.odds]",
        "CC: under 5 eliminates [3.8.odds]",
        "no effect [3.8.odds]",
    ],
    "ex-42": [
        "ambush drm: k leads, -1 = -1 [3.8.ambush]",
        "no ambush [3.8.ambush]",
        "6 to 4: Kill# 6 [3.8.odds]",
        "CC DRM: k directs, -1 = -1 [3.8.smc]",
        "4 to 6: Kill# 4 [3.8.odds]",
        "CC: under 4 eliminates [3.8.odds]",
    ],
    "ex-43": [
        "no ambush [3.8.ambush]",
        "8 to 4: Kill# 7 [3.8.odds]",
        "4 to 4: Kill# 5 [3.8.odds]",
        "4 to 8: Kill# 4 [3.8.odds]",
        "4 to 4: Kill# 5 [3.8.odds]",
        "who suffers Casualty Reduction? [3.8.odds]",
    ],
    "ex-44": [
        "5 to 5: Kill# 5 [3.8.odds]",
        "CC DRM: l directs, -1 = -1 [3.8.smc]",
        "9 to 5: Kill# 6 [3.8.odds]",
        "CC: under 6 eliminates [3.8.odds]",
        "no effect [3.8.odds]",
        "no effect [3.8.odds]",
    ],
    "ex-45": [
        "4 to 4: Kill# 5 [3.8.odds]",
        "CC DRM: ambush, -1 = -1 [3.8.ambush]",
        "2 to 4: Kill# 4 [3.8.odds]",
        "CC DRM: ambush, +1 = 1 [3.8.ambush]",
        "no effect [3.8.odds]",
    ],
    "ex-46": [
        "5 to 4: Kill# 5 [3.8.odds]",
        "CC DRM: CX attackers, +1 = 1 [3.8.odds]",
        "4 to 5: Kill# 4 [3.8.odds]",
        "CC DRM: CX defenders, -1 = -1 [3.8.odds]",
        "Leader Creation drm: nationality, +1 = 1 [5.3]",
        "with the new leader 5 to 5: Kill# 5 [5.3]",
        "no effect [3.8.odds]",
        "with the new leader 5 to 5: Kill# 5 [5.3]",
    ],
    "ex-47b": [
        "TH# 9 at range 2 [3.2.4.procedure]",
        "TH DRM: p is emplaced, +2 = 2 [6.3]",
        "TH DRM: Case 22: size of g1, +1 = 3 [6.7]",
        "p: final 9, hit [3.2.4.multi_target]",
        "12 FP against what was hit [3.2.4.effect_infantry]",
        "Direct Hit: Gun and crew are destroyed [6.7]",
        "Direct Hit: the Gun malfunctions [6.7]",
        "Near Miss [6.7]",
        "DRM: gunshield of r, +2 = 2 [6.6]",
        "r: final DR 9: NMC [3.2.3]",
        "TH DRM: Case 22: size of g4, +1 = 1 [6.7]",
        "s: final 9, hit [3.2.4.multi_target]",
        "s: final DR 7: 1MC [3.2.3]",
    ],
    "ex-48": [
        "manhandling DRM: MF paid, +4 = 4 [6.5]",
        "manhandling DRM: TEM of D5, +1 = 5 [6.5]",
        "manhandling DRM: l leads, -1 = 4 [6.5]",
        "g is pushed: under 6 [6.5]",
        "manhandling DRM: MF paid, +2 = 2 [6.5]",
        "manhandling DRM: l leads, -1 = 1 [6.5]",
        "g is pushed: under 9 [6.5]",
        "4 FP on the 4 column [3.2.3]",
        "DRM: c moves hazardously, -2 = -2 [6.5]",
        "final DR 7: PTC [3.2.3]",
    ],
    "ex-48d": [
        "manhandling DRM: MF paid, +2 = 2 [6.5]",
        "manhandling DRM: TEM of C6, +1 = 3 [6.5]",
        "manhandling DRM: l leads, -1 = 2 [6.5]",
        "manhandling DRM: across a road hexside, -2 = 0 [6.5]",
        "g is pushed: under 10 [6.5]",
    ],
    "ex-48e": [
        "4 FP on the 4 column [3.2.3]",
        "DRM: gunshield of c, +2 = 2 [6.6]",
        "final DR 7: PTC [3.2.3]",
        "4 FP on the 4 column [3.2.3]",
        "final DR 5: 1MC [3.2.3]",
    ],
    "ex-50": ["t makes smoke with 7 or less [7.5]"],
    "ex-51": [
        "Bog DRM: ground pressure, +1 = 1 [2.0.ground_pressure]",
        "Bog DRM: woods with half its MP, +3 = 4 [7.6]",
        "Bog Check of t: under 8 [7.6]",
        "Bog DRM: ground pressure, +1 = 1 [2.0.ground_pressure]",
        "Bog Check of u: under 11 [7.6]",
    ],
    "ex-52": [
        "5 FP on the 4 column [3.2.3]",
        "final DR 7: PTC [3.2.3]",
        "5 FP on the 4 column [3.2.3]",
        "DRM: wooden building in N9, +2 = 2 [1.1.1.buildings]",
        "final DR 7: PTC [3.2.3]",
    ],
    "ex-52b": [
        "7 FP on the 6 column [3.2.3]",
        "DRM: wooden building in N9, +2 = 2 [1.1.1.buildings]",
        "final DR 7: NMC [3.2.3]",
    ],
    "ex-52c": [
        "8 FP on the 8 column [3.2.3]",
        "DRM: change of CA, +2 = 2 [3.2.4.ca]",
        "final DR 8: NMC [3.2.3]",
    ],
    "ex-54": [
        "Bog DRM: ground pressure, +1 = 1 [2.0.ground_pressure]",
        "Bog DRM: building, +3 = 4 [7.6]",
        "Bog Check of t: under 8 [7.6]",
        "d looks for a PF: 3 or less [4.4.2]",
        "TH DRM: wooden building in Z1, +2 = 2 [1.1.1.buildings]",
        "TH DRM: Case 24: t is moving, +2 = 4 [3.3.2.motion_effects]",
        "d: To Hit 6 [4.4.2]",
        "Backblast 3: 1MC [4.4.3]",
        "hull side [3.2.4.location]",
        "TK#: TK# of PF, +31 = 31 [7.9]",
        "TK#: AF of the hull, -6 = 25 [7.1]",
        "a dud [4.4.2]",
    ],
    "ex-55": [
        "d takes a PAATC: 7 or less [3.7.paatc]",
        "CCV 4 [3.8.ccv]",
        "CC DRM: t is not stopped, +2 = 2 [3.8.ccv]",
        "no effect [3.8.ccv]",
        "CCV 4 [3.8.ccv]",
        "CC against t: under 4 eliminates [3.8.ccv]",
        "the DR is a NMC for d [3.3.4]",
        "d passes [3.2.3.mc]",
    ],
    "ex-56": [
        "FP: TPBF: t:bmg is in the hex, x3 = 6 [3.2.2.1]",
        "FP: t:bmg: Bounding Fire, x1/2 = 3 [7.8]",
        "FP: TPBF: t:cmg is in the hex, x3 = 12 [3.2.2.1]",
        "FP: t:cmg: Bounding Fire, x1/2 = 6 [7.8]",
        "9 FP on the 8 column [3.2.3]",
        "DRM: wooden building in Z1, +2 = 2 [1.1.1.buildings]",
        "final DR 9: PTC [3.2.3]",
    ],
    "ex-56b": [
        "FP: t:cmg is not stopped, x1/2 = 3 [2.0.motion_fire]",
        "9/2 FP on the 4 column [3.2.3]",
        "final DR 9: - [3.2.3]",
    ],
    "ex-57": [
        "PAATC DRM: l leads, -1 = -1 [3.7.paatc]",
        "a takes a PAATC: 8 or less [3.7.paatc]",
        "b takes a PAATC: 8 or less [3.7.paatc]",
        "c takes a PAATC: 8 or less [3.7.paatc]",
    ],
    "ex-58": [
        "CCV 6 [3.8.ccv]",
        "CC DRM: t is not stopped, +2 = 2 [3.8.ccv]",
        "CC DRM: l directs, -1 = 1 [3.8.smc]",
        "9 to 5: Kill# 6 [3.8.odds]",
        "CCV 3 [3.8.ccv]",
        "CC DRM: t is immobile, -1 = -1 [3.8.ccv]",
    ],
    "ex-58b": [
        "5 to 5: Kill# 5 [3.8.odds]",
        "CCV 5 [3.8.ccv]",
        "CC DRM: t is immobile, -1 = -1 [3.8.ccv]",
        "4 to 6: Kill# 4 [3.8.odds]",
    ],
    "ex-59": [
        "TH# 10 at range 3 [3.2.4.procedure]",
        "TH DRM: Case 8: change of CA, +2 = 2 [3.2.4.ca]",
        "TH DRM: Case 13: BU, +1 = 3 [7.7]",
        "TH DRM: smoke in F4, +2 = 5 [1.2.5]",
        "TH DRM: Case 24: t is moving, +2 = 2 [3.3.2.motion_effects]",
        "t: final 10, hit [3.2.4.vtt]",
        "turret front [3.2.4.location]",
        "TK#: TK# of AP, +12 = 12 [7.9]",
        "TK#: AF of the turret, -6 = 6 [7.1]",
        "possible Shock of t: NMC [7.10]",
        "t is not shocked [7.10]",
    ],
    "ex-60": [
        "TH# 10 at range 3 [3.2.4.procedure]",
        "TH DRM: Case 13: BU, +1 = 1 [7.7]",
        "TH DRM: Case 9: Intensive Fire, +2 = 3 [3.2.4.intensive_fire]",
        "TH DRM: smoke in F4, +2 = 5 [1.2.5]",
        "TH DRM: Case 20: acquired target, -1 = 4 [6.10]",
        "TH DRM: Case 24: t is moving, +2 = 2 [3.3.2.motion_effects]",
        "t: final 10, hit [3.2.4.vtt]",
        "hull rear [3.2.4.location]",
        "TK#: rear, +1 = 13 [7.9]",
        "TK#: AF of the hull, -3 = 10 [7.1]",
    ],
    "ex-61": [
        "TH# 10 at range 3 [3.2.4.procedure]",
        "HEAT [6.2.heat]",
        "TH DRM: Case 14: Bounding Fire, +4 = 4 [3.5.vehicles]",
        "TH DRM: Case 13: BU, +1 = 5 [7.7]",
        "TH DRM: smoke in F4, +2 = 7 [1.2.5]",
        "TH DRM: Case 22: size of k, -1 = -1 [7.3]",
        "k: final 11, miss [3.2.4.procedure]",
    ],
    "ex-61b": [
        "Case 16: the lower die counts twice: 7 [2.0.motion_fire]",
        "k: final 13, miss [3.2.4.procedure]",
    ],
    "ex-62": [
        "TH DRM: Case 13: BU, +1 = 1 [7.7]",
        "TH DRM: smoke in F4, +2 = 3 [1.2.5]",
        "TH DRM: Case 20: acquired target, -2 = 1 [6.10]",
        "t: final 11, miss [3.2.4.procedure]",
        "TH DRM: Case 13: BU, +1 = 1 [7.7]",
        "TH DRM: smoke in F4, +2 = 3 [1.2.5]",
        "TH DRM: Case 20: acquired target, -1 = 2 [6.10]",
        "TH DRM: Case 22: size of k, -1 = -1 [7.3]",
        "k: final 6, hit [3.2.4.vtt]",
        "turret front [3.2.4.location]",
        "TK#: TK# of HEAT, +13 = 13 [7.9]",
        "TK#: AF of the turret, -11 = 2 [7.1]",
        "hull side [3.2.4.location]",
        "TK#: TK# of HEAT, +13 = 13 [7.9]",
        "TK#: AF of the hull, -8 = 5 [7.1]",
    ],
    "ex-62b": [
        "TK#: TK# of HE, +7 = 7 [7.9]",
        "TK#: AF of the hull, -8 = -1 [7.1]",
        "no effect [7.10]",
    ],
    "ex-63": [
        "TH# 7 at range 3 [3.2.4.procedure]",
        "TH DRM: Case 13: BU, +1 = 1 [7.7]",
        "TH DRM: smoke in F4, +2 = 3 [1.2.5]",
        "TH DRM: Case 20: acquired hex, -1 = 2 [6.11]",
        "TH DRM: firer DRM, +2 = 2 [3.2.4.multi_target]",
        "TH DRM: Case 22: size of k, -1 = 1 [7.3]",
        "k: final 7, hit [3.2.4.att]",
        "6 FP against what was hit [3.2.4.effect_infantry]",
        "DRM: all AF are 8 or more, +1 = 1 [7.11]",
        "k: final DR 4: 2MC [7.11]",
    ],
    "ex-63b": ["k: final DR 5: 1MC [7.11]", "k: final DR 4: 2MC [7.11]"],
    "ex-64": [
        "TH# 10 at range 4 [3.2.4.procedure]",
        "TH DRM: Case 13: BU, +1 = 1 [7.7]",
        "TH DRM: hindrance of E4, +1 = 2 [1.1.1.orchard.season]",
        "TH DRM: hindrance of D4, +1 = 3 [1.1.1.orchard.season]",
        "t: final 11, miss [3.2.4.procedure]",
    ],
    "ex-65": [
        "t: final 10, hit [3.2.4.vtt]",
        "hull front [3.2.4.location]",
        "TK#: AF of the hull, -6 = 6 [7.1]",
        "t is not shocked [7.10]",
        "final DR 9: - [7.12]",
    ],
    "ex-65b": [
        "t: final 10, hit [3.2.4.vtt]",
        "TK#: TK# of HE, +7 = 7 [7.9]",
        "TK#: AF of the hull, -6 = 1 [7.1]",
        "final DR 9: NMC [7.12]",
    ],
    "ex-67": [
        "accuracy is impossible [dae2.3]",
        "error of the round [dae2.31]",
        "the error is limited to 2 [dae2.4]",
    ],
    "ex-68": [
        "radio contact: 9 or less [dae2.11]",
        "accuracy: 2 or less [dae2.3]",
        "the error is limited to 2 [dae2.4]",
    ],
    "ex-69": [
        "accuracy: 2 or less [dae2.3]",
        "the error is limited to 1 [dae2.4]",
        "the barrage strikes KK16 [dae2.5]",
        "y: final DR 12: PTC [dae2.5]",
        "the barrage strikes LL15 [dae2.5]",
        "v: final DR 7: 2MC [dae2.5]",
        "the barrage strikes LL16 [dae2.5]",
        "the barrage strikes JJ16 [dae2.5]",
    ],
}


def line(step: Step) -> str:
    """A step as the table writes it."""
    text = step.ruling.msg.id.format(**{k: str(v) for k, v in step.ruling.msg.facts.items()})
    tally = step.tally
    if tally is not None:
        value = f"{tally.value:+}" if tally.operation == "+" else f"x{tally.value}"
        text = f"{tally.name}: {text}, {value} = {tally.total}"
    return f"{text} [{step.ruling.refs[0].partition(':')[2]}]"


@pytest.mark.rule("aslsk:3.2.3", "aslsk:3.2.4.procedure", "aslsk:3.8.odds", "aslsk:7.9")
@pytest.mark.parametrize("name", BOOK)
def test_an_example_goes_through_the_numbers_of_the_book(name):
    playing = examples.Playing(TITLE, examples.read(FOLDER / f"{name}.yaml"))
    assert [fault for _, faults in playing.run() for fault in faults] == []
    said = iter(lines := [line(step) for step in playing.game.steps])
    missing = next((wanted for wanted in BOOK[name] if wanted not in said), None)
    assert missing is None, "\n".join(lines)
