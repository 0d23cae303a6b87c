"""Saved games: what comes back, what is refused, what a crash costs."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from engine.core.rules import Command
from engine.core.title import Title
from engine.game import Game, RealDice, SeededChance, digest
from engine.saves.lines import FORMAT, Header, SaveError
from engine.saves.reading import LARGEST, parse, read
from engine.saves.replaying import Loaded, from_snapshot, load, replay
from engine.saves.writing import SaveFile
from tests.reference import Reference

TITLE = Reference()
TITLES = {"prova": TITLE}
HEADER = Header(FORMAT, "prova", 1, "cortile", 5)
FIRST = '{"prontuario":1,"titolo":"prova","revisione":1,"scenario":"cortile","seme":5}\n'


def plain(text: str) -> str:
    """A file as format 1 wrote it: without marks, so that a test can change what it says."""
    lines = [re.sub(r',"k":"[0-9a-f]{16}"}$', "}", line) for line in text.splitlines()]
    kept = [line for line in lines if not line.startswith('{"intestazione"')]
    return "\n".join(kept).replace('"prontuario":2', '"prontuario":1') + "\n"


def played(
    path: Path, answers: int, title: Title = TITLE, scenario: str = "cortile"
) -> tuple[Game, SaveFile]:
    game = Game(title, scenario, SeededChance(5))
    save = SaveFile.create(path, Header(FORMAT, title.info.slug, 1, scenario, 5), game)
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


def test_a_state_that_has_changed_is_told_and_stops_nothing(tmp_path):
    game, _save = played(tmp_path / "a", 30)
    record = read(tmp_path / "a")
    place = sorted(dict(game.rests()))[3]
    digests = {**record.digests, place: "0" * 24}
    loaded = replay(msgspec.structs.replace(record, digests=digests), TITLES)
    assert loaded.is_whole
    assert loaded.changed == (place,)
    assert loaded.game.entries == game.entries
    assert [msg.facts for msg in loaded.warnings] == [{"entry": place}]


def test_an_answer_that_is_no_longer_legal_stops_before_it(tmp_path):
    played(tmp_path / "a", 30)
    record = read(tmp_path / "a")
    entries = list(record.entries)
    place = max(i for i, entry in enumerate(entries) if isinstance(entry, Command))
    entries[place] = Command(entries[place].side, "u:nessuno")
    loaded = replay(msgspec.structs.replace(record, entries=tuple(entries)), TITLES)
    assert loaded.divergence.entry <= place
    assert loaded.game.position.decision is not None
    # which answer it was may be a secret
    assert [msg.facts for msg in loaded.warnings] == [{"entry": loaded.divergence.entry}]


def broken_off(path: Path) -> Loaded:
    """A game of which the last answer is no longer legal."""
    game, save = played(path, 30)
    save.rewrite(game)
    record = read(path)
    return replay(msgspec.structs.replace(record, entries=(Command("rosso", "u:nessuno"),)), TITLES)


def test_a_snapshot_lets_people_play_on_and_the_game_opens_again(tmp_path):
    loaded = broken_off(tmp_path / "a")
    again = from_snapshot(loaded)
    snapshot = loaded.snapshot
    assert digest(again.position.rest) == digest(load(tmp_path / "a", TITLES).game.position.rest)
    save = SaveFile.create(tmp_path / "b", HEADER, again, start=snapshot)
    for _ in range(5):
        again.answer(again.position.decision.options[0].id)
        save.sync(again)
    found = load(tmp_path / "b", TITLES)
    assert found.warnings == ()
    assert digest(found.game.position.draft) == digest(again.position.draft)


def test_a_snapshot_of_another_shape_is_not_offered(tmp_path):
    loaded = broken_off(tmp_path / "a")
    record = loaded.record
    snapshot = msgspec.structs.replace(record.snapshot, schema="0" * 16)
    loaded = replay(msgspec.structs.replace(record, snapshot=snapshot), TITLES)
    assert loaded.snapshot is None
    with pytest.raises(SaveError, match="snapshot"):
        from_snapshot(loaded)


def test_options_have_their_old_names_in_old_saves(tmp_path, monkeypatch):
    game, _save = played(tmp_path / "a", 30)
    text = (tmp_path / "a").read_text()
    old = plain(text.replace('"b:passa"', '"b:salta"').replace('"u:', '"pezzo:'))
    assert old != plain(text)
    names = {2: {"b:salta": "b:via", "pezzo:*": "u:*"}, 3: {"b:via": "b:passa"}}
    monkeypatch.setattr(TITLE, "info", msgspec.structs.replace(TITLE.info, renames=names))
    loaded = replay(parse(old.encode()), TITLES)
    assert loaded.is_whole
    assert loaded.game.entries == game.entries
    new = old.replace('"revisione":1', '"revisione":3')
    assert not replay(parse(new.encode()), TITLES).is_whole


def test_real_dice_are_remembered(tmp_path):
    header = Header(FORMAT, "prova", 1, "cortile", 5, real_dice=True)
    game = Game(TITLE, "cortile", RealDice(5))
    SaveFile.create(tmp_path / "a", header, game)
    assert isinstance(load(tmp_path / "a", TITLES).game.chance, RealDice)


BAD_HEADER = {
    "empty": "",
    "no newline": FIRST.strip(),
    "not json": "ciao\n",
    "a list": "[]\n",
    "a number": "3\n",
    "duplicate in header": FIRST.replace('"seme":5', '"seme":5,"seme":6'),
    "nan": FIRST.replace('"seme":5', '"seme":NaN'),
    "future format": FIRST.replace('"prontuario":1', '"prontuario":9'),
    "without marks": FIRST.replace('"prontuario":1', '"prontuario":2'),
    "unknown title": FIRST.replace("prova", "scacchi"),
    "path as title": FIRST.replace("prova", "../../etc/passwd"),
    "path as scenario": FIRST.replace("cortile", "../../../etc/passwd"),
    "huge number": FIRST.replace('"seme":5', '"seme":' + "9" * 5000),
    "not text": "\udcff\udcfe\x00\n",
}
BAD_LINE = {
    "deep": "[" * 100_000 + "\n",
    "deep object": '{"foto":' * 50_000 + "1" + "}" * 50_000 + "\n",
    "duplicate key": '{"c":["rosso","b:passa"],"c":["blu","b:passa"]}\n',
    "unknown key": '{"esegui":"rm"}\n',
    "wrong type": '{"c":[1,2]}\n',
    "wrong roll": '{"r":["2d6",["x"]]}\n',
    "empty line": "\n",
    "says nothing": "{}\n",
    "undo too far": '{"tieni":5}\n',
    "negative undo": '{"tieni":-1}\n',
    "not text": "\udcff\udcfe\n",
    "note that says nothing": '{"nota":{"passi":0,"regole":[],"detto":{"id":""}},"n":0}\n',
    "broken seal": '{"s":"AAAA"}\n',
}


@pytest.mark.parametrize("name", BAD_HEADER)
def test_hostile_files_are_refused_at_once(name, tmp_path):
    path = tmp_path / "cattiva"
    path.write_bytes(BAD_HEADER[name].encode(errors="surrogateescape"))
    started = time.process_time()
    with pytest.raises(SaveError):
        load(path, TITLES)
    assert time.process_time() - started < 1


@pytest.mark.parametrize("name", BAD_LINE)
def test_a_hostile_line_costs_what_follows(name, tmp_path):
    path = tmp_path / "cattiva"
    content = (FIRST + BAD_LINE[name] + "{}\n").encode(errors="surrogateescape")
    path.write_bytes(content)
    started = time.process_time()
    loaded = load(path, TITLES)
    assert time.process_time() - started < 1
    assert loaded.record.damage.line == 2
    assert loaded.record.damage.lines == 3
    assert not loaded.is_whole
    assert loaded.game.position.decision is not None


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
    lines = plain((tmp_path / "a").read_text()).splitlines()
    place = next(i for i, line in enumerate(lines) if '"r"' in line)
    roll = json.loads(lines[place])
    roll["r"][1] = [9] * len(roll["r"][1])
    lines[place] = json.dumps(roll)
    loaded = replay(parse(("\n".join(lines) + "\n").encode()), TITLES)
    assert loaded.divergence is not None


WRITER = """
import random, sys
from pathlib import Path
from engine.game import Game, SeededChance
from engine.saves.lines import FORMAT, Header
from engine.saves.writing import SaveFile
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
