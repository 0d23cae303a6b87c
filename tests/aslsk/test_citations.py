"""Which rule, and what of it, a step applies where several could be meant."""

from __future__ import annotations

import pytest

from engine.aslsk import TITLE
from engine.game import Game, SeededChance
from tests.aslsk.table import Table
from tests.citations import kind_of

FIRE = "mappa: ex-fuoco\ndata: 1944-06\nlati: [american, german]\n"


def applied(run: Table, kind: str) -> list[set[str]]:
    """What each step of a kind applied: rules, with their anchors where they have one."""
    found = []
    for step in run.steps:
        if kind_of(step) == kind:
            anchors = {one[6:] for one in step.ruling.anchors}
            bare = {ref[6:] for ref in step.ruling.refs} - {a.partition("#")[0] for a in anchors}
            found.append(anchors | bare)
    return found


@pytest.mark.rule("aslsk:3.2.5", "aslsk:3.4", "aslsk:3.5")
@pytest.mark.parametrize(
    ("phase", "marks", "ref"),
    [
        ("PFPh", "", "3.2.5#segna"),
        ("DFPh", "", "3.4#riceve"),
        ("DFPh", "first", "3.4#gira"),
        ("AFPh", "", "3.5#una-volta"),
    ],
)
def test_a_fire_counter_comes_from_the_phase_of_the_shot(phase, marks, ref):
    attacker = "german" if phase == "DFPh" else "american"
    run = Table(
        FIRE + f"attaccante: {attacker}\nfase: {phase}\n"
        f"unità: {{a: us-666 N4 {marks}, b: us-666 A1, z: ge-467 O5}}",
        dice=[(5, 6)],
    )
    run.game.resume(())
    run.play("u:a", "h:O5")
    assert applied(run, "Fired") == [{ref}]


@pytest.mark.rule("aslsk:3.3.2.2")
def test_a_vehicle_that_fires_in_its_mph_is_marked_bounding_first_fire():
    run = Table(
        "lati: [german, russian]\nfase: MPh\nunità: {x: ru-447 C6, b: ge-467 A1}\n"
        "veicoli: {t: ge-ivh C9 vca=0 tca=0}",
        "u:t", "b:avvia", "b:fuoco", "u:t:ma", "h:C6", "b:ITT-HE",
        dice=[(6, 5)],
    )  # fmt: skip
    assert applied(run, "MaFired") == [{"3.3.2.2#pedina"}]


@pytest.mark.rule("aslsk:3.2.3.mc")
def test_a_broken_unit_that_fails_its_check_is_reduced_by_the_rule_of_checks():
    run = Table(
        FIRE + "fase: PFPh\nunità: {a: us-747 N5, y: ge-467 P5 broken DM}",
        "u:a", "h:P5", dice=[(1, 2), (5, 6)],
    )  # fmt: skip
    assert applied(run, "Replaced") == [
        {"3.2.3.mc#gia-broken", "2.0.casualty_reduction#squadra"},
    ]


@pytest.mark.rule("aslsk:3.2.3.mc")
def test_the_number_before_mc_is_a_drm_of_its_own():
    run = Table(
        FIRE + "fase: PFPh\nunità: {a: us-747 N5, c: us-666 O6, y: ge-467 P5}",
        "u:a", "h:P5", "u:c", dice=[(2, 3), (2, 3)],
    )  # fmt: skip
    assert applied(run, "MC DRM") == [{"3.2.3.mc#numero"}]
    assert applied(run, "roll")[-1] == {"3.2.3.mc#passa", "3.2.3.mc#numero", "2.0.nmc#nmc"}


@pytest.mark.rule("aslsk:4.4")
def test_the_number_of_a_light_antitank_weapon_is_in_its_own_table():
    run = Table(
        "lati: [american, german]\ndata: 1944-06\nfase: PFPh\n"
        "unità: {a: us-666 C9, b: us-666 A1}\narmi: {z: us-baz44 a}\nveicoli: {t: ge-ivh C7 vca=3}",
        "u:z", "h:C7", dice=[(6, 5)],
    )  # fmt: skip
    numbers = [one for one in applied(run, "TH#") if "2.0.th#to-hit" in one]
    assert numbers == [{"4.4#latw/BAZ44/{range}", "2.0.th#to-hit"}]


@pytest.mark.rule("aslsk:6.2.apcr_apds")
def test_special_ap_against_infantry_has_its_own_rule():
    run = Table(
        "lati: [german, russian]\nfase: PFPh\ndata: 1943-07\nunità: {c: ge-228 C9, x: ru-447 C6}\n"
        "armi: {g: ge-75l c ca=0}",
        "u:g", "h:C6", "b:ITT-APCR", dice=[(1, 2), (6, 6)],
    )  # fmt: skip
    assert {"3.2.4.effect_infantry#calibro", "6.2.apcr_apds#fp"} in applied(run, "cite")


