"""Saved games: what comes back, what is refused, what a crash costs."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.core.rules import Command
from engine.game import Game, RealDice, SeededChance, digest
from engine.saves import (
    FORMAT,
    LARGEST,
    Header,
    SaveError,
    SaveFile,
    from_snapshot,
    load,
    parse,
    read,
    replay,
)
from tests.reference import Reference

TITLE = Reference()
TITLES = {"prova": TITLE}
HEADER = Header(FORMAT, "prova", 1, "cortile", 5)
FIRST = '{"prontuario":1,"titolo":"prova","revisione":1,"scenario":"cortile","seme":5}\n'


def played(path: Path, answers: int) -> tuple[Game, SaveFile]:
    game = Game(TITLE, "cortile", SeededChance(5))
    save = SaveFile.create(path, HEADER, game)
    rng = random.Random(5)
    for _ in range(answers):
        options = game.position.decision.options
        game.answer(options[rng.randrange(len(options))].id)
        save.sync(game)
    return game, save


def test_a_game_goes_on_where_it_was(tmp_path):
    game, _save = played(tmp_path / "a", 25)
    loaded = load(tmp_path / "a", TITLES)
    assert loaded.divergence is None
    assert loaded.game.position.decision == game.position.decision
    option = game.position.decision.options[0].id
    game.answer(option)
    loaded.game.answer(option)
    assert digest(loaded.game.position.draft) == digest(game.position.draft)


def test_an_undo_is_a_line_too(tmp_path):
    game, save = played(tmp_path / "a", 12)
    game.undo(studio=True)
    game.undo(studio=True)
    save.sync(game)
    assert '"tieni"' in (tmp_path / "a").read_text()
    loaded = load(tmp_path / "a", TITLES)
    assert loaded.game.entries == game.entries
    assert loaded.game.studio == game.studio


def test_rewriting_leaves_no_undo_and_keeps_a_snapshot(tmp_path):
    game, save = played(tmp_path / "a", 12)
    game.undo(studio=True)
    save.sync(game)
    save.rewrite(game)
    text = (tmp_path / "a").read_text()
    assert '"tieni"' not in text
    assert '"foto"' in text
    assert load(tmp_path / "a", TITLES).game.entries == game.entries
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == ["a"]


def test_a_last_line_cut_short_is_forgotten(tmp_path):
    game, _save = played(tmp_path / "a", 12)
    content = (tmp_path / "a").read_bytes()
    lines = content.splitlines(keepends=True)
    last = len(b"".join(lines[:-1]))
    for cut in range(last + 1, len(content)):
        (tmp_path / "b").write_bytes(content[:cut])
        loaded = load(tmp_path / "b", TITLES)
        assert game.entries[: len(loaded.game.entries)] == loaded.game.entries


def test_a_rule_that_changed_stops_at_the_last_good_state(tmp_path):
    game, _save = played(tmp_path / "a", 30)
    record = read(tmp_path / "a")
    rests = dict(game.rests())
    place = sorted(rests)[3]
    digests = {**record.digests, place: "0" * 24}
    changed = type(record)(record.header, record.entries, digests, record.snapshot)
    loaded = replay(changed, TITLES)
    assert loaded.divergence.entry == place
    assert digest(loaded.game.position.rest) == digest(rests[place])


def test_an_answer_that_is_no_longer_legal_stops_before_it(tmp_path):
    played(tmp_path / "a", 30)
    record = read(tmp_path / "a")
    entries = list(record.entries)
    place = max(i for i, entry in enumerate(entries) if isinstance(entry, Command))
    entries[place] = Command(entries[place].side, "u:nessuno")
    loaded = replay(type(record)(record.header, tuple(entries), record.digests), TITLES)
    assert loaded.divergence.entry <= place
    assert loaded.game.position.decision is not None


def test_a_snapshot_lets_people_play_on(tmp_path):
    game, save = played(tmp_path / "a", 30)
    save.rewrite(game)
    again = from_snapshot(read(tmp_path / "a"), TITLE)
    assert digest(again.position.rest) == digest(game.position.rest)


def test_a_save_without_snapshot_says_so(tmp_path):
    (tmp_path / "a").write_text(FIRST)
    with pytest.raises(SaveError, match="snapshot"):
        from_snapshot(read(tmp_path / "a"), TITLE)


def test_real_dice_are_remembered(tmp_path):
    header = Header(FORMAT, "prova", 1, "cortile", 5, real_dice=True)
    game = Game(TITLE, "cortile", RealDice(5))
    SaveFile.create(tmp_path / "a", header, game)
    assert isinstance(load(tmp_path / "a", TITLES).game.chance, RealDice)


HOSTILE = {
    "empty": "",
    "no newline": FIRST.strip(),
    "not json": "ciao\n",
    "a list": "[]\n",
    "a number": "3\n",
    "deep": FIRST + "[" * 100_000 + "\n",
    "deep object": FIRST + '{"foto":' * 50_000 + "1" + "}" * 50_000 + "\n",
    "duplicate key": FIRST + '{"c":["rosso","b:passa"],"c":["blu","b:passa"]}\n',
    "duplicate in header": FIRST.replace('"seme":5', '"seme":5,"seme":6'),
    "nan": FIRST.replace('"seme":5', '"seme":NaN'),
    "unknown key": FIRST + '{"esegui":"rm"}\n',
    "wrong type": FIRST + '{"c":[1,2]}\n',
    "wrong roll": FIRST + '{"r":["2d6",["x"]]}\n',
    "empty line": FIRST + "\n",
    "says nothing": FIRST + "{}\n",
    "undo too far": FIRST + '{"tieni":5}\n',
    "negative undo": FIRST + '{"tieni":-1}\n',
    "future format": FIRST.replace('"prontuario":1', '"prontuario":9'),
    "unknown title": FIRST.replace("prova", "scacchi"),
    "path as title": FIRST.replace("prova", "../../etc/passwd"),
    "path as scenario": FIRST.replace("cortile", "../../../etc/passwd"),
    "huge number": FIRST.replace('"seme":5', '"seme":' + "9" * 5000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_at_once(name, tmp_path):
    path = tmp_path / "cattiva"
    path.write_text(HOSTILE[name])
    started = time.process_time()
    with pytest.raises(SaveError):
        load(path, TITLES)
    assert time.process_time() - started < 1


def test_files_that_are_not_text_are_refused(tmp_path):
    (tmp_path / "a").write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(SaveError, match="not text"):
        read(tmp_path / "a")


def test_huge_files_are_refused_unread(tmp_path):
    with (tmp_path / "a").open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(SaveError, match="too large"):
        read(tmp_path / "a")


def test_a_folder_or_nothing_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "manca"):
        with pytest.raises(SaveError, match="no such file"):
            read(path)


def test_rolls_that_the_dice_do_not_have_stop_the_replay(tmp_path):
    played(tmp_path / "a", 60)
    lines = (tmp_path / "a").read_text().splitlines()
    place = next(i for i, line in enumerate(lines) if '"r"' in line)
    roll = json.loads(lines[place])
    roll["r"][1] = [9] * len(roll["r"][1])
    lines[place] = json.dumps(roll)
    loaded = replay(parse("\n".join(lines) + "\n"), TITLES)
    assert loaded.divergence is not None


WRITER = """
import random, sys
from pathlib import Path
from engine.game import Game, SeededChance
from engine.saves import FORMAT, Header, SaveFile
from tests.reference import Reference
title = Reference()
path = Path(sys.argv[1])
seed = 0
while True:
    seed += 1
    game = Game(title, "cortile", SeededChance(seed))
    save = SaveFile.create(path, Header(FORMAT, "prova", 1, "cortile", seed), game)
    rng = random.Random(seed)
    while game.position.outcome is None:
        options = game.position.decision.options
        game.answer(options[rng.randrange(len(options))].id)
        save.sync(game)
        print(seed, len(game.entries), flush=True)
