"""What did not happen, and why: one line, told to nobody whom it would tell something."""

from __future__ import annotations

import pytest

from tests.warfare.table import FAR, Table, attack, u

FPV = {"us_drone_fpv": {"lato": "blu"}}
LARGE = {"us_drone_mq": {"lato": "blu"}}
GREEN = {"blu": 20, "verde": 30}


def line(game, msgid):
    """The only step with this message: its facts, its rules, from whom it is hidden."""
    found = [step for step in game.steps if step.ruling.msg.id.startswith(msgid)]
    assert len(found) == 1, [step.ruling.msg for step in found]
    refs = {ref.partition(":")[2] for ref in found[0].ruling.refs}
    return dict(found[0].ruling.msg.facts), refs, found[0].hidden_from


SILENT = "{units} in overwatch cannot fire"


def watched(watcher, mover, path, **given):
    """A green unit walks before a blue one in overwatch."""
    units = {"b1": watcher, "v1": mover, "v2": FAR}
    game = Table(unita=units, caselle=GREEN, **given)
    game.go("v1", *path)
    return game


@pytest.mark.rule(
    "warfare:overwatch.fuoco", "warfare:los.popolazione", "warfare:arbitrato.los_popolazione"
)
def test_a_watcher_behind_civilians_is_told_why_it_cannot_fire():
    game = watched(
        u("usmc_squad", "C5", overwatch="si"),
        u("ins_cellula", "H5"),
        ["G5", "F5"],
        popolazione={"p1": {"esagono": "D5"}, "p2": {"esagono": "E5"}},
    )
    facts, refs, hidden = line(game, SILENT)
    assert facts == {"units": ("b1",), "target": "v1", "hex": "F5", "why": ("population",)}
    assert {"overwatch.fuoco", "los.popolazione", "arbitrato.los_popolazione"} <= refs
    assert hidden == ("verde",)


WATCHERS = [
    (u("usmc_squad", "A5", overwatch="si"), u("ins_cellula", "H5"), {}, "fuoco.passo3", "range"),
    (u("us_recon", "D5", overwatch="si"), u("ins_tecnica", "H5"), {}, "fuoco.leggere", "weapons"),
    (
        u("usmc_squad", "D5", overwatch="si"),
        u("ins_cellula", "H5"),
        {"fumo": ["D5"]},
        "fumogeni.effetto",
        "smoke",
    ),
    (
        u("usmc_squad", "D5", overwatch="si"),
        u("ins_cellula", "H5"),
        {"blocchi": ["E5", "F5", "E6", "F4"]},
        "los.blocchi_macerie",
        "line of sight",
    ),
    (
        u("usmc_squad", "D5", overwatch="si"),
        u("ins_cellula", "H5"),
        {"popolazione": {"p1": {"esagono": "G5"}}},
        "ostaggi.scudo",
        "population",
    ),
]


@pytest.mark.rule("warfare:overwatch.fuoco", "warfare:fuoco.passo3", "warfare:ostaggi.scudo")
@pytest.mark.parametrize(("watcher", "mover", "given", "ref", "why"), WATCHERS)
def test_each_reason_why_a_watcher_cannot_fire(watcher, mover, given, ref, why):
    game = watched(watcher, mover, ["G5"], **given)
    facts, refs, hidden = line(game, SILENT)
    assert facts["why"] == (why,)
    assert {"overwatch.fuoco", ref} <= refs
    assert hidden == ("verde",)


