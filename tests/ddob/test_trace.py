"""What the steps, questions and refusals tell: causes, limits, and what did not happen."""

from __future__ import annotations

import pytest

from tests.ddob.table import act, against, cited, now, offered, table

SEVEN = ["B/1/16", "C/1/16", "D/1/16", "E/2/16", "F/2/16", "G/2/16", "H/2/16"]


def told(game):
    """Every step as its locators, the words of the code and the facts."""
    return [
        (tuple(ref.partition(":")[2] for ref in s.ruling.refs), s.ruling.msg.id, s.ruling.msg.facts)
        for s in game.steps
    ]


def refs_of(game, words):
    """The locators of the only step that says these words."""
    found = [refs for refs, said, _facts in told(game) if said == words]
    assert len(found) == 1, f"{words!r} is said {len(found)} times"
    return set(found[0])


def facts_of(game, words):
    """The facts of the only step that says these words."""
    found = [facts for _refs, said, facts in told(game) if said == words]
    assert len(found) == 1, f"{words!r} is said {len(found)} times"
    return found[0]


def asked(game):
    """The id, the locators and the facts of the open question."""
    decision = game.position.decision
    assert decision is not None
    refs = {ref.partition(":")[2] for ref in decision.ruling.refs}
    return decision.id, refs, decision.ruling.msg.facts


# 13.1 The last loss


@pytest.mark.rule("ddob:13.1", "ddob:5.21", "ddob:casa.55")
def test_the_unit_whose_loss_ends_the_game_is_removed_first_and_its_rule_named():
    game = table(turno=7, fase="end", us={"A/1/16": "0513"}, tedeschi={}, perdite={"1": SEVEN})
    state = now(game)
    assert (state.degree, state.units["A/1/16"].at) == ("decisive defeat", "lost")
    assert refs_of(game, "{unit} is eliminated.") == {"5.21", "casa.55"}
    said = [words for _refs, words, _facts in told(game)]
    assert said.index("{unit} is eliminated.") < len(said) - 1
    end = "Division {division}: {n} losses of {limit}. Decisive defeat."
    assert facts_of(game, end) == {"division": "1", "n": 8, "limit": 8}
    assert refs_of(game, end) == {"13.1", "13"}


# 5.34 Coming back


@pytest.mark.rule("ddob:5.34")
def test_a_delayed_unit_put_in_its_only_box_names_the_delay():
    game = table(turno=6, fase="arrivals", us={"1/B/741": "track arriva=6 ritardata"})
    assert refs_of(game, "{unit} is placed in {at}.") == {"5.34"}


@pytest.mark.rule("ddob:5.3", "ddob:5.31")
def test_a_unit_put_in_the_last_box_with_room_names_the_limit():
    crowd = {"E/2/116": "DR1", "F/2/116": "DR1", "G/2/116": "DR2", "H/2/116": "DR2"}
    game = table(turno=6, fase="arrivals", us={"M/3/116": "track arriva=6", **crowd})
    assert now(game).units["M/3/116"].at == "DR3"
    assert refs_of(game, "{unit} is placed in {at}.") == {"5.3", "5.31"}


# Rulings on bases, stacks and the trail


@pytest.mark.rule("ddob:19.1", "ddob:5.21", "ddob:casa.93")
def test_an_engineer_base_stands_on_dry_sand_only():
    given = {"scenario": "d-day", "fase": "engineers", "us": {}, "tedeschi": {}}
    high = table(turno=17, **given)
    assert against(high, "h:0513") >= {"19.1", "5.21", "casa.93"}
    assert "5.21" in against(high, "h:0605")
    mid = table(turno=23, **given)
    assert "5.21" in against(mid, "h:0513")
    assert "h:0605" in offered(mid)


@pytest.mark.rule("ddob:7.32", "ddob:6.37", "ddob:casa.94")
def test_each_unit_of_a_stack_infiltrates_with_a_card_of_its_own():
    us = {"A/1/16": "1012", "B/1/16": "1012"}
    game = table("01", "02", fase="division", divisione="1", us=us, tedeschi={"0912": "wn"})
    act(game, "u:A/1/16", "h:0913", "u:B/1/16")
    said = "{units} infiltrate: a card and an outcome for each."
    assert refs_of(game, said) == {"7.32", "6.37", "casa.94"}
    assert sum(words == "{unit} infiltrates past {positions}." for _r, words, _f in told(game)) == 2


