"""Nothing happens, and nothing fails to happen, without saying why: limits, causes, omissions."""

from __future__ import annotations

import pytest

from engine.toi.state import tables
from tests.toi.table import Table

FULL = {"us-2": "D5 4reg", "us-3": "D5 4reg", "us-4": "D5 4reg"}


def said(table: Table, *refs: str) -> list[dict]:
    """The facts of the steps that cite all of some rules."""
    wanted = {f"toi:{ref}" for ref in refs}
    return [
        {"says": step.ruling.msg.id, **step.ruling.msg.facts}
        for step in table.game.steps
        if wanted <= set(step.ruling.refs)
    ]


# --- where one may pass but not stop ----------------------------------------------------------


@pytest.mark.rule("toi:accentramento.attraversare")
@pytest.mark.parametrize(
    ("action", "verb"), [("b:fuoco-e-movimento", "b:attacca"), ("b:assalto", "b:assalta")]
)
def test_no_attack_from_a_hex_that_is_full(action, verb):
    table = Table(us={"us-1": "C5 4reg", **FULL}, de={"de-1": "E5 4reg"})
    table.play("u:us-1", action, "h:D5")
    assert {"accentramento.attraversare", "accentramento.limite"} <= table.why_not(verb)


@pytest.mark.rule("toi:nascoste.attraversamento")
@pytest.mark.parametrize(
    ("action", "verb"), [("b:fuoco-e-movimento", "b:attacca"), ("b:assalto", "b:assalta")]
)
def test_no_attack_from_a_hex_with_concealed_enemies(action, verb):
    table = Table(
        us={"us-1": "C5 4reg"},
        de={"de-1": "E5 4reg", "de-2": "D5 4reg concealed"},
        terreno={"D5": "rough"},
    )
    table.play("u:us-1", action, "h:D5")
    assert "nascoste.attraversamento" in table.why_not(verb)


# --- halved twice -----------------------------------------------------------------------------

TWICE = "modificatori.dimezza-una-volta"


@pytest.mark.rule("toi:modificatori.dimezza-una-volta", "toi:miniature.ufficiale.recupero")
def test_pinned_with_an_officer_in_wire_names_both_halvings():
    table = Table(
        us={"us-1": "C5 3reg 1uff pinned"},
        de={"de-1": "E5 4reg"},
        segnalini={"razor wire": ["C5"]},
    ).play("u:us-1")
    why = table.why_not("b:concentrato")
    assert {TWICE, "miniature.ufficiale.recupero", "ostacoli.filo-meta"} <= why
    assert "combattimento.requisiti" not in why


@pytest.mark.rule("toi:modificatori.dimezza-una-volta", "toi:azione.fm-meta", "toi:casa.44")
@pytest.mark.parametrize(
    ("marker", "cause"),
    [
        ("razor wire", "ostacoli.filo-meta"),
        ("minefield", "ostacoli.mine-meta"),
        ("smoke", "fumo.blocca"),
    ],
)
def test_fire_and_movement_under_another_halving_names_both(marker, cause):
    table = Table(
        us={"us-1": "C5 4reg engineer"}, de={"de-1": "E5 4reg"}, segnalini={marker: ["C5"]}
    ).play("u:us-1", "b:fuoco-e-movimento")
    why = table.why_not("b:attacca")
    assert {TWICE, "azione.fm-meta", cause} <= why
    assert "combattimento.requisiti" not in why
    assert ("casa.44" in why) == (marker == "razor wire")


@pytest.mark.rule("toi:combattimento.requisiti")
def test_without_a_target_the_nearest_enemy_says_why():
    table = Table(us={"us-1": "A1 4reg"}, de={"de-1": "P12 4reg", "de-2": "K1 4reg"}).play("u:us-1")
    assert {"combattimento.requisiti", "raggio.fuori"} <= table.why_not("b:concentrato")
    against = table.asked.refused["b:concentrato"]
    assert {ruling.msg.facts.get("target") for ruling in against} == {None, "de-2"}


# --- passengers -------------------------------------------------------------------------------


