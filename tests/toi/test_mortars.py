"""Area attacks and mortars (chapters «Attacchi di aree», «Squadra mortaio»)."""

from __future__ import annotations

import pytest

from tests.toi.table import Table


def shell(*dice, us=None, de=None, at="G5", kind="b:soppressivo", answers=(), **more):
    table = Table(
        dice=dice, us=us or {"us-1": "C5 2reg 1mor"}, de=de or {"de-1": "G5 4reg"}, **more
    )
    return table.play("u:us-1", "b:concentrato", f"h:{at}", *answers, kind)


@pytest.mark.rule("toi:area.definizione", "toi:area.lancio", "toi:miniature.mortaio.area")
def test_one_roll_hits_every_unit_of_the_hex():
    table = shell(
        (5, 5, 5, 1),
        (6, 1),
        de={"de-1": "G5 4reg", "de-2": "G5 4reg in:trincea-1"},
        segnalini={"trench": ["G5"]},
    )
    assert table.rolled == ["4black", "2red"]
    assert table.unit("de-1").condition == "disrupted"
    assert table.unit("de-2").condition == "pinned"
    assert {"area.definizione", "area.difesa", "miniature.mortaio.area"} <= table.cited


@pytest.mark.rule("toi:area.difesa")
def test_each_unit_defends_for_itself():
    table = shell(
        (5, 1),
        (5, 1),
        (1, 1),
        kind="b:normale",
        terreno={"G5": "woods"},
        de={"de-1": "G5 4reg", "de-2": "G5 4reg"},
    )
    assert len(table.unit("de-1").figures) == 4
    assert len(table.unit("de-2").figures) == 3


@pytest.mark.rule("toi:area.veicoli")
def test_suppression_ignores_vehicles_and_normal_fire_does_not():
    table = shell((5, 5, 5, 5), de={"de-251-1": "G5 251"})
    assert table.unit("de-251-1").damage == "intact"
    assert "area.veicoli" in table.cited
    hit = shell((5, 5), 1, kind="b:normale", de={"de-251-1": "G5 251"})
    assert hit.unit("de-251-1").damage == "light"


@pytest.mark.rule("toi:nascoste.immunita", "toi:area.definizione")
def test_concealed_squads_are_not_hit():
    table = shell(
        (5, 5, 5, 5),
        1,
        de={"de-1": "G5 4reg", "de-2": "G5 4reg concealed"},
        terreno={"G5": "rough"},
    )
    assert table.unit("de-2").condition == "normal"
    assert "nascoste.immunita" in table.cited


@pytest.mark.rule("toi:miniature.mortaio.soglia")
def test_only_a_six_hits_beyond_eight_hexes():
    table = shell((5, 5, 5, 6), at="L5", de={"de-1": "L5 4reg"})
    assert table.unit("de-1").condition == "pinned"
    assert "miniature.mortaio.soglia" in table.cited


@pytest.mark.rule("toi:miniature.mortaio.minima")
def test_no_mortar_fire_on_an_adjacent_hex():
    table = Table(us={"us-1": "C5 2reg 1mor"}, de={"de-1": "D5 4reg"})
    table.play("u:us-1", "b:concentrato")
    assert "miniature.mortaio.minima" in table.why_not("h:D5")
    assert "u:de-1" in table.options


