"""Every oracle can fail: a broken variant of the reference title is caught by its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.decisions import Decision, Refusals, button
from engine.drive import uncited_refusals
from tests.reference import Reference, broken, rule
from tests.titles import oracles
from tests.titles.origins import ORIGINS
from tests.tools import perft
from tests.tools.golden import DECISIONS, SEED, golden_path

SCENARIO = "cortile"


@pytest.mark.parametrize(
    ("variant", "oracle"),
    [
        (broken.Crashes, "crash"),
        (broken.AsksNothing, "rule-bug"),
        (broken.OffersTwice, "rule-bug"),
        (broken.NeverEnds, "too-long"),
        (broken.BreaksAnInvariant, "invariant"),
        (broken.ChangesWithoutEvent, "uncited-change"),
        (broken.RefusesWithoutRule, "rule-bug"),
        (broken.LosesAnOption, "stray"),
        (broken.LosesACounter, "stray"),
        (broken.Forgetful, "undo"),
    ],
)
def test_fuzz_catches(variant, oracle):
    faults = oracles.fuzz_faults(variant(), SCENARIO, range(12), at_most=400)
    assert faults
    assert any(fault.startswith(oracle) for fault in faults), faults


@pytest.mark.parametrize(
    ("variant", "secret"),
    [
        (broken.ShowsTheHiddenUnit, "rosso sees hidden facts in its view"),
        (broken.BelievesTooMuch, "rosso believes hidden facts"),
        (broken.OptionsKnowTooMuch, "the options of rosso depend on hidden facts"),
        (broken.RefusedByTheHiddenUnit, "the options of rosso depend on hidden facts"),
        (broken.RefusalsKnowTooMuch, "the refusals of rosso depend on hidden facts"),
        (broken.RefusalsNameTheHidden, "the refusals of rosso depend on hidden facts"),
        (broken.WhispersMidway, "the options of rosso depend on hidden facts"),
        (broken.RefusesMidway, "the options of rosso depend on hidden facts"),
        (broken.NamesTheRefused, "the words of what rosso is refused depend on hidden facts"),
    ],
)
def test_each_way_to_tell_a_secret_is_caught_as_what_it_is(variant, secret):
    faults = oracles.fuzz_faults(variant(), SCENARIO, range(12), at_most=400)
    assert {fault.partition(" (seed")[0] for fault in faults} == {f"leak: {secret}"}


def test_a_number_that_comes_from_nowhere_is_caught():
    faults = oracles.number_faults(broken.SaysOneHitMore(), SCENARIO, 6, 400, ORIGINS["prova"])
    assert [fault[:16] for fault in faults] == ["'{n} hits': {n} "]


def test_a_refusal_that_is_also_an_option_is_caught():
    option = button("a", 1, "a").option
    refused = Refusals()
    refused.add(option, rule("1.1", "no"))
    decision = Decision("letter", "rosso", rule("1.1", "?"), (option,), refused)
    assert list(uncited_refusals(decision)) == ["b:a is both offered and refused"]


def test_options_in_the_order_of_a_set_are_caught():
    faults = [
        oracles.hash_seed_faults("tests.reference.broken", "RandomOrder", SCENARIO),
        oracles.hash_seed_faults("tests.reference", "Reference", SCENARIO),
    ]
    assert faults == [["the hash seed matters"], []]


def test_odds_that_lie_are_caught():
    _compared, fault = oracles.odds_faults(broken.LiesAboutOdds(), SCENARIO, range(6), 150)
    assert "by raw faces" in fault


def test_a_rule_that_allows_too_much_changes_the_counts():
    case = perft.cases("prova")[-1]
    good, bad = Reference(), broken.AllowsTooMuch()
    assert perft.perft(good, good.position(case.position), case.depth) == case.counts
    assert perft.perft(bad, bad.position(case.position), case.depth) != case.counts


def test_another_citation_changes_the_golden_transcript():
    golden = golden_path("prova", SCENARIO).read_text(encoding="utf-8")
    text = "\n".join(oracles.transcript(broken.SaysOtherwise(), SCENARIO, SEED, DECISIONS)) + "\n"
    assert text != golden


def test_a_state_that_does_not_come_back_is_caught(tmp_path: Path):
    assert oracles.save_faults(broken.LosesThings(), SCENARIO, 3, tmp_path, 20)
