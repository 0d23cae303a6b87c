"""What `make` says of the Python it finds: one sentence, before pip has its say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FAKE = """#!{python}
import sys
sys.version_info = {version}
{more}
if sys.argv[1] == "-V":
    print("Python " + ".".join(map(str, sys.version_info)))
elif sys.argv[1] == "-c":
    exec(sys.argv[2])
else:
    print("called", *sys.argv[1:])
    sys.exit(7)
"""


@pytest.fixture
def clone(tmp_path):
    """As much of a fresh clone as `make` looks at before it installs anything."""
    clone = tmp_path / "clone"
    clone.mkdir()
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, clone)
    return clone


def fake(path: Path, *version: int, more: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FAKE.format(python=sys.executable, version=version, more=more))
    path.chmod(0o755)
    return path


def make(clone: Path, goal: str, python: Path | str) -> tuple[list[str], str]:
    """The sentences that a person reads, without make's own, and what was called."""
    outside = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    run = subprocess.run(
        ["make", goal, f"PYTHON={python}"], cwd=clone, env=outside, capture_output=True, text=True
    )
    assert (run.returncode == 0) == ("make: ***" not in run.stderr)
    said = [line for line in run.stderr.splitlines() if not line.startswith("make: ***")]
    return said, run.stdout


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 10, 2), (3, 16, 0)])
@pytest.mark.parametrize("goal", ["run", "test"])
def test_an_unsupported_python_gets_one_sentence(clone, tmp_path, version, goal):
    (sentence,), called = make(clone, goal, fake(tmp_path / "python", *version))
    assert "un Python da 3.11 a 3.15" in sentence
    assert f"è Python {'.'.join(map(str, version))}: " in sentence
    assert f"«make {goal} PYTHON=python3.13»" in sentence
    assert called == ""


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 15, 2)])
def test_a_supported_python_makes_the_venv(clone, tmp_path, version):
    said, called = make(clone, "run", fake(tmp_path / "python", *version))
    assert said == []
    assert "called -m venv --clear .venv" in called


def test_a_missing_python_gets_one_sentence(clone):
    (sentence,), _called = make(clone, "test", "python-3.11-altrove")
    assert sentence.startswith("python-3.11-altrove manca o non parte: ")
    assert "«make test PYTHON=python3.13»" in sentence


def test_a_missing_venv_module_is_named_with_its_package(clone, tmp_path):
    python = fake(tmp_path / "python", 3, 14, 0, more="sys.modules['ensurepip'] = None")
    (sentence,), called = make(clone, "run", python)
    assert "manca il modulo venv" in sentence
    assert "python3.14-venv" in sentence
    assert called == ""


@pytest.mark.parametrize("fault", ["gone", "too old", "upgraded beneath it"])
def test_a_venv_that_no_longer_serves_is_made_again(clone, tmp_path, fault):
    inside = clone / ".venv" / "bin" / "python"
    if fault == "gone":
        inside.parent.mkdir(parents=True)
        inside.symlink_to(tmp_path / "python-di-ieri")
    elif fault == "too old":
        fake(inside, 3, 10, 2)
    else:
        fake(inside, 3, 14, 0, more="sys.modules['pip'] = None")
    (sentence,), called = make(clone, "run", fake(tmp_path / "python", 3, 14, 0))
    assert "rifaccio .venv" in sentence
    assert "called -m venv --clear .venv" in called


def test_a_good_venv_is_kept(clone, tmp_path):
    fake(clone / ".venv" / "bin" / "python", 3, 13, 0)
    program = clone / ".venv" / "bin" / "prontuario"
    program.write_text("#!/bin/sh\necho opened\n")
    program.chmod(0o755)
    (clone / ".venv" / ".run").touch()
    assert make(clone, "run", fake(tmp_path / "python", 3, 16, 0)) == ([], "opened\n")


def test_the_bounds_are_the_same_everywhere():
    oldest, newest = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PROJECT["requires-python"]).groups()
    versions = [f"3.{minor}" for minor in range(int(oldest), int(newest))]
    named = "Programming Language :: Python :: "
    classified = [c.removeprefix(named) for c in PROJECT["classifiers"] if c.startswith(named)]
    assert classified == versions
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert set(re.findall(r"da (3\.\d+) a (3\.\d+)", makefile)) == {(versions[0], versions[-1])}
    first, last = (version.replace(".", ", ") for version in (versions[0], versions[-1]))
    assert f"({first}) <= sys.version_info[:2] <= ({last})" in makefile
