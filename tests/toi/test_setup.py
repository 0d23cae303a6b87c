"""Set-up (chapter «Preparazione»)."""

from __future__ import annotations

import pytest

from engine.game import Game, SeededChance
from engine.toi import TITLE
from engine.toi.state.events import TokenGiven
from tests.toi.table import Table


def play_until(game, step):
    """First options until a step of set-up is reached."""
    while game.state.step != step:
        game.play(game.position.decision.options[0].id)
    return game


@pytest.fixture
def game():
    return Table.around(Game(TITLE, "toi-s1", SeededChance(1)))


@pytest.mark.rule(
    "toi:preparazione.1-scenario",
    "toi:preparazione.2-plancia",
    "toi:preparazione.4-round",
    "toi:preparazione.3-iniziativa",
    "toi:preparazione.3-mazzi",
)
def test_cards_come_first_from_the_decks_of_the_scenario(game):
    play_until(game, "squads to build")
    armies = game.state.armies
    assert (len(armies["us"].hand), len(armies["de"].hand)) == (2, 3)
    assert set(armies["de"].decks) == {"mor1", "com1"}
    assert armies["us"].command == armies["us"].initiative == 0
    assert {"preparazione.1-scenario", "preparazione.4-round"} <= game.cited


@pytest.mark.rule("toi:preparazione.5-forza-piena", "toi:preparazione.5-due-fori")
def test_every_base_is_filled(game):
    play_until(game, "squads to build")
    assert "b:1mg-2reg" in game.options
    assert "preparazione.5-forza-piena" in game.why_not("b:1mg-1reg")


@pytest.mark.rule(
    "toi:preparazione.5-squadre",
    "toi:preparazione.5-divisioni",
    "toi:casa.31",
    "toi:preparazione.5-mix",
)
def test_all_bases_are_built_from_their_own_division(game):
    play_until(game, "deployment")
    units = [unit for unit in game.state.units.values() if unit.side == "us"]
    assert len(units) == 11
    assert sum(unit.division == 1 for unit in units) == 6
    first = [figure for unit in units if unit.division == 1 for figure in unit.figures]
    assert (first.count("us_reg"), first.count("us_mg"), len(units)) == (14, 2, 11)
    assert "casa.31" in game.cited


@pytest.mark.rule("toi:preparazione.6-spiegamento", "toi:accentramento.limite")
def test_units_are_deployed_in_the_own_area_within_the_limit(game):
    play_until(game, "deployment")
    assert "preparazione.6-spiegamento" in game.why_not("h:A1")
    for _ in range(3):
        game.play("h:F11")
    assert "accentramento.limite" in game.why_not("h:F11")


@pytest.mark.rule("toi:preparazione.6-spiegamento")
def test_the_holder_of_the_initiative_places_everything_first(game):
    play_until(game, "deployment")
    sides = []
    while game.state.step == "deployment":
        sides.append(game.position.decision.side)
        game.play(game.position.decision.options[0].id)
    assert sides == ["us"] * 11 + ["de"] * 7


@pytest.mark.rule("toi:preparazione.7-op-iniziale")
def test_units_may_start_in_op_fire(game):
    play_until(game, "first op fire")
    names = [o.id for o in game.position.decision.options if o.id.startswith("u:")]
    game.play(names[0])
    assert game.state.units[names[0][2:]].activation == "op fire"
    assert "preparazione.7-op-iniziale" in game.cited


@pytest.mark.rule("toi:comando.spiegamento", "toi:comando.inizio", "toi:casa.14")
def test_an_objective_under_a_deployed_unit_is_controlled_from_the_start(game):
    play_until(game, "deployment")
    while game.state.step == "deployment":
        options = game.options
        is_german = game.position.decision.side == "de"
        game.play("h:F3" if is_german and "h:F3" in options else sorted(options)[0])
    while game.state.phase == "set-up":
        game.play("b:fine")
    assert game.state.control == {"F3": "de"}
    assert {"comando.spiegamento", "casa.14", "comando.inizio"} <= game.cited