@pytest.mark.rule("aslsk:1.2.4.1", "aslsk:2.0.rof")
def test_a_gun_keeps_its_rof_by_the_rule_of_rof():
    run = Table(
        "lati: [german, russian]\nfase: PFPh\ndata: 1943-07\nunità: {c: ge-228 C9, x: ru-447 C6}\n"
        "armi: {g: ge-75l c ca=0}",
        "u:g", "h:C6", "b:ITT-HE", dice=[(1, 6)],
    )  # fmt: skip
    assert {"1.2.4.1#di-nuovo", "2.0.rof#dado"} in applied(run, "cite")
    assert applied(run, "Fired") == [{"1.2.4.1#di-nuovo", "3.2.5#continua"}]


@pytest.mark.rule("aslsk:4.4.4", "aslsk:4.4.2", "aslsk:3.2.2", "aslsk:4.2")
@pytest.mark.parametrize(
    ("weapon", "ref"),
    [("a", "3.2.2"), ("r", "4.4.4"), ("f", "4.2"), ("a:pf", "4.4.2")],
)
def test_what_limits_a_range_depends_on_the_weapon(weapon, ref):
    run = Table(
        "lati: [german, russian]\ndata: 1944-06\nfase: PFPh\npf: {german: 5}\n"
        "unità: {a: ge-467 A1, b: ge-467 M9, x: ru-447 M8}\narmi: {r: ge-atr a, f: ge-ft a}"
    )
    run.game.resume(())
    assert run.why_not(f"u:{weapon}") == {ref}


@pytest.mark.rule("aslsk:4.4.5")
def test_a_piat_waits_for_its_month():
    run = Table(
        "lati: [british, german]\ndata: 1943-03\n"
        "unità: {a: br-457 C9, b: br-457 M9, x: ge-467 M8}\narmi: {p: br-piat a}\n"
        "veicoli: {t: ge-ivh C8}"
    )
    run.game.resume(())
    assert run.why_not("u:p") == {"4.4.5"}


@pytest.mark.rule("aslsk:dae2.9")
def test_rockets_are_never_accurate_by_their_own_rule():
    run = Table(
        "scenario: R4\nlati: [american, german]\npasso: oba\nunità: {l: us-10-2 A7, z: ge-467 E4}\n"
        "armi: {r: us-radio l}\noba: {lato: american, osservatore: A7, razzi: si}",
        dice=["black"],
    )
    run.chance.add((2, 1))
    run.play("h:K8")
    assert {"dae2.9#niente-sr"} in applied(run, "cite")
    assert "dae2.4" not in run.cited


@pytest.mark.rule("aslsk:3.0", "aslsk:3.9")
def test_the_first_attacker_becomes_it_by_the_sequence_and_the_second_by_the_track():
    game = Game(TITLE, "R1", SeededChance(1))
    while not any(kind_of(s) == "PlayerTurnEnded" for s in game.steps):
        decision = game.position.decision
        assert decision is not None
        ids = [option.id for option in decision.options]
        game.answer(next((one for one in ("b:passa", "b:fine") if one in ids), ids[0]))
    turns = [s.ruling.anchors[0] for s in game.steps if kind_of(s) == "TurnOf"]
    assert turns[:2] == ["aslsk:3.0#attaccante", "aslsk:3.9#diventa"]


@pytest.mark.rule("aslsk:3.2.3")
def test_a_final_dr_names_the_cell_of_the_ift():
    run = Table(
        FIRE + "fase: PFPh\nunità: {a: us-666 N4, b: us-666 A1, z: ge-467 O5}",
        "u:a", "h:O5", dice=[(3, 6)],
    )  # fmt: skip
    assert {"3.2.3#ift/{dr}/{column}"} in applied(run, "cite")
    assert run.told("3.2.3", "column", "dr", "result") == [
        {"column": 12, "dr": 9, "result": "NMC"},
    ]


@pytest.mark.rule("aslsk:3.2.4.ca_free", "aslsk:3.4.cleanup")
@pytest.mark.parametrize(
    ("phase", "refs"),
    [
        ("PFPh", {"3.2.4.ca_free#fine-fase", "2.0.pfph#fase"}),
        ("DFPh", {"3.2.4.ca_free#fine-fase", "3.4.cleanup", "2.0.dfph#fase"}),
        ("AFPh", {"3.2.4.ca_free#fine-fase", "2.0.afph#fase"}),
    ],
)
def test_the_last_step_of_a_fire_phase_is_for_turning(phase, refs):
    attacker = "american" if phase == "DFPh" else "german"
    run = Table(
        FIRE + f"attaccante: {attacker}\nfase: {phase}\n"
        "unità: {c: ge-228 N4, b: ge-467 N4, z: us-666 O5}\narmi: {g: ge-75l c ca=0}",
    )
    run.game.resume(())
    run.play("b:passa")
    assert applied(run, "StepBegan")[0] == refs


