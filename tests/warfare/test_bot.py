"""The two levels of the computer player: whole games, the same answers, one-line reasons."""

from __future__ import annotations

import random

import pytest

from engine.core.decisions import Decision
from engine.core.view import View
from engine.drive import RANDOM, drive, player_of
from engine.game import Game, SeededChance
from engine.warfare import TITLE
from engine.warfare.bot.player import (
    HARD,
    MEDIUM,
    MINDS,
    BotPlayer,
    Plan,
    chance,
    hurt,
    passes,
)
from engine.warfare.bot.player import (
    Table as BotTable,
)
from engine.warfare.state.ascs import index
from engine.warfare.state.state import SUPPRESSED, State, Unit
from tests.warfare.table import FAR, Table, u

MARINES = Unit("b1", "usmc_squad", "blu", hex="A1")


def played(scenario: str, levels: tuple[str, ...], seed: int) -> Game[object]:
    """A whole game between players of given levels, in seating order."""
    sides = next(info.sides for info in TITLE.scenarios() if info.id == scenario)
    game = Game(TITLE, scenario, SeededChance(seed))
    players = {side: player_of(TITLE, levels[n % 2]) for n, side in enumerate(sides)}
    drive(game, players, random.Random(seed), 5000)
    return game  # type: ignore[return-value]


@pytest.mark.rule("warfare:scenari.s1")
@pytest.mark.parametrize("scenario", ["s1", "s2", "s4"])
def test_the_middle_level_beats_chance(scenario: str) -> None:
    """From the side that has to act."""
    game = Game(TITLE, scenario, SeededChance(5))
    first, second = game.position.draft.cubes
    players = {first: player_of(TITLE, RANDOM), second: player_of(TITLE, MEDIUM)}
    outcome = drive(game, players, random.Random(5), 5000)
    assert outcome.winner == second


@pytest.mark.rule("warfare:scenari.s1")
def test_the_same_seed_gives_the_same_game() -> None:
    """Nothing but the dice and the seed decides."""
    one = played("s1", (HARD, MEDIUM), 3)
    other = played("s1", (HARD, MEDIUM), 3)
    assert one.entries == other.entries


@pytest.mark.rule("warfare:giocatori.numero")
def test_all_four_sides_of_a_game_for_four_are_played() -> None:
    """Every decision of every side finds an answer."""
    assert played("s5-4", (MEDIUM, MEDIUM), 2).position.outcome is not None


def test_the_strongest_player_is_the_one_that_advises() -> None:
    assert TITLE.levels[-1] == HARD


@pytest.mark.rule("warfare:track.passare")
def test_the_hard_level_says_why() -> None:
    """One line for each main decision; the middle level does not say."""
    game = Game(TITLE, "s1", SeededChance(1))
    decision = game.position.decision
    assert isinstance(decision, Decision)

    def look() -> View:
        return TITLE.view(game.position.draft, decision.side)

    hard, medium = BotPlayer(HARD), BotPlayer(MEDIUM)
    offered = [option.id for option in decision.options]
    assert hard.choose(look, decision, random.Random(1)) in offered
    assert medium.choose(look, decision, random.Random(1)) in offered
    assert hard.reason() is not None
    assert medium.reason() is None


@pytest.mark.rule("warfare:dadi.ordine")
def test_a_better_die_takes_more() -> None:
    """Along the whole ladder, and all of it from a unit about to surrender."""
    values = [hurt(die, MARINES) for die in range(9)]
    assert values == sorted(values)
    broken = Unit("b2", "usmc_squad", "blu", hex="A1", morale=SUPPRESSED)
    assert hurt(index("white"), broken) > hurt(index("white"), MARINES)


@pytest.mark.rule("warfare:dadi.test")
def test_chances_are_counted_on_the_faces() -> None:
    """A green die fails on two faces of six."""
    assert passes(index("green")) == pytest.approx(4 / 6)
    assert chance(index("black"), "critical failure") == 0


