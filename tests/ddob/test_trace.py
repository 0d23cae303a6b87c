"""What the steps, questions and refusals tell: causes, limits, and what did not happen."""

from __future__ import annotations

from typing import Any

import pytest

from engine.ddob import TITLE
from engine.ddob.state.ground import HEX, OBSTACLES
from engine.ddob.state.tables import POSITIONS
from tests.citations import CITE, kind_of
from tests.ddob.table import Table
from tests.positions import locators

SEVEN = ["B/1/16", "C/1/16", "D/1/16", "E/2/16", "F/2/16", "G/2/16", "H/2/16"]
ANY: Any = ...
LATE = {"turno": 20, "scenario": "d-day"}


def is_told(table, *refs, of=CITE, **facts):
    """Whether one step, of a kind, cites exactly these rules and tells exactly these facts."""
    found = [
        step
        for step in table.steps
        if kind_of(step) == of
        and locators([step.ruling]) == set(refs)
        and step.ruling.msg.facts.keys() == facts.keys()
        and all(facts[key] in (ANY, fact) for key, fact in step.ruling.msg.facts.items())
    ]
    return len(found) == 1


def values(table, ref, key):
    """What every step under a rule tells of one fact."""
    found = [step.ruling for step in table.steps if ref in locators([step.ruling])]
    return [ruling.msg.facts[key] for ruling in found if key in ruling.msg.facts]


def order(table):
    """The kinds of all steps, one after the other."""
    return [kind_of(step) for step in table.steps]


def forbids(table, option, *refs, **facts):
    """Whether a ruling against an option cites exactly these rules and tells these facts."""
    return any(
        locators([ruling]) == set(refs) and ruling.msg.facts == facts
        for ruling in table.asked.why_not(option)
    )


# 13.1 The last loss


@pytest.mark.rule("ddob:13.1", "ddob:5.21", "ddob:casa.55")
def test_the_unit_whose_loss_ends_the_game_is_removed_first_and_its_rule_named():
    given = {"us": {"A/1/16": "0513"}, "tedeschi": {}, "perdite": {"1": SEVEN}}
    table = Table(turno=7, fase="end", **given)
    assert (table.state.degree, table.state.units["A/1/16"].at) == ("decisive defeat", "lost")
    assert is_told(table, "5.21", "casa.55", of="Died", unit="A/1/16")
    assert order(table)[-3:] == ["Died", "LossNoted", "Ended"]
    assert is_told(table, "13.1", "13", of="Ended", division="1", n=8, limit=8)
    late = Table(turno=7, fase="end", scenario="d-day", **given)
    assert is_told(late, "13.1", "20.1", of="Ended", division="1", n=8, limit=8)


# 5.34 Coming back


@pytest.mark.rule("ddob:5.34")
def test_a_delayed_unit_put_in_its_only_box_names_the_delay():
    table = Table(turno=6, fase="arrivals", us={"1/B/741": "track arriva=6 ritardata"})
    assert is_told(table, "5.34", of="Placed", unit="1/B/741", at=ANY)


@pytest.mark.rule("ddob:5.3", "ddob:5.31")
def test_a_unit_put_in_the_last_box_with_room_names_the_limit():
    crowd = {"E/2/116": "DR1", "F/2/116": "DR1", "G/2/116": "DR2", "H/2/116": "DR2"}
    table = Table(turno=6, fase="arrivals", us={"M/3/116": "track arriva=6", **crowd})
    assert is_told(table, "5.3", "5.31", of="Placed", unit="M/3/116", at="DR3")


# Rulings on bases, stacks and the trail


@pytest.mark.rule("ddob:19.1", "ddob:5.21", "ddob:casa.93")
def test_an_engineer_base_stands_on_dry_sand_only():
    given = {"scenario": "d-day", "fase": "engineers", "us": {}, "tedeschi": {}}
    high = Table(turno=17, **given)
    assert forbids(high, "h:0513", "19.1", "5.21", "casa.93", hex="0513")
    assert forbids(high, "h:0605", "19.1", "5.21", "casa.93", hex="0605")
    mid = Table(turno=23, **given)
    assert "5.21" in mid.why_not("h:0513")
    assert "h:0605" in mid.options


def division(*draws, **given):
    return Table(dice=draws, fase="division", **{"turno": 8, "divisione": "1", **given})


@pytest.mark.rule("ddob:7.32", "ddob:6.37", "ddob:casa.94")
def test_each_unit_of_a_stack_infiltrates_with_a_card_of_its_own():
    us = {"A/1/16": "1012", "B/1/16": "1012"}
    table = division("01", "02", us=us, tedeschi={"0912": "wn"})
    table.play("u:A/1/16", "h:0913", "u:B/1/16")
    assert is_told(table, "7.32", "6.37", "casa.94", units=("A/1/16", "B/1/16"))
    assert table.told("7.32", "unit", "positions") == [
        {"unit": "A/1/16", "positions": ("WN62",)},
        {"unit": "B/1/16", "positions": ("WN62",)},
    ]


@pytest.mark.rule("ddob:tec.strada", "ddob:7.4", "ddob:17.11", "ddob:casa.95")
def test_the_trail_over_the_bluff_asks_for_no_climb():
    table = division(us={"A/1/16": "1217"}, tedeschi={}).play("u:A/1/16", "h:1216")
    unit = table.state.units["A/1/16"]
    assert (unit.at, unit.climb) == ("1216", "")
    assert is_told(table, "tec.strada", "casa.95", unit="A/1/16")
    late = {"turno": 18, "scenario": "d-day", "azioni": 3, "tedeschi": {}}
    table = division(us={"A/1/16": "1217"}, **late).play("u:A/1/16", "h:1216")
    assert table.asked.id == "move.next"
    table = division(us={"A/1/16": "0816"}, **late).play("u:A/1/16", "h:0916")
    assert is_told(table, "17.11")


# 6.3 German fire


def fire(*draws, **given):
    return Table(dice=draws, fase="fire:east", **{"turno": 8, **given})


