"""What is shown of a game while it goes on: nothing that whoever looks may not know.

The oracle are twins: games that differ only in what a side may not know, because all its views of
them are the same. Whatever is told to that side of one must be told of the other, word for word.
"""

from __future__ import annotations

import json
import random
from argparse import Namespace
from collections.abc import Iterator
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from app.cli import headless
from app.cli import playing as play_cli
from app.cli import verbs as cli
from app.cli.answers import Fault
from app.play import discretion
from app.play.discretion import HUMAN, REMOTE, audience
from app.play.session import Session
from app.play.table import Table
from app.play.text_looking import step_text
from app.play.text_mode import Dialogue, lines_from
from app.play.watching import replay_for
from app.presenters.registry import presenter_for
from app.screens.app import ProntuarioApp
from app.screens.choice import ChoiceScreen
from app.screens.play import PlayScreen
from app.screens.replay import ReplayScreen
from app.screens.saves import SavesScreen
from app.shell import i18n
from app.shell.paths import saves_folder, writable
from engine import titles
from engine.core.ctx import DrawRequest
from engine.core.rules import Command, Draw, Refused, RuleBug, Ruling
from engine.core.text import msg
from engine.core.title import Outcome
from engine.drive import RANDOM, sides_of
from engine.game import Game, SeededChance
from engine.saves.lines import FORMAT, Header
from engine.saves.reading import Record
from engine.saves.replaying import Loaded
from engine.saves.writing import SaveFile
from tests.titles.registry import ALL

SEED = 90817263
OTHERS, TWINS = 3, 6
"""So many other answers are tried for each, and so many twins are compared."""


class Case(NamedTuple):
    """A game that hides something from a side after so many answers."""

    slug: str
    scenario: str
    side: str
    answers: int
    options: tuple[tuple[str, str], ...] = ()
    only_hidden: bool = False  # a long game: only entries that lead to hidden steps are exchanged


CASES = [
    Case("prova", "cortile", "rosso", 6),
    Case("prova", "cortile", "blu", 6),
    Case("aslsk", "R2", "russian", 40),
    Case("aslsk", "R3", "german", 60),
    Case("aslsk", "R4", "american", 40),
    Case("toi", "toi-s1", "de", 10, (("costruzione", "segreta"),)),
    Case("toi", "toi-s2-4", "us2", 12, (("costruzione", "segreta"),)),
    Case("ddob", "beyond-the-beach", "us", 60, only_hidden=True),
    Case("warfare", "s1", "blu", 30),
    Case("warfare", "s5-3", "rosso", 40),
]
each_case = pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.slug}-{c.scenario}-{c.side}")


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)
    monkeypatch.setattr(titles, "TITLES", ALL)


def begun(case: Case, start: Any = None, chance: Any = None) -> Game[Any]:
    return Game(ALL[case.slug], case.scenario, chance, dict(case.options), start)


def hides(case: Case, game: Game[Any]) -> bool:
    """Whether the side could be looking at another state."""
    rng, state = random.Random(1), game.position.draft
    deals = (game.title.redeal(state, case.side, rng.randrange) for _ in range(5))
    return any(other != state for other in deals)


@cache
def middle(case: Case) -> Game[Any]:
    """A game by programs, up to a question at which something is hidden."""
    for seed in range(SEED, SEED + 20):
        game = begun(case, chance=SeededChance(seed))
        rng = random.Random(seed)
        for number in range(500):
            decision = game.position.decision
            if decision is None:
                break
            if number >= case.answers and hides(case, game):
                return game
            game.answer(decision.options[rng.randrange(len(decision.options))].id)
    raise AssertionError(f"nothing is hidden in {case}")


# Twins


def views(game: Game[Any], side: str) -> list[Any]:
    rests = [passage.rest for passage in game.passages]
    return [game.title.view(state, side) for state in (*rests, game.position.draft)]


