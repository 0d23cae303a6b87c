"""The import contracts can fail: each is seen to break in a copy of the sources, and no import
inside a function hides a cycle."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("app", "engine", "rules_it")

ENGINE = "The engine runs without screens, texts and translations"
CORE = "The core knows no title"
TEXTS = "The texts stand without the engine"
WHOOSH = "One module knows Whoosh"
HEADLESS = "The headless half never loads Textual"
LAYERS = "Titles stand on the kit, the kit on the core"
APART = "Titles do not know each other"
ROOMS = "Rules know neither table nor players, the state knows no rules"

FORBIDDEN = {
    "engine -> app": ("engine/odds.py", "app.shell.paths", {ENGINE}),
    "engine -> textual": ("engine/drive.py", "textual.app", {ENGINE, HEADLESS}),
    "engine -> babel": ("engine/core/text.py", "babel", {ENGINE}),
    "core -> game": ("engine/core/hexes.py", "engine.game", {CORE, LAYERS}),
    "core -> title": ("engine/core/hexes.py", "engine.toi.state.tables", {CORE, LAYERS, APART}),
    "core -> kit": ("engine/core/hexes.py", "engine.kit.modifiers", {LAYERS}),
    "kit -> title": ("engine/kit/modifiers.py", "engine.ddob.state.tables", {APART, LAYERS}),
    "title -> title": ("engine/toi/rules/cover.py", "engine.ddob.state.tables", {APART, LAYERS}),
    "rules -> bot": ("engine/toi/rules/cover.py", "engine.toi.bot.player", {ROOMS}),
    "rules -> table": ("engine/ddob/rules/armor.py", "engine.ddob.table.view", {ROOMS}),
    "state -> rules": ("engine/warfare/state/events.py", "engine.warfare.rules.fire", {ROOMS}),
    "table -> bot": ("engine/aslsk/table/view.py", "engine.aslsk.bot.player", {ROOMS}),
    "rules_it -> engine": ("rules_it/corpus.py", "engine.core.hexes", {TEXTS}),
    "texts -> whoosh": ("rules_it/corpus.py", "whoosh", {WHOOSH}),
    "app -> whoosh": ("app/screens/home.py", "whoosh.index", {WHOOSH}),
    "play -> textual": ("app/play/table.py", "textual.app", {HEADLESS}),
    "shell -> screen": ("app/shell/paths.py", "app.screens.home", {HEADLESS}),
    "presenter -> rich widget": ("app/presenters/base.py", "textual.widgets", {HEADLESS}),
}


def contracts():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return [one["name"] for one in tomllib.loads(text)["tool"]["importlinter"]["contracts"]]


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The sources, to be spoilt."""
    folder = tmp_path_factory.mktemp("copy")
    for name in PACKAGES:
        only = shutil.ignore_patterns("__pycache__", "data", "*.yaml", "tutorials")
        shutil.copytree(ROOT / name, folder / name, ignore=only)
    shutil.copyfile(ROOT / "pyproject.toml", folder / "pyproject.toml")
    return folder


def broken(folder):
    """The contracts that do not hold for the sources in a folder."""
    tool = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run([tool, "--no-cache"], cwd=folder, capture_output=True, text=True)
    found = dict(re.findall(r"^(\S.*?) (KEPT|BROKEN)(?: \(.*\))?$", run.stdout, re.MULTILINE))
    assert list(found) == contracts(), run.stdout + run.stderr
    names = {name for name, state in found.items() if state == "BROKEN"}
    assert bool(names) == bool(run.returncode)
    return names


def test_the_copy_keeps_every_contract(copy):
    assert broken(copy) == set()


@pytest.mark.parametrize("name", FORBIDDEN)
def test_a_forbidden_import_breaks_its_contract_and_no_other(copy, name):
    file, imported, names = FORBIDDEN[name]
    path = copy / file
    before = path.read_text(encoding="utf-8")
    try:
        path.write_text(f"{before}\nimport {imported}\n", encoding="utf-8")
        assert broken(copy) == names
    finally:
        path.write_text(before, encoding="utf-8")


def test_every_contract_is_seen_to_break():
    assert set().union(*(names for _file, _imported, names in FORBIDDEN.values())) == set(
        contracts()
    )


# --- cycles -----------------------------------------------------------------------------------


@cache
def graph():
    """Who imports whom, inside functions too."""
    return grimp.build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)


def cycles(imports):
    """Groups of modules each of which leads back to itself."""
    found, reached = set(), {}
    for module in sorted(imports):
        seen, waiting = set(), [module]
        while waiting:
            for other in imports[waiting.pop()] - seen:
                seen.add(other)
                waiting.append(other)
        reached[module] = seen
    for module, seen in reached.items():
        group = frozenset(other for other in seen if module in reached[other])
        if module in seen and len(group) > 1:
            found.add(group)
    return sorted(map(sorted, found))


def test_a_cycle_is_found_wherever_it_begins():
    loop = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}
    assert cycles(loop) == [["a", "b", "c"]]
    assert cycles({"a": {"b"}, "b": set()}) == []


@pytest.mark.parametrize("package", ["app", "engine", "rules_it"])
def test_no_import_inside_a_function_hides_a_cycle(package):
    known = {name for name in graph().modules if name.partition(".")[0] == package}
    imports = {name: graph().find_modules_directly_imported_by(name) & known for name in known}
    assert cycles(imports) == []
