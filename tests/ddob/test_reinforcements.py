"""German units, depth markers and reinforcements (9), events (ev)."""

from __future__ import annotations

import msgspec
import pytest

from engine.ddob import TITLE
from engine.ddob.rules.reinforcements import depth_kind, rank_for_depth
from engine.ddob.rules.zones import zone_choice
from engine.ddob.state.events import Drew, MobileReturned
from engine.ddob.state.tables import POSITIONS, UNITS
from engine.game import Game, ScriptedChance
from tests.ddob.table import Table, state_of


def event(*draws, **given):
    return Table(dice=draws, fase="event", **{"turno": 8, "us": {}, "tedeschi": {}, **given})


@pytest.mark.rule("ddob:9.2", "ddob:ev.incognita", "ddob:9.21", "ddob:9.22")
def test_a_depth_marker_goes_to_the_unit_nearest_to_the_enemy():
    us = {"A/1/16": "0717"}
    game = event("23", us=us, tedeschi={"0916": "wn", "0812": "wn", "0817": "wn"})
    found = {h: g.depth for h, g in game.state.germans.items()}
    assert found == {"0916": "", "0812": "", "0817": "?"}
    assert {"9.2", "9.21"} <= game.cited
    chosen = [s.ruling.msg.facts for s in game.steps if s.ruling.refs == ("ddob:9.2",)]
    assert chosen == [{"position": "WN65N", "n": 1}]
    assert game.state.boxes["wn depth"] == 8


@pytest.mark.rule("ddob:9.2")
def test_ties_go_to_one_hex_wns_then_two_hex_ones_then_reinforcements():
    found = state_of(us={}, tedeschi={"0916": "wn", "0812": "wn", "1008": "T", "1014": "T"})
    ranks = sorted(found.germans, key=lambda h: rank_for_depth(found, found.germans[h]))
    assert ranks == ["0916", "0812", "1014", "1008"]


@pytest.mark.rule("ddob:9.2", "ddob:casa.24")
def test_a_unit_without_communication_takes_no_marker():
    us = {
        "A/1/16": "1116", "B/1/16": "1214", "C/1/16": "1316", "E/2/16": "1315", "F/2/16": "1115",
    }  # fmt: skip
    game = event("23", us=us, tedeschi={"1215": "T"})
    assert game.state.germans["1215"].depth == ""


@pytest.mark.rule("ddob:9.21")
@pytest.mark.parametrize(("label", "kind"), [("1310", "building"), ("1008", "mobile")])
def test_reinforcements_take_markers_by_terrain(label, kind):
    game = event("23", tedeschi={label: "T"})
    assert game.state.germans[label].depth_kind == kind


@pytest.mark.rule("ddob:9.24")
def test_an_empty_box_sends_on_to_the_next():
    game = event(
        "23", tedeschi={"0916": "wn", "1310": "T"}, riquadri={"wn depth": 0, "building": 0}
    )
    assert game.state.germans["1310"].depth_kind == "mobile"
    game = event("23", tedeschi={"1310": "T"}, riquadri={"building": 0, "mobile": 0})
    assert game.state.germans["1310"].depth == ""


@pytest.mark.rule("ddob:9.24", "ddob:ev.incognita")
def test_one_marker_in_each_sector_or_one_for_the_whole_map():
    germans = {"0916": "wn", "0629": "wn"}
    game = event("20", tedeschi=germans)
    assert [g.depth for g in game.state.germans.values()] == ["?", "?"]
    last = {"wn depth": 1, "building": 0, "mobile": 0}
    game = event("20", us={"A/1/116": "0428"}, tedeschi=germans, riquadri=last)
    assert game.state.germans["0629"].depth == "?"
    assert game.state.germans["0916"].depth == ""
    assert "9.24" in game.cited


@pytest.mark.rule("ddob:9.24", "ddob:9.21")
@pytest.mark.parametrize(
    ("east", "boxes", "takes"),
    [
        ({"0916": "wn"}, {"wn depth": 1, "building": 8, "mobile": 20}, "0629"),
        ({"1310": "T"}, {"wn depth": 1, "building": 1, "mobile": 0}, "1310 0629"),
        ({"1310": "T", "0916": "wn+"}, {"wn depth": 0, "building": 1, "mobile": 0}, "1310"),
    ],
)
def test_only_markers_that_somebody_can_take_count_as_left(east, boxes, takes):
    us = {"A/1/116": "0428"}
    game = event("20", us=us, tedeschi={"0629": "wn", **east}, riquadri=boxes)
    found = [h for h, g in game.state.germans.items() if g.depth and h != "0916"]
    assert sorted(found) == sorted(takes.split())


