"""What the steps, questions and refusals tell: causes, limits, and what did not happen."""

from __future__ import annotations

import pytest

from tests.ddob.table import act, against, now, offered, table

SEVEN = ["B/1/16", "C/1/16", "D/1/16", "E/2/16", "F/2/16", "G/2/16", "H/2/16"]


def told(game):
    """Every step as its locators, the words of the code and the facts."""
    return [
        (tuple(ref.partition(":")[2] for ref in s.ruling.refs), s.ruling.msg.id, s.ruling.msg.facts)
        for s in game.steps
    ]


def refs_of(game, words):
    """The locators of the only step that says these words."""
    found = [refs for refs, said, _facts in told(game) if said == words]
    assert len(found) == 1, f"{words!r} is said {len(found)} times"
    return set(found[0])


def facts_of(game, words):
    """The facts of the only step that says these words."""
    found = [facts for _refs, said, facts in told(game) if said == words]
    assert len(found) == 1, f"{words!r} is said {len(found)} times"
    return found[0]


def asked(game):
    """The id, the locators and the facts of the open question."""
    decision = game.position.decision
    assert decision is not None
    refs = {ref.partition(":")[2] for ref in decision.ruling.refs}
    return decision.id, refs, decision.ruling.msg.facts


# 13.1 The last loss


@pytest.mark.rule("ddob:13.1", "ddob:5.21", "ddob:casa.55")
def test_the_unit_whose_loss_ends_the_game_is_removed_first_and_its_rule_named():
    game = table(turno=7, fase="end", us={"A/1/16": "0513"}, tedeschi={}, perdite={"1": SEVEN})
    state = now(game)
    assert (state.degree, state.units["A/1/16"].at) == ("decisive defeat", "lost")
    assert refs_of(game, "{unit} is eliminated.") == {"5.21", "casa.55"}
    said = [words for _refs, words, _facts in told(game)]
    assert said.index("{unit} is eliminated.") < len(said) - 1
    end = "Division {division}: {n} losses of {limit}. Decisive defeat."
    assert facts_of(game, end) == {"division": "1", "n": 8, "limit": 8}
    assert refs_of(game, end) == {"13.1", "13"}


# 5.34 Coming back


@pytest.mark.rule("ddob:5.34")
def test_a_delayed_unit_put_in_its_only_box_names_the_delay():
    game = table(turno=6, fase="arrivals", us={"1/B/741": "track arriva=6 ritardata"})
    assert refs_of(game, "{unit} is placed in {at}.") == {"5.34"}


@pytest.mark.rule("ddob:5.3", "ddob:5.31")
def test_a_unit_put_in_the_last_box_with_room_names_the_limit():
    crowd = {"E/2/116": "DR1", "F/2/116": "DR1", "G/2/116": "DR2", "H/2/116": "DR2"}
    game = table(turno=6, fase="arrivals", us={"M/3/116": "track arriva=6", **crowd})
    assert now(game).units["M/3/116"].at == "DR3"
    assert refs_of(game, "{unit} is placed in {at}.") == {"5.3", "5.31"}


# Rulings on bases, stacks and the trail


@pytest.mark.rule("ddob:19.1", "ddob:5.21", "ddob:casa.93")
def test_an_engineer_base_stands_on_dry_sand_only():
    given = {"scenario": "d-day", "fase": "engineers", "us": {}, "tedeschi": {}}
    high = table(turno=17, **given)
    assert against(high, "h:0513") >= {"19.1", "5.21", "casa.93"}
    assert "5.21" in against(high, "h:0605")
    mid = table(turno=23, **given)
    assert "5.21" in against(mid, "h:0513")
    assert "h:0605" in offered(mid)


@pytest.mark.rule("ddob:7.32", "ddob:6.37", "ddob:casa.94")
def test_each_unit_of_a_stack_infiltrates_with_a_card_of_its_own():
    us = {"A/1/16": "1012", "B/1/16": "1012"}
    game = table("01", "02", fase="division", divisione="1", us=us, tedeschi={"0912": "wn"})
    act(game, "u:A/1/16", "h:0913", "u:B/1/16")
    said = "{units} infiltrate: a card and an outcome for each."
    assert refs_of(game, said) == {"7.32", "6.37", "casa.94"}
    assert sum(words == "{unit} infiltrates past a position." for _r, words, _f in told(game)) == 2


@pytest.mark.rule("ddob:tec.strada", "ddob:7.4", "ddob:17.11", "ddob:casa.95")
def test_the_trail_over_the_bluff_asks_for_no_climb():
    given = {"fase": "division", "divisione": "1", "tedeschi": {}}
    game = table(us={"A/1/16": "1217"}, **given)
    state = act(game, "u:A/1/16", "h:1216")
    assert (state.units["A/1/16"].at, state.units["A/1/16"].climb) == ("1216", "")
    said = "{unit} takes the trail over the bluff: no climb."
    assert refs_of(game, said) == {"tec.strada", "casa.95"}
    late = table(us={"A/1/16": "1217"}, turno=18, scenario="d-day", azioni=3, **given)
    act(late, "u:A/1/16", "h:1216")
    assert asked(late)[0] == "move.next"