@pytest.mark.rule("ddob:tec.strada", "ddob:7.4", "ddob:17.11", "ddob:casa.95")
def test_the_trail_over_the_bluff_asks_for_no_climb():
    given = {"fase": "division", "divisione": "1", "tedeschi": {}}
    game = table(us={"A/1/16": "1217"}, **given)
    state = act(game, "u:A/1/16", "h:1216")
    assert (state.units["A/1/16"].at, state.units["A/1/16"].climb) == ("1216", "")
    said = "{unit} takes the trail over the bluff: no climb."
    assert refs_of(game, said) == {"tec.strada", "casa.95"}
    late = table(us={"A/1/16": "1217"}, turno=18, scenario="d-day", azioni=3, **given)
    act(late, "u:A/1/16", "h:1216")
    assert asked(late)[0] == "move.next"


# 6.3 German fire


def fire(*draws, **given):
    return table(*draws, fase="fire:east", **{"turno": 8, **given})


@pytest.mark.rule("ddob:6.31", "ddob:casa.15")
def test_the_question_between_equal_targets_names_who_fires_and_the_limit():
    game = fire("03", us={"A/1/16": "0615", "B/1/16": "0616"}, tedeschi={"0916": "wn"})
    question, refs, facts = asked(game)
    assert (question, facts) == ("fire.target", {"positions": ("WN64",), "n": 1})
    assert refs == {"6.31", "6.34", "casa.15"}


@pytest.mark.rule("ddob:6.31")
def test_the_line_says_that_the_player_picked_and_not_that_a_priority_did():
    us = {"A/1/16": "0615", "B/1/16": "0616"}
    game = fire("03", us=us, tedeschi={"0916": "wn"})
    act(game, "u:B/1/16")
    said = "{units}: first of {n} by priority ({order}); among equals you picked {picked}"
    facts = facts_of(game, said)
    assert (facts["units"], facts["picked"], facts["n"]) == (("B/1/16",), ("B/1/16",), 2)
    alone = fire("03", us={**us, "B/1/16": "0514"}, tedeschi={"0916": "wn"})
    assert facts_of(alone, "{units}: first of {n} by priority ({order})")["units"] == ("A/1/16",)


@pytest.mark.rule("ddob:6.5.procedura")
def test_equal_targets_of_artillery_are_the_players_choice():
    given = {"us": {"G/2/16": "ER1", "L/3/16": "ER2"}, "tedeschi": {"0912": "wn75", "0918": "wn75"}}
    game = table(turno=8, fase="guns:east", carte={"fire east": "04"}, **given)
    assert asked(game)[2] == {"by": "artillery", "n": 1}
    act(game, "u:L/3/16")
    said = "{units}: your choice among {n} equals"
    assert (refs_of(game, said), facts_of(game, said)["n"]) == ({"6.5.procedura"}, 2)


LIMIT = "{fires} fires: units {units}, depth markers {markers}, at most {n} hits."


@pytest.mark.rule("ddob:6.31", "ddob:6.41", "ddob:14.11")
@pytest.mark.parametrize(("turn", "north", "limit", "more"), [
    (8, "no", (2, 1, 3), set()), (8, "si", (1, 1, 2), {"6.41"}), (18, "no", (2, 1, 6), {"14.11"}),
])  # fmt: skip
def test_the_limit_of_hits_names_what_it_is_made_of(turn, north, limit, more):
    wn = {"0812": {"specie": "wn", "confusione": north}, "0912": "wn75+"}
    scenario = "d-day" if turn > 16 else "first-wave"
    game = fire("18", turno=turn, scenario=scenario, us={"B/1/16": "0611"}, tedeschi=wn)
    facts = facts_of(game, LIMIT)
    assert (facts["units"], facts["markers"], facts["n"]) == limit
    assert refs_of(game, LIMIT) - {"14.12"} == {"6.31"} | more


