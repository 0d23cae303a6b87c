"""Which chapter teaches an action, and what forbids it (chapter «Azioni»)."""

from __future__ import annotations

import pytest

from engine.warfare import TITLE
from engine.warfare.rules import (
    abilities,
    assault,
    drones,
    fire,
    martyrdom,
    morale,
    movement,
    overwatch,
    population,
    recon,
    roadblocks,
    smoke,
    suppression,
    transport,
)
from engine.warfare.rules.actions import VERBS, leave
from tests.positions import locators
from tests.warfare.table import FAR, Table, u

TAUGHT = {
    movement.move: 1,
    fire.fire: 2,
    overwatch.go_in_overwatch: 2,
    morale.recover: 2,
    assault.assault: 2,
    smoke.throw_smoke: 2,
    population.convert: 1,
    transport.load: 1,
    transport.unload: 1,
    roadblocks.clear: 1,
    roadblocks.block: 1,
    recon.recon: 3,
    recon.disarm: 3,
    suppression.suppress: 3,
    martyrdom.martyr: 4,
    abilities.use_squad_drones: 5,
    drones.drone_recon: 5,
    leave: 5,
}


def test_each_action_waits_for_the_chapter_that_teaches_it():
    assert {verb.do: verb.chapter for verb in VERBS} == TAUGHT


@pytest.mark.rule("warfare:aviotrasporto.abilita")
@pytest.mark.parametrize(("scenario", "is_taught"), [("s1", False), ("s4", False), ("s5", True)])
def test_nobody_is_dropped_before_chapter_5(scenario, is_taught):
    state = TITLE.start(scenario, {})
    one = next(iter(state.units.values()))
    found = list(abilities.why_not_drop(state, one))
    assert sum("chapter" in ruling.msg.facts for ruling in found) == (not is_taught)


@pytest.mark.rule("warfare:bonifica.azione")
@pytest.mark.parametrize(("hex", "against"), [("D5", set()), ("C5", {"bonifica.azione"})])
def test_a_mine_is_disarmed_from_beside_and_not_from_above(hex, against):
    mine = {"i1": {"tipo": "mina", "esagono": hex, "di": "verde", "scoperto": "si"}}
    state = Table(unita={"b1": u("us_recon", "C5"), "v1": FAR}, nascosti=mine).state
    assert (
        locators(recon.why_not_disarm_marker(state, state.units["b1"], state.hidden["i1"]))
        == against
    )