@pytest.mark.rule("ddob:9.23", "ddob:ev.eroe", "ddob:11.11", "ddob:casa.49")
def test_a_hero_brings_a_marker_to_his_sector():
    us = {"A/1/16": "0714", "E/2/116": "0622 comando=1", "B/1/116": "0428"}
    game = event("07", us=us, tedeschi={"0916": "wn", "0629": "wn"})
    assert game.options == {"u:A/1/16", "u:E/2/116"}
    game.play("u:E/2/116")
    assert game.state.units["E/2/116"].hero
    assert game.state.germans["0629"].depth == "?"
    assert "9.23" in game.cited


@pytest.mark.rule("ddob:11.11", "ddob:ev.eroe", "ddob:casa.84")
def test_an_inspired_unit_may_get_another_hero():
    us = {"A/1/16": "0714 eroe=Pinder ispirata", "B/1/16": "0715 eroe=Spalding"}
    game = event("34", us=us)
    assert game.options == {"u:A/1/16"}
    assert "casa.84" in game.why_not("u:B/1/16")
    game.play("u:A/1/16")
    assert not game.state.units["A/1/16"].inspired
    us = {"B/1/16": us["B/1/16"]}
    assert "ev.eroe" in event("34", us=us).cited, "nobody can take him"


@pytest.mark.rule("ddob:9.3", "ddob:ev.rinforzi")
def test_reinforcements_enter_next_to_us_units_then_by_number():
    found = state_of(us={"A/1/16": "1009"}, tedeschi={})
    assert zone_choice(found, "A")[2].id == "A1"
    found = state_of(us={"A/1/16": "1206"}, tedeschi={})
    assert zone_choice(found, "A")[2].id == "A7"
    assert zone_choice(found, "G")[2].id == "G1"


@pytest.mark.rule("ddob:9.3", "ddob:9.32")
def test_a_tactical_reinforcement_enters_hidden_and_without_a_marker():
    game = event("53", tedeschi={"1008": "T"})
    german = game.state.germans["1110"]
    assert (german.kind, german.shown, german.depth) == ("T", False, "")
    assert game.state.boxes["T"] == 7


@pytest.mark.rule("ddob:9.31")
def test_divisional_reinforcements_bring_a_marker_and_stay_secret():
    game = event("53", "D", "D", riquadri={"T": 0})
    german = game.state.germans["1008"]
    assert (german.kind, german.depth) == ("D", "?")
    hidden = [s for s in game.steps if s.hidden_from]
    assert len(hidden) == 4


@pytest.mark.rule("ddob:9.34")
def test_too_few_units_go_where_the_enemy_is_near():
    game = event("53", us={"A/1/116": "1126"}, riquadri={"T": 1, "D": 0})
    assert list(game.state.germans) == ["1125"]
    assert "9.34" in game.cited
    game = event("53", riquadri={"T": 0, "D": 0})
    assert game.state.germans == {}


@pytest.mark.rule("ddob:9.33", "ddob:11.31")
def test_a_general_alone_is_captured_by_a_reinforcement():
    game = event("53", us={"Wyman": "1008"})
    assert game.state.units["Wyman"].at == "out"
    assert "1008" in game.state.germans
    game = event("53", us={"A/1/16": "1008"})
    assert "1008" not in game.state.germans


@pytest.mark.rule("ddob:9.5", "ddob:ev.kgm", "ddob:casa.26")
def test_kampfgruppe_meyer_comes_in_two_halves():
    game = event("32", turno=12)
    assert {k: game.state.boxes[k] for k in ("M", "D", "meyer", "mobile")} == {
        "M": 4, "D": 15, "meyer": 2, "mobile": 22,
    }  # fmt: skip
    assert game.state.tickets == {"D": 11, "M1": 4}


@pytest.mark.rule("ddob:ev.navale")
def test_a_naval_marker_may_come_with_a_reinforcement():
    game = event("06")
    assert game.state.naval == 1
    assert "1113" in game.state.germans


@pytest.mark.rule("ddob:ev.recupero")
def test_every_german_unit_recovers():
    given = {"0916": {"specie": "wn", "confusione": "si"}}
    assert not event("10", turno=12, tedeschi=given).state.germans["0916"].disrupted