@pytest.mark.rule("ddob:6.34", "ddob:6.36", "ddob:6.1.carri")
def test_who_is_spared_in_a_field_of_fire_is_named_with_the_reason():
    wn = {"0916": "wn", "0817": "wn"}
    game = fire("52", us={"A/1/16": "0615"}, tedeschi=wn)
    assert refs_of(game, "{hit}: no second step in this phase.") == {"6.34"}
    game = fire("52", us={"2/B/741": "0715"}, tedeschi={"0916": "wn"})
    assert facts_of(game, "{armored}: armored, and no tank symbol.") == {"armored": ("2/B/741",)}
    assert refs_of(game, "{armored}: armored, and no tank symbol.") == {"6.36", "6.1.carri"}
    us = {"2/B/741": "0715", "A/1/16": "0615 colpita"}
    game = fire("52", us=us, tedeschi={"0916": "wn"})
    both = "{hit}: no second step in this phase. {armored}: armored, and no tank symbol."
    assert refs_of(game, both) == {"6.34", "6.36", "6.1.carri"}


@pytest.mark.rule("ddob:6.3", "ddob:6.33")
def test_who_is_only_disrupted_is_told_why_and_hidden_units_disrupt():
    game = fire("03", us={"B/1/16": "0714 2"}, tedeschi={"0916": "wn"})
    said = "{unit} in {hex}: {level} fire, target symbol {symbol}."
    assert facts_of(game, said)["level"] == "sporadic"
    game = fire("05", us={"A/1/16": "1009"}, tedeschi={"1008": "T"})
    assert refs_of(game, "{position}: hidden, who loses a step is disrupted too.") == {
        "6.3",
        "6.33",
    }


@pytest.mark.rule("ddob:11.41", "ddob:6.1.stella")
def test_a_star_without_a_hit_left_says_that_leaders_are_spared():
    game = fire("05", us={"HQ16": "0710", "A/1/16": "0609"}, tedeschi={"0809": "wn88"})
    assert refs_of(game, "{position}: no hit is left for leaders.") == {"11.41", "6.1.stella"}


@pytest.mark.rule("ddob:6.3", "ddob:6.1.doppio")
def test_positions_that_hit_nobody_and_silent_ones_are_told_together():
    wn = {"0916": "wn", "0809": "wn88", "0812": "wn", "0817": "wn"}
    game = fire("03", us={"A/1/16": "0514"}, tedeschi=wn)
    nobody = "{position}: nobody in the field of fire whom this card hits."
    assert facts_of(game, nobody) == {"position": ("WN64",)}
    silent = "{position}: a double square, and no depth marker."
    assert facts_of(game, silent) == {"position": ("WN61", "WN65")}
    game = fire("03", us={"A/1/16": "0514"}, tedeschi=wn, turno=18, scenario="d-day")
    assert facts_of(game, nobody) == {"position": "WN64"}


@pytest.mark.rule("ddob:6.34", "ddob:casa.73")
def test_artillery_names_whom_it_passes_over():
    us = {"G/2/16": "0714 colpita"}
    guns = {"0912": "wn75", "0918": "wn75"}
    game = table(turno=8, fase="guns:east", carte={"fire east": "04"}, us=us, tedeschi=guns)
    assert refs_of(game, "{hit}: no second step in this phase.") == {"6.34", "casa.73"}


# 8.4, 8.5 Barrages


def division(*draws, **given):
    return table(*draws, fase="division", divisione=given.pop("divisione", "1"), **given)


def reasons(game, option):
    """The words and facts of what forbids an option."""
    decision = game.position.decision
    assert decision is not None
    return {r.msg.id: r.msg.facts for r in decision.refused[option]}


@pytest.mark.rule("ddob:8.4", "ddob:8.11", "ddob:8.42")
def test_a_tank_without_a_target_is_told_who_is_in_range_and_why_not():
    game = division(us={"1/B/741": "0713"}, tedeschi={"0809": "wn88", "0812": "wn", "0814": "T"})
    act(game, "u:1/B/741")
    found = reasons(game, "b:sbarramento")
    assert found["Nobody observes {hex}."] == {"hex": "0809"}
    assert "{unit} is adjacent to {hex}." in found
    game = division(us={"1/B/741": "0713"}, tedeschi={"1917": "T"})
    act(game, "u:1/B/741")
    assert against(game, "b:sbarramento") == {"8.4", "8.11"}