@pytest.mark.rule("warfare:overwatch.fuoco", "warfare:stealth.abilita", "warfare:tiratore.limiti")
def test_nothing_is_said_where_a_watcher_could_fire_or_may_not_be_asked():
    near = u("usmc_squad", "D5", overwatch="si")
    game = watched(near, u("ins_cellula", "H5"), ["G5"])
    assert game.asked.id == "overwatch.who"
    game.play("b:attendi")
    assert not [s for s in game.steps if s.ruling.msg.id.startswith(SILENT)]
    units = {"b1": u("usmc_squad", "A5", overwatch="si"), "v1": u("ins_vedette", "H5"), "v2": FAR}
    game = Table(unita=units, caselle=GREEN)
    game.play("u:v1", "b:muovi", "b:stealth", "h:G5", "b:vai")
    assert not [s for s in game.steps if s.ruling.msg.id.startswith(SILENT)]
    units = {"b1": u("usmc_squad", "A5"), "v1": u("ins_tecnica", "H5"), "v2": FAR}
    sniper = {"usmc_sniper": {"lato": "blu", "overwatch": "si"}}
    game = Table(unita=units, caselle=GREEN, supporti=sniper)
    game.go("v1", "G5")
    facts, refs, _hidden = line(game, SILENT)
    assert facts["units"] == ("usmc_sniper",)
    assert "tiratore.limiti" in refs


TARGET = u("ins_cellula", "E5")


@pytest.mark.rule("warfare:cas.sam_overwatch", "warfare:arbitrato.sam_prima")
def test_a_sam_out_of_overwatch_is_told_why_it_is_not_asked_before_the_attack():
    units = {"b1": u("usmc_squad", "A1"), "v1": TARGET, "v2": u("ins_sam", "G6")}
    game = attack(units, dice=(1,))
    facts, refs, hidden = line(game, "{units} cannot fire before")
    assert facts == {"units": ("v2",), "support": "us_a10", "why": ("not in overwatch",)}
    assert refs == {"cas.sam_overwatch"}
    assert hidden == ("blu",)
    assert game.asked.id == "air.sam"
    units["v2"] = u("ins_sam", "G6", overwatch="si")
    game = attack(units, dice=(1, 1))
    game.play("u:v2")
    assert not [s for s in game.steps if s.ruling.msg.id.startswith("{units} cannot fire before")]


@pytest.mark.rule("warfare:cas.sam_overwatch", "warfare:fumogeni.effetto")
def test_a_sam_in_smoke_is_told_why_it_is_not_asked():
    units = {
        "b1": u("usmc_squad", "A1"),
        "v1": TARGET,
        "v2": u("ins_sam", "G6", overwatch="si"),
        "v3": u("ins_sam", "H4"),
    }
    game = attack(units, dice=(1,), fumo=["G6"])
    facts, refs, _hidden = line(game, "{units} cannot fire before")
    assert facts["why"] == ("not in overwatch", "out of reach or in smoke")
    assert {"cas.sam_overwatch", "fumogeni.effetto"} <= refs


@pytest.mark.rule("warfare:cas.sam_uscita", "warfare:combattimento.morale")
def test_a_shaken_sam_is_told_why_it_is_not_asked_as_the_aircraft_leaves():
    units = {"b1": u("usmc_squad", "A1"), "v1": TARGET, "v2": u("ins_sam", "G6", morale=1)}
    game = attack(units, dice=(1,))
    facts, refs, hidden = line(game, "{units} cannot fire as")
    assert facts == {"units": ("v2",), "support": "us_a10"}
    assert {"cas.sam_uscita", "combattimento.morale", "morale.scosso"} <= refs
    assert hidden == ("blu",)
    assert not [s for s in game.steps if s.ruling.msg.id.startswith("{units} cannot fire before")]
    game = attack({"b1": u("usmc_squad", "A1"), "v1": TARGET}, dice=(1,))
    assert not [s for s in game.steps if s.hidden_from], "nobody has a SAM: nothing to say"


@pytest.mark.rule("warfare:droni.sam", "warfare:arbitrato.droni_bersagli")
def test_a_drone_without_the_symbol_says_that_sam_do_not_fire_at_it():
    units = {"b1": u("usmc_squad", "A1"), "v1": TARGET, "v2": u("ins_sam", "G6", overwatch="si")}
    game = attack(units, dice=(1,), verb="drone", supports=FPV)
    facts, refs, hidden = line(game, "{support} has no symbol")
    assert facts == {"support": "us_drone_fpv"}
    assert refs == {"droni.sam", "arbitrato.droni_bersagli"}
    assert hidden == ()


