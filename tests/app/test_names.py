"""Names that players would say: the same in lines, answers and counters, and kept where said."""

from __future__ import annotations

import random
import re
from functools import cache, partial

import pytest

from app.play.discretion import Audience, audience
from app.play.session import frames_of
from app.play.telling import Teller
from app.presenters.base import name_of
from app.presenters.registry import presenter_for
from app.shell import i18n
from engine.ddob.state.tables import UNITS
from engine.drive import player_of, sides_of
from engine.game import Game, SeededChance
from engine.titles import TITLES

ANSWERS = 700
SEED = 5
GAMES = [
    ("toi", "toi-s1"),
    ("toi", "toi-s2"),
    ("toi", "toi-s3"),
    ("ddob", "easy-fox"),
    ("ddob", "first-wave"),
    ("aslsk", "R1"),
    ("aslsk", "R3"),
    ("aslsk", "R4"),
    ("warfare", "s1"),
    ("warfare", "s3"),
    ("warfare", "s5"),
]
BECOMES = re.compile(r"\b(.+?) (?:diventa|diventano) \1(?![\w-])")


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


@cache
def played(slug, scenario):
    """A game between programs, some way in, and what was told to each side on the way."""
    title = TITLES[slug]
    game, rng = Game(title, scenario, SeededChance(SEED)), random.Random(SEED)
    sides = sides_of(game)
    players = {side: player_of(title, title.levels[0]) for side in sides}
    early, asked = {}, set()
    for number in range(ANSWERS):
        decision = game.position.decision
        if decision is None:
            break
        if number % 5 == 0:
            asked |= words_of(title, game.position.draft, decision)
        look = partial(title.view, game.position.draft, decision.side)
        game.answer(players[decision.side].choose(look, decision, rng))
        if number == ANSWERS // 3:
            early = {side: told(game, side, is_over=False) for side in sides}
    return game, early, asked


def words_of(title, state, decision):
    """A question with its answers and refusals."""
    names = presenter_for(title.info.slug)
    names.use(title.view(state, decision.side))
    found = {names.say(decision.ruling.msg)}
    found |= {names.answer(option.id, option.msg) for option in decision.options}
    for option, rulings in decision.refused.items():
        found |= {name_of(names, decision, option), *(names.say(r.msg) for r in rulings)}
    return found


def told(game, side, is_over):
    """Every line as a side reads it."""
    sides = sides_of(game)
    looking = Audience(game.title, (side,), sides, is_told_all=is_over, is_over=is_over)
    frames = [frame for frame in frames_of(game) if side not in frame.step.hidden_from]
    return [line.words for line in Teller(looking).tell(frames)]


def moments(game, side, every=40):
    """The table as a side sees it, now and then, with who names it."""
    frames = list(frames_of(game))
    for frame in (*frames[::every], frames[-1]):
        view = game.title.view(frame.state, side)
        names = presenter_for(game.title.info.slug)
        names.use(view)
        yield view, names


def ids_of(game):
    """The ids of all that was ever on the table, without those that are printed on the counter."""
    seen = [pair for side in sides_of(game) for pair in moments(game, side)]
    found = {(c.id, names.name("unit", c.id)) for view, names in seen for c in view.counters}
    printed = UNITS.keys() if game.title.info.slug == "ddob" else ()
    return {id for id, name in found if id != name or id not in printed}


@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_no_line_question_or_answer_contains_an_id(slug, scenario):
    game, _early, asked = played(slug, scenario)
    known = "|".join(map(re.escape, sorted(ids_of(game), key=len, reverse=True)))
    an_id = re.compile(rf"(?<![\w•/-])(?:{known})(?![\w•/-])")
    for side in sides_of(game):
        for line in (*told(game, side, is_over=True), *asked):
            assert not an_id.search(line), line


@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_what_becomes_another_unit_is_called_as_before(slug, scenario):
    game, _early, _asked = played(slug, scenario)
    for side in sides_of(game):
        assert not [line for line in told(game, side, is_over=True) if BECOMES.search(line)]


@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_lines_read_the_same_when_the_game_is_over(slug, scenario):
    game, early, _asked = played(slug, scenario)
    for side, lines in early.items():
        assert lines
        for is_over in (False, True):
            assert told(game, side, is_over=is_over)[: len(lines)] == lines


@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_names_at_the_table_are_unique_on_each_side(slug, scenario):
    game, _early, _asked = played(slug, scenario)
    for side in sides_of(game):
        for view, names in moments(game, side):
            for army in {counter.side for counter in view.counters}:
                own = [names.name("unit", c.id) for c in view.counters if c.side == army]
                twice = {name for name in own if own.count(name) > 1}
                assert not twice, (army, twice)


@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_counters_have_the_names_of_the_lines(slug, scenario):
    game, _early, _asked = played(slug, scenario)
    for side in sides_of(game):
        for view, names in moments(game, side):
            for counter in view.counters:
                assert names.counter(counter).name == names.name("unit", counter.id)
                if counter.hex is not None and counter.hex in view.board:
                    assert names.name("unit", counter.id) in names.describe(view, counter.hex)


def test_whoever_reads_a_finished_game_of_people_reads_what_was_told_then():
    game, _early, _asked = played("warfare", "s1")
    over = audience(game, {"blu": "umano", "verde": "umano"})
    assert over.is_told_all == over.is_over == (game.position.outcome is not None)
    assert not audience(game, {"blu": "medio", "verde": "medio"}).is_over