@pytest.mark.rule("ddob:8.52", "ddob:casa.16")
def test_ships_without_a_target_are_told_why_position_by_position():
    germans = {
        "0809": "wn88",
        "0812": "wn",
        "1008": "T",
        "0916": {"specie": "wn", "confusione": "si"},
    }
    game = division(us={"A/1/16": "0520"}, tedeschi=germans, navali=1)
    found = reasons(game, "b:navale")
    radio = "No infantry with a radio or an HQ is in the field of fire of {hex}."
    assert found[radio] == {"hex": ("0809", "0812")}
    assert found["{hex}: a hidden reinforcement is no target."] == {"hex": "1008"}
    assert found["{hex}: disrupted, no field of fire."] == {"hex": "0916"}


@pytest.mark.rule("ddob:8.4", "ddob:17.3", "ddob:8.52")
def test_a_barrage_names_its_observer_and_the_leader():
    us = {"1/B/741": "0713", "A/1/16": "0711", "Wyman": "0714"}
    game = division("05", us=us, tedeschi={"0809": "wn88"})
    act(game, "u:1/B/741", "b:sbarramento", "h:0809")
    said = "{observer} observes {position}, under command of {leader}."
    assert facts_of(game, said) == {"observer": "A/1/16", "position": "WN61", "leader": "Wyman"}
    assert refs_of(game, said) == {"8.4"}
    us = {"62AFA": "0713", "A/1/16": "0711", "HQ16": "0712", "Wyman": "0712"}
    game = division("05", us=us, tedeschi={"0809": "wn88"}, turno=18, scenario="d-day")
    act(game, "u:62AFA", "b:sbarramento", "h:0809")
    assert (refs_of(game, said), facts_of(game, said)["leader"]) == ({"17.3"}, "HQ16")
    assert "17.3" in refs_of(game, "Barrage of {position}: {match}, strength {strength}, {result}")
    game = division("05", us={"1/B/741": "0711"}, tedeschi={"0809": "wn88"})
    act(game, "u:1/B/741", "b:sbarramento", "h:0809")
    alone = "{unit} is in the field of fire of {position} and needs no observer."
    assert refs_of(game, alone) == {"8.4"}
    game = division(us={"C/1/16": "0711 2", "HQ16": "0712"}, tedeschi={"0809": "wn88"}, navali=1)
    act(game, "b:navale", "h:0809")
    assert facts_of(game, "{observer} directs the ships by radio.") == {"observer": "C/1/16"}


# 7.32 Infiltration


@pytest.mark.rule("ddob:7.32", "ddob:casa.19")
@pytest.mark.parametrize(("card", "said", "refs"), [
    ("11", "{unit} is not hit: its symbol is {symbol}.", {"7.32"}),
    ("30", "{position} misses: its colour is not on the card.", {"7.32"}),
    ("01", "{position} misses: a double square, and no depth marker.", {"7.32", "casa.19"}),
    ("09", "{position} hits {unit}: colour and symbol are on the card.", {"7.32", "casa.19"}),
])  # fmt: skip
def test_infiltration_says_why_it_hits_or_misses(card, said, refs):
    game = division(card, us={"A/1/16": "0709"}, tedeschi={"0809": "wn88"})
    act(game, "u:A/1/16", "h:0710")
    assert refs_of(game, said) == refs
    assert facts_of(game, "{unit} infiltrates past {positions}.")["positions"] == ("WN61",)


@pytest.mark.rule("ddob:7.32.concentrato")
def test_concentration_is_named_only_where_a_player_would_expect_it():
    us = {"B/1/16": "0709", "A/1/16": "0710"}
    said = "No concentrated target: only its own symbol counts, {symbol}."
    game = division("05", us=us, tedeschi={"0809": "wn88"})
    act(game, "u:B/1/16", "h:0710")
    assert refs_of(game, said) == {"7.32.concentrato"}
    game = division("05", us={"B/1/16": "0709", "A/1/16": "0710 1"}, tedeschi={"0809": "wn88"})
    act(game, "u:B/1/16", "h:0710")
    assert said not in [words for _refs, words, _facts in told(game)]


# 17.1, 17.2 Where a longer move ends


def march(us, *answers, **given):
    late = {"turno": 18, "scenario": "d-day", "azioni": 3, "tedeschi": {}}
    game = division(us=us, **{**late, **given})
    act(game, *answers)
    return game