@cache
def twins(case: Case) -> tuple[Game[Any], ...]:
    """Games that the side cannot tell from that of the case."""
    game, found = middle(case), []
    seen = views(game, case.side)
    for other in (*redealt(case, game), *exchanged(case, game)):
        if other.position.outcome is None and views(other, case.side) == seen:
            found.append(other)
    return tuple(random.Random(3).sample(found, min(TWINS, len(found))))


def redealt(case: Case, game: Game[Any]) -> Iterator[Game[Any]]:
    """The same answers after another deal of what is hidden from the start."""
    rng, start = random.Random(2), begun(case).title.start(case.scenario, dict(case.options))
    for _ in range(40):
        other = game.title.redeal(start, case.side, rng.randrange)
        if other != start:
            yield from resumed(case, other, game.entries)


def exchanged(case: Case, game: Game[Any]) -> Iterator[Game[Any]]:
    """The same answers, but for one of another side or of a hidden draw."""
    probe = begun(case)
    for index, entry in enumerate(game.entries):
        position, others = probe.position, []
        if isinstance(entry, Command) and entry.side != case.side and position.decision:
            others = [Command(entry.side, o.id) for o in position.decision.options]
        elif isinstance(entry, Draw) and isinstance(position.request, DrawRequest):
            others = [Draw(entry.pool, item) for item in position.request.pool.items]
        known = len(probe.steps)
        probe.resume([entry])
        if case.only_hidden and not any(case.side in s.hidden_from for s in probe.steps[known:]):
            continue
        others = [other for other in others if other != entry]
        for other in random.Random(index).sample(others, min(OTHERS, len(others))):
            changed = (*game.entries[:index], other, *game.entries[index + 1 :])
            yield from resumed(case, None, changed)


def resumed(case: Case, start: Any, entries: tuple[Any, ...]) -> Iterator[Game[Any]]:
    try:
        game = begun(case, start)
        game.resume(entries[len(game.entries) :])
        yield game
    except (Refused, RuleBug):
        return  # another game altogether


# What is shown


def header_of(case: Case, players: dict[str, str]) -> Header:
    revision = ALL[case.slug].info.revision
    return Header(FORMAT, case.slug, revision, case.scenario, SEED, dict(case.options), players)


def alone(case: Case) -> dict[str, str]:
    """A person on the side of the case, programs on the others."""
    seats = dict.fromkeys(sides_of(middle(case)), RANDOM)
    return {**seats, case.side: HUMAN}


def together(case: Case) -> dict[str, str]:
    return dict.fromkeys(sides_of(middle(case)), HUMAN)


def shown(case: Case, game: Game[Any], players: dict[str, str], side: str = "") -> list[str]:
    """All that the verbs and the replay show of a game, as text."""
    record = Record(header_of(case, players), game.entries, {})
    found = []
    with pytest.MonkeyPatch.context() as patch:
        for module in (headless, play_cli):
            patch.setattr(module, "load", lambda _path, _titles: Loaded(game, record))
            patch.setattr(module, "named_file", Path)
        args = Namespace(file="f", lato=side, verifica=False, o=None)
        for answer in (headless.replay(args), play_cli.report(args)):
            found += [json.dumps(answer.data, indent=1), *answer.lines]
    watched = replay_for(game, audience(game, players, side))
    names = presenter_for(case.slug)
    found += [watched.name, watched.note]
    for number, frame in enumerate(watched.frames):
        if number % 10 == 0 or number > len(watched.frames) - 30:
            view = watched.looking.view(frame.state)
            names.use(view)
            described = [names.describe(view, hex) for hex in sorted({
                c.hex for c in view.counters if c.hex is not None})]  # fmt: skip
            found += [repr(view), *names.headline(view), *described]
    return found + [step_text(line.step, line.words) for line in watched.lines]


def ended(game: Game[Any]) -> Game[Any]:
    """The same game, but over."""
    other: Any = Game.__new__(Game)
    other.__dict__.update(game.__dict__)
    ruling = Ruling(game.steps[0].ruling.refs, msg("a squad"))
    position = game.position
    other.position = msgspec.structs.replace(
        position, decision=None, outcome=Outcome(sides_of(game)[0], "", ruling)
    )
    return other


