"""Lines of sight: five golden rules, blockers at the same level, population."""

from __future__ import annotations

import pytest

from engine.warfare import TITLE
from engine.warfare.state.setting import field_of
from tests.warfare.table import FAR, Table, u


def seen(units, a, b, **given):
    """Whether the line is clear, and by which rules."""
    game = Table(unita=units, **given)
    state = game.position.draft
    hexes = field_of(state).hex
    found = TITLE.sight(state, hexes[a], hexes[b])
    assert found is not None
    return found.clear, {ref.partition(":")[2] for r in found.rulings for ref in r.refs}


ALONE = {"b1": u("usmc_squad", "A1"), "v1": FAR}


@pytest.mark.rule("warfare:los.regola1")
def test_adjacent_hexes_always_see_each_other():
    assert seen(ALONE, "I3", "I2") == (True, {"los.regola1"})
    assert seen(ALONE, "D4", "E4") == (True, {"los.regola1"})


@pytest.mark.rule("warfare:los.regola2", "warfare:los.tocco")
def test_what_is_higher_than_both_blocks():
    clear, refs = seen(ALONE, "D4", "F4")
    assert not clear
    assert {"los.regola2", "los.tocco"} <= refs


@pytest.mark.rule("warfare:los.tocco")
def test_touching_a_hex_at_its_side_is_enough():
    clear, refs = seen(ALONE, "E3", "F4")
    assert not clear, "the line runs along a side of E4"
    assert "los.tocco" in refs


@pytest.mark.rule("warfare:los.regola3")
def test_what_is_higher_than_one_and_as_high_as_the_other_blocks():
    clear, refs = seen(ALONE, "I4", "I2")
    assert not clear, "I3 is cover, I2 too, I4 is open"
    assert "los.regola3" in refs


@pytest.mark.rule("warfare:los.regola4", "warfare:los.reciproca")
def test_what_is_not_higher_than_either_does_not_block():
    clear, refs = seen(ALONE, "A5", "D5")
    assert clear
    assert {"los.regola4", "los.reciproca"} <= refs
    assert seen(ALONE, "D5", "A5")[0]


@pytest.mark.rule("warfare:los.regola5", "warfare:los.tabella")
def test_what_stands_between_the_two_heights_does_not_block():
    units = {"b1": u("usmc_squad", "A1"), "v1": FAR}
    clear, refs = seen(units, "J5", "I1")
    assert clear, "high ground sees over the cover in I3 and I2"
    assert "los.regola5" in refs


@pytest.mark.rule("warfare:los.stesso_livello", "warfare:los.copertura")
def test_cover_between_two_covers_blocks():
    assert seen(ALONE, "I2", "I3")[0], "adjacent"
    assert seen(ALONE, "E4", "I3")[0], "nothing but open ground between"
    clear, refs = seen(ALONE, "C2", "J2")
    assert not clear, "I2 lies between"
    assert {"los.copertura", "los.stesso_livello"} <= refs


@pytest.mark.rule("warfare:fortificazioni.los")
def test_a_fortification_counts_as_cover_for_sight():
    clear, refs = seen(ALONE, "C7", "E7")
    assert not clear
    assert "los.regola2" in refs
    units = {"b1": u("us_rifle", "C2"), "v1": FAR}
    state = Table(unita=units, scenario="s4").position.draft
    hexes = field_of(state).hex
    found = TITLE.sight(state, hexes["E4"], hexes["G4"])
    assert found is not None
    assert not found.clear
    assert any("warfare:fortificazioni.los" in r.refs for r in found.rulings)


@pytest.mark.rule("warfare:los.unita", "warfare:los.stesso_livello")
def test_ground_units_of_anybody_block_at_their_level_and_helicopters_do_not():
    clear, refs = seen({"b1": u("usmc_squad", "B5"), "v1": FAR}, "A5", "D5")
    assert not clear
    assert "los.unita" in refs
    clear, _ = seen({"b1": u("ita_mangusta", "B5"), "v1": FAR}, "A5", "D5")
    assert clear


@pytest.mark.rule("warfare:los.stesso_livello", "warfare:arbitrato.stesso_livello")
def test_a_unit_below_does_not_block():
    clear, _ = seen({"b1": u("usmc_squad", "I4"), "v1": FAR}, "I3", "J5")
    assert clear


@pytest.mark.rule("warfare:los.blocchi_macerie")
def test_roadblocks_and_rubble_block():
    clear, refs = seen(ALONE, "A5", "D5", blocchi=["B5"])
    assert not clear
    assert "los.blocchi_macerie" in refs
    assert not seen(ALONE, "A5", "D5", macerie=["C5"])[0]


@pytest.mark.rule("warfare:ignoti.los")
def test_an_unknown_marker_blocks_nothing_even_if_it_is_a_roadblock():
    hidden = {"i1": {"tipo": "ignoto_blocco", "esagono": "B5", "di": "verde"}}
    assert seen(ALONE, "A5", "D5", nascosti=hidden)[0]


@pytest.mark.rule("warfare:los.fumo", "warfare:fumogeni.effetto")
def test_smoke_blocks_at_any_level():
    clear, refs = seen(ALONE, "J5", "G5", fumo=["H5"])
    assert not clear
    assert {"los.fumo", "fumogeni.effetto"} <= refs


@pytest.mark.rule(
    "warfare:los.popolazione", "warfare:los.reciproca", "warfare:arbitrato.los_popolazione"
)
def test_population_blocks_regulars_and_not_irregulars():
    units = {"b1": u("usmc_squad", "A5"), "v1": u("ins_cellula", "D5")}
    people = {"p1": {"esagono": "B5"}}
    clear, refs = seen(units, "A5", "D5", popolazione=people)
    assert not clear
    assert "los.popolazione" in refs
    assert seen(units, "D5", "A5", popolazione=people)[0]


@pytest.mark.rule("warfare:fumogeni.effetto", "warfare:arbitrato.fumo_adiacente")
def test_nobody_fires_into_or_out_of_smoke_but_assault_is_allowed():
    game = Table(unita={"b1": u("usmc_squad", "C5"), "v1": u("ins_cellula", "D5")}, fumo=["D5"])
    game.play("u:b1")
    assert "arbitrato.fumo_adiacente" in game.why_not("b:fuoco")
    assert "b:assalta" in game.options