@pytest.mark.rule("toi:trasporto.accentramento", "toi:accentramento.trasporto")
@pytest.mark.parametrize("verb", ["b:avanzata", "b:fuoco-e-movimento", "b:assalto"])
def test_a_passenger_without_room_to_dismount_is_not_activated_for_nothing(verb):
    riders = {"us-gmc-1": "D5 gmc", "us-1": "su:us-gmc-1 4reg"}
    crowd = {"us-2": "D5 4reg", "us-3": "D5 4reg"}
    table = Table(us=riders | crowd, de={"de-1": "P1 4reg"}).play("u:us-1")
    assert {
        "trasporto.accentramento",
        "accentramento.trasporto",
        "accentramento.limite",
    } <= table.why_not(verb)
    assert verb in Table(us=riders, de={"de-1": "P1 4reg"}).play("u:us-1").options


@pytest.mark.rule("toi:casa.61", "toi:trasporto.a-bordo")
def test_a_passenger_never_waits_in_op_fire_in_any_phase():
    us = {"us-gmc-1": "D5 gmc", "us-1": "su:us-gmc-1 4reg", "us-2": "C5 4reg"}
    table = Table(us=us, de={"de-1": "P1 4reg"}).play("u:us-1")
    assert {"casa.61", "trasporto.a-bordo"} <= table.why_not("b:prepara-op")
    table = Table(us=us, de={"de-1": "P1 4reg"}, fase="status", passo="op fire step")
    assert table.asked.id == "opfire.wait"
    if "u:us-2" not in table.options:
        table.play("b:fine")
    assert "u:us-2" in table.options
    assert {"casa.61", "trasporto.a-bordo"} <= table.why_not("u:us-1")


# --- damage by op fire ------------------------------------------------------------------------


@pytest.mark.rule("toi:casa.60", "toi:miniature.carro.resistenza", "toi:danni.permane")
def test_light_damage_by_op_fire_counts_at_once_and_stays():
    table = Table(
        dice=[(6,) + (1,) * 7],
        us={"us-m4-1": "C5 m4"},
        de={"de-1": "E5 4reg op", "de-2": "P1 4reg"},
    )
    table.play("u:us-m4-1", "b:avanzata")
    before = table.state.active.mp
    table.play("h:D5", "u:de-1")
    assert table.unit("us-m4-1").damage == "light"
    assert table.state.active.mp == before - 3 - 3
    assert {"casa.60", "movimento.op-pesanti", "danni.permane"} <= table.cited


# --- what ends a movement ---------------------------------------------------------------------


@pytest.mark.rule("toi:nascoste.attraversamento", "toi:casa.07", "toi:movimento.nemici")
def test_squads_driven_out_by_a_unit_that_was_concealed_do_not_quote_the_overrun():
    table = Table(
        dice=[(5, 1, 1, 1)],
        us={"us-1": "C5 4reg"},
        de={"de-1": "D5 4reg concealed", "de-2": "F5 4reg op"},
    ).play("u:us-1", "b:avanzata", "h:D5")
    assert not table.unit("de-1").concealed
    table.play("u:de-2", "b:soppressivo")
    assert table.unit("us-1").condition == "pinned"
    assert table.unit("us-1").hex == "C5"
    assert {"nascoste.attraversamento", "casa.07"} <= table.cited
    assert not {"miniature.carro.blitz", "miniature.carro.blitz-op"} & table.cited
    assert table.unit("de-1").condition == "normal"


@pytest.mark.rule("toi:nascoste.attraversamento", "toi:movimento.nemici")
def test_a_squad_that_goes_on_pins_nobody_and_may_not_stop_among_them():
    table = Table(us={"us-1": "C5 4reg"}, de={"de-1": "D5 4reg concealed"})
    table.play("u:us-1", "b:avanzata", "h:D5")
    why = table.why_not("b:fine")
    assert {"nascoste.attraversamento", "movimento.nemici"} <= why
    assert "miniature.carro.blitz" not in why
    table.play("h:E5")
    assert table.unit("de-1").condition == "normal"


