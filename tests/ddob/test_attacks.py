"""US attacks (8.1-8.3) and barrages (8.4, 8.5, 17.3)."""

from __future__ import annotations

import pytest

from tests.ddob.table import Table


def division(*draws, **given):
    return Table(dice=draws, fase="division", **{"turno": 8, "divisione": "1", **given})


def wn(unit, kind="wn", **more):
    return {"specie": kind, "unita": unit, **more}


def attack(game, *answers):
    """A/1/16 attacks; the answers come after its own choice."""
    return game.play("u:A/1/16", "b:attacca", *answers).state


@pytest.mark.rule("ddob:8.1", "ddob:8.1.fanteria")
def test_infantry_attacks_an_adjacent_hex_only():
    game = division(us={"A/1/16": "0814"}, tedeschi={"0916": "wn"})
    game.play("u:A/1/16")
    assert {"8.1", "8.1.fanteria"} <= game.why_not("b:attacca")


@pytest.mark.rule("ddob:8.15", "ddob:casa.21")
def test_no_attack_up_a_bluff_but_down_it():
    game = division(us={"A/1/16": "0816"}, tedeschi={"0916": "wn"})
    game.play("u:A/1/16")
    assert "8.15" in game.why_not("b:attacca")
    game = division(us={"A/1/16": "0918"}, tedeschi={"0817": wn("1 BG")})
    game.play("u:A/1/16")
    assert "b:attacca" in game.options


@pytest.mark.rule("ddob:8.15", "ddob:tec.duna", "ddob:tec.pendio")
def test_a_defender_below_a_bluff_counts_as_behind_a_slope():
    game = division(us={"A/1/16": "0918"}, tedeschi={"0817": wn("2 BG")})
    attack(game, "b:via")
    assert {"tec.pendio", "8.31"} <= game.cited
    assert game.state.germans.get("0817") is None


@pytest.mark.rule("ddob:8.16", "ddob:casa.63", "ddob:8.32")
def test_a_hex_is_attacked_once_a_phase():
    given = {"us": {"A/1/16": "0915"}, "tedeschi": {"0916": "wn"}}
    game = division(attaccati=["0916"], **given)
    game.play("u:A/1/16")
    assert "8.16" in game.why_not("b:attacca")
    game = division(bombardati=["0916"], **given)
    game.play("u:A/1/16")
    assert {"8.41", "8.53"} <= game.why_not("b:attacca")


@pytest.mark.rule("ddob:8.16", "ddob:casa.63")
def test_the_other_hex_of_a_double_wn_counts_only_by_choice():
    given = {"us": {"A/1/16": "0913"}, "tedeschi": {"0912": "wn75", "0812": "wn"}}
    game = division(attaccati=["0812"], **given)
    game.play("u:A/1/16")
    assert "b:attacca" in game.options
    game = division(attaccati=["0812"], opzioni={"8.16": "posizione"}, **given)
    game.play("u:A/1/16")
    assert "8.16" in game.why_not("b:attacca")


@pytest.mark.rule("ddob:8.3", "ddob:8.33")
@pytest.mark.parametrize(
    ("steps", "unit", "gone", "disrupted", "depth", "us_disrupted"),
    [
        (3, "1 BG", True, False, "", False),
        (1, "2 BZ BR", False, False, "?", True),
        (2, "3 BG BR", False, False, "?", False),
        (1, "2 BZ", False, True, "", False),
    ],
)
def test_the_chart_for_a_unit_alone(steps, unit, gone, disrupted, depth, us_disrupted):
    kind = "wn75" if unit.startswith("3") else "wn"
    label = "0916" if kind == "wn" else "0912"
    origin = "0915" if kind == "wn" else "0913"
    game = division(us={"A/1/16": f"{origin} {steps}"}, tedeschi={label: wn(unit, kind)})
    found = attack(game, "b:via")
    german = found.germans.get(label)
    assert (german is None) == gone
    if german is not None:
        assert (german.disrupted, german.depth) == (disrupted, depth)
    assert found.units["A/1/16"].disrupted == us_disrupted


