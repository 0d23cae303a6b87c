"""Children run our own code: what lies in the folder where the program is started is never run."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.shell.child import command
from tests.app.scripts import program

ROOT = Path(__file__).parents[2]
PLANTED = (
    "app", "engine", "rules_it", "yaml", "textual", "msgspec", "babel", "whoosh", "platformdirs",
    "multiprocessing", "pickle", "asyncio", "json", "random", "hashlib", "subprocess", "gettext",
)  # fmt: skip


@pytest.fixture
def trap(tmp_path, monkeypatch):
    """A folder full of modules with our names and those of what we import."""
    monkeypatch.setenv("PYTHONSAFEPATH", "")  # the program itself has to see to it
    folder = tmp_path / "trap"
    for name in PLANTED:
        code = f"open({str(tmp_path / 'sprung')!r}, 'a').write({name!r} + '\\n')\n"
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(code)
    code = f"open({str(tmp_path / 'sprung')!r}, 'a').write('app.py\\n')\n"
    (folder / "engine.py").write_text(code)
    (folder / "app.py").write_text(code)
    return folder


def sprung(trap):
    marks = trap.parent / "sprung"
    return marks.read_text().split() if marks.exists() else []


def run(trap, *arguments, **options):
    return subprocess.run(
        program(trap.parent, *arguments, **options),
        cwd=trap,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"XDG_CACHE_HOME": str(trap.parent / "cache")},
    )


def test_the_trap_springs_for_a_child_that_is_started_carelessly(trap):
    subprocess.run(
        [sys.executable, "-m", "app.play.bots"], cwd=trap, capture_output=True, check=False
    )
    assert sprung(trap)


def test_a_game_with_a_bot_runs_nothing_of_the_current_folder(trap):
    script = (
        "import asyncio\n"
        "from app.play.bots import BotProcess\n"
        "from app.play.reckoning import OddsProcess\n"
        "from engine.game import Game, SeededChance\n"
        "from engine.saves.lines import FORMAT, Header\n"
        "from engine.titles import TITLES\n"
        "async def main():\n"
        "    header = Header(FORMAT, 'toi', 1, 'toi-s1', 7, {}, {})\n"
        "    bots = BotProcess(header)\n"
        "    game = Game(TITLES['toi'], 'toi-s1', SeededChance(7), {})\n"
        "    option, _ = await bots.choose(game.position, 'casuale')\n"
        "    await bots.closed()\n"
        "    odds, found = OddsProcess(header), []\n"
        "    await odds.reckon(game.position, found.append)\n"
        "    await odds.closed()\n"
        "    assert option in {o.id for o in game.position.decision.options}\n"
        "asyncio.run(main())\n"
    )
    file = trap.parent / "bot.py"
    file.write_text(script)
    done = subprocess.run(
        [sys.executable, str(file)], cwd=trap, capture_output=True, text=True, check=False
    )
    assert (done.returncode, sprung(trap)) == (0, []), done.stderr


@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_a_simulation_in_processes_runs_nothing_of_the_current_folder(trap, start):
    done = run(
        trap, "simula", "--titolo", "toi", "--scenario", "toi-s1", "--partite", "2",
        "--processi", "2", start=start,
    )  # fmt: skip
    assert (done.returncode, sprung(trap)) == (0, []), done.stderr
    assert "2 partite" in done.stdout


def test_building_the_index_and_scanning_the_engine_run_nothing_of_the_current_folder(trap):
    done = run(trap, "cerca", "fumo")
    assert (done.returncode, sprung(trap)) == (0, []), done.stderr
    assert (trap.parent / "cache" / "prontuario" / "regole").is_dir()
    scan = "from app.rules import linker; linker.prepare('toi')"
    file = trap.parent / "scan.py"
    file.write_text(scan)
    env = os.environ | {"XDG_CACHE_HOME": str(trap.parent / "cache")}
    subprocess.run([sys.executable, str(file)], cwd=trap, env=env, check=True)
    assert (trap.parent / "cache" / "prontuario" / "motore-toi.bin").is_file()
    assert sprung(trap) == []


def test_run_as_a_module_the_program_itself_looks_past_the_current_folder(trap):
    for name in ("app", "app.py"):
        (trap / name).rename(trap.parent / f"away-{name}")
    done = subprocess.run(
        [sys.executable, "-m", "app", "titoli"], cwd=trap, capture_output=True, check=False
    )
    assert (done.returncode, sprung(trap)) == (0, []), done.stderr


def test_every_child_is_started_with_the_one_safe_command():
    """Nobody else names the interpreter, and whoever starts a process knows the command."""
    starters = {"Popen", "run", "call", "check_call", "check_output", "create_subprocess_exec"}
    found = []
    for folder in ("app", "engine", "rules_it"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.Attribute) and node.attr == "executable":
                    found.append(path.relative_to(ROOT).as_posix())
                if isinstance(node, ast.Call) and _is_start(node, starters):
                    first = node.args[0]
                    first = first.value if isinstance(first, ast.Starred) else first
                    # the server of the browser is given the command that it starts
                    name = getattr(first, "attr", "") or getattr(first.func, "id", "")
                    assert name in ("command", "_command"), f"{path}:{node.lineno}"
    assert found == ["app/shell/child.py"]


def _is_start(node, starters):
    function = node.func
    if not isinstance(function, ast.Attribute) or function.attr not in starters:
        return False
    module = getattr(function.value, "id", "")
    return module == "subprocess" or (module == "asyncio" and function.attr != "run")


def test_the_command_names_the_module_and_leaves_the_current_folder_out():
    assert command("app.play.bots", "x") == [sys.executable, "-P", "-m", "app.play.bots", "x"]
