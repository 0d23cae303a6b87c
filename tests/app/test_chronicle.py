"""The chronicle: turns, actions, steps; folding; what an action came to, with its dice."""

from __future__ import annotations

import random
import re
from functools import cache, partial
from itertools import pairwise

import pytest

from app.play.chronicle import MOST_OUTCOMES, Chronicle, Kind
from app.play.discretion import Audience
from app.play.outcome import dice_of, names_of
from app.play.session import frames_of
from app.play.table import Table
from app.play.telling import Teller
from app.presenters.base import Opens
from app.presenters.registry import presenter_for
from app.shell import i18n
from app.widgets.outcome import large, small
from engine.core.rules import Roll
from engine.drive import player_of, sides_of
from engine.game import Game, SeededChance
from engine.titles import TITLES
from tests.app.tables import ACTION, TARGET, session_at

GAMES = [("toi", "toi-s1"), ("ddob", "easy-fox"), ("aslsk", "R1"), ("warfare", "s1")]


@pytest.fixture(autouse=True)
def italian(monkeypatch):
    monkeypatch.setattr(i18n, "_current", None)


@cache
def told(slug, scenario, answers=300, seed=4, level=""):
    """The lines of a game between programs, and who tells them."""
    title = TITLES[slug]
    game, rng = Game(title, scenario, SeededChance(seed)), random.Random(seed)
    players = {side: player_of(title, level or title.levels[0]) for side in sides_of(game)}
    for _ in range(answers):
        decision = game.position.decision
        if decision is None:
            break
        look = partial(title.view, game.position.draft, decision.side)
        game.answer(players[decision.side].choose(look, decision, rng))
    teller = Teller(Audience(title, (sides_of(game)[0],), sides_of(game), is_told_all=True))
    return teller.tell(frames_of(game)), teller


def chronicle_of(lines, teller):
    found = Chronicle(teller.before, teller.after, teller.names)
    found.take(lines)
    return found


@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_every_line_belongs_to_one_action_and_nothing_is_torn(slug, scenario):
    lines, teller = told(slug, scenario)
    chronicle = chronicle_of(lines, teller)
    actions = chronicle.actions
    assert [line for a in actions for line in lines[a.first : a.end]] == lines
    for one, other in pairwise(actions):
        if lines[one.end - 1].frame.passage == lines[other.first].frame.passage:
            opens = teller.names.opens(lines[other.first].step)
            assert opens is not Opens.NOTHING or one.side != other.side, lines[other.first].words
    assert len(actions) < len(lines) / 2
    assert all(chronicle.action_of(a.first) is a is chronicle.action_of(a.end - 1) for a in actions)


@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_it_grows_to_the_same_as_if_read_at_once(slug, scenario):
    lines, teller = told(slug, scenario)
    growing = Chronicle(teller.before, teller.after, teller.names)
    for end in range(0, len(lines) + 1, 7):
        growing.take(lines[:end])
    growing.take(lines)
    assert growing.actions == chronicle_of(lines, teller).actions


@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_finished_actions_are_folded_to_what_came_of_them(slug, scenario):
    lines, teller = told(slug, scenario)
    chronicle = chronicle_of(lines, teller)
    rows = chronicle.rows()
    assert [row.kind for row in rows].count(Kind.TURN) == len({a.turn for a in chronicle.actions})
    folded = [row for row in rows if row.kind is Kind.ACTION and not row.is_open]
    assert all(row.words for row in folded)
    assert rows[-1].end == len(lines)
    for row in rows:
        assert chronicle.row_of(row.at, rows) is not None
    with_dice = [a for a in chronicle.actions if a.side and dice_of(
        lines[a.first : a.end], teller.names)]  # fmt: skip
    for action in with_dice:
        results = chronicle.results(lines[action.first : action.end], action.side)
        said = chronicle.summary(action)
        for line in results[:MOST_OUTCOMES]:
            words = line.words.rstrip(".")
            assert words in said or words.rpartition(" ")[2] in said, (words, said)


