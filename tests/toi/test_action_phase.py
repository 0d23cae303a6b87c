"""Turns and actions (chapter «La Fase Azione»)."""

from __future__ import annotations

import pytest

from tests.toi.table import Table


@pytest.mark.rule("toi:azione.turni", "toi:azione.iniziativa", "toi:round.fasi")
def test_three_actions_then_the_other_side():
    table = Table(us={f"us-{n}": f"C{n} 4reg" for n in (1, 2, 3, 4)}, de={"de-1": "P1 4reg"})
    for n in (1, 2, 3):
        assert table.asked.side == "us"
        table.play(f"u:us-{n}", "b:affatica")
    assert table.asked.side == "de"
    table.play("u:de-1", "b:affatica", "u:de-opel-9", "b:affatica")
    assert table.asked.side == "us"
    assert {"azione.turni", "azione.fine"} <= table.cited


@pytest.mark.rule("toi:azione.solo-pronte", "toi:definizioni.pronta")
def test_only_ready_units_are_activated():
    table = Table(us={"us-1": "C5 4reg fatigued", "us-2": "C6 4reg op"})
    for name in ("us-1", "us-2"):
        assert "azione.solo-pronte" in table.why_not(f"u:{name}")


@pytest.mark.rule("toi:azione.otto", "toi:azione.affatica")
def test_a_pinned_unit_can_still_be_fatigued():
    table = Table(us={"us-1": "C5 4reg pinned"}).play("u:us-1", "b:affatica")
    assert table.unit("us-1").activation == "fatigued"
    assert "azione.affatica" in table.cited


@pytest.mark.rule("toi:azione.fine", "toi:casa.29")
def test_the_phase_may_be_declared_over_at_any_time():
    table = Table(us={"us-1": "C5 4reg", "us-2": "C6 4reg"}).play("u:us-1", "b:affatica", "b:fine")
    assert table.asked.side == "de"
    assert "azione.fine" in table.cited


@pytest.mark.rule("toi:azione.prosegue-avversario")
def test_the_other_side_goes_on_alone():
    table = Table(us={"us-1": "C5 4reg"}, de={f"de-{n}": f"P{n} 4reg" for n in (1, 2, 3, 4)})
    table.play("b:fine")
    for n in (1, 2, 3):
        table.play(f"u:de-{n}", "b:affatica")
    assert table.asked.side == "de"
    assert "azione.prosegue-avversario" in table.cited


@pytest.mark.rule("toi:azione.carta", "toi:strategia.generale", "toi:comando.usi")
def test_a_card_costs_an_action_and_its_command():
    table = Table(us={"us-1": "C5 4reg fatigued"}, comando={"us": 3}, mano={"us": ["com1-01"]})
    table.play("c:com1-01", "u:us-1")
    assert table.unit("us-1").activation == "ready"
    assert table.state.armies["us"].command == 0
    assert table.state.armies["us"].hand == ()
    assert table.state.left["us"] == 2
    assert {"azione.carta", "strategia.generale"} <= table.cited


@pytest.mark.rule("toi:azione.carta")
def test_a_card_that_cannot_be_paid_is_not_played():
    table = Table(us={"us-1": "C5 4reg"}, comando={"us": 2}, mano={"us": ["com1-01", "com1-03"]})
    assert "azione.carta" in table.why_not("c:com1-01")
    assert "comando.carte" in table.why_not("c:com1-03")


@pytest.mark.rule("toi:azione.senza-attivazione", "toi:assalto.1-supporto")
def test_a_fatigued_squad_supports_an_assault_without_being_activated():
    table = Table(us={"us-1": "C5 4reg", "us-2": "C5 4reg fatigued"}, de={"de-1": "D5 4reg"})
    table.play("u:us-1", "b:assalto", "b:assalta", "h:D5")
    assert "u:us-2" in table.options
    assert "toi:azione.senza-attivazione" in table.asked.ruling.refs
    assert table.state.left["us"] == 2


@pytest.mark.rule("toi:miniature.mortaio.azioni")
def test_a_mortar_squad_moves_and_fires_but_neither_together_nor_in_an_assault():
    table = Table(us={"us-1": "C5 2mor"}, de={"de-1": "G5 4reg"}).play("u:us-1")
    assert "miniature.mortaio.azioni" in table.why_not("b:fuoco-e-movimento")
    assert "miniature.mortaio.azioni" in table.why_not("b:assalto")
    assert {"b:avanzata", "b:concentrato", "b:affatica"} <= table.options