@pytest.mark.rule("toi:ostacoli.mine")
@pytest.mark.parametrize("faces", [(1, 1, 1, 1), (6, 6, 6, 6)])
def test_after_mines_the_action_ends_by_the_rule_of_mines(faces):
    table = Table(dice=[faces], us={"us-1": "C5 4reg"}, segnalini={"minefield": ["D5"]})
    table.play("u:us-1", "b:avanzata", "h:D5")
    assert table.state.active is None
    ended = [step for step in table.game.steps if type(step.event).__name__ == "ActivationEnded"]
    assert ended[-1].ruling.refs[0] == "toi:ostacoli.mine"
    assert "movimento.op-arresto" not in table.cited


@pytest.mark.rule("toi:ostacoli.mine-uscita")
def test_leaving_a_minefield_cites_its_limit_and_what_ends_the_way():
    table = Table(us={"us-1": "C5 4reg"}, segnalini={"minefield": ["C5"]})
    table.play("u:us-1", "b:avanzata", "h:D5")
    assert table.state.active is None
    assert (
        said(table, "ostacoli.mine-uscita")[0]["says"]
        == "{unit} enters {hex}: {left} movement points left"
    )
    last = said(table, "ostacoli.mine-uscita")[-1]["says"]
    assert last == "{unit} started in a minefield: one hex only"


@pytest.mark.rule("toi:azione.fm-meta", "toi:modificatori.dimezza-una-volta", "toi:casa.44")
def test_fire_and_movement_that_ends_in_wire_says_why_it_does_not_attack():
    table = Table(
        us={"us-1": "C5 4reg"}, de={"de-1": "E5 4reg"}, segnalini={"razor wire": ["D5"]}
    ).play("u:us-1", "b:fuoco-e-movimento", "h:D5")
    assert table.state.active is None
    lost = said(table, "modificatori.dimezza-una-volta", "azione.fm-meta", "ostacoli.filo-arresto")
    assert len(lost) == 1
    assert lost[0]["n"] == 2


@pytest.mark.rule("toi:movimento.punti", "toi:movimento.costo")
def test_an_advance_that_ends_by_itself_says_what_is_left():
    table = Table(us={"us-1": "C5 4reg"}, terreno=dict.fromkeys(("D5", "E5", "F5"), "woods"))
    table.play("u:us-1", "b:avanzata", "h:D5", "h:E5")
    assert table.state.active is None
    ended = said(table, "movimento.punti", "terreno.bosco")[-1]
    assert ended["left"] == 0
    assert len(said(table, "movimento.punti", "terreno.bosco")) == 1


@pytest.mark.rule("toi:azione.assalto", "toi:assalto.bersaglio")
def test_an_assault_with_nobody_to_assault_says_so():
    table = Table(us={"us-1": "C5 4reg"}, terreno=dict.fromkeys(("D5", "E5"), "rough"))
    table.play("u:us-1", "b:assalto", "h:D5", "b:fine")
    assert not said(table, "assalto.bersaglio", "movimento.costo")
    table = Table(us={"us-1": "C5 4reg"}).play("u:us-1", "b:assalto", "h:D5", "h:E5", "h:F5")
    assert len(said(table, "assalto.bersaglio", "movimento.costo")) == 1


# --- house rulings stand where they apply -----------------------------------------------------


@pytest.mark.rule("toi:casa.34", "toi:fuoco-combinato.raggio")
@pytest.mark.parametrize(("lead", "applies"), [("D5", True), ("C5", False)])
def test_casa_34_stands_only_where_an_adjacent_lead_loses_the_close_range(lead, applies):
    table = Table(dice=[1], us={"us-1": f"{lead} 4reg", "us-2": "C6 4reg"}, de={"de-1": "E5 4reg"})
    table.play("u:us-1", "b:concentrato", "u:de-1", "u:us-2", "b:normale")
    assert "fuoco-combinato.raggio" in table.cited
    assert ("casa.34" in table.cited) == applies


