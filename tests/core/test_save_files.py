"""The file of a game under a rough hand: full disks, other windows, damage, forgery."""

from __future__ import annotations

import errno
import io
import os
import random
import re
import subprocess
import sys

import msgspec
import pytest

from engine import titles
from engine.core import files
from engine.core.rules import Ruling
from engine.core.text import Msg
from engine.game import Game, RealDice, SeededChance
from engine.saves.lines import FORMAT, Header, Marks, Note
from engine.saves.lock import Lock
from engine.saves.reading import parse, read
from engine.saves.replaying import load, replay
from engine.saves.seal import BrokenSeal, sealed, unsealed
from engine.saves.writing import SaveFile
from tests.core.test_saves import HEADER, TITLE, TITLES, played


def go_on(game: Game, save: SaveFile, answers: int = 1) -> None:
    for _ in range(answers):
        game.answer(game.position.decision.options[0].id)
        save.sync(game)


def told(save: SaveFile) -> list[str]:
    return [one.msg.id for one in save.told]


# Disks


def fill_the_disk(monkeypatch) -> None:
    """From now on the disk takes a few bytes more, then none."""

    def write(file, content):
        if len(content) > 40:
            return file.write(content[:40])
        raise OSError(errno.ENOSPC, "full")

    def write_all(file, content):
        rest = memoryview(content)
        while rest:
            rest = rest[write(file, rest) :]

    monkeypatch.setattr("engine.saves.writing.write_all", write_all)
    monkeypatch.setattr(files, "write_all", write_all)


def test_a_full_disk_is_told_once_and_the_file_is_whole_again_when_there_is_room(
    tmp_path, monkeypatch
):
    game, save = played(tmp_path / "a", 5)
    with monkeypatch.context() as full:
        fill_the_disk(full)
        go_on(game, save, 4)
        assert save.is_in_trouble
        assert [one.error.errno for one in save.told] == [errno.ENOSPC]
        assert load(save.path, TITLES).game.entries == game.entries[: len(read(save.path).entries)]
        assert [path.name for path in tmp_path.iterdir()] == ["a"]
    go_on(game, save)
    assert not save.is_in_trouble
    assert told(save)[1:] == ["The game is saved again, whole."]
    assert load(save.path, TITLES).warnings == ()
    assert load(save.path, TITLES).game.entries == game.entries


def test_what_the_system_takes_in_pieces_is_written_whole():
    class Slow(io.RawIOBase):
        content = b""

        def write(self, some):
            self.content += bytes(some[:7])
            return min(7, len(some))

    file = Slow()
    files.write_all(file, b"una partita intera, a pezzi")
    assert file.content == b"una partita intera, a pezzi"


def test_answers_are_settled_on_the_disk_when_a_person_is_asked(tmp_path, monkeypatch):
    game, save = played(tmp_path / "a", 5)
    settled = []
    monkeypatch.setattr(os, "fsync", settled.append)
    for settle, count in ((False, 0), (False, 0), (True, 1), (True, 2)):
        game.answer(game.position.decision.options[0].id)
        save.sync(game, settle=settle)
        assert len(settled) == count
    game.answer(game.position.decision.options[0].id)
    save.sync(game, settle=False)
    save.sync(game)
    assert len(settled) == 3


def test_a_file_that_cannot_be_replaced_keeps_the_old_one(tmp_path, monkeypatch):
    game, save = played(tmp_path / "a", 5)
    before = (tmp_path / "a").read_bytes()

    def fail(*_args):
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(os, "replace", fail)
    save.rewrite(game)
    assert [one.error.errno for one in save.told] == [errno.EIO]
    assert (tmp_path / "a").read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == ["a"]


# Other hands


def test_one_window_has_the_lock_until_it_closes(tmp_path):
    path = tmp_path / "a"
    lock = Lock.take(path)
    assert Lock.take(path) is None
    (tmp_path / "link").symlink_to(path)
    assert Lock.take(tmp_path / "link") is None
    lock.release()
    again = Lock.take(path)
    assert again is not None
    again.release()
    assert [p.name for p in tmp_path.iterdir()] == ["link"]


def test_the_lock_of_a_window_that_died_is_free(tmp_path):
    hold = (
        "import os, sys; from pathlib import Path; from engine.saves.lock import Lock\n"
        "print(Lock.take(Path(sys.argv[1])) is not None, flush=True); os._exit(9)"
    )
    run = [sys.executable, "-c", hold, str(tmp_path / "a")]
    held = subprocess.run(run, capture_output=True, text=True, check=False)
    assert held.stdout.strip() == "True"
    assert Lock.take(tmp_path / "a") is not None


def test_a_file_that_another_program_changed_is_left_alone_and_told(tmp_path):
    path = tmp_path / "a.prontuario"
    game, first = played(path, 3)
    other, second = played(path, 5)
    theirs = path.read_bytes()
    go_on(game, first, 2)
    assert path.read_bytes() == theirs
    assert first.path.name == "a-bis.prontuario"
    assert len(first.told) == 1
    assert first.told[0].msg.facts == {"old": "a.prontuario", "new": "a-bis.prontuario"}
    for played_there, save in ((game, first), (other, second)):
        assert load(save.path, TITLES).game.entries == played_there.entries