@pytest.mark.rule("ddob:6.31", "ddob:casa.15")
def test_the_question_between_equal_targets_names_who_fires_and_the_limit():
    table = fire("03", us={"A/1/16": "0615", "B/1/16": "0616"}, tedeschi={"0916": "wn"})
    assert table.asked.id == "fire.target"
    assert table.asked.ruling.msg.facts == {"positions": ("WN64",), "n": 1}
    assert table.asked_by == {"6.31", "6.34", "casa.15"}


@pytest.mark.rule("ddob:6.31")
def test_the_line_says_that_the_player_picked_and_not_that_a_priority_did():
    us = {"A/1/16": "0615", "B/1/16": "0616"}
    table = fire("03", us=us, tedeschi={"0916": "wn"}).play("u:B/1/16")
    mine = ("B/1/16",)
    assert is_told(table, "6.31", units=mine, picked=mine, others=("A/1/16",), n=2, order=ANY)
    table = fire("03", us={**us, "B/1/16": "0514"}, tedeschi={"0916": "wn"})
    assert is_told(table, "6.31", units=("A/1/16",), others=("B/1/16",), n=2, order=ANY)


@pytest.mark.rule("ddob:6.5.procedura")
def test_equal_targets_of_artillery_are_the_players_choice():
    given = {"us": {"G/2/16": "ER1", "L/3/16": "ER2"}, "tedeschi": {"0912": "wn75", "0918": "wn75"}}
    table = Table(turno=8, fase="guns:east", carte={"fire east": "04"}, **given)
    assert table.asked.ruling.msg.facts == {"by": "artillery", "n": 1}
    table.play("u:L/3/16")
    assert is_told(table, "6.5.procedura", units=("L/3/16",), others=("G/2/16",), n=2)


@pytest.mark.rule("ddob:6.31", "ddob:6.41", "ddob:14.11")
@pytest.mark.parametrize(("turn", "north", "limit", "more"), [
    (8, "no", (2, 1, 3), ()),
    (8, "si", (1, 1, 2), ("6.41",)),
    (18, "no", (2, 1, 6), ("14.11", "14.12")),
])  # fmt: skip
def test_the_limit_of_hits_names_what_it_is_made_of(turn, north, limit, more):
    wn = {"0812": {"specie": "wn", "confusione": north}, "0912": "wn75+"}
    scenario = "d-day" if turn > 16 else "first-wave"
    table = fire("18", turno=turn, scenario=scenario, us={"B/1/16": "0611"}, tedeschi=wn)
    units, markers, n = limit
    assert is_told(table, "6.31", *more, fires="WN62", units=units, markers=markers, n=n)


@pytest.mark.rule("ddob:6.35", "ddob:casa.20")
def test_a_concentrated_target_is_counted_when_the_card_comes_up():
    us = {"A/1/16": "0510 3", "B/1/16": "0510 2"}
    table = fire("12", us=us, tedeschi={"0812": "wn", "0912": "wn75+"})
    assert [table.state.units[name].steps for name in us] == [2, 1]
    assert values(table, "6.35", "n") == [5, 5]


@pytest.mark.rule("ddob:6.5.procedura", "ddob:6.52", "ddob:6.1.artiglieria")
def test_artillery_counts_its_guns_one_by_one_and_names_the_card():
    given = {"us": {}, "tedeschi": {"0912": "wn75", "0918": {"specie": "wn75", "confusione": "si"}}}
    table = Table(turno=8, fase="guns:east", carte={"fire east": "04"}, **given)
    of_wn = {"position": "WN62S", "calibre": "75"}
    assert is_told(table, "6.5.procedura", "6.52", of="guns", **of_wn)
    assert is_told(table, "6.5.procedura", of="guns", battery="east-105")
    assert table.totals("guns") == [1, 2, 3]
    told = {"count": 3, "value": 3, "calibres": ("75", "88", "105"), "card": "04"}
    refs = ("6.5.procedura", "6.1.artiglieria", "6.52", "6.53", "casa.60")
    assert is_told(table, *refs, **told)


@pytest.mark.rule("ddob:12.24", "ddob:12.2", "ddob:12.22")
def test_positions_that_are_cut_off_are_named_when_communication_is_fixed():
    table = Table(turno=8, fase="fire", us={"A/1/16": "0809", "B/1/16": "1007"}, tedeschi={})
    occupied, cut = values(table, "12.22", "hex"), values(table, "12.2", "hex")
    assert occupied == ["0809"]
    assert values(table, "12.24", "n") == [91 - len(occupied) - len(cut)]


@pytest.mark.rule("ddob:16", "ddob:16.sequenza")
def test_the_positions_that_may_act_are_named():
    given = {"us": {"A/1/16": "0711"}, "tedeschi": {"0809": "wn88"}, **LATE}
    table = Table(fase="fire:east", carte={"fire east": "18"}, **given)
    (queue,) = values(table, "16.sequenza", "queue")
    assert values(table, "16.sequenza", "n") == [len(queue)]


@pytest.mark.rule("ddob:11.2", "ddob:11.3", "ddob:18.3", "ddob:18.22", "ddob:ev.cecchini")
def test_every_leader_names_whom_he_commands_and_a_post_its_space():
    us = {"HQ16": "0814 cp=5", "A/1/16": "0816", "HQ116": "0424", "B/1/116": "0424"}
    us |= {"Wyman": "0718", "C/1/16": "0718"}
    given = {"us": us, "tedeschi": {}, **LATE}
    table = Table(fase="actions", **given)
    assert is_told(table, "18.3", "18.31", "18.22", unit="HQ16", space=5, n=3)
    assert is_told(table, "18.3", leader="HQ16", units=("A/1/16",))
    assert is_told(table, "11.2", leader="HQ116", units=("B/1/116",))
    assert is_told(table, "11.3", leader="Wyman", units=("C/1/16",))
    table = Table(fase="actions", note={"snipers": "HQ16"}, **given)
    assert is_told(table, "18.3", "ev.cecchini", unit="HQ16", n=1)