@pytest.mark.rule("ddob:8.3")
def test_missing_weapons_and_double_strength_only_disrupt():
    game = division(us={"A/1/16": "0915 2"}, tedeschi={"0916": wn("1 BR")})
    found = attack(game, "b:via")
    assert found.germans["0916"].disrupted


@pytest.mark.rule("ddob:8.3", "ddob:9.1")
def test_a_weak_attack_on_a_hidden_marker_hides_the_unit_again():
    given = wn("2 BZ BR", incognita="?")
    game = division(us={"A/1/16": "0915 1"}, tedeschi={"0916": given})
    found = attack(game, "b:via")
    assert not found.germans["0916"].shown
    assert found.units["A/1/16"].disrupted


@pytest.mark.rule("ddob:8.3", "ddob:14")
def test_from_turn_17_one_attack_defeats_unit_and_marker():
    given = wn("1 BG", incognita="1 DE", incognita_rivelata="si", rivelata="si")
    us = {"A/1/16": "0915"}
    found = attack(division(us=us, tedeschi={"0916": given}), "b:via")
    assert found.germans["0916"].disrupted
    game = division(us=us, tedeschi={"0916": given}, turno=18, scenario="d-day")
    found = attack(game, "b:via")
    assert "0916" not in found.germans
    assert "14" in game.cited


@pytest.mark.rule("ddob:9.4", "ddob:9.41", "ddob:9.42", "ddob:casa.25")
def test_a_tactical_marker_defeats_the_unit_and_calls_a_reinforcement():
    given = wn("1 BG", incognita="?")
    game = division("tactical", us={"A/1/16": "0915"}, tedeschi={"0916": given})
    found = attack(game, "b:via")
    assert "0916" not in found.germans
    assert [g.kind for g in found.germans.values()] == ["T"]
    assert {"9.4", "9.41"} <= game.cited
    game = division("tactical", us={"A/1/16": "0915"}, tedeschi={"0916": given}, riquadri={"T": 0})
    assert attack(game, "b:via").germans == {}
    assert "9.42" in game.cited


@pytest.mark.rule("ddob:8.33", "ddob:casa.52", "ddob:8.34")
def test_the_352nd_withdraws_with_communication_and_others_die():
    given = {"specie": "T", "unita": "6/2/916"}
    us = {"A/1/16": "1009 2", "B/1/16": "1007", "C/1/16": "1109"}
    game = division(us=us, tedeschi={"1008": given}, azioni=2)
    game.play("u:C/1/16", "b:attacca", "u:B/1/16", "b:via")
    assert game.state.tickets.get("6/2/916") == 1
    assert game.state.boxes["D"] == 12
    given = {"specie": "T", "unita": "11/3/726"}
    game = division(us={"A/1/16": "1009"}, tedeschi={"1008": given})
    found = attack(game, "b:via")
    assert "11/3/726" not in found.tickets
    assert found.germans == {}


@pytest.mark.rule("ddob:8.33", "ddob:casa.52", "ddob:12.2")
def test_the_352nd_does_not_withdraw_out_of_a_ring():
    ring = ["1009", "0908", "0909", "1007", "1108", "1109"]
    us = dict(zip(["A/1/16", "B/1/16", "C/1/16", "E/2/16", "F/2/16", "G/2/16"], ring, strict=True))
    german = {"1008": {"specie": "T", "unita": "6/2/916"}}
    game = division(us=us, tedeschi=german, azioni=6)
    found = attack(game, *(f"u:{name}" for name in us if name != "A/1/16"), "b:via")
    assert found.germans == {}
    assert "6/2/916" not in found.tickets
    assert "casa.52" in game.cited


@pytest.mark.rule("ddob:8.22")
def test_flanking_needs_two_hexes_that_do_not_touch():
    given = {"1008": {"specie": "T", "unita": "9/3/726"}}
    us = {"A/1/16": "1009", "B/1/16": "1109"}
    game = division(us=us, tedeschi=given)
    found = attack(game, "u:B/1/16", "b:via")
    assert found.germans["1008"].disrupted
    us = {"A/1/16": "1009", "B/1/16": "1007"}
    game = division(us=us, tedeschi=given)
    found = attack(game, "u:B/1/16", "b:via")
    assert "1008" not in found.germans