def test_closing_a_window_leaves_the_game_of_the_other_alone(tmp_path):
    path = tmp_path / "a"
    game, first = played(path, 3)
    other, second = played(path, 5)
    before = path.read_bytes()
    first.close(game)
    assert path.read_bytes() == before
    assert load(second.path, TITLES).game.entries == other.entries
    assert load(first.path, TITLES).game.entries == game.entries


@pytest.mark.parametrize("way", ["moved", "deleted", "folder moved"])
def test_a_file_that_is_gone_comes_back_whole_and_it_is_told(tmp_path, way):
    folder = tmp_path / "partite"
    folder.mkdir()
    game, save = played(folder / "a", 3)
    if way == "moved":
        save.path.rename(folder / "b")
    elif way == "deleted":
        save.path.unlink()
    else:
        folder.rename(tmp_path / "altrove")
    go_on(game, save, 2)
    if way == "folder moved":
        assert save.is_in_trouble
        assert [one.error.errno for one in save.told if one.error] == [errno.ENOENT]
        folder.mkdir()
        go_on(game, save)
    assert len(save.told) >= 1
    assert load(save.path, TITLES).game.entries == game.entries


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "vera").mkdir()
    link = tmp_path / "a"
    link.symlink_to(tmp_path / "vera" / "b")
    game, save = played(link, 3)
    go_on(game, save)
    save.close(game)
    assert link.is_symlink()
    assert load(tmp_path / "vera" / "b", TITLES).game.entries == game.entries


# Damage


def damaged(content: bytes, rng: random.Random) -> bytes:
    """A file with one thing wrong: a bit, a cut, foreign text, somewhere in it."""
    place = rng.randrange(len(content))
    match rng.choice(["bit", "cut", "foreign", "hole"]):
        case "bit":
            return (
                content[:place]
                + bytes([content[place] ^ 1 << rng.randrange(8)])
                + content[place + 1 :]
            )
        case "cut":
            return content[:place]
        case "foreign":
            return content[:place] + b"<<<<<<< HEAD\n" + content[place:]
    return content[:place] + b"\0" * 512 + content[place + 512 :]


def test_damage_costs_what_follows_at_most(tmp_path):
    game, save = played(tmp_path / "a", 40)
    save.rewrite(game)
    go_on(game, save, 3)
    content = save.path.read_bytes()
    rng = random.Random(17)
    for _ in range(60):
        bad = damaged(content, rng)
        first = next((i for i, (a, b) in enumerate(zip(content, bad, strict=False)) if a != b), 0)
        line = content[: first or len(bad)].count(b"\n") + 1
        before = b"".join(content.splitlines(keepends=True)[: line - 1])
        if b"\n" not in bad:
            continue
        loaded = replay(parse(bad), TITLES)
        assert loaded.divergence is None
        assert loaded.game.entries == game.entries[: len(loaded.game.entries)]
        assert len(loaded.game.entries) >= (len(parse(before).entries) if before else 0)
        if len(bad) >= len(content) and line < content.count(b"\n"):
            assert loaded.warnings
            assert not loaded.is_whole
            assert before in (b"",) or loaded.record.damage.line == line


def test_a_file_that_has_lost_its_end_is_told(tmp_path):
    game, save = played(tmp_path / "a", 12)
    save.rewrite(game)
    lines = save.path.read_bytes().splitlines(keepends=True)
    for left in range(2, len(lines)):
        loaded = replay(parse(b"".join(lines[:left])), TITLES)
        assert loaded.record.damage.msg == Msg("The end of the file is missing.")
        assert loaded.record.damage.line == left + 1


def test_a_damaged_header_is_read_from_its_copy(tmp_path):
    game, save = played(tmp_path / "a", 12)
    content = save.path.read_bytes()
    bad = content.replace(b'"cortile"', b'"cort\xfele"', 1)
    loaded = replay(parse(bad), TITLES)
    assert loaded.record.damage.line == 1
    assert loaded.game.entries == game.entries
    assert not loaded.is_whole


def test_after_the_damage_a_snapshot_is_still_found(tmp_path):
    game, save = played(tmp_path / "a", 30)
    save.rewrite(game)
    lines = save.path.read_bytes().splitlines(keepends=True)
    loaded = replay(parse(b"".join([*lines[:4], b"{}\n", *lines[5:]])), TITLES)
    assert loaded.record.damage.line == 5
    assert loaded.snapshot is not None
    assert loaded.snapshot.entries == len(game.entries) - len(game.position.open)


# Forgery


def remarked(lines: list[bytes]) -> bytes:
    """Lines of a file with marks that agree, as a forger who knows them would write."""
    marks = Marks()
    bodies = [re.sub(rb',"k":"[0-9a-f]{16}"}\n$', b"}", line) for line in lines]
    return b"".join(map(marks.marked, bodies))


