"""Before an attack is declared neither a chance nor its why tells the LOS (3.2.1.declare)."""

from __future__ import annotations

import pytest

from app.play.reckoning import reckon
from engine.aslsk import TITLE
from engine.aslsk.rules import sight
from engine.aslsk.rules.sight import Los, los
from engine.aslsk.state.book import rule
from engine.foresight import ahead
from tests.aslsk.table import Table

BASE = "lati: [russian, german]\nfase: PFPh\n"
UNITS = "unità: {a: ru-628 G7, b: ru-447 G7, x: ge-467 K9, y: ge-447 H6}\n"
FREE = "opzioni: {los: libera}\n"
BETWEEN = {
    "smoke": "fumo: {H7: 3, I8: 3, J8: 3}\n",
    "an AFV": "veicoli: {t: ge-ivh I8 vca=3, s: ge-ivh H7 vca=3}\n",
}


def told(table):
    """Every chance with its why, of all that can be declared."""
    return [
        (one.option, one.odds.spread, one.because)
        for one in reckon(TITLE, table.position)
        if one.option == "h:K9"
    ]


@pytest.mark.rule("aslsk:3.2.1.declare")
@pytest.mark.parametrize("what", BETWEEN)
def test_what_lies_between_changes_the_los_but_no_chance_and_no_why(what):
    clear, hindered = Table(BASE + UNITS, "u:a"), Table(BASE + UNITS + BETWEEN[what], "u:a")
    assert los(clear.state, "G7", "K9") != los(hindered.state, "G7", "K9")
    assert told(clear) == told(hindered) != []


@pytest.mark.rule("aslsk:3.2.1.declare")
def test_a_blocked_los_changes_neither_chance_nor_why_nor_what_is_asked_next(monkeypatch):
    def seen():
        table = Table(BASE + UNITS, "u:a")
        belief = TITLE.belief(table.position.rest, "russian")
        further = list(ahead(TITLE, belief, table.position.open, table.asked))
        return told(table), told(table.play("h:K9")), further

    before = seen()
    blocked = Los(rule("3.2.1#libera", "blocked"))
    monkeypatch.setattr(sight, "los", lambda *_where: blocked)
    assert seen() == before


@pytest.mark.rule("aslsk:3.2.1.declare")
def test_no_line_of_the_why_tells_the_los():
    (_option, _spread, why), *_rest = told(Table(BASE + UNITS, "u:a"))
    cited = {ref for reason in why.reasons for ref in reason.ruling.refs}
    assert not [ref for ref in cited if ref.startswith("aslsk:3.2.1")]


@pytest.mark.rule("aslsk:3.2.1.declare")
def test_where_the_los_may_be_checked_first_it_stands_in_the_why():
    clear = Table(FREE + BASE + UNITS, "u:a")
    hindered = Table(FREE + BASE + UNITS + "fumo: {I8: 2}\n", "u:a")
    assert told(clear) != told(hindered)
    (_option, _spread, why), *_rest = told(clear)
    assert [r for reason in why.reasons for r in reason.ruling.refs if r == "aslsk:3.2.1"]
