"""Strategy cards, keywords and effects (chapter «Carte strategiche»)."""

from __future__ import annotations

import pytest

from engine.toi.rules.ground import ground
from engine.toi.state import tables
from tests.toi.table import Table


def hold(*chance, cards=(), command=9, area=(), **position):
    """The Americans have cards in their headquarters and command to pay them."""
    return Table(
        dice=chance,
        **{
            "us": {"us-1": "C5 4reg"},
            "de": {"de-1": "G5 4reg"},
            "mano": {"us": list(cards)},
            "area": {"us": list(area)},
            "comando": {"us": command},
            **position,
        },
    )


# --- the keywords -----------------------------------------------------------------------------


@pytest.mark.rule("toi:strategia.contatto", "toi:casa.33")
def test_without_contact_the_card_waits_for_another_round():
    table = hold((3,), cards=["art1-01"]).play("c:art1-01")
    army = table.state.armies["us"]
    assert [played.card for played in army.area] == ["art1-01"]
    assert army.command == 6
    assert "strategia.contatto" in table.why_not("c:art1-01")
    again = hold((4,), area=["art1-01"], command=0, round=2)
    again.play("c:art1-01")
    assert again.asked.ruling.refs[0] == "toi:strategia.esagono-obiettivo"
    assert again.state.armies["us"].command == 0
    assert "casa.33" in again.cited


@pytest.mark.rule("toi:strategia.numero-spostamento", "toi:casa.02b", "toi:casa.27")
def test_the_drift_number_depends_on_who_sees_the_target():
    wall = {f"D{n}": "woods" for n in range(1, 12)}
    for us, number in (
        ({"us-1": "A1 4reg fatigued"}, 6),
        ({"us-1": "C5 4reg op"}, 6),
        ({"us-1": "C5 4reg"}, 4),
        ({"us-1": "C5 3reg 1uff"}, 3),
        ({"us-1": "F5 4reg fatigued"}, 3),
        ({"us-m4-1": "G5 m4 heavy"}, 3),
    ):
        table = hold((4,), (6, 6), 1, cards=["art1-08"], us=us, de={"de-1": "P1 4reg"})
        table.play("c:art1-08", "h:G5")
        assert any(
            step.ruling.msg.facts.get("n") == number
            for step in table.game.steps
            if step.ruling.refs[0] == "toi:strategia.numero-spostamento"
        ), (us, number)
    blocked = hold((4,), (6, 6), 1, cards=["art1-08"], terreno=wall, de={"de-1": "P1 4reg"})
    blocked.play("c:art1-08", "h:G5")
    assert blocked.fact("strategia.numero-spostamento", "n") == 6


@pytest.mark.rule("toi:strategia.spostamento", "toi:strategia.lancio-spostamento")
def test_a_low_black_die_drifts_that_far_in_the_direction_of_the_red_one():
    table = hold((4,), (3, 3), (5, 1, 1), cards=["art1-08"], de={"de-1": "J5 4reg"})
    table.play("c:art1-08", "h:G5")
    assert len(table.unit("de-1").figures) == 3
    assert "strategia.lancio-spostamento" in table.cited


@pytest.mark.rule("toi:strategia.lancio-spostamento")
def test_a_high_black_die_is_on_target_whatever_the_red_one():
    table = hold((4,), (4, 3), (5, 1, 1), cards=["art1-08"])
    table.play("c:art1-08", "h:G5")
    assert len(table.unit("de-1").figures) == 3


@pytest.mark.rule("toi:strategia.fuori-mappa")
def test_off_the_map_there_is_no_effect():
    table = hold((4,), (3, 3), cards=["art1-08"], us={"us-1": "C1 4reg fatigued"})
    table.play("c:art1-08", "h:P5")
    assert "strategia.fuori-mappa" in table.cited
    assert table.state.armies["us"].spent == ("art1-08",)


