"""Rally, movement, defensive fire, rout, advance, close combat, victory (3.1-3.9)."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

import pytest

from engine.aslsk import TITLE
from engine.game import Game, SeededChance
from tests.aslsk.table import Table

MOVE = "lati: [russian, german]\nfase: MPh\n"
RALLY = "lati: [russian, german]\nfase: RPh\n"


@pytest.mark.rule("aslsk:3.1.b", "aslsk:4.0", "aslsk:3.1")
def test_a_weapon_on_the_ground_is_taken_under_six():
    text = RALLY + "passo: b\nunità: {a: ru-447 E7, x: ge-467 M1}\narmi: {m: ru-lmg @E7}"
    assert Table(text, "b:a+m", dice=[(5,)]).state.weapons["m"].owner == "a"
    assert Table(text, "b:a+m", dice=[(6,)]).state.weapons["m"].owner == ""


@pytest.mark.rule("aslsk:3.1.c", "aslsk:1.2.4", "aslsk:4.0.captured")
def test_repair_works_at_its_number_and_six_loses_the_weapon():
    text = (
        RALLY
        + "passo: c\nunità: {a: ru-447 E7, x: ge-467 M1}\narmi: {m: ru-mmg a malfunctioned, n: ge-lmg a malfunctioned}"
    )
    assert not Table(text, "u:m", dice=[(2,)]).state.weapons["m"].broken
    assert Table(text, "u:m", dice=[(6,)]).state.weapons["m"].place == "eliminated"
    assert "4.0.captured" in Table(text).why_not("u:n")


@pytest.mark.rule("aslsk:3.1.d")
def test_weapons_change_hands_between_good_order_units():
    text = (
        RALLY
        + "passo: d\nunità: {a: ru-447 E7, b: ru-447 E7, c: ru-447 E7 broken, x: ge-467 M1}\narmi: {m: ru-lmg a}"
    )
    run = Table(text)
    assert "3.1.d" in run.why_not("b:m>c")
    assert run.play("b:m>b").state.weapons["m"].owner == "b"


@pytest.mark.rule("aslsk:3.1.g", "aslsk:7.10.shock")
@pytest.mark.parametrize(("dr", "shock"), [(2, ""), (3, "UK")])
def test_shock_recovers_or_turns_to_uk(dr, shock):
    text = (
        RALLY
        + "passo: g\nunità: {a: ru-447 E7 broken DM, x: ge-467 M1}\nveicoli: {t: ru-t34m43 A1 shock}"
    )
    assert Table(text, dice=[(dr,)]).state.vehicles["t"].crew.shock == shock


@pytest.mark.rule("aslsk:3.1.h")
def test_dm_stays_next_to_a_known_enemy_and_by_choice_in_the_open():
    text = RALLY + "passo: h\nunità: {a: ru-447 E7 broken DM, b: ru-447 A9 broken DM, x: ge-467 E6}"
    run = Table(text, "b:tieni")
    assert run.state.units["a"].dm
    assert run.state.units["b"].dm


@pytest.mark.rule("aslsk:3.1.a", "aslsk:3.3.entry", "aslsk:1.3", "aslsk:3.9", "aslsk:3.0")
def test_a_game_starts_with_set_up_and_arrivals():
    game = Game(TITLE, "R1", SeededChance(1))
    while game.position.draft.phase == "set-up":
        game.answer(game.position.decision.options[-1].id)
    assert game.position.decision.id == "entry.wait"
    assert game.position.draft.attacker == "american"


@pytest.mark.rule("aslsk:3.2", "aslsk:3.3", "aslsk:3.3.3")
@pytest.mark.parametrize(
    ("phase", "answers"),
    [("PFPh", []), ("MPh", []), ("MPh", ["u:a", "b:normale", "h:D8"]), ("AFPh", []), ("APh", [])],
)
def test_what_ends_a_phase_is_listed_last(phase, answers):
    text = f"lati: [russian, german]\nfase: {phase}\nunità: {{a: ru-447 E9, d: ge-467 D9}}\n"
    run = Table(text + "veicoli: {t: ge-ivh E6 vca=0}", *answers)
    run.game.resume(())
    ids = [option.id for option in run.game.position.decision.options]
    assert len(ids) > 1
    assert ids[-1] == "b:passa"


@pytest.mark.rule("aslsk:3.3.1", "aslsk:3.3.3.repeat")
def test_steps_tell_the_mf_spent_and_the_attacks_made():
    text = "lati: [russian, german]\nfase: MPh\nunità: {a: ru-447 E9, b: ru-447 A1, d: ge-467 D6}\n"
    run = Table(text, "u:a", "b:normale", "h:E8", "u:d", dice=[(6, 5)])
    assert run.told("3.3.1", "n", "total", of="MoverSet") == [{"n": 2, "total": 2}]
    assert run.told("3.3.3.repeat", "most", "n", of="MoverSet") == [{"n": 1, "most": 2}]


@pytest.mark.rule("aslsk:3.3.2", "aslsk:3.3.2.start_stop")
def test_steps_tell_the_mp_spent_now_and_in_all():
    text = (
        "lati: [german, russian]\nfase: MPh\nunità: {x: ru-447 M1}\nveicoli: {t: ge-ivh C9 vca=0}\n"
    )
    run = Table(text, "u:t", "b:avvia", "h:C8")
    found = run.told("3.3.2", "n", "total", of="MoverSet")
    assert [(f["n"], f["total"]) for f in found] == [(1, 1), (1, 2)]


@pytest.mark.rule("aslsk:3.3", "aslsk:3.3.exit", "aslsk:3.3.1.stacking", "aslsk:2.0.stacking")
def test_where_infantry_may_not_go():
    run = Table(
        MOVE + "unità: {a: ru-447 A7, b: ru-447 A8, c: ru-447 A8, d: ru-447 A8, x: ge-467 B7}",
        "u:a",
        "b:normale",
    )
    assert "3.3.1.stacking" in run.why_not("h:A8")
    assert "3.3" in run.why_not("h:B7")
    assert "3.3.exit" in run.why_not("h:w6")


@pytest.mark.rule("aslsk:3.3.1.stack_move")
def test_a_stack_divides_and_all_end_before_others_move():
    run = Table(
        MOVE + "unità: {a: ru-447 E9, b: ru-447 E9, c: ru-447 A1, x: ge-467 M1}",
        "u:a", "b:normale", "u:b", "h:D8", "u:b", "h:C8", "b:fine",
    )  # fmt: skip
    assert run.state.mover.units == ("b",)
    assert run.state.units["a"].done
    assert run.state.units["b"].hex == "D8"


@pytest.mark.rule("aslsk:3.3.1.double_time", "aslsk:2.0.cx")
def test_double_time_gives_two_mf_and_exhausts():
    run = Table(MOVE + "unità: {a: ru-447 E9, x: ge-467 M1}", "u:a", "b:corsa")
    assert run.state.units["a"].cx
    tired = Table(MOVE + "unità: {a: ru-447 E9 CX, x: ge-467 M1}", "u:a")
    assert "3.3.1.double_time" in tired.why_not("b:corsa")


@pytest.mark.rule("aslsk:3.3.1.smoke", "aslsk:casa.31")
@pytest.mark.parametrize(("dr", "value"), [(3, 2), (4, None)])
def test_smoke_grenades(dr, value):
    run = Table(
        "lati: [american, german]\nfase: MPh\nunità: {a: us-666 E9, x: ge-467 M1}",
        "u:a", "b:normale", "b:fumo", "h:E9", dice=[(dr,)],
    )  # fmt: skip
    smoke = run.state.smoke.get("E9")
    assert (smoke.value if smoke else None) == value
    assert run.state.mover.spent["a"] == 2


@pytest.mark.rule("aslsk:3.3.1.recover")
def test_a_weapon_is_recovered_on_the_way_for_one_mf():
    run = Table(
        MOVE + "unità: {a: ru-447 E9, x: ge-467 M1}\narmi: {m: ru-lmg @E9}",
        "u:a", "b:normale", "b:recupera", "b:a+m", dice=[(2,)],
    )  # fmt: skip
    assert run.state.weapons["m"].owner == "a"
    assert run.state.mover.spent["a"] == 2


@pytest.mark.rule("aslsk:3.3.3.repeat", "aslsk:casa.21")
def test_a_mover_is_attacked_once_per_mf_by_the_same_unit():
    run = Table(
        MOVE + "unità: {a: ru-447 E9, d: ge-467 C9, e: ge-467 A9}",
        "u:a", "b:normale", "h:D8", "u:d", dice=[(6, 5), (1, 1)],
    )  # fmt: skip
    assert "3.3.3.repeat" in run.why_not("u:d")


@pytest.mark.rule("aslsk:3.3.3.broken_target")
def test_a_mover_that_breaks_ends_its_move():
    run = Table(
        MOVE + "unità: {a: ru-447 E9, d: ge-467 C9}",
        "u:a", "b:normale", "h:D8", "u:d", dice=[(3, 4), (6, 5)],
    )  # fmt: skip
    assert run.state.units["a"].broken
    assert run.state.mover is None


@pytest.mark.rule("aslsk:3.3.5.replace", "aslsk:3.3.5")
def test_a_lower_residual_never_replaces_a_higher_one():
    from engine.aslsk.state.events import ResidualPlaced

    run = Table(MOVE + "unità: {a: ru-447 E9, x: ge-467 M1}\nresiduo: {E7: 4}")
    assert ResidualPlaced(hex="E7", fp=2).on(run.state).residual["E7"] == 4
    assert ResidualPlaced(hex="E7", fp=6).on(run.state).residual["E7"] == 6


@pytest.mark.rule("aslsk:3.6.weapons")
def test_a_router_leaves_what_it_cannot_carry():
    run = Table(
        "lati: [russian, german]\nfase: RtPh\nunità: {a: ru-447 D7 broken DM, x: ge-467 G7}\narmi: {m: ru-mmg a, n: ru-lmg a}",
        "u:a",
    )
    assert run.state.weapons["m"].owner == ""
    assert run.state.weapons["n"].owner == "a"


@pytest.mark.rule("aslsk:3.6.leader")
def test_a_leader_may_go_along():
    run = Table(
        "lati: [russian, german]\nfase: RtPh\nunità: {a: ru-447 D7 broken DM, l: ru-9-1 D7, x: ge-467 G7}",
        "u:a", "u:l", "h:D6",
    )  # fmt: skip
    assert run.state.units["l"].hex == "D6"


@pytest.mark.rule("aslsk:3.6.toward")
def test_no_rout_toward_a_known_enemy():
    run = Table(
        "lati: [russian, german]\nfase: RtPh\nunità: {a: ru-447 D7 broken DM, x: ge-467 G7}", "u:a"
    )
    assert "3.6.toward" in run.why_not("h:E7")


@pytest.mark.rule("aslsk:3.7", "aslsk:3.7.cc_counter")
def test_an_advance_may_enter_the_enemy_hex():
    run = Table(
        "lati: [russian, german]\nfase: APh\nunità: {a: ru-447 E7, b: ru-447 E9 pinned, x: ge-467 E6}"
    )
    assert "3.2.3.pinned" in run.why_not("u:b")
    run.play("u:a", "h:E6")
    assert "3.7.cc_counter" in run.cited


@pytest.mark.rule("aslsk:3.8.cleanup")
def test_pins_go_at_the_end_of_the_turn():
    run = Table("lati: [russian, german]\nfase: CCPh\nunità: {a: ru-447 E7 pinned, x: ge-467 A1}")
    assert not run.state.units["a"].pinned
    assert run.state.attacker == "german"


@pytest.mark.rule("aslsk:3.9", "aslsk:2.0.control")
def test_control_and_the_end_of_r4():
    from engine.aslsk.rules.victory import is_reached
    from engine.aslsk.state.tables import scenarios

    goal = scenarios()["R4"].victory
    text = "scenario: R4\nmappa: mD\nlati: [american, german]\nunità: {a: us-666 A1, x: ge-467 O9}\ncontrollo: {%s}"
    few = Table(text % ", ".join(f"{h}: german" for h in goal.hexes)).state
    many = Table(text % ", ".join(f"{h}: american" for h in goal.hexes)).state
    assert not is_reached(few, goal)
    assert is_reached(many, goal)


@pytest.mark.rule("aslsk:3.3.3")
def test_defensive_fire_goes_on_when_the_first_of_a_stack_is_lost():
    run = Table(
        MOVE + "unità: {a: ru-447 E9, b: ru-447 E9, d: ge-467 C9, e: ge-467 C9}",
        "u:a", "b:normale", "u:b", "h:D8", "u:d", "b:fuoco", dice=[(1, 3), "a"],
    )  # fmt: skip
    assert run.state.units["a"].place == "eliminated"
    assert run.state.units["b"].broken