@pytest.mark.rule("ddob:6.51")
def test_batteries_that_fall_silent_or_wake_are_named():
    held = {"A/1/16": "0916", "B/1/16": "0817", "C/1/16": "0918", "E/2/16": "1220"}
    table = Table(fase="fire", turno=5, us=held, tedeschi={})
    told = {"n": 1, "batteries": ("east-88",)}
    assert is_told(table, "6.51", "casa.51", of="BatteriesTurned", **told)


@pytest.mark.rule("ddob:19.3.strade", "ddob:19.2", "ddob:19.31")
def test_the_base_that_opens_hexes_names_them():
    bases = {"1•37": "0711 2"}
    table = Table(fase="engineers", us={}, tedeschi={}, basi=bases, **LATE)
    while table.asked.id.startswith(("engineers", "command")):
        table.play("b:basta")
    (hexes,) = values(table, "19.31", "hexes")
    assert values(table, "19.31", "n") == [1]
    assert values(table, "19.3.strade", "n") == [len(hexes)]
    assert {"0711", "0811"} <= set(hexes)


@pytest.mark.rule("ddob:6.34", "ddob:6.36", "ddob:6.1.carri")
def test_who_is_spared_in_a_field_of_fire_is_named_with_the_reason():
    table = fire("52", us={"A/1/16": "0615"}, tedeschi={"0916": "wn", "0817": "wn"})
    assert is_told(table, "6.34", hit=("A/1/16",))
    table = fire("52", us={"2/B/741": "0715"}, tedeschi={"0916": "wn"})
    assert is_told(table, "6.36", "6.1.carri", armored=("2/B/741",))
    table = fire("03", us={"2/B/741": "0715"}, tedeschi={"0916": "wn"})
    why, loss = [step for step in table.steps if "ddob:6.36" in step.ruling.refs]
    assert why.ruling.refs == ("ddob:6.36", "ddob:6.3", "ddob:6.1.carri")
    assert loss.ruling.refs == ("ddob:6.36", "ddob:6.3", "ddob:6.32")
    us = {"2/B/741": "0715", "A/1/16": "0615 colpita"}
    table = fire("52", us=us, tedeschi={"0916": "wn"})
    both = {"hit": ("A/1/16",), "armored": ("2/B/741",)}
    assert is_told(table, "6.34", "6.36", "6.1.carri", **both)


@pytest.mark.rule("ddob:6.3", "ddob:6.33")
def test_who_is_only_disrupted_is_told_why_and_hidden_units_disrupt():
    table = fire("03", us={"B/1/16": "0714 2"}, tedeschi={"0916": "wn"})
    assert is_told(table, "6.3", unit="B/1/16", hex="0714", level="sporadic", symbol="▲")
    table = fire("05", us={"A/1/16": "1009"}, tedeschi={"1008": "T"})
    assert is_told(table, "6.3", "6.33", position="A1")


@pytest.mark.rule("ddob:6.37", "ddob:6.3")
def test_units_of_a_stack_name_that_each_is_checked_by_itself():
    us = {"B/1/16": "0714 2", "A/1/16": "0714 2"}
    table = fire("03", us=us, tedeschi={"0916": "wn"})
    assert is_told(table, "6.3", "6.37", unit="B/1/16", hex="0714", level=ANY, symbol=ANY)
    table = fire("03", us={"B/1/16": "0615", "A/1/16": "0615 1"}, tedeschi={"0916": "wn+"})
    assert table.told("6.37", "unit", "hex") == [
        {"unit": "B/1/16", "hex": "0615"},
        {"unit": "A/1/16", "hex": "0615"},
    ]


@pytest.mark.rule("ddob:11.41", "ddob:6.1.stella")
def test_a_star_without_a_hit_left_says_that_leaders_are_spared():
    table = fire("05", us={"HQ16": "0710", "A/1/16": "0609"}, tedeschi={"0809": "wn88"})
    assert is_told(table, "11.41", "6.1.stella", position="WN61")


@pytest.mark.rule("ddob:6.3", "ddob:6.1.doppio", "ddob:6.4")
def test_positions_that_hit_nobody_and_silent_ones_are_told_together():
    wn = {"0916": "wn", "0809": "wn88", "0812": "wn", "0817": "wn"}
    table = fire("03", us={"A/1/16": "0514"}, tedeschi=wn)
    assert is_told(table, "6.3", position=("WN64",))
    assert is_told(table, "6.1.doppio", position=("WN61", "WN65"))
    half = {"0817": "wn", "0918": {"specie": "wn75", "incognita": "?", "confusione": "si"}}
    table = fire("03", us={}, tedeschi=half)
    assert is_told(table, "6.1.doppio", "6.41", "casa.64", position="WN65")
    table = fire("03", us={"A/1/16": "0514"}, tedeschi=wn, turno=18, scenario="d-day")
    assert is_told(table, "6.3", position="WN64")
    down = {"specie": "wn", "confusione": "si"}
    table = fire("03", us={"A/1/16": "0514"}, tedeschi={"0916": down})
    assert is_told(table, "6.4", position="WN64")


@pytest.mark.rule("ddob:6.34", "ddob:casa.73")
def test_artillery_names_whom_it_passes_over():
    given = {"us": {"G/2/16": "0714 colpita"}, "tedeschi": {"0912": "wn75", "0918": "wn75"}}
    table = Table(turno=8, fase="guns:east", carte={"fire east": "04"}, **given)
    assert is_told(table, "6.34", "casa.73", hit=("G/2/16",))


# 8.4, 8.5 Barrages


@pytest.mark.rule("ddob:8.4", "ddob:8.11", "ddob:8.42")
def test_a_tank_without_a_target_is_told_who_is_in_range_and_why_not():
    germans = {"0809": "wn88", "0812": "wn"}
    table = division(us={"1/B/741": "0713"}, tedeschi=germans).play("u:1/B/741")
    assert forbids(table, "b:sbarramento", "8.4", hex="0809")
    assert forbids(table, "b:sbarramento", "8.4", unit="1/B/741", hex="0812")
    table = division(us={"1/B/741": "0713"}, tedeschi={"1917": "T"}).play("u:1/B/741")
    assert forbids(table, "b:sbarramento", "8.4", "8.11", unit="1/B/741", n=5)


