"""Where a special action, a hiding place or a seat aboard ends: one limit at a time."""

from __future__ import annotations

import pytest

from engine.toi.rules.concealed import why_not_conceal
from engine.toi.rules.specialists import why_not_special
from engine.toi.rules.stacking import why_not_stay
from engine.toi.rules.transport import why_no_room
from engine.toi.state import tables
from tests.toi.table import Table


def refs(against) -> set[str]:
    return {ref for ruling in against for ref in ruling.refs}


@pytest.mark.rule("toi:specializzazioni.scenario", "toi:fumo.piazzamento")
def test_smoke_is_refused_only_where_no_hex_around_takes_it():
    def smoke(**more):
        table = Table(us={"us-1": "C5 4reg engineer"}, operazioni={"us": ["op-04"]}, **more)
        return why_not_special(table.state, table.unit("us-1"), "make_smoke")

    around = ["C5", "D5", "C4", "B5", "B4", "B6", "C6", "D4", "D6"]
    assert refs(smoke()) == set()
    assert refs(smoke(segnalini={"smoke": ["C5"]})) == set()
    town = dict.fromkeys(around, "building")
    assert refs(smoke(terreno=town)) == {"toi:fumo.piazzamento"}
    assert refs(smoke(terreno={"C5": "building"})) == set()


@pytest.mark.rule("toi:limiti.componenti", "toi:fumo.piazzamento")
def test_smoke_is_refused_when_the_box_has_no_marker_left():
    stock = tables.COMPONENTS.stocks["smoke"]
    used = [f"{column}12" for column in "ABCDEFGHIJKLMNOP"]
    for n, against in ((stock - 1, set()), (stock, {"toi:limiti.componenti"})):
        table = Table(us={"us-1": "C5 4reg engineer"}, segnalini={"smoke": used[:n]})
        found = refs(why_not_special(table.state, table.unit("us-1"), "make_smoke"))
        assert against <= found
        assert bool(found) is bool(against)


@pytest.mark.rule("toi:nascoste.rivela-visuale", "toi:nascoste.rivela-obiettivo")
@pytest.mark.parametrize(
    ("position", "against"),
    [
        ({}, "toi:nascoste.rivela-visuale"),
        ({"terreno": {"C5": "woods"}}, ""),
        ({"terreno": {"D5": "woods"}}, ""),
        (
            {"terreno": {"C5": "woods"}, "obiettivi": {"C5": "us 1"}},
            "toi:nascoste.rivela-obiettivo",
        ),
        ({"segnalini": {"smoke": ["C5"]}}, ""),
        ({"segnalini": {"trench": ["C5"]}}, "toi:nascoste.rivela-visuale"),
    ],
)
def test_a_squad_hides_unless_it_is_seen_without_cover_or_on_an_objective(position, against):
    table = Table(idle=False, us={"us-1": "C5 4reg"}, de={"de-1": "F5 4reg"}, **position)
    found = refs(why_not_conceal(table.state, table.unit("us-1")))
    assert against in found if against else found == set()


@pytest.mark.rule("toi:nascoste.preparazione", "toi:limiti.componenti")
def test_a_squad_that_hides_already_and_a_fifth_one_do_not_hide():
    us = {f"us-{n}": f"C{n} 4reg concealed" for n in range(1, 5)} | {"us-5": "A1 4reg"}
    table = Table(idle=False, us=us, de={"de-1": "P12 4reg"}, terreno={"A1": "woods"})
    assert "toi:nascoste.preparazione" in refs(why_not_conceal(table.state, table.unit("us-1")))
    assert "toi:limiti.componenti" in refs(why_not_conceal(table.state, table.unit("us-5")))


@pytest.mark.rule("toi:trasporto.capacita")
def test_only_squads_ride_and_only_while_there_is_room():
    table = Table(
        us={
            "us-gmc-1": "C5 gmc",
            "us-gmc-2": "C6 gmc",
            "us-1": "su:us-gmc-1 4reg",
            "us-2": "D5 4reg",
            "us-m3-1": "E5 m3",
            "us-3": "su:us-m3-1 4reg",
        }
    )
    truck, half_track = table.unit("us-gmc-1"), table.unit("us-m3-1")
    assert refs(why_no_room(table.state, table.unit("us-gmc-2"), truck)) == {
        "toi:trasporto.capacita"
    }
    assert refs(why_no_room(table.state, table.unit("us-2"), truck)) == set()
    full = refs(why_no_room(table.state, table.unit("us-2"), half_track))
    assert {"toi:trasporto.capacita", "toi:casa.02"} <= full


@pytest.mark.rule("toi:vittoria.pareggio-pv", "toi:vittoria.condizioni")
@pytest.mark.parametrize(
    ("points", "ref"), [(3, "toi:vittoria.pareggio-pv"), (4, "toi:vittoria.condizioni")]
)
def test_the_end_of_a_game_names_the_rule_that_decides_it(points, ref):
    table = Table(
        idle=False,
        us={"us-1": "C5 4reg"},
        de={"de-1": "P1 4reg"},
        scenario="toi-s2",
        fase="status",
        passo="arrivals",
        round=8,
        rounds=8,
        pv={"us": points, "de": 3},
    )
    assert table.game.position.outcome.ruling.refs == (ref,)
    ended = [step for step in table.game.steps if type(step.event).__name__ == "GameEnded"]
    assert [step.ruling.refs for step in ended] == [(ref,)]


@pytest.mark.rule("toi:accentramento.limite")
def test_a_third_vehicle_does_not_stay():
    table = Table(
        us={"us-m4-1": "C5 m4", "us-m4-2": "D5 m4", "us-m4-3": "D5 m4", "us-1": "E1 4reg"},
        terreno=dict.fromkeys(("E5", "D4", "D6", "E4", "E6"), "building"),
    ).play("u:us-m4-1", "b:avanzata")
    assert refs(why_not_stay(table.state, table.unit("us-m4-1"), "D5")) == {
        "toi:accentramento.limite"
    }
    assert not refs(why_not_stay(table.state, table.unit("us-1"), "D5"))


@pytest.mark.rule("toi:limiti.componenti", "toi:ostacoli.filo-massimo")
@pytest.mark.parametrize(("wire", "traps", "is_out"), [(7, 7, True), (7, 6, False), (0, 14, True)])
def test_wire_and_tank_traps_are_sides_of_the_same_markers(wire, traps, is_out):
    row = [f"{column}{n}" for n in (11, 12) for column in "ABCDEFGHIJKLMNOP"]
    table = Table(
        us={"us-1": "C5 4reg engineer"},
        segnalini={"razor wire": row[:wire], "tank trap": row[wire : wire + traps]},
    )
    against = refs(why_not_special(table.state, table.unit("us-1"), "lay_wire"))
    assert ("toi:limiti.componenti" in against) is is_out
