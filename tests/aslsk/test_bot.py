"""The computer players: legal everywhere, better than chance, with reasons, repeatable."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.aslsk import TITLE
from engine.aslsk.bot import player as bot
from engine.aslsk.bot.odds import at_most, column_of, duel, harm
from engine.aslsk.bot.other import crowd_at
from engine.aslsk.bot.sight import BLIND, glances
from engine.aslsk.bot.table import Table as BotTable
from engine.aslsk.state.ground import ground
from engine.core.title import Player
from engine.drive import RANDOM, drive, player_of
from engine.game import Game, SeededChance
from tests.aslsk.table import Table

FOLDER = Path(bot.__file__).parent
SIDES = {info.id: info.sides for info in TITLE.scenarios()}
FIRE = "lati: [russian, german]\nfase: PFPh\n"
MOVE = "lati: [russian, german]\nfase: MPh\n"
RALLY = "lati: [russian, german]\nfase: RPh\n"


def players(scenario: str, first: str, second: str) -> dict[str, Player]:
    one, two = SIDES[scenario]
    return {one: player_of(TITLE, first), two: player_of(TITLE, second)}


def play(scenario: str, first: str, second: str, seed: int) -> Game:
    game = Game(TITLE, scenario, SeededChance(seed))
    drive(game, players(scenario, first, second), random.Random(seed), at_most=6_000)
    return game


def winner(game: Game) -> str | None:
    outcome = game.position.outcome
    assert outcome is not None
    return outcome.winner


def answer(run: Table, level: str = "difficile") -> tuple[str, object]:
    """What a level answers to the open question, and why."""
    asked, player = run.game.position.decision, TITLE.player(level)
    assert asked is not None
    chosen = player.choose(lambda: TITLE.view(run.state, asked.side), asked, random.Random(1))
    return chosen, player.reason()


def test_the_levels_are_offered():
    assert TITLE.levels == ("medio", "difficile")
    for level in TITLE.levels:
        assert TITLE.player(level).reason() is None


@pytest.mark.parametrize("scenario", sorted(SIDES))
def test_a_whole_game_is_answered_legally(scenario):
    game = play(scenario, "difficile", "medio", seed=4)
    assert game.position.outcome is not None
    assert not list(TITLE.invariants(game.position.draft))


def test_a_game_with_the_battery_is_answered_legally():
    game = Game(TITLE, "R4", SeededChance(3), {"oba": "si"})
    drive(game, players("R4", "difficile", "medio"), random.Random(3), at_most=6_000)
    assert game.position.outcome is not None


@pytest.mark.rule("aslsk:dae2.32")
def test_a_barrage_that_fell_off_the_map_is_judged_too():
    state = Table(FIRE + "unità: {a: ru-447 E7, x: ge-467 G7}").state
    table = BotTable(state, "russian", bot.TEMPERS["difficile"])
    assert crowd_at(table, "G7") > 0
    assert crowd_at(table, "E7") < 0
    assert crowd_at(table, "@-3,2") == 0


@pytest.mark.slow
@pytest.mark.parametrize("scenario", sorted(SIDES))
@pytest.mark.parametrize(("first", "second"), [("medio", "difficile"), ("difficile", "difficile")])
def test_more_whole_games_are_answered_legally(scenario, first, second):
    for seed in range(2):
        assert play(scenario, first, second, seed).position.outcome is not None


@pytest.mark.parametrize("scenario", ["R1", pytest.param("R2", marks=pytest.mark.slow)])
def test_medio_beats_chance_from_both_chairs(scenario):
    one, two = SIDES[scenario]
    assert winner(play(scenario, "medio", RANDOM, seed=11)) == one
    assert winner(play(scenario, RANDOM, "medio", seed=12)) == two


def test_the_same_seed_plays_the_same_game():
    first, second = (play("R1", "difficile", "medio", seed=2) for _ in range(2))
    assert first.entries == second.entries


def test_a_player_has_no_memory_that_a_reload_would_lose():
    game = Game(TITLE, "R1", SeededChance(5))
    seated = players("R1", "difficile", "medio")
    levels = dict(zip(SIDES["R1"], ("difficile", "medio"), strict=True))
    for _ in range(160):
        position = game.position
        decision = position.decision
        assert decision is not None
        side = decision.side

        def look(draft=position.draft, side=side):
            return TITLE.view(draft, side)

        chosen = seated[side].choose(look, decision, random.Random(0))
        fresh = TITLE.player(levels[side]).choose(look, decision, random.Random(0))
        assert chosen == fresh, decision.id
        game.answer(chosen)


def test_what_is_hidden_changes_no_answer():
    """For another hex of the hidden Gun the German is asked and answers the same."""
    game = Game(TITLE, "R3", SeededChance(6))
    seated = players("R3", "difficile", "difficile")
    rng = random.Random(6)
    compared = 0
    for _ in range(120):
        position = game.position
        decision = position.decision
        assert decision is not None
        side = decision.side
        chosen = seated[side].choose(
            lambda draft=position.draft, side=side: TITLE.view(draft, side), decision, rng
        )
        hidden = any(u.hidden and u.side != side for u in position.draft.units.values())
        if side == "german" and hidden:
            other = TITLE.redeal(position.draft, side, rng.randrange)
            again = TITLE.player("difficile").choose(
                lambda other=other: TITLE.view(other, "german"), decision, rng
            )
            assert again == chosen, decision.id
            compared += 1
        game.answer(chosen)
    assert compared > 20


def test_only_difficile_says_why():
    run = Table(FIRE + "unità: {a: ru-447 E7, b: ru-447 E7, x: ge-467 G7}")
    chosen, why = answer(run)
    assert chosen in ("u:a", "u:b")
    assert why is not None
    assert answer(run, "medio")[1] is None


@pytest.mark.rule("aslsk:3.2.1.declare")
def test_nobody_fires_where_the_map_seems_to_hide_the_target():
    """Woods between: the player does not check the LOS, and sees them on the map."""
    assert glances(ground("ex", 7)).between("C5", "E6") == BLIND
    hidden = Table(FIRE + "unità: {a: ru-447 C5, x: ge-467 E6}")
    assert answer(hidden)[0] == "b:passa"
    clear = Table(FIRE + "unità: {a: ru-447 C7, x: ge-467 E8}")
    assert answer(clear)[0] == "u:a"


@pytest.mark.rule("aslsk:3.2.2.fg")
def test_a_fire_group_takes_those_who_stand_together():
    run = Table(FIRE + "unità: {a: ru-447 E7, b: ru-447 E7, x: ge-467 G7}", "u:a", "h:G7")
    assert answer(run)[0] == "u:b"


@pytest.mark.rule("aslsk:3.2.2.leader")
def test_the_best_leader_directs_and_a_bad_one_does_not():
    text = FIRE + "unità: {{a: ru-447 E7, l: {leader} E7, x: ge-467 G7}}"
    good = Table(text.format(leader="ru-9-1"), "u:a", "h:G7")
    assert answer(good)[0] == "u:l"
    bad = Table(text.format(leader="ru-6+1"), "u:a", "h:G7")
    assert answer(bad)[0] == "b:nessuno"


@pytest.mark.rule("aslsk:3.1.f")
def test_a_hopeless_rally_is_not_tried():
    text = RALLY + "passo: f\nunità: {{a: {state}, l: ru-8-0 E6, x: ge-467 M1}}"
    assert answer(Table(text.format(state="ru-447 E6 broken")))[0] == "u:a"
    assert answer(Table(text.format(state="ru-426 E6 broken DM")))[0] == "b:passa"


@pytest.mark.rule("aslsk:3.3.3")
def test_a_hopeless_defensive_shot_is_held():
    text = MOVE + "unità: {{a: ru-447 {start}, x: ge-467 {firer}}}"
    near = Table(text.format(start="D7", firer="G8"), "u:a", "b:normale", "h:E8")
    assert answer(near)[0] == "u:x"
    far = Table(text.format(start="B3", firer="B7"), "u:a", "b:normale", "h:B2")
    assert "u:x" in far.options
    assert answer(far)[0] == "b:passa"


def test_odds_agree_with_the_tables():
    assert at_most(7) == pytest.approx(21 / 36)
    assert harm(column_of(8.0), -2, 7, False, False, 1) > harm(
        column_of(4.0), -2, 7, False, False, 1
    )
    assert harm(column_of(8.0), 3, 7, False, False, 1) < harm(column_of(8.0), 0, 7, False, False, 1)
    assert harm(-1, 0, 7, False, False, 1) == 0
    assert duel(12.0, 4.0, 0) == pytest.approx((21 + 0.4 * 5) / 36)


def test_every_question_that_the_players_know_is_asked_somewhere():
    sources = "".join(
        path.read_text(encoding="utf-8")
        for path in FOLDER.parent.rglob("*.py")
        if path.parent != FOLDER
    )
    unknown = [question for question in bot.QUESTIONS if f'"{question}"' not in sources]
    assert not unknown
