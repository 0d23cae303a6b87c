"""The user's own data: whatever is wrong with them is named, left out, and nothing else stops."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from app.screens.app import ProntuarioApp
from app.shell import own_data
from engine.core.files import LEFT_OUT, OWN_DATA, our_file, replaceable

ROOT = Path(__file__).parents[2]
TITLES = ("toi", "ddob", "aslsk", "warfare")
SCENARIO = {
    "toi": "toi/scenarios/toi-s1.yaml",
    "ddob": "ddob/scenarios.yaml",
    "aslsk": "aslsk/scenarios/R1.yaml",
    "warfare": "warfare/scenarios/s1.yaml",
}


@pytest.fixture
def _own_home(tmp_path, monkeypatch):
    """A user without data or cache, whose folder of own data is `tmp_path/dati`."""
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv(OWN_DATA, str(tmp_path / "dati"))
    monkeypatch.setenv(LEFT_OUT, "")


pytestmark = pytest.mark.usefixtures("_own_home")


def put(folder: Path, name: str, content: str | bytes) -> Path:
    """A data file of the user."""
    path = folder / "dati" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def ours(name: str) -> str:
    """A data file of ours."""
    return our_file(name).read_text(encoding="utf-8")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The program, in the environment of the test."""
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )


# Ways to spoil a file. The first ones never leave anything to use.


def emptied(folder: Path, name: str, rng: random.Random) -> None:
    put(folder, name, "")


def no_yaml(folder: Path, name: str, rng: random.Random) -> None:
    put(folder, name, "a: [1\nb: }")


def a_list(folder: Path, name: str, rng: random.Random) -> None:
    put(folder, name, "- uno\n- due\n")


def huge(folder: Path, name: str, rng: random.Random) -> None:
    put(folder, name, ours(name) + "# riempitivo\n" * 200_000)


def other_encoding(folder: Path, name: str, rng: random.Random) -> None:
    put(folder, name, ("# così è più brutto\n" + ours(name)).encode("utf-16"))


def a_folder(folder: Path, name: str, rng: random.Random) -> None:
    (folder / "dati" / name).mkdir(parents=True)


def unreadable(folder: Path, name: str, rng: random.Random) -> None:
    path = folder / "dati" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(path.name)


def nodes(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """The places in a document."""
    inside = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [path] * bool(path) + [p for key, item in inside for p in nodes(item, (*path, key))]


def changed(folder: Path, name: str, rng: random.Random, change: object) -> None:
    document = yaml.load(ours(name), Loader=yaml.BaseLoader)
    *way, last = rng.choice(nodes(document))
    holder = document
    for key in way:
        holder = holder[key]
    if change is None:
        del holder[last]
    else:
        holder[last] = change
    put(folder, name, yaml.safe_dump(document, allow_unicode=True, sort_keys=False))


def dropped(folder: Path, name: str, rng: random.Random) -> None:
    changed(folder, name, rng, None)


def wrong_type(folder: Path, name: str, rng: random.Random) -> None:
    changed(folder, name, rng, rng.choice([["x"], {"x": "y"}, "-3", "", "3.5"]))


def unknown_name(folder: Path, name: str, rng: random.Random) -> None:
    changed(folder, name, rng, "gattopardo")


USELESS = (emptied, no_yaml, a_list, huge, other_encoding, a_folder, unreadable)
DOUBTFUL = (dropped, wrong_type, unknown_name)


def spoil(folder: Path, slug: str, seed: int, most: int) -> set[str]:
    """Some files of a title, each spoilt in its own way; those that nobody could use."""
    rng = random.Random(f"{slug}{seed}")
    useless = set()
    for name in rng.sample(replaceable(slug), min(most, len(replaceable(slug)))):
        way = rng.choice(USELESS + 2 * DOUBTFUL)
        way(folder, name, rng)
        if way in USELESS:
            useless.add(name)
    return useless


def judged(folder: Path, slug: str, useless: set[str]) -> None:
    """What is wrong is named; without it every scenario of the title begins."""
    verdict = own_data.admit()
    own = folder / "dati"
    named = {str(Path(fault.file).relative_to(own)) for fault in verdict.faults}
    assert named >= useless
    assert named >= set(verdict.left_out)
    assert {n for n in useless if (own / n).is_file()} <= set(verdict.left_out)
    assert own_data._try_out(own, [slug], verdict.left_out) == []
    assert own_data.admit() == verdict  # the cache says the same


@pytest.mark.parametrize("slug", TITLES)
def test_spoilt_files_are_named_and_left_out(slug, tmp_path):
    judged(tmp_path, slug, spoil(tmp_path, slug, 1, 3))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 14))