@pytest.mark.rule("toi:casa.32", "toi:miniature.ufficiale.recupero-veloce")
@pytest.mark.parametrize(("squad", "own"), [("3reg 1uff", True), ("4reg", False)])
def test_casa_32_stands_only_for_the_squad_of_the_officer(squad, own):
    us = {"us-1": f"C5 {squad} disrupted"} | ({} if own else {"us-2": "C5 3reg 1uff"})
    table = Table(us=us, de={"de-1": "P1 4reg"}, fase="status", passo="draw")
    assert table.unit("us-1").condition == "normal"
    assert "miniature.ufficiale.recupero-veloce" in table.cited
    assert ("casa.32" in table.cited) == own


@pytest.mark.rule("toi:casa.25", "toi:casa.42", "toi:casa.53")
def test_rulings_on_assault_stand_where_they_apply():
    def fought(*dice, us="D5 4reg", de="E5 4reg", **more):
        table = Table(dice=[*dice], us={"us-1": us}, de={"de-1": de, "de-9": "P1 4reg"}, **more)
        return table.play("u:us-1", "b:assalto", "b:assalta", "h:E5").cited

    plain = fought(1, 1)
    assert not {"casa.25", "casa.42", "casa.53"} & plain
    assert "casa.25" in fought(1, 1, segnalini={"razor wire": ["E5"]})
    assert "casa.53" in fought(1, 1, us="D5 4reg anti-tank", de="E5 251")
    assert "casa.42" in fought((6, 1, 1, 1), (6,), de="E5 1reg")


@pytest.mark.rule("toi:casa.11", "toi:casa.35")
def test_rulings_on_flames_and_hiding_stand_where_they_apply():
    def burned(de, **more):
        table = Table(dice=[1], us={"us-1": "D5 4reg flamethrower"}, de={"de-1": de}, **more)
        kind = () if "251" in de else ("b:normale",)
        return table.play("u:us-1", "b:concentrato", "u:de-1", *kind).cited

    rough = {"terreno": {"E5": "rough"}}
    assert "casa.11" not in burned("E5 4reg", **rough)
    assert "casa.11" in burned("E5 251", **rough)
    for trench in (False, True):
        hidden = "F5 4reg concealed" + (" in:trincea-1" if trench else "")
        more = {"segnalini": {"trench": ["F5"]}} if trench else {}
        table = Table(us={"us-1": "C5 4reg"}, de={"de-1": hidden}, **more)
        table.play("u:us-1", "b:avanzata", "h:D5")
        assert not table.unit("de-1").concealed
        assert ("casa.35" in table.cited) == trench


# --- who is passed over -----------------------------------------------------------------------


@pytest.mark.rule("toi:fumo.assalto-contro", "toi:assalto.1-supporto")
def test_an_assault_into_smoke_says_who_cannot_support_and_why():
    table = Table(
        dice=[1, 1],
        us={"us-1": "D5 4reg", "us-2": "D6 4reg", "us-3": "A1 4reg"},
        de={"de-1": "E5 4reg", "de-2": "P1 4reg"},
        segnalini={"smoke": ["E5"]},
    ).play("u:us-1", "b:assalto", "b:assalta", "h:E5")
    (line,) = said(table, "assalto.1-supporto", "fumo.assalto-contro")
    assert line["units"] == ("us-2",)
    assert said(table, "assalto.1-supporto", "modificatori.dimezza-una-volta")


@pytest.mark.rule("toi:assalto.1-supporto")
def test_an_assault_without_neighbours_says_nothing_of_support():
    table = Table(
        dice=[1, 1],
        us={"us-1": "D5 4reg", "us-2": "C5 4reg"},
        de={"de-1": "E5 4reg", "de-2": "P1 4reg"},
    ).play("u:us-1", "b:assalto", "b:assalta", "h:E5")
    assert not said(table, "assalto.1-supporto")


@pytest.mark.rule("toi:miniature.mortaio.no-op", "toi:miniature.mortaio.no-misto")
def test_mortars_left_out_of_direct_fire_are_named():
    table = Table(dice=[1], us={"us-1": "C5 4reg"}, de={"de-1": "F5 2reg 1mor op"})
    table.play("u:us-1", "b:avanzata", "h:D5", "u:de-1", "b:normale")
    (line,) = said(table, "miniature.mortaio.no-op")
    assert (line["unit"], line["parts"]) == ("de-1", ("mortars",))
    table = Table(dice=[1], us={"us-1": "C5 2reg 1mor"}, de={"de-1": "F5 4reg"})
    table.play("u:us-1", "b:concentrato", "u:de-1", "b:normale")
    (line,) = said(table, "miniature.mortaio.no-misto")
    assert line["parts"] == ("mortars",)