@pytest.mark.rule("warfare:droni.speronamento", "warfare:droni.sam")
def test_a_drone_with_the_symbol_says_who_cannot_ram_it():
    units = {"b1": u("usmc_squad", "A1"), "v1": TARGET}
    rammer = {**LARGE, "ins_drone_fpv": {"lato": "verde", "overwatch": "si"}}
    game = attack(units, dice=(1,), verb="drone", supports=rammer)
    facts, refs, hidden = line(game, "{support} has the symbol")
    assert facts == {"support": "us_drone_mq", "units": ("ins_drone_fpv",)}
    assert refs == {"droni.speronamento", "droni.sam"}
    assert hidden == ()


@pytest.mark.rule("warfare:disturbo.azione", "warfare:morale.soppresso")
def test_who_is_suppressed_is_told_why_it_does_not_jam():
    units = {"b1": u("usmc_squad", "A1"), "v1": TARGET, "v2": u("ins_vedette", "K2", morale=2)}
    game = attack(units, dice=(1,), verb="drone", supports=FPV)
    facts, refs, hidden = line(game, "{units} cannot jam")
    assert facts == {"units": ("v2",), "support": "us_drone_fpv"}
    assert refs == {"disturbo.azione", "morale.soppresso"}
    assert hidden == ("blu",)


@pytest.mark.rule("warfare:disturbo.test", "warfare:arbitrato.drone_catturato")
def test_nobody_fires_a_sam_at_a_captured_drone():
    units = {
        "b1": u("usmc_squad", "A1"),
        "v1": TARGET,
        "v2": u("ins_vedette", "K2"),
        "v3": u("ins_sam", "G6"),
    }
    game = attack(units, dice=(6, 1), verb="drone", supports=LARGE)
    game.play("u:v2", "u:b1")
    facts, refs, hidden = line(game, "nobody fires a SAM")
    assert facts == {"support": "us_drone_mq", "side": "verde"}
    assert refs == {"disturbo.test", "arbitrato.drone_catturato"}
    assert hidden == ()
    assert game.asked.id == "action.who", "the captor is not asked"


@pytest.mark.rule("warfare:arbitrato.sconto_supporti", "warfare:danno.uno")
def test_a_damaged_support_says_why_it_costs_less():
    units = {"b1": u("usmc_squad", "A1"), "v1": TARGET}
    game = attack(units, dice=(1,), supports={"us_a10": {"lato": "blu", "danno": 1}})
    facts, refs, _hidden = line(game, "{unit} has damage {damage}: ")
    assert facts == {"unit": "us_a10", "damage": 1, "cost": 7, "printed": 8}
    assert refs == {"danno.uno", "arbitrato.sconto_supporti"}
    assert game.paid[0] == ("blu", 7)
    assert "arbitrato.danno_durante" not in game.cited


@pytest.mark.rule("warfare:arbitrato.danno_durante", "warfare:cas.sam_overwatch")
def test_damage_after_the_payment_makes_the_die_worse_and_not_the_cost():
    units = {"b1": u("usmc_squad", "A1"), "v1": TARGET, "v2": u("ins_sam", "G6", overwatch="si")}
    game = attack(units, dice=(5, 1))
    game.play("u:v2")
    facts, refs, _hidden = line(game, "{support} was damaged after it paid")
    assert facts == {"support": "us_a10"}
    assert refs == {"arbitrato.danno_durante"}
    assert game.paid[0] == ("blu", 8)
    assert game.rolled == ["1grey", "1blue"]


@pytest.mark.rule("warfare:arbitrato.danno_durante", "warfare:tiratore.modificatori")
def test_a_sniper_damaged_in_a_duel_fires_with_a_worse_die():
    units = {"b1": u("usmc_squad", "A1"), "v1": TARGET}
    both = {"usmc_sniper": {"lato": "blu"}, "ins_sniper": {"lato": "verde", "overwatch": "si"}}
    game = Table(unita=units, supporti=both, dice=(5, 1))
    game.play("c:usmc_sniper", "b:mira", "u:v1", "c:ins_sniper")
    line(game, "{support} was damaged after it paid")
    assert [facts["support"] for facts in game.facts("danno.uno")] == ["usmc_sniper"]