@pytest.mark.rule(
    "toi:strategia.fuoco-amico",
    "toi:strategia.area-scoppio",
    "toi:strategia.attacco-area",
    "toi:strategia.parole-chiave",
)
def test_area_and_blast_hit_friends_too_each_hex_with_its_own_roll():
    table = hold(
        (4,),
        (6, 1),
        (5, 1, 1, 1),
        (5, 5, 5),
        cards=["art1-01"],
        us={"us-1": "F5 4reg"},
        de={"de-1": "G5 4reg", "de-251-1": "H5 251"},
    )
    table.chance.add((5, 1, 1))
    table.play("c:art1-01", "h:G5")
    assert table.unit("de-1").condition == "pinned"
    assert table.unit("us-1").condition == "pinned"
    assert table.unit("de-251-1").damage == "intact"
    assert {
        "strategia.fuoco-amico",
        "strategia.area-scoppio",
        "area.veicoli",
    } <= table.cited


@pytest.mark.rule("toi:strategia.carta-prevale")
def test_a_creeping_barrage_goes_on_in_a_direction():
    table = hold(
        (6,),
        (6, 1),
        (5, 1, 1, 1),
        (5, 1, 1),
        cards=["art1-09"],
        de={"de-1": "G5 4reg", "de-2": "H5 4reg"},
    )
    table.play("c:art1-09", "h:G5", "b:E")
    assert len(table.unit("de-1").figures) == 3
    assert len(table.unit("de-2").figures) == 3


@pytest.mark.rule("toi:strategia.tipi", "toi:strategia.area-di-gioco")
def test_increased_priority_makes_artillery_cheaper():
    table = hold((1,), cards=["art1-01"], area=["art1-03"], command=2).play("c:art1-01")
    assert table.state.armies["us"].command == 0
    told = {"card": "art1-01", "cost": 2, "full": 3, "by": ("art1-03",)}
    assert table.told("strategia.tipi", *told) == [told]
    poor = hold(cards=["art1-01"], command=2)
    assert "azione.carta" in poor.why_not("c:art1-01")


@pytest.mark.rule("toi:strategia.contatto", "toi:strategia.tipi")
def test_the_telephone_line_eases_contact():
    table = hold((3,), cards=["art1-01"], area=["art1-10"]).play("c:art1-01")
    assert table.asked.ruling.refs[0] == "toi:strategia.esagono-obiettivo"
    told = {"card": "art1-01", "n": 3, "full": 4, "by": "art1-10"}
    assert table.told("strategia.tipi", *told) == [told]


@pytest.mark.rule("toi:strategia.numero-spostamento")
def test_a_forward_observer_gives_three():
    table = hold((6,), (3, 3), 1, cards=["art1-08"], area=["art1-07"]).play("c:art1-08", "h:G5")
    assert table.rolled == ["1d6", "1black+1red", "3black"]


@pytest.mark.rule("toi:strategia.lancio-spostamento")
def test_the_correction_rolls_the_drift_again():
    table = hold((6,), (1, 1), (6, 1), 1, cards=["art1-08"], area=["art1-06"])
    table.play("c:art1-08", "h:G5", "b:si")
    assert "art1-06" in table.state.armies["us"].spent
    assert table.rolled == ["1d6", "1black+1red", "1black+1red", "3black"]


@pytest.mark.rule("toi:strategia.esagono-obiettivo")
def test_battalion_mortars_need_a_hex_that_is_seen():
    table = hold(cards=["ter1-06"], terreno={"E5": "woods"}).play("c:ter1-06")
    assert "strategia.esagono-obiettivo" in table.why_not("h:F5")
    assert "h:D5" in table.options


# --- effects ----------------------------------------------------------------------------------


@pytest.mark.rule("toi:strategia.generale")
def test_cold_blood_frees_pinned_squads():
    table = hold(cards=["mor1-04"], us={"us-1": "C5 4reg pinned", "us-2": "C6 4reg pinned"})
    table.play("c:mor1-04", "u:us-1", "u:us-2")
    assert {table.unit(n).condition for n in ("us-1", "us-2")} == {"normal"}


@pytest.mark.rule("toi:strategia.generale")
def test_ranks_are_reordered_by_one_degree():
    table = hold(cards=["mor1-05"], us={"us-1": "C5 4reg disrupted"}).play("c:mor1-05", "u:us-1")
    assert table.unit("us-1").condition == "pinned"


@pytest.mark.rule("toi:strategia.generale")
def test_a_card_without_a_target_has_no_effect():
    table = hold(cards=["mor1-05"]).play("c:mor1-05")
    assert table.state.armies["us"].spent == ("mor1-05",)