@pytest.mark.rule("ddob:8.22")
def test_flanking_asked_twice_needs_three_hexes():
    given = {
        "specie": "T", "unita": "9/3/726", "rivelata": "si", "incognita": "1 FL RD",
        "incognita_rivelata": "si",
    }  # fmt: skip
    us = {"A/1/16": "1009", "B/1/16": "1007", "C/1/16": "1109 1", "HQ16": "1109"}
    game = division(us=us, tedeschi={"1008": given})
    found = attack(game, "u:B/1/16", "b:via")
    assert found.germans["1008"].depth
    game = division(us=us, tedeschi={"1008": given})
    found = attack(game, "u:B/1/16", "u:C/1/16", "b:via")
    assert not found.germans["1008"].depth


@pytest.mark.rule("ddob:8.23", "ddob:11.13", "ddob:8.25")
def test_a_hero_adds_one_or_is_a_weapon_even_na():
    given = wn("2 BZ BR")
    game = division(us={"A/1/16": "0915 1 eroe=Pinder"}, tedeschi={"0916": given})
    found = attack(game, "b:via", "b:forza")
    assert found.germans["0916"].depth == "?"
    assert not found.units["A/1/16"].disrupted
    shown = wn("1 BG", incognita="1 NA", incognita_rivelata="si", rivelata="si")
    game = division(us={"A/1/16": "0915 eroe=Pinder"}, tedeschi={"0916": shown})
    attack(game, "b:via")
    assert "b:arma-NA" in game.options
    found = game.play("b:arma-NA").state
    assert not found.germans["0916"].depth


@pytest.mark.rule("ddob:8.23")
def test_an_inspired_unit_gives_no_bonus_and_fl_is_no_weapon():
    game = division(us={"A/1/16": "0915 eroe=Pinder ispirata"}, tedeschi={"0916": wn("1 BG")})
    assert "0916" not in attack(game, "b:via").germans
    given = {"1008": {"specie": "T", "unita": "9/3/726"}}
    game = division(us={"A/1/16": "1009 eroe=Pinder"}, tedeschi=given)
    attack(game, "b:via")
    assert "b:arma-FL" not in game.options


@pytest.mark.rule("ddob:8.24")
def test_an_hq_gives_the_radio():
    shown = wn("1 BG", incognita="1 RD", incognita_rivelata="si", rivelata="si")
    us = {"A/1/16": "0915", "C/1/16": "0915 2"}
    game = division(us={"C/1/16": "0915 2"}, tedeschi={"0916": shown})
    found = game.play("u:C/1/16", "b:attacca", "b:via").state
    assert found.germans["0916"].depth
    del us["A/1/16"]
    game = division(us={**us, "HQ16": "0914"}, tedeschi={"0916": shown})
    found = game.play("u:C/1/16", "b:attacca", "b:via").state
    assert not found.germans["0916"].depth
    assert "8.24" in game.cited


@pytest.mark.rule("ddob:8.1.pesante", "ddob:8.26")
def test_heavy_infantry_joins_from_two_hexes_with_fewer_weapons():
    us = {"A/1/16": "0915 2", "D/1/16": "0914", "H/2/16": "0914 2"}
    game = division(us=us, tedeschi={"0916": wn("2 BZ BR")})
    attack(game)
    assert "8.1.fanteria" in game.why_not("u:H/2/16")
    found = game.play("u:D/1/16", "b:via").state
    assert "0916" not in found.germans
    assert "8.26" in game.cited


@pytest.mark.rule("ddob:8.1.carri", "ddob:8.11")
def test_tanks_join_near_the_infantry_or_under_command():
    us = {"A/1/16": "0710", "1/B/741": "0712", "2/B/741": "0715"}
    game = division(us=us, tedeschi={"0809": "wn88"})
    attack(game)
    assert "8.1.carri" in game.why_not("u:1/B/741")
    assert "8.11" in game.why_not("u:2/B/741")
    game = division(us={**us, "Wyman": "0711"}, tedeschi={"0809": "wn88"})
    attack(game)
    assert "u:1/B/741" in game.options


