"""The players of the Americans: they answer everything, win ground and say why."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from engine.core.decisions import Decision
from engine.core.text import Msg
from engine.core.view import View
from engine.ddob import TITLE
from engine.ddob.bot.fire import MINDS
from engine.ddob.bot.ground import blocked_paths, items
from engine.ddob.bot.plans import Planner, doomed
from engine.ddob.bot.player import Commander
from engine.ddob.rules.attacks import Plan
from engine.ddob.rules.victory import score
from engine.ddob.state.ground import distance
from engine.ddob.state.tables import DOTS, POSITIONS
from engine.ddob.table.view import OmahaView, view
from engine.drive import RandomPlayer, TooLong, drive
from engine.game import Game, SeededChance
from tests.ddob.table import Table, state_of


def answer(game: Game[Any], level: str = "difficile", seed: int = 0) -> str:
    """What a player of a level would answer now."""
    decision = game.position.decision
    assert decision is not None
    return TITLE.player(level).choose(lambda: view(game.state, "us"), decision, random.Random(seed))


class Watched:
    """A player whose reasons are kept."""

    def __init__(self, level: str) -> None:
        self.inner = TITLE.player(level)
        self.reasons: list[Msg] = []

    def choose(self, look: Callable[[], View], decision: Decision, rng: random.Random) -> str:
        """What the player answers."""
        found = self.inner.choose(look, decision, rng)
        reason = self.inner.reason()
        if reason is not None:
            self.reasons.append(reason)
        return found

    def reason(self) -> Msg | None:
        """Nothing: the reasons are kept."""
        return None


def part_of_a_game(player: Any, seed: int, scenario: str = "easy-fox", decisions: int = 150) -> Any:
    """A game played up to a number of decisions."""
    game = Game(TITLE, scenario, SeededChance(seed))
    try:
        drive(game, {"us": player}, random.Random(seed), at_most=decisions)
    except TooLong:
        return game
    return game


@pytest.mark.rule("ddob:7.2")
def test_there_are_two_levels():
    assert TITLE.levels == ("medio", "difficile")
    with pytest.raises(KeyError):
        TITLE.player("facile")


@pytest.mark.rule("ddob:7.2")
@pytest.mark.parametrize("level", TITLE.levels)
def test_a_level_plays_the_same_game_twice(level):
    games = [part_of_a_game(TITLE.player(level), 5) for _ in range(2)]
    assert games[0].entries == games[1].entries
    assert len(games[0].entries) > 100


@pytest.mark.rule("ddob:13.1")
def test_the_hard_level_loses_fewer_companies_than_chance():
    seeds = range(4)
    careful = [
        part_of_a_game(TITLE.player("difficile"), s).position.draft.losses["1"] for s in seeds
    ]
    careless = [part_of_a_game(RandomPlayer(), s).position.draft.losses["1"] for s in seeds]
    assert sum(map(len, careful)) <= 0.75 * sum(map(len, careless))


@pytest.mark.rule("ddob:7.2")
def test_only_the_hard_level_says_why():
    hard, middle = Watched("difficile"), Watched("medio")
    part_of_a_game(hard, 1, decisions=80)
    part_of_a_game(middle, 1, decisions=80)
    assert hard.reasons
    assert not middle.reasons


@pytest.mark.rule("ddob:7.7")
def test_a_disrupted_unit_recovers_first():
    game = Table(
        fase="division", divisione="1", azioni=2, turno=5,
        us={"A/1/16": "0708 confusione", "B/1/16": "0710"}, tedeschi={"0809": "wn88"},
    )  # fmt: skip
    assert answer(game) == "u:A/1/16"


@pytest.mark.rule("ddob:5.21")
def test_nobody_waits_for_the_tide():
    found = state_of(turno=6, us={"A/1/16": "0509"}, tedeschi={})
    weighed = Planner(found, MINDS["difficile"], random.Random(0))
    unit = found.units["A/1/16"]
    low = next(h for h, t in tides().items() if t == "low tide")
    dry = next(h for h, t in tides().items() if t == "high tide")
    assert weighed.risk(unit, low) > weighed.risk(unit, dry) + 1


def tides() -> dict[str, str]:
    """Beach hexes by their line."""
    from engine.ddob.state.ground import TIDE_AT

    return TIDE_AT


@pytest.mark.rule("ddob:13.1")
def test_a_company_on_its_last_but_one_step_is_spared():
    found = state_of(us={"A/1/16": "0708 2", "B/1/16": "0708"})
    if found.units["A/1/16"].steps != 2:
        pytest.fail("the position is not what the test needs")
    assert doomed(found, ["A/1/16", "B/1/16"]) == "B/1/16"


@pytest.mark.rule("ddob:8.3")
def test_an_attack_promises_more_with_more_units():
    found = state_of(
        turno=8, fase="division", divisione="1", azioni=2,
        us={"A/1/16": "0815 1", "B/1/16": "0815"}, tedeschi={"0916": "wn"},
    )  # fmt: skip
    weighed = Planner(found, MINDS["difficile"], random.Random(0))
    alone = weighed.promise(Plan("0916", ("A/1/16",)))
    assert weighed.promise(Plan("0916", ("A/1/16", "B/1/16"))) > alone


@pytest.mark.rule("ddob:8.22")
def test_a_company_on_the_other_flank_adds_what_flanking_asks_for():
    found = state_of(
        turno=8, fase="division", divisione="1", azioni=2,
        us={"A/1/16": "1112", "B/1/16": "1114"},
        tedeschi={"1113": {"specie": "D", "unita": "2/Fus", "rivelata": "si"}},
    )  # fmt: skip
    weighed = Planner(found, MINDS["difficile"], random.Random(0))
    alone = weighed.promise(Plan("1113", ("A/1/16",)))
    both = weighed.promise(Plan("1113", ("A/1/16", "B/1/16")))
    assert both > alone
    assert both == pytest.approx(weighed.prize["1113"])


@pytest.mark.rule("ddob:13.22")
def test_the_prize_of_a_german_is_what_it_denies():
    alone = (("0812", False, False),)
    paths = blocked_paths(alone, ("east",))
    assert "0812" in paths["0812"]
    assert not paths["0605"]
    denied = {item.name for item in items(alone, ("east",), False) if item.blockers}
    assert "WN62" in denied
    assert not any(item.blockers for item in items((), ("east",), False))


@pytest.mark.rule("ddob:13.2")
def test_on_the_last_turn_the_points_are_counted_exactly():
    found = state_of(
        scenario="easy-fox", turno=16, fase="division", divisione="1", azioni=2,
        us={"A/1/16": "0811"}, tedeschi={"0817": "wn"},
    )  # fmt: skip
    weighed = Planner(found, MINDS["difficile"], random.Random(0))
    unit = found.units["A/1/16"]
    moved = weighed.moved(unit, "0911")
    assert weighed.points(found) == 0
    assert weighed.points(moved) == score(moved) - score(found)
    assert weighed.risk(unit, "0816") == 0


@pytest.mark.rule("ddob:7.33")
def test_leaders_move_when_the_others_have_acted():
    game = Table(
        fase="division", divisione="1", azioni=2, turno=8,
        us={"A/1/16": "0610", "HQ16": "0606"}, tedeschi={"0809": "wn88"},
    )  # fmt: skip
    assert answer(game) == "u:A/1/16"


def weighed_at(**given: Any) -> Planner:
    """The hard player's reckoning of a position."""
    return Planner(state_of(**given), MINDS["difficile"], random.Random(0))