@pytest.mark.rule("warfare:tiratore.modificatori")
@pytest.mark.parametrize(("hex", "is_said"), [("E4", True), ("E5", False)])
def test_a_sniper_says_that_cover_does_not_count(hex, is_said):
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", hex)}
    game = Table(unita=units, supporti={"usmc_sniper": {"lato": "blu"}}, dice=(1,))
    game.play("c:usmc_sniper", "b:mira", "u:v1")
    assert ({"target": "v1"} in game.facts("tiratore.modificatori")) == is_said


@pytest.mark.rule("warfare:macerie.creazione", "warfare:macerie.segnalino")
def test_why_an_elimination_leaves_no_rubble():
    units = {"b1": u("usmc_squad", "A1"), "v1": TARGET, "v2": FAR}
    game = attack(units, dice=(5,))
    facts, refs, _hidden = line(game, "no rubble in {hex}: the attack was light")
    assert facts == {"hex": "E5"}
    assert refs == {"macerie.creazione"}
    assert game.state.rubble == ()


@pytest.mark.rule("warfare:artiglieria.dispersione", "warfare:los.regola2")
def test_unobserved_artillery_says_what_hides_the_hex_from_the_nearest():
    units = {"b1": u("usmc_squad", "H1"), "b2": u("usmc_squad", "A9"), "v1": u("ins_at", "K3")}
    game = Table(unita=units, supporti={"us_mort81": {"lato": "blu"}}, osserva="blu", dice=(1,))
    game.play("c:us_mort81", "b:colpisci", "b:leggero", "u:v1")
    facts, refs, _hidden = line(game, "nobody sees {hex}")
    assert facts == {"hex": "K3", "unit": "b1"}
    assert {"artiglieria.dispersione", "los.regola2", "arbitrato.ricognizione_drone"} <= refs
    assert game.asked.id == "artillery.arrow"
    assert game.state.spotter == "blu", "nothing was used up"


@pytest.mark.rule("warfare:arbitrato.costo_minimo", "warfare:danno.due")
@pytest.mark.parametrize("answers", [("b:overwatch",), ("b:fumo", "h:C4")])
def test_an_action_of_one_ap_is_not_cheaper_for_damage(answers):
    game = Table(unita={"b1": u("usmc_squad", "C5", danno=2), "v1": FAR})
    game.play("u:b1", *answers)
    assert [f["cost"] for f in game.facts("arbitrato.costo_minimo")] == [1]
    assert game.paid == [("blu", 1)]


@pytest.mark.rule("warfare:arbitrato.costo_minimo", "warfare:arbitrato.sconto_movimento")
def test_a_movement_of_one_ap_is_not_cheaper_for_damage():
    game = Table(unita={"b1": u("usmc_squad", "C5", danno=1), "v1": FAR})
    game.go("b1", "C4")
    assert "arbitrato.costo_minimo" in game.cited
    assert game.paid == [("blu", 1)]
    game = Table(unita={"b1": u("usmc_squad", "C5", danno=1), "v1": FAR})
    game.go("b1", "C4", "C3")
    assert "arbitrato.costo_minimo" not in game.cited
    assert game.paid == [("blu", 1)]


@pytest.mark.rule("warfare:movimento.veicolo_scoperto")
def test_the_second_open_hex_of_a_vehicle_is_within_the_ap_of_the_first():
    game = Table(unita={"b1": u("usmc_lav", "C5"), "v1": FAR})
    game.go("b1", "C4", "C3", "D3")
    lines = game.facts("movimento.veicolo_scoperto")
    assert [(f["hex"], f["terrain"]) for f in lines] == [
        ("C4", "open"),
        ("C3", "open"),
        ("D3", "open"),
    ]
    texts = [s.ruling.msg.id for s in game.steps if "within the AP" in s.ruling.msg.id]
    assert len(texts) == 1
    assert game.paid == [("blu", 2)]


