"""Assault, step by step (chapter «Assalto»)."""

from __future__ import annotations

import pytest

from tests.toi.table import Table


def assault(*dice, us=None, de=None, answers=("h:D5",), **more):
    """us-1 in C5 assaults D5."""
    table = Table(dice=dice, us=us or {"us-1": "C5 4reg"}, de=de or {"de-1": "D5 4reg"}, **more)
    return table.play("u:us-1", "b:assalto", "b:assalta", *answers)


@pytest.mark.rule("toi:azione.assalto", "toi:assalto.bersaglio")
def test_a_squad_moves_with_one_point_less_then_assaults():
    table = Table(us={"us-1": "B5 4reg"}, de={"de-1": "D5 4reg"}).play("u:us-1", "b:assalto")
    assert table.state.active.mp == 9
    assert "assalto.bersaglio" in table.why_not("b:assalta")
    table.play("h:C5")
    assert "b:assalta" in table.options


@pytest.mark.rule("toi:azione.assalto")
def test_the_assault_is_optional():
    table = Table(us={"us-1": "C5 4reg"}, de={"de-1": "D5 4reg"})
    table.play("u:us-1", "b:assalto", "b:fine")
    assert table.unit("us-1").activation == "fatigued"


@pytest.mark.rule("toi:assalto.chi", "toi:definizioni.armi-pesanti")
def test_vehicles_and_heavy_weapons_do_not_assault():
    for words in ("C5 m3", "C5 2reg 1mg", "C5 2reg 1mor"):
        table = Table(us={"us-1": words}, de={"de-1": "D5 4reg"}).play("u:us-1")
        assert "assalto.chi" in table.why_not("b:assalto")


@pytest.mark.rule("toi:assalto.no-pesanti")
def test_a_hex_with_a_heavy_vehicle_cannot_be_assaulted():
    table = assault(de={"de-1": "D5 4reg", "de-pz4-1": "D5 pz4", "de-2": "C4 4reg"}, answers=())
    assert "assalto.no-pesanti" in table.why_not("h:D5")
    assert "h:C4" in table.options


@pytest.mark.rule("toi:casa.17", "toi:nascoste.immunita")
def test_concealed_squads_alone_cannot_be_assaulted():
    table = assault(
        de={"de-1": "D5 4reg concealed", "de-2": "C4 4reg"}, terreno={"D5": "woods"}, answers=()
    )
    assert "casa.17" in table.why_not("h:D5")


@pytest.mark.rule("toi:assalto.no-mine-filo", "toi:casa.50")
def test_no_assault_after_entering_wire_but_yes_from_it():
    table = Table(us={"us-1": "B5 4reg"}, de={"de-1": "D5 4reg"}, segnalini={"razor wire": ["C5"]})
    table.play("u:us-1", "b:assalto", "h:C5")
    assert table.unit("us-1").activation == "fatigued"
    started = assault(1, 1, segnalini={"razor wire": ["C5"]})
    assert started.fact("assalto.2-potenza", "n") == 2
    assert "faq.assalto-da-filo" in started.cited


@pytest.mark.rule("toi:assalto.no-mine-filo")
def test_engineers_in_wire_may_go_on_but_not_assault():
    table = Table(
        us={"us-1": "B5 4reg engineer"}, de={"de-1": "D5 4reg"}, segnalini={"razor wire": ["C5"]}
    )
    table.play("u:us-1", "b:assalto", "h:C5")
    assert "assalto.no-mine-filo" in table.why_not("b:assalta")


@pytest.mark.rule("toi:assalto.2-potenza", "toi:assalto.4-lancio", "toi:assalto.5-risposta")
def test_both_sides_roll_and_hit_with_four():
    table = assault((4, 4, 3, 3), (4, 3, 3, 3))
    assert len(table.unit("us-1").figures) == 3
    assert len(table.unit("de-1").figures) == 2
    assert table.rolled == ["4black", "4black"]
    assert {"assalto.4-lancio", "assalto.5-risposta", "casa.41"} <= table.cited