@pytest.mark.parametrize("slug", TITLES)
def test_many_spoilt_files_are_named_and_left_out(slug, seed, tmp_path):
    judged(tmp_path, slug, spoil(tmp_path, slug, seed, 1 + seed % 4))


def test_every_verb_goes_on_with_what_is_left(tmp_path):
    unknown = re.sub(
        r"\{lato: american, tipi: \{", "{lato: american, tipi: {gatto: 1, ", ours(SCENARIO["aslsk"])
    )
    put(
        tmp_path,
        SCENARIO["toi"],
        ours(SCENARIO["toi"]).replace("azioni: {us: 3, de: 3}", "azioni: {us: 3}"),
    )
    put(tmp_path, SCENARIO["aslsk"], unknown)
    put(tmp_path, "warfare/units.yaml", "unita: 3")
    for arguments in (
        ("titoli",),
        ("cerca", "copertura"),
        ("--help",),
        ("simula", "--titolo", "toi", "--scenario", "toi-s2"),
        ("valida", str(ROOT / "engine/toi/data/scenarios/toi-s2.yaml")),
    ):
        done = run(*arguments)
        assert done.returncode == 0, (arguments, done.stderr)
        told = done.stderr.splitlines()
        assert [line for line in told if "toi-s1.yaml:7: $.azioni" in line], done.stderr
        assert [line for line in told if "R1.yaml" in line and "gatto" in line]
        assert [line for line in told if "units.yaml:1" in line]
        assert len(told) == 4


@pytest.mark.parametrize("slug", TITLES)
def test_what_loading_finds_is_what_validating_finds(slug, tmp_path, monkeypatch):
    unknown_name(tmp_path, SCENARIO[slug], random.Random(slug))
    loading = own_data.admit().faults
    monkeypatch.setenv(OWN_DATA, str(tmp_path / "nothing"))
    monkeypatch.setenv(LEFT_OUT, "")
    checked = run("valida", str(tmp_path / "dati" / SCENARIO[slug]), "--json")
    assert [(f["riga"], f["errore"]) for f in json.loads(checked.stdout)] == [
        (fault.line, fault.text) for fault in loading
    ]


def test_a_faultless_file_is_tried_out_once(tmp_path, monkeypatch):
    put(tmp_path, SCENARIO["toi"], ours(SCENARIO["toi"]))
    assert own_data.admit().faults == ()
    monkeypatch.setattr(own_data, "_try_out", None)
    assert own_data.admit().faults == ()
    assert os.environ[OWN_DATA] == str(tmp_path / "dati")


@pytest.mark.parametrize("slug", TITLES)
def test_our_own_files_have_no_fault(slug):
    for name in random.Random(slug).sample(replaceable(slug), 2):
        assert own_data.stands_for(our_file(name), slug) == name
        assert own_data.check(our_file(name), slug, name) == ()


async def test_the_home_screen_tells_what_was_left_out(tmp_path):
    broken = ours(SCENARIO["toi"]).replace("azioni: {us: 3, de: 3}", "azioni: {us: 3}")
    put(tmp_path, SCENARIO["toi"], broken)
    app = ProntuarioApp()
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await pilot.pause()
        (told,) = [notice.message for notice in app._notifications]
        assert "toi-s1.yaml:7: $.azioni: Manca la chiave de" in told
        assert "toglilo" in told