@pytest.mark.rule("ddob:17.1", "ddob:17.11", "ddob:17.23", "ddob:casa.32")
def test_a_longer_move_says_why_it_ends():
    game = march({"A/1/16": "0713"}, "u:A/1/16", "h:0812", "h:0912")
    most = "{unit} has moved {n} hexes, the most it may."
    assert (refs_of(game, most), facts_of(game, most)["n"]) == ({"17.1"}, 2)
    game = march({"7FA": "0713"}, "u:7FA", "h:0712")
    assert refs_of(game, "{unit} moves one hex only.") == {"17.23"}
    game = march({"A/1/16": "0713"}, "u:A/1/16", "h:0714", tedeschi={"0912": "wn"})
    said = "{hex} lies under {level} fire of {position}."
    assert refs_of(game, said) == {"17.1", "casa.32"}


# 8.3 Attacks

WN64 = {"0916": {"specie": "wn", "unita": "2 BZ BR", "rivelata": "si"}}


def attack(us, german, *answers, **given):
    """The first unit attacks; the answers come after its own choice."""
    game = division(us=us, tedeschi=german, azioni=2, **given)
    act(game, f"u:{next(iter(us))}", "b:attacca", *answers)
    return game


@pytest.mark.rule("ddob:8.2", "ddob:8.13", "ddob:7.21", "ddob:7.1.ranger")
def test_an_attack_names_what_the_defenders_ask_for_and_who_pays():
    us = {"A/1/16": "0915", "B/1/16": "0915", "C/2R": "1015 comando=1"}
    game = attack(us, WN64, "u:B/1/16", "u:C/2R", "b:via")
    assert facts_of(game, "The defenders ask for {weapons}.")["weapons"] == ("BZ", "BR")
    assert refs_of(game, "Division {division} spends an action.") == {"8.13", "7.21"}
    assert refs_of(game, "{unit}: rangers act free.") == {"7.1.ranger"}
    alone = attack({"A/1/16": "0915"}, WN64, "b:via")
    assert refs_of(alone, "Division {division} spends an action.") == {"8.13"}


@pytest.mark.rule("ddob:8.23", "ddob:11.13", "ddob:8.25")
def test_a_hero_is_a_line_of_the_strength_and_only_one_helps():
    us = {"A/1/16": "0915 1 eroe=Pinder", "B/1/16": "0915 1 eroe=Spalding"}
    game = attack(us, WN64, "u:B/1/16", "b:via", "b:forza")
    assert refs_of(game, "hero of {unit}") == {"8.23", "11.13"}
    assert facts_of(game, "Of {n} heroes one helps.") == {"n": 2}
    line = next(step.tally for step in game.steps if step.ruling.msg.id == "hero of {unit}")
    strength = sum(game.position.rest.units[name].strength for name in us)
    assert (line.value, line.total) == (1, strength + 1)
    game = attack({"A/1/16": "0915 1 eroe=Pinder"}, WN64, "b:via", "b:arma-BR")
    assert refs_of(game, "The hero counts as {weapon}.") == {"8.23", "11.13"}


@pytest.mark.rule("ddob:8.1.carri", "ddob:8.1.artiglieria", "ddob:8.1.pesante", "ddob:8.1.navale")
def test_who_supports_an_attack_names_his_rule():
    us = {"A/1/16": "0710", "1/B/741": "0712", "62AFA": "0712", "HQ16": "0711"}
    game = attack(us, {"0809": {"specie": "wn88", "unita": "2 BG MO", "rivelata": "si"}},
        "u:1/B/741", "u:62AFA", "b:navale", "b:via", navali=1)  # fmt: skip
    assert refs_of(game, "{unit} fires from the next hex.") == {"8.1.carri", "8.11"}
    under = "{unit} fires from the next hex under {leader}."
    assert refs_of(game, under) == {"8.1.artiglieria", "8.11"}
    assert facts_of(game, under)["leader"] == "HQ16"
    assert refs_of(game, "{observer} directs the ships by radio.") == {"8.1.navale", "8.51"}
    heavy = attack({"A/1/16": "0915 2", "D/1/16": "0914"}, WN64, "u:D/1/16", "b:via")
    assert refs_of(heavy, "{unit} fires from the next hex.") == {"8.1.pesante", "8.11"}