@pytest.mark.rule("toi:combattimento.miste", "toi:raggio.fuori", "toi:casa.56")
def test_figures_left_out_say_whether_by_range_or_by_choice():
    def fire(there, *answers):
        table = Table(dice=[1], us={"us-1": "C5 2reg 1mg"}, de={"de-1": f"{there} 4reg"})
        return table.play("u:us-1", "b:concentrato", "u:de-1", *answers, "b:normale")

    (line,) = said(fire("M5"), "combattimento.miste", "raggio.fuori")
    assert line["parts"] == ("rifles",)
    (line,) = said(fire("F5", "b:mitragliatrici"), "combattimento.miste", "casa.56")
    assert line["parts"] == ("rifles",)
    assert not said(fire("F5", "b:tutti"), "combattimento.miste", "casa.56")


@pytest.mark.rule("toi:specializzazioni.condizione")
@pytest.mark.parametrize(
    ("token", "target"), [("flamethrower", "E5 4reg"), ("anti-tank", "E5 251")]
)
def test_a_suspended_specialist_is_named(token, target):
    table = Table(dice=[1], us={"us-1": f"D5 3reg 1uff {token} pinned"}, de={"de-1": target})
    kind = ("b:normale",) if "reg" in target else ()
    table.play("u:us-1", "b:concentrato", "u:de-1", *kind)
    (line,) = said(table, "specializzazioni.condizione")
    assert line["parts"] == (token,)


@pytest.mark.rule("toi:casa.20", "toi:trasporto.a-bordo")
def test_an_officer_aboard_helps_nobody_and_it_is_said():
    us = {"us-gmc-1": "C5 gmc", "us-2": "su:us-gmc-1 3reg 1uff", "us-1": "C5 4reg pinned"}
    table = Table(us=us, de={"de-1": "E5 4reg"}).play("u:us-1")
    assert {"condizioni.bloccata", "casa.20"} <= table.why_not("b:concentrato")
    table = Table(dice=[1], us=us | {"us-1": "C5 4reg"}, de={"de-1": "E5 4reg"}, turno="de")
    table.play("u:de-1", "b:concentrato", "u:us-1", "b:soppressivo")
    assert said(table, "casa.20", "trasporto.a-bordo")
    table = Table(
        us=us | {"us-1": "C5 4reg disrupted"}, de={"de-1": "P1 4reg"}, fase="status", passo="draw"
    )
    assert table.unit("us-1").condition == "pinned"
    assert said(table, "casa.20", "stato.disgregate")


@pytest.mark.rule("toi:casa.20", "toi:specializzazioni.medico.bendaggio")
def test_medics_aboard_help_nobody_and_it_is_said():
    us = {"us-gmc-1": "C5 gmc", "us-2": "su:us-gmc-1 4reg medic", "us-1": "C5 4reg"}
    table = Table(dice=[1], us=us, de={"de-1": "E5 4reg"}, turno="de")
    table.play("u:de-1", "b:concentrato", "u:us-1", "b:normale")
    assert said(table, "casa.20", "trasporto.a-bordo")
    assert table.tally("Cover") == []


@pytest.mark.rule("toi:fuoco-combinato.requisiti", "toi:azione.concentrato")
def test_a_fire_without_support_says_who_could_not_give_it():
    us = {"us-1": "C5 4reg", "us-2": "C6 4reg fatigued", "us-3": "P1 4reg fatigued"}
    table = Table(dice=[1], us=us, de={"de-1": "E5 4reg"})
    table.play("u:us-1", "b:concentrato", "u:de-1", "b:normale")
    (line,) = said(table, "fuoco-combinato.requisiti")
    assert line["units"] == ("us-2",)
    alone = Table(dice=[1], us={"us-1": "C5 4reg"}, de={"de-1": "E5 4reg"})
    alone.play("u:us-1", "b:concentrato", "u:de-1", "b:normale")
    assert not said(alone, "fuoco-combinato.requisiti")


