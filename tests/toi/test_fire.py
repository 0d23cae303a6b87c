"""The attack sequence: dice, cover, hits (chapter «Risolvere un combattimento»)."""

from __future__ import annotations

import pytest

from tests.toi.table import Table


def shoot(*dice, us="C5 4reg", de="F5 4reg", answers=("b:normale",), **more):
    """us-1 fires at de-1, three hexes away."""
    table = Table(dice=dice, us={"us-1": us}, de={"de-1": de}, **more)
    return table.play("u:us-1", "b:concentrato", "u:de-1", *answers)


@pytest.mark.rule("toi:attacco.sequenza", "toi:attacco.1-valore", "toi:attacco.1-squadra")
def test_a_squad_rolls_the_sum_of_its_figures():
    table = shoot((5, 1, 1, 1))
    assert table.rolled == ["4black"]
    assert table.tally("Firepower") == [4]
    assert {"attacco.sequenza", "attacco.1-squadra"} <= table.cited


@pytest.mark.rule("toi:attacco.2-difesa", "toi:difesa.copertura", "toi:terreno.bosco")
def test_woods_give_two_red_dice():
    table = shoot((5, 6, 1, 1, 5, 1), terreno={"F5": "woods"})
    assert table.rolled == ["4black+2red"]
    assert len(table.unit("de-1").figures) == 3
    assert {"attacco.2-difesa", "terreno.bosco", "attacco.5-difesa"} <= table.cited


@pytest.mark.rule("toi:difesa.copertura", "toi:fumo.blocca")
def test_cover_of_woods_and_smoke_adds_up():
    table = shoot(1, terreno={"F5": "woods"}, segnalini={"smoke": ["F5"]})
    assert table.rolled == ["4black+4red"]
    assert table.tally("Cover") == [4]


@pytest.mark.rule("toi:difesa.copertura")
def test_a_squad_in_the_open_rolls_no_red_dice():
    assert shoot((1, 1, 1, 1)).rolled == ["4black"]


@pytest.mark.rule("toi:attacco.5-colpi", "toi:raggio.normale")
def test_a_four_misses_at_normal_range():
    assert len(shoot((4, 4, 4, 4)).unit("de-1").figures) == 4


@pytest.mark.rule("toi:raggio.ravvicinato", "toi:attacco.5-colpi")
def test_a_four_hits_at_close_range():
    table = shoot((4, 3, 3, 3), de="D5 4reg")
    assert len(table.unit("de-1").figures) == 3
    assert "raggio.ravvicinato" in table.cited


@pytest.mark.rule("toi:raggio.lungo")
def test_only_a_six_hits_at_long_range():
    table = shoot((5, 5, 5, 6), de="I5 4reg")
    assert len(table.unit("de-1").figures) == 3
    assert "raggio.lungo" in table.cited


@pytest.mark.rule("toi:raggio.fuori", "toi:combattimento.requisiti")
def test_beyond_twice_the_range_nobody_can_be_attacked():
    table = Table(us={"us-1": "C5 4reg"}, de={"de-1": "L5 4reg", "de-2": "K5 4reg"})
    table.play("u:us-1", "b:concentrato")
    assert "raggio.fuori" in table.why_not("u:de-1")
    assert "u:de-2" in table.options


@pytest.mark.rule("toi:raggio.altezza", "toi:terreno.altezza-raggio", "toi:raggio.livelli")
def test_height_lengthens_the_range_before_it_is_doubled():
    table = Table(
        dice=[(1, 1, 1, 1)],
        us={"us-1": "C5 4reg"},
        de={"de-1": "H5 4reg", "de-2": "N5 4reg"},
        terreno={"C5": "open 2"},
    )
    table.play("u:us-1", "b:concentrato")
    assert "raggio.fuori" in table.why_not("u:de-2")
    table.play("u:de-1", "b:normale")
    assert {"raggio.normale", "raggio.altezza"} <= table.cited


@pytest.mark.rule("toi:attacco.5-nullo")
def test_as_many_saves_as_hits_have_no_effect():
    table = shoot((5, 1, 1, 1, 6, 1), terreno={"F5": "woods"})
    assert len(table.unit("de-1").figures) == 4
    assert "attacco.5-nullo" in table.cited


