"""Movement, hex by hex (chapters «Movimento», «Sincronizzazione», «Terreni»)."""

from __future__ import annotations

import pytest

from tests.toi.table import Table


def move(*answers, us="C5 4reg", de=None, dice=(), **more):
    table = Table(dice=dice, us={"us-1": us}, de=de or {}, **more)
    return table.play("u:us-1", "b:avanzata", *answers)


def left(table):
    """Movement points left, in thirds."""
    return table.state.active.mp


@pytest.mark.rule("toi:movimento.punti", "toi:movimento.non-cumulativo", "toi:azione.avanzata")
def test_a_squad_of_four_has_four_points():
    table = move()
    assert left(table) == 12
    assert {"movimento.non-cumulativo", "azione.avanzata"} <= table.cited


@pytest.mark.rule("toi:miniature.ufficiale.mobilita")
def test_an_officer_gives_one_point_and_two_do_not_give_two():
    assert left(move(us="C5 3reg 1uff")) == 15
    assert left(move(us="C5 2reg 2uff")) == 15


@pytest.mark.rule("toi:errata.tempo-doppio")
def test_double_time_helps_squads_on_advance_only():
    ops = {"us": ["op-03"]}
    assert left(move(operazioni=ops)) == 18
    assert left(move(us="C5 m4", operazioni=ops)) == 21
    table = Table(us={"us-1": "C5 4reg"}, operazioni=ops).play("u:us-1", "b:fuoco-e-movimento")
    assert left(table) == 9


@pytest.mark.rule("toi:danni.lieve", "toi:movimento.punti")
def test_light_damage_costs_a_point():
    assert left(move(us="C5 m4 light")) == 18


@pytest.mark.parametrize(
    ("terrain", "squad", "vehicle"),
    [
        ("open", 3, 3),
        ("rough", 6, 3),
        ("woods", 6, 9),
        ("ford", 6, 12),
        ("flooded river", 9, None),
        ("deep river", None, None),
        ("lake", None, None),
        ("bridge", 3, 3),
        ("building", 6, None),
    ],
)
@pytest.mark.rule(
    "toi:movimento.costo",
    "toi:terreno.libero",
    "toi:terreno.accidentato",
    "toi:terreno.bosco",
    "toi:terreno.fiume",
    "toi:terreno.lago",
    "toi:terreno.ponte",
    "toi:terreno.edificio",
)
def test_what_each_terrain_costs(terrain, squad, vehicle):
    for words, start, cost in (("C5 4reg", 12, squad), ("C5 m4", 21, vehicle)):
        table = move(us=words, terreno={"D5": terrain})
        if cost is None:
            assert "h:D5" not in table.options
            assert any(ref.startswith("terreno.") for ref in table.why_not("h:D5"))
        else:
            table.play("h:D5")
            assert left(table) == start - cost


@pytest.mark.rule("toi:terreno.montagna", "toi:casa.22")
def test_uphill_costs_two_or_the_terrain_if_dearer():
    assert left(move("h:D5", terreno={"D5": "open 1"})) == 6
    assert left(move("h:D5", terreno={"D5": "woods 1"})) == 6
    assert left(move("h:D5", us="C5 m4", terreno={"D5": "woods 1"})) == 12
    assert "casa.22" in move("h:D5", terreno={"D5": "woods 1"}).cited


@pytest.mark.rule("toi:terreno.montagna")
def test_downhill_and_level_cost_one():
    hill = {"C5": "open 1", "D5": "open 1"}
    assert left(move("h:D5", "h:E5", terreno=hill)) == 6


@pytest.mark.rule("toi:terreno.strapiombo", "toi:casa.15")
def test_a_cliff_cannot_be_crossed():
    assert "terreno.strapiombo" in move(terreno={"D5": "open 2"}).why_not("h:D5")
    assert "terreno.strapiombo" in move(terreno={"C5": "open 2", "B5": "open 1"}).why_not("h:D5")
    assert "h:D5" in move(terreno={"C5": "open 1", "D5": "open 2"}).options


@pytest.mark.rule("toi:terreno.strada")
def test_a_road_costs_one_whatever_lies_under_it():
    wood = {"D5": "woods", "C5": "woods 1"}
    table = move("h:D5", us="C5 m4", terreno=wood, strade=[["C5", "D5"]])
    assert left(table) == 18
    assert "terreno.strada" in table.cited
    off = move("h:D5", us="C5 m4", terreno=wood, strade=[["D5", "E5"]])
    assert left(off) == 12