@pytest.mark.rule("ddob:8.1.artiglieria")
def test_artillery_needs_an_hq_that_commands_both():
    us = {"A/1/16": "0710", "62AFA": "0712", "HQ16": "0711"}
    game = division(us=us, tedeschi={"0809": "wn88"})
    attack(game)
    assert "u:62AFA" in game.options
    us["Wyman"] = us.pop("HQ16")
    game = division(us=us, tedeschi={"0809": "wn88"})
    attack(game)
    assert "8.1.artiglieria" in game.why_not("u:62AFA")
    us = {"A/1/16": "0710", "7FA": "0712", "HQ16": "0711"}
    game = division(us=us, tedeschi={"0809": "wn88"})
    attack(game)
    assert "8.1.artiglieria" in game.why_not("u:7FA")


@pytest.mark.rule("ddob:8.1.artiglieria")
def test_two_hqs_that_command_one_unit_each_bring_no_artillery():
    us = {"A/1/16": "0710", "HQ18": "0710", "62AFA": "0712", "HQ16": "0713"}
    game = division(us=us, tedeschi={"0809": "wn88"})
    attack(game)
    assert game.why_not("u:62AFA") == {"8.1.artiglieria"}
    us["HQ16"] = "0711"
    game = division(us=us, tedeschi={"0809": "wn88"})
    attack(game)
    assert "u:62AFA" in game.options


@pytest.mark.rule("ddob:8.23", "ddob:11.13")
@pytest.mark.parametrize(("at", "helps"), [("0915", True), ("1014", False)])
def test_a_hero_helps_only_from_an_adjacent_hex(at, helps):
    us = {"A/1/16": "0915 1", "D/1/16": f"{at} eroe=Pinder"}
    game = division(us=us, tedeschi={"0916": wn("2 BZ BR")})
    attack(game, "u:D/1/16", "b:via")
    assert (game.position.decision.id == "attack.hero") is helps


@pytest.mark.rule("ddob:8.24", "ddob:11.2")
@pytest.mark.parametrize(("hq", "radio"), [("0915", True), ("0714", False)])
def test_the_radio_of_an_hq_is_for_adjacent_attackers(hq, radio):
    us = {"C/1/16": "0915 2", "1/B/741": "0715", "HQ16": hq}
    game = division(us=us, tedeschi={"0916": wn("2 BZ BR")})
    game.play("u:C/1/16", "b:attacca", "u:1/B/741", "b:via")
    assert ("8.24" in game.cited) is radio


@pytest.mark.rule("ddob:8.3", "ddob:8.14", "ddob:7.7")
def test_a_failed_attack_disrupts_adjacent_attackers_and_no_leader():
    us = {"A/1/16": "0915 1", "1/B/741": "0715 1", "D/1/16": "1014 1", "HQ16": "0915"}
    game = division(us=us, tedeschi={"0916": wn("3 BG BR", "wn75", incognita="?")})
    found = attack(game, "u:1/B/741", "b:via")
    assert [found.units[name].disrupted for name in us] == [True, False, False, False]
    assert game.why_not("u:A/1/16") == {"7.2"}, "it recovers next turn at the earliest"


@pytest.mark.rule("ddob:8.1.navale", "ddob:8.51", "ddob:8.54")
def test_naval_fire_adds_nine_with_a_radio():
    given = wn("3 BG BR", "wn75")
    game = division(us={"A/1/16": "0913 2"}, tedeschi={"0912": given}, navali=1)
    found = attack(game, "b:navale", "b:via")
    assert found.naval == 0
    assert found.germans["0912"].disrupted
    game = division(us={"C/1/16": "0913 2"}, tedeschi={"0912": given}, navali=1)
    game.play("u:C/1/16", "b:attacca")
    assert "8.1.navale" in game.why_not("b:navale")


