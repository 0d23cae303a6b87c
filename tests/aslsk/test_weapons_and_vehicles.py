"""Support weapons, Guns, vehicles and off-board artillery (4, 6, 7, DaE2)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from tests.aslsk.table import ON_UNIT, Table
from tests.citations import ROLL

GE = "lati: [german, russian]\nfase: PFPh\n"
MOVE = "lati: [german, russian]\nfase: MPh\n"


@pytest.mark.rule("aslsk:4.0.usage")
def test_a_half_squad_fires_its_weapon_or_itself():
    run = Table(
        GE + "unità: {a: ge-247 E7, b: ge-467 G7, x: ru-447 E5}\narmi: {m: ge-lmg a}",
        "u:m",
        "h:E5",
        dice=[(6, 5)],
    )
    assert "4.0.usage" in run.why_not("u:a")


@pytest.mark.rule("aslsk:4.0.destroy")
def test_a_weapon_may_be_destroyed_by_its_owner():
    run = Table(
        GE + "unità: {a: ge-467 E7, x: ru-447 E5}\narmi: {m: ge-lmg a}", "b:distruggi", "u:m"
    )
    assert run.state.weapons["m"].place == "eliminated"


@pytest.mark.rule("aslsk:4.1", "aslsk:4.1.breakdown", "aslsk:1.2.4.1")
def test_a_machine_gun_keeps_its_rate_of_fire_and_breaks_at_its_number():
    text = GE + "unità: {a: ge-467 E7, x: ru-447 E4}\narmi: {m: ge-hmg a}"
    kept = Table(text, "u:m", "h:E4", "b:fuoco", dice=[(3, 6)])
    assert kept.state.weapons["m"].fire == ""
    assert Table(text, "u:m", "h:E4", "b:fuoco", dice=[(6, 6)]).state.weapons["m"].broken


@pytest.mark.rule("aslsk:4.1.vs_afv", "aslsk:3.2.4.vtt", "aslsk:7.10.stun")
def test_a_machine_gun_against_armour_can_only_stun_at_the_number():
    run = Table(
        GE + "unità: {a: ge-467 C9}\narmi: {m: ge-hmg a}\nveicoli: {t: ru-ba6 C7 vca=0 tca=0}",
        "u:m", "h:C7", dice=[(5, 2), (2, 4)],
    )  # fmt: skip
    assert run.state.vehicles["t"].crew.stun == "Stun"


@pytest.mark.rule("aslsk:4.2", "aslsk:2.0.x_num")
def test_a_flamethrower_ignores_tem_and_is_lost_at_its_number():
    run = Table(
        "lati: [russian, german]\nunità: {a: ru-527 C3, x: ge-467 D3}\narmi: {f: ru-ft a}",
        "u:f", "h:D3", dice=[(3, 5), (1, 2)],
    )  # fmt: skip
    assert run.state.weapons["f"].place == "eliminated"
    assert run.told("4.2", "terrain") == [{"terrain": "stone building"}]
    assert run.totals("DRM") == []


@pytest.mark.rule("aslsk:4.2.vs_afv", "aslsk:casa.12")
def test_a_flamethrower_burns_a_tank_at_its_number():
    run = Table(
        "lati: [russian, german]\nunità: {a: ru-527 C9}\narmi: {f: ru-ft a}\nveicoli: {t: ge-ivh C8 vca=3}",
        "u:f", "h:C8", dice=[(3, 5)],
    )  # fmt: skip
    assert run.state.vehicles["t"].wreck


@pytest.mark.rule("aslsk:4.3", "aslsk:4.3.placement", "aslsk:casa.14")
def test_a_charge_is_placed_in_the_mph_and_explodes_in_the_afph():
    run = Table(
        "lati: [russian, german]\nfase: MPh\nunità: {a: ru-447 C3, b: ru-447 A1, x: ge-467 D3 pinned broken}\narmi: {d: ru-dc a}",
        "u:a", "b:normale", "b:carica", "b:d-D3",
    )  # fmt: skip
    assert run.state.weapons["d"].planted == "D3"
    assert run.state.weapons["d"].dud_at == 10


@pytest.mark.rule("aslsk:4.3.vs_afv")
def test_a_charge_against_a_tank_uses_its_own_number():
    run = Table(
        "lati: [russian, german]\nfase: AFPh\npasso: dc\nunità: {a: ru-447 C9}\narmi: {d: ru-dc @C9 planted=C8 against=t}\nveicoli: {t: ge-ivh C8 vca=0}",
        dice=[(3, 2), (3, 4)],
    )
    assert run.state.vehicles["t"].wreck
    assert "4.3.vs_afv" in run.cited


@pytest.mark.rule("aslsk:4.4.1", "aslsk:4.4")
def test_a_bazooka_is_not_there_before_its_date():
    text = "lati: [american, german]\ndata: {0}\nunità: {{a: us-666 E7, b: us-666 G7, x: ge-467 A1}}\narmi: {{z: us-baz43 a}}\nveicoli: {{t: ge-ivh E6}}"
    assert "4.4.1" in Table(text.format("1942-06")).why_not("u:z")
    assert "u:z" in Table(text.format("1942-12")).options


@pytest.mark.rule("aslsk:4.4.4")
def test_an_atr_fires_at_a_vehicle_with_ap():
    run = Table(
        "lati: [russian, german]\nunità: {a: ru-447 C9}\narmi: {r: ru-atr a}\nveicoli: {t: ge-psw222 C7 vca=3}",
        "u:r", "h:C7", dice=[(4, 2), (2, 2)],
    )  # fmt: skip
    assert run.state.vehicles["t"].wreck
    assert "3.2.4.vtt" in run.cited


@pytest.mark.rule("aslsk:4.4.5", "aslsk:casa.13")
def test_a_piat_does_not_fire_down_at_close_range():
    run = Table(
        "lati: [british, german]\ndata: 1944-06\nunità: {a: br-457 K3}\narmi: {p: br-piat a}\nveicoli: {t: ge-ivh J3, u: ge-ivh K2}"
    )
    run.play("u:p")
    assert "4.4.5" in run.why_not("h:J3")
    assert "h:K2" in run.options


@pytest.mark.rule("aslsk:6.2", "aslsk:6.2.apcr_apds", "aslsk:2.0.depletion")
def test_special_ammunition_runs_out_above_its_number():
    text = (
        GE
        + "data: 1943-07\nunità: {c: ge-228 C9}\narmi: {g: ge-75l c ca=0}\nveicoli: {t: ru-t34m43 C6 vca=0}"
    )
    none = Table(text, "u:g", "h:C6", "b:VTT-t-APCR", dice=[(2, 3)])
    assert none.state.weapons["g"].out_of == ("APCR",)
    assert none.state.weapons["g"].fire == ""


@pytest.mark.rule("aslsk:6.2.smoke", "aslsk:1.2.5", "aslsk:3.2.5")
def test_smoke_is_fired_first_and_lands_full_in_the_pfph():
    run = Table(
        GE + "passo: smoke\nunità: {c: ge-228 C9, x: ru-447 C5}\narmi: {g: ge-81mtr c ca=0}",
        "u:g-S", "h:C6", dice=[(2, 3)],
    )  # fmt: skip
    assert (run.state.smoke["C6"].value, run.state.smoke["C6"].kind) == (3, "full")


@pytest.mark.rule("aslsk:6.2.wp", "aslsk:2.0.wp")
def test_white_phosphorus_also_shakes_those_it_hits():
    run = Table(
        "lati: [american, german]\npasso: smoke\nunità: {c: us-227 C9, x: ge-467 C6}\narmi: {g: us-81mtr c ca=0}",
        "u:g-WP", "h:C6", dice=[(2, 3), (6, 5)],
    )  # fmt: skip
    assert run.state.units["x"].broken
    assert "6.2.wp" in run.cited


@pytest.mark.rule("aslsk:6.4", "aslsk:2.0.hip")
def test_a_hidden_gun_bumps_infantry_back_and_is_not_seen():
    from engine.aslsk import TITLE

    run = Table(
        "lati: [russian, german]\nfase: MPh\nunità: {a: ru-447 C3, c: ge-228 D3 HIP}\narmi: {g: ge-75l c ca=4 HIP}"
    )
    seen = TITLE.view(run.state, "russian")
    assert not any(one.id in ("c", "g") and one.hex for one in seen.counters)
    run.play("u:a", "b:normale", "h:D3")
    assert run.state.units["a"].hex == "C3"
    assert not run.state.units["c"].hidden
    assert "6.4" in run.cited


@pytest.mark.rule("aslsk:6.6")
def test_a_gunshield_helps_a_crew_through_its_arc():
    text = "lati: [russian, german]\nunità: {{a: ru-447 C9, c: ge-228 C7}}\narmi: {{g: ge-50l c ca={0}}}"
    facing = Table(text.format(2), "u:a", "h:C7", dice=[(6, 5)])
    away = Table(text.format(5), "u:a", "h:C7", dice=[(6, 5)])
    assert facing.totals("DRM") == [2]
    assert "6.6" in facing.cited
    assert away.totals("DRM") == []


@pytest.mark.rule("aslsk:6.8")
def test_ife_fires_on_the_ift_without_a_to_hit_roll():
    run = Table(
        GE + "unità: {c: ge-228 C9, x: ru-447 C6}\narmi: {g: ge-20l c ca=0}",
        "u:g:ife",
        "h:C6",
        dice=[(5, 6)],
    )
    assert "3.2.4.procedure" not in run.cited
    assert run.state.weapons["g"].fire == "Prep Fire"


@pytest.mark.rule("aslsk:3.2.4.non_qualified", "aslsk:6.12", "aslsk:5.5")
def test_a_squad_at_a_captured_gun_pays_for_both():
    run = Table(
        "lati: [russian, german]\nunità: {s: ru-447 C9, x: ge-467 C6}\narmi: {g: ge-75l s ca=0}",
        "u:g", "h:C6", "b:ITT-HE", dice=[(6, 4)],
    )  # fmt: skip
    assert {"3.2.4.non_qualified", "5.5"} <= run.cited
    assert run.state.weapons["g"].broken


@pytest.mark.rule("aslsk:3.2.4.ca_free")
def test_a_gun_turns_free_at_the_end_of_a_fire_phase():
    run = Table(
        GE
        + "passo: turn\nunità: {c: ge-228 C9, x: ru-447 M1}\narmi: {g: ge-75l c ca=0 acquired=2}",
        "u:g",
        "n:3",
    )
    assert (run.state.weapons["g"].ca, run.state.weapons["g"].hold.acquired) == (3, 0)


@pytest.mark.rule("aslsk:3.3.2", "aslsk:3.3.2.delay", "aslsk:3.3.2.tca", "aslsk:3.2.4.vca_tca")
def test_a_stopped_tank_delays_and_turns_its_turret_with_the_mp():
    run = Table(MOVE + "unità: {x: ru-447 A1}\nveicoli: {t: ge-ivh M9 vca=4}", "u:t")
    assert "3.3.2.start_stop" in run.why_not("h:L8")
    run.play("b:torretta-2")
    assert run.state.vehicles["t"].tca == 2
    assert run.state.mover.spent["t"] == 0
    assert "3.3.2.tca" in run.why_not("b:fine")
    assert "3.3.2.tca" in run.why_not("b:torretta-3")
    run.play("b:attendi")
    assert run.state.mover.spent["t"] == 2
    assert "b:fine" in run.options


@pytest.mark.rule("aslsk:3.3.2.motion", "aslsk:2.0.motion_status")
def test_a_running_tank_with_mp_left_goes_on_or_stops():
    run = Table(MOVE + "unità: {x: ru-447 A1}\nveicoli: {t: ge-ivh M9 vca=4}", "u:t", "b:avvia")
    assert "3.3.2.motion" in run.why_not("b:fine")


@pytest.mark.rule("aslsk:3.3.2.minimum")
def test_a_tank_in_motion_has_a_minimum_move():
    run = Table(
        MOVE + "unità: {x: ru-447 A1}\nveicoli: {t: ge-ivh M9 vca=4 Motion}", "u:t", "b:minima-L8"
    )
    assert run.state.vehicles["t"].hex == "L8"
    assert run.state.vehicles["t"].drive.motion


@pytest.mark.rule("aslsk:3.3.2.woods_all_mp", "aslsk:7.6")
def test_all_mp_into_woods_makes_bog_less_likely():
    run = Table(
        MOVE + "unità: {x: ru-447 A10}\nveicoli: {t: ge-ivh E2 vca=1}",
        "u:t",
        "b:avvia",
        "b:tutti-F2",
        dice=[(5, 4)],
    )
    assert not run.state.vehicles["t"].drive.bogged
    assert "3.3.2.woods_all_mp" in run.cited


@pytest.mark.rule("aslsk:3.3.2.reliability")
def test_red_mp_may_break_down_at_the_start():
    run = Table(
        MOVE + "unità: {x: ru-447 A1}\nveicoli: {t: ge-vie M9 vca=4}",
        "u:t",
        "b:avvia",
        dice=[(6, 6)],
    )
    assert run.state.vehicles["t"].drive.immobilized


@pytest.mark.rule("aslsk:3.3.2.obstacles")
def test_a_wreck_in_the_way_costs_more_on_the_road():
    from engine.aslsk.rules.vehicles import entry_cost

    run = Table(
        MOVE
        + "unità: {x: ru-447 A1}\nveicoli: {t: ge-ivh H4 vca=1, w: ge-ivh I4 wreck, v: ge-ivh H5 vca=1}"
    )
    tanks = run.state.vehicles
    assert entry_cost(run.state, tanks["t"], "I4") == 2 + 4


@pytest.mark.rule("aslsk:3.3.2.1", "aslsk:2.0.motion_attempt")
def test_a_tank_may_try_motion_when_somebody_comes_into_view():
    run = Table(
        "lati: [russian, german]\nfase: MPh\nunità: {a: ru-447 E9}\nveicoli: {t: ge-ivh E6 vca=0}",
        "u:a", "b:normale", "h:D8", dice=[(1,)],
    )  # fmt: skip
    run.play("b:moto-t", "n:2", "n:4")
    tank = run.state.vehicles["t"]
    assert tank.drive.motion
    assert (tank.vca, tank.tca) == (2, 4)
    assert "3.3.2.1" in run.cited


@pytest.mark.rule("aslsk:3.3.2.2", "aslsk:2.0.bounding_first_fire")
def test_bounding_first_fire_comes_after_mp():
    run = Table(MOVE + "unità: {x: ru-447 C6}\nveicoli: {t: ge-ivh C9 vca=0 CE}", "u:t")
    assert "3.3.2.2" in run.why_not("b:fuoco")
    run.play("b:attendi", "b:passa", "b:fuoco", "u:t:cmg")
    assert "h:C6" in run.options


@pytest.mark.rule("aslsk:3.3.2.motion_enemy_hex", "aslsk:casa.37")
def test_a_weak_gun_cannot_kill_a_heavy_tank_from_its_side():
    from engine.aslsk.rules.vehicles import could_kill

    run = Table(
        MOVE + "unità: {x: ru-447 A1}\nveicoli: {t: ge-iif C9, k: ru-kv1e C6, v: ge-vib A9}"
    )
    tanks = run.state.vehicles
    assert not could_kill(run.state, tanks["t"], tanks["k"], "C7")
    assert could_kill(run.state, tanks["v"], tanks["k"], "C7")


@pytest.mark.rule("aslsk:3.3.2.motion_enemy_hex", "aslsk:casa.37")
@pytest.mark.parametrize(("came_from", "able"), [("C5", False), ("C7", True)])
def test_the_armour_of_a_shared_hex_is_that_of_the_side_entered(came_from, able):
    from engine.aslsk.rules.vehicles import could_kill

    run = Table(
        MOVE + "unità: {x: ru-447 A1}\nveicoli: {t: ru-t34m43 C6, k: ge-vie C6 vca=0 tca=0}"
    )
    tanks = run.state.vehicles
    assert could_kill(run.state, tanks["t"], tanks["k"], came_from) is able


@pytest.mark.rule("aslsk:3.3.3.gun_if")
def test_a_gun_marked_first_fire_uses_intensive_fire_in_the_mph():
    run = Table(
        "lati: [russian, german]\nfase: MPh\nunità: {a: ru-447 C5, c: ge-228 C9}\narmi: {g: ge-75l c ca=0 first shots=1}",
        "u:a", "b:normale", "h:C6", "u:g", "b:ITT-HE", dice=[(6, 4)],
    )  # fmt: skip
    assert run.state.weapons["g"].broken
    assert run.state.weapons["g"].fire == "Intensive Fire"
    assert run.state.units["c"].fire == "Final Fire"
    assert run.totals("TH DRM")[0] == 2
    assert "3.2.4.intensive_fire" in run.cited


@pytest.mark.rule("aslsk:7.2", "aslsk:7.7", "aslsk:3.7.ce_bu")
def test_restricted_turrets_do_not_fire_while_open():
    run = Table(
        "lati: [russian, german]\nunità: {x: ge-467 C6}\nveicoli: {t: ru-t34m43 C9 vca=0 CE}"
    )
    assert "u:t:ma" not in run.options
    hatch = Table(
        "lati: [russian, german]\nfase: APh\nunità: {x: ge-467 C6}\nveicoli: {t: ru-t34m43 C9 vca=0 CE}",
        "u:t",
    )
    assert not hatch.state.vehicles["t"].crew.ce


@pytest.mark.rule("aslsk:3.2.3.crew_mc", "aslsk:7.10.stun", "aslsk:7.10.recall", "aslsk:casa.10")
@pytest.mark.parametrize(("dice", "recall"), [((5, 6), False), ((6, 6), True)])
def test_an_exposed_crew_that_fails_is_stunned(dice, recall):
    run = Table(
        GE + "unità: {a: ge-838 C8}\nveicoli: {t: ru-t3485 C7 CE}",
        "u:a",
        "h:C7",
        dice=[(1, 3), dice],
    )
    assert run.state.vehicles["t"].crew.stun == "Stun"
    assert run.state.vehicles["t"].recall == recall


@pytest.mark.rule("aslsk:3.2.4.multi_target", "aslsk:6.2.he", "aslsk:6.2.default")
def test_one_shot_may_hit_some_and_miss_others():
    run = Table(
        GE + "unità: {c: ge-228 C9, x: ru-447 C6, y: ru-447 C6 hazardous}\narmi: {g: ge-75l c ca=0}",
        "u:g", "h:C6", "b:ITT-HE", dice=[(4, 5), (6, 6)],
    )  # fmt: skip
    found = run.told("2.0.hit", "dr", "result", "unit")
    assert found == [
        {"unit": "x", "dr": 9, "result": "miss"},
        {"unit": "y", "dr": 7, "result": "hit"},
    ]
    assert "3.2.4.multi_target" in run.cited


@pytest.mark.rule("aslsk:3.2.4.range_limits")
def test_a_mortar_has_a_minimum_range():
    run = Table(
        "lati: [russian, german]\nunità: {s: ru-447 C9, x: ge-467 C8}\narmi: {m: ru-50mtr s}", "u:m"
    )
    assert "3.2.4.range_limits" in run.why_not("h:C8")


OBA = "scenario: R4\nlati: [american, german]\npasso: oba\nunità: {l: us-10-2 A7, z: ge-467 E4}\narmi: {r: us-radio l}\n"


@pytest.mark.rule(
    "aslsk:dae2", "aslsk:dae2.1", "aslsk:dae2.2", "aslsk:dae2.21", "aslsk:dae2.3", "aslsk:dae2.321"
)
def test_contact_access_and_a_spotting_round():
    run = Table(OBA + "oba: {lato: american, radio: r}", "b:chiama", dice=[(3, 4), "black"])
    run.game.chance.add((1,))
    run.play("h:B7")
    assert run.state.oba.sr == "B7"
    assert run.state.oba.access


@pytest.mark.rule("aslsk:dae2.2", "aslsk:dae2.1")
def test_a_second_red_chit_closes_the_battery():
    run = Table(
        OBA + "oba: {lato: american, radio: r, neri: 0, rossi: 2}", "b:chiama", dice=[(3, 4), "red"]
    )
    assert run.state.oba.reds == 1
    broken = Table(OBA + "oba: {lato: american, radio: r}", "b:chiama", dice=[(6, 6)])
    assert broken.state.weapons["r"].broken


@pytest.mark.rule("aslsk:dae2.11", "aslsk:dae2.5", "aslsk:dae2.35")
def test_without_contact_an_ffe2_resolves_and_turns():
    text = OBA + "oba: {lato: american, radio: r, contatto: si, accesso: si, ffe: %s, stadio: 2}"
    seen = Table(text % "J9", "b:chiama", dice=[(5, 5)])
    assert (seen.state.oba.contact, seen.state.oba.stage) == (False, "C")
    assert seen.state.oba.access
    struck = Table(
        (text % "E4").replace("z: ge-467 E4", "z: ge-467 E4 broken"),
        "b:chiama",
        dice=[(5, 5), (6, 5), (1, 1)],
    )
    assert [f["hex"] for f in struck.told("dae2.5", "hex")] == ["E4"]
    after = Table(text % "J9", "b:chiama", dice=[(4, 5)])
    assert after.state.oba.contact
    assert after.state.oba.stage == "2"


@pytest.mark.rule("aslsk:dae2.7")
def test_a_smoke_mission_fills_the_blast_area():
    run = Table(
        OBA + "oba: {lato: american, radio: r, contatto: si, accesso: si, sr: A5}",
        "b:chiama",
        dice=[(3, 4)],
    )
    run.play("b:fumo")
    assert run.state.smoke["A5"].value == 3
    assert len(run.state.smoke) >= 4


@pytest.mark.rule("aslsk:dae2.51", "aslsk:dae2.52", "aslsk:dae2.54")
def test_movers_into_a_barrage_are_struck_and_friends_are_shaken():
    text = "scenario: R4\nlati: [american, german]\nfase: MPh\nunità: {a: us-666 A7, z: ge-467 M1}\noba: {lato: american, radio: r, ffe: A5, stadio: 2}\narmi: {r: us-radio a}"
    run = Table(text, "u:a", "b:normale", "h:A6", dice=[(5, 5), (1, 1)])
    assert run.totals("DRM") == [-1, -2]
    assert [f["result"] for f in run.told(ON_UNIT, "dr", "result", "unit")] == ["2MC"]
    assert [f["morale"] for f in run.told("3.2.3.mc", "morale", "unit", of=ROLL)] == [3]
    assert {"dae2.51", "dae2.54"} <= run.cited


@pytest.mark.rule("aslsk:dae2.53")
def test_a_barrage_strikes_tanks_at_its_full_column():
    run = Table(
        "scenario: R4\nlati: [american, german]\npasso: oba\nunità: {l: us-10-2 A7}\narmi: {r: us-radio l}\nveicoli: {t: ge-stug E4}\noba: {lato: american, radio: r, contatto: si, accesso: si, ffe: E4, stadio: 2}",
        "b:chiama",
        dice=[(3, 4)],
    )
    run.game.chance.add((1, 3))
    run.play("b:lascia")
    found = run.told(ON_UNIT, "dr", "result", "unit")
    assert found == [{"unit": "t", "dr": 4, "result": "K/4"}]
    assert run.state.vehicles["t"].drive.immobilized
    assert "dae2.53" in run.cited


@pytest.mark.rule("aslsk:dae2.4", "aslsk:dae2.31", "aslsk:dae2.32")
def test_errors_are_limited_to_a_third_of_the_correction():
    from engine.aslsk.rules.oba import error_limit, sees_blast, stray

    assert [error_limit(n) for n in (2, 3, 4, 6, 7)] == [1, 1, 2, 2, 3]
    run = Table(OBA + "oba: {lato: american, radio: r, osservatore: A7}")
    assert stray(run.state, "E5", 1, 2) == "E3"
    assert stray(run.state, "E5", 4, 2) == "E7"
    assert sees_blast(run.state, "A3")


@pytest.mark.rule("aslsk:dae2.8")
def test_an_offboard_observer_needs_no_radio():
    run = Table(OBA + "oba: {lato: american, osservatore: A7}", dice=["black"])
    run.game.chance.add((1,))
    run.play("h:A5")
    assert "dae2.8" in run.cited
    assert run.state.oba.sr == "A5"


@pytest.mark.rule("aslsk:dae2.9")
def test_rockets_go_straight_to_fire_for_effect():
    run = Table(OBA + "oba: {lato: american, osservatore: A7, razzi: si}", dice=["black"])
    run.game.chance.add((2, 1))
    run.play("h:K8")
    assert run.state.oba.stage == "2"
    assert "dae2.9" in run.cited


@pytest.mark.rule("aslsk:dae2.34", "aslsk:dae2.33")
def test_an_ffe_c_with_new_access_may_become_an_sr():
    run = Table(OBA + "oba: {lato: american, osservatore: A7, ffe: A5, stadio: C}", dice=["black"])
    run.play("b:sr")
    assert run.state.oba.sr == "A5"
    assert "dae2.34" in run.cited


@pytest.mark.rule("aslsk:dae2.55", "aslsk:dae2.6")
def test_a_barrage_is_not_halved_against_hidden_units():
    run = Table(
        OBA.replace("z: ge-467 E4", "z: ge-228 F2 HIP")
        + "oba: {lato: american, osservatore: A7, contatto: si, accesso: si, ffe: F2, stadio: 2}",
    )
    run.game.chance.add((5, 6))
    run.game.chance.add((1, 2))
    run.play("b:lascia")
    found = run.told(ON_UNIT, "dr", "result", "unit")
    assert found == [{"unit": "z", "dr": 10, "result": "1MC"}]
    assert "dae2.55" in run.cited


@pytest.mark.rule("aslsk:3.2.4.procedure", "aslsk:2.0.gun")
def test_a_leader_does_not_man_a_gun():
    run = Table(GE + "unità: {l: ge-9-1 C9, b: ge-467 C9, x: ru-447 C6}\narmi: {g: ge-75l l ca=0}")
    assert "3.2.4.procedure" in run.why_not("u:g")


@pytest.mark.rule("aslsk:1.4", "aslsk:3.2.4.location")
def test_the_coloured_die_says_turret_or_hull():
    text = "lati: [russian, german]\nunità: {z: ge-467 A10}\nveicoli: {k: ru-t34m43 C9 vca=0, t: ge-ivh C7 vca=3}"
    hull = Table(text, "u:k:ma", "h:C7", "b:VTT-t-AP", dice=[(4, 3), (6, 5)])
    turret = Table(text, "u:k:ma", "h:C7", "b:VTT-t-AP", dice=[(3, 4), (6, 5)])
    said = [
        next(
            s.ruling.msg.facts.get("location")
            for s in run.game.steps
            if s.ruling.refs[0] == "aslsk:3.2.4.location"
        )
        for run in (hull, turret)
    ]
    assert said == ["hull", "turret"]


@pytest.mark.rule("aslsk:6.2.ap")
def test_ap_barely_hurts_infantry():
    run = Table(
        GE + "unità: {c: ge-228 C9, x: ru-447 C6}\narmi: {g: ge-75l c ca=0}",
        "u:g", "h:C6", "b:ITT-AP", dice=[(3, 2), (3, 4)],
    )  # fmt: skip
    assert [f["fp"] for f in run.told("3.2.4.effect_infantry", "fp", "column")] == [2]
    assert "6.2.ap" in run.cited
    assert not run.state.units["x"].broken


@pytest.mark.rule("aslsk:3.8.vehicle_melee")
def test_a_vehicle_that_stays_holds_infantry_in_melee():
    run = Table(
        "lati: [russian, german]\nfase: CCPh\nunità: {a: ru-447 E7 done, z: ge-467 A1}\nveicoli: {t: ge-ivh E7}",
        "u:a", "u:t", dice=[(5, 6)],
    )  # fmt: skip
    assert "3.8.ccv" in run.cited
    while run.state.cc is not None and "b:passa" in run.options:
        run.play("b:passa")
    assert run.state.units["a"].melee


@pytest.mark.rule("aslsk:7.2.1")
def test_a_circled_number_means_low_ammo_first(monkeypatch):
    import msgspec

    from engine.aslsk.state.tables import VEHICLES

    kind = msgspec.structs.replace(VEHICLES["ge-ivh"], low_ammo=11)
    monkeypatch.setitem(VEHICLES, "ge-ivh", kind)
    text = (
        GE + "unità: {{z: ru-447 A10}}\nveicoli: {{t: ge-ivh C9 vca=0 {0}, k: ru-t34m43 C7 vca=0}}"
    )
    run = Table(text.format(""), "u:t:ma", "h:C7", "b:VTT-k-AP", dice=[(5, 6)])
    assert run.state.vehicles["t"].arms.low
    again = Table(text.format("low=1"), "u:t:ma", "h:C7", "b:VTT-k-AP", dice=[(5, 6)])
    assert again.state.vehicles["t"].arms.ma == "disabled"


@pytest.mark.rule("aslsk:3.8.sn_attack")
def test_the_close_defence_weapon_strikes_everybody(monkeypatch):
    import msgspec

    from engine.aslsk.state.tables import VEHICLES

    kind = msgspec.structs.replace(VEHICLES["ge-ivh"], smoke={"sN": 8})
    monkeypatch.setitem(VEHICLES, "ge-ivh", kind)
    run = Table(
        "lati: [russian, german]\ndata: 1944-10\nfase: CCPh\nunità: {a: ru-447 E7 done, b: ru-447 E7 done, z: ge-467 A1}\nveicoli: {t: ge-ivh E7}",
        "u:a", "u:t", dice=[(5, 6)],
    )  # fmt: skip
    run.game.chance.add((1, 3))
    run.game.chance.add("a")
    run.game.chance.add((1, 2))
    run.game.chance.add((1, 2))
    run.play("u:t:sn", "u:a")
    assert run.state.units["a"].type == "ru-237"
    assert [f["unit"] for f in run.told("3.2.3.mc", "morale", "unit", of=ROLL)] == ["a", "b"]
    assert "3.8.sn_attack" in run.cited