@pytest.mark.rule("toi:strategia.carta-prevale")
def test_nerves_break_on_a_four():
    table = hold((4,), cards=["mor1-09"]).play("c:mor1-09", "u:de-1")
    assert table.unit("de-1").condition == "pinned"
    assert (
        hold((3,), cards=["mor1-09"]).play("c:mor1-09", "u:de-1").unit("de-1").condition == "normal"
    )


@pytest.mark.rule("toi:strategia.carta-prevale", "toi:azione.assalto")
def test_a_battle_cry_assaults_without_the_penalty_and_with_two_more():
    table = hold(1, 1, cards=["mor1-10"], de={"de-1": "D5 4reg"})
    table.play("c:mor1-10", "u:us-1")
    assert table.state.active.mp == 12
    table.play("b:assalta", "h:D5")
    assert table.fact("assalto.2-potenza", "n") == 6


@pytest.mark.rule("toi:strategia.carta-prevale")
def test_a_surprise_assault_activates_two_squads_for_one_action():
    table = hold(
        1, 1, cards=["com1-05"], us={"us-1": "C5 4reg", "us-2": "C6 4reg"}, de={"de-1": "D5 4reg"}
    )
    table.play("c:com1-05", "u:us-1", "b:fine", "u:us-2")
    assert table.state.active.unit == "us-2"
    assert table.state.left["us"] == 2


@pytest.mark.rule("toi:strategia.carta-prevale")
def test_a_major_offensive_gives_two_actions():
    assert hold(cards=["com1-04"]).play("c:com1-04").state.left["us"] == 3 - 1 + 2


@pytest.mark.rule("toi:strategia.carta-prevale", "toi:fuoco-combinato.meta")
def test_coordinated_fire_does_not_halve_two_supporters():
    table = hold(
        1,
        cards=["com1-08"],
        us={"us-1": "C5 4reg", "us-2": "C5 3reg", "us-3": "C6 3reg", "us-4": "C6 3reg"},
    )
    table.play("c:com1-08", "u:us-1", "u:de-1", "u:us-2", "u:us-3", "u:us-4", "b:normale")
    assert table.fact("attacco.1-valore", "n") == 4 + 3 + 3 + 2


@pytest.mark.rule("toi:strategia.carta-prevale", "toi:trasporto.scendere-op")
def test_a_motor_column_sets_a_squad_down_ready():
    table = hold(
        cards=["com1-09"],
        us={"us-gmc-1": "C5 gmc", "us-1": "su:us-gmc-1 4reg"},
        de={"de-1": "P1 4reg"},
    )
    table.play("c:com1-09", "u:us-gmc-1", "h:D5", "b:fine", "u:us-1")
    assert table.unit("us-1").hex == "D5"
    assert table.unit("us-1").activation == "ready"


@pytest.mark.rule("toi:stato.rinforzi", "toi:stato.rinforzi-zona")
def test_an_operational_reserve_arrives_when_the_card_is_played():
    table = hold(cards=["com1-10"], fase="command", zona={"us": ["A5", "B5"]})
    table.play("c:com1-10", "h:A5")
    assert table.unit("us-2").figures == ("us_reg",) * 4
    assert table.unit("us-2").hex == "A5"


@pytest.mark.rule("toi:errata.alla-riscossa")
def test_to_the_rescue_conceals_two_squads_of_one_hex_away_from_enemies():
    table = hold(
        cards=["ter1-01"],
        us={"us-1": "C5 4reg", "us-2": "C5 4reg", "us-3": "F5 4reg"},
        terreno={"C5": "woods", "F5": "woods"},
    )
    table.play("c:ter1-01")
    assert "errata.alla-riscossa" in table.why_not("u:us-3")
    table.play("u:us-1", "u:us-2")
    assert table.unit("us-1").concealed
    assert table.unit("us-2").concealed
    assert "errata.alla-riscossa" in table.cited


@pytest.mark.rule("toi:fumo.piazzamento")
def test_a_smoke_screen_within_two_hexes_and_not_in_buildings():
    table = hold(cards=["ter1-02"], terreno={"D5": "building"}).play("c:ter1-02")
    assert "fumo.piazzamento" in table.why_not("h:D5")
    assert "h:G5" not in table.options
    table.play("h:E5")
    assert "E5" in table.state.smoke