@pytest.mark.rule("ddob:8.13", "ddob:7.21")
def test_every_participant_uses_an_action_and_a_stack_shares_one():
    us = {"A/1/16": "0915", "B/1/16": "0915", "C/1/16": "1015", "E/2/16": "1015"}
    game = division(us=us, tedeschi={"0916": wn("1 BG")}, azioni=1)
    attack(game)
    assert "u:B/1/16" in game.options
    assert "8.13" in game.why_not("u:C/1/16")


@pytest.mark.rule("ddob:8.4", "ddob:8.41")
def test_a_tank_in_the_field_of_fire_barrages_a_wn():
    game = division("05", us={"1/B/741": "0711"}, tedeschi={"0809": "wn88"})
    game.play("u:1/B/741", "b:sbarramento", "h:0809")
    assert game.state.germans["0809"].disrupted
    assert game.state.barraged == ("0809",)
    assert "8.4" in game.cited
    game = division("03", us={"2/B/741": "0711 1"}, tedeschi={"0809": "wn88+"})
    game.play("u:2/B/741", "b:sbarramento", "h:0809")
    assert game.state.germans["0809"].disrupted
    game = division("29", us={"1/B/741": "0711"}, tedeschi={"0809": "wn88"})
    game.play("u:1/B/741", "b:sbarramento", "h:0809")
    assert not game.state.germans["0809"].disrupted


@pytest.mark.rule("ddob:8.42", "ddob:8.12")
def test_hidden_reinforcements_and_high_ground_are_no_targets():
    us = {"1/B/741": "0711", "A/1/16": "1009"}
    game = division(us=us, tedeschi={"1008": "T", "0809": "wn88"})
    game.play("u:1/B/741", "b:sbarramento")
    assert {"8.42", "8.12"} <= game.why_not("h:1008")


@pytest.mark.rule("ddob:8.4", "ddob:casa.16")
def test_a_disrupted_target_cannot_be_observed():
    given = {"0809": {"specie": "wn88", "confusione": "si"}}
    game = division(us={"1/B/741": "0711"}, tedeschi=given)
    game.play("u:1/B/741")
    assert "8.4" in game.why_not("b:sbarramento")


@pytest.mark.rule("ddob:8.4")
def test_an_observer_under_command_helps_a_tank():
    us = {"1/B/741": "0713", "A/1/16": "0711"}
    game = division(us=us, tedeschi={"0809": "wn88"})
    game.play("u:1/B/741")
    assert "8.4" in game.why_not("b:sbarramento")
    game = division(us={**us, "Wyman": "0712"}, tedeschi={"0809": "wn88"})
    game.play("u:1/B/741")
    assert "b:sbarramento" in game.options


@pytest.mark.rule("ddob:8.5", "ddob:8.52", "ddob:8.53", "ddob:8.54")
def test_a_naval_barrage_is_free_and_removes_the_marker():
    game = division(us={"A/1/16": "0711"}, tedeschi={"0809": "wn88+"}, navali=1, azioni=0)
    game.play("b:navale", "h:0809")
    german = game.state.germans["0809"]
    assert (german.disrupted, german.depth, game.state.naval) == (True, "", 0)
    assert game.state.barraged == ("0809",)
    game = division(us={"C/1/16": "0711 2"}, tedeschi={"0809": "wn88+"}, navali=1)
    assert "8.52" in game.why_not("b:navale")


@pytest.mark.rule("ddob:17.3")
def test_artillery_barrages_from_turn_17_under_an_hq():
    us = {"62AFA": "0713", "HQ16": "0712", "A/1/16": "0711"}
    given = {"tedeschi": {"0809": "wn88"}, "turno": 18, "scenario": "d-day"}
    game = division(us=us, **given)
    game.play("u:62AFA")
    assert "b:sbarramento" in game.options
    del us["HQ16"]
    game = division(us=us, **given)
    game.play("u:62AFA")
    assert "17.3" in game.why_not("b:sbarramento")


@pytest.mark.rule("ddob:8.13", "ddob:7.4", "ddob:7.7")
def test_disrupted_and_climbing_units_do_not_join():
    us = {"A/1/16": "0915", "B/1/16": "0915 confusione", "C/1/16": "1015 climb"}
    game = division(us=us, tedeschi={"0916": "wn"})
    attack(game)
    assert game.why_not("u:B/1/16") == {"8.13", "7.7"}
    assert game.why_not("u:C/1/16") == {"8.13", "7.4"}