@pytest.mark.rule("ddob:ev.passo", "ddob:13.12")
def test_a_reduced_company_recovers_and_leaves_the_loss_box():
    us = {"A/1/16": "0714 1", "B/1/116": "0428 1"}
    game = event("18", turno=24, scenario="d-day", us=us)
    assert game.options == {"u:A/1/16"}
    game.play("u:A/1/16")
    assert game.state.units["A/1/16"].steps == 2
    assert game.state.losses == {"1": (), "29": ("B/1/116",)}


@pytest.mark.rule("ddob:ev.razzi", "ddob:ev.razzi-distrutti")
def test_rockets_hit_the_strongest_unit_in_range_and_give_themselves_away():
    us = {"A/1/116": "0821", "B/1/116": "0721 2"}
    game = event("05", us=us, tedeschi={"1222": "rocket"})
    assert [game.state.units[u].steps for u in us] == [2, 2]
    assert game.state.rockets_fired
    game = event("33", turno=12, tedeschi={"1222": "rocket"})
    assert "1222" in game.state.germans
    game = event("05", us=us, tedeschi={"1222": {"specie": "rocket", "confusione": "si"}})
    assert game.state.units["A/1/116"].steps == 3


@pytest.mark.rule("ddob:ev.occultati")
@pytest.mark.parametrize(
    ("german", "disrupted"),
    [
        ({"1008": "T"}, True),
        ({"1008": {"specie": "T", "unita": "8/2/916", "rivelata": "si"}}, False),
        ({"0916": "wn"}, False),
    ],
)
def test_wns_and_revealed_reinforcements_are_not_concealed(german, disrupted):
    at = "1009" if "1008" in german else "0915"
    game = event("09", turno=21, scenario="d-day", us={"A/1/16": at}, tedeschi=german)
    assert game.state.units["A/1/16"].disrupted is disrupted


@pytest.mark.rule("ddob:ev.occultati")
def test_units_next_to_hidden_reinforcements_are_disrupted():
    us = {"C/1/16": "1009", "B/1/16": "1007", "L/3/16": "0808"}
    given = {"1008": "T", "0807": "wn75"}
    game = event("09", turno=24, scenario="d-day", us=us, tedeschi=given)
    assert [game.state.units[u].disrupted for u in us] == [True, False, False]


@pytest.mark.rule("ddob:ev.cecchini")
def test_snipers_shorten_the_range_of_a_command_post():
    us = {"HQ16": "0814 cp=5", "A/1/16": "0816"}
    from engine.ddob.rules.leaders import commands

    given = {"turno": 24, "scenario": "d-day", "us": us, "tedeschi": {}}
    assert "A/1/16" in commands(state_of(**given))
    assert "A/1/16" not in commands(state_of(note={"snipers": "HQ16"}, **given))
    game = event("06", **given)
    assert game.state.notes["snipers"] == "HQ16"


@pytest.mark.rule("ddob:ev.navale-inatteso")
def test_unexpected_naval_fire_hits_whoever_holds_the_position():
    given = {"turno": 24, "scenario": "d-day"}
    game = event("07", "04", tedeschi={"1113": {"specie": "T", "incognita": "?"}}, **given)
    german = game.state.germans["1113"]
    assert (german.disrupted, german.depth) == (True, "")
    game = event("07", "04", "05", us={"A/1/16": "1113"}, **given)
    assert game.state.units["A/1/16"].steps == 2
    game = event("07", "04", "08", us={"A/1/16": "1113"}, **given)
    assert game.state.units["A/1/16"].steps == 3


@pytest.mark.rule("ddob:ev.artiglieria-genio")
def test_artillery_limits_the_engineers_if_any_gun_is_left():
    given = {"turno": 18, "scenario": "d-day"}
    game = event("12", tedeschi={"0807": "wn75"}, **given)
    assert "engineers limited" in game.state.notes
    held = (
        "0807", "0809", "0812", "0912", "1309", "0916", "0817", "0918", "1220", "0821", "0922",
        "0723", "0823", "1321", "0728", "0629", "0531", "0631", "0830",
    )  # fmt: skip
    companies = [u for u, data in UNITS.items() if data.type == "infantry"]
    us = dict(zip(companies, held, strict=False))
    game = event("12", us=us, **given)
    assert "engineers limited" not in game.state.notes
    game = event("12", us={u: h for u, h in us.items() if h != "0830"}, **given)
    assert "engineers limited" in game.state.notes


