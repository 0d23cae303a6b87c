"""What the title gives to screens and players: positions, odds, views, overlays, files."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

from engine.core.data import DataErrors, data_path
from engine.drive import RandomPlayer, _oracles, drive, fuzz
from engine.game import Game, SeededChance
from engine.odds import odds
from engine.toi import TITLE
from tests.toi.table import Table

SCENARIOS = [info.id for info in TITLE.scenarios()]


def ask(table, **facts):
    """The odds of the question with those facts, as facts of the result -> share."""
    position = table.game.position
    belief = TITLE.belief(position.rest, position.decision.side)
    for question in TITLE.questions(position.draft, position.decision):
        if all(question.msg.facts.get(key) == value for key, value in facts.items()):
            found = odds(TITLE, belief, position.open, question)
            return {tuple(sorted(map(str, r.facts.values()))): p for r, p in found.spread}
    raise AssertionError(f"no question about {facts}")


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.rule("toi:round.fasi")
def test_a_random_game_satisfies_every_oracle(scenario):
    _game, findings = fuzz(TITLE, scenario, 7, every=9)
    assert findings == []


@pytest.mark.rule("toi:preparazione.5-ordine")
def test_a_game_with_secret_building_leaks_nothing():
    game = Game(
        TITLE, "toi-s3", SeededChance(2), {"costruzione": "segreta", "fumo": "round-intero"}
    )
    rng = random.Random(2)
    for _ in range(80):
        assert list(_oracles(game, rng)) == []
        options = game.position.decision.options
        game.answer(options[rng.randrange(len(options))].id)


@pytest.mark.rule("toi:attacco.5-colpi")
def test_the_odds_of_an_attack_are_exact():
    table = Table(us={"us-1": "C5 2reg"}, de={"de-1": "F5 4reg"})
    table.play("u:us-1", "b:concentrato")
    found = ask(table, target="de-1", kind="normal attack")
    assert found[("de-1", "none")] == Fraction(4, 9)
    assert found[("2", "de-1", "figures")] == Fraction(1, 9)
    assert sum(found.values()) == 1


@pytest.mark.rule("toi:condizioni.da-normale")
def test_the_odds_of_suppression_are_in_words():
    table = Table(us={"us-1": "C5 4reg"}, de={"de-1": "F5 4reg"})
    table.play("u:us-1", "b:concentrato", "u:de-1")
    found = ask(table, kind="suppressive attack")
    assert found[("de-1", "lost")] == Fraction(1, 81)
    assert ("condition", "de-1", "pinned") in found


@pytest.mark.rule("toi:miniature.carro.blindatura-solida")
def test_odds_with_thick_armor_assume_that_it_is_used():
    table = Table(us={"us-1": "C5 4reg"}, de={"de-tig-1": "D5 tig"})
    table.play("u:us-1", "b:concentrato")
    found = ask(table, target="de-tig-1")
    assert sum(found.values()) == 1
    assert ("de-tig-1", "lost") not in found


@pytest.mark.rule("toi:ostacoli.mine", "toi:strategia.contatto", "toi:specializzazioni.medico.cura")
def test_odds_of_mines_contact_and_healing():
    mines = Table(us={"us-1": "C5 4reg"}, segnalini={"minefield": ["D5"]})
    mines.play("u:us-1", "b:avanzata")
    assert ask(mines, hex="D5")[("none", "us-1")] == Fraction(1, 16)
    radio = Table(us={"us-1": "C5 4reg"}, comando={"us": 9}, mano={"us": ["art1-01"]})
    assert ask(radio, card="art1-01")[("contact",)] == Fraction(1, 2)
    medic = Table(us={"us-1": "C5 2reg medic"}).play("u:us-1")
    assert ask(medic, unit="us-1")[("recovers",)] == Fraction(1, 2)


@pytest.mark.rule("toi:assalto.8-fallito")
def test_odds_of_an_assault_and_of_op_fire():
    table = Table(us={"us-1": "C5 2reg"}, de={"de-1": "D5 1reg"})
    table.play("u:us-1", "b:assalto", "b:assalta")
    found = ask(table, hex="D5")
    assert sum(found.values()) == 1
    cleared = sum(p for key, p in found.items() if "cleared" in key)
    assert cleared == Fraction(3, 8) + Fraction(1, 8) + Fraction(1, 4)
    waiting = Table(us={"us-1": "C5 4reg"}, de={"de-1": "F5 4reg op"})
    waiting.play("u:us-1", "b:avanzata", "h:D5")
    assert sum(ask(waiting, target="us-1", kind="normal attack").values()) == 1


@pytest.mark.rule("toi:movimento.costo", "toi:miniature.camion.strada")
def test_reachable_hexes_show_their_cost():
    table = Table(us={"us-1": "C5 4reg"}, de={"de-1": "E5 4reg"}, terreno={"D5": "woods"})
    table.play("u:us-1", "b:avanzata")
    field = TITLE.view(table.state, "us").board
    (overlay,) = TITLE.overlays(table.state, table.asked)
    assert overlay.hexes[field.hex_at("D5")] == "2"
    assert field.hex_at("E5") not in overlay.hexes
    truck = Table(us={"us-1": "C5 gmc"}, strade=[["C5", "D5", "E5"]]).play("u:us-1", "b:avanzata")
    (fast,) = TITLE.overlays(truck.state, truck.asked)
    assert fast.hexes[field.hex_at("D5")] == "1/3"


@pytest.mark.rule("toi:raggio.distanza")
def test_the_range_overlay_names_the_band():
    table = Table(us={"us-1": "C5 4reg"}, de={"de-1": "E5 4reg"}).play("u:us-1", "b:concentrato")
    board = TITLE.view(table.state, "us").board
    (overlay,) = TITLE.overlays(table.state, table.asked)
    bands = [overlay.hexes[board.hex_at(label)] for label in ("D5", "G5", "K5")]
    assert bands == ["close range", "normal range", "long range"]
    assert board.hex_at("L5") not in overlay.hexes


@pytest.mark.rule("toi:terreno.lettura")
def test_a_hex_tells_its_rules():
    table = Table(
        us={"us-1": "C5 4reg"},
        terreno={"D5": "woods 1"},
        segnalini={"trench": ["D5"], "minefield": ["D5"], "smoke": ["D5"]},
        obiettivi={"D5": "neutral 2"},
        controllo={"D5": "us"},
    )
    board = TITLE.view(table.state, "us").board
    refs = {ref for r in TITLE.inspect(table.state, board.hex_at("D5")) for ref in r.refs}
    assert {
        "toi:terreno.bosco",
        "toi:fumo.blocca",
        "toi:ostacoli.mine",
        "toi:comando.entrate",
        "toi:fortificazioni.trincea",
        "toi:raggio.livelli",
    } <= refs


@pytest.mark.rule("toi:visuale.stesso-livello")
def test_sight_is_explained():
    table = Table(us={"us-1": "C5 4reg"}, terreno={"D5": "woods"})
    board = TITLE.view(table.state, "us").board
    seen = TITLE.sight(table.state, board.hex_at("C5"), board.hex_at("F5"))
    assert seen.clear is False
    assert seen.blocked_by == board.hex_at("D5")


@pytest.mark.rule("toi:comando.pubblico", "toi:strategia.generale")
def test_the_view_shows_all_public_facts():
    table = Table(
        us={"us-1": "C5 2reg 1mg op"},
        comando={"de": 4},
        mano={"de": ["com1-01"]},
        mazzi={"de": ["com1"]},
        obiettivi={"F6": "neutral 1"},
        controllo={"F6": "us"},
    )
    seen = TITLE.view(table.state, "us")
    squad = next(counter for counter in seen.counters if counter.id == "us-1")
    assert squad.states == ("op fire",)
    assert squad.facts["firepower"] == 5
    assert any(t.id == "command-de" and t.value == 4 for t in seen.tracks)
    assert any(hand.cards == ("com1-01",) for hand in seen.hands)
    assert any(hand.size == 9 for hand in seen.hands)
    assert {mark.kind for mark in seen.marks["F6"]} == {"command objective", "control"}
    assert seen.known == table.state


@pytest.mark.rule("toi:intro.scenari")
def test_a_wrong_position_names_every_fault():
    with pytest.raises(DataErrors) as caught:
        TITLE.position({"us": {"us-1": "C5 4fanti"}, "segnalini": {"fosso": ["A1"]}, "boh": 1})
    assert len(caught.value.faults) == 3


@pytest.mark.rule("toi:intro.scenari")
def test_the_files_of_the_title_are_valid(tmp_path: Path):
    folder = data_path("toi")
    for path in (*folder.glob("maps/*.yaml"), *folder.glob("scenarios/*.yaml")):
        assert TITLE.validate(path) == ()
    broken = tmp_path / "scenario.yaml"
    broken.write_text(
        (folder / "scenarios" / "toi-s1.yaml").read_text().replace("round: 8", "round: x")
    )
    assert TITLE.validate(broken)


@pytest.mark.rule("toi:round.fasi")
def test_unknown_levels_are_not_offered_and_random_players_finish():
    assert TITLE.levels == ("medio", "difficile")
    with pytest.raises(KeyError):
        TITLE.player("media")
    game = Game(TITLE, "toi-s1", SeededChance(4))
    outcome = drive(game, {"us": RandomPlayer(), "de": RandomPlayer()}, random.Random(4))
    assert outcome.winner in ("us", "de")