@pytest.mark.rule("toi:assalto.1-supporto")
def test_up_to_two_squads_support_even_fatigued():
    table = assault(
        us={
            "us-1": "C5 4reg",
            "us-2": "C5 3reg fatigued",
            "us-3": "D4 4reg op",
            "us-4": "C4 4reg",
            "us-5": "E5 4reg pinned",
            "us-6": "B5 4reg",
            "us-7": "E5 2mg",
        },
    )
    assert "assalto.1-supporto" in table.why_not("u:us-5")
    assert "assalto.1-supporto" in table.why_not("u:us-6")
    assert "assalto.chi" in table.why_not("u:us-7")
    table.chance.add((1,) * 8)
    table.chance.add((1,) * 4)
    table.play("u:us-2", "u:us-3")
    assert table.fact("assalto.2-potenza", "n") == 4 + 2 + 2
    assert table.unit("us-3").activation == "fatigued"


@pytest.mark.rule("toi:assalto.2-lanciafiamme", "toi:assalto.4-lanciafiamme", "toi:casa.08")
def test_each_flamethrower_adds_two_and_cover_is_burnt_once():
    table = assault(
        1,
        1,
        us={"us-1": "C5 4reg flamethrower", "us-2": "C5 3reg flamethrower"},
        de={"de-1": "D5 4reg in:bunker-1"},
        segnalini={"bunker": ["D5"]},
        answers=("h:D5", "u:us-2"),
    )
    assert table.rolled[0] == "9black+1red"
    assert {"assalto.2-lanciafiamme", "assalto.4-lanciafiamme"} <= table.cited


@pytest.mark.rule("toi:assalto.4-copertura", "toi:casa.26", "toi:faq.bendaggio-assalto")
def test_cover_of_the_hex_counts_every_trench_and_the_rest_once():
    table = assault(
        1,
        1,
        de={
            "de-1": "D5 4reg in:trincea-1",
            "de-2": "D5 4reg medic in:trincea-2",
            "de-3": "D5 4eli",
        },
        terreno={"D5": "woods"},
        segnalini={"trench": ["D5", "D5"], "tank trap": ["D5"]},
    )
    assert table.rolled[0] == "4black+8red"
    assert {"assalto.4-copertura", "faq.bendaggio-assalto"} <= table.cited


@pytest.mark.rule("toi:faq.bendaggio-assalto", "toi:casa.41")
def test_the_attackers_have_no_cover():
    table = assault(1, 1, us={"us-1": "C5 4reg medic"}, terreno={"C5": "woods"})
    assert table.rolled == ["4black", "4black"]


@pytest.mark.rule("toi:assalto.3-difesa", "toi:miniature.mitragliatrice.azioni")
def test_what_defenders_add():
    table = assault(
        1, 1, de={"de-1": "D5 2reg 1mg", "de-251-1": "D5 251", "de-2": "D5 4reg disrupted"}
    )
    assert table.fact("assalto.3-difesa", "n") == 2 + 4 + 4
    mortar = assault(1, 1, de={"de-1": "D5 2reg 1mor", "de-2": "D5 3reg pinned"})
    assert mortar.fact("assalto.3-difesa", "n") == 2 + 2


@pytest.mark.rule("toi:assalto.3-ufficiale", "toi:faq.bloccata-ufficiale-assalto")
def test_pinned_defenders_with_an_officer_count_in_full():
    table = assault(1, 1, de={"de-1": "D5 3reg 1uff pinned"})
    assert table.fact("assalto.3-difesa", "n") == 4
    assert "faq.bloccata-ufficiale-assalto" in table.cited


@pytest.mark.rule("toi:assalto.4-veicoli", "toi:miniature.semicingolato")
def test_light_vehicles_add_firepower_and_no_armor():
    table = assault(1, 1, de={"de-251-1": "D5 251"})
    assert table.rolled == ["4black", "4black"]
    assert "assalto.4-veicoli" in table.cited


@pytest.mark.rule("toi:casa.37", "toi:assalto.3-difesa")
def test_a_truck_defends_with_nothing():
    table = assault(1, de={"de-opel-1": "D5 opel"})
    assert table.rolled == ["4black"]


@pytest.mark.rule("toi:fumo.assalto-contro", "toi:casa.09", "toi:modificatori.dimezza-una-volta")
def test_assault_into_smoke_halves_both_and_nobody_supports():
    table = assault(
        1,
        1,
        us={"us-1": "C5 4reg", "us-2": "C5 4reg"},
        de={"de-1": "D5 4reg", "de-2": "D5 4reg pinned"},
        segnalini={"smoke": ["D5"]},
    )
    assert table.fact("assalto.2-potenza", "n") == 2
    assert table.fact("assalto.3-difesa", "n") == 2
    assert table.rolled == ["2black+2red", "2black"]
    assert {"fumo.assalto-contro", "casa.09"} <= table.cited