@pytest.mark.rule("ddob:ev.pattuglia", "ddob:ev.prigioniero")
def test_patrols_report_the_nearest_unit_and_prisoners_any_of_the_sector():
    us = {"A/1/116": "0428"}
    given = {"0629": "wn", "0728": "wn75+"}
    game = event("36", "1 BG", turno=12, us=us, tedeschi=given)
    assert game.state.germans["0629"].unit == "1 BG"
    game = event("53", turno=12, us={}, tedeschi={"0916": "wn", "0807": "wn75+", "0629": "wn"})
    assert game.options == {"h:0916", "h:0807"}


@pytest.mark.rule("ddob:ev.prigioniero", "ddob:9.4")
def test_a_betrayed_tactical_marker_brings_its_unit_face_up():
    game = event("53", turno=12, tedeschi={"0916": "wn+", "0807": "wn75"})
    for item in ("1 BG", "tactical", "11/3/726"):
        game.chance.add(item)
    game.play("h:0916")
    assert game.state.germans["0916"].depth == ""
    assert [g.unit for g in game.state.germans.values() if g.kind == "T"] == ["11/3/726"]


@pytest.mark.rule("ddob:ef.eventi-ignorati", "ddob:ef.eventi-modificati")
def test_easy_fox_ignores_what_concerns_the_west():
    given = {"scenario": "easy-fox", "us": {"A/1/16": "0714"}, "tedeschi": {"0916": "wn"}}
    game = event("12", **given)
    assert "ef.eventi-ignorati" in game.cited
    assert game.state.germans["0916"].depth == ""
    assert not any(u.hero for u in game.state.units.values())
    assert "ef.eventi-modificati" in event("52", **given).cited
    game = event("20", **given)
    assert game.state.germans["0916"].depth == "?"
    assert "ef.eventi-modificati" in game.cited


@pytest.mark.rule("ddob:ev.plunging", "ddob:15.iv")
def test_plunging_fire_is_too_late_as_a_second_event():
    game = Table(dice=["17"], fase="event 2", turno=18, scenario="d-day", us={}, tedeschi={})
    assert "plunging" not in game.state.notes
    assert "ev.plunging" in game.cited


@pytest.mark.rule("ddob:4.ii", "ddob:15.ii")
def test_no_event_on_the_first_and_the_last_turn():
    assert not event(turno=1).state.cards
    game = event(turno=32, scenario="d-day")
    assert "event" not in game.state.cards


@pytest.mark.rule("ddob:9.2")
def test_a_sector_with_nobody_passes_its_marker_to_the_other():
    game = event("20", tedeschi={"0629": "wn", "0728": "wn75"})
    assert [game.state.germans[h].depth for h in ("0629", "0728")] == ["?", "?"]
    game = event("20", tedeschi={"0629": "wn+"})
    assert game.state.boxes["wn depth"] == 9


@pytest.mark.rule("ddob:9.4", "ddob:9.41")
def test_a_tactical_unit_takes_the_nearest_empty_position_in_communication():
    near, wn = {"A/1/16": "1018"}, {"0916": "wn+"}
    for us, germans, spot in (
        ({}, wn, "1014"),
        ({}, {**wn, "1014": "T"}, "1215"),
        (near, {**wn, "1014": "T"}, "1217"),
        (near, {**wn, "1014": "T", "1217": "T"}, "1215"),
    ):
        game = event("53", turno=12, us=us, tedeschi=germans)
        for item in ("1 BG", "tactical", "11/3/726"):
            game.chance.add(item)
        game.play("h:0916")
        assert game.state.germans[spot].unit == "11/3/726"
        assert game.state.germans[spot].depth == ""


@pytest.mark.rule("ddob:9.4", "ddob:9.41")
@pytest.mark.parametrize(("us", "spot"), [({}, "0828"), ({"A/1/116": "0831 1"}, "0830")])
def test_equally_near_positions_look_at_us_units_before_their_numbers(us, spot):
    game = event("53", turno=12, us=us, tedeschi={"0629": "wn+"})
    for item in ("1 BG", "tactical", "11/3/726"):
        game.chance.add(item)
    game.play("h:0629")
    assert set(game.state.germans) == {"0629", spot}


@pytest.mark.rule("ddob:22.4")
def test_five_mobile_markers_return_once_when_they_run_out():
    found = state_of(scenario="d-day", turno=20, opzioni={"22.4": "si"}, riquadri={"mobile": 0})
    found = msgspec.structs.replace(found, dead_mobile={"?": 4, "1 MG": 2})
    after = MobileReturned(n=5).on(found)
    assert after.boxes["mobile"] == 5
    assert after.mobile_returned
    assert after.unseen["mobile"].items["1 MG"] == found.unseen["mobile"].items["1 MG"] + 2


