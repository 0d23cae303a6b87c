"""Hidden markers and unseen values never leak."""

from __future__ import annotations

import random

import msgspec
import pytest

from engine.game import Game, SeededChance
from engine.odds import odds
from engine.warfare import TITLE
from engine.warfare.state.setting import field_of
from tests.warfare.table import Table, u


def swapped(state):
    """The same table with the backs of two hidden markers exchanged."""
    one, other = state.hidden["i1"], state.hidden["i2"]
    replace = msgspec.structs.replace
    hidden = {"i1": replace(one, item=other.item), "i2": replace(other, item=one.item)}
    return replace(state, hidden=hidden)


MARKERS = {
    "i1": {"tipo": "ied_rosso", "esagono": "D5", "di": "verde"},
    "i2": {"tipo": "dummy", "esagono": "B5", "di": "verde"},
}


@pytest.mark.rule("warfare:ignoti.definizione", "warfare:ricognizione.fallimento")
def test_view_options_refusals_and_odds_do_not_depend_on_the_back_of_a_marker():
    game = Table(unita={"b1": u("us_recon", "C5"), "v1": u("ins_cellula", "L1")}, nascosti=MARKERS)
    other = Table.around(Game(TITLE, "s1", None, start=swapped(game.state)))
    for one in (game, other):
        one.play("u:b1", "b:ricognizione")
    assert game.position.decision == other.position.decision
    views = [TITLE.view(one.state, "blu") for one in (game, other)]
    assert views[0] == views[1]
    spreads = []
    for one in (game, other):
        belief = TITLE.belief(one.position.rest, "blu")
        question = TITLE.questions(TITLE.belief(one.state, "blu"), one.position.decision)[0]
        spreads.append(odds(TITLE, belief, one.position.open, question).spread)
    assert spreads[0] == spreads[1]


@pytest.mark.rule("warfare:ignoti.definizione")
def test_the_owner_sees_its_markers_and_the_enemy_does_not():
    game = Table(unita={"b1": u("us_recon", "C5"), "v1": u("ins_cellula", "L1")}, nascosti=MARKERS)
    seen = {
        c.id: c.facts["kind"] for c in TITLE.view(game.state, "verde").counters if c.id[0] == "i"
    }
    assert seen == {"i1": "ied", "i2": "dummy"}
    seen = {c.id: c.facts["kind"] for c in TITLE.view(game.state, "blu").counters if c.id[0] == "i"}
    assert seen == {"i1": "unknown", "i2": "unknown"}


@pytest.mark.rule("warfare:ricognizione.fallimento")
def test_a_failed_recon_reads_the_same_whatever_lies_there():
    texts = []
    for item in ("ied_rosso", "dummy", "mina"):
        markers = {"i1": {"tipo": item, "esagono": "D5", "di": "verde"}}
        game = Table(
            unita={"b1": u("us_recon", "C5"), "v1": u("ins_cellula", "L1")},
            nascosti=markers,
            dice=(1,),
        )
        game.play("u:b1", "b:ricognizione", "u:i1", "b:rinuncia")
        texts.append([(s.ruling, s.chance) for s in game.steps])
    assert texts[0] == texts[1] == texts[2]


@pytest.mark.rule("warfare:unita.nebbia")
def test_another_deal_of_enemy_types_looks_the_same():
    game = Table.around(Game(TITLE, "s4", SeededChance(2)))
    rng = random.Random(4)
    for _ in range(40):
        for side in ("blu", "verde"):
            other = TITLE.redeal(game.state, side, rng.randrange)
            assert TITLE.view(other, side) == TITLE.view(game.state, side)
        game.play(rng.choice([o.id for o in game.position.decision.options]))


@pytest.mark.rule("warfare:unita.nebbia", "warfare:ignoti.definizione")
@pytest.mark.parametrize("scenario", ["s3", "s4", "s5"])
def test_what_is_asked_offered_and_refused_does_not_depend_on_what_a_side_cannot_see(scenario):
    game = Game(TITLE, scenario, SeededChance(3))
    rng, compared = random.Random(6), 0
    while compared < 25 and game.position.decision is not None:
        position = game.position
        if not position.open:
            other = TITLE.redeal(position.rest, position.decision.side, rng.randrange)
            assert Game(TITLE, scenario, None, start=other).position.decision == position.decision
            compared += 1
        game.answer(rng.choice([option.id for option in position.decision.options]))
    assert compared == 25


def backs(game):
    """What lies under each marker."""
    return {marker.id: marker.item for marker in game.state.hidden.values()}


@pytest.mark.rule("warfare:arbitrato.ignoti_mescolati", "warfare:setup.segnalini")
@pytest.mark.parametrize(("scenario", "owner"), [("s3", "verde"), ("s4", "blu")])
def test_the_backs_of_markers_are_dealt_anew_in_every_game(scenario, owner):
    deals = [backs(Table.around(Game(TITLE, scenario, SeededChance(seed)))) for seed in range(12)]
    assert len({tuple(deal.items()) for deal in deals}) > 8
    assert len({tuple(sorted(deal.values())) for deal in deals}) == 1, "the same markers"
    game = Table.around(Game(TITLE, scenario, SeededChance(1)))
    public = [s for s in game.steps if "warfare:arbitrato.ignoti_mescolati" in s.ruling.refs]
    assert not public[0].hidden_from
    enemies = tuple(side for side in game.state.cubes if side != owner)
    assert {step.hidden_from for step in public[1:]} == {enemies}
    assert game.state.unseen == {}


@pytest.mark.rule("warfare:arbitrato.ignoti_mescolati", "warfare:ignoti.definizione")
@pytest.mark.parametrize("scenario", ["s3", "s4", "s5"])
def test_before_the_set_up_nobody_sees_what_lies_under_a_marker(scenario):
    start = TITLE.start(scenario, {})
    for side in start.cubes:
        kinds = {c.facts["kind"] for c in TITLE.view(start, side).counters if c.kind == "marker"}
        assert kinds == {"unknown"}


@pytest.mark.rule("warfare:arbitrato.ignoti_mescolati", "warfare:arbitrato.blocco_piazzamento")
def test_any_marker_may_lie_in_any_hex_of_its_scenario():
    for scenario in ("s3", "s4", "s5"):
        start = TITLE.start(scenario, {})
        terrain = field_of(start).terrain
        assert {terrain[m.hex] for m in start.hidden.values()} <= {"open", "cover", "high ground"}


@pytest.mark.rule("warfare:arbitrato.ignoti_mescolati")
def test_a_marker_that_can_be_only_one_thing_is_not_drawn_for():
    game = Table.around(Game(TITLE, "s5", SeededChance(1)))
    assert [s.chance for s in game.steps if s.chance is not None] == []
    assert set(backs(game).values()) == {"dummy"}
