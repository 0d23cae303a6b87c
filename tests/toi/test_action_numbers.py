"""Numbers and conditions of single actions: getting off, hiding, firing, clearing, scoring."""

from __future__ import annotations

import msgspec
import pytest

from engine.toi.rules.concealed import why_not_conceal
from engine.toi.rules.targets import why_not_attack
from engine.toi.rules.transport import why_not_dismount
from engine.toi.state.state import POINT
from tests.positions import locators
from tests.toi.table import Table
from tests.toi.test_command_phase import phase
from tests.toi.test_specialists import act

replace = msgspec.structs.replace


@pytest.mark.rule("toi:trasporto.scendere")
@pytest.mark.parametrize(
    ("points", "card", "against"),
    [
        (2, "", set()),
        (1, "", {"trasporto.scendere"}),
        (0, "", {"trasporto.scendere"}),
        (0, "motor_column", set()),
    ],
)
def test_getting_off_costs_two_points_but_not_in_a_motor_column(points, card, against):
    table = Table(us={"us-1": "su:us-gmc-1 4reg", "us-gmc-1": "C5 gmc"})
    table.play("u:us-1", "b:avanzata")
    active = table.state.active
    found = why_not_dismount(
        table.state, table.unit("us-1"), replace(active, mp=points * POINT, card=card)
    )
    assert locators(found) == against


@pytest.mark.rule("toi:trasporto.a-bordo", "toi:nascoste.no-veicoli")
@pytest.mark.parametrize(
    ("name", "against"),
    [("us-1", "trasporto.a-bordo"), ("us-gmc-1", "nascoste.no-veicoli"), ("us-2", "")],
)
def test_neither_passengers_nor_vehicles_hide(name, against):
    table = Table(
        us={"us-1": "su:us-gmc-1 4reg", "us-gmc-1": "C5 gmc", "us-2": "E5 4reg"},
        terreno={"E5": "woods"},
    )
    found = locators(why_not_conceal(table.state, table.unit(name)))
    assert against in found if against else found == set()


@pytest.mark.rule("toi:casa.37", "toi:miniature.camion.trasporto")
@pytest.mark.parametrize(("kind", "is_armed"), [("gmc", False), ("m3", True), ("m4", True)])
def test_trucks_have_no_weapons(kind, is_armed):
    table = Table(us={"us-1": f"C5 {kind}"})
    found = locators(why_not_attack(table.state, table.unit("us-1"), "concentrato"))
    assert ("casa.37" in found) is not is_armed


@pytest.mark.rule("toi:specializzazioni.scenario")
def test_engineers_between_two_minefields_choose_one():
    table = act(ops=["op-05"], segnalini={"minefield": ["D5", "C4"]}).play("b:bonifica")
    assert table.options == {"h:D5", "h:C4"}
    table.play("h:C4")
    assert table.state.obstacles == {"D5": ("minefield",)}


@pytest.mark.rule("toi:comando.punti-vittoria", "toi:componenti.colonna", "toi:casa.51")
@pytest.mark.parametrize(("before", "is_over"), [(17, False), (18, True)])
def test_the_column_of_points_ends_at_twenty(before, is_over):
    table = phase(
        pv={"us": before},
        obiettivi={"E5": "victory 3"},
        controllo={"E5": "us"},
        scenario="toi-s2",
    )
    assert table.state.armies["us"].points == before + 3
    assert ("casa.51" in table.cited) is is_over