@pytest.mark.rule("toi:fumo.assalto-da")
def test_assault_out_of_smoke_is_not_halved():
    table = assault(1, 1, segnalini={"smoke": ["C5"]})
    assert table.fact("assalto.2-potenza", "n") == 4
    assert "fumo.assalto-da" in table.cited


@pytest.mark.rule("toi:casa.25")
def test_wire_under_the_defender_changes_nothing():
    table = assault(1, 1, segnalini={"razor wire": ["D5"], "minefield": ["D5"]})
    assert table.fact("assalto.3-difesa", "n") == 4


@pytest.mark.rule("toi:casa.53")
def test_no_anti_tank_bonus_in_an_assault():
    table = assault(1, 1, us={"us-1": "C5 4reg anti-tank"}, de={"de-251-1": "D5 251"})
    assert table.fact("assalto.2-potenza", "n") == 4


@pytest.mark.rule("toi:assalto.6-perdite-attaccante")
def test_the_active_squad_dies_before_its_supporters():
    table = assault(
        1, (4, 4, 4, 1), us={"us-1": "C5 2reg", "us-2": "C5 4reg"}, answers=("h:D5", "u:us-2")
    )
    assert table.is_gone("us-1")
    assert len(table.unit("us-2").figures) == 3


@pytest.mark.rule("toi:assalto.7-perdite-difensore", "toi:assalto.7-veicoli")
def test_the_defender_spreads_hits_but_not_beyond_destruction():
    table = assault(6, 1, us={"us-1": "C5 4eli"}, de={"de-1": "D5 4reg", "de-opel-1": "D5 opel"})
    assert table.is_gone("de-1")
    assert table.is_gone("de-opel-1")
    some = assault(
        (4, 4, 4, 4, 1, 1, 1, 1),
        1,
        us={"us-1": "C5 4eli"},
        de={"de-1": "D5 4reg", "de-opel-1": "D5 opel"},
    )
    assert some.asked.side == "de"
    some.play("u:de-opel-1", "u:de-opel-1", "u:de-opel-1")
    assert some.is_gone("de-opel-1")
    assert len(some.unit("de-1").figures) == 3


@pytest.mark.rule("toi:assalto.8-fallito", "toi:casa.42")
def test_a_tie_fails_even_when_the_last_defender_dies():
    table = assault((4, 4, 1, 1), (4, 4), de={"de-1": "D5 2reg"})
    assert table.is_gone("de-1")
    assert table.unit("us-1").hex == "C5"
    assert table.unit("us-1").activation == "fatigued"
    assert {"assalto.8-fallito", "casa.42"} <= table.cited


@pytest.mark.rule("toi:assalto.9-ritirata", "toi:assalto.9-condizioni", "toi:assalto.9-no-op")
def test_survivors_retreat_to_one_hex_and_are_fatigued():
    table = assault(
        (4, 1, 1, 1), 1, us={"us-1": "C5 4reg", "us-2": "E5 4reg op"}, answers=("h:D5", "b:assalto")
    )
    assert table.asked.side == "de"
    assert "assalto.9-ritirata" in table.why_not("h:E5")
    table.play("h:D6")
    assert table.unit("de-1").hex == "D6"
    assert table.unit("de-1").activation == "fatigued"
    assert table.unit("us-2").activation == "op fire"


@pytest.mark.rule("toi:assalto.9-condizioni")
def test_pinned_become_disrupted_and_disrupted_are_destroyed():
    table = assault(
        (4, 1, 1, 1),
        1,
        de={"de-1": "D5 4reg pinned", "de-2": "D5 4reg disrupted"},
        answers=("h:D5",),
    )
    table.play("u:de-1", "h:D6")
    assert table.unit("de-1").condition == "disrupted"
    assert table.unit("de-1").activation == "fatigued"
    assert table.is_gone("de-2")


@pytest.mark.rule("toi:operazioni.generale")
def test_no_surrender_lets_disrupted_squads_retreat():
    table = assault((4, 1, 1, 1), 1, de={"de-1": "D5 4reg disrupted"}, operazioni={"de": ["op-10"]})
    table.play("h:D6")
    assert table.unit("de-1").condition == "disrupted"
    assert table.unit("de-1").hex == "D6"