@pytest.mark.rule("ddob:8.15", "ddob:8.1.pesante", "ddob:8.12")
def test_only_heavy_infantry_fires_up_a_bluff_and_only_at_positions_over_the_beach():
    us = {"A/1/16": "0915", "D/1/16": "0816", "H/2/16": "0816 2", "B/1/16": "0817"}
    game = division(us=us, tedeschi={"0916": "wn"}, azioni=3)
    attack(game)
    assert "u:D/1/16" in game.options
    assert "8.15" in game.why_not("u:H/2/16")
    us = {"A/1/16": "1218", "D/1/16": "1117"}
    game = division(us=us, tedeschi={"1217": "T"})
    attack(game)
    assert game.why_not("u:D/1/16") == {"8.12"}


@pytest.mark.rule("ddob:8.1.pesante", "ddob:8.12")
def test_heavy_infantry_reaches_two_hexes_and_not_from_below():
    us = {"A/1/16": "0915", "D/1/16": "0913", "H/2/16": "0914"}
    game = division(us=us, tedeschi={"0916": "wn"})
    attack(game)
    assert game.why_not("u:D/1/16") == {"8.1.pesante"}
    assert "u:H/2/16" in game.options
    us = {"A/1/16": "1007", "D/1/16": "0808"}
    game = division(us=us, tedeschi={"0907": "T"})
    attack(game)
    assert game.why_not("u:D/1/16") == {"8.12"}


@pytest.mark.rule("ddob:8.11", "ddob:8.1.carri")
def test_a_tank_joins_at_its_full_range_and_not_beyond():
    us = {"A/1/16": "0710", "1/B/741": "0714", "2/B/741": "0715", "HQ16": "0710"}
    game = division(us=us, tedeschi={"0809": "wn88"})
    attack(game)
    assert "u:1/B/741" in game.options
    assert "8.11" in game.why_not("u:2/B/741")


@pytest.mark.rule("ddob:8.12", "ddob:8.15")
def test_an_adjacent_tank_attacks_up_a_slope_but_fires_up_a_bluff():
    given = {"divisione": "29", "azioni": 3}
    us = {"A/1/116": "1121", "1/A/743": "1021"}
    game = division(us=us, tedeschi={"1122": "T"}, **given)
    game.play("u:A/1/116", "b:attacca")
    assert "u:1/A/743" in game.options
    us = {"A/1/16": "1218", "1/A/741": "1117"}
    game = division(us=us, tedeschi={"1217": "T"})
    attack(game)
    assert "8.12" in game.why_not("u:1/A/741")


@pytest.mark.rule("ddob:8.12")
def test_from_high_ground_and_at_positions_over_the_beach_range_is_enough():
    us = {"A/1/16": "1218", "1/A/741": "1219"}
    game = division(us=us, tedeschi={"1217": "T"})
    attack(game)
    assert "u:1/A/741" in game.options
    us = {"A/1/16": "0915", "1/A/741": "0715", "Wyman": "0815"}
    game = division(us=us, tedeschi={"0916": "wn"})
    attack(game)
    assert "u:1/A/741" in game.options


@pytest.mark.rule("ddob:8.1.carri")
def test_a_tank_next_to_the_target_needs_neither_infantry_nor_command():
    us = {"A/1/16": "0909", "1/B/741": "0710", "2/B/741": "0711"}
    game = division(us=us, tedeschi={"0809": "wn88"})
    attack(game)
    assert "u:1/B/741" in game.options
    assert "8.1.carri" in game.why_not("u:2/B/741")


@pytest.mark.rule("ddob:8.1.artiglieria")
def test_artillery_next_to_the_target_does_not_join():
    us = {"A/1/16": "0710", "62AFA": "0709", "HQ16": "0710"}
    game = division(us=us, tedeschi={"0809": "wn88"})
    attack(game)
    assert game.why_not("u:62AFA") == {"8.1.artiglieria"}