def test_a_shot_says_who_shot_at_whom_and_what_befell_him():
    lines, teller = told("toi", "toi-s1")
    chronicle = chronicle_of(lines, teller)
    shots = [
        chronicle.summary(a)
        for a in chronicle.actions
        if any(isinstance(line.step.chance, Roll) for line in lines[a.first : a.end])
    ]
    assert shots
    assert any(" attacca " in words and ": " in words for words in shots)


def summaries(slug, scenario, side=None):
    lines, teller = told(slug, scenario)
    chronicle = chronicle_of(lines, teller)
    return [chronicle.summary(a) for a in chronicle.actions if side in (None, a.side)]


def test_a_shot_that_finds_its_line_of_sight_blocked_says_so_and_that_it_is_lost():
    lines, teller = told("aslsk", "R2", 400, 1, "casuale")
    chronicle = chronicle_of(lines, teller)
    lost = [
        chronicle.summary(action)
        for action in chronicle.actions
        if any(line.words == "attacco perso" for line in lines[action.first : action.end])
    ]
    pattern = r"\w+ attacca \w+: .+ blocca la LOS; attacco perso"
    assert [words for words in lost if re.fullmatch(pattern, words)]


def test_every_action_that_is_paid_for_stands_by_itself_and_says_what_was_done():
    lines, teller = told("warfare", "s2")
    chronicle = chronicle_of(lines, teller)
    for action in chronicle.actions:
        steps = [line.step for line in lines[action.first : action.end]]
        assert sum(teller.names.is_price(step) for step in steps) <= 1
    said = [chronicle.summary(action) for action in chronicle.actions]
    assert "Marines n. 3 sale a bordo di LAV-25 n. 6" in said
    assert "LAV-25 n. 6 finisce il movimento in H5" in said
    assert not any("nessuna azione costa" in words for words in said)


def test_icons_on_dice_say_what_they_stand_for():
    lines, teller = told("warfare", "s2")
    faces = [face for dice in dice_of(lines, teller.names) for face in dice]
    assert any(face.means == "M: morale" for face in faces)
    assert all(face.means.startswith(f"{face.text}: ") for face in faces)


def test_german_fire_is_the_germans_position_by_position_and_says_what_it_hit():
    german = summaries("ddob", "easy-fox", "de")
    fire = [words for words in german if " spara, " in words]
    assert fire
    assert any(" perde un PF" in words or "confusione" in words for words in fire)
    assert not any(" spara, " in words for words in summaries("ddob", "easy-fox", "us"))


def test_a_phase_gathers_what_happens_in_it_by_itself():
    landings = [
        words for words in summaries("ddob", "easy-fox") if words.startswith("Fase: sbarco")
    ]
    assert any(" sbarca in " in words for words in landings)
    assert not any("muove" in words for words in landings)


def test_who_does_not_fire_at_a_move_does_not_interrupt_it():
    assert not any("non spara" in words for words in summaries("aslsk", "R1"))


def test_a_shot_in_the_middle_of_a_move_is_the_deed_of_who_fires():
    lines, teller = told("toi", "toi-s1", 600)
    chronicle = chronicle_of(lines, teller)
    shots = [a for a in chronicle.actions if "fuoco di opportunità su" in chronicle.summary(a)]
    assert shots
    for shot in shots:
        unit = lines[shot.first].step.ruling.msg.facts["unit"]
        assert unit.startswith(shot.side)
        assert lines[shot.first].frame.side != shot.side, "somebody else was acting"


def test_a_result_does_not_repeat_the_name_before_it_and_counts_what_happens_twice():
    shots = [words for words in summaries("toi", "toi-s1") if " attacca " in words]
    assert any(": è bloccata" in words or ": perde" in words for words in shots), shots
    for words in shots:
        parts = words.partition(": ")[2].split("; ")
        assert len(parts) == len(set(parts))


@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_a_folded_row_does_not_say_its_side_twice(slug, scenario):
    lines, teller = told(slug, scenario)
    chronicle = chronicle_of(lines, teller)
    for action in chronicle.actions:
        if action.side:
            name = teller.names.army(action.side).name
            assert not chronicle.summary(action).startswith(f"{name}: {name} ")