@pytest.mark.rule("ddob:8.52", "ddob:casa.16")
def test_ships_without_a_target_are_told_why_position_by_position():
    down = {"specie": "wn", "confusione": "si"}
    germans = {"0809": "wn88", "0812": "wn", "1008": "T", "0916": down}
    table = division(us={"A/1/16": "0520"}, tedeschi=germans, navali=1)
    assert forbids(table, "b:navale", "8.52", hex=("0809", "0812"))
    assert forbids(table, "b:navale", "8.52", hex="1008")
    assert forbids(table, "b:navale", "8.52", "casa.16", hex="0916")


@pytest.mark.rule("ddob:8.4", "ddob:17.3", "ddob:8.52")
def test_a_barrage_names_its_observer_and_the_leader():
    us = {"1/B/741": "0713", "A/1/16": "0711", "Wyman": "0714"}
    table = division("05", us=us, tedeschi={"0809": "wn88"})
    table.play("u:1/B/741", "b:sbarramento", "h:0809")
    assert is_told(table, "8.4", observer="A/1/16", position="WN61", leader="Wyman")
    us = {"62AFA": "0713", "A/1/16": "0711", "HQ16": "0712", "Wyman": "0712"}
    table = division("05", us=us, tedeschi={"0809": "wn88"}, turno=18, scenario="d-day")
    table.play("u:62AFA", "b:sbarramento", "h:0809")
    assert is_told(table, "17.3", observer="A/1/16", position="WN61", leader="HQ16")
    told = {"unit": "62AFA", "position": "WN61", "match": ANY, "strength": ANY, "result": ANY}
    assert is_told(table, "8.4", "17.3", **told)
    table = division("05", us={"1/B/741": "0711"}, tedeschi={"0809": "wn88"})
    table.play("u:1/B/741", "b:sbarramento", "h:0809")
    assert is_told(table, "8.4", unit="1/B/741", position="WN61")
    us = {"C/1/16": "0711 2", "HQ16": "0712"}
    table = division(us=us, tedeschi={"0809": "wn88"}, navali=1).play("b:navale", "h:0809")
    assert is_told(table, "8.52", observer="C/1/16")


# 7.32 Infiltration


@pytest.mark.rule("ddob:7.32", "ddob:casa.19")
@pytest.mark.parametrize(("card", "refs", "facts"), [
    ("11", ("7.32",), {"unit": "A/1/16", "symbol": "◆"}),
    ("30", ("7.32",), {"position": "WN61"}),
    ("01", ("7.32", "casa.19"), {"position": "WN61"}),
    ("09", ("7.32", "casa.19"), {"position": "WN61", "unit": "A/1/16"}),
])  # fmt: skip
def test_infiltration_says_why_it_hits_or_misses(card, refs, facts):
    table = division(card, us={"A/1/16": "0709"}, tedeschi={"0809": "wn88"})
    table.play("u:A/1/16", "h:0710")
    assert is_told(table, "7.32", unit="A/1/16", positions=("WN61",))
    assert is_told(table, *refs, **facts)


@pytest.mark.rule("ddob:7.32.concentrato")
def test_concentration_is_named_only_where_a_player_would_expect_it():
    us = {"B/1/16": "0709", "A/1/16": "0710"}
    table = division("05", us=us, tedeschi={"0809": "wn88"}).play("u:B/1/16", "h:0710")
    assert is_told(table, "7.32.concentrato", symbol="▲")
    us["A/1/16"] = "0710 1"
    table = division("05", us=us, tedeschi={"0809": "wn88"}).play("u:B/1/16", "h:0710")
    assert "7.32.concentrato" not in table.cited


# 17.1, 17.2 Where a longer move ends


def march(us, *answers, **given):
    late = {"turno": 18, "scenario": "d-day", "azioni": 3, "tedeschi": {}}
    return division(us=us, **{**late, **given}).play(*answers)


@pytest.mark.rule("ddob:17.1", "ddob:17.23", "ddob:casa.32")
def test_a_longer_move_says_why_it_ends():
    table = march({"A/1/16": "0713"}, "u:A/1/16", "h:0812", "h:0912")
    assert is_told(table, "17.1", unit="A/1/16", n=2)
    table = march({"7FA": "0713"}, "u:7FA", "h:0712")
    assert is_told(table, "17.23", unit="7FA")
    table = march({"A/1/16": "0713"}, "u:A/1/16", "h:0714", tedeschi={"0912": "wn"})
    assert is_told(table, "17.1", "casa.32", hex="0714", level="moderate", position="WN62S")


# 8.3 Attacks

WN64 = {"0916": {"specie": "wn", "unita": "2 BZ BR", "rivelata": "si"}}
WN61 = {"0809": {"specie": "wn88", "unita": "2 BG MO", "rivelata": "si"}}


def attack(us, german, *answers, **given):
    """The first unit attacks; the answers come after its own choice."""
    table = division(us=us, tedeschi=german, azioni=2, **given)
    return table.play(f"u:{next(iter(us))}", "b:attacca", *answers)


@pytest.mark.rule("ddob:8.2", "ddob:8.13", "ddob:7.21", "ddob:7.1.ranger")
def test_an_attack_names_what_the_defenders_ask_for_and_who_pays():
    us = {"A/1/16": "0915", "B/1/16": "0915", "C/2R": "1015 comando=1"}
    table = attack(us, WN64, "u:B/1/16", "u:C/2R", "b:via")
    assert is_told(table, "8.2", weapons=("BZ", "BR"))
    assert is_told(table, "8.13", "7.21", of="Paid", division="1")
    assert is_told(table, "7.1.ranger", unit="C/2R")
    alone = attack({"A/1/16": "0915"}, WN64, "b:via")
    assert is_told(alone, "8.13", of="Paid", division="1")