@pytest.mark.rule("ddob:8.1", "ddob:casa.76", "ddob:8.1.navale")
def test_the_other_division_and_absent_ships_are_no_candidates():
    us = {"A/1/16": "0915", "I/3/116": "1015", "HQ16": "0915"}
    game = division(us=us, tedeschi={"0916": "wn"})
    attack(game)
    decision = game.position.decision
    assert game.options == {"b:via"}
    assert not {"u:I/3/116", "u:HQ16", "b:navale"} & set(decision.refused)


@pytest.mark.rule("ddob:8.25", "ddob:8.51")
@pytest.mark.parametrize("depth", ["1 NA", "1 AR", "2 DE"])
def test_naval_fire_meets_na_ar_and_de(depth):
    shown = wn("1 BG", incognita=depth, incognita_rivelata="si", rivelata="si")
    given = {"us": {"A/1/16": "0915 2"}, "tedeschi": {"0916": shown}, "navali": 1}
    found = attack(division(**given), "b:navale", "b:via")
    assert not found.germans["0916"].depth
    game = division(**given)
    attack(game, "b:via")
    assert game.state.germans["0916"].depth == depth


@pytest.mark.rule("ddob:8.3")
def test_two_against_one_is_double():
    game = division(us={"A/1/16": "0915 1"}, tedeschi={"0916": wn("1 BR")})
    found = attack(game, "b:via")
    assert (found.germans["0916"].disrupted, found.germans["0916"].depth) == (True, "")


@pytest.mark.rule("ddob:8.1")
def test_the_player_names_the_hex_when_two_are_adjacent():
    us = {"A/1/16": "0913"}
    game = division(us=us, tedeschi={"0912": wn("2 BG BZ", "wn75"), "0812": wn("1 BG")})
    game.play("u:A/1/16", "b:attacca")
    assert game.options == {"h:0912", "h:0812"}
    game.play("h:0812", "b:via")
    assert "0812" not in game.state.germans
    assert "0912" in game.state.germans


@pytest.mark.rule("ddob:8.3", "ddob:11.14")
def test_no_hero_dies_in_place_of_attrition():
    shown = wn("1 BG", incognita="1 AR", incognita_rivelata="si", rivelata="si")
    us = {"A/1/16": "0915 1 eroe=Pinder", "E/2/16": "0915 1"}
    game = division(us=us, tedeschi={"0916": shown})
    attack(game, "u:E/2/16", "b:via", "b:niente", "u:A/1/16")
    assert game.state.units["A/1/16"].at == "lost"
    assert game.state.germans["0916"].depth == ""


@pytest.mark.rule("ddob:8.33", "ddob:23.6")
def test_defeated_tanks_leave_the_game():
    german = {"1321": {"specie": "armor", "unita": "1/1/352PzJ"}}
    us = {"A/1/116": "1420", "B/1/116": "1421", "1/A/743": "1420"}
    game = division(us=us, tedeschi=german, turno=18, scenario="d-day", divisione="29", azioni=3)
    game.play("u:A/1/116", "b:attacca", "u:B/1/116", "u:1/A/743", "b:via")
    assert game.state.germans == {}
    assert game.state.tickets == {"D": 11}


def barrage(us, german, **given):
    """The first unit may, or may not, barrage 0809."""
    game = division(us=us, tedeschi={"0809": german}, **given)
    game.play(f"u:{next(iter(us))}")
    if "b:sbarramento" not in game.options:
        return game.why_not("b:sbarramento")
    game.play("b:sbarramento")
    return set() if "h:0809" in game.options else game.why_not("h:0809")


@pytest.mark.rule("ddob:8.4", "ddob:8.11", "ddob:8.41")
def test_a_tank_barrages_from_two_to_five_hexes_what_was_not_attacked():
    near = {"1/B/741": "0710"}
    assert barrage(near, "wn88") == {"8.4"}
    assert barrage({"1/B/741": "0711"}, "wn88") == set()
    assert barrage({"1/B/741": "0711"}, "wn88", attaccati=["0809"]) == {"8.41"}
    far = {"1/B/741": "0714", "A/1/16": "0711", "Wyman": "0712"}
    assert barrage(far, "wn88") == set()
    assert barrage({**far, "1/B/741": "0715"}, "wn88") == {"8.4", "8.11"}