@pytest.mark.rule("toi:assalto.9-eccedenze", "toi:accentramento.ritirata")
def test_units_beyond_the_limit_are_destroyed_by_choice():
    table = assault(
        (4, 1, 1, 1),
        1,
        de={"de-1": "D5 4reg", "de-2": "E5 4reg", "de-3": "E5 4reg", "de-4": "E5 4reg"},
    )
    table.play("h:E5")
    assert table.options == {"u:de-1", "u:de-2", "u:de-3", "u:de-4"}
    table.play("u:de-3")
    assert table.is_gone("de-3")


@pytest.mark.rule("toi:assalto.9-impossibile", "toi:casa.23")
def test_without_a_hex_to_retreat_to_everybody_is_destroyed():
    ring = ("D4", "E4", "E5", "D6", "C6", "E6", "C4")
    table = assault((4, 1, 1, 1), 1, terreno=dict.fromkeys(ring, "lake"))
    assert table.is_gone("de-1")
    assert "assalto.9-impossibile" in table.cited


@pytest.mark.rule("toi:casa.23")
def test_a_vehicle_that_cannot_enter_or_move_is_destroyed():
    table = assault(
        (4, 4, 4, 4, 1, 1, 1, 1),
        1,
        us={"us-1": "C5 4eli"},
        de={"de-1": "D5 4reg", "de-251-1": "D5 251", "de-2": "D5 4reg"},
        terreno={"E5": "building"},
    )
    table.play("u:de-1", "u:de-1", "u:de-1", "u:de-1", "h:E5")
    assert table.is_gone("de-251-1")
    assert table.unit("de-2").hex == "E5"


@pytest.mark.rule("toi:casa.24", "toi:ostacoli.mine")
def test_mines_work_on_retreat():
    table = assault((4, 1, 1, 1), 1, (4, 1, 1, 1), segnalini={"minefield": ["D6"]}).play("h:D6")
    assert len(table.unit("de-1").figures) == 2
    assert "casa.24" in table.cited


@pytest.mark.rule("toi:assalto.10-avanzata", "toi:assalto.10-no-op", "toi:assalto.11-affaticamento")
def test_the_winners_may_advance_if_not_tired_before():
    table = assault(
        (4, 1, 1, 1, 1, 1),
        1,
        us={"us-1": "C5 4reg", "us-2": "C5 4reg fatigued"},
        answers=("h:D5", "u:us-2", "h:D6"),
    )
    assert "assalto.10-avanzata" in table.why_not("u:us-2")
    table.play("u:us-1")
    assert table.unit("us-1").hex == "D5"
    assert table.unit("us-1").activation == "fatigued"
    assert {"assalto.10-avanzata", "assalto.10-no-op"} <= table.cited


@pytest.mark.rule("toi:faq.avanzata-fortificazione")
def test_an_advance_does_not_enter_the_trench():
    table = assault(
        (4, 1, 1, 1, 1, 1),
        1,
        de={"de-1": "D5 4reg in:trincea-1"},
        segnalini={"trench": ["D5"]},
        answers=("h:D5", "h:D6", "u:us-1"),
    )
    assert table.unit("us-1").hex == "D5"
    assert table.unit("us-1").fort == ""


@pytest.mark.rule("toi:faq.assalto-nascoste")
def test_concealed_defenders_fight_or_stay_out():
    position = {"de": {"de-1": "D5 4reg", "de-2": "D5 4reg concealed"}, "terreno": {"D5": "woods"}}
    out = assault((4, 4, 1, 1, 1, 1), 1, **position)
    assert out.asked.side == "de"
    out.play("b:nascosta")
    assert out.fact("assalto.3-difesa", "n") == 4
    assert len(out.unit("de-2").figures) == 4
    out.play("h:E5")
    assert not out.unit("de-2").concealed
    assert out.unit("de-2").hex == "E5"
    fight = assault(1, 1, **position).play("b:partecipa")
    assert fight.fact("assalto.3-difesa", "n") == 8


@pytest.mark.rule("toi:casa.15", "toi:terreno.strapiombo")
def test_no_assault_over_a_cliff():
    table = assault(de={"de-1": "D5 4reg", "de-2": "C4 4reg"}, terreno={"D5": "open 2"}, answers=())
    assert "terreno.strapiombo" in table.why_not("h:D5")