@pytest.mark.rule("toi:terreno.edificio", "toi:terreno.strada")
def test_a_road_does_not_help_into_a_building():
    assert left(move("h:D5", terreno={"D5": "building"}, strade=[["C5", "D5"]])) == 6


@pytest.mark.rule("toi:miniature.camion.strada", "toi:terreno.ponte")
def test_a_truck_pays_a_third_on_a_road():
    table = move("h:D5", us="C5 gmc", terreno={"D5": "bridge"}, strade=[["C5", "D5", "E5"]])
    assert left(table) == 11
    assert "miniature.camion.strada" in table.cited
    assert left(move("h:D5", us="C5 m3", strade=[["C5", "D5"]])) == 18


@pytest.mark.rule("toi:movimento.costo")
def test_a_hex_that_cannot_be_paid_in_full_is_not_entered():
    table = move("h:D5", "h:E5", "h:F5", terreno={"G5": "woods"})
    assert "movimento.costo" in table.why_not("h:G5")
    assert "h:F4" in table.options


@pytest.mark.rule("toi:movimento.mezzi-esagoni")
def test_there_is_nothing_beyond_the_edge():
    assert {o for o in move(us="A1 4reg").options if o[0] == "h"} == {"h:B1", "h:A2"}


@pytest.mark.rule("toi:movimento.nemici")
def test_enemy_hexes_are_closed():
    assert "movimento.nemici" in move(de={"de-1": "D5 4reg"}).why_not("h:D5")


@pytest.mark.rule("toi:movimento.immobilizzate")
def test_who_cannot_move():
    table = Table(us={"us-1": "C5 4reg pinned", "us-m4-1": "D5 m4 heavy"}).play("u:us-1")
    assert "movimento.immobilizzate" in table.why_not("b:avanzata")
    table = Table(us={"us-m4-1": "D5 m4 heavy"}).play("u:us-m4-1")
    assert "danni.grave" in table.why_not("b:avanzata")
    assert "danni.grave" in table.why_not("b:fuoco-e-movimento")


@pytest.mark.rule("toi:azione.affaticamento", "toi:azione.unita-attiva")
def test_the_unit_is_fatigued_when_it_has_moved():
    table = move("h:D5", "b:fine")
    assert table.unit("us-1").activation == "fatigued"
    assert table.unit("us-1").hex == "D5"
    assert table.state.active is None


# --- stacking ---------------------------------------------------------------------------------

THREE = {"us-2": "D5 4reg", "us-3": "D5 4reg", "us-4": "D5 4reg"}


@pytest.mark.rule("toi:accentramento.limite", "toi:accentramento.attraversare")
def test_a_full_hex_may_be_passed_but_not_stopped_in():
    table = Table(us={"us-1": "C5 4reg", **THREE}).play("u:us-1", "b:avanzata", "h:D5")
    assert "accentramento.attraversare" in table.why_not("b:fine")
    table.play("h:E5", "b:fine")
    assert table.unit("us-1").hex == "E5"


@pytest.mark.rule("toi:accentramento.attraversare")
def test_a_full_hex_is_not_entered_with_the_last_point():
    table = Table(us={"us-1": "B5 4reg", **THREE}, terreno={"C5": "woods"})
    table.play("u:us-1", "b:avanzata", "h:C5")
    table = Table(us={"us-1": "A5 4reg", **THREE}).play(
        "u:us-1", "b:avanzata", "h:B5", "h:C5", "h:C4"
    )
    assert "accentramento.attraversare" in table.why_not("h:D5")


@pytest.mark.rule("toi:accentramento.limite")
def test_no_third_vehicle_in_a_hex():
    table = Table(us={"us-1": "C5 m4", "us-2": "D5 m4", "us-3": "D5 m3"})
    table.play("u:us-1", "b:avanzata", "h:D5")
    assert "accentramento.limite" in table.why_not("b:fine")


@pytest.mark.rule("toi:accentramento.arresto", "toi:casa.07", "toi:movimento.op-arresto")
def test_a_unit_stopped_in_a_full_hex_goes_back():
    table = Table(
        dice=[(5, 1, 1, 1)],
        us={"us-1": "C5 4reg", **THREE},
        de={"de-1": "G5 4reg op"},
        segnalini={"smoke": ["A1"]},
    )
    table.play("u:us-1", "b:avanzata", "h:D5", "u:de-1", "b:soppressivo")
    assert table.unit("us-1").hex == "C5"
    assert table.unit("us-1").condition == "pinned"
    assert {"accentramento.arresto", "casa.07"} <= table.cited


