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