@pytest.mark.rule(
    "toi:miniature.mortaio.balistico", "toi:casa.18", "toi:casa.19", "toi:faq.disgregate-mortai"
)
def test_a_squad_that_is_not_fatigued_sees_for_the_mortar():
    wall = {"E5": "woods", "E4": "woods", "E6": "woods"}
    for words, sees in (
        ("H5 4reg fatigued", False),
        ("H5 4reg", True),
        ("H5 4reg op", True),
        ("H5 4reg disrupted", True),
        ("H5 m4", False),
    ):
        table = Table(
            us={"us-1": "C5 2mor", "us-2": words, "us-3": "C7 4reg"},
            de={"de-1": "G5 4reg", "de-2": "C9 4reg"},
            terreno=wall,
        )
        table.play("u:us-1", "b:concentrato")
        if sees:
            assert "h:G5" in table.options
        else:
            assert "miniature.mortaio.balistico" in table.why_not("h:G5")
    table = Table(
        dice=[1],
        us={"us-1": "C5 2mor", "us-2": "H5 4reg disrupted"},
        de={"de-1": "G5 4reg"},
        terreno=wall,
    )
    table.play("u:us-1", "b:concentrato", "h:G5", "b:normale")
    assert {"casa.18", "faq.disgregate-mortai"} <= table.cited


@pytest.mark.rule("toi:miniature.mortaio.edifici")
def test_no_mortar_fire_from_buildings_or_bunkers_but_from_trenches():
    inside = Table(us={"us-1": "C5 2reg 1mor"}, de={"de-1": "F5 4reg"}, terreno={"C5": "building"})
    inside.play("u:us-1", "b:concentrato")
    assert "miniature.mortaio.edifici" in inside.why_not("h:F5")
    bunker = Table(
        us={"us-1": "C5 2reg 1mor in:bunker-1"},
        de={"de-1": "F5 4reg"},
        segnalini={"bunker": ["C5"]},
    )
    bunker.play("u:us-1", "b:concentrato")
    assert "miniature.mortaio.edifici" in bunker.why_not("h:F5")
    trench = Table(
        us={"us-1": "C5 2reg 1mor in:trincea-1"},
        de={"de-1": "F5 4reg"},
        segnalini={"trench": ["C5"]},
    )
    assert "h:F5" in trench.play("u:us-1", "b:concentrato").options


@pytest.mark.rule("toi:miniature.mortaio.no-misto")
def test_a_squad_fires_its_mortar_or_its_other_figures():
    table = shell(1)
    assert table.rolled == ["4black"]
    rifles = Table(dice=[1], us={"us-1": "C5 2reg 1mor"}, de={"de-1": "G5 4reg"})
    rifles.play("u:us-1", "b:concentrato", "u:de-1", "b:normale")
    assert rifles.rolled == ["2black"]


@pytest.mark.rule("toi:miniature.mortaio.no-misto", "toi:miniature.mortaio.insieme")
def test_mortars_support_only_mortars():
    table = Table(
        us={"us-1": "C5 2mor", "us-2": "C6 2reg 1mor", "us-3": "C6 4reg"}, de={"de-1": "G5 4reg"}
    )
    table.play("u:us-1", "b:concentrato", "h:G5")
    assert table.options == {"u:us-2", "b:fuoco"}
    direct = Table(
        us={"us-1": "C5 4reg", "us-2": "C6 2mor", "us-3": "C6 4reg"}, de={"de-1": "G5 4reg"}
    )
    direct.play("u:us-1", "b:concentrato", "u:de-1")
    assert "miniature.mortaio.no-misto" in direct.why_not("u:us-2")


@pytest.mark.rule("toi:miniature.mortaio.insieme", "toi:casa.52")
def test_two_mortars_fire_together_and_a_supporting_one_adds_half():
    table = shell(1, us={"us-1": "C5 2mor", "us-2": "C6 2reg 1mor"}, answers=("u:us-2",))
    assert table.rolled == ["10black"]
    assert table.unit("us-2").activation == "fatigued"
    assert {"miniature.mortaio.insieme", "casa.52"} <= table.cited


@pytest.mark.rule("toi:ostacoli.filo-area", "toi:faq.filo-distrutto")
def test_three_successes_of_one_area_attack_destroy_wire():
    wire = {"razor wire": ["G5"]}
    table = shell((5, 5, 5, 1), segnalini=wire)
    assert not table.state.obstacles
    assert {"ostacoli.filo-area", "faq.filo-distrutto"} <= table.cited
    assert shell((5, 5, 1, 1), segnalini=wire).state.obstacles
