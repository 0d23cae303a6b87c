"""What the steps, questions and refusals tell: causes, limits, and what did not happen."""

from __future__ import annotations

import pytest

from tests.ddob.table import now, table

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