@pytest.mark.rule("toi:fuoco-op.innesco", "toi:fuoco-op.una-per-attivazione", "toi:raggio.fuori")
def test_nobody_in_op_fire_is_asked_and_it_is_said_why_once():
    table = Table(us={"us-1": "A1 4reg"}, de={"de-1": "P12 4reg op", "de-2": "P11 4reg op"})
    table.play("u:us-1", "b:avanzata", "h:B1", "h:C1")
    (line,) = said(table, "fuoco-op.innesco", "raggio.fuori")
    assert line["hex"] == "B1"
    assert len(line["units"]) == 1
    table = Table(dice=[1], us={"us-1": "B5 4reg"}, de={"de-1": "F5 1mg op"})
    table.play("u:us-1", "b:avanzata", "h:C5", "u:de-1", "b:normale", "h:D5")
    (line,) = said(table, "fuoco-op.innesco", "fuoco-op.una-per-attivazione")
    assert (line["hex"], line["units"]) == ("D5", ("de-1",))


@pytest.mark.rule("toi:attacco.3-tipo")
@pytest.mark.parametrize("kind", ["normale", "soppressivo"])
def test_the_kind_of_attack_is_declared_before_the_roll(kind):
    table = Table(dice=[1], us={"us-1": "C5 4reg"}, de={"de-1": "E5 4reg"})
    table.play("u:us-1", "b:concentrato", "u:de-1", f"b:{kind}")
    (line,) = said(table, "attacco.3-tipo")
    assert line["kind"] == {"normale": "normal attack", "soppressivo": "suppressive attack"}[kind]


@pytest.mark.rule("toi:danni.squadra", "toi:attacco.6-assegna")
def test_who_falls_names_the_attack_and_hits_beyond_the_last_figure():
    table = Table(dice=[6], us={"us-1": "C5 4reg"}, de={"de-1": "E5 2reg", "de-2": "P1 4reg"})
    table.play("u:us-1", "b:concentrato", "u:de-1", "b:normale")
    assert said(table, "danni.squadra", "attacco.6-assegna")
    assert [line["n"] for line in said(table, "danni.squadra") if "n" in line] == [2]
    table = Table(dice=[(6, 1, 1, 1)], us={"us-1": "C5 4reg"}, de={"de-1": "E5 1reg 1eli"})
    table.play("u:us-1", "b:concentrato", "u:de-1", "b:normale", "b:de_eli")
    assert said(table, "danni.squadra")[-1]["says"] == (
        "{unit} loses {figure}, by choice of its owner"
    )


@pytest.mark.rule("toi:danni.veicolo-integro", "toi:danni.veicolo-grave", "toi:casa.36")
@pytest.mark.parametrize(
    ("damage", "line"), [("", "danni.veicolo-integro"), ("heavy", "danni.veicolo-grave")]
)
def test_a_destroyed_vehicle_names_the_line_of_the_table(damage, line):
    table = Table(
        dice=[(6,) * 4 + (1,)], us={"us-1": "C5 4reg"}, de={"de-251-1": f"D5 251 {damage}"}
    )
    if damage:
        table = Table(dice=[(6,) * 4], us={"us-1": "C5 4reg"}, de={"de-251-1": f"D5 251 {damage}"})
    table.play("u:us-1", "b:concentrato", "u:de-251-1")
    assert table.is_gone("de-251-1")
    assert said(table, line)[-1]["says"] == "{unit} is destroyed"
    assert "casa.36" not in table.cited


