"""Numbers that are made of parts tell them, each under its rule: TH#, TK#, MF, MP, FP, columns."""

# ruff: noqa: E501  positions are written in one line

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.aslsk.table import Table

TANKS = (
    "mappa: ex-carri\ndata: 1943-06\nlati: [german, russian]\nfase: {}\nunità: {{z: ru-447 AA9}}\n"
)


def lines(run: Table, name: str) -> list[tuple[str, str, str]]:
    """The lines of a running total: words, what is done, what it comes to."""
    found = [s for s in run.steps if s.tally is not None and s.tally.name == name]
    return [
        (s.ruling.msg.id, f"{s.tally.operation}{s.tally.value}", str(s.tally.total))
        for s in found
        if s.tally is not None
    ]


@pytest.mark.rule("aslsk:3.2.4.procedure")
@pytest.mark.parametrize(
    ("gun", "told", "total"),
    [
        ("ge-ivh", [("long barrel", "+1", "9")], 9),
        ("ge-psw222", [("long barrel", "+1", "9"), ("calibre of 57 mm or less", "+-1", "8"), ("calibre of 40 mm or less", "+-1", "7")], 7),
    ],
)  # fmt: skip
def test_a_to_hit_number_tells_barrel_and_calibre(gun, told, total):
    text = TANKS.format("PFPh") + f"veicoli: {{t: {gun} J5 vca=1 tca=1 CE, k: ru-kv1e Z5}}"
    run = Table(text, "u:t:ma", "h:Z5", "b:VTT-k-AP", dice=[(6, 6)])
    assert lines(run, "TH#") == [("TH# {number} at range {range}", "=8", "8"), *told]
    assert run.tally("TH#") == [total]


@pytest.mark.rule("aslsk:7.9")
def test_a_to_kill_number_tells_what_the_range_makes_of_it():
    text = TANKS.format("PFPh") + "veicoli: {t: ge-ivh J5 vca=0 tca=0 CE, k: ru-kv1e J4}"
    run = Table(text, "u:t:ma", "h:J4", "b:VTT-k-AP", dice=[(1, 2), (6, 6)])
    assert [words for words, _, _ in lines(run, "TK#")][:2] == [
        "TK# of {ammo}",
        "{ammo} at range {range}",
    ]


@pytest.mark.rule("aslsk:1.1.1.woods", "aslsk:1.2.5", "aslsk:2.0.cot")
def test_the_mf_of_a_hex_are_told_part_by_part():
    run = Table(
        "mappa: ex-bosco\nlati: [american, german]\nfase: MPh\nfumo: {D6: 2}\nunità: {a: us-666 D5, x: ge-467 A9}",
        "u:a", "b:normale", "h:D6",
    )  # fmt: skip
    told = lines(run, "MF cost")
    assert told[-1] == ("Smoke", "+1", told[-1][2])
    assert run.told("3.3.1", "n", "total", of="MoverSet")[0]["n"] == Fraction(told[-1][2])


@pytest.mark.rule("aslsk:3.6.low_crawl", "aslsk:3.6.mf")
def test_a_rout_tells_the_terrain_it_pays_for():
    text = "mappa: ex-bosco\nlati: [american, german]\nfase: RtPh\nunità: {a: us-666 D4 broken DM, x: ge-467 D5}"
    for answer in (one for one in Table(text, "u:a").options if one != "b:fermo"):
        run = Table(text, "u:a", answer, dice=[(1, 1)])
        words, _, total = lines(run, "MF cost")[-1]
        if answer.startswith("b:striscia"):
            assert (words, total) == ("Low Crawl: all its MF", "6")
        else:
            assert run.told("3.6.mf", "n", "total", of="RouterSet")[0]["n"] == Fraction(total)


@pytest.mark.rule("aslsk:3.3.2", "aslsk:casa.41", "aslsk:3.3.2.start_stop")
def test_the_mp_of_a_hex_are_told_part_by_part():
    text = TANKS.format("MPh") + "veicoli: {t: ge-ivh J5 vca=0 tca=0 CE, k: ru-kv1e AA1}"
    run = Table(text, "u:t", "b:avvia", "b:lento-J4", "n:3")
    told = lines(run, "MP cost")
    assert told[-1] == ("more MP than needed", "+3", told[-1][2])
    spent = run.told("3.3.2", "n", "total", of="MoverSet")
    assert [one["n"] for one in spent] == [1, Fraction(told[-1][2])]


@pytest.mark.rule("aslsk:3.2.2.fg")
def test_a_fire_group_names_its_members():
    run = Table(
        "lati: [german, russian]\nfase: PFPh\nunità: {a: ge-467 G7, b: ge-467 G7, x: ru-447 G5}",
        "u:a", "h:G5", "u:b", dice=[(6, 5)],
    )  # fmt: skip
    assert run.told("3.2.2.fg", "n", "units") == [{"n": 2, "units": ("a", "b")}]


@pytest.mark.rule("aslsk:casa.63", "aslsk:2.0.casualty_reduction")
def test_a_reduced_squad_costs_one_casualty_point_by_our_ruling():
    run = Table(
        "lati: [german, russian]\nfase: PFPh\nunità: {a: ge-548 G6, b: ge-548 G6, x: ru-447 G5}",
        "u:a", "h:G5", "u:b", dice=[(1, 3), (1, 1)],
    )  # fmt: skip
    assert run.told("casa.63", "side", "points", of="PointsLost") == [
        {"side": "russian", "points": 1}
    ]


@pytest.mark.rule("aslsk:4.0.portage", "aslsk:2.0.ipc")
def test_a_load_tells_what_is_carried_and_what_is_free():
    run = Table(
        "lati: [german, russian]\nfase: MPh\nunità: {a: ge-467 G7, x: ru-447 A1}\narmi: {m: ge-hmg a}",
        "u:a", "b:normale",
    )  # fmt: skip
    (told,) = run.told("4.0.portage", "n", "carried", "free", of="MF")
    assert told["n"] == told["carried"] - told["free"]
    assert told["free"] == 3
