"""Specialists, operation cards, works (chapters «Squadre specializzate», «Fortificazioni»)."""

from __future__ import annotations

import pytest

from tests.toi.table import Table


def act(*chance, us="C5 4reg engineer", ops=(), **more):
    return Table(
        dice=chance,
        **{"us": {"us-1": us}, "de": {"de-1": "P1 4reg"}, "operazioni": {"us": list(ops)}, **more},
    ).play("u:us-1")


@pytest.mark.rule("toi:specializzazioni.ingegnere.trincea", "toi:azione.speciale")
def test_engineers_dig_and_may_enter_at_once():
    table = act().play("b:scava", "b:entra")
    assert table.unit("us-1").fort == "trincea-1"
    assert table.unit("us-1").activation == "fatigued"
    assert {"specializzazioni.ingegnere.trincea", "azione.speciale"} <= table.cited


@pytest.mark.rule(
    "toi:specializzazioni.ingegnere.limiti", "toi:fortificazioni.massimo", "toi:casa.39"
)
def test_where_no_trench_can_be_dug():
    for terrain in ("building", "ford", "bridge"):
        table = act(terreno={"C5": terrain})
        assert "specializzazioni.ingegnere.limiti" in table.why_not("b:scava")
    assert "casa.39" in act(terreno={"C5": "bridge"}).why_not("b:scava")
    full = act(segnalini={"trench": ["C5", "C5"], "bunker": ["C5"]})
    assert "fortificazioni.massimo" in full.why_not("b:scava")
    used = {"trench": [f"{c}1" for c in "ABCDEFGHIJKL"]}
    assert "limiti.componenti" in act(segnalini=used).why_not("b:scava")


@pytest.mark.rule("toi:specializzazioni.normale")
def test_only_engineers_dig():
    assert "b:scava" not in act(us="C5 4reg").options


@pytest.mark.rule("toi:specializzazioni.medico.cura", "toi:miniature.regolare")
def test_medics_restore_a_regular_with_four_or_more():
    table = act((4,), us="C5 2eli medic").play("b:cura")
    assert table.unit("us-1").figures == ("us_eli", "us_eli", "us_reg")
    assert table.unit("us-1").activation == "fatigued"
    assert len(act((3,), us="C5 2eli medic").play("b:cura").unit("us-1").figures) == 2


@pytest.mark.rule("toi:specializzazioni.medico.cura", "toi:definizioni.forza")
def test_medics_need_a_reduced_squad_in_their_hex():
    assert "definizioni.forza" in act(us="C5 4reg medic").why_not("b:cura")
    table = Table(
        dice=[(4,)],
        us={"us-1": "C5 4reg medic", "us-2": "C5 1reg", "us-3": "C5 1uff"},
        de={"de-1": "P1 4reg"},
    )
    table.play("u:us-1", "b:cura", "u:us-3")
    assert table.unit("us-3").figures == ("us_reg", "us_uff")


@pytest.mark.rule("toi:specializzazioni.scenario", "toi:fumo.piazzamento")
def test_engineers_make_smoke_with_the_operation_card():
    assert "b:fumo" not in act().options
    table = act(ops=["op-04"], terreno={"D5": "building"}).play("b:fumo")
    assert "fumo.piazzamento" in table.why_not("h:D5")
    assert "C5" in table.play("h:C5").state.smoke
    assert "specializzazioni.scenario" in table.cited


@pytest.mark.rule("toi:specializzazioni.scenario")
def test_engineers_clear_mines_and_lay_wire_with_operation_cards():
    table = act(ops=["op-05"], segnalini={"minefield": ["D5"]}).play("b:bonifica")
    assert table.state.obstacles == {}
    laid = act(ops=["op-06"]).play("b:reticolati")
    assert laid.state.obstacles == {"C5": ("razor wire",)}
    twice = act(ops=["op-06"], segnalini={"razor wire": ["C5"]})
    assert "ostacoli.filo-massimo" in twice.why_not("b:reticolati")


@pytest.mark.rule("toi:operazioni.comuni", "toi:visuale.necessaria")
def test_fog_binds_both_sides():
    for turn in ("us", "de"):
        table = Table(
            us={"us-1": "C5 4reg"}, de={"de-1": "J5 4reg"}, turno=turn, operazioni={"us": ["op-07"]}
        )
        name = f"{turn}-1"
        assert "combattimento.requisiti" in table.play(f"u:{name}").why_not("b:concentrato")


@pytest.mark.rule("toi:operazioni.generale")
def test_a_tank_ace_rolls_one_die_again_and_the_die_names_the_operation():
    table = Table(
        dice=[1, (6,)],
        us={"us-m4-1": "C5 m4"},
        de={"de-1": "E5 4reg"},
        operazioni={"us": ["op-08"]},
        asso={"us": "us-m4-1"},
    )
    table.play("u:us-m4-1", "b:concentrato", "u:de-1", "b:normale", "b:rilancia")
    assert len(table.unit("de-1").figures) == 3
    assert table.fact("operazioni.generale", "card") == "op-08"


@pytest.mark.rule("toi:miniature.ufficiale.determinazione", "toi:operazioni.generale")
def test_inspiring_leaders_give_two():
    table = Table(
        dice=[1], us={"us-1": "C5 4reg"}, de={"de-1": "F5 3reg 1uff"}, operazioni={"de": ["op-09"]}
    )
    table.play("u:us-1", "b:concentrato", "u:de-1", "b:soppressivo")
    assert table.rolled == ["4black+2red"]


@pytest.mark.rule("toi:ostacoli.filo-meta", "toi:ostacoli.mine-meta", "toi:fumo.blocca")
def test_fire_from_wire_mines_or_smoke_is_halved():
    for kind, words, dice in (
        ("razor wire", "C5 4reg", 2),
        ("minefield", "C5 4reg", 2),
        ("smoke", "C5 4reg", 2),
        ("razor wire", "C5 m4", 7),
        ("minefield", "C5 m4", 4),
        ("smoke", "C5 m4", 4),
    ):
        table = Table(
            dice=[1], us={"us-1": words}, de={"de-1": "E5 4reg"}, segnalini={kind: ["C5"]}
        )
        table.play("u:us-1", "b:concentrato", "u:de-1", "b:normale")
        assert table.tally("Firepower") == [dice]


@pytest.mark.rule("toi:ostacoli.frisia-copertura")
def test_tank_traps_cover_squads_and_not_vehicles():
    traps = {"tank trap": ["D5"]}
    squad = Table(dice=[1], us={"us-1": "C5 4reg"}, de={"de-1": "D5 4reg"}, segnalini=traps)
    squad.play("u:us-1", "b:concentrato", "u:de-1", "b:normale")
    assert squad.rolled == ["4black+1red"]
    truck = Table(dice=[1], us={"us-1": "C5 4reg"}, de={"de-1": "D5 opel"}, segnalini=traps)
    truck.play("u:us-1", "b:concentrato", "u:de-1")
    assert truck.rolled == ["4black"]


@pytest.mark.rule("toi:fumo.piazzamento", "toi:limiti.componenti")
def test_six_smoke_markers_and_no_more():
    six = {"smoke": ["A1", "B1", "D1", "E1", "F1", "G1"]}
    assert "limiti.componenti" in act(ops=["op-04"], segnalini=six).why_not("b:fumo")