@pytest.mark.rule("ddob:8.23", "ddob:11.13", "ddob:8.25")
def test_a_hero_is_a_line_of_the_strength_and_only_one_helps():
    us = {"A/1/16": "0915 1 eroe=Pinder", "B/1/16": "0915 1 eroe=Spalding"}
    table = attack(us, WN64, "u:B/1/16", "b:via", "b:forza")
    assert is_told(table, "8.23", "11.13", of="US strength", unit="A/1/16")
    assert is_told(table, "8.23", units=("A/1/16", "B/1/16"))
    assert table.totals("US strength") == [2, 4, 5]
    table = attack({"A/1/16": "0915 1 eroe=Pinder"}, WN64, "b:via", "b:arma-BR")
    assert is_told(table, "8.23", "11.13", weapon="BR")
    marker = {"incognita": "1 NA", "incognita_rivelata": "si"}
    hard = {"0916": {**WN64["0916"], **marker}}
    table = attack({"A/1/16": "0915 eroe=Pinder"}, hard, "b:via", "b:arma-NA")
    assert is_told(table, "8.23", "8.25", weapon="NA")


@pytest.mark.rule("ddob:8.3", "ddob:8.23")
def test_a_hero_who_helped_before_the_marker_came_up_is_taken_off_again():
    german = {"0916": {**WN64["0916"], "incognita": "?"}}
    us = {"A/1/16": "0915 eroe=Pinder", "B/1/16": "0915"}
    table = division("1 NA", us=us, tedeschi=german, azioni=2)
    table.play("u:A/1/16", "b:attacca", "u:B/1/16", "b:via", "b:forza")
    assert is_told(table, "8.3", of="US strength")
    *_both, with_hero, without = table.totals("US strength")
    assert with_hero == without + 1
    assert values(table.play("b:niente"), "8.3", "us") == [with_hero, without]
    plain = division("1 NA", us={"A/1/16": "0915", "B/1/16": "0915"}, tedeschi=german, azioni=2)
    plain.play("u:A/1/16", "b:attacca", "u:B/1/16", "b:via")
    assert not is_told(plain, "8.3", of="US strength")


@pytest.mark.rule("ddob:8.1.carri", "ddob:8.1.artiglieria", "ddob:8.1.pesante", "ddob:8.1.navale")
def test_who_supports_an_attack_names_his_rule():
    us = {"A/1/16": "0710", "1/B/741": "0712", "62AFA": "0712", "HQ16": "0711"}
    table = attack(us, WN61, "u:1/B/741", "u:62AFA", "b:navale", "b:via", navali=1)
    assert is_told(table, "8.1.carri", "8.11", unit="1/B/741", hex="0809", n=3, leader="HQ16")
    assert is_told(table, "8.1.artiglieria", "8.11", unit="62AFA", hex="0809", n=3, leader="HQ16")
    assert is_told(table, "8.1.navale", "8.51", observer="A/1/16")
    heavy = attack({"A/1/16": "0915 2", "D/1/16": "0914"}, WN64, "u:D/1/16", "b:via")
    assert is_told(heavy, "8.1.pesante", "8.11", unit="D/1/16", hex="0916", n=2)


@pytest.mark.rule("ddob:8.3", "ddob:8.14")
def test_a_failed_attack_names_whom_it_does_not_disrupt():
    us = {"A/1/16": "0915 1", "1/B/741": "0715 1", "HQ16": "0915"}
    german = {"0916": {"specie": "wn75", "unita": "3 BG BR", "incognita": "?", "rivelata": "si"}}
    table = attack(us, german, "u:1/B/741", "b:via")
    assert is_told(table, "8.3", "8.14", units=("1/B/741", "HQ16"))
    table = attack({"A/1/16": "0915 1"}, german, "b:via")
    assert table.told("8.3", "units") == []
    assert "8.14" not in table.cited


@pytest.mark.rule("ddob:8.3", "ddob:8.33")
def test_a_defeated_unit_names_the_result_and_the_rule_of_elimination():
    table = attack({"A/1/16": "0915"}, WN64, "b:via")
    assert is_told(table, "8.3", "8.33", of="GermanGone", hex="0916", to="eliminated")


@pytest.mark.rule("ddob:8.3")
def test_a_result_that_changes_nothing_is_told():
    marker = {"incognita": "1 AR", "incognita_rivelata": "si"}
    german = {"0916": {"specie": "wn75", "unita": "3 BG BR", "rivelata": "si", **marker}}
    table = attack({"A/1/16": "0915"}, german, "b:via")
    assert is_told(table, "8.3", us=6, german=4, weapons="no", ratio="more", effects=())
    down = {"0916": {**WN64["0916"], "confusione": "si"}}
    table = attack({"A/1/16": "0915 2"}, down, "b:via")
    assert is_told(table, "8.3", position="WN64")


# Events without effect


def event(*draws, **given):
    return Table(dice=draws, fase="event", **{"turno": 8, **given})


NOBODY = {"us": {}, "tedeschi": {}}
ROCKETS = {"1222": {"specie": "rocket", "confusione": "si"}}


@pytest.mark.rule("ddob:ev.razzi", "ddob:ev.recupero", "ddob:ev.eroe", "ddob:ev.passo")
@pytest.mark.parametrize(("card", "given", "refs", "facts"), [
    ("05", NOBODY, ("ev.razzi",), {}),
    ("05", {"us": {}, "tedeschi": ROCKETS}, ("ev.razzi", "6.4"), {}),
    ("05", {"us": {"A/1/16": "0613"}, "tedeschi": {"1222": "rocket"}}, ("ev.razzi",), {}),
    ("05", {**NOBODY, **LATE}, ("ev.recupero",), {}),
    ("34", NOBODY, ("ev.eroe", "11.11", "casa.84"), {"division": "1"}),
    ("04", {**NOBODY, **LATE}, ("ev.passo",), {}),
    ("04", {"us": {"A/1/16": "0714 1"}, "tedeschi": {}, **LATE}, ("ev.passo",), {"division": "29"}),
])  # fmt: skip
def test_an_event_without_effect_says_why(card, given, refs, facts):
    assert is_told(event(card, **given), *refs, **facts)