@pytest.mark.rule("warfare:assalto.ritirata_impossibile", "warfare:arbitrato.ritirata_legale")
@pytest.mark.parametrize(
    ("given", "ref"),
    [
        ({"blocchi": ["E5", "E6", "E4"]}, "blocchi.ostacolo"),
        ({"macerie": ["E5", "E6", "E4"]}, "macerie.segnalino"),
    ],
)
def test_a_retreat_that_cannot_be_says_what_is_in_the_way(given, ref):
    units = {"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "D5"), "v2": FAR}
    game = Table(unita=units, dice=(3,), **given)
    game.play("u:b1", "b:assalta", "u:v1")
    legal = [s for s in game.steps if "warfare:arbitrato.ritirata_legale" in s.ruling.refs]
    assert f"warfare:{ref}" in legal[0].ruling.refs
    assert game.facts("assalto.ritirata_impossibile") == [{"unit": "v1"}]


@pytest.mark.rule("warfare:popolazione.test")
def test_a_critical_conversion_without_morale_damage_says_so():
    people = {"p1": {"esagono": "D5", "folla": "si"}}
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, popolazione=people, dice=(6,))
    game.play("u:b1", "b:converti", "u:p1")
    assert line(game, "{unit} has no morale damage")[0] == {"unit": "b1"}


@pytest.mark.rule("warfare:arbitrato.doppio_segnalino", "warfare:ignoti.rivelare")
def test_a_marker_that_its_owner_puts_first_says_so():
    markers = {
        "i1": {"tipo": "dummy", "esagono": "D5", "di": "verde"},
        "i2": {"tipo": "dummy", "esagono": "D5", "di": "verde"},
    }
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": FAR}, nascosti=markers)
    game.go("b1", "D5")
    assert game.asked.side == "verde"
    assert list(game.options) == ["u:i1", "u:i2"]
    game.play("u:i2")
    assert [f["marker"] for f in game.facts("arbitrato.doppio_segnalino")] == ["i2"]
    assert [f["marker"] for f in game.facts("ignoti.rivelare")] == ["i2", "i1"]


