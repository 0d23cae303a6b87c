"""Objectives, command, initiative (chapter «Fase Comando») and victory."""

from __future__ import annotations

import pytest

from tests.toi.table import Table


def phase(**position):
    """The Command Phase is about to begin."""
    return Table(
        **{
            "fase": "command",
            "idle": False,
            "us": {"us-1": "C5 4reg"},
            "de": {"de-1": "P1 4reg"},
            **position,
        }
    )


@pytest.mark.rule("toi:comando.controllo", "toi:comando.tipi-obiettivo", "toi:casa.13")
def test_a_unit_on_an_objective_takes_control_of_any_kind():
    table = phase(
        us={"us-1": "C5 4reg", "us-2": "E5 4reg pinned", "us-m4-1": "G5 m4"},
        obiettivi={"C5": "us 1", "E5": "de 3", "G5": "neutral 2", "I5": "us 1"},
    )
    assert table.state.control == {"C5": "us", "E5": "us", "G5": "us"}
    assert {"comando.controllo", "casa.13"} <= table.cited


@pytest.mark.rule("toi:comando.controllo", "toi:casa.20")
def test_passengers_do_not_control_but_their_vehicle_does():
    table = phase(us={"us-gmc-1": "C5 gmc", "us-1": "su:us-gmc-1 4reg"}, obiettivi={"C5": "us 1"})
    assert table.state.control == {"C5": "us"}


@pytest.mark.rule("toi:comando.controllo-permane")
def test_control_stays_without_a_garrison_until_the_enemy_comes():
    table = phase(obiettivi={"E5": "neutral 1"}, controllo={"E5": "us"})
    assert table.state.control == {"E5": "us"}
    assert "comando.controllo-permane" in table.cited
    taken = phase(de={"de-1": "E5 4reg"}, obiettivi={"E5": "neutral 1"}, controllo={"E5": "us"})
    assert taken.state.control == {"E5": "de"}


@pytest.mark.rule("toi:comando.entrate", "toi:comando.obiettivo-nemico")
def test_own_and_neutral_objectives_yield_and_the_enemys_do_not():
    table = phase(
        comando={"us": 1},
        obiettivi={"E5": "de 3", "F5": "us 2", "G5": "neutral 2"},
        controllo={"E5": "us", "F5": "us", "G5": "us"},
    )
    assert table.state.armies["us"].command == 1 + 4
    assert table.state.armies["de"].command == 0
    assert {"comando.entrate", "comando.obiettivo-nemico"} <= table.cited


@pytest.mark.rule("toi:comando.punti-vittoria", "toi:casa.51")
def test_victory_points_add_up_without_a_ceiling():
    table = phase(
        pv={"us": 20},
        obiettivi={"E5": "victory 2", "F5": "victory 1"},
        controllo={"E5": "us", "F5": "us"},
        scenario="toi-s2",
    )
    assert table.state.armies["us"].points == 23
    assert {"comando.punti-vittoria", "casa.51"} <= table.cited
    by_hex = [{"hex": "E5", "n": 2, "side": "us"}, {"hex": "F5", "n": 1, "side": "us"}]
    assert table.told("comando.punti-vittoria", "hex", "n", "side") == by_hex


@pytest.mark.rule("toi:comando.spesa", "toi:comando.iniziativa-spesa", "toi:comando.conserva")
def test_the_holder_spends_first_and_keeps_the_rest():
    table = phase(comando={"us": 3, "de": 1}, iniziativa="de", iniziativa_carta={"us": 1})
    assert table.asked.side == "de"
    table.play("b:fine")
    assert table.asked.side == "us"
    table.play("n:2")
    assert table.state.armies["us"].initiative == 3
    assert table.state.armies["us"].command == 1
    assert {"comando.spesa", "comando.iniziativa-spesa"} <= table.cited