@pytest.mark.rule("toi:assalto.10-avanzata", "toi:faq.assalto-nascoste", "toi:casa.26")
def test_what_does_not_happen_after_an_assault_is_said():
    us = {"us-1": "D5 4reg"}
    de = {"de-1": "E5 1uff", "de-2": "E5 4reg concealed", "de-9": "P1 4reg"}
    table = Table(dice=[(6, 1, 1, 1, 1), (1,)], us=us, de=de, terreno={"E5": "rough"})
    table.play("u:us-1", "b:assalto", "b:assalta", "h:E5", "b:nascosta")
    assert said(table, "casa.26")
    assert said(table, "faq.assalto-nascoste")[0]["says"] == "{unit} stays out of it"
    table.play("h:F5", "b:no")
    assert said(table, "assalto.10-avanzata")[0]["says"] == "Nobody advances into {hex}"
    tired = Table(
        dice=[(6, 6, 1), (6,)],
        us={"us-1": "D5 1reg", "us-2": "D6 4reg fatigued"},
        de={"de-1": "E5 1reg", "de-9": "P1 4reg"},
    )
    tired.play("u:us-1", "b:assalto", "b:assalta", "h:E5", "u:us-2")
    (line,) = said(tired, "assalto.10-avanzata")
    assert line["units"] == ("us-2",)
    hits = [line for line in said(tired, "assalto.7-perdite-difensore") if "n" in line]
    assert [line["n"] for line in hits] == [2, 1]


# --- phases -----------------------------------------------------------------------------------


@pytest.mark.rule("toi:stato.op", "toi:condizioni.op", "toi:casa.37")
def test_nobody_to_put_in_op_fire_is_said_with_the_reasons():
    table = Table(
        us={"us-1": "C5 4reg pinned"}, de={"de-1": "P1 4reg"}, fase="status", passo="op fire step"
    )
    line = [one for one in said(table, "stato.op", "casa.37") if "units" in one]
    assert [one["units"] for one in line] == [("us-1", "us-gmc-9")]
    assert said(table, "stato.op", "condizioni.op")


@pytest.mark.rule("toi:round.fasi", "toi:comando.passi", "toi:casa.12")
def test_a_phase_begins_in_one_line():
    table = Table(us={"us-1": "C5 4reg fatigued"}, de={"de-1": "P1 4reg fatigued"}, idle=False)
    begun = [one["says"] for one in said(table, "round.fasi")]
    assert begun[:2] == ["Command Phase of round {n}", "Status Phase of round {n}"]
    assert "casa.12" not in table.cited
    assert said(table, "comando.spesa")[1]["says"] == (
        "{side} has no command to spend and no card to play"
    )


@pytest.mark.rule("toi:casa.52", "toi:miniature.mortaio.insieme", "toi:azione.supporta")
def test_mortars_that_support_cite_how_they_do_it():
    us = {"us-1": "C5 2mor", "us-2": "C6 2reg 1mor"}
    table = Table(dice=[1], us=us, de={"de-1": "H5 4reg"})
    table.play("u:us-1", "b:concentrato", "h:H5", "u:us-2", "b:normale")
    (line,) = said(table, "miniature.mortaio.insieme", "casa.52", "azione.supporta")
    assert (line["unit"], line["lead"]) == ("us-2", "us-1")
    assert said(table, "miniature.mortaio.soglia", "casa.52")


# --- cards and operations are named where they count -------------------------------------------


def line(table, locator, tally):
    """The facts of the lines of a running total under a rule."""
    return table.told(locator, "card", of=tally) + table.told(locator, "card", "source", of=tally)


@pytest.mark.rule("toi:operazioni.generale", "toi:miniature.ufficiale.determinazione")
def test_an_officer_and_the_operation_that_strengthens_him_are_two_lines():
    table = Table(
        dice=[1], us={"us-1": "C5 4reg"}, de={"de-1": "F5 3reg 1uff"}, operazioni={"de": ["op-09"]}
    ).play("u:us-1", "b:concentrato", "u:de-1", "b:soppressivo")
    assert table.totals("Cover") == [1, 2]
    assert [facts["card"] for facts in line(table, "operazioni.generale", "Cover")] == ["op-09"]


@pytest.mark.rule("toi:strategia.area-di-gioco", "toi:miniature.ufficiale.determinazione")
def test_a_card_that_reaches_adjacent_squads_is_named_in_the_line_of_the_officer():
    table = Table(
        dice=[1],
        us={"us-1": "C5 4reg"},
        de={"de-1": "F5 4reg", "de-2": "G5 3reg 1uff"},
        area={"de": ["mor1-06"]},
    ).play("u:us-1", "b:concentrato", "u:de-1", "b:soppressivo")
    steps = [step for step in table.steps if step.tally and step.tally.name == "Cover"]
    assert [step.ruling.msg.facts.get("card") for step in steps] == ["mor1-06"]


