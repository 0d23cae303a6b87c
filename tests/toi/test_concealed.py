"""Concealed squads (chapter «Squadre nascoste»)."""

from __future__ import annotations

import pytest

from tests.toi.table import Table

HIDDEN = {"de": {"de-1": "F5 4reg concealed"}, "terreno": {"F5": "woods"}}


@pytest.mark.rule("toi:nascoste.immunita")
def test_a_concealed_squad_is_no_target():
    table = Table(
        us={"us-1": "C5 4reg"},
        de={"de-1": "F5 4reg concealed", "de-2": "F6 4reg"},
        terreno={"F5": "woods"},
    )
    table.play("u:us-1", "b:concentrato")
    assert "nascoste.immunita" in table.why_not("u:de-1")


@pytest.mark.rule("toi:nascoste.attraversamento", "toi:nascoste.no-blitz", "toi:movimento.nemici")
def test_enemies_pass_through_but_do_not_stop():
    table = Table(us={"us-m4-1": "E5 m4"}, **HIDDEN)
    table.play("u:us-m4-1", "b:avanzata", "h:F5")
    assert table.state.active.mp == 21 - 9
    assert "nascoste.attraversamento" in table.why_not("b:fine")
    table.play("h:G5", "b:fine")
    assert table.unit("de-1").condition == "normal"
    assert {"nascoste.attraversamento", "nascoste.no-blitz"} <= table.cited


@pytest.mark.rule("toi:nascoste.rivela-attacco")
def test_firing_reveals():
    table = Table(dice=[1], us={"us-1": "C5 4reg"}, turno="de", **HIDDEN)
    table.play("u:de-1", "b:concentrato", "u:us-1", "b:normale")
    assert not table.unit("de-1").concealed
    assert "nascoste.rivela-attacco" in table.cited


@pytest.mark.rule("toi:errata.mimetizzazione")
def test_camouflage_hides_weak_fire():
    for faces, hidden in (((5, 1, 1, 1), True), ((5, 5, 1, 1), False)):
        table = Table(
            dice=[faces], us={"us-1": "C5 4reg"}, turno="de", operazioni={"de": ["op-02"]}, **HIDDEN
        )
        table.play("u:de-1", "b:concentrato", "u:us-1", "b:normale")
        assert table.unit("de-1").concealed is hidden
        assert "errata.mimetizzazione" in table.cited


@pytest.mark.rule("toi:nascoste.rivela-visuale", "toi:casa.35")
def test_a_squad_seen_without_natural_cover_is_revealed():
    for place, works, seen in (
        ({"F5": "open"}, {}, True),
        ({"F5": "rough"}, {}, False),
        ({"F5": "open"}, {"smoke": ["F5"]}, False),
        ({"F5": "open"}, {"trench": ["F5"]}, True),
    ):
        table = Table(
            us={"us-1": "B5 4reg"},
            de={"de-1": "F5 4reg concealed"},
            terreno={**place, "D5": "woods", "C5": "open"},
            segnalini=works,
        )
        assert table.unit("de-1").concealed
        table.play("u:us-1", "b:avanzata", "h:B4", "h:C4")
        assert table.unit("de-1").concealed is not seen


@pytest.mark.rule("toi:nascoste.rivela-visuale")
def test_a_concealed_mover_in_the_open_is_revealed_before_op_fire():
    table = Table(us={"us-1": "C5 4reg op"}, turno="de", **HIDDEN)
    table.play("u:de-1", "b:avanzata", "h:E5")
    assert not table.unit("de-1").concealed
    assert table.asked.side == "us"


@pytest.mark.rule("toi:nascoste.immunita", "toi:fuoco-op.innesco")
def test_a_concealed_mover_in_cover_draws_no_fire():
    table = Table(
        us={"us-1": "C5 4reg op"},
        de={"de-1": "F5 4reg concealed"},
        turno="de",
        terreno={"F5": "woods", "F6": "rough"},
    )
    table.play("u:de-1", "b:avanzata", "h:F6")
    assert table.unit("de-1").concealed
    assert table.asked.side == "de"


@pytest.mark.rule("toi:nascoste.rivela-obiettivo")
def test_entering_an_objective_reveals():
    table = Table(
        us={"us-1": "P1 4reg"},
        de={"de-1": "F5 4reg concealed"},
        turno="de",
        terreno={"F5": "woods", "F6": "woods"},
        obiettivi={"F6": "neutral 1"},
    )
    table.play("u:de-1", "b:avanzata", "h:F6")
    assert not table.unit("de-1").concealed
    assert "nascoste.rivela-obiettivo" in table.cited


@pytest.mark.rule("toi:nascoste.rivela-adiacente", "toi:casa.16")
def test_at_the_end_of_the_round_adjacent_squads_reveal_but_vehicles_do_not():
    for words, hidden in (("E5 4reg", False), ("E5 m4", True), ("D5 4reg", True)):
        table = Table(
            idle=False,
            us={"us-1": words},
            de={"de-1": "F5 4reg concealed"},
            terreno={"F5": "woods"},
            fase="status",
            passo="arrivals",
        )
        assert table.state.round == 2
        assert table.unit("de-1").concealed is hidden


@pytest.mark.rule("toi:nascoste.no-veicoli")
def test_a_vehicle_cannot_be_concealed():
    table = Table(
        us={"us-1": "C5 4reg", "us-2": "C5 4reg", "us-m4-1": "C5 m4"},
        terreno={"C5": "woods"},
        comando={"us": 9},
        mano={"us": ["ter1-01"]},
    )
    table.play("c:ter1-01")
    assert "nascoste.no-veicoli" in table.why_not("u:us-m4-1")