# --- fire and movement ------------------------------------------------------------------------


@pytest.mark.rule("toi:azione.fm", "toi:azione.fm-movimento", "toi:azione.fm-meta")
def test_move_then_attack_at_half_and_no_more_movement():
    table = Table(dice=[1], us={"us-1": "C5 4reg"}, de={"de-1": "G5 4reg"})
    table.play("u:us-1", "b:fuoco-e-movimento", "h:D5")
    assert left(table) == 6
    table.play("b:attacca", "u:de-1", "b:normale")
    assert table.rolled == ["2black"]
    assert table.unit("us-1").activation == "fatigued"
    assert {"azione.fm", "azione.fm-meta", "azione.fm-no-supporto"} <= table.cited


@pytest.mark.rule("toi:azione.fm", "toi:combattimento.miste")
def test_attack_then_move_but_no_second_attack():
    table = Table(dice=[1], us={"us-1": "D5 4reg"}, de={"de-1": "G5 4reg"})
    table.play("u:us-1", "b:fuoco-e-movimento", "b:attacca", "u:de-1", "b:normale")
    assert "azione.fm" in table.why_not("b:attacca")
    table.play("h:D6", "h:D7", "b:fine")
    assert table.unit("us-1").hex == "D7"


@pytest.mark.rule("toi:azione.fm-movimento")
def test_vehicles_lose_two_points():
    table = Table(us={"us-1": "C5 m4"}).play("u:us-1", "b:fuoco-e-movimento")
    assert left(table) == 15


@pytest.mark.rule("toi:azione.fm-no-lungo")
def test_no_long_range_on_the_move():
    table = Table(us={"us-1": "C5 4reg"}, de={"de-1": "G5 4reg", "de-2": "H5 4reg"})
    table.play("u:us-1", "b:fuoco-e-movimento", "b:attacca")
    assert "azione.fm-no-lungo" in table.why_not("u:de-2")
    assert "u:de-1" in table.options


@pytest.mark.rule("toi:azione.fm-no-supporto", "toi:fuoco-combinato.no-fm")
def test_nobody_supports_an_attack_on_the_move():
    table = Table(dice=[1], us={"us-1": "D5 4reg", "us-2": "D5 4reg"}, de={"de-1": "G5 4reg"})
    table.play("u:us-1", "b:fuoco-e-movimento", "b:attacca", "u:de-1")
    assert table.options == {"b:normale", "b:soppressivo"}
    table.play("b:normale")
    assert "fuoco-combinato.no-fm" in table.cited


@pytest.mark.rule("toi:azione.fm-armi-pesanti", "toi:miniature.mitragliatrice.azioni")
def test_heavy_weapons_take_no_fire_and_movement():
    for words in ("2reg 1mg", "2mor"):
        table = Table(us={"us-1": f"D5 {words}"}, de={"de-1": "G5 4reg"}).play("u:us-1")
        assert "azione.fm-armi-pesanti" in table.why_not("b:fuoco-e-movimento")
        assert "assalto.chi" in table.why_not("b:assalto")
        assert "b:avanzata" in table.options


@pytest.mark.rule("toi:azione.fm-facoltativo")
def test_the_attack_may_be_skipped():
    table = Table(us={"us-1": "D5 4reg"}, de={"de-1": "G5 4reg"})
    table.play("u:us-1", "b:fuoco-e-movimento", "h:C5", "b:fine")
    assert table.unit("us-1").activation == "fatigued"
    assert "azione.fm-facoltativo" in table.cited


@pytest.mark.rule("toi:casa.44", "toi:modificatori.dimezza-una-volta", "toi:ostacoli.filo-meta")
def test_no_attack_on_the_move_from_wire():
    table = Table(us={"us-1": "D5 4reg"}, de={"de-1": "G5 4reg"}, segnalini={"razor wire": ["D5"]})
    table.play("u:us-1", "b:fuoco-e-movimento")
    assert "b:attacca" not in table.options
    table.play("h:C5")
    assert "b:attacca" in table.options


# --- overrun ----------------------------------------------------------------------------------


