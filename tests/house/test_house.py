"""The house in order: layers, refs in code, no prints, one version."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import app

ROOT = Path(__file__).parents[2]
SOURCES = [p for d in ("app", "engine", "rules_it") for p in sorted((ROOT / d).rglob("*.py"))]


def test_locale_is_never_a_package():
    assert not (ROOT / "locale" / "__init__.py").exists()


def test_the_version_is_the_top_of_the_changelog():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\S+)", text, re.MULTILINE)[0] == app.__version__


def test_every_version_of_the_changelog_has_its_date_and_the_newest_is_first():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)", text, re.MULTILINE)
    found = [re.fullmatch(r"(\d+)\.(\d+)\.(\d+) - (\d{4}-\d{2}-\d{2})", one) for one in headings]
    assert None not in found, headings
    keys = [(one[4], *map(int, one.group(1, 2, 3))) for one in found]
    assert keys == sorted(keys, reverse=True)


HEADLESS = """
import sys
from engine import titles
from tests.reference import Reference
titles.TITLES["prova"] = Reference()
from app.cli.verbs import main
code = main(["simula", "--titolo", "prova", "--scenario", "cortile", "--partite", "2", "--json"])
loaded = sorted(m for m in sys.modules if m.partition(".")[0] in {FORBIDDEN})
sys.exit(code or bool(loaded) and f"loaded: {loaded[:5]}")
"""


def test_a_headless_game_loads_no_screen_and_no_search():
    code = HEADLESS.replace("{FORBIDDEN}", repr({"textual", "whoosh", "rich"}))
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_the_engine_alone_loads_no_screen_search_or_translation():
    code = (
        "import sys, engine.titles, engine.game, engine.drive, engine.odds, engine.saves, "
        "engine.examples\n"
        "bad = {'textual', 'whoosh', 'babel', 'app', 'rules_it'}\n"
        "sys.exit(str([m for m in sys.modules if m.partition('.')[0] in bad]) if any("
        "m.partition('.')[0] in bad for m in sys.modules) else 0)"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_rule_code_is_deterministic(path):
    """No clock, no random and no set literal iteration in the engine's rules."""
    package, title, room, *_ = (*path.relative_to(ROOT).parts, "", "")
    if package != "engine" or title not in ("toi", "ddob", "aslsk", "warfare") or room == "bot":
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] + [getattr(node, "module", "") or ""]
            assert not {"random", "time", "datetime"} & set(names), f"line {node.lineno}"
        if isinstance(node, ast.For | ast.comprehension):
            where = node.iter
            is_set = isinstance(where, ast.Set | ast.SetComp)
            is_call = isinstance(where, ast.Call) and getattr(where.func, "id", "") in (
                "set",
                "frozenset",
            )
            iterated = is_set or is_call
            assert not iterated, f"a set is iterated near line {where.lineno}"
