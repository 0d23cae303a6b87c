"""Games without a screen: who is counted as the winner."""

from __future__ import annotations

import json

import pytest

from app.cli.headless import play_one
from app.cli.verbs import main
from engine.titles import TITLES


def test_a_team_that_wins_is_no_draw(capsys):
    command = ("simula", "--titolo", "toi", "--scenario", "toi-s2-3", "--partite", "4")
    assert main([*command, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert list(figures["vittorie"]) == ["us", "de"]
    assert figures["vittorie"]["us"] > 0
    assert figures["pareggi"] == 0
    assert main(command) == 0
    assert f"  us (us1, us2): {figures['vittorie']['us']}\n" in capsys.readouterr().out


GAMES = [(slug, info) for slug, title in TITLES.items() for info in title.scenarios()]


@pytest.mark.parametrize(("slug", "info"), GAMES, ids=lambda it: getattr(it, "id", it))
def test_whoever_wins_is_a_side_or_a_team(slug, info):
    winners = {play_one(slug, info.id, ("casuale",), seed).winner for seed in (1, 2)}
    team_mates = {seat for team, seats in info.teams.items() for seat in seats if seat != team}
    assert winners <= {None, *info.sides, *info.teams} - team_mates
