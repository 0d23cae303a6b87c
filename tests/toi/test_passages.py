"""The sentence or the cell of a rule that a step applied, and rules that do not apply to it."""

from __future__ import annotations

import pytest

from engine.toi.rules.reinforcements import why_not_arrive
from engine.toi.rules.setup import why_not_stand
from engine.toi.state.events import ActivationEnded
from tests.toi.table import Table


def lit(table):
    """Every passage that a step so far has applied."""
    return {anchor.partition(":")[2] for step in table.game.steps for anchor in step.ruling.anchors}


def lit_against(table, option):
    """The passages that refuse an option."""
    rulings = table.asked.refused[option]
    return {anchor.partition(":")[2] for one in rulings for anchor in one.anchors}


def hold(*chance, cards, **position):
    return Table(
        dice=chance,
        **{
            "us": {"us-1": "C5 4reg"},
            "de": {"de-1": "G5 4reg"},
            "mano": {"us": list(cards)},
            "comando": {"us": 9},
            **position,
        },
    )


# --- rules that apply only to some ------------------------------------------------------------


@pytest.mark.rule("toi:definizioni.pronta", "toi:definizioni.affaticata")
def test_a_unit_in_op_fire_is_not_ready_but_not_fatigued_either():
    table = Table(us={"us-1": "C5 4reg op", "us-2": "C6 4reg fatigued"})
    assert "definizioni.affaticata" not in table.why_not("u:us-1")
    assert "definizioni.pronta#in-op" in lit_against(table, "u:us-1")
    assert "definizioni.affaticata" in table.why_not("u:us-2")
    assert "definizioni.pronta#senza-segnalino" in lit_against(table, "u:us-2")


@pytest.mark.rule("toi:azione.carta", "toi:comando.carte")
def test_what_costs_too_much_is_refused_by_the_rule_of_its_phase():
    table = hold(cards=["mor1-09"], comando={"us": 1})
    assert "azione.carta" in table.why_not("c:mor1-09")
    assert "comando.carte" not in table.why_not("c:mor1-09")
    late = hold(cards=["mor1-06"], comando={"us": 1}, fase="command", idle=False)
    assert "comando.carte" in late.why_not("c:mor1-06")
    assert "azione.carta" not in late.why_not("c:mor1-06")


@pytest.mark.rule("toi:nascoste.immunita", "toi:strategia.carta-prevale")
def test_a_card_for_squads_refuses_vehicles_without_calling_them_concealed():
    units = {"de-1": "G5 4reg", "de-2": "G5 4reg concealed", "de-opel-1": "F5 opel"}
    table = hold(cards=["mor1-09"], de=units, terreno={"G5": "woods"})
    table.play("c:mor1-09")
    assert "nascoste.immunita" in table.why_not("u:de-2")
    assert "nascoste.immunita" not in table.why_not("u:de-opel-1")


@pytest.mark.rule("toi:strategia.carta-prevale")
def test_a_trench_of_a_card_comes_from_the_card():
    table = hold(cards=["ter1-03"]).play("c:ter1-03", "h:C5")
    built = [step for step in table.game.steps if "trincea-1" in step.ruling.msg.facts.values()]
    assert [step.ruling.refs for step in built] == [("toi:strategia.carta-prevale",)]


@pytest.mark.rule("toi:specializzazioni.assegnazione", "toi:definizioni.armi-pesanti")
def test_a_token_of_a_card_goes_neither_to_vehicles_nor_to_heavy_weapons():
    units = {"us-1": "C5 4reg", "us-2": "C5 2reg 1mg", "us-gmc-1": "C6 gmc"}
    table = hold(cards=["ter1-04"], us=units, fase="command", idle=False).play("c:ter1-04")
    assert "definizioni.armi-pesanti" in table.why_not("u:us-2")
    assert "definizioni.armi-pesanti" not in table.why_not("u:us-gmc-1")
    assert lit_against(table, "u:us-gmc-1") == {"specializzazioni.assegnazione#squadre"}