@pytest.mark.rule("toi:specializzazioni.una", "toi:specializzazioni.assegnazione")
def test_an_anti_tank_kit_goes_to_a_plain_squad():
    table = hold(
        cards=["ter1-04"],
        fase="command",
        us={"us-1": "C5 4reg", "us-2": "C6 2mg", "us-3": "C7 4reg medic"},
    )
    table.play("c:ter1-04")
    assert "definizioni.armi-pesanti" in table.why_not("u:us-2")
    assert "specializzazioni.una" in table.why_not("u:us-3")
    assert table.play("u:us-1").unit("us-1").token == "anti-tank"


@pytest.mark.rule("toi:danni.permane")
def test_a_repair_lowers_the_damage():
    table = hold(cards=["ter1-07"], us={"us-m4-1": "C5 m4 heavy"}).play("c:ter1-07", "u:us-m4-1")
    assert table.unit("us-m4-1").damage == "light"


@pytest.mark.rule("toi:ostacoli.filo-massimo", "toi:limiti.componenti")
def test_wire_one_per_hex_and_as_many_as_the_box_holds():
    table = hold(cards=["ter1-08"], fase="command", segnalini={"razor wire": ["D5"]})
    table.play("c:ter1-08")
    assert "ostacoli.filo-massimo" in table.why_not("h:D5")
    table.play("h:C4")
    assert table.state.obstacles["C4"] == ("razor wire",)


@pytest.mark.rule("toi:definizioni.forza", "toi:squadre-gioco.carte")
def test_veterans_join_reduced_squads():
    table = hold(cards=["mor1-01"], fase="command", us={"us-1": "C5 3reg", "us-2": "C6 4reg"})
    table.play("c:mor1-01")
    assert "definizioni.forza" in table.why_not("u:us-2")
    assert len(table.play("u:us-1").unit("us-1").figures) == 4


# --- lasting cards ----------------------------------------------------------------------------


@pytest.mark.rule("toi:strategia.area-di-gioco")
def test_take_cover_adds_two_red_dice_once():
    table = Table(
        dice=[1], us={"us-1": "C5 4reg"}, de={"de-1": "F5 4reg"}, area={"de": ["mor1-02"]}
    )
    table.play("u:us-1", "b:concentrato", "u:de-1", "b:normale")
    assert table.asked.side == "de"
    table.play("b:si")
    assert table.rolled == ["4black+2red"]
    assert table.state.armies["de"].spent == ("mor1-02",)


@pytest.mark.rule("toi:strategia.area-di-gioco")
def test_take_down_the_beast_and_armor_piercing_add_firepower():
    table = hold(1, area=["mor1-03"], de={"de-pz4-1": "D5 pz4"})
    table.play("u:us-1", "b:concentrato", "u:de-pz4-1", "b:si")
    assert table.tally("Firepower")[-1] == 7
    tank = hold(1, area=["ter1-10"], us={"us-m4-1": "C5 m4"}, de={"de-251-1": "D5 251"})
    tank.play("u:us-m4-1", "b:concentrato", "u:de-251-1", "b:si")
    assert tank.tally("Firepower")[-1] == 10


@pytest.mark.rule("toi:strategia.area-di-gioco")
def test_not_one_step_back():
    table = Table(
        dice=[(4, 1, 1, 1), 1],
        us={"us-1": "C5 4reg"},
        de={"de-1": "D5 4reg"},
        area={"de": ["mor1-07"]},
    )
    table.play("u:us-1", "b:assalto", "b:assalta", "h:D5", "b:si")
    assert table.unit("de-1").hex == "D5"
    assert table.unit("de-1").condition == "pinned"
    assert table.unit("us-1").hex == "C5"


@pytest.mark.rule("toi:strategia.area-di-gioco", "toi:miniature.ufficiale.determinazione")
def test_the_officers_example_reaches_adjacent_squads():
    table = Table(
        dice=[1],
        us={"us-1": "C5 4reg"},
        de={"de-1": "F5 4reg", "de-2": "G5 3reg 1uff"},
        area={"de": ["mor1-06"]},
    )
    table.play("u:us-1", "b:concentrato", "u:de-1", "b:soppressivo")
    assert table.rolled == ["4black+1red"]