@pytest.mark.rule("toi:attacco.5-difesa")
def test_red_dice_save_with_five_at_any_range():
    table = shoot((4, 4, 1, 1, 5, 4), de="D5 4reg", terreno={"D5": "woods"})
    assert len(table.unit("de-1").figures) == 3


@pytest.mark.rule("toi:attacco.3-tipo", "toi:danni.tipi")
def test_the_type_of_attack_is_asked_against_squads_only():
    table = Table(dice=[1], us={"us-1": "C5 4reg"}, de={"de-1": "D5 4reg", "de-251-1": "D5 251"})
    table.play("u:us-1", "b:concentrato", "u:de-1")
    assert table.options == {"b:normale", "b:soppressivo"}
    other = Table(dice=[1], us={"us-1": "C5 4reg"}, de={"de-1": "D5 4reg", "de-251-1": "D5 251"})
    other.play("u:us-1", "b:concentrato", "u:de-251-1")
    assert other.unit("us-1").activation == "fatigued"
    assert "danni.tipi" in other.cited


@pytest.mark.rule("toi:combattimento.bersaglio", "toi:combattimento.griglia")
def test_the_column_follows_the_target_that_was_named():
    table = Table(dice=[1], us={"us-m4-1": "C5 m4"}, de={"de-1": "D5 4reg", "de-opel-1": "D5 opel"})
    table.play("u:us-m4-1", "b:concentrato", "u:de-opel-1")
    assert table.tally("Firepower") == [8]


@pytest.mark.rule("toi:difesa.blindatura", "toi:casa.36")
def test_a_vehicle_adds_armor_to_the_cover_of_its_hex():
    table = shoot(1, de="D5 251", terreno={"D5": "rough"}, answers=())
    assert table.rolled == ["4black+2red"]
    assert "difesa.blindatura" in table.cited


@pytest.mark.rule("toi:danni.lieve")
def test_light_damage_takes_one_point_of_armor():
    assert shoot(1, de="D5 pz4 light", answers=()).rolled == ["4black+3red"]


@pytest.mark.rule("toi:danni.grave")
def test_heavy_damage_takes_one_point_of_armor_and_half_the_firepower():
    table = Table(dice=[1], us={"us-m4-1": "C5 m4 heavy"}, de={"de-1": "E5 4reg"})
    table.play("u:us-m4-1", "b:concentrato", "u:de-1", "b:normale")
    assert table.tally("Firepower") == [4]
    assert shoot(1, de="D5 pz4 heavy", answers=()).rolled == ["4black+3red"]


@pytest.mark.rule("toi:modificatori.ordine", "toi:modificatori.arrotonda")
def test_bonuses_come_before_halving_and_halves_are_rounded_up():
    table = Table(
        dice=[1], us={"us-m4-1": "C5 m4 heavy"}, de={"de-1": "E5 4reg"}, terreno={"E5": "building"}
    )
    table.play("u:us-m4-1", "b:concentrato", "u:de-1", "b:normale")
    assert table.tally("Firepower") == [5]
    assert {"modificatori.ordine", "miniature.carro.violenta"} <= table.cited


@pytest.mark.rule("toi:miniature.carro.violenta")
def test_a_tank_is_stronger_and_reaches_farther_against_a_squad_in_a_building():
    near = Table(
        dice=[1],
        us={"us-1": "K5 4reg"},
        de={"de-tig-1": "C5 tig"},
        turno="de",
        terreno={"K5": "building"},
    )
    near.play("u:de-tig-1", "b:concentrato", "u:us-1", "b:normale")
    assert near.tally("Firepower") == [9]
    assert "raggio.normale" in near.cited


@pytest.mark.rule("toi:miniature.carro.violenta")
def test_a_tank_gets_nothing_against_a_squad_in_woods():
    table = Table(
        dice=[1], us={"us-m4-1": "C5 m4"}, de={"de-1": "E5 4reg"}, terreno={"E5": "woods"}
    )
    table.play("u:us-m4-1", "b:concentrato", "u:de-1", "b:normale")
    assert table.tally("Firepower") == [7]