@pytest.mark.rule("ddob:8.3", "ddob:8.14")
def test_a_failed_attack_names_whom_it_does_not_disrupt():
    us = {"A/1/16": "0915 1", "1/B/741": "0715 1", "HQ16": "0915"}
    german = {"0916": {"specie": "wn75", "unita": "3 BG BR", "incognita": "?", "rivelata": "si"}}
    game = attack(us, german, "u:1/B/741", "b:via")
    said = "{units}: not disrupted."
    assert facts_of(game, said)["units"] == ("1/B/741", "HQ16")
    assert refs_of(game, said) == {"8.3", "8.14"}
    game = attack({"A/1/16": "0915 1"}, german, "b:via")
    assert said not in [words for _refs, words, _facts in told(game)]


@pytest.mark.rule("ddob:8.3", "ddob:8.33")
def test_a_defeated_unit_names_the_result_and_the_rule_of_elimination():
    game = attack({"A/1/16": "0915"}, WN64, "b:via")
    gone = [step for step in game.steps if type(step.event).__name__ == "GermanGone"]
    assert [step.ruling.refs for step in gone] == [("ddob:8.3", "ddob:8.33")]


@pytest.mark.rule("ddob:8.3")
def test_a_result_that_changes_nothing_is_told():
    german = {"specie": "wn75", "unita": "3 BG BR", "rivelata": "si"}
    marker = {"incognita": "1 AR", "incognita_rivelata": "si"}
    game = attack({"A/1/16": "0915"}, {"0916": {**german, **marker}}, "b:via")
    assert "8.3" in refs_of(game, "{us} against {german}, weapons {weapons}, {ratio}: no effect")
    down = {"0916": {"specie": "wn", "unita": "2 BZ BR", "rivelata": "si", "confusione": "si"}}
    game = attack({"A/1/16": "0915 2"}, down, "b:via")
    assert refs_of(game, "{position}: disrupted already.") == {"8.3"}


# Events without effect


def event(*draws, **given):
    return table(*draws, fase="event", **{"turno": 8, **given})


ROCKETS = {"1222": {"specie": "rocket", "confusione": "si"}}


@pytest.mark.parametrize(("card", "given", "said", "refs"), [
    ("05", {"us": {}, "tedeschi": {}}, "The rockets are gone.", {"ev.razzi"}),
    ("05", {"us": {}, "tedeschi": ROCKETS}, "The rockets are disrupted and silent.",
     {"ev.razzi", "6.4"}),
    ("05", {"us": {"A/1/16": "0613"}, "tedeschi": {"1222": "rocket"}},
     "Nobody on beach or pavilion, three to seven hexes away.", {"ev.razzi"}),
    ("05", {"us": {}, "tedeschi": {}, "turno": 20, "scenario": "d-day"},
     "No German unit is disrupted.", {"ev.recupero"}),
    ("34", {"us": {}, "tedeschi": {}}, "No unit of division {division} can take a hero.",
     {"ev.eroe", "11.11", "casa.84"}),
    ("04", {"us": {}, "tedeschi": {}, "turno": 20, "scenario": "d-day"},
     "No infantry is at its last step.", {"ev.passo"}),
])  # fmt: skip
@pytest.mark.rule("ddob:ev.razzi", "ddob:ev.recupero", "ddob:ev.eroe", "ddob:ev.passo")
def test_an_event_without_effect_says_why(card, given, said, refs):
    assert refs_of(event(card, **given), said) == refs


@pytest.mark.rule("ddob:ev.passo")
def test_the_other_division_recovers_when_the_named_one_needs_nothing():
    game = event("04", us={"A/1/16": "0714 1"}, tedeschi={}, turno=20, scenario="d-day")
    said = "Nobody of division {division} is at its last step: the other one recovers."
    assert facts_of(game, said) == {"division": "29"}


@pytest.mark.rule("ddob:9.3")
@pytest.mark.parametrize(("at", "said"), [
    ("1009", "Zone {zone}: {position}, next to US units."),
    ("1110", "Zone {zone}: {position}, two hexes from US units."),
    ("0714", "Zone {zone}: {position}, the lowest number."),
])  # fmt: skip
def test_a_reinforcement_says_why_it_takes_its_position(at, said):
    game = event("22", us={"A/1/16": at}, tedeschi={})
    facts = [f for _refs, words, f in told(game) if words == said]
    assert {"zone": "A", "position": "A1"} in facts