@pytest.mark.rule("toi:assalto.7-perdite-difensore", "toi:assalto.7-veicoli")
@pytest.mark.parametrize("hit", ["de-1", "de-opel-1"])
def test_only_a_vehicle_takes_no_more_hits_than_destroy_it(hit):
    table = Table(
        dice=((4, 4, 4, 4, 1, 1, 1, 1), 1),
        us={"us-1": "C5 4eli"},
        de={"de-1": "D5 1reg", "de-2": "D5 4reg", "de-opel-1": "D5 opel light"},
    )
    table.play("u:us-1", "b:assalto", "b:assalta", "h:D5", f"u:{hit}")
    is_vehicle = hit == "de-opel-1"
    assert ("assalto.7-veicoli" in table.why_not(f"u:{hit}")) is is_vehicle


@pytest.mark.rule("toi:miniature.mortaio.insieme", "toi:miniature.mortaio.area")
def test_one_mortar_does_not_fire_together_with_another():
    for words, together in (("C5 2reg 1mor", False), ("C5 2mor", True)):
        table = Table(dice=(1,), us={"us-1": words}, de={"de-1": "G5 4reg"})
        table.play("u:us-1", "b:concentrato", "h:G5", "b:soppressivo")
        assert ("miniature.mortaio.insieme" in table.cited) is together
        assert "miniature.mortaio.area#mortaio/soppressivo" in lit(table)


@pytest.mark.rule("toi:fortificazioni.bunker", "toi:movimento.altri-usi")
@pytest.mark.parametrize(("kind", "name"), [("bunker", "bunker"), ("trench", "trincea")])
def test_too_few_points_for_a_shelter_cite_that_kind_of_shelter(kind, name):
    table = Table(us={"us-1": "C5 4reg"}, de={"de-1": "I5 4reg"}, segnalini={kind: ["F5"]})
    table.play("u:us-1", "b:fuoco-e-movimento", "h:D5", "h:E5", "h:F5")
    assert lit_against(table, f"b:entra-{name}-1") == {
        f"fortificazioni.{name}#costo",
        "movimento.altri-usi#movimento-altri-usi/Entrare in trincea o bunker",
    }


@pytest.mark.rule("toi:terreno.lettura")
def test_terrain_that_admits_nobody_is_refused_by_the_rule_of_terrain():
    table = Table(us={"us-1": "C5 4reg"}, terreno={"E5": "lake"})
    (against,) = why_not_stand(table.state, table.unit("us-1"), frozenset({"E5"}), "E5")
    assert against.anchors == ("toi:terreno.lettura#terreni/lago",)


@pytest.mark.rule("toi:azione.affaticamento", "toi:azione.speciale")
@pytest.mark.parametrize(
    ("card", "answers"),
    [("op-04", ("b:fumo",)), ("op-05", ("b:bonifica",)), ("op-06", ("b:reticolati",))],
)
def test_a_special_action_of_a_card_fatigues_like_any_action(card, answers):
    table = Table(
        us={"us-1": "C5 4reg engineer"},
        segnalini={"minefield": ["D5"]},
        operazioni={"us": [card]},
    )
    table.play("u:us-1", *answers)
    assert "azione.affaticamento#affaticata" in lit(table)
    assert table.unit("us-1").activation == "fatigued"


@pytest.mark.rule("toi:ostacoli.mine")
def test_the_action_of_a_squad_killed_by_mines_is_over():
    table = Table(dice=(4,), us={"us-1": "C5 4reg"}, segnalini={"minefield": ["D5"]})
    table.play("u:us-1", "b:avanzata", "h:D5")
    assert table.is_gone("us-1")
    assert table.game.steps[-1].ruling.anchors == ("toi:ostacoli.mine#affaticata",)
    assert "azione.affaticamento" not in table.cited