@pytest.mark.rule("toi:strategia.area-di-gioco", "toi:stato.scaduti")
def test_marching_orders_last_until_the_next_status_phase():
    table = hold(area=["com1-06"]).play("u:us-1", "b:avanzata")
    assert table.state.active.mp == 15
    over = Table(
        idle=False,
        us={"us-1": "C5 4reg"},
        de={"de-1": "P1 4reg"},
        round=1,
        fase="status",
        passo="arrivals",
        area={"us": ["com1-06"]},
    )
    assert over.state.armies["us"].area
    over.play("b:fine", "b:fine")
    while over.state.round < 3:
        over.play("b:fine")
    assert over.state.armies["us"].area == ()


# --- what cards fail to do --------------------------------------------------------------------


@pytest.mark.rule("toi:strategia.generale", "toi:strategia.carta-prevale")
def test_a_card_without_effect_says_who_could_not_take_it_and_why():
    rally = next(c for c in tables.CARDS.values() if c.effect.id == "rally_one")
    position = {} if rally.phase == "action" else {"fase": "command", "passo": "spending"}
    table = hold(cards=[rally.id], us={"us-1": "C5 4reg", "us-2": "C6 4reg"}, **position)
    table.play(f"c:{rally.id}")
    line = [
        s.ruling for s in table.game.steps if s.ruling.msg.id == "{card} has no effect: {units}"
    ]
    assert [ruling.msg.facts["units"][:2] for ruling in line] == [("us-1", "us-2")]
    assert "toi:strategia.carta-prevale" in line[0].refs


# --- smoke from off the board -----------------------------------------------------------------


@pytest.mark.rule("toi:fumo.piazzamento", "toi:fumo.durata", "toi:strategia.lancio-spostamento")
def test_smoke_falls_on_the_final_hex_and_two_neighbours_of_choice():
    table = hold((3,), (1, 3), cards=["art1-05"], us={"us-1": "A1 4reg fatigued"})
    table.play("c:art1-05", "h:G5")
    (final,) = table.state.smoke
    assert final != "G5"
    assert table.options - {"b:fine"} == {f"h:{n}" for n in ground(table.state).near[final]}
    first, second, third = sorted(table.options - {"b:fine"})[:3]
    table.play(first)
    assert "fumo.piazzamento" in table.why_not(first)
    table.play(second)
    assert set(table.state.smoke) == {final, first[2:], second[2:]}
    assert table.asked.id == "action.next"
    assert third[2:] not in table.state.smoke


@pytest.mark.rule("toi:fumo.piazzamento")
def test_smoke_may_stop_after_the_first_and_shuns_buildings():
    town = {"G5": "building", "H5": "building"}
    table = hold((3,), (6, 1), cards=["art1-05"], us={"us-1": "A1 4reg fatigued"}, terreno=town)
    table.play("c:art1-05", "h:G5")
    assert not table.state.smoke
    assert "fumo.piazzamento" in table.why_not("h:H5")
    table.play("h:F5", "b:fine")
    assert set(table.state.smoke) == {"F5"}


@pytest.mark.rule("toi:fumo.piazzamento", "toi:limiti.componenti")
def test_smoke_ends_with_the_markers_of_the_box_and_says_so():
    stock = tables.COMPONENTS.stocks["smoke"]
    spent = [f"{column}12" for column in "ABCDEFGHIJKLMNOP"][: stock - 1]
    table = hold(
        (3,), (6, 1), cards=["art1-05"], us={"us-1": "A1 4reg fatigued"},
        segnalini={"smoke": spent},
    )  # fmt: skip
    table.play("c:art1-05", "h:G5")
    assert len(table.state.smoke) == stock
    assert table.asked.id == "action.next"
    ended = [s for s in table.game.steps if s.ruling.msg.id == "No more smoke around {hex}"]
    assert "toi:limiti.componenti" in ended[0].ruling.refs


@pytest.mark.rule("toi:strategia.fuori-mappa")
def test_smoke_that_drifts_off_the_map_is_lost():
    table = hold((3,), (1, 3), cards=["art1-05"], us={"us-1": "A1 4reg fatigued"})
    table.play("c:art1-05", "h:P5")
    assert not table.state.smoke
    assert "strategia.fuori-mappa" in table.cited