@pytest.mark.rule("ddob:8.4")
def test_a_tank_needs_an_undisrupted_infantry_observer_and_command_of_one_of_them():
    tank = {"1/B/741": "0713"}
    assert barrage({**tank, "Wyman": "0713"}, "wn88") == {"8.4"}
    assert barrage({**tank, "A/1/16": "0711", "Wyman": "0714"}, "wn88") == set()
    assert barrage({**tank, "A/1/16": "0711", "Wyman": "0710"}, "wn88") == set()
    assert barrage({**tank, "A/1/16": "0711"}, "wn88") == {"8.4"}
    assert barrage({**tank, "A/1/16": "0711 confusione", "Wyman": "0714"}, "wn88") == {"8.4"}
    assert barrage({**tank, "AT/16": "0711", "Wyman": "0714"}, "wn88") == {"8.4"}


@pytest.mark.rule("ddob:17.3")
def test_artillery_needs_one_hq_for_itself_and_its_observer():
    late = {"turno": 18, "scenario": "d-day"}
    gun, eyes = {"62AFA": "0713"}, {"A/1/16": "0711"}
    assert barrage({**gun, **eyes, "HQ16": "0712"}, "wn88", **late) == set()
    assert barrage({**gun, **eyes, "Wyman": "0712"}, "wn88", **late) == {"17.3"}
    assert barrage({**gun, **eyes, "HQ16": "0714"}, "wn88", **late) == {"17.3"}
    assert barrage({**gun, **eyes, "HQ16": "0714", "HQ18": "0710"}, "wn88", **late) == {"17.3"}
    assert barrage({"62AFA": "0711", "HQ16": "0712"}, "wn88", **late) == set()
    assert barrage({"62AFA": "0711"}, "wn88", **late) == {"17.3"}


@pytest.mark.rule("ddob:17.3")
def test_guns_without_armor_never_barrage_from_a_field_of_fire():
    late = {"turno": 18, "scenario": "d-day"}
    us = {"7FA": "0713", "A/1/16": "0711", "HQ16": "0712"}
    assert barrage(us, "wn88", **late) == set()
    assert barrage({**us, "7FA": "0712"}, "wn88", **late) == {"17.3"}


@pytest.mark.rule("ddob:17.3", "ddob:casa.16")
def test_a_disrupted_target_is_not_observed_by_guns_or_ships_either():
    silent = {"specie": "wn88", "confusione": "si"}
    us = {"62AFA": "0713", "A/1/16": "0711", "HQ16": "0712"}
    assert barrage(us, silent, turno=18, scenario="d-day") == {"17.3", "casa.16"}
    game = division(us={"A/1/16": "0711"}, tedeschi={"0809": silent}, navali=1)
    assert "8.52" in game.why_not("b:navale")


@pytest.mark.rule("ddob:8.52", "ddob:8.53")
def test_ships_need_a_radio_in_the_field_and_spare_attacked_or_hidden_hexes():
    given = {"tedeschi": {"0809": "wn88"}, "navali": 1}
    assert "b:navale" in division(us={"C/1/16": "0711 2", "HQ16": "0712"}, **given).options
    assert "8.52" in division(us={"A/1/16": "0714"}, **given).why_not("b:navale")
    assert "8.52" in division(us={"A/1/16": "0711 confusione"}, **given).why_not("b:navale")
    game = division(us={"A/1/16": "0711"}, attaccati=["0809"], **given)
    assert game.why_not("b:navale") == {"8.53"}
    hidden = {"us": {"A/1/16": "1009"}, "navali": 1}
    assert "8.52" in division(tedeschi={"1008": "T"}, **hidden).why_not("b:navale")
    seen = {"1008": {"specie": "T", "unita": "8/2/916", "rivelata": "si"}}
    assert "b:navale" in division(tedeschi=seen, **hidden).options
