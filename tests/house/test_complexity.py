"""The counter of lines, branches and parameters."""

from __future__ import annotations

import pytest

from tests.tools.complexity import ROOT, Limits, main, measures, over

SAMPLES = {
    "def f(): return 1": 1,
    "def f(a):\n if a: pass\n elif a > 1: pass\n else: pass": 3,
    "def f(a): return 1 if a and not a or a else 2": 4,
    "def f(a):\n for b in a: pass\n else: pass": 3,
    "def f(a):\n while a: pass": 2,
    "def f(a): return [b for b in a if b if b > 1]": 4,
    "def f(a): return {b: c for b in a for c in b}": 3,
    "def f():\n try: pass\n except KeyError: pass\n except OSError: pass\n else: pass": 4,
    "def f(a):\n with a: pass": 1,
    "def f(a): assert a": 2,
    "def f(a): return lambda b: b if a else 1": 2,
    "def f(a):\n match a:\n  case 1: pass\n  case _: pass": 2,
    "def f(a=1 if True else 2): pass": 1,
}


@pytest.mark.parametrize(("source", "branches"), SAMPLES.items())
def test_branches_are_counted_as_radon_does(source, branches):
    (found,) = measures(source)
    assert found.branches == branches


def test_a_function_inside_counts_by_itself():
    source = "def f(a):\n def g(b):\n  if b: pass\n if a: pass\n return g"
    outer, inner = measures(source)
    assert (outer.name, outer.branches, outer.lines) == ("f", 2, 5)
    assert (inner.name, inner.branches, inner.lines) == ("f.g", 2, 2)


def test_parameters_are_what_a_caller_gives():
    source = """
def plain(a, /, b, *c, d=1, **e): pass
class C:
    def method(self, a): pass
    @classmethod
    def made(cls, a): pass
    @staticmethod
    def loose(a): pass
"""
    assert [one.parameters for one in measures(source)] == [5, 1, 1, 1]


def test_only_what_breaks_a_limit_is_printed(tmp_path, capsys):
    file = tmp_path / "one.py"
    file.write_text("def short(): pass\n\n\ndef long(a, b):\n    a\n    b\n", encoding="utf-8")
    assert [one.name for one in over([tmp_path], Limits(lines=2))] == ["long"]
    assert main(["--lines", "3", "--parameters", "2", str(file)]) == 0
    assert main(["--parameters", "1", str(file)]) == 1
    assert "long: 3 lines, 1 branches, 2 parameters" in capsys.readouterr().out


FIRE = (
    "acquisition",
    "aiming",
    "bogging",
    "defensive",
    "elements",
    "events",
    "fire",
    "fire_groups",
    "firepower",
    "firers",
    "gunnery",
    "hits",
    "morale",
    "ordnance",
    "shooting",
    "shots",
    "sight",
    "smoke_fire",
    "strikes",
    "to_hit",
    "to_kill",
    "vehicle_events",
    "weapons",
)
"""The modules of aslsk through which an attack goes, from its declaration to its effects."""


@pytest.mark.parametrize("module", FIRE)
def test_fire_in_aslsk_stays_in_small_steps(module):
    rooms = [ROOT / "engine" / "aslsk" / room for room in ("rules", "state")]
    paths = [path for room in rooms if (path := room / f"{module}.py").exists()]
    assert len(paths) == 1
    assert over(paths, Limits(lines=50, branches=15, parameters=6)) == []
