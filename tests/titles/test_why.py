"""The why of odds is told by the code that resolves: the same lines as when the dice fall."""

from __future__ import annotations

import pytest

from app.play.reckoning import reckon
from engine.core.rules import Draw, Roll
from engine.odds import made_of
from tests.aslsk.table import Table as Aslsk
from tests.ddob.table import Table as Ddob
from tests.toi.table import Table as Toi
from tests.warfare.table import Table as Warfare
from tests.warfare.table import u

FREE = "opzioni: {los: libera}\n"
GE = "lati: [german, russian]\nfase: PFPh\n"
RU = FREE + "lati: [russian, german]\nfase: PFPh\n"


def why(table, option):
    """Why the odds of an answer are as they are."""
    found = [one for one in reckon(table.title, table.position) if one.option == option]
    assert found
    return found[0].because


def resolved(table, option):
    """The same lines, out of the steps of the answer when it is given."""
    known = sum(isinstance(entry, Roll | Draw) for entry in table.position.open)
    start = sum(len(passage.steps) for passage in table.game.passages)
    table.play(option)
    steps = table.steps[start:]
    rolls = [n for n, step in enumerate(steps) if step.chance is not None]
    return made_of(steps, rolls[known], steps[rolls[known]].chance.dice)


def toi(*support):
    table = Toi(us={"us-1": "C5 4reg", "us-2": "C6 4reg"}, de={"de-1": "E5 4reg"}, dice=[6] * 3)
    table.play("u:us-1", "b:concentrato")
    return table.play("u:de-1", *support) if support else table


def squad(*more):
    units = "unità: {a: ru-447 G7, l: ru-8-1 G7, x: ge-467 H6, y: ge-8-0 H6}"
    return Aslsk(RU + units, "u:a", "h:H6", *more, dice=[(3, 4)] * 6)


def gun():
    text = GE + "unità: {c: ge-228 C9, x: ru-447 C6}\narmi: {g: ge-75l c ca=0}"
    return Aslsk(text, "u:g", "h:C6", dice=[(5, 6)] * 6)


def fire(hex):
    units = {"b1": u("usmc_squad", "C5"), "v1": u("ru_fucilieri", hex)}
    return Warfare(unita=units, dice=[1] * 4).play("u:b1", "b:fuoco", "b:leggero")


CASES = {
    "toi: alone": (lambda: toi("b:fuoco"), "b:normale"),
    "toi: half of a support": (lambda: toi("u:us-2"), "b:soppressivo"),
    "aslsk: a leader directs": (squad, "u:l"),
    "aslsk: nobody directs": (squad, "b:nessuno"),
    "warfare: in the open": (lambda: fire("E5"), "u:v1"),
    "warfare: in cover": (lambda: fire("E4"), "u:v1"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_why_of_the_odds_is_the_tally_of_the_resolution(name):
    make, option = CASES[name]
    table = make()
    told = why(table, option)
    assert told.is_rolled
    assert not told.choices
    assert told.reasons == resolved(table, option)


def test_before_the_los_is_checked_only_its_line_is_missing():
    table = gun()
    told = why(table, "b:ITT-HE").reasons
    lines = resolved(table, "b:ITT-HE")
    seen = [line for line in lines if "aslsk:3.2.1" in line.ruling.refs]
    rof = [line for line in lines if line.tally is not None and line.tally.name == "ROF"]
    assert len(seen) == 1
    assert told == tuple(line for line in lines if line not in (*seen, *rof))


def test_what_is_halved_and_shifted_stands_in_the_why():
    halved = why(toi("u:us-2"), "b:normale")
    assert ("×", 2) in [(r.tally.operation, r.tally.total) for r in halved.reasons if r.tally]
    cover = why(fire("E4"), "u:v1")
    assert "warfare:terreno.copertura" in [ref for r in cover.reasons for ref in r.ruling.refs]


def test_a_modifier_that_is_added_after_the_roll_belongs_to_it():
    told = why(squad(), "u:l").reasons
    places = [n for n, reason in enumerate(told) if reason.dice]
    assert [reason.tally.total for reason in told[places[0] + 1 :]] == [-1]


def test_choices_before_the_roll_are_those_of_the_asker():
    target = toi()
    asked = [ruling.msg.id for ruling in why(target, "u:de-1").choices]
    assert len(asked) == 2
    assert not why(target.play("u:de-1", "b:fuoco"), "b:normale").choices


WN = {"specie": "wn", "unita": "1 BG"}


def attack(germans, **more):
    table = Ddob(
        fase="division", turno=8, divisione="1", us={"A/1/16": "0915"}, tedeschi=germans, **more
    )
    return table.play("u:A/1/16", "b:attacca")


def test_an_attack_without_chance_tells_all_its_numbers():
    table = attack({"0916": WN})
    told = why(table, "b:via")
    lines = [(r.tally.name, r.tally.total) for r in told.reasons if r.tally]
    start = sum(len(passage.steps) for passage in table.game.passages)
    table.play("b:via")
    steps = [step.tally for step in table.steps[start:] if step.tally is not None]
    assert lines == [(line.name, line.total) for line in steps]
    assert lines


def test_of_what_is_drawn_only_that_is_told_which_is_so_in_any_case():
    told = why(attack({"0916": "wn"}), "b:via")
    names = {reason.tally.name for reason in told.reasons if reason.tally}
    assert names == {"US strength"}, "who defends is not known yet"
    assert told.is_rolled