"""


def killed_games(path: Path, times: int) -> int:
    """How many of the killed games lost more than the answer in progress."""
    lost = 0
    rng = random.Random(1)
    for _ in range(times):
        run = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            text=True,
        )
        last = ("0", "0")
        for _ in range(1 + rng.randrange(120)):
            last = tuple(run.stdout.readline().split())
        run.send_signal(signal.SIGKILL)
        rest = run.stdout.read().splitlines()
        run.stdout.close()
        run.wait()
        whole = [tuple(line.split()) for line in rest if len(line.split()) == 2]
        seed, entries = (whole or [last])[-1]
        loaded = load(path, TITLES)
        assert loaded.divergence is None
        if loaded.record.header.seed == int(seed):
            lost += len(loaded.game.entries) < int(entries)
        else:
            lost += loaded.record.header.seed != int(seed) + 1
    return lost


def test_a_killed_program_loses_at_most_the_answer_in_progress(tmp_path):
    assert killed_games(tmp_path / "a", 4) == 0


@pytest.mark.slow
def test_a_program_killed_a_hundred_times_loses_nothing(tmp_path):
    assert killed_games(tmp_path / "a", 100) == 0


def test_a_file_that_cannot_be_replaced_keeps_the_old_one(tmp_path, monkeypatch):
    game, save = played(tmp_path / "a", 5)
    before = (tmp_path / "a").read_bytes()

    def fail(*_args):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        save.rewrite(game)
    assert (tmp_path / "a").read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == ["a"]


def test_a_game_open_in_two_windows_becomes_two_files(tmp_path):
    path = tmp_path / "a.prontuario"
    _game, first = played(path, 3)
    one, two = load(path, TITLES).game, load(path, TITLES).game
    second = SaveFile.create(path, HEADER, two)
    for game, save, option in ((one, first, 0), (two, second, -1), (one, first, 0)):
        game.answer(game.position.decision.options[option].id)
        save.sync(game)
    assert (first.path.name, second.path) == ("a-bis.prontuario", path)
    for game, save in ((one, first), (two, second)):
        assert load(save.path, TITLES).divergence is None
        assert load(save.path, TITLES).game.entries == game.entries


def test_closing_a_window_leaves_the_game_of_the_other_alone(tmp_path):
    path = tmp_path / "a"
    game, first = played(path, 3)
    _other, second = played(path, 5)
    before = path.read_bytes()
    first.rewrite(game)
    assert path.read_bytes() == before
    assert load(second.path, TITLES).game.entries == _other.entries
    assert load(first.path, TITLES).game.entries == game.entries


def test_a_file_thrown_away_meanwhile_comes_back_whole(tmp_path):
    game, save = played(tmp_path / "a", 3)
    save.path.unlink()
    game.answer(game.position.decision.options[0].id)
    save.sync(game)
    assert load(save.path, TITLES).game.entries == game.entries
