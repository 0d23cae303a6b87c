"""What terrain gives and forbids: fortifications, arrivals, sight (chapters 1 and 3)."""

from __future__ import annotations

import pytest

from engine.warfare.rules.fortifications import terrain_shift
from engine.warfare.rules.movement import why_not_land
from engine.warfare.rules.setup import why_not_arrive
from engine.warfare.rules.suppression import why_not_suppress_target
from engine.warfare.state.setting import field_of
from tests.positions import locators
from tests.warfare.table import FAR, Table, u


@pytest.mark.rule(
    "warfare:fortificazioni.modificatore", "warfare:arbitrato.fortificazione_supporti"
)
@pytest.mark.parametrize(
    ("origin", "is_protected"),
    [("C7", True), ("A7", True), ("E7", False), ("D7", False), ("", False)],
)
def test_a_fortification_protects_from_fire_that_crosses_its_triangles(origin, is_protected):
    field = field_of(Table(unita={"b1": u("usmc_squad", "A1"), "v1": FAR}).state)
    assert (terrain_shift(field, "D7", origin) != 0) is is_protected


@pytest.mark.rule("warfare:stacking.limite", "warfare:terreno.acqua")
@pytest.mark.parametrize(("hex", "is_free"), [("A2", True), ("A1", False), ("H8", False)])
def test_reinforcements_arrive_where_their_unit_could_go(hex, is_free):
    state = Table(unita={"b1": u("usmc_squad", "A1"), "b2": u("us_abrams", "A3"), "v1": FAR}).state
    assert (locators(why_not_arrive(state, state.units["b2"], hex)) == set()) is is_free


@pytest.mark.rule("warfare:soppressione.los")
@pytest.mark.parametrize(("hex", "is_seen"), [("E1", True), ("K2", False)])
def test_who_is_out_of_sight_is_not_suppressed(hex, is_seen):
    state = Table(unita={"b1": u("usmc_squad", "F2"), "v1": u("ins_cellula", hex)}).state
    against = why_not_suppress_target(state, state.units["b1"], state.units["v1"])
    assert ("soppressione.los" in locators(against)) is not is_seen


@pytest.mark.rule("warfare:aviotrasporto.abilita")
@pytest.mark.parametrize(
    ("hex", "is_free"),
    [("A2", True), ("H8", False), ("A1", False), ("B3", False), ("B4", False), ("B5", True)],
)
def test_where_a_unit_may_be_dropped(hex, is_free):
    ours = {"tipo": "ignoto_blocco", "esagono": "B4", "di": "blu"}
    theirs = {"tipo": "ignoto_blocco", "esagono": "B5", "di": "verde"}
    units = {"b1": u("usmc_squad", "A1"), "b2": u("usmc_squad", "A3"), "v1": FAR}
    state = Table(unita=units, nascosti={"i1": ours, "i2": theirs}, blocchi=("B3",)).state
    assert (locators(why_not_land(state, state.units["b2"], hex)) == set()) is is_free