@pytest.mark.rule("toi:miniature.carro.blitz", "toi:accentramento.blitz", "toi:casa.21")
def test_a_tank_runs_over_squads_and_pins_them():
    table = Table(
        us={"us-m4-1": "C5 m4"},
        de={"de-1": "D5 4reg", "de-2": "D5 4reg in:trincea-1", "de-3": "D5 4reg disrupted"},
        segnalini={"trench": ["D5"]},
    )
    table.play("u:us-m4-1", "b:avanzata", "h:D5")
    assert left(table) == 21 - 3 - 9
    assert "miniature.carro.blitz" in table.why_not("b:fine")
    assert table.unit("de-1").condition == "normal"
    table.play("h:E5")
    assert [table.unit(f"de-{n}").condition for n in (1, 2, 3)] == ["pinned", "normal", "disrupted"]
    assert {"miniature.carro.blitz", "accentramento.blitz", "casa.21"} <= table.cited


@pytest.mark.rule("toi:miniature.carro.blitz")
def test_other_vehicles_do_not_overrun():
    table = Table(us={"us-m3-1": "C5 m3"}, de={"de-1": "D5 4reg"})
    table.play("u:us-m3-1", "b:avanzata")
    assert "movimento.nemici" in table.why_not("h:D5")


@pytest.mark.rule("toi:miniature.carro.blitz", "toi:casa.21")
def test_a_tank_needs_the_points_to_leave():
    table = Table(us={"us-m4-1": "C5 m4"}, de={"de-1": "H5 4reg", "de-2": "H5 4reg"})
    table.play("u:us-m4-1", "b:avanzata", "h:D5", "h:E5", "h:F5", "h:G5")
    assert "miniature.carro.blitz" in table.why_not("h:H5")


@pytest.mark.rule("toi:miniature.carro.blitz-op", "toi:casa.45", "toi:danni.op")
def test_a_tank_stopped_inside_goes_back_and_pins_nobody():
    table = Table(
        dice=[6],
        us={"us-m4-1": "C5 m4"},
        de={"de-1": "D5 4reg anti-tank op", "de-2": "D5 4reg"},
    )
    table.play("u:us-m4-1", "b:avanzata", "h:D5", "u:de-1")
    # seven sixes and four red sixes: three hits
    assert table.unit("us-m4-1").hex == "C5"
    assert table.unit("us-m4-1").damage == "heavy"
    assert table.unit("us-m4-1").activation == "fatigued"
    assert table.unit("de-2").condition == "normal"
    assert {"miniature.carro.blitz-op", "casa.45", "danni.op"} <= table.cited


# --- fortifications and obstacles -------------------------------------------------------------


@pytest.mark.rule("toi:fortificazioni.trincea", "toi:movimento.altri-usi")
def test_entering_and_leaving_a_trench_costs_one_each():
    table = move("b:entra-trincea-1", segnalini={"trench": ["C5"]})
    assert left(table) == 9
    assert table.unit("us-1").fort == "trincea-1"
    assert "fortificazioni.trincea" in table.why_not("h:D5")
    table.play("b:esci", "h:D5")
    assert left(table) == 3


@pytest.mark.rule("toi:fortificazioni.trincea")
def test_a_trench_holds_one_squad_and_no_vehicle():
    table = Table(
        us={"us-1": "C5 4reg", "us-2": "C5 4reg in:trincea-1", "us-m4-1": "C5 m4"},
        segnalini={"trench": ["C5"]},
    )
    table.play("u:us-1", "b:avanzata")
    assert "fortificazioni.trincea" in table.why_not("b:entra-trincea-1")
    table = Table(us={"us-m4-1": "C5 m4"}, segnalini={"trench": ["C5"]})
    table.play("u:us-m4-1", "b:avanzata")
    assert "b:entra-trincea-1" not in table.options


@pytest.mark.rule("toi:fortificazioni.trincea-uscita", "toi:fuoco-op.no-innesco")
def test_leaving_a_trench_draws_fire_and_entering_does_not():
    table = Table(us={"us-1": "C5 4reg"}, de={"de-1": "F5 4reg op"}, segnalini={"trench": ["C5"]})
    table.play("u:us-1", "b:avanzata", "b:entra-trincea-1")
    assert table.asked.side == "us"
    table.play("b:esci")
    assert table.asked.side == "de"
    assert "u:de-1" in table.options
    assert "fortificazioni.trincea-uscita" in table.cited


@pytest.mark.rule("toi:fortificazioni.bunker", "toi:fortificazioni.bunker-uscita")
def test_a_bunker_works_the_same_way():
    table = move("b:entra-bunker-1", segnalini={"bunker": ["C5"]}, de={"de-1": "F5 4reg op"})
    assert left(table) == 9
    table.play("b:esci")
    assert table.asked.side == "de"
    assert {"fortificazioni.bunker", "fortificazioni.bunker-uscita"} <= table.cited