@pytest.mark.rule("toi:miniature.carro.violenta")
def test_a_tank_is_stronger_against_a_squad_in_a_bunker():
    table = Table(
        dice=[1],
        us={"us-m4-1": "C5 m4"},
        de={"de-1": "E5 4reg in:bunker-1"},
        segnalini={"bunker": ["E5"]},
    )
    table.play("u:us-m4-1", "b:concentrato", "u:de-1", "b:normale")
    assert table.rolled == ["10black+6red"]


@pytest.mark.rule("toi:miniature.elite")
def test_elites_cover_against_suppression_only():
    assert shoot(1, de="F5 2reg 2eli", answers=("b:soppressivo",)).rolled == ["4black+2red"]
    assert shoot(1, de="F5 2reg 2eli").rolled == ["4black"]


@pytest.mark.rule("toi:miniature.ufficiale.determinazione", "toi:casa.32")
def test_an_officer_steadies_the_squads_of_his_hex():
    table = Table(dice=[1], us={"us-1": "C5 4reg"}, de={"de-1": "F5 4reg", "de-2": "F5 2reg 2uff"})
    table.play("u:us-1", "b:concentrato", "u:de-1", "b:soppressivo")
    assert table.rolled == ["4black+1red"]
    assert "miniature.ufficiale.determinazione" in table.cited


@pytest.mark.rule("toi:miniature.ufficiale.determinazione")
def test_an_officer_does_not_help_against_a_normal_attack():
    assert shoot(1, de="F5 3reg 1uff").rolled == ["4black"]


@pytest.mark.rule("toi:specializzazioni.medico.bendaggio")
def test_medics_cover_against_normal_attacks_only():
    assert shoot(1, de="F5 4reg medic").rolled == ["4black+1red"]
    assert shoot(1, de="F5 4reg medic", answers=("b:soppressivo",)).rolled == ["4black"]


@pytest.mark.rule("toi:specializzazioni.condizione")
def test_pinned_medics_do_not_bandage():
    assert shoot(1, de="F5 4reg medic pinned").rolled == ["4black"]


@pytest.mark.rule("toi:specializzazioni.anticarro", "toi:specializzazioni.indebolita")
def test_an_anti_tank_squad_reaches_three_and_adds_three():
    table = shoot(1, de="H5 pz4", us="C5 4reg anti-tank", answers=())
    assert table.tally("Firepower") == [7]
    assert "raggio.lungo" in table.cited
    assert shoot(1, de="F5 pz4", us="C5 1reg anti-tank", answers=()).tally("Firepower") == [4]


@pytest.mark.rule("toi:specializzazioni.anticarro")
def test_an_anti_tank_squad_is_ordinary_against_squads():
    assert shoot(1, us="C5 4reg anti-tank").tally("Firepower") == [4]


@pytest.mark.rule("toi:specializzazioni.lanciafiamme", "toi:difesa.riduzioni", "toi:casa.11")
def test_a_flamethrower_adds_two_and_burns_cover_but_not_armor():
    table = shoot(1, us="C5 4reg flamethrower", de="D5 pz4", terreno={"D5": "woods"}, answers=())
    assert table.rolled == ["6black+4red"]
    assert {"specializzazioni.lanciafiamme", "difesa.riduzioni"} <= table.cited


@pytest.mark.rule("toi:specializzazioni.lanciafiamme")
def test_a_flamethrower_two_hexes_away_is_ordinary():
    table = shoot(1, us="C5 4reg flamethrower", de="E5 4reg", terreno={"E5": "woods"})
    assert table.rolled == ["4black+2red"]


@pytest.mark.rule("toi:miniature.carro.blindatura-solida")
def test_thick_armor_turns_a_red_die():
    table = shoot((4, 4, 4, 4, 1, 1, 1, 1, 1, 1), de="D5 tig", answers=())
    assert table.asked.side == "de"
    table.play("b:si")
    assert table.unit("de-1").damage == "heavy"
    other = shoot((4, 4, 4, 4, 1, 1, 1, 1, 1, 1), de="D5 tig", answers=("b:no",))
    assert other.is_gone("de-1")


@pytest.mark.rule("toi:miniature.carro.blindatura-solida")
def test_thick_armor_is_not_asked_without_hits():
    table = shoot(1, de="D5 tig", answers=())
    assert table.unit("us-1").activation == "fatigued"


