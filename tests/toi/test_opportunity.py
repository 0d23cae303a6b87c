"""Opportunity fire and combined fire (chapters «Fuoco di opportunità», «Fuoco combinato»)."""

from __future__ import annotations

import pytest

from tests.toi.table import Table


def approach(*dice, us="C5 4reg", de=None, to="D5", **more):
    """us-1 advances to a hex in sight of Germans in op fire."""
    table = Table(dice=dice, us={"us-1": us}, de=de or {"de-1": "F5 4reg op"}, **more)
    return table.play("u:us-1", "b:avanzata", f"h:{to}")


@pytest.mark.rule("toi:fuoco-op.innesco", "toi:movimento.op")
def test_entering_a_hex_in_sight_and_range_draws_fire():
    table = approach()
    assert table.asked.side == "de"
    assert {"u:de-1", "b:no"} <= table.options


@pytest.mark.rule("toi:fuoco-op.innesco")
def test_nobody_is_asked_out_of_range_or_out_of_sight():
    assert approach(de={"de-1": "P1 4reg op"}).asked.side == "us"
    assert approach(terreno={"E5": "woods"}).asked.side == "us"
    assert approach(de={"de-1": "F5 4reg"}).asked.side == "us"


@pytest.mark.rule("toi:movimento.op-arresto", "toi:fuoco-op.effetto", "toi:casa.30")
def test_a_pinned_mover_is_fatigued_and_stays():
    table = approach((5, 1, 1, 1)).play("u:de-1", "b:soppressivo")
    assert table.unit("us-1").hex == "D5"
    assert table.unit("us-1").activation == "fatigued"
    assert table.unit("de-1").activation == "fatigued"
    assert {
        "movimento.op-arresto",
        "fuoco-op.effetto",
        "fuoco-op.affatica",
    } <= table.cited


@pytest.mark.rule("toi:movimento.op-perdite")
def test_losses_do_not_stop_a_squad():
    table = approach((5, 1, 1, 1)).play("u:de-1", "b:normale")
    assert len(table.unit("us-1").figures) == 3
    assert "h:E5" in table.options
    assert "movimento.op-perdite" in table.cited


@pytest.mark.rule(
    "toi:movimento.op-pesanti", "toi:fuoco-op.pesanti", "toi:miniature.carro.resistenza"
)
def test_light_damage_does_not_stop_a_tank_but_costs_a_point():
    table = approach((4, 1, 1, 1, 1, 1, 1, 1), us="C5 m4", de={"de-1": "E5 4reg op"})
    table.play("u:de-1")
    assert table.unit("us-1").damage == "light"
    assert table.unit("us-1").activation == "ready"
    assert table.state.active.mp == 21 - 3 - 3
    assert "miniature.carro.resistenza" in table.cited


@pytest.mark.rule("toi:danni.op")
def test_light_damage_stops_a_half_track():
    table = approach((4, 1, 1, 1, 1), us="C5 m3", de={"de-1": "E5 4reg op"}).play("u:de-1")
    assert table.unit("us-1").damage == "light"
    assert table.unit("us-1").activation == "fatigued"


@pytest.mark.rule("toi:fuoco-op.uno-per-esagono", "toi:movimento.op-ripetuto")
def test_one_attack_for_each_hex_entered():
    table = approach(1, 1, de={"de-1": "F5 4reg op", "de-2": "F5 4reg op"})
    table.play("u:de-1", "b:fuoco", "b:normale")
    assert table.asked.side == "us"
    table.play("h:D6")
    assert table.asked.side == "de"
    assert "u:de-2" in table.options
    assert "u:de-1" not in table.options


@pytest.mark.rule("toi:miniature.mitragliatrice.op-rapido")
def test_machine_guns_alone_stay_in_op_fire():
    table = approach(1, de={"de-1": "F5 2reg 1mg op"})
    table.play("u:de-1", "b:mitragliatrici", "b:normale")
    assert table.unit("de-1").activation == "op fire"
    assert "miniature.mitragliatrice.op-rapido" in table.cited
    whole = approach(1, de={"de-1": "F5 2reg 1mg op"}).play("u:de-1", "b:tutti", "b:normale")
    assert whole.unit("de-1").activation == "fatigued"


@pytest.mark.rule("toi:fuoco-op.una-per-attivazione", "toi:miniature.mitragliatrice.bersagli")
def test_machine_guns_fire_once_at_the_same_active_unit():
    table = approach(1, 1, de={"de-1": "F5 2mg op", "de-2": "F6 4reg op"})
    table.play("u:de-1", "b:fuoco", "b:normale", "h:D6")
    assert "fuoco-op.una-per-attivazione" in table.why_not("u:de-1")
    table.play("b:no", "b:fine", "u:us-gmc-9", "b:affatica")
    assert table.unit("de-1").activation == "op fire"


@pytest.mark.rule("toi:miniature.mitragliatrice.op-rapido")
def test_the_same_machine_gun_may_fire_at_the_next_unit():
    table = Table(dice=[1, 1], us={"us-1": "C5 4reg", "us-2": "C5 4reg"}, de={"de-1": "F5 2mg op"})
    table.play("u:us-1", "b:avanzata", "h:D5", "u:de-1", "b:normale", "b:fine")
    table.play("u:us-2", "b:avanzata", "h:D5")
    assert "u:de-1" in table.options