@pytest.mark.rule("ddob:9.3")
@pytest.mark.parametrize(("at", "words"), [("1009", 0), ("1110", 1), ("0714", 2)])
def test_a_reinforcement_says_why_it_takes_its_position(at, words):
    from engine.ddob.rules.reinforcements import BANDS

    table = event("22", us={"A/1/16": at}, tedeschi={})
    said = [s.ruling.msg for s in table.steps if s.ruling.msg.facts.get("position") == "A1"]
    assert said[0].id == list(BANDS.values())[words]
    assert {"zone": "A", "position": "A1"} in table.told("9.3", "zone", "position")


@pytest.mark.rule("ddob:9.34", "ddob:9.3")
def test_zones_left_without_a_reinforcement_are_named():
    table = event("02", us={"A/1/16": "1009"}, tedeschi={}, riquadri={"T": "1", "D": "0"})
    assert is_told(table, "9.34", "9.3", n=1, zones=("A", "C", "G"), passed=("C", "G"))


@pytest.mark.rule("ddob:9.2")
def test_the_player_picks_among_equals_for_a_depth_marker():
    given = {"tedeschi": {"0812": "wn", "0912": "wn75"}}
    table = event("23", us={"A/1/16": "0811"}, **given)
    assert table.asked.id == "reinforcements.depth"
    table.play("h:0912")
    assert is_told(table, "9.2", position="WN62S", n=1)
    table = event("23", us={}, **given).play("h:0912")
    assert is_told(table, "9.2", position="WN62S")


# 10.1, 18 What engineers and HQs cannot do


def engineers(**given):
    cards = {"fire east": "09", "fire west": "09"}
    return Table(fase="engineers", carte=cards, us={}, **{"turno": 8, **given})


@pytest.mark.rule("ddob:10.1", "ddob:10.12", "ddob:casa.65")
def test_engineers_say_why_they_clear_nothing():
    assert is_told(engineers(turno=16), "4.iv", "10.12", turn=16)
    table = engineers(bonificati=list(OBSTACLES))
    assert table.told("10.1", "sector") == [{"sector": "east"}, {"sector": "west"}]


@pytest.mark.rule("ddob:18.1", "ddob:18.32")
def test_hqs_that_can_do_nothing_are_named_with_the_reason():
    given = {"fase": "engineers", "scenario": "d-day", "turno": 18, "tedeschi": {"0916": "wn"}}
    table = Table(us={"HQ16": "0714"}, **given).play("b:basta", "b:basta")
    assert is_told(table, "18.1", units=("HQ16",))
    assert "19.1" not in table.cited
    table = Table(us={"HQ16": "0714 cp=2"}, **given).play("b:basta", "b:basta")
    assert is_told(table, "18.2", "18.32", units=("HQ16",))


# 16 German actions


def extended(card, **given):
    late = {"turno": 18, "scenario": "d-day", "riquadri": {"T": "0", "D": "0"}}
    return fire(card, **{**late, **given})


@pytest.mark.rule("ddob:16.nessuna")
def test_called_positions_that_do_nothing_are_told_together():
    down = {"specie": "wn", "confusione": "si"}
    table = extended("10", us={"A/1/16": "0513"}, tedeschi={"0809": down, "0916": down})
    assert is_told(table, "16.nessuna", position=("WN64", "WN61"))


@pytest.mark.rule("ddob:16.5")
@pytest.mark.parametrize(("german", "n"), [("wn", 1), ("wn+", 2)])
def test_mortars_say_how_many_they_hit(german, n):
    table = extended("09", us={"A/1/16": "0713"}, tedeschi={"0916": german})
    assert is_told(table, "16.5", position="WN64", n=n)


@pytest.mark.rule("ddob:16.61")
def test_a_patrol_names_the_leaders_it_passes_over():
    shown = {"1008": {"specie": "T", "unita": "8/2/916", "rivelata": "si"}}
    table = extended("49", us={"A/1/16": "1009", "Wyman": "1009"}, tedeschi=shown)
    assert is_told(table, "16.61", units=("Wyman",))
    table = extended("49", us={"A/1/16": "1009"}, tedeschi=shown)
    assert "16.61" not in table.cited


# 13.22 Held without points


@pytest.mark.rule("ddob:13.22", "ddob:12.31")
def test_positions_held_without_points_are_named():
    table = Table(fase="end", turno=16, us={"A/1/16": "0916"}, tedeschi={"0817": "wn"})
    assert is_told(table, "13.22", "12.3", "12.31", position=ANY)
    assert "WN64" in table.fact("13.22", "position")


# What is reconstructed


def doubts(label):
    """The locators of what a hex says of doubt."""
    found = TITLE.inspect(Table.state_of(), HEX[label])
    return [locators([ruling]) for ruling in found if ruling.msg.facts.get("doubt")]


@pytest.mark.rule("ddob:tec.duna", "ddob:tec.siepe-argine", "ddob:tec.strada", "ddob:5.21")
@pytest.mark.parametrize(("label", "refs"), [
    ("1217", [{"tec.duna"}, {"tec.strada"}]),
    ("0918", []),
    ("1110", [{"tec.siepe-argine"}, {"tec.siepe-argine"}]),
    ("0604", [{"5.21"}]),
    ("0318", [{"5.2"}]),
])  # fmt: skip
def test_a_hex_says_what_the_map_does_not_show_for_certain(label, refs):
    assert doubts(label) == refs


@pytest.mark.rule("ddob:16.8")
def test_an_arrow_that_is_hard_to_read_is_told_beside_its_position():
    assert doubts(POSITIONS["F5"].hexes[0]).count({"16.8"}) == 1
    assert {"16.8"} not in doubts(POSITIONS["B1"].hexes[0])