@pytest.mark.rule("warfare:assalto.folla_critico")
def test_the_line_of_a_crowd_names_who_sends_it_where():
    units = {"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "D5"), "v2": FAR}
    game = Table(unita=units, popolazione={"p1": {"esagono": "D5", "folla": "si"}}, dice=(6,))
    game.play("u:b1", "b:assalta", "u:v1", "h:E5")
    assert {"side": "verde", "marker": "p1", "hex": "E5"} in game.facts("assalto.folla_critico")


@pytest.mark.rule(
    "warfare:elicotteri.bassa", "warfare:elicotteri.bassa_bersaglio", "warfare:elicotteri.alta"
)
def test_a_shot_at_a_helicopter_says_how_high_it_flies():
    units = {"b1": u("ita_mangusta", "E5"), "v1": u("ins_cellula", "G5"), "v2": u("ins_sam", "G6")}
    green = {"blu": 20, "verde": 30}
    game = Table(unita=units, caselle=green, dice=(1,))
    game.play("u:v1", "b:fuoco", "b:leggero", "u:b1")
    assert {"elicotteri.bassa", "elicotteri.bassa_bersaglio"} <= game.cited
    units["b1"] = u("ita_mangusta", "E5", overwatch="si")
    game = Table(unita=units, caselle=green, dice=(1,))
    game.play("u:v2", "b:fuoco", "b:pesante", "u:b1")
    _facts, refs, _hidden = line(game, "{target} flies high")
    assert refs == {"elicotteri.alta", "elicotteri.alta_overwatch", "elicotteri.alta_bersaglio"}


@pytest.mark.rule("warfare:elicotteri.unita", "warfare:terreno.tabella")
def test_a_helicopter_pays_by_the_table_of_terrain():
    game = Table(unita={"b1": u("ita_mangusta", "C5"), "v1": FAR})
    game.go("b1", "D5", "E5")
    assert [f["hex"] for f in game.facts("elicotteri.unita")] == ["D5", "E5"]
    assert [f["hex"] for f in game.facts("terreno.tabella")] == ["D5", "E5"]


@pytest.mark.rule("warfare:tiratore.limiti", "warfare:arbitrato.tiratore_fumo")
def test_a_sniper_kept_from_firing_by_smoke_is_not_told_of_infantry():
    units = {"b1": FAR, "v1": u("ins_cellula", "H5")}
    snipers = {"usmc_sniper": {"lato": "blu", "overwatch": "si"}}
    game = Table(unita=units, caselle=GREEN, supporti=snipers, fumo=["G5"]).go("v1", "G5")
    facts, refs, _hidden = line(game, SILENT)
    assert facts["why"] == ("smoke",)
    assert "arbitrato.tiratore_fumo" in refs


@pytest.mark.rule("warfare:ostaggi.solo_assalto", "warfare:ostaggi.scudo")
@pytest.mark.parametrize("people", [{"p1": {"esagono": "D5"}}, {}])
def test_an_assault_on_a_human_shield_says_that_it_is_the_one_way(people):
    units = {"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "D5"), "v2": FAR}
    game = Table(unita=units, popolazione=people, dice=(1,)).play("u:b1", "b:assalta", "u:v1")
    assert ({"target": "v1"} in game.facts("ostaggi.solo_assalto")) == bool(people)


@pytest.mark.rule("warfare:trasporto.perdite")
@pytest.mark.parametrize("face", [1, 3])
def test_who_is_aboard_is_told_that_only_the_vehicle_is_hit(face):
    """A failure of suppression fire does nothing; a marginal success shakes the vehicle."""
    units = {
        "b1": u("us_mg", "C5"),
        "v1": u("ins_tecnica", "E5"),
        "v2": u("ins_cellula", a_bordo="v1"),
    }
    game = Table(unita=units, dice=(face,)).play("u:b1", "b:sopprimi", "u:v1")
    was_hit = game.state.units["v1"].morale > 0
    assert was_hit == (face == 3)
    assert ({"carrier": "v1", "cargo": "v2"} in game.facts("trasporto.perdite")) == was_hit


@pytest.mark.rule("warfare:arbitrato.overwatch_turni", "warfare:turno.fine.cubetto")
@pytest.mark.parametrize("overwatch", ["si", "no"])
def test_the_end_of_a_turn_says_that_overwatch_goes_on(overwatch):
    units = {"b1": u("usmc_squad", "C5", overwatch=overwatch), "v1": FAR}
    game = Table(unita=units, posizioni={"blu": 38, "verde": 41}).play("b:passa")
    assert game.state.turn == 2
    assert ("arbitrato.overwatch_turni" in game.cited) == (overwatch == "si")


@pytest.mark.rule("warfare:artiglieria.dispersione", "warfare:arbitrato.fuoco_amico")
def test_a_shot_off_the_map_is_told_in_one_line_without_a_hex():
    units = {"b1": u("usmc_squad", "H9"), "v1": u("ins_cellula", "L1")}
    game = Table(unita=units, supporti={"us_mort81": {"lato": "blu"}}, fumo=["L1"], dice=(1,))
    game.play("c:us_mort81", "b:colpisci", "b:leggero", "u:v1")
    game.play("b:freccia-NE")
    assert game.facts("arbitrato.bussola_dispersione") == [{}]
    assert "arbitrato.fuoco_amico" in game.cited


@pytest.mark.rule("warfare:terreno.elevato", "warfare:arbitrato.elevato_mod")
def test_high_ground_says_that_its_shift_is_our_ruling():
    units = {"b1": u("usmc_squad", "H5"), "v1": u("ins_cellula", "J5"), "v2": FAR}
    game = Table(unita=units, dice=(1,)).play("u:b1", "b:fuoco", "b:leggero", "u:v1")
    assert {"hex": "J5", "terrain": "high ground"} in game.facts("arbitrato.elevato_mod")