@pytest.mark.rule("ddob:6.31")
def test_tanks_under_the_guns_draw_fire_from_a_company():
    shielded = weighed_at(
        turno=5, us={"1/A/741": "0610", "2/B/741": "0610", "A/1/16": "0710"},
        tedeschi={"0809": "wn88"},
    )  # fmt: skip
    alone = weighed_at(turno=5, us={"A/1/16": "0710"}, tedeschi={"0809": "wn88"})
    company = alone.state.units["A/1/16"]
    assert alone.danger(company, "0710") > 0
    assert shielded.danger(company, "0710") == pytest.approx(0)


@pytest.mark.rule("ddob:6.35")
def test_a_second_full_company_makes_a_hex_more_dangerous_for_both():
    crowded = weighed_at(
        turno=5, us={"A/1/16": "0710", "B/1/16": "0610"},
        tedeschi={"0809": {"specie": "wn88", "incognita": "?"}},
    )  # fmt: skip
    lonely = weighed_at(
        turno=5, us={"B/1/16": "0610"}, tedeschi={"0809": {"specie": "wn88", "incognita": "?"}}
    )
    mate = crowded.state.units["B/1/16"]
    assert crowded.danger(mate, "0710") > lonely.danger(mate, "0710")


@pytest.mark.rule("ddob:6.4")
def test_a_disrupted_position_is_no_danger_at_the_next_card():
    found = weighed_at(
        turno=5, us={"A/1/16": "0710"},
        tedeschi={"0809": {"specie": "wn88", "confusione": "si"}},
    )  # fmt: skip
    assert found.danger(found.state.units["A/1/16"], "0710") == 0