def plans(units: dict[str, object], level: str) -> list[Plan]:
    """What a level thinks of, as blue."""
    known = TITLE.view(Table(unita=units).state, "blu").known  # type: ignore[attr-defined]
    return list(BotTable(known, "blu", MINDS[level]).plans())


@pytest.mark.rule("warfare:morale.resa")
@pytest.mark.parametrize(("level", "first"), [(HARD, "u:v1"), (MEDIUM, "u:v2")])
def test_only_the_hard_level_sees_that_a_unit_is_about_to_surrender(level: str, first: str) -> None:
    """The middle one takes the better die, against a fresh unit in the open."""
    units = {
        "b1": u("usmc_squad", "F6"),
        "v1": u("ins_cellula", "E4", morale=2, vista="si"),
        "v2": u("ins_cellula", "G8", vista="si"),
    }
    shots = [plan for plan in plans(units, level) if plan.answers[1] == "b:fuoco"]
    light = [plan for plan in shots if plan.answers[2] == "b:leggero"]
    assert max(light, key=lambda plan: plan.value).answers[-1] == first


@pytest.mark.rule("warfare:assalto.ritirata")
def test_a_unit_with_its_back_to_the_edge_is_in_more_danger() -> None:
    """Who cannot fall back from an assault is eliminated, so an enemy beside it weighs more."""
    worth = []
    for hex, beside in (("A5", "B5"), ("E5", "F5")):
        units = {"b1": u("usmc_squad", hex), "v1": u("ins_cellula", beside, vista="si")}
        known = TITLE.view(Table(unita=units).state, "blu").known  # type: ignore[attr-defined]
        worth.append(BotTable(known, "blu", MINDS[HARD]).worth(known.units["v1"]))
    assert worth[0] > worth[1]


@pytest.mark.rule("warfare:azioni.frazione_ap")
def test_at_the_end_of_the_game_the_hard_level_counts_only_the_ap_that_are_left() -> None:
    """An action is paid in full whatever is left of the last turn."""
    units = {"b1": u("usmc_squad", "A5"), "v1": FAR}
    late = Table(unita=units, scenario="s2", turno=3, posizioni={"blu": 118, "verde": 119}).state
    assert BotTable(late, "blu", MINDS[HARD]).effort(6) == 2
    assert BotTable(late, "blu", MINDS[MEDIUM]).effort(6) == 6


@pytest.mark.rule("warfare:cas.sam_uscita")
def test_no_ap_are_spent_on_an_aircraft_that_leaves_with_a_poor_die() -> None:
    """Red less the defence of an A-10 is grey."""
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_tecnica", "K10"), "v2": u("ins_sam", "L1")}
    game = Table(unita=units, supporti={"us_a10": {"lato": "blu"}}, dice=(1,))
    game.play("c:us_a10", "b:cas", "b:leggero", "u:v1")
    decision = game.position.decision
    assert isinstance(decision, Decision)
    assert "u:v2" in game.options
    answer = BotPlayer(HARD).choose(
        lambda: TITLE.view(game.state, "verde"), decision, random.Random(1)
    )
    assert answer == "b:rinuncia"


@pytest.mark.rule("warfare:popolazione.conversione", "warfare:scenari.s1")
@pytest.mark.parametrize(("level", "likes_both"), [(HARD, True), (MEDIUM, False)])
def test_only_the_hard_level_likes_to_stand_between_two_markers(
    level: str, likes_both: bool
) -> None:
    """D4 is beside C4 and E4, B4 beside C4 alone."""
    people = {"p1": {"esagono": "C4", "folla": "si"}, "p2": {"esagono": "E4", "folla": "si"}}
    units = {"b1": u("usmc_squad", "C6"), "v1": u("ins_cellula", "J1")}
    boxes = {"blu": 40, "verde": 30}
    game = Table(unita=units, scenario="s1", caselle=boxes, popolazione=people)
    plans = BotTable(TITLE.view(game.state, "blu").known, "blu", MINDS[level]).plans()
    found = {plan.answers[-2]: plan.value for plan in plans if plan.answers[1] == "b:muovi"}
    assert (found["h:D4"] > found["h:B4"]) == likes_both