CREW = "lati: [german, russian]\nfase: PFPh\nunità: {a: ge-548 G7, b: ge-548 G7, z: ge-467 A1}\n"


@pytest.mark.rule("aslsk:3.2.3.mc", "aslsk:3.2.3.crew_mc")
def test_a_crew_that_passes_does_not_cite_what_happens_to_those_who_fail():
    tank = "veicoli: {t: ru-t34m43 G6 CE plus=1}"
    run = Table(CREW + tank, "u:a", "h:G6", "u:b", dice=[(3, 1), (1, 1)])
    assert {"3.2.3.mc#numero"} in applied(run, "MC DRM")
    assert {"3.2.3.mc#passa"} in applied(run, "cite")


@pytest.mark.rule("aslsk:6.5", "aslsk:6.3")
@pytest.mark.parametrize(("dice", "moves"), [((1, 1), True), ((6, 6), False)])
def test_a_gun_that_does_not_move_is_not_said_to_be_pushed(dice, moves):
    run = Table(
        "mappa: ex-cannone\ndata: 1944-06\nlati: [american, german]\nfase: MPh\n"
        "unità: {c: us-227 D6, z: ge-467 I1}\narmi: {g: us-57l c ca=5}",
        "u:c", "b:spingi", "h:D5", dice=[dice],
    )  # fmt: skip
    (pushed,) = [s for s in run.steps if kind_of(s) == "Pushed"]
    assert (pushed.ruling.msg.id == "{weapon} does not move") == (not moves)


@pytest.mark.rule("aslsk:6.2.wp")
@pytest.mark.parametrize(("dice", "ref"), [((1, 2), "6.2.wp#nmc"), ((1, 1), "6.2.wp#ch")])
def test_what_a_house_does_against_phosphorus_is_not_called_a_number_of_a_check(dice, ref):
    run = Table(
        "lati: [american, german]\npasso: smoke\nunità: {c: us-227 C5, x: ge-467 D2}\n"
        "armi: {g: us-81mtr c ca=0}",
        "u:g-WP", "h:D2", dice=[dice, (1, 1)],
    )  # fmt: skip
    assert {ref} in applied(run, "MC DRM")
    assert run.told("6.2.wp", "hex", of="MC DRM") == [{"hex": "D2"}]


@pytest.mark.rule("aslsk:4.1.vs_afv", "aslsk:3.2.4.vtt")
def test_a_machine_gun_fired_at_armour_names_its_rule():
    run = Table(
        "mappa: ex-bosco\ndata: 1943-07\nlati: [german, american]\nfase: PFPh\n"
        "unità: {a: ge-467 C9, x: us-666 A1}\narmi: {m: ge-lmg a}\n"
        "veicoli: {t: ru-ba6 C7 vca=0 tca=0}",
        "u:m", "h:C7", dice=[(6, 5)],
    )  # fmt: skip
    assert {"3.2.4#colpire", "3.2.4.vtt#miri", "4.1.vs_afv#ordnance"} in applied(run, "cite")


@pytest.mark.rule("aslsk:3.1.c")
def test_what_a_vehicle_does_not_repair_cites_the_rule_of_vehicles():
    run = Table(
        "lati: [german, russian]\nfase: RPh\npasso: c\nunità: {x: ru-447 M1}\n"
        "veicoli: {t: ge-ivh C9 vca=0 ma=broken broken=cmg}",
    )
    run.play("b:passa")
    assert {"3.1.c#veicolo"} in applied(run, "Settled")
    assert {"3.1.c#riparare"} not in applied(run, "Settled")


@pytest.mark.rule("aslsk:2.0.tem", "aslsk:casa.40")
def test_the_best_cover_says_that_it_counts_alone():
    text = "mappa: ex-collina\nlati: [german, american]\nfase: PFPh\nunità: {a: ge-467 E9, %s}"
    house = Table(text % "c: us-536 G7", "u:a", "h:G7", dice=[(6, 5)])
    assert any("casa.40#migliore" in one for one in applied(house, "DRM"))
    slope = Table(text % "b: us-666 J7", "u:a", "h:J7", dice=[(6, 5)])
    assert not any("casa.40#migliore" in one for one in applied(slope, "DRM"))


