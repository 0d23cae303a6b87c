"""A player can rebuild every number of an action from its lines: limits, causes, what failed."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from engine.aslsk import TITLE
from engine.odds import odds
from tests.aslsk.table import Table

GE = "mappa: ex-bosco\ndata: 1943-07\nlati: [german, american]\nfase: PFPh\n"
US = "mappa: ex-bosco\ndata: 1943-07\nlati: [american, german]\nfase: MPh\n"
OPEN = "lati: [german, russian]\nfase: PFPh\n"


def said(run: Table, ref: str) -> list[str]:
    """The message of every step that cites a rule."""
    return [s.ruling.msg.id for s in run.game.steps if f"aslsk:{ref}" in s.ruling.refs]


def asked(run: Table, option: str) -> object:
    """The odds of an option of the open question."""
    position = run.game.position
    draft, rest = (TITLE.belief(s, run.asked.side) for s in (position.draft, position.rest))
    questions = TITLE.questions(draft, position.decision)
    question = next(q for q in questions if q.commands[0].option == option)
    return odds(TITLE, rest, position.open, question)


# Odds


@pytest.mark.rule("aslsk:3.2.4", "aslsk:3.2.1.declare")
def test_odds_of_a_gun_go_on_through_the_way_it_attacks_and_say_so():
    text = GE + "unità: {c: ge-228 E8, x: us-666 D6}\narmi: {g: ge-75l c ca=5}"
    found = asked(Table(text, "u:g"), "h:D6")
    assert len(found.spread) > 1
    assert ("taken for granted: {option}", "b:ITT-HE") in [
        (one.msg.id, one.msg.facts.get("option")) for one in found.given
    ]
    same = asked(Table(text, "u:g", "h:D6"), "b:ITT-HE")
    assert same.spread == found.spread


# Acquired targets


@pytest.mark.rule("aslsk:6.10")
def test_acquisition_says_whether_it_is_gained_raised_or_kept_and_its_value():
    text = GE + "unità: {c: ge-228 E8, x: us-666 D6}\narmi: {g: ge-75l c ca=5%s}"
    for before, value, message in (
        ("", -1, "{weapon} acquires its target in {hex}: {n} To Hit"),
        (" acquired=1 target=x target_hex=D6", -2, "{weapon} has its target in {hex} better acquired: {n} To Hit"),
        (" acquired=2 target=x target_hex=D6", -2, "{weapon} keeps its target in {hex} acquired: {n} To Hit"),
    ):  # fmt: skip
        run = Table(text % before, "u:g", "h:D6", "b:ITT-HE", dice=[(6, 5)])
        assert run.told("6.10", "weapon", "hex", "n", of="Acquired") == [
            {"weapon": "g", "hex": "D6", "n": value}
        ]
        assert message in said(run, "6.10")


@pytest.mark.rule("aslsk:6.10", "aslsk:2.0.good_order")
def test_a_counter_that_moves_stays_or_is_lost_says_which_and_why():
    run = Table(
        US + "unità: {x: us-747 D6, y: us-666 D5, c: ge-228 E8}\narmi: {g: ge-75l c ca=5 acquired=2 target=x target_hex=D6}",
        "u:x", "b:normale", "h:C6", "b:passa", "h:B6",
    )  # fmt: skip
    assert "the acquired target of {weapon} is now in {hex}" in said(run, "6.10")
    assert "the target of {weapon} is out of LOS: its counter stays in {hex}" in said(run, "6.10")
    crew = Table(
        "mappa: ex-bosco\ndata: 1943-07\nlati: [american, german]\nfase: PFPh\nunità: {x: us-747 D6, c: ge-228 E6}\narmi: {g: ge-75l c ca=5 acquired=2 target=x target_hex=D6}",
        "u:x", "h:E6", dice=[(3, 4), (6, 5)],
    )  # fmt: skip
    assert crew.state.units["c"].broken
    assert "{unit} is not in Good Order: {weapon} loses its target" in said(crew, "6.10")
    assert "2.0.good_order" in crew.cited


# Rate of fire


@pytest.mark.rule("aslsk:1.2.4.1", "aslsk:2.0.rof")
@pytest.mark.parametrize(("dice", "kept"), [((2, 5), True), ((5, 2), False)])
def test_a_machine_gun_says_why_it_keeps_or_loses_its_rof(dice, kept):
    run = Table(OPEN + "unità: {a: ge-467 G7, x: ru-447 G5}\narmi: {m: ge-hmg a}", "u:m", "h:G5", "b:fuoco", dice=[dice, (1, 1), (1, 1)])  # fmt: skip
    text = "{unit} keeps its ROF {rof}: coloured die {dr}" if kept else "{unit} loses its ROF {rof}: coloured die {dr}"  # fmt: skip
    assert run.told("1.2.4.1", "unit", "rof", "dr") == [{"unit": "m", "rof": 3, "dr": dice[0]}]
    assert text in said(run, "2.0.rof")


@pytest.mark.rule("aslsk:1.2.4.1", "aslsk:3.2.4.rof_mod")
@pytest.mark.parametrize(("dice", "kept"), [((1, 5), True), ((5, 1), False)])
def test_a_gun_says_why_it_keeps_or_loses_its_rof(dice, kept):
    run = Table(GE + "unità: {c: ge-228 E8, x: us-666 D6}\narmi: {g: ge-75l c ca=5}", "u:g", "h:D6", "b:ITT-HE", dice=[dice, (6, 5)])  # fmt: skip
    assert run.told("1.2.4.1", "unit", "rof", "dr") == [{"unit": "g", "rof": 2, "dr": dice[0]}]
    assert ("{unit} keeps its ROF {rof}: coloured die {dr}" in said(run, "2.0.rof")) is kept
    assert "3.2.4.rof_mod" not in run.cited


@pytest.mark.rule("aslsk:3.2.4.att", "aslsk:3.5", "aslsk:3.2.3.pinned")
def test_what_takes_all_rof_away_is_named():
    att = Table(GE + "unità: {c: ge-228 E8, x: us-666 D6}\narmi: {g: ge-75l c ca=5}", "u:g", "h:D6", "b:ATT-HE", dice=[(1, 5), (6, 5)])  # fmt: skip
    assert "{unit} has no ROF: it fires at the whole hex" in said(att, "3.2.4.att")
    pinned = Table(OPEN + "unità: {a: ge-467 G7 pinned, x: ru-447 G5}\narmi: {m: ge-hmg a}", "u:m", "h:G5", "b:fuoco", dice=[(1, 5), (1, 1)])  # fmt: skip
    assert "{unit} has no ROF: a Pin" in said(pinned, "3.2.3.pinned")


# FT, DC, Backblast


@pytest.mark.rule("aslsk:4.2", "aslsk:3.2.3")
@pytest.mark.parametrize(("hex", "fp"), [("G8", 24), ("G9", 12)])
def test_a_flamethrower_tells_its_fp_and_column(hex, fp):
    run = Table(OPEN + f"unità: {{a: ge-468 G7, x: ru-447 {hex}}}\narmi: {{f: ge-ft a}}", "u:f", f"h:{hex}", dice=[(3, 4), (1, 1), (1, 1)])  # fmt: skip
    assert run.totals("FP") == [fp]
    assert run.told("3.2.3", "fp", "column") == [{"fp": fp, "column": fp}]


@pytest.mark.rule("aslsk:4.3", "aslsk:3.2.3")
def test_a_demolition_charge_tells_its_fp_and_column():
    run = Table(
        "lati: [german, russian]\nfase: MPh\nunità: {a: ge-468 G7, b: ge-467 A1, x: ru-447 G8}\narmi: {c: ge-dc a}",
        "u:a", "b:normale", "b:carica", "b:c-G8", "b:passa", "b:fine", "b:passa", "b:passa",
        dice=[(3, 3), (1, 1)],
    )  # fmt: skip
    assert run.totals("FP") == [30]
    assert run.told("3.2.3", "fp", "column") == [{"fp": 30, "column": 30}]


# Artillery


@pytest.mark.rule("aslsk:dae2.3", "aslsk:3.2.1.hindrance")
def test_accuracy_names_the_hindrance_that_lowers_it():
    text = "scenario: R4\nmappa: mD\nlati: [american, german]\npasso: oba\ndata: 1944-06\nunità: {l: us-10-2 A7, z: us-666 A1, x: ge-467 E4}\narmi: {r: us-radio l}\nfumo: {A7: 1}\noba: {lato: american, radio: r, contatto: si, accesso: si}\n"
    run = Table(text, "b:chiama", "h:C6", dice=[(1, 1), (1, 1)])
    assert run.totals("accuracy") == [2, 1, 0]
    assert {"1.2.5", "casa.25"} <= run.cited
    assert "accuracy is impossible" in said(run, "dae2.3")


# Morale


@pytest.mark.rule("aslsk:3.2.3.wound")
@pytest.mark.parametrize(("dr", "lost"), [(4, True), (3, False)])
def test_a_second_wound_says_why_it_is_worse(dr, lost):
    run = Table(OPEN + "unità: {a: ge-548 G6, b: ge-548 G6, l: ru-9-1 G5 wounded}", "u:a", "h:G5", "u:b", dice=[(1, 3), (dr,), (1, 1)])  # fmt: skip
    assert (run.state.units["l"].place != "map") is lost
    assert run.told("3.2.3.wound", "unit", of="wound drm") == [{"unit": "l"}]
    assert ("{unit} is wounded again: no more than one wound counts" in said(run, "3.2.3.wound")) is not lost  # fmt: skip


@pytest.mark.rule("aslsk:3.2.3.elr", "aslsk:5.1")
def test_a_drop_of_quality_names_the_elr():
    run = Table(OPEN + "elr: {russian: 2}\nunità: {a: ge-468 G7, x: ru-447 G6}", "u:a", "h:G6", dice=[(3, 4), (6, 5)])  # fmt: skip
    assert run.state.units["x"].type != "ru-447"
    assert run.told("3.2.3.elr", "unit", "elr", "counter", of="Replaced")[0]["elr"] == 2


@pytest.mark.rule("aslsk:3.2.3.llmc", "aslsk:3.2.3.lltc")
def test_a_leader_lost_where_nobody_has_less_morale_says_that_nobody_checks():
    run = Table(OPEN + "unità: {a: ge-468 G7, l: ru-8-1 G6, x: ru-628 G6}", "u:a", "h:G6", dice=[(3, 4), (6, 4), (1, 1)])  # fmt: skip
    assert run.state.units["l"].broken
    assert "nobody with {unit} has lower morale: no LLTC" in said(run, "3.2.3.lltc")


@pytest.mark.rule("aslsk:3.2.3.llmc")
def test_the_drm_of_a_leader_loss_is_named_as_such():
    run = Table(OPEN + "unità: {a: ge-548 G6, b: ge-548 G6, l: ru-9-2 G5, x: ru-447 G5}", "u:a", "h:G5", "u:b", dice=[(1, 3), "l", (6,), (1, 1), (1, 1)])  # fmt: skip
    assert run.state.units["l"].place != "map"
    assert run.told("3.2.3.llmc", "unit", of="MC DRM") == [{"unit": "l"}]


@pytest.mark.rule("aslsk:3.2.3.crew_mc", "aslsk:7.10.stun")
def test_the_mark_of_an_earlier_stun_is_named_in_the_check_of_a_crew():
    run = Table(
        "lati: [german, russian]\nfase: PFPh\nunità: {a: ge-548 G7, b: ge-548 G7, z: ge-467 A1}\nveicoli: {t: ru-t34m43 G6 CE plus=1}",
        "u:a", "h:G6", "u:b", dice=[(3, 1), (1, 1)],
    )  # fmt: skip
    assert run.told("7.10.stun", "unit", of="MC DRM") == [{"unit": "t"}]
    assert run.told("3.2.3.crew_mc", "vehicle", "morale", of="roll")
    assert "the crew of {vehicle} passes" in said(run, "3.2.3.mc")


# Close combat


CC = "mappa: ex-mischia\nlati: [german, russian]\nfase: CCPh\n"


@pytest.mark.rule("aslsk:casa.04", "aslsk:3.8.odds")
@pytest.mark.parametrize(("mine", "house"), [("a: ge-467 E6", False), ("a: ge-467 E6, b: ge-248 E6", True)])  # fmt: skip
def test_only_three_to_two_odds_stand_on_the_house_ruling(mine, house):
    names = [one.split(":")[0] for one in mine.split(", ")]
    more = [f"u:{name}" for name in names[1:]]
    run = Table(CC + f"unità: {{{mine}, x: ru-447 E6}}", "u:a", "u:x", *more, "b:passa", dice=[(6, 5)])  # fmt: skip
    assert ("casa.04" in run.cited) is house


@pytest.mark.rule("aslsk:3.8.odds", "aslsk:3.2.3.pinned", "aslsk:3.3.1.double_time")
def test_fp_in_close_combat_names_its_parts_and_cx_its_rule():
    run = Table(CC + "unità: {a: ge-467 E6 pinned, x: ru-447 E6 CX}", "u:a", "u:x", "b:passa", dice=[(6, 5)])  # fmt: skip
    assert [str(s.tally.total) for s in run.game.steps if s.tally and s.tally.name == "CC FP"] == ["4", "2"]  # fmt: skip
    assert run.told("3.2.3.pinned", "unit", of="CC FP") == [{"unit": "a"}]
    assert run.totals("CC defence") == [4]
    assert "CX defenders" in said(run, "3.3.1.double_time")


@pytest.mark.rule("aslsk:3.8.ccv", "aslsk:3.2.3.pinned")
def test_the_ccv_names_its_parts():
    run = Table(
        "mappa: ex-mischia\nlati: [russian, german]\nfase: CCPh\nunità: {a: ru-447 E6 done pinned, z: ge-467 A1}\nveicoli: {t: ge-iif E6}",
        "u:a", "u:t", "b:passa", dice=[(6, 5)],
    )  # fmt: skip
    assert run.totals("CCV")[-1] == run.totals("CCV")[0] - 1
    assert run.told("3.2.3.pinned", "unit", of="CCV") == [{"unit": "a"}]


# Movement


@pytest.mark.rule("aslsk:1.2.5", "aslsk:3.3.1.mf_table")
def test_smoke_is_named_in_the_cost_of_a_hex_and_in_the_refusal():
    text = "lati: [german, russian]\nfase: MPh\nfumo: {G6: 2}\nunità: {a: ge-467 G7, z: ge-467 A1, x: ru-447 A9}"
    run = Table(text, "u:a", "b:normale", "h:G6")
    assert "1.2.5" in run.cited
    slow = Table(text.replace("ge-467 G7", "ge-9-1 G7 wounded"), "u:a", "b:normale", "h:G8", "h:G7")
    assert "1.2.5" in slow.why_not("h:G6")


# What was not asked


@pytest.mark.rule("aslsk:3.2", "aslsk:3.2.3.broken")
def test_a_side_that_is_asked_nothing_is_told_why_and_nobody_else():
    run = Table(
        "lati: [german, russian]\nfase: PFPh\nunità: {a: ge-467 G7 broken, x: ru-447 M9}",
    )
    lines = [s for s in run.steps if s.ruling.msg.facts.get("unit") == "a"]
    assert {"aslsk:3.2.5", "aslsk:3.2.3.broken"} <= {r for s in lines for r in s.ruling.refs}
    assert {s.hidden_from for s in lines} == {("russian",)}


@pytest.mark.rule("aslsk:3.3.3", "aslsk:3.3.3.sff")
def test_a_defender_who_has_fired_is_told_why_it_does_not_fire_again():
    run = Table(
        "lati: [russian, german]\nfase: MPh\nunità: {a: ru-447 A9, b: ru-447 A1, d: ge-467 I9 first used=fp}",
        "u:a", "b:normale", "h:B9",
    )  # fmt: skip
    lines = [s for s in run.steps if s.ruling.msg.id == "{unit} does not fire at the movers"]
    assert [s.hidden_from for s in lines] == [("russian",)]
    assert {"aslsk:3.3.3", "aslsk:3.3.3.sff"} <= set(lines[0].ruling.refs)


@pytest.mark.rule("aslsk:3.0", "aslsk:3.6")
def test_steps_that_concern_nobody_are_not_told():
    run = Table("lati: [german, russian]\nfase: PFPh\nunità: {a: ge-467 G7, x: ru-447 M9}")
    while run.state.phase != "APh":
        run.play("b:passa")
    begun = [s.ruling for s in run.steps if type(s.event).__name__ == "StepBegan"]
    assert not {"smoke", "oba", "dc", "turn"} & {str(r.msg.facts["step"]) for r in begun}
    rout = [r for r in begun if r.msg.facts["phase"] == "RtPh"]
    assert [r.refs for r in rout] == [("aslsk:3.6", "aslsk:2.0.rph")]


# Texts


def test_no_title_of_a_rule_is_cut_by_an_unquoted_mark():
    folder = Path(__file__).parents[2] / "rules_it" / "aslsk"
    for path in sorted(folder.glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        for line in text.splitlines():
            key, _, value = line.strip().partition(": ")
            if key == "titolo" and value[:1] not in "\"'":
                assert yaml.safe_load(f"t: {value}")["t"] == value, (path.name, line)
