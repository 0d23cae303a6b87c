"""What players read of this title: sides by their cubes, values with where they come from."""

from __future__ import annotations

import pytest

from app.presenters.warfare import PRINTED, WarfarePresenter, dice_legend
from engine.game import Game, SeededChance
from engine.warfare import TITLE
from engine.warfare.state import generator
from engine.warfare.state.tables import ROSTER, SUPPORTS
from tests.warfare.table import Table, u


def seated(state, side="blu"):
    """The presenter at a table."""
    presenter = WarfarePresenter(tuple(state.cubes))
    presenter.use(TITLE.view(state, side))
    return presenter


@pytest.mark.rule("warfare:unita.fazioni", "warfare:scenari.casuali")
@pytest.mark.parametrize(("against", "name"), [("INS", "Verde"), ("RU", "Rosso")])
def test_irregulars_are_green_and_russians_red_in_generated_scenarios(against, name):
    seed = next(n for n in range(1, 99) if generator.plan(n).forces.against == against)
    game = Game(TITLE, "casuale", SeededChance(1), {"seme": str(seed)})
    presenter = seated(game.position.draft)
    assert presenter.side_name("rosso") == name
    assert presenter.name("side", "rosso") == name
    assert presenter.army("rosso").name == name
    assert presenter.army("rosso").colour == presenter.accents[name.casefold()][0]
    assert presenter.side_name("blu") == "Blu"


@pytest.mark.rule("warfare:unita.valori", "warfare:dadi.set")
def test_values_say_where_they_are_reconstructed():
    units = {"b1": u("usmc_lav", "C5"), "b2": u("us_at", "D5"), "v1": u("ins_cellula", "L1")}
    state = Table(unita=units, supporti={"us_a10": {"lato": "blu"}}).state
    presenter = seated(state)
    counters = TITLE.view(state, "blu").counters
    said = {c.id: " · ".join(presenter.card(c)) for c in counters}
    assert said["b1"].endswith(
        "valori ricostruiti tranne AP delle leggere, dado delle leggere, difesa, Trasporto"
    )
    assert said["b2"].endswith("valori ricostruiti")
    assert said["us_a10"].endswith("valori ricostruiti tranne valore leggero, difesa")
    assert "ricostruiti" not in said["v1"], "nothing is read of what was never shown"
    assert "le facce sono ricostruite" in dice_legend()[-1]
    assert "ricostruiti" in presenter.briefing("s3")[-1]


def test_every_printed_value_has_a_word():
    keys = {key for one in (*ROSTER.values(), *SUPPORTS.values()) for key in one.printed}
    assert keys <= set(PRINTED)


def test_a_sniper_that_was_hidden_has_a_number_and_not_an_id():
    units = {"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "L1")}
    hidden = {"i1": {"tipo": "tiratore", "esagono": "D5", "di": "verde"}}
    game = Table(unita=units, nascosti=hidden).go("b1", "D5")
    presenter = seated(game.state, "verde")
    (found,) = game.state.supports
    assert presenter.name("support", found) == "Tiratore INS n. 1"