@pytest.mark.rule("toi:specializzazioni.scenario", "toi:operazioni.generale")
@pytest.mark.parametrize(("op", "markers", "answers"), [
    ("op-04", {}, ("b:fumo", "h:C5")),
    ("op-05", {"minefield": ["D5"]}, ("b:bonifica",)),
    ("op-06", {}, ("b:reticolati",)),
])  # fmt: skip
def test_a_special_action_names_the_operation_that_allows_it(op, markers, answers):
    table = Table(
        us={"us-1": "C5 4reg engineer"},
        de={"de-1": "P5 4reg"},
        segnalini=markers,
        operazioni={"us": [op]},
    ).play("u:us-1", *answers)
    assert table.fact("specializzazioni.scenario", "card") == op


@pytest.mark.rule("toi:strategia.area-di-gioco", "toi:strategia.carta-prevale")
def test_a_card_discarded_for_its_effect_lights_the_discard_and_its_number_its_source():
    table = Table(
        dice=[1], us={"us-1": "C5 4reg"}, de={"de-1": "F5 4reg"}, area={"de": ["mor1-02"]}
    ).play("u:us-1", "b:concentrato", "u:de-1", "b:normale", "b:si")
    anchors = {anchor for step in table.steps for anchor in step.ruling.anchors}
    assert "toi:strategia.area-di-gioco#scarta" in anchors
    assert "toi:strategia.area-di-gioco#restano" not in anchors
    assert line(table, "strategia.area-di-gioco", "Cover") == [
        {"card": "mor1-02", **tables.doubt(tables.CARDS["mor1-02"].provenance)}
    ]


@pytest.mark.rule("toi:strategia.carta-prevale")
def test_the_bonus_of_an_assault_names_its_card():
    table = Table(
        dice=[1, 1],
        us={"us-1": "C5 4reg"},
        de={"de-1": "D5 4reg"},
        mano={"us": ["mor1-10"]},
        comando={"us": 9},
    ).play("c:mor1-10", "u:us-1", "b:assalta", "h:D5")
    named = [facts["card"] for facts in line(table, "strategia.carta-prevale", "Assault firepower")]
    assert named == ["mor1-10"]


@pytest.mark.rule("toi:stato.op")
def test_who_is_passed_over_after_others_went_in_op_fire_is_not_nobody():
    given = {"de": {"de-1": "P1 4reg"}, "fase": "status", "passo": "op fire step"}
    table = Table(us={"us-1": "C5 4reg"}, **given).play("u:us-1")
    assert "Nobody else can go in op fire: {units}" in {s.ruling.msg.id for s in table.steps}


@pytest.mark.rule("toi:stato.trasferimenti", "toi:stato.trasf-specializzate")
def test_a_transfer_that_nobody_can_make_names_the_squads_of_one_hex_and_why():
    given = {"de": {"de-1": "P1 4reg"}, "fase": "status", "passo": "transfers"}
    us = {"us-1": "C5 3reg engineer", "us-2": "C5 3reg", "us-3": "E5 3reg"}
    table = Table(us=us, **given)
    told = said(table, "stato.trasferimenti", "stato.trasf-specializzate")
    assert [one["units"] for one in told] == [("us-1", "us-2")]
    alone = Table(us={"us-1": "C5 3reg", "us-2": "E5 3reg"}, **given)
    assert not [one for one in said(alone, "stato.trasferimenti") if "units" in one]


@pytest.mark.rule("toi:stato.rinforzi")
def test_a_round_without_reinforcements_says_so():
    given = {"de": {"de-1": "P1 4reg"}, "fase": "status", "passo": "arrivals"}
    table = Table(us={"us-1": "C5 4reg"}, **given)
    words = [one["says"] for one in said(table, "stato.rinforzi")]
    assert words.count("{side} has no reinforcements in this round") == 2
