"""The solo opponent: moods in the journal, rows in their order, a reason for every choice."""

from __future__ import annotations

import random

import msgspec
import pytest

from engine.drive import RandomPlayer, drive
from engine.game import Game, ScriptedChance, SeededChance
from engine.warfare import TITLE
from engine.warfare.bot.solo import PASS, SoloPlayer, order
from engine.warfare.rules.track import MOODS
from engine.warfare.state.events import MoodSet
from tests.warfare.table import Table, u

CAUTIOUS, NORMAL, AGGRESSIVE, FANATICAL = MOODS
VERBS = {
    1: {"martirio"},
    2: {"recupera"},
    3: {"assalta"},
    4: {"fuoco"},
    5: {"fuoco"},
    6: {"colpisci", "mira", "cas", "drone", "overwatch"},
    7: {"sopprimi"},
    8: {"converti"},
    9: {"sbarra"},
    10: {"muovi", "droni", "ricognizione", "carica", "scarica"},
    11: {"overwatch"},
}
"""What each row of the list does."""


class Spied(SoloPlayer):
    """The solo opponent with a record of each choice: the question, the answer, why and the row."""

    def __init__(self):
        super().__init__()
        self.record = []

    def choose(self, look, decision, rng):
        """As it chooses."""
        answer = super().choose(look, decision, rng)
        if len(decision.options) > 1:
            self.record.append((decision.id, answer, self.reason(), self.row))
        return answer


def watched(scenario, seed):
    """A whole game of the solo opponent against chance, and its record."""
    game = Table.around(Game(TITLE, scenario, SeededChance(seed), {"solitario": "si"}))
    first, second = game.state.cubes
    spied = Spied()
    drive(game.game, {first: RandomPlayer(), second: spied}, random.Random(seed), 6000)
    return game, spied.record


@pytest.mark.rule("warfare:solitario.cenno")
@pytest.mark.parametrize("scenario", ["s1", "s2", "s3", "s4", "s5"])
def test_every_choice_names_its_row_and_the_answer_is_of_that_row(scenario):
    for seed in (1, 2):
        _game, record = watched(scenario, seed)
        assert record
        for asked, answer, reason, row in record:
            assert reason is not None, asked
            if asked == "action.who":
                assert (answer == "b:passa") == (row == PASS)
            elif asked in ("action.what", "support.what"):
                assert answer.removeprefix("b:") in VERBS[row], (row, answer)


@pytest.mark.rule("warfare:solitario.cenno")
def test_the_mood_of_every_turn_is_rolled_and_told_under_its_rule():
    game, _record = watched("s2", 3)
    moods = [s for s in game.steps if isinstance(s.event, MoodSet)]
    rolls = [s for s in game.steps if getattr(s.chance, "dice", "") == "1d20"]
    last = game.state.turn - 1 if game.state.turn > 3 else game.state.turn
    assert len(moods) == len(rolls) == last, "one at the start of each turn"
    for step, roll in zip(moods, rolls, strict=True):
        assert step.ruling.refs == roll.ruling.refs == ("warfare:solitario.cenno",)
        face = roll.chance.faces[0]
        number = 0 if face <= 5 else 1 if face <= 15 else 2 if face <= 19 else 3
        assert step.event.mood == MOODS[number]


@pytest.mark.rule("warfare:solitario.cenno")
@pytest.mark.parametrize(
    ("face", "mood"),
    [(5, CAUTIOUS), (6, NORMAL), (15, NORMAL), (16, AGGRESSIVE), (19, AGGRESSIVE), (20, FANATICAL)],
)
def test_the_moods_on_the_edges_of_the_table(face, mood):
    game = Table.around(Game(TITLE, "s2", ScriptedChance([(face,)]), {"solitario": "si"}))
    assert game.state.moods == {"verde": mood}


@pytest.mark.rule("warfare:solitario.cenno")
def test_a_mood_changes_the_order_of_the_rows():
    plain = order(NORMAL)
    assert plain == tuple(range(1, 12))
    assert order(CAUTIOUS).index(11) < order(CAUTIOUS).index(3)
    assert order(AGGRESSIVE).index(10) < order(AGGRESSIVE).index(6)
    assert order(FANATICAL)[:2] == (1, 3)
    for mood in MOODS:
        assert sorted(order(mood)) == list(plain), "every row once"


def chosen(units, mood):
    """Who acts and why, for green in a mood."""
    start = Table(unita=units, caselle={"blu": 20, "verde": 30}).state
    state = msgspec.structs.replace(start, moods={"verde": mood})
    game = Table.around(Game(TITLE, "s1", None, start=state))
    solo = SoloPlayer()
    for _ in range(2):
        decision = game.position.decision
        answer = solo.choose(lambda: TITLE.view(game.state, "verde"), decision, random.Random(1))
        assert answer in game.options
        game.play(answer)
    return answer, solo.row


@pytest.mark.rule("warfare:solitario.cenno", "warfare:assalto.azione", "warfare:overwatch.azione")
@pytest.mark.parametrize(
    ("morale", "mood", "answer", "row"),
    [
        (1, NORMAL, "b:assalta", 3),
        (1, CAUTIOUS, "b:overwatch", 11),
        (0, NORMAL, "b:fuoco", 5),
        (0, AGGRESSIVE, "b:assalta", 3),
    ],
)
def test_the_same_table_is_played_by_the_mood(morale, mood, answer, row):
    """A grey die is enough to assault who is shaken; who is steady only when aggressive."""
    units = {"b1": u("usmc_squad", "D5", morale=morale), "v1": u("ins_cellula", "C5")}
    assert chosen(units, mood) == (answer, row)
