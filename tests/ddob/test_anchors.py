"""Cells that are named by what the charts hold: the house test sees literal anchors only."""

from __future__ import annotations

from itertools import product

import pytest

from app.rules.linker import passage
from engine.ddob.rules.armor import LABELS
from engine.ddob.rules.attacks import COLUMNS
from engine.ddob.rules.barrage import BANDS
from engine.ddob.rules.german_actions import LETTERS, ROWS, SUMMARY
from engine.ddob.rules.victory import DECIDED, level_label
from engine.ddob.state.tables import ACTIONS, CHARTS
from rules_it.corpus import Corpus

CORPUS = Corpus.read()


def cell(anchor: str) -> str:
    """The words of a cell of a table; none if the anchor leads nowhere."""
    found = passage(CORPUS, f"ddob:{anchor}")
    if found is None or found.row < 0 or found.column < 0:
        return ""
    ref = f"ddob:{anchor.partition('#')[0]}"
    blocks = CORPUS.blocks(CORPUS.entries[ref].text, ref)
    rows = next(block.rows for block in blocks if block.name == found.table)
    return "".join(span.text for span in rows[found.row + 1][found.column])


def test_every_result_of_a_landing_has_its_cell():
    for n, letter in product(range(len(CHARTS.landing)), "ABCD"):
        said = cell(f"5.1#sbarchi/{n + 1}/{letter}")
        effects = getattr(CHARTS.landing[n], letter)
        assert (said == "nessun effetto") is not bool(effects)
    assert cell("5.1#sbarchi/8/B") == "tolta dal gioco"


def test_every_result_of_an_attack_has_its_cell():
    for n, (name, column) in product(range(len(CHARTS.attack)), COLUMNS.items()):
        effects = getattr(CHARTS.attack[n], name)
        empty = "idem" if name == "extended" else "nessun effetto"
        assert (cell(f"8.3#attacco/{n + 1}/{column}") == empty) is not bool(effects)
    assert (
        cell("8.3#attacco/4/Con Incognita rivelata") == "unità in confusione; attrito facoltativo"
    )


def test_every_result_of_a_barrage_has_its_cell():
    for n, (band, column) in product(range(len(CHARTS.barrage)), enumerate(BANDS)):
        effect = CHARTS.barrage[n].results[band]
        assert (cell(f"8.4#sbarramento/{n + 1}/{column}") == "nessun effetto") is (effect == "-")
    assert cell("8.4#sbarramento/6/Forza 6+") == "in confusione, Incognita rimossa"


@pytest.mark.parametrize("letter", ACTIONS)
def test_every_action_has_its_cells(letter):
    row = ACTIONS[letter]
    acts = {
        (True, "us"): row.wn_us,
        (True, "held"): row.wn,
        (True, "empty"): row.wn_empty,
        (False, "us"): row.reinforcement_us,
        (False, "held"): row.reinforcement,
        (False, "empty"): row.reinforcement_empty,
    }
    assert passage(CORPUS, f"ddob:{LETTERS[letter]}").row >= 0
    for case, action in acts.items():
        assert (cell(SUMMARY[case].format(LABELS.get(letter, letter))) == "-") is (action == "-")
        if letter in "RMPA":
            ref = row.ref.partition(":")[2]
            said = cell(f"{ref}#riga/{ROWS[case]}/Con {letter}")
            assert said
            assert (said == "niente") is (action == "-")


@pytest.mark.parametrize(
    ("ref", "table", "check"),
    [
        ("20.2", "vittoria-turno-16", "first check"),
        ("20.3", "vittoria-finale", "second check"),
        ("21.2", "vittoria-beyond", "beyond the beach"),
    ],
)
def test_every_degree_of_victory_has_its_row(ref, table, check):
    found = [cell(f"{ref}#{table}/{level_label(check, n)}/Esito") for n in range(-10, 90)]
    levels = next(row.levels for row in CHARTS.victory if row.check == check)
    assert all(found)
    assert len(set(found)) == len(levels) + 1


def test_what_ended_a_game_is_in_the_texts():
    for ref, anchor in DECIDED.items():
        assert anchor.partition("#")[0] == ref
        assert passage(CORPUS, f"ddob:{anchor}") is not None