@pytest.mark.rule("ddob:5.1", "ddob:8.3")
def test_steps_name_reconstructed_numbers():
    us = {"1/B/741": "FG2"}
    sure = Table(dice=["05"], fase="landing:east", turno=3, us=us)
    assert is_told(sure, "5.1", unit="1/B/741", letter=ANY)
    late = Table(dice=["05"], fase="landing:east", turno=5, us=us)
    assert is_told(late, "5.1", unit="1/B/741", letter=ANY, doubt=True)
    marker = {"incognita": "1 AR", "incognita_rivelata": "si"}
    table = attack({"A/1/16": "0915"}, {"0916": {**WN64["0916"], **marker}}, "b:via")
    assert is_told(table, "8.3", of="German strength", depth="1 AR", doubt=True)


# What happens seldom


@pytest.mark.rule("ddob:11.42")
def test_leaders_beside_a_disrupted_unit_are_named_as_spared():
    table = fire("03", us={"B/1/16": "0714 2", "HQ16": "0714"}, tedeschi={"0916": "wn"})
    assert is_told(table, "11.42", units=("HQ16",))


@pytest.mark.rule("ddob:9.32", "ddob:9.33", "ddob:19.3.guarnigione")
def test_a_zone_without_a_reinforcement_says_why():
    zone = [p for p in POSITIONS.values() if p.zone == "E"]
    held = {p.hexes[0]: "T" for p in zone[1:]}
    given = {"us": {}, "tedeschi": held, "guarnigioni": list(zone[0].hexes), "riquadri": {"T": "5"}}
    table = event("52", **given)
    assert is_told(table, "9.32", position=tuple(p.id for p in zone[1:]))
    assert is_told(table, "19.3.guarnigione", position=zone[0].id)


@pytest.mark.rule("ddob:ef.eventi-modificati", "ddob:9.32", "ddob:9.33")
def test_in_easy_fox_the_western_half_of_a_zone_is_named_as_not_in_play():
    zone = [p for p in POSITIONS.values() if p.zone == "D"]
    east = {p.hexes[0]: "T" for p in zone if p.sector == "east"}
    table = event("47", scenario="easy-fox", us={}, tedeschi=east, riquadri={"T": "5"})
    west = tuple(p.id for p in zone if p.sector == "west")
    assert is_told(table, "ef.eventi-modificati", position=west)


@pytest.mark.rule("ddob:23.2", "ddob:23.21")
@pytest.mark.parametrize(("phase", "boxes", "note", "ref"), [
    ("event", {"T": "0"}, {}, "23.2"),
    ("event 2", {"T": "5"}, {}, "23.2"),
    ("event 2", {"T": "0"}, {"armor": ""}, "23.21"),
    ("event 2", {"T": "0"}, {}, "23.2"),
])  # fmt: skip
def test_tanks_say_why_they_do_not_enter(phase, boxes, note, ref):
    us = {"A/1/116": "1921", "B/1/116": "1925", "C/1/116": "1916", "D/1/116": "1802"}
    given = {"opzioni": {"23": "si"}, "note": note, "riquadri": {**boxes, "D": "3"}}
    table = Table(dice=["52"], fase=phase, us=us, tedeschi={}, **LATE, **given)
    assert is_told(table, ref)


@pytest.mark.rule("ddob:23.4", "ddob:16.nessuna")
def test_disrupted_tanks_say_that_they_do_nothing():
    tank = {"1321": {"specie": "armor", "unita": "1/2/352PzJ", "confusione": "si"}}
    given = {"opzioni": {"23": "si"}, "us": {}, "tedeschi": tank}
    table = Table(dice=["45"], fase="fire:west", **LATE, **given)
    assert is_told(table, "23.4", "16.nessuna", position="1321")


@pytest.mark.rule("ddob:ev.fumo", "ddob:16")
def test_smoke_silences_an_action_of_fire():
    table = extended("03", us={"A/1/16": "0615"}, tedeschi={"0916": "wn"}, note={"smoke": "WN64"})
    assert is_told(table, "ev.fumo", position="WN64")


@pytest.mark.rule("ddob:16.quadrati", "ddob:16.7")
def test_guns_need_a_marker_for_a_double_square():
    table = extended("24", us={"B/1/16": "0719"}, tedeschi={"0807": "wn75"})
    assert is_told(table, "16.quadrati", position="WN60")
    table = extended("24", us={"B/1/16": "0719"}, tedeschi={"0807": "wn75+"})
    assert is_told(table, "16.7", "6.32", of="LostStep", unit="B/1/16")


@pytest.mark.rule("ddob:15.iv")
def test_the_last_turn_has_no_second_event():
    table = Table(fase="event 2", turno=32, scenario="d-day", us={}, tedeschi={})
    assert is_told(table, "15.iv", turn=32)


@pytest.mark.rule("ddob:16.11", "ddob:16.nessuna")
def test_one_half_of_a_double_wn_in_us_hands_protects_both():
    table = extended("11", us={"A/1/16": "0912"}, tedeschi={}, wn_eliminati={"1 BG": "1"})
    assert is_told(table, "16.nessuna", "16.11", position="WN62")
    assert table.state.germans == {}


@pytest.mark.rule("ddob:6.34", "ddob:14.2")
def test_with_early_actions_a_unit_hit_before_is_only_disrupted():
    us = {"A/1/16": "1009 colpita"}
    table = fire("05", turno=13, opzioni={"14.2": "si"}, scenario="d-day", us=us,
                 tedeschi={"1008": "T"}, riquadri={"T": "0", "D": "0"})  # fmt: skip
    unit = table.state.units["A/1/16"]
    assert (unit.steps, unit.disrupted) == (3, True)


@pytest.mark.rule("ddob:19.31", "ddob:19.32", "ddob:19.3.guarnigione")
def test_positions_in_range_that_take_no_garrison_are_refused_with_the_reason():
    given = {
        "us": {},
        "tedeschi": {"0916": "wn"},
        "basi": {"1•37": "0605 6"},
        "guarnigioni": ["0807"],
    }
    table = Table(fase="engineers", scenario="d-day", turno=24, **given)
    table.play("b:basta", "b:basta")
    assert table.asked.id == "engineers.garrison"
    assert table.why_not("h:0807") == {"19.3.guarnigione"}


