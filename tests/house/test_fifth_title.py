"""What a fifth title writes: its rules and data, its texts, and a line in the registry.

The reference title is put into a copy of the program with nothing else changed, and there it is
listed, played, covered, searched and shown at the table.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEFT = shutil.ignore_patterns("__pycache__", "_compiled")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """A copy of the program with the reference title in it; runs Python there."""
    tree = tmp_path_factory.mktemp("quinto")
    for folder in ("app", "engine", "rules_it", "locale"):
        shutil.copytree(ROOT / folder, tree / folder, ignore=LEFT)
    own = tree / "engine" / "prova"
    own.mkdir()
    source = (ROOT / "tests" / "reference" / "__init__.py").read_text(encoding="utf-8")
    (own / "__init__.py").write_text(f"{source}\n\nTITLE = Reference()\n", encoding="utf-8")
    (own / "scope.yaml").write_text("a_mano: []\n", encoding="utf-8")
    shutil.copytree(ROOT / "tests" / "reference" / "regole", tree / "rules_it" / "prova")
    registry = tree / "engine" / "titles.py"
    known = registry.read_text(encoding="utf-8")
    assert known.count("WARFARE)}") == 1
    known = known.replace("WARFARE)}", "WARFARE, PROVA)}")
    known = known.replace(
        "from engine.toi", "from engine.prova import TITLE as PROVA\nfrom engine.toi"
    )
    registry.write_text(known, encoding="utf-8")
    kinds = ("DATA", "CACHE", "CONFIG", "STATE")
    given = os.environ | {f"XDG_{kind}_HOME": str(tree / kind) for kind in kinds}
    given |= {"PYTHONPATH": str(tree)}

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command], cwd=tree, env=given, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_it_is_listed_and_played(program):
    listed = json.loads(program("-m", "app", "titoli", "--json"))
    assert [one["titolo"] for one in listed][-1] == "prova"
    played = ("simula", "--titolo", "prova", "--scenario", "cortile", "--partite", "2", "--json")
    assert json.loads(program("-m", "app", *played))["partite"] == 2


def test_it_is_covered_and_searched(program):
    found = json.loads(program("-m", "app", "copertura", "--json"))
    assert found["prova"]["mancanti"] == []
    hits = json.loads(program("-m", "app", "cerca", "carta", "mira", "--titolo", "prova", "--json"))
    assert hits[0]["ref"] == "prova:4.5"
    assert "Mira" in program("-m", "app", "regola", "prova:4.5")


def test_its_tables_are_on_a_card_without_a_description(program):
    found = json.loads(program("-m", "app", "schede", "prova", "--json"))
    assert [card["nome"] for card in found["prova"]] == ["Tavole"]
    assert "Tide of Iron" in program("-m", "app", "schede")


AT_THE_TABLE = """
import asyncio
from argparse import Namespace
from app.shell import i18n
i18n.use("it")
from app.cli.playing import session_for
from app.screens.app import ProntuarioApp
from app.screens.play import PlayScreen

async def play():
    wanted = Namespace(titolo="prova", scenario="cortile", lati="", seme=3, dadi_veri=False)
    session = session_for(wanted)
    app = ProntuarioApp(lambda: PlayScreen(session))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause(0.5)
        before = len(session.game.entries)
        await pilot.press("1")
        await pilot.pause(0.5)
        print(len(session.game.entries) > before, session.decision.id)

asyncio.run(play())
"""


def test_it_is_played_at_the_table(program):
    assert program("-c", AT_THE_TABLE).split()[0] == "True"