@pytest.mark.rule("toi:trasporto.spiegamento", "toi:preparazione.6-spiegamento", "toi:casa.40")
def test_squads_may_start_aboard_or_in_a_fortification():
    game = play_until(Table.around(Game(TITLE, "toi-s2", SeededChance(1))), "deployment")
    decision = game.position.decision
    while not decision.ruling.msg.facts["unit"].startswith("de-opel"):
        game.play(next(o.id for o in decision.options if o.id.startswith("h:")))
        decision = game.position.decision
    game.play("h:H1")
    while "u:de-opel-1" not in game.options:
        game.play(game.position.decision.options[0].id)
    name = game.position.decision.ruling.msg.facts["unit"]
    game.play("u:de-opel-1")
    assert game.state.units[name].aboard == "de-opel-1"
    assert "trasporto.spiegamento" in game.cited


@pytest.mark.rule("toi:nascoste.preparazione", "toi:casa.40")
def test_bunkers_and_concealed_squads_of_the_third_scenario():
    game = play_until(Table.around(Game(TITLE, "toi-s3", SeededChance(1))), "deployment")
    while "b:bunker-1" not in game.options:
        game.play(next(o.id for o in game.position.decision.options if o.id.startswith("h:")))
    name = game.position.decision.ruling.msg.facts["unit"]
    game.play("b:bunker-1")
    assert game.state.units[name].fort == "bunker-1"
    woods = [f"h:{label}" for label in ("D1", "J1", "B2", "L2", "A7", "M7")]
    while game.position.decision.ruling.refs == ("toi:preparazione.6-spiegamento",):
        options = [o.id for o in game.position.decision.options]
        game.play(next((o for o in woods if o in options), options[0]))
    assert game.position.decision.ruling.refs == ("toi:nascoste.preparazione",)
    squad = next(o.id for o in game.position.decision.options if o.id.startswith("u:"))
    game.play(squad)
    assert game.state.units[squad[2:]].concealed
    assert "nascoste.preparazione" in game.why_not(f"u:{name}")


@pytest.mark.rule(
    "toi:preparazione.5-specializzazioni",
    "toi:specializzazioni.assegnazione",
    "toi:specializzazioni.una",
)
def test_tokens_go_to_squads_without_heavy_weapons_one_each():
    table = Table(
        fase="set-up",
        passo="squads to build",
        idle=False,
        riserva={"us": {"1": "0basette"}},
        us={"us-1": "A1 4reg", "us-2": "A1 2mg", "us-3": "A2 4reg medic"},
    )
    assert table.state.phase == "set-up"
    game = play_until(Table.around(Game(TITLE, "toi-s3", SeededChance(3))), "squads to build")
    while game.position.decision.id != "setup.specialist":
        game.play(game.position.decision.options[0].id)
    units = game.state.units
    heavy = next(n for n, u in units.items() if u.side == "us" and "us_mg" in u.figures)
    assert "preparazione.5-specializzazioni" in game.why_not(f"u:{heavy}")
    light = game.position.decision.options[0].id
    game.play(light)
    assert units.keys() == game.state.units.keys()
    assert game.state.units[light[2:]].token
    assert "specializzazioni.una" in game.why_not(light)


@pytest.mark.rule("toi:preparazione.5-ordine", "toi:preparazione.5-specializzazioni")
@pytest.mark.parametrize(("how", "unseen"), [("segreta", ("de1", "de2")), ("aperta", ())])
def test_specialists_of_squads_built_in_secret_are_secret_too(how, unseen):
    game = play_until(
        Table.around(Game(TITLE, "toi-s2-4", SeededChance(1), {"costruzione": how})),
        "squads to build",
    )
    play_until(game, "deployment")
    given = [s for s in game.steps if isinstance(s.event, TokenGiven) and s.event.side == "us"]
    assert given
    assert all(step.hidden_from == unseen for step in given)


@pytest.mark.rule("toi:preparazione.5-ordine")
def test_squads_may_be_built_in_secret():
    game = play_until(
        Table.around(Game(TITLE, "toi-s1", SeededChance(1), {"costruzione": "segreta"})),
        "squads to build",
    )
    game.play(game.position.decision.options[0].id)
    draft = game.state
    assert [c.side for c in TITLE.view(draft, "us").counters] == ["us"]
    assert TITLE.view(draft, "de").counters == ()
    hidden = [step for step in game.steps if "de" in step.hidden_from]
    assert hidden
    for pick in range(5):
        other = TITLE.redeal(draft, "de", lambda n, pick=pick: pick % n)
        assert TITLE.view(other, "de") == TITLE.view(draft, "de")
        assert TITLE.belief(other, "de") == TITLE.belief(draft, "de")
    play_until(game, "deployment")
    assert len(TITLE.view(game.state, "de").counters) == 18