@pytest.mark.rule("ddob:9.34", "ddob:9.3")
def test_zones_left_without_a_reinforcement_are_named():
    game = event("02", us={"A/1/16": "1009"}, tedeschi={}, riquadri={"T": "1", "D": "0"})
    said = "{n} units for {zones} zones: none for {passed}."
    assert facts_of(game, said) == {"n": 1, "zones": 3, "passed": ("C", "G")}
    assert refs_of(game, said) == {"9.34", "9.3"}


@pytest.mark.rule("ddob:9.2")
def test_the_player_picks_among_equals_for_a_depth_marker():
    game = event("23", us={}, tedeschi={"0812": "wn", "0912": "wn75"})
    assert asked(game)[0] == "reinforcements.depth"
    act(game, "h:0912")
    said = "{position}: nearest to US units, {n} hexes; your choice among equals."
    assert facts_of(game, said)["position"] == "WN62S"


# 10.1, 18 What engineers and HQs cannot do


def engineers(**given):
    cards = {"fire east": "09", "fire west": "09"}
    return table(fase="engineers", carte=cards, us={}, **{"turno": 8, **given})


@pytest.mark.rule("ddob:10.1", "ddob:10.12", "ddob:casa.65")
def test_engineers_say_why_they_clear_nothing():
    game = engineers(turno=16)
    assert refs_of(game, "No obstacle is cleared on turn {turn}.") == {"4.iv", "10.12"}
    from engine.ddob.state.ground import OBSTACLES

    game = engineers(bonificati=list(OBSTACLES))
    said = "No obstacle is left in the {sector} sector."
    found = [refs for refs, words, _facts in told(game) if words == said]
    assert found == [("10.1",), ("10.1",)]


@pytest.mark.rule("ddob:18.1", "ddob:18.32")
def test_hqs_that_can_do_nothing_are_named_with_the_reason():
    game = table(
        fase="engineers",
        scenario="d-day",
        turno=18,
        us={"HQ16": "0714"},
        tedeschi={"0916": "wn"},
    )
    act(game, "b:basta", "b:basta")
    said = "{units}: neither a command post nor more range here."
    assert (refs_of(game, said), facts_of(game, said)) == ({"19.1", "18.1"}, {"units": ("HQ16",)})


# 16 German actions


def extended(card, **given):
    late = {"turno": 18, "scenario": "d-day", "riquadri": {"T": "0", "D": "0"}}
    return fire(card, **{**late, **given})


@pytest.mark.rule("ddob:16.nessuna")
def test_called_positions_that_do_nothing_are_told_together():
    down = {"specie": "wn", "confusione": "si"}
    game = extended("10", us={"A/1/16": "0513"}, tedeschi={"0809": down, "0916": down})
    assert facts_of(game, "{position}: disrupted, no action.") == {"position": ("WN64", "WN61")}


@pytest.mark.rule("ddob:16.5")
@pytest.mark.parametrize(("german", "said"), [
    ("wn", "Mortars of {position}, without a depth marker: at most {n} hit."),
    ("wn+", "Mortars of {position}, with a depth marker: at most {n} hits."),
])  # fmt: skip
def test_mortars_say_how_many_they_hit(german, said):
    game = extended("09", us={"A/1/16": "0713"}, tedeschi={"0916": german})
    assert refs_of(game, said) == {"16.5"}


@pytest.mark.rule("ddob:16.61")
def test_a_patrol_names_the_leaders_it_passes_over():
    shown = {"1008": {"specie": "T", "unita": "8/2/916", "rivelata": "si"}}
    game = extended("49", us={"A/1/16": "1009", "Wyman": "1009"}, tedeschi=shown)
    said = "{units}: leaders are no targets of a patrol."
    assert (refs_of(game, said), facts_of(game, said)["units"]) == ({"16.61"}, ("Wyman",))
    game = extended("49", us={"A/1/16": "1009"}, tedeschi=shown)
    assert "16.61" not in cited(game)


# 13.22 Held without points


@pytest.mark.rule("ddob:13.22", "ddob:12.31")
def test_positions_held_without_points_are_named():
    us = {"A/1/16": "0916"}
    game = table(fase="end", turno=16, us=us, tedeschi={"0817": "wn"})
    said = "{position}: held, but under fire or without a path to the beach. No points."
    assert "WN64" in facts_of(game, said)["position"]
    assert refs_of(game, said) == {"13.22", "12.3", "12.31"}
