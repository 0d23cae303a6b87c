"""The way off the map of a recalled vehicle, against a plain search from where it stands."""

from __future__ import annotations

from heapq import heappop, heappush

import msgspec
import pytest

from engine.aslsk.rules.vehicles import entry_cost, front, turn_cost, way_out
from engine.aslsk.state.ground import BUILDINGS
from engine.aslsk.state.state import MAP, Crew, Smoke, State, TurnMarks, Vehicle
from tests.aslsk.table import Table

replace = msgspec.structs.replace
EMPTY = "lati: [german, russian]\nfase: MPh\nmappa: mC\nunità: {x: ru-447 Q9, y: ge-467 A9}"


def position(*vehicles: Vehicle, smoke: tuple[str, ...] = ()) -> State:
    """Some vehicles and some smoke on a map."""
    state = Table(EMPTY).state
    clouds = {hex: Smoke(3, "full", "german") for hex in smoke}
    return replace(state, vehicles={v.id: v for v in vehicles}, smoke=clouds)


def moves(state: State, v: Vehicle) -> list[tuple[str, Vehicle, int]]:
    """Every step of a vehicle: its name, the vehicle after it, the price."""
    price = turn_cost(state, v)
    found = [
        ("right", replace(v, vca=(v.vca + 1) % 6), price),
        ("left", replace(v, vca=(v.vca - 1) % 6), price),
    ]
    for hex in front(state, v):
        is_exit = hex in state.ground.off["west"]
        is_closed = state.ground.kind(hex) in BUILDINGS and (v.crew.ce or v.data.is_ac)
        if is_exit or (hex not in state.ground.is_off and not is_closed):
            found.append((hex, replace(v, hex=hex), entry_cost(state, v, hex)))
    return found


def cheapest(state: State, v: Vehicle) -> int:
    """The MP to the edge, searched forwards."""
    queue, known = [(0, v.hex, v.vca)], set()
    while queue:
        spent, hex, vca = heappop(queue)
        if hex in state.ground.off["west"]:
            return spent
        if (hex, vca) in known:
            continue
        known.add((hex, vca))
        for _, after, price in moves(state, replace(v, hex=hex, vca=vca)):
            heappush(queue, (spent + price, after.hex, after.vca))
    raise AssertionError(f"{v.id} is cut off")


def tank(hex: str, vca: int, *, name: str = "t", ce: bool = False, wreck: bool = False) -> Vehicle:
    return Vehicle(
        name,
        "german",
        "ge-ivh",
        hex=hex,
        place=MAP,
        vca=vca,
        crew=Crew(ce=ce),
        wreck=wreck,
        recall=not wreck,
        marks=TurnMarks(running=not wreck),
    )


WRECKS = (tank("G5", 0, name="w1", wreck=True), tank("H6", 0, name="w2", wreck=True))


@pytest.mark.rule("aslsk:7.10.recall", "aslsk:casa.51")
@pytest.mark.parametrize("smoke", [(), ("G5", "F5", "H7")])
@pytest.mark.parametrize("others", [(), WRECKS])
@pytest.mark.parametrize("ce", [False, True])
def test_the_first_steps_are_those_of_the_cheapest_way(smoke, others, ce):
    for hex in ("J4", "K7"):
        for vca in (0, 1, 3):
            v = tank(hex, vca, ce=ce)
            state = position(v, *others, smoke=smoke)
            whole = cheapest(state, v)
            best = {
                name: price
                for name, after, price in moves(state, v)
                if price + cheapest(state, after) == whole
            }
            way = way_out(state, v)
            assert {*way.hexes, *way.turns} == set(best)
            assert way.cost == min(best.values())


@pytest.mark.rule("aslsk:7.10.recall", "aslsk:3.3.2.obstacles")
def test_a_wreck_on_the_road_turns_the_way_aside():
    v = tank("I5", 4)
    assert "H5" in way_out(position(v), v).hexes
    blocks = [tank("H5", 0, name=f"w{n}", wreck=True) for n in range(3)]
    assert "H5" not in way_out(position(v, *blocks), v).hexes