def test_the_line_of_a_shot_is_there_once_it_is_told():
    for slug, scenario in GAMES[:1] + GAMES[2:3]:
        lines, teller = told(slug, scenario)
        chronicle = chronicle_of(lines, teller)
        rolled = next(n for n, line in enumerate(lines) if isinstance(line.step.chance, Roll))
        action = chronicle.action_of(rolled)
        steps = [line.step for line in lines[action.first : rolled + 1]]
        before = teller.before(lines[rolled])
        shot = teller.names.shot(steps, before)
        assert shot is not None
        assert shot.a != shot.b
        assert teller.names.shot([], before) is None


def test_the_last_action_and_its_turn_fold_too():
    lines, teller = told("toi", "toi-s1")
    chronicle = chronicle_of(lines, teller)
    last = next(row for row in reversed(chronicle.rows()) if row.kind is Kind.ACTION)
    turn = next(row for row in reversed(chronicle.rows()) if row.kind is Kind.TURN)
    before = len(chronicle.rows())
    chronicle.fold(last)
    folded = len(chronicle.rows())
    assert folded <= before
    chronicle.fold(turn)
    assert len(chronicle.rows()) < folded
    chronicle.reveal(len(lines) - 1)
    assert chronicle.row_of(len(lines) - 1, chronicle.rows()) is not None


def test_a_turn_and_an_action_are_unfolded_and_folded():
    lines, teller = told("toi", "toi-s1")
    chronicle = chronicle_of(lines, teller)
    turn = next(row for row in chronicle.rows() if row.kind is Kind.TURN and not row.is_open)
    before = len(chronicle.rows())
    chronicle.unfold(turn)
    assert len(chronicle.rows()) > before
    action = next(r for r in chronicle.rows() if r.kind is Kind.ACTION and not r.is_open)
    chronicle.reveal(action.first)
    rows = chronicle.rows(action.first)
    place = chronicle.row_of(action.first, rows)
    assert rows[place].kind is Kind.STEP
    chronicle.fold(turn)
    chronicle.fold(action)
    assert len(chronicle.rows()) == before


def test_black_dice_hit_and_red_ones_save():
    lines, _teller = told("toi", "toi-s1")
    names = presenter_for("toi")
    rolled = next(
        line.step for line in lines
        if isinstance(line.step.chance, Roll) and "need" in line.step.ruling.msg.facts
    )  # fmt: skip
    need = rolled.ruling.msg.facts["need"]
    faces = names.faces(rolled, names_of(rolled.chance), ())
    for face in faces:
        assert face.succeeds == (int(face.text) >= (5 if face.name == "red" else need))
    assert "[" in small(tuple(faces)).plain or not any(face.succeeds for face in faces)
    drawn = large(tuple(faces)).plain.splitlines()
    assert len(drawn) == 3
    assert {len(row) for row in drawn} == {8 * len(faces)}


def test_dice_have_the_names_of_their_kinds():
    assert names_of(Roll("2black+1red", (1, 2, 3))) == ("black", "black", "red")
    assert names_of(Roll("2d6", (1, 2))) == ("d6", "d6")
    assert names_of(Roll("strange", (1, 2))) == ("", "")


def test_the_outcome_is_that_of_the_last_dice_and_in_the_past_of_the_action_looked_at(tmp_path):
    table = Table(session_at(tmp_path, TARGET))
    while not any(isinstance(line.step.chance, Roll) for line in table.lines):
        table.give([table.decision.options[0].id])
    outcome = table.outcome()
    assert outcome.dice
    assert outcome.words
    roll = next(n for n, li in enumerate(table.lines) if isinstance(li.step.chance, Roll))
    table.look_at(roll - 1)
    assert not table.outcome().dice, "dice still to come are not shown"
    table.look_at(roll)
    assert len(table.outcome().dice) == 1


def test_what_others_did_since_is_news_until_it_has_been_seen_again(tmp_path):
    table = Table(session_at(tmp_path, ACTION, 4))
    others = [one for one in table.chronicle.actions if one.side not in ("", table.seat)]
    last_own = max((a.end for a in table.chronicle.actions if a.side == table.seat), default=0)
    assert table.news == [one for one in others if one.first >= last_own]
    if table.news:
        assert "Spazio" in table.news_words
        table.look_at(table.news[0].first)
        assert table.news == []
        table.look_at_now()
    assert table.news == []
    assert table.news_words == ""