@pytest.mark.rule("toi:comando.carte", "toi:strategia.area-di-gioco")
def test_command_cards_are_played_here_and_lasting_ones_stay():
    table = phase(comando={"us": 3}, mano={"us": ["com1-03", "art1-03", "com1-01"]})
    assert "azione.carta" in table.why_not("c:com1-01")
    table.play("c:com1-03", "c:art1-03")
    army = table.state.armies["us"]
    assert army.initiative == 3
    assert [played.card for played in army.area] == ["art1-03"]
    assert "strategia.area-di-gioco" in table.cited


@pytest.mark.rule("toi:comando.iniziativa")
def test_the_higher_card_takes_the_initiative():
    table = phase(iniziativa="us", iniziativa_carta={"us": 1, "de": 2})
    assert table.state.initiative == "de"
    kept = phase(iniziativa="us", iniziativa_carta={"us": 2, "de": 1})
    assert kept.state.initiative == "us"


@pytest.mark.rule("toi:comando.iniziativa-pari")
def test_a_tie_goes_to_who_did_not_hold_it():
    table = phase(iniziativa="us")
    assert table.state.initiative == "de"
    assert "comando.iniziativa-pari" in table.cited


@pytest.mark.rule("toi:vittoria.condizioni", "toi:faq.controllo-fortificazione")
def test_a_scenario_may_be_won_at_once():
    goals = {"E5": "victory", "F5": "victory", "G5": "victory"}
    table = phase(obiettivi=goals, controllo=dict.fromkeys(goals, "us"))
    assert table.game.position.outcome.winner == "us"
    assert table.game.position.outcome.degree == "at once"
    two = phase(obiettivi=goals, controllo={"E5": "us", "F5": "us"})
    assert two.game.position.outcome is None
    told = {"side": "us", "hexes": ("E5", "F5")}
    assert two.told("faq.controllo-fortificazione", *told) == [told]


@pytest.mark.rule("toi:vittoria.condizioni", "toi:round.numero", "toi:stato.avanza")
def test_after_the_last_round_the_winner_is_determined():
    goals = {"E5": "victory", "F5": "victory", "G5": "victory"}
    for controls, winner in ((("E5", "F5"), "us"), (("E5",), "de")):
        table = Table(
            idle=False,
            us={"us-1": "A1 4reg pinned"},
            de={"de-1": "P1 4reg pinned"},
            fase="status",
            passo="arrivals",
            round=8,
            rounds=8,
            obiettivi=goals,
            controllo=dict.fromkeys(controls, "us"),
        )
        assert table.game.position.outcome.winner == winner
        assert table.state.round == 9


@pytest.mark.rule("toi:vittoria.pareggio-pv")
def test_a_tie_on_points_goes_to_the_initiative():
    position = {
        "idle": False,
        "us": {"us-1": "A1 4reg"},
        "de": {"de-1": "P1 4reg"},
        "fase": "status",
        "passo": "arrivals",
        "round": 8,
        "scenario": "toi-s2",
    }
    tie = Table(**position, iniziativa="de", pv={"us": 3, "de": 3}).game.position.outcome
    assert (tie.winner, tie.ruling.refs) == ("de", ("toi:vittoria.pareggio-pv",))
    assert Table(**position, pv={"us": 3, "de": 4}).game.position.outcome.winner == "de"


@pytest.mark.rule("toi:comando.passi", "toi:conflitti.iniziativa", "toi:comando.iniziativa-arbitro")
def test_four_steps_with_the_holder_of_the_initiative_first():
    table = phase(
        comando={"us": 1, "de": 1},
        iniziativa="de",
        obiettivi={"C5": "us 2"},
        iniziativa_carta={"us": 1},
    )
    assert table.state.control == {"C5": "us"}
    assert table.state.armies["us"].command == 3
    assert table.asked.side == "de"
    table.play("b:fine", "b:fine")
    assert table.state.initiative == "us"
    assert {"comando.passi", "conflitti.iniziativa"} <= table.cited