@pytest.mark.rule("toi:azione.unita-attiva", "toi:fuoco-op.effetto")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [("C5 1reg", "azione.unita-attiva#attiva"), ("C5 gmc light", "fuoco-op.effetto#danneggia")],
)
def test_the_action_of_a_unit_killed_by_op_fire_is_over(words, sentence):
    table = Table(dice=(6,), us={"us-1": words}, de={"de-pz4-1": "F5 pz4 op"})
    table.play("u:us-1", "b:avanzata", "h:D5", "u:de-pz4-1")
    if table.asked.id == "fire.kind":
        table.play("b:normale")
    assert table.is_gone("us-1")
    ends = [step for step in table.game.steps if isinstance(step.event, ActivationEnded)]
    assert [step.ruling.anchors for step in ends] == [(f"toi:{sentence}",)]


@pytest.mark.rule("toi:azione.fm", "toi:combattimento.miste")
@pytest.mark.parametrize(("words", "mixed"), [("C5 4reg", True), ("C5 m4", False)])
def test_one_attack_of_fire_and_movement(words, mixed):
    table = Table(dice=(1,), us={"us-1": words}, de={"de-1": "F5 4reg"})
    table.play("u:us-1", "b:fuoco-e-movimento", "b:attacca", "u:de-1", "b:normale")
    assert "azione.fm#un-attacco" in lit_against(table, "b:attacca")
    assert ("combattimento.miste" in table.why_not("b:attacca")) is mixed


@pytest.mark.rule("toi:condizioni.op", "toi:casa.47")
@pytest.mark.parametrize(("state", "ready"), [("", True), ("fatigued", False)])
def test_only_a_ready_squad_stays_ready_when_it_is_pinned(state, ready):
    table = Table(dice=(6,), us={"us-1": "C5 1reg"}, de={"de-1": f"F5 4reg {state}"})
    table.play("u:us-1", "b:concentrato", "u:de-1", "b:soppressivo")
    assert table.unit("de-1").condition == "pinned"
    assert "casa.47" in table.cited
    assert ("condizioni.op" in table.cited) is ready


@pytest.mark.rule("toi:casa.25")
@pytest.mark.parametrize("marker", ["razor wire", "minefield", ""])
def test_wire_and_mines_are_named_where_they_do_not_halve_the_defence(marker):
    table = Table(
        dice=(1, 1),
        us={"us-1": "C5 4reg"},
        de={"de-1": "D5 4reg"},
        segnalini={marker: ["D5"]} if marker else {},
    )
    table.play("u:us-1", "b:assalto", "b:assalta", "h:D5")
    assert ("casa.25" in table.cited) is bool(marker)


@pytest.mark.rule("toi:faq.avanzata-fortificazione")
@pytest.mark.parametrize("works", [{"trench": ["D5"]}, {}])
def test_who_advances_stays_out_of_a_trench_where_there_is_one(works):
    table = Table(dice=(6, 1), us={"us-1": "C5 4reg"}, de={"de-1": "D5 1reg"}, segnalini=works)
    table.play("u:us-1", "b:assalto", "b:assalta", "h:D5", "u:us-1")
    assert table.unit("us-1").hex == "D5"
    assert not table.unit("us-1").fort
    assert ("faq.avanzata-fortificazione" in table.cited) is bool(works)


@pytest.mark.rule("toi:strategia.no-rimescola")
@pytest.mark.parametrize(("gone", "last"), [(9, True), (8, False)])
def test_a_deck_is_used_up_by_its_last_card(gone, last):
    cards = [f"mor1-{n:02}" for n in range(10, 10 - gone, -1)]
    table = hold("mor1-01", cards=cards, mazzi={"us": ["mor1"]}, fase="command")
    table.play("c:mor1-08")
    assert "mor1-01" in table.state.armies["us"].hand
    assert ("strategia.no-rimescola#esaurito" in lit(table)) is last


