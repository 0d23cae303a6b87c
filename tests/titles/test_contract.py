"""One contract for every title: registered ones and the reference title."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import examples
from tests.titles import oracles
from tests.titles.numbers import lenient
from tests.titles.origins import OPEN, ORIGINS
from tests.titles.registry import ALL, GAMES
from tests.tools import hard_games, perft
from tests.tools.golden import golden_path, golden_text

SLUGS = sorted(ALL)


@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_random_games_satisfy_every_oracle(slug, scenario):
    assert oracles.fuzz_faults(ALL[slug], scenario, range(2), every=11) == []


@pytest.mark.parametrize("slug", SLUGS)
def test_a_random_game_with_every_switch_turned_satisfies_every_oracle(slug):
    first = ALL[slug].scenarios()[0]
    turned = {switch.id: switch.values[-1] for switch in first.switches}
    assert oracles.fuzz_faults(ALL[slug], first.id, range(1), every=3, options=turned) == []


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_many_random_games_satisfy_every_oracle(slug, scenario):
    assert oracles.fuzz_faults(ALL[slug], scenario, range(100, 140), every=3) == []


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_strong_players_leave_the_table_in_order(slug, scenario):
    if ALL[slug].levels:
        assert [f for seed in range(5) for f in hard_games.faults(slug, scenario, seed)] == []


@pytest.mark.parametrize("slug", sorted(ORIGINS))
def test_every_number_of_a_step_has_an_origin(slug):
    for info in ALL[slug].scenarios():
        known = OPEN.get(slug, {})
        faults = oracles.number_faults(ALL[slug], info.id, 6, 400, ORIGINS[slug], known)
        assert faults == [], info.id


@pytest.mark.parametrize("slug", sorted(ORIGINS))
def test_no_origin_lets_any_number_pass(slug):
    for info in ALL[slug].scenarios():
        *_before, (game, _decision) = oracles.positions(ALL[slug], info.id, 6, 400)
        assert lenient(game, ORIGINS[slug]) == set(), info.id


def test_no_number_is_known_to_lack_its_origin():
    assert OPEN == {}


@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_a_game_is_the_same_after_saving_and_loading(slug, scenario, tmp_path: Path):
    assert oracles.save_faults(ALL[slug], scenario, 3, tmp_path, 60, every=6) == []


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_every_state_of_a_game_survives_saving(slug, scenario, tmp_path: Path):
    assert oracles.save_faults(ALL[slug], scenario, 4, tmp_path, 200) == []


@pytest.mark.parametrize("slug", SLUGS)
def test_hash_seed_does_not_matter(slug):
    title = ALL[slug]
    module, name = ("tests.reference", "Reference")
    if slug != "prova":
        module, name = f"engine.{slug}", "TITLE"
    assert oracles.hash_seed_faults(module, name, title.scenarios()[0].id) == []


@pytest.mark.parametrize("slug", SLUGS)
def test_odds_equal_the_distribution_of_raw_faces(slug):
    title = ALL[slug]
    compared = 0
    for info in title.scenarios():
        count, fault = oracles.odds_faults(title, info.id, range(4), 150)
        assert not fault
        compared += count
        if compared >= 5:
            break
    assert compared > 0, "no question about odds could be compared"


@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_layers_lie_on_the_map_at_every_moment(slug, scenario):
    title = ALL[slug]
    for number, (game, decision) in enumerate(oracles.positions(title, scenario, 5, 240)):
        if number % 60:
            continue
        side, draft = decision.side, game.position.draft
        board = title.view(draft, side).board
        layers = title.layers(title.belief(draft, side), side)
        assert len({layer.id for layer in layers}) == len(layers)
        for layer in layers:
            hexes = layer.hexes()
            assert all(hex in board for hex in hexes), layer.id
            if layer.id == "control":
                assert all(hexes.values())  # a side, or a team of several


@pytest.mark.parametrize("slug", SLUGS)
def test_positions_within_a_depth_are_counted(slug):
    title = ALL[slug]
    cases = perft.cases(slug)
    assert cases, "a title without counting tests"
    for case in cases:
        state = title.position(case.position)
        found = perft.perft(title, state, case.depth)
        assert found == case.counts, (case.name, perft.divide(title, state, case.depth))


@pytest.mark.parametrize(("slug", "scenario"), GAMES)
def test_the_golden_transcript_is_played_again(slug, scenario):
    assert golden_path(slug, scenario).read_text(encoding="utf-8") == golden_text(slug, scenario)


@pytest.mark.parametrize("slug", SLUGS)
def test_worked_examples_come_out_as_the_book_says(slug):
    for path in examples.packaged(slug):
        report = examples.verify(ALL[slug], examples.read(path))
        assert report.faults == (), path.name
