"""Views, secrets, odds, overlays, positions and invariants."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.core.data import DataErrors, data_path
from engine.core.hexes import Hex
from engine.ddob import TITLE
from engine.ddob.rules.reveal import candidates
from engine.ddob.state.ground import HEX
from engine.ddob.state.state import UNSEEN, German, State
from engine.ddob.state.tables import CARDS
from engine.ddob.table.inspect import DISRUPTED, LOSES, SHELLED
from engine.drive import fuzz
from engine.game import Game, SeededChance
from engine.odds import odds
from tests.ddob.table import Table, state_of


def hidden_division(ticket: str) -> State:
    import msgspec

    found = state_of(scenario="d-day", turno=20, us={}, tedeschi={"1008": "D+"})
    german = msgspec.structs.replace(found.germans["1008"], ticket=ticket)
    return msgspec.structs.replace(
        found,
        germans={"1008": german},
        tickets={"D": 10, "5/2/916": 1} if ticket == "D" else {"D": 11},
        boxes={**found.boxes, "D": 11},
        since={"5/2/916": 0},
    )


@pytest.mark.rule("ddob:9.31", "ddob:8.33")
def test_nobody_can_tell_which_divisional_unit_came():
    one, other = hidden_division("D"), hidden_division("5/2/916")
    assert TITLE.belief(one, "us") == TITLE.belief(other, "us")
    assert TITLE.view(one, "us") == TITLE.view(other, "us")
    dealt = TITLE.redeal(one, "us", lambda n: n - 1)
    assert TITLE.belief(dealt, "us") == TITLE.belief(one, "us")


@pytest.mark.rule("ddob:9.31", "ddob:8.33")
def test_a_withdrawn_unit_may_come_back_only_later():
    found = TITLE.belief(hidden_division("D"), "us")
    faces = candidates(found, found.germans["1008"])
    assert faces["5/2/916"].weight == 1
    assert sum(face.weight for face in faces.values()) == 12
    older = German("1008", "D", ticket="?", born=0)
    assert "5/2/916" not in candidates(found, older)


@pytest.mark.rule("ddob:9.1", "ddob:2.24", "ddob:2.3")
@pytest.mark.parametrize("scenario", [info.id for info in TITLE.scenarios()])
def test_neither_faces_nor_the_order_of_the_deck_are_in_a_view(scenario):
    game = Table.around(Game(TITLE, scenario, SeededChance(3)))
    seen = TITLE.view(game.state, "us")
    known = getattr(seen, "known", None)
    assert isinstance(known, State)
    hidden = [g for g in known.germans.values() if not g.shown]
    assert hidden
    assert all(not g.unit for g in hidden)
    assert all(g.depth == UNSEEN for g in hidden if g.depth)
    assert list(known.deck.items) == sorted(known.deck.items)
    assert set(known.deck.items.values()) == {1}
    assert all(ticket == "D" for ticket in known.tickets)


@pytest.mark.rule("ddob:9.1", "ddob:2.24")
def test_a_view_shows_backs_and_not_faces():
    view = TITLE.view(TITLE.start("first-wave", {}), "us")
    germans = [c for c in view.counters if c.side == "de"]
    assert len(germans) == 18
    assert all(c.strength == "?" and "unit" not in c.facts for c in germans)
    assert sum("depth marker" in c.states for c in germans) == 9


@pytest.mark.rule("ddob:8.3")
def test_the_odds_of_an_attack_weigh_every_hidden_unit():
    game = Table(
        fase="division", turno=8, divisione="1", us={"A/1/16": "0915"}, tedeschi={"0916": "wn"}
    )
    game.play("u:A/1/16", "b:attacca")
    position = game.position
    (question,) = TITLE.questions(TITLE.belief(position.draft, "us"), position.decision)
    found = odds(TITLE, TITLE.belief(position.rest, "us"), position.open, question)
    assert {m.facts["result"]: p for m, p in found.spread} == {"defeated": Fraction(1)}


@pytest.mark.rule("ddob:8.4")
def test_the_odds_of_a_barrage_count_the_cards_left():
    game = Table(
        fase="division", turno=8, divisione="1", us={"1/B/741": "0711"}, tedeschi={"0809": "wn88"}
    )
    game.play("u:1/B/741", "b:sbarramento")
    position = game.position
    (question,) = TITLE.questions(TITLE.belief(position.draft, "us"), position.decision)
    found = odds(TITLE, TITLE.belief(position.rest, "us"), position.open, question)
    chance = {m.facts["result"]: p for m, p in found.spread}
    assert sum(chance.values()) == 1
    assert chance["disrupted"] == Fraction(36, 54)


@pytest.mark.rule("ddob:6.2", "ddob:6.21", "ddob:6.22", "ddob:6.4")
def test_sight_explains_a_field_of_fire():
    found = state_of(us={}, tedeschi={"0817": "wn", "0916": {"specie": "wn", "confusione": "si"}})
    seen = TITLE.sight(found, HEX["0817"], HEX["0619"])
    assert seen is not None
    assert seen.clear
    assert {r for ruling in seen.rulings for r in ruling.refs} == {
        "ddob:6.2", "ddob:6.21", "ddob:6.22",
    }  # fmt: skip
    seen = TITLE.sight(found, HEX["0916"], HEX["0715"])
    assert seen is not None
    assert not seen.clear
    assert TITLE.sight(found, HEX["0713"], HEX["0714"]) is None


@pytest.mark.rule("ddob:6.2", "ddob:12.2", "ddob:13.22")
def test_layers_and_inspection_explain_the_map():
    game = Table(
        fase="division", turno=8, divisione="1", us={"A/1/16": "0715"}, tedeschi={"0916": "wn"}
    )
    found = {layer.id: layer.hexes() for layer in TITLE.layers(game.state, "us")}
    assert found["fire"][HEX["0615"]] == "◉1"
    assert HEX["0715"] in found["threats"]
    for label in ("0715", "0916", "0613", "0404", "0101", "1321", "0830"):
        rulings = TITLE.inspect(game.state, HEX[label])
        assert rulings
        assert all(ruling.refs for ruling in rulings)
    assert isinstance(HEX["0715"], Hex)


@pytest.mark.rule("ddob:5.1")
def test_inspecting_a_box_tells_the_odds_of_the_landing_check():
    found = state_of(turno=5, us={"A/1/16": "ER1"}, tedeschi={})
    rulings = TITLE.inspect(found, HEX["0412"])
    letters = {r.msg.facts["letter"]: r.msg.facts["n"] for r in rulings if "letter" in r.msg.facts}
    assert letters == {"A": 21, "B": 17, "C": 11, "D": 5}


@pytest.mark.rule("ddob:2.21.passi")
@pytest.mark.parametrize(
    "given",
    [
        {"scenario": "nowhere"},
        {"fase": "nothing"},
        {"us": {"Z/9/99": "0714"}},
        {"us": {"A/1/16": "9999"}},
        {"us": {"A/1/16": "0714 volante"}},
        {"tedeschi": {"0101": "wn"}},
        {"tedeschi": {"0916": "panzer"}},
        {"carte": {"fire east": "99"}},
        {"turno": "presto"},
        {"tedeschi": {"0916": {"specie": "wn", "unita": "9 XX"}}},
        {"tedeschi": {"0916": {"specie": "wn", "unita": "5/2/916"}}},
        {"tedeschi": {"0916": {"specie": "wn", "incognita": "9 XX"}}},
    ],
)
def test_a_position_that_cannot_be_is_refused(given):
    with pytest.raises(DataErrors):
        TITLE.position(given)


@pytest.mark.rule("ddob:7.31", "ddob:11.42")
def test_invariants_notice_what_is_wrong():
    found = state_of(us={"A/1/16": "0916", "HQ16": "0714 confusione"}, tedeschi={"0916": "wn"})
    faults = list(TITLE.invariants(found))
    assert len(faults) == 2
    assert not list(TITLE.invariants(TITLE.start("d-day", {})))


@pytest.mark.rule("ddob:4", "ddob:15")
@pytest.mark.parametrize("info", TITLE.scenarios(), ids=lambda info: info.id)
def test_a_random_game_satisfies_every_oracle(info):
    _game, findings = fuzz(TITLE, info.id, 11, every=37)
    assert findings == []


@pytest.mark.rule("ddob:2.1")
def test_files_are_validated_with_every_fault(tmp_path):

    data = data_path("ddob")
    assert TITLE.validate(data / "map.yaml") == ()
    assert TITLE.validate(data / "scenarios.yaml") == ()
    assert TITLE.validate(data / "examples" / "attacco-1.yaml") == ()
    broken = tmp_path / "broken.yaml"
    broken.write_text("posizione: {us: {Nobody: '0714'}}\n", encoding="utf-8")
    assert len(TITLE.validate(broken)) == 1


def told(found, label):
    """What the next cards may do in a hex: the kind and its facts."""
    facts = [r.msg.facts for r in TITLE.inspect(found, HEX[label])]
    return {f["foretold"]: f for f in facts if "foretold" in f}


def led_to(found, label):
    """The hex that a landing box leads to."""
    (ruling,) = [r for r in TITLE.inspect(found, HEX[label]) if r.refs == ("ddob:5.2",)]
    return ruling.msg.facts["hex"]


@pytest.mark.rule("ddob:5", "ddob:5.1", "ddob:5.2")
def test_a_box_tells_the_odds_of_the_turn_when_its_units_land():
    def effects(**given):
        found = state_of(us={"E/2/16": "ER6"}, **given)
        rulings = TITLE.inspect(found, HEX["0417"])
        return {
            r.msg.facts["letter"]: r.msg.facts["effect"] for r in rulings if "letter" in r.msg.facts
        }

    now_, later = ("east 9",), ("east 4",)
    assert effects(turno=3, fase="landing:east")["C"] == now_
    assert effects(turno=3, fase="arrivals")["C"] == later
    assert effects(turno=3, fase="division")["A"] == ("no effect",)
    found = state_of(turno=6, fase="division", us={}, tedeschi={})
    assert led_to(found, "0417") == "0618"
    found = state_of(scenario="d-day", turno=32, fase="division", us={}, tedeschi={})
    assert led_to(found, "0417") == "0518"


@pytest.mark.rule("ddob:6.3", "ddob:4.vi")
def test_chances_are_those_of_the_next_fire_cards():
    given = {"us": {"A/1/16": "0614"}, "tedeschi": {"0916": "wn"}, "mazzo": ["16", "01"]}
    found = state_of(turno=8, fase="division", note={"smoke": "WN64"}, **given)
    assert told(found, "0614")[LOSES]["chance"] == Fraction(1, 2)  # smoke is gone by then
    found = state_of(turno=8, fase="event", note={"smoke": "WN64"}, **given)
    assert LOSES not in told(found, "0614")
    found = state_of(turno=6, fase="division", **given)
    blue = sum(s.colour == "blue" and s.squares == 1 for c in CARDS.values() for s in c.fire)
    assert told(found, "0614")[LOSES]["chance"] == Fraction(blue, 54)  # all cards, shuffled
    found = state_of(turno=16, fase="division", **given)
    assert LOSES not in told(found, "0614")
    assert not dict(TITLE.layers(found, "us")[1].hexes())


@pytest.mark.rule("ddob:6.33")
def test_a_hex_tells_disruption_apart_from_losses():
    given = {"turno": 8, "fase": "event", "tedeschi": {"0916": "wn"}, "mazzo": ["16", "01"]}
    found = state_of(us={"A/1/16": "0714"}, **given)  # sporadic fire on the diamond of card 16
    assert told(found, "0714")[DISRUPTED]["chance"] == Fraction(1, 2)
    assert not dict(TITLE.layers(found, "us")[1].hexes())


@pytest.mark.rule("ddob:6.5", "ddob:6.5.procedura")
def test_a_hex_of_the_beach_tells_which_cards_shell_it():
    given = {"fase": "event", "tedeschi": {"0807": "wn75", "0912": "wn75"}}
    deck = ["14", "40", "42", "01"]  # 14: one 88, triangle; 40: five guns, 42: one 88, diamonds
    found = state_of(turno=8, us={"A/1/16": "0714"}, mazzo=deck, **given)
    assert told(found, "0714")[SHELLED] == {
        "foretold": SHELLED,
        "unit": "A/1/16",
        "n": 1,
        "total": 4,
    }
    found = state_of(turno=3, us={"A/1/16": "0714"}, mazzo=deck, **given)
    assert SHELLED not in told(found, "0714")
    found = state_of(turno=8, us={"A/1/16": "0813"}, mazzo=deck, **given)
    assert SHELLED not in told(found, "0813")


@pytest.mark.rule("ddob:tab.azioni", "ddob:16.6")
def test_from_turn_17_a_patrol_letter_is_no_fire():
    given = {"scenario": "d-day", "turno": 18, "fase": "event", "us": {"A/1/16": "1314"}}
    shown = {"1313": {"specie": "T", "unita": "8/2/916", "rivelata": "si", "incognita": "?"}}
    found = state_of(tedeschi=shown, mazzo=["03", "26", "04"], **given)  # red P, A and tank
    assert told(found, "1314")[LOSES]["chance"] == Fraction(1, 3)


@pytest.mark.rule("ddob:8.1", "ddob:8.23")
@pytest.mark.parametrize(
    ("unit", "assumed", "facts"),
    [("1 BG", "The hero counts as {weapon}.", {"weapon": "BG"}), ("1 BZ", "one more strength", {})],
)
def test_an_attack_is_asked_on_its_target_and_its_odds_say_what_the_hero_does(unit, assumed, facts):
    german = {"specie": "wn", "unita": unit, "rivelata": "si"}
    game = Table(
        fase="division", turno=8, divisione="1", azioni=2,
        us={"A/1/16": "0915 1 eroe=Pinder"}, tedeschi={"0916": german},
    )  # fmt: skip
    game.play("u:A/1/16", "b:attacca")
    position = game.position
    assert position.decision is not None
    option = position.decision.option("b:via")
    assert option is not None
    assert option.hex == HEX["0916"]
    (question,) = TITLE.questions(TITLE.belief(position.draft, "us"), position.decision)
    found = odds(TITLE, TITLE.belief(position.rest, "us"), position.open, question)
    assert [(given.msg.id, given.msg.facts) for given in found.given] == [(assumed, facts)]
