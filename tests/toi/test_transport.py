"""Mechanized troops (chapter «Truppe meccanizzate»)."""

from __future__ import annotations

import pytest

from tests.toi.table import Table


@pytest.mark.rule("toi:trasporto.salire", "toi:trasporto.affatica", "toi:fuoco-op.no-innesco")
def test_boarding_costs_two_ends_the_action_and_draws_no_fire():
    table = Table(us={"us-1": "C5 4reg", "us-gmc-1": "D5 gmc"}, de={"de-1": "G5 4reg op"})
    table.play("u:us-1", "b:avanzata", "h:D5", "b:no", "u:us-gmc-1")
    assert table.asked.side == "us"
    assert table.unit("us-1").aboard == "us-gmc-1"
    assert table.unit("us-1").activation == "fatigued"
    assert table.unit("us-gmc-1").activation == "ready"
    assert {"trasporto.salire", "trasporto.affatica"} <= table.cited


@pytest.mark.rule("toi:trasporto.salire")
def test_boarding_needs_two_points():
    table = Table(us={"us-1": "A5 4reg", "us-gmc-1": "D5 gmc"})
    table.play("u:us-1", "b:avanzata", "h:B5", "h:C5", "h:D5")
    assert "trasporto.salire" in table.why_not("u:us-gmc-1")


@pytest.mark.rule("toi:trasporto.capacita", "toi:miniature.camion.trasporto", "toi:casa.02")
def test_trucks_carry_two_and_half_tracks_one():
    table = Table(
        us={
            "us-1": "C5 4reg",
            "us-m3-1": "C5 m3",
            "us-gmc-1": "C5 gmc",
            "us-2": "su:us-m3-1 4reg",
            "us-3": "su:us-gmc-1 4reg",
        },
    )
    table.play("u:us-1", "b:avanzata")
    assert {"trasporto.capacita", "casa.02"} <= table.why_not("u:us-m3-1")
    assert "u:us-gmc-1" in table.options


@pytest.mark.rule("toi:trasporto.scendere", "toi:trasporto.scendere-op")
def test_dismounting_costs_two_draws_fire_and_does_not_fatigue():
    table = Table(
        us={"us-1": "su:us-gmc-1 4reg", "us-gmc-1": "C5 gmc fatigued"}, de={"de-1": "F5 4reg op"}
    )
    table.play("u:us-1", "b:avanzata")
    assert "trasporto.scendere" in table.why_not("h:D5")
    table.play("b:scendi")
    assert table.asked.side == "de"
    table.play("b:no")
    assert table.state.active.mp == 6
    assert table.unit("us-1").hex == "C5"
    table.play("h:C6")
    assert {"trasporto.scendere", "trasporto.scendere-op"} <= table.cited


@pytest.mark.rule("toi:accentramento.trasporto")
def test_a_loaded_vehicle_counts_as_one_unit():
    table = Table(
        us={"us-1": "B5 4reg", "us-gmc-1": "C5 gmc", "us-2": "su:us-gmc-1 4reg", "us-3": "C5 4reg"}
    )
    table.play("u:us-1", "b:avanzata", "h:C5", "b:fine")
    assert table.unit("us-1").hex == "C5"


@pytest.mark.rule("toi:trasporto.a-bordo")
def test_a_passenger_may_be_activated_but_not_fire():
    table = Table(us={"us-1": "su:us-gmc-1 4reg", "us-gmc-1": "C5 gmc"}, de={"de-1": "F5 4reg"})
    table.play("u:us-1")
    assert "trasporto.a-bordo" in table.why_not("b:concentrato")
    assert "b:avanzata" in table.options


@pytest.mark.rule("toi:trasporto.nessun-bonus")
def test_the_officer_aboard_does_not_speed_up_the_truck():
    table = Table(us={"us-1": "su:us-gmc-1 3reg 1uff", "us-gmc-1": "C5 gmc"})
    table.play("u:us-gmc-1", "b:avanzata")
    assert table.state.active.mp == 12
    assert "trasporto.nessun-bonus" in table.cited


@pytest.mark.rule("toi:trasporto.capacita")
def test_passengers_travel_with_the_vehicle():
    table = Table(us={"us-1": "su:us-gmc-1 4reg", "us-gmc-1": "C5 gmc"})
    table.play("u:us-gmc-1", "b:avanzata", "h:D5", "b:fine", "u:us-1", "b:avanzata", "b:scendi")
    assert table.unit("us-1").hex == "D5"


@pytest.mark.rule("toi:casa.43")
def test_boarding_works_on_the_assault_action_too():
    table = Table(us={"us-1": "C5 4reg", "us-gmc-1": "C5 gmc"}, de={"de-1": "D5 4reg"})
    table.play("u:us-1", "b:assalto", "u:us-gmc-1")
    assert table.unit("us-1").aboard == "us-gmc-1"
    assert "casa.43" in table.cited