@pytest.mark.rule("ddob:ev.navale", "ddob:8.54")
def test_there_are_two_naval_markers():
    assert event("06", navali=1).state.naval == 2
    game = event("06", navali=2)
    assert game.state.naval == 2
    assert "8.5" not in game.cited


@pytest.mark.rule("ddob:ev.fumo", "ddob:ev.iniziativa", "ddob:ev.intenso", "ddob:ev.plunging")
@pytest.mark.parametrize(
    ("card", "turn", "options", "notes"),
    [
        ("10", 8, {}, {"smoke": "WN62"}),
        ("11", 8, {}, {"smoke": "WN64 WN65"}),
        ("08", 8, {}, {"initiative": "si"}),
        ("39", 8, {}, {"intense": "si"}),
        ("02", 12, {}, {"plunging": "intense"}),
        ("02", 12, {"plunging": "moderato"}, {"plunging": "moderate"}),
    ],
)
def test_what_an_event_leaves_for_the_rest_of_the_turn(card, turn, options, notes):
    game = event(card, turno=turn, opzioni=options)
    assert game.state.notes == notes


@pytest.mark.rule("ddob:ev.razzi")
@pytest.mark.parametrize(
    ("at", "steps"),
    [("0821", 2), ("0521", 2), ("0420", 3), ("0923", 3), ("0824", 3), ("1020", 3)],
)
def test_rockets_reach_beach_and_pavilion_from_three_to_seven_hexes(at, steps):
    game = event("05", us={"A/1/116": at, "HQ116": at}, tedeschi={"1222": "rocket"}, turno=5)
    assert game.state.units["A/1/116"].steps == steps
    assert game.state.rockets_fired


@pytest.mark.rule("ddob:ev.razzi", "ddob:19.33", "ddob:casa.91")
@pytest.mark.parametrize(("at", "sector"), [("0821", "west"), ("0818", "east"), ("1020", "")])
def test_rockets_stop_the_engineers_of_the_sector_they_hit(at, sector):
    game = event("22", us={"A/1/116": at}, tedeschi={"1222": "rocket"}, turno=18, scenario="d-day")
    assert {k for k in game.state.notes if k.startswith("artillery")} == {
        key for key in (f"artillery {sector}",) if sector
    }
    assert ("casa.91" in game.cited) is bool(sector)


@pytest.mark.rule("ddob:ev.razzi-distrutti")
def test_rockets_that_have_fired_are_destroyed():
    given = {"turno": 24, "scenario": "beyond-the-beach"}
    game = event("33", tedeschi={"1222": {"specie": "rocket", "incognita": "?"}}, **given)
    assert game.state.germans == {}
    game = event("33", tedeschi={"1222": "T"}, **given)
    assert "1222" in game.state.germans


@pytest.mark.rule("ddob:ev.passo")
def test_a_step_goes_to_the_other_division_if_nobody_needs_it():
    given = {"turno": 24, "scenario": "d-day"}
    game = event("18", us={"A/1/16": "0714 2", "B/1/116": "0428 1"}, **given)
    assert game.options == {"u:B/1/116"}
    game.play("u:B/1/116")
    assert game.state.units["B/1/116"].steps == 2
    game = event("18", us={"A/1/16": "0714 2", "C/2R": "0333 1"}, **given)
    assert [game.state.units[u].steps for u in ("A/1/16", "C/2R")] == [2, 1]


@pytest.mark.rule("ddob:ev.eroe", "ddob:11.1")
def test_no_hero_comes_when_all_are_in_play_or_nobody_can_follow():
    game = event("34", us={"HQ16": "0714"})
    assert "ev.eroe" in game.cited
    start = state_of(fase="event", turno=8, us={"A/1/16": "0714"}, tedeschi={})
    for heroes, comes in ((("Bingham",), False), (("Bingham", "Pinder"), True)):
        left = msgspec.structs.replace(start, heroes=heroes)
        game = Table.around(Game(TITLE, "first-wave", ScriptedChance(["34"]), {}, start=left))
        assert (game.position.decision is not None) is comes


@pytest.mark.rule("ddob:ef.eventi-ignorati")
@pytest.mark.parametrize(
    ("card", "turn", "ignored"),
    [
        ("03", 8, True),  # smoke on WN72 and WN73
        ("10", 8, False),  # smoke on WN62
        ("05", 8, True),  # the rockets of WN69
        ("33", 12, True),
        ("32", 12, True),  # Kampfgruppe Meyer
        ("04", 12, True),  # a step for the 29th
        ("36", 12, True),  # a patrol of the 29th
        ("53", 12, False),  # a prisoner in the east
        ("34", 8, False),  # a hero of the 1st
        ("08", 8, False),
    ],
)
def test_which_events_easy_fox_ignores(card, turn, ignored):
    us = {"A/1/16": "0714"}
    game = event(card, scenario="easy-fox", turno=turn, us=us, tedeschi={"0916": "wn"})
    assert ("ef.eventi-ignorati" in game.cited) is ignored