@each_case
def test_what_a_side_cannot_tell_apart_is_told_alike(case):
    assert len(twins(case)) >= 2
    first = shown(case, middle(case), alone(case))
    assert shown(case, middle(case), alone(case), case.side) == first
    for other in twins(case):
        assert shown(case, other, alone(case)) == first


@each_case
def test_people_at_one_computer_are_told_what_all_of_them_may_know(case):
    first = shown(case, middle(case), together(case))
    own = shown(case, middle(case), together(case), case.side)
    for other in twins(case):
        assert shown(case, other, together(case)) == first
        assert shown(case, other, together(case), case.side) == own


@each_case
def test_the_oracle_finds_out_whoever_tells_everything(case, monkeypatch):
    monkeypatch.setattr(discretion, "is_told_all", lambda *_: True)
    first = shown(case, middle(case), alone(case))
    assert any(shown(case, other, alone(case)) != first for other in twins(case))


@each_case
def test_a_game_that_goes_on_says_for_whom_and_keeps_its_seed(case):
    told = shown(case, middle(case), alone(case))
    who = presenter_for(case.slug).army(case.side).name
    assert sum(f"vedi solo ciò che è noto a {who}" in line for line in told) == 3
    assert not any(str(SEED) in line for line in told)
    for line in told:
        if line.startswith("{"):
            data = json.loads(line)
            assert data["visto_da"] == [case.side]
            assert data.get("voci") is None


@each_case
@pytest.mark.parametrize("is_over", [True, False])
def test_everything_is_told_after_the_end_and_where_only_programs_play(case, is_over):
    game = ended(middle(case)) if is_over else middle(case)
    players = alone(case) if is_over else dict.fromkeys(sides_of(game), RANDOM)
    told = shown(case, game, players)
    assert "in corso" not in "".join(told)
    assert f"Seme scelto {SEED}." in told
    replayed, reported = (json.loads(line) for line in told if line.startswith("{"))
    assert replayed["visto_da"] is reported["visto_da"] is None
    assert (replayed["passi"], replayed["voci"]) == (len(game.steps), len(game.entries))
    refs = [ref for step in game.steps for ref in step.ruling.refs]
    assert reported["regole"] == {ref: refs.count(ref) for ref in refs}
    assert len(replay_for(game, audience(game, players)).frames) == len(game.steps)


def test_the_map_shows_hidden_guns_after_the_end():
    case = CASES[3]
    game = middle(case)
    hidden = next(u for u in game.position.draft.units.values() if u.hidden)

    def where(game: Game[Any]) -> list[Any]:
        view = audience(game, alone(case)).view(game.position.draft)
        return [c.hex for c in view.counters if c.id == hidden.id and c.hex is not None]

    assert not where(game)
    assert where(ended(game)) == [game.position.draft.ground.hex[hidden.hex]]


# Who asks


@pytest.fixture
def save(tmp_path):
    def write(**seats: str) -> str:
        case = CASES[3]
        path = tmp_path / "a.prontuario"
        SaveFile.create(path, header_of(case, {**together(case), **seats}), middle(case))
        return str(path)

    return write


@pytest.mark.parametrize("verb", ["replay", "rapporto"])
@pytest.mark.parametrize(
    ("seats", "side", "code", "words"),
    [
        ({"german": RANDOM}, "russian", 0, "noto a URSS"),
        ({"german": RANDOM}, "german", 1, "Qui nessuno gioca german"),
        ({"german": REMOTE}, "german", 1, "Lati giocati qui: russian."),
        ({"german": REMOTE}, "", 0, "noto a URSS"),
        ({"german": REMOTE, "russian": RANDOM}, "", 0, "noto a Germania"),
        ({"german": REMOTE, "russian": RANDOM}, "german", 1, "Qui nessuno gioca german"),
        ({}, "french", 2, "Non c'è il lato french. Lati: german, russian."),
        ({}, "german", 0, "noto a Germania"),
        ({}, "", 0, "noto a tutti (Germania, URSS)"),
        ({"german": RANDOM, "russian": RANDOM}, "german", 0, ""),
    ],
)
def test_a_side_is_shown_to_whoever_plays_it_here(save, capsys, verb, seats, side, code, words):
    found = cli.main([verb, save(**seats), *(["--lato", side] if side else [])])
    said = "".join(capsys.readouterr())
    assert (found, words in said) == (code, True)
    assert ("in corso" in said) == (code == 0 and bool(words))


