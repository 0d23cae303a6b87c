"""Close combat: who attacks and defends with whom (3.8)."""

from __future__ import annotations

import pytest

from tests.aslsk.table import Table

CLOSE = "mappa: ex-mischia\nlati: [german, russian]\nfase: CCPh\n"


@pytest.mark.rule("aslsk:3.8", "aslsk:3.8.smc")
@pytest.mark.parametrize(("marker", "fp"), [("broken DM", "4"), ("", "5")])
def test_a_broken_leader_defends_with_his_squad_but_does_not_attack(marker, fp):
    answers = ["u:a", "u:x", "u:x", "u:a"] if marker else ["u:a", "u:a", "u:x", "u:x", "u:a"]
    run = Table(
        CLOSE + f"unità: {{a: ge-467 E6, l: ge-8-0 E6 {marker}, x: ru-447 E6}}",
        *answers, dice=[(6, 5), (6, 5)],
    )  # fmt: skip
    odds_ = run.told("3.8.odds", "defence", "fp", "number")
    assert [str(o["fp"]) for o in odds_] == [fp, "4"]
    assert [str(o["defence"]) for o in odds_] == ["4", "5"]


@pytest.mark.rule("aslsk:3.8.smc")
@pytest.mark.parametrize(("answer", "defence"), [("u:m", "2"), ("b:solo", "1")])
def test_two_leaders_without_a_squad_attack_and_defend_together(answer, defence):
    run = Table(CLOSE + "unità: {l: ge-8-0 E6, m: ge-8-1 E6, x: ru-447 E6}", answer)
    run.play("b:passa") if answer == "u:m" else run.play("b:solo", "b:passa")
    run.play("u:x", "u:m")
    if "b:attacca" in run.options:
        run.play("b:attacca")
    assert run.game.position.decision is None
    odds_ = run.told("3.8.odds", "defence", "fp", "number")
    assert [str(o["defence"]) for o in odds_] == [defence]