@pytest.mark.rule("ddob:ev.pattuglia")
def test_a_patrol_reports_the_nearest_hidden_unit_and_the_player_breaks_ties():
    us = {"A/1/116": "0428", "A/1/16": "0915"}
    given = {"turno": 12, "us": us}
    game = event("36", tedeschi={"0728": "wn75", "0916": "wn", "0531": "wn"}, **given)
    assert game.options == {"h:0728", "h:0531"}
    game = event("36", "1 BG", tedeschi={"0916": "wn", "0531": "wn"}, **given)
    assert game.state.germans["0531"].shown
    assert not game.state.germans["0916"].shown
    game = event("36", "1 BG", tedeschi={"0728": "wn75", "0531": "wn"}, turno=12,
                 us={"A/1/116": "0431", "Cota": "0628"})  # fmt: skip
    assert game.state.germans["0531"].shown, "a general is no unit"


@pytest.mark.rule("ddob:ev.prigioniero")
def test_a_prisoner_of_an_empty_sector_betrays_the_other():
    game = event("53", turno=12, tedeschi={"0629": "wn", "0728": "wn75"})
    assert game.options == {"h:0629", "h:0728"}


@pytest.mark.rule("ddob:9.2")
def test_the_player_chooses_between_the_two_hexes_of_a_wn():
    game = event("23", us={"A/1/16": "0811"}, tedeschi={"0812": "wn", "0912": "wn"})
    assert game.options == {"h:0812", "h:0912"}
    game.play("h:0912")
    assert [game.state.germans[h].depth for h in ("0812", "0912")] == ["", "?"]


@pytest.mark.rule("ddob:9.2", "ddob:ev.incognita")
def test_each_sector_takes_its_own_marker_however_far_the_enemy_is():
    germans = {"0629": "wn", "0728": "wn75", "0916": "wn"}
    game = event("20", us={"A/1/116": "0428"}, tedeschi=germans)
    assert [game.state.germans[h].depth for h in germans] == ["?", "", "?"]


@pytest.mark.rule("ddob:9.21", "ddob:23.1")
def test_tanks_take_markers_of_their_own_box_only():
    tanks = {"1321": {"specie": "armor", "unita": "1/2/352PzJ"}}
    given = {"scenario": "d-day", "turno": 20, "us": {}, "tedeschi": tanks}
    for left, kind in ((1, "armor depth"), (0, "")):
        found = state_of(riquadri={"armor depth": left}, **given)
        assert depth_kind(found, "1321") == kind


@pytest.mark.rule("ddob:9.3")
@pytest.mark.parametrize(
    ("at", "position", "band"),
    [
        ("1010", "A2", 1),  # A1 is two hexes away
        ("1011", "A2", 2),  # A1 is three hexes away
        ("0709", "A1", 3),  # nobody near: the lowest number
    ],
)
def test_adjacent_comes_before_near_and_near_before_the_lowest_number(at, position, band):
    found = zone_choice(state_of(us={"A/1/16": f"{at} 1"}, tedeschi={}), "A")
    assert found is not None
    assert (found[2].id, found[0]) == (position, band)


@pytest.mark.rule("ddob:9.32", "ddob:9.41")
def test_positions_without_a_number_take_no_reinforcement_of_an_event():
    germans = dict.fromkeys(("1122", "1217", "1319", "1321", "1416", "1521", "1519"), "T")
    game = event("53", turno=24, scenario="d-day", us={"A/1/16": "1019"}, tedeschi=germans)
    assert "1119" not in game.state.germans
    assert "1617" in game.state.germans


@pytest.mark.rule("ddob:ef.eventi-modificati", "ddob:ef.area", "ddob:casa.54")
def test_easy_fox_reinforces_the_eastern_positions_of_zone_d_only():
    found = zone_choice(state_of(scenario="easy-fox", us={}, tedeschi={}), "D")
    assert found is not None
    assert found[2].id == "D2"
    full = dict.fromkeys(("1217", "1319", "1416", "1519", "1617"), "T")
    assert zone_choice(state_of(scenario="easy-fox", us={}, tedeschi=full), "D") is None
    found = zone_choice(state_of(us={}, tedeschi=full), "D")
    assert found is not None
    assert found[2].id == "D1"