@pytest.mark.rule("toi:miniature.mortaio.no-op")
def test_mortars_do_not_op_fire_but_their_mates_do():
    table = approach(1, de={"de-1": "F5 2reg 1mor op"}).play("u:de-1", "b:normale")
    assert table.rolled == ["2black"]


@pytest.mark.rule("toi:azione.prepara-op", "toi:casa.37", "toi:casa.38", "toi:condizioni.op")
def test_who_cannot_be_put_in_op_fire():
    for words, ref in (
        ("C5 gmc", "casa.37"),
        ("C5 2mor", "casa.38"),
        ("C5 4reg pinned", "condizioni.op"),
    ):
        table = Table(us={"us-1": words}, de={"de-1": "F5 4reg"}).play("u:us-1")
        assert ref in table.why_not("b:prepara-op")


@pytest.mark.rule("toi:danni.op-possibile", "toi:azione.prepara-op")
def test_a_damaged_vehicle_can_wait_in_op_fire():
    table = Table(us={"us-1": "C5 m4 heavy"}).play("u:us-1", "b:prepara-op")
    assert table.unit("us-1").activation == "op fire"
    assert {"azione.prepara-op", "danni.op-possibile"} <= table.cited


@pytest.mark.rule("toi:casa.28", "toi:azione.fine")
def test_op_fire_is_possible_after_the_own_phase_is_over():
    table = approach(finito=["de"])
    assert table.asked.side == "de"


# --- combined fire ----------------------------------------------------------------------------


def combine(*dice, **units):
    us = {name.replace("_", "-"): words for name, words in units.items() if name.startswith("us")}
    table = Table(dice=dice, us=us, de={"de-1": units.get("de_1", "F5 4reg")})
    return table.play("u:us-1", "b:concentrato", "u:de-1")


@pytest.mark.rule("toi:fuoco-combinato.quando", "toi:fuoco-combinato.meta", "toi:azione.supporta")
def test_each_supporter_adds_half_rounded_up():
    table = combine(1, us_1="C5 4reg", us_2="C6 3reg", us_3="C5 3reg")
    table.play("u:us-2", "u:us-3", "b:normale")
    assert table.fact("attacco.1-valore", "n") == 4 + 2 + 2
    assert {table.unit(f"us-{n}").activation for n in (1, 2, 3)} == {"fatigued"}
    assert table.state.left["us"] == 2
    assert {"fuoco-combinato.meta", "fuoco-combinato.affatica"} <= table.cited


@pytest.mark.rule("toi:fuoco-combinato.requisiti")
def test_only_ready_and_able_units_support():
    table = combine(
        us_1="C5 4reg",
        us_2="C5 4reg fatigued",
        us_3="C5 4reg op",
        us_4="C6 4reg pinned",
        us_5="P1 4reg",
        us_6="C6 4reg",
    )
    for name in ("us-2", "us-3", "us-4"):
        assert "fuoco-combinato.requisiti" in table.why_not(f"u:{name}")
    assert "raggio.fuori" in table.why_not("u:us-5")
    assert "u:us-6" in table.options


@pytest.mark.rule("toi:modificatori.dimezza-una-volta", "toi:fuoco-combinato.meta")
def test_a_unit_already_halved_does_not_support():
    table = combine(us_1="C5 4reg", us_2="C6 m4 heavy", us_3="C6 4reg")
    assert "modificatori.dimezza-una-volta" in table.why_not("u:us-2")


@pytest.mark.rule("toi:casa.06")
def test_vehicles_support_squads():
    table = combine(1, us_1="C5 4reg", us_2="C6 m4").play("u:us-2", "b:normale")
    assert table.fact("attacco.1-valore", "n") == 4 + 4


@pytest.mark.rule("toi:fuoco-combinato.raggio", "toi:casa.34")
def test_the_worst_range_counts_for_all():
    table = combine((4, 4, 4, 4, 4, 4), us_1="C5 4reg", us_2="A5 4reg", de_1="D5 4reg")
    table.play("u:us-2", "b:normale")
    assert len(table.unit("de-1").figures) == 4
    assert {"fuoco-combinato.raggio", "casa.34"} <= table.cited
    alone = combine((4, 1, 1, 1), us_1="C5 4reg", de_1="D5 4reg").play("b:normale")
    assert len(alone.unit("de-1").figures) == 3


@pytest.mark.rule("toi:faq.lanciafiamme-combinato")
def test_an_adjacent_flamethrower_keeps_its_ability_in_combined_fire():
    table = Table(
        dice=[1],
        us={"us-1": "A5 4reg", "us-2": "C5 4reg flamethrower"},
        de={"de-1": "D5 4reg"},
        terreno={"D5": "woods"},
    )
    table.play("u:us-1", "b:concentrato", "u:de-1", "u:us-2", "b:normale")
    assert table.rolled == ["7black"]
    assert "faq.lanciafiamme-combinato" in table.cited


@pytest.mark.rule("toi:fuoco-combinato.capofila", "toi:fuoco-combinato.affatica")
def test_op_fire_combines_units_in_op_fire_only():
    table = approach(1, de={"de-1": "F5 4reg op", "de-2": "F5 4reg op", "de-3": "F6 4reg"})
    table.play("u:de-1")
    assert "fuoco-combinato.requisiti" in table.why_not("u:de-3")
    table.play("u:de-2", "b:normale")
    assert table.rolled == ["6black"]
    assert table.unit("de-2").activation == "fatigued"
