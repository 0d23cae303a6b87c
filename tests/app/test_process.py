"""The players' process and that of the odds: what crosses, what is given up, what fails."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from fractions import Fraction

import msgspec
import pytest

from app.play import process
from app.play.bots import BotProcess
from app.play.process import Asked, plain
from app.play.reckoning import OddsProcess, reckon
from app.shell.child import ChildFailed
from engine.core.text import Msg
from engine.game import Game
from engine.saves.lines import Post
from engine.saves.replaying import chance_of, snapshot_of
from engine.titles import TITLES
from tests.app.tables import ACTION, head_of, played, session_at, session_of

CHILD = """
import sys, time
from importlib import import_module

module = import_module(sys.argv[1])

def begin(_title, header):
    def answer(at, what):
        {body}
    return answer

module.serve(begin)
"""


@pytest.fixture
def child(monkeypatch):
    """Let a process of the program do something else."""

    def put(body):
        code = CHILD.replace("{body}", body)
        monkeypatch.setattr(process, "command", lambda module: [sys.executable, "-c", code, module])

    return put


@pytest.fixture
async def processes():
    made = []
    yield made
    for one in made:
        await one.closed()


async def heard(asking, at, what=""):
    parts = []
    await asking.ask(at, what, lambda raw: parts.append(msgspec.json.decode(raw)))
    return parts


def first_with_odds(folder, slug, scenario):
    """A session at the first question that has odds."""
    seats = dict.fromkeys(head_of(slug, scenario).players, TITLES[slug].levels[0])
    session = session_of(folder, slug, scenario, **seats)
    while not session.questions():
        session.answer(session.bot_choice()[0])
    return session


@pytest.mark.parametrize(
    ("slug", "scenario"),
    [("toi", "toi-s1"), ("ddob", "easy-fox"), ("aslsk", "R1"), ("warfare", "s1")],
)
async def test_odds_cross_whole(tmp_path, processes, slug, scenario):
    session = first_with_odds(tmp_path, slug, scenario)
    odds = OddsProcess(session.header)
    processes.append(odds)
    found = []
    await odds.reckon(session.position, found.append)
    assert found
    assert found == list(reckon(session.title, session.position))


async def test_players_answer_for_who_sits_there_or_as_they_are_told(tmp_path, processes):
    session = session_at(tmp_path, ACTION, us="medio")
    bots = BotProcess(session.header)
    processes.append(bots)
    assert await bots.choose(session.position) == session.bot_choice()
    option, reason = await bots.choose(session.position, "casuale")
    assert session.decision.option(option)
    assert reason is None


async def test_a_reason_crosses_with_its_fractions(tmp_path, child, processes):
    child(
        "from fractions import Fraction; msg = module.Msg('why', {'n': Fraction(1, 3)});"
        "yield module.Choice('b:go', module.PlainMsg.of(msg))"
    )
    session = session_at(tmp_path, ACTION)
    bots = BotProcess(session.header)
    processes.append(bots)
    why = Msg("why", {"n": Fraction(1, 3)})
    assert await bots.choose(session.position) == ("b:go", why)


async def test_a_game_that_began_at_a_snapshot_is_known_as_it_stands(tmp_path, processes):
    """Its entries alone would lead elsewhere."""
    entries = played("toi", "toi-s1", ACTION)
    head = head_of("toi", "toi-s1")
    game = Game(TITLES["toi"], "toi-s1", chance_of(head))
    game.resume(entries[len(game.entries) :])
    photo = snapshot_of(game)
    state = msgspec.convert(photo.state, TITLES["toi"].state_type)
    again = Game(TITLES["toi"], "toi-s1", chance_of(head), start=state, rolled=photo.rolled)
    bots = BotProcess(head)
    processes.append(bots)
    option, _reason = await bots.choose(again.position, "casuale")
    assert again.position.decision.option(option)


# --- giving up --------------------------------------------------------------------------------


async def ask_and_give_up(asking, at, what=""):
    """Put a question, wait until it is at its second part, and ask nothing more."""
    first = asyncio.Event()
    task = asyncio.create_task(asking.ask(at, what, lambda _raw: first.set()))
    await asyncio.wait_for(first.wait(), 30)
    await asyncio.sleep(0.2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_is_given_up_leaves_its_process_to_the_next_question(tmp_path, child, processes):
    child("for n in range(10_000): yield [what, n]; time.sleep(0.01)")
    at = session_at(tmp_path, ACTION).position
    odds = OddsProcess(head_of("toi", "toi-s1"))
    processes.append(odds)
    await ask_and_give_up(odds, at, "old")
    before = odds._process.pid
    parts, enough = [], asyncio.Event()

    def hear(raw):
        parts.append(msgspec.json.decode(raw))
        if len(parts) == 3:
            enough.set()

    task = asyncio.create_task(odds.ask(at, "new", hear))
    await asyncio.wait_for(enough.wait(), 30)
    assert odds._process.pid == before
    assert parts[:3] == [["new", 0], ["new", 1], ["new", 2]]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_part_that_takes_long_when_nobody_waits_ends_its_process(
    tmp_path, child, processes, monkeypatch
):
    monkeypatch.setattr(process, "GRACE", 0.1)
    child("yield what; time.sleep(600 if what == 'long' else 0)")
    at = session_at(tmp_path, ACTION).position
    bots = BotProcess(head_of("toi", "toi-s1"))
    processes.append(bots)
    await ask_and_give_up(bots, at, "long")
    before = bots._process
    assert await heard(bots, at, "short") == ["short"]
    assert await before.wait() != 0
    assert bots._process.pid != before.pid


async def test_to_give_up_odds_leaves_the_players_alone_and_the_other_way_round(
    tmp_path, child, processes, monkeypatch
):
    monkeypatch.setattr(process, "GRACE", 0.05)
    child("yield 0; time.sleep(600 if what == 'long' else 0.3); yield what")
    at, head = session_at(tmp_path, ACTION).position, head_of("toi", "toi-s1")
    pair = OddsProcess(head), BotProcess(head)
    processes.extend(pair)
    for given_up, other in (pair, pair[::-1]):
        answer = asyncio.create_task(heard(other, at, "short"))
        await ask_and_give_up(given_up, at, "long")
        ended = given_up._process
        await ended.wait()
        kept = other._process
        assert await answer == [0, "short"]
        assert other._process is kept
        assert kept.returncode is None


async def test_no_process_is_left_when_the_table_is_cleared_in_the_middle_of_a_question(tmp_path):
    at = session_at(tmp_path, ACTION).position
    for made in (BotProcess(head_of("toi", "toi-s1")), OddsProcess(head_of("toi", "toi-s1"))):
        asked = asyncio.create_task(heard(made, at, "medio"))
        while made._process is None:
            await asyncio.sleep(0)
        process = made._process
        asked.cancel()
        await made.closed()
        assert process.returncode is not None
        with pytest.raises(asyncio.CancelledError):
            await asked


def test_a_process_ends_with_its_screen_even_in_the_middle_of_a_thought(tmp_path):
    session = session_at(tmp_path, ACTION)
    code = CHILD.replace("{body}", "yield 0; time.sleep(600)")
    asked = Asked(msgspec.Raw(plain(session.position.rest)), session.position.open, "")
    lines = msgspec.json.encode(session.header) + b"\n" + plain(asked) + b"\n"
    with subprocess.Popen(
        [sys.executable, "-c", code, "app.play.bots"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as started:
        started.stdin.write(lines)
        started.stdin.flush()
        assert started.stdout.readline()
        started.stdin.close()
        assert started.wait(30) == 0


# --- faults -----------------------------------------------------------------------------------


async def test_a_fault_is_told_with_its_details_and_the_next_question_is_answered(
    tmp_path, child, processes
):
    child("yield 1\n        if what == 'bad': raise LookupError('segreto')")
    at = session_at(tmp_path, ACTION).position
    odds = OddsProcess(head_of("toi", "toi-s1"))
    processes.append(odds)
    with pytest.raises(ChildFailed) as failed:
        await heard(odds, at, "bad")
    assert "LookupError: segreto" in failed.value.details
    before = odds._process.pid
    assert await heard(odds, at, "good") == [1]
    assert odds._process.pid == before


async def test_of_a_sealed_game_a_fault_tells_no_words(tmp_path, child, processes):
    child("yield 1\n        raise LookupError('seg' + 'reto')")  # the source itself may be shown
    at = session_at(tmp_path, ACTION).position
    head = msgspec.structs.replace(head_of("toi", "toi-s1"), post=Post("x", "us"))
    assert head.is_sealed
    odds = OddsProcess(head)
    processes.append(odds)
    with pytest.raises(ChildFailed) as failed:
        await heard(odds, at)
    assert "LookupError" in failed.value.details
    assert "segreto" not in failed.value.details


@pytest.mark.parametrize(
    "body",
    [
        "yield {'facts': 7}",
        "yield from ()",
        "print('nonsense', flush=True); yield 1",
        "import os; os._exit(3)\n        yield",
    ],
)
async def test_nonsense_is_a_failure_and_not_the_end(tmp_path, child, processes, body):
    child(body)
    session = session_at(tmp_path, ACTION)
    bots = BotProcess(session.header)
    processes.append(bots)
    with pytest.raises(ChildFailed):
        await bots.choose(session.position)


async def test_a_program_that_cannot_be_started_is_a_failure(tmp_path, monkeypatch, processes):
    monkeypatch.setattr(process, "command", lambda _module: [str(tmp_path / "nowhere")])
    session = session_at(tmp_path, ACTION)
    odds = OddsProcess(session.header)
    processes.append(odds)
    with pytest.raises(ChildFailed):
        await odds.reckon(session.position, print)