@pytest.mark.rule("ddob:9.34")
def test_enough_units_reach_every_zone_without_a_choice():
    game = event("53", "D", riquadri={"T": 1, "D": 1})
    assert sorted(game.state.germans) == ["1008", "1125"]
    assert "9.34" not in game.cited


@pytest.mark.rule("ddob:11.31", "ddob:9.31")
def test_a_divisional_reinforcement_captures_a_general_too():
    game = event("53", "D", "D", us={"Wyman": "1008"}, riquadri={"T": 0})
    assert game.state.units["Wyman"].at == "out"
    assert game.state.germans["1008"].kind == "D"


@pytest.mark.rule("ddob:9.31")
def test_odds_do_not_know_which_divisional_unit_came():
    start = TITLE.belief(
        state_of(fase="event", turno=8, us={}, tedeschi={}, riquadri={"T": 0}), "us"
    )
    game = Table.around(Game(TITLE, "first-wave", ScriptedChance(["53"]), {}, start=start))
    assert [g.ticket for g in game.state.germans.values()] == ["?", "?"]


@pytest.mark.rule("ddob:9.4", "ddob:9.41")
@pytest.mark.parametrize(("at", "spot"), [("1212", "1113"), ("0915", "1014")])
def test_equally_near_positions_are_taken_where_the_enemy_is_before_the_number(at, spot):
    game = event("53", turno=12, us={"A/1/16": f"{at} 1"}, tedeschi={"0812": "wn+"})
    for item in ("1 BG", "tactical", "11/3/726"):
        game.chance.add(item)
    game.play("h:0812")
    assert [h for h, g in game.state.germans.items() if g.kind == "T"] == [spot]


@pytest.mark.rule("ddob:9.4", "ddob:9.41", "ddob:9.42", "ddob:11.31")
@pytest.mark.parametrize(
    ("us", "box", "spot"),
    [
        ({"Wyman": "1014"}, 9, "1014"),  # a general is no obstacle
        ({"A/1/16": "1014 1"}, 9, "1215"),  # held by a company
        ({"A/1/16": "1013", "B/1/16": "1115", "C/1/16": "0915 1"}, 9, "1215"),  # 1014 is cut off
        ({}, 0, ""),
    ],
)
def test_a_tactical_unit_needs_communication_and_a_unit_in_the_box(us, box, spot):
    germans = {"0916": "wn+"}
    game = event("53", turno=12, us=us, tedeschi=germans, riquadri={"T": box})
    for item in ("1 BG", "tactical", "11/3/726")[: 3 if box else 2]:
        game.chance.add(item)
    game.play("h:0916")
    assert [h for h, g in game.state.germans.items() if g.kind == "T"] == ([spot] if spot else [])
    assert game.state.units["Wyman"].at == "out"


@pytest.mark.rule("ddob:22.4")
@pytest.mark.parametrize(
    ("options", "returned", "dead", "left"),
    [
        ({"22.4": "si"}, False, 6, 5),
        ({"22.4": "si"}, False, 2, 2),
        ({"22.4": "si"}, False, 0, 0),
        ({"22.4": "si"}, True, 6, 0),
        ({}, False, 6, 0),
    ],
)
def test_the_last_mobile_marker_calls_eliminated_ones_back_once(options, returned, dead, left):
    start = state_of(
        scenario="d-day", fase="event", turno=8, opzioni=options, us={}, tedeschi={"1008": "T"},
        riquadri={"mobile": 1},
    )  # fmt: skip
    start = msgspec.structs.replace(start, dead_mobile={"1 MG": dead}, mobile_returned=returned)
    game = Table.around(Game(TITLE, "d-day", ScriptedChance(["23"]), options, start=start))
    assert game.state.germans["1008"].depth == "?"
    assert game.state.boxes["mobile"] == left
    assert ("22.4" in game.cited) is (left > 0)


@pytest.mark.rule("ddob:4.ii", "ddob:15.ii", "ddob:15.iv")
def test_an_event_cites_the_phase_that_drew_it():
    for phase, turn, ref in (
        ("event", 16, "4.ii"),
        ("event", 17, "15.ii"),
        ("event 2", 17, "15.iv"),
    ):
        game = Table(dice=["16"], fase=phase, turno=turn, scenario="d-day", us={}, tedeschi={})
        drew = next(s for s in game.steps if isinstance(s.event, Drew))
        assert drew.ruling.refs == (f"ddob:{ref}",)