@pytest.mark.rule("aslsk:3.2.1.levels", "aslsk:3.2.1")
def test_a_clear_line_between_levels_names_the_crest():
    text = "mappa: ex-collina\nlati: [german, american]\nfase: PFPh\n"
    run = Table(text + "unità: {a: ge-467 E9, b: us-666 J7}", "u:a", "h:J7", dice=[(6, 5)])
    assert {"3.2.1.levels#cresta", "3.2.1#livelli", "3.2.1.through_units"} in applied(run, "cite")


@pytest.mark.rule("aslsk:7.10.shock", "aslsk:7.11")
@pytest.mark.parametrize(("before", "said"), [("", "Shocked"), (" shock", "cite")])
def test_shock_names_what_caused_it_and_says_if_it_was_there_already(before, said):
    run = Table(
        "lati: [german, russian]\nfase: PFPh\n"
        "unità: {c: ge-228 C9, x: ru-447 A1}\narmi: {g: ge-75l c ca=0}\n"
        f"veicoli: {{t: ru-t3485 C6 vca=3 tca=3{before}}}",
        "u:g", "h:C6", "b:ATT-HE", dice=[(2, 3), (1, 2)],
    )  # fmt: skip
    found = [one for one in applied(run, said) if "7.11#k" in one]
    assert len(found) == 1
    assert {"3.2.4.att#rof"} in applied(run, "Fired"), "why it may not fire intensively"


@pytest.mark.rule("aslsk:casa.64", "aslsk:6.10")
def test_the_counter_on_a_target_that_is_lost_stays_by_our_ruling():
    run = Table(
        "mappa: ex-bosco\ndata: 1943-07\nlati: [german, american]\nfase: PFPh\n"
        "unità: {a: ge-838 E7, c: ge-228 E8, x: us-346 D6}\n"
        "armi: {g: ge-75l c ca=5 acquired=2 target=x target_hex=D6}",
        "u:a", "h:D6", "b:fuoco", dice=[(1, 1), (1, 1)],
    )  # fmt: skip
    assert run.state.units["x"].place != "map"
    assert {"casa.64", "6.10#fuori-los"} in applied(run, "Acquired")


@pytest.mark.rule("aslsk:dae2.6", "aslsk:dae2.51")
def test_a_rout_through_a_barrage_names_its_rule():
    run = Table(
        "scenario: R4\nlati: [american, german]\nfase: RtPh\n"
        "unità: {a: us-666 A7 broken DM, z: ge-467 B9, l: us-10-2 M1}\n"
        "oba: {lato: american, radio: r, ffe: A5, stadio: 2}\narmi: {r: us-radio l}",
        dice=[(5, 5), (1, 1), (1, 1)],
    )
    run.play("u:a")
    run.play("h:A6")
    assert {"dae2.6"} in applied(run, "cite")


@pytest.mark.rule("aslsk:3.2.2.cowering", "aslsk:3.3.3")
@pytest.mark.parametrize(
    ("dice", "ref"), [((2, 3), "3.3.3#segna"), ((5, 5), "3.2.2.cowering#pedina")]
)
def test_the_final_fire_of_who_cowers_in_the_mph_is_not_a_first_fire_counter(dice, ref):
    run = Table(
        "lati: [russian, german]\nfase: MPh\nunità: {a: ru-447 A9, b: ru-447 A1, d: ge-467 D9}",
        "u:a", "b:normale", "h:B9", "u:d", dice=[dice, (1, 1), (1, 1)],
    )  # fmt: skip
    assert {ref} in applied(run, "Fired")


@pytest.mark.rule("aslsk:3.3.1.smoke")
def test_smoke_that_is_not_placed_cites_the_roll():
    run = Table(
        "lati: [american, german]\nfase: MPh\nunità: {a: us-666 E5, z: ge-467 M1}",
        "u:a", "b:normale", "b:fumo", "h:E5", dice=[(5,)],
    )  # fmt: skip
    assert {"3.3.1.smoke#dr"} in applied(run, "cite")


@pytest.mark.rule("aslsk:3.7.cx", "aslsk:4.0.portage")
def test_an_advance_that_tires_tells_its_mf_and_what_the_hex_costs():
    text = "lati: [german, russian]\nfase: APh\nunità: {a: ge-467 E4, z: ge-467 A1, x: ru-447 M1}\n"
    run = Table(text + "armi: {m: ge-hmg a, n: ge-hmg a}", "u:a", "h:F3")
    assert run.state.units["a"].cx
    assert run.tally("MF")[-1] <= run.tally("MF cost")[-1] == 2
    light = Table(text, "u:a", "h:F3")
    assert not light.tally("MF")
