"""Set-up in nine steps, and reinforcements.

Refs: warfare:setup.*, unita.piazzamento, track.cubetti, arbitrato.inizio_pari,
arbitrato.ignoti_mescolati, ignoti.definizione, macerie.scenario, scenari.casuali, droni.facce.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

import msgspec

from engine.core.ctx import Ctx
from engine.core.decisions import button
from engine.core.dice import Dice
from engine.core.pools import Pool
from engine.core.rules import Ruling, Side
from engine.core.text import N_, NP_
from engine.warfare.rules.movement import why_not_enter
from engine.warfare.rules.track import roll_moods
from engine.warfare.state import generator
from engine.warfare.state.ascs import D20
from engine.warfare.state.book import rule
from engine.warfare.state.events import (
    Delayed,
    MarkersDealt,
    Moved,
    PhaseSet,
    ScenarioBuilt,
    SupportTurned,
)
from engine.warfare.state.setting import field_of, scenario_named, scenario_of, spots
from engine.warfare.state.state import (
    BOXES,
    CIVILIANS,
    CROWD,
    DUE,
    PLAY,
    READY,
    RESERVE,
    SETUP,
    WAITING,
    Cube,
    Hidden,
    Population,
    State,
    Support,
    Unit,
    other_sides,
    standing,
)
from engine.warfare.state.tables import IRREGULARS, UNKNOWN, Scenario

replace = msgspec.structs.replace

SEED_DICE = Dice(D20.dice * 4)
ROLLED = "dadi"


def first_state(scenario_id: str, switches: Mapping[str, str]) -> State:
    """The table before the first decision."""
    scenario = scenario_named(scenario_id)
    cubes = {
        side: Cube(
            side,
            force.ally or side,
            force.cube,
            BOXES - force.box,
            IRREGULARS not in force.factions,
        )
        for side, force in scenario.forces.items()
    }
    units = {unit.id: unit for side in scenario.forces for unit in _units(scenario, side)}
    supports = [s for side in scenario.forces for s in _supports(scenario, side)]
    return State(
        scenario=scenario.id,
        map=scenario.map,
        switches=dict(switches),
        phase=SETUP,
        turn=1,
        active=_first(scenario, cubes),
        cubes=cubes,
        units=units,
        at=standing(units),
        supports={support.id: support for support in supports},
        population={people.id: people for people in _population(scenario)},
        hidden={m.id: replace(m, item=UNKNOWN) for m in listed(scenario).values()},
        unseen=_backs(scenario),
        roadblocks=tuple(sorted(scenario.roadblocks)),
        rubble=tuple(sorted(scenario.rubble)),
        stock=dict(scenario.stock),
    )


def _first(scenario: Scenario, cubes: Mapping[Side, Cube]) -> Side:
    """The highest box begins; in the same box who the scenario names (arbitrato.inizio_pari)."""
    least = min(cube.position for cube in cubes.values())
    leaders = [cube.side for cube in cubes.values() if cube.position == least]
    return scenario.first if scenario.first in leaders else leaders[0]


def _units(scenario: Scenario, side: Side) -> Iterator[Unit]:
    """The units of a side, numbered: on the map, kept out of it, due later (setup.unita)."""
    force = scenario.forces[side]
    made = [Unit("", kind, side, hex=hex) for kind, hexes in force.units.items() for hex in hexes]
    for kind, count in force.reserve.items():
        made += [Unit("", kind, side, place=RESERVE)] * count
    for kind, arrival in force.reinforcements.items():
        made.append(Unit("", kind, side, place=DUE, due=arrival.turn, edge=arrival.edge))
    for number, unit in enumerate(made, 1):
        yield replace(unit, id=f"{side[0]}{number}")


def _supports(scenario: Scenario, side: Side) -> Iterator[Support]:
    """The supports of a side, with the turn that they wait for (setup.supporti)."""
    for kind, turn in scenario.forces[side].supports.items():
        place = READY if turn <= 1 else WAITING
        yield Support(kind, kind, side, place=place, turn=turn if turn > 1 else 0)


def _population(scenario: Scenario) -> Iterator[Population]:
    """Crowds, then civilians (setup.segnalini)."""
    people = [(hex, CROWD) for hex in scenario.crowds]
    people += [(hex, CIVILIANS) for hex in scenario.civilians]
    for n, (hex, face) in enumerate(people, 1):
        yield Population(f"p{n}", face, hex)


def listed(scenario: Scenario) -> dict[str, Hidden]:
    """Markers face down, numbered by hex, so that a number says nothing about the back."""
    spots = [(item, hex) for item, hexes in scenario.hidden.items() for hex in hexes]
    spots.sort(key=lambda spot: (spot[1][0], int(spot[1][1:]), spot[0]))
    return {
        f"i{n}": Hidden(f"i{n}", item, scenario.owners.get(hex, scenario.owner), hex)
        for n, (item, hex) in enumerate(spots, 1)
    }


def _backs(scenario: Scenario) -> dict[Side, Pool]:
    """What is dealt under the markers of each owner (arbitrato.ignoti_mescolati)."""
    found: dict[Side, Pool] = {}
    for marker in listed(scenario).values():
        found[marker.owner] = found.get(marker.owner, Pool("ignoti")).plus([marker.item])
    return found


def set_up(ctx: Ctx[State]) -> None:
    """The nine steps (setup.mappa to setup.danni); then the first player is known."""
    if ctx.state.scenario == generator.EMPTY:
        generate(ctx)
    state = ctx.state
    scenario = scenario_of(state)
    ctx.cite("setup.mappa", N_("map {map}"), map=field_of(state).board.name)
    ctx.cite("setup.posti", N_("opponents sit facing each other"))
    ctx.cite(
        ("setup.unita", "unita.piazzamento#scenario"),
        NP_("{n} unit", "{n} units"),
        n=len(state.units),
    )
    ctx.cite(
        "setup.segnalini",
        NP_("{n} marker", "{n} markers"),
        n=len(state.population) + len(state.hidden),
    )
    for owner in state.unseen:
        deal_markers(ctx, owner)
    if scenario.rubble:
        ctx.cite("macerie.scenario", N_("rubble from the start in {hexes}"), hexes=state.rubble)
    for cube in state.cubes.values():
        ctx.cite(
            "setup.cubetti#casella", N_("cube of {side}: box {box}"), side=cube.side, box=cube.box
        )
    for support in state.supports.values():
        ctx.cite(
            "setup.supporti#turno" if support.place == WAITING else "setup.supporti#subito",
            N_("{support} waits for turn {turn}")
            if support.place == WAITING
            else N_("{support} is available"),
            support=support.id,
            turn=support.turn,
        )
    ctx.cite("setup.dadi", N_("nine dice, white to black"))
    ctx.cite("setup.danni", N_("damage and morale markers at hand"))
    for support in state.supports.values():
        if state.scenario.startswith(generator.PREFIX) and support.values.other_face:
            choose_face(ctx, support)
    ctx.do(PhaseSet(phase=PLAY), ("setup.turno", "arbitrato.cubetti"), N_("turn cube on T1"))
    least = min(cube.position for cube in ctx.state.cubes.values())
    if sum(cube.position == least for cube in ctx.state.cubes.values()) > 1:
        ctx.cite("arbitrato.inizio_pari", N_("{side} begins"), side=state.active)
    else:
        ctx.cite(
            ("setup.cubetti#alta", "track.ruoli#attivo"),
            N_("{side} has the highest box and begins"),
            side=state.active,
        )
    roll_moods(ctx)


def deal_markers(ctx: Ctx[State], owner: Side) -> None:
    """The scenario fixes hexes and backs, not which lies where (arbitrato.ignoti_mescolati)."""
    pool, away = ctx.state.unseen[owner], tuple(other_sides(ctx.state, owner))
    waiting = [m for m in ctx.state.hidden.values() if m.owner == owner]
    ctx.cite(
        ("setup.segnalini", "arbitrato.ignoti_mescolati"),
        NP_("{side} puts {n} unknown marker face down", "{side} shuffles {n} unknown markers"),
        side=owner,
        n=len(waiting),
    )
    backs: dict[str, str] = {}
    for marker in waiting:
        item = next(iter(pool.items))
        if len(pool.items) > 1:
            item = ctx.draw(
                pool,
                ("arbitrato.ignoti_mescolati", "ignoti.definizione#sotto"),
                N_("marker {marker} in {hex}"),
                hidden_from=away,
                marker=marker.id,
                hex=marker.hex,
            )
        backs[marker.id] = item
        pool = pool.minus(item)
    event = MarkersDealt(owner=owner, backs=backs, hidden_from=away)
    ctx.do(event, ("ignoti.definizione#solo", "arbitrato.ignoti_mescolati"))


GENERATOR: Final = MappingProxyType(
    dict(
        zip(
            generator.TABLES,
            (
                "scenari.casuali#generatore/missione",
                "scenari.casuali#generatore/teatro",
                "scenari.casuali#generatore/forze",
                "scenari.casuali#generatore/supporti per lato",
                "scenari.casuali#generatore/popolazione (solo con INS)",
                "scenari.casuali#generatore/segnalini Ignoti",
                "scenari.casuali#generatore/turni",
                "scenari.casuali#generatore/caselle di partenza",
            ),
            strict=True,
        )
    )
)
"""The row of each table of the generator."""


def generate(ctx: Ctx[State]) -> None:
    """The random scenario: a seed, eight tables, an army for each side (scenari.casuali)."""
    state = ctx.state
    given = state.switches.get(generator.SEED, ROLLED)
    if given == ROLLED:
        ctx.choose(
            "setup.tables",
            next(iter(state.cubes)),
            [button("tira", True, N_("roll the tables"))],
            "scenari.casuali#tira",
            N_("A random scenario: roll its tables"),
        )
        seed = ctx.roll(SEED_DICE, _number, "scenari.casuali#tira", N_("the seed of the scenario"))
    else:
        seed = int(given)
    plan = generator.plan(seed)
    for table, roll, text in plan.tables():
        ctx.cite(
            GENERATOR[table], N_("{table}, roll {roll}: {row}"), table=table, roll=roll, row=text
        )
    mission = plan.mission
    if mission == generator.CHOICE:
        first = next(iter(state.cubes))
        mission = ctx.choose(
            "setup.mission",
            first,
            [button(f"missione-{m}", m, generator.MISSIONS[m]) for m in range(1, generator.CHOICE)],
            "scenari.casuali#generatore/missione",
            N_("Which mission?"),
            why_not=lambda m: why_not_mission(seed, m),
        )
    name = generator.name_of(seed, mission)
    ctx.do(
        ScenarioBuilt(scenario=name, table=first_state(name, state.switches)),
        "scenari.casuali#tira",
    )


def why_not_mission(seed: int, mission: int) -> Iterator[Ruling]:
    """Missions that the forces cannot play."""
    if not generator.fits(seed, mission):
        yield rule("scenari.casuali#irregolari", N_("these forces cannot play it"))


def _number(faces: tuple[int, ...]) -> int:
    value = 0
    for face in faces:
        value = value * 20 + face - 1
    return value


def choose_face(ctx: Ctx[State], support: Support) -> None:
    """In random scenarios the player chooses the face of a drone (droni.facce)."""
    other = support.values.other_face
    faces = [
        button(f"faccia-{kind}", kind, N_("{support}"), support=kind)
        for kind in (support.type, other)
    ]
    kind = ctx.choose(
        "setup.face",
        support.side,
        faces,
        ("droni.facce#sceglie", "scenari.casuali#faccia"),
        N_("Which face does {support} show?"),
        support=support.id,
    )
    if kind != support.type:
        ctx.do(SupportTurned(support=support.id, back=kind), "droni.facce#sceglie")


def reinforce(ctx: Ctx[State]) -> None:
    """Units due this turn enter by their edge, for nothing; then the play goes on."""
    state = ctx.state
    field, scenario = field_of(state), scenario_of(state)
    due = [u for u in state.units.values() if u.place == DUE and u.due <= state.turn]
    for unit in due:
        edge = field.edge(unit.edge)  # type: ignore[arg-type]
        free = [spots(field)[label] for label in edge]
        if all(next(why_not_arrive(ctx.state, unit, s.value), None) is not None for s in free):
            ctx.do(Delayed(unit=unit.id, turn=state.turn + 1), scenario.says("arrivals"))
            continue
        hex = ctx.choose(
            "setup.arrival",
            unit.side,
            free,
            scenario.says("arrivals"),
            N_("Where does {unit} arrive?"),
            why_not=partial(why_not_arrive, ctx.state, unit),
            unit=unit.id,
        )
        ctx.do(
            Moved(unit=unit.id, hex=hex), (scenario.says("arrivals"), "unita.piazzamento#scenario")
        )
    ctx.do(PhaseSet(phase=PLAY), "turno.nuovo#unita", N_("the units due this turn are dealt with"))


def why_not_arrive(state: State, unit: Unit, hex: str) -> Iterator[Ruling]:
    """An empty hex that the unit may enter."""
    if hex in state.at:
        yield rule(
            "stacking.limite#una", N_("{other} stands in {hex}"), other=state.at[hex], hex=hex
        )
    yield from why_not_enter(state, field_of(state), unit, hex, hex)