@pytest.mark.rule("toi:ostacoli.filo-arresto")
def test_wire_stops_squads_and_light_vehicles_but_not_tanks_and_engineers():
    wire = {"razor wire": ["D5"]}
    for words in ("C5 4reg", "C5 gmc"):
        table = move("h:D5", us=words, segnalini=wire)
        assert table.unit("us-1").activation == "fatigued"
        assert "ostacoli.filo-arresto" in table.cited
    for words in ("C5 4reg engineer", "C5 m4"):
        assert "h:E5" in move("h:D5", us=words, segnalini=wire).options
    assert "h:E5" in move(us="D5 4reg", segnalini=wire).options


@pytest.mark.rule("toi:ostacoli.filo-rimuovere")
def test_tanks_and_engineers_remove_wire_for_two_points():
    wire = {"razor wire": ["C5"]}
    for words in ("C5 4reg engineer", "C5 m4"):
        table = move("b:taglia", us=words, segnalini=wire)
        assert not table.state.obstacles
    assert "ostacoli.filo-rimuovere" in move(segnalini=wire).why_not("b:taglia")


@pytest.mark.rule("toi:ostacoli.frisia")
def test_tank_traps_admit_vehicles_that_began_next_to_them_and_stop_them():
    traps = {"tank trap": ["E5"]}
    far = move("h:D5", us="C5 m4", segnalini=traps)
    assert "ostacoli.frisia" in far.why_not("h:E5")
    near = move("h:E5", us="D5 m4", segnalini=traps)
    assert near.unit("us-1").activation == "fatigued"
    assert near.unit("us-1").hex == "E5"
    assert "h:F5" in move("h:D5", "h:E5", segnalini=traps).options


@pytest.mark.rule("toi:ostacoli.mine")
def test_mines_stop_hit_and_fatigue():
    table = move("h:D5", dice=((4, 6, 3, 1),), segnalini={"minefield": ["D5"]})
    assert len(table.unit("us-1").figures) == 2
    assert table.unit("us-1").activation == "fatigued"
    assert table.rolled == ["4black"]
    tank = move("h:D5", us="C5 m4", dice=((4, 4, 4, 1),), segnalini={"minefield": ["D5"]})
    assert tank.unit("us-1").damage == "heavy"


@pytest.mark.rule("toi:ostacoli.mine-ingegneri")
def test_engineers_stop_in_mines_without_dice():
    table = move("h:D5", us="C5 4reg engineer", segnalini={"minefield": ["D5"]})
    assert table.rolled == []
    assert table.unit("us-1").activation == "fatigued"
    assert "ostacoli.mine-ingegneri" in table.cited


@pytest.mark.rule("toi:ostacoli.mine-uscita")
def test_out_of_mines_only_one_hex():
    table = move("h:D5", segnalini={"minefield": ["C5"]})
    assert table.unit("us-1").activation == "fatigued"
    assert table.unit("us-1").hex == "D5"


@pytest.mark.rule("toi:conflitti.sequenza")
def test_op_fire_comes_before_mines_and_the_mover_orders_obstacles():
    table = Table(
        dice=[(5, 1, 1, 1), (4, 1, 1, 1)],
        us={"us-1": "C5 4reg"},
        de={"de-1": "G5 4reg op"},
        segnalini={"minefield": ["D5"], "razor wire": ["D5"]},
    )
    table.play("u:us-1", "b:avanzata", "h:D5", "u:de-1", "b:soppressivo")
    assert table.unit("us-1").condition == "pinned"
    assert table.asked.side == "us"
    assert table.options == {"b:minefield", "b:razor-wire"}
    table.play("b:minefield")
    assert len(table.unit("us-1").figures) == 3
    assert table.unit("us-1").hex == "D5"


@pytest.mark.rule("toi:conflitti.fumo-sempre")
def test_smoke_in_the_hex_entered_covers_at_once():
    table = Table(
        dice=[1], us={"us-1": "C5 4reg"}, de={"de-1": "F5 4reg op"}, segnalini={"smoke": ["D5"]}
    )
    table.play("u:us-1", "b:avanzata", "h:D5", "u:de-1", "b:normale")
    assert table.rolled == ["4black+2red"]
    assert "conflitti.fumo-sempre" in table.cited


@pytest.mark.rule("toi:casa.03", "toi:movimento.non-cumulativo")
def test_a_mixed_squad_moves_at_the_lowest_value():
    table = move(us="C5 1reg 1eli 1mg")
    assert left(table) == 12
    assert "casa.03" in table.cited
