"""The terrain effects chart (tec): who enters what, and what terrain does for the defence."""

from __future__ import annotations

import pytest

from engine.ddob.rules.terrain import factors, why_not_across, why_not_enter
from tests.ddob.table import state_of
from tests.positions import locators


def entering(unit, at, to, **given):
    found = state_of(us={unit: at}, tedeschi={}, **given)
    return locators(why_not_enter(found, found.units[unit], to))


@pytest.mark.rule("ddob:tec.scogliera-picco", "ddob:tec.scogliera-scalabile", "ddob:7.5")
@pytest.mark.parametrize(
    ("unit", "at", "refs"),
    [
        ("A/1/16", "0607", set()),  # a scaleable cliff
        ("A/1/16", "0606", {"tec.scogliera-picco"}),  # a sheer one
        ("HQ16", "0607", {"tec.scogliera-scalabile", "7.5"}),
        ("HQ16", "0606", {"tec.scogliera-picco"}),
        ("1/B/741", "0607", {"tec.scogliera-scalabile"}),
        ("1/B/741", "0606", {"tec.scogliera-picco"}),
    ],
)
def test_infantry_alone_climbs_cliffs_and_nobody_sheer_ones(unit, at, refs):
    assert entering(unit, at, "0707") == refs


@pytest.mark.rule("ddob:ef.area")
def test_nobody_leaves_the_part_of_the_map_in_play():
    assert entering("A/1/16", "0719", "0720", scenario="easy-fox", turno=8) == {"ef.area"}
    assert entering("A/1/16", "0719", "0720", turno=8) == set()


@pytest.mark.rule("ddob:tec.ciottoli", "ddob:7.3", "ddob:casa.43", "ddob:casa.74")
def test_shingle_and_barriers_stop_vehicles_even_on_a_road():
    stopped = {"tec.ciottoli", "7.3", "casa.43"}
    assert entering("1/B/741", "0714", "0813", turno=8) == stopped
    assert entering("1/B/741", "0530", "0630", turno=8) == {*stopped, "casa.74"}
    assert entering("A/1/16", "0530", "0630", turno=8) == set()


@pytest.mark.rule("ddob:tec.pendio", "ddob:tec.duna", "ddob:tec.siepe-argine", "ddob:19.34")
def test_slopes_bluffs_and_walls_let_vehicles_pass_by_road_only():
    assert entering("1/B/741", "0813", "0913", turno=8) == {"tec.pendio", "tec.strada"}
    assert entering("1/B/741", "0818", "0918", turno=8) == {"tec.duna", "tec.strada"}
    assert entering("1/B/741", "0429", "0529", turno=8) == {"tec.siepe-argine", "19.34"}
    assert entering("A/1/16", "0813", "0913", turno=8) == set()


def defending(target, kind, *origins):
    german = {"specie": kind, "unita": "1/2/352PzJ"} if kind == "armor" else kind
    found = state_of(us={}, tedeschi={target: german}, scenario="d-day", turno=20)
    unit, depth, told = factors(found, target, list(origins))
    return unit, depth, locators(told)


@pytest.mark.rule("ddob:tec.ciottoli", "ddob:8.31", "ddob:casa.69", "ddob:tec.edifici")
@pytest.mark.parametrize(
    ("target", "origins", "unit", "depth", "refs"),
    [
        ("0812", ("0713",), 2, 1, {"tec.ciottoli", "8.31", "casa.69"}),
        ("0812", ("0813",), 1, 1, set()),
        ("0812", ("0713", "0813"), 1, 1, set()),  # one of them crosses an open side
        ("0912", ("0812",), 2, 2, {"tec.pendio", "8.31", "casa.69"}),
        ("0912", (), 1, 1, set()),  # nobody adjacent
        ("1310", ("1409",), 2, 2, {"tec.edifici", "tec"}),
        ("0807", (), 2, 1, {"tec.bosco", "tec"}),
    ],
)
def test_what_terrain_multiplies(target, origins, unit, depth, refs):
    kind = "wn" if int(target[:2]) < 10 else "T"
    assert defending(target, kind, *origins) == (unit, depth, refs)


@pytest.mark.rule("ddob:23.6")
def test_terrain_does_nothing_for_german_tanks():
    assert defending("1321", "armor", "1320") == (1, 1, {"23.6"})
    assert defending("1321", "T", "1320")[:2] == (2, 2)


@pytest.mark.rule("ddob:8.15", "ddob:tec.duna", "ddob:casa.21")
def test_no_attack_crosses_a_cliff_or_goes_up_a_bluff():
    for origin, target, refs in (
        ("0607", "0707", {"8.15", "tec.scogliera-scalabile"}),
        ("0707", "0607", {"8.15", "tec.scogliera-scalabile"}),
        ("0606", "0707", {"8.15", "tec.scogliera-picco"}),
        ("0815", "0916", {"8.15", "tec.duna", "casa.21"}),
        ("0916", "0815", set()),
        ("0813", "0913", set()),
    ):
        assert locators(why_not_across(origin, target)) == refs, (origin, target)