@pytest.mark.rule("toi:combattimento.miste", "toi:specializzazioni.condizione")
def test_what_an_attack_leaves_out_says_why():
    far = Table(dice=(1,), us={"us-1": "C5 2reg 1mg"}, de={"de-1": "L5 4reg"})
    far.play("u:us-1", "b:concentrato", "u:de-1", "b:normale")
    assert "combattimento.miste#senza-requisiti" in lit(far)
    near = Table(dice=(1,), us={"us-1": "C5 2reg 1mg"}, de={"de-1": "F5 4reg"})
    near.play("u:us-1", "b:concentrato", "u:de-1", "b:mitragliatrici", "b:normale")
    assert "combattimento.miste#lasciare-fuori" in lit(near)
    assert "combattimento.miste#senza-requisiti" not in lit(near)


# --- passages survive the joining of rulings --------------------------------------------------


@pytest.mark.rule("toi:raggio.distanza", "toi:attacco.5-colpi")
@pytest.mark.parametrize(
    ("hex", "row", "band"),
    [
        ("D5", "1", "raggio.ravvicinato#adiacente"),
        ("F5", "da 2 al raggio", "raggio.normale#fascia"),
        ("I5", "oltre il raggio, fino al doppio", "raggio.lungo#fascia"),
    ],
)
def test_the_range_lights_its_row(hex, row, band):
    table = Table(dice=(1,), us={"us-1": "C5 4reg"}, de={"de-1": f"{hex} 4reg"})
    table.play("u:us-1", "b:concentrato", "u:de-1", "b:normale")
    assert {f"raggio.distanza#fasce/{row}", band} <= lit(table)
    assert len([one for one in lit(table) if one.startswith("raggio.distanza#")]) == 1
    assert len([one for one in lit(table) if one.startswith("attacco.5-colpi#")]) == 1


@pytest.mark.rule("toi:modificatori.dimezza-una-volta", "toi:ostacoli.filo-meta")
def test_a_ruling_that_follows_from_others_keeps_their_passages():
    table = Table(
        us={"us-1": "C5 4reg", "us-2": "C6 4reg", "us-3": "C5 4reg"},
        de={"de-1": "F5 4reg"},
        segnalini={"razor wire": ["C6"]},
    )
    table.play("u:us-1", "b:concentrato", "u:de-1")
    assert lit_against(table, "u:us-2") == {
        "modificatori.dimezza-una-volta#due",
        "fuoco-combinato.meta#meta",
        "ostacoli.filo-meta#meta",
    }


@pytest.mark.rule("toi:stato.rinforzi-limiti", "toi:accentramento.limite")
def test_a_full_hex_refuses_reinforcements_by_both_limits():
    full = {f"us-{n}": "C5 4reg" for n in (1, 2, 3)}
    table = Table(us={**full, "us-4": "A1 4reg"}, de={"de-1": "P1 4reg"})
    (against,) = why_not_arrive(table.state, table.unit("us-4"), "C5", ("C5",))
    assert set(against.anchors) == {
        "toi:stato.rinforzi-limiti#limite",
        "toi:accentramento.limite#tre",
    }


# --- the price of a step ----------------------------------------------------------------------


@pytest.mark.rule("toi:terreno.montagna", "toi:terreno.bosco", "toi:casa.22")
@pytest.mark.parametrize(
    ("position", "passages"),
    [
        (
            {"terreno": {"D5": "open 1"}},
            {"terreno.montagna#collina/da un esagono più basso (salita)"},
        ),
        (
            {"terreno": {"C5": "open 1", "D5": "open 1"}},
            {"terreno.montagna#collina/dallo stesso livello"},
        ),
        ({"terreno": {"D5": "woods"}}, {"terreno.bosco#costo"}),
        ({"terreno": {"D5": "ford"}}, {"terreno.fiume#fiume/guadabile"}),
        (
            {"terreno": {"D5": "woods 1"}},
            {"terreno.montagna#piu-alto", "terreno.bosco#costo"},
        ),
    ],
)
def test_a_step_lights_what_its_price_comes_from(position, passages):
    table = Table(us={"us-1": "C5 4reg"}, **position).play("u:us-1", "b:avanzata", "h:D5")
    found = {one for one in lit(table) if one.startswith("terreno.")}
    assert found == passages
