"""Whole games by post, one of the two killed and started again ten times."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.postmen import Table, profile, quick, sides_of

__all__ = ["quick"]
GAMES = (("toi", "toi-s1"), ("aslsk", "R2"), ("warfare", "s1"))
TEAMS = (("toi", "toi-s2-3"), ("toi", "toi-s2-4"))
DEATHS = ("answer:3", "write:2", "answer:9", "write:7", "answer:1", "write:11", "answer:14",
          "write:4", "answer:6", "write:1")  # fmt: skip


def final(table: Table) -> set[tuple[str, str]]:
    """The last position and the last digest, as everybody has them."""
    from engine.game import digest

    found = set()
    for side in table.sides:
        with table.at(side):
            session = table.open(side)
            assert session.ledger is not None
            found.add((digest(session.position.rest), session.ledger.mails[-1].digest))
            session.close()
    return found


@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_the_first_turns_of_a_game_by_post_agree_on_both_sides(tmp_path, slug, scenario):
    table = Table(tmp_path, slug, scenario)
    for _ in range(6):
        assert table.send()
    with table.at(table.turn):
        session = table.open(table.turn)
    assert session.ledger is not None
    assert session.ledger.is_open
    other = next(side for side in table.sides if side != table.turn)
    with table.at(other):
        assert table.open(other).game.entries == session.game.entries
    for side in table.sides:
        assert len(list((tmp_path / side).rglob("*.prontuario"))) == 1


def test_a_mail_goes_round_until_all_of_four_have_taken_a_side(tmp_path):
    table = Table(tmp_path, "toi", "toi-s2-4")
    for _ in range(9):
        assert table.send()
    assert set(table.sides) == {side for side, _link in table.letter.ledger.pledges}
    assert table.letter.ledger.is_open


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "scenario"), [*GAMES, *TEAMS])
def test_a_whole_game_by_post_ends_alike_for_everybody(tmp_path, capsys, slug, scenario):
    table = Table(tmp_path, slug, scenario)
    while table.send():
        pass
    assert len(final(table)) == 1
    saves = sum(len(list((tmp_path / side).rglob("*.prontuario"))) for side in table.sides)
    assert saves == len(table.sides)
    with capsys.disabled():
        size = table.mails[-1].stat().st_size
        said = f"{len(table.mails)} mails, {saves} saves, {table.answers} answers"
        sys.stdout.write(f"\n{slug} {scenario}: {said}, last mail {size} bytes\n")


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_a_game_by_post_survives_ten_deaths_of_one_side(tmp_path, capsys, slug, scenario):
    first, second = sides_of(slug, scenario)
    mailbox = tmp_path / "mails"
    mailbox.mkdir()

    def start(side: str, *die: str) -> subprocess.Popen[str]:
        env = {**os.environ, "XDG_DATA_HOME": str(tmp_path / side)}
        command = [sys.executable, "-m", "tests.app.postmen", str(mailbox), side, slug, scenario]
        return subprocess.Popen([*command, *die], env=env, stdout=subprocess.PIPE, text=True)

    other = start(second)
    killed = 0
    for die in DEATHS:
        process = start(first, die)
        process.communicate(timeout=300)
        assert process.returncode < 0, f"{die}: it was to be killed"
        killed += 1
    told = [json.loads(start(first).communicate(timeout=600)[0]),
            json.loads(other.communicate(timeout=600)[0])]  # fmt: skip
    assert killed == len(DEATHS)
    assert len({(one["state"], one["digest"]) for one in told}) == 1
    assert [one["saves"] for one in told] == [1, 1]
    with capsys.disabled():
        turns = told[1]["sent"]
        sys.stdout.write(f"\n{slug} {scenario}, ten deaths: {told[0]['mails']} mails, 2 saves, "
              f"{(told[1]['sent'] + told[1]['taken']) / turns:.1f} keys of the post per turn "
              f"of {second}\n")  # fmt: skip
    with profile(tmp_path / first):
        assert len(list(Path(tmp_path / first).rglob("*.prontuario"))) == 1