def forgeries(lines: list[bytes]) -> dict[str, list[bytes]]:
    """Twenty ways to better one's luck, none of which breaks a mark."""
    rolls = [i for i, line in enumerate(lines) if line.startswith(b'{"r"')]
    commands = [i for i, line in enumerate(lines) if line.startswith(b'{"c"')]
    found: dict[str, list[bytes]] = {}

    def with_(place: int, line: bytes) -> list[bytes]:
        return [*lines[:place], line, *lines[place + 1 :]]

    for k, place in enumerate(rolls[:9]):
        roll = re.search(rb"\[(\d)(.*?)\]\]", lines[place])
        other = str(int(roll[1]) % 6 + 1).encode()
        better = lines[place].replace(roll[0], b"[" + other + roll[2] + b"]]", 1)
        found[f"roll {k} changed"] = with_(place, better)
    for k, place in enumerate(rolls[:3]):
        found[f"roll {k} dropped"] = [*lines[:place], *lines[place + 1 :]]
        found[f"roll {k} twice"] = [*lines[:place], lines[place], *lines[place:]]
        hand = lines[place].replace(b',"k"', b',"da":"mano","k"')
        found[f"roll {k} by hand"] = with_(place, hand)
    a, b = rolls[0], rolls[1]
    found["rolls swapped"] = [
        lines[b] if i == a else lines[a] if i == b else x for i, x in enumerate(lines)
    ]
    found["another seed"] = with_(0, lines[0].replace(b'"seme":5', b'"seme":6'))
    found["answer dropped"] = [*lines[: commands[3]], *lines[commands[3] + 1 :]]
    return found


def test_dice_that_do_not_come_from_their_source_are_named(tmp_path):
    _game, save = played(tmp_path / "a", 250, titles.TITLES["aslsk"], "R1")
    lines = save.path.read_bytes().splitlines(keepends=True)
    assert replay(parse(remarked(lines)), titles.TITLES).warnings == ()
    tried = forgeries(lines)
    assert len(tried) >= 20
    for name, forged in tried.items():
        assert forged != lines
        loaded = replay(parse(remarked(forged)), titles.TITLES)
        assert loaded.warnings, name
        if "changed" in name or "by hand" in name:
            assert loaded.forged, name


def test_lines_that_were_dropped_moved_or_changed_are_named(tmp_path):
    _game, save = played(tmp_path / "a", 30)
    lines = save.path.read_bytes().splitlines(keepends=True)
    dropped = parse(b"".join([*lines[:8], *lines[9:]])).damage
    assert (dropped.line, dropped.msg) == (9, Msg("Before this line at least one is missing."))
    swapped = parse(b"".join([*lines[:8], lines[9], lines[8], *lines[10:]])).damage
    assert swapped.line == 9
    assert swapped.msg == Msg("The line stands in another place than it was written.")
    changed = parse(b"".join([*lines[:8], lines[8].replace(b"{", b"{ "), *lines[9:]])).damage
    assert (changed.line, changed.msg) == (9, Msg("The line was changed."))


def test_real_dice_are_marked_and_a_program_s_dice_do_not_pass_for_them(tmp_path):
    header = msgspec.structs.replace(HEADER, real_dice=True)
    game = Game(TITLE, "cortile", RealDice(5))
    save = SaveFile.create(tmp_path / "a", header, game)
    rng = random.Random(2)
    for _ in range(60):
        position = game.position
        if position.decision is not None:
            game.answer(rng.choice(position.decision.options).id)
        elif position.request is not None:
            game.enter([1] * len(position.request.dice.dice))
        else:
            break
        save.sync(game)
    content = save.path.read_bytes()
    assert b'"da":"mano"' in content
    assert load(save.path, TITLES).warnings == ()
    lines = content.replace(b',"da":"mano"', b"", 1).splitlines(keepends=True)
    assert len(replay(parse(remarked(lines)), TITLES).forged) == 1


# The journal


def test_notes_come_back_where_they_were_and_undo_takes_them_along(tmp_path):
    game = Game(TITLE, "cortile", SeededChance(5))
    notes: list[Note] = []
    save = SaveFile.create(tmp_path / "a", Header(FORMAT, "prova", 1, "cortile", 5), game)
    for n in range(12):
        said = Msg("a reason", {"n": n})
        notes.append(Note(len(game.entries), len(game.steps), Ruling(("prova:1",), said)))
        game.answer(game.position.decision.options[0].id)
        save.sync(game, notes)
    assert read(save.path).notes == tuple(notes)
    game.undo(studio=True)
    notes = [note for note in notes if note.steps < len(game.steps)]
    save.sync(game, notes)
    assert read(save.path).notes == tuple(notes)
    save.rewrite(game, notes)
    assert read(save.path).notes == tuple(notes)


# Seals


def test_what_is_sealed_comes_back_whole_and_says_nothing():
    for content in (b"x", b"una partita" * 1000):
        assert unsealed(sealed(content)) == content
    assert sealed(b"lo stesso") != sealed(b"lo stesso")
    assert "partita" not in sealed(b"una partita")


def test_a_touched_seal_is_broken():
    whole = sealed(b"ciao")
    other = "B" if whole[30] == "A" else "A"
    for text in ("", "!!", "AAAA", whole[:-4], whole[:30] + other + whole[31:]):
        with pytest.raises(BrokenSeal):
            unsealed(text)