def lit(table, *names):
    """The sentences and cells that every step with these facts lights."""
    return [
        {anchor.partition(":")[2] for anchor in step.ruling.anchors}
        for step in table.steps
        if step.ruling.msg.facts.keys() == set(names)
    ]


# 8.1 Who takes part, and by which of four conditions


@pytest.mark.rule("ddob:8.1.carri")
@pytest.mark.parametrize(("us", "answers", "condition", "facts"), [
    ({"A/1/16": "0710", "1/B/741": "0909"}, (), "adiacente", {}),
    ({"A/1/16": "0710", "1/B/741": "0711"}, (), "fanteria", {"other": "A/1/16"}),
    ({"A/1/16": "0710", "1/B/741": "0712", "Wyman": "0713"}, (), "comandata", {"leader": "Wyman"}),
    (
        {"A/1/16": "0710", "1/B/741": "0712", "Wyman": "0610"},
        (),
        "fanteria-comandata",
        {"other": "A/1/16", "leader": "Wyman"},
    ),
])  # fmt: skip
def test_a_tank_names_the_condition_by_which_it_takes_part(us, answers, condition, facts):
    table = attack(us, WN61, "u:1/B/741", *answers, "b:via")
    assert lit(table, "unit", "hex", "n", *facts) == [{f"8.1.carri#{condition}", "8.11#gittata"}]
    assert is_told(table, "8.1.carri", "8.11", unit="1/B/741", hex="0809", n=ANY, **facts)


# 6.31, 6.5, 16.7 What decides among equals


@pytest.mark.rule("ddob:6.31")
@pytest.mark.parametrize(("near", "anchors"), [
    ("0514", {"6.31#ordine"}),
    ("0616 2", {"6.31#ordine", "6.31#parita"}),
])  # fmt: skip
def test_the_line_of_a_priority_lights_what_decides_among_equals_only_if_it_did(near, anchors):
    us = {"A/1/16": "0615", "B/1/16": near}
    table = fire("03", us=us, tedeschi={"0916": "wn"})
    assert lit(table, "units", "n", "order", "others") == [anchors]


@pytest.mark.rule("ddob:6.5.procedura")
def test_artillery_lights_that_equals_are_the_players_choice():
    given = {"us": {"G/2/16": "ER1", "L/3/16": "ER2"}, "tedeschi": {"0912": "wn75", "0918": "wn75"}}
    table = Table(turno=8, fase="guns:east", carte={"fire east": "04"}, **given).play("u:L/3/16")
    assert lit(table, "units", "n", "others") == [{"6.5.procedura#parita"}]


# 7.63 Units too many


@pytest.mark.rule("ddob:7.6", "ddob:7.63")
def test_a_unit_given_up_names_its_hex_and_the_limit():
    us = {"A/1/16": "0814", "B/1/16": "0814", "C/1/16": "0814", "HQ16": "0814"}
    table = Table(fase="stacking", turno=8, us=us, tedeschi={}).play("u:C/1/16")
    assert is_told(table, "7.6", "7.63", hex="0814", n=3, most=2, unit="C/1/16")


# 9.2 The depth marker


@pytest.mark.rule("ddob:9.2")
@pytest.mark.parametrize(("german", "anchors"), [
    ({"1220": "wn", "0916": "wn"}, {"9.2#vicina"}),
    ({"1220": "wn", "1319": "T"}, {"9.2#vicina", "9.2#specie"}),
])  # fmt: skip
def test_the_unit_that_takes_a_depth_marker_lights_what_put_it_first(german, anchors):
    table = Table(turno=8, fase="event", dice=["23"], us={"A/1/16": "1320"}, tedeschi=german)
    assert lit(table, "position", "n") == [anchors]


# 13.2, 20.3 Points light their row


@pytest.mark.rule("ddob:13.2", "ddob:13.21", "ddob:20.3", "ddob:19.3.guarnigione")
def test_the_points_of_a_draw_and_of_a_garrison_light_their_row():
    us = {"A/1/116": "0630", "B/1/116": "0731", "C/1/116": "0830"}
    table = Table(fase="end", turno=16, us=us, tedeschi={})
    row = "13.2#punti/ogni accesso (D-1, D-3, E-1, E-3)"
    assert {row, "13.21#entroterra"} in lit(table, "what")
    late = {"fase": "end", "turno": 32, "scenario": "d-day"}
    table = Table(us={}, tedeschi={}, guarnigioni=["0732"], **late)
    row = "20.3#voci/ogni posizione di rinforzo con il segno VP che controlli (sono 42)"
    assert {row, "19.3.guarnigione#vp"} in lit(table, "what")
    assert "casa.90" in table.cited


# 18 Why nothing more is settled


@pytest.mark.rule("ddob:18.1", "ddob:18.22", "ddob:18.32")
def test_hqs_that_settle_nothing_are_told_apart_by_their_cause():
    us = {"HQ16": "0714", "HQ18": "1005 cp=8", "HQ116": "0626 cp=2"}
    german = {"0728": "wn75", "0916": "wn"}
    table = Table(fase="engineers", us=us, tedeschi=german, **LATE).play("b:basta", "b:basta")
    assert is_told(table, "18.22", units=("HQ18",))
    assert is_told(table, "18.2", "18.32", units=("HQ116",))
    assert is_told(table, "18.1", units=("HQ16",))


# 11.14 A hero falls


@pytest.mark.rule("ddob:11.14", "ddob:11.15", "ddob:6.3")
def test_a_hero_who_falls_names_what_would_have_cost_the_step():
    us = {"A/1/16": "0615 1 eroe=Pinder"}
    table = fire("03", us=us, tedeschi={"0916": "wn"})
    assert table.asked.id == "losses.hero"
    table.play("b:sacrifica")
    fallen = [step.ruling for step in table.steps if kind_of(step) == "HeroFell"]
    assert [locators([ruling]) for ruling in fallen] == [{"11.14", "11.15", "6.3"}]