@pytest.mark.rule("ddob:ef.eventi-ignorati")
@pytest.mark.parametrize(
    ("card", "ignored"), [("09", True), ("16", True), ("11", False), ("14", False)]
)
def test_smoke_from_wn66_on_is_ignored_in_easy_fox(card, ignored):
    game = event(card, scenario="easy-fox", us={"A/1/16": "0714"}, tedeschi={"0916": "wn"})
    assert ("smoke" not in game.state.notes) is ignored


@pytest.mark.rule("ddob:9.23", "ddob:ev.incognita")
def test_a_marker_without_a_hero_forgets_the_sector_of_an_earlier_one():
    given = {"turno": 18, "scenario": "d-day", "note": {"hero sector": "west"}}
    germans = {"0916": "wn", "0629": "wn"}
    game = Table(dice=["23"], fase="event 2", us={"A/1/16": "0816"}, tedeschi=germans, **given)
    assert [game.state.germans[h].depth for h in germans] == ["?", ""]
    assert "9.23" not in game.cited


@pytest.mark.rule("ddob:9.23")
def test_a_hero_of_a_landing_box_brings_the_marker_to_its_sector():
    us = {"A/1/16": "EG1", "B/1/16": "0816"}
    game = event("07", us=us, tedeschi={"0916": "wn", "0629": "wn"})
    game.play("u:A/1/16")
    assert [game.state.germans[h].depth for h in ("0916", "0629")] == ["", "?"]


@pytest.mark.rule("ddob:ev.navale-inatteso", "ddob:11.14")
def test_unexpected_naval_fire_costs_one_unit_a_step_and_no_hero_helps():
    given = {"turno": 24, "scenario": "d-day"}
    us = {"A/1/16": "1113", "E/2/16": "1113 1 eroe=Spalding", "B/1/16": "1113"}
    game = event("07", "04", "05", us=us, **given)
    assert game.options == {"u:A/1/16", "u:E/2/16"}
    game.play("u:E/2/16")
    assert [game.state.units[u].steps for u in us] == [3, 0, 3]


@pytest.mark.rule("ddob:ev.artiglieria-genio")
def test_plain_units_are_no_guns_for_the_engineers():
    held = (
        "0807", "0809", "0812", "0912", "1309", "0916", "0817", "0918", "1220", "0821", "0922",
        "0723", "0823", "1321", "0728", "0629", "0531", "0631", "0830",
    )  # fmt: skip
    companies = [u for u, data in UNITS.items() if data.type == "infantry"]
    us = dict(zip(companies, held, strict=False))
    game = event("12", us=us, tedeschi={"1607": "T"}, turno=18, scenario="d-day")
    assert "engineers limited" not in game.state.notes


@pytest.mark.rule("ddob:9.5", "ddob:22.4")
def test_a_third_call_of_kampfgruppe_meyer_finds_nobody():
    game = event("32", turno=12, riquadri={"M": 4, "meyer": 2})
    assert {k: game.state.boxes[k] for k in ("M", "D", "meyer", "mobile")} == {
        "M": 0, "D": 15, "meyer": 0, "mobile": 22,
    }  # fmt: skip
    game = event("32", turno=12, riquadri={"M": 0, "meyer": 0})
    assert game.state.boxes["D"] == 11
    game = event("32", turno=20, scenario="d-day", opzioni={"22.4": "si"})
    assert "22.4" in game.cited


@pytest.mark.rule("ddob:9.4", "ddob:9.41", "ddob:9.42")
def test_a_tactical_marker_brings_nobody_where_no_empty_position_is_linked():
    marker = {"specie": "wn", "unita": "2 BZ BR", "rivelata": "si", "incognita": "?"}
    given = {"fase": "division", "divisione": "1", "turno": 8, "us": {"A/1/16": "0915"}}
    given |= {"tedeschi": {"0916": marker}, "dice": ["tactical"]}
    answers = ("u:A/1/16", "b:attacca", "b:via")
    held = [h for p in POSITIONS.values() if not p.is_wn for h in p.hexes]
    game = Table("", guarnigioni=held, **given).play(*answers)
    assert game.state.germans == {}
    assert game.state.boxes["T"] == 9
    assert game.told("9.41") == [{}]
    game = Table("", guarnigioni=held[1:], **given).play(*answers)
    assert list(game.state.germans) == held[:1]
    assert {"9.4", "9.41"} <= game.cited
    game = Table("", riquadri={"T": "0"}, **given).play(*answers)
    assert game.told("9.42") == [{}]