@pytest.mark.rule("ddob:9.3")
def test_an_empty_position_that_would_deny_points_is_worth_standing_on():
    found = weighed_at(scenario="easy-fox", turno=12, us={"A/1/16": "0912"}, tedeschi={})
    assert found.keys["1113"] > 0
    assert found.comfort("1113") > found.comfort("1013")


@pytest.mark.rule("ddob:11.2")
def test_a_leader_helps_companies_that_nobody_leads_yet():
    given: dict[str, Any] = {"A/1/16": "0713", "B/1/16": "0812", "HQ16": "0610"}
    alone = weighed_at(turno=8, us=given, tedeschi={"0912": "wn75"})
    second = weighed_at(turno=8, us={**given, "Wyman": "0713"}, tedeschi={"0912": "wn75"})
    leader = alone.state.units["HQ16"]
    assert 0 < second.lead(leader, "0712") < alone.lead(leader, "0712")


@pytest.mark.rule("ddob:13.22")
def test_in_the_last_turns_companies_run_for_points_that_nobody_denies():
    given: dict[str, Any] = {
        "scenario": "easy-fox", "us": {"A/1/16": "1209", "B/1/16": "1212"}, "tedeschi": {},
    }  # fmt: skip
    early, late = weighed_at(turno=4, **given), weighed_at(turno=12, **given)
    worth = [
        next(goal.value for goal in found.goals if goal.hex == "1207" and not goal.is_attack)
        for found in (early, late)
    ]
    assert worth[1] > worth[0]


@pytest.mark.rule("ddob:7.2")
def test_the_player_sees_the_view_alone():
    game = Table(
        fase="division", divisione="1", azioni=2, turno=5,
        us={"A/1/16": "0708"}, tedeschi={"0809": "wn88"},
    )  # fmt: skip
    seen = view(game.state, "us")
    assert isinstance(seen, OmahaView)
    assert seen.known is not None
    assert seen.known.believed
    assert answer(game) in game.options
    assert game.play(answer(game)).state is not None
    assert Commander("medio").reason() is None


@pytest.mark.rule("ddob:5.13")
def test_rangers_go_east_of_the_fire_they_would_land_in():
    game = Table(
        dice=["02"], fase="landing:west", turno=6, us={"AB/5R": "DG1"},
        tedeschi={"0629": "wn", "0531": "wn", "0631": "wn88", "0728": "wn75"},
    )  # fmt: skip
    assert answer(game) != "n:0"


@pytest.mark.rule("ddob:8.3")
def test_a_worn_company_gives_a_step_for_a_marker_that_is_worth_more():
    german = {"specie": "wn", "unita": "1 BG", "rivelata": "si", "incognita": "1 AR"}
    game = Table(
        fase="division", turno=8, scenario="easy-fox", divisione="1", azioni=2,
        us={"A/1/16": "0915 2"}, tedeschi={"0916": {**german, "incognita_rivelata": "si"}},
    )  # fmt: skip
    player = Commander("difficile")
    while "b:no" not in game.options:
        game.play(next_of(player, game))
    assert next_of(player, game) == "u:A/1/16"


def next_of(player: Commander, game: Game[Any]) -> str:
    """What a player who sat here before answers now."""
    decision = game.position.decision
    assert decision is not None
    return player.choose(lambda: view(game.state, "us"), decision, random.Random(0))


@pytest.mark.rule("ddob:6.4", "ddob:6.31")
def test_whom_a_position_may_hit_depends_on_the_units_that_fire():
    pair = next(p for p in POSITIONS.values() if len(p.hexes) == 2)
    silent, firing = pair.hexes
    at = next(h for h in DOTS[pair.id] if distance(silent, h) < distance(firing, h))
    germans = {silent: {"specie": "wn", "confusione": "si"}, firing: "wn"}
    found = weighed_at(turno=5, us={"A/1/16": at}, tedeschi=germans)
    near = {}
    for hexes in ((firing,), pair.hexes):
        gun = found.gun_of(pair.id, [found.state.germans[h] for h in hexes])
        (mark,) = found.roster(gun, "", None, "")
        near[hexes] = mark.rank[1]
    assert near == {(firing,): distance(firing, at), pair.hexes: distance(silent, at)}