def test_the_report_in_a_file_is_the_one_on_the_screen(save, capsys, tmp_path):
    path = save(russian=RANDOM)
    assert cli.main(["rapporto", path]) == 0
    said = capsys.readouterr().out
    assert cli.main(["rapporto", path, "-o", str(tmp_path / "r.md")]) == 0
    assert (tmp_path / "r.md").read_text(encoding="utf-8") == said
    assert "noto a Germania" in said


def test_a_side_that_is_not_there_cannot_ask_after_the_end_either():
    case = CASES[3]
    with pytest.raises(Fault):
        audience(ended(middle(case)), alone(case), "french")


# At the table


def test_the_dialogue_does_not_tell_what_a_program_hides(tmp_path):
    title = ALL["aslsk"]
    seats = {"german": HUMAN, "russian": RANDOM}
    session = Session.new(title, "R3", seats=seats, seed=SEED, path=tmp_path / "a.prontuario")
    out = StringIO()
    Dialogue(session, lines_from(StringIO("")), out).run()
    secret = [s.ruling.msg for s in session.game.steps if "german" in s.hidden_from]
    names = presenter_for("aslsk")
    hexes = {str(m.facts["hex"]) for m in secret if "hex" in m.facts}
    crews = {names.name("unit", str(m.facts["unit"])) for m in secret if "unit" in m.facts}
    assert hexes
    for line in out.getvalue().splitlines():
        assert not (any(crew in line for crew in crews) and any(hex in line for hex in hexes))


def test_the_journal_does_not_tell_why_a_program_hides_something(tmp_path):
    title = ALL["aslsk"]
    seats = {"german": HUMAN, "russian": title.levels[0]}
    session = Session.new(title, "R3", seats=seats, seed=SEED, path=tmp_path / "a.prontuario")
    why = msg("a squad")
    for _ in range(2):  # the crew that may be hidden, and a squad
        session.answer(session.decision.options[0].id, why := msg(why.id, n=1 + len(why.facts)))
    told = [f.step.ruling.msg for f in Table(session, "german").frames]
    own = [f.step.ruling.msg for f in Table(session, "russian").frames]
    reasons = [m for m in own if m.id == why.id]
    assert len(reasons) == 2
    assert [m for m in told if m.id == why.id] == reasons[1:]


@pytest.mark.parametrize("is_over", [True, False])
async def test_the_table_shows_the_seed_when_the_game_is_over(tmp_path, is_over):
    case = CASES[8]
    session = Session(middle(case), header_of(case, together(case)), tmp_path / "a.prontuario")
    session.game = ended(session.game) if is_over else session.game
    app = ProntuarioApp(lambda: PlayScreen(session))
    async with app.run_test(size=(160, 40)) as pilot:
        await pilot.pause()
        status = str(app.screen_stack[1].query_one("#status").render())
        assert (str(SEED) in status) == is_over


async def test_people_at_one_computer_say_who_watches_again():
    case = CASES[3]
    path = writable(saves_folder()) / "a.prontuario"
    SaveFile.create(path, header_of(case, together(case)), middle(case))
    app = ProntuarioApp(SavesScreen)
    async with app.run_test(size=(120, 40)) as pilot:
        for keys, sides in ((("enter",), ("german", "russian")), (("down", "enter"), ("german",))):
            await pilot.pause()
            await pilot.press("w")
            await pilot.pause()
            assert isinstance(app.screen, ChoiceScreen)
            await pilot.press(*keys)
            await pilot.pause()
            assert isinstance(app.screen, ReplayScreen)
            assert app.screen.replay.looking.sides == sides
            assert "in corso" in str(app.screen.query_one("#note").render())
            await pilot.press("escape")
