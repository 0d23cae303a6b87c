"""German fire (6), leaders under fire (11.4) and artillery (6.5)."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from engine.ddob.rules.german_fire import Assignment, Shot, Target, forecast, guns_of
from engine.ddob.state.tables import CARDS
from tests.ddob.table import Table, state_of


def squares():
    return [square for card in CARDS.values() for square in card.fire]


def fire(*draws, **given):
    return Table(dice=draws, fase="fire:east", **{"turno": 8, **given})


@pytest.mark.rule("ddob:6", "ddob:6.1.singolo", "ddob:6.32")
def test_intense_fire_takes_a_step_of_every_unit_up_to_the_limit():
    game = fire("03", us={"A/1/16": "0615"}, tedeschi={"0916": "wn"})
    assert game.state.units["A/1/16"].steps == 2
    assert {"6", "6.3", "6.31", "6.32"} <= game.cited
    assert not game.state.germans["0916"].shown


@pytest.mark.rule("ddob:6.1.doppio", "ddob:casa.64", "ddob:6.41")
def test_a_double_square_needs_a_depth_marker_that_is_not_disrupted():
    us = {"A/1/16": "0612"}
    game = fire("05", us=us, tedeschi={"0812": "wn"})
    assert game.state.units["A/1/16"].steps == 3
    assert "6.1.doppio" in game.cited
    given = {"0812": {"specie": "wn", "incognita": "?", "confusione": "si"}, "0912": "wn75"}
    game = fire("05", us=us, tedeschi=given)
    assert game.state.units["A/1/16"].steps == 3
    game = fire("05", us=us, tedeschi={"0812": "wn", "0912": "wn75+"})
    assert game.state.units["A/1/16"].steps == 2


@pytest.mark.rule("ddob:6.3")
def test_steady_fire_hits_the_symbol_only():
    given = {"us": {"A/1/16": "0714", "B/1/16": "0715"}, "tedeschi": {"0916": "wn+"}}
    game = fire("03", **given)
    assert game.state.units["B/1/16"].steps == 2
    assert game.state.units["A/1/16"].steps == 3


@pytest.mark.rule("ddob:6.3", "ddob:6.33")
def test_sporadic_fire_disrupts():
    game = fire("03", us={"B/1/16": "0714"}, tedeschi={"0916": "wn"})
    unit = game.state.units["B/1/16"]
    assert (unit.steps, unit.disrupted) == (3, True)


@pytest.mark.rule("ddob:6.3")
def test_hidden_reinforcements_disrupt_what_they_hit():
    us = {"A/1/16": "1009"}
    game = fire("05", us=us, tedeschi={"1008": "T"})
    assert game.state.units["A/1/16"].disrupted
    shown = {"1008": {"specie": "T", "unita": "8/2/916", "rivelata": "si"}}
    game = fire("05", us=us, tedeschi=shown)
    assert not game.state.units["A/1/16"].disrupted
    assert game.state.units["A/1/16"].steps == 2


@pytest.mark.rule("ddob:6.31")
def test_the_player_chooses_between_equal_targets():
    game = fire("03", us={"A/1/16": "0615", "B/1/16": "0616"}, tedeschi={"0916": "wn"})
    assert game.options == {"u:A/1/16", "u:B/1/16"}
    game.play("u:B/1/16")
    assert game.state.units["B/1/16"].steps == 2
    assert game.state.units["A/1/16"].steps == 3


@pytest.mark.rule("ddob:6.31", "ddob:casa.14")
def test_a_hit_on_a_disrupted_unit_uses_up_the_limit():
    us = {"B/1/16": "0714 confusione", "F/2/16": "0813 2"}
    game = fire("03", us=us, tedeschi={"0916": "wn"})
    assert not game.state.units["F/2/16"].disrupted
    assert "6.33" in game.cited


@pytest.mark.rule("ddob:6.34", "ddob:casa.15")
def test_hits_are_spread_over_as_many_units_as_possible():
    def target(unit: str, far: int) -> Target:
        return Target(unit, "intense", True, False, (0, far, -3))

    a = Shot("A", ("x",), 2, (target("1", 1), target("2", 2), target("3", 3)), False, {})
    b = Shot("B", ("y",), 1, (target("1", 1),), False, {})
    plan = Assignment([a, b], frozenset())
    assert plan.by["B"] == ["1"]
    assert sorted(plan.by["A"]) == ["2", "3"]
    assert not plan.equals()


@pytest.mark.rule("ddob:6.34", "ddob:casa.15")
def test_among_equal_spreads_the_one_with_most_hits_counts():
    us = {"A/1/16": "0610", "B/1/16": "0607"}
    game = fire("18", us=us, tedeschi={"0809": "wn88", "0812": "wn"})
    found = game.state.units
    assert found["A/1/16"].steps == 2
    assert found["B/1/16"].disrupted, "WN62 hits 0610, so that WN61 reaches 0607"
    game = fire("18", us=us, tedeschi={"0809": "wn88"})
    assert not game.state.units["B/1/16"].disrupted


@pytest.mark.rule("ddob:6.31", "ddob:6.34", "ddob:casa.15")
def test_each_position_keeps_its_own_order_when_fields_overlap():
    us = {"A/1/16": "0616", "C/1/16": "0613", "B/1/16": "0612"}
    game = fire("39", us=us, tedeschi={"0916": "wn", "0812": "wn"})
    assert game.options == {"u:B/1/16", "u:C/1/16"}, "both are equal for WN62"
    game.play("u:C/1/16")
    steps = {name: game.state.units[name].steps for name in us}
    assert steps == {"A/1/16": 2, "C/1/16": 2, "B/1/16": 3}


@pytest.mark.rule("ddob:6.31", "ddob:6.33", "ddob:casa.15")
def test_the_limit_leaves_room_for_those_that_a_hidden_unit_only_disrupts():
    def target(unit: str, level: int, loses: bool) -> Target:
        return Target(unit, "moderate", loses, True, (level, 1, -3))

    hidden = Shot("A", ("x",), 1, (target("1", 1, True),), False, {})
    other = Shot("B", ("y",), 1, (Target("1", "moderate", True, False, (1, 2, -3)),), False, {})
    assert Assignment([hidden, other], frozenset()).by == {"A": [], "B": ["1"]}
    assert Assignment([hidden, other], frozenset({"1"})).by == {"A": [], "B": []}


@pytest.mark.rule("ddob:6.34")
def test_a_unit_loses_one_step_at_most_in_a_phase():
    given = {"us": {"A/1/16": "0615"}, "tedeschi": {"0916": "wn", "0817": "wn"}}
    game = fire("25", **given)
    assert game.state.units["A/1/16"].steps == 2
    game = fire("25", us={"A/1/16": "0615 colpita"}, tedeschi=given["tedeschi"])
    assert game.state.units["A/1/16"].steps == 3


@pytest.mark.rule("ddob:6.35", "ddob:7.62")
def test_four_steps_in_a_hex_are_no_concentrated_target():
    us = {"A/1/16": "0715 2", "B/1/16": "0715 2"}
    game = fire("04", us=us, tedeschi={"0916": "wn+"})
    assert game.state.units["A/1/16"].steps == 2
    assert "6.35" not in game.cited


@pytest.mark.rule("ddob:6.36", "ddob:6.1.carri")
def test_armor_is_safe_from_steady_fire_without_the_tank_symbol():
    us = {"2/B/741": "0715"}
    game = fire("10", us=us, tedeschi={"0916": "wn"})
    assert game.state.units["2/B/741"].steps == 2
    game = fire("03", us=us, tedeschi={"0916": "wn"})
    assert game.state.units["2/B/741"].steps == 1
    assert "6.36" in game.cited


@pytest.mark.rule("ddob:6.37")
def test_two_units_of_a_stack_are_hit_one_by_one():
    us = {"B/1/16": "0714 2", "F/2/16": "0714 2"}
    game = fire("03", us=us, tedeschi={"0916": "wn+"})
    assert [game.state.units[u].disrupted for u in us] == [True, True]
    assert "6.37" in game.cited


@pytest.mark.rule("ddob:6.4", "ddob:casa.17")
def test_a_disrupted_position_is_silent_and_recovers_after_the_fire():
    given = {"0916": {"specie": "wn", "confusione": "si"}}
    game = fire("03", us={"A/1/16": "0615"}, tedeschi=given)
    assert game.state.units["A/1/16"].steps == 3
    assert not game.state.germans["0916"].disrupted
    game = fire("05", us={"A/1/16": "0615"}, tedeschi=given)
    assert game.state.germans["0916"].disrupted


@pytest.mark.rule("ddob:6.1.stella", "ddob:11.4", "ddob:11.41")
def test_a_star_takes_a_leader_only_when_nobody_else_is_left():
    us = {"HQ16": "0710", "A/1/16": "0609"}
    game = fire("05", us=us, tedeschi={"0809": "wn88"})
    assert game.state.units["HQ16"].at == "0710"
    game = fire("05", us={"HQ16": "0710"}, tedeschi={"0809": "wn88"})
    assert game.state.units["HQ16"].due == 10
    assert {"11.4", "6.1.stella"} <= game.cited


@pytest.mark.rule("ddob:11.4")
@pytest.mark.parametrize(("at", "note", "safe"), [
    ("0714", {}, True), ("0715", {}, False), ("0615", {}, False),
    ("0714", {"plunging": "moderate"}, False),
])  # fmt: skip
def test_sporadic_fire_never_reaches_a_leader(at, note, safe):
    game = fire("27", us={"HQ16": at}, tedeschi={"0916": "wn"}, note=note)
    assert (game.state.units["HQ16"].at == at) is safe
    us = {"A/1/16": f"{at} eroe=Pinder colpita"}
    game = fire("27", us=us, tedeschi={"0916": "wn"}, note=note)
    assert game.state.units["A/1/16"].inspired is not safe


@pytest.mark.rule("ddob:11.41")
def test_a_hit_handed_to_another_position_frees_no_shot_at_a_leader():
    us = {"HQ16": "0710", "A/1/16": "0611"}
    game = fire("05", us=us, tedeschi={"0809": "wn88", "0812": "wn+"})
    assert game.state.units["A/1/16"].steps == 2
    assert game.state.units["HQ16"].at == "0710"
    game = fire("05", us=us, tedeschi={"0809": "wn88+", "0812": "wn+"})
    assert game.state.units["HQ16"].due == 10


@pytest.mark.rule("ddob:11.4", "ddob:11.15")
def test_a_hero_hit_by_fire_inspires_and_a_general_is_wounded_then_killed():
    game = fire("05", us={"B/1/16": "0710 eroe=Pinder"}, tedeschi={"0809": "wn88"})
    assert game.state.units["B/1/16"].inspired
    game = fire("05", us={"Wyman": "0710"}, tedeschi={"0809": "wn88"})
    assert game.state.units["Wyman"].wounded
    game = fire("05", us={"Wyman": "0710 ferito"}, tedeschi={"0809": "wn88"})
    assert game.state.units["Wyman"].at == "out"


@pytest.mark.rule("ddob:11.41")
def test_the_player_chooses_among_leaders():
    game = fire("05", us={"Wyman": "0710", "HQ16": "0710"}, tedeschi={"0809": "wn88"})
    assert game.options == {"u:Wyman", "u:HQ16"}
    game.play("u:Wyman")
    assert game.state.units["HQ16"].at == "0710"


@pytest.mark.rule("ddob:11.14", "ddob:11.15")
def test_a_hero_may_die_in_place_of_the_last_step():
    us = {"A/1/16": "0615 1 eroe=Pinder"}
    game = fire("03", us=us, tedeschi={"0916": "wn"})
    game.play("b:sacrifica")
    unit = game.state.units["A/1/16"]
    assert (unit.steps, unit.inspired) == (1, True)
    game = fire("03", us=us, tedeschi={"0916": "wn"})
    game.play("b:elimina")
    assert game.state.units["A/1/16"].at == "lost"


@pytest.mark.rule("ddob:11.14", "ddob:6.34")
def test_a_hero_saves_his_unit_from_artillery_and_for_the_whole_phase():
    us = {"C/1/16": "0715 1 eroe=Pinder"}
    game = fire("04", turno=5, us=us, tedeschi={"0807": "wn75"})
    assert game.options == {"b:sacrifica", "b:elimina"}
    us = {"A/1/16": "0615 1 eroe=Pinder"}
    game = fire("03", us=us, tedeschi={"0916": "wn"})
    game.play("b:sacrifica")
    assert game.state.units["A/1/16"].hit


@pytest.mark.rule("ddob:6.32", "ddob:6.33")
def test_a_unit_that_dies_under_hidden_fire_is_not_disrupted_as_well():
    game = fire("05", us={"A/1/16": "1009 1"}, tedeschi={"1008": "T"})
    unit = game.state.units["A/1/16"]
    assert (unit.at, unit.disrupted) == ("lost", False)


@pytest.mark.rule("ddob:ev.plunging")
def test_plunging_fire_spares_high_ground_and_open_beach():
    given = {"tedeschi": {"0807": "wn75"}, "note": {"plunging": "intense"}}
    game = fire("02", us={"A/1/16": "0810"}, **given)
    assert game.state.units["A/1/16"].steps == 3
    game = fire("02", us={"A/1/16": "0606"}, **given)
    assert game.state.units["A/1/16"].steps == 3
    game = fire("02", us={"A/1/16": "0711"}, **given)
    assert game.state.units["A/1/16"].steps == 2


@pytest.mark.rule("ddob:6.5", "ddob:6.1.artiglieria")
def test_artillery_waits_for_turn_four():
    game = fire("04", turno=3, us={"C/1/16": "ER1"}, tedeschi={"0807": "wn75"})
    assert game.state.units["C/1/16"].steps == 3
    assert "6.5" in game.cited


@pytest.mark.rule("ddob:6.5.procedura")
def test_artillery_prefers_infantry_in_boxes_then_others_on_the_beach():
    given = {"tedeschi": {"0807": "wn75"}, "turno": 5}
    us = {"C/1/16": "ER1", "1/C/741": "0715", "L/3/16": "0716"}
    game = fire("04", us=us, **given)
    assert game.state.units["C/1/16"].steps == 2
    del us["C/1/16"]
    game = fire("04", us=us, **given)
    assert game.state.units["1/C/741"].steps == 1
    del us["1/C/741"]
    game = fire("04", us=us, **given)
    assert game.state.units["L/3/16"].steps == 2


@pytest.mark.rule("ddob:6.5.procedura")
def test_the_player_picks_any_infantry_in_boxes_but_the_strongest_of_the_others():
    given = {"tedeschi": {"0807": "wn75"}, "turno": 5}
    game = fire("04", us={"C/1/16": "ER1 2", "G/2/16": "ER2"}, **given)
    assert game.options == {"u:C/1/16", "u:G/2/16"}
    us = {"C/1/16": "0715 2", "G/2/16": "0715 3"}
    game = fire("04", us=us, **given)
    assert [game.state.units[name].steps for name in us] == [2, 2]
    us = {"1/C/741": "0715 1", "2/A/741": "0714 2", "C/1/16": "0715"}
    game = fire("04", us=us, **given)
    assert [game.state.units[name].steps for name in us] == [1, 1, 3]


@pytest.mark.rule("ddob:6.5.procedura", "ddob:6.34", "ddob:casa.73")
def test_artillery_passes_over_a_unit_that_lost_its_step_of_the_phase():
    given = {"tedeschi": {"0807": "wn75"}, "turno": 5}
    us = {"C/1/16": "0715 colpita", "G/2/16": "0714 2"}
    game = fire("04", us=us, **given)
    assert [game.state.units[name].steps for name in us] == [3, 1]
    assert "casa.73" in game.cited
    game = fire("04", us={"C/1/16": "0715 colpita"}, **given)
    assert game.state.units["C/1/16"].steps == 3
    game = fire("04", us={"C/1/16": "0618"}, tedeschi={"0916": "wn", "0807": "wn75"}, turno=5)
    assert game.state.units["C/1/16"].steps == 2, "a WN and the artillery, but one step"


def guns(state, sector, calibres):
    """How many guns of a sector can fire."""
    return len(list(guns_of(state, sector, calibres)))


@pytest.mark.rule("ddob:6.51", "ddob:casa.51")
def test_a_battery_is_silent_while_all_its_observers_are_cut_off_in_us_hands():
    found = state_of(turno=5, us={}, tedeschi={"0916": "wn"})
    assert guns(found, "east", ("88",)) == 1
    us = {"A/1/16": "0916", "B/1/16": "0817", "C/1/16": "0918", "E/2/16": "1220"}
    found = state_of(turno=5, us=us, tedeschi={})
    assert guns(found, "east", ("88",)) == 0
    assert guns(found, "east", ("105",)) == 1


@pytest.mark.rule("ddob:6.51", "ddob:12.24")
def test_a_silent_battery_stays_silent_until_an_observer_is_german_or_linked_again():
    held = {"A/1/16": "0916", "B/1/16": "0817", "C/1/16": "0918", "E/2/16": "1220"}
    game = Table(dice=["01", "02"], fase="fire", turno=5, us=held, tedeschi={})
    assert game.state.inactive == ("east-88",)
    assert "6.51" in game.cited
    cut_off = {**held, "A/1/16": "1014", "F/2/16": "1116"}
    found = state_of(turno=6, us=cut_off, tedeschi={})
    assert "0916" not in found.linked
    assert guns(found, "east", ("88",)) == 1
    quiet = msgspec.structs.replace(found, inactive=("east-88",))
    assert guns(quiet, "east", ("88",)) == 0
    assert guns(msgspec.structs.replace(quiet, linked=("0916",)), "east", ("88",)) == 1
    again = state_of(turno=6, us=cut_off, tedeschi={"0916": "wn"})
    assert guns(msgspec.structs.replace(again, inactive=("east-88",)), "east", ("88",)) == 1


@pytest.mark.rule("ddob:6.52", "ddob:6.53", "ddob:casa.60")
def test_guns_of_wns_count_and_rockets_never_do():
    found = state_of(turno=5, us={}, tedeschi={"0807": "wn75", "0809": "wn88"})
    assert guns(found, "east", ("75", "88", "105")) == 4
    found = state_of(turno=5, us={}, tedeschi={"1222": "rocket"})
    assert guns(found, "west", ("75", "88", "105")) == 2


@pytest.mark.rule("ddob:ev.fumo")
def test_a_position_in_smoke_does_not_fire():
    given = {"us": {"A/1/16": "0615"}, "tedeschi": {"0916": "wn"}, "note": {"smoke": "WN64"}}
    game = fire("03", **given)
    assert game.state.units["A/1/16"].steps == 3
    assert "ev.fumo" in game.cited


@pytest.mark.rule("ddob:ev.plunging", "ddob:casa.46")
def test_plunging_fire_makes_sporadic_dots_intense_behind_shelter():
    given = {"us": {"A/1/16": "0714"}, "tedeschi": {"0916": "wn"}}
    assert fire("03", **given).state.units["A/1/16"].steps == 3
    game = fire("03", note={"plunging": "intense"}, **given)
    assert game.state.units["A/1/16"].steps == 2


@pytest.mark.rule("ddob:6.1.lettera")
def test_letters_mean_nothing_before_turn_17():
    game = fire("21", us={"C/1/16": "0709"}, tedeschi={"0807": "wn75"})
    assert "6.1.lettera" in game.cited
    assert "16" not in game.cited


@pytest.mark.rule("ddob:6.3", "ddob:6.31")
def test_the_forecast_counts_the_cards_left():
    found = state_of(turno=8, us={"A/1/16": "0615"}, tedeschi={"0916": "wn"})
    chance = forecast(found, "east")["A/1/16"]
    singles = sum(square.colour == "blue" and square.squares == 1 for square in squares())
    assert chance.loses == Fraction(singles, 54)
    found = state_of(turno=8, us={"A/1/16": "0615"}, tedeschi={"0916": "wn"}, mazzo=["03", "05"])
    assert forecast(found, "east")["A/1/16"].loses == Fraction(1, 2)


@pytest.mark.rule("ddob:6.1.lettera", "ddob:14.2", "ddob:tab.azioni")
@pytest.mark.parametrize(
    ("turn", "option", "share"),
    [(11, "si", 1), (12, "si", 0), (12, "no", 1), (17, "no", 0)],
)
def test_the_forecast_reads_letters_only_when_they_count(turn, option, share):
    found = state_of(
        turno=turn, scenario="d-day", opzioni={"14.2": option}, us={"A/1/16": "1009"},
        tedeschi={"1008": "T"}, mazzo=["49"],
    )  # fmt: skip
    threat = forecast(found, "east").get("A/1/16")
    assert (threat.loses if threat else 0) == share


@pytest.mark.rule("ddob:13.1", "ddob:13.11", "ddob:20.1")
def test_losses_count_for_regular_infantry_and_the_limit_rises_to_14():
    game = fire("03", us={"A/1/16": "0615 2"}, tedeschi={"0916": "wn"})
    assert game.state.losses["1"] == ("A/1/16",)
    game = fire("05", us={"2/B/741": "0611"}, tedeschi={"0809": "wn88"})
    assert game.state.losses["1"] == ()
    seven = ["B/1/16", "C/1/16", "D/1/16", "E/2/16", "F/2/16", "G/2/16", "H/2/16"]
    game = fire(
        "03", turno=18, scenario="d-day", us={"A/1/16": "0716 2"}, tedeschi={"0916": "wn"},
        perdite={"1": seven}, riquadri={"T": 0, "D": 0},
    )  # fmt: skip
    assert game.state.degree == ""