def answer_of(level: str, game: Game[State]) -> str:
    """What a fresh player of a level answers, and says why, where a game stands."""
    decision = game.position.decision
    assert isinstance(decision, Decision)
    player = TITLE.player(level)
    answer = player.choose(
        lambda: TITLE.view(game.position.draft, decision.side), decision, random.Random(1)
    )
    assert answer in game.options
    return answer


@pytest.mark.rule("warfare:fuoco.passi")
@pytest.mark.parametrize("level", TITLE.levels)
def test_an_action_that_somebody_else_began_is_gone_on_with(level: str) -> None:
    """Marines beside a unit about to surrender: whoever is asked on the way shoots at it."""
    units = {
        "b1": u("usmc_squad", "F6"),
        "v1": u("ins_cellula", "G6", morale=2, danno=2, vista="si"),
        "v2": u("ins_tecnica", "L1"),
    }
    game = Table(unita=units, dice=(1,))
    game.play("u:b1", "b:fuoco")
    assert answer_of(level, game) == "b:leggero"
    game.play("b:leggero")
    assert answer_of(level, game) == "u:v1"


@pytest.mark.rule("warfare:artiglieria.chiamata")
@pytest.mark.parametrize("level", TITLE.levels)
def test_a_support_that_was_called_is_used_on_somebody(level: str) -> None:
    """The value and the target come from a plan of the same support."""
    units = {"b1": u("usmc_squad", "C5"), "v1": u("ins_tecnica", "E5", vista="si")}
    game = Table(unita=units, supporti={"us_mort81": {"lato": "blu"}})
    game.play("c:us_mort81")
    assert answer_of(level, game) == "b:colpisci"
    game.play("b:colpisci")
    assert answer_of(level, game) == "b:pesante"
    game.play("b:pesante")
    assert answer_of(level, game) == "u:v1"


@pytest.mark.rule("warfare:fumogeni.lancio")
def test_smoke_goes_before_the_nearest_enemy() -> None:
    """Nobody plans smoke; who is asked where it goes still has an answer."""
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "F5")})
    game.play("u:b1", "b:fumo")
    assert answer_of(HARD, game) == "h:D5"


@pytest.mark.rule("warfare:arbitrato.doppio_segnalino")
def test_of_two_markers_under_a_unit_the_worst_comes_first() -> None:
    """Green owns both and knows them."""
    markers = {
        "i1": {"tipo": "dummy", "esagono": "D5", "di": "verde"},
        "i2": {"tipo": "mina", "esagono": "D5", "di": "verde"},
    }
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, nascosti=markers, dice=(1,))
    game.play("u:b1", "b:muovi", "h:D5", "b:vai")
    assert answer_of(HARD, game) == "u:i2"


@pytest.mark.rule("warfare:movimento.azione")
@pytest.mark.parametrize("scenario", ["s1", "s2", "s4", "s5"])
def test_movements_left_unpriced_would_not_have_been_chosen(scenario: str) -> None:
    """The best of all plans and the best of those that are looked at are the same."""
    game = Game(TITLE, scenario, SeededChance(2))
    players = {side: player_of(TITLE, HARD) for side in game.position.draft.cubes}
    left_out = 0
    for _ in range(90):
        decision = game.position.decision
        if decision is None:
            break
        side = decision.side
        view = TITLE.view(game.position.draft, side)
        if decision.id == "action.who":
            table_ = BotTable(view.known, side, MINDS[HARD])  # type: ignore[attr-defined]
            every = [plan for plan in table_.plans() if plan.value > 0]
            some = list(
                BotTable(view.known, side, MINDS[HARD]).best_plans(  # type: ignore[attr-defined]
                    lambda plan: plan.value > 0
                )
            )
            left_out += len(every) - len(some)
            best = max(every, key=table_.rated, default=None)
            assert max(some, key=table_.rated, default=None) == best
        game.answer(players[side].choose(lambda view=view: view, decision, random.Random(1)))
    assert left_out > 0
