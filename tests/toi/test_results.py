"""Losses, damage and conditions (chapter «Danni e condizioni»)."""

from __future__ import annotations

import pytest

from tests.toi.table import Table
from tests.toi.test_fire import shoot


@pytest.mark.rule("toi:danni.squadra")
def test_the_owner_chooses_which_figures_are_lost():
    table = shoot((5, 5, 1, 1), de="F5 2reg 1uff")
    assert table.asked.side == "de"
    table.play("b:de_reg", "b:de_reg")
    assert table.unit("de-1").figures == ("de_uff",)
    assert "danni.squadra" in table.cited


@pytest.mark.rule("toi:danni.squadra")
def test_the_last_figure_takes_the_base_with_it():
    assert shoot((6, 6, 6, 6), de="F5 2reg").is_gone("de-1")


@pytest.mark.rule("toi:danni.due-personaggi")
def test_a_crew_takes_exactly_one_hit():
    table = shoot((5, 1, 1, 1), de="F5 2mg")
    assert table.unit("de-1").figures == ("de_mg",)
    assert "danni.due-personaggi" in table.cited


@pytest.mark.rule("toi:danni.stato-irrilevante")
def test_a_pinned_squad_loses_figures_like_any_other():
    table = shoot((5, 5, 1, 1), de="F5 4reg pinned")
    assert len(table.unit("de-1").figures) == 2
    assert table.unit("de-1").condition == "pinned"
    assert "danni.stato-irrilevante" in table.cited


@pytest.mark.parametrize(
    ("faces", "start", "end"),
    [
        ((4, 4, 1, 1), "", "light"),
        ((4, 4, 4, 1), "", "heavy"),
        ((4, 4, 4, 4), "", "gone"),
        ((4, 4, 1, 1), "light", "heavy"),
        ((4, 4, 4, 1), "light", "gone"),
        ((4, 1, 1, 1), "heavy", "gone"),
        ((1, 1, 1, 1), "heavy", "heavy"),
    ],
)
@pytest.mark.rule("toi:danni.veicolo-integro", "toi:danni.veicolo-lieve", "toi:danni.veicolo-grave")
def test_the_damage_of_a_vehicle(faces, start, end):
    red = 1 if not start else 0
    table = shoot((*faces, *(1,) * red), de=f"D5 251 {start}", answers=())
    if end == "gone":
        assert table.is_gone("de-1")
    else:
        assert table.unit("de-1").damage == end


@pytest.mark.rule("toi:miniature.camion.fragile")
def test_heavy_damage_destroys_a_truck():
    table = shoot((4, 4, 4, 1), de="D5 opel", answers=())
    assert table.is_gone("de-1")
    assert "miniature.camion.fragile" in table.cited
    assert shoot((4, 4, 1, 1), de="D5 opel", answers=()).unit("de-1").damage == "light"
    assert shoot((4, 1, 1, 1), de="D5 opel light", answers=()).is_gone("de-1")


@pytest.mark.rule("toi:trasporto.distruzione")
def test_passengers_are_lost_with_their_vehicle_and_not_damaged_with_it():
    position = {
        "us": {"us-1": "C5 4reg"},
        "de": {"de-opel-1": "D5 opel", "de-1": "su:de-opel-1 4reg"},
    }
    table = Table(dice=[(4, 4, 4, 1)], **position).play("u:us-1", "b:concentrato", "u:de-opel-1")
    assert table.is_gone("de-1")
    assert "trasporto.distruzione" in table.cited
    light = Table(dice=[(4, 1, 1, 1)], **position).play("u:us-1", "b:concentrato", "u:de-opel-1")
    assert len(light.unit("de-1").figures) == 4


@pytest.mark.parametrize(
    ("faces", "start", "end"),
    [
        ((5, 5, 1, 1), "", "pinned"),
        ((5, 5, 5, 1), "", "disrupted"),
        ((5, 5, 5, 5), "", "gone"),
        ((5, 5, 1, 1), "pinned", "disrupted"),
        ((5, 5, 5, 1), "pinned", "gone"),
        ((5, 1, 1, 1), "disrupted", "gone"),
    ],
)
@pytest.mark.rule(
    "toi:condizioni.da-normale", "toi:condizioni.da-bloccata", "toi:condizioni.da-disgregata"
)
def test_suppression_worsens_the_condition(faces, start, end):
    table = shoot(faces, de=f"F5 4reg {start}", answers=("b:soppressivo",))
    if end == "gone":
        assert table.is_gone("de-1")
    else:
        assert table.unit("de-1").condition == end
        assert len(table.unit("de-1").figures) == 4


@pytest.mark.rule("toi:condizioni.op")
def test_a_squad_in_op_fire_that_is_pinned_is_fatigued():
    table = shoot((5, 1, 1, 1), de="F5 4reg op", answers=("b:soppressivo",))
    assert table.unit("de-1").activation == "fatigued"


@pytest.mark.rule("toi:casa.47")
def test_a_ready_squad_that_is_pinned_stays_ready():
    table = shoot((5, 1, 1, 1), answers=("b:soppressivo",))
    assert table.unit("de-1").activation == "ready"
    assert "casa.47" in table.cited


@pytest.mark.rule("toi:condizioni.bloccata", "toi:miniature.ufficiale.recupero")
def test_a_pinned_squad_fires_at_half_only_with_an_officer():
    alone = Table(us={"us-1": "C5 4reg pinned"}, de={"de-1": "E5 4reg"}).play("u:us-1")
    assert "condizioni.bloccata" in alone.why_not("b:concentrato")
    led = Table(dice=[(1, 1)], us={"us-1": "C5 3reg 1uff pinned"}, de={"de-1": "E5 4reg"})
    led.play("u:us-1", "b:concentrato", "u:de-1", "b:normale")
    assert led.rolled == ["2black"]
    assert {"miniature.ufficiale.recupero", "casa.32"} <= led.cited


@pytest.mark.rule("toi:condizioni.disgregata")
def test_a_disrupted_squad_does_nothing_even_with_an_officer():
    table = Table(us={"us-1": "C5 3reg 1uff disrupted"}, de={"de-1": "E5 4reg"}).play("u:us-1")
    assert "condizioni.disgregata" in table.why_not("b:concentrato")
    assert "movimento.immobilizzate" in table.why_not("b:avanzata")
    assert "b:affatica" in table.options


@pytest.mark.rule("toi:operazioni.difesa-disperata")
def test_desperate_defence_lets_shaken_squads_fire_at_half():
    for words in ("4reg disrupted", "4reg pinned", "3reg 1uff pinned"):
        table = Table(
            dice=[(1, 1)],
            us={"us-1": "E5 4reg"},
            de={"de-1": f"C5 {words}"},
            turno="de",
            operazioni={"de": ["op-01"]},
        )
        table.play("u:de-1", "b:concentrato", "u:us-1", "b:normale")
        assert table.rolled == ["2black"]
        assert "operazioni.difesa-disperata" in table.cited


@pytest.mark.rule("toi:condizioni.no-speciali", "toi:specializzazioni.condizione")
def test_shaken_specialists_take_no_special_action():
    table = Table(us={"us-1": "C5 4reg engineer pinned"}, de={"de-1": "M5 4reg"}).play("u:us-1")
    assert "condizioni.no-speciali" in table.why_not("b:scava")
