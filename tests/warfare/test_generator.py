"""Random scenarios: a seed fixes everything, and whatever comes out is legal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from engine.warfare import TITLE
from engine.warfare.rules.setup import first_state
from engine.warfare.state import generator
from engine.warfare.state.generator import DATA, FIRST, SECOND
from engine.warfare.state.tables import ENGINEERS, RECON, ROSTER, SUPPORTS

ROOT = Path(__file__).parents[2]
SEEDS = range(1, 81)
CACHES = (generator.plan, generator.scenario, generator.field, generator._field)


def pairs():
    """Every seed with each mission that its forces can play."""
    for seed in SEEDS:
        for mission in range(1, generator.CHOICE):
            if generator.fits(seed, mission):
                yield seed, mission, generator.scenario(generator.name_of(seed, mission))


def written(seed, mission):
    """A scenario and its map as text, built afresh."""
    for cached in CACHES:
        cached.cache_clear()
    name = generator.name_of(seed, mission)
    made = msgspec.json.encode(generator.scenario(name)).decode()
    return made + str(generator.field(name).terrain)


@pytest.mark.rule("warfare:scenari.casuali")
def test_a_seed_builds_the_same_scenario_again_from_nothing():
    for seed in (1, 7, 29, 153050):
        assert written(seed, 5) == written(seed, 5)
    assert len({written(seed, 5) for seed in range(1, 30)}) == 29


@pytest.mark.rule("warfare:scenari.casuali")
def test_a_seed_builds_the_same_scenario_in_another_process():
    code = "from tests.warfare.test_generator import written\nprint(written(7, 4) + written(29, 5))"
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "17"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == written(7, 4) + written(29, 5)


def placed(force):
    """Where units of a force stand."""
    return [hex for hexes in force.units.values() for hex in hexes]


def bought(force):
    """Every unit of a force, those kept back included."""
    units = [kind for kind, hexes in force.units.items() for _ in hexes]
    return units + [kind for kind, count in force.reserve.items() for _ in range(count)]


@pytest.mark.rule("warfare:scenari.casuali")
def test_units_stand_in_their_own_rows_on_land_and_apart():
    for seed, mission, scenario in pairs():
        field = generator.field(scenario.map)
        front = generator.attacker(generator.plan(seed), mission)
        attackers = placed(scenario.forces[front])
        defenders = placed(scenario.forces[SECOND if front == FIRST else FIRST])
        everybody = attackers + defenders
        assert len(set(everybody)) == len(everybody), (seed, mission)
        assert all(field.terrain[hex] != "water" for hex in everybody), (seed, mission)
        assert all(field.row(hex) >= 9 for hex in attackers), (seed, mission)
        assert all(field.row(hex) <= 5 for hex in defenders), (seed, mission)
        assert min(field.distance(a, d) for a in attackers for d in defenders) >= 3
        assert scenario.first == front


@pytest.mark.rule("warfare:scenari.casuali")
def test_markers_lie_in_the_middle_on_land_without_units():
    for seed, mission, scenario in pairs():
        made, field = generator.plan(seed), generator.field(scenario.map)
        units = {hex for force in scenario.forces.values() for hex in placed(force)}
        hostages = scenario.civilians[:2] if mission == 2 else ()
        people = [*scenario.crowds, *scenario.civilians[len(hostages) :]]
        hidden = [hex for hexes in scenario.hidden.values() for hex in hexes]
        for hex in people + hidden:
            assert field.terrain[hex] != "water", (seed, mission)
            assert 2 <= field.row(hex) <= 7, (seed, mission)
            assert hex not in units, (seed, mission)
        assert len(set(people + hidden)) == len(people + hidden), (seed, mission)
        count = DATA.unknown[made.unknown_roll - 1]
        assert len(hidden) == count
        assert len(scenario.hidden.get("dummy", ())) == count // 2
        wanted = DATA.population[made.population_roll - 1]
        if made.forces.against != "INS":
            wanted = 0
        elif mission == 1:
            wanted = max(wanted, 4)
        assert len(people) == wanted, (seed, mission)


@pytest.mark.rule("warfare:scenari.casuali", "warfare:ostaggi.scudo")
def test_every_hostage_stands_with_a_defender_in_the_first_four_rows():
    found = 0
    for seed, mission, scenario in pairs():
        if mission != 2:
            continue
        field = generator.field(scenario.map)
        for hex in scenario.civilians[:2]:
            assert hex in placed(scenario.forces[SECOND]), seed
            assert field.row(hex) <= 4, seed
            found += 1
    assert found > 20


@pytest.mark.rule("warfare:scenari.casuali", "warfare:setup.supporti")
def test_supports_turns_and_boxes_come_from_their_tables():
    for seed, mission, scenario in pairs():
        made = generator.plan(seed)
        front = generator.attacker(made, mission)
        boxes = DATA.advantage[made.advantage_roll - 1]
        assert scenario.turns == DATA.turns[made.turns_roll - 1]
        for side, force in scenario.forces.items():
            assert force.box == boxes[side != front]
            assert len(force.supports) <= DATA.supports[made.supports_roll - 1]
            turns = list(force.supports.values())
            arrivals = [1, 2, 3] if made.supports_roll == 8 else [2, 3, 3]
            assert turns == arrivals[: len(turns)], (seed, side)
            faces = [SUPPORTS[s].other_face for s in force.supports]
            assert not set(faces) & set(force.supports), "the two faces are one marker"


@pytest.mark.rule("warfare:scenari.casuali")
def test_the_attacker_has_what_its_mission_needs():
    for seed, mission, scenario in pairs():
        made = generator.plan(seed)
        units = [ROSTER[k] for k in bought(scenario.forces[generator.attacker(made, mission)])]
        kinds = [unit.kind for unit in units]
        if mission == 6:
            assert kinds.count("vehicle") >= 2, seed
            assert 1 <= scenario.victory.wins <= kinds.count("vehicle")
        if mission == 7:
            assert "helicopter" in kinds, seed
            assert kinds.count("infantry") >= scenario.victory.wins == 2
        if scenario.hidden:
            assert any(ENGINEERS in unit.icons or RECON in unit.icons for unit in units), seed


@pytest.mark.rule("warfare:scenari.casuali")
def test_objectives_are_on_land_that_can_be_walked_to():
    for seed, mission, scenario in pairs():
        field, victory = generator.field(scenario.map), scenario.victory
        goals = [*victory.objectives, *victory.area[:1]]
        start = placed(scenario.forces[generator.attacker(generator.plan(seed), mission)])[0]
        seen, waiting = {start}, [start]
        for hex in waiting:
            for near in field.around[hex]:
                if near not in seen and field.terrain[near] != "water":
                    seen.add(near)
                    waiting.append(near)
        assert set(goals) <= seen, (seed, mission)
        if mission == 7:
            assert all(field.terrain[hex] == "open" for hex in victory.objectives), seed
        if mission == 5:
            assert [field.row(hex) for hex in victory.objectives] == [3, 5, 7], seed
        if mission == 4:
            assert all(field.row(hex) in (4, 5) for hex in victory.objectives), seed


@pytest.mark.rule("warfare:scenari.casuali", "warfare:arbitrato.aviotrasporto_riserva")
def test_airborne_units_and_no_others_are_kept_for_a_drop():
    kept = 0
    for _seed, _mission, scenario in pairs():
        for force in scenario.forces.values():
            assert all("airborne" in ROSTER[kind].abilities for kind in force.reserve)
            assert not any("airborne" in ROSTER[kind].abilities for kind in force.units)
            kept += len(force.reserve)
    assert kept


@pytest.mark.rule("warfare:scenari.casuali")
def test_a_generated_table_has_no_fault():
    for _seed, _mission, scenario in pairs():
        assert list(TITLE.invariants(first_state(scenario.id, {}))) == []


@pytest.mark.rule("warfare:setup.cubetti", "warfare:arbitrato.inizio_pari")
def test_the_highest_box_begins_and_in_the_same_box_the_attacker():
    behind, even = 0, 0
    for seed, mission, made in pairs():
        state = first_state(made.id, {})
        boxes = {side: cube.box for side, cube in state.cubes.items()}
        assert boxes[state.active] == max(boxes.values())
        attacker = generator.attacker(generator.plan(seed), mission)
        if len(set(boxes.values())) == 1:
            assert state.active == attacker
            even += 1
        behind += state.active != attacker
        wrong = msgspec.structs.replace(state, active=FIRST if state.active != FIRST else SECOND)
        faults = [f for f in TITLE.invariants(wrong) if "highest box" in f]
        assert bool(faults) == (boxes[wrong.active] < max(boxes.values()))
    assert behind > 20
    assert even > 20


@pytest.mark.rule("warfare:scenari.casuali")
def test_missions_against_irregulars_are_not_played_without_them():
    refused = [s for s in SEEDS if generator.plan(s).forces.against != "INS"]
    assert refused
    for seed in refused:
        assert not generator.fits(seed, 1)
        assert not generator.fits(seed, 2)
        assert generator.plan(seed).mission not in (1, 2)
