"""Citations name the sentence or the cell of a rule that was applied."""

from __future__ import annotations

import pytest

from app.rules.linker import quotes
from rules_it.corpus import Corpus
from tests.warfare.table import FAR, Table, u


def anchors(game, locator):
    """What was applied of one rule, step by step."""
    found = [a.partition(":")[2] for step in game.steps for a in step.ruling.anchors]
    return [a.partition("#")[2] for a in found if a.startswith(f"{locator}#")]


@pytest.mark.rule("warfare:artiglieria.dispersione")
@pytest.mark.parametrize(("face", "row"), [(1, "1"), (2, "2"), (6, "2"), (7, "7"), (8, "7")])
def test_a_drift_names_its_row(face, row):
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "F4")}
    game = Table(unita=units, supporti={"us_mort81": {"lato": "blu"}}, fumo=["F4"], dice=(face, 1))
    game.play("c:us_mort81", "b:colpisci", "b:leggero", "u:v1", "b:freccia-E")
    assert f"deriva/{row}" in anchors(game, "artiglieria.dispersione")


@pytest.mark.rule("warfare:overwatch.fine")
@pytest.mark.parametrize(
    ("answers", "why"),
    [
        (("b:muovi", "h:C5", "b:vai"), "muove"),
        (("b:fumo", "h:C5"), "azione"),
        (("b:fuoco", "b:leggero", "u:v1"), "spara"),
    ],
)
def test_the_end_of_an_overwatch_names_its_cause(answers, why):
    units = {"b1": u("usmc_squad", "C4", overwatch="si"), "v1": u("ins_cellula", "E4")}
    game = Table(unita=units, dice=(1,)).play("u:b1", *answers)
    assert anchors(game, "overwatch.fine") == [why]


@pytest.mark.rule("warfare:popolazione.test")
@pytest.mark.parametrize(
    ("face", "row"),
    [(1, "Fallimento Critico"), (2, "Fallimento"), (6, "Successo Critico")],
)
def test_a_conversion_names_its_row(face, row):
    people = {"p1": {"esagono": "D5", "folla": "si"}}
    units = {"b1": u("usmc_squad", "C5"), "v1": FAR}
    game = Table(unita=units, popolazione=people, dice=(face,))
    game.play("u:b1", "b:converti", "u:p1")
    assert set(anchors(game, "popolazione.test")) == {f"esiti/{row}"}


@pytest.mark.rule("warfare:artiglieria.dispersione", "warfare:fumogeni.effetto")
def test_who_sees_nothing_is_told_the_sentence_that_hides_the_hex():
    units = {"b1": u("usmc_squad", "A1"), "v1": u("ins_cellula", "F4")}
    game = Table(unita=units, supporti={"us_mort81": {"lato": "blu"}}, fumo=["F4"])
    game.play("c:us_mort81", "b:colpisci", "b:leggero", "u:v1")
    ruling = next(s.ruling for s in game.game.position.steps if "nobody sees" in s.ruling.msg.id)
    (said,) = quotes(Corpus.read(), ruling, "warfare:fumogeni.effetto")
    assert said.startswith("Il fumo vieta di sparare")


@pytest.mark.rule("warfare:scenari.s4")
def test_a_scenario_names_the_sentence_that_keeps_a_chapter_out():
    game = Table(
        unita={"b1": u("usmc_squad", "C5"), "v1": FAR},
        scenario="s4",
        caselle={"blu": 30, "verde": 20},
    )
    rulings = game.play("u:b1").asked.why_not("b:droni")
    assert [r.anchors for r in rulings] == [("warfare:scenari.s4#capitoli",)]
