"""Rules made wrong in one point: what can be made wrong, and how much of it the tests notice."""

from __future__ import annotations

import ast
import os
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
import yaml

from engine.toi.rules.stacking import why_not_stay
from tests.tools.mutants import SLUGS, judge, modules, mutants_of, sample, share, told
from tests.tools.mutants_runner import codes, forked, functions, locators, put
from tests.tools.mutants_sites import CITATION, KINDS, LOGIC, mutated, sites

FLOORS = yaml.safe_load(Path(__file__).with_name("floors.yaml").read_text(encoding="utf-8"))
SAMPLE, SEED = 40, 2026

MODULE = '''
"""Not 1 but a docstring (3.6)."""
LIMIT = 16

@lru_cache(maxsize=64)
def why_not(one: int, two: int = 2, *, hex: str) -> bool:
    """More than 3."""
    assert one > 3
    if one < LIMIT and not two:
        yield rule("3.6", N_("within 4"))
    elif one in (LIMIT,):
        raise RuleBug(f"{one + 5}")
    else:
        total = max(one, two) - 6
        found = [*three, "a" + hex, four[0]]
'''
LOCATORS = ["3.6", "3.7"]


def changes(kind: str) -> list[str]:
    return [site.what for site in sites(ast.parse(MODULE), kind, LOCATORS, Random(1))]


def test_every_point_of_logic_is_found_and_nothing_else():
    assert changes(LOGIC) == [
        "16 → 17: LIMIT = 16",
        "2 → 3: one: int, two: int=2, *, hex: str",
        "< → <=: one < LIMIT",
        "and → or: one < LIMIT and (not two)",
        "if → if not: one < LIMIT and (not two)",
        "yield → nothing: (yield rule('3.6', N_('within 4')))",
        "in → not in: one in (LIMIT,)",
        "- → +: max(one, two) - 6",
        "6 → 7: max(one, two) - 6",
        "max → min: max(one, two)",
    ]


def test_a_citation_becomes_another_one_of_the_book():
    assert changes(CITATION) == ["'3.6' → '3.7': '3.6'"]


def test_a_mutant_differs_from_the_module_in_one_line():
    right = ast.unparse(ast.parse(MODULE)).splitlines()
    for kind in KINDS:
        for number in range(len(changes(kind))):
            wrong = ast.unparse(mutated(MODULE, kind, LOCATORS, "1", number)).splitlines()
            assert sum(a != b for a, b in zip(right, wrong, strict=True)) == 1


def test_a_function_without_its_yield_is_still_a_generator():
    number = next(i for i, what in enumerate(changes(LOGIC)) if what.startswith("yield"))
    tree = mutated(MODULE, LOGIC, LOCATORS, "1", number)
    ((_, function),) = codes(compile(tree, "module", "exec")).items()
    assert function.co_flags & 0x20


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_is_spread_over_titles_and_modules_and_always_the_same(kind):
    titles = ("toi", "warfare")
    found = sample(kind, 20, 7, titles)
    assert Counter(mutant.slug for mutant in found) == dict.fromkeys(titles, 10)
    assert len({mutant.file for mutant in found}) == 20
    assert found == sample(kind, 20, 7, titles)
    assert found != sample(kind, 20, 8, titles)


@pytest.mark.parametrize("slug", SLUGS)
def test_rule_modules_that_cite_can_cite_something_else(slug):
    cited = [mutant for file in modules(slug) for mutant in mutants_of(file, CITATION, 1)]
    assert len(cited) > 500
    for mutant in cited:
        _, before, _, after, _ = mutant.what.split("'", 4)
        assert before != after
        assert {before, after} <= set(locators(slug))


def test_a_fork_runs_the_mutant_and_leaves_the_rest_alone():
    file = "engine/toi/rules/stacking.py"
    mutant = next(m for m in mutants_of(file, LOGIC, 1) if m.function == why_not_stay.__name__)
    right = why_not_stay.__code__

    def work(tell):
        put(mutant.tree(), file, functions()[file, mutant.function])
        tell(str(why_not_stay.__code__ != right))

    assert forked(work) == (0, "True\n")
    assert why_not_stay.__code__ is right


def test_a_fork_that_fails_says_so():
    status, told_so = forked(lambda tell: (tell("before"), os._exit(1)))
    assert (os.waitstatus_to_exitcode(status), told_so) == (1, "before\n")


def test_floors_only_rise():
    assert FLOORS.keys() == set(KINDS)
    for floors in FLOORS.values():
        assert floors == sorted(set(floors))
        assert 0 < floors[-1] <= 100


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_tests_notice_wrong_rules(kind, capfd):
    verdicts = list(judge(sample(kind, SAMPLE, SEED)))
    text = "\n".join([f"{kind} mutants, seed {SEED}:", *told(verdicts)])
    with capfd.disabled():
        sys.stderr.write(f"\n{text}\n")
    assert share(verdicts) >= FLOORS[kind][-1], text