@pytest.mark.rule("toi:attacco.scarsita-dadi")
def test_more_dice_than_the_box_holds_are_rolled_all_the_same():
    table = Table(
        dice=[1],
        us={"us-1": "C5 4reg"},
        de={"de-1": "E5 4reg in:bunker-1"},
        terreno={"E5": "woods"},
        segnalini={"bunker": ["E5"]},
    )
    table.play("u:us-1", "b:concentrato", "u:de-1", "b:normale")
    assert table.rolled == ["4black+8red"]
    assert "attacco.scarsita-dadi" in table.cited
    assert "attacco.scarsita-dadi" not in shoot(1).cited


@pytest.mark.rule("toi:combattimento.miste", "toi:raggio.mista")
def test_figures_with_a_short_range_can_be_left_out():
    table = Table(dice=[1], us={"us-1": "C5 2reg 1mg"}, de={"de-1": "H5 4reg"})
    table.play("u:us-1", "b:concentrato", "u:de-1")
    assert table.options == {"b:tutti", "b:fucilieri", "b:mitragliatrici"}
    table.play("b:mitragliatrici", "b:normale")
    assert table.tally("Firepower") == [3]
    assert "raggio.normale" in table.cited


@pytest.mark.rule("toi:raggio.mista")
def test_the_whole_mixed_squad_has_the_shortest_range():
    table = Table(dice=[1], us={"us-1": "C5 2reg 1mg"}, de={"de-1": "H5 4reg"})
    table.play("u:us-1", "b:concentrato", "u:de-1", "b:tutti", "b:normale")
    assert table.tally("Firepower") == [5]
    assert "raggio.lungo" in table.cited


@pytest.mark.rule("toi:trasporto.immune")
def test_passengers_cannot_be_named():
    table = Table(us={"us-1": "C5 4reg"}, de={"de-opel-1": "E5 opel", "de-1": "su:de-opel-1 4reg"})
    table.play("u:us-1", "b:concentrato")
    assert "trasporto.immune" in table.why_not("u:de-1")


@pytest.mark.rule("toi:visuale.necessaria", "toi:combattimento.requisiti")
def test_no_attack_without_a_line_of_sight():
    table = Table(
        us={"us-1": "C5 4reg"}, de={"de-1": "F5 4reg", "de-2": "C7 4reg"}, terreno={"E5": "woods"}
    )
    table.play("u:us-1", "b:concentrato")
    assert {"visuale.necessaria", "visuale.stesso-livello"} <= table.why_not("u:de-1")


@pytest.mark.rule("toi:modificatori.dimezza-una-volta", "toi:danni.grave")
def test_two_halvings_forbid_the_attack():
    table = Table(
        us={"us-m4-1": "C5 m4 heavy", "us-1": "A1 4reg"},
        de={"de-1": "E5 4reg"},
        segnalini={"smoke": ["C5"]},
    )
    table.play("u:us-m4-1")
    assert {
        "modificatori.dimezza-una-volta",
        "danni.grave",
        "fumo.blocca",
    } == table.why_not("b:concentrato")


@pytest.mark.rule("toi:azione.concentrato", "toi:azione.affaticamento")
def test_the_attacker_is_fatigued_even_without_effect():
    assert shoot((1, 1, 1, 1)).unit("us-1").activation == "fatigued"


@pytest.mark.rule("toi:raggio.effetti")
def test_the_band_changes_neither_the_dice_nor_the_saves():
    for de, faces, left in (
        ("D5 4reg", (4, 4, 1, 1, 5, 4), 3),
        ("F5 4reg", (5, 5, 1, 1, 5, 4), 3),
        ("J5 4reg", (6, 6, 1, 1, 5, 4), 3),
    ):
        table = shoot(faces, de=de, terreno={de[:2]: "woods"})
        assert table.rolled == ["4black+2red"]
        assert len(table.unit("de-1").figures) == left
        assert "raggio.effetti" in table.cited


@pytest.mark.rule("toi:casa.01", "toi:miniature.elite")
def test_elites_never_have_armor():
    table = shoot(1, de="F5 4eli")
    assert table.rolled == ["4black"]
    suppressed = shoot(1, de="F5 4eli", answers=("b:soppressivo",))
    assert suppressed.rolled == ["4black+4red"]
    assert "casa.01" in suppressed.cited
